//! Programs in the text form of the IR. Lines `; run: f0(1, 2) == 3` and `; run: f0(1) fails overflow` say what calls
//! give.

use clew_execute::{Captured, Checks, Image, Limits, Machine, Outcome, Silent};
use clew_ir::{FunctionId, Program};
use clew_scalar::Value;
use std::path::Path;

#[test]
fn calls_give_what_the_text_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir");
    let mut runs = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of IR texts is there") {
        let path = entry.expect("the folder can be read").path();
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let program = clew_ir::text::parse(&text).unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
        for line in text.lines().filter_map(|line| line.strip_prefix("; run: ")) {
            check(&program, line);
            runs += 1;
        }
    }
    assert!(runs > 0, "there are calls to run");
}

fn check(program: &Program, line: &str) {
    let (call, expected) = line.split_once(") ").expect("a call ends in a parenthesis");
    let (function, args) = call.split_once('(').expect("a call has arguments");
    let function = FunctionId::new(function[1..].parse().expect("a function is f and a number"));
    let outcome = run(program, function, args);
    match (expected.split_once(' ').expect("an expectation has two words"), &outcome) {
        (("==", number), Outcome::Returned(Some(value))) => assert_eq!(value.signed().to_string(), number, "{line}"),
        (("fails", kind), Outcome::Failed(failure)) => {
            assert_eq!(format!("{:?}", failure.kind).to_lowercase(), kind, "{line}");
        }
        _ => panic!("{line}: {outcome:?}"),
    }
}

fn run(program: &Program, function: FunctionId, args: &str) -> Outcome {
    let code = &program.functions[function];
    let numbers = args.split(',').map(|number| number.trim().parse::<i128>().expect("an argument is a number"));
    let types = code.params.iter().map(|param| code.temps[param.temp].ty.scalar(program.target.pointer_width));
    let args: Vec<Value> = numbers.zip(types).map(|(number, ty)| Value::new(ty, number as u128)).collect();
    let image = Image::new(program, Checks::ALL);
    let mut io = Captured::default();
    Machine::new(&image, Limits::default(), &mut io, Silent).call(function, &args)
}
