//! Goals in programs as text: reached, infeasible by which proof, or unknown for which reason.
//!
//! `; ask: reach f0 b3` asks whether control comes to a block (`f1.b3` to one of a callee), `; ask: fail f0 k0` whether a check fails, `; ask: turns f0
//! loop0 2` whether a loop is left after exactly two turns. With `k=3`, loops make at most three turns. `; ask: facts f0`
//! lists what abstract interpretation excludes, `; ask: back f0 b3` searches backwards only, `; ask: ends f0` asks whether every
//! loop ends.

use std::path::Path;

use clew_analyze::facts;
use clew_ir::{BlockId, CheckId, FunctionId, LoopId, Program};
use clew_prove::exclude;
use clew_prove::termination::{self, Ends};
use clew_prove::{Goal, Point, Proof, Site, Verdict, Wanted};
use clew_symbolic::Precondition;
use clew_symbolic::config::{Config, Mode};

/// Effort of a search backwards.
const EFFORT: u64 = 200_000;

#[test]
fn goals_have_the_verdicts_that_files_say() {
    clew_testing::ask_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir"), "ir", answer);
}

fn answer(text: &str, question: &str) -> Vec<String> {
    let program = clew_ir::text::parse(text).unwrap_or_else(|error| panic!("{error:?} in\n{text}"));
    let mut config = Config { mode: Mode::Goal, ..Config::default() };
    let (options, words): (Vec<&str>, Vec<&str>) = question.split(' ').partition(|word| word.contains('='));
    for option in options {
        config.bound = option.strip_prefix("k=").and_then(|most| most.parse().ok());
    }
    let function = FunctionId::new(number(words[1], "f"));
    let point = |place: &str| {
        let (of, block) = place.split_once('.').unwrap_or((words[1], place));
        let (function, block) = (FunctionId::new(number(of, "f")), BlockId::new(number(block, "b")));
        Site::Points(vec![Point { function, block, position: 0 }])
    };
    let site = match words[0] {
        "facts" => return known(&program, function),
        "ends" => return ends(&program, function, &config),
        "reach" | "back" => point(words[2]),
        "fail" => Site::Check(function, CheckId::new(number(words[2], "k"))),
        "turns" => Site::Turns(function, LoopId::new(number(words[2], "loop")), number(words[3], "")),
        other => panic!("unknown question {other}"),
    };
    let goals = [Goal { site, wanted: Wanted::Arrival }];
    let (precondition, mut found) = (Precondition::default(), |_: usize, _: &clew_symbolic::Explored| true);
    let verdicts = match words[0] {
        "back" => clew_prove::pursue_backward(&program, function, &precondition, &config, (&goals, EFFORT), &mut found),
        _ => clew_prove::pursue(&program, function, &precondition, &config, &goals, &mut found),
    };
    match verdicts {
        Ok(verdicts) => verdicts.iter().flat_map(verdict).collect(),
        Err(unusable) => vec![format!("unusable: {}", unusable.reason)],
    }
}

fn number(word: &str, prefix: &str) -> u32 {
    let number = word.strip_prefix(prefix).and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("{word} is not {prefix} and a number"))
}

fn verdict(verdict: &Verdict) -> Vec<String> {
    match verdict {
        Verdict::Reached(_) => vec!["reached".to_owned()],
        Verdict::Infeasible(Proof::Bounded(turns)) => vec![format!("infeasible within {turns} turns")],
        Verdict::Infeasible(proof) => vec![format!("infeasible: {proof:?}")],
        Verdict::Unknown(reasons) => reasons.iter().map(|reason| format!("unknown: {reason}")).collect(),
    }
}

/// What abstract interpretation excludes.
fn known(program: &Program, function: FunctionId) -> Vec<String> {
    let facts = facts::facts(program, function, &exclude::options(&Precondition::default(), &Config::default()));
    let blocks = facts.unreachable.iter().map(|(id, block)| format!("f{} b{} unreachable", id.index(), block.index()));
    let ways = facts
        .never_taken
        .iter()
        .map(|(id, block, way)| format!("f{} b{} way {way} never taken", id.index(), block.index()));
    let checks = facts.never_fails.iter().map(|(id, check)| format!("f{} k{} never fails", id.index(), check.index()));
    blocks.chain(ways).chain(checks).collect()
}

/// Whether what may go on without end does end.
fn ends(program: &Program, function: FunctionId, config: &Config) -> Vec<String> {
    let cycles = termination::cycles(program, function);
    let precondition = Precondition::default();
    let ends = termination::terminates(program, function, &precondition, config, &cycles, &mut |_, _| true);
    let said = |ends: &Ends| match ends {
        Ends::Ranked(ranking) => format!("ends: {} in order decrease", ranking.variant.len()),
        Ends::AllPaths => "ends: every path was run to its end".to_owned(),
        Ends::Endless(_) => "does not end for an input".to_owned(),
        Ends::Meant => "is meant to go on".to_owned(),
        Ends::Unknown(reasons) => format!("unknown: {}", reasons.iter().cloned().collect::<Vec<_>>().join(", ")),
    };
    ends.expect("the precondition can be used").iter().map(said).collect()
}
