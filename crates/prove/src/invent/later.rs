//! What holds at the head of a loop once a turn was made.
//!
//! Much of what a loop keeps is only so from its first turn on: of `while (x > 0) { t = y < x ? y : x; x = x + y - 2 * t; y = t; }`
//! that `y` is at most what `x` was at the call. Before that turn the variables are what they were before the loop. Candidates
//! are therefore of the form `untouched || c`, where `c` holds in all other states that were seen. This is what polyhedra
//! get from the first turn being unrolled, or by keeping it apart as a disjunct.

use clew_ir::contract::{CompareOp, Predicate, Term};

use super::sample::{SeenRow, Visits};
use super::{Known, Variable, bounds, conditions, polynomial};
use crate::policy;

/// Statements `untouched || c`, where `c` does not hold in all states seen, but in those where something has changed.
pub(super) fn candidates(
    visits: &Visits,
    variables: &[Known],
    changes: &dyn Fn(&Known) -> bool,
    atoms: &[Predicate],
) -> Vec<Predicate> {
    let Some(untouched) = untouched(visits, variables, changes) else { return Vec::new() };
    let holds = |predicate: &Predicate, row: &SeenRow| conditions::holds_in(predicate, variables, row);
    let is_later = |row: &&SeenRow| untouched.iter().any(|equation| holds(equation, row) == Some(false));
    let later = Visits { rows: visits.rows.iter().filter(is_later).cloned().collect(), first: Vec::new() };
    let (rows, columns) = later.columns(variables, policy::MAX_VARIABLES.size(), changes);
    if rows.is_empty() || columns.is_empty() {
        return Vec::new();
    }
    let mut stated = conditions::candidates(&later.rows, variables, atoms);
    stated.extend(bounds::bounds(&rows, &columns, changes));
    stated.extend(polynomial::equations(&rows, &columns));
    stated.retain(|stated| visits.rows.iter().any(|row| holds(stated, row) == Some(false)));
    stated.truncate(policy::MAX_LATER.size());
    let untouched = Predicate::And(untouched);
    stated.into_iter().map(|stated| Predicate::Or(vec![untouched.clone(), stated])).collect()
}

/// That each variable which turns may change is what it was before the first one, if that can be said: one number, or what
/// another variable is that turns do not change.
fn untouched(visits: &Visits, variables: &[Known], changes: &dyn Fn(&Known) -> bool) -> Option<Vec<Predicate>> {
    let rows = &visits.first;
    let is_known = |at: usize| rows.iter().all(|row| row[at].is_some());
    let mut equations = Vec::new();
    for (at, known) in variables.iter().enumerate() {
        if !changes(known) || !is_known(at) {
            continue;
        }
        let equal = |other: &usize| rows.iter().all(|row| row[*other] == row[at]);
        let number = rows.first().and_then(|row| row[at]).filter(|_| rows.iter().all(|row| row[at] == rows[0][at]));
        let argument = |at: &usize| matches!(variables[*at].variable, Variable::Argument(_));
        let unchanged = || (0..variables.len()).filter(|other| !changes(&variables[*other])).filter(equal);
        let before = unchanged().find(argument).or_else(|| unchanged().next());
        let before = before.map(|other| variables[other].term()).or_else(|| number.map(Term::integer))?;
        equations.push(Predicate::Compare { op: CompareOp::Eq, a: known.term(), b: before });
    }
    (!equations.is_empty()).then_some(equations)
}
