//! The documents list what there is: every propagator in `docs/solver.md`, every layer there and on the front page of the crate.

use clew_solver::policy::POLICY;
use clew_solver::solver::LAYERS;

fn read(path: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join(path)).expect("the document is there")
}

/// The first column of the table below a heading.
fn first_column<'a>(text: &'a str, heading: &str) -> Vec<&'a str> {
    let section = text.split(heading).nth(1).and_then(|rest| rest.split("\n## ").next()).expect("the section is there");
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(2);
    rows.filter_map(|row| row.split('|').nth(1)).map(|cell| cell.trim().trim_matches('`')).collect()
}

#[test]
fn every_layer_is_documented() {
    assert_eq!(first_column(&read("../../docs/solver.md"), "\n## The layers\n"), LAYERS, "docs/solver.md");
    let source = read("src/lib.rs");
    let items = source.lines().filter_map(|line| line.strip_prefix("//! ")?.split_once(". `")?.1.split('`').next());
    assert_eq!(items.collect::<Vec<_>>(), LAYERS, "src/lib.rs");
}

#[test]
fn every_row_of_the_policy_says_what_it_means() {
    let mut names: Vec<String> = POLICY.rows().iter().map(|row| row.name()).collect();
    for row in POLICY.rows() {
        assert!(row.meaning().ends_with('.') && !row.evidence().is_empty(), "{}", row.name());
        assert_eq!(row.get(), row.default(), "{} is as the table has it", row.name());
    }
    names.sort();
    names.dedup();
    assert_eq!(names.len(), POLICY.rows().len(), "names of rows are unique");
}

#[test]
fn every_propagator_is_documented() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("../../docs/solver.md")).expect("the documentation is there");
    for family in ["int", "float"] {
        let folder = root.join("src/propagate").join(family);
        for entry in std::fs::read_dir(folder).expect("the folder of propagators is there") {
            let path = entry.expect("entries can be read").path();
            let name = path.file_stem().and_then(|stem| stem.to_str()).expect("names are plain");
            assert!(text.contains(&format!("`{name}`")), "docs/solver.md does not name {family}/{name}");
        }
    }
}
