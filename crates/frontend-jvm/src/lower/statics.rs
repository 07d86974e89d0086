//! Static fields that a JVM has shown become initial values of variables.

use super::{CLASS_OBJECT, Lowering, variable};
use crate::class::Class;
use crate::descriptor::JavaType;
use crate::snapshot::{Shown, ShownObject, Snapshot};
use crate::types::HEADER_BYTES;
use crate::world::{ClassId, OBJECT};
use clew_ir::{FunctionId, GlobalId, InstKind, Operand, Relocation, Symbol, TerminatorKind};
use std::collections::BTreeSet;

/// Of a class that nobody knows.
const UNKNOWN_CLASS: u32 = u32::MAX;

impl Lowering {
    /// Asks for the static fields in use, if there are new ones, and notes the classes of the objects they lead to.
    pub(super) fn ask_for_statics(&mut self) {
        let Some(statics) = self.shown_by.clone() else { return };
        if self.statics.is_empty() {
            return;
        }
        // Strings among the values need their fields.
        let _ = self.string(&[]);
        let wanted: Vec<(ClassId, String)> = self.statics.keys().cloned().collect();
        let fields: Vec<(ClassId, String)> = self.offsets.keys().cloned().collect();
        if (wanted.len(), fields.len()) == self.asked {
            return;
        }
        self.asked = (wanted.len(), fields.len());
        let name = |(class, name): &(ClassId, String)| (self.world.get(*class).class.name.clone(), name.clone());
        let names = |all: &[(ClassId, String)]| all.iter().map(name).collect::<Vec<_>>();
        let (statics_named, fields_named) = (names(&wanted), names(&fields));
        let snapshot = statics.borrow_mut().read(&statics_named, &fields_named);
        self.snapshot = snapshot.unwrap_or_else(|why| {
            self.unknown_because = format!(": {why}");
            Snapshot { statics: vec![Shown::Unknown; wanted.len()], objects: Vec::new() }
        });
        self.shown = wanted;
        for object in self.snapshot.objects.clone() {
            let class = match object {
                ShownObject::Fields(class, _) | ShownObject::References(class, _) => class,
                ShownObject::Numbers(element, _) => JavaType::Array(Box::new(element)).class_name(),
            };
            if let Ok(class) = self.world.load(&class) {
                self.instantiated.insert(class);
            }
        }
    }

    /// Gives static fields their values.
    pub(super) fn fill_statics(&mut self) {
        if self.shown_by.is_none() {
            return;
        }
        let snapshot = std::mem::take(&mut self.snapshot);
        let objects: Vec<GlobalId> =
            snapshot.objects.iter().enumerate().map(|(number, object)| self.declare(number, object)).collect();
        for (object, global) in snapshot.objects.iter().zip(&objects) {
            self.fill(object, *global, &objects);
        }
        let mut unknown = BTreeSet::new();
        for (key, shown) in std::mem::take(&mut self.shown).iter().zip(&snapshot.statics) {
            let Some(field) = self.world.get(key.0).class.fields.iter().find(|field| field.name == key.1) else {
                continue;
            };
            if field.constant.is_some() {
                continue;
            }
            let (bytes, global) = (field.ty.bytes(), self.statics[key]);
            if *shown == Shown::Unknown {
                unknown.insert(global);
                continue;
            }
            let mut init = vec![0; bytes as usize];
            self.put(&mut init, global, 0, bytes, shown, &objects);
            self.program.globals[global].init = Some(init);
        }
        self.refuse_unknown(&unknown);
    }

    /// The variable of an object.
    fn declare(&mut self, number: usize, object: &ShownObject) -> GlobalId {
        let (class, size) = match object {
            ShownObject::Fields(class, _) => {
                let bytes = self.world.loaded(class).map(|class| self.object_bytes(class));
                (class.clone(), bytes.unwrap_or(self.next_offset))
            }
            ShownObject::Numbers(element, bytes) => {
                (JavaType::Array(Box::new(element.clone())).class_name(), HEADER_BYTES + bytes.len() as u64)
            }
            ShownObject::References(class, elements) => (class.clone(), HEADER_BYTES + 8 * elements.len() as u64),
        };
        let (_, ty) = self.types.record(&mut self.program, &class);
        self.program.globals.push(variable(&format!("clew.static.{number}"), ty, size.max(HEADER_BYTES)))
    }

    fn fill(&mut self, object: &ShownObject, global: GlobalId, objects: &[GlobalId]) {
        let size = self.program.globals[global].size as usize;
        let number = |lowering: &Lowering, class: &str| lowering.world.loaded(class).map_or(UNKNOWN_CLASS, |id| id.0);
        let mut init = vec![0; size];
        let class = match object {
            ShownObject::Fields(class, fields) => {
                for ((owner, name), shown) in fields {
                    let Some(owner) = self.world.loaded(owner) else { continue };
                    let Some(&at) = self.offsets.get(&(owner, name.clone())) else { continue };
                    let mut declared = self.world.get(owner).class.fields.iter();
                    let bytes = declared.find(|field| field.name == *name).map_or(8, |field| field.ty.bytes());
                    self.put(&mut init, global, at, bytes, shown, objects);
                }
                number(self, class)
            }
            ShownObject::Numbers(element, bytes) => {
                init[HEADER_BYTES as usize..].copy_from_slice(bytes);
                let length = bytes.len() as u64 / element.bytes();
                init[4..8].copy_from_slice(&(length as u32).to_le_bytes());
                number(self, &JavaType::Array(Box::new(element.clone())).class_name())
            }
            ShownObject::References(class, elements) => {
                init[4..8].copy_from_slice(&(elements.len() as u32).to_le_bytes());
                for (index, shown) in (0..).zip(elements) {
                    self.put(&mut init, global, HEADER_BYTES + 8 * index, 8, shown, objects);
                }
                number(self, class)
            }
        };
        init[..4].copy_from_slice(&class.to_le_bytes());
        self.program.globals[global].init = Some(init);
    }

    /// Puts a value at an offset of a variable.
    fn put(&mut self, init: &mut [u8], global: GlobalId, at: u64, bytes: u64, shown: &Shown, objects: &[GlobalId]) {
        let (symbol, addend) = match shown {
            Shown::Bits(bits) => {
                let to = at as usize..(at + bytes) as usize;
                if let Some(place) = init.get_mut(to) {
                    place.copy_from_slice(&bits.to_le_bytes()[..bytes as usize]);
                }
                return;
            }
            Shown::Object(number) => (Symbol::Global(objects[*number]), 0),
            Shown::Class(name) => {
                // Some classes of the JVM are in no file; they differ from all others.
                let made = || Class::made(name, OBJECT, Vec::new());
                let class = self.world.load(name).or_else(|_| self.world.make(made()));
                let Ok(class) = class else { return };
                (Symbol::Global(self.class_objects), i64::from(class.0) * CLASS_OBJECT)
            }
            Shown::Literal(text) => match self.string(text) {
                Ok(literal) => (Symbol::Global(literal), 0),
                Err(_) => return,
            },
            Shown::Null | Shown::Unknown => return,
        };
        self.program.globals[global].relocations.push(Relocation { offset: at, symbol, addend });
    }

    /// Code that looks at static fields nobody knows is not supported.
    fn refuse_unknown(&mut self, unknown: &BTreeSet<GlobalId>) {
        if unknown.is_empty() {
            return;
        }
        for id in self.program.functions.ids().collect::<Vec<FunctionId>>() {
            let body = &mut self.program.functions[id];
            for block in body.blocks.ids().collect::<Vec<_>>() {
                let block = &mut body.blocks[block];
                let read = |kind: &InstKind| {
                    kind.operands().into_iter().find_map(|operand| match operand {
                        Operand::Global(global, _) if unknown.contains(&global) => Some(global),
                        _ => None,
                    })
                };
                let mut found = block.insts.iter().enumerate();
                let Some((at, global)) = found.find_map(|(at, inst)| Some((at, read(&inst.kind)?))) else { continue };
                let what = format!(
                    "the value of the static field {}{}",
                    self.program.globals[global].name, self.unknown_because
                );
                block.insts.truncate(at + 1);
                block.insts[at].kind = InstKind::Unsupported { what };
                block.terminator.kind = TerminatorKind::Unreachable { check: None };
            }
        }
    }
}
