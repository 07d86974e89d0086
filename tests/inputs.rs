//! Inputs of every kind: branches that only certain pointers, strings, structures or stubs lead to are found.
//!
//! The fact tested is coverage: every condition of the function goes both ways, except those named, each test was
//! executed and took the predicted path, and no path was lost.

use clew_coverage::{Criterion, Verdict};
use clew_execute::{Content, Event, Input, PointerTarget};
use clew_frontend::{Loaded, Options, load};
use clew_ir::FunctionId;
use clew_session::{self as session, Natives, Outcome, Refine, Request, suite};
use clew_solver::clock::Deadline;
use clew_symbolic::Precondition;
use clew_symbolic::config::{Config, Limits};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

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

/// How many pointers lead into an object.
fn leading_to(input: &Input, wanted: usize) -> usize {
    let objects = input.objects.iter().map(|object| &object.content);
    let pointers = objects.chain(&input.arguments).flat_map(|content| &content.pointers);
    pointers.filter(|pointer| matches!(pointer.target, PointerTarget::Object(object, _) if object == wanted)).count()
}

/// What less an input could have: without a pointer that lies in an object, or with half of a large number. Pointers that
/// share their object with others stay: to compare others with null may be undefined.
fn smaller(input: &Input) -> Vec<Input> {
    const LARGE: i64 = 255;
    let mut all = Vec::new();
    for object in 0..input.objects.len() {
        for (pointer, stored) in input.objects[object].content.pointers.iter().enumerate() {
            if matches!(stored.target, PointerTarget::Object(object, _) if leading_to(input, object) > 1) {
                continue;
            }
            let mut less = input.clone();
            less.objects[object].content.pointers.remove(pointer);
            all.push(less);
        }
    }
    for argument in 0..input.arguments.len() {
        let Content { bytes, pointers } = &input.arguments[argument];
        let number = match (bytes.as_slice(), pointers.is_empty()) {
            ([a, b, c, d], true) => i64::from(i32::from_le_bytes([*a, *b, *c, *d])),
            ([..], true) if bytes.len() == 8 => i64::from_le_bytes(bytes.as_slice().try_into().expect("eight bytes")),
            _ => continue,
        };
        if number.unsigned_abs() > LARGE as u64 {
            let mut less = input.clone();
            let half = (number / 2).to_le_bytes();
            less.arguments[argument].bytes = half[..bytes.len()].to_vec();
            all.push(less);
        }
    }
    all
}

/// Tests of a file that take the same path with less.
fn wasteful(path: &Path) -> Vec<String> {
    let loaded = load(&Options { library: true, ..Options::file(path) }).expect("the front end can read the file");
    let program = &loaded.program;
    let mut found = Vec::new();
    for (function, data) in program.functions.iter().filter(|(_, data)| data.is_defined() && data.params.len() < 6) {
        let limits =
            Limits { tests: 60, deadline: Deadline::default().or_work(Duration::from_secs(1)), ..Limits::default() };
        let config = Config { limits, ..Config::for_criteria(vec![Criterion::Decision]) };
        let natives = Natives::new(program, &loaded.builds, &[function], &config, false);
        let natives = natives.refining(Refine { telling: true, ..Refine::default() });
        let precondition = Precondition::default();
        let request = Request { program, natives: &natives, function, precondition, config };
        let Ok(outcome) = session::run(&request, &mut |_| {}) else { continue };
        let mut native = natives.of(function, &outcome.observed).expect("it was built before");
        for test in outcome.tests.iter().filter(|test| test.is_usable() && test.observation.path.len() < 1000) {
            let inputs = smaller(&test.explored.input);
            for (input, seen) in inputs.iter().zip(native.run_batch(&inputs)) {
                let Ok(seen) = seen else { continue };
                if seen.path == test.observation.path && seen.ending == test.observation.ending {
                    let what = suite::describe_input(program, function, &test.explored.input);
                    found.push(format!("{}: {what}; {}", data.name, suite::describe_input(program, function, input)));
                }
            }
        }
    }
    found
}

/// No test can lose an object or have a large number halved and still take its path.
#[test]
fn inputs_have_nothing_to_spare() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let files = [
        "insert.c",
        "nested_pointers.c",
        "aliases.c",
        "jos97.c",
        "foo_pointer.c",
        "merge.c",
        "lh98.c",
        "stats.c",
        "callbacks.c",
    ];
    let found: Vec<String> = files.iter().flat_map(|file| wasteful(&corpus.join(file))).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}
