//! Conditions of choices, and signs, decided by refutation.
//!
//! For a choice `if c then a else b` with `c` open, each truth of `c` is tried and propagated; if that fails, the other one
//! holds (the entailment rule of InKa's `ite`: Gotlieb, Botella, Rueher 1998, 2000). This sees contradictions that take
//! more than one propagator, which the propagator of the choice alone does not. The same is done with the sign of a number
//! that is shifted right, divided, extended or compared as a signed one: on either side of zero the propagators know more
//! than the join of both.

use super::{Cause, Domain, Slot, Store};
use crate::domain::Conflict;
use crate::domain::boolean::BoolDomain;
use crate::domain::int::IntDomain;
use crate::policy;
use crate::term::{Node, Terms};
use clew_scalar::{BinaryOp, Conversion, TernaryOp};

/// A cell and two domains, one of which it has to be in.
type Alternative = (Slot, [Domain; 2]);

impl Store {
    /// Tries the open conditions of choices and the open signs, in the present level, until none is refuted any more, or so
    /// many propagators have been run for both.
    pub(crate) fn probe(&mut self, terms: &Terms, steps: u64) -> Result<(), Conflict> {
        let limit = self.steps().saturating_add(steps);
        self.probe_all(terms, (policy::MAX_PROBED_CONDITIONS.size(), limit), Store::open_conditions)?;
        self.probe_all(terms, (policy::MAX_PROBED_SIGNS.size(), limit), Store::open_signs)
    }

    /// Tries alternatives until none is refuted any more, or so many halves have been tried, or the steps are used up.
    fn probe_all(
        &mut self,
        terms: &Terms,
        (halves, limit): (usize, u64),
        open: fn(&Store) -> Vec<Alternative>,
    ) -> Result<(), Conflict> {
        let mut left = halves;
        loop {
            let mut refuted = false;
            for (slot, [first, second]) in open(self) {
                for (tried, other) in [(first, second), (second, first)] {
                    if left == 0 || self.steps() > limit {
                        return Ok(());
                    }
                    left -= 1;
                    refuted |= self.probe_half(terms, slot, tried, other)?;
                }
            }
            if !refuted {
                return Ok(());
            }
        }
    }

    /// The undecided conditions of choices between scalars.
    fn open_conditions(&self) -> Vec<Alternative> {
        let choices = self.cells.iter().filter(|cell| matches!(cell.node, Node::Ternary(TernaryOp::Select, ..)));
        let mut conditions: Vec<Slot> = choices.map(|cell| cell.operands[0]).collect();
        conditions.retain(|&slot| self.domain(slot).value().is_none());
        conditions.sort_unstable();
        conditions.dedup();
        let truths = [true, false].map(|truth| Domain::Bool(BoolDomain::singleton(truth)));
        conditions.into_iter().map(|slot| (slot, truths)).collect()
    }

    /// The numbers whose sign matters and is not known.
    fn open_signs(&self) -> Vec<Alternative> {
        let mut numbers: Vec<Slot> =
            self.cells.iter().flat_map(|cell| signed_operands(cell.node, cell.operands)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().filter_map(|slot| Some((slot, signs(self.domain(slot))?))).collect()
    }

    /// Whether half of an alternative was refuted; then the other one is made to hold.
    fn probe_half(&mut self, terms: &Terms, slot: Slot, tried: Domain, other: Domain) -> Result<bool, Conflict> {
        if self.domain(slot).meet(&tried).is_err() || self.domain(slot).meet(&other).is_err() {
            return Ok(false);
        }
        let levels = self.levels();
        let result = self.decide(terms, slot, tried);
        let mut reason = result.map_or_else(|Conflict| self.explain_conflict().assertions, |()| Vec::new());
        self.undo(levels);
        if result.is_ok() {
            return Ok(false);
        }
        // The other half is what is left of the present domain.
        reason.extend(self.explain_domain(slot).assertions);
        let number = u32::try_from(self.reasons.len()).expect("fewer than 2^32 reasons");
        self.reasons.push(reason);
        self.change(slot, other, Cause::Refuted(number))?;
        self.propagate(terms)?;
        Ok(true)
    }
}

/// The operands of a cell whose sign decides what it is.
fn signed_operands(node: Node, operands: [Slot; 3]) -> Vec<Slot> {
    match node {
        Node::Binary(BinaryOp::Slt | BinaryOp::Sle | BinaryOp::SDiv | BinaryOp::SRem, ..) => operands[..2].to_vec(),
        Node::Binary(BinaryOp::AShr | BinaryOp::LShr, ..) | Node::Convert(Conversion::SignExtend(_), _) => {
            vec![operands[0]]
        }
        _ => Vec::new(),
    }
}

/// The natural and the negative numbers, where both are possible.
fn signs(domain: &Domain) -> Option<[Domain; 2]> {
    let Domain::Int(numbers) = domain else { return None };
    let greatest = (numbers.mask() >> 1) as i128;
    let width = numbers.width();
    let both = numbers.signed_min() < 0 && numbers.signed_max() >= 0;
    both.then(|| [(0, greatest), (-greatest - 1, -1)].map(|(lo, hi)| Domain::Int(IntDomain::signed(width, lo, hi))))
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
        assert_ne!(bounds(&store, x), (4, 11), "one propagator at a time is not enough");
        store.open();
        assert_eq!(store.probe(&terms, u64::MAX), Ok(()));
        assert_eq!((bounds(&store, x), bounds(&store, y)), ((4, 11), (0, 2)));
        store.undo(levels);
        assert_ne!(bounds(&store, x), (4, 11), "probing is undone");
    }

    #[test]
    fn probing_refutes_a_sign() {
        let mut terms = Terms::raw();
        let x = terms.int_var("x", 32);
        let [zero, nine] = [0, 9].map(|number| terms.int(32, number));
        let shifted = terms.binary(BinaryOp::LShr, x, nine);
        let goals = [terms.binary(BinaryOp::Sle, x, shifted), terms.binary(BinaryOp::Ult, zero, x)];
        let mut store = Store::default();
        for (number, goal) in goals.into_iter().enumerate() {
            assert_eq!(store.post(&terms, goal, number), Ok(()));
        }
        let greatest = |store: &Store| store.domain(store.slot(x).expect("it is posted")).as_int().signed_max();
        assert!(greatest(&store) > 0, "the propagators see both signs at once");
        store.open();
        assert_eq!(store.probe(&terms, u64::MAX), Ok(()));
        assert!(greatest(&store) < 0, "no positive number is at most its own share");
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
            store.probe(&terms, u64::MAX)
        });
        assert_eq!(probed, Err(Conflict));
        let core = store.explain_conflict().assertions;
        assert!(core.contains(&(goals.len() as u32 - 1)), "the last assertion is needed: {core:?}");
        assert!(!core.contains(&(goals.len() as u32 - 2)), "an assertion about something else is not: {core:?}");
    }
}
