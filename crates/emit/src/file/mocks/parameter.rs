//! What the parameters of a function without a body are called, and of what length those are that are declared as arrays:
//! as in its declaration, where that says so.
//!
//! The names are read from the text of the declaration, because only definitions keep theirs. Declarators with
//! parentheses of their own are not looked into. Any name will do that is no keyword and means nothing else.

use crate::file::File;
use clew_ir::{FunctionId, Program};

/// What the body of a mock calls its own variables.
const TAKEN: [&str; 3] = ["zero", "call", "further"];

/// A name for each parameter.
pub(in crate::file) fn names(file: &File<'_>, id: FunctionId) -> Vec<String> {
    let program = file.suite.program;
    let (params, declared) = (super::parameters(program, id), declared(declaration(program, id)));
    let mut names = file.known.inner();
    let mut name = |index: usize| {
        let wish = declared.get(index).copied().filter(|_| declared.len() == params).and_then(declarator);
        let wish = wish.filter(|wish| !TAKEN.contains(wish));
        wish.filter(|wish| names.take(wish) == *wish).map_or_else(|| format!("given_{index}"), str::to_owned)
    };
    (0..params).map(&mut name).collect()
}

/// The first dimension of each parameter that is declared as an array, unless it mentions a parameter of another name here.
pub(super) fn dimensions<'a>(file: &File<'a>, id: FunctionId) -> Vec<Option<&'a str>> {
    let program = file.suite.program;
    let declared = declared(declaration(program, id));
    let names: Vec<&str> = declared.iter().copied().filter_map(declarator).collect();
    let kept = self::names(file, id);
    let is_known = |dimension: &str| {
        let mut words = dimension.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.all(|word| !names.contains(&word.trim_start_matches('_')) || kept.iter().any(|name| name == word))
    };
    let params = super::parameters(program, id);
    let dimension = |index: usize| {
        let text = declared.get(index).copied().filter(|_| declared.len() == params)?;
        let dimension = text.get(text.find('[')?..=text.find(']')?)?;
        let is_said = !dimension.trim_matches(['[', ']', ' ', '*']).is_empty();
        (declarator(text).is_some() && is_said && is_known(dimension)).then_some(dimension)
    };
    (0..params).map(dimension).collect()
}

/// The text of a declaration after the name.
fn declaration(program: &Program, id: FunctionId) -> &str {
    let function = &program.functions[id];
    let text = program.sources.units.get(function.span.unit).filter(|_| !function.span.is_none());
    // A definition begins with the name, and a declaration is no more than that.
    let after = if function.is_left_out() {
        function.span.start as usize + function.name.len()
    } else {
        function.span.end as usize
    };
    text.and_then(|unit| unit.text.get(after..)).unwrap_or_default()
}

/// The declarations in a list of parameters, which the text begins with.
fn declared(text: &str) -> Vec<&str> {
    let Some(text) = text.trim_start().strip_prefix('(') else { return Vec::new() };
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ',' if depth == 0 => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            ')' if depth == 0 => {
                found.push(&text[start..at]);
                break;
            }
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    found
}

/// The name that a declaration ends with, if it is simple, without underscores in front.
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
    use super::{declarator, declared};

    #[test]
    fn names_of_declarations() {
        let text = " (int __fd, const char *restrict text, char to[4], void (*f)(int, int), unsigned) __asm(\"x\");";
        let names = |text| declared(text).into_iter().map(declarator).collect::<Vec<_>>();
        assert_eq!(names(text), [Some("fd"), Some("text"), Some("to"), None, None]);
        assert_eq!(names("(void);"), [None]);
        assert_eq!(names(" = 3;"), []);
    }
}
