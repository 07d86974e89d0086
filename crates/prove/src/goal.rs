//! Goals and what is known of them: data, from which nothing else of this crate is needed.

use std::collections::BTreeSet;

use clew_ir::contract::{Assigned, Predicate, Term};
use clew_ir::{BlockId, CheckId, FunctionId, LoopId};
use clew_symbolic::Explored;

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// Where.
    pub site: Site,
    /// What is to be the case there.
    pub wanted: Wanted,
}

/// Where something is to be the case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Site {
    /// Before one of these instructions.
    Points(Vec<Point>),
    /// Where the function under test returns.
    Return,
    /// Where a loop is left after exactly so many turns.
    Turns(FunctionId, LoopId, u32),
    /// Where a check fails.
    Check(FunctionId, CheckId),
}

/// An instruction, or the terminator if there are no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: BlockId,
    /// The position in the block.
    pub position: usize,
}

/// What is to be the case at a site.
#[derive(Clone, Debug, PartialEq)]
pub enum Wanted {
    /// Control comes there.
    Arrival,
    /// A predicate holds.
    Holds(Predicate),
    /// A predicate does not hold, although others held on entry.
    Fails {
        /// What held on entry.
        assumes: Vec<Predicate>,
        /// What does not hold.
        predicate: Predicate,
    },
    /// Something else than these places has changed since the call, although predicates held on entry.
    Changes {
        /// What held on entry.
        assumes: Vec<Predicate>,
        /// What may change.
        places: Vec<Assigned>,
    },
}

/// What is known of a goal.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// An input that was executed.
    Reached(Box<Explored>),
    /// No input does it.
    Infeasible(Proof),
    /// Not known, and why.
    Unknown(BTreeSet<String>),
}

/// Why no input reaches a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Every path was run to its end or refuted.
    AllPaths,
    /// Every path on which no loop makes more turns than this.
    Bounded(u32),
    /// No path leads back from the goal to the entry: each was refuted, perhaps before its beginning was known.
    Backward,
    /// By abstract interpretation, for all paths.
    Abstract,
    /// By induction with loop invariants, of the contract or found, for all paths.
    Inductive(Vec<Carried>),
    /// A measure decreases with each turn of a loop, so that none goes on for ever.
    Ranked(Ranking),
}

/// An invariant that carries a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The loop.
    pub target: LoopId,
    /// What holds whenever control comes to its head.
    pub invariant: Predicate,
}

/// A measure, or several in order, that decreases with each turn of a loop; and the invariants that it takes to see that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The function that has the loop, or that calls itself.
    pub function: FunctionId,
    /// What decreases.
    pub variant: Vec<Term>,
    /// What holds at the heads of loops.
    pub carried: Vec<Carried>,
}
