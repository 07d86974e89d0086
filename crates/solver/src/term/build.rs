//! Constructors: the operators of the language, simplified as they are built.
//!
//! Each constructor first asks `simplify` for a smaller equal term and interns the node only when there is none. The
//! named ones (`add`, `eq`, ...) are short forms of the general ones.

use clew_scalar::{BinaryOp, Conversion, Format, TernaryOp, Type, UnaryOp, Value};

use super::{Node, Sort, TableId, TermId, Terms};
use crate::simplify;

impl Terms {
    /// A fresh scalar variable.
    pub fn scalar_var(&mut self, name: impl Into<String>, ty: Type) -> TermId {
        self.declare(name, Sort::Scalar(ty))
    }

    /// A fresh integer variable.
    pub fn int_var(&mut self, name: impl Into<String>, width: u8) -> TermId {
        self.declare(name, Sort::int(width))
    }

    /// A fresh float variable.
    pub fn float_var(&mut self, name: impl Into<String>, format: Format) -> TermId {
        self.declare(name, Sort::float(format))
    }

    /// A fresh array variable from integers to integers; [`Terms::declare`] makes arrays of floats and over floats.
    pub fn array_var(&mut self, name: impl Into<String>, index_width: u8, element_width: u8) -> TermId {
        self.declare(name, Sort::array(index_width, element_width))
    }

    /// A constant; any NaN becomes the canonical one.
    pub fn constant(&mut self, value: Value) -> TermId {
        self.intern(Node::Const(crate::evaluate::canonical(value)))
    }

    /// An integer constant; bits above the width are dropped.
    pub fn int(&mut self, width: u8, bits: u128) -> TermId {
        self.intern(Node::Const(Value { ty: Type::Int(width), bits: bits & mask(width) }))
    }

    /// A boolean constant.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.int(1, u128::from(value))
    }

    /// A float constant from its encoding.
    pub fn float(&mut self, format: Format, bits: u128) -> TermId {
        self.constant(Value { ty: Type::Float(format), bits: bits & mask(format.width()) })
    }

    /// An operator of one operand.
    pub fn unary(&mut self, op: UnaryOp, a: TermId) -> TermId {
        self.simplified(|terms| simplify::unary(terms, op, a), Node::Unary(op, a))
    }

    /// An operator of two operands.
    pub fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let (a, b) = if self.raw { (a, b) } else { simplify::order(self, op, a, b) };
        self.simplified(|terms| simplify::binary(terms, op, a, b), Node::Binary(op, a, b))
    }

    /// An operator of three operands.
    pub fn ternary(&mut self, op: TernaryOp, a: TermId, b: TermId, c: TermId) -> TermId {
        self.simplified(|terms| simplify::ternary(terms, op, a, b, c), Node::Ternary(op, a, b, c))
    }

    /// A change of type.
    pub fn convert(&mut self, op: Conversion, a: TermId) -> TermId {
        self.simplified(|terms| simplify::convert(terms, op, a), Node::Convert(op, a))
    }

    /// Bits `lo..=hi` of an integer.
    pub fn extract(&mut self, hi: u8, lo: u8, of: TermId) -> TermId {
        self.simplified(|terms| simplify::extract(terms, hi, lo, of), Node::Extract { hi, lo, of })
    }

    /// Bits of `high` above those of `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        self.simplified(|terms| simplify::concat(terms, high, low), Node::Concat(high, low))
    }

    /// The element of an array, of its element type, at an index of its index type.
    pub fn read(&mut self, array: TermId, index: TermId) -> TermId {
        let (index_type, element) = self.array_types(array);
        let index = self.held(index_type, index);
        let bits = self.read_bits(array, index);
        match element {
            Type::Float(format) => self.convert(Conversion::BitsToFloat(format), bits),
            Type::Int(_) => bits,
        }
    }

    /// An array with one element replaced; index and value have its types.
    pub fn write(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        let (index_type, element) = self.array_types(array);
        let (index, value) = (self.held(index_type, index), self.held(element, value));
        self.write_bits(array, index, value)
    }

    /// As [`Terms::read`], in bits.
    pub(crate) fn read_bits(&mut self, array: TermId, index: TermId) -> TermId {
        self.simplified(|terms| simplify::read(terms, array, index), Node::Read(array, index))
    }

    /// As [`Terms::write`], in bits.
    pub(crate) fn write_bits(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        self.simplified(|terms| simplify::write(terms, array, index, value), Node::Write(array, index, value))
    }

    /// The array that has one value everywhere, by the type of its indices.
    pub fn const_array(&mut self, index: Type, value: TermId) -> TermId {
        let element = self.ty(value);
        let value = self.held(element, value);
        self.intern(Node::ConstArray { index, element, value })
    }

    /// An index or an element as arrays hold it: by its bits, those of a NaN being the canonical ones.
    fn held(&mut self, ty: Type, term: TermId) -> TermId {
        assert_eq!(self.ty(term), ty, "an index or element has the type its array says");
        if ty.is_int() { term } else { self.convert(Conversion::FloatToBits, term) }
    }

    fn array_types(&self, array: TermId) -> (Type, Type) {
        match self.sort(array) {
            Sort::Array { index, element } => (index, element),
            Sort::Scalar(_) => panic!("an array operator got a scalar"),
        }
    }

    /// The entry of a table at an index; zero beyond its end.
    pub fn lookup(&mut self, table: TableId, index: TermId) -> TermId {
        self.simplified(|terms| simplify::lookup(terms, table, index), Node::Lookup(table, index))
    }

    /// A long chain of choices among constants by one index as a lookup; any other term as it is.
    pub(crate) fn tabulated(&mut self, term: TermId) -> TermId {
        let table = if self.raw { None } else { simplify::tabulated(self, term) };
        table.unwrap_or(term)
    }

    /// Equality of two terms of one sort: bits of integers, identity of floats, elements of arrays.
    pub fn same(&mut self, a: TermId, b: TermId) -> TermId {
        match self.sort(a) {
            Sort::Scalar(Type::Int(_)) => self.binary(BinaryOp::Eq, a, b),
            Sort::Scalar(Type::Float(_)) => {
                let (a, b) = (self.convert(Conversion::FloatToBits, a), self.convert(Conversion::FloatToBits, b));
                self.binary(BinaryOp::Eq, a, b)
            }
            Sort::Array { .. } => {
                let (a, b) = (a.min(b), a.max(b));
                self.simplified(|terms| simplify::array_eq(terms, a, b), Node::ArrayEq(a, b))
            }
        }
    }

    /// Complement, or negation of a boolean.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.unary(UnaryOp::Not, a)
    }

    /// Bitwise or boolean conjunction.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::And, a, b)
    }

    /// Bitwise or boolean disjunction.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Or, a, b)
    }

    /// Boolean implication.
    pub(crate) fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Equality of integers.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.binary(BinaryOp::Eq, a, b)
    }

    /// Choice by a condition between two terms of one sort.
    pub fn select(&mut self, condition: TermId, then: TermId, other: TermId) -> TermId {
        self.ternary(TernaryOp::Select, condition, then, other)
    }

    /// What a rule makes of a node, or the node as it stands.
    fn simplified(&mut self, rule: impl FnOnce(&mut Terms) -> Option<TermId>, node: Node) -> TermId {
        let result = if self.raw { None } else { rule(self) };
        result.unwrap_or_else(|| self.intern(node))
    }
}

/// The bits of an integer of a width, all ones.
pub(crate) fn mask(width: u8) -> u128 {
    debug_assert!((1..=128).contains(&width), "an integer has 1 to 128 bits");
    u128::MAX >> (128 - u32::from(width))
}
