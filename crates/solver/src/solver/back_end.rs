//! The complete back end as a layer: what is given to it, and what its answers mean for a part.

use super::Solver;
use super::answer::{Reason, Verdict};
use super::layer::Goals;
use super::turn::Turn;
use crate::blast::{self, Blaster, Hint};
use crate::clock::Deadline;
use crate::domain::int::KnownBits;
use crate::model::Model;
use crate::policy;
use crate::search::{Part, Weight};
use crate::store::Domain;
use crate::term::{TermId, VarId};

impl Solver {
    /// The back end on goals of a part, within so many conflicts.
    pub(super) fn blast_goals(
        &mut self,
        goals: Goals,
        part: &Part,
        weight: Weight,
        conflicts: u64,
        turn: &Turn,
        alone: &mut Option<Blaster>,
    ) -> Option<Verdict> {
        let conflicts = Some(u32::try_from(conflicts).unwrap_or(u32::MAX));
        let quick = matches!(goals, Goals::AllPlainly | Goals::Light);
        let budget = blast::Budget { conflicts, deadline: turn.deadline, quick };
        match goals {
            Goals::All => self.blast_turn(part, weight, turn, &budget, alone),
            Goals::AllPlainly => decided(self.blast_lazily(part, &budget)),
            Goals::Light => self.blast_light(part, &budget),
            Goals::Integers => self.blast_integers(part, &budget),
        }
    }

    /// The back end for one turn, unless the part is too heavy for it. In later turns, a part of which something is only
    /// assumed gets a back end of its own: what other queries have left behind is in the way by then.
    fn blast_turn(
        &mut self,
        part: &Part,
        weight: Weight,
        turn: &Turn,
        budget: &blast::Budget,
        alone: &mut Option<Blaster>,
    ) -> Option<Verdict> {
        if weight.gates > policy::MAX_GATES_FIRST_TURN.get().saturating_mul(turn.growth) {
            return None;
        }
        let all_last = self.lasting == self.assertions.len();
        let verdict = if turn.number == 0 {
            self.blast_lazily(part, budget)
        } else if all_last || self.fine_cores {
            self.blast(part, budget.conflicts, turn.deadline)
        } else {
            let blaster = alone.get_or_insert_with(Blaster::new);
            blaster.tell(self.hints(part));
            let answer = blaster.check_lasting(&self.terms, &part.goals, &[], budget);
            let blamed = blaster.blamed().to_vec();
            self.conclude(part, answer, &blamed)
        };
        decided(verdict)
    }

    /// The goals of a part without heavy operators, for the back end: the verdict if they have no model, or if the rest holds in
    /// it. Only where few gates are left of them. What is made for them is kept.
    fn blast_light(&mut self, part: &Part, budget: &blast::Budget) -> Option<Verdict> {
        let (light, _) = part.by_weight(&self.terms, 0, policy::MAX_GATES_OPERATOR.get());
        let light = Part { goals: light, ..Part::default() };
        let weight = light.weight(&self.terms);
        if self.lasting > 0
            || light.goals.is_empty()
            || weight.floats
            || weight.gates > policy::MAX_GATES_LIGHT_GOALS.get()
        {
            return None;
        }
        self.blaster.tell(self.hints(part));
        let answer = self.blaster.check_small(&self.terms, &light.goals, policy::MAX_ENCODED_GATES.size(), budget)?;
        self.conclude_some(part, answer)
    }

    /// The goals of a part without floats, for the back end, where the others are expensive: the verdict if they have no model, or if
    /// the rest holds in it. What is made for them is kept.
    fn blast_integers(&mut self, part: &Part, budget: &blast::Budget) -> Option<Verdict> {
        let goals = part.goals.iter().copied().filter(|&goal| !Part::of(goal).weight(&self.terms).floats).collect();
        let integers = Part { goals, ..Part::default() };
        if self.lasting > 0
            || integers.goals.is_empty()
            || integers.weight(&self.terms).gates > policy::MAX_GATES_FIRST_TURN.get()
        {
            return None;
        }
        self.blaster.tell(self.hints(part));
        let answer = self.blaster.check(&self.terms, &integers.goals, budget);
        self.conclude_some(part, answer)
    }

    /// The verdict on a part from the back end's answer to some of its goals.
    fn conclude_some(&mut self, part: &Part, answer: blast::Answer) -> Option<Verdict> {
        match answer {
            blast::Answer::Sat(model) => self.confirm(part, &model),
            blast::Answer::Unknown(_) => None,
            refuted => Some(self.conclude_shared(part, refuted)),
        }
    }

    /// The complete back end on a part, where goals with heavy circuits are given to it only when a model has failed them:
    /// they may not be needed, or hold anyway.
    fn blast_lazily(&mut self, part: &Part, budget: &blast::Budget) -> Verdict {
        let (mut given, mut waiting) = part.by_weight(&self.terms, self.lasting, policy::MAX_GATES_OPERATOR.get());
        let mut at_once = 1;
        loop {
            let lasting = &self.assertions[..self.lasting];
            self.blaster.tell(self.hints(part));
            let answer = self.blaster.check_lasting(&self.terms, lasting, &given, budget);
            let blast::Answer::Sat(model) = &answer else { return self.conclude_shared(part, answer) };
            if waiting.is_empty() {
                return self.conclude_shared(part, answer);
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
        let budget = blast::Budget { conflicts, deadline, quick: false };
        let lasting = &self.assertions[..self.lasting];
        let assumed = part.goals_from(self.lasting);
        self.blaster.tell(self.hints(part));
        let answer = self.blaster.check_lasting(&self.terms, lasting, assumed, &budget);
        self.conclude_shared(part, answer)
    }

    /// What the scalars of a part are in the last model, and what propagation knows of them.
    fn hints(&self, part: &Part) -> Vec<Hint> {
        let defined = part.definitions.iter().map(|&(var, _)| var);
        let vars = part.inputs.iter().copied().chain(defined);
        let hint = |var: VarId| {
            let known = match self.store.slot(self.terms.var(var).term).map(|slot| self.store.domain(slot)) {
                Some(Domain::Int(domain)) => domain.bits(),
                _ => KnownBits { zeros: 0, ones: 0 },
            };
            Hint { var, near: self.last_model.value(&self.terms, var).bits, known }
        };
        vars.map(hint).collect()
    }

    /// The verdict on a part from the answer of the back end that queries share.
    fn conclude_shared(&mut self, part: &Part, answer: blast::Answer) -> Verdict {
        let blamed = self.blaster.blamed().to_vec();
        self.conclude(part, answer, &blamed)
    }

    /// The verdict on a part from a back end's answer, and the variables whose known bits that rests on.
    fn conclude(&mut self, part: &Part, answer: blast::Answer, blamed: &[VarId]) -> Verdict {
        match answer {
            blast::Answer::Sat(model) => self.confirm(part, &model).unwrap_or_else(|| self.refuse(&model)),
            blast::Answer::Unsat(core) => {
                self.statistics.by_back_end += 1;
                let goals = part.assertions.iter().zip(&part.goals);
                let used = goals.filter(|&(&at, goal)| at < self.lasting || core.contains(goal));
                let mut used: Vec<usize> = used.map(|(&at, _)| at).collect();
                for &var in blamed {
                    let slot = self.store.slot(self.terms.var(var).term).expect("propagation knows something of it");
                    used.extend(self.store.explain_domain(slot).assertions.into_iter().map(|number| number as usize));
                }
                used.sort_unstable();
                used.dedup();
                Verdict::Unsat(used)
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

/// A verdict, unless more patience may give another.
fn decided(verdict: Verdict) -> Option<Verdict> {
    (!matches!(verdict, Verdict::Unknown(Reason::Steps))).then_some(verdict)
}
