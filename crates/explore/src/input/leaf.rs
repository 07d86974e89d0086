//! The scalar parts of C objects: which one covers a byte, and what it is called.

use clew_ir::{CType, CTypeId, CTypes, Record, Target};

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

/// The scalar part of an object of type `ty` that covers a byte, or `None` for padding. Of a union, the member that
/// covers the byte and comes first; bit-fields are covered by the bytes of the integer they share.
pub fn covering(ctypes: &CTypes, target: Target, ty: CTypeId, at: u64) -> Option<Part> {
    let mut part = Part { at: 0, bytes: ctypes.size_of(ty, target.pointer_bytes())?, ty, path: String::new() };
    loop {
        let inner = at - part.at;
        match ctypes.get(part.ty) {
            CType::Array { of, .. } => {
                let size = ctypes.size_of(*of, target.pointer_bytes())?;
                let index = inner.checked_div(size)?;
                part.path += &format!("[{index}]");
                part = Part { at: part.at + index * size, bytes: size, ty: *of, path: part.path };
            }
            CType::Record(record) => part = member(ctypes, target, &ctypes.records[*record], part, inner)?,
            _ => return Some(part),
        }
    }
}

/// The member of a record that covers byte `inner`.
fn member(ctypes: &CTypes, target: Target, record: &Record, part: Part, inner: u64) -> Option<Part> {
    let dotted = |name: &str| if name.is_empty() { part.path.clone() } else { format!("{}.{name}", part.path) };
    for field in &record.fields {
        let size = match field.bits {
            Some(_) => continue,
            None => ctypes.size_of(field.ty, target.pointer_bytes()).unwrap_or(0),
        };
        if (field.offset..field.offset + size).contains(&inner) {
            return Some(Part { at: part.at + field.offset, bytes: size, ty: field.ty, path: dotted(&field.name) });
        }
    }
    bit_field(ctypes, record, &part, inner)
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
