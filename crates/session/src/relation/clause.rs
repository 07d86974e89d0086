//! Relational clauses of ACSL, in the form of Frama-C's RPP (Blatter et al. 2017), as relations in C.
//!
//! `relational \forall int x, y; \callpure(f, x, y) == \callpure(f, y, x);` becomes a function of `x` and `y` that calls
//! `f` twice and compares. `\callset(\call(f, x, a), \call(f, y, b)) ==> P` makes its calls in order, and `\callresult(a)`
//! in P is what the first gave. Calls that the precondition of a function does not allow make the clause hold, where that
//! precondition can be written in C and the arguments are no calls themselves.
//!
//! Not here: chains of comparisons, quantifiers inside, labels, `\old`. They are refused.

use crate::relation::subject::Subject;
use crate::select::refusal;
use clew_frontend::contract::RelationalClause;
use clew_frontend::diagnostic::Place;
use clew_frontend::{Diagnostic, Loaded};
use std::collections::BTreeSet;

/// A clause as a function of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translated {
    /// The name of that function.
    pub name: String,
    /// The clause.
    pub clause: RelationalClause,
    /// The functions that it calls, in order.
    pub calls: Vec<String>,
    /// The text of that function, and of what it needs.
    pub text: String,
}

/// What is said of a call: the function, its arguments in C, and the name of its result.
struct Call {
    function: String,
    arguments: String,
    is_nested: bool,
}

/// A clause being translated.
struct Reader<'c> {
    clause: &'c RelationalClause,
    calls: Vec<Call>,
    /// Calls made before the formula: the name of the result, and the call.
    made: Vec<(String, usize)>,
}

type Read<T> = Result<T, Box<Diagnostic>>;

/// Translates a clause; `number` tells its functions from those of others.
///
/// # Errors
/// When the clause cannot be read, or calls what is not there.
pub fn translate(loaded: &mut Loaded, clause: &RelationalClause, number: usize) -> Read<Translated> {
    let mut reader = Reader { clause, calls: Vec::new(), made: Vec::new() };
    let mut rest = clause.text.trim();
    let mut params = Vec::new();
    while let Some(bound) = rest.strip_prefix("\\forall") {
        let Some((binders, after)) = bound.split_once(';') else { return Err(reader.wrong("`;` is missing")) };
        params.extend(reader.binders(binders)?);
        rest = after.trim();
    }
    let formula = reader.formula(rest)?;
    if reader.calls.is_empty() {
        return Err(reader.wrong("it calls nothing: `\\callpure(f, x)` is the result of a call"));
    }
    let first = reader.calls[0].function.clone();
    let name = format!("{first}_relational_{number}");
    let (guards, guarded) = reader.guards(loaded, number)?;
    let mut body = String::new();
    for guard in &guarded {
        body += &format!("    if (!{guard})\n        return 1;\n");
    }
    for (result, call) in &reader.made {
        let Call { function, arguments, .. } = &reader.calls[*call];
        body += &format!("    __auto_type {result} = {function}({arguments});\n");
    }
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let text = format!("{guards}\nint {name}({params})\n{{\n{body}    return {formula};\n}}\n");
    let calls = reader.calls.into_iter().map(|call| call.function).collect();
    Ok(Translated { name, clause: clause.clone(), calls, text })
}

impl Reader<'_> {
    fn wrong(&self, what: &str) -> Box<Diagnostic> {
        let mut refused = refusal(format!("this relational clause is not understood: {what}"));
        refused.place = Place::Span(self.clause.span);
        refused
    }

    /// What `\forall` binds, as parameters: `int x, y` or `int x, int *p`.
    fn binders(&self, text: &str) -> Read<Vec<String>> {
        let mut ty = String::new();
        let mut params = Vec::new();
        for piece in text.split(',').map(str::trim) {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let start = piece.rfind(|c: char| !is_word(c)).map_or(0, |at| at + 1);
            let (before, name) = (piece[..start].trim(), &piece[start..]);
            if !before.is_empty() && before != "*" {
                ty = if before == "integer" { "long long".to_owned() } else { before.to_owned() };
            }
            if ty.is_empty() || name.is_empty() {
                return Err(self.wrong("`\\forall` wants types and names, such as `int x, int y;`"));
            }
            let star = if before == "*" { "*" } else { "" };
            params.push(format!("{ty} {star}{name}"));
        }
        Ok(params)
    }

    /// A formula, in C; `==>` and `<==>` are the weakest.
    fn formula(&mut self, text: &str) -> Read<String> {
        let text = text.trim();
        if let Some((left, right)) = split(text, "<==>") {
            return Ok(format!("(!({}) == !({}))", self.formula(left)?, self.formula(right)?));
        }
        if let Some((left, right)) = split(text, "==>") {
            if let Some(set) = parenthesised(left.trim(), "\\callset") {
                for call in pieces(set) {
                    self.make(call.trim())?;
                }
                return self.formula(right);
            }
            return Ok(format!("(!({}) || ({}))", self.formula(left)?, self.formula(right)?));
        }
        for (operator, c) in [("||", " || "), ("&&", " && ")] {
            if let Some((left, right)) = split(text, operator) {
                return Ok(format!("({}{c}{})", self.formula(left)?, self.formula(right)?));
            }
        }
        if let Some(inner) = parenthesised(text, "") {
            return Ok(format!("({})", self.formula(inner)?));
        }
        if let Some(rest) = text.strip_prefix('!').filter(|rest| !rest.starts_with('=')) {
            return Ok(format!("!{}", self.formula(rest)?));
        }
        let relations = ["==", "!=", "<=", ">=", "<", ">"];
        let without = relations.iter().filter(|relation| split(text, relation).is_some());
        if without.count() > 2 || is_chain(text) {
            return Err(self.wrong("chains of comparisons are to be written with `&&`"));
        }
        self.term(text)
    }

    /// A term, in C.
    fn term(&mut self, text: &str) -> Read<String> {
        let (mut out, mut rest) = (String::new(), text);
        while let Some(at) = rest.find('\\') {
            out += &rest[..at];
            let after = &rest[at + 1..];
            let end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
            let Some(close) = closing(&after[end..]) else { return Err(self.wrong("`(...)` is missing")) };
            let inner = &after[end..][1..close];
            out += &match &after[..end] {
                "callpure" | "callresult" if inner.trim().is_empty() => return Err(self.wrong("`()` is empty")),
                "callpure" => self.call(inner)?,
                "callresult" => self.result(inner.trim())?,
                other => return Err(self.wrong(&format!("`\\{other}`"))),
            };
            rest = &after[end..][close + 1..];
        }
        Ok(out + rest)
    }

    /// `f, x, y` as a call.
    fn call(&mut self, inner: &str) -> Read<String> {
        let mut parts = pieces(inner).into_iter().map(str::trim);
        let function = parts.next().unwrap_or_default().to_owned();
        let before = self.calls.len();
        let arguments = parts.map(|part| self.term(part)).collect::<Read<Vec<_>>>()?.join(", ");
        let is_nested = self.calls.len() > before || arguments.contains("clew_");
        let text = format!("{function}({arguments})");
        self.calls.push(Call { function, arguments, is_nested });
        Ok(text)
    }

    /// `\call(f, x, id)` before the formula.
    fn make(&mut self, text: &str) -> Read<()> {
        let Some(inner) = parenthesised(text, "\\call") else {
            return Err(self.wrong("`\\callset` holds `\\call(f, x, name)`"));
        };
        let Some((call, name)) = inner.rsplit_once(',') else { return Err(self.wrong("a call has a name")) };
        self.call(call)?;
        self.made.push((format!("clew_{}", name.trim()), self.calls.len() - 1));
        Ok(())
    }

    fn result(&self, name: &str) -> Read<String> {
        let name = format!("clew_{name}");
        let is_made = self.made.iter().any(|(made, _)| *made == name);
        if is_made { Ok(name) } else { Err(self.wrong(&format!("no call is named `{}`", &name[5..]))) }
    }

    /// Functions that say whether calls are allowed, and the calls of them.
    fn guards(&self, loaded: &mut Loaded, number: usize) -> Read<(String, Vec<String>)> {
        let (mut text, mut guarded) = (String::new(), Vec::new());
        let mut known = BTreeSet::new();
        for call in &self.calls {
            let id = loaded.program.function(&call.function);
            let Some(id) = id.filter(|id| loaded.program.functions[*id].is_defined()) else {
                return Err(self.wrong(&format!("there is no function `{}` with a body", call.function)));
            };
            let clauses = loaded.program.functions[id].contract.requires.clone();
            if clauses.is_empty() || call.is_nested {
                continue;
            }
            let subject = Subject::new(loaded, id, clauses, &[])?;
            let Some(guard) = subject.guard(&loaded.program)? else { continue };
            let name = format!("{}_allows_{number}", call.function);
            if known.insert(name.clone()) {
                let slots = subject.slots.iter();
                let params: Vec<String> =
                    slots.map(|slot| crate::relation::harness::parameter(&loaded.program, slot)).collect();
                text += &format!("\nstatic int {name}({})\n{{\n    return {guard};\n}}\n", params.join(", "));
            }
            guarded.push(format!("{name}({})", call.arguments));
        }
        guarded.dedup();
        Ok((text, guarded))
    }
}

/// What stands in the parentheses that follow a word, if nothing else does.
fn parenthesised<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let rest = text.strip_prefix(word)?.trim_start();
    let close = closing(rest)?;
    (close + 1 == rest.len()).then(|| &rest[1..close])
}

/// Where the parenthesis that a text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (c == ')').then_some(at);
        }
    }
    None
}

/// The places outside of parentheses.
fn outside(text: &str) -> Vec<usize> {
    let mut depth = 0;
    let mut found = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ if depth == 0 => found.push(at),
            _ => {}
        }
    }
    found
}

/// What stands before and after an operator outside of parentheses, the first of that name.
fn split<'t>(text: &'t str, operator: &str) -> Option<(&'t str, &'t str)> {
    let is_longer = |at: usize| {
        let (before, after) = (text[..at].chars().next_back(), text[at + operator.len()..].chars().next());
        match operator {
            "==>" => before == Some('<'),
            "==" => matches!(before, Some('<' | '>' | '!' | '=')) || matches!(after, Some('>' | '=')),
            "<" | ">" => matches!(before, Some('<' | '>' | '-' | '=')) || matches!(after, Some('<' | '>' | '=')),
            _ => false,
        }
    };
    let at = outside(text).into_iter().find(|at| text[*at..].starts_with(operator) && !is_longer(*at))?;
    Some((&text[..at], &text[at + operator.len()..]))
}

/// Whether an atom compares more than once.
fn is_chain(text: &str) -> bool {
    let ordered = ["<=", ">=", "<", ">"];
    ordered
        .iter()
        .any(|first| split(text, first).is_some_and(|(_, right)| ordered.iter().any(|it| split(right, it).is_some())))
}

/// The pieces between commas outside of parentheses.
fn pieces(text: &str) -> Vec<&str> {
    let mut start = 0;
    let mut found = Vec::new();
    for at in outside(text).into_iter().filter(|at| text[*at..].starts_with(',')) {
        found.push(&text[start..at]);
        start = at + 1;
    }
    found.push(&text[start..]);
    found
}

#[cfg(test)]
mod tests {
    use super::{is_chain, pieces, split};

    #[test]
    fn operators_are_found_outside_of_parentheses() {
        assert_eq!(split("a ==> b ==> c", "==>"), Some(("a ", " b ==> c")));
        assert_eq!(split("(a ==> b) && c", "==>"), None);
        assert_eq!(split("a <==> b", "==>"), None);
        assert_eq!(split("a <= b", "<"), None);
        assert!(is_chain("0 <= x < n") && !is_chain("x << 2 < n"));
        assert_eq!(pieces("f, g(a, b), c"), ["f", " g(a, b)", " c"]);
    }
}
