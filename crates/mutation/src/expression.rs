//! Changes of expressions: which there are says the intermediate form, what they look like their tokens.

use crate::mutant::{Change, Form, Operator, Set};
use crate::token::{Token, Types, join, last_operator, partners, scan};
use clew_ir::{Decision, DecisionKind, Function, FunctionId, InstKind, Program, Span, TerminatorKind, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Cases of one `switch` that have mutants.
const MOST_CASES: usize = 64;

/// What an expression computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Int,
    Float,
    /// It compares or subtracts pointers.
    Pointers,
    /// It moves a pointer.
    Move,
}

/// The changes of the expressions of a function; and changes of constants in them that make the same of it as one of these.
pub(crate) fn changes(
    program: &Program,
    id: FunctionId,
    types: &Types<'_>,
    set: Set,
    changes: &mut BTreeSet<Change>,
) -> BTreeSet<Constant> {
    let mut duplicates = BTreeSet::new();
    let function = &program.functions[id];
    let Some(unit) = program.sources.units.get(function.body.unit) else { return duplicates };
    for (span, class) in classes(function) {
        let tokens = scan(&unit.text, span);
        let mut expression =
            Expression { tokens: &tokens, span, class, types, set, changes, duplicates: &mut duplicates };
        expression.add();
    }
    if set == Set::Exchanged {
        return duplicates;
    }
    for condition in function.conditions.values().filter(|condition| is_inside(function, condition.span)) {
        let tokens = scan(&unit.text, condition.span);
        let operator = last_operator(&tokens, types).map(|at| tokens[at].text);
        let decision = &function.decisions[condition.decision];
        if !operator.is_some_and(is_relation) && !lacks_middle(&unit.text, condition.span, decision) {
            let code = format!("!({})", join(&tokens));
            changes.insert(Change::new(condition.span, Form::Truth, Operator::Negation, code));
        }
    }
    for block in function.blocks.values() {
        if let TerminatorKind::Switch { on, decision: Some(decision), cases, default } = &block.terminator.kind {
            let span = function.decisions[*decision].span;
            if let (Type::Int(width @ ..=64), true) = (on.ty(function), is_inside(function, span)) {
                let code = join(&scan(&unit.text, span));
                let values: Vec<u128> = cases.iter().map(|case| case.low).collect();
                let is_own = |case: &&clew_ir::Case| case.low == case.high && case.target != *default;
                for case in cases.iter().filter(is_own).take(MOST_CASES) {
                    changes.insert(without_case(span, &code, case.low, width, &values));
                }
            }
        }
    }
    duplicates
}

/// What a `switch` does without one of its cases: it switches on a value that has none.
fn without_case(span: Span, code: &str, value: u128, width: u8, all: &[u128]) -> Change {
    let other = (0..).find(|other| !all.contains(other)).expect("cases do not take up all numbers");
    let typed = |value: u128| format!("(__typeof__(__clew_on)){value}ULL");
    let (is, other) = (typed(value), typed(other));
    let code = format!(
        "(__extension__ ({{ __auto_type __clew_on = ({code}) + 0; __clew_on == {is} ? {other} : __clew_on; }}))"
    );
    let signed = (value as i128) << (128 - u32::from(width)) >> (128 - u32::from(width));
    let text = format!("no case {signed}");
    Change { span, form: Form::Value, operator: Operator::Case, text, code, differs: None }
}

fn is_inside(function: &Function, span: Span) -> bool {
    let body = function.body;
    !span.is_none() && span.unit == body.unit && body.start <= span.start && span.end <= body.end
}

/// Whether the value of a condition is used, because the middle of its `? :` is left out.
fn lacks_middle(text: &str, span: Span, decision: &Decision) -> bool {
    let rest = text.get(span.end as usize..).unwrap_or("").trim_start_matches(|c: char| c.is_whitespace() || c == ')');
    decision.kind == DecisionKind::Ternary
        && rest.strip_prefix('?').is_some_and(|rest| rest.trim_start().starts_with([':', '#']))
}

/// The spans of the expressions that compute something, with what they compute with.
fn classes(function: &Function) -> BTreeMap<Span, Class> {
    let mut classes = BTreeMap::new();
    for inst in function.blocks.values().flat_map(|block| &block.insts).filter(|inst| is_inside(function, inst.span)) {
        let class = match &inst.kind {
            InstKind::Offset { .. } => Class::Move,
            InstKind::Distance { .. } => Class::Pointers,
            InstKind::Binary { a, .. } | InstKind::Unary { a, .. } => match a.ty(function) {
                Type::Int(_) => Class::Int,
                Type::Float(_) => Class::Float,
                Type::Pointer => Class::Pointers,
            },
            _ => continue,
        };
        let known = classes.entry(inst.span).or_insert(class);
        *known = class.max(*known);
    }
    classes
}

/// Operators that exchange with each other.
const GROUPS: [&[&str]; 3] = [&["+", "-", "*", "/", "%"], &["&", "|", "^"], &["<<", ">>"]];

/// For each relation, those of which a test that tells them apart tells all others apart, and the constant that does so
/// (Kaminski, Ammann and Offutt 2013).
const RELATIONS: [(&str, [&str; 2], &str); 6] = [
    ("<", ["<=", "!="], "0"),
    ("<=", ["<", "=="], "1"),
    (">", [">=", "!="], "0"),
    (">=", [">", "=="], "1"),
    ("==", ["<=", ">="], "0"),
    ("!=", ["<", ">"], "1"),
];

/// The relation of the operands for which one relation holds and another one does not.
fn difference(sign: &str, other: &str) -> Option<&'static str> {
    Some(match (sign, other) {
        ("<", "<=") | ("<=", "<") | (">", ">=") | (">=", ">") => "==",
        ("<", "!=") | (">=", "==") | ("==", ">=") | ("!=", "<") => ">",
        (">", "!=") | ("<=", "==") | ("==", "<=") | ("!=", ">") => "<",
        _ => return None,
    })
}

/// Whether evaluating some tokens twice may be something else than evaluating them once.
fn has_effect(tokens: &[Token<'_>]) -> bool {
    let assigns = |token: &Token<'_>| {
        let is_relation = matches!(token.text, "==" | "!=" | "<=" | ">=");
        matches!(token.text, "++" | "--" | "{") || token.text.ends_with('=') && !is_relation
    };
    let calls = |pair: &[Token<'_>]| pair[1].text == "(" && (pair[0].is_word() || matches!(pair[0].text, ")" | "]"));
    tokens.iter().any(assigns) || tokens.windows(2).any(calls)
}

pub(crate) fn is_relation(operator: &str) -> bool {
    RELATIONS.iter().any(|(relation, ..)| *relation == operator)
}

/// An expression being changed.
struct Expression<'a, 't> {
    tokens: &'a [Token<'t>],
    span: Span,
    class: Class,
    types: &'a Types<'t>,
    set: Set,
    changes: &'a mut BTreeSet<Change>,
    duplicates: &'a mut BTreeSet<Constant>,
}

/// A change of a constant: where it stands, and what it becomes.
pub(crate) type Constant = (Span, String);

/// Relations that a constant on the right turns into another one when it is one greater, or with `-` one less.
const SHIFTED: [(&str, &str); 4] = [("<", "+"), ("<=", "-"), (">", "-"), (">=", "+")];

impl Expression<'_, '_> {
    fn add(&mut self) {
        match (last_operator(self.tokens, self.types), self.set) {
            (Some(at), Set::Telling) => self.binary(at),
            (Some(at), Set::Exchanged) => self.exchange(at),
            (None, Set::Telling) => self.unary(),
            (None, Set::Exchanged) => {}
        }
    }

    fn change(&mut self, operator: Operator, code: String) {
        self.changes.insert(Change::new(self.span, Form::Value, operator, code));
    }

    /// All other operators of the kind.
    fn exchange(&mut self, at: usize) {
        let sign = self.tokens[at].text;
        let others = RELATIONS.iter().map(|(relation, ..)| *relation);
        if is_relation(sign) {
            others.filter(|other| *other != sign).for_each(|other| self.relation(at, other, None));
        } else if let (Class::Int | Class::Float, Some(_)) = (self.class, GROUPS[0].iter().find(|it| **it == sign)) {
            let is_whole = self.class == Class::Int;
            for other in GROUPS[0].iter().filter(|other| **other != sign && (is_whole || **other != "%")) {
                self.change(Operator::Arithmetic, self.exchanged(at, other));
            }
        }
    }

    /// Another relation of the same operands, which differs where that holds.
    fn relation(&mut self, at: usize, operator: &str, differs: Option<String>) {
        self.related(self.exchanged(at, operator), differs);
    }

    fn related(&mut self, code: String, differs: Option<String>) {
        // NaN is neither less nor greater.
        let relations = self.tokens.iter().filter(|token| is_relation(token.text)).count();
        let is_told = self.class == Class::Int && relations == 1 && !has_effect(self.tokens);
        let differs = differs.filter(|_| is_told);
        let change = Change::new(self.span, Form::Value, Operator::Relational, code);
        self.changes.insert(Change { differs, ..change });
    }

    /// The expression with another operator.
    fn exchanged(&self, at: usize, operator: &str) -> String {
        format!("{} {operator} {}", join(&self.tokens[..at]), join(&self.tokens[at + 1..]))
    }

    /// Notes that a constant plus or minus one makes the same of the expression as another change does.
    fn duplicate(&mut self, constant: &Token<'_>, sign: &str) {
        // What wraps around in the type of the constant need not do so in that of the expression.
        let digits = constant.text.trim_end_matches(['u', 'U', 'l', 'L']);
        if digits.parse::<i32>().is_ok_and(|value| value < i32::MAX && (value > 0 || sign == "+")) {
            let span = Span { start: constant.start as u32, end: constant.end() as u32, ..self.span };
            self.duplicates.insert((span, format!("{} {sign} 1", constant.text)));
        }
    }

    /// Of whole numbers, `x < 3 + 1` is `x <= 3`, and so on.
    fn shifted(&mut self, at: usize) {
        let sign = self.tokens[at].text;
        let Some((_, right)) = SHIFTED.iter().find(|(relation, _)| *relation == sign && self.class == Class::Int)
        else {
            return;
        };
        let left = if *right == "+" { "-" } else { "+" };
        let tokens = self.tokens;
        match (&tokens[..at], &tokens[at + 1..]) {
            (_, [constant]) => self.duplicate(constant, right),
            ([constant], _) => self.duplicate(constant, left),
            _ => {}
        }
    }

    /// In `x + 3`, moved by one, the constant need not be changed.
    fn moved(&mut self, tokens: &[Token<'_>]) {
        let Some(at) = last_operator(tokens, self.types) else { return };
        if let (true, [constant]) = (matches!(tokens[at].text, "+" | "-"), &tokens[at + 1..]) {
            for sign in ["+", "-"] {
                self.duplicate(constant, sign);
            }
        }
    }

    fn binary(&mut self, at: usize) {
        let sign = self.tokens[at].text;
        if let Some((_, others, constant)) = RELATIONS.iter().find(|(relation, ..)| *relation == sign) {
            let is_plain = self.class != Class::Pointers || !matches!(sign, "==" | "!=");
            self.shifted(at);
            for other in others.iter().filter(|_| is_plain) {
                self.relation(at, other, difference(sign, other).map(|differs| self.exchanged(at, differs)));
            }
            let itself = join(self.tokens);
            let differs = if *constant == "0" { itself } else { format!("!({itself})") };
            self.related((*constant).to_owned(), Some(differs));
            if !is_plain {
                let opposite = if sign == "==" { "!=" } else { "==" };
                self.relation(at, opposite, None);
            }
            return;
        }
        let (plain, suffix) = match sign.strip_suffix('=').filter(|_| sign.len() > 1) {
            Some(plain) => (plain, "="),
            None => (sign, ""),
        };
        match self.class {
            Class::Pointers => {}
            Class::Move => {
                if matches!(sign, "+" | "-") {
                    let all = join(self.tokens);
                    self.moved(self.tokens);
                    self.change(Operator::Index, format!("{all} + 1"));
                    self.change(Operator::Index, format!("{all} - 1"));
                }
            }
            Class::Int | Class::Float => {
                let group = GROUPS.iter().find(|group| group.contains(&plain));
                for other in group.into_iter().flat_map(|group| group.iter()) {
                    let is_defined = self.class == Class::Int || *other != "%";
                    if *other != plain && is_defined {
                        self.change(Operator::Arithmetic, self.exchanged(at, &format!("{other}{suffix}")));
                    }
                }
            }
        }
    }

    fn unary(&mut self) {
        let (Some(first), Some(last)) = (self.tokens.first(), self.tokens.last()) else { return };
        let turned = |sign: &str| if sign == "++" { "--" } else { "++" };
        if matches!(last.text, "++" | "--") {
            let before = join(&self.tokens[..self.tokens.len() - 1]);
            self.change(Operator::Arithmetic, format!("{before}{}", turned(last.text)));
        } else if matches!(first.text, "++" | "--") {
            let code = format!("{}{}", turned(first.text), join(&self.tokens[1..]));
            self.change(Operator::Arithmetic, code);
        } else if matches!(first.text, "-" | "~") && self.class != Class::Move {
            self.change(Operator::Negation, join(&self.tokens[1..]));
        } else if last.text == "]" && self.class == Class::Move {
            self.index();
        }
    }

    fn index(&mut self) {
        let close = self.tokens.len() - 1;
        let Some(open) = partners(self.tokens)[close] else { return };
        let inside = &self.tokens[open + 1..close];
        let (Some(first), Some(last)) = (inside.first(), inside.last()) else { return };
        if inside.len() == 1 && first.is_number() {
            return;
        }
        let span = Span { start: first.start as u32, end: last.end() as u32, ..self.span };
        self.moved(inside);
        for sign in ["+", "-"] {
            let code = format!("({}) {sign} 1", join(inside));
            let text = format!("{} {sign} 1", join(inside));
            let index = Operator::Index;
            self.changes.insert(Change { span, form: Form::Value, operator: index, text, code, differs: None });
        }
    }
}
