//! Floats through the whole tool: exact functions of math.h, punned bits, exceptional cases, sampled functions.
//!
//! Every test that exploration finds is executed natively; a divergence would be a wrong model of a function.

use clew_coverage::{Criterion, Verdict, words};
use clew_frontend::{Options, load};
use clew_session::{self as session, Natives, Optimised, Request};
use clew_symbolic::Precondition;
use clew_symbolic::config::Config;
use std::path::Path;

/// The objectives of a function that are not covered, in words.
fn missed(file: &str, function: &str, criterion: Criterion) -> Vec<(String, Verdict)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/floats").join(file);
    let loaded = load(&Options::file(path)).expect("the front end can read the file");
    let id = loaded.program.function(function).expect("the function is there");
    let config = Config::for_criteria(vec![criterion]);
    let natives = Natives::new(&loaded.program, &loaded.builds, &[id], &config, false);
    let precondition = Precondition::default();
    let request = Request { program: &loaded.program, natives: &natives, function: id, precondition, config };
    let outcome = session::run(&request, &mut |_| {}).expect("the function can be tested");
    for test in &outcome.tests {
        assert_eq!(test.divergence, None, "{function}: {:?}", test.explored.input);
    }
    let ledger = outcome.ledger.expect("there are criteria");
    let open = ledger.entries().filter(|(_, _, verdict)| !matches!(verdict, Verdict::Covered(_)));
    open.map(|(_, objective, verdict)| (words::describe(&loaded.program, ledger.labels(), objective), verdict.clone()))
        .collect()
}

fn covers(file: &str, function: &str, criterion: Criterion) {
    assert_eq!(missed(file, function, criterion), [], "{file}: {function}");
}

/// All but the objectives whose descriptions contain these words; those are proved infeasible.
fn covers_but(file: &str, function: &str, criterion: Criterion, infeasible: &[&str]) {
    let missed = missed(file, function, criterion);
    assert_eq!(missed.len(), infeasible.len(), "{file}: {function}: {missed:?}");
    for ((what, verdict), words) in missed.iter().zip(infeasible) {
        assert!(what.contains(words) && matches!(verdict, Verdict::Infeasible(_)), "{what}: {verdict:?}");
    }
}

#[test]
fn exact_functions_of_math_h() {
    for function in ["scaled", "fraction", "parts", "rounded", "classes"] {
        covers("math_exact.c", function, Criterion::Decision);
    }
    covers_but("math_exact.c", "neighbours", Criterion::Decision, &["nextafter(x, x) != 0.0` at line 48 true"]);
    let never = ["r >= 3.0` at line 58", "r < 0.0 && x > 0.0` at line 60"];
    covers_but("math_exact.c", "modulo", Criterion::Decision, &never);
}

#[test]
fn bits_of_floats() {
    covers_but("upper_word.c", "by_union", Criterion::Condition, &[]);
    covers("upper_word.c", "by_cast", Criterion::Condition);
    covers("upper_word.c", "by_memcpy", Criterion::Condition);
}

#[test]
fn bits_of_nans() {
    covers("nan_bits.c", "payload", Criterion::Condition);
    covers_but("nan_bits.c", "signalling", Criterion::Decision, &["> 0x7f800000` at line 26 true"]);
    covers_but("nan_bits.c", "sign", Criterion::Decision, &["signbit(fabs(x))` at line 36 true"]);
    let never = ["!= 0x7fc00005` at line 48 true", "(c.u & 0x00400000) == 0` at line 50 true"];
    covers_but("nan_bits.c", "kept", Criterion::Decision, &never);
}

#[test]
fn equations() {
    covers("equations.c", "product", Criterion::McdcUnique);
    covers("equations.c", "roots", Criterion::McdcUnique);
    covers("equations.c", "total", Criterion::McdcUnique);
}

/// The values of FPSE's tables: what the paper's conditions exclude is proved, the ends of its intervals are reached. Each is
/// a row of the table in docs/floats.md.
#[test]
fn values_of_fpse() {
    for (function, infeasible) in [
        ("foo1_single", &["x > 32767.998046875f` at line 6 true"][..]),
        ("foo1_double", &["x > 6.103515625e-05` at line 16 true"]),
        ("foo2_single", &["x + 1.0e12f > 1.0e12f` at line 26 true"]),
        ("foo2_double", &["x < 6.1035156250000014e-05` at line 35 true"]),
        ("g1_single", &["t1 - c != -1.0000000031710769e-30f` at line 46 true"]),
        ("g1_double", &["t1 - c != -1.0e-30` at line 56 true"]),
        (
            "g2_single",
            &["t1 - t3 != 0.029199600219726562f` at line 66 true", "c != 2.2859835624694824f` at line 69 true"],
        ),
        (
            "g2_double",
            &["t1 - t3 != 0.029200000000001225` at line 80 true", "c != 2.2859836065573771` at line 83 true"],
        ),
        ("howden", &["x > 0.0f` at line 96 true"]),
        ("power_single", &["y < -40.0f || y > -39.000003814697266f` at line 114 true"]),
        ("power_double", &["y < -40.0 || y > -39.000000000000007` at line 133 true"]),
        (
            "power_value",
            &["1.0f / single != 0.0f` at line 152 true", "1.0 / wide != 1.0000000000000001e-40` at line 154 true"],
        ),
    ] {
        covers_but("fpse.c", function, Criterion::Decision, infeasible);
    }
}

/// Quad and Stats of DDR's tables over floats: every block, decision, definition and use.
#[test]
fn the_tables_of_ddr_over_floats() {
    for criterion in [Criterion::Statement, Criterion::Decision, Criterion::AllUses] {
        covers("../quad.c", "Quad", criterion);
        covers("stats.c", "range", criterion);
    }
    let mean = ["(`i`) the value `i` gets at line 8, deciding false", "(`s`) the value `s` gets at line 5"];
    covers("stats.c", "mean", Criterion::Decision);
    covers_but("stats.c", "mean", Criterion::AllUses, &mean);
    let variance = ["(`i`) the value `i` gets at line 38, deciding false", "(`s`) the value `s` gets at line 34"];
    covers("stats.c", "variance", Criterion::Decision);
    covers_but("stats.c", "variance", Criterion::AllUses, &variance);
}

/// Functions that compilers know by name are those of the program, if it defines them.
#[test]
fn own_functions_with_known_names() {
    covers("own_math.c", "fmaxf", Criterion::Decision);
    covers("own_math.c", "known", Criterion::Decision);
}

/// A volatile variable that no address leads to keeps its value.
#[test]
fn volatile_variables_of_a_function_alone() {
    covers_but("barrier.c", "forced", Criterion::Decision, &["barrier(x) < 1.0 && x > 2.0` at line 10 true"]);
}

#[test]
fn what_any_number_of_the_right_size_shows() {
    covers("argument_reduction.c", "reduce", Criterion::McdcUnique);
}

#[test]
fn exceptional_cases() {
    covers("exceptions.c", "quotient", Criterion::FloatExceptions);
    covers_but("exceptions.c", "square", Criterion::FloatExceptions, &["gives NaN"]);
    covers_but("exceptions.c", "sum", Criterion::FloatExceptions, &["overflows", "cancels"]);
    covers("exceptions.c", "difference", Criterion::FloatExceptions);
    covers("exceptions.c", "ordered", Criterion::FloatExceptions);
}

#[test]
fn nothing_is_proved_by_samples() {
    let missed = missed("math_sampled.c", "sampled", Criterion::Decision);
    assert_eq!(missed.len(), 1, "{missed:?}");
    assert!(missed[0].0.contains("cos(x) > 2.0") && matches!(missed[0].1, Verdict::Unknown(_)), "{missed:?}");
}

/// The differences between two builds of a function's tests.
fn changed_by_optimisation(file: &str, function: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(file);
    let loaded = load(&Options::file(path)).expect("the front end can read the file");
    let id = loaded.program.function(function).expect("the function is there");
    let config = Config::for_criteria(vec![Criterion::Decision]);
    let natives = Natives::new(&loaded.program, &loaded.builds, &[id], &config, false);
    let natives = natives.also_optimised(Optimised::Floats);
    let precondition = Precondition::default();
    let request = Request { program: &loaded.program, natives: &natives, function: id, precondition, config };
    let outcome = session::run(&request, &mut |_| {}).expect("the function can be tested");
    let differences = outcome.optimised.expect("the function computes with floats").expect("it can be built");
    differences.into_iter().map(|difference| difference.what).collect()
}

#[test]
fn tests_run_alike_in_an_optimised_build_or_that_is_a_finding() {
    assert_eq!(changed_by_optimisation("quad.c", "Quad"), Vec::<String>::new());
    assert_eq!(changed_by_optimisation("floats/partly_written.c", "scaled"), Vec::<String>::new());
    let changed = changed_by_optimisation("floats/constant_folding.c", "known");
    assert_eq!(changed[0], "takes another path before or at `x > 1.0` in line 7");
}
