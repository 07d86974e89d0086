//! From a source file to the text its compiler sees.
//!
//! The user's own compiler preprocesses (`cc -E` with the user's flags), so that macros, headers and conditionals are
//! exactly those of the real build. The output becomes an [`ir::Unit`](clew_ir::Unit): the text as printed, line markers
//! included, and a table that leads back to files and lines. Contracts stand in comments; where a file has any, a second
//! run keeps the comments (`-C`), and the contracts among them are put back into the text. The compiler is also asked for its data model, and, where a file has contracts, for the macros in force at its
//! end. Where there is no compiler at all, the preprocessor of `rucc-pp` stands in, with a warning.
//!
//! Limits: a source file of [`MAX_SOURCE`] bytes, an expansion of [`MAX_TEXT`]. Nothing is written anywhere.

use crate::compilation;
use crate::diagnostic::{Diagnostic, Place};
use crate::error::Error;
use crate::options::Options;
use clew_ir::{Location, Target, Unit};
pub use semantics::Semantics;
use std::collections::BTreeMap;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

mod annotate;
mod builtin;
mod compiler;
pub mod flags;
pub mod message;
pub(crate) mod scan;
mod semantics;
mod target;

/// The largest source file accepted, in bytes.
pub const MAX_SOURCE: u64 = 32 << 20;
/// The largest preprocessed text accepted, in bytes.
pub const MAX_TEXT: u64 = 256 << 20;

/// How one file is compiled: what the native build repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// The compiler and its leading words, such as `["gcc"]` or `["gcc", "-m32"]`.
    pub compiler: Vec<String>,
    /// Flags that matter for reading and compiling the file; none that ask for an output.
    pub flags: Vec<String>,
    /// Where the compiler is run; `None` for the current directory.
    pub directory: Option<PathBuf>,
    /// The source file, as named to the compiler.
    pub file: PathBuf,
}

/// A preprocessed file and what its compiler said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preprocessed {
    /// The text with its line table.
    pub unit: Unit,
    /// The data model of the compiler under these flags.
    pub target: Target,
    /// The C the compiler reads under these flags.
    pub standard: Standard,
    /// What the flags change about the language.
    pub semantics: Semantics,
    /// For each of the unit's markers, whether it leads into a system header.
    pub system: Vec<bool>,
    /// Object-like macros in force at the end of the file; empty unless the file has contracts.
    pub macros: BTreeMap<String, String>,
    /// How the file is compiled; `None` when no compiler was found.
    pub build: Option<Build>,
    /// Warnings, the compiler's and ours.
    pub diagnostics: Vec<Diagnostic>,
}

impl Preprocessed {
    /// A text that needs no preprocessing, read as C17 on 64-bit Unix.
    pub fn plain(path: &str, text: &str) -> Preprocessed {
        Preprocessed {
            unit: Unit { path: path.to_owned(), text: text.to_owned(), ..Unit::default() },
            target: Target::LP64,
            standard: Standard::C17,
            semantics: Semantics::default(),
            system: Vec::new(),
            macros: BTreeMap::new(),
            build: None,
            diagnostics: Vec::new(),
        }
    }

    /// Whether the text at a byte offset came from a system header.
    pub fn is_system(&self, offset: u32) -> bool {
        let index = self.unit.markers.partition_point(|marker| marker.start <= offset);
        index.checked_sub(1).is_some_and(|index| self.system[index])
    }
}

/// Which C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Standard {
    /// C89 and its amendment.
    C89,
    /// C99
    C99,
    /// C11
    C11,
    /// C17
    C17,
    /// C23 and drafts after it.
    C23,
}

/// The macros without parameters in force at the end of a file; none where the compiler refuses.
pub(crate) fn macros(build: &Build) -> BTreeMap<String, String> {
    compiler::expand(build, &["-dM"]).map(|run| compiler::definitions(&run.output)).unwrap_or_default()
}

/// Preprocesses every file the options name.
pub fn run(options: &Options) -> Result<Vec<Preprocessed>, Error> {
    let (builds, notes) = plan(options)?;
    let mut targets = target::Cache::default();
    let mut units = Vec::new();
    for build in builds {
        units.push(preprocess(build, &mut targets)?);
    }
    if let Some(first) = units.first_mut() {
        first.diagnostics.splice(0..0, notes);
    }
    Ok(units)
}

/// What to compile and how, from the command line and the build database.
fn plan(options: &Options) -> Result<(Vec<Build>, Vec<Diagnostic>), Error> {
    let compiler = options.cc.as_deref().map(compiler::words).transpose()?;
    let (own, mut notes) = flags::keep(&options.flags(), None);
    let Some(database) = &options.database else {
        let compiler = compiler.unwrap_or_else(|| vec!["cc".to_owned()]);
        let plain = |file: &PathBuf| Build {
            compiler: compiler.clone(),
            flags: own.clone(),
            directory: None,
            file: file.clone(),
        };
        let builds: Vec<Build> = options.files.iter().map(plain).collect();
        return if builds.is_empty() { Err(Error::NoFiles) } else { Ok((builds, notes)) };
    };
    let database = compilation::read(database)?;
    let files = if options.files.is_empty() { database.files() } else { options.files.clone() };
    let mut builds = Vec::new();
    for file in &files {
        let (mut build, more) = database.build(file, options.entry)?;
        build.flags.extend(own.iter().cloned());
        if let Some(compiler) = &compiler {
            build.compiler.clone_from(compiler);
        }
        notes.extend(more);
        builds.push(build);
    }
    if builds.is_empty() { Err(Error::NoFiles) } else { Ok((builds, notes)) }
}

fn preprocess(mut build: Build, targets: &mut target::Cache) -> Result<Preprocessed, Error> {
    let path = build.path();
    check_source(&path)?;
    let (semantics, mut diagnostics) = semantics::of(&build);
    if !compiler::exists(&build.compiler[0], build.directory.as_deref()) {
        let missing = build.compiler[0].clone();
        if missing != "cc" && compiler::exists("cc", None) && is_from_database(&build) {
            diagnostics.push(Diagnostic::warning(
                Place::Nowhere,
                format!("the compiler `{missing}` of the build database is not installed; using `cc`"),
            ));
            build.compiler = vec!["cc".to_owned()];
        } else if missing != "cc" {
            return Err(Error::NoCompiler { compiler: missing, reason: "it is not installed".to_owned() });
        } else {
            return builtin::preprocess(&build);
        }
    }
    let answers = ask(&build, targets);
    let target::Machine { target, standard, brief } = answers.machine?;
    let guessed = brief == answers.guess;
    let plain = if guessed { answers.plain } else { compiler::expand(&build, brief) };
    let commented = answers.commented.filter(|_| guessed);
    let (scanned, macros) = expand(&build, brief, plain?, commented, &mut diagnostics)?;
    let scan::Scanned { unit, system, .. } = scanned;
    Ok(Preprocessed { unit, target, standard, semantics, system, macros, build: Some(build), diagnostics })
}

/// What several runs of a compiler said.
struct Answers {
    machine: Result<target::Machine, Error>,
    /// The flags for short messages that the make of the compiler was guessed to take.
    guess: &'static [&'static str],
    plain: Result<compiler::Run, Error>,
    /// The text with comments, if the file itself has contracts.
    commented: Option<Result<compiler::Run, Error>>,
}

/// Comments and definitions of macros are kept.
const COMMENTED: &[&str] = &["-C", "-dD"];

/// Asks a compiler all that is likely to be needed, side by side: most of the time goes into starting it.
fn ask(build: &Build, targets: &mut target::Cache) -> Answers {
    let guess = target::guess_brief(build);
    let has_contracts = annotate::opens_one(&build.path());
    std::thread::scope(|scope| {
        let run = |extra: Vec<&'static str>| scope.spawn(move || compiler::expand(build, &extra));
        let plain = run(guess.to_vec());
        let commented = has_contracts.then(|| result(run([guess, COMMENTED].concat())));
        let macros = commented.iter().flatten().map(|run| compiler::definitions(&run.output)).next();
        let machine = targets.of(build, macros);
        Answers { machine, guess, plain: result(plain), commented }
    })
}

fn result<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The expanded text, with its contracts if it has any, and the macros for them.
fn expand(
    build: &Build,
    brief: &[&str],
    plain: compiler::Run,
    commented: Option<Result<compiler::Run, Error>>,
    notes: &mut Vec<Diagnostic>,
) -> Result<(scan::Scanned, BTreeMap<String, String>), Error> {
    let name = build.path().display().to_string();
    let scan = |output: Vec<u8>| scan::scan(&name, build.directory.as_deref(), output);
    notes.extend(message::parse(&plain.said));
    let plain = scan(plain.output)?;
    if !annotate::may_hold(&plain.unit, &plain.system) {
        return Ok((plain, BTreeMap::new()));
    }
    let commented = commented.unwrap_or_else(|| compiler::expand(build, &[brief, COMMENTED].concat()));
    let mut macros = BTreeMap::new();
    let commented = commented.and_then(|run| {
        macros = compiler::definitions(&run.output);
        scan(run.output)
    });
    let line = match &commented {
        Ok(commented) => commented.hidden_directive,
        Err(_) => Some(0),
    };
    match (commented, line) {
        (Ok(commented), None) => {
            let (text, lost) = annotate::splice(&plain.unit, &commented.unit);
            notes.extend(lost.into_iter().map(|place| {
                Diagnostic::warning(place, "the place of a contract between macros is not certain: it is not read")
                    .with_help("put it on a line of its own")
            }));
            let scanned = scan(text.into_bytes())?;
            macros.retain(|_, _| scanned.has_annotations);
            Ok((scanned, macros))
        }
        (_, line) => {
            let place = Location { file: name.clone(), line: line.unwrap_or(0), column: 0 };
            let message = "a comment disturbs the preprocessor: the contracts of this file are not read";
            let help = "move comments off the lines of directives and out of the arguments of macros";
            notes.push(Diagnostic::warning(place, message).with_help(help));
            Ok((plain, BTreeMap::new()))
        }
    }
}

/// Only a database gives a directory.
fn is_from_database(build: &Build) -> bool {
    build.directory.is_some()
}

impl Build {
    /// The source file's path as seen from here.
    pub fn path(&self) -> PathBuf {
        match &self.directory {
            Some(directory) => directory.join(&self.file),
            None => self.file.clone(),
        }
    }
}

/// A regular file of acceptable size that does not begin like a binary one.
fn check_source(path: &Path) -> Result<(), Error> {
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Error::NotFound(path.to_owned()),
        _ => Error::Unreadable(path.to_owned(), error.to_string()),
    })?;
    if !metadata.is_file() {
        return Err(Error::NotAFile(path.to_owned()));
    }
    if metadata.len() > MAX_SOURCE {
        return Err(Error::TooLarge { path: path.to_owned(), expanded: false, limit: MAX_SOURCE });
    }
    let unreadable = |error: std::io::Error| Error::Unreadable(path.to_owned(), error.to_string());
    let mut beginning = Vec::new();
    std::fs::File::open(path).map_err(unreadable)?.take(1 << 16).read_to_end(&mut beginning).map_err(unreadable)?;
    // Compilers take minutes to complain about megabytes of binary data.
    match beginning.iter().position(|&byte| byte == 0) {
        None => Ok(()),
        Some(at) => {
            let line = beginning[..at].iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
            Err(Error::NotText(Location { file: path.display().to_string(), line, column: 0 }))
        }
    }
}
