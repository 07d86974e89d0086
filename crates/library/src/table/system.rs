//! Functions of POSIX on files, processes, signals and threads.

use crate::Function;
use crate::row::Requirement::{NotNull, Readable, Text, Writable};
use crate::row::{Requirement, Returned, Size, Write};

const fn system(name: &'static str, header: &'static str) -> Function {
    Function::new(name, header).has_state().sets_errno()
}

const fn unix(name: &'static str) -> Function {
    system(name, "unistd.h")
}

const PATH: &[Requirement] = &[Text(0)];
const THIRD: Size = Size::Argument(2);
const STATUS: &[Write] = &[Write(1, Size::Target)];
const MUTEX: &[Requirement] = &[NotNull(0)];

pub(super) const ROWS: &[Function] = &[
    system("open", "fcntl.h").also(&["open64"]).requires(PATH),
    system("creat", "fcntl.h").requires(PATH),
    unix("close"),
    unix("read").writes(&[Write(1, THIRD)]).requires(&[Writable(1, THIRD)]),
    unix("write").requires(&[Readable(1, THIRD)]),
    unix("lseek").also(&["lseek64"]),
    unix("unlink").requires(PATH),
    unix("rmdir").requires(PATH),
    unix("access").requires(PATH),
    unix("chdir").requires(PATH),
    unix("getcwd").writes(&[Write(0, Size::Argument(1))]).returns(Returned::ArgumentOrNull(0)),
    unix("isatty").returns(Returned::Range(0, 1)),
    unix("getpid").also(&["getppid"]),
    unix("fork"),
    unix("sleep").also(&["usleep"]),
    unix("alarm"),
    system("stat", "sys/stat.h").also(&["lstat", "stat64", "lstat64"]).writes(STATUS).requires(&[Text(0), NotNull(1)]),
    system("fstat", "sys/stat.h").also(&["fstat64"]).writes(STATUS).requires(&[NotNull(1)]),
    system("mkdir", "sys/stat.h").requires(PATH),
    system("signal", "signal.h").calls_back(),
    system("raise", "signal.h"),
    system("sigaction", "signal.h").calls_back().writes(&[Write(2, Size::Target)]),
    system("sigaddset", "signal.h").writes(&[Write(0, Size::Target)]).requires(&[NotNull(0)]),
    system("sigemptyset", "signal.h").writes(&[Write(0, Size::Target)]).requires(&[NotNull(0)]),
    system("sigprocmask", "signal.h").writes(&[Write(2, Size::Target)]),
    system("pthread_mutex_init", "pthread.h").writes(&[Write(0, Size::Target)]).requires(MUTEX),
    system("pthread_mutex_destroy", "pthread.h").requires(MUTEX),
    system("pthread_mutex_lock", "pthread.h").requires(MUTEX),
    system("pthread_mutex_unlock", "pthread.h").requires(MUTEX),
    system("setlocale", "locale.h").returns(Returned::ObjectOrNull),
    system("localeconv", "locale.h").returns(Returned::Object),
];
