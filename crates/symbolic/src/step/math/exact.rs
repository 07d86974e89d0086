//! Terms of the functions that C or IEEE 754 defines exactly.

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, TernaryOp, Type, UnaryOp, Value};
use clew_solver::term::Terms;

use super::{Exact, scale};
use crate::encoding;
use crate::value::{self, Scalar};

/// Rounding to nearest even, as C programs run.
const NEAREST: Rounding = Rounding::NearestEven;

/// A function of one float.
pub(super) fn unary(terms: &mut Terms, function: Exact, format: Format, a: Scalar) -> Scalar {
    match function {
        Exact::Unary(op) => value::unary(terms, op, a),
        Exact::Question(op) => question(terms, op, a),
        Exact::Finite => {
            let (nan, infinite) =
                (value::unary(terms, UnaryOp::FloatIsNan, a), value::unary(terms, UnaryOp::FloatIsInfinite, a));
            let either = value::binary(terms, BinaryOp::Or, nan, infinite);
            let finite = value::not(terms, either);
            value::convert(terms, Conversion::ZeroExtend(32), finite)
        }
        Exact::SignBit => {
            let negative = sign_bit(terms, format, a);
            value::convert(terms, Conversion::ZeroExtend(32), negative)
        }
        Exact::InfiniteSign => {
            let infinite = value::unary(terms, UnaryOp::FloatIsInfinite, a);
            let negative = sign_bit(terms, format, a);
            let sign = select(terms, negative, Scalar::int(32, u128::MAX), Scalar::int(32, 1));
            select(terms, infinite, sign, Scalar::int(32, 0))
        }
        Exact::Classify => classify(terms, a),
        Exact::IntegerExponent => scale::integer_exponent(terms, format, a),
        Exact::FloatExponent => scale::float_exponent(terms, format, a),
        _ => unreachable!("{function:?} takes more than a float"),
    }
}

/// A function of a float and a second argument.
pub(super) fn binary(terms: &mut Terms, function: Exact, format: Format, a: Scalar, b: Scalar) -> Scalar {
    match function {
        Exact::Binary(op) => value::binary(terms, op, a, b),
        Exact::CopySign => copy_sign(terms, format, a, b),
        Exact::Difference => {
            let below = value::binary(terms, BinaryOp::FloatLe, a, b);
            let difference = value::binary(terms, BinaryOp::FloatSub(NEAREST), a, b);
            select(terms, below, float(format, format.zero(false)), difference)
        }
        Exact::Next => next(terms, format, a, b),
        Exact::Scale => scale::scaled(terms, format, a, b),
        _ => unreachable!("{function:?} does not take two arguments"),
    }
}

/// `modf`: the fraction, with the sign of `a`, and the integral part.
pub(super) fn modulus(terms: &mut Terms, format: Format, a: Scalar) -> (Scalar, Scalar) {
    let whole = value::unary(terms, UnaryOp::FloatRoundToIntegral(Rounding::Zero), a);
    let rest = value::binary(terms, BinaryOp::FloatSub(NEAREST), a, whole);
    let infinite = value::unary(terms, UnaryOp::FloatIsInfinite, a);
    let rest = select(terms, infinite, float(format, format.zero(false)), rest);
    (copy_sign(terms, format, rest, a), whole)
}

/// A known float.
pub(super) fn float(format: Format, bits: u128) -> Scalar {
    Scalar::Known(Value::new(Type::Float(format), bits))
}

/// `condition ? then : otherwise`
pub(super) fn select(terms: &mut Terms, condition: Scalar, then: Scalar, otherwise: Scalar) -> Scalar {
    value::ternary(terms, TernaryOp::Select, condition, then, otherwise)
}

fn question(terms: &mut Terms, op: UnaryOp, a: Scalar) -> Scalar {
    let answer = value::unary(terms, op, a);
    value::convert(terms, Conversion::ZeroExtend(32), answer)
}

/// The sign bit, of a NaN too.
fn sign_bit(terms: &mut Terms, format: Format, a: Scalar) -> Scalar {
    let bits = value::convert(terms, Conversion::FloatToBits, a);
    value::binary(terms, BinaryOp::Slt, bits, Scalar::int(format.width(), 0))
}

fn copy_sign(terms: &mut Terms, format: Format, magnitude: Scalar, sign: Scalar) -> Scalar {
    let positive = value::unary(terms, UnaryOp::FloatAbs, magnitude);
    let negative = value::unary(terms, UnaryOp::FloatNeg, positive);
    let is_negative = sign_bit(terms, format, sign);
    select(terms, is_negative, negative, positive)
}

/// The numbers of glibc: NaN, infinite, zero, subnormal, normal.
fn classify(terms: &mut Terms, a: Scalar) -> Scalar {
    let classes = [UnaryOp::FloatIsSubnormal, UnaryOp::FloatIsZero, UnaryOp::FloatIsInfinite, UnaryOp::FloatIsNan];
    (0..).zip(classes).fold(Scalar::int(32, 4), |answer, (step, class)| {
        let holds = value::unary(terms, class, a);
        select(terms, holds, Scalar::int(32, 3 - step), answer)
    })
}

/// `nextafter`: the neighbour of `a` in the direction of `b`. Bits of floats of one sign are ordered like integers.
fn next(terms: &mut Terms, format: Format, a: Scalar, b: Scalar) -> Scalar {
    let bits = encoding::bits_of_number(terms, a);
    let one = Scalar::int(format.width(), 1);
    let (more, less) = (value::binary(terms, BinaryOp::Add, bits, one), value::binary(terms, BinaryOp::Sub, bits, one));
    let up = value::binary(terms, BinaryOp::FloatLt, a, b);
    let negative = sign_bit(terms, format, a);
    let outwards = value::binary(terms, BinaryOp::Ne, up, negative);
    let stepped = select(terms, outwards, more, less);
    let stepped = value::convert(terms, Conversion::BitsToFloat(format), stepped);
    let (least_up, least_down) = (format.min_subnormal(false), format.min_subnormal(true));
    let from_zero = select(terms, up, float(format, least_up), float(format, least_down));
    let zero = value::unary(terms, UnaryOp::FloatIsZero, a);
    let other = select(terms, zero, from_zero, stepped);
    let equal = value::binary(terms, BinaryOp::FloatEq, a, b);
    let (a_nan, b_nan) = (value::unary(terms, UnaryOp::FloatIsNan, a), value::unary(terms, UnaryOp::FloatIsNan, b));
    let stays = value::binary(terms, BinaryOp::Or, equal, b_nan);
    let moved = select(terms, stays, b, other);
    select(terms, a_nan, a, moved)
}

#[cfg(test)]
mod tests {
    use super::{binary, float, modulus, unary};
    use crate::step::math::{Exact, scale};
    use crate::value::Scalar;
    use clew_library::Operation;
    use clew_library::math::Math;
    use clew_scalar::Format;
    use clew_solver::term::Terms;

    const LEAST: f64 = f64::from_bits(1);

    fn double(value: f64) -> Scalar {
        float(Format::DOUBLE, u128::from(value.to_bits()))
    }

    fn back(scalar: Scalar) -> f64 {
        f64::from_bits(scalar.bits().expect("computed from known values") as u64)
    }

    fn exact(name: &str) -> Option<Exact> {
        match clew_library::lookup(name)?.operation()? {
            Operation::Math(Math::Exact(exact)) => Some(exact),
            _ => None,
        }
    }

    fn one(name: &str, a: f64) -> Scalar {
        unary(&mut Terms::new(), exact(name).expect("known"), Format::DOUBLE, double(a))
    }

    fn two(name: &str, a: f64, b: Scalar) -> f64 {
        back(binary(&mut Terms::new(), exact(name).expect("known"), Format::DOUBLE, double(a), b))
    }

    #[test]
    fn neighbours() {
        for (a, b) in [(0.0, 1.0), (-0.0, 1.0), (1.0, 2.0), (-1.0, 2.0), (LEAST, 1.0), (f64::MAX, f64::INFINITY)] {
            assert_eq!(two("nextafter", a, double(b)).to_bits(), a.next_up().to_bits(), "{a} up");
            assert_eq!(two("nextafter", -a, double(-b)).to_bits(), (-a).next_down().to_bits(), "{a} down");
        }
        assert!(two("nextafter", f64::NAN, double(1.0)).is_nan() && two("nextafter", 1.0, double(f64::NAN)).is_nan());
        assert_eq!(two("nextafter", 0.0, double(-0.0)).to_bits(), (-0.0f64).to_bits());
    }

    #[test]
    fn scaling_rounds_once() {
        let cases = [
            (1.0, -1074, LEAST),
            (1.5, -1074, 2.0 * LEAST),
            (0.75, -1074, LEAST),
            (0.5, -1074, 0.0),
            (f64::from_bits(0x3ff8_0000_0000_0001), -1074, 2.0 * LEAST),
            (LEAST, 2097, f64::from_bits(0x7fe0_0000_0000_0000)),
            (1.0, 1024, f64::INFINITY),
            (-1.0, -2_000_000_000, -0.0),
            (LEAST, 2_000_000_000, f64::INFINITY),
            (3.0, 4, 48.0),
        ];
        for (a, n, expected) in cases {
            let n = Scalar::int(32, i128::from(n) as u128);
            assert_eq!(two("ldexp", a, n).to_bits(), expected.to_bits(), "{a} {n:?}");
        }
    }

    #[test]
    fn fractions_and_exponents() {
        for (a, fraction, power) in [(1.0, 0.5, 1), (-12.0, -0.75, 4), (LEAST, 0.5, -1073), (0.0, 0.0, 0)] {
            let (got, exponent) = scale::fraction(&mut Terms::new(), Format::DOUBLE, double(a));
            assert_eq!((back(got), exponent.bits()), (fraction, Scalar::int(32, i128::from(power) as u128).bits()));
        }
        assert_eq!((back(one("logb", 12.0)), back(one("logb", LEAST))), (3.0, -1074.0));
        assert_eq!((back(one("logb", 0.0)), back(one("logb", f64::NEG_INFINITY))), (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(one("ilogb", 0.0).bits(), Some(0x8000_0000));
        assert_eq!(one("ilogb", f64::INFINITY).bits(), Some(0x7fff_ffff));
        let (rest, whole) = modulus(&mut Terms::new(), Format::DOUBLE, double(-2.5));
        assert_eq!((back(rest), back(whole)), (-0.5, -2.0));
        let (rest, _) = modulus(&mut Terms::new(), Format::DOUBLE, double(f64::NEG_INFINITY));
        assert_eq!(back(rest).to_bits(), (-0.0f64).to_bits());
    }

    #[test]
    fn classes() {
        let values = [f64::NAN, f64::INFINITY, -0.0, LEAST, 1.0];
        let classes = values.map(|value| one("fpclassify", value).bits().expect("known"));
        assert_eq!(classes, [0, 1, 2, 3, 4]);
        assert_eq!(one("isinf", f64::NEG_INFINITY).bits(), Some(0xffff_ffff));
        assert_eq!((one("signbit", -0.0).bits(), one("finite", f64::NAN).bits()), (Some(1), Some(0)));
        assert_eq!(two("copysign", f64::INFINITY, double(-0.0)), f64::NEG_INFINITY);
        assert_eq!((two("fdim", 3.0, double(1.0)), two("fdim", 1.0, double(3.0))), (2.0, 0.0));
    }
}
