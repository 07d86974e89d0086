//! Intersections of integer domains.

use super::interval::{Interval, Overlap};
use super::{Conflict, IntDomain, KnownBits, gcd};

/// Strides beyond this are not combined: the products of the Chinese remainder theorem would overflow.
const COMBINED: u128 = 1 << 60;

impl IntDomain {
    /// The values in both, over-approximated: of two unlisted intervals that overlap at both ends the smaller is kept.
    #[inline]
    pub fn meet(&self, other: &IntDomain) -> Result<IntDomain, Conflict> {
        debug_assert_eq!(self.width, other.width, "domains of one ring");
        let bits = self.bits.meet(other.bits)?;
        if self.listed != 0 && (other.listed == 0 || self.listed <= other.listed) {
            let members = self.members_in(other);
            if members == self.members && bits == self.bits {
                return Ok(*self);
            }
            return IntDomain::from_list(self.width, self.interval.lo, self.stride, members, bits);
        }
        if other.listed != 0 {
            return IntDomain::from_list(self.width, other.interval.lo, other.stride, other.members_in(self), bits);
        }
        let mask = self.mask();
        // The whole ring has a seam only for a stride.
        if other.stride == 1 && other.span() == mask {
            return if bits == self.bits { Ok(*self) } else { IntDomain { bits, ..*self }.reduced() };
        }
        if self.stride == 1 && self.span() == mask {
            return IntDomain { bits, ..*other }.reduced();
        }
        match self.interval.meet(other.interval, mask) {
            Overlap::None => Err(Conflict),
            Overlap::One(interval) => self.combine(other, interval, bits),
            Overlap::Two(first, second) => self.meet_at_both_ends(other, first, second, bits),
        }
    }

    /// Keep only what the other allows too.
    #[inline]
    pub fn narrow(&mut self, other: &IntDomain) -> Result<(), Conflict> {
        let says_nothing = other.listed == 0
            && other.stride == 1
            && other.bits.zeros & !self.bits.zeros == 0
            && other.bits.ones & !self.bits.ones == 0
            && other.interval.encloses(self.interval, self.mask());
        if !says_nothing {
            *self = self.meet(other)?;
        }
        Ok(())
    }

    /// Keep only values of the interval.
    #[inline]
    pub(crate) fn narrow_interval(&mut self, interval: Interval) -> Result<(), Conflict> {
        let mask = self.mask();
        if interval.encloses(self.interval, mask) {
            return Ok(());
        }
        let plain = IntDomain::unlisted(self.width, interval, KnownBits::top(mask), 1);
        *self = self.meet(&plain)?;
        Ok(())
    }

    /// Keep only `lo..=hi`, read as unsigned; no such number is a conflict.
    #[inline]
    pub fn narrow_unsigned(&mut self, lo: u128, hi: u128) -> Result<(), Conflict> {
        let hi = hi.min(self.mask());
        if lo > hi {
            return Err(Conflict);
        }
        self.narrow_interval(Interval { lo, hi })
    }

    /// Keep only `lo..=hi`, read as signed; no such number is a conflict.
    #[inline]
    pub fn narrow_signed(&mut self, lo: i128, hi: i128) -> Result<(), Conflict> {
        let mask = self.mask();
        let (least, greatest) = (-((mask >> 1) as i128) - 1, (mask >> 1) as i128);
        let (lo, hi) = (lo.max(least), hi.min(greatest));
        if lo > hi {
            return Err(Conflict);
        }
        self.narrow_interval(Interval { lo: lo as u128 & mask, hi: hi as u128 & mask })
    }

    /// Keep only values with the known bits.
    #[inline]
    pub(crate) fn narrow_bits(&mut self, bits: KnownBits) -> Result<(), Conflict> {
        let met = self.bits.meet(bits)?;
        if met == self.bits {
            return Ok(());
        }
        *self = if self.listed != 0 {
            IntDomain::from_list(self.width, self.interval.lo, self.stride, self.members, met)?
        } else {
            IntDomain { bits: met, ..*self }.reduced()?
        };
        Ok(())
    }

    /// Keep only the value.
    #[inline]
    pub fn fix(&mut self, value: u128) -> Result<(), Conflict> {
        if !self.contains(value) {
            return Err(Conflict);
        }
        *self = IntDomain::singleton(self.width, value);
        Ok(())
    }

    /// Drop the value, where the domain can say so: from a list, or at either end.
    pub fn remove(&mut self, value: u128) -> Result<(), Conflict> {
        if !self.contains(value) {
            return Ok(());
        }
        let mask = self.mask();
        let interval = self.interval;
        if self.listed != 0 {
            let position = self.position(interval.offset(value, mask)).0;
            let members = self.members & !(1 << position);
            *self = IntDomain::from_list(self.width, interval.lo, self.stride, members, self.bits)?;
            return Ok(());
        }
        let (after, before) = (value.wrapping_add(self.stride) & mask, value.wrapping_sub(self.stride) & mask);
        let closes_ring = mask - self.span() == self.stride - 1;
        let interval = match value {
            _ if closes_ring => Interval { lo: after, hi: before },
            _ if value == interval.lo => Interval { lo: after, ..interval },
            _ if value == interval.hi => Interval { hi: before, ..interval },
            _ => return Ok(()),
        };
        *self = IntDomain { interval, ..*self }.reduced()?;
        Ok(())
    }

    /// The listed positions whose values are in the other domain.
    fn members_in(&self, other: &IntDomain) -> u64 {
        let mask = self.mask();
        if other.listed == 0 && other.stride == 1 && other.interval.encloses(self.interval, mask) {
            // The known bits are the caller's to check.
            return self.members;
        }
        let shift = other.interval.offset(self.interval.lo, mask);
        if self.stride == other.stride && other.listed != 0 && self.span() <= mask - shift {
            let (positions, rest) = self.position(shift);
            return if rest != 0 || positions >= 64 { 0 } else { self.members & (other.members >> positions) };
        }
        let mut kept = self.members;
        let mut rest = self.members;
        while rest != 0 {
            let position = rest.trailing_zeros();
            rest &= rest - 1;
            if !other.contains(self.at(position)) {
                kept &= !(1 << position);
            }
        }
        kept
    }

    /// The values at both ends, listed when they are few; otherwise the smaller domain.
    fn meet_at_both_ends(
        &self,
        other: &IntDomain,
        first: Interval,
        second: Interval,
        bits: KnownBits,
    ) -> Result<IntDomain, Conflict> {
        let mask = self.mask();
        // Either interval holds both ends, each with its own gap between them.
        let hull = if other.span() <= self.span() { other.interval } else { self.interval };
        if self.stride == 1 && other.stride == 1 && hull.span(mask) < 64 {
            let run = |part: Interval| (u64::MAX >> (63 - part.span(mask) as u32)) << hull.offset(part.lo, mask) as u32;
            return IntDomain::from_list(self.width, hull.lo, 1, run(first) | run(second), bits);
        }
        if other.count() < self.count() {
            return IntDomain { bits, ..*other }.reduced();
        }
        if bits == self.bits { Ok(*self) } else { IntDomain { bits, ..*self }.reduced() }
    }

    /// The common values inside an interval that lies in both.
    #[inline]
    fn combine(&self, other: &IntDomain, interval: Interval, bits: KnownBits) -> Result<IntDomain, Conflict> {
        if self.stride == 1 && other.stride == 1 {
            return IntDomain::unlisted(self.width, interval, bits, 1).reduced();
        }
        let mask = self.mask();
        let (a, b) = (self.phase(interval.lo), other.phase(interval.lo));
        let (skip, stride) = congruence(a, b)?;
        let span = interval.span(mask);
        if skip > span {
            return Err(Conflict);
        }
        let lo = interval.lo.wrapping_add(skip) & mask;
        let rest = span - skip;
        let hi = lo.wrapping_add(rest - super::divide(rest, stride).1) & mask;
        IntDomain::unlisted(self.width, Interval { lo, hi }, bits, stride).reduced()
    }

    /// Steps from a value inside the interval to the next position, and the stride.
    fn phase(&self, value: u128) -> (u128, u128) {
        let rest = self.position(self.interval.offset(value, self.mask())).1;
        (if rest == 0 { 0 } else { self.stride - rest }, self.stride)
    }
}

/// The least number that is `a.0` modulo `a.1` and `b.0` modulo `b.1`, and the period of all such numbers.
fn congruence(a: (u128, u128), b: (u128, u128)) -> Result<(u128, u128), Conflict> {
    let (a, b) = if a.1 >= b.1 { (a, b) } else { (b, a) };
    if super::divide(a.1, b.1).1 == 0 {
        return if super::divide(a.0, b.1).1 == b.0 { Ok(a) } else { Err(Conflict) };
    }
    let divisor = gcd(a.1, b.1);
    if a.0 % divisor != b.0 % divisor {
        return Err(Conflict);
    }
    if a.1 > COMBINED || b.1 > COMBINED {
        return Ok(a);
    }
    let modulus = b.1 / divisor;
    let distance = (b.0 + b.1 - a.0 % b.1) % b.1 / divisor;
    let steps = distance * inverse_modulo(a.1 / divisor % modulus, modulus) % modulus;
    Ok((a.0 + a.1 * steps, a.1 * modulus))
}

/// The inverse of a number prime to the modulus (extended Euclid).
fn inverse_modulo(number: u128, modulus: u128) -> u128 {
    let (mut old, mut new) = ((number as i128, 1i128), (modulus as i128, 0i128));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    old.1.rem_euclid(modulus as i128) as u128
}
