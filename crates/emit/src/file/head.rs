//! The head of a test file: the source under test, the framework, and what keeps one from disturbing the other.

use super::{File, absent, collisions, globals, macros, mark, mocks, readings};
use crate::framework::{Case, Plan};
use clew_execute::native::has_constructors;
use clew_ir::{Function, Linkage};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Compilers ignore the attribute under another name, and say so.
const WITHOUT_CONSTRUCTORS: &str = "/* Tests call the function without what runs before `main`. */\n\
    #pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wattributes\"\n\
    #define constructor not_before_main\n#define __constructor__ not_before_main\n";

impl File<'_> {
    /// The head of the file, with what the rest needs.
    pub(super) fn head(&self, plan: &Plan<'_>, cases: &[Vec<Case>], body: &str) -> String {
        let mut out = mark(plan.subject);
        if readings::are_needed(self.suite.tests()) {
            let _ = writeln!(out, "#include \"{}\"", readings::HEADER);
        }
        mocks::rename(self, &mut out);
        let ends = macros::names_of_destructors(self);
        out.extend(ends.iter().map(|name| format!("#define {name} unused\n")));
        let framework = self.dialect.headers(plan);
        self.include_source(&mut out, body, &framework);
        out.extend(ends.iter().map(|name| format!("#undef {name}\n")));
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
        self.distrust(&mut out, cases);
        out
    }

    /// Keeps the compiler from believing of the functions under test what does not hold in tests, and from saying so.
    fn distrust(&self, out: &mut String, cases: &[Vec<Case>]) {
        let program = self.suite.program;
        if self.subjects.iter().any(|subject| subject.is_deprecated(program)) {
            out.push_str("\n/* Whoever tests a function need not be warned of it. */\n");
            out.push_str("#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\"\n");
        }
        // Some compilers take a parameter that is declared as an array for a promise.
        if self.subjects.iter().any(|subject| subject.declaration(program).contains('[')) {
            out.push_str(
                "\n/* Arrays are as long as a test needs, not as parameters are declared. */\n#if defined __GNUC__ && \
                !defined __clang__\n#pragma GCC diagnostic ignored \"-Wstringop-overflow\"\n#pragma GCC diagnostic \
                ignored \"-Wstringop-overread\"\n#endif\n",
            );
        }
        let apart = self.subjects.iter().zip(cases).filter(|(subject, cases)| subject.needs_distance(self, cases));
        keep_apart(out, &apart.map(|(subject, _)| self.called(subject.function)).collect::<Vec<_>>());
        for subject in &self.subjects {
            let Some(pointer) = &subject.through else { continue };
            let name = self.called(subject.function);
            out.push_str(
                "\n/* Its declaration says what does not hold here, and compilers believe it of calls by its name. */\n",
            );
            let _ = writeln!(out, "static __typeof__({name}) *volatile {pointer} = {name};");
        }
    }

    fn include_source(&self, out: &mut String, body: &str, framework: &str) {
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
        for name in macros::hiding(self, &format!("{body}{framework}")) {
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
        let unit = self.suite.unit;
        let own = |function: &&Function| function.linkage == Linkage::Inline && function.is_defined();
        let here = program.functions.values().filter(|function| function.span.unit == unit).filter(own);
        let names: BTreeSet<&str> = here.map(|function| function.name.as_str()).collect();
        let elsewhere = |name: &str| {
            let mut named = program.functions.values().filter(|function| function.name == name);
            named.any(|function| function.is_defined() && function.linkage == Linkage::External)
        };
        names.into_iter().filter(|name| !name.starts_with('_') && !elsewhere(name)).collect()
    }
}

/// Keeps the compiler from specialising functions for the inputs of tests, and from warning of what it then sees.
fn keep_apart(out: &mut String, names: &[String]) {
    if names.is_empty() {
        return;
    }
    out.push_str(
        "\n/* Functions run as they are compiled, not as the compiler could simplify them for known inputs. */\n\
        #if defined __GNUC__ && !defined __clang__\n\
        #pragma GCC diagnostic push\n#pragma GCC diagnostic ignored \"-Wattributes\"\n",
    );
    for name in names {
        // After a `static` definition, `extern` means `static`, too.
        let _ = writeln!(out, "extern __typeof__({name}) {name} __attribute__((noipa));");
    }
    out.push_str("#pragma GCC diagnostic pop\n#endif\n");
}
