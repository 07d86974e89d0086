//! `x = t`: the equations that define variables, put into the other assertions, may make one of them plainly false.
//!
//! Every assertion of a part is built again with the defined variables replaced, and the simplifying constructors do the
//! rest: `x = y` and `x - y >= 93` leave `0 >= 93`, where intervals of `x` and `y` know nothing. The new terms are given
//! back at once; what follows from an assertion that has become simpler, but not constant, is not used.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::search::{Part, conjuncts, equations};
use crate::term::{Node, TermId, Terms, VarId};

/// Parts with more assertions than this are left alone.
const MOST_GOALS: usize = 1_000;

/// The positions of assertions that contradict each other by their equations, if any.
pub(crate) fn refute(terms: &mut Terms, part: &Part) -> Option<Vec<usize>> {
    if part.definitions.is_empty() || part.goals.len() > MOST_GOALS {
        return None;
    }
    let mark = terms.mark();
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    for &(var, body) in &part.definitions {
        let value = terms.substitute_all(body, &mut done);
        done.insert(terms.var(var).term, value);
    }
    let mut is_false = |goal: TermId| {
        let value = terms.substitute_all(goal, &mut done);
        terms.bits(value) == Some(0)
    };
    let falsity = part.goals.iter().copied().find(|&goal| is_false(goal));
    terms.release(mark);
    falsity.map(|goal| core(terms, part, goal))
}

/// The positions of a goal and of the equations it depends on.
fn core(terms: &Terms, part: &Part, falsity: TermId) -> Vec<usize> {
    let used = used(terms, part, falsity);
    let defines = |goal: TermId| {
        let found = conjuncts(terms, &[goal]).into_iter().flat_map(|conjunct| equations(terms, conjunct));
        found.into_iter().any(|equation| used.contains(&equation))
    };
    let places = part.assertions.iter().zip(&part.goals);
    places.filter(|&(_, &goal)| goal == falsity || defines(goal)).map(|(&at, _)| at).collect()
}

/// The definitions that a goal depends on.
fn used(terms: &Terms, part: &Part, goal: TermId) -> FxHashSet<(VarId, TermId)> {
    let bodies: FxHashMap<VarId, TermId> = part.definitions.iter().copied().collect();
    let mut used = FxHashSet::default();
    let mut seen = FxHashSet::from_iter([goal]);
    let mut open = vec![goal];
    while let Some(term) = open.pop() {
        if let Node::Var(var) = terms.node(term)
            && let Some(&body) = bodies.get(&var)
        {
            used.insert((var, body));
            open.extend(seen.insert(body).then_some(body));
        }
        open.extend(terms.operands(term).into_iter().filter(|&operand| seen.insert(operand)));
    }
    used
}

#[cfg(test)]
mod tests {
    use clew_scalar::BinaryOp;

    use crate::solver::{Answer, AssertionId, Budget, Solver};
    use crate::term::TermId;

    fn assert(solver: &mut Solver, op: BinaryOp, a: TermId, b: TermId) -> AssertionId {
        let condition = solver.terms_mut().binary(op, a, b);
        solver.assert(condition)
    }

    #[test]
    fn equal_terms_have_no_difference() {
        let mut solver = Solver::default();
        let [x, y, z, u] = ["x", "y", "z", "u"].map(|name| solver.terms_mut().int_var(name, 32));
        let (five, bound) = (solver.terms_mut().int(32, 5), solver.terms_mut().int(32, 93));
        let sum = solver.terms_mut().binary(BinaryOp::Add, y, five);
        let first = assert(&mut solver, BinaryOp::Eq, z, sum);
        assert(&mut solver, BinaryOp::Eq, u, x);
        let second = assert(&mut solver, BinaryOp::Eq, x, z);
        let difference = solver.terms_mut().binary(BinaryOp::Sub, x, y);
        let last = assert(&mut solver, BinaryOp::Slt, bound, difference);
        let kept = solver.terms().len();
        let Answer::Unsat(core) = solver.check(&Budget::default()) else { panic!("5 is not above 93") };
        assert_eq!(core.assertions, [first, second, last]);
        assert_eq!((solver.statistics().by_equations, solver.terms().len()), (1, kept));
    }

    #[test]
    fn what_may_hold_is_left_alone() {
        let mut solver = Solver::default();
        let [x, y] = ["x", "y"].map(|name| solver.terms_mut().int_var(name, 32));
        let bound = solver.terms_mut().int(32, 93);
        let double = solver.terms_mut().binary(BinaryOp::Add, y, y);
        assert(&mut solver, BinaryOp::Eq, x, double);
        let difference = solver.terms_mut().binary(BinaryOp::Sub, x, y);
        assert(&mut solver, BinaryOp::Slt, bound, difference);
        assert!(matches!(solver.check(&Budget::default()), Answer::Sat(_)));
    }
}
