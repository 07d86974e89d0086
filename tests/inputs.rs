//! Inputs of every kind: branches that only certain pointers, strings, structures or stubs lead to are found.
//!
//! The fact tested is coverage: every condition of the function goes both ways, except those named, each test was
//! executed and took the predicted path, and no path was lost.

use clew_coverage::{Criterion, Verdict};
use clew_execute::Event;
use clew_frontend::{Loaded, Options, load};
use clew_ir::FunctionId;
use clew_session::{self as session, Natives, Outcome, Request};
use clew_symbolic::Precondition;
use clew_symbolic::config::{Config, Limits};
use std::collections::BTreeSet;
use std::path::Path;

fn explored(loaded: &Loaded, function: FunctionId, criterion: Criterion) -> Outcome<'_> {
    let config = Config { limits: Limits { tests: 400, ..Limits::default() }, ..Config::for_criteria(vec![criterion]) };
    let natives = Natives::new(&loaded.program, &loaded.builds, &[function], &config, false);
    let request = Request {
        program: &loaded.program,
        natives: &natives,
        function,
        precondition: Precondition::default(),
        config,
    };
    let name = &loaded.program.functions[function].name;
    let outcome = session::run(&request, &mut |_| {}).expect("the function can be tested");
    let diverged: Vec<_> = outcome.tests.iter().filter_map(|test| test.divergence.clone()).collect();
    assert_eq!(diverged, Vec::<String>::new(), "{name}: executions differ from their predictions");
    assert_eq!(outcome.not_executed, Vec::<String>::new(), "{name}: inputs that could not be executed");
    assert!(outcome.unsupported.is_empty(), "{name}: {:?}", outcome.unsupported);
    outcome
}

/// The outcomes of conditions of a function that no test has, as `text: outcome`.
fn uncovered(loaded: &Loaded, function: FunctionId, outcome: &Outcome<'_>) -> Vec<String> {
    let seen: BTreeSet<Event> = outcome.tests.iter().flat_map(|test| test.explored.path.iter().copied()).collect();
    let mut missing = Vec::new();
    for (condition, node) in loaded.program.functions[function].conditions.iter() {
        for truth in [true, false] {
            if !seen.contains(&Event::Condition { function, condition, outcome: truth }) {
                missing.push(format!("{}: {truth}", loaded.program.sources.text(node.span)));
            }
        }
    }
    missing
}

/// Every condition of the functions of a file goes both ways, except for the outcomes named.
fn covers(file: &str, functions: &[(&str, &[&str])]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(file);
    let loaded = load(&Options { library: true, ..Options::file(path) }).expect("the front end can read the file");
    assert_eq!(loaded.diagnostics, [], "diagnostics for {file}");
    for (name, except) in functions {
        let function = loaded.program.function(name).expect("the function is there");
        let outcome = explored(&loaded, function, Criterion::Condition);
        assert_eq!(uncovered(&loaded, function, &outcome), *except, "uncovered outcomes of {name} in {file}");
    }
}

/// Nothing is copied in masses where a few bytes do.
#[test]
fn sizes_are_small_where_they_may_be() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/units/sizes_from_input.c");
    let loaded = load(&Options { library: true, ..Options::file(path) }).expect("the front end can read the file");
    let function = loaded.program.function("keep").expect("the function is there");
    let outcome = explored(&loaded, function, Criterion::Condition);
    let objects = outcome.tests.iter().flat_map(|test| &test.explored.input.objects);
    let most = objects.map(|object| object.content.bytes.len()).max();
    assert!(most.is_some_and(|bytes| (4..=4096).contains(&bytes)), "{most:?}");
}

#[test]
fn stubs() {
    let functions = ["scalars", "aggregates", "outputs", "pointers", "nondeterminism", "library"];
    covers("stubs.c", &functions.map(|name| (name, [].as_slice())));
}

#[test]
fn library() {
    let functions = ["lengths", "classes", "numbers", "sorting", "searching", "splitting", "lengthy"];
    covers("library.c", &functions.map(|name| (name, [].as_slice())));
}

#[test]
fn tables() {
    covers("symbolic_table_index.c", &["checksum", "keyword", "machine"].map(|name| (name, [].as_slice())));
}

#[test]
fn pointers_that_are_only_compared() {
    covers("opaque_pointers.c", &["compared", "incomplete", "callback"].map(|name| (name, [].as_slice())));
}

#[test]
fn aliases() {
    let functions = ["same", "both_null", "cycle", "parent", "ring", "end_of_list", "order", "consistent"];
    covers("aliases.c", &functions.map(|name| (name, [].as_slice())));
    let told = ["told_same", "told_within", "told_of_members"];
    covers("aliases.c", &told.map(|name| (name, [].as_slice())));
}

/// An alias that a decision asks for when part of it has been evaluated is not given up.
#[test]
fn aliases_in_the_middle_of_a_decision() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/aliases.c");
    let loaded = load(&Options { library: true, ..Options::file(path) }).expect("the front end can read the file");
    let function = loaded.program.function("consistent").expect("the function is there");
    for criterion in [Criterion::Decision, Criterion::McdcUnique, Criterion::McdcMasking] {
        let outcome = explored(&loaded, function, criterion);
        let ledger = outcome.ledger.expect("a criterion has a ledger");
        let infeasible = ledger.entries().filter(|(.., verdict)| matches!(verdict, Verdict::Infeasible(_))).count();
        assert_eq!(infeasible, 0, "{}", criterion.name());
    }
}

#[test]
fn function_pointers() {
    covers("callbacks.c", &["apply", "run", "known"].map(|name| (name, [].as_slice())));
}

#[test]
fn unions_and_void_pointers() {
    let unfound: &[&str] = &["v->u.flag == 3: false"];
    covers("unions.c", &[("tagged", &[]), ("untyped", &[]), ("overwritten", unfound)]);
}

#[test]
fn addresses() {
    let even: &[&str] = &["(uintptr_t)a & 3: true"];
    let whole = ["aligned", "together", "rounded", "overlap"].map(|name| (name, [].as_slice()));
    covers("addresses.c", &whole);
    covers("addresses.c", &[("of_words", even)]);
}

#[test]
fn things_defined_elsewhere() {
    let functions = ["in_class", "below", "scoped", "pop", "falls", "inside", "depth"];
    covers("external_variables.c", &functions.map(|name| (name, [].as_slice())));
}
