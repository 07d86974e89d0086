//! Variables that say in which state a machine is.
//!
//! A function that reads its input piece by piece often remembers in a variable where it stands: it compares it with one
//! number after the other, or switches on it. Distances on the graph know nothing of such a variable, so that open branches
//! which are alike but for its value would be tried in any order. What it holds tells them apart: a branch in a state that
//! nobody has been in leads further.
//!
//! Only locals count, for globals and what is behind pointers are inputs as a rule, whose values the solver chooses.

use clew_ir::{Function, FunctionId, InstKind, LocalId, Operand, Program, TempId, TerminatorKind};
use clew_scalar::BinaryOp;
use std::collections::{BTreeMap, BTreeSet};

use crate::state::State;
use crate::value::Val;

/// Numbers that a variable is compared with, at least.
const FEWEST: usize = 3;

/// The variables of some functions.
#[derive(Debug, Default)]
pub(super) struct Machines(BTreeMap<FunctionId, Vec<(LocalId, u64)>>);

/// What the variables of an activation hold, as far as it is known.
pub(super) type Stand = Vec<Option<u128>>;

impl Machines {
    /// Those of all functions.
    pub(super) fn new(program: &Program) -> Machines {
        let found = program.functions.iter().map(|(id, function)| (id, variables(function)));
        Machines(found.filter(|(_, variables)| !variables.is_empty()).collect())
    }

    /// What those of the running activation hold.
    pub(super) fn stand(&self, state: &State) -> Stand {
        let frame = state.frame();
        let variables = self.0.get(&frame.function).into_iter().flatten();
        let held =
            |&(local, bytes): &(LocalId, u64)| match state.memory.get(frame.locals[local.index()]).cell(0, bytes)? {
                Val::Scalar(scalar) => scalar.bits(),
                Val::Pointer(_) => None,
            };
        variables.map(held).collect()
    }
}

/// The locals of a function that are compared with several numbers, and their sizes.
fn variables(function: &Function) -> Vec<(LocalId, u64)> {
    let mut numbers: BTreeMap<LocalId, BTreeSet<u128>> = BTreeMap::new();
    for block in function.blocks.values() {
        let mut held: BTreeMap<TempId, LocalId> = BTreeMap::new();
        let local = |held: &BTreeMap<TempId, LocalId>, operand: Operand| match operand {
            Operand::Temp(temp) => held.get(&temp).copied(),
            _ => None,
        };
        for inst in &block.insts {
            match inst.kind {
                InstKind::Load { dest, from: Operand::Local(local), .. } => drop(held.insert(dest, local)),
                InstKind::Convert { dest, a, .. } => held.extend(local(&held, a).map(|local| (dest, local))),
                InstKind::Binary { op: BinaryOp::Eq | BinaryOp::Ne, a, b: Operand::Const(number), .. } => {
                    local(&held, a).into_iter().for_each(|local| {
                        numbers.entry(local).or_default().insert(number.bits);
                    });
                }
                _ => {}
            }
        }
        if let TerminatorKind::Switch { on, cases, .. } = &block.terminator.kind {
            local(&held, *on).into_iter().for_each(|local| {
                numbers.entry(local).or_default().extend(cases.iter().map(|case| case.low));
            });
        }
    }
    let several = numbers.into_iter().filter(|(_, numbers)| numbers.len() >= FEWEST);
    several.map(|(local, _)| (local, function.locals[local].size)).collect()
}
