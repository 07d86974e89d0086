//! Calls on abstract states: entered where the callee is known and has a body.

use super::cell::Object;
use super::engine::{Abort, Engine, Flow, Stop};
use super::transfer::Walk;
use super::value::{Abs, Targets};
use crate::graph::Graph;
use crate::policy;
use clew_ir::{
    Callee, CheckId, CheckKind, Function, FunctionId, GlobalKind, Inst, InstKind, Operand, ParamKind, Program, TempId,
};
use clew_library::{Operation, Requirement, verifier};
use clew_solver::domain::int::IntDomain;
use std::collections::BTreeSet;

impl<'p> Engine<'p> {
    pub(crate) fn call(&mut self, walk: &mut Walk<'p>, inst: &'p Inst) -> Flow {
        let InstKind::Call { dest, callee, args, check, .. } = &inst.kind else { unreachable!("only calls come here") };
        let width = self.program.target.pointer_width;
        let values: Vec<Abs> = args.iter().map(|arg| walk.value(*arg, width)).collect();
        let id = match callee {
            Callee::Direct(id) => *id,
            Callee::Indirect(pointer) => self.only_function(walk, *pointer)?,
        };
        if self.program.beyond_calls(id).is_some() {
            return Err(Abort::GivenUp.into());
        }
        if matches!(callee, Callee::Indirect(_)) || self.demands_something(walk, id, &values, *check) {
            self.may_fail(walk.id, *check);
        }
        let result = if !self.program.functions[id].is_defined() {
            let pointers = values.iter().filter_map(|value| match value {
                Abs::Pointer(targets) => Some(targets.clone()),
                _ => None,
            });
            self.inputs.may_meet(&pointers.collect::<Vec<_>>());
            let row = clew_library::lookup(&self.program.functions[id].name);
            if row.is_none_or(|row| !row.changes_nothing() || row.effects.frees.is_some()) {
                walk.state.passed.end();
            }
            if let Some(condition) = args.first().filter(|_| is_assume(self.program, id)) {
                self.assume(walk, *condition)?;
            }
            self.library(walk, id, &values)?;
            dest.and_then(|dest| self.allocated(walk, id, dest))
        } else if self.stack.contains(&id) || walk.depth + 1 >= policy::MAX_CALL_DEPTH.small() {
            self.opaque(id);
            self.may_fail(walk.id, *check);
            walk.state.passed.end();
            self.inputs.lose();
            self.forget_exposed(walk);
            None
        } else {
            let result = self.enter(walk, id, values);
            if self.model_may_fail(id, walk.depth + 1) {
                self.may_fail(walk.id, *check);
            }
            result?
        };
        if let Some(dest) = dest {
            let top = Abs::top(walk.function.temps[*dest].ty);
            let fits = result.filter(|value| value.fits(walk.function.temps[*dest].ty));
            walk.define(*dest, fits.unwrap_or(top));
        }
        Ok(())
    }

    /// Takes for granted that an operand is not zero.
    fn assume(&self, walk: &mut Walk<'p>, condition: Operand) -> Flow {
        let Abs::Int(mut truth) = walk.value(condition, self.program.target.pointer_width) else { return Ok(()) };
        truth.remove(0)?;
        self.narrow(walk, condition, &Abs::Int(truth), policy::MAX_CONDITION_DEPTH.small())?;
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

    /// Whether a direct call may break what its check stands for, as far as the arguments show. What a model demands shows
    /// when it runs, and a function of the program has checks of its own.
    fn demands_something(&self, walk: &Walk<'p>, id: FunctionId, args: &[Abs], check: Option<CheckId>) -> bool {
        let is_leak = check.is_some_and(|check| walk.function.checks[check].kind == CheckKind::Leak);
        if self.program.functions[id].is_defined() {
            return is_leak;
        }
        let row = clew_library::lookup(&self.program.functions[id].name);
        let is_computed = row.is_some_and(|row| row.operation().is_some());
        let is_met = |requirement: &Requirement| match requirement {
            Requirement::NotNull(argument) | Requirement::Text(argument) => {
                args.get(usize::from(*argument)).is_some_and(|value| self.is_literal(value))
            }
            _ => false,
        };
        is_leak || is_computed || row.is_none_or(|row| !row.requires.iter().all(is_met))
    }

    /// Whether a pointer surely leads into a string literal.
    fn is_literal(&self, value: &Abs) -> bool {
        let Abs::Pointer(targets) = value else { return false };
        let is_within = |(object, offset): (&Object, &IntDomain)| match object {
            Object::Global(id) => {
                let global = &self.program.globals[*id];
                global.kind == GlobalKind::Literal && offset.unsigned_max() < u128::from(global.size)
            }
            _ => false,
        };
        !targets.any && !targets.null && targets.functions.is_empty() && targets.objects.iter().all(is_within)
    }

    /// Whether something may be undefined in the model of a library function that just ran.
    fn model_may_fail(&self, id: FunctionId, depth: u32) -> bool {
        let models = &self.program.models;
        models.contains(&id)
            && self.seen_in(id, depth).is_none_or(|seen| {
                !seen.opaque.is_empty() || seen.failing.iter().any(|(function, _)| models.contains(function))
            })
    }

    fn library(&mut self, walk: &mut Walk<'p>, id: FunctionId, args: &[Abs]) -> Flow {
        let name = self.program.functions[id].name.as_str();
        let row = clew_library::lookup(name);
        if row.is_some_and(|row| row.effects.ends && !row.is_jump()) {
            return Err(Stop::Dead);
        }
        // What is called back may do anything.
        let calls_back = |arg: &Abs| matches!(arg, Abs::Pointer(targets) if !targets.functions.is_empty());
        if args.iter().any(calls_back) || name.contains("jmp") {
            return Err(Abort::GivenUp.into());
        }
        if row.is_some_and(|row| row.effects.sets_errno) {
            let errno = self.program.globals.iter().find(|(_, global)| global.is_errno());
            if let Some((errno, _)) = errno {
                let changed = walk.state.clear(Object::Global(errno), 0, u64::MAX);
                walk.changed(&changed);
            }
        }
        let is_given = args.iter().any(|arg| matches!(arg, Abs::Pointer(_)));
        let is_quiet = verifier::is_label(name) || verifier::is_known(name) && !is_given;
        if row.is_none_or(|row| !row.changes_nothing()) && !is_quiet {
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
        let operation = clew_library::lookup(&self.program.functions[id].name)?.operation();
        if !matches!(operation, Some(Operation::Malloc | Operation::Calloc | Operation::Realloc)) {
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

/// Whether a function goes on only where its argument is not zero.
pub(super) fn is_assume(program: &Program, id: FunctionId) -> bool {
    let function = &program.functions[id];
    !function.is_defined() && verifier::assumes(&function.name)
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
