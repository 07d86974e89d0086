//! What can be made only when all classes of the program are known.
//!
//! Bodies are made until no call leads to a method without one. Each round, the types that references of the input may have
//! tell which classes may come in with it, and virtual calls tell which of their methods may run. Then come the helper
//! functions and the records.

use super::entry::{binary, load, store};
use super::{ClassKind, Key, Lowering, MOST_METHODS, MOST_OWN_METHODS, variable};
use crate::descriptor::JavaType;
use crate::types::{HEADER_BYTES, LENGTH_AT};
use crate::world::{ClassId, Loaded, OBJECT, PRIMITIVE};
use clew_ir::build::Builder;
use clew_ir::{BlockId, Case, Field, FunctionId, InstKind, Operand, TerminatorKind, Type};
use clew_scalar::{BinaryOp, Conversion};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of methods that a virtual call may run; calls with fewer come first.
const FEW_TARGETS: [usize; 4] = [2, 6, 20, 60];

impl Lowering {
    /// Makes everything that is still missing.
    pub(crate) fn finish(&mut self) {
        loop {
            while let Some(key) = self.queue.pop_front() {
                self.body(&key);
            }
            let classes = self.instantiated.len();
            for name in self.types.record_names() {
                self.admit_candidates(&name);
            }
            self.choose_targets();
            if self.queue.is_empty() {
                self.ask_for_statics();
            }
            if self.queue.is_empty() && self.instantiated.len() == classes {
                break;
            }
        }
        self.fill_statics();
        for (key, id) in self.functions.clone() {
            self.helper_body(&key, id);
        }
        self.complete_records();
        self.fit_globals();
    }

    /// Makes a body that needs no knowledge of the whole program.
    fn body(&mut self, key: &Key) {
        let id = self.functions[key];
        match key {
            Key::Method(class, name, descriptor) => {
                let is_own = self.world.get(*class).is_own;
                self.methods += 1;
                let method = self.world.get(*class).class.method(name, descriptor).cloned();
                match method {
                    Some(method) if self.methods > if is_own { MOST_OWN_METHODS } else { MOST_METHODS } => {
                        self.unsupported_body(id, *class, &method, "a program of too many methods");
                    }
                    _ => self.method_body(id, *class, name, descriptor),
                }
            }
            Key::Initialise(class) => self.initialiser(id, *class),
            _ => {}
        }
    }

    /// Classes that an object of the input may have where a reference has this type.
    fn candidates(&self, id: ClassId) -> Vec<ClassId> {
        let is_open = self.is_open(id);
        let fits = |other: &ClassId| {
            let data = self.world.get(*other);
            let is_array = data.class.name.starts_with('[');
            let comes_in = *other == id || self.instantiated.contains(other) || (data.is_own && !is_open);
            let is_inherited = self.inherits.as_ref().is_some_and(|(class, ..)| class == other);
            let is_admitted = !data.is_other() || is_open || is_inherited;
            comes_in && (!is_array || *other == id) && is_admitted && !data.is_lambda()
        };
        self.world.concrete_subtypes(id).into_iter().filter(fits).collect()
    }

    /// Whether there may be implementations of a type on no class path: types of the JDK that others extend, and types of
    /// which no implementation is known.
    fn is_open(&self, id: ClassId) -> bool {
        let data = self.world.get(id);
        let subtypes = || self.world.concrete_subtypes(id).into_iter().map(|other| self.world.get(other));
        // Where code makes lambdas of a type, inputs may be others.
        let has_known =
            || subtypes().any(|other| !other.is_other() && !other.is_lambda()) && !subtypes().any(Loaded::is_lambda);
        let is_array = data.class.name.starts_with('[');
        // What is not public in the JDK, nobody else can extend.
        let is_closed = data.class.is_final || !data.is_own && !data.class.is_public;
        !is_closed && !is_array && (!data.is_own || !has_known()) && !data.is_other()
    }

    /// Notes the classes that may come in with the input where a reference has a type.
    fn admit_candidates(&mut self, name: &str) {
        let Ok(id) = self.world.load(name) else { return };
        if self.world.get(id).is_own || name != OBJECT {
            self.world.load_own_subtypes(name);
        }
        if self.is_open(id)
            && let Ok(other) = self.world.load_other(name)
        {
            self.instantiated.insert(other);
        }
        let found = self.candidates(id);
        self.instantiated.extend(found);
    }

    /// Makes sure that the methods exist which virtual calls may run, calls with few of them first: where there are too many
    /// methods, those are left out that are one of hundreds.
    fn choose_targets(&mut self) {
        let mut missing: BTreeMap<usize, BTreeSet<Key>> = BTreeMap::new();
        for key in self.functions.keys() {
            if let Key::Dispatch(class, name, descriptor) = key {
                let targets: BTreeSet<Key> = self.targets(*class, name, descriptor).into_values().flatten().collect();
                let level = FEW_TARGETS.iter().position(|few| targets.len() <= *few).unwrap_or(FEW_TARGETS.len());
                let new = targets.into_iter().filter(|target| !self.functions.contains_key(target));
                missing.entry(level).or_default().extend(new);
            }
        }
        let first = missing.into_values().find(|targets| !targets.is_empty());
        for target in first.into_iter().flatten() {
            self.function(target);
        }
    }

    /// The method that a virtual call runs, by the class of the receiver; `None` where that is not known.
    fn targets(&self, class: ClassId, name: &str, descriptor: &str) -> BTreeMap<ClassId, Option<Key>> {
        let receivers = self.instantiated.iter().copied().filter(|other| self.world.is_subtype(*other, class));
        let target = |receiver: ClassId| {
            let (owner, method) = self.world.select(receiver, name, descriptor)?;
            let is_inherited = self.inherits.as_ref().is_some_and(|(class, ..)| *class == receiver);
            let is_known = !self.world.get(receiver).is_other() || method.is_final || is_inherited;
            is_known.then(|| Key::Method(owner, name.to_owned(), descriptor.to_owned()))
        };
        let target = |receiver| self.mock_of(receiver, class, name, descriptor).or_else(|| target(receiver));
        receivers.map(|receiver| (receiver, target(receiver))).collect()
    }

    fn helper_body(&mut self, key: &Key, id: FunctionId) {
        let mut builder = Builder::new(self.program.functions[id].clone());
        match key {
            Key::Dispatch(class, name, descriptor) => self.dispatch(&mut builder, *class, name, descriptor),
            Key::New(class) => self.allocation(&mut builder, *class),
            Key::NewArray(class) => self.array_allocation(&mut builder, *class),
            Key::IsSubtype(class) => {
                let all = self.world.ids().filter(|other| self.world.is_subtype(*other, *class)).collect();
                membership(&mut builder, &all);
            }
            Key::Runs(class, name, descriptor) => {
                let own = Some(Key::Method(*class, name.clone(), descriptor.clone()));
                let runs =
                    self.world.get(*class).class.method(name, descriptor).is_some_and(|method| method.is_private);
                let all = self.targets(*class, name, descriptor).into_iter();
                let all = all.filter(|(_, target)| runs || *target == own).map(|(class, _)| class).collect();
                membership(&mut builder, &all);
            }
            Key::ArrayCopy => self.array_copy_body(&mut builder),
            Key::IsArray => {
                let all = self.world.ids().filter(|id| self.element_bytes(*id).is_some()).collect();
                membership(&mut builder, &all);
            }
            Key::Clone => self.clone_body(&mut builder),
            Key::NewArrayOf => self.new_array_of_body(&mut builder),
            Key::Related => self.related_body(&mut builder),
            Key::NameOf(naming) => self.name_of_body(&mut builder, *naming),
            Key::IsOf(kind) => {
                let is_it = |id: &ClassId| {
                    let class = &self.world.get(*id).class;
                    match kind {
                        ClassKind::Primitive => class.name.starts_with(PRIMITIVE),
                        ClassKind::Interface => class.is_interface,
                    }
                };
                membership(&mut builder, &self.world.ids().filter(is_it).collect());
            }
            Key::Method(..) | Key::Initialise(_) | Key::Mock(..) => return,
        }
        self.program.functions[id] = builder.finish();
    }

    /// Chooses a method by the class of the receiver.
    fn dispatch(&mut self, builder: &mut Builder, class: ClassId, name: &str, descriptor: &str) {
        let this = Operand::Temp(builder.function.params[0].temp);
        let mut by_target: BTreeMap<Option<Key>, Vec<ClassId>> = BTreeMap::new();
        for (receiver, target) in self.targets(class, name, descriptor) {
            by_target.entry(target).or_default().push(receiver);
        }
        let number = load(builder, this, Type::Int(32));
        let (mut cases, mut calls) = (Vec::new(), Vec::new());
        for (target, receivers) in by_target {
            let block = builder.block();
            cases.extend(ranges(&receivers).into_iter().map(|(low, high)| Case { low, high, target: block }));
            calls.push((block, target));
        }
        let default = builder.block();
        calls.push((default, None));
        builder.terminate(TerminatorKind::Switch { on: number, decision: None, cases, default });
        for (block, target) in calls {
            self.dispatched(builder, block, target, name, descriptor);
        }
    }

    fn dispatched(&mut self, builder: &mut Builder, block: BlockId, target: Option<Key>, name: &str, descriptor: &str) {
        builder.switch_to(block);
        if let Some(Key::Mock(..)) = &target {
            return self.mocked(builder, target.expect("it was just seen"), descriptor);
        }
        let Some(target) = target else {
            let what = format!("`{name}` of a class that is not on the class path");
            builder.emit(InstKind::Unsupported { what });
            builder.terminate(TerminatorKind::Unreachable { check: None });
            return;
        };
        let args = builder.function.params.iter().map(|param| Operand::Temp(param.temp)).collect();
        let target = self.function(target);
        let returns = builder.function.returns;
        let result = self.call_for(builder, target, args, returns);
        builder.terminate(TerminatorKind::Return(result));
    }

    /// Bytes of an object of a class.
    pub(super) fn object_bytes(&self, class: ClassId) -> u64 {
        let chain: BTreeSet<ClassId> = self.world.chain(class).into_iter().collect();
        let own = self.offsets.iter().filter(|((owner, _), _)| chain.contains(owner));
        own.map(|(_, offset)| offset + 8).max().unwrap_or(HEADER_BYTES)
    }

    fn allocation(&self, builder: &mut Builder, class: ClassId) {
        let bytes = Operand::int(64, u128::from(self.object_bytes(class)));
        let args = vec![Operand::int(64, 1), bytes];
        let object = self.call_for(builder, self.calloc, args, Some(Type::Pointer)).expect("it gives an object");
        store(builder, object, Operand::int(32, u128::from(class.0)));
        builder.terminate(TerminatorKind::Return(Some(object)));
    }

    fn array_allocation(&self, builder: &mut Builder, class: ClassId) {
        let length = Operand::Temp(builder.function.params[0].temp);
        let element = self.element_bytes(class).unwrap_or(8);
        let (op, ty) = (Conversion::ZeroExtend(64), Type::Int(64));
        let wide = builder.define(ty, |dest| InstKind::Convert { dest, op, a: length, check: None });
        let bytes = binary(builder, BinaryOp::Mul, wide, Operand::int(64, u128::from(element)));
        let bytes = binary(builder, BinaryOp::Add, bytes, Operand::int(64, u128::from(HEADER_BYTES)));
        let args = vec![Operand::int(64, 1), bytes];
        let array = self.call_for(builder, self.calloc, args, Some(Type::Pointer)).expect("it gives an object");
        store(builder, array, Operand::int(32, u128::from(class.0)));
        let place = offset(builder, array, Operand::int(64, u128::from(LENGTH_AT)));
        store(builder, place, length);
        builder.terminate(TerminatorKind::Return(Some(array)));
    }

    /// Bytes of an element of an array class.
    pub(super) fn element_bytes(&self, class: ClassId) -> Option<u64> {
        match JavaType::of_class_constant(&self.world.get(class).class.name) {
            JavaType::Array(element) => Some(element.bytes()),
            _ => None,
        }
    }

    /// Copies elements by the size that the class of the source tells; arguments were checked.
    fn array_copy_body(&mut self, builder: &mut Builder) {
        let params: Vec<Operand> = builder.function.params.iter().map(|param| Operand::Temp(param.temp)).collect();
        let number = load(builder, params[0], Type::Int(32));
        let mut by_size: BTreeMap<u64, Vec<ClassId>> = BTreeMap::new();
        for class in self.world.ids() {
            if let Some(bytes) = self.element_bytes(class) {
                by_size.entry(bytes).or_default().push(class);
            }
        }
        let default = builder.block();
        let (mut cases, mut blocks) = (Vec::new(), Vec::new());
        for (bytes, classes) in by_size {
            let block = builder.block();
            cases.extend(ranges(&classes).into_iter().map(|(low, high)| Case { low, high, target: block }));
            blocks.push((block, bytes));
        }
        builder.terminate(TerminatorKind::Switch { on: number, decision: None, cases, default });
        let memmove = self.memmove();
        for (block, bytes) in blocks {
            builder.switch_to(block);
            let [from_at, to_at, count] =
                [params[1], params[3], params[4]].map(|number| scaled(builder, number, bytes));
            let [from_at, to_at] = [from_at, to_at]
                .map(|at| binary(builder, BinaryOp::Add, at, Operand::int(64, u128::from(HEADER_BYTES))));
            let (from, to) = (offset(builder, params[0], from_at), offset(builder, params[2], to_at));
            self.call_for(builder, memmove, vec![to, from, count], Some(Type::Pointer));
            builder.terminate(TerminatorKind::Return(None));
        }
        builder.switch_to(default);
        builder.emit(InstKind::Unsupported { what: "arraycopy of what is no array".to_owned() });
        builder.terminate(TerminatorKind::Unreachable { check: None });
    }

    /// Initialises the superclass, then the class, once.
    fn initialiser(&mut self, id: FunctionId, class: ClassId) {
        let data = &self.world.get(class).class;
        let has_own = data.method("<clinit>", "()V").is_some();
        let above = data.superclass.clone().and_then(|name| self.world.loaded(&name));
        let above = above.filter(|above| self.has_initialiser(*above));
        let int = self.types.of(&mut self.program, &JavaType::Int);
        let flag = self.program.globals.push(variable(&format!("clew.initialised.{}", class.0), int, 4));
        let mut builder = Builder::new(self.program.functions[id].clone());
        let [begin, done] = [(); 2].map(|()| builder.block());
        let state = load(&mut builder, Operand::Global(flag, 0), Type::Int(32));
        let is_new = binary(&mut builder, BinaryOp::Eq, state, Operand::int(32, 0));
        builder.terminate(TerminatorKind::Branch { on: is_new, condition: None, then: begin, otherwise: done });
        builder.switch_to(begin);
        store(&mut builder, Operand::Global(flag, 0), Operand::int(32, 1));
        if let Some(above) = above {
            let above = self.function(Key::Initialise(above));
            self.call_for(&mut builder, above, Vec::new(), None);
        }
        if has_own {
            let own = self.function(Key::Method(class, "<clinit>".to_owned(), "()V".to_owned()));
            // The JVM initialises classes on its own: their branches are no part of a path.
            self.program.models.insert(own);
            self.call_for(&mut builder, own, Vec::new(), None);
            let pending = load(&mut builder, Operand::Global(self.pending_class, 0), Type::Int(32));
            let is_none = binary(&mut builder, BinaryOp::Eq, pending, Operand::int(32, 0));
            let failed = builder.block();
            builder.terminate(TerminatorKind::Branch { on: is_none, condition: None, then: done, otherwise: failed });
            builder.switch_to(failed);
            builder.emit(InstKind::Unsupported { what: "an exception in the initialisation of a class".to_owned() });
            builder.terminate(TerminatorKind::Unreachable { check: None });
        } else {
            builder.jump(done);
        }
        builder.switch_to(done);
        builder.terminate(TerminatorKind::Return(None));
        self.program.functions[id] = builder.finish();
    }

    /// Gives the records of all types their members.
    fn complete_records(&mut self) {
        for name in self.types.record_names() {
            let Some(id) = self.world.loaded(&name) else { continue };
            let related = |owner: ClassId| self.world.is_subtype(id, owner) || self.world.is_subtype(owner, id);
            let mut used: Vec<(u64, ClassId, String)> =
                self.offsets.iter().map(|((owner, name), at)| (*at, *owner, name.clone())).collect();
            used.retain(|(_, owner, _)| related(*owner));
            used.sort();
            let mut fields = Vec::new();
            for (offset, owner, field) in used {
                let declared =
                    self.world.get(owner).class.fields.iter().find(|other| other.name == field && !other.is_static);
                let Some(ty) = declared.map(|declared| declared.ty.clone()) else { continue };
                let ty = self.types.of(&mut self.program, &ty);
                let is_taken = fields.iter().any(|other: &Field| other.name == field);
                let owner = self.world.get(owner).class.name.replace(['/', '$'], "_");
                let name = if is_taken { format!("{owner}_{field}") } else { field };
                fields.push(Field { name, ty, offset, bits: None });
            }
            let numbers = self.candidates(id).into_iter();
            let numbers = numbers.map(|id| (self.world.get(id).class.name.replace('/', "."), id.0)).collect();
            let class = self.types.class_numbers(&mut self.program, &name, numbers);
            self.types.complete(&mut self.program, &name, class, fields);
        }
    }

    /// Gives variables their sizes that depend on all classes.
    fn fit_globals(&mut self) {
        self.fill_class_objects();
        if let Some(string) = self.world.loaded("java/lang/String") {
            let bytes = self.object_bytes(string);
            for id in self.strings.values() {
                let global = &mut self.program.globals[*id];
                global.size = global.size.max(bytes);
            }
        }
    }
}

/// Returns whether the first parameter is the number of one of some classes.
pub(super) fn membership(builder: &mut Builder, classes: &BTreeSet<ClassId>) {
    let number = Operand::Temp(builder.function.params[0].temp);
    let classes: Vec<ClassId> = classes.iter().copied().collect();
    let mut found = None;
    for (low, high) in ranges(&classes) {
        let distance = binary(builder, BinaryOp::Sub, number, Operand::int(32, low));
        let inside = binary(builder, BinaryOp::Ule, distance, Operand::int(32, high - low));
        found = Some(match found {
            None => inside,
            Some(before) => binary(builder, BinaryOp::Or, before, inside),
        });
    }
    let found = found.unwrap_or_else(|| Operand::int(1, 0));
    builder.terminate(TerminatorKind::Return(Some(found)));
}

/// Numbers of classes as ranges.
pub(super) fn ranges(classes: &[ClassId]) -> Vec<(u128, u128)> {
    let mut found: Vec<(u128, u128)> = Vec::new();
    for number in classes.iter().map(|class| u128::from(class.0)) {
        match found.last_mut() {
            Some((_, high)) if *high + 1 == number => *high = number,
            _ => found.push((number, number)),
        }
    }
    found
}

pub(super) fn offset(builder: &mut Builder, base: Operand, bytes: Operand) -> Operand {
    builder.define(Type::Pointer, |dest| InstKind::Offset { dest, base, bytes, check: None })
}

/// A number of elements in bytes.
fn scaled(builder: &mut Builder, number: Operand, bytes: u64) -> Operand {
    let (op, ty) = (Conversion::SignExtend(64), Type::Int(64));
    let wide = builder.define(ty, |dest| InstKind::Convert { dest, op, a: number, check: None });
    binary(builder, BinaryOp::Mul, wide, Operand::int(64, u128::from(bytes)))
}
