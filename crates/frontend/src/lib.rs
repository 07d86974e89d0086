//! C text and ACSL contracts become a program.
//!
//! [`load`] preprocesses each file with the user's own compiler, parses and type-checks the text with the rucc crates,
//! and lowers the typed tree of every file into one linked [`Program`]. Then the contracts in the comments are read and
//! attached to its functions.
//!
//! Architecture invariant: no other crate names a rucc type. A panic inside rucc becomes a [`Diagnostic`].

pub mod compilation;
pub mod contract;
pub mod diagnostic;
mod error;
mod lower;
pub mod options;
pub mod preprocess;
mod unit;

use clew_ir::Program;
pub use diagnostic::{Diagnostic, Severity};
pub use error::Error;
pub use options::Options;
pub use preprocess::{Build, Preprocessed, Standard};

/// What [`load`] gives back.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The linked program; functions that could not be lowered whole contain `Unsupported` instructions.
    pub program: Program,
    /// How each unit of the program is compiled, in the order of its units; `None` where there is no compiler.
    pub builds: Vec<Option<Build>>,
    /// What is wrong with the source or not supported, unit by unit.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// Whether the source is not valid C.
    pub fn has_errors(&self) -> bool {
        diagnostic::worst(&self.diagnostics) == Some(Severity::Error)
    }
}

/// Loads the files of `options` as one program.
///
/// # Errors
///
/// When a file or the compiler cannot be used at all. Everything wrong inside a file is a diagnostic.
pub fn load(options: &Options) -> Result<Loaded, Error> {
    let units = preprocess::run(options)?;
    Ok(load_preprocessed(units))
}

/// Loads translation units that were preprocessed already.
pub fn load_preprocessed(units: Vec<Preprocessed>) -> Loaded {
    let macros: Vec<_> = units.iter().map(|unit| unit.macros.clone()).collect();
    unit::on_big_stack(move || {
        let mut loaded = lower::lower_units(units);
        loaded.diagnostics.extend(contract::attach(&mut loaded.program, &macros));
        loaded
    })
}
