//! `compile_commands.json`: how each file of a project is compiled.
//!
//! Both forms of an entry are read: `arguments` (a list) and `command` (one string in shell quoting). Relative files are
//! relative to the entry's directory, a relative directory to the database itself. Response files (`@flags.txt`) are
//! expanded; compiler launchers (`ccache gcc`) are skipped. A file may have several entries; the first is used unless
//! another is asked for, and a note says so.
//!
//! A broken database is one error, at the line and column where reading stopped.

use crate::diagnostic::{Diagnostic, Place};
use crate::error::Error;
use crate::preprocess::{Build, flags};
use clew_ir::Location;
use serde::Deserialize;
use std::path::{Component, Path, PathBuf};

/// Programs that run the compiler named after them.
const LAUNCHERS: &[&str] = &["ccache", "sccache", "distcc", "icecc", "gomacc", "env"];

/// A build database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    path: PathBuf,
    entries: Vec<Entry>,
}

/// One compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// Where the compiler was run.
    directory: PathBuf,
    /// The source file as written.
    file: PathBuf,
    /// The compiler and its arguments.
    words: Vec<String>,
}

/// An entry as it stands in the file.
#[derive(Deserialize)]
struct Written {
    directory: Option<String>,
    file: String,
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// Reads a build database, or the one in a directory.
pub fn read(path: &Path) -> Result<Database, Error> {
    let path = if path.is_dir() { path.join("compile_commands.json") } else { path.to_owned() };
    let text = std::fs::read(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::NotFound(path.clone()),
        _ => Error::Unreadable(path.clone(), error.to_string()),
    })?;
    let written: Vec<Written> = serde_json::from_slice(&text).map_err(|error| broken_json(&path, &error))?;
    let base = path.parent().unwrap_or(Path::new(""));
    let entries = written.into_iter().enumerate().map(|(index, written)| entry(&path, base, index, written));
    Ok(Database { entries: entries.collect::<Result<_, _>>()?, path })
}

impl Database {
    /// Every file it names, once, in order.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in &self.entries {
            let path = entry.directory.join(&entry.file);
            if !files.contains(&path) {
                files.push(path);
            }
        }
        files
    }

    /// How a file is compiled, by the entry of the given number or the first one.
    pub fn build(&self, file: &Path, number: Option<usize>) -> Result<(Build, Vec<Diagnostic>), Error> {
        let wanted = normal(file);
        let matching: Vec<&Entry> =
            self.entries.iter().filter(|entry| normal(&entry.directory.join(&entry.file)) == wanted).collect();
        let whole = || Location { file: self.path.display().to_string(), line: 0, column: 0 };
        let Some(entry) = matching.get(number.unwrap_or(0)) else {
            let reason = match (matching.len(), number) {
                (0, _) => format!("no entry for {}", file.display()),
                (count, number) => {
                    format!("{} has {count} entries, none with number {}", file.display(), number.unwrap_or(0))
                }
            };
            return Err(Error::Database { location: whole(), reason });
        };
        let words = expand_responses(entry.words.clone(), &entry.directory, 0)
            .map_err(|reason| Error::Database { location: whole(), reason })?;
        let (compiler, arguments) = compiler_of(&words);
        let (flags, mut notes) = flags::keep(arguments, Some(&entry.file));
        if matching.len() > 1 && number.is_none() {
            notes.push(Diagnostic::note(
                Place::File(whole()),
                format!("{} has {} entries; the first is used", file.display(), matching.len()),
            ));
        }
        let directory = Some(entry.directory.clone());
        Ok((Build { compiler: vec![compiler], flags, directory, file: entry.file.clone() }, notes))
    }
}

fn entry(path: &Path, base: &Path, index: usize, written: Written) -> Result<Entry, Error> {
    let broken = |reason: String| Error::Database {
        location: Location { file: path.display().to_string(), line: 0, column: 0 },
        reason: format!("entry {index} ({}) {reason}", written.file),
    };
    let words = match (written.arguments, written.command) {
        (Some(arguments), _) => arguments,
        (None, Some(command)) => {
            shlex::split(&command).ok_or_else(|| broken("has a command with an unclosed quote".to_owned()))?
        }
        (None, None) => return Err(broken("has neither `arguments` nor `command`".to_owned())),
    };
    let directory = base.join(written.directory.unwrap_or_default());
    if words.is_empty() {
        return Err(broken("names no compiler".to_owned()));
    }
    let directory = if directory.as_os_str().is_empty() { PathBuf::from(".") } else { directory };
    Ok(Entry { directory, file: written.file.into(), words })
}

/// Replaces `@file` words by the words of the file.
fn expand_responses(words: Vec<String>, directory: &Path, depth: u32) -> Result<Vec<String>, String> {
    let mut expanded = Vec::with_capacity(words.len());
    for word in words {
        let Some(name) = word.strip_prefix('@').filter(|_| depth < 8) else {
            expanded.push(word);
            continue;
        };
        let text = std::fs::read_to_string(directory.join(name))
            .map_err(|error| format!("the response file {name} of an entry cannot be read: {error}"))?;
        let inner =
            shlex::split(&text).ok_or_else(|| format!("the response file {name} of an entry has an unclosed quote"))?;
        expanded.extend(expand_responses(inner, directory, depth + 1)?);
    }
    Ok(expanded)
}

/// The compiler, launchers and variable settings skipped, and its arguments.
fn compiler_of(words: &[String]) -> (String, &[String]) {
    let is_prefix = |word: &String| {
        let name = Path::new(word).file_name().and_then(|name| name.to_str()).unwrap_or(word);
        LAUNCHERS.contains(&name) || (!word.starts_with('-') && word.contains('='))
    };
    let skipped = words.iter().take_while(|word| is_prefix(word)).count();
    let start = if skipped < words.len() { skipped } else { 0 };
    (words[start].clone(), &words[start + 1..])
}

fn broken_json(path: &Path, error: &serde_json::Error) -> Error {
    let location =
        Location { file: path.display().to_string(), line: error.line() as u32, column: error.column() as u32 };
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or(&text).to_owned();
    Error::Database { location, reason: format!("not a compilation database: {reason}") }
}

/// A path without `.` and `..`, absolute if the current directory is known; links are not followed.
fn normal(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut normal = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::{Database, read};
    use crate::error::Error;
    use std::path::{Path, PathBuf};

    /// A database in a directory of its own.
    fn with_database(name: &str, json: &str, check: impl FnOnce(&Path, Result<Database, Error>)) {
        let directory = std::env::temp_dir().join(format!("clew-database-{name}-{}", std::process::id()));
        std::fs::create_dir_all(directory.join("sub")).unwrap();
        std::fs::write(directory.join("compile_commands.json"), json).unwrap();
        std::fs::write(directory.join("flags.rsp"), "-DR='a b' -c").unwrap();
        check(&directory, read(&directory));
        std::fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn both_forms_relative_paths_and_several_entries() {
        let json = r#"[
          {"directory": "sub", "file": "../a.c", "command": "ccache gcc -DX=\"a b\" -I../inc -c -o a.o ../a.c"},
          {"directory": "sub", "file": "../a.c", "arguments": ["clang", "-DY", "@../flags.rsp", "../a.c"]},
          {"file": "b.c", "arguments": ["cc", "b.c"]}]"#;
        with_database("forms", json, |directory, database| {
            let database = database.unwrap();
            assert_eq!(database.files().len(), 2);
            let (build, notes) = database.build(&directory.join("a.c"), None).unwrap();
            assert_eq!(
                (build.compiler, build.flags),
                (vec!["gcc".to_owned()], vec!["-DX=a b".into(), "-I../inc".into()])
            );
            assert_eq!(notes.len(), 1);
            assert_eq!(build.file, PathBuf::from("../a.c"));
            let (build, _) = database.build(&directory.join("a.c"), Some(1)).unwrap();
            assert_eq!(build.flags, ["-DY", "-DR=a b"]);
            assert!(database.build(&directory.join("a.c"), Some(2)).is_err());
            assert!(database.build(&directory.join("c.c"), None).is_err());
        });
    }

    #[test]
    fn broken_databases_say_where() {
        with_database("syntax", "[\n  {\"file\": \"a.c\",,\n", |_, database| match database.unwrap_err() {
            Error::Database { location, .. } => assert_eq!((location.line, location.column), (2, 18)),
            other => panic!("{other:?}"),
        });
        with_database("empty", r#"[{"file": "a.c"}]"#, |_, database| {
            assert!(database.unwrap_err().to_string().contains("neither `arguments` nor `command`"));
        });
        with_database("quote", r#"[{"file": "a.c", "command": "cc 'x"}]"#, |_, database| {
            assert!(database.unwrap_err().to_string().contains("unclosed quote"));
        });
    }
}
