//! An oracle for tiny formats: exact rationals, rounded by looking for the neighbours in a table of all numbers.
//!
//! Shares nothing with the code under test but the names of formats and roundings.

use std::cmp::Ordering;

use clew_scalar::{Format, Rounding};

/// All five roundings.
pub(crate) const ROUNDINGS: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

/// An exact number; the denominator is positive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rational {
    pub(crate) numerator: i128,
    pub(crate) denominator: i128,
}

impl Rational {
    pub(crate) fn new(numerator: i128, denominator: i128) -> Rational {
        let sign = denominator.signum();
        Rational { numerator: numerator * sign, denominator: denominator * sign }
    }

    pub(crate) fn plus(self, other: Rational) -> Rational {
        let numerator = self.numerator * other.denominator + other.numerator * self.denominator;
        Rational::new(numerator, self.denominator * other.denominator)
    }

    pub(crate) fn times(self, other: Rational) -> Rational {
        Rational::new(self.numerator * other.numerator, self.denominator * other.denominator)
    }

    pub(crate) fn over(self, other: Rational) -> Rational {
        Rational::new(self.numerator * other.denominator, self.denominator * other.numerator)
    }

    pub(crate) fn negated(self) -> Rational {
        Rational::new(-self.numerator, self.denominator)
    }

    pub(crate) fn magnitude(self) -> Rational {
        Rational::new(self.numerator.abs(), self.denominator)
    }

    pub(crate) fn order(self, other: Rational) -> Ordering {
        (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator))
    }

    /// The integer chosen by the rounding.
    pub(crate) fn to_integer(self, rounding: Rounding) -> i128 {
        let floor = self.numerator.div_euclid(self.denominator);
        let twice_rest = 2 * self.numerator.rem_euclid(self.denominator);
        let tie = twice_rest == self.denominator;
        let up = twice_rest != 0
            && match rounding {
                Rounding::NearestEven => twice_rest > self.denominator || tie && floor % 2 != 0,
                Rounding::NearestAway => twice_rest > self.denominator || tie && floor >= 0,
                Rounding::Up => true,
                Rounding::Down => false,
                Rounding::Zero => floor < 0,
            };
        floor + i128::from(up)
    }
}

/// All magnitudes of a format, in units of its least number.
pub(crate) struct Table {
    pub(crate) format: Format,
    /// By encoding; the last is infinity, as if the exponents went on.
    magnitudes: Vec<i128>,
    /// One over the least number.
    scale: i128,
}

impl Table {
    pub(crate) fn new(exponent: u8, significand: u8) -> Table {
        let stored = significand - 1;
        let bias = (1 << (exponent - 1)) - 1;
        let magnitude = |bits: i128| {
            let (biased, fraction) = (bits >> stored, bits & ((1 << stored) - 1));
            if biased == 0 { fraction } else { (fraction | 1 << stored) << (biased - 1) }
        };
        let infinity = ((1 << exponent) - 1) << stored;
        Table {
            format: Format { exponent, significand },
            magnitudes: (0..=infinity).map(magnitude).collect(),
            scale: 1 << (i128::from(stored) + bias - 1),
        }
    }

    /// Every encoding.
    pub(crate) fn all(&self) -> std::ops::Range<u128> {
        0..1 << (self.format.exponent + self.format.significand)
    }

    fn infinity(&self) -> usize {
        self.magnitudes.len() - 1
    }

    /// Is the sign bit set?
    pub(crate) fn sign(&self, bits: u128) -> bool {
        bits >> (self.format.exponent + self.format.significand - 1) == 1
    }

    /// The encoding of a magnitude with a sign.
    pub(crate) fn signed(&self, negative: bool, magnitude: usize) -> u128 {
        magnitude as u128 | u128::from(negative) << (self.format.exponent + self.format.significand - 1)
    }

    /// The number, if it is finite.
    pub(crate) fn value(&self, bits: u128) -> Option<Rational> {
        let magnitude = (bits ^ self.signed(self.sign(bits), 0)) as usize;
        let finite = magnitude < self.infinity();
        let sign = if self.sign(bits) { -1 } else { 1 };
        finite.then(|| Rational::new(sign * self.magnitudes[magnitude], self.scale))
    }

    /// The number as the machine has it, NaN and infinities included.
    pub(crate) fn machine(&self, bits: u128) -> f64 {
        let sign = if self.sign(bits) { -1.0 } else { 1.0 };
        let magnitude = (bits ^ self.signed(self.sign(bits), 0)) as usize;
        sign * match magnitude.cmp(&self.infinity()) {
            Ordering::Less => self.magnitudes[magnitude] as f64 / self.scale as f64,
            Ordering::Equal => f64::INFINITY,
            Ordering::Greater => f64::NAN,
        }
    }

    /// The encoding of a machine number that is NaN, infinite or a number of the format; `None` for NaN.
    pub(crate) fn encode_machine(&self, number: f64) -> Option<u128> {
        if number.is_nan() {
            return None;
        }
        let index = if number.is_infinite() {
            self.infinity()
        } else {
            let magnitude = (number.abs() * self.scale as f64) as i128;
            self.magnitudes.binary_search(&magnitude).expect("a number of the format")
        };
        Some(self.signed(number.is_sign_negative(), index))
    }

    /// A number rounded, with the sign it has if it is zero.
    pub(crate) fn round(&self, rounding: Rounding, negative_zero: bool, exact: Rational) -> u128 {
        let negative = exact.numerator < 0 || exact.numerator == 0 && negative_zero;
        self.round_by(rounding, negative, |candidate| exact.magnitude().order(candidate))
    }

    /// A number rounded that is known by its sign and by how its magnitude compares with rationals.
    pub(crate) fn round_by(&self, rounding: Rounding, negative: bool, compare: impl Fn(Rational) -> Ordering) -> u128 {
        let low = self.magnitudes.partition_point(|&k| compare(Rational::new(k, self.scale)) != Ordering::Less) - 1;
        let outward = match rounding {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::Up => !negative,
            Rounding::Down => negative,
            Rounding::Zero => false,
        };
        if low == self.infinity() {
            return self.signed(negative, if outward { low } else { low - 1 });
        }
        if compare(Rational::new(self.magnitudes[low], self.scale)) == Ordering::Equal {
            return self.signed(negative, low);
        }
        let middle = Rational::new(self.magnitudes[low] + self.magnitudes[low + 1], 2 * self.scale);
        let up = match (rounding, compare(middle)) {
            (Rounding::NearestEven, Ordering::Equal) => low % 2 == 1,
            (Rounding::NearestAway, Ordering::Equal) => true,
            (Rounding::NearestEven | Rounding::NearestAway, order) => order == Ordering::Greater,
            _ => outward,
        };
        self.signed(negative, low + usize::from(up))
    }
}
