//! Random specifications: verdicts against exhaustive enumeration of small terms.
//!
//! A generator writes well-typed specifications over three data types, with recursion, overlapping rules, conditions that
//! call functions, and equality. Each rule's verdict is compared with the independent engine on all terms of a size:
//! nothing that fires may be called infeasible, and every test must do what it says. `CLEW_RULES` sets how many there are.

use super::check;
use super::rewriting::{Rewriting, value};
use clew_frontend_rules::Spec;
use clew_rules::generate::{Config, generate};
use clew_rules::values::{Random, Values};
use clew_rules::{Criterion, Verdict};
use std::fmt::Write;

const DATA: &str = "data bool = True | False.\ndata nat = 0 | S nat.\ndata list = Nil | Cons nat list.\n\
    data color = Red | Green | Blue bool.\n";

const TYPES: [&str; 4] = ["bool", "nat", "list", "color"];

/// The constructors of each type with the types of their arguments.
const CONSTRUCTORS: [&[(&str, &[usize])]; 4] = [
    &[("True", &[]), ("False", &[])],
    &[("0", &[]), ("S", &[1])],
    &[("Nil", &[]), ("Cons", &[1, 2])],
    &[("Red", &[]), ("Green", &[]), ("Blue", &[0])],
];

/// A function to be written: the types of its parameters and of its result.
struct Signature {
    params: Vec<usize>,
    result: usize,
}

struct Writer {
    random: Random,
    functions: Vec<Signature>,
    /// The variables of the rule at hand, with their types.
    variables: Vec<(String, usize)>,
    fresh: usize,
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound as u128) as usize
    }

    fn specification(seed: u64) -> String {
        let mut writer = Writer { random: Random::new(seed), functions: Vec::new(), variables: Vec::new(), fresh: 0 };
        for _ in 0..2 + writer.below(2) {
            let params = (0..1 + writer.below(2)).map(|_| writer.below(4)).collect();
            let result = writer.below(4);
            writer.functions.push(Signature { params, result });
        }
        let mut text = DATA.to_owned();
        for function in 0..writer.functions.len() {
            let _ = write!(text, "function f{function} : {} :=\n  ", writer.signature(function));
            let rules: Vec<String> = (0..2 + writer.below(3)).map(|number| writer.rule(function, number)).collect();
            text += &(rules.join(";\n  ") + ".\n");
        }
        text
    }

    fn signature(&self, function: usize) -> String {
        let Signature { params, result } = &self.functions[function];
        let types: Vec<&str> = params.iter().chain([result]).map(|ty| TYPES[*ty]).collect();
        types.join(" -> ")
    }

    /// A rule; another one is written for a rule that would be refused.
    fn rule(&mut self, function: usize, number: usize) -> String {
        loop {
            if let Some(rule) = self.attempt(function, number) {
                return rule;
            }
        }
    }

    fn attempt(&mut self, function: usize, number: usize) -> Option<String> {
        let params = self.functions[function].params.clone();
        self.variables = params.iter().enumerate().map(|(index, ty)| (format!("p{index}"), *ty)).collect();
        let head: Vec<String> = self.variables.iter().map(|(name, _)| name.clone()).collect();
        self.fresh = 0;
        let mut conditions = Vec::new();
        for _ in 0..self.below(3) {
            conditions.push(self.condition());
        }
        if conditions.is_empty() {
            let (name, ty) = self.variables[0].clone();
            conditions.push(format!("{name} -> {}", self.pattern(ty, 2)));
        }
        let result = self.functions[function].result;
        let result = self.expression(result, 2, Some(function));
        let head = format!("(f{function} {})", head.join(" "));
        let text = format!("{} => HEAD -> {result}", conditions.join(", "));
        // A call of the rule's own head is left recursion, which the checker refuses.
        let is_refused = text.contains(&head);
        (!is_refused).then(|| format!("<f{function}.r{number}> {}", text.replace("HEAD", &head)))
    }

    fn condition(&mut self) -> String {
        match self.below(5) {
            0 | 1 => {
                let (name, ty) = self.known();
                format!("{name} -> {}", self.pattern(ty, 2))
            }
            2 => {
                let (name, ty) = self.known();
                let other = self.expression(ty, 1, None);
                let truth = ["True", "False"][self.below(2)];
                format!("({name} == {other}) -> {truth}")
            }
            _ => {
                let callee = self.below(self.functions.len());
                let params = self.functions[callee].params.clone();
                let args: Vec<String> = params.iter().map(|ty| self.expression(*ty, 1, None)).collect();
                let result = self.functions[callee].result;
                format!("(f{callee} {}) -> {}", args.join(" "), self.pattern(result, 2))
            }
        }
    }

    /// A variable of the rule with its type.
    fn known(&mut self) -> (String, usize) {
        let index = self.below(self.variables.len());
        self.variables[index].clone()
    }

    /// A pattern; its variables become known.
    fn pattern(&mut self, ty: usize, depth: usize) -> String {
        if depth == 0 || self.below(4) == 0 {
            let name = format!("v{}", self.fresh);
            self.fresh += 1;
            self.variables.push((name.clone(), ty));
            return name;
        }
        let index = self.below(CONSTRUCTORS[ty].len());
        let (con, fields) = CONSTRUCTORS[ty][index];
        let args: Vec<String> = fields.iter().map(|field| self.pattern(*field, depth - 1)).collect();
        applied(con, &args)
    }

    /// An expression over known variables; calls only where a function may be called.
    fn expression(&mut self, ty: usize, depth: usize, calls: Option<usize>) -> String {
        let known: Vec<String> =
            self.variables.iter().filter(|(_, known)| *known == ty).map(|(name, _)| name.clone()).collect();
        if !known.is_empty() && (depth == 0 || self.below(2) == 0) {
            let index = self.below(known.len());
            return known[index].clone();
        }
        let callees: Vec<usize> =
            (0..self.functions.len()).filter(|index| self.functions[*index].result == ty).collect();
        if depth > 0 && calls.is_some() && !callees.is_empty() && self.below(3) == 0 {
            let index = self.below(callees.len());
            let callee = callees[index];
            let params = self.functions[callee].params.clone();
            let args: Vec<String> = params.iter().map(|param| self.expression(*param, depth - 1, None)).collect();
            return applied(&format!("f{callee}"), &args);
        }
        let choices = if depth == 0 { 1 } else { CONSTRUCTORS[ty].len() };
        let index = self.below(choices);
        let (con, fields) = CONSTRUCTORS[ty][index];
        let args: Vec<String> =
            fields.iter().map(|field| self.expression(*field, depth.saturating_sub(1), calls)).collect();
        applied(con, &args)
    }
}

fn applied(head: &str, args: &[String]) -> String {
    if args.is_empty() { head.to_owned() } else { format!("({head} {})", args.join(" ")) }
}

/// The rules that fire for some arguments up to a size, by the independent engine.
fn firing(spec: &Spec, size: usize) -> Vec<bool> {
    let mut fires = vec![false; spec.rules.len()];
    let mut values = Values::new(spec);
    for function in &spec.functions {
        for args in (0..=size).flat_map(|size| values.tuples(&function.params, size, 60)).collect::<Vec<_>>() {
            let args: Vec<_> = args.iter().map(value).collect();
            for rule in function.rules.iter().filter(|rule| !fires[rule.index()]).copied().collect::<Vec<_>>() {
                let ways = Rewriting { spec, fuel: 400 }.fire(rule, &args);
                fires[rule.index()] = ways.is_ok_and(|ways| !ways.is_empty());
            }
        }
    }
    fires
}

#[test]
fn verdicts_do_not_contradict_enumeration() {
    let count = std::env::var("CLEW_RULES").ok().and_then(|text| text.parse().ok()).unwrap_or(1_000_u64);
    let (mut rules, mut infeasible, mut unknown) = (0, 0, 0);
    for seed in 0..count {
        let text = Writer::specification(seed);
        let Ok(spec) = clew_frontend_rules::load(&text, clew_frontend_rules::Options::default()) else { continue };
        let criteria = vec![Criterion::AllRules, Criterion::AllRulesEverywhere];
        let outcome = generate(&spec, &Config { steps: 3_000, criteria, ..Config::new(&spec) });
        check(&spec, &outcome);
        let fires = firing(&spec, 6);
        for objective in &outcome.objectives {
            let label = &spec.rules[objective.rule.index()].label;
            rules += 1;
            match objective.verdict {
                Verdict::Infeasible(_) => {
                    infeasible += 1;
                    let outermost = objective.criterion == Criterion::AllRules;
                    assert!(!outermost || !fires[objective.rule.index()], "{label} fires (seed {seed}):\n{text}");
                }
                Verdict::Unknown(_) => unknown += 1,
                Verdict::Covered(_) => {}
            }
        }
    }
    println!("{rules} objectives, {infeasible} infeasible, {unknown} unknown");
    assert!(infeasible > 0 && unknown * 20 < rules, "{rules} objectives, {infeasible} infeasible, {unknown} unknown");
}

#[test]
fn random_specifications_are_right_most_of_the_time() {
    let load = |seed| clew_frontend_rules::load(&Writer::specification(seed), clew_frontend_rules::Options::default());
    let wrong: Vec<_> = (0..50).filter_map(|seed| load(seed).err()).collect();
    assert!(wrong.len() < 25, "{wrong:#?}");
}
