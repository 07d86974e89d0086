//! Java sources: where the lines of a class file stand.
//!
//! Spans of the program are whole lines. Where the source is not found, empty lines stand for it, so that places still have
//! a file and a line.

use clew_ir::{Marker, Program, Span, Unit, UnitId};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Lines of a source that is not found.
const MOST_LINES: usize = 65_536;

/// The source files of the program.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// Folders in which packages are looked for.
    roots: Vec<PathBuf>,
    units: BTreeMap<String, (UnitId, Vec<u32>)>,
}

impl Sources {
    /// Sources below some folders.
    pub(crate) fn new(roots: Vec<PathBuf>) -> Sources {
        Sources { roots, units: BTreeMap::new() }
    }

    /// The span of a line of the source file of a class.
    pub(crate) fn line(&mut self, program: &mut Program, class: &str, file: Option<&str>, line: u32) -> Span {
        let Some(file) = file else { return Span::NONE };
        let path = match class.rsplit_once('/') {
            Some((package, _)) => format!("{package}/{file}"),
            None => file.to_owned(),
        };
        if !self.units.contains_key(&path) {
            let unit = self.read(program, &path);
            self.units.insert(path.clone(), unit);
        }
        let (unit, starts) = &self.units[&path];
        let index = (line.max(1) as usize - 1).min(starts.len().saturating_sub(2));
        let (start, end) = (starts[index], starts.get(index + 1).map_or(starts[index], |next| next - 1));
        Span { unit: *unit, start, end }
    }

    fn read(&self, program: &mut Program, path: &str) -> (UnitId, Vec<u32>) {
        let found = self.roots.iter().map(|root| root.join(path)).find(|path| path.is_file());
        let text = found.as_ref().and_then(|path| std::fs::read_to_string(path).ok());
        let text = text.filter(|text| u32::try_from(text.len()).is_ok()).unwrap_or_else(|| "\n".repeat(MOST_LINES));
        let text = if text.ends_with('\n') { text } else { text + "\n" };
        let ends = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        let shown = found.map_or_else(|| path.to_owned(), |path| path.display().to_string());
        let unit = Unit {
            path: shown.clone(),
            text,
            files: vec![shown],
            markers: vec![Marker { start: 0, file: 0, line: 1 }],
            ..Unit::default()
        };
        (program.sources.units.push(unit), starts)
    }
}
