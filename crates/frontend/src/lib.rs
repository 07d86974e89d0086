//! C text and ACSL contracts become a program.
//!
//! [`load`] preprocesses each file with the user's own compiler, parses and type-checks the text with the rucc crates,
//! and lowers the typed tree of every file into one linked [`Program`]. Then the contracts in the comments are read and
//! attached to its functions.
//!
//! Architecture invariant: no other crate names a rucc type. A panic inside rucc becomes a [`Diagnostic`].

mod callback;
pub mod compilation;
pub mod contract;
pub mod diagnostic;
mod error;
mod left_out;
mod library;
mod lower;
pub mod options;
pub mod preprocess;
mod unit;

use clew_ir::source::brackets::Brackets;
use clew_ir::{Program, Span};
pub use diagnostic::{Diagnostic, Severity};
pub use error::Error;
pub use options::Options;
pub use preprocess::{Build, Preprocessed, Semantics, Standard};

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
    let mut models = Models { files: Vec::new(), library: options.library.then(|| options.stubs.clone()) };
    if !options.models.is_empty() {
        let files = options.models.clone();
        models.files = preprocess::run(&Options { files, database: None, ..options.clone() })?;
    }
    let mut loaded = load_units(units, models);
    left_out::leave_out(&mut loaded, &options.stubs);
    Ok(loaded)
}

/// Loads translation units that were preprocessed already.
pub fn load_preprocessed(units: Vec<Preprocessed>) -> Loaded {
    load_units(units, Models::default())
}

/// Where bodies come from for functions that have none.
#[derive(Debug, Default)]
pub(crate) struct Models {
    /// Files that are no part of the program under test.
    pub(crate) files: Vec<Preprocessed>,
    /// Functions of the C library that get no models, or `None` if none do.
    pub(crate) library: Option<Vec<String>>,
}

fn load_units(units: Vec<Preprocessed>, models: Models) -> Loaded {
    let macros: Vec<_> = units.iter().map(|unit| unit.macros.clone()).collect();
    unit::on_big_stack(move || {
        let mut loaded = lower::lower_units(units, models);
        complete_spans(&mut loaded.program);
        loaded.diagnostics.extend(contract::attach(&mut loaded.program, &macros));
        loaded
    })
}

/// Makes the spans of expressions cover whole brackets: the parser's leave out parentheses around operands.
fn complete_spans(program: &mut Program) {
    let brackets: Vec<Brackets> = program.sources.units.values().map(|unit| Brackets::find(&unit.text)).collect();
    let complete = |span: &mut Span| {
        if let Some(completed) = brackets.get(span.unit.index()).and_then(|brackets| brackets.complete(*span)) {
            *span = completed;
        }
    };
    for (_, function) in program.functions.iter_mut() {
        function.conditions.iter_mut().for_each(|(_, condition)| complete(&mut condition.span));
        function.decisions.iter_mut().for_each(|(_, decision)| complete(&mut decision.span));
        function.checks.iter_mut().for_each(|(_, check)| complete(&mut check.span));
        for (_, block) in function.blocks.iter_mut() {
            block.insts.iter_mut().for_each(|inst| complete(&mut inst.span));
            complete(&mut block.terminator.span);
        }
    }
}
