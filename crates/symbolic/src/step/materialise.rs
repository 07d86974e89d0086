//! What a path looks at for the first time: parts of the input become variables, initial values of globals become cells.

use clew_ir::{CType, CTypeId, GlobalId, Span, Symbol, Type};
use clew_scalar::BinaryOp;
use clew_solver::term::Sort;

use crate::ending::PathEnd;
use crate::input::{self, InputObject, Leaf, Root, leaf};
use crate::memory::{ObjectId, from_bytes};
use crate::path::Path;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{Base, Pointer, Scalar, Val};

/// An element of an input object.
pub(super) struct Element {
    /// Where it starts.
    pub(super) from: u64,
    pub(super) ty: CTypeId,
    /// A C expression for people.
    pub(super) name: String,
}

impl Stepper<'_> {
    /// Makes the part of the input that covers a byte a variable.
    pub fn materialise(&mut self, path: &mut Path, object: ObjectId, at: u64, access: Option<(u64, Type)>) -> Step {
        let program = self.program;
        let input = path.state.inputs.object(object).expect("an input background belongs to an input object").clone();
        let Element { from, ty: element, name } = self.element(&input, object, at);
        let wanted = access.and_then(|(start, ty)| {
            let bytes = ty.bytes(program.target.pointer_width);
            Some(leaf::Wanted { at: start.checked_sub(from)?, bytes, pointer: ty == Type::Pointer })
        });
        let part = leaf::covering(&program.ctypes, program.target, element, at - from, wanted);
        let (start, bytes, val) = match part {
            None => (at, 1, Val::Scalar(Scalar::int(8, 0))),
            Some(part) if part.bytes == 1 && self.is_untouched_pointer(path, object, at, access) => {
                let (pointee, width) = (self.void(part.ty), program.target.pointer_width);
                let pointer = path.state.inputs.pointer(self.constraints.terms(), name, pointee, width);
                (at, program.target.pointer_bytes(), Val::Pointer(pointer))
            }
            Some(part) if let Some(bytes) = self.room(path, object, at, (from + part.at, part.bytes)) => {
                let sort = Sort::int(8 * bytes as u8);
                let variable = path.state.inputs.variable(self.constraints.terms(), &format!("{name} from {at}"), sort);
                (at, bytes, Val::Scalar(Scalar::Term(variable)))
            }
            Some(part) => {
                let start = from + part.at;
                let val = self.input_value(path, format!("{name}{}", part.path), start, part.ty)?;
                self.note_others(path, val, element, part.at);
                (start, part.bytes, val)
            }
        };
        let written = self.overwritten(path, object, start, bytes);
        path.state.inputs.leaves.push_back(Leaf { object, at: start, bytes, val });
        self.store_at(path, object, start, bytes, val)?;
        written.into_iter().try_for_each(|(at, byte)| self.store_at(path, object, at, 1, byte))
    }

    /// The element of an input object that covers a byte. A structure that ends in an array without a length is followed
    /// by elements of that array.
    pub(super) fn element(&self, input: &InputObject, object: ObjectId, at: u64) -> Element {
        let ctypes = &self.program.ctypes;
        let size = |ty| ctypes.size_of(ty, self.program.target.pointer_bytes()).unwrap_or(1).max(1);
        let is_behind = matches!(input.root, Root::Behind(_));
        if let Some((start, ty, member)) = leaf::tail(ctypes, input.element).filter(|tail| is_behind && at >= tail.0) {
            let index = (at - start) / size(ty);
            return Element {
                from: start + index * size(ty),
                ty,
                name: format!("{}[0].{member}[{index}]", input.name),
            };
        }
        let index = at / size(input.element);
        let name = match input.root {
            Root::Behind(_) => format!("{}[{index}]", input.name),
            // Each call of a stub gives something of its own.
            Root::Stub => format!("{} #{}", input.name, object.0),
            _ => input.name.clone(),
        };
        Element { from: index * size(input.element), ty: input.element, name }
    }

    /// Where a part of the input overlaps others that are variables already, as members of a union do: how many bytes
    /// from `at` on can be a variable of their own.
    fn room(&self, path: &Path, object: ObjectId, at: u64, (start, bytes): (u64, u64)) -> Option<u64> {
        if !path.state.memory.get(object).has_cells(start, bytes) {
            return None;
        }
        let end = start + bytes;
        let known = path.state.inputs.leaves.iter().filter(|leaf| leaf.object == object);
        let overlapping: Vec<&Leaf> = known.filter(|leaf| leaf.at < end && start < leaf.at + leaf.bytes).collect();
        if overlapping.is_empty() {
            return None;
        }
        let next = overlapping.iter().map(|leaf| leaf.at).filter(|other| *other > at).min().unwrap_or(end);
        let fits = |bytes: &u64| at.is_multiple_of(*bytes) && at + bytes <= next;
        [8, 4, 2].into_iter().find(fits).or(Some(1))
    }

    /// Whether an access reads a pointer among bytes of the input that nothing has looked at.
    fn is_untouched_pointer(&self, path: &Path, object: ObjectId, at: u64, access: Option<(u64, Type)>) -> bool {
        let bytes = self.program.target.pointer_bytes();
        let touched = |(start, length, _): (u64, u64, Val)| start < at + bytes && at < start + length;
        access == Some((at, Type::Pointer)) && !path.state.memory.get(object).cells().any(touched)
    }

    /// `void`, or the given type if the program has none.
    pub(super) fn void(&self, other: CTypeId) -> CTypeId {
        let types = &self.program.ctypes.types;
        types.iter().find(|(_, ctype)| **ctype == CType::Void).map_or(other, |(id, _)| id)
    }

    /// The bytes of a range that the program has already written, to be kept when the rest becomes known.
    pub fn overwritten(&mut self, path: &Path, object: ObjectId, start: u64, bytes: u64) -> Vec<(u64, Val)> {
        let object = path.state.memory.get(object);
        let terms = self.constraints.terms();
        (start..start + bytes).filter_map(|at| Some((at, object.load(terms, at, Type::Int(8), 64).ok()?))).collect()
    }

    /// The variable, or a new pointer, for a scalar part of the input that starts at `at` in its object.
    pub(super) fn input_value(&mut self, path: &mut Path, name: String, at: u64, ty: clew_ir::CTypeId) -> Step<Val> {
        let (ctypes, width) = (&self.program.ctypes, self.program.target.pointer_width);
        if let CType::Pointer(pointee) = ctypes.get(ty) {
            return Ok(Val::Pointer(path.state.inputs.pointer(self.constraints.terms(), name, *pointee, width)));
        }
        let Some(scalar) = input::scalar_type(ctypes, ty) else {
            let name = input::plain_name(&name, path.state.inputs.calls);
            return Err(PathEnd::Unsupported { what: format!("`{name}` as an input"), span: Span::NONE });
        };
        let terms = self.constraints.terms();
        let term = path.state.inputs.variable(terms, &format!("{name} at {at}"), Sort::Scalar(scalar));
        if *ctypes.get(ty) == CType::Bool {
            let two = terms.int(8, 2);
            let small = terms.binary(BinaryOp::Ult, term, two);
            self.assume(path, small)?;
        }
        if let CType::Enum { enumerators, is_closed: true, .. } = ctypes.get(ty) {
            let terms = self.constraints.terms();
            let width = scalar.width();
            let mut listed = terms.bool(false);
            for (_, value) in enumerators {
                let value = terms.int(width, *value as u128 & (u128::MAX >> (128 - u32::from(width))));
                let equal = terms.eq(term, value);
                listed = terms.binary(BinaryOp::Or, listed, equal);
            }
            self.assume(path, listed)?;
        }
        Ok(Val::Scalar(Scalar::Term(term)))
    }

    /// Brings the initial value of a global that covers a byte into cells.
    pub fn materialise_image(&mut self, path: &mut Path, object: ObjectId, global: GlobalId, at: u64) -> Step {
        let data = &self.program.globals[global];
        let width = self.program.target.pointer_width;
        let pointer_bytes = self.program.target.pointer_bytes();
        let stored = data.relocations.iter().find(|item| (item.offset..item.offset + pointer_bytes).contains(&at));
        if let Some(relocation) = stored {
            let base = match relocation.symbol {
                Symbol::Global(global) => Base::Object(self.global(path, global)?),
                Symbol::Function(function) => Base::Function(function),
            };
            let offset = Scalar::int(width, relocation.addend as i128 as u128);
            let val = Val::Pointer(Pointer { base, offset });
            return self.store_at(path, object, relocation.offset, pointer_bytes, val);
        }
        let byte = data.init.as_ref().and_then(|bytes| bytes.get(at as usize)).copied().unwrap_or(0);
        self.store_at(path, object, at, 1, Val::Scalar(from_bytes(&[byte])))
    }
}
