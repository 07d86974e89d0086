//! Whoever listens to a test run hears of every test, verdict and finding.

use clew_coverage::{Criterion, Verdict};
use clew_frontend::{Options, load};
use clew_session::event::Event;
use clew_session::{Natives, Request, run};
use clew_symbolic::Precondition;
use clew_symbolic::config::Config;
use std::collections::BTreeMap;

const SOURCE: &str = "int f(int x, int y) {\n    if (x > 3 && x < 2) return 1;\n    if (y == 0) return 2;\n    \
    return x / (y - 1);\n}\n";

#[test]
fn what_is_heard_is_what_comes_of_it() {
    let file = std::env::temp_dir().join(format!("clew-events-{}.c", std::process::id()));
    std::fs::write(&file, SOURCE).unwrap();
    let loaded = load(&Options::file(&file)).unwrap();
    std::fs::remove_file(&file).unwrap();
    let program = &loaded.program;
    let function = program.function("f").unwrap();
    let config = Config { criteria: vec![Criterion::Decision], ..Config::default() };
    let natives = Natives::new(program, &loaded.builds, &[function], &config, false);
    let request = Request { program, natives: &natives, function, precondition: Precondition::default(), config };
    let (mut tests, mut findings, mut verdicts) = (0, 0, BTreeMap::new());
    let outcome = run(&request, &mut |event| match event {
        Event::Tests { all, new } => {
            tests += new;
            assert_eq!(all.len(), tests);
        }
        Event::Objective { id, verdict } => drop(verdicts.insert(*id, (*verdict).clone())),
        Event::Finding(_) => findings += 1,
        Event::Limit(_) | Event::Pulse { .. } => {}
    })
    .unwrap();
    assert_eq!((tests, findings), (outcome.tests.len(), outcome.findings.len()));
    assert!(tests > 0 && findings > 0);
    let ledger = outcome.ledger.unwrap();
    let known: BTreeMap<_, Verdict> = ledger.entries().map(|(id, _, verdict)| (id, verdict.clone())).collect();
    assert_eq!(verdicts, known);
    assert!(known.values().any(|verdict| matches!(verdict, Verdict::Infeasible(_))));
    assert!(known.values().any(|verdict| matches!(verdict, Verdict::Covered(_))));
}
