//! `a < b`, `b <= c`, `c <= a`: comparisons that go round in a circle have no solution.
//!
//! The assertions of a part that compare two terms, whatever these are, or that say several such things at once, make
//! a graph with an edge from the lesser to the greater, for the signed and the unsigned order and that of floats apart; an
//! equation is an edge both ways. A circle of edges, one of them strict, refutes the part, and so do two terms on a circle
//! that are asserted to differ. Terms also stand in an order with their own operands (`within`). A comparison of floats that is denied makes no edge, for there may be a NaN; but a way of
//! comparisons that hold, which excludes it, refutes the denial. Only circles through an assertion that fails under the
//! last model, or through an edge that rests on domains, can be of that kind, so the search starts at these. This is what sorting and merging ask for all the time,
//! and where interval propagation creeps from bound to bound.
//!
//! Not seen: what follows from the distance between terms, or from comparisons inside other operators.

mod within;

use crate::policy;
use std::collections::VecDeque;

use clew_scalar::{BinaryOp, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::search::Part;
use crate::store::Store;
use crate::term::{Node, TermId, Terms};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Order {
    Signed,
    Unsigned,
    Float,
}

/// A term in one of the orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct OrderedTerm {
    order: Order,
    term: TermId,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: OrderedTerm,
    strict: bool,
    why: Why,
}

/// Why an edge is there.
#[derive(Clone, Copy, Debug)]
enum Why {
    /// The position of an assertion.
    Assertion(usize),
    /// What is known of two terms.
    Domains(TermId, TermId),
    /// It is always so.
    Always,
}

#[derive(Default)]
struct Graph {
    edges: FxHashMap<OrderedTerm, Vec<Edge>>,
    /// Terms that differ.
    different: Vec<(TermId, TermId, usize)>,
    /// Comparisons of floats that do not hold.
    denied: Vec<(BinaryOp, TermId, TermId, usize)>,
    /// Edges that rest on domains.
    narrowed: Vec<(OrderedTerm, Edge)>,
}

/// The positions of assertions that contradict each other by order alone, if any; `failing` are positions of assertions
/// that do not hold under some model of the others, and the store has what is known of all terms.
pub(crate) fn refute(terms: &Terms, store: &Store, part: &Part, failing: &[usize]) -> Option<Vec<usize>> {
    if part.goals.len() > policy::ORDER_GOALS.size() {
        return None;
    }
    let mut graph = Graph::default();
    let mut suspected = Vec::new();
    let suspects: FxHashSet<usize> = failing.iter().copied().collect();
    for (&assertion, &goal) in part.assertions.iter().zip(&part.goals) {
        for fact in facts(terms, goal) {
            graph.add(terms, fact, assertion);
            suspected.extend(suspects.contains(&assertion).then_some((assertion, fact)));
        }
    }
    graph.add_operands(terms, store);
    let found = graph.circle(&suspected, terms).or_else(|| graph.narrowed_circle()).or_else(|| graph.denial());
    found.map(|reasons| core(store, &reasons))
}

/// The positions of the assertions that edges rest on.
fn core(store: &Store, reasons: &[Why]) -> Vec<usize> {
    let mut core = Vec::new();
    for &why in reasons {
        match why {
            Why::Assertion(position) => core.push(position),
            Why::Domains(a, b) => {
                for slot in [a, b].into_iter().filter_map(|term| store.slot(term)) {
                    core.extend(store.explain_domain(slot).assertions.into_iter().map(|number| number as usize));
                }
            }
            Why::Always => {}
        }
    }
    core.sort_unstable();
    core.dedup();
    core
}

/// A condition that holds, or one that does not.
#[derive(Clone, Copy)]
struct Fact {
    condition: TermId,
    holds: bool,
}

/// What a goal says: conjunctions that hold and disjunctions that do not are taken apart.
fn facts(terms: &Terms, goal: TermId) -> Vec<Fact> {
    let mut found = Vec::new();
    let mut open = vec![Fact { condition: goal, holds: true }];
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(Fact { condition, holds }) = open.pop() {
        match terms.node(condition) {
            Node::Unary(UnaryOp::Not, of) => open.push(Fact { condition: of, holds: !holds }),
            Node::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if holds == (op == BinaryOp::And) => {
                if seen.insert(condition) {
                    open.extend([b, a].map(|condition| Fact { condition, holds }));
                }
            }
            _ => found.push(Fact { condition, holds }),
        }
    }
    found
}

/// A fact as a comparison, if it is one of integers or one of floats that holds.
fn comparison(terms: &Terms, fact: Fact) -> Option<(BinaryOp, TermId, TermId)> {
    let Node::Binary(op, a, b) = terms.node(fact.condition) else { return None };
    if fact.holds {
        return Some((op, a, b));
    }
    match op {
        BinaryOp::Slt => Some((BinaryOp::Sle, b, a)),
        BinaryOp::Sle => Some((BinaryOp::Slt, b, a)),
        BinaryOp::Ult => Some((BinaryOp::Ule, b, a)),
        BinaryOp::Ule => Some((BinaryOp::Ult, b, a)),
        BinaryOp::Eq => Some((BinaryOp::Ne, a, b)),
        BinaryOp::Ne => Some((BinaryOp::Eq, a, b)),
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
    fn add(&mut self, terms: &Terms, fact: Fact, assertion: usize) {
        let Some((op, a, b)) = comparison(terms, fact) else { return self.deny(terms, fact, assertion) };
        if op == BinaryOp::Ne {
            self.different.push((a, b, assertion));
        }
        let Some((orders, strict)) = meaning(op) else { return };
        for &order in orders {
            self.edge(order, a, b, strict, Why::Assertion(assertion));
            if matches!(op, BinaryOp::Eq | BinaryOp::FloatEq) {
                self.edge(order, b, a, strict, Why::Assertion(assertion));
            }
        }
    }

    fn edge(&mut self, order: Order, from: TermId, to: TermId, strict: bool, why: Why) {
        let (from, edge) =
            (OrderedTerm { order, term: from }, Edge { to: OrderedTerm { order, term: to }, strict, why });
        self.edges.entry(from).or_default().push(edge);
        if matches!(why, Why::Domains(..)) {
            self.narrowed.push((from, edge));
        }
    }

    /// Puts the terms that are compared in order with their operands, and these with theirs.
    fn add_operands(&mut self, terms: &Terms, store: &Store) {
        let mut open: Vec<TermId> = self.edges.values().flatten().map(|edge| edge.to.term).collect();
        open.extend(self.edges.keys().map(|from| from.term));
        open.sort_unstable();
        open.dedup();
        let mut seen: FxHashSet<TermId> = open.iter().copied().collect();
        while let Some(term) = open.pop()
            && seen.len() <= policy::ORDER_TERMS.size()
        {
            for step in within::steps(terms, store, term) {
                self.edge(step.order, step.lesser, step.greater, step.strict, step.why);
                open.extend([step.lesser, step.greater].into_iter().filter(|&next| seen.insert(next)));
            }
        }
    }

    /// Notes a comparison of two floats that does not hold.
    fn deny(&mut self, terms: &Terms, fact: Fact, assertion: usize) {
        let node = terms.node(fact.condition);
        if let Node::Binary(op @ (BinaryOp::FloatLt | BinaryOp::FloatLe | BinaryOp::FloatEq), a, b) = node
            && !fact.holds
            && a != b
        {
            self.denied.push((op, a, b, assertion));
        }
    }

    /// A way of comparisons that hold, between two floats that are said not to compare so. There is no NaN on it.
    fn denial(&self) -> Option<Vec<Why>> {
        self.denied.iter().find_map(|&(op, a, b, assertion)| {
            let [a, b] = [a, b].map(|term| OrderedTerm { order: Order::Float, term });
            let mut core = self.path(a, b, op != BinaryOp::FloatLt)?;
            if op == BinaryOp::FloatEq {
                core.extend(self.path(b, a, true)?);
            }
            core.push(Why::Assertion(assertion));
            Some(core)
        })
    }

    /// A contradictory circle through an edge that rests on domains.
    fn narrowed_circle(&self) -> Option<Vec<Why>> {
        self.narrowed.iter().take(policy::ORDER_STARTS.size()).find_map(|&(from, edge)| {
            let mut core = self.path(edge.to, from, edge.strict)?;
            core.push(edge.why);
            Some(core)
        })
    }

    /// A contradictory circle through a suspect.
    fn circle(&self, suspected: &[(usize, Fact)], terms: &Terms) -> Option<Vec<Why>> {
        for &(assertion, fact) in suspected {
            let Some((op, a, b)) = comparison(terms, fact) else { continue };
            let found = match (op, meaning(op)) {
                (BinaryOp::Eq | BinaryOp::FloatEq, Some((orders, _))) => orders
                    .iter()
                    .find_map(|&order| self.way_back(order, a, b, false).or_else(|| self.way_back(order, b, a, false))),
                (_, Some((orders, strict))) => orders.iter().find_map(|&order| self.way_back(order, a, b, strict)),
                (BinaryOp::Ne, None) => self.both_ways(a, b),
                _ => None,
            };
            if let Some(mut core) = found.or_else(|| self.apart(op, a, b)) {
                core.push(Why::Assertion(assertion));
                return Some(core);
            }
        }
        None
    }

    /// The edges from `b` back to `a`, one of them strict unless the way from `a` to `b` is.
    fn way_back(&self, order: Order, a: TermId, b: TermId, strict: bool) -> Option<Vec<Why>> {
        self.path(OrderedTerm { order, term: b }, OrderedTerm { order, term: a }, strict)
    }

    /// Terms that are each at most the other are equal.
    fn both_ways(&self, a: TermId, b: TermId) -> Option<Vec<Why>> {
        [Order::Signed, Order::Unsigned].into_iter().find_map(|order| {
            let [a, b] = [a, b].map(|term| OrderedTerm { order, term });
            let mut there = self.path(a, b, true)?;
            there.extend(self.path(b, a, true)?);
            Some(there)
        })
    }

    /// Two terms asserted to differ that are made equal by the comparison of `a` with `b`.
    fn apart(&self, op: BinaryOp, a: TermId, b: TermId) -> Option<Vec<Why>> {
        let compares = matches!(op, BinaryOp::Sle | BinaryOp::Ule | BinaryOp::Eq);
        let joins = |x: TermId, y: TermId| (x, y) == (a, b) || (x, y) == (b, a);
        let mut differing = self.different.iter().filter(|(x, y, _)| compares && joins(*x, *y));
        differing.find_map(|&(x, y, assertion)| {
            let mut core = self.both_ways(x, y)?;
            core.push(Why::Assertion(assertion));
            Some(core)
        })
    }

    /// The reasons of a shortest way between two places; `any` is whether it may do without a strict edge.
    fn path(&self, from: OrderedTerm, to: OrderedTerm, any: bool) -> Option<Vec<Why>> {
        let start = (from, any);
        let mut came: FxHashMap<(OrderedTerm, bool), ((OrderedTerm, bool), Why)> = FxHashMap::default();
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            if at == (to, true) {
                return Some(trace(&came, start, at));
            }
            for edge in self.edges.get(&at.0).into_iter().flatten() {
                let next = (edge.to, at.1 || edge.strict);
                if next != start && !came.contains_key(&next) {
                    came.insert(next, (at, edge.why));
                    queue.push_back(next);
                }
            }
        }
        None
    }
}

fn trace<T: Copy + Eq + std::hash::Hash>(came: &FxHashMap<T, (T, Why)>, start: T, mut at: T) -> Vec<Why> {
    let mut reasons = Vec::new();
    while at != start {
        let (before, why) = came[&at];
        reasons.push(why);
        at = before;
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::refute;
    use crate::search::Part;
    use crate::store::Store;
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
        refute(&terms, &Store::default(), &Part { assertions, goals, ..Part::default() }, &failing)
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
        let part = Part { assertions: (0..goals.len()).collect(), goals, ..Part::default() };
        refute(&terms, &Store::default(), &part, &failing)
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
    fn what_a_denied_disjunction_says() {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.int_var(name, 32));
        let [less, other] = [(a, b), (c, b)].map(|(x, y)| terms.binary(BinaryOp::Slt, x, y));
        let either = terms.or(other, less);
        let goals = vec![less, terms.not(either)];
        let part = Part { assertions: vec![0, 1], goals, ..Part::default() };
        assert_eq!(refute(&terms, &Store::default(), &part, &[1]), Some(vec![0, 1]));
    }

    /// Refutes `a + b <= a & ~15` where `a` is negative and `b` at least a bound, and at most seven.
    fn sum_below_a_share(least: u128) -> Option<Vec<usize>> {
        let mut terms = Terms::new();
        let [a, b] = ["a", "b"].map(|name| terms.int_var(name, 64));
        let [zero, least, seven, mask] = [0, least, 7, !0xf].map(|bits| terms.int(64, bits));
        let (sum, share) = (terms.binary(BinaryOp::Add, a, b), terms.binary(BinaryOp::And, a, mask));
        let compared = [(BinaryOp::Ule, b, seven), (BinaryOp::Sle, sum, share), (BinaryOp::Slt, a, zero)];
        let goals = compared.map(|(op, x, y)| terms.binary(op, x, y)).into_iter();
        let goals: Vec<TermId> = goals.chain([terms.binary(BinaryOp::Ule, least, b)]).collect();
        let mut store = Store::default();
        for (number, &goal) in goals.iter().enumerate() {
            store.post(&terms, goal, number).expect("bounds alone do not show it");
        }
        let part = Part { assertions: (0..goals.len()).collect(), goals, ..Part::default() };
        refute(&terms, &store, &part, &[])
    }

    #[test]
    fn terms_are_in_order_with_their_operands() {
        assert_eq!(sum_below_a_share(1), Some(vec![0, 1, 2, 3]));
        assert_eq!(sum_below_a_share(0), None);
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
