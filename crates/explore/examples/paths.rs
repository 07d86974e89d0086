//! Prints the paths of a function: `paths FILE.c FUNCTION [K]`.

use clew_explore::config::Config;
use clew_explore::{Next, Precondition, explore};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let loaded =
        clew_frontend::load(&clew_frontend::Options { files: vec![args[1].clone().into()], ..Default::default() })
            .unwrap();
    for d in &loaded.diagnostics {
        eprintln!("{d:?}");
    }
    let function = loaded.program.function(&args[2]).unwrap();
    let bound = args.get(3).and_then(|k| k.parse().ok());
    let config = Config { bound, ..Config::default() };
    let start = std::time::Instant::now();
    let (mut tests, mut within) = (0, 0);
    let mut distinct = std::collections::BTreeSet::new();
    let summary = explore(&loaded.program, function, &Precondition::default(), &config, &mut |explored| {
        tests += 1;
        within += u32::from(bound.is_none_or(|k| explored.turns <= k));
        distinct.insert(explored.path.clone());
        if std::env::var("SHOW").is_ok() {
            let args: Vec<_> = explored.input.arguments.iter().map(|c| c.bytes.clone()).collect();
            println!(
                "{tests}: {args:?} {:?} {:?} turns {}",
                explored.input.globals.iter().map(|g| &g.1.bytes).collect::<Vec<_>>(),
                explored.end,
                explored.turns
            );
        }
        Next::Continue
    });
    match summary {
        Ok(summary) => println!(
            "tests {tests} distinct {} within {within} refuted {} questions {} findings {} given up {:?} limits {:?} in {:?}",
            distinct.len(),
            summary.refuted,
            summary.questions,
            summary.findings.len(),
            summary.given_up,
            summary.limits,
            start.elapsed()
        ),
        Err(error) => println!("{error}"),
    }
}
