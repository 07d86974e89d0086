//! Models of the C library: C that goes through the same front end as the program.
//!
//! Of a program's functions without a body those that have a model in the table of the library get it; only the models
//! needed, and what they call, are read.
//!
//! The code of models stands nowhere in the user's files: it has no spans, and its functions are in
//! [`clew_ir::Program::models`].

use crate::preprocess::Preprocessed;
use clew_ir::{Callee, Function, FunctionId, GlobalKind, InstKind, Linkage, Operand, Program, Span, Target, UnitId};
use clew_library::format::{Family, is_understood};
use clew_library::{PRELUDE, models};
use std::collections::BTreeSet;

/// The unit of the models a program needs, without those of some functions; `None` if it needs none.
pub(crate) fn unit(program: &Program, without: &[String]) -> Option<Preprocessed> {
    let missing = program.functions.values().filter(|function| !function.is_defined());
    let missing: Vec<&str> = missing.map(|function| clew_library::plain(&function.name)).collect();
    // A static function is no function of the library, whatever its name.
    let is_seen = |function: &&Function| function.is_defined() && function.linkage != Linkage::Internal;
    let is_defined = |name: &str| program.functions.values().filter(is_seen).any(|function| function.name == name);
    let not_understood = with_other_formats(program);
    let skip =
        |name: &str| without.iter().any(|other| other == name) || is_defined(name) || not_understood.contains(name);
    let text = models().text(&missing, &skip);
    (!text.is_empty()).then(|| preprocessed(program.target, &text))
}

/// Functions that are called with formats which their models do not understand, or that read values from a text which is
/// no literal: the search does not find its way through their models then.
fn with_other_formats(program: &Program) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let insts = program.functions.values().flat_map(|function| function.blocks.values()).flat_map(|block| &block.insts);
    for inst in insts {
        let InstKind::Call { callee: Callee::Direct(callee), args, .. } = &inst.kind else { continue };
        let name = clew_library::plain(&program.functions[*callee].name);
        let Some((argument, family)) = clew_library::lookup(name).and_then(|row| row.format) else { continue };
        let literal = args.get(usize::from(argument)).and_then(|format| literal(program, *format));
        let is_known =
            family == Family::Print || args.first().is_some_and(|text| self::literal(program, *text).is_some());
        if !is_known || !literal.is_some_and(|format| is_understood(family, format)) {
            found.insert(name);
        }
    }
    found
}

/// The characters of a string literal.
fn literal(program: &Program, operand: Operand) -> Option<&[u8]> {
    let Operand::Global(id, at) = operand else { return None };
    let global = &program.globals[id];
    let bytes = global.init.as_deref().filter(|_| global.kind == GlobalKind::Literal)?;
    let rest = bytes.get(usize::try_from(at).ok()?..)?;
    Some(&rest[..rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len())])
}

fn preprocessed(target: Target, models: &str) -> Preprocessed {
    let size = if target.pointer_width == target.long_width { "unsigned long" } else { "unsigned long long" };
    let size = if target.pointer_width == 32 { "unsigned int" } else { size };
    let text = format!("typedef {size} size_t;\n{PRELUDE}{models}");
    Preprocessed { target, ..Preprocessed::plain("<library>", &text) }
}

/// Notes what was lowered from a unit of models, and takes its spans away: the unit is no part of the program's text.
pub(crate) fn detach(program: &mut Program, unit: UnitId) {
    let own: Vec<FunctionId> =
        program.functions.iter().filter(|(_, f)| f.span.unit == unit).map(|(id, _)| id).collect();
    for id in own {
        let function = &mut program.functions[id];
        if function.is_defined() {
            program.models.insert(id);
        }
        (function.span, function.body) = (Span::NONE, Span::NONE);
        function.conditions.iter_mut().for_each(|(_, condition)| condition.span = Span::NONE);
        function.decisions.iter_mut().for_each(|(_, decision)| decision.span = Span::NONE);
        function.loops.iter_mut().for_each(|(_, item)| item.span = Span::NONE);
        function.checks.iter_mut().for_each(|(_, check)| check.span = Span::NONE);
        function.locals.iter_mut().for_each(|(_, local)| local.span = Span::NONE);
        for (_, block) in function.blocks.iter_mut() {
            block.terminator.span = Span::NONE;
            block.insts.iter_mut().for_each(|inst| inst.span = Span::NONE);
        }
    }
    for (_, global) in program.globals.iter_mut().filter(|(_, global)| global.span.unit == unit) {
        global.span = Span::NONE;
        if global.name == "clew_errno" {
            global.name = "errno".to_owned();
        }
    }
}
