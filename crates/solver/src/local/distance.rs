//! How far a condition is from being true, and from being false.
//!
//! Branch distances after Korel (1990) and Tracey (1998), measured for floats in units in the last place as in XSat and
//! CoverMe (Fu, Su 2016, 2017). A distance is zero exactly when the condition has the truth value. It grows with the
//! logarithm of the gap in the order of the values, so that constraints of very different scale can be summed; or with
//! the gap of the numbers themselves, under which a system of linear inequalities has no false minima.

use clew_scalar::{BinaryOp, Format, TernaryOp, Type, UnaryOp, int};

use super::program::{Program, Slot, Step};

/// Distances of one condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Distance {
    /// From being true.
    pub(super) to_true: f64,
    /// From being false.
    pub(super) to_false: f64,
}

impl Distance {
    /// Of a condition with a truth value, when changing it takes `change`.
    fn of(truth: bool, change: f64) -> Distance {
        if truth { Distance { to_true: 0.0, to_false: change } } else { Distance { to_true: change, to_false: 0.0 } }
    }

    fn negated(self) -> Distance {
        Distance { to_true: self.to_false, to_false: self.to_true }
    }

    /// From having a truth value.
    pub(super) fn to(self, truth: bool) -> f64 {
        if truth { self.to_true } else { self.to_false }
    }
}

/// The distance of an undefined comparison: more than any gap of numbers.
const NAN: f64 = 200.0;

/// What a gap between numbers counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metric {
    /// The logarithm of the number of values between.
    Logarithmic,
    /// The difference.
    Linear,
}

/// What distances are computed from.
#[derive(Clone, Copy)]
pub(super) struct Ruler<'a> {
    pub(super) program: &'a Program,
    pub(super) bits: &'a [u128],
    /// The distances of the conditions computed so far.
    pub(super) distances: &'a [Distance],
    pub(super) metric: Metric,
}

impl Ruler<'_> {
    /// The distances of a condition whose operands have theirs.
    pub(super) fn distance(self, slot: Slot) -> Distance {
        let truth = self.bits[slot as usize] != 0;
        let below = |slot: Slot| self.distances[slot as usize];
        match self.program.steps[slot as usize] {
            Step::Copy(from) => below(from),
            Step::Unary(UnaryOp::Not, a) => below(a).negated(),
            Step::Unary(op, a) => match self.program.types[a as usize] {
                Type::Float(format) => Distance::of(truth, class_gap(op, format, self.bits[a as usize], truth)),
                Type::Int(_) => Distance::of(truth, 1.0),
            },
            Step::Binary(op, a, b) if self.program.is_condition(a) => connective(op, truth, below(a), below(b)),
            Step::Binary(op, a, b) => Distance::of(truth, self.gap(op, a, b, truth)),
            Step::Ternary(TernaryOp::Select, c, a, b) => select(below(c), below(a), below(b)),
            _ => Distance::of(truth, 1.0),
        }
    }

    /// How far the operands of a comparison are from the other truth value.
    fn gap(self, op: BinaryOp, a: Slot, b: Slot, truth: bool) -> f64 {
        let (x, y) = (self.bits[a as usize], self.bits[b as usize]);
        match self.program.types[a as usize] {
            Type::Float(format) => float_gap(op, format, x, y, truth, self.metric),
            Type::Int(_) if op == BinaryOp::Eq && truth && is_encoded_nan(self.program, a, x) => NAN,
            Type::Int(width) => int_gap(op, width, x, y, truth),
        }
    }
}

/// Whether the bits are those of a float that is NaN: making two of them differ takes a number first.
fn is_encoded_nan(program: &Program, slot: Slot, bits: u128) -> bool {
    match program.steps[slot as usize] {
        Step::Copy(from) => matches!(program.types[from as usize], Type::Float(format) if format.is_nan(bits)),
        _ => false,
    }
}

fn connective(op: BinaryOp, truth: bool, a: Distance, b: Distance) -> Distance {
    match op {
        BinaryOp::And => Distance { to_true: a.to_true + b.to_true, to_false: a.to_false.min(b.to_false) },
        BinaryOp::Or => Distance { to_true: a.to_true.min(b.to_true), to_false: a.to_false + b.to_false },
        BinaryOp::Eq => equivalence(a, b),
        BinaryOp::Ne | BinaryOp::Xor => equivalence(a, b).negated(),
        _ => Distance::of(truth, 1.0),
    }
}

fn equivalence(a: Distance, b: Distance) -> Distance {
    Distance {
        to_true: (a.to_true + b.to_true).min(a.to_false + b.to_false),
        to_false: (a.to_true + b.to_false).min(a.to_false + b.to_true),
    }
}

fn select(condition: Distance, then: Distance, other: Distance) -> Distance {
    let to = |truth: bool| (condition.to_true + then.to(truth)).min(condition.to_false + other.to(truth));
    Distance { to_true: to(true), to_false: to(false) }
}

fn float_gap(op: BinaryOp, format: Format, a: u128, b: u128, truth: bool, metric: Metric) -> f64 {
    if format.is_nan(a) || format.is_nan(b) {
        return NAN;
    }
    if op == BinaryOp::FloatEq && truth {
        return 1.0;
    }
    if metric == Metric::Linear
        && let Some((a, b)) = numbers(format, a, b)
    {
        return (a - b).abs().clamp(f64::MIN_POSITIVE, f64::MAX / 1e100);
    }
    // The zeros are one number here.
    let place = |bits: u128| format.ordered(if format.is_zero(bits) { 0 } else { bits });
    scale(place(a).abs_diff(place(b)))
}

/// The operands as numbers of the machine, where it has the format.
fn numbers(format: Format, a: u128, b: u128) -> Option<(f64, f64)> {
    match format {
        Format::DOUBLE => Some((f64::from_bits(a as u64), f64::from_bits(b as u64))),
        Format::SINGLE => Some((f32::from_bits(a as u32).into(), f32::from_bits(b as u32).into())),
        _ => None,
    }
}

fn int_gap(op: BinaryOp, width: u8, a: u128, b: u128, truth: bool) -> f64 {
    match op {
        BinaryOp::Eq | BinaryOp::Ne if (op == BinaryOp::Eq) == truth => 1.0,
        BinaryOp::Eq | BinaryOp::Ne => {
            let mask = int::mask::<u128>(width);
            let apart = (a.wrapping_sub(b) & mask).min(b.wrapping_sub(a) & mask);
            scale(apart).min(1.0 + f64::from((a ^ b).count_ones()))
        }
        BinaryOp::Slt | BinaryOp::Sle => scale(int::signed(width, a).abs_diff(int::signed(width, b))),
        _ => scale(a.abs_diff(b)),
    }
}

/// How far a float is from entering or leaving a class.
fn class_gap(op: UnaryOp, format: Format, bits: u128, truth: bool) -> f64 {
    let magnitude = format.magnitude(bits);
    let normal = format.min_normal(false);
    if format.is_nan(bits) {
        return if op == UnaryOp::FloatIsNan { 1.0 } else { NAN };
    }
    match op {
        UnaryOp::FloatIsZero if !truth => scale(magnitude),
        UnaryOp::FloatIsInfinite => scale(format.infinity(false) - magnitude),
        UnaryOp::FloatIsNegative => scale(magnitude),
        UnaryOp::FloatIsSubnormal if truth => scale(magnitude.min(normal - magnitude)),
        UnaryOp::FloatIsSubnormal | UnaryOp::FloatIsNormal => scale(magnitude.abs_diff(normal)),
        UnaryOp::FloatIsNan => scale(format.infinity(false) - magnitude),
        _ => 1.0,
    }
}

/// The binary logarithm of a gap plus two, linear between powers of two: at least 1, strictly monotone up to rounding.
fn scale(gap: u128) -> f64 {
    const ONE_EXPONENT: f64 = 1.0 / (1_u64 << 52) as f64;
    let shifted = u64::try_from(gap).map_or(gap as f64, |gap| gap as f64) + 2.0;
    shifted.to_bits() as f64 * ONE_EXPONENT - 1023.0
}
