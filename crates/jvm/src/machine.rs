//! A JVM that runs tests, one after the other.
//!
//! The runner is a Java source that comes with clew; it is compiled once and kept. A JVM is started for a class path and
//! used for all tests; where a test ends it, or does not end, another one is started.
//!
//! The protocol is lines of words. `C` forgets the methods that were instrumented. `M class name descriptor` numbers a method to be instrumented. A test is: `O number class` (an
//! object), `A number descriptor length` (an array), `S number hex` (a string), `I number interface`, `F number class
//! field value`, `E number index value`, `P value` (an argument), `K method value` (what the next call of a method
//! of an implementation returns), and last `GO class method descriptor milliseconds`.
//! The answer is `R value` or `T class` (what was thrown), `F` and `E` as they are afterwards, `B` with three numbers for
//! each branch (method, branch, outcome), or `X reason`, or `L` (out of time; `LX` if the JVM ends with it), and `END`.

use sha2::{Digest, Sha256};
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The runner.
const RUNNER: &str = include_str!("Runner.java");

/// Packages of the JDK that the runner uses to instrument code and to read and write objects.
const EXPORTS: [&str; 4] = [
    "--add-exports",
    "java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED",
    "--add-exports",
    "java.base/jdk.internal.misc=ALL-UNNAMED",
];

/// What the runner says when it can be used.
const READY: &str = "READY";

/// A Java installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Java {
    /// Its folder.
    pub home: PathBuf,
}

/// Why there is no JVM.
#[derive(Debug)]
pub enum JavaError {
    /// None was found.
    Missing,
    /// It cannot be started, or the runner cannot be compiled.
    Failed(String),
}

impl fmt::Display for JavaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JavaError::Missing => f.write_str(
                "no Java found: name one with --java, set JAVA_HOME, or install one (Debian: openjdk-17-jdk-headless)",
            ),
            JavaError::Failed(reason) => write!(f, "Java cannot be used: {reason}"),
        }
    }
}

impl std::error::Error for JavaError {}

impl Java {
    /// Finds an installation: the one given, that of `JAVA_HOME`, or that of `java` on the path.
    ///
    /// # Errors
    /// If there is none.
    pub fn find(given: Option<&Path>) -> Result<Java, JavaError> {
        let is_home = |home: &PathBuf| home.join("lib/modules").is_file();
        if let Some(given) = given {
            let above = |path: &Path| path.canonicalize().ok()?.ancestors().nth(2).map(Path::to_owned);
            let candidates = [Some(given.to_owned()), above(given)];
            let home = candidates.into_iter().flatten().find(is_home).ok_or(JavaError::Missing)?;
            return Ok(Java { home });
        }
        let variable = std::env::var_os("JAVA_HOME").map(PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let commands = std::env::split_paths(&path).map(|folder| folder.join("java"));
        let homes = commands.filter_map(|java| java.canonicalize().ok()?.ancestors().nth(2).map(Path::to_owned));
        let home = variable.into_iter().chain(homes).find(is_home).ok_or(JavaError::Missing)?;
        Ok(Java { home })
    }

    /// The folder of the compiled runner.
    fn runner(&self) -> Result<PathBuf, JavaError> {
        let failed = |error: std::io::Error| JavaError::Failed(error.to_string());
        let digest =
            Sha256::new().chain_update(RUNNER).chain_update(self.home.as_os_str().as_encoded_bytes()).finalize();
        let name: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        let kept = std::env::temp_dir().join(format!("clew-runner-{name}"));
        if kept.join("Runner.class").is_file() {
            return Ok(kept);
        }
        let new = std::env::temp_dir().join(format!("clew-runner-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&new).map_err(failed)?;
        let source = new.join("Runner.java");
        std::fs::write(&source, RUNNER).map_err(failed)?;
        let mut javac = Command::new(self.home.join("bin/javac"));
        let javac = javac.arg("-nowarn").args(EXPORTS).arg("-d").arg(&new).arg(&source);
        let output = javac.output().map_err(|error| JavaError::Failed(format!("no javac: {error}")))?;
        if !output.status.success() {
            return Err(JavaError::Failed(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        // Somebody else may have been faster.
        if std::fs::rename(&new, &kept).is_err() {
            let _ = std::fs::remove_dir_all(&new);
        }
        Ok(kept)
    }
}

/// A running JVM.
#[derive(Debug)]
pub struct Machine {
    java: Java,
    classes: Vec<PathBuf>,
    /// Lines that every new JVM is told.
    greeting: String,
    process: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Machine {
    /// A JVM for a class path. It is started by the first test.
    pub fn new(java: Java, classes: Vec<PathBuf>) -> Machine {
        Machine { java, classes, greeting: String::new(), process: None }
    }

    /// Tells which methods are to be instrumented from now on: lines of the protocol.
    pub fn instrument(&mut self, methods: &str) {
        self.greeting = format!("C\n{methods}");
        // A JVM that cannot be told is replaced by one that is.
        let told = self.process.as_mut().map(|process| process.input.write_all(self.greeting.as_bytes()));
        if told.is_some_and(|told| told.is_err()) {
            self.process = None;
        }
    }

    fn start(&self) -> Result<Process, JavaError> {
        let runner = self.java.runner()?;
        let path = std::env::join_paths(std::iter::once(&runner).chain(&self.classes));
        let path = path.map_err(|error| JavaError::Failed(error.to_string()))?;
        let mut command = Command::new(self.java.home.join("bin/java"));
        // Instrumented code has no stack maps.
        command.args([
            "-ea",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xmx512m",
        ]);
        command
            .args(EXPORTS)
            .args(["--add-opens", "java.base/java.lang=ALL-UNNAMED", "-Xshare:auto", "-cp"])
            .arg(path)
            .arg("Runner");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| JavaError::Failed(error.to_string()))?;
        let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(JavaError::Failed("its streams are missing".to_owned()));
        };
        input.write_all(self.greeting.as_bytes()).map_err(|error| JavaError::Failed(error.to_string()))?;
        let mut output = BufReader::new(output);
        let mut ready = String::new();
        if output.read_line(&mut ready).is_err() || ready.trim_end() != READY {
            let mut said = String::new();
            let _ = child.stderr.take().map(|mut stream| stream.read_to_string(&mut said));
            let _ = child.wait();
            return Err(JavaError::Failed(said.trim_end().replace('\n', "; ")));
        }
        Ok(Process { child, input, output })
    }

    /// Sends a test; gives the lines of the answer, or the exit status where the JVM ended.
    ///
    /// # Errors
    /// If no JVM can be started.
    pub fn ask(&mut self, request: &str) -> Result<Result<Vec<String>, i32>, JavaError> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        let answer = exchange(&mut process, request);
        let ends = answer.as_ref().is_some_and(|lines| lines.iter().any(|line| line == "LX"));
        match answer {
            Some(lines) => {
                if !ends {
                    self.process = Some(process);
                } else {
                    let _ = process.child.wait();
                }
                Ok(Ok(lines))
            }
            None => {
                let status = process.child.wait().ok().and_then(|status| status.code());
                Ok(Err(status.unwrap_or(-1)))
            }
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.child.kill();
            let _ = process.child.wait();
        }
    }
}

/// The lines of an answer; `None` if the JVM ended before.
fn exchange(process: &mut Process, request: &str) -> Option<Vec<String>> {
    process.input.write_all(request.as_bytes()).ok()?;
    process.input.flush().ok()?;
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if process.output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "END" => return Some(lines),
            other => lines.push(other.to_owned()),
        }
    }
}
