//! Signed integers that know their range: the exponents of unpacked floats.
//!
//! Beside its bits, a [`Signed`] carries constant bounds. They keep adders as narrow as the values allow and fold
//! comparisons that the bounds decide, which is how a rounding that cannot overflow or underflow loses the circuits for
//! both. The bounds hold where the float is a number other than zero; elsewhere the bits are arbitrary and unused.

use super::gates::{Gates, Lit};
use super::int::{Bits, constant, sign_extend};

/// An integer in two's complement, least significant bit first, and its bounds.
#[derive(Clone, Debug)]
pub(super) struct Signed {
    pub(super) bits: Bits,
    pub(super) lo: i32,
    pub(super) hi: i32,
}

impl Signed {
    pub(super) fn constant(value: i32) -> Signed {
        Signed::from_bits(&constant(value as u128, 32), value, value)
    }

    /// Reads bits as signed; the caller knows the bounds.
    pub(super) fn from_bits(bits: &[Lit], lo: i32, hi: i32) -> Signed {
        debug_assert!(lo <= hi, "bounds are ordered");
        Signed { bits: sign_extend(bits, width(lo, hi)), lo, hi }
    }

    /// Reads bits as unsigned; the caller knows the upper bound.
    pub(super) fn from_unsigned(bits: &[Lit], hi: i32) -> Signed {
        let mut bits = bits.to_vec();
        bits.push(Lit::FALSE);
        Signed::from_bits(&bits, 0, hi)
    }

    /// The same value, known to lie within other bounds as well.
    pub(super) fn within(&self, lo: i32, hi: i32) -> Signed {
        let (lo, hi) = (self.lo.max(lo), self.hi.min(hi));
        Signed::from_bits(&self.bits, lo.min(hi), hi)
    }

    /// The low bits, for a value that is not negative.
    pub(super) fn unsigned(&self) -> &[Lit] {
        &self.bits[..self.bits.len() - 1]
    }

    fn extended(&self, width: usize) -> Bits {
        sign_extend(&self.bits, width)
    }

    /// The bits in an order-preserving unsigned code of the given width.
    pub(super) fn ordered(&self, width: usize) -> Bits {
        let mut bits = self.extended(width);
        if let Some(sign) = bits.last_mut() {
            *sign = !*sign;
        }
        bits
    }

    /// The width of the bits that fits both.
    pub(super) fn common_width(&self, other: &Signed) -> usize {
        self.bits.len().max(other.bits.len())
    }
}

/// The number of bits that hold every integer from `lo` to `hi`.
fn width(lo: i32, hi: i32) -> usize {
    let needed = |value: i32| 33 - (if value < 0 { !value } else { value }).leading_zeros() as usize;
    needed(lo).max(needed(hi))
}

impl Gates {
    /// `a + b + carry`.
    pub(super) fn signed_add(&mut self, a: &Signed, b: &Signed, carry: Lit) -> Signed {
        let (lo, hi) = (a.lo + b.lo, a.hi + b.hi);
        let (lo, hi) = match carry.known() {
            Some(one) => (lo + i32::from(one), hi + i32::from(one)),
            None => (lo, hi + 1),
        };
        let width = width(lo, hi).max(a.common_width(b));
        let (sum, _) = self.add_carry(&a.extended(width), &b.extended(width), carry);
        Signed::from_bits(&sum, lo, hi)
    }

    /// `a - b`.
    pub(super) fn signed_sub(&mut self, a: &Signed, b: &Signed) -> Signed {
        let (lo, hi) = (a.lo - b.hi, a.hi - b.lo);
        let width = width(lo, hi).max(a.common_width(b));
        let difference = self.sub(&a.extended(width), &b.extended(width));
        Signed::from_bits(&difference, lo, hi)
    }

    pub(super) fn signed_select(&mut self, condition: Lit, yes: &Signed, no: &Signed) -> Signed {
        match condition.known() {
            Some(true) => return yes.clone(),
            Some(false) => return no.clone(),
            None => {}
        }
        let (lo, hi) = (yes.lo.min(no.lo), yes.hi.max(no.hi));
        let width = width(lo, hi);
        let bits = self.select(condition, &yes.extended(width), &no.extended(width));
        Signed { bits, lo, hi }
    }

    /// `a < bound`.
    pub(super) fn signed_below(&mut self, a: &Signed, bound: i32) -> Lit {
        if a.hi < bound {
            return Lit::TRUE;
        }
        if a.lo >= bound {
            return Lit::FALSE;
        }
        let bound = Signed::constant(bound);
        let width = a.common_width(&bound);
        self.slt(&a.extended(width), &bound.extended(width))
    }

    /// `a == value`.
    pub(super) fn signed_is(&mut self, a: &Signed, value: i32) -> Lit {
        if value < a.lo || value > a.hi {
            return Lit::FALSE;
        }
        self.signed_eq(a, &Signed::constant(value))
    }

    pub(super) fn signed_eq(&mut self, a: &Signed, b: &Signed) -> Lit {
        if a.hi < b.lo || b.hi < a.lo {
            return Lit::FALSE;
        }
        let width = a.common_width(b);
        self.eq(&a.extended(width), &b.extended(width))
    }
}
