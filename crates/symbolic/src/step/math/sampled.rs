//! Transcendental functions: black boxes known by their values alone.
//!
//! Such a function is evaluated for known arguments. An argument that depends on the input is given the value it has
//! under the current model, and one alternative is left open for each of a few samples: landmarks of the format,
//! multiples of parts of pi, powers of ten. The path then goes on with the inputs for which the argument has that value. What samples do not reach may still be reachable: the
//! limit [`Limit::Samples`] withholds every proof that rests on such a path.

use clew_execute::transcendental;
use clew_scalar::{Conversion, Format, Type, Value};

use super::{Call, Step, float_format};
use crate::encoding;
use crate::ending::{Limit, PathEnd};
use crate::path::{Open, Path, Resume};
use crate::policy;
use crate::stepper::Stepper;
use crate::value::{self, Scalar, Val};

/// Arguments tried, in double precision.
const SAMPLES: [f64; 34] = [
    1.0,
    -1.0,
    0.0,
    2.0,
    0.5,
    -2.0,
    -0.5,
    10.0,
    -10.0,
    100.0,
    1000.0,
    -1000.0,
    std::f64::consts::FRAC_PI_6,
    std::f64::consts::FRAC_PI_4,
    std::f64::consts::FRAC_PI_3,
    std::f64::consts::FRAC_PI_2,
    std::f64::consts::PI,
    3.0 * std::f64::consts::FRAC_PI_2,
    std::f64::consts::TAU,
    -std::f64::consts::FRAC_PI_4,
    -std::f64::consts::FRAC_PI_2,
    -std::f64::consts::PI,
    std::f64::consts::E,
    0.1,
    0.01,
    1e-10,
    1e10,
    -1e10,
    700.0,
    f64::MAX,
    f64::MIN_POSITIVE,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

impl Stepper<'_> {
    /// Calls a function that is known by its values alone.
    pub(super) fn sampled(&mut self, path: &mut Path, name: &str, arity: usize, call: &Call<'_>) -> Step<Option<Val>> {
        let unsupported = |what: String| PathEnd::Unsupported { what, span: call.span };
        let args = (0..arity).map(|position| self.argument(path, call, position)).collect::<Step<Vec<_>>>()?;
        self.leave_samples_open(path, &args);
        let known = args.iter().map(|arg| self.fix(path, *arg)).collect::<Vec<Value>>();
        let result = transcendental::evaluate(clew_library::plain(name), &known);
        let result = result.ok_or_else(|| unsupported(format!("`{name}` of these arguments")))?;
        Ok(Some(Scalar::Known(result).into()))
    }

    /// Goes on with the inputs for which an argument has the value it has now.
    fn fix(&mut self, path: &mut Path, arg: Scalar) -> Value {
        let Scalar::Term(term) = arg else { return arg.known().expect("a scalar is known or a term") };
        self.effects.limits.insert(Limit::Samples);
        path.state.choices.sampled.insert(term);
        let bits = self.constraints.value(&path.model, term);
        let value = Value::new(arg.ty(self.constraints.terms()), bits);
        if let Some(equal) = self.equals(arg, value) {
            path.state.condition.push_back(equal);
        }
        value
    }

    /// Leaves one alternative open for each sample of the arguments, unless they were chosen already.
    fn leave_samples_open(&mut self, path: &Path, args: &[Scalar]) {
        let symbolic: Vec<Scalar> = args.iter().copied().filter(|arg| arg.known().is_none()).collect();
        let chosen = |arg: &Scalar| matches!(arg, Scalar::Term(term) if path.state.choices.sampled.contains(term));
        if path.state.repeats || symbolic.iter().all(chosen) {
            return;
        }
        let samples = if symbolic.len() == 1 { SAMPLES.len() } else { policy::MAX_MATH_PAIR_SAMPLES.size() };
        for number in (0..samples.pow(symbolic.len() as u32)).rev() {
            self.leave_sample_open(path, &symbolic, samples, number);
        }
    }

    /// Leaves open that the arguments have the samples whose positions are the digits of a number.
    fn leave_sample_open(&mut self, path: &Path, args: &[Scalar], samples: usize, mut number: usize) {
        let (mut state, mut when) = (path.state.clone(), Scalar::bool(true));
        for arg in args {
            let Some(format) = float_format(arg.ty(self.constraints.terms())) else { return };
            let sample = sample(format, SAMPLES[number % samples]);
            number /= samples;
            if let (Some(equal), Scalar::Term(term)) = (self.equals(*arg, sample), arg) {
                when = value::and(self.constraints.terms(), when, Scalar::Term(equal));
                state.choices.sampled.insert(*term);
            }
        }
        if let Scalar::Term(when) = when {
            state.step_back();
            self.effects.forks.push(Open::new(state, path.model.clone(), when, Resume::Again));
        }
    }

    /// That a scalar has exactly the bits of a value; `None` if it is known to.
    fn equals(&mut self, scalar: Scalar, value: Value) -> Option<clew_solver::term::TermId> {
        let terms = self.constraints.terms();
        let bits = encoding::bits_of_number(terms, scalar);
        let equal = value::binary(terms, clew_scalar::BinaryOp::Eq, bits, Scalar::int(value.ty.width(), value.bits));
        match equal {
            Scalar::Term(term) => Some(term),
            Scalar::Known(_) => None,
        }
    }
}

/// A sample in a format.
fn sample(format: Format, number: f64) -> Value {
    let wide = Value::new(Type::Float(Format::DOUBLE), u128::from(number.to_bits()));
    if format == Format::DOUBLE {
        return wide;
    }
    clew_scalar::eval::convert(Conversion::FloatToFloat(format, clew_scalar::Rounding::NearestEven), wide)
}
