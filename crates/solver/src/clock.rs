//! When to stop: by the clock on the wall, or by a clock of work.
//!
//! The clock of work stands still while nothing is computed and goes on by a fixed amount for whatever is: a propagator
//! applied, a conflict of the back end, an instruction executed symbolically. It is told in nanoseconds, about those that
//! a machine of today needs. What it cuts off is the same on every machine, however busy; what the wall's cuts off is not,
//! which makes that one a safety net. Each thread begins with a clock of work of its own. A deadline is by the clock of the
//! thread that made it, and a query is charged to the clock of its deadline, whichever thread it runs in: a budget may be
//! moved between threads.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A clock of work: nanoseconds done.
#[derive(Clone, Copy, Debug)]
struct Clock(&'static AtomicU64);

impl PartialEq for Clock {
    fn eq(&self, other: &Clock) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Clock {}

impl Clock {
    /// A clock that has done nothing. It is never given back: there is one for each thread.
    fn new() -> Clock {
        Clock(Box::leak(Box::new(AtomicU64::new(0))))
    }

    /// Only one thread at a time works by a clock, so that a load and a store will do.
    fn spend(self, nanoseconds: u64) {
        self.0.store(self.0.load(Ordering::Relaxed).wrapping_add(nanoseconds), Ordering::Relaxed);
    }

    fn work(self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

thread_local! {
    /// The clock that the work of this thread is charged to.
    static CURRENT: Cell<Clock> = Cell::new(Clock::new());
}

/// Charges the work of this thread to another clock until it is dropped.
#[derive(Debug)]
pub(crate) struct Charged {
    before: Clock,
}

impl Drop for Charged {
    fn drop(&mut self) {
        CURRENT.set(self.before);
    }
}

/// What a propagator applied costs, in nanoseconds: fitted, like the others, to processor times of real functions.
pub(crate) const PROPAGATOR: u64 = 250;
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
    CURRENT.get().spend(nanoseconds);
}

/// The work this thread has done.
#[must_use]
pub fn work() -> Duration {
    CURRENT.get().work()
}

/// When to stop, by either clock; by default never.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadline {
    wall: Option<Instant>,
    work: Option<(Clock, Duration)>,
}

impl Deadline {
    /// After so much time.
    #[must_use]
    pub fn after(time: Duration) -> Deadline {
        Deadline { wall: Some(Instant::now() + time), work: None }
    }

    /// The same deadline, or earlier, after so much work of this thread.
    #[must_use]
    pub fn or_work(self, effort: Duration) -> Deadline {
        Deadline { work: Some((CURRENT.get(), work() + effort)), ..self }
    }

    /// Whether there is one.
    #[must_use]
    pub fn is_set(self) -> bool {
        self != Deadline::default()
    }

    /// How long it is until then on the wall's clock, if that counts.
    #[must_use]
    pub fn left(self) -> Option<Duration> {
        self.wall.map(|wall| wall.saturating_duration_since(Instant::now()))
    }

    /// How much work it is until then, if that counts.
    #[must_use]
    pub fn work_left(self) -> Option<Duration> {
        self.work.map(|(clock, end)| end.saturating_sub(clock.work()))
    }

    /// Whether it has come.
    #[must_use]
    pub fn has_passed(self) -> bool {
        self.is_worked_off() || self.wall.is_some_and(|wall| Instant::now() >= wall)
    }

    /// Whether it has come by the clock of work.
    #[must_use]
    pub fn is_worked_off(self) -> bool {
        self.work.is_some_and(|(clock, end)| clock.work() >= end)
    }

    /// The end of one of so many equal parts of what is left until it.
    #[must_use]
    pub fn part(self, parts: u32) -> Deadline {
        self.part_of_at_least(parts, Duration::ZERO)
    }

    /// The same, where a part has some length even if nothing is left.
    #[must_use]
    pub fn part_of_at_least(self, parts: u32, least: Duration) -> Deadline {
        let share = |left: Duration| (left / parts).max(least);
        let now = Instant::now();
        Deadline {
            wall: self.wall.map(|wall| now + share(wall.saturating_duration_since(now))),
            work: self.work.map(|(clock, end)| (clock, clock.work() + share(end.saturating_sub(clock.work())))),
        }
    }

    /// Charges the work of this thread to the clock of the deadline, if it has one, as long as the guard lives.
    pub(crate) fn charge(self) -> Charged {
        let before = CURRENT.get();
        CURRENT.set(self.work.map_or(before, |(clock, _)| clock));
        Charged { before }
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
    fn work_of_another_thread_is_charged_to_the_deadline() {
        let deadline = Deadline::default().or_work(Duration::from_nanos(100));
        let elsewhere = move || {
            spend(1_000);
            assert!(!deadline.has_passed(), "that was work of the other thread's own");
            let charged = deadline.charge();
            spend(100);
            drop(charged);
            assert!(deadline.has_passed() && work() == Duration::from_nanos(1_000));
        };
        std::thread::spawn(elsewhere).join().expect("nothing fails there");
        assert!(deadline.has_passed());
    }

    #[test]
    fn parts_have_a_length_where_nothing_is_left() {
        let over = Deadline::default().or_work(Duration::ZERO);
        assert!(over.has_passed());
        assert!(!over.part_of_at_least(4, Duration::from_nanos(1)).has_passed());
        assert!(!Deadline::default().part(4).is_set());
    }
}
