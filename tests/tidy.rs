//! Rules of the source tree that no compiler checks: layers, module docs, who may name what.

use std::path::{Path, PathBuf};

/// Each crate and the crates of the workspace it may depend on.
const LAYERS: &[(&str, &[&str])] = &[
    ("testing", &[]),
    ("scalar", &[]),
    ("ir", &["scalar"]),
    ("policy", &[]),
    ("solver", &["scalar", "policy"]),
    ("library", &["scalar"]),
    ("frontend", &["scalar", "ir", "library"]),
    ("frontend-jvm", &["scalar", "ir"]),
    ("execute", &["scalar", "ir", "library"]),
    ("coverage", &["scalar", "ir", "library"]),
    ("mutation", &["ir"]),
    ("analyze", &["policy", "scalar", "ir", "library", "solver"]),
    ("symbolic", &["policy", "scalar", "ir", "library", "solver", "execute", "coverage", "analyze"]),
    ("prove", &["policy", "scalar", "ir", "solver", "library", "execute", "coverage", "analyze", "symbolic"]),
    ("search", &["policy", "scalar", "ir", "solver", "execute", "coverage", "analyze", "symbolic", "prove"]),
    (
        "session",
        &[
            "policy", "scalar", "ir", "library", "solver", "frontend", "execute", "coverage", "mutation", "analyze",
            "symbolic", "prove", "search",
        ],
    ),
    ("emit", &["scalar", "ir", "library", "frontend", "execute", "coverage", "analyze", "symbolic", "session"]),
    ("jvm", &["scalar", "ir", "frontend-jvm", "execute", "session"]),
    ("report", &["ir", "frontend", "execute", "coverage", "analyze", "session"]),
    ("cluster", &["execute", "session"]),
    ("frontend-rules", &[]),
    ("rules", &["policy", "frontend-rules"]),
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

/// What the guides name is there. Recipes leave out `crates/`, the list of rooms the room.
#[test]
fn paths_in_the_guides_exist() {
    let crates = std::fs::read_dir(root().join("crates")).expect("the crates are there").flatten();
    let mut rooms: Vec<PathBuf> = crates.map(|room| room.path().join("src")).collect();
    rooms.extend([root(), root().join("crates")]);
    let is_path = |word: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
        word.contains('/') && !word.starts_with('/') && word.chars().all(plain)
    };
    for guide in ["CONTRIBUTING.md", "ARCHITECTURE.md", "README.md"] {
        let text = read(&root().join(guide));
        for word in text.split('`').skip(1).step_by(2).filter(|word| is_path(word)) {
            let generated = word.starts_with("clew-out/") || word.starts_with("build/");
            let found = generated || rooms.iter().any(|from| from.join(word).exists());
            assert!(found, "{guide} names `{word}`, which is not there");
        }
    }
}

/// A package holds all it is made of.
#[test]
fn crates_include_nothing_from_outside() {
    for path in files(&root().join("crates"), ".rs").into_iter().filter(|path| path.iter().any(|part| part == "src")) {
        let depth = path.iter().skip_while(|part| *part != "src").count() - 1;
        for rest in read(&path).split("include_").skip(1).filter_map(|rest| rest.split_once("!(\"")) {
            let ups = rest.1.split('/').take_while(|part| *part == "..").count();
            assert!(ups < depth.max(1) + 1, "{} includes a file of another crate", path.display());
        }
    }
}

/// Budgets of tests count work; a limit on the clock is a net for machines in trouble.
#[test]
fn no_test_depends_on_the_clock() {
    let own = root().join("tests/tidy.rs");
    let tests = sources().into_iter().filter(|path| path.iter().any(|part| part == "tests") && *path != own);
    for path in tests {
        let text = read(&path);
        let limits = text.split("\"--time\", ").skip(1).filter(|rest| !rest.starts_with("\"3600\""));
        let deadlines = text.matches("Deadline::after(Duration::from_").count();
        let name = path.display();
        assert_eq!(limits.count() + deadlines, 0, "{name}: use `clew_testing::effort`, or `Deadline::or_work`");
    }
}

/// Files that name functions of the C library for another reason: text that is written as C, and other languages.
const NAME_THEMSELVES: [&str; 11] = [
    "crates/library",
    "crates/execute/src/libc",
    "crates/execute/src/transcendental.rs",
    "crates/execute/src/native/harness.rs",
    "crates/emit/src/file/collisions.rs",
    "crates/emit/src/file/macros.rs",
    "crates/emit/src/names.rs",
    "crates/frontend/src/lower/builtin.rs",
    "crates/frontend-jvm",
    "crates/ir/src/text",
    "crates/ir/src/program.rs",
];

/// Names of functions that are words of other things, too, or the beginning of other names.
const WORDS: [&str; 7] = ["abs", "exit", "index", "random", "remove", "system", "__assert"];

/// The headers whose functions only `crates/library` spells.
const HEADERS: [&str; 8] = ["assert.h", "ctype.h", "errno.h", "setjmp.h", "stdio.h", "stdlib.h", "string.h", "wchar.h"];

#[test]
fn only_the_library_spells_its_functions() {
    let is_spelled = |name: &str| {
        let row = clew_library::lookup(name);
        !WORDS.contains(&name) && row.is_some_and(|row| HEADERS.contains(&row.header))
    };
    let folders = ["src", "crates"].iter().flat_map(|folder| files(&root().join(folder), ".rs"));
    for path in folders {
        let own = path.strip_prefix(root()).expect("the file lies below the root").display().to_string();
        let is_exempt = NAME_THEMSELVES.iter().any(|start| own.starts_with(start));
        if is_exempt || own.contains("/tests") || own.contains("/benches/") {
            continue;
        }
        let text = read(&path);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for literal in code.split('"').skip(1).step_by(2) {
            assert!(!is_spelled(literal), "{own} spells `{literal}`: ask crates/library instead");
        }
    }
}
