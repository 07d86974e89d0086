//! The `printf` family.
//!
//! A format is read once from left to right; each directive ([`directive`]) takes its arguments from a [`Source`]: the
//! arguments of the call itself or a `va_list`. Numbers are written by [`integer`] and [`floating`], exactly as glibc
//! writes them in the "C" locale.

mod directive;
mod floating;
mod integer;

use super::{Call, Plain, Reply, Trouble, int};
use clew_scalar::Value;
use directive::Directive;
pub(super) use directive::{Length, read_length};

pub(super) const TABLE: &[(&str, Plain)] = &[
    ("__asprintf_chk", |call| to_new_string(call, 2, false)),
    ("__fprintf_chk", |call| to_file(call, 2, false)),
    ("__printf_chk", |call| to_stdout(call, 1, false)),
    ("__snprintf_chk", |call| to_buffer(call, Some(1), 4, false)),
    ("__sprintf_chk", |call| to_buffer(call, None, 3, false)),
    ("__vasprintf_chk", |call| to_new_string(call, 2, true)),
    ("__vfprintf_chk", |call| to_file(call, 2, true)),
    ("__vprintf_chk", |call| to_stdout(call, 1, true)),
    ("__vsnprintf_chk", |call| to_buffer(call, Some(1), 4, true)),
    ("__vsprintf_chk", |call| to_buffer(call, None, 3, true)),
    ("asprintf", |call| to_new_string(call, 1, false)),
    ("dprintf", to_descriptor),
    ("fprintf", |call| to_file(call, 1, false)),
    ("printf", |call| to_stdout(call, 0, false)),
    ("snprintf", |call| to_buffer(call, Some(1), 2, false)),
    ("sprintf", |call| to_buffer(call, None, 1, false)),
    ("vasprintf", |call| to_new_string(call, 1, true)),
    ("vfprintf", |call| to_file(call, 1, true)),
    ("vprintf", |call| to_stdout(call, 0, true)),
    ("vsnprintf", |call| to_buffer(call, Some(1), 2, true)),
    ("vsprintf", |call| to_buffer(call, None, 1, true)),
];

/// Where the values of directives come from.
pub(super) enum Source {
    /// The call's own arguments, from that index.
    Call(usize),
    /// A `va_list`.
    List(u64),
}

impl Source {
    /// The arguments behind the format: a `va_list` there, or the rest of the call's own.
    pub(super) fn after(call: &Call<'_>, format: usize, list: bool) -> Result<Source, Trouble> {
        if !list {
            return Ok(Source::Call(format + 1));
        }
        // With 64-bit pointers a `va_list` is passed as the address of its object, with narrower ones as its contents.
        let passed = call.address(format + 1)?;
        let bytes = call.pointer_bytes();
        Ok(Source::List(if bytes == 8 { call.memory.load_number(passed, bytes, false)? as u64 } else { passed }))
    }

    pub(super) fn next(&mut self, call: &mut Call<'_>) -> Result<Value, Trouble> {
        let value = match self {
            Source::Call(index) => {
                *index += 1;
                call.args.get(*index - 1).copied()
            }
            Source::List(handle) => call.library.arguments.next(*handle),
        };
        value.ok_or_else(|| Trouble::Precondition("the format asks for more arguments than there are".to_owned()))
    }
}

fn to_stdout(call: &mut Call<'_>, format: usize, list: bool) -> Reply {
    let text = formatted(call, format, list)?;
    let written = call.library.files.standard_output(&mut *call.io, &text);
    int(if written { text.len() as i64 } else { -1 })
}

fn to_file(call: &mut Call<'_>, format: usize, list: bool) -> Reply {
    let file = call.address(0)?;
    let text = formatted(call, format, list)?;
    let written = super::stdio::write(call, file, &text)?;
    int(if written { text.len() as i64 } else { -1 })
}

fn to_descriptor(call: &mut Call<'_>) -> Reply {
    let stream = match call.int(0)? {
        1 => crate::io::Stream::Out,
        2 => crate::io::Stream::Err,
        _ => return int(-1),
    };
    let text = formatted(call, 1, false)?;
    call.io.write(stream, &text);
    int(text.len() as i64)
}

/// Writes to the buffer given first; with a size argument, at most that many bytes.
fn to_buffer(call: &mut Call<'_>, size: Option<usize>, format: usize, list: bool) -> Reply {
    let buffer = call.address(0)?;
    let size = size.map(|index| call.size(index)).transpose()?;
    let mut text = formatted(call, format, list)?;
    let length = text.len() as i64;
    if let Some(size) = size {
        text.truncate(size.saturating_sub(1));
    }
    if size != Some(0) {
        text.push(0);
        call.memory.write(buffer, &text)?;
    }
    int(length)
}

fn to_new_string(call: &mut Call<'_>, format: usize, list: bool) -> Reply {
    let place = call.address(0)?;
    let mut text = formatted(call, format, list)?;
    text.push(0);
    let object =
        call.memory.allocate(text.len() as u64, 16, crate::memory::Origin::Heap, crate::memory::Contents::Unwritten)?;
    call.memory.write(object, &text)?;
    call.store_pointer(place, object)?;
    int(text.len() as i64 - 1)
}

fn formatted(call: &mut Call<'_>, format: usize, list: bool) -> Result<Vec<u8>, Trouble> {
    let source = Source::after(call, format, list)?;
    let format = call.string(format)?;
    expand(call, &format, source)
}

/// What a format becomes with the given arguments.
fn expand(call: &mut Call<'_>, format: &[u8], mut source: Source) -> Result<Vec<u8>, Trouble> {
    let mut text = Vec::with_capacity(format.len());
    let mut rest = format;
    while let Some(percent) = rest.iter().position(|&byte| byte == b'%') {
        text.extend_from_slice(&rest[..percent]);
        let (directive, after) = Directive::read(&rest[percent + 1..], &mut source, call)?;
        rest = after;
        convert(call, &directive, &mut source, &mut text)?;
    }
    text.extend_from_slice(rest);
    Ok(text)
}

fn convert(call: &mut Call<'_>, directive: &Directive, source: &mut Source, text: &mut Vec<u8>) -> Result<(), Trouble> {
    match directive.conversion {
        b'%' => text.push(b'%'),
        b'd' | b'i' => {
            let value = source.next(call)?;
            integer::signed(directive, directive.narrow(value, call.memory.target()), text);
        }
        b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
            let value = source.next(call)?;
            integer::unsigned(directive, directive.narrow(value, call.memory.target()).bits, text);
        }
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
            let value = source.next(call)?;
            if !value.ty.is_float() {
                return Err(Trouble::Precondition("a floating directive was given an integer".to_owned()));
            }
            floating::write(directive, value, text);
        }
        b'c' => {
            let byte = source.next(call)?.bits as u8;
            directive.pad(&[byte], text);
        }
        b's' => string(call, directive, source, text)?,
        b'S' | b'C' => return Err(Trouble::Unsupported("wide characters".to_owned())),
        b'p' => integer::pointer(directive, source.next(call)?.bits, text),
        b'n' => {
            let place = source.next(call)?.bits as u64;
            let bytes = directive.integer_width(call.memory.target()).div_ceil(8);
            call.memory.store_number(place, bytes.into(), text.len() as u128)?;
        }
        b'm' => {
            let message = super::environment::error_text(call)?;
            directive.pad(&message, text);
        }
        other => {
            let shown = char::from(other);
            return Err(Trouble::Precondition(format!("unknown conversion `%{shown}`")));
        }
    }
    Ok(())
}

fn string(call: &mut Call<'_>, directive: &Directive, source: &mut Source, text: &mut Vec<u8>) -> Result<(), Trouble> {
    let address = source.next(call)?.bits as u64;
    let limit = directive.precision.unwrap_or(usize::MAX);
    if directive.length == Length::Long {
        let wide = super::string::wide_string(call, address, limit)?;
        directive.pad(&wide, text);
        return Ok(());
    }
    let bytes = call.memory.string(address, limit)?;
    directive.pad(bytes, text);
    Ok(())
}
