//! What a request names, found in a program: functions, globals, preconditions.

use crate::settings::PRECONDITION;
use clew_frontend::diagnostic::Place;
use clew_frontend::{Diagnostic, Loaded, contract};
use clew_ir::{FunctionId, Program};
use clew_symbolic::Precondition;
use clew_symbolic::config::Globals;
use std::path::{Path, PathBuf};

/// Functions named where there is none of a name.
const MOST_NAMED: usize = 8;

/// Why a request cannot be carried out, where no source line is to blame.
pub(crate) fn refusal(message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Place::Nowhere, message))
}

/// Which globals are part of the input of a function. Programs begin with `main`: nothing has changed any before.
pub fn globals(program: &Program, function: FunctionId, wanted: Globals) -> Globals {
    if program.functions[function].name == "main" { Globals::Initial } else { wanted }
}

/// What domains and preconditions add to the contract.
///
/// # Errors
/// When one of them cannot be read, or does not fit the function.
pub fn precondition(
    loaded: &mut Loaded,
    function: FunctionId,
    domains: &[String],
    requires: &[String],
) -> Result<Precondition, Box<Diagnostic>> {
    let mut precondition = Precondition::default();
    for text in domains {
        let domain = contract::domain::parse(text)?;
        precondition.clauses.push(contract::domain::resolve(loaded, function, &domain)?);
    }
    for text in requires {
        precondition.clauses.push(contract::precondition(loaded, function, text)?);
    }
    Ok(precondition)
}

/// The precondition in C of a function: the one named, or `f_precond` for `f`, if there is one.
///
/// # Errors
/// When there is no function of that name.
pub fn guard(
    program: &Program,
    function: FunctionId,
    named: Option<&str>,
) -> Result<Option<FunctionId>, Box<Diagnostic>> {
    let default = format!("{}{PRECONDITION}", program.functions[function].name);
    match named {
        Some(name) => self::function(program, name).map(Some),
        None => Ok(program.function(&default).filter(|id| program.functions[*id].is_defined())),
    }
}

/// The functions that are defined in the files themselves. Where these only set the macros of a file that they include, it
/// is the functions of that file, but for those of the system.
pub fn own_functions(program: &Program, files: &[PathBuf]) -> Vec<FunctionId> {
    let within = |is_own: &dyn Fn(&FunctionId, &str) -> bool| -> Vec<FunctionId> {
        let defined = program.functions.iter().filter(|(_, function)| function.is_defined());
        let located = defined.filter_map(|(id, function)| Some((id, program.sources.locate(function.span)?.file)));
        located.filter(|(id, file)| is_own(id, file)).map(|(id, _)| id).collect()
    };
    let own = within(&|_, file| files.iter().any(|path| Path::new(file) == path));
    if own.is_empty() { within(&|id, _| !program.is_library(*id) && !program.models.contains(id)) } else { own }
}

/// The defined function of that name.
///
/// # Errors
/// When there is none.
pub fn function(program: &Program, name: &str) -> Result<FunctionId, Box<Diagnostic>> {
    match program.function(name) {
        Some(id) if program.functions[id].is_defined() => Ok(id),
        Some(_) => Err(refusal(format!("function `{name}` is declared but has no body here"))),
        None => {
            let known = nearest(program, name).map_or_else(|| defined(program), |near| format!("; is it `{near}`?"));
            Err(refusal(format!("there is no function `{name}`{known}")))
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
