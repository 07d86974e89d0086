//! That a function which calls itself ends: a measure of its arguments that decreases with each call.
//!
//! Each such call must be given arguments of which the measure is less than that of the function's own, which must not be
//! negative. This is looked at in what is left of the function without its memory (`integers`), where its calls by itself
//! change nothing and give any value. No runs are looked at: measures come from conditions and parameters.

use clew_ir::contract::{Place, PlaceKind, Sort, Term, TermKind};
use clew_ir::{Callee, InstKind, Operand};
use clew_symbolic::Unusable;

use super::integers::Integers;
use super::measure::{Measure, decrease, orders};
use crate::goal::{Carried, Goal, Point, Ranking, Site, Wanted};
use crate::induction::{self, Manner};
use crate::invent::{self, Known, Variable, conditions};
use crate::question::Question;

/// Looks for a ranking of the calls of the function in question by itself; otherwise says why there is none.
pub(super) fn ranking(question: Question<'_>, left: &Integers) -> Result<Result<Ranking, String>, Unusable> {
    let function = question.function;
    let insts = question.program.functions[function].blocks.values().flat_map(|block| &block.insts);
    if insts.into_iter().any(|inst| matches!(inst.kind, InstKind::Call { callee: Callee::Indirect(_), .. })) {
        return Ok(Err("it also calls by pointer, perhaps itself".to_owned()));
    }
    let data = &left.program.functions[function];
    let params = || data.params.iter().enumerate();
    let known = params().filter_map(|(at, it)| invent::known(&left.program, Variable::Argument(at as u32), it.ty));
    let arguments: Vec<Known> = known.collect();
    let atoms = conditions::atoms(&left.program, function, &invent::variables(&left.program, function));
    let atoms: Vec<_> = atoms.iter().filter_map(|atom| conditions::at_call(data, &arguments, atom)).collect();
    let rankings = orders(&arguments, &atoms);
    let before: Vec<Term> = arguments.iter().map(|known| known.term()).collect();
    let calls = calls(left, question);
    let mut goals = Vec::new();
    for ranking in &rankings {
        for (point, args) in &calls {
            let now: Vec<Term> = arguments.iter().map(|known| given(*known, args)).collect();
            let wanted = Wanted::Fails { assumes: Vec::new(), predicate: decrease(ranking, &before, &now) };
            goals.push(Goal { site: Site::Points(vec![*point]), wanted });
        }
    }
    let Some((at, carried)) = decided(Question { program: &left.program, goals: &goals, ..question }, calls.len())?
    else {
        return Ok(Err("no measure of the arguments was found that decreases with each call".to_owned()));
    };
    let shown: Vec<Term> = arguments.iter().map(|known| parameter(*known)).collect();
    let variant = rankings[at].iter().map(|measure: &Measure| measure.term(&shown)).collect();
    Ok(Ok(Ranking { function, variant, carried }))
}

/// The calls of the function by itself, with what they are given.
fn calls(left: &Integers, question: Question<'_>) -> Vec<(Point, Vec<Operand>)> {
    let function = question.function;
    let blocks = left.program.functions[function].blocks.iter();
    let insts = blocks.flat_map(|(block, data)| {
        let point = move |(position, inst)| (Point { function, block, position }, inst);
        data.insts.iter().enumerate().map(point)
    });
    let given = |(point, inst): (Point, &clew_ir::Inst)| match &inst.kind {
        InstKind::Call { callee: Callee::Direct(callee), args, .. } if *callee == left.own_call => {
            Some((point, args.clone()))
        }
        _ => None,
    };
    insts.filter_map(given).collect()
}

/// A parameter as the contract of the function names it.
fn parameter(known: Known) -> Term {
    match known.term().kind {
        TermKind::Convert(inner) => match inner.kind {
            TermKind::At(value, _) => Term { kind: TermKind::Convert(value), sort: Sort::Integer },
            _ => known.term(),
        },
        _ => known.term(),
    }
}

/// What a call is given for a parameter, as a logic integer.
fn given(known: Known, args: &[Operand]) -> Term {
    let Variable::Argument(position) = known.variable else { return known.term() };
    let kind = PlaceKind::Operand(args[position as usize]);
    let value = Term { kind: TermKind::Value(Place { kind, ty: known.ty }), sort: Sort::C(known.ty) };
    Term { kind: TermKind::Convert(Box::new(value)), sort: Sort::Integer }
}

/// The first ranking of which no state reaches a goal, each having so many; and by which invariants.
fn decided(question: Question<'_>, each: usize) -> Result<Option<(usize, Vec<Carried>)>, Unusable> {
    if each == 0 || question.goals.is_empty() {
        return Ok(None);
    }
    let first = |excluded: &[bool]| excluded.chunks(each).position(|goals| goals.iter().all(|excluded| *excluded));
    let bare = induction::bare_cuts(question);
    let plain = induction::pursue_cut(question, &bare, Manner { blurs: false, guesses: true })?;
    if let Some(at) = first(&plain) {
        return Ok(Some((at, Vec::new())));
    }
    let found = invent::attempt(question, false)?;
    Ok(first(&found.excluded).map(|at| (at, found.carried)))
}
