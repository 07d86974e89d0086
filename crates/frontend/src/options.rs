//! What to read and how: the front end's options as the command line gives them.

use std::path::PathBuf;

/// Which C files to load, and the flags of the user's compiler that matter for reading them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The source files. Empty together with a `database`: every file it names.
    pub files: Vec<PathBuf>,
    /// `-I`
    pub includes: Vec<PathBuf>,
    /// `-D`, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// `-U`
    pub undefines: Vec<String>,
    /// `-include`
    pub include_files: Vec<PathBuf>,
    /// `-std`, without the dash word: `c99`, `gnu17`.
    pub std: Option<String>,
    /// The compiler, possibly with flags (`gcc -m32`). Default: the database's, then `cc`.
    pub cc: Option<String>,
    /// Further flags, handed to the compiler unless they ask for another output.
    pub passthrough: Vec<String>,
    /// A `compile_commands.json` to take flags from.
    pub database: Option<PathBuf>,
    /// Which of several database entries for one file to use, from 0. Default: the first.
    pub entry: Option<usize>,
    /// Whether functions of the C library without a body get models of it.
    pub library: bool,
    /// Functions that are to be stubbed: those of the C library get no model, and bodies are left out.
    pub stubs: Vec<String>,
    /// C files whose functions stand in for functions without a body.
    pub models: Vec<PathBuf>,
}

impl Options {
    /// One file, read by `cc` without flags.
    pub fn file(path: impl Into<PathBuf>) -> Options {
        Options { files: vec![path.into()], ..Options::default() }
    }

    /// The flags these options stand for, in compiler spelling.
    pub fn flags(&self) -> Vec<String> {
        let mut flags: Vec<String> = self.std.iter().map(|std| format!("-std={std}")).collect();
        flags.extend(self.includes.iter().map(|directory| format!("-I{}", directory.display())));
        flags.extend(self.defines.iter().map(|define| format!("-D{define}")));
        flags.extend(self.undefines.iter().map(|undefine| format!("-U{undefine}")));
        for file in &self.include_files {
            flags.extend(["-include".to_owned(), file.display().to_string()]);
        }
        flags.extend(self.passthrough.iter().cloned());
        flags
    }
}
