//! `malloc` and its family.

use super::{Call, Plain, Reply, Trouble, address};
use crate::memory::{Contents, Origin};

pub(super) const TABLE: &[(&str, Plain)] = &[
    ("aligned_alloc", aligned_alloc),
    ("calloc", calloc),
    ("free", free),
    ("malloc", malloc),
    ("malloc_usable_size", usable_size),
    ("posix_memalign", posix_memalign),
    ("realloc", realloc),
    ("reallocarray", reallocarray),
    ("valloc", malloc),
];

/// Requests of more than this fail as they would natively, instead of hitting the memory limit.
const ABSURD: u64 = 1 << 47;
const ENOMEM: i32 = 12;
const EINVAL: i64 = 22;

/// A new object, or null with `errno` for a size no machine has.
fn new_object(call: &mut Call<'_>, size: Option<u64>, contents: Contents) -> Result<u64, Trouble> {
    let limit = ABSURD.min(u64::MAX >> (65 - u32::from(call.memory.target().pointer_width)));
    match size {
        Some(size) if size <= limit => Ok(call.memory.allocate(size, 16, Origin::Heap, contents)?),
        _ => {
            call.set_errno(ENOMEM)?;
            Ok(0)
        }
    }
}

fn malloc(call: &mut Call<'_>) -> Reply {
    let size = call.address(0)?;
    address(new_object(call, Some(size), Contents::Unwritten)?)
}

fn calloc(call: &mut Call<'_>) -> Reply {
    let size = call.address(0)?.checked_mul(call.address(1)?);
    address(new_object(call, size, Contents::Zero)?)
}

fn aligned_alloc(call: &mut Call<'_>) -> Reply {
    let size = call.address(1)?;
    address(new_object(call, Some(size), Contents::Unwritten)?)
}

fn posix_memalign(call: &mut Call<'_>) -> Reply {
    let (place, align, size) = (call.address(0)?, call.address(1)?, call.address(2)?);
    if !align.is_power_of_two() || align % call.pointer_bytes() as u64 != 0 {
        return super::int(EINVAL);
    }
    let object = new_object(call, Some(size), Contents::Unwritten)?;
    call.store_pointer(place, object)?;
    super::int(if object == 0 { i64::from(ENOMEM) } else { 0 })
}

fn free(call: &mut Call<'_>) -> Reply {
    match call.address(0)? {
        0 => {}
        pointer => call.memory.free(pointer)?,
    }
    Ok(None)
}

fn realloc(call: &mut Call<'_>) -> Reply {
    let (old, size) = (call.address(0)?, call.address(1)?);
    resize(call, old, Some(size))
}

fn reallocarray(call: &mut Call<'_>) -> Reply {
    let old = call.address(0)?;
    let size = call.address(1)?.checked_mul(call.address(2)?);
    resize(call, old, size)
}

/// Always moves, so that stale pointers to the old object are found out.
fn resize(call: &mut Call<'_>, old: u64, size: Option<u64>) -> Reply {
    if old == 0 {
        return address(new_object(call, size, Contents::Unwritten)?);
    }
    if size == Some(0) {
        call.memory.free(old)?;
        return address(0);
    }
    let length = heap_length(call, old)?;
    let new = new_object(call, size, Contents::Unwritten)?;
    if new != 0 {
        call.memory.copy(new, old, length.min(size.unwrap_or(0)) as usize)?;
        call.memory.free(old)?;
    }
    address(new)
}

fn heap_length(call: &mut Call<'_>, pointer: u64) -> Result<u64, Trouble> {
    match call.memory.object(pointer) {
        Some((object, 0)) if object.origin().is_freeable() => Ok(object.len() as u64),
        // Freeing explains what is wrong with the pointer.
        _ => Err(call.memory.free(pointer).err().map_or(Trouble::Abort, Trouble::Fault)),
    }
}

fn usable_size(call: &mut Call<'_>) -> Reply {
    match call.address(0)? {
        0 => address(0),
        pointer => address(heap_length(call, pointer)?),
    }
}
