//! `math.h`.
//!
//! What C or IEEE 754 defines exactly (roundings, remainders, square root, fused multiply-add, decomposition) is
//! computed by `scalar`, for every format. Transcendental functions of `float` and `double` are the host's; those of
//! `long double` are not supported.

use super::{Call, Plain, Reply, Trouble, int};
use clew_scalar::{BinaryOp, Format, Rounding, Type, UnaryOp, Value, eval, float};

/// Rounding to nearest even, as C programs run.
const NEAREST: Rounding = Rounding::NearestEven;

pub(super) const TABLE: &[(&str, Plain)] = &[
    ("acos", transcendental),
    ("acosf", transcendental),
    ("asin", transcendental),
    ("asinf", transcendental),
    ("atan", transcendental),
    ("atan2", transcendental),
    ("atan2f", transcendental),
    ("atanf", transcendental),
    ("cbrt", transcendental),
    ("cbrtf", transcendental),
    ("ceil", |call| round(call, Rounding::Up)),
    ("ceilf", |call| round(call, Rounding::Up)),
    ("ceill", |call| round(call, Rounding::Up)),
    ("copysign", copysign),
    ("copysignf", copysign),
    ("copysignl", copysign),
    ("cos", transcendental),
    ("cosf", transcendental),
    ("cosh", transcendental),
    ("coshf", transcendental),
    ("exp", transcendental),
    ("exp2", transcendental),
    ("exp2f", transcendental),
    ("expf", transcendental),
    ("expm1", transcendental),
    ("expm1f", transcendental),
    ("fabs", |call| unary(call, UnaryOp::FloatAbs)),
    ("fabsf", |call| unary(call, UnaryOp::FloatAbs)),
    ("fabsl", |call| unary(call, UnaryOp::FloatAbs)),
    ("fdim", fdim),
    ("fdimf", fdim),
    ("fdiml", fdim),
    ("finite", |call| classify(call, Format::is_finite)),
    ("floor", |call| round(call, Rounding::Down)),
    ("floorf", |call| round(call, Rounding::Down)),
    ("floorl", |call| round(call, Rounding::Down)),
    ("fma", fma),
    ("fmaf", fma),
    ("fmal", fma),
    ("fmax", |call| binary(call, BinaryOp::FloatMax)),
    ("fmaxf", |call| binary(call, BinaryOp::FloatMax)),
    ("fmaxl", |call| binary(call, BinaryOp::FloatMax)),
    ("fmin", |call| binary(call, BinaryOp::FloatMin)),
    ("fminf", |call| binary(call, BinaryOp::FloatMin)),
    ("fminl", |call| binary(call, BinaryOp::FloatMin)),
    ("fmod", |call| binary(call, BinaryOp::FloatMod)),
    ("fmodf", |call| binary(call, BinaryOp::FloatMod)),
    ("fmodl", |call| binary(call, BinaryOp::FloatMod)),
    ("frexp", frexp),
    ("frexpf", frexp),
    ("frexpl", frexp),
    ("hypot", transcendental),
    ("hypotf", transcendental),
    ("ilogb", ilogb),
    ("ilogbf", ilogb),
    ("ilogbl", ilogb),
    ("__finite", |call| classify(call, Format::is_finite)),
    ("__finitef", |call| classify(call, Format::is_finite)),
    ("__finitel", |call| classify(call, Format::is_finite)),
    ("__fpclassify", fpclassify),
    ("__fpclassifyf", fpclassify),
    ("__fpclassifyl", fpclassify),
    ("__isinf", isinf),
    ("__isinff", isinf),
    ("__isinfl", isinf),
    ("__isnan", |call| classify(call, Format::is_nan)),
    ("__isnanf", |call| classify(call, Format::is_nan)),
    ("__isnanl", |call| classify(call, Format::is_nan)),
    ("__signbit", |call| classify(call, Format::sign)),
    ("__signbitf", |call| classify(call, Format::sign)),
    ("__signbitl", |call| classify(call, Format::sign)),
    ("huge_val", |_| Ok(Some(Format::DOUBLE.infinity(false)))),
    ("huge_valf", |_| Ok(Some(Format::SINGLE.infinity(false)))),
    ("inf", |_| Ok(Some(Format::DOUBLE.infinity(false)))),
    ("inff", |_| Ok(Some(Format::SINGLE.infinity(false)))),
    ("isfinite", |call| classify(call, Format::is_finite)),
    ("isinf", isinf),
    ("isinf_sign", isinf),
    ("isnan", |call| classify(call, Format::is_nan)),
    ("isnormal", |call| classify(call, Format::is_normal)),
    ("ldexp", ldexp),
    ("ldexpf", ldexp),
    ("ldexpl", ldexp),
    ("llrint", |call| to_integer(call, NEAREST)),
    ("llrintf", |call| to_integer(call, NEAREST)),
    ("llrintl", |call| to_integer(call, NEAREST)),
    ("llround", |call| to_integer(call, Rounding::NearestAway)),
    ("llroundf", |call| to_integer(call, Rounding::NearestAway)),
    ("llroundl", |call| to_integer(call, Rounding::NearestAway)),
    ("log", transcendental),
    ("log10", transcendental),
    ("log10f", transcendental),
    ("log1p", transcendental),
    ("log1pf", transcendental),
    ("log2", transcendental),
    ("log2f", transcendental),
    ("logb", logb),
    ("logbf", logb),
    ("logbl", logb),
    ("logf", transcendental),
    ("lrint", |call| to_integer(call, NEAREST)),
    ("lrintf", |call| to_integer(call, NEAREST)),
    ("lrintl", |call| to_integer(call, NEAREST)),
    ("lround", |call| to_integer(call, Rounding::NearestAway)),
    ("lroundf", |call| to_integer(call, Rounding::NearestAway)),
    ("lroundl", |call| to_integer(call, Rounding::NearestAway)),
    ("modf", modf),
    ("modff", modf),
    ("modfl", modf),
    ("nan", |_| Ok(Some(Format::DOUBLE.canonical_nan()))),
    ("nanf", |_| Ok(Some(Format::SINGLE.canonical_nan()))),
    ("nanl", |_| Ok(Some(Format::EXTENDED.canonical_nan()))),
    ("nearbyint", |call| round(call, NEAREST)),
    ("nearbyintf", |call| round(call, NEAREST)),
    ("nearbyintl", |call| round(call, NEAREST)),
    ("nextafter", nextafter),
    ("nextafterf", nextafter),
    ("nextafterl", nextafter),
    ("pow", transcendental),
    ("powf", transcendental),
    ("remainder", |call| binary(call, BinaryOp::FloatRem)),
    ("remainderf", |call| binary(call, BinaryOp::FloatRem)),
    ("remainderl", |call| binary(call, BinaryOp::FloatRem)),
    ("rint", |call| round(call, NEAREST)),
    ("rintf", |call| round(call, NEAREST)),
    ("rintl", |call| round(call, NEAREST)),
    ("round", |call| round(call, Rounding::NearestAway)),
    ("roundf", |call| round(call, Rounding::NearestAway)),
    ("roundl", |call| round(call, Rounding::NearestAway)),
    ("scalbln", ldexp),
    ("scalblnf", ldexp),
    ("scalbn", ldexp),
    ("scalbnf", ldexp),
    ("scalbnl", ldexp),
    ("signbit", |call| classify(call, Format::sign)),
    ("signbitf", |call| classify(call, Format::sign)),
    ("signbitl", |call| classify(call, Format::sign)),
    ("sin", transcendental),
    ("sinf", transcendental),
    ("sinh", transcendental),
    ("sinhf", transcendental),
    ("sqrt", |call| unary(call, UnaryOp::FloatSqrt(NEAREST))),
    ("sqrtf", |call| unary(call, UnaryOp::FloatSqrt(NEAREST))),
    ("sqrtl", |call| unary(call, UnaryOp::FloatSqrt(NEAREST))),
    ("tan", transcendental),
    ("tanf", transcendental),
    ("tanh", transcendental),
    ("tanhf", transcendental),
    ("trunc", |call| round(call, Rounding::Zero)),
    ("truncf", |call| round(call, Rounding::Zero)),
    ("truncl", |call| round(call, Rounding::Zero)),
];

/// An argument that is a float, with its format.
fn operand(call: &Call<'_>, index: usize) -> Result<(Format, Value), Trouble> {
    let value = call.value(index)?;
    match value.ty {
        Type::Float(format) => Ok((format, value)),
        Type::Int(_) => Err(Trouble::Precondition("a floating argument is an integer".to_owned())),
    }
}

fn unary(call: &mut Call<'_>, op: UnaryOp) -> Reply {
    Ok(Some(eval::unary(op, operand(call, 0)?.1).bits))
}

fn binary(call: &mut Call<'_>, op: BinaryOp) -> Reply {
    Ok(Some(eval::binary(op, operand(call, 0)?.1, operand(call, 1)?.1).bits))
}

fn round(call: &mut Call<'_>, rounding: Rounding) -> Reply {
    unary(call, UnaryOp::FloatRoundToIntegral(rounding))
}

fn fma(call: &mut Call<'_>) -> Reply {
    let ((format, a), (_, b), (_, c)) = (operand(call, 0)?, operand(call, 1)?, operand(call, 2)?);
    Ok(Some(float::fma(format, NEAREST, a.bits, b.bits, c.bits)))
}

fn classify(call: &mut Call<'_>, holds: fn(Format, u128) -> bool) -> Reply {
    let (format, value) = operand(call, 0)?;
    int(i64::from(holds(format, value.bits)))
}

fn isinf(call: &mut Call<'_>) -> Reply {
    let (format, value) = operand(call, 0)?;
    let sign = if format.sign(value.bits) { -1 } else { 1 };
    int(if format.is_infinite(value.bits) { sign } else { 0 })
}

/// The numbers of glibc: NaN, infinite, zero, subnormal, normal.
fn fpclassify(call: &mut Call<'_>) -> Reply {
    let (format, value) = operand(call, 0)?;
    int(match value.bits {
        bits if format.is_nan(bits) => 0,
        bits if format.is_infinite(bits) => 1,
        bits if format.is_zero(bits) => 2,
        bits if format.is_subnormal(bits) => 3,
        _ => 4,
    })
}

fn copysign(call: &mut Call<'_>) -> Reply {
    let ((format, a), (_, b)) = (operand(call, 0)?, operand(call, 1)?);
    Ok(Some(format.magnitude(a.bits) | b.bits & format.sign_mask()))
}

fn fdim(call: &mut Call<'_>) -> Reply {
    let ((format, a), (_, b)) = (operand(call, 0)?, operand(call, 1)?);
    Ok(Some(if float::le(format, a.bits, b.bits) { 0 } else { float::sub(format, NEAREST, a.bits, b.bits) }))
}

fn nextafter(call: &mut Call<'_>) -> Reply {
    let ((format, a), (_, b)) = (operand(call, 0)?, operand(call, 1)?);
    Ok(Some(match (a.bits, b.bits) {
        (a, _) if format.is_nan(a) => a,
        (_, b) if format.is_nan(b) => b,
        (a, b) if float::eq(format, a, b) => b,
        (a, b) if format.is_zero(a) => format.min_subnormal(float::lt(format, b, a)),
        (a, b) if float::lt(format, a, b) => format.next_up(a),
        (a, _) => format.next_down(a),
    }))
}

fn to_integer(call: &mut Call<'_>, rounding: Rounding) -> Reply {
    let (format, value) = operand(call, 0)?;
    let width = if call.name.contains("ll") { 64 } else { call.memory.target().long_width };
    if !float::float_to_int_in_range(format, width, true, rounding, value.bits) {
        return Err(Trouble::Precondition(format!("{value} does not fit the result")));
    }
    Ok(Some(float::to_signed(format, width, rounding, value.bits)))
}

/// The exponent of a finite number other than zero: it lies in `[2^e, 2^(e+1))`.
fn exponent(format: Format, bits: u128) -> i32 {
    let (significand, scale) = super::decimal::unpack(format, bits);
    scale + 127 - significand.leading_zeros() as i32
}

/// `value * 2^power`, rounded once.
fn scaled(format: Format, bits: u128, power: i64) -> u128 {
    if !format.is_finite(bits) || format.is_zero(bits) {
        return bits;
    }
    let (significand, scale) = super::decimal::unpack(format, bits);
    let power = i64::from(scale) + power.clamp(-100_000, 100_000);
    super::decimal::nearest_binary(format, significand, power, false) | bits & format.sign_mask()
}

fn ldexp(call: &mut Call<'_>) -> Reply {
    let (format, value) = operand(call, 0)?;
    Ok(Some(scaled(format, value.bits, call.int(1)?)))
}

fn frexp(call: &mut Call<'_>) -> Reply {
    let (format, value) = operand(call, 0)?;
    let place = call.address(1)?;
    let special = !format.is_finite(value.bits) || format.is_zero(value.bits);
    let power = if special { 0 } else { exponent(format, value.bits) + 1 };
    call.memory.store(place, power.to_le_bytes())?;
    Ok(Some(scaled(format, value.bits, -i64::from(power))))
}

fn ilogb(call: &mut Call<'_>) -> Reply {
    let (format, value) = operand(call, 0)?;
    int(match value.bits {
        bits if format.is_zero(bits) || format.is_nan(bits) => i64::from(i32::MIN),
        bits if format.is_infinite(bits) => i64::from(i32::MAX),
        bits => i64::from(exponent(format, bits)),
    })
}

fn logb(call: &mut Call<'_>) -> Reply {
    let (format, value) = operand(call, 0)?;
    Ok(Some(match value.bits {
        bits if format.is_nan(bits) => bits,
        bits if format.is_infinite(bits) => format.infinity(false),
        bits if format.is_zero(bits) => format.infinity(true),
        bits => float::from_signed(format, NEAREST, exponent(format, bits).into()),
    }))
}

fn modf(call: &mut Call<'_>) -> Reply {
    let (format, value) = operand(call, 0)?;
    let place = call.address(1)?;
    let whole = float::round_to_integral(format, Rounding::Zero, value.bits);
    let bytes = usize::from(format.width().div_ceil(8));
    call.memory.store_number(place, bytes, crate::machine::to_memory(value.ty, whole))?;
    let sign = value.bits & format.sign_mask();
    if format.is_infinite(value.bits) {
        return Ok(Some(sign));
    }
    Ok(Some(format.magnitude(float::sub(format, NEAREST, value.bits, whole)) | sign))
}

/// A function that IEEE 754 does not define: the host's.
fn transcendental(call: &mut Call<'_>) -> Reply {
    let name = call.name.strip_prefix("__builtin_").unwrap_or(call.name);
    let computed = crate::transcendental::evaluate(name, call.args);
    let unsupported = || Trouble::Unsupported(format!("`{name}` of these arguments"));
    computed.map(|value| Some(value.bits)).ok_or_else(unsupported)
}
