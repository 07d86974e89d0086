//! The Java Card virtual machine of `examples/jcvm.jsl`: all rules of its 45 instructions.

use super::{check, spec};
use clew_frontend_rules::Spec;
use clew_frontend_rules::spec::FunctionId;
use clew_rules::generate::{Config, Prefer, generate};
use clew_rules::{Criterion, Verdict};

/// The instructions, with the number of tests that Gouraud and Gotlieb count for each (PADL 2006, Table 1).
pub(crate) const INSTRUCTIONS: [(&str, usize); 45] = [
    ("aload", 1),
    ("arraylength", 1),
    ("astore", 1),
    ("invokestatic", 1),
    ("nop", 1),
    ("aconstnull", 2),
    ("goto", 2),
    ("jsr", 2),
    ("push", 2),
    ("conv", 3),
    ("dup", 3),
    ("getfield", 3),
    ("getfield_this", 3),
    ("neg", 3),
    ("new", 3),
    ("pop", 3),
    ("pop2", 3),
    ("putfield", 3),
    ("putfield_this", 3),
    ("dup2", 4),
    ("swap", 4),
    ("ifnull", 5),
    ("ifnonnull", 5),
    ("icmp", 6),
    ("if_acmp_cond", 6),
    ("const", 7),
    ("invokespecial", 7),
    ("if_cond", 8),
    ("ret", 8),
    ("invokevirtual", 9),
    ("arith", 11),
    ("athrow", 11),
    ("invokeinterface", 11),
    ("newarray", 13),
    ("return", 13),
    ("if_scmp_cond", 14),
    ("inc", 18),
    ("lookupswitch", 18),
    ("tableswitch", 18),
    ("load", 19),
    ("store", 25),
    ("checkcast", 30),
    ("getstatic", 33),
    ("putstatic", 34),
    ("instanceof", 62),
];

pub(crate) fn jcvm() -> Spec {
    spec(include_str!("../../../../examples/jcvm.jsl"))
}

fn instructions(spec: &Spec) -> Vec<FunctionId> {
    INSTRUCTIONS.iter().map(|(name, _)| spec.function(name).expect("every instruction is specified")).collect()
}

#[test]
fn every_rule_of_an_instruction_has_a_verdict_and_a_checked_oracle() {
    let spec = jcvm();
    for (name, least) in INSTRUCTIONS {
        let function = spec.function(name).expect("every instruction is specified");
        assert!(spec.functions[function.index()].rules.len() >= least, "{name} has fewer rules than tests counted");
    }
    let config = Config { functions: instructions(&spec), ..Config::new(&spec) };
    let outcome = generate(&spec, &config);
    check(&spec, &outcome);
    assert!(outcome.objectives.len() >= 443);
    let open = outcome.objectives.iter().find(|objective| matches!(objective.verdict, Verdict::Unknown(_)));
    assert!(open.is_none(), "{:?}", open.map(|open| &spec.rules[open.rule.index()].label));
    assert!(outcome.tests.iter().all(|test| test.results.len() == 1 && test.is_complete), "a test has no oracle");
}

#[test]
fn normal_results_are_preferred_on_request() {
    let spec = jcvm();
    let normal = spec.constructor("Normal").expect("results are normal or abnormal");
    let count = |prefer| {
        let config = Config { functions: instructions(&spec), prefer, ..Config::new(&spec) };
        let outcome = generate(&spec, &config);
        check(&spec, &outcome);
        outcome.tests.iter().filter(|test| test.results[0].head() == Some(normal)).count()
    };
    assert!(count(Prefer::Normal) > count(Prefer::Abnormal));
}

#[test]
fn rules_of_callees_that_never_fire_are_not_covered() {
    let spec = jcvm();
    let criteria = vec![Criterion::AllRules, Criterion::AllRulesEverywhere];
    let config = Config { functions: instructions(&spec), criteria, steps: 10_000, ..Config::new(&spec) };
    let outcome = generate(&spec, &config);
    check(&spec, &outcome);
    let word = |wanted: fn(&Verdict) -> bool| {
        let found = outcome.objectives.iter().filter(|objective| wanted(&objective.verdict));
        found.map(|objective| spec.rules[objective.rule.index()].label.as_str()).collect::<Vec<_>>()
    };
    let never = word(|verdict| matches!(verdict, Verdict::Infeasible(_)));
    // None of these fires: they are called only where there is a frame, or a local variable.
    for rule in ["continue.r1", "jump.r1", "assign.r1", "enter.r1", "allocate.r2", "replace.r1"] {
        let covered = word(|verdict| matches!(verdict, Verdict::Covered(_)));
        assert!(!covered.contains(&rule), "{rule} never fires");
    }
    for rule in ["assign.r1", "enter.r1", "allocate.r2", "replace.r1"] {
        assert!(never.contains(&rule), "{rule} is proved never to fire: {never:?}");
    }
}
