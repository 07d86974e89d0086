//! Moves of one input in the order of its values, and random values.
//!
//! The pattern search is Korel's alternating variable method on the ordered integers of floats and on the bits of
//! integers: steps of powers of two, from large to small, each repeated with growing length while it helps; coarsely at
//! first, then finely. Floats try the other sign before.

use crate::policy;
use clew_scalar::{Type, int};

use super::program::Program;
use super::random::Random;
use super::state::State;

/// Moves one input downhill; says whether the cost fell.
pub(super) fn descend(state: &mut State<'_>, input: usize, limit: u64) -> bool {
    let ty = state.program.inputs[input].ty;
    let before = state.cost;
    if let Type::Float(format) = ty {
        let mirrored = state.input(input) ^ format.sign_mask();
        improves(state, input, mirrored);
    }
    let mut power = u32::from(ty.width()).saturating_sub(2);
    let mut stride = policy::WALK_STRIDE.small();
    loop {
        let up = follow(state, input, true, power, limit);
        let down = follow(state, input, false, power, limit);
        if state.steps >= limit || state.is_settled() {
            return state.cost < before;
        }
        if up || down {
            stride = 1;
        }
        power = match power {
            0 => return state.cost < before,
            _ => power.saturating_sub(stride),
        };
    }
}

/// Repeats a step, twice as long each time, while the cost falls; says whether it did.
fn follow(state: &mut State<'_>, input: usize, up: bool, power: u32, limit: u64) -> bool {
    let ty = state.program.inputs[input].ty;
    let first = 1_u128 << power;
    let mut length = first;
    while state.steps < limit {
        let now = state.input(input);
        let moved = stepped(ty, now, length, up).is_some_and(|next| improves(state, input, next));
        if !moved {
            break;
        }
        length = length.saturating_mul(2);
    }
    length > first
}

/// Keeps the change if the cost falls.
pub(super) fn improves(state: &mut State<'_>, input: usize, bits: u128) -> bool {
    let before = state.cost;
    state.change(input, bits);
    let better = state.cost < before - 1e-12 * before;
    if !better {
        state.take_back();
    }
    better
}

/// The value some steps up or down: floats stop at the infinities, integers wrap around.
fn stepped(ty: Type, bits: u128, length: u128, up: bool) -> Option<u128> {
    match ty {
        Type::Int(width) => {
            let moved = if up { bits.wrapping_add(length) } else { bits.wrapping_sub(length) };
            Some(moved & int::mask::<u128>(width))
        }
        Type::Float(format) if format.is_nan(bits) => None,
        Type::Float(format) => {
            let infinity = format.ordered(format.infinity(false));
            let length = i128::try_from(length).ok()?;
            let place = format.ordered(bits);
            let moved = if up { place.checked_add(length)? } else { place.checked_sub(length)? };
            (!infinity <= moved && moved <= infinity).then(|| format.from_ordered(moved))
        }
    }
}

/// A random value of an input: a landmark, a constant of the problem or near one, a change of the present value, or
/// anything.
pub(super) fn random_value(program: &Program, input: usize, now: u128, random: &mut Random) -> u128 {
    let ty = program.inputs[input].ty;
    match random.below(8) {
        0 | 1 => constant(program, ty, random).unwrap_or(now),
        2 => landmark(ty, random),
        3 => {
            let length = 1 << random.below(usize::from(ty.width()) - usize::from(ty.width() > 1));
            let up = random.one_in(2);
            stepped(ty, now, length, up).unwrap_or(now)
        }
        4 | 5 => now ^ 1 << random.below(usize::from(ty.width())),
        6 => moderate(ty, random),
        _ => random.wide() & int::mask::<u128>(ty.width()),
    }
}

fn constant(program: &Program, ty: Type, random: &mut Random) -> Option<u128> {
    let fitting = |&&(other, _): &&(Type, u128)| other.width() == ty.width();
    let count = program.constants.iter().filter(fitting).count();
    if count == 0 {
        return None;
    }
    let (_, bits) = *program.constants.iter().filter(fitting).nth(random.below(count))?;
    let up = random.one_in(2);
    let nudged = if random.one_in(2) { stepped(ty, bits, 1, up) } else { None };
    Some(nudged.unwrap_or(bits))
}

fn landmark(ty: Type, random: &mut Random) -> u128 {
    let coin = random.one_in(2);
    match (ty, random.below(5)) {
        (Type::Float(format), 0) => format.zero(coin),
        (Type::Float(format), 1) => format.one(coin),
        (Type::Float(format), 2) => format.min_subnormal(coin),
        (Type::Float(format), 3) => format.max_finite(coin),
        (Type::Float(format), _) => format.min_normal(coin),
        (Type::Int(_), 0) => coin.into(),
        (Type::Int(width), 1) => int::mask(width),
        (Type::Int(width), 2) => int::signed_min(width),
        (Type::Int(width), 3) => int::mask::<u128>(width) >> 1,
        (Type::Int(width), _) => 1 << random.below(usize::from(width)),
    }
}

/// A number of everyday magnitude: a float between about 2^-12 and 2^12, an integer of few bits, either sign.
pub(super) fn moderate(ty: Type, random: &mut Random) -> u128 {
    match ty {
        Type::Float(format) => {
            let exponent = (random.below(24) as i32 - 12).clamp(format.emin(), format.emax());
            let biased = (exponent + format.bias()) as u128;
            let fraction = random.wide() & format.fraction_mask();
            format.zero(random.one_in(2)) | biased << (format.significand - 1) | fraction
        }
        Type::Int(width) => {
            let bits = random.below(usize::from(width));
            let magnitude = random.wide() & int::mask::<u128>(width) >> bits;
            if random.one_in(2) { magnitude } else { magnitude.wrapping_neg() & int::mask::<u128>(width) }
        }
    }
}

/// How many plain numbers there are.
pub(super) const PLAIN: usize = 4;

/// One of the plain numbers 1, -1, 2 and 1/2; an integer has zero in place of the last.
pub(super) fn plain(ty: Type, which: usize) -> u128 {
    match (ty, which % PLAIN) {
        (Type::Float(format), 0) => format.one(false),
        (Type::Float(format), 1) => format.one(true),
        (Type::Float(format), 2) => format.one(false) + (1 << (format.significand - 1)),
        (Type::Float(format), _) => format.one(false) - (1 << (format.significand - 1)),
        (Type::Int(_), 0) => 1,
        (Type::Int(width), 1) => int::mask(width),
        (Type::Int(width), 2) => 2 & int::mask::<u128>(width),
        (Type::Int(_), _) => 0,
    }
}
