//! From preprocessed text back to what the user wrote, macros by their names.
//!
//! Both texts are cut into tokens. A written name that does not occur in the preprocessed lines is a macro, with the
//! parentheses behind it if there are any; what it stands for is as many tokens as make the rest fit. The shortest and
//! the longest way to fit have to agree on a stretch: otherwise nothing is said.

use super::{Span, Unit};
use crate::lazy::Lazy;
use std::collections::BTreeSet;
use std::ops::Range;

/// Lines after those of a span that the call of a macro may go on to.
const MOST_FURTHER: u32 = 4;
/// The most tokens that are compared.
const MOST_TOKENS: usize = 400;

/// What is never a macro.
const KEYWORDS: [&str; 10] = ["if", "while", "for", "switch", "return", "else", "do", "case", "sizeof", "goto"];

/// A token's place in its text.
type Token = Range<usize>;

/// Some written tokens, the preprocessed ones they stand for, and whether these are a macro's.
#[derive(Clone, Debug)]
struct Pair {
    written: Range<usize>,
    read: Range<usize>,
    is_macro: bool,
}

/// The stretch of `written` that stands for a stretch of `read`, the same lines after preprocessing.
pub fn stretch(read: &str, range: &Range<usize>, written: &str) -> Option<Range<usize>> {
    let (theirs, ours) = (tokens(read), tokens(written));
    if theirs.len() > MOST_TOKENS || ours.len() > MOST_TOKENS {
        return None;
    }
    let first = theirs.partition_point(|token| token.end <= range.start);
    let last = theirs.partition_point(|token| token.start < range.end);
    let fit = Fit { read, written, theirs: &theirs, ours: &ours };
    let of = |is_long| fit.stretch(&fit.pairs(is_long)?, first..last);
    of(false).filter(|short| of(true).as_ref() == Some(short))
}

/// What the user wrote for a span of a unit, on one line; its text where that cannot be told.
pub(super) fn on_one_line(unit: &Unit, span: Span, text: &str) -> String {
    let written = of_unit(unit, span.start, span.end);
    let lines = written.as_deref().unwrap_or(text).lines().filter(|line| !is_marker(line));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// What the user wrote for a byte range of a unit; `None` where that cannot be told.
fn of_unit(unit: &Unit, start: u32, end: u32) -> Option<String> {
    let (from, to) = (unit.locate(start), unit.locate(end.max(start + 1) - 1));
    let file = unit.files.iter().position(|name| *name == from.file).filter(|_| from.file == to.file)?;
    let originals = unit.originals.get(|| unit.files.iter().map(|_| Lazy::default()).collect());
    let original = originals.get(file)?.get(|| lines(&unit.files[file])).as_ref()?;
    let line_start = lines_start(unit, start as usize, from.line);
    (0..=MOST_FURTHER).find_map(|further| {
        let read = unit.text.get(line_start..lines_end(unit, end as usize, to.line + further))?;
        let last = (to.line + further).min(original.len() as u32) as usize;
        let written = original.get(from.line.checked_sub(1)? as usize..last)?.join("\n");
        let range = start as usize - line_start..end as usize - line_start;
        stretch(read, &range, &written).map(|range| written[range].to_owned())
    })
}

/// The lines of a file, if it can be read.
fn lines(name: &str) -> Option<Vec<String>> {
    let bytes = std::fs::read(name).ok()?;
    Some(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
}

/// The beginning of the first preprocessed line that belongs to a line; some of its macros may stand on lines of their own.
fn lines_start(unit: &Unit, offset: usize, line: u32) -> usize {
    let start_of = |offset: usize| unit.text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let mut first = start_of(offset);
    let mut at = first;
    while at > 0 {
        at = start_of(at - 1);
        match is_marker(&unit.text[at..]) {
            true => {}
            false if unit.locate(at as u32).line == line => first = at,
            false => break,
        }
    }
    first
}

/// The end of the last preprocessed line, from the one at an offset on, that belongs to a line or one before it.
fn lines_end(unit: &Unit, offset: usize, line: u32) -> usize {
    let end_of = |from: usize| unit.text[from..].find('\n').map_or(unit.text.len(), |at| from + at);
    let mut last = end_of(offset);
    let mut at = last;
    while at + 1 < unit.text.len() {
        let start = at + 1;
        at = end_of(start);
        match is_marker(&unit.text[start..]) {
            true => {}
            false if unit.locate(start as u32).line <= line => last = at,
            false => break,
        }
    }
    last
}

/// Whether a text begins with a line that says where the following stands.
fn is_marker(text: &str) -> bool {
    text.strip_prefix("# ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// The tokens of a text without blanks, comments, line markers and the ends of lines that go on.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &text[at..];
        let end = match bytes[at] {
            b'#' if text[..at].ends_with('\n') || at == 0 => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                continue;
            }
            b'/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b'\\' => at,
            byte if byte.is_ascii_whitespace() => at,
            quote @ (b'"' | b'\'') => at + quoted(&bytes[at..], quote),
            byte if is_word(byte) => at + bytes[at..].iter().take_while(|byte| is_word(**byte)).count(),
            _ => at + rest.chars().next().map_or(1, char::len_utf8),
        };
        if end > at {
            found.push(at..end);
        }
        at = end.max(at + 1);
    }
    found
}

/// The length of a literal.
fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Two texts being fitted to each other.
struct Fit<'a> {
    read: &'a str,
    written: &'a str,
    theirs: &'a [Token],
    ours: &'a [Token],
}

impl Fit<'_> {
    /// How the written tokens stand for those read, macros for as few of these as possible, or for as many.
    fn pairs(&self, is_long: bool) -> Option<Vec<Pair>> {
        let read = self.theirs.iter().map(|token| &self.read[token.clone()]);
        let known: BTreeSet<&str> = read.chain(KEYWORDS).collect();
        let mut pairs = Vec::new();
        let mut dead = BTreeSet::new();
        self.fit(&known, is_long, 0, 0, &mut pairs, &mut dead).then_some(pairs)
    }

    /// Fits what comes after some tokens of both; `dead` has the beginnings that did not work.
    fn fit(
        &self,
        known: &BTreeSet<&str>,
        is_long: bool,
        mut ours: usize,
        mut theirs: usize,
        pairs: &mut Vec<Pair>,
        dead: &mut BTreeSet<(usize, usize)>,
    ) -> bool {
        let (begin, kept) = ((ours, theirs), pairs.len());
        if dead.contains(&begin) {
            return false;
        }
        while ours < self.ours.len() {
            let word = &self.written[self.ours[ours].clone()];
            if self.theirs.get(theirs).is_some_and(|token| &self.read[token.clone()] == word) {
                pairs.push(Pair { written: ours..ours + 1, read: theirs..theirs + 1, is_macro: false });
                (ours, theirs) = (ours + 1, theirs + 1);
                continue;
            }
            let may_be_macro = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !known.contains(word);
            let Some(end) = self.call_end(ours).filter(|_| may_be_macro) else { break };
            let mut ends: Vec<usize> = (theirs..=self.theirs.len()).collect();
            if is_long {
                ends.reverse();
            }
            let is_fitted = ends.into_iter().any(|until| {
                let before = pairs.len();
                pairs.push(Pair { written: ours..end, read: theirs..until, is_macro: true });
                let fits = self.fit(known, is_long, end, until, pairs, dead);
                if !fits {
                    pairs.truncate(before);
                }
                fits
            });
            if is_fitted {
                return true;
            }
            break;
        }
        let fits = ours == self.ours.len() && theirs == self.theirs.len();
        if !fits {
            pairs.truncate(kept);
            dead.insert(begin);
        }
        fits
    }

    /// Where the use of a macro ends: after its name, or after the parentheses behind it; `None` if these stay open.
    fn call_end(&self, name: usize) -> Option<usize> {
        let text = |index: usize| &self.written[self.ours[index].clone()];
        if name + 1 >= self.ours.len() || text(name + 1) != "(" {
            return Some(name + 1);
        }
        let mut depth = 0;
        for index in name + 1..self.ours.len() {
            match text(index) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(index + 1);
            }
        }
        None
    }

    /// The written bytes for some of the tokens read. Parentheses around the whole of a macro are the macro's.
    fn stretch(&self, pairs: &[Pair], range: Range<usize>) -> Option<Range<usize>> {
        let is =
            |range: Range<usize>, sign: &str| range.into_iter().all(|at| &self.read[self.theirs[at].clone()] == sign);
        let within = pairs.iter().find(|pair| pair.read.start <= range.start && range.end <= pair.read.end);
        let (first, last) = match within.filter(|pair| pair.is_macro) {
            Some(pair) if is(pair.read.start..range.start, "(") && is(range.end..pair.read.end, ")") => (pair, pair),
            Some(_) => return None,
            None => {
                let is_there = |pair: &&Pair| !pair.read.is_empty();
                let first = pairs.iter().find(|pair| is_there(pair) && pair.read.start == range.start)?;
                (first, pairs.iter().find(|pair| is_there(pair) && pair.read.end == range.end)?)
            }
        };
        let found = self.ours[first.written.start].start..self.ours[last.written.end - 1].end;
        let count = |bracket: char| self.written[found.clone()].matches(bracket).count();
        (!range.is_empty() && count('(') == count(')')).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::{of_unit, stretch};
    use crate::{Marker, Unit};

    fn check(read: &str, marked: &str, written: &str, expect: Option<&str>) {
        let at = read.find(marked).unwrap();
        let found = stretch(read, &(at..at + marked.len()), written).map(|range| &written[range]);
        assert_eq!(found, expect, "{marked:?} of {read:?} in {written:?}");
    }

    #[test]
    fn macros_go_by_their_names() {
        check("if (s & 0x01u)", "s & 0x01u", "if (s & ERR)", Some("s & ERR"));
        check("if (p == ((void *)0) || q)", "p == ((void *)0)", "if (p == NULL || q)", Some("p == NULL"));
        check("if (((x) < 0)) y = 1;", "(x) < 0", "if (NEGATIVE(x)) y = 1;", Some("NEGATIVE(x)"));
        check("a = (1) + a + (2);", "(1) + a", "a = M + a + N;", Some("M + a"));
        check("if ((u)->r & 8) z", "(u)->r & 8", "\tif (U->r\n\t& /* bit */ R) z", Some("U->r\n\t& /* bit */ R"));
    }

    #[test]
    fn macros_of_other_files_stand_on_lines_of_their_own() {
        let path = std::env::temp_dir().join(format!("clew-written-{}.c", std::process::id()));
        std::fs::write(&path, "int f(int *p)\n{\n    if (isdigit(*p) && p != NULL)\n        return 1;\n}\n").unwrap();
        let name = path.display().to_string();
        let text = format!(
            "int f(int *p)\n{{\n    if (\n# 3 \"{name}\" 3 4\n       ((*p) > 0) \n# 3 \"{name}\"\n          && p != \n\
            # 3 \"{name}\" 3 4\n ((void *)0)\n# 3 \"{name}\"\n )\n        return 1;\n}}\n"
        );
        let marker = |after: &str| Marker { start: (text.find(after).unwrap()) as u32, file: 0, line: 3 };
        let markers = ["       ((*p)", "          && p", " ((void", " )\n  "].map(marker);
        let first = Marker { start: 0, file: 0, line: 1 };
        let markers = std::iter::once(first).chain(markers).collect();
        let unit = Unit { path: name.clone(), text: text.clone(), files: vec![name], markers, ..Unit::default() };
        let written = |from: &str, to: &str| {
            let start = text.find(from).unwrap();
            let end = start + text[start..].find(to).unwrap() + to.len();
            of_unit(&unit, start as u32, end as u32)
        };
        assert_eq!(written("(*p) > 0", "0").as_deref(), Some("isdigit(*p)"));
        assert_eq!(written("p != ", "0)").as_deref(), Some("p != NULL"));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn parts_of_macros_have_no_name() {
        check("if (((a) && (b)))", "a", "if (BOTH(a, b))", None);
        check("if (((a) && (b)))", "(a) && (b)", "if (BOTH(a, b))", Some("BOTH(a, b)"));
        check("x = f(1, 2) + 3;", "1", "x = CALL + 3;", None);
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_left_alone() {
        check("x = 1 + 2 + 3;", "1 + 2", "x = A + B;", None);
        check("y = 1;", "1", "z + x = 1;", None);
    }

    #[test]
    fn calls_of_macros_may_be_open() {
        check("if (((a) < (b)))", "(a) < (b)", "if (LESS(a,", None);
        check("if (((a) < (b)))\n\n", "(a) < (b)", "if (LESS(a,\n b))", Some("LESS(a,\n b)"));
    }
}
