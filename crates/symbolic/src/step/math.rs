//! math.h: functions that C or IEEE 754 defines exactly become terms, the others are sampled.
//!
//! Names are the matter of the table of the library; formats come from the arguments. Exact functions are put together from `scalar`'s operators in `exact`, those
//! about exponents in `scale`. Transcendental functions have no exact term: see `sampled`.
//!
//! Not done: `errno` and exception flags stay as they are; `remquo`, `nexttoward`, `scalb` and the functions of complex
//! numbers are unknown.

mod exact;
mod sampled;
mod scale;

use clew_ir::Type;
use clew_library::math::{Exact, Math};
use clew_scalar::{Format, Rounding};

use super::library::Call;
use crate::ending::PathEnd;
use crate::path::Path;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Scalar, Val};

impl Stepper<'_> {
    /// Calls a function of math.h.
    pub(super) fn math(&mut self, path: &mut Path, name: &str, function: Math, call: &Call<'_>) -> Step<Option<Val>> {
        let function = match function {
            Math::Exact(exact) => exact,
            Math::Transcendental(arity) => return self.sampled(path, name, arity, call),
        };
        let format = constant_format(clew_library::plain(name));
        match function {
            Exact::Nan => return Ok(Some(exact::float(format, format.canonical_nan()).into())),
            Exact::Infinity => return Ok(Some(exact::float(format, format.infinity(false)).into())),
            _ => {}
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

/// The format of a constant, by how its name differs from the name of the row.
fn constant_format(name: &str) -> Format {
    let row = clew_library::lookup(name);
    let is_plain = row.is_none_or(|row| row.name == name || row.aliases.contains(&name));
    match name.chars().last().filter(|_| !is_plain) {
        Some('f') => Format::SINGLE,
        Some('l') => Format::EXTENDED,
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
    use super::constant_format;
    use clew_scalar::Format;

    #[test]
    fn suffixes_give_the_format() {
        let expected = [
            ("inf", Format::DOUBLE),
            ("inff", Format::SINGLE),
            ("nanl", Format::EXTENDED),
            ("huge_val", Format::DOUBLE),
            ("huge_valf", Format::SINGLE),
        ];
        for (name, format) in expected {
            assert_eq!(constant_format(name), format, "{name}");
        }
    }
}
