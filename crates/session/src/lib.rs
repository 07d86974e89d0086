//! The engine behind one interface: requests in, results out, without a terminal.
//!
//! A [`request::TestRequest`] says what to test and how; [`mod@test`] does it function by function, and tells a listener what
//! happens ([`event`]). [`function`] tests one function: exploration on one thread, native execution on another. [`goals`]
//! asks for one thing at a time: a line, a property. [`suite`] is what came of a test run, as data and as `suite.json`. [`project`] keeps
//! account of many functions. [`finding`] weighs what it found. [`settings`] reads `clew.toml`, [`infer`] reads preconditions off the source. [`output`]
//! writes files, [`policy`] has the tables of heuristics, [`ctext`] spells values and types as C.

pub mod address;
pub mod ctext;
pub mod event;
pub mod explanation;
pub mod finding;
pub mod function;
pub mod given;
mod globals;
pub mod goals;
pub mod hash;
pub mod infer;
pub mod output;
pub mod policy;
pub mod project;
pub mod relation;
pub mod request;
pub mod select;
pub mod settings;
pub mod suite;
pub mod summary;
pub mod test;

pub use function::{
    Chosen, Difference, Error, Executor, Kills, Natives, Optimised, Outcome, Refine, Replayed, ReplayedFinding,
    Request, Settled, complement, computes_with_floats, measure, named_lines, observed_globals, options, run,
};
