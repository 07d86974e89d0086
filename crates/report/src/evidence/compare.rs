//! What an independent tool measures against what the suite claims, line by line.
//!
//! gcov counts the branches of the compiled code: without optimisation, two for each condition and one for each arm of a
//! `switch`. A line is comparable if it has as many branches as we have objectives of conditions there and arms there
//! (or of decisions, where only those were asked for). Then at least as many branches must have been taken as objectives are claimed to be
//! covered, and at most as many as are not claimed to be infeasible.

use super::gcov::{LineCount, Measured};
use super::llvm;
use clew_session::suite::Suite;
use clew_session::suite::objective::ObjectiveCase;
use serde::Serialize;
use std::collections::BTreeMap;

/// What two tools say of a line.
#[derive(Debug, Serialize)]
pub struct LineCase {
    /// The function.
    pub function: String,
    /// The line.
    pub line: u32,
    /// Objectives of ours.
    pub objectives: usize,
    /// Covered ones.
    pub covered: usize,
    /// Infeasible ones.
    pub infeasible: usize,
    /// Branches of theirs.
    pub branches: usize,
    /// Those taken.
    pub taken: usize,
    /// Whether they fit.
    pub agreement: Agreement,
}

/// Whether a measurement fits a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Agreement {
    /// What is claimed to be covered was taken, what is claimed to be infeasible was not.
    Confirms,
    /// Not so.
    Contradicts,
    /// The compiled code has other branches than the source has objectives.
    NotComparable,
}

/// The objectives of a line.
#[derive(Default)]
struct Claim {
    objectives: usize,
    covered: usize,
    infeasible: usize,
}

/// Compares every line that has objectives about branches or statements.
pub fn lines(suite: &Suite, measured: &Measured) -> Vec<LineCase> {
    let objectives: Vec<&ObjectiveCase> = suite.functions.iter().flat_map(|function| &function.objectives).collect();
    let asked = |kind: &str| objectives.iter().any(|objective| objective.kind == kind);
    let branching = if asked("outcome") { "outcome" } else { "result" };
    let mut cases = Vec::new();
    for ((function, line), claim) in claims(suite, &[branching, "arm"]) {
        let count = measured.lines.get(&(function.to_owned(), line)).cloned().unwrap_or_default();
        cases.push(branches(function, line, &claim, &count));
    }
    for ((function, line), claim) in claims(suite, &["block"]) {
        let Some(count) = measured.lines.get(&(function.to_owned(), line)) else { continue };
        cases.push(statement(function, line, &claim, count));
    }
    cases
}

/// Compares every decision whose conditions llvm-cov knows: it must have seen shown what we claim is shown.
pub fn decisions(suite: &Suite, measured: &llvm::Measured) -> Vec<LineCase> {
    let claims = claims(suite, &["independence"]);
    let known = measured.shown.iter().filter_map(|((function, line), conditions)| {
        let claim = claims.get(&(function.as_str(), *line))?;
        let branches = conditions.iter().map(|shown| u64::from(*shown)).collect();
        Some(branches_case(function, *line, claim, branches))
    });
    known.collect()
}

fn branches_case(function: &str, line: u32, claim: &Claim, branches: Vec<u64>) -> LineCase {
    self::branches(function, line, claim, &LineCount { count: 1, branches })
}

/// What is claimed of each line for the objectives of some kinds. Criteria and functions tested together may state the
/// same objective: it is covered if any covers it, and infeasible if it is for all.
fn claims<'s>(suite: &'s Suite, kinds: &[&str]) -> BTreeMap<(&'s str, u32), Claim> {
    let mut verdicts: BTreeMap<(&str, u32, &str, usize), Vec<&str>> = BTreeMap::new();
    for function in &suite.functions {
        let mut stated: BTreeMap<(&str, &str, u32, &str), usize> = BTreeMap::new();
        for objective in function.objectives.iter().filter(|objective| kinds.contains(&objective.kind.as_str())) {
            let key = (objective.function.as_str(), objective.line, objective.what.as_str());
            let number = stated.entry((&objective.criterion, key.0, key.1, key.2)).or_default();
            *number += 1;
            verdicts.entry((key.0, key.1, key.2, *number)).or_default().push(&objective.verdict);
        }
    }
    let mut claims: BTreeMap<(&str, u32), Claim> = BTreeMap::new();
    for ((function, line, ..), verdicts) in verdicts {
        let claim = claims.entry((function, line)).or_default();
        claim.objectives += 1;
        claim.covered += usize::from(verdicts.contains(&"covered"));
        claim.infeasible += usize::from(verdicts.iter().all(|verdict| *verdict == "infeasible"));
    }
    claims
}

fn branches(function: &str, line: u32, claim: &Claim, count: &LineCount) -> LineCase {
    let taken = count.branches.iter().filter(|count| **count > 0).count();
    let fits = taken >= claim.covered && taken + claim.infeasible <= claim.objectives;
    let agreement = match (count.branches.len() == claim.objectives, fits) {
        (false, _) => Agreement::NotComparable,
        (true, true) => Agreement::Confirms,
        (true, false) => Agreement::Contradicts,
    };
    case(function, line, claim, (count.branches.len(), taken), agreement)
}

/// A line with a covered statement must have run.
fn statement(function: &str, line: u32, claim: &Claim, count: &LineCount) -> LineCase {
    let ran = usize::from(count.count > 0);
    let agreement = if claim.covered > 0 && ran == 0 { Agreement::Contradicts } else { Agreement::Confirms };
    case(function, line, claim, (1, ran), agreement)
}

fn case(function: &str, line: u32, claim: &Claim, (branches, taken): (usize, usize), agreement: Agreement) -> LineCase {
    LineCase {
        function: function.to_owned(),
        line,
        objectives: claim.objectives,
        covered: claim.covered,
        infeasible: claim.infeasible,
        branches,
        taken,
        agreement,
    }
}

#[cfg(test)]
mod tests {
    use super::{Agreement, Claim, branches};
    use crate::evidence::gcov::LineCount;

    fn judged(objectives: usize, covered: usize, infeasible: usize, counts: &[u64]) -> Agreement {
        let claim = Claim { objectives, covered, infeasible };
        branches("f", 1, &claim, &LineCount { count: 1, branches: counts.to_vec() }).agreement
    }

    #[test]
    fn claims_are_confirmed_or_contradicted() {
        assert_eq!(judged(2, 2, 0, &[3, 1]), Agreement::Confirms);
        assert_eq!(judged(2, 1, 0, &[3, 1]), Agreement::Confirms);
        assert_eq!(judged(2, 2, 0, &[3, 0]), Agreement::Contradicts);
        assert_eq!(judged(2, 1, 1, &[3, 1]), Agreement::Contradicts);
        assert_eq!(judged(2, 2, 0, &[3, 1, 0, 0]), Agreement::NotComparable);
    }
}
