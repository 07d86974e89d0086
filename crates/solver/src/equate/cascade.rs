//! Equations that appear once others are put in: `a - b = 0` makes the borrow of the next digits `0`, and these equal too.
//!
//! Goals are taken apart into statements, each with the assertions it rests on. In a round, the statements that define
//! variables are put into all of them, and the simplifying constructors may make others define variables for the next round;
//! a statement that becomes false refutes the part (Gaussian elimination, one layer at a time), and so do two that become each
//! other's negation.

use crate::policy;
use clew_scalar::UnaryOp;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::search::{Part, conjuncts, equations};
use crate::term::{Node, TermId, Terms, VarId};

/// A condition that follows from some assertions.
struct Statement {
    condition: TermId,
    /// The positions of the assertions, ascending.
    from: Vec<usize>,
}

/// Variables, each with what it is equal to and the number of the statement that says so.
type Definitions = FxHashMap<VarId, (TermId, usize)>;

/// The positions of assertions that contradict each other by their equations, if any. All terms made are given back.
pub(super) fn refute(terms: &mut Terms, part: &Part) -> Option<Vec<usize>> {
    if terms.reachable(&part.goals).len() > policy::CASCADE_TERMS.size() {
        return None;
    }
    let mark = terms.mark();
    let goals = part.goals.iter().zip(&part.assertions);
    let mut statements: Vec<Statement> = goals
        .flat_map(|(&goal, &position)| apart(terms, Statement { condition: goal, from: vec![position] }))
        .collect();
    let mut core = None;
    for _ in 0..policy::CASCADE_ROUNDS.size() {
        let definitions = define(terms, &statements);
        if definitions.is_empty() {
            break;
        }
        statements = put_in(terms, &statements, &definitions);
        core = contradiction(terms, &statements);
        if core.is_some() {
            break;
        }
    }
    terms.release(mark);
    core
}

/// The positions of the assertions of a statement that is false, or of two that contradict each other.
fn contradiction(terms: &Terms, statements: &[Statement]) -> Option<Vec<usize>> {
    let numbers: FxHashMap<TermId, usize> = statements.iter().map(|statement| statement.condition).zip(0..).collect();
    statements.iter().find_map(|statement| match terms.node(statement.condition) {
        Node::Const(value) if value.bits == 0 => Some(statement.from.clone()),
        Node::Unary(UnaryOp::Not, positive) => {
            let mut from = [statement.from.as_slice(), &statements[*numbers.get(&positive)?].from].concat();
            from.sort_unstable();
            from.dedup();
            Some(from)
        }
        _ => None,
    })
}

/// The conjuncts of a statement.
fn apart(terms: &Terms, statement: Statement) -> Vec<Statement> {
    let parts = conjuncts(terms, &[statement.condition]).into_iter();
    parts.map(|condition| Statement { condition, from: statement.from.clone() }).collect()
}

/// Definitions that do not depend on each other.
fn define(terms: &Terms, statements: &[Statement]) -> Definitions {
    let mut definitions = Definitions::default();
    let mut below: FxHashSet<VarId> = FxHashSet::default();
    for (number, statement) in statements.iter().enumerate() {
        let found = equations(terms, statement.condition).into_iter().find_map(|(var, body)| {
            let vars = vars(terms, body);
            let is_apart = !vars.contains(&var) && !vars.iter().any(|other| definitions.contains_key(other));
            (is_apart && !below.contains(&var) && !definitions.contains_key(&var)).then_some((var, body, vars))
        });
        if let Some((var, body, vars)) = found {
            definitions.insert(var, (body, number));
            below.extend(vars);
        }
    }
    definitions
}

/// The variables below a term.
fn vars(terms: &Terms, term: TermId) -> Vec<VarId> {
    let below = terms.reachable(&[term]).into_iter();
    below.filter_map(|term| if let Node::Var(var) = terms.node(term) { Some(var) } else { None }).collect()
}

/// The statements with variables replaced by what defines them; those that hold anyway are gone.
fn put_in(terms: &mut Terms, statements: &[Statement], definitions: &Definitions) -> Vec<Statement> {
    let replaced = definitions.iter().map(|(&var, &(body, _))| (terms.var(var).term, body));
    let mut done: FxHashMap<TermId, TermId> = replaced.collect();
    let mut result = Vec::with_capacity(statements.len());
    for statement in statements {
        let condition = terms.substitute_all(statement.condition, &mut done);
        let mut from = statement.from.clone();
        if condition != statement.condition {
            let used = vars(terms, statement.condition).into_iter().filter_map(|var| definitions.get(&var));
            used.for_each(|&(_, number)| from.extend(&statements[number].from));
            from.sort_unstable();
            from.dedup();
        }
        if terms.bits(condition) != Some(1) {
            result.extend(apart(terms, Statement { condition, from }));
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use clew_scalar::{BinaryOp, Conversion};

    use crate::solver::{Answer, Budget, Solver};
    use crate::term::TermId;

    /// The borrow that `x - y - borrow` leaves for the next digits, and the difference of these digits.
    fn subtract(solver: &mut Solver, x: TermId, y: TermId, borrow: TermId) -> (TermId, TermId) {
        let terms = solver.terms_mut();
        let [x, y] = [x, y].map(|digit| terms.convert(Conversion::ZeroExtend(64), digit));
        let difference = terms.binary(BinaryOp::Sub, x, y);
        let difference = terms.binary(BinaryOp::Sub, difference, borrow);
        let sign = terms.int(64, 63);
        (terms.binary(BinaryOp::LShr, difference, sign), terms.extract(31, 0, difference))
    }

    #[test]
    fn digits_without_difference_borrow_nothing() {
        let mut solver = Solver::default();
        let other = solver.terms_mut().int_var("other", 32);
        let (zero, one, bound) = {
            let terms = solver.terms_mut();
            (terms.int(32, 0), terms.int(64, 1), terms.int(32, 7))
        };
        let mut borrow = solver.terms_mut().int(64, 0);
        let mut expected = Vec::new();
        for number in 0..3 {
            let [x, y] = ["x", "y"].map(|name| solver.terms_mut().int_var(format!("{name}{number}"), 32));
            let (next, digits) = subtract(&mut solver, x, y, borrow);
            let equal = solver.terms_mut().eq(digits, zero);
            expected.push(solver.assert(equal));
            let irrelevant = solver.terms_mut().binary(BinaryOp::Ult, bound, other);
            solver.assert(irrelevant);
            borrow = next;
        }
        let borrows = solver.terms_mut().eq(borrow, one);
        expected.push(solver.assert(borrows));
        let kept = solver.terms().len();
        let Answer::Unsat(core) = solver.check(&Budget::default()) else { panic!("equal numbers do not borrow") };
        assert_eq!(core.assertions, expected);
        assert_eq!((solver.statistics().by_equations, solver.terms().len()), (1, kept));
    }
}
