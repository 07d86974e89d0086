//! Copies of suites: every generated file of a directory, test code with the path by which it names the source file from
//! its new place.

use crate::output::{self, WriteError};
use crate::project::record::Record;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A source file as test code names it, and where it is now.
pub type Source = (String, PathBuf);

/// The sources of a directory's test code that are on this machine: as it names each, and the file.
pub fn sources<'r>(records: impl Iterator<Item = &'r Record>) -> Vec<Source> {
    let named = records.filter(|record| !record.source.is_empty());
    let found = named.filter_map(|record| Some((record.source.clone(), fs::canonicalize(&record.file).ok()?)));
    let found: BTreeSet<Source> = found.collect();
    found.into_iter().collect()
}

/// Copies the generated files of a directory, with new names of the sources in test code.
///
/// # Errors
/// When a file in the way is not ours or the system refuses.
pub fn suite(from: &Path, to: &Path, sources: &[Source]) -> Result<(), WriteError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| WriteError::Io(path, error)
    };
    fs::create_dir_all(to).map_err(failed(to))?;
    let mut entries: Vec<PathBuf> =
        fs::read_dir(from).map_err(failed(from))?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_owned();
        if path.is_dir() {
            // Test code of several frameworks lies one folder below, and names the sources from there.
            let up = |name: &String| if name.starts_with('/') { name.clone() } else { format!("../{name}") };
            let below: Vec<Source> = sources.iter().map(|(name, file)| (up(name), file.clone())).collect();
            suite(&path, &to.join(name), &below)?;
            continue;
        }
        let mut content = fs::read(&path).map_err(failed(&path))?;
        if !output::is_ours(&content) {
            continue;
        }
        if is_code(&path) {
            for (old, file) in sources {
                content = renamed(content, old, &output::named_from(to, file));
            }
        }
        output::write(&to.join(name), content)?;
    }
    Ok(())
}

/// Whether a file names the source file by a path.
pub(in crate::project) fn is_code(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name == "Makefile" || name == "CMakeLists.txt" || [".c", ".cpp", ".h"].iter().any(|end| name.ends_with(end))
}

/// The text with another path of the source file, in the spellings of C and make.
pub(in crate::project) fn renamed(content: Vec<u8>, old: &str, new: &str) -> Vec<u8> {
    if old == new {
        return content;
    }
    match String::from_utf8(content) {
        Ok(text) => {
            let in_make =
                |path: &str| path.replace('$', "$$").replace(' ', "\\ ").replace('#', "\\#").replace(':', "\\:");
            let text = text.replace(&format!("\"{old}\""), &format!("\"{new}\""));
            let text = text.replace(&format!(" {}", in_make(old)), &format!(" {}", in_make(new)));
            text.into_bytes()
        }
        Err(error) => error.into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn sources_are_named_from_the_new_place() {
        let text = "#include \"../a b.c\"\ntest_f: test_f.c ../a\\ b.c\n";
        let moved = renamed(text.into(), "../a b.c", "../../p/a b.c");
        assert_eq!(String::from_utf8(moved).unwrap(), "#include \"../../p/a b.c\"\ntest_f: test_f.c ../../p/a\\ b.c\n");
    }
}
