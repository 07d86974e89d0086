//! Tokens of the text form, with a cursor that reports errors at their line.

use super::parse::ParseError;
use crate::arena::Id;
use crate::source::Span;

/// A token and the line it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Letters, digits and everything that is not punctuation.
    Word(String),
    /// A quoted string, unescaped.
    Text(String),
    /// One of `( ) { } , : = ?`.
    Mark(char),
    End,
}

const MARKS: &str = "(){},:=?";

pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut tokens = Vec::new();
    let mut line = 1;
    let mut rest = text.chars().peekable();
    while let Some(&c) = rest.peek() {
        if c == '"' {
            rest.next();
            tokens.push(Token { kind: TokenKind::Text(quoted(&mut rest, line)?), line });
        } else if c == ';' {
            while rest.next_if(|c| *c != '\n').is_some() {}
        } else if MARKS.contains(c) {
            rest.next();
            tokens.push(Token { kind: TokenKind::Mark(c), line });
        } else if c.is_whitespace() {
            rest.next();
            line += u32::from(c == '\n');
        } else {
            tokens.push(Token { kind: TokenKind::Word(bare(&mut rest)), line });
        }
    }
    tokens.push(Token { kind: TokenKind::End, line });
    Ok(tokens)
}

/// A word; the `:` of a span (`@0:3-7`) belongs to it.
fn bare(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut word = String::new();
    while let Some(c) = rest.next_if(|c| {
        !c.is_whitespace() && *c != ';' && *c != '"' && (!MARKS.contains(*c) || (*c == ':' && word.starts_with('@')))
    }) {
        word.push(c);
    }
    word
}

fn quoted(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, line: u32) -> Result<String, ParseError> {
    let mut text = String::new();
    loop {
        match rest.next() {
            Some('"') => return Ok(text),
            Some('\\') => match rest.next() {
                Some('n') => text.push('\n'),
                Some(c) => text.push(c),
                None => break,
            },
            Some('\n') | None => break,
            Some(c) => text.push(c),
        }
    }
    Err(ParseError { line, message: "string without end".to_owned() })
}

/// A position in the tokens.
pub(super) struct Cursor {
    tokens: Vec<Token>,
    at: usize,
}

impl Cursor {
    pub(super) fn new(text: &str) -> Result<Cursor, ParseError> {
        Ok(Cursor { tokens: tokens(text)?, at: 0 })
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError { line: self.tokens[self.at].line, message: message.into() })
    }

    pub(super) fn peek(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn peek_word(&self) -> Option<&str> {
        match self.peek() {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn word(&mut self) -> Result<String, ParseError> {
        let Some(word) = self.peek_word().map(str::to_owned) else { return self.error("expected a word") };
        self.advance();
        Ok(word)
    }

    /// Takes the word if it is next.
    pub(super) fn take(&mut self, expected: &str) -> bool {
        let found = self.peek_word() == Some(expected);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, expected: &str) -> Result<(), ParseError> {
        if self.take(expected) { Ok(()) } else { self.error(format!("expected `{expected}`")) }
    }

    /// Takes the punctuation mark if it is next.
    pub(super) fn take_mark(&mut self, mark: char) -> bool {
        let found = *self.peek() == TokenKind::Mark(mark);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn mark(&mut self, mark: char) -> Result<(), ParseError> {
        if self.take_mark(mark) { Ok(()) } else { self.error(format!("expected `{mark}`")) }
    }

    pub(super) fn text(&mut self) -> Result<String, ParseError> {
        let TokenKind::Text(text) = self.peek().clone() else { return self.error("expected a quoted string") };
        self.advance();
        Ok(text)
    }

    /// A number in decimal or, after `0x`, hexadecimal.
    pub(super) fn number<T: TryFrom<i128>>(&mut self) -> Result<T, ParseError> {
        let word = self.word()?;
        let parsed = match word.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16).ok().map(|bits| bits as i128),
            None => word.parse().ok().or_else(|| word.parse::<u128>().ok().map(|bits| bits as i128)),
        };
        match parsed.map(T::try_from) {
            Some(Ok(number)) => Ok(number),
            _ => self.error(format!("`{word}` is not a number that fits here")),
        }
    }

    /// An unsigned number of up to 128 bits.
    pub(super) fn bits(&mut self) -> Result<u128, ParseError> {
        self.number::<i128>().map(|number| number as u128)
    }

    /// `name number`
    pub(super) fn named<T: TryFrom<i128>>(&mut self, name: &str) -> Result<T, ParseError> {
        self.expect(name)?;
        self.number()
    }

    /// An identifier such as `t12` with the given prefix.
    pub(super) fn id<T>(&mut self, prefix: char) -> Result<Id<T>, ParseError> {
        match self.try_id(prefix) {
            Some(id) => Ok(id),
            None => self.error(format!("expected an identifier `{prefix}...`")),
        }
    }

    /// Takes an identifier with the given prefix if it is next.
    pub(super) fn try_id<T>(&mut self, prefix: char) -> Option<Id<T>> {
        let raw = self.peek_word()?.strip_prefix(prefix)?.parse().ok()?;
        self.advance();
        Some(Id::new(raw))
    }

    /// A span if one is next.
    pub(super) fn span(&mut self) -> Result<Span, ParseError> {
        let Some(word) = self.peek_word().filter(|word| word.starts_with('@')) else { return Ok(Span::NONE) };
        let parsed = parse_span(word);
        match parsed {
            Some(span) => {
                self.advance();
                Ok(span)
            }
            None => self.error("a span reads `@unit:start-end`"),
        }
    }

    /// Items between marks, separated by commas.
    pub(super) fn list<T>(
        &mut self,
        (open, close): (char, char),
        mut item: impl FnMut(&mut Cursor) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        self.mark(open)?;
        let mut items = Vec::new();
        while !self.take_mark(close) {
            if !items.is_empty() {
                self.mark(',')?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }
}

fn parse_span(word: &str) -> Option<Span> {
    let (unit, range) = word.strip_prefix('@')?.split_once(':')?;
    let (start, end) = range.split_once('-')?;
    Some(Span { unit: Id::new(unit.parse().ok()?), start: start.parse().ok()?, end: end.parse().ok()? })
}
