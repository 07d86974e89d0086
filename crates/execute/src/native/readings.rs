//! Volatile memory that changes by itself: each reading gives what the input says.
//!
//! Compilers can be made to call a function before each reading of volatile memory: a thread sanitizer without its
//! run-time library, as in Linux's KCSAN. What they call is in `readings.h`, which tests of the user include, too.
//!
//! Not done: compilers and machines that have no such sanitizer, and builds with other sanitizers; there volatile memory
//! keeps its values.

use super::options::Options;
use clew_ir::{InstKind, Operand, Program};
use std::process::{Command, Stdio};

/// What the compiler has code call.
pub const HOOKS: &str = include_str!("readings.h");

/// What the hooks call, where the fork server knows what is to be read.
pub(super) const SERVED: &str = "extern void __clew_reading(void *, unsigned long);\n\
    CLEW_HOOK static void clew_before_reading(void *place, unsigned long size) { __clew_reading(place, size); }\n";

const GCC: [&str; 3] =
    ["-fsanitize=thread", "--param=tsan-distinguish-volatile=1", "--param=tsan-instrument-func-entry-exit=0"];

const CLANG: [&str; 6] = [
    "-fsanitize=thread",
    "-fno-sanitize-link-runtime",
    "-mllvm",
    "-tsan-distinguish-volatile=1",
    "-mllvm",
    "-tsan-instrument-func-entry-exit=0",
];

/// A unit that reads volatile memory, and what it then has to call.
const PROBE: &str = "volatile int v; int f(void) { return v; }";
const CALLED: &str = "__tsan_volatile_read4";

/// The flags under which the compiler of some options calls hooks; `None` if the program has no need of them, or the
/// compiler no such flags.
pub fn flags(program: &Program, options: &Options) -> Option<Vec<String>> {
    let is_usual = !options.sanitize && !options.flags.iter().any(|flag| flag.starts_with("-fsanitize"));
    if !is_usual || !reads_volatile(program) {
        return None;
    }
    let words = |flags: &[&str]| flags.iter().map(|&flag| flag.to_owned()).collect::<Vec<String>>();
    [words(&GCC), words(&CLANG)].into_iter().find(|flags| calls_hooks(options, flags))
}

/// Whether the program reads volatile memory that is not a variable of a function.
fn reads_volatile(program: &Program) -> bool {
    let blocks = program.functions.values().flat_map(|function| function.blocks.values());
    let mut insts = blocks.flat_map(|block| &block.insts);
    insts.any(
        |inst| matches!(&inst.kind, InstKind::Load { volatile: true, from, .. } if !matches!(from, Operand::Local(_))),
    )
}

fn calls_hooks(options: &Options, flags: &[String]) -> bool {
    let Some((compiler, words)) = options.compiler.split_first() else { return false };
    let machine = options.flags.iter().filter(|flag| flag.starts_with("-m") || flag.starts_with("--target"));
    let mut command = Command::new(compiler);
    command.args(words).args(machine).args(flags).args(["-S", "-x", "c", "-o", "-", "-"]);
    if let Some(directory) = &options.directory {
        command.current_dir(directory);
    }
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = piped else { return false };
    let sent = child.stdin.take().map(|mut stdin| std::io::Write::write_all(&mut stdin, PROBE.as_bytes()));
    let output = child.wait_with_output();
    sent.is_some_and(|sent| sent.is_ok())
        && output
            .is_ok_and(|output| output.status.success() && String::from_utf8_lossy(&output.stdout).contains(CALLED))
}
