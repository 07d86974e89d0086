//! The types contracts name, looked up among the program's C types.
//!
//! A type the program does not have yet (a cast to `unsigned char`, a pointer to a known type) is added to it; the
//! usual names of `<stdint.h>` and `<stddef.h>` are known even where no header was included.

use super::syntax::{Problem, TypeBase, TypeName};
use clew_ir::contract::Sort;
use clew_ir::{CType, CTypeId, CTypes, FloatKind, Program, Target};
use clew_scalar::Format;

/// The names that stand for types.
pub(super) fn names(ctypes: &CTypes) -> std::collections::BTreeSet<String> {
    let typedefs = ctypes.types.values().filter_map(|ty| match ty {
        CType::Typedef { name, .. } => Some(name.clone()),
        _ => None,
    });
    typedefs.chain(STANDARD.iter().map(|(name, ..)| (*name).to_owned())).collect()
}

/// Well-known names: width in bits (0 for the width of pointers) and signedness.
const STANDARD: &[(&str, u8, bool)] = &[
    ("size_t", 0, false),
    ("ssize_t", 0, true),
    ("ptrdiff_t", 0, true),
    ("intptr_t", 0, true),
    ("uintptr_t", 0, false),
    ("int8_t", 8, true),
    ("int16_t", 16, true),
    ("int32_t", 32, true),
    ("int64_t", 64, true),
    ("uint8_t", 8, false),
    ("uint16_t", 16, false),
    ("uint32_t", 32, false),
    ("uint64_t", 64, false),
];

/// What a type name denotes.
pub(super) fn sort(program: &mut Program, name: &TypeName) -> Result<Sort, Problem> {
    let base = match &name.base {
        TypeBase::Integer | TypeBase::Boolean if name.pointers == 0 => return Ok(Sort::Integer),
        TypeBase::Real if name.pointers == 0 => return Ok(Sort::Real),
        TypeBase::Integer | TypeBase::Boolean | TypeBase::Real => {
            return Err(Problem::new(&name.at, "there are no pointers to types of the logic"));
        }
        TypeBase::Words(words) => {
            let ty = arithmetic(words, program.target)
                .ok_or_else(|| Problem::new(&name.at, format!("`{}` is no type of C", words.join(" "))))?;
            intern(&mut program.ctypes, ty)
        }
        TypeBase::Named(word) => named(program, word)
            .ok_or_else(|| Problem::new(&name.at, format!("there is no type `{word}` in this program")))?,
        TypeBase::Struct(tag) | TypeBase::Union(tag) | TypeBase::Enum(tag) => tagged(&program.ctypes, &name.base)
            .ok_or_else(|| Problem::new(&name.at, format!("there is no type with tag `{tag}` in this program")))?,
    };
    Ok(Sort::C((0..name.pointers).fold(base, |ty, _| pointer_to(&mut program.ctypes, ty))))
}

/// The pointer type to a type.
pub(super) fn pointer_to(ctypes: &mut CTypes, ty: CTypeId) -> CTypeId {
    intern(ctypes, CType::Pointer(ty))
}

/// The pointer to `void`.
pub(super) fn void_pointer(ctypes: &mut CTypes) -> CTypeId {
    let void = intern(ctypes, CType::Void);
    pointer_to(ctypes, void)
}

/// The pointer to `char`.
pub(super) fn char_pointer(program: &mut Program) -> CTypeId {
    let ty = int("char", 8, program.target.char_signed);
    let ty = intern(&mut program.ctypes, ty);
    pointer_to(&mut program.ctypes, ty)
}

/// `float` or `long double`, as the suffix of a constant says.
pub(super) fn floating(program: &mut Program, suffix: char) -> CTypeId {
    let word = if suffix == 'f' { FloatKind::Float } else { FloatKind::LongDouble };
    let ty = float(word, program.target);
    intern(&mut program.ctypes, ty)
}

fn intern(ctypes: &mut CTypes, ty: CType) -> CTypeId {
    let known = ctypes.types.iter().find(|(_, known)| **known == ty).map(|(id, _)| id);
    known.unwrap_or_else(|| ctypes.types.push(ty))
}

fn named(program: &mut Program, word: &str) -> Option<CTypeId> {
    let known = program.ctypes.types.iter().find(|(_, ty)| matches!(ty, CType::Typedef { name, .. } if name == word));
    if let Some((id, _)) = known {
        return Some(id);
    }
    let (_, width, signed) = STANDARD.iter().find(|(name, ..)| *name == word)?;
    let width = if *width == 0 { program.target.pointer_width } else { *width };
    let name = spelling(width, *signed, program.target)?;
    let of = intern(&mut program.ctypes, int(name, width, *signed));
    Some(program.ctypes.types.push(CType::Typedef { name: word.to_owned(), of }))
}

fn tagged(ctypes: &CTypes, base: &TypeBase) -> Option<CTypeId> {
    let matches = |ty: &CType| match (ty, base) {
        (CType::Record(record), TypeBase::Struct(tag)) => {
            let record = &ctypes.records[*record];
            !record.is_union && record.tag.as_ref() == Some(tag)
        }
        (CType::Record(record), TypeBase::Union(tag)) => {
            let record = &ctypes.records[*record];
            record.is_union && record.tag.as_ref() == Some(tag)
        }
        (CType::Enum { tag: Some(found), .. }, TypeBase::Enum(tag)) => found == tag,
        _ => false,
    };
    ctypes.types.iter().find(|(_, ty)| matches(ty)).map(|(id, _)| id)
}

/// The integer type of a width that comes first in C's order.
fn spelling(width: u8, signed: bool, target: Target) -> Option<&'static str> {
    let names = [
        (8, "signed char", "unsigned char"),
        (16, "short", "unsigned short"),
        (target.int_width, "int", "unsigned int"),
        (target.long_width, "long", "unsigned long"),
        (64, "long long", "unsigned long long"),
    ];
    names.iter().find(|(known, ..)| *known == width).map(|(_, yes, no)| if signed { *yes } else { *no })
}

/// The type a multiset of C's type words denotes.
fn arithmetic(words: &[String], target: Target) -> Option<CType> {
    let count = |word: &str| words.iter().filter(|it| *it == word).count();
    let signed = count("signed") + count("__signed__") > 0;
    let unsigned = count("unsigned") > 0;
    let longs = count("long");
    let rest = words.len() - count("signed") - count("__signed__") - count("unsigned") - longs - count("int");
    if signed && unsigned {
        return None;
    }
    let pick = |yes: &'static str, no: &'static str, width| int(if unsigned { no } else { yes }, width, !unsigned);
    match (rest, longs) {
        (0, 0) => Some(pick("int", "unsigned int", target.int_width)),
        (0, 1) => Some(pick("long", "unsigned long", target.long_width)),
        (0, 2) => Some(pick("long long", "unsigned long long", 64)),
        (1, 0) if count("short") == 1 => Some(pick("short", "unsigned short", 16)),
        (1, 0) if count("char") == 1 && signed => Some(int("signed char", 8, true)),
        (1, 0) if count("char") == 1 && unsigned => Some(int("unsigned char", 8, false)),
        (1, 0) if count("char") == 1 => Some(int("char", 8, target.char_signed)),
        (1, 0) if words == ["void"] => Some(CType::Void),
        (1, 0) if words == ["_Bool"] => Some(CType::Bool),
        (1, 0) if words == ["float"] => Some(float(FloatKind::Float, target)),
        (1, 0) if words == ["double"] => Some(float(FloatKind::Double, target)),
        (1, 1) if words.len() == 2 && count("double") == 1 => Some(float(FloatKind::LongDouble, target)),
        _ => None,
    }
}

fn int(name: &'static str, width: u8, signed: bool) -> CType {
    CType::Int { width, signed, name }
}

fn float(kind: FloatKind, target: Target) -> CType {
    let (format, size) = match kind {
        FloatKind::Float => (Format::SINGLE, 4),
        FloatKind::LongDouble if target.pointer_width == 32 => (Format::EXTENDED, 12),
        FloatKind::LongDouble => (Format::EXTENDED, 16),
        FloatKind::Double | FloatKind::Other(_) => (Format::DOUBLE, 8),
    };
    CType::Float { kind, format, size }
}
