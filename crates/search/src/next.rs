//! What comes next: which open branch is taken up, and an input that takes it.

use std::rc::Rc;

use clew_solver::clock;
use clew_solver::model::Model;
use clew_symbolic::constraints::{Answer, most_steps};
use clew_symbolic::ending::Limit;
use clew_symbolic::{Open, Path, Resume, step};

use crate::earlier::Earlier;
use crate::policy;
use crate::{Search, Stop, resident};

/// What taking up an open branch costs on the clock of work.
const POP: u64 = 28_000;

/// What is to be tried next.
#[derive(Debug)]
pub(crate) enum Upcoming {
    /// The first path.
    Start(Box<Path>),
    /// An open branch.
    Branch(Open),
    /// Another call, after a path that has returned.
    Call,
}

impl Search<'_> {
    /// What comes next, unless the search is over or pauses: then it says why it stops.
    pub(crate) fn pick(&mut self) -> Option<Upcoming> {
        if let Some(start) = self.start.take() {
            return Some(Upcoming::Start(Box::new(start)));
        }
        let has_none_open = self.ledger.as_ref().is_some_and(|ledger| ledger.open() == 0);
        if self.stepper.config.is_directed() && self.tally.is_enough() && has_none_open {
            self.stop = Stop::Decided;
            return None;
        }
        if self.stepper.config.is_directed() && self.stagnation.is_stalled(self.stepper.constraints.questions()) {
            self.stop = Stop::Stalled;
            return None;
        }
        if self.is_ripe() {
            self.stop = Stop::Ripe;
            return None;
        }
        let next = self.next_up()?;
        let Some(stop) = self.cut_off() else { return Some(next) };
        if let Upcoming::Branch(open) = next {
            self.open.push(open);
        }
        self.stop = stop;
        None
    }

    /// The path that comes next, with an input that takes it, if there is one.
    pub(crate) fn input_for(&mut self, next: Upcoming) -> Option<Path> {
        match next {
            Upcoming::Start(path) => Some(*path),
            Upcoming::Branch(open) => self.take_up(open),
            Upcoming::Call => self.next_call(),
        }
    }

    /// The next path that some input takes.
    pub(crate) fn next_path(&mut self) -> Option<Path> {
        while let Some(next) = self.pick() {
            if let Some(path) = self.input_for(next) {
                return Some(path);
            }
        }
        None
    }

    /// Asks for an input that goes the other way at an open branch.
    fn take_up(&mut self, mut open: Open) -> Option<Path> {
        let steps = self.steps_for(&open);
        let state = Rc::make_mut(&mut open.state);
        let answer = self.stepper.solve_within(steps, state, Some(open.when), &open.model);
        self.absorb();
        match answer {
            Answer::Sat(model) => {
                self.labelled = matches!(open.resume, Resume::Label(_)).then(|| open.clone());
                return Some(self.resume(open, model));
            }
            Answer::Unsat => self.refute(&open),
            Answer::Unknown if steps < most_steps() && !self.stepper.late() => {
                open.tries += 1;
                self.open.push(open);
            }
            Answer::Unknown => self.unfinished.give_up(open, Limit::Solver),
        }
        None
    }

    /// Steps the solver may spend on an open branch: where there are objectives to head for, a hard one is put off, and
    /// asked again with more of them.
    fn steps_for(&self, open: &Open) -> u64 {
        if self.stepper.config.is_directed() { policy::FIRST_STEPS.get() << (3 * open.tries.min(8)) } else { u64::MAX }
    }

    /// What is to be tried next: an open branch, or another call where the function remembers earlier ones.
    fn next_up(&mut self) -> Option<Upcoming> {
        let Some((first, second)) = self.earlier.as_mut().map(Earlier::take_turn) else {
            return self.next_open().map(Upcoming::Branch);
        };
        if first {
            return Some(Upcoming::Call);
        }
        let ahead = self.next_open();
        let aside = if ahead.is_none() && !second { self.open.pop_aside() } else { None };
        let has_waiting = self.earlier.as_ref().is_some_and(|earlier| earlier.waiting() > 0);
        match ahead.or(aside) {
            Some(open) => Some(Upcoming::Branch(open)),
            None if has_waiting => Some(Upcoming::Call),
            None => self.open.pop_aside().map(Upcoming::Branch),
        }
    }

    /// The open branch to be tried next.
    fn next_open(&mut self) -> Option<Open> {
        if let Some(mut open) = self.next_toward_exit() {
            Rc::make_mut(&mut open.state).steering.toward_exit = true;
            return Some(open);
        }
        let ahead = self.open.pop(self.ledger.as_ref());
        let mut open = ahead.or_else(|| if self.tally.is_enough() { None } else { self.open.pop_spare() })?;
        if open.state.steering.toward_exit {
            Rc::make_mut(&mut open.state).steering.toward_exit = false;
        }
        Some(open)
    }

    /// The open branch to be tried next so that its path ends, where that is missing.
    fn next_toward_exit(&mut self) -> Option<Open> {
        if self.tally.turns_to_exit() {
            return self.open.pop_toward_exit();
        }
        let is_late = self.stagnation.lacks_ends();
        self.ledger.as_ref().filter(|_| is_late).and_then(|ledger| self.open.pop_unended(ledger))
    }

    /// The safety net that stops the search here, if one does.
    fn cut_off(&mut self) -> Option<Stop> {
        clock::spend(POP);
        let full = |most: u64| resident::bytes() > most;
        match self.stepper.cut_by() {
            Some(Limit::Effort) => Some(Stop::Effort),
            Some(_) => Some(Stop::Time),
            None if self.is_stagnant() => Some(Stop::Stagnant),
            None => self.stepper.config.limits.memory.is_some_and(full).then_some(Stop::Memory),
        }
    }

    fn is_stagnant(&self) -> bool {
        let config = &self.stepper.config;
        config.limits.is_hasty && config.is_directed() && self.tally.is_enough() && self.stagnation.is_final()
    }

    /// The path that goes on at an open branch.
    pub(crate) fn resume(&mut self, open: Open, model: Rc<Model>) -> Path {
        let mut path = Path { state: Rc::unwrap_or_clone(open.state), model };
        match open.resume {
            Resume::Go(to, event) => {
                let function = &self.stepper.program.functions[path.state.frame().function];
                self.stepper.note_reason(&mut path, open.when, event);
                step::go(&mut path, function, to, event);
            }
            Resume::Label(label) => self.stepper.claim(&mut path, label, open.when),
            Resume::Again => {}
        }
        path
    }
}
