//! What a goal demands of a state, as a formula.

use clew_ir::contract::Predicate;
use clew_scalar::UnaryOp;

use crate::goal::Wanted;
use clew_symbolic::config::Errors;
use clew_symbolic::ending::{Limit, PathEnd};
use clew_symbolic::scope::{Scope, When};
use clew_symbolic::stepped::Step;
use clew_symbolic::value::{self, Scalar, Val};
use clew_symbolic::{Path, Stepper};

/// Whether what is wanted is the case in a state; `result` is what the function under test returned, if it did.
pub(super) fn wanted(stepper: &mut Stepper<'_>, path: &mut Path, wanted: &Wanted, result: Option<Val>) -> Step<Scalar> {
    let scope = scope_of(stepper, path, result);
    match wanted {
        Wanted::Arrival => Ok(Scalar::bool(true)),
        Wanted::Holds(predicate) => stepper.contract(path, &scope).predicate(predicate),
        Wanted::Changes { assumes, places } => {
            let all = assumed(stepper, path, &scope, assumes)?;
            if all.bits() == Some(0) {
                return Ok(all);
            }
            let changes = stepper.contract(path, &scope).changes_beyond(places)?;
            Ok(value::and(stepper.constraints.terms(), all, changes))
        }
        Wanted::Fails { assumes, predicate } => {
            let all = assumed(stepper, path, &scope, assumes)?;
            if all.bits() == Some(0) {
                return Ok(all);
            }
            let holds = stepper.contract(path, &scope).predicate(predicate)?;
            let terms = stepper.constraints.terms();
            let fails = value::unary(terms, UnaryOp::Not, holds);
            Ok(value::and(terms, all, fails))
        }
    }
}

/// Whether predicates held on entry.
fn assumed(stepper: &mut Stepper<'_>, path: &mut Path, scope: &Scope, assumes: &[Predicate]) -> Step<Scalar> {
    let mut all = Scalar::bool(true);
    for assumed in assumes {
        let held = stepper.at_entry(path, scope, |this, path, scope| this.contract(path, scope).predicate(assumed))?;
        all = value::and(stepper.constraints.terms(), all, held);
    }
    Ok(all)
}

/// How predicates are read in a state.
fn scope_of(stepper: &Stepper<'_>, path: &Path, result: Option<Val>) -> Scope {
    let when = if path.state.frames.len() > 1 { When::InCallee } else { When::Later };
    Scope { result, when, ..stepper.parameters() }
}

/// Whether reading what was never written is looked for, so that it must not be forgotten.
pub(super) fn watches_unwritten(stepper: &Stepper<'_>) -> bool {
    stepper.config.errors == Errors::Report
}

/// Why a path could not be followed, in words.
pub(super) fn reason(end: &PathEnd) -> Option<String> {
    match end {
        PathEnd::Unsupported { what, .. } => Some(format!("{what} is not supported")),
        PathEnd::Limit(limit) => Some(words(*limit)),
        _ => None,
    }
}

/// A limit as a reason.
pub(super) fn words(limit: Limit) -> String {
    format!("a limit was met: {}", limit.name())
}
