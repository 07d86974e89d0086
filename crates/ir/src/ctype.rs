//! C types with their layout.
//!
//! Instructions work on machine scalars ([`crate::Type`]); the C types are kept beside them because inputs, tests and
//! reports speak C: they say how an object is built from parts, how it is spelled, and which values it may hold.

use crate::arena::{Arena, Id};
use clew_scalar::Format;

/// Index of a [`CType`].
pub type CTypeId = Id<CType>;
/// Index of a [`Record`].
pub type RecordId = Id<Record>;

/// C's floating types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatKind {
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`
    LongDouble,
    /// Any other spelling, such as `_Float128`.
    Other(&'static str),
}

/// A C type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CType {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// An integer type; `name` is its C spelling, such as `unsigned long`.
    Int {
        /// Width in bits.
        width: u8,
        /// Whether it is signed.
        signed: bool,
        /// C spelling.
        name: &'static str,
    },
    /// A real floating type.
    Float {
        /// Which of C's types.
        kind: FloatKind,
        /// Its machine format.
        format: Format,
        /// Size in memory, in bytes.
        size: u8,
    },
    /// An enumeration.
    Enum {
        /// The tag, if it has one.
        tag: Option<String>,
        /// The integer type it is compatible with.
        underlying: CTypeId,
        /// Names and values.
        enumerators: Vec<(String, i128)>,
        /// Whether it holds no other values: an enumeration of C may.
        is_closed: bool,
    },
    /// A pointer.
    Pointer(CTypeId),
    /// An array; without a length it is incomplete, flexible or of variable length.
    Array {
        /// Element type.
        of: CTypeId,
        /// Number of elements.
        len: Option<u64>,
    },
    /// A structure or union.
    Record(RecordId),
    /// A function.
    Function {
        /// What it returns.
        returns: CTypeId,
        /// Parameter types.
        params: Vec<CTypeId>,
        /// Whether it ends in `...`.
        variadic: bool,
    },
    /// A name given by `typedef`.
    Typedef {
        /// The name.
        name: String,
        /// What it stands for.
        of: CTypeId,
    },
    /// A qualified type.
    Qualified {
        /// The unqualified type.
        of: CTypeId,
        /// `const`
        is_const: bool,
        /// `volatile`
        is_volatile: bool,
        /// `restrict`
        is_restrict: bool,
    },
    /// A type no engine handles (complex, vector, ...), by its spelling.
    Unsupported(String),
}

/// A structure or union type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Record {
    /// The tag, if it has one.
    pub tag: Option<String>,
    /// Whether it is a union.
    pub is_union: bool,
    /// Whether its members are known.
    pub is_complete: bool,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Members in order; anonymous ones have an empty name.
    pub fields: Vec<Field>,
}

/// A member of a [`Record`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its name, empty for anonymous members.
    pub name: String,
    /// Its type.
    pub ty: CTypeId,
    /// Offset in bytes; for bit-fields, of the byte that holds the lowest bit.
    pub offset: u64,
    /// Set for bit-fields.
    pub bits: Option<BitField>,
}

/// Where a bit-field lies, counted from [`Field::offset`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitField {
    /// Lowest bit, 0..8.
    pub offset: u8,
    /// Number of bits.
    pub width: u8,
}

/// All C types of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CTypes {
    /// The types.
    pub types: Arena<CType>,
    /// Structures and unions.
    pub records: Arena<Record>,
}

impl CTypes {
    /// The type without typedef names and qualifiers.
    pub fn resolve(&self, mut id: CTypeId) -> CTypeId {
        while let CType::Typedef { of, .. } | CType::Qualified { of, .. } = &self.types[id] {
            id = *of;
        }
        id
    }

    /// The type behind typedef names and qualifiers.
    pub fn get(&self, id: CTypeId) -> &CType {
        &self.types[self.resolve(id)]
    }

    /// Size in bytes, if the type is complete and of fixed size.
    pub fn size_of(&self, id: CTypeId, pointer_bytes: u64) -> Option<u64> {
        match self.get(id) {
            CType::Void | CType::Function { .. } | CType::Unsupported(_) => None,
            CType::Bool => Some(1),
            CType::Int { width, .. } => Some(u64::from(*width) / 8),
            CType::Float { size, .. } => Some(u64::from(*size)),
            CType::Enum { underlying, .. } => self.size_of(*underlying, pointer_bytes),
            CType::Pointer(_) => Some(pointer_bytes),
            CType::Array { of, len } => self.size_of(*of, pointer_bytes)?.checked_mul((*len)?),
            CType::Record(record) => self.records[*record].is_complete.then_some(self.records[*record].size),
            CType::Typedef { .. } | CType::Qualified { .. } => unreachable!("resolve strips names and qualifiers"),
        }
    }

    /// Alignment in bytes, as far as the type itself says: that of its size for a scalar.
    pub fn align_of(&self, id: CTypeId, pointer_bytes: u64) -> u64 {
        match self.get(id) {
            CType::Array { of, .. } => self.align_of(*of, pointer_bytes),
            CType::Record(record) => self.records[*record].align.max(1),
            _ => self.size_of(id, pointer_bytes).map_or(1, |size| 1 << size.max(1).trailing_zeros()),
        }
    }

    /// Whether a type is the compiler's own record behind `va_list`, which C cannot name.
    pub fn is_va_list_record(&self, id: CTypeId) -> bool {
        let CType::Record(record) = self.get(id) else { return false };
        self.records[*record].tag.as_deref() == Some("__va_list_tag")
    }

    /// Whether the type carries a qualifier on its outermost level, looking through typedef names.
    pub fn is_const(&self, mut id: CTypeId) -> bool {
        loop {
            match &self.types[id] {
                CType::Qualified { is_const: true, .. } => return true,
                CType::Typedef { of, .. } | CType::Qualified { of, .. } => id = *of,
                _ => return false,
            }
        }
    }

    /// Whether the type is signed, for integers and what behaves like them.
    pub fn is_signed(&self, id: CTypeId) -> bool {
        match self.get(id) {
            CType::Int { signed, .. } => *signed,
            CType::Enum { underlying, .. } => self.is_signed(*underlying),
            _ => false,
        }
    }
}
