//! Contracts: ACSL annotations of the source, read and attached to the program.
//!
//! Annotations stand in comments (`/*@ ... */`, `//@ ...`) that survive preprocessing. They are found in the text,
//! split into words with macros expanded, read into trees without types, and, once the C around them is lowered,
//! resolved against the program: [`attach`] does all of it and fills [`Function::contract`](clew_ir::Function). This
//! needs nothing of the C parser, only the program.
//!
//! Nothing wrong with a contract makes the C wrong: what cannot be read, resolved or supported is a warning at its line
//! and an entry in [`Contract::rejected`](clew_ir::Contract), and whoever relies on that clause must look there.
//!
//! Not supported, and said so: axiomatic blocks and lemmas, inductive and recursive definitions, ghost code, model
//! fields, statement contracts, `terminates`, `decreases`, `allocates`, sets in braces.

use crate::diagnostic::{Diagnostic, Place};
use crate::{Loaded, preprocess};
use clew_ir::contract::Clause;
use clew_ir::{FunctionId, Program, Span, Unit, UnitId};
use std::collections::BTreeMap;

mod attach;
mod comment;
mod ctext;
pub mod domain;
mod enumerators;
mod lex;
mod parse;
mod resolve;
mod scope;
mod snapshot;
mod syntax;
mod types;

#[cfg(test)]
mod testing;

/// Reads the contracts of all units and attaches them to the functions of the program. `macros` are the object-like
/// macros of each unit, in the order of the units.
pub fn attach(program: &mut Program, macros: &[BTreeMap<String, String>]) -> Vec<Diagnostic> {
    attach::attach(program, macros)
}

/// The comments of a unit that hold assertions, in order: where control passes one, its predicate must hold.
///
/// After [`attach`] they are [`Assertion::span`](clew_ir::contract::Assertion::span).
pub fn assertion_comments(id: UnitId, unit: &Unit) -> Vec<Span> {
    let is_assertion = |comment: &&comment::Comment| {
        let inner = &unit.text[comment.inner.start as usize..comment.inner.end as usize];
        let inner = inner.trim_start_matches(|it: char| it.is_whitespace() || it == '@');
        let word = inner.split(|it: char| !it.is_alphanumeric()).next();
        matches!(word, Some("assert" | "check" | "admit" | "for"))
    };
    let comments = comment::annotations(&unit.text);
    let span = |comment: &comment::Comment| Span { unit: id, start: comment.at.start, end: comment.at.end };
    comments.iter().filter(is_assertion).map(span).collect()
}

/// A relational clause: what it says is about several calls, and belongs to no single function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationalClause {
    /// Where it stands.
    pub span: Span,
    /// What it says, without `relational` and the last `;`.
    pub text: String,
}

/// The relational clauses of all annotations, in order.
pub fn relational_clauses(program: &Program) -> Vec<RelationalClause> {
    let mut found = Vec::new();
    for (id, unit) in program.sources.units.iter() {
        for comment in comment::annotations(&unit.text) {
            relational(id, unit, comment.inner.start as usize, comment.inner.end as usize, &mut found);
        }
    }
    found
}

fn relational(id: UnitId, unit: &Unit, mut at: usize, end: usize, found: &mut Vec<RelationalClause>) {
    const WORD: &str = "relational";
    while let Some(next) = unit.text[at..end].find(WORD) {
        let start = at + next;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        at = start + WORD.len();
        if unit.text[..start].ends_with(is_word) || unit.text[at..end].starts_with(is_word) {
            continue;
        }
        let body = at;
        let close = |from: usize| unit.text[from..end].find(';').map_or(end, |found| from + found);
        while unit.text[at..end].trim_start().starts_with("\\forall") && close(at) < end {
            at = close(at) + 1;
        }
        at = close(at);
        let text = unit.text[body..at].replace('@', " ");
        found.push(RelationalClause { span: Span { unit: id, start: start as u32, end: at as u32 }, text });
    }
}

/// Whether the contracts of a unit may read values at labels of the program.
pub(crate) fn mentions_labels(unit: &Unit) -> bool {
    let inner = |comment: &comment::Comment| &unit.text[comment.inner.start as usize..comment.inner.end as usize];
    comment::annotations(&unit.text).iter().any(|comment| inner(comment).contains("\\at"))
}

/// A precondition given as text, such as the value of an option.
pub fn precondition(loaded: &mut Loaded, function: FunctionId, text: &str) -> Result<Clause, Box<Diagnostic>> {
    clause_at(loaded, scope::Site::Contract { function, names: Vec::new() }, "--requires", text)
}

/// A postcondition given as text.
pub fn postcondition(loaded: &mut Loaded, function: FunctionId, text: &str) -> Result<Clause, Box<Diagnostic>> {
    clause_at(loaded, scope::Site::Contract { function, names: Vec::new() }, "--ensures", text)
}

/// A predicate given as text that is to be read where a span begins in a function's body.
pub fn condition_at(
    loaded: &mut Loaded,
    function: FunctionId,
    place: Span,
    text: &str,
) -> Result<Clause, Box<Diagnostic>> {
    let site = scope::Site::Statement { function, unit: place.unit, offset: place.start, of: None };
    clause_at(loaded, site, "--goal", text)
}

fn clause_at(loaded: &mut Loaded, site: scope::Site, origin: &str, text: &str) -> Result<Clause, Box<Diagnostic>> {
    let predicate = in_scope(loaded, |program, definitions, macros| {
        let types = types::names(&program.ctypes);
        let expr = parse::expression(&lex::tokens(text, 0, macros)?, &types)?;
        resolve::Resolver::new(program, definitions, site.clone()).predicate(&expr)
    });
    let predicate = predicate.map_err(|problem| in_text(origin, text, problem))?;
    Ok(Clause { name: None, predicate, span: Span::NONE })
}

/// Reads a text that knows what the contracts of the program know. Macros, definitions and constants cost a run of the
/// compiler, so a text that needs none of them is read without.
fn in_scope<T>(
    loaded: &mut Loaded,
    mut read: impl FnMut(&mut Program, &resolve::Definitions, &BTreeMap<String, String>) -> Result<T, syntax::Problem>,
) -> Result<T, syntax::Problem> {
    if let Ok(found) = read(&mut loaded.program, &resolve::Definitions::default(), &BTreeMap::new()) {
        return Ok(found);
    }
    let macros: Vec<_> =
        loaded.builds.iter().map(|build| build.as_ref().map_or_else(BTreeMap::new, preprocess::macros)).collect();
    let definitions = attach::vocabulary(&loaded.program, &macros);
    let all = macros.into_iter().flatten().collect();
    read(&mut loaded.program, &definitions, &all)
}

/// A problem with the text of an option.
fn in_text(origin: &str, text: &str, problem: syntax::Problem) -> Box<Diagnostic> {
    let place = Place::Text {
        origin: origin.to_owned(),
        text: text.to_owned(),
        range: problem.at.start as usize..problem.at.end as usize,
    };
    Box::new(Diagnostic { help: problem.help, ..Diagnostic::error(place, problem.message) })
}

#[cfg(test)]
mod tests {
    use super::{attach, precondition, testing};
    use crate::Loaded;
    use std::collections::BTreeMap;

    const WORDS: &[&str] = &[
        "requires",
        "ensures",
        "assigns",
        "behavior b:",
        "assumes",
        "loop",
        "invariant",
        "assert",
        "predicate p",
        "=",
        "logic integer q",
        "(",
        ")",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ";",
        ":",
        ",",
        "..",
        "?",
        "\\forall integer i;",
        "\\exists",
        "\\let x =",
        "\\old",
        "\\at",
        "\\valid",
        "\\result",
        "\\sum",
        "\\lambda integer j;",
        "\\nothing",
        "\\from",
        "n",
        "g",
        "table",
        "a",
        "p",
        "x",
        "i",
        "*",
        "&",
        "+",
        "-",
        "==",
        "<=",
        "==>",
        "&&",
        "||",
        "!",
        "->next",
        ".x",
        "(int)",
        "sizeof",
        "0",
        "1.5",
        "'c'",
        "Pre",
        "for b:",
        "complete behaviors",
        "axiomatic A {",
        "\"",
        "#",
        "ghost",
    ];

    /// Any sequence of words gives clauses and warnings, never a panic.
    #[test]
    fn nonsense_is_survived() {
        let mut state = 1_u64;
        let mut random = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % bound
        };
        for _ in 0..3000 {
            let count = 1 + random(24);
            let text: Vec<&str> = (0..count).map(|_| WORDS[random(WORDS.len())]).collect();
            let text = text.join(" ");
            let mark = ["CONTRACT", "BEFORE", "BODY", "AFTER"][random(4)];
            let (mut program, function) = testing::with_text(mark, &format!("/*@ {text} */"));
            attach(&mut program, &[BTreeMap::new()]);
            let mut loaded = Loaded { program, builds: Vec::new(), diagnostics: Vec::new() };
            let _ = precondition(&mut loaded, function, &text);
            let _ = super::domain::parse(&text);
        }
    }
}
