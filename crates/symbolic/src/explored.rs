//! A path that was run to its end: its input, and what criteria want to know of it.

use clew_coverage::{Mark, ObjectiveId, Trace};
use clew_execute::{Event, Input};
use clew_solver::model::Model;

use crate::ending::PathEnd;
use crate::input;
use crate::path::Path;
use crate::state::State;
use crate::stepper::Stepper;

/// A path that was run to its end, with an input that takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored {
    /// The input.
    pub input: Input,
    /// The branches it takes.
    pub path: Vec<Event>,
    /// How it ends.
    pub end: PathEnd,
    /// Most iterations of one loop in one activation.
    pub turns: u32,
    /// What criteria want to know of it; empty where none were asked for.
    pub trace: Trace,
    /// The objectives it is the first to cover.
    pub newly_covered: Vec<ObjectiveId>,
    /// Whether its input was given, not found.
    pub given: bool,
    /// Whether it depends on addresses, of which those of the execution may differ.
    pub addressed: bool,
}

impl Stepper<'_> {
    /// The input that a model stands for.
    pub fn concrete_input(&mut self, state: &State, model: &Model) -> Input {
        input::concrete(self.program, self.constraints.terms(), &state.memory, &state.inputs, model)
    }

    /// What criteria want to know of a path, with the labels that hold for its input.
    pub fn trace(&mut self, path: &Path) -> Trace {
        let mut marks = path.state.record.trace.iter().flatten().copied().enumerate().peekable();
        let mut trace = Trace::new();
        for &(at, label, when) in &path.state.record.labels {
            while marks.peek().is_some_and(|(position, _)| *position < at) {
                trace.extend(marks.next().map(|(_, mark)| mark));
            }
            if self.constraints.holds(&path.model, when) {
                trace.push(Mark::Label(label));
            }
        }
        trace.extend(marks.map(|(_, mark)| mark));
        trace
    }
}
