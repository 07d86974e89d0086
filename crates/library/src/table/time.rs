//! Functions of time.h.

use crate::Function;
use crate::row::Requirement::{NotNull, Text, Writable};
use crate::row::{Returned, Size, Write};

const fn clock(name: &'static str) -> Function {
    Function::new(name, "time.h").has_state()
}

pub(super) const ROWS: &[Function] = &[
    clock("clock"),
    clock("time").writes(&[Write(0, Size::Target)]),
    clock("clock_gettime").sets_errno().writes(&[Write(1, Size::Target)]).requires(&[Writable(1, Size::Target)]),
    clock("gettimeofday").writes(&[Write(0, Size::Target), Write(1, Size::Target)]),
    clock("difftime"),
    clock("gmtime").also(&["localtime"]).requires(&[NotNull(0)]).returns(Returned::ObjectOrNull),
    clock("gmtime_r")
        .also(&["localtime_r"])
        .writes(&[Write(1, Size::Target)])
        .requires(&[NotNull(0), Writable(1, Size::Target)])
        .returns(Returned::ArgumentOrNull(1)),
    clock("mktime").writes(&[Write(0, Size::Target)]).requires(&[Writable(0, Size::Target)]),
    clock("strftime").writes(&[Write(0, Size::Argument(1))]).requires(&[
        Writable(0, Size::Argument(1)),
        Text(2),
        NotNull(3),
    ]),
    clock("tzset").returns(Returned::Nothing),
];
