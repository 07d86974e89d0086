//! After how many turns a branch goes elsewhere for the first time.

use clew_scalar::{BinaryOp, Conversion};
use clew_solver::term::{TermId, Terms};

use super::recurrence::Solution;
use super::sequence::{Sequence, polynomial};
use super::throughout::{ordered, read};
use super::turn::Comparison;

/// Bits of a number of turns here.
pub(super) const BITS: u8 = 64;

/// How many turns in a row a comparison has this result, if it has it in the first; inside, `None` if in all.
///
/// The outer `None` says that this is not known: the operands do not come nearer to each other by the same in each turn.
#[expect(clippy::option_option, reason = "unknown is something else than without end")]
pub(super) fn turns(
    terms: &mut Terms,
    solution: &Solution,
    comparison: &Comparison,
    truth: bool,
) -> Option<Option<TermId>> {
    let [a, b] = &comparison.operands;
    let (first, second) = (solution.sequence(a)?, solution.sequence(b)?);
    let width = comparison.width;
    match (ordered(comparison.op, truth), comparison.op, truth) {
        (Some((is_turned, by, signedness)), ..) => {
            let (less, more) = if is_turned { (second, first) } else { (first, second) };
            let (less, more) = (read(&less, width, signedness)?, read(&more, width, signedness)?);
            lasting(terms, &more.plus(&less, -1)?.shifted(-by)?)
        }
        (None, BinaryOp::Ne, true) | (None, BinaryOp::Eq, false) => {
            let distance = second.plus(&first, -1)?;
            match speed(&distance)? {
                0 => Some(None),
                -1 => Some(Some(apart(terms, &distance, width))),
                1 => Some(Some(apart(terms, &first.plus(&second, -1)?, width))),
                _ => None,
            }
        }
        _ => (first.plus(&second, -1)?.degree() == 0).then_some(None),
    }
}

/// By how much a sequence grows in each turn, if that is a number.
fn speed(sequence: &Sequence) -> Option<i128> {
    match sequence.later() {
        [] => Some(0),
        [growth] => growth.number(),
        _ => None,
    }
}

/// Turns in which a sequence that falls is not negative, if it is not in the first.
#[expect(clippy::option_option, reason = "unknown is something else than without end")]
fn lasting(terms: &mut Terms, distance: &Sequence) -> Option<Option<TermId>> {
    let speed = speed(distance)?;
    if speed >= 0 {
        return Some(None);
    }
    let width = Sequence::fixed(distance.first().clone()).exact_width(terms)?;
    let turns = if speed == -1 {
        polynomial(terms, width, distance.shifted(1)?.first())
    } else {
        let first = polynomial(terms, width, distance.first());
        let (step, one) = (terms.int(width, speed.unsigned_abs()), terms.int(width, 1));
        let whole = terms.binary(BinaryOp::UDiv, first, step);
        terms.binary(BinaryOp::Add, whole, one)
    };
    Some(Some(saturated(terms, turns)))
}

/// How far a sequence is from zero that falls by one in each turn, round the end of its width if need be.
fn apart(terms: &mut Terms, distance: &Sequence, width: u8) -> TermId {
    let turns = polynomial(terms, width, distance.first());
    match width.cmp(&BITS) {
        std::cmp::Ordering::Less => terms.convert(Conversion::ZeroExtend(BITS), turns),
        _ => saturated(terms, turns),
    }
}

/// A number, or the largest one if it is larger.
fn saturated(terms: &mut Terms, number: TermId) -> TermId {
    let width = terms.width(number);
    if width <= BITS {
        return number;
    }
    let most = terms.int(width, u128::from(u64::MAX));
    let fits = terms.binary(BinaryOp::Ule, number, most);
    let (low, largest) = (terms.convert(Conversion::Truncate(BITS), number), terms.int(BITS, u128::from(u64::MAX)));
    terms.select(fits, low, largest)
}
