//! Built-in integers: computed where operands are known, decided by a solver of bit-vectors where they are not.
//!
//! An operator whose operands are not known waits in the list of calls. When nothing else is left, and whenever a
//! comparison is split, the solver is asked whether all that waits can hold together.

use super::{Builtin, Call, NONE, Search, Target};
use crate::integers::{Constraint, Operand, Relation, Solved};
use crate::store::{Node, Term};

/// An operator with its operands and its result.
type Waiting = (Builtin, [Term; 3]);

impl Search<'_> {
    /// Evaluates an operator on integers; a comparison of unknown ones is given a truth value and waits.
    pub(super) fn apply_operator(&mut self, operator: Builtin, truth: bool, call: u32) -> bool {
        let Call { first, result, .. } = self.calls[call as usize];
        let (left, right) = (self.store.arg(first, 0), self.store.arg(first, 1));
        let known = self.store.int_value(left).zip(self.store.int_value(right));
        if let Some((left, right)) = known {
            let value = match compute(operator, left, right) {
                Computed::Int(value) => self.store.int(value),
                Computed::Truth(holds) if holds == truth => {
                    let con = self.truth(holds);
                    self.store.con(con, &[])
                }
                Computed::Truth(_) => return false,
            };
            return self.store.unify(result, value);
        }
        let con = self.truth(truth);
        let value = self.store.con(con, &[]);
        self.scratch_call(call);
        self.store.unify(result, value) && self.integers_hold_with(call)
    }

    fn scratch_call(&mut self, call: u32) {
        let call = self.calls[call as usize];
        self.new_call(call);
    }

    /// The operators that wait.
    pub(crate) fn waiting(&self) -> Vec<Waiting> {
        let mut waiting = Vec::new();
        let mut at = self.state.pending;
        while at != NONE {
            let cell = self.pending[at as usize];
            waiting.extend(self.as_waiting(cell.value));
            at = cell.next;
        }
        waiting
    }

    fn as_waiting(&self, call: u32) -> Option<Waiting> {
        let Call { target, first, result, .. } = self.calls[call as usize];
        match target {
            Target::Builtin(operator) if operator != Builtin::Equal => {
                Some((operator, [self.store.arg(first, 0), self.store.arg(first, 1), result]))
            }
            _ => None,
        }
    }

    /// Whether all operators that wait can hold together.
    pub(super) fn integers_possible(&mut self) -> bool {
        let waiting = self.waiting();
        waiting.is_empty() || self.solve_integers(&waiting).is_some()
    }

    fn integers_hold_with(&mut self, call: u32) -> bool {
        let mut waiting = self.waiting();
        waiting.extend(self.as_waiting(call));
        self.solve_integers(&waiting).is_some()
    }

    /// Integers for the variables of operators that wait; `None` if there are none. A question that is not decided makes
    /// the search incomplete.
    pub(crate) fn solve_integers(&mut self, waiting: &[Waiting]) -> Option<Vec<(Term, i32)>> {
        let mut problem = Problem::default();
        for (operator, [left, right, result]) in waiting {
            let (left, right) = (problem.operand(self, *left), problem.operand(self, *right));
            let relation = match operator {
                Builtin::Add => Relation::Sum(problem.operand(self, *result)),
                Builtin::Subtract => Relation::Difference(problem.operand(self, *result)),
                Builtin::Multiply => Relation::Product(problem.operand(self, *result)),
                Builtin::Less => Relation::Less(self.store.head(*result)? == self.truth(true)),
                Builtin::LessEqual => Relation::LessEqual(self.store.head(*result)? == self.truth(true)),
                Builtin::Equal => continue,
            };
            problem.constraints.push(Constraint { left, right, relation });
        }
        for (left, right) in self.open_differences() {
            if let (Some(left), Some(right)) = (problem.known(self, left), problem.known(self, right)) {
                problem.constraints.push(Constraint { left, right, relation: Relation::Differs });
            }
        }
        let answer =
            self.index.integers.as_ref().map(|solver| solver.solve(problem.variables.len(), &problem.constraints));
        match answer {
            Some(Solved::Sat(values)) => Some(problem.variables.into_iter().zip(values).collect()),
            Some(Solved::Unsat) => None,
            Some(Solved::Unknown) | None => {
                self.is_bounded = true;
                None
            }
        }
    }
}

/// A question to the solver.
#[derive(Default)]
struct Problem {
    variables: Vec<Term>,
    constraints: Vec<Constraint>,
}

impl Problem {
    fn operand(&mut self, search: &Search<'_>, term: Term) -> Operand {
        let term = search.store.find(term);
        if let Node::Int(value) = search.store.raw(term) {
            return Operand::Constant(value);
        }
        let known = self.variables.iter().position(|var| *var == term);
        Operand::Variable(known.unwrap_or_else(|| {
            self.variables.push(term);
            self.variables.len() - 1
        }))
    }

    /// A term that is an integer for certain.
    fn known(&self, search: &Search<'_>, term: Term) -> Option<Operand> {
        let term = search.store.find(term);
        match search.store.raw(term) {
            Node::Int(value) => Some(Operand::Constant(value)),
            _ => self.variables.iter().position(|var| *var == term).map(Operand::Variable),
        }
    }
}

enum Computed {
    Int(i32),
    Truth(bool),
}

fn compute(operator: Builtin, left: i32, right: i32) -> Computed {
    match operator {
        Builtin::Add => Computed::Int(left.wrapping_add(right)),
        Builtin::Subtract => Computed::Int(left.wrapping_sub(right)),
        Builtin::Multiply => Computed::Int(left.wrapping_mul(right)),
        Builtin::Less => Computed::Truth(left < right),
        Builtin::LessEqual => Computed::Truth(left <= right),
        Builtin::Equal => Computed::Truth(left == right),
    }
}
