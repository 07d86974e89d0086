//! The blocks a test ran through, followed along the path that was observed.
//!
//! Conditions and arms are known from the path; everything between them is straight. Where the code forks by something
//! the path does not tell (a call through a pointer, a branch that is not in the source), the walk ends: what it gives is
//! always a beginning of what happened, never more.

use clew_coverage::{Mark, Trace};
use clew_execute::{Ending, Event};
use clew_ir::{BlockId, Callee, ENTRY, FunctionId, InstKind, Program, TerminatorKind};
use clew_session::Replayed;

/// Blocks between two events after which a walk ends: the program may run in a circle without conditions.
const MOST_SILENT: usize = 10_000;

/// The trace of a test.
pub(super) fn trace(program: &Program, function: FunctionId, test: &Replayed) -> Trace {
    if test.divergence.is_none() && !test.explored.trace.is_empty() {
        return test.explored.trace.clone();
    }
    let returned = test.observation.ending == Ending::Returned;
    let mut walk = Walk { program, events: &test.observation.path, returned, trace: Vec::new(), stack: Vec::new() };
    let mut silent = 0;
    for _ in 0..=test.explored.input.earlier.len() {
        walk.enter(function);
        while silent < MOST_SILENT && !walk.stack.is_empty() {
            let left = walk.events.len();
            if walk.step().is_none() {
                return walk.trace;
            }
            silent = if walk.events.len() == left { silent + 1 } else { 0 };
        }
    }
    walk.trace
}

struct Walk<'a> {
    program: &'a Program,
    /// What is still to come.
    events: &'a [Event],
    returned: bool,
    trace: Trace,
    /// Functions with the block and the instruction they are at.
    stack: Vec<(FunctionId, BlockId, usize)>,
}

impl Walk<'_> {
    fn enter(&mut self, function: FunctionId) {
        self.trace.push(Mark::Enter(function));
        self.stack.push((function, ENTRY, 0));
    }

    /// To the next call or the end of the block; `None` where nobody knows how it goes on.
    fn step(&mut self) -> Option<()> {
        let (function, block, at) = *self.stack.last()?;
        let data = &self.program.functions[function].blocks[block];
        for (index, inst) in data.insts.iter().enumerate().skip(at) {
            let InstKind::Call { callee, .. } = &inst.kind else { continue };
            let Callee::Direct(callee) = callee else { return None };
            if self.program.functions[*callee].is_defined() {
                self.stack.last_mut()?.2 = index + 1;
                self.enter(*callee);
                return Some(());
            }
        }
        if self.events.is_empty() && !self.returned {
            return None;
        }
        match &data.terminator.kind {
            TerminatorKind::Return(_) => {
                self.trace.push(Mark::Leave);
                self.stack.pop();
            }
            kind => self.go_on(kind)?,
        }
        Some(())
    }

    /// To the next block.
    fn go_on(&mut self, kind: &TerminatorKind) -> Option<()> {
        let successors = kind.successors();
        let taken = match (kind, self.events) {
            (
                TerminatorKind::Branch { condition: Some(asked), .. },
                [Event::Condition { condition, outcome, .. }, rest @ ..],
            ) if asked == condition => {
                self.events = rest;
                Some(usize::from(!outcome))
            }
            (
                TerminatorKind::Switch { decision: Some(asked), .. },
                [Event::Switch { decision, arm, .. }, rest @ ..],
            ) if asked == decision => {
                self.events = rest;
                Some(*arm as usize)
            }
            (TerminatorKind::Branch { .. } | TerminatorKind::Switch { .. }, _) => None,
            _ => Some(0),
        }?;
        let next = *successors.get(taken)?;
        self.trace.push(Mark::Block(next));
        let activation = self.stack.last_mut()?;
        (activation.1, activation.2) = (next, 0);
        Some(())
    }
}
