//! Rules every program keeps, checked.
//!
//! Ids are in range, operand types fit their operator, temporaries are defined before every use on every path
//! (dominance, by a forward "surely defined" analysis), tables are consistent with the code. A program that passes
//! cannot make an engine index out of range or meet a type it does not expect.

mod dominance;
mod types;

use crate::arena::Arena;
use crate::function::{Function, FunctionId};
use crate::inst::{Callee, InstKind, Operand, TerminatorKind};
use crate::program::{Global, GlobalKind, Program, Symbol};
use crate::{CType, CTypeId, Id};
use std::fmt;

/// A broken rule and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The function, if the rule concerns one.
    pub function: Option<String>,
    /// The rule in words.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(name) => write!(f, "in `{name}`: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// All rules the program breaks.
pub fn verify(program: &Program) -> Vec<Violation> {
    let mut violations = Vec::new();
    program_tables(program, &mut |message| violations.push(Violation { function: None, message }));
    if violations.is_empty() {
        for id in program.functions.ids() {
            violations.extend(verify_function(program, id));
        }
    }
    violations
}

/// All rules one function breaks, given that the program's tables are in order.
pub fn verify_function(program: &Program, id: FunctionId) -> Vec<Violation> {
    let function = &program.functions[id];
    let mut violations = Vec::new();
    let mut report = |message| violations.push(Violation { function: Some(function.name.clone()), message });
    function_tables(program, function, &mut report);
    ranges(program, function, &mut report);
    if violations.is_empty() {
        let mut report = |message| violations.push(Violation { function: Some(function.name.clone()), message });
        types::check(program, function, &mut report);
        dominance::check(function, &mut report);
    }
    violations
}

/// Where broken rules go.
type Report<'a> = &'a mut dyn FnMut(String);

fn in_range<T>(arena: &Arena<T>, id: Id<T>, what: &str, report: Report<'_>) {
    if arena.get(id).is_none() {
        report(format!("{what} {} does not exist", id.raw()));
    }
}

fn program_tables(program: &Program, report: Report<'_>) {
    let types = &program.ctypes.types;
    c_types(program, report);
    for global in program.globals.values() {
        global_entry(program, global, report);
    }
    program.functions.values().for_each(|function| in_range(types, function.ty, "C type", report));
}

fn c_types(program: &Program, report: Report<'_>) {
    let types = &program.ctypes.types;
    for (id, ctype) in types.iter() {
        if let CType::Typedef { .. } | CType::Qualified { .. } = ctype
            && names_itself(program, id)
        {
            report(format!("C type %{} names itself", id.raw()));
        }
        parts(ctype).into_iter().for_each(|part| in_range(types, part, "C type", report));
        if let CType::Record(record) = ctype {
            in_range(&program.ctypes.records, *record, "record", report);
        }
    }
    for record in program.ctypes.records.values() {
        record.fields.iter().for_each(|field| in_range(types, field.ty, "C type", report));
    }
}

/// Whether resolving names and qualifiers never ends, or leaves the table.
fn names_itself(program: &Program, id: CTypeId) -> bool {
    let mut at = id;
    for _ in 0..=program.ctypes.types.len() {
        match program.ctypes.types.get(at) {
            Some(CType::Typedef { of, .. } | CType::Qualified { of, .. }) => at = *of,
            _ => return false,
        }
    }
    true
}

fn global_entry(program: &Program, global: &Global, report: Report<'_>) {
    in_range(&program.ctypes.types, global.ty, "C type", report);
    if let GlobalKind::StaticLocal(function) = global.kind {
        in_range(&program.functions, function, "function", report);
    }
    if global.init.as_ref().is_some_and(|bytes| bytes.len() as u64 > global.size) {
        report(format!("global `{}` has more initial bytes than its size", global.name));
    }
    for relocation in &global.relocations {
        match relocation.symbol {
            Symbol::Global(id) => in_range(&program.globals, id, "global", report),
            Symbol::Function(id) => in_range(&program.functions, id, "function", report),
        }
        if relocation.offset.saturating_add(program.target.pointer_bytes()) > global.size {
            report(format!("global `{}` has an address beyond its end", global.name));
        }
    }
}

/// The types a type is made of.
fn parts(ctype: &CType) -> Vec<CTypeId> {
    match ctype {
        CType::Enum { underlying: of, .. }
        | CType::Pointer(of)
        | CType::Array { of, .. }
        | CType::Typedef { of, .. }
        | CType::Qualified { of, .. } => vec![*of],
        CType::Function { returns, params, .. } => params.iter().chain([returns]).copied().collect(),
        CType::Void
        | CType::Bool
        | CType::Int { .. }
        | CType::Float { .. }
        | CType::Record(_)
        | CType::Unsupported(_) => Vec::new(),
    }
}

fn function_tables(program: &Program, function: &Function, report: Report<'_>) {
    for param in &function.params {
        in_range(&function.temps, param.temp, "temporary", report);
        in_range(&program.ctypes.types, param.ty, "C type", report);
    }
    for local in function.locals.values() {
        in_range(&program.ctypes.types, local.ty, "C type", report);
        if !local.align.is_power_of_two() {
            report(format!("local `{}` has alignment {}", local.name, local.align));
        }
    }
    for condition in function.conditions.values() {
        in_range(&function.decisions, condition.decision, "decision", report);
    }
    for item in function.loops.values() {
        for block in [item.head, item.body, item.latch, item.exit] {
            in_range(&function.blocks, block, "block", report);
        }
        if let Some(decision) = item.decision {
            in_range(&function.decisions, decision, "decision", report);
        }
        if let Some(parent) = item.parent {
            in_range(&function.loops, parent, "loop", report);
        }
    }
}

/// Every id in the code refers to something.
fn ranges(program: &Program, function: &Function, report: Report<'_>) {
    for block in function.blocks.values() {
        for inst in &block.insts {
            inst.kind.dest().into_iter().for_each(|dest| in_range(&function.temps, dest, "temporary", report));
            inst.kind.operands().into_iter().for_each(|operand| operand_range(program, function, operand, report));
            inst.kind.check().into_iter().for_each(|check| in_range(&function.checks, check, "check", report));
            match &inst.kind {
                InstKind::Begin { local } | InstKind::End { local } => {
                    in_range(&function.locals, *local, "local", report);
                }
                InstKind::Call { callee, ty, .. } => {
                    in_range(&program.ctypes.types, *ty, "C type", report);
                    if let Callee::Direct(callee) = callee {
                        in_range(&program.functions, *callee, "function", report);
                    }
                }
                _ => {}
            }
        }
        terminator_range(program, function, &block.terminator.kind, report);
    }
}

fn operand_range(program: &Program, function: &Function, operand: Operand, report: Report<'_>) {
    match operand {
        Operand::Temp(id) => in_range(&function.temps, id, "temporary", report),
        Operand::Local(id) => in_range(&function.locals, id, "local", report),
        Operand::Global(id, _) => in_range(&program.globals, id, "global", report),
        Operand::Function(id) => in_range(&program.functions, id, "function", report),
        Operand::Const(_) | Operand::Null => {}
    }
}

fn terminator_range(program: &Program, function: &Function, kind: &TerminatorKind, report: Report<'_>) {
    for target in kind.successors() {
        in_range(&function.blocks, target, "block", report);
    }
    match kind {
        TerminatorKind::Branch { on, condition, .. } => {
            operand_range(program, function, *on, report);
            condition.iter().for_each(|id| in_range(&function.conditions, *id, "condition", report));
        }
        TerminatorKind::Switch { on, decision, .. } => {
            operand_range(program, function, *on, report);
            decision.iter().for_each(|id| in_range(&function.decisions, *id, "decision", report));
        }
        TerminatorKind::Return(value) => {
            value.iter().for_each(|value| operand_range(program, function, *value, report));
        }
        TerminatorKind::Unreachable { check } => {
            check.iter().for_each(|id| in_range(&function.checks, *id, "check", report));
        }
        TerminatorKind::Jump(_) => {}
    }
}
