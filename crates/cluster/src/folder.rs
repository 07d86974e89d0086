//! A directory as a shared place, also one that several machines have mounted.
//!
//! A content is written to a file of its own and renamed, which file systems do at once: a reader sees nothing or the
//! whole. Names are spread over 256 directories. What a crash leaves behind is not whole, and [`Shelf`] does not take it.
//!
//! [`Shelf`]: clew_execute::blobs::Shelf

use crate::{Access, is_name};
use clew_execute::blobs::Blobs;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A directory.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    access: Access,
    /// Distinguishes files of this process that are being written.
    written: AtomicU64,
    notes: Mutex<BTreeSet<String>>,
}

impl Folder {
    /// A directory, which is made if need be.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new(path: &Path, access: Access) -> Result<Folder, String> {
        if access == Access::ReadWrite {
            fs::create_dir_all(path).map_err(|error| format!("cannot create {}: {error}", path.display()))?;
        }
        Ok(Folder { path: path.to_owned(), access, written: AtomicU64::new(0), notes: Mutex::default() })
    }

    /// Where a name lies: in a directory of the last digits, for all names begin alike.
    fn place(&self, name: &str) -> PathBuf {
        self.path.join(&name[name.len().saturating_sub(2)..]).join(name)
    }

    fn store(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let place = self.place(name);
        let directory = place.parent().unwrap_or(&self.path);
        fs::create_dir_all(directory)?;
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        // Processes of different machines may have the same number.
        let machine = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let machine: String = machine.chars().filter(char::is_ascii_alphanumeric).collect();
        let near = directory.join(format!("new-{machine}-{}-{number}", std::process::id()));
        let done = fs::write(&near, content).and_then(|()| fs::rename(&near, &place));
        if done.is_err() {
            let _ = fs::remove_file(&near);
        }
        done
    }
}

impl Blobs for Folder {
    fn get(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.place(name)).ok().filter(|_| is_name(name))
    }

    fn put(&self, name: &str, content: &[u8]) {
        if self.access == Access::ReadOnly || !is_name(name) {
            return;
        }
        if let Err(error) = self.store(name, content) {
            let note = format!("results cannot be kept in {}: {error}", self.path.display());
            self.notes.lock().unwrap_or_else(PoisonError::into_inner).insert(note);
        }
    }

    fn notes(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
