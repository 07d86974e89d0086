//! How many tests run per second: printed, not asserted.

use crate::subject::{Subject, arguments, int, int_result};
use clew_execute::native::Options;
use std::time::Instant;

#[test]
fn tests_per_second() {
    let subject = Subject::new("int f(int a) { return a > 0 ? a : -a; }");
    let inputs: Vec<_> = (0..1000).map(|value| arguments(vec![int(value - 500)])).collect();
    for jobs in [1, 2] {
        let start = Instant::now();
        let mut native = subject.build("f", &Options { jobs, ..Options::default() });
        let built = start.elapsed();
        let start = Instant::now();
        let results = native.run_batch(&inputs);
        let rate = inputs.len() as f64 / start.elapsed().as_secs_f64();
        println!("{jobs} servers: built in {built:?}, {rate:.0} tests per second");
        assert!(results.iter().zip(-500i32..).all(|(result, a)| int_result(result.as_ref().unwrap()) == a.abs()));
    }
}
