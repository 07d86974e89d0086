//! Tokens of preprocessed C: enough to tell an operator from a sign and a cast from a product.

use clew_ir::{CType, Program, Span};
use std::collections::BTreeSet;

/// A token, and where it stands in the text of its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'t> {
    pub(crate) text: &'t str,
    pub(crate) start: usize,
}

impl Token<'_> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is a name or a keyword.
    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
    }

    /// Whether it is a number or a character.
    pub(crate) fn is_number(&self) -> bool {
        let mut bytes = self.text.bytes();
        match bytes.next() {
            Some(b'.') => bytes.next().is_some_and(|byte| byte.is_ascii_digit()),
            Some(byte) => byte.is_ascii_digit() || byte == b'\'',
            None => false,
        }
    }

    /// Whether it is a character or string with quotes.
    fn is_quoted(&self) -> bool {
        self.text.ends_with(['"', '\''])
    }
}

/// Operators of several characters, longest first.
const LONG: [&str; 23] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "%=", "&=", "^=", "|=", "##",
];

/// The tokens of a span, without comments and directives.
pub(crate) fn scan(text: &str, span: Span) -> Vec<Token<'_>> {
    let (mut at, end) = (span.start as usize, (span.end as usize).min(text.len()));
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    while at < end {
        let rest = &text[at..end];
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let length = match bytes[at] {
            b'#' if text[line_start..at].trim().is_empty() => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                at += rest.find("*/").map_or(rest.len(), |found| found + 2);
                continue;
            }
            b'/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            quote @ (b'"' | b'\'') => quoted(rest.as_bytes(), quote),
            byte if byte.is_ascii_digit() || byte == b'.' && starts_number(rest) => number(rest.as_bytes()),
            byte if is_word(byte) => word(rest.as_bytes()),
            _ => LONG.iter().find(|long| rest.starts_with(**long)).map_or(1, |long| long.len()),
        };
        let length = length.min(rest.len()).max(1);
        let Some(token) = text.get(at..at + length) else {
            at += 1;
            continue;
        };
        tokens.push(Token { text: token, start: at });
        at += length;
    }
    tokens
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn starts_number(rest: &str) -> bool {
    rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

/// The length of a word; a prefix of a literal belongs to it.
fn word(rest: &[u8]) -> usize {
    let length = rest.iter().take_while(|byte| is_word(**byte)).count();
    match rest.get(length) {
        Some(&quote @ (b'"' | b'\'')) if matches!(&rest[..length], b"L" | b"u" | b"U" | b"u8") => {
            length + quoted(&rest[length..], quote)
        }
        _ => length,
    }
}

fn number(rest: &[u8]) -> usize {
    let mut at = 0;
    while at < rest.len() {
        let is_sign = matches!(rest[at], b'+' | b'-') && at > 0 && matches!(rest[at - 1], b'e' | b'E' | b'p' | b'P');
        let is_hex = rest.starts_with(b"0x") || rest.starts_with(b"0X");
        let is_exponent = is_sign && (!is_hex || matches!(rest[at - 1], b'p' | b'P'));
        if !(is_word(rest[at]) || rest[at] == b'.' || is_exponent) {
            break;
        }
        at += 1;
    }
    at
}

fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// Tokens on one line, as text.
pub(crate) fn join(tokens: &[Token<'_>]) -> String {
    let mut out = String::new();
    for (index, token) in tokens.iter().enumerate() {
        let was_apart = index > 0 && tokens[index - 1].end() < token.start;
        if was_apart {
            out.push(' ');
        }
        out.push_str(token.text);
    }
    out
}

/// The positions of the partners of brackets: for an opening one the closing one, and the other way round.
pub(crate) fn partners(tokens: &[Token<'_>]) -> Vec<Option<usize>> {
    let mut partners = vec![None; tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => open.push(index),
            ")" | "]" | "}" => {
                if let Some(start) = open.pop() {
                    partners[start] = Some(index);
                    partners[index] = Some(start);
                }
            }
            _ => {}
        }
    }
    partners
}

/// Keywords with which a type begins.
const TYPE_WORDS: [&str; 30] = [
    "void",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "signed",
    "unsigned",
    "_Bool",
    "bool",
    "struct",
    "union",
    "enum",
    "const",
    "volatile",
    "static",
    "extern",
    "register",
    "auto",
    "typedef",
    "__typeof__",
    "typeof",
    "_Complex",
    "__int128",
    "__signed__",
    "__const",
    "inline",
    "__inline",
    "_Atomic",
];

/// Keywords that no operand ends with.
const BEFORE_OPERANDS: [&str; 8] = ["return", "case", "else", "do", "sizeof", "goto", "_Alignof", "__extension__"];

/// The names of types of a program.
#[derive(Debug)]
pub(crate) struct Types<'p> {
    names: BTreeSet<&'p str>,
}

impl<'p> Types<'p> {
    pub(crate) fn of(program: &'p Program) -> Types<'p> {
        let named = program.ctypes.types.values().filter_map(|ty| match ty {
            CType::Typedef { name, .. } => Some(name.as_str()),
            _ => None,
        });
        let units = program.sources.units.iter();
        let defined = units.flat_map(|(id, unit)| {
            let whole = Span { unit: id, start: 0, end: unit.text.len() as u32 };
            typedefs(&scan(&unit.text, whole))
        });
        Types { names: named.chain(defined).collect() }
    }

    /// Whether a type may begin with a token.
    pub(crate) fn begins(&self, token: &Token<'_>) -> bool {
        TYPE_WORDS.contains(&token.text) || self.names.contains(token.text)
    }

    /// Whether a declaration begins with some tokens: with a type, or with a name before another one.
    pub(crate) fn declares(&self, tokens: &[Token<'_>]) -> bool {
        let Some(first) = tokens.first() else { return false };
        let stars = tokens[1..].iter().take_while(|token| token.text == "*").count();
        let next = tokens.get(1 + stars).filter(|token| token.is_word());
        let after = tokens.get(2 + stars).map_or("", |token| token.text);
        let is_named = stars == 0 || matches!(after, "=" | ";" | "," | "[");
        self.begins(first) || first.is_word() && next.is_some() && is_named
    }

    /// Whether an operand ends at a token, so that an operator after it has two operands.
    pub(crate) fn ends_operand(&self, tokens: &[Token<'_>], partners: &[Option<usize>], at: usize) -> bool {
        let token = &tokens[at];
        match token.text {
            ")" => {
                // A cast ends no operand; `sizeof (int)` does.
                let Some(open) = partners[at] else { return true };
                let is_type = tokens.get(open + 1).is_some_and(|first| self.begins(first));
                !is_type || open > 0 && matches!(tokens[open - 1].text, "sizeof" | "_Alignof" | "__typeof__")
            }
            "]" | "}" => true,
            "++" | "--" => at > 0 && self.ends_operand(tokens, partners, at - 1),
            word if token.is_word() => !BEFORE_OPERANDS.contains(&word),
            _ => token.is_number() || token.is_quoted(),
        }
    }
}

/// The names that a text defines for types.
fn typedefs<'t>(tokens: &[Token<'t>]) -> Vec<&'t str> {
    let mut names = Vec::new();
    for at in (0..tokens.len()).filter(|at| tokens[*at].text == "typedef") {
        let (mut depth, mut end) = (0usize, at + 1);
        while end < tokens.len() && (depth > 0 || tokens[end].text != ";") {
            match tokens[end].text {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            end += 1;
        }
        for index in at + 1..end.min(tokens.len()) {
            let next = tokens.get(index + 1).map_or("", |next| next.text);
            // Of `typedef int (*name)(void)` it is what stands after the star.
            let is_pointer = tokens[index - 1].text == "*" && index > 1 && tokens[index - 2].text == "(" && next == ")";
            let is_last = matches!(next, ";" | "," | "[") && is_outside(&tokens[at..index]);
            if tokens[index].is_word() && (is_last || is_pointer || next == "(" && is_outside(&tokens[at..index])) {
                names.push(tokens[index].text);
            }
        }
    }
    names
}

/// Whether no bracket is open behind some tokens.
fn is_outside(tokens: &[Token<'_>]) -> bool {
    let opened = tokens.iter().filter(|token| matches!(token.text, "(" | "[" | "{")).count();
    opened == tokens.iter().filter(|token| matches!(token.text, ")" | "]" | "}")).count()
}

/// The strength of an operator with two operands, `?` and `,` included; the weakest is 0.
pub(crate) fn strength(operator: &str) -> Option<u8> {
    Some(match operator {
        "," => 0,
        "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" => 1,
        "?" | ":" => 2,
        "||" => 3,
        "&&" => 4,
        "|" => 5,
        "^" => 6,
        "&" => 7,
        "==" | "!=" => 8,
        "<" | "<=" | ">" | ">=" => 9,
        "<<" | ">>" => 10,
        "+" | "-" => 11,
        "*" | "/" | "%" => 12,
        _ => return None,
    })
}

/// The operators with two operands outside all brackets: positions and strengths.
pub(crate) fn outer_operators(tokens: &[Token<'_>], types: &Types<'_>) -> Vec<(usize, u8)> {
    let partners = partners(tokens);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        if let Some(partner) = partners[at].filter(|partner| *partner > at) {
            at = partner;
        } else if let Some(strength) = strength(tokens[at].text)
            && at > 0
            && types.ends_operand(tokens, &partners, at - 1)
        {
            found.push((at, strength));
        }
        at += 1;
    }
    found
}

/// The operator that an expression applies last, among those with two operands.
pub(crate) fn last_operator(tokens: &[Token<'_>], types: &Types<'_>) -> Option<usize> {
    let operators = outer_operators(tokens, types);
    let weakest = operators.iter().map(|(_, strength)| *strength).min()?;
    let mut weak = operators.into_iter().filter(|(_, strength)| *strength == weakest).map(|(at, _)| at);
    // Assignments are applied from the right, all others from the left.
    if weakest == 1 { weak.next() } else { weak.next_back() }
}

#[cfg(test)]
mod tests {
    use super::{Types, join, last_operator, scan};
    use clew_ir::{Program, Span, UnitId};

    fn check(text: &str, expect: Option<&str>) {
        let program = Program::new(clew_ir::Target::LP64);
        let span = Span { unit: UnitId::new(0), start: 0, end: text.len() as u32 };
        let tokens = scan(text, span);
        let at = last_operator(&tokens, &Types::of(&program));
        let found = at.map(|at| format!("{} {} {}", join(&tokens[..at]), tokens[at].text, join(&tokens[at + 1..])));
        assert_eq!(found.as_deref(), expect, "{text}");
    }

    #[test]
    fn the_operator_applied_last() {
        check("a - b - c", Some("a - b - c"));
        check("a+b*c", Some("a + b*c"));
        check("(int)-x", None);
        check("(a)-x", Some("(a) - x"));
        check("x = y = z", Some("x = y = z"));
        check("a - -b", Some("a - -b"));
        check("a & *p", Some("a & *p"));
        check("sizeof(int) * n", Some("sizeof(int) * n"));
        check("1e-3 - p->x", Some("1e-3 - p->x"));
        check("i++ + ++j", Some("i++ + ++j"));
        check("f(a + b)", None);
        check("'+' == c", Some("'+' == c"));
    }
}
