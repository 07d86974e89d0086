//! The search on programs as text: which paths it finds, what it refutes, what it decides.
//!
//! `; ask: paths f0 k=2` enumerates paths with at most two turns of a loop; `; ask: cover decision f0` heads for the
//! objectives of a criterion and lists their verdicts. `calls=3` lets paths call the function again.

use std::path::Path;
use std::str::FromStr;

use clew_coverage::{Criterion, Ledger, Verdict};
use clew_execute::Event;
use clew_ir::{FunctionId, Program};
use clew_search::{Next, Progress, Search, Summary};
use clew_symbolic::config::{Config, Mode};
use clew_symbolic::ending::PathEnd;
use clew_symbolic::{Explored, Precondition};

#[test]
fn searches_find_what_files_say() {
    clew_testing::ask_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir"), "ir", answer);
}

fn answer(text: &str, question: &str) -> Vec<String> {
    let program = clew_ir::text::parse(text).unwrap_or_else(|error| panic!("{error:?} in\n{text}"));
    let mut config = Config::default();
    let mut function = None;
    for word in question.split(' ') {
        match word.split_once('=') {
            Some(("k", most)) => config.bound = most.parse().ok(),
            Some(("calls", most)) => config.calls = most.parse().expect("a number of calls"),
            Some(_) => panic!("unknown option {word}"),
            None if word == "paths" || word == "cover" => {}
            None => match word.strip_prefix('f').and_then(|number| number.parse().ok()) {
                Some(number) => function = Some(FunctionId::new(number)),
                None => config.criteria.push(Criterion::from_str(word).expect("a criterion")),
            },
        }
    }
    config.mode = Mode::of(&config.criteria);
    search(&program, function.expect("a function is f and a number"), &config)
}

fn search(program: &Program, function: FunctionId, config: &Config) -> Vec<String> {
    let mut search = match Search::new(program, function, &Precondition::default(), config) {
        Ok(search) => search,
        Err(unusable) => return vec![format!("unusable: {}", unusable.reason)],
    };
    let mut lines = Vec::new();
    let mut pauses = 0;
    let mut found = |explored: Explored| {
        lines.push(path(&explored));
        Next::Continue
    };
    while search.run(&mut found) == Progress::Stalled && pauses < 2 {
        pauses += 1;
    }
    lines.extend(search.ledger().into_iter().flat_map(|ledger| verdicts(ledger)));
    lines.extend(summary(&search.summary()));
    lines
}

fn path(explored: &Explored) -> String {
    let events: Vec<String> = explored.path.iter().map(event).collect();
    let end = match &explored.end {
        PathEnd::Returned(_) => "returns".to_owned(),
        PathEnd::Failed(failure) => format!("fails: {}", failure.what),
        PathEnd::Unsupported { what, .. } => format!("unsupported: {what}"),
        other => format!("{other:?}").to_lowercase(),
    };
    format!("[{}] {end}", events.join(" "))
}

fn event(event: &Event) -> String {
    match event {
        Event::Condition { condition, outcome, .. } => {
            format!("c{}{}", condition.index(), if *outcome { '+' } else { '-' })
        }
        Event::Switch { decision, arm, .. } => format!("d{}:{arm}", decision.index()),
    }
}

fn verdicts(ledger: &Ledger<'_>) -> Vec<String> {
    let verdict = |verdict: &Verdict| match verdict {
        Verdict::Covered(_) => "covered",
        Verdict::Infeasible(_) => "infeasible",
        _ => "open",
    };
    ledger.entries().map(|(_, objective, found)| format!("{:?}: {}", objective.goal, verdict(found))).collect()
}

fn summary(summary: &Summary) -> Vec<String> {
    let mut lines = vec![format!("{:?}, {} refuted, {} open", summary.stop, summary.refuted, summary.open)];
    lines.extend(summary.given_up.iter().map(|(limit, count)| format!("{count} given up: {}", limit.name())));
    lines.extend(summary.limits.iter().map(|limit| format!("limit: {}", limit.name())));
    lines.extend(summary.findings.iter().map(|finding| format!("finding: {}", finding.failure.what)));
    lines
}
