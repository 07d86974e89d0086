//! Tests that share a process: each is compared with a run of its own.

use crate::subject::{Subject, arguments, bytes, int, int_result, ints, pointer};
use clew_execute::native::{Job, Limits, Native, Options};
use clew_execute::usage::ProcessorTime;
use clew_execute::{Ending, Input, Observation};
use std::time::Duration;

fn options() -> Options {
    Options { limits: Limits { time: Duration::from_millis(200), ..Limits::default() }, ..Options::default() }
}

/// Runs inputs together and each alone; they must not differ. Gives what was observed.
fn same_both_ways(native: &mut Native<'_>, inputs: &[Input]) -> Vec<Observation> {
    let jobs: Vec<Job<'_>> = inputs.iter().map(|input| Job { input, may_share: true, mutant: None }).collect();
    let together: Vec<Observation> = native.run_all(&jobs).into_iter().map(Result::unwrap).collect();
    let alone = native.run_batch(inputs).into_iter().map(Result::unwrap);
    for (number, (together, alone)) in together.iter().zip(alone).enumerate() {
        assert_eq!(*together, alone, "test {number}");
    }
    assert!(!native.is_doubtful());
    together
}

/// Runs `f` of numbers in both ways, with 1 in the midst of them. Gives what `f(1)` showed, and how many shared a process.
fn around_one(text: &str) -> (Observation, u64) {
    let subject = Subject::new(text);
    let mut native = subject.build("f", &options());
    let inputs: Vec<Input> = [0, 2, 3, 1, 0, 2, 4].map(|value| arguments(vec![int(value)])).to_vec();
    let observations = same_both_ways(&mut native, &inputs);
    (observations[3].clone(), native.shared())
}

/// Every test shares, and gives what it gives alone.
fn shares(text: &str) -> Observation {
    let (observation, shared) = around_one(text);
    assert_eq!(shared, 7, "{text}");
    observation
}

/// No test shares, since one does what cannot be undone.
fn falls_back(text: &str) -> Observation {
    let (observation, shared) = around_one(text);
    assert_eq!(shared, 0, "{text}");
    observation
}

#[test]
fn globals_statics_and_heap_are_put_back() {
    let text = "#include <stdlib.h>\n#include <string.h>\nint counter = 5; static char text[5000]; int *kept;\nint f(int a) {
        static int calls;
        counter += a; calls++; text[4999 - a]++;
        if (!kept) kept = calloc(100, sizeof *kept);
        kept[a]++;
        char *leak = malloc(100 + a); memset(leak, a, 100 + a);
        void *large = calloc(1, 100000); ((char *)large)[50000] += 3;
        return counter * 1000000 + calls * 100000 + kept[a] * 10000 + text[4999 - a] * 1000 + ((char *)large)[50000] + (rand() & 7); }";
    assert!(int_result(&shares(text)) > 6_000_000);
}

#[test]
fn the_c_librarys_variables_are_put_back() {
    shares(
        "#include <errno.h>\n#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n#include <locale.h>\nint f(int a) {
        static char text[] = \"one two three\";
        int before = errno; errno = a + 3;
        char *first = strtok(before ? 0 : text, \" \"), *second = a > 1 ? strtok(0, \" \") : 0;
        setenv(\"clew\", \"x\", 1); srand(a); setlocale(LC_ALL, \"C\");
        return before + rand() % 100 + (second ? *second : 0) + *first + (getenv(\"clew\") != 0); }",
    );
}

#[test]
fn the_floating_point_environment_is_put_back() {
    shares(
        "#include <fenv.h>\nvolatile double one = 1, three = 3;\nint f(int a) {
        int before = fetestexcept(FE_ALL_EXCEPT);
        double third = one / three;
        if (a == 1) fesetround(FE_UPWARD);
        if (a == 2) { fesetround(FE_TOWARDZERO); feraiseexcept(FE_DIVBYZERO); }
        double other = one / three;
        return before * 10 + (third < other) + 2 * (third > other) + 4 * fegetround(); }",
    );
}

#[test]
fn the_stack_is_put_back() {
    shares(
        "#include <string.h>\nint f(int a) {
        char room[600000];
        volatile char *at = room;
        int sum = at[0] + at[100] + at[9000] + at[100000] + at[500000] + at[599999];
        memset(room, a + 1, sizeof room);
        return sum + at[9] - a; }",
    );
    shares(
        "int f(int a) { volatile char room[1000]; room[0] = (char)a; return a > 0 && a < 3000 ? f(a + 1000) + room[0] : 0; }",
    );
}

#[test]
fn objects_are_put_back() {
    let text = "int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) { s += a[i]; a[i] = -1; } return s; }";
    let subject = Subject::new(text);
    let mut native = subject.build("f", &options());
    let input = |count: i32| Input {
        arguments: vec![pointer(0), int(count)],
        objects: vec![ints(&(0..count).collect::<Vec<_>>())],
        ..Input::default()
    };
    let inputs: Vec<Input> = [3, 0, 500, 1, 1024, 1025, 2, 5000, 7].map(input).to_vec();
    let observations = same_both_ways(&mut native, &inputs);
    assert!(observations.iter().zip([3, 0, 500]).all(|(seen, n)| int_result(seen) == n * (n - 1) / 2));
    assert!(native.shared() >= 5, "{}", native.shared());
}

#[test]
fn objects_from_the_heap_are_put_back() {
    let text = "#include <stdlib.h>\nint f(int *a, int n) { int s = *a; if (n > 2) free(a); else *a = 9; int *b = malloc(n * 8); *b = s; return *b; }";
    let subject = Subject::new(text);
    let mut native = subject.build("f", &options());
    let input = |n: i32| Input {
        arguments: vec![pointer(0), int(n)],
        objects: vec![ints(&[n, 1, 2])],
        freed: if n > 2 { vec![0] } else { Vec::new() },
        ..Input::default()
    };
    let inputs: Vec<Input> = (1..9).map(input).collect();
    let jobs: Vec<Job<'_>> = inputs.iter().map(|input| Job { input, may_share: true, mutant: None }).collect();
    let together: Vec<Observation> = native.run_all(&jobs).into_iter().map(Result::unwrap).collect();
    let alone: Vec<Observation> = native.run_batch(&inputs).into_iter().map(Result::unwrap).collect();
    assert_eq!(together, alone);
    assert_eq!(native.shared(), 8);
}

#[test]
fn a_stub_that_does_not_return() {
    let subject =
        Subject::new("void fatal(int) __attribute__((noreturn)); int f(int a) { if (a == 1) fatal(a); return a; }");
    let stubs = vec![subject.program.function("fatal").unwrap()];
    let mut native = subject.build("f", &Options { stubs, ..options() });
    let inputs: Vec<Input> = [0, 1, 2, 1].map(|value| arguments(vec![int(value)])).to_vec();
    let endings: Vec<Ending> =
        same_both_ways(&mut native, &inputs).into_iter().map(|observation| observation.ending).collect();
    assert_eq!(endings, [Ending::Returned, Ending::Stopped, Ending::Returned, Ending::Stopped]);
    assert_eq!(native.shared(), 4);
}

#[test]
fn what_is_not_memory_falls_back() {
    let headers = "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <pthread.h>\n#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
        #include <sys/mman.h>\n#include <sys/resource.h>\n#include <sys/time.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\
        static void on(int s) { (void)s; }\nstatic void *go(void *p) { for (;;) pause(); return p; }\n";
    let actions = [
        "close(1); close(2)",
        "dup2(2, 50)",
        "for (int i = 3; i < 200; i++) close(i)",
        "if (write(102, \"junk\", 4)) {}",
        "if (chdir(\"/\")) {}",
        "signal(SIGUSR1, on)",
        "signal(SIGSEGV, SIG_IGN)",
        "{ sigset_t s; sigfillset(&s); sigprocmask(SIG_BLOCK, &s, 0); }",
        "{ struct rlimit l = { 1, 1 }; setrlimit(RLIMIT_NOFILE, &l); }",
        "{ struct itimerval t = { { 0, 0 }, { 0, 1000 } }; signal(SIGALRM, SIG_IGN); setitimer(ITIMER_REAL, &t, 0); }",
        "{ pthread_t t; pthread_create(&t, 0, go, 0); }",
        "if (system(\"sleep 5 &\")) {}",
        "umask(0)",
        "fclose(fopen(\"file\", \"w\"))",
        "printf(\"hello\")",
        "puts(\"hello\")",
        "nice(1)",
        "mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)",
        "free(malloc(1 << 22))",
        "sbrk(-4096)",
    ];
    for action in actions {
        let text = format!("{headers}int f(int a) {{ static int n; if (a == 1) {{ {action}; }} return a + n++; }}");
        assert_eq!(falls_back(&text).ending, Ending::Returned, "{action}");
    }
}

#[test]
fn endings_of_other_kinds_fall_back() {
    let text = |action: &str| {
        format!(
            "#define _GNU_SOURCE\n#include <setjmp.h>\n#include <signal.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\nstatic jmp_buf out;\n\
            static void late(int s, void *p) {{}}\nint deep(int a) {{ volatile char room[9000]; room[0] = 1; return a ? deep(a) + room[0] : 0; }}\n\
            int f(int a) {{ static int n; n++; if (a == 1) {{ {action}; }} return a + n; }}"
        )
    };
    assert_eq!(falls_back(&text("exit(3)")).ending, Ending::Exited(3));
    assert_eq!(falls_back(&text("on_exit(late, 0); exit(5)")).ending, Ending::Exited(5));
    assert_eq!(falls_back(&text("_exit(4)")).ending, Ending::Exited(4));
    assert_eq!(falls_back(&text("abort()")).ending, Ending::Signalled(6));
    assert_eq!(falls_back(&text("raise(SIGKILL)")).ending, Ending::Signalled(9));
    assert_eq!(falls_back(&text("*(volatile int *)0 = 1")).ending, Ending::Signalled(11));
    assert_eq!(falls_back(&text("return ((int (*)(void))&n)()")).ending, Ending::Signalled(11));
    assert_eq!(falls_back(&text("return 10 / (n - 1)")).ending, Ending::Signalled(8));
    assert_eq!(falls_back(&text("return deep(1)")).ending, Ending::Signalled(11));
    assert_eq!(falls_back(&text("for (;;) n++")).ending, Ending::TimedOut);
    assert!(matches!(falls_back(&text("char x[4]; memset(x, 0x41, 1 << 18)")).ending, Ending::Signalled(_)));
    falls_back(&text("longjmp(out, 1)"));
    // What is registered is memory, and never run.
    assert_eq!(shares(&text("on_exit(late, 0)")).ending, Ending::Returned);
}

/// A wild pointer reaches what the server has: other tests find nothing of it.
#[test]
fn wild_writes_into_the_harness() {
    for symbol in ["__clew_condition", "__clew_note", "__clew_own_call"] {
        let text =
            format!("extern char wild[] __asm__(\"{symbol}\");\nint f(int a) {{ if (a == 1) wild[0] = 1; return a; }}");
        assert_eq!(falls_back(&text).ending, Ending::Signalled(11), "{symbol}");
    }
    // Every page that is writable, from the program's data over the heap up to the C library's.
    let text = "#include <stdint.h>\n#include <stdlib.h>\nint data = 1;\nint f(int a) {
        volatile unsigned char *at = a == 1 ? (void *)&data : a == 2 ? malloc(10) : (void *)0;
        if (a == 1) for (int i = 0; i < 64; i++) at[i] = (unsigned char)(i * a);
        if (a == 2) for (int i = 0; i < 200; i++) at[i] = 0x41;
        return data + (a > 2 ? *(int *)calloc(1, 100) : 0); }";
    around_one(text);
}

#[test]
fn a_difference_between_the_two_ways_is_noticed() {
    let subject = Subject::new(
        "int f(int a) { unsigned low, high; __asm__(\"rdtsc\" : \"=a\"(low), \"=d\"(high)); return (int)low; }",
    );
    let mut native = subject.build("f", &options());
    let inputs: Vec<Input> = (0..4).map(|value| arguments(vec![int(value)])).collect();
    let jobs: Vec<Job<'_>> = inputs.iter().map(|input| Job { input, may_share: true, mutant: None }).collect();
    assert!(native.run_all(&jobs).iter().all(Result::is_ok));
    assert!(native.is_doubtful() && native.is_apart());
}

#[test]
fn a_group_that_takes_long_is_cut() {
    let text = "int f(int a) { volatile int n = 0; for (int i = 0; i < a * 1000000; i++) n++; return n; }";
    let subject = Subject::new(text);
    let mut native = subject.build("f", &options());
    let inputs: Vec<Input> = (0..40).map(|_| arguments(vec![int(5)])).collect();
    same_both_ways(&mut native, &inputs);
}

/// A source of numbers that is the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A statement that changes globals, statics, the heap, the object or variables of the C library.
fn statement(random: &mut Random, function: u64, depth: u32) -> String {
    let (a, b) = (random.below(64), random.below(1000));
    match random.below(if depth == 0 { 12 } else { 15 }) {
        0 => format!("g{a} += x ^ {b}u;"),
        1 => format!("s[{a}] = s[(x + {b}u) & 63] * 3u + {b}u;"),
        2 => format!("x += g{a} * {b}u;"),
        3 => format!("p[{a} & 7] ^= x + {b}u;"),
        4 => format!("large{function}[(x + {b}u * 97u) & 16383] += {b}u;"),
        5 => format!("if (!h) h = calloc(64 + {b}, 4); if (h) h[{a}] += x;"),
        6 => "if (h) { x += h[x & 63]; free(h); h = 0; }".to_owned(),
        7 => format!("{{ unsigned *t = malloc({b} * 8 + 16); if (t) {{ t[0] = x; h2 = t; x += t[0]; }} }}"),
        8 => format!("h = realloc(h, 256 + {b} * 16); if (h) {{ memset(h, {a}, 256); }}"),
        9 => format!("x ^= (unsigned)rand(); srand(x + {b});"),
        10 => format!("errno = (int)({a} + errno); x += (unsigned)errno;"),
        11 => format!("d = d * 1.5 + sqrt({b}.5); x += (unsigned)d & 255; if (d > 1e9) d = 1;"),
        12 => format!("if (x & {}u) {{ {} }}", 1 << (a & 7), statements(random, function, depth - 1)),
        13 => format!(
            "for (int i{depth} = 0; i{depth} < {}; i{depth}++) {{ {} }}",
            a & 7,
            statements(random, function, depth - 1)
        ),
        _ => format!("switch (x % 3) {{ case 0: {} break; default: x++; }}", statements(random, function, depth - 1)),
    }
}

fn statements(random: &mut Random, function: u64, depth: u32) -> String {
    (0..1 + random.below(4)).map(|_| statement(random, function, depth)).collect()
}

fn random_program(random: &mut Random, functions: u64) -> String {
    let mut text = "#include <errno.h>\n#include <math.h>\n#include <stdlib.h>\n#include <string.h>\nunsigned *h2; double d = 0.25;\n".to_owned();
    (0..64).for_each(|number| text.push_str(&format!("unsigned g{number} = {number};\n")));
    for function in 0..functions {
        text.push_str(&format!(
            "static unsigned large{function}[16384];\nunsigned f{function}(unsigned x, unsigned *p) {{\n"
        ));
        text.push_str("static unsigned s[64], *h;\n");
        (0..3 + random.below(6)).for_each(|_| text.push_str(&format!("{}\n", statement(random, function, 2))));
        text.push_str("return x; }\n");
    }
    text
}

/// Random functions with globals, statics and heap: `CLEW_TOGETHER` says how many.
#[test]
fn random_functions_do_the_same_both_ways() {
    const PROGRAM: u64 = 40;
    let wanted = std::env::var("CLEW_TOGETHER").ok().and_then(|value| value.parse().ok()).unwrap_or(PROGRAM);
    let mut random = Random(31);
    let (mut shared, mut all) = (0, 0);
    for _ in 0..u64::div_ceil(wanted, PROGRAM) {
        let subject = Subject::new(&random_program(&mut random, PROGRAM));
        let functions: Vec<_> =
            (0..PROGRAM).map(|number| subject.program.function(&format!("f{number}")).unwrap()).collect();
        let observe = vec![subject.global("g1"), subject.global("g40"), subject.global("d")];
        let binary = clew_execute::native::Binary::build(&subject.program, &functions, &options()).unwrap();
        let binary = std::sync::Arc::new(binary);
        for function in functions {
            let mut native = Native::new(&subject.program, binary.clone(), function, &observe).unwrap();
            let inputs: Vec<Input> = (0..12).map(|_| input(&mut random, &subject)).collect();
            same_both_ways(&mut native, &inputs);
            shared += native.shared();
            all += inputs.len() as u64;
        }
    }
    assert!(shared * 10 > all * 9, "only {shared} of {all} tests shared a process");
}

fn input(random: &mut Random, subject: &Subject) -> Input {
    let number = random.below(1 << 31) as u32;
    let values: Vec<i32> = (0..8).map(|_| random.below(1 << 30) as i32).collect();
    let globals = (random.below(2) == 0).then(|| (subject.global("g2"), int(number as i32)));
    Input {
        arguments: vec![bytes(&number.to_ne_bytes()), pointer(0)],
        objects: vec![ints(&values)],
        globals: globals.into_iter().collect(),
        ..Input::default()
    }
}

/// The servers are waited for, and with them the processes of all tests, whichever way these ran.
#[test]
fn the_processor_time_of_tests_is_counted() {
    let text = "int f(int a) { volatile unsigned n = 0; for (unsigned i = 0; i < 30000000u; i++) n += i; return a; }";
    let subject = Subject::new(text);
    let mut native = subject.build("f", &Options::default());
    let inputs: Vec<Input> = (0..2).map(|value| arguments(vec![int(value)])).collect();
    let before = ProcessorTime::now();
    let alone = native.run_batch(&inputs);
    assert!(alone.iter().all(|result| result.as_ref().is_ok_and(|seen| seen.ending == Ending::Returned)));
    drop(native);
    // A loop of thirty million turns takes more than this on any machine.
    let used = ProcessorTime::now().since(before);
    assert!(used.descendants > Duration::from_millis(20), "{used:?}");
}
