//! Criteria against brute force: with a small domain, the objectives that a suite covers are exactly those that some
//! input of the domain covers, and the others are proved infeasible.
//!
//! What one input covers is found by pinning every argument to its value: all conditions and labels are then computed,
//! none is solved.

use clew_coverage::{Criterion, Ledger, Proof, Verdict, words};
use clew_frontend::{Loaded, Options, contract, load};
use clew_ir::FunctionId;
use clew_prove::exclude::ask;
use clew_search::{Next, explore, objectives};
use clew_session::{self as session, Natives, Request};
use clew_solver::clock::Deadline;
use clew_symbolic::Precondition;
use clew_symbolic::config::{Allocations, Config, Limits, Mode, Stubbing};
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

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
    // An absolute path stays what it is.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(file);
    let loaded = load(&Options::file(path)).expect("the front end can read the file");
    let function = loaded.program.function(function).expect("the function is there");
    (loaded, function)
}

fn precondition(loaded: &mut Loaded, function: FunctionId, domains: &[String]) -> Precondition {
    let mut precondition = Precondition::default();
    for domain in domains {
        let parsed = contract::domain::parse(domain).expect("the domain is well-formed");
        let clause = contract::domain::resolve(loaded, function, &parsed).expect("the domain fits");
        precondition.clauses.push(clause);
    }
    precondition
}

/// The objectives that some input covers, each pinned in turn.
fn brute_force<'p>(loaded: &'p Loaded, function: FunctionId, inputs: &[Precondition], config: &Config) -> Ledger<'p> {
    let mut ledger = objectives(&loaded.program, function, config).expect("there are criteria");
    // Where all paths are asked for, each is reported, whether it covers something new or not.
    let mut single = config.clone();
    single.mode = Mode::Paths;
    for (number, input) in (0..).zip(inputs) {
        // An input outside the function's own precondition cannot be used, and covers nothing.
        let _ = explore(&loaded.program, function, input, &single, &mut |path| {
            ledger.record(number, &path.trace);
            Next::Continue
        });
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

/// What abstract interpretation excludes, no input covers.
fn excludes_nothing(
    file: &str,
    loaded: &Loaded,
    function: FunctionId,
    domain: &Precondition,
    brute: &Ledger<'_>,
    config: &Config,
) -> usize {
    let mut asked = objectives(&loaded.program, function, config).expect("there are criteria");
    let excluded = ask(&mut asked, function, domain, &Config::default());
    for (id, proof) in &excluded {
        let what = words::describe(&loaded.program, asked.labels(), asked.objective(*id));
        assert_eq!(*brute.verdict(*id), Verdict::Open, "{file}: {what}: an input does what {proof:?} excludes");
    }
    excluded.len()
}

fn agrees(file: &str, function: &str, names: &[&str], range: RangeInclusive<i32>) {
    let (mut loaded, id) = open(file, function);
    let domains: Vec<String> = names.iter().map(|name| format!("{name}={}..{}", range.start(), range.end())).collect();
    let domain = precondition(&mut loaded, id, &domains);
    let inputs = pinned(&mut loaded, id, names, &range);
    let config = Config::for_criteria(CRITERIA.to_vec());
    let brute = brute_force(&loaded, id, &inputs, &config);
    excludes_nothing(file, &loaded, id, &domain, &brute, &config);
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

/// What is called infeasible is so, wherever exploring stops: after each number of tests.
#[test]
fn verdicts_hold_wherever_exploring_stops() {
    let mut excluded = 0;
    for (file, function, names, range) in [
        ("trityp.c", "trityp", vec!["i", "j", "k"], -1..=4),
        ("euclid.c", "Euclid", vec!["m", "n"], 1..=6),
        ("issta98_ex2.c", "foo", vec!["x", "y"], -5..=5),
        ("lh98.c", "lh98", vec!["h"], -20..=20),
        ("jos97.c", "jos97", vec!["i"], 0..=8),
        ("w_simple.c", "w_simple", vec!["X"], 0..=10),
        ("gcd.c", "gcd", vec!["X", "Y"], 1..=6),
        ("backward_cfg.c", "backward_cfg", vec!["c1", "c2", "i"], -2..=2),
        ("limited_exploration.c", "never_again", vec!["a", "b"], -2..=4),
        ("limited_exploration.c", "in_callees", vec!["a", "b"], -2..=4),
    ] {
        let (mut loaded, id) = open(file, function);
        let domains: Vec<String> =
            names.iter().map(|name| format!("{name}={}..{}", range.start(), range.end())).collect();
        let domain = precondition(&mut loaded, id, &domains);
        let inputs = pinned(&mut loaded, id, &names, &range);
        let config = Config::for_criteria(CRITERIA.to_vec());
        let brute = brute_force(&loaded, id, &inputs, &config);
        let natives = Natives::new(&loaded.program, &loaded.builds, &[id], &config, false);
        for tests in 1..8 {
            let config = Config { limits: Limits { tests, ..Limits::default() }, ..config.clone() };
            let (program, precondition) = (&loaded.program, domain.clone());
            let request = Request { program, natives: &natives, function: id, precondition, config };
            let ledger = session::run(&request, &mut |_| {}).expect("it can be tested").ledger.expect("it is there");
            for (id, objective, verdict) in ledger.entries() {
                let what = words::describe(program, ledger.labels(), objective);
                if let Verdict::Infeasible(proof) = verdict {
                    excluded += usize::from(*proof == Proof::Paths);
                    assert_eq!(*brute.verdict(id), Verdict::Open, "{file}: {what} after {tests} tests: {proof:?}");
                }
            }
        }
    }
    assert!(excluded > 20, "little is excluded: {excluded}");
}

/// What an exploration that has no end leaves in doubt is what its open branches lead to, and nothing else.
#[test]
fn what_lies_behind_is_decided() {
    let uses = [Criterion::Decision, Criterion::AllUses];
    for (file, function) in [("jos97.c", "jos97"), ("josephus.c", "f")] {
        assert_eq!(undecided_within(3, file, function, &uses), Vec::<String>::new(), "{file}: {function}");
    }
    assert_eq!(undecided_within(3, "pointer_walks.c", "either", &[Criterion::Decision]), Vec::<String>::new());
    assert_eq!(undecided_within(3, "addresses.c", "of_words", CRITERIA), Vec::<String>::new());
}

/// Functions with loops and few small inputs: facts about all their executions, against each of them.
#[test]
fn facts_about_loops_exclude_nothing_that_happens() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/goals");
    let mut excluded = 0;
    for entry in std::fs::read_dir(directory).expect("the corpus is there") {
        let name = entry.expect("the entry can be read").file_name().into_string().expect("names are plain");
        if !name.starts_with("loop_") {
            continue;
        }
        let file = format!("goals/{name}");
        for function in ["never", "maybe"] {
            let (mut loaded, id) = open(&file, function);
            let params: Vec<String> =
                loaded.program.functions[id].params.iter().map(|param| param.name.clone()).collect();
            let names: Vec<&str> = params.iter().map(String::as_str).collect();
            let is_plain = loaded.program.functions[id]
                .params
                .iter()
                .all(|param| matches!(loaded.program.ctypes.get(param.ty), clew_ir::CType::Int { .. }));
            if !is_plain || names.is_empty() || names.len() > 2 {
                continue;
            }
            let inputs = pinned(&mut loaded, id, &names, &(0..=3));
            let domains: Vec<String> = names.iter().map(|name| format!("{name}=0..3")).collect();
            let domain = precondition(&mut loaded, id, &domains);
            let config = Config::for_criteria(CRITERIA.to_vec());
            let brute = brute_force(&loaded, id, &inputs, &config);
            excluded += excludes_nothing(&file, &loaded, id, &domain, &brute, &config);
        }
    }
    assert!(excluded > 100, "facts exclude little: {excluded}");
}

/// Tests a function without a domain; gives the objectives that are not decided, in words.
fn undecided(file: &str, function: &str, criteria: &[Criterion]) -> Vec<String> {
    undecided_within(60, file, function, criteria)
}

/// The same within so much work, in seconds of a machine of today.
fn undecided_within(seconds: u64, file: &str, function: &str, criteria: &[Criterion]) -> Vec<String> {
    let (loaded, id) = open(file, function);
    let deadline = Deadline::default().or_work(Duration::from_secs(seconds));
    let config = Config { limits: Limits { deadline, ..Limits::default() }, ..Config::for_criteria(criteria.to_vec()) };
    let natives = Natives::new(&loaded.program, &loaded.builds, &[id], &config, false);
    let precondition = Precondition::default();
    let request = Request { program: &loaded.program, natives: &natives, function: id, precondition, config };
    let ledger = session::run(&request, &mut |_| {}).expect("it can be tested").ledger.expect("there are criteria");
    let open = ledger.entries().filter(|(_, _, verdict)| matches!(verdict, Verdict::Open | Verdict::Unknown(_)));
    open.map(|(_, objective, _)| words::describe(&loaded.program, ledger.labels(), objective)).collect()
}

/// The integer programs of Tables I and II of DDR (Offutt, Jin and Pan 1999): every block, every decision, every
/// definition and use is covered or proved infeasible, although their loops have no bound.
#[test]
fn the_tables_of_ddr_are_decided() {
    let criteria = [Criterion::Statement, Criterion::Decision, Criterion::AllUses];
    for (file, function) in [
        ("bub.c", "Bub"),
        ("euclid.c", "Euclid"),
        ("insert.c", "Insert"),
        ("mid.c", "mid"),
        ("trityp.c", "trityp"),
        ("warshall.c", "Warshall"),
        ("stats.c", "stats_mean"),
        ("stats.c", "stats_variance"),
        ("stats.c", "stats_range"),
    ] {
        assert_eq!(undecided(file, function, &criteria), Vec::<String>::new(), "{file}: {function}");
    }
    // That a list always has a median, and each element its equal, is beyond the facts that are known of arrays. These
    // are true and cannot be decided yet, however long; all others need less than a second.
    let median = undecided_within(4, "stats.c", "stats_median", &criteria);
    let exceptions = [
        "uses at line 15 (`i`) the value `i` gets at line 15, deciding false",
        "uses at line 24 (`eq`) the value `eq` gets at line 17, deciding true",
        "uses at line 24 (`eq`) the value `eq` gets at line 17, deciding false",
    ];
    assert_eq!(median, exceptions, "if some are decided now: improved, remove them here");
}

/// What only inputs do that run into something undefined afterwards has just that reason.
#[test]
fn ways_into_something_undefined_are_told_apart() {
    for (function, expected) in [("quotient", 1), ("element", 1), ("after_free", 1)] {
        let (loaded, id) = open("units/decisions_before_undefined.c", function);
        let config = Config {
            stubbing: Stubbing { allocations: Allocations::MayFail, ..Stubbing::default() },
            ..Config::for_criteria(vec![Criterion::Decision])
        };
        let natives = Natives::new(&loaded.program, &loaded.builds, &[id], &config, false);
        let precondition = Precondition::default();
        let request = Request { program: &loaded.program, natives: &natives, function: id, precondition, config };
        let ledger = session::run(&request, &mut |_| {}).expect("it can be tested").ledger.expect("there are criteria");
        let doomed = |verdict: &Verdict| *verdict == Verdict::Infeasible(Proof::Undefined(None));
        assert_eq!(ledger.entries().filter(|(_, _, verdict)| doomed(verdict)).count(), expected, "{function}");
    }
}

/// Tcas with all it calls: every objective of six criteria, one by one.
#[test]
fn tcas_is_decided() {
    let (loaded, id) = open("tcas.c", "alt_sep_test");
    let scope: Vec<FunctionId> = clew_analyze::reach::reach(&loaded.program, id).functions.into_iter().collect();
    for (criterion, covered, infeasible) in [
        (Criterion::Statement, 60, 1),
        (Criterion::Decision, 29, 1),
        (Criterion::Condition, 57, 3),
        (Criterion::McdcUnique, 24, 6),
        (Criterion::AllUses, 56, 4),
        (Criterion::WeakMutation, 153, 36),
    ] {
        let config = Config { scope: scope.clone(), ..Config::for_criteria(vec![criterion]) };
        let natives = Natives::new(&loaded.program, &loaded.builds, &[id], &config, false);
        let precondition = Precondition::default();
        let request = Request { program: &loaded.program, natives: &natives, function: id, precondition, config };
        let ledger = session::run(&request, &mut |_| {}).expect("it can be tested").ledger.expect("there are criteria");
        let count = |is: fn(&Verdict) -> bool| ledger.entries().filter(|(_, _, verdict)| is(verdict)).count();
        let decided = (
            count(|verdict| matches!(verdict, Verdict::Covered(_))),
            count(|verdict| matches!(verdict, Verdict::Infeasible(_))),
        );
        assert_eq!(decided, (covered, infeasible), "{criterion}");
        assert_eq!(ledger.entries().count(), covered + infeasible, "{criterion}");
    }
}

/// Loops that nothing bounds: labels, flows and turns that only an invariant excludes, or that no execution ends after.
/// A run that goes round until a number overflows covers what it does on the way. Which of its labels hold is not always found.
#[test]
fn a_loop_that_diverges_excludes_nothing_that_it_does() {
    let left = undecided_within(2, "loop_diverge.c", "loop", CRITERIA);
    assert!(left.iter().all(|what| what.contains("`X < 10`")), "{left:?}");
}

#[test]
fn loops_without_a_bound_are_decided() {
    for (file, function) in [
        ("bsearch.c", "bin_search"),
        ("bsearch_ddr.c", "BSearch"),
        ("repeated_comparisons.c", "blanks"),
        ("insert.c", "Insert"),
        ("merge.c", "Merge"),
        ("power_int.c", "power"),
        ("w_simple.c", "w_simple"),
        ("stats.c", "stats_mean"),
        ("stats.c", "stats_range"),
    ] {
        assert_eq!(undecided(file, function, CRITERIA), Vec::<String>::new(), "{file}: {function}");
    }
}

/// What one comparison of an element says holds of the next, until the element, the index or what it is compared with
/// changes.
#[test]
fn comparisons_of_elements_are_remembered() {
    let infeasible = |function: &str| {
        let (loaded, id) = open("repeated_comparisons.c", function);
        let config = Config::for_criteria(vec![Criterion::Statement]);
        let natives = Natives::new(&loaded.program, &loaded.builds, &[id], &config, false);
        let precondition = Precondition::default();
        let request = Request { program: &loaded.program, natives: &natives, function: id, precondition, config };
        let ledger = session::run(&request, &mut |_| {}).expect("it can be tested").ledger.expect("there are criteria");
        let entries = ledger.entries();
        entries.filter(|(_, _, verdict)| matches!(verdict, Verdict::Infeasible(_))).count()
    };
    assert_eq!(infeasible("place"), 1);
    assert_eq!(undecided("repeated_comparisons.c", "place", &[Criterion::Boundary]), [""; 0]);
    for function in ["written", "moved", "other_key", "other_order"] {
        assert_eq!(infeasible(function), 0, "{function}");
        assert_eq!(
            undecided("repeated_comparisons.c", function, &[Criterion::Statement]),
            Vec::<String>::new(),
            "{function}"
        );
    }
}

/// The checks of a function that may fail for all that is known, in words.
fn may_fail(file: &str, function: &str) -> Vec<String> {
    let (loaded, id) = open(file, function);
    let deadline = Deadline::default().or_work(Duration::from_secs(30));
    let config =
        Config { limits: Limits { deadline, ..Limits::default() }, ..Config::for_criteria(vec![Criterion::Error]) };
    let natives = Natives::new(&loaded.program, &loaded.builds, &[id], &config, false);
    let precondition = Precondition::default();
    let request = Request { program: &loaded.program, natives: &natives, function: id, precondition, config };
    let ledger = session::run(&request, &mut |_| {}).expect("it can be tested").ledger.expect("there are criteria");
    let failing = ledger.entries().filter(|(_, _, verdict)| !matches!(verdict, Verdict::Infeasible(_)));
    failing.map(|(_, objective, _)| words::describe(&loaded.program, ledger.labels(), objective)).collect()
}

/// Accesses under contracts that say what is valid, through loops without a bound: none fails within, one does beyond.
#[test]
fn contracts_say_what_may_be_accessed() {
    let is_access = |what: &String| what.contains("invalid access");
    assert_eq!(may_fail("valid_ranges.c", "within"), Vec::<String>::new());
    for (file, function) in [("valid_ranges.c", "joined"), ("merge.c", "Merge")] {
        let failing = may_fail(file, function);
        assert!(!failing.iter().any(is_access), "{file}: {function}: {failing:?}");
    }
    for function in ["beyond", "short_by_one"] {
        assert!(may_fail("valid_ranges.c", function).iter().any(is_access), "{function}");
    }
}

/// An access that went well does so again, until what it leads to may be gone.
#[test]
fn accesses_that_went_well_are_remembered() {
    let fails =
        |function: &str, what: &str| may_fail("repeated_accesses.c", function).iter().any(|one| one.contains(what));
    for what in ["`t->next", "`t->key` "] {
        assert!(!fails("filled", what), "{what}");
    }
    assert!(fails("filled", "`t->key = i`"));
    assert!(fails("freed", "`*p = 1`"));
    assert!(!fails("rings", "access"));
    let failing = may_fail("josephus.c", "f");
    assert!(!failing.iter().any(|what| what.contains("line 15") || what.contains("line 19")), "{failing:?}");
}

/// A store at an index of the input writes one element, and no other.
#[test]
fn elements_that_are_not_written_are_told_apart() {
    assert_eq!(may_fail("unwritten_elements.c", "one_of_two"), ["makes `a[1]` at line 6 undefined: invalid access"]);
    assert_eq!(may_fail("unwritten_elements.c", "one_of_four"), [""; 0]);
}

/// What lies before the first element is an error, and what a negative index does is tried in the middle of an array.
#[test]
fn indices_before_the_first_element_are_tried() {
    let all: Vec<Criterion> = CRITERIA.iter().copied().chain([Criterion::Error]).collect();
    assert_eq!(undecided("arrays.c", "before", &all), [""; 0]);
    assert_eq!(undecided("pointer_walks.c", "jump", &all), [""; 0]);
}

/// The middle of two bounds lies between them, however it is computed; one too far does not.
#[test]
fn middles_lie_between_their_bounds() {
    for function in ["lower", "found", "shifted"] {
        assert_eq!(may_fail("midpoints.c", function), Vec::<String>::new(), "{function}");
    }
    assert_eq!(may_fail("midpoints.c", "halves"), ["makes `n - 1` at line 51 undefined: the result overflows"]);
    for function in ["upper", "negative"] {
        assert!(may_fail("midpoints.c", function).iter().any(|what| what.contains("`a[mid]`")), "{function}");
    }
}

/// Arrays of the input have as many elements as a pointer needs that moves on, but none before the first.
#[test]
fn pointers_move_on_in_arrays_of_the_input() {
    for function in ["length", "sum", "skipped", "copied"] {
        let failing = may_fail("pointer_walks.c", function);
        assert!(!failing.iter().any(|what| what.contains("access") || what.contains("pointer")), "{failing:?}");
    }
    for (function, access) in [("back", "`s--`"), ("jump", "`s += by`"), ("either", "`p[2]`")] {
        assert!(may_fail("pointer_walks.c", function).iter().any(|what| what.contains(access)), "{function}");
    }
}

/// An element behind a null pointer, at a small index, is no address of anything.
#[test]
fn failed_allocations_are_decided() {
    let all: Vec<Criterion> = CRITERIA.iter().copied().chain([Criterion::Error]).collect();
    assert_eq!(undecided("heap_errors.c", "zeroes_few", &all), [""; 0]);
}

/// A machine as a chain of conditions: each state is reached only through all those before it.
/// A text that is read through a structure, of which the pointer is moved on.
#[test]
fn pointers_behind_pointers_are_followed() {
    let all: Vec<Criterion> = CRITERIA.iter().copied().chain([Criterion::Error]).collect();
    for function in ["number", "blanks", "put"] {
        assert_eq!(undecided("nested_pointers.c", function, &all), [""; 0], "{function}");
    }
    assert_eq!(undecided("nested_pointers.c", "swapped", CRITERIA), [""; 0]);
}

#[test]
fn a_chain_of_states_is_decided() {
    use std::fmt::Write;
    let mut text = "int chain(const char *s) {\n    int state = 0;\n    for (int i = 0; s[i]; i++) {\n".to_owned();
    for state in 0..100 {
        let letter = char::from(b'a' + (state % 26) as u8);
        let otherwise = if state == 0 { "" } else { "else " };
        writeln!(text, "        {otherwise}if (state == {state} && s[i] == '{letter}') state = {};", state + 1)
            .expect("strings grow");
    }
    text += "    }\n    return state;\n}\n";
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("chain.c");
    std::fs::write(&file, text).expect("the file can be written");
    let file = file.to_str().expect("the path is plain");
    assert_eq!(undecided(file, "chain", &[Criterion::Decision]), Vec::<String>::new());
}

/// Machines whose state is a global or a member behind a pointer, or says which function is called, and that stay where
/// they are unless the right letter comes.
#[test]
fn states_are_kept_anywhere() {
    use std::fmt::Write;
    let states = 40;
    let letter = |state: u8| char::from(b'a' + (u32::from(state) * 7 % 26) as u8);
    let mut text = "struct machine { int errors; int state; };\nstatic int where, current;\n".to_owned();
    text += "static void step(struct machine *m, int c) {\n    switch (m->state) {\n";
    for state in 0..states {
        let next = state + 1;
        writeln!(text, "    case {state}: if (c == '{}') m->state = {next}; else m->errors++; break;", letter(state))
            .expect("strings grow");
    }
    text += "    }\n}\nint member(const char *s) {\n    struct machine m = {0, 0};\n    while (*s) step(&m, *s++);\n";
    text += "    return m.errors;\n}\nint global(const char *s, int n) {\n    where = 0;\n    for (int i = 0; i < n; i++)\n        switch (where) {\n";
    for state in 0..states {
        writeln!(text, "        case {state}: if (s[i] == '{}') where = {}; break;", letter(state), state + 1)
            .expect("strings grow");
    }
    text += "        }\n    return where;\n}\n";
    for state in 0..states {
        writeln!(
            text,
            "static int s{state}(int c) {{ return c == '{}' ? {} : {state}; }}",
            letter(state),
            (state + 1) % states
        )
        .expect("strings grow");
    }
    let names: Vec<String> = (0..states).map(|state| format!("s{state}")).collect();
    writeln!(text, "static int (*const steps[])(int) = {{{}}};", names.join(", ")).expect("strings grow");
    text += "int called(const char *s, int n) {\n    current = 0;\n    for (int i = 0; i < n; i++) current = steps[current](s[i]);\n    return current;\n}\n";
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("anywhere.c");
    std::fs::write(&file, text).expect("the file can be written");
    let file = file.to_str().expect("the path is plain");
    for function in ["member", "global", "called"] {
        assert_eq!(undecided(file, function, &[Criterion::Decision]), Vec::<String>::new(), "{function}");
    }
}

/// A machine with many states: every arm and every decision is covered, and no state is left for the default.
#[test]
fn a_state_machine_is_decided() {
    use std::fmt::Write;
    let states = 12;
    let mut text = "int machine(const unsigned char *in, int n) {\n    int state = 0;\n".to_owned();
    text += "    for (int i = 0; i < n; i++) {\n        unsigned char c = in[i];\n        switch (state) {\n";
    for state in 0..states {
        let (next, far) = ((state + 1) % states, (state * 17 + 5) % states);
        let (equal, above) = (state * 7 % 256, state * 13 % 200);
        writeln!(
            text,
            "        case {state}: if (c == {equal}) state = {next}; else if (c > {above}) state = {far}; break;"
        )
        .expect("strings grow");
    }
    text += "        default: return -1;\n        }\n    }\n    return state;\n}\n";
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("machine.c");
    std::fs::write(&file, text).expect("the file can be written");
    let file = file.to_str().expect("the path is plain");
    assert_eq!(undecided(file, "machine", &[Criterion::Decision]), Vec::<String>::new());
}
