//! What a mutant is, and how those of a function are numbered.

use crate::token::{Types, scan};
use crate::{body, expression};
use clew_ir::{FunctionId, Program, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The most mutants of one function; of more, every second one is left out until they are few enough.
const MOST: usize = 4096;

/// What kind of change a mutant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// Another arithmetic, bitwise or shift operator.
    Arithmetic,
    /// Another relation.
    Relational,
    /// `&&` for `||`, or back.
    Logical,
    /// A condition, or a number, negated.
    Negation,
    /// A constant plus or minus one.
    Constant,
    /// An index, or a pointer, moved by one element.
    Index,
    /// A statement left out.
    Deletion,
    /// Another value returned.
    Return,
    /// A case of a `switch` left out.
    Case,
}

impl Operator {
    /// All of them.
    pub const ALL: [Operator; 9] = [
        Operator::Arithmetic,
        Operator::Relational,
        Operator::Logical,
        Operator::Negation,
        Operator::Constant,
        Operator::Index,
        Operator::Deletion,
        Operator::Return,
        Operator::Case,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Arithmetic => "arithmetic",
            Operator::Relational => "relational",
            Operator::Logical => "logical",
            Operator::Negation => "negation",
            Operator::Constant => "constant",
            Operator::Index => "index",
            Operator::Deletion => "deletion",
            Operator::Return => "return",
            Operator::Case => "case",
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which mutants there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Set {
    /// Those of all operators, without those that are killed wherever others are.
    #[default]
    Telling,
    /// Every arithmetic operator, relation and logical operator exchanged with each other of its kind: AOR, ROR and LCR, as
    /// studies of mutants have them.
    Exchanged,
}

/// How the changed text stands in for the original one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Form {
    /// A statement, its semicolon included.
    Statement,
    /// An expression whose value is not used.
    Effect,
    /// An expression of which only the truth matters.
    Truth,
    /// An expression with a value, which is no place.
    Value,
}

/// One change of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// Its number, from 1; 0 is the original.
    pub number: u32,
    /// The number of the first mutant at the same place: by it runs say that they come there.
    pub place: u32,
    /// What kind of change it is.
    pub operator: Operator,
    /// The function it changes.
    pub function: FunctionId,
    /// What is replaced.
    pub span: Span,
    /// By what, in words for people; empty where it is left out.
    pub text: String,
    /// A condition in C without effects that holds wherever the change makes another value, where there is one. A mutant
    /// of which it never holds is the same function.
    pub differs: Option<String>,
    /// By what, for the compiler.
    pub(crate) code: String,
    pub(crate) form: Form,
}

/// A change that has no number yet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Change {
    pub(crate) span: Span,
    pub(crate) form: Form,
    pub(crate) operator: Operator,
    pub(crate) text: String,
    pub(crate) code: String,
    pub(crate) differs: Option<String>,
}

impl Change {
    /// A change to a text that the compiler takes as it is.
    pub(crate) fn new(span: Span, form: Form, operator: Operator, code: String) -> Change {
        Change { span, form, operator, text: code.clone(), code, differs: None }
    }
}

/// The mutants of some functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mutants {
    /// In the order of the source; the number of each is its position plus one.
    pub list: Vec<Mutant>,
    /// How many changes were left out because a function has too many.
    pub left_out: usize,
    /// How many changes were left out because another one makes the same of the function.
    pub merged: usize,
}

impl Mutants {
    /// The mutants of some functions that tests are measured by.
    pub fn of(program: &Program, functions: &[FunctionId]) -> Mutants {
        Mutants::in_set(program, functions, Set::Telling)
    }

    /// All mutants of a set.
    pub fn in_set(program: &Program, functions: &[FunctionId], set: Set) -> Mutants {
        let mut mutants = Mutants::default();
        let types = Types::of(program);
        for &id in functions.iter().collect::<BTreeSet<_>>() {
            let function = &program.functions[id];
            let Some(unit) = program.sources.units.get(function.body.unit) else { continue };
            if !function.is_defined() || program.models.contains(&id) {
                continue;
            }
            let tokens = scan(&unit.text, function.body);
            let mut changes = BTreeSet::new();
            let duplicates = expression::changes(program, id, &types, set, &mut changes);
            body::changes(program, id, &tokens, &types, set, &mut changes);
            let all = changes.len();
            changes.retain(|change| !duplicates.contains(&(change.span, change.code.clone())));
            mutants.merged += all - changes.len();
            mutants.add(id, nested(program, id, changes));
        }
        mutants
    }

    fn add(&mut self, function: FunctionId, changes: Vec<Change>) {
        let mut step = 1;
        while changes.len() / step > MOST {
            step += 1;
        }
        self.left_out += changes.len() - changes.len().div_ceil(step);
        let mut places: BTreeMap<(Span, Form), u32> = BTreeMap::new();
        for Change { span, form, operator, text, code, differs } in changes.into_iter().step_by(step) {
            let number = self.list.len() as u32 + 1;
            let place = *places.entry((span, form)).or_insert(number);
            self.list.push(Mutant { number, place, operator, function, span, text, differs, code, form });
        }
    }

    /// The same without those that stand in lines which a compiler complains about: `places` are files and lines.
    pub fn without_lines(&self, program: &Program, places: &BTreeSet<(String, u32)>) -> Mutants {
        let is_named = |mutant: &Mutant| {
            let first = program.sources.locate(mutant.span);
            let last = program.sources.locate(Span { start: mutant.span.end.max(1) - 1, ..mutant.span });
            let pair = first.zip(last);
            pair.is_some_and(|(first, last)| {
                places.iter().any(|(file, line)| *file == first.file && (first.line..=last.line).contains(line))
            })
        };
        let mut kept = Mutants { list: Vec::new(), left_out: self.left_out, merged: self.merged };
        let mut places: BTreeMap<u32, u32> = BTreeMap::new();
        for mutant in &self.list {
            if is_named(mutant) {
                kept.left_out += 1;
                continue;
            }
            let number = kept.list.len() as u32 + 1;
            let place = *places.entry(mutant.place).or_insert(number);
            kept.list.push(Mutant { number, place, ..mutant.clone() });
        }
        kept
    }
}

/// The changes whose spans lie inside one another or apart, as those of whole expressions do; also with the conditions.
fn nested(program: &Program, function: FunctionId, changes: BTreeSet<Change>) -> Vec<Change> {
    let conditions = program.functions[function].conditions.values();
    let fixed: BTreeSet<Span> = conditions.map(|condition| condition.span).filter(|span| !span.is_none()).collect();
    let crosses = |a: Span, b: Span| a.start < b.start && b.start < a.end && a.end < b.end;
    let mut kept: Vec<Change> = Vec::new();
    for change in changes {
        let other = kept.iter().map(|kept| kept.span).chain(fixed.iter().copied());
        if change.span.start < change.span.end
            && !other.into_iter().any(|other| crosses(other, change.span) || crosses(change.span, other))
        {
            kept.push(change);
        }
    }
    kept
}
