//! The page: the specification with a verdict in the margin of each rule, and the tests. One file, no network.

use super::{Counts, Report, demand_words, reason, test_names};
use crate::objective::{Aim, Test, Verdict};
use crate::tree::Tree;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The longest term that is shown whole.
const LONGEST: usize = 2_000;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em}\
    pre,code,td{font-family:ui-monospace,monospace;font-size:13px}\
    .line{display:grid;grid-template-columns:4em 1.5em 1fr;white-space:pre-wrap}\
    .line .n{color:#888;text-align:right;padding-right:1em}.covered{color:#177a2f}.infeasible{color:#8a5a00}\
    .unknown,.difference{color:#b3261e}table{border-collapse:collapse;width:100%}\
    td,th{border-top:1px solid #ccc;padding:.3em .6em;text-align:left;vertical-align:top;word-break:break-word}\
    @media(prefers-color-scheme:dark){body{background:#161616;color:#ddd}.covered{color:#6fd08c}\
    .infeasible{color:#e0b25c}.unknown,.difference{color:#ff8a80}td,th{border-color:#444}}";

/// The report as a page.
pub fn page(report: &Report<'_>) -> String {
    let counts = Counts::of(report.outcome);
    let names = test_names(report.spec, &report.outcome.tests);
    let mut out = format!(
        "<!DOCTYPE html>\n<!-- {} -->\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{file}</title>\
        <style>{STYLE}</style></head><body>\n<h1>{file}</h1>\n<p><b class=\"covered\">{} covered</b>, \
        <b class=\"infeasible\">{} infeasible</b>, <b class=\"unknown\">{} unknown</b> of {} objectives; {} tests; {} \
        rules applied.</p>\n",
        report.mark,
        counts.covered,
        counts.infeasible,
        counts.unknown,
        report.outcome.objectives.len(),
        report.outcome.tests.len(),
        report.outcome.steps,
        file = escape(report.file),
    );
    list(&mut out, "Differences between rules and implementation", report.differences.iter().map(|(_, text)| text));
    list(&mut out, "Warnings", report.warnings.iter().map(|warning| &warning.text));
    objectives(report, &names, &mut out);
    source(report, &names, &mut out);
    out.push_str("<h2>Tests</h2>\n<table><tr><th>test<th>arguments<th>oracle</tr>\n");
    for (test, name) in report.outcome.tests.iter().zip(&names) {
        test_row(report, test, name, &mut out);
    }
    out + "</table>\n</body></html>\n"
}

fn list<'a>(out: &mut String, title: &str, texts: impl Iterator<Item = &'a String>) {
    let items: String = texts.map(|text| format!("<li class=\"difference\">{}\n", escape(text))).collect();
    if !items.is_empty() {
        let _ = write!(out, "<h2>{title}</h2>\n<ul>{items}</ul>\n");
    }
}

/// Objectives that are not about a rule as such.
fn objectives(report: &Report<'_>, names: &[String], out: &mut String) {
    let others = report.outcome.objectives.iter().filter(|one| one.aim != Aim::Fires);
    let rows: String = others
        .map(|one| {
            let (class, _) = mark(&one.verdict);
            let (what, why) = (one.words(report.spec, report.text), reason(&one.verdict, names));
            format!(
                "<tr><td>{}<td>{}<td class=\"{class}\">{}</tr>\n",
                one.criterion.name(),
                escape(&what),
                escape(&why)
            )
        })
        .collect();
    if !rows.is_empty() {
        let _ = write!(
            out,
            "<h2>Further objectives</h2>\n<table><tr><th>criterion<th>objective<th>verdict</tr>\n{rows}</table>\n"
        );
    }
}

/// The text with verdicts in the margin.
fn source(report: &Report<'_>, names: &[String], out: &mut String) {
    let mut marks: BTreeMap<usize, (&str, &str, String)> = BTreeMap::new();
    for objective in report.outcome.objectives.iter().filter(|one| one.aim == Aim::Fires) {
        let start = report.spec.rules[objective.rule.index()].name_span.start as usize;
        let line = report.text[..start].matches('\n').count();
        let (class, sign) = mark(&objective.verdict);
        marks.insert(line, (class, sign, reason(&objective.verdict, names)));
    }
    out.push_str("<h2>Rules</h2>\n<pre>");
    for (index, line) in report.text.lines().enumerate() {
        let (class, sign, why) =
            marks.get(&index).map_or(("", "", ""), |(class, sign, why)| (*class, *sign, why.as_str()));
        let _ = write!(
            out,
            "<span class=\"line\"><span class=\"n\">{}</span><span class=\"{class}\" title=\"{}\">{sign}</span><span>{} \
            </span></span>",
            index + 1,
            escape(why),
            escape(line),
        );
    }
    out.push_str("</pre>\n");
}

fn mark(verdict: &Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Covered(_) => ("covered", "✓"),
        Verdict::Infeasible(_) => ("infeasible", "∅"),
        Verdict::Unknown(_) => ("unknown", "?"),
    }
}

fn test_row(report: &Report<'_>, test: &Test, name: &str, out: &mut String) {
    let show = |tree: &Tree| {
        let text = tree.show(report.spec, &test.names);
        let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at);
        let rest = if end < text.len() { " …" } else { "" };
        format!("{}{rest}", escape(&text[..end]))
    };
    let all = |trees: &[Tree], by: &str| trees.iter().map(show).collect::<Vec<_>>().join(by);
    let demands: String = test
        .demands
        .iter()
        .map(|demand| format!("<br>where {}", escape(&demand_words(report.spec, &test.names, demand))))
        .collect();
    let open = if test.is_complete { "" } else { "<br>(rewriting may give more)" };
    let results = if test.results.is_empty() { "no value".to_owned() } else { all(&test.results, "<br>or ") };
    let _ = writeln!(
        out,
        "<tr id=\"{name}\"><td>{name}<td>{}{demands}<br><b>{}</b><td>{}<br><b>{results}</b>{open}</tr>",
        all(&test.abstract_args, ", "),
        all(&test.args, ", "),
        test.abstract_result.as_ref().map(show).unwrap_or_default(),
    );
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
