//! The part of a request that decides results, as text with named fields.
//!
//! Every field of a request is named here, so that the compiler asks about each new one whether it decides results.

use super::{Execution, Inputs, Scope, TestRequest, Wanted};
use crate::finding::Kind;
use crate::function::Optimised;
use crate::settings::Budget;
use clew_frontend::Options;
use clew_symbolic::config::{Alias, Allocations, Assumptions, Errors, Globals};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What decides results, by name.
#[derive(Serialize)]
struct Key<'a> {
    sources: SourceKey<'a>,
    wanted: WantedKey<'a>,
    inputs: InputKey<'a>,
    budget: Budget,
    seed: u64,
    sanitize: bool,
    optimised: &'static str,
    measured: Option<bool>,
    telling: bool,
    settle: bool,
    settings: BTreeMap<&'a str, SettingsKey<'a>>,
    forms: &'a [String],
}

#[derive(Serialize)]
struct SourceKey<'a> {
    includes: &'a [PathBuf],
    defines: &'a [String],
    undefines: &'a [String],
    include_files: &'a [PathBuf],
    std: Option<&'a str>,
    cc: Option<&'a str>,
    passthrough: &'a [String],
    entry: Option<usize>,
    library: bool,
    stubs: &'a [String],
    models: &'a [PathBuf],
}

#[derive(Serialize)]
struct WantedKey<'a> {
    criteria: Vec<&'static str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    whole: bool,
    scope: Option<&'static str>,
    calls: u32,
    given: Option<&'a PathBuf>,
    minimise: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    random: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    per_path: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranges: Option<u32>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    findings: &'a [Kind],
}

#[derive(Serialize)]
struct InputKey<'a> {
    domains: &'a [String],
    requires: &'a [String],
    assume_inferred: bool,
    precondition: Option<&'a str>,
    alias: &'static str,
    errors: &'static str,
    globals: &'static str,
    stub: &'a [String],
    real: &'a [String],
    allocations: Option<&'static str>,
    assumptions: &'static str,
}

#[derive(Serialize)]
struct SettingsKey<'a> {
    domain: Vec<&'a str>,
    requires: Vec<&'a str>,
    precondition: Option<&'a str>,
    budget: Budget,
}

impl TestRequest {
    /// What decides the results of a function, as text: equal texts, sources and versions of clew give equal results.
    pub fn key(&self) -> String {
        // Neither who asks nor how much is done side by side decides a result.
        let TestRequest { sources, wanted, inputs, budget, seed, execution, settings, role: _, forms } = self;
        let Execution { sanitize, optimised, refine: _, jobs: _ } = execution;
        let named = settings.functions().map(|(name, settings)| {
            let key = SettingsKey {
                domain: settings.domain.iter().map(|clause| clause.text.as_str()).collect(),
                requires: settings.requires.iter().map(|clause| clause.text.as_str()).collect(),
                precondition: settings.precondition.as_deref(),
                budget: settings.budget,
            };
            (name, key)
        });
        let key = Key {
            sources: source_key(sources),
            wanted: wanted_key(wanted),
            inputs: input_key(inputs),
            budget: budget.or(settings.general),
            seed: *seed,
            sanitize: *sanitize,
            optimised: match optimised {
                Optimised::Never => "never",
                Optimised::Floats => "floats",
                Optimised::Always => "always",
            },
            measured: self.refine().measured,
            telling: self.refine().telling,
            settle: self.refine().settle,
            settings: named.collect(),
            forms,
        };
        serde_json::to_string(&key).expect("a key is made of strings and numbers")
    }
}

/// The files themselves are hashed as text; the flags that the database has for them are part of what is preprocessed.
fn source_key(sources: &Options) -> SourceKey<'_> {
    let Options {
        files: _,
        database: _,
        includes,
        defines,
        undefines,
        include_files,
        std,
        cc,
        passthrough,
        entry,
        library,
        stubs,
        models,
    } = sources;
    SourceKey {
        includes,
        defines,
        undefines,
        include_files,
        std: std.as_deref(),
        cc: cc.as_deref(),
        passthrough,
        entry: *entry,
        library: *library,
        stubs,
        models,
    }
}

/// The functions asked for have keys of their own, and explaining changes no result.
fn wanted_key(wanted: &Wanted) -> WantedKey<'_> {
    let Wanted {
        functions: _,
        criteria,
        whole,
        scope,
        calls,
        given,
        minimise,
        explain: _,
        random,
        per_path,
        ranges,
        findings,
    } = wanted;
    let name = |scope: Scope| match scope {
        Scope::Function => "function",
        Scope::File => "file",
        Scope::Program => "program",
    };
    WantedKey {
        criteria: criteria.iter().map(|criterion| criterion.name()).collect(),
        whole: *whole,
        scope: scope.map(name),
        calls: *calls,
        given: given.as_ref(),
        minimise: *minimise,
        random: *random,
        per_path: *per_path,
        ranges: *ranges,
        findings,
    }
}

fn input_key(inputs: &Inputs) -> InputKey<'_> {
    let Inputs {
        domains,
        requires,
        assume_inferred,
        precondition,
        alias,
        errors,
        globals,
        stub,
        real,
        allocations,
        assumptions,
    } = inputs;
    InputKey {
        domains,
        requires,
        assume_inferred: *assume_inferred,
        precondition: precondition.as_deref(),
        alias: match alias {
            Alias::Merge => "merge",
            Alias::Split => "split",
        },
        errors: match errors {
            Errors::Report => "report",
            Errors::AssumeAbsent => "assume-absent",
            Errors::End => "end",
        },
        globals: match globals {
            Globals::Input => "input",
            Globals::Initial => "initial",
        },
        stub,
        real,
        allocations: allocations.map(|allocations| match allocations {
            Allocations::Succeed => "succeed",
            Allocations::MayFail => "may-fail",
        }),
        assumptions: match assumptions {
            Assumptions::Named => "named",
            Assumptions::Rejected => "strict",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::Role;
    use super::{Alias, Assumptions, Errors, Execution, Globals, Inputs, Optimised, Options, TestRequest, Wanted};
    use crate::finding::Kind;
    use crate::function::Refine;
    use crate::settings::{Budget, Settings};
    use clew_coverage::Criterion;

    fn request() -> TestRequest {
        let wanted = Wanted {
            functions: Vec::new(),
            random: None,
            per_path: None,
            ranges: None,
            criteria: vec![Criterion::Decision],
            whole: false,
            scope: None,
            calls: 32,
            given: None,
            minimise: false,
            explain: false,
            findings: Vec::new(),
        };
        let inputs = Inputs {
            domains: Vec::new(),
            requires: Vec::new(),
            assume_inferred: false,
            precondition: None,
            alias: Alias::Merge,
            errors: Errors::Report,
            globals: Globals::Input,
            stub: Vec::new(),
            real: Vec::new(),
            allocations: None,
            assumptions: Assumptions::Named,
        };
        TestRequest {
            sources: Options::file("a.c"),
            wanted,
            inputs,
            budget: Budget::default(),
            seed: 0,
            // Who asks decides what is done with mutants and inputs only where the request does not say.
            execution: Execution {
                sanitize: false,
                optimised: Optimised::Floats,
                refine: Some(Refine::default()),
                jobs: 1,
            },
            settings: Settings::default(),
            role: Role::Person,
            forms: vec!["plain".to_owned()],
        }
    }

    #[test]
    fn what_decides_results_is_in_the_key() {
        let changes: [fn(&mut TestRequest); 9] = [
            |it| it.sources.defines.push("NDEBUG".to_owned()),
            |it| it.wanted.criteria.push(Criterion::AllUses),
            |it| it.inputs.domains.push("x=0..1".to_owned()),
            |it| it.budget.effort = Some(1.0),
            |it| it.seed = 1,
            |it| it.execution.sanitize = true,
            |it| it.settings.general.k = Some(2),
            |it| it.forms.push("cmocka".to_owned()),
            |it| it.wanted.findings.push(Kind::Memory),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut other = request();
            change(&mut other);
            assert_ne!(request().key(), other.key(), "change {number}");
        }
    }

    #[test]
    fn what_decides_nothing_is_not() {
        let changes: [fn(&mut TestRequest); 5] = [
            |it| it.sources.files.clear(),
            |it| it.wanted.functions.push("f".to_owned()),
            |it| it.wanted.explain = true,
            |it| it.execution.jobs = 2,
            |it| it.role = Role::Project,
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut other = request();
            change(&mut other);
            assert_eq!(request().key(), other.key(), "change {number}");
        }
    }
}
