//! The shape of a term: an operator and its operands.

use clew_scalar::{BinaryOp, Conversion, TernaryOp, Type, UnaryOp, Value};

use super::{TableId, TermId, VarId};

/// An operator and its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Node {
    /// A constant; a NaN is always the canonical one.
    Const(Value),
    /// A free variable, scalar or array.
    Var(VarId),
    /// An operator of one operand.
    Unary(UnaryOp, TermId),
    /// An operator of two operands of equal type.
    Binary(BinaryOp, TermId, TermId),
    /// An operator of three operands; `Select` also chooses between arrays.
    Ternary(TernaryOp, TermId, TermId, TermId),
    /// A change of type.
    Convert(Conversion, TermId),
    /// Bits `lo..=hi` of an integer.
    Extract {
        /// Highest bit taken.
        hi: u8,
        /// Lowest bit taken.
        lo: u8,
        /// The integer.
        of: TermId,
    },
    /// Bits of the first operand above those of the second.
    Concat(TermId, TermId),
    /// Bits of the element of an array at the bits of an index.
    Read(TermId, TermId),
    /// An array that differs from the first operand in that the index has the value: array, index, value.
    Write(TermId, TermId, TermId),
    /// The array that has the value at each index.
    ConstArray {
        /// Type of the indices.
        index: Type,
        /// Type of the elements.
        element: Type,
        /// The bits of the value everywhere.
        value: TermId,
    },
    /// `Int(1)`: two arrays have equal elements everywhere.
    ArrayEq(TermId, TermId),
    /// Entry of a table of constants at an unsigned index; zero beyond its end.
    Lookup(TableId, TermId),
}

/// The operands of a node, at most three, in order.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    terms: [TermId; 3],
    len: u8,
}

impl std::ops::Deref for Operands {
    type Target = [TermId];

    fn deref(&self) -> &[TermId] {
        &self.terms[..usize::from(self.len)]
    }
}

impl IntoIterator for Operands {
    type Item = TermId;
    type IntoIter = std::iter::Take<std::array::IntoIter<TermId, 3>>;

    fn into_iter(self) -> Self::IntoIter {
        self.terms.into_iter().take(usize::from(self.len))
    }
}

impl Node {
    /// The operands, in order.
    pub fn operands(&self) -> Operands {
        let none = TermId::FILLER;
        let (terms, len) = match *self {
            Node::Const(_) | Node::Var(_) => ([none; 3], 0),
            Node::Unary(_, a) | Node::Convert(_, a) => ([a, none, none], 1),
            Node::Lookup(_, a) | Node::Extract { of: a, .. } | Node::ConstArray { value: a, .. } => {
                ([a, none, none], 1)
            }
            Node::Binary(_, a, b) | Node::Concat(a, b) | Node::Read(a, b) | Node::ArrayEq(a, b) => ([a, b, none], 2),
            Node::Ternary(_, a, b, c) | Node::Write(a, b, c) => ([a, b, c], 3),
        };
        Operands { terms, len }
    }
}
