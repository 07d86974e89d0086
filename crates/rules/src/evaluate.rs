//! Rewriting ground terms with the rules: what a call can become.
//!
//! Arguments are values; rules are tried in all ways, so that a non-deterministic function gives all its results. The
//! engine is that of the search, which never branches on ground arguments unless rules overlap.

use crate::index::Index;
use crate::policy;
use crate::search::{Ended, Goal, Order, Query, Search};
use crate::tree::Tree;
use clew_frontend_rules::spec::{FunctionId, Root, RuleId, Spec};

/// What came of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluation {
    /// The results, in order, each once.
    pub results: Vec<Tree>,
    /// Whether these are all.
    pub is_complete: bool,
    /// The rules that fired on the way to some result.
    pub fired: Vec<RuleId>,
}

/// Everything a call of a function with ground arguments can become.
pub fn evaluate(spec: &Spec, function: FunctionId, args: &[Tree], steps: u64) -> Evaluation {
    call(spec, &Index::new(spec), function, args, steps)
}

/// The same with an index that exists already.
pub(crate) fn call(spec: &Spec, index: &Index, function: FunctionId, args: &[Tree], steps: u64) -> Evaluation {
    let query = Query::new(function, vec![vec![Goal::Call(function, 0)]]).with_args(args);
    all_results(spec, index, &query, steps)
}

/// Everything an expression without variables can become.
pub fn expression(spec: &Spec, root: Root, steps: u64) -> Evaluation {
    let query = Query::new(FunctionId(0), vec![vec![Goal::Expression(root, 0)]]).with_args(&[]);
    all_results(spec, &Index::new(spec), &query, steps)
}

/// The results of all solutions of a query about ground terms.
fn all_results(spec: &Spec, index: &Index, query: &Query, steps: u64) -> Evaluation {
    let mut search = Search::new(spec, index, Order::FewestCalls, steps);
    search.start(query, u32::MAX);
    let mut evaluation = Evaluation::default();
    let mut ended = search.run();
    while ended == Ended::Found && evaluation.results.len() < policy::MAX_RESULTS.size() {
        let result = search.store.tree(search.results[0], &mut Vec::new());
        if !evaluation.results.contains(&result) {
            evaluation.results.push(result);
        }
        evaluation.fired.extend(search.fired());
        ended = search.again();
    }
    evaluation.fired.sort_unstable();
    evaluation.fired.dedup();
    evaluation.results.sort();
    evaluation.is_complete = ended == Ended::Exhausted && (!search.is_cyclic || evaluation.results.is_empty());
    evaluation
}

/// Whether a rule fires for ground arguments; `None` if a limit was met.
pub(crate) fn fires(spec: &Spec, index: &Index, rule: RuleId, args: &[Tree], steps: u64) -> Option<bool> {
    let function = spec.rules[rule.index()].function;
    let query = Query::new(function, vec![vec![Goal::Conditions(rule)]]).with_args(args);
    let mut search = Search::new(spec, index, Order::FewestCalls, steps);
    search.start(&query, u32::MAX);
    match search.run() {
        Ended::Found => Some(true),
        Ended::Exhausted => Some(false),
        Ended::Bounded | Ended::OutOfSteps => None,
    }
}
