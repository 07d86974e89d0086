//! Objectives out of reach: where the first paths do not cover everything, abstract interpretation is asked once.

use clew_analyze::facts::{self, Facts, Options};
use clew_ir::FunctionId;
use clew_prove::exclude;
use clew_symbolic::Precondition;

use crate::Search;
use crate::policy;

/// What abstract interpretation says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Excluded {
    /// What it needs to know, until it is asked.
    unasked: Option<(FunctionId, Precondition)>,
    /// What it knows of the function.
    pub(crate) facts: Facts,
    /// Paths run so far.
    paths: u64,
}

impl Excluded {
    pub(crate) fn new(function: FunctionId, precondition: &Precondition) -> Excluded {
        Excluded { unasked: Some((function, precondition.clone())), ..Excluded::default() }
    }
}

impl Search<'_> {
    /// Notes that a path was run. After some, abstract interpretation is asked.
    pub(crate) fn exclude_in_time(&mut self) {
        self.excluded.paths += 1;
        // A test is worth more than what cannot be tested.
        let times = if self.tally.is_enough() { 1 } else { policy::EXCLUDE_FACTOR_UNTESTED.get() };
        let (paths, questions) = (self.excluded.paths / times, self.stepper.constraints.questions() / times);
        if paths >= policy::EXCLUDE_AFTER_PATHS.get() || questions >= policy::EXCLUDE_AFTER_QUESTIONS.get() {
            self.exclude();
        }
    }

    /// Lets abstract interpretation say once which objectives are out of reach, if there are any left.
    pub(crate) fn exclude(&mut self) {
        let Some(ledger) = self.ledger.as_mut().filter(|ledger| ledger.open() > 0) else { return };
        if let Some((function, precondition)) = self.excluded.unasked.take() {
            let config = &self.stepper.config;
            let moves_are_checked = config.seeks_errors();
            let options = Options { moves_are_checked, ..exclude::options(&precondition, config) };
            self.excluded.facts = facts::facts(self.stepper.program, function, &options);
            exclude::exclude(ledger, &self.excluded.facts);
        }
    }
}
