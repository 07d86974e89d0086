//! Objectives: what one criterion asks for, one at a time.

use crate::criterion::Criterion;
use crate::dataflow::Variable;
use crate::evaluation::{self, Evaluation};
use crate::label::{LabelId, Point};
use clew_ir::{BlockId, CheckId, ConditionId, DecisionId, Formula, FunctionId, LoopId, Span};

/// Position of an [`Objective`] in its ledger.
pub type ObjectiveId = usize;

/// Something a suite is asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objective {
    /// Who asks for it.
    pub criterion: Criterion,
    /// The function it is about.
    pub function: FunctionId,
    /// What it is.
    pub goal: Goal,
    /// Where it stands.
    pub span: Span,
}

/// What must be seen for an objective to be covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Control comes to a block.
    Block(BlockId),
    /// Control comes to a call.
    Call(Point),
    /// A condition has an outcome.
    Outcome(ConditionId, bool),
    /// A decision has a result.
    Result(DecisionId, bool),
    /// A `switch` goes to an arm: an index into its cases, or their number for the default.
    Arm(DecisionId, u32),
    /// A decision is evaluated in this way.
    Evaluation(DecisionId, Evaluation),
    /// A condition is shown to decide, by a pair of evaluations.
    Independence(ConditionId, Flavour),
    /// A decision gives another result than a changed formula does.
    Mutant(DecisionId, Formula),
    /// The value a definition gave a variable is used somewhere.
    Definition(Variable, Site),
    /// The value a definition gave a variable is used at a point and, where it decides, with that successor taken.
    Flow(Variable, Site, Point, Option<u32>),
    /// A loop runs so often in one activation of it.
    Turns(LoopId, Turns),
    /// A predicate holds at a point.
    Label(LabelId),
    /// A check fails.
    Failure(CheckId),
}

/// The flavours of MC/DC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Flavour {
    /// Nothing else evaluated in both differs.
    UniqueCause,
    /// What else differs is masked.
    Masking,
}

impl Flavour {
    /// Whether two evaluations of a decision show the independence of a condition.
    pub fn is_shown(self, formula: &Formula, a: &Evaluation, b: &Evaluation, condition: ConditionId) -> bool {
        match self {
            Flavour::UniqueCause => evaluation::unique_pair(formula, a, b, condition),
            Flavour::Masking => evaluation::masking_pair(formula, a, b, condition),
        }
    }
}

/// Where a variable gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Site {
    /// On entry: an argument, or a global as the caller left it.
    Entry,
    /// At an instruction.
    At(Point),
}

/// Numbers of iterations that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Turns {
    /// None.
    Zero,
    /// One.
    One,
    /// Two or more.
    Many,
}

impl Turns {
    /// The class of a number.
    pub fn of(number: u32) -> Turns {
        match number {
            0 => Turns::Zero,
            1 => Turns::One,
            _ => Turns::Many,
        }
    }
}
