//! Rewriting of terms as they are built: a smaller or more regular equal term, or none.
//!
//! Every constructor of [`Terms`] asks here first. A rule looks at most three levels deep, or at a few dozen operators, and builds its result from
//! operands that are already simplified, so the work per constructor is bounded and nothing recurses with the depth of
//! the term. The rules are one file per family of operators; folding of constants comes before all of them.
//!
//! Order of operands: of commutative operators a constant comes second, otherwise the older term comes first. The rules
//! rely on it and look for constants on the right only.
//!
//! To add a rule: write it in the file of its outermost operator, and add a line to `tests/rewrites.smt2`, which is
//! checked for the result and against `clew_scalar` on all small values.

mod arithmetic;
mod array;
mod bitwise;
mod chain;
mod compare;
mod conversion;
mod difference;
mod division;
mod equality;
mod float;
mod known;
mod narrowed;
mod polynomial;
mod select;
mod share;
mod shift;
mod slice;

use clew_scalar::{BinaryOp, Conversion, TernaryOp, Type, UnaryOp};

use crate::evaluate;
use crate::term::{Node, TermId, Terms};

pub(crate) use array::{array_eq, lookup, read, write};
pub(crate) use chain::tabulated;

/// The operands in the order in which the rules expect them.
pub(crate) fn order(terms: &Terms, op: BinaryOp, a: TermId, b: TermId) -> (TermId, TermId) {
    let key = |term: TermId| (terms.value(term).is_some(), term);
    if is_commutative(op) && key(b) < key(a) { (b, a) } else { (a, b) }
}

fn is_commutative(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add
            | BinaryOp::Mul
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::FloatEq
            | BinaryOp::FloatAdd(_)
            | BinaryOp::FloatMul(_)
            | BinaryOp::FloatMin
            | BinaryOp::FloatMax
    )
}

pub(crate) fn unary(terms: &mut Terms, op: UnaryOp, a: TermId) -> Option<TermId> {
    if let Some(value) = terms.value(a) {
        return Some(terms.constant(evaluate::unary(op, value)));
    }
    if let Some(result) = distribute(terms, a, |terms, branch| terms.unary(op, branch)) {
        return Some(result);
    }
    match op {
        UnaryOp::Not => bitwise::not(terms, a),
        UnaryOp::Neg => arithmetic::neg(terms, a),
        UnaryOp::ByteSwap => bitwise::byte_swap(terms, a),
        UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => None,
        UnaryOp::FloatNeg
        | UnaryOp::FloatAbs
        | UnaryOp::FloatSqrt(_)
        | UnaryOp::FloatRoundToIntegral(_)
        | UnaryOp::FloatIsNan
        | UnaryOp::FloatIsInfinite
        | UnaryOp::FloatIsZero
        | UnaryOp::FloatIsNormal
        | UnaryOp::FloatIsSubnormal
        | UnaryOp::FloatIsNegative => float::unary(terms, op, a),
    }
}

pub(crate) fn binary(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    if let (Some(x), Some(y)) = (terms.value(a), terms.value(b)) {
        return Some(terms.constant(evaluate::binary(op, x, y)));
    }
    if terms.value(b).is_some()
        && let Some(result) = distribute(terms, a, |terms, branch| terms.binary(op, branch, b))
    {
        return Some(result);
    }
    if terms.value(a).is_some()
        && let Some(result) = distribute(terms, b, |terms, branch| terms.binary(op, a, branch))
    {
        return Some(result);
    }
    match op {
        BinaryOp::Add => arithmetic::add(terms, a, b),
        BinaryOp::Sub => arithmetic::sub(terms, a, b),
        BinaryOp::Mul => arithmetic::mul(terms, a, b),
        BinaryOp::UDiv | BinaryOp::SDiv => arithmetic::div(terms, op, a, b),
        BinaryOp::URem | BinaryOp::SRem => arithmetic::rem(terms, op, a, b),
        BinaryOp::And => bitwise::and(terms, a, b),
        BinaryOp::Or => bitwise::or(terms, a, b),
        BinaryOp::Xor => bitwise::xor(terms, a, b),
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => shift::shift(terms, op, a, b),
        BinaryOp::Eq => equality::eq(terms, a, b),
        BinaryOp::Ne => {
            let equal = terms.eq(a, b);
            Some(terms.not(equal))
        }
        BinaryOp::Ult => compare::ult(terms, a, b),
        BinaryOp::Slt => compare::slt(terms, a, b),
        BinaryOp::Ule => Some(swapped_negation(terms, BinaryOp::Ult, a, b)),
        BinaryOp::Sle => Some(swapped_negation(terms, BinaryOp::Slt, a, b)),
        BinaryOp::FloatAdd(_)
        | BinaryOp::FloatSub(_)
        | BinaryOp::FloatMul(_)
        | BinaryOp::FloatDiv(_)
        | BinaryOp::FloatMod
        | BinaryOp::FloatRem
        | BinaryOp::FloatMin
        | BinaryOp::FloatMax
        | BinaryOp::FloatEq
        | BinaryOp::FloatLt
        | BinaryOp::FloatLe => float::binary(terms, op, a, b),
    }
}

/// `a <= b` as `!(b < a)`.
fn swapped_negation(terms: &mut Terms, less: BinaryOp, a: TermId, b: TermId) -> TermId {
    let greater = terms.binary(less, b, a);
    terms.not(greater)
}

pub(crate) fn ternary(terms: &mut Terms, op: TernaryOp, a: TermId, b: TermId, c: TermId) -> Option<TermId> {
    match op {
        TernaryOp::Select => select::select(terms, a, b, c),
        TernaryOp::FloatFma(_) => match (terms.value(a), terms.value(b), terms.value(c)) {
            (Some(x), Some(y), Some(z)) => Some(terms.constant(evaluate::ternary(op, x, y, z))),
            _ => None,
        },
    }
}

pub(crate) fn convert(terms: &mut Terms, op: Conversion, a: TermId) -> Option<TermId> {
    if let Some(value) = terms.value(a) {
        return Some(terms.constant(evaluate::convert(op, value)));
    }
    if let Some(result) = distribute(terms, a, |terms, branch| terms.convert(op, branch)) {
        return Some(result);
    }
    match op {
        Conversion::ZeroExtend(width) => conversion::zero_extend(terms, width, a),
        Conversion::SignExtend(width) => conversion::sign_extend(terms, width, a),
        Conversion::Truncate(width) => Some(terms.extract(width - 1, 0, a)),
        _ => float::convert(terms, op, a),
    }
}

pub(crate) fn extract(terms: &mut Terms, hi: u8, lo: u8, of: TermId) -> Option<TermId> {
    if let Some(value) = terms.value(of) {
        return Some(terms.constant(evaluate::extract(hi, lo, value)));
    }
    if let Some(result) = distribute(terms, of, |terms, branch| terms.extract(hi, lo, branch)) {
        return Some(result);
    }
    slice::extract(terms, hi, lo, of)
}

pub(crate) fn concat(terms: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    if let (Some(x), Some(y)) = (terms.value(high), terms.value(low)) {
        return Some(terms.constant(evaluate::concat(x, y)));
    }
    slice::concat(terms, high, low)
}

/// An operator on a choice between constants is a choice between constants: `f(c ? k : l)` is `c ? f(k) : f(l)`.
fn distribute(terms: &mut Terms, a: TermId, apply: impl Fn(&mut Terms, TermId) -> TermId) -> Option<TermId> {
    let Node::Ternary(TernaryOp::Select, condition, then, other) = terms.node(a) else { return None };
    terms.value(then)?;
    terms.value(other)?;
    let (then, other) = (apply(terms, then), apply(terms, other));
    Some(terms.select(condition, then, other))
}

/// Whether two terms are known to be complements of each other.
fn are_complements(terms: &Terms, a: TermId, b: TermId) -> bool {
    let is_not = |x: TermId, y: TermId| terms.node(x) == Node::Unary(UnaryOp::Not, y);
    is_not(a, b) || is_not(b, a)
}

/// Whether a term is the integer constant.
fn is_int(terms: &Terms, a: TermId, bits: u128) -> bool {
    matches!(terms.node(a), Node::Const(value) if value.ty.is_int() && value.bits == bits)
}

/// Whether a term is the integer with all bits set.
fn is_ones(terms: &Terms, a: TermId) -> bool {
    matches!(terms.node(a), Node::Const(value) if value.ty.is_int() && value.bits == value.ty.mask())
}

/// Whether a term is a boolean.
fn is_bool(terms: &Terms, a: TermId) -> bool {
    terms.ty(a) == Type::BOOL
}
