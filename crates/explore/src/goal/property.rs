//! What a goal demands of a state, as a formula.

use clew_scalar::UnaryOp;

use super::Wanted;
use crate::contract::{Scope, When};
use crate::ending::{Limit, PathEnd};
use crate::step::Step;
use crate::value::{self, Scalar, Val};
use crate::{Explorer, Path};

impl Explorer<'_> {
    /// Whether what is wanted is the case in a state; `result` is what the function under test returned, if it did.
    pub(super) fn wanted(&mut self, path: &mut Path, wanted: &Wanted, result: Option<Val>) -> Step<Scalar> {
        let scope = self.scope_of(path, result);
        match wanted {
            Wanted::Arrival => Ok(Scalar::bool(true)),
            Wanted::Holds(predicate) => self.predicate(path, &scope, predicate),
            Wanted::Fails { assumes, predicate } => {
                let mut all = Scalar::bool(true);
                for assumed in assumes {
                    let held = self.at_entry(path, &scope, |this, path, scope| this.predicate(path, scope, assumed))?;
                    all = value::and(self.constraints.terms(), all, held);
                }
                if all.bits() == Some(0) {
                    return Ok(all);
                }
                let holds = self.predicate(path, &scope, predicate)?;
                let terms = self.constraints.terms();
                let fails = value::unary(terms, UnaryOp::Not, holds);
                Ok(value::and(terms, all, fails))
            }
        }
    }

    /// How predicates are read in a state.
    fn scope_of(&self, path: &Path, result: Option<Val>) -> Scope {
        let when = if path.state.frames.len() > 1 { When::InCallee } else { When::Later };
        Scope { result, when, ..self.parameters() }
    }

    /// Whether reading what was never written is looked for, so that it must not be forgotten.
    pub(super) fn watches_unwritten(&self) -> bool {
        self.config.errors == crate::config::Errors::Report
    }
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
