//! Loads and stores: moves for variables in slots, ops by size for memory, the table of accesses for unusual widths.
//!
//! An offset that is only used as the address of the next access is folded into it.

use super::super::decode::Decoder;
use super::super::{Access, FrameSlot, Op, Slot};
use super::push_move;
use clew_ir::{Operand, TempId};
use clew_scalar::{Format, Type};

pub(super) fn load(out: &mut Decoder<'_>, dest: TempId, from: Operand, raw: bool) {
    // A value nobody uses may be any, as in `(void)x`.
    let raw = raw || !out.is_used(dest);
    if let Some(local) = out.slot_local(from) {
        if let Some(flag) = out.frame.flag(local)
            && !raw
            && out.looks_for_unwritten()
        {
            out.push(Op::FlagCheck { flag });
        }
        let dest = out.dest(dest);
        let from = FrameSlot { slot: out.frame.local(local), ty: dest.ty };
        return push_move(out, dest, from);
    }
    let folded = fold_offset(out, from);
    let address = out.slot(from);
    let value = out.dest(dest);
    let d = value.slot;
    let op = match (plain_bytes(out, value.ty), raw, folded) {
        (Some(1), false, Some((a, b))) => Op::Load8At { d, a, b },
        (Some(2), false, Some((a, b))) => Op::Load16At { d, a, b },
        (Some(4), false, Some((a, b))) => Op::Load32At { d, a, b },
        (Some(8), false, Some((a, b))) => Op::Load64At { d, a, b },
        (Some(1), false, None) => Op::Load8 { d, a: address },
        (Some(2), false, None) => Op::Load16 { d, a: address },
        (Some(4), false, None) => Op::Load32 { d, a: address },
        (Some(8), false, None) => Op::Load64 { d, a: address },
        (_, _, folded) => {
            let op = Op::Load(access(out, address, value, raw));
            if let Some((a, b)) = folded {
                let w = out.pointer_width();
                out.push(Op::Offset { w, d: address, a, b });
            }
            op
        }
    };
    out.push(op);
}

pub(super) fn store(out: &mut Decoder<'_>, to: Operand, value: Operand) {
    if let Some(local) = out.slot_local(to) {
        if !out.is_stored_already(value, local) {
            let value = out.operand(value);
            let dest = FrameSlot { slot: out.frame.local(local), ty: value.ty };
            push_move(out, dest, value);
        }
        if let Some(flag) = out.frame.flag(local) {
            out.push(Op::FlagSet { flag });
        }
        return;
    }
    let folded = fold_offset(out, to);
    let (address, value) = (out.slot(to), out.operand(value));
    let v = value.slot;
    let op = match (plain_bytes(out, value.ty), folded) {
        (Some(1), Some((a, b))) => Op::Store8At { a, b, c: v },
        (Some(2), Some((a, b))) => Op::Store16At { a, b, c: v },
        (Some(4), Some((a, b))) => Op::Store32At { a, b, c: v },
        (Some(8), Some((a, b))) => Op::Store64At { a, b, c: v },
        (Some(1), None) => Op::Store8 { a: address, b: v },
        (Some(2), None) => Op::Store16 { a: address, b: v },
        (Some(4), None) => Op::Store32 { a: address, b: v },
        (Some(8), None) => Op::Store64 { a: address, b: v },
        (_, folded) => {
            let op = Op::Store(access(out, address, value, false));
            if let Some((a, b)) = folded {
                let w = out.pointer_width();
                out.push(Op::Offset { w, d: address, a, b });
            }
            op
        }
    };
    out.push(op);
}

/// Takes back an unchecked offset of a 64-bit pointer that was computed just before, only to be this address.
fn fold_offset(out: &mut Decoder<'_>, address: Operand) -> Option<(Slot, Slot)> {
    let Operand::Temp(temp) = address else { return None };
    let slot = out.slot(address);
    match out.last_op()?.0 {
        Op::Offset { w: 64, d, a, b } if d == slot && out.is_passing(temp) => {
            out.pop();
            Some((a, b))
        }
        _ => None,
    }
}

/// Bytes of a scalar whose bits are exactly its bytes, in the order the ops read them.
fn plain_bytes(out: &Decoder<'_>, ty: Type) -> Option<u8> {
    let width = ty.width();
    let plain = matches!(width, 8 | 16 | 32 | 64) && !out.program.target.big_endian;
    plain.then_some(width / 8)
}

fn access(out: &mut Decoder<'_>, address: Slot, value: FrameSlot, raw: bool) -> u32 {
    let bytes = match value.ty {
        Type::Float(Format::EXTENDED) => 10,
        ty => ty.width().div_ceil(8),
    };
    out.accesses.push(Access { address, value, bytes, raw });
    out.accesses.len() as u32 - 1
}
