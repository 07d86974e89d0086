//! `--profile`: what a command spends its time on.
//!
//! Phases follow one another. Exploring and native execution go on side by side within one of them, so that their times
//! add up to more than the whole.

use crate::terminal::Terminal;
use clew_execute::usage::ProcessorTime;
use clew_session::Outcome;
use std::time::{Duration, Instant};

/// A clock that is read at the end of each phase.
pub(super) struct Profile {
    start: (Instant, ProcessorTime),
    last: (Instant, ProcessorTime),
    lines: Vec<String>,
}

impl Profile {
    /// Begins the first phase.
    pub(super) fn start() -> Profile {
        let now = (Instant::now(), ProcessorTime::now());
        Profile { start: now, last: now, lines: Vec::new() }
    }

    /// Ends a phase and begins the next.
    pub(super) fn end_phase(&mut self, name: &str) {
        let now = (Instant::now(), ProcessorTime::now());
        self.lines.push(line(name, now.0 - self.last.0, now.1.since(self.last.1)));
        self.last = now;
    }

    /// Says what the last phase, a test of a function, was made of.
    pub(super) fn parts(&mut self, outcome: &Outcome<'_>) {
        let exploring = outcome.exploring.saturating_sub(outcome.summary.solving);
        let parts = [
            ("symbolic execution", exploring),
            ("solver", outcome.summary.solving),
            ("native build", outcome.building),
            ("native execution", outcome.native.saturating_sub(outcome.building)),
        ];
        let parts = parts.into_iter().map(|(name, time)| format!("    {name:18} {}", milliseconds(time)));
        self.lines.extend(parts);
        let tests = outcome.tests.len();
        self.lines.push(format!("    {:18} {:>8} of {tests} tests", "one process for", outcome.shared));
    }

    /// Prints all phases and the whole.
    pub(super) fn print(mut self, terminal: Terminal) {
        self.lines.push(line("all", self.last.0 - self.start.0, self.last.1.since(self.start.1)));
        terminal.say(&format!("{:22} {:>11} {:>11} {:>11}", "profile", "clock", "CPU, own", "CPU, others"));
        self.lines.iter().for_each(|line| terminal.say(line));
    }
}

fn line(name: &str, clock: Duration, used: ProcessorTime) -> String {
    let [clock, own, others] = [clock, used.own, used.descendants].map(milliseconds);
    format!("  {name:20} {clock} {own} {others}")
}

fn milliseconds(time: Duration) -> String {
    format!("{:8.1} ms", time.as_secs_f64() * 1e3)
}
