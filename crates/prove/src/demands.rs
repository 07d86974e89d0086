//! What goals demand of the arguments: conditions that every path to them passes, taken for granted before anything runs.
//!
//! Going back from the goals, a branch is one they depend on if they cannot be reached without one of its ways out. Where
//! its condition is computed from parameters that the function never changes, it says the same wherever it is evaluated,
//! so it can be demanded of the arguments at once: paths that would fail it late, perhaps behind a loop, are refuted
//! early, and goals with contradictory demands without any path at all. This is the order of JAUT (Charreteur and Gotlieb
//! 2010) and of InKa, which post the control dependences of the goal first.

use std::collections::BTreeSet;

use clew_analyze::graph::Graph;
use clew_analyze::reach::reach;
use clew_ir::{
    BlockId, Callee, ENTRY, Function, FunctionId, InstKind, LocalId, Operand, Program, TempId, TerminatorKind,
};

use crate::policy;
use clew_symbolic::value::{self, Scalar, Val};
use clew_symbolic::{Path, Stepper};

/// What the arguments must satisfy for control to come to one of some blocks of the function under test.
pub(super) fn demands(
    stepper: &mut Stepper<'_>,
    path: &Path,
    id: FunctionId,
    targets: &BTreeSet<BlockId>,
) -> Vec<Scalar> {
    let program = stepper.program;
    if may_recur(program, id) {
        return Vec::new();
    }
    let function = &program.functions[id];
    let constant = unchanged(function);
    let graph = Graph::new(function);
    let mut demands = Vec::new();
    for (block, data) in function.blocks.iter() {
        let TerminatorKind::Branch { on: Operand::Temp(on), then, otherwise, .. } = data.terminator.kind else {
            continue;
        };
        let needs = |way: usize| then != otherwise && !reaches(&graph, targets, (block, way));
        let outcome = match (needs(0), needs(1)) {
            (true, false) => true,
            (false, true) => false,
            _ => continue,
        };
        let mut left = policy::MAX_DEMAND_INSTRUCTIONS.small();
        if let Some(holds) = computed(stepper, path, function, (block, on), &constant, &mut left) {
            let terms = stepper.constraints.terms();
            demands.push(if outcome { holds } else { value::not(terms, holds) });
        }
    }
    demands
}

/// A temporary as a function of the parameters, if its block computes it from those that never change.
fn computed(
    stepper: &mut Stepper<'_>,
    path: &Path,
    function: &Function,
    (block, temp): (BlockId, TempId),
    constant: &[(LocalId, TempId)],
    left: &mut u32,
) -> Option<Scalar> {
    *left = left.checked_sub(1)?;
    let inst = function.blocks[block].insts.iter().find(|inst| inst.kind.dest() == Some(temp))?;
    let mut of = |this: &mut Stepper<'_>, operand| match operand {
        Operand::Const(number) => Some(Scalar::Known(number)),
        Operand::Temp(temp) => computed(this, path, function, (block, temp), constant, left),
        _ => None,
    };
    match inst.kind {
        InstKind::Load { from: Operand::Local(local), volatile: false, .. } => {
            let (_, param) = constant.iter().find(|(known, _)| *known == local)?;
            let Val::Scalar(given) = path.state.outermost().temps.get(*param)? else { return None };
            let same = function.temps[temp].ty == given.ty(stepper.constraints.terms()).into();
            same.then_some(given)
        }
        InstKind::Unary { op, a, .. } => {
            let a = of(stepper, a)?;
            Some(value::unary(stepper.constraints.terms(), op, a))
        }
        InstKind::Binary { op, a, b, .. } => {
            let (a, b) = (of(stepper, a)?, of(stepper, b)?);
            Some(value::binary(stepper.constraints.terms(), op, a, b))
        }
        InstKind::Convert { op, a, .. } => {
            let a = of(stepper, a)?;
            Some(value::convert(stepper.constraints.terms(), op, a))
        }
        _ => None,
    }
}

/// Whether control can come from the entry to one of the targets without one way out of a block.
fn reaches(graph: &Graph, targets: &BTreeSet<BlockId>, without: (BlockId, usize)) -> bool {
    let mut seen = BTreeSet::from([ENTRY]);
    let mut waiting = vec![ENTRY];
    while let Some(block) = waiting.pop() {
        if targets.contains(&block) {
            return true;
        }
        for (way, next) in graph.successors(block).iter().enumerate() {
            if (block, way) != without && seen.insert(*next) {
                waiting.push(*next);
            }
        }
    }
    false
}

/// Whether a function may run inside itself, with other arguments.
pub(super) fn may_recur(program: &Program, id: FunctionId) -> bool {
    let calls_back = |kind: &InstKind| match kind {
        InstKind::Call { callee: Callee::Direct(callee), .. } => *callee == id,
        InstKind::Call { callee: Callee::Indirect(_), .. } => true,
        _ => false,
    };
    let reached = reach(program, id).functions.into_iter().map(|function| &program.functions[function]);
    reached
        .flat_map(|function| function.blocks.values())
        .any(|block| block.insts.iter().any(|inst| calls_back(&inst.kind)))
}

/// The variables that hold a parameter and are only read after that, each with the temporary in which it arrives.
pub(super) fn unchanged(function: &Function) -> Vec<(LocalId, TempId)> {
    let mut stored: Vec<(LocalId, TempId)> = Vec::new();
    let mut used: BTreeSet<LocalId> = BTreeSet::new();
    let insts = function.blocks.values().flat_map(|block| &block.insts);
    for kind in insts.map(|inst| &inst.kind) {
        match kind {
            InstKind::Load { .. } | InstKind::Begin { .. } | InstKind::End { .. } => {}
            InstKind::Store { to: Operand::Local(local), value: Operand::Temp(temp), .. }
                if function.params.iter().any(|param| param.temp == *temp)
                    && !stored.iter().any(|(known, _)| known == local) =>
            {
                stored.push((*local, *temp));
            }
            other => used.extend(other.operands().iter().filter_map(|operand| match operand {
                Operand::Local(local) => Some(*local),
                _ => None,
            })),
        }
    }
    let returned = function.blocks.values().filter_map(|block| match block.terminator.kind {
        TerminatorKind::Return(Some(Operand::Local(local))) => Some(local),
        _ => None,
    });
    used.extend(returned);
    stored.retain(|(local, _)| !used.contains(local));
    stored
}
