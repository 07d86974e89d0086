//! Code under test that misbehaves harms neither the run nor the machine.

use crate::subject::{Subject, arguments, int, int_result};
use clew_execute::native::{Limits, Options};
use clew_execute::{Ending, Observation};
use std::time::{Duration, Instant};

fn options() -> Options {
    Options { limits: Limits { time: Duration::from_millis(500), ..Limits::default() }, ..Options::default() }
}

/// Runs `f(1)`, then checks that `f(0)`, which must return 7, still works.
fn run(text: &str) -> Observation {
    let subject = Subject::new(text);
    let mut native = subject.build("f", &options());
    let before = Instant::now();
    let mut results = native.run_batch(&[arguments(vec![int(1)]), arguments(vec![int(0)])]);
    // Two seconds on the clock are allowed; only a run that does not end, or a machine in trouble, takes so many.
    assert!(before.elapsed() < Duration::from_secs(300), "took {:?}", before.elapsed());
    assert_eq!(int_result(&results.pop().unwrap().unwrap()), 7);
    results.pop().unwrap().unwrap()
}

#[test]
fn endless_loop() {
    assert_eq!(run("int f(int a) { while (a) ; return 7; }").ending, Ending::TimedOut);
}

#[test]
fn endless_sleep() {
    let text = "#include <unistd.h>\nint f(int a) { while (a) pause(); return 7; }";
    assert_eq!(run(text).ending, Ending::TimedOut);
}

#[test]
fn stopping_itself() {
    let text = "#include <signal.h>\nint f(int a) { if (a) raise(SIGSTOP); return 7; }";
    assert_eq!(run(text).ending, Ending::TimedOut);
}

#[test]
fn signals_ignored() {
    let text = "#include <signal.h>\nint f(int a) {
        for (int s = 1; a && s < 65; s++) signal(s, SIG_IGN);
        while (a) ;
        return 7; }";
    assert_eq!(run(text).ending, Ending::TimedOut);
}

#[test]
fn exits_of_all_kinds() {
    let text =
        |call: &str| format!("#include <stdlib.h>\n#include <unistd.h>\nint f(int a) {{ if (a) {call}; return 7; }}");
    assert_eq!(run(&text("exit(3)")).ending, Ending::Exited(3));
    assert_eq!(run(&text("_exit(4)")).ending, Ending::Exited(4));
    assert_eq!(run(&text("abort()")).ending, Ending::Signalled(6));
    assert_eq!(run(&text("__builtin_trap()")).ending, Ending::Signalled(4));
}

#[test]
fn division_by_zero_and_null() {
    assert_eq!(run("int f(int a) { return 7 / (1 - a); }").ending, Ending::Signalled(8));
    assert_eq!(run("int f(int a) { return a ? *(volatile int *)0 : 7; }").ending, Ending::Signalled(11));
}

#[test]
fn stack_overflow() {
    let text = "int f(int a) { volatile char room[10000]; room[0] = 7; return a ? f(a + 1) + room[0] : room[0]; }";
    assert_eq!(run(text).ending, Ending::Signalled(11));
}

#[test]
fn fork_bomb() {
    let text = "#include <unistd.h>\nint f(int a) { while (a) fork(); return 7; }";
    assert_eq!(run(text).ending, Ending::TimedOut);
}

#[test]
fn strays_do_not_outlive_their_test() {
    let text = "#include <unistd.h>\n#include <signal.h>\n#include <sys/prctl.h>\nint f(int a) {
        if (a && fork() == 0) {
            prctl(PR_SET_NAME, \"astray\");
            setsid();
            signal(SIGTERM, SIG_IGN);
            if (fork() == 0) for (;;) pause();
            for (;;) pause(); }
        return 7; }";
    assert_eq!(run(text).ending, Ending::Returned);
    let name = |entry: std::fs::DirEntry| std::fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
    assert!(!std::fs::read_dir("/proc").unwrap().flatten().any(|entry| name(entry) == "astray\n"));
}

#[test]
fn killing_everyone() {
    let text = "#include <signal.h>\n#include <unistd.h>\nint f(int a) {
        if (a) { kill(getppid(), SIGKILL); kill(-1, SIGTERM); }
        return 7; }";
    assert_eq!(run(text).ending, Ending::Returned);
    let text = "#include <signal.h>\nint f(int a) { if (a) kill(0, SIGKILL); return 7; }";
    assert_eq!(run(text).ending, Ending::Signalled(9));
}

#[test]
fn files_are_bounded_and_gone_afterwards() {
    let text = "#include <fcntl.h>\n#include <unistd.h>\n#include <sys/stat.h>\nint f(int a) {
        char block[4096] = { 0 };
        if (!a) return access(\"big\", F_OK) && access(\"folder\", F_OK) ? 7 : 8;
        int fd = open(\"big\", O_CREAT | O_WRONLY, 0600);
        long written = 0, got;
        while ((got = write(fd, block, sizeof block)) > 0) written += got;
        mkdir(\"folder\", 0700);
        close(open(\"folder/inner\", O_CREAT | O_WRONLY, 0));
        chmod(\"folder\", 0);
        return written; }";
    let observation = run(text);
    assert_eq!((observation.ending.clone(), int_result(&observation)), (Ending::Returned, 1 << 20));
}

#[test]
fn output_is_captured_up_to_a_limit() {
    let text = "#include <stdio.h>\nint f(int a) {
        if (!a) return 7;
        printf(\"hello\");
        fprintf(stderr, \" world\");
        for (int i = 0; i < 1000000; i++) putchar('x');
        return 0; }";
    let observation = run(text);
    assert_eq!(observation.output.len(), 1 << 16);
    assert!(observation.output.starts_with(b" worldhello") || observation.output.starts_with(b"hello"));
}

#[test]
fn memory_is_bounded() {
    let text = "#include <stdlib.h>\n#include <string.h>\nint f(int a) {
        if (!a) return 7;
        for (int i = 0;; i++) { char *p = malloc(1 << 24); if (!p) return i; memset(p, 1, 1 << 24); } }";
    let observation = run(text);
    match observation.ending {
        Ending::Returned => assert!(int_result(&observation) <= 64),
        other => assert_eq!(other, Ending::TimedOut),
    }
}

#[test]
fn corrupted_memory() {
    let text = "#include <string.h>\nint f(int a) { char x[4]; if (a) memset(x, 0x41, 1 << 16); return 7; }";
    assert!(matches!(run(text).ending, Ending::Signalled(_)));
    let text = "int data[2]; int f(int a) { if (a) for (int i = 0; ; i++) data[i] = -1; return 7; }";
    assert!(matches!(run(text).ending, Ending::Signalled(_)));
}

#[test]
fn closed_descriptors() {
    let text =
        "#include <unistd.h>\nint f(int a) { if (a) for (int i = 0; i < 2000; i++) { write(i, \"junk\", 4); close(i); }
        return 7; }";
    assert_eq!(run(text).ending, Ending::Returned);
}

#[test]
fn another_program_and_no_network() {
    let text = "#include <unistd.h>\nint f(int a) { if (a) execl(\"/bin/sh\", \"sh\", \"-c\", \"exit 5\", (char *)0); return 7; }";
    assert_eq!(run(text).ending, Ending::Exited(5));
    let text =
        "#include <sys/socket.h>\n#include <netinet/in.h>\n#include <string.h>\n#include <errno.h>\nint f(int a) {
        if (!a) return 7;
        struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = 9 };
        to.sin_addr.s_addr = 0x08080808;
        return connect(socket(AF_INET, SOCK_DGRAM, 0), (struct sockaddr *)&to, sizeof to) ? -1 : 0; }";
    assert_eq!(int_result(&run(text)), -1, "there is no network");
}

#[test]
fn a_server_that_is_killed_is_started_again() {
    let subject = Subject::new("int f(int a) { return 7 + a; }");
    let mut native = subject.build("f", &options());
    assert_eq!(int_result(&native.run(&arguments(vec![int(0)])).unwrap()), 7);
    native.kill_servers();
    assert_eq!(int_result(&native.run(&arguments(vec![int(1)])).unwrap()), 8);
}
