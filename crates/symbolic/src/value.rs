//! Values of symbolic execution: known or symbolic scalars, and pointers with provenance.

use clew_ir::FunctionId;
use clew_scalar::{BinaryOp, Conversion, TernaryOp, Type, UnaryOp, Value, eval};
use clew_solver::term::{TermId, Terms};

use crate::encoding;
use crate::memory::ObjectId;

/// A machine scalar: its value, or the term that stands for it.
///
/// A term that is a constant is always held as `Known`, so that runs through concrete code build no terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// The same on every input that takes this path.
    Known(Value),
    /// A function of the input.
    Term(TermId),
}

/// What a temporary or a memory cell holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Val {
    /// An integer or float.
    Scalar(Scalar),
    /// A pointer.
    Pointer(Pointer),
}

/// A pointer: what it points into, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// What it points into.
    pub base: Base,
    /// Bytes from the start of the base, an integer of pointer width.
    pub offset: Scalar,
}

/// What a pointer points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// Nothing: the offset is the address. Null is offset 0.
    Absolute,
    /// An object.
    Object(ObjectId),
    /// A function.
    Function(FunctionId),
    /// A pointer of the input that nothing has looked behind yet, by its number.
    Input(u32),
}

impl Scalar {
    /// A known integer.
    pub fn int(width: u8, bits: u128) -> Scalar {
        Scalar::Known(Value::int(width, bits))
    }

    /// A known truth value.
    pub fn bool(value: bool) -> Scalar {
        Scalar::int(1, u128::from(value))
    }

    /// The scalar a term stands for.
    pub fn of(terms: &Terms, term: TermId) -> Scalar {
        terms.value(term).map_or(Scalar::Term(term), Scalar::Known)
    }

    /// The term that stands for the scalar.
    pub fn term(self, terms: &mut Terms) -> TermId {
        match self {
            Scalar::Known(value) => terms.constant(value),
            Scalar::Term(term) => term,
        }
    }

    /// The value, if it is known.
    pub fn known(self) -> Option<Value> {
        match self {
            Scalar::Known(value) => Some(value),
            Scalar::Term(_) => None,
        }
    }

    /// The bits, if they are known.
    pub fn bits(self) -> Option<u128> {
        self.known().map(|value| value.bits)
    }

    /// The type.
    pub fn ty(self, terms: &Terms) -> Type {
        match self {
            Scalar::Known(value) => value.ty,
            Scalar::Term(term) => terms.ty(term),
        }
    }
}

/// `op a`
pub fn unary(terms: &mut Terms, op: UnaryOp, a: Scalar) -> Scalar {
    match a {
        Scalar::Known(a) => Scalar::Known(eval::unary(op, a)),
        Scalar::Term(a) => {
            let term = terms.unary(op, a);
            Scalar::of(terms, term)
        }
    }
}

/// `a op b`
pub fn binary(terms: &mut Terms, op: BinaryOp, a: Scalar, b: Scalar) -> Scalar {
    if let (Scalar::Known(a), Scalar::Known(b)) = (a, b) {
        return Scalar::Known(eval::binary(op, a, b));
    }
    let (a, b) = (a.term(terms), b.term(terms));
    let term = terms.binary(op, a, b);
    Scalar::of(terms, term)
}

/// `op a, b, c`
pub fn ternary(terms: &mut Terms, op: TernaryOp, a: Scalar, b: Scalar, c: Scalar) -> Scalar {
    if let (TernaryOp::Select, Scalar::Known(condition)) = (op, a) {
        return if condition.bits == 1 { b } else { c };
    }
    if let (Scalar::Known(a), Scalar::Known(b), Scalar::Known(c)) = (a, b, c) {
        return Scalar::Known(eval::ternary(op, a, b, c));
    }
    let (a, b, c) = (a.term(terms), b.term(terms), c.term(terms));
    let term = terms.ternary(op, a, b, c);
    Scalar::of(terms, term)
}

/// `conversion a`
pub fn convert(terms: &mut Terms, op: Conversion, a: Scalar) -> Scalar {
    match (a, op) {
        (Scalar::Known(a), _) => Scalar::Known(eval::convert(op, a)),
        (Scalar::Term(a), Conversion::FloatToBits) => {
            let bits = encoding::bits(terms, a);
            Scalar::of(terms, bits)
        }
        (Scalar::Term(a), _) => {
            let term = terms.convert(op, a);
            Scalar::of(terms, term)
        }
    }
}

/// Bits `lo..=hi` of an integer.
pub fn extract(terms: &mut Terms, hi: u8, lo: u8, a: Scalar) -> Scalar {
    match a {
        Scalar::Known(a) => Scalar::int(hi - lo + 1, a.bits >> lo),
        Scalar::Term(a) => {
            let term = terms.extract(hi, lo, a);
            Scalar::of(terms, term)
        }
    }
}

/// Bits of `high` above those of `low`.
pub fn concat(terms: &mut Terms, high: Scalar, low: Scalar) -> Scalar {
    if let (Scalar::Known(high), Scalar::Known(low)) = (high, low) {
        let width = low.ty.width();
        return Scalar::int(high.ty.width() + width, high.bits << width | low.bits);
    }
    let (high, low) = (high.term(terms), low.term(terms));
    let term = terms.concat(high, low);
    Scalar::of(terms, term)
}

/// `a && b`
pub fn and(terms: &mut Terms, a: Scalar, b: Scalar) -> Scalar {
    binary(terms, BinaryOp::And, a, b)
}

/// `!a`
pub fn not(terms: &mut Terms, a: Scalar) -> Scalar {
    unary(terms, UnaryOp::Not, a)
}

impl Pointer {
    /// The null pointer.
    pub fn null(pointer_width: u8) -> Pointer {
        Pointer { base: Base::Absolute, offset: Scalar::int(pointer_width, 0) }
    }
}

impl From<Scalar> for Val {
    fn from(scalar: Scalar) -> Val {
        Val::Scalar(scalar)
    }
}

impl From<Pointer> for Val {
    fn from(pointer: Pointer) -> Val {
        Val::Pointer(pointer)
    }
}
