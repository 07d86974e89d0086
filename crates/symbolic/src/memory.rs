//! Symbolic memory: objects of bytes, addressed exactly.
//!
//! An object is an ordered map from offsets to cells; a cell is a value and the number of bytes it takes, and cells do
//! not overlap. What no cell covers is the background: unwritten, zero, the image of a global, or input not yet looked
//! at. A load that matches a cell gives its value; any other load is put together from bytes, so every width and overlap
//! is exact. Maps are persistent: copying a memory costs next to nothing.

use clew_ir::{FunctionId, GlobalId, LocalId, Span, Type};
use clew_scalar::{Conversion, Format, Value};
use clew_solver::term::Terms;
use imbl::OrdMap;

use crate::packed::Packed;
use crate::shared::Shared;
use crate::value::{self, Base, Pointer, Scalar, Val};

/// Index of an object in a [`Memory`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A variable of an activation.
    Local(FunctionId, LocalId),
    /// A global.
    Global(GlobalId),
    /// Made by an allocation at this place.
    Allocated(Span),
    /// An object of the input, by its number.
    Input(u32),
}

/// How many bytes an object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// So many.
    Bytes(u64),
    /// `count` elements of `element` bytes, where `count` is an input of pointer width.
    Elements {
        /// Bytes of one element.
        element: u64,
        /// Number of elements.
        count: Scalar,
        /// Whether a contract fixes the number; otherwise there are as many as accesses need.
        fixed: bool,
    },
}

impl Extent {
    /// The number of bytes, if it is known.
    pub fn size(self) -> Option<u64> {
        match self {
            Extent::Bytes(size) => Some(size),
            Extent::Elements { element, count, .. } => {
                u64::try_from(count.bits()?).ok().and_then(|count| element.checked_mul(count))
            }
        }
    }
}

/// Cells that are looked at where a pointer is looked for.
const MOST_CELLS: usize = 4_096;

/// What the bytes are that no cell covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// Never written.
    Unwritten,
    /// All have this value.
    Filled(u8),
    /// As the program initialises the global.
    Image(GlobalId),
    /// Parts of the input that nothing has read yet.
    Input,
}

/// A stretch of memory.
#[derive(Clone, Debug)]
pub struct Object {
    /// Where it comes from.
    pub origin: Origin,
    /// How large it is.
    pub extent: Extent,
    /// Whether it may still be used.
    pub alive: bool,
    /// What no cell covers.
    pub background: Background,
    cells: OrdMap<u64, Kept>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Cell {
    bytes: u64,
    val: Val,
}

/// A cell as states keep it.
#[derive(Clone, Debug, PartialEq)]
struct Kept {
    bytes: u32,
    val: Packed,
}

impl Kept {
    fn cell(&self) -> Cell {
        Cell { bytes: self.bytes.into(), val: self.val.val() }
    }
}

impl From<Cell> for Kept {
    fn from(cell: Cell) -> Kept {
        Kept { bytes: u32::try_from(cell.bytes).expect("a cell has at most 16 bytes"), val: cell.val.into() }
    }
}

/// Why a load gave no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The byte at this offset was never written.
    Unwritten(u64),
    /// The byte at this offset is input that must be materialised first.
    Input(u64),
    /// The byte at this offset belongs to the image of a global.
    Image(GlobalId, u64),
    /// Part of a pointer or of an extended float was read on its own.
    Fragment,
}

/// All objects.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: Shared<Object>,
}

impl Memory {
    /// Adds an object.
    pub fn add(&mut self, origin: Origin, extent: Extent, background: Background) -> ObjectId {
        let id = ObjectId(u32::try_from(self.objects.len()).expect("a run makes fewer than 2^32 objects"));
        self.push(Object { origin, extent, alive: true, background, cells: OrdMap::new() });
        id
    }

    /// How many objects there are.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an object as it is.
    pub fn push(&mut self, object: Object) {
        self.objects.push_back(object);
    }

    /// The object.
    pub fn get(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }

    /// The object, to be changed.
    pub fn get_mut(&mut self, id: ObjectId) -> &mut Object {
        &mut self.objects[id.0 as usize]
    }

    /// Whether a pointer into an object is stored anywhere; where there is too much to look at, it may be.
    pub(crate) fn holds_pointer_to(&self, id: ObjectId) -> bool {
        let mut left = MOST_CELLS;
        self.objects.iter().any(|object| {
            left = left.saturating_sub(object.cells.len());
            let leads_there = |cell: &Kept| matches!(cell.val.val(), Val::Pointer(Pointer { base: Base::Object(to), .. }) if to == id);
            left == 0 || object.cells.values().any(leads_there)
        })
    }

    /// Replaces every value in every object.
    pub fn replace_values(&mut self, name: &mut impl FnMut(Val) -> Val) {
        self.objects.iter_mut().for_each(|object| object.rename(&mut *name));
    }

    /// All objects in order of creation.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects.iter().enumerate().map(|(index, object)| (ObjectId(index as u32), object))
    }
}

impl FromIterator<Object> for Memory {
    fn from_iter<T: IntoIterator<Item = Object>>(objects: T) -> Memory {
        Memory { objects: objects.into_iter().collect() }
    }
}

impl Object {
    /// What stands for an object that another state has and this one has not.
    pub fn absent() -> Object {
        let (origin, extent) = (Origin::Allocated(Span::NONE), Extent::Bytes(0));
        Object { origin, extent, alive: false, background: Background::Unwritten, cells: OrdMap::new() }
    }

    /// Whether this is [`Object::absent`].
    pub fn is_absent(&self) -> bool {
        !self.alive && self.origin == Origin::Allocated(Span::NONE) && self.extent == Extent::Bytes(0)
    }

    /// Makes the object alive, without contents of its own.
    pub fn revive(&mut self, background: Background) {
        self.alive = true;
        self.reset(background);
    }

    /// Whether both are the same in everything.
    pub fn same(&self, other: &Object) -> bool {
        (self.origin, self.extent, self.alive, self.background)
            == (other.origin, other.extent, other.alive, other.background)
            && (self.cells.ptr_eq(&other.cells) || self.cells == other.cells)
    }

    /// The value of the cell of just these bytes.
    pub fn cell(&self, at: u64, bytes: u64) -> Option<Val> {
        self.cells.get(&at).filter(|cell| u64::from(cell.bytes) == bytes).map(|cell| cell.val.val())
    }

    /// Gives a cell that is there another value of the same size.
    pub(crate) fn replace(&mut self, at: u64, val: Val) {
        self.cells.get_mut(&at).expect("the cell is there").val = val.into();
    }

    /// Replaces every value.
    pub fn rename(&mut self, mut name: impl FnMut(Val) -> Val) {
        let mut renamed = |kept: &Kept| Kept { val: name(kept.val.val()).into(), ..*kept };
        self.cells = self.cells.iter().map(|(&at, kept)| (at, renamed(kept))).collect();
    }

    /// Sets a range of bytes, and all that are in no cell.
    pub(crate) fn fill(&mut self, terms: &mut Terms, at: u64, bytes: u64, byte: u8) -> Result<(), Missing> {
        self.clear(terms, at, bytes)?;
        self.background = Background::Filled(byte);
        Ok(())
    }

    /// Forgets all contents.
    pub fn reset(&mut self, background: Background) {
        self.background = background;
        self.cells = OrdMap::new();
    }

    /// Offsets and sizes of the cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = (u64, u64, Val)> {
        self.cells.iter().map(|(&at, kept)| (at, kept.bytes.into(), kept.val.val()))
    }

    /// Whether a part of a range is known.
    pub(crate) fn has_cells(&self, at: u64, bytes: u64) -> bool {
        self.overlapping(at, bytes).is_some()
    }

    /// The first cell that overlaps a range.
    fn overlapping(&self, at: u64, bytes: u64) -> Option<(u64, Cell)> {
        let before = self.cells.range(..=at).next_back().map(|(&start, kept)| (start, kept.cell()));
        if let Some((start, cell)) = before.filter(|(start, cell)| start + cell.bytes > at) {
            return Some((start, cell));
        }
        let after = self.cells.range(at..).next().map(|(&start, kept)| (start, kept.cell()));
        after.filter(|(start, _)| *start < at + bytes)
    }

    /// Writes a value of so many bytes.
    pub fn store(&mut self, terms: &mut Terms, at: u64, bytes: u64, val: Val) -> Result<(), Missing> {
        match self.cells.get(&at) {
            Some(kept) if u64::from(kept.bytes) == bytes => {}
            _ => self.clear(terms, at, bytes)?,
        }
        self.cells.insert(at, Cell { bytes, val }.into());
        Ok(())
    }

    /// The parts of a range that no cell covers, with their sizes.
    pub fn gaps(&self, from: u64, size: u64) -> Vec<(u64, u64)> {
        let (mut gaps, mut next) = (Vec::new(), from);
        for (at, bytes, _) in self.cells().filter(|(at, bytes, _)| *at < from + size && at + bytes > from) {
            gaps.push((next, at.saturating_sub(next)));
            next = next.max(at + bytes);
        }
        gaps.push((next, (from + size).saturating_sub(next)));
        gaps.retain(|(_, size)| *size > 0);
        gaps
    }

    /// Makes a byte unwritten again.
    pub fn forget(&mut self, terms: &mut Terms, at: u64) {
        // A byte of a pointer that is not overwritten whole stays as it is: reading it is refused anyway.
        let _ = self.clear(terms, at, 1);
    }

    /// Removes what cells hold of a range; what they hold outside of it stays.
    fn clear(&mut self, terms: &mut Terms, at: u64, bytes: u64) -> Result<(), Missing> {
        while let Some((start, cell)) = self.overlapping(at, bytes) {
            let end = start + cell.bytes;
            let before = part(terms, &cell, 0, at.saturating_sub(start))?;
            let after = part(terms, &cell, (at + bytes).max(start) - start, end.saturating_sub(at + bytes))?;
            self.cells.remove(&start);
            self.cells.extend(before.map(|cell| (start, Kept::from(cell))));
            self.cells.extend(after.map(|cell| (at + bytes, Kept::from(cell))));
        }
        Ok(())
    }

    /// Reads a value of a type.
    pub fn load(&self, terms: &mut Terms, at: u64, ty: Type, pointer_width: u8) -> Result<Val, Missing> {
        let bytes = ty.bytes(pointer_width);
        if let Some(val) = self.cell(at, bytes) {
            return read_as(terms, val, ty, pointer_width);
        }
        let mut whole: Option<Scalar> = None;
        for offset in at..at + bytes {
            let byte = self.byte(terms, offset)?;
            whole = Some(match whole {
                None => byte,
                Some(low) => value::concat(terms, byte, low),
            });
        }
        let whole = whole.expect("a type has at least one byte");
        read_as(terms, Val::Scalar(whole), ty, pointer_width)
    }

    /// The byte at an offset.
    fn byte(&self, terms: &mut Terms, at: u64) -> Result<Scalar, Missing> {
        if let Some((start, cell)) = self.overlapping(at, 1) {
            let kept = part(terms, &cell, at - start, 1)?.expect("one byte was asked for");
            let Val::Scalar(scalar) = kept.val else { return Err(Missing::Fragment) };
            return Ok(scalar);
        }
        match self.background {
            Background::Unwritten => Err(Missing::Unwritten(at)),
            Background::Filled(byte) => Ok(Scalar::int(8, u128::from(byte))),
            Background::Image(global) => Err(Missing::Image(global, at)),
            Background::Input => Err(Missing::Input(at)),
        }
    }
}

/// Bytes `from .. from + bytes` of a cell as a cell of their own.
fn part(terms: &mut Terms, cell: &Cell, from: u64, bytes: u64) -> Result<Option<Cell>, Missing> {
    if bytes == 0 {
        return Ok(None);
    }
    if bytes == cell.bytes {
        return Ok(Some(*cell));
    }
    // Part of a pointer is kept as a shorter cell: reading it is refused, overwriting and copying it are not.
    let scalar = match cell.val {
        Val::Scalar(scalar) | Val::Pointer(Pointer { base: Base::Absolute, offset: scalar }) => scalar,
        Val::Pointer(_) => return Ok(Some(Cell { bytes, val: cell.val })),
    };
    let bits = match scalar.ty(terms) {
        clew_scalar::Type::Int(_) => scalar,
        clew_scalar::Type::Float(Format::EXTENDED) => return Err(Missing::Fragment),
        clew_scalar::Type::Float(_) => value::convert(terms, Conversion::FloatToBits, scalar),
    };
    let lo = u8::try_from(from * 8).expect("a cell has at most 16 bytes");
    let hi = u8::try_from((from + bytes) * 8 - 1).expect("a cell has at most 16 bytes");
    Ok(Some(Cell { bytes, val: Val::Scalar(value::extract(terms, hi, lo, bits)) }))
}

/// A stored value read as a type of the same size.
fn read_as(terms: &mut Terms, val: Val, ty: Type, pointer_width: u8) -> Result<Val, Missing> {
    let scalar = match (val, ty) {
        (Val::Pointer(_), Type::Pointer) => return Ok(val),
        (Val::Pointer(Pointer { base: Base::Absolute, offset }), Type::Int(_)) => return Ok(Val::Scalar(offset)),
        // A pointer read as an integer of its width keeps its provenance; arithmetic on it decides what happens.
        (Val::Pointer(_), Type::Int(width)) if width == pointer_width => return Ok(val),
        (Val::Pointer(_), _) => return Err(Missing::Fragment),
        (Val::Scalar(scalar), _) => scalar,
    };
    match (scalar.ty(terms), ty) {
        (clew_scalar::Type::Int(_), Type::Pointer) => Ok(Pointer { base: Base::Absolute, offset: scalar }.into()),
        (clew_scalar::Type::Int(_), Type::Float(Format::EXTENDED)) => Err(Missing::Fragment),
        (clew_scalar::Type::Int(_), Type::Float(format)) => {
            Ok(value::convert(terms, Conversion::BitsToFloat(format), scalar).into())
        }
        (clew_scalar::Type::Float(Format::EXTENDED), Type::Int(_)) => Err(Missing::Fragment),
        (clew_scalar::Type::Float(_), Type::Int(_)) => {
            Ok(value::convert(terms, Conversion::FloatToBits, scalar).into())
        }
        (clew_scalar::Type::Float(_), Type::Pointer) => Err(Missing::Fragment),
        _ => Ok(scalar.into()),
    }
}

/// The known integer that little-endian bytes make.
pub fn from_bytes(bytes: &[u8]) -> Scalar {
    let bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u128::from(*byte));
    Scalar::Known(Value::int((bytes.len() * 8) as u8, bits))
}

#[cfg(test)]
mod tests {
    use super::{Background, Extent, Memory, Missing, ObjectId, Origin};
    use crate::value::{Base, Pointer, Scalar, Val};
    use clew_ir::{Span, Type};
    use clew_solver::term::Terms;

    fn object(background: Background) -> (Memory, ObjectId) {
        let mut memory = Memory::default();
        let id = memory.add(Origin::Allocated(Span::NONE), Extent::Bytes(16), background);
        (memory, id)
    }

    fn known(width: u8, bits: u128) -> Val {
        Val::Scalar(Scalar::int(width, bits))
    }

    #[test]
    fn overlapping_stores_keep_the_bytes_around() {
        let (mut memory, id) = object(Background::Unwritten);
        let (terms, object) = (&mut Terms::new(), memory.get_mut(id));
        object.store(terms, 0, 8, known(64, 0x8877_6655_4433_2211)).unwrap();
        object.store(terms, 3, 2, known(16, 0xbbaa)).unwrap();
        assert_eq!(object.load(terms, 0, Type::Int(64), 64), Ok(known(64, 0x8877_66bb_aa33_2211)));
        assert_eq!(object.load(terms, 2, Type::Int(16), 64), Ok(known(16, 0xaa33)));
    }

    #[test]
    fn symbolic_bytes_come_back_whole() {
        let (mut memory, id) = object(Background::Filled(0));
        let (terms, object) = (&mut Terms::new(), memory.get_mut(id));
        let x = Val::Scalar(Scalar::Term(terms.int_var("x", 32)));
        object.store(terms, 4, 4, x).unwrap();
        assert_eq!(object.load(terms, 4, Type::Int(32), 64), Ok(x));
        let Ok(Val::Scalar(wide)) = object.load(terms, 0, Type::Int(64), 64) else { panic!("eight bytes are there") };
        assert_eq!(Val::Scalar(crate::value::extract(terms, 63, 32, wide)), x);
    }

    #[test]
    fn what_was_not_written_is_told_apart() {
        let (mut memory, id) = object(Background::Unwritten);
        let (terms, object) = (&mut Terms::new(), memory.get_mut(id));
        object.store(terms, 0, 1, known(8, 7)).unwrap();
        assert_eq!(object.load(terms, 0, Type::Int(16), 64), Err(Missing::Unwritten(1)));
        object.reset(Background::Input);
        assert_eq!(object.load(terms, 0, Type::Int(16), 64), Err(Missing::Input(0)));
    }

    #[test]
    fn part_of_a_pointer_may_be_overwritten_but_not_read() {
        let (mut memory, id) = object(Background::Unwritten);
        let start = Pointer { base: Base::Object(id), offset: Scalar::int(64, 0) };
        let (terms, object) = (&mut Terms::new(), memory.get_mut(id));
        object.store(terms, 0, 8, Val::Pointer(start)).unwrap();
        object.store(terms, 0, 1, known(8, 7)).unwrap();
        assert_eq!(object.load(terms, 0, Type::Int(8), 64), Ok(known(8, 7)));
        assert_eq!(object.load(terms, 1, Type::Int(8), 64), Err(Missing::Fragment));
        assert_eq!(object.load(terms, 0, Type::Pointer, 64), Err(Missing::Fragment));
    }

    #[test]
    fn copies_do_not_share_later_changes() {
        let (mut memory, id) = object(Background::Filled(0));
        let terms = &mut Terms::new();
        let copy = memory.clone();
        memory.get_mut(id).store(terms, 0, 1, known(8, 1)).unwrap();
        assert_eq!(copy.get(id).load(terms, 0, Type::Int(8), 64), Ok(known(8, 0)));
    }
}
