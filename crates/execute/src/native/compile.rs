//! From instrumented text to the two files that run tests: the units as a library, and the server that loads it.
//!
//! The library is built with the user's compiler and flags, but for flags that would make something else of it. The
//! server for this machine comes with us, built beforehand; one for another machine or with sanitizers is built with the
//! user's compiler and kept from one run to the next.

use super::arithmetic::faithful;
use super::cache;
use super::error::BuildError;
use super::options::Options;
use super::readings;
use super::workspace::Workspace;
use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Time between two looks at a compiler that may be ended.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// The fork server.
const SERVER: &str = include_str!("server.c");
const TOGETHER: &str = include_str!("together.h");
const SERVER_FLAGS: &str = include_str!("server.flags");

/// The fork server of this machine, where it could be built beforehand.
#[cfg(server)]
const BUILT: Option<&[u8]> = Some(include_bytes!(concat!(env!("OUT_DIR"), "/server")));
#[cfg(not(server))]
const BUILT: Option<&[u8]> = None;

const SANITIZE: [&str; 3] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1"];

/// Flags of the library: addresses that fit anywhere, and its own definitions before those of the C library.
const LIBRARY: [&str; 5] = ["-w", "-pipe", "-fPIC", "-shared", "-Wl,-Bsymbolic"];

/// Libraries for units that name nothing else: most of the time of linking goes into looking through the others. What
/// compilers call of their own accord, such as `memcpy`, is there when the server loads the library.
const CLOSED: [&str; 2] = ["-nodefaultlibs", "-lgcc"];

/// Libraries for all others. References to functions without a body are weak, which alone would not make one needed.
const OPEN: [&str; 2] = ["-Wl,--no-as-needed", "-lm"];

/// Names that need care.
#[derive(Debug)]
pub(super) struct Names<'a> {
    /// Variables of which definitions in the C library have precedence.
    pub(super) rooms: Vec<&'a str>,
    /// Flags for functions of the C library that the units define themselves: compilers may not presume what they do.
    pub(super) own: Vec<String>,
    /// Whether the units name nothing but what they define.
    pub(super) is_closed: bool,
}

/// Compiles the units into a library; `meanwhile` is done while the compiler works.
pub(super) fn library(
    workspace: &Workspace,
    units: &[String],
    Names { rooms, own, is_closed }: &Names<'_>,
    options: &Options,
    meanwhile: impl FnOnce(),
) -> Result<PathBuf, BuildError> {
    let sources = units.iter().enumerate().map(|(index, text)| write(workspace, &format!("unit{index}.i"), text));
    let sources: Vec<PathBuf> = sources.collect::<Result<_, _>>()?;
    let library = workspace.path().join("library.so");
    let mut words = faithful(&options.flags);
    words.retain(|flag| !hinders(flag));
    words.extend(sanitize(options));
    words.extend(own.iter().cloned());
    let in_one_go = sources.len() == 1 && options.readings.is_empty();
    let mut parts = if in_one_go { sources } else { objects(&sources, &words, options)? };
    if !options.readings.is_empty() {
        parts.push(write(workspace, "readings.c", &format!("{}{}", readings::HOOKS, readings::SERVED))?);
    }
    words.extend(LIBRARY.map(str::to_owned));
    if !rooms.is_empty() {
        let list = write(workspace, "rooms.list", &format!("{{ {}; }};\n", rooms.join("; ")))?;
        words.push(format!("-Wl,--dynamic-list={}", display(&list)));
    }
    let versions = versions(units);
    if !versions.is_empty() {
        let nodes: String = versions.iter().map(|version| format!("{version} {{ }};\n")).collect();
        words.push(format!("-Wl,--version-script={}", display(&write(workspace, "versions.map", &nodes)?)));
    }
    words.extend(["-o".to_owned(), display(&library)]);
    words.extend(parts.iter().chain(&options.link).map(|path| display(path)));
    let with = |libraries: &[&str]| {
        let words = words.iter().cloned().chain(libraries.iter().map(|&word| word.to_owned()));
        Running::start(options, words.collect())
    };
    let is_closed = *is_closed && options.link.is_empty() && !words.iter().any(|flag| calls_a_library(flag));
    let running = with(if is_closed { &CLOSED } else { &OPEN });
    meanwhile();
    match running.and_then(Running::finish) {
        Err(_) if is_closed => with(&OPEN)?.finish()?,
        other => other?,
    }
    Ok(library)
}

/// The versions that units give to symbols, by directives of the assembler or by attributes: libraries are linked only
/// where something says that these exist.
fn versions(units: &[String]) -> BTreeSet<String> {
    let version = |text: &str| {
        let end = text.find(';').unwrap_or(text.len());
        let plain: String = text[..end].chars().filter(|c| *c != '"' && !c.is_whitespace()).collect();
        let (_, version) = plain.split_once('@')?;
        let is_named = |c: &char| c.is_ascii_alphanumeric() || "_.".contains(*c);
        let version: String = version.trim_start_matches('@').chars().take_while(is_named).collect();
        (!version.is_empty()).then_some(version)
    };
    units.iter().flat_map(|unit| unit.split("symver").skip(1)).filter_map(version).collect()
}

/// Compiles units side by side.
fn objects(sources: &[PathBuf], flags: &[String], options: &Options) -> Result<Vec<PathBuf>, BuildError> {
    let mut objects = Vec::new();
    let mut running = Vec::new();
    for source in sources {
        let object = source.with_extension("o");
        let mut words = flags.to_vec();
        words.extend(options.readings.iter().cloned());
        words.extend(["-w", "-fPIC", "-c", "-o"].map(str::to_owned));
        words.extend([display(&object), display(source)]);
        running.push(Running::start(options, words)?);
        objects.push(object);
    }
    running.into_iter().try_for_each(Running::finish)?;
    Ok(objects)
}

/// Flags under which compilers call functions of libraries that the source does not name.
fn calls_a_library(flag: &str) -> bool {
    let starts = ["-fsanitize", "-fopenmp", "-fopenacc", "-fgnu-tm", "-fsplit-stack", "-finstrument", "-pg", "-l"];
    starts.iter().any(|start| flag.starts_with(start))
}

/// Flags that make errors of what probes and harness use, or something other than a library that we can load.
fn hinders(flag: &str) -> bool {
    let strict = flag.starts_with("-pedantic") || flag.starts_with("-Werror");
    let slow = flag.starts_with("-flto") || flag.starts_with("-fprofile") || flag.ends_with("-coverage");
    let other =
        ["-static", "-nostdlib", "-nodefaultlibs", "-nostartfiles", "-nolibc", "-pie", "-static-pie", "-no-pie"];
    strict || slow || other.contains(&flag)
}

/// The fork server, perhaps still being built.
pub(super) enum Server {
    Ready(PathBuf),
    Building { running: Running, executable: PathBuf, kept: Option<PathBuf> },
}

impl Server {
    /// Of the user's flags, only those that choose the machine matter. What was built once is kept.
    pub(super) fn start(workspace: &Workspace, options: &Options) -> Result<Server, BuildError> {
        let mut words: Vec<String> = options.flags.iter().filter(|flag| chooses_machine(flag)).cloned().collect();
        words.extend(sanitize(options));
        if let Some(built) = BUILT.filter(|_| words.is_empty() && is_of_this_machine(&options.compiler)) {
            return Ok(Server::Ready(place(workspace, built)?));
        }
        words.extend(SERVER_FLAGS.split_whitespace().map(str::to_owned));
        let kept = cache::place(options, &words, &[SERVER, TOGETHER]);
        if let Some(path) = kept.as_ref().filter(|path| path.exists()) {
            return Ok(Server::Ready(path.clone()));
        }
        write(workspace, "together.h", TOGETHER)?;
        let source = write(workspace, "server.c", SERVER)?;
        let executable = workspace.path().join("server");
        words.extend(["-o".to_owned(), display(&executable), display(&source), "-ldl".to_owned(), "-lm".to_owned()]);
        Ok(Server::Building { running: Running::start(options, words)?, executable, kept })
    }

    pub(super) fn finish(self) -> Result<PathBuf, BuildError> {
        match self {
            Server::Ready(path) => Ok(path),
            Server::Building { running, executable, kept } => {
                running.finish()?;
                Ok(kept.and_then(|place| cache::keep(&executable, place)).unwrap_or(executable))
            }
        }
    }
}

/// Whether a compiler without further words makes programs for this machine, to judge by its name: `gcc-14` does, a
/// cross compiler or one for another C library says so in front.
fn is_of_this_machine(compiler: &[String]) -> bool {
    let [program] = compiler else { return false };
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
    let stem = name.trim_end_matches(|character: char| character.is_ascii_digit() || matches!(character, '.' | '-'));
    ["cc", "gcc", "clang"].contains(&stem)
}

/// Puts the server that comes with us where it can be started.
fn place(workspace: &Workspace, built: &[u8]) -> Result<PathBuf, BuildError> {
    let path = workspace.path().join("server");
    let file = OpenOptions::new().write(true).create_new(true).mode(0o700).open(&path);
    let written = file.and_then(|mut file| file.write_all(built));
    written.map_err(BuildError::io(format!("write {}", path.display())))?;
    Ok(path)
}

fn chooses_machine(flag: &str) -> bool {
    ["-m", "--target", "--sysroot"].iter().any(|start| flag.starts_with(start))
}

fn sanitize(options: &Options) -> impl Iterator<Item = String> + use<> {
    SANITIZE.into_iter().filter(|_| options.sanitize).map(str::to_owned).collect::<Vec<_>>().into_iter()
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
pub(super) struct Running {
    command: String,
    child: Child,
    deadline: Option<Instant>,
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
        if options.deadline.is_some() {
            process.process_group(0);
        }
        let child = process.spawn().map_err(BuildError::io(format!("run `{first}`")))?;
        Ok(Running { command, child, deadline: options.deadline })
    }

    /// Ends a compiler that takes too long.
    fn wait(&mut self) -> Result<(), BuildError> {
        let Some(deadline) = self.deadline else { return Ok(()) };
        while self.child.try_wait().map_err(BuildError::io("wait for the compiler"))?.is_none() {
            if Instant::now() >= deadline {
                // The compiler proper is a process of its own.
                let group = format!("-{}", self.child.id());
                let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
                let _ = self.child.wait();
                return Err(BuildError::Late);
            }
            std::thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), BuildError> {
        self.wait()?;
        let output = self.child.wait_with_output().map_err(BuildError::io("wait for the compiler"))?;
        if output.status.success() {
            return Ok(());
        }
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(BuildError::Compiler { command: self.command, message })
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_this_machine;

    #[test]
    fn compilers_of_this_machine() {
        let is = |words: &[&str]| is_of_this_machine(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>());
        assert!(is(&["cc"]) && is(&["gcc-14"]) && is(&["/usr/bin/clang-19"]) && is(&["gcc-4.8"]));
        assert!(!is(&["musl-gcc"]) && !is(&["arm-none-eabi-gcc"]) && !is(&["gcc", "-m32"]) && !is(&["tcc"]));
    }
}
