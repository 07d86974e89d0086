//! The C library as data: one row per function.
//!
//! A row ([`Function`]) says how symbolic execution runs the function, what the function changes, what it may return and
//! what it requires of its arguments. The front end, the interpreter, abstract interpretation, symbolic execution and the
//! writers of test code read the same rows, so that none of them spells the name of a library function itself.
//!
//! The rows are in `table`, one file per header or family. Models in C are in `models`, each under a line `//= name`.
//! To add a function: write its row, and its model if it has one. `tests/models.rs` compares models with the C library of
//! the machine on random inputs.
//!
//! Not here: how the interpreter computes a function (`execute::libc` registers routines by the names of rows).
//! Functions of verification tools (`__VERIFIER_*`) belong to no library and have no rows; [`verifier`] names them.

pub mod format;
pub mod math;
mod model;
mod row;
mod table;
pub mod verifier;

pub use model::{Models, PRELUDE, models};
pub use row::{Effects, FURTHER, Function, How, Operation, Requirement, Returned, Size, Undefined, Write};

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// All rows by name and alias.
static BY_NAME: LazyLock<BTreeMap<String, &'static Function>> = LazyLock::new(|| {
    let rows = functions().flat_map(|row| row.names().into_iter().map(move |name| (name, row)));
    rows.collect()
});

/// What compilers put before the name of a library function.
const BUILTIN: &str = "__builtin_";

/// The row of a function; builtins are the functions they are named after.
pub fn lookup(name: &str) -> Option<&'static Function> {
    BY_NAME.get(plain(name)).copied()
}

/// A name without what compilers put before it.
pub fn plain(name: &str) -> &str {
    name.strip_prefix(BUILTIN).unwrap_or(name)
}

/// All rows.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    table::ROWS.iter().copied().flatten()
}

/// All names of the table, with aliases.
pub fn names() -> impl Iterator<Item = &'static str> {
    BY_NAME.keys().map(String::as_str)
}

/// The variables of the C library.
pub const VARIABLES: [&str; 13] = [
    "stdin",
    "stdout",
    "stderr",
    "environ",
    "__environ",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "signgam",
    "daylight",
    "timezone",
    "tzname",
];

/// The function that gives the address of `errno`, which is a macro.
pub const ERRNO_LOCATION: &str = "__errno_location";

#[cfg(test)]
mod tests {
    use super::{How, functions, lookup, models};
    use std::collections::BTreeSet;

    #[test]
    fn no_name_is_given_twice() {
        let mut seen = BTreeSet::new();
        for name in functions().flat_map(super::Function::names) {
            assert!(seen.insert(name.clone()), "`{name}` has two rows");
        }
    }

    #[test]
    fn rows_and_models_belong_together() {
        let models = models();
        for row in functions().filter(|row| row.how == How::Model) {
            assert!(models.contains(row.name), "`{}` has no model", row.name);
        }
        let has_row = |name: &str| lookup(name).is_some_and(|row| row.how == How::Model && row.name == name);
        for name in models.sections().filter(|name| !name.starts_with("clew_")) {
            assert!(has_row(name), "the model of `{name}` has no row that asks for it");
        }
    }

    #[test]
    fn models_with_pointers_have_requirements() {
        for row in functions().filter(|row| row.how == How::Model) {
            let text = models().text(&[row.name], &|name| name != row.name);
            let head = text.lines().find(|line| line.contains(&format!("{}(", row.name)));
            let params = head.and_then(|head| head.split_once('(')).map_or("", |(_, params)| params);
            assert!(!params.contains('*') || row.undefined().is_some(), "`{}` requires nothing", row.name);
        }
    }

    #[test]
    fn builtins_and_aliases_have_the_row_of_the_function() {
        for name in ["strchr", "index", "__builtin_strchr"] {
            assert_eq!(lookup(name).map(|row| row.name), Some("strchr"), "{name}");
        }
        assert!(lookup("strange").is_none());
    }
}
