//! The interpreter and the real machine take the same paths to the same results.

use crate::subject::{Subject, arguments, int, int_result};
use clew_execute::native::{Options, agrees};
use clew_execute::{Captured, Checks, Event, Image, Limits, Machine, Observer, Outcome};
use clew_ir::{ConditionId, DecisionId, FunctionId};
use clew_scalar::{Type, Value};

/// Records the path of a run.
#[derive(Default)]
struct Path(Vec<Event>);

impl Observer for Path {
    fn branch(&mut self, function: FunctionId, condition: ConditionId, outcome: bool) {
        self.0.push(Event::Condition { function, condition, outcome });
    }

    fn switch(&mut self, function: FunctionId, decision: DecisionId, arm: usize) {
        self.0.push(Event::Switch { function, decision, arm: arm as u32 });
    }
}

/// Runs `f(int, int)` on a square of small inputs both ways.
#[track_caller]
fn check(text: &str) {
    let subject = Subject::new(text);
    let function = subject.program.function("f").unwrap();
    let image = Image::new(&subject.program, Checks::ALL);
    let mut native = subject.build("f", &Options::default());
    let pairs: Vec<(i32, i32)> = (-3..=6).flat_map(|a| (-3..=6).map(move |b| (a, b))).collect();
    let inputs: Vec<_> = pairs.iter().map(|&(a, b)| arguments(vec![int(a), int(b)])).collect();
    for ((a, b), observed) in pairs.into_iter().zip(native.run_batch(&inputs)) {
        let mut io = Captured::default();
        let mut machine = Machine::new(&image, Limits::default(), &mut io, Path::default());
        let value = |value: i32| Value { ty: Type::Int(32), bits: u128::from(value as u32) };
        let outcome = machine.call(function, &[value(a), value(b)]);
        let Outcome::Returned(Some(result)) = outcome else { panic!("f({a}, {b}): {outcome:?}") };
        let observed = observed.unwrap();
        assert_eq!(result.bits as i32, int_result(&observed), "f({a}, {b})");
        agrees(machine.observer.0.iter().copied(), &observed)
            .unwrap_or_else(|difference| panic!("f({a}, {b}) {difference}"));
    }
}

#[test]
fn decisions() {
    check("int f(int a, int b) { return (a > 0 && b > 0) || !(a < b || (a == 2 ? b : !b)) ? a && b : (a ?: b) > 1; }");
    check("int f(int a, int b) { if ((a, b) && (long)a && (_Bool)b) return 1; return !!a + !(a && !b); }");
    check(
        "#include <stdbool.h>\nint f(int a, int b) { bool x = a > b, y = x || b; return x ? y : __builtin_expect(!!(a), 1) && y; }",
    );
}

#[test]
fn loops_and_switches() {
    check("int f(int a, int b) { int s = 0; for (int i = 0; i < a || i < b; i++) { if (i == 2) continue; if (i > 4) break; s += i; }
        while (b-- > 0 && a++ < 9) s++; do { s--; } while (s > 3 && a); return s; }");
    check("int f(int a, int b) { int s = 0; switch (a && b) { case 1: switch (a + b) { case -2 ... 2: s++; case 5: s += 2; break;
        default: s = 9; case 7: s--; } break; case 0: s = a ? 5 : 6; } return s; }");
}

#[test]
fn calls_gotos_and_statement_expressions() {
    check("static int g(int n) { return n <= 1 ? n : g(n - 1) + g(n - 2); }
    int f(int a, int b) { int s = g(a); again: if (s > 3) { s -= 3; goto again; } return ({ int t = b > 0 ? g(b) : 0; t > s; }) && s; }");
}

#[test]
fn arguments_that_call_functions() {
    check(
        "static int g(int n) { return n > 0 ? n : -n; } static int h(int x, int y) { return x - y; }
    int f(int a, int b) { return h(g(a), g(b)); }",
    );
}
