//! Types of Java in the program: scalars, and records for what references lead to.
//!
//! An object is a record whose first word is the number of its class. Fields lie at offsets that no two fields of the
//! program share, so that a record of a class can hold what its subclasses add: what a reference of the input leads to is
//! of any of them. Only fields that code uses have an offset. An array is a record of its class, its length and the
//! elements, as a structure of C with a flexible member.

use crate::descriptor::JavaType;
use clew_ir::{CType, CTypeId, Field, FloatKind, Program, Record, RecordId, Type};
use clew_scalar::Format;
use std::collections::BTreeMap;

/// Where the number of the class lies in every object.
pub const CLASS_AT: u64 = 0;
/// Where the length of an array lies.
pub const LENGTH_AT: u64 = 4;
/// Where the elements of an array begin, and the fields of other objects.
pub const HEADER_BYTES: u64 = 8;

/// What the operand stack and local variables hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// `int` and everything narrower.
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// A reference.
    Reference,
}

impl Kind {
    /// The kind of values of a type.
    pub(crate) fn of(ty: &JavaType) -> Kind {
        match ty {
            JavaType::Long => Kind::Long,
            JavaType::Float => Kind::Float,
            JavaType::Double => Kind::Double,
            JavaType::Class(_) | JavaType::Array(_) => Kind::Reference,
            _ => Kind::Int,
        }
    }

    /// The type of its temporaries.
    pub(crate) fn ty(self) -> Type {
        match self {
            Kind::Int => Type::Int(32),
            Kind::Long => Type::Int(64),
            Kind::Float => Type::Float(Format::SINGLE),
            Kind::Double => Type::Float(Format::DOUBLE),
            Kind::Reference => Type::Pointer,
        }
    }

    /// Whether it takes two entries of the operand stack.
    pub(crate) fn is_wide(self) -> bool {
        matches!(self, Kind::Long | Kind::Double)
    }
}

/// The C types that stand for types of Java.
#[derive(Debug)]
pub(crate) struct Types {
    /// `void`
    pub void: CTypeId,
    /// A pointer of which nothing is known.
    pub any: CTypeId,
    /// The same to what is not written.
    pub unwritten: CTypeId,
    scalars: BTreeMap<JavaType, CTypeId>,
    /// What references of a type lead to, by the name of its class.
    records: BTreeMap<String, (RecordId, CTypeId)>,
    pointers: BTreeMap<String, CTypeId>,
}

impl Types {
    /// Adds the types that every program has.
    pub(crate) fn new(program: &mut Program) -> Types {
        let types = &mut program.ctypes.types;
        let void = types.push(CType::Void);
        let any = types.push(CType::Pointer(void));
        let unwritten =
            types.push(CType::Qualified { of: void, is_const: true, is_volatile: false, is_restrict: false });
        let unwritten = types.push(CType::Pointer(unwritten));
        // What is behind a pointer of unknown type are bytes.
        types.push(CType::Int { width: 8, signed: false, name: "unsigned char" });
        let mut int = |width, signed, name| types.push(CType::Int { width, signed, name });
        let mut scalars = BTreeMap::from([
            (JavaType::Byte, int(8, true, "byte")),
            (JavaType::Char, int(16, false, "char")),
            (JavaType::Short, int(16, true, "short")),
            (JavaType::Int, int(32, true, "int")),
            (JavaType::Long, int(64, true, "long")),
        ]);
        scalars.insert(JavaType::Boolean, types.push(CType::Bool));
        let mut float = |kind, format, size| types.push(CType::Float { kind, format, size });
        scalars.insert(JavaType::Float, float(FloatKind::Float, Format::SINGLE, 4));
        scalars.insert(JavaType::Double, float(FloatKind::Double, Format::DOUBLE, 8));
        Types { void, any, unwritten, scalars, records: BTreeMap::new(), pointers: BTreeMap::new() }
    }

    /// The C type of a type of Java.
    pub(crate) fn of(&mut self, program: &mut Program, ty: &JavaType) -> CTypeId {
        if let Some(scalar) = self.scalars.get(ty) {
            return *scalar;
        }
        let name = ty.class_name();
        if let Some(pointer) = self.pointers.get(&name) {
            return *pointer;
        }
        let (_, record) = self.record(program, &name);
        let pointer = program.ctypes.types.push(CType::Pointer(record));
        self.pointers.insert(name, pointer);
        pointer
    }

    /// The type of a local variable or of an entry of the operand stack.
    pub(crate) fn of_kind(&self, kind: Kind) -> CTypeId {
        match kind {
            Kind::Int => self.scalars[&JavaType::Int],
            Kind::Long => self.scalars[&JavaType::Long],
            Kind::Float => self.scalars[&JavaType::Float],
            Kind::Double => self.scalars[&JavaType::Double],
            Kind::Reference => self.any,
        }
    }

    /// The record of objects of a class, whose members are not known before the whole program is.
    pub(crate) fn record(&mut self, program: &mut Program, name: &str) -> (RecordId, CTypeId) {
        if let Some(known) = self.records.get(name) {
            return *known;
        }
        let tag = Some(name.replace('/', "."));
        let empty = Record { tag, is_union: false, is_complete: false, size: 0, align: 8, fields: Vec::new() };
        let record = program.ctypes.records.push(empty);
        let ty = program.ctypes.types.push(CType::Record(record));
        self.records.insert(name.to_owned(), (record, ty));
        (record, ty)
    }

    /// Names of all classes that references of the program may lead to.
    pub(crate) fn record_names(&self) -> Vec<String> {
        self.records.keys().cloned().collect()
    }

    /// The type of a class number that is one of a set.
    pub(crate) fn class_numbers(&self, program: &mut Program, name: &str, numbers: Vec<(String, u32)>) -> CTypeId {
        let enumerators = numbers.into_iter().map(|(name, number)| (name, i128::from(number))).collect();
        let tag = Some(format!("class of {}", name.replace('/', ".")));
        let underlying = self.scalars[&JavaType::Int];
        program.ctypes.types.push(CType::Enum { tag, underlying, enumerators, is_closed: true })
    }

    /// Completes the record of a class.
    pub(crate) fn complete(&mut self, program: &mut Program, name: &str, class: CTypeId, fields: Vec<Field>) {
        let (record, _) = self.record(program, name);
        let header = Field { name: "class".to_owned(), ty: class, offset: CLASS_AT, bits: None };
        let mut all = vec![header];
        if let Some(JavaType::Array(element)) = name.starts_with('[').then(|| JavaType::parse(name)).flatten() {
            let (length, of) = (self.scalars[&JavaType::Int], self.of(program, &element));
            let elements = program.ctypes.types.push(CType::Array { of, len: None });
            all.push(Field { name: "length".to_owned(), ty: length, offset: LENGTH_AT, bits: None });
            all.push(Field { name: "elements".to_owned(), ty: elements, offset: HEADER_BYTES, bits: None });
        }
        all.extend(fields);
        let end = |field: &Field| field.offset + program.ctypes.size_of(field.ty, 8).unwrap_or(0);
        let size = all.iter().map(end).max().unwrap_or(0).max(HEADER_BYTES).next_multiple_of(8);
        let record = &mut program.ctypes.records[record];
        (record.fields, record.size, record.is_complete) = (all, size, true);
    }
}
