//! `clew mutate --command`: which mutants the tests of a project notice that clew did not write.
//!
//! The project is copied, and in the copy the files that are measured hold all their mutants at once; a variable of the
//! environment selects one, so that the command builds once. First the command must succeed with none selected; meanwhile
//! the places that it comes to are noted. Then it runs once for each mutant of those places: what fails, or takes ten
//! times as long, is killed. The project itself is not touched.

use super::{FunctionReport, Report, finish, options, refuse, say};
use crate::cli::MutateArguments;
use crate::commands::source;
use crate::status::Status;
use crate::terminal::Terminal;
use clew_execute::native::Workspace;
use clew_frontend::{Build, Loaded};
use clew_ir::FunctionId;
use clew_mutation::{Mutants, PLACES, SELECTED};
use clew_session::Kills;
use clew_session::output::MARK;
use clew_session::select::own_functions;
use clew_session::suite::made::Made;
use clew_session::suite::mutants::MutantCases;
use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How often the command is tried on the original, each time without mutants that did not compile.
const MOST_BUILDS: usize = 6;

/// What a mutant may take: so many times as long as the original, and so long besides.
const SLOWER: u32 = 10;
const BESIDES: Duration = Duration::from_secs(5);

/// How often it is looked whether a command has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// A copy of the project.
struct Project<'a> {
    workspace: Workspace,
    command: &'a str,
    /// Where the command is run.
    folder: PathBuf,
}

/// Measures the command.
pub(super) fn measure(arguments: &MutateArguments, command: &str, terminal: Terminal) -> Result<Status, Status> {
    if arguments.file.is_empty() {
        return Err(refuse(terminal, "say which files are changed: `--file FILE.c`"));
    }
    let options = options(arguments, Made::default()).map_err(|reason| refuse(terminal, &reason))?;
    let loaded = source::load_with(&options, terminal)?;
    let functions = functions(arguments, &loaded, terminal)?;
    let project = Project::copy(command).map_err(|reason| refuse(terminal, &reason))?;
    let mut mutants = Mutants::of(&loaded.program, &functions);
    for _ in 0..MOST_BUILDS {
        project.put(&loaded, &mutants).map_err(|reason| refuse(terminal, &reason))?;
        let (is_fine, time) = project.run(0, None).map_err(|reason| refuse(terminal, &reason))?;
        if is_fine {
            return project.report(arguments, &loaded, &functions, (&mutants, time), terminal);
        }
        let said = project.said();
        let fewer = mutants.without_lines(&loaded.program, &clew_session::named_lines(&said));
        if fewer.list.len() == mutants.list.len() {
            terminal.say(&said);
            return Err(refuse(terminal, &format!("`{command}` fails without any change: nothing can be measured")));
        }
        mutants = fewer;
    }
    Err(refuse(terminal, "the mutants do not compile"))
}

/// The functions that are changed: those named, or all of the files.
fn functions(arguments: &MutateArguments, loaded: &Loaded, terminal: Terminal) -> Result<Vec<FunctionId>, Status> {
    match arguments.function.as_slice() {
        [] => Ok(own_functions(&loaded.program, &arguments.file)),
        names => names.iter().map(|name| source::function(&loaded.program, name, terminal)).collect(),
    }
}

impl<'a> Project<'a> {
    /// Copies the present folder.
    fn copy(command: &'a str) -> Result<Project<'a>, String> {
        let workspace = Workspace::new().map_err(|error| error.to_string())?;
        let folder = workspace.path().join("project");
        let copied = Command::new("cp").args(["-a", "."]).arg(&folder).status();
        match copied {
            Ok(status) if status.success() => Ok(Project { workspace, command, folder }),
            _ => Err("the present folder cannot be copied".to_owned()),
        }
    }

    /// Puts mutants into the copy.
    fn put(&self, loaded: &Loaded, mutants: &Mutants) -> Result<(), String> {
        let here = std::env::current_dir().and_then(std::fs::canonicalize).map_err(|error| error.to_string())?;
        let texts = mutants.selected_by_environment(&loaded.program);
        let texts = texts.ok_or_else(|| "conditions are no whole expressions".to_owned())?.texts;
        for (text, build) in texts.iter().zip(&loaded.builds) {
            let Some(path) = build.as_ref().map(Build::path) else { continue };
            let path = std::fs::canonicalize(&path).map_err(|error| error.to_string())?;
            let inside = path.strip_prefix(&here);
            let inside = inside.map_err(|_| format!("{} is not in the present folder", path.display()))?;
            std::fs::write(self.folder.join(inside), text).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Runs the command with a mutant; whether it succeeds, and how long it took.
    fn run(&self, mutant: u32, most: Option<Duration>) -> Result<(bool, Duration), String> {
        let start = Instant::now();
        let file = |name: &str| File::create(self.workspace.path().join(name)).map_err(|error| error.to_string());
        let mut command = Command::new("sh");
        command.args(["-c", self.command]).current_dir(&self.folder).stdin(Stdio::null());
        command.stdout(file("out")?).stderr(file("err")?).env(SELECTED, mutant.to_string());
        if mutant == 0 {
            command.env(PLACES, self.places());
        }
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| format!("cannot run the command: {error}"))?;
        loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                return Ok((status.success(), start.elapsed()));
            }
            if most.is_some_and(|most| start.elapsed() > most) {
                end(&mut child);
                return Ok((false, start.elapsed()));
            }
            std::thread::sleep(PAUSE);
        }
    }

    fn places(&self) -> PathBuf {
        self.workspace.path().join("places")
    }

    /// What the command said last.
    fn said(&self) -> String {
        let read = |name: &str| std::fs::read(self.workspace.path().join(name)).unwrap_or_default();
        ["out", "err"].map(|name| String::from_utf8_lossy(&read(name)).into_owned()).concat()
    }

    /// Measures functions one after the other, and says what survives.
    fn report(
        &self,
        arguments: &MutateArguments,
        loaded: &Loaded,
        functions: &[FunctionId],
        (mutants, time): (&Mutants, Duration),
        terminal: Terminal,
    ) -> Result<Status, Status> {
        let mut report = Report { generator: MARK.to_owned(), functions: Vec::new() };
        for &function in functions {
            let kills = self.kills(function, mutants, time);
            say(loaded, function, (1, 0), &kills, terminal);
            report.functions.push(FunctionReport {
                name: loaded.program.functions[function].name.clone(),
                tests: 1,
                mutants: kills.as_ref().ok().map(|kills| MutantCases::of(&loaded.program, kills)),
                error: kills.err(),
            });
        }
        finish(arguments, &report, terminal)
    }

    /// Which mutants of a function the command kills.
    fn kills(&self, function: FunctionId, mutants: &Mutants, time: Duration) -> Result<Kills, String> {
        let reached = std::fs::read_to_string(self.places()).unwrap_or_default();
        let reached: BTreeSet<u32> = reached.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let mut kills = Kills { left_out: mutants.left_out, is_whole: true, ..Kills::default() };
        for mutant in mutants.list.iter().filter(|mutant| mutant.function == function) {
            let is_reached = reached.contains(&mutant.place);
            let is_killed = is_reached && !self.run(mutant.number, Some(time * SLOWER + BESIDES))?.0;
            kills.mutants.push(mutant.clone());
            kills.reached.push(is_reached);
            kills.by.push(if is_killed { vec![0] } else { Vec::new() });
        }
        Ok(kills)
    }
}

/// Ends a command with all that it started.
fn end(child: &mut Child) {
    let group = format!("-{}", child.id());
    // What has ended meanwhile needs no end.
    let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
    let _ = child.wait();
}
