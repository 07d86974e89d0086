//! Text to words.
//!
//! A name is made of letters, digits, `_`, `'` and `.` between name characters; so `0` is a name, as in
//! `data nat = 0 | S nat.` A full stop that no name character follows ends an item. `(* *)` encloses comments, which nest;
//! `--` starts one that ends with the line. Arrows and brackets may be written as in print: `→`, `⇒`, `⟨`, `⟩`.

use crate::message::{Message, Span};

/// A kind of word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a number.
    Name,
    /// The label of a rule, without its brackets.
    Label,
    /// `data`.
    Data,
    /// `function`.
    Function,
    /// `:=`.
    Define,
    /// `:`.
    Colon,
    /// `=`.
    Equals,
    /// `|`.
    Bar,
    /// `->`.
    Arrow,
    /// `=>`.
    Implies,
    /// `,`.
    Comma,
    /// `;`.
    Semicolon,
    /// `.`.
    Stop,
    /// `(`.
    Open,
    /// `)`.
    Close,
    /// `==`, `+`, `-`, `*`, `<`, `<=`.
    Operator,
    /// The end of the text.
    End,
}

/// A word with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its kind.
    pub(crate) kind: Kind,
    /// Its place.
    pub(crate) span: Span,
}

/// Fixed words, longer ones before their beginnings.
const FIXED: &[(&str, Kind)] = &[
    (":=", Kind::Define),
    (":", Kind::Colon),
    ("==", Kind::Operator),
    ("=>", Kind::Implies),
    ("⇒", Kind::Implies),
    ("->", Kind::Arrow),
    ("→", Kind::Arrow),
    ("<=", Kind::Operator),
    ("=", Kind::Equals),
    ("|", Kind::Bar),
    (",", Kind::Comma),
    (";", Kind::Semicolon),
    (".", Kind::Stop),
    ("(", Kind::Open),
    (")", Kind::Close),
    ("+", Kind::Operator),
    ("-", Kind::Operator),
    ("*", Kind::Operator),
    ("<", Kind::Operator),
];

/// The words of a text, ending with [`Kind::End`].
///
/// # Errors
///
/// When a character belongs to no word, or a comment does not end.
pub(crate) fn words(text: &str) -> Result<Vec<Word>, Vec<Message>> {
    let mut lexer = Lexer { text, at: 0, words: Vec::new() };
    if u32::try_from(text.len()).is_err() {
        return Err(vec![Message::error(Span::default(), "the specification is larger than four gigabytes; split it")]);
    }
    while lexer.skip_blanks().map_err(|message| vec![message])? {
        lexer.word().map_err(|message| vec![message])?;
    }
    lexer.push(Kind::End, lexer.at);
    Ok(lexer.words)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    words: Vec<Word>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// The span from `start` to here.
    fn span(&self, start: usize) -> Span {
        Span { start: start as u32, end: self.at as u32 }
    }

    fn push(&mut self, kind: Kind, start: usize) {
        let span = self.span(start);
        self.words.push(Word { kind, span });
    }

    /// Goes to the next word; whether there is one.
    fn skip_blanks(&mut self) -> Result<bool, Message> {
        loop {
            let blanks = self.rest().len() - self.rest().trim_start().len();
            self.at += blanks;
            if self.rest().starts_with("(*") {
                self.comment()?;
            } else if self.rest().starts_with("--") && !self.rest().starts_with("-->") {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else {
                return Ok(!self.rest().is_empty());
            }
        }
    }

    fn comment(&mut self) -> Result<(), Message> {
        let start = self.at;
        let mut depth = 0;
        loop {
            let step = match self.rest() {
                rest if rest.starts_with("(*") => {
                    depth += 1;
                    2
                }
                rest if rest.starts_with("*)") => {
                    depth -= 1;
                    2
                }
                rest => rest.chars().next().map_or(0, char::len_utf8),
            };
            if step == 0 {
                let span = Span { start: start as u32, end: start as u32 + 2 };
                return Err(Message::error(span, "this comment does not end; close it with `*)`"));
            }
            self.at += step;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn word(&mut self) -> Result<(), Message> {
        let start = self.at;
        if self.label() {
            return Ok(());
        }
        if let Some((text, kind)) = FIXED.iter().find(|(text, _)| self.rest().starts_with(text)) {
            self.at += text.len();
            self.push(*kind, start);
            return Ok(());
        }
        let length = name_length(self.rest());
        if length == 0 {
            self.at += self.rest().chars().next().map_or(1, char::len_utf8);
            return Err(Message::error(self.span(start), "this character belongs to no word of a specification"));
        }
        self.at += length;
        let kind = match &self.text[start..self.at] {
            "data" => Kind::Data,
            "function" => Kind::Function,
            _ => Kind::Name,
        };
        self.push(kind, start);
        Ok(())
    }

    /// Takes a label such as `<push_r1>`, where a rule may begin.
    fn label(&mut self) -> bool {
        let begins = matches!(self.words.last().map(|word| word.kind), Some(Kind::Define | Kind::Semicolon));
        let close = match self.rest().chars().next() {
            Some('<') if begins => '>',
            Some('⟨') => '⟩',
            _ => return false,
        };
        let Some(end) = self.rest().find(close) else { return false };
        let open = self.rest().chars().next().map_or(1, char::len_utf8);
        if self.rest()[..end].contains('\n') {
            return false;
        }
        let start = self.at + open;
        self.at += end;
        self.push(Kind::Label, start);
        self.at += close.len_utf8();
        true
    }
}

/// How many bytes a name at the start of a text has. A full stop inside belongs to it, one at its end does not.
fn name_length(text: &str) -> usize {
    let mut end = 0;
    for (at, character) in text.char_indices() {
        match character {
            c if c.is_alphanumeric() || c == '_' || c == '\'' => end = at + c.len_utf8(),
            '.' if at == end && end > 0 => {}
            _ => break,
        }
    }
    end
}
