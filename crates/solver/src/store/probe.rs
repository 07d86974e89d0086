//! Conditions of choices decided by refutation.
//!
//! For a choice `if c then a else b` with `c` open, each truth of `c` is tried and propagated; if that fails, the other one
//! holds (the entailment rule of InKa's `ite`: Gotlieb, Botella, Rueher 1998, 2000). This sees contradictions that take
//! more than one contractor, which the contractor of the choice alone does not.

use super::{Cause, Domain, Slot, Store};
use crate::domain::Conflict;
use crate::domain::boolean::BoolDomain;
use crate::term::{Node, Terms};
use clew_scalar::TernaryOp;

/// Conditions tried at most.
const MOST: usize = 32;

impl Store {
    /// Tries the open conditions of choices, in the present level, until none is refuted any more.
    pub(crate) fn probe(&mut self, terms: &Terms) -> Result<(), Conflict> {
        let mut left = MOST;
        loop {
            let mut refuted = false;
            for condition in self.open_conditions() {
                for truth in [true, false] {
                    if left == 0 {
                        return Ok(());
                    }
                    left -= 1;
                    refuted |= self.probe_truth(terms, condition, truth)?;
                }
            }
            if !refuted {
                return Ok(());
            }
        }
    }

    /// The undecided conditions of choices between scalars.
    fn open_conditions(&self) -> Vec<Slot> {
        let choices = self.cells.iter().filter(|cell| matches!(cell.node, Node::Ternary(TernaryOp::Select, ..)));
        let mut conditions: Vec<Slot> = choices.map(|cell| cell.operands[0]).collect();
        conditions.retain(|&slot| self.domain(slot).value().is_none());
        conditions.sort_unstable();
        conditions.dedup();
        conditions
    }

    /// Whether a truth of a condition was refuted; then the other one is made to hold.
    fn probe_truth(&mut self, terms: &Terms, condition: Slot, truth: bool) -> Result<bool, Conflict> {
        if self.domain(condition).value().is_some() {
            return Ok(false);
        }
        let levels = self.levels();
        let singleton = |truth: bool| Domain::Bool(BoolDomain::singleton(truth));
        let tried = self.decide(terms, condition, singleton(truth));
        let mut reason = tried.map_or_else(|Conflict| self.explain_conflict().assertions, |()| Vec::new());
        self.undo(levels);
        if tried.is_ok() {
            return Ok(false);
        }
        // The other truth is what is left of the present domain.
        reason.extend(self.explain_domain(condition).assertions);
        let number = u32::try_from(self.reasons.len()).expect("fewer than 2^32 reasons");
        self.reasons.push(reason);
        self.change(condition, singleton(!truth), Cause::Refuted(number))?;
        self.propagate(terms)?;
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::BinaryOp;

    use super::Store;
    use crate::domain::Conflict;
    use crate::term::{TermId, Terms};

    /// The problem foo-cl2000-store of the corpus, over integers that do not wrap: `x` and `y`, and the assertions.
    fn foo_cl2000(terms: &mut Terms) -> (TermId, TermId, Vec<TermId>) {
        let [x, y, u] = ["x", "y", "u"].map(|name| terms.int_var(name, 72));
        let mut goals = Vec::new();
        for var in [x, y, u] {
            let limit = terms.int(72, 1 << 32);
            goals.push(terms.binary(BinaryOp::Ult, var, limit));
        }
        let [two, four, eight, ten, twenty] = [2, 4, 8, 10, 20].map(|number| terms.int(72, number));
        let product = terms.binary(BinaryOp::Mul, x, y);
        goals.push(terms.binary(BinaryOp::Ule, product, eight));
        let double = terms.binary(BinaryOp::Mul, two, x);
        let difference = terms.binary(BinaryOp::Sub, double, y);
        goals.push(terms.binary(BinaryOp::Ule, difference, twenty));
        goals.push(terms.binary(BinaryOp::Ule, u, x));
        let small = terms.binary(BinaryOp::Ult, x, four);
        let choice = terms.select(small, ten, two);
        goals.push(terms.eq(u, choice));
        (x, y, goals)
    }

    #[test]
    fn probing_refutes_a_branch() {
        let mut terms = Terms::raw();
        let (x, y, goals) = foo_cl2000(&mut terms);
        let mut store = Store::default();
        for (number, &goal) in goals.iter().enumerate() {
            assert_eq!(store.post(&terms, goal, number), Ok(()));
        }
        let levels = store.levels();
        let bounds = |store: &Store, term: TermId| {
            let domain = store.domain(store.slot(term).expect("it is posted")).as_int();
            (domain.unsigned_min(), domain.unsigned_max())
        };
        assert_ne!(bounds(&store, x), (4, 11), "one contractor at a time is not enough");
        store.open();
        assert_eq!(store.probe(&terms), Ok(()));
        assert_eq!((bounds(&store, x), bounds(&store, y)), ((4, 11), (0, 2)));
        store.undo(levels);
        assert_ne!(bounds(&store, x), (4, 11), "probing is undone");
    }

    #[test]
    fn a_conflict_of_probing_names_its_assertions() {
        let mut terms = Terms::raw();
        let (x, _, mut goals) = foo_cl2000(&mut terms);
        let other = terms.int_var("other", 8);
        let irrelevant = terms.binary(BinaryOp::Ult, other, other);
        let irrelevant = terms.not(irrelevant);
        let twelve = terms.int(72, 12);
        goals.extend([irrelevant, terms.binary(BinaryOp::Ule, twelve, x)]);
        let mut store = Store::default();
        let posted = goals.iter().enumerate().try_for_each(|(number, &goal)| store.post(&terms, goal, number));
        let probed = posted.and_then(|()| {
            store.open();
            store.probe(&terms)
        });
        assert_eq!(probed, Err(Conflict));
        let core = store.explain_conflict().assertions;
        assert!(core.contains(&(goals.len() as u32 - 1)), "the last assertion is needed: {core:?}");
        assert!(!core.contains(&(goals.len() as u32 - 2)), "an assertion about something else is not: {core:?}");
    }
}
