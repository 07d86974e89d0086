//! The assumptions behind verdicts on a function, read off its source.
//!
//! Exploration gives each pointer of the input an object of its own, and tries that two lead into one only where the program
//! compares them. Functions without a body change what they can name and what they are given. Where C allows more, and
//! the function could tell the difference, what is called infeasible or proved assumes that it is not so.
//!
//! The answer errs on the side of naming too much: it looks at types and at whether there are stores at all, not at values.

use super::hidden::reads_hidden;
use clew_analyze::reach::{Reach, reach};
use clew_coverage::Assumption;
use clew_ir::contract::{Clause, PlaceKind, Predicate, Term, TermKind};
use clew_ir::{CType, CTypeId, Callee, FunctionId, GlobalKind, Inst, InstKind, Operand, ParamKind, Program, RecordId};
use clew_library::verifier;
use clew_symbolic::config::Overlap;
use std::collections::BTreeSet;

/// Pointers inside of what a pointer leads to that are followed from one input.
const MOST_DEPTH: u32 = 2;

/// Inputs that one assumption names.
const MOST_NAMED: usize = 8;

/// How further functions begin that write nothing that the function under test reads unasked.
const KNOWN: [&str; 3] = ["klee_", "__assert_", "__builtin_"];

/// Memory that the function is given: behind a pointer, or a variable.
#[derive(Clone, Debug)]
struct Region {
    name: String,
    /// The type of its elements.
    element: CTypeId,
    /// The parameter that leads there itself, by its position.
    param: Option<u32>,
    /// Whether it lies behind a pointer: it is no variable itself.
    is_behind: bool,
}

/// What verdicts on a function assume, given further clauses of its precondition and how C lets inputs overlap.
pub fn of_function(program: &Program, id: FunctionId, requires: &[Clause], overlap: Overlap) -> BTreeSet<Assumption> {
    let reach = reach(program, id);
    let regions = regions(program, id, &reach);
    let mut found = BTreeSet::new();
    found.extend(separation((program, id), &reach, &regions, requires, overlap));
    found.extend(validity(program, &reach, &regions));
    found.extend(external_writes(program, &reach));
    found
}

/// Inputs that may overlap, and through one of which something is written.
fn separation(
    (program, id): (&Program, FunctionId),
    reach: &Reach,
    regions: &[Region],
    requires: &[Clause],
    overlap: Overlap,
) -> Option<Assumption> {
    if !insts(program, reach).any(|inst| writes_indirectly(&inst.kind)) {
        return None;
    }
    let clauses = program.functions[id].contract.requires.iter().chain(requires);
    let separated: Vec<BTreeSet<u32>> = clauses.flat_map(|clause| separated(&clause.predicate)).collect();
    let is_separated = |a: &Region, b: &Region| match (a.param, b.param) {
        (Some(a), Some(b)) => a != b && separated.iter().any(|params| params.contains(&a) && params.contains(&b)),
        _ => false,
    };
    let meets = |(one, a): (usize, &Region)| {
        let mut others = regions.iter().enumerate().filter(|(other, _)| *other != one);
        others.any(|(_, b)| {
            let may = overlap == Overlap::ReadAsAnyType || may_overlap(program, a.element, b.element);
            may && !is_separated(a, b)
        })
    };
    let is_function = |region: &Region| matches!(program.ctypes.get(region.element), CType::Function { .. });
    let met = regions.iter().enumerate().filter(|region| !is_function(region.1) && meets(*region));
    let names = first_names(met.map(|(_, region)| region.name.clone()));
    (names.len() > 1).then_some(Assumption::Separation(names))
}

/// Pointers of the input, where something is looked behind pointers.
fn validity(program: &Program, reach: &Reach, regions: &[Region]) -> Option<Assumption> {
    if !insts(program, reach).any(|inst| accesses_indirectly(&inst.kind)) {
        return None;
    }
    let names = first_names(regions.iter().filter(|region| region.is_behind).map(|region| region.name.clone()));
    (!names.is_empty()).then_some(Assumption::Validity(names))
}

/// The first few of some names, each once.
fn first_names(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names {
        if found.len() < MOST_NAMED && !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Functions without a body that could write memory that they are not given.
fn external_writes(program: &Program, reach: &Reach) -> Option<Assumption> {
    let names = first_names(external_calls(program, reach).collect::<BTreeSet<_>>().into_iter());
    let mut functions = reach.functions.iter().map(|id| &program.functions[*id]);
    (!names.is_empty() && functions.any(|function| function.is_defined() && reads_hidden(program, function)))
        .then_some(Assumption::ExternalWrites(names))
}

/// The functions that are called and have neither a body here nor a meaning that is known.
fn external_calls<'p>(program: &'p Program, reach: &'p Reach) -> impl Iterator<Item = String> + 'p {
    let own = reach.functions.iter().filter(|id| !program.models.contains(id));
    let blocks = own.flat_map(|id| program.functions[*id].blocks.values());
    blocks.flat_map(|block| &block.insts).filter_map(|inst| match &inst.kind {
        InstKind::Call { callee: Callee::Direct(callee), .. } => {
            is_external(program, *callee).then(|| program.functions[*callee].name.clone())
        }
        InstKind::Call { callee: Callee::Indirect(_), .. } => {
            let written = program.sources.text(inst.span);
            Some(written.split_once('(').map_or("a function pointer", |(callee, _)| callee.trim()).to_owned())
        }
        _ => None,
    })
}

/// Whether a function has no body here and no meaning that is known. One of the C library that is given functions may call
/// them at any time.
fn is_external(program: &Program, id: FunctionId) -> bool {
    let function = &program.functions[id];
    let is_known = verifier::is_known(&function.name) || KNOWN.iter().any(|known| function.name.starts_with(known));
    if function.is_defined() || is_known {
        return false;
    }
    match clew_library::lookup(&function.name) {
        Some(row) => row.effects.calls_back && row.how == clew_library::How::Mock,
        None => !program.is_library(id),
    }
}

fn insts<'p>(program: &'p Program, reach: &Reach) -> impl Iterator<Item = &'p Inst> {
    let functions = reach.functions.iter().map(|id| &program.functions[*id]).filter(|function| function.is_defined());
    functions.flat_map(|function| function.blocks.values()).flat_map(|block| &block.insts)
}

/// Whether an instruction writes anything but a variable of the running function.
fn writes_indirectly(kind: &InstKind) -> bool {
    match kind {
        InstKind::Store { to, .. } | InstKind::Copy { to, .. } | InstKind::Fill { to, .. } => {
            !matches!(to, Operand::Local(_))
        }
        _ => false,
    }
}

/// Whether an instruction looks behind a pointer.
fn accesses_indirectly(kind: &InstKind) -> bool {
    let is_indirect = |operand: &Operand| matches!(operand, Operand::Temp(_));
    match kind {
        InstKind::Load { from, .. } => is_indirect(from),
        InstKind::Copy { to, from, .. } => is_indirect(to) || is_indirect(from),
        InstKind::Call { callee: Callee::Indirect(_), .. } => true,
        other => writes_indirectly(other) && other.operands().iter().any(is_indirect),
    }
}

/// The parameters that conjuncts of a predicate call separated from each other.
fn separated(predicate: &Predicate) -> Vec<BTreeSet<u32>> {
    match predicate {
        Predicate::And(all) => all.iter().flat_map(separated).collect(),
        Predicate::Separated(pointers) => vec![pointers.iter().filter_map(param_of).collect()],
        _ => Vec::new(),
    }
}

/// The parameter of which a pointer is computed.
fn param_of(pointer: &Term) -> Option<u32> {
    match &pointer.kind {
        TermKind::Value(place) => match place.kind {
            PlaceKind::Param(index) => Some(index),
            _ => None,
        },
        TermKind::Offset(base, _) | TermKind::Cast(base) => param_of(base),
        _ => None,
    }
}

/// Memory that the function is given.
fn regions(program: &Program, id: FunctionId, reach: &Reach) -> Vec<Region> {
    let mut found = Vec::new();
    for (index, param) in (0..).zip(&program.functions[id].params) {
        if param.kind != ParamKind::ReturnSlot {
            behind(program, &param.name, param.ty, Some(index), MOST_DEPTH, &mut found);
        }
    }
    for global in reach.globals.iter().map(|global| &program.globals[*global]) {
        let is_variable = global.kind == GlobalKind::Variable && !global.is_const && !global.span.is_none();
        if is_variable && !global.is_errno() {
            let element = element(program, global.ty);
            found.push(Region { name: global.name.clone(), element, param: None, is_behind: false });
            behind(program, &global.name, global.ty, None, MOST_DEPTH, &mut found);
        }
    }
    found
}

/// What pointers in a value of a type lead to.
fn behind(program: &Program, name: &str, ty: CTypeId, param: Option<u32>, depth: u32, found: &mut Vec<Region>) {
    let ctypes = &program.ctypes;
    match ctypes.get(ty) {
        CType::Pointer(to) if depth > 0 => {
            found.push(Region { name: name.to_owned(), element: element(program, *to), param, is_behind: true });
            match ctypes.get(*to) {
                CType::Record(record) => members(program, (name, "->"), *record, depth - 1, found),
                _ => behind(program, &format!("*{name}"), *to, None, depth - 1, found),
            }
        }
        CType::Record(record) => members(program, (name, "."), *record, depth, found),
        CType::Array { of, .. } => behind(program, &format!("{name}[]"), *of, None, depth, found),
        _ => {}
    }
}

fn members(program: &Program, (name, by): (&str, &str), record: RecordId, depth: u32, found: &mut Vec<Region>) {
    for field in &program.ctypes.records[record].fields {
        behind(program, &format!("{name}{by}{}", field.name), field.ty, None, depth, found);
    }
}

fn element(program: &Program, mut ty: CTypeId) -> CTypeId {
    while let CType::Array { of, .. } = program.ctypes.get(ty) {
        ty = *of;
    }
    ty
}

/// Whether objects of two types may have bytes in common, by the rules of C for effective types.
fn may_overlap(program: &Program, a: CTypeId, b: CTypeId) -> bool {
    is_in(program, a, b, &mut BTreeSet::new()) || is_in(program, b, a, &mut BTreeSet::new())
}

/// Whether a value of one type lies in a value of another.
fn is_in(program: &Program, part: CTypeId, whole: CTypeId, seen: &mut BTreeSet<CTypeId>) -> bool {
    let ctypes = &program.ctypes;
    let whole = element(program, whole);
    if !seen.insert(whole) {
        return false;
    }
    let is_bytes = matches!(ctypes.get(part), CType::Void | CType::Int { width: 8, .. });
    is_bytes
        || is_alike(program, part, whole)
        || match ctypes.get(whole) {
            CType::Record(record) => {
                ctypes.records[*record].fields.iter().any(|field| is_in(program, part, field.ty, seen))
            }
            _ => false,
        }
}

/// Whether two types are one, signs and qualifiers apart.
fn is_alike(program: &Program, a: CTypeId, b: CTypeId) -> bool {
    let ctypes = &program.ctypes;
    match (ctypes.get(a), ctypes.get(b)) {
        (CType::Int { width: one, .. }, CType::Int { width: other, .. }) => one == other,
        (CType::Enum { underlying, .. }, _) => is_alike(program, *underlying, b),
        (_, CType::Enum { underlying, .. }) => is_alike(program, a, *underlying),
        (CType::Pointer(_), CType::Pointer(_)) => true,
        (one, other) => one == other,
    }
}
