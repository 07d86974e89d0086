//! `clew.toml`: what the command line says, for all functions or for one, kept with the project.
//!
//! ```toml
//! flags = ["-DNDEBUG"]        # for the compiler
//! time = 5                    # seconds per function
//!
//! [function.clamp]
//! domain = ["x=0..10"]
//! requires = ["lo <= hi"]
//! precondition = "clamp_ok"   # a function of the program
//! k = 2
//! ```
//! The command line has precedence over numbers; domains and preconditions add up. A mistake is told with its line.

use clew_frontend::{Diagnostic, diagnostic::Place};
use clew_ir::Location;
use clew_solver::clock::Deadline;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// The end of the name of a function that is a precondition in C, after PathCrawler.
pub const PRECONDITION: &str = "_precond";

/// What `clew.toml` says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Further flags for the compiler.
    pub flags: Vec<String>,
    /// For functions that are not named.
    pub(crate) general: Budget,
    functions: BTreeMap<String, FunctionSettings>,
}

/// What is said of one function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionSettings {
    /// What inputs may be, as for `--domain`.
    pub domain: Vec<Clause>,
    /// Preconditions, as for `--requires`.
    pub requires: Vec<Clause>,
    /// The function that says which inputs are allowed, as for `--precondition`.
    pub precondition: Option<String>,
    /// How much effort it may cost.
    pub budget: Budget,
}

/// Limits of the effort for a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Budget {
    /// Seconds, a safety net.
    pub time: Option<f64>,
    /// Work, in seconds that it takes about.
    pub effort: Option<f64>,
    /// Iterations of loops.
    pub k: Option<u32>,
    /// Tests.
    pub tests: Option<u64>,
}

impl Budget {
    /// This budget, with another for what it leaves open.
    pub fn or(self, other: Budget) -> Budget {
        Budget {
            time: self.time.or(other.time),
            effort: self.effort.or(other.effort),
            k: self.k.or(other.k),
            tests: self.tests.or(other.tests),
        }
    }

    /// Seconds per function: with a limit on work, so many that only a machine in trouble needs them.
    pub fn seconds(&self) -> f64 {
        let safe = |effort: f64| 60.0 + 10.0 * effort;
        self.time.unwrap_or_else(|| self.effort.map_or(60.0, safe)).clamp(0.0, 1e9)
    }

    /// When to stop with a function that is begun now by this thread.
    pub fn deadline(&self) -> Deadline {
        let deadline = Deadline::after(Duration::from_secs_f64(self.seconds()));
        let or_work = |effort: f64| deadline.or_work(Duration::from_secs_f64(effort.clamp(0.0, 1e9)));
        self.effort.map_or(deadline, or_work)
    }
}

/// A domain or precondition and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its text.
    pub text: String,
    /// Its place in `clew.toml`.
    pub location: Location,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    flags: Vec<String>,
    time: Option<f64>,
    effort: Option<f64>,
    k: Option<u32>,
    tests: Option<u64>,
    #[serde(default)]
    function: BTreeMap<String, WrittenFunction>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFunction {
    #[serde(default)]
    domain: Vec<toml::Spanned<String>>,
    #[serde(default)]
    requires: Vec<toml::Spanned<String>>,
    precondition: Option<String>,
    time: Option<f64>,
    effort: Option<f64>,
    k: Option<u32>,
    tests: Option<u64>,
}

impl Settings {
    /// Reads the file that is named; otherwise `clew.toml`, which says nothing where it does not exist.
    ///
    /// # Errors
    ///
    /// A diagnostic that points at the line of the mistake.
    pub fn read(named: Option<&Path>) -> Result<Settings, Box<Diagnostic>> {
        let path = named.unwrap_or(Path::new("clew.toml"));
        match std::fs::read_to_string(path) {
            Ok(text) => Settings::parse(path, &text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && named.is_none() => Ok(Settings::default()),
            Err(error) => {
                Err(Box::new(Diagnostic::error(Place::Nowhere, format!("cannot read {}: {error}", path.display()))))
            }
        }
    }

    fn parse(path: &Path, text: &str) -> Result<Settings, Box<Diagnostic>> {
        let written: Written = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            Box::new(Diagnostic::error(Place::File(location(path, text, at)), error.message().trim().to_owned()))
        })?;
        let clause = |written: toml::Spanned<String>| {
            let location = location(path, text, written.span().start);
            Clause { text: written.into_inner(), location }
        };
        let function = |(name, written): (String, WrittenFunction)| {
            let budget = Budget { time: written.time, effort: written.effort, k: written.k, tests: written.tests };
            let domain = written.domain.into_iter().map(clause).collect();
            let requires = written.requires.into_iter().map(clause).collect();
            (name, FunctionSettings { domain, requires, precondition: written.precondition, budget })
        };
        Ok(Settings {
            flags: written.flags,
            general: Budget { time: written.time, effort: written.effort, k: written.k, tests: written.tests },
            functions: written.function.into_iter().map(function).collect(),
        })
    }

    /// What holds for a function.
    pub fn of(&self, function: &str) -> FunctionSettings {
        let mut own = self.functions.get(function).cloned().unwrap_or_default();
        own.budget = own.budget.or(self.general);
        own
    }

    /// What is said of functions by name.
    pub(crate) fn functions(&self) -> impl Iterator<Item = (&str, &FunctionSettings)> {
        self.functions.iter().map(|(name, settings)| (name.as_str(), settings))
    }
}

fn location(path: &Path, text: &str, at: usize) -> Location {
    let before = text.get(..at).unwrap_or(text);
    let column = before.len() - before.rfind('\n').map_or(0, |line| line + 1) + 1;
    let line = before.matches('\n').count() + 1;
    Location { file: path.display().to_string(), line: line as u32, column: column as u32 }
}

#[cfg(test)]
mod tests {
    use super::{Path, Place, Settings};

    #[test]
    fn functions_inherit_what_they_do_not_say() {
        let text = "time = 5\nk = 3\n[function.f]\ndomain = [\"x=0..9\"]\nk = 1\n";
        let settings = Settings::parse(Path::new("clew.toml"), text).unwrap();
        let (f, g) = (settings.of("f"), settings.of("g"));
        assert_eq!((f.budget.time, f.budget.k, g.budget.k), (Some(5.0), Some(1), Some(3)));
        assert_eq!((f.domain[0].text.as_str(), f.domain[0].location.line), ("x=0..9", 4));
    }

    #[test]
    fn mistakes_have_a_line() {
        for (text, line) in [("time = 5\nspeed = 3\n", 2), ("\n\n[function.f]\nk = \"two\"\n", 4), ("x", 1)] {
            let error = Settings::parse(Path::new("clew.toml"), text).unwrap_err();
            let Place::File(location) = &error.place else { panic!("{error:?}") };
            assert_eq!(location.line, line, "{error:?}");
        }
    }
}
