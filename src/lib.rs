//! What the command line of clew is made of.
//!
//! [`session`] tests one function: exploration on one thread, native execution on another. [`suite`] is what came of it,
//! as data and as `suite.json`; [`emit`] makes test code of it, [`interchange`] files for other tools, [`report`] a page
//! for people, [`evidence`] what an assessor asks for. [`project`] keeps account of many functions. [`goals`] asks for one
//! thing at a time: a line, a property. [`infer`] reads preconditions off the source.

pub mod emit;
pub mod evidence;
pub mod goals;
pub mod infer;
pub mod interchange;
pub mod project;
pub mod report;
pub mod session;
pub mod settings;
pub mod suite;
