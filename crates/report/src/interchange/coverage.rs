//! What the tests of a report cover: functions, lines and branches of the program's own files.
//!
//! A branch is an outcome of a condition or an arm of a `switch`, as observed in execution. A line is covered if an
//! instruction on it was executed, as often as the most frequent of them.

use super::Report;
use super::walk::{Stretch, walk};
use clew_execute::Event;
use clew_ir::{BlockId, ConditionId, DecisionId, FunctionId, InstKind, Program, Span, TerminatorKind};
use clew_session::Replayed;
use std::collections::BTreeMap;

/// What is covered, file by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Coverage {
    pub(super) files: BTreeMap<String, FileCoverage>,
}

/// What is covered of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FileCoverage {
    /// Functions by line: name, and how often they were entered.
    pub(super) functions: BTreeMap<(u32, String), u64>,
    /// Lines, and how often they were executed.
    pub(super) lines: BTreeMap<u32, u64>,
    /// Decisions and conditions by line.
    pub(super) branches: BTreeMap<u32, Vec<Fork>>,
}

/// A place where control forks: how often it went each way; empty hits if it was never reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fork {
    /// What decides.
    pub(super) text: String,
    /// How often each way was taken: true and false, or the arms with the default last.
    pub(super) taken: Vec<u64>,
}

/// Something covered, out of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ratio {
    pub(super) covered: usize,
    pub(super) all: usize,
}

impl Ratio {
    /// From 0 to 1; what is empty is covered.
    pub(super) fn rate(self) -> f64 {
        if self.all == 0 { 1.0 } else { self.covered as f64 / self.all as f64 }
    }

    fn of<'a>(hits: impl Iterator<Item = &'a u64>) -> Ratio {
        hits.fold(Ratio::default(), |ratio, hits| Ratio {
            covered: ratio.covered + usize::from(*hits > 0),
            all: ratio.all + 1,
        })
    }

    /// Both together.
    pub(super) fn and(self, other: Ratio) -> Ratio {
        Ratio { covered: self.covered + other.covered, all: self.all + other.all }
    }
}

impl FileCoverage {
    pub(super) fn line_ratio(&self) -> Ratio {
        Ratio::of(self.lines.values())
    }

    pub(super) fn function_ratio(&self) -> Ratio {
        Ratio::of(self.functions.values())
    }

    pub(super) fn branch_ratio(&self) -> Ratio {
        Ratio::of(self.branches.values().flatten().flat_map(|fork| &fork.taken))
    }
}

/// Measures what the tests of a report cover.
pub(super) fn measure(report: &Report<'_>) -> Coverage {
    let mut counts = Counts::default();
    for subject in report.subjects {
        for test in &subject.outcome.tests {
            counts.count(report.program, subject.function, test);
        }
    }
    let mut coverage = Coverage::default();
    let defined = report.program.functions.iter().filter(|(_, function)| function.is_defined());
    for (id, _) in defined {
        counts.add(report.program, id, &mut coverage);
    }
    coverage
}

/// How often things were executed.
#[derive(Default)]
struct Counts {
    entered: BTreeMap<FunctionId, u64>,
    blocks: BTreeMap<(FunctionId, BlockId), u64>,
    /// Beginnings of blocks that were not left: the most instructions executed.
    begun: BTreeMap<(FunctionId, BlockId), usize>,
    conditions: BTreeMap<(FunctionId, ConditionId), [u64; 2]>,
    arms: BTreeMap<(FunctionId, DecisionId, u32), u64>,
}

impl Counts {
    fn count(&mut self, program: &Program, start: FunctionId, test: &Replayed) {
        for event in &test.observation.path {
            match *event {
                Event::Condition { function, condition, outcome } => {
                    self.conditions.entry((function, condition)).or_default()[usize::from(!outcome)] += 1;
                }
                Event::Switch { function, decision, arm } => {
                    *self.arms.entry((function, decision, arm)).or_default() += 1;
                }
            }
        }
        walk(program, start, test, &mut |stretch: Stretch| {
            let key = (stretch.function, stretch.block);
            if stretch.block == clew_ir::ENTRY {
                *self.entered.entry(stretch.function).or_default() += 1;
            }
            match stretch.until {
                None => *self.blocks.entry(key).or_default() += 1,
                Some(until) => {
                    let begun = self.begun.entry(key).or_default();
                    *begun = until.max(*begun);
                }
            }
        });
    }

    /// Adds a function to what is covered.
    fn add(&self, program: &Program, id: FunctionId, coverage: &mut Coverage) {
        let function = &program.functions[id];
        let Some(place) = program.sources.locate(function.span) else { return };
        if place.file.starts_with("/usr/") || place.file.starts_with('<') {
            return;
        }
        let file = coverage.files.entry(place.file.clone()).or_default();
        let entered = self.entered.get(&id).copied().unwrap_or(0);
        file.functions.insert((place.line, function.name.clone()), entered);
        for block in function.blocks.ids() {
            self.add_block(program, id, block, file);
        }
        for (condition, node) in function.conditions.iter() {
            let taken = self.conditions.get(&(id, condition)).copied().unwrap_or_default();
            fork(program, node.span, taken.to_vec(), file);
        }
        for (decision, arms) in switches(program, id) {
            let taken = (0..arms).map(|arm| self.arms.get(&(id, decision, arm)).copied().unwrap_or(0)).collect();
            fork(program, function.decisions[decision].span, taken, file);
        }
    }

    fn add_block(&self, program: &Program, id: FunctionId, block: BlockId, file: &mut FileCoverage) {
        let data = &program.functions[id].blocks[block];
        let whole = self.blocks.get(&(id, block)).copied().unwrap_or(0);
        let begun = self.begun.get(&(id, block)).copied().unwrap_or(0);
        let mut add = |span: Span, hits: u64| {
            if let Some(place) = program.sources.locate(span) {
                let known = file.lines.entry(place.line).or_default();
                *known = hits.max(*known);
            }
        };
        for (index, inst) in data.insts.iter().enumerate() {
            // Where a variable's scope begins or ends, nothing happens.
            if !matches!(inst.kind, InstKind::Begin { .. } | InstKind::End { .. }) {
                add(inst.span, whole.max(u64::from(index < begun)));
            }
        }
        if !matches!(data.terminator.kind, TerminatorKind::Jump(_) | TerminatorKind::Unreachable { .. }) {
            add(data.terminator.span, whole);
        }
    }
}

fn fork(program: &Program, span: Span, taken: Vec<u64>, file: &mut FileCoverage) {
    if let Some(place) = program.sources.locate(span) {
        let text = clew_session::suite::source(program, span);
        file.branches.entry(place.line).or_default().push(Fork { text, taken });
    }
}

/// The `switch` statements of a function with their number of arms.
fn switches(program: &Program, id: FunctionId) -> BTreeMap<DecisionId, u32> {
    let blocks = program.functions[id].blocks.values();
    let switches = blocks.filter_map(|block| match &block.terminator.kind {
        TerminatorKind::Switch { decision: Some(decision), cases, .. } => Some((*decision, cases.len() as u32 + 1)),
        _ => None,
    });
    switches.collect()
}
