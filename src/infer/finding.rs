//! The precondition that would exclude a finding.
//!
//! It is read off the failing expression: an overflow asks for the value to be representable, a division for a divisor
//! other than zero, an access behind null for a valid pointer. Only expressions over parameters that the function never
//! assigns are turned into clauses, because a precondition speaks of values on entry.

use clew_explore::ending::Failure;
use clew_ir::{CType, CheckKind, Function, FunctionId, InstKind, LocalKind, Operand, ParamKind, Program, Type};

/// The clause that would exclude a failure of the function under test, as ACSL.
pub fn excluding(program: &Program, id: FunctionId, failure: &Failure) -> Option<String> {
    if failure.function != id {
        return None;
    }
    let function = &program.functions[id];
    let text = program.sources.text(failure.span);
    match function.checks[failure.check].kind {
        CheckKind::Overflow => overflow(program, function, failure, text),
        CheckKind::Division => {
            let (_, divisor) = text.rsplit_once(['/', '%'])?;
            let divisor = divisor.trim();
            let is_simple = divisor.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            (is_simple && only_parameters(program, function, divisor)).then(|| format!("{divisor} != 0"))
        }
        CheckKind::Access if failure.what == "null pointer" => {
            let pointer = null_pointer(text)?;
            only_parameters(program, function, pointer).then(|| format!("\\valid({pointer})"))
        }
        _ => None,
    }
}

/// The value of the expression is representable.
fn overflow(program: &Program, function: &Function, failure: &Failure, text: &str) -> Option<String> {
    let insts = function.blocks.values().flat_map(|block| &block.insts);
    let width = insts.filter(|inst| inst.kind.check() == Some(failure.check)).find_map(|inst| match inst.kind {
        InstKind::Binary { dest, .. } | InstKind::Unary { dest, .. } => match function.temps[dest].ty {
            Type::Int(width) => Some(u32::from(width)),
            _ => None,
        },
        _ => None,
    })?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_ +-*()".contains(c);
    let changes = text.contains("++") || text.contains("--");
    if width > 64 || changes || !text.chars().all(is_plain) || !only_parameters(program, function, text) {
        return None;
    }
    let most = (1i128 << (width - 1)) - 1;
    Some(format!("{} <= {text} <= {most}", -most - 1))
}

/// The pointer that an access goes through: `p` of `*p`, `p->x` and `p[i]`.
fn null_pointer(text: &str) -> Option<&str> {
    let text = text.trim();
    let name = text.strip_prefix('*').unwrap_or(text).trim();
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
    let (name, rest) = name.split_at(end);
    let fits = rest.is_empty() || rest.starts_with("->") || rest.starts_with('[');
    (fits && !name.is_empty()).then_some(name)
}

/// Whether an expression names parameters alone, and only such that the function never assigns.
fn only_parameters(program: &Program, function: &Function, text: &str) -> bool {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut names = words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')).peekable();
    names.peek().is_some() && names.all(|name| is_kept(program, function, name))
}

/// Whether a name is that of a parameter that keeps its value.
fn is_kept(program: &Program, function: &Function, name: &str) -> bool {
    let is_scalar = |ty| matches!(program.ctypes.get(ty), CType::Int { .. } | CType::Enum { .. } | CType::Pointer(_));
    let is_param =
        |param: &clew_ir::Param| param.name == name && param.kind == ParamKind::Scalar && is_scalar(param.ty);
    let mut locals = function.locals.iter().filter(|(_, local)| local.name == name);
    let (Some((local, data)), None) = (locals.next(), locals.next()) else { return false };
    let insts = function.blocks.values().flat_map(|block| &block.insts);
    let uses = insts.flat_map(|inst| {
        let stored = matches!(inst.kind, InstKind::Store { to, .. } if to == Operand::Local(local));
        let loaded = matches!(inst.kind, InstKind::Load { from, .. } if from == Operand::Local(local));
        let named = inst.kind.operands().contains(&Operand::Local(local));
        (stored || named && !loaded).then_some(())
    });
    // The one store puts the argument in its place.
    matches!(data.kind, LocalKind::Param(_)) && function.params.iter().any(is_param) && uses.count() <= 1
}

#[cfg(test)]
mod tests {
    use super::null_pointer;

    #[test]
    fn the_pointer_of_an_access() {
        assert_eq!(null_pointer("p->next"), Some("p"));
        assert_eq!(null_pointer("*p"), Some("p"));
        assert_eq!(null_pointer("p[3]"), Some("p"));
        assert_eq!(null_pointer("(p + 1)->x"), None);
        assert_eq!(null_pointer("p.x"), None);
    }
}
