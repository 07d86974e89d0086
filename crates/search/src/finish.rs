//! The ends of paths: what they covered, what the caller is given, what is given up or left open.

use std::rc::Rc;

use clew_coverage::{Ledger, ObjectiveId, Trace};
use clew_execute::Event;

use clew_symbolic::constraints::Answer;
use clew_symbolic::ending::PathEnd;
use clew_symbolic::{Explored, Open, Path, Resume};

use crate::deal::Deal;
use crate::policy;
use crate::summary::Stop;
use crate::{Next, Search};

impl Search<'_> {
    /// Notes that something new was covered.
    pub(crate) fn note_newly_covered(&mut self) {
        self.stagnation.note_progress(self.stepper.constraints.questions(), self.stepper.config.limits.deadline);
        // As long as it gets on, one search does better than parts of it.
        self.ripe = self.ripe.map(|_| Deal::quiet());
    }

    /// Leaves a path open where it stands. A long path stops often: what it did is read again when it has doubled.
    pub(crate) fn park(&mut self, mut path: Path) -> Next {
        let length = path.state.record.trace.as_ref().map_or(0, imbl::Vector::len);
        if length <= policy::SHORT_TRACE.size() || length >= 2 * path.state.record.pending.0 {
            path.state.record.pending = (length, self.is_pending(&path));
        }
        if path.state.record.pending.1 {
            self.open.pend();
        }
        if let Some(Resume::Label(label)) = self.labelled.take().map(|open| open.resume) {
            self.parked_labels.insert(label);
        }
        let open = self.left_open(path);
        self.open.push(open);
        Next::Continue
    }

    /// Where a path that was run for the sake of a label ends in something undefined, others with that label may not: it is
    /// run again, and leaves its branches open.
    fn open_label_again(&mut self, path: &Path) {
        if let Some(mut open) = self.labelled.take() {
            Rc::make_mut(&mut open.state).repeats = false;
            self.open.push(open);
        } else {
            let labels = path.state.record.labels.iter().map(|(_, label, _)| *label);
            self.unfinished.labels.extend(labels.filter(|label| self.parked_labels.contains(label)));
        }
    }

    /// A path that goes on where it stands.
    fn left_open(&mut self, path: Path) -> Open {
        let when = self.stepper.constraints.terms().bool(true);
        Open::new(path.state, path.model, when, Resume::Again)
    }

    /// Where a path that cannot be counted did something asked for, another end of it is worth looking for.
    fn note_pending(&mut self, path: &Path) {
        if self.is_pending(path) {
            self.open.pend();
        }
    }

    /// Whether a path did something that is still to be covered.
    fn is_pending(&self, path: &Path) -> bool {
        let wants = |goals: &Ledger<'_>| goals.wants_trace(path.state.record.trace.iter().flatten());
        self.ledger.as_ref().is_some_and(wants)
    }

    /// Does with a finished path what its end asks for. One that never entered the function is handed over only where
    /// something unsupported stopped it.
    pub(crate) fn finish(&mut self, path: Path, end: PathEnd, found: &mut dyn FnMut(Explored) -> Next) -> Next {
        if !end.covers() {
            self.note_pending(&path);
        }
        if path.state.repeats && matches!(end, PathEnd::Failed(_)) {
            self.open_label_again(&path);
        }
        if let PathEnd::Returned(result) = end {
            self.go_on(&path, result);
        }
        match end {
            PathEnd::Contradiction if path.state.guard => {}
            PathEnd::Contradiction => self.refutations.note(path.state.record.events.iter().copied()),
            PathEnd::Limit(limit) => {
                let open = self.left_open(path);
                self.unfinished.give_up(open, limit);
            }
            PathEnd::PutOff => {}
            // Checks are what the JVM guarantees and what contracts demand: nobody can have such an input executed.
            PathEnd::Failed(_) if self.stepper.config.references => {}
            PathEnd::Unsupported { .. } => return self.hand_over(path, end, found),
            _ if path.state.guard => {}
            _ => return self.hand_over(path, end, found),
        }
        Next::Continue
    }

    /// Hands over paths that have not ended, where they did something that no other path did: a function may be meant to run
    /// for ever, and then none of its paths ends.
    pub(crate) fn hand_over_unended(&mut self, found: &mut dyn FnMut(Explored) -> Next) {
        let Some(ledger) = self.ledger.as_ref().filter(|ledger| ledger.open() > 0) else { return };
        let is_asked_to_stop = matches!(self.stop, Stop::Asked | Stop::Tests | Stop::Decided);
        if is_asked_to_stop || !self.stepper.config.is_directed() {
            return;
        }
        let mut left = self.open.unended(ledger, policy::MAX_UNENDED_READ.size());
        left.extend(self.unfinished.cut_off.iter().cloned());
        let mut handed_over = 0;
        for open in left {
            let Some(path) = self.unended(open).filter(|_| handed_over < policy::MAX_UNENDED_PATHS.size()) else {
                continue;
            };
            handed_over += 1;
            if self.hand_over(path, PathEnd::Unended, found) == Next::Stop {
                return;
            }
        }
    }

    /// A path that goes on where an open branch stands, if it did something that is still to be covered.
    fn unended(&mut self, mut open: Open) -> Option<Path> {
        if open.state.guard {
            return None;
        }
        let model = open.model.clone();
        let answer = self.stepper.solve(Rc::make_mut(&mut open.state), Some(open.when), &model);
        let Answer::Sat(model) = answer else { return None };
        let path = self.resume(open, model);
        let trace = self.stepper.trace(&path);
        self.ledger.as_ref().is_some_and(|ledger| ledger.wants_trace(&trace)).then_some(path)
    }

    /// Hands a path to the caller, if it is new or covers something.
    fn hand_over(&mut self, mut path: Path, end: PathEnd, found: &mut dyn FnMut(Explored) -> Next) -> Next {
        self.stepper.bring_all_near(&mut path);
        self.stepper.trim(&mut path);
        let trace = self.stepper.trace(&path);
        let newly_covered = self.covered(&trace, &end);
        if !newly_covered.is_empty() {
            self.open.reward();
            self.note_newly_covered();
        }
        let lost = matches!(end, PathEnd::Unsupported { .. });
        let events: Vec<Event> = path.state.record.events.iter().copied().collect();
        let is_new = lost || self.refutations.is_new(&events) && self.decides_anew(&events, &end);
        // The first path is a test even where there is nothing to cover, and so is the first that ends well.
        let wanted = if self.stepper.config.is_directed() { self.tally.lacks(&end, &path.state) } else { is_new };
        let wanted = wanted && !path.state.repeats;
        if !lost && newly_covered.is_empty() && !wanted {
            return Next::Continue;
        }
        self.tally.count(&end, &path.state);
        let explored = Explored {
            input: self.stepper.concrete_input(&path.state, &path.model),
            path: events,
            end,
            turns: self.stepper.turns(&path),
            repeats: self.stepper.repeats(&path),
            trace,
            newly_covered,
            given: false,
            addressed: path.state.inputs.addressed,
        };
        if self.hand_over_drawn(&path, explored, found) == Next::Stop {
            self.stop = Stop::Asked;
        } else if self.tally.tests >= self.stepper.config.limits.tests {
            self.stop = Stop::Tests;
        } else {
            return Next::Continue;
        }
        Next::Stop
    }

    /// Whether a path is the first with its decisions, where these alone tell paths apart.
    fn decides_anew(&mut self, events: &[Event], end: &PathEnd) -> bool {
        !self.stepper.config.whole || self.decided.is_new(self.stepper.program, events, end.covers())
    }

    /// The objectives a path is the first to cover. One that ends in something undefined or unsupported covers nothing.
    pub(crate) fn covered(&mut self, trace: &Trace, end: &PathEnd) -> Vec<ObjectiveId> {
        match &mut self.ledger {
            Some(goals) if end.covers() => {
                self.open.count();
                self.stagnation.note_end();
                goals.record(u32::try_from(self.tally.tests).unwrap_or(u32::MAX), trace)
            }
            Some(_) if matches!(end, PathEnd::Failed(_)) => {
                self.findings.keep_undefined(trace);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }
}
