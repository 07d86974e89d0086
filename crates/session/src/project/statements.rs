//! Counting C statements, the unit in which throughput is told.
//!
//! Every semicolon outside the head of a `for` ends one statement, and every `if`, `while`, `for`, `switch` is one. The
//! text is preprocessed; literals and comments are skipped.

/// The statements of a function's text.
pub fn count(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let (mut at, mut statements, mut depth) = (0, 0, 0_u32);
    let mut heads: Vec<u32> = Vec::new();
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => at = skip_literal(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text[at + 2..].find("*/").map_or(bytes.len(), |end| at + end + 4);
            }
            b'(' => {
                depth += 1;
                at += 1;
            }
            b')' => {
                heads.pop_if(|head| *head == depth);
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b';' => {
                statements += u64::from(heads.is_empty());
                at += 1;
            }
            byte if byte == b'_' || byte.is_ascii_alphabetic() => {
                let length =
                    bytes[at..].iter().take_while(|byte| **byte == b'_' || byte.is_ascii_alphanumeric()).count();
                let word = &text[at..at + length];
                statements += u64::from(matches!(word, "if" | "while" | "for" | "switch"));
                if word == "for" {
                    heads.push(depth + 1);
                }
                at += length;
            }
            _ => at += 1,
        }
    }
    statements
}

fn skip_literal(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn statements_are_counted_once() {
        assert_eq!(count("int f(int a) { int b = a; for (int i = 0; i < a; i++) b += i; return b; }"), 4);
        assert_eq!(count("{ if (a) g(\";;\"); else { while (b) h(';'); } /* ; */ }"), 4);
        assert_eq!(count("{ for (;;) { for (x = f(1); x; x--) ; } }"), 3);
    }
}
