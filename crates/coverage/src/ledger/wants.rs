//! What the ledger would like to see next: the compass of directed search.

use super::{Ledger, Verdict, formula, satisfies};
use crate::dataflow::AccessKind;
use crate::evaluation::{self, Evaluation};
use crate::label::LabelId;
use crate::objective::{Goal, Objective, ObjectiveId, Turns};
use crate::place;
use crate::sight::Sight;
use crate::trace::Mark;
use clew_ir::{BlockId, DecisionId, FunctionId, LoopId};
use std::collections::BTreeSet;

/// Ways to complete an evaluation that are looked at; beyond, the decision is taken for wanted.
const MOST_COMPLETIONS: usize = 64;

impl Ledger<'_> {
    /// Whether a label is still to be covered.
    pub fn wants_label(&self, label: LabelId) -> bool {
        self.wants(&Sight::Label(label))
    }

    /// Whether a `switch` should still go to an arm.
    pub fn wants_arm(&self, function: FunctionId, decision: DecisionId, arm: u32) -> bool {
        self.wants(&Sight::Arm(function, decision, arm))
    }

    /// Whether control should still come to a block.
    pub fn wants_block(&self, function: FunctionId, block: BlockId) -> bool {
        self.wants(&Sight::Block(function, block))
    }

    /// Whether some number of iterations of a loop is still to be seen.
    pub fn wants_turns(&self, function: FunctionId, id: LoopId) -> bool {
        [Turns::Zero, Turns::One, Turns::Many].iter().any(|turns| self.wants(&Sight::Turns(function, id, *turns)))
    }

    fn wants(&self, sight: &Sight) -> bool {
        self.direct.get(sight).into_iter().flatten().any(|id| self.is_open(*id))
    }

    fn is_open(&self, id: ObjectiveId) -> bool {
        self.verdicts[id] == Verdict::Open && self.focus.is_none_or(|only| only == id)
    }

    /// Whether an evaluation that begins like this could cover something. `begun` ends with the condition in question.
    pub fn wants_evaluation(&self, function: FunctionId, begun: &Evaluation) -> bool {
        let Some(&(condition, outcome)) = begun.last() else { return false };
        if self.wants(&Sight::Outcome(function, condition, outcome)) {
            return true;
        }
        let decision = self.program.functions[function].conditions[condition].decision;
        let Some(formula) = formula(self.program, (function, decision)) else { return false };
        if !self.asks_about(function, decision) {
            return false;
        }
        let completions = evaluation::completions(formula, begun, MOST_COMPLETIONS);
        completions.is_none_or(|all| all.iter().any(|evaluation| self.is_news((function, decision), evaluation)))
    }

    /// Whether what a run did so far covers something, should the run end well.
    pub fn wants_trace<'t>(&self, trace: impl IntoIterator<Item = &'t Mark>) -> bool {
        self.reader.read(trace).iter().any(|sight| {
            let indirectly = match sight {
                Sight::Evaluation(function, decision, evaluation) => self.is_news((*function, *decision), evaluation),
                Sight::Flow(function, variable, site, ..) => {
                    self.of_definition.get(&(*function, *variable, *site)).is_some_and(|id| self.is_open(*id))
                }
                _ => false,
            };
            indirectly || self.wants(sight)
        })
    }

    /// Whether the value that a flow is about may be in its variable when a run has done this much: some activation has it
    /// from the definition in question.
    pub fn may_carry<'t>(&self, id: ObjectiveId, trace: impl IntoIterator<Item = &'t Mark>) -> bool {
        match &self.objectives[id].goal {
            Goal::Flow(variable, site, ..) => {
                self.reader.holds(trace).contains(&(self.objectives[id].function, *variable, *site))
            }
            _ => true,
        }
    }

    /// Whether an open objective is about the evaluations of a decision.
    fn asks_about(&self, function: FunctionId, decision: DecisionId) -> bool {
        let objectives = self.of_decision.get(&(function, decision)).into_iter().flatten();
        let whole = Sight::Evaluation(function, decision, Vec::new());
        let mut exact = self
            .direct
            .range(whole..)
            .take_while(|(sight, _)| matches!(sight, Sight::Evaluation(f, d, _) if (*f, *d) == (function, decision)));
        objectives.into_iter().any(|id| self.is_open(*id))
            || exact.any(|(_, ids)| ids.iter().any(|id| self.is_open(*id)))
    }

    /// Whether a whole evaluation would cover something, or be one half of a pair that does.
    fn is_news(&self, decision: (FunctionId, DecisionId), evaluation: &Evaluation) -> bool {
        if self.wants(&Sight::Evaluation(decision.0, decision.1, evaluation.clone())) {
            return true;
        }
        let Some(formula) = formula(self.program, decision) else { return false };
        let seen = self.seen.get(&decision);
        let known = seen.is_some_and(|seen| seen.contains_key(evaluation));
        let open = self.of_decision.get(&decision).into_iter().flatten().filter(|id| self.is_open(**id));
        open.into_iter().any(|id| match &self.objectives[*id].goal {
            Goal::Independence(condition, flavour) => {
                let half = !known && evaluation::decides(formula, evaluation, *condition);
                let completes = |other: &Evaluation| flavour.is_shown(formula, evaluation, other, *condition);
                half || seen.is_some_and(|seen| seen.keys().any(completes))
            }
            goal => satisfies(formula, goal, evaluation),
        })
    }

    /// The blocks to which open objectives lead: being there, something can be covered, or something more is near.
    pub fn targets(&self) -> BTreeSet<(FunctionId, BlockId)> {
        let open = self.entries().filter(|(id, ..)| self.is_open(*id));
        open.flat_map(|(id, objective, _)| self.leads[id].iter().map(|block| (objective.function, *block))).collect()
    }

    /// The blocks to which an objective leads, in its function.
    pub(super) fn lead(&self, objective: &Objective) -> Vec<BlockId> {
        let function = &self.program.functions[objective.function];
        let of_condition = |condition| place::branch(function, condition);
        // An evaluation that has begun may still become the one that is asked for.
        let of_decision = |decision: DecisionId| {
            let formula = function.decisions[decision].formula.as_ref();
            formula.into_iter().flat_map(evaluation::conditions).filter_map(of_condition).collect()
        };
        match &objective.goal {
            Goal::Block(block) => vec![*block],
            Goal::Call(point) => vec![point.block],
            Goal::Outcome(condition, _) => Vec::from_iter(of_condition(*condition)),
            Goal::Independence(condition, _) => of_decision(function.conditions[*condition].decision),
            Goal::Result(decision, _) | Goal::Evaluation(decision, _) | Goal::Mutant(decision, _) => {
                of_decision(*decision)
            }
            Goal::Arm(decision, _) => Vec::from_iter(place::switch(function, *decision)),
            Goal::Definition(variable, site) => {
                let accesses = self.accesses(objective.function, *variable);
                let uses = accesses.filter(|(_, access)| matches!(access.kind, AccessKind::Use { .. }));
                uses.map(|(block, _)| block).chain(place::site(*site)).collect()
            }
            Goal::Flow(_, site, point, _) => place::site(*site).into_iter().chain([point.block]).collect(),
            Goal::Turns(item, _) => vec![function.loops[*item].head],
            Goal::Label(label) => vec![self.labels[*label].at.block],
            Goal::Failure(check) => Vec::from_iter(place::check(function, *check)),
        }
    }
}
