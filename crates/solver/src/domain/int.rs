//! Integer domains: clockwise interval x known bits x stride, with small sets listed exactly.
//!
//! A domain of `width` bits holds the values `lo, lo + stride, lo + 2 * stride, ..., hi` (modulo two to the width) that
//! also have the known bits. When there are at most [`LISTED`] such positions, a bit mask says for each whether it is in:
//! then the domain is exact. The parts are kept reduced against each other:
//!
//! - `lo` and `hi` are members, unless an odd stride and scattered known bits make finding members a search;
//! - bits that all values share by the interval's common prefix or by the stride's factor of two are in the known bits,
//!   and known lowest bits are in the stride;
//! - the whole ring is `[0, max]`; a progression that closes the ring starts at its least value;
//! - a listed set starts after its widest gap (the least start wins a tie) and its stride is the largest possible.
//!
//! Wrapped intervals are no lattice, so [`IntDomain::meet`] of two that overlap at both ends keeps the smaller one. A
//! meet therefore never has more values than either operand, but it may hold values of only one of them: a constraint
//! that was seen to hold must stay posted until its operands are singletons.
//!
//! Sources: Gotlieb, Leconte and Marre (ModRef 2010) for clockwise intervals; Navas, Schachte, Sondergaard and Stuckey
//! (APLAS 2012) for splitting at the poles; Sen and Srikant (MEMOCODE 2007) for circular progressions.

mod bits;
mod image;
mod interval;
mod join;
mod meet;
mod reduce;
mod split;
#[cfg(test)]
mod tests;
mod walk;

use std::fmt;

use clew_scalar::int;

pub use bits::KnownBits;
pub(crate) use bits::low;
pub use interval::Interval;
pub(crate) use reduce::inverse;
pub use split::{Comparison, get_split, search_point};

use super::Conflict;

/// Sets of at most this many positions are listed exactly.
pub const LISTED: u32 = 64;

/// A non-empty set of integers of 1 to 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IntDomain {
    /// First and last position, clockwise.
    interval: Interval,
    /// Bits common to all values.
    bits: KnownBits,
    /// Distance of neighbouring positions, at least 1; divides the span. 1 for a singleton.
    stride: u128,
    /// When listed: bit `k` says that `lo + k * stride` is in; the first and the last bit are set. Otherwise all ones.
    members: u64,
    /// Number of positions when listed (1 to 64), otherwise 0.
    listed: u8,
    /// Width in bits, 1 to 128.
    width: u8,
}

impl IntDomain {
    /// All integers of the width.
    #[inline]
    pub fn top(width: u8) -> IntDomain {
        let mask = int::mask(width);
        IntDomain::from_interval(width, Interval::full(mask))
    }

    /// One value.
    #[inline]
    pub fn singleton(width: u8, value: u128) -> IntDomain {
        debug_assert!(value <= int::mask(width), "{value} has more than {width} bits");
        IntDomain {
            interval: Interval::singleton(value),
            bits: KnownBits::singleton(value),
            stride: 1,
            members: 1,
            listed: 1,
            width,
        }
    }

    /// The values from `lo` clockwise to `hi`.
    #[inline]
    pub fn from_interval(width: u8, interval: Interval) -> IntDomain {
        let mask = int::mask(width);
        let interval = Interval::new(interval.lo & mask, interval.hi & mask, mask);
        IntDomain::unlisted(width, interval, KnownBits::top(mask), 1)
            .reduced()
            .expect("an interval without further demands has values")
    }

    /// The unsigned numbers `lo..=hi`.
    ///
    /// # Panics
    /// If `lo` is greater than `hi`.
    pub fn unsigned(width: u8, lo: u128, hi: u128) -> IntDomain {
        assert!(lo <= hi && hi <= int::mask(width), "{lo}..{hi} is no range of {width} bits");
        IntDomain::from_interval(width, Interval { lo, hi })
    }

    /// The signed numbers `lo..=hi`.
    ///
    /// # Panics
    /// If `lo` is greater than `hi`.
    pub fn signed(width: u8, lo: i128, hi: i128) -> IntDomain {
        assert!(lo <= hi, "{lo}..{hi} is no range");
        IntDomain::from_interval(width, Interval { lo: lo as u128, hi: hi as u128 })
    }

    /// The values with the known bits.
    pub fn from_bits(width: u8, bits: KnownBits) -> IntDomain {
        let mask: u128 = int::mask(width);
        debug_assert!(bits.zeros & bits.ones == 0 && bits.ones & !mask == 0, "contradictory bits");
        let bits = KnownBits { zeros: bits.zeros | !mask, ones: bits.ones };
        IntDomain::unlisted(width, Interval::full(mask), bits, 1).reduced().expect("a cube of bits has values")
    }

    /// `lo, lo + stride, ...` clockwise up to the last one not beyond `hi`.
    ///
    /// # Panics
    /// If the stride is zero.
    pub fn progression(width: u8, interval: Interval, stride: u128) -> IntDomain {
        assert!(stride > 0, "a progression moves");
        let mask = int::mask(width);
        let lo = interval.lo & mask;
        let span = interval.span(mask);
        let hi = lo.wrapping_add(span - span % stride) & mask;
        IntDomain::unlisted(width, Interval { lo, hi }, KnownBits::top(mask), stride)
            .reduced()
            .expect("a progression has values")
    }

    /// Parts as given, to be reduced.
    #[inline]
    fn unlisted(width: u8, interval: Interval, bits: KnownBits, stride: u128) -> IntDomain {
        IntDomain { interval, bits, stride, members: u64::MAX, listed: 0, width }
    }

    /// Width in bits.
    #[inline]
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// All bits of the width.
    #[inline]
    pub fn mask(&self) -> u128 {
        int::mask(self.width)
    }

    /// The clockwise interval around the values.
    #[inline]
    pub const fn interval(&self) -> Interval {
        self.interval
    }

    /// Bits common to all values.
    #[inline]
    pub const fn bits(&self) -> KnownBits {
        self.bits
    }

    /// Every value is a multiple of this away from the first one, counted clockwise.
    #[inline]
    pub const fn stride(&self) -> u128 {
        self.stride
    }

    /// The value, when only one is left.
    #[inline]
    pub const fn value(&self) -> Option<u128> {
        if self.interval.lo == self.interval.hi { Some(self.interval.lo) } else { None }
    }

    /// Is nothing excluded?
    #[inline]
    pub fn is_top(&self) -> bool {
        self.stride == 1 && self.span() == self.mask() && (self.listed == 0 || !self.has_holes())
    }

    /// Are all values listed exactly?
    #[inline]
    pub(crate) const fn is_listed(&self) -> bool {
        self.listed != 0
    }

    /// Is the value in the domain?
    #[inline]
    pub fn contains(&self, value: u128) -> bool {
        let offset = self.interval.offset(value, self.mask());
        if offset > self.span() || !self.bits.matches(value) {
            return false;
        }
        let (position, rest) = self.position(offset);
        rest == 0 && (self.listed == 0 || self.members >> position & 1 == 1)
    }

    /// How many values there are at most; exact for listed sets; saturates.
    #[inline]
    pub fn count(&self) -> u128 {
        if self.listed != 0 {
            return u128::from(self.members.count_ones());
        }
        let positions = self.position(self.span()).0.saturating_add(1);
        match self.bits.unknown_count() {
            128 => positions,
            unknown => positions.min(1 << unknown),
        }
    }

    /// Steps from the first to the last value.
    #[inline]
    fn span(&self) -> u128 {
        self.interval.span(self.mask())
    }

    /// The position at an offset from the first value, and the rest.
    #[inline]
    fn position(&self, offset: u128) -> (u128, u128) {
        divide(offset, self.stride)
    }

    /// The value at a position.
    #[inline]
    fn at(&self, position: u32) -> u128 {
        self.interval.lo.wrapping_add(self.stride.wrapping_mul(u128::from(position))) & self.mask()
    }

    /// Is a position of the listed set left out?
    #[inline]
    const fn has_holes(&self) -> bool {
        self.members.count_ones() != self.listed as u32
    }

    /// The invariants of the type; called after every operation in debug builds.
    ///
    /// # Panics
    /// If one is broken.
    pub fn check(&self) {
        let mask = self.mask();
        assert!(self.interval.lo <= mask && self.interval.hi <= mask, "bounds inside the ring: {self:?}");
        assert!(self.bits.zeros & self.bits.ones == 0 && self.bits.zeros & !mask == !mask, "sane bits: {self:?}");
        assert!(self.stride >= 1 && self.span().is_multiple_of(self.stride), "stride divides the span: {self:?}");
        if self.listed == 0 {
            assert!(self.interval == Interval::new(self.interval.lo, self.interval.hi, mask), "one form of the ring");
            assert_eq!(self.members, u64::MAX, "no list: {self:?}");
            assert!(self.position(self.span()).0 >= u128::from(LISTED), "small sets are listed: {self:?}");
        } else {
            assert_eq!(self.position(self.span()).0 + 1, u128::from(self.listed), "length of the list: {self:?}");
            assert!(self.members & 1 == 1 && self.members.leading_zeros() == 64 - u32::from(self.listed), "{self:?}");
            let positions = (0..u32::from(self.listed)).filter(|&position| self.members >> position & 1 == 1);
            assert!(positions.map(|position| self.at(position)).all(|value| self.bits.matches(value)), "{self:?}");
        }
        let match_bits = self.bits.matches(self.interval.lo) && self.bits.matches(self.interval.hi);
        assert!(match_bits || !self.stride.is_power_of_two(), "bounds are values: {self:?}");
    }
}

/// Quotient and rest, without the library's 128-bit division where a shift or a 64-bit division does.
#[inline]
fn divide(dividend: u128, divisor: u128) -> (u128, u128) {
    if divisor == 1 {
        return (dividend, 0);
    }
    if divisor.is_power_of_two() {
        return (dividend >> divisor.trailing_zeros(), dividend & (divisor - 1));
    }
    match (u64::try_from(dividend), u64::try_from(divisor)) {
        (Ok(dividend), Ok(divisor)) => (u128::from(dividend / divisor), u128::from(dividend % divisor)),
        _ => (dividend / divisor, dividend % divisor),
    }
}

/// Greatest common divisor; zero counts as a multiple of everything.
#[inline]
pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    if a == 1 || b == 1 {
        return 1;
    }
    while b != 0 {
        (a, b) = (b, divide(a, b).1);
    }
    a
}

impl fmt::Debug for IntDomain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "i{}", self.width)?;
        if self.listed != 0 && (self.has_holes() || self.listed <= 4) {
            let positions = (0..u32::from(self.listed)).filter(|&position| self.members >> position & 1 == 1);
            return out.debug_set().entries(positions.map(|position| self.at(position))).finish();
        }
        write!(out, "[{}..{}", self.interval.lo, self.interval.hi)?;
        if self.stride > 1 {
            write!(out, " by {}", self.stride)?;
        }
        let mask = self.mask();
        if self.bits.known() & mask != 0 {
            write!(out, " zeros {:#x} ones {:#x}", self.bits.zeros & mask, self.bits.ones)?;
        }
        write!(out, "]")
    }
}
