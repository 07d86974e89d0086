//! Loading the program a command works on.

use crate::cli::{GlobalsName, SourceArguments};
use crate::status::Status;
use crate::terminal::Terminal;
use clew_explore::Precondition;
use clew_explore::config::Globals;
use clew_frontend::diagnostic::Severity;
use clew_frontend::{Diagnostic, Loaded, Options, contract};
use clew_ir::{FunctionId, Program, Sources};
use std::path::{Path, PathBuf};

/// Functions named where there is none of a name.
const MOST_NAMED: usize = 8;

/// Loads the files and shows what is wrong with them.
pub(in crate::commands) fn load(
    arguments: &SourceArguments,
    cc_flags: &[String],
    terminal: Terminal,
) -> Result<Loaded, Status> {
    load_with(&options(arguments, cc_flags), terminal)
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

/// The front end's options.
pub(in crate::commands) fn options(arguments: &SourceArguments, cc_flags: &[String]) -> Options {
    let database = arguments.database.clone();
    let named = |path: PathBuf| if path.is_dir() { path.join("compile_commands.json") } else { path };
    Options {
        files: arguments.files.clone(),
        includes: arguments.include.clone(),
        defines: arguments.define.clone(),
        undefines: arguments.undefine.clone(),
        include_files: arguments.include_files.clone(),
        std: arguments.std.clone(),
        cc: arguments.cc.clone(),
        passthrough: arguments.flags.iter().chain(cc_flags).cloned().collect(),
        database: database.map(named),
        ..Options::default()
    }
}

/// Which globals are part of the input of a function. Programs begin with `main`: nothing has changed any before.
pub(in crate::commands) fn globals(program: &Program, function: FunctionId, wanted: GlobalsName) -> Globals {
    match wanted {
        GlobalsName::Input if program.functions[function].name != "main" => Globals::Input,
        GlobalsName::Input | GlobalsName::Initial => Globals::Initial,
    }
}

/// What options add to the contract.
pub(in crate::commands) fn precondition(
    loaded: &mut Loaded,
    function: FunctionId,
    domains: &[String],
    requires: &[String],
    terminal: Terminal,
) -> Result<Precondition, Status> {
    let mut precondition = Precondition::default();
    let mut add = |clause: Result<_, Box<Diagnostic>>, program: &Program| match clause {
        Ok(clause) => {
            precondition.clauses.push(clause);
            Ok(())
        }
        Err(diagnostic) => {
            terminal.diagnostics(&[*diagnostic], &program.sources);
            Err(Status::BadInput)
        }
    };
    for text in domains {
        let clause = contract::domain::parse(text)
            .and_then(|domain| contract::domain::resolve(&mut loaded.program, function, &domain));
        add(clause, &loaded.program)?;
    }
    for text in requires {
        let clause = contract::precondition(&mut loaded.program, function, text);
        add(clause, &loaded.program)?;
    }
    Ok(precondition)
}

/// The functions that are defined in the files themselves. Where these only set the macros of a file that they include, it
/// is the functions of that file, but for those of the system.
pub(in crate::commands) fn own_functions(program: &Program, files: &[PathBuf]) -> Vec<FunctionId> {
    let within = |is_own: &dyn Fn(&FunctionId, &str) -> bool| -> Vec<FunctionId> {
        let defined = program.functions.iter().filter(|(_, function)| function.is_defined());
        let located = defined.filter_map(|(id, function)| Some((id, program.sources.locate(function.span)?.file)));
        located.filter(|(id, file)| is_own(id, file)).map(|(id, _)| id).collect()
    };
    let own = within(&|_, file| files.iter().any(|path| Path::new(file) == path));
    if own.is_empty() { within(&|id, _| !program.is_library(*id) && !program.models.contains(id)) } else { own }
}

/// The defined function of that name.
pub(in crate::commands) fn function(program: &Program, name: &str, terminal: Terminal) -> Result<FunctionId, Status> {
    match program.function(name) {
        Some(id) if program.functions[id].is_defined() => Ok(id),
        Some(_) => {
            terminal.error(&format!("function `{name}` is declared but has no body here"));
            Err(Status::BadInput)
        }
        None => {
            let known = nearest(program, name).map_or_else(|| defined(program), |near| format!("; is it `{near}`?"));
            terminal.error(&format!("there is no function `{name}`{known}"));
            Err(Status::BadInput)
        }
    }
}

/// The names of the first functions that are defined.
fn defined(program: &Program) -> String {
    let own = program.functions.iter().filter(|(id, function)| function.is_defined() && !program.is_library(*id));
    let own = own.filter(|(id, _)| !program.models.contains(id)).map(|(_, function)| format!("`{}`", function.name));
    let mut names: Vec<String> = own.take(MOST_NAMED + 1).collect();
    match names.len() {
        0 => return String::new(),
        more if more > MOST_NAMED => names[MOST_NAMED] = "...".to_owned(),
        _ => {}
    }
    format!("; there are {}", names.join(", "))
}

/// The defined function whose name differs least.
fn nearest<'a>(program: &'a Program, name: &str) -> Option<&'a str> {
    let defined = program.functions.values().filter(|function| function.is_defined());
    let best = defined.map(|function| (distance(&function.name, name), function.name.as_str())).min()?;
    (best.0 <= name.len() / 2).then_some(best.1)
}

/// Levenshtein's distance between two names.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances() {
        assert_eq!(distance("merge", "merge"), 0);
        assert_eq!(distance("merge", "Merge"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
