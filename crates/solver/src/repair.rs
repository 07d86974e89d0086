//! Repair: the last model with a few inputs changed, so that what fails under it holds.
//!
//! The inputs of a path most often lead down the path beside it after a small change. So before anything is propagated, a
//! condition that fails is followed down to inputs (`wish`), and a change of one of them is kept if fewer conditions are
//! unmet than before. Only what depends on a changed input is evaluated again. All of it is bounded by small constants:
//! what takes longer is for the other layers.
//!
//! The idea is that of propagation-based local search (Niemetz, Preiner, Biere 2016), without chance, distances or a way back:
//! `local` has those.

mod wish;

use crate::policy;
use clew_scalar::{BinaryOp, UnaryOp, Value};

use crate::evaluate::Evaluator;
use crate::model::Model;
use crate::term::{Node, TermId, Terms, VarId};

/// A condition and the truth it must have.
type Literal = (TermId, bool);
/// An input and the bits it is proposed to have.
type Proposal = (VarId, u128);

/// What is to be repaired.
#[derive(Clone, Copy)]
pub(crate) struct Task<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) assertions: &'a [TermId],
    /// Positions of the assertions that do not hold under the last model.
    pub(crate) failing: &'a [usize],
    /// The last model.
    pub(crate) last: &'a Model,
    /// Values under the last model.
    pub(crate) base: &'a Evaluator,
    /// Variables that are not to be changed.
    pub(crate) fixed: &'a [VarId],
}

/// A model of all assertions, and the reach of the variables that it changes; `trial` has evaluated it.
pub(crate) fn repair(task: Task<'_>, trial: &mut Evaluator) -> Option<(Model, u64)> {
    trial.reset();
    let mut repair = Repair {
        task,
        trial,
        model: task.last.clone(),
        changed: 0,
        inputs: Vec::new(),
        trials: policy::REPAIR_TRIALS.size(),
    };
    let mut unmet = repair.unmet(policy::REPAIR_UNMET.size())?;
    while !unmet.is_empty() {
        unmet = repair.improve(&unmet)?;
    }
    Some((repair.model, repair.changed))
}

struct Repair<'a> {
    task: Task<'a>,
    trial: &'a mut Evaluator,
    /// The candidate.
    model: Model,
    /// The reach of the variables in which it differs from the last model.
    changed: u64,
    /// These variables.
    inputs: Vec<VarId>,
    /// Changes that may still be tried.
    trials: usize,
}

impl Repair<'_> {
    fn bits(&mut self, term: TermId) -> u128 {
        self.trial.value_beside(self.task.terms, &self.model, term, (self.task.base, self.changed))
    }

    /// Changes an input so that fewer conditions are unmet: those that still are.
    fn improve(&mut self, unmet: &[Literal]) -> Option<Vec<Literal>> {
        if self.inputs.len() == policy::REPAIR_CHANGES.size() {
            return None;
        }
        let reach = self.changed;
        for (var, bits) in self.proposals(*unmet.first()?) {
            self.trials = self.trials.checked_sub(1)?;
            let before = self.model.value(self.task.terms, var);
            self.model.set(var, Value { bits, ..before });
            self.changed = reach | self.task.terms.reach(self.task.terms.var(var).term);
            self.trial.reset();
            if let Some(left) = self.unmet(unmet.len() - 1) {
                self.inputs.push(var);
                return Some(left);
            }
            self.model.set(var, before);
        }
        None
    }

    /// The conditions that the candidate does not meet, unless there are more than so many.
    fn unmet(&mut self, most: usize) -> Option<Vec<Literal>> {
        let Task { terms, assertions, failing, .. } = self.task;
        let mut found = Vec::new();
        for &position in failing {
            self.collect(assertions[position], most, &mut found)?;
        }
        // The others hold under the last model.
        for &assertion in assertions.iter().rev() {
            if terms.reach(assertion) & self.changed != 0 && !failing.iter().any(|&at| assertions[at] == assertion) {
                self.collect(assertion, most, &mut found)?;
            }
        }
        Some(found)
    }

    /// Adds the unmet conditions of a conjunction.
    fn collect(&mut self, root: TermId, most: usize, found: &mut Vec<Literal>) -> Option<()> {
        let mut open: Vec<Literal> = vec![(root, true)];
        while let Some((term, truth)) = open.pop() {
            if (self.bits(term) != 0) == truth {
                continue;
            }
            match (self.task.terms.node(term), truth) {
                (Node::Unary(UnaryOp::Not, a), _) => open.push((a, !truth)),
                (Node::Binary(BinaryOp::And, a, b), true) | (Node::Binary(BinaryOp::Or, a, b), false) => {
                    open.extend([(b, truth), (a, truth)]);
                }
                _ => found.push((term, truth)),
            }
            if found.len() > most {
                return None;
            }
        }
        Some(())
    }

    /// Changes of one input that might meet a condition, likelier ones first.
    fn proposals(&mut self, (term, truth): Literal) -> Vec<Proposal> {
        let mut found: Vec<Proposal> = Vec::new();
        let mut open = vec![(term, u128::from(truth))];
        for _ in 0..policy::REPAIR_WISHES.size() {
            let Some((term, bits)) = open.pop() else { break };
            match self.task.terms.node(term) {
                Node::Var(var) if self.may_change(var) && !found.contains(&(var, bits)) => found.push((var, bits)),
                Node::Const(_) | Node::Var(_) => {}
                _ => {
                    let first = open.len();
                    self.wish(term, bits, &mut open);
                    open[first..].reverse();
                }
            }
            if found.len() == policy::REPAIR_PROPOSALS.size() {
                break;
            }
        }
        found
    }

    fn may_change(&self, var: VarId) -> bool {
        !self.inputs.contains(&var) && !self.task.fixed.contains(&var)
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::{BinaryOp, Conversion};

    use super::{Task, repair};
    use crate::evaluate::Evaluator;
    use crate::model::Model;
    use crate::term::{TermId, Terms};

    /// The model that repairs zeros everywhere, if there is one; it satisfies all assertions.
    fn repaired(terms: &Terms, assertions: &[TermId]) -> Option<Model> {
        let (last, mut base, mut trial) = (Model::new(), Evaluator::new(), Evaluator::new());
        let holds =
            |evaluator: &mut Evaluator, model: &Model, at: usize| evaluator.is_true(terms, model, assertions[at]);
        let failing: Vec<usize> = (0..assertions.len()).filter(|&at| !holds(&mut base, &last, at)).collect();
        let task = Task { terms, assertions, failing: &failing, last: &last, base: &base, fixed: &[] };
        let (model, changed) = repair(task, &mut trial)?;
        base.follow(terms, changed, &trial);
        let mut judge = Evaluator::new();
        for &assertion in assertions {
            assert!(judge.is_true(terms, &model, assertion), "a repaired model holds");
            assert!(base.is_true(terms, &model, assertion), "values follow the model");
        }
        Some(model)
    }

    #[test]
    fn chains_of_choices_are_followed() {
        let mut terms = Terms::new();
        let letter = terms.int_var("letter", 8);
        let mut value = terms.int(32, 0xFFFF_FFFF);
        for (low, high, shift) in [(48, 57, 4), (97, 122, 185), (65, 90, 191)] {
            let [low, high, shift] = [low, high, shift].map(|number| terms.int(8, number));
            let (above, below) = (terms.binary(BinaryOp::Ule, low, letter), terms.binary(BinaryOp::Ule, letter, high));
            let (inside, moved) = (terms.and(above, below), terms.binary(BinaryOp::Add, letter, shift));
            let wide = terms.convert(Conversion::ZeroExtend(32), moved);
            value = terms.select(inside, wide, value);
        }
        let seventeen = terms.int(32, 17);
        let goal = terms.eq(value, seventeen);
        assert!(repaired(&terms, &[goal]).is_some(), "the letter R");
    }

    #[test]
    fn several_inputs_are_changed() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.int_var(name, 32));
        let (ten, mask) = (terms.int(32, 10), terms.int(32, 0xF0));
        let sum = terms.binary(BinaryOp::Add, x, y);
        let masked = terms.binary(BinaryOp::And, z, mask);
        let goals = [terms.binary(BinaryOp::Ult, ten, x), terms.eq(sum, ten), terms.binary(BinaryOp::Ult, ten, masked)];
        assert!(repaired(&terms, &goals).is_some(), "x = 11, y = -1, z = 16");
    }

    #[test]
    fn what_cannot_be_is_left_to_others() {
        let mut terms = Terms::new();
        let x = terms.int_var("x", 8);
        let (two, six) = (terms.int(8, 2), terms.int(8, 6));
        let goals = [terms.binary(BinaryOp::Ult, x, two), terms.binary(BinaryOp::Ult, six, x)];
        assert!(repaired(&terms, &goals).is_none());
    }
}
