//! What builds and runs test files: a makefile (`make check`) and a CTest project.

use super::MARK;
use super::framework::Framework;
use std::fmt::Write;

/// A test file to build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Name of its file, without extension.
    pub stem: String,
    /// The compiler and its leading words.
    pub compiler: Vec<String>,
    /// Flags of the user's build, with paths that hold in the project's directory.
    pub flags: Vec<String>,
    /// Flags for compiling that the linker must not see.
    pub hooks: Vec<String>,
    /// Further sources to compile and link.
    pub link: Vec<String>,
    /// Further flags for the linker.
    pub link_flags: Vec<String>,
    /// Files the test file includes: when they change, it is built again.
    pub depends: Vec<String>,
}

/// Flags of the compiler by default: what it thinks of the source is not what tests are run for.
const FLAGS: &str = "-g";

/// The text of the makefile of a framework's test files.
pub fn makefile(framework: Framework, targets: &[Target]) -> String {
    let programs: Vec<String> = targets.iter().map(|target| built(&target.stem)).collect();
    let all = programs.join(" ");
    let mut out = format!("# {MARK}. Changes are lost when it is generated again.\n\nCFLAGS = {FLAGS}\n");
    out.push_str("# The folder of what is built, with a slash behind it.\nBUILD =\n");
    // Sources must not be made anew from files of other languages beside them.
    out.push_str(".SUFFIXES:\n");
    let is_cpp = framework.needs_wrapper();
    if is_cpp {
        let _ = writeln!(out, "CXXFLAGS = {FLAGS}");
    }
    let libraries = framework.dialect().libraries();
    let libraries: String = libraries.iter().chain(&["-lm"]).map(|library| format!(" {library}")).collect();
    let _ = writeln!(out, "LDLIBS ={libraries}\n\nall: {all}\n");
    let _ = writeln!(out, "check: all\n\t@failed=0; for test in {all}; do ./$$test || failed=1; done; exit $$failed");
    for target in targets {
        out.push_str(&if is_cpp { cpp_rule(target) } else { c_rule(target) });
    }
    let in_steps = targets.iter().filter(|target| is_cpp || !target.hooks.is_empty());
    let objects: String = in_steps.map(|target| format!(" {}.o", built(&target.stem))).collect();
    let _ = writeln!(out, "\nclean:\n\trm -f {all}{objects}\n\n.PHONY: all check clean");
    out
}

fn c_rule(target: &Target) -> String {
    let name = &target.stem;
    let Words { compiler, flags, link, depends } = Words::of(target);
    if !target.hooks.is_empty() {
        let (object, built) = (object_rule(target), built(name));
        return format!(
            "\n{built}: {built}.o\n\t{compiler} $(CFLAGS){flags} -o $@ {built}.o{link} $(LDLIBS)\n{object}"
        );
    }
    format!(
        "\n{built}: {name}.c{depends}\n\t{compiler} $(CPPFLAGS) $(CFLAGS){flags} -o $@ {name}.c{link} $(LDLIBS)\n",
        built = built(name)
    )
}

/// A file that make builds, as the makefile names it.
pub(crate) fn built(name: &str) -> String {
    format!("$(BUILD){name}")
}

/// C is compiled as C, and linked by the C++ compiler.
fn cpp_rule(target: &Target) -> String {
    let name = &target.stem;
    let Words { link, .. } = Words::of(target);
    let object = object_rule(target);
    let machine: String =
        target.flags.iter().filter(|flag| chooses_machine(flag)).map(|flag| format!(" {flag}")).collect();
    format!(
        "\n{built}: {name}.cpp {built}.o\n\t$(CXX) $(CPPFLAGS) $(CXXFLAGS){machine} -o $@ {name}.cpp {built}.o{link} \
        $(LDLIBS)\n{object}",
        built = built(name)
    )
}

/// How the object file of a test file is made. Where hooks are called, further sources are compiled into it.
fn object_rule(target: &Target) -> String {
    let name = &target.stem;
    let Words { compiler, flags, depends, .. } = Words::of(target);
    let hooks: String = target.hooks.iter().map(|flag| format!(" {}", quoted(flag))).collect();
    let is_joined = !target.hooks.is_empty() && !target.link.is_empty();
    let how = if is_joined { "-r -nostdlib" } else { "-c" };
    let further: String = target.link.iter().filter(|_| is_joined).map(|path| format!(" {}", quoted(path))).collect();
    format!(
        "\n{built}.o: {name}.c{depends}\n\t{compiler} $(CPPFLAGS) $(CFLAGS){flags}{hooks} {how} -o $@ {name}.c{further}\n",
        built = built(name)
    )
}

/// Flags that C++ must be compiled with, too.
fn chooses_machine(flag: &str) -> bool {
    ["-m", "-fsanitize", "--coverage", "--target", "--sysroot"].iter().any(|start| flag.starts_with(start))
}

/// Lists of a target as make reads them, each word after a space.
pub(crate) struct Words {
    pub(crate) compiler: String,
    pub(crate) flags: String,
    link: String,
    pub(crate) depends: String,
}

impl Words {
    pub(crate) fn of(target: &Target) -> Words {
        let words = |words: &[String]| words.iter().map(|word| format!(" {}", quoted(word))).collect::<String>();
        Words {
            compiler: words(&target.compiler).trim_start().to_owned(),
            flags: words(&target.flags),
            link: if target.hooks.is_empty() { words(&target.link) } else { String::new() }
                + &words(&target.link_flags),
            depends: target.depends.iter().chain(&target.link).map(|path| format!(" {}", spaced(path))).collect(),
        }
    }
}

/// What a makefile says of programs of findings: each ends with 0 if sanitizers show all of its findings.
pub(crate) fn findings(targets: &[Target]) -> String {
    let programs: Vec<String> = targets.iter().map(|target| built(&target.stem)).collect();
    let all = programs.join(" ");
    let mut out = String::from("\n# Calls that are undefined, which sanitizers are to end.\n");
    let _ = writeln!(out, "SANITIZE = -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all\n");
    if targets.is_empty() {
        return "\nfindings:\n\t@echo \"no findings\"\n\n.PHONY: findings\n".to_owned();
    }
    let _ = writeln!(
        out,
        "findings: {all}\n\t@failed=0; for test in {all}; do ./$$test 2>/dev/null || failed=1; done; exit $$failed"
    );
    for target in targets {
        let name = &target.stem;
        let Words { compiler, flags, link, depends } = Words::of(target);
        let _ = write!(
            out,
            "\n{built}: {name}.c{depends}\n\t{compiler} $(CPPFLAGS) $(CFLAGS){flags} $(SANITIZE) -o $@ {name}.c{link} -lm\n",
            built = built(name)
        );
    }
    let _ =
        write!(out, "\nclean: clean_findings\n\nclean_findings:\n\trm -f {all}\n\n.PHONY: findings clean_findings\n");
    out
}

/// The text of `CMakeLists.txt` of a framework's test files.
pub fn cmake(framework: Framework, targets: &[Target]) -> String {
    let is_cpp = framework.needs_wrapper();
    let languages = if is_cpp { "C CXX" } else { "C" };
    let mut out = format!(
        "# {MARK}. Changes are lost when it is generated again.\ncmake_minimum_required(VERSION 3.13)\n\
        project(clew_tests {languages})\nenable_testing()\n"
    );
    let libraries = framework.dialect().libraries().iter().chain(&["-lm"]);
    let libraries: String = libraries.map(|library| format!(" {}", library.trim_start_matches("-l"))).collect();
    for target in targets {
        let name = &target.stem;
        let words = |words: &[String]| words.iter().map(|word| format!(" {}", bracketed(word))).collect::<String>();
        let sources = if is_cpp { format!("{name}.c {name}.cpp") } else { format!("{name}.c") };
        let c_flags = match [target.flags.as_slice(), &target.hooks].concat().as_slice() {
            [] => String::new(),
            flags => format!("target_compile_options({name} PRIVATE $<$<COMPILE_LANGUAGE:C>:{}>)\n", flags.join(";")),
        };
        let _ = write!(
            out,
            "\nadd_executable({name} {sources}{})\ntarget_compile_options({name} PRIVATE {FLAGS})\n{c_flags}\
            target_link_libraries({name} PRIVATE{}{libraries})\nadd_test(NAME {name} COMMAND {name})\n",
            words(&target.link),
            words(&target.link_flags)
        );
    }
    out
}

/// The makefile above those of several frameworks.
pub fn makefile_of(frameworks: &[Framework]) -> String {
    let names: Vec<&str> = frameworks.iter().map(|framework| framework.name()).collect();
    format!(
        "# {MARK}. Changes are lost when it is generated again.\n\nall check clean:\n\t@failed=0; for framework in {}; do \
        $(MAKE) -C $$framework $@ || failed=1; done; exit $$failed\n\nfindings:\n\t@$(MAKE) -C {} $@\n\n.PHONY: all check clean findings\n",
        names.join(" "),
        names.first().unwrap_or(&"")
    )
}

/// What a makefile says where one program of all tests may stand beside it.
pub const INCLUDE: &str = "\n-include all_tests.mk\n";

/// A word as the shell, called by make, reads it back.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''").replace('$', "$$"))
}

/// A path as make reads it in a list.
pub(crate) fn spaced(path: &str) -> String {
    path.replace('$', "$$").replace(' ', "\\ ").replace('#', "\\#").replace(':', "\\:")
}

/// A word as CMake reads it back.
fn bracketed(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("[==[{word}]==]") }
}
