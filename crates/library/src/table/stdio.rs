//! Functions of stdio.h.

use crate::Function;
use crate::format::Family;
use crate::row::Requirement::{NotNull, Readable, Text, Writable};
use crate::row::{FURTHER, Requirement, Returned, Size, Write};

const fn file(name: &'static str) -> Function {
    Function::new(name, "stdio.h").has_state().sets_errno()
}

/// A function of one stream.
const fn stream(name: &'static str) -> Function {
    file(name).requires(&[NotNull(0)])
}

/// A function that writes to the standard output.
const fn output(name: &'static str) -> Function {
    Function::new(name, "stdio.h").output()
}

/// A function that writes text to memory.
const fn format(name: &'static str) -> Function {
    Function::new(name, "stdio.h").writes(&[Write(0, Size::Unknown)])
}

/// A function that reads values and writes them behind its further arguments.
const fn scan(name: &'static str) -> Function {
    Function::new(name, "stdio.h").writes(&[Write(FURTHER, Size::Unknown)])
}

const TEXT: &[Requirement] = &[Text(0)];
const BOTH: &[Requirement] = &[Text(0), Text(1)];
const BLOCK: Size = Size::Product(1, 2);
const SECOND: Size = Size::Argument(1);

pub(super) const ROWS: &[Function] = &[
    output("printf").requires(TEXT),
    output("vprintf").requires(TEXT),
    output("__printf_chk").requires(&[Text(1)]),
    output("__vprintf_chk").requires(&[Text(1)]),
    output("puts").requires(TEXT),
    output("putchar").also(&["putchar_unlocked"]),
    output("perror"),
    file("fprintf").requires(&[NotNull(0), Text(1)]),
    file("vfprintf").requires(&[NotNull(0), Text(1)]),
    file("__fprintf_chk").requires(&[NotNull(0), Text(2)]),
    file("__vfprintf_chk").requires(&[NotNull(0), Text(2)]),
    file("dprintf").requires(&[Text(1)]),
    format("sprintf").model().format(1, Family::Print).requires(&[Writable(0, Size::Unknown), Text(1)]),
    format("vsprintf").requires(&[Writable(0, Size::Unknown), Text(1)]),
    format("__sprintf_chk").requires(&[Writable(0, Size::Unknown), Text(3)]),
    format("__vsprintf_chk").requires(&[Writable(0, Size::Unknown), Text(3)]),
    format("snprintf").model().format(2, Family::Print).requires(&[Writable(0, Size::Unknown), Text(2)]),
    format("vsnprintf").requires(&[Text(2)]),
    format("__snprintf_chk").requires(&[Text(4)]),
    format("__vsnprintf_chk").requires(&[Text(4)]),
    file("asprintf").writes(&[Write(0, Size::Target)]).requires(&[Writable(0, Size::Target), Text(1)]),
    file("vasprintf").writes(&[Write(0, Size::Target)]).requires(&[Writable(0, Size::Target), Text(1)]),
    file("__asprintf_chk").writes(&[Write(0, Size::Target)]).requires(&[Writable(0, Size::Target), Text(2)]),
    file("__vasprintf_chk").writes(&[Write(0, Size::Target)]).requires(&[Writable(0, Size::Target), Text(2)]),
    scan("sscanf").model().format(1, Family::Scan).also(&["__isoc99_sscanf", "__isoc23_sscanf"]).requires(BOTH),
    scan("vsscanf").also(&["__isoc99_vsscanf", "__isoc23_vsscanf"]).requires(BOTH),
    scan("fscanf")
        .has_state()
        .sets_errno()
        .also(&["__isoc99_fscanf", "__isoc23_fscanf"])
        .requires(&[NotNull(0), Text(1)]),
    scan("vfscanf")
        .has_state()
        .sets_errno()
        .also(&["__isoc99_vfscanf", "__isoc23_vfscanf"])
        .requires(&[NotNull(0), Text(1)]),
    scan("scanf").has_state().sets_errno().also(&["__isoc99_scanf", "__isoc23_scanf"]).requires(TEXT),
    scan("vscanf").has_state().sets_errno().also(&["__isoc99_vscanf", "__isoc23_vscanf"]).requires(TEXT),
    file("fopen").also(&["fopen64"]).requires(BOTH).returns(Returned::ObjectOrNull),
    file("freopen").requires(&[Text(1), NotNull(2)]).returns(Returned::ArgumentOrNull(2)),
    file("fdopen").requires(&[Text(1)]).returns(Returned::ObjectOrNull),
    file("popen").requires(BOTH).returns(Returned::ObjectOrNull),
    stream("pclose"),
    file("tmpfile").also(&["tmpfile64"]).returns(Returned::ObjectOrNull),
    stream("fclose"),
    file("fflush").also(&["fflush_unlocked"]),
    stream("fgetc").also(&["getc", "getc_unlocked", "fgetc_unlocked", "_IO_getc"]).returns(Returned::Range(-1, 255)),
    file("getchar").also(&["getchar_unlocked"]).returns(Returned::Range(-1, 255)),
    file("ungetc").requires(&[NotNull(1)]).returns(Returned::Range(-1, 255)),
    file("fgets")
        .also(&["fgets_unlocked"])
        .writes(&[Write(0, SECOND)])
        .requires(&[Writable(0, SECOND), NotNull(2)])
        .returns(Returned::ArgumentOrNull(0)),
    file("fputc").also(&["putc", "putc_unlocked", "fputc_unlocked", "_IO_putc"]).requires(&[NotNull(1)]),
    file("fputs").also(&["fputs_unlocked"]).requires(&[Text(0), NotNull(1)]),
    file("fread")
        .also(&["fread_unlocked"])
        .writes(&[Write(0, BLOCK)])
        .requires(&[Writable(0, BLOCK), NotNull(3)])
        .returns(Returned::UpTo(2)),
    file("fwrite").also(&["fwrite_unlocked"]).requires(&[Readable(0, BLOCK), NotNull(3)]).returns(Returned::UpTo(2)),
    file("getline").also(&["__getline"]).writes(&[Write(0, Size::Target), Write(1, Size::Target)]).requires(&[
        Writable(0, Size::Target),
        Writable(1, Size::Target),
        NotNull(2),
    ]),
    stream("fseek").also(&["fseeko"]),
    stream("ftell").also(&["ftello"]),
    stream("rewind").returns(Returned::Nothing),
    stream("feof"),
    stream("ferror"),
    stream("clearerr").returns(Returned::Nothing),
    stream("fileno"),
    stream("flockfile").returns(Returned::Nothing),
    stream("funlockfile").returns(Returned::Nothing),
    stream("setbuf").keeps().returns(Returned::Nothing),
    stream("setlinebuf").returns(Returned::Nothing),
    stream("setvbuf").keeps(),
    file("remove").requires(TEXT),
    file("rename").requires(BOTH),
];
