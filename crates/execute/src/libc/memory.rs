//! Functions on bytes: the `mem` half of `string.h`.

use super::{Call, Plain, Reply, Trouble, address, int};
use crate::memory::Fault;

pub(super) const TABLE: &[(&str, Plain)] = &[
    ("bcopy", bcopy),
    ("bzero", bzero),
    ("memccpy", memccpy),
    ("memchr", memchr),
    ("memcmp", memcmp),
    ("memcpy", memcpy),
    ("memmem", memmem),
    ("memmove", memmove),
    ("mempcpy", mempcpy),
    ("memrchr", memrchr),
    ("memset", memset),
    ("rawmemchr", rawmemchr),
];

fn copy_disjoint(call: &mut Call<'_>) -> Result<(u64, u64), Trouble> {
    let (to, from, count) = (call.address(0)?, call.address(1)?, call.address(2)?);
    if to.abs_diff(from) < count && to != from {
        return Err(Fault::Overlap { count }.into());
    }
    call.memory.copy(to, from, count as usize)?;
    Ok((to, count))
}

fn memcpy(call: &mut Call<'_>) -> Reply {
    address(copy_disjoint(call)?.0)
}

fn mempcpy(call: &mut Call<'_>) -> Reply {
    let (to, count) = copy_disjoint(call)?;
    address(to + count)
}

fn memmove(call: &mut Call<'_>) -> Reply {
    let (to, from, count) = (call.address(0)?, call.address(1)?, call.size(2)?);
    call.memory.copy(to, from, count)?;
    address(to)
}

fn bcopy(call: &mut Call<'_>) -> Reply {
    let (from, to, count) = (call.address(0)?, call.address(1)?, call.size(2)?);
    call.memory.copy(to, from, count)?;
    Ok(None)
}

fn memset(call: &mut Call<'_>) -> Reply {
    let (to, byte, count) = (call.address(0)?, call.byte(1)?, call.size(2)?);
    call.memory.fill(to, byte, count)?;
    address(to)
}

fn bzero(call: &mut Call<'_>) -> Reply {
    let (to, count) = (call.address(0)?, call.size(1)?);
    call.memory.fill(to, 0, count)?;
    Ok(None)
}

fn memcmp(call: &mut Call<'_>) -> Reply {
    let (a, b, count) = (call.address(0)?, call.address(1)?, call.size(2)?);
    let (a, b) = (call.memory.read(a, count)?, call.memory.read(b, count)?);
    int(difference(a, b))
}

/// The difference of the first bytes that differ, as glibc gives it.
pub(super) fn difference(a: &[u8], b: &[u8]) -> i64 {
    a.iter().zip(b).find(|(a, b)| a != b).map_or(0, |(a, b)| i64::from(*a) - i64::from(*b))
}

/// Searches may stop before the end of the range, so only what they look at must exist.
fn prefix<'a>(call: &'a Call<'_>, start: u64, limit: usize, byte: u8) -> Result<&'a [u8], Trouble> {
    let available = match call.memory.object(start) {
        Some((object, offset)) if offset >= 0 => object.len().saturating_sub(offset as usize),
        _ => 0,
    };
    let bytes = call.memory.bytes(start, available.min(limit))?;
    let length = match bytes.iter().position(|&other| other == byte) {
        Some(position) => position + 1,
        None => limit,
    };
    Ok(call.memory.read(start, length)?)
}

fn memchr(call: &mut Call<'_>) -> Reply {
    let (start, byte, count) = (call.address(0)?, call.byte(1)?, call.size(2)?);
    let looked_at = prefix(call, start, count, byte)?;
    address(looked_at.last().filter(|&&last| last == byte).map_or(0, |_| start + looked_at.len() as u64 - 1))
}

fn rawmemchr(call: &mut Call<'_>) -> Reply {
    let (start, byte) = (call.address(0)?, call.byte(1)?);
    let looked_at = prefix(call, start, usize::MAX, byte)?;
    address(start + looked_at.len() as u64 - 1)
}

fn memrchr(call: &mut Call<'_>) -> Reply {
    let (start, byte, count) = (call.address(0)?, call.byte(1)?, call.size(2)?);
    let found = call.memory.read(start, count)?.iter().rposition(|&other| other == byte);
    address(found.map_or(0, |position| start + position as u64))
}

fn memccpy(call: &mut Call<'_>) -> Reply {
    let (to, from, byte, count) = (call.address(0)?, call.address(1)?, call.byte(2)?, call.size(3)?);
    let bytes = prefix(call, from, count, byte)?.to_vec();
    call.memory.write(to, &bytes)?;
    address(if bytes.last() == Some(&byte) { to + bytes.len() as u64 } else { 0 })
}

fn memmem(call: &mut Call<'_>) -> Reply {
    let (start, length) = (call.address(0)?, call.size(1)?);
    let (needle, needle_length) = (call.address(2)?, call.size(3)?);
    let found = find(call.memory.read(start, length)?, call.memory.read(needle, needle_length)?);
    address(found.map_or(0, |position| start + position as u64))
}

/// Where one run of bytes first occurs in another.
pub(super) fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    bytes.windows(needle.len()).position(|window| window == needle)
}
