//! What decoding needs to know of a function beforehand: who uses each temporary, and which variables can live in slots.
//!
//! A variable lives in a slot when every use of its address is a load or store of the whole variable at one width. The
//! others are objects in memory.

use crate::libc;
use clew_ir::{BlockId, Callee, Function, InstKind, LocalId, Operand, Program, TempId, TerminatorKind};
use clew_scalar::Type;

/// Facts about a function's temporaries and variables.
pub(super) struct Shape {
    /// For each variable, the scalar it is when it lives in a slot.
    pub(super) in_slot: Vec<Option<Type>>,
    /// For each temporary, the block that defines it; `None` for parameters.
    defined_in: Vec<Option<BlockId>>,
    /// For each temporary, whether only its own block uses it.
    block_local: Vec<bool>,
    /// For each temporary, how often it is used.
    uses: Vec<u32>,
}

impl Shape {
    pub(super) fn of(program: &Program, function: &Function) -> Shape {
        let temps = function.temps.len();
        let mut shape = Shape {
            in_slot: slots_of_locals(program, function),
            defined_in: vec![None; temps],
            block_local: vec![true; temps],
            uses: vec![0; temps],
        };
        shape.note_definitions(function);
        shape.note_uses(function);
        if returns_twice(program, function) {
            // What is computed before `setjmp` must still be there when it returns again.
            shape.block_local.fill(false);
        }
        shape
    }

    pub(super) fn is_block_local(&self, temp: TempId) -> bool {
        self.block_local[temp.index()] && self.defined_in[temp.index()].is_some()
    }

    pub(super) fn uses(&self, temp: TempId) -> u32 {
        self.uses[temp.index()]
    }

    /// The variable an operand is the address of, if it lives in a slot.
    pub(super) fn slot_local(&self, operand: Operand) -> Option<LocalId> {
        match operand {
            Operand::Local(local) if self.in_slot[local.index()].is_some() => Some(local),
            _ => None,
        }
    }

    fn note_definitions(&mut self, function: &Function) {
        for (id, block) in function.blocks.iter() {
            for dest in block.insts.iter().filter_map(|inst| inst.kind.dest()) {
                // A temporary assigned in two blocks is no block's own.
                match self.defined_in[dest.index()] {
                    Some(other) if other != id => self.block_local[dest.index()] = false,
                    _ => self.defined_in[dest.index()] = Some(id),
                }
            }
        }
    }

    fn note_uses(&mut self, function: &Function) {
        for (id, block) in function.blocks.iter() {
            for inst in &block.insts {
                for operand in inst.kind.operands() {
                    self.note_use(id, operand);
                }
            }
            match &block.terminator.kind {
                TerminatorKind::Branch { on, .. } | TerminatorKind::Switch { on, .. } => self.note_use(id, *on),
                TerminatorKind::Return(Some(value)) => self.note_use(id, *value),
                _ => {}
            }
        }
    }

    fn note_use(&mut self, block: BlockId, operand: Operand) {
        if let Operand::Temp(temp) = operand {
            self.uses[temp.index()] += 1;
            if self.defined_in[temp.index()] != Some(block) {
                self.block_local[temp.index()] = false;
            }
        }
    }
}

/// Whether the function calls `setjmp`.
fn returns_twice(program: &Program, function: &Function) -> bool {
    let is_setjmp = |inst: &clew_ir::Inst| match inst.kind {
        InstKind::Call { callee: Callee::Direct(callee), .. } => {
            let callee = &program.functions[callee];
            !callee.is_defined() && libc::is_setjmp(&callee.name)
        }
        _ => false,
    };
    function.blocks.values().any(|block| block.insts.iter().any(is_setjmp))
}

/// What is known of a variable while its uses are looked at.
#[derive(Clone, Copy, PartialEq)]
enum Candidate {
    Unused,
    Scalar(Type),
    Memory,
}

fn slots_of_locals(program: &Program, function: &Function) -> Vec<Option<Type>> {
    let mut candidates = vec![Candidate::Unused; function.locals.len()];
    for block in function.blocks.values() {
        for inst in &block.insts {
            note_inst(program, function, &mut candidates, &inst.kind);
        }
        if let TerminatorKind::Return(Some(value)) = block.terminator.kind {
            note_escape(&mut candidates, value);
        }
    }
    candidates
        .into_iter()
        .map(|candidate| match candidate {
            Candidate::Scalar(ty) => Some(ty),
            // A variable nobody looks at needs no object; any scalar will do.
            Candidate::Unused => Some(Type::Int(64)),
            Candidate::Memory => None,
        })
        .collect()
}

fn note_inst(program: &Program, function: &Function, candidates: &mut [Candidate], inst: &InstKind) {
    match inst {
        InstKind::Load { dest, from: Operand::Local(local), .. } => {
            note_access(program, function, candidates, *local, function.temps[*dest].ty);
        }
        InstKind::Store { to: Operand::Local(local), value, .. } => {
            note_access(program, function, candidates, *local, value.ty(function));
            note_escape(candidates, *value);
        }
        other => {
            for operand in other.operands() {
                note_escape(candidates, operand);
            }
        }
    }
}

fn note_escape(candidates: &mut [Candidate], operand: Operand) {
    if let Operand::Local(local) = operand {
        candidates[local.index()] = Candidate::Memory;
    }
}

fn note_access(
    program: &Program,
    function: &Function,
    candidates: &mut [Candidate],
    local: LocalId,
    ty: clew_ir::Type,
) {
    let width = program.target.pointer_width;
    let scalar = ty.scalar(width);
    let extended = ty == clew_ir::Type::Float(clew_scalar::Format::EXTENDED);
    let whole = extended || ty.bytes(width) == function.locals[local].size;
    let candidate = &mut candidates[local.index()];
    *candidate = match *candidate {
        Candidate::Unused if whole => Candidate::Scalar(scalar),
        Candidate::Scalar(other) if whole && other.width() == scalar.width() => *candidate,
        _ => Candidate::Memory,
    };
}
