//! The fixpoint: blocks of a function are run on abstract states until nothing changes.

use super::bounded::Stretch;
use super::call::is_assume;
use super::cell::Object;
use super::inputs::Inputs;
use super::inquiry::{Inquiry, Pending};
use super::monitor::{Mode, ON, Pass};
use super::state::State;
use super::template::Templates;
use super::transfer::Walk;
use super::uses::{crossing, exposed_locals};
use super::value::Abs;
use super::widen::{Stops, stops, thinned};
use crate::graph::Graph;
use crate::policy;
use clew_ir::{
    BlockId, Callee, CheckId, Function, FunctionId, Inst, InstKind, LocalId, Operand, Program, TerminatorKind,
};
use clew_solver::clock::{self, Deadline};
use clew_solver::domain::Conflict;
use clew_solver::domain::int::IntDomain;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What a block, each of its instructions, and each entry of its state cost on the clock of work: states are copied and
/// joined for every block.
const BLOCK: u64 = 30_000;
const INSTRUCTION: u64 = 600;
const ENTRY: u64 = 800;

/// Why nothing comes after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Control cannot go on.
    Dead,
    /// The analysis gives up.
    Abort(Abort),
}

/// Why the analysis gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Abort {
    /// Something it knows nothing about.
    GivenUp,
    /// It takes too long.
    Budget,
}

impl From<Conflict> for Stop {
    fn from(Conflict: Conflict) -> Stop {
        Stop::Dead
    }
}

impl From<Abort> for Stop {
    fn from(abort: Abort) -> Stop {
        Stop::Abort(abort)
    }
}

/// What an instruction gives.
pub(crate) type Flow = Result<(), Stop>;

/// What was seen in the states that are left at the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    pub(crate) blocks: BTreeSet<(FunctionId, BlockId)>,
    pub(crate) edges: BTreeSet<(FunctionId, BlockId, usize)>,
    pub(crate) failing: BTreeSet<(FunctionId, CheckId)>,
    /// Functions that may do anything they can.
    pub(crate) opaque: BTreeSet<FunctionId>,
    /// States at the beginning of blocks of the outermost function.
    pub(crate) states: BTreeMap<BlockId, State>,
    /// States in which the outermost function passes an assertion.
    pub(crate) passed: BTreeMap<CheckId, State>,
    /// Questions, by position, of which it cannot be excluded that it happens.
    pub(crate) happens: BTreeSet<usize>,
}

impl Seen {
    fn add(&mut self, other: &Seen) {
        self.blocks.extend(&other.blocks);
        self.edges.extend(&other.edges);
        self.failing.extend(&other.failing);
        self.opaque.extend(&other.opaque);
        self.happens.extend(&other.happens);
    }
}

/// The result of running a function on a state.
pub(crate) type AnalysisResult = Option<(State, Option<Abs>)>;

/// A run that may be used again.
struct Known {
    entry: State,
    outcome: AnalysisResult,
    seen: Rc<Seen>,
}

/// The analysis of one program.
pub(crate) struct Engine<'p> {
    pub(crate) program: &'p Program,
    /// Functions being run.
    pub(crate) stack: Vec<FunctionId>,
    pub(crate) seen: Seen,
    /// What is asked.
    pub(crate) inquiry: Inquiry<'p>,
    /// Blocks that may still be run.
    budget: u64,
    /// When to give up.
    deadline: Deadline,
    exposed: BTreeMap<FunctionId, Rc<BTreeSet<LocalId>>>,
    /// What pointers of the input lead to.
    pub(crate) inputs: Inputs,
    /// Whether it is an error for a pointer to leave its object, so that it does not come back there.
    pub(crate) checks_moves: bool,
    /// Whether pointers are taken to stay in their objects wherever they are moved.
    pub(crate) assumes_moves: bool,
    /// Parameters of which the precondition says what may be accessed behind them.
    pub(crate) bounded: BTreeMap<LocalId, Vec<Stretch>>,
    known: BTreeMap<(FunctionId, u32), Known>,
    /// Forms that comparisons name.
    pub(crate) templates: Templates,
    /// Where bounds of growing integers stop first, by function and width.
    stops: RefCell<BTreeMap<(FunctionId, u8), Rc<Stops>>>,
}

impl<'p> Engine<'p> {
    pub(crate) fn new(program: &'p Program, budget: u64, deadline: Deadline) -> Engine<'p> {
        Engine {
            program,
            stack: Vec::new(),
            seen: Seen::default(),
            inquiry: Inquiry::default(),
            budget,
            deadline,
            exposed: BTreeMap::new(),
            inputs: Inputs::default(),
            checks_moves: false,
            assumes_moves: true,
            bounded: BTreeMap::new(),
            known: BTreeMap::new(),
            templates: Templates::default(),
            stops: RefCell::default(),
        }
    }

    /// The same with questions.
    pub(crate) fn asking(self, inquiry: Inquiry<'p>) -> Engine<'p> {
        Engine { inquiry, ..self }
    }

    /// The same with objects of the input.
    pub(crate) fn given(self, inputs: Inputs) -> Engine<'p> {
        Engine { inputs, ..self }
    }

    /// Blocks that may still be run.
    pub(crate) fn budget(&self) -> u64 {
        self.budget
    }

    /// Notes that a check may fail.
    pub(crate) fn may_fail(&mut self, function: FunctionId, check: Option<CheckId>) {
        self.seen.failing.extend(check.map(|check| (function, check)));
    }

    /// Notes that a function may do anything it can, with all it calls.
    pub(crate) fn opaque(&mut self, function: FunctionId) {
        self.seen.opaque.extend(crate::reach::reach(self.program, function).functions);
    }

    /// Whether unknown pointers may lead to an object.
    pub(crate) fn exposed(&self, object: Object) -> bool {
        match object {
            Object::Global(_) | Object::Once(..) | Object::Input(_) => true,
            Object::Param(..) | Object::Result(..) | Object::Heap(..) | Object::Shared => false,
            Object::Local(_, function, local) => {
                self.exposed.get(&function).is_none_or(|locals| locals.contains(&local))
            }
        }
    }

    /// What was seen when a function last ran at a depth.
    pub(crate) fn seen_in(&self, id: FunctionId, depth: u32) -> Option<&Seen> {
        self.known.get(&(id, depth)).map(|known| &*known.seen)
    }

    /// Runs a function on a state; `None` if it never returns.
    pub(crate) fn function(&mut self, id: FunctionId, depth: u32, entry: &State) -> Result<AnalysisResult, Stop> {
        if let Some(known) = self.known.get(&(id, depth)).filter(|known| known.entry == *entry) {
            let (outcome, seen) = (known.outcome.clone(), Rc::clone(&known.seen));
            self.seen.add(&seen);
            return Ok(outcome);
        }
        let function = &self.program.functions[id];
        self.exposed.entry(id).or_insert_with(|| Rc::new(exposed_locals(function)));
        self.stack.push(id);
        let outer = std::mem::take(&mut self.seen);
        let result = Fixpoint::new(self, id, depth, entry).run();
        let own = std::mem::replace(&mut self.seen, outer);
        self.stack.pop();
        let outcome = result?;
        self.seen.add(&own);
        if depth == 0 {
            self.seen.states.clone_from(&own.states);
            self.seen.passed.clone_from(&own.passed);
        }
        let known = Known { entry: entry.clone(), outcome: outcome.clone(), seen: Rc::new(own) };
        self.known.insert((id, depth), known);
        Ok(outcome)
    }
}

/// A block, in a mode of the monitor.
type Node = (BlockId, Mode);

/// The states that leave a block, by the mode in which they arrive and the position among the successors.
type Edges = BTreeMap<(Mode, usize), State>;

/// A state on its way through the instructions of a block.
struct Run<'p> {
    /// The next instruction.
    next: u32,
    mode: Mode,
    walk: Walk<'p>,
    /// Questions about how the block is left.
    pending: Pending,
}

/// The fixpoint of one function.
struct Fixpoint<'e, 'p> {
    engine: &'e mut Engine<'p>,
    id: FunctionId,
    function: &'p Function,
    depth: u32,
    graph: Graph,
    /// Temporaries that other blocks use than the one that defines them.
    crossing: Vec<bool>,
    entry: &'e State,
    /// States at the beginning of blocks.
    before: BTreeMap<Node, State>,
    /// States on edges, by where they come from, the mode they arrive in and the position among the successors.
    after: BTreeMap<(Node, Mode, usize), State>,
    visits: BTreeMap<Node, u32>,
    /// Templates known when the fixpoint began.
    shapes: usize,
    /// Whether this is the last pass, in which questions are answered.
    is_last: bool,
    returned: Option<(State, Option<Abs>)>,
}

impl<'e, 'p> Fixpoint<'e, 'p> {
    fn new(engine: &'e mut Engine<'p>, id: FunctionId, depth: u32, entry: &'e State) -> Fixpoint<'e, 'p> {
        let (function, shapes) = (&engine.program.functions[id], engine.templates.count());
        Fixpoint {
            engine,
            id,
            function,
            depth,
            graph: Graph::loops_first(function),
            crossing: crossing(function),
            entry,
            before: BTreeMap::new(),
            after: BTreeMap::new(),
            visits: BTreeMap::new(),
            shapes,
            is_last: false,
            returned: None,
        }
    }

    fn run(mut self) -> Result<AnalysisResult, Stop> {
        self.ascend()?;
        for _ in 0..policy::MAX_REPETITIONS.small() {
            let known = std::mem::replace(&mut self.shapes, self.engine.templates.count());
            if known == self.shapes || self.function.loops.is_empty() {
                break;
            }
            (self.before, self.after, self.visits) = Default::default();
            self.ascend()?;
        }
        for pass in 1..=policy::DESCENDING_PASSES.small() {
            self.is_last = pass == policy::DESCENDING_PASSES.small();
            self.descend()?;
        }
        Ok(self.returned)
    }

    /// Runs blocks until no state grows.
    fn ascend(&mut self) -> Flow {
        let order = self.graph.order().to_vec();
        let mut work: BTreeSet<(u32, Mode)> = BTreeSet::from([(0, self.begin())]);
        while let Some((position, mode)) = work.pop_first() {
            let node = (order[position as usize], mode);
            let Some(incoming) = self.incoming(node) else { continue };
            let state = self.grown(node, incoming);
            // Where the ways in are told apart, one of them may have changed and what they have in common not.
            if self.before.get(&node) == Some(&state) && !self.is_assumption(node.0) {
                continue;
            }
            self.before.insert(node, state);
            for (next, mode) in self.block(node)? {
                work.extend(self.graph.position(next).map(|position| (position, mode)));
            }
        }
        Ok(())
    }

    /// The mode in which the function begins.
    fn begin(&self) -> Mode {
        self.engine.inquiry.monitor.begin(self.id)
    }

    /// What comes into a block in a mode.
    fn incoming(&mut self, node: Node) -> Option<State> {
        let mut joined: Option<State> = (node == (clew_ir::ENTRY, self.begin())).then(|| self.entry.clone());
        let mut before = self.graph.predecessors(node.0).to_vec();
        before.sort_unstable();
        before.dedup();
        for from in before {
            let (least, most) = ((u8::MIN, u8::MIN), (u8::MAX, u8::MAX));
            for ((_, mode, way), state) in
                self.after.range(((from, least), least, 0)..=((from, most), most, usize::MAX))
            {
                if (self.graph.successors(from)[*way], *mode) == node {
                    joined = Some(joined.map_or_else(|| state.clone(), |known| known.join(state)));
                }
            }
        }
        joined
    }

    /// The state of a block with what comes in; widened where control comes back.
    fn grown(&mut self, node: Node, incoming: State) -> State {
        let Some(old) = self.before.get(&node) else { return incoming };
        let back = |from: &BlockId| self.graph.position(*from) >= self.graph.position(node.0);
        if !self.graph.predecessors(node.0).iter().any(back) {
            return incoming;
        }
        let visits = self.visits.entry(node).or_default();
        *visits += 1;
        let visits = *visits;
        let joined = old.join(&incoming);
        if visits <= policy::WIDEN_AFTER_VISITS.small() {
            return joined;
        }
        let skipped = 1 << (visits - policy::WIDEN_AFTER_VISITS.small()).min(20);
        old.widen(&joined, &|width| thinned(&self.stops(width), width, skipped))
    }

    /// Where integers of a width stop first in the function, collected once.
    fn stops(&self, width: u8) -> Rc<Stops> {
        let mut known = self.engine.stops.borrow_mut();
        Rc::clone(known.entry((self.id, width)).or_insert_with(|| Rc::new(stops(self.function, width))))
    }

    /// Recomputes every state once, from what is known to hold.
    fn descend(&mut self) -> Flow {
        self.engine.seen = Seen::default();
        self.returned = None;
        for block in self.graph.order().to_vec() {
            let (least, most) = ((u8::MIN, u8::MIN), (u8::MAX, u8::MAX));
            let nodes: Vec<Node> = self.before.range((block, least)..=(block, most)).map(|(node, _)| *node).collect();
            for node in nodes {
                let incoming = self.incoming(node);
                let old = self.after.range((node, least, 0)..=(node, most, usize::MAX)).map(|(edge, _)| *edge);
                old.collect::<Vec<_>>().iter().for_each(|edge| drop(self.after.remove(edge)));
                match incoming {
                    Some(state) => {
                        self.before.insert(node, state);
                        self.block(node)?;
                    }
                    None => drop(self.before.remove(&node)),
                }
            }
        }
        Ok(())
    }

    /// Runs a block; gives the blocks whose incoming state changed.
    fn block(&mut self, node: Node) -> Result<Vec<Node>, Stop> {
        self.engine.budget = self.engine.budget.checked_sub(1).ok_or(Abort::Budget)?;
        let state = self.before.get(&node).expect("only reached blocks are run");
        clock::spend(BLOCK + self.function.blocks[node.0].insts.len() as u64 * INSTRUCTION + state.size() * ENTRY);
        if self.engine.deadline.has_passed() {
            return Err(Abort::Budget.into());
        }
        let state = state.clone();
        let (block, mode) = node;
        let entries = if self.is_assumption(block) { self.ways_in(node) } else { vec![state.clone()] };
        self.engine.seen.blocks.insert((self.id, block));
        if self.depth == 0 {
            let known = self.engine.seen.states.get(&block).map(|known| known.join(&state));
            self.engine.seen.states.insert(block, known.unwrap_or_else(|| state.clone()));
        }
        if self.engine.is_cut(self.id, block, None) {
            return Ok(Vec::new());
        }
        let mode = self.engine.inquiry.monitor.arrive(self.id, block, mode);
        let mut runs = Vec::new();
        for state in entries {
            let mut walk = self.walk(state);
            if block == clew_ir::ENTRY {
                self.parameters(&mut walk);
            }
            runs.push(Run { next: 0, mode, walk, pending: Pending::new() });
        }
        let mut edges = Edges::new();
        while let Some(mut run) = runs.pop() {
            let ran = self.instructions(block, &mut run, &mut runs);
            match ran.and_then(|()| self.terminator(block, run, &mut edges)) {
                Ok(()) | Err(Stop::Dead) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(self.leave(node, edges))
    }

    /// A state about to go through a block.
    fn walk(&self, state: State) -> Walk<'p> {
        Walk {
            id: self.id,
            function: self.function,
            depth: self.depth,
            state,
            temps: BTreeMap::new(),
            defined: BTreeMap::new(),
            loaded: BTreeMap::new(),
            behind: BTreeMap::new(),
            forms: BTreeMap::new(),
            linears: BTreeMap::new(),
            spots: BTreeMap::new(),
            quotients: BTreeMap::new(),
            has_written: false,
        }
    }

    /// Whether a block takes for granted, first of all, the value of a decision that the blocks before it have made. What
    /// each of them knows is worth more than what they have in common.
    fn is_assumption(&self, block: BlockId) -> bool {
        let insts = &self.function.blocks[block].insts;
        let before = insts.iter().take_while(|inst| !matches!(inst.kind, InstKind::Call { .. })).count();
        let is_plain = |inst: &Inst| {
            matches!(inst.kind, InstKind::Load { .. } | InstKind::Binary { .. } | InstKind::Convert { .. })
        };
        let assumes = |inst: &Inst| match &inst.kind {
            InstKind::Call { callee: Callee::Direct(callee), .. } => is_assume(self.engine.program, *callee),
            _ => false,
        };
        block != clew_ir::ENTRY
            && insts[..before].iter().all(is_plain)
            && insts.get(before).is_some_and(assumes)
            && self.graph.predecessors(block).iter().all(|from| self.graph.position(*from) < self.graph.position(block))
    }

    /// What comes into a block, each way for itself.
    fn ways_in(&self, node: Node) -> Vec<State> {
        let leads = |((from, _), mode, way): &(Node, Mode, usize)| (self.graph.successors(*from)[*way], *mode) == node;
        self.after.iter().filter(|(edge, _)| leads(edge)).map(|(_, state)| state.clone()).collect()
    }

    /// Runs the instructions of a block that are left; cases that the monitor tells apart are left to further runs.
    fn instructions(&mut self, block: BlockId, run: &mut Run<'p>, runs: &mut Vec<Run<'p>>) -> Flow {
        let insts = &self.function.blocks[block].insts;
        while let Some(inst) = insts.get(run.next as usize) {
            let at = (self.id, block, run.next);
            if self.is_last {
                self.engine.arrive(at, run.mode, &mut run.pending);
                if self.engine.inquiry.monitor.concerns(self.id) && self.engine.may_end(&inst.kind) {
                    self.engine.ended(self.id, run.mode);
                }
            }
            self.engine.instruction(&mut run.walk, inst)?;
            self.engine.known_after(&mut run.walk, at)?;
            if self.is_last {
                self.engine.asked_after(&run.walk, at);
            }
            run.mode = self.engine.inquiry.monitor.step(self.id, (block, run.next), run.mode);
            run.next += 1;
            for walk in self.engine.guessed(&run.walk, at, run.mode) {
                let (next, pending) = (run.next, run.pending.clone());
                runs.push(Run { next, mode: (ON, run.mode.1), walk, pending });
            }
        }
        Ok(())
    }

    /// Parameters hold what they were given.
    fn parameters(&mut self, walk: &mut Walk<'p>) {
        for (position, param) in self.function.params.iter().enumerate() {
            let key = (Object::Param(self.depth, self.id, position as u32), 0);
            let ty = self.function.temps[param.temp].ty;
            let bytes = ty.bytes(self.engine.program.target.pointer_width);
            if param.kind != clew_ir::ParamKind::Scalar {
                continue;
            }
            let (_, value) = walk.state.cells.entry(key).or_insert_with(|| (bytes, Abs::top(ty)));
            let value = value.clone();
            if value.int().is_some_and(|domain| (2..=64).contains(&domain.width())) {
                let form = super::form::Form::cell(key);
                walk.forms.insert(param.temp, (form, key.0.is_signed(self.engine.program)));
                walk.linears.insert(param.temp, super::equality::Linear::cell(key, (bytes * 8) as u8));
            }
            walk.loaded.insert(param.temp, key);
            walk.define(param.temp, value.clone());
            walk.state.temps.insert(param.temp, value);
        }
    }

    /// Adds the states that leave a block to its edges.
    fn terminator(&mut self, block: BlockId, run: Run<'p>, edges: &mut Edges) -> Flow {
        let Run { mode, mut walk, pending, .. } = run;
        let width = self.engine.program.target.pointer_width;
        let mut states: Vec<(usize, State)> = Vec::new();
        match &self.function.blocks[block].terminator.kind {
            TerminatorKind::Jump(_) => states.push((0, self.outgoing(&walk))),
            TerminatorKind::Return(value) => {
                let result = value.map(|value| walk.value(value, width));
                if let (Some(operand), Some(result)) = (value, &result) {
                    self.note_result(&mut walk, *operand, result)?;
                }
                self.engine.ended(self.id, mode);
                self.returns(walk.state, result);
            }
            TerminatorKind::Unreachable { check } => self.engine.may_fail(self.id, *check),
            TerminatorKind::Branch { on, .. } => {
                for (way, outcome) in [(0, true), (1, false)] {
                    let mut taken = walk.fork();
                    match self.engine.refine(&mut taken, *on, outcome) {
                        Ok(()) => states.push((way, self.outgoing(&taken))),
                        Err(Stop::Dead) => {}
                        Err(stop) => return Err(stop),
                    }
                }
            }
            TerminatorKind::Switch { on, cases, .. } => states.extend(self.switch(&walk, *on, cases)),
        }
        for (way, mut state) in states {
            let settled = state.relate(self.engine.program);
            let settled = settled.and_then(|()| self.engine.templates.refresh(self.engine.program, &mut state));
            if settled.is_ok() && !self.engine.is_cut(self.id, block, Some(way)) {
                self.edge(block, mode, &pending, (way, state), edges);
            }
        }
        Ok(())
    }

    /// Adds a state to an edge.
    fn edge(&mut self, from: BlockId, mode: Mode, pending: &Pending, (way, state): (usize, State), edges: &mut Edges) {
        self.engine.seen.edges.insert((self.id, from, way));
        self.engine.seen.happens.extend(pending.iter().filter(|(_, other)| *other == way).map(|(asked, _)| *asked));
        let pass = Pass { from, way, to: self.graph.successors(from)[way] };
        let (mode, turns) = self.engine.inquiry.monitor.pass(self.id, self.function, pass, mode);
        self.engine.turned(turns);
        // A run that never ends does what it does all the same.
        if self.graph.position(pass.to) <= self.graph.position(from) {
            self.engine.happened(self.id, mode);
            self.engine.turned(self.engine.inquiry.monitor.stuck(self.id, self.function, pass, mode));
        }
        let known = edges.remove(&(mode, way));
        edges.insert((mode, way), known.map_or_else(|| state.clone(), |known| known.join(&state)));
    }

    /// Keeps what is returned as a cell, with its relations.
    fn note_result(&mut self, walk: &mut Walk<'p>, operand: Operand, result: &Abs) -> Result<(), Conflict> {
        let width = self.engine.program.target.pointer_width;
        let key = (Object::Result(self.depth, self.id), 0);
        let bytes = operand.ty(self.function).bytes(width);
        let form = walk.form(operand, key.0.is_signed(self.engine.program), width);
        let form = form.as_ref().filter(|_| result.int().is_some());
        let rows = self.engine.templates.assigned(self.engine.program, &walk.state, key, form);
        let linear = walk.linear(operand);
        walk.state.equalities.assign(key, result.int().map_or(0, IntDomain::width), linear.as_ref());
        walk.state.cells.insert(key, (bytes, result.clone()));
        walk.state.assign(self.engine.program, key, form, &rows)
    }

    /// The states at the arms of a switch; the default comes last.
    fn switch(&mut self, walk: &Walk<'p>, on: Operand, cases: &[clew_ir::Case]) -> Vec<(usize, State)> {
        let width = self.engine.program.target.pointer_width;
        let mut edges = Vec::new();
        let Abs::Int(domain) = walk.value(on, width) else {
            return (0..=cases.len()).map(|index| (index, self.outgoing(walk))).collect();
        };
        // Values are taken away from the least on: an interval shrinks at its ends only.
        let mut single: Vec<u128> = cases.iter().filter(|case| case.low == case.high).map(|case| case.low).collect();
        single.sort_unstable();
        let rest = single.into_iter().try_fold(domain, |mut left, value| left.remove(value).map(|()| left));
        for (index, case) in cases.iter().enumerate() {
            let interval = clew_solver::domain::int::Interval { lo: case.low, hi: case.high };
            let wanted = Abs::Int(IntDomain::from_interval(domain.width(), interval));
            let mut taken = walk.fork();
            if self.engine.narrow(&mut taken, on, &wanted, 8).is_ok() {
                edges.push((index, self.outgoing(&taken)));
            }
        }
        if let Ok(rest) = rest {
            let mut taken = walk.fork();
            if self.engine.narrow(&mut taken, on, &Abs::Int(rest), 8).is_ok() {
                edges.push((cases.len(), self.outgoing(&taken)));
            }
        }
        edges
    }

    /// The state that leaves a block, with the temporaries it defined.
    fn outgoing(&self, walk: &Walk<'p>) -> State {
        let mut state = walk.state.clone();
        let crossing = walk.temps.iter().filter(|(temp, _)| self.crossing[temp.index()]);
        state.temps.extend(crossing.map(|(temp, value)| (*temp, value.clone())));
        state
    }

    fn returns(&mut self, mut state: State, value: Option<Abs>) {
        if state.relate(self.engine.program).is_err() {
            return;
        }
        self.returned = Some(match self.returned.take() {
            None => (state, value),
            Some((known, result)) => {
                let value = result.zip(value).and_then(|(a, b)| a.join(&b));
                (known.join(&state), value)
            }
        });
    }

    /// Notes the states on the edges out of a block; gives the blocks for which they changed.
    fn leave(&mut self, node: Node, edges: Edges) -> Vec<Node> {
        let mut changed = Vec::new();
        for ((mode, way), state) in edges {
            let edge = (node, mode, way);
            if self.after.get(&edge) != Some(&state) {
                self.after.insert(edge, state);
                changed.push((self.graph.successors(node.0)[way], mode));
            }
        }
        changed
    }
}

impl Walk<'_> {
    /// A copy for one way out of the block.
    pub(crate) fn fork(&self) -> Self {
        self.clone()
    }
}
