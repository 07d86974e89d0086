//! A place for what costs time to build and is the same every time: a fork server that does not come with us, and, as long
//! as several processes test one program, its library.
//!
//! A server is kept in the user's cache directory (`$XDG_CACHE_HOME/clew`, or `~/.cache/clew`) under a name made from its
//! source, the compiler (which program, of which size and age) and the flags. Files come there by renaming, so that a
//! reader never sees half of one. Where there is no such directory, nothing is kept.

use super::error::BuildError;
use super::options::Options;
use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Where a server built from a source with a compiler and flags is kept.
pub(super) fn place(options: &Options, words: &[String], source: &str) -> Option<PathBuf> {
    let program = find(options.compiler.first()?, options.directory.as_deref())?;
    let program_data = fs::metadata(&program).ok()?;
    let mut hash = Sha256::new();
    hash.update(source);
    hash.update(format!("{program:?} {} {} {}", program_data.len(), program_data.mtime(), program_data.mtime_nsec()));
    hash.update(format!("{:?} {words:?}", options.compiler));
    Some(directory()?.join(format!("server-{}", name(hash))))
}

fn name(hash: Sha256) -> String {
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Moves a file to its place; `None` if that is not possible.
pub(super) fn keep(built: &Path, place: PathBuf) -> Option<PathBuf> {
    let directory = place.parent()?;
    DirBuilder::new().recursive(true).mode(0o700).create(directory).ok()?;
    let near = place.with_extension(std::process::id().to_string());
    fs::copy(built, &near).ok()?;
    fs::rename(&near, &place).ok()?;
    Some(place)
}

fn directory() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    caches.is_absolute().then(|| caches.join("clew"))
}

/// A library made from units in one way, from a folder where it is kept: the first process that asks builds it, and all
/// others wait for that.
pub(super) fn library(
    folder: &Path,
    units: &[String],
    options: &Options,
    build: impl FnOnce() -> Result<PathBuf, BuildError>,
) -> Result<PathBuf, BuildError> {
    let mut hash = Sha256::new();
    units.iter().for_each(|unit| hash.update(unit));
    let Options { compiler, flags, readings, link, sanitize, .. } = options;
    hash.update(format!("{compiler:?} {flags:?} {readings:?} {link:?} {sanitize}"));
    let place = folder.join(format!("library-{}.so", name(hash)));
    let lock = File::create(place.with_extension("lock")).map_err(BuildError::io("create a file"))?;
    lock.lock().map_err(BuildError::io("lock a file"))?;
    if place.exists() {
        return Ok(place);
    }
    let built = build()?;
    Ok(keep(&built, place).unwrap_or(built))
}

/// The file of a program, the way the system looks for it.
fn find(program: &str, directory: Option<&Path>) -> Option<PathBuf> {
    if program.contains('/') {
        let path = directory.map_or_else(|| PathBuf::from(program), |directory| directory.join(program));
        return fs::canonicalize(path).ok();
    }
    let path = std::env::var_os("PATH")?;
    let candidates = std::env::split_paths(&path).map(|directory| directory.join(program));
    candidates.filter_map(|candidate| fs::canonicalize(candidate).ok()).next()
}
