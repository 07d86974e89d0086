//! S-expressions: text to a flat tree.
//!
//! All expressions of a script live in one arena and are named by index; lists hold a range of child indices. Reading
//! keeps its own stack, so nesting is bounded by memory alone.

use super::Error;

/// An s-expression: an index into [`Sexprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SexprId(u32);

/// What an s-expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sexpr<'a> {
    /// A symbol, without the bars if it was quoted.
    Symbol(&'a str),
    /// A keyword, with its colon.
    Keyword(&'a str),
    /// Decimal digits.
    Numeral(&'a str),
    /// Decimal digits with a point.
    Decimal(&'a str),
    /// The digits of `#x...`.
    Hexadecimal(&'a str),
    /// The digits of `#b...`.
    Binary(&'a str),
    /// The text of a string literal, quotes still doubled.
    Text(&'a str),
    /// A list; see [`Sexprs::children`].
    List { start: u32, len: u32 },
}

/// The expressions of a script.
pub(super) struct Sexprs<'a> {
    text: &'a str,
    /// Where reading goes on.
    at: usize,
    /// Each expression and the offsets where it starts and ends.
    nodes: Vec<(Sexpr<'a>, u32, u32)>,
    children: Vec<SexprId>,
}

impl<'a> Sexprs<'a> {
    pub(super) fn new(text: &'a str) -> Sexprs<'a> {
        Sexprs { text, at: 0, nodes: Vec::new(), children: Vec::new() }
    }

    pub(super) fn get(&self, id: SexprId) -> Sexpr<'a> {
        self.nodes[id.0 as usize].0
    }

    /// The elements of a list; nothing for an atom.
    pub(super) fn children(&self, id: SexprId) -> &[SexprId] {
        match self.get(id) {
            Sexpr::List { start, len } => &self.children[start as usize..(start + len) as usize],
            _ => &[],
        }
    }

    /// One element of a list.
    pub(super) fn child(&self, id: SexprId, index: usize) -> Option<SexprId> {
        self.children(id).get(index).copied()
    }

    /// The name, if the expression is a symbol.
    pub(super) fn symbol(&self, id: SexprId) -> Option<&'a str> {
        match self.get(id) {
            Sexpr::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// The expression as it was written; a list that has been read whole ends with its parenthesis.
    pub(super) fn source(&self, id: SexprId) -> &'a str {
        let (_, start, end) = self.nodes[id.0 as usize];
        &self.text[start as usize..end as usize]
    }

    /// An error at an expression.
    pub(super) fn error(&self, id: SexprId, message: impl Into<String>) -> Error {
        self.error_at(self.nodes[id.0 as usize].1 as usize, message)
    }

    fn error_at(&self, offset: usize, message: impl Into<String>) -> Error {
        let before = &self.text[..offset];
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Error { line, column, message: message.into() }
    }

    /// Reads the next expression; `None` at the end of the text.
    pub(super) fn read(&mut self) -> Result<Option<SexprId>, Error> {
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut pending: Vec<SexprId> = Vec::new();
        loop {
            self.skip_blanks();
            let start = self.at;
            let done = match self.text.as_bytes().get(start) {
                None => match open.last() {
                    None => return Ok(None),
                    Some(&(offset, _)) => return Err(self.error_at(offset, "this parenthesis is never closed")),
                },
                Some(b'(') => {
                    self.at += 1;
                    open.push((start, pending.len()));
                    continue;
                }
                Some(b')') => {
                    self.at += 1;
                    let Some((offset, first)) = open.pop() else {
                        return Err(self.error_at(start, "this parenthesis was never opened"));
                    };
                    self.list(offset, &pending.split_off(first))
                }
                Some(_) => {
                    let atom = self.atom()?;
                    self.push(atom, start)
                }
            };
            if open.is_empty() {
                return Ok(Some(done));
            }
            pending.push(done);
        }
    }

    fn list(&mut self, offset: usize, elements: &[SexprId]) -> SexprId {
        let start = self.children.len() as u32;
        self.children.extend_from_slice(elements);
        self.push(Sexpr::List { start, len: elements.len() as u32 }, offset)
    }

    fn push(&mut self, node: Sexpr<'a>, offset: usize) -> SexprId {
        self.nodes.push((node, offset as u32, self.at as u32));
        SexprId((self.nodes.len() - 1) as u32)
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if byte == b';' {
                let rest = &bytes[self.at..];
                self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    fn atom(&mut self) -> Result<Sexpr<'a>, Error> {
        let start = self.at;
        match self.text.as_bytes()[start] {
            b'"' => self.string(),
            b'|' => match self.text[start + 1..].find('|') {
                Some(len) => {
                    self.at = start + len + 2;
                    Ok(Sexpr::Symbol(&self.text[start + 1..start + 1 + len]))
                }
                None => Err(self.error_at(start, "this quoted symbol is never closed")),
            },
            _ => {
                let rest = &self.text[start..];
                let len = rest.find(ends_atom).unwrap_or(rest.len());
                self.at = start + len;
                classify(&rest[..len]).ok_or_else(|| self.error_at(start, format!("`{}` is not a token", &rest[..len])))
            }
        }
    }

    /// A string literal; a doubled quote stands for one.
    fn string(&mut self) -> Result<Sexpr<'a>, Error> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        loop {
            match (bytes.get(at), bytes.get(at + 1)) {
                (None, _) => return Err(self.error_at(start, "this string is never closed")),
                (Some(b'"'), Some(b'"')) => at += 2,
                (Some(b'"'), _) => break,
                _ => at += 1,
            }
        }
        self.at = at + 1;
        Ok(Sexpr::Text(&self.text[start + 1..at]))
    }
}

fn ends_atom(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, '(' | ')' | ';' | '"' | '|')
}

fn classify(token: &str) -> Option<Sexpr<'_>> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if let Some(rest) = token.strip_prefix("#x") {
        return (!rest.is_empty() && rest.bytes().all(|b| b.is_ascii_hexdigit())).then_some(Sexpr::Hexadecimal(rest));
    }
    if let Some(rest) = token.strip_prefix("#b") {
        return (!rest.is_empty() && rest.bytes().all(|b| matches!(b, b'0' | b'1'))).then_some(Sexpr::Binary(rest));
    }
    if token.starts_with(':') {
        return (token.len() > 1).then_some(Sexpr::Keyword(token));
    }
    if token.starts_with(|c: char| c.is_ascii_digit()) {
        return match token.split_once('.') {
            None => digits(token).then_some(Sexpr::Numeral(token)),
            Some((whole, fraction)) => (digits(whole) && digits(fraction)).then_some(Sexpr::Decimal(token)),
        };
    }
    let symbolic = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c) || !c.is_ascii();
    token.chars().all(symbolic).then_some(Sexpr::Symbol(token))
}
