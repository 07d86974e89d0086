//! The input of a function, created as the path looks at it.
//!
//! Roots are the parameters and the globals read. Scalars become variables of the solver when they are first read.
//! A pointer becomes an [`InputPointer`]: a variable says whether it is null, and the object behind it is created when
//! the path first looks there, with a number of elements that is itself a variable and kept as low as possible.
//! Paths that look at the same part share its variable: names of objects and parts of the input are unique.

mod build;
pub mod leaf;
pub mod meeting;

use clew_ir::contract::Access;
use clew_ir::{CType, CTypeId, CTypes, FunctionId, GlobalId, Program};
use clew_scalar::{BinaryOp, Type};
use clew_solver::term::{Sort, TermId, Terms};
use imbl::{OrdMap, OrdSet, Vector};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::memory::{Background, Extent, Memory, ObjectId, Origin};
use crate::path::Path;
use crate::shared::Shared;
use crate::value::{Base, Pointer, Scalar, Val};

pub use build::concrete;
pub use meeting::{Holder, Meeting};

/// Bytes that an input object may have where no contract says how many.
const MOST_BYTES: u64 = 1 << 20;

/// A part of the input that the path has looked at.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The object it is part of.
    pub object: ObjectId,
    /// Where in the object.
    pub at: u64,
    /// Its bytes.
    pub bytes: u64,
    /// The value it had on entry.
    pub val: Val,
}

/// A pointer of the input.
#[derive(Clone, Debug)]
pub struct InputPointer {
    /// A C expression for people, such as `p->next`.
    pub name: String,
    /// The type it points to.
    pub pointee: CTypeId,
    /// The type its declaration says it points to.
    pub declared: CTypeId,
    /// The types that other members of the same union point to.
    pub others: Rc<[CTypeId]>,
    /// Whether it is null, a variable of one bit.
    pub null: TermId,
    /// Whether the program asked for that.
    pub compared: bool,
    /// What it points to, once something looked.
    pub target: Option<ObjectId>,
    /// The function it leads to, if it is a function pointer that something looked behind.
    pub function: Option<FunctionId>,
    /// Where in the target it points, in bytes.
    pub at: Scalar,
    /// The structure of which it points to a member, if the program looks before or behind that member.
    pub container: Option<CTypeId>,
    /// The path before something looked, for the inputs in which it is an alias of another pointer.
    pub before: Option<Rc<Before>>,
    /// The number of elements behind it if the contract fixes it.
    pub fixed: Option<Scalar>,
    /// What the contract lets be done to what lies behind it, if it says so: reading alone, or writing too.
    pub access: Option<Access>,
    /// The variable that it is if it is a number and leads nowhere.
    pub number: Option<TermId>,
    /// Numbers that it was compared with, and is not.
    pub not: OrdSet<u128>,
    /// Whether it leads somewhere although the program computes with it.
    pub is_place: bool,
}

/// A path at the instruction that first looks behind a pointer.
#[derive(Debug)]
pub struct Before {
    pub(crate) path: Path,
    /// The objects it was already left open to lead into.
    pub(crate) opened: RefCell<BTreeSet<ObjectId>>,
    /// The same by the place in them, where what is read shows it.
    pub(crate) overlapped: RefCell<BTreeSet<(ObjectId, Option<u128>)>>,
    /// The structures to whose first member it was already left open to lead.
    pub(crate) containers: RefCell<BTreeSet<CTypeId>>,
    /// Whether it was left open to lead to bytes of which nothing is known.
    pub(crate) untyped: Cell<bool>,
    /// Whether it was left open to be a number.
    pub(crate) numbered: Cell<bool>,
    /// Whether it was left open to lead somewhere although the program computes with it.
    pub(crate) placed: Cell<bool>,
}

/// An object of the input.
#[derive(Clone, Debug)]
pub struct InputObject {
    /// The memory it lives in.
    pub object: ObjectId,
    /// A C expression for people.
    pub name: String,
    /// Type of its elements.
    pub element: CTypeId,
    /// What it is.
    pub root: Root,
}

/// What an input object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// Holds the parameter of that position.
    Parameter(usize),
    /// Passed after the last parameter; in order of creation.
    Extra,
    /// What an earlier call, by its number, was given.
    Earlier(u32, Passed),
    /// A global.
    Global(GlobalId),
    /// Reached through the pointer of that number.
    Behind(u32),
    /// What a stub gives: see [`Inputs::stubs`].
    Stub,
}

/// What is passed to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// The parameter of that position.
    Parameter(usize),
    /// What comes after the last parameter; in order of creation.
    Extra,
}

/// A reading of volatile memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VolatileReading {
    /// The object it is part of.
    pub object: ObjectId,
    /// Where in the object.
    pub at: u64,
    /// What was read.
    pub value: Scalar,
    /// What was there before.
    pub was: Scalar,
}

/// What one call of a stub gives.
#[derive(Clone, Debug)]
pub struct StubAnswer {
    /// The function called.
    pub function: FunctionId,
    /// The object that holds its result; `None` for `void`.
    pub result: Option<ObjectId>,
    /// What it writes through pointer arguments: position of the parameter, and the object that holds the bytes.
    pub outputs: Vec<(usize, ObjectId)>,
    /// Variables that it sets, and the object that holds the bytes.
    pub globals: Vec<(GlobalId, ObjectId)>,
    /// Pointers among its arguments, by the position of the parameter.
    pub given: Vec<(usize, Pointer)>,
    /// Whether it fails, if it is an allocation, which otherwise is made.
    pub fails: Option<bool>,
}

impl StubAnswer {
    /// That of a call that gives nothing.
    pub fn new(function: FunctionId) -> StubAnswer {
        StubAnswer { function, result: None, outputs: Vec::new(), globals: Vec::new(), given: Vec::new(), fails: None }
    }
}

/// The input as far as the path has looked at it.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Scalars and pointers read.
    pub leaves: Vector<Leaf>,
    /// Pointers met.
    pub pointers: Shared<InputPointer>,
    /// Objects of the input, in order of creation.
    pub objects: Shared<InputObject>,
    /// What stubs gave, call by call.
    pub stubs: Shared<StubAnswer>,
    /// Readings of volatile memory, in their order.
    pub readings: Vector<VolatileReading>,
    /// Pointers that do not lead to objects of their own, where an input is followed that says so.
    pub meetings: Rc<[Meeting]>,
    /// Variables kept as low as possible, most important first.
    pub low: Vector<TermId>,
    /// What the addresses of objects are modulo [`clew_execute::RESIDUES`], where the path depends on it.
    pub residues: OrdMap<ObjectId, Scalar>,
    /// Objects of which the path depends on the order in which they lie.
    pub ordered: OrdSet<ObjectId>,
    /// Whether the path depends on more of an address than that.
    pub addressed: bool,
    /// Where in their objects pointers led that were ordered: far away, addresses decide.
    pub near: OrdSet<TermId>,
    /// Places, with their sizes, to which memory was copied that was never written, until something else is written.
    pub unwritten: OrdMap<(ObjectId, u64), u64>,
    /// Where the function puts its result, if it does.
    pub result: Option<ObjectId>,
    /// Calls of the function that are over.
    pub calls: u32,
    /// How many variables of each name there are.
    named: OrdMap<Rc<str>, u32>,
}

impl Inputs {
    /// A variable of the input. Paths share variables: the first one of a name is the same on every path, and so on, so
    /// that what the solver learned of it on one path serves the others. On one path all variables are different.
    pub fn variable(&mut self, terms: &mut Terms, name: &str, sort: Sort) -> TermId {
        let number = self.named.get(name).copied().unwrap_or(0);
        self.named.insert(name.into(), number + 1);
        terms.shared_var(name, sort, number)
    }

    /// Notes that a byte of an object holds nothing that C defines.
    pub(crate) fn note_unwritten(&mut self, object: ObjectId, at: u64) {
        let last = self.unwritten.get_prev(&(object, at)).map(|(place, size)| (*place, *size));
        match last.filter(|((holder, start), size)| *holder == object && start + size >= at) {
            Some((place, size)) => drop(self.unwritten.insert(place, size.max(at + 1 - place.1))),
            None => drop(self.unwritten.insert((object, at), 1)),
        }
    }

    /// Whether that was noted of a byte that no cell covers.
    pub(crate) fn is_unwritten(&self, object: ObjectId, at: u64) -> bool {
        let last = self.unwritten.get_prev(&(object, at));
        last.is_some_and(|((holder, start), size)| *holder == object && start + size > at)
    }

    /// Notes that the program asks whether a pointer is null.
    pub(crate) fn note_compared(&mut self, number: u32) {
        if !self.pointers[number as usize].compared {
            self.pointers[number as usize].compared = true;
        }
    }

    /// Adds a pointer to the input and gives its value.
    pub fn pointer(&mut self, terms: &mut Terms, name: String, pointee: CTypeId, width: u8) -> Pointer {
        let null = if self.is_chained(&name, pointee) {
            let given = self.variable(terms, &format!("{name} != NULL"), Sort::int(1));
            terms.not(given)
        } else {
            self.variable(terms, &format!("{name} == NULL"), Sort::int(1))
        };
        let number = self.pointers.len() as u32;
        self.pointers.push_back(InputPointer {
            name,
            pointee,
            declared: pointee,
            others: Rc::default(),
            null,
            compared: false,
            target: None,
            function: None,
            at: Scalar::int(width, 0),
            container: None,
            before: None,
            fixed: None,
            access: None,
            number: None,
            not: OrdSet::new(),
            is_place: false,
        });
        Pointer { base: Base::Input(number), offset: Scalar::int(width, 0) }
    }

    /// Whether a pointer goes on with a chain of objects of one type, such as `p->next->next`. Where nothing is known of
    /// it, it is null: variables are kept as low as possible, so that chains are as short as they can be.
    fn is_chained(&self, name: &str, pointee: CTypeId) -> bool {
        let leads_here = |pointer: &&InputPointer| pointer.declared == pointee && name.starts_with(&pointer.name);
        self.pointers.iter().filter(leads_here).count() > 1
    }

    /// Takes what the running call was given for what an earlier call was given: another one begins.
    pub fn begin_call(&mut self) {
        let call = self.calls;
        for at in 0..self.objects.len() {
            let passed = match self.objects[at].root {
                Root::Parameter(position) => Passed::Parameter(position),
                Root::Extra => Passed::Extra,
                _ => continue,
            };
            self.objects[at].root = Root::Earlier(call, passed);
        }
        self.calls += 1;
    }

    /// The input object of that memory object.
    pub fn object(&self, id: ObjectId) -> Option<&InputObject> {
        self.objects.iter().find(|input| input.object == id)
    }
}

/// A parameter, or a way that begins with one, as paths name it that call a function several times: calls are counted from
/// one.
pub(crate) fn name_in_call(name: &str, earlier: u32) -> String {
    format!("{name}{CALL}{}", earlier + 1)
}

/// Stands in such names before the number of the call; no name of C has it.
const CALL: char = '@';

/// Such a name as people read it: what the last call is given has its own name, what earlier ones were given a number.
pub(crate) fn plain_name(name: &str, earlier: u32) -> String {
    let Some((parameter, rest)) = name.split_once(CALL) else { return name.to_owned() };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (call, way) = rest.split_at(end);
    if call.parse() == Ok(earlier + 1) { format!("{parameter}{way}") } else { format!("{parameter}_{call}{way}") }
}

/// What looking behind a pointer gave: the object, and what must hold of its number of elements.
#[derive(Debug)]
pub struct Looked {
    /// The object behind the pointer.
    pub object: ObjectId,
    /// New conditions on the input, if the object is new.
    pub conditions: Vec<TermId>,
}

/// The object behind an input pointer, created if nothing has looked there yet.
pub fn look_behind(
    program: &Program,
    terms: &mut Terms,
    memory: &mut Memory,
    inputs: &mut Inputs,
    number: u32,
) -> Option<Looked> {
    let pointer = inputs.pointers[number as usize].clone();
    if let Some(object) = pointer.target {
        return Some(Looked { object, conditions: Vec::new() });
    }
    let element = element_type(&program.ctypes, pointer.container.unwrap_or(pointer.pointee))?;
    let bytes = program.ctypes.size_of(element, program.target.pointer_bytes())?.max(1);
    let width = program.target.pointer_width;
    let (count, conditions) = match pointer.fixed {
        Some(count) => (count, Vec::new()),
        None => {
            let count = inputs.variable(terms, &format!("dim({})", pointer.name), Sort::int(width));
            inputs.low.push_back(count);
            let most = terms.int(width, most_elements(bytes));
            (Scalar::Term(count), vec![terms.binary(BinaryOp::Ule, count, most)])
        }
    };
    let fixed = pointer.fixed.is_some();
    let origin = Origin::Input(inputs.objects.len() as u32);
    let object = memory.add(origin, Extent::Elements { element: bytes, count, fixed }, Background::Input);
    let root = Root::Behind(number);
    inputs.objects.push_back(InputObject { object, name: pointer.name, element, root });
    inputs.pointers[number as usize].target = Some(object);
    Some(Looked { object, conditions })
}

/// Elements of that many bytes that an input object may have.
pub(crate) fn most_elements(bytes: u64) -> u128 {
    u128::from((MOST_BYTES / bytes.max(1)).max(1))
}

/// The type of the elements behind a pointer: bytes behind `void *` and pointers to structures of which only the name is
/// known; nothing behind pointers to functions.
pub(crate) fn element_type(ctypes: &CTypes, pointee: CTypeId) -> Option<CTypeId> {
    match ctypes.get(pointee) {
        CType::Function { .. } | CType::Unsupported(_) => None,
        // An array of variable length is as many elements as are accessed.
        CType::Array { of, len: None } => element_type(ctypes, *of),
        CType::Void => byte(ctypes),
        CType::Record(_) if is_opaque(ctypes, pointee) => byte(ctypes),
        _ => Some(pointee),
    }
}

fn byte(ctypes: &CTypes) -> Option<CTypeId> {
    let is_byte = |ctype: &CType| matches!(ctype, CType::Int { width: 8, signed: false, .. });
    ctypes.types.iter().find(|(_, ctype)| is_byte(ctype)).map(|(id, _)| id)
}

/// Whether a type is a structure or a union of which only the name is known.
pub(crate) fn is_opaque(ctypes: &CTypes, ty: CTypeId) -> bool {
    matches!(ctypes.get(ty), CType::Record(record) if !ctypes.records[*record].is_complete)
}

/// The type of the scalar that represents a C scalar, if it is one.
pub fn scalar_type(ctypes: &CTypes, id: CTypeId) -> Option<Type> {
    match ctypes.get(id) {
        CType::Bool => Some(Type::Int(8)),
        CType::Int { width, .. } => Some(Type::Int(*width)),
        CType::Float { format, .. } => Some(Type::Float(*format)),
        CType::Enum { underlying, .. } => scalar_type(ctypes, *underlying),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{name_in_call, plain_name};

    #[test]
    fn what_earlier_calls_were_given_has_a_number() {
        let first = name_in_call("p", 0) + "[0].next";
        assert_eq!(plain_name(&first, 0), "p[0].next");
        assert_eq!(plain_name(&first, 11), "p_1[0].next");
        assert_eq!(plain_name(&name_in_call("p", 11), 11), "p");
        assert_eq!(plain_name("global", 3), "global");
    }
}
