//! The class path: folders, jars and the run-time image of a JDK, where classes are found by name.
//!
//! What was read once is kept: methods that are lowered one after the other use mostly the same classes.

use crate::class::{Class, Malformed, Parsed};
use crate::jimage::Image;
use crate::world::OBJECT;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use zip::ZipArchive;

/// Where classes are looked for, in order.
#[derive(Debug)]
pub struct ClassPath {
    paths: Vec<PathBuf>,
    entries: Vec<Entry>,
    image: Option<Arc<Image>>,
    kept: Kept,
}

/// A class that was found, and whether it is outside of the JDK; or why it cannot be used.
type Found = Result<(Arc<Class>, bool), String>;

/// What was read so far.
#[derive(Debug, Default)]
struct Kept {
    classes: RefCell<BTreeMap<String, Found>>,
    code: RefCell<BTreeMap<String, Rc<Parsed>>>,
    /// Direct subtypes of each type outside of the JDK, by internal name.
    children: OnceCell<BTreeMap<String, Vec<String>>>,
}

#[derive(Debug)]
enum Entry {
    Folder { root: PathBuf, classes: BTreeSet<String> },
    Jar { path: PathBuf, archive: RefCell<ZipArchive<File>>, classes: BTreeMap<String, usize> },
}

/// Why a class path cannot be used.
#[derive(Debug)]
pub struct PathError {
    /// The file or folder.
    pub path: PathBuf,
    /// What went wrong.
    pub reason: io::Error,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for PathError {}

impl ClassPath {
    /// Opens folders and jars, and the image of the JDK in `home`.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn open(paths: &[PathBuf], home: Option<&Path>) -> Result<ClassPath, PathError> {
        let entries = paths.iter().map(|path| entry(path)).collect::<Result<_, _>>()?;
        let image = home.map(|home| home.join("lib/modules"));
        let open = |path: PathBuf| Image::open(&path).map(Arc::new).map_err(|reason| PathError { path, reason });
        Ok(ClassPath { paths: paths.to_vec(), entries, image: image.map(open).transpose()?, kept: Kept::default() })
    }

    /// The same class path with its files as they are now: nothing that was read is kept but the index of the JDK.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn reopen(&self) -> Result<ClassPath, PathError> {
        let again = ClassPath::open(&self.paths, None)?;
        Ok(ClassPath { image: self.image.clone(), ..again })
    }

    /// Internal names of all classes outside of the JDK, in order.
    pub fn own_classes(&self) -> BTreeSet<String> {
        self.classes_of(self.entries.len())
    }

    /// Internal names of the classes of the first entries, in order.
    pub fn classes_of(&self, entries: usize) -> BTreeSet<String> {
        let names = self.entries.iter().take(entries).flat_map(|entry| -> Box<dyn Iterator<Item = &String>> {
            match entry {
                Entry::Folder { classes, .. } => Box::new(classes.iter()),
                Entry::Jar { classes, .. } => Box::new(classes.keys()),
            }
        });
        names.cloned().collect()
    }

    /// The class of an internal name, and whether it is outside of the JDK.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub(crate) fn class(&self, name: &str) -> Found {
        if let Some(known) = self.kept.classes.borrow().get(name) {
            return known.clone();
        }
        let found = self.read(name);
        self.kept.classes.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }

    fn read(&self, name: &str) -> Found {
        let found = self.find(name).map_err(|error| error.to_string())?;
        let (bytes, is_own) = found.ok_or_else(|| format!("class {name} is not on the class path"))?;
        let class = Class::read(bytes).map_err(|error| format!("class {name}: {error}"))?;
        if class.name != name {
            return Err(format!("the file of class {name} holds class {}", class.name));
        }
        Ok((Arc::new(class), is_own))
    }

    /// The code of the methods of a class.
    ///
    /// # Errors
    /// If it is malformed.
    pub(crate) fn code(&self, class: &Class) -> Result<Rc<Parsed>, Malformed> {
        if let Some(known) = self.kept.code.borrow().get(&class.name) {
            return Ok(Rc::clone(known));
        }
        let parsed = Rc::new(Parsed::of(class)?);
        self.kept.code.borrow_mut().insert(class.name.clone(), Rc::clone(&parsed));
        Ok(parsed)
    }

    /// Direct subtypes of each type outside of the JDK, by internal name.
    pub(crate) fn children(&self) -> &BTreeMap<String, Vec<String>> {
        self.kept.children.get_or_init(|| {
            let mut children: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for name in self.own_classes() {
                let Ok((class, true)) = self.class(&name) else { continue };
                for above in class.superclass.iter().filter(|above| *above != OBJECT).chain(&class.interfaces) {
                    children.entry(above.clone()).or_default().push(name.clone());
                }
            }
            children
        })
    }

    /// The class file of an internal name, and whether it is outside of the JDK.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    fn find(&self, name: &str) -> Result<Option<(Vec<u8>, bool)>, PathError> {
        for entry in &self.entries {
            if let Some(bytes) = entry.read(name)? {
                return Ok(Some((bytes, true)));
            }
        }
        let Some(image) = &self.image else { return Ok(None) };
        let found = image.read(name).map_err(|reason| PathError { path: PathBuf::from("lib/modules"), reason })?;
        Ok(found.map(|bytes| (bytes, false)))
    }
}

impl Entry {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, PathError> {
        match self {
            Entry::Folder { root, classes } => {
                if !classes.contains(name) {
                    return Ok(None);
                }
                let path = root.join(format!("{name}.class"));
                std::fs::read(&path).map(Some).map_err(|reason| PathError { path, reason })
            }
            Entry::Jar { path, archive, classes } => {
                let Some(&index) = classes.get(name) else { return Ok(None) };
                let failed = |reason: io::Error| PathError { path: path.clone(), reason };
                let mut bytes = Vec::new();
                let mut archive = archive.borrow_mut();
                let mut file = archive.by_index(index).map_err(|error| failed(error.into()))?;
                file.read_to_end(&mut bytes).map_err(failed)?;
                Ok(Some(bytes))
            }
        }
    }
}

fn entry(path: &Path) -> Result<Entry, PathError> {
    let failed = |reason: io::Error| PathError { path: path.to_owned(), reason };
    if path.is_dir() {
        let mut classes = BTreeSet::new();
        list(path, "", &mut classes).map_err(failed)?;
        return Ok(Entry::Folder { root: path.to_owned(), classes });
    }
    let file = File::open(path).map_err(failed)?;
    let archive = ZipArchive::new(file).map_err(|error| failed(error.into()))?;
    let names = archive.file_names().filter_map(|name| Some(name.ok()?.into_owned())).collect::<Vec<String>>();
    let classes = names.into_iter().filter_map(|name| {
        let index = archive.index_for_name(&name)?;
        // Classes for newer versions of Java are of no interest as long as there are those for all.
        let class = name.strip_suffix(".class").filter(|class| !class.starts_with("META-INF/"))?;
        Some((class.to_owned(), index))
    });
    let classes = classes.collect();
    Ok(Entry::Jar { path: path.to_owned(), archive: RefCell::new(archive), classes })
}

/// Internal names of the classes below a folder.
fn list(folder: &Path, prefix: &str, classes: &mut BTreeSet<String>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{prefix}{name}/"), classes)?;
        } else if let Some(class) = name.strip_suffix(".class") {
            classes.insert(format!("{prefix}{class}"));
        }
    }
    Ok(())
}
