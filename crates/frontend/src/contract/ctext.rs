//! What a contract needs to know of the C text around it, without the parser: which function it precedes, and which
//! braces are open.
//!
//! The text is preprocessed, so there are no macros; a declaration is recognised by its shape.

/// A word of C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word<'a> {
    Name(&'a str),
    Punct(u8),
}

/// The function declarator that follows a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declarator {
    /// The function's name.
    pub(super) name: String,
    /// Names of its parameters, empty where they have none.
    pub(super) params: Vec<String>,
}

/// Words that are no names, and take brackets after them that are no parameters.
const SKIPPED: &[&str] = &[
    "__attribute__",
    "__attribute",
    "__asm__",
    "__asm",
    "asm",
    "_Alignas",
    "alignas",
    "__declspec",
    "__typeof__",
    "typeof",
    "__typeof",
    "_Atomic",
    "_BitInt",
];

/// Words that cannot be names of functions or parameters.
const KEYWORDS: &[&str] = &[
    "auto",
    "char",
    "const",
    "double",
    "enum",
    "extern",
    "float",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "short",
    "signed",
    "static",
    "struct",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "_Bool",
    "_Noreturn",
    "__inline",
    "__inline__",
    "__restrict",
    "__restrict__",
    "__extension__",
    "__const",
    "__volatile__",
    "bool",
    "__signed__",
    "_Thread_local",
    "noreturn",
    "_Complex",
    "__int128",
];

/// The function declared or defined next after an offset, if the next thing there is one.
pub(super) fn declarator_after(text: &str, offset: u32) -> Option<Declarator> {
    let mut words = Words { text, position: offset as usize };
    let mut last = None;
    while let Some(word) = words.next() {
        match word {
            Word::Name(name) if SKIPPED.contains(&name) => words.skip_brackets(),
            Word::Name(name) => last = Some(name),
            Word::Punct(b'(') => match last.take().filter(|name| !KEYWORDS.contains(name)) {
                Some(name) => return Some(Declarator { name: name.to_owned(), params: params(&mut words) }),
                None => continue,
            },
            Word::Punct(b'*' | b'[' | b']' | b')') => last = None,
            Word::Punct(_) => return None,
        }
    }
    None
}

/// The names of the parameters up to the closing bracket.
fn params(words: &mut Words<'_>) -> Vec<String> {
    let mut params = Vec::new();
    let (mut depth, mut brackets) = (1, 0);
    // The name of `int (*f)(int x)` is the one behind the inner star, of others the last.
    let (mut last, mut inner, mut seen_any) = ("", "", false);
    while let Some(word) = words.next() {
        match word {
            Word::Punct(b'(') => depth += 1,
            Word::Punct(b')') => depth -= 1,
            Word::Punct(b'[') => brackets += 1,
            Word::Punct(b']') => brackets -= 1,
            Word::Punct(b',') if depth == 1 => {
                params.push(if inner.is_empty() { last } else { inner }.to_owned());
                (last, inner) = ("", "");
            }
            Word::Name(name) if SKIPPED.contains(&name) => words.skip_brackets(),
            Word::Name(name) if KEYWORDS.contains(&name) => seen_any |= name != "void",
            Word::Name(name) if depth == 1 && brackets == 0 => (last, seen_any) = (name, true),
            Word::Name(name) if depth == 2 && brackets == 0 && inner.is_empty() => inner = name,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    if seen_any || !params.is_empty() {
        params.push(if inner.is_empty() { last } else { inner }.to_owned());
    }
    params
}

/// Whether a block that was open at `declared` is still open at `used`.
pub(super) fn same_block(text: &str, declared: u32, used: u32) -> bool {
    let Some(between) = text.get(..used as usize) else { return false };
    let mut depth = 0;
    let mut words = Words { text: between, position: declared as usize };
    while let Some(word) = words.next() {
        match word {
            Word::Punct(b'{') => depth += 1,
            Word::Punct(b'}') => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    true
}

/// Reads words one after the other; comments, literals and line markers are skipped.
pub(super) struct Words<'a> {
    pub(super) text: &'a str,
    pub(super) position: usize,
}

impl<'a> Words<'a> {
    pub(super) fn next(&mut self) -> Option<Word<'a>> {
        loop {
            let rest = self.text.get(self.position..)?;
            let first = *rest.as_bytes().first()?;
            let at_line_start = self.position == 0 || self.text.as_bytes()[self.position - 1] == b'\n';
            let skipped = match first {
                _ if first.is_ascii_whitespace() => 1,
                b'#' if at_line_start => rest.find('\n').unwrap_or(rest.len()),
                b'/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
                b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                b'"' | b'\'' => literal_length(rest),
                _ => 0,
            };
            if skipped == 0 {
                return Some(self.word(rest, first));
            }
            self.position += skipped;
        }
    }

    fn word(&mut self, rest: &'a str, first: u8) -> Word<'a> {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii();
        if !is_part(first) {
            self.position += 1;
            return Word::Punct(first);
        }
        let length = rest.bytes().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        self.position += length;
        Word::Name(&rest[..length])
    }

    /// Skips `( ... )` if it comes next.
    pub(super) fn skip_brackets(&mut self) {
        let start = self.position;
        if self.next() != Some(Word::Punct(b'(')) {
            self.position = start;
            return;
        }
        let mut depth = 1;
        while depth > 0 {
            match self.next() {
                Some(Word::Punct(b'(')) => depth += 1,
                Some(Word::Punct(b')')) => depth -= 1,
                Some(_) => {}
                None => return,
            }
        }
    }
}

fn literal_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != bytes[0] && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    let end = (at + 1).min(bytes.len());
    (end..=bytes.len()).find(|at| rest.is_char_boundary(*at)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::{declarator_after, same_block};

    fn check(text: &str, expect: &str) {
        let found = declarator_after(text, 0).map(|it| format!("{}({})", it.name, it.params.join(",")));
        assert_eq!(found.unwrap_or_else(|| "none".to_owned()), expect, "{text}");
    }

    #[test]
    fn declarators() {
        check("\n# 3 \"x.c\"\nstatic inline int f(int a, const char *b, int c[3]);", "f(a,b,c)");
        check("/* c */ void g(void) {", "g()");
        check("struct s *h(struct s *p, int (*call)(int x, int y), ...) {", "h(p,call,)");
        check("__attribute__((noinline)) int k(int);", "k()");
        check("int old(a, b) int a; int b; {", "old(a,b)");
        check("int x;", "none");
        check("int x = f(3);", "none");
        check("struct s { int x; };", "none");
        check("", "none");
    }

    #[test]
    fn blocks() {
        let text = "{ int a; { int b; '}'; /* } */ HERE } { THERE } }";
        let at = |needle: &str| text.find(needle).unwrap() as u32;
        assert!(same_block(text, at("b;"), at("HERE")));
        assert!(!same_block(text, at("b;"), at("THERE")));
        assert!(same_block(text, at("a;"), at("THERE")));
    }
}
