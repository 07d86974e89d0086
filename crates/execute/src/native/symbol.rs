//! The globals and functions a test can name, numbered.
//!
//! Every unit can take the address of what is visible in it, `static` things included, so each unit gets a function
//! from numbers to addresses. Left out, because C has no name for them outside their function: `static` variables of
//! functions and string literals; and functions that are only `inline` and whose address nobody takes, for they may not
//! have one.

use clew_ir::{
    CALLBACK, Function, FunctionId, Global, GlobalId, GlobalKind, InstKind, Linkage, Program, Symbol, UnitId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of the symbols a test can name.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    /// All of them.
    pub(super) names: Vec<Named>,
    globals: BTreeMap<GlobalId, u32>,
    functions: BTreeMap<FunctionId, u32>,
}

/// A symbol a test can name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// Its name in C.
    pub(super) name: String,
    /// The unit that sees it.
    pub(super) unit: UnitId,
    /// Whether it is a variable that the program declares and does not define.
    pub(super) is_elsewhere: bool,
}

impl Symbols {
    /// Numbers the symbols of a program; what belongs to no unit is taken to be visible in the first.
    pub(super) fn collect(program: &Program) -> Symbols {
        let mentioned = Mentioned::collect(program);
        let mut symbols = Symbols::default();
        for (id, global) in program.globals.iter() {
            if is_reachable(global) && (global.init.is_some() || mentioned.globals.contains(&id)) {
                let name = match global.address {
                    Some(address) => format!("*(char *){address:#x}"),
                    None if global.is_errno() => "*__errno_location()".to_owned(),
                    None => global.name.clone(),
                };
                let is_elsewhere = global.init.is_none() && global.address.is_none() && !global.is_errno();
                let number = symbols.push(program, &name, global.span.unit, is_elsewhere);
                symbols.globals.insert(id, number);
            }
        }
        for (id, function) in program.functions.iter().filter(|(id, _)| !is_unavailable(program, *id)) {
            let is_callback = function.name.starts_with(CALLBACK);
            if is_callback
                || mentioned.functions.contains(&id)
                || function.is_defined() && !program.models.contains(&id) && function.linkage != Linkage::Inline
            {
                let number = symbols.push(program, &function.name, function.span.unit, false);
                symbols.functions.insert(id, number);
            }
        }
        symbols
    }

    fn push(&mut self, program: &Program, name: &str, unit: UnitId, is_elsewhere: bool) -> u32 {
        let unit = if program.sources.units.get(unit).is_some() { unit } else { UnitId::new(0) };
        self.names.push(Named { name: name.to_owned(), unit, is_elsewhere });
        self.names.len() as u32 - 1
    }

    /// The number of the variable that selects a mutant: one that no symbol has.
    pub(super) fn choice(&self) -> u32 {
        self.names.len() as u32
    }

    pub(super) fn global(&self, id: GlobalId) -> Option<u32> {
        self.globals.get(&id).copied()
    }

    pub(super) fn function(&self, id: FunctionId) -> Option<u32> {
        self.functions.get(&id).copied()
    }
}

/// Whether compilers refuse every mention of a function.
pub(super) fn is_unavailable(program: &Program, id: FunctionId) -> bool {
    program.declaration(id).contains("unavailable")
}

/// Whether a program surely names nothing that another one defines: neither a function nor a variable of the C library.
pub(super) fn is_closed(program: &Program) -> bool {
    let is_own = |(id, function): (FunctionId, &Function)| function.is_defined() && !program.models.contains(&id);
    let is_known = |function: &Function| {
        let mut insts = function.blocks.values().flat_map(|block| &block.insts);
        insts.all(|inst| !matches!(inst.kind, InstKind::Unsupported { .. }))
    };
    program.functions.iter().all(|entry| is_own(entry) && is_known(entry.1))
        && program.globals.values().all(|global| global.init.is_some())
}

fn is_reachable(global: &Global) -> bool {
    // What stands nowhere belongs to a model of the library.
    global.kind == GlobalKind::Variable && (!global.span.is_none() || global.is_errno())
}

/// Functions whose address the program takes.
pub fn addressed(program: &Program) -> impl Iterator<Item = FunctionId> {
    Mentioned::collect(program).functions.into_iter()
}

/// Symbols whose address the program takes.
#[derive(Default)]
struct Mentioned {
    globals: BTreeSet<GlobalId>,
    functions: BTreeSet<FunctionId>,
}

impl Mentioned {
    fn collect(program: &Program) -> Mentioned {
        let mut mentioned = Mentioned::default();
        for global in program.globals.values() {
            for relocation in &global.relocations {
                match relocation.symbol {
                    Symbol::Global(id) => mentioned.globals.insert(id),
                    Symbol::Function(id) => mentioned.functions.insert(id),
                };
            }
        }
        for (_, function) in program.functions.iter().filter(|(id, _)| !program.models.contains(id)) {
            mentioned.globals.extend(&function.mentions().globals);
            mentioned.functions.extend(&function.mentions().functions);
        }
        mentioned
    }
}
