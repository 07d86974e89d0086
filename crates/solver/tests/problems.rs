//! Every script in `tests/problems` gives the answers its `; expect:` lines state, in order, under every engine that
//! decides it.

use clew_solver::clock::Deadline;
use clew_solver::smtlib::{Options, run};
use clew_solver::solver::{Budget, Config, Engine};

fn answers(text: &str, engine: Engine) -> Vec<String> {
    // Labelling alone would try the 2^64 doubles one after the other.
    let steps = (engine == Engine::Propagation).then_some(100_000);
    let budget = Budget { steps, deadline: Deadline::default() };
    let options = Options { config: Config { engine, ..Config::default() }, budget };
    let mut lines = Vec::new();
    if let Err(error) = run(text, &options, &mut |line| lines.push(line.to_string())) {
        lines.push(format!("error: {error}"));
    }
    lines
}

fn expected(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.split_once("; expect: ").map(|(_, answer)| answer.trim())).collect()
}

#[test]
fn problems_have_their_expected_answers() {
    let mut files: Vec<_> = std::fs::read_dir("tests/problems").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 10, "the problems are found");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let expected = expected(&text);
        for engine in [Engine::Auto, Engine::Sat, Engine::Propagation] {
            let found = answers(&text, engine);
            // Propagation may give up; what a script asks about an answer it did not get is then an error.
            let gave_up = found.iter().position(|line| line == "unknown").filter(|_| engine == Engine::Propagation);
            let agrees = match gave_up {
                Some(position) => found[..position] == expected[..position],
                None => found == expected,
            };
            assert!(agrees, "{}, {engine:?}: expected {expected:#?}, found {found:#?}", file.display());
        }
    }
}
