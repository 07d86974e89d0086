//! What calls do besides computing, as far as a relation does not look at it.

use crate::select::refusal;
use clew_analyze::only_read::is_only_read;
use clew_frontend::Diagnostic;
use clew_frontend::diagnostic::Place;
use clew_ir::{FunctionId, GlobalId, GlobalKind, Program};
use std::collections::BTreeSet;

/// What the reader of a verdict should know of a function whose calls are compared.
///
/// # Errors
/// When it depends on the clock.
pub fn notes(program: &Program, function: FunctionId) -> Result<BTreeSet<String>, Box<Diagnostic>> {
    let mut notes = BTreeSet::new();
    for id in clew_analyze::reach::reach(program, function).functions {
        let name = &program.functions[id].name;
        let is_own = program.functions[id].is_defined() && !program.models.contains(&id);
        let Some(row) = clew_library::lookup(name).filter(|_| !is_own) else { continue };
        match row.header {
            "stdio.h" => {
                notes.insert(format!("what `{name}` reads and writes is not compared"));
            }
            "time.h" => {
                let name = &program.functions[function].name;
                return Err(refusal(format!("`{name}` depends on the clock: its calls cannot be related")));
            }
            _ => {}
        }
        if row.effects.allocates {
            notes.insert(format!("takes for granted that `{name}` gives memory"));
        }
    }
    Ok(notes)
}

/// The variables that functions keep for themselves from one call to the next, with their functions.
fn kept(program: &Program, function: FunctionId) -> impl Iterator<Item = (GlobalId, FunctionId)> {
    let globals = clew_analyze::reach::reach(program, function).globals;
    globals.into_iter().filter_map(|id| match program.globals[id].kind {
        GlobalKind::StaticLocal(owner) if !program.globals[id].is_const && !is_only_read(program, id) => {
            Some((id, owner))
        }
        _ => None,
    })
}

/// Says of a relation in C which variables its calls share.
pub fn memory(program: &Program, relation: FunctionId) -> BTreeSet<String> {
    let shared = |(id, owner): (GlobalId, FunctionId)| {
        let (variable, owner) = (&program.globals[id].name, &program.functions[owner].name);
        format!(
            "`{owner}` keeps `{variable}` from one call to the next: that is compared as it comes, from the start on"
        )
    };
    kept(program, relation).map(shared).collect()
}

/// Refuses functions that keep something from one call to the next.
pub(super) fn refuse_memory(program: &Program, function: FunctionId) -> Result<(), Box<Diagnostic>> {
    let Some((id, owner)) = kept(program, function).next() else { return Ok(()) };
    let (name, variable) = (&program.functions[function].name, &program.globals[id].name);
    let owner = &program.functions[owner].name;
    let mut refused = refusal(format!(
        "`{name}` keeps `{variable}` of `{owner}` from one call to the next: its calls influence each other"
    ));
    refused.place = Place::Span(program.globals[id].span);
    refused.help = Some("relate whole sequences of calls in C: `--relation NAME`".to_owned());
    Err(refused)
}
