//! Conditions: which of the two truth values are still possible.
//!
//! A condition is an `Int(1)` term. Comparisons, connectives and the condition of a select work on this two-bit domain;
//! the general integer propagators (extension, concatenation, arithmetic of one bit) take the [`IntDomain`] made from
//! it, and [`BoolDomain::narrow`] brings their result back.

use std::fmt;

use super::Conflict;
use super::int::IntDomain;

/// A non-empty subset of {false, true}.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BoolDomain {
    /// Bit 0: false is possible. Bit 1: true is possible. Never 0.
    possible: u8,
}

impl BoolDomain {
    /// Both values.
    pub const TOP: BoolDomain = BoolDomain { possible: 0b11 };
    /// Only false.
    pub const FALSE: BoolDomain = BoolDomain { possible: 0b01 };
    /// Only true.
    pub const TRUE: BoolDomain = BoolDomain { possible: 0b10 };

    /// Only the given value.
    #[inline]
    pub const fn singleton(truth: bool) -> BoolDomain {
        if truth { BoolDomain::TRUE } else { BoolDomain::FALSE }
    }

    /// Is the value possible?
    #[inline]
    pub const fn contains(self, truth: bool) -> bool {
        self.possible >> (truth as u8) & 1 == 1
    }

    /// The value, when only one is left.
    #[inline]
    pub const fn value(self) -> Option<bool> {
        match self.possible {
            0b01 => Some(false),
            0b10 => Some(true),
            _ => None,
        }
    }

    /// Keep only the given value.
    #[inline]
    pub fn fix(&mut self, truth: bool) -> Result<(), Conflict> {
        self.narrow(BoolDomain::singleton(truth))
    }

    /// Keep only what the other allows too.
    #[inline]
    pub fn narrow(&mut self, other: BoolDomain) -> Result<(), Conflict> {
        match self.possible & other.possible {
            0 => Err(Conflict),
            possible => {
                self.possible = possible;
                Ok(())
            }
        }
    }

    /// What either allows.
    #[inline]
    pub const fn join(self, other: BoolDomain) -> BoolDomain {
        BoolDomain { possible: self.possible | other.possible }
    }

    /// The negated values.
    #[inline]
    pub const fn not(self) -> BoolDomain {
        BoolDomain { possible: self.possible >> 1 | (self.possible & 1) << 1 }
    }
}

impl From<BoolDomain> for IntDomain {
    /// The same values as integers of one bit.
    fn from(domain: BoolDomain) -> IntDomain {
        match domain.value() {
            Some(truth) => IntDomain::singleton(1, u128::from(truth)),
            None => IntDomain::top(1),
        }
    }
}

impl From<IntDomain> for BoolDomain {
    /// The same values as conditions.
    ///
    /// # Panics
    /// If the integers are wider than one bit.
    fn from(domain: IntDomain) -> BoolDomain {
        assert_eq!(domain.width(), 1, "a condition has one bit");
        BoolDomain { possible: u8::from(domain.contains(0)) | u8::from(domain.contains(1)) << 1 }
    }
}

impl fmt::Debug for BoolDomain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self.value() {
            Some(false) => "{false}",
            Some(true) => "{true}",
            None => "{false, true}",
        })
    }
}
