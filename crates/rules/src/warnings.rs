//! Rules that contradict each other, and cases without a rule, each with a witness.
//!
//! Nothing here is a claim of absence: the searches are short, and what they do not find is not reported.

use crate::concrete::{Concretise, concretise};
use crate::evaluate;
use crate::index::{Index, Need};
use crate::policy;
use crate::search::{Ended, Goal, Order, Query, Search};
use crate::tree::Tree;
use crate::values::Values;
use clew_frontend_rules::Message;
use clew_frontend_rules::spec::{FunctionId, RuleId, Spec, Type};

/// The bound on recursion.
const BOUND: u32 = 16;

/// Two rules that fire for the same arguments and have different results.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The rules.
    pub rules: [RuleId; 2],
    /// The arguments.
    pub args: Vec<Tree>,
    /// A result of each rule.
    pub results: [Tree; 2],
}

/// Arguments for which no rule of a function fires.
#[derive(Clone, Debug)]
pub struct Gap {
    /// The function.
    pub function: FunctionId,
    /// The arguments.
    pub args: Vec<Tree>,
}

/// Everything doubtful in the functions of a specification, as messages.
pub fn messages(spec: &Spec, functions: &[FunctionId]) -> Vec<Message> {
    let mut messages = Vec::new();
    let call = |function: FunctionId, args: &[Tree]| {
        let name = &spec.functions[function.index()].name;
        let args: Vec<String> = args.iter().map(|arg| atom(&arg.show(spec, &[]))).collect();
        format!("({} {})", name, args.join(" "))
    };
    for Disagreement { rules: [first, second], args, results: [one, other] } in disagreements(spec, functions) {
        let (first, second) = (&spec.rules[first.index()], &spec.rules[second.index()]);
        let text = format!(
            "`{}` and `{}` overlap and disagree: {} rewrites to {} by one and to {} by the other",
            first.label,
            second.label,
            call(first.function, &args),
            atom(&one.show(spec, &[])),
            atom(&other.show(spec, &[])),
        );
        messages.push(Message::warning(second.name_span, text));
    }
    for Gap { function, args } in gaps(spec, functions) {
        let text = format!("missing case: no rule fires for {}", call(function, &args));
        messages.push(Message::warning(spec.functions[function.index()].span, text));
    }
    messages
}

/// A term as an argument.
fn atom(term: &str) -> String {
    if term.contains(' ') { format!("({term})") } else { term.to_owned() }
}

/// Pairs of rules that disagree.
pub fn disagreements(spec: &Spec, functions: &[FunctionId]) -> Vec<Disagreement> {
    let index = Index::new(spec);
    let mut asker = Asker { spec, index: &index, values: Values::new(spec) };
    let mut found = Vec::new();
    for function in functions {
        let rules = &spec.functions[function.index()].rules;
        for (at, first) in rules.iter().enumerate() {
            for second in &rules[at + 1..] {
                found.extend(asker.disagreement(*function, *first, *second));
            }
        }
    }
    found
}

/// Functions with arguments for which no rule fires.
pub fn gaps(spec: &Spec, functions: &[FunctionId]) -> Vec<Gap> {
    let index = Index::new(spec);
    let mut asker = Asker { spec, index: &index, values: Values::new(spec) };
    functions.iter().filter_map(|function| asker.gap(*function)).collect()
}

struct Asker<'a> {
    spec: &'a Spec,
    index: &'a Index,
    values: Values<'a>,
}

impl<'a> Asker<'a> {
    /// The first solution that a check accepts.
    fn ask<T>(&mut self, query: &Query, accept: impl Fn(&Search<'a>, Vec<Tree>) -> Option<T>) -> Option<T> {
        let mut search = Search::new(self.spec, self.index, Order::FewestCalls, policy::WARNING_STEPS.get());
        search.start(query, BOUND);
        let function = &self.spec.functions[query.function.index()];
        let types: Vec<Type> =
            function.params.iter().map(|ty| self.values.concrete(ty, function.type_params)).collect();
        let mut ended = search.run();
        for _ in 0..8 {
            if ended != Ended::Found {
                return None;
            }
            let args = concretise(&mut search, &mut self.values, &types, Concretise::Smallest);
            if let Some(found) = args.and_then(|args| accept(&search, args)) {
                return Some(found);
            }
            ended = search.again();
        }
        None
    }

    fn disagreement(&mut self, function: FunctionId, first: RuleId, second: RuleId) -> Option<Disagreement> {
        let needs = |rule: RuleId| &self.index.rules[rule.index()].needs;
        let differs =
            |one: &Need, other: &Need| one.param == other.param && one.path == other.path && one.con != other.con;
        let clashes = |one: &Need| needs(second).iter().any(|other| differs(one, other));
        if needs(first).iter().any(clashes) {
            return None;
        }
        let goals = vec![
            Goal::Conditions(first),
            Goal::Conditions(second),
            Goal::Result(first, 0),
            Goal::Result(second, 1),
            Goal::Differ(0, 1),
        ];
        let args = self.ask(&Query::new(function, vec![goals]), |_, args| Some(args))?;
        // The witness counts only if rewriting confirms it.
        let results = [first, second].map(|rule| self.results_of(rule, &args));
        let [one, other] = [results[0].first()?, results[1].iter().find(|tree| Some(*tree) != results[0].first())?];
        Some(Disagreement { rules: [first, second], args, results: [one.clone(), other.clone()] })
    }

    /// What a rule rewrites ground arguments to.
    fn results_of(&self, rule: RuleId, args: &[Tree]) -> Vec<Tree> {
        let function = self.spec.rules[rule.index()].function;
        let query = Query::new(function, vec![vec![Goal::Conditions(rule), Goal::Result(rule, 0)]]).with_args(args);
        let mut search = Search::new(self.spec, self.index, Order::FewestCalls, policy::WARNING_STEPS.get());
        search.start(&query, u32::MAX);
        let mut results = Vec::new();
        let mut ended = search.run();
        while ended == Ended::Found && results.len() < 8 {
            results.push(search.store.tree(search.results[0], &mut Vec::new()));
            ended = search.again();
        }
        results
    }

    fn gap(&mut self, function: FunctionId) -> Option<Gap> {
        let rules = &self.spec.functions[function.index()].rules;
        if rules.iter().any(|rule| self.spec.rules[rule.index()].conditions.is_empty()) {
            return None;
        }
        let goals = rules.iter().map(|rule| Goal::Miss(*rule, None)).collect();
        let (spec, index) = (self.spec, self.index);
        let is_gap = |args: &[Tree]| {
            rules
                .iter()
                .all(|rule| evaluate::fires(spec, index, *rule, args, policy::WARNING_STEPS.get()) == Some(false))
        };
        let query = Query::new(function, vec![goals]);
        self.ask(&query, |_, args| is_gap(&args).then_some(Gap { function, args }))
    }
}
