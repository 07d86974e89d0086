//! Finding the comments that hold contracts.
//!
//! A contract opens with `/*@` or `//@`. Not meant are Doxygen's groups (`//@{`) and lines of the form `//@ word: ...`,
//! which no ACSL annotation can begin with and test files use for their own directives.

use super::syntax::At;
use crate::preprocess::scan::{Class, walk};

/// A comment that opens like a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comment {
    /// The whole comment.
    pub(super) at: At,
    /// What stands between its marks.
    pub(super) inner: At,
}

/// The annotation comments of a preprocessed text, in order.
pub(super) fn annotations(text: &str) -> Vec<Comment> {
    let mut found = Vec::new();
    if !text.contains("/*@") && !text.contains("//@") {
        return found;
    }
    walk(text.as_bytes(), &mut |class, start, end| {
        if class == Class::Comment
            && let Some(inner) = inner(&text[start..end])
        {
            let inner = (start + inner.start) as u32..(start + inner.end) as u32;
            found.push(Comment { at: start as u32..end as u32, inner });
        }
    });
    found
}

/// The contents of a comment, if it is an annotation.
fn inner(comment: &str) -> Option<std::ops::Range<usize>> {
    let rest = comment.strip_prefix("/*@").or_else(|| comment.strip_prefix("//@"))?;
    if rest.starts_with(['{', '}']) || (comment.starts_with("//") && is_directive(rest)) {
        return None;
    }
    let end = if comment.starts_with("/*") && comment.ends_with("*/") { comment.len() - 2 } else { comment.len() };
    Some(3..end.max(3))
}

/// Whether the first word is followed by a colon.
fn is_directive(text: &str) -> bool {
    let text = text.trim_start();
    let word = text.find(|it: char| !it.is_alphanumeric() && it != '_' && it != '-').unwrap_or(text.len());
    word > 0 && text[word..].trim_start().starts_with(':')
}

/// Whether only blanks and line markers stand between two offsets.
pub(super) fn only_blanks(text: &str, start: u32, end: u32) -> bool {
    let Some(between) = text.get(start as usize..end as usize) else { return false };
    between.lines().all(|line| line.trim().is_empty() || line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::annotations;

    #[test]
    fn only_annotations_are_found() {
        let text = "/*@ a; @*/ /* @goal */ \"/*@ b; */\" //@ c;\n//@{\n//@ function: f\n/* /*@ d; */ int x; /*@ e */";
        let inner = |comment: &super::Comment| &text[comment.inner.start as usize..comment.inner.end as usize];
        let found = annotations(text);
        assert_eq!(found.iter().map(inner).collect::<Vec<_>>(), [" a; @", " c;", " e "]);
    }
}
