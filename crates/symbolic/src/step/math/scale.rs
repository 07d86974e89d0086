//! Exponents: `ldexp` and its kin, `frexp`, `ilogb`, `logb`.

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, UnaryOp};
use clew_solver::term::Terms;

use super::exact::{float, select};
use crate::encoding;
use crate::value::{self, Scalar};

/// Width of the integers exponents are computed with.
const WIDTH: u8 = 32;

/// `a * 2^n`, rounded once.
///
/// Powers beyond the range of the format are multiplied in steps, after the C library musl: downwards the steps leave so
/// many bits that only the last one can round.
pub(super) fn scaled(terms: &mut Terms, format: Format, a: Scalar, n: Scalar) -> Scalar {
    let (most, least) = (format.emax(), format.emin());
    let down = least + i32::from(format.significand);
    let n = clamped(terms, n, 3 * least, 3 * most);
    let (mut scaled, mut n) = (a, value::convert(terms, Conversion::Truncate(WIDTH), n));
    for _ in 0..2 {
        let above = value::binary(terms, BinaryOp::Slt, int(most), n);
        let below = value::binary(terms, BinaryOp::Slt, n, int(least));
        let step = select(terms, below, power_of_two(format, down), power_of_two(format, 0));
        let step = select(terms, above, power_of_two(format, most), step);
        scaled = product(terms, scaled, step);
        let used = select(terms, below, int(down), int(0));
        let used = select(terms, above, int(most), used);
        n = value::binary(terms, BinaryOp::Sub, n, used);
    }
    let n = value::convert(terms, Conversion::SignExtend(64), n);
    let n = clamped(terms, n, least, most);
    let biased = value::binary(terms, BinaryOp::Add, n, Scalar::int(64, format.bias() as u128));
    let last = from_exponent(terms, format, biased);
    product(terms, scaled, last)
}

/// `frexp`: a fraction in `[0.5, 1)` and the power of two; zeros, infinities and NaNs stay, with power 0.
pub(super) fn fraction(terms: &mut Terms, format: Format, a: Scalar) -> (Scalar, Scalar) {
    let (normal, power) = exponent(terms, format, a);
    let bits = encoding::bits_of_number(terms, normal);
    let kept = Scalar::int(format.width(), format.sign_mask() | format.fraction_mask());
    let half = Scalar::int(format.width(), format.one(false) - format.min_normal(false));
    let kept = value::binary(terms, BinaryOp::And, bits, kept);
    let fraction = value::binary(terms, BinaryOp::Or, kept, half);
    let fraction = value::convert(terms, Conversion::BitsToFloat(format), fraction);
    let special = is_special(terms, a);
    let power = value::binary(terms, BinaryOp::Add, power, int(1));
    (select(terms, special, a, fraction), select(terms, special, int(0), power))
}

/// `ilogb`, with the special values of x86.
pub(super) fn integer_exponent(terms: &mut Terms, format: Format, a: Scalar) -> Scalar {
    let (_, power) = exponent(terms, format, a);
    let special = is_special(terms, a);
    let infinite = value::unary(terms, UnaryOp::FloatIsInfinite, a);
    let extreme = select(terms, infinite, int(i32::MAX), int(i32::MIN));
    select(terms, special, extreme, power)
}

/// `logb`
pub(super) fn float_exponent(terms: &mut Terms, format: Format, a: Scalar) -> Scalar {
    let (_, power) = exponent(terms, format, a);
    let power = value::convert(terms, Conversion::SignedToFloat(format, Rounding::NearestEven), power);
    let zero = value::unary(terms, UnaryOp::FloatIsZero, a);
    let infinite = value::unary(terms, UnaryOp::FloatIsInfinite, a);
    let nan = value::unary(terms, UnaryOp::FloatIsNan, a);
    let result = select(terms, zero, float(format, format.infinity(true)), power);
    let result = select(terms, infinite, float(format, format.infinity(false)), result);
    select(terms, nan, a, result)
}

/// A finite number other than zero as a normal number with the same significand, and its exponent: it lies in
/// `[2^e, 2^(e+1))`.
fn exponent(terms: &mut Terms, format: Format, a: Scalar) -> (Scalar, Scalar) {
    let lift = i32::from(format.significand);
    let subnormal = value::unary(terms, UnaryOp::FloatIsSubnormal, a);
    let lifted = product(terms, a, power_of_two(format, lift));
    let normal = select(terms, subnormal, lifted, a);
    let bits = encoding::bits_of_number(terms, normal);
    let low = format.significand - 1;
    let field = value::extract(terms, low + format.exponent - 1, low, bits);
    let field = value::convert(terms, Conversion::ZeroExtend(WIDTH), field);
    let bias = select(terms, subnormal, int(format.bias() + lift), int(format.bias()));
    (normal, value::binary(terms, BinaryOp::Sub, field, bias))
}

/// Whether a float is a zero, an infinity or a NaN.
fn is_special(terms: &mut Terms, a: Scalar) -> Scalar {
    let zero = value::unary(terms, UnaryOp::FloatIsZero, a);
    let infinite = value::unary(terms, UnaryOp::FloatIsInfinite, a);
    let nan = value::unary(terms, UnaryOp::FloatIsNan, a);
    let either = value::binary(terms, BinaryOp::Or, zero, infinite);
    value::binary(terms, BinaryOp::Or, either, nan)
}

/// A signed integer of any width, as one of 64 bits between bounds.
fn clamped(terms: &mut Terms, n: Scalar, least: i32, most: i32) -> Scalar {
    let n = if n.ty(terms).width() < 64 { value::convert(terms, Conversion::SignExtend(64), n) } else { n };
    let bound = |bound: i32| Scalar::int(64, i128::from(bound) as u128);
    let below = value::binary(terms, BinaryOp::Slt, n, bound(least));
    let above = value::binary(terms, BinaryOp::Slt, bound(most), n);
    let raised = select(terms, below, bound(least), n);
    select(terms, above, bound(most), raised)
}

fn product(terms: &mut Terms, a: Scalar, b: Scalar) -> Scalar {
    value::binary(terms, BinaryOp::FloatMul(Rounding::NearestEven), a, b)
}

/// The power of two with a biased exponent that is in the range of normal numbers.
fn from_exponent(terms: &mut Terms, format: Format, biased: Scalar) -> Scalar {
    let width = format.width();
    let wide = match width {
        0..64 => value::convert(terms, Conversion::Truncate(width), biased),
        64 => biased,
        _ => value::convert(terms, Conversion::ZeroExtend(width), biased),
    };
    let amount = Scalar::int(width, u128::from(format.significand - 1));
    let bits = value::binary(terms, BinaryOp::Shl, wide, amount);
    value::convert(terms, Conversion::BitsToFloat(format), bits)
}

fn power_of_two(format: Format, power: i32) -> Scalar {
    float(format, ((power + format.bias()) as u128) << (format.significand - 1))
}

fn int(number: i32) -> Scalar {
    Scalar::int(WIDTH, i128::from(number) as u128)
}
