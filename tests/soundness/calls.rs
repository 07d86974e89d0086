//! Random functions that remember, against sequences of calls: nothing that some sequence does is called infeasible, and
//! every test does what is predicted.

use clew_coverage::objective::Goal;
use clew_coverage::{Criterion, Verdict};
use clew_execute::{Checks, Content, EarlierCall, Event, Image, Input, Interpreter, Outcome};
use clew_frontend::{Preprocessed, contract, load_preprocessed};
use clew_ir::{ConditionId, FunctionId};
use clew_search::{Next, Progress, Search};
use clew_solver::clock::Deadline;
use clew_symbolic::config::{Config, Errors, Limits};
use clew_symbolic::{Explored, Precondition};
use clew_testing::Random;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

/// Values of the argument.
const VALUES: u64 = 5;

/// Sequences of calls that are tried at random, and the longest.
const SEQUENCES: usize = 400;
const LONGEST: u64 = 14;

/// Variables that the functions remember, and where.
const PLACES: [&str; 5] = ["s", "t", "ring[s & 3]", "ring[a & 3]", "*p"];

/// What the programs begin with; the loops are short, and nothing is undefined.
const HEAD: &str = "static int helper(int a) { static unsigned count; count += a & 3; if (count > 9) { count = 2; \
    return 1; } return count == 5; }\nint f(int a) { static unsigned s; static unsigned char t = 3; static unsigned ring[4] \
    = {1, 2}; static unsigned kept; static unsigned *p = &kept; unsigned x = 0;\n";

/// A random function.
fn program(seed: u64) -> String {
    let random = &mut Random(seed.wrapping_mul(77) + 5);
    let mut text = HEAD.to_owned();
    (0..3 + random.below(3)).for_each(|_| statement(random, &mut text, 2));
    text.push_str("    return (int)x;\n}\n");
    text
}

fn pick<'a>(random: &mut Random, words: &[&'a str]) -> &'a str {
    words[random.below(words.len() as u64) as usize]
}

fn term(random: &mut Random) -> String {
    match random.below(4) {
        0 => "(unsigned)a".to_owned(),
        1 => random.below(6).to_string(),
        _ => pick(random, &PLACES).to_owned(),
    }
}

fn condition(random: &mut Random) -> String {
    if random.below(8) == 0 {
        return "helper(a)".to_owned();
    }
    let operator = pick(random, &["==", "==", "!=", "<", ">"]);
    format!("{} {operator} {}", pick(random, &["s", "t", "kept", "ring[1]", "(unsigned)a"]), term(random))
}

fn statement(random: &mut Random, text: &mut String, depth: u32) {
    match random.below(if depth > 0 { 7 } else { 4 }) {
        0 => drop(writeln!(text, "    {} = ({} + {}) & 7;", pick(random, &PLACES), term(random), term(random))),
        1 => drop(writeln!(text, "    {}++;", pick(random, &["s", "t", "kept", "x"]))),
        2 => drop(writeln!(text, "    {} = {};", pick(random, &PLACES), term(random))),
        3 if random.below(3) == 0 => drop(writeln!(text, "    p = {};", pick(random, &["&s", "&kept", "&ring[2]"]))),
        3 => drop(writeln!(text, "    x += {};", term(random))),
        _ => {
            let _ = writeln!(text, "    if ({}) {{", condition(random));
            statement(random, text, depth - 1);
            if random.below(4) == 0 {
                text.push_str("    return 7;\n");
            }
            text.push_str("    } else {\n");
            statement(random, text, depth - 1);
            text.push_str("    }\n");
        }
    }
}

fn argument(value: u64) -> Vec<Content> {
    vec![Content { bytes: (value as i32).to_le_bytes().to_vec(), pointers: Vec::new() }]
}

fn sequence(random: &mut Random) -> Input {
    let call = |random: &mut Random| argument(random.below(VALUES));
    let number = random.below(LONGEST);
    let earlier = (0..number).map(|_| EarlierCall { arguments: call(random), extra: Vec::new() }).collect();
    Input { earlier, arguments: call(random), ..Input::default() }
}

type Seen = BTreeSet<(FunctionId, ConditionId, bool)>;

fn outcomes(path: &[Event]) -> impl Iterator<Item = (FunctionId, ConditionId, bool)> {
    path.iter().filter_map(|event| match *event {
        Event::Condition { function, condition, outcome } => Some((function, condition, outcome)),
        Event::Switch { .. } => None,
    })
}

/// Compares what is said of one function with what sequences do; gives how many outcomes were decided by a test after
/// others, and how many by a proof.
pub(super) fn compare(seed: u64) -> (usize, usize) {
    let text = program(seed);
    let mut loaded = load_preprocessed(vec![Preprocessed::plain("random.c", &text)]);
    assert!(!loaded.has_errors(), "{:?}\n{text}", loaded.diagnostics);
    let id = loaded.program.function("f").expect("the function is there");
    let clause = contract::precondition(&mut loaded, id, &format!("0 <= a < {VALUES}")).expect("it fits");
    let precondition = Precondition { clauses: vec![clause], function: None };
    let image = Image::new(&loaded.program, Checks::ALL);
    let interpreter = Interpreter::new(&image, id);
    let random = &mut Random(seed);
    let mut seen = Seen::new();
    for _ in 0..SEQUENCES {
        let run = interpreter.run(&sequence(random)).expect("it can be run");
        assert!(matches!(run.outcome, Outcome::Returned(_)), "program {seed}: {:?}\n{text}", run.outcome);
        seen.extend(outcomes(&run.observation.path));
    }
    let config = Config {
        scope: loaded.program.functions.ids().collect(),
        errors: Errors::AssumeAbsent,
        calls: 6,
        limits: Limits { deadline: Deadline::default().or_work(Duration::from_secs(5)), ..Limits::default() },
        ..Config::for_criteria(vec![Criterion::Condition])
    };
    let mut later = 0;
    let mut found = |explored: Explored| {
        let run = interpreter.run(&explored.input).expect("it can be run");
        assert_eq!(run.observation.path, explored.path, "program {seed}: {:?}\n{text}", explored.input);
        later += usize::from(!explored.input.earlier.is_empty());
        Next::Continue
    };
    let mut search = Search::new(&loaded.program, id, &precondition, &config).expect("the precondition can be used");
    while search.run(&mut found) == Progress::Stalled {}
    let goals = search.ledger().expect("criteria were asked for").clone();
    let summary = search.summary();
    let all = summary.proof_of_some(None).is_some();
    let mut proved = 0;
    for (number, objective, verdict) in goals.entries() {
        let Goal::Outcome(condition, outcome) = objective.goal else { continue };
        let is_left = *verdict == Verdict::Open && all && !summary.doubtful.contains(&number);
        if is_left || matches!(verdict, Verdict::Infeasible(_)) {
            let done = seen.contains(&(objective.function, condition, outcome));
            assert!(!done, "program {seed}: {objective:?} is called infeasible\n{text}");
            proved += 1;
        }
    }
    (later, proved)
}
