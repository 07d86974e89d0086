//! Calls on abstract states: entered where the callee is known and has a body.

use super::cell::Object;
use super::engine::{Abort, Engine, Flow, Stop};
use super::transfer::Walk;
use super::value::{Abs, Targets};
use crate::graph::Graph;
use clew_ir::{Callee, Function, FunctionId, Inst, InstKind, Operand, ParamKind, TempId};
use clew_solver::domain::int::IntDomain;
use std::collections::BTreeSet;

/// Calls inside each other beyond which a callee is not entered.
const DEPTH: u32 = 6;

/// Library functions that do not return.
const ENDS: &[&str] = &["abort", "exit", "_exit", "_Exit", "__assert_fail", "__assert", "quick_exit"];

/// Library functions that change nothing the program can name.
pub(crate) const QUIET: &[&str] = &[
    "malloc", "calloc", "realloc", "free", "abs", "labs", "llabs", "fabs", "fabsf", "sqrt", "sqrtf", "floor", "ceil",
    "trunc", "round", "printf", "puts", "putchar", "strlen", "strcmp", "strncmp", "memcmp", "strchr", "isdigit",
    "isalpha", "isspace", "isalnum", "isupper", "islower", "toupper", "tolower",
];

/// Those of them that free something.
const FREES: &[&str] = &["realloc", "free"];

impl<'p> Engine<'p> {
    pub(crate) fn call(&mut self, walk: &mut Walk<'p>, inst: &'p Inst) -> Flow {
        let InstKind::Call { dest, callee, args, check, .. } = &inst.kind else { unreachable!("only calls come here") };
        let width = self.program.target.pointer_width;
        let values: Vec<Abs> = args.iter().map(|arg| walk.value(*arg, width)).collect();
        self.may_fail(walk.id, *check);
        let id = match callee {
            Callee::Direct(id) => *id,
            Callee::Indirect(pointer) => self.only_function(walk, *pointer)?,
        };
        let result = if !self.program.functions[id].is_defined() {
            let pointers = values.iter().filter_map(|value| match value {
                Abs::Pointer(targets) => Some(targets.clone()),
                _ => None,
            });
            self.inputs.may_meet(&pointers.collect::<Vec<_>>());
            let name = self.program.functions[id].name.as_str();
            if !QUIET.contains(&name) || FREES.contains(&name) {
                walk.state.passed.end();
            }
            self.library(walk, id, &values)?;
            dest.and_then(|dest| self.allocated(walk, id, dest))
        } else if self.stack.contains(&id) || walk.depth + 1 >= DEPTH {
            self.opaque(id);
            walk.state.passed.end();
            self.inputs.lose();
            self.forget_exposed(walk);
            None
        } else {
            self.enter(walk, id, values)?
        };
        if let Some(dest) = dest {
            let top = Abs::top(walk.function.temps[*dest].ty);
            let fits = result.filter(|value| value.fits(walk.function.temps[*dest].ty));
            walk.define(*dest, fits.unwrap_or(top));
        }
        Ok(())
    }

    /// The function that a pointer must lead to; with any other, nothing can be said of the program.
    fn only_function(&self, walk: &Walk<'p>, pointer: Operand) -> Result<FunctionId, Stop> {
        let targets = walk.pointer(pointer, self.program.target.pointer_width);
        let mut functions = targets.functions.iter();
        match (functions.next(), functions.next(), targets.any || !targets.objects.is_empty()) {
            (Some(id), None, false) => Ok(*id),
            _ => Err(Abort::GivenUp.into()),
        }
    }

    fn library(&mut self, walk: &mut Walk<'p>, id: FunctionId, args: &[Abs]) -> Flow {
        let name = self.program.functions[id].name.as_str();
        if ENDS.contains(&name) {
            return Err(Stop::Dead);
        }
        // What is called back may do anything.
        let calls_back = |arg: &Abs| matches!(arg, Abs::Pointer(targets) if !targets.functions.is_empty());
        if args.iter().any(calls_back) || name.contains("jmp") {
            return Err(Abort::GivenUp.into());
        }
        if !QUIET.contains(&name) {
            self.forget_exposed(walk);
            for arg in args {
                if let Abs::Pointer(targets) = arg {
                    let reached = Targets { any: true, ..targets.clone() };
                    reached.objects.keys().for_each(|object| {
                        let changed = walk.state.clear(*object, 0, u64::MAX);
                        walk.changed(&changed);
                    });
                }
            }
        }
        Ok(())
    }

    /// What a function that allocates gives.
    fn allocated(&self, walk: &mut Walk<'p>, id: FunctionId, dest: TempId) -> Option<Abs> {
        let name = self.program.functions[id].name.as_str();
        if !matches!(name, "malloc" | "calloc" | "realloc") {
            return None;
        }
        let start = IntDomain::singleton(self.program.target.pointer_width, 0);
        let once = walk.depth == 0 && runs_once(walk.function, dest);
        let object = if once { Object::Once(walk.id, dest) } else { Object::Heap(walk.id, dest) };
        let changed = walk.state.clear(object, 0, u64::MAX);
        walk.changed(&changed);
        Some(Abs::Pointer(Targets { null: true, ..Targets::object(object, start) }))
    }

    /// Forgets everything that unknown code may change.
    fn forget_exposed(&mut self, walk: &mut Walk<'p>) {
        self.write(walk, &Targets::any(), 1, None);
    }

    /// Runs a callee on the state of the caller.
    fn enter(&mut self, walk: &mut Walk<'p>, id: FunctionId, args: Vec<Abs>) -> Result<Option<Abs>, Stop> {
        let depth = walk.depth + 1;
        let callee = &self.program.functions[id];
        let mut entry = walk.state.clone();
        entry.temps.clear();
        entry.forget(&|key| key.0.depth() == Some(depth));
        for ((position, param), value) in callee.params.iter().enumerate().zip(args) {
            let ty = callee.temps[param.temp].ty;
            if param.kind == ParamKind::Scalar && value.fits(ty) {
                let bytes = ty.bytes(self.program.target.pointer_width);
                entry.cells.insert((Object::Param(depth, id, position as u32), 0), (bytes, value));
            }
        }
        let (mut state, result) = self.function(id, depth, &entry)?.ok_or(Stop::Dead)?;
        state.forget(&|key| key.0.depth() == Some(depth));
        // What the callee had of its own is gone.
        state.passed.end();
        state.temps = std::mem::take(&mut walk.state.temps);
        let changed: Vec<_> = walk.state.known_keys().collect();
        walk.changed(&changed);
        walk.state = state;
        Ok(result)
    }
}

/// Whether the instruction that gives a temporary runs at most once in an activation: its block lies on no cycle.
fn runs_once(function: &Function, dest: TempId) -> bool {
    let gives = |inst: &Inst| inst.kind.dest() == Some(dest);
    let Some((home, _)) = function.blocks.iter().find(|(_, block)| block.insts.iter().any(gives)) else { return false };
    let graph = Graph::new(function);
    let mut seen = BTreeSet::new();
    let mut work = graph.successors(home).to_vec();
    while let Some(block) = work.pop() {
        if seen.insert(block) {
            work.extend_from_slice(graph.successors(block));
        }
    }
    !seen.contains(&home)
}
