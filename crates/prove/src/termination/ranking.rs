//! That a loop of a function ends, whatever its input: a measure that decreases with each turn, proved by induction.

use std::collections::BTreeSet;

use clew_ir::contract::{Builtin, Predicate, Sort, Term, TermKind};
use clew_ir::{BlockId, FunctionId, LoopId, Program};
use clew_symbolic::Unusable;

use super::measure::{Measure, Turn, decrease, measures, rankings};
use super::turns::{Watched, watched};
use crate::cut;
use crate::cut::Changed;
use crate::goal::{Carried, Goal, Point, Ranking, Site, Wanted};
use crate::induction::{self, Manner};
use crate::invent::{self, Known, Variable, conditions};
use crate::policy;
use crate::question::Question;

/// Looks for a ranking of a loop of the function in question; otherwise says why there is none.
pub(super) fn ranking(question: Question<'_>, target: LoopId) -> Result<Result<Ranking, String>, Unusable> {
    let Question { program, function, .. } = question;
    if let Err(why) = cut::cut_loop(program, function, target, false) {
        return Ok(Err(why.to_owned()));
    }
    let variables: Vec<Known> = invent::variables(program, function);
    let watched = watched(program, function, target, &variables);
    let question = Question { program: &watched.program, goals: &[], ..question };
    let (rows, chosen) = seen(question, &watched, target)?;
    let now: Vec<Known> = chosen.iter().map(|at| watched.now[*at]).collect();
    let before: Vec<Known> = chosen.iter().map(|at| watched.before[*at]).collect();
    let changed = changed(program, function, target);
    let changes = |at: usize| changed.contains(&now[at].variable);
    let conditions = conditions::atoms(program, function, &now);
    let sized = measures(&now, &changes, &conditions).into_iter().filter(|it| it.may_be_negative(&now));
    let sized: Vec<Measure> = sized.take(policy::MAX_MAGNITUDES.size()).collect();
    let rows: Vec<Turn> = rows.into_iter().map(|turn| with_magnitudes(turn, &sized)).collect();
    let rankings = rankings(&rows, &now, &changes, &conditions);
    let (before, current) = (terms(&before, &sized), terms(&now, &sized));
    let decreases = |ranking: &Vec<Measure>| at_turn(function, watched.turned, decrease(ranking, &before, &current));
    let goals: Vec<Goal> = rankings.iter().map(decreases).collect();
    let shown = |(at, carried): (usize, Vec<Carried>)| {
        let variant = rankings[at].iter().map(|measure: &Measure| measure.term(&current)).collect();
        Ranking { function, variant, carried }
    };
    let found = excluded(Question { goals: &goals, ..question })?;
    Ok(found.map(shown).ok_or_else(|| "no measure was found that decreases with each turn".to_owned()))
}

/// A turn with the absolute values of some measures behind all values.
fn with_magnitudes((mut before, mut now): Turn, of: &[Measure]) -> Turn {
    for row in [&mut before, &mut now] {
        row.extend(of.iter().map(|measure| measure.value(row).abs()).collect::<Vec<_>>());
    }
    (before, now)
}

/// Variables as terms, and the absolute values of some measures.
fn terms(variables: &[Known], of: &[Measure]) -> Vec<Term> {
    let variables: Vec<Term> = variables.iter().map(|known| known.term()).collect();
    let magnitude = |measure: &Measure| {
        let kind = TermKind::Call(Builtin::Abs, vec![measure.term(&variables)]);
        Term { kind, sort: Sort::Integer }
    };
    let magnitudes: Vec<Term> = of.iter().map(magnitude).collect();
    variables.into_iter().chain(magnitudes).collect()
}

/// The goal that something does not hold of a turn.
fn at_turn(function: FunctionId, block: BlockId, predicate: Predicate) -> Goal {
    let site = Site::Points(vec![Point { function, block, position: 0 }]);
    Goal { site, wanted: Wanted::Fails { assumes: Vec::new(), predicate } }
}

/// The first goal that no state reaches, and by which invariants: first without any, then with those that are found.
pub(super) fn excluded(question: Question<'_>) -> Result<Option<(usize, Vec<Carried>)>, Unusable> {
    if question.goals.is_empty() {
        return Ok(None);
    }
    let bare = induction::bare_cuts(question);
    let plain = induction::pursue_cut(question, &bare, Manner { blurs: false, guesses: true })?;
    if let Some(at) = plain.iter().position(|excluded| *excluded) {
        return Ok(Some((at, Vec::new())));
    }
    let found = invent::attempt(question, false)?;
    let Some(at) = found.excluded.iter().position(|excluded| *excluded) else { return Ok(None) };
    // The invariants are those of all goals that were excluded; what this one needs is found by itself.
    let only = [question.goals[at].clone()];
    let alone = invent::attempt(Question { goals: &only, ..question }, false)?;
    let carried = if alone.excluded == [true] { alone.carried } else { found.carried };
    Ok(Some((at, carried)))
}

/// Turns that were seen, and the variables that had a value in all of them.
fn seen(question: Question<'_>, watched: &Watched, target: LoopId) -> Result<(Vec<Turn>, Vec<usize>), Unusable> {
    let both: Vec<Known> = watched.now.iter().chain(&watched.before).copied().collect();
    let heads: BTreeSet<BlockId> = [watched.turned].into();
    let samples = invent::samples(question, &heads, &both)?;
    let rows = samples.0.get(&watched.turned).map_or(&[][..], |visits| &visits.rows);
    let many = watched.now.len();
    let changed = changed(question.program, question.function, target);
    let is_known = |at: &usize| rows.iter().all(|row| row[*at].is_some() && row[*at + many].is_some());
    let mut chosen: Vec<usize> = (0..many).filter(is_known).collect();
    chosen.sort_by_key(|at| !changed.contains(&watched.now[*at].variable));
    chosen.truncate(policy::MAX_RANKED_VARIABLES.size());
    let values = |row: &Vec<Option<i128>>, from: usize| chosen.iter().filter_map(|at| row[*at + from]).collect();
    let mut turns: Vec<Turn> = rows.iter().map(|row| (values(row, many), values(row, 0))).collect();
    turns.sort_unstable();
    turns.dedup();
    Ok((turns, chosen))
}

/// The variables that turns of a loop may change.
fn changed(program: &Program, function: FunctionId, target: LoopId) -> BTreeSet<Variable> {
    let changes = cut::cut_loop(program, function, target, false).map(|cut| cut.changes).unwrap_or_default();
    let variable = |(changed, _): &(Changed, _)| match changed {
        Changed::Local(local) => Variable::Local(*local),
        Changed::Global(global) => Variable::Global(*global),
    };
    changes.iter().map(variable).collect()
}
