//! From abstract to concrete: ground terms for the variables of a solution that a search has found.
//!
//! Variables that nothing is demanded of get the smallest term of their type, or a random one. Of n terms that must
//! differ, each excludes at most one value of a variable once the others are known; so n + 1 values of each variable are
//! enough, and if no combination fits there is none.

use crate::policy;
use crate::search::Search;
use crate::store::{Node, Term};
use crate::tree::Tree;
use crate::values::{Random, Values};
use clew_frontend_rules::spec::Type;

/// How variables become terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Concretise {
    /// The smallest terms.
    #[default]
    Smallest,
    /// Random terms of at most a size, all with equal chances.
    Random {
        /// The size.
        size: usize,
        /// The seed.
        seed: u64,
    },
}

/// Ground arguments for the solution that a search stands at; `None` if there are none.
pub(crate) fn concretise(
    search: &mut Search<'_>,
    values: &mut Values<'_>,
    types: &[Type],
    how: Concretise,
) -> Option<Vec<Tree>> {
    let mark = search.store.mark();
    let found = bind_all(search, values, types, how);
    let args = search.args.clone();
    let trees = found.then(|| args.iter().map(|arg| search.store.tree(*arg, &mut Vec::new())).collect());
    search.store.undo(mark);
    trees
}

fn bind_all(search: &mut Search<'_>, values: &mut Values<'_>, types: &[Type], how: Concretise) -> bool {
    let waiting = search.waiting();
    if !waiting.is_empty() {
        let Some(numbers) = search.solve_integers(&waiting) else { return false };
        for (var, value) in numbers {
            let value = search.store.int(value);
            search.store.bind_fresh(var, value);
        }
    }
    let open = typed_variables(search, values, types);
    if let Concretise::Random { size, seed } = how {
        let mut random = Random::new(seed);
        for _ in 0..policy::CONCRETE_ATTEMPTS.size() {
            let mark = search.store.mark();
            for (var, ty) in &open {
                let tree = values.random(ty, size, &mut random);
                let term = search.store.plant(&tree, &[]);
                search.store.bind_fresh(*var, term);
            }
            if search.differences_hold() {
                return true;
            }
            search.store.undo(mark);
        }
    }
    bind_smallest(search, values, &open)
}

/// Binds variables to small terms so that what must differ differs.
fn bind_smallest(search: &mut Search<'_>, values: &mut Values<'_>, open: &[(Term, Type)]) -> bool {
    let differences = search.open_differences();
    let mut concerned = Vec::new();
    for (left, right) in &differences {
        search.store.variables(*left, &mut concerned);
        search.store.variables(*right, &mut concerned);
    }
    let (concerned, free): (Vec<_>, Vec<_>) = open.iter().partition(|(var, _)| concerned.contains(var));
    for (var, ty) in free {
        let tree = values.smallest(ty);
        let term = search.store.plant(&tree, &[]);
        search.store.bind_fresh(*var, term);
    }
    let candidates: Vec<(Term, Vec<Tree>)> =
        concerned.iter().map(|(var, ty)| (*var, values.smallest_ones(ty, differences.len() + 1))).collect();
    label(search, &candidates)
}

/// Depth-first search for a combination of candidates.
fn label(search: &mut Search<'_>, candidates: &[(Term, Vec<Tree>)]) -> bool {
    let mut next = vec![0_usize; candidates.len()];
    let mut marks = Vec::new();
    while marks.len() < candidates.len() {
        let depth = marks.len();
        let (var, trees) = &candidates[depth];
        let Some(tree) = trees.get(next[depth]) else {
            next[depth] = 0;
            let Some(mark) = marks.pop() else { return false };
            search.store.undo(mark);
            continue;
        };
        next[depth] += 1;
        let mark = search.store.mark();
        let term = search.store.plant(tree, &[]);
        search.store.bind_fresh(*var, term);
        if search.differences_hold() {
            marks.push(mark);
        } else {
            search.store.undo(mark);
        }
    }
    search.differences_hold()
}

/// The variables of the arguments with their types.
fn typed_variables(search: &Search<'_>, values: &Values<'_>, types: &[Type]) -> Vec<(Term, Type)> {
    let mut found: Vec<(Term, Type)> = Vec::new();
    let mut work: Vec<(Term, Type)> = search.args.iter().copied().zip(types.iter().cloned()).collect();
    work.reverse();
    while let Some((term, ty)) = work.pop() {
        let term = search.store.find(term);
        match search.store.raw(term) {
            Node::Var { .. } if found.iter().all(|(known, _)| *known != term) => found.push((term, ty)),
            Node::Con { con, first, len } if len > 0 => {
                let fields = values.fields(con, &ty);
                work.extend((0..len).map(|index| search.store.arg(first, index)).zip(fields).rev());
            }
            _ => {}
        }
    }
    found
}
