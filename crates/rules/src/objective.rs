//! What is asked for, and what came of it.

use crate::search::Demand;
use crate::tree::Tree;
use clew_frontend_rules::spec::{ConId, ExprId, FunctionId, RuleId, Spec};

/// What a suite is asked to cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Criterion {
    /// Each rule of the functions fires at the outermost call.
    AllRules,
    /// Each rule of the functions and of those they call fires somewhere.
    AllRulesEverywhere,
    /// Each call of a rule fires each rule of the function it calls.
    RulePairs,
    /// Each condition fails alone: in each other constructor its pattern could have met.
    Boundary,
}

impl Criterion {
    /// All criteria.
    pub const ALL: [Criterion; 4] =
        [Criterion::AllRules, Criterion::AllRulesEverywhere, Criterion::RulePairs, Criterion::Boundary];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Criterion::AllRules => "all-rules",
            Criterion::AllRulesEverywhere => "all-rules-everywhere",
            Criterion::RulePairs => "rule-pairs",
            Criterion::Boundary => "boundary",
        }
    }
}

/// What an objective asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The rule fires at the outermost call.
    Fires,
    /// The rule fires somewhere.
    FiresSomewhere,
    /// A call of the rule fires a rule.
    Calls {
        /// The call.
        site: ExprId,
        /// The rule that it fires.
        fires: RuleId,
    },
    /// The conditions before one hold, and that one fails.
    Misses {
        /// The condition, from 0.
        condition: u32,
        /// The constructor met instead; `None` is another integer.
        other: Option<ConId>,
        /// Which way to fail, as the index of rules has it.
        number: u32,
    },
}

/// Why there is no test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Rules applied by the search that found nothing.
    pub steps: u64,
    /// Whether it used that a goal came back as an instance of itself.
    pub is_cyclic: bool,
}

/// Which limit was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The steps of an objective.
    Steps(u64),
    /// Ways of failing that were not told apart.
    Ways,
}

/// What is known of an objective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Covered by a test, by its number from 0.
    Covered(usize),
    /// There is no test, for any terms.
    Infeasible(Proof),
    /// Not decided.
    Unknown(Limit),
}

/// One thing a criterion asks for.
#[derive(Clone, Debug)]
pub struct Objective {
    /// The criterion.
    pub criterion: Criterion,
    /// The rule it is about.
    pub rule: RuleId,
    /// What is asked of the rule.
    pub aim: Aim,
    /// What is known.
    pub verdict: Verdict,
}

impl Objective {
    /// What is asked for, in words.
    pub fn words(&self, spec: &Spec, text: &str) -> String {
        let label = &spec.rules[self.rule.index()].label;
        match self.aim {
            Aim::Fires => label.clone(),
            Aim::FiresSomewhere => format!("{label} somewhere"),
            Aim::Calls { site, fires } => {
                let span = spec.spans[site.index()];
                let call = text.get(span.start as usize..span.end as usize).unwrap_or_default();
                let call = call.split_whitespace().collect::<Vec<_>>().join(" ");
                format!("{label}: {call} by {}", spec.rules[fires.index()].label)
            }
            Aim::Misses { condition, other, .. } => {
                let other = other.map_or("another integer", |con| spec.constructors[con.index()].name.as_str());
                format!("{label}: condition {} meets {other}", condition + 1)
            }
        }
    }
}

/// A test with its oracle.
#[derive(Clone, Debug)]
pub struct Test {
    /// The function under test.
    pub function: FunctionId,
    /// The rule it is for.
    pub rule: RuleId,
    /// The least instantiated arguments that reach its objective.
    pub abstract_args: Vec<Tree>,
    /// What must hold of their variables.
    pub demands: Vec<Demand>,
    /// The names of their variables.
    pub names: Vec<String>,
    /// What the rule rewrites the abstract arguments to; calls that need more than is known are left.
    pub abstract_result: Option<Tree>,
    /// Concrete arguments.
    pub args: Vec<Tree>,
    /// The oracle: everything the function can rewrite them to.
    pub results: Vec<Tree>,
    /// Whether that is everything; otherwise a limit was met, or rewriting does not end.
    pub is_complete: bool,
    /// The rules that fired, each once.
    pub fired: Vec<RuleId>,
}
