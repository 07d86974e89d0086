//! Images of integer domains under the maps that keep their shape: translation, negation, change of ring.
//!
//! The results are *rough*: they hold every value of the image but are not reduced. They serve as the argument of
//! [`IntDomain::narrow`], which reduces anyway, so that a propagator pays for one reduction and not for two.

use clew_scalar::int;

use super::{IntDomain, Interval, KnownBits, gcd};

impl IntDomain {
    /// Interval, stride counted from its start, and bits; a rough domain.
    #[inline]
    pub(crate) fn rough(width: u8, interval: Interval, stride: u128, bits: KnownBits) -> IntDomain {
        let mask: u128 = int::mask(width);
        let span = interval.span(mask);
        let stride = if stride == 0 { 1 } else { stride };
        if stride == 1 || span == mask {
            return IntDomain::unlisted(width, Interval::new(interval.lo, interval.hi, mask), bits, 1);
        }
        let hi = interval.lo.wrapping_add(span - super::divide(span, stride).1) & mask;
        IntDomain::unlisted(width, Interval { lo: interval.lo, hi }, bits, stride)
    }

    /// Only the bits are known; a rough domain.
    #[inline]
    pub(crate) fn rough_bits(width: u8, bits: KnownBits) -> IntDomain {
        IntDomain::unlisted(width, Interval::full(int::mask(width)), bits, 1)
    }

    /// The same shape in another place or ring; a rough domain. The span must fit the ring.
    #[inline]
    pub(crate) fn rough_moved(&self, width: u8, lo: u128, bits: KnownBits) -> IntDomain {
        let mask: u128 = int::mask(width);
        let (lo, span) = (lo & mask, self.span());
        if span == mask && self.listed == 0 {
            return IntDomain::rough_bits(width, bits);
        }
        IntDomain { interval: Interval { lo, hi: lo.wrapping_add(span) & mask }, bits, width, ..*self }
    }

    /// Same positions, spread by a factor: `lo, lo + factor * stride, ...`; a rough domain. The span must fit the ring.
    #[inline]
    pub(crate) fn rough_scaled(&self, width: u8, lo: u128, factor: u128, bits: KnownBits) -> IntDomain {
        let mask: u128 = int::mask(width);
        let interval = Interval { lo: lo & mask, hi: lo.wrapping_add(self.span() * factor) & mask };
        if self.listed == 1 {
            return IntDomain { interval, bits, width, ..*self };
        }
        if interval.span(mask) == mask && self.listed == 0 {
            return IntDomain::rough_bits(width, bits);
        }
        IntDomain { interval, bits, width, stride: self.stride * factor, ..*self }
    }

    /// All negations; a rough domain.
    #[inline]
    pub(crate) fn negated(&self) -> IntDomain {
        let mask = self.mask();
        let bits = KnownBits::singleton(0).sub(self.bits, mask);
        self.mirrored(self.interval.negate(mask), bits)
    }

    /// All complements; a rough domain.
    #[inline]
    pub(crate) fn complemented(&self) -> IntDomain {
        let mask = self.mask();
        let interval = Interval { lo: !self.interval.hi & mask, hi: !self.interval.lo & mask };
        self.mirrored(interval, self.bits.complement(mask))
    }

    /// The positions in reverse order.
    #[inline]
    fn mirrored(&self, interval: Interval, bits: KnownBits) -> IntDomain {
        if self.span() == self.mask() {
            // The whole ring stays in its one form; a list of it may have holes elsewhere now.
            return IntDomain::unlisted(self.width, self.interval, bits, 1);
        }
        let members =
            if self.listed == 0 { self.members } else { self.members.reverse_bits() >> (64 - u32::from(self.listed)) };
        IntDomain { interval, bits, members, ..*self }
    }

    /// All sums; a rough domain.
    #[inline]
    pub(crate) fn sum(&self, other: &IntDomain) -> IntDomain {
        let mask = self.mask();
        let bits = self.bits.add(other.bits, false, mask);
        let lo = self.interval.lo.wrapping_add(other.interval.lo);
        if other.listed == 1 {
            return self.rough_moved(self.width, lo, bits);
        }
        if self.listed == 1 {
            return other.rough_moved(self.width, lo, bits);
        }
        IntDomain::rough(self.width, self.interval.add(other.interval, mask), gcd(self.stride, other.stride), bits)
    }

    /// All differences; a rough domain.
    #[inline]
    pub(crate) fn difference(&self, other: &IntDomain) -> IntDomain {
        let mask = self.mask();
        let bits = self.bits.sub(other.bits, mask);
        if other.listed == 1 {
            return self.rough_moved(self.width, self.interval.lo.wrapping_sub(other.interval.lo), bits);
        }
        if self.listed == 1 {
            let negated = other.negated();
            return negated.rough_moved(self.width, self.interval.lo.wrapping_add(negated.interval.lo), bits);
        }
        IntDomain::rough(self.width, self.interval.sub(other.interval, mask), gcd(self.stride, other.stride), bits)
    }

    /// The listed values with their positions; nothing for an unlisted domain.
    #[inline]
    pub(crate) fn listed_values(&self) -> impl Iterator<Item = (u32, u128)> + use<> {
        let domain = *self;
        let mut rest = if self.listed == 0 { 0 } else { self.members };
        std::iter::from_fn(move || {
            let position = rest.trailing_zeros();
            (rest != 0).then(|| {
                rest &= rest - 1;
                (position, domain.at(position))
            })
        })
    }

    /// Keep only these positions of a listed domain.
    #[inline]
    pub(crate) fn retain(&mut self, positions: u64) -> Result<(), super::Conflict> {
        debug_assert!(self.listed != 0, "only a list has positions to keep");
        if self.members & positions != self.members {
            *self = IntDomain::from_list(
                self.width,
                self.interval.lo,
                self.stride,
                self.members & positions,
                KnownBits::top(self.mask()),
            )?;
        }
        Ok(())
    }
}
