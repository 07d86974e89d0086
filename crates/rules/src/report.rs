//! What came of a specification: as JSON for tools, as a page for people, as a line.

mod page;

use crate::generate::Outcome;
use crate::objective::{Limit, Test, Verdict};
use crate::search::Demand;
use crate::tree::Tree;
use clew_frontend_rules::Message;
use clew_frontend_rules::spec::Spec;
use serde_json::{Value, json};

pub use page::page;

/// What a report is about.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The specification.
    pub spec: &'a Spec,
    /// Its file.
    pub file: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Tests and verdicts.
    pub outcome: &'a Outcome,
    /// What is doubtful in the specification.
    pub warnings: &'a [Message],
    /// Differences between the rules and an implementation, in words, by the number of their test.
    pub differences: &'a [(usize, String)],
    /// The first line of every file.
    pub mark: &'a str,
}

/// How many objectives have which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Covered by a test.
    pub covered: usize,
    /// Proved to have none.
    pub infeasible: usize,
    /// Not decided.
    pub unknown: usize,
}

impl Counts {
    /// Counts the verdicts of an outcome.
    pub fn of(outcome: &Outcome) -> Counts {
        let mut counts = Counts::default();
        for objective in &outcome.objectives {
            match objective.verdict {
                Verdict::Covered(_) => counts.covered += 1,
                Verdict::Infeasible(_) => counts.infeasible += 1,
                Verdict::Unknown(_) => counts.unknown += 1,
            }
        }
        counts
    }
}

/// The names of the tests: the label of the rule, and a number where it has several.
pub fn test_names(spec: &Spec, tests: &[Test]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut taken = rustc_hash::FxHashMap::<String, usize>::default();
    for test in tests {
        let label = &spec.rules[test.rule.index()].label;
        let clean = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let name: String = label.chars().map(clean).collect();
        let count = taken.entry(name.clone()).or_insert(0);
        *count += 1;
        names.push(if *count == 1 { name } else { format!("{name}_{count}") });
    }
    names
}

/// What is demanded of open variables, in words.
pub fn demand_words(spec: &Spec, names: &[String], demand: &Demand) -> String {
    let show = |tree: &Tree| tree.show(spec, names);
    match demand {
        Demand::Differ([left, right]) => format!("{} differs from {}", show(left), show(right)),
        Demand::Operator(operator, [left, right, result]) => {
            format!("{} {} {} is {}", show(left), operator.name(), show(right), show(result))
        }
    }
}

/// Why an objective has its verdict, in words.
pub fn reason(verdict: &Verdict, names: &[String]) -> String {
    match verdict {
        Verdict::Covered(test) => format!("covered by {}", names[*test]),
        Verdict::Infeasible(proof) if proof.is_cyclic => {
            format!("infeasible: the search ends after {} steps, by induction over goals that come back", proof.steps)
        }
        Verdict::Infeasible(proof) => format!("infeasible: the search ends after {} steps", proof.steps),
        Verdict::Unknown(Limit::Steps(steps)) => format!("unknown: {steps} steps were not enough; raise `--steps`"),
        Verdict::Unknown(Limit::Ways) => "unknown: the pattern has too many ways to fail".to_owned(),
    }
}

/// The report as JSON.
pub fn json(report: &Report<'_>) -> String {
    let Report { spec, outcome, .. } = *report;
    let names = test_names(spec, &outcome.tests);
    let counts = Counts::of(outcome);
    let label = |rule: &clew_frontend_rules::spec::RuleId| spec.rules[rule.index()].label.clone();
    let objective = |one: &crate::Objective| {
        let mut value = json!({
            "criterion": one.criterion.name(),
            "function": spec.functions[spec.rules[one.rule.index()].function.index()].name,
            "rule": label(&one.rule),
            "objective": one.words(spec, report.text),
            "reason": reason(&one.verdict, &names),
        });
        value["verdict"] = match &one.verdict {
            Verdict::Covered(test) => {
                value["test"] = json!(names[*test]);
                json!("covered")
            }
            Verdict::Infeasible(proof) => {
                value["proof"] = json!({ "steps": proof.steps, "cyclic": proof.is_cyclic });
                json!("infeasible")
            }
            Verdict::Unknown(_) => json!("unknown"),
        };
        value
    };
    let value = json!({
        "specification": report.file,
        "summary": {
            "objectives": outcome.objectives.len(),
            "covered": counts.covered,
            "infeasible": counts.infeasible,
            "unknown": counts.unknown,
            "tests": outcome.tests.len(),
            "steps": outcome.steps,
            "differences": report.differences.len(),
        },
        "objectives": outcome.objectives.iter().map(objective).collect::<Vec<Value>>(),
        "tests": outcome.tests.iter().zip(&names).map(|(test, name)| test_value(spec, test, name)).collect::<Vec<_>>(),
        "warnings": report.warnings.iter().map(|warning| warning.text.clone()).collect::<Vec<_>>(),
        "differences": report.differences.iter()
            .map(|(test, words)| json!({ "test": names.get(*test), "difference": words }))
            .collect::<Vec<_>>(),
    });
    // The mark of generated files stands in their beginning.
    let text = serde_json::to_string_pretty(&value).unwrap_or_default();
    format!("{{\n  \"generator\": {},{}\n", json!(report.mark), text.trim_start_matches('{'))
}

fn test_value(spec: &Spec, test: &Test, name: &str) -> Value {
    let show = |tree: &Tree| tree.show(spec, &test.names);
    json!({
        "name": name,
        "function": spec.functions[test.function.index()].name,
        "rule": spec.rules[test.rule.index()].label,
        "abstract": {
            "arguments": test.abstract_args.iter().map(show).collect::<Vec<_>>(),
            "demands": test.demands.iter().map(|demand| demand_words(spec, &test.names, demand)).collect::<Vec<_>>(),
            "result": test.abstract_result.as_ref().map(show),
        },
        "arguments": test.args.iter().map(show).collect::<Vec<_>>(),
        "results": test.results.iter().map(show).collect::<Vec<_>>(),
        "complete": test.is_complete,
        "fired": test.fired.iter().map(|rule| spec.rules[rule.index()].label.clone()).collect::<Vec<_>>(),
    })
}
