//! The paths of the corpus: published counts, and agreement with brute force.
//!
//! Counts are those of the papers the programs come from, as far as those were re-checked. Where all inputs of a small
//! domain can be executed, the set of paths they take must be the set that exploration found.

use clew::session::{self, Natives, Outcome, Request};
use clew_execute::native::{self, Native};
use clew_execute::{Content, Event, Input};
use clew_explore::Precondition;
use clew_explore::config::Config;
use clew_frontend::{Loaded, Options, contract, load};
use clew_ir::FunctionId;
use std::collections::BTreeSet;
use std::path::Path;

fn open(file: &str, function: &str) -> (Loaded, FunctionId) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(file);
    let loaded = load(&Options::file(path)).expect("the front end can read the file");
    assert_eq!(loaded.diagnostics, [], "diagnostics for {file}");
    let function = loaded.program.function(function).expect("the function is there");
    (loaded, function)
}

fn explored<'p>(loaded: &'p mut Loaded, function: FunctionId, domains: &[&str], bound: Option<u32>) -> Outcome<'p> {
    let mut precondition = Precondition::default();
    for domain in domains {
        let parsed = contract::domain::parse(domain).expect("the domain is well-formed");
        let clause = contract::domain::resolve(&mut loaded.program, function, &parsed).expect("the domain fits");
        precondition.clauses.push(clause);
    }
    let natives = Natives::new(&loaded.program, &loaded.builds, &[function], &Config::default(), false);
    let request = Request {
        program: &loaded.program,
        natives: &natives,
        function,
        precondition,
        config: Config { bound, ..Config::default() },
    };
    let outcome = session::run(&request, &mut |_| {}).expect("the function can be tested");
    let diverged: Vec<_> = outcome.tests.iter().filter_map(|test| test.divergence.clone()).collect();
    assert_eq!(diverged, Vec::<String>::new(), "executions differ from their predictions");
    assert_eq!(outcome.not_executed, Vec::<String>::new());
    outcome
}

/// All paths of a function: how many there are.
fn counts(file: &str, function: &str, domains: &[&str], expected: usize) {
    let (mut loaded, id) = open(file, function);
    let outcome = explored(&mut loaded, id, domains, None);
    assert_eq!(outcome.tests.len(), expected, "paths of {function} in {file}");
    assert!(outcome.summary.given_up.is_empty() && outcome.summary.open == 0, "{file} was not explored whole");
}

/// k-paths of a function: tests, those within k, and refuted prefixes.
fn k_counts(file: &str, function: &str, k: u32, expected: (usize, usize, u64)) {
    let (mut loaded, id) = open(file, function);
    let outcome = explored(&mut loaded, id, &[], Some(k));
    let within = outcome.tests.iter().filter(|test| test.explored.turns <= k).count();
    assert_eq!((outcome.tests.len(), within, outcome.summary.refuted), expected, "{k}-paths of {function}");
}

/// The paths of a function of integers are those that all inputs of the domain take.
fn brute_force(file: &str, function: &str, names: &[&str], range: std::ops::RangeInclusive<i32>) {
    let (mut loaded, id) = open(file, function);
    let domains: Vec<String> = names.iter().map(|name| format!("{name}={}..{}", range.start(), range.end())).collect();
    let domains: Vec<&str> = domains.iter().map(String::as_str).collect();
    let outcome = explored(&mut loaded, id, &domains, None);
    let found: BTreeSet<Vec<Event>> = outcome.tests.iter().map(|test| test.explored.path.clone()).collect();
    assert_eq!(found.len(), outcome.tests.len(), "{function}: two tests take one path");
    let mut native = Native::build(&loaded.program, id, &native::Options::default()).expect("it can be built");
    let inputs = all_inputs(names.len(), range);
    let taken: BTreeSet<Vec<Event>> = native
        .run_batch(&inputs)
        .into_iter()
        .map(|observation| observation.expect("every input can be executed").path)
        .collect();
    assert_eq!(found, taken, "paths of {function} in {file}");
}

fn all_inputs(arguments: usize, range: std::ops::RangeInclusive<i32>) -> Vec<Input> {
    let mut inputs = vec![Input::default()];
    for _ in 0..arguments {
        let extended = inputs.iter().flat_map(|input| {
            range.clone().map(|number| {
                let mut longer = input.clone();
                longer.arguments.push(Content { bytes: number.to_le_bytes().to_vec(), pointers: Vec::new() });
                longer
            })
        });
        inputs = extended.collect();
    }
    inputs
}

#[test]
fn merge_as_published() {
    k_counts("merge.c", "Merge", 2, (19, 17, 25));
    k_counts("merge.c", "Merge", 5, (337, 321, 317));
}

#[test]
fn merge_starts_with_the_smallest_arrays() {
    let (mut loaded, id) = open("merge.c", "Merge");
    let outcome = explored(&mut loaded, id, &[], Some(2));
    let lengths = |test: usize| {
        let arguments = &outcome.tests[test].explored.input.arguments;
        (arguments[3].bytes[0], arguments[4].bytes[0])
    };
    assert_eq!((lengths(0), lengths(1)), ((0, 0), (0, 1)));
}

#[test]
fn published_path_counts() {
    counts("trityp.c", "trityp", &[], 14);
    counts("tcas.c", "alt_sep_test", &["Alt_Layer_Value=0..3"], 59);
}

#[test]
fn paths_are_those_of_brute_force() {
    brute_force("trityp.c", "trityp", &["i", "j", "k"], -2..=8);
    brute_force("mid.c", "mid", &["x", "y", "z"], -4..=4);
    brute_force("getmid.c", "GetMid", &["x1", "x2", "x3"], -3..=3);
    brute_force("euclid.c", "Euclid", &["m", "n"], 1..=20);
    brute_force("issta98_ex2.c", "foo", &["x", "y"], -20..=20);
    brute_force("ssa_fig2.c", "ssa_fig2", &["x"], -10..=20);
    brute_force("cond_alias.c", "f", &["i", "j", "c"], -3..=3);
    brute_force("lh98.c", "lh98", &["h"], -20..=20);
    brute_force("jos97.c", "jos97", &["i"], 0..=12);
    brute_force("w_simple.c", "w_simple", &["X"], 0..=10);
    brute_force("sum.c", "sum", &["I"], 0..=12);
    brute_force("backward_cfg.c", "backward_cfg", &["c1", "c2", "i"], -3..=6);
}
