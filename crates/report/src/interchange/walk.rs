//! The blocks of a run, from the branches that were observed.
//!
//! Between two branches control is determined by the program, so the observed branches lead through it. What they do not
//! tell is left out: a run that did not return is followed only up to the first place where it may have ended, and a run
//! that cannot be followed (a call through a pointer to a function without branches) is followed as far as possible.
//! So what is visited was executed; what was executed is nearly always visited.

use clew_execute::Event;
use clew_ir::{BlockId, Callee, ENTRY, FunctionId, Inst, InstKind, Program, TerminatorKind};
use clew_session::Replayed;

/// Blocks a walk may visit, against programs that go round in circles without a branch.
const MOST_BLOCKS: usize = 10_000_000;

/// A stretch of a block that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) function: FunctionId,
    pub(super) block: BlockId,
    /// How many of its instructions; `None` for all and the terminator.
    pub(super) until: Option<usize>,
}

/// Visits what a run executed, each block when it is left.
pub(super) fn walk(program: &Program, start: FunctionId, test: &Replayed, visit: &mut dyn FnMut(Stretch)) {
    let observation = &test.observation;
    let returned = observation.ending == clew_execute::Ending::Returned && !observation.truncated;
    let mut walk = Walk { program, events: &observation.path, returned, frames: vec![Frame::entry(start)] };
    let mut earlier = test.explored.input.earlier.len();
    for _ in 0..MOST_BLOCKS {
        match walk.step() {
            Step::Left(stretch) => visit(stretch),
            Step::Called => {}
            Step::Over if walk.frames.is_empty() && earlier > 0 => {
                earlier -= 1;
                walk.frames.push(Frame::entry(start));
            }
            Step::Over => break,
        }
    }
    // Blocks that were begun and not left.
    for frame in &walk.frames {
        visit(Stretch { function: frame.function, block: frame.block, until: Some(frame.at) });
    }
}

struct Frame {
    function: FunctionId,
    block: BlockId,
    /// Instructions that were executed.
    at: usize,
}

impl Frame {
    fn entry(function: FunctionId) -> Frame {
        Frame { function, block: ENTRY, at: 0 }
    }
}

struct Walk<'a> {
    program: &'a Program,
    events: &'a [Event],
    returned: bool,
    frames: Vec<Frame>,
}

enum Step {
    /// A block was left.
    Left(Stretch),
    /// A function was entered.
    Called,
    /// There is no more to follow.
    Over,
}

impl Walk<'_> {
    /// Goes on to the end of the block or into a call.
    fn step(&mut self) -> Step {
        let program = self.program;
        let Some(frame) = self.frames.last_mut() else { return Step::Over };
        let block = &program.functions[frame.function].blocks[frame.block];
        let is_last = self.events.is_empty() && !self.returned;
        while let Some(inst) = block.insts.get(frame.at) {
            frame.at += 1;
            if let Some(callee) = callee(program, inst, frame.function, self.events.first()) {
                self.frames.push(Frame::entry(callee));
                return Step::Called;
            }
            if is_last && may_end(inst) {
                return Step::Over;
            }
        }
        self.leave()
    }

    /// Follows the terminator.
    fn leave(&mut self) -> Step {
        let program = self.program;
        let Some(frame) = self.frames.last_mut() else { return Step::Over };
        let function = &program.functions[frame.function];
        let terminator = &function.blocks[frame.block].terminator.kind;
        let left = Step::Left(Stretch { function: frame.function, block: frame.block, until: None });
        let next = match terminator {
            TerminatorKind::Jump(target) => Some(*target),
            TerminatorKind::Return(_) => {
                self.frames.pop();
                return left;
            }
            TerminatorKind::Unreachable { .. } => None,
            TerminatorKind::Branch { .. } | TerminatorKind::Switch { .. } => {
                self.events.split_first().and_then(|(event, rest)| {
                    let index = outcome(frame.function, terminator, event)?;
                    self.events = rest;
                    terminator.successors().get(index).copied()
                })
            }
        };
        match next {
            Some(block) => {
                (frame.block, frame.at) = (block, 0);
                left
            }
            None => Step::Over,
        }
    }
}

/// Which successor an event leads to; `None` if it is not about this terminator.
fn outcome(running: FunctionId, terminator: &TerminatorKind, event: &Event) -> Option<usize> {
    match (terminator, *event) {
        (
            TerminatorKind::Branch { condition: Some(expected), .. },
            Event::Condition { function, condition, outcome },
        ) if function == running && condition == *expected => Some(usize::from(!outcome)),
        (TerminatorKind::Switch { decision: Some(expected), .. }, Event::Switch { function, decision, arm })
            if function == running && decision == *expected =>
        {
            Some(arm as usize)
        }
        _ => None,
    }
}

/// The function with a body that an instruction calls. Through a pointer, it is the one whose branch comes next.
fn callee(program: &Program, inst: &Inst, running: FunctionId, next: Option<&Event>) -> Option<FunctionId> {
    let InstKind::Call { callee, .. } = &inst.kind else { return None };
    let called = match callee {
        Callee::Direct(callee) => *callee,
        _ => match *next? {
            Event::Condition { function, .. } | Event::Switch { function, .. } if function != running => function,
            _ => return None,
        },
    };
    program.functions[called].is_defined().then_some(called)
}

/// Whether a run may end at an instruction: a call that need not return, or something that may be undefined.
fn may_end(inst: &Inst) -> bool {
    let leaves = matches!(inst.kind, InstKind::Call { .. } | InstKind::Unsupported { .. } | InstKind::VaArg { .. });
    leaves || inst.kind.check().is_some()
}
