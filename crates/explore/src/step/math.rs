//! math.h: functions that C or IEEE 754 defines exactly become terms, the others are sampled.
//!
//! A name is looked up without the suffix of its type (`f`, `l`), and without the underscores that the C library puts before
//! those behind macros; formats come from the arguments. Exact functions are put together from `scalar`'s operators in `exact`, those
//! about exponents in `scale`. Transcendental functions have no exact term: see `sampled`.
//!
//! Not done: `errno` and exception flags stay as they are; `remquo`, `nexttoward`, `scalb` and the functions of complex
//! numbers are unknown.

mod exact;
mod sampled;
mod scale;

use clew_execute::transcendental;
use clew_ir::Type;
use clew_scalar::{BinaryOp, Format, Rounding, UnaryOp};

use super::Step;
use super::library::Call;
use crate::ending::PathEnd;
use crate::value::{self, Scalar, Val};
use crate::{Explorer, Path};

/// A function of math.h that has an exact term.
#[derive(Clone, Copy, Debug)]
enum Exact {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Fma,
    CopySign,
    Difference,
    Next,
    /// A truth value as an `int`.
    Question(UnaryOp),
    Finite,
    SignBit,
    InfiniteSign,
    Classify,
    /// To `long`, or to `long long`.
    Integer {
        long_long: bool,
        rounding: Rounding,
    },
    Scale,
    Fraction,
    Modulus,
    IntegerExponent,
    FloatExponent,
    Constant(fn(Format) -> u128),
}

/// The exact function of a name without suffix.
fn by_stem(stem: &str) -> Option<Exact> {
    let round = |rounding| Exact::Unary(UnaryOp::FloatRoundToIntegral(rounding));
    let integer = |long_long, rounding| Exact::Integer { long_long, rounding };
    Some(match stem {
        "fabs" => Exact::Unary(UnaryOp::FloatAbs),
        "sqrt" => Exact::Unary(UnaryOp::FloatSqrt(Rounding::NearestEven)),
        "trunc" => round(Rounding::Zero),
        "floor" => round(Rounding::Down),
        "ceil" => round(Rounding::Up),
        "rint" | "nearbyint" | "roundeven" => round(Rounding::NearestEven),
        "round" => round(Rounding::NearestAway),
        "fmod" => Exact::Binary(BinaryOp::FloatMod),
        "remainder" | "drem" => Exact::Binary(BinaryOp::FloatRem),
        "fmin" => Exact::Binary(BinaryOp::FloatMin),
        "fmax" => Exact::Binary(BinaryOp::FloatMax),
        "fma" => Exact::Fma,
        "copysign" => Exact::CopySign,
        "fdim" => Exact::Difference,
        "nextafter" => Exact::Next,
        "isnan" => Exact::Question(UnaryOp::FloatIsNan),
        "isnormal" => Exact::Question(UnaryOp::FloatIsNormal),
        "finite" | "isfinite" => Exact::Finite,
        "signbit" => Exact::SignBit,
        "isinf" => Exact::InfiniteSign,
        "fpclassify" => Exact::Classify,
        "lround" => integer(false, Rounding::NearestAway),
        "llround" => integer(true, Rounding::NearestAway),
        "lrint" => integer(false, Rounding::NearestEven),
        "llrint" => integer(true, Rounding::NearestEven),
        "ldexp" | "scalbn" | "scalbln" => Exact::Scale,
        "frexp" => Exact::Fraction,
        "modf" => Exact::Modulus,
        "ilogb" => Exact::IntegerExponent,
        "logb" => Exact::FloatExponent,
        "nan" => Exact::Constant(Format::canonical_nan),
        "inf" | "huge_val" => Exact::Constant(|format| format.infinity(false)),
        _ => return None,
    })
}

/// Functions of the C library behind macros of math.h, whose names begin with two underscores. Other such names belong to
/// the program, such as `__sin` in a library of its own.
const BEHIND_MACROS: [&str; 5] = ["isnan", "isinf", "finite", "signbit", "fpclassify"];

/// A name without what compilers and libraries put before it.
fn plain(name: &str) -> &str {
    let is_behind_macro = |own: &&str| BEHIND_MACROS.contains(&own.strip_suffix(['f', 'l']).unwrap_or(own));
    let library = || name.strip_prefix("__").filter(is_behind_macro);
    name.strip_prefix("__builtin_").or_else(library).unwrap_or(name)
}

/// The exact function of a name.
fn exact(name: &str) -> Option<Exact> {
    let name = plain(name);
    by_stem(name).or_else(|| by_stem(name.strip_suffix(['f', 'l'])?))
}

/// Whether a name is one of math.h that exploration knows.
pub(super) fn is_known(name: &str) -> bool {
    exact(name).is_some() || transcendental::arity(plain(name)).is_some()
}

impl Explorer<'_> {
    /// Calls a function of math.h.
    pub(super) fn math(&mut self, path: &mut Path, name: &str, call: &Call<'_>) -> Step<Option<Val>> {
        let Some(function) = exact(name) else { return self.sampled(path, name, call) };
        if let Exact::Constant(bits) = function {
            let format = constant_format(plain(name));
            return Ok(Some(exact::float(format, bits(format)).into()));
        }
        let a = self.argument(path, call, 0)?;
        let Some(format) = float_format(a.ty(self.constraints.terms())) else {
            return Err(PathEnd::Unsupported { what: format!("`{name}` of an integer"), span: call.span });
        };
        let result = match function {
            Exact::Fma => {
                let (b, c) = (self.argument(path, call, 1)?, self.argument(path, call, 2)?);
                let fused = clew_scalar::TernaryOp::FloatFma(Rounding::NearestEven);
                value::ternary(self.constraints.terms(), fused, a, b, c)
            }
            Exact::Binary(_) | Exact::CopySign | Exact::Difference | Exact::Next | Exact::Scale => {
                let b = self.argument(path, call, 1)?;
                exact::binary(self.constraints.terms(), function, format, a, b)
            }
            Exact::Fraction => {
                let (fraction, power) = scale::fraction(self.constraints.terms(), format, a);
                self.write_result(path, call, power)?;
                fraction
            }
            Exact::Modulus => {
                let (fraction, whole) = exact::modulus(self.constraints.terms(), format, a);
                self.write_result(path, call, whole)?;
                fraction
            }
            Exact::Integer { long_long, rounding } => {
                let width = if long_long { 64 } else { self.program.target.long_width };
                let conversion = clew_scalar::Conversion::FloatToSigned(width, rounding);
                value::convert(self.constraints.terms(), conversion, a)
            }
            _ => exact::unary(self.constraints.terms(), function, format, a),
        };
        Ok(Some(result.into()))
    }

    /// Writes the second result of a function where its second argument points to.
    fn write_result(&mut self, path: &mut Path, call: &Call<'_>, result: Scalar) -> Step {
        let pointer = self.pointer_argument(call, 1)?;
        let ty = match result.ty(self.constraints.terms()) {
            clew_scalar::Type::Int(width) => Type::Int(width),
            clew_scalar::Type::Float(format) => Type::Float(format),
        };
        let bytes = ty.bytes(self.program.target.pointer_width);
        let (object, at) = self.range(path, pointer, bytes, call.check, call.span)?;
        self.store_at(path, object, at, bytes, result.into())
    }
}

/// The format of `nan`, `inf`, `huge_val` with a suffix.
fn constant_format(name: &str) -> Format {
    match name {
        "nanf" | "inff" | "huge_valf" => Format::SINGLE,
        "nanl" | "infl" | "huge_vall" => Format::EXTENDED,
        _ => Format::DOUBLE,
    }
}

fn float_format(ty: clew_scalar::Type) -> Option<Format> {
    match ty {
        clew_scalar::Type::Float(format) => Some(format),
        clew_scalar::Type::Int(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Exact, exact};
    use clew_scalar::{Rounding, UnaryOp};

    #[test]
    fn suffixes_and_underscores_do_not_matter() {
        for name in ["floor", "floorf", "floorl", "__builtin_floor"] {
            let down = UnaryOp::FloatRoundToIntegral(Rounding::Down);
            assert!(matches!(exact(name), Some(Exact::Unary(op)) if op == down), "{name}");
        }
        assert!(matches!(exact("modf"), Some(Exact::Modulus)));
        assert!(matches!(exact("__isnanf"), Some(Exact::Question(UnaryOp::FloatIsNan))));
        assert!(exact("sin").is_none() && exact("flooring").is_none());
    }
}
