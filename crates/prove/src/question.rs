//! What is asked, and the stepper and the first state with which an answer begins.

use clew_coverage::Ledger;
use clew_ir::{FunctionId, Program};
use clew_symbolic::config::Config;
use clew_symbolic::{Path, Precondition, Stepper, Unusable};

use crate::goal::{Goal, Site};

/// What is asked, of which function.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) program: &'a Program,
    pub(super) function: FunctionId,
    pub(super) precondition: &'a Precondition,
    pub(super) config: &'a Config,
    pub(super) goals: &'a [Goal],
}

/// The options for some goals: where a check is among them, none may be passed over.
pub(super) fn for_goals(config: &Config, goals: &[Goal]) -> Config {
    let asks_for_checks = goals.iter().any(|goal| matches!(goal.site, Site::Check(..)));
    Config { error_goals: config.error_goals || asks_for_checks, ..config.clone() }
}

/// A stepper that notes what criteria want to know of the paths that it follows.
pub(super) fn stepper<'p>(program: &'p Program, function: FunctionId, config: Config) -> Stepper<'p> {
    let ledger = Ledger::asked_for(program, function, &config.scope, &config.criteria);
    let mut stepper = Stepper::new(program, config);
    if let Some(ledger) = ledger {
        stepper.record(ledger.labels());
    }
    stepper
}

/// The state in which a function is called; if there is a precondition in C, that is run first.
pub(super) fn start(
    stepper: &mut Stepper<'_>,
    function: FunctionId,
    precondition: &Precondition,
) -> Result<Path, Unusable> {
    let mut start = stepper.start(function, precondition)?;
    if let Some(guard) = precondition.function {
        stepper.begin_guard(&mut start, function, guard)?;
    }
    Ok(start)
}
