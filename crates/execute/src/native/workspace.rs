//! A directory of our own that is gone when we are.
//!
//! It is removed when dropped, and by [`remove_all`] when a signal ends the process. A process that is killed leaves it
//! behind: the next one removes what it finds abandoned. Whether somebody still works in a directory is told by a lock on
//! a file in it, which the system takes back from whoever ends, however that happens.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

/// The file whose lock says that somebody works in the directory.
const LOCK: &str = "lock";

/// The beginning of the names of the directories.
const PREFIX: &str = "clew-";

/// How often to try to remove a directory that somebody writes to, and the pause between.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(5);

/// The directories of this process.
static OWN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A private temporary directory, removed when dropped.
#[derive(Debug)]
pub struct Workspace {
    path: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
}

impl Workspace {
    /// A new one.
    ///
    /// # Errors
    ///
    /// When the system has no place for it.
    pub fn new() -> io::Result<Workspace> {
        static SWEPT: Once = Once::new();
        let root = std::env::temp_dir();
        SWEPT.call_once(|| {
            let root = root.clone();
            std::thread::spawn(move || sweep(&root));
        });
        Workspace::within(&root)
    }

    fn within(root: &Path) -> io::Result<Workspace> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = root.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => {
                    own().insert(path.clone());
                    let lock = lock(&path)?;
                    return Ok(Workspace { path, _lock: lock });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A new directory inside.
    pub(super) fn directory(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        // Not with its parents: where a signal removed them, they stay away.
        fs::create_dir(&path)?;
        Ok(path)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // What cannot be removed stays for the system to clear.
        let _ = fs::remove_dir_all(&self.path);
        own().remove(&self.path);
    }
}

/// Takes the lock of a directory. The file gets its name when it is locked: no sweep sees it unlocked.
fn lock(directory: &Path) -> io::Result<File> {
    let unnamed = directory.join("lock.new");
    let lock = File::create(&unnamed)?;
    lock.lock()?;
    fs::rename(unnamed, directory.join(LOCK))?;
    Ok(lock)
}

/// Removes the temporary directories of this process: for when a signal is about to end it. A compiler may be writing
/// there still.
pub fn remove_all() {
    for path in own().iter() {
        for _ in 0..ATTEMPTS {
            match fs::remove_dir_all(path) {
                Err(error) if error.kind() != ErrorKind::NotFound => std::thread::sleep(PAUSE),
                _ => break,
            }
        }
    }
}

fn own() -> std::sync::MutexGuard<'static, BTreeSet<PathBuf>> {
    OWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the directories that processes which were killed left behind.
fn sweep(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        if is_ours && is_abandoned(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether a directory has a lock that nobody holds. One without may be about to get it.
fn is_abandoned(directory: &Path) -> bool {
    File::open(directory.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::{LOCK, Workspace, sweep};
    use std::fs;

    #[test]
    fn a_sweep_takes_nothing_that_is_being_made() {
        let root = Workspace::new().unwrap();
        std::thread::scope(|scope| {
            let making = scope.spawn(|| {
                let made = (0..2_000).map(|_| Workspace::within(root.path()).unwrap());
                made.filter(|workspace| !workspace.path().join(LOCK).exists()).count()
            });
            while !making.is_finished() {
                sweep(root.path());
            }
            assert_eq!(making.join().unwrap(), 0);
        });
    }

    #[test]
    fn abandoned_directories_are_swept() {
        let root = Workspace::new().unwrap();
        let (held, abandoned, other) = (
            Workspace::within(root.path()).unwrap(),
            root.directory("clew-1-0").unwrap(),
            root.directory("clew-2-0").unwrap(),
        );
        fs::write(abandoned.join(LOCK), "").unwrap();
        sweep(root.path());
        assert!(held.path().exists() && other.exists() && !abandoned.exists());
        let path = held.path().to_owned();
        drop(held);
        assert!(!path.exists());
    }
}
