//! Findings as SARIF 2.1.0 (OASIS), which code review shows beside the source.

use super::{Report, Subject, file_of};
use clew_ir::{FunctionId, Program, Span};
use clew_session::finding::{self, Cause, Kind};
use clew_session::output::MARK;
use clew_session::suite;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const DIVERGENCE: &str = "divergence";
const OPTIMISATION: &str = "optimisation-changes-result";

/// The text of the log.
pub(super) fn text(report: &Report<'_>) -> String {
    let mut results = Vec::new();
    for subject in report.subjects {
        let causes = finding::causes(&subject.outcome.findings);
        results.extend(causes.iter().map(|cause| result(report.program, subject.function, cause)));
        results.extend(divergences(report.program, subject));
        results.extend(differences(report.program, subject));
    }
    let run = json!({
        "tool": { "driver": {
            "name": "clew",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules(&results),
        }},
        "columnKind": "utf16CodeUnits",
        "results": results,
    });
    let runs = serde_json::to_string_pretty(&json!([run])).expect("a run is made of strings and numbers");
    format!(
        "{{ \"properties\": {{ \"generator\": \"{MARK}\" }},\n  \"$schema\": \
        \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n  \"runs\": {}\n}}\n",
        runs.replace('\n', "\n  ")
    )
}

/// Every rule some result is about.
fn rules(results: &[Value]) -> Vec<Value> {
    let names: BTreeSet<&str> = results.iter().filter_map(|result| result["ruleId"].as_str()).collect();
    let rule = |name: &str| json!({ "id": name, "shortDescription": { "text": name.replace('-', " ") } });
    names.into_iter().map(rule).collect()
}

fn result(program: &Program, function: FunctionId, cause: &Cause<'_>) -> Value {
    let finding = cause.first;
    let failure = &finding.finding.failure;
    let input = suite::describe_input(program, function, &finding.finding.input);
    let name = &program.functions[function].name;
    let level = if finding.worth.kind == Kind::Overflow { "warning" } else { "error" };
    let mut text = format!("{} in a call of {name} with {input}", failure.what);
    let mut properties = json!({ "function": name, "input": input, "native": suite::shown(finding) });
    properties["kind"] = finding.worth.kind.name().into();
    properties["confirmed"] = finding.worth.confirmed.into();
    if let Some(clause) = &finding.worth.requires {
        properties["requires"] = clause.clone().into();
        text = format!("{text}; excluded by the precondition: requires {clause};");
    }
    let mut result = json!({
        "ruleId": clew_session::ctext::words_joined(&failure.what, "-"),
        "level": level,
        "message": { "text": text },
        "locations": [location(program, failure.span)],
        "properties": properties,
    });
    if !cause.others.is_empty() {
        let others = cause.others.iter().map(|other| location(program, other.finding.failure.span));
        result["relatedLocations"] = others.collect();
    }
    result
}

/// Tests that did not do what was predicted.
fn divergences(program: &Program, subject: &Subject<'_>) -> Vec<Value> {
    let diverged = subject.outcome.tests.iter().zip(&subject.names).filter_map(|(test, name)| {
        let what = test.divergence.as_ref()?;
        Some(format!("the execution of {name} differs from its prediction: {what}"))
    });
    diverged.map(|text| warning(program, subject.function, DIVERGENCE, &text)).collect()
}

/// Tests that do something else in an optimised build.
fn differences(program: &Program, subject: &Subject<'_>) -> Vec<Value> {
    let differences = subject.outcome.optimised.iter().flatten().flatten().map(|difference| {
        let name = &subject.names[difference.test];
        format!("{name} does something else in an optimised build: it {}", difference.what)
    });
    differences.map(|text| warning(program, subject.function, OPTIMISATION, &text)).collect()
}

/// A result about a function as a whole.
fn warning(program: &Program, function: FunctionId, rule: &str, text: &str) -> Value {
    json!({
        "ruleId": rule,
        "level": "warning",
        "message": { "text": text },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&file_of(program, function)) },
            "region": { "startLine": suite::line(program, program.functions[function].span).max(1) },
        }}],
    })
}

fn location(program: &Program, span: Span) -> Value {
    let file = program.sources.locate(span).map_or_else(String::new, |place| place.file);
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&file) },
        "region": {
            "startLine": suite::line(program, span).max(1),
            "snippet": { "text": suite::source(program, span) },
        },
    }})
}

/// A path as a reference of RFC 3986.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let encode = |byte: u8| if plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") };
    let encoded: String = path.bytes().map(encode).collect();
    if encoded.starts_with('/') { format!("file://{encoded}") } else { encoded }
}
