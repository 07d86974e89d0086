//! Questions to the solver about a path.
//!
//! Every path carries a model that satisfies its condition. A question adds one constraint; only the part of the
//! condition that shares variables with it, directly or through others, is put to the solver, and the model keeps its
//! values everywhere else.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use clew_scalar::BinaryOp;
use clew_solver::evaluate::Evaluator;
use clew_solver::model::{Assigned, Model};
use clew_solver::solver::{self, Budget, Solver};
use clew_solver::term::{Node, TermId, Terms, VarId};
use imbl::Vector;

use crate::state::State;

/// Steps the solver may spend on one question.
const STEPS: u64 = 20_000_000;

/// What the solver says of a path.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Some input takes it.
    Sat(Rc<Model>),
    /// No input takes it.
    Unsat,
    /// The solver gave up.
    Unknown,
}

/// The solver and the terms of an exploration.
pub struct Constraints {
    solver: Solver,
    evaluator: Evaluator,
    /// Variables of each term asked about so far.
    variables: BTreeMap<TermId, Rc<BTreeSet<VarId>>>,
    questions: u64,
}

impl Constraints {
    /// Without any terms.
    pub fn new(seed: u64) -> Constraints {
        let config = solver::Config { seed, ..solver::Config::default() };
        let solver = Solver::new(config);
        Constraints { solver, evaluator: Evaluator::new(), variables: BTreeMap::new(), questions: 0 }
    }

    /// The terms.
    pub fn terms(&mut self) -> &mut Terms {
        self.solver.terms_mut()
    }

    /// How many questions were asked.
    pub fn questions(&self) -> u64 {
        self.questions
    }

    /// Whether a truth value holds under a model.
    pub fn holds(&mut self, model: &Model, term: TermId) -> bool {
        self.value(model, term) == 1
    }

    /// The bits of a term under a model.
    pub fn value(&mut self, model: &Model, term: TermId) -> u128 {
        self.evaluator.reset();
        self.evaluator.value(self.solver.terms(), model, term).bits
    }

    /// An input that takes the path and, if given, satisfies one more constraint. `near` satisfies the path condition
    /// but for its last constraint, and what the question does not concern is taken from it.
    pub fn solve(&mut self, state: &State, extra: Option<TermId>, near: &Model) -> Answer {
        let Some(asked) = extra.or_else(|| state.condition.last().copied()) else {
            return Answer::Sat(Rc::new(near.clone()));
        };
        if self.holds(near, asked) {
            return Answer::Sat(Rc::new(near.clone()));
        }
        let part = self.connected(&state.condition, asked);
        match self.check(&part) {
            solver::Answer::Unsat(_) => Answer::Unsat,
            solver::Answer::Unknown(_) => Answer::Unknown,
            solver::Answer::Sat(model) => {
                let used = self.all_variables(&part);
                let model = self.lowered(state, part, &used, model);
                Answer::Sat(Rc::new(merged(near, &model, &used)))
            }
        }
    }

    fn check(&mut self, part: &[TermId]) -> solver::Answer {
        self.questions += 1;
        self.solver.check_assuming(part, &Budget { steps: Some(STEPS), deadline: None })
    }

    /// The constraints that share variables with one, directly or through others, and that one.
    fn connected(&mut self, condition: &Vector<TermId>, asked: TermId) -> Vec<TermId> {
        let mut variables: BTreeSet<VarId> = (*self.variables(asked)).clone();
        let mut rest: Vec<(TermId, Rc<BTreeSet<VarId>>)> =
            condition.iter().map(|term| (*term, self.variables(*term))).collect();
        let mut part = vec![asked];
        loop {
            let before = rest.len();
            rest.retain(|(term, used)| {
                let shared = !used.is_disjoint(&variables);
                if shared {
                    variables.extend(used.iter().copied());
                    part.push(*term);
                }
                !shared
            });
            if rest.len() == before {
                part.reverse();
                return part;
            }
        }
    }

    fn variables(&mut self, term: TermId) -> Rc<BTreeSet<VarId>> {
        if let Some(known) = self.variables.get(&term) {
            return Rc::clone(known);
        }
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::from([term]);
        let mut work = vec![term];
        while let Some(next) = work.pop() {
            match self.solver.terms().node(next) {
                Node::Var(var) => drop(found.insert(var)),
                node => work.extend(node.operands().into_iter().filter(|operand| seen.insert(*operand))),
            }
        }
        let found = Rc::new(found);
        self.variables.insert(term, Rc::clone(&found));
        found
    }

    /// The model with the variables that should be low made as low as the constraints allow, the first first.
    fn lowered(&mut self, state: &State, mut part: Vec<TermId>, used: &BTreeSet<VarId>, mut model: Model) -> Model {
        for &low in &state.inputs.low {
            let Node::Var(var) = self.terms().node(low) else { continue };
            if !used.contains(&var) {
                continue;
            }
            while model.bits(var) > 0 {
                let current = self.constant_like(low, model.bits(var));
                let less = self.terms().binary(BinaryOp::Ult, low, current);
                part.push(less);
                let answer = self.check(&part);
                part.pop();
                match answer {
                    solver::Answer::Sat(lower) => model = lower,
                    _ => break,
                }
            }
            let least = self.constant_like(low, model.bits(var));
            let fixed = self.terms().binary(BinaryOp::Eq, low, least);
            part.push(fixed);
        }
        model
    }

    fn constant_like(&mut self, term: TermId, bits: u128) -> TermId {
        let width = self.terms().width(term);
        self.terms().int(width, bits)
    }

    fn all_variables(&mut self, part: &[TermId]) -> BTreeSet<VarId> {
        part.iter().flat_map(|term| (*self.variables(*term)).clone()).collect()
    }

    /// All values a term has on the inputs of a path, ascending, or `None` if there are more than `most`.
    pub fn values(&mut self, state: &State, term: TermId, near: &Model, most: usize) -> Option<Vec<u128>> {
        let mut values = vec![self.value(near, term)];
        let first = self.constant_like(term, values[0]);
        let mut differs = self.terms().binary(BinaryOp::Ne, term, first);
        loop {
            let part = self.connected(&state.condition, differs);
            match self.check(&part) {
                solver::Answer::Unsat(_) => {
                    values.sort_unstable();
                    return Some(values);
                }
                solver::Answer::Unknown(_) => return None,
                solver::Answer::Sat(model) => {
                    let used = self.all_variables(&part);
                    let merged = merged(near, &model, &used);
                    values.push(self.value(&merged, term));
                    if values.len() > most {
                        return None;
                    }
                    let found = self.constant_like(term, values[values.len() - 1]);
                    let other = self.terms().binary(BinaryOp::Ne, term, found);
                    differs = self.terms().and(differs, other);
                }
            }
        }
    }
}

/// The values of `model` for what a question concerned, those of `near` elsewhere.
fn merged(near: &Model, model: &Model, used: &BTreeSet<VarId>) -> Model {
    let mut merged = near.clone();
    for &var in used {
        match model.get(var) {
            Some(Assigned::Array(array)) => merged.set_array(var, (**array).clone()),
            Some(Assigned::Scalar(value)) => merged.set(var, *value),
            None => merged.unset(var),
        }
    }
    merged
}
