//! The SAT solvers, reduced to what bit-blasting needs.
//!
//! Clauses in DIMACS numbering, one query under assumptions with a limit on conflicts, the model or the failed assumptions
//! afterwards. A query goes to a plain solver first ([`small`]), and to CaDiCaL (Biere et al., "CaDiCaL 2.0", CAV 2024) if
//! that meets too many conflicts, or if there are too many clauses. Most queries need no more than a few conflicts; reading
//! their clauses would be most of what they cost CaDiCaL, which is given none before it is asked something. The limit on
//! conflicts is the deterministic budget; the deadline is a safety net and is reported under its own name.
//!
//! It does not know gates or terms, and never restarts from scratch: that is the caller's decision.

mod small;

use crate::policy;
use std::cell::Cell;
use std::rc::Rc;

use cadical_sys::{CaDiCal, Status, Terminator};

use crate::clock::{self, Deadline};
use small::{Effort, Small};

/// How far one query may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Conflicts the SAT solver may meet; `None` is no limit.
    pub conflicts: Option<u32>,
    /// When to give up whatever has been counted.
    pub deadline: Deadline,
    /// To give up, as if the conflicts were used up, where the plain solver does not answer.
    pub quick: bool,
}

/// The answer to one query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SatAnswer {
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

/// Clauses, and the solvers that are given them.
pub(super) struct Sat {
    variables: i32,
    clauses: usize,
    /// The clauses, each followed by a zero; none are kept once there are too many for the plain solver.
    kept: Vec<i32>,
    small: Option<Small>,
    /// Conflicts of plain solvers that have been thrown away.
    conflicts: u64,
    large: Option<Large>,
    /// CaDiCaL gave the last answer.
    is_large: bool,
}

impl Sat {
    pub(super) fn new() -> Sat {
        Sat {
            variables: 0,
            clauses: 0,
            kept: Vec::new(),
            small: Some(Small::default()),
            conflicts: 0,
            large: None,
            is_large: false,
        }
    }

    /// A fresh variable, as a positive DIMACS number.
    pub(super) fn variable(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    /// Adds a clause.
    pub(super) fn clause(&mut self, literals: &[i32]) {
        self.clauses += 1;
        if self.clauses > policy::PLAIN_CLAUSES.size() && self.small.is_some() {
            self.give_up_small();
        }
        match &mut self.small {
            Some(small) => {
                clock::spend(clock::SMALL_CLAUSE);
                small.clause(literals);
                self.kept.extend_from_slice(literals);
                self.kept.push(0);
            }
            None => self.large.get_or_insert_with(Large::new).clause(literals),
        }
    }

    /// From here on, CaDiCaL has all clauses as they come.
    fn give_up_small(&mut self) {
        self.hand_over().given = 0;
        self.kept = Vec::new();
        self.conflicts += self.small.take().map_or(0, |small| small.conflicts());
    }

    /// Gives CaDiCaL the clauses it has not been given yet.
    fn hand_over(&mut self) -> &mut Large {
        let large = self.large.get_or_insert_with(Large::new);
        for clause in ended(&self.kept[large.given..]) {
            large.clause(clause);
        }
        large.given = self.kept.len();
        large
    }

    /// Clauses given so far, learned ones not counted.
    pub(super) fn clauses(&self) -> usize {
        self.clauses
    }

    /// Conflicts met so far, over all queries.
    pub(super) fn conflicts(&self) -> u64 {
        let small = self.small.as_ref().map_or(0, Small::conflicts);
        self.conflicts + small + self.large.as_ref().map_or(0, Large::conflicts)
    }

    /// Whether queries are asked which variables are to be given values, and what to try first.
    pub(super) fn is_choosy(&self) -> bool {
        self.small.is_some()
    }

    /// Has the plain solver try this value of a variable first.
    pub(super) fn start_at(&mut self, variable: i32, value: bool) {
        if let Some(small) = &mut self.small {
            small.start_at(variable, value);
        }
    }

    /// Answers whether all assumptions can hold together. In a model these variables have values, where that makes a difference.
    pub(super) fn solve(&mut self, assumptions: &[i32], variables: &[i32], budget: &Budget) -> SatAnswer {
        if budget.deadline.has_passed() {
            return SatAnswer::OutOfTime;
        }
        let answer = self.solve_small(assumptions, variables, budget);
        self.is_large = answer.is_none();
        match answer {
            Some(true) => SatAnswer::Sat,
            Some(false) => SatAnswer::Unsat,
            None if budget.quick => SatAnswer::OutOfConflicts,
            None => self.hand_over().solve(assumptions, budget),
        }
    }

    /// The answer of the plain solver, if there is one.
    fn solve_small(&mut self, assumptions: &[i32], variables: &[i32], budget: &Budget) -> Option<bool> {
        let small = self.small.as_mut()?;
        let most = budget.conflicts.map_or(u64::MAX, u64::from);
        let effort = Effort { conflicts: most.min(policy::PLAIN_CONFLICTS.get()), visits: policy::PLAIN_VISITS.get() };
        let before = small.visits();
        let answer = small.solve(assumptions, variables, effort);
        clock::spend((small.visits() - before) * clock::VISIT);
        if small.learned() > policy::PLAIN_LEARNED.size() {
            self.conflicts += small.conflicts();
            let mut anew = Small::default();
            ended(&self.kept).for_each(|clause| anew.clause(clause));
            self.small = Some(anew);
        }
        answer
    }

    /// The value of a variable in the model of the last query.
    pub(super) fn value(&mut self, variable: i32) -> bool {
        match (&self.small, &mut self.large) {
            (_, Some(large)) if self.is_large => large.solver.val(variable) > 0,
            (small, _) => small.as_ref().is_some_and(|small| small.value(variable)),
        }
    }

    /// Was this assumption used to refute the last query?
    pub(super) fn failed(&mut self, literal: i32) -> bool {
        match (&self.small, &mut self.large) {
            (_, Some(large)) if self.is_large => large.solver.failed(literal),
            (small, _) => small.as_ref().is_some_and(|small| small.failed(literal)),
        }
    }
}

/// Clauses that are each followed by a zero.
fn ended(kept: &[i32]) -> impl Iterator<Item = &[i32]> {
    kept.split_inclusive(|&literal| literal == 0).map(|clause| &clause[..clause.len() - 1])
}

/// CaDiCaL.
struct Large {
    solver: CaDiCal,
    deadline: Rc<Cell<Deadline>>,
    /// How much of the kept clauses it has.
    given: usize,
}

impl Large {
    fn new() -> Large {
        let mut solver = CaDiCal::new();
        // Lucky phases propagate through all gates several times before each query, and seldom find anything.
        solver.set("lucky", 0);
        let deadline = Rc::new(Cell::new(Deadline::default()));
        solver.connect_terminator(Alarm(Rc::clone(&deadline)));
        Large { solver, deadline, given: 0 }
    }

    fn clause(&mut self, literals: &[i32]) {
        clock::spend(clock::CLAUSE);
        self.solver.clause6(literals);
    }

    fn conflicts(&self) -> u64 {
        u64::try_from(self.solver.get_statistic_value("conflicts")).unwrap_or(0)
    }

    fn solve(&mut self, assumptions: &[i32], budget: &Budget) -> SatAnswer {
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
            Status::SATISFIABLE => SatAnswer::Sat,
            Status::UNSATISFIABLE => SatAnswer::Unsat,
            Status::UNKNOWN if budget.deadline.has_passed() => SatAnswer::OutOfTime,
            Status::UNKNOWN => SatAnswer::OutOfConflicts,
        }
    }
}
