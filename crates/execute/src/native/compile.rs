//! From instrumented text to the program that runs tests.

use super::error::BuildError;
use super::options::Options;
use super::workspace::Workspace;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The fork server.
const SERVER: &str = include_str!("server.c");

const SANITIZE: [&str; 3] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1"];

/// Compiles the units and links them with the server; gives the executable.
pub(super) fn compile(workspace: &Workspace, units: &[String], options: &Options) -> Result<PathBuf, BuildError> {
    let mut running = vec![Running::start(options, server(workspace, options)?)?];
    let mut objects = Vec::new();
    for (index, text) in units.iter().enumerate() {
        let source = write(workspace, &format!("unit{index}.i"), text)?;
        let object = source.with_extension("o");
        let mut words = options.flags.clone();
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

/// Links statically if possible: a process without shared libraries is cheaper to fork.
fn link(workspace: &Workspace, objects: &[PathBuf], options: &Options) -> Result<PathBuf, BuildError> {
    let executable = workspace.path().join("tests");
    let words = |first: Option<&str>| {
        let mut words: Vec<String> = first.map(str::to_owned).into_iter().collect();
        words.extend(["-w".to_owned(), "-o".to_owned(), display(&executable)]);
        words.extend(objects.iter().map(|object| display(object)));
        words.extend(options.link.iter().map(|path| display(path)));
        words.extend(options.flags.iter().cloned());
        words.extend(sanitize(options));
        words.push("-lm".to_owned());
        words
    };
    if !options.sanitize && Running::start(options, words(Some("-static")))?.finish().is_ok() {
        return Ok(executable);
    }
    Running::start(options, words(None))?.finish()?;
    Ok(executable)
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
