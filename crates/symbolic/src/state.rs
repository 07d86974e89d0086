//! The symbolic state of one path: activations, memory, input so far, path so far.
//!
//! A state can be copied at a branch for little: everything that grows with the path is persistent.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use clew_coverage::Mark;
use clew_coverage::label::LabelId;
use clew_execute::Event;
use clew_ir::{BlockId, ENTRY, FunctionId, GlobalId, LocalId, LoopId, Program, TempId};
use clew_solver::term::TermId;
use imbl::{OrdMap, OrdSet, Vector};

use crate::condition::Condition;
use crate::input::Inputs;
use crate::memory::{Background, Extent, Memory, ObjectId, Origin};
use crate::path::Path;
use crate::state_variable::{States, Variable};
use crate::temps::Temps;
use crate::value::{Scalar, Val};

/// One path, up to where it stands.
#[derive(Clone, Debug)]
pub struct State {
    /// Activations, the running one last.
    pub frames: Vec<Rc<Frame>>,
    /// All objects.
    pub memory: Memory,
    /// The object of each global touched so far.
    pub globals: OrdMap<GlobalId, ObjectId>,
    /// The input as far as the path has looked at it.
    pub inputs: Inputs,
    /// What must hold of the input for the path to be taken, in the order it was met.
    pub condition: Condition,
    /// What the path has done, for those who ask.
    pub record: Record,
    /// Instructions executed.
    pub steps: u64,
    /// Instances of quantified clauses that are part of the condition: clause and values.
    pub instantiated: OrdSet<(usize, Vec<i128>)>,
    /// Where the path goes on with some of its inputs only.
    pub choices: Choices,
    /// Whether the path repeats one that is explored anyway, for the sake of a label: its branches are not left open.
    pub repeats: bool,
    /// Whether a precondition written in C is being run, on top of the function under test.
    pub guard: bool,
    /// Elements that the condition says an object of the input has at least.
    pub least: OrdMap<ObjectId, u128>,
    /// What functions without a body may have written.
    pub external: ExternalWrites,
    /// What a driver notes of the path to choose among its ways.
    pub steering: Steering,
    /// Offsets written so far in each object, where reads are related to writes.
    pub writes: OrdMap<ObjectId, Vector<Scalar>>,
}

/// What a path has done.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Branches taken.
    pub events: Vector<Event>,
    /// Most iterations of one loop in one activation.
    pub turns: u32,
    /// What criteria ask of the path; `None` if there are none.
    pub trace: Option<Vector<Mark>>,
    /// Labels that may hold on the path: where in the trace, and when.
    pub labels: Vector<(usize, LabelId, TermId)>,
    /// How long the trace was when it was last read for something that is still to be covered, and whether there was.
    pub pending: (usize, bool),
    /// The branches that made terms part of the condition, if reasons are recorded.
    pub reasons: Vector<(TermId, Event)>,
    /// Turns of loops that were made in one step: their events and marks are left out.
    pub skips: Vector<Skip>,
}

/// Turns of a loop that a path made in one step, each along the same blocks as the one before them.
#[derive(Clone, Copy, Debug)]
pub struct Skip {
    /// Branches taken before them.
    pub events: usize,
    /// Marks noted before them.
    pub marks: usize,
    /// The head of the loop.
    pub head: (FunctionId, BlockId),
    /// How many branches each of the turns takes.
    pub each: usize,
    /// How many turns.
    pub turns: TermId,
}

/// Where a path went on with some of its inputs only.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// How often it went on with one value of many.
    pub known: u32,
    /// The scalar for which it is about to take another value, and how many it leaves to others.
    pub retaken: Option<(TermId, u32)>,
    /// How often an access chose among elements.
    pub spread: u32,
    /// Arguments for which a value was chosen among samples.
    pub sampled: OrdSet<TermId>,
}

/// What functions without a body may have written.
#[derive(Clone, Debug, Default)]
pub struct ExternalWrites {
    /// Objects in which such a function may have written anything.
    pub havocked: OrdSet<ObjectId>,
    /// The last call of such a function that may have changed variables.
    pub last_call: Option<Rc<ExternalCall>>,
    /// Variables that the call at which the path stands changes.
    pub changed: OrdSet<GlobalId>,
    /// Objects whose address such a function was given: it may have written where nothing else has.
    pub escaped: OrdSet<ObjectId>,
}

/// A call of a function that may have changed variables.
#[derive(Debug)]
pub struct ExternalCall {
    /// The path before the call.
    pub(crate) path: Path,
    /// Variables that it was already left open to change.
    pub(crate) opened: RefCell<BTreeSet<GlobalId>>,
}

/// What a path was led by.
#[derive(Clone, Debug, Default)]
pub struct Steering {
    /// Whether the path heads for its end.
    pub toward_exit: bool,
    /// Iterations begun when it last took a branch for the sake of objectives.
    pub at: Option<u32>,
    /// The branches it took for that: the events of their ways.
    pub taken: OrdSet<Event>,
    /// Variables that hold a state of the program, as far as the path has read them, with their states.
    pub state_variables: OrdMap<Variable, States>,
}

impl Steering {
    /// Whether the path took a branch for the sake of objectives.
    pub fn has_begun(&self) -> bool {
        self.at.is_some()
    }

    /// Whether it did in the running iteration or the one before.
    pub fn is_recent(&self, turns: u32) -> bool {
        self.at.is_some_and(|at| turns <= at + 1)
    }
}

/// One activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// Where it stands.
    pub block: BlockId,
    /// The next instruction of the block.
    pub next: usize,
    /// Values of the temporaries.
    pub temps: Temps,
    /// The object of each local.
    pub locals: Rc<[ObjectId]>,
    /// Where the caller wants the result.
    pub dest: Option<TempId>,
    /// Variable arguments.
    pub extra: Rc<[Val]>,
    /// Loops being run: which, and how many iterations were begun.
    pub loops: Vec<(LoopId, u32)>,
    /// Objects that die with the activation.
    pub allocated: Vec<ObjectId>,
}

impl State {
    /// A state without activations.
    pub fn new() -> State {
        State {
            frames: Vec::new(),
            memory: Memory::default(),
            globals: OrdMap::new(),
            inputs: Inputs::default(),
            condition: Condition::default(),
            record: Record::default(),
            steps: 0,
            instantiated: OrdSet::new(),
            choices: Choices::default(),
            repeats: false,
            guard: false,
            least: OrdMap::new(),
            external: ExternalWrites::default(),
            steering: Steering::default(),
            writes: OrdMap::new(),
        }
    }

    /// Whether a function without a body may have written in an object where nothing else has.
    pub(crate) fn may_be_written(&self, object: ObjectId) -> bool {
        self.external.havocked.contains(&object) || self.external.escaped.contains(&object)
    }

    /// The activation of the function under test.
    pub fn outermost(&self) -> &Frame {
        self.frames.first().expect("a running state has an activation")
    }

    /// The running activation.
    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("a running state has an activation")
    }

    /// The running activation, to be changed.
    pub fn frame_mut(&mut self) -> &mut Frame {
        Rc::make_mut(self.frames.last_mut().expect("a running state has an activation"))
    }

    /// Makes the running activation stand before the instruction it has begun. Where a predicate is read there is none.
    pub(crate) fn step_back(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            let frame = Rc::make_mut(frame);
            frame.next = frame.next.saturating_sub(1);
        }
    }

    /// Starts an activation with the given arguments for the function's parameters.
    pub fn enter(&mut self, program: &Program, id: FunctionId, args: &[Val], extra: Rc<[Val]>, dest: Option<TempId>) {
        self.mark(Mark::Enter(id));
        let function = &program.functions[id];
        let temps = function.params.iter().map(|param| param.temp).zip(args.iter().copied()).collect();
        let locals = function.locals.iter().map(|(local, data)| {
            self.memory.add(Origin::Local(id, local), Extent::Bytes(data.size), Background::Unwritten)
        });
        let frame = Frame {
            function: id,
            block: ENTRY,
            next: 0,
            temps,
            locals: locals.collect(),
            dest,
            extra,
            loops: Vec::new(),
            allocated: Vec::new(),
        };
        self.frames.push(Rc::new(frame));
    }

    /// Replaces every value the program has.
    pub fn replace_values(&mut self, name: &mut impl FnMut(Val) -> Val) {
        self.memory.replace_values(name);
        for frame in &mut self.frames {
            let frame = Rc::make_mut(frame);
            frame.temps.replace(&mut *name);
            frame.extra = frame.extra.iter().copied().map(&mut *name).collect();
        }
    }

    /// Ends the running activation: its objects die.
    pub fn leave(&mut self) -> Rc<Frame> {
        self.mark(Mark::Leave);
        let frame = self.frames.pop().expect("a running state has an activation");
        for &object in frame.locals.iter().chain(&frame.allocated) {
            self.kill(object);
        }
        frame
    }

    /// Notes a step for criteria.
    pub fn mark(&mut self, mark: Mark) {
        if let Some(trace) = &mut self.record.trace {
            trace.push_back(mark);
        }
    }

    /// Ends the life of an object.
    pub fn kill(&mut self, object: ObjectId) {
        self.external.escaped.remove(&object);
        let object = self.memory.get_mut(object);
        object.alive = false;
        object.reset(Background::Unwritten);
    }

    /// The object of a local of the running activation.
    pub fn local(&self, local: LocalId) -> ObjectId {
        self.frame().locals[local.index()]
    }
}

impl Default for State {
    fn default() -> Self {
        State::new()
    }
}
