//! That a function which calls itself ends: a measure of its arguments that decreases with each call.
//!
//! Each such call must be given arguments of which the measure is less than that of the function's own, which must not be
//! negative. This is looked at in what is left of the function without its memory (`integers`), where its calls by itself
//! change nothing and give any value. No runs are looked at: measures come from conditions and parameters.

use clew_ir::contract::{Place, PlaceKind, Sort, Term, TermKind};
use clew_ir::{Callee, FunctionId, InstKind, Operand, Program};
use clew_symbolic::Unusable;

use super::integers::{Integers, integers};
use super::measure::{Measure, decrease, orders};
use crate::goal::{Carried, Goal, Point, Ranking, Site, Wanted};
use crate::induction::{self, Manner};
use crate::invent::{self, Known, Variable, conditions};
use crate::question::Question;

/// Measures of a common parameter that are tried.
const MOST_COMMON: usize = 2;

/// Looks for a ranking of the calls of the function in question by itself; otherwise says why there is none.
pub(super) fn ranking(question: Question<'_>, left: &Integers) -> Result<Result<Ranking, String>, Unusable> {
    let function = question.function;
    if calls_by_pointer(question.program, function) {
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
    let goals: Vec<Goal> = rankings.iter().flat_map(|ranking| goals(ranking, &arguments, &before, &calls)).collect();
    let Some((at, carried)) = decided(Question { program: &left.program, goals: &goals, ..question }, calls.len())?
    else {
        return Ok(Err("no measure of the arguments was found that decreases with each call".to_owned()));
    };
    let shown: Vec<Term> = arguments.iter().map(|known| parameter(*known)).collect();
    let variant = rankings[at].iter().map(|measure: &Measure| measure.term(&shown)).collect();
    Ok(Ok(Ranking { function, variant, carried }))
}

/// Looks for a ranking of the calls of several functions by each other: a parameter that all of them have at the same position
/// decreases with each of these calls.
pub(super) fn ranking_of_several(
    question: Question<'_>,
    functions: &[FunctionId],
) -> Result<Result<Ranking, String>, Unusable> {
    let program = question.program;
    let mut left = Vec::new();
    for id in functions {
        if calls_by_pointer(program, *id) {
            return Ok(Err("they also call by pointer".to_owned()));
        }
        if !program.functions[*id].contract.requires.is_empty() {
            return Ok(Err("the precondition of a function is not known to hold at its calls".to_owned()));
        }
        let Some(made) = integers(program, *id, functions) else {
            return Ok(Err("they contain what may do anything".to_owned()));
        };
        left.push((*id, made));
    }
    let most = functions.iter().map(|id| program.functions[*id].params.len()).min().unwrap_or(0);
    for position in 0..most {
        let ty = |id: &FunctionId| program.functions[*id].params[position].ty;
        let (first, made) = &left[0];
        let param = made.program.functions[*first].params[position].ty;
        let known = invent::known(&made.program, Variable::Argument(position as u32), param);
        let Some(known) = known.filter(|_| functions.iter().all(|id| ty(id) == ty(first))) else { continue };
        for ranking in orders(&[known], &[]).into_iter().take(MOST_COMMON) {
            if let Some(carried) = decreases_in_all(question, &left, known, &ranking)? {
                let variant = ranking.iter().map(|measure| measure.term(&[parameter(known)])).collect();
                return Ok(Ok(Ranking { function: *first, variant, carried }));
            }
        }
    }
    Ok(Err("no parameter that they have in common was found to decrease with each call".to_owned()))
}

/// By which invariants a measure of one parameter decreases with each call that some functions make of each other, if it does.
fn decreases_in_all(
    question: Question<'_>,
    left: &[(FunctionId, Integers)],
    known: Known,
    ranking: &[Measure],
) -> Result<Option<Vec<Carried>>, Unusable> {
    let mut all = Vec::new();
    for (function, made) in left {
        let question = Question { program: &made.program, function: *function, ..question };
        let calls = calls(made, question);
        let goals = goals(ranking, &[known], &[known.term()], &calls);
        let Some((_, carried)) = decided(Question { goals: &goals, ..question }, calls.len())? else { return Ok(None) };
        // Invariants are shown for one function.
        all.extend(if *function == left[0].0 { carried } else { Vec::new() });
    }
    Ok(Some(all))
}

/// That a ranking does not decrease with a call, for each call.
fn goals(ranking: &[Measure], arguments: &[Known], before: &[Term], calls: &[(Point, Vec<Operand>)]) -> Vec<Goal> {
    let goal = |(point, args): &(Point, Vec<Operand>)| {
        let now: Vec<Term> = arguments.iter().map(|known| given(*known, args)).collect();
        let wanted = Wanted::Fails { assumes: Vec::new(), predicate: decrease(ranking, before, &now) };
        Goal { site: Site::Points(vec![*point]), wanted }
    };
    calls.iter().map(goal).collect()
}

/// Whether a function calls by pointer.
fn calls_by_pointer(program: &Program, function: FunctionId) -> bool {
    let mut insts = program.functions[function].blocks.values().flat_map(|block| &block.insts);
    insts.any(|inst| matches!(inst.kind, InstKind::Call { callee: Callee::Indirect(_), .. }))
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
