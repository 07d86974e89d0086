//! What a step comes to: the end of the path, or where it goes on.

use clew_execute::Event;
use clew_ir::{BlockId, ConditionId, FunctionId};

use crate::ending::PathEnd;
use crate::value::Scalar;

/// An instruction, by its function, its block and its position.
pub type At = (FunctionId, BlockId, u32);

/// What a step came to.
#[derive(Debug)]
pub enum Stepped {
    /// An instruction was executed.
    Executed(At),
    /// Control went to another block, or to the caller.
    Went,
    /// The path stands at the end of a block with several ways out.
    Branches(Ways),
}

/// What an instruction gives: nothing, or the end of the path.
pub type Step<T = ()> = Result<T, PathEnd>;

/// One way out of a block.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// What must hold of the input to go there.
    pub when: Scalar,
    /// The block it leads to.
    pub to: BlockId,
    /// What the path records when it goes there.
    pub event: Option<Event>,
}

/// The ways out of a block; every input goes one of them.
#[derive(Clone, Debug)]
pub struct Ways {
    /// The condition that decides, if it is one.
    pub condition: Option<ConditionId>,
    /// Where control may go.
    pub all: Vec<Way>,
}
