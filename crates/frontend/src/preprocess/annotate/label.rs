//! Labels of the user's: `//@ label ID: PREDICATE;` where a statement may stand.
//!
//! The predicate is a C expression over what is visible there, without macros. The comment becomes a block that calls
//! `clew_label`, which the criterion `user` knows. Where a block would change the program (between `if (...)` and its
//! statement, before `else`) the comment stays what it is.

/// The function that a label calls.
const MARK: &str = "clew_label";

/// The block that stands for a comment, if that is a label and a statement may stand between two texts.
pub(super) fn statement(comment: &str, before: &str, behind: &str) -> Option<String> {
    let (id, predicate) = parse(comment)?;
    let word: String = code_behind(behind).chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect();
    let fits = match code_before(before)? {
        ';' | '{' | ':' => word != "else",
        // It may be the body of a `do`.
        '}' => word != "else" && word != "while",
        _ => false,
    };
    fits.then(|| format!("{{ extern void {MARK}(int, const char *); {MARK}(!!({predicate}), \"{id}\"); }}"))
}

/// The name and the predicate of a label.
fn parse(comment: &str) -> Option<(&str, &str)> {
    let inner = comment.strip_prefix("//@").or_else(|| comment.strip_prefix("/*@")?.strip_suffix("*/"))?;
    let rest = inner.trim().strip_prefix("label")?;
    let (id, predicate) = rest.strip_prefix(char::is_whitespace)?.split_once(':')?;
    let (id, predicate) = (id.trim(), predicate.trim().trim_end_matches(';').trim());
    let is_name = !id.is_empty() && id.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '.'));
    (is_name && !predicate.is_empty() && !predicate.contains(';')).then_some((id, predicate))
}

/// Whether a line is a marker of the preprocessor.
fn is_marker(line: &str) -> bool {
    line.starts_with('#')
}

/// The last character of code.
fn code_before(text: &str) -> Option<char> {
    text.lines().rev().filter(|line| !is_marker(line)).find_map(|line| line.trim_end().chars().next_back())
}

/// The code from its first character on.
fn code_behind(text: &str) -> &str {
    let mut rest = text.trim_start();
    while is_marker(rest) {
        rest = rest.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::statement;

    #[test]
    fn a_label_becomes_a_call_where_a_statement_may_stand() {
        let call = "{ extern void clew_label(int, const char *); clew_label(!!(x > 3), \"far\"); }";
        assert_eq!(statement("//@ label far: x > 3;", "x = y;\n# 3 \"f.c\"\n", "\nreturn x;").as_deref(), Some(call));
        assert_eq!(statement("/*@ label far: x > 3; */", "int f(int x) {", "y();").as_deref(), Some(call));
        assert_eq!(statement("//@ label far: x > 3;", "if (x)", "y();"), None);
        assert_eq!(statement("//@ label far: x > 3;", "if (x) { }", "\n# 4\n else y();"), None);
        assert_eq!(statement("//@ label far: x > 3;", "do { }", " while (x);"), None);
        assert!(statement("//@ label far: x > 3;", "x = y;", "\n while (x) y();").is_some());
        assert_eq!(statement("//@ requires x > 3;", "x;", "y();"), None);
        assert_eq!(statement("//@ label: x > 3;", "x;", "y();"), None);
    }
}
