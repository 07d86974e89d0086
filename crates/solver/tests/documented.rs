//! Every contractor is named in `docs/solver.md`.

#[test]
fn every_contractor_is_documented() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("../../docs/solver.md")).expect("the documentation is there");
    for family in ["int", "float"] {
        let folder = root.join("src/propagate").join(family);
        for entry in std::fs::read_dir(folder).expect("the folder of contractors is there") {
            let path = entry.expect("entries can be read").path();
            let name = path.file_stem().and_then(|stem| stem.to_str()).expect("names are plain");
            assert!(text.contains(&format!("`{name}`")), "docs/solver.md does not name {family}/{name}");
        }
    }
}
