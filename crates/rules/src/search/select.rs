//! Which call is evaluated next, and by which rules.

use super::{NONE, Search, Target};
use crate::index::Need;
use crate::policy;
use crate::store::Node;
use clew_frontend_rules::spec::{Builtin, RuleId};

/// In which order rules are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// Those whose conditions make the fewest calls first.
    #[default]
    FewestCalls,
    /// Those whose conditions make the most calls first.
    MostCalls,
}

/// What to do next.
pub(super) enum Selected {
    /// Evaluate a call: its place in the list, and its number.
    Call(u32, u32),
    /// No call is left that could be evaluated.
    Done,
    /// A call has no rule left.
    Dead,
}

/// How urgent a call is, the most urgent first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    /// It has this many alternatives, counted up to two.
    Alternatives(usize),
    /// It has several, and calls itself: its tree may be infinite, so whatever fails elsewhere should fail first.
    Recursive,
    /// A comparison whose result is open, though it depends on integers that are not known.
    Splits,
    Waits,
}

impl Search<'_> {
    /// Selects the call with the fewest alternatives among the newest ones.
    pub(super) fn select(&mut self) -> Selected {
        if !self.can_still_reach() {
            return Selected::Dead;
        }
        let mut best: Option<(Urgency, u32, u32)> = None;
        let mut at = self.state.pending;
        let mut looked_at = 0;
        while at != NONE && (looked_at < policy::SELECTION_WINDOW.size() || best.is_none()) {
            let cell = self.pending[at as usize];
            let urgency = self.urgency(cell.value);
            match urgency {
                Urgency::Alternatives(0) => return Selected::Dead,
                Urgency::Alternatives(1) => return Selected::Call(at, cell.value),
                Urgency::Waits => {}
                _ if best.is_none_or(|(known, ..)| urgency < known) => best = Some((urgency, at, cell.value)),
                _ => {}
            }
            looked_at += 1;
            at = cell.next;
        }
        best.map_or(Selected::Done, |(_, cell, call)| Selected::Call(cell, call))
    }

    /// Whether the rule that must fire has fired, or some call can still come to it.
    fn can_still_reach(&self) -> bool {
        let Some(rule) = self.query.fires.filter(|_| !self.state.reached) else { return true };
        if (self.state.stage as usize) < self.query.stages.len() {
            return true;
        }
        let function = self.spec.rules[rule.index()].function;
        let mut at = self.state.pending;
        while at != NONE {
            let cell = self.pending[at as usize];
            if let Target::Function(callee) = self.calls[cell.value as usize].target
                && self.index.reach[callee.index()][function.index()]
            {
                return true;
            }
            at = cell.next;
        }
        false
    }

    fn urgency(&mut self, call: u32) -> Urgency {
        let (target, first, result) = {
            let call = &self.calls[call as usize];
            (call.target, call.first, call.result)
        };
        match target {
            Target::Function(function) => {
                let rules = &self.spec.functions[function.index()].rules;
                let count = rules.iter().filter(|rule| self.may_fire(**rule, call)).take(2).count();
                let is_open = count > 1 && self.index.is_recursive[function.index()];
                if is_open { Urgency::Recursive } else { Urgency::Alternatives(count) }
            }
            Target::Miss(rule) => {
                let count = self.index.rules[rule.index()].misses.len() as u32;
                Urgency::Alternatives((0..count).filter(|number| self.may_miss(rule, *number, call)).take(2).count())
            }
            Target::Builtin(Builtin::Equal) => {
                Urgency::Alternatives((0..2).filter(|truth| self.may_equal(*truth, call)).count())
            }
            Target::Builtin(operator) => {
                let known = |index| self.store.int_value(self.store.arg(first, index)).is_some();
                if known(0) && known(1) {
                    Urgency::Alternatives(1)
                } else if operator.is_comparison() && self.store.head(result).is_none() {
                    Urgency::Splits
                } else {
                    Urgency::Waits
                }
            }
        }
    }

    /// Lists the alternatives of a call, at the end of all alternatives.
    pub(super) fn list_alternatives(&mut self, call: u32) {
        let first = self.alternatives.len();
        match self.calls[call as usize].target {
            Target::Function(function) => {
                let spec = self.spec;
                for rule in &spec.functions[function.index()].rules {
                    if self.may_fire(*rule, call) {
                        self.alternatives.push(rule.0);
                    }
                }
                let rules = &self.index.rules;
                let found = &mut self.alternatives[first..];
                match self.order {
                    Order::FewestCalls => found.sort_by_key(|rule| rules[*rule as usize].calls),
                    Order::MostCalls => found.sort_by_key(|rule| std::cmp::Reverse(rules[*rule as usize].calls)),
                }
            }
            Target::Miss(rule) => {
                let count = self.index.rules[rule.index()].misses.len() as u32;
                let possible: Vec<u32> = (0..count).filter(|number| self.may_miss(rule, *number, call)).collect();
                self.alternatives.extend(possible);
            }
            Target::Builtin(Builtin::Equal) => {
                let possible: Vec<u32> = [1, 0].into_iter().filter(|truth| self.may_equal(*truth, call)).collect();
                self.alternatives.extend(possible);
            }
            // Whether an operator on known integers gives this truth value, `apply` finds out.
            Target::Builtin(operator) if operator.is_comparison() => self.alternatives.extend([1, 0]),
            Target::Builtin(_) => self.alternatives.push(0),
        }
    }

    /// Whether a rule may match, as far as the constructors of its patterns tell.
    fn may_fire(&self, rule: RuleId, call: u32) -> bool {
        let call = &self.calls[call as usize];
        if call.only != NONE && call.only != rule.0 {
            return false;
        }
        let facts = &self.index.rules[rule.index()];
        let fits = |need: &Need| {
            let mut term = self.store.arg(call.first, need.param);
            for number in &need.path {
                // Outer constructors were compared before; what is unknown may fit.
                let Node::Con { first, .. } = self.store.node(term) else { return true };
                term = self.store.arg(first, *number);
            }
            self.store.head(term).is_none_or(|head| head == need.con)
        };
        facts.needs.iter().all(fits)
            && facts.result.is_none_or(|con| self.store.head(call.result).is_none_or(|head| head == con))
    }

    /// Whether a rule may fail in a way, as far as the outermost constructor tells.
    fn may_miss(&self, rule: RuleId, number: u32, call: u32) -> bool {
        let call = &self.calls[call as usize];
        if call.only != NONE && call.only != number {
            return false;
        }
        let miss = self.index.rules[rule.index()].misses[number as usize];
        let rule = &self.spec.rules[rule.index()];
        let condition = rule.conditions[miss.condition as usize];
        let arity = self.spec.functions[rule.function.index()].arity as u32;
        match self.spec.expr(condition.left.last) {
            clew_frontend_rules::spec::Expr::Var(slot) if slot < arity && miss.node == condition.pattern.last => {
                let head = self.store.head(self.store.arg(call.first, slot));
                head.is_none_or(|head| Some(head) == miss.other)
            }
            _ => true,
        }
    }

    /// Whether an equality may give a truth value.
    fn may_equal(&mut self, truth: u32, call: u32) -> bool {
        let (first, result) = (self.calls[call as usize].first, self.calls[call as usize].result);
        let wanted = self.truth(truth == 1);
        if self.store.head(result).is_some_and(|head| head != wanted) {
            return false;
        }
        let (left, right) = (self.store.arg(first, 0), self.store.arg(first, 1));
        self.store.compare(left, right).is_none_or(|equal| equal == (truth == 1))
    }
}
