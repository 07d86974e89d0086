//! The findings of a project: each failing check once, the gravest first.
//!
//! Many functions reach the same check. It is told once, with the shortest input that makes it fail, and the tested
//! function that has it. The gravest come first, of those the ones that an execution
//! confirms, then those found in more functions.

use super::record::{Finding, Record};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A failing check and the functions whose tests reach it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ranked {
    /// The check, with the shortest input.
    #[serde(flatten)]
    pub finding: Finding,
    /// The tested function the input is for.
    pub tested: String,
    /// In how many functions it was found.
    pub functions: usize,
}

/// File, line, what fails and its text.
type Check<'a> = (&'a str, u32, &'a str, &'a str);

/// The findings of all records, each once: what a macro repeats on one line is one.
pub fn rank<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<Ranked> {
    let mut known: BTreeMap<Check<'_>, (Ranked, BTreeSet<&str>)> = BTreeMap::new();
    for record in records {
        for finding in &record.findings {
            let one = Ranked { finding: finding.clone(), tested: record.function.clone(), functions: 0 };
            let key = (finding.file.as_str(), finding.line, finding.what.as_str(), finding.text.as_str());
            let (best, functions) = known.entry(key).or_insert_with(|| (one.clone(), BTreeSet::new()));
            functions.insert(&record.function);
            if cost(&one) < cost(best) {
                *best = one;
            }
        }
    }
    let counted = known.into_values().map(|(best, functions)| Ranked { functions: functions.len(), ..best });
    let mut ranked: Vec<Ranked> = counted.collect();
    ranked.sort_by_key(|it| (it.finding.kind, !it.finding.confirmed, std::cmp::Reverse(it.functions)));
    ranked
}

fn cost(ranked: &Ranked) -> (bool, usize, &str) {
    (!ranked.finding.confirmed, ranked.finding.input.len(), &ranked.tested)
}

#[cfg(test)]
mod tests {
    use super::{Finding, Record, rank};
    use crate::finding::Kind;

    fn record(function: &str, line: u32, input: &str, native: &str) -> Record {
        let finding = Finding {
            what: "division by zero".to_owned(),
            file: "a.c".to_owned(),
            line,
            column: 1,
            text: "a / b".to_owned(),
            input: input.to_owned(),
            native: Some(native.to_owned()),
            kind: Kind::Division,
            confirmed: native.starts_with("ended"),
            requires: None,
            also: Vec::new(),
        };
        Record { findings: vec![finding], ..Record::failed("a.c", function, "", String::new()) }
    }

    #[test]
    fn each_check_once_and_the_certain_first() {
        let records = [
            record("f", 3, "b = 0", "returned"),
            record("g", 3, "a = 100, b = 0", "returned"),
            record("h", 9, "b = 0", "ended by signal 8"),
            record("h", 9, "b = 0, c = 1", "ended by signal 8"),
        ];
        let ranked = rank(records.iter());
        let told: Vec<_> = ranked.iter().map(|it| (it.finding.line, it.tested.as_str(), it.functions)).collect();
        assert_eq!(told, [(9, "h", 1), (3, "f", 2)]);
    }
}
