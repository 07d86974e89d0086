//! Printing a program.

use super::names::{self, word};
use crate::ctype::{CType, Field, Record};
use crate::function::{Formula, Function, FunctionId, Linkage, Local, LocalKind, Loop, Param, ParamKind};
use crate::inst::{Callee, Inst, InstKind, Operand, Terminator, TerminatorKind};
use crate::program::{Global, GlobalKind, Program, Symbol, Target};
use crate::source::Span;
use crate::{Arena, CTypeId, CheckId};
use std::fmt::Write;

/// The whole program in its text form.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    line(&mut out, &target(program.target));
    for (id, ctype) in program.ctypes.types.iter() {
        line(&mut out, &format!("ctype %{} = {}", id.raw(), c_type(ctype)));
    }
    for (id, item) in program.ctypes.records.iter() {
        line(&mut out, &format!("record ${} {}", id.raw(), record(item)));
    }
    for (id, item) in program.globals.iter() {
        line(&mut out, &format!("global g{} {}", id.raw(), global(item)));
    }
    for id in program.functions.ids() {
        out.push_str(&print_function(program, id));
    }
    out
}

/// One function in its text form.
pub fn print_function(program: &Program, id: FunctionId) -> String {
    let function = &program.functions[id];
    let mut out = String::new();
    let returns = function.returns.map_or_else(|| "void".to_owned(), names::type_word);
    let variadic = if function.variadic { " variadic" } else { "" };
    let name = quote(&function.name);
    let _ = write!(
        out,
        "function f{} {name} {} %{} -> {returns}{variadic}",
        id.raw(),
        linkage(function.linkage),
        function.ty.raw()
    );
    let _ = writeln!(out, "{}{} {{", span(function.span), span(function.body));
    tables(&mut out, function);
    for (id, block) in function.blocks.iter() {
        let _ = writeln!(out, "  b{}:", id.raw());
        for inst in &block.insts {
            line(&mut out, &format!("    {}", instruction(function, inst)));
        }
        line(&mut out, &format!("    {}", terminator(&block.terminator)));
    }
    line(&mut out, "}");
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn target(target: Target) -> String {
    format!(
        "target pointer={} int={} long={} char={} endian={}",
        target.pointer_width,
        target.int_width,
        target.long_width,
        if target.char_signed { "signed" } else { "unsigned" },
        if target.big_endian { "big" } else { "little" }
    )
}

fn linkage(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::External => "external",
        Linkage::Internal => "internal",
        Linkage::Inline => "inline",
    }
}

pub(super) fn quote(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

fn span(span: Span) -> String {
    if span.is_none() { String::new() } else { format!(" @{}:{}-{}", span.unit.raw(), span.start, span.end) }
}

fn check_mark(check: Option<CheckId>) -> String {
    check.map_or_else(String::new, |check| format!(" !k{}", check.raw()))
}

fn type_list(params: &[CTypeId]) -> String {
    params.iter().map(|param| format!("%{}", param.raw())).collect::<Vec<_>>().join(", ")
}

fn c_type(ctype: &CType) -> String {
    match ctype {
        CType::Void => "void".to_owned(),
        CType::Bool => "bool".to_owned(),
        CType::Int { width, signed, name } => {
            format!("int {width} {} {}", if *signed { "signed" } else { "unsigned" }, quote(name))
        }
        CType::Float { kind, format, size } => format!(
            "float {} {} size {size}",
            quote(word(names::FLOAT_KINDS, kind)),
            names::type_word(crate::Type::Float(*format))
        ),
        CType::Enum { tag, underlying, enumerators, is_closed } => {
            let list: Vec<_> = enumerators.iter().map(|(name, value)| format!("{} = {value}", quote(name))).collect();
            let closed = if *is_closed { "closed " } else { "" };
            format!("enum {closed}{} %{} {{ {} }}", optional_name(tag.as_deref()), underlying.raw(), list.join(", "))
        }
        CType::Pointer(to) => format!("pointer %{}", to.raw()),
        CType::Array { of, len } => {
            format!("array %{} {}", of.raw(), len.map_or_else(|| "open".to_owned(), |len| len.to_string()))
        }
        CType::Record(record) => format!("record ${}", record.raw()),
        CType::Function { returns, params, variadic } => {
            let tail = if *variadic { " variadic" } else { "" };
            format!("function %{} ({}){tail}", returns.raw(), type_list(params))
        }
        CType::Typedef { name, of } => format!("typedef {} %{}", quote(name), of.raw()),
        CType::Qualified { of, is_const, is_volatile, is_restrict } => {
            let flags = [(*is_const, " const"), (*is_volatile, " volatile"), (*is_restrict, " restrict")];
            format!("qualified{} %{}", flagged(&flags), of.raw())
        }
        CType::Unsupported(what) => format!("unsupported {}", quote(what)),
    }
}

fn flagged(flags: &[(bool, &'static str)]) -> String {
    flags.iter().filter(|(set, _)| *set).map(|(_, text)| *text).collect()
}

fn optional_name(name: Option<&str>) -> String {
    name.map_or_else(|| "anonymous".to_owned(), quote)
}

fn record(record: &Record) -> String {
    let fields: Vec<_> = record.fields.iter().map(field).collect();
    format!(
        "{} {} {} size {} align {} {{ {} }}",
        if record.is_union { "union" } else { "struct" },
        optional_name(record.tag.as_deref()),
        if record.is_complete { "complete" } else { "incomplete" },
        record.size,
        record.align,
        fields.join(", ")
    )
}

fn field(field: &Field) -> String {
    let bits = field.bits.map_or_else(String::new, |bits| format!(" bits {} {}", bits.offset, bits.width));
    format!("{} %{} at {}{bits}", quote(&field.name), field.ty.raw(), field.offset)
}

fn global(global: &Global) -> String {
    let kind = match global.kind {
        GlobalKind::Variable => "variable".to_owned(),
        GlobalKind::StaticLocal(function) => format!("static f{}", function.raw()),
        GlobalKind::Literal => "literal".to_owned(),
    };
    let flags = flagged(&[(global.is_const, " const"), (global.is_volatile, " volatile")]);
    let address = global.address.map_or_else(String::new, |address| format!(" at {address}"));
    let init = global.init.as_ref().map_or_else(
        || " declared".to_owned(),
        |bytes| format!(" init 0x{}", bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))),
    );
    let mut text = format!(
        "{} {} %{} size {} align {} {kind}{flags}{address}{init}",
        quote(&global.name),
        linkage(global.linkage),
        global.ty.raw(),
        global.size,
        global.align
    );
    for relocation in &global.relocations {
        let symbol = match relocation.symbol {
            Symbol::Global(id) => format!("g{}", id.raw()),
            Symbol::Function(id) => format!("f{}", id.raw()),
        };
        let _ = write!(text, " reloc {} {symbol} {}", relocation.offset, relocation.addend);
    }
    text + &span(global.span)
}

/// Parameters, locals, decisions, conditions, loops and checks of a function.
fn tables(out: &mut String, function: &Function) {
    for item in &function.params {
        line(out, &format!("  param {}", param(function, item)));
    }
    for (id, item) in function.locals.iter() {
        line(out, &format!("  local l{} {}", id.raw(), local(item)));
    }
    for (id, item) in function.decisions.iter() {
        let formula = item.formula.as_ref().map_or_else(String::new, |item| format!(" {}", formula(item)));
        let kind = word(names::DECISIONS, &item.kind);
        line(out, &format!("  decision d{} {kind}{formula}{}", id.raw(), span(item.span)));
    }
    for (id, item) in function.conditions.iter() {
        line(out, &format!("  condition c{} d{}{}", id.raw(), item.decision.raw(), span(item.span)));
    }
    print_loops(out, &function.loops);
    for (id, item) in function.checks.iter() {
        line(out, &format!("  check k{} {}{}", id.raw(), word(names::CHECKS, &item.kind), span(item.span)));
    }
}

fn param(function: &Function, param: &Param) -> String {
    let kind = match param.kind {
        ParamKind::Scalar => "scalar",
        ParamKind::Aggregate => "aggregate",
        ParamKind::ReturnSlot => "return-slot",
    };
    let ty = names::type_word(function.temps[param.temp].ty);
    format!("{} %{} t{}: {ty} {kind}", quote(&param.name), param.ty.raw(), param.temp.raw())
}

fn local(local: &Local) -> String {
    let kind = match local.kind {
        LocalKind::Param(position) => format!("param {position}"),
        LocalKind::Variable => "variable".to_owned(),
        LocalKind::Hidden => "hidden".to_owned(),
    };
    let name = quote(&local.name);
    format!("{name} %{} size {} align {} {kind}{}", local.ty.raw(), local.size, local.align, span(local.span))
}

fn formula(item: &Formula) -> String {
    match item {
        Formula::Atom(condition) => format!("c{}", condition.raw()),
        Formula::Not(a) => format!("(not {})", formula(a)),
        Formula::And(a, b) => format!("(and {} {})", formula(a), formula(b)),
        Formula::Or(a, b) => format!("(or {} {})", formula(a), formula(b)),
        Formula::Const(value) => value.to_string(),
    }
}

fn print_loops(out: &mut String, loops: &Arena<Loop>) {
    for (id, item) in loops.iter() {
        let decision = item.decision.map_or_else(String::new, |decision| format!(" d{}", decision.raw()));
        let parent = item.parent.map_or_else(String::new, |parent| format!(" in o{}", parent.raw()));
        let text = format!(
            "  loop o{} {}{decision} head b{} body b{} latch b{} exit b{}{parent}{}",
            id.raw(),
            word(names::LOOPS, &item.kind),
            item.head.raw(),
            item.body.raw(),
            item.latch.raw(),
            item.exit.raw(),
            span(item.span)
        );
        line(out, &text);
    }
}

fn operand(operand: Operand) -> String {
    match operand {
        Operand::Temp(temp) => format!("t{}", temp.raw()),
        Operand::Const(value) => match value.ty {
            clew_scalar::Type::Int(width) => format!("i{width} {}", signed(width, value.bits)),
            clew_scalar::Type::Float(format) => {
                format!("{} {:#x}", names::type_word(crate::Type::Float(format)), value.bits)
            }
        },
        Operand::Null => "null".to_owned(),
        Operand::Local(local) => format!("l{}", local.raw()),
        Operand::Global(global, 0) => format!("g{}", global.raw()),
        Operand::Global(global, offset) => format!("g{} plus {offset}", global.raw()),
        Operand::Function(function) => format!("f{}", function.raw()),
    }
}

/// Constants read best as signed numbers.
fn signed(width: u8, bits: u128) -> i128 {
    let shift = 128 - u32::from(width);
    if width == 1 { bits as i128 } else { (bits << shift) as i128 >> shift }
}

fn operands(list: &[Operand]) -> String {
    list.iter().map(|item| operand(*item)).collect::<Vec<_>>().join(", ")
}

fn instruction(function: &Function, inst: &Inst) -> String {
    let dest = inst
        .kind
        .dest()
        .map_or_else(String::new, |dest| format!("t{}: {} = ", dest.raw(), names::type_word(function.temps[dest].ty)));
    let check = match inst.kind {
        InstKind::Check { .. } => String::new(),
        _ => check_mark(inst.kind.check()),
    };
    format!("{dest}{}{check}{}", operation(&inst.kind), span(inst.span))
}

/// The word of an instruction and its operands.
fn operation(kind: &InstKind) -> String {
    let plain = |word: &str| format!("{word} {}", operands(&kind.operands()));
    match kind {
        InstKind::Unary { op, .. } => plain(&names::unary_word(*op)),
        InstKind::Binary { op, .. } => plain(&names::binary_word(*op)),
        InstKind::Ternary { op, .. } => plain(&names::ternary_word(*op)),
        InstKind::Convert { op, .. } => plain(&names::conversion_word(*op)),
        InstKind::PointerToInt { .. } => plain("ptoi"),
        InstKind::IntToPointer { .. } => plain("itop"),
        InstKind::Offset { .. } => plain("offset"),
        InstKind::Distance { .. } => plain("distance"),
        InstKind::Load { volatile, raw, .. } => {
            plain(&format!("load{}", flagged(&[(*volatile, ".volatile"), (*raw, ".raw")])))
        }
        InstKind::Store { volatile, .. } => plain(&format!("store{}", flagged(&[(*volatile, ".volatile")]))),
        InstKind::Copy { size, .. } => format!("{}, {size}", plain("copy")),
        InstKind::Fill { byte, size, .. } => format!("{}, {byte}, {size}", plain("fill")),
        InstKind::Call { callee, args, ty, .. } => {
            let callee = match callee {
                Callee::Direct(function) => format!("f{}", function.raw()),
                Callee::Indirect(pointer) => format!("indirect {}", operand(*pointer)),
            };
            format!("call {callee} %{} ({})", ty.raw(), operands(args))
        }
        InstKind::Allocate { align, .. } => format!("{}, {align}", plain("allocate")),
        InstKind::Release { .. } => plain("release"),
        InstKind::Begin { local } => format!("begin l{}", local.raw()),
        InstKind::End { local } => format!("end l{}", local.raw()),
        InstKind::VaStart { .. } => plain("va_start"),
        InstKind::VaArg { .. } => plain("va_arg"),
        InstKind::VaCopy { .. } => plain("va_copy"),
        InstKind::VaEnd { .. } => plain("va_end"),
        InstKind::Check { check, .. } => format!("{} !k{}", plain("check"), check.raw()),
        InstKind::Unsupported { what } => format!("unsupported {}", quote(what)),
    }
}

fn terminator(item: &Terminator) -> String {
    let text = match &item.kind {
        TerminatorKind::Jump(target) => format!("jump b{}", target.raw()),
        TerminatorKind::Branch { on, condition, then, otherwise } => {
            let condition = condition.map_or_else(String::new, |condition| format!(" c{}", condition.raw()));
            format!("branch {}{condition} ? b{} : b{}", operand(*on), then.raw(), otherwise.raw())
        }
        TerminatorKind::Switch { on, decision, cases, default } => {
            let decision = decision.map_or_else(String::new, |decision| format!(" d{}", decision.raw()));
            let cases: Vec<_> =
                cases.iter().map(|case| format!("{} {} b{}", case.low, case.high, case.target.raw())).collect();
            format!("switch {}{decision} {{ {} }} default b{}", operand(*on), cases.join(", "), default.raw())
        }
        TerminatorKind::Return(None) => "return".to_owned(),
        TerminatorKind::Return(Some(value)) => format!("return {}", operand(*value)),
        TerminatorKind::Unreachable { check } => format!("unreachable{}", check_mark(*check)),
    };
    text + &span(item.span)
}
