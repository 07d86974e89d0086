//! Inputs that were given: followed symbolically, so that what they cover is known.
//!
//! The input is created as the path looks at it, so which variables there are is known only after a run. A run with the
//! values known so far looks at further parts; their values are taken from the concrete input, and the run is made again,
//! until it looks at nothing new. Each run gets further than the one before.
//!
//! Pointers that lead into one object meet there ([`Meeting`]). Not followed: objects of which no pointer leads to the
//! beginning, and inputs that do not satisfy the precondition.

use std::collections::BTreeMap;
use std::rc::Rc;

use clew_execute::{Content, Input, PointerTarget, StubCall};
use clew_scalar::{UnaryOp, Value};
use clew_solver::model::Model;
use clew_solver::term::{Node, TermId, Terms};

use clew_symbolic::config::Errors;
use clew_symbolic::ending::PathEnd;
use clew_symbolic::input::{Holder, Meeting, Passed, Root, StubAnswer};
use clew_symbolic::memory::{Extent, ObjectId};
use clew_symbolic::state::State;
use clew_symbolic::stepped::Step;
use clew_symbolic::value::{Base, Scalar, Val};
use clew_symbolic::{Explored, Path, Stepper};

use crate::Search;
use crate::policy;

/// Values of variables of the input.
type Values = BTreeMap<TermId, u128>;

/// Names of pointers of the input that are not null, each with whether it is a number.
type Pointers = BTreeMap<String, bool>;

/// What a concrete input says of the parts that a path has looked at.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    values: Values,
    pointers: Pointers,
    /// Pointers that lead into what something else holds.
    meetings: Vec<Meeting>,
    /// Whether the path has looked at something of which the input says nothing.
    lacks: bool,
}

impl Search<'_> {
    /// Takes an input that exists already: what it covers need not be looked for. To be called before the search begins;
    /// `None` if the input cannot be followed.
    pub fn give(&mut self, input: &Input) -> Option<Explored> {
        let start = self.start.clone()?;
        let mut explored = self.follow_input(&start, input)?;
        explored.newly_covered = self.covered(&explored.trace, &explored.end);
        self.tally.count_given(&explored);
        Some(explored)
    }

    /// What an input does, without what its path never looks at. Nothing is noted as covered.
    pub fn retrace(&mut self, input: &Input) -> Option<Explored> {
        let start = self.start.clone()?;
        self.is_fresh = true;
        let explored = self.follow_input(&start, input);
        self.is_fresh = false;
        Some(Explored { given: false, ..explored? })
    }

    /// What an input does, with all that it says, also of what its path never looks at. Nothing is noted as covered.
    pub fn follow_whole(&mut self, input: &Input) -> Option<Explored> {
        let start = self.start.clone()?;
        let explored = self.follow_input(&start, input);
        Some(Explored { given: false, ..explored? })
    }

    /// What an input does; `None` if it cannot be followed.
    pub(crate) fn follow_input(&mut self, start: &Path, input: &Input) -> Option<Explored> {
        if !input.readings.is_empty() || !input.earlier.is_empty() && self.earlier.is_none() {
            return None;
        }
        let errors = std::mem::replace(&mut self.stepper.config.errors, Errors::End);
        let bound = self.stepper.config.bound.take();
        self.absorb();
        let explored = Following { search: self, input }.runs(start);
        self.stepper.effects.forks.clear();
        self.absorb();
        self.stepper.config.errors = errors;
        self.stepper.config.bound = bound;
        explored
    }

    /// Runs one instruction where the input of a path goes.
    fn follow_step(&mut self, path: &mut Path) -> Step {
        if let Some(blocks) = self.stepper.turn_ahead(path) {
            self.stepper.skip_turns(path, &blocks);
        }
        let most = self.most_steps(path);
        let Some(at) = self.stepper.follow(path, most)? else { return Ok(()) };
        let goals = self.ledger.as_ref();
        self.stepper.labels_after(path, at, |label| goals.is_some_and(|goals| goals.wants_label(label)))
    }
}

/// An input being followed.
struct Following<'s, 'p> {
    search: &'s mut Search<'p>,
    input: &'s Input,
}

impl Following<'_, '_> {
    /// Runs the input again and again until it looks at nothing new.
    fn runs(&mut self, start: &Path) -> Option<Explored> {
        let input = self.input;
        let (_, required) = start.state.condition.beyond(&Default::default());
        let mut seen = InputReader::new(input).seen(&start.state)?;
        for _ in 0..policy::MAX_GIVEN_RUNS.small() {
            let constraints = &mut self.search.stepper.constraints;
            let model = Rc::new(model_of(constraints.terms(), &seen.values));
            if required.iter().any(|term| !constraints.holds(&model, *term)) {
                return None;
            }
            let mut path = Path { state: start.state.clone(), model };
            path.state.repeats = true;
            path.state.inputs.meetings = seen.meetings.iter().cloned().collect();
            let end = self.run_on(&mut path, &seen.pointers);
            let now = InputReader::new(input).seen(&path.state)?;
            if now == seen {
                let constraints = &mut self.search.stepper.constraints;
                let kept = seen.values.iter().all(|(term, bits)| constraints.value(&path.model, *term) == *bits)
                    && answers_alike(&path.state, input);
                return (kept && !seen.lacks && end.covers()).then(|| self.explored(path, end));
            }
            seen = now;
        }
        None
    }

    fn run_on(&mut self, path: &mut Path, pointers: &Pointers) -> PathEnd {
        let (input, search) = (self.input, &mut *self.search);
        let mut known = 0;
        loop {
            let next = input.stubs.get(path.state.inputs.stubs.len());
            path.state.external.changed =
                next.into_iter().flat_map(|call| &call.globals).map(|(global, _)| *global).collect();
            let new = known..path.state.inputs.pointers.len();
            known = new.end;
            let settled = new
                .into_iter()
                .try_for_each(|number| settle_pointer(&mut search.stepper, path, number as u32, pointers));
            match settled.and_then(|()| search.follow_step(path)) {
                Err(PathEnd::Returned(_)) if (path.state.inputs.calls as usize) < input.earlier.len() => {
                    match search.call_again(path.clone()) {
                        Ok(called) => *path = called,
                        Err(end) => return end,
                    }
                }
                Err(end) => return end,
                Ok(()) => {}
            }
            search.stepper.effects.forks.clear();
        }
    }

    fn explored(&mut self, mut path: Path, end: PathEnd) -> Explored {
        let stepper = &mut self.search.stepper;
        let has_far = stepper.has_far(&path);
        let input = if self.search.is_fresh {
            stepper.bring_all_near(&mut path);
            stepper.trim(&mut path);
            stepper.concrete_input(&path.state, &path.model)
        } else {
            self.input.clone()
        };
        Explored {
            input,
            path: path.state.record.events.iter().copied().collect(),
            repeats: stepper.repeats(&path),
            end,
            turns: stepper.turns(&path),
            trace: stepper.trace(&path),
            newly_covered: Vec::new(),
            given: true,
            addressed: path.state.inputs.addressed || has_far,
        }
    }
}

/// Makes a pointer a number, or has it lead somewhere, as the input says.
fn settle_pointer(stepper: &mut Stepper<'_>, path: &mut Path, number: u32, pointers: &Pointers) -> Step {
    let pointer = &mut path.state.inputs.pointers[number as usize];
    match pointers.get(&pointer.name) {
        Some(true) => stepper.make_number(path, number).map(drop),
        Some(false) => {
            pointer.is_place = true;
            Ok(())
        }
        None => Ok(()),
    }
}

fn model_of(terms: &Terms, values: &Values) -> Model {
    let mut model = Model::new();
    for (term, bits) in values {
        match terms.node(*term) {
            Node::Var(var) => model.set(var, Value::new(terms.ty(*term), *bits)),
            // Whether a pointer is null may be said by a variable that says the contrary.
            Node::Unary(UnaryOp::Not, operand) => {
                if let Node::Var(var) = terms.node(operand) {
                    model.set(var, Value::int(1, u128::from(*bits == 0)));
                }
            }
            _ => {}
        }
    }
    model
}

/// Whether stubs were called in the order of the input, and failed where it says so.
fn answers_alike(state: &State, input: &Input) -> bool {
    let alike = |(answer, call): (&StubAnswer, &StubCall)| {
        let fails = call.is_allocation.then(|| call.result.bytes.first() == Some(&1));
        answer.function == call.function && answer.fails == fails
    };
    state.inputs.stubs.len() <= input.stubs.len() && state.inputs.stubs.iter().zip(&input.stubs).all(alike)
}

/// A concrete input, read by the parts of a symbolic one.
struct InputReader<'i> {
    input: &'i Input,
    /// By object of the input: the name of the pointer that it lies behind.
    owners: BTreeMap<usize, String>,
    contents: BTreeMap<ObjectId, &'i Content>,
    seen: Seen,
}

impl<'i> InputReader<'i> {
    fn new(input: &'i Input) -> InputReader<'i> {
        InputReader { input, owners: BTreeMap::new(), contents: BTreeMap::new(), seen: Seen::default() }
    }

    /// What the input says of all that a state has made of it; `None` if its shape is another one.
    fn seen(mut self, state: &State) -> Option<Seen> {
        let mut extra = self.input.extra.iter();
        for object in state.inputs.objects.iter() {
            let content = match object.root {
                Root::Extra => extra.next().map(|extra| &extra.content),
                Root::Parameter(position) => self.input.arguments.get(position),
                Root::Earlier(call, Passed::Parameter(position)) => {
                    self.input.earlier.get(call as usize).and_then(|call| call.arguments.get(position))
                }
                // Which of them was passed is not noted.
                Root::Earlier(_, Passed::Extra) => None,
                Root::Global(global) => self.input.globals.iter().find(|(id, _)| *id == global).map(|(_, it)| it),
                Root::Behind(_) | Root::Stub => continue,
            };
            match content {
                Some(content) => drop(self.contents.insert(object.object, content)),
                None => self.seen.lacks = true,
            }
        }
        for (number, answer) in state.inputs.stubs.iter().enumerate() {
            self.stub(number, answer);
        }
        for leaf in &state.inputs.leaves {
            // A part that only a stub not yet answered gives has no value to read.
            let Some(content) = self.contents.get(&leaf.object).copied() else { continue };
            match leaf.val {
                Val::Scalar(Scalar::Term(term)) => self.scalar(content, leaf.at, leaf.bytes, term),
                Val::Scalar(Scalar::Known(_)) => {}
                Val::Pointer(pointer) => self.pointer(state, content, leaf.at, pointer.base)?,
            }
        }
        Some(self.seen)
    }

    fn stub(&mut self, number: usize, answer: &StubAnswer) {
        let Some(call) = self.input.stubs.get(number).filter(|call| call.function == answer.function) else { return };
        self.contents.extend(answer.result.map(|object| (object, &call.result)));
        for (position, object) in &answer.outputs {
            let written = call.outputs.iter().find(|(other, _)| other == position);
            self.contents.extend(written.map(|(_, content)| (*object, content)));
        }
        for (global, object) in &answer.globals {
            let set = call.globals.iter().find(|(other, _)| other == global);
            self.contents.extend(set.map(|(_, content)| (*object, content)));
        }
    }

    /// The bytes of a part; those beyond the end of its object are zero.
    fn scalar(&mut self, content: &Content, at: u64, bytes: u64, term: TermId) {
        let byte = |offset: u64| content.bytes.get((at + offset) as usize).copied().unwrap_or(0);
        let bits = (0..bytes).rev().fold(0, |bits, offset| bits << 8 | u128::from(byte(offset)));
        self.seen.values.insert(term, bits);
    }

    fn pointer(&mut self, state: &State, content: &Content, at: u64, base: Base) -> Option<()> {
        let Base::Input(number) = base else { return None };
        let pointer = &state.inputs.pointers[number as usize];
        let stored = content.pointers.iter().find(|stored| stored.at == at);
        let bits = content.bytes.get(at as usize..).and_then(|bytes| bytes.first_chunk().copied());
        let number = bits.map_or(0, u64::from_le_bytes);
        self.seen.values.insert(pointer.null, u128::from(stored.is_none() && number == 0));
        if stored.is_none() && number != 0 {
            self.seen.values.extend(pointer.number.map(|term| (term, u128::from(number))));
            self.seen.pointers.insert(pointer.name.clone(), true);
            return Some(());
        }
        if stored.is_some() {
            self.seen.pointers.insert(pointer.name.clone(), false);
        }
        let Some(stored) = stored else { return Some(()) };
        let name = &pointer.name;
        let target = match stored.target {
            PointerTarget::Object(index, at) => {
                let owner = self.owners.entry(index).or_insert_with(|| name.clone());
                if owner != name {
                    let holder = Holder::Pointer(owner.clone());
                    self.seen.meetings.push(Meeting { name: name.clone(), holder, at: at as i128 as u128 });
                } else if at != 0 {
                    return pointer.target.is_none().then_some(());
                }
                self.input.objects.get(index)
            }
            PointerTarget::Global(global, at) => {
                let holder = Holder::Global(global);
                self.seen.meetings.push(Meeting { name: name.clone(), holder, at: at as i128 as u128 });
                return Some(());
            }
            PointerTarget::Function(_) => None,
        };
        // A precondition may say how many elements there are before anything looks at them.
        if let (Some(target), Some(Scalar::Term(count))) = (target, pointer.fixed) {
            self.seen.values.insert(count, u128::from(target.count));
        }
        let Some(object) = pointer.target else { return Some(()) };
        let target = target?;
        self.contents.insert(object, &target.content);
        if let Extent::Elements { count: Scalar::Term(count), .. } = state.memory.get(object).extent {
            self.seen.values.insert(count, u128::from(target.count));
        }
        Some(())
    }
}
