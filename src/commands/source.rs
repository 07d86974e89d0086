//! Loading the program a command works on.

use crate::cli::{GlobalsName, SourceArguments};
use crate::status::Status;
use crate::terminal::Terminal;
use clew_explore::Precondition;
use clew_explore::config::Globals;
use clew_frontend::{Diagnostic, Loaded, Options, contract};
use clew_ir::{FunctionId, Program, Sources};
use std::path::{Path, PathBuf};

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
    terminal.diagnostics(&loaded.diagnostics, &loaded.program.sources);
    if loaded.has_errors() { Err(Status::BadInput) } else { Ok(loaded) }
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
            let nearest = nearest(program, name).map_or_else(String::new, |near| format!("; is it `{near}`?"));
            terminal.error(&format!("there is no function `{name}`{nearest}"));
            Err(Status::BadInput)
        }
    }
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
