//! The one engine behind the arithmetic propagators: hull consistency of monotone functions on key intervals.
//!
//! On suitable pieces (no sign change, infinities apart, ...) every arithmetic operator of IEEE floats is monotone in
//! each operand *after rounding*, as a function from keys to keys. So the image of a box is given by two corners, and
//! the projection on an operand is found by searching the key where the rounded result passes the bound. This replaces
//! FPSE's midpoint formulas (Botella, Gotlieb, Michel 2006, with the corrections of Michel 2002): it is exact at ties,
//! overflow, underflow and absorption, and the same for all five roundings and all formats. The search starts at a
//! guess (usually the rounded inverse operation), from where it gallops, so that a few evaluations suffice.
//!
//! The caller says where the pieces must be cut; what an operator does on NaN operands is settled here as well: NaN in,
//! NaN out.

use crate::domain::Conflict;
use crate::domain::float::key::Key;
use crate::domain::float::{Cuts, FloatDomain, Interval, Pieces, Special};

/// How a function moves with an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Grows, or stays.
    Up,
    /// Shrinks, or stays.
    Down,
}

impl Direction {
    /// `Up` when `positive`, else `Down`.
    pub(super) fn up_if(positive: bool) -> Direction {
        if positive { Direction::Up } else { Direction::Down }
    }
}

/// A function of `N` numbers that is monotone, and NaN everywhere or nowhere, on each product of pieces.
pub(super) trait Monotone<const N: usize> {
    /// Where the domain of each operand is cut into pieces.
    const CUTS: [Cuts; N];

    /// The key of the result, `None` for NaN.
    fn apply(&self, operands: [Key; N]) -> Option<Key>;

    /// The directions on the product of pieces that contains the given point.
    fn directions(&self, point: [Key; N]) -> [Direction; N];

    /// A key of operand `index` that gives about `target` when the other operands are as in `operands`.
    fn guess(&self, operands: [Key; N], index: usize, target: Key) -> Key;
}

/// Narrows operands and result of `result = function(operands)`.
pub(super) fn contract<const N: usize, F: Monotone<N>>(
    function: &F,
    operands: [&mut FloatDomain; N],
    result: &mut FloatDomain,
) -> Result<(), Conflict> {
    let mut kept_operands = operands.each_ref().map(|operand| FloatDomain::empty(operand.format()));
    let mut kept_result = FloatDomain::empty(result.format());
    let before = operands.each_ref().map(|operand| **operand);
    if result.may_be_nan() {
        keep_nan(&before, &mut kept_operands, &mut kept_result);
    }
    let pieces: [Pieces; N] = std::array::from_fn(|i| before[i].pieces(F::CUTS[i]));
    // Zeros and infinities apart: inside the image of a piece they may be values the function does not take.
    let targets = result.pieces(Cuts::ALL);
    let runs = result.pieces(Cuts::NONE);
    for_each_choice(pieces.each_ref().map(|pieces| pieces.as_slice().len()), |choice: [usize; N]| {
        let cell: [Interval; N] = std::array::from_fn(|i| pieces[i].as_slice()[choice[i]]);
        if function.apply(cell.map(|piece| piece.lo)).is_none() {
            if result.may_be_nan() {
                kept_result.insert_special(Special::Nan);
                insert_all(&mut kept_operands, cell);
            }
            return;
        }
        let directions = function.directions(cell.map(|piece| piece.lo));
        let image = image_of(function, &cell, directions);
        let free = cell.iter().filter(|piece| piece.lo != piece.hi).count();
        if free > 1 && runs.as_slice().iter().any(|&run| run.meet(image) == image) {
            // Every result is allowed: nothing to narrow.
            insert_all(&mut kept_operands, cell);
            kept_result.insert(image);
            return;
        }
        for &target in targets.as_slice() {
            if let Some((cell, image)) = contract_cell(function, cell, directions, image.meet(target)) {
                insert_all(&mut kept_operands, cell);
                kept_result.insert(image);
            }
        }
    });
    *result = kept_result;
    result.non_empty()?;
    for (operand, kept) in operands.into_iter().zip(kept_operands) {
        *operand = kept.meet(operand);
        operand.non_empty()?;
    }
    Ok(())
}

/// A NaN operand gives NaN whatever the others are.
fn keep_nan<const N: usize>(
    before: &[FloatDomain; N],
    kept_operands: &mut [FloatDomain; N],
    kept_result: &mut FloatDomain,
) {
    for i in 0..N {
        let others_possible = (0..N).all(|j| j == i || !before[j].is_empty());
        if !before[i].may_be_nan() || !others_possible {
            continue;
        }
        kept_result.insert_special(Special::Nan);
        kept_operands[i].insert_special(Special::Nan);
        for j in (0..N).filter(|&j| j != i) {
            kept_operands[j] = before[j];
        }
    }
}

fn insert_all<const N: usize>(kept: &mut [FloatDomain; N], cell: [Interval; N]) {
    for (kept, piece) in kept.iter_mut().zip(cell) {
        kept.insert(piece);
    }
}

/// Calls `visit` with every tuple of indices below `lens`.
fn for_each_choice<const N: usize>(lens: [usize; N], mut visit: impl FnMut([usize; N])) {
    if lens.contains(&0) {
        return;
    }
    let mut choice = [0; N];
    loop {
        visit(choice);
        let Some(i) = (0..N).find(|&i| choice[i] + 1 < lens[i]) else { return };
        choice[i] += 1;
        choice[..i].fill(0);
    }
}

/// The part of a piece whose image meets `target`, and the part of `target` it reaches. Positions of integers in their
/// order serve as well as keys, on either side.
pub(super) fn contract_piece<F: Monotone<1>>(
    function: &F,
    piece: Interval,
    target: Interval,
) -> Option<(Interval, Interval)> {
    if piece.is_empty() {
        return None;
    }
    let directions = function.directions([piece.lo]);
    let image = image_of(function, &[piece], directions).meet(target);
    contract_cell(function, [piece], directions, image).map(|([piece], image)| (piece, image))
}

/// The part of one product of pieces that reaches `image`, and the part of `image` it reaches.
fn contract_cell<const N: usize, F: Monotone<N>>(
    function: &F,
    cell: [Interval; N],
    directions: [Direction; N],
    image: Interval,
) -> Option<([Interval; N], Interval)> {
    if image.is_empty() {
        return None;
    }
    let mut narrowed = cell;
    for i in 0..N {
        // The operand must allow a result of at least `image.lo` with the others as favourable as they can be, and of
        // at most `image.hi` likewise.
        for high in [true, false] {
            narrow_operand(function, &mut narrowed, directions, i, high, image)?;
        }
    }
    if narrowed == cell {
        return Some((cell, image));
    }
    let image = image_of(function, &narrowed, directions).meet(image);
    (!image.is_empty()).then_some((narrowed, image))
}

/// The image of a product of pieces.
fn image_of<const N: usize, F: Monotone<N>>(
    function: &F,
    cell: &[Interval; N],
    directions: [Direction; N],
) -> Interval {
    let at = |high| function.apply(corner(cell, directions, high)).expect(NAN_EVERYWHERE_OR_NOWHERE);
    Interval { lo: at(false), hi: at(true) }
}

/// Narrows one operand of a cell from the side where it makes the result too small (`high`) or too great.
fn narrow_operand<const N: usize, F: Monotone<N>>(
    function: &F,
    cell: &mut [Interval; N],
    directions: [Direction; N],
    index: usize,
    high: bool,
    image: Interval,
) -> Option<()> {
    let piece = cell[index];
    if piece.lo == piece.hi {
        return Some(());
    }
    let others = corner(cell, directions, high);
    let bound = if high { image.lo } else { image.hi };
    let guess = || function.guess(others, index, bound);
    let reaches = |key| {
        let mut operands = others;
        operands[index] = key;
        let value = function.apply(operands).expect(NAN_EVERYWHERE_OR_NOWHERE);
        if high { value >= bound } else { value <= bound }
    };
    if high == (directions[index] == Direction::Up) {
        cell[index].lo = least(piece, guess, reaches)?;
    } else {
        cell[index].hi = greatest(piece, guess, reaches)?;
    }
    Some(())
}

const NAN_EVERYWHERE_OR_NOWHERE: &str = "a product of pieces is NaN everywhere or nowhere";

/// The corner of a box where the function is greatest (`high`) or least.
fn corner<const N: usize>(cell: &[Interval; N], directions: [Direction; N], high: bool) -> [Key; N] {
    std::array::from_fn(|i| if high == (directions[i] == Direction::Up) { cell[i].hi } else { cell[i].lo })
}

/// The least key of `range` that satisfies an upward closed predicate, looked for around `guess` first.
pub(super) fn least(range: Interval, guess: impl FnOnce() -> Key, mut holds: impl FnMut(Key) -> bool) -> Option<Key> {
    if holds(range.lo) {
        return Some(range.lo);
    }
    // `holds(no)` is false throughout, `holds(yes)` is true at the end.
    let (mut no, mut yes) = (range.lo, range.hi);
    let guess = guess().clamp(range.lo, range.hi);
    let mut step: Key = 1;
    if holds(guess) {
        yes = guess;
        while yes.abs_diff(no) > step as u128 {
            if !holds(yes - step) {
                no = yes - step;
                break;
            }
            yes -= step;
            step = step.saturating_mul(4);
        }
    } else {
        no = guess;
        loop {
            if range.hi.abs_diff(no) <= step as u128 {
                if !holds(range.hi) {
                    return None;
                }
                break;
            }
            if holds(no + step) {
                yes = no + step;
                break;
            }
            no += step;
            step = step.saturating_mul(4);
        }
    }
    while yes.abs_diff(no) > 1 {
        let middle = no + (yes.abs_diff(no) / 2) as Key;
        if holds(middle) { yes = middle } else { no = middle }
    }
    Some(yes)
}

/// The greatest key of `range` that satisfies a downward closed predicate, looked for around `guess` first.
pub(super) fn greatest(
    range: Interval,
    guess: impl FnOnce() -> Key,
    mut holds: impl FnMut(Key) -> bool,
) -> Option<Key> {
    // Complementing keys reverses their order.
    let mirrored = Interval { lo: !range.hi, hi: !range.lo };
    least(mirrored, || !guess(), |key| holds(!key)).map(|key| !key)
}
