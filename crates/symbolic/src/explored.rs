//! A path that was run to its end: its input, and what criteria want to know of it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use clew_coverage::{Mark, ObjectiveId, Trace};
use clew_execute::{Event, Input, Repeat, expanded};
use clew_ir::{BlockId, FunctionId};
use clew_solver::model::Model;

use crate::ending::PathEnd;
use crate::input;
use crate::path::Path;
use crate::state::{Skip, State};
use crate::stepper::Stepper;

/// A path that was run to its end, with an input that takes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explored {
    /// The input.
    pub input: Input,
    /// The branches it takes.
    pub path: Vec<Event>,
    /// What it takes again and again, and is left out of them.
    pub repeats: Vec<Repeat>,
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

impl Explored {
    /// All branches it takes, also those that its path does not show.
    pub fn events(&self) -> impl Iterator<Item = Event> {
        expanded(&self.path, &self.repeats)
    }
}

impl Stepper<'_> {
    /// The input that a model stands for.
    pub fn concrete_input(&mut self, state: &State, model: &Model) -> Input {
        input::concrete(self.program, self.constraints.terms(), &state.memory, &state.inputs, model)
    }

    /// The turns that an input makes in one step on a path.
    pub fn repeats(&mut self, path: &Path) -> Vec<Repeat> {
        let skips = path.state.record.skips.iter();
        let repeat = |skip: &Skip| Repeat {
            at: skip.events,
            events: skip.each,
            times: self.constraints.value(&path.model, skip.turns) as u64,
        };
        skips.map(repeat).collect()
    }

    /// The most turns of one loop on a path, those made in one step included.
    pub fn turns(&mut self, path: &Path) -> u32 {
        let mut skipped: BTreeMap<(FunctionId, BlockId), u32> = BTreeMap::new();
        for skip in &path.state.record.skips {
            let turns = self.constraints.value(&path.model, skip.turns) as u32;
            let sum = skipped.entry(skip.head).or_default();
            *sum = sum.saturating_add(turns);
        }
        path.state.record.turns.saturating_add(skipped.into_values().max().unwrap_or(0))
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
