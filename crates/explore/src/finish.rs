//! The ends of paths: what they covered, what the caller is given, what is given up or left open.

use clew_coverage::{Ledger, Mark, ObjectiveId, Trace};
use clew_execute::Event;

use crate::ending::{Limit, PathEnd};
use crate::summary::Stop;
use crate::{Explored, Explorer, Next, Open, Path, Resume};

/// Marks of a trace that are read whenever a path makes way for others.
const SHORT_TRACE: usize = 4096;

/// Paths cut off that are kept.
const MOST_CUT: usize = 256;

/// Paths into something undefined that are kept, in steps of all of them.
const MOST_UNDEFINED: usize = 1 << 20;

impl Explorer<'_> {
    /// Leaves a path open where it stands. A long path stops often: what it did is read again when it has doubled.
    pub(crate) fn park(&mut self, mut path: Path) -> Next {
        let length = path.state.trace.as_ref().map_or(0, imbl::Vector::len);
        if length <= SHORT_TRACE || length >= 2 * path.state.pending.0 {
            path.state.pending = (length, self.is_pending(&path));
        }
        if path.state.pending.1 {
            self.open.pend();
        }
        let open = self.left_open(path);
        self.open.push(open);
        Next::Continue
    }

    /// A path that goes on where it stands.
    fn left_open(&mut self, path: Path) -> Open {
        let when = self.constraints.terms().bool(true);
        Open::new(path.state, path.model, when, Resume::Again)
    }

    /// Notes that a limit cuts off what comes after a branch or a path.
    pub(crate) fn give_up(&mut self, open: Open, limit: Limit) {
        *self.given_up.entry(limit).or_default() += 1;
        if self.cut.len() < MOST_CUT {
            self.cut.push(open);
        } else {
            self.limits.insert(limit);
        }
    }

    /// Where a path that cannot be counted did something asked for, another end of it is worth looking for.
    fn note_pending(&mut self, path: &Path) {
        if self.is_pending(path) {
            self.open.pend();
        }
    }

    /// Whether a path did something that is still to be covered.
    fn is_pending(&self, path: &Path) -> bool {
        let wants = |goals: &Ledger<'_>| goals.wants_trace(path.state.trace.iter().flatten());
        self.goals.as_ref().is_some_and(wants)
    }

    /// Does with a finished path what its end asks for. One that never entered the function is handed over only where
    /// something unsupported stopped it.
    pub(crate) fn finish(&mut self, path: Path, end: PathEnd, found: &mut dyn FnMut(Explored) -> Next) -> Next {
        if !end.covers() {
            self.note_pending(&path);
        }
        if let PathEnd::Returned(result) = end {
            self.go_on(&path, result);
        }
        match end {
            PathEnd::Contradiction if path.state.guard => {}
            PathEnd::Contradiction => self.refutations.note(path.state.path.iter().copied()),
            PathEnd::Limit(limit) => {
                let open = self.left_open(path);
                self.give_up(open, limit);
            }
            PathEnd::PutOff => {}
            PathEnd::Unsupported { .. } => return self.hand_over(path, end, found),
            _ if path.state.guard => {}
            _ => return self.hand_over(path, end, found),
        }
        Next::Continue
    }

    /// Hands a path to the caller, if it is new or covers something.
    fn hand_over(&mut self, mut path: Path, end: PathEnd, found: &mut dyn FnMut(Explored) -> Next) -> Next {
        self.bring_all_near(&mut path);
        self.trim(&mut path);
        let trace = self.trace(&path);
        let news = self.covered(&trace, &end);
        if !news.is_empty() {
            self.open.reward();
            self.note_news();
        }
        let lost = matches!(end, PathEnd::Unsupported { .. });
        let events: Vec<Event> = path.state.path.iter().copied().collect();
        let is_new = lost || self.refutations.is_new(&events);
        // The first path is a test even where there is nothing to cover, and so is the first that ends well.
        let wanted = if self.config.is_directed() { self.tally.lacks(&end, &path.state) } else { is_new };
        let wanted = wanted && !path.state.repeats;
        if !lost && news.is_empty() && !wanted {
            return Next::Continue;
        }
        self.tally.count(&end, &path.state);
        let explored = Explored {
            input: self.concrete_input(&path.state, &path.model),
            path: events,
            end,
            turns: path.state.turns,
            trace,
            news,
            given: false,
            addressed: path.state.inputs.addressed,
        };
        if found(explored) == Next::Stop {
            self.stop = Stop::Asked;
        } else if self.tally.tests >= self.config.tests {
            self.stop = Stop::Tests;
        } else {
            return Next::Continue;
        }
        Next::Stop
    }

    /// What criteria want to know of a path, with the labels that hold for its input.
    pub(crate) fn trace(&mut self, path: &Path) -> Trace {
        let mut marks = path.state.trace.iter().flatten().copied().enumerate().peekable();
        let mut trace = Trace::new();
        for &(at, label, when) in &path.state.labels {
            while marks.peek().is_some_and(|(position, _)| *position < at) {
                trace.extend(marks.next().map(|(_, mark)| mark));
            }
            if self.constraints.holds(&path.model, when) {
                trace.push(Mark::Label(label));
            }
        }
        trace.extend(marks.map(|(_, mark)| mark));
        trace
    }

    /// The objectives a path is the first to cover. One that ends in something undefined or unsupported covers nothing.
    pub(crate) fn covered(&mut self, trace: &Trace, end: &PathEnd) -> Vec<ObjectiveId> {
        match &mut self.goals {
            Some(goals) if end.covers() => {
                self.open.count();
                self.unended = 0;
                goals.record(u32::try_from(self.tally.tests).unwrap_or(u32::MAX), trace)
            }
            Some(_) if matches!(end, PathEnd::Failed(_)) => {
                self.keep_undefined(trace);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Keeps what a path did before something undefined happened.
    fn keep_undefined(&mut self, trace: &Trace) {
        let kept: usize = self.undefined.iter().map(Vec::len).sum();
        if kept + trace.len() <= MOST_UNDEFINED {
            self.undefined.insert(trace.clone());
        }
    }
}
