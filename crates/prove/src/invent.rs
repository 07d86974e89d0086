//! Loop invariants that the source does not have: candidates are guessed, and what the solver shows to be inductive carries proofs.
//!
//! The function is run for some inputs ([`sample`]), and the values of its variables are noted wherever control comes to the
//! head of a loop. Polynomial equations that all of these values satisfy are found by linear algebra
//! ([`polynomial`]), bounds of variables, differences and sums are the extreme values seen ([`bounds`]), and conditions of the program
//! give comparisons and implications between them ([`conditions`]); what only holds once a turn was made is said of those
//! states alone ([`later`]). None of this is believed: every candidate is a goal of
//! a proof by induction (`induction`), those that fail are left out, and it begins anew with the rest, until all that are left hold
//! whenever control comes to the heads. What the goals need of them is then found by leaving out parts.
//!
//! This is data-driven invariant generation (Sharma et al. 2013; Daikon, Ernst et al. 2001) checked by Houdini. Samples that wrap around only lose
//! candidates. Not done: general disjunctions, and statements about arrays.

mod bounds;
pub(super) mod conditions;
mod later;
mod polynomial;
mod sample;

use std::collections::BTreeSet;

use clew_ir::contract::{Label, Place, PlaceKind, Predicate, Sort, Term, TermKind};
use clew_ir::{BlockId, CType, CTypeId, Function, FunctionId, GlobalId, InstKind, LocalId, Operand, Program, TempId};
use clew_symbolic::Unusable;

use super::induction::{self, Induction, Manner};
use crate::cut;
use crate::cut::{Changed, Cut};
use crate::goal::Goal;
use crate::policy;
use crate::question::{Question, stepper};
pub(super) use polynomial::binary;
use sample::{Samples, Visits};

/// An integer variable where control stands, or as it was at the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Variable {
    /// A variable of the function.
    Local(LocalId),
    /// A global.
    Global(GlobalId),
    /// What a parameter was at the call, by its position.
    Argument(u32),
}

/// A variable with its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) variable: Variable,
    pub(super) ty: CTypeId,
    pub(super) is_signed: bool,
    pub(super) bytes: u64,
}

impl Known {
    /// The variable as a logic integer.
    pub(super) fn term(self) -> Term {
        let kind = match self.variable {
            Variable::Local(local) => PlaceKind::Local(local),
            Variable::Global(global) => PlaceKind::Global(global),
            Variable::Argument(position) => PlaceKind::Param(position),
        };
        let value = Term { kind: TermKind::Value(Place { kind, ty: self.ty }), sort: Sort::C(self.ty) };
        let value = match self.variable {
            Variable::Argument(_) => Term { kind: TermKind::At(Box::new(value), Label::Pre), sort: Sort::C(self.ty) },
            _ => value,
        };
        Term { kind: TermKind::Convert(Box::new(value)), sort: Sort::Integer }
    }
}

/// Tries to exclude goals by invariants that it finds itself.
pub(super) fn invent(question: Question<'_>) -> Result<Induction, Unusable> {
    let mut config = question.config.clone();
    config.limits.deadline = config.limits.deadline.part(policy::INVENT_SHARE.small());
    let question = Question { config: &config, ..question };
    let exact = attempt(question, false)?;
    if exact.excluded.iter().all(|excluded| !excluded) && cut::may_blur(question) {
        return attempt(question, true);
    }
    Ok(exact)
}

pub(super) fn attempt(question: Question<'_>, blurs: bool) -> Result<Induction, Unusable> {
    let Question { program, function, .. } = question;
    let mut cuts = induction::cuts(question, blurs);
    if cuts.is_empty() {
        return Ok(Induction::default());
    }
    let variables = variables(program, function);
    let heads: BTreeSet<BlockId> = cuts.iter().map(|cut| cut.head).collect();
    let samples = samples(question, &heads, &variables)?;
    let atoms = conditions::atoms(program, function, &variables);
    for cut in &mut cuts {
        let Some(visits) = samples.0.get(&cut.head) else { continue };
        cut.invariants.extend(candidates(cut, &variables, visits, &atoms));
    }
    let manner = Manner { blurs, guesses: true };
    let (mut induction, cuts) = induction::houdini(question, cuts, manner)?;
    let excluded: Vec<Goal> = question
        .goals
        .iter()
        .zip(&induction.excluded)
        .filter(|(_, excluded)| **excluded)
        .map(|(goal, _)| goal.clone())
        .collect();
    if !excluded.is_empty() {
        let cuts = induction::minimised(
            Question { goals: &excluded, ..question },
            cuts,
            manner,
            policy::MAX_FEWER_ATTEMPTS.small(),
        )?;
        induction.carried = induction::carried(&cuts);
    }
    Ok(induction)
}

/// What the variables were at the heads of loops.
pub(super) fn samples(
    question: Question<'_>,
    heads: &BTreeSet<BlockId>,
    variables: &[Known],
) -> Result<Samples, Unusable> {
    let mut config = question.config.clone();
    config.limits.deadline = config.limits.deadline.part(policy::INVENT_SHARE.small());
    let mut stepper = stepper(question.program, question.function, config);
    let start = stepper.start(question.function, question.precondition)?;
    Ok(sample::samples(&mut stepper, &start, heads, variables))
}

/// What the variables were at the head of a loop towards the end of runs that made many turns of it.
pub(super) fn long_runs(question: Question<'_>, head: BlockId, variables: &[Known]) -> Result<Vec<Visits>, Unusable> {
    let mut config = question.config.clone();
    config.limits.deadline = config.limits.deadline.part(policy::INVENT_SHARE.small());
    let mut stepper = stepper(question.program, question.function, config);
    let start = stepper.start(question.function, question.precondition)?;
    Ok(sample::long_runs(&mut stepper, &start, head, variables))
}

/// The integer variables of a function: its own, those of its globals that it mentions, and the arguments of parameters
/// that it changes.
pub(super) fn variables(program: &Program, function: FunctionId) -> Vec<Known> {
    let data = &program.functions[function];
    let known = |variable, ty| known(program, variable, ty);
    let mut found: Vec<Known> = Vec::new();
    for (local, item) in data.locals.iter().filter(|(_, item)| !item.name.is_empty()) {
        found.extend(known(Variable::Local(local), item.ty));
    }
    for (position, param) in data.params.iter().enumerate() {
        if is_changed(data, param.temp) {
            found.extend(known(Variable::Argument(position as u32), param.ty));
        }
    }
    for global in &data.mentions().globals {
        found.extend(known(Variable::Global(*global), program.globals[*global].ty));
    }
    found
}

/// The variable in which an argument is kept.
fn home(function: &Function, argument: TempId) -> Option<LocalId> {
    function.blocks.values().flat_map(|block| &block.insts).find_map(|inst| match &inst.kind {
        InstKind::Store { to: Operand::Local(local), value: Operand::Temp(temp), .. } if *temp == argument => {
            Some(*local)
        }
        _ => None,
    })
}

/// Whether the variable in which an argument is kept is written again.
fn is_changed(function: &Function, argument: TempId) -> bool {
    let insts = || function.blocks.values().flat_map(|block| &block.insts);
    let writes = |local: LocalId| {
        insts()
            .filter(|inst| matches!(inst.kind, InstKind::Store { to: Operand::Local(to), .. } if to == local))
            .count()
    };
    home(function, argument).is_some_and(|local| writes(local) > 1)
}

pub(super) fn known(program: &Program, variable: Variable, ty: CTypeId) -> Option<Known> {
    let ctypes = &program.ctypes;
    if !matches!(ctypes.get(ty), CType::Int { .. }) {
        return None;
    }
    let bytes = ctypes.size_of(ty, program.target.pointer_bytes()).filter(|bytes| *bytes <= 8)?;
    Some(Known { variable, ty, is_signed: ctypes.is_signed(ty), bytes })
}

/// What may hold whenever control comes to a head.
pub(super) fn candidates(cut: &Cut, variables: &[Known], visits: &Visits, atoms: &[Predicate]) -> Vec<Predicate> {
    let changes = |known: &Known| {
        cut.changes.iter().any(|(changed, _)| match (changed, known.variable) {
            (Changed::Local(local), Variable::Local(other)) => *local == other,
            (Changed::Global(global), Variable::Global(other)) => *global == other,
            _ => false,
        })
    };
    let (rows, columns) = visits.columns(variables, policy::MAX_VARIABLES.size(), &changes);
    if rows.is_empty() {
        return Vec::new();
    }
    let mut found = polynomial::equations(&rows, &columns);
    found.extend(conditions::candidates(&visits.rows, variables, atoms));
    found.extend(bounds::bounds(&rows, &columns, &changes));
    found.truncate(policy::MAX_CANDIDATES.size());
    found.extend(later::candidates(visits, variables, &changes, atoms));
    found
}
