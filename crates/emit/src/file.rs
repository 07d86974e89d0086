//! A test file: C that includes the source under test, a function per test, and what the framework wants around it.
//!
//! Including the source is how `static` functions and variables are reached. Every test is a function: inputs as
//! initialisers, the call, assertions of what was observed. The program's variables are put back between tests where the
//! framework runs all tests in one process. `static` variables of functions cannot be put back: a program that has some
//! runs each test in a process of its own.

mod absent;
mod calls;
mod collisions;
mod globals;
mod macros;
mod main;
mod mocks;
mod objects;
pub mod readings;
mod test;

use super::expectation::{Expectation, expectation};
use super::framework::{Case, Dialect, Framework, Plan};
use super::mask::Masks;
use super::names::Names;
use super::{MARK, Suite, words};
use clew_analyze::reach::{Reach, reach};
use clew_execute::native::has_constructors;
use clew_ir::{Function, Global, GlobalKind, Linkage};
pub use mocks::linker_flags;
use mocks::{Calls, Mock};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Compilers ignore the attribute under another name, and say so.
const WITHOUT_CONSTRUCTORS: &str = "/* Tests call the function without what runs before `main`. */\n\
    #pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wattributes\"\n\
    #define constructor not_before_main\n#define __constructor__ not_before_main\n";

/// The texts of a test file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// The C file.
    pub c: String,
    /// The C++ file that calls it, for a framework that needs one.
    pub wrapper: Option<String>,
    /// Flags that the compiler needs for it.
    pub flags: Vec<String>,
    /// Tests that are written down and not run.
    pub skipped: usize,
}

/// Name of the test file of a function, without extension.
pub fn stem(function: &str) -> String {
    format!("test_{function}")
}

/// The texts of the test file of a function.
pub fn texts(suite: &Suite<'_>, framework: Framework) -> Texts {
    texts_in(suite, framework.dialect(), &stem(&suite.program.functions[suite.function].name))
}

/// The same in a dialect, for a file of this name.
pub(crate) fn texts_in(suite: &Suite<'_>, dialect: &'static dyn Dialect, stem: &str) -> Texts {
    let mut file = File::new(suite, dialect);
    let restore = globals::write(&mut file);
    mocks::write(&mut file);
    if file.is_misjudged() {
        let pointer = format!("really_{}", file.called());
        file.through = Some(file.names.take(&pointer));
    }
    let cases: Vec<Case> = suite.tests.iter().enumerate().map(|(index, test)| file.case(index, test)).collect();
    let isolated = file.remembers() && !file.dialect.forks();
    let plan = Plan {
        subject: &suite.program.functions[suite.function].name,
        stem,
        cases: &cases,
        restore: restore.as_deref(),
        isolated,
        has_stdio: file.includes("/stdio.h") || cases.iter().any(|case| case.expectation.condition().is_some()),
        names: &file.reserved,
        is_function: &|name| suite.program.function(name).is_some(),
    };
    let tests: String =
        cases.iter().zip(suite.tests).map(|(case, test)| test::write(&file, &plan, case, test)).collect();
    let main = main::renamed(&file, file.dialect.main(&plan));
    let calls = file.calls.as_ref().map(|calls| calls.write(&file, &tests)).unwrap_or_default();
    let body = file.renamed_members(&format!("{}{calls}{tests}{main}", file.out));
    let c = collisions::without_printf(&file, file.head(&plan, &body) + &body);
    let wrapper = file.dialect.wrapper(&plan);
    Texts { c, wrapper, flags: mocks::flags(&file), skipped: plan.skipped() }
}

/// A test file being written.
struct File<'a> {
    suite: &'a Suite<'a>,
    /// What the function under test can come to.
    reached: Reach,
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
    /// The structure that says what a mock writes, and the variable by which one goes back to the test that must not
    /// return; empty where they are not needed.
    written: String,
    stop: String,
    /// The pointer through which tests call the function, if not by its name.
    through: Option<String>,
    /// Whether the function may free the objects of a test.
    frees: bool,
    /// The places that hold bits.
    masks: Masks,
    /// What stands between the head and the tests.
    out: String,
}

impl<'a> File<'a> {
    fn new(suite: &'a Suite<'a>, dialect: &'static dyn Dialect) -> File<'a> {
        let known = Names::of(suite.program);
        let mut names = known.clone();
        let main = names.take("program_main");
        let reserved = dialect.reserved().iter().map(|name| (*name, names.take(name))).collect();
        let reached = reach(suite.program, suite.function);
        let frees = objects::may_be_freed(suite, &reached);
        File {
            suite,
            masks: Masks::of(suite.program, &reached.functions),
            reached,
            dialect,
            known,
            names,
            reserved,
            declared_main: main::declared(suite, &main),
            main,
            mocks: Vec::new(),
            calls: None,
            written: String::new(),
            stop: String::new(),
            through: None,
            frees,
            out: String::new(),
        }
    }

    /// Names a test and says how it is expected to end.
    fn case(&mut self, index: usize, test: &super::Test) -> Case {
        let function = self.names.take(&words::name(self.suite, index + 1, test));
        let expectation = match test::can_be_written(self, test) {
            true => expectation(test),
            false => Expectation::Skipped("cannot be written in C".to_owned()),
        };
        Case { function, expectation }
    }

    /// The head of the file, with what the rest needs.
    fn head(&self, plan: &Plan<'_>, body: &str) -> String {
        let mut out =
            format!("/* {MARK}: tests of {}. Changes are lost when it is generated again. */\n", plan.subject);
        if readings::are_needed(self.suite.tests) {
            let _ = writeln!(out, "#include \"{}\"", readings::HEADER);
        }
        mocks::rename(self, &mut out);
        let ends = macros::names_of_destructors(self);
        out.extend(ends.iter().map(|name| format!("#define {name} unused\n")));
        self.include_source(&mut out, body);
        out.extend(ends.iter().map(|name| format!("#undef {name}\n")));
        let framework = self.dialect.headers(plan);
        mocks::rename_no_more(self, &mut out, &[body, &framework]);
        let forks = body.contains("fork()");
        let headers = [
            (body.contains(" malloc(") || body.contains(" calloc("), "stdlib.h"),
            (body.contains("fflush("), "stdio.h"),
            (body.contains("errno") && !globals::has_own_errno(self.suite.program), "errno.h"),
            (forks && body.contains("(status) == SIG"), "signal.h"),
            (forks && (body.contains(" exit(") || body.contains(", exit);")), "stdlib.h"),
            (forks, "sys/wait.h"),
            (forks || body.contains("alarm("), "unistd.h"),
            (body.contains("jmp_buf "), "setjmp.h"),
        ];
        let mut further = String::new();
        for (_, header) in headers.iter().filter(|(needed, header)| *needed && !self.includes(&format!("/{header}"))) {
            let line = format!("#include <{header}>\n");
            if !out.contains(&line) && !framework.contains(&line) {
                further.push_str(&line);
            }
        }
        out.push_str(&collisions::around(self, &(further + &framework)));
        out.push_str(&collisions::uncovered(self));
        absent::write(self, &mut out);
        if self.is_deprecated() {
            out.push_str("\n/* Whoever tests a function need not be warned of it. */\n");
            out.push_str("#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"\n");
        }
        if self.has_array_params() {
            out.push_str(
                "\n/* Arrays are as long as a test needs, not as parameters are declared. */\n#if defined __GNUC__ && \
                !defined __clang__\n#pragma GCC diagnostic ignored \"-Wstringop-overflow\"\n#pragma GCC diagnostic \
                ignored \"-Wstringop-overread\"\n#endif\n",
            );
        }
        let is_certain = |case: &Case| {
            matches!(case.expectation, Expectation::Returns | Expectation::Stops | Expectation::Raises(6))
        };
        // Headers say of functions what does not hold of their mocks: that they have no effects here, or give new objects.
        let is_simple = plan.cases.iter().all(is_certain) && self.mocks.is_empty();
        // What must be inlined cannot be kept apart.
        if !is_simple && !self.declaration().contains("always_inline") {
            self.keep_apart(&mut out);
        }
        if let Some(pointer) = &self.through {
            let name = self.called();
            out.push_str(
                "\n/* Its declaration says what does not hold here, and compilers believe it of calls by its name. */\n",
            );
            let _ = writeln!(out, "static __typeof__({name}) *volatile {pointer} = {name};");
        }
        out
    }

    /// Whether a parameter is declared as an array, which some compilers take for a promise.
    fn has_array_params(&self) -> bool {
        self.declaration().contains('[')
    }

    /// Whether some declaration of the function says that it is deprecated.
    fn is_deprecated(&self) -> bool {
        self.is_declared(&["deprecated"])
    }

    /// Whether some declaration says what does not hold under test: that the function changes nothing, though it does or
    /// has mocks count calls, or that its result is a new object, though mocks give those of the test.
    fn is_misjudged(&self) -> bool {
        let is_changed = |test: &super::Test| {
            let mut objects = test.input.objects.iter().zip(&test.observation.objects);
            objects.any(|(given, after)| given.content.pointers.is_empty() && given.content.bytes != *after)
        };
        let has_effects = !self.mocks.is_empty() || self.suite.tests.iter().any(is_changed);
        has_effects && self.is_declared(&["(pure)", "__pure__", "(const)", "__const__", "((malloc", "__malloc__"])
    }

    /// Whether some declaration of the function contains one of some words.
    fn is_declared(&self, words: &[&str]) -> bool {
        let Function { name, span, .. } = &self.suite.program.functions[self.suite.function];
        let text = self.suite.program.sources.units.get(span.unit).map_or("", |unit| &unit.text);
        let mut places = text.match_indices(name.as_str()).map(|(at, _)| at);
        let has_one = |text: &str| words.iter().any(|word| text.contains(word));
        has_one(text)
            && places.any(|at| {
                let start = text[..at].rfind([';', '}']).unwrap_or(0);
                let end = text[at..].find([';', '{']).map_or(text.len(), |end| at + end);
                has_one(&text[start..end])
            })
    }

    /// What stands before the body of the function, since the declaration before it.
    fn declaration(&self) -> &str {
        self.suite.program.declaration(self.suite.function)
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

    fn include_source(&self, out: &mut String, body: &str) {
        let (renames_main, defines_main) = (self.renames_main(), self.defines("main"));
        out.extend(self.declared_main.iter().map(|line| format!("{line}\n")));
        if renames_main {
            let _ = writeln!(out, "#define main {}", self.main);
        }
        if defines_main {
            out.push_str("#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wreturn-type\"\n");
        }
        let has_constructors = has_constructors(self.unit_text());
        if has_constructors {
            out.push_str(WITHOUT_CONSTRUCTORS);
        }
        let _ = writeln!(out, "#include \"{}\"", self.suite.source);
        if has_constructors {
            out.push_str("#undef __constructor__\n#undef constructor\n#pragma GCC diagnostic pop\n");
        }
        if defines_main {
            out.push_str("#pragma GCC diagnostic pop\n");
        }
        if renames_main {
            out.push_str("#undef main\n");
        }
        for name in macros::hiding(self, body) {
            let _ = writeln!(out, "#undef {name}");
        }
        if macros::hides_errno(self, body) {
            out.push_str("#undef errno\n#define errno (*__errno_location())\n");
        }
        for name in self.only_inline() {
            let _ = writeln!(out, "extern __typeof__({name}) {name}; /* inline, and defined nowhere else */");
        }
    }

    /// Functions of the source that are only `inline`; names with an underscore in front are the compiler's own.
    fn only_inline(&self) -> BTreeSet<&str> {
        let program = self.suite.program;
        let unit = program.functions[self.suite.function].span.unit;
        let own = |function: &&Function| function.linkage == Linkage::Inline && function.is_defined();
        let here = program.functions.values().filter(|function| function.span.unit == unit).filter(own);
        let names: BTreeSet<&str> = here.map(|function| function.name.as_str()).collect();
        let elsewhere = |name: &str| {
            let mut named = program.functions.values().filter(|function| function.name == name);
            named.any(|function| function.is_defined() && function.linkage == Linkage::External)
        };
        names.into_iter().filter(|name| !name.starts_with('_') && !elsewhere(name)).collect()
    }

    /// Keeps the compiler from specialising the function for the inputs of tests, and from warning of what it then sees.
    fn keep_apart(&self, out: &mut String) {
        // After a `static` definition, `extern` means `static`, too.
        let name = self.called();
        let _ = write!(
            out,
            "\n/* The function runs as it is compiled, not as the compiler could simplify it for a known input. */\n\
            #if defined __GNUC__ && !defined __clang__\n\
            #pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wattributes\"\n\
            extern __typeof__({name}) {name} __attribute__((noipa));\n\
            #pragma GCC diagnostic pop\n#endif\n"
        );
    }

    /// The name by which tests call the function.
    fn called(&self) -> String {
        let name = &self.suite.program.functions[self.suite.function].name;
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
        let unit = self.suite.program.functions[self.suite.function].span.unit;
        self.suite.program.sources.units.get(unit).map_or("", |unit| &unit.text)
    }

    fn defines(&self, name: &str) -> bool {
        self.suite.program.function(name).is_some_and(|id| self.suite.program.functions[id].is_defined())
    }

    /// Whether the function, or one it calls, has variables that outlive a call and cannot be put back.
    fn remembers(&self) -> bool {
        let kept = |global: &Global| matches!(global.kind, GlobalKind::StaticLocal(_)) && !global.is_const;
        self.reached.globals.iter().any(|id| kept(&self.suite.program.globals[*id]))
    }

    fn includes(&self, header: &str) -> bool {
        let unit = self.suite.program.functions[self.suite.function].span.unit;
        let unit = self.suite.program.sources.units.get(unit);
        unit.is_some_and(|unit| unit.files.iter().any(|file| file.ends_with(header)))
    }
}

/// A comment; what would end it early does not.
fn comment(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| line.replace("*/", "* /").replace("/*", "/ *")).collect();
    format!("\n/* {} */\n", lines.join("\n   "))
}
