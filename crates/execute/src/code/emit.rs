//! Ops for each kind of instruction.

mod arithmetic;
mod control;
mod memory;

pub(super) use control::terminator;

use super::decode::Decoder;
use super::{Access, Call, CalleeSlot, FrameSlot, Op, RangeOp, Special};
use clew_ir::{Callee, InstKind, LocalId, Operand, TempId};

/// Appends the ops of an instruction.
pub(super) fn inst(out: &mut Decoder<'_>, inst: &InstKind) {
    match inst {
        InstKind::Unary { dest, op, a, check } => arithmetic::unary(out, *dest, *op, *a, *check),
        InstKind::Binary { dest, op, a, b, check } => arithmetic::binary(out, *dest, *op, *a, *b, *check),
        InstKind::Ternary { dest, op, a, b, c } => arithmetic::ternary(out, *dest, *op, [*a, *b, *c]),
        InstKind::Convert { dest, op, a, check } => arithmetic::convert(out, *dest, *op, *a, *check),
        InstKind::PointerToInt { dest, a } | InstKind::IntToPointer { dest, a } => copy(out, *dest, *a),
        InstKind::Offset { dest, base, bytes, check } => {
            let (a, b, w) = (out.slot(*base), out.slot(*bytes), out.pointer_width());
            let d = out.dest(*dest).slot;
            out.push(if out.is_checked(*check) { Op::OffsetChecked { w, d, a, b } } else { Op::Offset { w, d, a, b } });
        }
        InstKind::Distance { dest, a, b, check } => {
            let (a, b, w) = (out.slot(*a), out.slot(*b), out.pointer_width());
            let d = out.dest(*dest).slot;
            out.push(if out.is_checked(*check) { Op::DistanceChecked { w, d, a, b } } else { Op::Sub { w, d, a, b } });
        }
        InstKind::Load { dest, from, raw, .. } => memory::load(out, *dest, *from, *raw),
        InstKind::Store { to, value, .. } => memory::store(out, *to, *value),
        InstKind::Copy { to, from, size, .. } => {
            let range = RangeOp { to: out.slot(*to), from: out.slot(*from), byte: 0, size: *size };
            out.ranges.push(range);
            out.push(Op::Copy(out.ranges.len() as u32 - 1));
        }
        InstKind::Fill { to, byte, size, .. } => {
            let range = RangeOp { to: out.slot(*to), from: 0, byte: *byte, size: *size };
            out.ranges.push(range);
            out.push(Op::Fill(out.ranges.len() as u32 - 1));
        }
        InstKind::Call { dest, callee, args, .. } => {
            let callee = match callee {
                Callee::Direct(function) => CalleeSlot::Direct(*function),
                Callee::Indirect(pointer) => CalleeSlot::Indirect(out.slot(*pointer)),
            };
            let args = args.iter().map(|&arg| out.operand(arg)).collect();
            let dest = dest.map(|dest| out.dest(dest));
            out.calls.push(Call { callee, args, dest });
            out.push(Op::Call(out.calls.len() as u32 - 1));
        }
        InstKind::Check { holds, check } => {
            if out.is_checked(Some(*check)) {
                let a = out.slot(*holds);
                out.push(Op::Check { a });
            }
        }
        other => special(out, other),
    }
}

/// Instructions that only the machine can do.
fn special(out: &mut Decoder<'_>, inst: &InstKind) {
    let special = match inst {
        InstKind::Begin { local } => return begin(out, *local),
        InstKind::End { local } => match object_index(out, *local) {
            Some(index) => Special::End(index),
            None => return,
        },
        InstKind::Allocate { dest, size, check, .. } => {
            let size = out.slot(*size);
            Special::Allocate { d: out.dest(*dest).slot, size, checked: out.is_checked(*check) }
        }
        InstKind::Release { pointer } => Special::Release { pointer: out.slot(*pointer) },
        InstKind::VaStart { list } => Special::VaStart { list: out.slot(*list) },
        InstKind::VaArg { dest, list, .. } => {
            let address = out.slot(*list);
            let value = out.dest(*dest);
            out.accesses.push(Access { address, value, bytes: 0, raw: false });
            Special::VaArg(out.accesses.len() as u32 - 1)
        }
        InstKind::VaCopy { to, from } => Special::VaCopy { to: out.slot(*to), from: out.slot(*from) },
        InstKind::VaEnd { list } => Special::VaEnd { list: out.slot(*list) },
        InstKind::Unsupported { .. } => Special::Unsupported,
        _ => unreachable!("the other instructions have ops of their own"),
    };
    out.push(Op::Special(special));
}

fn begin(out: &mut Decoder<'_>, local: LocalId) {
    if let Some(index) = object_index(out, local) {
        out.push(Op::Special(Special::Begin(index)));
    } else if let Some(flag) = out.frame.flag(local) {
        out.push(Op::FlagClear { flag });
    }
}

fn object_index(out: &Decoder<'_>, local: LocalId) -> Option<u32> {
    out.frame.objects.iter().position(|object| object.local == local).map(|index| index as u32)
}

/// The bits of one scalar as another.
fn copy(out: &mut Decoder<'_>, dest: TempId, from: Operand) {
    let from = out.operand(from);
    let dest = out.dest(dest);
    push_move(out, dest, from);
}

fn push_move(out: &mut Decoder<'_>, dest: FrameSlot, from: FrameSlot) {
    if dest.slot == from.slot {
        return;
    }
    let (d, a) = (dest.slot, from.slot);
    out.push(if dest.is_wide() { Op::MoveWide { d, a } } else { Op::Move { d, a } });
}
