//! `clew ir`: the intermediate form, or numbers about it.

use super::source;
use crate::cli::IrArguments;
use crate::status::Status;
use crate::terminal::Terminal;
use clew_ir::{InstKind, Program, text, verify};
use std::collections::BTreeMap;
use std::fmt::Write;

pub(super) fn run(arguments: &IrArguments, terminal: Terminal) -> Result<Status, Status> {
    let loaded = source::load(&arguments.source, &arguments.cc_flags, terminal)?;
    let program = &loaded.program;
    let violations = verify::verify(program);
    if let Some(violation) = violations.first() {
        terminal.error(&format!("the program breaks a rule of the intermediate form: {violation}"));
        return Err(Status::Internal);
    }
    let text = match (&arguments.function, arguments.stats) {
        (_, true) => statistics(program),
        (Some(name), false) => text::print_function(program, source::function(program, name, terminal)?),
        (None, false) => text::print(program),
    };
    terminal.print(&text);
    Ok(Status::Fine)
}

/// How much there is, and what of it is not supported.
fn statistics(program: &Program) -> String {
    let defined: Vec<_> = program.functions.values().filter(|function| function.is_defined()).collect();
    let instructions: usize =
        defined.iter().flat_map(|function| function.blocks.values()).map(|block| block.insts.len() + 1).sum();
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut affected = 0;
    for function in &defined {
        let unsupported = unsupported(function);
        affected += usize::from(!unsupported.is_empty());
        unsupported.into_iter().for_each(|what| reasons.entry(what).or_default().push(&function.name));
    }
    let mut out = String::new();
    let whole = defined.len() - affected;
    let _ = writeln!(out, "functions defined      {}", defined.len());
    let _ = writeln!(out, "supported whole        {whole} ({:.2} %)", percentage(whole, defined.len()));
    let _ = writeln!(out, "instructions           {instructions}");
    let _ = writeln!(out, "conditions             {}", defined.iter().map(|f| f.conditions.len()).sum::<usize>());
    let _ = writeln!(out, "decisions              {}", defined.iter().map(|f| f.decisions.len()).sum::<usize>());
    let _ = writeln!(out, "loops                  {}", defined.iter().map(|f| f.loops.len()).sum::<usize>());
    let _ = writeln!(out, "checks                 {}", defined.iter().map(|f| f.checks.len()).sum::<usize>());
    for (what, functions) in reasons {
        let _ = writeln!(out, "unsupported            {what}: {}", functions.join(", "));
    }
    out
}

fn percentage(part: usize, whole: usize) -> f64 {
    if whole == 0 { 100.0 } else { 100.0 * part as f64 / whole as f64 }
}

/// What a function contains that is not supported, each thing once.
fn unsupported(function: &clew_ir::Function) -> Vec<&str> {
    let insts = function.blocks.values().flat_map(|block| &block.insts);
    let mut found: Vec<&str> = insts
        .filter_map(|inst| match &inst.kind {
            InstKind::Unsupported { what } => Some(what.as_str()),
            _ => None,
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}
