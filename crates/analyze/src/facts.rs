//! Facts about a function that hold on every execution: where control never comes, which checks never fail.
//!
//! By abstract interpretation (`abstraction`), calls entered, loops included, for all inputs that satisfy the
//! precondition. What C leaves undefined is taken not to happen. Where the analysis meets something it cannot follow
//! (calls through unknown pointers, unsupported C) or takes too long, it states nothing at all.

use crate::abstraction::bounded::bounded;
use crate::abstraction::cell::Object;
use crate::abstraction::contract::{self, ClauseReader};
use crate::abstraction::engine::{Abort, AnalysisResult, Engine, Seen, Stop};
use crate::abstraction::inputs::Inputs;
use crate::abstraction::state::{State, range};
use crate::abstraction::value::Abs;
use crate::policy;
use clew_ir::contract::{Clause, Contract, Predicate};
use clew_ir::{BlockId, CheckId, FunctionId, GlobalId, LocalId, Program};
use clew_solver::clock::Deadline;
use std::collections::{BTreeMap, BTreeSet};

/// What the analysis may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// Blocks that may be run, repetitions included; more for large functions.
    pub blocks: u64,
    /// When to give up, a safety net.
    pub deadline: Deadline,
    /// What holds of inputs beyond the function's own contract.
    pub requires: Vec<Clause>,
    /// Whether pointers of the input lead to objects of their own, which have as many elements as accesses need where
    /// nothing fixes their size.
    pub arrays_suffice: bool,
    /// Whether a pointer that leaves its object ends the run, as an access there does.
    pub moves_are_checked: bool,
    /// Whether pointers are taken to stay in their objects wherever they are moved. Whoever asks about the accesses behind
    /// a move must not assume it.
    pub moves_are_assumed: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            blocks: 20_000,
            deadline: Deadline::default(),
            requires: Vec::new(),
            arrays_suffice: false,
            moves_are_checked: false,
            moves_are_assumed: true,
        }
    }
}

impl Options {
    /// Blocks that may be run in the analysis of a function.
    pub(crate) fn budget(&self, program: &Program, function: FunctionId) -> u64 {
        let blocks = program.functions[function].blocks.len() as u64;
        self.blocks.max(blocks.saturating_mul(policy::MAX_RUNS_PER_BLOCK.get()))
    }
}

/// What is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Functions the facts are about: the function itself and those it calls that were followed.
    pub functions: BTreeSet<FunctionId>,
    /// Blocks of these functions to which control never comes.
    pub unreachable: BTreeSet<(FunctionId, BlockId)>,
    /// Ways out of blocks that control never takes: the block and the position among its successors.
    pub never_taken: BTreeSet<(FunctionId, BlockId, usize)>,
    /// Checks that never fail.
    pub never_fails: BTreeSet<(FunctionId, CheckId)>,
    /// What is known of integers where a block of the function itself begins.
    pub ranges: BTreeMap<BlockId, Vec<Range>>,
    /// Whether the function may return, as far as is known.
    pub returns: bool,
    /// The state in which it returns.
    returned: Option<State>,
    /// The states in which its blocks begin.
    before: BTreeMap<BlockId, State>,
    /// The states in which it passes the assertions of its contract.
    passed: BTreeMap<CheckId, State>,
}

impl Facts {
    /// Whether a predicate holds whenever the function returns, if others held at the call.
    pub fn ensure(&self, program: &Program, function: FunctionId, assumes: &[Predicate], stated: &Predicate) -> bool {
        let holds = |state: &State| holds(program, function, state, assumes, stated);
        self.functions.contains(&function) && self.returned.as_ref().is_none_or(holds)
    }

    /// Whether an assertion of the function's contract, marked by that check, holds whenever control passes it.
    pub fn assert(&self, program: &Program, function: FunctionId, mark: CheckId, stated: &Predicate) -> bool {
        let holds = |state: &State| holds(program, function, state, &[], stated);
        self.functions.contains(&function) && self.passed.get(&mark).is_none_or(holds)
    }
}

/// What a pointer may lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// Nowhere.
    Null,
    /// A local variable of a function.
    Local(FunctionId, LocalId),
    /// A global.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// Memory that a function allocates.
    Heap(FunctionId),
}

impl Facts {
    /// Everything a local pointer of the function may lead to where a block begins, or at the return; `None` if that is
    /// not known. One target alone is definite.
    pub fn targets(&self, function: FunctionId, at: Option<BlockId>, local: LocalId) -> Option<BTreeSet<Target>> {
        let state = at.map_or(self.returned.as_ref(), |block| self.before.get(&block))?;
        let (_, Abs::Pointer(known)) = state.cells.get(&(Object::Local(0, function, local), 0))? else { return None };
        let mut targets: BTreeSet<Target> = known.functions.iter().copied().map(Target::Function).collect();
        targets.extend(known.null.then_some(Target::Null));
        for object in known.objects.keys() {
            match *object {
                Object::Local(_, function, local) => targets.insert(Target::Local(function, local)),
                Object::Global(global) => targets.insert(Target::Global(global)),
                Object::Heap(function, _) | Object::Once(function, _) => targets.insert(Target::Heap(function)),
                Object::Param(..) | Object::Result(..) | Object::Input(_) | Object::Shared => return None,
            };
        }
        (!known.any).then_some(targets)
    }

    /// Whether local integers of the function may all have these values where a block begins: by intervals, bits,
    /// strides and relations. What is not known may have any.
    pub fn admit(&self, program: &Program, function: FunctionId, block: BlockId, values: &[(LocalId, i128)]) -> bool {
        if !self.functions.contains(&function) {
            return true;
        }
        let Some(state) = self.before.get(&block) else { return false };
        let values = values.iter().map(|(local, value)| ((Object::Local(0, function, *local), 0), *value)).collect();
        state.admits(program, &values)
    }
}

fn holds(program: &Program, function: FunctionId, state: &State, assumes: &[Predicate], stated: &Predicate) -> bool {
    let now = ClauseReader { program, function, is_now: true };
    let mut cases = vec![state.clone()];
    for assumed in assumes {
        let then = ClauseReader { is_now: false, ..now };
        cases = cases.into_iter().flat_map(|case| contract::assume(then, case, assumed, true)).collect();
    }
    cases.into_iter().all(|case| contract::assume(now, case, stated, false).is_empty())
}

/// The range of an integer variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The local variable of the function.
    pub local: LocalId,
    /// Least value.
    pub least: i128,
    /// Greatest value.
    pub most: i128,
}

/// The facts about a function and what it calls, when it is called with inputs that satisfy its precondition.
pub fn facts(program: &Program, function: FunctionId, options: &Options) -> Facts {
    let Some(entry) = entry(program, function, options) else { return Facts::default() };
    let bounded = bounded(program, function, &options.requires);
    let budget = options.budget(program, function);
    let make = |inputs: Inputs| {
        let mut engine = Engine::new(program, budget, options.deadline).given(inputs);
        engine.bounded.clone_from(&bounded);
        engine.checks_moves = options.moves_are_checked;
        engine.assumes_moves = options.moves_are_assumed;
        let ends = engine.bounded.values().flatten().map(|stretch| &stretch.end);
        engine.templates.add_up(ends.into_iter().any(|end| end.terms.len() > 1));
        for stated in stated(&program.functions[function].contract) {
            contract::note(ClauseReader { program, function, is_now: true }, &engine.templates, stated);
        }
        engine
    };
    let (mut engine, outcome) = settled(function, &entry, &mut inputs(program, function, options), make);
    match outcome {
        Ok(outcome) => {
            let mut facts = collect(program, function, &engine.seen);
            if facts.functions.contains(&function) {
                facts.passed = std::mem::take(&mut engine.seen.passed);
                facts.before = std::mem::take(&mut engine.seen.states);
                facts.returned = outcome.map(|(state, _)| state);
                facts.returns = facts.returned.is_some();
            }
            facts
        }
        Err(_) => Facts::default(),
    }
}

/// What pointers of the input lead to, if anything is known of it.
pub(crate) fn inputs(program: &Program, function: FunctionId, options: &Options) -> Inputs {
    if options.arrays_suffice { Inputs::new(program, function, &options.requires) } else { Inputs::default() }
}

/// Runs analyses of a function until one finds out nothing new about pointers of the input.
pub(crate) fn settled<'p>(
    function: FunctionId,
    entry: &State,
    inputs: &mut Inputs,
    make: impl Fn(Inputs) -> Engine<'p>,
) -> (Engine<'p>, Result<AnalysisResult, Stop>) {
    for round in 0.. {
        let mut engine = make(inputs.clone());
        let entry = inputs.enter(engine.program, entry);
        let outcome = engine.function(function, 0, &entry);
        if inputs.is_settled(&engine.inputs) || matches!(outcome, Err(Stop::Abort(Abort::Budget))) {
            return (engine, outcome);
        }
        inputs.clone_from(&engine.inputs);
        if round >= policy::MAX_ALIAS_ROUNDS.small() {
            inputs.lose();
        }
    }
    unreachable!("there is no end of rounds")
}

/// The predicates of a contract that may have to be proved.
fn stated(contract: &Contract) -> impl Iterator<Item = &Predicate> {
    let of_behaviors = contract.behaviors.iter().flat_map(|behavior| &behavior.ensures);
    let at_return = contract.ensures.iter().chain(of_behaviors).map(|clause| &clause.predicate);
    at_return.chain(contract.assertions.iter().map(|assertion| &assertion.clause.predicate))
}

/// What is known where a function is entered; `None` if its precondition cannot be met.
pub(crate) fn entry(program: &Program, function: FunctionId, options: &Options) -> Option<State> {
    let mut entry = State::default();
    let contract = &program.functions[function].contract;
    let clauses: Vec<Clause> = contract.requires.iter().chain(&options.requires).cloned().collect();
    let reading = ClauseReader { program, function, is_now: true };
    contract::require(reading, &mut entry, &clauses).ok()?;
    Some(entry)
}

fn collect(program: &Program, function: FunctionId, seen: &Seen) -> Facts {
    let mut facts = Facts::default();
    let followed: BTreeSet<FunctionId> = seen.blocks.iter().map(|(id, _)| *id).collect();
    for &id in followed.difference(&seen.opaque) {
        facts.functions.insert(id);
        let data = &program.functions[id];
        for (block, contents) in data.blocks.iter() {
            if !seen.blocks.contains(&(id, block)) {
                facts.unreachable.insert((id, block));
            }
            for index in 0..contents.terminator.kind.successors().len() {
                if !seen.edges.contains(&(id, block, index)) {
                    facts.never_taken.insert((id, block, index));
                }
            }
        }
        let safe = data.checks.ids().filter(|check| !seen.failing.contains(&(id, *check)));
        facts.never_fails.extend(safe.map(|check| (id, check)));
    }
    if facts.functions.contains(&function) {
        facts.ranges = seen.states.iter().map(|(block, state)| (*block, ranges(function, program, state))).collect();
    }
    facts
}

fn ranges(function: FunctionId, program: &Program, state: &State) -> Vec<Range> {
    let known = state.cells.iter().filter_map(|((object, at), (_, abs))| match (object, abs) {
        (Object::Local(0, id, local), Abs::Int(domain)) if *id == function && *at == 0 && !domain.is_top() => {
            let (least, most) = range(domain, object.is_signed(program))?;
            Some(Range { local: *local, least, most })
        }
        _ => None,
    });
    known.collect()
}
