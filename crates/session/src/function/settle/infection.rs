//! Mutants whose changed expressions never have another value.
//!
//! Where a comparison is exchanged for another one, the operands say when the two differ: `i < n` and `i != n` do where
//! `i > n`. A copy of the function calls a marker there, one for each mutant, and abstract interpretation looks at the copy once,
//! loops included. A mutant whose marker is not reached never begins to differ: it is the same function (no infection,
//! in the words of Voas 1992). Comparing does nothing that C leaves undefined which the function itself does not do.

use super::copy::{copied_as, read};
use super::harness::are_alike;
use crate::function::Request;
use clew_analyze::facts::{Options, facts};
use clew_ir::source::wrap::{Wrap, wrapped};
use clew_ir::{Callee, FunctionId, InstKind, Program};
use clew_mutation::Mutant;
use clew_symbolic::config::Assumptions;
use std::cmp::Reverse;

/// The positions of mutants that are the same function, among some.
pub(super) fn never(request: &Request<'_, '_>, mutants: &[Mutant], alive: &[usize]) -> Vec<usize> {
    let told: Vec<usize> = alive.iter().copied().filter(|index| mutants[*index].differs.is_some()).collect();
    excluded(request, mutants, &told).unwrap_or_default()
}

fn excluded(request: &Request<'_, '_>, mutants: &[Mutant], told: &[usize]) -> Option<Vec<usize>> {
    let (program, function) = (request.program, request.function);
    let name = format!("clew_marked_{}", program.functions[function].name);
    let text = marked(program, function, &name, told.iter().map(|index| &mutants[*index]).collect())?;
    let loaded = read(request, &text).ok()?;
    let program = &loaded.program;
    let (copy, own) = (program.function(&name)?, program.function(&request.program.functions[function].name)?);
    if !are_alike(request.program, program) {
        return None;
    }
    let mut requires = request.precondition.clauses.clone();
    requires.extend(program.functions[own].contract.requires.iter().cloned());
    let facts = facts(program, copy, &Options { requires, moves_are_assumed: false, ..Options::default() });
    let is_strict = request.config.assumptions == Assumptions::Rejected;
    let overlap = crate::function::overlap::overlap(request);
    let assumes =
        is_strict && !crate::infer::of_function(program, own, &request.precondition.clauses, overlap).is_empty();
    if !facts.functions.contains(&copy) || assumes {
        return None;
    }
    let is_excluded = |number: u32| {
        let marker = program.function(&marker(number));
        let mut calls = program.functions[copy].blocks.iter().filter(|(_, block)| {
            let is_call = |kind: &InstKind| matches!(kind, InstKind::Call { callee: Callee::Direct(id), .. } if Some(*id) == marker);
            block.insts.iter().any(|inst| is_call(&inst.kind))
        });
        // A marker that the front end has left out says nothing.
        calls.next().is_some_and(|(block, _)| facts.unreachable.contains(&(copy, block))) && calls.next().is_none()
    };
    Some(told.iter().copied().filter(|index| is_excluded(mutants[*index].number)).collect())
}

fn marker(number: u32) -> String {
    format!("clew_{number}_differs")
}

/// The function under another name, with a call of a marker where a mutant would differ.
fn marked(program: &Program, function: FunctionId, name: &str, mut told: Vec<&Mutant>) -> Option<String> {
    told.sort_by_key(|mutant| (mutant.span.start, Reverse(mutant.span.end), mutant.number));
    let wrap = |mutant: &&Mutant| {
        let differs = mutant.differs.as_ref()?;
        let before = format!("(__extension__ ({{ if ({differs}) {}(); (", marker(mutant.number));
        Some(Wrap { start: mutant.span.start, end: mutant.span.end, before, after: "); }))".to_owned() })
    };
    let wraps: Vec<Wrap> = told.iter().map(wrap).collect::<Option<_>>()?;
    let unit = program.sources.units.get(program.functions[function].body.unit)?;
    let whole = wrapped(unit, "", wraps).ok()?;
    let shift = wrapped(unit, "", Vec::new()).ok()?.len() - unit.text.len();
    let markers: String = told.iter().map(|mutant| format!("void {}(void) {{}}\n", marker(mutant.number))).collect();
    Some(markers + &copied_as(program, function, name, whole.get(shift..)?)?)
}
