//! Rules of the source tree that no compiler checks: layers, module docs, who may name what.

use std::path::{Path, PathBuf};

/// Each crate and the crates of the workspace it may depend on.
const LAYERS: &[(&str, &[&str])] = &[
    ("scalar", &[]),
    ("ir", &["scalar"]),
    ("solver", &["scalar"]),
    ("frontend", &["scalar", "ir"]),
    ("execute", &["scalar", "ir"]),
    ("coverage", &["scalar", "ir"]),
    ("analyze", &["scalar", "ir", "solver"]),
    ("explore", &["scalar", "ir", "solver", "frontend", "execute", "coverage", "analyze"]),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder with an ending, in order.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut work = vec![folder.to_owned()];
    while let Some(folder) = work.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of the tree can be read") {
            let path = entry.expect("an entry of the tree can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && !name.starts_with("target") && !name.starts_with('.') {
                work.push(path);
            } else if name.ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<PathBuf> {
    ["src", "crates", "tests"].iter().flat_map(|folder| files(&root().join(folder), ".rs")).collect()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a source file is readable text")
}

#[test]
fn crates_depend_on_lower_ones_only() {
    for (name, allowed) in LAYERS {
        let manifest = read(&root().join("crates").join(name).join("Cargo.toml"));
        let dependencies = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        for line in dependencies.lines().filter(|line| line.starts_with("clew-")) {
            let used = line.trim_start_matches("clew-").split(['.', ' ']).next().unwrap_or_default();
            assert!(allowed.contains(&used), "crates/{name} must not depend on {used}");
        }
    }
}

#[test]
fn every_crate_has_its_layer() {
    for entry in std::fs::read_dir(root().join("crates")).expect("the crates are there") {
        let name = entry.expect("an entry of the tree can be read").file_name().to_string_lossy().into_owned();
        assert!(LAYERS.iter().any(|(known, _)| *known == name), "crates/{name} has no layer in tests/tidy.rs");
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    for path in sources() {
        assert!(read(&path).starts_with("//!"), "{} does not open with a module doc", path.display());
    }
}

#[test]
fn only_the_front_end_names_rucc() {
    for path in sources() {
        let own = path.starts_with(root().join("crates/frontend")) || path.ends_with("tests/tidy.rs");
        assert!(own || !read(&path).contains("rucc_"), "{} names a type of rucc", path.display());
    }
}

#[test]
fn every_dependency_says_what_it_is_for() {
    let manifest = read(&root().join("Cargo.toml"));
    let table = manifest.split("[workspace.dependencies]").nth(1).expect("the table is there");
    let table = table.split("\n[").next().unwrap_or_default();
    let mut explained = false;
    for line in table.lines().skip(1) {
        match line {
            "" => explained = false,
            comment if comment.starts_with('#') => explained = true,
            own if own.starts_with("clew-") => {}
            other => assert!(explained || other.contains(" # "), "no reason given for `{other}`"),
        }
    }
}
