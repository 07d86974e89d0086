//! Aliases of pointers behind which the precondition looks.
//!
//! Such pointers lead somewhere before the first instruction, so there is no path before that on which they could lead
//! elsewhere ([`super::alias`]). Instead the function is entered once more: one parameter leads into the object of another
//! one, or into a variable, and then the precondition is taken for granted. Inputs that it excludes are not left open.
//!
//! Pointers that are parts of parameters or of variables are not led elsewhere, nor are the inputs of later calls.

use std::rc::Rc;

use clew_ir::{FunctionId, GlobalId};
use clew_solver::model::Model;

use crate::constraints::Answer;
use crate::ending::{Limit, PathEnd};
use crate::input::{Holder, Meeting};
use crate::memory::{ObjectId, Origin};
use crate::path::{Open, Path, Resume};
use crate::precondition::Precondition;
use crate::state::State;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{Base, Pointer, Scalar};

/// How the function is entered.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) function: FunctionId,
    pub(crate) precondition: Precondition,
    /// Pointers of the input that are parameters: they have the first numbers.
    pub(crate) parameters: u32,
}

/// What a parameter is to lead into: the object of another parameter, or a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shared {
    Behind(u32),
    Global(GlobalId),
}

/// What comes of entering the function in a way.
#[derive(Clone, Debug)]
pub(crate) enum Entered {
    /// The state in which it begins, with the number of the way.
    Begun(u32, Box<Path>),
    /// No input is like that.
    Excluded,
    /// A limit was met.
    Limited,
}

impl Stepper<'_> {
    /// Leaves open that a parameter leads to a place in an object when the function is entered. Says whether nothing else
    /// needs to be tried for it.
    pub(super) fn leave_entry_open(&mut self, path: &Path, number: u32, object: ObjectId, at: Option<Scalar>) -> bool {
        let (Some(at), Some(entry)) = (at.and_then(Scalar::known), self.required.entry.clone()) else { return false };
        let is_parameter = |number: u32| number < entry.parameters;
        let shared = match (path.state.memory.get(object).origin, self.leads(path, object)) {
            (Origin::Global(global), _) => Shared::Global(global),
            (_, Some(other)) if is_parameter(other) && other != number => Shared::Behind(other),
            _ => return false,
        };
        if !is_parameter(number) || path.state.inputs.calls > 0 || at.signed() < 0 {
            return false;
        }
        let way = (number, shared, at.bits);
        if !self.required.entered.contains_key(&way) {
            let entered = self.enter_anew(&entry, number, shared, Scalar::Known(at));
            self.required.entered.insert(way, entered);
        }
        match &self.required.entered[&way] {
            Entered::Begun(number, path) => {
                let when = self.constraints.terms().bool(true);
                let open = Open::new(path.state.clone(), path.model.clone(), when, Resume::Again);
                self.effects.forks.push(Open { entry: Some(*number), ..open });
                true
            }
            Entered::Excluded => true,
            Entered::Limited => false,
        }
    }

    /// What comes of entering the function in a way that was not tried before.
    fn enter_anew(&mut self, entry: &Entry, number: u32, shared: Shared, at: Scalar) -> Entered {
        let (effects, universals) = (std::mem::take(&mut self.effects), self.required.universals.clone());
        let entered = self.enter_sharing(entry, number, shared, at);
        self.effects = effects;
        self.required.universals = universals;
        match entered {
            Ok(path) => Entered::Begun(self.required.entered.len() as u32, Box::new(path)),
            Err(PathEnd::Contradiction) => Entered::Excluded,
            Err(_) => Entered::Limited,
        }
    }

    /// The function is entered, a parameter leading into what another one leads to.
    fn enter_sharing(&mut self, entry: &Entry, number: u32, shared: Shared, at: Scalar) -> Step<Path> {
        let mut path = Path { state: State::new(), model: Rc::new(Model::new()) };
        let scope = self.arguments(&mut path, entry.function)?;
        let start = Scalar::int(self.program.target.pointer_width, 0);
        let whole = match shared {
            Shared::Behind(other) => Pointer { base: Base::Input(other), offset: start },
            Shared::Global(global) => Pointer { base: Base::Object(self.global(&mut path, global)?), offset: start },
        };
        let whole = self.resolved(&mut path, whole)?;
        let from = Pointer { base: Base::Input(number), offset: start };
        if !self.lead(&mut path, from, Pointer { offset: at, ..whole })? {
            return Err(PathEnd::Limit(Limit::Alias));
        }
        let required = self.require_contract(&mut path, &scope, entry.function, &entry.precondition);
        required.map_err(|(end, _)| end)?;
        match self.solve(&mut path.state, None, &path.model.clone()) {
            Answer::Sat(model) => path.model = model,
            Answer::Unsat => return Err(PathEnd::Contradiction),
            Answer::Unknown => return Err(PathEnd::Limit(Limit::Solver)),
        }
        Ok(path)
    }

    /// The state in which the function is entered with a parameter that leads where an input says, if such a way was left open.
    pub fn entered_with(&self, meetings: &[Meeting]) -> Option<&State> {
        self.required.entered.iter().find_map(|((number, shared, at), entered)| {
            let Entered::Begun(_, path) = entered else { return None };
            let pointers = &path.state.inputs.pointers;
            let is_it = |meeting: &Meeting| {
                let is_there = match (shared, &meeting.holder) {
                    (Shared::Behind(other), Holder::Pointer(name)) => pointers[*other as usize].name == *name,
                    (Shared::Global(global), Holder::Global(other)) => global == other,
                    _ => false,
                };
                is_there && meeting.at == *at && meeting.name == pointers[*number as usize].name
            };
            meetings.iter().any(is_it).then_some(&path.state)
        })
    }
}
