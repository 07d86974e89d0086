//! Inputs that a person would choose, and how good the tests are with them.
//!
//! A test found by a solver has whatever values came first: numbers left over from a search, or zeros throughout, with
//! which many mutants do what the original does. So its input is made small first: no pointers to what does not matter, zeros, small
//! numbers. Then, as long as mutants survive that the test comes to, telling values are tried where the path leaves a
//! choice: distinct ones, constants of the function and their neighbours, those of other parts of the input. What kills
//! most is kept.
//!
//! Candidates are judged natively: the path must stay the same. What is kept is then followed symbolically from the
//! precondition on, so that a changed test is predicted, covers all that it covered, and is replayed like any other;
//! otherwise the test stays as it was.

mod part;

use super::mutation::{Bench, Expected, Kills};
use super::patience::Patience;
use super::replay::{Replay, divergence, without_padding};
use super::settle::{Settled, Tried};
use super::{Replayed, Request};
use crate::policy;
use clew_coverage::{Criterion, Ledger};
use clew_execute::native::Job;
use clew_execute::{Ending, Input, Observation};
use clew_ir::GlobalId;
use clew_mutation::Mutants;
use clew_search::{Next, Progress, Search, objectives};
use clew_solver::clock::Deadline;
use clew_symbolic::Explored;
use clew_symbolic::config::{Config, Errors, Limits};
use clew_symbolic::ending::PathEnd;
use part::{Part, parts};
use std::collections::BTreeSet;
use std::time::Duration;

/// Work that following inputs, and that looking for further ones may take: as much as the exploration took, within these
/// bounds; and their safety net on the clock.
const WORK: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(4)];
const NET: Duration = Duration::from_secs(30);

/// Processor time of a candidate; and how many may take longer, which are those that never end, before no more are tried.
const CANDIDATE_TIME: Duration = Duration::from_millis(100);
/// Makes inputs small and telling, as far as asked for, and measures the tests. So much work was done for them.
pub(super) fn refine(
    request: &Request<'_, '_>,
    observed: &[GlobalId],
    replay: &mut Replay<'_>,
    tests: &mut Vec<Replayed>,
    work: Duration,
) -> Option<Result<Kills, String>> {
    let asked = request.natives.refine;
    if asked.measured.is_none() && !asked.telling && !asked.settle || request.config.references {
        return None;
    }
    // A mutant is not told from a run that has no end.
    if !tests.is_empty() && tests.iter().all(|test| test.observation.ending == Ending::TimedOut) {
        return None;
    }
    let may_change = request.config.is_directed() && tests.len() <= policy::MAX_IMPROVED_TESTS.size();
    let (is_improved, is_settled) = (asked.telling && may_change, asked.settle && may_change);
    if asked.measured.is_none() && !is_improved && !is_settled {
        return None;
    }
    let mut settled = Vec::new();
    if asked.measured.is_none() && !is_settled {
        if let Some(mut improve) = Improve::new(request, replay, work.clamp(WORK[0], WORK[1])) {
            improve.shrink_all(tests);
            improve.tell_apart(tests);
        }
        return None;
    }
    let built = request.natives.of_mutants(request.function, observed);
    let mut bench =
        built.map(|(native, mutants)| Bench::new(request.program, request.function, observed, native, mutants));
    if (is_improved || is_settled)
        && let Some(mut improve) = Improve::new(request, replay, work.clamp(WORK[0], WORK[1]))
    {
        if is_improved {
            improve.shrink_all(tests);
        }
        if let Ok(bench) = &mut bench {
            let mut alive = improve.tell_all(tests, bench);
            if (is_improved || is_settled) && !improve.is_late {
                let most =
                    if is_settled { usize::MAX } else { (tests.len() / policy::ADDED_TESTS_SHARE.size()).max(1) };
                improve.add(tests, bench, &mut alive, most);
            }
            if is_settled {
                settled = improve.settle(tests, bench, alive);
            }
        }
    }
    let all = asked.measured.or(is_settled.then_some(false))?;
    let measured = bench.map(|mut bench| {
        bench.deadline = request.config.limits.deadline;
        let mut kills = Kills { settled, ..bench.measure(tests, all) };
        if is_settled {
            kills.doubt();
            sanitize(request, observed, tests, &mut kills);
        }
        kills
    });
    Some(measured.map_err(|error| error.to_string()))
}

/// Has sanitizers look at mutants that do what C leaves undefined: tests kill those that they end.
fn sanitize(request: &Request<'_, '_>, observed: &[GlobalId], tests: &[Replayed], kills: &mut Kills) {
    let is_undefined = |(index, how): &(usize, Settled)| matches!(how, Settled::Undefined(_)).then_some(*index);
    let undefined: Vec<usize> = kills.settled.iter().filter_map(is_undefined).collect();
    if undefined.is_empty() {
        return;
    }
    let mutants = Mutants { list: kills.mutants.clone(), ..Mutants::default() };
    // Without sanitizers nothing more is known than before.
    let Ok(native) = request.natives.of_sanitized_mutants(request.function, observed) else { return };
    let mut bench = Bench::new(request.program, request.function, observed, native, &mutants);
    let first = bench.first_kills(tests, &undefined);
    for (index, how) in &mut kills.settled {
        if let Some(test) = first.get(index) {
            *how = Settled::Sanitized(*test);
        }
    }
}

/// Tests of a function being improved.
struct Improve<'r, 'p, 'n, 'x> {
    request: &'r Request<'p, 'n>,
    replay: &'r mut Replay<'x>,
    search: Search<'p>,
    fresh: Option<Ledger<'p>>,
    /// Constants that the function computes with.
    constants: Vec<u128>,
    /// Candidates tried for the present test.
    tried: usize,
    /// Inputs for the present test that could not be followed.
    refused: usize,
    /// Candidates that did not end in time, for all tests.
    slow: usize,
    /// What each search for inputs may take.
    work: Duration,
    /// What is left of the time for the function.
    patience: Patience,
    /// Whether that was over before.
    is_late: bool,
}

impl<'r, 'p, 'n, 'x> Improve<'r, 'p, 'n, 'x> {
    fn new(
        request: &'r Request<'p, 'n>,
        replay: &'r mut Replay<'x>,
        work: Duration,
    ) -> Option<Improve<'r, 'p, 'n, 'x>> {
        let patience = Patience::new(request.config.limits.deadline);
        let deadline = Deadline::after(patience.within(NET)).or_work(work);
        let limits = Limits { deadline, ..request.config.limits.clone() };
        let config = Config { limits, ..request.config.clone() };
        let search = Search::new(request.program, request.function, &request.precondition, &config).ok()?;
        let fresh = objectives(request.program, request.function, &config);
        let constants = part::constants(request.program, request.function);
        let is_late = request.config.limits.deadline.left() == Some(Duration::ZERO);
        replay.executor.limit_time(CANDIDATE_TIME);
        Some(Improve {
            request,
            replay,
            search,
            fresh,
            constants,
            tried: 0,
            refused: 0,
            slow: 0,
            work,
            patience,
            is_late,
        })
    }

    fn shrink_all(&mut self, tests: &mut [Replayed]) {
        for test in tests.iter_mut().filter(|test| is_changeable(test)) {
            (self.tried, self.refused) = (0, 0);
            self.shrink(test);
        }
    }

    /// Gives tests in which everything is zero values that can be told apart, where there are several; and tests whose result
    /// is zero such values that it is not.
    fn tell_apart(&mut self, tests: &mut [Replayed]) {
        for test in tests.iter_mut().filter(|test| is_changeable(test)) {
            (self.tried, self.refused) = (0, 0);
            let input = &test.explored.input;
            let parts = parts(self.request.program, self.request.function, input);
            let is_zero = parts.iter().all(|part| part.get(input) == 0);
            if is_zero && parts.len() > 1 {
                if let Some(candidate) = self.candidate(test, 0) {
                    self.accept(test, &candidate);
                }
            } else if is_mute(&test.observation) {
                self.give_voice(test, &parts);
            }
        }
    }

    /// Looks for values along the path with which the result is not zero: numbers for what is zero, and neighbours.
    fn give_voice(&mut self, test: &mut Replayed, parts: &[Part]) {
        let mut input = test.explored.input.clone();
        let numbered = || parts.iter().zip(1..).take(policy::MAX_CHANGED_PARTS.size());
        let zero: Vec<(&Part, u128)> = numbered()
            .filter(|(part, _)| part.get(&input) == 0)
            .map(|(part, number)| (part, part.telling(number + 1, 0, self.request.config.seed)))
            .collect();
        let set: Vec<(&Part, u128)> = numbered()
            .filter(|(part, _)| part.get(&input) != 0)
            .filter_map(|(part, number)| Some((part, part.beyond(part.get(&input), number)?)))
            .collect();
        for values in [zero, set] {
            self.put(test, &mut input, &values);
            let speaks = self.run(test, &input).is_some_and(|seen| is_alike(test, &seen) && !is_mute(&seen));
            if speaks && input != test.explored.input {
                self.accept(test, &input);
                return;
            }
        }
    }

    /// Gives tests telling values; the mutants that survive.
    fn tell_all(&mut self, tests: &mut [Replayed], bench: &mut Bench<'_>) -> Vec<usize> {
        let mut alive: Vec<usize> = (0..bench.mutants.len()).collect();
        let ends = |test: &&mut Replayed| test.observation.ending != Ending::TimedOut;
        for test in tests.iter_mut().filter(|test| test.is_usable()).filter(ends) {
            (self.tried, self.refused) = (0, 0);
            let may_change = is_changeable(test);
            self.tell(test, bench, &mut alive, may_change);
        }
        alive
    }

    /// Adds so many tests at most that kill what survives: inputs that make mutated expressions differ, along whatever path.
    fn add(&mut self, tests: &mut Vec<Replayed>, bench: &mut Bench<'_>, alive: &mut Vec<usize>, most: usize) {
        let allowed = self.request.config.limits.tests.saturating_sub(tests.len() as u64);
        let most = most.min(usize::try_from(allowed).unwrap_or(usize::MAX));
        if alive.is_empty() || most == 0 || tests.is_empty() {
            return;
        }
        let mut sets = Vec::new();
        for explored in self.candidates() {
            if bench.runs > policy::MAX_MUTANT_RUNS.size() {
                break;
            }
            let Some(expected) = expected(bench, &explored.input, explored.path.len()) else { continue };
            sets.push((bench.kills(&explored.input, &expected, alive), explored));
        }
        for _ in 0..most {
            let gain = |set: &Vec<usize>| set.iter().filter(|index| alive.contains(index)).count();
            let best = sets.iter().enumerate().max_by_key(|(at, (set, _))| (gain(set), std::cmp::Reverse(*at)));
            let Some(at) = best.filter(|(_, (set, _))| gain(set) > 0).map(|(at, _)| at) else { return };
            let (_, explored) = sets.remove(at);
            let Some(mut test) = self.replayed(&explored.input) else { continue };
            (self.tried, self.refused) = (0, 0);
            self.tell(&mut test, bench, alive, true);
            tests.push(test);
        }
    }

    /// Kills mutants that survive by further tests, or proves that they are the same function.
    fn settle(
        &mut self,
        tests: &mut Vec<Replayed>,
        bench: &mut Bench<'_>,
        mut alive: Vec<usize>,
    ) -> Vec<(usize, Settled)> {
        let (mutants, asked) = (bench.mutants.clone(), alive.clone());
        let inputs: Vec<Input> = tests.iter().map(|test| test.explored.input.clone()).collect();
        let request = self.request;
        let mut kills = |index: usize, input: &Input| {
            if !alive.contains(&index) {
                return Tried::Killed;
            }
            let known = self.search.retrace(input).map_or(0, |explored| explored.path.len());
            let Some(expected) = expected(bench, input, known) else { return Tried::Same };
            if !bench.kills(input, &expected, &[index]).contains(&index) {
                return Tried::Same;
            }
            // The mutant may look at what the function does not: then the test has to say that, too.
            let small = self.replayed(input);
            let kept = self.killing(small, bench, &mut alive, index);
            let kept = kept.or_else(|| {
                let whole = self.search.follow_whole(input).and_then(|explored| self.executed(explored));
                self.killing(whole, bench, &mut alive, index)
            });
            kept.map_or(Tried::Lost, |test| {
                tests.push(test);
                Tried::Killed
            })
        };
        let mut settled = super::settle::settle(request, &mutants, &asked, &inputs, &mut kills);
        settled.retain(|(index, _)| alive.contains(index));
        settled
    }

    /// A test, if it kills a mutant; then it is alive no more, nor are others that the test kills.
    fn killing(
        &mut self,
        test: Option<Replayed>,
        bench: &mut Bench<'_>,
        alive: &mut Vec<usize>,
        index: usize,
    ) -> Option<Replayed> {
        let mut test = test?;
        (self.tried, self.refused) = (0, 0);
        let mut left = alive.clone();
        self.tell(&mut test, bench, &mut left, false);
        if left.contains(&index) {
            return None;
        }
        *alive = left;
        Some(test)
    }

    /// Paths on which mutated expressions have another value than the original ones.
    fn candidates(&self) -> Vec<Explored> {
        let deadline = Deadline::after(self.patience.within(NET)).or_work(self.work);
        let config = Config {
            criteria: vec![Criterion::WeakMutation, Criterion::Boundary, Criterion::Loop, Criterion::AllUses],
            scope: vec![self.request.function],
            errors: Errors::AssumeAbsent,
            limits: Limits { deadline, ..self.request.config.limits.clone() },
            explain: false,
            ..self.request.config.clone()
        };
        let mut found = Vec::new();
        let mut keep = |explored: Explored| {
            let is_plain = matches!(explored.end, PathEnd::Returned(_)) && explored.input.earlier.is_empty();
            if is_plain && explored.input.readings.is_empty() && !explored.addressed {
                found.push(explored);
            }
            if found.len() < policy::MAX_FOUND_PATHS.size() { Next::Continue } else { Next::Stop }
        };
        let search = Search::new(self.request.program, self.request.function, &self.request.precondition, &config);
        if let Ok(mut search) = search {
            while search.run(&mut keep) == Progress::Stalled && !deadline.has_passed() {}
        }
        found
    }

    /// A test with an input, if it does what is predicted.
    fn replayed(&mut self, input: &Input) -> Option<Replayed> {
        let explored = self.search.retrace(input)?;
        self.executed(explored)
    }

    /// A path with what its execution shows, if that is what is predicted.
    fn executed(&mut self, explored: Explored) -> Option<Replayed> {
        let job = Job::alone(&explored.input);
        let observation = self.replay.executor.run_all(&[job]).pop()?.ok()?;
        let observation = without_padding(self.request, observation);
        let is_good = matches!(explored.end, PathEnd::Returned(_)) && divergence(&explored, &observation).is_none();
        is_good.then_some(Replayed { explored, observation, divergence: None })
    }

    fn is_late(&self) -> bool {
        self.slow >= policy::MAX_SLOW_CANDIDATES.size() || self.patience.is_over()
    }

    /// Whether enough was tried for the present test.
    fn is_tired(&self, bench: &Bench<'_>) -> bool {
        self.is_late()
            || bench.runs > policy::MAX_MUTANT_RUNS.size()
            || self.tried > policy::MAX_CANDIDATES.size()
            || self.refused >= policy::MAX_REFUSED_CANDIDATES.size()
    }

    /// Whether an input takes the path of a test to the same end.
    fn goes_alike(&mut self, test: &Replayed, input: &Input) -> bool {
        self.tried += 1;
        self.tried <= policy::MAX_CANDIDATES.size()
            && !self.is_late()
            && self.run(test, input).is_some_and(|observation| is_alike(test, &observation))
    }

    fn run(&mut self, test: &Replayed, input: &Input) -> Option<Observation> {
        let may_share = matches!(test.explored.end, PathEnd::Returned(_));
        let job = Job { may_share, ..Job::alone(input) };
        let observation = self.replay.executor.run_all(&[job]).pop()?.ok()?;
        self.slow += usize::from(observation.ending == Ending::TimedOut);
        Some(observation)
    }

    /// Makes the input of a test small.
    fn shrink(&mut self, test: &mut Replayed) {
        let mut input = test.explored.input.clone();
        for part in part::pointers(&input) {
            let mut fewer = input.clone();
            part.cut(&mut fewer);
            if self.goes_alike(test, &fewer) {
                input = fewer;
            }
        }
        let parts = parts(self.request.program, self.request.function, &input);
        let is_set = |part: &&Part| part.get(&input) != 0;
        let set: Vec<&Part> = parts.iter().filter(is_set).collect();
        let zero: Vec<(&Part, u128)> = set.into_iter().map(|part| (part, 0)).collect();
        self.put(test, &mut input, &zero);
        for part in &parts {
            let now = part.get(&input);
            let smaller = part.smaller(now).into_iter();
            for value in smaller {
                let mut other = input.clone();
                part.set(&mut other, value);
                if self.goes_alike(test, &other) {
                    input = other;
                    break;
                }
            }
        }
        if input != test.explored.input {
            self.accept(test, &input);
        }
    }

    /// Puts values into parts of an input, as many of them as the path allows: all, or of each half as many as it allows.
    fn put(&mut self, test: &Replayed, input: &mut Input, values: &[(&Part, u128)]) {
        if values.is_empty() || self.tried > policy::MAX_CANDIDATES.size() {
            return;
        }
        let mut other = input.clone();
        values.iter().for_each(|(part, value)| part.set(&mut other, *value));
        if other == *input {
            return;
        }
        if self.goes_alike(test, &other) {
            *input = other;
        } else if values.len() > 1 {
            let (first, second) = values.split_at(values.len() / 2);
            self.put(test, input, first);
            self.put(test, input, second);
        }
    }

    /// Gives a test another input, if it is predicted to do what was observed and covers what it covered.
    fn accept(&mut self, test: &mut Replayed, input: &Input) -> bool {
        match self.search.retrace(input) {
            Some(explored) => self.take(test, explored),
            None => {
                self.refused += 1;
                false
            }
        }
    }

    /// The same with an input that kills mutants: they may look at what the path of the function does not, and then the test
    /// has to say that, too.
    fn accept_telling(&mut self, test: &mut Replayed, input: &Input, bench: &mut Bench<'_>, killed: &[usize]) -> bool {
        let Some(explored) = self.search.retrace(input) else {
            self.refused += 1;
            return false;
        };
        let still = |bench: &mut Bench<'_>| {
            let expected = expected(bench, &explored.input, test.observation.path.len());
            expected.is_some_and(|expected| bench.kills(&explored.input, &expected, killed).len() == killed.len())
        };
        if explored.input == *input || still(bench) {
            return self.take(test, explored);
        }
        self.search.follow_whole(input).is_some_and(|explored| self.take(test, explored))
    }

    /// Gives a test the input of a path.
    fn take(&mut self, test: &mut Replayed, explored: Explored) -> bool {
        let is_alike = explored.path == test.explored.path && matches!(explored.end, PathEnd::Returned(_));
        if !is_alike || !self.covers(test, &explored) {
            return false;
        }
        let explored =
            Explored { newly_covered: test.explored.newly_covered.clone(), given: test.explored.given, ..explored };
        let Some(observation) = self.run(test, &explored.input) else { return false };
        let observation = without_padding(self.request, observation);
        if divergence(&explored, &observation).is_some() {
            return false;
        }
        *test = Replayed { explored, observation, divergence: None };
        true
    }

    /// Whether a path covers by itself what a test covers by itself.
    fn covers(&self, test: &Replayed, explored: &Explored) -> bool {
        let Some(fresh) = &self.fresh else { return true };
        let covered = |trace| -> BTreeSet<_> { fresh.clone().record(0, trace).into_iter().collect() };
        covered(&test.explored.trace).is_subset(&covered(&explored.trace))
    }

    /// Tries values that kill mutants which are still alive.
    fn tell(&mut self, test: &mut Replayed, bench: &mut Bench<'_>, alive: &mut Vec<usize>, may_change: bool) {
        let length = test.observation.path.len();
        let Some(expected) = expected(bench, &test.explored.input, length) else { return };
        let mut own = bench.kills(&test.explored.input, &expected, alive);
        let reached = |bench: &Bench<'_>, index: &usize| bench.reaches(&expected, *index);
        let mut open: Vec<usize> =
            alive.iter().copied().filter(|index| !own.contains(index) && reached(bench, index)).collect();
        for round in 0..policy::VALUE_ROUNDS.get() {
            if open.is_empty() || !may_change || self.is_tired(bench) {
                break;
            }
            let Some(candidate) = self.candidate(test, round) else { continue };
            self.keep_better(test, &candidate, bench, &mut own, &mut open);
        }
        if may_change {
            self.try_alone(test, bench, &mut own, &mut open);
            self.try_neighbours(test, bench, &mut own, &mut open);
        }
        alive.retain(|index| !own.contains(index));
    }

    /// Takes a candidate whose kills are more than those of the test.
    fn keep_better(
        &mut self,
        test: &mut Replayed,
        candidate: &Input,
        bench: &mut Bench<'_>,
        own: &mut Vec<usize>,
        open: &mut Vec<usize>,
    ) -> bool {
        let length = test.observation.path.len();
        let Some(expected) = expected(bench, candidate, length) else { return false };
        let more = bench.kills(candidate, &expected, open);
        if more.is_empty() {
            return false;
        }
        let kept = bench.kills(candidate, &expected, own);
        let killed = [&more[..], &kept[..]].concat();
        if killed.len() <= own.len() || !self.accept_telling(test, candidate, bench, &killed) {
            return false;
        }
        // What the test killed before may be killed by a later one.
        open.retain(|index| !more.contains(index));
        open.extend(own.iter().copied().filter(|index| !kept.contains(index)));
        *own = kept.into_iter().chain(more).collect();
        true
    }

    /// An input with telling values wherever the path allows them.
    fn candidate(&mut self, test: &Replayed, round: u64) -> Option<Input> {
        let mut input = test.explored.input.clone();
        let parts = parts(self.request.program, self.request.function, &input);
        let seed = self.request.config.seed;
        let valued = parts.iter().zip(1..).map(|(part, number)| (part, part.telling(number, round, seed)));
        let values: Vec<(&Part, u128)> = valued.collect();
        self.put(test, &mut input, &values);
        (input != test.explored.input).then_some(input)
    }

    /// Tries telling values for one part after the other.
    fn try_alone(&mut self, test: &mut Replayed, bench: &mut Bench<'_>, own: &mut Vec<usize>, open: &mut Vec<usize>) {
        let parts = parts(self.request.program, self.request.function, &test.explored.input);
        for (part, number) in parts.iter().zip(1..).take(policy::MAX_CHANGED_PARTS.size()) {
            for round in 0..2 {
                if open.is_empty() || self.is_tired(bench) {
                    return;
                }
                let mut other = test.explored.input.clone();
                part.set(&mut other, part.telling(number, round, self.request.config.seed));
                if other != test.explored.input && self.goes_alike(test, &other) {
                    self.keep_better(test, &other, bench, own, open);
                }
            }
        }
    }

    /// Tries constants, other parts and their neighbours, one part after the other.
    fn try_neighbours(
        &mut self,
        test: &mut Replayed,
        bench: &mut Bench<'_>,
        own: &mut Vec<usize>,
        open: &mut Vec<usize>,
    ) {
        let parts = parts(self.request.program, self.request.function, &test.explored.input);
        for part in parts.iter().take(policy::MAX_CHANGED_PARTS.size()) {
            let input = test.explored.input.clone();
            let others = parts
                .iter()
                .filter(|other| *other != part)
                .take(policy::MAX_CHANGED_PARTS.size())
                .map(|other| other.get(&input));
            let near: Vec<u128> = self.constants.iter().copied().chain(others).collect();
            for value in part.near(&near) {
                if open.is_empty() || self.is_tired(bench) {
                    return;
                }
                let mut other = test.explored.input.clone();
                part.set(&mut other, value);
                if other != test.explored.input && self.goes_alike(test, &other) {
                    self.keep_better(test, &other, bench, own, open);
                }
            }
        }
    }
}

/// What an input does on the original among the mutants.
fn expected(bench: &mut Bench<'_>, input: &Input, length: usize) -> Option<Expected> {
    bench.expected(&[(input, length)]).pop().flatten()
}

/// Whether a result is given, and is zero: then much of what is computed does not show.
fn is_mute(observation: &Observation) -> bool {
    !observation.result.is_empty() && observation.result.iter().all(|byte| *byte == 0)
}

/// Whether an observation shows the path and the end of a test.
fn is_alike(test: &Replayed, observation: &Observation) -> bool {
    let calls = |observation: &Observation| observation.calls.iter().map(|call| call.function).collect::<Vec<_>>();
    observation.path == test.observation.path
        && !observation.truncated
        && observation.ending == test.observation.ending
        && calls(observation) == calls(&test.observation)
}

/// Whether another input may take the place of a test's.
fn is_changeable(test: &Replayed) -> bool {
    let input = &test.explored.input;
    let ends = test.observation.ending == Ending::Returned && !test.observation.truncated;
    test.is_usable()
        && ends
        && !test.explored.given
        && input.earlier.is_empty()
        && input.readings.is_empty()
        && !test.explored.addressed
}
