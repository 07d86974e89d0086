//! Values of temporaries as linear functions of cells modulo the word, and what equalities say of them.

use super::cell::Key;
use super::engine::Engine;
use super::equality::Linear;
use super::state::{State, range};
use super::transfer::Walk;
use super::value::Abs;
use crate::policy;
use clew_ir::{InstKind, Operand, TempId, Type};
use clew_scalar::{BinaryOp, Conversion, UnaryOp};
use clew_solver::domain::int::{IntDomain, Interval};

impl Walk<'_> {
    /// An integer as a linear function of cells.
    pub(crate) fn linear(&self, operand: Operand) -> Option<Linear> {
        match operand {
            Operand::Const(value) if matches!(value.ty, clew_scalar::Type::Int(2..=64)) => {
                Some(Linear::constant(value.bits, value.ty.width()))
            }
            Operand::Temp(temp) => self.linears.get(&temp).cloned(),
            _ => None,
        }
    }

    fn width(&self, temp: TempId) -> Option<u8> {
        match self.function.temps[temp].ty {
            Type::Int(width) if (2..=64).contains(&width) => Some(width),
            _ => None,
        }
    }
}

impl<'p> Engine<'p> {
    /// Notes what an instruction computes, and what equalities say of it.
    pub(crate) fn relate_linearly(&self, walk: &mut Walk<'p>, kind: &InstKind) {
        if let InstKind::Binary { dest, op: op @ (BinaryOp::Eq | BinaryOp::Ne), a, b, .. } = kind {
            if let Some(difference) = difference(walk, *a, *b)
                && let Some(known) = walk.state.equalities.known(&difference)
            {
                let truth = (known == 0) == (*op == BinaryOp::Eq);
                walk.define(*dest, Abs::Int(IntDomain::singleton(1, u128::from(truth))));
            }
            return;
        }
        let (Some(dest), Some(linear)) = (kind.dest(), computed(walk, kind)) else { return };
        let Some(width) = walk.width(dest) else { return };
        if linear.width == width
            && let Some(known) = walk.state.equalities.known(&linear)
            && let Some(Abs::Int(domain)) = walk.temps.get(&dest)
        {
            let known = IntDomain::singleton(width, u128::from(known) & domain.mask());
            walk.define(dest, Abs::Int(known));
        }
        walk.linears.insert(dest, linear);
    }
}

impl State {
    /// What is left of the value of a cell by equalities with several others.
    pub(crate) fn bounded_by_equalities(&mut self, key: Key, value: Abs) -> Abs {
        let Some(domain) = value.int().filter(|domain| domain.width() <= 64) else { return value };
        match self.equal_to(key, domain.width()).map(|equal| domain.meet(&equal)) {
            Some(Ok(left)) if left != *domain => {
                let left = Abs::Int(left);
                self.cells.entry(key).and_modify(|(_, cell)| cell.clone_from(&left));
                left
            }
            _ => value,
        }
    }

    /// The values that an equality leaves a cell of so many bits, by the ranges of the several cells in it.
    fn equal_to(&self, key: Key, width: u8) -> Option<IntDomain> {
        let sums = self.equalities.told(key, width);
        sums.iter().filter(|(terms, _)| terms.len() > 1).find_map(|(terms, constant)| {
            let (mut least, mut most) = (*constant, *constant);
            for (other, times) in terms {
                let domain = self.int(*other).filter(|other| {
                    other.width() == width && times.abs() <= i128::from(policy::MAX_MODULAR_FACTOR.get())
                })?;
                let (low, high) = range(&domain, true)?;
                least += (low * times).min(high * times);
                most += (low * times).max(high * times);
            }
            let mask = IntDomain::top(width).mask();
            let interval = Interval { lo: least as u128 & mask, hi: most as u128 & mask };
            (most - least < 1 << width).then(|| IntDomain::from_interval(width, interval))
        })
    }
}

/// The difference of two integers, if all its bits are known.
pub(crate) fn difference(walk: &Walk<'_>, a: Operand, b: Operand) -> Option<Linear> {
    let Type::Int(width) = a.ty(walk.function) else { return None };
    let difference = walk.linear(a)?.plus(&walk.linear(b)?, u64::MAX);
    (difference.width == width).then_some(difference)
}

/// What an instruction computes, where that is linear.
fn computed(walk: &Walk<'_>, kind: &InstKind) -> Option<Linear> {
    match *kind {
        InstKind::Unary { op: UnaryOp::Neg, a, .. } => Some(walk.linear(a)?.times(u64::MAX)),
        InstKind::Binary { op: BinaryOp::Add, a, b, .. } => Some(walk.linear(a)?.plus(&walk.linear(b)?, 1)),
        InstKind::Binary { op: BinaryOp::Sub, a, b, .. } => Some(walk.linear(a)?.plus(&walk.linear(b)?, u64::MAX)),
        InstKind::Binary { op: BinaryOp::Mul, a, b, .. } => {
            let (a, b) = (walk.linear(a)?, walk.linear(b)?);
            let (factor, other) = a.value().map(|factor| (factor, &b)).or(b.value().map(|factor| (factor, &a)))?;
            Some(other.times(factor))
        }
        InstKind::Binary { op: BinaryOp::Shl, a, b, .. } => {
            let (a, by) = (walk.linear(a)?, walk.linear(b)?.value()?);
            (by < u64::from(a.width)).then(|| a.times(1 << by))
        }
        InstKind::Convert { op: Conversion::Truncate(to), a, .. } => Some(walk.linear(a)?.low(to)),
        InstKind::Convert { op: Conversion::SignExtend(_) | Conversion::ZeroExtend(_), a, .. } => walk.linear(a),
        _ => None,
    }
}
