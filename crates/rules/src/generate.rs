//! Objectives to tests and verdicts.
//!
//! For a rule, two questions are asked under a growing bound on recursion: are there arguments for which the conditions
//! hold and the result has a value (a test with an oracle), and are there arguments for which the conditions hold at all.
//! If the second search ends without a solution, the rule never fires.
//!
//! Every test is executed before it is kept: the rules rewrite its concrete arguments, and the objective must be met.

use crate::concrete::{Concretise, concretise};
use crate::evaluate;
use crate::index::Index;
use crate::integers::Integers;
use crate::objective::{Aim, Criterion, Limit, Objective, Proof, Test, Verdict};
use crate::search::{Ended, Goal, Order, Query, Search, Snapshot};
use crate::store::NONE;
use crate::tree::Tree;
use crate::values::Values;
use clew_frontend_rules::spec::{ConId, FunctionId, RuleId, Spec, Type};
use std::rc::Rc;

/// Which results are preferred where there is a choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prefer {
    /// Those that are found first: rules with few calls.
    #[default]
    Simple,
    /// Not those with an abnormal constructor.
    Normal,
    /// Those with an abnormal constructor.
    Abnormal,
}

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Config {
    /// The functions under test.
    pub functions: Vec<FunctionId>,
    /// The criteria.
    pub criteria: Vec<Criterion>,
    /// Which results are preferred.
    pub prefer: Prefer,
    /// The constructors of abnormal results.
    pub abnormal: Vec<ConId>,
    /// How variables become terms.
    pub concretise: Concretise,
    /// Rules that may be applied for an objective.
    pub steps: u64,
    /// Who decides constraints over built-in integers.
    pub integers: Option<Rc<dyn Integers>>,
}

impl Config {
    /// All rules of all functions.
    pub fn new(spec: &Spec) -> Config {
        let abnormal = |name: &str| ["Abnormal", "Abort", "Error"].iter().any(|word| name.starts_with(word));
        let cons = spec.constructors.iter().enumerate().filter(|(_, con)| abnormal(&con.name));
        Config {
            functions: spec.function_ids().collect(),
            criteria: vec![Criterion::AllRules],
            prefer: Prefer::Simple,
            abnormal: cons.map(|(index, _)| ConId(index as u32)).collect(),
            concretise: Concretise::Smallest,
            steps: 1_000_000,
            integers: None,
        }
    }
}

/// Tests and verdicts.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The tests.
    pub tests: Vec<Test>,
    /// The objectives with their verdicts.
    pub objectives: Vec<Objective>,
    /// Rules applied in all.
    pub steps: u64,
}

/// Decides all objectives of the criteria.
pub fn generate(spec: &Spec, config: &Config) -> Outcome {
    let index = Index { integers: config.integers.clone(), ..Index::new(spec) };
    let mut generator =
        Generator { spec, index: &index, config, values: Values::new(spec), outcome: Outcome::default() };
    for criterion in &config.criteria {
        match criterion {
            Criterion::AllRules => generator.all_rules(),
            Criterion::AllRulesEverywhere => generator.everywhere(),
            Criterion::RulePairs => generator.pairs(),
            Criterion::Boundary => generator.boundary(),
        }
    }
    generator.outcome
}

/// The bound on recursion that is tried first, and by what it grows.
const FIRST_BOUND: u32 = 4;
const GROWTH: u32 = 4;

/// How a question was answered.
enum Answer {
    Found(Box<Found>),
    None(Proof),
    Unknown,
}

/// A solution.
struct Found {
    /// The arguments that are least instantiated.
    least: Snapshot,
    /// The result, if it was asked for: with as much as it needs of the arguments.
    result: Option<Tree>,
    /// Whether the result needs no more of the arguments than the conditions.
    is_as_general: bool,
    args: Vec<Tree>,
}

struct Generator<'a> {
    spec: &'a Spec,
    index: &'a Index,
    config: &'a Config,
    values: Values<'a>,
    outcome: Outcome,
}

impl<'a> Generator<'a> {
    fn all_rules(&mut self) {
        for function in &self.config.functions {
            let spec = self.spec;
            for rule in &spec.functions[function.index()].rules {
                let verdict = self.rule(*rule);
                self.note(Criterion::AllRules, *rule, Aim::Fires, verdict);
            }
        }
    }

    fn note(&mut self, criterion: Criterion, rule: RuleId, aim: Aim, verdict: Verdict) {
        self.outcome.objectives.push(Objective { criterion, rule, aim, verdict });
    }

    fn rule(&mut self, rule: RuleId) -> Verdict {
        let function = self.spec.rules[rule.index()].function;
        let conditions = Query::new(function, vec![vec![Goal::Conditions(rule)]]);
        let whole = Query::new(function, vec![vec![Goal::Conditions(rule)], vec![Goal::Result(rule, 0)]]);
        match self.with_fallback(&whole, &conditions) {
            Answer::Found(found) => {
                let found = self.randomised(*found, &conditions);
                self.keep(function, rule, found, Some(rule))
            }
            Answer::None(proof) => Verdict::Infeasible(proof),
            Answer::Unknown => Verdict::Unknown(Limit::Steps(self.config.steps)),
        }
    }

    /// Random terms are drawn for the abstract test itself where they have a value: what the result needs of the arguments
    /// would make them simpler than they have to be.
    fn randomised(&mut self, found: Found, conditions: &Query) -> Found {
        if self.config.concretise == Concretise::Smallest {
            return found;
        }
        let (answer, _) = self.ask(conditions, FIRST_BOUND * GROWTH, &mut 0);
        let Answer::Found(drawn) = answer else { return found };
        let evaluation = evaluate::call(self.spec, self.index, conditions.function, &drawn.args, self.config.steps);
        let has_value = evaluation.is_complete && !evaluation.results.is_empty();
        if has_value && drawn.least.args == found.least.args { Found { args: drawn.args, ..found } } else { found }
    }

    /// A solution of a query, preferably one that also has a value; the verdict is that of the query without.
    fn with_fallback(&mut self, whole: &Query, without: &Query) -> Answer {
        if let Some(found) = self.preferred(whole) {
            return Answer::Found(found);
        }
        let mut without_value = None;
        let mut bound = FIRST_BOUND;
        let mut steps = 0;
        loop {
            let (answer, more) = self.ask(whole, bound, &mut steps);
            match answer {
                Answer::Found(found) => return Answer::Found(found),
                Answer::None(_) => break,
                Answer::Unknown if !more => break,
                Answer::Unknown => {}
            }
            if without_value.is_none() {
                match self.ask(without, bound, &mut steps).0 {
                    Answer::Found(found) => without_value = Some(found),
                    Answer::None(proof) => return Answer::None(proof),
                    Answer::Unknown => {}
                }
            }
            bound = bound.saturating_mul(GROWTH);
        }
        without_value.map_or_else(|| self.decide(without), Answer::Found)
    }

    /// A solution whose result is as preferred.
    fn preferred(&mut self, whole: &Query) -> Option<Box<Found>> {
        if self.config.prefer == Prefer::Simple || self.config.abnormal.is_empty() {
            return None;
        }
        let mut query = whole.clone();
        query.heads = self.config.abnormal.clone();
        query.wants_heads = self.config.prefer == Prefer::Abnormal;
        let mut steps = self.config.steps - self.config.steps / 10;
        match self.ask(&query, FIRST_BOUND * GROWTH, &mut steps).0 {
            Answer::Found(found) => Some(found),
            Answer::None(_) | Answer::Unknown => None,
        }
    }

    /// Decides a query with growing bounds.
    fn decide(&mut self, query: &Query) -> Answer {
        let mut bound = FIRST_BOUND;
        let mut steps = 0;
        loop {
            match self.ask(query, bound, &mut steps) {
                (Answer::Unknown, true) => bound = bound.saturating_mul(GROWTH),
                (answer, _) => return answer,
            }
        }
    }

    /// Asks under a bound; `steps` counts on. Also whether a larger bound may help.
    fn ask(&mut self, query: &Query, bound: u32, steps: &mut u64) -> (Answer, bool) {
        let order = match self.config.prefer {
            Prefer::Normal => Order::MostCalls,
            Prefer::Simple | Prefer::Abnormal => Order::FewestCalls,
        };
        let mut search = Search::new(self.spec, self.index, order, self.config.steps.saturating_sub(*steps));
        search.start(query, bound);
        let types = self.types(query.function);
        let mut ended = search.run();
        let mut answer = Answer::Unknown;
        while ended == Ended::Found {
            if let Some(args) = concretise(&mut search, &mut self.values, &types, self.config.concretise) {
                answer = Answer::Found(Box::new(solution(&mut search, query, args)));
                break;
            }
            ended = search.again();
        }
        *steps += search.steps;
        self.outcome.steps += search.steps;
        if ended == Ended::Exhausted {
            answer = Answer::None(Proof { steps: search.steps, is_cyclic: search.is_cyclic });
        }
        (answer, ended == Ended::Bounded && bound < u32::MAX)
    }

    fn types(&self, function: FunctionId) -> Vec<Type> {
        let function = &self.spec.functions[function.index()];
        function.params.iter().map(|ty| self.values.concrete(ty, function.type_params)).collect()
    }

    /// Executes a solution and keeps it as a test; one that exists already serves again.
    fn keep(&mut self, function: FunctionId, rule: RuleId, found: Found, outermost: Option<RuleId>) -> Verdict {
        let same = |test: &Test| test.function == function && test.args == found.args;
        if let Some(known) = self.outcome.tests.iter().position(same) {
            return Verdict::Covered(known);
        }
        if let Some(rule) = outermost {
            let fires = evaluate::fires(self.spec, self.index, rule, &found.args, self.config.steps);
            assert!(fires != Some(false), "a test must fire its rule: {}", self.spec.rules[rule.index()].label);
        }
        let evaluation = evaluate::call(self.spec, self.index, function, &found.args, self.config.steps);
        let names = self.names(&found.least);
        let Found { least, result, is_as_general, args } = found;
        self.outcome.tests.push(Test {
            function,
            rule,
            abstract_args: least.args,
            demands: least.demands,
            names,
            abstract_result: if is_as_general { result } else { least.result },
            args,
            results: evaluation.results,
            is_complete: evaluation.is_complete,
            fired: evaluation.fired,
        });
        Verdict::Covered(self.outcome.tests.len() - 1)
    }

    /// Names of the variables of a test, each different.
    fn names(&self, snapshot: &Snapshot) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for number in &snapshot.names {
            let name = match *number {
                NONE => "x",
                number => {
                    let rule = &self.spec.rules[(number >> 8) as usize];
                    rule.variables.get((number & 255) as usize).map_or("x", String::as_str)
                }
            };
            let name = if name == "_" { "x" } else { name };
            let mut unique = name.to_owned();
            let mut count = 1;
            while names.contains(&unique) {
                count += 1;
                unique = format!("{name}{count}");
            }
            names.push(unique);
        }
        names
    }

    /// Each rule that the functions can come to fires somewhere.
    fn everywhere(&mut self) {
        let spec = self.spec;
        for rule in spec.rule_ids() {
            let function = spec.rules[rule.index()].function;
            let all = self.config.functions.iter().copied();
            let from: Vec<FunctionId> =
                all.filter(|caller| self.index.reach[caller.index()][function.index()]).collect();
            if from.is_empty() {
                continue;
            }
            let verdict = self.somewhere(rule, &from);
            self.note(Criterion::AllRulesEverywhere, rule, Aim::FiresSomewhere, verdict);
        }
    }

    fn somewhere(&mut self, rule: RuleId, from: &[FunctionId]) -> Verdict {
        let fires = |test: &Test| from.contains(&test.function) && test.fired.contains(&rule);
        if let Some(known) = self.outcome.tests.iter().position(fires) {
            return Verdict::Covered(known);
        }
        let mut proof = Proof { steps: 0, is_cyclic: false };
        let mut is_decided = true;
        for function in from {
            let mut query = Query::new(*function, vec![vec![Goal::Call(*function, 0)]]);
            query.fires = Some(rule);
            match self.decide(&query) {
                Answer::Found(found) => return self.keep(*function, rule, *found, None),
                Answer::None(more) => {
                    proof.steps += more.steps;
                    proof.is_cyclic |= more.is_cyclic;
                }
                Answer::Unknown => is_decided = false,
            }
        }
        if is_decided { Verdict::Infeasible(proof) } else { Verdict::Unknown(Limit::Steps(self.config.steps)) }
    }

    /// Each call of a rule fires each rule of the function it calls.
    fn pairs(&mut self) {
        let spec = self.spec;
        let rules = self.config.functions.iter().flat_map(|function| spec.functions[function.index()].rules.iter());
        for rule in rules.copied().collect::<Vec<RuleId>>() {
            for root in spec.evaluated(rule) {
                for (site, callee, _) in spec.calls(root) {
                    for fires in &spec.functions[callee.index()].rules {
                        let verdict = self.pair(rule, site, *fires);
                        self.note(Criterion::RulePairs, rule, Aim::Calls { site, fires: *fires }, verdict);
                    }
                }
            }
        }
    }

    fn pair(&mut self, rule: RuleId, site: clew_frontend_rules::spec::ExprId, fires: RuleId) -> Verdict {
        let function = self.spec.rules[rule.index()].function;
        let mut query = Query::new(function, vec![vec![Goal::Conditions(rule), Goal::Result(rule, 0)]]);
        query.site = Some((site, fires));
        match self.decide(&query) {
            Answer::Found(found) => self.keep(function, rule, *found, Some(rule)),
            Answer::None(proof) => Verdict::Infeasible(proof),
            Answer::Unknown => Verdict::Unknown(Limit::Steps(self.config.steps)),
        }
    }

    /// Each condition fails alone.
    fn boundary(&mut self) {
        let spec = self.spec;
        let rules = self.config.functions.iter().flat_map(|function| spec.functions[function.index()].rules.iter());
        for rule in rules.copied().collect::<Vec<RuleId>>() {
            for (number, miss) in self.index.rules[rule.index()].misses.iter().enumerate() {
                let number = number as u32;
                let verdict = self.miss(rule, number);
                let aim = Aim::Misses { condition: miss.condition, other: miss.other, number };
                self.note(Criterion::Boundary, rule, aim, verdict);
            }
        }
    }

    fn miss(&mut self, rule: RuleId, number: u32) -> Verdict {
        let function = self.spec.rules[rule.index()].function;
        let miss = vec![Goal::Miss(rule, Some(number))];
        let without = Query::new(function, vec![miss.clone()]);
        let whole = Query::new(function, vec![miss, vec![Goal::Call(function, 0)]]);
        match self.with_fallback(&whole, &without) {
            Answer::Found(found) => self.keep(function, rule, *found, None),
            Answer::None(proof) => Verdict::Infeasible(proof),
            Answer::Unknown => Verdict::Unknown(Limit::Steps(self.config.steps)),
        }
    }
}

/// What a search has found.
fn solution(search: &mut Search<'_>, query: &Query, args: Vec<Tree>) -> Found {
    let most = search.snapshot();
    let least = match search.first_stage.take() {
        Some(first) if query.stages.len() > 1 => first,
        _ => most.clone(),
    };
    let is_as_general = least.args == most.args && least.demands == most.demands;
    let has_result = query.stages.iter().flatten().any(|goal| matches!(goal, Goal::Result(..) | Goal::Call(..)));
    let mut variables = most.variables.clone();
    let result = has_result.then(|| search.store.tree(search.results[0], &mut variables));
    Found { least, result, is_as_general, args }
}
