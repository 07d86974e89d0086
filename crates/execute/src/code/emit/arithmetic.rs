//! Operators: an op of their own where they are common and at most 64 bits wide, the table of evaluations otherwise.

use super::super::decode::Decoder;
use super::super::{Eval, EvalKind, FrameSlot, Op, Undefined};
use super::copy;
use clew_ir::{CheckId, Operand, TempId};
use clew_scalar::{BinaryOp, Conversion, Format, Rounding, TernaryOp, Type, UnaryOp};

pub(super) fn unary(out: &mut Decoder<'_>, dest: TempId, op: UnaryOp, a: Operand, check: Option<CheckId>) {
    let operand = out.operand(a);
    let undefined = out.undefined(dest, check);
    let place = out.dest(dest);
    let (w, d, a) = (operand.ty.width(), place.slot, operand.slot);
    let op = match op {
        _ if operand.is_wide() => None,
        UnaryOp::Not => Some(Op::Not { w, d, a }),
        UnaryOp::Neg if undefined == Undefined::Fails => Some(Op::NegChecked { w, d, a }),
        UnaryOp::Neg => Some(Op::Neg { w, d, a }),
        _ => None,
    }
    .unwrap_or_else(|| eval(out, EvalKind::Unary(op), place, &[operand], undefined));
    out.push(op);
}

pub(super) fn binary(
    out: &mut Decoder<'_>,
    dest: TempId,
    op: BinaryOp,
    a: Operand,
    b: Operand,
    check: Option<CheckId>,
) {
    let operands = [out.operand(a), out.operand(b)];
    let undefined = out.undefined(dest, check);
    let place = out.dest(dest);
    let narrow = if operands[0].is_wide() {
        None
    } else if operands[0].ty == Type::Float(Format::DOUBLE) {
        double_op(op, place, operands)
    } else if undefined == Undefined::Fails {
        checked_op(op, place, operands)
    } else {
        int_op(op, place, operands)
    };
    let op = narrow.unwrap_or_else(|| eval(out, EvalKind::Binary(op), place, &operands, undefined));
    out.push(op);
}

fn int_op(op: BinaryOp, place: FrameSlot, [a, b]: [FrameSlot; 2]) -> Option<Op> {
    let (w, d, a, b) = (a.ty.width(), place.slot, a.slot, b.slot);
    Some(match op {
        BinaryOp::Add => Op::Add { w, d, a, b },
        BinaryOp::Sub => Op::Sub { w, d, a, b },
        BinaryOp::Mul => Op::Mul { w, d, a, b },
        BinaryOp::UDiv => Op::UDiv { w, d, a, b },
        BinaryOp::SDiv => Op::SDiv { w, d, a, b },
        BinaryOp::URem => Op::URem { w, d, a, b },
        BinaryOp::SRem => Op::SRem { w, d, a, b },
        BinaryOp::And => Op::And { d, a, b },
        BinaryOp::Or => Op::Or { d, a, b },
        BinaryOp::Xor => Op::Xor { d, a, b },
        BinaryOp::Shl => Op::Shl { w, d, a, b },
        BinaryOp::LShr => Op::LShr { w, d, a, b },
        BinaryOp::AShr => Op::AShr { w, d, a, b },
        BinaryOp::Eq => Op::Eq { d, a, b },
        BinaryOp::Ne => Op::Ne { d, a, b },
        BinaryOp::Ult => Op::Ult { d, a, b },
        BinaryOp::Ule => Op::Ule { d, a, b },
        BinaryOp::Slt => Op::Slt { w, d, a, b },
        BinaryOp::Sle => Op::Sle { w, d, a, b },
        _ => return None,
    })
}

fn checked_op(op: BinaryOp, place: FrameSlot, [a, b]: [FrameSlot; 2]) -> Option<Op> {
    let (w, d, a, b) = (a.ty.width(), place.slot, a.slot, b.slot);
    Some(match op {
        BinaryOp::Add => Op::AddChecked { w, d, a, b },
        BinaryOp::Sub => Op::SubChecked { w, d, a, b },
        BinaryOp::Mul => Op::MulChecked { w, d, a, b },
        BinaryOp::UDiv => Op::UDivChecked { w, d, a, b },
        BinaryOp::SDiv => Op::SDivChecked { w, d, a, b },
        BinaryOp::URem => Op::URemChecked { w, d, a, b },
        BinaryOp::SRem => Op::SRemChecked { w, d, a, b },
        BinaryOp::Shl => Op::ShlChecked { w, d, a, b },
        BinaryOp::LShr => Op::LShrChecked { w, d, a, b },
        BinaryOp::AShr => Op::AShrChecked { w, d, a, b },
        _ => return None,
    })
}

fn double_op(op: BinaryOp, place: FrameSlot, [a, b]: [FrameSlot; 2]) -> Option<Op> {
    let (d, a, b) = (place.slot, a.slot, b.slot);
    Some(match op {
        BinaryOp::FloatAdd(Rounding::NearestEven) => Op::DoubleAdd { d, a, b },
        BinaryOp::FloatSub(Rounding::NearestEven) => Op::DoubleSub { d, a, b },
        BinaryOp::FloatMul(Rounding::NearestEven) => Op::DoubleMul { d, a, b },
        BinaryOp::FloatDiv(Rounding::NearestEven) => Op::DoubleDiv { d, a, b },
        BinaryOp::FloatEq => Op::DoubleEq { d, a, b },
        BinaryOp::FloatLt => Op::DoubleLt { d, a, b },
        BinaryOp::FloatLe => Op::DoubleLe { d, a, b },
        _ => return None,
    })
}

pub(super) fn ternary(out: &mut Decoder<'_>, dest: TempId, op: TernaryOp, operands: [Operand; 3]) {
    let operands = operands.map(|operand| out.operand(operand));
    let place = out.dest(dest);
    let op = match op {
        TernaryOp::Select if !place.is_wide() => {
            Op::Select { d: place.slot, c: operands[0].slot, a: operands[1].slot, b: operands[2].slot }
        }
        _ => eval(out, EvalKind::Ternary(op), place, &operands, Undefined::Total),
    };
    out.push(op);
}

pub(super) fn convert(out: &mut Decoder<'_>, dest: TempId, op: Conversion, a: Operand, check: Option<CheckId>) {
    let operand = out.operand(a);
    let (w, a_slot) = (operand.ty.width(), operand.slot);
    let undefined = match (out.undefined(dest, check), a) {
        (Undefined::AsCompiled, Operand::Const(_)) => Undefined::AsFolded,
        (undefined, _) => undefined,
    };
    let op = match op {
        Conversion::ZeroExtend(1..=64) | Conversion::BitsToFloat(_) | Conversion::FloatToBits => {
            return copy(out, dest, a);
        }
        Conversion::SignExtend(to @ 1..=64) => Op::SignExtend { w, to, d: out.dest(dest).slot, a: a_slot },
        // The low slot of a wide number holds its low bits.
        Conversion::Truncate(to @ 1..=64) => Op::Truncate { to, d: out.dest(dest).slot, a: a_slot },
        _ => {
            let place = out.dest(dest);
            eval(out, EvalKind::Convert(op), place, &[operand], undefined)
        }
    };
    out.push(op);
}

fn eval(out: &mut Decoder<'_>, kind: EvalKind, dest: FrameSlot, operands: &[FrameSlot], undefined: Undefined) -> Op {
    let mut places = [operands[0]; 3];
    places[..operands.len()].copy_from_slice(operands);
    out.evals.push(Eval { kind, dest, operands: places, undefined });
    Op::Eval(out.evals.len() as u32 - 1)
}
