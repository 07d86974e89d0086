//! Functions on strings: the `str` half of `string.h`, and `strings.h`.

use super::memory::find;
use super::{Call, Plain, Reply, Trouble, address, int};
use crate::memory::{Contents, Fault, Origin};

pub(super) const TABLE: &[(&str, Plain)] = &[
    ("ffs", ffs),
    ("ffsl", ffs),
    ("ffsll", ffs),
    ("stpcpy", stpcpy),
    ("stpncpy", stpncpy),
    ("strcasecmp", strcasecmp),
    ("strcasestr", strcasestr),
    ("strcat", strcat),
    ("strchr", strchr),
    ("strchrnul", strchrnul),
    ("strcmp", strcmp),
    ("strcpy", strcpy),
    ("strcspn", strcspn),
    ("strdup", strdup),
    ("strlcat", strlcat),
    ("strlcpy", strlcpy),
    ("strlen", strlen),
    ("strncasecmp", strncasecmp),
    ("strncat", strncat),
    ("strncmp", strncmp),
    ("strncpy", strncpy),
    ("strndup", strndup),
    ("strnlen", strnlen),
    ("strpbrk", strpbrk),
    ("strrchr", strrchr),
    ("strsep", strsep),
    ("strspn", strspn),
    ("strstr", strstr),
    ("strtok", strtok),
    ("strtok_r", strtok_r),
    ("strverscmp", strverscmp),
    ("strxfrm", strxfrm),
    ("wcslen", wcslen),
];

fn strlen(call: &mut Call<'_>) -> Reply {
    let string = call.address(0)?;
    address(call.memory.string(string, usize::MAX)?.len() as u64)
}

fn strnlen(call: &mut Call<'_>) -> Reply {
    let (string, limit) = (call.address(0)?, call.size(1)?);
    address(call.memory.string(string, limit)?.len() as u64)
}

/// Writes bytes and a zero behind them.
fn put(call: &mut Call<'_>, to: u64, bytes: &[u8]) -> Result<(), Trouble> {
    let terminated = [bytes, &[0]].concat();
    Ok(call.memory.write(to, &terminated)?)
}

/// Two ranges of which one is written must not overlap.
fn disjoint(to: u64, from: u64, count: usize) -> Result<(), Trouble> {
    if to.abs_diff(from) < count as u64 {
        return Err(Fault::Overlap { count: count as u64 }.into());
    }
    Ok(())
}

fn strcpy(call: &mut Call<'_>) -> Reply {
    stpcpy(call)?;
    address(call.address(0)?)
}

fn stpcpy(call: &mut Call<'_>) -> Reply {
    let to = call.address(0)?;
    let bytes = call.string(1)?;
    disjoint(to, call.address(1)?, bytes.len() + 1)?;
    put(call, to, &bytes)?;
    address(to + bytes.len() as u64)
}

fn strncpy(call: &mut Call<'_>) -> Reply {
    stpncpy(call)?;
    address(call.address(0)?)
}

fn stpncpy(call: &mut Call<'_>) -> Reply {
    let (to, from, limit) = (call.address(0)?, call.address(1)?, call.size(2)?);
    let mut bytes = call.memory.string(from, limit)?.to_vec();
    let length = bytes.len();
    bytes.resize(limit.min(1 << 32), 0);
    call.memory.write(to, &bytes)?;
    address(to + length as u64)
}

fn strcat(call: &mut Call<'_>) -> Reply {
    append(call, usize::MAX)
}

fn strncat(call: &mut Call<'_>) -> Reply {
    let limit = call.size(2)?;
    append(call, limit)
}

fn append(call: &mut Call<'_>, limit: usize) -> Reply {
    let (to, from) = (call.address(0)?, call.address(1)?);
    let length = call.memory.string(to, usize::MAX)?.len();
    let bytes = call.memory.string(from, limit)?.to_vec();
    put(call, to + length as u64, &bytes)?;
    address(to)
}

fn strlcpy(call: &mut Call<'_>) -> Reply {
    let (to, size) = (call.address(0)?, call.size(2)?);
    let bytes = call.string(1)?;
    if size > 0 {
        put(call, to, &bytes[..bytes.len().min(size - 1)])?;
    }
    address(bytes.len() as u64)
}

fn strlcat(call: &mut Call<'_>) -> Reply {
    let (to, size) = (call.address(0)?, call.size(2)?);
    let bytes = call.string(1)?;
    let length = call.memory.string(to, size)?.len();
    if length < size {
        put(call, to + length as u64, &bytes[..bytes.len().min(size - length - 1)])?;
    }
    address((length + bytes.len()) as u64)
}

/// The difference of the first bytes that differ, the terminators included.
fn compare(a: &[u8], b: &[u8], map: fn(u8) -> u8) -> i64 {
    let end = std::iter::once(0);
    let mut pairs = a.iter().copied().chain(end.clone()).zip(b.iter().copied().chain(end));
    pairs.find(|&(a, b)| map(a) != map(b)).map_or(0, |(a, b)| i64::from(map(a)) - i64::from(map(b)))
}

fn same(byte: u8) -> u8 {
    byte
}

fn lower(byte: u8) -> u8 {
    byte.to_ascii_lowercase()
}

/// Compares strings that may lack a terminator behind the first difference.
fn compare_up_to(call: &Call<'_>, limit: usize, map: fn(u8) -> u8) -> Reply {
    let (a, b) = (call.address(0)?, call.address(1)?);
    if limit == 0 {
        return int(0);
    }
    let common = looked_at(call, a, b, limit, map)?;
    int(compare(call.memory.string(a, common)?, call.memory.string(b, common)?, map))
}

/// How many bytes a comparison looks at: up to the first difference or terminator.
fn looked_at(call: &Call<'_>, a: u64, b: u64, limit: usize, map: fn(u8) -> u8) -> Result<usize, Trouble> {
    let rest = |start: u64| match call.memory.object(start) {
        Some((object, offset)) if offset >= 0 => object.bytes().get(offset as usize..).unwrap_or(&[]),
        _ => &[],
    };
    let pairs = rest(a).iter().zip(rest(b)).take(limit);
    let same = pairs.take_while(|&(&a, &b)| a != 0 && map(a) == map(b)).count();
    Ok((same + 1).min(limit))
}

fn strcmp(call: &mut Call<'_>) -> Reply {
    compare_up_to(call, usize::MAX, same)
}

fn strncmp(call: &mut Call<'_>) -> Reply {
    compare_up_to(call, call.size(2)?, same)
}

fn strcasecmp(call: &mut Call<'_>) -> Reply {
    compare_up_to(call, usize::MAX, lower)
}

fn strncasecmp(call: &mut Call<'_>) -> Reply {
    compare_up_to(call, call.size(2)?, lower)
}

fn strchr(call: &mut Call<'_>) -> Reply {
    let (start, byte) = (call.address(0)?, call.byte(1)?);
    let bytes = call.memory.string(start, usize::MAX)?;
    let found = if byte == 0 { Some(bytes.len()) } else { bytes.iter().position(|&other| other == byte) };
    address(found.map_or(0, |position| start + position as u64))
}

fn strchrnul(call: &mut Call<'_>) -> Reply {
    let (start, byte) = (call.address(0)?, call.byte(1)?);
    let bytes = call.memory.string(start, usize::MAX)?;
    address(start + bytes.iter().position(|&other| other == byte).unwrap_or(bytes.len()) as u64)
}

fn strrchr(call: &mut Call<'_>) -> Reply {
    let (start, byte) = (call.address(0)?, call.byte(1)?);
    let bytes = call.memory.string(start, usize::MAX)?;
    let found = if byte == 0 { Some(bytes.len()) } else { bytes.iter().rposition(|&other| other == byte) };
    address(found.map_or(0, |position| start + position as u64))
}

fn span(call: &Call<'_>, inside: bool) -> Result<usize, Trouble> {
    let set = call.string(1)?;
    let bytes = call.memory.string(call.address(0)?, usize::MAX)?;
    Ok(bytes.iter().take_while(|byte| set.contains(byte) == inside).count())
}

fn strspn(call: &mut Call<'_>) -> Reply {
    address(span(call, true)? as u64)
}

fn strcspn(call: &mut Call<'_>) -> Reply {
    address(span(call, false)? as u64)
}

fn strpbrk(call: &mut Call<'_>) -> Reply {
    let start = call.address(0)?;
    let length = span(call, false)?;
    let end = call.memory.string(start, usize::MAX)?.len();
    address(if length < end { start + length as u64 } else { 0 })
}

fn strstr(call: &mut Call<'_>) -> Reply {
    let start = call.address(0)?;
    let found = find(&call.string(0)?, &call.string(1)?);
    address(found.map_or(0, |position| start + position as u64))
}

fn strcasestr(call: &mut Call<'_>) -> Reply {
    let start = call.address(0)?;
    let found = find(&call.string(0)?.to_ascii_lowercase(), &call.string(1)?.to_ascii_lowercase());
    address(found.map_or(0, |position| start + position as u64))
}

fn strtok(call: &mut Call<'_>) -> Reply {
    let start = match call.address(0)? {
        0 => call.library.token,
        start => start,
    };
    let (token, rest) = token(call, start)?;
    call.library.token = rest;
    address(token)
}

fn strtok_r(call: &mut Call<'_>) -> Reply {
    let place = call.address(2)?;
    let start = match call.address(0)? {
        0 => call.memory.load_number(place, call.pointer_bytes(), false)? as u64,
        start => start,
    };
    let (token, rest) = token(call, start)?;
    call.store_pointer(place, rest)?;
    address(token)
}

/// The next token and where to go on; null when there is none.
fn token(call: &mut Call<'_>, start: u64) -> Result<(u64, u64), Trouble> {
    if start == 0 {
        return Ok((0, 0));
    }
    let set = call.string(1)?;
    let bytes = call.memory.string(start, usize::MAX)?.to_vec();
    let skipped = bytes.iter().take_while(|byte| set.contains(byte)).count();
    let token = start + skipped as u64;
    if skipped == bytes.len() {
        return Ok((0, token));
    }
    let length = bytes[skipped..].iter().take_while(|byte| !set.contains(byte)).count();
    let end = token + length as u64;
    if skipped + length == bytes.len() {
        return Ok((token, end));
    }
    call.memory.store(end, [0])?;
    Ok((token, end + 1))
}

fn strsep(call: &mut Call<'_>) -> Reply {
    let place = call.address(0)?;
    let start = call.memory.load_number(place, call.pointer_bytes(), false)? as u64;
    if start == 0 {
        return address(0);
    }
    let set = call.string(1)?;
    let bytes = call.memory.string(start, usize::MAX)?;
    let found = bytes.iter().position(|byte| set.contains(byte));
    let rest = match found {
        Some(position) => {
            call.memory.store(start + position as u64, [0])?;
            start + position as u64 + 1
        }
        None => 0,
    };
    call.store_pointer(place, rest)?;
    address(start)
}

fn duplicate(call: &mut Call<'_>, bytes: &[u8]) -> Reply {
    let object = call.memory.allocate(bytes.len() as u64 + 1, 16, Origin::Heap, Contents::Unwritten)?;
    put(call, object, bytes)?;
    address(object)
}

fn strdup(call: &mut Call<'_>) -> Reply {
    let bytes = call.string(0)?;
    duplicate(call, &bytes)
}

fn strndup(call: &mut Call<'_>) -> Reply {
    let (string, limit) = (call.address(0)?, call.size(1)?);
    let bytes = call.memory.string(string, limit)?.to_vec();
    duplicate(call, &bytes)
}

fn strxfrm(call: &mut Call<'_>) -> Reply {
    let (to, size) = (call.address(0)?, call.size(2)?);
    let bytes = call.string(1)?;
    if bytes.len() < size {
        put(call, to, &bytes)?;
    }
    address(bytes.len() as u64)
}

fn ffs(call: &mut Call<'_>) -> Reply {
    let bits = call.value(0)?.bits;
    int(if bits == 0 { 0 } else { i64::from(bits.trailing_zeros()) + 1 })
}

/// Compares like versions: runs of digits by value, except that leading zeros make them fractions.
fn strverscmp(call: &mut Call<'_>) -> Reply {
    let (a, b) = (call.string(0)?, call.string(1)?);
    let Some(at) = (0..=a.len().max(b.len())).find(|&at| a.get(at) != b.get(at)) else { return int(0) };
    let plain = i64::from(a.get(at).copied().unwrap_or(0)) - i64::from(b.get(at).copied().unwrap_or(0));
    let start = a[..at].iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |position| position + 1);
    let run = |text: &[u8]| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (run_a, run_b) = (run(&a[..]), run(&b[..]));
    let in_digits = start < at || run_a > 0 && run_b > 0;
    let fraction = start < at && a.get(start) == Some(&b'0');
    if !in_digits || fraction || run_a == run_b || a.get(at) == Some(&b'0') || b.get(at) == Some(&b'0') {
        return int(plain);
    }
    int(if run_a < run_b { -1 } else { 1 })
}

/// The characters of a wide string that the "C" locale can write.
pub(super) fn wide_string(call: &Call<'_>, start: u64, limit: usize) -> Result<Vec<u8>, Trouble> {
    let mut bytes = Vec::new();
    while bytes.len() < limit {
        let code = call.memory.load_number(start + 4 * bytes.len() as u64, 4, false)?;
        match u8::try_from(code) {
            Ok(0) => break,
            Ok(byte @ 1..=127) => bytes.push(byte),
            _ => return Err(Trouble::Unsupported("wide characters outside of ASCII".to_owned())),
        }
    }
    Ok(bytes)
}

fn wcslen(call: &mut Call<'_>) -> Reply {
    let start = call.address(0)?;
    let mut length = 0;
    while call.memory.load_number(start + 4 * length, 4, false)? != 0 {
        length += 1;
    }
    address(length)
}
