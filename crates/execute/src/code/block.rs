//! Which temporaries of a block need no slot of their own.
//!
//! Most temporaries only carry a variable to its use or a result to its variable. Inside a block a temporary *stands
//! for* the variable it was loaded from when the variable is not written before the temporary's last use; a temporary
//! whose only use is being stored is computed *into* the variable when nothing reads or writes the variable in between.
//! Conversions that keep the bits make a temporary stand for another.

use super::shape::Shape;
use clew_ir::{Block, InstKind, LocalId, Operand, TempId, TerminatorKind};
use clew_scalar::Conversion;
use rustc_hash::FxHashMap;

/// What a temporary shares its slot with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alias {
    /// It is the variable's value.
    Local(LocalId),
    /// It is another temporary's value.
    Temp(TempId),
}

/// The plan of one block. Positions count instructions; the terminator comes last.
#[derive(Default)]
pub(super) struct Plan {
    aliases: FxHashMap<TempId, Alias>,
    /// Temporaries computed straight into a variable.
    into: FxHashMap<TempId, LocalId>,
    last_use: FxHashMap<TempId, usize>,
    /// Temporaries whose slots become free after a position.
    dying: FxHashMap<usize, Vec<TempId>>,
    writes: FxHashMap<LocalId, Vec<usize>>,
    reads: FxHashMap<LocalId, Vec<usize>>,
    uses: FxHashMap<TempId, Vec<usize>>,
    calls: Vec<usize>,
}

impl Plan {
    /// `certain` says which variables in slots need no flag.
    pub(super) fn of(block: &Block, shape: &Shape, certain: impl Fn(LocalId) -> bool) -> Plan {
        let mut plan = Plan::default();
        plan.note(block, shape);
        plan.find_aliases(block, shape, &certain);
        plan.find_targets(block, shape, &certain);
        for (&temp, &position) in &plan.last_use {
            if !plan.aliases.contains_key(&temp) && !plan.into.contains_key(&temp) {
                plan.dying.entry(position).or_default().push(temp);
            }
        }
        for temps in plan.dying.values_mut() {
            temps.sort_unstable();
        }
        plan
    }

    pub(super) fn alias(&self, temp: TempId) -> Option<Alias> {
        self.aliases.get(&temp).copied()
    }

    pub(super) fn target(&self, temp: TempId) -> Option<LocalId> {
        self.into.get(&temp).copied()
    }

    /// Temporaries whose slots become free after the instruction at a position.
    pub(super) fn dying(&self, position: usize) -> &[TempId] {
        self.dying.get(&position).map_or(&[], Vec::as_slice)
    }

    fn note(&mut self, block: &Block, shape: &Shape) {
        for (position, inst) in block.insts.iter().enumerate() {
            for operand in inst.kind.operands() {
                self.note_use(shape, operand, position);
            }
            if let Some(dest) = inst.kind.dest()
                && shape.is_block_local(dest)
            {
                self.last_use.entry(dest).or_insert(position);
            }
            match &inst.kind {
                InstKind::Store { to, .. } => {
                    if let Some(local) = shape.slot_local(*to) {
                        self.writes.entry(local).or_default().push(position);
                    }
                }
                InstKind::Load { from, .. } => {
                    if let Some(local) = shape.slot_local(*from) {
                        self.reads.entry(local).or_default().push(position);
                    }
                }
                InstKind::Begin { local } => self.writes.entry(*local).or_default().push(position),
                InstKind::Call { .. } => self.calls.push(position),
                _ => {}
            }
        }
        match &block.terminator.kind {
            TerminatorKind::Branch { on, .. } | TerminatorKind::Switch { on, .. } => {
                self.note_use(shape, *on, block.insts.len());
            }
            TerminatorKind::Return(Some(value)) => self.note_use(shape, *value, block.insts.len()),
            _ => {}
        }
    }

    fn note_use(&mut self, shape: &Shape, operand: Operand, position: usize) {
        if let Operand::Temp(temp) = operand
            && shape.is_block_local(temp)
        {
            self.last_use.insert(temp, position);
            self.uses.entry(temp).or_default().push(position);
        }
    }

    fn find_aliases(&mut self, block: &Block, shape: &Shape, certain: &impl Fn(LocalId) -> bool) {
        for (position, inst) in block.insts.iter().enumerate() {
            let (dest, source) = match &inst.kind {
                InstKind::Load { dest, from, raw, .. } => match shape.slot_local(*from) {
                    Some(local) if *raw || certain(local) => (*dest, Alias::Local(local)),
                    _ => continue,
                },
                InstKind::Convert {
                    dest,
                    op: Conversion::ZeroExtend(1..=64) | Conversion::BitsToFloat(_) | Conversion::FloatToBits,
                    a: Operand::Temp(source),
                    ..
                }
                | InstKind::PointerToInt { dest, a: Operand::Temp(source) }
                | InstKind::IntToPointer { dest, a: Operand::Temp(source) } => (*dest, self.root(*source)),
                _ => continue,
            };
            if shape.is_block_local(dest) {
                self.try_alias(shape, dest, source, position);
            }
        }
    }

    fn root(&self, temp: TempId) -> Alias {
        self.alias(temp).unwrap_or(Alias::Temp(temp))
    }

    fn try_alias(&mut self, shape: &Shape, dest: TempId, source: Alias, position: usize) {
        let last = self.last_use[&dest];
        match source {
            Alias::Local(local) => {
                let writes = self.writes.get(&local).map_or(&[][..], Vec::as_slice);
                let next = writes.iter().find(|&&write| write > position);
                if next.is_some_and(|&write| write < last) {
                    return;
                }
                let uses = self.uses.get(&dest).cloned().unwrap_or_default();
                let reads = self.reads.entry(local).or_default();
                reads.extend(uses);
            }
            Alias::Temp(temp) if shape.is_block_local(temp) => {
                let end = self.last_use.entry(temp).or_insert(position);
                *end = last.max(*end);
            }
            Alias::Temp(_) => {}
        }
        self.aliases.insert(dest, source);
    }

    fn find_targets(&mut self, block: &Block, shape: &Shape, certain: &impl Fn(LocalId) -> bool) {
        let mut defined: FxHashMap<TempId, usize> = FxHashMap::default();
        for (position, inst) in block.insts.iter().enumerate() {
            if let InstKind::Store { to, value: Operand::Temp(temp), .. } = &inst.kind
                && let Some(local) = shape.slot_local(*to)
                && certain(local)
                && let Some(&start) = defined.get(temp)
                && self.may_target(shape, *temp, local, start, position)
            {
                self.into.insert(*temp, local);
            }
            if let Some(dest) = inst.kind.dest() {
                defined.insert(dest, position);
            }
        }
    }

    fn may_target(&self, shape: &Shape, temp: TempId, local: LocalId, start: usize, store: usize) -> bool {
        let between = |positions: Option<&Vec<usize>>| {
            positions.is_some_and(|positions| positions.iter().any(|&at| at > start && at < store))
        };
        shape.is_block_local(temp)
            && shape.uses(temp) == 1
            && !self.aliases.contains_key(&temp)
            && !between(self.reads.get(&local))
            && !between(self.writes.get(&local))
            // A call might come back by `longjmp` and find the variable changed too early.
            && !self.calls.iter().any(|&at| at > start && at < store)
    }
}
