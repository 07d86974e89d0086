//! Random small programs against enumeration: nothing that some input does is called infeasible.
//!
//! All inputs of each program (`writer`) are interpreted; those on which something undefined happens do not count for
//! goals. Every fact of abstract interpretation is compared with what the executions show: blocks, branches, checks, and
//! the values that variables have where blocks begin. The same is done for random inputs of the corpus. `CLEW_GOALS` sets
//! how many programs are tried.

#[path = "soundness/calls.rs"]
mod calls;
#[path = "soundness/loops.rs"]
mod loops;
#[path = "soundness/writer.rs"]
mod writer;

use clew_analyze::facts::{self, Facts, Target, facts};
use clew_execute::{Checks, Content, Ending, Event, Image, Input, Interpreter, Outcome, Run};
use clew_frontend::{Loaded, Options, Preprocessed, contract, load, load_preprocessed};
use clew_ir::{BlockId, Callee, FunctionId, GlobalId, InstKind, LocalId, Operand, Program, TerminatorKind, Type};
use clew_prove::{self as goal, Goal, Point, Site, Verdict, Wanted};
use clew_solver::clock::Deadline;
use clew_symbolic::config::{Config, Errors, Limits};
use clew_symbolic::ending::PathEnd;
use clew_symbolic::{Explored, Precondition};
use clew_testing::Random;
use std::collections::BTreeSet;
use std::time::Duration;
use writer::{NOTE, Writer};

/// Values of each of the two inputs.
const INPUTS: std::ops::Range<i32> = 0..6;

/// Effort of the search backwards alone.
const BACKWARD: u64 = 50_000;

/// Steps of one execution; those that take more do not count.
const STEPS: u64 = 200_000;

/// What interpreting an input shows: the marks and the result; `None` if it does not come to its end.
fn shown(run: &Run) -> Option<(u32, i32)> {
    let Outcome::Returned(Some(result)) = &run.outcome else { return None };
    Some((number(&run.observation.globals[0], 0) as u32, result.signed() as i32))
}

/// The result of a run; `None` if it does not come to its end.
fn shown_result(run: &Run) -> Option<i32> {
    let Outcome::Returned(Some(result)) = &run.outcome else { return None };
    Some(result.signed() as i32)
}

/// One of the integers of a global.
fn number(bytes: &[u8], index: usize) -> i32 {
    i32::from_le_bytes(bytes[4 * index..4 * index + 4].try_into().expect("four bytes"))
}

fn all_inputs() -> Vec<Input> {
    let content = |number: i32| Content { bytes: number.to_le_bytes().to_vec(), pointers: Vec::new() };
    let pair = |a| INPUTS.map(move |b| Input { arguments: vec![content(a), content(b)], ..Input::default() });
    INPUTS.flat_map(pair).collect()
}

/// The places that leave marks, by the number of the mark.
fn marks(loaded: &Loaded, id: FunctionId, global: GlobalId) -> Vec<(u32, Point)> {
    let mut found = Vec::new();
    for (block, data) in loaded.program.functions[id].blocks.iter() {
        for (position, inst) in data.insts.iter().enumerate() {
            let is_mark = matches!(inst.kind, InstKind::Store { to: Operand::Global(to, 0), .. } if to == global);
            let before = data.insts[..position].iter().rev();
            let or = before.clone().find_map(|inst| match inst.kind {
                InstKind::Binary { op: clew_scalar::BinaryOp::Or, b: Operand::Const(value), .. } => Some(value.bits),
                _ => None,
            });
            if let (true, Some(bits)) = (is_mark, or) {
                found.push(((bits as u32).trailing_zeros(), Point { function: id, block, position }));
            }
        }
    }
    found
}

/// Compares what is said of one program with what all its inputs do; gives how many goals were decided, and all.
fn compare(seed: u64) -> (usize, usize) {
    let text = Writer::program(seed);
    let mut loaded = load_preprocessed(vec![Preprocessed::plain("random.c", &text)]);
    assert!(!loaded.has_errors(), "{:?}\n{text}", loaded.diagnostics);
    let id = loaded.program.function("f").expect("the function is there");
    let mut precondition = Precondition::default();
    for name in ["a", "b"] {
        let text = format!("{} <= {name} < {}", INPUTS.start, INPUTS.end);
        precondition.clauses.push(contract::precondition(&mut loaded, id, &text).expect("it fits"));
    }
    let named = |name| loaded.program.globals.iter().find(|(_, data)| data.name == name).expect("it is there").0;
    let [global, count, notes] = ["marks", "count", "notes"].map(named);
    let places = marks(&loaded, id, global);
    let result = contract::postcondition(&mut loaded, id, "\\result < 4").expect("it fits").predicate;
    let mut goals: Vec<Goal> =
        places.iter().map(|(_, point)| Goal { site: Site::Points(vec![*point]), wanted: Wanted::Arrival }).collect();
    goals.push(Goal { site: Site::Return, wanted: Wanted::Fails { assumes: Vec::new(), predicate: result } });
    let image = Image::new(&loaded.program, Checks::ALL);
    let mut interpreter = Interpreter::new(&image, id);
    interpreter.observe = vec![global, count, notes];
    interpreter.limits.steps = STEPS;
    let runs: Vec<Run> = all_inputs().iter().map(|input| interpreter.run(input).expect("it can be run")).collect();
    let seen: Vec<(u32, i32)> = runs.iter().filter_map(shown).collect();
    let does = |goal: usize, (mask, result): (u32, i32)| match places.get(goal) {
        Some((mark, _)) => mask >> mark & 1 == 1,
        None => result >= 4,
    };
    let options = facts::Options { requires: precondition.clauses.clone(), ..facts::Options::default() };
    let known = facts(&loaded.program, id, &options);
    for run in &runs {
        let said = contradiction(&loaded.program, &known, run).or_else(|| noted(&loaded.program, id, &known, run));
        assert_eq!(said, None, "program {seed}\n{text}");
    }
    for (index, goal) in goals.iter().enumerate() {
        let claimed = goal::known(&loaded.program, id, &known, goal).is_some();
        let done = seen.iter().any(|seen| does(index, *seen));
        assert!(!(claimed && done), "program {seed}, goal {index}: a fact is contradicted\n{text}");
    }
    let deadline = Deadline::default().or_work(Duration::from_secs(1));
    let config =
        Config { errors: Errors::AssumeAbsent, limits: Limits { deadline, ..Limits::default() }, ..Config::default() };
    let mut confirms = |goal: usize, explored: &Explored| {
        // What happens before something undefined does not count.
        if matches!(explored.end, PathEnd::Failed(_)) {
            return false;
        }
        let run = interpreter.run(&explored.input).expect("it can be run");
        if run.observation.ending == Ending::TimedOut {
            return false;
        }
        // Which elements a store at an index of the input leaves unwritten is not followed.
        if text.contains("malloc") && matches!(run.outcome, Outcome::Failed(_)) {
            return false;
        }
        let shown = shown(&run);
        assert!(shown.is_some_and(|shown| does(goal, shown)), "program {seed}, goal {goal}: {explored:?}\n{text}");
        true
    };
    let verdicts = goal::pursue(&loaded.program, id, &precondition, &config, &goals, &mut confirms);
    let verdicts = verdicts.expect("the precondition can be used");
    let backward = (goals.as_slice(), BACKWARD);
    let backward = goal::pursue_backward(&loaded.program, id, &precondition, &config, backward, &mut confirms);
    let backward = backward.expect("the precondition can be used");
    for (index, verdict) in verdicts.iter().enumerate().chain(backward.iter().enumerate()) {
        let done = seen.iter().any(|seen| does(index, *seen));
        let claimed = matches!(verdict, Verdict::Infeasible(_));
        assert!(!(claimed && done), "program {seed}, goal {index}: called infeasible\n{text}");
    }
    let open = verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Unknown(_))).count();
    (verdicts.len() - open, verdicts.len())
}

/// A fact about where control goes, or about checks, that an execution contradicts.
fn contradiction(program: &Program, known: &Facts, run: &Run) -> Option<String> {
    for event in &run.observation.path {
        let (function, taken) = edges(program, *event);
        let never = |(block, way): &(BlockId, usize)| {
            known.unreachable.contains(&(function, *block)) || known.never_taken.contains(&(function, *block, *way))
        };
        if known.functions.contains(&function) && !taken.is_empty() && taken.iter().all(never) {
            return Some(format!("{event:?} happens, though it never does"));
        }
    }
    match &run.outcome {
        Outcome::Failed(failure) => {
            let check = (failure.function, failure.check?);
            known.never_fails.contains(&check).then(|| format!("a check fails that never does: {failure:?}"))
        }
        _ => None,
    }
}

/// The ways out of blocks that an event may stand for.
fn edges(program: &Program, event: Event) -> (FunctionId, Vec<(BlockId, usize)>) {
    let of = |function: FunctionId, way: &dyn Fn(&TerminatorKind) -> Option<usize>| {
        let blocks = program.functions[function].blocks.iter();
        let found = blocks.filter_map(|(block, data)| way(&data.terminator.kind).map(|way| (block, way)));
        (function, found.collect())
    };
    match event {
        Event::Condition { function, condition, outcome } => of(function, &|kind| match kind {
            TerminatorKind::Branch { condition: Some(own), .. } if *own == condition => Some(usize::from(!outcome)),
            _ => None,
        }),
        Event::Switch { function, decision, arm } => of(function, &|kind| match kind {
            TerminatorKind::Switch { decision: Some(own), .. } if *own == decision => Some(arm as usize),
            _ => None,
        }),
    }
}

/// A fact about variables that the notes of an execution contradict.
fn noted(program: &Program, id: FunctionId, known: &Facts, run: &Run) -> Option<String> {
    let local =
        |name: &str| program.functions[id].locals.iter().find(|(_, it)| it.name == name).expect("it is there").0;
    let names = ["x", "y", "c", "u"].map(local);
    let [count, notes] = [&run.observation.globals[1], &run.observation.globals[2]];
    // Where something undefined happened, the globals are not known.
    let made = if count.is_empty() { 0 } else { number(count, 0) as usize };
    for note in 0..made {
        let field = |index: usize| number(notes, note * NOTE + index);
        let Some(block) = begins_with(program, id, field(0)) else { continue };
        let value = |(index, local): (usize, &LocalId)| {
            let value = field(index + 1);
            (*local, if index == 3 { i128::from(value as u32) } else { i128::from(value) })
        };
        let values: Vec<(LocalId, i128)> = names.iter().enumerate().map(value).collect();
        if !known.admit(program, id, block, &values) {
            return Some(format!("note {}: {values:?} cannot be", field(0)));
        }
        let target = Target::Local(id, local(["t", "x", "y"][field(5) as usize]));
        if known.targets(id, Some(block), local("p")).is_some_and(|targets| !targets.contains(&target)) {
            return Some(format!("note {}: the pointer cannot lead to {target:?}", field(0)));
        }
    }
    None
}

/// The block that begins with a note: nothing is stored before its call.
fn begins_with(program: &Program, id: FunctionId, note: i32) -> Option<BlockId> {
    let calls = |kind: &InstKind| match kind {
        InstKind::Call { callee: Callee::Direct(callee), args, .. } if program.functions[*callee].name == "note" => {
            matches!(args.first(), Some(Operand::Const(value)) if value.signed() == i128::from(note))
        }
        _ => false,
    };
    let changes = |kind: &InstKind| matches!(kind, InstKind::Store { .. } | InstKind::Call { .. });
    program.functions[id].blocks.iter().find_map(|(block, data)| {
        let first = data.insts.iter().find(|inst| changes(&inst.kind))?;
        calls(&first.kind).then_some(block)
    })
}

/// Random arguments for a function of integers, small ones mostly; `None` if it takes anything else.
fn arguments(program: &Program, id: FunctionId, random: &mut Random) -> Option<Input> {
    let function = &program.functions[id];
    let mut arguments = Vec::new();
    for param in &function.params {
        let Type::Int(width) = function.temps[param.temp].ty else { return None };
        let number = match random.below(4) {
            0 => random.below(1_u64 << 31) as i64 - (1 << 30),
            _ => random.below(40) as i64 - 10,
        };
        arguments
            .push(Content { bytes: number.to_le_bytes()[..usize::from(width / 8)].to_vec(), pointers: Vec::new() });
    }
    Some(Input { arguments, ..Input::default() })
}

/// Facts about the programs of the corpus against random inputs; gives how many executions there were.
fn compare_corpus(folder: &str) -> u32 {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).expect("the corpus is there");
    let paths: BTreeSet<_> = entries.map(|entry| entry.expect("it can be listed").path()).collect();
    let mut random = Random(1);
    let mut executions = 0;
    for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "c")) {
        let loaded = load(&Options::file(path.clone())).expect("the front end can read the file");
        let image = Image::new(&loaded.program, Checks::ALL);
        let own = |id: &FunctionId| loaded.program.functions[*id].is_defined() && !loaded.program.models.contains(id);
        for id in loaded.program.functions.ids().filter(own) {
            let requires = &loaded.program.functions[id].contract.requires;
            if !requires.is_empty() || arguments(&loaded.program, id, &mut random).is_none() {
                continue;
            }
            let known = facts(&loaded.program, id, &facts::Options::default());
            let mut interpreter = Interpreter::new(&image, id);
            interpreter.limits.steps = 100_000;
            for _ in 0..50 {
                let input = arguments(&loaded.program, id, &mut random).expect("it takes integers");
                let Ok(run) = interpreter.run(&input) else { continue };
                executions += 1;
                assert_eq!(contradiction(&loaded.program, &known, &run), None, "{}", path.display());
            }
        }
    }
    executions
}

#[test]
fn facts_about_the_corpus_hold() {
    assert!(compare_corpus("tests/corpus") > 500);
    assert!(compare_corpus("tests/corpus/goals") > 500);
}

#[test]
fn nothing_possible_is_called_infeasible() {
    let count = std::env::var("CLEW_GOALS").ok().and_then(|number| number.parse().ok()).unwrap_or(20);
    let first = std::env::var("CLEW_GOALS_FROM").ok().and_then(|number| number.parse().ok()).unwrap_or(0);
    let (mut decided, mut all) = (0, 0);
    for seed in first..first + count {
        let (some, whole) = compare(seed);
        decided += some;
        all += whole;
    }
    assert!(decided > 0 && all >= decided, "{decided} of {all} goals decided");
}

#[test]
fn nothing_that_a_sequence_of_calls_does_is_called_infeasible() {
    let count = std::env::var("CLEW_GOALS").ok().and_then(|number| number.parse().ok()).unwrap_or(20);
    let (mut later, mut proved) = (0, 0);
    for seed in 0..count {
        let (tests, proofs) = calls::compare(seed);
        later += tests;
        proved += proofs;
    }
    assert!(later > 0 && proved > 0, "{later} tests with earlier calls, {proved} proofs");
}

#[test]
fn no_invariant_that_is_found_excludes_what_a_loop_does() {
    let count = std::env::var("CLEW_GOALS").ok().and_then(|number| number.parse().ok()).unwrap_or(6);
    let first = std::env::var("CLEW_GOALS_FROM").ok().and_then(|number| number.parse().ok()).unwrap_or(0);
    let excluded: usize = (first..first + count).map(|seed| loops::compare(seed, loops::Manner::Invariants)).sum();
    assert!(excluded > 0, "invariants exclude nothing");
}

#[test]
fn nothing_excludes_what_a_loop_does() {
    let count = std::env::var("CLEW_GOALS").ok().and_then(|number| number.parse().ok()).unwrap_or(6);
    let first = std::env::var("CLEW_GOALS_FROM").ok().and_then(|number| number.parse().ok()).unwrap_or(0);
    let excluded: usize = (first..first + count).map(|seed| loops::compare(seed, loops::Manner::Whole)).sum();
    assert!(excluded > 0, "nothing is excluded");
}

#[test]
fn no_loop_that_goes_on_is_said_to_end() {
    let count = std::env::var("CLEW_GOALS").ok().and_then(|number| number.parse().ok()).unwrap_or(8);
    let first = std::env::var("CLEW_GOALS_FROM").ok().and_then(|number| number.parse().ok()).unwrap_or(0);
    let (mut ending, mut endless) = (0, 0);
    for (ends, goes_on) in (first..first + count).map(loops::compare_ends) {
        ending += ends;
        endless += goes_on;
    }
    assert!(ending > 0 && endless > 0, "{ending} loops end, {endless} go on");
    println!("{ending} loops end, {endless} go on");
}
