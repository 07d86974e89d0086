//! Functions that IEEE 754 does not define exactly: the host's, for `float` and `double`.
//!
//! The C library of the host rounds them as it likes, and so does that of the program under test: what is computed here
//! is a prediction that native execution confirms or not.

use clew_scalar::{Format, Type, Value};

/// A function of one or two numbers, in double and in single precision.
#[derive(Clone, Copy)]
enum Host {
    One(fn(f64) -> f64, fn(f32) -> f32),
    Two(fn(f64, f64) -> f64, fn(f32, f32) -> f32),
}

const TABLE: &[(&str, Host)] = &[
    ("acos", Host::One(f64::acos, f32::acos)),
    ("asin", Host::One(f64::asin, f32::asin)),
    ("atan", Host::One(f64::atan, f32::atan)),
    ("atan2", Host::Two(f64::atan2, f32::atan2)),
    ("cbrt", Host::One(f64::cbrt, f32::cbrt)),
    ("cos", Host::One(f64::cos, f32::cos)),
    ("cosh", Host::One(f64::cosh, f32::cosh)),
    ("exp", Host::One(f64::exp, f32::exp)),
    ("exp2", Host::One(f64::exp2, f32::exp2)),
    ("expm1", Host::One(f64::exp_m1, f32::exp_m1)),
    ("hypot", Host::Two(f64::hypot, f32::hypot)),
    ("log", Host::One(f64::ln, f32::ln)),
    ("log10", Host::One(f64::log10, f32::log10)),
    ("log1p", Host::One(f64::ln_1p, f32::ln_1p)),
    ("log2", Host::One(f64::log2, f32::log2)),
    ("pow", Host::Two(f64::powf, f32::powf)),
    ("sin", Host::One(f64::sin, f32::sin)),
    ("sinh", Host::One(f64::sinh, f32::sinh)),
    ("tan", Host::One(f64::tan, f32::tan)),
    ("tanh", Host::One(f64::tanh, f32::tanh)),
];

/// The function of a name, with or without the suffix of `float`.
fn host(name: &str) -> Option<Host> {
    let find = |name: &str| TABLE.iter().find(|(known, _)| *known == name).map(|(_, host)| *host);
    find(name).or_else(|| find(name.strip_suffix('f')?))
}

/// How many arguments the function of a name takes; `None` if it is not known.
pub fn arity(name: &str) -> Option<usize> {
    host(name).map(|host| match host {
        Host::One(..) => 1,
        Host::Two(..) => 2,
    })
}

/// The result for known arguments; `None` if the function is not known in their format.
pub fn evaluate(name: &str, args: &[Value]) -> Option<Value> {
    let ty = args.first()?.ty;
    let bits = match (host(name)?, args, ty) {
        (Host::One(double, _), [a], Type::Float(Format::DOUBLE)) => u128::from(double(a.as_f64()).to_bits()),
        (Host::One(_, single), [a], Type::Float(Format::SINGLE)) => u128::from(single(a.as_f32()).to_bits()),
        (Host::Two(double, _), [a, b], Type::Float(Format::DOUBLE)) => {
            u128::from(double(a.as_f64(), b.as_f64()).to_bits())
        }
        (Host::Two(_, single), [a, b], Type::Float(Format::SINGLE)) => {
            u128::from(single(a.as_f32(), b.as_f32()).to_bits())
        }
        _ => return None,
    };
    Some(Value::new(ty, bits))
}

#[cfg(test)]
mod tests {
    use super::{arity, evaluate};
    use clew_scalar::{Format, Type, Value};

    #[test]
    fn names_and_formats() {
        assert_eq!((arity("sin"), arity("powf"), arity("floor")), (Some(1), Some(2), None));
        let one = Value::new(Type::Float(Format::SINGLE), u128::from(1f32.to_bits()));
        assert_eq!(evaluate("expf", &[one]).map(Value::as_f32), Some(1f32.exp()));
        assert_eq!(evaluate("sin", &[Value::int(32, 1)]), None);
    }
}
