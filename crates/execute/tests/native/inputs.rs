//! Arguments, objects, pointers, globals and stubs arrive as C sees them.

use crate::subject::{Subject, arguments, bytes, int, int_result, ints, object, path, pointer, pointer_to};
use clew_execute::native::{BuildError, Error, Native, Options};
use clew_execute::{Content, EarlierCall, Ending, Input, PointerTarget, StoredPointer, StubCall};

#[test]
fn scalars_of_every_kind() {
    let subject = Subject::new(
        "enum e { A, B = 5 }; typedef enum { X, Y } anonymous; typedef const unsigned char octet;
        int f(_Bool b, octet o, short s, enum e e, anonymous x, long l, float g, const double d, long double w) {
            return b + o + s + e + x + (int)l + (int)g + (int)d + (int)w; }",
    );
    let mut native = subject.build("f", &Options::default());
    let mut wide = vec![0; 16];
    wide[..10].copy_from_slice(&[0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f]);
    let input = arguments(vec![
        bytes(&[1]),
        bytes(&[200]),
        bytes(&(-3i16).to_ne_bytes()),
        int(5),
        int(1),
        bytes(&7i64.to_ne_bytes()),
        bytes(&2.5f32.to_ne_bytes()),
        bytes(&(-8.0f64).to_ne_bytes()),
        bytes(&wide),
    ]);
    assert_eq!(int_result(&native.run(&input).unwrap()), 1 + 200 - 3 + 5 + 1 + 7 + 2 - 8 + 1);
}

#[test]
fn structures_go_in_and_out_by_value() {
    let subject = Subject::new(
        "typedef struct { int x; char c; } point; union u { int i; float f; };
        struct big { int v[20]; };
        struct big f(point p, union u u, struct big b) { b.v[p.x] = u.i; return b; }",
    );
    let mut native = subject.build("f", &Options::default());
    let big = ints(&(0..20).collect::<Vec<_>>()).content;
    let input = arguments(vec![bytes(&[3, 0, 0, 0, 1, 0, 0, 0]), int(99), big.clone()]);
    let observation = native.run(&input).unwrap();
    let mut expected = big.bytes;
    expected[12] = 99;
    assert_eq!(observation.result, expected);
}

#[test]
fn linked_objects_and_null() {
    let subject = Subject::new(
        "struct node { int value; struct node *next; };
        int f(const struct node *list) { int s = 0; for (; list; list = list->next) s += list->value; return s; }",
    );
    let mut native = subject.build("f", &Options::default());
    let node = |value: i32, next: Option<usize>| {
        let mut content = bytes(&[0; 16]);
        content.bytes[..4].copy_from_slice(&value.to_ne_bytes());
        let link = |object| StoredPointer { at: 8, target: PointerTarget::Object(object, 0) };
        content.pointers.extend(next.map(link));
        object(content)
    };
    let input =
        Input { arguments: vec![pointer(1)], objects: vec![node(5, None), node(2, Some(0))], ..Input::default() };
    let observation = native.run(&input).unwrap();
    assert_eq!((int_result(&observation), path(&observation).as_str()), (7, "TTF"));
    let empty = arguments(vec![bytes(&[0; 8])]);
    assert_eq!(path(&native.run(&empty).unwrap()), "F");
}

#[test]
fn globals_are_set_and_observed() {
    let subject = Subject::new(
        "static int limit = 10; int counter; int *place = &counter; static int table[3] = { 1, 2, 3 };
        int f(int a) { counter++; if (place) *place += a; table[1] = limit; return counter > limit; }",
    );
    let (limit, counter, place) = (subject.global("limit"), subject.global("counter"), subject.global("place"));
    let table = subject.global("table");
    let options = Options { observe: vec![counter, table], ..Options::default() };
    let mut native = subject.build("f", &options);
    let mut input = arguments(vec![int(4)]);
    let observation = native.run(&input).unwrap();
    assert_eq!(observation.globals, [5i32.to_ne_bytes().to_vec(), ints(&[1, 10, 3]).content.bytes]);
    input.globals = vec![(limit, int(3)), (counter, int(100)), (place, pointer_to(PointerTarget::Global(table, 8)))];
    let observation = native.run(&input).unwrap();
    assert_eq!(observation.globals, [101i32.to_ne_bytes().to_vec(), ints(&[1, 3, 7]).content.bytes]);
    assert_eq!(path(&observation), "T");
}

#[test]
fn function_pointers() {
    let subject = Subject::new(
        "static int twice(int x) { return 2 * x; } int thrice(int x) { return 3 * x; }
        struct ops { int (*apply)(int); };
        int f(int (*g)(int), struct ops *ops, int x) { return g(x) + (ops ? ops->apply(x) : 0); }",
    );
    let mut native = subject.build("f", &Options::default());
    let function = |name: &str| PointerTarget::Function(subject.program.function(name).unwrap());
    let input = Input {
        arguments: vec![pointer_to(function("twice")), pointer(0), int(5)],
        objects: vec![object(pointer_to(function("thrice")))],
        ..Input::default()
    };
    assert_eq!(int_result(&native.run(&input).unwrap()), 25);
}

#[test]
fn stubs_answer_call_by_call() {
    let subject = Subject::new(
        "struct pair { double a, b; }; extern int sensor(int channel); extern struct pair both(void); void log_it(int);
        int f(int n) { int s = 0; while (n-- > 0) s = 10 * s + sensor(n); log_it(s); return s + (int)both().b; }",
    );
    let id = |name: &str| subject.program.function(name).unwrap();
    let (sensor, both) = (id("sensor"), id("both"));
    let options = Options { stubs: vec![sensor, both, id("log_it")], ..Options::default() };
    let mut native = subject.build("f", &options);
    let mut pair = bytes(&1.0f64.to_ne_bytes());
    pair.bytes.extend(500.0f64.to_ne_bytes());
    let mut input = arguments(vec![int(3)]);
    let call = |function, result: Content| StubCall {
        function,
        result,
        outputs: Vec::new(),
        globals: Vec::new(),
        leads: Vec::new(),
        is_allocation: false,
    };
    input.stubs = vec![call(sensor, int(4)), call(both, pair), call(sensor, int(2)), call(sensor, int(7))];
    assert_eq!(int_result(&native.run(&input).unwrap()), 427 + 500);
}

#[test]
fn an_overrun_by_one_is_caught_without_sanitizers() {
    let subject = Subject::new("int f(int *t, int n) { return t[n]; }");
    let mut native = subject.build("f", &Options::default());
    let input = |n| Input { arguments: vec![pointer(0), int(n)], objects: vec![ints(&[1, 2, 3])], ..Input::default() };
    assert_eq!(int_result(&native.run(&input(2)).unwrap()), 3);
    assert_eq!(native.run(&input(3)).unwrap().ending, Ending::Signalled(11));
    let big = Input { objects: vec![ints(&[7; 5000])], ..input(4999) };
    assert_eq!(int_result(&native.run(&big).unwrap()), 7);
    let over = Input { objects: vec![ints(&[7; 5000])], ..input(5000) };
    assert_eq!(native.run(&over).unwrap().ending, Ending::Signalled(11));
}

#[test]
fn many_objects() {
    let subject =
        Subject::new("int f(int **t, int n) { int s = 0; for (int i = 0; i < n; i++) s += *t[i]; return s; }");
    let mut native = subject.build("f", &Options::default());
    let count = 3000;
    let mut table = bytes(&vec![0; count * 8]);
    table.pointers = (0..count)
        .map(|index| StoredPointer { at: index as u64 * 8, target: PointerTarget::Object(index + 1, 0) })
        .collect();
    let objects = std::iter::once(object(table)).chain((0..count).map(|value| ints(&[value as i32]))).collect();
    let input = Input { arguments: vec![pointer(0), int(count as i32)], objects, ..Input::default() };
    assert_eq!(int_result(&native.run(&input).unwrap()), (0..count as i32).sum::<i32>());
}

#[test]
fn input_objects_can_be_freed() {
    let subject = Subject::new("#include <stdlib.h>\nint f(int *p) { int v = *p; free(p); return v; }");
    let mut native = subject.build("f", &Options::default());
    let input = Input { arguments: vec![pointer(0)], objects: vec![ints(&[6])], ..Input::default() };
    let observation = native.run(&input).unwrap();
    assert_eq!((observation.ending.clone(), int_result(&observation)), (Ending::Returned, 6));
}

#[test]
fn sanitizers_name_the_error() {
    let subject = Subject::new(
        "int f(int *t, int n) { int local[4] = { 0 }; if (n > 100) return n * n; if (n < 0) return local[4 - n];
        return t[n]; }",
    );
    let mut native = subject.build("f", &Options { sanitize: true, ..Options::default() });
    let input = |n| Input { arguments: vec![pointer(0), int(n)], objects: vec![ints(&[1, 2, 3])], ..Input::default() };
    let mut ending = |n| native.run(&input(n)).unwrap().ending;
    assert_eq!(ending(2), Ending::Returned);
    assert_eq!(ending(3), Ending::Sanitizer("AddressSanitizer: heap-buffer-overflow".to_owned()));
    let Ending::Sanitizer(line) = ending(65536) else { panic!("an overflow is reported") };
    assert!(line.contains("runtime error: signed integer overflow"), "{line}");
    let Ending::Sanitizer(line) = ending(-1) else { panic!("an index out of bounds is reported") };
    assert!(line.contains("subject0.c:1:") && line.contains("out of bounds"), "{line}");
}

#[test]
fn what_does_not_fit_is_an_error() {
    let subject = Subject::new("const int fixed = 1; int f(int a) { static int calls; return a + fixed + ++calls; }");
    let mut native = subject.build("f", &Options::default());
    assert!(matches!(native.run(&arguments(vec![])), Err(Error::Unsupported(_))));
    assert!(matches!(native.run(&arguments(vec![bytes(&[1])])), Err(Error::Unsupported(_))));
    for name in ["fixed", "calls"] {
        let mut input = arguments(vec![int(1)]);
        input.globals.push((subject.global(name), int(2)));
        assert!(matches!(native.run(&input), Err(Error::Unsupported(_))), "{name}");
    }
    let good = native.run(&arguments(vec![int(1)])).unwrap();
    assert_eq!(int_result(&good), 3, "static variables start afresh in every test");
}

#[test]
fn earlier_calls_come_first_and_leave_their_static_variables_behind() {
    let subject = Subject::new(
        "int g; int f(int *p, int a) { static int sum; static int *kept = 0; if (kept) g = *kept; kept = p; *p += a; \
        sum += a; if (sum > 5) return sum; return -sum; }",
    );
    let mut native = subject.build("f", &Options { observe: vec![subject.global("g")], ..Options::default() });
    let mut input = arguments(vec![pointer(1), int(4)]);
    input.objects = vec![object(int(10)), object(int(20))];
    let first = native.run(&input).unwrap();
    assert_eq!((int_result(&first), first.path.len()), (-4, 2));
    input.earlier = vec![EarlierCall { arguments: vec![pointer(0), int(3)], extra: Vec::new() }];
    let second = native.run(&input).unwrap();
    assert_eq!((int_result(&second), second.path.len()), (7, 4), "the path is that of both calls");
    assert_eq!(second.objects, [int(13).bytes, int(24).bytes]);
    assert_eq!(second.globals, [int(13).bytes]);
    input.earlier[0].arguments.pop();
    assert!(matches!(native.run(&input), Err(Error::Unsupported(_))));
}

#[test]
fn what_is_missing_costs_only_the_tests_that_reach_it() {
    let subject = Subject::new(
        "int missing(int); extern int absent; int other(void) { return absent; } int f(int a) { return a ? missing(a) : 7; }",
    );
    for flags in [vec![], vec!["-O2".to_owned()]] {
        let mut native = subject.build("f", &Options { flags, ..Options::default() });
        assert_eq!(int_result(&native.run(&arguments(vec![int(0)])).unwrap()), 7);
        assert_eq!(native.run(&arguments(vec![int(1)])).unwrap().ending, Ending::Signalled(11));
    }
}

#[test]
fn strict_and_odd_flags() {
    let subject = Subject::new("int f(int a) { switch (a) { case 1: return 2; } return (a - 1) ?: 3; }");
    let flags =
        ["-std=c89 -pedantic-errors -Werror -Wall", "-O3 -fvisibility=hidden -nostdlib", "-g -fPIE -pie -shared"];
    for flags in flags {
        let flags = flags.split(' ').map(str::to_owned).collect();
        let mut native = subject.build("f", &Options { flags, ..Options::default() });
        assert_eq!(path(&native.run(&arguments(vec![int(5)])).unwrap()), "1T");
    }
}

#[test]
fn refused_source_gives_the_compilers_message() {
    let subject = Subject::new("int missing(int); int f(int a) { return missing(a); }");
    let function = subject.program.function("f").unwrap();
    let wrong = Options { flags: vec!["-fno-such-flag".to_owned()], ..Options::default() };
    let error = Native::build(&subject.program, function, &wrong).unwrap_err();
    assert!(matches!(&error, BuildError::Compiler { message, .. } if message.contains("no-such-flag")), "{error}");
    let absent = Options { compiler: vec!["no-such-compiler".to_owned()], ..Options::default() };
    assert!(matches!(Native::build(&subject.program, function, &absent), Err(BuildError::Io { .. })));
    let missing = subject.program.function("missing").unwrap();
    let error = Native::build(&subject.program, missing, &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "`missing` has no body to execute");
}
