//! Preprocessing with the user's own compiler.

use std::path::PathBuf;
use std::process::Command;

/// What to load and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// C files, linked in this order.
    pub files: Vec<PathBuf>,
    /// The C compiler.
    pub compiler: String,
    /// Flags for it, such as `-I`, `-D`, `-std`, `-m32`.
    pub flags: Vec<String>,
}

impl Options {
    /// One file, preprocessed by `cc` without flags.
    pub fn file(path: impl Into<PathBuf>) -> Options {
        Options { files: vec![path.into()], compiler: "cc".to_owned(), flags: Vec::new() }
    }
}

/// A revision of the C standard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standard {
    /// ANSI C and C90.
    C89,
    /// ISO C99.
    C99,
    /// ISO C11.
    C11,
    /// ISO C17, the default of current compilers.
    #[default]
    C17,
    /// ISO C23.
    C23,
}

/// A translation unit after preprocessing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preprocessed {
    /// Path of the main source file.
    pub path: String,
    /// The text with line markers and comments.
    pub text: Vec<u8>,
    /// The standard it was written for.
    pub standard: Standard,
    /// Whether it is for a 32-bit machine (`-m32`).
    pub ilp32: bool,
}

/// Why nothing could be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The compiler could not be started.
    Compiler {
        /// Its name.
        name: String,
        /// What the system said.
        reason: String,
    },
    /// The compiler refused the file.
    Preprocess {
        /// The file.
        path: String,
        /// What the compiler said.
        message: String,
    },
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Compiler { name, reason } => write!(f, "cannot run the C compiler `{name}`: {reason}"),
            Error::Preprocess { path, message } => write!(f, "cannot preprocess `{path}`: {message}"),
        }
    }
}

impl std::error::Error for Error {}

/// Preprocesses every file of `options`.
///
/// # Errors
///
/// When the compiler cannot be started or refuses a file.
pub fn run(options: &Options) -> Result<Vec<Preprocessed>, Error> {
    options.files.iter().map(|path| file(options, path)).collect()
}

fn file(options: &Options, path: &std::path::Path) -> Result<Preprocessed, Error> {
    let output = Command::new(&options.compiler)
        .args(["-E", "-C"])
        .args(&options.flags)
        .arg(path)
        .output()
        .map_err(|error| Error::Compiler { name: options.compiler.clone(), reason: error.to_string() })?;
    let path = path.display().to_string();
    if !output.status.success() {
        return Err(Error::Preprocess { path, message: String::from_utf8_lossy(&output.stderr).trim().to_owned() });
    }
    let standard = options.flags.iter().rev().find_map(|flag| standard(flag)).unwrap_or_default();
    let ilp32 = options.flags.iter().any(|flag| flag == "-m32");
    Ok(Preprocessed { path, text: output.stdout, standard, ilp32 })
}

fn standard(flag: &str) -> Option<Standard> {
    if flag == "-ansi" {
        return Some(Standard::C89);
    }
    let name = flag.strip_prefix("-std=")?;
    let revision = name.trim_start_matches("gnu").trim_start_matches("iso9899:").trim_start_matches('c');
    match revision {
        "89" | "90" | "1990" | "199409" => Some(Standard::C89),
        "99" | "9x" | "1999" | "199x" => Some(Standard::C99),
        "11" | "1x" | "2011" => Some(Standard::C11),
        "17" | "18" | "2017" | "2018" => Some(Standard::C17),
        "23" | "2x" | "2y" | "2024" => Some(Standard::C23),
        _ => None,
    }
}
