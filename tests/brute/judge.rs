//! Compares what `clew` says of a program with what enumeration shows.

use crate::oracle::{Key, Shown, path, shown};
use crate::site::{Ending, Run, Site, What};
use crate::writer::{ALIAS, Program};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A program with all its runs.
pub(crate) struct Judge<'a> {
    pub(crate) program: &'a Program,
    pub(crate) runs: &'a [Vec<Run>],
}

/// How many verdicts were compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) covered: usize,
    pub(crate) excluded: usize,
    pub(crate) unknown: usize,
    pub(crate) tests: usize,
    pub(crate) goals: usize,
    pub(crate) paths: usize,
}

/// What enumeration shows, and what it shows of the runs that keep to assumptions.
struct Truth {
    all: Shown,
    /// Inputs do not overlap, functions without a body write where they are expected to, or both.
    kept: [Shown; 3],
}

impl Truth {
    /// What must not be excluded under some assumptions.
    fn under(&self, assumes: &str) -> &Shown {
        match Kept::by(assumes) {
            Kept { separation: false, writes: false } => &self.all,
            Kept { separation: true, writes: false } => &self.kept[0],
            Kept { separation: false, writes: true } => &self.kept[1],
            Kept { separation: true, writes: true } => &self.kept[2],
        }
    }
}

/// The assumptions that a verdict names.
#[derive(Clone, Copy, Debug)]
struct Kept {
    separation: bool,
    writes: bool,
}

impl Kept {
    fn by(assumes: &str) -> Kept {
        let writes = assumes.contains("only to named variables");
        Kept { separation: assumes.contains("do not overlap"), writes }
    }

    /// Whether a run keeps to them.
    fn allows(self, run: &Run) -> bool {
        !(self.separation && run.input[ALIAS] != 0 || self.writes && run.has_hidden_writes)
    }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn assumes(objective: &Value) -> String {
    let because = ["because", "proof"].map(|key| text(objective, key));
    because.concat() + &objective["assumes"].to_string()
}

impl Judge<'_> {
    fn truth(&self, index: usize) -> Truth {
        let (sites, runs) = (&self.program.sites, &self.runs[index]);
        let name = &self.program.functions[index].name;
        let shown_by = |separation: bool, writes: bool| {
            let kept = Kept { separation, writes };
            shown(sites, name, runs.iter().enumerate().filter(|(_, run)| kept.allows(run)))
        };
        Truth {
            all: shown_by(false, false),
            kept: [shown_by(true, false), shown_by(false, true), shown_by(true, true)],
        }
    }

    fn sites(&self, index: usize) -> &[Site] {
        &self.program.sites[self.program.functions[index].sites.clone()]
    }

    /// What is wrong with a suite.
    pub(crate) fn suite(&self, suite: &Value, count: &mut Count) -> Vec<String> {
        let mut wrong = Vec::new();
        for (index, function) in self.program.functions.iter().enumerate() {
            let is_own = |entry: &&Value| text(entry, "name") == function.name;
            let Some(entry) = list(suite, "functions").iter().find(is_own) else {
                wrong.push(format!("{} is not in the suite", function.name));
                continue;
            };
            let truth = self.truth(index);
            let mut own = self.objectives(index, entry, &truth, count);
            own.extend(self.lines(index, entry, &truth));
            own.extend(self.tests(index, entry, &truth, count));
            wrong.extend(own.into_iter().map(|complaint| format!("{}: {complaint}", function.name)));
        }
        wrong
    }

    fn input(&self, index: usize, run: usize) -> String {
        format!("{:?}", self.runs[index][run].input)
    }

    /// Objectives by their words.
    fn objectives(&self, index: usize, entry: &Value, truth: &Truth, count: &mut Count) -> Vec<String> {
        let mut said: BTreeMap<(&str, &str), Vec<&Value>> = BTreeMap::new();
        for objective in list(entry, "objectives") {
            said.entry((text(objective, "criterion"), text(objective, "what"))).or_default().push(objective);
            match text(objective, "verdict") {
                "covered" => count.covered += 1,
                "infeasible" => count.excluded += 1,
                _ => count.unknown += 1,
            }
        }
        let function = &self.program.functions[index];
        let mut wrong = Vec::new();
        for ((criterion, what), entries) in &said {
            let excluded = |entry: &&&Value| text(entry, "verdict") == "infeasible";
            let first = entries.iter().find(excluded);
            let key: Key = (known(criterion), (*what).to_owned());
            if let (Some(first), true) = (first, entries.iter().all(|entry| excluded(&entry))) {
                let contradicting = truth.under(&assumes(first)).covered.get(&key).and_then(|runs| runs.first());
                wrong.extend(contradicting.map(|&run| {
                    format!("{criterion}: {what}: {}, but {} does", assumes(first), self.input(index, run))
                }));
            }
            let is_covered = entries.iter().all(|entry| text(entry, "verdict") == "covered");
            let is_whole = function.is_whole && !function.has_state && !self.is_open(index);
            if is_covered && is_whole && is_counted(criterion) && !truth.all.covered.contains_key(&key) {
                wrong.push(format!("{criterion}: {what}: said to be covered, but no input does"));
            }
        }
        for (criterion, what) in truth.all.covered.keys().filter(|(criterion, _)| is_counted(criterion)) {
            if !said.contains_key(&(*criterion, what.as_str())) {
                wrong.push(format!("{criterion}: {what}: is not among the objectives"));
            }
        }
        wrong
    }

    /// Objectives about lines: statements, and checks that fail.
    fn lines(&self, index: usize, entry: &Value, truth: &Truth) -> Vec<String> {
        let mut wrong = Vec::new();
        let excluded = |objective: &&Value| text(objective, "verdict") == "infeasible";
        let of = |criterion: &'static str| {
            list(entry, "objectives").iter().filter(move |objective| text(objective, "criterion") == criterion)
        };
        let line = |value: &Value| usize::try_from(value["line"].as_u64().unwrap_or(0)).expect("lines are small");
        for objective in of("statement").filter(excluded) {
            let shown = truth.under(&assumes(objective));
            let what = text(objective, "what");
            let Some((_, rest)) = what.split_once(": `") else { continue };
            let here = |site: &(usize, &Site)| site.1.line == line(objective);
            let sites = || self.sites(index).iter().enumerate().filter(here);
            let conditions: Vec<usize> = sites()
                .filter(|(_, site)| matches!(site.what, What::Condition { .. }))
                .map(|(position, _)| position)
                .collect();
            let meant: Vec<usize> = match conditions.as_slice() {
                [] => sites().filter(|(_, it)| matches!(it.what, What::Line)).map(|(position, _)| position).collect(),
                some => {
                    let is_meant =
                        |position: &&usize| self.sites(index)[**position].text.contains(rest.trim_end_matches('`'));
                    some.iter().filter(is_meant).copied().collect()
                }
            };
            let first = self.program.functions[index].sites.start;
            let run = meant.first().and_then(|position| shown.ran.get(&(first + position)));
            if let ([_], Some(run)) = (meant.as_slice(), run) {
                wrong.push(format!("statement: {what}: {}, but {} does", assumes(objective), self.input(index, *run)));
            }
        }
        let failures: Vec<&Value> = of("error").collect();
        for (at, run) in &truth.all.undefined {
            let here: Vec<&&Value> = failures.iter().filter(|failure| line(failure) == *at).collect();
            let is_excluded = here.iter().all(|failure| excluded(failure));
            let under = here.iter().map(|failure| assumes(failure)).collect::<String>();
            if is_excluded && truth.under(&under).undefined.contains_key(at) {
                wrong.push(format!("error: line {at}: no check fails, but {} does", self.input(index, *run)));
            }
        }
        wrong
    }

    /// What tests say of themselves.
    fn tests(&self, index: usize, entry: &Value, truth: &Truth, count: &mut Count) -> Vec<String> {
        let function = &self.program.functions[index];
        if !function.is_whole || function.has_state || function.has_pointers {
            return Vec::new();
        }
        let mut wrong = Vec::new();
        for test in list(entry, "tests") {
            let value = |name: &str| {
                let of = |input: &&Value| text(input, "name") == name;
                list(test, "inputs").iter().find(of).and_then(|input| input["value"].as_i64()).unwrap_or(0)
            };
            let row = [value("a"), value("b"), 0, 0, 0, value("g"), 0, 0, 0, 0];
            let Some(position) = self.runs[index].iter().position(|run| run.input == row) else {
                wrong.push(format!("test {} has an input that the contract excludes: {row:?}", test["id"]));
                continue;
            };
            count.tests += 1;
            let run = &self.runs[index][position];
            let expected = match run.ending {
                Ending::Returned(result) => test["result"].as_i64() == Some(i64::from(result)),
                // A run into something undefined may be kept, but covers nothing.
                Ending::Undefined | Ending::Long => true,
            };
            if !expected || !test["divergence"].is_null() {
                wrong.push(format!("test {}: {row:?} does {:?}, not {}", test["id"], run.ending, test["result"]));
            }
            if run.ending != Ending::Long {
                wrong.extend(self.claims(entry, test, position, truth));
            }
        }
        wrong
    }

    /// Objectives that a test claims to cover and does not.
    fn claims(&self, entry: &Value, test: &Value, position: usize, truth: &Truth) -> Vec<String> {
        let mut wrong = Vec::new();
        for objective in list(entry, "objectives") {
            let criterion = known(text(objective, "criterion"));
            if !list(objective, "tests").contains(&test["id"]) || !is_counted(criterion) || criterion.contains("mcdc") {
                continue;
            }
            let key = (criterion, text(objective, "what").to_owned());
            if !truth.all.covered.get(&key).is_some_and(|runs| runs.contains(&position)) {
                wrong.push(format!("test {} does not do what it claims: {}", test["id"], key.1));
            }
        }
        wrong
    }

    /// Paths with at most so many turns of each loop that a suite says are all, and are not.
    pub(crate) fn paths(&self, suite: &Value, most: u32, count: &mut Count) -> Vec<String> {
        let mut wrong = Vec::new();
        for (index, function) in self.program.functions.iter().enumerate() {
            let is_own = |entry: &&Value| text(entry, "name") == function.name;
            let entry = list(suite, "functions").iter().find(is_own);
            let is_exhausted = |entry: &&Value| text(entry, "stop") == "exhausted";
            let Some(entry) = entry.filter(is_exhausted).filter(|_| function.is_whole && !function.has_state) else {
                continue;
            };
            let taken: BTreeSet<_> =
                list(entry, "tests").iter().map(|test| taken(entry, test, &function.name)).collect();
            count.paths += taken.len();
            let separated = self.runs[index].iter().filter(|run| run.input[ALIAS] == 0);
            for run in separated.filter(|run| matches!(run.ending, Ending::Returned(_))) {
                let path = path(&self.program.sites, run, most);
                if path.is_some_and(|path| !taken.contains(&path)) {
                    wrong.push(format!("{}: the path of {:?} is not among all paths", function.name, run.input));
                }
            }
        }
        wrong
    }

    /// What is wrong with the verdict of `clew reach` on a line.
    pub(crate) fn reached(&self, index: usize, site: usize, goals: &Value, count: &mut Count) -> Option<String> {
        let goal = list(goals, "goals").first()?;
        count.goals += 1;
        let (function, truth) = (&self.program.functions[index], self.truth(index));
        let proof = assumes(goal);
        let contradicting = truth.under(&proof).ran.get(&site);
        let what = format!("{}: line {}", function.name, self.program.sites[site].line);
        let is_closed = function.is_whole && !function.has_state && !self.is_open(index);
        match (text(goal, "verdict"), contradicting) {
            ("infeasible", Some(run)) => {
                Some(format!("{what}: cannot be reached ({proof}), but {} does", self.input(index, *run)))
            }
            ("covered", None) if is_closed && !truth.all.passed.contains(&site) => {
                Some(format!("{what}: reached by {}, but no input does", goal["input"]))
            }
            _ => None,
        }
    }

    /// What is wrong with the verdicts of `clew prove --checks`.
    pub(crate) fn proofs(&self, goals: &Value, count: &mut Count) -> Vec<String> {
        let mut wrong = Vec::new();
        for (index, function) in self.program.functions.iter().enumerate() {
            let truth = self.truth(index);
            let own: Vec<&Value> =
                list(goals, "goals").iter().filter(|goal| text(goal, "function") == function.name).collect();
            count.goals += own.len();
            let at = |goal: &Value, line: usize| goal["line"].as_u64() == Some(line as u64);
            for &(line, op, number) in &function.ensures {
                let fails = |run: &Run| match run.ending {
                    Ending::Returned(result) => !holds(result, op, number),
                    Ending::Undefined | Ending::Long => false,
                };
                let goal = own.iter().find(|goal| at(goal, line) && text(goal, "id").starts_with("ensures")).copied();
                let kept = Kept::by(&goal.map(assumes).unwrap_or_default());
                let failing = self.runs[index].iter().position(|run| fails(run) && kept.allows(run));
                wrong.extend(self.contradicts(index, goal, failing));
            }
            for (position, site) in self.sites(index).iter().enumerate() {
                if matches!(site.what, What::Assertion) {
                    let goal = own.iter().find(|goal| at(goal, site.line) && text(goal, "id").starts_with("assert"));
                    let shown = truth.under(&goal.map(|goal| assumes(goal)).unwrap_or_default());
                    let failing = shown.violated.get(&(function.sites.start + position)).copied();
                    let is_before = truth.all.violated_before.contains(&(function.sites.start + position));
                    let wrong_goal = self.contradicts(index, goal.copied(), failing);
                    wrong.extend(wrong_goal.filter(|_| failing.is_some() || !is_before));
                }
            }
            for (line, run) in &truth.all.undefined {
                let here = || own.iter().filter(|goal| at(goal, *line) && !text(goal, "id").starts_with("assert"));
                let is_proved = |goal: &&Value| text(goal, "verdict") == "proved";
                let shown = truth.under(&here().map(|goal| assumes(goal)).collect::<String>());
                if !own.is_empty() && here().all(is_proved) && shown.undefined.contains_key(line) {
                    let input = self.input(index, *run);
                    wrong.push(format!("{}: line {line}: all is proved, but {input} fails", function.name));
                }
            }
        }
        wrong
    }

    fn contradicts(&self, index: usize, goal: Option<&Value>, failing: Option<usize>) -> Option<String> {
        let function = &self.program.functions[index];
        let name = &function.name;
        let Some(goal) = goal else { return Some(format!("{name}: a property is not among the goals")) };
        let what = format!("{name}: {} (line {})", text(goal, "text"), goal["line"]);
        match (text(goal, "verdict"), failing) {
            ("proved", Some(run)) => {
                Some(format!("{what}: proved ({}), but {} violates it", assumes(goal), self.input(index, run)))
            }
            ("violated", None) if function.is_whole && !self.is_open(index) && !function.has_state => {
                Some(format!("{what}: violated with {}, but no input does", goal["input"]))
            }
            _ => None,
        }
    }

    /// Whether some runs were not looked at to their ends.
    fn is_open(&self, index: usize) -> bool {
        self.runs[index].iter().any(|run| run.ending == Ending::Long)
    }
}

fn holds(result: i32, op: &str, number: i32) -> bool {
    match op {
        "!=" => result != number,
        "<=" => result <= number,
        ">=" => result >= number,
        _ => result < number,
    }
}

/// Criteria whose objectives the oracle counts whole.
fn is_counted(criterion: &str) -> bool {
    !known(criterion).is_empty() && !matches!(criterion, "all-defs" | "all-uses" | "weak-mutation")
}

/// The name of a criterion that the oracle knows.
fn known(criterion: &str) -> &'static str {
    const NAMES: [&str; 13] = [
        "decision",
        "condition",
        "condition-decision",
        "mcc",
        "mcdc-unique",
        "mcdc-masking",
        "all-defs",
        "all-uses",
        "weak-mutation",
        "boundary",
        "loop",
        "function",
        "call",
    ];
    if criterion == "user" {
        return "user";
    }
    NAMES.iter().find(|name| **name == criterion).copied().unwrap_or("")
}

/// The conditions of one function on the path of a test.
fn taken(entry: &Value, test: &Value, name: &str) -> Vec<(usize, String, bool)> {
    let branches = list(entry, "branches");
    let step = |step: &Value| {
        let branch = &branches[usize::try_from(step[0].as_u64()?).ok()?];
        let line = usize::try_from(branch["line"].as_u64()?).ok()?;
        (text(branch, "function") == name).then_some((line, text(branch, "text").to_owned(), step[1].as_bool()?))
    };
    list(test, "path").iter().filter_map(step).collect()
}
