//! Recursion that may not end: size-change termination (Lee, Jones, Ben-Amram, POPL 2001).
//!
//! A call in a rule of `f` gives a graph from the parameters of `f` to the arguments of the callee: an argument that is a
//! parameter is not larger, one that is a variable of a pattern matched against a parameter is smaller. If every graph of
//! a cycle that equals its own square has a parameter that gets smaller on itself, no infinite chain of calls exists.
//! Terms have finitely many constructors, so they cannot shrink for ever. Arguments that are calls are not followed, hence
//! the answer is a suspicion, never a proof of non-termination.

use crate::message::Message;
use crate::spec::{Args, Callee, Expr, FunctionId, RuleId, Spec};
use std::collections::BTreeSet;

/// The most graphs that are composed.
const MOST_GRAPHS: usize = 5_000;

/// How the parameters of a caller relate to the arguments of a call: (parameter, argument, whether smaller).
type Edges = BTreeSet<(u32, u32, bool)>;

/// The relation of sizes over a chain of calls.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Graph {
    from: FunctionId,
    to: FunctionId,
    edges: Edges,
}

/// A warning for each function that may call itself for ever.
pub fn suspects(spec: &Spec) -> Vec<Message> {
    let reach: Vec<Vec<bool>> = spec.function_ids().map(|function| spec.reachable(function)).collect();
    let mut graphs: BTreeSet<Graph> = BTreeSet::new();
    for rule in spec.rule_ids() {
        let calls = graphs_of(spec, rule);
        graphs.extend(calls.into_iter().filter(|graph| reach[graph.to.index()][graph.from.index()]));
    }
    let is_complete = close(&mut graphs);
    let ends = |function: FunctionId| {
        let mut loops = graphs.iter().filter(|graph| graph.from == function && graph.to == function);
        is_complete && loops.all(|graph| compose(graph, graph) != *graph || shrinks(graph))
    };
    let suspected = spec.function_ids().filter(|function| !ends(*function));
    suspected
        .filter(|function| graphs.iter().any(|graph| graph.from == *function && graph.to == *function))
        .map(|function| {
            let function = &spec.functions[function.index()];
            let text =
                format!("`{}` may not terminate: no argument gets smaller with every recursive call", function.name);
            Message::warning(function.span, text)
        })
        .collect()
}

/// Adds all compositions; whether that came to an end.
fn close(graphs: &mut BTreeSet<Graph>) -> bool {
    let basic: Vec<Graph> = graphs.iter().cloned().collect();
    let mut work = basic.clone();
    while let Some(graph) = work.pop() {
        for next in basic.iter().filter(|next| next.from == graph.to) {
            let composed = compose(&graph, next);
            if graphs.insert(composed.clone()) {
                work.push(composed);
            }
            if graphs.len() > MOST_GRAPHS {
                return false;
            }
        }
    }
    true
}

fn compose(first: &Graph, second: &Graph) -> Graph {
    let mut edges = Edges::new();
    for (from, middle, smaller) in &first.edges {
        for (_, to, also) in second.edges.iter().filter(|(start, ..)| start == middle) {
            edges.insert((*from, *to, *smaller || *also));
        }
    }
    // An edge that shrinks says more than one that does not.
    let weak: Vec<_> =
        edges.iter().filter(|(from, to, strict)| !strict && edges.contains(&(*from, *to, true))).copied().collect();
    for edge in weak {
        edges.remove(&edge);
    }
    Graph { from: first.from, to: second.to, edges }
}

fn shrinks(graph: &Graph) -> bool {
    graph.edges.iter().any(|(from, to, smaller)| from == to && *smaller)
}

/// The graphs of the calls of a rule.
fn graphs_of(spec: &Spec, rule_id: RuleId) -> Vec<Graph> {
    let rule = &spec.rules[rule_id.index()];
    let from = rule.function;
    let arity = spec.functions[from.index()].arity;
    // For each variable: the parameter it is a part of, and whether it is smaller than that.
    let mut origin: Vec<Option<(u32, bool)>> = vec![None; rule.variables.len()];
    for (slot, origin) in origin.iter_mut().enumerate().take(arity) {
        *origin = Some((slot as u32, false));
    }
    for condition in &rule.conditions {
        let Expr::Var(matched) = spec.expr(condition.left.last) else { continue };
        let Some((param, smaller)) = origin[matched as usize] else { continue };
        for (id, node) in spec.nodes(condition.pattern) {
            if let Expr::Var(slot) = node {
                origin[slot as usize] = Some((param, smaller || id != condition.pattern.last));
            }
        }
    }
    let mut graphs = Vec::new();
    for root in spec.evaluated(rule_id) {
        for (_, node) in spec.nodes(root) {
            if let Expr::Call(Callee::Function(to), args) = node {
                graphs.push(Graph { from, to, edges: edges_of(spec, args, &origin) });
            }
        }
    }
    graphs
}

fn edges_of(spec: &Spec, args: Args, origin: &[Option<(u32, bool)>]) -> Edges {
    let args = spec.args(args).iter().enumerate();
    let edge = |(index, arg): (usize, &crate::spec::ExprId)| match spec.expr(*arg) {
        Expr::Var(slot) => origin[slot as usize].map(|(param, smaller)| (param, index as u32, smaller)),
        _ => None,
    };
    args.filter_map(edge).collect()
}
