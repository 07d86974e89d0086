//! A directory of our own that is gone when we are.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A private temporary directory, removed when dropped.
#[derive(Debug)]
pub(super) struct Workspace {
    path: PathBuf,
}

impl Workspace {
    pub(super) fn new() -> io::Result<Workspace> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let root = std::env::temp_dir();
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = root.join(format!("clew-{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Workspace { path }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A new directory inside.
    pub(super) fn directory(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        fs::create_dir_all(&path)?;
        Ok(path)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // What cannot be removed stays for the system to clear.
        let _ = fs::remove_dir_all(&self.path);
    }
}
