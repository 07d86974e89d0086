//! Arguments about relations between several calls of a function.

use super::{RELATIONS, names};
use clap::Args;
use clew_emit::Framework;

/// From what floats are drawn evenly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Floats {
    /// From the values that can be represented.
    Values,
    /// From the interval that the precondition leaves, by its length.
    Interval,
}

/// The part of all inputs on which a fault would show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rate {
    /// This one.
    Given(f64),
    /// The one that mutants have.
    Mutants,
    /// The one that mutants by all exchanges of operators have.
    Exchanged,
}

fn rate(text: &str) -> Result<Rate, String> {
    match (text, text.parse::<f64>()) {
        ("mutants", _) => Ok(Rate::Mutants),
        ("exchanged", _) => Ok(Rate::Exchanged),
        (_, Ok(rate)) if rate > 0.0 && rate < 1.0 => Ok(Rate::Given(rate)),
        _ => Err("it is `mutants`, `exchanged`, or a number between 0 and 1".to_owned()),
    }
}

/// Which relations, and how strongly they are settled.
#[derive(Debug, Args)]
pub(crate) struct RelationArguments {
    /// A relation by name of each function given by `--function`, such as 'permute(a, b)', 'permute(v[0..n]) -> class' or
    /// 'equivalent(g)'; may be repeated.
    #[arg(long, value_name = "RELATION", requires = "function", help_heading = RELATIONS)]
    pub(crate) symmetry: Vec<String>,
    /// A relation in C: a function that takes inputs, calls others several times, and asserts, or returns 0 where the
    /// relation does not hold; may be repeated. Functions named `f_relation...` are found for `--function f`.
    #[arg(long, value_name = "NAME", help_heading = RELATIONS)]
    pub(crate) relation: Vec<String>,
    /// Say which relations the names and types of functions suggest, and stop.
    #[arg(long, help_heading = RELATIONS)]
    pub(crate) suggest_relations: bool,
    /// Try all permutations, not only two that generate them.
    #[arg(long, help_heading = RELATIONS)]
    pub(crate) whole_group: bool,
    /// The most elements of an array whose number is an input.
    #[arg(long, value_name = "N", default_value_t = 4, help_heading = RELATIONS)]
    pub(crate) length: u32,
    /// Try every input of the domain natively instead of proving.
    #[arg(long, conflicts_with = "random", help_heading = RELATIONS)]
    pub(crate) exhaustive: bool,
    /// Try so many inputs of the domain natively, drawn at random.
    #[arg(long, value_name = "N", help_heading = RELATIONS)]
    pub(crate) random: Option<u64>,
    /// From what floats are drawn evenly.
    #[arg(long, value_enum, default_value = "values", help_heading = RELATIONS)]
    pub(crate) floats: Floats,
    /// The part of all inputs on which a fault would show, for the confidence of `--random`: a number, or measured by the
    /// mutants of the function (`mutants`), or by all exchanges of its arithmetic, relational and logical operators
    /// (`exchanged`).
    #[arg(long, value_name = "P|mutants|exchanged", value_parser = rate, help_heading = RELATIONS)]
    pub(crate) rate: Option<Rate>,
    /// Measure the rate by the mutants of this function, of which the same relation holds.
    #[arg(long, value_name = "NAME", requires = "rate", help_heading = RELATIONS)]
    pub(crate) specimen: Option<String>,
    /// The confidence that is wanted, from which and `--rate` the number of inputs follows.
    #[arg(long, value_name = "Q", requires = "rate", help_heading = RELATIONS)]
    pub(crate) quality: Option<f64>,
    /// The test frameworks to write violated relations for, separated by commas.
    #[arg(long, value_parser = names::framework(), value_name = "FRAMEWORK", value_delimiter = ',', default_value = "plain", help_heading = RELATIONS)]
    pub(crate) emit: Vec<Framework>,
}

impl RelationArguments {
    /// Whether a relation is asked for.
    pub(crate) fn are_asked_for(&self) -> bool {
        !self.symmetry.is_empty() || !self.relation.is_empty()
    }
}
