//! Integers as positions in their order, signed or unsigned: what [`super::monotone`] needs to relate them to floats.

use crate::domain::float::Interval;
use crate::domain::int::IntDomain;

/// How the bits of an integer are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Two's complement.
    Signed,
    /// Without a sign.
    Unsigned,
}

const TOP: u128 = 1 << 127;

impl Reading {
    /// The position of an integer of the width in the order.
    pub(super) fn position(self, width: u8, bits: u128) -> i128 {
        match self {
            Reading::Signed => clew_scalar::int::signed(width, bits),
            Reading::Unsigned => (bits ^ TOP) as i128,
        }
    }

    /// The integer at a position.
    pub(super) fn bits(self, width: u8, position: i128) -> u128 {
        match self {
            Reading::Signed => position as u128 & clew_scalar::int::mask::<u128>(width),
            Reading::Unsigned => position as u128 ^ TOP,
        }
    }

    /// The positions of the domain's values, as one interval, as far as they lie in `range`.
    pub(super) fn positions(self, domain: &IntDomain, range: Interval) -> Option<Interval> {
        let width = domain.width();
        let mut part = *domain;
        let whole = match self {
            Reading::Signed => Interval {
                lo: clew_scalar::int::signed(width, clew_scalar::int::signed_min(width)),
                hi: clew_scalar::int::mask::<u128>(width) as i128 & i128::MAX >> (128 - u32::from(width)),
            },
            Reading::Unsigned => Interval { lo: i128::MIN, hi: self.position(width, domain.mask()) },
        };
        let range = range.meet(whole);
        if range.is_empty() {
            return None;
        }
        let bounds = match self {
            Reading::Signed => {
                part.narrow_signed(range.lo, range.hi).ok()?;
                Interval { lo: part.signed_min(), hi: part.signed_max() }
            }
            Reading::Unsigned => {
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
