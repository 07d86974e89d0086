//! What people write into generated test files.
//!
//! Lines between a comment `clew: keep` and a comment `clew: end` belong to whoever wrote them: they stay when the file is
//! generated again, behind the line they stood behind, in the same test or behind it. Where that test is gone they stand at the
//! end of the file, out of use. The last line of a test file holds a sum of the others: a file that was changed elsewhere,
//! too, is put aside before it is replaced.

use clew_session::hash::sha256;
use clew_session::output::{self, WriteError};
use std::path::{Path, PathBuf};

/// The comment in front of lines that stay.
const BEGIN: &str = "/* clew: keep */";
/// The comment behind them.
const END: &str = "/* clew: end */";
/// What the last line begins with.
const SUM: &str = "/* clew: sum ";
/// Digits of a sum.
const DIGITS: usize = 12;

/// Writes a test file with the lines that stay of the one it replaces; gives where that is put aside if it was changed
/// elsewhere, too.
///
/// # Errors
/// When a file is not ours or the system refuses.
pub(crate) fn write(path: &Path, text: &str) -> Result<Option<PathBuf>, WriteError> {
    output::may_write(path)?;
    let old = std::fs::read_to_string(path).unwrap_or_default();
    let (regions, rest) = taken_apart(&old);
    let mut aside = None;
    if rest.last().is_some_and(|line| line.starts_with(SUM) && *line != sum(&rest[..rest.len() - 1])) {
        let mut name = path.as_os_str().to_owned();
        name.push(".edited");
        let place = PathBuf::from(name);
        output::write(&place, &old)?;
        aside = Some(place);
    }
    let mut lines: Vec<&str> = text.lines().collect();
    let sum = sum(&lines);
    let gone = put_back(&regions, &mut lines);
    let mut whole = lines.join("\n") + "\n";
    gone.into_iter().for_each(|region| whole += &region.out_of_use());
    output::write(path, whole + &sum + "\n")?;
    Ok(aside)
}

/// Whether a test file is as it was written, without lines of anybody else.
pub(crate) fn is_as_written(text: &str) -> bool {
    let (regions, rest) = taken_apart(text);
    let is_whole = rest.split_last().is_none_or(|(last, rest)| !last.starts_with(SUM) || *last == sum(rest));
    regions.is_empty() && is_whole
}

/// Lines that stay.
#[derive(Debug, PartialEq, Eq)]
struct Region<'t> {
    /// The first line of the function that they stand in or behind; empty in front of all functions.
    block: &'t str,
    /// Whether they stand in it.
    is_inside: bool,
    /// The line before them.
    after: &'t str,
    /// The lines, the comments around them included.
    lines: Vec<&'t str>,
}

impl Region<'_> {
    /// The region where its place is gone: the compiler skips it, and the next time it stays as it is then.
    fn out_of_use(&self) -> String {
        let inner: Vec<&str> = self.lines.iter().copied().filter(|line| ![BEGIN, END].contains(&line.trim())).collect();
        let block = self.block.replace("*/", "* /").replace("/*", "/ *");
        format!("{BEGIN}\n#if 0 /* It stood in: {block} */\n{}\n#endif\n{END}\n", inner.join("\n"))
    }
}

/// The lines of a file that stay, and the others.
fn taken_apart(text: &str) -> (Vec<Region<'_>>, Vec<&str>) {
    let (mut regions, mut rest) = (Vec::new(), Vec::new());
    let (mut block, mut is_inside) = ("", false);
    let mut open: Option<Region<'_>> = None;
    for line in text.lines() {
        if let Some(region) = &mut open {
            region.lines.push(line);
            if line.trim() == END {
                regions.extend(open.take());
            }
            continue;
        }
        if line.trim() == BEGIN {
            let after = rest.last().copied().unwrap_or_default();
            open = Some(Region { block, is_inside, after, lines: vec![line] });
            continue;
        }
        match line {
            "{" => (block, is_inside) = (rest.last().copied().unwrap_or_default(), true),
            "}" => is_inside = false,
            _ => {}
        }
        rest.push(line);
    }
    regions.extend(open);
    (regions, rest)
}

/// Puts regions where they stood; gives those whose place is gone.
fn put_back<'r, 't>(regions: &'r [Region<'t>], lines: &mut Vec<&'t str>) -> Vec<&'r Region<'t>> {
    let mut gone = Vec::new();
    // The last one first, so that those behind the same line keep their order.
    for region in regions.iter().rev() {
        match place(region, lines) {
            Some(at) => drop(lines.splice(at..at, region.lines.iter().copied())),
            None => gone.insert(0, region),
        }
    }
    gone
}

/// Where a region belongs.
fn place(region: &Region<'_>, lines: &[&str]) -> Option<usize> {
    let Region { block, is_inside, after, .. } = *region;
    if block.is_empty() {
        let first = lines.iter().position(|line| *line == "{").map_or(lines.len(), |at| at.saturating_sub(1));
        return Some(lines[..first].iter().position(|line| *line == after).map_or(first, |at| at + 1));
    }
    let start = lines.iter().zip(lines.iter().skip(1)).position(|(line, next)| *line == block && *next == "{")?;
    let end = start + lines[start..].iter().position(|line| *line == "}")?;
    if !is_inside {
        // `END_TEST` belongs to the function before it.
        return Some(end + 1 + usize::from(lines.get(end + 1) == Some(&"END_TEST")));
    }
    Some(lines[start..end].iter().position(|line| *line == after).map_or(end, |at| start + at + 1))
}

/// The last line of a file of these lines. Where the source lies does not count: a suite that is moved is changed there.
fn sum(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().copied().filter(|line| !line.starts_with("#include \"")).collect();
    format!("{SUM}{} */", &sha256(lines.join("\n").as_bytes())[..DIGITS])
}

#[cfg(test)]
mod tests {
    use super::{put_back, taken_apart};

    const OLD: &str = "head\n/* clew: keep */\n#define MINE 1\n/* clew: end */\n\nstatic void test_a(void)\n{\n    int x = 1;\n    \
        /* clew: keep */\n    x = MINE;\n    /* clew: end */\n    f(x);\n}\n\nstatic void test_b(void)\n{\n    g();\n    /* clew: keep */\n    \
        h();\n    /* clew: end */\n}\n";

    #[test]
    fn regions_stay_behind_the_line_they_stood_behind() {
        let (regions, rest) = taken_apart(OLD);
        assert_eq!(regions.len(), 3);
        let mut same = rest.clone();
        assert!(put_back(&regions, &mut same).is_empty());
        assert_eq!(same.join("\n") + "\n", OLD);
    }

    #[test]
    fn regions_of_other_text() {
        let (regions, _) = taken_apart(OLD);
        // Another line stands before the first test, its first line has changed, and the second test is gone.
        let mut new: Vec<&str> = "head\nmore\n\nstatic void test_a(void)\n{\n    f(2);\n}\n".lines().collect();
        let gone = put_back(&regions, &mut new);
        assert_eq!(gone.len(), 1);
        assert_eq!(gone[0].block, "static void test_b(void)");
        let text = new.join("\n");
        assert!(text.starts_with("head\n/* clew: keep */\n#define MINE 1\n/* clew: end */\nmore\n"), "{text}");
        assert!(text.ends_with("    f(2);\n    /* clew: keep */\n    x = MINE;\n    /* clew: end */\n}"), "{text}");
    }
}
