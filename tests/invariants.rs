//! Loops with known invariants: what they keep is found and proved, and nothing that holds is called violated.

use clew_analyze::facts::{self, facts};
use clew_frontend::{Options, load};
use clew_ir::FunctionId;
use clew_prove::{self as goal, Goal, Verdict};
use clew_session::goals::collect::{Selection, properties};
use clew_solver::clock::Deadline;
use clew_symbolic::Precondition;
use clew_symbolic::config::{Allocations, Config, Errors, Limits, Mode, Stubbing};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Functions of which all properties are to be proved, at least; there are sixty.
const PROVED: usize = 54;

/// Work on one function.
const EFFORT: Duration = Duration::from_millis(2500);

/// The properties of the functions of a file, by function: how many there are and those that are not proved.
fn open_properties(path: &Path) -> BTreeMap<String, (usize, Vec<String>)> {
    let loaded = load(&Options::file(path.to_owned())).expect("the front end can read the file");
    let program = &loaded.program;
    let own = |id: &FunctionId| program.functions[*id].is_defined() && !program.models.contains(id);
    let mut found = BTreeMap::new();
    for id in program.functions.ids().filter(own) {
        let asked = properties(program, id, &Selection::default());
        let goals: Vec<Goal> = asked.iter().map(|asked| asked.goal.clone().expect("a goal can be made")).collect();
        let known = facts(program, id, &facts::Options { moves_are_assumed: true, ..facts::Options::default() });
        let left: Vec<usize> =
            (0..goals.len()).filter(|goal| goal::known(program, id, &known, &goals[*goal]).is_none()).collect();
        let config = Config {
            mode: Mode::Goal,
            errors: Errors::AssumeAbsent,
            limits: Limits { deadline: Deadline::default().or_work(EFFORT), ..Limits::default() },
            stubbing: Stubbing { allocations: Allocations::MayFail, ..Stubbing::default() },
            ..Config::default()
        };
        let open: Vec<Goal> = left.iter().map(|goal| goals[*goal].clone()).collect();
        let mut reached = |_: usize, _: &_| true;
        let verdicts = goal::pursue(program, id, &Precondition::default(), &config, &open, &mut reached);
        let verdicts = verdicts.expect("the precondition can be used");
        let mut unproved = Vec::new();
        for (goal, verdict) in left.iter().zip(verdicts) {
            let name = &program.functions[id].name;
            assert!(!matches!(verdict, Verdict::Reached(_)), "{name}: {} holds: {verdict:?}", asked[*goal].text);
            if matches!(verdict, Verdict::Unknown(_)) {
                unproved.push(asked[*goal].text.clone());
            }
        }
        found.insert(program.functions[id].name.clone(), (asked.len(), unproved));
    }
    found
}

#[test]
fn what_loops_keep_is_proved() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/invariants");
    let entries = std::fs::read_dir(folder).expect("the corpus is there").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    let (mut all, mut unproved) = (0, Vec::new());
    std::thread::scope(|scope| {
        let workers: Vec<_> = files.iter().map(|file| scope.spawn(|| open_properties(file))).collect();
        for worker in workers {
            let functions = worker.join().expect("no property is violated");
            all += functions.values().filter(|(count, _)| *count > 0).count();
            unproved.extend(functions.into_iter().filter(|(_, (_, open))| !open.is_empty()));
        }
    });
    assert_eq!(all, 60, "the corpus has sixty loops");
    assert!(all - unproved.len() >= PROVED, "not proved: {unproved:#?}");
}
