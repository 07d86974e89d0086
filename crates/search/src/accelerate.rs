//! When many turns of a loop are made in one step.
//!
//! A path that heads for objectives and has gone the same way through a loop several times may go on so for long. Beside
//! what it does, it is left open where the loop goes another way after some number of such turns, once for each branch on
//! the way ([`clew_symbolic::Accelerated`]).

use clew_coverage::Mark;
use clew_ir::BlockId;
use clew_symbolic::state::Record;
use clew_symbolic::{Open, Path, Resume};

use crate::{Search, policy};

impl Search<'_> {
    /// Leaves a path open after more turns of the loop at whose head it stands, if it does.
    pub(crate) fn accelerate(&mut self, path: &Path) {
        let state = &path.state;
        let config = &self.stepper.config;
        // The paths of a JVM come whole.
        let is_whole = config.bound.is_some() || config.references;
        if !config.is_directed() || is_whole || state.guard || state.repeats {
            return;
        }
        let frame = state.frame();
        let function = &self.stepper.program.functions[frame.function];
        let is_head = || function.loops.values().any(|item| item.head == frame.block);
        if frame.next != 0 || frame.loops.is_empty() || !is_head() {
            return;
        }
        let Some(blocks) = regular_turn(&state.record, frame.block) else { return };
        let Some(accelerated) = self.stepper.accelerate(path, &blocks) else { return };
        for end in accelerated.ends.into_iter().take(policy::MAX_TURN_ENDS.size()) {
            let terms = self.stepper.constraints.terms();
            let when = terms.and(accelerated.when, end);
            if terms.bits(when) != Some(0) {
                self.open.push(Open::new(accelerated.state.clone(), path.model.clone(), when, Resume::Again));
            }
        }
    }
}

/// The blocks of the last turn from a head, if just so many turns before had the same and the one before these had not.
fn regular_turn(record: &Record, head: BlockId) -> Option<Vec<BlockId>> {
    let trace = record.trace.as_ref()?;
    let since = record.skips.last().map_or(0, |skip| skip.marks);
    let mut back = trace.iter().skip(since).rev();
    if back.next() != Some(&Mark::Block(head)) {
        return None;
    }
    let most = policy::MAX_TURN_BLOCKS.size();
    let mut turn = || {
        let mut blocks = Vec::new();
        for mark in back.by_ref() {
            match mark {
                Mark::Block(block) if blocks.len() < most => blocks.push(*block),
                _ => return None,
            }
            if blocks.last() == Some(&head) {
                blocks.reverse();
                return Some(blocks);
            }
        }
        None
    };
    let last = turn()?;
    let are_same = (1..policy::SAME_TURNS.size()).all(|_| turn().as_ref() == Some(&last));
    (are_same && turn().as_ref() != Some(&last)).then_some(last)
}
