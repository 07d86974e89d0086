//! Conditions, decisions and loops in the order of the source.
//!
//! Lowering meets arguments from right to left and the step of a `for` after its body, so numbers may be out of order
//! until this pass. Checks of code that turned out to be unreachable are dropped.

use clew_ir::{Arena, CheckId, ConditionId, DecisionId, Formula, Function, Id, InstKind, LoopId, Span, TerminatorKind};

/// Renumbers the tables of a function by source position.
pub(crate) fn renumber(function: &mut Function) {
    drop_unused_checks(function);
    if let Some(new) = order(&mut function.conditions, |condition| condition.span) {
        conditions(function, &new);
    }
    if let Some(new) = order(&mut function.decisions, |decision| decision.span) {
        decisions(function, &new);
    }
    if let Some(new) = order(&mut function.loops, |item| item.span) {
        for (_, item) in function.loops.iter_mut() {
            item.parent = item.parent.map(|parent: LoopId| new[parent.index()]);
        }
    }
}

/// Sorts an arena by position; gives the new id of every old one, or nothing if it was in order.
fn order<T: Clone>(arena: &mut Arena<T>, span: impl Fn(&T) -> Span) -> Option<Vec<Id<T>>> {
    let starts: Vec<u32> = arena.values().map(|item| span(item).start).collect();
    if starts.is_sorted() {
        return None;
    }
    let mut old: Vec<usize> = (0..starts.len()).collect();
    old.sort_by_key(|&index| starts[index]);
    let mut sorted = Arena::new();
    let mut new = vec![Id::new(0); old.len()];
    for index in old {
        new[index] = sorted.push(arena[Id::new(index as u32)].clone());
    }
    *arena = sorted;
    Some(new)
}

fn conditions(function: &mut Function, new: &[ConditionId]) {
    for (_, block) in function.blocks.iter_mut() {
        if let TerminatorKind::Branch { condition: Some(condition), .. } = &mut block.terminator.kind {
            *condition = new[condition.index()];
        }
    }
    for (_, decision) in function.decisions.iter_mut() {
        if let Some(formula) = &mut decision.formula {
            atoms(formula, new);
        }
    }
}

fn atoms(formula: &mut Formula, new: &[ConditionId]) {
    match formula {
        Formula::Atom(condition) => *condition = new[condition.index()],
        Formula::Not(inner) => atoms(inner, new),
        Formula::And(left, right) | Formula::Or(left, right) => {
            atoms(left, new);
            atoms(right, new);
        }
        Formula::Const(_) => {}
    }
}

fn decisions(function: &mut Function, new: &[DecisionId]) {
    for (_, condition) in function.conditions.iter_mut() {
        condition.decision = new[condition.decision.index()];
    }
    for (_, item) in function.loops.iter_mut() {
        item.decision = item.decision.map(|decision| new[decision.index()]);
    }
    for (_, block) in function.blocks.iter_mut() {
        if let TerminatorKind::Switch { decision: Some(decision), .. } = &mut block.terminator.kind {
            *decision = new[decision.index()];
        }
    }
}

fn drop_unused_checks(function: &mut Function) {
    let mut is_used = vec![false; function.checks.len()];
    each_check(function, |check| is_used[check.index()] = true);
    if is_used.iter().all(|&used| used) {
        return;
    }
    let mut kept = Arena::new();
    let mut new = vec![Id::new(0); is_used.len()];
    for (id, check) in function.checks.iter() {
        if is_used[id.index()] {
            new[id.index()] = kept.push(check.clone());
        }
    }
    function.checks = kept;
    each_check(function, |check| *check = new[check.index()]);
}

/// Visits every mention of a check.
fn each_check(function: &mut Function, mut visit: impl FnMut(&mut CheckId)) {
    for (_, block) in function.blocks.iter_mut() {
        block.insts.iter_mut().filter_map(|inst| check_of(&mut inst.kind)).for_each(&mut visit);
        if let TerminatorKind::Unreachable { check: Some(check) } = &mut block.terminator.kind {
            visit(check);
        }
    }
}

fn check_of(kind: &mut InstKind) -> Option<&mut CheckId> {
    match kind {
        InstKind::Unary { check, .. }
        | InstKind::Binary { check, .. }
        | InstKind::Convert { check, .. }
        | InstKind::Offset { check, .. }
        | InstKind::Distance { check, .. }
        | InstKind::Load { check, .. }
        | InstKind::Store { check, .. }
        | InstKind::Copy { check, .. }
        | InstKind::Fill { check, .. }
        | InstKind::Call { check, .. }
        | InstKind::Allocate { check, .. }
        | InstKind::VaArg { check, .. } => check.as_mut(),
        InstKind::Check { check, .. } => Some(check),
        _ => None,
    }
}
