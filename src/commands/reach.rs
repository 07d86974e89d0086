//! `clew reach`: an executed input that brings control to a line, or the proof that there is none.

use super::goals::{self, Words};
use super::{java, source};
use crate::cli::{GoalArguments, ReachArguments, SourceArguments, TargetArguments};
use crate::status::Status;
use crate::terminal::Terminal;
use clew_frontend::{Loaded, contract};
use clew_ir::contract::Predicate;
use clew_ir::{FunctionId, Span};
use clew_prove::{Goal, Point, Site, Wanted};
use clew_session::goals::Asked;
use clew_session::goals::collect::{loop_named, points_on};
use clew_session::goals::together::{outcomes, together, whole_path};
use clew_session::suite;
use clew_symbolic::config::Errors;
use std::path::PathBuf;

const WORDS: Words = Words { reached: "covered", infeasible: "infeasible", is_violation: false };

pub(super) fn run(arguments: &ReachArguments, terminal: Terminal) -> Result<Status, Status> {
    if java::goals::is_reach(arguments) {
        if arguments.target.all || arguments.target.path.is_some() {
            terminal.error("`--all` and `--path` are for functions of C, not for methods");
            return Err(Status::BadInput);
        }
        return java::goals::reach(arguments, terminal);
    }
    let Target { mut loaded, asked } = target(&arguments.target, &arguments.how, terminal)?;
    let mut functions: Vec<FunctionId> = asked.iter().map(|(function, _)| *function).collect();
    functions.dedup();
    let mut pursued = Vec::new();
    for function in functions {
        let own = asked.iter().filter(|(entry, _)| *entry == function).map(|(_, asked)| asked.clone()).collect();
        pursued.push(goals::pursue(&mut loaded, function, own, Errors::AssumeAbsent, &arguments.how, terminal)?);
    }
    goals::finish(&loaded, &pursued, WORDS, &arguments.how, terminal)
}

/// A program, and what is asked of which of its functions.
pub(super) struct Target {
    pub(super) loaded: Loaded,
    pub(super) asked: Vec<(FunctionId, Asked)>,
}

/// Loads the program and finds the goals in it.
pub(super) fn target(arguments: &TargetArguments, how: &GoalArguments, terminal: Terminal) -> Result<Target, Status> {
    let (source, lines) = split(&arguments.source);
    let mut loaded = source::load_with_models(&source, &how.cc_flags, terminal)?;
    let asked = asked(&mut loaded, &source, &lines, arguments, terminal)?;
    if asked.is_empty() {
        terminal.error("there is no goal: name a line as FILE.c:LINE, or use --goal, --iterations or --path");
        return Err(Status::BadInput);
    }
    Ok(Target { loaded, asked })
}

/// Files, and those lines of them that are goals.
fn split(source: &SourceArguments) -> (SourceArguments, Vec<(String, u32)>) {
    let (mut files, mut lines) = (Vec::new(), Vec::new());
    for file in &source.files {
        let text = file.to_string_lossy();
        let goal = text.rsplit_once(':').and_then(|(name, line)| Some((name.to_owned(), line.parse().ok()?)));
        let name = goal.as_ref().map_or_else(|| file.clone(), |(name, _)| PathBuf::from(name));
        if !files.contains(&name) {
            files.push(name);
        }
        lines.extend(goal);
    }
    (SourceArguments { files, ..source.clone() }, lines)
}

/// What is asked, with the function whose inputs are looked for.
fn asked(
    loaded: &mut Loaded,
    source: &SourceArguments,
    lines: &[(String, u32)],
    arguments: &TargetArguments,
    terminal: Terminal,
) -> Result<Vec<(FunctionId, Asked)>, Status> {
    let entry = arguments.function.as_ref();
    let entry = entry.map(|name| source::function(&loaded.program, name, terminal)).transpose()?;
    if let Some(text) = &arguments.path {
        if !lines.is_empty() {
            terminal.error("`--path` is a goal of its own: name the file without a line");
            return Err(Status::BadInput);
        }
        return Ok(vec![path(loaded, source, text, entry, terminal)?]);
    }
    let mut asked = Vec::new();
    // Conditions come first: what they read at labels is copied there, which moves the places of instructions.
    let conditions = arguments.goal.iter().map(|text| condition(loaded, source, text, terminal));
    let conditions = conditions.collect::<Result<Vec<_>, _>>()?;
    for (file, line) in lines {
        let (points, span) = points(loaded, file, *line, terminal)?;
        let function = entry.unwrap_or(points[0].function);
        let text = suite::source(&loaded.program, span);
        let goal = Goal { site: Site::Points(points), wanted: Wanted::Arrival };
        asked.push((function, Asked { id: format!("line {line}"), span, text, goal: Ok(goal) }));
    }
    for (text, condition) in arguments.goal.iter().zip(conditions) {
        asked.push(holds_at(loaded, source, text, condition, entry, terminal)?);
    }
    for text in &arguments.iterations {
        asked.push(turns(loaded, source, text, entry, terminal)?);
    }
    if arguments.all && asked.len() > 1 {
        return Ok(vec![all(loaded, &asked, terminal)?]);
    }
    Ok(asked)
}

/// The goal that one execution reaches all of some goals.
fn all(loaded: &mut Loaded, asked: &[(FunctionId, Asked)], terminal: Terminal) -> Result<(FunctionId, Asked), Status> {
    let function = asked[0].0;
    let goals: Vec<Goal> = asked.iter().filter_map(|(_, asked)| asked.goal.clone().ok()).collect();
    let names: Vec<&str> = asked.iter().map(|(_, asked)| asked.id.as_str()).collect();
    let goal = together(&mut loaded.program, function, &goals).map_err(|why| {
        terminal.error(&format!("`--all`: {why}"));
        Status::BadInput
    })?;
    let text = format!("{} together", names.join(", "));
    Ok((function, Asked { id: "all".to_owned(), span: asked[0].1.span, text, goal: Ok(goal) }))
}

/// The goal that the function takes a path.
fn path(
    loaded: &mut Loaded,
    source: &SourceArguments,
    text: &str,
    entry: Option<FunctionId>,
    terminal: Terminal,
) -> Result<(FunctionId, Asked), Status> {
    let own = clew_session::select::own_functions(&loaded.program, &source.files).into_iter();
    let function = entry.or_else(|| own.into_iter().find(|id| !loaded.program.functions[*id].conditions.is_empty()));
    let refused = |why: String| {
        terminal.error(&format!("`--path`: {why}"));
        Status::BadInput
    };
    let Some(function) = function else { return Err(refused("no function has a condition".to_owned())) };
    let Some((outcomes, is_open)) = outcomes(text) else {
        return Err(refused(format!("`{text}` is no path; write outcomes of conditions by line, as in '+3 -7:12 +3'")));
    };
    let goal = whole_path(&mut loaded.program, function, &outcomes, is_open).map_err(refused)?;
    let span = loaded.program.functions[function].span;
    Ok((function, Asked { id: "path".to_owned(), span, text: text.trim().to_owned(), goal: Ok(goal) }))
}

fn points(loaded: &Loaded, file: &str, line: u32, terminal: Terminal) -> Result<(Vec<Point>, Span), Status> {
    let found = points_on(&loaded.program, file, line);
    let Some((_, span)) = found.first() else {
        terminal.error(&format!("there is no code on line {line} of {file}"));
        return Err(Status::BadInput);
    };
    Ok((found.iter().map(|(point, _)| *point).collect(), *span))
}

/// A condition, its text and its line.
struct Condition {
    holder: FunctionId,
    line: u32,
    text: String,
    predicate: Predicate,
}

/// `CONDITION@LINE`
fn condition(
    loaded: &mut Loaded,
    source: &SourceArguments,
    text: &str,
    terminal: Terminal,
) -> Result<Condition, Status> {
    let parsed = text.rsplit_once('@').and_then(|(condition, line)| Some((condition, line.trim().parse().ok()?)));
    let Some((condition, line)) = parsed else {
        terminal.error(&format!("`{text}` is not a condition, `@` and a line; write it as 'x == 3@17'"));
        return Err(Status::BadInput);
    };
    let (points, span) = points(loaded, &source.files[0].to_string_lossy(), line, terminal)?;
    let holder = points[0].function;
    let clause = contract::condition_at(loaded, holder, span, condition).map_err(|diagnostic| {
        terminal.diagnostics(&[*diagnostic], &loaded.program.sources);
        Status::BadInput
    })?;
    Ok(Condition { holder, line, text: condition.trim().to_owned(), predicate: clause.predicate })
}

/// The goal that a condition holds on its line.
fn holds_at(
    loaded: &Loaded,
    source: &SourceArguments,
    id: &str,
    Condition { holder, line, text, predicate }: Condition,
    entry: Option<FunctionId>,
    terminal: Terminal,
) -> Result<(FunctionId, Asked), Status> {
    let (points, span) = points(loaded, &source.files[0].to_string_lossy(), line, terminal)?;
    let points = points.into_iter().filter(|point| point.function == holder).collect();
    let goal = Goal { site: Site::Points(points), wanted: Wanted::Holds(predicate) };
    Ok((entry.unwrap_or(holder), Asked { id: id.to_owned(), span, text, goal: Ok(goal) }))
}

/// `LOOP=N`
fn turns(
    loaded: &Loaded,
    source: &SourceArguments,
    text: &str,
    entry: Option<FunctionId>,
    terminal: Terminal,
) -> Result<(FunctionId, Asked), Status> {
    let program = &loaded.program;
    let own = || clew_session::select::own_functions(program, &source.files).into_iter();
    let has_loops = |function: &FunctionId| !program.functions[*function].loops.is_empty();
    let function = entry.or_else(|| own().find(has_loops));
    let parsed = text.split_once('=').and_then(|(name, turns)| {
        let function = function?;
        Some((function, loop_named(program, function, name)?, turns.trim().parse().ok()?))
    });
    let Some((function, target, turns)) = parsed else {
        terminal.error(&format!("`{text}` names no loop and number of turns; try 1=3, or @LINE=3, and --function"));
        return Err(Status::BadInput);
    };
    let span = program.functions[function].loops[target].span;
    let goal = Goal { site: Site::Turns(function, target, turns), wanted: Wanted::Arrival };
    let said = format!("{turns} turns of the loop");
    Ok((function, Asked { id: format!("turns {text}"), span, text: said, goal: Ok(goal) }))
}
