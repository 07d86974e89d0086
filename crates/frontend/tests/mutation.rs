//! Broken C never breaks the front end.
//!
//! Programs of `tests/programs` are damaged at random, deterministically: words are deleted, doubled, swapped and
//! replaced. Whatever comes out must load to a program that keeps every rule of the IR. `CLEW_MUTATIONS` sets the number
//! of rounds.

use clew_frontend::{Preprocessed, load_preprocessed};
use clew_testing::Random;
use std::path::Path;

const WORDS: [&str; 28] = [
    "0", "1u", "-", "*", "&", "(", ")", "{", "}", "[", "]", ";", ",", "=", "?", ":", "int", "float", "struct", "void",
    "return", "goto", "switch", "case", "sizeof", "_Bool", "2.5", "\"s\"",
];

/// The words of a text, each with what separates it from the next.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut previous = ' ';
    for char in text.chars() {
        let is_name = char.is_alphanumeric() || char == '_';
        let was_name = previous.is_alphanumeric() || previous == '_';
        if !(is_name && was_name) {
            words.push(String::new());
        }
        words.last_mut().expect("there is a word").push(char);
        previous = char;
    }
    words
}

fn damage(words: &[String], random: &mut Random) -> String {
    let mut words = words.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(words.len());
        let other = random.below(words.len());
        match random.below(4) {
            0 => words[at].clear(),
            1 => words[at] = words[other].clone(),
            2 => words.swap(at, other),
            _ => words[at] = format!(" {} ", WORDS[random.below(WORDS.len())]),
        }
    }
    words.concat()
}

fn load(text: String) {
    let loaded = load_preprocessed(vec![Preprocessed::plain("damaged.c", &text)]);
    let violations = clew_ir::verify::verify(&loaded.program);
    assert!(violations.is_empty(), "{violations:?} in\n{text}");
}

#[test]
fn damaged_programs_load() {
    let rounds = std::env::var("CLEW_MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(200);
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut files: Vec<_> =
        std::fs::read_dir(directory).expect("the folder exists").map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    let texts: Vec<Vec<String>> = files
        .iter()
        .map(|file| {
            let text = std::fs::read_to_string(file).expect("the file is text");
            words(&text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n"))
        })
        .collect();
    let mut random = Random(1);
    for round in 0..rounds {
        load(damage(&texts[round % texts.len()], &mut random));
    }
}
