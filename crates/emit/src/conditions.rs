//! Tests that are given as C: statements, and a condition that must hold after them.
//!
//! Nothing is executed or observed here; whoever has an oracle of his own, such as rewriting rules, gets test files in the
//! same frameworks as all others.

use crate::assertion::Assertion;
use crate::expectation::Expectation;
use crate::file::{self, Part};
use crate::framework::{Case, Framework, Plan};
use crate::{MARK, project};
use clew_session::output::{self, WriteError, named_from};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// A test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionTest {
    /// Its name, an identifier.
    pub name: String,
    /// What it is for.
    pub purpose: String,
    /// Its statements.
    pub statements: Vec<String>,
    /// What must hold then.
    pub condition: String,
}

/// The tests of one subject.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// What is tested, an identifier.
    pub subject: &'a str,
    /// The C file under test.
    pub source: &'a Path,
    /// C text after the source.
    pub prelude: &'a str,
    /// The tests.
    pub tests: &'a [ConditionTest],
}

/// Writes the tests of some subjects for every framework; one framework has the directory to itself.
///
/// # Errors
///
/// When a file is not ours or the system refuses.
pub fn write(all: &[Conditions<'_>], frameworks: &[Framework], out: &Path) -> Result<(), WriteError> {
    let frameworks: BTreeSet<Framework> = frameworks.iter().copied().collect();
    let frameworks: Vec<Framework> = frameworks.into_iter().collect();
    if let [framework] = frameworks.as_slice() {
        return write_framework(all, *framework, out);
    }
    for framework in &frameworks {
        write_framework(all, *framework, &out.join(framework.name()))?;
    }
    output::write(&out.join("Makefile"), project::makefile_of(&frameworks))
}

fn write_framework(all: &[Conditions<'_>], framework: Framework, directory: &Path) -> Result<(), WriteError> {
    std::fs::create_dir_all(directory).map_err(|error| WriteError::Io(directory.to_owned(), error))?;
    let mut targets = Vec::new();
    for conditions in all {
        let file = std::fs::canonicalize(conditions.source).unwrap_or_else(|_| conditions.source.to_owned());
        let source = named_from(directory, &file);
        let Part { stem, c, wrapper, .. } = part(conditions, &source, framework);
        output::write(&directory.join(format!("{stem}.c")), &c)?;
        if let Some(wrapper) = wrapper {
            output::write(&directory.join(format!("{stem}.cpp")), wrapper)?;
        }
        let compiler = vec!["cc".to_owned()];
        targets.push(project::Target { stem, compiler, depends: vec![source], ..project::Target::default() });
    }
    output::write(&directory.join("Makefile"), project::makefile(framework, &targets))?;
    output::write(&directory.join("CMakeLists.txt"), project::cmake(framework, &targets))
}

/// The text of a test file; `source` is the file under test as it is included.
fn part(conditions: &Conditions<'_>, source: &str, framework: Framework) -> Part {
    let dialect = framework.dialect();
    let names: Vec<_> = dialect.reserved().iter().map(|name| (*name, format!("clew_{name}"))).collect();
    let case =
        |test: &ConditionTest| Case { function: format!("test_{}", test.name), expectation: Expectation::Returns };
    let cases: Vec<Case> = conditions.tests.iter().map(case).collect();
    let stem = file::stem(conditions.subject);
    let plan = Plan {
        subject: conditions.subject,
        stem: &stem,
        cases: &cases,
        restore: None,
        isolated: false,
        has_stdio: false,
        names: &names,
        is_function: &|_| false,
    };
    let mut c = format!(
        "/* {MARK}: tests of {}. Changes are lost when it is generated again. */\n#include \"{source}\"\n{}\n{}",
        conditions.subject,
        conditions.prelude,
        dialect.headers(&plan)
    );
    for (test, case) in conditions.tests.iter().zip(&cases) {
        let purpose = test.purpose.replace("*/", "* /").replace("/*", "/ *");
        let _ = write!(c, "\n/* {purpose} */\n{}", dialect.open(&plan, case));
        for statement in &test.statements {
            let _ = writeln!(c, "    {statement}");
        }
        let holds = Assertion::Holds { condition: test.condition.clone(), note: None };
        let _ = write!(c, "    {}\n{}", dialect.assertions().spell(&holds), dialect.close());
    }
    c += &dialect.main(&plan);
    let wrapper = dialect.wrapper(&plan);
    Part { c, wrapper, tests: cases.len(), skipped: 0, stem }
}

#[cfg(test)]
mod tests {
    use super::{ConditionTest, Conditions, part};
    use crate::Framework;
    use std::path::Path;

    #[test]
    fn every_framework_has_the_test() {
        let test = ConditionTest {
            name: "plus_r1".to_owned(),
            purpose: "plus.r1".to_owned(),
            statements: vec!["int actual = add(0, 1);".to_owned()],
            condition: "actual == 1".to_owned(),
        };
        let conditions =
            Conditions { subject: "plus", source: Path::new("add.c"), prelude: "", tests: std::slice::from_ref(&test) };
        for framework in Framework::ALL {
            let part = part(&conditions, "add.c", framework);
            assert!(part.c.contains("int actual = add(0, 1);"), "{}", part.c);
            assert!(part.c.contains("actual == 1"), "{}", part.c);
            assert!(part.c.contains("plus_r1"), "{}", part.c);
        }
    }
}
