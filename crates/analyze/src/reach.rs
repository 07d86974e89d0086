//! What a function can reach through calls: other functions, and globals.

use clew_ir::{FunctionId, GlobalId, Id, Program, Symbol};
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
    let (mut functions, mut globals) = (Seen::among(program.functions.len()), Seen::among(program.globals.len()));
    functions.add(start);
    loop {
        if let Some(function) = functions.next() {
            let mentions = program.functions[function].mentions();
            mentions.callees().chain(mentions.functions.iter().copied()).for_each(|id| functions.add(id));
            mentions.globals.iter().for_each(|id| globals.add(*id));
        } else if let Some(global) = globals.next() {
            program.globals[global].relocations.iter().for_each(|item| match item.symbol {
                Symbol::Global(global) => globals.add(global),
                Symbol::Function(function) => functions.add(function),
            });
        } else {
            return Reach { functions: functions.all(), globals: globals.all() };
        }
    }
}

/// A function, and those that compilers always put into it: their branches are its own in the code that runs.
pub fn inlined(program: &Program, start: FunctionId) -> BTreeSet<FunctionId> {
    let (mut found, mut work) = (BTreeSet::new(), vec![start]);
    while let Some(function) = work.pop() {
        if found.insert(function) {
            let callees = program.functions[function].mentions().callees();
            work.extend(callees.filter(|callee| program.declaration(*callee).contains("always_inline")));
        }
    }
    found
}

/// Things of one kind, in the order in which they were seen.
struct Seen<T> {
    is_seen: Vec<bool>,
    order: Vec<Id<T>>,
    /// How many of them were looked at.
    looked_at: usize,
}

impl<T> Seen<T> {
    fn among(number: usize) -> Seen<T> {
        Seen { is_seen: vec![false; number], order: Vec::new(), looked_at: 0 }
    }

    fn add(&mut self, id: Id<T>) {
        if !std::mem::replace(&mut self.is_seen[id.index()], true) {
            self.order.push(id);
        }
    }

    /// The next one to look at.
    fn next(&mut self) -> Option<Id<T>> {
        let next = self.order.get(self.looked_at).copied()?;
        self.looked_at += 1;
        Some(next)
    }

    fn all(self) -> BTreeSet<Id<T>> {
        self.order.into_iter().collect()
    }
}
