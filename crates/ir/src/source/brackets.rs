//! Where brackets stand, so that a span can be made to cover whole ones.
//!
//! The span of an expression reaches from its first operand to its last and leaves out parentheses around them:
//! `(a) > (b)` may come as `a) > (b`. Brackets that lack their partner inside a span are completed by the nearest ones
//! outside it.

use super::Span;
use std::iter::Peekable;
use std::str::Bytes;

/// The brackets of a text outside literals, comments and directives.
#[derive(Debug)]
pub struct Brackets {
    /// Offset and bracket, in ascending order.
    found: Vec<(u32, u8)>,
}

impl Brackets {
    /// The brackets of a text.
    pub fn find(text: &str) -> Brackets {
        let mut found = Vec::new();
        let mut scan = Scan { bytes: text.bytes().peekable(), length: text.len() };
        while let Some((offset, byte)) = scan.next_bracket() {
            found.push((offset as u32, byte));
        }
        Brackets { found }
    }

    /// The span, extended over the partners of its brackets; `None` if they do not stand next to it.
    pub fn complete(&self, span: Span) -> Option<Span> {
        let first = self.found.partition_point(|(offset, _)| *offset < span.start);
        let last = self.found.partition_point(|(offset, _)| *offset < span.end);
        let mut open = Vec::new();
        let mut missing_left = 0;
        for &(_, bracket) in &self.found[first..last] {
            match closing(bracket) {
                Some(partner) => open.push(partner),
                None if open.is_empty() => missing_left += 1,
                None if open.pop() != Some(bracket) => return None,
                None => {}
            }
        }
        let mut completed = span;
        if missing_left > 0 {
            let (start, bracket) = self.found[first.checked_sub(missing_left)?];
            closing(bracket)?;
            completed.start = start;
        }
        if let Some(further) = open.len().checked_sub(1) {
            let &(end, bracket) = self.found.get(last + further)?;
            if closing(bracket).is_some() {
                return None;
            }
            completed.end = end + 1;
        }
        Some(completed)
    }
}

/// The partner of an opening bracket.
fn closing(bracket: u8) -> Option<u8> {
    match bracket {
        b'(' => Some(b')'),
        b'[' => Some(b']'),
        b'{' => Some(b'}'),
        _ => None,
    }
}

struct Scan<'a> {
    bytes: Peekable<Bytes<'a>>,
    length: usize,
}

impl Scan<'_> {
    fn next_bracket(&mut self) -> Option<(usize, u8)> {
        let mut at_line_start = true;
        loop {
            let offset = self.length - self.bytes.len();
            let byte = self.bytes.next()?;
            match byte {
                b'(' | b')' | b'[' | b']' | b'{' | b'}' => return Some((offset, byte)),
                b'"' | b'\'' => self.skip_literal(byte),
                b'/' if self.bytes.peek() == Some(&b'/') => self.skip_line(),
                b'/' if self.bytes.peek() == Some(&b'*') => self.skip_comment(),
                b'#' if at_line_start => self.skip_line(),
                _ => {}
            }
            at_line_start = byte == b'\n' || at_line_start && byte.is_ascii_whitespace() || byte == b'#';
        }
    }

    fn skip_literal(&mut self, quote: u8) {
        while let Some(byte) = self.bytes.next() {
            if byte == b'\\' {
                self.bytes.next();
            } else if byte == quote {
                return;
            }
        }
    }

    /// Skips up to the end of the line, which stays.
    fn skip_line(&mut self) {
        while self.bytes.next_if(|&byte| byte != b'\n').is_some() {}
    }

    fn skip_comment(&mut self) {
        self.bytes.next();
        let mut last = 0;
        for byte in self.bytes.by_ref() {
            if [last, byte] == *b"*/" {
                return;
            }
            last = byte;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Brackets;
    use crate::source::{Span, UnitId};

    #[track_caller]
    fn check(text: &str, part: &str, expected: &str) {
        let start = text.find(part).unwrap() as u32;
        let span = Span { unit: UnitId::new(0), start, end: start + part.len() as u32 };
        let completed = Brackets::find(text).complete(span).unwrap();
        assert_eq!(&text[completed.start as usize..completed.end as usize], expected);
    }

    #[test]
    fn brackets_are_completed() {
        check("if ((a) > 10)", "a) > 10", "(a) > 10");
        check("if (((a)) == g((b), (c)))", "a)) == g((b), (c)", "((a)) == g((b), (c))");
        check("if ((a) > (b))", "a) > (b", "(a) > (b)");
        check("x = ({ int t; t; }) && n;", "({ int t; t; }", "({ int t; t; })");
        check("if (( /* ( */ a) > ')')", "a) > ')'", "( /* ( */ a) > ')'");
        check("if ((// (\n# 1 \"(\"\na) > '\\'')", "a) > '\\''", "(// (\n# 1 \"(\"\na) > '\\''");
        check("if (a > b)", "a > b", "a > b");
    }
}
