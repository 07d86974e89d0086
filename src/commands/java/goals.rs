//! `clew reach` and `clew prove` on methods of Java: lines, offsets of bytecode, assertions, exceptions of the JVM.

mod search;

use super::Setting;
use crate::cli::{GoalArguments, ProveArguments, ReachArguments};
use crate::commands::goals::{self, Pursued, Words};
use crate::status::Status;
use crate::terminal::Terminal;
use clew_execute::Input;
use clew_frontend_jvm::{Failure, Lowered, MethodCode, MethodName, all_methods, methods_on, source_name};
use clew_ir::contract::{CompareOp, Place, PlaceKind, Predicate, Sort, Term, TermKind};
use clew_ir::{CType, GlobalId, Program, Span};
use clew_jvm::describe::describe;
use clew_jvm::junit::framework::Framework;
use clew_jvm::replay::{Log, Observed};
use clew_jvm::{Heap, Replay, junit};
use clew_prove::{Goal, Point, Site, Verdict, Wanted};
use clew_session::goals::{Asked, run};
use clew_session::{Natives, Request, output, suite};
use clew_symbolic::Precondition;
use clew_symbolic::config::{Config, Errors, Globals, Stubbing};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

const REACH: Words = Words { reached: "covered", infeasible: "infeasible", is_violation: false };
const PROVE: Words = Words { reached: "violated", infeasible: "proved", is_violation: true };

/// A goal of `clew reach`.
enum Aim {
    /// A line of a source.
    Line(PathBuf, u32),
    /// An instruction of a method by its offset, and how that was said.
    Offset(MethodName, u32, String),
}

/// Splits files of `clew reach` into those of Java and goals; nothing if they are not of Java.
pub(in crate::commands) fn is_reach(arguments: &ReachArguments) -> bool {
    let files = &arguments.target.source.files;
    let is_line = |file: &Path| split(&file.to_string_lossy(), ':').is_some_and(|(name, _)| name.ends_with(".java"));
    !arguments.java.method.is_empty()
        || !files.is_empty()
            && files.iter().all(|file| super::is_java(file) || is_line(file) || is_offset(file).is_some())
}

/// Whether files of `clew prove` are of Java.
pub(in crate::commands) fn is_prove(arguments: &ProveArguments) -> bool {
    let files = &arguments.source.files;
    !arguments.java.method.is_empty() || !files.is_empty() && files.iter().all(|file| super::is_java(file))
}

fn split(text: &str, mark: char) -> Option<(&str, u32)> {
    let (name, number) = text.rsplit_once(mark)?;
    Some((name, number.parse().ok()?))
}

/// `Class.method@OFFSET`
fn is_offset(file: &Path) -> Option<(String, u32)> {
    let text = file.to_string_lossy();
    split(&text, '@').filter(|_| !file.exists()).map(|(method, offset)| (method.to_owned(), offset))
}

/// `clew reach`
pub(in crate::commands) fn reach(arguments: &ReachArguments, terminal: Terminal) -> Result<Status, Status> {
    let refuse = |message: String| {
        terminal.error(&message);
        Status::BadInput
    };
    let (mut files, mut aims) = (Vec::new(), Vec::new());
    for file in &arguments.target.source.files {
        if let Some((name, line)) = split(&file.to_string_lossy(), ':') {
            aims.push((file, Aim::Line(PathBuf::from(name), line)));
            if !files.contains(&PathBuf::from(name)) {
                files.push(PathBuf::from(name));
            }
        } else if is_offset(file).is_none() {
            files.push(file.clone());
        }
    }
    let setting = Setting::open(&files, &arguments.java).map_err(refuse)?;
    for file in &arguments.target.source.files {
        let Some((method, offset)) = is_offset(file) else { continue };
        let named = setting.named(std::slice::from_ref(&method)).map_err(refuse)?;
        let text = file.to_string_lossy().into_owned();
        aims.extend(named.into_iter().map(|method| (file, Aim::Offset(method, offset, text.clone()))));
    }
    if aims.is_empty() {
        return Err(refuse(
            "there is no goal: name a line as FILE.java:LINE, or an instruction as CLASS.METHOD@OFFSET".to_owned(),
        ));
    }
    let entry = setting.named(&arguments.java.method).map_err(refuse)?.into_iter().next();
    let mut all = Vec::new();
    for (_, aim) in &aims {
        let holders = match aim {
            Aim::Line(file, line) => methods_on(&setting.path, setting.entries, file, *line),
            Aim::Offset(method, ..) => vec![method.clone()],
        };
        let Some(first) = holders.first() else {
            let Aim::Line(file, line) = aim else { continue };
            return Err(refuse(format!("there is no code on line {line} of {}", file.display())));
        };
        let lowered = setting.lower(entry.as_ref().unwrap_or(first)).map_err(|error| refuse(error.to_string()))?;
        let lowered = Arc::new(lowered);
        let asked = asked(&lowered, aim, &holders).map_err(refuse)?;
        all.push(pursue(&setting, lowered, vec![asked], &arguments.how, terminal)?);
    }
    finish(&all, REACH, &arguments.how, terminal)
}

/// What an aim asks of a program.
fn asked(lowered: &Lowered, aim: &Aim, holders: &[MethodName]) -> Result<Asked, String> {
    let is_holder = |code: &&MethodCode| {
        holders
            .iter()
            .any(|(class, method)| code.class == *class && *method == format!("{}{}", code.name, code.descriptor))
    };
    let mut points = Vec::new();
    for code in lowered.methods.iter().filter(is_holder) {
        let offsets: Vec<u32> = match aim {
            Aim::Line(_, line) => {
                code.code.lines.iter().filter(|(_, other)| other == line).map(|(at, _)| *at).collect()
            }
            Aim::Offset(_, offset, _) => vec![*offset],
        };
        points.extend(offsets.into_iter().filter_map(|at| point(code, at)));
    }
    let id = match aim {
        Aim::Line(_, line) => format!("line {line}"),
        Aim::Offset(.., text) => text.clone(),
    };
    let program = &lowered.program;
    let Some(span) = points.first().map(|point| span_at(program, *point)) else {
        return Err(format!("{id}: the method does not come to an instruction there that is supported"));
    };
    let goal = Goal { site: Site::Points(points), wanted: Wanted::Arrival };
    Ok(Asked { id, span, text: suite::source(program, span), goal: Ok(goal) })
}

fn point(code: &MethodCode, offset: u32) -> Option<Point> {
    let (block, position) = *code.code.places.get(&offset)?;
    Some(Point { function: code.function, block, position })
}

fn span_at(program: &Program, point: Point) -> Span {
    let block = &program.functions[point.function].blocks[point.block];
    block.insts.get(point.position).map_or(block.terminator.span, |inst| inst.span)
}

/// `clew prove`
pub(in crate::commands) fn prove(arguments: &ProveArguments, terminal: Terminal) -> Result<Status, Status> {
    let refuse = |message: String| {
        terminal.error(&message);
        Status::BadInput
    };
    let mut setting = Setting::open(&arguments.source.files, &arguments.java).map_err(refuse)?;
    setting.options.failures = arguments.checks;
    if let Some(text) = arguments.ensures.first() {
        return Err(refuse(format!("`--ensures {text}`: postconditions of methods of Java are written as `assert`")));
    }
    let mut methods = setting.named(&arguments.java.method).map_err(refuse)?;
    methods.extend(setting.named(&arguments.function).map_err(refuse)?);
    if methods.is_empty() {
        let (all, broken) = all_methods(&setting.path, setting.entries);
        broken.iter().for_each(|error| terminal.error(error));
        methods = all;
    }
    let mut all = Vec::new();
    for method in &methods {
        let lowered = Arc::new(setting.lower(method).map_err(|error| refuse(error.to_string()))?);
        let asked = properties(&lowered);
        if !asked.is_empty() {
            all.push(pursue(&setting, lowered, asked, &arguments.how, terminal)?);
        }
    }
    if all.is_empty() && arguments.checks {
        terminal.say("no exception of the JVM can arise, and there is no assertion");
        return Ok(Status::Fine);
    }
    if all.is_empty() {
        return Err(refuse(
            "there is nothing to prove: no `assert`; `--checks` looks at exceptions of the JVM".to_owned(),
        ));
    }
    finish(&all, PROVE, &arguments.how, terminal)
}

/// What is to be proved of a method.
fn properties(lowered: &Lowered) -> Vec<Asked> {
    let program = &lowered.program;
    let mut asked = Vec::new();
    for code in &lowered.methods {
        for point in code.code.assertions.iter().filter_map(|at| point(code, *at)) {
            let span = span_at(program, point);
            let goal = Goal { site: Site::Points(vec![point]), wanted: Wanted::Arrival };
            asked.push(Asked { id: "assert".to_owned(), span, text: suite::source(program, span), goal: Ok(goal) });
        }
    }
    let Some(last) = lowered.last_failure else { return asked };
    for (failure, number) in lowered.failures.iter().zip(1..) {
        let function = lowered.methods.iter().find(|code| code.function == failure.function);
        let point = function.and_then(|code| point(code, failure.offset));
        let span = point.map_or(Span::NONE, |point| span_at(program, point));
        let wanted = Wanted::Fails { assumes: Vec::new(), predicate: escapes_not(program, last, number, failure) };
        let goal = Goal { site: Site::Return, wanted };
        let id = source_name(&failure.exception);
        asked.push(Asked { id, span, text: suite::source(program, span), goal: Ok(goal) });
    }
    asked
}

/// That the method does not end with the exception of a place: another class, or another place where it arose.
fn escapes_not(program: &Program, last: GlobalId, number: i128, failure: &Failure) -> Predicate {
    let int = program.globals[last].ty;
    debug_assert!(matches!(program.ctypes.get(int), CType::Int { .. }), "it is a number");
    let value = |kind: PlaceKind| {
        let value = Term { kind: TermKind::Value(Place { kind, ty: int }), sort: Sort::C(int) };
        Term { kind: TermKind::Convert(Box::new(value)), sort: Sort::Integer }
    };
    let differs =
        |kind: PlaceKind, from: i128| Predicate::Compare { op: CompareOp::Ne, a: value(kind), b: Term::integer(from) };
    Predicate::Or(vec![differs(PlaceKind::Result, i128::from(failure.class)), differs(PlaceKind::Global(last), number)])
}

/// Goals of one method, with what came of them.
struct Answers {
    lowered: Arc<Lowered>,
    pursued: Pursued,
    log: Log,
}

impl Answers {
    /// An input in the words of Java.
    fn describe(&self, input: &Input) -> String {
        Heap::of(&self.lowered, input).map_or_else(|why| why, |heap| describe(&self.lowered, &heap))
    }
}

/// Pursues goals of one method.
fn pursue(
    setting: &Setting,
    lowered: Arc<Lowered>,
    asked: Vec<Asked>,
    how: &GoalArguments,
    terminal: Terminal,
) -> Result<Answers, Status> {
    let (log, entry) = (Log::default(), lowered.entry);
    let subject = Subject { setting, lowered: &lowered, log: &log };
    let answers = subject.with(config(&lowered, how), |request| run(request, asked));
    let mut answers = answers.map_err(|error| {
        terminal.error(&error.to_string());
        Status::BadInput
    })?;
    search::complete(&subject, config(&lowered, how), &mut answers);
    Ok(Answers { lowered, pursued: Pursued { function: entry, answers, meant: Vec::new() }, log })
}

/// A method with what executes it.
struct Subject<'a> {
    setting: &'a Setting,
    lowered: &'a Arc<Lowered>,
    log: &'a Log,
}

impl Subject<'_> {
    /// Asks something of the method.
    fn with<T>(&self, mut config: Config, ask: impl FnOnce(&Request<'_, '_>) -> T) -> T {
        let (program, function) = (&self.lowered.program, self.lowered.entry);
        let replay = Replay::new(Arc::clone(self.lowered), Arc::clone(&self.setting.machine), Log::clone(self.log));
        let natives = Natives::new(program, &[], &[function], &config, false).instead(Box::new(replay));
        config.stubbing.found = Some(natives.stubs());
        ask(&Request { program, natives: &natives, function, precondition: Precondition::default(), config })
    }
}

fn config(lowered: &Lowered, how: &GoalArguments) -> Config {
    Config {
        scope: vec![lowered.method],
        // What Java guarantees of its objects are checks of the program.
        globals: Globals::Initial,
        references: true,
        stubbing: Stubbing::default(),
        ..goals::config(&lowered.program, lowered.entry, Errors::AssumeAbsent, how)
    }
}

/// Says what came of all goals, writes tests, and gives the status.
fn finish(all: &[Answers], words: Words, how: &GoalArguments, terminal: Terminal) -> Result<Status, Status> {
    for one in all {
        goals::tell(&one.lowered.program, &one.pursued, words, &|input| one.describe(input), terminal);
        write(one, &how.out, terminal)?;
    }
    goals::summarise(all.iter().map(|one| (&one.lowered.program, &one.pursued)), words, how, terminal);
    Ok(goals::status(all.iter().map(|one| &one.pursued), words, how))
}

/// Writes the inputs that were found as tests.
fn write(one: &Answers, out: &Path, terminal: Terminal) -> Result<(), Status> {
    let reached = one.pursued.answers.iter().filter_map(|answer| match &answer.verdict {
        Verdict::Reached(explored) => Some(&explored.input),
        _ => None,
    });
    let log = one.log.lock().unwrap_or_else(PoisonError::into_inner);
    let mut tests: Vec<&Observed> = Vec::new();
    for input in reached {
        let seen = log.iter().find(|(known, _)| known == input).map(|(_, seen)| seen);
        tests.extend(seen.filter(|seen| seen.heap.is_spelled() && !tests.contains(seen)));
    }
    if tests.is_empty() {
        return Ok(());
    }
    let file = junit::write(&one.lowered, &tests, Framework::default());
    let path = out.join(&file.path);
    let failed = |message: String| {
        terminal.error(&message);
        Status::BadInput
    };
    if let Some(folder) = path.parent() {
        let made = std::fs::create_dir_all(folder);
        made.map_err(|error| failed(format!("cannot make {}: {error}", folder.display())))?;
    }
    output::write(&path, file.text).map_err(|error| failed(error.to_string()))?;
    terminal.say(&format!("test in {}", path.display()));
    Ok(())
}
