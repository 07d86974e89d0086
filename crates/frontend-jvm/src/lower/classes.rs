//! Objects of `Class`, and what is done with classes that only a run knows: copies of objects, new arrays, tests for a type.

use super::entry::{binary, load, store};
use super::finish::{membership, offset, ranges};
use super::{ARRAYS_AT, CLASS_OBJECT, COMPONENT_AT, Lowering, NUMBER_AT, Naming};
use crate::class::Class;
use crate::descriptor::JavaType;
use crate::types::{HEADER_BYTES, LENGTH_AT};
use crate::world::{ClassId, LAMBDA, PRIMITIVE};
use clew_ir::build::Builder;
use clew_ir::{
    BlockId, CType, Case, Function, FunctionId, InstKind, Operand, Relocation, Symbol, TerminatorKind, Type,
};
use clew_scalar::{BinaryOp, Conversion};
use std::collections::{BTreeMap, BTreeSet};

impl Lowering {
    /// Gives the objects of classes their contents.
    pub(super) fn fill_class_objects(&mut self) {
        let ids: Vec<ClassId> = self.world.ids().collect();
        let stride = CLASS_OBJECT as u64;
        let size = (ids.len() as u64 + 1) * stride;
        let own = self.world.loaded("java/lang/Class").map_or(0, |id| id.0);
        let (mut init, mut relocations) = (vec![0; size as usize], Vec::new());
        for id in &ids {
            let at = u64::from(id.0) * stride;
            put(&mut init, at, own);
            put(&mut init, at + NUMBER_AT, id.0);
            let Some(element) = self.element_class(*id) else { continue };
            put(&mut init, u64::from(element.0) * stride + ARRAYS_AT, id.0);
            let (symbol, addend) = (Symbol::Global(self.class_objects), i64::from(element.0) * CLASS_OBJECT);
            relocations.push(Relocation { offset: at + COMPONENT_AT, symbol, addend });
        }
        let global = &mut self.program.globals[self.class_objects];
        (global.size, global.init, global.relocations) = (size, Some(init), relocations);
    }

    /// The class of the elements of an array class.
    fn element_class(&mut self, id: ClassId) -> Option<ClassId> {
        let JavaType::Array(element) = JavaType::of_class_constant(&self.world.get(id).class.name) else { return None };
        let name = if element.is_reference() { element.class_name() } else { format!("{PRIMITIVE}{element}") };
        self.world.loaded(&name)
    }

    pub(super) fn memmove(&mut self) -> FunctionId {
        let word = self.types.of(&mut self.program, &JavaType::Long);
        let any = self.types.any;
        let ty = CType::Function { returns: any, params: vec![any, any, word], variadic: false };
        let ty = self.program.ctypes.types.push(ty);
        let mut memmove = Function::declare("memmove", ty);
        memmove.returns = Some(Type::Pointer);
        self.program.functions.push(memmove)
    }

    /// Blocks by the number of bytes of an element, chosen by the number of an array class.
    fn by_element_size(&self, builder: &mut Builder, number: Operand) -> (Vec<(BlockId, u64)>, BlockId) {
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
        (blocks, default)
    }

    /// A new array of a class by its number, which is 0 where the program has no such class.
    pub(super) fn new_array_of_body(&self, builder: &mut Builder) {
        let [number, length] = [0, 1].map(|index| Operand::Temp(builder.function.params[index].temp));
        let (blocks, default) = self.by_element_size(builder, number);
        for (block, bytes) in blocks {
            builder.switch_to(block);
            let array = self.new_array_bytes(builder, number, length, bytes);
            builder.terminate(TerminatorKind::Return(Some(array)));
        }
        builder.switch_to(default);
        unsupported(builder, "an array of a class that the program does not name");
    }

    fn new_array_bytes(&self, builder: &mut Builder, number: Operand, length: Operand, bytes: u64) -> Operand {
        let size = array_size(builder, length, bytes);
        let args = vec![Operand::int(64, 1), size];
        let array = self.call_for(builder, self.calloc, args, Some(Type::Pointer)).expect("it gives an object");
        store(builder, array, number);
        let place = offset(builder, array, Operand::int(64, u128::from(LENGTH_AT)));
        store(builder, place, length);
        array
    }

    /// A copy of an array. Of other objects nobody knows whether all fields are in use.
    pub(super) fn clone_body(&mut self, builder: &mut Builder) {
        let memmove = self.memmove();
        let from = Operand::Temp(builder.function.params[0].temp);
        let number = load(builder, from, Type::Int(32));
        let (blocks, default) = self.by_element_size(builder, number);
        for (block, bytes) in blocks {
            builder.switch_to(block);
            let place = offset(builder, from, Operand::int(64, u128::from(LENGTH_AT)));
            let length = load(builder, place, Type::Int(32));
            let array = self.new_array_bytes(builder, number, length, bytes);
            let size = array_size(builder, length, bytes);
            let size = binary(builder, BinaryOp::Sub, size, Operand::int(64, u128::from(HEADER_BYTES)));
            let [to, source] =
                [array, from].map(|base| offset(builder, base, Operand::int(64, u128::from(HEADER_BYTES))));
            self.call_for(builder, memmove, vec![to, source, size], Some(Type::Pointer));
            builder.terminate(TerminatorKind::Return(Some(array)));
        }
        builder.switch_to(default);
        self.clone_object(builder, from, number);
    }

    /// A copy of an object field by field, by its class.
    fn clone_object(&mut self, builder: &mut Builder, from: Operand, number: Operand) {
        let classes: Vec<ClassId> = self.instantiated.iter().copied().collect();
        let default = builder.block();
        let (mut cases, mut blocks) = (Vec::new(), Vec::new());
        let cloneable = self.world.loaded("java/lang/Cloneable");
        for class in classes {
            let is_array = self.element_bytes(class).is_some();
            let may = cloneable.is_some_and(|cloneable| self.world.is_subtype(class, cloneable));
            if is_array || !may || self.world.get(class).is_other() {
                continue;
            }
            let block = builder.block();
            let bits = u128::from(class.0);
            cases.push(Case { low: bits, high: bits, target: block });
            blocks.push((block, class));
        }
        builder.terminate(TerminatorKind::Switch { on: number, decision: None, cases, default });
        for (block, class) in blocks {
            builder.switch_to(block);
            let bytes = Operand::int(64, u128::from(self.object_bytes(class)));
            let args = vec![Operand::int(64, 1), bytes];
            let object = self.call_for(builder, self.calloc, args, Some(Type::Pointer)).expect("it gives an object");
            store(builder, object, number);
            for (at, ty) in self.fields_of(class) {
                let [to, source] = [object, from].map(|base| offset(builder, base, Operand::int(64, u128::from(at))));
                let value = load(builder, source, ty);
                store(builder, to, value);
            }
            builder.terminate(TerminatorKind::Return(Some(object)));
        }
        builder.switch_to(default);
        unsupported(builder, "clone of an object that is not Cloneable or not known");
    }

    /// The fields of objects of a class that are in use, as memory holds them.
    fn fields_of(&self, class: ClassId) -> Vec<(u64, Type)> {
        let chain: BTreeSet<ClassId> = self.world.chain(class).into_iter().collect();
        let own = self.offsets.iter().filter(|((owner, _), _)| chain.contains(owner));
        let typed = own.filter_map(|((owner, name), at)| {
            let mut fields = self.world.get(*owner).class.fields.iter();
            let field = fields.find(|field| field.name == *name && !field.is_static)?;
            let ty = match field.ty {
                JavaType::Boolean | JavaType::Byte => Type::Int(8),
                JavaType::Char | JavaType::Short => Type::Int(16),
                _ => crate::types::Kind::of(&field.ty).ty(),
            };
            Some((*at, ty))
        });
        typed.collect()
    }

    /// The name of a class by its number.
    pub(super) fn name_of_body(&mut self, builder: &mut Builder, naming: Naming) {
        let number = Operand::Temp(builder.function.params[0].temp);
        let default = builder.block();
        let (mut cases, mut blocks) = (Vec::new(), Vec::new());
        for class in self.world.ids() {
            let Some(Ok(text)) = name_of(&self.world.get(class).class, naming).map(|name| {
                let units: Vec<u16> = name.encode_utf16().collect();
                self.string(&units)
            }) else {
                continue;
            };
            let block = builder.block();
            let bits = u128::from(class.0);
            cases.push(Case { low: bits, high: bits, target: block });
            blocks.push((block, text));
        }
        builder.terminate(TerminatorKind::Switch { on: number, decision: None, cases, default });
        for (block, text) in blocks {
            builder.switch_to(block);
            builder.terminate(TerminatorKind::Return(Some(Operand::Global(text, 0))));
        }
        builder.switch_to(default);
        unsupported(builder, "the name of a class that the program does not name");
    }

    /// Whether one class is a subtype of another, both by their numbers.
    pub(super) fn related_body(&self, builder: &mut Builder) {
        let other = Operand::Temp(builder.function.params[1].temp);
        let default = builder.block();
        let (mut cases, mut blocks) = (Vec::new(), Vec::new());
        for class in self.world.ids() {
            let below: BTreeSet<ClassId> = self.world.ids().filter(|id| self.world.is_subtype(*id, class)).collect();
            let block = builder.block();
            let bits = u128::from(class.0);
            cases.push(Case { low: bits, high: bits, target: block });
            blocks.push((block, below));
        }
        builder.terminate(TerminatorKind::Switch { on: other, decision: None, cases, default });
        for (block, below) in blocks {
            builder.switch_to(block);
            membership(builder, &below);
        }
        builder.switch_to(default);
        unsupported(builder, "a class that the program does not name");
    }
}

/// The name of a class as `Class` gives it; `None` where that is not known here.
fn name_of(class: &Class, naming: Naming) -> Option<String> {
    let plain = class.name.strip_prefix(PRIMITIVE).unwrap_or(&class.name);
    if plain.contains('#') || plain.contains(LAMBDA) {
        return None;
    }
    if naming == Naming::Full {
        return Some(plain.replace('/', "."));
    }
    let base = plain.trim_start_matches('[');
    if base != plain {
        return None;
    }
    match &class.nested {
        None => plain.rsplit('/').next().map(str::to_owned),
        Some(nested) => {
            let (outer, _) = nested.outer.as_ref()?;
            plain.strip_prefix(outer)?.strip_prefix('$').map(str::to_owned)
        }
    }
}

fn array_size(builder: &mut Builder, length: Operand, bytes: u64) -> Operand {
    let (op, ty) = (Conversion::ZeroExtend(64), Type::Int(64));
    let wide = builder.define(ty, |dest| InstKind::Convert { dest, op, a: length, check: None });
    let size = binary(builder, BinaryOp::Mul, wide, Operand::int(64, u128::from(bytes)));
    binary(builder, BinaryOp::Add, size, Operand::int(64, u128::from(HEADER_BYTES)))
}

fn unsupported(builder: &mut Builder, what: &str) {
    builder.emit(InstKind::Unsupported { what: what.to_owned() });
    builder.terminate(TerminatorKind::Unreachable { check: None });
}

fn put(init: &mut [u8], at: u64, number: u32) {
    init[at as usize..at as usize + 4].copy_from_slice(&number.to_le_bytes());
}
