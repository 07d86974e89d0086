//! Unions of integer domains: join, widening, domains of given values.

use super::interval::Interval;
use super::{IntDomain, KnownBits, gcd};

impl IntDomain {
    /// The values of either, over-approximated.
    pub fn join(&self, other: &IntDomain) -> IntDomain {
        debug_assert_eq!(self.width, other.width, "domains of one ring");
        let mask = self.mask();
        let hull = Interval::hull(&[self.interval, other.interval], mask);
        let stride = self.common_stride(other, hull);
        let bits = self.bits.join(other.bits);
        if hull.span(mask) >> 6 < stride && self.listed != 0 && other.listed != 0 {
            let members = self.members_from(hull.lo, stride) | other.members_from(hull.lo, stride);
            return IntDomain::from_list(self.width, hull.lo, stride, members, bits).expect("a union has values");
        }
        let interval = if hull.span(mask) == mask {
            let lo = self.interval.lo & (stride - 1);
            Interval { lo, hi: lo + (mask - (stride - 1)) }
        } else {
            hull
        };
        IntDomain::unlisted(self.width, interval, bits, stride).reduced().expect("a union has values")
    }

    /// The least domain around the given values.
    ///
    /// # Panics
    /// If there is none.
    pub fn from_values(width: u8, values: &mut [u128]) -> IntDomain {
        values.sort_unstable();
        let (first, last) = (values[0], values[values.len() - 1]);
        let mask: u128 = clew_scalar::int::mask(width);
        let mut widest = (first.wrapping_sub(last) & mask, 0);
        for (at, pair) in values.windows(2).enumerate() {
            if pair[1] - pair[0] > widest.0 && first != last {
                widest = (pair[1] - pair[0], at + 1);
            }
        }
        let lo = values[widest.1];
        let hi = if widest.1 == 0 { last } else { values[widest.1 - 1] };
        let offset = |value: &u128| value.wrapping_sub(lo) & mask;
        let stride = values.iter().map(offset).fold(0, gcd).max(1);
        let span = hi.wrapping_sub(lo) & mask;
        let bits = values.iter().map(|&value| KnownBits::singleton(value)).reduce(KnownBits::join);
        let bits = bits.expect("a domain has values");
        if span >> 6 < stride {
            let members = values.iter().fold(0, |members, value| members | 1 << (offset(value) / stride));
            return IntDomain::from_list(width, lo, stride, members, bits).expect("a list of given values");
        }
        let interval = Interval::new(lo, hi, mask);
        let stride = if interval.lo == lo { stride } else { 1 << stride.trailing_zeros() };
        IntDomain::unlisted(width, interval, bits, stride).reduced().expect("a hull of given values")
    }

    /// An upper bound of both that a growing sequence reaches in finitely many steps (Cousot and Cousot 1977): a bound
    /// that moved goes to the next of the `thresholds` (ascending, unsigned), and over the whole ring when there is
    /// none on the way.
    pub fn widen(&self, newer: &IntDomain, thresholds: &[u128]) -> IntDomain {
        let mask = self.mask();
        let joined = self.join(newer);
        if joined.interval == self.interval {
            return joined;
        }
        // Known bits above a moved bound would fall one by one; only the lowest ones, the stride's, are kept.
        let bits = KnownBits::suffix(joined.bits.ones, joined.bits.known_suffix(), mask);
        let interval = joined.interval;
        if !interval.encloses(self.interval, mask) || interval.span(mask) == mask {
            return IntDomain::from_bits(self.width, bits);
        }
        let lo =
            if interval.lo == self.interval.lo { interval.lo } else { threshold_at_or_before(interval.lo, thresholds) };
        let hi =
            if interval.hi == self.interval.hi { interval.hi } else { threshold_at_or_after(interval.hi, thresholds) };
        let wide = Interval::new(lo & mask, hi & mask, mask);
        if !wide.encloses(interval, mask) {
            return IntDomain::from_bits(self.width, bits);
        }
        IntDomain::unlisted(self.width, wide, bits, 1).reduced().expect("a wider domain has values")
    }

    /// The largest stride on which the values of both lie, counted from the start of the hull.
    fn common_stride(&self, other: &IntDomain, hull: Interval) -> u128 {
        let mask = self.mask();
        let own = |domain: &IntDomain| if domain.listed == 1 { 0 } else { domain.stride };
        let starts = gcd(hull.offset(self.interval.lo, mask), hull.offset(other.interval.lo, mask));
        let stride = gcd(gcd(own(self), own(other)), starts);
        if stride == 0 {
            return 1;
        }
        // In the whole ring a progression may pass the start again: only powers of two survive that.
        if hull.span(mask) == mask { 1 << stride.trailing_zeros() } else { stride }
    }

    /// The listed values as positions of another start and a stride that divides this one.
    fn members_from(&self, lo: u128, stride: u128) -> u64 {
        let mask = self.mask();
        let mut rest = self.members;
        let mut members = 0;
        while rest != 0 {
            let value = self.at(rest.trailing_zeros());
            rest &= rest - 1;
            members |= 1 << (super::divide(value.wrapping_sub(lo) & mask, stride).0 as u32);
        }
        members
    }
}

fn threshold_at_or_after(value: u128, thresholds: &[u128]) -> u128 {
    let at = thresholds.partition_point(|&threshold| threshold < value);
    thresholds.get(at).copied().unwrap_or(u128::MAX)
}

fn threshold_at_or_before(value: u128, thresholds: &[u128]) -> u128 {
    let at = thresholds.partition_point(|&threshold| threshold <= value);
    if at == 0 { 0 } else { thresholds[at - 1] }
}
