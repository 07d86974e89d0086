//! Domains of inputs given as text: `x=0..10`, `a[*]=-100..100`, `s->n={1, 2, 8..16}`.
//!
//! The left side is a place as C writes it, with `[*]` for every element; the right side one value or range, or several
//! in braces, whose bounds are terms of ACSL and may mention parameters; either bound of a range may be absent. The
//! result is the same data as that of a `requires` clause. For an array `[*]` means its declared elements, for a pointer
//! every element that there is: `\forall integer i; 0 <= i < \elements(a) ==> ...`.

use super::lex::{self, Token, TokenKind};
use super::parse;
use super::resolve::Resolver;
use super::scope::Site;
use super::syntax::{At, Binary, Declared, Expr, ExprKind, Problem, TypeBase, TypeName, Unary};
use super::types;
use crate::Loaded;
use crate::diagnostic::Diagnostic;
use clew_ir::contract::{Clause, CompareOp, Quantifier};
use clew_ir::{FunctionId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A domain, read but not yet tied to a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    text: String,
    place: Expr,
    values: Vec<Expr>,
}

/// Reads a domain.
pub fn parse(text: &str) -> Result<Domain, Box<Diagnostic>> {
    read(text).map_err(|problem| super::in_text("--domain", text, problem))
}

/// The domain as a precondition of a function.
pub fn resolve(loaded: &mut Loaded, function: FunctionId, domain: &Domain) -> Result<Clause, Box<Diagnostic>> {
    let site = Site::Contract { function, names: Vec::new() };
    let predicate = super::in_scope(loaded, |program, definitions, macros| {
        let domain = read_with(&domain.text, macros)?;
        let mut resolver = Resolver::new(program, definitions, site.clone());
        let expr = expand(&mut resolver, &domain)?;
        resolver.predicate(&expr)
    });
    let predicate = predicate.map_err(|problem| super::in_text("--domain", &domain.text, problem))?;
    Ok(Clause { name: None, predicate, span: Span::NONE })
}

fn read(text: &str) -> Result<Domain, Problem> {
    read_with(text, &BTreeMap::new())
}

fn read_with(text: &str, macros: &BTreeMap<String, String>) -> Result<Domain, Problem> {
    let tokens = lex::tokens(text, 0, macros)?;
    let types: BTreeSet<String> = types::names(&clew_ir::CTypes::default());
    let Some(equals) = tokens.iter().position(|token| token.kind == TokenKind::Punct("=")) else {
        let whole = 0..text.len() as u32;
        return Err(Problem::new(&whole, "expected `=`").with_help("write a domain as `x=0..10`"));
    };
    let place = parse::expression(&closed(&tokens[..equals]), &types)?;
    let values = alternatives(&tokens[equals + 1..tokens.len() - 1])
        .iter()
        .map(|part| parse::range(&closed(part), &types))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(empty) = values.iter().find(|value| is_empty(value)) {
        return Err(Problem::new(&empty.at, "there is nothing in this range").with_help("write the lower end first"));
    }
    Ok(Domain { text: text.to_owned(), place, values })
}

/// Whether a range of numbers ends before it begins.
fn is_empty(value: &Expr) -> bool {
    let number = |expr: &Expr| match &*expr.kind {
        ExprKind::Integer(number) => Some(*number),
        ExprKind::Unary(Unary::Neg, inner) => match &*inner.kind {
            ExprKind::Integer(number) => number.checked_neg(),
            _ => None,
        },
        _ => None,
    };
    let ExprKind::Range(Some(low), Some(high)) = &*value.kind else { return false };
    number(low).zip(number(high)).is_some_and(|(low, high)| low > high)
}

/// The words with an end behind them.
fn closed(words: &[Token]) -> Vec<Token> {
    let end = words.last().map_or(0, |word| word.at.end);
    words.iter().cloned().chain([Token { kind: TokenKind::End, at: end..end }]).collect()
}

/// The parts between braces, or the whole.
fn alternatives(words: &[Token]) -> Vec<&[Token]> {
    let is = |word: &Token, punct: &'static str| word.kind == TokenKind::Punct(punct);
    match words {
        [first, inner @ .., last] if is(first, "{") && is(last, "}") => inner.split(|word| is(word, ",")).collect(),
        _ => vec![words],
    }
}

/// The domain as a predicate: a disjunction over its values, under quantifiers for its `[*]`.
fn expand(resolver: &mut Resolver<'_>, domain: &Domain) -> Result<Expr, Problem> {
    let mut indices = Vec::new();
    let place = numbered(&domain.place, &domain.text, &mut indices);
    let at = domain.place.at.clone();
    let values = domain.values.iter().map(|value| within(&place, value));
    let body = values.reduce(|a, b| binary(&at, Binary::Or, a, b)).expect("splitting gives at least one part");
    if indices.is_empty() {
        return Ok(body);
    }
    let names: Vec<String> = indices.iter().map(|(name, _)| name.clone()).collect();
    let mut guards = Vec::new();
    for (name, base) in &indices {
        guards.push(guard(name, base, resolver.elements(base, &names)?));
    }
    let guard = guards.into_iter().reduce(|a, b| binary(&at, Binary::And, a, b)).expect("there is an index");
    let integer = TypeName { base: TypeBase::Integer, pointers: 0, at: at.clone() };
    let declared = names.into_iter().map(|name| Declared { name, ty: integer.clone() }).collect();
    let body = binary(&at, Binary::Implies, guard, body);
    Ok(Expr::new(at, ExprKind::Quantified(Quantifier::ForAll, declared, body)))
}

/// The place with a name for each `[*]`; the names and what they index are noted.
fn numbered(place: &Expr, text: &str, indices: &mut Vec<(String, Expr)>) -> Expr {
    let kind = match &*place.kind {
        ExprKind::EveryIndex(base) => {
            let base = numbered(base, text, indices);
            let name = fresh(text, indices.len());
            indices.push((name.clone(), base.clone()));
            ExprKind::Index(base, Expr::new(place.at.clone(), ExprKind::Name(name)))
        }
        ExprKind::Index(base, index) => ExprKind::Index(numbered(base, text, indices), index.clone()),
        ExprKind::Member(base, name) => ExprKind::Member(numbered(base, text, indices), name.clone()),
        ExprKind::Arrow(base, name) => ExprKind::Arrow(numbered(base, text, indices), name.clone()),
        ExprKind::Unary(op, base) => ExprKind::Unary(*op, numbered(base, text, indices)),
        other => other.clone(),
    };
    Expr::new(place.at.clone(), kind)
}

/// A name that does not occur in the text.
fn fresh(text: &str, index: usize) -> String {
    let base = ["i", "j", "k", "l"].get(index).map_or_else(|| format!("i{index}"), |name| (*name).to_owned());
    let words: Vec<&str> = text.split(|it: char| !it.is_alphanumeric() && it != '_').collect();
    let mut name = base;
    while words.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// `low <= place <= high`, or `place == value`.
fn within(place: &Expr, value: &Expr) -> Expr {
    let at = &value.at;
    let kind = match &*value.kind {
        ExprKind::Range(Some(low), Some(high)) => {
            ExprKind::Chain(low.clone(), vec![(CompareOp::Le, place.clone()), (CompareOp::Le, high.clone())])
        }
        ExprKind::Range(Some(low), None) => ExprKind::Chain(low.clone(), vec![(CompareOp::Le, place.clone())]),
        ExprKind::Range(None, Some(high)) => ExprKind::Chain(place.clone(), vec![(CompareOp::Le, high.clone())]),
        ExprKind::Range(None, None) => ExprKind::Name("\\true".to_owned()),
        _ => ExprKind::Chain(place.clone(), vec![(CompareOp::Eq, value.clone())]),
    };
    Expr::new(at.clone(), kind)
}

/// Which values of the index matter.
fn guard(name: &str, base: &Expr, elements: Option<u64>) -> Expr {
    let at = &base.at;
    let index = || Expr::new(at.clone(), ExprKind::Name(name.to_owned()));
    let integer = |value: i128| Expr::new(at.clone(), ExprKind::Integer(value));
    let chain = |rest| Expr::new(at.clone(), ExprKind::Chain(integer(0), rest));
    match elements {
        Some(count) => chain(vec![(CompareOp::Le, index()), (CompareOp::Lt, integer(i128::from(count)))]),
        None => {
            let args = vec![base.clone()];
            let call = ExprKind::Call { name: "\\elements".to_owned(), labels: Vec::new(), args };
            chain(vec![(CompareOp::Le, index()), (CompareOp::Lt, Expr::new(at.clone(), call))])
        }
    }
}

fn binary(at: &At, op: Binary, a: Expr, b: Expr) -> Expr {
    Expr::new(at.clone(), ExprKind::Binary(op, a, b))
}

#[cfg(test)]
mod tests {
    use super::{parse, resolve};
    use crate::Loaded;
    use crate::contract::testing::program;
    use clew_ir::contract::print::Printer;

    fn check(text: &str, expect: &str) {
        let (program, function) = program();
        let mut loaded = Loaded { program, builds: Vec::new(), diagnostics: Vec::new() };
        let found = match parse(text).and_then(|domain| resolve(&mut loaded, function, &domain)) {
            Ok(clause) => Printer::new(&loaded.program, &loaded.program.functions[function]).clause(&clause),
            Err(diagnostic) => diagnostic.message,
        };
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn domains() {
        check("n=0..10", "0 <= n <= 10");
        check("n = -5..", "-5 <= n");
        check("n=..u", "n <= u");
        check("n=3", "n == 3");
        check("d=-1.5..2e3", "-1.5 <= d <= 2e3");
        check("n={1, 2, 8..16}", "n == 1 || n == 2 || 8 <= n <= 16");
        check("a[*]=-100..100", "\\forall integer i; 0 <= i < \\elements(a) ==> -100 <= a[i] <= 100");
        check("table[*]=0..1", "\\forall integer i; 0 <= i < 10 ==> 0 <= table[i] <= 1");
        check("p->tags[*]=RED", "\\forall integer i; 0 <= i < 4 ==> p->tags[i] == 0");
        check(
            "grid[*][*]=1..2",
            "\\forall integer i, integer j; 0 <= i < \\elements(grid) && 0 <= j < 3 ==> 1 <= grid[i][j] <= 2",
        );
        check("*a=0..3", "0 <= *a <= 3");
        check("a[2]=0..3", "0 <= a[2] <= 3");
    }

    #[test]
    fn what_is_no_domain() {
        check("n", "expected `=`");
        check("n=", "expected a term or predicate, found the end of the contract");
        check("m=0..1", "`m` is not known here");
        check("n=3..-1", "there is nothing in this range");
        check("n[*]=0..1", "`int` has no elements");
        check("n=0..1 2", "expected the end, found `2`");
        check("a=0..1", "a pointer is compared with a number");
    }
}
