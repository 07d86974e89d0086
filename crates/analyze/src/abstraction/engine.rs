//! The fixpoint: blocks of a function are run on abstract states until nothing changes.

use super::cell::Object;
use super::state::State;
use super::transfer::Walk;
use super::value::Abs;
use crate::graph::Graph;
use clew_ir::{BlockId, CheckId, Function, FunctionId, LocalId, Operand, Program, TempId, TerminatorKind};
use clew_solver::domain::Conflict;
use clew_solver::domain::int::IntDomain;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Visits of a loop's head after which it is widened.
const PATIENCE: u32 = 3;

/// Descending passes.
const DESCENTS: u32 = 2;

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
}

impl Seen {
    fn add(&mut self, other: &Seen) {
        self.blocks.extend(&other.blocks);
        self.edges.extend(&other.edges);
        self.failing.extend(&other.failing);
        self.opaque.extend(&other.opaque);
    }
}

/// The result of running a function on a state.
type Outcome = Option<(State, Option<Abs>)>;

/// A run that may be used again.
struct Known {
    entry: State,
    outcome: Outcome,
    seen: Rc<Seen>,
}

/// Values at which bounds stop first, ascending.
pub(crate) type Thresholds = Rc<[u128]>;

/// The analysis of one program.
pub(crate) struct Engine<'p> {
    pub(crate) program: &'p Program,
    /// Functions being run.
    pub(crate) stack: Vec<FunctionId>,
    pub(crate) seen: Seen,
    /// Blocks that may still be run.
    budget: u64,
    exposed: BTreeMap<FunctionId, Rc<BTreeSet<LocalId>>>,
    known: BTreeMap<(FunctionId, u32), Known>,
    /// Where bounds of growing integers stop first, by function and width.
    thresholds: RefCell<BTreeMap<(FunctionId, u8), Thresholds>>,
}

impl<'p> Engine<'p> {
    pub(crate) fn new(program: &'p Program, budget: u64) -> Engine<'p> {
        Engine {
            program,
            stack: Vec::new(),
            seen: Seen::default(),
            budget,
            exposed: BTreeMap::new(),
            known: BTreeMap::new(),
            thresholds: RefCell::default(),
        }
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
            Object::Global(_) => true,
            Object::Param(..) | Object::Result(..) | Object::Heap(..) => false,
            Object::Local(_, function, local) => {
                self.exposed.get(&function).is_none_or(|locals| locals.contains(&local))
            }
        }
    }

    /// Runs a function on a state; `None` if it never returns.
    pub(crate) fn function(&mut self, id: FunctionId, depth: u32, entry: &State) -> Result<Outcome, Stop> {
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

/// Locals whose address is used for more than direct accesses.
fn exposed_locals(function: &Function) -> BTreeSet<LocalId> {
    use clew_ir::InstKind;
    let mut exposed = BTreeSet::new();
    // Temporaries that point into a local, by offsets.
    let mut derived: BTreeMap<TempId, LocalId> = BTreeMap::new();
    let mut grows = true;
    while grows {
        let before = derived.len();
        for inst in function.blocks.values().flat_map(|block| &block.insts) {
            if let InstKind::Offset { dest, base, .. } = &inst.kind {
                let local = match base {
                    Operand::Local(local) => Some(*local),
                    Operand::Temp(temp) => derived.get(temp).copied(),
                    _ => None,
                };
                derived.extend(local.map(|local| (*dest, local)));
            }
        }
        grows = derived.len() > before;
    }
    let mut expose = |operand: &Operand| match operand {
        Operand::Local(local) => drop(exposed.insert(*local)),
        Operand::Temp(temp) => exposed.extend(derived.get(temp)),
        _ => {}
    };
    for block in function.blocks.values() {
        for inst in &block.insts {
            match &inst.kind {
                InstKind::Load { .. } | InstKind::Offset { .. } | InstKind::Fill { .. } | InstKind::Copy { .. } => {}
                InstKind::Store { value, .. } => expose(value),
                other => other.operands().iter().for_each(&mut expose),
            }
        }
        if let TerminatorKind::Return(Some(value)) = &block.terminator.kind {
            expose(value);
        }
    }
    exposed
}

/// The fixpoint of one function.
struct Fixpoint<'e, 'p> {
    engine: &'e mut Engine<'p>,
    id: FunctionId,
    function: &'p Function,
    depth: u32,
    graph: Graph,
    entry: &'e State,
    /// States at the beginning of blocks; `None` where control does not come.
    before: Vec<Option<State>>,
    /// States on edges, by block and position among its successors.
    after: BTreeMap<(BlockId, usize), State>,
    visits: Vec<u32>,
    returned: Option<(State, Option<Abs>)>,
}

impl<'e, 'p> Fixpoint<'e, 'p> {
    fn new(engine: &'e mut Engine<'p>, id: FunctionId, depth: u32, entry: &'e State) -> Fixpoint<'e, 'p> {
        let function = &engine.program.functions[id];
        let blocks = function.blocks.len();
        Fixpoint {
            engine,
            id,
            function,
            depth,
            graph: Graph::new(function),
            entry,
            before: vec![None; blocks],
            after: BTreeMap::new(),
            visits: vec![0; blocks],
            returned: None,
        }
    }

    fn run(mut self) -> Result<Outcome, Stop> {
        self.ascend()?;
        for _ in 0..DESCENTS {
            self.descend()?;
        }
        Ok(self.returned)
    }

    /// Runs blocks until no state grows.
    fn ascend(&mut self) -> Flow {
        let order = self.graph.order().to_vec();
        let mut work: BTreeSet<u32> = BTreeSet::from([0]);
        while let Some(position) = work.pop_first() {
            let block = order[position as usize];
            let Some(incoming) = self.incoming(block) else { continue };
            let state = self.grown(block, incoming);
            if self.before[block.index()].as_ref() == Some(&state) {
                continue;
            }
            self.before[block.index()] = Some(state);
            for next in self.block(block)? {
                work.extend(self.graph.position(next));
            }
        }
        Ok(())
    }

    /// What comes into a block.
    fn incoming(&mut self, block: BlockId) -> Option<State> {
        let mut joined: Option<State> = (block == clew_ir::ENTRY).then(|| self.entry.clone());
        let mut before = self.graph.predecessors(block).to_vec();
        before.dedup();
        before.sort_unstable();
        before.dedup();
        for from in before {
            for (index, to) in self.graph.successors(from).iter().enumerate() {
                let state = self.after.get(&(from, index)).filter(|_| *to == block);
                joined = match (joined, state) {
                    (Some(known), Some(state)) => Some(known.join(state)),
                    (known, state) => known.or_else(|| state.cloned()),
                };
            }
        }
        joined
    }

    /// The state of a block with what comes in; widened where control comes back.
    fn grown(&mut self, block: BlockId, incoming: State) -> State {
        let Some(old) = &self.before[block.index()] else { return incoming };
        let back = |from: &BlockId| self.graph.position(*from) >= self.graph.position(block);
        if !self.graph.predecessors(block).iter().any(back) {
            return incoming;
        }
        self.visits[block.index()] += 1;
        let joined = old.join(&incoming);
        if self.visits[block.index()] <= PATIENCE {
            return joined;
        }
        old.widen(&joined, &|width| self.thresholds(width))
    }

    /// The thresholds of the function for integers of a width, collected once.
    fn thresholds(&self, width: u8) -> Thresholds {
        let mut known = self.engine.thresholds.borrow_mut();
        Rc::clone(known.entry((self.id, width)).or_insert_with(|| thresholds(self.function, width)))
    }

    /// Recomputes every state once, from what is known to hold.
    fn descend(&mut self) -> Flow {
        self.engine.seen = Seen::default();
        self.returned = None;
        for block in self.graph.order().to_vec() {
            self.before[block.index()] = self.incoming(block);
            self.after.retain(|(from, _), _| *from != block);
            if self.before[block.index()].is_some() {
                self.block(block)?;
            }
        }
        Ok(())
    }

    /// Runs a block; gives the blocks whose incoming state changed.
    fn block(&mut self, block: BlockId) -> Result<Vec<BlockId>, Stop> {
        self.engine.budget = self.engine.budget.checked_sub(1).ok_or(Abort::Budget)?;
        let state = self.before[block.index()].clone().expect("only reached blocks are run");
        self.engine.seen.blocks.insert((self.id, block));
        if self.depth == 0 {
            self.engine.seen.states.insert(block, state.clone());
        }
        let (id, function, depth) = (self.id, self.function, self.depth);
        let mut walk = Walk {
            id,
            function,
            depth,
            state,
            temps: BTreeMap::new(),
            defined: BTreeMap::new(),
            loaded: BTreeMap::new(),
            forms: BTreeMap::new(),
        };
        if block == clew_ir::ENTRY {
            self.parameters(&mut walk);
        }
        let data = &function.blocks[block];
        for inst in &data.insts {
            match self.engine.instruction(&mut walk, inst) {
                Ok(()) => {}
                Err(Stop::Dead) => return Ok(self.leave(block, Vec::new())),
                Err(stop) => return Err(stop),
            }
        }
        self.terminator(block, walk, &data.terminator.kind)
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
            let (_, value) = walk.state.cells.entry(key).or_insert_with(|| (bytes, Abs::top(ty))).clone();
            if value.int().is_some_and(|domain| (2..=64).contains(&domain.width())) {
                let form = super::form::Form::cell(key);
                walk.forms.insert(param.temp, (form, key.0.is_signed(self.engine.program)));
            }
            walk.loaded.insert(param.temp, key);
            walk.define(param.temp, value.clone());
            walk.state.temps.insert(param.temp, value);
        }
    }

    fn terminator(&mut self, block: BlockId, walk: Walk<'p>, kind: &TerminatorKind) -> Result<Vec<BlockId>, Stop> {
        let width = self.engine.program.target.pointer_width;
        let mut edges: Vec<(usize, State)> = Vec::new();
        match kind {
            TerminatorKind::Jump(_) => edges.push((0, self.outgoing(&walk))),
            TerminatorKind::Return(value) => {
                let mut walk = walk;
                let result = value.map(|value| walk.value(value, width));
                if let (Some(operand), Some(result)) = (value, &result)
                    && self.note_result(&mut walk, *operand, result).is_err()
                {
                    return Ok(self.leave(block, Vec::new()));
                }
                self.returns(walk.state, result);
                return Ok(self.leave(block, Vec::new()));
            }
            TerminatorKind::Unreachable { check } => {
                self.engine.may_fail(self.id, *check);
                return Ok(self.leave(block, Vec::new()));
            }
            TerminatorKind::Branch { on, .. } => {
                for (index, outcome) in [(0, true), (1, false)] {
                    let mut taken = walk.fork();
                    match self.engine.refine(&mut taken, *on, outcome) {
                        Ok(()) => edges.push((index, self.outgoing(&taken))),
                        Err(Stop::Dead) => {}
                        Err(stop) => return Err(stop),
                    }
                }
            }
            TerminatorKind::Switch { on, cases, .. } => edges.extend(self.switch(&walk, *on, cases)),
        }
        let mut related = Vec::new();
        for (index, mut state) in edges {
            if state.relate(self.engine.program).is_ok() {
                related.push((index, state));
            }
        }
        Ok(self.leave(block, related))
    }

    /// Keeps what is returned as a cell, with its relations.
    fn note_result(&mut self, walk: &mut Walk<'p>, operand: Operand, result: &Abs) -> Result<(), Conflict> {
        let width = self.engine.program.target.pointer_width;
        let key = (Object::Result(self.depth, self.id), 0);
        let bytes = operand.ty(self.function).bytes(width);
        walk.state.cells.insert(key, (bytes, result.clone()));
        let form = walk.form(operand, key.0.is_signed(self.engine.program), width);
        walk.state.assign(self.engine.program, key, form.as_ref().filter(|_| result.int().is_some()))
    }

    /// The states at the arms of a switch; the default comes last.
    fn switch(&mut self, walk: &Walk<'p>, on: Operand, cases: &[clew_ir::Case]) -> Vec<(usize, State)> {
        let width = self.engine.program.target.pointer_width;
        let mut edges = Vec::new();
        let Abs::Int(domain) = walk.value(on, width) else {
            return (0..=cases.len()).map(|index| (index, self.outgoing(walk))).collect();
        };
        let mut rest = Ok(domain);
        for (index, case) in cases.iter().enumerate() {
            let interval = clew_solver::domain::int::Interval { lo: case.low, hi: case.high };
            let wanted = Abs::Int(IntDomain::from_interval(domain.width(), interval));
            let mut taken = walk.fork();
            if self.engine.narrow(&mut taken, on, &wanted, 8).is_ok() {
                edges.push((index, self.outgoing(&taken)));
            }
            if case.low == case.high {
                rest = rest.and_then(|mut left: IntDomain| left.remove(case.low).map(|()| left));
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
        state.temps.extend(walk.temps.iter().map(|(temp, value)| (*temp, value.clone())));
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
    fn leave(&mut self, block: BlockId, edges: Vec<(usize, State)>) -> Vec<BlockId> {
        let targets = self.graph.successors(block).to_vec();
        let mut changed = Vec::new();
        for (index, state) in edges {
            self.engine.seen.edges.insert((self.id, block, index));
            if self.after.get(&(block, index)) != Some(&state) {
                self.after.insert((block, index), state);
                changed.push(targets[index]);
            }
        }
        changed
    }
}

impl Walk<'_> {
    /// A copy for one way out of the block.
    fn fork(&self) -> Self {
        Walk {
            id: self.id,
            function: self.function,
            depth: self.depth,
            state: self.state.clone(),
            temps: self.temps.clone(),
            defined: self.defined.clone(),
            loaded: self.loaded.clone(),
            forms: self.forms.clone(),
        }
    }
}

/// Values at which bounds of growing integers stop first: constants of the function and their neighbours, and the
/// borders of signed numbers.
fn thresholds(function: &Function, width: u8) -> Thresholds {
    let mask = u128::MAX >> (128 - u32::from(width));
    let border = 1u128 << (width - 1);
    let mut values = BTreeSet::from([0, 1, border - 1, border, mask - 1, mask]);
    for block in function.blocks.values() {
        for operand in block.insts.iter().flat_map(|inst| inst.kind.operands()) {
            if let Operand::Const(value) = operand
                && matches!(value.ty, clew_scalar::Type::Int(_))
            {
                let signed = value.signed() as u128;
                values.extend([signed.wrapping_sub(1) & mask, signed & mask, signed.wrapping_add(1) & mask]);
            }
        }
    }
    values.into_iter().collect()
}
