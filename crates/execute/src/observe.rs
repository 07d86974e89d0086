//! Watching a run.

use clew_ir::{BlockId, ConditionId, DecisionId, FunctionId};

/// Sees what a run does, as it happens. Every method does nothing unless overridden.
///
/// A machine is compiled for its observer; with [`Observer::WATCHES`] false the calls are not even there.
pub trait Observer {
    /// Whether anything is to be told.
    const WATCHES: bool = true;

    /// A function of the program was entered.
    fn enter(&mut self, function: FunctionId) {
        let _ = function;
    }

    /// Control came to a block by a jump, branch or switch (not to the first block on entry).
    fn block(&mut self, function: FunctionId, block: BlockId) {
        let _ = (function, block);
    }

    /// A condition had an outcome.
    fn branch(&mut self, function: FunctionId, condition: ConditionId, outcome: bool) {
        let _ = (function, condition, outcome);
    }

    /// A switch went to the case with that index; the default comes after the last case.
    fn switch(&mut self, function: FunctionId, decision: DecisionId, arm: usize) {
        let _ = (function, decision, arm);
    }

    /// A function of the program returned.
    fn leave(&mut self, function: FunctionId) {
        let _ = function;
    }
}

/// Sees nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    const WATCHES: bool = false;
}

impl<O: Observer> Observer for &mut O {
    const WATCHES: bool = O::WATCHES;

    fn enter(&mut self, function: FunctionId) {
        (**self).enter(function);
    }

    fn block(&mut self, function: FunctionId, block: BlockId) {
        (**self).block(function, block);
    }

    fn branch(&mut self, function: FunctionId, condition: ConditionId, outcome: bool) {
        (**self).branch(function, condition, outcome);
    }

    fn switch(&mut self, function: FunctionId, decision: DecisionId, arm: usize) {
        (**self).switch(function, decision, arm);
    }

    fn leave(&mut self, function: FunctionId) {
        (**self).leave(function);
    }
}
