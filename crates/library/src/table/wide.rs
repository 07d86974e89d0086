//! Functions of wchar.h on wide strings.

use crate::Function;
use crate::row::Requirement::{NotNull, Writable};
use crate::row::{Requirement, Returned, Size, Write};

const fn wide(name: &'static str) -> Function {
    Function::new(name, "wchar.h").model()
}

const FIRST: &[Requirement] = &[NotNull(0)];
const BOTH: &[Requirement] = &[NotNull(0), NotNull(1)];
const WRITES_FIRST: &[Write] = &[Write(0, Size::Unknown)];
const COPY: &[Requirement] = &[Writable(0, Size::Unknown), NotNull(1)];

pub(super) const ROWS: &[Function] = &[
    wide("wcslen").requires(FIRST),
    wide("wcscmp").requires(BOTH),
    wide("wcsncmp").requires(BOTH),
    wide("wcschr").requires(FIRST).returns(Returned::IntoOrNull(0)),
    wide("wcsrchr").requires(FIRST).returns(Returned::IntoOrNull(0)),
    wide("wcscpy").writes(WRITES_FIRST).requires(COPY).returns(Returned::Argument(0)),
    wide("wcsncpy").writes(WRITES_FIRST).requires(COPY).returns(Returned::Argument(0)),
    wide("wcscat").writes(WRITES_FIRST).requires(COPY).returns(Returned::Argument(0)),
    wide("wmemchr").requires(FIRST).returns(Returned::IntoOrNull(0)),
    wide("wmemset").writes(WRITES_FIRST).requires(FIRST).returns(Returned::Argument(0)),
    wide("wmemcpy").writes(WRITES_FIRST).requires(COPY).returns(Returned::Argument(0)),
];
