//! Terminators. A comparison just before the branch on it becomes part of the branch.

use super::super::decode::Decoder;
use super::super::{FrameSlot, Op, Position, Special, Switch, SwitchTable};
use clew_ir::{BlockId, Case, Operand, TerminatorKind};

/// Switches with at most this many targets per case are tables.
const DENSITY: u128 = 4;
const LARGEST_TABLE: u128 = 1 << 16;

pub(in super::super) fn terminator(out: &mut Decoder<'_>, kind: &TerminatorKind, steps: u16) {
    let op = match kind {
        TerminatorKind::Jump(target) => Op::Jump { steps, to: target.raw() },
        TerminatorKind::Branch { on, then, otherwise, .. } => branch(out, *on, *then, *otherwise, steps),
        TerminatorKind::Switch { on, cases, default, .. } => {
            let on = out.operand(*on);
            let table = table(on, cases, *default);
            out.switches.push(Switch { on, table, default: default.raw() });
            Op::Switch { steps, index: out.switches.len() as u32 - 1 }
        }
        TerminatorKind::Return(None) => Op::Return { steps },
        TerminatorKind::Return(Some(value)) => {
            let place = out.operand(*value);
            let a = place.slot;
            if place.is_wide() { Op::ReturnWide { steps, a } } else { Op::ReturnNarrow { steps, a } }
        }
        TerminatorKind::Unreachable { .. } => Op::Special(Special::Unreachable),
    };
    out.push(op);
}

fn branch(out: &mut Decoder<'_>, on: Operand, then: BlockId, otherwise: BlockId, steps: u16) -> Op {
    let slot = out.slot(on);
    let (then, otherwise): (Position, Position) = (then.raw(), otherwise.raw());
    let passing = matches!(on, Operand::Temp(temp) if out.is_passing(temp));
    let fused = match out.last_op() {
        Some((op, _)) if passing => fuse(op, slot, then, otherwise, steps),
        _ => None,
    };
    match fused {
        Some(op) => {
            out.pop();
            op
        }
        None => Op::Branch { steps, a: slot, then, otherwise },
    }
}

fn fuse(op: Op, on: u32, then: Position, otherwise: Position, steps: u16) -> Option<Op> {
    Some(match op {
        Op::Eq { d, a, b } if d == on => Op::BranchEq { steps, a, b, then, otherwise },
        Op::Ne { d, a, b } if d == on => Op::BranchNe { steps, a, b, then, otherwise },
        Op::Ult { d, a, b } if d == on => Op::BranchUlt { steps, a, b, then, otherwise },
        Op::Ule { d, a, b } if d == on => Op::BranchUle { steps, a, b, then, otherwise },
        Op::Slt { w, d, a, b } if d == on => Op::BranchSlt { w, steps, a, b, then, otherwise },
        Op::Sle { w, d, a, b } if d == on => Op::BranchSle { w, steps, a, b, then, otherwise },
        _ => return None,
    })
}

fn table(on: FrameSlot, cases: &[Case], default: BlockId) -> SwitchTable {
    dense(on, cases, default).unwrap_or_else(|| sorted(on, cases))
}

/// A table from the lowest to the highest value, counted from the first case's start around the width.
fn dense(on: FrameSlot, cases: &[Case], default: BlockId) -> Option<SwitchTable> {
    let mask = on.ty.mask();
    let pivot = cases.iter().map(|case| signed(on, case.low)).min()?;
    let low = pivot as u128 & mask;
    let span = cases.iter().map(|case| case.high.wrapping_sub(low) & mask).max()?;
    if on.is_wide() || span >= LARGEST_TABLE || span > DENSITY * cases.len() as u128 + 8 {
        return None;
    }
    let mut targets = vec![default.raw(); span as usize + 1];
    for case in cases {
        let (first, last) = (case.low.wrapping_sub(low) & mask, case.high.wrapping_sub(low) & mask);
        targets.get_mut(first as usize..=last as usize)?.fill(case.target.raw());
    }
    Some(SwitchTable::Dense { low: low as u64, targets })
}

/// Cases by first value; one that wraps around the width becomes two.
fn sorted(on: FrameSlot, cases: &[Case]) -> SwitchTable {
    let mut ranges: Vec<(u128, u128, Position)> = Vec::with_capacity(cases.len());
    for case in cases {
        if case.low <= case.high {
            ranges.push((case.low, case.high, case.target.raw()));
        } else {
            ranges.push((case.low, on.ty.mask(), case.target.raw()));
            ranges.push((0, case.high, case.target.raw()));
        }
    }
    ranges.sort_unstable();
    SwitchTable::Sorted(ranges)
}

fn signed(on: FrameSlot, bits: u128) -> i128 {
    clew_scalar::int::signed(on.ty.width(), bits)
}
