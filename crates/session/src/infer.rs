//! Preconditions that the source suggests, for the reader, and for `--assume inferred`.
//!
//! What a parameter's declaration says (`int a[static 10]`, `restrict`), what the function asserts before it does anything
//! else, and pairs of a buffer and its length. A pair is recognised by its names (`buf`, `len`) unless a caller passes an
//! array with a greater length. All of it is a guess: it is printed as ACSL, and taken for granted only on request.
//!
//! [`excluding`] gives the line that would exclude a finding, where the failing expression speaks of parameters alone.
//!
//! Not done: relations between members of structures, and what callers check before a call.

mod assumptions;
mod finding;
mod hidden;
pub mod missing;

use crate::policy;
use clew_ir::{
    Block, BlockId, CType, CTypeId, Callee, ENTRY, Function, FunctionId, Inst, InstKind, Local, LocalKind, Operand,
    Param, ParamKind, Program, Span, TerminatorKind,
};

pub use assumptions::of_function;
pub use finding::excluding;

/// Words that name a number of elements, alone or at the end of a name.
const COUNTS: [&str; 9] = ["n", "len", "length", "size", "count", "cnt", "num", "sz", "nelem"];

/// The preconditions that the source of a function suggests, as ACSL.
pub fn preconditions(program: &Program, id: FunctionId) -> Vec<String> {
    let function = &program.functions[id];
    let params: Vec<&Param> = function.params.iter().filter(|param| param.kind != ParamKind::ReturnSlot).collect();
    let asserted = asserted(program, function).into_iter();
    let mut all: Vec<String> = asserted.map(|text| compared(program, &params, text)).collect();
    let arrays = arrays(program, function, &params);
    let has_size = |name: &str| arrays.iter().any(|(array, _)| array == name);
    all.extend(pairs(program, id, &params).into_iter().filter(|(name, _)| !has_size(name)).map(|(_, clause)| clause));
    all.extend(arrays.into_iter().map(|(_, clause)| clause));
    all.extend(separated(program, function));
    all
}

/// The type a parameter points to.
fn pointee(program: &Program, param: &Param) -> Option<CTypeId> {
    match *program.ctypes.get(param.ty) {
        CType::Pointer(to) if !matches!(program.ctypes.get(to), CType::Function { .. }) => Some(to),
        _ => None,
    }
}

/// `\valid(name + (0 .. last))`, or `\valid_read` behind `const`; bytes behind `void *`.
fn valid(program: &Program, name: &str, to: CTypeId, last: &str) -> String {
    let predicate = if program.ctypes.is_const(to) { "\\valid_read" } else { "\\valid" };
    let cast = if matches!(program.ctypes.get(to), CType::Void) { "(char *)" } else { "" };
    format!("{predicate}({cast}{name} + (0 .. {last}))")
}

/// Parameters declared as arrays with a length, each with its clause.
fn arrays(program: &Program, function: &Function, params: &[&Param]) -> Vec<(String, String)> {
    let head = Span { end: function.body.start.max(function.span.start), ..function.span };
    let head = program.sources.text(head);
    let array = |param: &&Param| {
        let to = pointee(program, param)?;
        let length = declared_length(head, &param.name)?;
        let is_known = length.parse::<u64>().is_ok_and(|length| length > 0);
        let last = match length.parse::<u64>() {
            Ok(length) if is_known => (length - 1).to_string(),
            Err(_) if params.iter().any(|other| other.name == length) => format!("{length} - 1"),
            _ => return None,
        };
        Some((param.name.clone(), valid(program, &param.name, to, &last)))
    };
    params.iter().filter_map(array).collect()
}

/// The length between the brackets after a name: a number or another name.
fn declared_length(head: &str, name: &str) -> Option<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut at = 0;
    while let Some(found) = head[at..].find(name) {
        let (before, after) = (&head[..at + found], &head[at + found + name.len()..]);
        at += found + name.len();
        let Some(inside) = after.trim_start().strip_prefix('[') else { continue };
        if before.ends_with(is_word) {
            continue;
        }
        let words = inside.split_once(']')?.0.split_whitespace();
        let mut words = words.filter(|word| !["static", "const", "restrict", "volatile"].contains(word));
        let length = words.next()?;
        return (length.chars().all(is_word) && words.next().is_none()).then(|| length.to_owned());
    }
    None
}

/// Pointers that are followed by their number of elements, each with its clause.
fn pairs(program: &Program, id: FunctionId, params: &[&Param]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (position, count) in params.iter().enumerate().filter(|(_, param)| is_count(program, param)) {
        let before = params[..position].iter().enumerate().rev();
        let mut last_type = None;
        for (index, param) in before {
            let Some(to) = pointee(program, param) else { break };
            let is_other_type = last_type.is_some_and(|last| program.ctypes.get(last) != program.ctypes.get(to));
            if is_other_type || is_contradicted(program, id, index, position) {
                break;
            }
            last_type = Some(to);
            let last = format!("{} - 1", count.name);
            found.push((param.name.clone(), valid(program, &param.name, to, &last)));
        }
    }
    found
}

/// Whether a parameter is an integer whose name says that it counts.
fn is_count(program: &Program, param: &Param) -> bool {
    let name = param.name.to_ascii_lowercase();
    let named = |word: &&str| {
        let rest = name.strip_suffix(*word);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('_') || word.len() > 2)
    };
    matches!(program.ctypes.get(param.ty), CType::Int { width: 16.., .. }) && COUNTS.iter().any(named)
}

/// Whether some call passes an array together with a number greater than that of its elements.
fn is_contradicted(program: &Program, id: FunctionId, array: usize, count: usize) -> bool {
    let blocks = program.functions.values().flat_map(|caller| caller.blocks.values().map(move |block| (caller, block)));
    let mut calls = blocks.flat_map(|(caller, block)| block.insts.iter().map(move |inst| (caller, inst)));
    calls.any(|(caller, inst)| {
        let InstKind::Call { callee: Callee::Direct(callee), args, .. } = &inst.kind else { return false };
        let shift = args.len().saturating_sub(program.functions[id].params.len())
            + usize::from(program.functions[id].params.first().is_some_and(|it| it.kind == ParamKind::ReturnSlot));
        let (array, count) = (args.get(array + shift), args.get(count + shift));
        let (Some(array), Some(Operand::Const(count)), true) = (array, count, *callee == id) else { return false };
        elements(program, caller, *array).is_some_and(|elements| count.bits > u128::from(elements))
    })
}

/// The number of elements of the array that an operand is the address of.
fn elements(program: &Program, caller: &Function, operand: Operand) -> Option<u64> {
    let ty = match operand {
        Operand::Local(local) => caller.locals[local].ty,
        Operand::Global(global, 0) => program.globals[global].ty,
        _ => return None,
    };
    match program.ctypes.get(ty) {
        CType::Array { len, .. } => *len,
        _ => None,
    }
}

/// `restrict` parameters do not overlap.
fn separated(program: &Program, function: &Function) -> Option<String> {
    let is_restrict = |local: &&Local| {
        let to = match *program.ctypes.get(local.ty) {
            CType::Pointer(to) => program.ctypes.get(to),
            _ => return false,
        };
        let is_param = matches!(local.kind, LocalKind::Param(_)) && !matches!(to, CType::Void);
        is_param && matches!(program.ctypes.types[local.ty], CType::Qualified { is_restrict: true, .. })
    };
    let names: Vec<&str> = function.locals.values().filter(is_restrict).map(|local| local.name.as_str()).collect();
    (names.len() > 1).then(|| format!("\\separated({})", names.join(", ")))
}

/// What a function asserts before it does anything else.
fn asserted(program: &Program, function: &Function) -> Vec<String> {
    let mut all = Vec::new();
    let mut at = ENTRY;
    for _ in 0..policy::MAX_INFERRED_BLOCKS.size() {
        let block = &function.blocks[at];
        if block.insts.iter().any(has_effect) {
            break;
        }
        match block.terminator.kind {
            TerminatorKind::Jump(next) => at = next,
            TerminatorKind::Branch { then, otherwise, .. } => {
                let failing = |id: BlockId| assertion(program, &function.blocks[id]);
                let Some((text, next)) =
                    failing(otherwise).map(|text| (text, then)).or_else(|| Some((failing(then)?, otherwise)))
                else {
                    break;
                };
                if !all.contains(&text) {
                    all.push(text);
                }
                at = next;
            }
            _ => break,
        }
    }
    all
}

/// Whether an instruction does more than look: parameters are put in their places.
fn has_effect(inst: &Inst) -> bool {
    match inst.kind {
        InstKind::Store { to, .. } => !matches!(to, Operand::Local(_)),
        InstKind::Copy { to, .. } => !matches!(to, Operand::Local(_)),
        InstKind::Call { .. } | InstKind::Unsupported { .. } | InstKind::Fill { .. } => true,
        _ => false,
    }
}

/// The text of the assertion that fails in a block.
fn assertion(program: &Program, block: &Block) -> Option<String> {
    let is_assertion =
        |id: FunctionId| clew_library::lookup(&program.functions[id].name).is_some_and(|row| row.header == "assert.h");
    let text = block.insts.iter().find_map(|inst| match &inst.kind {
        InstKind::Call { callee: Callee::Direct(callee), args, .. } if is_assertion(*callee) => match args.first() {
            Some(Operand::Global(text, 0)) => program.globals[*text].init.as_ref(),
            _ => None,
        },
        _ => None,
    })?;
    let text = text.split(|byte| *byte == 0).next()?;
    Some(in_acsl(&String::from_utf8_lossy(text)))
}

/// Compares what stands alone: `assert(p)` says that `p` is not null.
fn compared(program: &Program, params: &[&Param], text: String) -> String {
    match params.iter().find(|param| param.name == text) {
        Some(param) if pointee(program, param).is_some() => format!("{text} != \\null"),
        Some(_) => format!("{text} != 0"),
        None => text,
    }
}

/// C as ACSL spells it: `NULL` has its name.
fn in_acsl(text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::new();
    for piece in text.split_inclusive(|c| !is_word(c)) {
        let word = piece.trim_end_matches(|c| !is_word(c));
        let spelled = if word == "NULL" { "\\null" } else { word };
        out.push_str(spelled);
        out.push_str(&piece[word.len()..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{declared_length, in_acsl};

    #[test]
    fn lengths_stand_in_brackets() {
        let head = "int f(const int a[static 10], char ab[n], int n, int *c, char d[2 * n])";
        assert_eq!(declared_length(head, "a").as_deref(), Some("10"));
        assert_eq!(declared_length(head, "ab").as_deref(), Some("n"));
        assert_eq!(declared_length(head, "c"), None);
        assert_eq!(declared_length(head, "d"), None);
    }

    #[test]
    fn null_has_its_name() {
        assert_eq!(in_acsl("p != NULL && NULLABLE > 3"), "p != \\null && NULLABLE > 3");
    }
}
