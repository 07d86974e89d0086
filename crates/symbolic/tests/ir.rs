//! The stepper on programs as text: what each step of one path brings about.
//!
//! `; ask: run f0` runs a function along the input that the precondition gives first, and lists what happens: branches
//! taken and left open, forks, failed checks, limits, the end. `; ask: run f0 split` tells alias relations apart.

use std::path::Path as File;

use clew_execute::Event;
use clew_ir::{FunctionId, Program};
use clew_symbolic::config::{Alias, Config};
use clew_symbolic::ending::PathEnd;
use clew_symbolic::stepped::{Stepped, Way, Ways};
use clew_symbolic::value::Scalar;
use clew_symbolic::{Path, Precondition, Stepper};

#[test]
fn steps_bring_about_what_files_say() {
    clew_testing::ask_files(&File::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir"), "ir", answer);
}

fn answer(text: &str, question: &str) -> Vec<String> {
    let program = clew_ir::text::parse(text).unwrap_or_else(|error| panic!("{error:?} in\n{text}"));
    let mut words = question.split(' ');
    assert_eq!(words.next(), Some("run"), "questions are `run fN`");
    let number = words.next().and_then(|word| word.strip_prefix('f')).and_then(|word| word.parse().ok());
    let function = FunctionId::new(number.expect("a function is f and a number"));
    let alias = if words.next() == Some("split") { Alias::Split } else { Alias::Merge };
    let mut stepper = Stepper::new(&program, Config { alias, ..Config::default() });
    match stepper.start(function, &Precondition::default()) {
        Ok(path) => run(&program, &mut stepper, path),
        Err(unusable) => vec![format!("unusable: {}", unusable.reason)],
    }
}

fn run(program: &Program, stepper: &mut Stepper<'_>, mut path: Path) -> Vec<String> {
    let mut lines = Vec::new();
    effects(program, stepper, &mut lines);
    loop {
        let stepped = stepper.step(&mut path, 10_000);
        effects(program, stepper, &mut lines);
        match stepped {
            Ok(Stepped::Executed(_) | Stepped::Went) => {}
            Ok(Stepped::Branches(ways)) => {
                let taken = stepper.taken(&path, &ways);
                lines.push(branch(&ways, taken));
                stepper.take(&mut path, &ways, taken);
            }
            Err(end) => {
                lines.push(format!("end: {}", ending(&end)));
                return lines;
            }
        }
    }
}

/// Takes what a step brought about.
fn effects(program: &Program, stepper: &mut Stepper<'_>, lines: &mut Vec<String>) {
    let effects = std::mem::take(&mut stepper.effects);
    for fork in effects.forks {
        let frame = fork.state.frame();
        let name = &program.functions[frame.function].name;
        lines.push(format!("fork: {name} b{} instruction {}", frame.block.index(), frame.next));
    }
    lines.extend(effects.failures.iter().map(|failing| format!("fails: {}", failing.finding.failure.what)));
    lines.extend(effects.undecided.iter().map(|(_, check)| format!("undecided: k{}", check.index())));
    lines.extend(effects.limits.iter().map(|limit| format!("limit: {}", limit.name())));
}

fn branch(ways: &Ways, taken: usize) -> String {
    let is_open = |(index, way): &(usize, &Way)| *index != taken && matches!(way.when, Scalar::Term(_));
    let open: Vec<String> = ways.all.iter().enumerate().filter(is_open).map(|(_, way)| name(way)).collect();
    let open = if open.is_empty() { "nothing".to_owned() } else { open.join(", ") };
    format!("takes {}, leaves open {open}", name(&ways.all[taken]))
}

fn name(way: &Way) -> String {
    match way.event {
        Some(Event::Condition { condition, outcome, .. }) => format!("c{} {outcome}", condition.index()),
        Some(Event::Switch { decision, arm, .. }) => format!("d{} arm {arm}", decision.index()),
        None => format!("b{}", way.to.index()),
    }
}

fn ending(end: &PathEnd) -> String {
    match end {
        PathEnd::Returned(_) => "returned".to_owned(),
        PathEnd::Failed(failure) => format!("failed: {}", failure.what),
        PathEnd::Unsupported { what, .. } => format!("unsupported: {what}"),
        PathEnd::Limit(limit) => format!("limit: {}", limit.name()),
        other => format!("{other:?}").to_lowercase(),
    }
}
