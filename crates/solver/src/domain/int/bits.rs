//! Known bits: for each bit whether it is always zero, always one, or unknown.
//!
//! The set described is a sub-cube of the ring. Bits above the width count as known zeros, so that most operations need
//! no width. The carry analysis of sums is the ternary addition of LLVM's `KnownBits` (Regehr and Duongsaa 2006 describe
//! the idea); `next` and `previous` find the nearest members of the cube (after Warren, Hacker's Delight, ch. 4).

use super::Conflict;

/// Masks of the bits known to be zero and known to be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KnownBits {
    /// Bits that are zero in every value; includes all bits above the width. Disjoint from `ones`.
    pub zeros: u128,
    /// Bits that are one in every value.
    pub ones: u128,
}

/// The `count` lowest bits.
#[inline]
pub(crate) const fn low(count: u32) -> u128 {
    if count >= 128 { u128::MAX } else { (1 << count) - 1 }
}

impl KnownBits {
    /// Nothing known inside the ring.
    #[inline]
    pub const fn top(mask: u128) -> KnownBits {
        KnownBits { zeros: !mask, ones: 0 }
    }

    /// All bits known.
    #[inline]
    pub const fn singleton(value: u128) -> KnownBits {
        KnownBits { zeros: !value, ones: value }
    }

    /// What the numbers `lo..=hi`, without a wrap, have in common: their common prefix.
    #[inline]
    pub(crate) const fn prefix(lo: u128, hi: u128) -> KnownBits {
        let free = low(128 - (lo ^ hi).leading_zeros());
        KnownBits { zeros: !lo & !free, ones: lo & !free }
    }

    /// The `count` lowest bits are those of the value, the rest of the ring is unknown.
    #[inline]
    pub(crate) const fn suffix(value: u128, count: u32, mask: u128) -> KnownBits {
        let fixed = low(count) & mask;
        KnownBits { zeros: !value & fixed | !mask, ones: value & fixed }
    }

    /// The known bits.
    #[inline]
    pub const fn known(self) -> u128 {
        self.zeros | self.ones
    }

    /// How many bits are unknown: the cube has two to this power values.
    #[inline]
    pub(crate) const fn unknown_count(self) -> u32 {
        (!self.known()).count_ones()
    }

    /// How many of the lowest bits are known without a gap.
    #[inline]
    pub(crate) const fn known_suffix(self) -> u32 {
        self.known().trailing_ones()
    }

    /// Does the value have the known bits?
    #[inline]
    pub const fn matches(self, value: u128) -> bool {
        value & self.zeros == 0 && !value & self.ones == 0
    }

    /// The least and the greatest member.
    #[inline]
    pub const fn bounds(self) -> (u128, u128) {
        (self.ones, !self.zeros)
    }

    /// What both say.
    #[inline]
    pub const fn meet(self, other: KnownBits) -> Result<KnownBits, Conflict> {
        let (zeros, ones) = (self.zeros | other.zeros, self.ones | other.ones);
        if zeros & ones == 0 { Ok(KnownBits { zeros, ones }) } else { Err(Conflict) }
    }

    /// What they agree on.
    #[inline]
    pub const fn join(self, other: KnownBits) -> KnownBits {
        KnownBits { zeros: self.zeros & other.zeros, ones: self.ones & other.ones }
    }

    /// The bits of the complement.
    #[inline]
    pub(crate) const fn complement(self, mask: u128) -> KnownBits {
        KnownBits { zeros: self.ones | !mask, ones: self.zeros & mask }
    }

    /// The least member that is not less than the value.
    pub const fn next(self, value: u128) -> Option<u128> {
        let wrong = value & self.zeros | !value & self.ones;
        if wrong == 0 {
            return Some(value);
        }
        let at = 127 - wrong.leading_zeros();
        // A missing one is repaired in place; a forbidden one only by a carry into a free zero above it.
        let carry = if self.ones >> at & 1 == 1 {
            at
        } else {
            let free = !value & !self.zeros & !low(at + 1);
            if free == 0 {
                return None;
            }
            free.trailing_zeros()
        };
        Some(value & !low(carry + 1) | 1 << carry | self.ones & low(carry))
    }

    /// The greatest member that is not greater than the value.
    pub(crate) const fn previous(self, value: u128) -> Option<u128> {
        let mirrored = KnownBits { zeros: self.ones, ones: self.zeros };
        match mirrored.next(!value) {
            Some(found) => Some(!found),
            None => None,
        }
    }

    /// Bits of the sum of two members and a carry.
    pub const fn add(self, other: KnownBits, carry: bool, mask: u128) -> KnownBits {
        let carry = carry as u128;
        let most = (!self.zeros).wrapping_add(!other.zeros).wrapping_add(carry);
        let least = self.ones.wrapping_add(other.ones).wrapping_add(carry);
        let carry_zero = !(most ^ self.zeros ^ other.zeros);
        let carry_one = least ^ self.ones ^ other.ones;
        let known = self.known() & other.known() & (carry_zero | carry_one) & mask;
        KnownBits { zeros: !most & known | !mask, ones: least & known }
    }

    /// Bits of the difference of two members.
    pub const fn sub(self, other: KnownBits, mask: u128) -> KnownBits {
        self.add(other.complement(mask), true, mask)
    }

    /// Bits of the product of two members: its lowest ones, as far as those of the factors are known.
    pub fn mul(self, other: KnownBits, mask: u128) -> KnownBits {
        let trailing = |bits: KnownBits| bits.zeros.trailing_ones();
        let count = (self.known_suffix() + trailing(other)).min(other.known_suffix() + trailing(self));
        KnownBits::suffix(self.ones.wrapping_mul(other.ones), count, mask)
    }
}

#[cfg(test)]
mod tests {
    use super::KnownBits;

    const MASK: u128 = 0b1111;

    fn cubes() -> impl Iterator<Item = KnownBits> {
        (0..81u32).map(|code| {
            let digit = |at: u32| code / 3u32.pow(at) % 3;
            let mask = |kind| (0..4).filter(|&at| digit(at) == kind).map(|at| 1u128 << at).sum::<u128>();
            KnownBits { zeros: mask(0) | !MASK, ones: mask(1) }
        })
    }

    fn members(bits: KnownBits) -> Vec<u128> {
        (0..=MASK).filter(|&value| bits.matches(value)).collect()
    }

    #[test]
    fn nearest_members() {
        for bits in cubes() {
            let members = members(bits);
            for value in 0..=MASK {
                assert_eq!(bits.next(value), members.iter().copied().find(|&member| member >= value));
                assert_eq!(bits.previous(value), members.iter().copied().rfind(|&member| member <= value));
            }
        }
    }

    #[test]
    fn arithmetic_keeps_every_result() {
        for a in cubes() {
            for b in cubes() {
                let (sum, difference, product) = (a.add(b, false, MASK), a.sub(b, MASK), a.mul(b, MASK));
                for x in members(a) {
                    for y in members(b) {
                        assert!(sum.matches((x + y) & MASK), "{a:?} + {b:?}");
                        assert!(difference.matches(x.wrapping_sub(y) & MASK), "{a:?} - {b:?}");
                        assert!(product.matches((x * y) & MASK), "{a:?} * {b:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn prefix_is_exact() {
        for lo in 0..=MASK {
            for hi in lo..=MASK {
                let all = (lo..=hi).map(KnownBits::singleton).reduce(KnownBits::join).unwrap();
                assert_eq!(KnownBits::prefix(lo, hi), all);
            }
        }
    }
}
