//! Results of functions on a shelf that others use, too: other runs, other machines.
//!
//! The name of a result is a hash of everything it depends on: the [`key`](super::key) of the function (preprocessed text
//! of all it reaches, contracts, options, the heuristics), the program of clew itself byte by byte, the compiler with its
//! flags, the C library, and where source and suite lie, for reports name lines and test code names paths. What the key
//! cannot see is not shared: results with `--given`, with a property file, with models, with a precondition that is
//! named, for this very processor; nor what the clock or a fault cut off.
//!
//! A result is a [`Parcel`]. The shelf checks that it is whole and was put under its name; here it must also be of the
//! function asked for. All else is a miss.

use super::parcel::Parcel;
use super::record::Record;
use crate::request::TestRequest;
use clew_execute::blobs::Shelf;
use clew_execute::native;
use clew_frontend::{Build, Loaded};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The largest result that is shared.
const MOST_BYTES: usize = 64 << 20;

/// A shelf for the functions of one file.
#[derive(Clone, Debug)]
pub struct Cache {
    shelf: Shelf,
    /// What all results of the file depend on.
    common: String,
}

impl Cache {
    /// The results of a file's functions on a shelf; `None` where a name would not tell all they depend on. `tool` stands
    /// for the program of clew.
    pub fn new(shelf: &Shelf, tool: &str, loaded: &Loaded, request: &TestRequest) -> Option<Cache> {
        let builds: Vec<&Build> = loaded.builds.iter().flatten().collect();
        let is_local = |build: &&Build| build.flags.iter().any(|flag| native::is_for_this_machine(flag));
        let sees_all =
            request.wanted.given.is_none() && request.sources.models.is_empty() && !builds.iter().any(is_local);
        if !sees_all {
            return None;
        }
        let mut compilers = BTreeMap::new();
        for build in &builds {
            let identity = native::identity(&build.compiler, build.directory.as_deref())?;
            compilers.insert(&build.compiler, identity);
        }
        let flags: Vec<_> = builds.iter().map(|build| (&build.compiler, &build.flags, &build.directory)).collect();
        let common = format!("{tool}\n{compilers:?}\n{flags:?}\n{}", request.wanted.explain);
        Some(Cache { shelf: shelf.clone(), common })
    }

    /// The name of a function's result.
    pub fn name(&self, record: &Wanted<'_>) -> String {
        let Wanted { file, function, key, lines, directory } = record;
        let mut hash = Sha256::new();
        for text in [
            "result 1",
            &self.common,
            key,
            function,
            &file.display().to_string(),
            &whole(file).display().to_string(),
            &whole(directory).display().to_string(),
            &format!("{lines:?}"),
        ] {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        format!("result-{}", crate::hash::hex(&hash.finalize()))
    }

    /// Takes a result from the shelf and writes its files; `None` if there is none that can be used.
    pub fn get(&self, name: &str, wanted: &Wanted<'_>) -> Option<Record> {
        let parcel = Parcel::read(&self.shelf.get(name)?)?;
        let record = &parcel.record;
        let fits = record.key == wanted.key
            && record.function == wanted.function
            && record.file == wanted.file.display().to_string();
        (fits && parcel.unpack(wanted.directory).is_ok()).then_some(parcel.record)
    }

    /// Puts a result on the shelf, with the files that were written for it.
    pub fn put(&self, name: &str, record: &Record, directory: &Path, written: &[PathBuf]) {
        if record.is_cut_off() || record.stop == "stopped" || record.red.is_some() {
            return;
        }
        let Some(parcel) = Parcel::pack(record, directory, written) else { return };
        let out = parcel.bytes();
        if out.len() <= MOST_BYTES {
            self.shelf.put(name, out);
        }
    }
}

/// What a result is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The file, as the project names it.
    pub file: &'a Path,
    /// The function.
    pub function: &'a str,
    /// Its key.
    pub key: &'a str,
    /// Where it and what it reaches stand.
    pub lines: &'a [u32],
    /// Where its suite goes.
    pub directory: &'a Path,
}

/// A path from the root, whether or not all of it is there yet.
fn whole(path: &Path) -> PathBuf {
    let path = std::env::current_dir().unwrap_or_default().join(path);
    let existing = path.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    let below = |above: &Path| path.strip_prefix(above).map_or(PathBuf::new(), Path::to_owned);
    // Part by part, for joining nothing would leave a slash at the end.
    existing.map_or(path.clone(), |(above, known)| known.components().chain(below(above).components()).collect())
}

#[cfg(test)]
mod tests {
    use super::{Cache, Wanted, whole};
    use crate::output::MARK;
    use crate::project::record::Record;
    use clew_execute::blobs::{Blobs, Shelf};
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::sync::{Arc, Mutex};

    #[derive(Debug, Default)]
    struct Memory(Mutex<BTreeMap<String, Vec<u8>>>);

    impl Blobs for Memory {
        fn get(&self, name: &str) -> Option<Vec<u8>> {
            self.0.lock().unwrap().get(name).cloned()
        }

        fn put(&self, name: &str, content: &[u8]) {
            self.0.lock().unwrap().insert(name.to_owned(), content.to_vec());
        }

        fn notes(&self) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn a_result_comes_back_for_the_same_function_only() {
        let folder = std::env::temp_dir().join(format!("clew-cache-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("f")).unwrap();
        let memory = Arc::new(Memory::default());
        let cache = Cache { shelf: Shelf::new(memory.clone()), common: "common".to_owned() };
        let directory = folder.join("f");
        let wanted = Wanted { file: Path::new("a.c"), function: "f", key: "key", lines: &[3], directory: &directory };
        let record =
            Record { stop: "exhausted".to_owned(), reason: None, ..Record::failed("a.c", "f", "key", String::new()) };
        let path = directory.join("suite.json");
        let text = format!("{{ \"generator\": \"{MARK}\" }}");
        std::fs::write(&path, &text).unwrap();
        let name = cache.name(&wanted);
        cache.put(&name, &record, &directory, std::slice::from_ref(&path));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(cache.get(&name, &wanted), Some(record.clone()));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        for other in [
            Wanted { function: "g", ..wanted },
            Wanted { key: "other", ..wanted },
            Wanted { lines: &[4], ..wanted },
            Wanted { directory: &folder, ..wanted },
        ] {
            assert_ne!(cache.name(&other), name);
        }
        assert_eq!(cache.get(&name, &Wanted { function: "g", ..wanted }), None);
        let cut_off = Record { stop: "time".to_owned(), ..record };
        cache.put("result-2", &cut_off, &directory, &[]);
        assert_eq!(memory.0.lock().unwrap().len(), 1, "what the clock cut off is not shared");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn paths_are_the_same_before_and_after_they_are_made() {
        let folder = std::env::temp_dir().join(format!("clew-whole-{}", std::process::id()));
        let path = folder.join("a/b");
        let before = whole(&path);
        std::fs::create_dir_all(&path).unwrap();
        assert_eq!(before.display().to_string(), whole(&path).display().to_string());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
