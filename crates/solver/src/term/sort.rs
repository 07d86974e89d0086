//! Sorts of terms, and the sort of a node from those of its operands.

use clew_scalar::{BinaryOp, Conversion, Format, TernaryOp, Type, UnaryOp, eval};

use super::{Node, TermId, Terms};

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// A machine scalar.
    Scalar(Type),
    /// A total map between scalars. Indices and elements are held as their bits; a NaN is one value, whatever its bits.
    Array {
        /// Type of the indices.
        index: Type,
        /// Type of the elements.
        element: Type,
    },
}

impl Sort {
    /// The sort of conditions.
    pub const BOOL: Sort = Sort::Scalar(Type::BOOL);

    /// The sort of integers of a width.
    pub const fn int(width: u8) -> Sort {
        Sort::Scalar(Type::Int(width))
    }

    /// The sort of arrays from integers to integers, by their widths.
    pub const fn array(index_width: u8, element_width: u8) -> Sort {
        Sort::Array { index: Type::Int(index_width), element: Type::Int(element_width) }
    }

    /// The sort of floats of a format.
    pub const fn float(format: Format) -> Sort {
        Sort::Scalar(Type::Float(format))
    }
}

/// The sort of a node; asserts that the operands fit the operator.
pub(super) fn of_node(terms: &Terms, node: &Node) -> Sort {
    match *node {
        Node::Const(value) => Sort::Scalar(value.ty),
        Node::Var(var) => terms.var(var).sort,
        Node::Unary(op, a) => Sort::Scalar(of_unary(op, terms.ty(a))),
        Node::Binary(op, a, b) => Sort::Scalar(of_binary(op, terms.ty(a), terms.ty(b))),
        Node::Ternary(op, a, b, c) => of_ternary(terms, op, a, b, c),
        Node::Convert(op, a) => Sort::Scalar(of_conversion(op, terms.ty(a))),
        Node::Extract { hi, lo, of } => {
            assert!(lo <= hi && hi < int_width(terms.ty(of)), "an extract lies inside its operand");
            Sort::int(hi - lo + 1)
        }
        Node::Concat(a, b) => {
            let width = u16::from(int_width(terms.ty(a))) + u16::from(int_width(terms.ty(b)));
            assert!(width <= 128, "an integer has at most 128 bits");
            Sort::int(int_width(terms.ty(a)) + int_width(terms.ty(b)))
        }
        Node::Read(..) | Node::Write(..) | Node::ConstArray { .. } | Node::ArrayEq(..) => of_array_node(terms, node),
        Node::Lookup(table, index) => {
            assert!(int_width(terms.ty(index)) > 1, "an index is no condition");
            Sort::int(terms.entries(table).width())
        }
    }
}

fn of_array_node(terms: &Terms, node: &Node) -> Sort {
    match *node {
        Node::Read(array, index) => {
            let (index_width, element_width) = array_widths(terms, array);
            assert_eq!(terms.ty(index), Type::Int(index_width), "an index has the index width of its array");
            Sort::int(element_width)
        }
        Node::Write(array, index, value) => {
            let (index_width, element_width) = array_widths(terms, array);
            assert_eq!(terms.ty(index), Type::Int(index_width), "an index has the index width of its array");
            assert_eq!(terms.ty(value), Type::Int(element_width), "an element has the element width of its array");
            terms.sort(array)
        }
        Node::ConstArray { index, element, value } => {
            assert_eq!(terms.ty(value), Type::Int(element.width()), "an element has the element width of its array");
            Sort::Array { index, element }
        }
        Node::ArrayEq(a, b) => {
            array_widths(terms, a);
            assert_eq!(terms.sort(a), terms.sort(b), "compared arrays have equal sorts");
            Sort::BOOL
        }
        _ => unreachable!("only array nodes come here"),
    }
}

fn of_unary(op: UnaryOp, operand: Type) -> Type {
    match op {
        UnaryOp::Not | UnaryOp::Neg | UnaryOp::CountOnes | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
            int_width(operand);
        }
        UnaryOp::ByteSwap => assert_eq!(int_width(operand) % 8, 0, "a byte swap needs whole bytes"),
        UnaryOp::FloatNeg
        | UnaryOp::FloatAbs
        | UnaryOp::FloatSqrt(_)
        | UnaryOp::FloatRoundToIntegral(_)
        | UnaryOp::FloatIsNan
        | UnaryOp::FloatIsInfinite
        | UnaryOp::FloatIsZero
        | UnaryOp::FloatIsNormal
        | UnaryOp::FloatIsSubnormal
        | UnaryOp::FloatIsNegative => {
            float_format(operand);
        }
    }
    eval::unary_type(op, operand)
}

fn of_binary(op: BinaryOp, a: Type, b: Type) -> Type {
    assert_eq!(a, b, "operands of {op:?} have equal types");
    if is_float_operator(op) {
        float_format(a);
    } else {
        int_width(a);
    }
    eval::binary_type(op, a)
}

fn of_ternary(terms: &Terms, op: TernaryOp, a: TermId, b: TermId, c: TermId) -> Sort {
    match op {
        TernaryOp::FloatFma(_) => {
            float_format(terms.ty(a));
            assert!(terms.ty(a) == terms.ty(b) && terms.ty(a) == terms.ty(c), "operands of fma have equal types");
            terms.sort(a)
        }
        TernaryOp::Select => {
            assert_eq!(terms.ty(a), Type::BOOL, "a condition is a boolean");
            assert_eq!(terms.sort(b), terms.sort(c), "both branches have equal sorts");
            terms.sort(b)
        }
    }
}

fn of_conversion(op: Conversion, operand: Type) -> Type {
    let (from_int, fits) = match op {
        Conversion::ZeroExtend(width) | Conversion::SignExtend(width) => (true, width >= operand.width()),
        Conversion::Truncate(width) => (true, width >= 1 && width <= operand.width()),
        Conversion::SignedToFloat(..) | Conversion::UnsignedToFloat(..) => (true, true),
        Conversion::BitsToFloat(format) => (true, operand.width() == format.width()),
        Conversion::FloatToSigned(..) | Conversion::FloatToUnsigned(..) => (false, true),
        Conversion::FloatToFloat(..) | Conversion::FloatToBits => (false, true),
    };
    assert!(operand.is_int() == from_int && fits, "{op:?} does not apply to {operand:?}");
    eval::convert_type(op, operand)
}

/// Whether an operator of two operands works on floats.
fn is_float_operator(op: BinaryOp) -> bool {
    matches!(
        op,
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
            | BinaryOp::FloatLe
    )
}

fn int_width(ty: Type) -> u8 {
    match ty {
        Type::Int(width) => width,
        Type::Float(_) => panic!("an integer operator got a float"),
    }
}

fn float_format(ty: Type) -> Format {
    match ty {
        Type::Float(format) => format,
        Type::Int(_) => panic!("a float operator got an integer"),
    }
}

fn array_widths(terms: &Terms, array: TermId) -> (u8, u8) {
    match terms.sort(array) {
        Sort::Array { index, element } => (index.width(), element.width()),
        Sort::Scalar(_) => panic!("an array operator got a scalar"),
    }
}
