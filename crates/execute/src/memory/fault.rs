//! Why an access is wrong.

use super::{Memory, Origin};
use std::fmt;

/// The object and the bytes of it that an access concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectRange {
    /// Where the object comes from.
    pub origin: Origin,
    /// Its size in bytes.
    pub size: u64,
    /// First byte of the access, relative to the object.
    pub offset: i64,
    /// Bytes accessed.
    pub count: u64,
}

/// Why an access is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Through the null pointer, or near it.
    Null {
        /// The address.
        address: u64,
    },
    /// Through an address where there never was an object.
    Nowhere {
        /// The address.
        address: u64,
    },
    /// Through a pointer to an object that died; its origin is known while its place was not used again.
    Dead {
        /// Where the object came from.
        origin: Option<Origin>,
    },
    /// Through a pointer to a function.
    Function {
        /// The address.
        address: u64,
    },
    /// Outside the object.
    OutOfBounds(ObjectRange),
    /// Writing to a constant.
    ReadOnly(ObjectRange),
    /// Reading bytes nobody wrote; the offset is that of the first such byte.
    Unwritten(ObjectRange),
    /// Giving back what is no start of an object of the heap.
    NotAllocated(ObjectRange),
    /// Giving back for the second time.
    DoubleFree,
    /// Copying between ranges that overlap.
    Overlap {
        /// Bytes copied.
        count: u64,
    },
}

impl Memory {
    /// Why an access of `count` bytes at `address` failed.
    #[cold]
    pub(crate) fn explain(&self, address: u64, count: usize, write: bool) -> Fault {
        if address < 0x1000 {
            return Fault::Null { address };
        }
        if Memory::function_at(self.target, address).is_some() {
            return Fault::Function { address };
        }
        let Some((slot, offset)) = self.find(address) else {
            return self.explain_absent(address);
        };
        let object = &self.objects[slot];
        if !object.is_live() {
            return Fault::Nowhere { address };
        }
        let offset = i64::from(offset as u32 as i32);
        let place = ObjectRange { origin: object.origin, size: object.len() as u64, offset, count: count as u64 };
        let outside = offset < 0 || offset as u64 + count as u64 > place.size;
        if outside {
            Fault::OutOfBounds(place)
        } else if write && object.read_only {
            Fault::ReadOnly(place)
        } else {
            let first = object.written.first_missing(offset as usize, count).unwrap_or(offset as usize);
            Fault::Unwritten(ObjectRange { offset: first as i64, ..place })
        }
    }

    fn explain_absent(&self, address: u64) -> Fault {
        if !self.is_stale(address) {
            return Fault::Nowhere { address };
        }
        let tag = (address >> 32) as u32;
        let object = &self.objects[(tag & super::SLOT_MASK) as usize];
        let just_died = !object.is_live() && object.tag == tag.wrapping_add(1 << super::SLOT_BITS);
        Fault::Dead { origin: just_died.then_some(object.origin) }
    }
}

impl Fault {
    /// The origin of the object concerned.
    pub fn origin(&self) -> Option<Origin> {
        match self {
            Fault::Dead { origin } => *origin,
            Fault::OutOfBounds(place)
            | Fault::ReadOnly(place)
            | Fault::Unwritten(place)
            | Fault::NotAllocated(place) => Some(place.origin),
            _ => None,
        }
    }
}

/// Speaks of the object as `it`; who knows the program says which one.
impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Null { address: 0 } => out.write_str("null pointer"),
            Fault::Null { address } => write!(out, "null pointer with offset {address}"),
            Fault::Nowhere { address } => write!(out, "no object at address {address:#x}"),
            Fault::Dead { .. } => out.write_str("object no longer exists"),
            Fault::Function { address } => write!(out, "address {address:#x} is a function's"),
            Fault::OutOfBounds(place) => write!(
                out,
                "out of bounds: {} bytes at offset {} of an object of {} bytes",
                place.count, place.offset, place.size
            ),
            Fault::ReadOnly(place) => write!(out, "write to a constant at offset {}", place.offset),
            Fault::Unwritten(place) => write!(
                out,
                "uninitialised: byte {} of an object of {} bytes was never written",
                place.offset, place.size
            ),
            Fault::NotAllocated(place) => {
                write!(out, "offset {} of an object is not the start of a heap object", place.offset)
            }
            Fault::DoubleFree => out.write_str("freed twice"),
            Fault::Overlap { count } => write!(out, "copy of {count} bytes between overlapping ranges"),
        }
    }
}
