//! Values of variables at the heads of loops, seen on some inputs.
//!
//! Inputs are found by the solver, so that they satisfy the precondition: parameters get small numbers where that is
//! possible. What calls give on the way gets small numbers too, as long as the path is still taken.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use clew_ir::BlockId;
use clew_scalar::{Type, Value};
use clew_solver::term::{Node, Sort, VarId};
use clew_symbolic::config::Errors;
use clew_symbolic::constraints::Answer;
use clew_symbolic::value::{Scalar, Val};
use clew_symbolic::{Path, Stepper};

use super::{Known, Variable};
use crate::policy;

/// Visits, and instructions, of a run that may not end.
const LONG: (usize, u64) = (80, 6_000);

/// Numbers that parameters are given first.
const FIRST: [i128; 8] = [0, 1, 2, 5, 10, 7, 3, 20];

/// Numbers for runs that may not end.
const FAR: [i128; 8] = [-1, 127, -128, 255, 2_147_483_647, 65_535, 100, 1_000];

/// What was seen at each head.
#[derive(Default)]
pub(crate) struct Samples(pub(crate) BTreeMap<BlockId, Visits>);

/// The values of all variables in one state, where they have one.
pub(crate) type SeenRow = Vec<Option<i128>>;

/// What was seen at one head.
#[derive(Default)]
pub(crate) struct Visits {
    pub(crate) rows: Vec<SeenRow>,
    /// Those of them that were the first of a run.
    pub(crate) first: Vec<SeenRow>,
}

impl Visits {
    /// The values of the variables that always have one, those that turns change first, at most so many.
    pub(super) fn columns(
        &self,
        variables: &[Known],
        most: usize,
        changes: &dyn Fn(&Known) -> bool,
    ) -> (Vec<Vec<i128>>, Vec<Known>) {
        let is_known = |at: &usize| self.rows.iter().all(|row| row[*at].is_some());
        let mut chosen: Vec<usize> = (0..variables.len()).filter(is_known).collect();
        chosen.sort_by_key(|at| !changes(&variables[*at]));
        chosen.truncate(most);
        let mut rows: Vec<Vec<i128>> =
            self.rows.iter().map(|row| chosen.iter().filter_map(|at| row[*at]).collect()).collect();
        rows.sort_unstable();
        rows.dedup();
        (rows, chosen.into_iter().map(|at| variables[at]).collect())
    }
}

/// Runs a function some times.
pub(super) fn samples(
    stepper: &mut Stepper<'_>,
    start: &Path,
    heads: &BTreeSet<BlockId>,
    variables: &[Known],
) -> Samples {
    let mut samples = Samples::default();
    let short = (policy::MAX_SAMPLE_VISITS.size(), policy::SAMPLE_STEPS.get());
    runs(stepper, start, (heads, &FIRST, short), variables, |seen| {
        for (head, visits) in seen.0 {
            let known = samples.0.entry(head).or_default();
            known.rows.extend(visits.rows);
            known.first.extend(visits.first);
        }
    });
    samples
}

/// The second half of what was seen at a head in each run that came there most often.
pub(super) fn long_runs(stepper: &mut Stepper<'_>, start: &Path, head: BlockId, variables: &[Known]) -> Vec<Visits> {
    let mut long = Vec::new();
    for first in [FIRST, FAR] {
        runs(stepper, start, (&[head].into(), &first, LONG), variables, |seen| {
            let visits = seen.0.into_values().filter(|visits| visits.rows.len() == LONG.0);
            long.extend(visits.map(|mut visits| Visits { rows: visits.rows.split_off(LONG.0 / 2), first: Vec::new() }));
        });
    }
    long
}

/// Runs a function some times, and tells what was seen in each run.
fn runs(
    stepper: &mut Stepper<'_>,
    start: &Path,
    (heads, first, most): (&BTreeSet<BlockId>, &[i128], (usize, u64)),
    variables: &[Known],
    mut seen: impl FnMut(Samples),
) {
    stepper.config.errors = Errors::End;
    for run in 0..policy::SAMPLE_RUNS.get() {
        let mut chance = Chance(run.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        let mut path = begun(stepper, start, first.get(run as usize).copied(), &mut chance);
        path.state.repeats = true;
        let mut samples = Samples::default();
        follow(stepper, (start, &mut path), (heads, most), variables, (&mut chance, &mut samples));
        seen(samples);
        if stepper.late() {
            break;
        }
    }
}

/// Numbers that look random.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    /// A number, mostly small.
    fn number(&mut self) -> i128 {
        match self.below(8) {
            0 => -i128::from(self.below(6)),
            1 => i128::from(self.below(60)),
            2 => i128::from(self.below(2)),
            _ => i128::from(self.below(14)),
        }
    }
}

/// The beginning with other arguments.
fn begun(stepper: &mut Stepper<'_>, start: &Path, first: Option<i128>, chance: &mut Chance) -> Path {
    let mut path = start.clone();
    let params = &stepper.program.functions[start.state.frame().function].params;
    for param in params {
        let Some(Val::Scalar(Scalar::Term(term))) = start.state.frame().temps.get(param.temp) else { continue };
        let Type::Int(width) = stepper.constraints.terms().ty(term) else { continue };
        let number = first.unwrap_or_else(|| chance.number());
        for number in [number, number + 1 + i128::from(chance.below(9))] {
            let terms = stepper.constraints.terms();
            let constant = terms.int(width, number as u128);
            let is_it = terms.eq(term, constant);
            let mut state = path.state.clone();
            if let Answer::Sat(model) = stepper.solve_within(20_000, &mut state, Some(is_it), &path.model.clone()) {
                path = Path { state, model };
                break;
            }
        }
    }
    path
}

/// Follows an input and notes what it shows.
fn follow(
    stepper: &mut Stepper<'_>,
    (start, path): (&Path, &mut Path),
    (heads, (most_visits, most_steps)): (&BTreeSet<BlockId>, (usize, u64)),
    variables: &[Known],
    (chance, samples): (&mut Chance, &mut Samples),
) {
    let mut visits: BTreeMap<BlockId, usize> = BTreeMap::new();
    loop {
        let frame = path.state.frame();
        if path.state.frames.len() == 1 && frame.next == 0 && heads.contains(&frame.block) {
            let block = frame.block;
            let visited = visits.entry(block).or_default();
            *visited += 1;
            if *visited <= most_visits {
                let is_first = *visited == 1;
                let row: SeenRow = variables.iter().map(|known| value(stepper, start, path, *known)).collect();
                let seen = samples.0.entry(block).or_default();
                seen.first.extend(is_first.then(|| row.clone()));
                seen.rows.push(row);
            } else if visits.len() == heads.len() && visits.values().all(|visits| *visits > most_visits) {
                return;
            }
        }
        let known = stepper.constraints.terms().vars().len();
        let went = stepper.follow(path, most_steps);
        stepper.effects.forks.clear();
        stepper.effects.failures.clear();
        if went.is_err() || path.state.steps > most_steps || stepper.late() {
            return;
        }
        for var in known..stepper.constraints.terms().vars().len() {
            choose(stepper, path, VarId::from_index(var), chance);
        }
    }
}

/// Gives something that a call gave a small number.
fn choose(stepper: &mut Stepper<'_>, path: &mut Path, var: VarId, chance: &mut Chance) {
    let terms = stepper.constraints.terms();
    let variable = terms.var(var);
    let (term, sort) = (variable.term, variable.sort);
    let Sort::Scalar(Type::Int(width)) = sort else { return };
    if !matches!(terms.node(term), Node::Var(_)) {
        return;
    }
    let number = if width == 1 { i128::from(chance.below(2)) } else { chance.number() };
    let bits = Value::int(width, number as u128).bits;
    if let Some(model) = stepper.constraints.changed(&path.state, &path.model, term, bits) {
        path.model = Rc::clone(&model);
    }
}

/// The value of a variable, if it has one.
fn value(stepper: &mut Stepper<'_>, start: &Path, path: &mut Path, known: Known) -> Option<i128> {
    let object = match known.variable {
        Variable::Local(local) => path.state.local(local),
        Variable::Global(global) => stepper.global(path, global).ok()?,
        Variable::Argument(position) => {
            let frame = start.state.frame();
            let param = &stepper.program.functions[frame.function].params[position as usize];
            return number(stepper, path, frame.temps.get(param.temp)?, known);
        }
    };
    let object = path.state.memory.get(object);
    let val = if object.alive { object.cell(0, known.bytes)? } else { return None };
    number(stepper, path, val, known)
}

fn number(stepper: &mut Stepper<'_>, path: &Path, val: Val, known: Known) -> Option<i128> {
    let value = match val {
        Val::Scalar(Scalar::Known(value)) => value,
        Val::Scalar(Scalar::Term(term)) => {
            let bits = stepper.constraints.value(&path.model, term);
            Value::new(stepper.constraints.terms().ty(term), bits)
        }
        Val::Pointer(_) => return None,
    };
    let Type::Int(_) = value.ty else { return None };
    if known.is_signed { Some(value.signed()) } else { i128::try_from(value.bits).ok() }
}
