//! Models of the C library: C that goes through the same front end as the program.
//!
//! The files in `library/` hold one model per function, each under a line `//= name`. Of a program's functions without a
//! body those that have a model get it; only the models needed, and what they call, are read. Native execution calls the
//! real functions, so models must do exactly what those do in the "C" locale.
//!
//! The code of models stands nowhere in the user's files: it has no spans, and its functions are in
//! [`clew_ir::Program::models`].

use crate::preprocess::Preprocessed;
use clew_ir::{FunctionId, Program, Span, Target, UnitId};
use std::collections::{BTreeMap, BTreeSet};

/// The models, by file.
const FILES: [&str; 3] =
    [include_str!("library/string.c"), include_str!("library/ctype.c"), include_str!("library/stdlib.c")];

/// What all models may rely on being declared.
const PRELUDE: &str = include_str!("library/prelude.c");

/// The unit of the models a program needs, without those of some functions; `None` if it needs none.
pub(crate) fn unit(program: &Program, without: &[String]) -> Option<Preprocessed> {
    let mut models = models();
    models.retain(|name, _| !without.iter().any(|other| other == name));
    let missing = program.functions.values().filter(|function| !function.is_defined());
    let mut needed: BTreeSet<&str> =
        missing.filter_map(|function| models.get_key_value(function.name.as_str())).map(|(name, _)| *name).collect();
    let mut open: Vec<&str> = needed.iter().copied().collect();
    while let Some(name) = open.pop() {
        for called in identifiers(models[name]).filter_map(|word| models.get_key_value(word)).map(|(name, _)| *name) {
            let own = program.function(called).is_some_and(|id| program.functions[id].is_defined());
            if !own && needed.insert(called) {
                open.push(called);
            }
        }
    }
    (!needed.is_empty()).then(|| preprocessed(program.target, &models, &needed))
}

/// Name and text of every model.
fn models() -> BTreeMap<&'static str, &'static str> {
    let parts = FILES.iter().flat_map(|file| file.split("//= ").skip(1));
    parts.map(|part| part.split_once('\n').expect("a model follows its name")).collect()
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}

fn preprocessed(target: Target, models: &BTreeMap<&str, &str>, needed: &BTreeSet<&str>) -> Preprocessed {
    let size = if target.pointer_width == target.long_width { "unsigned long" } else { "unsigned long long" };
    let size = if target.pointer_width == 32 { "unsigned int" } else { size };
    let mut text = format!("typedef {size} size_t;\n{PRELUDE}");
    needed.iter().for_each(|name| text.push_str(models[name]));
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
