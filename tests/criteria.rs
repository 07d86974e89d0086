//! Criteria against brute force: with a small domain, the objectives that a suite covers are exactly those that some
//! input of the domain covers, and the others are proved infeasible.
//!
//! What one input covers is found by pinning every argument to its value: all conditions and labels are then computed,
//! none is solved.

use clew::session::{self, Natives, Request};
use clew_coverage::{Criterion, Ledger, Verdict, words};
use clew_explore::config::Config;
use clew_explore::{Next, Precondition, explore, objectives};
use clew_frontend::{Loaded, Options, contract, load};
use clew_ir::FunctionId;
use std::ops::RangeInclusive;
use std::path::Path;

/// All criteria whose objectives exploration decides.
const CRITERIA: &[Criterion] = &[
    Criterion::Statement,
    Criterion::Decision,
    Criterion::Condition,
    Criterion::MultipleCondition,
    Criterion::McdcUnique,
    Criterion::McdcMasking,
    Criterion::AllDefs,
    Criterion::AllUses,
    Criterion::WeakMutation,
    Criterion::Boundary,
    Criterion::Loop,
    Criterion::Call,
];

fn open(file: &str, function: &str) -> (Loaded, FunctionId) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(file);
    let loaded = load(&Options::file(path)).expect("the front end can read the file");
    let function = loaded.program.function(function).expect("the function is there");
    (loaded, function)
}

fn precondition(loaded: &mut Loaded, function: FunctionId, domains: &[String]) -> Precondition {
    let mut precondition = Precondition::default();
    for domain in domains {
        let parsed = contract::domain::parse(domain).expect("the domain is well-formed");
        let clause = contract::domain::resolve(&mut loaded.program, function, &parsed).expect("the domain fits");
        precondition.clauses.push(clause);
    }
    precondition
}

/// The objectives that some input covers, each pinned in turn.
fn brute_force<'p>(loaded: &'p Loaded, function: FunctionId, inputs: &[Precondition], config: &Config) -> Ledger<'p> {
    let mut ledger = objectives(&loaded.program, function, config).expect("there are criteria");
    // Paths among the criteria make the exploration report every path, news or not.
    let mut single = config.clone();
    single.criteria.push(Criterion::KPath);
    for (number, input) in (0..).zip(inputs) {
        let explored = explore(&loaded.program, function, input, &single, &mut |path| {
            ledger.record(number, &path.trace);
            Next::Continue
        });
        explored.expect("the input can be used");
    }
    ledger
}

/// Every value of every name, in all combinations.
fn pinned(loaded: &mut Loaded, function: FunctionId, names: &[&str], range: &RangeInclusive<i32>) -> Vec<Precondition> {
    let mut rows: Vec<Vec<String>> = vec![Vec::new()];
    for name in names {
        let longer = |row: &Vec<String>| {
            let row = row.clone();
            range.clone().map(move |value| [row.clone(), vec![format!("{name}={value}..{value}")]].concat())
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    rows.iter().map(|row| precondition(loaded, function, row)).collect()
}

fn agrees(file: &str, function: &str, names: &[&str], range: RangeInclusive<i32>) {
    let (mut loaded, id) = open(file, function);
    let domains: Vec<String> = names.iter().map(|name| format!("{name}={}..{}", range.start(), range.end())).collect();
    let domain = precondition(&mut loaded, id, &domains);
    let inputs = pinned(&mut loaded, id, names, &range);
    let config = Config { criteria: CRITERIA.to_vec(), ..Config::default() };
    let brute = brute_force(&loaded, id, &inputs, &config);
    let natives = Natives::new(&loaded.program, &loaded.builds, &[id], &config, false);
    let request = Request { program: &loaded.program, natives: &natives, function: id, precondition: domain, config };
    let outcome = session::run(&request, &mut |_| {}).expect("the function can be tested");
    let ours = outcome.ledger.expect("there are criteria");
    for ((_, objective, verdict), (_, _, truth)) in ours.entries().zip(brute.entries()) {
        let what = words::describe(&loaded.program, ours.labels(), objective);
        match (verdict, truth) {
            (Verdict::Covered(_), Verdict::Covered(_)) | (Verdict::Infeasible(_), Verdict::Open) => {}
            _ => panic!("{file}: {}: {what}: said {verdict:?}, brute force {truth:?}", objective.criterion),
        }
    }
}

#[test]
fn verdicts_are_those_of_brute_force() {
    agrees("trityp.c", "trityp", &["i", "j", "k"], -1..=5);
    agrees("mid.c", "mid", &["x", "y", "z"], -2..=2);
    agrees("getmid.c", "GetMid", &["x1", "x2", "x3"], -2..=2);
    agrees("euclid.c", "Euclid", &["m", "n"], 1..=9);
    agrees("issta98_ex2.c", "foo", &["x", "y"], -9..=9);
    agrees("ssa_fig2.c", "ssa_fig2", &["x"], -10..=20);
    agrees("cond_alias.c", "f", &["i", "j", "c"], -2..=2);
    agrees("lh98.c", "lh98", &["h"], -20..=20);
    agrees("jos97.c", "jos97", &["i"], 0..=12);
    agrees("w_simple.c", "w_simple", &["X"], 0..=10);
    agrees("sum.c", "sum", &["I"], 0..=12);
    agrees("gcd.c", "gcd", &["X", "Y"], 1..=7);
    agrees("backward_cfg.c", "backward_cfg", &["c1", "c2", "i"], -2..=4);
}
