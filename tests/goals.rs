//! Goals: lines that are reached or proved unreachable, properties that are proved or violated.

use clew_analyze::facts::{self, Target, facts};
use clew_coverage::{self as coverage, Criterion};
use clew_frontend::{Loaded, Options, contract, load};
use clew_ir::{FunctionId, Span};
use clew_prove::{self as goal, Goal, Proof, Site, Verdict, Wanted};
use clew_session::goals::collect::{Selection, loop_named, points_on, properties};
use clew_session::goals::{Answered, Asked, run};
use clew_session::{self as session, Natives, Outcome, Request};
use clew_solver::clock::Deadline;
use clew_symbolic::Precondition;
use clew_symbolic::config::{Allocations, Config, Errors, Limits, Stubbing};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn corpus(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(file)
}

fn open(file: &str, function: &str) -> (Loaded, FunctionId) {
    let options = Options { library: true, ..Options::file(corpus(file)) };
    let loaded = load(&options).expect("the front end can read the file");
    let function = loaded.program.function(function).expect("the function is there");
    (loaded, function)
}

fn pursue(loaded: &mut Loaded, function: FunctionId, requires: &[&str], asked: Vec<Asked>) -> Vec<Answered> {
    pursue_with(loaded, function, requires, asked, Errors::AssumeAbsent)
}

fn pursue_with(
    loaded: &mut Loaded,
    function: FunctionId,
    requires: &[&str],
    asked: Vec<Asked>,
    errors: Errors,
) -> Vec<Answered> {
    let mut precondition = Precondition::default();
    for text in requires {
        let clause = contract::precondition(loaded, function, text).expect("the precondition fits");
        precondition.clauses.push(clause);
    }
    let config = Config {
        errors,
        limits: Limits { deadline: Deadline::default().or_work(Duration::from_secs(60)), ..Limits::default() },
        ..Config::default()
    };
    let natives = Natives::new(&loaded.program, &loaded.builds, &[function], &config, false);
    let request = Request { program: &loaded.program, natives: &natives, function, precondition, config };
    run(&request, asked).expect("the goals can be pursued")
}

fn asked(site: Site, wanted: Wanted) -> Vec<Asked> {
    vec![Asked { id: "goal".to_owned(), span: Span::NONE, text: String::new(), goal: Ok(Goal { site, wanted }) }]
}

/// What is known of the line that carries a mark.
fn line(file: &str, function: &str, requires: &[&str], mark: &str) -> Verdict {
    let (mut loaded, id) = open(file, function);
    let path = corpus(file);
    let text = std::fs::read_to_string(&path).expect("the file can be read");
    let line = 1 + text.lines().position(|line| line.contains(mark)).expect("the mark is there") as u32;
    let points = points_on(&loaded.program, &path.display().to_string(), line);
    assert!(!points.is_empty(), "there is code on line {line} of {file}");
    let points = points.into_iter().map(|(point, _)| point).collect();
    let answers = pursue(&mut loaded, id, requires, asked(Site::Points(points), Wanted::Arrival));
    answers.into_iter().next().expect("there is an answer").verdict
}

/// The first arguments of the input that was found.
fn arguments(verdict: &Verdict) -> Vec<i32> {
    let Verdict::Reached(explored) = verdict else { panic!("it is not reached: {verdict:?}") };
    let number = |bytes: &[u8]| i32::from_le_bytes(bytes[..4].try_into().expect("an int has four bytes"));
    explored.input.arguments.iter().map(|content| number(&content.bytes)).collect()
}

fn infeasible(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Infeasible(_))
}

/// What is known of a postcondition.
fn ensured(file: &str, function: &str, requires: &[&str], ensures: &str) -> Verdict {
    let (mut loaded, id) = open(file, function);
    let clause = contract::postcondition(&mut loaded, id, ensures).expect("the postcondition fits");
    let wanted = Wanted::Fails { assumes: Vec::new(), predicate: clause.predicate };
    let answers = pursue(&mut loaded, id, requires, asked(Site::Return, wanted));
    answers.into_iter().next().expect("there is an answer").verdict
}

/// What is known of so many turns of a loop.
fn turns(file: &str, function: &str, name: &str, turns: u32) -> Verdict {
    let (mut loaded, id) = open(file, function);
    let target = loop_named(&loaded.program, id, name).expect("there is such a loop");
    let answers = pursue(&mut loaded, id, &[], asked(Site::Turns(id, target, turns), Wanted::Arrival));
    answers.into_iter().next().expect("there is an answer").verdict
}

#[test]
fn properties_of_tcas() {
    let (mut loaded, id) = open("goals/tcas.c", "alt_sep_test");
    let asked = properties(&loaded.program, id, &Selection::default());
    let answers = pursue(&mut loaded, id, &[], asked);
    let verdicts: Vec<(String, bool)> = answers
        .iter()
        .map(|answer| {
            let violated = matches!(answer.verdict, Verdict::Reached(_));
            assert!(violated || infeasible(&answer.verdict), "{}: {:?}", answer.asked.id, answer.verdict);
            (answer.asked.id.clone(), violated)
        })
        .collect();
    let violated: Vec<&str> = verdicts.iter().filter(|(_, violated)| *violated).map(|(id, _)| id.as_str()).collect();
    assert_eq!(verdicts.len(), 10);
    assert_eq!(violated, ["P2b", "P3a", "P4a", "P4b", "P5b"]);
    assert!(infeasible(&line("goals/tcas.c", "alt_sep_test", &[], "@goal 11-12")));
}

#[test]
fn pointers() {
    assert_eq!(arguments(&line("cond_alias.c", "f", &[], "@goal 6-7"))[2], 1);
    assert_eq!(arguments(&line("foo_pointer.c", "foo", &[], "@goal 9-10")), [5]);
    assert!(infeasible(&line("foo_pointer.c", "foo", &["i != 5"], "@goal 9-10")));
    assert!([8, 9].contains(&arguments(&line("lh98.c", "lh98", &[], "@goal 10-11"))[0]));
    assert!(infeasible(&line("lh98.c", "lh98", &["h < 8 || h > 9"], "@goal 10-11")));
    let i = arguments(&line("jos97.c", "jos97", &[], "@goal 8-9"))[0];
    assert!(i >= 2 && i % 3 == 2, "jos97 with {i}");
    assert!(matches!(line("jos97_ring.c", "jos97_ring", &["3 <= n <= 60"], "@goal last"), Verdict::Reached(_)));
    assert!(matches!(line("trityp_ptr.c", "trityp_ptr", &[], "@goal equilateral"), Verdict::Reached(_)));
    assert!(matches!(line("alias_mem.c", "alias_mem", &["i <= 9"], "@goal e-then"), Verdict::Reached(_)));
    assert!(infeasible(&line("alias_mem.c", "alias_mem", &["i > 9"], "@goal e-then")));
}

#[test]
fn loops() {
    let ranges = ["8 <= X <= 12", "0 <= N <= 10"];
    assert!(infeasible(&ensured("power_int.c", "power", &ranges, "10 <= \\result <= 14 ==> N == 1")));
    assert!(infeasible(&ensured("power_int.c", "power", &ranges, "900 <= \\result <= 1100 ==> N == 3 && X == 10")));
    assert_eq!(arguments(&ensured("power_int.c", "power", &ranges, "\\result != 1000")), [10, 3]);
    assert_eq!(arguments(&ensured("sum.c", "sum", &["I > 0"], "!(50 <= \\result <= 60)")), [10]);
    assert!(infeasible(&ensured("gcd.c", "gcd", &["1 <= X <= 10", "10 <= Y <= 20"], "1 <= \\result <= 10")));
    assert!(infeasible(&ensured("w_simple.c", "w_simple", &[], "\\result >= 2")));
    assert_eq!(arguments(&line("fact_issta98.c", "f", &[], "@goal 5")), [2]);
    assert!(infeasible(&line("loop_diverge.c", "loop", &["X < 0"], "@goal exit")));
    let m = arguments(&turns("josephus.c", "f", "3", 4));
    assert_eq!(m[1], 5);
    assert!(infeasible(&ensured("josephus.c", "f", &["n == 41", "m == 3"], "\\result == 31")));
    assert_eq!(arguments(&turns("josephus.c", "f", "2", 12))[0], 13);
}

/// Old and new values of a variable are told apart in the relations of abstract states.
#[test]
fn sums_with_the_old_value() {
    let known = |ensures| ensured("goals/own_sum.c", "f", &["0 <= a < 6"], ensures);
    assert!(arguments(&known("\\result < 4"))[0] > 2);
    assert!(infeasible(&known("\\result < 7")));
}

/// The goal decides how often a loop before it turns.
#[test]
fn turns_decided_after_the_loop() {
    for (requires, least) in [("a == 1", 42), ("a == 3", 142)] {
        assert!(arguments(&line("jaut_foo.c", "foo", &[requires], "@goal I"))[0] >= least);
    }
    assert!(infeasible(&line("jaut_foo.c", "foo", &["a == 1", "i < 42"], "@goal I")));
}

#[test]
fn points_to_is_flow_sensitive() {
    let (loaded, id) = open("pointsto_fig5.c", "pointsto_fig5");
    let known = facts(&loaded.program, id, &facts::Options::default());
    let local =
        |name: &str| loaded.program.functions[id].locals.iter().find(|it| it.1.name == name).expect("it is there").0;
    for (pointer, target) in [("p", "b"), ("q", "a")] {
        let definite = [Target::Local(id, local(target))].into();
        assert_eq!(known.targets(id, None, local(pointer)), Some(definite), "{pointer}");
    }
}

/// What the functions of `heap_errors.c` do wrong, in order.
const WRONG: [(&str, &str); 9] = [
    ("divides", "division by zero, or the quotient is not representable"),
    ("follows_null", "null pointer"),
    ("frees_twice", "the pointer does not denote a live heap object"),
    ("uses_after_free", "the object no longer exists"),
    ("copies_too_much", "the access lies outside of its object"),
    ("loses", "what is allocated here is lost"),
    ("loses_a_tail", "what is allocated here is lost"),
    ("loses_nothing", ""),
    ("loses_what_grew", "what is allocated here is lost"),
];

/// What comes of testing a function for a criterion.
fn tested(loaded: &Loaded, id: FunctionId, criterion: Criterion, allocations: Allocations) -> Outcome<'_> {
    let config =
        Config { stubbing: Stubbing { allocations, ..Stubbing::default() }, ..Config::for_criteria(vec![criterion]) };
    let natives = Natives::new(&loaded.program, &loaded.builds, &[id], &config, false);
    let precondition = Precondition::default();
    let request = Request { program: &loaded.program, natives: &natives, function: id, precondition, config };
    session::run(&request, &mut |_| {}).expect("the function can be tested")
}

/// What goes wrong is found while paths are explored and while checks are proved; nothing of it is called infeasible.
#[test]
fn errors_of_the_heap_and_certain_ones() {
    for (function, wrong) in WRONG {
        let (mut loaded, id) = open("heap_errors.c", function);
        let outcome = tested(&loaded, id, Criterion::Error, Allocations::Succeed);
        let found: Vec<&str> = outcome.findings.iter().map(|it| it.finding.failure.what.as_str()).collect();
        let wanted: Vec<&str> = [wrong].into_iter().filter(|wrong| !wrong.is_empty()).collect();
        assert_eq!(found, wanted, "{function}");
        let ledger = outcome.ledger.expect("there is a criterion");
        let covered = ledger.entries().filter(|entry| matches!(entry.2, coverage::Verdict::Covered(_))).count();
        let unknown = ledger.entries().filter(|entry| matches!(entry.2, coverage::Verdict::Unknown(_))).count();
        assert_eq!((covered, unknown), (wanted.len(), 0), "{function}");
        let asked = properties(&loaded.program, id, &Selection { checks: true, ..Selection::default() });
        let answers = pursue_with(&mut loaded, id, &[], asked, Errors::Report);
        let violated = answers.iter().filter(|answer| matches!(answer.verdict, Verdict::Reached(_))).count();
        let open = answers.iter().filter(|answer| matches!(answer.verdict, Verdict::Unknown(_))).count();
        assert_eq!((violated, open), (wanted.len(), 0), "{function}");
    }
}

/// Sizes of allocations that the input decides and that are always small are all looked at.
#[test]
fn small_allocations() {
    let (mut loaded, id) = open("heap_errors.c", "zeroes_few");
    let asked = properties(&loaded.program, id, &Selection { checks: true, ..Selection::default() });
    let answers = pursue_with(&mut loaded, id, &[], asked, Errors::Report);
    assert!(answers.iter().all(|answer| infeasible(&answer.verdict)), "{answers:?}");
}

/// Elements whose bytes cannot be counted are not allocated.
#[test]
fn sizes_that_do_not_fit() {
    let (loaded, id) = open("heap_errors.c", "counts_too_many");
    let outcome = tested(&loaded, id, Criterion::Decision, Allocations::MayFail);
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    let ledger = outcome.ledger.expect("there is a criterion");
    assert!(ledger.entries().all(|entry| matches!(entry.2, coverage::Verdict::Covered(_))));
}

/// Files of the corpus with a function `never` whose marked line cannot be reached, and a look-alike `maybe`.
#[test]
fn code_behind_loops() {
    let folder = corpus("goals");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("the corpus can be listed").file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with("loop_"))
        .collect();
    files.sort();
    assert_eq!(files.len(), 30);
    for file in files {
        let file = format!("goals/{file}");
        let never = line(&file, "never", &[], "//~ unreachable");
        assert!(infeasible(&never), "{file}: not proved unreachable: {never:?}");
        let maybe = line(&file, "maybe", &[], "//~ reachable");
        assert!(matches!(maybe, Verdict::Reached(_)), "{file}: not reached: {maybe:?}");
    }
}

/// What the goal demands of the arguments is looked at before any path.
#[test]
fn demands_come_first() {
    assert!(infeasible(&line("goals/contradicting_demands.c", "never", &[], "//~ unreachable")));
    assert!(matches!(line("goals/contradicting_demands.c", "maybe", &[], "//~ reachable"), Verdict::Reached(_)));
}

/// Goals behind more paths than can be run forward.
#[test]
fn searched_for_backwards() {
    for (name, by_this_alone) in [("digits", true), ("loops", true), ("turns", false)] {
        let file = format!("goals/backward_{name}.c");
        let never = line(&file, "never", &[], "//~ unreachable");
        assert!(infeasible(&never), "{file}: {never:?}");
        assert!(!by_this_alone || never == Verdict::Infeasible(Proof::Backward), "{file}: {never:?}");
        let maybe = line(&file, "maybe", &[], "//~ reachable");
        assert!(matches!(maybe, Verdict::Reached(_)), "{file}: {maybe:?}");
    }
}

/// Arguments with few values get them one by one.
#[test]
fn labelled_arguments() {
    let file = "goals/label_divisors.c";
    assert!(infeasible(&line(file, "never", &[], "//~ unreachable")));
    assert!(matches!(line(file, "maybe", &[], "//~ reachable"), Verdict::Reached(_)));
}

/// What a static variable holds after earlier calls is not known, whichever search has come to its end.
#[test]
fn static_variables_keep_what_they_hold() {
    let (loaded, id) = open("goals/static_kept.c", "f");
    let path = corpus("goals/static_kept.c").display().to_string();
    let points = points_on(&loaded.program, &path, 6).into_iter().map(|(point, _)| point).collect();
    let goals = [Goal { site: Site::Points(points), wanted: Wanted::Arrival }];
    let config = Config {
        limits: Limits { deadline: Deadline::default().or_work(Duration::from_secs(2)), ..Limits::default() },
        ..Config::default()
    };
    let verdicts = goal::pursue(&loaded.program, id, &Precondition::default(), &config, &goals, &mut |_, _| true);
    assert!(matches!(verdicts.expect("there is no precondition")[..], [Verdict::Unknown(_)]));
}

/// A limit that is met on one way says nothing about another.
#[test]
fn limits_concern_what_follows() {
    assert!(infeasible(&line("goals/volatile_separation.c", "never", &[], "//~ unreachable")));
    assert!(matches!(line("goals/volatile_separation.c", "maybe", &[], "//~ reachable"), Verdict::Reached(_)));
}

/// Classic algorithms: their functions, and a change that breaks the contract.
const CONTRACTS: [(&str, &str, &str, &str); 21] = [
    ("bsearch", "search", "mid + 1", "mid + 2"),
    ("copy", "copy", "i = 0;", "i = 1;"),
    ("first", "lower_bound", "a[mid] < x", "a[mid] <= x"),
    ("find", "find", "i < n; i++", "i < n - 1; i++"),
    ("four", "four", "+= 4", "+= 5"),
    ("inner", "inner", "s += ", "s = "),
    ("max", "max", "> m", "< m"),
    ("merge", "merge", "a[i] <= b[j]", "a[i] >= b[j]"),
    ("move", "move", "to < from", "to <= from + 1"),
    ("overload", "position", "i++", "i += 2"),
    ("partition", "partition", "a[k] = t", "a[i] = t"),
    ("remove", "remove_all", "if (a[i] != x)", "if (a[i] == x)"),
    ("replace", "replace", "a[i] = to", "a[i] = from"),
    ("reverse", "reverse", "i < j", "i + 1 < j"),
    ("ring", "put", "r->count++", "r->count += 2"),
    ("rotate", "rotate", "i + 1 < n", "i + 2 < n"),
    ("select", "selection", "i < n - 1", "i < n - 2"),
    ("sort", "sort", "j > 0", "j > 1"),
    ("sorted", "is_sorted", "i + 1 < n", "i + 2 < n"),
    ("two", "two_sum", "i++", "i += 2"),
    ("unique", "unique", "a[k - 1] !=", "a[0] !="),
];

/// What is known of the properties of a function in a text.
fn contract_of(name: &str, function: &str, text: &str) -> Vec<Answered> {
    let folder = std::env::temp_dir().join(format!("clew-contract-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("there is room for a folder");
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, text).expect("there is room for a file");
    let mut loaded = load(&Options::file(path)).expect("the front end can read the file");
    assert_eq!(loaded.diagnostics, [], "diagnostics for {name}");
    let id = loaded.program.function(function).expect("the function is there");
    let asked = properties(&loaded.program, id, &Selection::default());
    let answers = pursue(&mut loaded, id, &[], asked);
    std::fs::remove_dir_all(folder).expect("the folder is ours");
    answers
}

/// Whether an answer is about an `assigns` clause with ranges of members, which is not supported yet and must be unknown.
fn is_assigns_of_members(answer: &Answered) -> bool {
    answer.asked.text.starts_with("assigns")
        && answer.asked.text.contains("->")
        && matches!(&answer.verdict, Verdict::Unknown(reasons) if reasons.iter().all(|it| it.contains("not supported")))
}

/// Whether an answer is about a clause of a loop that is read and not checked, which must be said.
fn is_not_checked(answer: &Answered) -> bool {
    answer.asked.id.split('#').next() == Some("loop assigns")
        && matches!(&answer.verdict, Verdict::Unknown(reasons) if reasons.iter().all(|it| it.contains("is not checked")))
}

#[test]
fn contracts_of_classic_algorithms() {
    for (name, function, from, to) in CONTRACTS {
        let path = corpus(&format!("goals/contract_{name}.c"));
        let text = std::fs::read_to_string(path).expect("the file can be read");
        for answer in contract_of(name, function, &text) {
            if is_assigns_of_members(&answer) || is_not_checked(&answer) {
                continue;
            }
            assert!(infeasible(&answer.verdict), "{name}, {}: {:?}", answer.asked.text, answer.verdict);
        }
        assert!(text.contains(from), "{name} has the place to change");
        let answers = contract_of(name, function, &text.replacen(from, to, 1));
        let violated = answers.iter().any(|answer| matches!(answer.verdict, Verdict::Reached(_)));
        assert!(violated, "{name}: the mutant is not caught");
    }
}

/// What is known of the properties of a function in the corpus, by its name.
fn properties_of(file: &str, function: &str) -> Vec<(String, Verdict)> {
    let (mut loaded, id) = open(file, function);
    let asked = properties(&loaded.program, id, &Selection::default());
    let answers = pursue(&mut loaded, id, &[], asked);
    answers.into_iter().map(|answer| (answer.asked.id, answer.verdict)).collect()
}

/// Invariants are checked; those that hold prove what follows, for any number of turns.
#[test]
fn loop_invariants() {
    let file = "goals/invariant_root.c";
    let (clauses, properties): (Vec<_>, Vec<_>) =
        properties_of(file, "root").into_iter().partition(|(id, _)| id.starts_with("loop "));
    assert_eq!(clauses.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["loop assigns", "loop variant"]);
    assert!(matches!(&clauses[0].1, Verdict::Unknown(_)), "{clauses:?}");
    assert!(infeasible(&clauses[1].1), "{clauses:?}");
    for (id, verdict) in properties {
        assert!(matches!(verdict, Verdict::Infeasible(Proof::Inductive(_))), "{id}: {verdict:?}");
    }
    let known = |function: &str| -> Vec<(String, &str)> {
        let word = |verdict: &Verdict| match verdict {
            Verdict::Reached(_) => "violated",
            Verdict::Infeasible(_) => "proved",
            Verdict::Unknown(_) => "unknown",
        };
        properties_of(file, function).into_iter().map(|(id, verdict)| (id, word(&verdict))).collect()
    };
    let said = |words: &[(&str, &'static str)]| -> Vec<(String, &'static str)> {
        words.iter().map(|(id, word)| ((*id).to_owned(), *word)).collect()
    };
    let twice = [("invariant#1", "proved"), ("invariant#2", "violated"), ("invariant#3", "proved")];
    assert_eq!(known("twice"), said(&twice));
    let marks =
        [("ensures", "proved"), ("invariant#1", "proved"), ("invariant#2", "proved"), ("loop assigns", "unknown")];
    assert_eq!(known("marks"), said(&marks));
    assert_eq!(known("late"), said(&[("invariant", "violated")]));
}

/// A behavior whose assumption cannot be read promises nothing that could be violated.
#[test]
fn behaviors_without_their_assumptions() {
    let known = properties_of("goals/contract_unread.c", "half");
    assert!(matches!(known[..], [(_, Verdict::Unknown(_))]), "{known:?}");
}

/// A postcondition may read an array at an index that has many values.
#[test]
fn postconditions_read_where_the_result_says() {
    let known = properties_of("goals/contract_position.c", "position");
    assert!(matches!(known[..], [(_, Verdict::Reached(_))]), "{known:?}");
}

/// Of the functions of `moves.c` only the first can move a pointer out of its object, whether or not it is used.
#[test]
fn pointers_that_leave_their_objects() {
    for (function, leaves) in [("beyond", true), ("one_past", false), ("fixed", false), ("grows", false)] {
        let (loaded, id) = open("pointers_leave_objects.c", function);
        let config = Config::for_criteria(vec![Criterion::Error]);
        let natives = Natives::new(&loaded.program, &loaded.builds, &[id], &config, false);
        let precondition = Precondition::default();
        let request = Request { program: &loaded.program, natives: &natives, function: id, precondition, config };
        let outcome = session::run(&request, &mut |_| {}).expect("the function can be tested");
        let found = outcome.findings.iter().any(|one| one.finding.failure.what == "the pointer leaves its object");
        assert_eq!(found, leaves, "{function}");
    }
}

/// Facts about accesses to arrays of the input: which functions never fail in one.
#[test]
fn arrays_of_the_input_suffice() {
    let arrays = [("sums", true), ("passes", true), ("before", false), ("perhaps_null", false), ("of_another", false)];
    let arrays = arrays.map(|(function, never)| ("arrays.c", function, never));
    let behind = [("number", true), ("blanks", true), ("put", true), ("total", false), ("swapped", false)];
    let behind = behind.map(|(function, never)| ("nested_pointers.c", function, never));
    for (file, function, never) in arrays.into_iter().chain(behind) {
        let (loaded, id) = open(file, function);
        let access = |check: &clew_ir::Check| check.kind == clew_ir::CheckKind::Access;
        let checks: Vec<_> =
            loaded.program.functions[id].checks.iter().filter(|(_, check)| access(check)).map(|(id, _)| id).collect();
        let options = facts::Options { arrays_suffice: true, ..facts::Options::default() };
        let known = facts(&loaded.program, id, &options).never_fails;
        assert_eq!(checks.iter().all(|check| known.contains(&(id, *check))), never, "{function}");
        let known = facts(&loaded.program, id, &facts::Options::default()).never_fails;
        assert!(!checks.iter().all(|check| known.contains(&(id, *check))), "{function}: not by default");
    }
}
