//! A test file: C that includes the source under test, a function per test, and what the framework wants around it.
//!
//! Including the source is how `static` functions and variables are reached: the tests of all its functions share one
//! program, and one mock of each function without a body. Every test is a function: inputs as initialisers, the call,
//! assertions of what was observed. The program's variables are put back between tests where the framework runs all tests
//! in one process. `static` variables of functions cannot be put back: a program that has some runs each test in a
//! process of its own. What would be too long for one file is several, each a program, and a header that they share.

mod absent;
mod arguments;
mod calls;
mod collisions;
mod globals;
mod head;
mod macros;
mod main;
mod mocks;
mod objects;
mod order;
pub mod readings;
mod subject;
mod test;

use super::expectation::{Expectation, expectation};
use super::framework::{Case, Dialect, Framework, Plan};
use super::list::{DIGEST, digest_in_c};
use super::names::Names;
use super::wrap::wrapped;
use super::{MARK, Suite, identifier};
use clew_ir::{FunctionId, Global, GlobalId, GlobalKind};
pub use mocks::linker_flags;
use mocks::{Calls, Mock};
use order::Order;
use std::fmt::Write;
use subject::Subject;

/// Lines that a test file may have.
const MOST_LINES: usize = 2_000;

/// Lines of a part that are not tests, besides one for each test in a list of them.
const FRAME_LINES: usize = 60;

/// The texts of a test file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// The programs, more than one where that would have too many lines.
    pub parts: Vec<Part>,
    /// What these share, if they are several: the text of a header.
    pub shared: Option<String>,
    /// Flags that the compiler needs for it.
    pub flags: Vec<String>,
}

/// The texts of one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Name of its file, without extension.
    pub stem: String,
    /// The C file.
    pub c: String,
    /// The C++ file that calls it, for a framework that needs one.
    pub wrapper: Option<String>,
    /// Tests in it.
    pub tests: usize,
    /// Those of them that are written down and not run.
    pub skipped: usize,
}

/// Name of the test file of something, without extension.
pub fn stem(subject: &str) -> String {
    format!("test_{}", identifier(subject))
}

/// The texts of the test file of a suite that has this name.
pub fn texts(suite: &Suite<'_>, framework: Framework, subject: &str) -> Texts {
    texts_in(suite, framework.dialect(), "test", subject)
}

/// The same in a dialect, for files whose names begin with a word.
pub(crate) fn texts_in(suite: &Suite<'_>, dialect: &'static dyn Dialect, word: &str, subject: &str) -> Texts {
    let mut file = File::new(suite, dialect);
    let restore = globals::write(&mut file);
    mocks::write(&mut file);
    file.call_through_pointers();
    let cases = file.cases();
    let all: Vec<Case> = cases.concat();
    let subject = identifier(subject);
    let stem = format!("{word}_{subject}");
    let whole = Plan {
        subject: &subject,
        stem: &stem,
        cases: &all,
        restore: restore.as_deref(),
        isolated: file.remembers() && !file.dialect.forks(),
        has_stdio: file.includes("/stdio.h") || all.iter().any(|case| case.expectation.condition().is_some()),
        names: &file.reserved,
        is_function: &|name| suite.program.function(name).is_some(),
    };
    let tests = file.tests(&whole, 0);
    let main = main::renamed(&file, file.dialect.main(&whole));
    let calls = file.calls.as_ref().map(|calls| calls.write(&file, &tests.concat())).unwrap_or_default();
    let has_digests = tests.iter().any(|test| test.contains(DIGEST));
    let calls = if has_digests { digest_in_c() + &calls } else { calls };
    let body = file.renamed_members(&format!("{}{calls}{}{main}", file.out, tests.concat()));
    let c = wrapped(&collisions::without_printf(&file, file.head(&whole, &cases, &body) + &body));
    let flags = mocks::flags(&file);
    if lines(&c) <= MOST_LINES {
        let wrapper = file.dialect.wrapper(&whole).as_deref().map(wrapped);
        let part = Part { c, wrapper, tests: all.len(), skipped: whole.skipped(), stem };
        return Texts { parts: vec![part], shared: None, flags };
    }
    let shared = file.head(&whole, &cases, &body) + &file.renamed_members(&format!("{}{calls}", file.out));
    let shared = collisions::without_printf(&file, shared.replacen(": tests of ", ": what tests share of ", 1));
    // Not every program needs all of it.
    let may_be_unused = |text: String, start: &str| {
        text.replace(start, &format!("\n__attribute__((unused)){}", start.replace('\n', " ")))
    };
    let digest = format!("\nstatic unsigned int {DIGEST}");
    let starts = ["\nstatic __typeof__(", "\nstatic void expect_no_calls", "\nstatic int all_calls_were_made", &digest];
    let shared = starts.into_iter().fold(shared, may_be_unused);
    Texts { parts: parts(&file, &whole, &tests), shared: Some(wrapped(&shared)), flags }
}

/// The programs of a suite that would have too many lines for one.
fn parts(file: &File<'_>, whole: &Plan<'_>, tests: &[String]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut from = 0;
    while from < tests.len() {
        let mut room = MOST_LINES - FRAME_LINES;
        let fits = |test: &&String| {
            let taken = lines(&wrapped(test)) + 1;
            let fits = taken <= room;
            room = room.saturating_sub(taken);
            fits
        };
        let count = tests[from..].iter().take_while(fits).count().max(1);
        let number = parts.len() + 1;
        let (stem, subject) = (format!("{}_{number}", whole.stem), format!("{}_{number}", whole.subject));
        let plan = Plan { subject: &subject, stem: &stem, cases: &whole.cases[from..from + count], ..whole.clone() };
        let text = file.tests(&plan, from).concat();
        let main = main::renamed(file, file.dialect.main(&plan));
        let body = file.renamed_members(&format!("{text}{main}"));
        let c = format!("{}#include \"{}.h\"\n{body}", mark(&subject), whole.stem);
        let c = wrapped(&collisions::without_printf(file, c));
        let (wrapper, skipped) = (file.dialect.wrapper(&plan).as_deref().map(wrapped), plan.skipped());
        parts.push(Part { c, wrapper, tests: count, skipped, stem: stem.clone() });
        from += count;
    }
    parts
}

/// The first line of a test file.
fn mark(subject: &str) -> String {
    format!(
        "/* {MARK}: tests of {subject}. Of your own lines those between \"clew: keep\" and \"clew: end\" stay. */\n"
    )
}

fn lines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

/// A test file being written.
struct File<'a> {
    suite: &'a Suite<'a>,
    /// The functions under test.
    subjects: Vec<Subject<'a>>,
    dialect: &'static dyn Dialect,
    /// The names of the program, and those that are taken in this file.
    known: Names<'a>,
    names: Names<'a>,
    /// What the names that the framework reserves are here.
    reserved: Vec<(&'static str, String)>,
    /// What the program's `main` is called here, and its declaration if only the assembler is to call it so.
    main: String,
    declared_main: Option<String>,
    /// Functions without a body that tests answer, and what speaks of the calls of all of them.
    mocks: Vec<Mock>,
    calls: Option<Calls>,
    /// What notes the order of their calls, if that is asked for.
    order: Option<Order>,
    /// The structure that says what a mock writes, and the variable by which one goes back to the test that must not
    /// return; empty where they are not needed.
    written: String,
    stop: String,
    /// What stands between the head and the tests.
    out: String,
}

impl<'a> File<'a> {
    fn new(suite: &'a Suite<'a>, dialect: &'static dyn Dialect) -> File<'a> {
        let known = Names::of(suite.program);
        let mut names = known.clone();
        let main = names.take("program_main");
        let reserved = dialect.reserved().iter().map(|name| (*name, names.take(name))).collect();
        File {
            suite,
            subjects: suite.subjects.iter().map(|given| Subject::of(suite.program, given)).collect(),
            dialect,
            known,
            names,
            reserved,
            declared_main: main::declared(suite, &main),
            main,
            mocks: Vec::new(),
            calls: None,
            order: None,
            written: String::new(),
            stop: String::new(),
            out: String::new(),
        }
    }

    /// Has functions called through pointers of which the compiler would believe what their declarations say.
    fn call_through_pointers(&mut self) {
        for index in 0..self.subjects.len() {
            if self.subjects[index].is_misjudged(self) {
                let pointer = format!("really_{}", self.called(self.subjects[index].function));
                self.subjects[index].through = Some(self.names.take(&pointer));
            }
        }
    }

    /// Names the tests of each function and says how they are expected to end.
    fn cases(&mut self) -> Vec<Vec<Case>> {
        let mut names = Vec::new();
        for given in self.suite.subjects {
            names.push(given.tests.iter().map(|test| self.names.take(&test.name)).collect::<Vec<_>>());
        }
        let case = |subject: &Subject<'_>, test: &super::Test, function: String| {
            let expectation = match test::can_be_written(self, subject, test) {
                true => expectation(test),
                false => Expectation::Skipped("cannot be written in C".to_owned()),
            };
            Case { function, expectation }
        };
        let of = |(subject, names): (&Subject<'_>, Vec<String>)| {
            subject.tests.iter().zip(names).map(|(test, name)| case(subject, test, name)).collect()
        };
        self.subjects.iter().zip(names).map(of).collect()
    }

    /// The functions of the tests of a plan, the first of which has this number among all.
    fn tests(&self, plan: &Plan<'_>, from: usize) -> Vec<String> {
        let tests = self.subjects.iter().flat_map(|subject| subject.tests.iter().map(move |test| (subject, test)));
        plan.cases.iter().zip(tests.skip(from)).map(|(case, test)| test::write(self, plan, case, test)).collect()
    }

    /// The globals that some function under test can come to.
    fn reached_globals(&self) -> impl Iterator<Item = GlobalId> {
        self.subjects.iter().flat_map(|subject| subject.reached.globals.iter().copied())
    }

    /// A text in which members called `main` have the name that they, too, have here where the program's `main` does.
    fn renamed_members(&self, text: &str) -> String {
        if !self.renames_main() {
            return text.to_owned();
        }
        let mut parts = text.split(".main");
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_longer = part.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            let _ = write!(out, ".{}{part}", if is_longer { "main" } else { &self.main });
        }
        out
    }

    /// The name by which tests call a function.
    fn called(&self, function: FunctionId) -> String {
        let name = &self.suite.program.functions[function].name;
        if name == "main" && self.declared_main.is_none() { self.main.clone() } else { name.clone() }
    }

    /// Whether a macro gives the program's `main` another name.
    fn renames_main(&self) -> bool {
        self.names_main() && self.declared_main.is_none()
    }

    /// Whether a macro gives a name of the program another one.
    fn is_renamed(&self, name: &str) -> bool {
        let program = self.suite.program;
        program.function(name).is_some_and(|id| mocks::renamed(self).contains_key(&id))
    }

    /// Whether the source defines or declares `main`, perhaps otherwise than tests do.
    fn names_main(&self) -> bool {
        let text = self.unit_text();
        let declared = text.match_indices("main").any(|(at, word)| {
            let (before, behind) = (&text[..at], text[at + word.len()..].trim_start());
            let is_word = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            // The preprocessed text keeps its comments.
            is_word && behind.starts_with('(') && before.rfind("/*") <= before.rfind("*/")
        });
        declared || self.defines("main")
    }

    /// The preprocessed text of the source.
    fn unit_text(&self) -> &str {
        self.suite.program.sources.units.get(self.suite.unit).map_or("", |unit| &unit.text)
    }

    fn defines(&self, name: &str) -> bool {
        self.suite.program.function(name).is_some_and(|id| self.suite.program.functions[id].is_defined())
    }

    /// Whether a function under test, or one it calls, has variables that outlive a call and cannot be put back.
    fn remembers(&self) -> bool {
        let kept = |global: &Global| matches!(global.kind, GlobalKind::StaticLocal(_)) && !global.is_const;
        self.reached_globals().any(|id| kept(&self.suite.program.globals[id]))
    }

    fn includes(&self, header: &str) -> bool {
        let unit = self.suite.program.sources.units.get(self.suite.unit);
        unit.is_some_and(|unit| unit.files.iter().any(|file| file.ends_with(header)))
    }
}

/// A comment; what would end it early does not.
fn comment(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| line.replace("*/", "* /").replace("/*", "/ *")).collect();
    format!("\n/* {} */\n", lines.join("\n   "))
}
