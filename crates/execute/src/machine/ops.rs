//! The loop over ops of one activation.
//!
//! Everything that needs only the activation's slots and memory happens here; anything else ends the loop with a
//! [`Pause`]. Instructions are counted at the end of each block.

use super::wide;
use crate::code::{Code, Op, Position, Slot, Special, Switch, SwitchTable};
use crate::memory::{Fault, Memory};
use crate::observe::Observer;
use clew_ir::{Program, TerminatorKind};
use clew_scalar::{Format, Rounding, float, int};

/// Why the loop ended.
pub(super) enum Pause {
    Call(u32),
    Return(u128),
    Special(Special),
    Fault(Fault),
    Violation,
    StepLimit,
}

/// What the loop works on besides slots.
pub(super) struct Context<'a, O> {
    pub(super) program: &'a Program,
    pub(super) memory: &'a mut Memory,
    pub(super) observer: &'a mut O,
    pub(super) fuel: u64,
}

/// The slots of an activation.
pub(super) struct Window<'a>(&'a mut [u64]);

impl Window<'_> {
    #[inline(always)]
    pub(super) fn get(&self, slot: Slot) -> u64 {
        self.0[slot as usize]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, slot: Slot, word: u64) {
        self.0[slot as usize] = word;
    }

    #[inline(always)]
    fn truth(&mut self, slot: Slot, truth: bool) {
        self.set(slot, u64::from(truth));
    }
}

/// Runs from a position until something ends the loop; gives the position of the op that did.
#[expect(clippy::too_many_lines, reason = "a flat table: one line or two per op")]
pub(super) fn run<O: Observer>(
    code: &Code,
    window: &mut [u64],
    start: Position,
    context: &mut Context<'_, O>,
) -> (Position, Pause) {
    let ops = code.ops.as_slice();
    let mut position = start as usize;
    let mut fuel = context.fuel;
    let slots = &mut Window(window);
    let pause = loop {
        let op = ops[position];
        match op {
            Op::Move { d, a } => slots.set(d, slots.get(a)),
            Op::MoveWide { d, a } => {
                let (low, high) = (slots.get(a), slots.get(a + 1));
                slots.set(d, low);
                slots.set(d + 1, high);
            }
            Op::Add { w, d, a, b } => slots.set(d, int::add(w, slots.get(a), slots.get(b))),
            Op::Sub { w, d, a, b } => slots.set(d, int::sub(w, slots.get(a), slots.get(b))),
            Op::Mul { w, d, a, b } => slots.set(d, int::mul(w, slots.get(a), slots.get(b))),
            Op::UDiv { w, d, a, b } => slots.set(d, int::udiv(w, slots.get(a), slots.get(b))),
            Op::SDiv { w, d, a, b } => slots.set(d, int::sdiv(w, slots.get(a), slots.get(b))),
            Op::URem { w, d, a, b } => slots.set(d, int::urem(w, slots.get(a), slots.get(b))),
            Op::SRem { w, d, a, b } => slots.set(d, int::srem(w, slots.get(a), slots.get(b))),
            Op::And { d, a, b } => slots.set(d, slots.get(a) & slots.get(b)),
            Op::Or { d, a, b } => slots.set(d, slots.get(a) | slots.get(b)),
            Op::Xor { d, a, b } => slots.set(d, slots.get(a) ^ slots.get(b)),
            Op::Shl { w, d, a, b } => slots.set(d, int::shl(w, slots.get(a), slots.get(b))),
            Op::LShr { w, d, a, b } => slots.set(d, int::lshr(w, slots.get(a), slots.get(b))),
            Op::AShr { w, d, a, b } => slots.set(d, int::ashr(w, slots.get(a), slots.get(b))),
            Op::AddChecked { w, d, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                if int::signed_add_overflows(w, a, b) {
                    break Pause::Violation;
                }
                slots.set(d, int::add(w, a, b));
            }
            Op::SubChecked { w, d, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                if int::signed_sub_overflows(w, a, b) {
                    break Pause::Violation;
                }
                slots.set(d, int::sub(w, a, b));
            }
            Op::MulChecked { w, d, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                if int::signed_mul_overflows(w, a, b) {
                    break Pause::Violation;
                }
                slots.set(d, int::mul(w, a, b));
            }
            Op::UDivChecked { w, d, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                if b == 0 {
                    break Pause::Violation;
                }
                slots.set(d, int::udiv(w, a, b));
            }
            Op::SDivChecked { w, d, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                if b == 0 || int::signed_div_overflows(w, a, b) {
                    break Pause::Violation;
                }
                slots.set(d, int::sdiv(w, a, b));
            }
            Op::URemChecked { w, d, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                if b == 0 {
                    break Pause::Violation;
                }
                slots.set(d, int::urem(w, a, b));
            }
            Op::SRemChecked { w, d, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                if b == 0 || int::signed_div_overflows(w, a, b) {
                    break Pause::Violation;
                }
                slots.set(d, int::srem(w, a, b));
            }
            Op::ShlChecked { w, d, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                if int::shift_too_far(w, b) {
                    break Pause::Violation;
                }
                slots.set(d, int::shl(w, a, b));
            }
            Op::LShrChecked { w, d, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                if int::shift_too_far(w, b) {
                    break Pause::Violation;
                }
                slots.set(d, int::lshr(w, a, b));
            }
            Op::AShrChecked { w, d, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                if int::shift_too_far(w, b) {
                    break Pause::Violation;
                }
                slots.set(d, int::ashr(w, a, b));
            }
            Op::Eq { d, a, b } => slots.truth(d, slots.get(a) == slots.get(b)),
            Op::Ne { d, a, b } => slots.truth(d, slots.get(a) != slots.get(b)),
            Op::Ult { d, a, b } => slots.truth(d, slots.get(a) < slots.get(b)),
            Op::Ule { d, a, b } => slots.truth(d, slots.get(a) <= slots.get(b)),
            Op::Slt { w, d, a, b } => slots.truth(d, int::slt(w, slots.get(a), slots.get(b))),
            Op::Sle { w, d, a, b } => slots.truth(d, int::sle(w, slots.get(a), slots.get(b))),
            Op::Not { w, d, a } => slots.set(d, int::not(w, slots.get(a))),
            Op::Neg { w, d, a } => slots.set(d, int::neg(w, slots.get(a))),
            Op::NegChecked { w, d, a } => {
                let a = slots.get(a);
                if int::signed_neg_overflows(w, a) {
                    break Pause::Violation;
                }
                slots.set(d, int::neg(w, a));
            }
            Op::SignExtend { w, to, d, a } => {
                slots.set(d, int::extend_sign(w, slots.get(a)) & int::mask::<u64>(to));
            }
            Op::Truncate { to, d, a } => slots.set(d, slots.get(a) & int::mask::<u64>(to)),
            Op::DoubleAdd { d, a, b } => slots.set(d, double(float::add, slots.get(a), slots.get(b))),
            Op::DoubleSub { d, a, b } => slots.set(d, double(float::sub, slots.get(a), slots.get(b))),
            Op::DoubleMul { d, a, b } => slots.set(d, double(float::mul, slots.get(a), slots.get(b))),
            Op::DoubleDiv { d, a, b } => slots.set(d, double(float::div, slots.get(a), slots.get(b))),
            Op::DoubleEq { d, a, b } => slots.truth(d, compare(float::eq, slots.get(a), slots.get(b))),
            Op::DoubleLt { d, a, b } => slots.truth(d, compare(float::lt, slots.get(a), slots.get(b))),
            Op::DoubleLe { d, a, b } => slots.truth(d, compare(float::le, slots.get(a), slots.get(b))),
            Op::Select { d, c, a, b } => {
                let chosen = if slots.get(c) != 0 { a } else { b };
                slots.set(d, slots.get(chosen));
            }
            Op::Eval(index) => {
                if !wide::eval(slots, &code.evals[index as usize]) {
                    break Pause::Violation;
                }
            }
            Op::Offset { w, d, a, b } => slots.set(d, int::add(w, slots.get(a), slots.get(b))),
            Op::OffsetChecked { w, d, a, b } => {
                let from = slots.get(a);
                let to = int::add(w, from, slots.get(b));
                if !context.memory.may_move(from, to) {
                    break Pause::Violation;
                }
                slots.set(d, to);
            }
            Op::DistanceChecked { w, d, a, b } => {
                let (a, b) = (slots.get(a), slots.get(b));
                if !context.memory.same_object(a, b) {
                    break Pause::Violation;
                }
                slots.set(d, int::sub(w, a, b));
            }
            Op::Load8 { d, a } => match context.memory.load(slots.get(a)) {
                Ok(bytes) => slots.set(d, u64::from(u8::from_le_bytes(bytes))),
                Err(fault) => break Pause::Fault(fault),
            },
            Op::Load16 { d, a } => match context.memory.load(slots.get(a)) {
                Ok(bytes) => slots.set(d, u64::from(u16::from_le_bytes(bytes))),
                Err(fault) => break Pause::Fault(fault),
            },
            Op::Load32 { d, a } => match context.memory.load(slots.get(a)) {
                Ok(bytes) => slots.set(d, u64::from(u32::from_le_bytes(bytes))),
                Err(fault) => break Pause::Fault(fault),
            },
            Op::Load64 { d, a } => match context.memory.load(slots.get(a)) {
                Ok(bytes) => slots.set(d, u64::from_le_bytes(bytes)),
                Err(fault) => break Pause::Fault(fault),
            },
            Op::Load8At { d, a, b } => match context.memory.load(slots.get(a).wrapping_add(slots.get(b))) {
                Ok(bytes) => slots.set(d, u64::from(u8::from_le_bytes(bytes))),
                Err(fault) => break Pause::Fault(fault),
            },
            Op::Load16At { d, a, b } => match context.memory.load(slots.get(a).wrapping_add(slots.get(b))) {
                Ok(bytes) => slots.set(d, u64::from(u16::from_le_bytes(bytes))),
                Err(fault) => break Pause::Fault(fault),
            },
            Op::Load32At { d, a, b } => match context.memory.load(slots.get(a).wrapping_add(slots.get(b))) {
                Ok(bytes) => slots.set(d, u64::from(u32::from_le_bytes(bytes))),
                Err(fault) => break Pause::Fault(fault),
            },
            Op::Load64At { d, a, b } => match context.memory.load(slots.get(a).wrapping_add(slots.get(b))) {
                Ok(bytes) => slots.set(d, u64::from_le_bytes(bytes)),
                Err(fault) => break Pause::Fault(fault),
            },
            Op::Load(index) => {
                if let Err(fault) = wide::load(slots, context.memory, &code.accesses[index as usize]) {
                    break Pause::Fault(fault);
                }
            }
            Op::Store8 { a, b } => {
                if let Err(fault) = context.memory.store(slots.get(a), (slots.get(b) as u8).to_le_bytes()) {
                    break Pause::Fault(fault);
                }
            }
            Op::Store16 { a, b } => {
                if let Err(fault) = context.memory.store(slots.get(a), (slots.get(b) as u16).to_le_bytes()) {
                    break Pause::Fault(fault);
                }
            }
            Op::Store32 { a, b } => {
                if let Err(fault) = context.memory.store(slots.get(a), (slots.get(b) as u32).to_le_bytes()) {
                    break Pause::Fault(fault);
                }
            }
            Op::Store64 { a, b } => {
                if let Err(fault) = context.memory.store(slots.get(a), slots.get(b).to_le_bytes()) {
                    break Pause::Fault(fault);
                }
            }
            Op::Store8At { a, b, c } => {
                let address = slots.get(a).wrapping_add(slots.get(b));
                if let Err(fault) = context.memory.store(address, (slots.get(c) as u8).to_le_bytes()) {
                    break Pause::Fault(fault);
                }
            }
            Op::Store16At { a, b, c } => {
                let address = slots.get(a).wrapping_add(slots.get(b));
                if let Err(fault) = context.memory.store(address, (slots.get(c) as u16).to_le_bytes()) {
                    break Pause::Fault(fault);
                }
            }
            Op::Store32At { a, b, c } => {
                let address = slots.get(a).wrapping_add(slots.get(b));
                if let Err(fault) = context.memory.store(address, (slots.get(c) as u32).to_le_bytes()) {
                    break Pause::Fault(fault);
                }
            }
            Op::Store64At { a, b, c } => {
                let address = slots.get(a).wrapping_add(slots.get(b));
                if let Err(fault) = context.memory.store(address, slots.get(c).to_le_bytes()) {
                    break Pause::Fault(fault);
                }
            }
            Op::Store(index) => {
                if let Err(fault) = wide::store(slots, context.memory, &code.accesses[index as usize]) {
                    break Pause::Fault(fault);
                }
            }
            Op::Copy(index) => {
                if let Err(fault) = wide::copy(slots, context.memory, &code.ranges[index as usize]) {
                    break Pause::Fault(fault);
                }
            }
            Op::Fill(index) => {
                let range = &code.ranges[index as usize];
                if let Err(fault) = context.memory.fill(slots.get(range.to), range.byte, range.size as usize) {
                    break Pause::Fault(fault);
                }
            }
            Op::Check { a } => {
                if slots.get(a) == 0 {
                    break Pause::Violation;
                }
            }
            Op::FlagCheck { flag } => {
                if slots.get(flag) == 0 {
                    break Pause::Violation;
                }
            }
            Op::FlagSet { flag } => slots.set(flag, 1),
            Op::FlagClear { flag } => slots.set(flag, 0),
            Op::Count { steps } => match fuel.checked_sub(u64::from(steps)) {
                Some(left) => fuel = left,
                None => break Pause::StepLimit,
            },
            Op::Jump { steps, to } => {
                let Some(left) = fuel.checked_sub(u64::from(steps)) else { break Pause::StepLimit };
                fuel = left;
                position = to as usize;
                tell_block(code, context, position);
                continue;
            }
            Op::Branch { steps, .. }
            | Op::BranchEq { steps, .. }
            | Op::BranchNe { steps, .. }
            | Op::BranchUlt { steps, .. }
            | Op::BranchUle { steps, .. }
            | Op::BranchSlt { steps, .. }
            | Op::BranchSle { steps, .. } => {
                let Some(left) = fuel.checked_sub(u64::from(steps)) else { break Pause::StepLimit };
                fuel = left;
                let (outcome, then, otherwise) = match op {
                    Op::Branch { a, then, otherwise, .. } => (slots.get(a) != 0, then, otherwise),
                    Op::BranchEq { a, b, then, otherwise, .. } => (slots.get(a) == slots.get(b), then, otherwise),
                    Op::BranchNe { a, b, then, otherwise, .. } => (slots.get(a) != slots.get(b), then, otherwise),
                    Op::BranchUlt { a, b, then, otherwise, .. } => (slots.get(a) < slots.get(b), then, otherwise),
                    Op::BranchUle { a, b, then, otherwise, .. } => (slots.get(a) <= slots.get(b), then, otherwise),
                    Op::BranchSlt { w, a, b, then, otherwise, .. } => {
                        (int::slt(w, slots.get(a), slots.get(b)), then, otherwise)
                    }
                    Op::BranchSle { w, a, b, then, otherwise, .. } => {
                        (int::sle(w, slots.get(a), slots.get(b)), then, otherwise)
                    }
                    _ => unreachable!("only branches come here"),
                };
                if O::WATCHES {
                    tell_branch(code, context, position, outcome);
                }
                position = if outcome { then } else { otherwise } as usize;
                tell_block(code, context, position);
                continue;
            }
            Op::Switch { steps, index } => {
                let Some(left) = fuel.checked_sub(u64::from(steps)) else { break Pause::StepLimit };
                fuel = left;
                let switch = &code.switches[index as usize];
                if O::WATCHES {
                    tell_switch(code, context, position, wide::get(slots, switch.on));
                }
                position = choose(switch, slots) as usize;
                tell_block(code, context, position);
                continue;
            }
            Op::Call(index) => break Pause::Call(index),
            Op::Return { steps } => {
                let Some(left) = fuel.checked_sub(u64::from(steps)) else { break Pause::StepLimit };
                fuel = left;
                break Pause::Return(0);
            }
            Op::ReturnNarrow { steps, a } => {
                let Some(left) = fuel.checked_sub(u64::from(steps)) else { break Pause::StepLimit };
                fuel = left;
                break Pause::Return(u128::from(slots.get(a)));
            }
            Op::ReturnWide { steps, a } => {
                let Some(left) = fuel.checked_sub(u64::from(steps)) else { break Pause::StepLimit };
                fuel = left;
                break Pause::Return(u128::from(slots.get(a)) | u128::from(slots.get(a + 1)) << 64);
            }
            Op::Special(special) => break Pause::Special(special),
        }
        position += 1;
    };
    context.fuel = fuel;
    (position as Position, pause)
}

#[inline(always)]
fn double(op: impl Fn(Format, Rounding, u128, u128) -> u128, a: u64, b: u64) -> u64 {
    op(Format::DOUBLE, Rounding::NearestEven, u128::from(a), u128::from(b)) as u64
}

#[inline(always)]
fn compare(op: impl Fn(Format, u128, u128) -> bool, a: u64, b: u64) -> bool {
    op(Format::DOUBLE, u128::from(a), u128::from(b))
}

fn choose(switch: &Switch, slots: &Window<'_>) -> Position {
    match &switch.table {
        SwitchTable::Dense { low, targets } => {
            let index = int::sub(switch.on.ty.width(), slots.get(switch.on.slot), *low);
            targets.get(index as usize).copied().unwrap_or(switch.default)
        }
        SwitchTable::Sorted(cases) => {
            let bits = wide::get(slots, switch.on);
            let after = cases.partition_point(|case| case.0 <= bits);
            match after.checked_sub(1).map(|index| cases[index]) {
                Some((_, last, target)) if bits <= last => target,
                _ => switch.default,
            }
        }
    }
}

#[inline(always)]
fn tell_block<O: Observer>(code: &Code, context: &mut Context<'_, O>, position: usize) {
    if O::WATCHES {
        context.observer.block(code.function, code.origins[position].0);
    }
}

fn tell_branch<O: Observer>(code: &Code, context: &mut Context<'_, O>, position: usize, outcome: bool) {
    let block = &context.program.functions[code.function].blocks[code.origins[position].0];
    if let TerminatorKind::Branch { condition: Some(condition), .. } = block.terminator.kind {
        context.observer.branch(code.function, condition, outcome);
    }
}

fn tell_switch<O: Observer>(code: &Code, context: &mut Context<'_, O>, position: usize, bits: u128) {
    let function = &context.program.functions[code.function];
    let block = &function.blocks[code.origins[position].0];
    if let TerminatorKind::Switch { on, decision: Some(decision), cases, .. } = &block.terminator.kind {
        let width = on.ty(function).scalar(context.program.target.pointer_width).width();
        let arm = cases.iter().position(|case| case.matches(width, bits)).unwrap_or(cases.len());
        context.observer.switch(code.function, *decision, arm);
    }
}
