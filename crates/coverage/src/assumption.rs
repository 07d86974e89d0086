//! Assumptions: what a verdict takes for granted of the environment, beyond what C and the contract say.
//!
//! A verdict without assumptions holds for every caller and every environment that C allows. Whoever states a verdict names
//! the assumptions behind it, and every output shows them in these words. `docs/trust.md` lists when each is made and how
//! to drop it.

use crate::objective::Goal;
use std::fmt;

/// Something taken for granted of the environment of a function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// Inputs that C would let overlap do not, unless the program compares their addresses.
    Separation(Vec<String>),
    /// Pointers of the input are not null where the function looks behind them, and lead to enough elements.
    Validity(Vec<String>),
    /// Functions without a body write only to variables they can name and to what their arguments lead to.
    ExternalWrites(Vec<String>),
    /// What the model of the JVM leaves out.
    JavaModel,
}

impl Assumption {
    /// Every kind, by its name.
    pub const KINDS: [&'static str; 4] = ["separation", "validity", "external-writes", "java-model"];

    /// Its kind in a word, for tools.
    pub fn kind(&self) -> &'static str {
        match self {
            Assumption::Separation(_) => "separation",
            Assumption::Validity(_) => "validity",
            Assumption::ExternalWrites(_) => "external-writes",
            Assumption::JavaModel => "java-model",
        }
    }

    /// Whether a proof that an objective is infeasible rests on it. Behind an invalid pointer nothing is defined, so that
    /// validity matters to the question whether a check fails alone.
    pub fn concerns(&self, goal: &Goal) -> bool {
        match self {
            Assumption::Validity(_) => matches!(goal, Goal::Failure(_)),
            Assumption::Separation(_) | Assumption::ExternalWrites(_) | Assumption::JavaModel => true,
        }
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Separation(inputs) => write!(f, "{} do not overlap", listed(inputs)),
            Assumption::Validity(pointers) => {
                let lead = if pointers.len() == 1 { "leads" } else { "lead" };
                write!(f, "{} {lead} to as many elements as are accessed", listed(pointers))
            }
            Assumption::ExternalWrites(functions) => {
                let write = if functions.len() == 1 { "writes" } else { "write" };
                write!(f, "{} {write} only to named variables and to what the arguments lead to", listed(functions))
            }
            Assumption::JavaModel => f.write_str(
                "static fields are as their class leaves them, arrays have exactly their declared class, objects of Class \
                in inputs are none that the code names, exceptions of the JVM have no message, types of the user have no \
                implementations but those on the class path, and memory suffices",
            ),
        }
    }
}

/// Names in code marks, joined as a sentence joins them.
fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, [])) => format!("`{last}`"),
        Some((last, first)) => {
            let first: Vec<String> = first.iter().map(|name| format!("`{name}`")).collect();
            format!("{} and `{last}`", first.join(", "))
        }
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::Assumption;

    #[test]
    fn assumptions_are_sentences() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let cases = [
            (Assumption::Separation(names(&["p", "q"])), "`p` and `q` do not overlap"),
            (Assumption::Validity(names(&["p"])), "`p` leads to as many elements as are accessed"),
            (
                Assumption::ExternalWrites(names(&["ext"])),
                "`ext` writes only to named variables and to what the arguments lead to",
            ),
            (
                Assumption::JavaModel,
                "static fields are as their class leaves them, arrays have exactly their declared class, objects of Class \
                in inputs are none that the code names, exceptions of the JVM have no message, types of the user have no \
                implementations but those on the class path, and memory suffices",
            ),
        ];
        for (assumption, expected) in &cases {
            assert_eq!(assumption.to_string(), *expected);
            assert!(Assumption::KINDS.contains(&assumption.kind()));
        }
        assert_eq!(cases.len(), Assumption::KINDS.len(), "every kind is shown here");
    }
}
