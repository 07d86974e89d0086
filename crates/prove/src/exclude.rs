//! Objectives that facts about the function exclude before anything is explored.
//!
//! Abstract interpretation ([`clew_analyze::facts`]) knows blocks to which control never comes, ways out of blocks that it
//! never takes, and checks that never fail, loops included. What follows for objectives about decisions is found by
//! looking at every evaluation that is left.

mod ask;

use clew_analyze::facts::{Facts, Options};
use clew_coverage::evaluation::{self, Evaluation};
use clew_coverage::objective::{Flavour, Goal, Objective};
use clew_coverage::{Ledger, ObjectiveId, Proof, Verdict, place};
use clew_ir::{BlockId, ConditionId, DecisionId, Formula, Function, FunctionId, Program};

pub use ask::ask;

use crate::policy;
use clew_symbolic::Precondition;
use clew_symbolic::config::Config;

/// An objective that was shown to be infeasible, with the proof.
pub type Proved = (ObjectiveId, Proof);

/// What abstract interpretation may use and may take for granted.
pub fn options(precondition: &Precondition, config: &Config) -> Options {
    Options {
        requires: precondition.clauses.clone(),
        deadline: config
            .limits
            .deadline
            .part_of_at_least(policy::EXCLUDE_SHARE.small(), policy::EXCLUDE_MILLISECONDS.millis()),
        // A precondition in C may say anything of pointers, and references may lead to one object without being compared.
        arrays_suffice: precondition.function.is_none() && !config.references,
        ..Options::default()
    }
}

/// Says of objectives that facts exclude that they are infeasible, and gives them with their proofs.
pub fn exclude(ledger: &mut Ledger<'_>, facts: &Facts) -> Vec<Proved> {
    let program = ledger.program();
    let excluded = |objective: &Objective| {
        let id = objective.function;
        Excluding { program, facts, id, function: &program.functions[id] }.goal(ledger, &objective.goal)
    };
    let open = ledger.entries().filter(|(_, _, verdict)| **verdict == Verdict::Open);
    let proof = |fact: &str| Proof::Fact(format!("abstract interpretation: {fact}"));
    let found = open.filter_map(|(id, objective, _)| Some((id, proof(excluded(objective)?))));
    let found: Vec<Proved> = found.collect();
    found.iter().for_each(|(id, proof)| ledger.decide(*id, Verdict::Infeasible(proof.clone())));
    found
}

/// The facts about one function.
struct Excluding<'a> {
    program: &'a Program,
    facts: &'a Facts,
    id: FunctionId,
    function: &'a Function,
}

impl Excluding<'_> {
    /// The fact that excludes a goal.
    fn goal(&self, ledger: &Ledger<'_>, goal: &Goal) -> Option<&'static str> {
        let never_there = "control never comes there";
        let never_so = "none of the evaluations that would do happens";
        match goal {
            Goal::Block(block) => self.unreachable(*block).then_some(never_there),
            Goal::Call(point) => self.unreachable(point.block).then_some(never_there),
            Goal::Label(label) => self.unreachable(ledger.labels()[*label].at.block).then_some(never_there),
            Goal::Outcome(condition, outcome) => {
                self.no_outcome(*condition, *outcome).then_some("the condition never has that outcome")
            }
            Goal::Arm(decision, arm) => {
                let block = place::switch(self.function, *decision)?;
                self.never_taken(block, *arm as usize).then_some("the switch never goes there")
            }
            Goal::Result(decision, result) => {
                let formula = self.formula(*decision)?;
                let gives = |way: &Evaluation| evaluation::result(formula, way) == Some(*result);
                (!self.evaluations(formula)?.iter().any(gives)).then_some(never_so)
            }
            Goal::Evaluation(_, way) => self.excludes(way).then_some(never_so),
            Goal::Mutant(decision, mutant) => {
                let formula = self.formula(*decision)?;
                let kills = |way: &Evaluation| {
                    let result = evaluation::result(formula, way);
                    result.is_some_and(|result| evaluation::result(mutant, way) == Some(!result))
                };
                (!self.evaluations(formula)?.iter().any(kills)).then_some(never_so)
            }
            Goal::Independence(condition, flavour) => {
                self.never_independent(*condition, *flavour)?.then_some("no pair of evaluations that happen shows it")
            }
            Goal::Definition(_, site) => self.unreachable(place::site(*site)?).then_some(never_there),
            Goal::Flow(_, site, point, taken) => {
                let defined = !place::site(*site).is_some_and(|block| self.unreachable(block));
                let used = !self.unreachable(point.block);
                let left = !taken.is_some_and(|taken| self.never_taken(point.block, taken as usize));
                (!(defined && used && left)).then_some(never_there)
            }
            Goal::Turns(id, _) => self.unreachable(self.function.loops[*id].head).then_some(never_there),
            Goal::Failure(check) => {
                self.facts.never_fails.contains(&(self.id, *check)).then_some("the check never fails")
            }
        }
    }

    fn unreachable(&self, block: BlockId) -> bool {
        self.facts.unreachable.contains(&(self.id, block))
    }

    fn never_taken(&self, block: BlockId, way: usize) -> bool {
        self.unreachable(block) || self.facts.never_taken.contains(&(self.id, block, way))
    }

    fn no_outcome(&self, condition: ConditionId, outcome: bool) -> bool {
        let block = place::branch(self.function, condition);
        block.is_some_and(|block| self.never_taken(block, usize::from(!outcome)))
    }

    fn formula(&self, decision: DecisionId) -> Option<&Formula> {
        self.program.functions[self.id].decisions[decision].formula.as_ref()
    }

    fn excludes(&self, way: &Evaluation) -> bool {
        way.iter().any(|(condition, outcome)| self.no_outcome(*condition, *outcome))
    }

    /// The evaluations that facts leave; `None` if there are too many to look at.
    fn evaluations(&self, formula: &Formula) -> Option<Vec<Evaluation>> {
        let mut all = evaluation::completions(formula, &[], policy::MAX_EVALUATIONS.size())?;
        all.retain(|way| !self.excludes(way));
        Some(all)
    }

    fn never_independent(&self, condition: ConditionId, flavour: Flavour) -> Option<bool> {
        let formula = self.formula(self.function.conditions[condition].decision)?;
        let left = self.evaluations(formula)?;
        let shows = |a: &Evaluation, b: &Evaluation| flavour.is_shown(formula, a, b, condition);
        Some(!left.iter().any(|a| left.iter().any(|b| shows(a, b))))
    }
}
