//! Objectives that are infeasible only if inputs lead apart, tried again with inputs that overlap.
//!
//! Exploration gives each pointer of the input an object of its own. What that excludes is pursued here as goals, on paths
//! where inputs meet wherever a read could see a write through another one ([`Overlap::Read`]). What is reached goes the way
//! of every path: it is executed and becomes a test. What is not stays infeasible under the assumption.

use super::Request;
use super::parts::WHOLE;
use super::pursue::pursue_under;
use crate::infer;
use clew_coverage::{Assumption, Ledger, ObjectiveId, Verdict};
use clew_execute::{Input, PointerTarget};
use clew_frontend::Build;
use clew_search::{Next, Search};
use clew_symbolic::Explored;
use clew_symbolic::config::{Config, Overlap};
use std::collections::BTreeSet;
use std::time::Duration;

/// The part of the work so far that this may add, one of so many, and the least it may.
const SHARE: u32 = 4;
const LEAST: Duration = Duration::from_millis(30);

/// Tries again what a search that is over excludes. `found` is given what was reached.
pub(super) fn retry(
    request: &Request<'_, '_>,
    search: &mut Search<'_>,
    worked: Duration,
    found: &mut dyn FnMut(Explored) -> Next,
) {
    let is_complete = search.is_complete();
    // The search has its own, by which it tells what it left open.
    let Some(mut ledger) = search.ledger().map(|ledger| ledger.clone()) else { return };
    let excluded = excluded(&ledger, is_complete);
    if excluded.is_empty() || request.config.references || !assumes_separation(request) {
        return;
    }
    excluded.iter().for_each(|id| ledger.reopen(*id));
    let deadline = request.config.limits.deadline.part(2).or_work((worked / SHARE).max(LEAST));
    let mut config = Config { overlap: overlap(request), ..request.config.clone() };
    config.limits.deadline = deadline;
    pursue_under(request, &config, &mut ledger, WHOLE, found);
}

/// The objectives that the search excludes: by what it proved, or because no path covers them.
fn excluded(ledger: &Ledger<'_>, is_complete: bool) -> Vec<ObjectiveId> {
    let is_excluded = |verdict: &Verdict| match verdict {
        Verdict::Infeasible(_) => true,
        Verdict::Open => is_complete,
        _ => false,
    };
    ledger.entries().filter(|(_, _, verdict)| is_excluded(verdict)).map(|(id, ..)| id).collect()
}

/// What verdicts on the function of a request assume, read off its source.
pub(super) fn of_source(request: &Request<'_, '_>) -> BTreeSet<Assumption> {
    infer::of_function(request.program, request.function, &request.precondition.clauses, overlap(request))
}

/// Whether anything is taken for granted of how inputs lie.
pub(crate) fn assumes_separation(request: &Request<'_, '_>) -> bool {
    let assumed = of_source(request);
    assumed.iter().any(|assumption| matches!(assumption, Assumption::Separation(_)))
}

/// How inputs may overlap in a program, by the flags of its compiler.
pub(crate) fn overlap(request: &Request<'_, '_>) -> Overlap {
    let is_about = |flag: &&String| matches!(flag.as_str(), "-fstrict-aliasing" | "-fno-strict-aliasing");
    let last = |build: &Build| build.compiler.iter().chain(&build.flags).rfind(is_about).cloned();
    let lasts = request.natives.builds().iter().flatten().filter_map(last);
    if lasts.into_iter().any(|flag| flag == "-fno-strict-aliasing") { Overlap::ReadAsAnyType } else { Overlap::Read }
}

/// Whether two pointers of an input lead into one object, or one into a variable.
pub(super) fn overlaps(input: &Input) -> bool {
    let mut seen = BTreeSet::new();
    input.contents().flat_map(|content| &content.pointers).any(|pointer| match pointer.target {
        PointerTarget::Object(index, _) => !seen.insert(index),
        PointerTarget::Global(..) => true,
        PointerTarget::Function(_) => false,
    })
}
