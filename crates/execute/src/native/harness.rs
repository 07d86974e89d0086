//! The C text appended to each unit: the call of the function under test, addresses of symbols, stubs.
//!
//! It stands in the unit itself, where `static` functions and variables have names. Types are spelled as little as
//! possible: every pointer is passed as `void *`, the result's type is asked of the compiler, and a stub has no
//! prototype and takes the name of what it stands for by its assembler name.

use super::error::BuildError;
use super::symbol::Symbols;
use clew_ir::{CType, CTypeId, CTypes, FloatKind, FunctionId, Linkage, ParamKind, Program, UnitId};
use std::fmt::Write;

/// The text for one unit.
pub(super) fn harness(
    program: &Program,
    unit: UnitId,
    function: FunctionId,
    stubs: &[FunctionId],
    symbols: &Symbols,
) -> Result<String, BuildError> {
    let mut out = String::from("\n# 1 \"<harness>\"\n");
    let home = home(program, function);
    addresses(&mut out, unit, symbols);
    if unit == home {
        emit_inline(&mut out, program, function);
        dispatch(&mut out, program, unit);
        call(&mut out, program, function)?;
        for (number, stub) in stubs.iter().enumerate() {
            self::stub(&mut out, program, number, *stub)?;
        }
    }
    Ok(out)
}

/// The unit the function under test stands in.
pub(super) fn home(program: &Program, function: FunctionId) -> UnitId {
    let unit = program.functions[function].span.unit;
    if program.sources.units.get(unit).is_some() { unit } else { UnitId::new(0) }
}

fn addresses(out: &mut String, unit: UnitId, symbols: &Symbols) {
    let index = unit.index();
    let _ = writeln!(out, "void *__clew_address_{index}(unsigned symbol) {{\n    switch (symbol) {{");
    for (number, (name, _)) in symbols.names.iter().enumerate().filter(|(_, (_, place))| *place == unit) {
        let _ = writeln!(out, "    case {number}: return (void *)&{name};");
    }
    out.push_str("    }\n    return 0;\n}\n");
}

/// Has the compiler emit functions that are only `inline`, whose real definition may stand in no unit we have.
/// After a `static` definition the declaration says nothing new.
fn emit_inline(out: &mut String, program: &Program, function: FunctionId) {
    let is_whole = program.sources.units.len() == 1;
    for (id, node) in program.functions.iter() {
        if id == function || is_whole && node.is_defined() && node.linkage == Linkage::Internal {
            let name = &node.name;
            let _ = writeln!(out, "extern __typeof__({name}) {name};");
        }
    }
}

/// Asks every unit for an address.
fn dispatch(out: &mut String, program: &Program, home: UnitId) {
    let all: Vec<usize> = program.sources.units.ids().map(|unit| unit.index()).collect();
    for index in all.iter().filter(|&&index| index != home.index()) {
        let _ = writeln!(out, "extern void *__clew_address_{index}(unsigned);");
    }
    out.push_str("void *__clew_address(unsigned symbol) {\n    void *address = 0;\n");
    for index in all {
        let _ = writeln!(out, "    if (!address) address = __clew_address_{index}(symbol);");
    }
    out.push_str("    return address;\n}\n");
}

fn call(out: &mut String, program: &Program, id: FunctionId) -> Result<(), BuildError> {
    let function = &program.functions[id];
    let params: Vec<CTypeId> = c_params(program, id);
    out.push_str("extern void __clew_result(const void *, unsigned long);\n");
    out.push_str("void __clew_call(unsigned char **arguments) {\n");
    for (index, ty) in params.iter().enumerate() {
        let ty = spell(&program.ctypes, *ty)?;
        let _ = writeln!(out, "    {ty} a{index};");
        let _ = writeln!(out, "    __builtin_memcpy(&a{index}, arguments[{index}], sizeof a{index});");
    }
    let arguments: Vec<String> = (0..params.len()).map(|index| format!("a{index}")).collect();
    let call = format!("{}({})", function.name, arguments.join(", "));
    if returns_void(program, id) {
        let _ = writeln!(out, "    {call};");
    } else {
        let _ = writeln!(out, "    __typeof__({call}) result = {call};");
        out.push_str("    __clew_result(&result, sizeof result);\n");
    }
    out.push_str("}\n");
    Ok(())
}

/// The C types of the parameters, without the place of an aggregate result.
pub(super) fn c_params(program: &Program, id: FunctionId) -> Vec<CTypeId> {
    let params = program.functions[id].params.iter();
    params.filter(|param| param.kind != ParamKind::ReturnSlot).map(|param| param.ty).collect()
}

fn returns_void(program: &Program, id: FunctionId) -> bool {
    match program.ctypes.get(program.functions[id].ty) {
        CType::Function { returns, .. } => matches!(program.ctypes.get(*returns), CType::Void),
        _ => unreachable!("the type of a function is a function type"),
    }
}

fn stub(out: &mut String, program: &Program, number: usize, id: FunctionId) -> Result<(), BuildError> {
    let CType::Function { returns, .. } = program.ctypes.get(program.functions[id].ty) else {
        unreachable!("the type of a function is a function type")
    };
    let name = &program.functions[id].name;
    if returns_void(program, id) {
        let _ = writeln!(out, "void __clew_stub_{number}() __asm__(\"{name}\");\nvoid __clew_stub_{number}() {{}}");
        return Ok(());
    }
    let ty = spell(&program.ctypes, *returns)?;
    let _ = writeln!(out, "extern const void *__clew_stub(unsigned, unsigned long);");
    let _ = writeln!(out, "{ty} __clew_stub_{number}() __asm__(\"{name}\");\n{ty} __clew_stub_{number}() {{");
    let _ = writeln!(out, "    {ty} result;");
    let _ = writeln!(out, "    __builtin_memcpy(&result, __clew_stub({number}u, sizeof result), sizeof result);");
    out.push_str("    return result;\n}\n");
    Ok(())
}

/// A type that is passed as the given one is.
fn spell(ctypes: &CTypes, ty: CTypeId) -> Result<String, BuildError> {
    let record_name = typedef_of_record(ctypes, ty);
    match ctypes.get(ty) {
        CType::Bool => Ok("_Bool".to_owned()),
        CType::Int { name, .. } => Ok((*name).to_owned()),
        CType::Float { kind, .. } => Ok(spell_float(*kind).to_owned()),
        CType::Enum { underlying, .. } => spell(ctypes, *underlying),
        CType::Pointer(_) | CType::Array { .. } | CType::Function { .. } => Ok("void *".to_owned()),
        CType::Record(record) => {
            let record = &ctypes.records[*record];
            let keyword = if record.is_union { "union" } else { "struct" };
            match (&record.tag, record_name) {
                (Some(tag), _) => Ok(format!("{keyword} {tag}")),
                (None, Some(name)) => Ok(name),
                (None, None) => Err(BuildError::Unsupported(format!("a value of a {keyword} without a name"))),
            }
        }
        CType::Unsupported(spelling) => Ok(spelling.clone()),
        CType::Void | CType::Typedef { .. } | CType::Qualified { .. } => {
            Err(BuildError::Unsupported("a value of type void".to_owned()))
        }
    }
}

pub(super) fn spell_float(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Other(name) => name,
    }
}

/// A name given to the type: on the way to it, or anywhere in the program.
fn typedef_of_record(ctypes: &CTypes, ty: CTypeId) -> Option<String> {
    let mut named = ty;
    let mut found = None;
    loop {
        match &ctypes.types[named] {
            CType::Typedef { name, of } => {
                found = Some(name.clone());
                named = *of;
            }
            CType::Qualified { of, .. } => named = *of,
            _ => break,
        }
    }
    let elsewhere = || {
        ctypes.types.values().find_map(|other| match other {
            CType::Typedef { name, of } if *of == named => Some(name.clone()),
            _ => None,
        })
    };
    found.or_else(elsewhere)
}
