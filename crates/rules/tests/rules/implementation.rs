//! An implementation in C against the rules: `examples/jcvm.c`, and 20 mutants of it.
//!
//! All mutants are compiled at once: each is an alternative that the variable `mutant` chooses.

use super::jcvm::jcvm;
use clew_frontend_rules::Spec;
use clew_frontend_rules::spec::FunctionId;
use clew_rules::adapter::{Adapter, Check};
use clew_rules::exhaust::exhaust;
use clew_rules::generate::{Config, generate};
use clew_rules::report::test_names;
use clew_rules::{Concretise, Test};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Mutants: the function, an expression of it, and what is there instead. None of them is equivalent.
const MUTANTS: [(&str, &str, &str); 20] = [
    ("next", "->pc += 1", "->pc += mutant == 1 ? 2 : 1"),
    ("holds", "order < 0", "(mutant == 2 ? order <= 0 : order < 0)"),
    ("holds", "order >= 0", "(mutant == 3 ? order > 0 : order >= 0)"),
    ("holds", "order > 0;", "(mutant == 4 ? order >= 0 : order > 0);"),
    ("holds", "return order == 0", "return (mutant == 5 ? order != 0 : order == 0)"),
    ("push", "st.frames.count == 0", "st.frames.count == 0 && mutant != 6"),
    ("aconstnull", "REF, 0", "REF, mutant == 7"),
    ("constant", "k == REF || k == RETURN", "k == REF || (k == RETURN && mutant != 8)"),
    ("jsr", "->pc + 1", "->pc + (mutant != 9)"),
    ("lacks", "< values", "+ (mutant == 10) < values"),
    ("pop2", "count -= 2", "count -= mutant == 11 ? 1 : 2"),
    ("dup2", "w.kind, w.number", "w.kind, mutant == 12 ? v.number : w.number"),
    ("swap", "= w;", "= mutant == 13 ? v : w;"),
    ("if_reference", "== is_null", "== (mutant == 14 ? 1 : is_null)"),
    ("icmp", "SHORT, order", "mutant == 15 ? INT : SHORT, order"),
    ("if_scmp_cond", "v.number, w.number", "mutant == 16 ? w.number : v.number, mutant == 16 ? v.number : w.number"),
    ("ret", "value.kind != RETURN", "value.kind != (mutant == 17 ? REF : RETURN)"),
    ("load", "!slot || !slot->full", "!slot || (!slot->full && mutant != 18)"),
    ("store", "v.kind == RETURN", "v.kind == RETURN && mutant != 19"),
    ("inc", "+= x", "+= mutant == 20 ? -x : x"),
];

/// The source with all mutants in it.
fn mutated(source: &str) -> String {
    let mut text = source.to_owned();
    for (function, from, to) in MUTANTS {
        let start = text.find(&format!(" {function}(")).expect("the function is there");
        let end = start + text[start..].find("\n}").expect("the function ends");
        let at = start + text[start..end].find(from).unwrap_or_else(|| panic!("{function} has `{from}`"));
        text.replace_range(at..at + from.len(), to);
    }
    format!("static int mutant;\n{text}")
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

fn adapter() -> Adapter {
    let text = std::fs::read_to_string(examples().join("jcvm.toml")).expect("the adapter is there");
    Adapter::read(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// A program that runs the checks on the mutant of its first argument, and prints how many fail.
fn build(name: &str, adapter: &Adapter, checks: &[Check]) -> PathBuf {
    let source = std::fs::read_to_string(examples().join("jcvm.c")).expect("the implementation is there");
    let mut text = format!("#include <stdio.h>\n#include <stdlib.h>\n{}{}", mutated(&source), adapter.prelude);
    let mut calls = String::new();
    for Check { name, statements, condition, .. } in checks {
        let _ = write!(text, "static int {name}(void)\n{{\n{}\nreturn !({condition});\n}}\n", statements.join("\n"));
        let _ = writeln!(calls, "failed += {name}();");
    }
    let _ = write!(
        text,
        "int main(int argc, char **argv)\n{{\nint failed = 0;\nmutant = argc > 1 ? atoi(argv[1]) : 0;\n{calls}\
        printf(\"%d\\n\", failed);\nreturn 0;\n}}\n"
    );
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (file, program) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&file, text).expect("the folder of tests can be written");
    let status = Command::new("cc").args(["-O0", "-w", "-o"]).arg(&program).arg(&file).status();
    assert!(status.expect("there is a C compiler").success(), "{} does not compile", file.display());
    program
}

/// How many checks fail on a mutant.
fn failures(program: &Path, mutant: usize) -> usize {
    let output = Command::new(program).arg(mutant.to_string()).output().expect("the program runs");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("it prints a number")
}

/// The tests of all rules of some functions: with the smallest terms, and with random ones, since the smallest are often
/// equal to each other. Terms of so few constructors have an empty heap.
fn tests(spec: &Spec, functions: &[FunctionId]) -> Vec<Test> {
    let random = (0..6).map(|seed| Concretise::Random { size: 4, seed });
    let ways = std::iter::once(Concretise::Smallest).chain(random);
    let config = |concretise| Config { functions: functions.to_vec(), concretise, ..Config::new(spec) };
    ways.flat_map(|concretise| generate(spec, &config(concretise)).tests).collect()
}

#[test]
fn tests_of_all_rules_find_every_mutant() {
    let (spec, adapter) = (jcvm(), adapter());
    assert_eq!(adapter.unknown(&spec), Vec::<String>::new());
    let functions = adapter.implemented(&spec);
    assert_eq!(functions.len(), 20);
    let tests = tests(&spec, &functions);
    let names = test_names(&spec, &tests);
    let checks: Result<Vec<Check>, _> =
        tests.iter().zip(&names).map(|(test, name)| adapter.check(&spec, name, test)).collect();
    let program = build("jcvm_rules", &adapter, &checks.expect("every term can be written in C"));
    assert_eq!(failures(&program, 0), 0, "the implementation agrees with the rules");
    let alive: Vec<usize> = (1..=MUTANTS.len()).filter(|mutant| failures(&program, *mutant) == 0).collect();
    assert_eq!(alive, Vec::<usize>::new(), "these mutants are not found");
}

#[test]
fn agreement_up_to_a_size_is_exhaustive() {
    let (spec, adapter) = (jcvm(), adapter());
    let function = spec.function("nop").expect("it is an instruction");
    let all = exhaust(&spec, function, 13, 3_000, 10_000);
    let named = all.tests.iter().enumerate();
    let checks: Vec<Check> =
        named.filter_map(|(number, test)| adapter.check(&spec, &format!("term_{number}"), test).ok()).collect();
    assert!(checks.len() > 5, "{} terms", checks.len());
    let program = build("jcvm_agree", &adapter, &checks);
    assert_eq!(failures(&program, 0), 0);
    assert!(failures(&program, 1) > 0, "the mutant differs on a small term");
}
