//! The precondition that would exclude a finding.
//!
//! It is read off the failing expression: an overflow asks for the value to be representable, a division for a divisor
//! other than zero, an access behind null for a valid pointer. Only expressions over parameters that the function never
//! assigns are turned into clauses, because a precondition speaks of values on entry.

use clew_execute::Input;
use clew_ir::{CType, CheckKind, Function, FunctionId, InstKind, LocalKind, Operand, ParamKind, Program, Type};
use clew_symbolic::ending::Failure;

/// The clause that would exclude a failure of the function under test on an input, as ACSL.
pub fn excluding(program: &Program, id: FunctionId, failure: &Failure, input: &Input) -> Option<String> {
    if failure.function != id {
        return None;
    }
    let function = &program.functions[id];
    let text = program.sources.text(failure.span);
    match function.checks[failure.check].kind {
        CheckKind::Overflow => overflow(program, function, failure, text),
        CheckKind::Division => division(program, function, input, text),
        CheckKind::Access if failure.what == "null pointer" => {
            let pointer = null_pointer(text)?;
            only_parameters(program, function, pointer).then(|| format!("\\valid({pointer})"))
        }
        _ => None,
    }
}

/// The divisor is not zero; where it was not, the quotient is representable.
fn division(program: &Program, function: &Function, input: &Input, text: &str) -> Option<String> {
    let (dividend, divisor) = text.rsplit_once(['/', '%'])?;
    let simple = |text: &str| {
        let is_name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        (is_name && only_parameters(program, function, text)).then(|| text.to_owned())
    };
    let divisor = simple(divisor.trim())?;
    let given = |name: &str| {
        let mut params = function.params.iter().filter(|param| param.kind != ParamKind::ReturnSlot);
        input.arguments.get(params.position(|param| param.name == name)?)
    };
    if given(&divisor)?.bytes.iter().all(|byte| *byte == 0) {
        return Some(format!("{divisor} != 0"));
    }
    let dividend = simple(dividend.trim())?;
    let bytes = given(&dividend)?.bytes.len().max(given(&divisor)?.bytes.len()).max(size_of::<i32>());
    let least = -1i128 << (bytes * 8 - 1);
    Some(format!("{dividend} != {least} || {divisor} != -1"))
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
    Some(moved(text, most).unwrap_or_else(|| format!("{} <= {text} <= {most}", -most - 1)))
}

/// The bound of a name that a number is added to or taken from.
fn moved(text: &str, most: i128) -> Option<String> {
    let (name, sign, number) = ["+", "-"].iter().find_map(|sign| {
        let (name, number) = text.split_once(sign)?;
        Some((name.trim(), *sign, number.trim().parse::<i128>().ok()?))
    })?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    (is_name && starts && number <= most).then(|| match sign {
        "+" => format!("{name} <= {}", most - number),
        _ => format!("{name} >= {}", -most - 1 + number),
    })
}

/// The pointer that an access goes through: `p` of `*p`, `p->x` and `p[i]`.
pub(super) fn null_pointer(text: &str) -> Option<&str> {
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
pub(super) fn is_kept(program: &Program, function: &Function, name: &str) -> bool {
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
    use super::{moved, null_pointer};

    #[test]
    fn bounds_of_names_that_numbers_are_added_to() {
        assert_eq!(moved("n + 1", 127).as_deref(), Some("n <= 126"));
        assert_eq!(moved("n - 1", 127).as_deref(), Some("n >= -127"));
        assert_eq!(moved("n - m", 127), None);
        assert_eq!(moved("n * 2 + 1", 127), None);
        assert_eq!(moved("1 + n", 127), None);
    }

    #[test]
    fn the_pointer_of_an_access() {
        assert_eq!(null_pointer("p->next"), Some("p"));
        assert_eq!(null_pointer("*p"), Some("p"));
        assert_eq!(null_pointer("p[3]"), Some("p"));
        assert_eq!(null_pointer("(p + 1)->x"), None);
        assert_eq!(null_pointer("p.x"), None);
    }
}
