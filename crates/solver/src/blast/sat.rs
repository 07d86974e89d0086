//! The SAT solver, reduced to what bit-blasting needs.
//!
//! A thin face over CaDiCaL (Biere et al., "CaDiCaL 2.0", CAV 2024): clauses in DIMACS numbering, one query under
//! assumptions with a limit on conflicts, the model or the failed assumptions afterwards. The limit on conflicts is
//! the deterministic budget; the deadline is a safety net and is reported under its own name.
//!
//! It does not know gates or terms, and never restarts from scratch: that is the caller's decision.

use std::cell::Cell;
use std::rc::Rc;

use cadical_sys::{CaDiCal, Status, Terminator};

use crate::clock::{self, Deadline};

/// How far one query may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Conflicts the SAT solver may meet; `None` is no limit.
    pub conflicts: Option<u32>,
    /// When to give up whatever has been counted.
    pub deadline: Deadline,
}

/// The answer to one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Sat,
    Unsat,
    /// The conflicts were used up.
    OutOfConflicts,
    /// The deadline passed.
    OutOfTime,
}

/// Tells CaDiCaL to stop once the shared deadline has passed.
struct Alarm(Rc<Cell<Deadline>>);

impl Terminator for Alarm {
    fn terminated(&mut self) -> bool {
        self.0.get().has_passed()
    }
}

/// CaDiCaL and the counters around it.
pub(super) struct Sat {
    solver: CaDiCal,
    deadline: Rc<Cell<Deadline>>,
    variables: i32,
    clauses: usize,
}

impl Sat {
    pub(super) fn new() -> Sat {
        let mut solver = CaDiCal::new();
        // Lucky phases propagate through all gates several times before each query, and seldom find anything.
        solver.set("lucky", 0);
        let deadline = Rc::new(Cell::new(Deadline::default()));
        solver.connect_terminator(Alarm(Rc::clone(&deadline)));
        Sat { solver, deadline, variables: 0, clauses: 0 }
    }

    /// A fresh variable, as a positive DIMACS number.
    pub(super) fn variable(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    pub(super) fn clause(&mut self, literals: &[i32]) {
        self.clauses += 1;
        clock::spend(clock::CLAUSE);
        self.solver.clause6(literals);
    }

    /// Clauses given so far, learned ones not counted.
    pub(super) fn clauses(&self) -> usize {
        self.clauses
    }

    /// Conflicts met so far, over all queries.
    pub(super) fn conflicts(&self) -> u64 {
        u64::try_from(self.solver.get_statistic_value("conflicts")).unwrap_or(0)
    }

    pub(super) fn solve(&mut self, assumptions: &[i32], budget: &Budget) -> Outcome {
        if budget.deadline.has_passed() {
            return Outcome::OutOfTime;
        }
        for &literal in assumptions {
            self.solver.assume(literal);
        }
        let conflicts = budget.conflicts.map_or(-1, |limit| i32::try_from(limit).unwrap_or(i32::MAX));
        self.solver.limit("conflicts", conflicts);
        self.deadline.set(budget.deadline);
        let before = self.conflicts();
        let status = self.solver.solve();
        clock::spend(self.conflicts().saturating_sub(before) * clock::CONFLICT);
        match status {
            Status::SATISFIABLE => Outcome::Sat,
            Status::UNSATISFIABLE => Outcome::Unsat,
            Status::UNKNOWN if budget.deadline.has_passed() => Outcome::OutOfTime,
            Status::UNKNOWN => Outcome::OutOfConflicts,
        }
    }

    /// The value of a variable in the model of the last query.
    pub(super) fn value(&mut self, variable: i32) -> bool {
        self.solver.val(variable) > 0
    }

    /// Was this assumption used to refute the last query?
    pub(super) fn failed(&mut self, literal: i32) -> bool {
        self.solver.failed(literal)
    }
}
