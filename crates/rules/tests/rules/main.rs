//! Tests from rules: the examples of the article, verdicts, oracles against an independent rewriting engine.

mod article;
mod deep;
mod implementation;
mod jcvm;
mod random;
mod rewriting;

use clew_frontend_rules::{Options, Spec, load};
use clew_rules::generate::{Config, Outcome, generate};
use clew_rules::{Test, Verdict};
use rewriting::{Rewriting, value};

/// A specification that is right.
fn spec(text: &str) -> Spec {
    load(text, Options::default()).unwrap_or_else(|messages| panic!("{messages:#?}"))
}

/// Everything asked of a specification by default, with every test checked.
fn outcome(spec: &Spec) -> Outcome {
    let outcome = generate(spec, &Config::new(spec));
    check(spec, &outcome);
    outcome
}

/// Checks tests and oracles with the independent engine.
fn check(spec: &Spec, outcome: &Outcome) {
    for objective in &outcome.objectives {
        if let (Verdict::Covered(test), clew_rules::Aim::Fires) = (&objective.verdict, objective.aim) {
            let args: Vec<_> = outcome.tests[*test].args.iter().map(value).collect();
            let ways = Rewriting { spec, fuel: 100_000 }.fire(objective.rule, &args);
            let label = &spec.rules[objective.rule.index()].label;
            // Out of fuel decides nothing: the engine tries all ways, and some may not end.
            assert!(ways.is_err() || ways.is_ok_and(|ways| !ways.is_empty()), "{label} does not fire for its test");
        }
    }
    for test in &outcome.tests {
        check_oracle(spec, test);
    }
}

fn check_oracle(spec: &Spec, test: &Test) {
    let args: Vec<_> = test.args.iter().map(value).collect();
    let Ok(expected) = (Rewriting { spec, fuel: 100_000 }).call(test.function, &args) else { return };
    let mut found: Vec<_> = test.results.iter().map(value).collect();
    found.sort();
    assert!(found.iter().all(|result| expected.contains(result)), "an oracle that rewriting does not give");
    assert!(!test.is_complete || found == expected, "an oracle is incomplete");
}

/// The verdict of each rule in a word, by its label.
fn verdicts(spec: &Spec, outcome: &Outcome) -> Vec<(String, &'static str)> {
    let word = |verdict: &Verdict| match verdict {
        Verdict::Covered(_) => "covered",
        Verdict::Infeasible(_) => "infeasible",
        Verdict::Unknown(_) => "unknown",
    };
    outcome.objectives.iter().map(|one| (spec.rules[one.rule.index()].label.clone(), word(&one.verdict))).collect()
}

/// The abstract test of a rule with its oracle, as text.
fn shown(spec: &Spec, outcome: &Outcome, label: &str) -> String {
    let test = outcome.tests.iter().find(|test| spec.rules[test.rule.index()].label == label).expect("it has a test");
    let show = |tree: &clew_rules::tree::Tree| tree.show(spec, &test.names);
    let args: Vec<String> = test.abstract_args.iter().map(show).collect();
    let result = test.abstract_result.as_ref().map_or("no value".to_owned(), show);
    format!("{} -> {result}", args.join(", "))
}
