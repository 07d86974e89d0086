//! The scalar parts of C objects: which one covers a byte, and what it is called.

use clew_ir::{CType, CTypeId, CTypes, Record, Target};
use clew_scalar::Format;

/// Bytes of x87 extended floats that hold the number.
const EXTENDED_BYTES: u64 = 10;

/// A scalar part of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Where it starts.
    pub at: u64,
    /// Its bytes.
    pub bytes: u64,
    /// Its C type: never an array or a record.
    pub ty: CTypeId,
    /// How C reaches it from the object, such as `[2].x`.
    pub path: String,
}

/// What an access reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Where it starts.
    pub at: u64,
    /// Its bytes.
    pub bytes: u64,
    /// Whether it is a pointer.
    pub pointer: bool,
}

/// The scalar part of an object of type `ty` that covers a byte, or `None` for padding. Of a union, the member that is
/// what an access wants, or else the first that covers the byte; bit-fields are covered by the bytes of the integer they
/// share.
pub fn covering(ctypes: &CTypes, target: Target, ty: CTypeId, at: u64, wanted: Option<Wanted>) -> Option<Part> {
    let whole = Part { at: 0, bytes: ctypes.size_of(ty, target.pointer_bytes())?, ty, path: String::new() };
    let parts = all(ctypes, target, whole, at);
    let is_pointer = |part: &Part| matches!(ctypes.get(part.ty), CType::Pointer(_));
    let fits = |part: &Part| {
        wanted
            .is_some_and(|wanted| (part.at, part.bytes, is_pointer(part)) == (wanted.at, wanted.bytes, wanted.pointer))
    };
    parts.iter().find(|part| fits(part)).or(parts.first()).cloned()
}

/// The member without a length that a structure ends in: where it starts, the type of its elements, its name.
pub fn tail(ctypes: &CTypes, ty: CTypeId) -> Option<(u64, CTypeId, &str)> {
    let CType::Record(record) = ctypes.get(ty) else { return None };
    let last = ctypes.records[*record].fields.last().filter(|_| !ctypes.records[*record].is_union)?;
    match *ctypes.get(last.ty) {
        CType::Array { of, len: None | Some(0) } => Some((last.offset, of, &last.name)),
        _ => None,
    }
}

/// The types that pointers lead to that an object of type `ty` has at a byte: several where a union has them.
pub fn pointees(ctypes: &CTypes, target: Target, ty: CTypeId, at: u64) -> Vec<CTypeId> {
    let Some(bytes) = ctypes.size_of(ty, target.pointer_bytes()) else { return Vec::new() };
    let parts = all(ctypes, target, Part { at: 0, bytes, ty, path: String::new() }, at).into_iter();
    let pointee = |part: Part| match *ctypes.get(part.ty) {
        CType::Pointer(pointee) if part.at == at => Some(pointee),
        _ => None,
    };
    parts.filter_map(pointee).collect()
}

/// Whether an object of type `ty` has a part where an access wants one.
pub fn fits(ctypes: &CTypes, target: Target, ty: CTypeId, wanted: Wanted) -> bool {
    let part = covering(ctypes, target, ty, wanted.at, Some(wanted));
    part.is_some_and(|part| {
        let is_pointer = matches!(ctypes.get(part.ty), CType::Pointer(_));
        (part.at, part.bytes, is_pointer) == (wanted.at, wanted.bytes, wanted.pointer)
    })
}

/// Whether an object of type `ty` has a part of type `member` that starts at a byte.
pub fn has_member(ctypes: &CTypes, target: Target, ty: CTypeId, at: u64, member: CTypeId) -> bool {
    if at == 0 && ctypes.get(ty) == ctypes.get(member) {
        return true;
    }
    match ctypes.get(ty) {
        CType::Array { of, len: Some(len) } => {
            let size = ctypes.size_of(*of, target.pointer_bytes()).filter(|size| *size > 0);
            size.is_some_and(|size| at / size < *len && has_member(ctypes, target, *of, at % size, member))
        }
        CType::Record(record) => ctypes.records[*record].fields.iter().any(|field| {
            let size = ctypes.size_of(field.ty, target.pointer_bytes()).unwrap_or(0);
            let covers = field.bits.is_none() && (field.offset..field.offset + size).contains(&at);
            covers && has_member(ctypes, target, field.ty, at - field.offset, member)
        }),
        _ => false,
    }
}

/// The array of `of`, or of integers as wide, that covers a byte of an object of type `ty`: where it begins, and its length.
pub fn array_at(ctypes: &CTypes, target: Target, ty: CTypeId, at: u64, of: CTypeId) -> Option<(u64, u64)> {
    let size_of = |ty| ctypes.size_of(ty, target.pointer_bytes()).filter(|size| *size > 0);
    match ctypes.get(ty) {
        CType::Array { of: element, len: Some(len) } => {
            let is_it = match (ctypes.get(*element), ctypes.get(of)) {
                (CType::Int { width: one, .. }, CType::Int { width: other, .. }) => one == other,
                (one, other) => one == other,
            };
            if is_it {
                return Some((0, *len));
            }
            let index = at / size_of(*element)?;
            let start = index * size_of(*element)?;
            array_at(ctypes, target, *element, at - start, of).map(|(inner, len)| (start + inner, len))
        }
        CType::Record(record) => ctypes.records[*record].fields.iter().find_map(|field| {
            let end = field.offset + size_of(field.ty).filter(|_| field.bits.is_none())?;
            let is_inside = (field.offset..end).contains(&at);
            let found = is_inside.then(|| array_at(ctypes, target, field.ty, at - field.offset, of))??;
            Some((field.offset + found.0, found.1))
        }),
        _ => None,
    }
}

/// All scalar parts that cover a byte: one, except in unions.
fn all(ctypes: &CTypes, target: Target, part: Part, at: u64) -> Vec<Part> {
    let inner = at - part.at;
    match ctypes.get(part.ty) {
        CType::Array { of, .. } => {
            let size = ctypes.size_of(*of, target.pointer_bytes()).unwrap_or(0);
            let Some(index) = inner.checked_div(size) else { return Vec::new() };
            let path = format!("{}[{index}]", part.path);
            all(ctypes, target, Part { at: part.at + index * size, bytes: size, ty: *of, path }, at)
        }
        CType::Record(record) => {
            let record = &ctypes.records[*record];
            let members = members(ctypes, target, record, &part, inner);
            let found: Vec<Part> = members.into_iter().flat_map(|member| all(ctypes, target, member, at)).collect();
            if found.is_empty() { bit_field(ctypes, record, &part, inner).into_iter().collect() } else { found }
        }
        // x87 extended does not fill its storage.
        CType::Float { format: Format::EXTENDED, .. } if inner < EXTENDED_BYTES => {
            vec![Part { bytes: EXTENDED_BYTES, ..part }]
        }
        CType::Float { format: Format::EXTENDED, .. } => Vec::new(),
        _ => vec![part],
    }
}

/// The members of a record that cover byte `inner`.
fn members(ctypes: &CTypes, target: Target, record: &Record, part: &Part, inner: u64) -> Vec<Part> {
    let dotted = |name: &str| if name.is_empty() { part.path.clone() } else { format!("{}.{name}", part.path) };
    let mut found = Vec::new();
    for field in record.fields.iter().filter(|field| field.bits.is_none()) {
        let size = ctypes.size_of(field.ty, target.pointer_bytes()).unwrap_or(0);
        if (field.offset..field.offset + size).contains(&inner) {
            found.push(Part { at: part.at + field.offset, bytes: size, ty: field.ty, path: dotted(&field.name) });
        }
    }
    found
}

/// A byte that bit-fields share stands for itself.
fn bit_field(ctypes: &CTypes, record: &Record, part: &Part, inner: u64) -> Option<Part> {
    let covers = |field: &&clew_ir::Field| {
        let Some(bits) = field.bits else { return false };
        let last = field.offset + u64::from(bits.offset + bits.width).div_ceil(8);
        bits.width > 0 && (field.offset..last).contains(&inner)
    };
    let field = record.fields.iter().find(covers)?;
    let byte = ctypes.types.iter().find(|(_, ctype)| matches!(ctype, CType::Int { width: 8, signed: false, .. }))?.0;
    Some(Part { at: part.at + inner, bytes: 1, ty: byte, path: format!("{}.{}", part.path, field.name) })
}
