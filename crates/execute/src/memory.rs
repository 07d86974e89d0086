//! The memory of a running program: objects of bytes, and the addresses that name them.
//!
//! An object is a run of bytes with, for each byte, whether it was ever written. A pointer is a plain address. With
//! 64-bit pointers the upper half of an address names the object (`generation:8 | slot:24`) and the lower half is the
//! offset plus [`BIAS`], so finding the object takes one comparison, small negative offsets stay recognisable, and no
//! arithmetic on one object's pointer reaches another object. A slot is used again after its object died, under the
//! next generation: an access through a stale pointer is found out, certainly for the next 255 lives of the slot. With
//! narrower pointers objects lie at disjoint addresses in an ordered map (`place`).
//!
//! Heap slots are reused first-freed-first, to find stale pointers as long as possible; stack slots last-freed-first,
//! to stay in the processor's caches.
//!
//! What this does not do: it knows nothing of C types, and it has no notion of an access's effective type.

mod access;
mod fault;
mod object;
mod place;
mod written;

pub use fault::{Fault, ObjectRange};
pub use object::{Object, Origin};

use clew_ir::Target;
use place::Places;
use std::collections::VecDeque;

/// Where an object begins inside its 4 GiB segment.
pub const BIAS: u32 = 0x1_0000;
/// Slot whose segment holds the addresses of functions.
const FUNCTIONS: u32 = 1;
const SLOT_BITS: u32 = 24;
const SLOT_MASK: u32 = (1 << SLOT_BITS) - 1;
/// Buffers of at most this many bytes stay with their slot for its next object.
const KEPT_BYTES: usize = 256;

/// The memory limit was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

/// What a new object contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Bytes nobody has written.
    Unwritten,
    /// Zeros.
    Zero,
}

/// All objects of a program.
#[derive(Clone, Debug)]
pub struct Memory {
    objects: Vec<Object>,
    free_stack: Vec<u32>,
    free_heap: VecDeque<u32>,
    /// Addresses of objects where pointers are narrower than 64 bits.
    places: Option<Places>,
    target: Target,
    bytes: u64,
    limit: u64,
    /// Whether new objects count as written.
    all_written: bool,
}

impl Memory {
    /// Memory without objects, for at most `limit` bytes at a time.
    pub fn new(target: Target, limit: u64) -> Memory {
        let places = (target.pointer_width < 64).then(|| Places::new(target.pointer_width));
        let objects = (0..=FUNCTIONS).map(|_| Object::nothing()).collect();
        Memory {
            objects,
            free_stack: Vec::new(),
            free_heap: VecDeque::new(),
            places,
            target,
            bytes: 0,
            limit,
            all_written: false,
        }
    }

    /// The machine whose memory it is.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Lets new objects count as written from the start: what nobody wrote is zero.
    pub fn allow_unwritten(&mut self) {
        self.all_written = true;
    }

    /// Allows at most `limit` bytes at a time.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Bytes of all living objects.
    pub fn bytes_in_use(&self) -> u64 {
        self.bytes
    }

    /// Makes an object and returns its address.
    pub fn allocate(&mut self, size: u64, align: u64, origin: Origin, contents: Contents) -> Result<u64, OutOfMemory> {
        let room = u64::from(u32::MAX - 2 * BIAS);
        if size > room || self.bytes + size > self.limit {
            return Err(OutOfMemory);
        }
        let slot = self.take_slot(origin.is_stack())?;
        let base = match &mut self.places {
            None => u64::from(self.objects[slot as usize].tag) << 32 | u64::from(BIAS),
            Some(places) => places.take(size, align, slot).ok_or(OutOfMemory)?,
        };
        self.bytes += size;
        let contents = if self.all_written { Contents::Zero } else { contents };
        self.objects[slot as usize].begin(base, size as usize, origin, contents);
        Ok(base)
    }

    /// Ends the life of the object that begins at `address`.
    pub fn release(&mut self, address: u64) -> Result<(), Fault> {
        match self.find(address) {
            Some((slot, 0)) if self.objects[slot].is_live() => {
                self.release_slot(slot as u32);
                Ok(())
            }
            _ => Err(self.explain(address, 0, false)),
        }
    }

    /// The object an address points into or just behind, and the offset (which may lie outside it).
    pub fn object(&self, address: u64) -> Option<(&Object, i64)> {
        let (slot, offset) = self.find(address)?;
        let object = &self.objects[slot];
        object.is_live().then(|| (object, i64::from(offset as u32 as i32)))
    }

    /// Whether a pointer moved by pointer arithmetic stays within its object or one past its end. Pointers to objects
    /// that died may be moved: only using them is found out.
    pub fn may_move(&self, from: u64, to: u64) -> bool {
        if from == to {
            return true;
        }
        match self.find(from) {
            Some((slot, _)) => {
                let object = &self.objects[slot];
                to.wrapping_sub(object.base) <= object.len() as u64
            }
            None => self.is_stale(from) && from >> 32 == to >> 32,
        }
    }

    /// Whether two pointers belong to one object, alive or not.
    pub fn same_object(&self, a: u64, b: u64) -> bool {
        if a == b {
            return true;
        }
        match self.places {
            None => a >> 32 == b >> 32,
            Some(_) => match (self.find(a), self.find(b)) {
                (Some((a, _)), Some((b, _))) => a == b,
                _ => false,
            },
        }
    }

    /// The address of the function with that index.
    pub fn function_address(target: Target, index: u32) -> u64 {
        let step = if target.pointer_width < 32 { 1 } else { 16 };
        Memory::functions_base(target) + u64::from(index) * step
    }

    /// The index of the function at an address, if its upper part says it is one's; the index may not exist.
    pub fn function_at(target: Target, address: u64) -> Option<u32> {
        let step = if target.pointer_width < 32 { 1 } else { 16 };
        let distance = address.checked_sub(Memory::functions_base(target))?;
        let limit = Places::first(target.pointer_width).saturating_sub(Memory::functions_base(target));
        (distance.is_multiple_of(step) && distance < limit).then(|| u32::try_from(distance / step).ok()).flatten()
    }

    fn functions_base(target: Target) -> u64 {
        match target.pointer_width {
            64 => u64::from(FUNCTIONS) << 32 | u64::from(BIAS),
            32 => 0x0800_0000,
            _ => 0x100,
        }
    }

    /// The slot and offset an address denotes, if its object's life has not ended.
    #[inline]
    fn find(&self, address: u64) -> Option<(usize, usize)> {
        if let Some(places) = &self.places {
            return places.find(address);
        }
        let tag = (address >> 32) as u32;
        let slot = (tag & SLOT_MASK) as usize;
        let object = self.objects.get(slot)?;
        (object.tag == tag).then(|| (slot, (address as u32).wrapping_sub(BIAS) as usize))
    }

    /// Whether an address names a slot under a generation that has passed.
    fn is_stale(&self, address: u64) -> bool {
        let slot = (address >> 32) as u32 & SLOT_MASK;
        self.places.is_none() && slot > FUNCTIONS && (slot as usize) < self.objects.len()
    }

    fn take_slot(&mut self, stack: bool) -> Result<u32, OutOfMemory> {
        let reused = if stack { self.free_stack.pop() } else { self.free_heap.pop_front() };
        if let Some(slot) = reused {
            return Ok(slot);
        }
        let slot = self.objects.len() as u32;
        if slot > SLOT_MASK {
            return self.free_stack.pop().or_else(|| self.free_heap.pop_front()).ok_or(OutOfMemory);
        }
        self.objects.push(Object::with_tag(slot));
        Ok(slot)
    }

    fn release_slot(&mut self, slot: u32) {
        let object = &mut self.objects[slot as usize];
        self.bytes -= object.len() as u64;
        if let Some(places) = &mut self.places {
            places.give_back(object.base);
        }
        let stack = object.origin.is_stack();
        object.end();
        object.tag = object.tag.wrapping_add(1 << SLOT_BITS);
        if stack {
            self.free_stack.push(slot);
        } else {
            self.free_heap.push_back(slot);
        }
    }
}
