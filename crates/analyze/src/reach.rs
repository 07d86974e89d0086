//! What a function can reach through calls: other functions, and globals.

use clew_ir::{Callee, FunctionId, GlobalId, InstKind, Operand, Program, Symbol, TerminatorKind};
use std::collections::BTreeSet;

/// Functions and globals that running a function may touch by name, itself included. What is reached only through
/// pointers of the input is not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Functions.
    pub functions: BTreeSet<FunctionId>,
    /// Globals.
    pub globals: BTreeSet<GlobalId>,
}

/// What a function can reach.
pub fn reach(program: &Program, start: FunctionId) -> Reach {
    let mut reach = Reach::default();
    let mut work = Work { functions: vec![start], globals: Vec::new() };
    loop {
        if let Some(function) = work.functions.pop() {
            if reach.functions.insert(function) {
                body(program, function, &mut work);
            }
        } else if let Some(global) = work.globals.pop() {
            if reach.globals.insert(global) {
                program.globals[global].relocations.iter().for_each(|item| match item.symbol {
                    Symbol::Global(global) => work.globals.push(global),
                    Symbol::Function(function) => work.functions.push(function),
                });
            }
        } else {
            return reach;
        }
    }
}

/// A function, and those that compilers always put into it: their branches are its own in the code that runs.
pub fn inlined(program: &Program, start: FunctionId) -> BTreeSet<FunctionId> {
    let (mut found, mut work) = (BTreeSet::new(), vec![start]);
    while let Some(function) = work.pop() {
        if found.insert(function) {
            let callees = callees(program, function);
            work.extend(callees.filter(|callee| program.declaration(*callee).contains("always_inline")));
        }
    }
    found
}

/// The functions that a function calls by name.
fn callees(program: &Program, function: FunctionId) -> impl Iterator<Item = FunctionId> {
    let insts = program.functions[function].blocks.values().flat_map(|block| &block.insts);
    insts.filter_map(|inst| match inst.kind {
        InstKind::Call { callee: Callee::Direct(callee), .. } => Some(callee),
        _ => None,
    })
}

struct Work {
    functions: Vec<FunctionId>,
    globals: Vec<GlobalId>,
}

impl Work {
    fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Global(global, _) => self.globals.push(global),
            Operand::Function(function) => self.functions.push(function),
            _ => {}
        }
    }
}

fn body(program: &Program, function: FunctionId, work: &mut Work) {
    for block in program.functions[function].blocks.values() {
        for inst in &block.insts {
            inst.kind.operands().into_iter().for_each(|operand| work.operand(operand));
            if let InstKind::Call { callee: Callee::Direct(callee), .. } = inst.kind {
                work.functions.push(callee);
            }
        }
        if let TerminatorKind::Return(Some(value)) = block.terminator.kind {
            work.operand(value);
        }
    }
}
