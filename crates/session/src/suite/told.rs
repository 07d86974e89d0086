//! What tests are called, where they stand and what is said above them; the same as before where they are the same.
//!
//! A test is its input. One that stood in the suite that is being replaced keeps its place, and as long as it ends as it
//! did, its name and the lines above it: an edit of the source elsewhere does not touch it. New tests come behind the
//! others. Tests that would have the same name are told apart by a few digits of what their input hashes to.

use super::name::{Deed, name};
use super::{FunctionSuite, Suite, TestCase, ending, purpose, raw, value};
use crate::function::Replayed;
use clew_ir::{FunctionId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Digits of a hash that tell tests of one name apart.
const DIGITS: usize = 4;

/// A test as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its name, unique among those of the suite.
    pub name: String,
    /// Its place among the tests of its function: they stand in this order, with gaps where some have gone.
    pub place: usize,
    /// What is said above it.
    pub lines: Vec<String>,
}

/// Tells the tests of a function; `purposes` are those of each test, without lines of the source.
pub fn tell(
    program: &Program,
    function: FunctionId,
    tests: &[Replayed],
    purposes: &[Vec<String>],
    earlier: &[&Suite],
) -> Vec<Told> {
    let known = Known::of(&program.functions[function].name, earlier);
    let inputs: Vec<String> = tests.iter().map(|test| content(&raw::raw(program, &test.explored.input))).collect();
    let mut told: Vec<Option<Told>> = tests
        .iter()
        .zip(&inputs)
        .map(|(test, input)| {
            let case = known.tests.get(input.as_str())?;
            is_same(program, function, test, case).then(|| Told {
                name: case.name.clone(),
                place: case.place,
                lines: case.lines.clone(),
            })
        })
        .collect();
    let mut taken: BTreeSet<String> = told.iter().flatten().map(|told| told.name.clone()).collect();
    let mut next = known.places;
    for (index, (test, input)) in tests.iter().zip(&inputs).enumerate() {
        if told[index].is_some() {
            continue;
        }
        let purpose = &purposes[index];
        let wish = name(program, &Deed { function, purpose, observation: &test.observation });
        let name = unique(wish, input, &taken);
        taken.insert(name.clone());
        let place = known.tests.get(input.as_str()).map_or(next, |case| case.place);
        next += usize::from(place == next);
        let lines = purpose::lines(program, purpose, &test.observation.path);
        told[index] = Some(Told { name, place, lines });
    }
    told.into_iter().flatten().collect()
}

/// What is known of the tests of a function.
#[derive(Default)]
struct Known<'s> {
    /// The tests by their inputs.
    tests: BTreeMap<String, &'s TestCase>,
    /// The place behind all of them.
    places: usize,
}

impl<'s> Known<'s> {
    fn of(function: &str, earlier: &[&'s Suite]) -> Known<'s> {
        let of_function = |suite: &&'s Suite| suite.functions.iter().filter(|suite| suite.name == function);
        let mut known = Known::default();
        for suite in earlier.iter().flat_map(|suite| of_function(suite)) {
            let FunctionSuite { tests, .. } = suite;
            // Suites of earlier versions have no names.
            for test in tests.iter().filter(|test| !test.name.is_empty()) {
                known.tests.entry(content(&test.raw)).or_insert(test);
                known.places = known.places.max(test.place + 1);
            }
        }
        known
    }
}

/// Whether a test ended as it did before.
fn is_same(program: &Program, function: FunctionId, test: &Replayed, case: &TestCase) -> bool {
    ending(&test.observation) == case.ending && value::result(program, function, &test.observation) == case.result
}

/// What tells an input from others.
fn content(raw: &raw::Raw) -> String {
    serde_json::to_string(raw).expect("an input is made of strings and numbers")
}

/// A name that nothing has yet.
fn unique(wish: String, input: &str, taken: &BTreeSet<String>) -> String {
    if !taken.contains(&wish) {
        return wish;
    }
    let hash = crate::hash::sha256(input.as_bytes());
    let ends = (DIGITS..hash.len()).map(|digits| format!("{wish}_{}", &hash[..digits]));
    ends.into_iter().find(|name| !taken.contains(name)).unwrap_or(wish)
}
