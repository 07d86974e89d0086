//! Which lines of a file changed since a revision, as git sees it.
//!
//! What counts is what stands in the working directory, committed or not. A file that git does not know is changed as a
//! whole, and so is one that includes a changed header: where that shows cannot be told by lines. Headers that git does not
//! know are not looked at.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Changed lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes {
    /// All of them.
    Everything,
    /// Ranges of lines, from the first to the last. Where lines were only deleted, the two around the place.
    Lines(Vec<(u32, u32)>),
}

impl Changes {
    /// Whether any line from `first` to `last` changed.
    pub fn touch(&self, first: u32, last: u32) -> bool {
        match self {
            Changes::Everything => true,
            Changes::Lines(ranges) => ranges.iter().any(|&(start, end)| start <= last && end >= first),
        }
    }
}

/// The changes of a file, and of what it includes, since a revision.
///
/// # Errors
///
/// What git said if it does not know the revision, or why it could not be run.
pub fn since(revision: &str, file: &Path, included: &[PathBuf]) -> Result<Changes, String> {
    let path = std::fs::canonicalize(file).map_err(|error| format!("cannot find {}: {error}", file.display()))?;
    let own = |words: &[&str]| git(&path, [words, &["--", &path.to_string_lossy()]].concat());
    if own(&["ls-files"])?.stdout.is_empty() {
        return Ok(Changes::Everything);
    }
    let diff = own(&["diff", "-U0", "--no-color", "--no-ext-diff", revision])?;
    if !diff.status.success() {
        return Err(format!("git said: {}", String::from_utf8_lossy(&diff.stderr).trim()));
    }
    let all = changed_files(revision, &path)?;
    if included.iter().filter_map(|header| std::fs::canonicalize(header).ok()).any(|it| it != path && all.contains(&it))
    {
        return Ok(Changes::Everything);
    }
    let text = String::from_utf8_lossy(&diff.stdout);
    Ok(Changes::Lines(text.lines().filter_map(hunk).collect()))
}

/// All files of the repository that changed.
fn changed_files(revision: &str, path: &Path) -> Result<Vec<PathBuf>, String> {
    let top = git(path, vec!["rev-parse", "--show-toplevel"])?;
    let top = PathBuf::from(String::from_utf8_lossy(&top.stdout).trim());
    let names = git(path, vec!["diff", "--name-only", "-z", "--no-ext-diff", revision])?;
    Ok(String::from_utf8_lossy(&names.stdout).split('\0').map(|name| top.join(name)).collect())
}

/// Runs git where a file is.
fn git(path: &Path, words: Vec<&str>) -> Result<Output, String> {
    let directory = path.parent().unwrap_or(Path::new("/"));
    let output = Command::new("git").arg("-C").arg(directory).args(words).output();
    output.map_err(|error| format!("cannot run git: {error}"))
}

/// The new lines of a hunk's head, such as `@@ -3,2 +4 @@`.
fn hunk(line: &str) -> Option<(u32, u32)> {
    let new = line.strip_prefix("@@ ")?.split(' ').find_map(|word| word.strip_prefix('+'))?;
    let (start, count) = new.split_once(',').unwrap_or((new, "1"));
    let (start, count): (u32, u32) = (start.parse().ok()?, count.parse().ok()?);
    Some(if count == 0 { (start, start + 1) } else { (start, start + count - 1) })
}

#[cfg(test)]
mod tests {
    use super::{Changes, hunk};

    #[test]
    fn heads_of_hunks() {
        assert_eq!(hunk("@@ -3,2 +4 @@ int f"), Some((4, 4)));
        assert_eq!(hunk("@@ -3 +4,3 @@"), Some((4, 6)));
        assert_eq!(hunk("@@ -3,2 +2,0 @@"), Some((2, 3)));
        assert_eq!(hunk("+++ b/a.c"), None);
    }

    #[test]
    fn ranges_that_touch() {
        let changes = Changes::Lines(vec![(4, 6)]);
        assert!(changes.touch(1, 4) && changes.touch(5, 5) && changes.touch(6, 9));
        assert!(!changes.touch(1, 3) && !changes.touch(7, 9));
    }
}
