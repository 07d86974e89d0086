//! The same inputs, interpreted and run natively, show the same.

use clew_execute::native::{self, Native};
use clew_execute::{
    Checks, Content, Ending, Image, Input, InputObject, Interpreter, PointerTarget, StoredPointer, StubCall,
};
use clew_ir::CTypeId;

const SUBJECT: &str = "
struct node { int value; struct node *next; };
struct pair { int first; long second; };
int oracle(int question);
int calls;
struct pair f(struct node *list, struct pair start, double scale, int kind) {
    struct pair result = start;
    calls++;
    for (; list; list = list->next) {
        if (list->value > 10 && kind != 2)
            result.first += list->value;
        else
            result.second -= (long)(list->value * scale);
        list->value = oracle(list->value);
    }
    switch (kind) {
    case 1: result.first *= 2; break;
    case 2: result.second *= 3; break;
    default: break;
    }
    return result;
}
";

fn content(bytes: &[u8]) -> Content {
    Content { bytes: bytes.to_vec(), pointers: Vec::new() }
}

fn pointer(at: u64, object: usize) -> StoredPointer {
    StoredPointer { at, target: PointerTarget::Object(object, 0) }
}

fn node(value: i32, next: Option<usize>) -> InputObject {
    let mut bytes = vec![0; 16];
    bytes[..4].copy_from_slice(&value.to_le_bytes());
    let pointers = next.map(|object| pointer(8, object)).into_iter().collect();
    InputObject {
        name: String::new(),
        element: CTypeId::new(0),
        count: 1,
        content: Content { bytes, pointers },
        residue: None,
        ordered: false,
    }
}

fn input(program: &clew_ir::Program, kind: i32) -> Input {
    let start = [3_i64.to_le_bytes(), 4_i64.to_le_bytes()].concat();
    let list = Content { bytes: vec![0; 8], pointers: vec![pointer(0, 0)] };
    let oracle = program.function("oracle").expect("there is an oracle");
    let stubs = [7_i32, -8].map(|answer| StubCall {
        function: oracle,
        result: content(&answer.to_le_bytes()),
        outputs: Vec::new(),
        globals: Vec::new(),
        leads: Vec::new(),
        is_allocation: false,
    });
    Input {
        arguments: vec![list, content(&start), content(&2.5_f64.to_le_bytes()), content(&kind.to_le_bytes())],
        objects: vec![node(20, Some(1)), node(-5, None)],
        stubs: stubs.to_vec(),
        ..Input::default()
    }
}

#[test]
fn observations_agree() {
    let program = super::program("agree.c", SUBJECT);
    let function = program.function("f").expect("there is an f");
    let (calls, _) = program.globals.iter().find(|(_, global)| global.name == "calls").expect("there is a counter");
    let stubs = vec![program.function("oracle").expect("there is an oracle")];
    let options = native::Options { observe: vec![calls], stubs: stubs.clone(), ..native::Options::default() };
    let mut native = Native::build(&program, function, &options).expect("the program compiles");
    let image = Image::new(&program, Checks::ALL);
    let mut interpreter = Interpreter::new(&image, function);
    interpreter.observe = vec![calls];
    interpreter.stubs = stubs;
    for kind in 0..4 {
        let input = input(&program, kind);
        let run = interpreter.run(&input).expect("the input fits");
        assert_eq!(run.observation.ending, Ending::Returned, "{:?}", run.outcome);
        let mut observed = native.run(&input).expect("the input fits");
        assert!(!observed.calls.is_empty(), "only native execution tells what stubs are called with");
        observed.calls.clear();
        // The bytes of padding and of pointers, and addresses, are each machine's own.
        let mut interpreted = run.observation;
        for observation in [&mut observed, &mut interpreted] {
            observation.result[4..8].fill(0);
            observation.object_addresses.clear();
            observation.global_addresses.clear();
            for object in &mut observation.objects {
                object[4..].fill(0);
            }
        }
        assert_eq!(interpreted, observed);
    }
}
