//! Functions of math.h: those that C or IEEE 754 defines exactly, and the others.

use clew_scalar::{BinaryOp, Rounding, UnaryOp};

/// How a function of math.h is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Math {
    /// By operators of `scalar`.
    Exact(Exact),
    /// By the host, for known arguments: so many.
    Transcendental(usize),
}

/// A function of math.h that has an exact term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exact {
    /// An operator of one float.
    Unary(UnaryOp),
    /// An operator of two floats.
    Binary(BinaryOp),
    /// `a * b + c`, rounded once.
    Fma,
    /// The magnitude of one float with the sign of another.
    CopySign,
    /// The positive difference.
    Difference,
    /// The next float in a direction.
    Next,
    /// A truth value as an `int`.
    Question(UnaryOp),
    /// Whether a float is neither infinite nor NaN.
    Finite,
    /// Whether the sign bit is set.
    SignBit,
    /// Whether a float is infinite, with its sign.
    InfiniteSign,
    /// The class of a float.
    Classify,
    /// To `long`, or to `long long`.
    Integer {
        /// Whether the result is a `long long`.
        long_long: bool,
        /// How it is rounded.
        rounding: Rounding,
    },
    /// A float times a power of two.
    Scale,
    /// Fraction and exponent.
    Fraction,
    /// Fraction and whole part.
    Modulus,
    /// The exponent as an `int`.
    IntegerExponent,
    /// The exponent as a float.
    FloatExponent,
    /// A quiet NaN.
    Nan,
    /// Positive infinity.
    Infinity,
}
