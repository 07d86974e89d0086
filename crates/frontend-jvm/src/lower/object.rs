//! Objects: fields, new ones, tests of their class.

use super::array::class_constant;
use super::body::Body;
use super::{CLASS_OBJECT, Key, Lower, Lowering};
use crate::descriptor::JavaType;
use crate::types::{CLASS_AT, Kind};
use crate::world::ClassId;
use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::MemberRef;
use clew_ir::{Callee, InstKind, Operand, Type};
use clew_scalar::{BinaryOp, Conversion};

/// Classes that the JVM initialises before any code of the user runs, and whose initialisation needs the JVM.
const INITIALISED: [&str; 6] = [
    "java/lang/Object",
    "java/lang/String",
    "java/lang/Class",
    "java/lang/System",
    "java/lang/Thread",
    "java/lang/Throwable",
];

impl Lowering {
    /// Whether using a class runs code that initialises it.
    pub(super) fn has_initialiser(&self, class: ClassId) -> bool {
        self.shown_by.is_none()
            && self.world.chain(class).into_iter().any(|class| {
                let data = &self.world.get(class).class;
                data.method("<clinit>", "()V").is_some() && !INITIALISED.contains(&data.name.as_str())
            })
    }

    /// The object that `C.class` gives. It is known by its address alone.
    pub(super) fn class_object(&self, class: ClassId) -> Operand {
        Operand::Global(self.class_objects, i64::from(class.0) * CLASS_OBJECT)
    }
}

impl Body<'_, '_> {
    /// Lowers an instruction of this family; says whether it was one.
    pub(super) fn object_instruction(&mut self, opcode: &Opcode<'_>) -> Lower<bool> {
        match opcode {
            Opcode::Getfield(member) => self.get_field(member)?,
            Opcode::Putfield(member) => self.put_field(member)?,
            Opcode::Getstatic(member) => self.get_static(member)?,
            Opcode::Putstatic(member) => self.put_static(member)?,
            Opcode::New(name) => {
                let class = self.lowering.world.load(name)?;
                self.initialise(class)?;
                let object = self.new_object(name)?;
                self.push(Kind::Reference, object);
            }
            Opcode::Instanceof(ty) => self.instance_of(&class_constant(ty))?,
            Opcode::Checkcast(ty) => self.check_cast(&class_constant(ty))?,
            Opcode::Monitorenter | Opcode::Monitorexit => {
                let object = self.pop(Kind::Reference)?;
                self.demand_object(object)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The class that declares a field, and the type of the field.
    fn resolve_field(&mut self, member: &MemberRef<'_>, is_static: bool) -> Lower<(ClassId, JavaType)> {
        let class = self.lowering.world.load(&member.class_name)?;
        let name_and_type = &member.name_and_type;
        let found = self.lowering.world.field(class, &name_and_type.name, &name_and_type.descriptor);
        let missing = || format!("field {}.{}, which is missing", member.class_name, name_and_type.name);
        let (owner, field) = found.filter(|(_, field)| field.is_static == is_static).ok_or_else(missing)?;
        Ok((owner, field.ty.clone()))
    }

    /// The place of a field of the object on the stack.
    fn field_of(&mut self, member: &MemberRef<'_>) -> Lower<(Operand, JavaType)> {
        let (owner, ty) = self.resolve_field(member, false)?;
        if self.lowering.world.get(owner).class.name == "java/lang/Class" {
            return Err(format!("the field `{}` of a class", member.name_and_type.name));
        }
        // Its type has a record, so that inputs can be made of it.
        self.lowering.types.of(&mut self.lowering.program, &ty);
        let at = self.lowering.offset(owner, &member.name_and_type.name);
        let object = self.pop(Kind::Reference)?;
        self.demand_object(object)?;
        Ok((self.field_place(object, at), ty))
    }

    fn get_field(&mut self, member: &MemberRef<'_>) -> Lower {
        let (place, ty) = self.field_of(member)?;
        let value = match (&*member.class_name, &*member.name_and_type.name) {
            // The hash code of a string is cached; what is not cached is computed.
            ("java/lang/String", "hash" | "hashIsZero") => Operand::int(32, 0),
            _ => self.load_as(place, &ty),
        };
        self.assume_of_library(member, value);
        self.push(Kind::of(&ty), value);
        Ok(())
    }

    /// What the classes of the JDK keep true of their own fields.
    fn assume_of_library(&mut self, member: &MemberRef<'_>, value: Operand) {
        let holds = match (&*member.class_name, &*member.name_and_type.name) {
            ("java/lang/String", "value") => self.binary(BinaryOp::Ne, value, Operand::Null),
            ("java/lang/String", "coder") => self.binary(BinaryOp::Ult, value, Operand::int(32, 2)),
            _ => return,
        };
        self.assume(holds);
    }

    fn put_field(&mut self, member: &MemberRef<'_>) -> Lower {
        let (_, ty) = self.resolve_field(member, false)?;
        let value = self.pop(Kind::of(&ty))?;
        let (place, ty) = self.field_of(member)?;
        self.store_as(place, &ty, value);
        Ok(())
    }

    fn static_place(&mut self, member: &MemberRef<'_>) -> Lower<(Operand, JavaType)> {
        let (owner, ty) = self.resolve_field(member, true)?;
        self.initialise(owner)?;
        let global = self.lowering.static_field(owner, &member.name_and_type.name)?;
        Ok((Operand::Global(global, 0), ty))
    }

    fn get_static(&mut self, member: &MemberRef<'_>) -> Lower {
        let (place, ty) = self.static_place(member)?;
        let value = self.load_as(place, &ty);
        self.push(Kind::of(&ty), value);
        Ok(())
    }

    fn put_static(&mut self, member: &MemberRef<'_>) -> Lower {
        let (place, ty) = self.static_place(member)?;
        let value = self.pop(Kind::of(&ty))?;
        self.store_as(place, &ty, value);
        Ok(())
    }

    /// Initialises a class that is about to be used, unless the running code belongs to it.
    pub(super) fn initialise(&mut self, class: ClassId) -> Lower {
        if self.lowering.world.is_subtype(self.class, class) || !self.lowering.has_initialiser(class) {
            return Ok(());
        }
        let initialise = self.lowering.function(Key::Initialise(class));
        let ty = self.lowering.program.functions[initialise].ty;
        let callee = Callee::Direct(initialise);
        self.builder.emit(InstKind::Call { dest: None, callee, args: Vec::new(), ty, check: None });
        Ok(())
    }

    /// A new object of a class, with zeros in its fields.
    pub(super) fn new_object(&mut self, name: &str) -> Lower<Operand> {
        let class = self.lowering.world.load(name)?;
        self.lowering.instantiated.insert(class);
        let make = self.lowering.function(Key::New(class));
        let ty = self.lowering.program.functions[make].ty;
        let callee = Callee::Direct(make);
        let call = |dest| InstKind::Call { dest: Some(dest), callee, args: Vec::new(), ty, check: None };
        let object = self.builder.define(Type::Pointer, call);
        if let Operand::Temp(temp) = object {
            self.objects.insert(temp);
        }
        Ok(object)
    }

    /// The number of the class of an object that is not null.
    pub(super) fn class_of(&mut self, object: Operand) -> Operand {
        let place = self.field_place(object, CLASS_AT);
        self.load(place, Type::Int(32))
    }

    pub(super) fn instance_of(&mut self, ty: &JavaType) -> Lower {
        let object = self.pop(Kind::Reference)?;
        let result = Operand::Local(self.local("instance".to_owned(), Kind::Int));
        self.store(result, Operand::int(32, 0));
        let [there, done] = [(); 2].map(|()| self.builder.block());
        let is_object = self.binary(BinaryOp::Ne, object, Operand::Null);
        self.branch(is_object, there, done);
        self.builder.switch_to(there);
        let fits = self.fits(object, ty)?;
        let number = self.convert(Conversion::ZeroExtend(32), fits, Type::Int(32));
        self.store(result, number);
        self.builder.jump(done);
        self.builder.switch_to(done);
        let value = self.load(result, Type::Int(32));
        self.push(Kind::Int, value);
        Ok(())
    }

    /// Whether an object that is not null is of a type.
    fn fits(&mut self, object: Operand, ty: &JavaType) -> Lower<Operand> {
        let number = self.class_of(object);
        // Inputs may be of the type that is asked for.
        self.lowering.types.of(&mut self.lowering.program, ty);
        self.is_subtype(number, &ty.class_name())
    }

    pub(super) fn check_cast(&mut self, ty: &JavaType) -> Lower {
        let object = self.pop(Kind::Reference)?;
        let [there, done] = [(); 2].map(|()| self.builder.block());
        let is_object = self.binary(BinaryOp::Ne, object, Operand::Null);
        self.branch(is_object, there, done);
        self.builder.switch_to(there);
        let fits = self.fits(object, ty)?;
        self.throw_unless(fits, "java/lang/ClassCastException")?;
        self.builder.jump(done);
        self.builder.switch_to(done);
        self.push(Kind::Reference, object);
        Ok(())
    }
}
