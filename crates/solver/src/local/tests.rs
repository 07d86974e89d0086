//! Problems whose models are found by search; every model is checked by evaluation inside `search`.

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, UnaryOp};

use super::search;
use crate::term::{TermId, Terms};

const RNE: Rounding = Rounding::NearestEven;

fn double(terms: &mut Terms, number: f64) -> TermId {
    terms.float(Format::DOUBLE, number.to_bits().into())
}

fn check(terms: &Terms, assertions: &[TermId], budget: u64) {
    for seed in 0..5 {
        let found = search(terms, assertions, None, budget, seed);
        assert!(found.is_some(), "seed {seed} found nothing for\n{}", terms.describe(assertions));
        assert_eq!(found, search(terms, assertions, None, budget, seed), "the same seed gives the same model");
    }
}

#[test]
fn square_plus_something_is_two() {
    let mut terms = Terms::new();
    let (x, y) = (terms.float_var("x", Format::DOUBLE), terms.float_var("y", Format::DOUBLE));
    let (one, two) = (double(&mut terms, 1.0), double(&mut terms, 2.0));
    let square = terms.binary(BinaryOp::FloatMul(RNE), x, x);
    let sum = terms.binary(BinaryOp::FloatAdd(RNE), square, y);
    let equal = terms.binary(BinaryOp::FloatEq, sum, two);
    let greater = terms.binary(BinaryOp::FloatLt, one, x);
    check(&terms, &[equal, greater], 20_000);
}

#[test]
fn sum_of_singles_is_a_constant() {
    let mut terms = Terms::new();
    let limit = terms.float(Format::SINGLE, 100.0_f32.to_bits().into());
    let total = terms.float(Format::SINGLE, 250.75_f32.to_bits().into());
    let zero = terms.float(Format::SINGLE, 0);
    let mut sum = zero;
    let mut assertions = Vec::new();
    for name in ["a", "b", "c", "d"] {
        let x = terms.float_var(name, Format::SINGLE);
        assertions.push(terms.binary(BinaryOp::FloatLt, zero, x));
        assertions.push(terms.binary(BinaryOp::FloatLt, x, limit));
        sum = terms.binary(BinaryOp::FloatAdd(RNE), sum, x);
    }
    assertions.push(terms.binary(BinaryOp::FloatEq, sum, total));
    check(&terms, &assertions, 50_000);
}

#[test]
fn bits_and_numbers_together() {
    let mut terms = Terms::new();
    let bits = terms.int_var("bits", 64);
    let x = terms.convert(Conversion::BitsToFloat(Format::DOUBLE), bits);
    let high = terms.extract(63, 32, bits);
    let wanted = terms.int(32, 0x4009_21fb);
    let same = terms.eq(high, wanted);
    let pi = double(&mut terms, std::f64::consts::PI);
    let above = terms.binary(BinaryOp::FloatLt, pi, x);
    check(&terms, &[same, above], 20_000);
}

#[test]
fn a_product_of_integers() {
    let mut terms = Terms::new();
    let (x, y) = (terms.int_var("x", 32), terms.int_var("y", 32));
    let product = terms.binary(BinaryOp::Mul, x, y);
    let wanted = terms.int(32, 391);
    let equal = terms.eq(product, wanted);
    let (two, hundred) = (terms.int(32, 2), terms.int(32, 100));
    let bounds = [(two, x), (x, hundred), (two, y), (y, hundred)];
    let mut assertions = vec![equal];
    assertions.extend(bounds.map(|(lo, hi)| terms.binary(BinaryOp::Ult, lo, hi)));
    check(&terms, &assertions, 200_000);
}

#[test]
fn not_a_number() {
    let mut terms = Terms::new();
    let (x, y) = (terms.float_var("x", Format::DOUBLE), terms.float_var("y", Format::DOUBLE));
    let quotient = terms.binary(BinaryOp::FloatDiv(RNE), x, y);
    let nan = terms.unary(UnaryOp::FloatIsNan, quotient);
    let x_nan = terms.unary(UnaryOp::FloatIsNan, x);
    let y_nan = terms.unary(UnaryOp::FloatIsNan, y);
    let goals = [nan, terms.not(x_nan), terms.not(y_nan)];
    check(&terms, &goals, 20_000);
}

#[test]
fn contradictions_are_not_solved() {
    let mut terms = Terms::new();
    let x = terms.float_var("x", Format::DOUBLE);
    let one = double(&mut terms, 1.0);
    let below = terms.binary(BinaryOp::FloatLt, x, one);
    let above = terms.binary(BinaryOp::FloatLt, one, x);
    assert_eq!(search(&terms, &[below, above], None, 2_000, 0), None);
}
