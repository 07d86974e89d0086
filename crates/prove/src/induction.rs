//! Proofs by induction over loops, with the invariants that the contract gives.
//!
//! A loop is cut at its head: a state that enters it forgets all that the turns may change, takes the invariants for
//! granted, and so stands for the states after any number of turns; one that comes back to the head after a turn ends
//! there. Each invariant is a goal of its own at the head, for those that enter and for those that come back: one that may
//! fail, or whose meaning is not known, is left out, and all begins anew with the others (after Houdini, Flanagan and Leino
//! 2001). What no state reaches is excluded for all inputs and all turns, whatever their number.
//!
//! What turns may change is read off their instructions. Loops that write through pointers, change pointers, or call
//! functions that write anything but their own variables are not cut, and their invariants are only checked; the same
//! holds for loops of callees. Clauses about what a loop assigns and its variant are not used.

use std::collections::BTreeSet;

use clew_analyze::reach::reach;
use clew_ir::contract::{LoopContract, Predicate};
use clew_ir::{
    BlockId, CType, CTypeId, Callee, Function, FunctionId, GlobalId, Inst, InstKind, LocalId, Operand, Program, TempId,
};
use clew_scalar::Type;

use super::pursue::Pursuit;
use super::shape::Shape;
use super::{Goal, Point, Proof, Site, Verdict, Wanted, start, stepper};
use clew_symbolic::config::Config;
use clew_symbolic::input::{leaf, scalar_type};
use clew_symbolic::{Precondition, Unusable};

/// Parts of a variable that may be forgotten at most.
const MOST_PARTS: usize = 64;

/// The part of the time that is left which a proof by induction may take.
const SHARE: u32 = 4;

/// Steps the solver may spend on one question: one that is too hard costs the others no time.
const PATIENCE: u64 = 2_000_000;

/// A loop that is cut at its head.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub(super) head: BlockId,
    /// What is taken for granted there.
    pub(super) invariants: Vec<Predicate>,
    /// What turns may change, with its parts.
    pub(super) changes: Vec<(Changed, Vec<Part>)>,
}

/// A variable that turns may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Changed {
    Local(LocalId),
    Global(GlobalId),
}

/// A scalar part of a variable.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) at: u64,
    pub(super) bytes: u64,
    pub(super) ty: Type,
    /// The greatest value it may have, if not all are values of its type.
    pub(super) most: Option<u128>,
}

/// What came of a proof by induction.
#[derive(Debug, Default)]
pub(super) struct Induction {
    /// By goal, whether it is excluded; empty if there was nothing to try.
    pub(super) excluded: Vec<bool>,
    /// Why invariants are not used.
    pub(super) unused: BTreeSet<String>,
}

/// Tries to exclude goals by the invariants of the function under test.
pub(super) fn induct(
    program: &Program,
    function: FunctionId,
    precondition: &Precondition,
    config: &Config,
    goals: &[Goal],
) -> Result<Induction, Unusable> {
    let mut induction = Induction::default();
    let mut cuts = Vec::new();
    for about in program.functions[function].contract.loops.iter().filter(|about| !about.invariants.is_empty()) {
        match cut(program, function, about) {
            Ok(cut) => cuts.push(cut),
            Err(why) => drop(induction.unused.insert(format!("the invariants of a loop are not used: {why}"))),
        }
    }
    let mut config = config.clone();
    config.limits.deadline = config.limits.deadline.part(SHARE);
    while cuts.iter().any(|cut: &Cut| !cut.invariants.is_empty()) {
        let excluded = attempt(program, function, precondition, &config, goals, &cuts)?;
        let (of_goals, of_invariants) = excluded.split_at(goals.len());
        if of_invariants.iter().all(|excluded| *excluded) {
            induction.excluded = of_goals.to_vec();
            break;
        }
        induction.unused.insert("an invariant of a loop is not used: it is not shown to hold".to_owned());
        let mut held = of_invariants.iter();
        cuts.iter_mut().for_each(|cut| cut.invariants.retain(|_| held.next() == Some(&true)));
    }
    Ok(induction)
}

/// Runs states through cut loops: which goals no state reaches, and which invariants hold, in their order.
fn attempt(
    program: &Program,
    function: FunctionId,
    precondition: &Precondition,
    config: &Config,
    goals: &[Goal],
    cuts: &[Cut],
) -> Result<Vec<bool>, Unusable> {
    let mut goals = goals.to_vec();
    for cut in cuts {
        let site = Site::Points(vec![Point { function, block: cut.head, position: 0 }]);
        let fails = |predicate: &Predicate| Wanted::Fails { assumes: Vec::new(), predicate: predicate.clone() };
        goals.extend(cut.invariants.iter().map(|it| Goal { site: site.clone(), wanted: fails(it) }));
    }
    let mut stepper = stepper(program, function, config.clone());
    stepper.constraints.limit_steps(PATIENCE);
    let start = start(&mut stepper, function, precondition)?;
    let mut pursuit = Pursuit::new(&mut stepper, function, start, &goals);
    pursuit.cut(cuts.to_vec());
    pursuit.run(&mut |_, _| false);
    // Where loops are cut, turns are not counted.
    let is_countable = |goal: &Goal| !matches!(goal.site, Site::Turns(..));
    let excluded =
        |(goal, verdict): (&Goal, Verdict)| verdict == Verdict::Infeasible(Proof::AllPaths) && is_countable(goal);
    Ok(goals.iter().zip(pursuit.verdicts()).map(excluded).collect())
}

/// A loop with its invariants; or why it cannot be cut.
fn cut(program: &Program, id: FunctionId, about: &LoopContract) -> Result<Cut, &'static str> {
    let function = &program.functions[id];
    let head = function.loops[about.target].head;
    let shape = Shape::new(function);
    let inside = function.blocks.iter().filter(|(block, _)| shape.around(*block).contains(&head));
    let mut changes = BTreeSet::new();
    for inst in inside.flat_map(|(_, block)| &block.insts) {
        changes.extend(changed(program, function, inst)?);
    }
    let parts = |changed: Changed| {
        let ty = match changed {
            Changed::Local(local) => function.locals[local].ty,
            Changed::Global(global) => program.globals[global].ty,
        };
        parts(program, ty).map(|parts| (changed, parts)).ok_or("it changes a pointer, or too much at once")
    };
    let changes = changes.into_iter().map(parts).collect::<Result<_, _>>()?;
    let invariants = about.invariants.iter().map(|clause| clause.predicate.clone()).collect();
    Ok(Cut { head, invariants, changes })
}

/// The variable that an instruction changes, if any.
fn changed(program: &Program, function: &Function, inst: &Inst) -> Result<Option<Changed>, &'static str> {
    match &inst.kind {
        InstKind::Store { to, .. } | InstKind::Copy { to, .. } | InstKind::Fill { to, .. } => {
            variable(function, *to).map(Some).ok_or("it writes through a pointer")
        }
        InstKind::Begin { local } | InstKind::End { local } => Ok(Some(Changed::Local(*local))),
        InstKind::Call { callee: Callee::Direct(callee), .. } if keeps_to_itself(program, *callee) => Ok(None),
        InstKind::Call { .. } => Err("it calls a function that may write elsewhere"),
        InstKind::Allocate { .. }
        | InstKind::Release { .. }
        | InstKind::VaStart { .. }
        | InstKind::VaArg { .. }
        | InstKind::VaCopy { .. }
        | InstKind::VaEnd { .. } => Err("it makes objects or uses variable arguments"),
        _ => Ok(None),
    }
}

/// Whether a function, and all it calls, writes nothing but variables of its own.
fn keeps_to_itself(program: &Program, callee: FunctionId) -> bool {
    reach(program, callee).functions.into_iter().all(|id| {
        let function = &program.functions[id];
        let own = |inst: &Inst| match &inst.kind {
            InstKind::Call { callee: Callee::Direct(_), .. } => true,
            _ => matches!(changed(program, function, inst), Ok(None | Some(Changed::Local(_)))),
        };
        function.is_defined() && function.blocks.iter().all(|(_, block)| block.insts.iter().all(own))
    })
}

/// The variable in which an address lies, however far it is from its beginning.
fn variable(function: &Function, address: Operand) -> Option<Changed> {
    match address {
        Operand::Local(local) => Some(Changed::Local(local)),
        Operand::Global(global, _) => Some(Changed::Global(global)),
        Operand::Temp(temp) => match definition(function, temp)? {
            InstKind::Offset { base, .. } => variable(function, *base),
            _ => None,
        },
        Operand::Const(_) | Operand::Null | Operand::Function(_) => None,
    }
}

/// The instruction that gives a temporary its value.
fn definition(function: &Function, temp: TempId) -> Option<&InstKind> {
    let insts = function.blocks.iter().flat_map(|(_, block)| &block.insts);
    insts.map(|inst| &inst.kind).find(|kind| kind.dest() == Some(temp))
}

/// The scalar parts of a variable; `None` if there is a pointer among them, or too many.
fn parts(program: &Program, ty: CTypeId) -> Option<Vec<Part>> {
    let ctypes = &program.ctypes;
    let size = ctypes.size_of(ty, program.target.pointer_bytes())?;
    let (mut parts, mut at) = (Vec::new(), 0);
    while at < size {
        let Some(part) = leaf::covering(ctypes, program.target, ty, at, None) else {
            at += 1;
            continue;
        };
        if parts.len() == MOST_PARTS || part.at != at {
            return None;
        }
        let most = (*ctypes.get(part.ty) == CType::Bool).then_some(1);
        parts.push(Part { at, bytes: part.bytes, ty: scalar_type(ctypes, part.ty)?, most });
        at += part.bytes;
    }
    Some(parts)
}
