//! Units as C programmers write them: every kind of input, linked structures, stubs.
//!
//! Each file of `tests/corpus/units` is tested as a user would, by the command line with MC/DC. The facts: every objective
//! is covered, unless its line says otherwise; `//~ infeasible` says that some objective of the line is infeasible, and
//! `//~? unknown` that some cannot be decided yet, which fails on the day it is. Every test was executed and went as
//! predicted; the test code compiles without warnings of its own and passes.

use clew_testing::effort;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Work for one function, in seconds of a machine of today; all need far less.
const EFFORT: &str = "60";

fn folder(name: &str) -> PathBuf {
    clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "units", name)
}

/// Runs a command and gives everything it prints.
fn run(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The verdict other than `covered` that each line of a file may have.
fn facts(text: &str) -> BTreeMap<u64, &str> {
    let fact = |line: &'_ str| {
        ["infeasible", "unknown"]
            .into_iter()
            .find(|word| line.ends_with(&format!("~ {word}")) || line.ends_with(&format!("~? {word}")))
    };
    text.lines().enumerate().filter_map(|(index, line)| Some((index as u64 + 1, fact(line)?))).collect()
}

/// The verdicts other than `covered` that the lines of a suite have.
fn verdicts(suite: &Value) -> BTreeSet<(u64, String)> {
    let functions = suite["functions"].as_array().expect("a suite has functions");
    let objectives = functions.iter().flat_map(|function| function["objectives"].as_array().into_iter().flatten());
    let verdict = |objective: &Value| {
        let verdict = objective["verdict"].as_str().expect("an objective has a verdict");
        (objective["line"].as_u64().expect("an objective has a line"), verdict.to_owned())
    };
    objectives.map(verdict).filter(|(_, verdict)| verdict != "covered").collect()
}

/// The options that the first line of a file asks for: `//@ options: --malloc may-fail`.
fn options(text: &str) -> Vec<&str> {
    let first = text.lines().next().and_then(|line| line.strip_prefix("//@ options: "));
    first.into_iter().flat_map(str::split_whitespace).collect()
}

/// Checks a file of the corpus.
fn check(name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/units").join(name);
    let text = std::fs::read_to_string(&file).expect("the file can be read");
    let at = folder(name);
    std::fs::copy(&file, at.join(name)).expect("the file can be copied");
    let mut clew = Command::new(env!("CARGO_BIN_EXE_clew"));
    clew.current_dir(&at).args(["test", "--no-verify", name, "-c", "mcdc", "-o", "out"]);
    if !options(&text).contains(&"--effort") {
        clew.args(effort(EFFORT));
    }
    clew.args(options(&text));
    let printed = run(&mut clew);
    assert!(!printed.contains("error:") && !printed.contains("unsupported:"), "{printed}");
    assert!(!printed.contains("diverged") && printed.contains("all as predicted"), "{printed}");
    let suite = std::fs::read_to_string(at.join("out/suite.json")).expect("a suite was written");
    let suite: Value = serde_json::from_str(&suite).expect("the suite is JSON");
    let expected: BTreeSet<(u64, String)> =
        facts(&text).into_iter().map(|(line, fact)| (line, fact.to_owned())).collect();
    assert_eq!(verdicts(&suite), expected, "verdicts by line of {name}:\n{printed}");
    let made = run(Command::new("make").current_dir(at.join("out")).args(["-k", "check", "CFLAGS=-Wall -Wextra"]));
    let warns = |line: &&str| line.starts_with("test_") && (line.contains("warning:") || line.contains("error:"));
    assert_eq!(made.lines().filter(warns).collect::<Vec<_>>(), Vec::<&str>::new(), "{made}");
    for file in std::fs::read_dir(at.join("out")).expect("there is a suite").flatten() {
        if file.path().extension().is_some_and(|ending| ending == "c") {
            let code = std::fs::read_to_string(file.path()).expect("a test file was written");
            assert!(!code.contains(")\n{\n}"), "a test of {name} does nothing:\n{code}");
        }
    }
    let results: Vec<&str> = made.lines().filter(|line| line.contains(" passed, ")).collect();
    assert!(!results.is_empty(), "{made}");
    assert!(results.iter().all(|line| line.contains(" 0 failed")), "{made}");
}

/// One test for each file.
macro_rules! units {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            check(concat!(stringify!($name), ".c"));
        })*

        #[test]
        fn every_file_is_tested() {
            let names = BTreeSet::from([$(concat!(stringify!($name), ".c").to_owned()),*]);
            let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/units");
            let files = std::fs::read_dir(corpus).expect("the corpus is there");
            let files = files.map(|file| file.expect("it can be listed").file_name().to_string_lossy().into_owned());
            assert_eq!(files.collect::<BTreeSet<_>>(), names);
        }
    };
}

units! {
    addresses_of_variables, allocation, argv, arrays, assembly, atomics, attributes, barriers, bit_fields, buckets,
    builtin_names, bulk_fill, by_value, callbacks, compression_windows, constants, constructors, control, controllers,
    cursors, dag, decisions_before_undefined, declared_arrays, declared_main, derived, dlist, entry, enums, errno,
    evaluation, external_globals, external_writes, far_indices, flexible, fortified, frame, freed_and_reallocated,
    function_pointers, gcc_call_order, gcc_evaluates_early, hash, havocked_arrays, hidden_names, hidden_symbols, hooks,
    incomplete_types, initial_globals, initialisers, inlines, int128, intrusive_lists, io, knr, large_files, list,
    long_tables, mock_names, numbers_in_pointers, one_past_end, own_errno, own_headers, partly_written, qualifiers,
    reallocation, registers, ring, scanning, sched, sizes_from_input, sorting_indices, static_state, strings, structs,
    stub_option, stubs, stubs_past_heap_objects, symbol_versions, ternary, text, threaded_code, tree, types_by_use,
    unaligned_pointers, union_punning, unions, unprototyped, untagged_structures, va_list_stubs, variables, variadic,
    vla, void_pointer, volatile, wide_floats, wrappers, wrong_attributes,
}
