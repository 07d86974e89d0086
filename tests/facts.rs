//! Facts about small programs, as the command line states them.
//!
//! Every file of `tests/corpus/facts` says in its comments how it is looked at and what must come of it: a line
//! `//> prove --function f` runs `clew prove FILE --function f`; the lines `//= text` after it are parts of what is said
//! then, and `//! text` must not be. `//> 3 prove ...` also demands an exit code. Words after ` -- ` go to the compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

/// One run and what is expected of it.
struct Run {
    line: usize,
    words: Vec<String>,
    code: Option<i32>,
    said: Vec<String>,
    not_said: Vec<String>,
}

fn runs(text: &str) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (line, content) in (1..).zip(text.lines().map(str::trim)) {
        if let Some(command) = content.strip_prefix("//> ") {
            let mut words = shlex::split(command).expect("quotes are closed");
            let code = words[0].parse().ok();
            if code.is_some() {
                words.remove(0);
            }
            runs.push(Run { line, words, code, said: Vec::new(), not_said: Vec::new() });
        } else if let Some(run) = runs.last_mut() {
            run.said.extend(content.strip_prefix("//= ").map(str::to_owned));
            run.not_said.extend(content.strip_prefix("//! ").map(str::to_owned));
        }
    }
    runs
}

/// What a run says, and its exit code.
fn execute(file: &Path, run: &Run, out: &Path) -> (String, Option<i32>) {
    let mut words = run.words.clone();
    let flags = words.iter().position(|word| word == "--").map(|at| words.split_off(at)).unwrap_or_default();
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.arg(&words[0]).arg(file).args(&words[1..]).arg("--out").arg(out).args(flags).env("NO_COLOR", "1");
    let output = command.output().expect("clew can be run");
    let said = [output.stdout, output.stderr].concat();
    (String::from_utf8_lossy(&said).into_owned(), output.status.code())
}

/// What is wrong with a run.
fn complaints(file: &Path, run: &Run) -> Option<String> {
    let name = file.file_stem().expect("a file has a name").to_string_lossy().into_owned();
    let out = std::env::temp_dir().join(format!("clew-facts-{}-{name}-{}", std::process::id(), run.line));
    let (said, code) = execute(file, run, &out);
    let _ = std::fs::remove_dir_all(&out);
    let is_missing = |text: &&String| !said.contains(text.as_str());
    let missing: Vec<_> = run.said.iter().filter(is_missing).collect();
    let wrong: Vec<_> = run.not_said.iter().filter(|text| said.contains(text.as_str())).collect();
    let is_wrong_code = run.code.is_some_and(|wanted| code != Some(wanted));
    if missing.is_empty() && wrong.is_empty() && !is_wrong_code {
        return None;
    }
    Some(format!("{name}.c:{}: missing {missing:?}, wrong {wrong:?}, exit code {code:?}\n{said}", run.line))
}

#[test]
fn facts_of_the_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/facts");
    let only = std::env::var("CLEW_FACTS").unwrap_or_default();
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the corpus is there").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for file in files.iter().filter(|file| file.to_string_lossy().contains(&only)) {
        let runs = runs(&std::fs::read_to_string(file).expect("the file can be read"));
        assert!(!runs.is_empty(), "{} states no fact", file.display());
        wrong.extend(runs.iter().filter_map(|run| complaints(file, run)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
