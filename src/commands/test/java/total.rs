//! What came of testing methods of Java, one by one and all together.

use crate::status::Status;
use clew_coverage::Verdict;
use clew_session::test::Tested;
use clew_symbolic::ending::PathEnd;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// What came of testing one method.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct One {
    /// Its exit code.
    pub(super) status: Status,
    pub(super) file: Option<PathBuf>,
    /// The folder of its page and of its files for other tools.
    pub(super) folder: Option<String>,
    pub(super) tests: usize,
    pub(super) diverged: usize,
    pub(super) covered: usize,
    pub(super) infeasible: usize,
    pub(super) unknown: usize,
    /// What was not supported, if something was.
    pub(super) unsupported: Option<String>,
}

/// Why a method was not tested.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Untested {
    pub(super) reason: String,
    /// What that is as an exit code.
    pub(super) status: Status,
}

/// What came of testing many methods.
#[derive(Debug, Default)]
pub(super) struct Total {
    methods: usize,
    /// Those with tests.
    tested: usize,
    /// Those on which clew failed.
    failed: usize,
    tests: usize,
    diverged: usize,
    covered: usize,
    infeasible: usize,
    unknown: usize,
    /// Classes that cannot be read.
    pub(super) broken: usize,
    unsupported: BTreeMap<String, usize>,
}

impl Total {
    pub(super) fn add<E>(&mut self, one: &Result<One, E>) {
        self.methods += 1;
        let Ok(one) = one else {
            self.failed += 1;
            return;
        };
        self.tested += usize::from(one.tests > 0);
        self.tests += one.tests;
        self.diverged += one.diverged;
        self.covered += one.covered;
        self.infeasible += one.infeasible;
        self.unknown += one.unknown;
        if let Some(what) = &one.unsupported {
            *self.unsupported.entry(what.clone()).or_default() += 1;
        }
    }
}

/// Reasons that are named at the end.
const MOST_REASONS: usize = 10;

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Total { methods, tested, tests, covered, infeasible, unknown, .. } = self;
        write!(f, "{methods} methods, {tested} of them with tests: {tests} tests, {} diverged; ", self.diverged)?;
        write!(f, "objectives: {covered} covered, {infeasible} infeasible, {unknown} unknown")?;
        if self.failed > 0 {
            write!(f, "; {} not tested", self.failed)?;
        }
        if self.broken > 0 {
            write!(f, "; {} classes cannot be read", self.broken)?;
        }
        let mut reasons: Vec<(&String, &usize)> = self.unsupported.iter().collect();
        reasons.sort_by_key(|(what, count)| (std::cmp::Reverse(**count), (*what).clone()));
        for (what, count) in reasons.iter().take(MOST_REASONS) {
            write!(f, "\n  not supported in {count}: {what}")?;
        }
        Ok(())
    }
}

/// The more serious of two results.
pub(super) fn worse(one: Status, other: Status) -> Status {
    let rank = |status: Status| match status {
        Status::Fine => 0,
        Status::Limit => 1,
        _ => 2,
    };
    if rank(other) > rank(one) { other } else { one }
}

/// What came of testing a method.
pub(super) fn one(tested: &Tested<'_>, status: Status, file: Option<PathBuf>) -> One {
    let mut one = One {
        status,
        file,
        folder: None,
        tests: 0,
        diverged: 0,
        covered: 0,
        infeasible: 0,
        unknown: 0,
        unsupported: None,
    };
    let Ok(outcome) = &tested.result else { return one };
    one.tests = outcome.tests.iter().filter(|test| test.is_usable()).count();
    one.diverged = outcome.tests.iter().filter(|test| test.divergence.is_some()).count();
    for (_, _, verdict) in outcome.ledger.iter().flat_map(|ledger| ledger.entries()) {
        match verdict {
            Verdict::Covered(_) => one.covered += 1,
            Verdict::Infeasible(_) => one.infeasible += 1,
            Verdict::Open | Verdict::Unknown(_) => one.unknown += 1,
        }
    }
    one.unsupported = outcome.unsupported.first().and_then(|(end, _)| match end {
        PathEnd::Unsupported { what, .. } => Some(what.clone()),
        _ => None,
    });
    one
}
