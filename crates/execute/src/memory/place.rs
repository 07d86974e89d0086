//! Addresses of objects where pointers are narrower than 64 bits: disjoint ranges in an ordered map.
//!
//! New objects go behind the one placed last, and around to the start when the end of the address space is reached, so
//! that the address of a dead object is used again as late as possible. A gap behind each object keeps a pointer one
//! past its end from being the next object's address.

use std::collections::BTreeMap;

const GAP: u64 = 16;

/// Which slot lies at which address.
#[derive(Clone, Debug)]
pub(super) struct Places {
    first: u64,
    limit: u64,
    next: u64,
    taken: BTreeMap<u64, (u64, u32)>,
}

impl Places {
    pub(super) fn new(pointer_width: u8) -> Places {
        let first = Places::first(pointer_width);
        Places { first, limit: 1 << pointer_width, next: first, taken: BTreeMap::new() }
    }

    /// The lowest address of an object.
    pub(super) fn first(pointer_width: u8) -> u64 {
        match pointer_width {
            64 => 2 << 32,
            32 => 0x1000_0000,
            _ => 0x2000,
        }
    }

    /// Finds room for an object.
    pub(super) fn take(&mut self, size: u64, align: u64, slot: u32) -> Option<u64> {
        let align = align.max(16);
        let base = self.room(self.next, size, align).or_else(|| self.room(self.first, size, align))?;
        self.taken.insert(base, (size, slot));
        self.next = base + size + GAP;
        Some(base)
    }

    pub(super) fn give_back(&mut self, base: u64) {
        self.taken.remove(&base);
    }

    /// The slot and offset of an address inside an object or one past its end.
    pub(super) fn find(&self, address: u64) -> Option<(usize, usize)> {
        let (&base, &(size, slot)) = self.taken.range(..=address).next_back()?;
        (address - base <= size).then_some((slot as usize, (address - base) as usize))
    }

    fn room(&self, from: u64, size: u64, align: u64) -> Option<u64> {
        let mut base = from.next_multiple_of(align);
        if let Some((&before, &(length, _))) = self.taken.range(..=base).next_back() {
            base = base.max((before + length + GAP).next_multiple_of(align));
        }
        for (&after, &(length, _)) in self.taken.range(base..) {
            if base + size + GAP <= after {
                break;
            }
            base = (after + length + GAP).next_multiple_of(align);
        }
        (base + size + GAP <= self.limit).then_some(base)
    }
}
