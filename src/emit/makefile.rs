//! The makefile of a suite: `make check` builds and runs every test file.

use super::MARK;
use std::fmt::Write;

/// A test file to build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Name of the test file, such as `test_f.c`.
    pub file: String,
    /// The compiler and its leading words.
    pub compiler: Vec<String>,
    /// Flags of the user's build, with paths that hold in the makefile's directory.
    pub flags: Vec<String>,
    /// Further sources, objects and libraries to link.
    pub link: Vec<String>,
    /// Files the test file includes: when they change, it is built again.
    pub depends: Vec<String>,
}

/// The text of the makefile.
pub fn text(targets: &[Target]) -> String {
    let programs: Vec<&str> = targets.iter().map(program).collect();
    let all = programs.join(" ");
    let mut out = format!("# {MARK}. Changes are lost when it is generated again.\n\n");
    let _ = writeln!(out, "CFLAGS = -Wall -Wextra -g\n\nall: {all}\n");
    let _ = writeln!(out, "check: all");
    for program in &programs {
        let _ = writeln!(out, "\t./{program}");
    }
    for target in targets {
        let name = program(target);
        let depends = target.depends.iter().chain(&target.link).map(|path| format!(" {}", spaced(path)));
        let _ = writeln!(out, "\n{name}: {}{}", target.file, depends.collect::<String>());
        let words = |words: &[String]| words.iter().map(|word| format!(" {}", quoted(word))).collect::<String>();
        let compiler = target.compiler.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        let (flags, link) = (words(&target.flags), words(&target.link));
        let _ = writeln!(out, "\t{compiler} $(CFLAGS) -o $@ {}{link}{flags} -lm", target.file);
    }
    let _ = writeln!(out, "\nclean:\n\trm -f {all}\n\n.PHONY: all check clean");
    out
}

fn program(target: &Target) -> &str {
    target.file.strip_suffix(".c").unwrap_or(&target.file)
}

/// A word as the shell, called by make, reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''").replace('$', "$$"))
}

/// A path as make reads it in a list.
fn spaced(path: &str) -> String {
    path.replace('$', "$$").replace(' ', "\\ ").replace('#', "\\#").replace(':', "\\:")
}
