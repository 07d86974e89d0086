//! The operators of the workspace, by name.

use crate::format::Format;

/// IEEE rounding attributes. C code always runs under `NearestEven`; conversions to integers use `Zero`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rounding {
    /// To nearest, ties to even.
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Toward plus infinity.
    Up,
    /// Toward minus infinity.
    Down,
    /// Toward zero.
    Zero,
}

/// Operators of one operand whose result has the operand's type, or `Int(1)` for the classifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOp {
    /// Bitwise complement (logical negation at width 1).
    Not,
    /// Two's complement negation.
    Neg,
    /// Number of one bits.
    CountOnes,
    /// Number of leading zero bits (the width for zero).
    LeadingZeros,
    /// Number of trailing zero bits (the width for zero).
    TrailingZeros,
    /// Bytes in reverse order; the width is a multiple of 8.
    ByteSwap,
    /// Sign bit flipped, NaN included.
    FloatNeg,
    /// Sign bit cleared, NaN included.
    FloatAbs,
    /// Correctly rounded square root.
    FloatSqrt(Rounding),
    /// Nearest integral value of the same format in the given direction.
    FloatRoundToIntegral(Rounding),
    /// `Int(1)`: is NaN.
    FloatIsNan,
    /// `Int(1)`: is plus or minus infinity.
    FloatIsInfinite,
    /// `Int(1)`: is a zero of either sign.
    FloatIsZero,
    /// `Int(1)`: is normal.
    FloatIsNormal,
    /// `Int(1)`: is subnormal.
    FloatIsSubnormal,
    /// `Int(1)`: sign bit set and not NaN.
    FloatIsNegative,
}

/// Operators of two operands of equal type (for shifts too). Comparisons give `Int(1)`, the others the operand's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    /// Wrapping sum.
    Add,
    /// Wrapping difference.
    Sub,
    /// Wrapping product.
    Mul,
    /// Unsigned quotient; all ones when dividing by zero.
    UDiv,
    /// Signed quotient truncated toward zero; `MIN / -1` wraps; `x / 0` is 1 for negative `x`, otherwise -1.
    SDiv,
    /// Unsigned remainder; the dividend when dividing by zero.
    URem,
    /// Signed remainder with the sign of the dividend; the dividend when dividing by zero.
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Left shift; zero when the amount is the width or more.
    Shl,
    /// Logical right shift; zero when the amount is the width or more.
    LShr,
    /// Arithmetic right shift; all sign bits when the amount is the width or more.
    AShr,
    /// Equal bits (integers).
    Eq,
    /// Different bits (integers).
    Ne,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Signed less.
    Slt,
    /// Signed less or equal.
    Sle,
    /// Float sum.
    FloatAdd(Rounding),
    /// Float difference.
    FloatSub(Rounding),
    /// Float product.
    FloatMul(Rounding),
    /// Float quotient.
    FloatDiv(Rounding),
    /// C `fmod`: exact remainder with the sign of the dividend.
    FloatMod,
    /// IEEE remainder (C `remainder`, SMT-LIB `fp.rem`): exact, quotient to nearest even.
    FloatRem,
    /// C `fmin`: the other operand when one is NaN; `-0` is less than `+0`.
    FloatMin,
    /// C `fmax`: the other operand when one is NaN; `-0` is less than `+0`.
    FloatMax,
    /// IEEE equality: false on NaN, true on zeros of different sign.
    FloatEq,
    /// IEEE less: false on NaN.
    FloatLt,
    /// IEEE less or equal: false on NaN.
    FloatLe,
}

/// Operators of three operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TernaryOp {
    /// Fused multiply-add: `a * b + c` rounded once.
    FloatFma(Rounding),
    /// `Int(1)` condition, then-value, else-value.
    Select,
}

/// Operators that change the type; the result type is the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Conversion {
    /// Integer to a wider integer, zeros above.
    ZeroExtend(u8),
    /// Integer to a wider integer, copies of the sign above.
    SignExtend(u8),
    /// Integer to a narrower integer: the low bits.
    Truncate(u8),
    /// Signed integer to float.
    SignedToFloat(Format, Rounding),
    /// Unsigned integer to float.
    UnsignedToFloat(Format, Rounding),
    /// Float to signed integer of the given width. Out of range and NaN give the x86 indefinite value: only the sign
    /// bit set.
    FloatToSigned(u8, Rounding),
    /// Float to unsigned integer of the given width. Where the rounded number is out of range: if it is negative and in
    /// the range of the signed integer of the same width, it wraps (what gcc's x86-64 code gives at every width);
    /// otherwise, and for NaN, all ones.
    FloatToUnsigned(u8, Rounding),
    /// Float to another format. A NaN stays a NaN.
    FloatToFloat(Format, Rounding),
    /// Integer bits read as a float of the same width.
    BitsToFloat(Format),
    /// Float read as the integer of the same width.
    FloatToBits,
}
