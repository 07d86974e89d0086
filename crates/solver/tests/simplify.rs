//! Simplified terms against the same terms as they were stated, under random models.

#[path = "common/terms.rs"]
mod terms;

use clew_scalar::{Format, Value};
use clew_solver::evaluate::Evaluator;
use clew_solver::model::{ArrayValue, Model};
use clew_solver::term::{Node, Sort, Terms};
use terms::{Generator, Random, Shape, build, count};

const TINY: Format = Format { exponent: 3, significand: 3 };
const SMALL: Format = Format { exponent: 4, significand: 5 };

fn random_model(random: &mut Random, terms: &Terms) -> Model {
    let mut model = Model::new();
    for var in terms.vars() {
        let Node::Var(id) = terms.node(var.term) else { unreachable!() };
        match var.sort {
            Sort::Scalar(ty) => model.set(id, Value::new(ty, random.bits() >> random.below(128))),
            Sort::Array { index_width, element_width } => {
                let mut value =
                    ArrayValue { default: Value::int(element_width, random.bits()).bits, ..ArrayValue::default() };
                for _ in 0..random.below(4) {
                    let (index, element) =
                        (Value::int(index_width, random.bits()), Value::int(element_width, random.bits()));
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
                Sort::Array { index_width, .. } => {
                    let (x, y) = (left.array(&simple, &model, a), right.array(&raw, &model, b));
                    x.equals(&y, index_width)
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
