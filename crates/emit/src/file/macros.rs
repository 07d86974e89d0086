//! Macros of the source that would take the place of what tests name.
//!
//! Tests stand behind the source and name what the compiler sees, structures, members, variables and functions, and what they
//! and the framework declare themselves. Where a file of the source defines a macro of such a name, it ends before the
//! tests begin. Macros are looked for in the text of the files, whether or not they are in force: ending one that is not
//! does nothing. Those of the system stay.

use super::File;
use clew_ir::Macros;
use std::collections::BTreeSet;
use std::path::Path;

/// What tests mean as the headers define it, which do so once.
const KEPT: [&str; 9] = ["NULL", "bool", "errno", "false", "offsetof", "stderr", "stdin", "stdout", "true"];

/// The macros to be ended before a text that names things of the program, and things of its own.
pub(super) fn hiding(file: &File<'_>, text: &str) -> BTreeSet<String> {
    let called: Vec<String> = file.subjects.iter().map(|subject| file.called(subject.function)).collect();
    let text = without_comments(text);
    let is_own = |name: &&str| !KEPT.contains(name);
    let named: BTreeSet<&str> = identifiers(&text).filter(is_own).chain(called.iter().map(String::as_str)).collect();
    let mut hiding = of_source(file, &named);
    hiding.extend(super::collisions::ended(file));
    hiding
}

/// A text of C without its comments: what these quote is not meant.
fn without_comments(text: &str) -> String {
    let mut parts = text.split("/* ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push(' ');
        out.push_str(part.split_once(" */").map_or("", |(_, rest)| rest));
    }
    out
}

/// Whether a text that looks at `errno` would look at something else.
pub(super) fn hides_errno(file: &File<'_>, body: &str) -> bool {
    identifiers(body).any(|name| name == "errno") && !of_source(file, &BTreeSet::from(["errno"])).is_empty()
}

/// Whether a file of the source defines or ends a macro of a name.
pub(super) fn is_changed(file: &File<'_>, name: &str) -> bool {
    of_files(file).is_some_and(|macros| macros.defined.contains(name) || macros.ended.contains(name))
}

/// The attributes of functions of the source that would run when a test program ends, in a state that tests have left.
pub(super) fn names_of_destructors(file: &File<'_>) -> Vec<&'static str> {
    let units = &file.suite.program.sources.units;
    let is_used = |name: &&str| units.values().any(|unit| unit.text.contains(&format!("(({name}))")));
    ["destructor", "__destructor__"].into_iter().filter(is_used).collect()
}

/// Those of some names for which a file of the source defines a macro.
pub(super) fn of_source(file: &File<'_>, named: &BTreeSet<&str>) -> BTreeSet<String> {
    let Some(macros) = of_files(file) else { return BTreeSet::new() };
    named.iter().filter(|name| macros.defined.contains(**name)).map(|&name| name.to_owned()).collect()
}

/// What the files of the source say of macros.
fn of_files<'f>(file: &File<'f>) -> Option<&'f Macros> {
    let unit = file.suite.program.sources.units.get(file.suite.unit)?;
    let is_own = |file: &&String| !is_of_system(file);
    Some(unit.macros.get(|| {
        let mut macros = Macros::default();
        for text in unit.files.iter().filter(is_own).filter_map(|file| std::fs::read(file).ok()) {
            let text = String::from_utf8_lossy(&text);
            for line in text.lines().filter(|line| line.trim_start().starts_with('#')) {
                macros.defined.extend(defined(line).map(str::to_owned));
                macros.ended.extend(ended(line).map(str::to_owned));
            }
        }
        macros
    }))
}

/// Whether a file is one of the system's headers.
pub(super) fn is_of_system(file: &str) -> bool {
    ["/usr/include", "/usr/lib", "/usr/local/include"].iter().any(|folder| Path::new(file).starts_with(folder))
}

/// The macro that a line defines.
fn defined(line: &str) -> Option<&str> {
    named(line, "define")
}

/// The macro that a line ends.
fn ended(line: &str) -> Option<&str> {
    named(line, "undef")
}

/// The macro that a line names in a directive.
fn named<'a>(line: &'a str, directive: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix(directive)?;
    let name = rest.starts_with(char::is_whitespace).then(|| rest.trim_start())?;
    let end = name.find(|c: char| !is_word(c)).unwrap_or(name.len());
    Some(&name[..end])
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|word| !word.is_empty())
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::{defined, ended};

    #[test]
    fn lines_that_define_macros() {
        assert_eq!(defined("#define encoding (parser->m_encoding)"), Some("encoding"));
        assert_eq!(defined("  # define min(a, b) a"), Some("min"));
        assert_eq!(defined("#defined x"), None);
        assert_eq!(defined("int define;"), None);
        assert_eq!(ended("# undef malloc"), Some("malloc"));
    }
}
