//! Loading the program a command works on.

use crate::cli::SourceArguments;
use crate::status::Status;
use crate::terminal::Terminal;
use clew_frontend::diagnostic::Severity;
use clew_frontend::{Loaded, Options};
use clew_ir::{FunctionId, Program, Sources};
use clew_session::select;
use std::path::Path;

/// Loads the files and shows what is wrong with them.
pub(in crate::commands) fn load(
    arguments: &SourceArguments,
    cc_flags: &[String],
    terminal: Terminal,
) -> Result<Loaded, Status> {
    load_with(&arguments.options(cc_flags), terminal)
}

/// Loads the files as symbolic execution runs them, with models of the library functions that they call.
pub(in crate::commands) fn load_with_models(
    arguments: &SourceArguments,
    cc_flags: &[String],
    terminal: Terminal,
) -> Result<Loaded, Status> {
    load_with(&Options { library: true, ..arguments.options(cc_flags) }, terminal)
}

/// Loads the files of options and shows what is wrong with them.
pub(in crate::commands) fn load_with(options: &Options, terminal: Terminal) -> Result<Loaded, Status> {
    let loaded = clew_frontend::load(options).map_err(|error| {
        terminal.diagnostics(&error.diagnostics(), &Sources::default());
        Status::BadInput
    })?;
    if !loaded.has_errors() {
        terminal.diagnostics(&loaded.diagnostics, &loaded.program.sources);
        return Ok(loaded);
    }
    // What is not supported may be so only for the errors around it.
    let mut errors = loaded.diagnostics;
    errors.retain(|diagnostic| diagnostic.severity == Severity::Error);
    terminal.diagnostics(&errors, &loaded.program.sources);
    if let Some(file) = options.files.iter().find(|file| is_cpp(file)) {
        terminal.say(&format!("  {} is named like C++; clew reads C", file.display()));
    }
    Err(Status::BadInput)
}

/// Whether a file is C++ by its name.
fn is_cpp(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| ["cc", "cpp", "cxx", "c++", "C", "hpp"].contains(&extension))
}

/// The defined function of that name.
pub(in crate::commands) fn function(program: &Program, name: &str, terminal: Terminal) -> Result<FunctionId, Status> {
    select::function(program, name).map_err(|diagnostic| terminal.refuse(&diagnostic, &program.sources))
}
