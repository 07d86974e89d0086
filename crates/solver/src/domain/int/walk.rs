//! Bounds in both readings and walks through the values of an integer domain.

use clew_scalar::int;

use super::IntDomain;

/// Tries at stepping to a value that has the known bits and lies on an odd stride.
const TRIES: u32 = 64;

impl IntDomain {
    /// The first value met clockwise from `start` (`start` included).
    ///
    /// For an unlisted domain with an odd stride and scattered known bits the answer may be a non-member before the
    /// first value; it is never beyond it.
    pub fn first_from(&self, start: u128) -> u128 {
        let mask = self.mask();
        let mut from = start;
        for _ in 0..TRIES {
            let offset = self.interval.offset(from, mask);
            if offset > self.span() {
                return self.interval.lo;
            }
            let (position, rest) = self.position(offset);
            let position = position + u128::from(rest != 0);
            if self.listed != 0 {
                let later = if position >= 64 { 0 } else { self.members >> position };
                return if later == 0 { self.interval.lo } else { self.at(position as u32 + later.trailing_zeros()) };
            }
            let Some(step) = position.checked_mul(self.stride).filter(|&step| step <= self.span()) else {
                return self.interval.lo;
            };
            from = self.interval.lo.wrapping_add(step) & mask;
            if self.bits.matches(from) {
                return from;
            }
            let next = self.bits.next(from).unwrap_or(self.bits.ones);
            if self.interval.offset(next, mask) < step {
                return self.interval.lo;
            }
            from = next;
        }
        from
    }

    /// The last value met clockwise up to `end` (`end` included); with the same reserve as [`IntDomain::first_from`].
    pub(crate) fn last_until(&self, end: u128) -> u128 {
        let mask = self.mask();
        let mut until = end;
        for _ in 0..TRIES {
            let offset = self.interval.offset(until, mask);
            if offset > self.span() {
                return self.interval.hi;
            }
            let position = self.position(offset).0;
            if self.listed != 0 {
                let earlier = self.members & (u64::MAX >> (63 - position as u32));
                return self.at(63 - earlier.leading_zeros());
            }
            until = self.interval.lo.wrapping_add(position * self.stride) & mask;
            if self.bits.matches(until) {
                return until;
            }
            let previous = self.bits.previous(until).unwrap_or(!self.bits.zeros);
            if self.interval.offset(previous, mask) > offset {
                return self.interval.hi;
            }
            until = previous;
        }
        until
    }

    /// The least value read as unsigned.
    #[inline]
    pub fn unsigned_min(&self) -> u128 {
        if self.interval.wraps() { self.first_from(0) } else { self.interval.lo }
    }

    /// The greatest value read as unsigned.
    #[inline]
    pub fn unsigned_max(&self) -> u128 {
        if self.interval.wraps() { self.last_until(self.mask()) } else { self.interval.hi }
    }

    /// The least value read as signed.
    #[inline]
    pub fn signed_min(&self) -> i128 {
        let least = int::signed_min::<u128>(self.width);
        let value = if self.crosses_signed_border() { self.first_from(least) } else { self.interval.lo };
        int::signed(self.width, value)
    }

    /// The greatest value read as signed.
    #[inline]
    pub fn signed_max(&self) -> i128 {
        let greatest = int::signed_min::<u128>(self.width) - 1;
        let value = if self.crosses_signed_border() { self.last_until(greatest) } else { self.interval.hi };
        int::signed(self.width, value)
    }

    /// Does the interval pass from the greatest to the least signed number?
    #[inline]
    pub(crate) fn crosses_signed_border(&self) -> bool {
        let least = int::signed_min::<u128>(self.width);
        (self.interval.lo ^ least) > (self.interval.hi ^ least)
    }

    /// All values, clockwise from the first. Long for large domains: ask [`IntDomain::count`] first.
    pub fn values(&self) -> impl Iterator<Item = u128> {
        let domain = *self;
        let mask = self.mask();
        let next = move |&value: &u128| {
            if value == domain.interval.hi {
                return None;
            }
            let next = domain.first_from(value.wrapping_add(1) & mask);
            (next != domain.interval.lo).then_some(next)
        };
        std::iter::successors(Some(self.interval.lo), next).filter(move |&value| domain.contains(value))
    }
}
