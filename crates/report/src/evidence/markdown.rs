//! The evidence as a document.

use super::compare::Agreement;
use super::{Evidence, FunctionEvidence, Measurement, TestEvidence};
use clew_session::output::MARK;
use std::fmt::Write;

/// Tests whose trace is written out; `evidence.json` has them all.
const MOST_TESTS: usize = 500;

pub(super) fn text(evidence: &Evidence) -> String {
    let mut out = format!("<!-- {MARK} {} -->\n# Structural coverage evidence\n\n", env!("CARGO_PKG_VERSION"));
    identification(&mut out, evidence);
    for function in &evidence.functions {
        criteria(&mut out, function);
        gaps(&mut out, function);
        tests(&mut out, function);
    }
    measurement(&mut out, evidence);
    out
}

/// A table with a head; cells are escaped.
fn table(out: &mut String, head: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    out.push_str(&line(&head.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>()));
    out.push_str(&line(&head.iter().map(|_| "---".to_owned()).collect::<Vec<_>>()));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " ")).collect();
        out.push_str(&line(&cells));
    }
    out.push('\n');
}

fn identification(out: &mut String, evidence: &Evidence) {
    let _ = writeln!(
        out,
        "## Identification (DO-178C 11.13, 11.14; ISO 26262-6 9.5)\n\n\
         - Tool: clew {}\n- Compiler: {}\n- Command: `clew {}`\n- Suite: `{}`, SHA-256 `{}`\n",
        env!("CARGO_PKG_VERSION"),
        evidence.compiler,
        evidence.command.join(" "),
        evidence.suite.display(),
        evidence.suite_sha256
    );
    let row = |source: &super::SourceState| {
        let state = if source.unchanged { "unchanged" } else { "CHANGED since the suite was made" };
        vec![format!("`{}`", source.file), format!("`{}`", source.sha256), state.to_owned()]
    };
    table(out, &["source", "SHA-256 when tested", "now"], evidence.sources.iter().map(row));
    out.push_str(
        "The tests are derived from the structure of the code and from contracts; tracing them to requirements \
         (DO-178C 6.4.4.a) is not part of this evidence.\n\n",
    );
}

fn criteria(out: &mut String, function: &FunctionEvidence) {
    let bound = function.k.map_or_else(String::new, |k| format!(", at most {k} iterations of each loop"));
    let _ = writeln!(
        out,
        "## `{}` ({}:{})\n\nExploration: {}{bound}. {} tests.\n\n### Criteria (DO-178C 6.4.4.2; ISO 26262-6 table 9)\n",
        function.name,
        function.file,
        function.line,
        function.stop,
        function.tests.len()
    );
    let row = |it: &super::CriterionEvidence| {
        let mut cells = vec![it.name.clone(), it.definition.to_owned(), it.flavour.unwrap_or("").to_owned()];
        cells.extend([it.objectives, it.covered, it.infeasible, it.unknown].map(|number| number.to_string()));
        cells
    };
    let head = ["criterion", "definition", "flavour", "objectives", "covered", "infeasible", "unknown"];
    table(out, &head, function.criteria.iter().map(row));
}

/// What stands behind proofs besides the program.
const ASSUMED: &str = "*Infeasible* is said of executions that C defines. What a proof takes for granted of the environment \
    stands beside it (`docs/trust.md`).\n\n";

fn gaps(out: &mut String, function: &FunctionEvidence) {
    out.push_str("### Gaps and their resolution (DO-178C 6.4.4.3)\n\n");
    if function.gaps.is_empty() {
        out.push_str("None.\n\n");
    } else {
        let row = |gap: &super::Gap| {
            let place = format!("{}:{}", gap.function, gap.line);
            vec![gap.criterion.clone(), place, gap.what.clone(), gap.verdict.clone(), gap.disposition.clone()]
        };
        table(out, &["criterion", "where", "objective", "verdict", "disposition"], function.gaps.iter().map(row));
        if function.gaps.iter().any(|gap| gap.verdict == "infeasible") {
            out.push_str(ASSUMED);
        }
    }
    if !function.findings.is_empty() {
        out.push_str("Inputs for which the program is undefined:\n\n");
        for finding in &function.findings {
            let _ = writeln!(out, "- {finding}");
        }
        out.push('\n');
    }
}

fn tests(out: &mut String, function: &FunctionEvidence) {
    out.push_str("### Tests\n\nThe path is a list of lines with the outcome of the condition there.\n\n");
    let row = |test: &TestEvidence| {
        let observed = match &test.divergence {
            None => test.observed.clone(),
            Some(divergence) => format!("{}; DIVERGED: {divergence}", test.observed),
        };
        let purpose = test.purpose.join("; ");
        vec![test.id.to_string(), test.inputs.clone(), test.path.clone(), observed, test.covers.to_string(), purpose]
    };
    let head = ["test", "inputs", "path", "observed", "objectives", "made for"];
    table(out, &head, function.tests.iter().take(MOST_TESTS).map(row));
    if function.tests.len() > MOST_TESTS {
        let _ = writeln!(out, "{} more are in `evidence.json`.\n", function.tests.len() - MOST_TESTS);
    }
}

fn measurement(out: &mut String, evidence: &Evidence) {
    out.push_str("## Independent measurement of the unmodified source\n\n");
    if evidence.measurements.is_empty() {
        out.push_str("Not asked for.\n");
    }
    evidence.measurements.iter().for_each(|measurement| one_measurement(out, measurement));
}

fn one_measurement(out: &mut String, measurement: &Measurement) {
    let lines = match measurement {
        Measurement::NotMeasured { tool, why } => {
            let _ = writeln!(out, "Not measured by {tool}: {why}.\n");
            return;
        }
        Measurement::Measured { tool, lines } => {
            let count = |wanted: Agreement| lines.iter().filter(|line| line.agreement == wanted).count();
            let _ = writeln!(
                out,
                "By {tool}, with the emitted plain C tests: {} lines confirm what the suite claims, {} contradict it, {} \
                 have other branches in the compiled code and cannot be compared.\n",
                count(Agreement::Confirms),
                count(Agreement::Contradicts),
                count(Agreement::NotComparable)
            );
            lines
        }
    };
    let row = |line: &super::compare::LineCase| {
        let agreement = match line.agreement {
            Agreement::Confirms => "confirms",
            Agreement::Contradicts => "CONTRADICTS",
            Agreement::NotComparable => "not comparable",
        };
        let mut cells = vec![format!("{}:{}", line.function, line.line)];
        let numbers = [line.objectives, line.covered, line.infeasible, line.branches, line.taken];
        cells.extend(numbers.map(|number| number.to_string()));
        cells.push(agreement.to_owned());
        cells
    };
    let head = ["where", "objectives", "covered", "infeasible", "branches", "taken", "agreement"];
    table(out, &head, lines.iter().map(row));
}
