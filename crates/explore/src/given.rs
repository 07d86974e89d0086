//! Inputs that somebody else chose: followed symbolically, so that what they cover is known.
//!
//! The input is created as the path looks at it, so which variables there are is known only after a run. A run with the
//! values known so far looks at further parts; their values are taken from the concrete input, and the run is made again,
//! until it looks at nothing new. Each run gets further than the one before.
//!
//! Not followed: pointers into globals or into the middle of objects, and inputs that do not satisfy the precondition.

use std::collections::BTreeMap;
use std::rc::Rc;

use clew_execute::{Content, Input, PointerTarget, StubCall};
use clew_scalar::{UnaryOp, Value};
use clew_solver::model::Model;
use clew_solver::term::{Node, TermId};

use crate::config::Errors;
use crate::ending::PathEnd;
use crate::input::{Root, StubAnswer};
use crate::memory::{Extent, ObjectId};
use crate::state::State;
use crate::strategy::DepthFirst;
use crate::value::{Base, Scalar, Val};
use crate::{Explored, Explorer, Path};

/// Runs of one input.
const MOST_RUNS: u32 = 256;

/// Values of variables of the input.
type Values = BTreeMap<TermId, u128>;

impl Explorer<'_> {
    /// What an input does; `None` if it cannot be followed.
    pub(crate) fn follow_input(&mut self, start: &Path, input: &Input) -> Option<Explored> {
        if !input.readings.is_empty() {
            return None;
        }
        let open = std::mem::replace(&mut self.open, Box::new(DepthFirst::default()));
        let errors = std::mem::replace(&mut self.config.errors, Errors::End);
        let bound = self.config.bound.take();
        let explored = self.follow_runs(start, input);
        self.open = open;
        self.config.errors = errors;
        self.config.bound = bound;
        explored
    }

    fn follow_runs(&mut self, start: &Path, input: &Input) -> Option<Explored> {
        let mut values = Reading::new(input).values(&start.state)?;
        for _ in 0..MOST_RUNS {
            let model = Rc::new(self.model_of(&values));
            if start.state.condition.beyond(&Default::default()).1.iter().any(|it| !self.constraints.holds(&model, *it))
            {
                return None;
            }
            let mut path = Path { state: start.state.clone(), model };
            path.state.repeats = true;
            let end = self.run_to_end(&mut path);
            let seen = Reading::new(input).values(&path.state)?;
            if seen == values {
                let kept = seen.iter().all(|(term, bits)| self.constraints.value(&path.model, *term) == *bits)
                    && answers_alike(&path.state, input);
                return (kept && end.covers()).then(|| self.as_explored(path, end, input));
            }
            values = seen;
        }
        None
    }

    fn run_to_end(&mut self, path: &mut Path) -> PathEnd {
        loop {
            if let Err(end) = self.step(path) {
                return end;
            }
            while self.open.pop(None).is_some() {}
        }
    }

    fn as_explored(&mut self, path: Path, end: PathEnd, input: &Input) -> Explored {
        Explored {
            input: input.clone(),
            path: path.state.path.iter().copied().collect(),
            end,
            turns: path.state.turns,
            trace: self.trace(&path),
            news: Vec::new(),
            given: true,
            addressed: path.state.inputs.addressed || self.has_far(&path),
        }
    }

    fn model_of(&mut self, values: &Values) -> Model {
        let mut model = Model::new();
        let terms = self.constraints.terms();
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
struct Reading<'i> {
    input: &'i Input,
    contents: BTreeMap<ObjectId, &'i Content>,
    values: Values,
}

impl<'i> Reading<'i> {
    fn new(input: &'i Input) -> Reading<'i> {
        Reading { input, contents: BTreeMap::new(), values: Values::new() }
    }

    /// The values of all variables that a state has made of the input; `None` if its shape is another one.
    fn values(mut self, state: &State) -> Option<Values> {
        let mut extra = self.input.extra.iter();
        for object in &state.inputs.objects {
            let content = match object.root {
                Root::Extra => extra.next().map(|extra| &extra.content),
                Root::Parameter(position) => self.input.arguments.get(position),
                Root::Global(global) => self.input.globals.iter().find(|(id, _)| *id == global).map(|(_, it)| it),
                Root::Behind(_) | Root::Stub => continue,
            };
            self.contents.insert(object.object, content?);
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
        Some(self.values)
    }

    fn stub(&mut self, number: usize, answer: &StubAnswer) {
        let Some(call) = self.input.stubs.get(number).filter(|call| call.function == answer.function) else { return };
        self.contents.extend(answer.result.map(|object| (object, &call.result)));
        for (position, object) in &answer.outputs {
            let written = call.outputs.iter().find(|(other, _)| other == position);
            self.contents.extend(written.map(|(_, content)| (*object, content)));
        }
    }

    /// The bytes of a part; those beyond the end of its object are zero.
    fn scalar(&mut self, content: &Content, at: u64, bytes: u64, term: TermId) {
        let byte = |offset: u64| content.bytes.get((at + offset) as usize).copied().unwrap_or(0);
        let bits = (0..bytes).rev().fold(0, |bits, offset| bits << 8 | u128::from(byte(offset)));
        self.values.insert(term, bits);
    }

    fn pointer(&mut self, state: &State, content: &Content, at: u64, base: Base) -> Option<()> {
        let Base::Input(number) = base else { return None };
        let pointer = &state.inputs.pointers[number as usize];
        let stored = content.pointers.iter().find(|stored| stored.at == at);
        self.values.insert(pointer.null, u128::from(stored.is_none()));
        let (Some(stored), Some(object)) = (stored, pointer.target) else { return Some(()) };
        let PointerTarget::Object(index, 0) = stored.target else { return None };
        let target = self.input.objects.get(index)?;
        self.contents.insert(object, &target.content);
        if let Extent::Elements { count: Scalar::Term(count), .. } = state.memory.get(object).extent {
            self.values.insert(count, u128::from(target.count));
        }
        Some(())
    }
}
