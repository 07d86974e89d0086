//! What was observed, as checks.
//!
//! A check compares one scalar; arrays of integers are compared in a loop. Of a pointer only whether it is null is
//! checked, because addresses differ from run to run. Padding is never looked at.

use super::initial::{bit_field, chosen_fields};
use super::literal;
use super::spell;
use clew_execute::Content;
use clew_ir::{CType, CTypeId, Program};

/// Arrays longer than this are compared in a loop.
const LONGEST_LISTED: u64 = 3;

/// The statements that check `place`, whose bytes begin at `at`.
pub(super) fn checks(program: &Program, place: &str, ty: CTypeId, bytes: &[u8], at: u64) -> Vec<String> {
    let mut writer = Checks { program, bytes, out: Vec::new() };
    writer.place(place, ty, at);
    writer.out
}

/// The statements that check an array of `len` elements.
pub(super) fn array_checks(program: &Program, place: &str, of: CTypeId, len: u64, bytes: &[u8]) -> Vec<String> {
    let mut writer = Checks { program, bytes, out: Vec::new() };
    writer.array(place, of, len, 0);
    writer.out
}

struct Checks<'a> {
    program: &'a Program,
    bytes: &'a [u8],
    out: Vec<String>,
}

impl Checks<'_> {
    fn place(&mut self, place: &str, ty: CTypeId, at: u64) {
        let program = self.program;
        match program.ctypes.get(ty) {
            CType::Array { of, len: Some(len) } => self.array(place, *of, *len, at),
            CType::Record(record) => {
                let content = Content { bytes: self.bytes.to_vec(), pointers: Vec::new() };
                for field in chosen_fields(program, *record, &content, at) {
                    let place =
                        if field.name.is_empty() { place.to_owned() } else { format!("{place}.{}", field.name) };
                    match field.bits {
                        None => self.place(&place, field.ty, at + field.offset),
                        Some(_) if field.name.is_empty() => {}
                        Some(bits) => {
                            let value = bit_field(program, field, bits, self.bytes, at);
                            let value = value.and_then(|bits| literal::constant(&program.ctypes, field.ty, bits));
                            self.out.extend(value.map(|value| format!("CHECK({place} == {value});")));
                        }
                    }
                }
            }
            _ => self.scalar(place, ty, at),
        }
    }

    fn array(&mut self, place: &str, of: CTypeId, len: u64, at: u64) {
        let program = self.program;
        let Some(size) = program.ctypes.size_of(of, program.target.pointer_bytes()) else { return };
        let is_integer = matches!(program.ctypes.get(of), CType::Int { .. } | CType::Bool | CType::Enum { .. });
        if len <= LONGEST_LISTED || !is_integer {
            return (0..len).for_each(|index| self.place(&format!("{place}[{index}]"), of, at + index * size));
        }
        let items = (0..len).filter_map(|index| self.constant(of, at + index * size)).collect::<Vec<_>>();
        let element = spell::unqualified(&program.ctypes, of);
        if let Some(declared) = spell::declare(&program.ctypes, element, "expected[]") {
            let list = items.join(", ");
            let lines = [
                "{",
                &format!("    static const {declared} = {{{list}}};"),
                &format!("    CHECK_ALL({place}, expected);"),
                "}",
            ];
            self.out.extend(lines.map(str::to_owned));
        }
    }

    fn scalar(&mut self, place: &str, ty: CTypeId, at: u64) {
        let Some(size) = self.program.ctypes.size_of(ty, self.program.target.pointer_bytes()) else { return };
        let Some(bytes) = self.bytes.get(at as usize..(at + size) as usize) else { return };
        match self.program.ctypes.get(ty) {
            CType::Pointer(_) => {
                let is_null = bytes.iter().all(|&byte| byte == 0);
                self.out.push(format!("CHECK({place} {} NULL);", if is_null { "==" } else { "!=" }));
            }
            CType::Float { format, .. } => {
                let bits = literal::bits(&self.program.ctypes, ty, bytes);
                let value = literal::constant(&self.program.ctypes, ty, bits);
                self.out.extend(value.map(|value| float(place, &value, literal::is_nan(*format, bits))));
            }
            _ => self.out.extend(self.constant(ty, at).map(|value| format!("CHECK({place} == {value});"))),
        }
    }

    fn constant(&self, ty: CTypeId, at: u64) -> Option<String> {
        let size = self.program.ctypes.size_of(ty, self.program.target.pointer_bytes())?;
        let bytes = self.bytes.get(at as usize..(at + size) as usize)?;
        literal::constant(&self.program.ctypes, ty, literal::integer(bytes))
    }
}

/// Equality tells neither zeros apart nor a NaN from anything.
fn float(place: &str, value: &str, is_nan: bool) -> String {
    let is_zero = |text: &str| text.starts_with("0.0") || text.starts_with("0x0p");
    if is_nan {
        format!("CHECK({place} != {place}); /* not a number */")
    } else if value.strip_prefix('-').is_some_and(is_zero) {
        format!("CHECK({place} == 0 && 1 / {place} < 0); /* negative zero */")
    } else if is_zero(value) {
        format!("CHECK({place} == 0 && 1 / {place} > 0);")
    } else {
        format!("CHECK({place} == {value});")
    }
}
