//! An implementation in C against the rules: its tests are written, built and run.

use crate::cli::RulesArguments;
use crate::status::Status;
use crate::terminal::Terminal;
use clew_emit::Framework;
use clew_emit::conditions::{self, ConditionTest, Conditions};
use clew_frontend_rules::spec::{FunctionId, Spec};
use clew_rules::Test;
use clew_rules::adapter::{Adapter, Check, Missing};
use clew_rules::exhaust::exhaust;
use clew_rules::generate::Outcome;
use clew_rules::report::test_names;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most arguments on which agreement is looked at.
const MOST_TERMS: usize = 20_000;

/// Tests of functions: the number of each test of the suite, and the test in C.
type Checks = BTreeMap<FunctionId, Vec<(usize, Check)>>;

/// Differences between the implementation and the rules, by the number of their test.
pub(super) fn run(
    spec: &Spec,
    adapter: &Adapter,
    path: &Path,
    outcome: &Outcome,
    arguments: &RulesArguments,
    terminal: Terminal,
) -> Result<Vec<(usize, String)>, Status> {
    let source = path.parent().unwrap_or(Path::new("")).join(&adapter.source);
    if !source.is_file() {
        terminal.error(&format!("{}: there is no file {}", path.display(), source.display()));
        return Err(Status::BadInput);
    }
    let side = Side { spec, adapter, source, terminal };
    let names = test_names(spec, &outcome.tests);
    let checks = side.checks(&outcome.tests, &names);
    side.write(&checks, &arguments.emit, &arguments.out)?;
    // The plain tests are those that are run.
    let place = match arguments.emit.as_slice() {
        [Framework::Plain] => arguments.out.clone(),
        _ => arguments.out.join("plain"),
    };
    side.write(&checks, &[Framework::Plain], &place)?;
    let mut differences = side.differences(&checks, &place)?;
    if let Some(size) = arguments.agree {
        for function in checks.keys() {
            differences.extend(side.agree(*function, size, arguments)?);
        }
    }
    for (_, words) in &differences {
        terminal.say(&format!("difference: {words}"));
    }
    Ok(differences)
}

struct Side<'a> {
    spec: &'a Spec,
    adapter: &'a Adapter,
    source: PathBuf,
    terminal: Terminal,
}

impl Side<'_> {
    fn refuse(&self, text: &str) -> Status {
        self.terminal.error(text);
        Status::BadInput
    }

    /// The tests in C; those that cannot be written are counted.
    fn checks(&self, tests: &[Test], names: &[String]) -> Checks {
        let mut checks = Checks::new();
        let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
        for (number, (test, name)) in tests.iter().zip(names).enumerate() {
            match self.adapter.check(self.spec, name, test) {
                Ok(check) => checks.entry(test.function).or_default().push((number, check)),
                Err(Missing::Function) => {}
                Err(missing) => *left_out.entry(words(&missing)).or_default() += 1,
            }
        }
        for (why, count) in left_out {
            self.terminal.say(&format!("{count} tests are not written in C: {why}"));
        }
        checks
    }

    fn write(&self, checks: &Checks, frameworks: &[Framework], out: &Path) -> Result<(), Status> {
        let test = |(_, check): &(usize, Check)| ConditionTest {
            name: check.name.clone(),
            purpose: check.purpose.clone(),
            statements: check.statements.clone(),
            condition: check.condition.clone(),
        };
        let tests: Vec<(&str, Vec<ConditionTest>)> =
            checks.iter().map(|(function, checks)| (self.name(*function), checks.iter().map(test).collect())).collect();
        let all: Vec<Conditions<'_>> = tests
            .iter()
            .map(|(subject, tests)| Conditions { subject, source: &self.source, prelude: &self.adapter.prelude, tests })
            .collect();
        conditions::write(&all, frameworks, out).map_err(|error| self.refuse(&error.to_string()))
    }

    fn name(&self, function: FunctionId) -> &str {
        &self.spec.functions[function.index()].name
    }

    /// Builds and runs plain tests.
    fn differences(&self, checks: &Checks, place: &Path) -> Result<Vec<(usize, String)>, Status> {
        let built = Command::new("make").arg("-s").arg("-C").arg(place).arg("all").output();
        let built = built.map_err(|error| self.refuse(&format!("cannot run make: {error}")))?;
        if !built.status.success() {
            let text = String::from_utf8_lossy(&built.stderr);
            return Err(self.refuse(&format!("the tests of the implementation do not compile:\n{text}")));
        }
        let mut differences = Vec::new();
        for (function, checks) in checks {
            let program = place.join(format!("test_{}", self.name(*function)));
            let program = std::fs::canonicalize(&program).unwrap_or(program);
            let output = Command::new(&program).output();
            let output = output.map_err(|error| self.refuse(&format!("cannot run {}: {error}", program.display())))?;
            let text = String::from_utf8_lossy(&output.stdout);
            for (number, check) in checks {
                if text.contains(&format!(": test_{}: not so: ", check.name)) {
                    differences.push((*number, format!("{} is not what the rules give", check.purpose)));
                }
            }
            if output.status.code().is_none() {
                let first = checks.first().map_or(0, |(number, _)| *number);
                differences.push((first, format!("the tests of {} are ended by a signal", self.name(*function))));
            }
        }
        Ok(differences)
    }

    /// Compares on all arguments of at most a size.
    fn agree(
        &self,
        function: FunctionId,
        size: usize,
        arguments: &RulesArguments,
    ) -> Result<Vec<(usize, String)>, Status> {
        let all = exhaust(self.spec, function, size, MOST_TERMS, arguments.steps);
        let names: Vec<String> = (0..all.tests.len()).map(|number| format!("term_{number}")).collect();
        let checks = self.checks(&all.tests, &names);
        let written = checks.values().map(Vec::len).sum::<usize>();
        let place = arguments.out.join("agree").join(self.name(function));
        std::fs::create_dir_all(&place).map_err(|error| self.refuse(&format!("{}: {error}", place.display())))?;
        self.write(&checks, &[Framework::Plain], &place)?;
        let differences = self.differences(&checks, &place)?;
        let name = self.name(function);
        let is_proof = all.is_all && written == all.tests.len();
        self.terminal.say(&match (differences.len(), is_proof) {
            (0, true) => format!("✓ {name} agrees with the rules on all {written} arguments up to size {size}"),
            (0, false) => {
                format!("? {name} agrees with the rules on {written} arguments up to size {size}, not on all")
            }
            (count, _) => {
                format!("✗ {name} differs from the rules on {count} of {written} arguments up to size {size}")
            }
        });
        let described = differences.into_iter().take(1);
        Ok(described.map(|(_, words)| (usize::MAX, words)).collect())
    }
}

/// Why a test is not written in C.
fn words(missing: &Missing) -> String {
    match missing {
        Missing::Function => "the adapter does not have the function".to_owned(),
        Missing::Spelling(what) => format!("the adapter does not have {what}"),
        Missing::Oracle => "rewriting gives no value to compare with".to_owned(),
        Missing::Depth => "the terms are too deep for a C expression".to_owned(),
    }
}
