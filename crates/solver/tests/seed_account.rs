//! Where each of the 48 constraint problems of the seed corpus is checked, and those that have no other place.
//!
//! Problems of other layers are checked there, under their name; what is not a problem but a measurement of another system
//! is named with that reason.

use clew_scalar::{BinaryOp, Format, Rounding, UnaryOp, Value};
use clew_solver::domain::Conflict;
use clew_solver::domain::float::FloatDomain;
use clew_solver::domain::int::IntDomain;
use clew_solver::propagate::{float, int};
use clew_solver::solver::{Answer, Budget, Solver};
use clew_solver::term::{TermId, Terms};

const RNE: Rounding = Rounding::NearestEven;

/// The text of a test file and the problems it checks.
const CHECKED: [(&str, &str); 4] = [
    (
        include_str!("seed_constraints.rs"),
        "ite6-join ite3-else-refuted domain-consistency-pitfall entail-square abs-entailment foo-cl2000-store join-domain \
         join-linear relax-diseq mccormick reify-le split-integer-bound ci-add-full ci-add-point ci-add-improper ci-sub \
         ci-mul-4 ci-mul-5 ci-meet-1 ci-meet-2 ci-card ci-maxc ci-buf ci-jsolver ci-zero-divisors chr-plus-1 chr-plus-2 \
         chr-plus-3 ddr-getsplit-text ddr-getsplit-1 ddr-getsplit-5 ddr-expr-plus ddr-expr-mul jaut-putfield jaut-typevar \
         mem-ndom",
    ),
    (include_str!("fpse.rs"), "fp-absorption fp-add-inverse"),
    (include_str!("seed_account.rs"), "w5-cl2000 sym-permutation sym-generators sym-value test-quality fp-reals-log"),
    (include_str!("../../frontend/tests/lowering.rs"), "fp-normalize norm-expr"),
];

/// Problems that nothing here can give the printed answer to, and why.
const NOT_CHECKED: [(&str, &str); 2] = [
    ("chr-jcvm", "a count of tests for 1537 rules that were never published"),
    ("ddr-update", "the printed boxes are a choice of the heuristic, no consequence of the constraint"),
];

#[test]
fn every_problem_is_accounted_for() {
    let mut named = NOT_CHECKED.len();
    for (text, problems) in CHECKED {
        for problem in problems.split_whitespace() {
            let test = format!("fn {}()", problem.replace('-', "_"));
            assert!(text.contains(&test), "{problem} has no test");
            named += 1;
        }
    }
    assert_eq!(named, 48);
}

/// `J1 = 1`, `J3 = U3`, `w(J3 * U3 <= 16, J2 = J3 + 1)` over ideal integers, `U3` positive. Leaving the loop at once is
/// refuted, so its condition holds for `J1`; and no number of turns ends with `J3 = U3`.
#[test]
fn w5_cl2000() {
    let constant = |value| IntDomain::singleton(72, value);
    let number = IntDomain::unsigned(72, 1, u128::from(u32::MAX));
    let above = IntDomain::unsigned(72, 17, u128::MAX >> 57);
    // Left at once: J3 = J1 = U3 and 1 * U3 > 16.
    let (mut u3, mut product) = (constant(1), above);
    assert_eq!(int::mul(&mut product, &mut constant(1), &mut u3), Err(Conflict));
    // Entered: 1 * U3 <= 16.
    let (mut u3, mut product) = (number, IntDomain::unsigned(72, 0, 16));
    int::mul(&mut product, &mut constant(1), &mut u3).expect("the loop can be entered");
    assert_eq!((u3.unsigned_min(), u3.unsigned_max()), (1, 16));
    // Left after some turns: the last one began with J3 - 1.
    let (mut last, mut before) = (above, IntDomain::unsigned(72, 0, 16));
    let mut begun = IntDomain::top(72);
    let contract = || {
        for _ in 0..8 {
            int::square(&mut last, &mut u3)?;
            int::sub(&mut begun, &mut u3, &mut constant(1))?;
            int::mul(&mut before, &mut begun, &mut u3)?;
        }
        Ok(())
    };
    assert_eq!({ contract }(), Err(Conflict));
}

/// The permutation 1->3, 2->4, 3->1, 4->5, 5->2 is (1 3)(2 4 5): what two, and what three, applications leave in place.
#[test]
fn sym_permutation() {
    let mut solver = Solver::default();
    let terms = solver.terms_mut();
    let table = terms.table(8, &[0, 3, 4, 1, 5, 2]);
    let x = terms.int_var("x", 8);
    let twice = (0..2).fold(x, |at, _| terms.lookup(table, at));
    let thrice = terms.lookup(table, twice);
    for (moved, cycle) in [(twice, [1, 3].as_slice()), (thrice, &[2, 4, 5])] {
        let stays = solver.terms_mut().eq(moved, x);
        for element in 1..=5 {
            let number = solver.terms_mut().int(8, element);
            let here = solver.terms_mut().eq(x, number);
            let answer = solver.check_assuming(&[stays, here], &Budget::default());
            assert_eq!(matches!(answer, Answer::Sat(_)), cycle.contains(&element), "{element}");
        }
    }
}

/// The middle of three numbers.
fn middle(terms: &mut Terms, [a, b, c]: [TermId; 3]) -> TermId {
    let mut ends = |a: TermId, b: TermId| {
        let less = terms.binary(BinaryOp::Slt, a, b);
        (terms.select(less, a, b), terms.select(less, b, a))
    };
    let (low, high) = ends(a, b);
    let (below, _) = ends(high, c);
    ends(low, below).1
}

/// A function that a transposition and a rotation of its arguments leave alone is left alone by every permutation.
#[test]
fn sym_generators() {
    let (transposition, rotation) = ([1, 0, 2], [1, 2, 0]);
    let others = [[0, 1, 2], [0, 2, 1], [2, 0, 1], [2, 1, 0]];
    for order in [transposition, rotation].into_iter().chain(others) {
        let mut solver = Solver::default();
        let inputs = ["a", "b", "c"].map(|name| solver.terms_mut().int_var(name, 8));
        let plain = middle(solver.terms_mut(), inputs);
        let permuted = middle(solver.terms_mut(), order.map(|at| inputs[at]));
        let differ = solver.terms_mut().binary(BinaryOp::Ne, plain, permuted);
        solver.assert(differ);
        assert!(matches!(solver.check(&Budget::default()), Answer::Unsat(_)), "{order:?}");
    }
}

/// `sin(x * y) - cos(y)` is the same at `(-x, -y)`: the argument of the sine is the same term, and that of the cosine is
/// up to its sign, which an even function does not see.
#[test]
fn sym_value() {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.float_var(name, Format::DOUBLE));
    let [minus_x, minus_y] = [x, y].map(|term| terms.unary(UnaryOp::FloatNeg, term));
    let product = terms.binary(BinaryOp::FloatMul(RNE), x, y);
    assert_eq!(terms.binary(BinaryOp::FloatMul(RNE), minus_x, minus_y), product);
    let magnitude = terms.unary(UnaryOp::FloatAbs, y);
    assert_eq!(terms.unary(UnaryOp::FloatAbs, minus_y), magnitude);
}

/// `p = (36 * 0.057 + 85 * 0.177 + 14 * 0.062) / 135` is 0.133, and 54 is the least N with `(1 - p)^N <= 1 - 0.9995`.
#[test]
fn test_quality() {
    let mut terms = Terms::new();
    let mut compute = |op: BinaryOp, a: f64, b: f64| {
        let [a, b] = [a, b].map(|number| terms.constant(Value::float(Format::DOUBLE, number.to_bits().into())));
        let result = terms.binary(op, a, b);
        f64::from_bits(terms.bits(result).expect("constants fold") as u64)
    };
    let (add, mul, div) = (BinaryOp::FloatAdd(RNE), BinaryOp::FloatMul(RNE), BinaryOp::FloatDiv(RNE));
    let mut sum = 0.0;
    for (count, share) in [(36.0, 0.057), (85.0, 0.177), (14.0, 0.062)] {
        let part = compute(mul, count, share);
        sum = compute(add, sum, part);
    }
    let p = compute(div, sum, 135.0);
    assert!((p - 0.133).abs() < 5e-4);
    let missed = compute(add, 1.0, -p);
    let powers: Vec<f64> =
        (0..54).scan(1.0, |power, _| Some(std::mem::replace(power, compute(mul, *power, missed)))).collect();
    let allowed = 1.0 - 0.9995;
    assert!(powers[53] > allowed && compute(mul, powers[53], missed) <= allowed);
}

/// A domain of doubles between two numbers.
fn between(low: f64, high: f64) -> FloatDomain {
    FloatDomain::between(Format::DOUBLE, low.to_bits().into(), high.to_bits().into())
}

fn ends(domain: &FloatDomain) -> (f64, f64) {
    let hull = domain.hull();
    let number = |key| f64::from_bits(Format::DOUBLE.from_ordered(key) as u64);
    (number(hull.lo), number(hull.hi))
}

/// `y = log(x)`, `x + y = 0`. The logarithm, which is no operator of the solver, is projected by that of the machine,
/// widened by more than its error.
#[test]
fn fp_reals_log() {
    let wider = |low: f64, high: f64| between(low - low.abs() * 1e-14, high + high.abs() * 1e-14);
    let (mut x, mut y) = (between(f64::from_bits(1), f64::MAX), FloatDomain::full(Format::DOUBLE));
    let mut steps = 0;
    let mut quick = None;
    loop {
        let before = (x, y);
        let (low, high) = ends(&x);
        y = y.meet(&wider(low.ln(), high.ln()));
        float::add(RNE, &mut x, &mut y, &mut FloatDomain::constant(Format::DOUBLE, 0)).expect("there is a solution");
        let (low, high) = ends(&y);
        x = x.meet(&wider(low.exp(), high.exp()));
        steps += 1;
        if quick.is_none() && ends(&x).0 >= 0.56 && ends(&x).1 <= 0.57 && ends(&y).0 >= -0.57 && ends(&y).1 <= -0.56 {
            quick = Some(steps);
        }
        if (x, y) == before {
            break;
        }
    }
    assert!(quick.is_some_and(|steps| steps <= 12), "{quick:?}");
    let (low, high) = ends(&x);
    assert!((low - 0.567_143_290_4).abs() < 1e-10 && (high - 0.567_143_290_4).abs() < 1e-10, "{low} {high}");
}
