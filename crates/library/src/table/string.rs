//! Functions of string.h and strings.h on strings, in the "C" locale.

use crate::Function;
use crate::row::Requirement::{Readable, Text, Writable};
use crate::row::{Requirement, Returned, Size, Write};

const fn text(name: &'static str) -> Function {
    Function::new(name, "string.h").model()
}

const fn unmodelled(name: &'static str) -> Function {
    Function::new(name, "string.h")
}

const FIRST: &[Requirement] = &[Text(0)];
const BOTH: &[Requirement] = &[Text(0), Text(1)];
/// The first is written, the second is a string.
const COPY: &[Requirement] = &[Writable(0, Size::Unknown), Text(1)];
/// The first is a string that grows.
const APPEND: &[Requirement] = &[Text(0), Writable(0, Size::Unknown), Text(1)];
const UP_TO_THIRD: &[Requirement] = &[Writable(0, Size::Argument(2)), Readable(1, Size::Unknown)];
/// Bytes up to a null character or a limit.
const PREFIX: &[Requirement] = &[Readable(0, Size::Unknown)];
const PREFIXES: &[Requirement] = &[Readable(0, Size::Unknown), Readable(1, Size::Unknown)];
const TOKEN: &[Requirement] = &[Text(1)];
const THIRD: Size = Size::Argument(2);
const WRITES_FIRST: &[Write] = &[Write(0, Size::Unknown)];

pub(super) const ROWS: &[Function] = &[
    text("strlen").requires(FIRST),
    text("strnlen").requires(PREFIX),
    text("strcmp").also(&["strcoll"]).requires(BOTH),
    text("strncmp").requires(PREFIXES),
    text("strcasecmp").requires(BOTH),
    text("strncasecmp").requires(PREFIXES),
    unmodelled("strverscmp").requires(BOTH),
    text("stpcpy").also(&["__stpcpy", "__stpcpy_chk"]).writes(WRITES_FIRST).requires(COPY).returns(Returned::Into(0)),
    text("strcpy").also(&["__strcpy_chk"]).writes(WRITES_FIRST).requires(COPY).returns(Returned::Argument(0)),
    text("stpncpy")
        .also(&["__stpncpy", "__stpncpy_chk"])
        .writes(&[Write(0, Size::Argument(2))])
        .requires(UP_TO_THIRD)
        .returns(Returned::Into(0)),
    text("strncpy")
        .also(&["__strncpy_chk"])
        .writes(&[Write(0, Size::Argument(2))])
        .requires(UP_TO_THIRD)
        .returns(Returned::Argument(0)),
    text("strlcpy").writes(WRITES_FIRST).requires(&[Text(1), Writable(0, Size::Unknown)]),
    text("strlcat").writes(WRITES_FIRST).requires(&[Text(1), Readable(0, Size::Unknown)]),
    text("strcat").also(&["__strcat_chk"]).writes(WRITES_FIRST).requires(APPEND).returns(Returned::Argument(0)),
    text("strncat").also(&["__strncat_chk"]).writes(WRITES_FIRST).requires(APPEND).returns(Returned::Argument(0)),
    text("strchr").also(&["index"]).requires(FIRST).returns(Returned::IntoOrNull(0)),
    text("strrchr").also(&["rindex"]).requires(FIRST).returns(Returned::IntoOrNull(0)),
    text("strchrnul").requires(FIRST).returns(Returned::Into(0)),
    text("strstr").requires(BOTH).returns(Returned::IntoOrNull(0)),
    text("strcasestr").requires(BOTH).returns(Returned::IntoOrNull(0)),
    text("strspn").requires(BOTH),
    text("strcspn").requires(BOTH),
    text("strpbrk").requires(BOTH).returns(Returned::IntoOrNull(0)),
    text("strsep")
        .writes(&[Write(0, Size::Target)])
        .requires(&[Writable(0, Size::Target), Text(1)])
        .returns(Returned::ObjectOrNull),
    text("strtok").writes(WRITES_FIRST).keeps().has_state().requires(TOKEN).returns(Returned::ObjectOrNull),
    text("strtok_r")
        .also(&["__strtok_r"])
        .writes(&[Write(0, Size::Unknown), Write(2, Size::Target)])
        .requires(&[Text(1), Writable(2, Size::Target)])
        .returns(Returned::ObjectOrNull),
    text("strdup").also(&["__strdup"]).allocates().requires(FIRST).returns(Returned::ObjectOrNull),
    text("strndup").also(&["__strndup"]).allocates().requires(PREFIX).returns(Returned::ObjectOrNull),
    text("strxfrm").writes(WRITES_FIRST).requires(&[Text(1)]),
    text("basename").requires(FIRST).returns(Returned::Into(0)),
    text("__xpg_basename").requires(PREFIX).writes(WRITES_FIRST).returns(Returned::Object),
    text("dirname").requires(PREFIX).writes(WRITES_FIRST).returns(Returned::Object),
    text("ffs"),
    text("ffsl"),
    text("ffsll"),
    unmodelled("strerror").has_state().returns(Returned::Object),
    unmodelled("strerror_r").has_state().writes(&[Write(1, THIRD)]).requires(&[Writable(1, THIRD)]),
    unmodelled("strsignal").has_state().returns(Returned::ObjectOrNull),
];
