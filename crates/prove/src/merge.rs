//! Two states at one place become one.
//!
//! The conditions of both have a beginning in common; what follows tells them apart. The merged condition is that
//! beginning and one of the two rests; a value that differs is chosen by the rest of the first. Objects are matched by
//! where they come from: in one execution only one of the two states exists, so objects that came to be at the same
//! place on both sides may be taken for one. What one side has not looked at yet of the input is looked at first, so
//! that both sides know the same parts.
//!
//! States are not merged, and stay two, when pointers lead to different objects, when a heap object lives in one only, or
//! when cells cannot be compared.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::Discriminant;
use std::rc::Rc;

use clew_ir::Type;
use clew_scalar::{BinaryOp, TernaryOp};
use clew_solver::clock;
use clew_solver::term::TermId;
use rustc_hash::FxHashMap;

use clew_symbolic::condition::Condition;
use clew_symbolic::input::{InputObject, InputPointer, Inputs, Leaf, Root, StubAnswer};
use clew_symbolic::memory::{Background, Memory, Missing, Object, ObjectId, Origin};
use clew_symbolic::state::{Frame, State};
use clew_symbolic::temps::Temps;
use clew_symbolic::value::{self, Base, Pointer, Scalar, Val};
use clew_symbolic::{Path, Stepper};

use super::property::watches_unwritten;

/// What merging costs on the clock of work, for each object and each part of the input.
const MERGE: u64 = 2_000;

/// One path for two that stand at the same place, if that can be said.
pub(super) fn merged(stepper: &mut Stepper<'_>, a: &Path, b: &Path) -> Option<Path> {
    if !same_answers(&a.state, &b.state) {
        return None;
    }
    clock::spend(MERGE * (a.state.memory.len() + a.state.inputs.leaves.len()) as u64);
    let (mut a, mut b) = (a.clone(), b.clone());
    let mut names = Names::new(&a.state, &b.state)?;
    rename(&mut b.state, &a.state, &names);
    same_parts(stepper, &mut a, &mut b, &mut names)?;
    let (common, guard_a, guard_b) = split(stepper, &a.state.condition, &b.state.condition);
    let mut merger = Merger { stepper, guard: guard_a };
    let frames = merger.frames(&a.state, &b.state)?;
    let memory = merger.memory(&a.state.memory, &b.state.memory)?;
    let either = value::binary(stepper.constraints.terms(), BinaryOp::Or, guard_a, guard_b);
    let mut condition = common;
    if let Scalar::Term(either) = either {
        condition.push_back(either);
    }
    let mut state = a.state;
    state.frames = frames;
    state.memory = memory;
    state.condition = condition;
    state.least.clear();
    state.external.havocked.extend(b.state.external.havocked.iter().copied());
    let same_call = state
        .external
        .last_call
        .as_ref()
        .zip(b.state.external.last_call.as_ref())
        .is_some_and(|(a, b)| Rc::ptr_eq(a, b));
    state.external.last_call = state.external.last_call.filter(|_| same_call);
    state.external.escaped.extend(b.state.external.escaped.iter().copied());
    state.globals.extend(b.state.globals.iter().map(|(global, object)| (*global, *object)));
    state.record.turns = state.record.turns.max(b.state.record.turns);
    state.steps = state.steps.max(b.state.steps);
    state.choices.known = state.choices.known.max(b.state.choices.known);
    state.instantiated = state.instantiated.intersection(b.state.instantiated);
    Some(Path { state, model: a.model })
}

/// The common beginning of two conditions, and what each demands beyond it.
fn split(stepper: &mut Stepper<'_>, a: &Condition, b: &Condition) -> (Condition, Scalar, Scalar) {
    let (rest_a, rest_b) = (a.beyond(b).1, b.beyond(a).1);
    (a.without(&rest_a), all(stepper, &rest_a), all(stepper, &rest_b))
}

fn all(stepper: &mut Stepper<'_>, conditions: &[TermId]) -> Scalar {
    let terms = stepper.constraints.terms();
    conditions.iter().fold(Scalar::bool(true), |all, term| {
        let term = Scalar::of(terms, *term);
        value::and(terms, all, term)
    })
}

/// Makes both sides know the same parts of the input, and hold cells for the same bytes of images.
fn same_parts(stepper: &mut Stepper<'_>, a: &mut Path, b: &mut Path, names: &mut Names) -> Option<()> {
    adopt(stepper, a, b)?;
    adopt(stepper, b, a)?;
    for _ in 0..2 {
        look_where_the_other_wrote(stepper, a, b)?;
        look_where_the_other_wrote(stepper, b, a)?;
        adopt(stepper, a, b)?;
        adopt(stepper, b, a)?;
    }
    names.check(&a.state, &b.state)
}

/// Gives `to` the parts of the input that only `from` knows.
fn adopt(stepper: &mut Stepper<'_>, to: &mut Path, from: &mut Path) -> Option<()> {
    adopt_objects(to, from);
    for index in to.state.inputs.pointers.len()..from.state.inputs.pointers.len() {
        to.state.inputs.pointers.push_back(from.state.inputs.pointers[index].clone());
    }
    adopt_targets(&mut to.state.inputs, &from.state.inputs);
    let known: BTreeSet<ObjectId> = to.state.inputs.objects.iter().map(|known| known.object).collect();
    for object in from.state.inputs.objects.iter().filter(|object| !known.contains(&object.object)) {
        to.state.inputs.objects.push_back(object.clone());
    }
    to.state.inputs.addressed |= from.state.inputs.addressed;
    // What only one side noted is read as the input that it was.
    let noted = &from.state.inputs.unwritten;
    let places = to.state.inputs.unwritten.iter().map(|(place, size)| (*place, *size));
    to.state.inputs.unwritten = places.filter(|(place, size)| noted.get(place) == Some(size)).collect();
    to.state.inputs.ordered.extend(from.state.inputs.ordered.iter().copied());
    to.state.inputs.near.extend(from.state.inputs.near.iter().copied());
    let known: BTreeSet<TermId> = to.state.inputs.low.iter().copied().collect();
    to.state.inputs.low.extend(from.state.inputs.low.iter().filter(|low| !known.contains(low)).copied());
    let known: BTreeMap<(ObjectId, u64), Leaf> =
        to.state.inputs.leaves.iter().map(|leaf| ((leaf.object, leaf.at), *leaf)).collect();
    for leaf in from.state.inputs.leaves.clone() {
        match known.get(&(leaf.object, leaf.at)) {
            Some(same) if same.bytes == leaf.bytes && same.val == leaf.val => {}
            Some(_) => return None,
            None if overlaps(&known, &leaf) => return None,
            None => learn(stepper, to, leaf)?,
        }
    }
    Some(())
}

/// Gives `to` the objects that only `from` has. What is part of the program's beginning is there unchanged.
fn adopt_objects(to: &mut Path, from: &Path) {
    for (id, object) in from.state.memory.iter() {
        let known = (id.0 as usize) < to.state.memory.len();
        if known && !to.state.memory.get(id).is_absent() {
            continue;
        }
        let mut object = object.clone();
        match object.origin {
            Origin::Input(_) => object.revive(Background::Input),
            Origin::Global(_) if from.state.inputs.object(id).is_some() => object.revive(Background::Input),
            Origin::Global(global) => object.revive(Background::Image(global)),
            Origin::Local(..) | Origin::Allocated(_) => {}
        }
        if known {
            *to.state.memory.get_mut(id) = object;
        } else {
            to.state.memory.push(object);
        }
    }
}

/// Adds a part of the input to a path that may have overwritten it.
fn learn(stepper: &mut Stepper<'_>, path: &mut Path, leaf: Leaf) -> Option<()> {
    let object = path.state.memory.get(leaf.object);
    path.state.inputs.leaves.push_back(leaf);
    if !object.alive || object.background != Background::Input {
        return Some(());
    }
    let written = stepper.overwritten(path, leaf.object, leaf.at, leaf.bytes);
    let whole = written.len() as u64 == leaf.bytes;
    if whole {
        return Some(());
    }
    stepper.store_at(path, leaf.object, leaf.at, leaf.bytes, leaf.val).ok()?;
    written.into_iter().try_for_each(|(at, byte)| stepper.store_at(path, leaf.object, at, 1, byte)).ok()
}

/// Brings bytes into cells of `to` for which `from` has cells.
fn look_where_the_other_wrote(stepper: &mut Stepper<'_>, from: &Path, to: &mut Path) -> Option<()> {
    for (id, object) in from.state.memory.iter() {
        let other = to.state.memory.get(id);
        if !object.alive || !other.alive || !matches!(other.background, Background::Input | Background::Image(_)) {
            continue;
        }
        let cells: Vec<(u64, u64)> = object.cells().map(|(at, bytes, _)| (at, bytes)).collect();
        for (at, bytes) in cells {
            look(stepper, to, id, at, bytes)?;
        }
    }
    Some(())
}

fn look(stepper: &mut Stepper<'_>, path: &mut Path, id: ObjectId, at: u64, bytes: u64) -> Option<()> {
    let mut byte = at;
    while byte < at + bytes {
        match path.state.memory.get(id).load(stepper.constraints.terms(), byte, Type::Int(8), 64) {
            Err(Missing::Input(byte)) => stepper.materialise(path, id, byte, None).ok()?,
            Err(Missing::Image(global, byte)) => stepper.materialise_image(path, id, global, byte).ok()?,
            _ => byte += 1,
        }
    }
    Some(())
}

/// Whether two states plainly cannot become one: memory of the heap that lives in one only, or variables that lead to
/// different objects. Objects the function made have the same number in both, or are not the same.
pub(super) fn cannot_merge(a: &State, b: &State) -> bool {
    let own = |state: &State, id: ObjectId| {
        matches!(state.memory.get(id).origin, Origin::Local(..) | Origin::Allocated(_)).then_some(id)
    };
    let leads = |state: &State, val: Val| match val {
        Val::Pointer(Pointer { base: Base::Object(id), .. }) => own(state, id).map(Some),
        Val::Pointer(Pointer { base: Base::Absolute, .. }) => Some(None),
        _ => None,
    };
    a.memory.iter().zip(b.memory.iter()).any(|((_, x), (_, y))| {
        let mine = |object: &Object| matches!(object.origin, Origin::Local(..) | Origin::Allocated(_));
        if x.origin != y.origin || x.extent != y.extent || !mine(x) || x.is_absent() || y.is_absent() || x.same(y) {
            return false;
        }
        if x.alive != y.alive {
            return matches!(x.origin, Origin::Allocated(_));
        }
        x.cells().any(|(at, bytes, val)| {
            let other = y.cell(at, bytes).and_then(|other| leads(b, other));
            leads(a, val).zip(other).is_some_and(|(one, other)| one != other)
        })
    })
}

/// What the objects and input pointers of the second state are called in the first.
struct Names {
    objects: Vec<ObjectId>,
    pointers: Vec<u32>,
}

impl Names {
    /// The names, or `None` if two objects would get one name.
    fn new(a: &State, b: &State) -> Option<Names> {
        let mut known: BTreeMap<&str, u32> = BTreeMap::new();
        for (number, pointer) in (0..).zip(a.inputs.pointers.iter()) {
            known.entry(&pointer.name).or_insert(number);
        }
        let mut next = a.inputs.pointers.len() as u32..;
        let number = |pointer: &InputPointer| known.get(&*pointer.name).copied().or_else(|| next.next());
        let pointers = b.inputs.pointers.iter().filter_map(number).collect();
        let mut names = Names { objects: Vec::new(), pointers };
        names.match_objects(a, b);
        let distinct: BTreeSet<ObjectId> = names.objects.iter().copied().collect();
        (distinct.len() == names.objects.len()).then_some(names)
    }

    fn match_objects(&mut self, a: &State, b: &State) {
        let count = a.memory.len();
        let parts = Parts::new(a, b);
        let mut next = count as u32;
        for (id, object) in b.memory.iter() {
            let here = ((id.0 as usize) < count).then(|| a.memory.get(id));
            let matched = match object.origin {
                Origin::Input(_) => parts.same(id),
                Origin::Global(global) => a.globals.get(&global).copied(),
                _ => here.filter(|here| here.origin == object.origin && here.extent == object.extent).map(|_| id),
            };
            self.objects.push(matched.unwrap_or_else(|| {
                next += 1;
                ObjectId(next - 1)
            }));
        }
    }

    fn val(&self, val: Val) -> Val {
        let Val::Pointer(pointer) = val else { return val };
        let base = match pointer.base {
            Base::Object(object) => Base::Object(self.objects[object.0 as usize]),
            Base::Input(number) => Base::Input(self.pointers[number as usize]),
            other => other,
        };
        Val::Pointer(Pointer { base, offset: pointer.offset })
    }

    /// That both sides agree on what the pointers of the input lead to.
    fn check(&self, a: &State, b: &State) -> Option<()> {
        let pairs = a.inputs.pointers.iter().zip(b.inputs.pointers.iter());
        let same_place = |a: &InputPointer, b: &InputPointer| a.target == b.target && a.fixed == b.fixed;
        let same_number = |a: &InputPointer, b: &InputPointer| (a.number, &a.not) == (b.number, &b.not);
        let agree = pairs.into_iter().all(|(a, b)| a.name == b.name && same_place(a, b) && same_number(a, b));
        let roots = |state: &State| state.inputs.objects.iter().filter(|it| matches!(it.root, Root::Behind(_))).count();
        let addresses = a.inputs.residues == b.inputs.residues;
        (agree && addresses && roots(a) == roots(b)).then_some(())
    }
}

/// Whether stubs and volatile memory gave the same answers on both sides: their order is part of the input.
fn same_answers(a: &State, b: &State) -> bool {
    let written = |answer: &StubAnswer| (answer.outputs.clone(), answer.globals.clone());
    let answer = |answer: &StubAnswer| (answer.function, answer.result, written(answer), answer.fails);
    a.inputs.readings == b.inputs.readings
        && a.inputs.stubs.len() == b.inputs.stubs.len()
        && a.inputs.stubs.iter().zip(b.inputs.stubs.iter()).all(|(a, b)| answer(a) == answer(b))
}

/// The objects of the input of two states: those of the first by what they are called, those of the second as they are.
struct Parts<'s> {
    named: FxHashMap<(&'s str, Discriminant<Root>), ObjectId>,
    objects: BTreeMap<ObjectId, &'s InputObject>,
}

impl<'s> Parts<'s> {
    fn new(a: &'s State, b: &'s State) -> Parts<'s> {
        let mut named = FxHashMap::default();
        for known in a.inputs.objects.iter() {
            named.entry(called(known)).or_insert(known.object);
        }
        let mut objects = BTreeMap::new();
        for object in b.inputs.objects.iter() {
            objects.entry(object.object).or_insert(object);
        }
        Parts { named, objects }
    }

    /// The object of the first state that is the same part of the input as one of the second.
    fn same(&self, id: ObjectId) -> Option<ObjectId> {
        let object = self.objects.get(&id)?;
        if object.root == Root::Stub { Some(id) } else { self.named.get(&called(object)).copied() }
    }
}

/// What tells an object of the input from others: a parameter and what it points to have one name.
fn called(object: &InputObject) -> (&str, Discriminant<Root>) {
    (&object.name, std::mem::discriminant(&object.root))
}

/// Gives pointers of the input what others of the same numbers lead to. Few change, and only those are copied.
fn adopt_targets(to: &mut Inputs, from: &Inputs) {
    for (index, other) in from.pointers.iter().enumerate() {
        let known = &to.pointers[index];
        let (target, compared) = (known.target.or(other.target), known.compared || other.compared);
        if (known.target, known.compared) != (target, compared) {
            let known = &mut to.pointers[index];
            (known.target, known.compared) = (target, compared);
        }
    }
}

/// Gives everything in a state its names in the other one.
fn rename(state: &mut State, other: &State, names: &Names) {
    let identity = names.objects.iter().enumerate().all(|(index, object)| index as u32 == object.0)
        && names.pointers.iter().enumerate().all(|(index, pointer)| index as u32 == *pointer);
    if identity {
        return;
    }
    let renamed = |object: &ObjectId| names.objects[object.0 as usize];
    let size = names.objects.iter().map(|object| object.0 + 1).max().unwrap_or(0);
    let mut objects: BTreeMap<ObjectId, Object> = BTreeMap::new();
    for (id, object) in state.memory.iter() {
        let mut object = object.clone();
        object.rename(|val| names.val(val));
        objects.insert(renamed(&id), object);
    }
    // Objects that only the other state has are dead here.
    let absent = || Object::absent();
    state.memory = (0..size).map(|index| objects.remove(&ObjectId(index)).unwrap_or_else(absent)).collect();
    for frame in &mut state.frames {
        let frame = Rc::make_mut(frame);
        frame.locals = frame.locals.iter().map(renamed).collect();
        frame.allocated.iter_mut().for_each(|object| *object = renamed(object));
        frame.temps.replace(|val| names.val(val));
        frame.extra = frame.extra.iter().map(|val| names.val(*val)).collect();
    }
    state.globals = state.globals.iter().map(|(global, object)| (*global, renamed(object))).collect();
    state.external.havocked = state.external.havocked.iter().map(renamed).collect();
    state.external.escaped = state.external.escaped.iter().map(renamed).collect();
    rename_inputs(state, other, names);
}

/// Whether a part of the input overlaps one of others, which do not overlap each other.
fn overlaps(others: &BTreeMap<(ObjectId, u64), Leaf>, leaf: &Leaf) -> bool {
    let here = (leaf.object, leaf.at);
    let before = others.range(..here).next_back().map(|(_, other)| other);
    let after = others.range(here..).next().map(|(_, other)| other);
    before.is_some_and(|other| other.object == leaf.object && leaf.at < other.at + other.bytes)
        || after.is_some_and(|other| other.object == leaf.object && other.at < leaf.at + leaf.bytes)
}

fn rename_inputs(state: &mut State, other: &State, names: &Names) {
    let inputs = &mut state.inputs;
    let renamed = |object: ObjectId| names.objects[object.0 as usize];
    for object in inputs.objects.iter_mut() {
        object.object = renamed(object.object);
        if let Root::Behind(number) = object.root {
            object.root = Root::Behind(names.pointers[number as usize]);
        }
    }
    let unwritten = inputs.unwritten.iter().map(|((object, at), size)| ((renamed(*object), *at), *size));
    inputs.unwritten = unwritten.collect();
    inputs.result = inputs.result.map(renamed);
    for leaf in inputs.leaves.iter_mut() {
        leaf.object = renamed(leaf.object);
        leaf.val = names.val(leaf.val);
    }
    // Pointers that only the other state has met are unknown here.
    let mut pointers = other.inputs.pointers.clone();
    pointers.iter_mut().for_each(|pointer| pointer.target = None);
    let mut sorted: Vec<(u32, &InputPointer)> = names.pointers.iter().copied().zip(inputs.pointers.iter()).collect();
    sorted.sort_by_key(|(number, _)| *number);
    for (number, pointer) in sorted {
        let pointer = InputPointer { target: pointer.target.map(renamed), ..pointer.clone() };
        if (number as usize) < pointers.len() {
            pointers[number as usize] = pointer;
        } else {
            pointers.push_back(pointer);
        }
    }
    inputs.pointers = pointers;
}

/// Two states that know the same, on their way to one.
struct Merger<'e, 'p> {
    stepper: &'e mut Stepper<'p>,
    /// What tells the first from the second.
    guard: Scalar,
}

impl Merger<'_, '_> {
    fn val(&mut self, a: Val, b: Val) -> Option<Val> {
        if a == b {
            return Some(a);
        }
        match (a, b) {
            (Val::Scalar(a), Val::Scalar(b)) => self.scalar(a, b).map(Val::Scalar),
            (Val::Pointer(a), Val::Pointer(b)) if a.base == b.base => {
                let offset = self.scalar(a.offset, b.offset)?;
                Some(Val::Pointer(Pointer { base: a.base, offset }))
            }
            _ => None,
        }
    }

    fn scalar(&mut self, a: Scalar, b: Scalar) -> Option<Scalar> {
        let terms = self.stepper.constraints.terms();
        (a.ty(terms) == b.ty(terms)).then(|| value::ternary(terms, TernaryOp::Select, self.guard, a, b))
    }

    fn frames(&mut self, a: &State, b: &State) -> Option<Vec<Rc<Frame>>> {
        if a.frames.len() != b.frames.len() {
            return None;
        }
        let pairs = a.frames.iter().zip(&b.frames);
        pairs.map(|(a, b)| if Rc::ptr_eq(a, b) { Some(Rc::clone(a)) } else { self.frame(a, b) }).collect()
    }

    fn frame(&mut self, a: &Frame, b: &Frame) -> Option<Rc<Frame>> {
        let place = |frame: &Frame| (frame.function, frame.block, frame.next, frame.dest);
        if place(a) != place(b) || a.locals != b.locals || a.allocated != b.allocated || a.extra != b.extra {
            return None;
        }
        let liveness = self.stepper.program.functions[a.function].liveness();
        let mut temps = Temps::default();
        for (temp, a_val) in a.temps.iter().filter(|(temp, _)| liveness.is_live(*temp, a.block, a.next)) {
            if let Some(b_val) = b.temps.get(temp) {
                temps.set(temp, self.val(a_val, b_val)?);
            }
        }
        let loops = a.loops.iter().filter(|entry| b.loops.contains(entry)).copied().collect();
        Some(Rc::new(Frame { temps, loops, ..a.clone() }))
    }

    fn memory(&mut self, a: &Memory, b: &Memory) -> Option<Memory> {
        a.iter().zip(b.iter()).map(|((_, a), (_, b))| self.object(a, b)).collect()
    }

    fn object(&mut self, a: &Object, b: &Object) -> Option<Object> {
        if a.is_absent() || a.same(b) {
            return Some(b.clone());
        }
        if b.is_absent() {
            return Some(a.clone());
        }
        if a.extent != b.extent {
            return None;
        }
        match (a.alive, b.alive, a.origin) {
            (true, true, _) if a.background == b.background => self.cells(a, b),
            (true, true, _) => None,
            (false, false, _) => Some(a.clone()),
            // At one place of the program a variable is in scope or not: where it ended, it also ends here.
            (_, _, Origin::Local(..)) => Some(if a.alive { b.clone() } else { a.clone() }),
            _ => None,
        }
    }

    fn cells(&mut self, a: &Object, b: &Object) -> Option<Object> {
        let mut merged = a.clone();
        let spans = |object: &Object| object.cells().map(|(at, bytes, _)| (at, bytes)).collect::<BTreeSet<_>>();
        let (of_a, of_b) = (spans(a), spans(b));
        let union: Vec<(u64, u64)> = of_a.union(&of_b).copied().collect();
        if union.windows(2).any(|pair| pair[0].0 + pair[0].1 > pair[1].0) {
            return None;
        }
        for (at, bytes) in union {
            let val = match (a.cell(at, bytes), b.cell(at, bytes)) {
                (Some(a), Some(b)) if a == b => continue,
                (Some(a), Some(b)) => self.val(a, b)?,
                (Some(a), None) => self.one_sided(a, b, at, bytes, false)?,
                (None, Some(b)) => self.one_sided(b, a, at, bytes, true)?,
                (None, None) => unreachable!("the span is one of a cell"),
            };
            merged.store(self.stepper.constraints.terms(), at, bytes, val).ok()?;
        }
        Some(merged)
    }

    /// A cell of one side where the other has its background. What was never written there may have any value.
    fn one_sided(&mut self, val: Val, other: &Object, at: u64, bytes: u64, swapped: bool) -> Option<Val> {
        let terms = self.stepper.constraints.terms();
        let width = self.stepper.program.target.pointer_width;
        let ty = match val {
            Val::Pointer(_) => Type::Pointer,
            Val::Scalar(scalar) => scalar.ty(terms).into(),
        };
        if ty.bytes(width) != bytes {
            return None;
        }
        match other.load(terms, at, ty, width) {
            Ok(there) if swapped => self.val(there, val),
            Ok(there) => self.val(val, there),
            Err(Missing::Unwritten(_)) if !watches_unwritten(self.stepper) => Some(val),
            Err(_) => None,
        }
    }
}
