//! Scopes give back what they took: after a round of push, assert, check and pop nothing has grown.

#[path = "common/terms.rs"]
mod terms;

use clew_scalar::BinaryOp;
use clew_solver::solver::{Answer, Budget, Solver};
use terms::{Random, count};

/// One query per cycle about fresh constants, so that nothing can be found in a table.
fn cycle(solver: &mut Solver, inputs: &[clew_solver::term::TermId; 2], random: &mut Random) {
    let [x, y] = *inputs;
    solver.push();
    let terms = solver.terms_mut();
    let (limit, offset) = (terms.int(32, random.wide()), terms.int(32, random.wide()));
    let shifted = terms.binary(BinaryOp::Add, x, offset);
    let low = terms.binary(BinaryOp::Ult, shifted, y);
    let high = terms.binary(BinaryOp::Ult, y, limit);
    solver.assert(low);
    solver.assert(high);
    assert!(!matches!(solver.check(&Budget::default()), Answer::Unknown(_)));
    solver.pop();
}

#[test]
fn cycles_do_not_grow() {
    let mut solver = Solver::default();
    let inputs = [solver.terms_mut().int_var("x", 32), solver.terms_mut().int_var("y", 32)];
    let mut random = Random(31);
    for _ in 0..100 {
        cycle(&mut solver, &inputs, &mut random);
    }
    let (terms, memory) = (solver.terms().len(), resident_pages());
    for _ in 0..count(20_000) {
        cycle(&mut solver, &inputs, &mut random);
    }
    assert_eq!(solver.terms().len(), terms, "the terms of a scope die with it");
    if let (Some(before), Some(after)) = (memory, resident_pages()) {
        assert!(after < before + 4096, "resident memory grew from {before} to {after} pages");
    }
}

/// Pages of memory in use, where the system tells.
fn resident_pages() -> Option<u64> {
    std::fs::read_to_string("/proc/self/statm").ok()?.split_whitespace().nth(1)?.parse().ok()
}
