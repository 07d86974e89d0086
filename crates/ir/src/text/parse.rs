//! Reading a program: target, types and globals. Functions are in `parse_function`.

use super::lex::{Cursor, TokenKind};
use super::names;
use super::parse_function::function;
use crate::arena::{Arena, Id};
use crate::ctype::{BitField, CType, Field, Record};
use crate::function::Linkage;
use crate::inst::Type;
use crate::program::{Global, GlobalKind, Program, Relocation, Symbol, Target};
use std::fmt;

/// Why a text is not a program, and on which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, from 1.
    pub line: u32,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads a program in its text form. The result may still break rules that [`crate::verify`] checks.
///
/// # Errors
/// The first line that is not in the text form.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut cursor = Cursor::new(text)?;
    let mut program = Program::new(target(&mut cursor)?);
    while *cursor.peek() != TokenKind::End {
        match cursor.word()?.as_str() {
            "ctype" => {
                numbered(&mut cursor, '%', &program.ctypes.types)?;
                cursor.mark('=')?;
                let ctype = c_type(&mut cursor)?;
                program.ctypes.types.push(ctype);
            }
            "record" => {
                numbered(&mut cursor, '$', &program.ctypes.records)?;
                let record = record(&mut cursor)?;
                program.ctypes.records.push(record);
            }
            "global" => {
                numbered(&mut cursor, 'g', &program.globals)?;
                let global = global(&mut cursor)?;
                program.globals.push(global);
            }
            "function" => {
                numbered(&mut cursor, 'f', &program.functions)?;
                let function = function(&mut cursor)?;
                program.functions.push(function);
            }
            other => return cursor.error(format!("unknown word `{other}`")),
        }
    }
    Ok(program)
}

/// An identifier that must be the next of its arena.
pub(super) fn numbered<T>(cursor: &mut Cursor, prefix: char, arena: &Arena<T>) -> Result<(), ParseError> {
    let id: Id<T> = cursor.id(prefix)?;
    if id == arena.next_id() {
        Ok(())
    } else {
        cursor.error(format!("expected `{prefix}{}` here: entries stand in order", arena.len()))
    }
}

/// `word=value`
fn setting(cursor: &mut Cursor, name: &str) -> Result<String, ParseError> {
    cursor.expect(name)?;
    cursor.mark('=')?;
    cursor.word()
}

fn target(cursor: &mut Cursor) -> Result<Target, ParseError> {
    cursor.expect("target")?;
    let mut width = |name: &str| match setting(cursor, name)?.parse::<u8>() {
        Ok(width @ (16 | 32 | 64)) => Ok(width),
        _ => cursor.error(format!("`{name}` is 16, 32 or 64")),
    };
    let (pointer_width, int_width, long_width) = (width("pointer")?, width("int")?, width("long")?);
    let char_signed = setting(cursor, "char")? == "signed";
    let big_endian = setting(cursor, "endian")? == "big";
    Ok(Target { pointer_width, int_width, long_width, char_signed, big_endian })
}

pub(super) fn linkage(cursor: &mut Cursor) -> Result<Linkage, ParseError> {
    match cursor.word()?.as_str() {
        "external" => Ok(Linkage::External),
        "internal" => Ok(Linkage::Internal),
        "inline" => Ok(Linkage::Inline),
        other => cursor.error(format!("`{other}` is not a linkage")),
    }
}

fn optional_name(cursor: &mut Cursor) -> Result<Option<String>, ParseError> {
    if cursor.take("anonymous") { Ok(None) } else { cursor.text().map(Some) }
}

fn c_type(cursor: &mut Cursor) -> Result<CType, ParseError> {
    match cursor.word()?.as_str() {
        "void" => Ok(CType::Void),
        "bool" => Ok(CType::Bool),
        "int" => int_type(cursor),
        "float" => float_type(cursor),
        "enum" => {
            let is_closed = cursor.take("closed");
            let tag = optional_name(cursor)?;
            let underlying = cursor.id('%')?;
            let enumerators = cursor.list(('{', '}'), |cursor| {
                let name = cursor.text()?;
                cursor.mark('=')?;
                Ok((name, cursor.number()?))
            })?;
            Ok(CType::Enum { tag, underlying, enumerators, is_closed })
        }
        "pointer" => Ok(CType::Pointer(cursor.id('%')?)),
        "array" => {
            let of = cursor.id('%')?;
            let len = if cursor.take("open") { None } else { Some(cursor.number()?) };
            Ok(CType::Array { of, len })
        }
        "record" => Ok(CType::Record(cursor.id('$')?)),
        "function" => {
            let returns = cursor.id('%')?;
            let params = cursor.list(('(', ')'), |cursor| cursor.id('%'))?;
            Ok(CType::Function { returns, params, variadic: cursor.take("variadic") })
        }
        "typedef" => Ok(CType::Typedef { name: cursor.text()?, of: cursor.id('%')? }),
        "qualified" => {
            let (is_const, is_volatile) = (cursor.take("const"), cursor.take("volatile"));
            let is_restrict = cursor.take("restrict");
            Ok(CType::Qualified { of: cursor.id('%')?, is_const, is_volatile, is_restrict })
        }
        "unsupported" => Ok(CType::Unsupported(cursor.text()?)),
        other => cursor.error(format!("`{other}` is not a kind of C type")),
    }
}

fn int_type(cursor: &mut Cursor) -> Result<CType, ParseError> {
    let width = cursor.number()?;
    let signed = cursor.word()? == "signed";
    let spelled = cursor.text()?;
    match names::INT_NAMES.iter().find(|name| **name == spelled) {
        Some(name) => Ok(CType::Int { width, signed, name }),
        None => cursor.error(format!("`{spelled}` is not an integer type of C")),
    }
}

fn float_type(cursor: &mut Cursor) -> Result<CType, ParseError> {
    let kind = names::value(names::FLOAT_KINDS, &cursor.text()?);
    let format = names::ty(&cursor.word()?);
    let size = cursor.named("size")?;
    match (kind, format) {
        (Some(kind), Some(Type::Float(format))) => Ok(CType::Float { kind, format, size }),
        _ => cursor.error("not a floating type of C"),
    }
}

fn record(cursor: &mut Cursor) -> Result<Record, ParseError> {
    let is_union = match cursor.word()?.as_str() {
        "union" => true,
        "struct" => false,
        other => return cursor.error(format!("`{other}` is neither struct nor union")),
    };
    let tag = optional_name(cursor)?;
    let is_complete = cursor.word()? == "complete";
    let (size, align) = (cursor.named("size")?, cursor.named("align")?);
    let fields = cursor.list(('{', '}'), field)?;
    Ok(Record { tag, is_union, is_complete, size, align, fields })
}

fn field(cursor: &mut Cursor) -> Result<Field, ParseError> {
    let (name, ty) = (cursor.text()?, cursor.id('%')?);
    let offset = cursor.named("at")?;
    let bits =
        if cursor.take("bits") { Some(BitField { offset: cursor.number()?, width: cursor.number()? }) } else { None };
    Ok(Field { name, ty, offset, bits })
}

fn global(cursor: &mut Cursor) -> Result<Global, ParseError> {
    let (name, linkage, ty) = (cursor.text()?, linkage(cursor)?, cursor.id('%')?);
    let (size, align) = (cursor.named("size")?, cursor.named("align")?);
    let kind = match cursor.word()?.as_str() {
        "variable" => GlobalKind::Variable,
        "static" => GlobalKind::StaticLocal(cursor.id('f')?),
        "literal" => GlobalKind::Literal,
        other => return cursor.error(format!("`{other}` is not a kind of global")),
    };
    let (is_const, is_volatile) = (cursor.take("const"), cursor.take("volatile"));
    let address = if cursor.take("at") { Some(cursor.number()?) } else { None };
    let init = init(cursor)?;
    let mut relocations = Vec::new();
    while cursor.take("reloc") {
        relocations.push(relocation(cursor)?);
    }
    let span = cursor.span()?;
    Ok(Global { name, linkage, ty, size, align, kind, is_const, is_volatile, address, init, relocations, span })
}

fn init(cursor: &mut Cursor) -> Result<Option<Vec<u8>>, ParseError> {
    if cursor.take("declared") {
        return Ok(None);
    }
    cursor.expect("init")?;
    let word = cursor.word()?;
    let digits = word.strip_prefix("0x").unwrap_or("?").as_bytes();
    let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
    if bytes.is_none() { cursor.error("initial bytes are `0x` and two digits each") } else { Ok(bytes) }
}

fn byte(digits: &[u8]) -> Option<u8> {
    match digits {
        [_, _] => u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok(),
        _ => None,
    }
}

fn relocation(cursor: &mut Cursor) -> Result<Relocation, ParseError> {
    let offset = cursor.number()?;
    let symbol = match cursor.try_id('g') {
        Some(global) => Symbol::Global(global),
        None => Symbol::Function(cursor.id('f')?),
    };
    Ok(Relocation { offset, symbol, addend: cursor.number()? })
}
