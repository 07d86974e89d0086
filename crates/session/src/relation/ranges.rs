//! What values inputs can have, as far as intervals say it: an over-approximation of a precondition.

use clew_ir::contract::{
    BinaryOp, Binder, CompareOp, Place, PlaceKind, Predicate, Quantifier, Term, TermKind, UnaryOp,
};
use clew_scalar::Format;

/// An interval of integers, both ends included.
pub(super) type Interval = (i128, i128);

/// What is looked for: a parameter, or every element behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// A parameter.
    Param(u32),
    /// The elements behind a pointer.
    Elements(u32),
}

/// What intervals are looked for in.
pub(super) struct Hull<'a> {
    /// What is looked for.
    pub(super) of: Of,
    /// Whether a binder goes over every element.
    pub(super) covers: &'a dyn Fn(&Binder) -> bool,
    /// The value of a constant.
    pub(super) constant: &'a dyn Fn(&Term) -> Option<i128>,
}

/// An interval in which something lies wherever a predicate holds.
pub(super) fn hull(predicate: &Predicate, how: &Hull<'_>) -> Option<Interval> {
    let (of, constant) = (how.of, how.constant);
    match predicate {
        Predicate::And(all) => all.iter().filter_map(|one| hull(one, how)).reduce(both),
        Predicate::Or(all) => {
            let all: Option<Vec<Interval>> = all.iter().map(|one| hull(one, how)).collect();
            all?.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
        }
        Predicate::Compare { op, a, b } => {
            if is_it(a, of) {
                Some(compared(*op, constant(b)?))
            } else if is_it(b, of) {
                Some(compared(mirrored(*op), constant(a)?))
            } else {
                None
            }
        }
        Predicate::Quantified { quantifier: Quantifier::ForAll, binders, body } => match (&**body, of, &binders[..]) {
            (Predicate::Implies(_, then), Of::Elements(_), [binder]) if (how.covers)(binder) => hull(then, how),
            _ => None,
        },
        _ => None,
    }
}

/// What two intervals have in common.
pub(super) fn both(a: Interval, b: Interval) -> Interval {
    (a.0.max(b.0), a.1.min(b.1))
}

fn compared(op: CompareOp, bound: i128) -> Interval {
    match op {
        CompareOp::Eq => (bound, bound),
        CompareOp::Ne => (i128::MIN, i128::MAX),
        CompareOp::Lt => (i128::MIN, bound - 1),
        CompareOp::Le => (i128::MIN, bound),
        CompareOp::Gt => (bound + 1, i128::MAX),
        CompareOp::Ge => (bound, i128::MAX),
    }
}

fn mirrored(op: CompareOp) -> CompareOp {
    match op {
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        same => same,
    }
}

fn is_it(term: &Term, of: Of) -> bool {
    match &term.kind {
        TermKind::Convert(inner) => is_it(inner, of),
        TermKind::Value(place) => match (&place.kind, of) {
            (PlaceKind::Param(index), Of::Param(wanted)) => *index == wanted,
            (PlaceKind::Deref(pointer), Of::Elements(wanted)) => leads(pointer, wanted),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a pointer is a parameter moved by a variable of a quantifier.
fn leads(pointer: &Term, wanted: u32) -> bool {
    let TermKind::Offset(base, by) = &pointer.kind else { return false };
    let is_base =
        matches!(&base.kind, TermKind::Value(Place { kind: PlaceKind::Param(index), .. }) if *index == wanted);
    is_base && matches!(by.kind, TermKind::Variable(_))
}

/// The value of a constant.
pub(super) fn constant(term: &Term) -> Option<i128> {
    match &term.kind {
        TermKind::Integer(value) => Some(*value),
        TermKind::Convert(inner) => constant(inner),
        TermKind::Unary(UnaryOp::Neg, inner) => constant(inner)?.checked_neg(),
        TermKind::Binary(BinaryOp::Add, a, b) => constant(a)?.checked_add(constant(b)?),
        TermKind::Binary(BinaryOp::Sub, a, b) => constant(a)?.checked_sub(constant(b)?),
        TermKind::Binary(BinaryOp::Mul, a, b) => constant(a)?.checked_mul(constant(b)?),
        _ => None,
    }
}

/// The place of a constant among the floats of a format, where it is one: of the float that is nearest.
pub(super) fn place(format: Format, term: &Term) -> Option<i128> {
    let value = real(term)?;
    let bits =
        if format == Format::SINGLE { u128::from((value as f32).to_bits()) } else { u128::from(value.to_bits()) };
    Some(format.ordered(bits))
}

fn real(term: &Term) -> Option<f64> {
    match &term.kind {
        TermKind::Integer(value) => Some(*value as f64),
        TermKind::Real(digits) => digits.parse().ok(),
        TermKind::Convert(inner) | TermKind::Cast(inner) => real(inner),
        TermKind::Unary(UnaryOp::Neg, inner) => Some(-real(inner)?),
        _ => None,
    }
}
