//! The ledger: every objective with its verdict, and which tests cover it.
//!
//! Tests are numbered by the caller. What a test shows ([`Sight`]) is recorded once; objectives about one sight are
//! looked up, those about decisions (results, mutants, independence) are decided over all evaluations seen so far.

mod minimise;
mod wants;

use crate::assumption::Assumption;
use crate::criterion::Criterion;
use crate::dataflow::{Access, Variable};
use crate::evaluation::{self, Evaluation};
use crate::generate;
use crate::label::Label;
use crate::objective::{Flavour, Goal, Objective, ObjectiveId, Site};
use crate::sight::{Reader, Sight};
use crate::trace::Mark;
use clew_ir::{BlockId, DecisionId, Formula, FunctionId, Program, Span};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of an objective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing yet.
    Open,
    /// These tests cover it.
    Covered(BTreeSet<u32>),
    /// No input covers it.
    Infeasible(Proof),
    /// Not known.
    Unknown(Reason),
}

/// Why no input covers an objective.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proof {
    /// All paths were explored, and none does.
    Paths,
    /// All paths within k iterations of each loop were explored, and none does: a proof up to k.
    PathsWithin(u32),
    /// All paths were explored, as far as said, and only those do that run into something undefined.
    Undefined(Option<u32>),
    /// A static fact excludes it.
    Fact(String),
}

/// Why an objective is left undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The limit that was met.
    Limit(String),
    /// What was not supported on the way.
    Unsupported(String),
    /// The test that should cover it did something else, or could not be executed.
    NotConfirmed,
    /// It is infeasible only if this is taken for granted, and nothing may be.
    Assumes(String),
}

/// The objectives of a function under test.
#[derive(Clone, Debug)]
pub struct Ledger<'p> {
    reader: Reader<'p>,
    program: &'p Program,
    objectives: Vec<Objective>,
    /// The blocks to which each of them leads.
    leads: Vec<Vec<BlockId>>,
    labels: Vec<Label>,
    verdicts: Vec<Verdict>,
    /// What is taken for granted where something is called infeasible.
    assumptions: BTreeSet<Assumption>,
    /// Decisions of which not every evaluation is an objective of its own, for there are too many.
    pub skipped: Vec<Span>,
    /// The objectives that a single sight covers.
    direct: BTreeMap<Sight, Vec<ObjectiveId>>,
    /// The objectives about all evaluations of a decision.
    of_decision: BTreeMap<(FunctionId, DecisionId), Vec<ObjectiveId>>,
    of_definition: BTreeMap<(FunctionId, Variable, Site), ObjectiveId>,
    /// The evaluations seen of each decision, with the tests that showed them.
    seen: BTreeMap<(FunctionId, DecisionId), BTreeMap<Evaluation, BTreeSet<u32>>>,
    /// The evaluations that show a condition's independence.
    pairs: BTreeMap<ObjectiveId, (Evaluation, Evaluation)>,
    open: usize,
    /// The only objective that is wanted, if one alone is looked at.
    focus: Option<ObjectiveId>,
    version: u64,
}

impl<'p> Ledger<'p> {
    /// The objectives of some criteria for some functions, all open.
    pub fn new(program: &'p Program, functions: &[FunctionId], criteria: &[Criterion]) -> Ledger<'p> {
        let generated = generate::objectives(program, functions, criteria);
        let asks_flow = criteria.iter().any(|c| matches!(c, Criterion::AllDefs | Criterion::AllUses));
        let flows = if asks_flow { functions.iter().copied().collect() } else { BTreeSet::new() };
        let mut ledger = Ledger {
            reader: Reader::new(program, &flows),
            program,
            verdicts: vec![Verdict::Open; generated.objectives.len()],
            assumptions: BTreeSet::new(),
            open: generated.objectives.len(),
            objectives: generated.objectives,
            leads: Vec::new(),
            labels: generated.labels,
            skipped: generated.skipped,
            direct: BTreeMap::new(),
            of_decision: BTreeMap::new(),
            of_definition: BTreeMap::new(),
            seen: BTreeMap::new(),
            pairs: BTreeMap::new(),
            focus: None,
            version: 0,
        };
        ledger.index();
        ledger.leads = ledger.objectives.iter().map(|objective| ledger.lead(objective)).collect();
        ledger
    }

    fn index(&mut self) {
        for (id, objective) in self.objectives.iter().enumerate() {
            let function = objective.function;
            let body = &self.program.functions[function];
            let sight = match &objective.goal {
                Goal::Block(block) => Sight::Block(function, *block),
                Goal::Call(point) => Sight::Call(*point),
                Goal::Outcome(condition, outcome) => Sight::Outcome(function, *condition, *outcome),
                Goal::Arm(decision, arm) => Sight::Arm(function, *decision, *arm),
                Goal::Evaluation(decision, evaluation) => Sight::Evaluation(function, *decision, evaluation.clone()),
                Goal::Flow(variable, site, point, taken) => Sight::Flow(function, *variable, *site, *point, *taken),
                Goal::Turns(item, turns) => Sight::Turns(function, *item, *turns),
                Goal::Label(label) => Sight::Label(*label),
                Goal::Result(decision, _) | Goal::Mutant(decision, _) => {
                    self.of_decision.entry((function, *decision)).or_default().push(id);
                    continue;
                }
                Goal::Independence(condition, _) => {
                    let decision = body.conditions[*condition].decision;
                    self.of_decision.entry((function, decision)).or_default().push(id);
                    continue;
                }
                Goal::Definition(variable, site) => {
                    self.of_definition.insert((function, *variable, *site), id);
                    continue;
                }
                Goal::Failure(_) => continue,
            };
            self.direct.entry(sight).or_default().push(id);
        }
    }

    /// The program the objectives are about.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// All objectives with their verdicts.
    pub fn entries(&self) -> impl Iterator<Item = (ObjectiveId, &Objective, &Verdict)> {
        (0..).zip(&self.objectives).zip(&self.verdicts).map(|((id, objective), verdict)| (id, objective, verdict))
    }

    /// An objective.
    pub fn objective(&self, id: ObjectiveId) -> &Objective {
        &self.objectives[id]
    }

    /// The verdict on an objective.
    pub fn verdict(&self, id: ObjectiveId) -> &Verdict {
        &self.verdicts[id]
    }

    /// The objectives of criteria for a function under test and the functions that count, itself alone if none is given;
    /// `None` if no criterion but that of paths is asked for.
    pub fn asked_for(
        program: &'p Program,
        function: FunctionId,
        scope: &[FunctionId],
        criteria: &[Criterion],
    ) -> Option<Ledger<'p>> {
        let scope = if scope.is_empty() { &[function] } else { scope };
        let asks = criteria.iter().any(|criterion| *criterion != Criterion::KPath);
        asks.then(|| Ledger::new(program, scope, criteria))
    }

    /// The labels objectives refer to.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The accesses to a variable of a function whose data flow is asked for, with their blocks.
    pub fn accesses(&self, function: FunctionId, variable: Variable) -> impl Iterator<Item = (BlockId, &Access)> {
        self.reader.accesses(function, variable)
    }

    /// How many objectives are open.
    pub fn open(&self) -> usize {
        self.open
    }

    /// Has one objective alone be wanted, if it is open, or again all that are.
    pub fn focus(&mut self, id: Option<ObjectiveId>) {
        self.focus = id;
    }

    /// Changes whenever what is wanted changes.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The two evaluations that show a condition's independence.
    pub fn pair(&self, id: ObjectiveId) -> Option<&(Evaluation, Evaluation)> {
        self.pairs.get(&id)
    }

    /// The evaluations seen of a decision, with the tests that showed them.
    pub fn evaluations(
        &self,
        function: FunctionId,
        decision: DecisionId,
    ) -> Option<&BTreeMap<Evaluation, BTreeSet<u32>>> {
        self.seen.get(&(function, decision))
    }

    /// Records what a test did, and gives the objectives it is the first to cover, or of which it is the first to show
    /// one half of a pair.
    pub fn record<'t>(&mut self, test: u32, trace: impl IntoIterator<Item = &'t Mark>) -> Vec<ObjectiveId> {
        let sights = self.reader.read(trace);
        let mut newly_covered = Vec::new();
        for sight in &sights {
            let ids = self.direct.get(sight).cloned().unwrap_or_default();
            ids.into_iter().for_each(|id| self.cover(id, test, &mut newly_covered));
            match sight {
                Sight::Evaluation(function, decision, evaluation) => {
                    self.evaluated((*function, *decision), evaluation, test, &mut newly_covered);
                }
                Sight::Flow(function, variable, site, ..) => {
                    if let Some(&id) = self.of_definition.get(&(*function, *variable, *site)) {
                        self.cover(id, test, &mut newly_covered);
                    }
                }
                _ => {}
            }
        }
        self.version += u64::from(!newly_covered.is_empty());
        newly_covered
    }

    /// Records that a test makes a check fail.
    pub fn record_failure(&mut self, test: u32, function: FunctionId, check: clew_ir::CheckId) -> Vec<ObjectiveId> {
        let mut newly_covered = Vec::new();
        let of_check = |objective: &Objective| objective.function == function && objective.goal == Goal::Failure(check);
        let ids: Vec<_> = self.entries().filter(|(_, objective, _)| of_check(objective)).map(|(id, ..)| id).collect();
        ids.into_iter().for_each(|id| self.cover(id, test, &mut newly_covered));
        self.version += u64::from(!newly_covered.is_empty());
        newly_covered
    }

    fn cover(&mut self, id: ObjectiveId, test: u32, newly_covered: &mut Vec<ObjectiveId>) {
        match &mut self.verdicts[id] {
            Verdict::Covered(tests) => {
                tests.insert(test);
            }
            verdict => {
                debug_assert!(
                    !matches!(verdict, Verdict::Infeasible(_)),
                    "test {test} covers what was proved infeasible: {:?}, {verdict:?}",
                    self.objectives[id]
                );
                if *verdict == Verdict::Open {
                    self.open -= 1;
                }
                *verdict = Verdict::Covered(BTreeSet::from([test]));
                newly_covered.push(id);
            }
        }
    }

    fn evaluated(
        &mut self,
        decision: (FunctionId, DecisionId),
        evaluation: &Evaluation,
        test: u32,
        newly_covered: &mut Vec<ObjectiveId>,
    ) {
        let tests = self.seen.entry(decision).or_default().entry(evaluation.clone()).or_default();
        tests.insert(test);
        let Some(formula) = formula(self.program, decision) else { return };
        for id in self.of_decision.get(&decision).cloned().unwrap_or_default() {
            match &self.objectives[id].goal {
                Goal::Independence(condition, flavour) => {
                    let (condition, flavour) = (*condition, *flavour);
                    self.independent(id, decision, formula, (condition, flavour), evaluation, test, newly_covered);
                }
                goal if satisfies(formula, goal, evaluation) => self.cover(id, test, newly_covered),
                _ => {}
            }
        }
    }

    /// Looks for an evaluation that makes a pair with a new one.
    #[expect(clippy::too_many_arguments, reason = "one step of `evaluated`, which has all of these at hand")]
    fn independent(
        &mut self,
        id: ObjectiveId,
        decision: (FunctionId, DecisionId),
        formula: &Formula,
        (condition, flavour): (clew_ir::ConditionId, Flavour),
        evaluation: &Evaluation,
        test: u32,
        newly_covered: &mut Vec<ObjectiveId>,
    ) {
        if let Some((a, b)) = self.pairs.get(&id) {
            if a == evaluation || b == evaluation {
                self.cover(id, test, newly_covered);
            }
            return;
        }
        let other =
            self.seen[&decision].iter().find(|(other, _)| flavour.is_shown(formula, evaluation, other, condition));
        if let Some((other, tests)) = other {
            let (other, tests) = (other.clone(), tests.clone());
            self.pairs.insert(id, (evaluation.clone(), other));
            tests.into_iter().chain([test]).for_each(|test| self.cover(id, test, newly_covered));
        } else if self.seen[&decision][evaluation].len() == 1 && evaluation::decides(formula, evaluation, condition) {
            newly_covered.push(id);
        }
    }

    /// The same with what was proved infeasible open again: proofs speak of runs without undefined behaviour, other runs may
    /// well do it.
    pub fn reopened(&self) -> Self {
        let mut reopened = self.clone();
        for verdict in reopened.verdicts.iter_mut().filter(|verdict| matches!(verdict, Verdict::Infeasible(_))) {
            *verdict = Verdict::Open;
            reopened.open += 1;
        }
        reopened
    }

    /// Says of every open objective that it is infeasible or unknown.
    pub fn settle(&mut self, verdict: &Verdict) {
        for own in self.verdicts.iter_mut().filter(|own| **own == Verdict::Open) {
            own.clone_from(verdict);
            self.open -= 1;
            self.version += 1;
        }
    }

    /// Opens an objective again that was called infeasible.
    pub fn reopen(&mut self, id: ObjectiveId) {
        if matches!(self.verdicts[id], Verdict::Infeasible(_)) {
            self.verdicts[id] = Verdict::Open;
            self.open += 1;
            self.version += 1;
        }
    }

    /// What is taken for granted wherever an objective is called infeasible.
    pub fn assume(&mut self, assumptions: BTreeSet<Assumption>) {
        self.assumptions.extend(assumptions);
    }

    /// The assumptions behind the verdict on an objective.
    pub fn assumptions_of(&self, id: ObjectiveId) -> impl Iterator<Item = &Assumption> {
        let is_proved = matches!(self.verdicts[id], Verdict::Infeasible(_));
        let goal = &self.objectives[id].goal;
        self.assumptions.iter().filter(move |assumption| is_proved && assumption.concerns(goal))
    }

    /// Leaves everything undecided that is infeasible under assumptions alone.
    pub fn reject_assumptions(&mut self) {
        for id in 0..self.objectives.len() {
            let assumed: Vec<String> = self.assumptions_of(id).map(Assumption::to_string).collect();
            if !assumed.is_empty() {
                self.verdicts[id] = Verdict::Unknown(Reason::Assumes(assumed.join("; ")));
                self.version += 1;
            }
        }
    }

    /// Says of one open objective that it is infeasible or unknown.
    pub fn decide(&mut self, id: ObjectiveId, verdict: Verdict) {
        if self.verdicts[id] == Verdict::Open {
            self.verdicts[id] = verdict;
            self.open -= 1;
            self.version += 1;
        }
    }
}

/// The formula of a decision.
fn formula(program: &Program, (function, decision): (FunctionId, DecisionId)) -> Option<&Formula> {
    program.functions[function].decisions[decision].formula.as_ref()
}

/// Whether one evaluation by itself covers an objective about its decision.
fn satisfies(formula: &Formula, goal: &Goal, evaluation: &Evaluation) -> bool {
    let result = evaluation::result(formula, evaluation);
    match goal {
        Goal::Result(_, wanted) => result == Some(*wanted),
        Goal::Mutant(_, mutant) => result.is_some_and(|result| evaluation::result(mutant, evaluation) == Some(!result)),
        _ => false,
    }
}
