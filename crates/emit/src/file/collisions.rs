//! Names that both the source and the headers of a test file use.
//!
//! The source comes first, so that it is compiled as in the user's build. What it says must then not change the headers
//! that follow: macros with the names of types, keywords and library functions end with the source, and where the source
//! declares such a name otherwise than the system does, the headers have theirs under another name. Function-like macros
//! of a framework that would take the place of functions of the program end with the headers.

use super::File;
use super::macros;
use clew_ir::{Function, Unit};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Types of headers that test files include.
const TYPES: &[&str] = &[
    "clock_t",
    "dev_t",
    "gid_t",
    "id_t",
    "ino_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "intmax_t",
    "intptr_t",
    "int_fast16_t",
    "int_fast32_t",
    "int_fast64_t",
    "int_fast8_t",
    "int_least16_t",
    "int_least32_t",
    "int_least64_t",
    "int_least8_t",
    "jmp_buf",
    "max_align_t",
    "mode_t",
    "nlink_t",
    "off_t",
    "pid_t",
    "ptrdiff_t",
    "sighandler_t",
    "sigjmp_buf",
    "sigset_t",
    "size_t",
    "socklen_t",
    "ssize_t",
    "suseconds_t",
    "time_t",
    "timer_t",
    "u_char",
    "u_int",
    "u_int16_t",
    "u_int32_t",
    "u_int64_t",
    "u_int8_t",
    "u_long",
    "u_short",
    "uid_t",
    "uint",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "uint_fast16_t",
    "uint_fast32_t",
    "uint_fast64_t",
    "uint_fast8_t",
    "uint_least16_t",
    "uint_least32_t",
    "uint_least64_t",
    "uint_least8_t",
    "uintmax_t",
    "uintptr_t",
    "ulong",
    "useconds_t",
    "ushort",
    "va_list",
    "wchar_t",
    "wint_t",
];

/// Words that headers are written in.
const WORDS: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "__attribute__",
    "__extension__",
    "__inline",
    "__restrict",
    "_Noreturn",
    "noreturn",
    "__signed__",
];

/// Functions that headers declare besides those of the library's table.
const FUNCTIONS: &[&str] = &[
    "access",
    "acct",
    "alarm",
    "brk",
    "chdir",
    "chown",
    "chroot",
    "close",
    "confstr",
    "crypt",
    "daemon",
    "dup",
    "dup2",
    "encrypt",
    "fchdir",
    "fdatasync",
    "fsync",
    "getpass",
    "index",
    "ioctl",
    "kill",
    "killpg",
    "link",
    "lockf",
    "lseek",
    "mock_assert",
    "nice",
    "open",
    "pause",
    "pipe",
    "pread",
    "print_error",
    "print_message",
    "profil",
    "psignal",
    "pwrite",
    "raise",
    "read",
    "readlink",
    "rename",
    "revoke",
    "rindex",
    "rmdir",
    "sbrk",
    "select",
    "sigaction",
    "sigblock",
    "sigpause",
    "sigreturn",
    "sigvec",
    "sleep",
    "stime",
    "swab",
    "symlink",
    "sync",
    "syscall",
    "truncate",
    "ttyname",
    "unlink",
    "usleep",
    "vfork",
    "vhangup",
    "vprint_error",
    "vprint_message",
    "write",
];

/// What our tests call themselves: if the program has its own, that must not be taken for the one they mean.
const CALLED: &[&str] = &["fork", "wait", "exit", "_exit", "signal", "fflush", "printf", "alarm", "memcmp", "setjmp"];

/// Macros of the source that end with it, because headers follow.
pub(super) fn ended(file: &File<'_>) -> BTreeSet<String> {
    let named: BTreeSet<&str> = TYPES.iter().chain(WORDS).chain(FUNCTIONS).copied().collect();
    macros::of_source(file, &named)
}

/// Headers as they stand behind the source: what they declare otherwise has another name.
pub(super) fn around(file: &File<'_>, headers: &str) -> String {
    let (mut before, mut after) = (String::new(), String::new());
    for name in otherwise(file) {
        let _ = writeln!(before, "#define {name} header_{name}");
        let _ = writeln!(after, "#undef {name}");
    }
    if before.is_empty() {
        return headers.to_owned();
    }
    format!("/* The source says otherwise what these are. */\n{before}{headers}{after}")
}

/// Lines that end macros of the framework for functions of the program.
pub(super) fn uncovered(file: &File<'_>) -> String {
    let is_function = |name: &&&str| file.suite.program.function(name).is_some();
    file.dialect.macros().iter().filter(is_function).map(|name| format!("#undef {name}\n")).collect()
}

/// The text of a test file without its declaration of `printf`, where the source may have its own that nothing uses.
pub(super) fn without_printf(file: &File<'_>, text: String) -> String {
    const DECLARED: &str = "\nextern int printf(const char *format, ...);\n";
    let program = file.suite.program;
    if program.function("printf").is_some() {
        return text;
    }
    let unit = program.sources.units.get(file.suite.unit);
    if unit.is_none_or(|unit| is_of_system(unit, "printf")) {
        return text;
    }
    text.replacen(DECLARED, "", 1).replace(" printf(", " __builtin_printf(")
}

/// Names that the source declares by itself, and headers of the system, too, which it does not include: what is mentioned by the source alone is declared by it.
fn otherwise<'f>(file: &'f File<'_>) -> BTreeSet<&'f str> {
    let program = file.suite.program;
    let home = file.suite.unit;
    let Some(unit) = program.sources.units.get(home) else { return BTreeSet::new() };
    let is_of_header = |name: &str| FUNCTIONS.contains(&name) || clew_library::lookup(name).is_some();
    let is_ours = |function: &&Function| function.is_defined() && CALLED.contains(&function.name.as_str());
    let functions = program.functions.values().filter(|function| function.span.unit == home && !is_ours(function));
    let globals = program.globals.values().filter(|global| global.span.unit == home);
    let objects = functions.map(|function| &function.name).chain(globals.map(|global| &global.name));
    let objects = objects.map(String::as_str).filter(|name| is_of_header(name));
    // A declaration that nothing uses is in no program; tests print by another name then.
    let unused = program.function("printf").is_none().then_some("printf");
    let names: BTreeSet<&str> = TYPES.iter().copied().chain(objects).chain(unused).collect();
    names.into_iter().filter(|name| !is_of_system(unit, name) && !file.is_renamed(name)).collect()
}

/// Whether the system's part of the preprocessed text mentions a name, or no part does.
fn is_of_system(unit: &Unit, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_word = |at: usize| !unit.text[..at].ends_with(is_part) && !unit.text[at + name.len()..].starts_with(is_part);
    let mut places = unit.text.match_indices(name).map(|(at, _)| at).filter(|at| is_word(*at)).peekable();
    let is_system = |at: usize| {
        let file = unit.locate(at as u32).file;
        file.starts_with('<') || macros::is_of_system(&file)
    };
    places.peek().is_none() || places.any(is_system)
}
