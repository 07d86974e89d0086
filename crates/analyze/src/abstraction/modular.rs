//! Values of temporaries as linear functions of cells modulo the word, and what equalities say of them.

use super::engine::Engine;
use super::equality::Linear;
use super::transfer::Walk;
use super::value::Abs;
use clew_ir::{InstKind, Operand, TempId, Type};
use clew_scalar::{BinaryOp, Conversion, UnaryOp};
use clew_solver::domain::int::IntDomain;

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
