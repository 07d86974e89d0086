//! Which variable a name in a contract means.
//!
//! In a function's contract a name is a parameter or a global. In an assertion or at a loop it is the innermost local
//! variable whose block is open at that place; blocks are told by the text between the declaration and the place, and a
//! variable declared in the head of a loop ends with the loop.

use super::ctext;
use clew_ir::contract::{Place, PlaceKind};
use clew_ir::{CType, Function, FunctionId, GlobalId, GlobalKind, LoopId, ParamKind, Program, Span, UnitId};

/// Where a clause stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    /// In the contract of a function, with the parameter names of the declaration it precedes.
    Contract { function: FunctionId, names: Vec<String> },
    /// Inside a function's body, at a byte offset of a unit; `of` is the loop whose clause it is.
    Statement { function: FunctionId, unit: UnitId, offset: u32, of: Option<LoopId> },
    /// In a definition, which sees globals only.
    Global,
}

/// The place a name denotes, if it denotes a variable.
pub(super) fn lookup(program: &Program, site: &Site, name: &str) -> Option<Place> {
    match site {
        Site::Contract { function, names } => param(&program.functions[*function], names, name)
            .or_else(|| global(program, program.functions[*function].span.unit, name)),
        Site::Statement { function, unit, offset, .. } => {
            local(program, *function, *unit, *offset, name).or_else(|| global(program, *unit, name))
        }
        Site::Global => global(program, Span::NONE.unit, name),
    }
}

/// The value of an enumeration constant.
pub(super) fn enumerator(program: &Program, name: &str) -> Option<i128> {
    program.ctypes.types.values().find_map(|ty| match ty {
        CType::Enum { enumerators, .. } => enumerators.iter().find(|(it, _)| it == name).map(|(_, value)| *value),
        _ => None,
    })
}

/// All names visible at a site, for suggestions.
pub(super) fn visible(program: &Program, site: &Site) -> Vec<String> {
    let mut names: Vec<String> = match site {
        Site::Contract { function, names } => {
            let params = program.functions[*function].params.iter().map(|param| param.name.clone());
            params.chain(names.iter().cloned()).collect()
        }
        Site::Statement { function, .. } => {
            program.functions[*function].locals.values().map(|local| local.name.clone()).collect()
        }
        Site::Global => Vec::new(),
    };
    let variables = program.globals.values().filter(|global| global.kind == GlobalKind::Variable);
    names.extend(variables.map(|global| global.name.clone()));
    names.retain(|name| !name.is_empty());
    names
}

/// A parameter by the declaration's names first, then by the definition's.
fn param(function: &Function, names: &[String], name: &str) -> Option<Place> {
    let declared: Vec<usize> =
        (0..function.params.len()).filter(|index| function.params[*index].kind != ParamKind::ReturnSlot).collect();
    let by_declaration = names.iter().position(|it| it == name).and_then(|at| declared.get(at).copied());
    let index =
        by_declaration.or_else(|| declared.iter().copied().find(|index| function.params[*index].name == name))?;
    Some(Place { kind: PlaceKind::Param(index as u32), ty: function.params[index].ty })
}

fn local(program: &Program, id: FunctionId, unit: UnitId, offset: u32, name: &str) -> Option<Place> {
    let function = &program.functions[id];
    let text = &program.sources.units.get(unit)?.text;
    let is_open = |span: Span| {
        let in_body = span.unit == unit && function.body.start < span.start && span.start < function.body.end;
        !in_body || (span.end <= offset && ctext::same_block(text, span.end, offset) && in_loop(function, span, offset))
    };
    let locals = function
        .locals
        .iter()
        .filter(|(_, local)| local.name == name && is_open(local.span))
        .map(|(local, it)| (it.span.start, Place { kind: PlaceKind::Local(local), ty: it.ty }));
    let statics = program
        .globals
        .iter()
        .filter(|(_, it)| it.kind == GlobalKind::StaticLocal(id) && static_name(&it.name) == name && is_open(it.span))
        .map(|(global, it)| (it.span.start, Place { kind: PlaceKind::Global(global), ty: it.ty }));
    locals.chain(statics).max_by_key(|(start, _)| *start).map(|(_, place)| place)
}

/// A variable declared in the head of a loop is gone after the loop.
fn in_loop(function: &Function, declared: Span, offset: u32) -> bool {
    let around = |span: Span| span.start <= declared.start && declared.end <= span.end;
    function.loops.values().filter(|it| around(it.span)).all(|it| offset <= it.span.end)
}

/// The name of a static variable without what a linker-unique name adds to it.
fn static_name(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// A global variable, one of the same unit first.
fn global(program: &Program, unit: UnitId, name: &str) -> Option<Place> {
    let named = |(_, global): &(GlobalId, &clew_ir::Global)| global.name == name && global.kind == GlobalKind::Variable;
    let mut found = program.globals.iter().filter(named);
    let first = found.next()?;
    let (id, global) = if first.1.span.unit == unit {
        first
    } else {
        found.find(|(_, global)| global.span.unit == unit).unwrap_or(first)
    };
    Some(Place { kind: PlaceKind::Global(id), ty: global.ty })
}
