//! Which functions are stubs: those without a body that exploration does not know by name.
//!
//! What a stub returns, and what it writes behind its pointer arguments, is part of the input, call by call. Output
//! functions whose result is not used, and that are given no pointers which might not lead to text, are neither: they
//! run for real and do not influence the path.

use clew_execute::native::never_returns;
use clew_ir::{
    CALLBACK, CType, CTypeId, Callee, FunctionId, GlobalId, InstKind, Operand, Program, Symbol, TempId, TerminatorKind,
    Type,
};
use clew_library::How;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Which functions are stubs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stubbing {
    /// Functions without a body that must not become stubs.
    pub real: Vec<String>,
    /// Functions that must become stubs.
    pub stub: Vec<String>,
    /// Whether allocations may fail.
    pub allocations: Allocations,
    /// The stubs that follow from these, if they are known already.
    pub found: Option<Arc<Stubs>>,
}

/// Whether allocations on the heap may fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allocations {
    #[default]
    /// Never, except for sizes no machine has.
    Succeed,
    /// Each may: the input says which do.
    MayFail,
}

/// The functions whose calls exploration does not enter, and what pointers may lead to. Finding them takes a look at the
/// whole program, which is worth sharing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stubs {
    /// Functions that answer from the input, in ascending order.
    pub answering: BTreeSet<FunctionId>,
    /// Those among them that never return.
    pub endless: BTreeSet<FunctionId>,
    /// Output functions that run for real.
    pub silent: BTreeSet<FunctionId>,
    /// Functions that allocate, and fail where the input says so.
    pub allocating: BTreeSet<FunctionId>,
    /// `errno`, if the program looks at it itself: then stubs set it.
    pub errno: Option<GlobalId>,
    /// The functions that a pointer may lead to: stubs made for a type, then those whose address the program takes.
    pointed: Vec<FunctionId>,
}

impl Stubs {
    /// The stubs of a program; functions the options call real are none.
    pub fn of(program: &Program, stubbing: &Stubbing) -> Stubs {
        let is_in = |names: &[String], name: &str| names.iter().any(|other| other == name);
        let (used, reading) = (used_results(program), given_pointers(program));
        let mut stubs = Stubs { endless: never_returns(program), ..Stubs::default() };
        for id in mentioned(program) {
            let function = &program.functions[id];
            let name = function.name.as_str();
            let is_wanted = is_in(&stubbing.stub, name);
            let is_known = (is_known(name) || is_in(&stubbing.real, name)) && !is_wanted;
            if function.is_defined() || is_known {
                let may_fail = stubbing.allocations == Allocations::MayFail && allocates(name);
                let is_own = function.is_defined() && !program.models.contains(&id);
                if may_fail && !is_own {
                    stubs.allocating.insert(id);
                }
                continue;
            }
            if is_output(name) && !used.contains(&id) && !reading.contains(&id) && !is_wanted {
                stubs.silent.insert(id);
            } else {
                stubs.answering.insert(id);
            }
        }
        stubs.errno = errno(program);
        stubs.pointed = pointed(program);
        stubs.endless.retain(|id| stubs.answering.contains(id));
        stubs
    }

    /// The functions that a function pointer of the input may lead to: the stub made for its type, then functions of that
    /// type whose address the program takes.
    pub(crate) fn candidates(&self, program: &Program, ty: CTypeId) -> Vec<FunctionId> {
        let is_of_type = |id: &FunctionId| program.ctypes.get(program.functions[*id].ty) == program.ctypes.get(ty);
        self.pointed.iter().copied().filter(is_of_type).collect()
    }
}

/// Whether a function only writes to the standard output.
fn is_output(name: &str) -> bool {
    clew_library::lookup(name).is_some_and(|row| row.how == How::Output)
}

/// Whether a function allocates, and may find no memory.
fn allocates(name: &str) -> bool {
    clew_library::lookup(name).is_some_and(|row| row.effects.allocates && row.is_known())
}

/// Functions without a body that the program names and no library is known to have.
pub fn unresolved(program: &Program) -> BTreeSet<FunctionId> {
    let is_open = |id: &FunctionId| {
        let function = &program.functions[*id];
        !function.is_defined() && !is_known(&function.name) && !is_output(&function.name)
    };
    mentioned(program).into_iter().filter(is_open).collect()
}

/// `errno`, if functions of the program itself look at it.
fn errno(program: &Program) -> Option<GlobalId> {
    let place = program.function(clew_library::ERRNO_LOCATION)?;
    let mut own = program.functions.iter().filter(|(id, _)| !program.models.contains(id));
    let variable = program.globals.iter().find(|(_, global)| global.is_errno())?.0;
    own.any(|(_, function)| function.mentions().callees().any(|callee| callee == place)).then_some(variable)
}

/// The functions that pointers may lead to.
fn pointed(program: &Program) -> Vec<FunctionId> {
    let is_callback = |id: &FunctionId| program.functions[*id].name.starts_with(CALLBACK);
    let (stubs, others): (Vec<_>, Vec<_>) = mentioned(program).into_iter().partition(is_callback);
    let taken = addresses(program);
    stubs.into_iter().chain(others.into_iter().filter(|id| taken.contains(id))).collect()
}

/// Functions whose address is taken.
fn addresses(program: &Program) -> BTreeSet<FunctionId> {
    let relocations = program.globals.values().flat_map(|global| &global.relocations);
    let stored = relocations.filter_map(|relocation| match relocation.symbol {
        Symbol::Function(id) => Some(id),
        Symbol::Global(_) => None,
    });
    let named = program.functions.values().flat_map(|function| &function.mentions().functions).copied();
    stored.chain(named).collect()
}

/// Whether a type is one of functions.
pub(crate) fn is_function(program: &Program, ty: CTypeId) -> bool {
    matches!(program.ctypes.get(ty), CType::Function { .. })
}

/// Functions that code or data of the program names.
fn mentioned(program: &Program) -> BTreeSet<FunctionId> {
    let callbacks = program.functions.iter().filter(|(_, function)| function.name.starts_with(CALLBACK));
    let mut found: BTreeSet<FunctionId> = callbacks.map(|(id, _)| id).collect();
    let relocations = program.globals.values().flat_map(|global| &global.relocations);
    found.extend(relocations.filter_map(|relocation| match relocation.symbol {
        Symbol::Function(id) => Some(id),
        Symbol::Global(_) => None,
    }));
    for function in program.functions.values() {
        let mentions = function.mentions();
        found.extend(mentions.callees().chain(mentions.functions.iter().copied()));
    }
    found
}

/// Functions that are called with a pointer which the code computes, or reads from somewhere.
fn given_pointers(program: &Program) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    for function in program.functions.values() {
        let is_pointer =
            |arg: &Operand| matches!(arg, Operand::Temp(temp) if function.temps[*temp].ty == Type::Pointer);
        for inst in function.blocks.values().flat_map(|block| &block.insts) {
            if let InstKind::Call { callee: Callee::Direct(callee), args, .. } = &inst.kind
                && args.iter().any(is_pointer)
            {
                found.insert(*callee);
            }
        }
    }
    found
}

/// Functions of which some caller uses the result.
fn used_results(program: &Program) -> BTreeSet<FunctionId> {
    let mut used = BTreeSet::new();
    for function in program.functions.values().filter(|function| function.is_defined()) {
        let mut read: BTreeSet<TempId> = BTreeSet::new();
        let mut note = |operand: Operand| {
            if let Operand::Temp(temp) = operand {
                read.insert(temp);
            }
        };
        for block in function.blocks.values() {
            block.insts.iter().flat_map(|inst| inst.kind.operands()).for_each(&mut note);
            match block.terminator.kind {
                TerminatorKind::Branch { on, .. } | TerminatorKind::Switch { on, .. } => note(on),
                TerminatorKind::Return(Some(value)) => note(value),
                _ => {}
            }
        }
        for inst in function.blocks.values().flat_map(|block| &block.insts) {
            if let InstKind::Call { dest: Some(dest), callee: Callee::Direct(callee), .. } = inst.kind
                && read.contains(&dest)
            {
                used.insert(callee);
            }
        }
    }
    used
}

/// Whether the engine computes a function: tests call the real one.
pub fn is_known(name: &str) -> bool {
    clew_library::lookup(name).is_some_and(|row| row.operation().is_some())
}
