//! Applying a rule to a call: its patterns are matched, its result is unified, its calls are added.

use super::{Call, Cell, Goal, NONE, Search, Target};
use crate::store::{Node, Term};
use clew_frontend_rules::spec::{Args, Builtin, Callee, ConId, Condition, Expr, ExprId, Root, RuleId};

/// Vectors that are used again and again.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    nodes: Vec<Term>,
    calls: Vec<u32>,
    env: Vec<Term>,
    args: Vec<Term>,
    work: Vec<(ExprId, Term)>,
}

impl Search<'_> {
    /// The constructor of a truth value.
    pub(super) fn truth(&self, value: bool) -> ConId {
        let (yes, no) = self.spec.truth.expect("comparisons need the truth values, as the checker demands");
        if value { yes } else { no }
    }

    /// Posts the goals of the current stage and goes on to the next.
    pub(super) fn post_stage(&mut self) -> bool {
        let stage = self.state.stage as usize;
        self.state.stage += 1;
        let goals = self.query.stages[stage].clone();
        self.scratch.calls.clear();
        self.is_posting = true;
        let possible = goals.iter().all(|goal| self.post(*goal));
        self.is_posting = false;
        self.add_calls();
        possible
    }

    fn post(&mut self, goal: Goal) -> bool {
        match goal {
            Goal::Conditions(rule) => self.post_conditions(rule),
            Goal::Result(rule, number) => {
                let env = self.roots.iter().find(|(root, _)| *root == rule).map(|(_, env)| env.clone());
                self.scratch.env = env.expect("the conditions of a rule are posted before its result");
                self.fired.push(rule);
                let result = self.results[number];
                self.demand(self.spec.rules[rule.index()].result, result)
            }
            Goal::Call(function, number) => {
                let first = self.store.keep(&self.args.clone());
                let len = self.args.len() as u32;
                let result = self.results[number];
                self.new_call(Call { target: Target::Function(function), first, len, result, only: NONE });
                true
            }
            Goal::Miss(rule, number) => {
                let first = self.store.keep(&self.args.clone());
                let len = self.args.len() as u32;
                let only = number.unwrap_or(NONE);
                self.new_call(Call { target: Target::Miss(rule), first, len, result: NONE, only });
                true
            }
            Goal::Expression(root, number) => {
                self.scratch.env.clear();
                let result = self.results[number];
                self.demand(root, result)
            }
            Goal::Differ(left, right) => {
                self.differ(self.results[left], self.results[right]);
                true
            }
        }
    }

    /// Posts the conditions of a rule under test, and keeps its variables.
    fn post_conditions(&mut self, rule: RuleId) -> bool {
        self.scratch.env.clear();
        self.scratch.env.extend_from_slice(&self.args);
        self.note(rule);
        let count = self.spec.rules[rule.index()].conditions.len();
        let possible = self.conditions(rule, count);
        self.roots.push((rule, self.scratch.env.clone()));
        possible
    }

    /// Notes that a rule fires.
    fn note(&mut self, rule: RuleId) {
        self.fired.push(rule);
        if self.query.fires == Some(rule) {
            self.state.reached = true;
        }
    }

    /// Demands the first conditions of a rule; the parameters are in the environment.
    fn conditions(&mut self, rule: RuleId, count: usize) -> bool {
        let spec = self.spec;
        let rule_data = &spec.rules[rule.index()];
        self.scratch.env.resize(rule_data.variables.len(), NONE);
        rule_data.conditions[..count].iter().all(|condition| self.condition(rule, *condition))
    }

    fn condition(&mut self, rule: RuleId, condition: Condition) -> bool {
        if let Expr::Var(slot) = self.spec.expr(condition.left.last) {
            let value = self.scratch.env[slot as usize];
            return self.match_pattern(rule, condition.pattern.last, value);
        }
        let pattern = self.pattern(rule, condition.pattern);
        self.demand(condition.left, pattern)
    }

    /// Matches a pattern against a term: binds what the pattern needs, and the variables of the pattern.
    fn match_pattern(&mut self, rule: RuleId, pattern: ExprId, value: Term) -> bool {
        let mut work = std::mem::take(&mut self.scratch.work);
        work.clear();
        work.push((pattern, value));
        let mut possible = true;
        while let Some((pattern, value)) = work.pop() {
            possible = match (self.spec.expr(pattern), self.store.node(value)) {
                (Expr::Var(slot), _) => {
                    self.scratch.env[slot as usize] = value;
                    true
                }
                (Expr::Con(con, args), Node::Con { con: found, first, .. }) if con == found => {
                    let inner = self.spec.args(args).iter().enumerate().rev();
                    work.extend(inner.map(|(index, arg)| (*arg, self.store.arg(first, index as u32))));
                    true
                }
                (Expr::Int(wanted), Node::Int(found)) => wanted == found,
                (_, Node::Var { .. }) => {
                    let instance = self.pattern_below(rule, pattern);
                    let var = self.store.find(value);
                    self.store.bind_fresh(var, instance);
                    true
                }
                _ => false,
            };
            if !possible {
                break;
            }
        }
        self.scratch.work = work;
        possible
    }

    /// A new instance of a whole pattern.
    fn pattern(&mut self, rule: RuleId, pattern: Root) -> Term {
        self.instance(rule, pattern.first, pattern.last)
    }

    /// A new instance of a part of a pattern.
    fn pattern_below(&mut self, rule: RuleId, last: ExprId) -> Term {
        let mut first = last;
        let mut work = vec![last];
        while let Some(node) = work.pop() {
            first = first.min(node);
            if let Expr::Con(_, args) = self.spec.expr(node) {
                work.extend(self.spec.args(args).first());
            }
        }
        self.instance(rule, first, last)
    }

    /// A new instance of a range of pattern nodes.
    fn instance(&mut self, rule: RuleId, first: ExprId, last: ExprId) -> Term {
        let base = self.scratch.nodes.len();
        for index in first.0..=last.0 {
            let term = match self.spec.exprs[index as usize] {
                Expr::Var(slot) => {
                    let var = self.store.var(name_of(rule, slot));
                    self.scratch.env[slot as usize] = var;
                    var
                }
                Expr::Int(value) => self.store.int(value),
                Expr::Con(con, args) => self.construct(con, args, first, base),
                Expr::Call(..) => unreachable!("a pattern has no calls, as the checker demands"),
            };
            self.scratch.nodes.push(term);
        }
        let root = self.scratch.nodes.pop().expect("a pattern has a node");
        self.scratch.nodes.truncate(base);
        root
    }

    /// A constructor whose arguments were made before.
    fn construct(&mut self, con: ConId, args: Args, first: ExprId, base: usize) -> Term {
        self.collect(args, first, base);
        let made = std::mem::take(&mut self.scratch.args);
        let term = self.store.con(con, &made);
        self.scratch.args = made;
        term
    }

    fn collect(&mut self, args: Args, first: ExprId, base: usize) {
        self.scratch.args.clear();
        for arg in self.spec.args(args) {
            let made = self.scratch.nodes[base + (arg.0 - first.0) as usize];
            self.scratch.args.push(made);
        }
    }

    /// Demands that an expression has a value that equals a term.
    fn demand(&mut self, root: Root, value: Term) -> bool {
        let base = self.scratch.nodes.len();
        for index in root.first.0..=root.last.0 {
            let id = ExprId(index);
            let term = match self.spec.expr(id) {
                Expr::Var(slot) => self.scratch.env[slot as usize],
                Expr::Int(value) => self.store.int(value),
                Expr::Con(con, args) => self.construct(con, args, root.first, base),
                Expr::Call(callee, args) => {
                    let result = if id == root.last { value } else { self.store.var(NONE) };
                    self.collect(args, root.first, base);
                    self.call(id, callee, result);
                    result
                }
            };
            self.scratch.nodes.push(term);
        }
        let term = self.scratch.nodes.pop().expect("an expression has a node");
        self.scratch.nodes.truncate(base);
        self.store.unify(value, term)
    }

    /// Adds a call of the arguments that were collected.
    fn call(&mut self, site: ExprId, callee: Callee, result: Term) {
        let made = std::mem::take(&mut self.scratch.args);
        let first = self.store.keep(&made);
        let len = made.len() as u32;
        self.scratch.args = made;
        let target = match callee {
            Callee::Function(function) => Target::Function(function),
            Callee::Builtin(operator) => Target::Builtin(operator),
        };
        // Only calls of the rule under test itself are restricted.
        let only = match self.query.site {
            Some((wanted, rule)) if wanted == site && self.is_posting => rule.0,
            _ => NONE,
        };
        self.new_call(Call { target, first, len, result, only });
    }

    pub(super) fn new_call(&mut self, call: Call) {
        self.calls.push(call);
        self.scratch.calls.push((self.calls.len() - 1) as u32);
    }

    /// Adds the new calls to those that are left, so that they are looked at in their order.
    fn add_calls(&mut self) {
        while let Some(call) = self.scratch.calls.pop() {
            self.push_pending(call);
        }
    }

    fn differ(&mut self, left: Term, right: Term) {
        self.differences.push(Cell { value: (left, right), next: self.state.differences });
        self.state.differences = (self.differences.len() - 1) as u32;
    }

    /// Evaluates a call in one way.
    pub(super) fn apply(&mut self, call: u32, alternative: u32) -> bool {
        self.steps += 1;
        self.scratch.calls.clear();
        let Call { target, first, len, result, .. } = self.calls[call as usize];
        let possible = match target {
            Target::Function(_) => self.apply_rule(RuleId(alternative), first, len, result),
            Target::Miss(rule) => self.apply_miss(rule, alternative, first, len),
            Target::Builtin(Builtin::Equal) => self.apply_equal(alternative == 1, first, result),
            Target::Builtin(operator) => self.apply_operator(operator, alternative == 1, call),
        };
        self.add_calls();
        possible
    }

    fn take_args(&mut self, first: u32, len: u32) {
        self.scratch.env.clear();
        for index in 0..len {
            let arg = self.store.arg(first, index);
            self.scratch.env.push(arg);
        }
    }

    fn apply_rule(&mut self, rule: RuleId, first: u32, len: u32, result: Term) -> bool {
        self.take_args(first, len);
        self.note(rule);
        let rule_data = &self.spec.rules[rule.index()];
        let (count, root) = (rule_data.conditions.len(), rule_data.result);
        self.conditions(rule, count) && self.demand(root, result)
    }

    /// Lets a condition fail, and those before it hold.
    fn apply_miss(&mut self, rule: RuleId, number: u32, first: u32, len: u32) -> bool {
        self.take_args(first, len);
        let miss = self.index.rules[rule.index()].misses[number as usize];
        if !self.conditions(rule, miss.condition as usize) {
            return false;
        }
        let condition = self.spec.rules[rule.index()].conditions[miss.condition as usize];
        let value = self.store.var(NONE);
        let (whole, part) = self.missing_pattern(rule, condition.pattern, miss.node);
        match (miss.other, self.spec.expr(miss.node)) {
            (Some(other), _) => {
                let fields: Vec<Term> = (0..self.spec.arity(other)).map(|_| self.store.var(NONE)).collect();
                let term = self.store.con(other, &fields);
                self.store.bind_fresh(part, term);
            }
            (None, Expr::Int(wanted)) => {
                let wanted = self.store.int(wanted);
                self.differ(part, wanted);
            }
            (None, _) => unreachable!("only integers are missed without a constructor"),
        }
        self.store.bind_fresh(value, whole);
        if let Expr::Var(slot) = self.spec.expr(condition.left.last) {
            return self.store.unify(self.scratch.env[slot as usize], value);
        }
        self.demand(condition.left, value)
    }

    /// A pattern reduced to the way to one of its nodes, and the variable in the place of that node.
    fn missing_pattern(&mut self, rule: RuleId, pattern: Root, node: ExprId) -> (Term, Term) {
        let part = self.store.var(name_of(rule, NONE));
        let mut whole = part;
        let mut at = node;
        for index in node.0 + 1..=pattern.last.0 {
            let Expr::Con(con, args) = self.spec.exprs[index as usize] else { continue };
            let args = self.spec.args(args);
            if !args.contains(&at) {
                continue;
            }
            let fields: Vec<Term> =
                args.iter().map(|arg| if *arg == at { whole } else { self.store.var(NONE) }).collect();
            whole = self.store.con(con, &fields);
            at = ExprId(index);
        }
        (whole, part)
    }

    fn apply_equal(&mut self, truth: bool, first: u32, result: Term) -> bool {
        let (left, right) = (self.store.arg(first, 0), self.store.arg(first, 1));
        let value = self.truth(truth);
        let value = self.store.con(value, &[]);
        if !self.store.unify(result, value) {
            return false;
        }
        if truth {
            return self.store.unify(left, right);
        }
        self.differ(left, right);
        true
    }
}

/// The number of the name of a variable.
pub(super) fn name_of(rule: RuleId, slot: u32) -> u32 {
    if slot >= 256 || rule.0 >= 1 << 23 { NONE } else { rule.0 << 8 | slot }
}
