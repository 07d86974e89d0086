//! Results of two runs, to be compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

/// All files below a folder by their paths: without times, numbers of shards, what workers did, and the order of lines in
/// journals.
///
/// # Panics
/// If the folder cannot be read, or holds what is no text.
pub fn results(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut work = vec![folder.to_owned()];
    while let Some(below) = work.pop() {
        for entry in std::fs::read_dir(&below).expect("the folder can be read") {
            let path = entry.expect("its entries can be read").path();
            if path.is_dir() {
                work.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("files are text");
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let text = comparable(name, text);
            found.insert(path.strip_prefix(folder).expect("it lies below").to_owned(), text);
        }
    }
    found
}

/// The part of a file that two runs agree on.
fn comparable(name: &str, text: String) -> String {
    match name {
        "project.json" => timeless(&text),
        "project.jsonl" => {
            text.lines().map(timeless).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("\n")
        }
        "index.html" => match (text.find(",\"crew\":{"), text.find("</script>")) {
            (Some(crew), Some(end)) => format!("{}}}{}", &text[..crew], &text[end..]),
            _ => text,
        },
        _ => text,
    }
}

/// The text of some JSON without times, workers and the number of a shard.
fn timeless(text: &str) -> String {
    fn strip(value: &mut Value) {
        if let Value::Object(fields) = value {
            fields.retain(|name, _| !name.ends_with("seconds") && name != "crew" && name != "shard");
            fields.values_mut().for_each(strip);
        } else if let Value::Array(items) = value {
            items.iter_mut().for_each(strip);
        }
    }
    let mut value: Value = serde_json::from_str(text).expect("it is JSON");
    strip(&mut value);
    value.to_string()
}
