//! Which slot holds what.
//!
//! The order is: constants, addresses of variables in memory and "was written" flags (both zero on entry), temporaries
//! that several blocks use, variables in slots, and last a pool for the temporaries of one block, which blocks share.

use super::assigned::Assigned;
use super::shape::Shape;
use super::{FrameObject, Slot};
use crate::memory::Memory;
use clew_ir::{Function, InstKind, LocalId, Operand, Program, TempId, TerminatorKind, Type};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The slots of a function's activations.
pub(super) struct Frame {
    pub(super) constants: Vec<u64>,
    interned: FxHashMap<(u64, Option<u64>), Slot>,
    pub(super) zeroed: Range<usize>,
    /// Of block-local temporaries, the slot they have at the moment.
    temps: Vec<Slot>,
    locals: Vec<Slot>,
    flags: Vec<Option<Slot>>,
    pub(super) objects: Vec<FrameObject>,
    pool: Pool,
}

/// Slots for the temporaries of one block.
#[derive(Default)]
struct Pool {
    next: Slot,
    high: Slot,
    start: Slot,
    free: Vec<Slot>,
    free_pairs: Vec<Slot>,
}

impl Frame {
    pub(super) fn lay_out(
        program: &Program,
        globals: &[u64],
        function: &Function,
        shape: &Shape,
        assigned: &Assigned,
    ) -> Frame {
        let mut frame = Frame {
            constants: Vec::new(),
            interned: FxHashMap::default(),
            zeroed: 0..0,
            temps: vec![Slot::MAX; function.temps.len()],
            locals: vec![Slot::MAX; function.locals.len()],
            flags: vec![None; function.locals.len()],
            objects: Vec::new(),
            pool: Pool::default(),
        };
        frame.intern_all(program, globals, function);
        let zeroed = frame.constants.len();
        let mut next = zeroed as Slot;
        frame.place_zeroed(function, shape, assigned, &mut next);
        frame.zeroed = zeroed..next as usize;
        frame.place_lasting(program, function, shape, &mut next);
        frame.pool = Pool { next, high: next, start: next, ..Pool::default() };
        frame
    }

    /// Slots a frame takes.
    pub(super) fn size(&self) -> usize {
        self.pool.high as usize
    }

    /// The slot of a variable's value (in a slot) or address (in memory).
    pub(super) fn local(&self, local: LocalId) -> Slot {
        self.locals[local.index()]
    }

    /// The slot that says whether the variable was written.
    pub(super) fn flag(&self, local: LocalId) -> Option<Slot> {
        self.flags[local.index()]
    }

    pub(super) fn temp(&self, temp: TempId) -> Slot {
        self.temps[temp.index()]
    }

    /// The slot of a number that some instruction of the function names.
    pub(super) fn constant(&self, bits: u128, wide: bool) -> Slot {
        self.interned[&key(bits, wide)]
    }

    /// Gives a block-local temporary a slot.
    pub(super) fn take(&mut self, temp: TempId, wide: bool) -> Slot {
        let slot = self.pool.take(wide);
        self.temps[temp.index()] = slot;
        slot
    }

    /// Frees the slot of a block-local temporary.
    pub(super) fn give_back(&mut self, temp: TempId, wide: bool) {
        let slot = std::mem::replace(&mut self.temps[temp.index()], Slot::MAX);
        if slot != Slot::MAX {
            self.pool.give_back(slot, wide);
        }
    }

    /// Starts a new block.
    pub(super) fn clear_pool(&mut self) {
        self.pool = Pool { next: self.pool.start, high: self.pool.high, start: self.pool.start, ..Pool::default() };
    }

    fn place_zeroed(&mut self, function: &Function, shape: &Shape, assigned: &Assigned, next: &mut Slot) {
        for (id, local) in function.locals.iter() {
            let uncertain = assigned.is_uncertain(id);
            if shape.in_slot[id.index()].is_some() {
                if uncertain {
                    self.flags[id.index()] = Some(bump(next, false));
                    // Zero in case unwritten variables may be read.
                    self.locals[id.index()] = bump(next, shape.in_slot[id.index()].is_some_and(|ty| ty.width() > 64));
                }
                continue;
            }
            let slot = bump(next, false);
            self.locals[id.index()] = slot;
            self.objects.push(FrameObject {
                local: id,
                slot,
                size: local.size,
                align: local.align,
                on_entry: uncertain,
            });
        }
    }

    fn place_lasting(&mut self, program: &Program, function: &Function, shape: &Shape, next: &mut Slot) {
        for (id, temp) in function.temps.iter() {
            if !shape.is_block_local(id) {
                self.temps[id.index()] = bump(next, is_wide(program, temp.ty));
            }
        }
        for (id, _) in function.locals.iter() {
            if let Some(ty) = shape.in_slot[id.index()]
                && self.locals[id.index()] == Slot::MAX
            {
                self.locals[id.index()] = bump(next, ty.width() > 64);
            }
        }
    }

    fn intern_all(&mut self, program: &Program, globals: &[u64], function: &Function) {
        for block in function.blocks.values() {
            for inst in &block.insts {
                for operand in inst.kind.operands() {
                    self.intern_operand(program, globals, operand);
                }
                if let InstKind::Offset { .. } | InstKind::Fill { .. } = inst.kind {
                    self.intern(0, false);
                }
            }
            match &block.terminator.kind {
                TerminatorKind::Branch { on, .. } | TerminatorKind::Switch { on, .. } => {
                    self.intern_operand(program, globals, *on);
                }
                TerminatorKind::Return(Some(value)) => self.intern_operand(program, globals, *value),
                _ => {}
            }
        }
    }

    fn intern_operand(&mut self, program: &Program, globals: &[u64], operand: Operand) {
        if let Some((bits, wide)) = constant_of(program, globals, operand) {
            self.intern(bits, wide);
        }
    }

    fn intern(&mut self, bits: u128, wide: bool) {
        let next = self.constants.len() as Slot;
        self.interned.entry(key(bits, wide)).or_insert_with(|| {
            self.constants.push(bits as u64);
            if wide {
                self.constants.push((bits >> 64) as u64);
            }
            next
        });
    }
}

/// The bits of an operand known before the program runs, and whether they take two slots.
pub(super) fn constant_of(program: &Program, globals: &[u64], operand: Operand) -> Option<(u128, bool)> {
    let mask = u64::MAX >> (64 - u32::from(program.target.pointer_width));
    match operand {
        Operand::Const(value) => Some((value.bits, value.ty.width() > 64)),
        Operand::Null => Some((0, false)),
        Operand::Global(global, bytes) => {
            Some((u128::from(globals[global.index()].wrapping_add(bytes as u64) & mask), false))
        }
        Operand::Function(function) => {
            Some((u128::from(Memory::function_address(program.target, function.raw())), false))
        }
        Operand::Temp(_) | Operand::Local(_) => None,
    }
}

pub(super) fn is_wide(program: &Program, ty: Type) -> bool {
    ty.scalar(program.target.pointer_width).width() > 64
}

fn key(bits: u128, wide: bool) -> (u64, Option<u64>) {
    (bits as u64, wide.then_some((bits >> 64) as u64))
}

fn bump(next: &mut Slot, wide: bool) -> Slot {
    let slot = *next;
    *next += 1 + Slot::from(wide);
    slot
}

impl Pool {
    fn take(&mut self, wide: bool) -> Slot {
        let free = if wide { &mut self.free_pairs } else { &mut self.free };
        free.pop().unwrap_or_else(|| {
            let slot = bump(&mut self.next, wide);
            self.high = self.high.max(self.next);
            slot
        })
    }

    fn give_back(&mut self, slot: Slot, wide: bool) {
        if wide { &mut self.free_pairs } else { &mut self.free }.push(slot);
    }
}
