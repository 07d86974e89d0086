//! `i` is the encoding of `x`; and `x` is the float encoded by `i`.
//! Bounds consistent on each sign; the two differ in the NaNs: one encoding for writing, all of them for reading.

use clew_scalar::Format;

use crate::domain::Conflict;
use crate::domain::float::key;
use crate::domain::float::{Cuts, FloatDomain, Interval, Special};
use crate::domain::int::{self, IntDomain};
use crate::linear::exact::Signedness;

/// Narrows the domains of `i = bits of x`, where a NaN gives its canonical encoding.
pub(crate) fn float_to_bits(x: &mut FloatDomain, i: &mut IntDomain) -> Result<(), Conflict> {
    let nan = x.format().canonical_nan();
    relate(x, i, &[int::Interval::singleton(nan)])
}

/// Narrows the domains of `x = float of the bits i`.
pub(crate) fn bits_to_float(i: &mut IntDomain, x: &mut FloatDomain) -> Result<(), Conflict> {
    let format = x.format();
    let nans = |negative| int::Interval {
        lo: format.infinity(negative) + 1,
        hi: format.infinity(negative) | format.fraction_mask(),
    };
    relate(x, i, &[nans(false), nans(true)])
}

/// Narrows both sides, given the encodings that stand for NaN.
fn relate(x: &mut FloatDomain, i: &mut IntDomain, nans: &[int::Interval]) -> Result<(), Conflict> {
    let format = x.format();
    let mut kept_x = FloatDomain::empty(format);
    let mut kept_i = Vec::with_capacity(8);
    for &piece in x.pieces(Cuts::ALL).as_slice() {
        let encodings = encodings_of(format, piece);
        if let Some(kept) = common(i, encodings) {
            kept_i.push(kept);
            let ends = [kept.lo, kept.hi].map(|bits| format.ordered(bits));
            kept_x.insert(Interval { lo: ends[0].min(ends[1]), hi: ends[0].max(ends[1]) });
        }
    }
    if x.may_be_nan() {
        for kept in nans.iter().filter_map(|&encodings| common(i, encodings)) {
            kept_i.push(kept);
            kept_x.insert_special(Special::Nan);
        }
    }
    *x = x.meet(&kept_x);
    x.non_empty()?;
    i.narrow_interval(int::Interval::hull(&kept_i, i.mask()))
}

/// The encodings of a piece of one sign: ascending for positive, descending for negative numbers.
fn encodings_of(format: Format, piece: Interval) -> int::Interval {
    let (a, b) = (key::to_bits(format, piece.lo), key::to_bits(format, piece.hi));
    int::Interval { lo: a.min(b), hi: a.max(b) }
}

/// The hull of the integers in a range without a wrap.
fn common(i: &IntDomain, range: int::Interval) -> Option<int::Interval> {
    let position = |bits| Signedness::Unsigned.position(i.width(), bits);
    let kept = Signedness::Unsigned.positions(i, Interval { lo: position(range.lo), hi: position(range.hi) })?;
    let bits = |position| Signedness::Unsigned.bits(i.width(), position);
    Some(int::Interval { lo: bits(kept.lo), hi: bits(kept.hi) })
}

#[cfg(test)]
mod tests {
    use clew_scalar::Format;

    use super::super::oracle::Floats as _;
    use super::super::oracle_int::MixedOracle;
    use super::{bits_to_float, float_to_bits};

    #[test]
    fn writing_bits_keeps_all_solutions() {
        let oracle = MixedOracle { contract: float_to_bits, holds: |_, _, x, i| x == i };
        oracle.exhaust(|format| vec![format.width()], 300);
        oracle.sample(Format::DOUBLE, 64, 2000, |random| {
            let x = random.bits(Format::DOUBLE);
            (x, x)
        });
    }

    #[test]
    fn reading_bits_keeps_all_solutions() {
        let read = |format: Format, i| if format.is_nan(i) { format.canonical_nan() } else { i };
        let oracle = MixedOracle {
            contract: |x: &mut _, i: &mut _| bits_to_float(i, x),
            holds: |format, _, x, i| x == read(format, i),
        };
        oracle.exhaust(|format| vec![format.width()], 300);
        oracle.sample(Format::SINGLE, 32, 2000, |random| {
            let i = u128::from(random.next() as u32);
            (read(Format::SINGLE, i), i)
        });
    }
}
