//! Observers see conditions, switch arms and calls in the order they happen.

use clew_execute::{Captured, Checks, Image, Limits, Machine, Observer, Outcome};
use clew_ir::{ConditionId, DecisionId, FunctionId};
use clew_scalar::Value;

#[derive(Default)]
struct Trace(Vec<String>);

impl Observer for Trace {
    fn enter(&mut self, function: FunctionId) {
        self.0.push(format!("enter {}", function.raw()));
    }

    fn branch(&mut self, _: FunctionId, condition: ConditionId, outcome: bool) {
        self.0.push(format!("{} {outcome}", condition.raw()));
    }

    fn switch(&mut self, _: FunctionId, _: DecisionId, arm: usize) {
        self.0.push(format!("arm {arm}"));
    }

    fn leave(&mut self, function: FunctionId) {
        self.0.push(format!("leave {}", function.raw()));
    }
}

#[test]
fn a_trace_has_every_outcome() {
    let program = super::program(
        "trace.c",
        "int f(int a, int b) {\n  if (a > 0 && b > 0) return 1;\n  switch (b) { case 3: return 3; case 4: return 4; }\n  return 0;\n}\n",
    );
    let f = program.function("f").expect("there is an f");
    let image = Image::new(&program, Checks::ALL);
    let call = |a: i32, b: i32| {
        let mut io = Captured::default();
        let mut machine = Machine::new(&image, Limits::default(), &mut io, Trace::default());
        let outcome = machine.call(f, &[Value::int(32, a as u128), Value::int(32, b as u128)]);
        (outcome, machine.observer.0.join(", "))
    };
    assert_eq!(call(1, 1).1, "enter 0, 0 true, 1 true, leave 0");
    assert_eq!(call(1, -1).1, "enter 0, 0 true, 1 false, arm 2, leave 0");
    assert_eq!(call(0, 4), (Outcome::Returned(Some(Value::int(32, 4))), "enter 0, 0 false, arm 1, leave 0".to_owned()));
}
