//! A path being run, and branches whose alternative has not been taken yet.

use std::rc::Rc;

use clew_coverage::label::LabelId;
use clew_execute::Event;
use clew_ir::BlockId;
use clew_solver::model::Model;
use clew_solver::term::TermId;

use crate::state::State;

/// A path being run: its state, and an input that takes it.
#[derive(Clone, Debug)]
pub struct Path {
    /// Where it stands, and what must hold of its inputs.
    pub state: State,
    /// One of them.
    pub model: Rc<Model>,
}

/// A branch whose alternative has not been taken yet.
#[derive(Clone, Debug)]
pub struct Open {
    /// The state before the branch, which the branches of one place share.
    pub state: Rc<State>,
    /// An input that took the branch the other way.
    pub model: Rc<Model>,
    /// What must hold for the alternative.
    pub when: TermId,
    /// How to go on.
    pub resume: Resume,
    /// How often the solver gave up on it.
    pub tries: u32,
    /// The number of the way in which the function is entered, where that is what is left open: paths leave the same one open
    /// again and again.
    pub entry: Option<u32>,
}

impl Open {
    /// A branch that was not tried yet.
    pub fn new(state: impl Into<Rc<State>>, model: Rc<Model>, when: TermId, resume: Resume) -> Open {
        Open { state: state.into(), model, when, resume, tries: 0, entry: None }
    }
}

/// How to go on at an open branch.
#[derive(Clone, Copy, Debug)]
pub enum Resume {
    /// In a block, after an event.
    Go(BlockId, Option<Event>),
    /// With the instruction at which the state stands.
    Again,
    /// With the next instruction, a label holding.
    Label(LabelId),
}
