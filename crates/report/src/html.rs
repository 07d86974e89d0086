//! The report for people: one HTML file that needs nothing else.
//!
//! What was found out is put into the page as JSON (`data`); the page's own script (`page`) draws of it what is asked
//! for, so that large suites open at once. What a test ran through is taken from its trace, or followed along its path
//! where no trace was kept (`walk`). The same suite gives the same bytes: no dates, no times.

mod data;
mod decision;
mod function;
mod page;
mod picture;
pub mod project;
pub mod relations;
mod source;
mod walk;

use clew_frontend::Build;
use clew_ir::{FunctionId, Program};
use clew_session::Outcome;
use clew_session::suite::FunctionSuite;

/// Bytes that tests take on a page; `suite.json` has all of them.
const MOST_BYTES: usize = 6_000_000;

/// A function that was tested.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a, 'p> {
    /// The function.
    pub function: FunctionId,
    /// What came of it.
    pub outcome: &'a Outcome<'p>,
    /// The same as data.
    pub suite: &'a FunctionSuite,
}

/// The text of `report.html`; builds tell where the sources of units are found.
pub fn html(program: &Program, builds: &[Option<Build>], subjects: &[Subject<'_, '_>]) -> String {
    let mut sources = source::Sources::new(program, builds);
    let most_bytes = MOST_BYTES / subjects.len().max(1);
    let functions = subjects.iter().map(|subject| function::page(subject, &mut sources, most_bytes)).collect();
    page::html(&data::Report { version: env!("CARGO_PKG_VERSION"), functions, files: sources.files() })
}
