//! Mutants as data: which of them tests kill.

use crate::function::{Kills, Settled};
use clew_ir::{Program, Span};
use clew_mutation::Mutant;
use serde::{Deserialize, Serialize};

/// How good the tests of a function are.
#[derive(Debug, Serialize, Deserialize)]
pub struct MutantCases {
    /// How many mutants there are.
    pub all: usize,
    /// How many of them some test kills.
    pub killed: usize,
    /// How many of them are proved to be the same function.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub equivalent: usize,
    /// How many of them are at places that no test comes to.
    pub not_reached: usize,
    /// Changes that were not made: there are too many, or they do not compile.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: usize,
    /// Whether every test that kills a mutant is named, or the first.
    pub is_whole: bool,
    /// Tests that do not do among the mutants what they do otherwise, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmeasured: Vec<usize>,
    /// The mutants.
    pub list: Vec<MutantCase>,
}

/// A mutant.
#[derive(Debug, Serialize, Deserialize)]
pub struct MutantCase {
    /// What kind of change it is.
    pub operator: String,
    /// The function it changes, where that is not the one under test.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub function: String,
    /// Its line.
    pub line: u32,
    /// What is replaced.
    pub text: String,
    /// By what; empty where it is left out.
    pub by: String,
    /// Whether a test comes there.
    pub reached: bool,
    /// The tests that kill it, by number.
    pub killed_by: Vec<usize>,
    /// Whether it is proved to be the same function.
    #[serde(default, skip_serializing_if = "is_false")]
    pub equivalent: bool,
    /// Up to how many elements of its arrays it is known to do the same, where no more is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_up_to: Option<u32>,
    /// What it does that C leaves undefined, on an input on which the function does not, where nothing shows natively.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undefined: Option<String>,
    /// The test that kills it in a build with sanitizers, by number, where none does without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sanitized_by: Option<usize>,
    /// Why it is not known whether it is, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

fn is_false(it: &bool) -> bool {
    !*it
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl MutantCases {
    /// What was measured; tests are numbered from 1.
    pub fn of(program: &Program, kills: &Kills) -> MutantCases {
        let list: Vec<MutantCase> = (0..kills.mutants.len())
            .map(|index| {
                let mutant = &kills.mutants[index];
                let settled = kills.settled.iter().find(|(of, _)| *of == index).map(|(_, settled)| settled);
                MutantCase {
                    operator: mutant.operator.name().to_owned(),
                    function: String::new(),
                    line: program.sources.locate(mutant.span).map_or(0, |place| place.line),
                    text: shown(program, mutant.span),
                    by: replacement(program, mutant),
                    reached: kills.reached[index],
                    killed_by: kills.by[index].iter().map(|test| test + 1).collect(),
                    equivalent: settled == Some(&Settled::Equivalent),
                    same_up_to: match settled {
                        Some(Settled::UpTo(length)) => Some(*length),
                        _ => None,
                    },
                    undefined: match settled {
                        Some(Settled::Undefined(what)) => Some(what.clone()),
                        _ => None,
                    },
                    sanitized_by: match settled {
                        Some(Settled::Sanitized(test)) => Some(test + 1),
                        _ => None,
                    },
                    unknown: match settled {
                        Some(Settled::Unknown(reason)) => Some(reason.clone()),
                        _ => None,
                    },
                }
            })
            .collect();
        MutantCases {
            all: list.len(),
            killed: kills.killed(),
            equivalent: kills.equivalent(),
            not_reached: kills.not_reached(),
            left_out: kills.left_out,
            is_whole: kills.is_whole,
            unmeasured: kills.unmeasured.iter().map(|test| test + 1).collect(),
            list,
        }
    }

    /// The share of mutants that are killed, in percent, rounded down; all of none are.
    pub fn percent(&self) -> usize {
        (self.killed * 100).checked_div(self.all).unwrap_or(100)
    }
}

/// What a mutant replaces, as the user wrote it.
fn shown(program: &Program, span: Span) -> String {
    program.sources.written(span)
}

/// What a mutant puts there.
fn replacement(_: &Program, mutant: &Mutant) -> String {
    mutant.text.clone()
}
