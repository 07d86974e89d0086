//! States that wait to be run on, the earliest first.
//!
//! The order is that of the program: a state waits until nothing that comes before it is left, so that all paths that
//! come together at a place are there when it is run on. Inside a loop a state with fewer turns comes first, and the
//! loop comes before what follows it. Control flow that has no such order (`goto` into loops) is counted like a loop
//! around everything.

use std::collections::BTreeMap;
use std::rc::Rc;

use clew_ir::{BlockId, FunctionId, Program};

use super::shape::Shape;
use clew_symbolic::Path;

/// A state with the turns that its activations have made of the loops around them.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) path: Path,
    /// One per activation.
    pub(super) rounds: Vec<Rounds>,
}

/// Turns of the loops around the block in which an activation stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rounds {
    /// Heads of the loops and how often control went back to each, the outermost first.
    loops: Vec<(BlockId, u32)>,
    /// How often control went back in the order of blocks without a loop that accounts for it.
    irregular: u32,
}

impl Rounds {
    /// Notes that control goes from one block to another.
    pub(super) fn pass(&mut self, shape: &Shape, from: BlockId, to: BlockId) {
        let around = shape.around(to);
        let stays = around.contains(&to) && shape.around(from).contains(&to);
        if !stays && shape.position(to) <= shape.position(from) {
            self.irregular += 1;
        }
        self.loops.retain(|(head, _)| around.contains(head));
        for &head in around {
            if !self.loops.iter().any(|(known, _)| *known == head) {
                self.loops.push((head, 0));
            }
        }
        if stays && let Some(entry) = self.loops.iter_mut().find(|(head, _)| *head == to) {
            entry.1 += 1;
            let inner: Vec<BlockId> = around.iter().copied().skip_while(|head| *head != to).skip(1).collect();
            self.loops.retain(|(head, _)| !inner.contains(head));
        }
    }

    /// Whether control only went back to the heads of loops.
    pub(super) fn is_regular(&self) -> bool {
        self.irregular == 0
    }

    /// How often control went back to the head of a loop.
    pub(super) fn turns(&self, head: BlockId) -> u32 {
        self.loops.iter().find(|(known, _)| *known == head).map_or(0, |(_, turns)| *turns)
    }

    /// Turns of the loop with the most, and of the one with the most among those inside others.
    fn most(&self) -> (u32, u32) {
        let turns = |skipped: usize| self.loops.iter().skip(skipped).map(|(_, turns)| *turns).max().unwrap_or(0);
        (turns(0).max(self.irregular), turns(1))
    }
}

/// Turns that loops may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allowed {
    /// Of any loop.
    pub(super) outer: u32,
    /// Of a loop inside another one of the same activation.
    pub(super) inner: u32,
}

impl Allowed {
    /// What is allowed in a round: at least the turns that are asked for. Turns of inner loops grow more slowly, for those
    /// of the loops around them multiply them.
    pub(super) fn in_round(round: u32, bound: Option<u32>, asked: u32) -> Allowed {
        let most = bound.unwrap_or(u32::MAX);
        let doubled = |first: u32, times: u32| first.saturating_mul(1u32.checked_shl(times).unwrap_or(u32::MAX));
        Allowed { outer: doubled(4, round).max(asked).min(most), inner: doubled(4, round / 3).max(asked).min(most) }
    }

    /// Whether a state may go on.
    pub(super) fn permits(self, state: &Waiting) -> bool {
        state.rounds.iter().map(Rounds::most).all(|(outer, inner)| outer <= self.outer && inner <= self.inner)
    }
}

/// The place of a state in the order of the program.
pub(super) type ProgramOrder = Vec<u32>;

/// The shapes of the functions met.
#[derive(Debug, Default)]
pub(super) struct Shapes(BTreeMap<FunctionId, Rc<Shape>>);

impl Shapes {
    pub(super) fn of(&mut self, program: &Program, function: FunctionId) -> Rc<Shape> {
        Rc::clone(self.0.entry(function).or_insert_with(|| Rc::new(Shape::new(&program.functions[function]))))
    }
}

impl Waiting {
    /// The place: for each activation its loops with their turns, its block, its instruction. An activation inside a
    /// call comes before the same caller after the call.
    pub(super) fn place(&self, program: &Program, shapes: &mut Shapes) -> ProgramOrder {
        let mut place = Vec::new();
        for (frame, rounds) in self.path.state.frames.iter().zip(&self.rounds) {
            let shape = shapes.of(program, frame.function);
            place.extend([frame.function.raw(), rounds.irregular]);
            for (head, turns) in &rounds.loops {
                place.extend([shape.position(*head), *turns]);
            }
            place.extend([shape.position(frame.block), frame.next as u32]);
        }
        place.push(u32::MAX);
        place
    }
}
