//! The complete back end as a layer: what is given to it, and what its answers mean for a part.

use super::Solver;
use super::answer::{Reason, Verdict};
use super::turn::Turn;
use crate::blast::{self, Blaster};
use crate::clock::Deadline;
use crate::model::Model;
use crate::search::{Part, Weight};
use crate::term::TermId;

/// Parts whose circuits are not heavier than this go to the back end in the first turn.
pub(super) const LIGHT: u64 = 20_000;
/// Goals without an operator heavier than this go to the back end at once.
const LIGHT_OPERATOR: u64 = 1_000;
/// Goals without such operators go there before the others, and before dear layers, if they are not heavier than this together,
/// and have no more gates than this once constants have been put in.
const LIGHT_PART: u64 = 8_000;
const FEW_GATES: usize = 1_000;
/// They have so many conflicts there: what they can refute most often takes none.
const LIGHT_CONFLICTS: u32 = 100;

impl Solver {
    /// The back end for one turn, unless the part is too heavy for it. In later turns, a part of which something is only
    /// assumed gets a back end of its own: what other queries have left behind is in the way by then.
    pub(super) fn blast_turn(
        &mut self,
        part: &Part,
        weight: Weight,
        turn: &Turn,
        alone: &mut Option<Blaster>,
    ) -> Option<Verdict> {
        if weight.gates > LIGHT.saturating_mul(turn.patience) {
            return None;
        }
        let conflicts = Some(u32::try_from(turn.conflicts).unwrap_or(u32::MAX));
        let all_last = self.lasting == self.assertions.len();
        let verdict = if turn.number == 0 {
            self.blast_lazily(part, conflicts, turn.deadline)
        } else if all_last || self.fine_cores {
            self.blast(part, conflicts, turn.deadline)
        } else {
            let budget = blast::Budget { conflicts, deadline: turn.deadline };
            let blaster = alone.get_or_insert_with(Blaster::new);
            let answer = blaster.check_lasting(&self.terms, &part.goals, &[], &budget);
            self.conclude(part, answer)
        };
        match verdict {
            Verdict::Unknown(Reason::Steps) => None,
            verdict => Some(verdict),
        }
    }

    /// The goals of a part without heavy operators, for the back end: the verdict if they have no model, or if the rest holds in
    /// it. Only where few gates are left of them. What is made for them is kept.
    pub(super) fn blast_light(&mut self, part: &Part, turn: &Turn) -> Option<Verdict> {
        let (light, _) = part.by_weight(&self.terms, 0, LIGHT_OPERATOR);
        let light = Part { goals: light, ..Part::default() };
        let weight = light.weight(&self.terms);
        if self.lasting > 0 || light.goals.is_empty() || weight.floats || weight.gates > LIGHT_PART {
            return None;
        }
        let budget = blast::Budget { conflicts: Some(LIGHT_CONFLICTS), deadline: turn.deadline };
        match self.blaster.check_small(&self.terms, &light.goals, FEW_GATES, &budget)? {
            blast::Answer::Sat(model) => self.confirm(part, &model),
            blast::Answer::Unknown(_) => None,
            refuted => Some(self.conclude(part, refuted)),
        }
    }

    /// The complete back end on a part, where goals with heavy circuits are given to it only when a model has failed them:
    /// they may not be needed, or hold anyway.
    fn blast_lazily(&mut self, part: &Part, conflicts: Option<u32>, deadline: Deadline) -> Verdict {
        let budget = blast::Budget { conflicts, deadline };
        let (mut given, mut waiting) = part.by_weight(&self.terms, self.lasting, LIGHT_OPERATOR);
        let mut at_once = 1;
        loop {
            let lasting = &self.assertions[..self.lasting];
            let answer = self.blaster.check_lasting(&self.terms, lasting, &given, &budget);
            let blast::Answer::Sat(model) = &answer else { return self.conclude(part, answer) };
            if waiting.is_empty() {
                return self.conclude(part, answer);
            }
            if let Some(verdict) = self.confirm(part, model) {
                return verdict;
            }
            let model = self.merged(part, model);
            let (terms, scratch) = (&self.terms, &mut self.scratch);
            let failed = waiting.iter().copied().filter(|&goal| !scratch.is_true(terms, &model, goal));
            let failed: Vec<TermId> = failed.take(at_once).collect();
            waiting.retain(|goal| !failed.contains(goal));
            given.extend(failed);
            at_once *= 2;
        }
    }

    /// The complete back end on a part, within a number of conflicts.
    pub(super) fn blast(&mut self, part: &Part, conflicts: Option<u32>, deadline: Deadline) -> Verdict {
        let budget = blast::Budget { conflicts, deadline };
        let lasting = &self.assertions[..self.lasting];
        let assumed = part.goals_from(self.lasting);
        let answer = self.blaster.check_lasting(&self.terms, lasting, assumed, &budget);
        self.conclude(part, answer)
    }

    /// The verdict on a part from the back end's answer.
    fn conclude(&mut self, part: &Part, answer: blast::Answer) -> Verdict {
        match answer {
            blast::Answer::Sat(model) => self.confirm(part, &model).unwrap_or_else(|| {
                debug_assert!(false, "the back end's model does not hold:\n{}", model.describe(&self.terms));
                self.statistics.refuted_models += 1;
                Verdict::Unknown(Reason::Incomplete)
            }),
            blast::Answer::Unsat(core) => {
                self.statistics.by_back_end += 1;
                let goals = part.assertions.iter().zip(&part.goals);
                let used = goals.filter(|&(&at, goal)| at < self.lasting || core.contains(goal));
                Verdict::Unsat(used.map(|(&at, _)| at).collect())
            }
            blast::Answer::Unknown(blast::Limit::Conflicts) => Verdict::Unknown(Reason::Steps),
            blast::Answer::Unknown(blast::Limit::Time) => Verdict::Unknown(Reason::Time),
            blast::Answer::Unknown(_) => Verdict::Unknown(Reason::Incomplete),
        }
    }

    /// A model of the back end, if evaluation agrees.
    fn confirm(&mut self, part: &Part, found: &Model) -> Option<Verdict> {
        let model = self.merged(part, found);
        self.scratch.reset();
        let (terms, scratch) = (&self.terms, &mut self.scratch);
        part.goals.iter().all(|&goal| scratch.is_true(terms, &model, goal)).then(|| {
            self.statistics.by_back_end += 1;
            self.adopt(model)
        })
    }
}
