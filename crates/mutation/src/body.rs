//! Changes that show in the tokens of a body: statements, returned values, constants, `&&` and `||`.

use crate::mutant::{Change, Form, Operator, Set};
use crate::token::{Token, Types, join, partners, strength};
use clew_ir::{Function, FunctionId, InstKind, Program, Span, Type};
use std::collections::BTreeSet;

/// The changes of the body of a function, which is given by its tokens.
pub(crate) fn changes(
    program: &Program,
    id: FunctionId,
    tokens: &[Token<'_>],
    types: &Types<'_>,
    set: Set,
    changes: &mut BTreeSet<Change>,
) {
    let function = &program.functions[id];
    let mut body = Body {
        function,
        tokens,
        types,
        partners: partners(tokens),
        computed: Stretches::of(function, |_| true),
        effects: Stretches::of(function, has_effect),
        changes,
    };
    if set == Set::Telling {
        body.statements();
        body.constants();
    }
    body.logical(set);
}

fn has_effect(kind: &InstKind) -> bool {
    matches!(kind, InstKind::Store { .. } | InstKind::Call { .. } | InstKind::Copy { .. } | InstKind::Fill { .. })
}

/// Where instructions of some kind stand.
struct Stretches(Vec<(usize, usize)>);

impl Stretches {
    fn of(function: &Function, wanted: impl Fn(&InstKind) -> bool) -> Stretches {
        let insts = function.blocks.values().flat_map(|block| &block.insts);
        let spans = insts.filter(|inst| wanted(&inst.kind)).map(|inst| inst.span);
        let ends = function.blocks.values().map(|block| block.terminator.span).filter(|_| wanted(&NOTHING));
        let decided = function.decisions.values().map(|decision| decision.span).filter(|_| wanted(&NOTHING));
        let inside = |span: &Span| {
            span.unit == function.body.unit && span.start > function.body.start && span.end < function.body.end
        };
        let all = spans.chain(ends).chain(decided).filter(inside);
        let mut all: Vec<_> = all.map(|span| (span.start as usize, span.end as usize)).collect();
        all.sort_unstable();
        all.dedup();
        Stretches(all)
    }

    /// Whether one of them covers a stretch.
    fn cover(&self, start: usize, end: usize) -> bool {
        self.0.iter().any(|(first, last)| *first <= start && end <= *last)
    }

    /// Whether one of them lies in a stretch.
    fn within(&self, start: usize, end: usize) -> bool {
        self.0.iter().any(|(first, last)| start <= *first && *last <= end)
    }
}

/// An instruction that has no effect.
const NOTHING: InstKind = InstKind::Unsupported { what: String::new() };

/// Words after which parentheses hold nothing that is computed when control comes there.
const UNEVALUATED: [&str; 12] = [
    "sizeof",
    "_Alignof",
    "__alignof__",
    "__typeof__",
    "typeof",
    "__builtin_offsetof",
    "__attribute__",
    "asm",
    "__asm__",
    "__asm",
    "_Static_assert",
    "__builtin_choose_expr",
];

/// Words at the beginning of statements that are no expressions.
const OTHER_STATEMENTS: [&str; 8] =
    ["goto", "asm", "__asm__", "__asm", "_Static_assert", "static_assert", "__label__", "__extension__"];

struct Body<'a, 't> {
    function: &'a Function,
    tokens: &'a [Token<'t>],
    types: &'a Types<'t>,
    partners: Vec<Option<usize>>,
    /// Where something is computed.
    computed: Stretches,
    /// Where something is written or called.
    effects: Stretches,
    changes: &'a mut BTreeSet<Change>,
}

impl Body<'_, '_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    /// The span of tokens from one to before another.
    fn span(&self, from: usize, to: usize) -> Span {
        let (start, end) = (self.tokens[from].start as u32, self.tokens[to - 1].end() as u32);
        Span { unit: self.function.body.unit, start, end }
    }

    /// The first place from one on, outside brackets that open on the way, where a token is one of some.
    fn find(&self, mut at: usize, wanted: &[&str]) -> Option<usize> {
        while at < self.tokens.len() && !wanted.contains(&self.text(at)) {
            at = self.partners[at].filter(|partner| *partner > at).unwrap_or(at) + 1;
        }
        (at < self.tokens.len()).then_some(at)
    }

    fn statements(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            at = self.statement(at);
        }
    }

    /// Goes through the statement, or the part of one, that begins at a token; where the next begins.
    fn statement(&mut self, at: usize) -> usize {
        let after = |found: Option<usize>| found.map_or(usize::MAX, |found| found + 1);
        let word = self.text(at);
        match word {
            "{" | "}" | ";" | "else" | "do" => at + 1,
            "case" | "default" => after(self.find(at, &[":"])),
            "if" | "while" | "switch" => after(self.partners.get(at + 1).copied().flatten()),
            "for" => {
                let Some(close) = self.partners.get(at + 1).copied().flatten() else { return usize::MAX };
                self.header(at + 2, close);
                close + 1
            }
            "return" => {
                let end = self.find(at, &[";"]);
                if let Some(end) = end.filter(|end| *end > at + 1) {
                    self.returned(at + 1, end);
                }
                after(end)
            }
            "break" | "continue" if self.text(at + 1) == ";" => {
                let span = self.span(at, at + 2);
                let code = String::new();
                self.changes.insert(Change::new(span, Form::Statement, Operator::Deletion, code));
                at + 2
            }
            _ if self.tokens[at].is_word() && self.text(at + 1) == ":" => at + 2,
            _ => {
                let end = self.find(at, &[";"]);
                let is_declaration = self.types.declares(&self.tokens[at..]) || OTHER_STATEMENTS.contains(&word);
                if let Some(end) = end.filter(|_| !is_declaration) {
                    self.effect(at, end);
                }
                after(end)
            }
        }
    }

    /// An expression for its effect, from a token to before another.
    fn effect(&mut self, from: usize, to: usize) {
        let (start, end) = (self.tokens[from].start, self.tokens[to - 1].end());
        if self.effects.within(start, end) {
            let span = self.span(from, to);
            self.changes.insert(Change::new(span, Form::Effect, Operator::Deletion, String::new()));
        }
    }

    /// What stands in the parentheses of a `for`.
    fn header(&mut self, from: usize, close: usize) {
        let Some(first) = self.find(from, &[";"]).filter(|first| *first < close) else { return };
        let Some(second) = self.find(first + 1, &[";"]).filter(|second| *second < close) else { return };
        if first > from && !self.types.declares(&self.tokens[from..]) {
            self.effect(from, first);
        }
        if close > second + 1 {
            self.effect(second + 1, close);
        }
    }

    /// A value that is returned.
    fn returned(&mut self, from: usize, to: usize) {
        let is_constant = to == from + 1 && self.tokens[from].is_number();
        let Some(returns) = self.function.returns.filter(|_| !is_constant) else { return };
        let (span, code) = (self.span(from, to), join(&self.tokens[from..to]));
        let mut add = |code: String| {
            self.changes.insert(Change::new(span, Form::Value, Operator::Return, code));
        };
        add("0".to_owned());
        if returns != Type::Pointer {
            add(format!("({code}) + 1"));
        }
    }

    fn constants(&mut self) {
        for at in 0..self.tokens.len() {
            let token = self.tokens[at];
            let is_null = at > 1 && self.text(at - 1) == ")" && self.text(at - 2) == "*";
            let is_label =
                self.is_after(at, "case") || self.text(at + 1) == "..." || at > 0 && self.text(at - 1) == "...";
            if !token.is_number()
                || is_null
                || is_label
                || !self.computed.cover(token.start, token.end())
                || self.is_unevaluated(at)
            {
                continue;
            }
            for sign in ["+", "-"] {
                let code = format!("{} {sign} 1", token.text);
                let span = self.span(at, at + 1);
                self.changes.insert(Change::new(span, Form::Value, Operator::Constant, code));
            }
        }
    }

    /// Whether a token stands in a label.
    fn is_after(&self, at: usize, word: &str) -> bool {
        let before = self.tokens[..at].iter().rev().take_while(|token| !matches!(token.text, ":" | ";" | "{" | "}"));
        before.into_iter().any(|token| token.text == word)
    }

    /// Whether a token stands in brackets that hold no code, or in the braces of an initialiser or a type.
    fn is_unevaluated(&self, at: usize) -> bool {
        let enclosing = (0..at).filter(|open| self.partners[*open].is_some_and(|close| close > at));
        enclosing.into_iter().any(|open| {
            let before = open.checked_sub(1).map_or("", |before| self.text(before));
            match self.text(open) {
                "(" => {
                    let is_cast = self.tokens.get(open + 1).is_some_and(|first| self.types.begins(first));
                    let is_for = before == "for";
                    UNEVALUATED.contains(&before) || before.starts_with("__builtin_") || is_cast && !is_for
                }
                "[" => self.is_declared(open),
                _ => {
                    open > 0
                        && self.text(open - 1).starts_with(|c: char| c.is_alphanumeric() || c == '_')
                        && !matches!(before, "else" | "do")
                }
            }
        })
    }

    /// Whether brackets give the length of an array that is declared, or an element that is initialised.
    fn is_declared(&self, open: usize) -> bool {
        let before = open.checked_sub(1).map_or("", |before| self.text(before));
        if matches!(before, "{" | ",") {
            return true;
        }
        let mut start = open;
        while start > 0 && !matches!(self.text(start - 1), ";" | "{" | "}" | "=" | "(" | "?" | ":") {
            start -= match self.text(start - 1) {
                ")" | "]" => start - self.partners[start - 1].unwrap_or(start - 1),
                _ => 1,
            };
        }
        self.types.declares(&self.tokens[start..])
    }

    fn logical(&mut self, set: Set) {
        for at in 0..self.tokens.len() {
            let sign = self.text(at);
            let other = match sign {
                "&&" => "||",
                "||" => "&&",
                _ => continue,
            };
            let own = strength(sign).expect("it is an operator");
            let (from, to) = (self.operand_start(at, own), self.operand_end(at, own));
            if from >= at || to <= at + 1 {
                continue;
            }
            let span = self.span(from, to);
            if !self.computed.cover(span.start as usize, span.end as usize) || self.is_unevaluated(at) {
                continue;
            }
            let (left, right) = (join(&self.tokens[from..at]), join(&self.tokens[at + 1..to]));
            let code = format!("({left}) {other} ({right})");
            let text = format!("{left} {other} {right}");
            let change = Change::new(span, Form::Value, Operator::Logical, code);
            self.changes.insert(Change { text, ..change });
            if set == Set::Exchanged {
                let code = format!("!({left}) != !({right})");
                self.changes.insert(Change::new(span, Form::Value, Operator::Logical, code));
            }
        }
    }

    fn operand_start(&self, operator: usize, own: u8) -> usize {
        let mut at = operator;
        while at > 0 {
            let text = self.text(at - 1);
            let is_weaker = strength(text).is_some_and(|strength| strength < own);
            if is_weaker || matches!(text, "(" | "[" | "{" | "}" | ";" | "return" | "case") {
                break;
            }
            at = match self.partners[at - 1] {
                Some(partner) => partner,
                None => at - 1,
            };
        }
        at
    }

    fn operand_end(&self, operator: usize, own: u8) -> usize {
        let mut at = operator + 1;
        while at < self.tokens.len() {
            let text = self.text(at);
            let is_weaker = strength(text).is_some_and(|strength| strength <= own);
            if is_weaker || matches!(text, ")" | "]" | "}" | ";") {
                break;
            }
            at = self.partners[at].unwrap_or(at) + 1;
        }
        at
    }
}
