//! What is still done when the time for a function is over: whatever executes natively stops soon after.
//!
//! Work is counted for the sake of the same results everywhere, and executions are no work. So only the clock on the wall
//! cuts them off.

use clew_solver::clock::Deadline;
use std::cell::OnceCell;
use std::time::{Duration, Instant};

/// What one kind of executions may take after the time for the function is over.
const LATE: Duration = Duration::from_millis(500);

/// Patience with one kind of executions.
#[derive(Debug)]
pub(super) struct Patience {
    deadline: Deadline,
    /// When the time was first seen to be over.
    over: OnceCell<Instant>,
}

impl Patience {
    pub(super) fn new(deadline: Deadline) -> Patience {
        Patience { deadline, over: OnceCell::new() }
    }

    /// Whether nothing more is to be begun.
    pub(super) fn is_over(&self) -> bool {
        self.deadline.left() == Some(Duration::ZERO) && self.over.get_or_init(Instant::now).elapsed() > LATE
    }

    /// The time that something may take which has a limit of its own.
    pub(super) fn within(&self, limit: Duration) -> Duration {
        self.deadline.left().map_or(limit, |left| limit.min(left.max(LATE)))
    }
}

#[cfg(test)]
mod tests {
    use super::{LATE, Patience};
    use clew_solver::clock::Deadline;
    use std::time::Duration;

    #[test]
    fn limits_are_shortened_by_what_is_left() {
        let hour = Duration::from_secs(3600);
        assert_eq!(Patience::new(Deadline::default()).within(hour), hour);
        assert_eq!(Patience::new(Deadline::after(Duration::ZERO)).within(hour), LATE);
        assert!(Patience::new(Deadline::after(hour / 2)).within(hour) <= hour / 2);
    }

    #[test]
    fn something_may_be_begun_after_the_time_is_over() {
        let patience = Patience::new(Deadline::after(Duration::ZERO));
        assert!(!patience.is_over());
        assert!(!Patience::new(Deadline::default()).is_over());
    }
}
