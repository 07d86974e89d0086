//! How a long search is dealt out ([`crate::part`]): when, and into how many parts.

use clew_solver::clock::Deadline;
use clew_symbolic::config::Config;
use serde::{Deserialize, Serialize};
use std::time::Duration;

use crate::policy;

/// One of so many parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Which one, from 0.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

impl Part {
    /// Whether something belongs to it.
    #[must_use]
    pub fn has(self, index: usize) -> bool {
        index % self.of == self.number
    }
}

/// How the rest of a search is dealt out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// When to look whether enough is open, if nothing new is covered until then.
    pub when: Deadline,
    /// How many parts there are.
    pub parts: usize,
}

impl Deal {
    /// How a search with these options is dealt out, if it has as much work before it as that takes.
    #[must_use]
    pub fn of(config: &Config) -> Option<Deal> {
        let deadline = config.limits.deadline;
        let is_long = deadline.work_left()? >= milliseconds(policy::DEAL_FROM.get());
        is_long.then(|| Deal { when: Deal::quiet(), parts: policy::DEAL_PARTS.size() })
    }

    /// When it is time if nothing new is covered until then.
    pub(crate) fn quiet() -> Deadline {
        Deadline::default().or_work(milliseconds(policy::DEAL_AFTER.get()))
    }
}

/// So many milliseconds, which a row of the policy gives.
pub(crate) fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number)
}
