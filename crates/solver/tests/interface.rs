//! What callers of the solver rely on, beyond right answers.

use clew_scalar::{BinaryOp, Conversion};
use clew_solver::clock::Deadline;
use clew_solver::solver::{Answer, Budget, Config, Engine, Reason, Solver};
use clew_solver::term::{TermId, VarId};

fn compare(solver: &mut Solver, op: BinaryOp, a: TermId, b: u128) -> TermId {
    let terms = solver.terms_mut();
    let constant = terms.int(terms.width(a), b);
    terms.binary(op, a, constant)
}

#[test]
fn variables_asked_low_are_low() {
    let mut solver = Solver::default();
    let (x, y) = (solver.terms_mut().int_var("x", 32), solver.terms_mut().int_var("y", 32));
    solver.prefer_low(VarId::from_index(0));
    let product = solver.terms_mut().binary(BinaryOp::Mul, x, x);
    let above = compare(&mut solver, BinaryOp::Ult, product, 50);
    let above = solver.terms_mut().not(above);
    let order = solver.terms_mut().binary(BinaryOp::Ult, x, y);
    solver.assert(above);
    solver.assert(order);
    let Answer::Sat(model) = solver.check(&Budget::default()) else { panic!("8 * 8 is above 50") };
    assert_eq!(model.bits(VarId::from_index(0)), 8);
}

#[test]
fn propagation_knows_which_numbers_are_squares() {
    let mut solver = Solver::default();
    let x = solver.terms_mut().int_var("x", 16);
    let wide = solver.terms_mut().convert(Conversion::SignExtend(32), x);
    let square = solver.terms_mut().binary(BinaryOp::Mul, wide, wide);
    for (op, bound) in [(BinaryOp::Ult, 23_171 * 23_171), (BinaryOp::Ule, 23_170 * 23_170)] {
        let goal = compare(&mut solver, op, square, bound);
        let goal = if op == BinaryOp::Ule { solver.terms_mut().not(goal) } else { goal };
        solver.assert(goal);
    }
    assert!(matches!(solver.check(&Budget::default()), Answer::Unsat(_)));
    assert_eq!(solver.statistics().by_propagation, 1);
}

#[test]
fn variables_of_other_parts_keep_their_values() {
    let mut solver = Solver::default();
    let (x, y) = (solver.terms_mut().int_var("x", 16), solver.terms_mut().int_var("y", 16));
    let first = compare(&mut solver, BinaryOp::Eq, x, 1234);
    solver.assert(first);
    assert!(matches!(solver.check(&Budget::default()), Answer::Sat(_)));
    let second = compare(&mut solver, BinaryOp::Eq, y, 77);
    solver.assert(second);
    let Answer::Sat(model) = solver.check(&Budget::default()) else { panic!("both can be had") };
    assert_eq!((model.bits(VarId::from_index(0)), model.bits(VarId::from_index(1))), (1234, 77));
}

#[test]
fn the_same_questions_have_the_same_answers() {
    let answers = || {
        let mut solver = Solver::new(Config { seed: 5, ..Config::default() });
        let inputs: Vec<TermId> = (0..4).map(|at| solver.terms_mut().int_var(format!("v{at}"), 32)).collect();
        let mut answers = Vec::new();
        for pair in inputs.windows(2) {
            let product = solver.terms_mut().binary(BinaryOp::Mul, pair[0], pair[1]);
            let goal = compare(&mut solver, BinaryOp::Ult, product, 1000);
            let other = compare(&mut solver, BinaryOp::Ult, pair[0], 7);
            let goal = solver.terms_mut().binary(BinaryOp::Xor, goal, other);
            solver.assert(goal);
            answers.push(solver.check(&Budget::default()));
        }
        answers
    };
    assert_eq!(answers(), answers());
}

#[test]
fn a_spent_budget_is_the_reason() {
    let mut solver = Solver::new(Config { engine: Engine::Sat, ..Config::default() });
    let (x, y) = (solver.terms_mut().int_var("x", 64), solver.terms_mut().int_var("y", 64));
    let product = solver.terms_mut().binary(BinaryOp::Mul, x, y);
    // The product of two primes, and no factor is one.
    let goal = compare(&mut solver, BinaryOp::Eq, product, 0x1_0000_000f * 0xffff_fffb);
    solver.assert(goal);
    for factor in [x, y] {
        let small = compare(&mut solver, BinaryOp::Ult, factor, 2);
        let large = solver.terms_mut().not(small);
        let bounded = compare(&mut solver, BinaryOp::Ult, factor, 1 << 33);
        solver.assert(large);
        solver.assert(bounded);
    }
    let answer = solver.check(&Budget { steps: Some(256 * 20), deadline: Deadline::default() });
    assert_eq!(answer, Answer::Unknown(Reason::Steps));
}

#[test]
fn sums_of_table_reads_need_no_circuits() {
    let mut solver = Solver::default();
    let entries: Vec<u128> = (0..40).map(|at: u128| (at * at * 2_654_435_761) & 0xffff_ffff).collect();
    let table = solver.terms_mut().table(32, &entries);
    let reads = ["i", "j"].map(|name| {
        let index = solver.terms_mut().int_var(name, 8);
        let inside = compare(&mut solver, BinaryOp::Ult, index, 40);
        solver.assert(inside);
        solver.terms_mut().lookup(table, index)
    });
    let sum = solver.terms_mut().binary(BinaryOp::Add, reads[0], reads[1]);
    let sums: Vec<u128> = entries.iter().flat_map(|a| entries.iter().map(move |b| (a + b) & 0xffff_ffff)).collect();
    for wanted in [sums[17 * 40 + 31], sums[17 * 40 + 31] ^ 1] {
        let equal = compare(&mut solver, BinaryOp::Eq, sum, wanted);
        let answer = solver.check_assuming(&[equal], &Budget::default());
        assert_eq!(matches!(answer, Answer::Sat(_)), sums.contains(&wanted));
        assert!(!matches!(answer, Answer::Unknown(_)));
    }
    assert_eq!(solver.statistics().by_back_end, 0);
}

#[test]
fn lowest_bits_of_wide_variables_need_no_circuits() {
    let mut solver = Solver::default();
    let [x, y] = ["x", "y"].map(|name| {
        let wide = solver.terms_mut().int_var(name, 64);
        solver.terms_mut().extract(31, 0, wide)
    });
    let product = solver.terms_mut().int(32, 2_654_435_761);
    let hash = solver.terms_mut().binary(BinaryOp::Mul, x, product);
    let few = compare(&mut solver, BinaryOp::Ult, hash, 40);
    let sum = solver.terms_mut().binary(BinaryOp::Add, x, y);
    let near = compare(&mut solver, BinaryOp::Ult, sum, 3);
    let none = compare(&mut solver, BinaryOp::Eq, x, 0);
    let some = solver.terms_mut().not(none);
    for condition in [few, near, some] {
        solver.assert(condition);
    }
    assert!(matches!(solver.check(&Budget::default()), Answer::Sat(_)));
    assert_eq!((solver.statistics().by_search, solver.statistics().by_back_end), (1, 0));
}

#[test]
fn decisions_that_have_nothing_to_do_with_a_conflict_are_skipped() {
    let mut solver = Solver::new(Config { engine: Engine::Propagation, ..Config::default() });
    let inputs: Vec<TermId> = (0..8).map(|at| solver.terms_mut().int_var(format!("v{at}"), 8)).collect();
    let [a, b] = ["a", "b"].map(|name| solver.terms_mut().int_var(name, 16));
    // Each of the small inputs has a few values and is tied to `a`, of which nothing else is known.
    for &input in &inputs {
        let bounded = compare(&mut solver, BinaryOp::Ult, input, 9);
        let wide = solver.terms_mut().convert(clew_scalar::Conversion::ZeroExtend(16), input);
        let sum = solver.terms_mut().binary(BinaryOp::Xor, a, wide);
        let other = compare(&mut solver, BinaryOp::Eq, sum, 40_000);
        let other = solver.terms_mut().not(other);
        solver.assert(bounded);
        solver.assert(other);
    }
    // An odd square has one as its remainder by eight.
    let square = solver.terms_mut().binary(BinaryOp::Mul, b, b);
    let remainder = solver.terms_mut().extract(2, 0, square);
    let tied = solver.terms_mut().binary(BinaryOp::Ult, a, b);
    let odd = compare(&mut solver, BinaryOp::Eq, remainder, 5);
    let tied = [solver.assert(tied), solver.assert(odd)];
    let Answer::Unsat(core) = solver.check(&Budget { steps: Some(100_000), deadline: Deadline::default() }) else {
        panic!("no square has the remainder five");
    };
    assert!(core.assertions.contains(&tied[1]) && core.assertions.len() <= 2, "{core:?}");
}

#[test]
fn heavy_circuits_are_built_only_where_they_are_needed() {
    let mut solver = Solver::new(Config { seed: 3, ..Config::default() });
    let [x, y, z] = ["x", "y", "z"].map(|name| solver.terms_mut().int_var(name, 32));
    solver.push();
    let quotient = solver.terms_mut().binary(BinaryOp::SDiv, x, y);
    let heavy = compare(&mut solver, BinaryOp::Slt, quotient, 1000);
    let heavy = solver.assert(heavy);
    let [xy, yz, zx] = [(x, y), (y, z), (z, x)].map(|(a, b)| solver.terms_mut().binary(BinaryOp::Xor, a, b));
    let light: Vec<_> = [(xy, 1), (yz, 2), (zx, 4)]
        .map(|(term, bits)| {
            let equal = compare(&mut solver, BinaryOp::Eq, term, bits);
            solver.assert(equal)
        })
        .to_vec();
    let Answer::Unsat(core) = solver.check(&Budget::default()) else { panic!("1 ^ 2 is not 4") };
    assert!(!core.assertions.contains(&heavy) && light.iter().all(|part| core.assertions.contains(part)), "{core:?}");
}

/// A term that was made inside a scope dies with it, and its index is given again: debug builds notice its use.
#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "died with its scope")]
fn a_term_that_outlives_its_scope_is_noticed() {
    let mut solver = Solver::default();
    solver.push();
    let dead = solver.terms_mut().int_var("dead", 8);
    solver.pop();
    let alive = solver.terms_mut().int_var("alive", 16);
    assert_eq!(dead.index(), alive.index());
    let _ = solver.terms().sort(dead);
}

/// A query is charged to the deadline of its budget, whichever thread made that.
fn ask_for_factors(budget: &Budget) {
    let mut solver = Solver::default();
    let (x, y) = (solver.terms_mut().int_var("x", 64), solver.terms_mut().int_var("y", 64));
    let product = solver.terms_mut().binary(clew_scalar::BinaryOp::Mul, x, y);
    let wanted = solver.terms_mut().int(64, 0x1234_5678_9abc_def1);
    let goal = solver.terms_mut().eq(product, wanted);
    solver.assert(goal);
    assert!(!matches!(solver.check(budget), Answer::Unsat(_)), "there are factors");
}

#[test]
fn a_budget_may_be_moved_between_threads() {
    let deadline = Deadline::default().or_work(std::time::Duration::from_nanos(1));
    let budget = Budget { steps: None, deadline };
    std::thread::spawn(move || ask_for_factors(&budget)).join().expect("nothing fails there");
    assert!(deadline.has_passed(), "the work was charged to the deadline");
}
