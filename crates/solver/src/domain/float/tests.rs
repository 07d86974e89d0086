//! The set operations of the domain against enumeration over a tiny format.

use clew_scalar::Format;

use super::{Cuts, FloatDomain, Interval, Special, key};

const TINY: Format = Format { exponent: 2, significand: 3 };

fn all_bits() -> impl Iterator<Item = u128> {
    0..1u128 << TINY.width()
}

fn domains() -> Vec<FloatDomain> {
    let mut domains = vec![FloatDomain::empty(TINY), FloatDomain::full(TINY)];
    let infinity = key::positive_infinity(TINY);
    for lo in (-infinity - 1..=infinity).step_by(3) {
        for hi in (lo..=infinity).step_by(3) {
            let domain = FloatDomain::of_interval(TINY, Interval { lo, hi });
            domains.push(domain);
            let mut holed = domain;
            holed.remove_zeros();
            holed.insert_special(Special::Nan);
            holed.insert_special(Special::PositiveInfinity);
            domains.push(holed);
        }
    }
    domains
}

#[test]
fn keys_are_in_order_and_round_trip() {
    let mut keys: Vec<_> = all_bits().filter_map(|bits| key::of_bits(TINY, bits)).collect();
    for bits in all_bits() {
        if let Some(key) = key::of_bits(TINY, bits) {
            assert_eq!(key::to_bits(TINY, key), bits);
        }
    }
    keys.sort_unstable();
    let infinity = key::positive_infinity(TINY);
    assert_eq!(keys, (-infinity - 1..=infinity).collect::<Vec<_>>());
    assert_eq!(key::of_bits(TINY, key::nan(TINY)), None);
}

#[test]
fn meet_is_intersection_and_join_covers() {
    for a in domains() {
        for b in domains() {
            let (meet, join, widened) = (a.meet(&b), a.join(&b), a.widen(&b));
            meet.check();
            join.check();
            widened.check();
            for bits in all_bits() {
                assert_eq!(meet.contains(bits), a.contains(bits) && b.contains(bits));
                let either = a.contains(bits) || b.contains(bits);
                assert!(!either || join.contains(bits) && widened.contains(bits));
            }
        }
    }
}

#[test]
fn size_counts_values_with_nan_once() {
    for domain in domains() {
        let numbers = all_bits().filter(|&bits| key::of_bits(TINY, bits).is_some() && domain.contains(bits)).count();
        assert_eq!(domain.size(), numbers as u128 + u128::from(domain.may_be_nan()));
    }
}

#[test]
fn split_is_a_partition() {
    for domain in domains() {
        let Some((a, b)) = domain.split() else {
            assert!(domain.size() < 2);
            continue;
        };
        a.check();
        b.check();
        assert!(!a.is_empty() && !b.is_empty());
        assert_eq!(a.size() + b.size(), domain.size());
        for bits in all_bits() {
            assert_eq!(domain.contains(bits), a.contains(bits) || b.contains(bits));
        }
    }
}

#[test]
fn pieces_cover_exactly_the_numbers() {
    for domain in domains() {
        for cuts in [Cuts::NONE, Cuts::INFINITIES, Cuts::SIGNS, Cuts::ALL] {
            let pieces = domain.pieces(cuts);
            for bits in all_bits() {
                let Some(key) = key::of_bits(TINY, bits) else { continue };
                assert_eq!(domain.contains(bits), pieces.as_slice().iter().any(|piece| piece.contains(key)));
            }
        }
    }
}

#[test]
fn widening_chains_end() {
    let mut domain = FloatDomain::constant(Format::DOUBLE, 1.0f64.to_bits().into());
    let mut steps = 0;
    while domain.contains(f64::MAX.to_bits().into()).eq(&false) {
        let next = domain.hull().hi + 1;
        domain = domain.widen(&FloatDomain::of_interval(Format::DOUBLE, Interval::point(next)));
        steps += 1;
        assert!(steps <= 32, "the grid of widening has at most 32 steps");
    }
}
