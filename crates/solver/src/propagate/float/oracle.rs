//! Hunting for solutions a propagator loses, after Gecode's propagator tests.
//!
//! The meaning of a constraint `result = function(operands)` is given as a function on bits. Over tiny formats the
//! harness draws random domains, enumerates every solution inside and demands that each survives; that where at most
//! one operand is not a constant exactly the hull of the solutions remains; and that constants conflict if and only if
//! they are no solution. Over the real formats it draws a solution first, then domains around it.

use clew_scalar::{Format, Rounding};
use clew_testing::Random;

use crate::domain::Conflict;
use crate::domain::boolean::BoolDomain;
use crate::domain::float::key;
use crate::domain::float::{FloatDomain, Interval, Special};

pub(super) const ROUNDINGS: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];
pub(super) const TINY: [Format; 3] = [
    Format { exponent: 2, significand: 3 },
    Format { exponent: 3, significand: 3 },
    Format { exponent: 3, significand: 4 },
];

/// Floats drawn at random.
pub(super) trait Floats {
    /// A value of the format, landmarks preferred.
    fn bits(&mut self, format: Format) -> u128;

    /// A random domain that contains the value.
    fn domain_around(&mut self, format: Format, bits: u128) -> FloatDomain;

    /// A random domain.
    fn domain(&mut self, format: Format) -> FloatDomain;

    /// Adds or removes special values.
    fn flip_specials(&mut self, domain: &mut FloatDomain);
}

impl Floats for Random {
    fn bits(&mut self, format: Format) -> u128 {
        let raw = (u128::from(self.next()) << 64 | u128::from(self.next())) & format.mask();
        let small = u128::from(self.below(4_u64));
        match self.below(12) {
            0 => format.canonical_nan(),
            1 => format.infinity(raw & 1 == 0),
            2 => format.zero(raw & 1 == 0),
            3 => format.max_finite(raw & 1 == 0) - small,
            4 => format.min_subnormal(raw & 1 == 0) + small,
            5 => format.min_normal(raw & 1 == 0) + small - 2,
            6 => format.one(raw & 1 == 0) + small - 2,
            // Exponents near that of one, where operands meet.
            7..=9 => {
                let near = (raw >> 3 & 7) << (format.significand - 1);
                (format.one(raw & 1 == 0) + near) & !format.fraction_mask() | raw & format.fraction_mask()
            }
            _ if format.is_nan(raw) => format.canonical_nan(),
            _ => raw,
        }
    }

    fn domain_around(&mut self, format: Format, bits: u128) -> FloatDomain {
        let mut domain = FloatDomain::constant(format, bits);
        if let Some(key) = key::of_bits(format, bits) {
            let width = u32::from(format.width());
            let infinity = key::positive_infinity(format);
            let mut reach =
                || i128::from(self.next() >> 1) << 40 >> 103_u32.saturating_sub(self.below(u64::from(width)) as u32);
            let (down, up) = (reach(), reach());
            let interval = Interval { lo: (key - down).max(!infinity), hi: (key + up).min(infinity) };
            if self.below(4) != 0 {
                domain.insert(interval);
            }
        }
        self.flip_specials(&mut domain);
        domain.join(&FloatDomain::constant(format, bits))
    }

    fn domain(&mut self, format: Format) -> FloatDomain {
        if self.below(4) == 0 {
            return FloatDomain::full(format);
        }
        let bits = self.below(1_u64 << format.width()).into();
        self.domain_around(format, bits)
    }

    fn flip_specials(&mut self, domain: &mut FloatDomain) {
        use Special::{Nan, NegativeInfinity, NegativeZero, PositiveInfinity, PositiveZero};
        for special in [Nan, NegativeInfinity, NegativeZero, PositiveZero, PositiveInfinity] {
            match self.below(5) {
                0 => domain.insert_special(special),
                1 | 2 => domain.remove(special),
                _ => {}
            }
        }
    }
}

/// A constraint `result = function(operands)` with its propagator.
pub(super) struct Oracle<const N: usize, C, F> {
    /// Formats of the operands.
    pub(super) operands: [Format; N],
    /// Format of the result.
    pub(super) result: Format,
    /// The propagator under test.
    pub(super) contract: C,
    /// The meaning, on bits.
    pub(super) function: F,
    /// Whether the hull of the solutions must remain when all operands but one are constants.
    pub(super) exact: bool,
}

impl<const N: usize, C, F> Oracle<N, C, F>
where
    C: Fn(&mut [FloatDomain; N], &mut FloatDomain) -> Result<(), Conflict>,
    F: Fn([u128; N]) -> u128,
{
    /// Exhausts the solutions of random domains over tiny formats.
    pub(super) fn exhaust(&self, trials: usize) {
        let mut random = Random(7);
        for trial in 0..trials {
            let mut operands = self.operands.map(|format| random.domain(format));
            let result = random.domain(self.result);
            let fixed = trial % 3 == 0;
            if fixed {
                let free = random.below(N as u64) as usize;
                for i in (0..N).filter(|&i| i != free) {
                    let bits = random.below(1_u64 << self.operands[i].width()).into();
                    operands[i] = FloatDomain::constant(self.operands[i], bits);
                }
            }
            if operands.iter().any(FloatDomain::is_empty) || result.is_empty() {
                continue;
            }
            self.check_exhaustively(operands, result, fixed && self.exact);
        }
    }

    fn check_exhaustively(&self, operands: [FloatDomain; N], result: FloatDomain, exact: bool) {
        let mut hull_operands = self.operands.map(FloatDomain::empty);
        let mut hull_result = FloatDomain::empty(self.result);
        for_each_point(&operands, |point| {
            let value = (self.function)(point);
            if result.contains(value) {
                for (hull, bits) in hull_operands.iter_mut().zip(point) {
                    *hull = hull.join(&FloatDomain::constant(hull.format(), bits));
                }
                hull_result = hull_result.join(&FloatDomain::constant(self.result, value));
            }
        });
        let (mut kept, mut kept_result) = (operands, result);
        let outcome = (self.contract)(&mut kept, &mut kept_result);
        let context = || format!("{operands:?} -> {result:?}\nkept {kept:?} -> {kept_result:?}");
        if hull_result.is_empty() {
            assert!(!exact || outcome.is_err(), "no solution, yet no conflict: {}", context());
            return;
        }
        assert!(outcome.is_ok(), "conflict in spite of solutions {hull_operands:?}: {}", context());
        for i in 0..N {
            kept[i].check();
            assert_eq!(kept[i].meet(&hull_operands[i]), hull_operands[i], "lost operands {i}: {}", context());
            assert_eq!(kept[i].meet(&operands[i]), kept[i], "operand {i} grew: {}", context());
            assert!(!exact || kept[i] == hull_operands[i], "operand {i} is not the hull: {}", context());
        }
        kept_result.check();
        assert_eq!(kept_result.meet(&hull_result), hull_result, "lost results: {}", context());
        assert_eq!(kept_result.meet(&result), kept_result, "the result grew: {}", context());
        assert!(!exact || kept_result == hull_result, "the result is not the hull: {}", context());
    }

    /// Constants conflict exactly when they are no solution.
    pub(super) fn decide_points(&self, trials: usize) {
        let mut random = Random(11);
        for _ in 0..trials {
            let point = self.operands.map(|format| random.bits(format));
            let right = (self.function)(point);
            let wrong = random.bits(self.result);
            for value in [right, wrong] {
                let mut operands: [FloatDomain; N] =
                    std::array::from_fn(|i| FloatDomain::constant(self.operands[i], point[i]));
                let mut result = FloatDomain::constant(self.result, value);
                let expected = result.contains(right);
                let outcome = (self.contract)(&mut operands, &mut result);
                assert_eq!(outcome.is_ok(), expected, "{point:x?} -> {value:x}");
            }
        }
    }

    /// Draws solutions over formats too large to enumerate, and domains around them.
    pub(super) fn sample(&self, trials: usize) {
        let mut random = Random(13);
        for _ in 0..trials {
            let point = self.operands.map(|format| random.bits(format));
            let value = (self.function)(point);
            let before: [FloatDomain; N] = std::array::from_fn(|i| random.domain_around(self.operands[i], point[i]));
            let result_before = random.domain_around(self.result, value);
            let (mut operands, mut result) = (before, result_before);
            let outcome = (self.contract)(&mut operands, &mut result);
            let survives = outcome.is_ok()
                && result.contains(value)
                && operands.iter().zip(point).all(|(domain, bits)| domain.contains(bits));
            assert!(
                survives,
                "lost {point:x?} -> {value:x}\n{before:?} -> {result_before:?}\n{operands:?} -> {result:?}"
            );
        }
    }
}

fn for_each_point<const N: usize>(domains: &[FloatDomain; N], mut visit: impl FnMut([u128; N])) {
    let values = domains.map(|domain| values_of(&domain));
    let mut choice = [0; N];
    if values.iter().any(Vec::is_empty) {
        return;
    }
    loop {
        visit(std::array::from_fn(|i| values[i][choice[i]]));
        let Some(i) = (0..N).find(|&i| choice[i] + 1 < values[i].len()) else { return };
        choice[i] += 1;
        choice[..i].fill(0);
    }
}

/// The values of a domain over a tiny format.
fn values_of(domain: &FloatDomain) -> Vec<u128> {
    let format = domain.format();
    (0..1u128 << format.width())
        .filter(|&bits| domain.contains(bits) && (!format.is_nan(bits) || bits == format.canonical_nan()))
        .collect()
}

/// All three hunts for an operator of `N` operands and a result of one format, over all roundings.
pub(super) fn hunt<const N: usize>(
    exact: bool,
    trials: usize,
    contract: impl Fn(Rounding, &mut [FloatDomain; N], &mut FloatDomain) -> Result<(), Conflict>,
    function: impl Fn(Format, Rounding, [u128; N]) -> u128,
) {
    for rounding in ROUNDINGS {
        for format in
            TINY.into_iter().chain([Format::HALF, Format::SINGLE, Format::DOUBLE, Format::EXTENDED, Format::QUAD])
        {
            let oracle = Oracle {
                operands: [format; N],
                result: format,
                contract: |operands: &mut [FloatDomain; N], result: &mut FloatDomain| {
                    contract(rounding, operands, result)
                },
                function: |operands| function(format, rounding, operands),
                exact,
            };
            if TINY.contains(&format) {
                oracle.exhaust(trials);
                oracle.decide_points(trials * 10);
            } else {
                oracle.decide_points(trials * 4);
                oracle.sample(trials * 4);
            }
        }
    }
}

/// Exhausts the solutions of a relation between floats and a condition over random domains of tiny formats; exactly
/// their hull must remain.
pub(super) fn hunt_reified<const N: usize>(
    trials: usize,
    contract: impl Fn(&mut [FloatDomain; N], &mut BoolDomain) -> Result<(), Conflict>,
    holds: impl Fn(Format, [u128; N], bool) -> bool,
) {
    let mut random = Random(17);
    for format in TINY {
        for _ in 0..trials {
            let domains: [FloatDomain; N] = std::array::from_fn(|_| random.domain(format));
            let condition = [BoolDomain::TOP, BoolDomain::TRUE, BoolDomain::FALSE][random.below(3) as usize];
            if domains.iter().any(FloatDomain::is_empty) {
                continue;
            }
            let mut hulls = [FloatDomain::empty(format); N];
            let mut truths = None;
            for_each_point(&domains, |point| {
                for truth in [false, true] {
                    if condition.contains(truth) && holds(format, point, truth) {
                        for (hull, bits) in hulls.iter_mut().zip(point) {
                            *hull = hull.join(&FloatDomain::constant(format, bits));
                        }
                        let single = BoolDomain::singleton(truth);
                        truths = Some(truths.map_or(single, |truths: BoolDomain| truths.join(single)));
                    }
                }
            });
            let (mut kept, mut kept_condition) = (domains, condition);
            let outcome = contract(&mut kept, &mut kept_condition);
            let context = format!("{domains:?} {condition:?}");
            assert_eq!(outcome.is_ok(), truths.is_some(), "{context}");
            if let Some(truths) = truths {
                assert_eq!((kept, kept_condition), (hulls, truths), "{context}");
            }
        }
    }
}
