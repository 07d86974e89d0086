//! Reading and writing bytes.
//!
//! The loads and stores of scalars are the interpreter's hot path: one lookup, one bounds check, one look at the
//! written bits. Ranges serve `memcpy` and its like. Everything that fails explains itself afterwards.

use super::{Contents, Fault, Memory, Object};

impl Memory {
    /// Reads `N` bytes (at most 8) that must have been written.
    #[inline]
    pub fn load<const N: usize>(&self, address: u64) -> Result<[u8; N], Fault> {
        if let Some((slot, offset)) = self.find(address) {
            let object = &self.objects[slot];
            if let Some(bytes) = object.bytes.get(offset..offset + N)
                && object.written.covers_few(offset, N)
            {
                return Ok(bytes.try_into().expect("the range has N bytes"));
            }
        }
        Err(self.explain(address, N, false))
    }

    /// Reads `N` bytes, written or not.
    #[inline]
    pub fn load_raw<const N: usize>(&self, address: u64) -> Result<[u8; N], Fault> {
        if let Some((slot, offset)) = self.find(address)
            && let Some(bytes) = self.objects[slot].bytes.get(offset..offset + N)
        {
            return Ok(bytes.try_into().expect("the range has N bytes"));
        }
        Err(self.explain(address, N, false))
    }

    /// Writes `N` bytes (at most 8).
    #[inline]
    pub fn store<const N: usize>(&mut self, address: u64, value: [u8; N]) -> Result<(), Fault> {
        if let Some((slot, offset)) = self.find(address) {
            let object = &mut self.objects[slot];
            if !object.read_only
                && let Some(bytes) = object.bytes.get_mut(offset..offset + N)
            {
                bytes.copy_from_slice(&value);
                object.written.mark_few(offset, N);
                return Ok(());
            }
        }
        Err(self.explain(address, N, true))
    }

    /// Reads up to 16 bytes as a number in the target's byte order.
    pub fn load_number(&self, address: u64, count: usize, raw: bool) -> Result<u128, Fault> {
        let bytes = if raw { self.bytes(address, count)? } else { self.read(address, count)? };
        let mut buffer = [0; 16];
        buffer[..count].copy_from_slice(bytes);
        if self.target.big_endian {
            buffer[..count].reverse();
        }
        Ok(u128::from_le_bytes(buffer))
    }

    /// Writes the low bytes of a number in the target's byte order.
    pub fn store_number(&mut self, address: u64, count: usize, number: u128) -> Result<(), Fault> {
        let mut buffer = number.to_le_bytes();
        if self.target.big_endian {
            buffer[..count].reverse();
        }
        self.write(address, &buffer[..count])
    }

    /// Bytes that must have been written.
    pub fn read(&self, address: u64, count: usize) -> Result<&[u8], Fault> {
        let (object, offset) = self.range(address, count)?;
        match object.written.first_missing(offset, count) {
            None => Ok(&object.bytes[offset..offset + count]),
            Some(_) => Err(self.explain(address, count, false)),
        }
    }

    /// Bytes, written or not.
    pub fn bytes(&self, address: u64, count: usize) -> Result<&[u8], Fault> {
        let (object, offset) = self.range(address, count)?;
        Ok(&object.bytes[offset..offset + count])
    }

    /// Writes bytes.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        let (object, offset) = self.range_mut(address, bytes.len())?;
        object.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        let size = object.bytes.len();
        object.written.mark(offset, bytes.len(), size);
        Ok(())
    }

    /// Sets `count` bytes.
    pub fn fill(&mut self, address: u64, byte: u8, count: usize) -> Result<(), Fault> {
        let (object, offset) = self.range_mut(address, count)?;
        object.bytes[offset..offset + count].fill(byte);
        let size = object.bytes.len();
        object.written.mark(offset, count, size);
        Ok(())
    }

    /// Copies `count` bytes, written or not; the ranges may overlap.
    pub fn copy(&mut self, to: u64, from: u64, count: usize) -> Result<(), Fault> {
        let (source, source_offset) = self.slot_range(from, count, false)?;
        let (dest, offset) = self.slot_range(to, count, true)?;
        if count == 0 {
            return Ok(());
        }
        if source == dest {
            let object = &mut self.objects[dest];
            let size = object.bytes.len();
            object.bytes.copy_within(source_offset..source_offset + count, offset);
            object.written.copy_within(offset, source_offset, count, size);
            return Ok(());
        }
        let [source, object] =
            self.objects.get_disjoint_mut([source, dest]).expect("the slots were found and are different");
        let size = object.bytes.len();
        object.bytes[offset..offset + count].copy_from_slice(&source.bytes[source_offset..source_offset + count]);
        object.written.copy_from(offset, &source.written, source_offset, count, size);
        Ok(())
    }

    /// The bytes from `address` up to (and without) the first zero byte, at most `limit` of them.
    pub fn string(&self, address: u64, limit: usize) -> Result<&[u8], Fault> {
        if limit == 0 {
            return Ok(&[]);
        }
        let (object, offset) = self.range(address, 1)?;
        let rest = &object.bytes[offset..];
        let window = &rest[..rest.len().min(limit)];
        let length = match window.iter().position(|&byte| byte == 0) {
            Some(length) => length,
            None if window.len() == limit => limit,
            None => return Err(self.explain(address, rest.len() + 1, false)),
        };
        let looked_at = (length + 1).min(limit);
        if object.written.first_missing(offset, looked_at).is_some() {
            return Err(self.explain(address, looked_at, false));
        }
        Ok(&rest[..length])
    }

    /// Makes all of an object's bytes unwritten again.
    pub fn forget(&mut self, address: u64) -> Result<(), Fault> {
        let contents = if self.all_written { Contents::Zero } else { Contents::Unwritten };
        let (object, _) = self.range_mut(address, 0)?;
        let size = object.bytes.len();
        object.written.begin(size, contents);
        Ok(())
    }

    /// Forbids or allows writing to an object.
    pub fn protect(&mut self, address: u64, read_only: bool) {
        if let Some((slot, _)) = self.find(address) {
            self.objects[slot].read_only = read_only;
        }
    }

    /// Ends the life of an object of the heap, given its start.
    pub fn free(&mut self, address: u64) -> Result<(), Fault> {
        match self.object(address) {
            Some((object, 0)) if object.origin.is_freeable() => self.release(address),
            Some((object, offset)) => Err(Fault::NotAllocated(super::ObjectRange {
                origin: object.origin,
                size: object.len() as u64,
                offset,
                count: 0,
            })),
            None => Err(match self.explain(address, 0, false) {
                Fault::Dead { origin: Some(origin) } if origin.is_freeable() => Fault::DoubleFree,
                other => other,
            }),
        }
    }

    fn slot_range(&self, address: u64, count: usize, write: bool) -> Result<(usize, usize), Fault> {
        if count == 0 && address == 0 {
            return Ok((0, 0));
        }
        match self.find(address) {
            Some((slot, offset)) if self.allows(slot, offset, count, write) => Ok((slot, offset)),
            _ => Err(self.explain(address, count, write)),
        }
    }

    fn allows(&self, slot: usize, offset: usize, count: usize, write: bool) -> bool {
        let object = &self.objects[slot];
        let inside = offset.checked_add(count).is_some_and(|end| end <= object.bytes.len());
        inside && object.is_live() && !(write && object.read_only)
    }

    fn range(&self, address: u64, count: usize) -> Result<(&Object, usize), Fault> {
        self.slot_range(address, count, false).map(|(slot, offset)| (&self.objects[slot], offset))
    }

    fn range_mut(&mut self, address: u64, count: usize) -> Result<(&mut Object, usize), Fault> {
        self.slot_range(address, count, true).map(|(slot, offset)| (&mut self.objects[slot], offset))
    }
}
