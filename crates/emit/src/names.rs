//! Names for the variables of a test that hide nothing of the program's.

use clew_ir::{CType, Program};
use std::collections::BTreeSet;

const KEYWORDS: &[&str] = &[
    "alignas",
    "alignof",
    "asm",
    "auto",
    "bool",
    "break",
    "case",
    "char",
    "const",
    "constexpr",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "false",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "nullptr",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "struct",
    "switch",
    "thread_local",
    "true",
    "typedef",
    "typeof",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "linux",
    "unix",
    "main",
    "printf",
    "result",
    "expected",
    "NULL",
    "errno",
    "stderr",
    "stdin",
    "stdout",
    "assert",
    "offsetof",
];

/// What tests name that end their process.
const ENDINGS: [&str; 5] = ["status", "fork", "wait", "signal", "exit"];

/// Names that are taken in a scope of the test file.
#[derive(Clone, Debug)]
pub(super) struct Names<'a> {
    /// The scope around it.
    outer: Option<&'a Names<'a>>,
    taken: BTreeSet<String>,
}

impl<'a> Names<'a> {
    /// The names that mean something in the program.
    pub(super) fn of(program: &Program) -> Names<'a> {
        let mut taken: BTreeSet<String> = KEYWORDS.iter().chain(&ENDINGS).map(|&word| word.to_owned()).collect();
        taken.extend(program.globals.values().map(|global| global.name.clone()));
        taken.extend(program.functions.values().map(|function| function.name.clone()));
        for ty in program.ctypes.types.values() {
            match ty {
                CType::Typedef { name, .. } => {
                    taken.insert(name.clone());
                }
                CType::Enum { enumerators, .. } => taken.extend(enumerators.iter().map(|(name, _)| name.clone())),
                _ => {}
            }
        }
        Names { outer: None, taken }
    }

    /// The names of a scope within this one, which has none yet.
    pub(super) fn inner(&'a self) -> Names<'a> {
        Names { outer: Some(self), taken: BTreeSet::new() }
    }

    /// A new name that resembles `wish`.
    pub(super) fn take(&mut self, wish: &str) -> String {
        let mut name = super::identifier(wish);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            name.insert_str(0, "object_");
        }
        let mut candidate = name.clone();
        let mut number = 2;
        while self.has(&candidate) {
            candidate = format!("{name}_{number}");
            number += 1;
        }
        self.taken.insert(candidate.clone());
        candidate
    }

    fn has(&self, name: &str) -> bool {
        self.taken.contains(name) || self.outer.is_some_and(|outer| outer.has(name))
    }
}
