//! Parameters behind which there are as many elements as the function needs.
//!
//! A pointer of the input leads to the first element of an object of its own, and without a size in the contract that object
//! has as many elements as accesses ask for: exploration takes it so, and so does this. Then no access at or after its
//! beginning fails, wherever the pointer is moved to and copied. That is said only of parameters of which the program does
//! nothing but access what lies behind them: it does not compare them (one may be null, or lead into the object of another),
//! give them away, free them or turn them into numbers.

use crate::policy;
use clew_ir::contract::{Clause, Contract, Predicate, Sort};
use clew_ir::{
    Callee, Function, FunctionId, InstKind, LocalId, Operand, ParamKind, Program, TempId, TerminatorKind, Type,
};
use std::collections::BTreeSet;

/// Whether a precondition is about numbers alone: it neither fixes sizes nor says where pointers lead.
pub(crate) fn is_plain_precondition(contract: &Contract, requires: &[Clause]) -> bool {
    let plain = contract.behaviors.is_empty() && contract.rejected.is_empty();
    plain && contract.requires.iter().chain(requires).all(|clause| is_plain(&clause.predicate))
}

/// The positions of such parameters of a function.
pub(crate) fn unbounded(program: &Program, id: FunctionId) -> BTreeSet<usize> {
    let function = &program.functions[id];
    let follow = |position: &usize| {
        only_accessed(program, id, *position, Keeping::Moves, policy::MAX_PARAMETER_DEPTH.size()).is_some()
    };
    (0..function.params.len()).filter(follow).collect()
}

/// Whether a predicate is about numbers alone: it neither fixes sizes nor says where pointers lead.
pub(crate) fn is_plain(predicate: &Predicate) -> bool {
    match predicate {
        Predicate::Const(_) => true,
        Predicate::Compare { a, b, .. } => a.sort == Sort::Integer && b.sort == Sort::Integer,
        Predicate::Not(inner) => is_plain(inner),
        Predicate::And(parts) | Predicate::Or(parts) => parts.iter().all(is_plain),
        Predicate::Implies(a, b) | Predicate::Iff(a, b) | Predicate::Xor(a, b) => is_plain(a) && is_plain(b),
        _ => false,
    }
}

/// What may become of a parameter besides accesses to what lies behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// It keeps its value.
    Stays,
    /// It is moved, copied to variables of the function, and returned by the outermost one.
    Moves,
}

/// The variable that holds a pointer parameter, if all that is done with it is to access what lies behind.
pub(crate) fn only_accessed(
    program: &Program,
    id: FunctionId,
    position: usize,
    keeping: Keeping,
    depth: usize,
) -> Option<LocalId> {
    let function = &program.functions[id];
    let param = function.params.get(position)?;
    let is_pointer = param.kind == ParamKind::Scalar && function.temps[param.temp].ty == Type::Pointer;
    let returns = keeping == Keeping::Moves && depth == policy::MAX_PARAMETER_DEPTH.size();
    let depth = depth.checked_sub(1).filter(|_| is_pointer && function.is_defined())?;
    let local = home(function, param.temp)?;
    let held = held(function, local, keeping);
    let is_derived = |operand: &Operand| matches!(operand, Operand::Temp(temp) if held.derived.contains(temp));
    let is_home = |operand: &Operand| matches!(operand, Operand::Local(local) if held.homes.contains(local));
    let concerns = |operand: &Operand| is_home(operand) || is_derived(operand);
    let harmless = |kind: &InstKind| match kind {
        InstKind::Load { from, volatile, .. } => !is_home(from) || !volatile,
        InstKind::Offset { base, bytes, .. } => !is_home(base) && !concerns(bytes),
        InstKind::Distance { a, b, .. } => is_derived(a) == is_derived(b) && !is_home(a) && !is_home(b),
        InstKind::Store { to, value, .. } => match keeping {
            Keeping::Stays => !concerns(value) && (!is_home(to) || *value == Operand::Temp(param.temp)),
            Keeping::Moves => !is_home(value) && (!is_derived(value) || is_home(to)),
        },
        InstKind::Call { callee: Callee::Direct(callee), args, .. } => {
            let fits = program.functions[*callee].params.len() == args.len();
            let passed = (0..).zip(args).filter(|(_, argument)| concerns(argument));
            passed.into_iter().all(|(at, argument)| {
                fits && is_derived(argument) && only_accessed(program, *callee, at, keeping, depth).is_some()
            })
        }
        other => !other.operands().iter().any(concerns),
    };
    let ends_well = |end: &TerminatorKind| match end {
        TerminatorKind::Branch { on, .. } | TerminatorKind::Switch { on, .. } => !concerns(on),
        TerminatorKind::Return(value) => returns || !value.as_ref().is_some_and(concerns),
        TerminatorKind::Jump(_) | TerminatorKind::Unreachable { .. } => true,
    };
    let blocks = || function.blocks.values();
    let insts = blocks().flat_map(|block| &block.insts).all(|inst| harmless(&inst.kind));
    (insts && blocks().all(|block| ends_well(&block.terminator.kind))).then_some(local)
}

/// The variable into which a parameter is stored when it arrives, if that is all its temporary is used for.
fn home(function: &Function, temp: TempId) -> Option<LocalId> {
    let arrives = Operand::Temp(temp);
    let mut users =
        function.blocks.values().flat_map(|block| &block.insts).filter(|inst| inst.kind.operands().contains(&arrives));
    let (first, None) = (users.next()?, users.next()) else { return None };
    match first.kind {
        InstKind::Store { to: Operand::Local(local), value, .. } if value == arrives => Some(local),
        _ => None,
    }
}

/// What holds a parameter.
struct Held {
    /// Variables.
    homes: BTreeSet<LocalId>,
    /// Temporaries that hold the value of such a variable, or a pointer moved from there.
    derived: BTreeSet<TempId>,
}

/// What holds the value of a variable, or one moved from there.
fn held(function: &Function, local: LocalId, keeping: Keeping) -> Held {
    let mut held = Held { homes: BTreeSet::from([local]), derived: BTreeSet::new() };
    loop {
        let before = (held.homes.len(), held.derived.len());
        for inst in function.blocks.values().flat_map(|block| &block.insts) {
            match inst.kind {
                InstKind::Load { dest, from: Operand::Local(from), .. } if held.homes.contains(&from) => {
                    held.derived.insert(dest);
                }
                InstKind::Offset { dest, base: Operand::Temp(base), .. } if held.derived.contains(&base) => {
                    held.derived.insert(dest);
                }
                InstKind::Store { to: Operand::Local(to), value: Operand::Temp(value), .. }
                    if keeping == Keeping::Moves && held.derived.contains(&value) =>
                {
                    held.homes.insert(to);
                }
                _ => {}
            };
        }
        if (held.homes.len(), held.derived.len()) == before {
            return held;
        }
    }
}
