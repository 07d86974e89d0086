//! SARIF: one run with the results of all, each once, and every rule that one of them is about.

use clew_session::output::MARK;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The log of some logs.
pub(super) fn join(texts: &[String]) -> String {
    let mut results = Vec::new();
    let mut known = BTreeSet::new();
    let mut rules: BTreeMap<String, Value> = BTreeMap::new();
    let mut driver = Value::Null;
    for text in texts {
        let Ok(log) = serde_json::from_str::<Value>(text) else { continue };
        for run in log["runs"].as_array().into_iter().flatten() {
            let of_run = &run["tool"]["driver"];
            if driver.is_null() {
                driver = of_run.clone();
            }
            for rule in of_run["rules"].as_array().into_iter().flatten() {
                rules.insert(rule["id"].as_str().unwrap_or_default().to_owned(), rule.clone());
            }
            let found = run["results"].as_array().into_iter().flatten();
            results.extend(found.filter(|result| known.insert(result.to_string())).cloned());
        }
    }
    driver["rules"] = rules.into_values().collect();
    let run = json!({ "tool": { "driver": driver }, "columnKind": "utf16CodeUnits", "results": results });
    let runs = serde_json::to_string_pretty(&json!([run])).expect("a run is made of strings and numbers");
    format!(
        "{{ \"properties\": {{ \"generator\": \"{MARK}\" }},\n  \"$schema\": \
        \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n  \"runs\": {}\n}}\n",
        runs.replace('\n', "\n  ")
    )
}

#[cfg(test)]
mod tests {
    use super::join;
    use serde_json::{Value, json};

    #[test]
    fn results_once_and_rules_of_all() {
        let log = |rule: &str| {
            let driver = json!({ "name": "clew", "rules": [{ "id": rule }] });
            json!({ "runs": [{ "tool": { "driver": driver }, "results": [{ "ruleId": rule }] }] }).to_string()
        };
        let joined: Value = serde_json::from_str(&join(&[log("a"), log("b"), log("a")])).unwrap();
        let run = &joined["runs"][0];
        assert_eq!(run["results"], json!([{ "ruleId": "a" }, { "ruleId": "b" }]));
        assert_eq!(run["tool"]["driver"]["rules"], json!([{ "id": "a" }, { "id": "b" }]));
    }
}
