//! `ctype.h` in the "C" locale, with the tables glibc's macros look into.

use super::{Call, Plain, Reply, Trouble, address, int};

pub(super) const TABLE: &[(&str, Plain)] = &[
    ("__ctype_b_loc", |call| table(call, "ctype classes", classes)),
    ("__ctype_tolower_loc", |call| table(call, "ctype lower", lower_table)),
    ("__ctype_toupper_loc", |call| table(call, "ctype upper", upper_table)),
    ("isalnum", |call| is(call, ALNUM)),
    ("isalpha", |call| is(call, ALPHA)),
    ("isascii", |call| int(i64::from(matches!(call.int(0)?, 0..=127)))),
    ("isblank", |call| is(call, BLANK)),
    ("iscntrl", |call| is(call, CNTRL)),
    ("isdigit", |call| is(call, DIGIT)),
    ("isgraph", |call| is(call, GRAPH)),
    ("islower", |call| is(call, LOWER)),
    ("isprint", |call| is(call, PRINT)),
    ("ispunct", |call| is(call, PUNCT)),
    ("isspace", |call| is(call, SPACE)),
    ("isupper", |call| is(call, UPPER)),
    ("isxdigit", |call| is(call, XDIGIT)),
    ("toascii", |call| int(call.int(0)? & 127)),
    ("tolower", |call| mapped(call, lower)),
    ("toupper", |call| mapped(call, upper)),
];

// The bits of glibc's `ctype.h` on little-endian machines.
const UPPER: u16 = 0x100;
const LOWER: u16 = 0x200;
const ALPHA: u16 = 0x400;
const DIGIT: u16 = 0x800;
const XDIGIT: u16 = 0x1000;
const SPACE: u16 = 0x2000;
const PRINT: u16 = 0x4000;
const GRAPH: u16 = 0x8000;
const BLANK: u16 = 0x1;
const CNTRL: u16 = 0x2;
const PUNCT: u16 = 0x4;
const ALNUM: u16 = 0x8;

/// The tables begin at -128 and end behind 255.
const FIRST: i64 = -128;
const COUNT: i64 = 384;

fn class(code: i64) -> u16 {
    let Some(byte) = u8::try_from(code).ok().filter(u8::is_ascii) else { return 0 };
    let flags = [
        (byte.is_ascii_uppercase(), UPPER),
        (byte.is_ascii_lowercase(), LOWER),
        (byte.is_ascii_alphabetic(), ALPHA),
        (byte.is_ascii_digit(), DIGIT),
        (byte.is_ascii_hexdigit(), XDIGIT),
        (matches!(byte, b' ' | 9..=13), SPACE),
        (byte == b' ' || byte.is_ascii_graphic(), PRINT),
        (byte.is_ascii_graphic(), GRAPH),
        (matches!(byte, b' ' | b'\t'), BLANK),
        (byte.is_ascii_control(), CNTRL),
        (byte.is_ascii_punctuation(), PUNCT),
        (byte.is_ascii_alphanumeric(), ALNUM),
    ];
    flags.iter().filter(|(holds, _)| *holds).map(|(_, flag)| flag).sum()
}

fn lower(code: i64) -> i64 {
    if (i64::from(b'A')..=i64::from(b'Z')).contains(&code) { code + 32 } else { code }
}

fn upper(code: i64) -> i64 {
    if (i64::from(b'a')..=i64::from(b'z')).contains(&code) { code - 32 } else { code }
}

/// The argument, which must be a character or `EOF`.
fn character(call: &Call<'_>) -> Result<i64, Trouble> {
    match call.int(0)? {
        code @ FIRST..=255 => Ok(code),
        code => Err(Trouble::Precondition(format!("{code} is no character"))),
    }
}

fn is(call: &mut Call<'_>, flag: u16) -> Reply {
    int(i64::from(class(character(call)?) & flag))
}

fn mapped(call: &mut Call<'_>, map: fn(i64) -> i64) -> Reply {
    int(map(call.int(0)?))
}

fn classes() -> Vec<u8> {
    (FIRST..FIRST + COUNT).flat_map(|code| class(code).to_le_bytes()).collect()
}

fn lower_table() -> Vec<u8> {
    (FIRST..FIRST + COUNT).flat_map(|code| (lower(code) as i32).to_le_bytes()).collect()
}

fn upper_table() -> Vec<u8> {
    (FIRST..FIRST + COUNT).flat_map(|code| (upper(code) as i32).to_le_bytes()).collect()
}

/// The address of a pointer to the entry of character 0 in a table.
fn table(call: &mut Call<'_>, name: &'static str, contents: fn() -> Vec<u8>) -> Reply {
    let pointer_name = match name {
        "ctype classes" => "pointer to ctype classes",
        "ctype lower" => "pointer to ctype lower",
        _ => "pointer to ctype upper",
    };
    let start = call.library.object(call.memory, name, contents)?;
    let size = if name == "ctype classes" { 2 } else { 4 };
    let middle = start + (-FIRST) as u64 * size;
    let bytes = call.pointer_bytes();
    let pointer = call.library.object(call.memory, pointer_name, || vec![0; bytes])?;
    call.store_pointer(pointer, middle)?;
    address(pointer)
}
