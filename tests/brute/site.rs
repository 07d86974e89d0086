//! The places of a generated function that its instrumented twin tells of.
//!
//! Their words are those that `clew` puts objectives in: what is compared are texts, so that nothing of the intermediate
//! form can hide in the comparison.

/// The position of a [`Site`] in its program; events name it.
pub(crate) type SiteId = usize;

/// A decision over conditions.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Atom(SiteId),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
}

/// What stands at a place.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// A line is run.
    Line,
    /// A variable is read; on what the outcome of a condition depends, it is read for that.
    Use { variable: String, is_signed: bool, condition: Option<SiteId> },
    /// A variable is given a value.
    Define { variable: String },
    /// A condition has an outcome.
    Condition { decision: SiteId },
    /// A decision has a result.
    Decision { formula: Formula },
    /// An operator is applied to two numbers; literals among them are changed by mutants.
    Operation { op: &'static str, literals: [bool; 2], is_outcome: bool },
    /// A `switch` is given a number.
    Switch { cases: Vec<i64> },
    /// A call is made.
    Call,
    /// A loop is entered.
    Enter,
    /// A loop begins a turn.
    Turn { of: SiteId },
    /// A label of the user's is passed.
    Label,
    /// An assertion is passed.
    Assertion,
}

/// A place.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    pub(crate) line: usize,
    pub(crate) text: String,
    pub(crate) what: What,
}

/// Something that happened in a run: where, and with what numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) site: SiteId,
    pub(crate) is_unsigned: bool,
    pub(crate) values: [i64; 2],
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Returned(i32),
    /// A sanitizer or a signal ended it.
    Undefined,
    /// It did too much to be looked at.
    Long,
}

/// One run of a function.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) input: Vec<i64>,
    pub(crate) ending: Ending,
    /// Whether a function without a body wrote where neither its arguments lead nor a variable lies that it can name.
    pub(crate) has_hidden_writes: bool,
    pub(crate) events: Vec<Event>,
}

/// A text as `clew` shortens it.
pub(crate) fn shortened(text: &str) -> String {
    match text.chars().count() {
        0..=60 => text.to_owned(),
        _ => text.chars().take(57).chain("...".chars()).collect(),
    }
}
