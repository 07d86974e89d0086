//! `clew worker`: takes functions of projects from a queue and tests them.

use crate::cli::WorkerArguments;
use crate::status::Status;
use crate::terminal::Terminal;
use clew_cluster::tool;
use clew_execute::native::Workspace;
use clew_session::project::remote::serve::{self, Serve};
use clew_session::project::remote::{self, Exchange};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Ways to start a program without a network, the first that works: as root, and as anybody where the system lets them.
const WITHOUT_NETWORK: [&[&str]; 2] = [&["unshare", "--net"], &["unshare", "--user", "--map-current-user", "--net"]];

/// How long a worker tries to reach the queue at first, and the time between two attempts.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_secs(1);

pub(super) fn run(arguments: &WorkerArguments, terminal: Terminal) -> Result<Status, Status> {
    let refuse = |message: String| {
        terminal.error(&message);
        Status::BadInput
    };
    let tool = tool::identity().map_err(|error| refuse(format!("the program of this process: {error}")))?;
    let workspace = Workspace::new().map_err(|error| refuse(format!("cannot create a directory: {error}")))?;
    let scratch = arguments.scratch.clone().unwrap_or_else(|| workspace.path().to_owned());
    std::fs::create_dir_all(&scratch)
        .map_err(|error| refuse(format!("cannot create {}: {error}", scratch.display())))?;
    let program = program(arguments, terminal).map_err(|error| refuse(error.to_string()))?;
    let exchange = wait_for(arguments, &tool, terminal).map_err(refuse)?;
    let slots = arguments.jobs.or_else(|| std::thread::available_parallelism().ok().map(usize::from));
    let name = name();
    terminal.say(&format!("worker {name} of clew {tool} waits for work"));
    let serve = Serve {
        exchange: &*exchange,
        name: &name,
        tool: &tool,
        program: (&program.0, &program.1),
        scratch: &scratch,
        slots: slots.unwrap_or(1).max(1),
        idle: arguments.idle.filter(|seconds| *seconds >= 0.0).map(|seconds| Duration::from_secs_f64(seconds.min(1e9))),
    };
    serve::run(&serve).map(|()| Status::Fine).map_err(|fault| refuse(fault.to_string()))
}

/// The queue, which may be started after its workers, or again.
fn wait_for(arguments: &WorkerArguments, tool: &str, terminal: Terminal) -> Result<Box<dyn Exchange>, String> {
    let (begin, mut is_told) = (Instant::now(), false);
    loop {
        let error = match connect(&arguments.queue, tool, Duration::from_secs(arguments.lease), terminal) {
            Err(error) if cfg!(feature = "queue") && begin.elapsed() < PATIENCE => error,
            result => return result,
        };
        if !std::mem::replace(&mut is_told, true) {
            terminal.say(&format!("note: {error}; it is tried again for a minute"));
        }
        std::thread::sleep(PAUSE);
    }
}

/// The queue of an address.
#[cfg(feature = "queue")]
pub(super) fn connect(url: &str, tool: &str, lease: Duration, terminal: Terminal) -> Result<Box<dyn Exchange>, String> {
    let say =
        move |text: &str| terminal.say(&format!("{} {text}", terminal.paint(crate::terminal::Paint::Yellow, "note:")));
    let queue = clew_cluster::queue::Queue::connect(url, tool, lease, Box::new(say))?;
    Ok(Box::new(queue))
}

/// Without the feature there is none.
#[cfg(not(feature = "queue"))]
pub(super) fn connect(_: &str, _: &str, _: Duration, _: Terminal) -> Result<Box<dyn Exchange>, String> {
    Err("this clew was built without queues; install it with `cargo install --features queue`".to_owned())
}

/// What the worker is called: the machine, the process, and what tells it from those of other containers.
fn name() -> String {
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    format!("{}-{}-{}", machine.trim(), std::process::id(), &remote::unique()[..4])
}

/// The program that tests functions, and what comes before its arguments.
fn program(arguments: &WorkerArguments, terminal: Terminal) -> std::io::Result<(PathBuf, Vec<OsString>)> {
    let own = std::env::current_exe()?;
    if arguments.native_network {
        return Ok((own, Vec::new()));
    }
    let works = |words: &&[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg("true").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let Some(words) = WITHOUT_NETWORK.into_iter().find(works) else {
        terminal.say("note: no network namespace can be made here: test code as it is written runs with a network");
        return Ok((own, Vec::new()));
    };
    let before = words[1..].iter().map(OsString::from).chain([own.into_os_string()]);
    Ok((words[0].into(), before.collect()))
}
