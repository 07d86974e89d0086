//! Integers as positions in their order, signed or unsigned: what [`super::monotone`] needs to relate them to floats.

use crate::domain::float::Interval;
use crate::domain::int::IntDomain;
use crate::linear::exact::Signedness;

const TOP: u128 = 1 << 127;

impl Signedness {
    /// The position of an integer of the width in the order.
    pub(super) fn position(self, width: u8, bits: u128) -> i128 {
        match self {
            Signedness::Signed => clew_scalar::int::signed(width, bits),
            Signedness::Unsigned => (bits ^ TOP) as i128,
        }
    }

    /// The integer at a position.
    pub(super) fn bits(self, width: u8, position: i128) -> u128 {
        match self {
            Signedness::Signed => position as u128 & clew_scalar::int::mask::<u128>(width),
            Signedness::Unsigned => position as u128 ^ TOP,
        }
    }

    /// The positions of the domain's values, as one interval, as far as they lie in `range`.
    pub(super) fn positions(self, domain: &IntDomain, range: Interval) -> Option<Interval> {
        let width = domain.width();
        let mut part = *domain;
        let whole = match self {
            Signedness::Signed => Interval {
                lo: clew_scalar::int::signed(width, clew_scalar::int::signed_min(width)),
                hi: clew_scalar::int::mask::<u128>(width) as i128 & i128::MAX >> (128 - u32::from(width)),
            },
            Signedness::Unsigned => Interval { lo: i128::MIN, hi: self.position(width, domain.mask()) },
        };
        let range = range.meet(whole);
        if range.is_empty() {
            return None;
        }
        let bounds = match self {
            Signedness::Signed => {
                part.narrow_signed(range.lo, range.hi).ok()?;
                Interval { lo: part.signed_min(), hi: part.signed_max() }
            }
            Signedness::Unsigned => {
                part.narrow_unsigned(self.bits(width, range.lo), self.bits(width, range.hi)).ok()?;
                Interval {
                    lo: self.position(width, part.unsigned_min()),
                    hi: self.position(width, part.unsigned_max()),
                }
            }
        };
        let bounds = bounds.meet(range);
        (!bounds.is_empty()).then_some(bounds)
    }
}
