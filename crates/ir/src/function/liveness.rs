//! Liveness of the temporaries of a function: which block defines each, and up to where it is read.
//!
//! Most temporaries are read once, by one of the next instructions. Whoever copies activations need not copy the others.

use crate::function::{BlockId, Function, TempId};
use crate::inst::{Operand, TerminatorKind};

/// Where the temporaries of a function are needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Liveness {
    /// The block that defines each temporary; parameters have none.
    homes: Vec<Option<BlockId>>,
    /// The last instruction of that block that reads it; [`ALWAYS`] if one elsewhere does.
    ends: Vec<u32>,
}

/// Where a temporary is needed that travels to other blocks.
const ALWAYS: u32 = u32::MAX;

impl Liveness {
    fn of(function: &Function) -> Liveness {
        let mut liveness = Liveness { homes: vec![None; function.temps.len()], ends: vec![0; function.temps.len()] };
        for (id, block) in function.blocks.iter() {
            block
                .insts
                .iter()
                .filter_map(|inst| inst.kind.dest())
                .for_each(|temp| liveness.homes[temp.index()] = Some(id));
        }
        for (id, block) in function.blocks.iter() {
            for (index, inst) in (0..).zip(&block.insts) {
                inst.kind.operands().into_iter().for_each(|operand| liveness.read(operand, id, index));
            }
            let end = block.insts.len() as u32;
            decides(&block.terminator.kind).into_iter().for_each(|operand| liveness.read(operand, id, end));
        }
        function.params.iter().for_each(|param| liveness.ends[param.temp.index()] = ALWAYS);
        liveness
    }

    fn read(&mut self, operand: Operand, block: BlockId, index: u32) {
        if let Operand::Temp(temp) = operand {
            let is_home = self.homes[temp.index()] == Some(block);
            let end = &mut self.ends[temp.index()];
            *end = (*end).max(if is_home { index } else { ALWAYS });
        }
    }

    /// Whether a temporary is read in another block than the one that defines it, or is a parameter.
    pub fn is_live_out(&self, temp: TempId) -> bool {
        self.ends[temp.index()] == ALWAYS
    }

    /// Whether a temporary is needed where an activation stands in a block, at an instruction.
    pub fn is_live(&self, temp: TempId, block: BlockId, at: usize) -> bool {
        self.is_live_out(temp) || at > 0 && self.homes[temp.index()] == Some(block)
    }

    /// Whether code reads a temporary at an instruction of the block that defines it, or after that.
    pub fn is_read_from(&self, temp: TempId, at: usize) -> bool {
        self.ends[temp.index()] as usize >= at
    }
}

impl Function {
    /// Where its temporaries are needed.
    pub fn liveness(&self) -> &Liveness {
        self.liveness.get(|| Liveness::of(self))
    }
}

/// What a terminator reads.
fn decides(kind: &TerminatorKind) -> Option<Operand> {
    match kind {
        TerminatorKind::Branch { on, .. } | TerminatorKind::Switch { on, .. } => Some(*on),
        TerminatorKind::Return(value) => *value,
        TerminatorKind::Jump(_) | TerminatorKind::Unreachable { .. } => None,
    }
}
