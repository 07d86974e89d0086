//! Simplified terms against the same terms as they were stated, under random models.

#[path = "common/terms.rs"]
mod terms;

use clew_scalar::{BinaryOp, Conversion, Format, Value};
use clew_solver::evaluate::Evaluator;
use clew_solver::model::{ArrayValue, Model};
use clew_solver::term::{Node, Sort, TermId, Terms};
use terms::{Generator, Random, Shape, build, count};

const TINY: Format = Format { exponent: 3, significand: 3 };
const SMALL: Format = Format { exponent: 4, significand: 5 };

fn random_model(random: &mut Random, terms: &Terms) -> Model {
    let mut model = Model::new();
    for var in terms.vars() {
        let Node::Var(id) = terms.node(var.term) else { unreachable!() };
        match var.sort {
            Sort::Scalar(ty) => model.set(id, Value::new(ty, random.wide() >> random.below(128))),
            Sort::Array { index, element } => {
                let mut value =
                    ArrayValue { default: Value::new(element, random.wide()).bits, ..ArrayValue::default() };
                for _ in 0..random.below(4) {
                    let (index, element) = (Value::new(index, random.wide()), Value::new(element, random.wide()));
                    value.entries.insert(index.bits, element.bits);
                }
                model.set_array(id, value);
            }
        }
    }
    model
}

fn check(random: &mut Random, shape: &Shape) {
    let recipe = Generator::recipe(random, shape);
    let (mut simple, mut raw) = (Terms::new(), Terms::raw());
    let (simplified, stated) = (build(&mut simple, &recipe), build(&mut raw, &recipe));
    for _ in 0..4 {
        let model = random_model(random, &raw);
        let (mut left, mut right) = (Evaluator::new(), Evaluator::new());
        for (at, (&a, &b)) in simplified.iter().zip(&stated).enumerate() {
            assert_eq!(simple.sort(a), raw.sort(b));
            let equal = match raw.sort(b) {
                Sort::Scalar(_) => left.value(&simple, &model, a) == right.value(&raw, &model, b),
                sort @ Sort::Array { .. } => {
                    let (x, y) = (left.array(&simple, &model, a), right.array(&raw, &model, b));
                    x.equals(&y, sort)
                }
            };
            assert!(
                equal,
                "step {at} {:?}\nmodel\n{}\nsimplified\n{}\nstated\n{}",
                recipe[at],
                model.describe(&raw),
                simple.describe(&[a]),
                raw.describe(&[b])
            );
        }
    }
}

/// Numbers near the ends of the unsigned and the signed order, and near zero.
fn ends(width: u8) -> Vec<u128> {
    let half = 1u128 << (width - 1);
    let near = [0, half, half >> 1, 5].into_iter().flat_map(|at: u128| [at.wrapping_sub(1), at, at.wrapping_add(1)]);
    let mut ends: Vec<u128> = near.map(|bits| Value::int(width, bits).bits).collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// Compares what a condition on one variable means, simplified and as stated, at the ends.
fn check_at_ends(width: u8, state: impl Fn(&mut Terms, TermId) -> TermId) {
    let (mut simple, mut raw) = (Terms::new(), Terms::raw());
    let (x, stated) = (simple.int_var("x", width), raw.int_var("x", width));
    let (simplified, stated) = (state(&mut simple, x), state(&mut raw, stated));
    let Node::Var(var) = simple.node(x) else { unreachable!() };
    for bits in ends(width) {
        let mut model = Model::new();
        model.set(var, Value::int(width, bits));
        let (mut left, mut right) = (Evaluator::new(), Evaluator::new());
        let (a, b) = (left.value(&simple, &model, simplified), right.value(&raw, &model, stated));
        assert_eq!(a, b, "x is {bits} in\n{}", raw.describe(&[stated]));
    }
}

const COMPARISONS: [BinaryOp; 5] = [BinaryOp::Eq, BinaryOp::Ult, BinaryOp::Ule, BinaryOp::Slt, BinaryOp::Sle];

#[test]
fn shares_of_any_width_compare_as_stated() {
    let shifts = [BinaryOp::LShr, BinaryOp::AShr];
    let shares = [BinaryOp::UDiv, BinaryOp::SDiv, BinaryOp::URem, BinaryOp::SRem].into_iter().chain(shifts);
    for (op, width) in shares.flat_map(|op| [2, 3, 8, 64, 127, 128].map(|width| (op, width))) {
        for (bits, compare) in ends(width).into_iter().flat_map(|bits| COMPARISONS.map(|compare| (bits, compare))) {
            let share = |terms: &mut Terms, x: TermId| {
                let constant = terms.int(width, bits);
                terms.binary(op, x, constant)
            };
            check_at_ends(width, |terms, x| {
                let share = share(terms, x);
                terms.binary(compare, x, share)
            });
            check_at_ends(width, |terms, x| {
                let share = share(terms, x);
                terms.binary(compare, share, x)
            });
        }
    }
}

#[test]
fn signs_of_sums_of_any_width_are_as_stated() {
    let widths = [(1, 2), (2, 3), (3, 8), (8, 32), (63, 64), (127, 128), (64, 128)];
    for (narrow, wide) in widths {
        for (bits, signed) in ends(wide).into_iter().flat_map(|bits| [true, false].map(|signed| (bits, signed))) {
            let extension = if signed { Conversion::SignExtend(wide) } else { Conversion::ZeroExtend(wide) };
            for compare in COMPARISONS {
                check_at_ends(narrow, |terms, x| {
                    let (extended, constant, zero) =
                        (terms.convert(extension, x), terms.int(wide, bits), terms.int(wide, 0));
                    let sum = terms.binary(BinaryOp::Add, extended, constant);
                    let (below, above) = (terms.binary(compare, sum, zero), terms.binary(compare, zero, sum));
                    terms.concat(below, above)
                });
            }
        }
    }
}

#[test]
fn simplified_integers_mean_what_was_stated() {
    let shape = Shape { widths: vec![1, 2, 3, 4, 8], formats: vec![], arrays: false, vars: 3, steps: 24 };
    let mut random = Random(1);
    for _ in 0..count(4000) {
        check(&mut random, &shape);
    }
}

#[test]
fn simplified_wide_integers_mean_what_was_stated() {
    let shape = Shape { widths: vec![1, 8, 16, 32, 64, 128], formats: vec![], arrays: false, vars: 3, steps: 24 };
    let mut random = Random(2);
    for _ in 0..count(2000) {
        check(&mut random, &shape);
    }
}

#[test]
fn simplified_floats_mean_what_was_stated() {
    let shape = Shape { widths: vec![1, 3, 6, 9], formats: vec![TINY, SMALL], arrays: false, vars: 4, steps: 24 };
    let mut random = Random(3);
    for _ in 0..count(3000) {
        check(&mut random, &shape);
    }
}

#[test]
fn simplified_c_floats_mean_what_was_stated() {
    let shape = Shape {
        widths: vec![1, 32, 64],
        formats: vec![Format::SINGLE, Format::DOUBLE],
        arrays: false,
        vars: 4,
        steps: 16,
    };
    let mut random = Random(4);
    for _ in 0..count(1000) {
        check(&mut random, &shape);
    }
}

#[test]
fn simplified_arrays_mean_what_was_stated() {
    let shape = Shape { widths: vec![2, 3], formats: vec![], arrays: true, vars: 5, steps: 24 };
    let mut random = Random(5);
    for _ in 0..count(3000) {
        check(&mut random, &shape);
    }
}
