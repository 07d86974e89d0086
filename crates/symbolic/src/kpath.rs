//! The k-path rule of PathCrawler (Williams et al. 2005): which branches are worth flipping.
//!
//! A path is within k if no activation of a loop runs more than k iterations. The alternative of a branch is not
//! explored when it can only lead to paths beyond k:
//! - the path already ran some loop more than k times;
//! - the branch belongs to a loop's decision and the loop has run more than k times;
//! - the loop has run k times, and the alternative is certain to run it once more.
//!
//! Since a branch inside a composite loop condition that is not the last leaves open whether the loop goes on, a test may
//! still exceed k by one iteration; such tests are counted as superfluous.

pub mod graph;

use clew_ir::{BlockId, ConditionId, Function, LoopId, TerminatorKind};

use crate::state::Frame;

/// The bound on loop iterations; `None` explores all paths.
pub type Bound = Option<u32>;

/// Notes that control goes from one block to another, and gives the iterations begun of a loop whose body starts.
pub fn note_edge(function: &Function, frame: &mut Frame, to: BlockId) -> Option<u32> {
    note_turns(function, frame.block, &mut frame.loops, to)
}

/// The same for the turns of active loops alone.
fn note_turns(function: &Function, from: BlockId, loops: &mut Vec<(LoopId, u32)>, to: BlockId) -> Option<u32> {
    for (id, item) in function.loops.iter() {
        if item.exit == to {
            loops.retain(|(active, _)| *active != id);
        }
        if item.head == to && from != item.latch {
            loops.retain(|(active, _)| *active != id);
            loops.push((id, 0));
        }
    }
    let (id, _) = function.loops.iter().find(|(_, item)| item.body == to)?;
    let entry = loops.iter_mut().find(|(active, _)| *active == id)?;
    entry.1 += 1;
    Some(entry.1)
}

/// Whether the alternative of a branch is worth exploring. `alternative` is the block it would go to, `turns` the most
/// iterations any activation of a loop has begun on the path so far.
pub fn worth_flipping(
    function: &Function,
    frame: &Frame,
    condition: Option<ConditionId>,
    alternative: BlockId,
    bound: Bound,
    turns: u32,
) -> bool {
    let Some(k) = bound else { return true };
    if turns > k {
        return false;
    }
    match condition.and_then(|condition| head_of(function, condition)) {
        None => true,
        Some(id) => {
            let begun = frame.loops.iter().find(|(active, _)| *active == id).map_or(0, |(_, begun)| *begun);
            begun <= k && !(begun >= k && enters(function, id, alternative))
        }
    }
}

/// Whether going to `block` leaves the loop whose decision a condition belongs to.
pub fn leaves(function: &Function, condition: ConditionId, block: BlockId) -> bool {
    head_of(function, condition).is_some_and(|id| function.loops[id].exit == block)
}

/// The loop whose decision a condition belongs to.
fn head_of(function: &Function, condition: ConditionId) -> Option<LoopId> {
    let decision = function.conditions[condition].decision;
    function.loops.iter().find(|(_, item)| item.decision == Some(decision)).map(|(id, _)| id)
}

/// Whether control at `block` surely runs the body of a loop: it is the body, or jumps straight to it.
fn enters(function: &Function, id: LoopId, mut block: BlockId) -> bool {
    let body = function.loops[id].body;
    for _ in 0..function.blocks.len() {
        if block == body {
            return true;
        }
        match &function.blocks[block] {
            next if !next.insts.is_empty() => return false,
            next => match next.terminator.kind {
                TerminatorKind::Jump(target) => block = target,
                _ => return false,
            },
        }
    }
    false
}
