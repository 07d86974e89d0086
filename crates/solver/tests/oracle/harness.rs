//! The oracle: given a propagator and the meaning of its operator, hunts for broken promises.
//!
//! A constraint has one result and some operands. For a box of domains the harness enumerates the solutions (or, for
//! wide integers, plants one) and demands: no solution is lost; a conflict only without solutions; every full assignment
//! is accepted exactly when it is a solution; no domain ends with more values than it had; the fixpoint is reached; and
//! where consistency is claimed, the bounds of the fixpoint belong to solutions. The idea is Gecode's.
//!
//! A domain may end with values it did not have (wrapped intervals are no lattice), but never with more of them.

use clew_solver::domain::Conflict;
use clew_solver::domain::int::{IntDomain, Interval, KnownBits};

/// For which boxes of intervals bounds consistency is claimed: at the fixpoint both bounds of every domain belong to
/// solutions of the box.
pub(crate) type Claim = fn(&[IntDomain]) -> bool;

/// A propagator under test.
pub(crate) struct Constraint<'a> {
    /// For messages.
    pub(crate) name: &'a str,
    /// Widths of the result and of the operands.
    pub(crate) widths: Vec<u8>,
    /// The propagator; result first.
    pub(crate) contract: &'a dyn Fn(&mut [IntDomain]) -> Result<(), Conflict>,
    /// The result of given operands.
    pub(crate) meaning: &'a dyn Fn(&[u128]) -> u128,
    /// What is claimed beyond soundness.
    pub(crate) claim: Claim,
}

/// A small deterministic generator (xorshift).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A value, biased towards small ones and the poles.
    pub(crate) fn value(&mut self, width: u8) -> u128 {
        let bits = u128::from(self.roll()) << 64 | u128::from(self.roll());
        let mask = u128::MAX >> (128 - width);
        match self.roll() % 4 {
            0 => bits & mask,
            1 => u128::from(self.roll() % 20) & mask,
            2 => (mask >> 1).wrapping_add(u128::from(self.roll() % 9)).wrapping_sub(4) & mask,
            _ => 0u128.wrapping_sub(u128::from(self.roll() % 20)) & mask,
        }
    }

    /// A domain: interval, progression, cube of bits, list, singleton, or the meet of two.
    pub(crate) fn domain(&mut self, width: u8) -> IntDomain {
        let first = self.plain(width);
        if self.roll().is_multiple_of(2) { first.meet(&self.plain(width)).unwrap_or(first) } else { first }
    }

    fn plain(&mut self, width: u8) -> IntDomain {
        let mask = u128::MAX >> (128 - width);
        let interval = Interval::new(self.value(width), self.value(width), mask);
        match self.roll() % 6 {
            0 | 1 => IntDomain::from_interval(width, interval),
            2 => IntDomain::progression(width, interval, 1 + u128::from(self.roll() % 12)),
            3 => {
                let (zeros, ones) = (self.value(width) & self.value(width), self.value(width) & self.value(width));
                IntDomain::from_bits(width, KnownBits { zeros: zeros & !ones, ones })
            }
            4 => {
                let mut values: Vec<u128> = (0..1 + self.roll() % 5).map(|_| self.value(width)).collect();
                IntDomain::from_values(width, &mut values)
            }
            _ => IntDomain::singleton(width, self.value(width)),
        }
    }
}

/// How often: the given number, times the variable `CLEW_ORACLE` (10 for a thorough hunt).
fn rounds(number: u32) -> u32 {
    let factor = std::env::var("CLEW_ORACLE").ok().and_then(|text| text.parse::<u32>().ok());
    number * factor.unwrap_or(1)
}

impl Constraint<'_> {
    /// Every box of clockwise intervals in rings small enough, thinned out to about `limit` boxes.
    pub(crate) fn every_interval_box(&self, limit: u32) {
        let choices: Vec<Vec<IntDomain>> = self.widths.iter().map(|&width| every_interval(width)).collect();
        let total: usize = choices.iter().map(Vec::len).product();
        let step = (total / rounds(limit) as usize).max(1) | 1;
        for index in (0..total).step_by(step) {
            let mut rest = index;
            let pick = |list: &Vec<IntDomain>| {
                let domain = list[rest % list.len()];
                rest /= list.len();
                domain
            };
            self.small_box(&choices.iter().map(pick).collect::<Vec<_>>(), true);
        }
    }

    /// Random boxes of intervals, solutions enumerated, consistency checked where it is claimed.
    pub(crate) fn random_interval_boxes(&self, rounds: u32) {
        let mut dice = Dice(0x1234_5678_9abc_def1);
        for _ in 0..self::rounds(rounds) {
            let mut interval = |&width: &u8| {
                let mask = u128::MAX >> (128 - width);
                let lo = u128::from(dice.roll()) & mask;
                let span = (u128::from(dice.roll()) & mask) >> (dice.roll() % 4);
                IntDomain::from_interval(width, Interval { lo, hi: lo.wrapping_add(span) & mask })
            };
            self.small_box(&self.widths.iter().map(&mut interval).collect::<Vec<_>>(), true);
        }
    }

    /// Random boxes of all kinds of domains, solutions enumerated.
    pub(crate) fn random_small_boxes(&self, rounds: u32) {
        let mut dice = Dice(0x2545_f491_4f6c_dd1d);
        for _ in 0..self::rounds(rounds) {
            let domains: Vec<IntDomain> = self.widths.iter().map(|&width| dice.domain(width)).collect();
            self.small_box(&domains, false);
        }
    }

    /// Every full assignment: accepted exactly when it is a solution.
    pub(crate) fn every_assignment(&self) {
        let mut values = vec![0; self.widths.len()];
        loop {
            let mut domains: Vec<IntDomain> =
                self.widths.iter().zip(&values).map(|(&width, &value)| IntDomain::singleton(width, value)).collect();
            let accepted = (self.contract)(&mut domains).is_ok();
            assert_eq!(accepted, (self.meaning)(&values[1..]) == values[0], "{}: assignment {values:?}", self.name);
            let Some(at) = (0..values.len()).find(|&at| values[at] + 1 < 1 << self.widths[at]) else { return };
            values[at] += 1;
            values[..at].fill(0);
        }
    }

    /// Random boxes around a planted solution, for any width.
    pub(crate) fn planted(&self, rounds: u32) {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        for _ in 0..self::rounds(rounds) {
            let mut domains: Vec<IntDomain> = self.widths.iter().map(|&width| dice.domain(width)).collect();
            let mut solution = vec![0; domains.len()];
            for at in 1..domains.len() {
                solution[at] = domains[at].first_from(dice.value(self.widths[at]));
                if !domains[at].contains(solution[at]) {
                    solution[at] = domains[at].interval().lo;
                }
            }
            if (1..domains.len()).any(|at| !domains[at].contains(solution[at])) {
                continue;
            }
            solution[0] = (self.meaning)(&solution[1..]);
            let point = IntDomain::singleton(self.widths[0], solution[0]);
            domains[0] = match dice.roll() % 3 {
                0 => point,
                1 => IntDomain::top(self.widths[0]),
                _ => domains[0].join(&point),
            };
            self.keeps(&domains, &solution);
        }
    }

    /// One box in small rings, against its enumerated solutions.
    fn small_box(&self, domains: &[IntDomain], intervals: bool) {
        let projections = self.solutions(domains);
        let unsolvable = projections[0].is_empty();
        let mut narrowed = domains.to_vec();
        for round in 0.. {
            assert!(round < 1000, "{}: no fixpoint from {domains:?}", self.name);
            let before = narrowed.clone();
            if (self.contract)(&mut narrowed).is_err() {
                assert!(unsolvable, "{}: conflict on {domains:?} though {projections:?}", self.name);
                return;
            }
            for (at, (old, new)) in before.iter().zip(&narrowed).enumerate() {
                let lost = projections[at].iter().find(|&&value| !new.contains(value));
                assert!(lost.is_none(), "{}: {lost:?} lost from {at} of {domains:?}: {narrowed:?}", self.name);
                assert!(new.count() <= old.count(), "{}: {old:?} grew to {new:?} in {domains:?}", self.name);
            }
            if before == narrowed {
                break;
            }
        }
        let assignment: Option<Vec<u128>> = narrowed.iter().map(IntDomain::value).collect();
        let wrong = assignment.is_some_and(|values| (self.meaning)(&values[1..]) != values[0]);
        assert!(!wrong, "{}: accepts {narrowed:?}", self.name);
        if intervals && (self.claim)(domains) {
            self.check_claim(domains, &narrowed, &projections);
        }
    }

    /// The values each domain has in solutions, ascending.
    fn solutions(&self, domains: &[IntDomain]) -> Vec<Vec<u128>> {
        let values: Vec<Vec<u128>> = domains.iter().map(|domain| domain.values().collect()).collect();
        let mut seen: Vec<Vec<bool>> = self.widths.iter().map(|&width| vec![false; 1 << width]).collect();
        let mut at = vec![0; domains.len()];
        loop {
            let operands: Vec<u128> = (1..domains.len()).map(|k| values[k][at[k]]).collect();
            let result = (self.meaning)(&operands);
            if domains[0].contains(result) {
                seen[0][result as usize] = true;
                for (k, &operand) in operands.iter().enumerate() {
                    seen[k + 1][operand as usize] = true;
                }
            }
            let Some(next) = (1..domains.len()).find(|&k| at[k] + 1 < values[k].len()) else { break };
            at[next] += 1;
            at[1..next].fill(0);
        }
        let list =
            |flags: &Vec<bool>| (0..flags.len()).filter(|&value| flags[value]).map(|value| value as u128).collect();
        seen.iter().map(list).collect()
    }

    fn check_claim(&self, given: &[IntDomain], narrowed: &[IntDomain], projections: &[Vec<u128>]) {
        let supported = |at: usize| {
            let Interval { lo, hi } = narrowed[at].interval();
            projections[at].contains(&lo) && projections[at].contains(&hi)
        };
        let all = (0..narrowed.len()).all(supported);
        assert!(all, "{}: bounds without solutions: {given:?} gives {narrowed:?}", self.name);
    }

    /// The solution survives repeated contraction.
    fn keeps(&self, domains: &[IntDomain], solution: &[u128]) {
        let mut narrowed = domains.to_vec();
        for _ in 0..4 {
            let answer = (self.contract)(&mut narrowed);
            assert!(answer.is_ok(), "{}: conflict on {domains:?} with solution {solution:?}", self.name);
            let kept = narrowed.iter().zip(solution).all(|(domain, &value)| domain.contains(value));
            assert!(kept, "{}: {solution:?} lost from {domains:?}: {narrowed:?}", self.name);
        }
    }
}

/// Every clockwise interval of a ring.
fn every_interval(width: u8) -> Vec<IntDomain> {
    let mask = (1u128 << width) - 1;
    let pairs = (0..=mask).flat_map(|lo| (0..=mask).map(move |hi| Interval { lo, hi }));
    let canonical = pairs.filter(|interval| *interval == Interval::new(interval.lo, interval.hi, mask));
    canonical.map(|interval| IntDomain::from_interval(width, interval)).collect()
}
