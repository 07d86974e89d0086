//! What a trace shows: the facts that objectives ask about.
//!
//! The trace is read once, with a stack of activations. Each remembers the block it is in, the decisions being
//! evaluated, the loops being run and the last definition of each variable. Long traces go the same ways again and again:
//! what a way shows by itself is noted the first time only.

use crate::dataflow::{Access, AccessKind, Accesses, Variable, accesses};
use crate::evaluation::{self, Evaluation};
use crate::label::{LabelId, Point};
use crate::objective::{Site, Turns};
use crate::trace::Mark;
use clew_ir::{
    BlockId, Callee, ConditionId, DecisionId, ENTRY, FunctionId, GlobalId, InstKind, LoopId, Program, TerminatorKind,
};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// A fact about a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sight {
    /// Control came to a block.
    Block(FunctionId, BlockId),
    /// Control came to a call.
    Call(Point),
    /// A condition had an outcome.
    Outcome(FunctionId, ConditionId, bool),
    /// A `switch` went to an arm.
    Arm(FunctionId, DecisionId, u32),
    /// A decision was evaluated.
    Evaluation(FunctionId, DecisionId, Evaluation),
    /// A value went from a definition to a use; where it decides, with that successor taken.
    Flow(FunctionId, Variable, Site, Point, Option<u32>),
    /// A loop ran so often in one activation.
    Turns(FunctionId, LoopId, Turns),
    /// The predicate of a label held.
    Label(LabelId),
}

/// What a reader must keep track of.
#[derive(Clone, Debug)]
pub struct Reader<'p> {
    program: &'p Program,
    /// The accesses of the functions whose data flow is asked for.
    flows: BTreeMap<FunctionId, Accesses>,
}

impl<'p> Reader<'p> {
    /// A reader for traces of a program that follows the data flow of some functions.
    pub fn new(program: &'p Program, flows: &BTreeSet<FunctionId>) -> Reader<'p> {
        let flows = flows.iter().map(|&id| (id, accesses(program, &program.functions[id]))).collect();
        Reader { program, flows }
    }

    /// The accesses to a variable of a function whose data flow is asked for, with their blocks.
    pub fn accesses(&self, function: FunctionId, variable: Variable) -> impl Iterator<Item = (BlockId, &Access)> {
        let blocks = self.flows.get(&function).into_iter().flat_map(|accesses| (0..).zip(accesses));
        let all = blocks.flat_map(|(block, list)| list.iter().map(move |access| (BlockId::new(block), access)));
        all.filter(move |(_, access)| access.variable == variable)
    }

    /// What a trace shows.
    pub fn read<'t>(&self, trace: impl IntoIterator<Item = &'t Mark>) -> BTreeSet<Sight> {
        let mut reading = self.follow(trace);
        while !reading.stack.is_empty() {
            reading.leave();
        }
        reading.sights
    }

    /// The definitions whose values may be in variables when a trace breaks off, in whichever activation: also those of the
    /// blocks in which activations stand.
    pub fn holds<'t>(&self, trace: impl IntoIterator<Item = &'t Mark>) -> BTreeSet<(FunctionId, Variable, Site)> {
        let reading = self.follow(trace);
        let mut held = BTreeSet::new();
        for (&function, access) in
            self.flows.iter().flat_map(|(id, blocks)| blocks.iter().flatten().map(move |a| (id, a)))
        {
            if matches!(access.variable, Variable::Global(global) if !reading.globals.contains_key(&global)) {
                held.insert((function, access.variable, Site::Entry));
            }
        }
        let globals = reading.globals.iter();
        held.extend(globals.map(|(global, (function, site))| (*function, Variable::Global(*global), *site)));
        for activation in &reading.stack {
            let (function, block) = (activation.function, activation.block);
            held.extend(activation.locals.iter().map(|(variable, site)| (function, *variable, *site)));
            held.extend(activation.deciding.iter().map(|(variable, site, _)| (function, *variable, *site)));
            let accesses = self.flows.get(&function).map(|accesses| &accesses[block.index()]);
            for access in accesses.into_iter().flatten().filter(|access| access.kind == AccessKind::Define) {
                held.insert((function, access.variable, Site::At(Point { function, block, index: access.index })));
            }
        }
        held
    }

    /// Reads a trace to where it breaks off.
    fn follow<'r, 't>(&'r self, trace: impl IntoIterator<Item = &'t Mark>) -> TraceReader<'r, 'p> {
        let mut reading = TraceReader {
            reader: self,
            sights: BTreeSet::new(),
            stack: Vec::new(),
            globals: BTreeMap::new(),
            ways: FxHashSet::default(),
        };
        for mark in trace {
            match *mark {
                Mark::Enter(function) => reading.enter(function),
                Mark::Block(block) => reading.edge(block),
                Mark::Label(label) => {
                    reading.sights.insert(Sight::Label(label));
                }
                Mark::Leave => reading.leave(),
            }
        }
        reading
    }
}

/// Where a trace being read stands.
struct TraceReader<'r, 'p> {
    reader: &'r Reader<'p>,
    sights: BTreeSet<Sight>,
    stack: Vec<Activation>,
    /// The function and site of the last definition of each global; absent as long as it has its value of the start.
    globals: BTreeMap<GlobalId, (FunctionId, Site)>,
    /// Ways from block to block that were gone before.
    ways: FxHashSet<(FunctionId, BlockId, BlockId)>,
}

/// One activation.
struct Activation {
    function: FunctionId,
    block: BlockId,
    /// Instructions of the block whose accesses were read.
    read: u32,
    evaluations: BTreeMap<DecisionId, Evaluation>,
    loops: BTreeMap<LoopId, u32>,
    locals: BTreeMap<Variable, Site>,
    /// Uses on which the block's end depends.
    deciding: Vec<(Variable, Site, Point)>,
}

impl TraceReader<'_, '_> {
    fn enter(&mut self, function: FunctionId) {
        self.read_to_call(function);
        self.stack.push(Activation {
            function,
            block: ENTRY,
            read: 0,
            evaluations: BTreeMap::new(),
            loops: BTreeMap::new(),
            locals: BTreeMap::new(),
            deciding: Vec::new(),
        });
        self.arrive(ENTRY, true);
    }

    /// Reads the accesses of the running block up to the call that enters a function.
    fn read_to_call(&mut self, callee: FunctionId) {
        let Some(activation) = self.stack.last() else { return };
        let insts = &self.reader.program.functions[activation.function].blocks[activation.block].insts;
        let calls = |kind: &InstKind| match kind {
            InstKind::Call { callee: Callee::Direct(id), .. } => *id == callee,
            InstKind::Call { callee: Callee::Indirect(_), .. } => true,
            _ => false,
        };
        let rest = insts.iter().enumerate().skip(activation.read as usize);
        let end = rest.clone().find(|(_, inst)| calls(&inst.kind)).map_or(activation.read, |(at, _)| at as u32 + 1);
        self.read_accesses(end);
    }

    fn leave(&mut self) {
        self.read_accesses(u32::MAX);
        let activation = self.stack.pop().expect("a trace leaves only what it entered");
        for (id, turns) in activation.loops {
            self.sights.insert(Sight::Turns(activation.function, id, Turns::of(turns)));
        }
    }

    /// Control goes from the running block to another.
    fn edge(&mut self, to: BlockId) {
        self.read_accesses(u32::MAX);
        let activation = self.stack.last_mut().expect("blocks belong to activations");
        let (function, from) = (activation.function, activation.block);
        let body = &self.reader.program.functions[function];
        let terminator = &body.blocks[from].terminator.kind;
        let is_new = self.ways.insert((function, from, to));
        let deciding = std::mem::take(&mut activation.deciding);
        if !deciding.is_empty() {
            let successors = terminator.successors();
            let taken = || (0..).zip(&successors).filter(|(_, next)| **next == to).map(|(taken, _)| taken);
            let flow = |(variable, site, point), taken| Sight::Flow(function, variable, site, point, Some(taken));
            self.sights.extend(deciding.into_iter().flat_map(|used| taken().map(move |taken| flow(used, taken))));
        }
        match terminator {
            TerminatorKind::Branch { condition: Some(condition), then, .. } => {
                self.outcome(*condition, to == *then, is_new);
            }
            TerminatorKind::Switch { decision: Some(decision), .. } if is_new => {
                // Where several cases lead to one block, the blocks do not show which of them was taken.
                let successors = terminator.successors();
                let mut arms = (0..).zip(&successors).filter(|(_, next)| **next == to).map(|(arm, _)| arm);
                if let (Some(arm), None) = (arms.next(), arms.next()) {
                    self.sights.insert(Sight::Arm(function, *decision, arm));
                }
            }
            _ => {}
        }
        self.turn(from, to);
        self.arrive(to, is_new);
    }

    fn arrive(&mut self, block: BlockId, is_new: bool) {
        let activation = self.stack.last_mut().expect("blocks belong to activations");
        activation.block = block;
        activation.read = 0;
        if !is_new {
            return;
        }
        let function = activation.function;
        self.sights.insert(Sight::Block(function, block));
        let insts = (0..).zip(&self.reader.program.functions[function].blocks[block].insts);
        let calls = insts.filter(|(_, inst)| matches!(inst.kind, InstKind::Call { .. }));
        self.sights.extend(calls.map(|(index, _)| Sight::Call(Point { function, block, index })));
    }

    fn outcome(&mut self, condition: ConditionId, outcome: bool, is_new: bool) {
        let activation = self.stack.last_mut().expect("conditions belong to activations");
        let function = activation.function;
        if is_new {
            self.sights.insert(Sight::Outcome(function, condition, outcome));
        }
        let body = &self.reader.program.functions[function];
        let decision = body.conditions[condition].decision;
        let Some(formula) = &body.decisions[decision].formula else { return };
        // An evaluation that its first condition settles was noted when that way was new.
        let is_first = || evaluation::next(formula, &[]) == Some(condition);
        if !is_new && is_first() && evaluation::next(formula, &[(condition, outcome)]).is_none() {
            return;
        }
        let evaluation = activation.evaluations.entry(decision).or_default();
        if evaluation::next(formula, evaluation) != Some(condition) {
            evaluation.clear();
        }
        evaluation.push((condition, outcome));
        if evaluation::next(formula, evaluation).is_none() {
            let whole = std::mem::take(evaluation);
            self.sights.insert(Sight::Evaluation(function, decision, whole));
        }
    }

    /// Counts iterations: they begin with the body, and end with the loop.
    fn turn(&mut self, from: BlockId, to: BlockId) {
        let activation = self.stack.last_mut().expect("loops belong to activations");
        let function = activation.function;
        for (id, item) in self.reader.program.functions[function].loops.iter() {
            let entered = item.head == to && from != item.latch;
            if (item.exit == to || entered)
                && let Some(turns) = activation.loops.remove(&id)
            {
                self.sights.insert(Sight::Turns(function, id, Turns::of(turns)));
            }
            if entered {
                activation.loops.insert(id, 0);
            }
            if item.body == to
                && let Some(turns) = activation.loops.get_mut(&id)
            {
                *turns += 1;
            }
        }
    }

    /// Reads the accesses of the running block up to an instruction.
    fn read_accesses(&mut self, end: u32) {
        let Some(activation) = self.stack.last_mut() else { return };
        let begin = std::mem::replace(&mut activation.read, end);
        let Some(accesses) = self.reader.flows.get(&activation.function) else { return };
        for access in &accesses[activation.block.index()] {
            if access.index >= begin && access.index < end {
                self.access(access);
            }
        }
    }

    fn access(&mut self, access: &Access) {
        let activation = self.stack.last_mut().expect("accesses belong to activations");
        let function = activation.function;
        let point = Point { function, block: activation.block, index: access.index };
        match (access.kind, access.variable) {
            (AccessKind::Define, Variable::Global(global)) => {
                self.globals.insert(global, (function, Site::At(point)));
            }
            (AccessKind::Define, local) => {
                activation.locals.insert(local, Site::At(point));
            }
            (AccessKind::Forget, variable) => {
                activation.locals.remove(&variable);
            }
            (AccessKind::Use { decides }, variable) => {
                let site = match variable {
                    Variable::Local(_) => activation.locals.get(&variable).copied(),
                    Variable::Global(global) => match self.globals.get(&global) {
                        None => Some(Site::Entry),
                        Some((definer, site)) => (*definer == function).then_some(*site),
                    },
                };
                match site {
                    Some(site) if decides => activation.deciding.push((variable, site, point)),
                    Some(site) => {
                        self.sights.insert(Sight::Flow(function, variable, site, point, None));
                    }
                    None => {}
                }
            }
        }
    }
}
