//! The words of a contract.
//!
//! Comments inside a contract and the `@` signs that decorate its lines are blank. The compiler does not expand macros
//! in comments, so object-like macros are expanded here; a macro whose value is no ACSL stays a name. Every token of an
//! expansion stands where the macro's name stands.

use super::syntax::{At, Problem};
use std::collections::BTreeMap;

/// How deep macros may be nested in macros.
const MAX_DEPTH: u32 = 16;

/// A word with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) at: At,
}

/// What a word is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name, or a built-in with its backslash.
    Name(String),
    Integer(i128),
    Real {
        digits: String,
        suffix: Option<char>,
    },
    Punct(&'static str),
    End,
}

/// Longest first, so that the first match is the right one.
const PUNCTUATORS: &[&str] = &[
    "<==>", "<-->", "==>", "-->", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "^^", "->", "..", "::", "(",
    ")", "[", "]", "{", "}", ",", ";", ":", "?", "<", ">", "=", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", ".",
];

/// The words of `text`, whose first byte has offset `base`, with `macros` expanded; [`TokenKind::End`] comes last.
pub(crate) fn tokens(text: &str, base: u32, macros: &BTreeMap<String, String>) -> Result<Vec<Token>, Problem> {
    let mut out = Vec::new();
    for token in words(text, base)? {
        expand(token, macros, 0, &mut Vec::new(), &mut out);
    }
    let end = base + text.len() as u32;
    out.push(Token { kind: TokenKind::End, at: end..end });
    Ok(out)
}

fn expand(token: Token, macros: &BTreeMap<String, String>, depth: u32, active: &mut Vec<String>, out: &mut Vec<Token>) {
    if let TokenKind::Name(name) = &token.kind
        && depth < MAX_DEPTH
        && !active.contains(name)
        && let Some(value) = macros.get(name)
        && let Ok(inner) = words(value, 0)
    {
        active.push(name.clone());
        for mut word in inner {
            word.at = token.at.clone();
            expand(word, macros, depth + 1, active, out);
        }
        active.pop();
        return;
    }
    out.push(token);
}

fn words(text: &str, base: u32) -> Result<Vec<Token>, Problem> {
    let mut lexer = Lexer { text, base, position: 0 };
    let mut words = Vec::new();
    while let Some(word) = lexer.next()? {
        words.push(word);
    }
    Ok(words)
}

struct Lexer<'a> {
    text: &'a str,
    base: u32,
    position: usize,
}

impl Lexer<'_> {
    fn next(&mut self) -> Result<Option<Token>, Problem> {
        self.skip_blanks();
        let start = self.position;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else { return Ok(None) };
        let kind = if first.is_ascii_digit() || (first == '.' && digit_at(rest, 1)) {
            self.number()?
        } else if first.is_alphabetic() || matches!(first, '_' | '\\' | '$') {
            self.name()
        } else if first == '\'' {
            self.character()?
        } else {
            self.punctuator(first)?
        };
        Ok(Some(Token { kind, at: self.at(start) }))
    }

    fn at(&self, start: usize) -> At {
        self.base + start as u32..self.base + self.position as u32
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.position..];
            let blank = rest.len() - rest.trim_start_matches(|it: char| it.is_whitespace() || it == '@').len();
            let comment = match rest.get(blank..blank + 2) {
                Some("//") => rest[blank..].find('\n').unwrap_or(rest.len() - blank),
                Some("/*") => rest[blank..].find("*/").map_or(rest.len() - blank, |end| end + 2),
                _ => 0,
            };
            self.position += blank + comment;
            if comment == 0 {
                return;
            }
        }
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &str {
        let start = self.position;
        let rest = &self.text[start..];
        self.position += rest.find(|it: char| !accept(it)).unwrap_or(rest.len());
        &self.text[start..self.position]
    }

    fn name(&mut self) -> TokenKind {
        let start = self.position;
        self.position += self.text[start..].chars().next().map_or(0, char::len_utf8);
        self.take_while(|it| it.is_alphanumeric() || it == '_' || it == '$');
        TokenKind::Name(self.text[start..self.position].to_owned())
    }

    fn number(&mut self) -> Result<TokenKind, Problem> {
        let start = self.position;
        let rest = &self.text[start..];
        let length = number_length(rest);
        self.position += length;
        let word = &rest[..length];
        let hexadecimal = word.starts_with("0x") || word.starts_with("0X");
        let is_real = word.contains('.') || word.contains(if hexadecimal { ['p', 'P'] } else { ['e', 'E'] });
        let number = if is_real { real(word) } else { integer(word).map(TokenKind::Integer) };
        number.ok_or_else(|| Problem::new(&self.at(start), format!("`{word}` is no number of C")))
    }

    fn character(&mut self) -> Result<TokenKind, Problem> {
        let start = self.position;
        let body = &self.text[start + 1..];
        let (value, length) = character_value(body).unwrap_or((0, 0));
        self.position = (start + 1 + length).min(self.text.len());
        let closed = length > 0 && self.text[self.position..].starts_with('\'');
        self.position += usize::from(closed);
        if closed { Ok(TokenKind::Integer(value)) } else { Err(Problem::new(&self.at(start), "a broken character")) }
    }

    fn punctuator(&mut self, first: char) -> Result<TokenKind, Problem> {
        let start = self.position;
        let rest = &self.text[start..];
        if let Some(found) = PUNCTUATORS.iter().find(|it| rest.starts_with(**it)) {
            self.position += found.len();
            return Ok(TokenKind::Punct(found));
        }
        self.position += first.len_utf8();
        Err(Problem::new(&self.at(start), format!("`{first}` has no meaning in a contract")))
    }
}

fn digit_at(text: &str, index: usize) -> bool {
    text.as_bytes().get(index).is_some_and(u8::is_ascii_digit)
}

/// Bytes of the number `text` begins with. The dots of a range (`0..7`) do not belong to it.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let mut length = 0;
    while let Some(&byte) = bytes.get(length) {
        let previous = length.checked_sub(1).map(|at| bytes[at]);
        let exponent = match previous {
            Some(b'p' | b'P') => hexadecimal,
            Some(b'e' | b'E') => !hexadecimal,
            _ => false,
        };
        let belongs = byte.is_ascii_alphanumeric()
            || (byte == b'.' && bytes.get(length + 1) != Some(&b'.') && previous != Some(b'.'))
            || (matches!(byte, b'+' | b'-') && exponent);
        if !belongs {
            break;
        }
        length += 1;
    }
    length
}

/// The value of a C integer constant; suffixes do not matter in the logic.
fn integer(word: &str) -> Option<i128> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = digits.to_ascii_lowercase();
    if let Some(hexadecimal) = lower.strip_prefix("0x") {
        return i128::from_str_radix(hexadecimal, 16).ok();
    }
    if let Some(binary) = lower.strip_prefix("0b") {
        return i128::from_str_radix(binary, 2).ok();
    }
    match lower.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => i128::from_str_radix(octal, 8).ok(),
        _ => lower.parse().ok(),
    }
}

fn real(word: &str) -> Option<TokenKind> {
    let hexadecimal = word.starts_with("0x") || word.starts_with("0X");
    let suffix = word.chars().last().map(|it| it.to_ascii_lowercase()).filter(|it| match it {
        'l' => true,
        'f' | 'd' => !hexadecimal || word.contains(['p', 'P']),
        _ => false,
    });
    let digits = &word[..word.len() - usize::from(suffix.is_some())];
    let plain = digits.trim_start_matches("0x").trim_start_matches("0X").replace(['p', 'P'], "e");
    let well_formed = if hexadecimal {
        digits.contains(['p', 'P']) && plain.chars().all(|it| it.is_ascii_hexdigit() || matches!(it, '.' | '+' | '-'))
    } else {
        plain.parse::<f64>().is_ok()
    };
    let suffix = suffix.filter(|it| *it != 'd');
    well_formed.then(|| TokenKind::Real { digits: digits.to_owned(), suffix })
}

/// The value of a character constant after its opening quote, and how many bytes it takes.
fn character_value(body: &str) -> Option<(i128, usize)> {
    let mut characters = body.chars();
    let first = characters.next()?;
    if first != '\\' {
        return first.is_ascii().then(|| (i128::from(first as u32), 1));
    }
    let escape = characters.next()?;
    let simple = |value: u8| Some((i128::from(value), 2));
    match escape {
        'n' => simple(b'\n'),
        't' => simple(b'\t'),
        'r' => simple(b'\r'),
        'a' => simple(7),
        'b' => simple(8),
        'f' => simple(12),
        'v' => simple(11),
        '\\' | '\'' | '"' | '?' => simple(escape as u8),
        'x' => {
            let digits = body[2..].find(|it: char| !it.is_ascii_hexdigit())?;
            i128::from_str_radix(&body[2..2 + digits], 16).ok().map(|value| (value, 2 + digits))
        }
        '0'..='7' => {
            let digits = body[1..].find(|it: char| !matches!(it, '0'..='7'))?.min(3);
            i128::from_str_radix(&body[1..1 + digits], 8).ok().map(|value| (value, 1 + digits))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Token, TokenKind, tokens};
    use std::collections::BTreeMap;

    fn check(text: &str, expect: &str) {
        let macros: BTreeMap<String, String> =
            [("MAX", "(LOW + 1)"), ("LOW", "0x10"), ("SELF", "SELF + 1"), ("ODD", "\"text\"")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into();
        let spell = |token: &Token| match &token.kind {
            TokenKind::Name(name) => name.clone(),
            TokenKind::Integer(value) => value.to_string(),
            TokenKind::Real { digits, suffix } => format!("{digits}{}", suffix.map(String::from).unwrap_or_default()),
            TokenKind::Punct(word) => (*word).to_owned(),
            TokenKind::End => String::new(),
        };
        let found = match tokens(text, 0, &macros) {
            Ok(found) => found.iter().map(spell).collect::<Vec<_>>().join(" ").trim().to_owned(),
            Err(problem) => format!("error at {}: {}", problem.at.start, problem.message),
        };
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn words() {
        check("0..7 a+(0 .. n-1)", "0 .. 7 a + ( 0 .. n - 1 )");
        check("1.5e-3 .5 2. 0x1.8p+1 1.0f", "1.5e-3 .5 2. 0x1.8p+1 1.0f");
        check("017 0x1Fu 0b101 10UL", "15 31 5 10");
        check("'a' '\\n' '\\0' '\\x41'", "97 10 0 65");
        check("a==>b<==>c <--> d", "a ==> b <==> c <--> d");
        check("\\valid(p) // note\n @ /* x */ && q", "\\valid ( p ) && q");
        check("x # y", "error at 2: `#` has no meaning in a contract");
        check("08", "error at 0: `08` is no number of C");
    }

    #[test]
    fn macros() {
        check("x < MAX", "x < ( 16 + 1 )");
        check("SELF ODD", "SELF + 1 ODD");
    }
}
