//! Findings as SARIF 2.1.0 (OASIS), which code review shows beside the source.

use super::{Report, file_of};
use crate::emit::MARK;
use crate::session::{Replayed, ReplayedFinding};
use crate::suite;
use clew_ir::{FunctionId, Program, Span};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const DIVERGENCE: &str = "divergence";

/// The text of the log.
pub(super) fn text(report: &Report<'_>) -> String {
    let mut results = Vec::new();
    for subject in report.subjects {
        let findings = subject.outcome.findings.iter();
        results.extend(findings.map(|finding| result(report.program, subject.function, finding)));
        let diverged = subject.outcome.tests.iter().zip(&subject.names);
        results.extend(diverged.filter_map(|(test, name)| divergence(report.program, subject.function, test, name)));
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

fn result(program: &Program, function: FunctionId, finding: &ReplayedFinding) -> Value {
    let failure = &finding.finding.failure;
    let input = suite::describe_input(program, function, &finding.finding.input);
    let name = &program.functions[function].name;
    let native = finding.observation.as_ref().map_or_else(|| "not executed".to_owned(), suite::ending);
    json!({
        "ruleId": crate::emit::words_joined(&failure.what, "-"),
        "level": "error",
        "message": { "text": format!("{} in a call of {name} with {input}", failure.what) },
        "locations": [location(program, failure.span)],
        "properties": { "function": name, "input": input, "native": native },
    })
}

fn divergence(program: &Program, function: FunctionId, test: &Replayed, name: &str) -> Option<Value> {
    let difference = test.divergence.as_ref()?;
    Some(json!({
        "ruleId": DIVERGENCE,
        "level": "warning",
        "message": { "text": format!("the execution of {name} differs from its prediction: {difference}") },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(&file_of(program, function)) },
            "region": { "startLine": suite::line(program, program.functions[function].span).max(1) },
        }}],
    }))
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
