//! `clew prove`: postconditions and assertions hold for all inputs, or an executed input violates them.

use super::annotate;
use super::goals::{self, Pursued, Words};
use super::{java, relations, source};
use crate::cli::ProveArguments;
use crate::status::Status;
use crate::terminal::Terminal;
use clew_frontend::{Loaded, contract};
use clew_ir::FunctionId;
use clew_session::goals::Asked;
use clew_session::goals::collect::{Selection, properties};
use clew_session::goals::termination::{self, Terminated};
use clew_session::select;
use clew_symbolic::config::Errors;

const WORDS: Words = Words { reached: "violated", infeasible: "proved", is_violation: true };

pub(super) fn run(arguments: &ProveArguments, terminal: Terminal) -> Result<Status, Status> {
    if java::goals::is_prove(arguments) {
        if arguments.terminates {
            terminal.error("`--terminates` looks at functions of C, not at methods");
            return Err(Status::BadInput);
        }
        return java::goals::prove(arguments, terminal);
    }
    let mut loaded = source::load_with_models(&arguments.source, &arguments.how.cc_flags, terminal)?;
    if arguments.relations.suggest_relations {
        return relations::suggest(&loaded, &chosen(&loaded, arguments, terminal)?, terminal);
    }
    if arguments.relations.are_asked_for() || relations::are_found(&loaded, arguments) {
        return relations::run(&mut loaded, arguments, terminal);
    }
    let functions = chosen(&loaded, arguments, terminal)?;
    let errors = if arguments.checks { Errors::Report } else { Errors::AssumeAbsent };
    let mut pursued = Vec::new();
    for function in functions {
        let asked = asked(&mut loaded, function, arguments, terminal)?;
        if !asked.is_empty() {
            let pursue = if arguments.function.is_empty() { goals::pursue_or_doubt } else { goals::pursue };
            pursued.push(pursue(&mut loaded, function, asked, errors, &arguments.how, terminal)?);
        }
        if arguments.terminates {
            pursued.extend(ends(&mut loaded, function, arguments, terminal)?);
        }
    }
    if pursued.is_empty() && arguments.terminates {
        terminal.say("nothing that is looked at has a loop or calls itself, and there is no other property");
        return Ok(Status::Fine);
    }
    if pursued.is_empty() && arguments.checks {
        terminal.say("nothing that is looked at can be undefined, and there is no other property");
        return Ok(Status::Fine);
    }
    if pursued.is_empty() {
        terminal.error("there is nothing to prove: no `ensures`, no `assert`; `--ensures PREDICATE` adds one, `--checks` looks at what may be undefined, `--terminates` at loops");
        return Err(Status::BadInput);
    }
    if arguments.annotate {
        annotate::annotate(&loaded.program, &pursued, &arguments.how.out, terminal);
    }
    goals::finish(&loaded, &pursued, WORDS, &arguments.how, terminal)
}

/// Whether a function ends, if anything in it may go on without end. Where all functions are looked at, each answers for its
/// own loops.
fn ends(
    loaded: &mut Loaded,
    function: FunctionId,
    arguments: &ProveArguments,
    terminal: Terminal,
) -> Result<Option<Pursued>, Status> {
    let only_own = arguments.function.is_empty();
    let prepared = goals::prepare(loaded, function, Errors::AssumeAbsent, &arguments.how, terminal)?;
    let done = prepared.with(loaded, |request| termination::run(request, only_own));
    let Terminated { answers, meant } = done.map_err(|error| {
        terminal.error(&format!("cannot look at `{}`: {error}", loaded.program.functions[function].name));
        Status::BadInput
    })?;
    Ok((!answers.is_empty() || !meant.is_empty()).then_some(Pursued { function, answers, meant }))
}

/// The functions named, or all that are defined in the files themselves.
fn chosen(loaded: &Loaded, arguments: &ProveArguments, terminal: Terminal) -> Result<Vec<FunctionId>, Status> {
    let program = &loaded.program;
    if !arguments.function.is_empty() {
        return arguments.function.iter().map(|name| source::function(program, name, terminal)).collect();
    }
    Ok(select::own_functions(program, &arguments.source.files))
}

/// The properties of a function.
fn asked(
    loaded: &mut Loaded,
    function: FunctionId,
    arguments: &ProveArguments,
    terminal: Terminal,
) -> Result<Vec<Asked>, Status> {
    let mut selection = Selection { checks: arguments.checks, ..Selection::default() };
    for text in &arguments.ensures {
        let clause = contract::postcondition(loaded, function, text).map_err(|diagnostic| {
            terminal.diagnostics(&[*diagnostic], &loaded.program.sources);
            Status::BadInput
        })?;
        selection.ensures.push((text.clone(), clause));
    }
    Ok(properties(&loaded.program, function, &selection))
}
