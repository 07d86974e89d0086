//! What a program asks of its surroundings: errors, locale, signals, environment. All of it is fixed, so that runs
//! repeat.

use super::{Call, Plain, Reply, Trouble, address, int, zero};

pub(super) const TABLE: &[(&str, Plain)] = &[
    ("__assert_fail", assert_fail),
    ("__errno_location", errno_location),
    ("abort", |_| Err(Trouble::Abort)),
    ("alarm", zero),
    ("getenv", zero),
    ("getpid", |_| int(PROCESS)),
    ("localeconv", localeconv),
    ("pthread_mutex_destroy", zero),
    ("pthread_mutex_init", zero),
    ("pthread_mutex_lock", zero),
    ("pthread_mutex_unlock", zero),
    ("raise", raise),
    ("setenv", zero),
    ("setlocale", setlocale),
    ("sigaction", zero),
    ("sigaddset", zero),
    ("sigemptyset", zero),
    ("signal", zero),
    ("sigprocmask", zero),
    ("sleep", zero),
    ("strerror", strerror),
    ("strerror_r", strerror),
    ("system", |_| int(-1)),
    ("unsetenv", zero),
];

const PROCESS: i64 = 4242;
const SIGABRT: i64 = 6;

fn errno_location(call: &mut Call<'_>) -> Reply {
    address(call.library.errno(call.memory)?)
}

fn assert_fail(call: &mut Call<'_>) -> Reply {
    let expression = call.string(0)?;
    Err(Trouble::Precondition(format!("assertion `{}` does not hold", String::from_utf8_lossy(&expression))))
}

fn raise(call: &mut Call<'_>) -> Reply {
    if call.int(0)? == SIGABRT { Err(Trouble::Abort) } else { int(0) }
}

/// `struct lconv` of the "C" locale: ten strings, then fourteen characters.
fn localeconv(call: &mut Call<'_>) -> Reply {
    let point = call.library.object(call.memory, "decimal point", || b".\0".to_vec())?;
    let empty = call.library.object(call.memory, "empty string", || vec![0])?;
    let bytes = call.pointer_bytes();
    let object = call.library.object(call.memory, "struct lconv", || {
        let mut contents = vec![0; 10 * bytes];
        contents.resize(10 * bytes + 16, 127);
        contents
    })?;
    for index in 0..10 {
        let string = if index == 0 { point } else { empty };
        call.store_pointer(object + index * bytes as u64, string)?;
    }
    address(object)
}

/// Only the "C" locale exists.
fn setlocale(call: &mut Call<'_>) -> Reply {
    let wanted = match call.address(1)? {
        0 => Vec::new(),
        _ => call.string(1)?,
    };
    if !matches!(&wanted[..], b"" | b"C" | b"POSIX") {
        return address(0);
    }
    address(call.library.object(call.memory, "locale name", || b"C\0".to_vec())?)
}

const ERRORS: &[(i64, &str)] = &[
    (0, "Success"),
    (1, "Operation not permitted"),
    (2, "No such file or directory"),
    (3, "No such process"),
    (4, "Interrupted system call"),
    (5, "Input/output error"),
    (9, "Bad file descriptor"),
    (11, "Resource temporarily unavailable"),
    (12, "Cannot allocate memory"),
    (13, "Permission denied"),
    (14, "Bad address"),
    (16, "Device or resource busy"),
    (17, "File exists"),
    (20, "Not a directory"),
    (21, "Is a directory"),
    (22, "Invalid argument"),
    (24, "Too many open files"),
    (25, "Inappropriate ioctl for device"),
    (27, "File too large"),
    (28, "No space left on device"),
    (29, "Illegal seek"),
    (30, "Read-only file system"),
    (32, "Broken pipe"),
    (33, "Numerical argument out of domain"),
    (34, "Numerical result out of range"),
    (36, "File name too long"),
    (38, "Function not implemented"),
    (75, "Value too large for defined data type"),
    (84, "Invalid or incomplete multibyte or wide character"),
];

fn message(code: i64) -> String {
    let known = ERRORS.iter().find(|(number, _)| *number == code);
    known.map_or_else(|| format!("Unknown error {code}"), |(_, text)| (*text).to_owned())
}

/// The text of the current `errno`.
pub(super) fn error_text(call: &mut Call<'_>) -> Result<Vec<u8>, Trouble> {
    let place = call.library.errno(call.memory)?;
    let code = i32::from_le_bytes(call.memory.load(place)?);
    Ok(message(code.into()).into_bytes())
}

fn strerror(call: &mut Call<'_>) -> Reply {
    let text = message(call.int(0)?);
    let object = call.library.object(call.memory, "strerror", || vec![0; 64])?;
    let mut bytes = text.into_bytes();
    bytes.push(0);
    call.memory.write(object, &bytes)?;
    address(object)
}
