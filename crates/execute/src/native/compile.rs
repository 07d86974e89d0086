//! From instrumented text to the program that runs tests.

use super::error::BuildError;
use super::options::Options;
use super::workspace::Workspace;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The fork server.
const SERVER: &str = include_str!("server.c");

const SANITIZE: [&str; 3] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1"];

/// What was built.
#[derive(Debug)]
pub(super) struct Built {
    pub(super) executable: PathBuf,
    /// Symbols nothing defines: a test that reaches one crashes.
    pub(super) missing: Vec<String>,
}

/// Compiles the units and links them with the server.
pub(super) fn compile(workspace: &Workspace, units: &[String], options: &Options) -> Result<Built, BuildError> {
    let mut running = vec![Running::start(options, server(workspace, options)?)?];
    let mut objects = Vec::new();
    for (index, text) in units.iter().enumerate() {
        let source = write(workspace, &format!("unit{index}.i"), text)?;
        let object = source.with_extension("o");
        let mut words: Vec<String> = options.flags.iter().filter(|flag| !is_strict(flag)).cloned().collect();
        words.extend(sanitize(options));
        words.extend(["-w", "-c", "-o"].map(str::to_owned));
        words.extend([display(&object), display(&source)]);
        running.push(Running::start(options, words)?);
        objects.push(object);
    }
    objects.push(workspace.path().join("server.o"));
    running.into_iter().try_for_each(Running::finish)?;
    link(workspace, &objects, options)
}

/// Flags that make errors of what probes and harness use.
fn is_strict(flag: &str) -> bool {
    flag.starts_with("-pedantic") || flag.starts_with("-Werror")
}

/// Flags that make something other than a program, or one without the C library.
fn hinders_linking(flag: &str) -> bool {
    matches!(flag, "-shared" | "-nostdlib" | "-nodefaultlibs" | "-nostartfiles" | "-nolibc" | "-pie" | "-static-pie")
}

/// The words that compile the server: of the user's flags, only those that choose the machine.
fn server(workspace: &Workspace, options: &Options) -> Result<Vec<String>, BuildError> {
    let source = write(workspace, "server.c", SERVER)?;
    let mut words: Vec<String> = options.flags.iter().filter(|flag| chooses_machine(flag)).cloned().collect();
    words.extend(["-std=gnu11", "-O0", "-w", "-c", "-o"].map(str::to_owned));
    words.extend([display(&workspace.path().join("server.o")), display(&source)]);
    Ok(words)
}

fn chooses_machine(flag: &str) -> bool {
    ["-m", "--target", "--sysroot", "-fPI", "-fpi"].iter().any(|start| flag.starts_with(start))
}

fn sanitize(options: &Options) -> impl Iterator<Item = String> + use<> {
    SANITIZE.into_iter().filter(|_| options.sanitize).map(str::to_owned).collect::<Vec<_>>().into_iter()
}

/// Links statically if possible: a process without shared libraries is cheaper to fork. Where symbols are missing, they
/// get the address zero, which is no loss to tests that do not reach them.
fn link(workspace: &Workspace, objects: &[PathBuf], options: &Options) -> Result<Built, BuildError> {
    let executable = workspace.path().join("tests");
    let attempt = |first: &[String]| {
        let mut words = first.to_vec();
        words.extend(["-w".to_owned(), "-o".to_owned(), display(&executable)]);
        words.extend(objects.iter().map(|object| display(object)));
        words.extend(options.link.iter().map(|path| display(path)));
        words.extend(options.flags.iter().filter(|flag| !hinders_linking(flag)).cloned());
        words.extend(sanitize(options));
        words.push("-lm".to_owned());
        Running::start(options, words)?.finish()
    };
    let done = |missing| Ok(Built { executable: executable.clone(), missing });
    if !options.sanitize && attempt(&["-static".to_owned()]).is_ok() {
        return done(Vec::new());
    }
    let Err(error) = attempt(&[]) else { return done(Vec::new()) };
    let missing = missing_symbols(&error);
    if missing.is_empty() {
        return Err(error);
    }
    let mut words: Vec<String> = missing.iter().map(|symbol| format!("-Wl,--defsym,{symbol}=0")).collect();
    words.push("-no-pie".to_owned());
    attempt(&words)?;
    done(missing)
}

/// The symbols a linker says nothing defines.
fn missing_symbols(error: &BuildError) -> Vec<String> {
    let BuildError::Compiler { message, .. } = error else { return Vec::new() };
    let symbol = |line: &str| {
        let start =
            ["undefined reference to ", "undefined symbol: "].iter().find_map(|start| line.split_once(start))?.1;
        Some(start.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '$').to_owned())
    };
    let symbols: BTreeSet<String> = message.lines().filter_map(symbol).collect();
    symbols.into_iter().collect()
}

fn write(workspace: &Workspace, name: &str, text: &str) -> Result<PathBuf, BuildError> {
    let path = workspace.path().join(name);
    fs::write(&path, text).map_err(BuildError::io(format!("write {}", path.display())))?;
    Ok(path)
}

fn display(path: &Path) -> String {
    path.display().to_string()
}

/// A compiler at work.
struct Running {
    command: String,
    child: Child,
}

impl Running {
    fn start(options: &Options, words: Vec<String>) -> Result<Running, BuildError> {
        let all: Vec<&String> = options.compiler.iter().chain(&words).collect();
        let command = all.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" ");
        let Some((first, rest)) = all.split_first() else {
            return Err(BuildError::Unsupported("no compiler is given".to_owned()));
        };
        let mut process = Command::new(first);
        process.args(rest).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        if let Some(directory) = &options.directory {
            process.current_dir(directory);
        }
        let child = process.spawn().map_err(BuildError::io(format!("run `{first}`")))?;
        Ok(Running { command, child })
    }

    fn finish(self) -> Result<(), BuildError> {
        let output = self.child.wait_with_output().map_err(BuildError::io("wait for the compiler"))?;
        if output.status.success() {
            return Ok(());
        }
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(BuildError::Compiler { command: self.command, message })
    }
}
