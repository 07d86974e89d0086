//! C types and layouts.

use super::unit::UnitLowering;
use clew_ir::{BitField, CType, CTypeId, Field, FloatKind, RecordId, Type};
use clew_scalar::Format;
use rucc_types::{ArrayLen, IntKind, Layout, Qualifiers, RecordKind, TypeId, TypeKind};

/// How values of a C type are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `void` and functions: no value.
    None,
    /// In a temporary. `_Bool` is an `Int(8)` that is 0 or 1.
    Scalar(Type),
    /// In memory, by address: arrays, records, complex numbers, vectors.
    Aggregate,
    /// Not at all.
    Unsupported,
}

impl UnitLowering<'_> {
    /// What a type is behind typedef names, qualifiers, `_Atomic` and enumerations.
    pub(crate) fn kind(&self, ty: TypeId) -> TypeKind {
        let types = &self.checked.types;
        match types.kind(types.canonical(ty)) {
            TypeKind::Atomic(inner) => self.kind(inner),
            TypeKind::Enum(id) => {
                types.enum_info(id).underlying.map_or(TypeKind::Int(IntKind::Int), |ty| self.kind(ty))
            }
            kind => kind,
        }
    }

    /// How values of the type are handled.
    pub(crate) fn shape(&self, ty: TypeId) -> Shape {
        match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => Shape::None,
            TypeKind::Bool => Shape::Scalar(Type::Int(8)),
            TypeKind::Int(kind) => Shape::Scalar(Type::Int(self.int_width(kind))),
            TypeKind::BitInt { width, .. } if width <= 128 => Shape::Scalar(Type::Int(width as u8)),
            TypeKind::BitInt { .. } => Shape::Unsupported,
            TypeKind::Float(kind) => match self.format(kind) {
                Some(format) => Shape::Scalar(Type::Float(format)),
                None => Shape::Unsupported,
            },
            TypeKind::Pointer(_) => Shape::Scalar(Type::Pointer),
            _ => Shape::Aggregate,
        }
    }

    /// The machine type of a scalar type.
    pub(crate) fn scalar(&self, ty: TypeId) -> Option<Type> {
        match self.shape(ty) {
            Shape::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    pub(crate) fn is_aggregate(&self, ty: TypeId) -> bool {
        self.shape(ty) == Shape::Aggregate
    }

    pub(crate) fn is_bool(&self, ty: TypeId) -> bool {
        self.kind(ty) == TypeKind::Bool
    }

    pub(crate) fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Pointer(_))
    }

    pub(crate) fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Float(_))
    }

    pub(crate) fn is_complex(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Complex(_))
    }

    pub(crate) fn is_vector(&self, ty: TypeId) -> bool {
        matches!(self.kind(ty), TypeKind::Vector { .. })
    }

    /// Whether an integer type is signed; false for everything else.
    pub(crate) fn is_signed(&self, ty: TypeId) -> bool {
        match self.kind(ty) {
            TypeKind::Int(kind) => kind.is_signed(self.checked.target.char_is_signed),
            TypeKind::BitInt { signed, .. } => signed,
            _ => false,
        }
    }

    pub(crate) fn is_volatile(&self, ty: TypeId) -> bool {
        self.checked.types.object_quals(ty).has(Qualifiers::VOLATILE)
            || self.checked.types.object_quals(self.checked.types.canonical(ty)).has(Qualifiers::VOLATILE)
    }

    pub(crate) fn is_const(&self, ty: TypeId) -> bool {
        self.checked.types.object_quals(self.checked.types.canonical(ty)).has(Qualifiers::CONST)
    }

    fn int_width(&self, kind: IntKind) -> u8 {
        rucc_types::int_width(kind, &self.checked.target) as u8
    }

    /// The machine format of a floating type.
    pub(crate) fn format(&self, kind: rucc_types::FloatKind) -> Option<Format> {
        use rucc_base::float::Format as Rucc;
        match rucc_types::float_format(kind, &self.checked.target) {
            Rucc::Half => Some(Format::HALF),
            Rucc::Single => Some(Format::SINGLE),
            Rucc::Double => Some(Format::DOUBLE),
            Rucc::X87Extended => Some(Format::EXTENDED),
            Rucc::Quad => Some(Format::QUAD),
            _ => None,
        }
    }

    /// Size and alignment, if they are known before the program runs.
    pub(crate) fn layout(&self, ty: TypeId) -> Option<Layout> {
        rucc_types::layout(&self.checked.types, ty, &self.checked.target).ok()
    }

    /// Size in bytes; 1 for `void` and functions, as GNU C counts them.
    pub(crate) fn size(&self, ty: TypeId) -> u64 {
        match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => 1,
            _ => self.layout(ty).map_or(0, |layout| layout.size),
        }
    }

    /// Alignment in bytes.
    pub(crate) fn align(&self, ty: TypeId) -> u64 {
        rucc_types::align(&self.checked.types, ty, &self.checked.target).unwrap_or(1)
    }

    /// Whether the size depends on values of the program.
    pub(crate) fn is_variable(&self, ty: TypeId) -> bool {
        let error = rucc_types::layout(&self.checked.types, ty, &self.checked.target);
        error == Err(rucc_types::LayoutError::Variable)
    }

    /// What a pointer or array is of.
    pub(crate) fn pointee(&self, ty: TypeId) -> Option<TypeId> {
        match self.kind(ty) {
            TypeKind::Pointer(to) => Some(to),
            TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } => Some(elem),
            _ => None,
        }
    }

    /// The type as the program keeps it.
    pub(crate) fn ctype(&mut self, ty: TypeId) -> CTypeId {
        if let Some(&id) = self.ctypes.get(&ty) {
            return id;
        }
        let quals = self.checked.types.quals(ty);
        let unqualified = self.unqualified_ctype(ty);
        let id = if quals.is_none() {
            unqualified
        } else {
            let qualified = CType::Qualified {
                of: unqualified,
                is_const: quals.has(Qualifiers::CONST),
                is_volatile: quals.has(Qualifiers::VOLATILE),
                is_restrict: quals.has(Qualifiers::RESTRICT),
            };
            self.intern(qualified)
        };
        self.ctypes.insert(ty, id);
        id
    }

    pub(crate) fn intern(&mut self, ty: CType) -> CTypeId {
        self.linker.intern(&mut self.program.ctypes, ty)
    }

    fn unqualified_ctype(&mut self, ty: TypeId) -> CTypeId {
        let checked = self.checked;
        let new = match checked.types.kind(ty) {
            TypeKind::Void => CType::Void,
            TypeKind::Bool => CType::Bool,
            TypeKind::Int(kind) => {
                let signed = kind.is_signed(checked.target.char_is_signed);
                CType::Int { width: self.int_width(kind), signed, name: kind.as_str() }
            }
            TypeKind::Float(kind) => self.float_ctype(kind, ty),
            TypeKind::Pointer(to) => CType::Pointer(self.ctype(to)),
            TypeKind::Atomic(inner) if self.is_aggregate(inner) => return self.ctype(inner),
            // Spelled as it is, and otherwise as what is atomic.
            TypeKind::Atomic(inner) => {
                let name = format!("_Atomic({})", rucc_types::spell(&checked.types, &checked.names, inner));
                CType::Typedef { name, of: self.ctype(inner) }
            }
            TypeKind::Array { elem, len } => {
                let len = if let ArrayLen::Fixed(len) = len { Some(len) } else { None };
                CType::Array { of: self.ctype(elem), len }
            }
            TypeKind::Function(id) => {
                let signature = checked.types.signature(id);
                CType::Function {
                    returns: self.ctype(signature.ret),
                    params: signature.params.iter().map(|&param| self.ctype(param)).collect(),
                    variadic: signature.variadic || !signature.prototyped,
                }
            }
            TypeKind::Record(id) => CType::Record(self.record(id)),
            TypeKind::Enum(id) => self.enum_ctype(id),
            TypeKind::Typedef { name, underlying, .. } => {
                let of = self.ctype(underlying);
                CType::Typedef { name: checked.names.resolve(name).to_owned(), of }
            }
            TypeKind::Complex(_) | TypeKind::BitInt { .. } | TypeKind::Vector { .. } => {
                CType::Unsupported(rucc_types::spell(&checked.types, &checked.names, ty))
            }
        };
        self.intern(new)
    }

    fn float_ctype(&self, kind: rucc_types::FloatKind, ty: TypeId) -> CType {
        let Some(format) = self.format(kind) else { return CType::Unsupported(kind.as_str().to_owned()) };
        let size = self.size(ty) as u8;
        let kind = match kind {
            rucc_types::FloatKind::Float => FloatKind::Float,
            rucc_types::FloatKind::Double => FloatKind::Double,
            rucc_types::FloatKind::LongDouble => FloatKind::LongDouble,
            other => FloatKind::Other(other.as_str()),
        };
        CType::Float { kind, format, size }
    }

    fn enum_ctype(&mut self, id: rucc_types::EnumId) -> CType {
        let checked = self.checked;
        let info = checked.types.enum_info(id);
        let underlying = info.underlying.unwrap_or_else(|| checked.types.int(IntKind::Int));
        CType::Enum {
            tag: info.tag.map(|tag| checked.names.resolve(tag).to_owned()),
            underlying: self.ctype(underlying),
            enumerators: info
                .enumerators
                .iter()
                .map(|enumerator| (checked.names.resolve(enumerator.name).to_owned(), enumerator.value))
                .collect(),
            is_closed: false,
        }
    }

    fn record(&mut self, id: rucc_types::RecordId) -> RecordId {
        if let Some(&known) = self.records.get(&id) {
            return known;
        }
        let checked = self.checked;
        let (record, is_new) = self.linker.record(&mut self.program.ctypes, signature(checked, id));
        self.records.insert(id, record);
        if is_new {
            let info = checked.types.record_info(id);
            let fields = info.fields.iter().map(|field| self.field(field)).collect();
            let new = &mut self.program.ctypes.records[record];
            new.tag = info.tag.map(|tag| checked.names.resolve(tag).to_owned());
            new.is_union = info.kind == RecordKind::Union;
            if let Some(layout) = info.layout {
                new.is_complete = info.variable.is_none();
                new.size = layout.size;
                new.align = layout.align;
                new.fields = fields;
            }
        }
        record
    }

    fn field(&mut self, field: &rucc_types::Field) -> Field {
        let bits = field.bits.map(|width| BitField { offset: field.bit as u8, width: width as u8 });
        let name = field.name.map_or("", |name| self.checked.names.resolve(name)).to_owned();
        Field { name, ty: self.ctype(field.ty), offset: field.offset, bits }
    }
}

/// What makes a record the same in two units.
fn signature(checked: &crate::unit::Checked, id: rucc_types::RecordId) -> String {
    use std::fmt::Write;
    let info = checked.types.record_info(id);
    let tag = info.tag.map_or("", |tag| checked.names.resolve(tag));
    let mut text = format!("{} {tag} {:?}", info.kind.as_str(), info.layout);
    if info.tag.is_none() {
        // Records without a tag are told apart by the names that typedefs give them.
        let names_it = |of: TypeId| matches!(checked.types.kind(of), TypeKind::Record(named) if named == id);
        let name = checked.types.aliases().iter().find(|alias| names_it(alias.of)).map(|alias| alias.name);
        text.push_str(name.map_or("", |name| checked.names.resolve(name)));
    }
    for field in &info.fields {
        let name = field.name.map_or("", |name| checked.names.resolve(name));
        let ty = rucc_types::spell(&checked.types, &checked.names, checked.types.canonical(field.ty));
        let size = rucc_types::layout(&checked.types, field.ty, &checked.target).map_or(0, |layout| layout.size);
        let nameless = nameless_record(checked, field.ty).map_or_else(String::new, |id| signature(checked, id));
        write!(text, ";{name}:{ty}({nameless}):{size}@{}.{}:{:?}", field.offset, field.bit, field.bits)
            .expect("writing to a string cannot fail");
    }
    text
}

/// The record without a tag that a type is, leads to or has as elements: its spelling says nothing of its members.
fn nameless_record(checked: &crate::unit::Checked, mut ty: TypeId) -> Option<rucc_types::RecordId> {
    loop {
        ty = match checked.types.kind(checked.types.canonical(ty)) {
            TypeKind::Pointer(to) => to,
            TypeKind::Array { elem, .. } | TypeKind::Vector { elem, .. } => elem,
            TypeKind::Record(id) => return checked.types.record_info(id).tag.is_none().then_some(id),
            _ => return None,
        };
    }
}
