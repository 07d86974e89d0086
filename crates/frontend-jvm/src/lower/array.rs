//! Arrays: elements, lengths, new ones.

use super::body::Body;
use super::{Key, Lower};
use crate::descriptor::JavaType;
use crate::types::{HEADER_BYTES, Kind, LENGTH_AT};
use cafebabe::bytecode::{Opcode, PrimitiveArrayType};
use cafebabe::constant_pool::ObjectArrayType;
use clew_ir::{Callee, InstKind, Operand, Type};
use clew_scalar::{BinaryOp, Conversion};

impl Body<'_, '_> {
    /// Lowers an instruction of this family; says whether it was one.
    pub(super) fn array_instruction(&mut self, opcode: &Opcode<'_>) -> Lower<bool> {
        if let Some((ty, is_load)) = element_access(opcode) {
            if is_load {
                self.load_element(&ty)?
            } else {
                self.store_element(&ty)?
            }
            return Ok(true);
        }
        match opcode {
            Opcode::Arraylength => {
                let array = self.pop(Kind::Reference)?;
                self.demand_object(array)?;
                let length = self.length(array);
                self.push(Kind::Int, length);
            }
            Opcode::Newarray(of) => self.new_array_of(&primitive(*of))?,
            Opcode::Anewarray(of) => self.new_array_of(&class_constant(of))?,
            Opcode::Multianewarray(ty, dimensions) => {
                let lengths = (0..*dimensions).map(|_| self.pop(Kind::Int)).collect::<Lower<Vec<_>>>()?;
                let lengths: Vec<Operand> = lengths.into_iter().rev().collect();
                for length in &lengths {
                    self.demand_size(*length)?;
                }
                let array = self.nested_arrays(&class_constant(ty), &lengths)?;
                self.push(Kind::Reference, array);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The length of an array that is not null.
    pub(super) fn length(&mut self, array: Operand) -> Operand {
        let place = self.field_place(array, LENGTH_AT);
        let length = self.load(place, Type::Int(32));
        let holds = self.binary(BinaryOp::Sle, Operand::int(32, 0), length);
        self.assume(holds);
        length
    }

    /// The place of an element, after the checks that Java makes.
    fn element(&mut self, array: Operand, index: Operand, ty: &JavaType) -> Lower<Operand> {
        self.demand_object(array)?;
        let length = self.length(array);
        let is_inside = self.binary(BinaryOp::Ult, index, length);
        self.throw_unless(is_inside, "java/lang/ArrayIndexOutOfBoundsException")?;
        Ok(self.element_place(array, index, ty.bytes()))
    }

    /// The place of an element of so many bytes whose index is in range.
    pub(super) fn element_place(&mut self, array: Operand, index: Operand, bytes: u64) -> Operand {
        let index = self.convert(Conversion::SignExtend(64), index, Type::Int(64));
        let moved = self.binary(BinaryOp::Mul, index, Operand::int(64, u128::from(bytes)));
        let at = self.binary(BinaryOp::Add, moved, Operand::int(64, u128::from(HEADER_BYTES)));
        self.offset(array, at)
    }

    fn load_element(&mut self, ty: &JavaType) -> Lower {
        let (index, array) = (self.pop(Kind::Int)?, self.pop(Kind::Reference)?);
        let place = self.element(array, index, ty)?;
        let value = self.load_as(place, ty);
        self.push(Kind::of(ty), value);
        Ok(())
    }

    fn store_element(&mut self, ty: &JavaType) -> Lower {
        let value = self.pop(Kind::of(ty))?;
        let (index, array) = (self.pop(Kind::Int)?, self.pop(Kind::Reference)?);
        let place = self.element(array, index, ty)?;
        self.store_as(place, ty, value);
        Ok(())
    }

    /// Reads a field or an element: narrow integers become `int`.
    pub(super) fn load_as(&mut self, place: Operand, ty: &JavaType) -> Operand {
        let (width, widen) = match ty {
            JavaType::Boolean => (8, Conversion::ZeroExtend(32)),
            JavaType::Byte => (8, Conversion::SignExtend(32)),
            JavaType::Char => (16, Conversion::ZeroExtend(32)),
            JavaType::Short => (16, Conversion::SignExtend(32)),
            _ => return self.load(place, Kind::of(ty).ty()),
        };
        let narrow = self.load(place, Type::Int(width));
        self.convert(widen, narrow, Type::Int(32))
    }

    /// Writes a field or an element: narrow integers keep their low bits.
    pub(super) fn store_as(&mut self, place: Operand, ty: &JavaType, value: Operand) {
        let value = match ty {
            JavaType::Boolean => {
                let low = self.binary(BinaryOp::And, value, Operand::int(32, 1));
                self.convert(Conversion::Truncate(8), low, Type::Int(8))
            }
            JavaType::Byte => self.convert(Conversion::Truncate(8), value, Type::Int(8)),
            JavaType::Char | JavaType::Short => self.convert(Conversion::Truncate(16), value, Type::Int(16)),
            _ => value,
        };
        self.store(place, value);
    }

    fn demand_size(&mut self, length: Operand) -> Lower {
        let is_sound = self.binary(BinaryOp::Sle, Operand::int(32, 0), length);
        self.throw_unless(is_sound, "java/lang/NegativeArraySizeException")
    }

    fn new_array_of(&mut self, element: &JavaType) -> Lower {
        let length = self.pop(Kind::Int)?;
        self.demand_size(length)?;
        let array = self.new_array(&JavaType::Array(Box::new(element.clone())), length)?;
        self.push(Kind::Reference, array);
        Ok(())
    }

    /// A new array of a type whose length is not negative.
    pub(super) fn new_array(&mut self, ty: &JavaType, length: Operand) -> Lower<Operand> {
        let class = self.lowering.world.load(&ty.class_name())?;
        self.lowering.instantiated.insert(class);
        let make = self.lowering.function(Key::NewArray(class));
        let ty = self.lowering.program.functions[make].ty;
        let (callee, args) = (Callee::Direct(make), vec![length]);
        Ok(self.builder.define(Type::Pointer, |dest| InstKind::Call {
            dest: Some(dest),
            callee,
            args,
            ty,
            check: None,
        }))
    }

    /// A new array whose elements are arrays, as deep as there are lengths.
    fn nested_arrays(&mut self, ty: &JavaType, lengths: &[Operand]) -> Lower<Operand> {
        let Some((first, rest)) = lengths.split_first() else { return Err("an array without lengths".to_owned()) };
        let array = self.new_array(ty, *first)?;
        let JavaType::Array(element) = ty else { return Err("more lengths than dimensions".to_owned()) };
        if rest.is_empty() {
            return Ok(array);
        }
        let counter = Operand::Local(self.local("index".to_owned(), Kind::Int));
        self.store(counter, Operand::int(32, 0));
        let [head, body, done] = [(); 3].map(|()| self.builder.block());
        self.builder.jump(head);
        self.builder.switch_to(head);
        let index = self.load(counter, Type::Int(32));
        let goes_on = self.binary(BinaryOp::Slt, index, *first);
        self.branch(goes_on, body, done);
        self.builder.switch_to(body);
        let inner = self.nested_arrays(element, rest)?;
        let index = self.load(counter, Type::Int(32));
        let place = self.element_place(array, index, element.bytes());
        self.store(place, inner);
        let next = self.binary(BinaryOp::Add, index, Operand::int(32, 1));
        self.store(counter, next);
        self.builder.jump(head);
        self.builder.switch_to(done);
        Ok(array)
    }
}

/// The type of the element that an instruction accesses, and whether it reads it. A `boolean` lies as a `byte` does.
fn element_access(opcode: &Opcode<'_>) -> Option<(JavaType, bool)> {
    let object = || JavaType::Class(crate::world::OBJECT.to_owned());
    Some(match opcode {
        Opcode::Baload => (JavaType::Byte, true),
        Opcode::Caload => (JavaType::Char, true),
        Opcode::Saload => (JavaType::Short, true),
        Opcode::Iaload => (JavaType::Int, true),
        Opcode::Laload => (JavaType::Long, true),
        Opcode::Faload => (JavaType::Float, true),
        Opcode::Daload => (JavaType::Double, true),
        Opcode::Aaload => (object(), true),
        Opcode::Bastore => (JavaType::Byte, false),
        Opcode::Castore => (JavaType::Char, false),
        Opcode::Sastore => (JavaType::Short, false),
        Opcode::Iastore => (JavaType::Int, false),
        Opcode::Lastore => (JavaType::Long, false),
        Opcode::Fastore => (JavaType::Float, false),
        Opcode::Dastore => (JavaType::Double, false),
        Opcode::Aastore => (object(), false),
        _ => return None,
    })
}

fn primitive(ty: PrimitiveArrayType) -> JavaType {
    match ty {
        PrimitiveArrayType::Boolean => JavaType::Boolean,
        PrimitiveArrayType::Char => JavaType::Char,
        PrimitiveArrayType::Float => JavaType::Float,
        PrimitiveArrayType::Double => JavaType::Double,
        PrimitiveArrayType::Byte => JavaType::Byte,
        PrimitiveArrayType::Short => JavaType::Short,
        PrimitiveArrayType::Int => JavaType::Int,
        PrimitiveArrayType::Long => JavaType::Long,
    }
}

/// The type that an operand of an instruction names.
pub(super) fn class_constant(ty: &ObjectArrayType<'_>) -> JavaType {
    match ty {
        ObjectArrayType::ArrayType(descriptor) => JavaType::of_class_constant(&descriptor.to_string()),
        ObjectArrayType::BinaryName(name) => JavaType::Class(name.to_string()),
    }
}
