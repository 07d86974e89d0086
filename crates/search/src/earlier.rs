//! Earlier calls: how to test a function that remembers.
//!
//! Tests cannot name the static variables of functions, and their values are not any: they are what calls leave behind.
//! So a path that has returned may go on with another call of the function, with arguments of its own; its conditions
//! are those of all calls, and the test makes the same calls. Only states are tried that the program can be in.
//!
//! What calls leave behind in these variables is a [`Snapshot`]. One that is all there is to remember, and known byte by
//! byte, need be gone on from only once. Of others only some are gone on from for each number of calls. Fewer calls come
//! first; branches of a call that lead to nothing asked for are kept, for they may lead to another state.
//!
//! Where every state was gone on from, what no path covered is out of reach of all sequences of calls; otherwise the limit
//! says how many were tried.

use std::collections::{BTreeMap, BTreeSet};

use clew_analyze::only_read::is_only_read;
use clew_analyze::reach::reach;
use clew_execute::native::addressed;
use clew_ir::{Callee, FunctionId, GlobalId, GlobalKind, InstKind, Linkage, Program, Symbol};

use clew_symbolic::config::{Config, Globals};
use clew_symbolic::constraints::Answer;
use clew_symbolic::ending::{Limit, PathEnd};
use clew_symbolic::memory::{Background, ObjectId, Origin};
use clew_symbolic::state::State;
use clew_symbolic::step::leak::target;
use clew_symbolic::stepped::Step;
use clew_symbolic::value::{Base, Pointer, Scalar, Val};
use clew_symbolic::{Path, Precondition};

use crate::Search;
use crate::policy;

/// What static variables hold where it is not what they begin with.
type Snapshot = BTreeMap<(GlobalId, u64), Held>;

/// What a part of a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    Byte(u8),
    /// A pointer to a function.
    Function(FunctionId),
    /// A pointer into a global.
    Place(GlobalId, u128),
    /// What depends on the input, or leads elsewhere.
    Something,
}

/// The calls of a function that remembers, as far as they were tried.
#[derive(Debug)]
pub(crate) struct Earlier {
    function: FunctionId,
    precondition: Precondition,
    /// The most calls of one path.
    most: u32,
    /// The static variables of functions.
    statics: BTreeSet<GlobalId>,
    /// Whether others may change some of them: they belong to functions that others may call, or other code knows
    /// where they are.
    is_shared: bool,
    /// Snapshots that need not be gone on from again.
    known: BTreeSet<Snapshot>,
    /// How often others were gone on from, by the number of calls.
    alike: BTreeMap<(u32, Snapshot), u32>,
    /// Paths that have returned and are to go on, in the order in which they have their turn: after fewer calls first, where
    /// no other is alike.
    waiting: BTreeMap<(u32, u32, usize), Path>,
    states: usize,
    turn: u64,
    /// Whether a state was not gone on from.
    is_cut: bool,
}

impl Earlier {
    /// The calls of a function; `None` if it remembers nothing, or only one call is asked for. `main` is called once.
    pub(crate) fn new(
        program: &Program,
        function: FunctionId,
        precondition: &Precondition,
        config: &Config,
    ) -> Option<Earlier> {
        let is_asked = config.calls > 1 && config.is_directed() && precondition.function.is_none();
        if !is_asked || program.functions[function].name == "main" {
            return None;
        }
        if !program.globals.ids().any(|global| remembers(program, global)) {
            return None;
        }
        let reached = reach(program, function).globals.into_iter();
        let statics: BTreeSet<GlobalId> = reached.filter(|global| remembers(program, *global)).collect();
        if statics.is_empty() {
            return None;
        }
        let own = own_functions(program, function);
        let is_own = |global: &GlobalId| match program.globals[*global].kind {
            GlobalKind::StaticLocal(of) => own.contains(&of),
            _ => false,
        };
        Some(Earlier {
            is_shared: !statics.iter().all(is_own),
            function,
            precondition: precondition.clone(),
            most: config.calls,
            statics,
            known: BTreeSet::from([Snapshot::new()]),
            alike: BTreeMap::new(),
            waiting: BTreeMap::new(),
            states: 0,
            turn: 0,
            is_cut: false,
        })
    }

    /// How many paths are to go on.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// The limit that left calls out, if one did.
    pub(crate) fn limit(&self) -> Option<Limit> {
        let shared = self.is_shared.then_some(Limit::Others);
        if self.is_cut { Some(Limit::Calls(self.most)) } else { shared }
    }

    /// Whether a call comes first this time, and otherwise whether it comes before branches that lead to nothing asked for.
    pub(crate) fn take_turn(&mut self) -> (bool, bool) {
        self.turn += 1;
        (self.turn.is_multiple_of(policy::CALL_EVERY.get()) && !self.waiting.is_empty(), !self.turn.is_multiple_of(2))
    }

    /// Keeps a path that has returned if it leaves a state that is to be gone on from; says whether it is a new one.
    fn keep(&mut self, path: &Path, snapshot: Snapshot, is_whole: bool) -> bool {
        let calls = path.state.inputs.calls + 1;
        let is_new = !self.known.contains(&snapshot) && !self.alike.contains_key(&(calls, snapshot.clone()));
        if is_whole && self.known.contains(&snapshot) {
            return false;
        }
        let alike = self.alike.get(&(calls, snapshot.clone())).copied().unwrap_or(0);
        if calls >= self.most
            || self.states >= policy::MAX_CALL_STATES.size()
            || alike >= policy::MAX_STATES_ALIKE.small()
        {
            self.is_cut = true;
            return false;
        }
        if is_whole {
            self.known.insert(snapshot);
        } else {
            self.alike.insert((calls, snapshot), alike + 1);
        }
        self.waiting.insert((calls + alike, calls, self.states), path.clone());
        self.states += 1;
        is_new
    }

    /// What static variables hold on a path that has returned.
    fn snapshot(&self, program: &Program, state: &State) -> Snapshot {
        let mut snapshot = Snapshot::new();
        for (&global, &object) in state.globals.iter().filter(|(global, _)| self.statics.contains(*global)) {
            let size = program.globals[global].size;
            let object = state.memory.get(object);
            let mut note = |at: u64, held: Held| {
                if !is_initial(program, global, at, held) {
                    snapshot.insert((global, at), held);
                }
            };
            for (at, bytes, val) in object.cells() {
                held(state, at, bytes, val).into_iter().for_each(|(at, held)| note(at, held));
            }
            let filled = match object.background {
                Background::Image(_) => None,
                Background::Filled(byte) if size <= policy::MAX_STATIC_BYTES.get() => Some(Held::Byte(byte)),
                _ => Some(Held::Something),
            };
            if let Some(filled) = filled {
                let gaps = object.gaps(0, size.min(policy::MAX_STATIC_BYTES.get()));
                gaps.iter().flat_map(|(at, bytes)| *at..at + bytes).for_each(|at| note(at, filled));
            }
        }
        snapshot
    }

    /// Whether something outside these variables leads to one of them, or a function without a body was called, which may
    /// call back.
    fn has_given_away(&self, state: &State, result: Option<Val>) -> bool {
        let is_static = |object: ObjectId| match state.memory.get(object).origin {
            Origin::Global(global) => self.statics.contains(&global),
            _ => false,
        };
        let others = state.memory.iter().filter(|(id, object)| object.alive && !is_static(*id));
        let mut known = others.flat_map(|(_, object)| object.cells()).map(|(_, _, val)| val).chain(result);
        let calls_others = state.inputs.stubs.iter().any(|answer| answer.fails.is_none());
        known.any(|val| target(state, val).is_some_and(is_static)) || calls_others || !state.external.escaped.is_empty()
    }

    /// Whether a snapshot is all that calls have left behind, and known.
    fn is_whole(&self, program: &Program, state: &State, snapshot: &Snapshot) -> bool {
        let is_constant = |global: &GlobalId| self.statics.contains(global) || !changes(program, *global);
        let is_gone = |origin: Origin| !matches!(origin, Origin::Allocated(_));
        let result = state.inputs.result;
        let mut objects = state.memory.iter().filter(|(id, object)| object.alive && Some(*id) != result);
        !snapshot.values().any(|held| *held == Held::Something)
            && state.globals.keys().all(is_constant)
            && objects.all(|(_, object)| is_gone(object.origin))
            && state.inputs.stubs.is_empty()
            && state.inputs.readings.is_empty()
            && !state.inputs.addressed
            && state.external.havocked.is_empty()
            && state.external.escaped.is_empty()
    }
}

/// The functions that run in calls of a function only, itself among them: others call them nowhere.
fn own_functions(program: &Program, function: FunctionId) -> BTreeSet<FunctionId> {
    let mut callers: BTreeMap<FunctionId, BTreeSet<FunctionId>> = BTreeMap::new();
    for (id, body) in program.functions.iter() {
        for inst in body.blocks.values().flat_map(|block| &block.insts) {
            if let InstKind::Call { callee: Callee::Direct(callee), .. } = inst.kind {
                callers.entry(callee).or_default().insert(id);
            }
        }
    }
    let addressed: BTreeSet<FunctionId> = addressed(program).collect();
    let mut own = BTreeSet::from([function]);
    let mut waiting = reach(program, function).functions;
    waiting.retain(|id| program.functions[*id].linkage == Linkage::Internal && !addressed.contains(id));
    loop {
        let is_own = |id: &FunctionId| callers.get(id).is_some_and(|callers| callers.is_subset(&own));
        let more: BTreeSet<FunctionId> = waiting.iter().copied().filter(is_own).collect();
        if more.is_subset(&own) {
            return own;
        }
        own.extend(more);
    }
}

/// Whether a global is a static variable of a function that may change.
fn remembers(program: &Program, global: GlobalId) -> bool {
    let is_static = matches!(program.globals[global].kind, GlobalKind::StaticLocal(_));
    is_static && changes(program, global) && !is_only_read(program, global)
}

fn changes(program: &Program, global: GlobalId) -> bool {
    let data = &program.globals[global];
    !data.is_const && !program.ctypes.is_const(data.ty)
}

/// What the parts of a cell hold.
fn held(state: &State, at: u64, bytes: u64, val: Val) -> Vec<(u64, Held)> {
    let known = match val {
        Val::Scalar(Scalar::Known(value)) => Ok(value.bits),
        Val::Pointer(Pointer { base, offset: Scalar::Known(offset) }) => match base {
            Base::Absolute => Ok(offset.bits),
            Base::Function(function) if offset.bits == 0 => Err(Held::Function(function)),
            Base::Object(object) => match state.memory.get(object).origin {
                Origin::Global(global) => Err(Held::Place(global, offset.bits)),
                _ => Err(Held::Something),
            },
            _ => Err(Held::Something),
        },
        _ => Err(Held::Something),
    };
    match known {
        Ok(bits) => {
            let image = bits.to_le_bytes();
            (0..bytes.min(16)).map(|index| (at + index, Held::Byte(image[index as usize]))).collect()
        }
        Err(held) => vec![(at, held)],
    }
}

/// Whether a part of a variable holds what it begins with.
fn is_initial(program: &Program, global: GlobalId, at: u64, held: Held) -> bool {
    let data = &program.globals[global];
    let width = program.target.pointer_bytes();
    let stored = data.relocations.iter().find(|item| (item.offset..item.offset + width).contains(&at));
    match (held, stored) {
        (Held::Byte(byte), None) => {
            byte == data.init.as_ref().and_then(|init| init.get(at as usize)).copied().unwrap_or(0)
        }
        (_, Some(stored)) if stored.offset != at => false,
        (Held::Function(function), Some(stored)) => stored.symbol == Symbol::Function(function),
        (Held::Place(target, offset), Some(stored)) => {
            stored.symbol == Symbol::Global(target) && stored.addend as u64 == offset as u64
        }
        _ => false,
    }
}

impl Search<'_> {
    /// Has a path that has returned go on with another call, if it leaves a state behind from which none has.
    pub(crate) fn go_on(&mut self, path: &Path, result: Option<Val>) {
        let Some(mut earlier) = self.earlier.take() else { return };
        earlier.is_shared |= earlier.has_given_away(&path.state, result);
        if !path.state.repeats {
            let snapshot = earlier.snapshot(self.stepper.program, &path.state);
            let is_whole = earlier.is_whole(self.stepper.program, &path.state, &snapshot);
            // With the initial values in them, everything else is an input of the first call.
            let is_first = snapshot.is_empty() && self.begins_anew(&path.state);
            if !is_first && earlier.keep(path, snapshot, is_whole) {
                // A new state is as good as something new that was covered.
                self.note_newly_covered();
            }
        }
        self.earlier = Some(earlier);
    }

    /// Whether all globals of a path but static variables of functions may hold anything at the first call.
    fn begins_anew(&self, state: &State) -> bool {
        let may_be_any = |global: &GlobalId| {
            remembers(self.stepper.program, *global)
                || !changes(self.stepper.program, *global)
                || self.stepper.is_input(*global)
        };
        self.stepper.config.globals == Globals::Input && state.globals.keys().all(may_be_any)
    }

    /// The path whose turn it is to go on with another call; `None` if it cannot.
    pub(crate) fn next_call(&mut self) -> Option<Path> {
        let (_, path) = self.earlier.as_mut()?.waiting.pop_first()?;
        let called = self.call_again(path);
        if let (Err(end), Some(earlier)) = (&called, &mut self.earlier) {
            // Where no arguments are allowed, nothing is left out.
            earlier.is_cut |= *end != PathEnd::Contradiction;
        }
        called.ok()
    }

    /// Calls the function again, after a path that has returned.
    pub(crate) fn call_again(&mut self, mut path: Path) -> Step<Path> {
        let earlier = self.earlier.as_ref().expect("only functions that remember are called again");
        let (function, precondition) = (earlier.function, earlier.precondition.clone());
        path.state.inputs.begin_call();
        let scope = self.stepper.arguments(&mut path, function)?;
        self.stepper.require_contract(&mut path, &scope, function, &precondition).map_err(|(end, _)| end)?;
        match self.stepper.solve(&mut path.state, None, &path.model.clone()) {
            Answer::Sat(model) => path.model = model,
            Answer::Unsat => return Err(PathEnd::Contradiction),
            Answer::Unknown => return Err(PathEnd::Limit(Limit::Solver)),
        }
        Ok(path)
    }
}
