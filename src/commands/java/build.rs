//! Projects of Maven and Gradle: where their builds put classes, and where their sources are.

use crate::cli::JavaArguments;
use std::path::{Path, PathBuf};

/// Files that say that a folder is a project.
const MARKS: [&str; 5] = ["pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

/// Where builds put the classes of a module, below it.
const CLASSES: [&str; 3] = ["target/classes", "build/classes/java/main", "build/classes/kotlin/main"];

/// Folders between a project and its modules.
const DEPTH: usize = 3;

/// Whether a folder is a project of Maven or Gradle.
pub(in crate::commands) fn is_project(folder: &Path) -> bool {
    MARKS.iter().any(|mark| folder.join(mark).is_file())
}

/// The classes of a project, and the arguments with its sources and libraries.
///
/// # Errors
/// If it was not built.
pub(in crate::commands) fn of(
    folder: &Path,
    arguments: &JavaArguments,
) -> Result<(Vec<PathBuf>, JavaArguments), String> {
    let mut modules = Vec::new();
    collect(folder, DEPTH, &mut modules);
    let below = |wanted: &[&str]| -> Vec<PathBuf> {
        let places = modules.iter().flat_map(|module| wanted.iter().map(|place| module.join(place)));
        places.filter(|place| place.is_dir()).collect()
    };
    let classes = below(&CLASSES);
    if classes.is_empty() {
        return Err(format!("{} was not built: there is no target/classes or build/classes", folder.display()));
    }
    let mut arguments = arguments.clone();
    arguments.sources.extend(below(&["src/main/java"]));
    for libraries in below(&["target/dependency", "libs", "lib"]) {
        let entries = std::fs::read_dir(&libraries).into_iter().flatten().flatten();
        let mut jars: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        jars.retain(|jar| jar.extension().is_some_and(|ending| ending == "jar"));
        jars.sort();
        arguments.class_path.extend(jars);
    }
    Ok((classes, arguments))
}

/// The modules of a project, itself included, in the order of their paths.
fn collect(folder: &Path, depth: usize, modules: &mut Vec<PathBuf>) {
    if is_project(folder) {
        modules.push(folder.to_owned());
    }
    if depth == 0 {
        return;
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    for below in folders {
        let name = below.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !name.starts_with('.') && !["src", "target", "build"].contains(&name.as_str()) {
            collect(&below, depth - 1, modules);
        }
    }
}
