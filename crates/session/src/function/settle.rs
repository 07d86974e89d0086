//! Mutants that survive: killed by an input found for them, proved to be the same function, or unknown.
//!
//! A mutant is put beside the function under another name, and a third function calls both on the same input, one after
//! the other, and compares what they leave. An input on which they differ is tried natively. That there is none is a proof
//! only if no check of the mutant can fail either: a mutant that does something undefined is not the same function.
//!
//! Looked at are functions that give a number or nothing, and that only compute: no calls of what has no body, no
//! allocations, no volatile memory, nothing that is remembered. What they write behind pointers must be arrays of numbers
//! whose lengths the precondition says; arrays of any length are compared up to a length, which is no proof.
//!
//! Before that, mutants go that never begin to differ ([`infection`]). Lengths are tried from small to great, for most
//! differences show in short arrays; where nothing is known of all lengths, the greatest one is said up to which there is none.

mod copy;
mod harness;
mod infection;
mod undefined;

use super::Request;
use super::patience::Patience;
use crate::policy;
use clew_analyze::facts::{Options, facts};
use clew_execute::{Input, PointerTarget};
use clew_frontend::{Loaded, contract};
use clew_ir::{FunctionId, GlobalKind, Program};
use clew_mutation::Mutant;
use clew_prove::{Goal, Site, Verdict, Wanted, pursue};
use clew_solver::clock::Deadline;
use clew_symbolic::Precondition;
use clew_symbolic::config::{Assumptions, Config, Errors, Limits, Mode, Validity};
use copy::alias;
use harness::{Copies, Pair, harness_name};
use std::time::Duration;

const NET: Duration = Duration::from_secs(20);

/// Lengths that are tried first, and the part of the work that each may take.
const SHORT: [(u32, u32); 3] = [(2, 2), (3, 2), (5, 2)];

/// Headers of functions that only compute.
const PURE: [&str; 2] = ["math.h", "ctype.h"];

/// What is known of a mutant that no test killed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It is the same function.
    Equivalent,
    /// It does the same with arrays of so many elements at most.
    UpTo(u32),
    /// It does what C leaves undefined on an input on which the function does not, and this.
    Undefined(String),
    /// The same, and in a build with sanitizers a test kills it: its position.
    Sanitized(usize),
    /// Not known, and why.
    Unknown(String),
}

/// Settles mutants by position that tests with these inputs do not kill. `kills` runs an input that should kill one, and
/// says whether it did and is a test now.
pub(super) fn settle(
    request: &Request<'_, '_>,
    mutants: &[Mutant],
    alive: &[usize],
    inputs: &[Input],
    kills: &mut dyn FnMut(usize, &Input) -> Tried,
) -> Vec<(usize, Settled)> {
    if alive.len() > policy::MAX_SURVIVORS.size() {
        let reason = format!("more than {} mutants survive", policy::MAX_SURVIVORS.size());
        return alive.iter().map(|&index| (index, Settled::Unknown(reason.clone()))).collect();
    }
    let mut settled = Vec::new();
    for index in infection::never(request, mutants, alive) {
        settled.push((index, Settled::Equivalent));
    }
    let alive: Vec<usize> = alive.iter().copied().filter(|index| settled.iter().all(|(of, _)| of != index)).collect();
    let unknown = |reason: &String| Settled::Unknown(reason.clone());
    let copies = match Copies::load(request, mutants, &alive) {
        Ok(copies) => copies,
        Err(reason) => {
            settled.extend(alive.into_iter().map(|index| (index, unknown(&reason))));
            return settled;
        }
    };
    let mut open = Vec::new();
    for index in alive {
        match copies.fails(request, mutants[index].number, inputs) {
            Some((test, what)) => settled.push((index, Settled::Undefined(format!("test {}: {what}", test + 1)))),
            None => open.push(index),
        }
    }
    let numbers: Vec<u32> = open.iter().map(|index| mutants[*index].number).collect();
    let patience = Patience::new(request.config.limits.deadline);
    match copies.pair(request, &numbers, inputs) {
        Ok(mut pair) => {
            for index in open {
                if patience.is_over() {
                    settled.push((index, Settled::Unknown("time".to_owned())));
                    continue;
                }
                let known = one(request, &mut pair, mutants[index].number, &mut |input| kills(index, input));
                settled.extend(known.map(|known| (index, known)));
            }
        }
        Err(reason) => settled.extend(open.into_iter().map(|index| (index, unknown(&reason)))),
    }
    settled
}

/// What came of a comparison.
enum Compared {
    /// There is no difference.
    Same,
    /// An input kills the mutant.
    Killed,
    /// On an input only the mutant is undefined.
    Undefined(String),
}

/// What is known of the mutant of that number beside the function; nothing if it was killed.
fn one(
    request: &Request<'_, '_>,
    pair: &mut Pair,
    number: u32,
    kills: &mut dyn FnMut(&Input) -> Tried,
) -> Option<Settled> {
    let mut best = None;
    let extents = pair.extents.clone();
    for (length, part) in SHORT.iter().filter(|_| !extents.is_empty()) {
        let bounds: Vec<String> = extents.iter().map(|extent| format!("{extent} <= {length}")).collect();
        match compared(request, pair, &bounds, (number, policy::MUTANT_WORK.millis() / *part), kills) {
            Ok(Compared::Same) => best = Some(*length),
            Ok(Compared::Killed) => return None,
            Ok(Compared::Undefined(what)) => return Some(Settled::Undefined(what)),
            Err(_) if best.is_some() => return best.map(Settled::UpTo),
            Err(_) => break,
        }
    }
    // What takes longer shows more only where it is about arrays of all lengths.
    if let Some(length) = best.filter(|_| pair.is_bounded) {
        return Some(Settled::UpTo(length));
    }
    let work = if best.is_some() {
        policy::MUTANT_WORK.millis() / policy::ALL_LENGTHS_SHARE.small()
    } else {
        policy::MUTANT_WORK.millis()
    };
    let bounds = pair.bounds.clone();
    match (compared(request, pair, &bounds, (number, work), kills), best) {
        (Ok(Compared::Same), _) if pair.is_bounded => Some(Settled::UpTo(policy::MAX_SETTLED_LENGTH.small())),
        (Ok(Compared::Same), _) => Some(Settled::Equivalent),
        (Ok(Compared::Killed), _) => None,
        (Ok(Compared::Undefined(what)), _) => Some(Settled::Undefined(what)),
        (Err(_), Some(length)) => Some(Settled::UpTo(length)),
        (Err(reason), None) => Some(Settled::Unknown(reason)),
    }
}

/// What came of an input that should kill a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    /// It is a test now, or another test kills the mutant already.
    Killed,
    /// It does not kill it.
    Same,
    /// It kills it, but cannot become a test.
    Lost,
}

/// Compares the mutant of that number with the function where that holds.
fn compared(
    request: &Request<'_, '_>,
    pair: &mut Pair,
    bounds: &[String],
    (number, work): (u32, Duration),
    kills: &mut dyn FnMut(&Input) -> Tried,
) -> Result<Compared, String> {
    let loaded = &mut pair.loaded;
    let name = &request.program.functions[request.function].name;
    let find = |loaded: &Loaded, name: &str| {
        loaded.program.function(name).ok_or_else(|| "it cannot be read beside its mutants".to_owned())
    };
    let (harness, copy) = (find(loaded, &harness_name(name, number))?, find(loaded, &alias(name, number))?);
    let own = find(loaded, name)?;
    let mut precondition = request.precondition.clone();
    if let Some(function) = precondition.function {
        precondition.function = Some(find(loaded, &request.program.functions[function].name)?);
    }
    for bound in bounds.iter().chain(&pair.guessed) {
        precondition.clauses.push(contract::precondition(loaded, harness, bound).map_err(|it| it.message)?);
    }
    let contract = &loaded.program.functions[own].contract;
    if contract.rejected.iter().any(|rejected| rejected.clause == "requires") {
        return Err("its precondition cannot be read again".to_owned());
    }
    precondition.clauses.extend(contract.requires.iter().cloned());
    let holds = contract::postcondition(loaded, harness, "\\result == 1").map_err(|it| it.message)?;
    let wanted = Wanted::Fails { assumes: Vec::new(), predicate: holds.predicate };
    let mut goals = vec![Goal { site: Site::Return, wanted }];
    // Where a check fails a path ends, in the function that compares as in the mutant.
    let requires = precondition.clauses.clone();
    let known = facts(&loaded.program, harness, &Options { requires, moves_are_assumed: false, ..Options::default() });
    for id in [copy, harness] {
        let checks =
            loaded.program.functions[id].checks.ids().filter(|check| !known.never_fails.contains(&(id, *check)));
        goals.extend(checks.map(|check| Goal { site: Site::Check(id, check), wanted: Wanted::Arrival }));
    }
    let config = config(request, work);
    let (mut was_killed, mut is_lost, mut wrong) = (false, false, None);
    let mut found = |goal: usize, explored: &clew_symbolic::Explored| {
        let fails = undefined::undefined(&loaded.program, copy, &[&explored.input]);
        wrong = wrong.take().or(fails.map(|(_, what)| what));
        let Some(input) = translated(&loaded.program, request.program, &explored.input) else {
            is_lost = true;
            return false;
        };
        match kills(&input) {
            Tried::Killed => was_killed = true,
            Tried::Lost => is_lost = true,
            Tried::Same => {}
        }
        was_killed || goal > 0
    };
    let verdicts = pursue(&loaded.program, harness, &precondition, &config, &goals, &mut found);
    if was_killed {
        return Ok(Compared::Killed);
    }
    if let Some(what) = wrong {
        return Ok(Compared::Undefined(what));
    }
    if is_lost {
        return Err("an input kills it that cannot be followed".to_owned());
    }
    verdict(request, loaded, (harness, &precondition), &verdicts.map_err(|error| error.reason)?)
        .map(|()| Compared::Same)
}

/// How goals are pursued.
fn config(request: &Request<'_, '_>, work: Duration) -> Config {
    let net = Patience::new(request.config.limits.deadline).within(NET);
    let limits = Limits { deadline: Deadline::after(net).or_work(work), ..Limits::default() };
    Config {
        mode: Mode::Goal,
        criteria: Vec::new(),
        errors: Errors::Report,
        validity: Validity::Demanded,
        scope: Vec::new(),
        limits,
        calls: 1,
        explain: false,
        compares: true,
        ..request.config.clone()
    }
}

/// That verdicts are a proof; or why they are none.
fn verdict(
    request: &Request<'_, '_>,
    loaded: &Loaded,
    (harness, precondition): (FunctionId, &Precondition),
    verdicts: &[Verdict],
) -> Result<(), String> {
    for (goal, verdict) in verdicts.iter().enumerate() {
        match verdict {
            Verdict::Infeasible(clew_prove::Proof::Bounded(turns)) => {
                return Err(format!("no difference where loops make at most {turns} turns"));
            }
            Verdict::Infeasible(_) => {}
            Verdict::Reached(_) if goal > 0 => return Err("it may do what C leaves undefined".to_owned()),
            Verdict::Reached(_) => return Err("an input that should kill it does not".to_owned()),
            Verdict::Unknown(reasons) => {
                return Err(reasons.iter().next().cloned().unwrap_or_else(|| "not decided".to_owned()));
            }
        }
    }
    let is_strict = request.config.assumptions == Assumptions::Rejected;
    let assumed =
        crate::infer::of_function(&loaded.program, harness, &precondition.clauses, super::overlap::overlap(request));
    match assumed.into_iter().next().filter(|_| is_strict) {
        Some(assumption) => Err(format!("the same only if {assumption}")),
        None => Ok(()),
    }
}

/// An input of the function that compares, as one of the function under test.
fn translated(from: &Program, to: &Program, input: &Input) -> Option<Input> {
    if !input.earlier.is_empty() || !input.stubs.is_empty() || !input.readings.is_empty() || !input.extra.is_empty() {
        return None;
    }
    let to_objects = |target: &PointerTarget| matches!(target, PointerTarget::Object(..));
    if !input.contents().all(|content| content.pointers.iter().all(|pointer| to_objects(&pointer.target))) {
        return None;
    }
    let mut other = Input { after: None, ..input.clone() };
    other.unwritten.places.clear();
    other.unwritten.result.clear();
    for (global, _) in &mut other.globals {
        let name = &from.globals[*global].name;
        let mut same = to.globals.iter().filter(|(_, data)| data.name == *name && data.kind == GlobalKind::Variable);
        *global = same.next()?.0;
        if same.next().is_some() {
            return None;
        }
    }
    Some(other)
}
