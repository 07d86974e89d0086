//! Narrowing: terms that make rules fire.
//!
//! A *goal* is a list of calls `f(t1..tn) = r` that must all be evaluated, and of terms that must differ. A step takes a
//! call, tries each rule that may still match, unifies its patterns and its result, and adds the calls of the rule. Calls
//! are strict: an argument is a value. The call with the fewest rules left is taken first, so that a contradiction is met
//! before a choice is made. When no call is left, the bindings of the variables are the most general terms that this
//! choice of rules allows.
//!
//! The search is depth-first under a bound on the calls of recursive functions, which the caller raises. A goal that
//! contains an instance of an earlier goal of the same branch is dropped (`subsume`): a solution with the fewest steps
//! never needs it. If the search ends without a solution and without meeting the bound, there is none.
//!
//! Ordering the rules by their number of calls is the heuristic of Gouraud and Gotlieb (PADL 2006).

mod apply;
mod ints;
mod select;
mod subsume;

use crate::index::Index;
use crate::store::{Mark, NONE, Store, Term};
use crate::tree::{Item, Tree};
use clew_frontend_rules::spec::{Builtin, ConId, Expr, ExprId, FunctionId, Root, RuleId, Spec};

pub(crate) use select::Order;

/// What is called, inside the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A function.
    Function(FunctionId),
    /// An operator.
    Builtin(Builtin),
    /// Some condition of a rule must fail, and those before it hold.
    Miss(RuleId),
}

/// A call that must be evaluated.
#[derive(Clone, Copy, Debug)]
struct Call {
    target: Target,
    first: u32,
    len: u32,
    result: Term,
    /// The only rule, or the only way to fail, that is allowed, or [`NONE`].
    only: u32,
}

/// An element of a list that several branches share.
#[derive(Clone, Copy, Debug)]
struct Cell<T> {
    value: T,
    next: u32,
}

/// What changes along a branch, besides the store.
#[derive(Clone, Copy, Debug)]
struct State {
    /// The calls that are left.
    pending: u32,
    /// The terms that must differ.
    differences: u32,
    /// The stage of the query.
    stage: u32,
    /// How many calls of recursive functions were evaluated.
    depth: u32,
    /// Whether the rule that must fire has fired.
    reached: bool,
}

/// A call with the rules that are still to be tried.
#[derive(Clone, Copy, Debug)]
struct Choice {
    store: Mark,
    calls: u32,
    pending_cells: u32,
    difference_cells: u32,
    fired: u32,
    ancestors: u32,
    state: State,
    call: u32,
    /// The alternatives are the end of [`Search::alternatives`] from here.
    first: u32,
    /// The one that is tried next.
    next: u32,
}

/// A goal of the branch, for comparison with later ones.
#[derive(Clone, Copy, Debug)]
struct Ancestor {
    state: State,
    bindings: u32,
    call: u32,
}

/// A part of what is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The conditions of a rule hold.
    Conditions(RuleId),
    /// The result of a rule, whose conditions hold, has a value: the result of this number.
    Result(RuleId, usize),
    /// The function has a value, the result of this number.
    Call(FunctionId, usize),
    /// A condition of a rule fails, in the way of this number if one is given.
    Miss(RuleId, Option<u32>),
    /// Two results differ.
    Differ(usize, usize),
    /// An expression without variables has a value, the result of this number.
    Expression(Root, usize),
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Query {
    /// The function under test.
    pub(crate) function: FunctionId,
    /// Goals in stages: those of a stage are posted when all calls of the stage before are evaluated.
    pub(crate) stages: Vec<Vec<Goal>>,
    /// The arguments, if they are given.
    pub(crate) args: Option<Vec<Tree>>,
    /// A rule that must fire.
    pub(crate) fires: Option<RuleId>,
    /// A call of the rule under test, and the rule that it must fire.
    pub(crate) site: Option<(ExprId, RuleId)>,
    /// Constructors of the result that are not wanted; or, if the flag is set, the only ones that are.
    pub(crate) heads: Vec<ConId>,
    /// Whether [`Query::heads`] are wanted.
    pub(crate) wants_heads: bool,
}

impl Query {
    /// A query about the arguments of a function.
    pub(crate) fn new(function: FunctionId, stages: Vec<Vec<Goal>>) -> Query {
        Query { function, stages, args: None, fires: None, site: None, heads: Vec::new(), wants_heads: false }
    }

    /// The same for given arguments.
    pub(crate) fn with_args(mut self, args: &[Tree]) -> Query {
        self.args = Some(args.to_vec());
        self
    }
}

/// What is demanded of variables that are left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Two terms differ.
    Differ([Tree; 2]),
    /// An operator on two terms gives a third.
    Operator(Builtin, [Tree; 3]),
}

/// Arguments with open variables.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub(crate) args: Vec<Tree>,
    pub(crate) demands: Vec<Demand>,
    /// The numbers of the names of the variables.
    pub(crate) names: Vec<u32>,
    /// The variables themselves, while the search stands still.
    pub(crate) variables: Vec<Term>,
    /// What the result of the rule under test is, if it is known.
    pub(crate) result: Option<Tree>,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// With a solution.
    Found,
    /// Everything was tried.
    Exhausted,
    /// Something was not tried: the bound on recursion was met.
    Bounded,
    /// The steps were used up.
    OutOfSteps,
}

/// A search for terms.
pub(crate) struct Search<'a> {
    pub(crate) spec: &'a Spec,
    index: &'a Index,
    order: Order,
    pub(crate) store: Store,
    calls: Vec<Call>,
    pending: Vec<Cell<u32>>,
    differences: Vec<Cell<(Term, Term)>>,
    fired: Vec<RuleId>,
    choices: Vec<Choice>,
    alternatives: Vec<u32>,
    ancestors: Vec<Ancestor>,
    state: State,
    query: Query,
    /// The variables of the rules under test.
    roots: Vec<(RuleId, Vec<Term>)>,
    pub(crate) args: Vec<Term>,
    pub(crate) results: Vec<Term>,
    /// What the arguments were when the first stage ended.
    pub(crate) first_stage: Option<Snapshot>,
    bound: u32,
    /// Whether the bound was met.
    is_bounded: bool,
    /// Whether a goal was dropped because it contains an earlier one.
    pub(crate) is_cyclic: bool,
    /// Rules applied since the search was made.
    pub(crate) steps: u64,
    limit: u64,
    /// Whether the calls being added are those of the rule under test itself.
    is_posting: bool,
    scratch: apply::Scratch,
}

impl<'a> Search<'a> {
    /// A search that may take so many steps in all.
    pub(crate) fn new(spec: &'a Spec, index: &'a Index, order: Order, limit: u64) -> Search<'a> {
        Search {
            spec,
            index,
            order,
            store: Store::default(),
            calls: Vec::new(),
            pending: Vec::new(),
            differences: Vec::new(),
            fired: Vec::new(),
            choices: Vec::new(),
            alternatives: Vec::new(),
            ancestors: Vec::new(),
            state: State { pending: NONE, differences: NONE, stage: 0, depth: 0, reached: false },
            query: Query::new(FunctionId(0), Vec::new()),
            roots: Vec::new(),
            args: Vec::new(),
            results: Vec::new(),
            first_stage: None,
            bound: u32::MAX,
            is_bounded: false,
            is_cyclic: false,
            steps: 0,
            limit,
            is_posting: false,
            scratch: apply::Scratch::default(),
        }
    }

    /// Begins with a query; so many calls of recursive functions are allowed in a branch.
    pub(crate) fn start(&mut self, query: &Query, bound: u32) {
        self.store = Store::default();
        self.calls.clear();
        self.pending.clear();
        self.differences.clear();
        self.fired.clear();
        self.choices.clear();
        self.alternatives.clear();
        self.ancestors.clear();
        self.state = State { pending: NONE, differences: NONE, stage: 0, depth: 0, reached: query.fires.is_none() };
        self.roots.clear();
        self.first_stage = None;
        self.bound = bound;
        self.is_bounded = false;
        self.is_cyclic = false;
        self.query = query.clone();
        self.store.is_acyclic = query.args.is_some();
        self.args = match &query.args {
            None => {
                let function = &self.spec.functions[query.function.index()];
                let name = |slot| apply::name_of(function.rules[0], slot);
                (0..function.arity as u32).map(|slot| self.store.var(name(slot))).collect()
            }
            Some(trees) => trees.iter().map(|tree| self.store.plant(tree, &[])).collect(),
        };
        self.results = (0..2).map(|_| self.store.var(NONE)).collect();
    }

    /// Goes on from the start; call [`Search::again`] for further solutions.
    pub(crate) fn run(&mut self) -> Ended {
        let ok = self.post_stage();
        self.go(ok)
    }

    /// Looks for another solution.
    pub(crate) fn again(&mut self) -> Ended {
        self.go(false)
    }

    /// The rules that fired for the solution, each once.
    pub(crate) fn fired(&self) -> Vec<RuleId> {
        let mut fired = self.fired.clone();
        fired.sort_unstable();
        fired.dedup();
        fired
    }

    /// The terms that must differ, of those that do not already.
    pub(crate) fn open_differences(&mut self) -> Vec<(Term, Term)> {
        let mut open = Vec::new();
        let mut at = self.state.differences;
        while at != NONE {
            let Cell { value: (left, right), next } = self.differences[at as usize];
            if self.store.compare(left, right).is_none() {
                open.push((left, right));
            }
            at = next;
        }
        open.reverse();
        open
    }

    fn go(&mut self, mut ok: bool) -> Ended {
        loop {
            if self.steps >= self.limit {
                return Ended::OutOfSteps;
            }
            if !ok {
                match self.backtrack() {
                    Some(applied) => ok = applied,
                    None if self.is_bounded => return Ended::Bounded,
                    None => return Ended::Exhausted,
                }
                continue;
            }
            if !self.is_consistent() {
                ok = false;
                continue;
            }
            match self.select() {
                select::Selected::Dead => ok = false,
                select::Selected::Done => {
                    if !self.integers_possible() {
                        ok = false;
                    } else if self.state.stage as usize == self.query.stages.len() {
                        if self.state.reached {
                            return Ended::Found;
                        }
                        ok = false;
                    } else {
                        ok = self.next_stage();
                    }
                }
                select::Selected::Call(cell, call) => ok = self.step(cell, call),
            }
        }
    }

    /// Posts the goals of the next stage.
    fn next_stage(&mut self) -> bool {
        if self.state.stage == 1 {
            self.take_first_stage();
        }
        self.post_stage()
    }

    /// Keeps the arguments as they are now, and what the result of the rule under test will be.
    fn take_first_stage(&mut self) {
        let rule = self.roots.first().map(|(rule, _)| *rule);
        let mut snapshot = self.snapshot();
        snapshot.result = rule.map(|rule| self.unevaluated(rule, &mut snapshot.variables));
        self.first_stage = Some(snapshot);
    }

    /// The arguments as they are now, with what is demanded of their variables.
    pub(crate) fn snapshot(&mut self) -> Snapshot {
        let mut variables = Vec::new();
        let args = self.args.iter().map(|arg| self.store.tree(*arg, &mut variables)).collect();
        let mut demands = Vec::new();
        for (left, right) in self.open_differences() {
            let sides = [left, right].map(|term| self.store.tree(term, &mut variables));
            demands.push(Demand::Differ(sides));
        }
        for (operator, terms) in self.waiting() {
            demands.push(Demand::Operator(operator, terms.map(|term| self.store.tree(term, &mut variables))));
        }
        let names = variables.iter().map(|var| match self.store.raw(*var) {
            crate::store::Node::Var { name, .. } => name,
            _ => NONE,
        });
        Snapshot { args, demands, names: names.collect(), variables, result: None }
    }

    /// The result of a rule under test as an expression: its variables replaced, its calls not evaluated.
    fn unevaluated(&self, rule: RuleId, variables: &mut Vec<Term>) -> Tree {
        let (_, env) = self.roots.iter().find(|(root, _)| *root == rule).expect("its conditions were posted");
        let mut items = Vec::new();
        let mut work = vec![self.spec.rules[rule.index()].result.last];
        while let Some(node) = work.pop() {
            let (item, args) = match self.spec.expr(node) {
                Expr::Var(slot) => {
                    items.extend(self.store.tree(env[slot as usize], variables).items);
                    continue;
                }
                Expr::Int(value) => (Item::Int(value), None),
                Expr::Con(con, args) => (Item::Con(con, args.len), Some(args)),
                Expr::Call(callee, args) => (Item::Call(callee, args.len), Some(args)),
            };
            items.push(item);
            work.extend(args.map(|args| self.spec.args(args)).unwrap_or_default().iter().rev());
        }
        Tree { items }
    }

    /// Evaluates a call: makes a choice of rules, if there are several.
    fn step(&mut self, cell: u32, call: u32) -> bool {
        if self.is_recursive(call) {
            if self.state.depth >= self.bound {
                self.is_bounded = true;
                return false;
            }
            if self.is_subsumed(call) {
                self.is_cyclic = true;
                return false;
            }
            let bindings = self.store.bindings();
            self.ancestors.push(Ancestor { state: self.state, bindings, call });
            self.state.depth += 1;
        }
        let first = self.alternatives.len();
        self.list_alternatives(call);
        self.remove_pending(cell);
        match self.alternatives.len() - first {
            0 => false,
            1 => {
                let only = self.alternatives.pop().expect("there is one alternative");
                self.apply(call, only)
            }
            _ => {
                self.choices.push(Choice {
                    store: self.store.mark(),
                    calls: self.calls.len() as u32,
                    pending_cells: self.pending.len() as u32,
                    difference_cells: self.differences.len() as u32,
                    fired: self.fired.len() as u32,
                    ancestors: self.ancestors.len() as u32,
                    state: self.state,
                    call,
                    first: first as u32,
                    next: first as u32,
                });
                false
            }
        }
    }

    /// Tries the next rule of the latest choice; `None` if there is no choice left.
    fn backtrack(&mut self) -> Option<bool> {
        loop {
            let choice = self.choices.last_mut()?;
            let Choice { store, calls, pending_cells, difference_cells, fired, ancestors, state, call, first, next } =
                *choice;
            choice.next += 1;
            self.store.undo(store);
            self.calls.truncate(calls as usize);
            self.pending.truncate(pending_cells as usize);
            self.differences.truncate(difference_cells as usize);
            self.fired.truncate(fired as usize);
            self.ancestors.truncate(ancestors as usize);
            self.state = state;
            let end = self.alternatives.len() as u32;
            if next >= end {
                self.alternatives.truncate(first as usize);
                self.choices.pop();
                continue;
            }
            let alternative = self.alternatives[next as usize];
            if next + 1 == end {
                // The last alternative needs no choice to come back to.
                self.alternatives.truncate(first as usize);
                self.choices.pop();
            }
            return Some(self.apply(call, alternative));
        }
    }

    /// Whether no two terms that must differ are equal.
    pub(crate) fn differences_hold(&mut self) -> bool {
        let mut at = self.state.differences;
        while at != NONE {
            let Cell { value: (left, right), next } = self.differences[at as usize];
            if self.store.compare(left, right) == Some(true) {
                return false;
            }
            at = next;
        }
        true
    }

    /// Whether terms that must differ can, and the result has a wanted constructor.
    fn is_consistent(&mut self) -> bool {
        if !self.differences_hold() {
            return false;
        }
        match self.store.head(self.results[0]) {
            Some(con) if !self.query.heads.is_empty() => self.query.heads.contains(&con) == self.query.wants_heads,
            _ => true,
        }
    }

    fn is_recursive(&self, call: u32) -> bool {
        match self.calls[call as usize].target {
            Target::Function(function) => self.index.is_recursive[function.index()],
            Target::Builtin(_) | Target::Miss(_) => false,
        }
    }

    /// Removes an element of the list of calls.
    fn remove_pending(&mut self, cell: u32) {
        let mut before = Vec::new();
        let mut at = self.state.pending;
        while at != cell {
            before.push(self.pending[at as usize].value);
            at = self.pending[at as usize].next;
        }
        self.state.pending = self.pending[cell as usize].next;
        while let Some(call) = before.pop() {
            self.push_pending(call);
        }
    }

    fn push_pending(&mut self, call: u32) {
        self.pending.push(Cell { value: call, next: self.state.pending });
        self.state.pending = (self.pending.len() - 1) as u32;
    }
}
