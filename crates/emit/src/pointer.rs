//! Pointers as C expressions.

use std::collections::BTreeMap;

use super::spell;
use clew_execute::{Input, Observation, PointerTarget};
use clew_ir::{CType, CTypeId, FunctionId, GlobalId, Program};

/// An object of a test as the test file declares it.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// Its name in C.
    pub(super) name: String,
    /// Type of its elements.
    pub(super) element: CTypeId,
    /// Size of an element in bytes.
    pub(super) element_size: u64,
    /// How it is declared.
    pub(super) form: Form,
    /// Whether it has room behind its elements: something points there, which must not be to another object.
    pub(super) spare: bool,
}

/// How an object is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `T name`
    Single,
    /// `T name[n]`
    Array,
    /// `T *name`, allocated.
    Heap,
    /// `T *name`, leading so many bytes into a room of its own: its address matters.
    Placed(u8),
    /// The same, into a room that it shares with others: their order matters.
    Ordered(u64),
    /// `unsigned char name[n]`
    Bytes,
    /// `unsigned char *name`, allocated.
    HeapBytes,
}

impl Form {
    /// Whether the object is bytes, whatever its type is.
    pub(super) fn is_bytes(self) -> bool {
        matches!(self, Form::Bytes | Form::HeapBytes)
    }
}

/// Where the objects of a test and the observed globals were when it was executed.
#[derive(Clone, Debug)]
pub(super) struct Addresses<'a> {
    pub(super) objects: &'a [Object],
    /// Address, size and target of each.
    places: Vec<(u64, u64, PointerTarget)>,
}

impl<'a> Addresses<'a> {
    /// Those of an observation.
    pub(super) fn new(
        program: &Program,
        objects: &'a [Object],
        input: &Input,
        observed: &[GlobalId],
        observation: &Observation,
    ) -> Addresses<'a> {
        let objects_at = observation.object_addresses.iter().zip(&input.objects).enumerate();
        let objects_at = objects_at
            .filter(|(index, _)| !input.freed.contains(index))
            .map(|(index, (&at, object))| (at, object.content.bytes.len() as u64, PointerTarget::Object(index, 0)));
        let globals_at = observation.global_addresses.iter().zip(observed);
        let globals_at =
            globals_at.map(|(&at, &global)| (at, program.globals[global].size, PointerTarget::Global(global, 0)));
        Addresses { objects, places: objects_at.chain(globals_at).collect() }
    }

    /// Only that of the object or global which a pointer is known to lead into, wherever it comes to lie.
    pub(super) fn only(&self, target: Option<PointerTarget>) -> Addresses<'a> {
        let is_same = |place: &PointerTarget| match (*place, target) {
            (PointerTarget::Object(a, _), Some(PointerTarget::Object(b, _))) => a == b,
            (PointerTarget::Global(a, _), Some(PointerTarget::Global(b, _))) => a == b,
            _ => false,
        };
        let places = self.places.iter().filter(|(_, _, place)| is_same(place)).copied();
        Addresses { objects: self.objects, places: places.collect() }
    }

    /// What an address leads to; inside an object rather than just behind one.
    pub(super) fn target(&self, address: u64) -> Option<PointerTarget> {
        let within = |&&(at, size, _): &&(u64, u64, PointerTarget)| at != 0 && address >= at && address - at < size;
        let behind = |&&(at, size, _): &&(u64, u64, PointerTarget)| at != 0 && address == at + size;
        let (at, _, target) = self.places.iter().find(within).or_else(|| self.places.iter().find(behind))?;
        let offset = (address - at) as i64;
        Some(match *target {
            PointerTarget::Object(index, _) => PointerTarget::Object(index, offset),
            PointerTarget::Global(global, _) => PointerTarget::Global(global, offset),
            PointerTarget::Function(function) => PointerTarget::Function(function),
        })
    }
}

impl Addresses<'_> {
    /// Whether some bytes of an object are part of an address: of any where pointers are aligned, of a place of the test
    /// elsewhere.
    pub(super) fn overlap(&self, bytes: &[u8], at: u64, size: u64) -> bool {
        let word = |start: u64| bytes.get(start as usize..)?.first_chunk().map(|word| u64::from_le_bytes(*word));
        let mut starts = at.saturating_sub(7).min(at / 8 * 8)..at + size;
        let is_any = |start: u64, word: u64| start.is_multiple_of(8) && clew_session::address::is_address(word);
        starts.any(|start| word(start).is_some_and(|word| is_any(start, word) || self.target(word).is_some()))
    }
}

/// Functions that have another name in a test file than in the program.
pub(super) type Renamed = BTreeMap<FunctionId, String>;

/// An expression for a pointer to `pointee`.
pub(super) fn address(
    program: &Program,
    objects: &[Object],
    renamed: &Renamed,
    target: PointerTarget,
    pointee: CTypeId,
) -> String {
    match target {
        PointerTarget::Function(id) => {
            let function = &program.functions[id];
            let name = renamed.get(&id).unwrap_or(&function.name);
            let is_same = program.ctypes.get(function.ty) == program.ctypes.get(pointee);
            let cast = spell::declare(&program.ctypes, pointee, "(*)").filter(|_| !is_same);
            cast.map_or_else(|| name.clone(), |ty| format!("({ty})(void (*)(void)){name}"))
        }
        PointerTarget::Global(global, offset) => {
            let global = &program.globals[global];
            let (element, first) = match program.ctypes.get(global.ty) {
                CType::Array { of, .. } => (*of, global.name.clone()),
                _ => (global.ty, format!("&{}", global.name)),
            };
            let size = program.ctypes.size_of(element, program.target.pointer_bytes()).unwrap_or(0);
            let (name, is_array) = (&global.name, first == global.name);
            let member = member(program, name, is_array, (element, size), offset, pointee);
            member.unwrap_or_else(|| step(program, &first, element, size, offset, pointee))
        }
        PointerTarget::Object(index, offset) => {
            let object = &objects[index];
            let (name, of) = (&object.name, (object.element, object.element_size));
            if !object.form.is_bytes()
                && let Some(member) = member(program, name, object.form != Form::Single, of, offset, pointee)
            {
                return member;
            }
            match object.form {
                Form::Single => {
                    let first = format!("&{}", object.name);
                    step(program, &first, object.element, object.element_size, offset, pointee)
                }
                Form::Array | Form::Heap | Form::Placed(_) | Form::Ordered(_) => {
                    step(program, &object.name, object.element, object.element_size, offset, pointee)
                }
                Form::Bytes | Form::HeapBytes if offset == 0 => format!("(void *){}", object.name),
                Form::Bytes | Form::HeapBytes => format!("(void *)({} + {offset})", object.name),
            }
        }
    }
}

/// The address of the member of a structure that lies at `offset`, such as `&task.link`.
fn member(
    program: &Program,
    name: &str,
    is_array: bool,
    (element, size): (CTypeId, u64),
    offset: i64,
    pointee: CTypeId,
) -> Option<String> {
    let offset = u64::try_from(offset).ok()?;
    let is_same = program.ctypes.resolve(element) == program.ctypes.resolve(pointee);
    if is_same || !matches!(program.ctypes.get(element), CType::Record(_)) {
        return None;
    }
    let index = offset.checked_div(size).filter(|index| is_array || *index == 0)?;
    let way = way(program, element, offset % size, pointee)?;
    Some(if is_array { format!("&{name}[{index}]{way}") } else { format!("&{name}{way}") })
}

/// The way to the part of type `pointee` that starts `at` bytes into a value, such as `.links[2].next`.
fn way(program: &Program, ty: CTypeId, at: u64, pointee: CTypeId) -> Option<String> {
    let ctypes = &program.ctypes;
    let size = |ty: CTypeId| ctypes.size_of(ty, program.target.pointer_bytes()).filter(|size| *size > 0);
    if at == 0 && ctypes.resolve(ty) == ctypes.resolve(pointee) {
        return Some(String::new());
    }
    match ctypes.get(ty) {
        CType::Array { of, .. } => {
            let (index, rest) = (at / size(*of)?, at % size(*of)?);
            way(program, *of, rest, pointee).map(|way| format!("[{index}]{way}"))
        }
        CType::Record(record) => ctypes.records[*record].fields.iter().find_map(|field| {
            let covers = field.bits.is_none() && at >= field.offset && at < field.offset + size(field.ty)?;
            let inner = covers.then(|| way(program, field.ty, at - field.offset, pointee))??;
            Some(if field.name.is_empty() { inner } else { format!(".{}{inner}", field.name) })
        }),
        _ => None,
    }
}

/// `first`, which points to an `element`, moved by `offset` bytes.
fn step(program: &Program, first: &str, element: CTypeId, size: u64, offset: i64, pointee: CTypeId) -> String {
    let same = program.ctypes.resolve(element) == program.ctypes.resolve(pointee);
    let is_void = matches!(program.ctypes.get(pointee), CType::Void);
    let whole = size != 0 && offset % size as i64 == 0;
    match (same || is_void, whole) {
        (true, true) => match offset / size as i64 {
            0 => first.to_owned(),
            steps if steps < 0 => format!("{first} - {}", -steps),
            steps => format!("{first} + {steps}"),
        },
        (false, _) if offset == 0 => format!("(void *){first}"),
        _ => format!("(void *)((char *){first} + {offset})"),
    }
}
