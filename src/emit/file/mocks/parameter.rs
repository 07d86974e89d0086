//! What the parameters of a function without a body are called: as in its declaration, where they have names there.
//!
//! The names are read from the text of the declaration, because only definitions keep theirs. Declarators with
//! parentheses of their own are not looked into. Any name will do that is no keyword and means nothing else.

use crate::emit::names::Names;
use clew_ir::{CType, FunctionId, Program};

/// A name for each parameter.
pub(super) fn names(program: &Program, id: FunctionId) -> Vec<String> {
    let function = &program.functions[id];
    let CType::Function { params, .. } = program.ctypes.get(function.ty) else {
        unreachable!("the type of a function is a function type")
    };
    let text = program.sources.units.get(function.span.unit).filter(|_| !function.span.is_none());
    // A definition begins with the name, and a declaration is no more than that.
    let after = if function.is_left_out() {
        function.span.start as usize + function.name.len()
    } else {
        function.span.end as usize
    };
    let text = text.and_then(|unit| unit.text.get(after..)).unwrap_or_default();
    let declared = declared(text);
    let mut names = Names::of(program);
    let mut name = |index: usize| {
        let wish = declared.get(index).copied().flatten().filter(|_| declared.len() == params.len());
        wish.filter(|wish| names.take(wish) == *wish).map_or_else(|| format!("given_{index}"), str::to_owned)
    };
    (0..params.len()).map(&mut name).collect()
}

/// The names in a list of parameters, which the text begins with, without underscores in front.
fn declared(text: &str) -> Vec<Option<&str>> {
    let Some(text) = text.trim_start().strip_prefix('(') else { return Vec::new() };
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ',' if depth == 0 => {
                found.push(declarator(&text[start..at]));
                start = at + 1;
            }
            ')' if depth == 0 => {
                found.push(declarator(&text[start..at]));
                break;
            }
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    found
}

/// The name that a declaration ends with, if it is simple.
fn declarator(text: &str) -> Option<&str> {
    let text = text.split('[').next().unwrap_or_default().trim();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let start = text.rfind(|c| !is_part(c))? + 1;
    let name = text[start..].trim_start_matches('_');
    let is_simple = !text.contains(['(', '/', '"', '{']) && name.starts_with(|c: char| c.is_ascii_alphabetic());
    is_simple.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::declared;

    #[test]
    fn names_of_declarations() {
        let text = " (int __fd, const char *restrict text, char to[4], void (*f)(int, int), unsigned) __asm(\"x\");";
        assert_eq!(declared(text), [Some("fd"), Some("text"), Some("to"), None, None]);
        assert_eq!(declared("(void);"), [None]);
        assert_eq!(declared(" = 3;"), []);
    }
}
