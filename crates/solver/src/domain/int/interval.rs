//! Clockwise intervals: the values met on the way from `lo` to `hi`, counting upwards modulo two to the width.
//!
//! After Gotlieb, Leconte and Marre (ModRef 2010), corrected: a sum is the whole ring only when the cardinalities add
//! to *more* than the size of the ring (erratum E038), the meet of two intervals that overlap twice is two intervals
//! (E041), and the hull looks for the widest gap (E042).
//! Every interval here is non-empty; the whole ring is written `[0, max]` and nothing else.
//!
//! Wrapped intervals are no lattice: two of them may have no greatest lower bound. Where a choice exists the smaller
//! set is taken, then the one with the smaller first element, so that a proper interval wins a tie.

/// The values from `lo` clockwise to `hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// First value.
    pub lo: u128,
    /// Last value; less than `lo` when the interval passes through zero.
    pub hi: u128,
}

/// How two intervals meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overlap {
    /// Nowhere.
    None,
    /// In one interval.
    One(Interval),
    /// At both ends: the two parts.
    Two(Interval, Interval),
}

impl Interval {
    /// The whole ring.
    #[inline]
    pub const fn full(mask: u128) -> Interval {
        Interval { lo: 0, hi: mask }
    }

    /// One value.
    #[inline]
    pub const fn singleton(value: u128) -> Interval {
        Interval { lo: value, hi: value }
    }

    /// From `lo` clockwise to `hi`, the whole ring in its one form.
    #[inline]
    pub const fn new(lo: u128, hi: u128, mask: u128) -> Interval {
        let interval = Interval { lo, hi };
        if interval.span(mask) == mask { Interval::full(mask) } else { interval }
    }

    /// Number of steps from `lo` to `hi`: the cardinality less one.
    #[inline]
    pub const fn span(self, mask: u128) -> u128 {
        self.hi.wrapping_sub(self.lo) & mask
    }

    /// Number of steps from `lo` to the value.
    #[inline]
    pub const fn offset(self, value: u128, mask: u128) -> u128 {
        value.wrapping_sub(self.lo) & mask
    }

    /// Is the value met on the way?
    #[inline]
    pub const fn contains(self, value: u128, mask: u128) -> bool {
        self.offset(value, mask) <= self.span(mask)
    }

    /// Does it pass through zero?
    #[inline]
    pub const fn wraps(self) -> bool {
        self.lo > self.hi
    }

    /// Is every value of the other one also here?
    pub(crate) const fn encloses(self, other: Interval, mask: u128) -> bool {
        let start = self.offset(other.lo, mask);
        let span = self.span(mask);
        start <= span && other.span(mask) <= span - start || span == mask
    }

    /// The unsigned ranges it is made of: one, or two when it wraps.
    #[inline]
    pub(crate) fn unsigned_parts(self, mask: u128) -> impl Iterator<Item = Interval> + Clone {
        let parts = if self.wraps() {
            [Some(Interval { lo: 0, hi: self.hi }), Some(Interval { lo: self.lo, hi: mask })]
        } else {
            [Some(self), None]
        };
        parts.into_iter().flatten()
    }

    /// The parts on either side of the border between the greatest and the least signed number.
    #[inline]
    pub fn signed_parts(self, mask: u128) -> impl Iterator<Item = Interval> + Clone {
        let least = (mask >> 1) + 1;
        let crosses = (self.lo ^ least) > (self.hi ^ least);
        let parts = if crosses {
            [Some(Interval { lo: least, hi: self.hi }), Some(Interval { lo: self.lo, hi: least - 1 })]
        } else {
            [Some(self), None]
        };
        parts.into_iter().flatten()
    }

    /// All sums. Exact.
    #[inline]
    pub const fn add(self, other: Interval, mask: u128) -> Interval {
        let (a, b) = (self.span(mask), other.span(mask));
        if a > mask - b {
            return Interval::full(mask);
        }
        Interval::new(self.lo.wrapping_add(other.lo) & mask, self.hi.wrapping_add(other.hi) & mask, mask)
    }

    /// All differences. Exact.
    #[inline]
    pub const fn sub(self, other: Interval, mask: u128) -> Interval {
        self.add(other.negate(mask), mask)
    }

    /// All negations. Exact.
    #[inline]
    pub(crate) const fn negate(self, mask: u128) -> Interval {
        if self.span(mask) == mask {
            return self;
        }
        Interval { lo: self.hi.wrapping_neg() & mask, hi: self.lo.wrapping_neg() & mask }
    }

    /// The common values, exactly.
    #[inline]
    pub(crate) const fn meet(self, other: Interval, mask: u128) -> Overlap {
        let span = self.span(mask);
        let (start, end) = (self.offset(other.lo, mask), self.offset(other.hi, mask));
        if start <= end {
            if start > span {
                return Overlap::None;
            }
            let hi = if end < span { other.hi } else { self.hi };
            return Overlap::One(Interval { lo: other.lo, hi });
        }
        let first = Interval { lo: self.lo, hi: if end < span { other.hi } else { self.hi } };
        if start > span { Overlap::One(first) } else { Overlap::Two(first, Interval { lo: other.lo, hi: self.hi }) }
    }

    /// The smallest interval around all of them: the ring without its widest gap.
    ///
    /// # Panics
    /// If there is none.
    pub fn hull(parts: &[Interval], mask: u128) -> Interval {
        let reach = |start: u128| {
            let end = |part: &Interval| (part.lo.wrapping_sub(start) & mask).saturating_add(part.span(mask)).min(mask);
            parts.iter().map(end).max().unwrap_or(0)
        };
        let starts = parts.iter().map(|part| (reach(part.lo), part.lo));
        let (span, lo) = starts.min().expect("the hull of at least one interval");
        Interval::new(lo, lo.wrapping_add(span) & mask, mask)
    }
}

#[cfg(test)]
mod tests {
    use super::{Interval, Overlap};

    const MASK: u128 = 7;

    fn all() -> Vec<Interval> {
        let pairs = (0..=MASK).flat_map(|lo| (0..=MASK).map(move |hi| Interval { lo, hi }));
        pairs.filter(|&interval| interval == Interval::new(interval.lo, interval.hi, MASK)).collect()
    }

    fn values(interval: Interval) -> Vec<u128> {
        (0..=MASK).filter(|&value| interval.contains(value, MASK)).collect()
    }

    /// Smallest first, then the one with the smaller start.
    fn best_cover(wanted: &[u128]) -> Interval {
        let covers = all().into_iter().filter(|cover| wanted.iter().all(|&value| cover.contains(value, MASK)));
        covers.min_by_key(|cover| (cover.span(MASK), cover.lo)).unwrap()
    }

    #[test]
    fn there_are_57_intervals_modulo_8() {
        assert_eq!(all().len(), 57);
    }

    #[test]
    fn sums_and_differences_are_exact() {
        for a in all() {
            for b in all() {
                let image = |f: fn(u128, u128) -> u128| {
                    let pairs = values(a).into_iter().flat_map(|x| values(b).into_iter().map(move |y| f(x, y) & MASK));
                    pairs.collect::<Vec<_>>()
                };
                assert_eq!(a.add(b, MASK), best_cover(&image(u128::wrapping_add)), "{a:?} + {b:?}");
                assert_eq!(a.sub(b, MASK), best_cover(&image(u128::wrapping_sub)), "{a:?} - {b:?}");
            }
        }
    }

    #[test]
    fn meets_are_exact() {
        for a in all() {
            for b in all() {
                let parts = match a.meet(b, MASK) {
                    Overlap::None => vec![],
                    Overlap::One(part) => vec![part],
                    Overlap::Two(first, second) => vec![first, second],
                };
                let mut met: Vec<u128> = parts.into_iter().flat_map(values).collect();
                met.sort_unstable();
                let common: Vec<u128> = values(a).into_iter().filter(|&value| b.contains(value, MASK)).collect();
                assert_eq!(met, common, "{a:?} meet {b:?}");
            }
        }
    }

    #[test]
    fn hulls_are_smallest() {
        for a in all() {
            for b in all() {
                let wanted = [values(a), values(b)].concat();
                assert_eq!(Interval::hull(&[a, b], MASK), best_cover(&wanted), "{a:?} join {b:?}");
                let enclosed = values(b).iter().all(|&value| a.contains(value, MASK));
                assert_eq!(a.encloses(b, MASK), enclosed, "{a:?} encloses {b:?}");
            }
        }
    }

    #[test]
    fn parts_partition() {
        for a in all() {
            for parts in [a.unsigned_parts(MASK).collect::<Vec<_>>(), a.signed_parts(MASK).collect::<Vec<_>>()] {
                let mut seen: Vec<u128> = parts.into_iter().flat_map(values).collect();
                seen.sort_unstable();
                assert_eq!(seen, values(a), "{a:?}");
            }
        }
    }
}
