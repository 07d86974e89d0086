//! Reading a function: tables, blocks, instructions.

use super::lex::{Cursor, TokenKind};
use super::names;
use super::parse::{ParseError, linkage, numbered};
use crate::arena::Id;
use crate::function::{
    Block, Check, CheckId, Condition, Decision, Formula, Function, Local, LocalKind, Loop, Param, ParamKind, Temp,
    TempId,
};
use crate::inst::{Callee, Case, Inst, InstKind, Operand, Terminator, TerminatorKind, Type};
use clew_scalar::Value;

/// More temporaries than any function has; a guard against absurd numbers in hand-written text.
const TEMP_LIMIT: usize = 1 << 24;

/// Nesting of a decision's formula beyond which the reader refuses.
const FORMULA_DEPTH: u32 = 1000;

/// A function after `function fN`.
pub(super) fn function(cursor: &mut Cursor) -> Result<Function, ParseError> {
    let name = cursor.text()?;
    let linkage = linkage(cursor)?;
    let mut function = Function::declare(name, cursor.id('%')?);
    function.linkage = linkage;
    cursor.expect("->")?;
    function.returns = if cursor.take("void") { None } else { Some(ty(cursor)?) };
    function.variadic = cursor.take("variadic");
    function.span = cursor.span()?;
    function.body = cursor.span()?;
    cursor.mark('{')?;
    while !cursor.take_mark('}') {
        let word = cursor.word()?;
        if let Some(raw) = word.strip_prefix('b').and_then(|raw| raw.parse::<u32>().ok()) {
            block(cursor, &mut function, raw)?;
        } else {
            table_entry(cursor, &mut function, &word)?;
        }
    }
    Ok(function)
}

fn ty(cursor: &mut Cursor) -> Result<Type, ParseError> {
    let word = cursor.word()?;
    names::ty(&word).map_or_else(|| cursor.error(format!("`{word}` is not a type")), Ok)
}

/// `: type` after a temporary; fixes its type.
fn temp_type(cursor: &mut Cursor, function: &mut Function, temp: TempId) -> Result<(), ParseError> {
    cursor.mark(':')?;
    let ty = ty(cursor)?;
    if temp.index() >= TEMP_LIMIT {
        return cursor.error("too many temporaries");
    }
    while function.temps.len() <= temp.index() {
        function.temps.push(Temp { ty: Type::Int(1) });
    }
    function.temps[temp].ty = ty;
    Ok(())
}

fn table_entry(cursor: &mut Cursor, function: &mut Function, word: &str) -> Result<(), ParseError> {
    match word {
        "param" => {
            let param = param(cursor, function)?;
            function.params.push(param);
        }
        "local" => {
            numbered(cursor, 'l', &function.locals)?;
            function.locals.push(local(cursor)?);
        }
        "decision" => {
            numbered(cursor, 'd', &function.decisions)?;
            function.decisions.push(decision(cursor)?);
        }
        "condition" => {
            numbered(cursor, 'c', &function.conditions)?;
            let (decision, span) = (cursor.id('d')?, cursor.span()?);
            function.conditions.push(Condition { decision, span });
        }
        "loop" => {
            numbered(cursor, 'o', &function.loops)?;
            function.loops.push(loop_entry(cursor)?);
        }
        "check" => {
            numbered(cursor, 'k', &function.checks)?;
            let kind = kind_of(cursor, names::CHECKS)?;
            let span = cursor.span()?;
            function.checks.push(Check { kind, span });
        }
        other => return cursor.error(format!("unknown word `{other}`")),
    }
    Ok(())
}

fn kind_of<T: Copy>(cursor: &mut Cursor, table: names::Table<T>) -> Result<T, ParseError> {
    let word = cursor.word()?;
    names::value(table, &word).map_or_else(|| cursor.error(format!("unknown kind `{word}`")), Ok)
}

fn param(cursor: &mut Cursor, function: &mut Function) -> Result<Param, ParseError> {
    let (name, c_type, temp) = (cursor.text()?, cursor.id('%')?, cursor.id('t')?);
    temp_type(cursor, function, temp)?;
    let kind = match cursor.word()?.as_str() {
        "scalar" => ParamKind::Scalar,
        "aggregate" => ParamKind::Aggregate,
        "return-slot" => ParamKind::ReturnSlot,
        other => return cursor.error(format!("`{other}` is not a kind of parameter")),
    };
    Ok(Param { name, ty: c_type, temp, kind })
}

fn local(cursor: &mut Cursor) -> Result<Local, ParseError> {
    let (name, ty) = (cursor.text()?, cursor.id('%')?);
    let (size, align) = (cursor.named("size")?, cursor.named("align")?);
    let kind = match cursor.word()?.as_str() {
        "param" => LocalKind::Param(cursor.number()?),
        "variable" => LocalKind::Variable,
        "hidden" => LocalKind::Hidden,
        other => return cursor.error(format!("`{other}` is not a kind of local")),
    };
    Ok(Local { name, ty, size, align, kind, span: cursor.span()? })
}

fn decision(cursor: &mut Cursor) -> Result<Decision, ParseError> {
    let kind = kind_of(cursor, names::DECISIONS)?;
    let starts = match cursor.peek() {
        TokenKind::Mark('(') => true,
        TokenKind::Word(word) => word.starts_with('c') || word == "true" || word == "false",
        _ => false,
    };
    let is_entry = cursor.peek_word().is_some_and(|word| matches!(word, "condition" | "check"));
    let formula = if starts && !is_entry { Some(formula(cursor, 0)?) } else { None };
    Ok(Decision { kind, formula, span: cursor.span()? })
}

fn formula(cursor: &mut Cursor, depth: u32) -> Result<Formula, ParseError> {
    if depth > FORMULA_DEPTH {
        return cursor.error("formula nested too deeply");
    }
    if !cursor.take_mark('(') {
        let truth = ["true", "false"].into_iter().position(|word| cursor.take(word));
        return Ok(match truth {
            Some(position) => Formula::Const(position == 0),
            None => Formula::Atom(cursor.id('c')?),
        });
    }
    let word = cursor.word()?;
    let first = Box::new(formula(cursor, depth + 1)?);
    let whole = match word.as_str() {
        "not" => Formula::Not(first),
        "and" => Formula::And(first, Box::new(formula(cursor, depth + 1)?)),
        "or" => Formula::Or(first, Box::new(formula(cursor, depth + 1)?)),
        other => return cursor.error(format!("`{other}` is not a logical operator")),
    };
    cursor.mark(')')?;
    Ok(whole)
}

fn loop_entry(cursor: &mut Cursor) -> Result<Loop, ParseError> {
    let kind = kind_of(cursor, names::LOOPS)?;
    let decision = cursor.try_id('d');
    let mut place = |name: &str| {
        cursor.expect(name)?;
        cursor.id('b')
    };
    let (head, body, latch, exit) = (place("head")?, place("body")?, place("latch")?, place("exit")?);
    let parent = if cursor.take("in") { Some(cursor.id('o')?) } else { None };
    Ok(Loop { kind, decision, head, body, latch, exit, parent, span: cursor.span()? })
}

/// A block after its name: instructions up to and including the terminator.
fn block(cursor: &mut Cursor, function: &mut Function, raw: u32) -> Result<(), ParseError> {
    if raw != function.blocks.next_id().raw() {
        return cursor.error("blocks stand in order");
    }
    cursor.mark(':')?;
    let mut insts = Vec::new();
    loop {
        let temp: Option<TempId> = cursor.try_id('t');
        if let Some(temp) = temp {
            temp_type(cursor, function, temp)?;
            cursor.mark('=')?;
        }
        let word = cursor.word()?;
        if let Some(kind) = terminator(cursor, &word)? {
            let terminator = Terminator { kind, span: cursor.span()? };
            function.blocks.push(Block { insts, terminator });
            return Ok(());
        }
        let kind = match temp {
            Some(dest) => defining(cursor, &word, dest, function.temps[dest].ty)?,
            None => effect(cursor, &word)?,
        };
        insts.push(Inst { kind, span: cursor.span()? });
    }
}

fn operand(cursor: &mut Cursor) -> Result<Operand, ParseError> {
    if cursor.take("null") {
        return Ok(Operand::Null);
    }
    if let Some(temp) = cursor.try_id('t') {
        return Ok(Operand::Temp(temp));
    }
    if let Some(local) = cursor.try_id('l') {
        return Ok(Operand::Local(local));
    }
    if let Some(global) = cursor.try_id('g') {
        let offset = if cursor.take("plus") { cursor.number()? } else { 0 };
        return Ok(Operand::Global(global, offset));
    }
    constant_or_function(cursor)
}

/// `f32 0x1` is a constant, `f32` followed by anything else the function of that number.
fn constant_or_function(cursor: &mut Cursor) -> Result<Operand, ParseError> {
    let word = cursor.word()?;
    let numeric = cursor.peek_word().is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit() || c == '-'));
    match names::ty(&word) {
        Some(Type::Int(width)) if numeric => Ok(Operand::int(width, cursor.bits()?)),
        Some(Type::Float(format)) if numeric => {
            Ok(Operand::Const(Value { ty: clew_scalar::Type::Float(format), bits: cursor.bits()? }))
        }
        _ => match word.strip_prefix('f').and_then(|raw| raw.parse().ok()) {
            Some(raw) => Ok(Operand::Function(Id::new(raw))),
            None => cursor.error(format!("`{word}` is not an operand")),
        },
    }
}

/// Exactly `N` operands separated by commas.
fn operands<const N: usize>(cursor: &mut Cursor) -> Result<[Operand; N], ParseError> {
    let mut list = [Operand::Null; N];
    for (index, slot) in list.iter_mut().enumerate() {
        if index > 0 {
            cursor.mark(',')?;
        }
        *slot = operand(cursor)?;
    }
    Ok(list)
}

fn check(cursor: &mut Cursor) -> Result<Option<CheckId>, ParseError> {
    match cursor.peek_word() {
        Some(word) if word.starts_with("!k") => {
            let raw = word[2..].parse();
            cursor.word()?;
            raw.map_or_else(|_| cursor.error("a check reads `!k` and a number"), |raw| Ok(Some(Id::new(raw))))
        }
        _ => Ok(None),
    }
}

/// `, number`
fn size(cursor: &mut Cursor) -> Result<u64, ParseError> {
    cursor.mark(',')?;
    cursor.number()
}

/// An instruction that defines `dest`.
fn defining(cursor: &mut Cursor, word: &str, dest: TempId, ty: Type) -> Result<InstKind, ParseError> {
    if let Some(op) = names::unary(word) {
        let [a] = operands(cursor)?;
        return Ok(InstKind::Unary { dest, op, a, check: check(cursor)? });
    }
    if let Some(op) = names::binary(word) {
        let [a, b] = operands(cursor)?;
        return Ok(InstKind::Binary { dest, op, a, b, check: check(cursor)? });
    }
    if let Some(op) = names::ternary(word) {
        let [a, b, c] = operands(cursor)?;
        return Ok(InstKind::Ternary { dest, op, a, b, c });
    }
    if let Some(op) = names::conversion(word, ty) {
        let [a] = operands(cursor)?;
        return Ok(InstKind::Convert { dest, op, a, check: check(cursor)? });
    }
    if word == "call" {
        return call(cursor, Some(dest));
    }
    pointer_or_memory(cursor, word, dest)
}

fn pointer_or_memory(cursor: &mut Cursor, word: &str, dest: TempId) -> Result<InstKind, ParseError> {
    match word {
        "ptoi" => operands(cursor).map(|[a]| InstKind::PointerToInt { dest, a }),
        "itop" => operands(cursor).map(|[a]| InstKind::IntToPointer { dest, a }),
        "offset" => {
            let [base, bytes] = operands(cursor)?;
            Ok(InstKind::Offset { dest, base, bytes, check: check(cursor)? })
        }
        "distance" => {
            let [a, b] = operands(cursor)?;
            Ok(InstKind::Distance { dest, a, b, check: check(cursor)? })
        }
        "load" | "load.volatile" | "load.raw" | "load.volatile.raw" => {
            let [from] = operands(cursor)?;
            let (volatile, raw) = (word.contains("volatile"), word.contains("raw"));
            Ok(InstKind::Load { dest, from, volatile, raw, check: check(cursor)? })
        }
        "allocate" => {
            let ([amount], align) = (operands(cursor)?, size(cursor)?);
            Ok(InstKind::Allocate { dest, size: amount, align, check: check(cursor)? })
        }
        "va_arg" => {
            let [list] = operands(cursor)?;
            Ok(InstKind::VaArg { dest, list, check: check(cursor)? })
        }
        other => cursor.error(format!("`{other}` defines nothing")),
    }
}

fn call(cursor: &mut Cursor, dest: Option<TempId>) -> Result<InstKind, ParseError> {
    let callee =
        if cursor.take("indirect") { Callee::Indirect(operand(cursor)?) } else { Callee::Direct(cursor.id('f')?) };
    let ty = cursor.id('%')?;
    let args = cursor.list(('(', ')'), operand)?;
    Ok(InstKind::Call { dest, callee, args, ty, check: check(cursor)? })
}

/// An instruction that defines nothing.
fn effect(cursor: &mut Cursor, word: &str) -> Result<InstKind, ParseError> {
    match word {
        "store" | "store.volatile" => {
            let [to, value] = operands(cursor)?;
            Ok(InstKind::Store { to, value, volatile: word != "store", check: check(cursor)? })
        }
        "copy" => {
            let ([to, from], size) = (operands(cursor)?, size(cursor)?);
            Ok(InstKind::Copy { to, from, size, check: check(cursor)? })
        }
        "fill" => {
            let [to] = operands(cursor)?;
            cursor.mark(',')?;
            let (byte, size) = (cursor.number()?, size(cursor)?);
            Ok(InstKind::Fill { to, byte, size, check: check(cursor)? })
        }
        "call" => call(cursor, None),
        "release" => operands(cursor).map(|[pointer]| InstKind::Release { pointer }),
        "begin" => Ok(InstKind::Begin { local: cursor.id('l')? }),
        "end" => Ok(InstKind::End { local: cursor.id('l')? }),
        "va_start" => operands(cursor).map(|[list]| InstKind::VaStart { list }),
        "va_copy" => operands(cursor).map(|[to, from]| InstKind::VaCopy { to, from }),
        "va_end" => operands(cursor).map(|[list]| InstKind::VaEnd { list }),
        "check" => {
            let [holds] = operands(cursor)?;
            match check(cursor)? {
                Some(check) => Ok(InstKind::Check { holds, check }),
                None => cursor.error("expected `!k...`"),
            }
        }
        "unsupported" => Ok(InstKind::Unsupported { what: cursor.text()? }),
        other => cursor.error(format!("unknown instruction `{other}`")),
    }
}

/// The terminator that `word` starts, `None` if it starts an instruction.
fn terminator(cursor: &mut Cursor, word: &str) -> Result<Option<TerminatorKind>, ParseError> {
    Ok(Some(match word {
        "jump" => TerminatorKind::Jump(cursor.id('b')?),
        "branch" => {
            let (on, condition) = (operand(cursor)?, cursor.try_id('c'));
            cursor.mark('?')?;
            let then = cursor.id('b')?;
            cursor.mark(':')?;
            TerminatorKind::Branch { on, condition, then, otherwise: cursor.id('b')? }
        }
        "switch" => {
            let (on, decision) = (operand(cursor)?, cursor.try_id('d'));
            let cases = cursor.list(('{', '}'), |cursor| {
                Ok(Case { low: cursor.bits()?, high: cursor.bits()?, target: cursor.id('b')? })
            })?;
            cursor.expect("default")?;
            TerminatorKind::Switch { on, decision, cases, default: cursor.id('b')? }
        }
        "return" => TerminatorKind::Return(returned(cursor)?),
        "unreachable" => TerminatorKind::Unreachable { check: check(cursor)? },
        _ => return Ok(None),
    }))
}

/// The operand of a `return`, which ends where a span, a block or the function's end begins.
fn returned(cursor: &mut Cursor) -> Result<Option<Operand>, ParseError> {
    match cursor.peek_word() {
        None => Ok(None),
        Some(word) if word.starts_with('@') => Ok(None),
        Some(word) if word.strip_prefix('b').is_some_and(|raw| raw.parse::<u32>().is_ok()) => Ok(None),
        Some(_) => operand(cursor).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{parse, print};

    const SAMPLE: &str = "\
target pointer=64 int=32 long=64 char=signed endian=little
ctype %0 = int 32 signed \"int\"
ctype %1 = function %0 (%0)
ctype %2 = enum \"e\" %0 { \"A\" = 0, \"B\" = -1 }
ctype %3 = record $0
ctype %4 = float \"double\" f64 size 8
record $0 struct anonymous complete size 8 align 4 { \"x\" %0 at 0, \"b\" %0 at 4 bits 3 5 }
global g0 \"table\" internal %3 size 8 align 4 static f0 const init 0x0100 reloc 0 f0 0 reloc 4 g0 -4 @0:1-2
function f0 \"twice\" external %1 -> i32 @0:0-9 @0:3-9 {
  param \"x\" %0 t0: i32 scalar
  local l0 \"x\" %0 size 4 align 4 param 0
  decision d0 if (and c0 (not c1))
  condition c0 d0 @0:4-5
  condition c1 d0
  loop o0 while d0 head b0 body b1 latch b1 exit b2
  check k0 overflow
  b0:
    t1: i32 = add t0, i32 -5 !k0 @0:4-5
    store l0, t1
    t2: f64 = sitof t1
    t3: i1 = flt t2, f64 0x3ff0000000000000
    branch t3 c0 ? b1 : b2
  b1:
    t4: i32 = call f0 %1 (t1)
    call indirect f0 %1 (i32 1)
    t5: ptr = offset g0 plus 4, i64 -1
    switch t4 d0 { 1 1 b0, 4294967295 0 b2 } default b2
  b2:
    unsupported \"asm \\\"nop\\\"\"
    return t1
}
";

    #[test]
    fn printed_text_reads_back() {
        let program = parse(SAMPLE).unwrap();
        let printed = print(&program);
        assert_eq!(printed, SAMPLE);
        assert_eq!(parse(&printed).unwrap(), program);
    }

    #[test]
    fn errors_name_their_line() {
        let broken = SAMPLE.replace("branch t3 c0", "brunch t3 c0");
        assert_eq!(parse(&broken).unwrap_err().to_string(), "line 22: unknown instruction `brunch`");
    }
}
