//! Enumeration: the instrumented twin of a program is compiled with sanitizers and run on every input of every function.

use crate::site::{Ending, Event, Run};
use crate::writer::{DIMENSIONS, Program};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const PRELUDE: &str = include_str!("twin.c");

/// All runs of each function, in the order of inputs.
pub(crate) fn enumerate(program: &Program, folder: &Path) -> Vec<Vec<Run>> {
    let mut text = format!("{PRELUDE}{}", program.twin);
    let mut main = String::new();
    for function in &program.functions {
        let name = &function.name;
        let rows = function.inputs.iter().map(|row| row.iter().map(|value| format!("{value},")).collect::<String>());
        writeln!(text, "static const long long inputs_{name}[] = {{{}}};", rows.collect::<String>())
            .expect("strings grow");
        writeln!(main, "    all(call_{name}, inputs_{name}, {});", function.inputs.len()).expect("strings grow");
    }
    text += "int main(int count, char **words)\n{\n    (void)count;\n    out = fopen(words[1], \"wb\");\n";
    text += "    log_ = mmap(0, sizeof *log_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);\n";
    text += &format!("{main}    return fclose(out);\n}}\n");
    let (source, binary, output) = (folder.join("twin.c"), folder.join("twin"), folder.join("runs"));
    std::fs::write(&source, text).expect("the twin can be written");
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-o"]);
    let made = compiler.arg(&binary).arg(&source).output().expect("there is a compiler");
    assert!(made.status.success(), "{}: {}", source.display(), String::from_utf8_lossy(&made.stderr));
    let run = Command::new(&binary)
        .arg(&output)
        .env("ASAN_OPTIONS", "detect_leaks=0:symbolize=0:detect_stack_use_after_return=0")
        .env("UBSAN_OPTIONS", "print_stacktrace=0")
        .output()
        .expect("the twin can be run");
    assert!(run.status.success(), "{}: {:?}", source.display(), run.status);
    let mut reader = Reader { bytes: &std::fs::read(&output).expect("there are runs") };
    let runs = |inputs: &Vec<Vec<i64>>| inputs.iter().map(|input| reader.run(input)).collect();
    program.functions.iter().map(|function| &function.inputs).map(runs).collect()
}

/// Reads what a twin wrote.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.bytes.split_first_chunk::<N>().expect("runs are whole");
        self.bytes = rest;
        *first
    }

    fn int(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    fn long(&mut self) -> i64 {
        i64::from_le_bytes(self.take())
    }

    fn run(&mut self, input: &[i64]) -> Run {
        assert_eq!(input.len(), DIMENSIONS.len(), "an input has all its numbers");
        let ending = match (self.int(), self.int()) {
            (0, result) => Ending::Returned(result),
            (1, _) => Ending::Undefined,
            _ => Ending::Long,
        };
        let has_hidden_writes = self.int() != 0;
        let count = self.int();
        let event = |reader: &mut Self| Event {
            site: usize::try_from(reader.int()).expect("sites have numbers"),
            is_unsigned: reader.int() != 0,
            values: [reader.long(), reader.long()],
        };
        let events = (0..count).map(|_| event(self)).collect();
        Run { input: input.to_vec(), ending, has_hidden_writes, events }
    }
}
