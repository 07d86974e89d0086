//! C source text of values, types and names.

pub mod literal;
pub mod spell;

use clew_ir::{CTypeId, Program};

const SIGNALS: [(i32, &str); 8] = [
    (4, "SIGILL"),
    (5, "SIGTRAP"),
    (6, "SIGABRT"),
    (7, "SIGBUS"),
    (8, "SIGFPE"),
    (11, "SIGSEGV"),
    (14, "SIGALRM"),
    (15, "SIGTERM"),
];

/// The name of a signal that programs often end by.
pub fn known_signal(signal: i32) -> Option<&'static str> {
    SIGNALS.iter().find(|(number, _)| *number == signal).map(|(_, name)| *name)
}

/// A type as C spells it; `None` where it has no name.
pub fn type_name(program: &Program, ty: CTypeId) -> Option<String> {
    spell::declare(&program.ctypes, spell::unqualified(&program.ctypes, ty), "")
}

/// The letters and digits of a phrase, words joined by single underscores.
pub fn identifier(phrase: &str) -> String {
    words_joined(phrase, "_")
}

/// The letters and digits of a phrase, words joined by a text.
pub fn words_joined(phrase: &str, by: &str) -> String {
    let words = phrase.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(by)
}
