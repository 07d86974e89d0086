//! How each test went, as JUnit's XML: what continuous integration counts. A test fails if its execution differs from
//! the prediction, or from the one in an optimised build; each finding is a failed test of its own.

use super::{Report, Subject, file_of, xml};
use clew_ir::Program;
use clew_session::finding::{self, Cause};
use clew_session::suite;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The text of the document.
pub(super) fn text(report: &Report<'_>) -> String {
    let mut out = xml::head();
    let all: usize = report.subjects.iter().map(count).sum();
    let failed: usize = report.subjects.iter().map(failures).sum();
    let _ = writeln!(out, "<testsuites name=\"clew\" tests=\"{all}\" failures=\"{failed}\" errors=\"0\">");
    for subject in report.subjects {
        test_suite(report.program, subject, &mut out);
    }
    out.push_str("</testsuites>\n");
    out
}

fn count(subject: &Subject<'_>) -> usize {
    subject.outcome.tests.len() + finding::causes(&subject.outcome.findings).len()
}

fn failures(subject: &Subject<'_>) -> usize {
    let failed = (0..subject.outcome.tests.len()).filter(|&index| failure(subject, index).is_some());
    failed.count() + finding::causes(&subject.outcome.findings).len()
}

/// Why a test fails, if it does.
fn failure(subject: &Subject<'_>, index: usize) -> Option<String> {
    let mut differences = subject.outcome.optimised.iter().flatten().flatten();
    let changed = differences.find(|difference| difference.test == index);
    let changed = changed.map(|difference| format!("in an optimised build it {}", difference.what));
    subject.outcome.tests[index].divergence.clone().or(changed)
}

fn test_suite(program: &Program, subject: &Subject<'_>, out: &mut String) {
    let name = xml::escape(&program.functions[subject.function].name);
    let file = xml::escape(&file_of(program, subject.function));
    let _ = writeln!(
        out,
        "  <testsuite name=\"{name}\" file=\"{file}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">",
        count(subject),
        failures(subject)
    );
    for index in 0..subject.outcome.tests.len() {
        test_case(program, subject, index, out);
    }
    for cause in finding::causes(&subject.outcome.findings) {
        finding_case(program, subject, &cause, out);
    }
    out.push_str("  </testsuite>\n");
}

fn test_case(program: &Program, subject: &Subject<'_>, index: usize, out: &mut String) {
    let (test, name) = (&subject.outcome.tests[index], &subject.names[index]);
    let class = xml::escape(&program.functions[subject.function].name);
    let _ = writeln!(out, "    <testcase classname=\"{class}\" name=\"{}\">", xml::escape(name));
    if let Some(why) = failure(subject, index) {
        let _ = writeln!(out, "      <failure message=\"{}\"/>", xml::escape(&why));
    }
    let input = suite::describe_input(program, subject.function, &test.explored.input);
    let ending = suite::ending(&test.observation);
    let _ = writeln!(out, "      <system-out>{}: {ending}</system-out>\n    </testcase>", xml::escape(&input));
}

fn finding_case(program: &Program, subject: &Subject<'_>, cause: &Cause<'_>, out: &mut String) {
    let finding = cause.first;
    let class = xml::escape(&program.functions[subject.function].name);
    let failure = &finding.finding.failure;
    let what = xml::escape(&format!("{} at line {}", failure.what, suite::line(program, failure.span)));
    let input = xml::escape(&suite::describe_input(program, subject.function, &finding.finding.input));
    let text = xml::escape(&suite::source(program, failure.span));
    let mut further = format!("; native execution: {}", suite::shown(finding));
    further.extend(finding.worth.requires.iter().map(|clause| format!("; excluded by: requires {clause};")));
    let lines: BTreeSet<_> =
        cause.others.iter().map(|other| suite::line(program, other.finding.failure.span)).collect();
    further.extend(lines.iter().map(|line| format!("; also at line {line}")));
    let further = xml::escape(&further);
    let _ = writeln!(
        out,
        "    <testcase classname=\"{class}\" name=\"{what}\">\n      <failure message=\"{what}\">{text}: with \
        {input}{further}</failure>\n    </testcase>"
    );
}
