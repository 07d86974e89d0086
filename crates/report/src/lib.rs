//! What people and tools read of a test run.
//!
//! [`html`] is a page for people, [`evidence`] what an assessor asks for, [`interchange`] files for other tools,
//! [`project`] the sum over many functions, for which files for other tools are joined.

pub mod evidence;
pub mod html;
pub mod interchange;
pub mod join;
pub mod project;
