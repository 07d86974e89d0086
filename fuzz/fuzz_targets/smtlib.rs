//! No script makes the SMT-LIB reader or the solver panic.

#![no_main]

use clew_solver::clock::Deadline;
use clew_solver::smtlib::{Options, run};
use clew_solver::solver::Budget;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    let options = Options { budget: Budget { steps: Some(2000), deadline: Deadline::default() }, ..Options::default() };
    let _ = run(input, &options, &mut |_| {});
});
