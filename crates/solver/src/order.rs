//! `a < b`, `b <= c`, `c <= a`: comparisons that go round in a circle have no solution.
//!
//! The assertions of a part that compare two terms, whatever these are, or that are conjunctions of such comparisons, make
//! a graph with an edge from the lesser to the greater, for the signed and the unsigned order and that of floats apart; an
//! equation is an edge both ways. A circle of edges, one of them strict, refutes the part, and so do two terms on a circle
//! that are asserted to differ. A comparison of floats that is denied makes no edge, for there may be a NaN; but a way of
//! comparisons that hold, which excludes it, refutes the denial. Only circles through an assertion that fails under the
//! last model can be of that kind, so the search starts at these. This is what sorting and merging ask for all the time,
//! and where interval propagation creeps from bound to bound.
//!
//! Not seen: what follows from the distance between terms, or from comparisons inside other operators.

use std::collections::VecDeque;

use clew_scalar::{BinaryOp, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::search::{Part, conjuncts};
use crate::term::{Node, TermId, Terms};

/// Parts with more assertions than this are left alone.
const MOST_GOALS: usize = 4_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Order {
    Signed,
    Unsigned,
    Float,
}

/// A term in one of the orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    order: Order,
    term: TermId,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: Place,
    strict: bool,
    /// Position of the assertion.
    assertion: usize,
}

#[derive(Default)]
struct Graph {
    edges: FxHashMap<Place, Vec<Edge>>,
    /// Terms that differ.
    different: Vec<(TermId, TermId, usize)>,
    /// Comparisons of floats that do not hold.
    denied: Vec<(BinaryOp, TermId, TermId, usize)>,
}

/// The positions of assertions that contradict each other by order alone, if any; `failing` are positions of assertions
/// that do not hold under some model of the others.
pub(crate) fn refute(terms: &Terms, part: &Part, failing: &[usize]) -> Option<Vec<usize>> {
    if part.goals.len() > MOST_GOALS {
        return None;
    }
    let mut graph = Graph::default();
    let mut suspected = Vec::new();
    let suspects: FxHashSet<usize> = failing.iter().copied().collect();
    for (&assertion, &goal) in part.assertions.iter().zip(&part.goals) {
        let is_conjunction = matches!(terms.node(goal), Node::Binary(BinaryOp::And, ..));
        let parts = if is_conjunction { conjuncts(terms, &[goal]) } else { vec![goal] };
        for part in parts {
            graph.add(terms, part, assertion);
            suspected.extend(suspects.contains(&assertion).then_some((assertion, part)));
        }
    }
    graph.circle(&suspected, terms).or_else(|| graph.denial())
}

/// A goal as a comparison, negations read as what they mean.
fn comparison(terms: &Terms, goal: TermId) -> Option<(BinaryOp, TermId, TermId)> {
    match terms.node(goal) {
        Node::Binary(op, a, b) => Some((op, a, b)),
        Node::Unary(UnaryOp::Not, of) => match terms.node(of) {
            Node::Binary(BinaryOp::Slt, a, b) => Some((BinaryOp::Sle, b, a)),
            Node::Binary(BinaryOp::Sle, a, b) => Some((BinaryOp::Slt, b, a)),
            Node::Binary(BinaryOp::Ult, a, b) => Some((BinaryOp::Ule, b, a)),
            Node::Binary(BinaryOp::Ule, a, b) => Some((BinaryOp::Ult, b, a)),
            Node::Binary(BinaryOp::Eq, a, b) => Some((BinaryOp::Ne, a, b)),
            Node::Binary(BinaryOp::Ne, a, b) => Some((BinaryOp::Eq, a, b)),
            _ => None,
        },
        _ => None,
    }
}

/// The orders in which a comparison puts its operands, and whether strictly.
fn meaning(op: BinaryOp) -> Option<(&'static [Order], bool)> {
    match op {
        BinaryOp::Slt => Some((&[Order::Signed], true)),
        BinaryOp::Sle => Some((&[Order::Signed], false)),
        BinaryOp::Ult => Some((&[Order::Unsigned], true)),
        BinaryOp::Ule => Some((&[Order::Unsigned], false)),
        BinaryOp::Eq => Some((&[Order::Unsigned, Order::Signed], false)),
        BinaryOp::FloatLt => Some((&[Order::Float], true)),
        BinaryOp::FloatLe | BinaryOp::FloatEq => Some((&[Order::Float], false)),
        _ => None,
    }
}

impl Graph {
    fn add(&mut self, terms: &Terms, goal: TermId, assertion: usize) {
        let Some((op, a, b)) = comparison(terms, goal) else { return self.deny(terms, goal, assertion) };
        if op == BinaryOp::Ne {
            self.different.push((a, b, assertion));
        }
        let Some((orders, strict)) = meaning(op) else { return };
        for &order in orders {
            self.edge(order, a, b, strict, assertion);
            if matches!(op, BinaryOp::Eq | BinaryOp::FloatEq) {
                self.edge(order, b, a, strict, assertion);
            }
        }
    }

    fn edge(&mut self, order: Order, from: TermId, to: TermId, strict: bool, assertion: usize) {
        let edge = Edge { to: Place { order, term: to }, strict, assertion };
        self.edges.entry(Place { order, term: from }).or_default().push(edge);
    }

    /// Notes a comparison of two floats that does not hold.
    fn deny(&mut self, terms: &Terms, goal: TermId, assertion: usize) {
        if let Node::Unary(UnaryOp::Not, of) = terms.node(goal)
            && let Node::Binary(op @ (BinaryOp::FloatLt | BinaryOp::FloatLe | BinaryOp::FloatEq), a, b) = terms.node(of)
            && a != b
        {
            self.denied.push((op, a, b, assertion));
        }
    }

    /// A way of comparisons that hold, between two floats that are said not to compare so. There is no NaN on it.
    fn denial(&self) -> Option<Vec<usize>> {
        self.denied.iter().find_map(|&(op, a, b, assertion)| {
            let [a, b] = [a, b].map(|term| Place { order: Order::Float, term });
            let mut core = self.path(a, b, op != BinaryOp::FloatLt)?;
            if op == BinaryOp::FloatEq {
                core.extend(self.path(b, a, true)?);
            }
            core.push(assertion);
            core.sort_unstable();
            core.dedup();
            Some(core)
        })
    }

    /// A contradictory circle through a suspect.
    fn circle(&self, suspected: &[(usize, TermId)], terms: &Terms) -> Option<Vec<usize>> {
        for &(assertion, goal) in suspected {
            let Some((op, a, b)) = comparison(terms, goal) else { continue };
            let found = match (op, meaning(op)) {
                (BinaryOp::Eq | BinaryOp::FloatEq, Some((orders, _))) => orders
                    .iter()
                    .find_map(|&order| self.way_back(order, a, b, false).or_else(|| self.way_back(order, b, a, false))),
                (_, Some((orders, strict))) => orders.iter().find_map(|&order| self.way_back(order, a, b, strict)),
                (BinaryOp::Ne, None) => self.both_ways(a, b),
                _ => None,
            };
            if let Some(mut core) = found.or_else(|| self.apart(op, a, b)) {
                core.push(assertion);
                core.sort_unstable();
                core.dedup();
                return Some(core);
            }
        }
        None
    }

    /// The edges from `b` back to `a`, one of them strict unless the way from `a` to `b` is.
    fn way_back(&self, order: Order, a: TermId, b: TermId, strict: bool) -> Option<Vec<usize>> {
        self.path(Place { order, term: b }, Place { order, term: a }, strict)
    }

    /// Terms that are each at most the other are equal.
    fn both_ways(&self, a: TermId, b: TermId) -> Option<Vec<usize>> {
        [Order::Signed, Order::Unsigned].into_iter().find_map(|order| {
            let [a, b] = [a, b].map(|term| Place { order, term });
            let mut there = self.path(a, b, true)?;
            there.extend(self.path(b, a, true)?);
            Some(there)
        })
    }

    /// Two terms asserted to differ that are made equal by the comparison of `a` with `b`.
    fn apart(&self, op: BinaryOp, a: TermId, b: TermId) -> Option<Vec<usize>> {
        let compares = matches!(op, BinaryOp::Sle | BinaryOp::Ule | BinaryOp::Eq);
        let joins = |x: TermId, y: TermId| (x, y) == (a, b) || (x, y) == (b, a);
        let mut differing = self.different.iter().filter(|(x, y, _)| compares && joins(*x, *y));
        differing.find_map(|&(x, y, assertion)| {
            let mut core = self.both_ways(x, y)?;
            core.push(assertion);
            Some(core)
        })
    }

    /// The assertions of a shortest way between two places; `any` is whether it may do without a strict edge.
    fn path(&self, from: Place, to: Place, any: bool) -> Option<Vec<usize>> {
        let start = (from, any);
        let mut came: FxHashMap<(Place, bool), ((Place, bool), usize)> = FxHashMap::default();
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            if at == (to, true) {
                return Some(trace(&came, start, at));
            }
            for edge in self.edges.get(&at.0).into_iter().flatten() {
                let next = (edge.to, at.1 || edge.strict);
                if next != start && !came.contains_key(&next) {
                    came.insert(next, (at, edge.assertion));
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

fn trace<T: Copy + Eq + std::hash::Hash>(came: &FxHashMap<T, (T, usize)>, start: T, mut at: T) -> Vec<usize> {
    let mut assertions = Vec::new();
    while at != start {
        let (before, assertion) = came[&at];
        assertions.push(assertion);
        at = before;
    }
    assertions
}

#[cfg(test)]
mod tests {
    use super::refute;
    use crate::search::Part;
    use crate::term::{TermId, Terms};
    use clew_scalar::{BinaryOp, Format};

    /// Refutes comparisons such as `a<b`, of single letters; `.` marks unsigned ones, `&` joins. The last fails.
    fn core(comparisons: &str) -> Option<Vec<usize>> {
        let mut terms = Terms::new();
        let variables: Vec<TermId> = ('a'..='e').map(|name| terms.int_var(name, 32)).collect();
        let mut compare = |text: &str| {
            let letter = |at: usize| variables[(text.as_bytes()[at] - b'a') as usize];
            let op = match &text[1..text.len() - 1] {
                "<" => BinaryOp::Slt,
                "<=" => BinaryOp::Sle,
                ".<" => BinaryOp::Ult,
                ".<=" => BinaryOp::Ule,
                "=" => BinaryOp::Eq,
                "!" => BinaryOp::Ne,
                other => panic!("{other}"),
            };
            terms.binary(op, letter(0), letter(text.len() - 1))
        };
        let parts: Vec<Vec<TermId>> =
            comparisons.split_whitespace().map(|goal| goal.split('&').map(&mut compare).collect()).collect();
        let truth = terms.bool(true);
        let mut join = |parts: Vec<TermId>| parts.into_iter().fold(truth, |all, part| terms.and(all, part));
        let goals: Vec<TermId> = parts.into_iter().map(&mut join).collect();
        let assertions: Vec<usize> = (0..goals.len()).collect();
        let failing = [goals.len() - 1];
        refute(&terms, &Part { assertions, goals, ..Part::default() }, &failing)
    }

    #[test]
    fn circles_with_a_strict_edge() {
        assert_eq!(core("a<b b<=c d<e c<=a"), Some(vec![0, 1, 3]));
        assert_eq!(core("a<=b b<=c c<a"), Some(vec![0, 1, 2]));
        assert_eq!(core("a<=b b=c c<a"), Some(vec![0, 1, 2]));
        assert_eq!(core("a<b b<c a=c"), Some(vec![0, 1, 2]));
        assert_eq!(core("a.<b b.<=a"), Some(vec![0, 1]));
        assert_eq!(core("d<e a<b&b<a"), Some(vec![1]));
        assert_eq!(core("d<e&a<b b<=c&c<=a"), Some(vec![0, 1]));
    }

    /// As [`core`], of doubles; `~` denies.
    fn core_of_floats(comparisons: &str) -> Option<Vec<usize>> {
        let mut terms = Terms::new();
        let variables: Vec<TermId> = ('a'..='e').map(|name| terms.float_var(name, Format::DOUBLE)).collect();
        let mut compare = |text: &str| {
            let (text, denied) = text.strip_prefix('~').map_or((text, false), |rest| (rest, true));
            let letter = |at: usize| variables[(text.as_bytes()[at] - b'a') as usize];
            let op = match &text[1..text.len() - 1] {
                "<" => BinaryOp::FloatLt,
                "<=" => BinaryOp::FloatLe,
                "=" => BinaryOp::FloatEq,
                other => panic!("{other}"),
            };
            let holds = terms.binary(op, letter(0), letter(text.len() - 1));
            if denied { terms.not(holds) } else { holds }
        };
        let goals: Vec<TermId> = comparisons.split_whitespace().map(&mut compare).collect();
        let failing = [goals.len() - 1];
        refute(&terms, &Part { assertions: (0..goals.len()).collect(), goals, ..Part::default() }, &failing)
    }

    #[test]
    fn floats_that_compare_are_no_nan() {
        assert_eq!(core_of_floats("a=b ~a<=b"), Some(vec![0, 1]));
        assert_eq!(core_of_floats("~a<c a<=b d<e b<c"), Some(vec![0, 1, 3]));
        assert_eq!(core_of_floats("a<=b b<=c ~a=c c<=a"), Some(vec![0, 1, 2, 3]));
        assert_eq!(core_of_floats("a<b b<=c c=a"), Some(vec![0, 1, 2]));
        assert_eq!(core_of_floats("~a<b ~b<=a"), None, "a NaN is in no order");
        assert_eq!(core_of_floats("a<=b ~a<b"), None);
        assert_eq!(core_of_floats("a<=b ~b<c c<=d ~a=b"), None);
    }

    #[test]
    fn terms_that_must_differ_and_cannot() {
        assert_eq!(core("a<=b b<=c c<=a a!c"), Some(vec![0, 1, 2, 3]));
        assert_eq!(core("a!b a<=b b<=a"), Some(vec![0, 1, 2]));
    }

    #[test]
    fn what_may_hold_is_left_alone() {
        assert_eq!(core("a<=b b<=c c<=a"), None);
        assert_eq!(core("a<b b<c a<c"), None);
        assert_eq!(core("a<b b.<a"), None, "the orders are not the same");
        assert_eq!(core("a<b b<c c!a"), None);
        assert_eq!(core("a<=b b<=c a!c"), None);
    }
}
