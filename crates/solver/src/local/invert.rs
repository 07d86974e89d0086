//! A wish for a goal followed down to an input: what value would it have to have?
//!
//! Propagation-based local search (Niemetz, Preiner, Biere 2016, for bit-vectors): starting from an unmet goal, choose
//! an operand at each operator and compute the value it should have while the others keep theirs, until an input is
//! reached. For floats the inverse is the rounded inverse operation, off by an ulp now and then. The result is only a
//! proposal, judged by evaluation like any other.

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, TernaryOp, Type, UnaryOp, float, int};

use super::program::{Slot, Step};
use super::random::Random;
use super::state::State;

const NEAREST: Rounding = Rounding::NearestEven;

/// An input and the bits it is proposed to have.
pub(super) type Proposal = (usize, u128);

/// Follows the wish that `goal` be met; `None` when the way down is blocked.
pub(super) fn propose(state: &State<'_>, goal: usize, random: &mut Random) -> Option<Proposal> {
    let goal = &state.program.goals[goal];
    let mut wish = Wish { slot: goal.slot, bits: goal.truth.into() };
    loop {
        if let Some(&input) = state.program.input_at.get(&wish.slot) {
            return Some((input, wish.bits));
        }
        wish = Descent { state, random }.step(wish)?;
    }
}

/// The bits a slot should have.
#[derive(Clone, Copy, Debug)]
struct Wish {
    slot: Slot,
    bits: u128,
}

struct Descent<'s, 'p, 'r> {
    state: &'s State<'p>,
    random: &'r mut Random,
}

impl Descent<'_, '_, '_> {
    fn step(&mut self, wish: Wish) -> Option<Wish> {
        let program = self.state.program;
        match program.steps[wish.slot as usize] {
            Step::Const(_) | Step::Input => None,
            Step::Copy(from) => Some(Wish { slot: from, ..wish }),
            Step::Unary(op, a) => self.unary(op, a, wish.bits),
            Step::Binary(op, a, b) if program.is_condition(wish.slot) && program.is_condition(a) => {
                self.connective(op, a, b, wish.bits != 0)
            }
            Step::Binary(op, a, b) if program.is_condition(wish.slot) => self.comparison(op, a, b, wish.bits != 0),
            Step::Binary(op, a, b) => self.binary(op, a, b, wish.bits),
            Step::Ternary(TernaryOp::Select, c, a, b) => self.select(c, a, b, wish.bits),
            Step::Ternary(TernaryOp::FloatFma(_), a, b, c) => self.fma(a, b, c, wish.bits),
            Step::Convert(op, a) => self.convert(op, a, wish),
            Step::Extract(hi, lo, a) => {
                let mask = int::mask::<u128>(hi - lo + 1) << lo;
                Some(Wish { slot: a, bits: self.bits(a) & !mask | wish.bits << lo & mask })
            }
            Step::Concat(a, b) => self.concat(a, b, wish.bits),
            Step::Lookup(table, index) => self.lookup(program.tables[table].all(), index, wish.bits),
        }
    }

    /// An index with the wished entry, any of them; where there is none, the index of the nearest entry.
    fn lookup(&mut self, entries: &[u128], index: Slot, wish: u128) -> Option<Wish> {
        let nearest = entries.iter().map(|entry| entry.abs_diff(wish)).min()?;
        let good: Vec<usize> = (0..entries.len()).filter(|&at| entries[at].abs_diff(wish) == nearest).collect();
        let chosen = good[(self.random.wide() % good.len() as u128) as usize];
        Some(Wish { slot: index, bits: chosen as u128 & int::mask::<u128>(self.ty(index).width()) })
    }

    fn bits(&self, slot: Slot) -> u128 {
        self.state.bits[slot as usize]
    }

    fn ty(&self, slot: Slot) -> Type {
        self.state.program.types[slot as usize]
    }

    /// The format of a float, also where its encoding is read.
    fn float_format(&self, slot: Slot) -> Option<Format> {
        match (self.ty(slot), self.state.program.steps[slot as usize]) {
            (Type::Float(format), _) => Some(format),
            (_, Step::Copy(from)) => match self.ty(from) {
                Type::Float(format) => Some(format),
                Type::Int(_) => None,
            },
            _ => None,
        }
    }

    fn depends(&self, slot: Slot) -> bool {
        self.state.program.depends[slot as usize]
    }

    /// One of two operands that depend on inputs, and whether it is the first.
    fn choose(&mut self, a: Slot, b: Slot) -> Option<bool> {
        match (self.depends(a), self.depends(b)) {
            (true, true) => Some(self.random.one_in(2)),
            (true, false) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        }
    }

    fn unary(&mut self, op: UnaryOp, a: Slot, wish: u128) -> Option<Wish> {
        let bits = match (op, self.ty(a)) {
            (UnaryOp::Not, ty) => !wish & int::mask::<u128>(ty.width()),
            (UnaryOp::Neg, ty) => wish.wrapping_neg() & int::mask::<u128>(ty.width()),
            (UnaryOp::ByteSwap, ty) => wish.swap_bytes() >> (128 - u32::from(ty.width())),
            (UnaryOp::FloatNeg, Type::Float(format)) => float::neg(format, wish),
            (UnaryOp::FloatAbs, Type::Float(format)) => self.with_sign_like(format, wish, self.bits(a)),
            (UnaryOp::FloatSqrt(_), Type::Float(format)) => float::mul(format, NEAREST, wish, wish),
            (UnaryOp::FloatRoundToIntegral(_), _) => wish,
            (_, Type::Float(format)) => self.class_member(op, format, self.bits(a), wish != 0),
            _ => return None,
        };
        Some(Wish { slot: a, bits })
    }

    fn with_sign_like(&mut self, format: Format, magnitude: u128, like: u128) -> u128 {
        let negative = format.sign(like) != self.random.one_in(8);
        format.magnitude(magnitude) | format.zero(negative)
    }

    /// A float inside or outside a class, with the sign of the one there is.
    fn class_member(&mut self, op: UnaryOp, format: Format, now: u128, inside: bool) -> u128 {
        let negative = format.sign(now);
        let subnormal = format.min_subnormal(negative) + self.random.wide() % (format.min_normal(false) - 1);
        let normal = format.one(negative);
        match (op, inside) {
            (UnaryOp::FloatIsNan, true) => format.canonical_nan(),
            (UnaryOp::FloatIsInfinite, true) => format.infinity(negative),
            (UnaryOp::FloatIsZero, true) => format.zero(negative),
            (UnaryOp::FloatIsSubnormal, true) => subnormal,
            (UnaryOp::FloatIsNegative, _) => {
                format.magnitude(if format.is_nan(now) { normal } else { now }) | format.zero(inside)
            }
            (UnaryOp::FloatIsInfinite, false) => format.max_finite(negative),
            _ => normal,
        }
    }

    fn connective(&mut self, op: BinaryOp, a: Slot, b: Slot, wish: bool) -> Option<Wish> {
        let truth = |slot: Slot| self.bits(slot) != 0;
        let (a_truth, b_truth) = (truth(a), truth(b));
        let first = match (op, wish) {
            // All must hold: one that does not.
            (BinaryOp::And, true) | (BinaryOp::Or, false) if a_truth == wish => false,
            (BinaryOp::And, true) | (BinaryOp::Or, false) if b_truth == wish => true,
            _ => self.choose(a, b)?,
        };
        let (slot, other) = if first { (a, b_truth) } else { (b, a_truth) };
        let bits = match op {
            BinaryOp::And | BinaryOp::Or => wish,
            BinaryOp::Eq => other == wish,
            BinaryOp::Ne | BinaryOp::Xor => other != wish,
            _ => return None,
        };
        Some(Wish { slot, bits: bits.into() })
    }

    fn comparison(&mut self, op: BinaryOp, a: Slot, b: Slot, wish: bool) -> Option<Wish> {
        let first = self.choose(a, b)?;
        let (slot, other) = if first { (a, b) } else { (b, a) };
        let (now, other) = (self.bits(slot), self.bits(other));
        let equal = matches!(op, BinaryOp::Eq | BinaryOp::FloatEq) && wish || op == BinaryOp::Ne && !wish;
        if equal {
            // NaN spreads to everything; rarely is it wanted.
            let nan = matches!(self.float_format(slot), Some(format) if format.is_nan(other));
            return (!nan || self.random.one_in(16)).then_some(Wish { slot, bits: other });
        }
        // On which side of the other operand the chosen one should be.
        let ascending = match op {
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::FloatEq => self.random.one_in(2),
            _ => first != wish,
        };
        let strict = match op {
            BinaryOp::FloatLe | BinaryOp::Ule | BinaryOp::Sle => !wish,
            BinaryOp::FloatLt | BinaryOp::Ult | BinaryOp::Slt => wish,
            _ => true,
        };
        let bits = match self.ty(slot) {
            Type::Float(format) => self.float_beside(format, now, other, ascending, strict),
            Type::Int(width) => self.int_beside(op, width, other, ascending, strict)?,
        };
        (bits != now).then_some(Wish { slot, bits })
    }

    /// A float at or beyond another one: by nothing or one, by a random power of two of ulps, or mirrored.
    fn float_beside(&mut self, format: Format, now: u128, other: u128, ascending: bool, strict: bool) -> u128 {
        if format.is_nan(other) {
            return format.one(self.random.one_in(2));
        }
        if self.random.one_in(3) {
            let apart = float::sub(format, NEAREST, other, now);
            let mirrored = float::add(format, NEAREST, other, apart);
            if !format.is_nan(mirrored) && (format.ordered(mirrored) > format.ordered(other)) == ascending {
                return mirrored;
            }
        }
        let infinity = format.ordered(format.infinity(false));
        let distance = self.distance_beyond(format.width(), strict);
        // Both zeros are one number: step over the pair.
        let place = match (format.is_zero(other), ascending) {
            (true, true) => 0,
            (true, false) => -1,
            _ => format.ordered(other),
        };
        let place = if ascending { place.saturating_add(distance) } else { place.saturating_sub(distance) };
        format.from_ordered(place.clamp(!infinity, infinity))
    }

    fn int_beside(&mut self, op: BinaryOp, width: u8, other: u128, ascending: bool, strict: bool) -> Option<u128> {
        let distance = self.distance_beyond(width, strict);
        let mask = int::mask::<u128>(width);
        let signed = matches!(op, BinaryOp::Slt | BinaryOp::Sle);
        let flip = if signed { int::signed_min::<u128>(width) } else { 0 };
        // In the order of the comparison the integers are 0 to the mask.
        let place = other ^ flip;
        let distance = distance as u128;
        let place = if ascending { place.saturating_add(distance).min(mask) } else { place.saturating_sub(distance) };
        Some(place ^ flip)
    }

    fn distance_beyond(&mut self, width: u8, strict: bool) -> i128 {
        match self.random.below(3) {
            0 => i128::from(strict),
            _ => {
                let exponent = self.random.below(usize::from(width) - 1);
                let power = 1_u128 << exponent;
                (power + self.random.wide() % power) as i128
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, a: Slot, b: Slot, wish: u128) -> Option<Wish> {
        let first = self.choose(a, b)?;
        let (slot, other) = if first { (a, self.bits(b)) } else { (b, self.bits(a)) };
        let bits = match self.ty(a) {
            Type::Float(format) => self.float_inverse(op, format, first, other, self.bits(slot), wish)?,
            Type::Int(width) => self.int_inverse(op, width, first, other, self.bits(slot), wish)?,
        };
        Some(Wish { slot, bits })
    }

    fn float_inverse(
        &mut self,
        op: BinaryOp,
        format: Format,
        first: bool,
        other: u128,
        now: u128,
        wish: u128,
    ) -> Option<u128> {
        let bits = match (op, first) {
            (BinaryOp::FloatAdd(_), _) => float::sub(format, NEAREST, wish, other),
            (BinaryOp::FloatSub(_), true) => float::add(format, NEAREST, wish, other),
            (BinaryOp::FloatSub(_), false) => float::sub(format, NEAREST, other, wish),
            (BinaryOp::FloatMul(_), _) => float::div(format, NEAREST, wish, other),
            (BinaryOp::FloatDiv(_), true) => float::mul(format, NEAREST, wish, other),
            (BinaryOp::FloatDiv(_), false) => float::div(format, NEAREST, other, wish),
            (BinaryOp::FloatMin | BinaryOp::FloatMax, _) => wish,
            (BinaryOp::FloatMod | BinaryOp::FloatRem, true) if self.random.one_in(2) => wish,
            (BinaryOp::FloatMod | BinaryOp::FloatRem, true) => {
                let rest = float::modulo(format, now, other);
                float::add(format, NEAREST, float::sub(format, NEAREST, now, rest), wish)
            }
            _ => return None,
        };
        (!format.is_nan(bits) || format.is_nan(wish)).then_some(bits)
    }

    fn int_inverse(
        &mut self,
        op: BinaryOp,
        width: u8,
        first: bool,
        other: u128,
        now: u128,
        wish: u128,
    ) -> Option<u128> {
        let mask = int::mask::<u128>(width);
        let bits = match (op, first) {
            (BinaryOp::Add, _) => wish.wrapping_sub(other),
            (BinaryOp::Sub, true) => wish.wrapping_add(other),
            (BinaryOp::Sub, false) => other.wrapping_sub(wish),
            (BinaryOp::Xor, _) => wish ^ other,
            // Bits the other operand decides keep their value, the others are as wished.
            (BinaryOp::And, _) => now & !other | wish,
            (BinaryOp::Or, _) => now & other | wish & !other,
            (BinaryOp::Mul, _) if other & 1 == 1 => wish.wrapping_mul(inverse_of_odd(other)),
            (BinaryOp::Mul, _) if other != 0 => wish / other,
            (BinaryOp::UDiv, true) => {
                let base = wish.wrapping_mul(other);
                base.wrapping_add(if other == 0 { 0 } else { self.random.wide() % other })
            }
            (BinaryOp::UDiv, false) if wish != 0 => other / wish,
            (BinaryOp::URem, true) if other != 0 => (now / other).wrapping_mul(other).wrapping_add(wish),
            (BinaryOp::SDiv, true) => wish.wrapping_mul(other),
            (BinaryOp::Shl, true) if other < u128::from(width) => wish >> other,
            (BinaryOp::LShr | BinaryOp::AShr, true) if other < u128::from(width) => {
                wish << other | now & ((1 << other) - 1)
            }
            _ => return None,
        };
        Some(bits & mask)
    }

    fn select(&mut self, c: Slot, a: Slot, b: Slot, wish: u128) -> Option<Wish> {
        let now = self.bits(c) != 0;
        let (current, other) = if now { (a, b) } else { (b, a) };
        let turn = self.depends(c) && (!self.depends(current) || self.bits(other) == wish || self.random.one_in(4));
        if turn {
            return Some(Wish { slot: c, bits: (!now).into() });
        }
        self.depends(current).then_some(Wish { slot: current, bits: wish })
    }

    fn fma(&mut self, a: Slot, b: Slot, c: Slot, wish: u128) -> Option<Wish> {
        let Type::Float(format) = self.ty(a) else { return None };
        let candidates: Vec<Slot> = [a, b, c].into_iter().filter(|&slot| self.depends(slot)).collect();
        let slot = self.random.pick(&candidates)?;
        let product = float::mul(format, NEAREST, self.bits(a), self.bits(b));
        let difference = float::sub(format, NEAREST, wish, self.bits(c));
        let bits = if slot == c {
            float::sub(format, NEAREST, wish, product)
        } else {
            float::div(format, NEAREST, difference, self.bits(if slot == a { b } else { a }))
        };
        (!format.is_nan(bits)).then_some(Wish { slot, bits })
    }

    fn convert(&mut self, op: Conversion, a: Slot, wish: Wish) -> Option<Wish> {
        let to_float = |bits, signed: bool, format: Format, width: u8| {
            if signed {
                float::from_signed(format, NEAREST, int::signed(width, bits))
            } else {
                float::from_unsigned(format, NEAREST, bits)
            }
        };
        let bits = match (op, self.ty(a)) {
            (Conversion::ZeroExtend(_) | Conversion::SignExtend(_), Type::Int(width)) => {
                wish.bits & int::mask::<u128>(width)
            }
            (Conversion::Truncate(width), _) => self.bits(a) & !int::mask::<u128>(width) | wish.bits,
            (Conversion::SignedToFloat(format, _), Type::Int(width)) => {
                float::to_signed(format, width, Rounding::Zero, wish.bits)
            }
            (Conversion::UnsignedToFloat(format, _), Type::Int(width)) => {
                float::to_unsigned(format, width, Rounding::Zero, wish.bits)
            }
            (Conversion::FloatToSigned(width, _), Type::Float(format)) => to_float(wish.bits, true, format, width),
            (Conversion::FloatToUnsigned(width, _), Type::Float(format)) => to_float(wish.bits, false, format, width),
            (Conversion::FloatToFloat(to, _), Type::Float(from)) => float::convert(to, from, NEAREST, wish.bits),
            (Conversion::BitsToFloat(_) | Conversion::FloatToBits, _) => wish.bits,
            _ => return None,
        };
        Some(Wish { slot: a, bits })
    }

    fn concat(&mut self, a: Slot, b: Slot, wish: u128) -> Option<Wish> {
        let low = self.ty(b).width();
        let (high_wish, low_wish) = (wish >> low, wish & int::mask::<u128>(low));
        let high_differs = self.depends(a) && self.bits(a) != high_wish;
        let low_differs = self.depends(b) && self.bits(b) != low_wish;
        match (high_differs, low_differs) {
            (true, true) if self.random.one_in(2) => Some(Wish { slot: b, bits: low_wish }),
            (true, _) => Some(Wish { slot: a, bits: high_wish }),
            (false, true) => Some(Wish { slot: b, bits: low_wish }),
            (false, false) => None,
        }
    }
}

/// The inverse of an odd number modulo two to the 128, by Newton's iteration.
fn inverse_of_odd(odd: u128) -> u128 {
    let mut inverse = odd;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2_u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}
