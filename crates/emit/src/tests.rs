//! Test files compile without warnings, run, and fail when something changed.

use super::{Framework, MARK, Suite, Test, file, project};
use clew_execute::native::{Native, Options};
use clew_execute::{Content, Input, InputObject, PointerTarget, StoredPointer, StubCall};
use clew_ir::{CType, CTypeId, FunctionId, GlobalId, Program};
use clew_session::output::{WriteError, write};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A C file in a directory of its own.
struct Subject {
    directory: PathBuf,
    program: Program,
}

impl Subject {
    fn new(text: &str) -> Subject {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("emit-test-{}-{number}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let file = directory.join("subject.c");
        fs::write(&file, text).unwrap();
        let loaded = clew_frontend::load(&clew_frontend::Options::file(&file)).unwrap();
        assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
        Subject { directory, program: loaded.program }
    }

    fn function(&self, name: &str) -> FunctionId {
        self.program.function(name).unwrap()
    }

    fn global(&self, name: &str) -> GlobalId {
        self.program.globals.iter().find(|(_, global)| global.name == name).unwrap().0
    }

    /// What parameter `index` of a function points to.
    fn pointee(&self, function: &str, index: usize) -> CTypeId {
        let ty = self.program.functions[self.function(function)].params[index].ty;
        let CType::Pointer(to) = self.program.ctypes.get(ty) else { panic!("parameter {index} is no pointer") };
        *to
    }

    /// Executes inputs of `f`, all globals observed.
    fn tests(&self, inputs: Vec<Input>) -> (Vec<Test>, Vec<GlobalId>) {
        let observed: Vec<GlobalId> = self.mutable_globals();
        let stubs = inputs.iter().flat_map(|input| &input.stubs).map(|call| call.function).collect();
        let mut options = Options { observe: observed.clone(), stubs, ..Options::default() };
        options.stubs.sort();
        options.stubs.dedup();
        let mut native = Native::build(&self.program, self.function("f"), &options).unwrap();
        let observations = native.run_batch(&inputs);
        let tests = inputs.into_iter().zip(observations).enumerate().map(|(number, (input, observation))| Test {
            name: format!("test_{number}"),
            lines: vec![format!("case {number}: T/*F*/")],
            undefined: None,
            addressed: false,
            diverged: false,
            input,
            observation: observation.unwrap(),
        });
        (tests.collect(), observed)
    }

    fn mutable_globals(&self) -> Vec<GlobalId> {
        let variable = |global: &clew_ir::Global| global.kind == clew_ir::GlobalKind::Variable && !global.is_const;
        let globals = self.program.globals.iter();
        globals.filter(|(_, global)| variable(global) && global.init.is_some()).map(|(id, _)| id).collect()
    }

    /// Writes, builds and runs a suite.
    fn run(&self, tests: &[Test], observed: &[GlobalId]) -> (String, Output) {
        let (program, function) = (&self.program, self.function("f"));
        let unit = program.functions[function].span.unit;
        let suite = Suite {
            program,
            unit,
            source: "subject.c",
            subjects: &[super::Subject { function, observed, tests }],
            call_order: false,
        };
        let [part] = <[file::Part; 1]>::try_from(file::texts(&suite, Framework::Plain, "f").parts).unwrap();
        let text = part.c;
        write(&self.directory.join("test_f.c"), &text).unwrap();
        let target = project::Target {
            stem: "test_f".to_owned(),
            compiler: vec!["cc".to_owned()],
            flags: ["-Werror", "-O2"].map(str::to_owned).to_vec(),
            link: Vec::new(),
            hooks: Vec::new(),
            link_flags: Vec::new(),
            depends: vec!["subject.c".to_owned()],
        };
        write(&self.directory.join("Makefile"), project::makefile(Framework::Plain, &[target])).unwrap();
        let output = Command::new("make").args(["-s", "check"]).current_dir(&self.directory).output().unwrap();
        (text, output)
    }

    /// Executes inputs, and expects that the test file passes, skipping some; gives its text.
    #[track_caller]
    fn check(&self, inputs: Vec<Input>, skipped: usize) -> String {
        let (tests, observed) = self.tests(inputs);
        let (text, output) = self.run(&tests, &observed);
        let (said, wrong) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let count = tests.len();
        let tests = if count == 1 { "test" } else { "tests" };
        let expected = format!("f: {count} {tests}, {} passed, 0 failed, {skipped} skipped\n", count - skipped);
        assert_eq!(said, expected, "{wrong}\n{text}");
        assert!(output.status.success());
        text
    }
}

impl Drop for Subject {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

fn bytes(bytes: &[u8]) -> Content {
    Content { bytes: bytes.to_vec(), pointers: Vec::new() }
}

fn int(value: i32) -> Content {
    bytes(&value.to_ne_bytes())
}

fn ints(values: &[i32]) -> Content {
    bytes(&values.iter().flat_map(|value| value.to_ne_bytes()).collect::<Vec<_>>())
}

fn object(name: &str, element: CTypeId, count: u64, content: Content) -> InputObject {
    InputObject { name: name.to_owned(), element, count, content, residue: None, ordered: false }
}

fn pointer(target: PointerTarget) -> Content {
    Content { bytes: vec![0; 8], pointers: vec![StoredPointer { at: 0, target }] }
}

fn to(object: usize) -> Content {
    pointer(PointerTarget::Object(object, 0))
}

fn arguments(arguments: Vec<Content>) -> Input {
    Input { arguments, ..Input::default() }
}

#[test]
fn scalars_and_extremes() {
    let subject = Subject::new(
        "enum colour { RED, GREEN = 7 }; typedef unsigned char octet;
        static long long f(int a, unsigned long b, octet c, enum colour d, _Bool e, char x)
        { return a + (long long)b + c + d + e + x; }",
    );
    let input = |a: i32, b: u64| {
        arguments(vec![int(a), bytes(&b.to_ne_bytes()), bytes(&[255]), int(7), bytes(&[1]), bytes(b"x")])
    };
    let text = subject.check(vec![input(i32::MIN, 0), input(-1, u64::MAX), input(5, 1 << 63)], 0);
    assert!(text.contains("f((-2147483647 - 1), 0uL, 255, GREEN, 1, 'x')"), "{text}");
}

#[test]
fn floats_are_exact() {
    let subject = Subject::new(
        "double f(double a, float b, long double c) { return a > 1e300 ? a * a : a < 0 ? -(0.0 * b) : (a + b) * c; }",
    );
    let wide = bytes(&[0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f, 0, 0, 0, 0, 0, 0]);
    let input = |a: f64, b: f32| arguments(vec![bytes(&a.to_ne_bytes()), bytes(&b.to_ne_bytes()), wide.clone()]);
    let inputs = vec![input(0.1, 0.3), input(f64::MAX, 0.0), input(-1.0, 2.0), input(f64::NAN, 1.0), input(2.5, -2.5)];
    let text = subject.check(inputs, 0);
    for part in
        ["f(0x1.999999999999ap-4, 0x1.333334p-2f, 0x1.8p+0L)", "not a number", "negative zero", "__builtin_inf()"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn arrays_are_checked_when_they_change() {
    let subject =
        Subject::new("void f(int *to, const int *from, int n) { for (int i = 0; i < n; i++) to[i] = from[i] * 2; }");
    let input = |values: &[i32]| {
        let element = subject.pointee("f", 0);
        let constant = subject.pointee("f", 1);
        let count = values.len() as u64;
        Input {
            arguments: vec![to(0), to(1), int(values.len() as i32)],
            objects: vec![
                object("to", element, count, ints(&vec![0; values.len()])),
                object("from", constant, count, ints(values)),
            ],
            ..Input::default()
        }
    };
    let text = subject.check(vec![input(&[]), input(&[3]), input(&[1, 2, 3, 4, 5]), input(&[9, 0])], 0);
    assert!(text.contains("int to[5] = {0};"), "{text}");
    assert!(text.contains("const int expected_to[] = {2, 4, 6, 8, 10};"), "{text}");
    assert!(text.contains("CHECK(to[0] == 18);"), "{text}");
    assert!(text.contains("f(&to, &from, 1);"), "{text}");
}

#[test]
fn objects_lie_in_the_order_that_the_path_needs() {
    let subject = Subject::new("int f(const char *a, const unsigned char *b) { return a < (const char *)b; }");
    let ordered = |name: &str, position, value: u8| {
        let element = subject.pointee("f", position);
        InputObject { ordered: true, ..object(name, element, 2, bytes(&[value, 0])) }
    };
    let input = |first: usize| Input {
        arguments: vec![to(first), to(1 - first)],
        objects: match first {
            0 => vec![ordered("a", 0, b'x'), ordered("b", 1, 7)],
            _ => vec![ordered("b", 1, 7), ordered("a", 0, b'x')],
        },
        ..Input::default()
    };
    let text = subject.check(vec![input(0), input(1)], 0);
    assert!(
        text.contains("char *a = (void *)(a_room + 0);\n    unsigned char *b = (void *)(a_room + 131088);"),
        "{text}"
    );
    assert!(text.contains("char *a = (void *)(b_room + 131088);"), "{text}");
    assert!(text.contains("CHECK(result == 1);") && text.contains("CHECK(result == 0);"), "{text}");
}

#[test]
fn members_that_are_zero_are_left_out_and_unions_show_their_pointers() {
    let subject = Subject::new(
        "enum mode { OFF, ON }; struct inner { enum mode mode; int table[100]; const char *text; };
        typedef union { char room[sizeof(struct inner)]; struct inner inner; } outer;
        int f(outer *o) { return o->inner.text[0] + o->inner.table[80] + o->inner.mode; }",
    );
    let mut content = bytes(&[0; 416]);
    content.bytes[4 + 320] = 9;
    content.pointers.push(StoredPointer { at: 408, target: PointerTarget::Object(1, 0) });
    let text = subject.pointee("f", 0);
    let is_char = |ty: &clew_ir::CType| matches!(ty, clew_ir::CType::Int { name: "char", .. });
    let character = subject.program.ctypes.types.iter().find(|(_, ty)| is_char(ty)).expect("there is one").0;
    let objects = vec![object("o", text, 1, content), object("text", character, 2, bytes(b"a\0"))];
    let text = subject.check(vec![Input { arguments: vec![to(0)], objects, ..Input::default() }], 0);
    assert!(text.contains("= {.inner = {.table = {[80] = 9}, .text = text}};"), "{text}");
}

#[test]
fn linked_structures_with_unions_and_bit_fields() {
    let subject = Subject::new(
        "typedef struct node { int value; unsigned flag : 3; int small : 4; struct node *next; char name[4];
          union { int i; float x; } u; struct { short a, b; }; } node;
        typedef struct { double re, im; } complex_number;
        int f(node *list, complex_number z) { int n = 0; for (node *p = list; p && n < 5; p = p->next) {
            n++; p->value += n; p->flag ^= 1; p->small = -n; p->b = (short)n; } if (list) list->next = 0; return n + (int)z.im; }",
    );
    let node = |value: i32, next: Option<usize>| {
        let mut content = bytes(&[0; 32]);
        content.bytes[..4].copy_from_slice(&value.to_ne_bytes());
        content.bytes[4] = 0b0111_1101;
        content.bytes[16..20].copy_from_slice(b"abc\0");
        content.bytes[20] = 77;
        let link = |index| StoredPointer { at: 8, target: PointerTarget::Object(index, 0) };
        content.pointers.extend(next.map(link));
        content
    };
    let element = subject.pointee("f", 0);
    let mut z = bytes(&1.5f64.to_ne_bytes());
    z.bytes.extend((-2.0f64).to_ne_bytes());
    let ring = Input {
        arguments: vec![to(0), z.clone()],
        objects: vec![object("list", element, 1, node(1, Some(1))), object("list", element, 1, node(-5, Some(0)))],
        ..Input::default()
    };
    let two = object("pair", element, 2, {
        let mut both = node(3, None);
        both.bytes.extend(node(4, None).bytes);
        both.pointers.push(StoredPointer { at: 40, target: PointerTarget::Object(0, 0) });
        both
    });
    let inner = Input {
        arguments: vec![pointer(PointerTarget::Object(0, 32)), z.clone()],
        objects: vec![two],
        ..Input::default()
    };
    let text = subject.check(vec![ring, inner, arguments(vec![bytes(&[0; 8]), z])], 0);
    assert!(text.contains("list_2.next = &list;"), "{text}");
    assert!(text.contains(".name = \"abc\""), "{text}");
    assert!(text.contains("f(NULL, z)"), "{text}");
    assert!(text.contains("f(pair + 1, z)"), "{text}");
    assert!(text.contains("complex_number z = {.re = 1.5, .im = -2.0};"), "{text}");
}

#[test]
fn globals_are_set_checked_and_put_back() {
    let subject = Subject::new(
        "static int count = 3; int table[4] = { 1, 2, 3, 4 }; struct { int a; int *p; } pair; const int fixed = 2;
        static int *last = table;
        int f(int a) { count += a; table[1] = count; if (pair.p) *pair.p = a; pair.a++; return *last + fixed; }",
    );
    let mut set = arguments(vec![int(10)]);
    let mut pair = bytes(&[5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    pair.pointers.push(StoredPointer { at: 8, target: PointerTarget::Global(subject.global("table"), 8) });
    set.globals = vec![
        (subject.global("count"), int(-7)),
        (subject.global("table"), ints(&[9, 8, 7, 0])),
        (subject.global("last"), pointer(PointerTarget::Global(subject.global("count"), 0))),
    ];
    let text = subject.check(vec![arguments(vec![int(1)]), set, arguments(vec![int(1)])], 0);
    assert!(text.contains("count = -7;") && text.contains("last = &count;"), "{text}");
    assert!(text.contains("CHECK(count == 4);"), "{text}");
    // A structure without a name.
    let mut unnamed = arguments(vec![int(1)]);
    unnamed.globals.push((subject.global("pair"), pair));
    subject.check(vec![unnamed], 0);
}

#[test]
fn functions_that_remember_run_apart() {
    let subject = Subject::new("int f(int a) { static int calls; return a + ++calls; }");
    let text = subject.check(vec![arguments(vec![int(1)]), arguments(vec![int(5)])], 0);
    assert!(text.contains("fork()"), "{text}");
}

#[test]
fn exits_and_crashes_are_expected() {
    let subject =
        Subject::new("#include <stdlib.h>\nint f(int a) { if (a == 1) abort(); if (a == 2) exit(4); return 6 / a; }");
    let text = subject.check((0..4).map(|a| arguments(vec![int(a)])).collect(), 0);
    assert!(text.contains("WTERMSIG(status) == SIGFPE"), "{text}");
    assert!(text.contains("WEXITSTATUS(status) == SIGABRT"), "{text}");
    assert!(text.contains("WEXITSTATUS(status) == 4"), "{text}");
}

#[test]
fn crashes_are_not_seen_by_the_compiler() {
    for keyword in ["static ", "", "static inline ", "inline "] {
        let subject = Subject::new(&format!("{keyword}int f(int *t, int n) {{ return t[n] + 1; }}"));
        let objects = vec![object("t", subject.pointee("f", 0), 2, ints(&[1, 2]))];
        let input = |n| Input { arguments: vec![to(0), int(n)], objects: objects.clone(), ..Input::default() };
        let null = arguments(vec![bytes(&[0; 8]), int(0)]);
        subject.check(vec![input(1), input(2), input(7000), null], 3);
    }
}

#[test]
fn a_program_with_main_and_names_that_clash() {
    let subject = Subject::new(
        "#include <stdio.h>\nint failures = 1, tests, run, number, CHECK; typedef int result_t;
        #define expected 3\n#undef expected
        static int run_test(int x) { return x; }
        static int remove_it(char *s) { puts(s); return s[0] == 'a'; }
        int f(char *tests_2) { return run_test(failures) + remove_it(tests_2); }
        int main(void) { char s[] = \"a\"; if (f(s) > 9) return 1; }",
    );
    let element = subject.pointee("f", 0);
    let input = Input {
        arguments: vec![to(0)],
        objects: vec![object("failures", element, 4, bytes(b"a\"?\0"))],
        ..Input::default()
    };
    let (tests, observed) = subject.tests(vec![input]);
    let (text, output) = subject.run(&tests, &observed);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("char failures_3[4] = \"a\\\"\\?\";"), "{text}");
}

#[test]
fn macros_with_the_names_of_parameters_of_a_mock() {
    let subject = Subject::new(
        "int given(int data, int *size);
        #define data (p->m_data)\n#define size 4
        struct parser { int m_data; };
        int f(struct parser *p) { int all[size] = { 0 }; return given(data, all); }",
    );
    let call = StubCall {
        function: subject.function("given"),
        result: int(2),
        outputs: Vec::new(),
        globals: Vec::new(),
        leads: Vec::new(),
        is_allocation: false,
    };
    let objects = vec![object("p", subject.pointee("f", 0), 1, int(7))];
    let text = subject.check(vec![Input { arguments: vec![to(0)], objects, stubs: vec![call], ..Input::default() }], 0);
    assert!(text.contains("#undef data\n"), "{text}");
}

#[test]
fn objects_that_may_be_freed() {
    let subject = Subject::new(
        "#include <stdlib.h>\nstruct n { int v; struct n *next; };
        int f(struct n *p) { int s = 0; while (p) { struct n *q = p->next; s += p->v; free(p); p = q; } return s; }",
    );
    let element = subject.pointee("f", 0);
    let mut first = bytes(&[4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    first.pointers.push(StoredPointer { at: 8, target: PointerTarget::Object(1, 0) });
    let second = bytes(&[5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let input = Input {
        arguments: vec![to(0)],
        objects: vec![object("p", element, 1, first), object("p next", element, 1, second)],
        ..Input::default()
    };
    let text = subject.check(vec![input], 0);
    assert!(text.contains("struct n *p_next = malloc(sizeof *p_next);"), "{text}");
    assert!(text.contains("*p = (struct n){.v = 4, .next = p_next};"), "{text}");
}

#[test]
fn mocks_and_function_pointers() {
    let subject = Subject::new(
        "int sensor(int channel, const char *name); void tell(int); double level(void);
        static int twice(int x) { return 2 * x; }
        int f(int (*g)(int), int n) { int s = 0; while (n-- > 0) s += g(sensor(n, \"a\")); tell(s); return s + (int)level(); }",
    );
    let id = |name: &str| subject.function(name);
    let call = |function, result| StubCall {
        function,
        result,
        outputs: Vec::new(),
        globals: Vec::new(),
        leads: Vec::new(),
        is_allocation: false,
    };
    let mut input = arguments(vec![pointer(PointerTarget::Function(id("twice"))), int(2)]);
    input.stubs = vec![
        call(id("sensor"), int(4)),
        call(id("sensor"), int(-1)),
        call(id("tell"), bytes(&[])),
        call(id("level"), bytes(&2.0f64.to_ne_bytes())),
    ];
    let text = subject.check(vec![input.clone()], 0);
    for part in [
        "sensor_gives = (int []){4, -1};",
        "CHECK(all_calls_were_made());",
        "CHECK(sensor_called[0].channel == 1);",
        "CHECK(sensor_called[1].name != NULL);",
        "CHECK(tell_called[0].given_0 == 6);",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (mut tests, observed) = subject.tests(vec![input]);
    tests[0].observation.calls[1].arguments[0].1[0] = 7;
    let (_, output) = subject.run(&tests, &observed);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("not so: sensor_called[1].channel == 7"), "{said}");
}

#[test]
fn a_changed_function_is_noticed() {
    let subject = Subject::new("int f(int *p) { *p = 4; return 1; }");
    let element = subject.pointee("f", 0);
    let input = Input { arguments: vec![to(0)], objects: vec![object("p", element, 1, int(0))], ..Input::default() };
    let (mut tests, observed) = subject.tests(vec![input]);
    tests[0].observation.result = 2i32.to_ne_bytes().to_vec();
    tests[0].observation.objects = vec![5i32.to_ne_bytes().to_vec()];
    let (_, output) = subject.run(&tests, &observed);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success());
    assert!(said.contains("test_0: not so: result == 2") && said.contains("not so: p == 5"), "{said}");
    assert!(said.ends_with("f: 1 test, 0 passed, 1 failed, 0 skipped\n"), "{said}");
}

#[test]
fn what_a_function_without_a_result_leaves_alone_is_asserted() {
    let subject = Subject::new("void f(int *p, const int *q) { if (*q) *p = 4; }");
    let (p, q) = (subject.pointee("f", 0), subject.pointee("f", 1));
    let objects = vec![object("p", p, 1, int(3)), object("q", q, 1, int(0))];
    let input = Input { arguments: vec![to(0), to(1)], objects, ..Input::default() };
    let (tests, observed) = subject.tests(vec![input]);
    let (text, output) = subject.run(&tests, &observed);
    assert!(output.status.success() && text.contains("p == 3") && !text.contains("q == 0"), "{text}");
}

#[test]
fn what_is_large_and_left_alone_is_not_asserted() {
    let subject = Subject::new("struct s { char all[100000]; }; void f(struct s *p) { if (p->all[3]) p->all[3] = 0; }");
    let content = Content { bytes: vec![0; 100_000], pointers: Vec::new() };
    let objects = vec![object("p", subject.pointee("f", 0), 1, content)];
    let (text, output) = {
        let (tests, observed) = subject.tests(vec![Input { arguments: vec![to(0)], objects, ..Input::default() }]);
        subject.run(&tests, &observed)
    };
    assert!(output.status.success() && text.len() < 10_000, "{}", text.len());
}

#[test]
fn a_suite_without_tests() {
    let subject = Subject::new("int f(void) { return 0; }");
    let (text, output) = subject.run(&[], &[]);
    assert!(output.status.success(), "{text}");
}

#[test]
fn only_generated_files_are_replaced() {
    let subject = Subject::new("int f(void) { return 0; }");
    let path = subject.directory.join("Makefile");
    fs::write(&path, "all: mine\n").unwrap();
    let text = format!("# {MARK}\n");
    assert!(matches!(write(&path, &text), Err(WriteError::NotOurs(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), "all: mine\n");
    fs::remove_file(&path).unwrap();
    write(&path, &text).unwrap();
    write(&path, format!("{text}again\n")).unwrap();
    assert!(fs::read_to_string(&path).unwrap().ends_with("again\n"));
}

#[test]
fn pointers_are_followed() {
    let subject = Subject::new(
        "struct n { int v; struct n *next; }; struct n *last;
        struct n *f(struct n *p) { struct n *r = 0; while (p) { struct n *q = p->next; p->next = r; r = p; p = q; }
            last = r; return r; }",
    );
    let element = subject.pointee("f", 0);
    let node = |next: Option<usize>| Content {
        bytes: vec![0; 16],
        pointers: next
            .map(|index| StoredPointer { at: 8, target: PointerTarget::Object(index, 0) })
            .into_iter()
            .collect(),
    };
    let objects = vec![object("p", element, 1, node(Some(1))), object("p[0].next", element, 1, node(None))];
    let text = subject.check(vec![Input { arguments: vec![to(0)], objects, ..Input::default() }], 0);
    for part in [
        "struct n p = {.next = &p_next};",
        "CHECK(result == &p_next);",
        "CHECK(p.next == NULL);",
        "CHECK(p_next.next == &p);",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("CHECK(last == &p_next);"), "{text}");
}

/// Tests that would be too long for one file are several programs, with what they share in a header.
#[test]
fn long_files_are_split() {
    let subject = Subject::new("int get(void); void put(int x); int f(int x) { put(get()); return x + get(); }\n");
    let (get, put) = (subject.function("get"), subject.function("put"));
    let answer = |function, result| StubCall {
        function,
        result,
        outputs: Vec::new(),
        globals: Vec::new(),
        leads: Vec::new(),
        is_allocation: false,
    };
    let input = |number: i32| Input {
        stubs: vec![answer(get, int(number)), answer(put, bytes(&[])), answer(get, int(1))],
        ..arguments(vec![int(number)])
    };
    let (tests, observed) = subject.tests((0..200).map(input).collect());
    let (program, function) = (&subject.program, subject.function("f"));
    let (unit, observed, tests) = (program.functions[function].span.unit, &*observed, &*tests);
    let suite = Suite {
        program,
        unit,
        source: "subject.c",
        subjects: &[super::Subject { function, observed, tests }],
        call_order: true,
    };
    for framework in [Framework::Plain, Framework::Cmocka] {
        let texts = file::texts(&suite, framework, "f");
        assert!(texts.parts.len() > 1 && texts.parts.iter().all(|part| part.c.lines().count() <= 2000));
        assert_eq!(texts.parts.iter().map(|part| part.tests).sum::<usize>(), 200);
        let shared = texts.shared.unwrap();
        assert_eq!(shared.matches("int get(void)").count(), 1, "{shared}");
        write(&subject.directory.join("test_f.h"), &shared).unwrap();
        let target = |part: &file::Part| {
            write(&subject.directory.join(format!("{}.c", part.stem)), &part.c).unwrap();
            let flags = ["-Werror", "-Wall", "-Wextra"].map(str::to_owned).to_vec();
            let compiler = vec!["cc".to_owned()];
            project::Target { stem: part.stem.clone(), compiler, flags, ..project::Target::default() }
        };
        let targets: Vec<project::Target> = texts.parts.iter().map(target).collect();
        if framework == Framework::Plain {
            write(&subject.directory.join("Makefile"), project::makefile(framework, &targets)).unwrap();
            let output = Command::new("make").args(["-s", "check"]).current_dir(&subject.directory).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_eq!(String::from_utf8_lossy(&output.stdout).matches(" 0 failed, 0 skipped").count(), targets.len());
        }
    }
}
