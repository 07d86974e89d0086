//! When to stop: by the clock on the wall, or by a clock of work.
//!
//! The clock of work stands still while nothing is computed and goes on by a fixed amount for whatever is: a contractor
//! applied, a conflict of the back end, an instruction executed symbolically. It is told in nanoseconds, about those that
//! a machine of today needs. What it cuts off is the same on every machine, however busy; what the wall's cuts off is not,
//! which makes that one a safety net. Each thread has a clock of work of its own, so a deadline is meant for the thread
//! that made it.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    /// The work this thread has done, in nanoseconds.
    static DONE: Cell<u64> = const { Cell::new(0) };
}

/// What a contractor applied costs, in nanoseconds: fitted, like the others, to processor times of real functions.
pub(crate) const CONTRACTOR: u64 = 250;
/// A term computed under a model.
pub(crate) const EVALUATION: u64 = 80;
/// A term computed in local search.
pub(crate) const MOVE: u64 = 90;
/// A clause given to CaDiCaL.
pub(crate) const CLAUSE: u64 = 300;
/// A conflict of CaDiCaL, with what it propagates.
pub(crate) const CONFLICT: u64 = 5_000;
/// A clause given to the plain solver before it.
pub(crate) const SMALL_CLAUSE: u64 = 100;
/// A clause looked at by the plain solver.
pub(crate) const VISIT: u64 = 20;

/// Moves the clock of work of this thread on.
pub fn spend(nanoseconds: u64) {
    DONE.set(DONE.get().wrapping_add(nanoseconds));
}

/// The work this thread has done.
pub fn work() -> Duration {
    Duration::from_nanos(DONE.get())
}

/// When to stop, by either clock; by default never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadline {
    wall: Option<Instant>,
    work: Option<Duration>,
}

impl Deadline {
    /// After so much time.
    pub fn after(time: Duration) -> Deadline {
        Deadline { wall: Some(Instant::now() + time), work: None }
    }

    /// The same deadline, or earlier, after so much work of this thread.
    pub fn or_work(self, effort: Duration) -> Deadline {
        Deadline { work: Some(work() + effort), ..self }
    }

    /// Whether there is one.
    pub fn is_set(self) -> bool {
        self != Deadline::default()
    }

    /// How long it is until then on the wall's clock, if that counts.
    pub fn left(self) -> Option<Duration> {
        self.wall.map(|wall| wall.saturating_duration_since(Instant::now()))
    }

    /// Whether it has come.
    pub fn has_passed(self) -> bool {
        self.is_worked_off() || self.wall.is_some_and(|wall| Instant::now() >= wall)
    }

    /// Whether it has come by the clock of work.
    pub fn is_worked_off(self) -> bool {
        self.work.is_some_and(|end| work() >= end)
    }

    /// The end of one of so many equal parts of what is left until it.
    pub fn part(self, parts: u32) -> Deadline {
        self.part_of_at_least(parts, Duration::ZERO)
    }

    /// The same, where a part has some length even if nothing is left.
    pub fn part_of_at_least(self, parts: u32, least: Duration) -> Deadline {
        let share = |left: Duration| (left / parts).max(least);
        let now = Instant::now();
        Deadline {
            wall: self.wall.map(|wall| now + share(wall.saturating_duration_since(now))),
            work: self.work.map(|end| work() + share(end.saturating_sub(work()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_passes_only_where_it_is_done() {
        let deadline = Deadline::default().or_work(Duration::from_nanos(100));
        let half = deadline.part(2);
        assert!(!half.has_passed());
        spend(50);
        assert!(half.has_passed() && !deadline.has_passed());
        spend(50);
        assert!(deadline.is_worked_off());
        assert!(!Deadline::after(Duration::from_secs(3600)).has_passed());
        assert!(Deadline::after(Duration::ZERO).has_passed());
    }

    #[test]
    fn parts_have_a_length_where_nothing_is_left() {
        let over = Deadline::default().or_work(Duration::ZERO);
        assert!(over.has_passed());
        assert!(!over.part_of_at_least(4, Duration::from_nanos(1)).has_passed());
        assert!(!Deadline::default().part(4).is_set());
    }
}
