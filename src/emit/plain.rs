//! Tests as one self-contained C file.
//!
//! The file includes the source under test, so that `static` functions and variables can be reached. Every test is a
//! function: inputs as initialisers, the call, checks of what was observed. `main` runs all of them, puts the program's
//! variables back in between, prints a summary and fails if a check does. `static` variables of functions cannot be put
//! back: a program that has some runs each test in a process of its own.
//!
//! Tests that crashed or did not end are written down but not called.

mod globals;
mod mocks;
mod test;

use super::names::{self, Names};
use super::{MARK, Suite};
use clew_execute::Ending;
use clew_ir::{GlobalKind, Program};
use mocks::Mock;
use std::fmt::Write;

/// Name of the test file of a function.
pub fn file_name(function: &str) -> String {
    format!("test_{function}.c")
}

/// The text of the test file.
pub fn source(suite: &Suite<'_>) -> String {
    let mut file = File::new(suite);
    file.head();
    file.macros();
    globals::write(&mut file);
    mocks::write(&mut file);
    let rows: Vec<Row> = (0..suite.tests.len()).map(|index| test::write(&mut file, index)).collect();
    file.main(&rows);
    file.out
}

/// A test file being written.
struct File<'a> {
    suite: &'a Suite<'a>,
    names: Names,
    /// What the program's `main` is called here.
    main: String,
    failures: String,
    /// Functions that save and restore the program's variables, if it has any.
    save: Option<(String, String)>,
    /// Functions without a body that tests answer.
    mocks: Vec<Mock>,
    /// The structure that says what a mock writes, if one does.
    written: String,
    /// The variable by which mocks of functions that do not return go back to the test, if there are any.
    stop: String,
    /// Whether the program may free the objects of a test.
    frees: bool,
    out: String,
}

/// A test in the table of `main`.
struct Row {
    function: String,
    /// Why it is not called.
    skip: Option<String>,
}

impl<'a> File<'a> {
    fn new(suite: &'a Suite<'a>) -> File<'a> {
        let mut names = Names::of(suite.program);
        let main = names.take("program_main");
        let failures = names.take("failures");
        let frees = clew_execute::native::frees(suite.program);
        File {
            suite,
            names,
            main,
            failures,
            save: None,
            mocks: Vec::new(),
            written: String::new(),
            stop: String::new(),
            frees,
            out: String::new(),
        }
    }

    fn head(&mut self) {
        let name = &self.suite.program.functions[self.suite.function].name;
        let source = self.suite.source;
        let _ = writeln!(self.out, "/* {MARK}: tests of {name}. Changes are lost when it is generated again. */");
        if self.defines("main") {
            let _ = writeln!(self.out, "#define main {}", self.main);
            self.out.push_str("#pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wreturn-type\"\n");
        }
        let _ = writeln!(self.out, "#include \"{source}\"");
        if self.defines("main") {
            self.out.push_str("#pragma GCC diagnostic pop\n#undef main\n");
        }
        self.out.push_str("#include <stddef.h>\n");
        if self.includes("/stdio.h") {
            self.out.push_str("#include <stdio.h>\n");
        } else {
            self.out.push_str("\n/* As in <stdio.h>, without its other names. */\n");
            self.out.push_str("extern int printf(const char *format, ...);\n");
        }
        self.keep_apart();
    }

    /// Keeps the compiler from specialising the function for the inputs of tests, and from warning of what it then sees.
    fn keep_apart(&mut self) {
        // After a `static` definition, `extern` means `static`, too.
        let name = self.called();
        let _ = write!(
            self.out,
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
        if name == "main" { self.main.clone() } else { name.clone() }
    }

    fn defines(&self, name: &str) -> bool {
        self.suite.program.function(name).is_some_and(|id| self.suite.program.functions[id].is_defined())
    }

    fn includes(&self, header: &str) -> bool {
        let unit = self.suite.program.functions[self.suite.function].span.unit;
        let unit = self.suite.program.sources.units.get(unit);
        unit.is_some_and(|unit| unit.files.iter().any(|file| file.ends_with(header)))
    }

    fn macros(&mut self) {
        let failures = &self.failures;
        let _ = write!(
            self.out,
            r#"
static int {failures};

#undef CHECK
#define CHECK(condition) \
    do {{ \
        if (!(condition)) {{ \
            {failures}++; \
            printf("%s:%d: %s: not so: %s\n", __FILE__, __LINE__, __func__, #condition); \
        }} \
    }} while (0)

#undef CHECK_ALL
#define CHECK_ALL(actual, expected) \
    do {{ \
        unsigned long at_; \
        for (at_ = 0; at_ < sizeof (expected) / sizeof *(expected); at_++) {{ \
            if ((actual)[at_] != (expected)[at_]) {{ \
                {failures}++; \
                printf("%s:%d: %s: wrong: %s[%lu]\n", __FILE__, __LINE__, __func__, #actual, at_); \
            }} \
        }} \
    }} while (0)
"#
        );
    }

    /// A comment; what would end it early does not.
    fn comment(&mut self, lines: &[String]) {
        let lines: Vec<String> = lines.iter().map(|line| line.replace("*/", "* /").replace("/*", "/ *")).collect();
        let _ = writeln!(self.out, "\n/* {} */", lines.join("\n   "));
    }

    fn main(&mut self, rows: &[Row]) {
        let isolated = has_static_locals(self.suite.program);
        if isolated {
            self.out.push_str(
                "\n/* Functions of the program remember earlier calls: each test runs in a process of its own. */\n\
                extern int fork(void);\nextern int waitpid(int, int *, int);\nextern void exit(int);\n",
            );
        }
        let table = self.names.take("tests");
        let _ = writeln!(
            self.out,
            "\nstatic const struct {{\n    void (*run)(void);\n    const char *skip; /* why it is not called */\n}} {table}[] = {{"
        );
        for row in rows {
            let skip = row.skip.as_ref().map_or("NULL".to_owned(), |reason| format!("{reason:?}"));
            let _ = writeln!(self.out, "    {{{}, {skip}}},", row.function);
        }
        if rows.is_empty() {
            self.out.push_str("    {NULL, \"no tests\"},\n");
        }
        self.out.push_str("};\n");
        let run = self.run(&table, isolated);
        self.main_function(&table, &run);
    }

    /// Writes the function that runs one test and says whether it failed; gives its name.
    fn run(&mut self, table: &str, isolated: bool) -> String {
        let failures = &self.failures;
        let restore = self.save.as_ref().map(|(_, restore)| format!("    {restore}();\n")).unwrap_or_default();
        let body = if isolated {
            format!(
                "    int status = 1, child = fork();\n    if (child == 0) {{\n        {table}[number].run();\n        \
                exit({failures} != 0);\n    }}\n    return child < 0 || waitpid(child, &status, 0) != child || status != 0;\n"
            )
        } else {
            format!(
                "    int before = {failures};\n{restore}    {table}[number].run();\n    return {failures} != before;\n"
            )
        };
        let run = self.names.take("run_test");
        let _ = writeln!(self.out, "\nstatic int {run}(unsigned long number)\n{{\n{body}}}");
        run
    }

    fn main_function(&mut self, table: &str, run: &str) {
        let name = &self.suite.program.functions[self.suite.function].name;
        let save = self.save.as_ref().map(|(save, _)| format!("    {save}();\n")).unwrap_or_default();
        let _ = write!(
            self.out,
            r#"
int main(void)
{{
    unsigned long number, count = sizeof {table} / sizeof *{table}, failed = 0, skipped = 0;
{save}    for (number = 0; number < count; number++) {{
        if ({table}[number].skip)
            skipped++;
        else
            failed += {run}(number) != 0;
    }}
    printf("{name}: %lu tests, %lu passed, %lu failed, %lu skipped\n", count, count - failed - skipped, failed,
           skipped);
    return failed != 0;
}}
"#
        );
    }
}

/// Why a test that ended like this is not called.
pub(super) fn skip_reason(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Returned | Ending::Stopped => None,
        Ending::Exited(status) => Some(format!("ends the process with status {status}")),
        Ending::Signalled(signal) => Some(format!("is ended by signal {signal}")),
        Ending::TimedOut => Some("does not end within the time limit".to_owned()),
        Ending::Sanitizer(line) => Some(line.clone()),
    }
}

fn has_static_locals(program: &Program) -> bool {
    program.globals.values().any(|global| matches!(global.kind, GlobalKind::StaticLocal(_)) && !global.is_const)
}

/// The name of a test's function: its number and what it does.
fn test_name(number: usize, name: &str) -> String {
    let words: String = names::identifier(name).to_lowercase().chars().take(48).collect();
    format!("test_{number}_{words}").trim_end_matches('_').to_owned()
}
