//! How good tests are: which mutants of the function under test they kill.
//!
//! All mutants of all functions under test are compiled once (`clew_mutation`). Each test is run on the original in that
//! build first: where it does not do what it did before, nothing is claimed of it. Then it is run on the mutants whose
//! places it comes to. A mutant is killed when the run ends otherwise, or leaves another result, other objects or globals,
//! or calls functions without a body otherwise. Addresses count as places in the objects of the test. An endless
//! mutant is ended when it has evaluated many times as many conditions as the original.

use super::optimised::without_unwritten;
use super::patience::Patience;
use super::replay::without_padding_of;
use super::settle::Settled;
use super::{Natives, Replayed};
use crate::address::is_address;
use crate::suite::value;
use clew_execute::native::{BuildError, Job, Native};
use clew_execute::{Ending, Input, Observation};
use clew_ir::{FunctionId, GlobalId, Program};
use clew_mutation::{Mutant, Mutants, Operator};
use clew_solver::clock::Deadline;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How much more work than the original a mutant may do: a factor, and so many conditions besides.
const WORK: (u32, u32) = (16, 20_000);

/// Processor time that a run has: a mutant that does not end may do so where no condition counts its work.
const MUTANT_TIME: Duration = Duration::from_millis(250);

/// Mutants in which an address is a place in an object begin with this bit.
const PLACE: u64 = 1 << 63;

/// The mutants of a function, and which tests kill them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kills {
    /// The mutants.
    pub mutants: Vec<Mutant>,
    /// For each of them the tests that kill it, by position; if not all were asked for, the first of these.
    pub by: Vec<Vec<usize>>,
    /// For each of them whether a test comes to its place.
    pub reached: Vec<bool>,
    /// Tests that do not do in this build what they did before.
    pub unmeasured: Vec<usize>,
    /// Changes that were left out, because there are too many or because they do not compile.
    pub left_out: usize,
    /// What is known of mutants that no test kills, by position, where that was asked.
    pub settled: Vec<(usize, Settled)>,
    /// Whether all tests that kill a mutant were asked for.
    pub is_whole: bool,
}

impl Kills {
    /// How many mutants are killed.
    pub fn killed(&self) -> usize {
        self.by.iter().filter(|by| !by.is_empty()).count()
    }

    /// How many mutants no test comes to, those left out that are proved equivalent.
    pub fn not_reached(&self) -> usize {
        let is_equivalent = |index| self.settled.iter().any(|(of, how)| *of == index && *how == Settled::Equivalent);
        (0..self.mutants.len()).filter(|&index| !self.reached[index] && !is_equivalent(index)).count()
    }

    /// How many mutants are proved to be the same function.
    pub fn equivalent(&self) -> usize {
        self.settled.iter().filter(|(_, settled)| *settled == Settled::Equivalent).count()
    }

    /// How many mutants are known to do the same with short arrays only.
    pub fn up_to(&self) -> usize {
        self.settled.iter().filter(|(_, settled)| matches!(settled, Settled::UpTo(_))).count()
    }

    /// How many mutants are undefined on an input on which the function is not.
    pub fn undefined(&self) -> usize {
        self.settled.iter().filter(|(_, settled)| matches!(settled, Settled::Undefined(_))).count()
    }

    /// How many mutants tests kill in a build with sanitizers only.
    pub fn sanitized(&self) -> usize {
        self.settled.iter().filter(|(_, settled)| matches!(settled, Settled::Sanitized(_))).count()
    }

    /// How many mutants nothing is known of, where that was asked.
    pub fn unknown(&self) -> usize {
        self.settled.iter().filter(|(_, settled)| matches!(settled, Settled::Unknown(_))).count()
    }

    /// Says of mutants that were killed once and not again that nothing is known of them.
    pub(super) fn doubt(&mut self) {
        let is_settled = |index: usize, kills: &Kills| kills.settled.iter().any(|(of, _)| *of == index);
        let again = (0..self.mutants.len()).filter(|&index| self.by[index].is_empty() && !is_settled(index, self));
        let again: Vec<usize> = again.collect();
        let reason = "it is killed in some runs only";
        self.settled.extend(again.into_iter().map(|index| (index, Settled::Unknown(reason.to_owned()))));
        // What is killed needs no other verdict.
        let by = &self.by;
        self.settled.retain(|(index, _)| by[*index].is_empty());
    }

    /// Kinds of change, each with how many mutants are killed and how many there are.
    pub fn by_operator(&self) -> Vec<(Operator, usize, usize)> {
        let counts = Operator::ALL.map(|operator| {
            let own = || self.mutants.iter().zip(&self.by).filter(|(mutant, _)| mutant.operator == operator);
            (operator, own().filter(|(_, by)| !by.is_empty()).count(), own().count())
        });
        counts.into_iter().filter(|(_, _, all)| *all > 0).collect()
    }
}

/// What an execution of the original leaves, in a form that can be compared.
#[derive(Debug)]
pub(super) struct Expected {
    /// The observation, normalised.
    observation: Observation,
    result: Option<Json>,
    outputs: Vec<value::Typed>,
    /// The places of mutants that the run comes to.
    places: BTreeSet<u32>,
    /// How much work a mutant may do.
    most: u32,
}

/// A function with its mutants, ready to run.
pub(super) struct Bench<'a> {
    program: &'a Program,
    function: FunctionId,
    observed: Vec<GlobalId>,
    native: Native<'a>,
    /// The mutants of this function.
    pub(super) mutants: Vec<Mutant>,
    pub(super) left_out: usize,
    /// Runs of mutants so far.
    pub(super) runs: usize,
    /// When the time for the function is over; what is not measured soon after it is not measured.
    pub(super) deadline: Deadline,
}

impl<'a> Bench<'a> {
    pub(super) fn new(
        program: &'a Program,
        function: FunctionId,
        observed: &[GlobalId],
        native: Native<'a>,
        mutants: &Mutants,
    ) -> Bench<'a> {
        let own = mutants.list.iter().filter(|mutant| mutant.function == function).cloned().collect();
        let (observed, mut native) = (observed.to_vec(), native);
        native.limit_time(MUTANT_TIME);
        Bench {
            program,
            function,
            observed,
            native,
            mutants: own,
            left_out: mutants.left_out,
            runs: 0,
            deadline: Deadline::default(),
        }
    }

    /// What inputs do on the original; `None` for those that cannot be run. The path that each took before says how much
    /// work it is.
    pub(super) fn expected(&mut self, inputs: &[(&Input, usize)]) -> Vec<Option<Expected>> {
        let jobs: Vec<Job<'_>> =
            inputs.iter().map(|(input, _)| Job { mutant: Some((0, u32::MAX)), ..Job::alone(input) }).collect();
        self.runs += jobs.len();
        let results = self.native.run_mutants(&jobs);
        let pairs = inputs.iter().zip(results);
        pairs.map(|((input, length), result)| Some(self.expectation(input, *length, result.ok()?))).collect()
    }

    fn expectation(&self, input: &Input, length: usize, (observation, places): (Observation, Vec<u32>)) -> Expected {
        let observation = self.normalised(input, observation);
        let (result, outputs) = self.values(input, &observation);
        let work = u32::try_from(length).unwrap_or(u32::MAX);
        let most = work.saturating_mul(WORK.0).saturating_add(WORK.1);
        Expected { observation, result, outputs, places: places.into_iter().collect(), most }
    }

    fn values(&self, input: &Input, observation: &Observation) -> (Option<Json>, Vec<value::Typed>) {
        let result = value::result(self.program, self.function, observation);
        (result, value::outputs(self.program, input, observation, &self.observed))
    }

    /// Whether an input did the same before.
    fn is_as_before(&self, input: &Input, before: &Observation, expected: &Expected) -> bool {
        let before = self.normalised(input, before.clone());
        !self.differs(input, expected, &before)
    }

    /// The mutants that an input kills among some of those whose places it comes to, by position.
    pub(super) fn kills(&mut self, input: &Input, expected: &Expected, among: &[usize]) -> Vec<usize> {
        let reached = |index: &usize| expected.places.contains(&self.mutants[*index].place);
        let tried: Vec<usize> = among.iter().copied().filter(reached).collect();
        let job = |index: &usize| -> Job<'_> {
            Job { mutant: Some((self.mutants[*index].number, expected.most)), ..Job::alone(input) }
        };
        let jobs: Vec<Job<'_>> = tried.iter().map(job).collect();
        self.runs += jobs.len();
        let results = self.native.run_mutants(&jobs);
        let killed = tried.into_iter().zip(results).filter(|(_, result)| match result {
            Ok((observation, _)) => {
                let observation = self.normalised(input, observation.clone());
                self.differs(input, expected, &observation)
            }
            // What cannot be run at all is no observation.
            Err(_) => false,
        });
        killed.map(|(index, _)| index).collect()
    }

    /// Whether an input comes to the place of a mutant.
    pub(super) fn reaches(&self, expected: &Expected, index: usize) -> bool {
        expected.places.contains(&self.mutants[index].place)
    }

    fn differs(&self, input: &Input, expected: &Expected, other: &Observation) -> bool {
        let original = &expected.observation;
        if original.ending != other.ending {
            return true;
        }
        if original.calls != other.calls {
            return true;
        }
        if original.ending != Ending::Returned {
            return false;
        }
        let same = original.result == other.result && original.objects == other.objects;
        if same && original.globals == other.globals {
            return false;
        }
        // Bytes between members say nothing, and one NaN is like another.
        let (result, outputs) = self.values(input, other);
        let is_same = super::optimised::is_same;
        let same_result = match (&expected.result, &result) {
            (Some(a), Some(b)) => is_same(a, b),
            (a, b) => a == b,
        };
        !same_result || expected.outputs.iter().zip(&outputs).any(|(a, b)| !is_same(&a.value, &b.value))
    }

    /// What was observed, with zeros where nothing that C defines was written, and places instead of addresses.
    fn normalised(&self, input: &Input, observation: Observation) -> Observation {
        let observation = without_padding_of(self.program, self.function, observation);
        let mut observation = without_unwritten(&observation, input, &self.observed);
        let objects = observation.object_addresses.iter().zip(&observation.objects);
        let objects = objects.map(|(address, bytes)| (*address, bytes.len() as u64));
        let globals = observation.global_addresses.iter().zip(&observation.globals);
        let ranges: Vec<(u64, u64)> =
            objects.chain(globals.map(|(address, bytes)| (*address, bytes.len() as u64))).collect();
        let place = |number: u64| {
            let inside = ranges.iter().position(|(start, size)| (*start..=start + size).contains(&number));
            inside.map_or(0, |index| PLACE | (index as u64) << 32 | (number - ranges[index].0))
        };
        let outputs = observation.objects.iter_mut().chain(&mut observation.globals).chain([&mut observation.result]);
        let given = observation.calls.iter_mut().flat_map(|call| &mut call.arguments).map(|(_, bytes)| bytes);
        for word in outputs.chain(given).flat_map(|bytes| bytes.chunks_exact_mut(8)) {
            if let Some(number) = word.first_chunk().map(|word| u64::from_le_bytes(*word)).filter(|it| is_address(*it))
            {
                word.copy_from_slice(&place(number).to_le_bytes());
            }
        }
        observation
    }

    /// In a build with sanitizers: the first test that kills each of some mutants, by position.
    pub(super) fn first_kills(&mut self, tests: &[Replayed], among: &[usize]) -> BTreeMap<usize, usize> {
        let mut first = BTreeMap::new();
        for (number, test) in tests.iter().enumerate().filter(|(_, test)| test.is_usable()) {
            let input = &test.explored.input;
            let expected = self.expected(&[(input, test.observation.path.len())]).pop().flatten();
            let Some(expected) = expected.filter(|it| self.is_as_before(input, &test.observation, it)) else {
                continue;
            };
            for index in self.kills(input, &expected, among) {
                first.entry(index).or_insert(number);
            }
        }
        first
    }

    /// Measures tests. With `all`, every test that kills a mutant is named; otherwise the first.
    pub(super) fn measure(&mut self, tests: &[Replayed], all: bool) -> Kills {
        let usable = tests.iter().enumerate().filter(|(_, test)| test.is_usable());
        // How far a run without an end comes is a matter of time, and so would be what it kills.
        let (endless, ending): (Vec<_>, Vec<_>) =
            usable.partition(|(_, test)| test.observation.ending == Ending::TimedOut);
        let runs = ending.into_iter().map(|(number, test)| (number, &test.explored.input, &test.observation));
        let mut kills = self.measure_runs(&runs.collect::<Vec<_>>(), all);
        kills.unmeasured.extend(endless.into_iter().map(|(number, _)| number));
        kills.unmeasured.sort_unstable();
        kills
    }

    /// Measures numbered inputs with what they did before.
    fn measure_runs(&mut self, runs: &[(usize, &Input, &Observation)], all: bool) -> Kills {
        let inputs: Vec<(&Input, usize)> =
            runs.iter().map(|(_, input, observation)| (*input, observation.path.len())).collect();
        let expected = self.expected(&inputs);
        let count = self.mutants.len();
        let mut kills = Kills {
            mutants: self.mutants.clone(),
            by: vec![Vec::new(); count],
            reached: vec![false; count],
            unmeasured: Vec::new(),
            left_out: self.left_out,
            settled: Vec::new(),
            is_whole: all,
        };
        let patience = Patience::new(self.deadline);
        for (&(test, input, before), expected) in runs.iter().zip(expected) {
            let expected = expected.filter(|_| !patience.is_over());
            let known = expected.filter(|expected| self.is_as_before(input, before, expected));
            let Some(expected) = known else {
                kills.unmeasured.push(test);
                continue;
            };
            let open: Vec<usize> = (0..count).filter(|&index| all || kills.by[index].is_empty()).collect();
            for &index in &open {
                kills.reached[index] |= self.reaches(&expected, index);
            }
            for index in self.kills(input, &expected, &open) {
                kills.by[index].push(test);
            }
        }
        kills
    }
}

/// Measures inputs of a function by its mutants. With `all`, every input that kills a mutant is named; otherwise the first.
///
/// # Errors
/// When the program or its mutants cannot be built natively.
pub fn measure<'p>(
    program: &'p Program,
    natives: &Natives<'p>,
    function: FunctionId,
    inputs: &[Input],
    all: bool,
) -> Result<Kills, BuildError> {
    let observed = super::observed_globals(program, function);
    let observations = natives.of(function, &observed)?.run_batch(inputs);
    let (native, mutants) = natives.of_mutants(function, &observed)?;
    let mut bench = Bench::new(program, function, &observed, native, mutants);
    let numbered = inputs.iter().zip(&observations).enumerate();
    let runs = numbered.filter_map(|(number, (input, result))| Some((number, input, result.as_ref().ok()?)));
    Ok(bench.measure_runs(&runs.collect::<Vec<_>>(), all))
}

/// The files and lines that a compiler names in errors.
pub fn named_lines(message: &str) -> BTreeSet<(String, u32)> {
    let mut named = BTreeMap::new();
    for line in message.lines().filter(|line| line.contains("error:")) {
        let Some((place, _)) = line.split_once(" error:").or_else(|| line.split_once(" fatal error:")) else {
            continue;
        };
        let mut parts = place.trim_end_matches(':').rsplitn(3, ':');
        let (last, middle, first) = (parts.next(), parts.next(), parts.next());
        if let (Some(_), Some(Ok(number)), Some(file)) = (last, middle.map(str::parse::<u32>), first) {
            named.insert((file.to_owned(), number), ());
        }
    }
    named.into_keys().collect()
}

#[cfg(test)]
mod tests {
    use super::named_lines;

    #[test]
    fn lines_that_compilers_name() {
        let message =
            "a b.c: In function 'f':\na b.c:12:7: error: no\nx.h:3:1: warning: yes\n/t/y.c:9:2: error: z: 1\n";
        let named: Vec<_> = named_lines(message).into_iter().collect();
        assert_eq!(named, [("/t/y.c".to_owned(), 9), ("a b.c".to_owned(), 12)]);
    }
}
