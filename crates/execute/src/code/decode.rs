//! From a function of the IR to its code: analyses, layout, then one block after the other.

use super::assigned::Assigned;
use super::block::{Alias, Plan};
use super::emit;
use super::frame::{Frame, constant_of, is_wide};
use super::shape::Shape;
use super::{
    Access, Call, Code, Eval, FrameSlot, Op, Position, RangeOp, Slot, Switch, SwitchTable, Undefined, scalar_type,
};
use crate::outcome::Checks;
use clew_ir::{Block, BlockId, CheckId, Function, FunctionId, InstKind, LocalId, Operand, Program, TempId, Type};

/// Decodes a defined function.
pub(super) fn decode(program: &Program, globals: &[u64], id: FunctionId, checks: Checks) -> Code {
    let function = &program.functions[id];
    let shape = Shape::of(program, function);
    let assigned = Assigned::of(function, &shape);
    let frame = Frame::lay_out(program, globals, function, &shape, &assigned);
    let mut decoder = Decoder::new(program, globals, function, shape, frame, checks);
    for (id, block) in function.blocks.iter() {
        decoder.block(id, block);
    }
    decoder.finish(id)
}

/// A function on its way to code.
pub(super) struct Decoder<'p> {
    pub(super) program: &'p Program,
    pub(super) function: &'p Function,
    globals: &'p [u64],
    shape: Shape,
    pub(super) frame: Frame,
    checks: Checks,
    plan: Plan,
    /// The block and instruction that is being decoded.
    at: (BlockId, u32),
    ops: Vec<Op>,
    origins: Vec<(BlockId, u32)>,
    starts: Vec<Position>,
    pub(super) evals: Vec<Eval>,
    pub(super) accesses: Vec<Access>,
    pub(super) calls: Vec<Call>,
    pub(super) switches: Vec<Switch>,
    pub(super) ranges: Vec<RangeOp>,
}

impl<'p> Decoder<'p> {
    fn new(
        program: &'p Program,
        globals: &'p [u64],
        function: &'p Function,
        shape: Shape,
        frame: Frame,
        checks: Checks,
    ) -> Decoder<'p> {
        Decoder {
            program,
            function,
            globals,
            shape,
            frame,
            checks,
            plan: Plan::default(),
            at: (clew_ir::ENTRY, 0),
            ops: Vec::new(),
            origins: Vec::new(),
            starts: Vec::new(),
            evals: Vec::new(),
            accesses: Vec::new(),
            calls: Vec::new(),
            switches: Vec::new(),
            ranges: Vec::new(),
        }
    }

    fn block(&mut self, id: BlockId, block: &'p Block) {
        self.starts.push(self.ops.len() as Position);
        self.frame.clear_pool();
        let frame = &self.frame;
        self.plan = Plan::of(block, &self.shape, |local| frame.flag(local).is_none());
        for (position, inst) in block.insts.iter().enumerate() {
            self.at = (id, position as u32);
            if !self.is_alias(&inst.kind) {
                emit::inst(self, &inst.kind);
            }
            self.free_dying(position);
        }
        self.at = (id, block.insts.len() as u32);
        let mut steps = block.insts.len() + 1;
        if steps > usize::from(u16::MAX) {
            self.push(Op::Count { steps: steps as u32 });
            steps = 0;
        }
        emit::terminator(self, &block.terminator.kind, steps as u16);
        self.free_dying(block.insts.len());
    }

    fn is_alias(&self, inst: &InstKind) -> bool {
        inst.dest().is_some_and(|dest| self.plan.alias(dest).is_some())
    }

    fn free_dying(&mut self, position: usize) {
        for &temp in self.plan.dying(position) {
            self.frame.give_back(temp, is_wide(self.program, self.function.temps[temp].ty));
        }
    }

    pub(super) fn push(&mut self, op: Op) {
        self.ops.push(op);
        self.origins.push(self.at);
    }

    /// The op pushed last, if it belongs to the block under way.
    pub(super) fn last_op(&self) -> Option<(Op, (BlockId, u32))> {
        let start = *self.starts.last()? as usize;
        (self.ops.len() > start).then(|| (self.ops[self.ops.len() - 1], self.origins[self.ops.len() - 1]))
    }

    /// Takes back the op pushed last.
    pub(super) fn pop(&mut self) {
        self.ops.pop();
        self.origins.pop();
    }

    /// Whether a check is looked at.
    pub(super) fn is_checked(&self, check: Option<CheckId>) -> bool {
        check.is_some_and(|check| self.checks.contains(self.function.checks[check].kind))
    }

    /// What happens where an instruction with that result and check is undefined.
    pub(super) fn undefined(&self, dest: TempId, check: Option<CheckId>) -> Undefined {
        let looked_at = self.is_used(dest) || self.checks.unused();
        match check {
            None => Undefined::Total,
            Some(_) if looked_at && self.is_checked(check) => Undefined::Fails,
            Some(_) => Undefined::AsCompiled,
        }
    }

    pub(super) fn scalar(&self, ty: Type) -> clew_scalar::Type {
        scalar_type(self.program, ty)
    }

    pub(super) fn pointer_width(&self) -> u8 {
        self.program.target.pointer_width
    }

    /// The variable in a slot that an operand is the address of.
    pub(super) fn slot_local(&self, operand: Operand) -> Option<LocalId> {
        self.shape.slot_local(operand)
    }

    /// Whether reading what was never written fails.
    pub(super) fn looks_for_unwritten(&self) -> bool {
        self.checks.uninitialised()
    }

    pub(super) fn is_used(&self, temp: TempId) -> bool {
        self.shape.uses(temp) > 0
    }

    /// Whether a temporary is used exactly once, in its own block, and has a slot of its own.
    pub(super) fn is_passing(&self, temp: TempId) -> bool {
        self.shape.is_block_local(temp)
            && self.shape.uses(temp) == 1
            && self.plan.alias(temp).is_none()
            && self.plan.target(temp).is_none()
    }

    /// Whether the temporary is computed straight into that variable.
    pub(super) fn is_stored_already(&self, value: Operand, local: LocalId) -> bool {
        matches!(value, Operand::Temp(temp) if self.plan.target(temp) == Some(local))
    }

    /// Where an operand lies.
    pub(super) fn operand(&self, operand: Operand) -> FrameSlot {
        let ty = self.scalar(operand.ty(self.function));
        let slot = match operand {
            Operand::Temp(temp) => self.temp_slot(temp),
            Operand::Local(local) => self.frame.local(local),
            other => {
                let (bits, wide) =
                    constant_of(self.program, self.globals, other).expect("neither a temporary nor a local");
                self.frame.constant(bits, wide)
            }
        };
        FrameSlot { slot, ty }
    }

    pub(super) fn slot(&self, operand: Operand) -> Slot {
        self.operand(operand).slot
    }

    fn temp_slot(&self, temp: TempId) -> Slot {
        match self.plan.alias(temp) {
            Some(Alias::Local(local)) => self.frame.local(local),
            Some(Alias::Temp(other)) => self.frame.temp(other),
            None => self.frame.temp(temp),
        }
    }

    /// Where a result goes; takes a slot for it if it has none.
    pub(super) fn dest(&mut self, temp: TempId) -> FrameSlot {
        let ty = self.scalar(self.function.temps[temp].ty);
        let slot = match self.plan.target(temp) {
            Some(local) => self.frame.local(local),
            None if self.shape.is_block_local(temp) => self.frame.take(temp, ty.width() > 64),
            None => self.frame.temp(temp),
        };
        FrameSlot { slot, ty }
    }

    fn finish(mut self, id: FunctionId) -> Code {
        let starts = std::mem::take(&mut self.starts);
        let resolve = |target: &mut Position| *target = starts[*target as usize];
        for op in &mut self.ops {
            op.targets().into_iter().flatten().for_each(resolve);
        }
        for switch in &mut self.switches {
            switch_targets(switch).for_each(resolve);
        }
        let params = self
            .function
            .params
            .iter()
            .map(|param| FrameSlot {
                slot: self.frame.temp(param.temp),
                ty: scalar_type(self.program, self.function.temps[param.temp].ty),
            })
            .collect();
        Code {
            function: id,
            ops: self.ops,
            origins: self.origins,
            zeroed: self.frame.zeroed.clone(),
            frame_size: self.frame.size(),
            constants: self.frame.constants,
            params,
            objects: self.frame.objects,
            evals: self.evals,
            accesses: self.accesses,
            calls: self.calls,
            switches: self.switches,
            ranges: self.ranges,
            variadic: self.function.variadic,
        }
    }
}

impl Op {
    /// Where control may go; block numbers while decoding, positions afterwards.
    fn targets(&mut self) -> [Option<&mut Position>; 2] {
        match self {
            Op::Jump { to, .. } => [Some(to), None],
            Op::Branch { then, otherwise, .. }
            | Op::BranchEq { then, otherwise, .. }
            | Op::BranchNe { then, otherwise, .. }
            | Op::BranchUlt { then, otherwise, .. }
            | Op::BranchUle { then, otherwise, .. }
            | Op::BranchSlt { then, otherwise, .. }
            | Op::BranchSle { then, otherwise, .. } => [Some(then), Some(otherwise)],
            _ => [None, None],
        }
    }
}

fn switch_targets(switch: &mut Switch) -> impl Iterator<Item = &mut Position> {
    let (dense, sorted): (&mut [Position], &mut [(u128, u128, Position)]) = match &mut switch.table {
        SwitchTable::Dense { targets, .. } => (targets, &mut []),
        SwitchTable::Sorted(cases) => (&mut [], cases),
    };
    dense.iter_mut().chain(sorted.iter_mut().map(|case| &mut case.2)).chain([&mut switch.default])
}
