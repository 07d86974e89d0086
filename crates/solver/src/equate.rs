//! `x = t`: the equations that define variables, put into the other assertions, may make one of them plainly false.
//!
//! Every assertion of a part is built again with the defined variables replaced, and the simplifying constructors do the
//! rest: `x = y` and `x - y >= 93` leave `0 >= 93`, where intervals of `x` and `y` know nothing. Terms that propagation has
//! left one value are replaced by it in the same way, where the caller asks for that: `0 + x * x < x * x` is false. An
//! assertion that has become an equation is put into the others in turn (`cascade`). The new terms are given back at once.

mod cascade;

use crate::policy;
use rustc_hash::{FxHashMap, FxHashSet};

use clew_scalar::{UnaryOp, Value};

use crate::search::{Part, conjuncts, equations};
use crate::store::{Domain, Store};
use crate::term::{Node, TermId, Terms, VarId};

/// The positions of assertions that contradict each other by their equations, if any.
pub(crate) fn refute(terms: &mut Terms, part: &Part) -> Option<Vec<usize>> {
    if part.definitions.is_empty() || part.goals.len() > policy::EQUATE_GOALS.size() {
        return None;
    }
    match put_in(terms, part, FxHashMap::default()) {
        Equated::Falsity(falsity) => Some(core(terms, part, falsity, &FxHashSet::default()).0),
        Equated::Equations => cascade::refute(terms, part),
        Equated::Nothing => None,
    }
}

/// What becomes of the goals.
enum Equated {
    /// One is false.
    Falsity(TermId),
    /// One has become an equation that defines a variable, or the negation of another one.
    Equations,
    Nothing,
}

/// The same, with the values that propagation has found.
pub(crate) fn refute_with_values(terms: &mut Terms, part: &Part, store: &Store) -> Option<Vec<usize>> {
    if part.goals.len() > policy::EQUATE_GOALS.size() {
        return None;
    }
    let mark = terms.mark();
    let values = values(terms, part, store);
    let fixed: FxHashSet<TermId> = values.keys().copied().collect();
    let outcome = if fixed.is_empty() { Equated::Nothing } else { put_in(terms, part, values) };
    terms.release(mark);
    let Equated::Falsity(falsity) = outcome else { return None };
    let (mut core, used) = core(terms, part, falsity, &fixed);
    for slot in used.into_iter().filter_map(|term| store.slot(term)) {
        core.extend(store.explain_domain(slot).assertions.into_iter().map(|number| number as usize));
    }
    core.sort_unstable();
    core.dedup();
    Some(core)
}

/// The numbers below the goals of a part that have one value left, and these values; a NaN has many encodings.
fn values(terms: &mut Terms, part: &Part, store: &Store) -> FxHashMap<TermId, TermId> {
    let value = |term: TermId| match store.domain(store.slot(term)?) {
        Domain::Int(domain) => domain.value(),
        Domain::Float(domain) if !domain.may_be_nan() => domain.value(),
        _ => None,
    };
    let mut values = FxHashMap::default();
    for term in terms.reachable(&part.goals) {
        if terms.bits(term).is_none()
            && let Some(bits) = value(term)
        {
            let constant = terms.constant(Value::new(terms.ty(term), bits));
            values.insert(term, constant);
        }
    }
    values
}

/// What becomes of the goals when terms are replaced as told and variables by what defines them.
fn put_in(terms: &mut Terms, part: &Part, mut done: FxHashMap<TermId, TermId>) -> Equated {
    let mark = terms.mark();
    for &(var, body) in &part.definitions {
        let value = terms.substitute_all(body, &mut done);
        done.entry(terms.var(var).term).or_insert(value);
    }
    let mut outcome = Equated::Nothing;
    let mut statements: FxHashSet<TermId> = FxHashSet::default();
    for &goal in &part.goals {
        let value = terms.substitute_all(goal, &mut done);
        if terms.bits(value) == Some(0) {
            outcome = Equated::Falsity(goal);
            break;
        }
        let found = conjuncts(terms, &[value]);
        if value != goal && found.iter().any(|&conjunct| !equations(terms, conjunct).is_empty()) {
            outcome = Equated::Equations;
        }
        statements.extend(found);
    }
    let is_negated = |&statement: &TermId| match terms.node(statement) {
        Node::Unary(UnaryOp::Not, positive) => statements.contains(&positive),
        _ => false,
    };
    if matches!(outcome, Equated::Nothing) && statements.iter().any(is_negated) {
        outcome = Equated::Equations;
    }
    terms.release(mark);
    outcome
}

/// The positions of a goal and of the equations it depends on, and the fixed terms it depends on.
fn core(terms: &Terms, part: &Part, falsity: TermId, fixed: &FxHashSet<TermId>) -> (Vec<usize>, Vec<TermId>) {
    let (used, values) = used(terms, part, falsity, fixed);
    let defines = |goal: TermId| {
        let found = conjuncts(terms, &[goal]).into_iter().flat_map(|conjunct| equations(terms, conjunct));
        found.into_iter().any(|equation| used.contains(&equation))
    };
    let places = part.assertions.iter().zip(&part.goals);
    (places.filter(|&(_, &goal)| goal == falsity || defines(goal)).map(|(&at, _)| at).collect(), values)
}

/// The definitions and the fixed terms that a goal depends on.
fn used(
    terms: &Terms,
    part: &Part,
    goal: TermId,
    fixed: &FxHashSet<TermId>,
) -> (FxHashSet<(VarId, TermId)>, Vec<TermId>) {
    let bodies: FxHashMap<VarId, TermId> = part.definitions.iter().copied().collect();
    let (mut used, mut values) = (FxHashSet::default(), Vec::new());
    let mut seen = FxHashSet::from_iter([goal]);
    let mut open = vec![goal];
    while let Some(term) = open.pop() {
        if fixed.contains(&term) {
            values.push(term);
            continue;
        }
        if let Node::Var(var) = terms.node(term)
            && let Some(&body) = bodies.get(&var)
        {
            used.insert((var, body));
            open.extend(seen.insert(body).then_some(body));
        }
        open.extend(terms.operands(term).into_iter().filter(|&operand| seen.insert(operand)));
    }
    (used, values)
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
    fn values_found_by_propagation_are_put_in() {
        let mut solver = Solver::default();
        let [x, y, z] = ["x", "y", "z"].map(|name| solver.terms_mut().int_var(name, 32));
        let [zero, one, bound] = [0, 1, 7].map(|number| solver.terms_mut().int(32, number));
        let first = assert(&mut solver, BinaryOp::Ult, x, one);
        assert(&mut solver, BinaryOp::Ult, bound, z);
        let shifted = solver.terms_mut().binary(BinaryOp::Shl, y, x);
        let last = assert(&mut solver, BinaryOp::Ne, shifted, y);
        assert(&mut solver, BinaryOp::Slt, zero, y);
        let kept = solver.terms().len();
        let Answer::Unsat(core) = solver.check(&Budget::default()) else { panic!("a shift by nothing is no change") };
        assert_eq!(core.assertions, [first, last]);
        assert_eq!((solver.statistics().by_equations, solver.terms().len()), (1, kept));
    }

    #[test]
    fn what_becomes_its_own_negation_is_refuted() {
        let mut solver = Solver::default();
        let [x, y] = ["x", "y"].map(|name| solver.terms_mut().int_var(name, 32));
        let [zero, distance, bound] = [0, 255, 33].map(|number| solver.terms_mut().int(32, number));
        let terms = solver.terms_mut();
        let (below, difference) = (terms.binary(BinaryOp::Ult, x, y), terms.binary(BinaryOp::Sub, x, y));
        let saturated = terms.select(below, zero, difference);
        let first = assert(&mut solver, BinaryOp::Sle, saturated, bound);
        let second = assert(&mut solver, BinaryOp::Eq, saturated, distance);
        let Answer::Unsat(core) = solver.check(&Budget::default()) else { panic!("255 is not at most 33") };
        assert_eq!((core.assertions, solver.statistics().by_equations), (vec![first, second], 1));
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
