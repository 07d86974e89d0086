//! Reading the clauses of an annotation.
//!
//! Clauses end in `;`. A clause that cannot be read is kept as [`ClauseKind::Broken`] and reading goes on behind its
//! semicolon, so that each mistake costs one clause and gives one diagnostic. Right ACSL that is not handled (axiomatic
//! blocks, ghost code, ...) is named as such.

use super::lex::{Token, TokenKind};
use super::syntax::{Assigned, At, Clause, ClauseKind, Declared, Definition, Expr, Problem};
use clew_ir::contract::AssertionKind;
use std::collections::BTreeSet;

mod expression;
mod type_name;

/// Clauses that are right ACSL, end in `;` and are not handled.
const UNSUPPORTED: &[&str] = &[
    "terminates",
    "decreases",
    "variant",
    "allocates",
    "frees",
    "exits",
    "breaks",
    "continues",
    "returns",
    "invariant",
    "lemma",
    "axiom",
    "type",
    "global",
    "strong",
    "weak",
    "model",
    "volatile",
    "import",
    "include",
    "calls",
    "reads",
    "slevel",
    "dynamic_split",
    "split",
    "merge",
    "widen_hints",
    "pragma",
    "extends",
    "abrupt",
];

/// Blocks that are right ACSL, end in `}` and are not handled.
const UNSUPPORTED_BLOCKS: &[&str] = &["axiomatic", "inductive", "module"];

/// Reads the words of an annotation. `types` are the names that stand for types.
pub(crate) fn clauses(tokens: &[Token], types: &BTreeSet<String>) -> Vec<Clause> {
    let mut parser = Parser::new(tokens, types);
    let mut clauses = Vec::new();
    while !parser.at_end() {
        clauses.push(parser.clause());
    }
    clauses
}

/// Reads one expression that takes all the words.
pub(crate) fn expression(tokens: &[Token], types: &BTreeSet<String>) -> Result<Expr, Problem> {
    let mut parser = Parser::new(tokens, types);
    let expr = parser.expr()?;
    if parser.at_end() { Ok(expr) } else { Err(parser.unexpected("the end")) }
}

/// Reads a term, or a range of terms, that takes all the words.
pub(crate) fn range(tokens: &[Token], types: &BTreeSet<String>) -> Result<Expr, Problem> {
    let mut parser = Parser::new(tokens, types);
    let expr = parser.range_or_expr()?;
    if parser.at_end() { Ok(expr) } else { Err(parser.unexpected("the end")) }
}

/// The words, and how far they are read.
struct Parser<'a> {
    tokens: &'a [Token],
    position: usize,
    types: &'a BTreeSet<String>,
    /// How deep the expression being read is nested.
    depth: usize,
    /// Between `?` and `:`, where a colon does not end a name.
    in_conditional: bool,
}

impl<'a> Parser<'a> {
    fn new(tokens: &'a [Token], types: &'a BTreeSet<String>) -> Parser<'a> {
        Parser { tokens, position: 0, types, depth: 0, in_conditional: false }
    }
}

impl Parser<'_> {
    fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    fn peek(&self) -> &Token {
        self.ahead(0)
    }

    fn ahead(&self, distance: usize) -> &Token {
        &self.tokens[(self.position + distance).min(self.tokens.len() - 1)]
    }

    fn advance(&mut self) -> &Token {
        let at = self.position;
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        &self.tokens[at]
    }

    fn is(&self, word: &str) -> bool {
        self.is_ahead(0, word)
    }

    fn is_ahead(&self, distance: usize, word: &str) -> bool {
        match &self.ahead(distance).kind {
            TokenKind::Punct(found) => *found == word,
            TokenKind::Name(found) => found == word,
            _ => false,
        }
    }

    fn accept(&mut self, word: &str) -> bool {
        let found = self.is(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, word: &str) -> Result<(), Problem> {
        if self.accept(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<String, Problem> {
        match &self.peek().kind {
            TokenKind::Name(name) if !name.starts_with('\\') => {
                let name = name.clone();
                self.advance();
                Ok(name)
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn names(&mut self, what: &str) -> Result<Vec<String>, Problem> {
        let mut names = vec![self.name(what)?];
        while self.accept(",") {
            names.push(self.name(what)?);
        }
        Ok(names)
    }

    fn unexpected(&self, wanted: &str) -> Problem {
        let token = self.peek();
        let found = match &token.kind {
            TokenKind::Name(name) => format!("`{name}`"),
            TokenKind::Integer(value) => format!("`{value}`"),
            TokenKind::Real { digits, .. } => format!("`{digits}`"),
            TokenKind::Punct(word) => format!("`{word}`"),
            TokenKind::End => "the end of the contract".to_owned(),
        };
        Problem::new(&token.at, format!("expected {wanted}, found {found}"))
    }

    /// From a start to the end of the last word read.
    fn since(&self, start: u32) -> At {
        let end = self.position.checked_sub(1).map_or(start, |at| self.tokens[at].at.end);
        start..end.max(start)
    }

    fn clause(&mut self) -> Clause {
        (self.depth, self.in_conditional) = (0, false);
        let start = self.peek().at.start;
        let word = match &self.peek().kind {
            TokenKind::Name(name) => name.clone(),
            _ => String::new(),
        };
        let kind = self.clause_kind(&word).unwrap_or_else(|problem| {
            self.skip_clause();
            ClauseKind::Broken { word, problem }
        });
        Clause { kind, at: self.since(start) }
    }

    fn skip_clause(&mut self) {
        while !self.at_end() && !self.accept(";") {
            self.advance();
        }
    }

    fn clause_kind(&mut self, word: &str) -> Result<ClauseKind, Problem> {
        if UNSUPPORTED.contains(&word) {
            self.skip_clause();
            return Ok(ClauseKind::Unsupported(word.to_owned()));
        }
        if UNSUPPORTED_BLOCKS.contains(&word) {
            self.skip_block();
            return Ok(ClauseKind::Unsupported(word.to_owned()));
        }
        if matches!(word, "check" | "admit") && ["requires", "ensures", "loop"].iter().any(|it| self.is_ahead(1, it)) {
            self.advance();
            let next = self.name("a clause")?;
            self.position -= 1;
            return self.clause_kind(&next);
        }
        let before = self.position;
        self.advance();
        match word {
            "requires" => self.closed(ClauseKind::Requires),
            "ensures" => self.closed(ClauseKind::Ensures),
            "assumes" => self.closed(ClauseKind::Assumes),
            "assigns" => Ok(ClauseKind::Assigns(self.assigned()?)),
            "behavior" => self.behavior(),
            "complete" | "disjoint" => self.behavior_set(word),
            "assert" | "check" | "admit" => self.assertion(word, Vec::new()),
            "for" => self.for_behaviors(),
            "loop" => self.loop_clause(),
            "predicate" | "logic" => self.definition(word),
            "relational" => Ok(self.relational()),
            "ghost" => {
                self.position = self.tokens.len() - 1;
                Ok(ClauseKind::Unsupported("ghost".to_owned()))
            }
            _ => {
                self.position = before;
                self.unknown()
            }
        }
    }

    /// What does not begin with a word of ACSL is taken whole.
    fn unknown(&mut self) -> Result<ClauseKind, Problem> {
        let TokenKind::Name(word) = &self.peek().kind else { return Err(self.unexpected("a clause")) };
        let word = word.clone();
        self.position = self.tokens.len() - 1;
        Ok(ClauseKind::Unknown(word))
    }

    fn skip_block(&mut self) {
        let mut depth = 0;
        while !self.at_end() {
            depth += i32::from(self.is("{")) - i32::from(self.is("}"));
            let closes = self.is("}");
            self.advance();
            if closes && depth <= 0 {
                return;
            }
        }
    }

    /// A relation between calls, with what it binds.
    fn relational(&mut self) -> ClauseKind {
        while self.is("\\forall") {
            self.skip_clause();
        }
        self.skip_clause();
        ClauseKind::Relational
    }

    /// An expression and its semicolon.
    fn closed(&mut self, kind: fn(Expr) -> ClauseKind) -> Result<ClauseKind, Problem> {
        let expr = self.expr()?;
        self.expect(";")?;
        Ok(kind(expr))
    }

    fn behavior(&mut self) -> Result<ClauseKind, Problem> {
        let name = self.name("the behavior's name")?;
        self.expect(":")?;
        Ok(ClauseKind::Behavior(name))
    }

    fn behavior_set(&mut self, word: &str) -> Result<ClauseKind, Problem> {
        self.expect("behaviors")?;
        let names = if self.is(";") { Vec::new() } else { self.names("the name of a behavior")? };
        self.expect(";")?;
        Ok(if word == "complete" { ClauseKind::Complete(names) } else { ClauseKind::Disjoint(names) })
    }

    fn assertion(&mut self, word: &str, behaviors: Vec<String>) -> Result<ClauseKind, Problem> {
        let kind = match word {
            "assert" => AssertionKind::Assert,
            "check" => AssertionKind::Check,
            _ => AssertionKind::Admit,
        };
        let predicate = self.expr()?;
        self.expect(";")?;
        Ok(ClauseKind::Assertion { kind, behaviors, predicate })
    }

    fn for_behaviors(&mut self) -> Result<ClauseKind, Problem> {
        let behaviors = self.names("the name of a behavior")?;
        self.expect(":")?;
        let word = self.name("`assert`")?;
        match word.as_str() {
            "assert" | "check" | "admit" => self.assertion(&word, behaviors),
            _ => {
                self.skip_clause();
                Ok(ClauseKind::Unsupported(format!("for ...: {word}")))
            }
        }
    }

    fn loop_clause(&mut self) -> Result<ClauseKind, Problem> {
        let word = self.name("`invariant`, `assigns` or `variant`")?;
        match word.as_str() {
            "invariant" => self.closed(ClauseKind::LoopInvariant),
            "variant" => self.closed(ClauseKind::LoopVariant),
            "assigns" => Ok(ClauseKind::LoopAssigns(self.assigned()?)),
            _ => {
                self.skip_clause();
                Ok(ClauseKind::Unsupported(format!("loop {word}")))
            }
        }
    }

    /// The places of an `assigns` clause and its semicolon; `\nothing` gives none.
    fn assigned(&mut self) -> Result<Vec<Assigned>, Problem> {
        let mut places = Vec::new();
        loop {
            if !self.accept("\\nothing") {
                let place = self.expr()?;
                places.push(Assigned { place, from: None });
            }
            if self.accept("\\from") {
                let from = self.from()?;
                if let Some(last) = places.last_mut() {
                    last.from = Some(from);
                }
            }
            if !self.accept(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(places)
    }

    fn from(&mut self) -> Result<Vec<Expr>, Problem> {
        if self.accept("\\nothing") {
            return Ok(Vec::new());
        }
        let mut places = vec![self.expr()?];
        while self.is(",") {
            let comma = self.position;
            self.advance();
            places.push(self.expr()?);
            // `x \from y, z \from w`: the last one read begins the next place.
            if self.is("\\from") {
                places.pop();
                self.position = comma;
                break;
            }
        }
        Ok(places)
    }

    fn definition(&mut self, word: &str) -> Result<ClauseKind, Problem> {
        let result = if word == "logic" { Some(self.type_name()?) } else { None };
        let name = self.name("a name")?;
        let labels = self.labels()?;
        let params = if self.accept("(") { self.params()? } else { Vec::new() };
        if self.is(";") || self.is("reads") {
            self.skip_clause();
            return Ok(ClauseKind::Unsupported(format!("{word} {name} without definition")));
        }
        self.expect("=")?;
        let body = self.expr()?;
        self.expect(";")?;
        Ok(ClauseKind::Define(Definition { name, labels, params, result, body }))
    }

    fn params(&mut self) -> Result<Vec<Declared>, Problem> {
        let mut params = Vec::new();
        if self.accept(")") {
            return Ok(params);
        }
        loop {
            let mut ty = self.type_name()?;
            let name = self.name("the parameter's name")?;
            while self.accept("[") {
                if !self.is("]") {
                    self.expr()?;
                }
                self.expect("]")?;
                ty.pointers += 1;
            }
            params.push(Declared { name, ty });
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(params)
    }

    /// `{L1, L2}`, possibly absent.
    fn labels(&mut self) -> Result<Vec<String>, Problem> {
        if !self.accept("{") {
            return Ok(Vec::new());
        }
        let labels = self.names("a label")?;
        self.expect("}")?;
        Ok(labels)
    }
}
