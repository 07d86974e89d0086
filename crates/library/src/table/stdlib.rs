//! Functions of stdlib.h and inttypes.h: numbers, sorting, random numbers, the end of the program.

use crate::Function;
use crate::row::Requirement::{InDomain, NotNull, Readable, Text, Writable};
use crate::row::{Operation, Requirement, Returned, Size, Write};

const fn standard(name: &'static str) -> Function {
    Function::new(name, "stdlib.h")
}

/// A function that reads a number, and writes where it ends.
const fn number(name: &'static str) -> Function {
    standard(name).model().sets_errno().writes(END).requires(TEXT)
}

const TEXT: &[Requirement] = &[Text(0)];
/// The end of the number, if it is asked for.
const END: &[Write] = &[Write(1, Size::Target)];
const ELEMENTS: Size = Size::Product(1, 2);

pub(super) const ROWS: &[Function] = &[
    standard("atoi").model().requires(TEXT),
    standard("atol").model().requires(TEXT),
    standard("atoll").model().requires(TEXT),
    standard("atof").model().requires(TEXT),
    number("strtol").also(&["__isoc23_strtol", "__strtol_internal"]),
    number("strtoll").also(&["__isoc23_strtoll", "strtoimax", "__isoc23_strtoimax", "strtoq"]),
    number("strtoul").also(&["__isoc23_strtoul"]),
    number("strtoull").also(&["__isoc23_strtoull", "strtoumax", "__isoc23_strtoumax", "strtouq"]),
    number("strtod"),
    number("strtof"),
    standard("strtold").sets_errno().writes(END).requires(TEXT),
    standard("abs").engine(Operation::Absolute).requires(&[InDomain(0)]),
    standard("labs").engine(Operation::Absolute).requires(&[InDomain(0)]),
    standard("llabs").also(&["imaxabs"]).engine(Operation::Absolute).requires(&[InDomain(0)]),
    standard("div").model().requires(&[InDomain(1)]),
    standard("ldiv").model().requires(&[InDomain(1)]),
    standard("lldiv").also(&["imaxdiv"]).model().requires(&[InDomain(1)]),
    standard("bsearch")
        .model()
        .calls_back()
        .requires(&[Readable(1, Size::Product(2, 3))])
        .returns(Returned::IntoOrNull(1)),
    standard("qsort")
        .model()
        .calls_back()
        .writes(&[Write(0, ELEMENTS)])
        .requires(&[Writable(0, ELEMENTS)])
        .returns(Returned::Nothing),
    standard("rand").also(&["random"]).has_state().returns(Returned::Range(0, 0x7fff_ffff)),
    standard("rand_r")
        .writes(&[Write(0, Size::Target)])
        .requires(&[Writable(0, Size::Target)])
        .returns(Returned::Range(0, 0x7fff_ffff)),
    standard("srand").also(&["srandom"]).has_state().returns(Returned::Nothing),
    standard("getenv").also(&["secure_getenv"]).has_state().requires(TEXT).returns(Returned::ObjectOrNull),
    standard("setenv").has_state().sets_errno().requires(&[Text(0), Text(1)]).returns(Returned::Range(-1, 0)),
    standard("unsetenv").has_state().sets_errno().requires(TEXT).returns(Returned::Range(-1, 0)),
    standard("system").has_state(),
    standard("atexit").has_state().calls_back().requires(&[NotNull(0)]),
    standard("abort").also(&["__stack_chk_fail"]).engine(Operation::Abort).ends().returns(Returned::Nothing),
    standard("exit").engine(Operation::Exit).ends().returns(Returned::Nothing),
    standard("_exit").also(&["_Exit", "quick_exit"]).engine(Operation::Exit).ends().returns(Returned::Nothing),
    Function::new("__assert_fail", "assert.h")
        .also(&["__assert", "__assert_rtn"])
        .engine(Operation::Abort)
        .ends()
        .returns(Returned::Nothing),
];
