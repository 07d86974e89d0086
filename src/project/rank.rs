//! The findings of a project: each failing check once, the most certain first.
//!
//! Many functions reach the same check. It is told once, with the shortest input that makes it fail, and the tested
//! function that has it. Those that ended the native execution come first, then those found in more functions.

use super::record::{Finding, Record};
use serde::Serialize;
use std::collections::BTreeMap;

/// A failing check and the functions whose tests reach it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ranked {
    /// The check, with the shortest input.
    #[serde(flatten)]
    pub finding: Finding,
    /// The tested function the input is for.
    pub tested: String,
    /// Whether a native execution ended abnormally.
    pub confirmed: bool,
    /// In how many functions it was found.
    pub functions: usize,
}

/// The findings of all records, each once.
pub fn rank<'a>(records: impl Iterator<Item = &'a Record>) -> Vec<Ranked> {
    let mut known: BTreeMap<(String, u32, u32, String), Ranked> = BTreeMap::new();
    for record in records {
        for finding in &record.findings {
            let key = (finding.file.clone(), finding.line, finding.column, finding.what.clone());
            let one = Ranked {
                finding: finding.clone(),
                tested: record.function.clone(),
                confirmed: is_confirmed(finding),
                functions: 1,
            };
            match known.get_mut(&key) {
                None => {
                    known.insert(key, one);
                }
                Some(best) => {
                    let functions = best.functions + 1;
                    if cost(&one) < cost(best) {
                        *best = one;
                    }
                    best.functions = functions;
                }
            }
        }
    }
    let mut ranked: Vec<Ranked> = known.into_values().collect();
    ranked.sort_by_key(|it| std::cmp::Reverse((it.confirmed, it.functions)));
    ranked
}

fn is_confirmed(finding: &Finding) -> bool {
    let native = finding.native.as_deref().unwrap_or_default();
    ["ended by signal", "sanitizer"].iter().any(|start| native.starts_with(start))
}

fn cost(ranked: &Ranked) -> (bool, usize, &str) {
    (!ranked.confirmed, ranked.finding.input.len(), &ranked.tested)
}

#[cfg(test)]
mod tests {
    use super::{Finding, Record, rank};

    fn record(function: &str, line: u32, input: &str, native: &str) -> Record {
        let finding = Finding {
            what: "division by zero".to_owned(),
            file: "a.c".to_owned(),
            line,
            column: 1,
            text: "a / b".to_owned(),
            input: input.to_owned(),
            native: Some(native.to_owned()),
        };
        Record { findings: vec![finding], ..Record::failed("a.c", function, "", String::new()) }
    }

    #[test]
    fn each_check_once_and_the_certain_first() {
        let records = [
            record("f", 3, "b = 0", "returned"),
            record("g", 3, "a = 100, b = 0", "returned"),
            record("h", 9, "b = 0", "ended by signal 8"),
        ];
        let ranked = rank(records.iter());
        let told: Vec<_> = ranked.iter().map(|it| (it.finding.line, it.tested.as_str(), it.functions)).collect();
        assert_eq!(told, [(9, "h", 1), (3, "f", 2)]);
    }
}
