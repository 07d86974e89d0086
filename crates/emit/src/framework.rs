//! Test frameworks: how each spells a test, an assertion and a `main`.
//!
//! The writer of test files (`file`) knows C and the tests; everything that differs from framework to framework stands
//! behind `Dialect`, one small file each. Frameworks for C++ get the tests as a C file, because C is not C++, and a C++
//! file that calls them.

mod check;
mod cmocka;
mod cpputest;
mod criterion;
mod cunit;
pub(super) mod findings;
mod gtest;
mod plain;
mod unity;

use super::assertion::Assertion;
use super::expectation::Expectation;

/// A test framework.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Framework {
    /// C alone, no framework.
    #[default]
    Plain,
    /// Unity, by ThrowTheSwitch.
    Unity,
    /// CMocka.
    Cmocka,
    /// Check.
    Check,
    /// GoogleTest.
    Gtest,
    /// Criterion.
    Criterion,
    /// CppUTest.
    Cpputest,
    /// CUnit.
    Cunit,
}

impl Framework {
    /// All of them.
    pub const ALL: [Framework; 8] = [
        Framework::Plain,
        Framework::Unity,
        Framework::Cmocka,
        Framework::Check,
        Framework::Gtest,
        Framework::Criterion,
        Framework::Cpputest,
        Framework::Cunit,
    ];

    /// Its name on the command line, and of its directory where several frameworks are asked for.
    pub fn name(self) -> &'static str {
        match self {
            Framework::Plain => "plain",
            Framework::Unity => "unity",
            Framework::Cmocka => "cmocka",
            Framework::Check => "check",
            Framework::Gtest => "gtest",
            Framework::Criterion => "criterion",
            Framework::Cpputest => "cpputest",
            Framework::Cunit => "cunit",
        }
    }

    /// Another name that the command line takes.
    pub fn alias(self) -> Option<&'static str> {
        (self == Framework::Gtest).then_some("googletest")
    }

    /// What it is, for people who look for its name.
    pub fn description(self) -> &'static str {
        match self {
            Framework::Plain => "C alone, no framework",
            Framework::Unity => "Unity, by ThrowTheSwitch",
            Framework::Cmocka => "CMocka",
            Framework::Check => "Check",
            Framework::Gtest => "GoogleTest",
            Framework::Criterion => "Criterion",
            Framework::Cpputest => "CppUTest",
            Framework::Cunit => "CUnit",
        }
    }

    /// Whether its tests are called by a C++ file.
    pub fn needs_wrapper(self) -> bool {
        matches!(self, Framework::Gtest | Framework::Cpputest)
    }

    /// The headers without which nothing is built.
    pub(super) fn headers(self) -> &'static [&'static str] {
        match self {
            Framework::Plain => &[],
            Framework::Unity => &["unity.h"],
            Framework::Cmocka => &["cmocka.h"],
            Framework::Check => &["check.h"],
            Framework::Gtest => &["gtest/gtest.h"],
            Framework::Criterion => &["criterion/criterion.h"],
            Framework::Cpputest => &["CppUTest/TestHarness_c.h", "CppUTest/CommandLineTestRunner.h"],
            Framework::Cunit => &["CUnit/Basic.h"],
        }
    }

    /// The libraries that are linked.
    pub(super) fn libraries(self) -> &'static [&'static str] {
        self.dialect().libraries()
    }

    pub(super) fn dialect(self) -> &'static dyn Dialect {
        match self {
            Framework::Plain => &plain::Plain,
            Framework::Unity => &unity::Unity,
            Framework::Cmocka => &cmocka::Cmocka,
            Framework::Check => &check::Check,
            Framework::Gtest => &gtest::Gtest,
            Framework::Criterion => &criterion::Criterion,
            Framework::Cpputest => &cpputest::Cpputest,
            Framework::Cunit => &cunit::Cunit,
        }
    }
}

/// How a framework spells things.
pub(super) trait Dialect {
    /// What test files include or define after the source under test.
    fn headers(&self, plan: &Plan<'_>) -> String;

    /// How it asserts.
    fn assertions(&self) -> &'static Assertions;

    /// The lines that open a test, up to its first statement.
    fn open(&self, plan: &Plan<'_>, case: &Case) -> String;

    /// The line that closes a test.
    fn close(&self) -> &'static str {
        "}\n"
    }

    /// Whether it runs each test in a process of its own, and can expect that the process exits or is killed.
    fn forks(&self) -> bool {
        false
    }

    /// Whether a test that ends its process is expected to by what calls it, not by the test itself.
    fn expects_endings(&self) -> bool {
        self.forks()
    }

    /// What follows the tests, `main` among it.
    fn main(&self, plan: &Plan<'_>) -> String;

    /// The C++ file that calls the tests, for a framework that needs one.
    fn wrapper(&self, plan: &Plan<'_>) -> Option<String> {
        let _ = plan;
        None
    }

    /// Libraries to link, as the compiler is told.
    fn libraries(&self) -> &'static [&'static str];

    /// Whether it catches signals that tell of errors, so that a process made by a test does, too.
    fn catches_signals(&self) -> bool {
        false
    }

    /// Names it needs at file scope, and in tests, where the program has no better use for them.
    fn reserved(&self) -> &'static [&'static str];

    /// Function-like macros of its headers that programs may have functions named as.
    fn macros(&self) -> &'static [&'static str] {
        &[]
    }

    /// How a function without a body gives an integer that a test queued, and how it is queued, if the framework has
    /// its own way: templates with `{type}`, `{function}` and `{value}`.
    fn mock(&self) -> Option<[&'static str; 2]> {
        None
    }
}

/// Templates of assertions. `{actual}`, `{expected}` and `{condition}` are replaced; in those of integers and arrays also
/// `{sign}` (`U` or nothing) and `{bits}`.
#[derive(Debug)]
pub(super) struct Assertions {
    /// Equality of signed integers.
    pub(super) signed: &'static str,
    /// Equality of unsigned integers.
    pub(super) unsigned: &'static str,
    /// A condition.
    pub(super) holds: &'static str,
    /// A pointer that is null.
    pub(super) null: &'static str,
    /// A pointer that is not null.
    pub(super) not_null: &'static str,
    /// Equality of pointers.
    pub(super) same: &'static str,
    /// Equality of arrays of integers; `expected` is an array variable.
    pub(super) array: &'static str,
}

impl Assertions {
    /// An assertion as a statement.
    pub(super) fn spell(&self, assertion: &Assertion) -> String {
        let sign = |signed: bool| if signed { "" } else { "U" };
        match assertion {
            Assertion::Integer { actual, expected, signed, bits } => {
                let template = if *signed { self.signed } else { self.unsigned };
                let values = [("actual", actual.as_str()), ("expected", expected), ("sign", sign(*signed))];
                fill(template, &values).replace("{bits}", &bits.to_string())
            }
            Assertion::Holds { condition, note: None } => fill(self.holds, &[("condition", condition)]),
            Assertion::Holds { condition, note: Some(note) } => {
                format!("{} /* {note} */", fill(self.holds, &[("condition", condition)]))
            }
            Assertion::Null(pointer) => fill(self.null, &[("actual", pointer)]),
            Assertion::NotNull(pointer) => fill(self.not_null, &[("actual", pointer)]),
            Assertion::Same { pointer, address } => fill(self.same, &[("actual", pointer), ("expected", address)]),
            Assertion::Array { actual, expected, signed, bits, .. } => {
                let values = [("actual", actual.as_str()), ("expected", expected), ("sign", sign(*signed))];
                fill(self.array, &values).replace("{bits}", &bits.to_string())
            }
        }
    }
}

/// A test as the list of all tests knows it.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// The C function.
    pub(super) function: String,
    /// How it is expected to end.
    pub(super) expectation: Expectation,
}

/// What there is to run.
#[derive(Clone)]
pub(super) struct Plan<'a> {
    /// The function under test.
    pub(super) subject: &'a str,
    /// Name of the test file without extension.
    pub(super) stem: &'a str,
    /// The tests, in order.
    pub(super) cases: &'a [Case],
    /// The function that puts the program's variables back, if that is needed before each test.
    pub(super) restore: Option<&'a str>,
    /// Whether each test needs a process of its own: functions of the program remember earlier calls.
    pub(super) isolated: bool,
    /// Whether `<stdio.h>` is included anyway.
    pub(super) has_stdio: bool,
    /// The names that the framework reserves, and what they are in this file.
    pub(super) names: &'a [(&'static str, String)],
    /// Whether a function of the program has the name.
    pub(super) is_function: &'a dyn Fn(&str) -> bool,
}

impl Plan<'_> {
    /// What a reserved name is in this file.
    pub(super) fn name(&self, wish: &str) -> &str {
        let found = self.names.iter().find(|(name, _)| *name == wish);
        &found.expect("frameworks use names that they reserve").1
    }

    /// A line for each test; `{test}` and `{number}` are replaced.
    pub(super) fn rows(&self, template: impl Fn(&Case) -> String) -> String {
        let row = |(index, case): (usize, &Case)| {
            fill(&template(case), &[("test", &case.function), ("number", &(index + 1).to_string())])
        };
        self.cases.iter().enumerate().map(row).collect()
    }

    /// How many tests are not run.
    pub(super) fn skipped(&self) -> usize {
        self.cases.iter().filter(|case| matches!(case.expectation, Expectation::Skipped(_))).count()
    }

    /// The beginning of a `main` of which each test has its own process: the child goes on with its number in `only`.
    pub(super) fn apart(&self) -> String {
        if !self.isolated {
            return String::new();
        }
        let count = self.cases.len();
        format!(
            "    /* Functions of the program remember earlier calls: each test runs in a process of its own. */\n    \
            int only, failures = 0;\n    for (only = 1; only <= {count}; only++) {{\n        int status = 1;\n        \
            if (fork() == 0)\n            break;\n        wait(&status);\n        failures += status != 0;\n    }}\n    \
            if (only > {count})\n        return failures != 0;\n"
        )
    }

    /// What stands before the line of a test where each has its own process.
    pub(super) fn guard(&self) -> &'static str {
        if self.isolated { "if (only == {number}) " } else { "" }
    }
}

/// Replaces each `{name}` by its value.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(start) = rest.find('{') {
        out.push_str(&rest[..start]);
        let found = values.iter().find_map(|(name, value)| {
            let after = rest[start + 1..].strip_prefix(name)?.strip_prefix('}')?;
            Some((*value, after))
        });
        match found {
            Some((value, after)) => {
                out.push_str(value);
                rest = after;
            }
            None => {
                out.push('{');
                rest = &rest[start + 1..];
            }
        }
    }
    out + rest
}
