//! A model, a contradiction and its core, in scopes: `cargo run -p clew-solver --example first_steps`.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use clew_scalar::BinaryOp;
use clew_solver::solver::{Answer, Budget, Solver};

fn main() {
    let mut solver = Solver::default();
    let terms = solver.terms_mut();
    let (price, count) = (terms.int_var("price", 16), terms.int_var("count", 16));
    let (total, paid, least) = (terms.binary(BinaryOp::Mul, price, count), terms.int(16, 91), terms.int(16, 2));
    let conditions =
        [terms.eq(total, paid), terms.binary(BinaryOp::Ult, least, price), terms.binary(BinaryOp::Ult, price, count)];
    for condition in conditions {
        solver.assert(condition);
    }
    match solver.check(&Budget::default()) {
        Answer::Sat(model) => println!("a model:\n{}", model.describe(solver.terms())),
        other => println!("no model: {other:?}"),
    }

    // Inside the scope, the price must be even, which no factor of 91 is when nothing overflows.
    solver.push();
    let terms = solver.terms_mut();
    let (one, zero, few) = (terms.int(16, 1), terms.int(16, 0), terms.int(16, 100));
    let lowest = terms.binary(BinaryOp::And, price, one);
    let conditions = [terms.eq(lowest, zero), terms.binary(BinaryOp::Ult, count, few)];
    let even = conditions.map(|condition| solver.assert(condition));
    match solver.check(&Budget::default()) {
        Answer::Unsat(core) => println!("an even price contradicts {:?} (it is {:?})", core.assertions, even[0]),
        other => println!("{other:?}"),
    }
    solver.pop();
    println!("{} assertions are left", solver.assertions().len());
}
