//! What a query is answered with.

use crate::model::Model;

/// An assertion: its place in the order of assertions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AssertionId(pub(super) u32);

impl AssertionId {
    /// The position of the assertion.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The assertions an `Unsat` answer rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Core {
    /// Assertions, ascending.
    pub assertions: Vec<AssertionId>,
    /// Positions in the list of assumptions, ascending.
    pub assumptions: Vec<usize>,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "an answer says whether the assertions can hold"]
pub enum Answer {
    /// All assertions hold under this model.
    Sat(Model),
    /// These assertions cannot hold together.
    Unsat(Core),
    /// Not decided, and why.
    Unknown(Reason),
}

/// Why a query was not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The steps of the budget were used up.
    Steps,
    /// The deadline passed.
    Time,
    /// The layers that the configuration allows cannot decide it.
    Incomplete,
}

/// How often each layer answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Queries asked.
    pub queries: u64,
    /// Answered by an assertion that is constant.
    pub by_constants: u64,
    /// Answered by the last model.
    pub by_last_model: u64,
    /// Answered by a small change of the last model.
    pub by_repair: u64,
    /// Answered by propagation alone.
    pub by_propagation: u64,
    /// Answered by a circle of comparisons.
    pub by_order: u64,
    /// Refuted by putting equations into the other assertions.
    pub by_equations: u64,
    /// Answered by labelling.
    pub by_search: u64,
    /// Refuted by linear relaxation.
    pub by_relaxation: u64,
    /// Answered by local search.
    pub by_local_search: u64,
    /// Answered by the back end.
    pub by_back_end: u64,
    /// Models of a layer that did not hold when evaluated; always zero, unless there is a mistake in the solver.
    pub refuted_models: u64,
}

/// An answer in terms of positions in the list of assertions and assumptions.
pub(super) enum Verdict {
    /// The last model satisfies them.
    Sat,
    Unsat(Vec<usize>),
    Unknown(Reason),
}

/// A core by what is an assertion and what an assumption.
pub(super) fn split_core(used: Vec<usize>, asserted: usize) -> Core {
    let mut core = Core::default();
    for position in used {
        if position < asserted {
            core.assertions.push(AssertionId(position as u32));
        } else {
            core.assumptions.push(position - asserted);
        }
    }
    core
}
