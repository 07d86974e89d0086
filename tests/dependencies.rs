//! Third-party crates keep the rules of `deny.toml`: licences, one version of each, exact sources, no wildcards.
//!
//! The rules are those of `cargo deny check licenses bans sources`, read from the same file, so that no tool has to be
//! installed for them. Not checked here: advisories, which need a database of today (`cargo deny check advisories`).

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// The packages that are built for this machine, with all features.
fn packages() -> Vec<Value> {
    let host = Command::new("rustc").arg("-vV").output().expect("rustc starts");
    let host = String::from_utf8_lossy(&host.stdout).into_owned();
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc knows its host").to_owned();
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--offline",
            "--all-features",
            "--filter-platform",
            &host,
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}\n{said}"));
    metadata["packages"].as_array().expect("there are packages").clone()
}

fn rules() -> toml::Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("deny.toml");
    std::fs::read_to_string(path).expect("deny.toml is there").parse().expect("deny.toml is TOML")
}

fn name(package: &Value) -> &str {
    package["name"].as_str().expect("a package has a name")
}

/// Whether an SPDX expression can be satisfied by allowed licences: `OR` binds less than `AND`, `/` is an old `OR`.
fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let spaced = spaced.replace(" WITH ", "~").replace('+', "");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let result = any(&mut rest, allowed);
    assert!(rest.is_empty(), "`{expression}` is not understood");
    result
}

fn any(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let mut result = all(words, allowed);
    while let [first, rest @ ..] = *words
        && *first == "OR"
    {
        *words = rest;
        result |= all(words, allowed);
    }
    result
}

fn all(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let mut result = one(words, allowed);
    while let [first, rest @ ..] = *words
        && *first == "AND"
    {
        *words = rest;
        result &= one(words, allowed);
    }
    result
}

fn one(words: &mut &[&str], allowed: &BTreeSet<String>) -> bool {
    let [first, rest @ ..] = *words else { return false };
    *words = rest;
    if *first != "(" {
        return allowed.contains(&first.replace('~', " WITH "));
    }
    let result = any(words, allowed);
    let [")", rest @ ..] = *words else { panic!("a parenthesis is not closed") };
    *words = rest;
    result
}

#[test]
fn expressions_are_understood() {
    let allowed: BTreeSet<String> = ["MIT", "Unicode-3.0", "MPL-2.0"].map(str::to_owned).into();
    for fine in ["MIT", "Apache-2.0/MIT", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0", "MPL-2.0+"] {
        assert!(is_allowed(fine, &allowed), "{fine}");
    }
    for not in ["GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0 WITH LLVM-exception", "(GPL-3.0 OR Zlib) AND MIT"] {
        assert!(!is_allowed(not, &allowed), "{not}");
    }
}

#[test]
fn licences_are_allowed() {
    let allowed = rules()["licenses"]["allow"].as_array().expect("a list of licences").clone();
    let allowed = allowed.iter().map(|licence| licence.as_str().expect("a licence is a text").to_owned()).collect();
    for package in packages() {
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_allowed(licence, &allowed), "{}: deny.toml does not allow the licence `{licence}`", name(&package));
    }
}

#[test]
fn there_is_one_version_of_each() {
    assert_eq!(rules()["bans"]["multiple-versions"].as_str(), Some("deny"));
    let skipped = rules()["bans"].get("skip").and_then(|skip| skip.as_array().cloned()).unwrap_or_default();
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages() {
        let version = package["version"].as_str().expect("a package has a version").to_owned();
        let exact = format!("{}@{version}", name(&package));
        if skipped.iter().any(|skip| skip["crate"].as_str() == Some(&exact)) {
            continue;
        }
        versions.entry(name(&package).to_owned()).or_default().insert(version);
    }
    versions.retain(|_, versions| versions.len() > 1);
    assert!(
        versions.is_empty(),
        "several versions are built: {versions:?}; choose one in Cargo.toml, or skip one in deny.toml"
    );
}

#[test]
fn sources_are_exact() {
    for package in packages() {
        let source = package["source"].as_str();
        let known = source.is_none_or(|source| source.starts_with("registry+"));
        assert!(known, "{} comes from {source:?}; only crates of the registry and of the workspace", name(&package));
        if source.is_some() {
            continue;
        }
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let is_wild = dependency["req"] == "*" && dependency["path"].is_null();
            assert!(!is_wild, "{} takes any version of {}", name(&package), dependency["name"]);
        }
    }
}
