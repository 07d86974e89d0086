//! What was written is built and run before anyone else does.
//!
//! The makefile that goes with the tests builds them in a folder of its own, with the user's flags and all warnings; then
//! every program is run. Warnings count where they are about the test files: what the compiler thinks of the source is
//! not what tests are run for. A framework that is not installed is no failure, and neither is a program for another
//! machine, but both are said.

use crate::Framework;
use clew_execute::native::Workspace;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

/// A safety net: tests that run on end themselves long before.
const LIMIT: Duration = Duration::from_secs(300);

/// Pause between two looks at a process.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Programs that do not compile of which the log is kept.
const MOST_LOGS: usize = 3;

/// Lines of a log that are kept.
const MOST_LINES: usize = 12;

/// Bytes of a line of a log that are kept.
const MOST_COLUMNS: usize = 300;

/// A directory of test code.
#[derive(Clone, Debug)]
pub struct Written {
    /// Where it is.
    pub directory: PathBuf,
    /// The framework it is written for.
    pub framework: Framework,
    /// The programs that its makefile builds.
    pub programs: Vec<TestProgram>,
    /// Whether the user's flags make errors of warnings: then there are no more warnings than the user asks for.
    pub is_strict: bool,
}

/// A program of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestProgram {
    /// Name of its file.
    pub name: String,
    /// Tests in it.
    pub tests: usize,
    /// Those of them that it does not run.
    pub skipped: usize,
    /// Where the file that it replaces was put, if that had been changed by hand.
    pub aside: Option<PathBuf>,
}

/// What came of building and running.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The framework.
    pub framework: Framework,
    /// Programs that ran, and all their tests passed.
    pub programs: usize,
    /// Tests in these that ran.
    pub tests: usize,
    /// Tests in these that did not run.
    pub skipped: usize,
    /// What failed.
    pub failures: Vec<Failure>,
    /// Warnings about test files.
    pub warnings: Vec<String>,
    /// Why nothing could be verified.
    pub missing: Option<String>,
}

/// A program that does not do what was predicted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The program.
    pub program: String,
    /// What is wrong with it.
    pub what: String,
    /// What the compiler, or the program, said.
    pub log: String,
}

impl Verified {
    fn new(framework: Framework) -> Verified {
        Verified {
            framework,
            programs: 0,
            tests: 0,
            skipped: 0,
            failures: Vec::new(),
            warnings: Vec::new(),
            missing: None,
        }
    }

    /// In one line for people.
    pub fn words(&self) -> String {
        let name = self.framework.name();
        if let Some(missing) = &self.missing {
            return format!("{name}: not verified: {missing}");
        }
        let counted =
            |number: usize, one: &str, more: &str| format!("{number} {}", if number == 1 { one } else { more });
        let skipped = match self.skipped {
            0 => String::new(),
            number => format!(", {number} not run (each says why)"),
        };
        let tests = counted(self.tests, "test passes", "tests pass");
        let programs = counted(self.programs, "program", "programs");
        format!("{name}: {tests} in {programs}, as built from the files written{skipped}")
    }
}

/// Builds and runs test code.
pub fn verify(written: &Written, jobs: usize) -> Verified {
    let mut verified = Verified::new(written.framework);
    if written.programs.is_empty() {
        return verified;
    }
    match Workspace::new() {
        Ok(folder) => verify_in(folder.path(), written, jobs, &mut verified),
        Err(error) => verified.missing = Some(format!("no folder can be made for it: {error}")),
    }
    verified
}

fn verify_in(folder: &Path, written: &Written, jobs: usize, verified: &mut Verified) {
    let built = match build(folder, written, "all", jobs) {
        Ok(built) => built,
        Err(error) => {
            verified.missing = Some(format!("make cannot be run: {error}"));
            return;
        }
    };
    let said = String::from_utf8_lossy(&built.stderr);
    if let Some(missing) = missing(written.framework, &said) {
        verified.missing = Some(missing);
        return;
    }
    verified.warnings.extend(said.lines().filter(|line| is_own_warning(line, written)).map(str::to_owned));
    for program in &written.programs {
        let path = folder.join(&program.name);
        if !path.is_file() {
            let log =
                if verified.failures.len() < MOST_LOGS { log_of(folder, written, program) } else { String::new() };
            let (program, what) = (program.name.clone(), "does not compile".to_owned());
            verified.failures.push(Failure { program, what, log });
            continue;
        }
        match run(&path, &written.directory, &folder.join("log")) {
            Ok((status, _)) if status.success() => {
                verified.programs += 1;
                verified.tests += program.tests - program.skipped;
                verified.skipped += program.skipped;
            }
            Ok((status, log)) => {
                let what = format!("fails ({status})");
                verified.failures.push(Failure { program: program.name.clone(), what, log });
            }
            Err(error) => verified.missing = Some(format!("{} cannot be run here: {error}", program.name)),
        }
    }
}

/// What the compiler says of one program.
fn log_of(folder: &Path, written: &Written, program: &TestProgram) -> String {
    let path = folder.join(&program.name);
    let built = build(folder, written, &path.display().to_string(), 1);
    built.map_or_else(|error| error.to_string(), |built| shortened(&String::from_utf8_lossy(&built.stderr)))
}

/// Builds a target into a folder.
fn build(folder: &Path, written: &Written, target: &str, jobs: usize) -> io::Result<Output> {
    let flags = if written.is_strict { "-g" } else { "-g -Wall -Wextra" };
    let mut make = Command::new("make");
    make.args(["-s", "-k", &format!("-j{}", jobs.max(1)), "-C"]).arg(&written.directory);
    make.arg(format!("BUILD={}/", folder.display()));
    make.args([format!("CFLAGS={flags}"), format!("CXXFLAGS={flags}"), target.to_owned()]);
    // A make around us has nothing to say here.
    make.env_remove("MAKEFLAGS").env_remove("MAKELEVEL").env_remove("MFLAGS").env("LC_ALL", "C");
    make.stdin(Stdio::null()).output()
}

/// What the compiler or the linker did not find of a framework.
fn missing(framework: Framework, said: &str) -> Option<String> {
    let header = said.lines().find_map(|line| {
        let name = line.split("fatal error: ").nth(1)?.strip_suffix(": No such file or directory")?;
        framework.headers().contains(&name).then(|| format!("<{name}> is not installed"))
    });
    header.or_else(|| {
        let is_missing = |library: &&&str| said.contains(&format!("cannot find {library}"));
        framework.libraries().iter().find(is_missing).map(|library| format!("{library} is not installed"))
    })
}

/// Whether a line of the compiler warns of a test file.
fn is_own_warning(line: &str, written: &Written) -> bool {
    let Some((place, _)) = line.split_once(": warning: ") else { return false };
    let file = place.split(':').next().unwrap_or_default();
    let stem = [".c", ".cpp", ".h"].iter().find_map(|end| file.strip_suffix(end));
    // Programs of one suite share a header of the name without their numbers.
    let is_of =
        |name: &str, stem: &str| name.strip_prefix(stem).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    stem.is_some_and(|stem| written.programs.iter().any(|program| is_of(&program.name, stem)))
}

/// Runs a program where its makefile would; gives how it ended and what it said.
fn run(program: &Path, directory: &Path, log: &Path) -> io::Result<(ExitStatus, String)> {
    let out = File::create(log)?;
    let mut command = Command::new(program);
    command.current_dir(directory).stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out).process_group(0);
    let mut child = command.spawn()?;
    let status = wait(&mut child)?;
    let said = fs::read(log).unwrap_or_default();
    Ok((status, shortened(&String::from_utf8_lossy(&said))))
}

fn wait(child: &mut Child) -> io::Result<ExitStatus> {
    let deadline = Instant::now() + LIMIT;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= deadline {
            // Tests may have processes of their own.
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            return child.wait();
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// The first lines of a log, those of errors if there are some.
fn shortened(said: &str) -> String {
    let errors: Vec<&str> = said.lines().filter(|line| line.contains("error: ")).collect();
    let lines = if errors.is_empty() { said.lines().collect() } else { errors };
    let cut = |line: &&str| line.chars().take(MOST_COLUMNS).collect::<String>();
    lines.iter().take(MOST_LINES).map(cut).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::{TestProgram, Written, is_own_warning, missing};
    use crate::Framework;
    use std::path::PathBuf;

    #[test]
    fn frameworks_that_are_not_installed_are_told_from_mistakes() {
        let said = "test_f.c:4:10: fatal error: cmocka.h: No such file or directory\ncompilation terminated.";
        assert_eq!(missing(Framework::Cmocka, said).as_deref(), Some("<cmocka.h> is not installed"));
        assert_eq!(missing(Framework::Unity, said), None);
        let said = "/usr/bin/ld: cannot find -lunity: No such file or directory";
        assert_eq!(missing(Framework::Unity, said).as_deref(), Some("-lunity is not installed"));
    }

    #[test]
    fn warnings_of_the_source_are_not_ours() {
        let programs = vec![TestProgram { name: "test_f".to_owned(), tests: 1, skipped: 0, aside: None }];
        let (directory, framework) = (PathBuf::new(), Framework::Plain);
        let written = Written { directory, framework, programs, is_strict: false };
        assert!(is_own_warning("test_f.c:3:5: warning: unused variable 'x'", &written));
        assert!(!is_own_warning("../f.c:3:5: warning: unused variable 'x'", &written));
        assert!(!is_own_warning("test_f.c:3:5: note: here", &written));
    }
}
