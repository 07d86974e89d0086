//! Contents as C initialisers.
//!
//! Structures name their members; members and trailing elements that are zero are left out; text is written as text. A
//! pointer to an object that is declared later cannot stand in an initialiser: it is left null, and an assignment that
//! follows all declarations puts it right.

use super::list::listed;
use super::literal;
use super::mask::Masks;
use super::pointer::{Object, Renamed, address};
use super::spell;
use clew_execute::{Content, PointerTarget};
use clew_ir::{CType, CTypeId, Field, Program, RecordId};
use clew_scalar::Value;

/// Elements up to which an array that is mostly zero is listed whole.
const MOST_LISTED: u64 = 64;

/// Writes initialisers and collects the assignments they leave.
#[derive(Debug)]
pub(super) struct Initial<'a> {
    pub(super) program: &'a Program,
    pub(super) objects: &'a [Object],
    pub(super) renamed: &'a Renamed,
    /// The places that hold bits.
    pub(super) masks: &'a Masks,
    /// Which objects an initialiser may name; `None` for all.
    pub(super) declared: Option<&'a [bool]>,
    /// Assignments to make once everything is declared.
    pub(super) later: Vec<String>,
}

impl Initial<'_> {
    /// The initialiser of `place`, whose bytes begin at `at`; `None` if C has none for the type.
    pub(super) fn write(&mut self, place: &str, ty: CTypeId, content: &Content, at: u64) -> Option<String> {
        match self.program.ctypes.get(ty) {
            CType::Pointer(to) => self.pointer(place, *to, content, at),
            CType::Array { of, len } => self.array(place, *of, (*len)?, content, at),
            CType::Record(record) => self.record(place, *record, content, at),
            _ => {
                let ctypes = &self.program.ctypes;
                let bits = literal::bits(ctypes, ty, slice(content, at, self.size(ty)?)?);
                literal::constant(ctypes, ty, bits).map(|constant| self.masks.spell(place, constant))
            }
        }
    }

    fn size(&self, ty: CTypeId) -> Option<u64> {
        self.program.ctypes.size_of(ty, self.program.target.pointer_bytes())
    }

    fn pointer(&mut self, place: &str, pointee: CTypeId, content: &Content, at: u64) -> Option<String> {
        let Some(stored) = content.pointers.iter().find(|stored| stored.at == at) else {
            let bits = literal::integer(slice(content, at, self.program.target.pointer_bytes())?);
            return Some(self.number(pointee, bits));
        };
        let expression = address(self.program, self.objects, self.renamed, stored.target, pointee);
        let is_declared = |index: usize| self.declared.is_none_or(|declared| declared[index]);
        if matches!(stored.target, PointerTarget::Object(index, _) if !is_declared(index)) {
            self.later.push(format!("{place} = {expression};"));
            return Some("NULL".to_owned());
        }
        Some(expression)
    }

    /// A pointer that is a number.
    fn number(&self, pointee: CTypeId, bits: u128) -> String {
        let ctypes = &self.program.ctypes;
        let form = if matches!(ctypes.get(pointee), CType::Function { .. }) { "(*)" } else { "*" };
        let ty = spell::declare(ctypes, pointee, form).unwrap_or_else(|| "void *".to_owned());
        match Value::int(self.program.target.pointer_width, bits).signed() {
            0 => "NULL".to_owned(),
            number if number.unsigned_abs() < 1 << 15 => format!("({ty}){number}"),
            _ => format!("({ty}){bits:#x}"),
        }
    }

    /// Assignments that make `place` hold `content` where it holds `before`, one per scalar; `None` if C has none.
    pub(super) fn assignments(
        &mut self,
        place: &str,
        ty: CTypeId,
        content: &Content,
        before: &Content,
        at: u64,
    ) -> Option<Vec<String>> {
        let program = self.program;
        let mut lines = Vec::new();
        match program.ctypes.get(ty) {
            CType::Array { of, len } => {
                let size = self.size(*of)?;
                for index in 0..(*len)? {
                    let place = format!("{place}[{index}]");
                    lines.extend(self.assignments(&place, *of, content, before, at + index * size)?);
                }
            }
            CType::Record(record) => {
                for field in chosen_fields(program, *record, content, at) {
                    if field.name.is_empty() || field.bits.is_some() {
                        return None;
                    }
                    let place = format!("{place}.{}", field.name);
                    lines.extend(self.assignments(&place, field.ty, content, before, at + field.offset)?);
                }
            }
            _ => {
                let size = self.size(ty)?;
                let pointer = |content: &Content| content.pointers.iter().find(|stored| stored.at == at).copied();
                let is_same =
                    slice(content, at, size) == slice(before, at, size) && pointer(content) == pointer(before);
                if !is_same {
                    lines.push(format!("{place} = {};", self.write(place, ty, content, at)?));
                }
            }
        }
        Some(lines)
    }

    /// The initialiser of `len` elements.
    pub(super) fn array(&mut self, place: &str, of: CTypeId, len: u64, content: &Content, at: u64) -> Option<String> {
        let size = self.size(of)?;
        if spell::is_char(&self.program.ctypes, of)
            && let Some(text) = literal::string(slice(content, at, len)?)
        {
            return Some(text);
        }
        let used: Vec<u64> = (0..len).filter(|index| is_used(content, at + index * size, size)).collect();
        let Some(end) = used.last().map(|last| last + 1) else { return Some(braces(Vec::new())) };
        let is_sparse = end > MOST_LISTED && end > used.len() as u64 * 4;
        let mut items = Vec::new();
        for index in if is_sparse { used } else { (0..end).collect() } {
            let item = self.write(&format!("{place}[{index}]"), of, content, at + index * size)?;
            let item = self.nested(of, item);
            items.push(if is_sparse { format!("[{index}] = {item}") } else { item });
        }
        Some(if is_sparse { braces(items) } else { format!("{{{}}}", listed(&items)) })
    }

    /// An initialiser as it stands within another one: compilers want all braces of `{0}` there.
    pub(super) fn nested(&self, ty: CTypeId, value: String) -> String {
        if value == "{0}" { zero(self.program, ty) } else { value }
    }

    /// The same for an array.
    pub(super) fn nested_array(&self, of: CTypeId, value: String) -> String {
        let first = || zero(self.program, of);
        if value == "{0}" && is_aggregate(self.program, of) { format!("{{{}}}", first()) } else { value }
    }

    /// Whether a member holds anything but zeros, which it has without being named.
    fn is_used(&self, ty: CTypeId, content: &Content, at: u64) -> bool {
        self.size(ty).is_none_or(|size| is_used(content, at, size))
    }

    fn record(&mut self, place: &str, record: RecordId, content: &Content, at: u64) -> Option<String> {
        let members = self.members(place, record, content, at)?;
        let given = members.into_iter().filter(|(_, value)| !is_zero(value));
        let given: Vec<String> = given.map(|(name, value)| format!(".{name} = {value}")).collect();
        let whole = chosen_fields(self.program, record, content, at);
        match whole.first().filter(|_| given.is_empty() && begins_with_padding(self.program, record)) {
            Some(field) if !field.name.is_empty() => {
                Some(format!("{{.{} = {}}}", field.name, zero(self.program, field.ty)))
            }
            _ => Some(braces(given)),
        }
    }

    /// Names and initialisers of the members, those of anonymous members among them.
    fn members(&mut self, place: &str, record: RecordId, content: &Content, at: u64) -> Option<Vec<(String, String)>> {
        let program = self.program;
        let mut members = Vec::new();
        for field in chosen_fields(program, record, content, at) {
            let offset = at + field.offset;
            if field.name.is_empty() {
                if let CType::Record(inner) = program.ctypes.get(field.ty) {
                    members.extend(self.members(place, *inner, content, offset)?);
                }
                continue;
            }
            if is_flexible(program, field) {
                continue;
            }
            let value = match field.bits {
                Some(bits) => {
                    let bits = literal::bit_field(program, field, bits, &content.bytes, at)?;
                    self.masks.spell(&field.name, literal::constant(&program.ctypes, field.ty, bits)?)
                }
                None if !self.is_used(field.ty, content, offset) => continue,
                None => self.write(&format!("{place}.{}", field.name), field.ty, content, offset)?,
            };
            members.push((field.name.clone(), value));
        }
        Some(members)
    }
}

/// Whether the member of a union that `{0}` sets is an extended float, which leaves bytes of the others as they were.
fn begins_with_padding(program: &Program, record: RecordId) -> bool {
    let first = program.ctypes.records[record].fields.first();
    let is_extended = first.is_some_and(|field| matches!(program.ctypes.get(field.ty), CType::Float { size: 16, .. }));
    program.ctypes.records[record].is_union && is_extended
}

/// Whether some bytes of a content are not zero.
fn is_used(content: &Content, at: u64, size: u64) -> bool {
    let holds = |stored: &clew_execute::StoredPointer| (at..at + size).contains(&stored.at);
    slice(content, at, size).is_none_or(|bytes| bytes.iter().any(|byte| *byte != 0))
        || content.pointers.iter().any(holds)
}

fn slice(content: &Content, at: u64, size: u64) -> Option<&[u8]> {
    content.bytes.get(at as usize..(at + size) as usize)
}

fn braces(items: Vec<String>) -> String {
    if items.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", items.join(", ")) }
}

/// The initialiser of a structure, a union or an array that is zero, with all its braces.
fn zero(program: &Program, ty: CTypeId) -> String {
    match program.ctypes.get(ty) {
        CType::Array { of, .. } if is_aggregate(program, *of) => format!("{{{}}}", zero(program, *of)),
        CType::Record(record) => match first_named(program, *record) {
            Some(field) if is_aggregate(program, field.ty) => {
                format!("{{.{} = {}}}", field.name, zero(program, field.ty))
            }
            Some(field) if field.name != program.ctypes.records[*record].fields[0].name => {
                format!("{{.{} = 0}}", field.name)
            }
            // Compilers take no zero of a float for that of a structure.
            Some(field) if matches!(program.ctypes.get(field.ty), CType::Float { .. }) => {
                format!("{{.{} = 0}}", field.name)
            }
            _ => "{0}".to_owned(),
        },
        _ => "{0}".to_owned(),
    }
}

fn is_aggregate(program: &Program, ty: CTypeId) -> bool {
    matches!(program.ctypes.get(ty), CType::Record(_) | CType::Array { len: Some(1..), .. })
}

/// The first member with a name, which may be one of an anonymous member.
fn first_named(program: &Program, record: RecordId) -> Option<&Field> {
    program.ctypes.records[record].fields.iter().find_map(|field| match program.ctypes.get(field.ty) {
        CType::Record(inner) if field.name.is_empty() => first_named(program, *inner),
        _ => (!field.name.is_empty()).then_some(field),
    })
}

fn is_zero(item: &str) -> bool {
    matches!(item, "0" | "0u" | "0L" | "0uL" | "0LL" | "0uLL" | "0.0" | "0.0f" | "NULL" | "{0}")
}

fn is_flexible(program: &Program, field: &Field) -> bool {
    matches!(program.ctypes.get(field.ty), CType::Array { len: None | Some(0), .. })
}

/// All members of a structure; of a union, the one that says most about its bytes.
pub(super) fn chosen_fields<'a>(program: &'a Program, record: RecordId, content: &Content, at: u64) -> Vec<&'a Field> {
    let record = &program.ctypes.records[record];
    if !record.is_union {
        return record.fields.iter().collect();
    }
    let size = |field: &Field| program.ctypes.size_of(field.ty, program.target.pointer_bytes()).unwrap_or(0);
    let shown = |field: &Field| {
        let within = content.pointers.iter().filter(|stored| (at..at + size(field)).contains(&stored.at));
        within.filter(|stored| has_pointer(program, field.ty, stored.at - at)).count()
    };
    let rank = |field: &&Field| {
        let ctype = program.ctypes.get(field.ty);
        let (is_pointer, is_float) = (matches!(ctype, CType::Pointer(_)), matches!(ctype, CType::Float { .. }));
        let shown = shown(field);
        (shown, is_pointer == (shown > 0), size(field), matches!(ctype, CType::Record(_)), !is_float)
    };
    record.fields.iter().rev().max_by_key(rank).into_iter().collect()
}

/// Whether a type has a pointer so many bytes from its beginning.
fn has_pointer(program: &Program, ty: CTypeId, at: u64) -> bool {
    let size = |ty: CTypeId| program.ctypes.size_of(ty, program.target.pointer_bytes()).unwrap_or(0);
    match program.ctypes.get(ty) {
        CType::Pointer(_) => at == 0,
        CType::Array { of, .. } => size(*of) > 0 && has_pointer(program, *of, at % size(*of)),
        CType::Record(record) => program.ctypes.records[*record].fields.iter().any(|field| {
            let covers = field.bits.is_none() && (field.offset..field.offset + size(field.ty)).contains(&at);
            covers && has_pointer(program, field.ty, at - field.offset)
        }),
        _ => false,
    }
}

/// The declaration of a variable with its initialiser.
pub(super) fn definition(program: &Program, ty: CTypeId, name: &str, value: &str) -> Option<String> {
    let declared = spell::declare(&program.ctypes, spell::unqualified(&program.ctypes, ty), name)?;
    Some(format!("{declared} = {value};"))
}
