//! Relations that names and types suggest: a guess for the reader, taken only when asked for.

use crate::ctext::spell;
use clew_ir::{CType, CTypeId, FunctionId, Param, Program};

/// Beginnings and ends of names of functions that undo each other.
const INVERSES: [(&str, &str); 9] = [
    ("encode", "decode"),
    ("encrypt", "decrypt"),
    ("compress", "decompress"),
    ("pack", "unpack"),
    ("serialize", "deserialize"),
    ("to", "from"),
    ("escape", "unescape"),
    ("push", "pop"),
    ("inc", "dec"),
];

/// Words in names of functions whose results do not depend on the order of their arguments.
const SYMMETRIC: [&str; 10] = ["gcd", "lcm", "min", "max", "mid", "median", "mean", "avg", "distance", "equal"];

/// Words in names of functions that change nothing the second time.
const IDEMPOTENT: [&str; 9] = ["abs", "trim", "clamp", "normali", "sort", "canon", "lower", "upper", "round"];

/// Words in names of functions that undo themselves.
const INVOLUTIVE: [&str; 5] = ["swap", "reverse", "negate", "bswap", "flip"];

/// Ends of names of another version of a function.
const VERSIONS: [&str; 7] = ["_ref", "_reference", "_naive", "_slow", "_fast", "_opt", "_bitwise"];

/// The relations that a function suggests, as `--symmetry` takes them.
pub fn suggestions(program: &Program, id: FunctionId) -> Vec<String> {
    let function = &program.functions[id];
    let name = function.name.to_ascii_lowercase();
    let CType::Function { returns, params, .. } = program.ctypes.get(function.ty) else { return Vec::new() };
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let mut found = Vec::new();
    let alike: Vec<&str> = run_of_one_type(program, &function.params);
    if alike.len() > 1 && (has(&SYMMETRIC) || alike.len() == function.params.len() && alike.len() > 2) {
        found.push(format!("permute({})", alike.join(", ")));
    }
    if let [array, count] = &function.params[..]
        && is_array(program, array.ty)
        && matches!(program.ctypes.get(count.ty), CType::Int { .. })
    {
        found.push(format!("permute({}[0..{}])", array.name, count.name));
    }
    let is_unary = params.len() == 1 && same(program, params[0], *returns);
    if is_unary || has(&["sort", "trim", "normali"]) {
        found.extend(has(&IDEMPOTENT).then(|| "idempotent".to_owned()));
        found.extend(has(&INVOLUTIVE).then(|| "involutive".to_owned()));
    }
    for (there, back) in INVERSES {
        if let Some(at) = name.find(there) {
            let other = format!("{}{back}{}", &function.name[..at], &function.name[at + there.len()..]);
            let is_there = program.function(&other).is_some_and(|id| program.functions[id].is_defined());
            found.extend(is_there.then(|| format!("round-trip({other})")));
        }
    }
    for version in VERSIONS {
        let other = format!("{}{version}", function.name);
        let fits = program.function(&other).is_some_and(|it| {
            program.functions[it].is_defined() && program.functions[it].params.len() == function.params.len()
        });
        found.extend(fits.then(|| format!("equivalent({other})")));
    }
    found
}

/// The longest run of parameters that are numbers of one type, by names.
fn run_of_one_type<'a>(program: &Program, params: &'a [Param]) -> Vec<&'a str> {
    let mut best: &[Param] = &[];
    for start in 0..params.len() {
        let is_number = matches!(program.ctypes.get(params[start].ty), CType::Int { .. } | CType::Float { .. });
        let run = params[start..].iter().take_while(|it| same(program, it.ty, params[start].ty)).count();
        if is_number && run > best.len() {
            best = &params[start..start + run];
        }
    }
    best.iter().map(|param| param.name.as_str()).collect()
}

fn is_array(program: &Program, ty: CTypeId) -> bool {
    matches!(program.ctypes.get(ty), CType::Pointer(to) if matches!(program.ctypes.get(*to), CType::Int { .. } | CType::Float { .. }))
}

fn same(program: &Program, a: CTypeId, b: CTypeId) -> bool {
    let ctypes = &program.ctypes;
    ctypes.get(spell::unqualified(ctypes, a)) == ctypes.get(spell::unqualified(ctypes, b))
}
