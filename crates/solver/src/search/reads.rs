//! Reads of array variables as unknowns: what is read is labelled like an input, and fills the array of the candidate.
//!
//! An array that is only read is an unknown function, so a problem over it is one over its reads, where equal indices
//! have equal elements. A candidate gives the reads values in an order in which each index is known before its element;
//! two elements that differ at one index make it no candidate. Arrays that are written to, chosen or compared are left to
//! others.

use clew_scalar::Value;
use rustc_hash::FxHashSet;

use super::nearest;
use crate::evaluate::Evaluator;
use crate::model::Model;
use crate::store::Domain;
use crate::term::{Node, Sort, TermId, Terms, VarId};

/// The reads of a part, each after those its index depends on.
#[derive(Debug)]
pub(crate) struct Reads {
    /// Those below the definition with the same position, and below none before it.
    of_definition: Vec<Vec<TermId>>,
    /// The others.
    rest: Vec<TermId>,
}

impl Reads {
    /// The reads of some goals, if nothing else is done with arrays.
    pub(super) fn of(terms: &Terms, goals: &[TermId], definitions: &[(VarId, TermId)]) -> Option<Reads> {
        let below = terms.reachable(goals);
        let only_read = below.iter().all(|&term| is_plain(terms, term));
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut unseen = |roots: &[TermId]| -> Vec<TermId> {
            let reads = terms.reachable(roots).into_iter().filter(|&term| matches!(terms.node(term), Node::Read(..)));
            reads.filter(|&term| seen.insert(term)).collect()
        };
        only_read.then(|| Reads {
            of_definition: definitions.iter().map(|&(_, body)| unseen(&[body])).collect(),
            rest: unseen(goals),
        })
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = TermId> {
        self.of_definition.iter().flatten().chain(&self.rest).copied()
    }

    /// Those to be settled before a definition is computed.
    pub(super) fn before(&self, definition: usize) -> &[TermId] {
        &self.of_definition[definition]
    }

    /// Those to be settled after all definitions.
    pub(super) fn rest(&self) -> &[TermId] {
        &self.rest
    }
}

/// Whether a term is no array, or an array variable; and reads, if it is a read, from a variable.
fn is_plain(terms: &Terms, term: TermId) -> bool {
    match terms.node(term) {
        Node::ArrayEq(..) => false,
        Node::Var(_) => true,
        _ => matches!(terms.sort(term), Sort::Scalar(_)),
    }
}

/// The elements that a candidate has been given so far.
#[derive(Default)]
pub(super) struct Elements {
    given: FxHashSet<(VarId, u128)>,
}

impl Elements {
    /// Gives what is read the value of a domain nearest to what the array has there; `false` if it has been given another one.
    pub(super) fn settle(
        &mut self,
        terms: &Terms,
        model: &mut Model,
        evaluator: &mut Evaluator,
        read: TermId,
        domain: &Domain,
    ) -> bool {
        let Node::Read(array, index) = terms.node(read) else { unreachable!("only reads are settled") };
        let Node::Var(var) = terms.node(array) else { unreachable!("only variables are read") };
        let index = evaluator.value(terms, model, index).bits;
        let is_new = self.given.insert((var, index));
        let element = Value::new(terms.ty(read), model.element(var, index));
        if !domain.contains(element.bits) {
            let mut contents = model.array(var);
            contents.entries.insert(index, nearest(element, domain).bits);
            model.set_array(var, contents);
            return is_new;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use clew_scalar::{BinaryOp, Conversion};

    use crate::evaluate::Evaluator;
    use crate::model::{ArrayValue, Model};
    use crate::solver::{Answer, Budget, Config, Engine, Solver};
    use crate::term::{Node, Sort, TermId, Terms, VarId};

    /// Conditions on an array `a` and integers `x` and `y`, all of two bits.
    fn conditions(terms: &mut Terms) -> (Vec<VarId>, Vec<TermId>) {
        let a = terms.declare("a", Sort::array(2, 2));
        let (x, y) = (terms.int_var("x", 2), terms.int_var("y", 2));
        let (at_x, at_y) = (terms.read(a, x), terms.read(a, y));
        let (twice, one) = (terms.read(a, at_x), terms.int(2, 1));
        let (above, sum) = (terms.binary(BinaryOp::Add, y, one), terms.binary(BinaryOp::Add, at_x, at_y));
        let (wide, wide_sum) =
            (terms.convert(Conversion::ZeroExtend(3), x), terms.convert(Conversion::ZeroExtend(3), sum));
        let next = terms.read(a, above);
        let same = terms.eq(x, y);
        let conditions = vec![
            same,
            terms.eq(at_x, at_y),
            terms.eq(twice, y),
            terms.binary(BinaryOp::Ult, at_x, at_y),
            terms.eq(x, above),
            terms.eq(next, at_x),
            terms.binary(BinaryOp::Ult, wide_sum, wide),
            terms.eq(y, at_x),
        ];
        let var = |term: TermId| if let Node::Var(var) = terms.node(term) { var } else { unreachable!("a variable") };
        ([a, x, y].map(var).to_vec(), conditions)
    }

    /// Whether all goals hold for some array and some integers.
    fn is_satisfiable(terms: &Terms, vars: &[VarId], goals: &[TermId]) -> bool {
        let mut evaluator = Evaluator::new();
        (0..1u128 << 12).any(|code| {
            let mut model = Model::new();
            let entries = (0..4).map(|index| (index, code >> (2 * index) & 3)).collect();
            model.set_array(vars[0], ArrayValue { default: 0, entries });
            model.set(vars[1], clew_scalar::Value::int(2, code >> 8 & 3));
            model.set(vars[2], clew_scalar::Value::int(2, code >> 10));
            evaluator.reset();
            goals.iter().all(|&goal| evaluator.is_true(terms, &model, goal))
        })
    }

    #[test]
    fn what_is_read_is_labelled_and_equal_indices_have_equal_elements() {
        // Each condition is left out, asserted or denied.
        for code in 0..3usize.pow(8) {
            let mut solver = Solver::new(Config { engine: Engine::Propagation, ..Config::default() });
            let (vars, conditions) = conditions(solver.terms_mut());
            let mut goals = Vec::new();
            for (place, &condition) in conditions.iter().enumerate() {
                match code / 3usize.pow(place as u32) % 3 {
                    0 => {}
                    1 => goals.push(condition),
                    _ => goals.push(solver.terms_mut().not(condition)),
                }
            }
            for &goal in &goals {
                solver.assert(goal);
            }
            let expected = is_satisfiable(solver.terms(), &vars, &goals);
            match solver.check(&Budget { steps: Some(100_000), ..Budget::default() }) {
                Answer::Sat(_) => assert!(expected, "{}", solver.terms().describe(&goals)),
                Answer::Unsat(_) => assert!(!expected, "{}", solver.terms().describe(&goals)),
                Answer::Unknown(reason) => panic!("{reason:?}: {}", solver.terms().describe(&goals)),
            }
        }
    }
}
