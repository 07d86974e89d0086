//! Tests as files: a text, questions about it, and the answers that are expected.
//!
//! A question is a line `; ask: ...`, its answer the lines `; | ...` after it. With `UPDATE=1` in the environment the
//! answers are written anew, to be reviewed as a difference.

use std::path::{Path, PathBuf};

/// Asks the questions of all files below a folder with an ending, in order. `answer` is given the text and a question.
///
/// # Panics
/// If an answer is not the expected one, or there is no file.
pub fn ask_files(folder: &Path, ending: &str, answer: impl Fn(&str, &str) -> Vec<String>) {
    let entries = std::fs::read_dir(folder).expect("the folder of the tests can be read");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    files.retain(|path| path.extension().is_some_and(|found| found == ending));
    files.sort();
    assert!(!files.is_empty(), "no .{ending} files in {}", folder.display());
    let is_update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
    let mut wrong = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a test is readable text");
        let answered = with_answers(&text, &answer);
        if is_update {
            std::fs::write(&path, &answered).expect("a test can be written");
        } else if answered != text {
            wrong.push(difference(&path, &text, &answered));
        }
    }
    assert!(wrong.is_empty(), "{}\nUPDATE=1 writes the answers anew", wrong.join("\n"));
}

/// The text with the answers that its questions have.
fn with_answers(text: &str, answer: &impl Fn(&str, &str) -> Vec<String>) -> String {
    let mut answered = String::new();
    for line in text.lines().filter(|line| !line.starts_with("; |")) {
        answered += line;
        answered.push('\n');
        if let Some(question) = line.strip_prefix("; ask: ") {
            answer(text, question.trim()).iter().for_each(|line| answered += &format!("; | {line}\n"));
        }
    }
    answered
}

/// The lines that only one of two texts has.
fn difference(path: &Path, expected: &str, found: &str) -> String {
    let only = |one: &str, other: &str, sign: char| -> Vec<String> {
        let others: Vec<&str> = other.lines().collect();
        one.lines().filter(|line| !others.contains(line)).map(|line| format!("  {sign}{line}")).collect()
    };
    let lines = [only(expected, found, '-'), only(found, expected, '+')].concat();
    let what = if lines.is_empty() { "  the same lines in another order".to_owned() } else { lines.join("\n") };
    format!("{}:\n{what}", path.display())
}

#[cfg(test)]
mod tests {
    use super::with_answers;

    #[test]
    fn answers_follow_their_questions() {
        let answer = |_: &str, question: &str| vec![question.to_uppercase()];
        let text = "; why\n; ask: a b\n; | old\n; | older\nrest\n";
        assert_eq!(with_answers(text, &answer), "; why\n; ask: a b\n; | A B\nrest\n");
    }
}
