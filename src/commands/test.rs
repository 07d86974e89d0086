//! `clew test`: the request that the arguments stand for, what is said meanwhile, and what is written at the end.

mod code;
mod java;
mod profile;
mod project;
mod queued;
mod random;
mod report;
mod verify;
mod write;

use super::source;
use crate::cli::TestArguments;
use crate::status::Status;
use crate::terminal::Terminal;
use clew_coverage::Verdict;
use clew_emit::directory::Binary;
use clew_emit::joined;
use clew_frontend::Loaded;
use clew_ir::{FunctionId, Program, Sources};
use clew_session::event::Event;
use clew_session::given;
use clew_session::request::TestRequest;
use clew_session::settings::Settings;
use clew_session::suite::made::{Floats, Made};
use clew_session::suite::{FunctionSuite, Suite};
use clew_session::test::{self, Bench, Refused};
use clew_session::{computes_with_floats, project::worker};
use profile::Profile;
pub(super) use project::{WrittenProject, conclude};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

pub(super) fn run(arguments: &TestArguments, terminal: Terminal) -> Result<Status, Status> {
    let settings = Settings::read(arguments.project.config.as_deref());
    let settings = settings.map_err(|diagnostic| terminal.refuse(&diagnostic, &Sources::default()))?;
    let mut request = arguments.request(settings);
    if arguments.project.worker {
        return work(&request, arguments, terminal);
    }
    if java::is_asked(arguments) {
        return java::run(&request, arguments, terminal);
    }
    if arguments.output.frameworks().is_empty() {
        terminal.error("the test frameworks of `--emit` are for methods of Java, and the files are not of Java");
        return Err(Status::BadInput);
    }
    let layout = arguments.layout();
    if let Some(framework) = layout.frameworks.iter().find(|framework| !joined::can_be_joined(**framework))
        && layout.binary == Binary::Project
    {
        let name = framework.name();
        terminal.error(&format!("tests for {name} find their `main` in a library: `--binary project` is not for them"));
        return Err(Status::BadInput);
    }
    if arguments.is_project() {
        return project::run(&mut request, arguments, terminal);
    }
    test_functions(&request, arguments, terminal)
}

/// Tests functions for another process.
fn work(request: &TestRequest, arguments: &TestArguments, terminal: Terminal) -> Result<Status, Status> {
    let refuse = |message: String| {
        terminal.error(&message);
        Status::BadInput
    };
    let shard = project::shard(arguments).map_err(refuse)?;
    let shelf = project::shelf(arguments).map_err(refuse)?;
    let layout = arguments.layout();
    let write = |loaded: &Loaded, suite: &Suite, tested: &test::Tested<'_>, out: &Path| {
        if layout.binary != Binary::Function {
            let written = write::all_but_code(loaded, suite, tested, (&arguments.output, &layout), out);
            return written.map(|()| None).map_err(|error| error.to_string());
        }
        let written = write::all(loaded, suite, std::slice::from_ref(tested), (&arguments.output, &layout), out);
        let files = written.map_err(|error| error.to_string())?;
        Ok(verify::of_worker(&files.code, &arguments.output))
    };
    let code = |loaded: &Loaded, functions: &[String], out: &Path| {
        code::write(loaded, functions, (&arguments.output, &layout), out).map_err(|error| error.to_string())
    };
    let changed_since = arguments.project.changed_since.as_deref();
    let (shard, shelf) = (shard.as_ref(), shelf.as_ref());
    let done = worker::run(&worker::Worker { request, changed_since, shard, shelf, write: &write, code: &code });
    done.map(|()| Status::Fine).ok_or(Status::Internal)
}

/// Tests functions of one program, one after the other.
fn test_functions(request: &TestRequest, arguments: &TestArguments, terminal: Terminal) -> Result<Status, Status> {
    let (output, out) = (&arguments.output, arguments.output.out.as_path());
    let mut profile = Profile::start();
    let mut loaded = source::load_with(&request.sources, terminal)?;
    profile.end_phase("read");
    let mut functions = test::chosen(&loaded.program, request)
        .map_err(|diagnostic| terminal.refuse(&diagnostic, &loaded.program.sources))?;
    let earlier = given::read(out).ok();
    // What was there keeps its place.
    let place = |name: &str| earlier.as_ref()?.functions.iter().position(|function| function.name == name);
    functions.sort_by_key(|id| place(&loaded.program.functions[*id].name).unwrap_or(usize::MAX));
    write::prepare(&loaded.program, &functions, (output, &arguments.layout()), terminal)?;
    let mut preconditions = Vec::new();
    for &function in &functions {
        let precondition = test::precondition(&mut loaded, function, request);
        preconditions.push(precondition.map_err(|diagnostic| terminal.refuse(&diagnostic, &loaded.program.sources))?);
    }
    let drawn = random::draw(&mut loaded, &functions, &preconditions, request, arguments, terminal)?;
    let natives = test::natives(&loaded, &functions, request)
        .side_by_side(request.execution.jobs)
        .also_optimised(request.execution.optimised);
    let mut suite = Suite::new(Vec::new());
    if !request.wanted.functions.is_empty() {
        suite.functions = kept(out, &loaded.program, &functions);
    }
    let mut made = Made::of(&loaded, command());
    if functions.iter().any(|id| computes_with_floats(&loaded.program, *id)) {
        made.floats = Floats::of(&loaded);
        report::arithmetic(made.floats.as_ref(), terminal);
    }
    suite.made = Some(made);
    let bench = Bench { program: &loaded.program, natives: &natives, request, earlier: earlier.as_ref(), parts: None };
    let refused = |refused: Refused| match refused {
        Refused::Request(diagnostic) => terminal.refuse(&diagnostic, &loaded.program.sources),
        Refused::Write(error) => write::refused(&error, terminal),
    };
    profile.end_phase("prepare");
    let mut tested = Vec::new();
    for (index, (function, precondition)) in functions.into_iter().zip(preconditions).enumerate() {
        let mut progress = Progress::new(&loaded.program.functions[function].name, terminal);
        let inputs = drawn.get(index).map(|drawn| drawn.inputs.as_slice());
        let one =
            bench.test_drawn((function, inputs), precondition, out, &mut suite, &mut |event| progress.hear(event));
        terminal.progress("");
        let one = one.map_err(refused)?;
        profile.end_phase(&loaded.program.functions[function].name);
        one.result.iter().for_each(|outcome| profile.parts(outcome));
        report::function(&loaded.program, &one, request, terminal);
        random::report(&one, drawn.get(index), terminal);
        if one.took_long() {
            write::suite(&suite, out, terminal)?;
        }
        tested.push(one);
    }
    suite.functions.sort_by_key(|function| place(&function.name).unwrap_or(usize::MAX));
    let files = write::all(&loaded, &suite, &tested, (output, &arguments.layout()), out);
    let files = files.map_err(|error| write::refused(&error, terminal))?;
    files.notes.iter().for_each(|note| terminal.say(note));
    profile.end_phase("write");
    let is_green = verify::run(&files.code, output, request.execution.jobs, terminal);
    let is_joined = code::join(&[".".to_owned()], (output, &arguments.layout()), out, terminal);
    let is_green = is_green & is_joined.map_err(|error| write::refused(&error, terminal))?;
    profile.end_phase("verify");
    let status = report::summary(&loaded.program, &tested, output, terminal);
    let status = if is_green || status == Status::BadInput { status } else { Status::Findings };
    let status = status.assuming(report::is_assuming(&tested, output));
    if output.profile {
        profile.print(terminal);
    }
    // The process ends here: giving back thousands of tests piece by piece would only take time.
    std::mem::forget((suite, tested));
    Ok(status)
}

/// What a directory has of functions of the same file that are not tested now.
fn kept(out: &Path, program: &Program, tested: &[FunctionId]) -> Vec<FunctionSuite> {
    let is_kept = |suite: &FunctionSuite| {
        let function = program.function(&suite.name).filter(|id| !tested.contains(id));
        let place = function.and_then(|id| program.sources.locate(program.functions[id].span));
        place.is_some_and(|place| place.file == suite.file)
    };
    let mut functions = given::read(out).map(|suite| suite.functions).unwrap_or_default();
    functions.retain(is_kept);
    functions
}

/// The line that a person watches while a function is tested.
struct Progress<'a> {
    function: &'a str,
    terminal: Terminal,
    start: Instant,
    tests: usize,
    /// Objectives that are decided so far.
    decided: BTreeSet<clew_coverage::ObjectiveId>,
}

impl<'a> Progress<'a> {
    fn new(function: &'a str, terminal: Terminal) -> Progress<'a> {
        Progress { function, terminal, start: Instant::now(), tests: 0, decided: BTreeSet::new() }
    }

    fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::Tests { all, .. } => self.tests = all.len(),
            Event::Objective { verdict: Verdict::Open | Verdict::Unknown(_), .. } => return,
            Event::Objective { id, .. } => {
                self.decided.insert(*id);
                return;
            }
            Event::Pulse { .. } => {}
            Event::Finding(_) | Event::Limit(_) => return,
        }
        let decided = match self.decided.len() {
            0 => String::new(),
            number => format!(", {number} objectives decided"),
        };
        let (name, tests, seconds) = (self.function, self.tests, self.start.elapsed().as_secs());
        self.terminal.progress(&format!("{name}: {tests} tests{decided}, {seconds} s"));
    }
}

/// The command line without the program, the place of the output and `--profile`, on which no result depends.
fn command() -> Vec<String> {
    let mut words = Vec::new();
    let mut all = std::env::args().skip(1);
    while let Some(word) = all.next() {
        match word.as_str() {
            "-o" | "--out" => drop(all.next()),
            "--profile" => {}
            word if word.starts_with("--out=") => {}
            _ => words.push(word),
        }
    }
    words
}
