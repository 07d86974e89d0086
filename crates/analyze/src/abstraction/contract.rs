//! Predicates on abstract states: comparisons of variables and constants, and what connects them.
//!
//! What is not such a comparison is left out, which only makes the states say less.

use super::cell::Object;
use super::form::Form;
use super::state::State;
use super::template::Templates;
use super::value::Abs;
use crate::policy;
use clew_ir::contract::{BinaryOp, Clause, CompareOp, Label, PlaceKind, Predicate, Term, TermKind, UnaryOp};
use clew_ir::{CType, CTypeId, FunctionId, ParamKind, Program, Type};
use clew_solver::domain::Conflict;

/// How the places of a predicate are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClauseReader<'p> {
    pub(crate) program: &'p Program,
    pub(crate) function: FunctionId,
    /// Whether the predicate is about the state it is read in; otherwise it is about the call, of which only the
    /// parameters are still known.
    pub(crate) is_now: bool,
}

/// Takes the clauses of a precondition for granted at the call of a function.
pub(crate) fn require(reading: ClauseReader<'_>, state: &mut State, clauses: &[Clause]) -> Result<(), Conflict> {
    let mut cases = vec![state.clone()];
    for clause in clauses {
        cases = cases.into_iter().flat_map(|case| assume(reading, case, &clause.predicate, true)).collect();
    }
    *state = cases.into_iter().reduce(|a, b| a.join(&b)).ok_or(Conflict)?;
    Ok(())
}

/// The cases in which a predicate has a truth value; more states than these are not, fewer may be.
pub(crate) fn assume(reading: ClauseReader<'_>, state: State, stated: &Predicate, truth: bool) -> Vec<State> {
    match stated {
        Predicate::Const(value) if *value == truth => vec![state],
        Predicate::Const(_) => Vec::new(),
        Predicate::Not(inner) => assume(reading, state, inner, !truth),
        Predicate::And(parts) => combine(reading, state, parts, truth, truth),
        Predicate::Or(parts) => combine(reading, state, parts, truth, !truth),
        Predicate::Implies(a, b) if truth => {
            let mut cases = assume(reading, state.clone(), a, false);
            cases.extend(assume(reading, state, b, true));
            cases
        }
        Predicate::Implies(a, b) => {
            assume(reading, state, a, true).into_iter().flat_map(|case| assume(reading, case, b, false)).collect()
        }
        Predicate::Compare { op, a, b } => {
            let op = if truth { *op } else { op.negated() };
            let mut state = state;
            let forms = form(reading, &mut state, a).zip(form(reading, &mut state, b));
            match forms {
                Some((a, b)) => compared(reading.program, state, op, &a, &b),
                None => vec![state],
            }
        }
        _ => vec![state],
    }
}

/// Tells templates of the comparisons in a predicate.
pub(crate) fn note(reading: ClauseReader<'_>, templates: &Templates, stated: &Predicate) {
    match stated {
        Predicate::Not(inner) => note(reading, templates, inner),
        Predicate::And(parts) | Predicate::Or(parts) => parts.iter().for_each(|part| note(reading, templates, part)),
        Predicate::Implies(a, b) => [a, b].into_iter().for_each(|part| note(reading, templates, part)),
        Predicate::Compare { a, b, .. } => {
            let mut state = State::default();
            let forms = form(reading, &mut state, a).zip(form(reading, &mut state, b));
            forms.and_then(|(a, b)| a.minus(&b)).iter().for_each(|form| templates.note(form));
        }
        _ => {}
    }
}

/// All parts together, or each as a case of its own.
fn combine(reading: ClauseReader<'_>, state: State, parts: &[Predicate], truth: bool, together: bool) -> Vec<State> {
    if together {
        let all = |cases: Vec<State>, part: &Predicate| {
            let cases: Vec<State> = cases.into_iter().flat_map(|case| assume(reading, case, part, truth)).collect();
            if cases.len() > policy::MAX_CASES.size() {
                cases.into_iter().reduce(|a, b| a.join(&b)).into_iter().collect()
            } else {
                cases
            }
        };
        return parts.iter().fold(vec![state], all);
    }
    let cases: Vec<State> = parts.iter().flat_map(|part| assume(reading, state.clone(), part, truth)).collect();
    if cases.len() > policy::MAX_CASES.size() { vec![state] } else { cases }
}

fn compared(program: &Program, state: State, op: CompareOp, a: &Form, b: &Form) -> Vec<State> {
    let less = |a: &Form, b: &Form, gap| a.minus(b).map(|it| Form { constant: it.constant + gap, ..it });
    let cases = match op {
        CompareOp::Eq => vec![vec![less(a, b, 0), less(b, a, 0)]],
        CompareOp::Ne => vec![vec![less(a, b, 1)], vec![less(b, a, 1)]],
        CompareOp::Lt => vec![vec![less(a, b, 1)]],
        CompareOp::Le => vec![vec![less(a, b, 0)]],
        CompareOp::Gt => vec![vec![less(b, a, 1)]],
        CompareOp::Ge => vec![vec![less(b, a, 0)]],
    };
    let case = |forms: Vec<Option<Form>>| {
        let mut state = state.clone();
        let holds = forms.into_iter().flatten().try_for_each(|form| state.assume(program, &form));
        holds.is_ok().then_some(state)
    };
    cases.into_iter().filter_map(case).collect()
}

pub(crate) fn form(reading: ClauseReader<'_>, state: &mut State, term: &Term) -> Option<Form> {
    match &term.kind {
        TermKind::Integer(number) => (number.unsigned_abs() < 1 << 66).then(|| Form::constant(*number)),
        TermKind::Convert(inner) => match &inner.kind {
            TermKind::Value(place) => {
                let object = match place.kind {
                    PlaceKind::Param(index) => Object::Param(0, reading.function, index),
                    PlaceKind::Global(global) if reading.is_now => Object::Global(global),
                    PlaceKind::Local(local) if reading.is_now => Object::Local(0, reading.function, local),
                    PlaceKind::Result if reading.is_now => Object::Result(0, reading.function),
                    _ => return None,
                };
                cell(reading.program, reading.function, state, object, place.ty)
            }
            TermKind::At(inner, Label::Pre) => {
                let then = Term { kind: TermKind::Convert(inner.clone()), sort: term.sort };
                form(ClauseReader { is_now: false, ..reading }, state, &then)
            }
            _ => None,
        },
        TermKind::At(inner, Label::Pre) => form(ClauseReader { is_now: false, ..reading }, state, inner),
        TermKind::Unary(UnaryOp::Neg, inner) => Some(form(reading, state, inner)?.negated()),
        TermKind::Binary(BinaryOp::Add, a, b) => form(reading, state, a)?.plus(&form(reading, state, b)?),
        TermKind::Binary(BinaryOp::Sub, a, b) => form(reading, state, a)?.minus(&form(reading, state, b)?),
        TermKind::Binary(BinaryOp::Mul, a, b) => match (form(reading, state, a)?, form(reading, state, b)?) {
            (factor, other) | (other, factor) if factor.terms.is_empty() => other.times(factor.constant),
            _ => None,
        },
        _ => None,
    }
}

/// The cell of a variable that holds an integer of the machine's kind.
fn cell(program: &Program, function: FunctionId, state: &mut State, object: Object, ty: CTypeId) -> Option<Form> {
    let width = match program.ctypes.get(ty) {
        CType::Int { width, .. } if (2..=64).contains(width) => *width,
        _ => return None,
    };
    if let Object::Param(_, _, index) = object {
        let param = &program.functions[function].params[index as usize];
        let arrives = program.functions[function].temps[param.temp].ty;
        if param.kind != ParamKind::Scalar || arrives != Type::Int(width) {
            return None;
        }
    }
    let key = (object, 0);
    let bytes = u64::from(width).div_ceil(8);
    if state.cells.get(&key).is_some_and(|(size, abs)| *size != bytes || !abs.fits(Type::Int(width))) {
        return None;
    }
    state.cells.entry(key).or_insert_with(|| (bytes, Abs::top(Type::Int(width))));
    Some(Form::cell(key))
}
