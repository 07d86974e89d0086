//! Functions of math.h.
//!
//! Not here: `remquo`, `nexttoward`, `scalb` and the functions of complex numbers, which nothing computes.

use crate::Function;
use crate::math::{Exact, Math};
use crate::row::{Operation, Requirement, Size, Write};
use clew_scalar::{BinaryOp, Rounding, UnaryOp};

/// A function with an exact term.
const fn exact(name: &'static str, exact: Exact) -> Function {
    Function::new(name, "math.h").variants(&["f", "l"]).engine(Operation::Math(Math::Exact(exact)))
}

/// A function that rounds to an integral float.
const fn rounds(name: &'static str, rounding: Rounding) -> Function {
    exact(name, Exact::Unary(UnaryOp::FloatRoundToIntegral(rounding)))
}

/// A function that rounds to an integer.
const fn integer(name: &'static str, long_long: bool, rounding: Rounding) -> Function {
    exact(name, Exact::Integer { long_long, rounding })
}

/// A function that the host computes, of so many arguments.
const fn host(name: &'static str, arity: usize) -> Function {
    Function::new(name, "math.h").variants(&["f"]).engine(Operation::Math(Math::Transcendental(arity))).sets_errno()
}

const SECOND_RESULT: &[Requirement] = &[Requirement::Writable(1, Size::Target)];
const WRITES_SECOND: &[Write] = &[Write(1, Size::Target)];

pub(super) const ROWS: &[Function] = &[
    exact("fabs", Exact::Unary(UnaryOp::FloatAbs)),
    exact("sqrt", Exact::Unary(UnaryOp::FloatSqrt(Rounding::NearestEven))),
    rounds("trunc", Rounding::Zero),
    rounds("floor", Rounding::Down),
    rounds("ceil", Rounding::Up),
    rounds("rint", Rounding::NearestEven).also(&["nearbyint", "roundeven"]),
    rounds("round", Rounding::NearestAway),
    exact("fmod", Exact::Binary(BinaryOp::FloatMod)),
    exact("remainder", Exact::Binary(BinaryOp::FloatRem)).also(&["drem"]),
    exact("fmin", Exact::Binary(BinaryOp::FloatMin)),
    exact("fmax", Exact::Binary(BinaryOp::FloatMax)),
    exact("fma", Exact::Fma),
    exact("copysign", Exact::CopySign),
    exact("fdim", Exact::Difference),
    exact("nextafter", Exact::Next),
    exact("isnan", Exact::Question(UnaryOp::FloatIsNan)).also(&["__isnan"]),
    exact("isnormal", Exact::Question(UnaryOp::FloatIsNormal)),
    exact("finite", Exact::Finite).also(&["__finite", "isfinite"]),
    exact("signbit", Exact::SignBit).also(&["__signbit"]),
    exact("isinf", Exact::InfiniteSign).also(&["__isinf", "isinf_sign"]),
    exact("fpclassify", Exact::Classify).also(&["__fpclassify"]),
    integer("lround", false, Rounding::NearestAway),
    integer("llround", true, Rounding::NearestAway),
    integer("lrint", false, Rounding::NearestEven),
    integer("llrint", true, Rounding::NearestEven),
    exact("ldexp", Exact::Scale).also(&["scalbn", "scalbln"]),
    exact("frexp", Exact::Fraction).requires(SECOND_RESULT).writes(WRITES_SECOND),
    exact("modf", Exact::Modulus).requires(SECOND_RESULT).writes(WRITES_SECOND),
    exact("ilogb", Exact::IntegerExponent),
    exact("logb", Exact::FloatExponent),
    exact("nan", Exact::Nan),
    exact("inf", Exact::Infinity).also(&["huge_val"]),
    host("acos", 1),
    host("asin", 1),
    host("atan", 1),
    host("atan2", 2),
    host("cbrt", 1),
    host("cos", 1),
    host("cosh", 1),
    host("exp", 1),
    host("exp2", 1),
    host("expm1", 1),
    host("hypot", 2),
    host("log", 1),
    host("log10", 1),
    host("log1p", 1),
    host("log2", 1),
    host("pow", 2),
    host("sin", 1),
    host("sinh", 1),
    host("tan", 1),
    host("tanh", 1),
];
