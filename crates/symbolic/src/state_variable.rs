//! State variables: variables that say in which state the program is, as in a finite-state machine.
//!
//! A function that reads its input piece by piece often remembers in a variable where it stands: it compares it with one
//! number after the other, switches on it, or calls through it. Distances on the graph know nothing of such a variable,
//! so that open branches which are alike but for its value would be tried in any order. What it holds tells them apart: a
//! branch in a state that no path has been in leads further.
//!
//! Which loads read such a variable is found once, block by block (`StateVariables`); a path notes what they read
//! ([`crate::state::Steering::state_variables`]), be it a local, a global or a member behind a pointer. Only known values count:
//! those of the input are the solver's to choose.

use clew_ir::{
    Block, Callee, Function, FunctionId, GlobalId, InstKind, LocalId, Operand, Program, TempId, TerminatorKind,
};
use clew_scalar::BinaryOp;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::memory::ObjectId;
use crate::policy;
use crate::state::State;
use crate::value::{Base, Pointer, Val};

/// The states that a variable tells apart: the numbers it is compared with. There are none where it says what is called.
pub type States = Rc<BTreeSet<u128>>;

/// The loads that read such variables, by function, as far as paths have come to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateVariables(BTreeMap<FunctionId, BTreeMap<TempId, States>>);

/// A variable: its object, where it lies in it, and its bytes.
pub type Variable = (ObjectId, u64, u64);

/// The states of the variables that a path has noted, as far as they are known.
pub type CurrentStates = Vec<Option<u128>>;

impl StateVariables {
    /// The states of the variable that a load of a function, told by what it defines, reads.
    pub(crate) fn read(&mut self, program: &Program, function: FunctionId, dest: TempId) -> Option<&States> {
        self.0.entry(function).or_insert_with(|| loads(&program.functions[function])).get(&dest)
    }
}

/// Notes a variable that a path has read.
pub(crate) fn note(state: &mut State, variable: Variable, states: &States) {
    if state.steering.state_variables.len() < policy::MAX_STATE_VARIABLES.size()
        && !state.steering.state_variables.contains_key(&variable)
    {
        state.steering.state_variables.insert(variable, Rc::clone(states));
    }
}

/// In which states the variables are that a path has noted. What a counter holds, say, mostly is none.
pub fn current_states(state: &State) -> CurrentStates {
    let held = |(&(object, at, bytes), states): (&Variable, &States)| match state.memory.get(object).cell(at, bytes)? {
        Val::Scalar(scalar) => scalar.bits().filter(|bits| states.is_empty() || states.contains(bits)),
        Val::Pointer(Pointer { base: Base::Function(function), .. }) => Some(function.index() as u128),
        Val::Pointer(_) => None,
    };
    state.steering.state_variables.iter().map(held).collect()
}

/// Where a variable lies, as far as a block says it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum AccessPath {
    Local(LocalId),
    Global(GlobalId, i64),
    /// So many bytes after another place.
    Moved(Box<AccessPath>, u128),
    /// Where the pointer points that is held there.
    Deref(Box<AccessPath>),
}

/// Loads of a function that read variables which are compared with several numbers, or say what is called.
fn loads(function: &Function) -> BTreeMap<TempId, States> {
    let mut compared: BTreeMap<AccessPath, Compared> = BTreeMap::new();
    let mut called = BTreeSet::new();
    for block in function.blocks.values() {
        BlockValues::default().block(block, &mut compared, &mut called);
    }
    let mut found: BTreeMap<TempId, States> = called.into_iter().map(|load| (load, States::default())).collect();
    for Compared { numbers, loads } in
        compared.into_values().filter(|compared| compared.numbers.len() >= policy::MIN_COMPARED_VALUES.size())
    {
        let states = Rc::new(numbers);
        found.extend(loads.into_iter().map(|load| (load, Rc::clone(&states))));
    }
    found
}

/// The numbers a variable is compared with, and the loads that read it for that.
#[derive(Debug, Default)]
struct Compared {
    numbers: BTreeSet<u128>,
    loads: BTreeSet<TempId>,
}

/// What is known of the temporaries of a block.
#[derive(Debug, Default)]
struct BlockValues {
    /// Addresses.
    addresses: BTreeMap<TempId, AccessPath>,
    /// Values that a load gave, converted or not: from where, and which load.
    held: BTreeMap<TempId, (AccessPath, TempId)>,
    /// The loads that a value depends on.
    sources: BTreeMap<TempId, BTreeSet<TempId>>,
}

impl BlockValues {
    fn block(mut self, block: &Block, compared: &mut BTreeMap<AccessPath, Compared>, called: &mut BTreeSet<TempId>) {
        let mut compare = |held: Option<&(AccessPath, TempId)>, numbers: &mut dyn Iterator<Item = u128>| {
            let Some((place, load)) = held else { return };
            let known = compared.entry(place.clone()).or_default();
            known.numbers.extend(numbers);
            known.loads.insert(*load);
        };
        for inst in &block.insts {
            match &inst.kind {
                InstKind::Binary { op: BinaryOp::Eq | BinaryOp::Ne, a, b: Operand::Const(number), .. } => {
                    compare(self.value(*a), &mut std::iter::once(number.bits));
                }
                InstKind::Call { callee: Callee::Indirect(Operand::Temp(callee)), .. } => {
                    called.extend(self.sources.get(callee).into_iter().flatten());
                }
                _ => {}
            }
            self.define(&inst.kind);
        }
        if let TerminatorKind::Switch { on, cases, .. } = &block.terminator.kind {
            compare(self.value(*on), &mut cases.iter().map(|case| case.low));
        }
    }

    /// Notes what an instruction defines.
    fn define(&mut self, kind: &InstKind) {
        let Some(dest) = kind.dest() else { return };
        let of = |operand: Operand| match operand {
            Operand::Temp(temp) => self.sources.get(&temp).cloned().unwrap_or_default(),
            _ => BTreeSet::new(),
        };
        let mut sources: BTreeSet<TempId> = kind.operands().into_iter().flat_map(of).collect();
        match *kind {
            InstKind::Load { from, .. } => {
                sources.insert(dest);
                self.held.extend(self.address(from).map(|place| (dest, (place, dest))));
            }
            InstKind::Convert { a, .. } => self.held.extend(self.value(a).cloned().map(|held| (dest, held))),
            InstKind::Offset { base, bytes: Operand::Const(by), .. } => {
                let moved = self.address(base).map(|place| AccessPath::Moved(Box::new(place), by.bits));
                self.addresses.extend(moved.map(|place| (dest, place)));
            }
            _ => {}
        }
        self.sources.insert(dest, sources);
    }

    fn value(&self, operand: Operand) -> Option<&(AccessPath, TempId)> {
        match operand {
            Operand::Temp(temp) => self.held.get(&temp),
            _ => None,
        }
    }

    fn address(&self, operand: Operand) -> Option<AccessPath> {
        match operand {
            Operand::Local(local) => Some(AccessPath::Local(local)),
            Operand::Global(global, offset) => Some(AccessPath::Global(global, offset)),
            Operand::Temp(temp) => {
                let behind = || self.held.get(&temp).map(|(place, _)| AccessPath::Deref(Box::new(place.clone())));
                self.addresses.get(&temp).cloned().or_else(behind)
            }
            _ => None,
        }
    }
}
