//! The typed trees of all units become one linked program.
//!
//! Every unit is lowered in turn ([`unit`]); [`link`] gives names of external linkage one function or global across
//! units. Inside a unit, [`types`] translates C types and layouts, [`global`] and [`data`] make variables and their
//! initial bytes, [`body`] makes functions. A function body is lowered statement by statement ([`stmt`], [`control`],
//! [`switch`]) and expression by expression ([`expr`] and its siblings); [`cond`] takes decisions apart into
//! conditions.
//!
//! What is not supported becomes an `Unsupported` instruction where it stands, and one diagnostic.

mod aggregate;
mod arguments;
mod arith;
mod assembly;
mod assign;
mod atomic;
mod bits;
mod body;
mod builtin;
mod call;
mod complex;
mod cond;
mod control;
mod convert;
mod data;
mod effects;
mod emit;
mod expr;
mod float;
mod global;
mod init;
mod link;
mod order;
mod overflow;
mod place;
mod register;
mod renumber;
mod scope;
mod sequence;
mod stmt;
mod switch;
mod tidy;
mod types;
mod unit;
mod vector;
mod vla;

use crate::diagnostic::{Diagnostic, Severity};
use crate::preprocess::Preprocessed;
use crate::unit::{Checked, catch, check};
use crate::{Loaded, Models, callback, library};
use clew_ir::{CType, Program, Span, Target, UnitId};
use link::Linker;
use unit::UnitLowering;

/// Checks and lowers the units into one program.
pub(crate) fn lower_units(units: Vec<Preprocessed>, models: Models) -> Loaded {
    let target = units.first().map_or(Target::LP64, |unit| unit.target);
    let mut program = Program::new(target);
    let mut linker = Linker::default();
    let mut diagnostics = Vec::new();
    let mut builds = Vec::new();
    for mut source in units {
        diagnostics.append(&mut source.diagnostics);
        builds.push(source.build.take());
        lower_unit(&source, &mut program, &mut linker, &mut diagnostics);
        program.sources.units.push(source.unit);
    }
    register::grow(&mut program, &mut linker);
    let mut lower_model = |source: &Preprocessed, program: &mut Program| {
        let unit = program.sources.units.next_id();
        let mut found = Vec::new();
        lower_unit(source, program, &mut linker, &mut found);
        let errors = found.into_iter().filter(|found| found.severity == Severity::Error);
        diagnostics.extend(errors.map(|error| Diagnostic::error(Span::NONE, format!("in a model: {}", error.message))));
        library::detach(program, unit);
    };
    models.files.iter().for_each(|source| lower_model(source, &mut program));
    if let Some(without) = &models.library
        && let Some(source) = library::unit(&program, without)
    {
        lower_model(&source, &mut program);
    }
    if models.library.is_some() {
        // What leads to an object of unknown type leads to bytes.
        linker.intern(&mut program.ctypes, CType::Int { width: 8, signed: false, name: "unsigned char" });
    }
    linker.finish(&mut program);
    arguments::fit(&mut program, &mut diagnostics);
    if models.library.is_some() {
        callback::declare(&mut program);
    }
    Loaded { program, builds, diagnostics }
}

fn lower_unit(source: &Preprocessed, program: &mut Program, linker: &mut Linker, diagnostics: &mut Vec<Diagnostic>) {
    let id = program.sources.units.next_id();
    let start = Span { unit: id, start: 0, end: 0 };
    if source.target != program.target {
        return diagnostics.push(Diagnostic::error(start, "the files are compiled for different machines"));
    }
    if source.target.int_width != 32 || source.target.big_endian {
        let message = "only little-endian machines with 32-bit `int` are supported";
        return diagnostics.push(Diagnostic::unsupported(start, message));
    }
    let checked = match check(source) {
        Ok(checked) => checked,
        Err(message) => {
            return diagnostics.push(Diagnostic::error(start, format!("the C parser failed: {message}")));
        }
    };
    report(&checked, source, id, diagnostics);
    let lowered = catch(|| {
        let mut lowering = UnitLowering::new(program, linker, &checked, source, id);
        lowering.lower();
        lowering.diagnostics
    });
    match lowered {
        Ok(found) => diagnostics.extend(found),
        Err(message) => diagnostics.push(Diagnostic::error(start, format!("lowering failed: {message}"))),
    }
}

/// Errors of the user's own text. What fails inside a system header is reported where it is used.
fn report(checked: &Checked, source: &Preprocessed, unit: UnitId, diagnostics: &mut Vec<Diagnostic>) {
    let locate = |span: rucc_diag::Span| {
        if span.is_dummy() { Span::NONE } else { Span { unit, start: span.lo, end: span.hi } }
    };
    for error in &checked.errors {
        if error.span.is_dummy() || !source.is_system(error.span.lo) {
            diagnostics.push(Diagnostic::from_rucc(error, &locate));
        }
    }
}
