//! Every operation of integer domains against the sets of values they stand for.

use super::{Comparison, Conflict, IntDomain, Interval, KnownBits, get_split, search_point};

/// A small deterministic generator (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u128 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u128::from(self.0 >> 16)
    }

    /// A domain of some kind: interval, progression, cube, list, or a meet of two of them.
    fn domain(&mut self, width: u8) -> IntDomain {
        let first = self.plain(width);
        if self.roll().is_multiple_of(2) { first.meet(&self.plain(width)).unwrap_or(first) } else { first }
    }

    fn plain(&mut self, width: u8) -> IntDomain {
        let mask = (1u128 << width) - 1;
        let interval = Interval::new(self.roll() & mask, self.roll() & mask, mask);
        match self.roll() % 4 {
            0 => IntDomain::from_interval(width, interval),
            1 => IntDomain::progression(width, interval, 1 + self.roll() % 9),
            2 => {
                let (zeros, ones) = (self.roll() & self.roll() & mask, self.roll() & self.roll() & mask);
                IntDomain::from_bits(width, KnownBits { zeros: zeros & !ones | !mask, ones })
            }
            _ => {
                let count = 1 + self.roll() as usize % 6;
                let mut values: Vec<u128> = (0..count).map(|_| self.roll() & mask).collect();
                IntDomain::from_values(width, &mut values)
            }
        }
    }
}

fn set(domain: &IntDomain) -> Vec<u128> {
    (0..=domain.mask()).filter(|&value| domain.contains(value)).collect()
}

fn exact(domain: Result<IntDomain, Conflict>) -> Vec<u128> {
    domain.as_ref().map(set).unwrap_or_default()
}

fn check(widths: &[u8], rounds: u32, property: impl Fn(&mut Dice, u8)) {
    for &width in widths {
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15 + u64::from(width));
        for _ in 0..rounds {
            property(&mut dice, width);
        }
    }
}

#[test]
fn bounds_values_and_count() {
    check(&[1, 3, 4, 6, 8, 9], 3000, |dice, width| {
        let domain = dice.domain(width);
        domain.check();
        let values = set(&domain);
        assert_eq!(domain.unsigned_min(), values[0], "{domain:?}");
        assert_eq!(domain.unsigned_max(), values[values.len() - 1], "{domain:?}");
        let signed = |value: &u128| clew_scalar::int::signed(width, *value);
        assert_eq!(Some(domain.signed_min()), values.iter().map(signed).min(), "{domain:?}");
        assert_eq!(Some(domain.signed_max()), values.iter().map(signed).max(), "{domain:?}");
        assert!(domain.count() >= values.len() as u128, "{domain:?}");
        let mut walked: Vec<u128> = domain.values().collect();
        walked.sort_unstable();
        assert_eq!(walked, values, "{domain:?}");
    });
}

#[test]
fn meets_and_joins_lose_nothing() {
    check(&[3, 4, 6, 8, 9], 6000, |dice, width| {
        let (a, b) = (dice.domain(width), dice.domain(width));
        let met = exact(a.meet(&b));
        let common: Vec<u128> = set(&a).into_iter().filter(|&value| b.contains(value)).collect();
        assert!(common.iter().all(|value| met.contains(value)), "{a:?} meet {b:?}");
        if width <= 6 {
            assert_eq!(met, common, "small rings are exact: {a:?} meet {b:?}");
        }
        let joined = a.join(&b);
        assert!(set(&a).iter().chain(&set(&b)).all(|&value| joined.contains(value)), "{a:?} join {b:?} is {joined:?}");
        let widened = a.widen(&b, &[16, 100]);
        assert!(set(&a).iter().chain(&set(&b)).all(|&value| widened.contains(value)), "{a:?} widen {b:?}");
    });
}

#[test]
fn removing_and_halving() {
    check(&[3, 4, 8, 9], 3000, |dice, width| {
        let domain = dice.domain(width);
        let value = dice.roll() & domain.mask();
        let mut rest = domain;
        let removed = exact(rest.remove(value).map(|()| rest));
        let wanted: Vec<u128> = set(&domain).into_iter().filter(|&other| other != value).collect();
        assert!(wanted.iter().all(|value| removed.contains(value)), "{domain:?} without {value}");
        if domain.is_listed() {
            assert_eq!(removed, wanted, "{domain:?} without {value}");
        }
        if let Some((first, second)) = domain.halves() {
            let mut both = [set(&first), set(&second)].concat();
            both.sort_unstable();
            assert_eq!(both, set(&domain), "{domain:?}");
        }
    });
}

#[test]
fn small_sets_are_exact() {
    for members in 1..256u32 {
        let mut values: Vec<u128> = (0..8u32).filter(|at| members >> at & 1 == 1).map(u128::from).collect();
        let domain = IntDomain::from_values(3, &mut values);
        assert_eq!(set(&domain), values);
        let stepwise = values.iter().map(|&value| IntDomain::singleton(3, value)).reduce(|a, b| a.join(&b)).unwrap();
        assert!(values.iter().all(|&value| stepwise.contains(value)));
        domain.check();
    }
}

#[test]
fn widening_ends() {
    let mut domain = IntDomain::singleton(32, 0);
    let mut steps = 0;
    loop {
        let next = IntDomain::from_interval(32, domain.interval().add(Interval { lo: 0, hi: 1 }, u128::from(u32::MAX)));
        let wide = domain.widen(&next, &[0, 10, 100, 1000]);
        if wide == domain {
            break;
        }
        (domain, steps) = (wide, steps + 1);
    }
    assert!(steps <= 6, "{steps} steps");
    assert!(domain.is_top());
}

#[test]
fn ranges_outside_the_ring_are_conflicts() {
    let mut domain = IntDomain::top(8);
    assert_eq!(domain.narrow_unsigned(300, u128::MAX), Err(Conflict));
    assert_eq!(domain.narrow_signed(128, 200), Err(Conflict));
    assert_eq!(domain.narrow_signed(-200, 100), Ok(()));
    assert_eq!((domain.signed_min(), domain.signed_max()), (-128, 100));
}

#[test]
fn wide_rings() {
    let top = IntDomain::top(128);
    assert!(top.is_top() && top.contains(u128::MAX));
    let mut odd = top;
    odd.narrow_bits(KnownBits { zeros: 0, ones: 1 }).unwrap();
    assert_eq!((odd.unsigned_min(), odd.unsigned_max(), odd.stride()), (1, u128::MAX, 2));
    assert_eq!((odd.signed_min(), odd.signed_max()), (i128::MIN + 1, i128::MAX));
    let two = IntDomain::from_values(128, &mut [3, u128::MAX / 3]);
    assert_eq!(two.values().collect::<Vec<_>>(), [3, u128::MAX / 3]);
}

#[test]
fn search_points_follow_the_printed_sequence() {
    let points: Vec<(u64, u32)> = (1..8).map(search_point).collect();
    assert_eq!(points, [(1, 1), (1, 2), (3, 2), (1, 3), (3, 3), (5, 3), (7, 3)]);
}

#[test]
fn get_split_leaves_only_ordered_pairs() {
    let ranges = || (-3..4i128).flat_map(|lo| (lo..4).map(move |hi| (lo, hi)));
    for left in ranges() {
        for right in ranges() {
            for index in 1..8 {
                if let Some((_, a, b)) = get_split(Comparison::Less, left, right, index) {
                    assert!(a.1 < b.0 && a.0 == left.0 && b.1 == right.1);
                }
                if let Some((_, a, b)) = get_split(Comparison::LessEqual, left, right, index) {
                    assert!(a.1 <= b.0);
                }
                if let Some((_, a, b)) = get_split(Comparison::Greater, left, right, index) {
                    assert!(a.0 > b.1);
                }
                if let Some((_, a, b)) = get_split(Comparison::GreaterEqual, left, right, index) {
                    assert!(a.0 >= b.1);
                }
            }
        }
    }
}
