//! Objects of the input that pointers of the function under test lead to.
//!
//! A pointer of the input leads to the first element of an object of its own, and without a size in the contract that
//! object has as many elements as accesses ask for: exploration takes it so, and so does this. So a parameter leads to
//! an object with a name, and so do the pointers that lie in its first element, as its type tells (`r->at`): accesses
//! at or after the beginning do not fail, and stores there change nothing else.
//!
//! Exploration does otherwise where the program asks for it, and the analysis finds out where: a pointer that is
//! compared with null may be null; pointers that are compared or subtracted, turned into numbers or given to functions
//! without a body may lead into one object. Those lead to [`Object::Shared`] then, of which nothing is known but that it
//! is none of the other objects. Where something else is compared with such a pointer, or code is not followed, only
//! parameters are left that nothing is done with but accesses (`unbounded`). What is found out makes the analysis begin
//! anew, until it finds nothing new.

use super::cell::{Key, Object, scalars_of};
use super::state::State;
use super::unbounded::{is_plain_precondition, unbounded};
use super::value::{Abs, Targets};
use crate::policy;
use clew_ir::contract::Clause;
use clew_ir::{CType, CTypeId, FunctionId, ParamKind, Program, Type};
use clew_solver::domain::int::IntDomain;
use std::collections::BTreeSet;

/// The objects of the input, and what was found out about the pointers to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inputs {
    /// For each the cell that holds the pointer to it: a parameter, or a member of another one.
    holders: Vec<Key>,
    /// Those of parameters that nothing is done with but accesses.
    accessed: BTreeSet<u32>,
    found: Found,
}

/// What an analysis finds out about pointers of the input.
#[derive(Clone, Debug, Default, PartialEq)]
struct Found {
    /// Objects whose pointers may be null.
    nullable: BTreeSet<u32>,
    /// Objects whose pointers may lead into one.
    shared: BTreeSet<u32>,
    /// Whether pointers were used in ways that are not followed.
    lost: bool,
}

impl Inputs {
    /// The objects behind the parameters of a function; none if its precondition says something of pointers.
    pub(crate) fn new(program: &Program, id: FunctionId, requires: &[Clause]) -> Inputs {
        let mut inputs = Inputs::default();
        let function = &program.functions[id];
        if !is_plain_precondition(&function.contract, requires) {
            return inputs;
        }
        let accessed = unbounded(program, id);
        for (position, param) in function.params.iter().enumerate() {
            let holder = (Object::Param(0, id, position as u32), 0);
            if param.kind == ParamKind::Scalar && function.temps[param.temp].ty == Type::Pointer {
                inputs.accessed.extend(accessed.contains(&position).then_some(inputs.holders.len() as u32));
                inputs.add(program, holder, param.ty, policy::MAX_POINTER_DEPTH.size());
            }
        }
        inputs
    }

    /// Adds the object that a pointer of that type leads to, and those behind the pointers in it.
    fn add(&mut self, program: &Program, holder: Key, ty: CTypeId, depth: usize) {
        let CType::Pointer(pointee) = program.ctypes.get(ty) else { return };
        if matches!(program.ctypes.get(*pointee), CType::Function { .. })
            || depth == 0
            || self.holders.len() >= policy::MAX_INPUT_OBJECTS.size()
        {
            return;
        }
        let object = Object::Input(self.holders.len() as u32);
        self.holders.push(holder);
        let mut scalars = Vec::new();
        if !scalars_of(program, *pointee, 0, &mut scalars) {
            return;
        }
        for (at, _, ty) in scalars {
            self.add(program, (object, at), ty, depth - 1);
        }
    }

    /// What is known where the function is entered, with the pointers to these objects.
    pub(crate) fn enter(&self, program: &Program, entry: &State) -> State {
        let mut state = entry.clone();
        let bytes = program.target.pointer_bytes();
        for (number, holder) in (0..).zip(&self.holders) {
            if let Some(targets) = self.pointer(number, program.target.pointer_width) {
                state.cells.insert(*holder, (bytes, Abs::Pointer(targets)));
            }
        }
        state
    }

    fn pointer(&self, number: u32, width: u8) -> Option<Targets> {
        let Found { nullable, shared, lost } = &self.found;
        if *lost {
            let only = self.accessed.contains(&number) && !nullable.contains(&number);
            return only.then(|| Targets::object(Object::Input(number), IntDomain::singleton(width, 0)));
        }
        Some(if shared.contains(&number) {
            Targets { null: true, ..Targets::object(Object::Shared, IntDomain::top(width)) }
        } else {
            let start = IntDomain::singleton(width, 0);
            Targets { null: nullable.contains(&number), ..Targets::object(Object::Input(number), start) }
        })
    }

    /// Whether two analyses found out the same.
    pub(crate) fn is_settled(&self, newer: &Inputs) -> bool {
        self.found == newer.found
    }

    /// Notes that a pointer is compared with null.
    pub(crate) fn may_be_null(&mut self, targets: &Targets) {
        self.found.nullable.extend(numbers(targets));
    }

    /// Notes that pointers are used together in a way that makes exploration try whether they lead into one object.
    pub(crate) fn may_meet(&mut self, pointers: &[Targets]) {
        if self.found.lost || self.holders.is_empty() || share(pointers) {
            return;
        }
        let is_input = |object: &Object| matches!(object, Object::Input(_) | Object::Shared);
        let concerns = pointers.iter().any(|targets| targets.any || targets.objects.keys().any(is_input));
        let is_followed =
            |targets: &Targets| !targets.any && targets.functions.is_empty() && targets.objects.keys().all(is_input);
        if concerns && !pointers.iter().all(is_followed) {
            self.lose();
        }
        self.found.shared.extend(pointers.iter().flat_map(numbers));
    }

    /// Notes that not all uses of pointers are followed.
    pub(crate) fn lose(&mut self) {
        self.found.lost = true;
    }
}

/// The objects of the input that a pointer may lead to.
fn numbers(targets: &Targets) -> impl Iterator<Item = u32> {
    targets.objects.keys().filter_map(|object| match object {
        Object::Input(number) => Some(*number),
        _ => None,
    })
}

/// Whether two pointers lead into one object of the input for certain.
fn share(pointers: &[Targets]) -> bool {
    let [a, b] = pointers else { return false };
    a.array().is_some_and(|(own, _)| b.array().is_some_and(|(other, _)| own == other))
}
