//! Floats, and a budget of work: `cargo run -p clew-solver --example floats`.
//!
//! Is there a single `x > 0` with `x + 1e12 == 1e12`? How large can it be? (Botella, Gotlieb and Michel 2006.)

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::time::Duration;

use clew_scalar::{BinaryOp, Format, Rounding};
use clew_solver::clock::Deadline;
use clew_solver::solver::{Answer, Budget, Solver};

fn single(number: f32) -> u128 {
    u128::from(number.to_bits())
}

fn main() {
    let mut solver = Solver::default();
    let terms = solver.terms_mut();
    let x = terms.float_var("x", Format::SINGLE);
    let [zero, large] = [0.0, 1e12].map(|number| terms.float(Format::SINGLE, single(number)));
    let sum = terms.binary(BinaryOp::FloatAdd(Rounding::NearestEven), x, large);
    let conditions = [terms.binary(BinaryOp::FloatLt, zero, x), terms.binary(BinaryOp::FloatEq, sum, large)];
    for condition in conditions {
        solver.assert(condition);
    }
    // The clock of work gives the same answers on every machine, however busy.
    let budget = Budget { steps: None, deadline: Deadline::default().or_work(Duration::from_secs(1)) };
    for bound in [1.0, 32_767.0, 32_768.0] {
        let terms = solver.terms_mut();
        let least = terms.float(Format::SINGLE, single(bound));
        let above = terms.binary(BinaryOp::FloatLe, least, x);
        match solver.check_assuming(&[above], &budget) {
            Answer::Sat(model) => println!("x >= {bound}: {}", model.describe(solver.terms()).trim()),
            Answer::Unsat(_) => println!("x >= {bound}: there is none"),
            Answer::Unknown(reason) => println!("x >= {bound}: gave up ({reason:?})"),
        }
    }
}
