//! Coverage as Cobertura's XML (`coverage-04.dtd`), which continuous integration shows beside the source.

use super::coverage::{Coverage, FileCoverage, Fork, Ratio};
use super::xml;
use std::fmt::Write;
use std::path::Path;

/// The text of the document.
pub(super) fn text(coverage: &Coverage) -> String {
    let total =
        |ratio: fn(&FileCoverage) -> Ratio| coverage.files.values().map(ratio).fold(Ratio::default(), Ratio::and);
    let (lines, branches) = (total(FileCoverage::line_ratio), total(FileCoverage::branch_ratio));
    let mut out = xml::head();
    out.push_str("<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n");
    // The format wants a time; none is given, so that the same run gives the same bytes.
    let _ = writeln!(
        out,
        "<coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" branches-valid=\"{}\" \
        complexity=\"0\" version=\"{}\" timestamp=\"0\">",
        rates(lines, branches),
        lines.covered,
        lines.all,
        branches.covered,
        branches.all,
        super::producer()
    );
    let _ = write!(
        out,
        "  <sources>\n    <source>.</source>\n  </sources>\n  <packages>\n    <package name=\"\" {} complexity=\"0\">\n      \
        <classes>\n",
        rates(lines, branches)
    );
    for (path, file) in &coverage.files {
        class(path, file, &mut out);
    }
    out.push_str("      </classes>\n    </package>\n  </packages>\n</coverage>\n");
    out
}

fn rates(lines: Ratio, branches: Ratio) -> String {
    format!("line-rate=\"{:.4}\" branch-rate=\"{:.4}\"", lines.rate(), branches.rate())
}

fn class(path: &str, file: &FileCoverage, out: &mut String) {
    let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
    let _ = writeln!(
        out,
        "        <class name=\"{}\" filename=\"{}\" {} complexity=\"0\">\n          <methods/>\n          <lines>",
        xml::escape(&name),
        xml::escape(path),
        rates(file.line_ratio(), file.branch_ratio())
    );
    for (number, hits) in &file.lines {
        line(*number, *hits, file.branches.get(number).map_or(&[], Vec::as_slice), out);
    }
    out.push_str("          </lines>\n        </class>\n");
}

fn line(number: u32, hits: u64, forks: &[Fork], out: &mut String) {
    let start = format!("            <line number=\"{number}\" hits=\"{hits}\"");
    if forks.is_empty() {
        let _ = writeln!(out, "{start} branch=\"false\"/>");
        return;
    }
    let of =
        |fork: &Fork| Ratio { covered: fork.taken.iter().filter(|hits| **hits > 0).count(), all: fork.taken.len() };
    let whole = forks.iter().map(of).fold(Ratio::default(), Ratio::and);
    let percent = |ratio: Ratio| (ratio.rate() * 100.0).floor();
    let _ = writeln!(
        out,
        "{start} branch=\"true\" condition-coverage=\"{}% ({}/{})\">\n              <conditions>",
        percent(whole),
        whole.covered,
        whole.all
    );
    for (index, fork) in forks.iter().enumerate() {
        let kind = if fork.taken.len() == 2 { "jump" } else { "switch" };
        let _ = writeln!(
            out,
            "                <condition number=\"{index}\" type=\"{kind}\" coverage=\"{}%\"/>",
            percent(of(fork))
        );
    }
    out.push_str("              </conditions>\n            </line>\n");
}
