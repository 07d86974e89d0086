//! The range of a quantified variable, read off the guard of its body.
//!
//! The guard of `\forall v; g ==> p` is `g`, that of `\exists v; g && p` every part of the conjunction. A part that
//! compares the variable alone with a term free of it and of later variables gives a bound; one that compares it with a
//! later variable gives the bound of that one (`0 <= i < j < n` bounds `i` by `n - 1`, at most). A variable of a C
//! integer type is bounded by its type as well.

use clew_ir::contract::visit::Node;
use clew_ir::contract::{BinaryOp, CompareOp, Predicate, Quantifier, Sort, Term, TermKind, Variable};
use clew_ir::{CType, CTypes};

type Range = (Option<Term>, Option<Term>);

/// The inclusive bounds of each variable.
pub(super) fn of(quantifier: Quantifier, variables: &[Variable], body: &Predicate, ctypes: &CTypes) -> Vec<Range> {
    let mut guards = Vec::new();
    collect(quantifier, body, &mut guards);
    let range = |index: usize| {
        let mut range = type_range(&variables[index], ctypes);
        for guard in &guards {
            narrow(&mut range, &variables[index], &variables[index..], guard);
        }
        range
    };
    let mut ranges: Vec<Range> = (0..variables.len()).map(range).collect();
    for _ in variables {
        for (index, later) in
            (0..variables.len()).flat_map(|index| (0..variables.len()).map(move |later| (index, later)))
        {
            for guard in guards.iter().filter(|_| index != later) {
                let by_type = type_range(&variables[index], ctypes);
                borrow(&mut ranges, (index, later), variables, guard, &by_type);
            }
        }
    }
    ranges
}

/// Takes a bound that is still missing from another variable, with which the first is compared.
fn borrow(
    ranges: &mut [Range],
    (index, other): (usize, usize),
    variables: &[Variable],
    guard: &Predicate,
    by_type: &Range,
) {
    let Predicate::Compare { op, a, b } = guard else { return };
    let op = match () {
        () if is_variable(a, &variables[index]) && is_variable(b, &variables[other]) => *op,
        () if is_variable(b, &variables[index]) && is_variable(a, &variables[other]) => op.flipped(),
        () => return,
    };
    let closed = |bound: &Option<Term>| bound.clone().filter(|term| !mentions(term, variables));
    let (low, high) = (closed(&ranges[other].0), closed(&ranges[other].1));
    let (mine, bound) = match op {
        CompareOp::Lt => (1, high.map(|high| plus(&high, -1))),
        CompareOp::Le => (1, high),
        CompareOp::Gt => (0, low.map(|low| plus(&low, 1))),
        CompareOp::Ge => (0, low),
        CompareOp::Eq | CompareOp::Ne => return,
    };
    if mine == 1 && ranges[index].1 == by_type.1 && bound.is_some() {
        ranges[index].1 = bound;
    } else if mine == 0 && ranges[index].0 == by_type.0 && bound.is_some() {
        ranges[index].0 = bound;
    }
}

/// The conjuncts that guard the body.
fn collect<'a>(quantifier: Quantifier, body: &'a Predicate, guards: &mut Vec<&'a Predicate>) {
    match (quantifier, body) {
        (Quantifier::ForAll, Predicate::Implies(guard, rest)) => {
            conjuncts(guard, guards);
            collect(quantifier, rest, guards);
        }
        (Quantifier::Exists, _) => conjuncts(body, guards),
        (Quantifier::ForAll, _) => {}
    }
}

fn conjuncts<'a>(predicate: &'a Predicate, parts: &mut Vec<&'a Predicate>) {
    match predicate {
        Predicate::And(inner) => inner.iter().for_each(|part| conjuncts(part, parts)),
        _ => parts.push(predicate),
    }
}

/// Takes a bound from one comparison; the first bound found is kept.
fn narrow(range: &mut Range, variable: &Variable, barred: &[Variable], guard: &Predicate) {
    let Predicate::Compare { op, a, b } = guard else { return };
    let (op, other) = if is_variable(a, variable) {
        (*op, b)
    } else if is_variable(b, variable) {
        (op.flipped(), a)
    } else {
        return;
    };
    if other.sort != Sort::Integer || mentions(other, barred) {
        return;
    }
    match op {
        CompareOp::Lt => set(&mut range.1, plus(other, -1)),
        CompareOp::Le => set(&mut range.1, other.clone()),
        CompareOp::Gt => set(&mut range.0, plus(other, 1)),
        CompareOp::Ge => set(&mut range.0, other.clone()),
        CompareOp::Eq => {
            set(&mut range.0, other.clone());
            set(&mut range.1, other.clone());
        }
        CompareOp::Ne => {}
    }
}

/// A bound from the guard replaces that of the type, which is a constant.
fn set(bound: &mut Option<Term>, term: Term) {
    if bound.as_ref().is_none_or(|known| matches!(known.kind, TermKind::Integer(_))) {
        *bound = Some(term);
    }
}

fn plus(term: &Term, delta: i128) -> Term {
    if let TermKind::Integer(value) = term.kind
        && let Some(sum) = value.checked_add(delta)
    {
        return Term::integer(sum);
    }
    let (op, delta) = if delta < 0 { (BinaryOp::Sub, -delta) } else { (BinaryOp::Add, delta) };
    let kind = TermKind::Binary(op, Box::new(term.clone()), Box::new(Term::integer(delta)));
    Term { kind, sort: Sort::Integer }
}

fn is_variable(term: &Term, variable: &Variable) -> bool {
    match &term.kind {
        TermKind::Variable(it) => it.number == variable.number,
        TermKind::Convert(inner) => is_variable(inner, variable),
        _ => false,
    }
}

fn type_range(variable: &Variable, ctypes: &CTypes) -> Range {
    let Sort::C(ty) = variable.sort else { return (None, None) };
    let (width, signed) = match ctypes.get(ty) {
        CType::Bool => (1, false),
        CType::Int { width, signed, .. } if *width <= 64 => (*width, *signed),
        _ => return (None, None),
    };
    let (low, high) = match signed {
        true => (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1),
        false => (0, (1_i128 << width) - 1),
    };
    (Some(Term::integer(low)), Some(Term::integer(high)))
}

/// Whether a term depends on one of the variables.
fn mentions(term: &Term, variables: &[Variable]) -> bool {
    Node::Term(term).any(&mut |node| match node {
        Node::Term(Term { kind: TermKind::Variable(it), .. }) => {
            variables.iter().any(|known| known.number == it.number)
        }
        _ => false,
    })
}
