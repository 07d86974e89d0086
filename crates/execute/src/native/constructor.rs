//! Functions that run before `main` or when the program exits: constructors and destructors.
//!
//! Exploration knows nothing of them, and what they call is often missing where one file is tested alone, so that they
//! would end a test before it begins, or go on after it has ended. The attribute gets a name that compilers ignore.

/// The names compilers know, each with a name of the same length that they ignore.
const CONSTRUCTOR: (&str, &str) = ("constructor", "konstructor");
const DESTRUCTOR: (&str, &str) = ("destructor", "testructor");

/// Whether a text makes functions constructors.
pub fn has_constructors(text: &str) -> bool {
    !places(text, CONSTRUCTOR.0).is_empty()
}

/// The text without constructors and destructors; all else stays where it is.
pub(super) fn disarmed(mut text: String) -> String {
    for (word, ignored) in [CONSTRUCTOR, DESTRUCTOR] {
        for at in places(&text, word) {
            text.replace_range(at..at + word.len(), ignored);
        }
    }
    text
}

/// Where attributes say so.
fn places(text: &str, word: &str) -> Vec<usize> {
    let mut places = Vec::new();
    for (start, _) in text.match_indices("__attribute") {
        let end = start + extent(&text[start..]);
        let words = text[start..end].match_indices(word).map(|(at, _)| start + at);
        places.extend(words.filter(|at| is_alone(text, *at, word)));
    }
    places
}

/// How far an attribute goes: to the parenthesis that closes its first.
fn extent(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return at,
            ')' => depth -= 1,
            ';' | '{' => return at,
            _ => {}
        }
    }
    text.len()
}

/// Whether the word stands alone, but for underscores around it.
fn is_alone(text: &str, at: usize, word: &str) -> bool {
    let (before, behind) = (&text[..at], &text[at + word.len()..]);
    let before = before.strip_suffix("__").filter(|_| behind.starts_with("__")).unwrap_or(before);
    let behind = behind.strip_prefix("__").unwrap_or(behind);
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '"';
    !before.ends_with(is_letter) && !behind.starts_with(is_letter)
}

#[cfg(test)]
mod tests {
    use super::{disarmed, has_constructors};

    #[test]
    fn attributes_alone_are_changed() {
        let text = "int constructor; static void __attribute__((unused, constructor(101))) f(void) { constructor = 1; }\n\
                    __attribute__ ((__constructor__)) void g(void); __attribute__((destructor)) void e(void); void h(void) __attribute__((section(\"constructor\")));";
        let out = disarmed(text.to_owned());
        assert_eq!(out.len(), text.len());
        assert!(out.contains("(unused, konstructor(101))") && out.contains("((__konstructor__))"), "{out}");
        assert!(out.contains("((testructor)) void e"), "{out}");
        assert!(out.contains("int constructor;") && out.contains("section(\"constructor\")"), "{out}");
        assert!(has_constructors(text) && !has_constructors(&out) && !has_constructors("int constructor(void);"));
    }
}
