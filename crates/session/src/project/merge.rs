//! Joining what several runs made, of one project or of many: which record of a function counts, and which stand side by
//! side.
//!
//! Two records are of one function if its name and file are the same, or its name and the directory of its suite (so that
//! checkouts at different places fit together). Of those with one key, the better one counts ([`standing`] is the order);
//! with different keys, the content differed, and both stay, each with a `variant` that tells where it comes from. The
//! result does not depend on the order of the inputs, but for the names of suites that are no projects.
//!
//! What was covered in one run and is infeasible in another for the same key is a mistake somewhere, and is told as a
//! contradiction. Shards that are missing, or were not cut by one plan, are told, too.

pub mod copy;
mod input;

use super::record::Record;
use super::shard::Told;
use crate::suite::Suite;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

pub use input::{Input, read};

/// Digits of a key that tell contents apart.
const KEY_DIGITS: usize = 8;

/// What came of joining.
#[derive(Debug)]
pub struct Joined {
    /// The records that count, by file and name.
    pub parts: Vec<Part>,
    /// Records that were left out because a better one, or the same, was there.
    pub repeated: usize,
    /// What the reader should know.
    pub doubts: Vec<Doubt>,
}

/// A record that counts, and where its suite lies now.
#[derive(Clone, Debug)]
pub struct Part {
    /// The record, `directory` being where its suite goes.
    pub record: Record,
    /// The directory of its suite.
    pub origin: PathBuf,
    /// Which input it is from.
    input: usize,
}

/// What makes a joined result less than it seems.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// Shards of a run that no input is.
    Missing {
        /// How many shards there are.
        count: u32,
        /// Those that are not here.
        numbers: Vec<u32>,
    },
    /// Shards that were not cut by the same plan: some functions may be in none.
    Plans,
    /// A function with different content in two inputs.
    Contents {
        /// Its name.
        function: String,
        /// Its file.
        file: String,
        /// Where the contents are from.
        inputs: Vec<String>,
    },
    /// A test of a function diverged in one input, and in another none did.
    Divergence {
        /// Its name.
        function: String,
        /// The input in which one did.
        input: String,
    },
    /// An objective is covered in one input and infeasible in another.
    Contradiction {
        /// The function.
        function: String,
        /// The objective, in words.
        objective: String,
    },
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Missing { count, numbers } => {
                let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
                write!(f, "of {count} shards, {} not here", numbers.join(", "))
            }
            Doubt::Plans => f.write_str(
                "the shards were not cut by one plan: functions may be in none of them; give every shard the same \
                 --durations",
            ),
            Doubt::Contents { function, file, inputs } => {
                write!(f, "`{function}` of {file} has different content in {}: both are kept", inputs.join(", "))
            }
            Doubt::Divergence { function, input } => {
                write!(f, "a test of `{function}` diverged in {input}, and in no other")
            }
            Doubt::Contradiction { function, objective } => write!(
                f,
                "`{function}`: {objective} is covered in one input and infeasible in another; this is a mistake in clew"
            ),
        }
    }
}

/// Joins inputs.
pub fn join(inputs: &[Input]) -> Joined {
    let mut joining =
        Joining { inputs, groups: BTreeMap::new(), slots: Vec::new(), repeated: 0, doubts: BTreeSet::new() };
    for (number, input) in inputs.iter().enumerate() {
        for (record, origin) in &input.records {
            joining.add(Part { record: record.clone(), origin: origin.clone(), input: number });
        }
    }
    joining.tell_shards();
    joining.tell_contents();
    let Joining { mut slots, repeated, doubts, .. } = joining;
    slots.sort_by(|a, b| place(&a.record).cmp(&place(&b.record)));
    Joined { parts: slots, repeated, doubts: doubts.into_iter().collect() }
}

fn place(record: &Record) -> (&str, &str, &str) {
    (&record.file, &record.function, &record.key)
}

struct Joining<'a> {
    inputs: &'a [Input],
    /// The records of one function, by where it stands and by where its suite lies.
    groups: BTreeMap<(String, String), Vec<usize>>,
    slots: Vec<Part>,
    repeated: usize,
    doubts: BTreeSet<Doubt>,
}

impl Joining<'_> {
    fn add(&mut self, part: Part) {
        let names = names(&part.record);
        let known = names.iter().filter_map(|name| self.groups.get(name)).flatten();
        // A function whose worker was lost before it knew the key has the content that others saw.
        let is_same = |key: &str| key == part.record.key || key.is_empty() || part.record.key.is_empty();
        let same = known.copied().find(|&slot| is_same(&self.slots[slot].record.key));
        let slot = same.unwrap_or(self.slots.len());
        for name in names {
            let group = self.groups.entry(name).or_default();
            if !group.contains(&slot) {
                group.push(slot);
            }
        }
        if same.is_none() {
            self.slots.push(part);
            return;
        }
        self.repeated += 1;
        let known = self.slots[slot].clone();
        self.compare(&known, &part);
        if standing(&part.record, &known.record) == Ordering::Greater {
            self.slots[slot] = part;
        }
    }

    /// Tells where two records of one content disagree.
    fn compare(&mut self, a: &Part, b: &Part) {
        if a.record.key != b.record.key {
            return;
        }
        for (one, other) in [(a, b), (b, a)] {
            if one.record.diverged > 0 && other.record.diverged == 0 && other.record.tests > 0 {
                let (function, input) = (one.record.function.clone(), self.inputs[one.input].name.clone());
                self.doubts.insert(Doubt::Divergence { function, input });
            }
        }
        for objective in contradictions(a, b) {
            self.doubts.insert(Doubt::Contradiction { function: a.record.function.clone(), objective });
        }
    }

    fn tell_shards(&mut self) {
        let told: Vec<&Told> = self.inputs.iter().filter_map(|input| input.shard.as_ref()).collect();
        let mut runs: BTreeMap<(u32, &str), BTreeSet<u32>> = BTreeMap::new();
        for one in &told {
            runs.entry((one.share.count, &one.plan)).or_default().insert(one.share.number);
        }
        for ((count, _), numbers) in &runs {
            let missing: Vec<u32> = (1..=*count).filter(|number| !numbers.contains(number)).collect();
            if !missing.is_empty() {
                self.doubts.insert(Doubt::Missing { count: *count, numbers: missing });
            }
        }
        let counts: BTreeSet<u32> = told.iter().map(|one| one.share.count).collect();
        if runs.len() > counts.len() {
            self.doubts.insert(Doubt::Plans);
        }
    }

    /// Has contents of one function stand side by side.
    fn tell_contents(&mut self) {
        let several: BTreeSet<Vec<usize>> = self.groups.values().filter(|group| group.len() > 1).cloned().collect();
        for group in several {
            let of = |slot: &usize| self.inputs[self.slots[*slot].input].name.clone();
            let inputs: BTreeSet<String> = group.iter().map(of).collect();
            let Record { function, file, .. } = &self.slots[group[0]].record;
            let (function, file) = (function.clone(), file.clone());
            self.doubts.insert(Doubt::Contents { function, file, inputs: inputs.into_iter().collect() });
            for slot in group {
                let Input { name: from, is_suite, .. } = &self.inputs[self.slots[slot].input];
                let record = &mut self.slots[slot].record;
                let key: String = record.key.chars().take(KEY_DIGITS).collect();
                if record.variant.is_none() && !record.directory.is_empty() && !is_suite {
                    record.directory = format!("{}~{key}", record.directory);
                }
                record.variant = Some(format!("{key} from {from}"));
            }
        }
    }
}

/// By what a function is known: its file, and the directory of its suite.
fn names(record: &Record) -> Vec<(String, String)> {
    let mut names = vec![(record.file.clone(), record.function.clone())];
    if !record.directory.is_empty() {
        names.push((format!("{}/", record.directory), record.function.clone()));
    }
    names
}

/// Which of two records of one content is better: the one that was tested at all; that neither the clock nor a fault cut
/// off; with more objectives decided; that ended nearest to having everything; without a divergence; with more findings;
/// with more tests. Where all that is equal, the one whose text without times comes first, so that there is one answer.
pub fn standing(a: &Record, b: &Record) -> Ordering {
    let rank = |record: &Record| {
        let ends = ["exhausted", "decided", "limits", "tests", "effort"];
        let end = ends.iter().rev().position(|end| *end == record.stop).map_or(0, |place| place + 1);
        let [covered, infeasible, _] = record.objectives();
        let decided = covered + infeasible;
        let (was_tested, is_whole) = (record.stop != "error", !record.is_cut_off());
        (was_tested, is_whole, decided, end, record.diverged == 0, record.findings.len(), record.tests)
    };
    rank(a).cmp(&rank(b)).then_with(|| timeless(b).cmp(&timeless(a)))
}

/// The text of a record without times.
fn timeless(record: &Record) -> String {
    let mut record = Record { seconds: 0.0, cpu_seconds: 0.0, ..record.clone() };
    let mut summary = record.summary.value();
    if let Some(summary) = summary.as_object_mut() {
        summary.retain(|name, _| name != "seconds" && name != "cpu_seconds");
    }
    record.summary = summary.into();
    serde_json::to_string(&record).expect("a record is made of strings and numbers")
}

/// Objectives that are covered in one suite and infeasible in another.
fn contradictions(a: &Part, b: &Part) -> Vec<String> {
    let [Some(one), Some(other)] = [a, b].map(verdicts) else { return Vec::new() };
    let excluded = |verdict: &str| match verdict {
        "covered" => Some("infeasible"),
        "infeasible" => Some("covered"),
        _ => None,
    };
    let contradicted = one.iter().filter(|(name, verdict)| {
        let against = other.get(*name).map(String::as_str);
        against.is_some() && against == excluded(verdict)
    });
    contradicted.map(|((criterion, line, what, _), _)| format!("{what} at line {line} ({criterion})")).collect()
}

/// An objective: criterion, line, what it asks for, and which one of those that are the same.
type Objective = (String, u32, String, usize);

/// The verdicts of a suite that can be read.
fn verdicts(part: &Part) -> Option<BTreeMap<Objective, String>> {
    let suite = read_suite(&part.origin)?;
    let function = suite.functions.into_iter().find(|function| function.name == part.record.function)?;
    let mut verdicts = BTreeMap::new();
    for objective in function.objectives {
        let what = format!("{} {}", objective.kind, objective.what);
        let mut name = (objective.criterion, objective.line, what, 0);
        while verdicts.contains_key(&name) {
            name.3 += 1;
        }
        verdicts.insert(name, objective.verdict);
    }
    Some(verdicts)
}

fn read_suite(directory: &Path) -> Option<Suite> {
    serde_json::from_slice(&std::fs::read(directory.join("suite.json")).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::{Doubt, Input, Joined, Record, join, standing};
    use crate::project::shard::{Share, Told};
    use std::cmp::Ordering;
    use std::path::PathBuf;

    fn record(file: &str, function: &str, key: &str, stop: &str) -> Record {
        let directory = format!("{}/{function}", file.rsplit('/').next().unwrap());
        Record {
            stop: stop.to_owned(),
            tests: 2,
            usable: 2,
            directory,
            ..Record::failed(file, function, key, String::new())
        }
    }

    fn input(name: &str, records: &[Record], shard: Option<(u32, u32, &str)>) -> Input {
        let shard = shard.map(|(number, count, plan)| Told { share: Share { number, count }, plan: plan.to_owned() });
        let records = records.iter().map(|record| (record.clone(), PathBuf::from("nowhere"))).collect();
        Input { name: name.to_owned(), records, shard, is_suite: false }
    }

    fn keys(joined: &Joined) -> Vec<(&str, &str, &str)> {
        joined
            .parts
            .iter()
            .map(|part| (part.record.function.as_str(), part.record.key.as_str(), part.record.stop.as_str()))
            .collect()
    }

    #[test]
    fn of_one_content_the_better_counts_whatever_the_order() {
        let a = input("A", &[record("/p/a.c", "f", "1", "time"), record("/p/a.c", "g", "2", "exhausted")], None);
        let b = input("B", &[record("/q/a.c", "f", "1", "exhausted"), record("/p/a.c", "h", "3", "tests")], None);
        for inputs in [[&a, &b], [&b, &a]] {
            let joined = join(&inputs.map(Clone::clone));
            let mut found = keys(&joined);
            found.sort_unstable();
            assert_eq!(found, [("f", "1", "exhausted"), ("g", "2", "exhausted"), ("h", "3", "tests")]);
            assert_eq!((joined.repeated, joined.doubts.len()), (1, 0));
        }
    }

    #[test]
    fn different_contents_stand_side_by_side() {
        let a = input("A", &[record("/p/a.c", "f", "11111111aa", "exhausted")], None);
        let b = input("B", &[record("/p/a.c", "f", "22222222bb", "exhausted")], None);
        let joined = join(&[a, b]);
        let told: Vec<_> =
            joined.parts.iter().map(|part| (part.record.directory.as_str(), part.record.variant.clone())).collect();
        let variant = |text: &str| Some(text.to_owned());
        assert_eq!(
            told,
            [("a.c/f~11111111", variant("11111111 from A")), ("a.c/f~22222222", variant("22222222 from B"))]
        );
        assert!(matches!(&joined.doubts[..], [Doubt::Contents { inputs, .. }] if *inputs == ["A", "B"]));
    }

    #[test]
    fn a_function_that_was_lost_gives_way_to_one_that_was_tested() {
        let lost = input(
            "A",
            &[Record { directory: "a.c/f".to_owned(), ..Record::failed("/p/a.c", "f", "", "killed".to_owned()) }],
            None,
        );
        let whole = input("B", &[record("/p/a.c", "f", "1", "exhausted")], None);
        for inputs in [[&lost, &whole], [&whole, &lost]] {
            assert_eq!(keys(&join(&inputs.map(Clone::clone))), [("f", "1", "exhausted")]);
        }
    }

    #[test]
    fn shards_that_are_missing_or_do_not_fit_are_told() {
        let shard = |number, plan| input("S", &[], Some((number, 3, plan)));
        assert!(join(&[shard(1, "p"), shard(2, "p"), shard(3, "p")]).doubts.is_empty());
        assert_eq!(join(&[shard(1, "p"), shard(3, "p")]).doubts, [Doubt::Missing { count: 3, numbers: vec![2] }]);
        assert!(join(&[shard(1, "p"), shard(2, "p"), shard(3, "q")]).doubts.contains(&Doubt::Plans));
    }

    #[test]
    fn the_order_of_records() {
        let better = |a: &Record, b: &Record| standing(a, b) == Ordering::Greater && standing(b, a) == Ordering::Less;
        let whole = record("a.c", "f", "1", "exhausted");
        assert!(better(&whole, &Record::failed("a.c", "f", "1", "killed".to_owned())));
        assert!(better(&whole, &record("a.c", "f", "1", "limits")));
        assert!(better(&record("a.c", "f", "1", "limits"), &record("a.c", "f", "1", "time")));
        assert!(better(&whole, &Record { diverged: 1, ..whole.clone() }));
        let later = Record { seconds: 7.0, ..whole.clone() };
        assert_eq!(standing(&whole, &later), Ordering::Equal, "times do not matter");
    }
}
