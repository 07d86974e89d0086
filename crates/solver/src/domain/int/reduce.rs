//! Reduction of the parts of an integer domain against each other.
//!
//! Sets of few positions are filtered value by value. For the rest, the common prefix of the bounds and the stride's
//! power of two go into the known bits, known lowest bits into the stride, and the bounds move inwards to the nearest
//! values that have the known bits and lie on the stride, until nothing changes.

use super::interval::Interval;
use super::{Conflict, IntDomain, KnownBits, LISTED, gcd};

/// Rounds of moving the bounds; more than two are needed only for an odd stride.
const ROUNDS: u32 = 32;

impl IntDomain {
    /// The domain with its invariants established.
    #[inline]
    pub(super) fn reduced(mut self) -> Result<IntDomain, Conflict> {
        debug_assert_eq!(self.listed, 0, "a list is built by `from_list`");
        if self.bits.known_suffix() > self.stride.trailing_zeros() {
            self.take_suffix_into_stride()?;
        }
        for round in 0.. {
            if self.interval.wraps() {
                self.unwrap();
            }
            if self.span() >> 6 < self.stride {
                return self.into_list();
            }
            self.take_shared_bits()?;
            let done = self.bits.matches(self.interval.lo) && self.bits.matches(self.interval.hi);
            if done || round == ROUNDS {
                break;
            }
            self.move_bounds()?;
        }
        debug_assert!({
            self.check();
            true
        });
        Ok(self)
    }

    /// Few positions: list them.
    fn into_list(self) -> Result<IntDomain, Conflict> {
        let last = self.position(self.span()).0;
        let members = u64::MAX >> (63 - last as u32);
        IntDomain::from_list(self.width, self.interval.lo, self.stride, members, self.bits)
    }

    /// The positions `lo + k * stride` for the ones of `members` that have the known bits. The stride is at least 1.
    pub(super) fn from_list(
        width: u8,
        lo: u128,
        stride: u128,
        members: u64,
        bits: KnownBits,
    ) -> Result<IntDomain, Conflict> {
        let mut list = IntDomain { interval: Interval { lo, hi: lo }, bits, stride, members, listed: 64, width };
        if members == 0 {
            return Err(Conflict);
        }
        list.trim();
        if bits.known() & !list.implied_bits().known() != 0 || !bits.matches(list.interval.lo) {
            list.drop_mismatches();
            if list.members == 0 {
                return Err(Conflict);
            }
            list.trim();
        }
        list.rotate();
        list.bits = list.shared_bits();
        debug_assert!({
            list.check();
            true
        });
        Ok(list)
    }

    /// Unlists the positions that lack the known bits.
    fn drop_mismatches(&mut self) {
        let mut rest = self.members;
        while rest != 0 {
            let position = rest.trailing_zeros();
            rest &= rest - 1;
            if !self.bits.matches(self.at(position)) {
                self.members &= !(1 << position);
            }
        }
    }

    /// First and last listed position are members, the stride is the largest, `hi` and `listed` agree with the list.
    fn trim(&mut self) {
        let first = self.members.trailing_zeros();
        self.interval.lo = self.at(first);
        self.members >>= first;
        if self.members == 1 {
            self.stride = 1;
        } else if self.members & 0b10 == 0 {
            self.coarsen();
        }
        self.listed = (64 - self.members.leading_zeros()) as u8;
        self.interval.hi = self.at(u32::from(self.listed) - 1);
    }

    /// Multiplies the stride by the greatest common divisor of the listed positions.
    fn coarsen(&mut self) {
        let positions = |members: u64| (1..64u32).filter(move |position| members >> position & 1 == 1);
        let factor = positions(self.members).fold(0, |factor, position| gcd(u128::from(position), factor)) as u32;
        if factor > 1 {
            let coarse = positions(self.members).map(|position| 1 << (position / factor)).sum::<u64>();
            self.members = coarse | 1;
            self.stride *= u128::from(factor);
        }
    }

    /// Starts the list after its widest gap.
    fn rotate(&mut self) {
        if self.listed == 1 {
            return;
        }
        let outside = self.mask() - self.span();
        if outside >= u128::from(LISTED).saturating_mul(self.stride) {
            return;
        }
        let widest = longest_run_of_zeros(self.members, u32::from(self.listed));
        let inner = self.stride.saturating_mul(u128::from(widest) + 1);
        if inner - 1 < outside || inner - 1 == outside && !self.interval.wraps() {
            return;
        }
        let mut values = [0; LISTED as usize];
        let mut count = 0;
        for position in (0..u32::from(self.listed)).filter(|position| self.members >> position & 1 == 1) {
            values[count] = self.at(position);
            count += 1;
        }
        values[..count].sort_unstable();
        self.start_after_widest_gap(&values[..count]);
    }

    /// Rebuilds the list around the same values, given in ascending order.
    fn start_after_widest_gap(&mut self, values: &[u128]) {
        let mask = self.mask();
        let gap_before = |at: usize| {
            let previous = if at == 0 { values[values.len() - 1] } else { values[at - 1] };
            values[at].wrapping_sub(previous) & mask
        };
        let start = (0..values.len()).rev().max_by_key(|&at| gap_before(at)).expect("a list has values");
        let lo = values[start];
        let offset = |value: &u128| value.wrapping_sub(lo) & mask;
        let stride = values.iter().map(offset).fold(0, gcd);
        let last = values.iter().map(offset).max().expect("a list has values") / stride;
        if last >= u128::from(LISTED) {
            // The new stride would be too fine for a list; the old start stays.
            return;
        }
        self.members = values.iter().map(|value| 1 << (offset(value) / stride)).sum();
        self.stride = stride;
        self.listed = last as u8 + 1;
        self.interval = Interval { lo, hi: lo.wrapping_add(stride * last) & mask };
        if self.span() == mask {
            self.interval = Interval::full(mask);
        }
    }

    /// The bits common to all listed values.
    fn shared_bits(&self) -> KnownBits {
        if self.listed == 1 {
            return KnownBits::singleton(self.interval.lo);
        }
        if self.stride.is_power_of_two() && !self.has_holes() {
            return self.implied_bits();
        }
        let (mut zeros, mut ones) = (u128::MAX, u128::MAX);
        let mut rest = self.members;
        while rest != 0 {
            let value = self.at(rest.trailing_zeros());
            rest &= rest - 1;
            (zeros, ones) = (zeros & !value, ones & value);
        }
        KnownBits { zeros, ones }
    }

    /// What the interval and the stride's power of two say about the bits.
    fn implied_bits(&self) -> KnownBits {
        let suffix = KnownBits::suffix(self.interval.lo, self.stride.trailing_zeros(), self.mask());
        if self.interval.wraps() {
            return suffix;
        }
        let prefix = KnownBits::prefix(self.interval.lo, self.interval.hi);
        KnownBits { zeros: prefix.zeros | suffix.zeros, ones: prefix.ones | suffix.ones }
    }

    /// Known lowest bits make the stride a multiple of a power of two.
    fn take_suffix_into_stride(&mut self) -> Result<(), Conflict> {
        let twos = self.stride.trailing_zeros();
        let count = self.bits.known_suffix().min(u32::from(self.width));
        let wanted = self.bits.ones.wrapping_sub(self.interval.lo) & super::low(count);
        if wanted & super::low(twos) != 0 {
            return Err(Conflict);
        }
        // Solve k * (stride / 2^twos) = wanted / 2^twos modulo 2^(count - twos).
        let steps = (wanted >> twos).wrapping_mul(inverse(self.stride >> twos)) & super::low(count - twos);
        let Some(skip) = steps.checked_mul(self.stride).filter(|&skip| skip <= self.span()) else {
            return Err(Conflict);
        };
        let rest = self.span() - skip;
        let mask = self.mask();
        self.interval.lo = self.interval.lo.wrapping_add(skip) & mask;
        self.stride = match self.stride.checked_mul(1 << (count - twos).min(127)) {
            Some(stride) if stride <= rest && count - twos < 128 => stride,
            _ => {
                self.interval.hi = self.interval.lo;
                self.stride = 1;
                return Ok(());
            }
        };
        self.interval.hi = self.interval.lo.wrapping_add(rest - self.position(rest).1) & mask;
        Ok(())
    }

    /// The common prefix of the bounds and the stride's power of two are known bits.
    #[inline]
    fn take_shared_bits(&mut self) -> Result<(), Conflict> {
        if !self.interval.wraps() {
            self.bits = self.bits.meet(KnownBits::prefix(self.interval.lo, self.interval.hi))?;
        }
        let twos = self.stride.trailing_zeros();
        if twos > 0 {
            self.bits = self.bits.meet(KnownBits::suffix(self.interval.lo, twos, self.mask()))?;
        }
        Ok(())
    }

    /// Moves both bounds inwards to the next position that may have the known bits.
    fn move_bounds(&mut self) -> Result<(), Conflict> {
        let mask = self.mask();
        let (least, greatest) = self.bits.bounds();
        let lo = self.bits.next(self.interval.lo).unwrap_or(least);
        let skip = self.round_up(lo.wrapping_sub(self.interval.lo) & mask)?;
        self.interval.lo = self.interval.lo.wrapping_add(skip) & mask;
        let hi = self.bits.previous(self.interval.hi).unwrap_or(greatest);
        let skip = self.round_up(self.interval.hi.wrapping_sub(hi) & mask)?;
        self.interval.hi = self.interval.hi.wrapping_sub(skip) & mask;
        Ok(())
    }

    /// The least multiple of the stride that is no less, if it stays inside.
    fn round_up(&self, skip: u128) -> Result<u128, Conflict> {
        let rest = self.position(skip).1;
        let rounded = if rest == 0 { Some(skip) } else { skip.checked_add(self.stride - rest) };
        rounded.filter(|&skip| skip <= self.span()).ok_or(Conflict)
    }

    /// Gives up a wrap that is of no use: a progression that closes the ring starts at its least value, and the range
    /// between the extreme values with the known bits may be shorter.
    fn unwrap(&mut self) {
        if self.mask() - self.span() == self.stride - 1 {
            let lo = self.interval.lo & (self.stride - 1);
            self.interval = Interval { lo, hi: lo.wrapping_add(self.span()) & self.mask() };
        }
        let (least, greatest) = self.bits.bounds();
        if self.stride.is_power_of_two() && greatest - least < self.span() {
            self.interval = Interval { lo: least, hi: greatest };
        }
    }
}

/// The inverse of an odd number modulo two to the 128 (Newton; each step doubles the right bits).
pub(crate) fn inverse(odd: u128) -> u128 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

/// The longest run of zeros among the lowest `length` bits.
fn longest_run_of_zeros(members: u64, length: u32) -> u32 {
    let mut gaps = !members & (u64::MAX >> (64 - length));
    let mut longest = 0;
    while gaps != 0 {
        gaps &= gaps << 1;
        longest += 1;
    }
    longest
}
