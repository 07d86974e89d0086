//! The paths of the corpus: published counts, and agreement with brute force.
//!
//! Counts are those of the papers the programs come from, as far as those were re-checked. Where all inputs of a small
//! domain can be executed, the set of paths they take must be the set that exploration found.

use clew_execute::native::{self, Native};
use clew_execute::{Content, Event, Input, InputObject, PointerTarget, StoredPointer};
use clew_frontend::{Loaded, Options, contract, load};
use clew_ir::{CTypeId, FunctionId};
use clew_session::{self as session, Natives, Outcome, Request};
use clew_solver::clock::Deadline;
use clew_symbolic::Precondition;
use clew_symbolic::config::{Alias, Config, Limits};
use clew_symbolic::kpath::graph;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

fn open(file: &str, function: &str) -> (Loaded, FunctionId) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(file);
    let loaded = load(&Options::file(path)).expect("the front end can read the file");
    assert_eq!(loaded.diagnostics, [], "diagnostics for {file}");
    let function = loaded.program.function(function).expect("the function is there");
    (loaded, function)
}

fn explored<'p>(loaded: &'p mut Loaded, function: FunctionId, domains: &[&str], bound: Option<u32>) -> Outcome<'p> {
    let config = Config { bound, ..Config::default() };
    explored_with(loaded, function, domains, &[], config)
}

/// Explores and replays under domains, preconditions and options.
fn explored_with<'p>(
    loaded: &'p mut Loaded,
    function: FunctionId,
    domains: &[&str],
    requires: &[&str],
    config: Config,
) -> Outcome<'p> {
    let mut precondition = Precondition::default();
    for domain in domains {
        let parsed = contract::domain::parse(domain).expect("the domain is well-formed");
        let clause = contract::domain::resolve(loaded, function, &parsed).expect("the domain fits");
        precondition.clauses.push(clause);
    }
    for text in requires {
        let clause = contract::precondition(loaded, function, text).expect("the precondition fits");
        precondition.clauses.push(clause);
    }
    let guard = format!("{}_precond", loaded.program.functions[function].name);
    precondition.function = loaded.program.function(&guard);
    let natives = Natives::new(&loaded.program, &loaded.builds, &[function], &Config::default(), false);
    let request = Request { program: &loaded.program, natives: &natives, function, precondition, config };
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
    let found = paths_of(&outcome);
    assert_eq!(found, taken(&loaded, id, &all_inputs(names.len(), range)), "paths of {function} in {file}");
}

/// The paths of a function under preconditions are those that the given inputs take.
fn input_force(file: &str, function: &str, domains: &[&str], requires: &[&str], inputs: &[Input]) {
    let (mut loaded, id) = open(file, function);
    let outcome = explored_with(&mut loaded, id, domains, requires, Config::default());
    let found = paths_of(&outcome);
    assert_eq!(found, taken(&loaded, id, inputs), "paths of {function} in {file}");
}

/// The paths of tests, each of which has its own.
fn paths_of(outcome: &Outcome<'_>) -> BTreeSet<Vec<Event>> {
    let found: BTreeSet<Vec<Event>> = outcome.tests.iter().map(|test| test.explored.path.clone()).collect();
    assert_eq!(found.len(), outcome.tests.len(), "two tests take one path");
    found
}

/// The paths that inputs take.
fn taken(loaded: &Loaded, id: FunctionId, inputs: &[Input]) -> BTreeSet<Vec<Event>> {
    let mut native = Native::build(&loaded.program, id, &native::Options::default()).expect("it can be built");
    let observations = native.run_batch(inputs).into_iter();
    observations.map(|observation| observation.expect("every input can be executed").path).collect()
}

/// An input: a pointer to numbers at one position among numbers.
fn array_input(numbers: &[i32], at: usize, array: &[i32]) -> Input {
    let content = |number: &i32| Content { bytes: number.to_le_bytes().to_vec(), pointers: Vec::new() };
    let mut input = Input { arguments: numbers.iter().map(content).collect(), ..Input::default() };
    let pointers = vec![StoredPointer { at: 0, target: PointerTarget::Object(0, 0) }];
    input.arguments.insert(at, Content { bytes: vec![0; 8], pointers });
    let bytes = array.iter().flat_map(|number| number.to_le_bytes()).collect();
    let content = Content { bytes, pointers: Vec::new() };
    let (name, element, count) = ("a".to_owned(), CTypeId::new(0), array.len() as u64);
    input.objects.push(InputObject { name, element, count, content, residue: None, ordered: false });
    input
}

/// All arrays of a length whose elements are below a bound.
fn arrays(length: usize, bound: i32) -> Vec<Vec<i32>> {
    let longer = |arrays: Vec<Vec<i32>>| {
        let extended = arrays.into_iter().flat_map(|array| (0..bound).map(move |last| [&array[..], &[last]].concat()));
        extended.collect()
    };
    (0..length).fold(vec![Vec::new()], |arrays, _| longer(arrays))
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

/// On a long path an array grows ahead of need; its test has the elements that the path needs.
#[test]
fn long_arrays_are_as_short_as_their_paths_need() {
    let (mut loaded, id) = open("long_array.c", "positives");
    let config = Config { limits: Limits { tests: 1, ..Limits::default() }, ..Config::default() };
    let outcome = explored_with(&mut loaded, id, &[], &["n == 1000"], config);
    let lengths: Vec<_> = outcome.tests[0].explored.input.objects.iter().map(|object| object.count).collect();
    assert_eq!(lengths, [1000]);
}

#[test]
fn merge_as_published() {
    k_counts("merge.c", "Merge", 2, (19, 17, 25));
    k_counts("merge.c", "Merge", 5, (337, 321, 317));
}

/// How many paths the graph of a function has.
fn of_graph(file: &str, function: &str, k: Option<u32>, whole: bool) -> Option<u128> {
    let (loaded, id) = open(file, function);
    graph::paths(&loaded.program, id, k, whole)
}

#[test]
fn the_graphs_of_papers_have_their_numbers_of_paths() {
    assert_eq!(of_graph("merge.c", "Merge", Some(2), false), Some(126));
    assert_eq!(of_graph("merge.c", "Merge", Some(5), false), Some(4_536));
    assert_eq!(of_graph("merge.c", "Merge", Some(2), true), Some(63), "one way out of the first loop");
    assert_eq!(of_graph("merge.c", "Merge", None, false), None, "loops have no bound");
    assert_eq!(of_graph("trityp.c", "trityp", None, true), Some(57));
}

#[test]
fn decisions_may_be_taken_whole() {
    let (mut loaded, id) = open("trityp.c", "trityp");
    let config = Config { whole: true, ..Config::default() };
    let outcome = explored_with(&mut loaded, id, &[], &[], config);
    assert_eq!((outcome.tests.len(), outcome.summary.graph), (10, Some(57)));
}

/// Where conditions are free, every path of the graph is one of an input; calls multiply.
#[test]
fn all_paths_of_a_graph_of_free_choices_are_found() {
    let at = clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "paths", "free");
    let file = at.join("free.c");
    let text = "static int h(int x) { switch (x) { case 1: return 4; case 2: case 5: return 7; default: return 1; } }\n\
        int f(int a, int b, int c, int d, int n) {\n int s = 0;\n if (a && (b || !c)) s = 1;\n s += h(d);\n\
        for (int i = 0; i < n; i++) { if (n & 1 << i) s++; }\n do s++; while (s < 0);\n return s; }\n";
    std::fs::write(&file, text).expect("the file can be written");
    for (whole, decided) in [(false, 4), (true, 2)] {
        let mut loaded = load(&Options::file(file.clone())).expect("the front end can read the file");
        let id = loaded.program.function("f").expect("the function is there");
        let graph = graph::paths(&loaded.program, id, Some(2), whole);
        // Arms of the switch, turns of the first loop with a choice in each, and of the second, which never goes on.
        assert_eq!(graph, Some(decided * 4 * 7 * 2), "whole: {whole}");
        let config = Config { bound: Some(2), whole, ..Config::default() };
        let outcome = explored_with(&mut loaded, id, &[], &[], config);
        let within = outcome.tests.iter().filter(|test| test.explored.turns <= 2).count();
        // Of the choices, those go together of which n has the bits.
        assert_eq!(within as u128 % decided, 0);
        assert!(within as u128 <= decided * 4 * 7, "{within}");
        assert_eq!(outcome.summary.graph, graph);
    }
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
    // No element of `a` is the target; or some of the three are, and each of `b` is or is not.
    counts("sample.c", "sample", &[], 1 + 7 * 8);
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
    brute_force("foo_cl2000.c", "foo", &["x", "y"], 0..=40);
    brute_force("josephus.c", "f", &["n", "m"], 0..=4);
}

#[test]
fn paths_through_arrays_are_those_of_brute_force() {
    let valid = r"\valid(a+(0..n-1))";
    let unsorted = |bound: i32| (0..4).flat_map(move |n| arrays(n, bound).into_iter().map(move |a| (n as i32, a)));
    let sorting: Vec<Input> = unsorted(3).map(|(n, a)| array_input(&[n], 0, &a)).collect();
    input_force("bub.c", "Bub", &["n=0..3"], &[valid], &sorting);
    input_force("insert.c", "Insert", &["n=0..3"], &[valid], &sorting);
    let sorted = unsorted(7).filter(|(_, a)| a.is_sorted());
    let searching: Vec<Input> =
        sorted.flat_map(|(n, a)| (0..7).map(move |key| array_input(&[n, key], 0, &a))).collect();
    let ordered = r"\forall integer i; 0 <= i < n-1 ==> a[i] <= a[i+1]";
    input_force("bsearch.c", "bin_search", &["n=0..3"], &[valid, ordered], &searching);
    let square = |a: &[i32]| [&a[..2], &[0; 6], &a[2..], &[0; 54]].concat();
    let matrices = || arrays(4, 2).into_iter().map(|a| square(&a));
    let closing: Vec<Input> =
        (0..3).flat_map(|n| matrices().map(move |matrix| array_input(&[n], 1, &matrix))).collect();
    input_force("warshall.c", "Warshall", &["n=0..2"], &[], &closing);
}

#[test]
fn one_test_per_alias_relation() {
    let relations = |dimension: u32, alias: Alias| {
        let (mut loaded, id) = open("alias_tab.c", "f");
        let (valid, read, written) = (
            format!(r"\valid(tab+(0..{}))", dimension - 1),
            format!("0 <= y+4 < {dimension}"),
            format!("0 <= 2+2*x-y < {dimension}"),
        );
        let config = Config { alias, ..Config::default() };
        let domains = ["x=-1000..1000", "y=-1000..1000"];
        explored_with(&mut loaded, id, &domains, &[&valid, &read, &written], config).tests.len()
    };
    assert_eq!((relations(10, Alias::Split), relations(20, Alias::Split)), (4, 6), "as in the manifest");
    assert_eq!(relations(20, Alias::Merge), 2, "one test per path");
}

#[test]
fn a_precondition_in_c_is_not_part_of_the_paths() {
    let (mut loaded, id) = open("precond.c", "f");
    let outcome = explored(&mut loaded, id, &[], None);
    assert_eq!((paths_of(&outcome).len(), outcome.summary.refuted), (3, 0));
    let (mut loaded, id) = open("precond.c", "sorted");
    let outcome = explored(&mut loaded, id, &[], None);
    assert_eq!((paths_of(&outcome).len(), outcome.summary.refuted), (3, 3));
    assert!(outcome.proof(None).is_some(), "all inputs that are allowed were explored");
}

#[test]
fn nothing_diverges_in_the_whole_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files: Vec<_> = std::fs::read_dir(corpus).expect("it is there").flatten().map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    for file in files {
        let name = file.file_name().and_then(|name| name.to_str()).expect("names are text").to_owned();
        let loaded = load(&Options { library: true, ..Options::file(&file) }).expect("the front end can read the file");
        let own = |id: &FunctionId| loaded.program.sources.locate(loaded.program.functions[*id].span);
        let functions: Vec<FunctionId> = loaded.program.functions.ids().collect();
        let functions = functions.into_iter().filter(|id| {
            let is_own = own(id).is_some_and(|place| Path::new(&place.file) == file);
            is_own && loaded.program.functions[*id].is_defined()
        });
        let functions: Vec<FunctionId> = functions.collect();
        let natives = Natives::new(&loaded.program, &loaded.builds, &functions, &Config::default(), false);
        for function in functions {
            let config = Config {
                bound: Some(2),
                limits: Limits {
                    tests: 40,
                    deadline: Deadline::default().or_work(Duration::from_secs(1)),
                    ..Limits::default()
                },
                ..Config::default()
            };
            let precondition = Precondition::default();
            let request = Request { program: &loaded.program, natives: &natives, function, precondition, config };
            let outcome = session::run(&request, &mut |_| {});
            let outcome = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
            let diverged = outcome.tests.iter().filter_map(|test| test.divergence.as_ref());
            let function = &loaded.program.functions[function].name;
            assert_eq!(diverged.collect::<Vec<_>>(), Vec::<&String>::new(), "{function} in {name}");
        }
    }
}
