//! How long nothing new was covered: when a search for objectives pauses, and when it gives way to others.

use crate::policy;
use clew_solver::clock::Deadline;

/// The effort since something new was covered.
#[derive(Debug)]
pub(crate) struct Stagnation {
    /// Open branches tried since then.
    idle: u64,
    /// Open branches tried since a path ended as C defines.
    unended: u64,
    /// Questions asked until then.
    questions: u64,
    /// When nothing new was covered in half of the time that was left.
    deadline: Deadline,
    /// Effort after which the search pauses.
    limit: u64,
}

impl Stagnation {
    pub(crate) fn new(deadline: Deadline) -> Stagnation {
        Stagnation {
            idle: 0,
            unended: 0,
            questions: 0,
            deadline: deadline.part(2),
            limit: policy::STAGNATION_LIMIT.get(),
        }
    }

    /// The same for a search that goes on by itself.
    pub(crate) fn apart(&self, questions: u64, deadline: Deadline) -> Stagnation {
        Stagnation { questions, limit: self.limit, ..Stagnation::new(deadline) }
    }

    /// Notes that an open branch is tried; says whether trying them has led to nothing new for long. Each time, it takes
    /// more effort.
    pub(crate) fn is_stalled(&mut self, questions: u64) -> bool {
        self.idle += 1;
        self.unended += 1;
        let effort = self.idle * policy::EFFORT_OF_BRANCH.get()
            + (questions - self.questions) * policy::EFFORT_OF_QUESTION.get();
        let is_stalled = effort > self.limit;
        if is_stalled {
            self.limit = self.limit.saturating_mul(policy::STAGNATION_GROWTH.get());
        }
        is_stalled
    }

    /// Notes that something new was covered, after so many questions, with so much time left.
    pub(crate) fn note_progress(&mut self, questions: u64, deadline: Deadline) {
        self.idle = 0;
        self.questions = questions;
        self.deadline = deadline.part(2);
    }

    /// Notes that the questions so far were not in vain.
    pub(crate) fn note_questions(&mut self, questions: u64) {
        self.questions = questions;
    }

    /// Notes that a path ended as C defines.
    pub(crate) fn note_end(&mut self) {
        self.unended = 0;
    }

    /// Whether the next open branch had better be one whose path ends soon.
    pub(crate) fn lacks_ends(&self) -> bool {
        self.unended > policy::UNENDED_AFTER.get() && self.unended.is_multiple_of(policy::UNENDED_EVERY.get())
    }

    /// Whether nothing new was covered in half of the time that was left.
    pub(crate) fn is_final(&self) -> bool {
        self.deadline.has_passed()
    }
}
