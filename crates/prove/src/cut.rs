//! Loops that are cut at their heads: what their turns may change, read off their instructions.
//!
//! Loops that write through pointers, change pointers, or call functions that write anything but their own variables are
//! not cut; the same holds for loops of callees.

use std::collections::BTreeSet;

use clew_analyze::exposed_locals;
use clew_analyze::reach::reach;
use clew_ir::contract::visit::Node;
use clew_ir::contract::{Place, PlaceKind, Predicate};
use clew_ir::{
    Block, BlockId, CType, CTypeId, Callee, Function, FunctionId, GlobalId, GlobalKind, Inst, InstKind, LocalId,
    LoopId, Operand, Program, TempId, TerminatorKind,
};
use clew_library::verifier;
use clew_scalar::Type;
use clew_symbolic::config::Errors;
use clew_symbolic::input::{leaf, scalar_type};

use crate::goal::{Goal, Site, Wanted};
use crate::policy;
use crate::question::Question;
use crate::shape::Shape;

/// A loop that is cut at its head.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// Which loop.
    pub(super) target: LoopId,
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

/// A loop without invariants; or why it cannot be cut.
pub(super) fn cut_loop(program: &Program, id: FunctionId, target: LoopId, blurs: bool) -> Result<Cut, &'static str> {
    let function = &program.functions[id];
    let head = function.loops[target].head;
    let shape = Shape::new(function);
    let inside = function.blocks.iter().filter(|(block, _)| shape.around(*block).contains(&head));
    let mut changes = BTreeSet::new();
    for inst in inside.flat_map(|(_, block)| &block.insts) {
        if !(blurs && is_blurred(function, inst)) {
            changes.extend(changed(program, function, inst)?);
        }
    }
    let parts = |changed: Changed| {
        let ty = match changed {
            Changed::Local(local) => function.locals[local].ty,
            Changed::Global(global) => program.globals[global].ty,
        };
        parts(program, ty).map(|parts| (changed, parts)).ok_or("it changes a pointer, or too much at once")
    };
    let changes = changes.into_iter().map(parts).collect::<Result<_, _>>()?;
    Ok(Cut { target, head, invariants: Vec::new(), changes })
}

/// The variables declared outside a loop that its turns may change, as ACSL names them; `None` if that is not known.
pub fn assigned(program: &Program, id: FunctionId, target: LoopId) -> Option<Vec<String>> {
    let function = &program.functions[id];
    let cut = cut_loop(program, id, target, false).ok()?;
    let shape = Shape::new(function);
    let inside = |block: &BlockId| shape.around(*block).contains(&cut.head);
    let insts = function.blocks.iter().filter(|(block, _)| inside(block)).flat_map(|(_, block)| &block.insts);
    let begun: BTreeSet<LocalId> =
        insts.filter_map(|inst| if let InstKind::Begin { local } = inst.kind { Some(local) } else { None }).collect();
    let named = |changed: &Changed| {
        let (name, ty) = match changed {
            Changed::Local(local) if begun.contains(local) => return None,
            Changed::Local(local) => (&function.locals[*local].name, function.locals[*local].ty),
            Changed::Global(global) => (&program.globals[*global].name, program.globals[*global].ty),
        };
        let elements = match program.ctypes.get(ty) {
            CType::Array { len: Some(len), .. } => format!("[0 .. {}]", len.saturating_sub(1)),
            _ => String::new(),
        };
        (!name.is_empty()).then(|| name.clone() + &elements)
    };
    Some(cut.changes.iter().filter_map(|(changed, _)| named(changed)).collect())
}

/// The variable that an instruction changes, if any.
fn changed(program: &Program, function: &Function, inst: &Inst) -> Result<Option<Changed>, &'static str> {
    match &inst.kind {
        InstKind::Store { to, .. } | InstKind::Copy { to, .. } | InstKind::Fill { to, .. } => {
            variable(function, *to).map(Some).ok_or("it writes through a pointer")
        }
        InstKind::Begin { local } | InstKind::End { local } => Ok(Some(Changed::Local(*local))),
        InstKind::Call { callee: Callee::Direct(callee), .. } if keeps_to_itself(program, *callee) => Ok(None),
        InstKind::Call { callee: Callee::Direct(callee), args, .. } if is_quiet(program, function, *callee, args) => {
            Ok(None)
        }
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

/// Whether a function without a body is given no pointer and is one of those that write nothing, or there is nothing that it
/// could write: no global, and no variable whose address anyone was given.
fn is_quiet(program: &Program, function: &Function, callee: FunctionId, args: &[Operand]) -> bool {
    let data = &program.functions[callee];
    let is_given = args.iter().any(|arg| arg.ty(function) == clew_ir::Type::Pointer);
    let is_known = verifier::is_known(&data.name)
        || clew_library::lookup(&data.name).is_some_and(clew_library::Function::changes_nothing);
    !data.is_defined()
        && (!is_given || verifier::is_label(&data.name))
        && (is_known || nothing_shared(program, function) && exposed_locals(function).is_empty())
}

/// Whether a function knows no variable that lives longer than its calls do.
fn nothing_shared(program: &Program, function: &Function) -> bool {
    let called = function.mentions().callees().flat_map(|callee| reach(program, callee).globals);
    let known = function.mentions().globals.iter().copied().chain(called.collect::<Vec<_>>());
    known.map(|global| &program.globals[global]).all(|global| {
        let is_fixed = global.kind == GlobalKind::Literal || global.is_const || is_const(program, global.ty);
        global.relocations.is_empty() && is_fixed
    })
}

/// Whether nothing in a variable of a type can be changed. The qualifiers of an array are those of its elements.
fn is_const(program: &Program, ty: CTypeId) -> bool {
    match program.ctypes.get(ty) {
        CType::Array { of, .. } => is_const(program, *of),
        _ => program.ctypes.is_const(ty),
    }
}

/// Whether accesses through pointers may be blurred in a proof about these goals: what is read may be anything, and
/// what is written is written nowhere. That is more than what happens, if nothing that is read otherwise can be written through
/// a pointer, if no goal is about an access, and if no goal or contract looks behind pointers.
pub(super) fn may_blur(question: Question<'_>) -> bool {
    let Question { program, function, precondition, config, goals } = question;
    let data = &program.functions[function];
    let contract = &data.contract;
    let mut given = contract.requires.iter().chain(&precondition.clauses).map(|clause| &clause.predicate);
    let of_loops = contract.loops.iter().flat_map(|about| &about.invariants);
    let inside = of_loops.chain(contract.assertions.iter().map(|assertion| &assertion.clause));
    let inside = inside.map(|clause| &clause.predicate);
    let of_goals = goals.iter().flat_map(|goal| match &goal.wanted {
        Wanted::Arrival => Vec::new(),
        Wanted::Holds(predicate) => vec![predicate],
        Wanted::Fails { assumes, predicate } => assumes.iter().chain([predicate]).collect(),
        Wanted::Changes { assumes, .. } => assumes.iter().collect(),
    });
    let is_plain = |goal: &Goal| {
        matches!(goal.site, Site::Points(_) | Site::Return) && !matches!(goal.wanted, Wanted::Changes { .. })
    };
    config.errors != Errors::Report
        && !config.seeks_errors()
        && contract.behaviors.is_empty()
        && goals.iter().all(is_plain)
        && nothing_shared(program, data)
        && exposed_locals(data).is_empty()
        && !given.any(reads_memory)
        && !inside.chain(of_goals).any(looks_behind)
        && data.blocks.values().all(|block| block.insts.iter().all(|inst| sees_no_memory(data, block, inst)))
        && reach(program, function)
            .functions
            .into_iter()
            .all(|id| id == function || !program.functions[id].is_defined())
}

/// Whether a predicate reads memory behind pointers. One that says which memory may be accessed only leaves inputs out.
fn reads_memory(predicate: &Predicate) -> bool {
    Node::Predicate(predicate).any(&mut |node| matches!(node, Node::Place(Place { kind: PlaceKind::Deref(_), .. })))
}

/// Whether a predicate reads memory behind pointers, or speaks of it.
fn looks_behind(predicate: &Predicate) -> bool {
    Node::Predicate(predicate).any(&mut |node| match node {
        Node::Place(place) => matches!(place.kind, PlaceKind::Deref(_)),
        Node::Predicate(predicate) => matches!(predicate, Predicate::Memory { .. } | Predicate::Separated(_)),
        Node::Term(_) => false,
    })
}

/// Whether what an instruction does depends on memory behind pointers only in that it gives a number.
fn sees_no_memory(function: &Function, block: &Block, inst: &Inst) -> bool {
    // What is called last, like the failure of an assertion, does nothing that anyone sees after it.
    let is_last = matches!(block.terminator.kind, TerminatorKind::Unreachable { .. });
    let is_pointer = |operand: &Operand| operand.ty(function) == clew_ir::Type::Pointer;
    match &inst.kind {
        InstKind::Load { dest, from, .. } => {
            function.temps[*dest].ty != clew_ir::Type::Pointer || variable(function, *from).is_some()
        }
        InstKind::Copy { from, .. } => variable(function, *from).is_some(),
        InstKind::Call { callee, args, .. } => {
            matches!(callee, Callee::Direct(_)) && (is_last || !args.iter().any(is_pointer))
        }
        InstKind::VaStart { .. } | InstKind::VaArg { .. } | InstKind::VaCopy { .. } => false,
        _ => true,
    }
}

/// Whether an instruction accesses memory through a pointer of unknown target.
pub(super) fn is_blurred(function: &Function, inst: &Inst) -> bool {
    match &inst.kind {
        InstKind::Load { dest, from, .. } => {
            function.temps[*dest].ty != clew_ir::Type::Pointer && variable(function, *from).is_none()
        }
        InstKind::Store { to, .. } => variable(function, *to).is_none(),
        _ => false,
    }
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
        if parts.len() == policy::MAX_FORGOTTEN_PARTS.size() || part.at != at {
            return None;
        }
        let most = (*ctypes.get(part.ty) == CType::Bool).then_some(1);
        parts.push(Part { at, bytes: part.bytes, ty: scalar_type(ctypes, part.ty)?, most });
        at += part.bytes;
    }
    Some(parts)
}
