//! A place for what costs time to build and is the same every time: a fork server that does not come with us, and the
//! libraries of programs.
//!
//! Both are kept in the user's cache directory (`$XDG_CACHE_HOME/clew`, or `~/.cache/clew`) under names made from their
//! sources, the compiler (which program, of which size and age) and the flags. Files come there by renaming, so that a
//! reader never sees half of one. Where there is no such directory, nothing is kept.
//!
//! A library ends with a hash of its content there, so that a damaged file is not used. When there are too many, those go
//! that were not used for longest. As long as several processes test one program, its library is in a folder of theirs.

use super::compile::Names;
use super::error::BuildError;
use super::options::Options;
use super::workspace::Workspace;
use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// The beginning of the names of kept libraries.
const LIBRARY: &str = "library-";

/// Bytes of the hash behind a library.
const HASH_BYTES: usize = 32;

/// The largest library that is kept, and the most of them.
const LARGEST: usize = 8 << 20;
const MOST_LIBRARIES: usize = 128;

/// Where a server built from sources with a compiler and flags is kept.
pub(super) fn place(options: &Options, words: &[String], sources: &[&str]) -> Option<PathBuf> {
    let mut hash = Sha256::new();
    sources.iter().for_each(|source| hash.update(source));
    add_compiler(&mut hash, options)?;
    hash.update(format!("{:?} {words:?}", options.compiler));
    Some(directory()?.join(format!("server-{}", name(hash))))
}

/// Adds which program the compiler is, of which size and age.
fn add_compiler(hash: &mut Sha256, options: &Options) -> Option<()> {
    let program = find(options.compiler.first()?, options.directory.as_deref())?;
    let data = fs::metadata(&program).ok()?;
    hash.update(format!("{program:?} {} {} {}", data.len(), data.mtime(), data.mtime_nsec()));
    Some(())
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

/// A library made from units in one way: as it was built before, or built now and kept for the next run.
pub(super) fn remembered(
    workspace: &Workspace,
    units: &[String],
    names: &Names<'_>,
    options: &Options,
    build: impl FnOnce() -> Result<PathBuf, BuildError>,
) -> Result<PathBuf, BuildError> {
    let Some(place) = library_place(units, names, options) else { return build() };
    let own = workspace.path().join("library.so");
    if let Some(content) = checked(&place)
        && fs::write(&own, content).is_ok()
    {
        return Ok(own);
    }
    let built = build()?;
    // What cannot be kept is built again.
    let _ = remember(&built, place);
    Ok(built)
}

/// Where the library of units is kept; `None` where other files have a part in it.
fn library_place(units: &[String], names: &Names<'_>, options: &Options) -> Option<PathBuf> {
    let Options { compiler, flags, directory: from, readings, link, sanitize, .. } = options;
    let has_incbin = units.iter().any(|unit| unit.contains("incbin"));
    if !link.is_empty() || has_incbin || flags.iter().any(|flag| reads_files(flag)) {
        return None;
    }
    let mut hash = Sha256::new();
    for unit in units {
        hash.update(unit.len().to_ne_bytes());
        hash.update(unit);
    }
    add_compiler(&mut hash, options)?;
    hash.update(format!("{compiler:?} {flags:?} {from:?} {readings:?} {sanitize} {names:?}"));
    hash.update(env!("CARGO_PKG_VERSION"));
    Some(directory()?.join(format!("{LIBRARY}{}", name(hash))))
}

/// Whether a flag has the compiler or the linker read files besides the units, whose content would not be known.
fn reads_files(flag: &str) -> bool {
    let starts = ["@", "-l", "-L", "-B", "-T", "-Xlinker", "-fplugin", "-specs", "--specs", "-fprofile", "-wrapper"];
    let is_file = [".a", ".o", ".so", ".ld", ".map"].iter().any(|end| flag.ends_with(end));
    let asks_linker = flag.starts_with("-Wl,") && !flag.starts_with("-Wl,--defsym=");
    is_file || asks_linker || starts.iter().any(|start| flag.starts_with(start))
}

/// The content of a kept library, if it is whole.
#[expect(clippy::disallowed_methods, reason = "the age of a kept file decides no result")]
fn checked(place: &Path) -> Option<Vec<u8>> {
    let mut content = fs::read(place).ok()?;
    let hash = content.split_off(content.len().checked_sub(HASH_BYTES)?);
    if Sha256::digest(&content)[..] != hash[..] {
        return None;
    }
    // How long ago it was used decides which are removed.
    let _ = File::open(place).and_then(|file| file.set_modified(SystemTime::now()));
    Some(content)
}

/// Keeps a library, and makes room for it.
fn remember(built: &Path, place: PathBuf) -> Option<()> {
    let mut content = fs::read(built).ok().filter(|content| content.len() <= LARGEST)?;
    let hash = Sha256::digest(&content);
    content.extend(hash);
    let directory = place.parent()?;
    DirBuilder::new().recursive(true).mode(0o700).create(directory).ok()?;
    forget_oldest(directory);
    let near = place.with_extension(std::process::id().to_string());
    fs::write(&near, content).ok()?;
    fs::rename(&near, &place).ok()
}

/// Removes the libraries that were not used for longest where there are too many.
fn forget_oldest(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let ours = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(LIBRARY));
    let dated = ours.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())));
    let mut dated: Vec<(SystemTime, PathBuf)> = dated.collect();
    if dated.len() < MOST_LIBRARIES {
        return;
    }
    dated.sort();
    for (_, path) in &dated[..dated.len() - MOST_LIBRARIES * 3 / 4] {
        let _ = fs::remove_file(path);
    }
}

fn directory() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    caches.is_absolute().then(|| caches.join("clew"))
}

/// A library made from units in one way, from a folder where it is kept: the first process that asks builds it, and all
/// others wait for that. What another machine has built is not built again.
pub(super) fn library(
    folder: &Path,
    units: &[String],
    names: &Names<'_>,
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
    let shared = options.shelf.as_ref().and_then(|shelf| Some((shelf, shared_name(units, names, options)?)));
    if let Some((shelf, name)) = &shared
        && let Some(content) = shelf.get(name)
        && let Some(place) = put_in_place(&content, &place)
    {
        return Ok(place);
    }
    let built = build()?;
    if let Some((shelf, name)) = shared
        && let Ok(content) = fs::read(&built)
        && content.len() <= LARGEST
    {
        shelf.put(&name, content);
    }
    Ok(keep(&built, place).unwrap_or(built))
}

fn put_in_place(content: &[u8], place: &Path) -> Option<PathBuf> {
    let near = place.with_extension(std::process::id().to_string());
    fs::write(&near, content).ok()?;
    fs::rename(&near, place).ok()?;
    Some(place.to_owned())
}

/// The name of a library for all machines with the same compiler and C library; `None` where other files have a part in it
/// or it is made for this very processor.
fn shared_name(units: &[String], names: &Names<'_>, options: &Options) -> Option<String> {
    let Options { compiler, flags, directory, readings, link, sanitize, .. } = options;
    let has_incbin = units.iter().any(|unit| unit.contains("incbin"));
    if !link.is_empty() || has_incbin || flags.iter().any(|flag| reads_files(flag) || is_for_this_machine(flag)) {
        return None;
    }
    let mut hash = Sha256::new();
    for unit in units {
        hash.update(unit.len().to_le_bytes());
        hash.update(unit);
    }
    hash.update(identity(compiler, directory.as_deref())?);
    hash.update(format!("{compiler:?} {flags:?} {readings:?} {sanitize} {names:?}"));
    hash.update(env!("CARGO_PKG_VERSION"));
    Some(format!("{LIBRARY}{}", name(hash)))
}

/// Whether what a flag asks for depends on the processor that the compiler runs on.
pub fn is_for_this_machine(flag: &str) -> bool {
    flag.ends_with("=native")
}

/// What native results depend on besides sources and flags, as text: what the compiler says it is, the architecture, the
/// content of the C library. `None` if the compiler cannot be asked.
pub fn identity(compiler: &[String], directory: Option<&Path>) -> Option<String> {
    let (program, words) = compiler.split_first()?;
    let ask = |question: &str| {
        let mut command = Command::new(program);
        command.args(words).arg(question).env("LC_ALL", "C");
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        let output = command.output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let version = ask("--version")?;
    let library = fs::read(ask("-print-file-name=libc.so.6")?.trim()).ok()?;
    let digest = Sha256::digest(library);
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(format!("{version}\n{}\n{digest}", std::env::consts::ARCH))
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

#[cfg(test)]
mod tests {
    use super::{LIBRARY, MOST_LIBRARIES, checked, forget_oldest, reads_files, remember};
    use crate::native::workspace::Workspace;
    use std::fs;

    #[test]
    fn a_damaged_library_is_not_used() {
        let workspace = Workspace::new().unwrap();
        let (built, place) = (workspace.path().join("built"), workspace.path().join("kept/library-1"));
        fs::write(&built, "content").unwrap();
        remember(&built, place.clone()).unwrap();
        assert_eq!(checked(&place).unwrap(), b"content");
        let mut kept = fs::read(&place).unwrap();
        kept[3] ^= 1;
        fs::write(&place, &kept).unwrap();
        assert_eq!(checked(&place), None);
        fs::write(&place, "short").unwrap();
        assert_eq!(checked(&place), None);
    }

    #[test]
    fn what_other_files_have_a_part_in_is_not_kept() {
        for flag in ["-lfoo", "-L/opt", "-Wl,--version-script=x", "x.o", "@flags", "-fplugin=x"] {
            assert!(reads_files(flag), "{flag}");
        }
        for flag in ["-O2", "-DX=1", "-Iinclude", "-Wl,--defsym=f=g", "-fno-builtin-f", "-std=c99", "-m32"] {
            assert!(!reads_files(flag), "{flag}");
        }
    }

    #[test]
    fn old_libraries_make_room() {
        let workspace = Workspace::new().unwrap();
        fs::write(workspace.path().join("server-1"), "").unwrap();
        for number in 0..MOST_LIBRARIES {
            fs::write(workspace.path().join(format!("{LIBRARY}{number}")), "").unwrap();
        }
        forget_oldest(workspace.path());
        let names = fs::read_dir(workspace.path()).unwrap().flatten().map(|entry| entry.file_name());
        let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        assert_eq!(names.iter().filter(|name| name.starts_with(LIBRARY)).count(), MOST_LIBRARIES * 3 / 4);
        assert!(names.contains(&"server-1".to_owned()));
    }
}
