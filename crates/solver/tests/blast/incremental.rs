//! Queries that follow each other: cores, permanent assertions, release, bounded memory, budgets.

use crate::Operands as _;
use clew_scalar::{BinaryOp, Value};
use clew_solver::blast::{Answer, Blaster, Budget, Hint, Limit};
use clew_solver::clock::Deadline;
use clew_solver::domain::int::KnownBits;
use clew_solver::term::{Node, Sort, TermId, Terms, VarId};
use std::time::Duration;

fn compare(terms: &mut Terms, op: BinaryOp, x: TermId, bits: u128) -> TermId {
    let ty = terms.ty(x);
    let bound = terms.intern(Node::Const(Value::new(ty, bits)));
    terms.intern(Node::Binary(op, x, bound))
}

fn check(blaster: &mut Blaster, terms: &Terms, assertions: &[TermId]) -> Answer {
    blaster.check(terms, assertions, &Budget::default())
}

#[test]
fn a_core_names_what_was_needed() {
    let mut terms = Terms::new();
    let (x, y) = (terms.declare("x", Sort::int(32)), terms.declare("y", Sort::int(32)));
    let low = compare(&mut terms, BinaryOp::Ult, x, 10);
    let other = compare(&mut terms, BinaryOp::Eq, y, 7);
    let eleven = compare(&mut terms, BinaryOp::Eq, x, 11);
    let mut blaster = Blaster::new();
    assert_eq!(check(&mut blaster, &terms, &[low, other, eleven]), Answer::Unsat(vec![low, eleven]));
    assert!(matches!(check(&mut blaster, &terms, &[low, other]), Answer::Sat(_)));
}

/// What others know of a variable counts in one query, and is blamed where a refutation needs it.
#[test]
fn known_bits_refute_and_are_blamed() {
    let mut terms = Terms::new();
    let (x, y) = (terms.declare("x", Sort::int(8)), terms.declare("y", Sort::int(8)));
    let [var_x, var_y] = [0, 1].map(VarId::from_index);
    let high = compare(&mut terms, BinaryOp::Eq, x, 200);
    let other = compare(&mut terms, BinaryOp::Ult, y, 100);
    let below_64 = KnownBits { zeros: !63, ones: 0 };
    let hints = [var_x, var_y].map(|var| Hint { var, near: 0, known: below_64 });
    let mut blaster = Blaster::new();
    blaster.tell(hints.to_vec());
    assert_eq!(check(&mut blaster, &terms, &[other, high]), Answer::Unsat(vec![high]));
    assert_eq!(blaster.blamed(), [var_x]);
    assert!(matches!(check(&mut blaster, &terms, &[other, high]), Answer::Sat(_)), "hints are for one query");
}

/// A query without demands of its own keeps to the model it is told to start from.
#[test]
fn models_stay_near_what_was_told() {
    let mut terms = Terms::new();
    let (x, y) = (terms.declare("x", Sort::int(32)), terms.declare("y", Sort::int(32)));
    let sum = terms.intern(Node::Binary(BinaryOp::Add, x, y));
    let goals = [compare(&mut terms, BinaryOp::Ult, sum, 1_000)];
    let mut blaster = Blaster::new();
    let near = [(0, 77), (1, 200)].map(|(at, near)| (VarId::from_index(at), near));
    let known = KnownBits { zeros: 0, ones: 0 };
    blaster.tell(near.map(|(var, near)| Hint { var, near, known }).to_vec());
    let Answer::Sat(model) = check(&mut blaster, &terms, &goals) else { panic!("there are such numbers") };
    assert_eq!(near.map(|(var, _)| model.bits(var)), [77, 200]);
}

#[test]
fn permanent_assertions_hold_until_released() {
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::int(8));
    let five = compare(&mut terms, BinaryOp::Eq, x, 5);
    let mut blaster = Blaster::new();
    let mark = terms.mark();
    let low = compare(&mut terms, BinaryOp::Ult, x, 4);
    blaster.assert_all(&terms, &[low]).unwrap();
    assert!(matches!(check(&mut blaster, &terms, &[five]), Answer::Unsat(_)));
    terms.release(mark);
    blaster.release(mark);
    assert!(matches!(check(&mut blaster, &terms, &[five]), Answer::Sat(_)));
}

#[test]
fn ids_are_given_again_after_release() {
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::int(8));
    let mut blaster = Blaster::new();
    for bits in 0..200 {
        let mark = terms.mark();
        let y = terms.declare("y", Sort::int(if bits % 2 == 0 { 8 } else { 16 }));
        let fixed = compare(&mut terms, BinaryOp::Eq, x, bits);
        let high = compare(&mut terms, BinaryOp::Ult, y, bits + 1);
        match check(&mut blaster, &terms, &[fixed, high]) {
            Answer::Sat(model) => assert_eq!(model.bits(clew_solver::term::VarId::from_index(0)), bits),
            other => panic!("{other:?}"),
        }
        terms.release(mark);
        blaster.release(mark);
    }
}

#[test]
fn memory_is_bounded() {
    let mut terms = Terms::new();
    let mut blaster = Blaster::new();
    let mut most = 0;
    for turn in 0..200 {
        let mark = terms.mark();
        let (x, y) = (terms.declare("x", Sort::int(32)), terms.declare("y", Sort::int(32)));
        let product = terms.intern(Node::Binary(BinaryOp::Mul, x, y));
        let goal = compare(&mut terms, BinaryOp::Eq, product, turn);
        assert!(matches!(check(&mut blaster, &terms, &[goal]), Answer::Sat(_)));
        terms.release(mark);
        blaster.release(mark);
        most = most.max(blaster.statistics().gates);
    }
    assert!(blaster.statistics().restarts > 0, "{:?}", blaster.statistics());
    assert!(most < 300_000, "{most} gates");
}

#[test]
fn budgets_are_kept() {
    let mut terms = Terms::new();
    let (x, y) = (terms.declare("x", Sort::int(40)), terms.declare("y", Sort::int(40)));
    let wide = |terms: &mut Terms, term| terms.intern(Node::Convert(clew_scalar::Conversion::ZeroExtend(80), term));
    let (wide_x, wide_y) = (wide(&mut terms, x), wide(&mut terms, y));
    let product = terms.intern(Node::Binary(BinaryOp::Mul, wide_x, wide_y));
    // The product of two primes near 2^39.
    let goal = compare(&mut terms, BinaryOp::Eq, product, 549_755_813_881 * 549_755_813_869);
    let (big_x, big_y) =
        (compare(&mut terms, BinaryOp::Ult, x, 1 << 39), compare(&mut terms, BinaryOp::Ult, y, 1 << 39));
    let one_x = compare(&mut terms, BinaryOp::Ne, x, 1);
    let mut blaster = Blaster::new();
    let budget = Budget { conflicts: Some(100), ..Budget::default() };
    let assertions = [goal, big_x, big_y, one_x];
    assert_eq!(blaster.check(&terms, &assertions, &budget), Answer::Unknown(Limit::Conflicts));
    let budget = Budget { deadline: Deadline::after(Duration::ZERO), ..Budget::default() };
    assert_eq!(blaster.check(&terms, &assertions, &budget), Answer::Unknown(Limit::Time));
}

/// Equations between variables, some of them circular, asserted for ever and assumed.
#[test]
fn definitions_change_no_answer() {
    let ops = [BinaryOp::Add, BinaryOp::Mul, BinaryOp::Xor, BinaryOp::UDiv, BinaryOp::Shl];
    for seed in 0..150 {
        let mut random = crate::Random(seed);
        let mut terms = Terms::new();
        let vars: Vec<TermId> = (0..4).map(|_| terms.declare("v", Sort::int(4))).collect();
        let truth = terms.declare("p", Sort::BOOL);
        let mut assertions = Vec::new();
        for _ in 0..random.below(5) + 1 {
            let (a, b) = (vars[random.below(4)], vars[random.below(4)]);
            let value = terms.intern(Node::Binary(ops[random.below(5)], a, b));
            let equation = terms.intern(Node::Binary(BinaryOp::Eq, vars[random.below(4)], value));
            let fixed = compare(&mut terms, BinaryOp::Eq, vars[random.below(4)], random.bits(4));
            assertions.push([equation, equation, fixed][random.below(3)]);
        }
        let less = compare(&mut terms, BinaryOp::Ult, vars[0], random.bits(4));
        let same = terms.intern(Node::Binary(BinaryOp::Eq, truth, less));
        assertions.push(terms.intern(Node::Binary(BinaryOp::And, same, truth)));
        let assumed = check(&mut Blaster::new(), &terms, &assertions);
        let mut blaster = Blaster::new();
        blaster.assert_all(&terms, &assertions).unwrap();
        match (check(&mut blaster, &terms, &[]), assumed) {
            (Answer::Sat(model), Answer::Sat(_)) => {
                let mut evaluator = clew_solver::evaluate::Evaluator::new();
                let holds = assertions.iter().all(|&term| evaluator.is_true(&terms, &model, term));
                assert!(holds, "seed {seed}: wrong model\n{}", model.describe(&terms));
            }
            (Answer::Unsat(core), Answer::Unsat(_)) => assert!(core.is_empty(), "seed {seed}: nothing was assumed"),
            (permanent, assumed) => panic!("seed {seed}: {permanent:?} but {assumed:?}"),
        }
    }
}

/// Floats between constants, asserted for ever and assumed: every operator sees the bounds.
#[test]
fn bounds_change_no_answer() {
    let format = clew_scalar::Format { exponent: 3, significand: 3 };
    let rounding = clew_scalar::Rounding::NearestEven;
    let ops = [
        BinaryOp::FloatAdd(rounding),
        BinaryOp::FloatSub(rounding),
        BinaryOp::FloatMul(rounding),
        BinaryOp::FloatDiv(rounding),
        BinaryOp::FloatRem,
        BinaryOp::FloatMax,
    ];
    let comparisons = [BinaryOp::FloatLe, BinaryOp::FloatLt, BinaryOp::FloatLe, BinaryOp::FloatEq];
    let mut sat = 0;
    for seed in 0..400 {
        let mut random = crate::Random(seed);
        let mut terms = Terms::new();
        let mut floats: Vec<TermId> = (0..3).map(|_| terms.declare("x", Sort::float(format))).collect();
        for _ in 0..3 {
            let (a, b) = (floats[random.below(floats.len())], floats[random.below(floats.len())]);
            floats.push(terms.intern(Node::Binary(ops[random.below(ops.len())], a, b)));
        }
        let mut assertions = Vec::new();
        for _ in 0..random.below(6) + 2 {
            let float = floats[random.below(floats.len())];
            let value = clew_solver::evaluate::canonical(Value::float(format, random.bits(6)));
            let bound = terms.intern(Node::Const(value));
            let op = comparisons[random.below(4)];
            let (a, b) = if random.below(2) == 0 { (float, bound) } else { (bound, float) };
            assertions.push(terms.intern(Node::Binary(op, a, b)));
        }
        let assumed = check(&mut Blaster::new(), &terms, &assertions);
        let mut blaster = Blaster::new();
        match (blaster.check_lasting(&terms, &assertions, &[], &Budget::default()), assumed) {
            (Answer::Sat(model), Answer::Sat(_)) => {
                let mut evaluator = clew_solver::evaluate::Evaluator::new();
                let holds = assertions.iter().all(|&term| evaluator.is_true(&terms, &model, term));
                assert!(holds, "seed {seed}: wrong model\n{}", model.describe(&terms));
                sat += 1;
            }
            (Answer::Unsat(_), Answer::Unsat(_)) => {}
            (permanent, assumed) => panic!("seed {seed}: {permanent:?} but {assumed:?}"),
        }
    }
    assert!((50..350).contains(&sat), "{sat} of the problems have models");
}
