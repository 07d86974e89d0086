//! Contracts in comments of Java sources: `//@ requires x > 0;` and `//@ ensures \result >= \old(x);`.
//!
//! Their expressions are Java but for a few words, so `javac` reads them: in a copy of the source, a comment with clauses gives way
//! to methods, on the same line. One of them is the precondition, which inputs satisfy. The other calls the method and asserts
//! the postconditions, which `clew prove` proves.

use clew_frontend_jvm::{ENSURES, REQUIRES};
use std::path::{Path, PathBuf};

/// The words before a method that are no part of its type.
const MODIFIERS: [&str; 9] =
    ["public", "protected", "private", "static", "final", "abstract", "synchronized", "native", "strictfp"];

/// Writes a copy of a source with methods for its contracts into a folder; nothing if it has none.
///
/// # Errors
/// Which clause is not understood.
pub(super) fn instrumented(source: &Path, folder: &Path) -> Result<Option<PathBuf>, String> {
    let Ok(text) = std::fs::read_to_string(source) else { return Ok(None) };
    let explain =
        |(at, why): (usize, String)| format!("{}:{}: {why}", source.display(), text[..at].matches('\n').count() + 1);
    let Some(copy) = with_methods(&text).map_err(explain)? else { return Ok(None) };
    let failed = |error: std::io::Error| format!("cannot write into {}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    let path = folder.join(source.file_name().unwrap_or_default());
    std::fs::write(&path, copy).map_err(failed)?;
    Ok(Some(path))
}

/// A mistake: where, and what it is.
type Mistake = (usize, String);

/// The source with methods in the place of contracts.
fn with_methods(text: &str) -> Result<Option<String>, Mistake> {
    let (mut copy, mut done) = (String::new(), 0);
    let mut contract = Contract::default();
    for piece in pieces(text) {
        let Piece { start, end, kind } = piece;
        let inside = &text[start..end];
        match kind {
            Kind::Annotation => {
                let body = inside.trim_start_matches(['/', '*', '@']).trim_end_matches(['/', '*', '@']);
                contract.read(body, start)?;
                contract.place = Some((start, end)).filter(|_| contract.place.is_none()).or(contract.place);
            }
            Kind::Code if !contract.is_empty() && !inside.trim().is_empty() => {
                let (from, to) = contract.place.take().unwrap_or((start, start));
                let methods = std::mem::take(&mut contract).methods(&text[start..]).map_err(|why| (from, why))?;
                copy += &text[done..from];
                copy += &methods;
                // What the comment had of lines stays.
                copy.extend(std::iter::repeat_n('\n', text[from..to].matches('\n').count()));
                done = to;
            }
            Kind::Code | Kind::Comment => {}
        }
    }
    Ok((done > 0).then(|| copy + &text[done..]))
}

/// A part of a source.
struct Piece {
    start: usize,
    end: usize,
    kind: Kind,
}

#[derive(PartialEq)]
enum Kind {
    Code,
    Comment,
    /// A comment that begins with `@`.
    Annotation,
}

/// Comments, and the code between them.
fn pieces(text: &str) -> Vec<Piece> {
    let bytes = text.as_bytes();
    let (mut found, mut at, mut code) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        let rest = &text[at..];
        let length = match bytes[at] {
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            quote @ (b'"' | b'\'') => {
                at += quoted(&bytes[at..], quote);
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        };
        found.push(Piece { start: code, end: at, kind: Kind::Code });
        let is_annotation = rest.as_bytes().get(2) == Some(&b'@');
        let kind = if is_annotation { Kind::Annotation } else { Kind::Comment };
        found.push(Piece { start: at, end: at + length, kind });
        at += length;
        code = at;
    }
    found.push(Piece { start: code, end: text.len(), kind: Kind::Code });
    found
}

/// Bytes of a literal.
fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The clauses before a method, as Java.
#[derive(Default)]
struct Contract {
    requires: Vec<String>,
    ensures: Vec<String>,
    /// What `\old` holds.
    olds: Vec<String>,
    /// The first comment.
    place: Option<(usize, usize)>,
}

impl Contract {
    fn is_empty(&self) -> bool {
        self.requires.is_empty() && self.ensures.is_empty()
    }

    /// Reads the clauses of a comment. Other clauses say nothing here.
    fn read(&mut self, body: &str, at: usize) -> Result<(), Mistake> {
        for clause in body.split(';') {
            let clause = clause.replace("\n", " ");
            let clause = clause.trim().trim_start_matches(['@', '*']).trim();
            let (word, rest) = clause.split_once(char::is_whitespace).unwrap_or((clause, ""));
            let list = match word {
                "requires" | "pre" => &mut self.requires,
                "ensures" | "post" => &mut self.ensures,
                _ => continue,
            };
            list.push(expression(rest, &mut self.olds).map_err(|why| (at, why))?);
        }
        Ok(())
    }

    /// The methods that stand for the contract of the method that follows.
    fn methods(self, code: &str) -> Result<String, String> {
        let header = Header::read(code).ok_or("a contract stands before what is no method with a body")?;
        let Header { generics, returns, name, params, names, is_static } = &header;
        let (own, of) = (if *is_static { "static " } else { "" }, returns.as_ref().map_or("init", |_| name));
        let mut made = String::new();
        if !self.requires.is_empty() {
            let own = if returns.is_none() { "static " } else { own };
            let all = self.requires.iter().map(|clause| format!("({clause})")).collect::<Vec<_>>().join(" && ");
            made += &format!("private {own}{generics} boolean {REQUIRES}{of}({params}) {{ return {all}; }} ");
        }
        if self.ensures.is_empty() {
            return Ok(made);
        }
        let returns = returns.as_ref().ok_or("postconditions of constructors are not supported")?;
        let olds = self.olds.iter().enumerate();
        let olds: String = olds.map(|(number, old)| format!("var $old{number} = {old}; ")).collect();
        let result = if returns == "void" { String::new() } else { format!("{returns} $result = ") };
        let asserts: String = self.ensures.iter().map(|clause| format!("assert {clause}; ")).collect();
        let names = names.join(", ");
        made += &format!(
            "private {own}{generics} void {ENSURES}{of}({params}) throws Throwable {{ {olds}{result}{name}({names}); {asserts}}} "
        );
        Ok(made)
    }
}

/// An expression of a contract as Java.
fn expression(text: &str, olds: &mut Vec<String>) -> Result<String, String> {
    let (mut parts, mut rest) = (vec![String::new()], text.trim());
    while let Some(letter) = rest.chars().next() {
        let part = parts.last_mut().expect("there is always one");
        let mut length = letter.len_utf8();
        match letter {
            '"' | '\'' => {
                length = quoted(rest.as_bytes(), letter as u8);
                part.push_str(&rest[..length]);
            }
            '(' => {
                let inside = enclosed(rest).ok_or("a parenthesis is missing")?;
                length = inside.len() + 2;
                *part += &format!("({})", expression(inside, olds)?);
            }
            '\\' if rest.starts_with("\\result") => {
                length = "\\result".len();
                part.push_str("$result");
            }
            '\\' if rest.starts_with("\\old") => {
                let inside = rest["\\old".len()..].trim_start();
                let old = enclosed(inside).ok_or("`\\old` without parentheses")?;
                length = rest.len() - inside.len() + old.len() + 2;
                *part += &format!("$old{}", olds.len());
                olds.push(old.to_owned());
            }
            '\\' => {
                let word: String = rest[1..].chars().take_while(char::is_ascii_alphanumeric).collect();
                return Err(format!("`\\{word}` is not supported in contracts of Java"));
            }
            '<' if rest.starts_with("<==>") => {
                length = 4;
                part.push_str("==");
            }
            '=' if rest.starts_with("==>") => {
                length = 3;
                parts.push(String::new());
            }
            other => part.push(other),
        }
        rest = &rest[length..];
    }
    let last = parts.pop().unwrap_or_default();
    Ok(parts.into_iter().rev().fold(last, |then, when| format!("(!({}) || ({}))", when.trim(), then.trim())))
}

/// What stands in the parentheses with which a text begins.
fn enclosed(text: &str) -> Option<&str> {
    let mut depth = 0;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at += quoted(&bytes[at..], quote);
                continue;
            }
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (at > 0).then(|| &text[1..at]);
        }
        at += 1;
    }
    None
}

/// The head of a method.
struct Header {
    /// Its type parameters.
    generics: String,
    /// What it returns; nothing for a constructor.
    returns: Option<String>,
    name: String,
    /// Its parameters as they are declared, and their names.
    params: String,
    names: Vec<String>,
    is_static: bool,
}

impl Header {
    fn read(code: &str) -> Option<Header> {
        let mut rest = code.trim_start();
        while let Some(annotation) = rest.strip_prefix('@') {
            let name = annotation.find(|letter: char| !letter.is_alphanumeric() && letter != '.' && letter != '_')?;
            rest = annotation[name..].trim_start();
            if rest.starts_with('(') {
                rest = rest[enclosed(rest)?.len() + 2..].trim_start();
            }
        }
        let open = rest.find('(')?;
        let params = enclosed(&rest[open..])?;
        let behind = &rest[open + params.len() + 2..];
        let body = behind.find(['{', ';'])?;
        if rest[..open].contains([';', '{', '}', '=']) || !behind[body..].starts_with('{') {
            return None;
        }
        let mut words = rest[..open].trim();
        let mut is_static = false;
        while let Some((word, more)) = words.split_once(char::is_whitespace)
            && MODIFIERS.contains(&word)
        {
            is_static |= word == "static";
            words = more.trim_start();
        }
        let (generics, words) = match words.starts_with('<') {
            true => words.split_at(closing(words)?),
            false => ("", words),
        };
        let words = words.trim();
        let name = words.rsplit(|letter: char| letter.is_whitespace() || letter == '>' || letter == ']').next()?;
        let returns = words[..words.len() - name.len()].trim();
        Some(Header {
            generics: generics.to_owned(),
            returns: (!returns.is_empty()).then(|| returns.to_owned()),
            name: name.to_owned(),
            params: params.split_whitespace().collect::<Vec<_>>().join(" "),
            names: names(params),
            is_static,
        })
    }
}

/// Where the angle brackets end with which a text begins.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, letter)| {
        depth += i32::from(letter == '<') - i32::from(letter == '>');
        (depth == 0).then_some(at + 1)
    })
}

/// The names of parameters.
fn names(params: &str) -> Vec<String> {
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for letter in params.chars() {
        depth += i32::from(matches!(letter, '<' | '(')) - i32::from(matches!(letter, '>' | ')'));
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            other => parts.last_mut().expect("there is always one").push(other),
        }
    }
    let last = |part: &String| part.split_whitespace().last().map(|word| word.trim_start_matches("...").to_owned());
    parts.iter().filter_map(last).collect()
}

#[cfg(test)]
mod tests {
    use super::with_methods;

    #[test]
    fn clauses_become_methods_on_their_lines() {
        let text = "class A {\n  //@ requires x > 0 ==> y != 0;\n  //@ ensures \\result >= \\old(x);\n  static int f(int x, int y) { return x; }\n}\n";
        let copy = with_methods(text).expect("it is understood").expect("there are clauses");
        assert_eq!(copy.lines().count(), text.lines().count());
        assert!(
            copy.contains("static  boolean clew$requires$f(int x, int y) { return ((!(x > 0) || (y != 0))); }"),
            "{copy}"
        );
        assert!(copy.contains("var $old0 = x; int $result = f(x, y); assert $result >= $old0;"), "{copy}");
    }

    #[test]
    fn what_is_not_understood_has_a_place() {
        let text = "class A {\n  //@ ensures \\forall int i; true;\n  int f() { return 1; }\n}\n";
        let (at, why) = with_methods(text).expect_err("it is not supported");
        assert_eq!((text[..at].lines().count(), why.contains("forall")), (2, true));
    }
}
