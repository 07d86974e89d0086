//! Which open branch comes next.

mod directed;

use clew_coverage::evaluation::{Evaluation, outcome as known};
use clew_coverage::{Ledger, ObjectiveId, Verdict};
use clew_execute::Event;
use clew_ir::{BlockId, FunctionId, Program};
use imbl::Vector;
use std::collections::BTreeSet;

use crate::deal::Part;
use clew_symbolic::Open;

pub(crate) use directed::Directed;

/// Keeps open branches and says which one comes next.
pub(crate) trait Strategy<'p> {
    /// Keeps an open branch.
    fn push(&mut self, open: Open);

    /// The open branch to try next, if one is left that is worth it.
    fn pop(&mut self, goals: Option<&Ledger<'_>>) -> Option<Open>;

    /// An open branch that is worth trying only as long as there is no test at all.
    fn pop_spare(&mut self) -> Option<Open> {
        None
    }

    /// Has branches be kept that lead to nothing asked for: they may lead to a state in which another call does.
    fn keep_aside(&mut self) {}

    /// The oldest of the branches that lead to nothing asked for.
    fn pop_aside(&mut self) -> Option<Open> {
        None
    }

    /// The open branch that is nearest to the end of its path, if that is known.
    fn pop_toward_exit(&mut self) -> Option<Open> {
        None
    }

    /// The open branch that is nearest to the end of a path which did something asked for and has not ended.
    fn pop_unended(&mut self, _: &Ledger<'_>) -> Option<Open> {
        None
    }

    /// Branches from a block to the end of its function, if that is known.
    fn way_out(&self, _: FunctionId, _: BlockId) -> Option<u32> {
        None
    }

    /// Notes that the path run last covers something new.
    fn reward(&mut self) {}

    /// Notes that a path begins to run, or goes on.
    fn begin(&mut self) {}

    /// Notes that the path that runs now did something asked for, and does not end well or is put aside.
    fn pend(&mut self) {}

    /// Notes that what the path did that runs now was counted.
    fn count(&mut self) {}

    /// The open objectives that a kept branch may lead to, or a path that was cut off where it stands.
    fn doubtful(&mut self, goals: &mut Ledger<'_>, cut: &[Open]) -> BTreeSet<ObjectiveId> {
        if self.len() == 0 && cut.is_empty() { BTreeSet::new() } else { undecided(goals) }
    }

    /// Branches that are kept, on the way to which something was done that is asked for still; as many as are to be looked at.
    fn unended(&self, _: &Ledger<'_>, _most: usize) -> Vec<Open> {
        Vec::new()
    }

    /// The same with every so-manieth of the branches that are kept.
    fn deal(&self, part: Part) -> Box<dyn Strategy<'p> + 'p>;

    /// How many branches are kept.
    fn len(&self) -> usize;

    /// Whether branches were thrown away for lack of room.
    fn has_dropped(&self) -> bool {
        false
    }
}

/// The objectives that are open.
pub(crate) fn undecided(goals: &Ledger<'_>) -> BTreeSet<ObjectiveId> {
    goals.entries().filter(|(_, _, verdict)| **verdict == Verdict::Open).map(|(id, ..)| id).collect()
}

/// The deepest open branch first: PathCrawler's order, and the least memory.
#[derive(Debug, Default)]
pub(crate) struct DepthFirst {
    open: Vec<Open>,
}

impl<'p> Strategy<'p> for DepthFirst {
    fn deal(&self, part: Part) -> Box<dyn Strategy<'p> + 'p> {
        let open = self.open.iter().enumerate().filter(|(index, _)| part.has(*index));
        Box::new(DepthFirst { open: open.map(|(_, open)| open.clone()).collect() })
    }

    fn push(&mut self, open: Open) {
        self.open.push(open);
    }

    fn pop(&mut self, _: Option<&Ledger<'_>>) -> Option<Open> {
        self.open.pop()
    }

    fn len(&self) -> usize {
        self.open.len()
    }
}

/// The evaluation of the decision that a branch belongs to: what a path has evaluated of it, and then the branch.
pub(crate) fn evaluation(program: &Program, path: &Vector<Event>, branch: Event) -> Evaluation {
    let Event::Condition { function, condition, outcome } = branch else { return Evaluation::new() };
    let body = &program.functions[function];
    let decision = body.conditions[condition].decision;
    let mut begun = vec![(condition, outcome)];
    for event in path.iter().rev() {
        match *event {
            Event::Condition { function: other, condition, outcome }
                if other == function
                    && body.conditions[condition].decision == decision
                    && known(&begun, condition).is_none() =>
            {
                begun.push((condition, outcome));
            }
            _ => break,
        }
    }
    begun.reverse();
    begun
}
