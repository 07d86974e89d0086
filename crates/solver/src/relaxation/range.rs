//! Intervals of reals in floating point, rounded outwards.

/// All reals from `lo` to `hi`, both finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) lo: f64,
    pub(super) hi: f64,
}

impl Range {
    /// The range, unless an end is infinite.
    pub(super) fn new(lo: f64, hi: f64) -> Option<Range> {
        (lo.is_finite() && hi.is_finite() && lo <= hi).then_some(Range { lo, hi })
    }

    /// The greatest magnitude.
    pub(super) fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// The product of two numbers that vary independently.
    pub(super) fn times(self, other: Range) -> Range {
        let corners = [self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi];
        let (lo, hi) = corners.iter().fold((f64::MAX, f64::MIN), |(lo, hi), &x| (lo.min(x), hi.max(x)));
        Range { lo: down(lo), hi: up(hi) }
    }

    /// The square.
    pub(super) fn squared(self) -> Range {
        let all = self.times(self);
        let least = if self.lo > 0.0 {
            down(self.lo * self.lo)
        } else if self.hi < 0.0 {
            down(self.hi * self.hi)
        } else {
            0.0
        };
        Range { lo: least.max(0.0), hi: all.hi }
    }
}

/// A number above the exact result, given the rounded one.
pub(super) fn up(rounded: f64) -> f64 {
    rounded.next_up()
}

/// A number below the exact result, given the rounded one.
pub(super) fn down(rounded: f64) -> f64 {
    rounded.next_down()
}
