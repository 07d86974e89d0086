//! Methods of Java as the arguments name them: the class path, the JVM that runs them, and sources, which are compiled where
//! they are all there is.

pub(super) mod build;
pub(super) mod goals;
mod jml;

use crate::cli::JavaArguments;
use clew_frontend_jvm::{ClassPath, Error, Lowered, MethodName, Options, lower_with, methods_named};
use clew_jvm::statics::LiveStatics;
use clew_jvm::{Java, Machine};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// Whether a file is one of Java: a source, a jar, or a folder with class files.
pub(super) fn is_java(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("jar" | "java")) || has_classes(file)
}

/// Whether class files are somewhere below a folder.
fn has_classes(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.any(|path| path.extension().is_some_and(|ending| ending == "class") || path.is_dir() && has_classes(&path))
}

/// What a command about Java works with.
pub(super) struct Setting {
    pub(super) path: Rc<ClassPath>,
    pub(super) machine: Arc<Mutex<Machine>>,
    pub(super) options: Options,
    /// How many entries of the class path are tested; the others are used.
    pub(super) entries: usize,
    _compiled: Option<Folder>,
}

/// A temporary folder, which goes when it is no longer needed.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // It is in the folder for temporary files, which the system cleans.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Setting {
    /// Finds Java and opens the class path.
    ///
    /// # Errors
    /// What is missing, in one sentence.
    pub(super) fn open(files: &[PathBuf], arguments: &JavaArguments) -> Result<Setting, String> {
        let java = Java::find(arguments.java.as_deref()).map_err(|error| error.to_string())?;
        let is_source = |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "java");
        let (sources, mut classes): (Vec<&PathBuf>, Vec<&PathBuf>) = files.iter().partition(is_source);
        let compiled = if classes.is_empty() && !sources.is_empty() {
            Some(compile(&java, &sources, &arguments.class_path)?)
        } else {
            None
        };
        classes.extend(compiled.as_ref().map(|folder| &folder.0));
        let entries = classes.len();
        let all: Vec<PathBuf> = classes.into_iter().chain(&arguments.class_path).cloned().collect();
        let path = ClassPath::open(&all, Some(&java.home)).map_err(|error| error.to_string())?;
        let machine = Arc::new(Mutex::new(Machine::new(java, all)));
        let roots = sources.iter().map(|file| root(file));
        let options = Options {
            sources: arguments.sources.iter().cloned().chain(roots).collect(),
            statics: Some(Rc::new(std::cell::RefCell::new(LiveStatics::new(Arc::clone(&machine))))),
            ..Options::default()
        };
        Ok(Setting { path: Rc::new(path), machine, options, entries, _compiled: compiled })
    }

    /// The methods that texts name.
    ///
    /// # Errors
    /// Which of them is none.
    pub(super) fn named(&self, texts: &[String]) -> Result<Vec<MethodName>, String> {
        let mut methods = Vec::new();
        for text in texts {
            methods.extend(methods_named(&self.path, text).map_err(|error| error.to_string())?);
        }
        Ok(methods)
    }

    /// A method as a program.
    ///
    /// # Errors
    /// If there is no such method.
    pub(super) fn lower(&self, (class, method): &MethodName) -> Result<Lowered, Error> {
        lower_with(&self.path, &self.options, class, method)
    }
}

/// Compiles sources into a temporary folder.
fn compile(java: &Java, sources: &[&PathBuf], class_path: &[PathBuf]) -> Result<Folder, String> {
    let folder = Folder(std::env::temp_dir().join(format!("clew-classes-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).map_err(|error| format!("cannot make {}: {error}", folder.0.display()))?;
    let mut copies = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let copy = jml::instrumented(source, &folder.0.join(format!("contracts-{number}")))?;
        copies.push(copy.unwrap_or_else(|| (*source).clone()));
    }
    let path = std::env::join_paths(class_path).map_err(|error| error.to_string())?;
    let mut javac = Command::new(java.home.join("bin/javac"));
    javac.args(["-g", "-nowarn", "-proc:none", "-d"]).arg(&folder.0).arg("-cp").arg(path).args(copies);
    let output = javac.output().map_err(|error| format!("javac cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("javac does not compile this\n{}", String::from_utf8_lossy(&output.stderr).trim_end()));
    }
    Ok(folder)
}

/// The folder in which the package of a source begins.
fn root(source: &Path) -> PathBuf {
    let text = std::fs::read_to_string(source).unwrap_or_default();
    let package = text.lines().find_map(|line| line.trim().strip_prefix("package ")?.trim().strip_suffix(';'));
    let depth = package.map_or(0, |package| package.split('.').count());
    source.ancestors().nth(depth + 1).unwrap_or(Path::new("")).to_owned()
}
