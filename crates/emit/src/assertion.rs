//! What was observed, as assertions.
//!
//! An assertion is about one scalar, or about a whole array of integers. Places that kept their value are left out.
//! Pointers into objects of the test are asserted to point there, unless they are not known to: they may have come there
//! out of another object, or by bytes that were written over them. Of others only whether they are null is asserted, because
//! addresses differ from run to run. Padding is never looked at.

use super::initial::chosen_fields;
use super::list::{digested, listed};
use super::literal;
use super::literal::bit_field;
use super::mask::Masks;
use super::pointer::{Addresses, Renamed, address};
use super::spell;
use clew_execute::{Content, PointerTarget};
use clew_ir::{CType, CTypeId, GlobalId, GlobalKind, Program};
use std::collections::BTreeMap;

/// Arrays of integers longer than this are compared as a whole.
const LONGEST_LISTED: u64 = 3;

/// Something a test asserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Assertion {
    /// An integer has a value.
    Integer { actual: String, expected: String, signed: bool, bits: u8 },
    /// A condition holds; a note says what it means.
    Holds { condition: String, note: Option<&'static str> },
    /// A pointer is null.
    Null(String),
    /// A pointer is not null.
    NotNull(String),
    /// A pointer is an address.
    Same { pointer: String, address: String },
    /// An array of integers has the elements of `expected`, which `declared` declares.
    Array { actual: String, expected: String, declared: String, signed: bool, bits: u8 },
}

/// What to compare.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change<'a> {
    pub(super) program: &'a Program,
    /// What a place held before the call; `None` for the result.
    pub(super) before: Option<&'a Content>,
    /// Its bytes afterwards.
    pub(super) after: &'a [u8],
    /// The places that hold bits.
    pub(super) masks: &'a Masks,
    /// Where objects were.
    pub(super) addresses: &'a Addresses<'a>,
    /// Where the pointers in it are known to lead, by their place; `None` if only their addresses tell.
    pub(super) known: Option<&'a BTreeMap<u64, PointerTarget>>,
    /// Places in it, with their sizes, that hold nothing that C defines.
    pub(super) unwritten: &'a [(u64, u64)],
}

impl Change<'_> {
    /// Whether all of a range holds something that C defines.
    pub(super) fn is_written(&self, at: u64, size: u64) -> bool {
        self.unwritten.iter().all(|(start, bytes)| start + bytes <= at || at + size <= *start)
    }

    /// The assertions about `place`, whose bytes begin at `at`.
    pub(super) fn assertions(self, place: &str, ty: CTypeId, at: u64) -> Vec<Assertion> {
        let mut writer = Writer::new(self);
        writer.place(place, ty, at);
        writer.out
    }

    /// The assertions about an array of `len` elements.
    pub(super) fn array_assertions(self, place: &str, of: CTypeId, len: u64) -> Vec<Assertion> {
        let mut writer = Writer::new(self);
        writer.array(place, of, len, 0);
        writer.out
    }
}

struct Writer<'a> {
    change: Change<'a>,
    /// What is there afterwards, with the pointers from before: they tell which member of a union is meant.
    content: Content,
    out: Vec<Assertion>,
}

impl<'a> Writer<'a> {
    fn new(change: Change<'a>) -> Writer<'a> {
        let pointers = change.before.map(|before| before.pointers.clone()).unwrap_or_default();
        Writer { change, content: Content { bytes: change.after.to_vec(), pointers }, out: Vec::new() }
    }

    fn size(&self, ty: CTypeId) -> Option<u64> {
        self.change.program.ctypes.size_of(ty, self.change.program.target.pointer_bytes())
    }

    fn after(&self, at: u64, size: u64) -> Option<&[u8]> {
        self.change.after.get(at as usize..(at + size) as usize)
    }

    /// Whether a range holds something that C defines, and no address that no name is known for.
    fn is_defined(&self, at: u64, size: u64) -> bool {
        self.change.is_written(at, size) && !self.change.addresses.overlap(self.change.after, at, size)
    }

    /// Whether bytes that hold no pointer are as they were.
    fn is_kept(&self, at: u64, size: u64) -> bool {
        let range = at as usize..(at + size) as usize;
        self.change.before.is_some_and(|before| before.bytes.get(range.clone()) == self.change.after.get(range))
    }

    fn place(&mut self, place: &str, ty: CTypeId, at: u64) {
        match self.change.program.ctypes.get(ty) {
            CType::Array { of, len: Some(len) } => self.array(place, *of, *len, at),
            CType::Record(record) => {
                for field in chosen_fields(self.change.program, *record, &self.content, at) {
                    let place =
                        if field.name.is_empty() { place.to_owned() } else { format!("{place}.{}", field.name) };
                    match field.bits {
                        None => self.place(&place, field.ty, at + field.offset),
                        Some(_) if field.name.is_empty() => {}
                        Some(_) => self.bit_field(&place, field, at),
                    }
                }
            }
            CType::Pointer(to) => self.pointer(place, *to, at),
            _ => self.scalar(place, ty, at),
        }
    }

    fn array(&mut self, place: &str, of: CTypeId, len: u64, at: u64) {
        let program = self.change.program;
        let Some(size) = self.size(of) else { return };
        let kind = match program.ctypes.get(of) {
            CType::Int { width, signed, .. } if *width <= 64 => Some((*width, *signed)),
            _ => None,
        };
        let is_plain = self.is_defined(at, len * size);
        let (Some((bits, signed)), true) = (kind, len > LONGEST_LISTED && is_plain) else {
            for index in 0..len {
                let at = at + index * size;
                let holds = |stored: &clew_execute::StoredPointer| (at..at + size).contains(&stored.at);
                if !self.is_kept(at, size) || self.content.pointers.iter().any(holds) {
                    self.place(&format!("{place}[{index}]"), of, at);
                }
            }
            return;
        };
        if self.is_kept(at, len * size) {
            return;
        }
        let expected = format!("expected_{}", super::identifier(place));
        let element = spell::unqualified(&program.ctypes, of);
        let Some(declared) = spell::declare(&program.ctypes, element, &format!("{expected}[]")) else { return };
        let text = self.after(at, len * size).filter(|_| spell::is_char(&program.ctypes, of)).and_then(literal::string);
        let value = text.unwrap_or_else(|| {
            let items: Vec<String> = (0..len).filter_map(|index| self.constant(of, at + index * size)).collect();
            format!("{{{}}}", listed(&items))
        });
        let bytes = self.after(at, len * size).unwrap_or_default();
        if let Some(condition) = digested(place, &value, bytes) {
            return self.out.push(Assertion::Holds { condition, note: None });
        }
        let declared = format!("const {declared} = {value};");
        self.out.push(Assertion::Array { actual: place.to_owned(), expected, declared, signed, bits });
    }

    fn bit_field(&mut self, place: &str, field: &clew_ir::Field, at: u64) {
        let program = self.change.program;
        let Some(bits) = field.bits else { return };
        let bytes = u64::from(bits.offset).saturating_add(u64::from(bits.width)).div_ceil(8);
        if !self.is_defined(at + field.offset, bytes) {
            return;
        }
        let value = |bytes: &[u8]| bit_field(program, field, bits, bytes, at);
        let after = value(self.change.after);
        if self.change.before.is_some_and(|before| value(&before.bytes) == after) {
            return;
        }
        if let Some(expected) = after.and_then(|bits| literal::constant(&program.ctypes, field.ty, bits)) {
            let signed = program.ctypes.is_signed(field.ty);
            let expected = self.change.masks.spell(place, expected);
            self.out.push(Assertion::Integer { actual: place.to_owned(), expected, signed, bits: 32 });
        }
    }

    fn pointer(&mut self, place: &str, pointee: CTypeId, at: u64) {
        let width = self.change.program.target.pointer_bytes();
        let Some(bits) = self.after(at, width).filter(|_| self.change.is_written(at, width)).map(literal::integer)
        else {
            return;
        };
        // Where no pointer of that type can lead, something else was written over a part of one.
        let align = self.change.program.ctypes.align_of(pointee, width).max(1);
        let is_whole = (bits as u64).is_multiple_of(align);
        let target = self.change.addresses.target(bits as u64).filter(|_| is_whole);
        let before = self.change.before.map(|before| {
            let stored = before.pointers.iter().find(|stored| stored.at == at).map(|stored| stored.target);
            (stored, before.bytes.get(at as usize..(at + width) as usize).map(literal::integer))
        });
        let is_kept = match before {
            None => false,
            Some((Some(PointerTarget::Function(_)), _)) => bits != 0,
            // The address of a string literal is not known.
            Some((Some(PointerTarget::Global(id, _)), _)) if self.is_literal(id) && target.is_none() => bits != 0,
            Some((Some(stored), _)) => target == Some(stored),
            Some((None, old)) => old == Some(bits),
        };
        if is_kept {
            return;
        }
        let place = place.to_owned();
        let target = match self.change.known {
            Some(known) => self.change.addresses.only(known.get(&at).copied()).target(bits as u64),
            None => target,
        };
        self.out.push(match target {
            _ if bits == 0 => Assertion::Null(place),
            None if !is_whole => return,
            None => Assertion::NotNull(place),
            Some(target) => {
                let address =
                    address(self.change.program, self.change.addresses.objects, &Renamed::new(), target, pointee);
                Assertion::Same { pointer: place, address }
            }
        });
    }

    fn is_literal(&self, id: GlobalId) -> bool {
        self.change.program.globals[id].kind == GlobalKind::Literal
    }

    fn scalar(&mut self, place: &str, ty: CTypeId, at: u64) {
        let Some(size) = self.size(ty) else { return };
        if self.is_kept(at, size) || !self.is_defined(at, size) {
            return;
        }
        let Some(bytes) = self.after(at, size) else { return };
        let ctypes = &self.change.program.ctypes;
        let Some(value) = self.constant(ty, at) else { return };
        let value = self.change.masks.spell(place, value);
        let place = place.to_owned();
        let assertion = match ctypes.get(ty) {
            CType::Float { format, .. } => {
                float(&place, &value, literal::is_nan(*format, literal::bits(ctypes, ty, bytes)))
            }
            CType::Int { width, .. } if *width > 64 => {
                Assertion::Holds { condition: format!("{place} == {value}"), note: None }
            }
            _ => Assertion::Integer {
                actual: place,
                expected: value,
                signed: ctypes.is_signed(ty),
                bits: size as u8 * 8,
            },
        };
        self.out.push(assertion);
    }

    fn constant(&self, ty: CTypeId, at: u64) -> Option<String> {
        let ctypes = &self.change.program.ctypes;
        let bytes = self.after(at, self.size(ty)?)?;
        literal::constant(ctypes, ty, literal::bits(ctypes, ty, bytes))
    }
}

/// Equality tells neither zeros apart nor a NaN from anything.
fn float(place: &str, value: &str, is_nan: bool) -> Assertion {
    let is_zero = |text: &str| text.starts_with("0.0") || text.starts_with("0x0p");
    let holds = |condition: String, note| Assertion::Holds { condition, note };
    if is_nan {
        holds(format!("{place} != {place}"), Some("not a number"))
    } else if value.strip_prefix('-').is_some_and(is_zero) {
        holds(format!("{place} == 0 && 1 / {place} < 0"), Some("negative zero"))
    } else if is_zero(value) {
        holds(format!("{place} == 0 && 1 / {place} > 0"), Some("positive zero"))
    } else {
        holds(format!("{place} == {value}"), None)
    }
}
