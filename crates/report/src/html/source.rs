//! The source files of a report: short ones whole, of long ones the functions that matter.

use super::data::File;
use clew_frontend::Build;
use clew_ir::{FunctionId, Program, Span, UnitId};
use std::collections::BTreeSet;
use std::path::Path;

/// Lines up to which a file is shown whole.
const WHOLE: usize = 4_000;

/// The files seen so far.
pub(super) struct Sources<'a> {
    pub(super) program: &'a Program,
    builds: &'a [Option<Build>],
    files: Vec<Seen>,
}

/// A file that something stands in.
struct Seen {
    name: String,
    /// A unit that reads it.
    unit: UnitId,
    /// First and last lines of the functions to be shown.
    wanted: BTreeSet<(u32, u32)>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(program: &'a Program, builds: &'a [Option<Build>]) -> Sources<'a> {
        Sources { program, builds, files: Vec::new() }
    }

    /// File and line of a span.
    pub(super) fn place(&mut self, span: Span) -> Option<(usize, u32)> {
        let place = self.program.sources.locate(span)?;
        let known = self.files.iter().position(|seen| seen.name == place.file);
        let file = known.unwrap_or_else(|| {
            self.files.push(Seen { name: place.file, unit: span.unit, wanted: BTreeSet::new() });
            self.files.len() - 1
        });
        Some((file, place.line))
    }

    /// Sees to it that the page has the text of a function.
    pub(super) fn show(&mut self, function: FunctionId) {
        let span = self.program.functions[function].span;
        let last = Span { start: span.end.saturating_sub(1), ..span };
        if let (Some((file, first)), Some((same, last))) = (self.place(span), self.place(last))
            && file == same
        {
            self.files[file].wanted.insert((first, last));
        }
    }

    /// The files with their text.
    pub(super) fn files(self) -> Vec<File> {
        let text = |name: &str, unit: UnitId| {
            let build = self.builds.get(unit.index()).and_then(Option::as_ref);
            let directory = build.and_then(|build| build.directory.clone()).unwrap_or_default();
            let bytes = std::fs::read(directory.join(Path::new(name))).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let file = |seen: Seen| {
            let stretches = cut(&text(&seen.name, seen.unit), &seen.wanted);
            File { name: seen.name, stretches }
        };
        self.files.into_iter().map(file).collect()
    }
}

/// The lines of a text that are shown.
fn cut(text: &str, wanted: &BTreeSet<(u32, u32)>) -> Vec<(u32, Vec<String>)> {
    let lines: Vec<&str> = text.lines().collect();
    let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    if lines.len() <= WHOLE {
        return vec![(1, owned(&lines))];
    }
    let mut stretches: Vec<(u32, u32)> = Vec::new();
    for &(first, last) in wanted {
        match stretches.last_mut() {
            Some(before) if first <= before.1 + 1 => before.1 = before.1.max(last),
            _ => stretches.push((first, last)),
        }
    }
    let stretch = |&(first, last): &(u32, u32)| {
        let range = first.saturating_sub(1) as usize..(last as usize).min(lines.len());
        (first, lines.get(range).map_or_else(Vec::new, owned))
    };
    stretches.iter().map(stretch).collect()
}

#[cfg(test)]
mod tests {
    use super::cut;
    use std::collections::BTreeSet;

    #[test]
    fn short_files_are_shown_whole() {
        assert_eq!(cut("a\nb\n", &BTreeSet::from([(2, 2)])), [(1, vec!["a".to_owned(), "b".to_owned()])]);
    }

    #[test]
    fn of_long_files_the_functions_are_shown() {
        let text: String = (1..=5_000).map(|line| format!("{line}\n")).collect();
        let stretches = cut(&text, &BTreeSet::from([(10, 12), (13, 14), (4_999, 5_001)]));
        let expected = [(10, vec!["10", "11", "12", "13", "14"]), (4_999, vec!["4999", "5000"])];
        assert_eq!(stretches, expected.map(|(first, lines)| (first, lines.into_iter().map(str::to_owned).collect())));
    }
}
