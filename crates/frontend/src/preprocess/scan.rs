//! Reading preprocessed text: line markers, stray bytes, comments that hold contracts.
//!
//! One walk over the bytes tells code, literals, comments and line markers apart, which is all that is needed here; the
//! real lexer comes later. A text that is not UTF-8 is repaired without changing its meaning: a stray byte in a literal
//! becomes the octal escape of the same value, one in a comment a replacement character, and one in code is an error.

use crate::error::Error;
use clew_ir::{Location, Marker, Unit};
use std::collections::BTreeMap;
use std::path::Path;

/// A preprocessed unit and what was seen in passing.
pub(super) struct Scanned {
    pub(super) unit: Unit,
    /// For each marker, whether it leads into a system header.
    pub(super) system: Vec<bool>,
    /// Whether some comment opens like a contract.
    pub(super) has_annotations: bool,
    /// Line of the unit's file where a comment hides a directive.
    pub(super) hidden_directive: Option<u32>,
}

/// What a stretch of preprocessed text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Anything else.
    Code,
    /// A string or character constant.
    Literal,
    /// A comment with its marks.
    Comment,
    /// A `# 12 "file"` line.
    Marker,
    /// A `#` after a comment at the beginning of a line.
    HiddenDirective,
}

/// Reads the output of a preprocessor run in `base`.
pub(super) fn scan(path: &str, base: Option<&Path>, output: Vec<u8>) -> Result<Scanned, Error> {
    let text = match String::from_utf8(output) {
        Ok(text) => text,
        Err(error) => repair(path, error.as_bytes())?,
    };
    let mut scanned = Scanned {
        unit: Unit { path: path.to_owned(), ..Unit::default() },
        system: Vec::new(),
        has_annotations: false,
        hidden_directive: None,
    };
    let mut files = BTreeMap::new();
    let mut hidden = None;
    walk(text.as_bytes(), &mut |class, start, end| match class {
        Class::Marker => {
            scanned.system.push(is_system(&text[start..end]));
            add_marker(&mut scanned.unit, &mut files, base, &text[start..end], end);
        }
        Class::Comment => scanned.has_annotations |= is_annotation(&text[start..end]),
        Class::HiddenDirective => hidden = hidden.or(Some(start as u32)),
        Class::Code | Class::Literal => {}
    });
    scanned.unit.text = text;
    scanned.hidden_directive = hidden.map(|at| scanned.unit.locate(at).line);
    Ok(scanned)
}

/// Whether a comment opens like a contract.
pub(super) fn is_annotation(comment: &str) -> bool {
    comment.starts_with("/*@") || comment.starts_with("//@")
}

/// Calls `visit` for every stretch of text with its class and byte range, in order. Line ends belong to code.
pub(crate) fn walk(bytes: &[u8], visit: &mut dyn FnMut(Class, usize, usize)) {
    let mut at = 0;
    let mut code = 0;
    let (mut at_line_start, mut commented) = (true, false);
    while at < bytes.len() {
        let class = match bytes[at] {
            b'\n' => {
                (at_line_start, commented) = (true, false);
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                at += 1;
                continue;
            }
            b'"' | b'\'' => Class::Literal,
            b'/' if matches!(bytes.get(at + 1), Some(b'*' | b'/')) => Class::Comment,
            b'#' if at_line_start && commented => Class::HiddenDirective,
            b'#' if at_line_start && is_marker(&bytes[at..]) => Class::Marker,
            _ => {
                at_line_start = false;
                at += 1;
                continue;
            }
        };
        if code < at {
            visit(Class::Code, code, at);
        }
        let end = end_of(class, bytes, at);
        visit(class, at, end);
        commented |= class == Class::Comment;
        at_line_start &= class == Class::Comment;
        (at, code) = (end, end);
    }
    if code < bytes.len() {
        visit(Class::Code, code, bytes.len());
    }
}

/// Where the stretch that begins at `start` ends.
fn end_of(class: Class, bytes: &[u8], start: usize) -> usize {
    let find = |byte: u8| bytes[start..].iter().position(|&it| it == byte).map_or(bytes.len(), |at| start + at);
    match class {
        Class::Marker => find(b'\n'),
        Class::HiddenDirective | Class::Code => start + 1,
        Class::Comment if bytes[start + 1] == b'*' => {
            let body = bytes.get(start + 2..).unwrap_or_default();
            body.windows(2).position(|pair| pair == b"*/").map_or(bytes.len(), |at| start + at + 4)
        }
        Class::Comment => {
            let mut end = find(b'\n');
            while end < bytes.len() && bytes[end - 1] == b'\\' {
                end = bytes[end + 1..].iter().position(|&it| it == b'\n').map_or(bytes.len(), |at| end + 1 + at);
            }
            end
        }
        Class::Literal => {
            let mut at = start + 1;
            while at < bytes.len() && bytes[at] != bytes[start] && bytes[at] != b'\n' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            let closed = bytes.get(at) == Some(&bytes[start]);
            (at + usize::from(closed)).min(bytes.len())
        }
    }
}

/// `# 12 "file"` or `#line 12 "file"`.
fn is_marker(bytes: &[u8]) -> bool {
    let rest = bytes[1..].trim_ascii_start();
    let rest = rest.strip_prefix(b"line ").unwrap_or(rest);
    rest.trim_ascii_start().first().is_some_and(u8::is_ascii_digit)
}

/// Flag 3 after the file name says so.
fn is_system(marker: &str) -> bool {
    marker.rsplit('"').next().is_some_and(|flags| flags.split_whitespace().any(|flag| flag == "3"))
}

fn add_marker(unit: &mut Unit, files: &mut BTreeMap<String, u32>, base: Option<&Path>, line: &str, end: usize) {
    let rest = line[1..].trim_start();
    let rest = rest.strip_prefix("line ").unwrap_or(rest).trim_start();
    let digits = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().unwrap_or(1);
    let name = match rest[digits..].find('"') {
        Some(quote) => from_base(base, unquote(&rest[digits + quote + 1..])),
        None => unit.markers.last().map_or(unit.path.clone(), |last| unit.files[last.file as usize].clone()),
    };
    let next = files.len() as u32;
    let file = *files.entry(name).or_insert_with_key(|name| {
        unit.files.push(name.clone());
        next
    });
    unit.markers.push(Marker { start: end as u32 + 1, file, line: number });
}

/// A relative file name as seen from here; `<built-in>` and the like are no files.
fn from_base(base: Option<&Path>, name: String) -> String {
    match base {
        Some(base) if !name.starts_with('<') => base.join(name).display().to_string(),
        _ => name,
    }
}

/// A file name up to its closing quote, with escapes undone.
fn unquote(text: &str) -> String {
    let mut name = Vec::new();
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => break,
            b'\\' => {
                let mut value = None;
                while let Some(digit) = bytes.next_if(|byte| matches!(byte, b'0'..=b'7')) {
                    value = Some(value.unwrap_or(0u32) * 8 + u32::from(digit - b'0'));
                }
                match value {
                    Some(value) => name.push(value as u8),
                    None => name.extend(bytes.next()),
                }
            }
            _ => name.push(byte),
        }
    }
    String::from_utf8_lossy(&name).into_owned()
}

/// The same text as UTF-8.
fn repair(path: &str, bytes: &[u8]) -> Result<String, Error> {
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut stray = None;
    walk(bytes, &mut |class, start, end| {
        for chunk in bytes[start..end].utf8_chunks() {
            text.push_str(chunk.valid());
            match class {
                Class::Literal => text.extend(chunk.invalid().iter().map(|byte| format!("\\{byte:03o}"))),
                Class::Comment | Class::Marker if !chunk.invalid().is_empty() => text.push(char::REPLACEMENT_CHARACTER),
                _ if !chunk.invalid().is_empty() => stray = stray.or(Some(text.len())),
                _ => {}
            }
        }
    });
    match stray {
        None => Ok(text),
        Some(at) => {
            let unit = scan(path, None, text.into_bytes())?.unit;
            Err(Error::NotText(Location { column: 0, ..unit.locate(at as u32) }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::scan;

    #[test]
    fn markers_lead_back() {
        let text = "# 1 \"a b.c\"\nint x;\n# 7 \"dir/\\\"h\\351.h\" 1 3\nint y;\n\"# 9 \\\"z\\\"\"\n/*\n# 3 \"no\"\n*/int z;\n";
        let unit = scan("a b.c", None, text.into()).unwrap().unit;
        let locate = |what: &str| unit.locate(unit.text.find(what).unwrap() as u32);
        assert_eq!((locate("int x").file.as_str(), locate("int x").line), ("a b.c", 1));
        assert_eq!((locate("int y").file.as_str(), locate("int y").line), ("dir/\"h\u{fffd}.h", 7));
        assert_eq!(locate("int z").line, 11);
        assert_eq!(unit.markers.len(), 2);
    }

    #[test]
    fn stray_bytes() {
        let repaired = scan("a.c", None, b"char *s = \"caf\xe9\"; // \xe9\n".to_vec()).unwrap();
        assert_eq!(repaired.unit.text, "char *s = \"caf\\351\"; // \u{fffd}\n");
        let error = scan("a.c", None, b"# 5 \"b.c\"\nint x;\nint \xff\xfe;\n".to_vec()).err().unwrap();
        assert_eq!(error.to_string(), "b.c is not C text: line 6 holds a stray byte");
    }

    #[test]
    fn what_comments_hide() {
        assert!(scan("a.c", None, b"/*@ requires x; */".to_vec()).unwrap().has_annotations);
        assert!(!scan("a.c", None, b"\"/*@ requires x; */\" /* @goal */".to_vec()).unwrap().has_annotations);
        assert_eq!(scan("a.c", None, b"\n/* x */ #define Y\n".to_vec()).unwrap().hidden_directive, Some(2));
        assert_eq!(scan("a.c", None, b"\n/* x */ int y; \n".to_vec()).unwrap().hidden_directive, None);
    }
}
