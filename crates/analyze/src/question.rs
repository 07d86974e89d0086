//! Questions about the executions of a function that C defines, whether they end or not: does this ever happen?
//!
//! [`never()`] answers by abstract interpretation, loops included. A question about values at a point is put to the states
//! there. A question about what happened on the way (which definition gave a variable its value, how many turns a loop
//! has made) is a small automaton that runs along with the program: states are kept apart by its mode (trace
//! partitioning, Mauborgne and Rival 2005). So is the question whether an execution in which something happened runs into
//! something undefined in any case. One that goes round a loop again may do so for ever, and counts. What never happens is
//! then taken for granted, and the rest is asked again. Each automaton costs an analysis of its own.
//!
//! Only "never" is an answer; whatever the analysis cannot exclude, or has no time for, is left open.

use crate::abstraction::bounded::{Stretch, bounded};
use crate::abstraction::engine::Engine;
use crate::abstraction::inputs::Inputs;
use crate::abstraction::inquiry::Inquiry;
use crate::abstraction::monitor::{Monitor, Sticky, Track};
use crate::abstraction::state::State;
use crate::facts::{self, Options};
use crate::graph::Graph;
use crate::policy;
use clew_ir::{BlockId, Expr, FunctionId, LocalId, LoopId, Program};
use clew_solver::clock::Deadline;
use std::collections::{BTreeMap, BTreeSet};

/// An instruction of a function.
pub type InstPosition = (FunctionId, BlockId, u32);

/// Something that may happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// A predicate holds just after an instruction.
    Holds {
        /// The instruction.
        at: InstPosition,
        /// The predicate, a truth value.
        holds: Expr,
    },
    /// Control comes to a block and, where told, leaves it by a way, given as the position of a successor.
    Passes {
        /// The function.
        function: FunctionId,
        /// The block.
        block: BlockId,
        /// The way.
        way: Option<usize>,
    },
    /// Control comes to one of some instructions while a watch is on and, where told, leaves the block that way.
    Watched {
        /// The watch.
        watch: Watch,
        /// The instructions, each with the position of a successor of its block.
        at: Vec<(InstPosition, Option<usize>)>,
    },
    /// A loop is left, or entered anew, after so many turns; two stands for more than one.
    Turns {
        /// The function.
        function: FunctionId,
        /// The loop.
        id: LoopId,
        /// Zero, one or two.
        turns: u8,
    },
}

/// Something that instructions of a function turn on and off. What turns it on or off at an instruction happens after
/// control has come there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Watch {
    /// The function; each of its activations has a watch of its own.
    pub function: FunctionId,
    /// Whether it is on when the function is entered.
    pub on_entry: bool,
    /// Instructions that turn it on.
    pub on: BTreeSet<(BlockId, u32)>,
    /// Instructions that turn it off.
    pub off: BTreeSet<(BlockId, u32)>,
}

/// The positions of those questions of which it is known that it never happens, when a function is called with inputs
/// that satisfy its precondition.
pub fn never(program: &Program, function: FunctionId, options: &Options, questions: &[Question]) -> BTreeSet<usize> {
    let Some(entry) = facts::entry(program, function, options) else { return BTreeSet::new() };
    let blocks = options.budget(program, function);
    let budget = options.blocks.saturating_mul(policy::MAX_ANALYSES.get());
    let deadline = options.deadline;
    let inputs = facts::inputs(program, function, options);
    let bounded = bounded(program, function, &options.requires);
    let never = BTreeSet::new();
    let mut asking = Asking { program, function, entry, inputs, bounded, blocks, budget, deadline, questions, never };
    for _ in 0..policy::MAX_QUESTION_ROUNDS.small() {
        let before = asking.never.len();
        asking.together();
        asking.one_by_one();
        if asking.never.len() == before {
            break;
        }
    }
    asking.never
}

/// Questions being asked.
struct Asking<'a> {
    program: &'a Program,
    function: FunctionId,
    entry: State,
    inputs: Inputs,
    /// Parameters of which the precondition says what may be accessed behind them.
    bounded: BTreeMap<LocalId, Vec<Stretch>>,
    /// Blocks that one analysis may run.
    blocks: u64,
    /// Blocks that may still be run.
    budget: u64,
    /// When to give up.
    deadline: Deadline,
    questions: &'a [Question],
    never: BTreeSet<usize>,
}

impl Asking<'_> {
    /// Asks about predicates, all of them in one analysis.
    fn together(&mut self) {
        let open = (0..self.questions.len()).filter(|index| !self.never.contains(index));
        let predicates = open.filter(|index| matches!(self.questions[*index], Question::Holds { .. }));
        self.ask(Monitor::default(), &predicates.collect::<Vec<_>>());
    }

    /// Asks the questions that need something to be remembered, those that one automaton serves at a time.
    fn one_by_one(&mut self) {
        let groups = self.grouped();
        let cost = policy::RUNS_PER_BLOCK.get() * self.program.functions[self.function].blocks.len() as u64;
        if self.budget / cost < policy::MIN_ANALYSES.get().min(groups.len() as u64) {
            return;
        }
        for (track, asked) in groups {
            self.ask(Monitor { track: track.clone(), exits: None }, &asked);
            let Track::Watch(watch) = &track else { continue };
            for exits in self.loops_left_in_many_ways(watch.function) {
                let left: Vec<usize> = asked.iter().copied().filter(|index| !self.never.contains(index)).collect();
                self.ask(Monitor { track: track.clone(), exits: Some((watch.function, exits)) }, &left);
            }
        }
    }

    /// One analysis.
    fn ask(&mut self, monitor: Monitor, asked: &[usize]) {
        if asked.is_empty() || self.budget == 0 {
            return;
        }
        let inquiry = Inquiry::new(monitor, self.questions, asked, &self.never);
        let (program, blocks, deadline) = (self.program, self.blocks.min(self.budget), self.deadline);
        let bounded = &self.bounded;
        let make = |inputs: Inputs| {
            let mut engine = Engine::new(program, blocks, deadline).asking(inquiry.clone()).given(inputs);
            engine.bounded.clone_from(bounded);
            engine
        };
        let (engine, ended) = facts::settled(self.function, &self.entry, &mut self.inputs, make);
        self.budget -= blocks - engine.budget();
        if ended.is_ok() {
            let followed = |id: FunctionId| !engine.seen.opaque.contains(&id);
            let excluded =
                |index: &usize| followed(self.questions[*index].function()) && !engine.seen.happens.contains(index);
            let never: Vec<usize> = asked.iter().copied().filter(excluded).collect();
            self.never.extend(never);
        }
    }

    /// Open questions that one automaton can answer, by their positions. Without loops, whatever happens ends, unless
    /// something was accessed that the precondition does not call valid.
    fn grouped(&self) -> Vec<(Track, Vec<usize>)> {
        let mut groups: Vec<(Track, Vec<usize>)> = Vec::new();
        let loops = |question: &Question| !self.program.functions[question.function()].loops.is_empty();
        let open = self.questions.iter().enumerate().filter(|(index, _)| !self.never.contains(index));
        let open = open.filter(|(_, question)| loops(question) || !self.bounded.is_empty());
        for (index, question) in open {
            let track = question.track();
            match groups.iter_mut().find(|(known, _)| *known == track) {
                Some((_, asked)) => asked.push(index),
                None => groups.push((track, vec![index])),
            }
        }
        groups
    }

    /// Loops of a function that are left from several blocks: which one it was may matter later.
    fn loops_left_in_many_ways(&self, id: FunctionId) -> Vec<LoopId> {
        let function = &self.program.functions[id];
        let graph = Graph::new(function);
        let many = |exit: BlockId| graph.predecessors(exit).len() > 1;
        function.loops.iter().filter(|(_, item)| many(item.exit)).map(|(id, _)| id).collect()
    }
}

impl Question {
    fn function(&self) -> FunctionId {
        match self {
            Question::Holds { at, .. } => at.0,
            Question::Passes { function, .. } | Question::Turns { function, .. } => *function,
            Question::Watched { watch, .. } => watch.function,
        }
    }

    fn track(&self) -> Track {
        match self {
            Question::Holds { at, holds } => Track::Sticky(Sticky::Holds(*at, holds.clone())),
            Question::Passes { function, block, way } => Track::Sticky(Sticky::Passes(*function, *block, *way)),
            Question::Watched { watch, .. } => Track::Watch(watch.clone()),
            Question::Turns { function, id, .. } => Track::Turns(*function, *id),
        }
    }
}
