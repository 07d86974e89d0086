//! Problems whose models are found by search; every model is checked by evaluation inside `search`.

use crate::clock::Deadline;
use clew_scalar::{BinaryOp, Conversion, Format, Rounding, UnaryOp, Value};

use super::moves::random_value;
use super::program::compile;
use super::random::Random;
use super::state::State;
use super::{Effort, search};
use crate::evaluate::Evaluator;
use crate::model::Model;
use crate::term::{TermId, Terms};

const RNE: Rounding = Rounding::NearestEven;

fn double(terms: &mut Terms, number: f64) -> TermId {
    terms.float(Format::DOUBLE, number.to_bits().into())
}

/// The short ways of the program agree with evaluation.
#[test]
fn a_program_computes_what_evaluation_says() {
    let mut random = Random::new(3);
    for format in [Format::SINGLE, Format::DOUBLE, Format::HALF] {
        let mut terms = Terms::raw();
        let (x, y) = (terms.float_var("x", format), terms.float_var("y", format));
        let conditions = [BinaryOp::FloatEq, BinaryOp::FloatLt, BinaryOp::FloatLe];
        let operators = [
            BinaryOp::FloatAdd(RNE),
            BinaryOp::FloatSub(RNE),
            BinaryOp::FloatMul(RNE),
            BinaryOp::FloatDiv(RNE),
            BinaryOp::FloatAdd(Rounding::Up),
            BinaryOp::FloatMin,
            BinaryOp::FloatRem,
        ];
        let mut goals = Vec::new();
        for op in operators {
            let value = terms.binary(op, x, y);
            let (negated, magnitude) = (terms.unary(UnaryOp::FloatNeg, value), terms.unary(UnaryOp::FloatAbs, value));
            goals.extend(conditions.map(|condition| terms.binary(condition, negated, magnitude)));
            let bits = terms.convert(Conversion::FloatToBits, negated);
            let back = terms.convert(Conversion::BitsToFloat(format), bits);
            goals.push(terms.binary(BinaryOp::FloatLt, back, y));
        }
        let program = compile(&terms, &goals).unwrap();
        let mut state = State::new(&program);
        for _ in 0..2000 {
            let input = random.below(2);
            let bits = random_value(&program, input, state.input(input), &mut random);
            state.change(input, bits);
            let mut model = Model::new();
            for input in &program.inputs {
                model.set(input.var, Value::float(format, state.bits[input.slot as usize]));
            }
            let mut evaluator = Evaluator::new();
            for (goal, &term) in program.goals.iter().zip(&goals) {
                let truth = state.bits[goal.slot as usize] != 0;
                assert_eq!(truth, evaluator.is_true(&terms, &model, term), "{}", terms.describe(&[term]));
            }
        }
    }
}

fn check(terms: &Terms, assertions: &[TermId], budget: u64) {
    let start = Model::new();
    for seed in 0..5 {
        let found =
            search(terms, assertions, Some(&start), Effort { steps: budget, deadline: Deadline::default(), seed });
        assert!(found.is_some(), "seed {seed} found nothing for\n{}", terms.describe(assertions));
        assert_eq!(
            found,
            search(terms, assertions, Some(&start), Effort { steps: budget, deadline: Deadline::default(), seed }),
            "the same seed gives the same model"
        );
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
    assert_eq!(search(&terms, &[below, above], None, Effort { steps: 2_000, ..Effort::default() }), None);
}

#[test]
fn cells_of_arrays() {
    let mut terms = Terms::new();
    let array = terms.array_var("a", 32, 8);
    let index = terms.int_var("i", 32);
    let (zero, three, seven) = (terms.int(32, 0), terms.int(32, 3), terms.int(8, 7));
    let first = terms.read(array, zero);
    let written = terms.write(array, three, seven);
    let chosen = terms.read(written, index);
    let sum = terms.binary(BinaryOp::Add, first, chosen);
    let wanted = terms.int(8, 207);
    let equal = terms.eq(sum, wanted);
    let above = terms.binary(BinaryOp::Ult, zero, index);
    check(&terms, &[equal, above], 50_000);
}

#[test]
fn goals_that_no_input_changes_end_the_search() {
    let mut terms = Terms::new();
    let array = terms.array_var("a", 2, 2);
    let (x, index) = (terms.int_var("x", 2), terms.int_var("i", 2));
    let read = terms.read(array, index);
    let one = terms.int(2, 1);
    let unmet = terms.eq(read, one);
    let free = terms.binary(BinaryOp::Ult, x, one);
    assert_eq!(search(&terms, &[unmet, free], None, Effort { steps: 1_000_000, ..Effort::default() }), None);
}

#[test]
fn an_index_that_an_assertion_makes_constant() {
    let mut terms = Terms::new();
    let array = terms.array_var("a", 1, 2);
    let index = terms.int_var("i", 1);
    let read = terms.read(array, index);
    let zero = terms.int(2, 0);
    let met = terms.eq(read, zero);
    check(&terms, &[index, met], 50);
}
