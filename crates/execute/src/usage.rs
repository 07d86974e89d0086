//! Processor time, as the system counts it: of this process, and of all descendants that were waited for.
//!
//! A process that nobody waits for is not counted. That is why every compiler and every server is waited for.

use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::time::Duration;

/// Processor time up to a moment, user and system together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessorTime {
    /// Of this process.
    pub own: Duration,
    /// Of its descendants that have ended and were waited for.
    pub descendants: Duration,
}

impl ProcessorTime {
    /// What was used so far; zero where the system does not tell.
    pub fn now() -> ProcessorTime {
        let of = |who| getrusage(who).map_or(Duration::ZERO, total);
        ProcessorTime { own: of(UsageWho::RUSAGE_SELF), descendants: of(UsageWho::RUSAGE_CHILDREN) }
    }

    /// What was used since an earlier moment.
    pub fn since(self, earlier: ProcessorTime) -> ProcessorTime {
        ProcessorTime {
            own: self.own.saturating_sub(earlier.own),
            descendants: self.descendants.saturating_sub(earlier.descendants),
        }
    }

    /// Both together.
    pub fn total(self) -> Duration {
        self.own + self.descendants
    }
}

fn total(usage: Usage) -> Duration {
    let microseconds = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Duration::from_micros(u64::try_from(microseconds).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::ProcessorTime;
    use std::process::Command;
    use std::time::Duration;

    #[test]
    fn descendants_count_once_they_were_waited_for() {
        let before = ProcessorTime::now();
        let script = "(i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done) & wait";
        assert!(Command::new("sh").args(["-c", script]).status().unwrap().success());
        let used = ProcessorTime::now().since(before);
        assert!(used.descendants > Duration::from_millis(1), "{used:?}");
        assert_eq!(used.total(), used.own + used.descendants);
    }
}
