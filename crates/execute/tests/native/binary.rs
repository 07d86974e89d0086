//! One build serves all functions of a program, and whatever names they use.

use crate::subject::{Subject, arguments, int, int_result, ints, pointer};
use clew_execute::native::{Binary, BuildError, Native, Options};
use clew_execute::{Ending, Input};
use clew_ir::FunctionId;
use std::sync::Arc;
use std::time::Instant;

#[test]
fn one_build_serves_all_functions() {
    let first = "static int twice(int a) { return a > 3 ? 2 * a : a; }\nint f(int a) { return twice(a) + 1; }";
    let second = "static int twice(int a) { return 20 * a; }\nint g(int a) { return twice(a) + 2; }";
    let subject = Subject::units(&[first, second]);
    let functions: Vec<FunctionId> = subject.program.functions.ids().collect();
    let binary = Arc::new(Binary::build(&subject.program, &functions, &Options::default()).unwrap());
    let run = |&function: &FunctionId| {
        let mut native = Native::new(&subject.program, Arc::clone(&binary), function, &[]).unwrap();
        int_result(&native.run(&arguments(vec![int(5)])).unwrap())
    };
    let mut results: Vec<i32> = functions.iter().map(run).collect();
    results.sort_unstable();
    assert_eq!(results, [10, 11, 100, 102]);
}

#[test]
fn a_function_that_cannot_be_called_does_not_hinder_others() {
    let subject = Subject::new("int f(int a) { return a; }\nint g(struct { int x; } s) { return s.x; }");
    let [f, g] = ["f", "g"].map(|name| subject.program.function(name).unwrap());
    let binary = Arc::new(Binary::build(&subject.program, &[f, g], &Options::default()).unwrap());
    assert!(Native::new(&subject.program, Arc::clone(&binary), g, &[]).is_err());
    let mut native = Native::new(&subject.program, binary, f, &[]).unwrap();
    assert_eq!(int_result(&native.run(&arguments(vec![int(5)])).unwrap()), 5);
}

#[test]
fn a_compiler_that_takes_too_long_is_ended() {
    let subject = Subject::new("int f(int a) { return a; }");
    let function = subject.program.function("f").unwrap();
    let options = Options { deadline: Some(Instant::now()), ..Options::default() };
    let built = Binary::build(&subject.program, &[function], &options);
    assert!(matches!(built, Err(BuildError::Late)), "{built:?}");
}

#[test]
fn variables_defined_elsewhere_have_room() {
    let subject = Subject::new("extern int elsewhere; int f(int a) { elsewhere += a; return elsewhere; }");
    let global = subject.global("elsewhere");
    let mut native = subject.build("f", &Options { observe: vec![global], ..Options::default() });
    let mut input = arguments(vec![int(5)]);
    input.globals.push((global, int(37)));
    let observation = native.run(&input).unwrap();
    assert_eq!((int_result(&observation), &observation.globals[0][..]), (42, &42i32.to_ne_bytes()[..]));
}

#[test]
fn variables_of_the_c_library_are_its_own() {
    let text = "#include <stdio.h>\nint f(int a) { return fprintf(stdout, \"%d\\n\", a); }";
    let observation = Subject::new(text).build("f", &Options::default()).run(&arguments(vec![int(55)])).unwrap();
    assert_eq!((int_result(&observation), observation.output.as_slice()), (3, &b"55\n"[..]));
}

#[test]
fn a_unit_may_define_what_the_c_library_does() {
    let text = "typedef unsigned long size_t; static char pool[1000]; static int used, freed;
        void *malloc(size_t n) { used += n; return pool; } void free(void *p) { if (p == pool) freed++; }
        size_t strlen(const char *s) { return s[0] ? 77 : 0; }
        int abs(int a) { return a < 0 ? 9 : 10; }
        int read(int a, void *b, size_t c) { return a; }
        int f(int *p) { int v = *p; free(p); return v + freed + (int)strlen(\"x\") + abs(-8) + read(100, 0, 0); }";
    let subject = Subject::new(text);
    let input = Input { arguments: vec![pointer(0)], objects: vec![ints(&[1])], ..Input::default() };
    let observation = subject.build("f", &Options::default()).run(&input).unwrap();
    assert_eq!((observation.ending.clone(), int_result(&observation)), (Ending::Returned, 1 + 1 + 77 + 9 + 100));
    let subject = Subject::new("int result(int arguments) { int symbol = arguments; return symbol + 1; }");
    let observation = subject.build("result", &Options::default()).run(&arguments(vec![int(1)])).unwrap();
    assert_eq!(int_result(&observation), 2);
}
