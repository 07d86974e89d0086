//! Questions to the solver about a path.
//!
//! Every path carries a model that satisfies its condition, so a question that the model answers costs nothing. For the
//! others the solver's assertions follow the path condition: what two consecutive questions have in common stays
//! propagated, and what the flipped branch does not concern keeps its values. What a refutation rests on (the core) is
//! remembered: it refutes every path whose condition holds the same constraints, at no further cost.

pub mod count;

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use clew_scalar::{BinaryOp, Value};
use clew_solver::clock::{self, Deadline};
use clew_solver::domain::int::IntDomain;
use clew_solver::evaluate::Evaluator;
use clew_solver::model::Model;
use clew_solver::solver::{self, Budget, Solver};
use clew_solver::term::{Node, TermId, Terms, VarId};

use crate::condition::Condition;
use crate::policy;
use crate::state::State;
use crate::value::Scalar;

/// What a question costs on the clock of work, beside what the solver does.
const QUESTION: u64 = 9_000;

/// Steps the solver may spend on one question.
pub fn most_steps() -> u64 {
    policy::QUESTION_STEPS.get()
}

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
    /// The model under which terms were evaluated last.
    evaluated: Option<Rc<Model>>,
    /// What the solver's questions are about.
    focused: Condition,
    deadline: Deadline,
    questions: u64,
    /// Time the solver took.
    solving: Duration,
    /// Steps the solver may spend on one question.
    steps: u64,
    /// By constraint: lists of others that cannot all hold together with it.
    refuted: BTreeMap<TermId, Vec<Vec<TermId>>>,
    /// What the last contradiction of a path rests on, if reasons are recorded.
    core: Vec<TermId>,
    /// By the constraint that was asked for: what contradictions rest on of which nothing can be left out.
    explained: BTreeMap<TermId, Vec<Vec<TermId>>>,
    /// The constraint that was asked for last, if what its contradiction rests on is not known to be smallest.
    to_explain: Option<TermId>,
    explains: bool,
}

impl Constraints {
    /// Without any terms.
    pub fn new(seed: u64, deadline: Deadline) -> Constraints {
        let config = solver::Config { seed, ..solver::Config::default() };
        let solver = Solver::new(config);
        Constraints {
            solver,
            evaluator: Evaluator::new(),
            evaluated: None,
            focused: Condition::default(),
            deadline,
            questions: 0,
            solving: Duration::ZERO,
            steps: policy::QUESTION_STEPS.get(),
            refuted: BTreeMap::new(),
            core: Vec::new(),
            explained: BTreeMap::new(),
            to_explain: None,
            explains: false,
        }
    }

    /// The same terms and known contradictions with a solver that knows nothing else.
    #[must_use]
    pub fn apart(&self, deadline: Deadline) -> Constraints {
        Constraints {
            solver: self.solver.apart(),
            deadline,
            questions: self.questions,
            steps: self.steps,
            refuted: self.refuted.clone(),
            explained: self.explained.clone(),
            explains: self.explains,
            ..Constraints::new(0, deadline)
        }
    }

    /// From now on contradictions are explained.
    pub fn explain(&mut self) {
        self.explains = true;
        self.solver.set_fine_cores(true);
    }

    /// The terms.
    pub fn terms(&mut self) -> &mut Terms {
        self.solver.terms_mut()
    }

    /// Time the solver took for them.
    pub fn solving(&self) -> Duration {
        self.solving
    }

    /// How many questions were asked.
    pub fn questions(&self) -> u64 {
        self.questions
    }

    /// Sets the steps the solver may spend on one question, at most as many as usual; gives those it could before.
    pub fn limit_steps(&mut self, steps: u64) -> u64 {
        std::mem::replace(&mut self.steps, steps.min(policy::QUESTION_STEPS.get()))
    }

    /// Whether a truth value holds under a model.
    pub fn holds(&mut self, model: &Rc<Model>, term: TermId) -> bool {
        self.value(model, term) == 1
    }

    /// The bits of a term under a model. What was computed under the same model before is remembered.
    pub fn value(&mut self, model: &Rc<Model>, term: TermId) -> u128 {
        if !self.evaluated.as_ref().is_some_and(|last| Rc::ptr_eq(last, model)) {
            self.evaluator.reset();
            self.evaluated = Some(Rc::clone(model));
        }
        self.evaluator.value(self.solver.terms(), model, term).bits
    }

    /// Gives a variable the value that something else has, with some bits flipped, where the model gives it none.
    pub fn suggest(&mut self, model: &mut Rc<Model>, variable: Scalar, like: Scalar, flipped: u128) {
        let Scalar::Term(variable) = variable else { return };
        let Node::Var(var) = self.solver.terms().node(variable) else { return };
        if model.assigns(var) {
            return;
        }
        let bits = match like {
            Scalar::Known(value) => value.bits,
            Scalar::Term(term) => self.value(model, term),
        };
        let ty = self.solver.terms().ty(variable);
        Rc::make_mut(model).set(var, Value::int(ty.width(), bits ^ flipped));
    }

    /// An input that takes the path and, if given, satisfies one more constraint. `near` satisfies the path condition,
    /// perhaps but for its last constraint.
    pub fn solve(&mut self, state: &State, extra: Option<TermId>, near: &Rc<Model>) -> Answer {
        self.core.clear();
        let Some(asked) = extra.or_else(|| state.condition.last()) else {
            return Answer::Sat(Rc::clone(near));
        };
        if self.holds(near, asked) {
            return Answer::Sat(Rc::clone(near));
        }
        if self.explains {
            if let Some(known) = self.family(&state.condition, asked) {
                (self.core, self.to_explain) = (known, None);
                return Answer::Unsat;
            }
        } else if self.is_refuted(&state.condition, asked) {
            return Answer::Unsat;
        }
        self.focus(&state.condition);
        let mut assumed: Vec<TermId> = extra.into_iter().collect();
        match self.check(&assumed) {
            solver::Answer::Unsat(core) => {
                self.remember(asked, &assumed, &core);
                self.keep_core(&core, extra);
                self.to_explain = Some(asked);
                Answer::Unsat
            }
            solver::Answer::Unknown(_) => Answer::Unknown,
            solver::Answer::Sat(model) => Answer::Sat(Rc::new(self.lowered(state, &mut assumed, model))),
        }
    }

    /// Whether a refutation known already concerns a path on which a constraint is asked for.
    fn is_refuted(&self, condition: &Condition, asked: TermId) -> bool {
        let holds = |core: &Vec<TermId>| core.iter().all(|term| condition.contains(*term));
        self.refuted.get(&asked).is_some_and(|cores| cores.iter().any(holds))
    }

    /// The contradiction that a path has with those on which a constraint was asked for before.
    fn family(&self, condition: &Condition, asked: TermId) -> Option<Vec<TermId>> {
        let holds = |core: &&Vec<TermId>| core.iter().all(|term| *term == asked || condition.contains(*term));
        self.explained.get(&asked)?.iter().find(holds).cloned()
    }

    /// Keeps what a refutation rests on, if that includes the constraint asked for.
    fn remember(&mut self, asked: TermId, assumed: &[TermId], core: &solver::Core) {
        let asserted = core.assertions.iter().map(|id| self.solver.assertions()[id.index()]);
        let mut terms: Vec<TermId> = asserted.chain(core.assumptions.iter().map(|index| assumed[*index])).collect();
        let whole = terms.len();
        terms.retain(|term| *term != asked);
        if terms.len() == whole || terms.len() > policy::LARGE_CORE.size() {
            return;
        }
        let cores = self.refuted.entry(asked).or_default();
        if cores.len() == policy::MAX_CORES.size() {
            cores.remove(0);
        }
        cores.push(terms);
    }

    /// Makes a path condition what the solver's questions are about. What it knows of the same terms in the same order is
    /// kept, though two searches have come to them.
    fn focus(&mut self, condition: &Condition) {
        let (common, rest) = condition.beyond(&self.focused);
        let known = &self.solver.assertions()[common..];
        let same = rest.iter().zip(known).take_while(|(term, known)| term == known).count();
        self.solver.focus(common + same, &rest[same..]);
        self.focused = condition.clone();
    }

    fn keep_core(&mut self, core: &solver::Core, extra: Option<TermId>) {
        if self.explains {
            let asserted = core.assertions.iter().map(|id| self.solver.assertions()[id.index()]);
            let assumed = extra.filter(|_| !core.assumptions.is_empty());
            self.core = asserted.chain(assumed).collect();
        }
    }

    /// What the last contradiction rests on: terms of the condition, in its order, of which none can be left out as far
    /// as the solver sees in a short time.
    pub fn core(&mut self) -> Vec<TermId> {
        let mut core = std::mem::take(&mut self.core);
        let Some(asked) = self.to_explain.take() else { return core };
        let usual = self.limit_steps(policy::CORE_STEPS.get());
        let mut at = core.len();
        while at > 0 && core.len() <= policy::MAX_SHRUNK_CORE.size() {
            at -= 1;
            let term = core.remove(at);
            let mut rest = Condition::default();
            core.iter().for_each(|term| rest.push_back(*term));
            self.focus(&rest);
            if !matches!(self.check(&[]), solver::Answer::Unsat(_)) {
                core.insert(at, term);
            }
        }
        self.limit_steps(usual);
        let families = self.explained.entry(asked).or_default();
        if !core.is_empty() && families.len() < policy::MAX_CORES.size() && core.len() <= policy::LARGE_CORE.size() {
            families.push(core.clone());
        }
        core
    }

    fn check(&mut self, part: &[TermId]) -> solver::Answer {
        self.questions += 1;
        clock::spend(QUESTION);
        let start = Instant::now();
        // A question costs something before the solver looks at the clock.
        if self.deadline.has_passed() {
            return solver::Answer::Unknown(solver::Reason::Time);
        }
        let answer = self.solver.check_assuming(part, &Budget { steps: Some(self.steps), deadline: self.deadline });
        self.solving += start.elapsed();
        answer
    }

    /// The model with the variables that should be low made as low as the constraints allow, the first first.
    fn lowered(&mut self, state: &State, assumed: &mut Vec<TermId>, mut model: Model) -> Model {
        for &low in &state.inputs.low {
            let Node::Var(var) = self.terms().node(low) else { unreachable!("only variables are kept low") };
            self.lower(assumed, low, var, &mut model);
            let least = self.constant_like(low, model.bits(var));
            let fixed = self.terms().eq(low, least);
            assumed.push(fixed);
        }
        model
    }

    /// Lowers one variable, at most to what propagation leaves it: the next lower value the solver offers, and bisection
    /// where that goes in small steps.
    fn lower(&mut self, assumed: &mut Vec<TermId>, low: TermId, var: VarId, model: &mut Model) {
        let mut least = self.solver.range(low).map_or(0, |domain| domain.unsigned_min());
        while least < model.bits(var) {
            if !self.below(assumed, low, model.bits(var), model) {
                return;
            }
            let middle = least + (model.bits(var) - least) / 2;
            if middle > least && !self.below(assumed, low, middle, model) {
                least = middle;
            }
        }
    }

    /// Looks for a model in which a variable is below a bound.
    fn below(&mut self, assumed: &mut Vec<TermId>, low: TermId, bound: u128, model: &mut Model) -> bool {
        let bound = self.constant_like(low, bound);
        let less = self.terms().binary(BinaryOp::Ult, low, bound);
        assumed.push(less);
        let answer = self.check(assumed);
        assumed.pop();
        match answer {
            solver::Answer::Sat(lower) => {
                *model = lower;
                true
            }
            _ => false,
        }
    }

    fn constant_like(&mut self, term: TermId, bits: u128) -> TermId {
        let width = self.terms().width(term);
        self.terms().int(width, bits)
    }

    /// Values that include all an integer can have on the inputs of a path; `None` if there are no such inputs.
    pub fn range(&mut self, state: &State, term: TermId) -> Option<IntDomain> {
        self.focus(&state.condition);
        self.solver.range(term)
    }

    /// The model with a variable given another value, if the path is still taken.
    pub fn changed(&mut self, state: &State, model: &Rc<Model>, variable: TermId, bits: u128) -> Option<Rc<Model>> {
        let Node::Var(var) = self.terms().node(variable) else { return None };
        let width = self.terms().width(variable);
        let mut changed = Model::clone(model);
        changed.set(var, Value::int(width, bits));
        let changed = Rc::new(changed);
        // A term that mentions the variable was made after it.
        let later = state.condition.since(variable);
        later.into_iter().all(|term| self.holds(&changed, term)).then_some(changed)
    }

    /// All values a term has on the inputs of a path, ascending, or `None` if there are more than `most`.
    pub fn values(&mut self, state: &State, term: TermId, near: &Rc<Model>, most: usize) -> Option<Vec<u128>> {
        self.focus(&state.condition);
        let mut values = vec![self.value(near, term)];
        let mut assumed = Vec::new();
        while values.len() <= most {
            let found = self.constant_like(term, values[values.len() - 1]);
            let other = self.terms().binary(BinaryOp::Ne, term, found);
            assumed.push(other);
            match self.check(&assumed) {
                solver::Answer::Unsat(_) => {
                    values.sort_unstable();
                    return Some(values);
                }
                solver::Answer::Unknown(_) => return None,
                solver::Answer::Sat(model) => values.push(self.value(&Rc::new(model), term)),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Constraints};
    use crate::state::State;
    use clew_scalar::BinaryOp;
    use clew_solver::clock::Deadline;
    use clew_solver::model::Model;
    use std::rc::Rc;

    /// What refutes one path refutes all that hold the same constraints, without another question.
    #[test]
    fn a_refutation_is_one_of_many_paths() {
        let mut constraints = Constraints::new(0, Deadline::default());
        let terms = constraints.terms();
        let names = ["x", "y", "z"];
        let [x, y, z] = names.map(|name| terms.int_var(name.to_owned(), 32));
        let number = |terms: &mut clew_solver::term::Terms, value| terms.int(32, value);
        let (five, three) = (number(terms, 5), number(terms, 3));
        let low = terms.binary(BinaryOp::Ult, x, three);
        let high = terms.binary(BinaryOp::Ult, five, x);
        let others = [y, z].map(|other| terms.binary(BinaryOp::Ult, other, five));
        let near = Rc::new(Model::new());
        let mut ask = |between: &[_]| {
            let mut state = State::new();
            [low].iter().chain(between).chain([&high]).for_each(|term| state.condition.push_back(*term));
            let answer = constraints.solve(&state, None, &near);
            (matches!(answer, Answer::Unsat), constraints.questions())
        };
        assert_eq!(ask(&others[..1]), (true, 1));
        assert_eq!(ask(&others), (true, 1));
        assert_eq!(ask(&[]), (true, 1));
    }
}
