//! C declarations from types.

use clew_ir::{CType, CTypeId, CTypes, FloatKind};

/// The declaration of `name` with a type, such as `int (*name)[3]`; with an empty name, the type alone. `None` where the
/// type has no spelling at file scope.
pub fn declare(ctypes: &CTypes, ty: CTypeId, name: &str) -> Option<String> {
    match &ctypes.types[ty] {
        CType::Pointer(to) => {
            let inner = match ctypes.types[*to] {
                CType::Array { .. } | CType::Function { .. } => format!("(*{name})"),
                _ => format!("*{name}"),
            };
            declare(ctypes, *to, &inner)
        }
        CType::Array { of, .. } if ctypes.is_va_list_record(*of) => Some(join("__builtin_va_list", name)),
        CType::Record(_) if ctypes.is_va_list_record(ty) => None,
        CType::Array { of, len } => {
            let len = len.map(|len| len.to_string()).unwrap_or_default();
            declare(ctypes, *of, &format!("{name}[{len}]"))
        }
        CType::Function { returns, params, variadic } => {
            let mut spelled =
                params.iter().map(|param| parameter(ctypes, *param, "")).collect::<Option<Vec<String>>>()?;
            if *variadic && !spelled.is_empty() {
                spelled.push("...".to_owned());
            }
            let params = match spelled.is_empty() {
                true if *variadic => String::new(),
                true => "void".to_owned(),
                false => spelled.join(", "),
            };
            declare(ctypes, *returns, &format!("{name}({params})"))
        }
        CType::Qualified { of, is_const, is_volatile, is_restrict } => {
            let words = [(*is_const, "const"), (*is_volatile, "volatile"), (*is_restrict, "restrict")];
            let words: Vec<&str> = words.into_iter().filter(|(set, _)| *set).map(|(_, word)| word).collect();
            qualify(ctypes, *of, &words.join(" "), name)
        }
        _ => Some(join(&base(ctypes, ty)?, name)),
    }
}

/// The declaration of a parameter: one of type `va_list` has a type of the compiler that C cannot name.
pub fn parameter(ctypes: &CTypes, ty: CTypeId, name: &str) -> Option<String> {
    match ctypes.get(ty) {
        CType::Pointer(to) if ctypes.is_va_list_record(*to) => Some(join("__builtin_va_list", name)),
        _ => declare(ctypes, ty, name),
    }
}

/// Qualifiers stand before a plain type and after the star of a pointer.
fn qualify(ctypes: &CTypes, ty: CTypeId, words: &str, name: &str) -> Option<String> {
    match &ctypes.types[ty] {
        CType::Pointer(to) => {
            let star = match ctypes.types[*to] {
                CType::Array { .. } | CType::Function { .. } => format!("(*{})", join(words, name)),
                _ => format!("*{}", join(words, name)),
            };
            declare(ctypes, *to, &star)
        }
        _ => declare(ctypes, ty, name).map(|declared| join(words, &declared)),
    }
}

fn join(first: &str, second: &str) -> String {
    if second.is_empty() { first.to_owned() } else { format!("{first} {second}") }
}

fn base(ctypes: &CTypes, ty: CTypeId) -> Option<String> {
    match &ctypes.types[ty] {
        CType::Void => Some("void".to_owned()),
        CType::Bool => Some("_Bool".to_owned()),
        CType::Int { name, .. } => Some((*name).to_owned()),
        CType::Float { kind, .. } => Some(float(*kind).to_owned()),
        CType::Enum { tag: Some(tag), .. } => Some(format!("enum {tag}")),
        CType::Enum { underlying, .. } => typedef_of(ctypes, ty).or_else(|| base(ctypes, *underlying)),
        CType::Record(record) => {
            let node = &ctypes.records[*record];
            let keyword = if node.is_union { "union" } else { "struct" };
            let tagged = node.tag.as_ref().map(|tag| format!("{keyword} {tag}"));
            tagged.or_else(|| typedef_of(ctypes, ty))
        }
        CType::Typedef { name, .. } => Some(name.clone()),
        CType::Unsupported(spelling) => Some(spelling.clone()),
        CType::Pointer(_) | CType::Array { .. } | CType::Function { .. } | CType::Qualified { .. } => {
            unreachable!("derived types are declared around their base")
        }
    }
}

fn float(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Other(name) => name,
    }
}

/// A name the program gives to the type.
fn typedef_of(ctypes: &CTypes, ty: CTypeId) -> Option<String> {
    ctypes.types.values().find_map(|other| match other {
        CType::Typedef { name, of } if *of == ty => Some(name.clone()),
        _ => None,
    })
}

/// The type without qualifiers on its outermost level.
pub fn unqualified(ctypes: &CTypes, mut ty: CTypeId) -> CTypeId {
    loop {
        match &ctypes.types[ty] {
            CType::Qualified { of, .. } => ty = *of,
            CType::Typedef { of, .. } if ctypes.is_const(ty) => ty = *of,
            _ => return ty,
        }
    }
}

/// Whether a type is plain `char`, the type of text.
pub fn is_char(ctypes: &CTypes, ty: CTypeId) -> bool {
    matches!(ctypes.get(ty), CType::Int { name: "char", .. })
}
