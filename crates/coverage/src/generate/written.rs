//! Comparisons as they are written: the IR has no `>`, so its operands may stand the other way round.

use clew_ir::{Inst, InstKind, Program};
use clew_scalar::BinaryOp;

/// Whether the left operand of a comparison in the IR is the right one in the source.
pub(super) fn is_swapped(program: &Program, inst: &Inst) -> bool {
    use BinaryOp as B;
    let InstKind::Binary { op: B::Slt | B::Sle | B::Ult | B::Ule | B::FloatLt | B::FloatLe, .. } = inst.kind else {
        return false;
    };
    relation(program.sources.text(inst.span)).is_some_and(|operator| operator.starts_with('>'))
}

/// The operator of the outermost comparison of a text: the last one outside of brackets, since they associate to the left.
fn relation(text: &str) -> Option<&str> {
    let (mut found, mut depth, mut rest) = (None, 0, text);
    while let Some(first) = rest.chars().next() {
        let word = word(rest);
        match first {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '<' | '>' if depth == 0 && matches!(word, "<" | "<=" | ">" | ">=") => found = Some(word),
            _ => {}
        }
        rest = &rest[word.len()..];
    }
    let inner = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    found.or_else(|| inner.and_then(relation))
}

/// The first word of a text, as far as comparisons are concerned: literals and comments are one word.
fn word(text: &str) -> &str {
    const LONG: [&str; 8] = ["<<=", ">>=", "<<", ">>", "->", "<=", ">=", "//"];
    if let Some(known) = LONG.into_iter().find(|known| text.starts_with(known)) {
        return match known {
            "//" => &text[..text.find('\n').unwrap_or(text.len())],
            _ => &text[..known.len()],
        };
    }
    if let Some(comment) = text.strip_prefix("/*") {
        return &text[..comment.find("*/").map_or(text.len(), |end| end + 4)];
    }
    match text.chars().next() {
        Some(quote @ ('"' | '\'')) => &text[..literal(text, quote)],
        Some(first) => &text[..first.len_utf8()],
        None => text,
    }
}

/// Bytes of a literal with its quotes.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, one) in text.char_indices().skip(1) {
        match one {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if one == quote => return at + one.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::relation;

    #[test]
    fn the_outermost_comparison_counts() {
        for (text, expect) in [
            ("10 > x", Some(">")),
            ("a > ((c && c) ^ b ^ (c != 0))", Some(">")),
            ("p->n >> 2 <= q->m", Some("<=")),
            ("(a < b) > c", Some(">")),
            ("a > b < c", Some("<")),
            ("((x) >= (y))", Some(">=")),
            ("t[a > b] < '>'", Some("<")),
            ("a /* > */ < \">\"[0]", Some("<")),
            ("(x)", None),
            ("", None),
        ] {
            assert_eq!(relation(text), expect, "{text}");
        }
    }
}
