//! One program of all test programs: each becomes an object in which only its `main`, under another name, is seen from
//! outside, so that sources and mocks of one file have nothing to do with those of another.
//!
//! This is for frameworks whose `main` is C: others register their tests where all of a program find them.

use crate::project::{Target, Words, built, quoted, spaced};
use crate::{Framework, MARK};
use clew_session::ctext::identifier;
use clew_session::output::{self, WriteError};
use std::fmt::Write;
use std::path::Path;

/// The name of the program, and what the names of several begin with.
const NAME: &str = "all_tests";

/// Programs of a framework that become one.
#[derive(Clone, Debug)]
pub struct Joined {
    /// Their framework.
    pub framework: Framework,
    /// Directories of test code and the names of the programs there.
    pub programs: Vec<(String, String)>,
}

/// Whether programs of a framework can become one.
pub fn can_be_joined(framework: Framework) -> bool {
    !framework.needs_wrapper() && framework != Framework::Criterion
}

/// What a makefile says of programs that become parts: `PREFIX` tells those of one directory from others.
pub(crate) fn parts(targets: &[Target]) -> String {
    let names = targets.iter().map(|target| format!(" {}.part.o", built(&target.stem)));
    let all: String = names.collect();
    let mut out = format!("\n# Parts of one program for all files.\nPREFIX =\n\nparts:{all}\n");
    for target in targets {
        let name = &target.stem;
        let Words { compiler, flags, depends, .. } = Words::of(target);
        let hooks: String = target.hooks.iter().map(|flag| format!(" {}", quoted(flag))).collect();
        let further = target.link.iter().chain(&target.link_flags);
        let further: String = further.map(|word| format!(" {}", quoted(word))).collect();
        let _ = write!(
            out,
            "\n{built}.part.o: {name}.c{depends}\n\t{compiler} $(CPPFLAGS) $(CFLAGS){flags}{hooks} -r -nostdlib -Wl,-d -o $@ \
             {name}.c{further}\n\tobjcopy --redefine-sym main={way_in} $@\n\tobjcopy --keep-global-symbol={way_in} $@\n",
            built = built(name),
            way_in = format!("run_$(PREFIX){name}"),
        );
    }
    let _ = write!(out, "\nclean: clean_parts\n\nclean_parts:\n\trm -f{all}\n\n.PHONY: parts clean_parts\n");
    out
}

/// The programs of a directory that can be parts, as its makefile says.
fn programs(directory: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(directory.join("Makefile")).unwrap_or_default();
    let list = text.lines().find_map(|line| line.strip_prefix("parts:")).unwrap_or_default();
    let name = |word: &str| Some(word.strip_prefix("$(BUILD)")?.strip_suffix(".part.o")?.to_owned());
    list.split_whitespace().filter_map(name).collect()
}

/// The programs for some frameworks below a directory, in directories of test code there.
pub fn find(directories: &[String], frameworks: &[Framework], out: &Path) -> Vec<Joined> {
    let one = |framework: &Framework| {
        let place = |directory: &String| match frameworks.len() {
            1 => directory.clone(),
            _ if directory == "." => framework.name().to_owned(),
            _ => format!("{directory}/{}", framework.name()),
        };
        let places = directories.iter().map(place);
        let programs = places.flat_map(|place| {
            let programs = programs(&out.join(&place));
            programs.into_iter().map(move |program| (place.clone(), program))
        });
        Joined { framework: *framework, programs: programs.collect() }
    };
    frameworks.iter().map(one).collect()
}

/// Writes what builds the programs of a project, one for each framework, into a makefile beside that of the project.
///
/// # Errors
/// When a file is not ours or the system refuses.
pub fn write(all: &[Joined], out: &Path) -> Result<(), WriteError> {
    let mut text = format!("# {MARK}: one program of all tests for each framework.\n");
    let mut names = Vec::new();
    for joined in all {
        let name = format!("{NAME}_{}", joined.framework.name());
        output::write(&out.join(format!("{name}.c")), main(joined))?;
        text.push_str(&rule(joined, &name));
        names.push(name);
    }
    let programs = names.join(" ");
    let _ = write!(
        text,
        "\n{NAME}: {programs}\n\ncheck_{NAME}: {NAME}\n\t@failed=0; for test in {programs}; do ./$$test || failed=1; done; \
         exit $$failed\n\nclean: clean_{NAME}\n\nclean_{NAME}:\n\trm -f {programs}\n\n.PHONY: {NAME} check_{NAME} clean_{NAME} parts\n"
    );
    output::write(&out.join(format!("{NAME}.mk")), text)
}

/// What tells the programs of one directory from those of others.
fn prefix(directory: &str) -> String {
    if directory == "." { String::new() } else { format!("{}_", identifier(directory)) }
}

fn rule(joined: &Joined, name: &str) -> String {
    let libraries: String =
        joined.framework.libraries().iter().chain(&["-lm"]).map(|library| format!(" {library}")).collect();
    let objects = joined
        .programs
        .iter()
        .map(|(directory, program)| format!(" {}", quoted(&format!("{directory}/{program}.part.o"))));
    let objects: String = objects.collect();
    let mut directories: Vec<&str> = joined.programs.iter().map(|(directory, _)| directory.as_str()).collect();
    directories.dedup();
    let makes = directories
        .iter()
        .map(|directory| format!("\t$(MAKE) -s -C {} parts PREFIX={}\n", quoted(directory), prefix(directory)));
    let makes: String = makes.collect();
    format!(
        "\n{}: {name}.c parts\n{makes}\t$(CC) $(CFLAGS) -o $@ {name}.c{objects} -no-pie -Wl,--unresolved-symbols=ignore-all{libraries} \
         $(LDLIBS)\n",
        spaced(name)
    )
}

/// The `main` of the program.
fn main(joined: &Joined) -> String {
    let ways: Vec<String> =
        joined.programs.iter().map(|(directory, program)| format!("run_{}{program}", prefix(directory))).collect();
    let declared: String = ways.iter().map(|way| format!("int {way}(void);\n")).collect();
    let called: String = ways.iter().map(|way| format!("    failed |= {way}() != 0;\n")).collect();
    format!(
        "/* {MARK}: runs the tests of all files. */\n{declared}\nint main(void)\n{{\n    int failed = 0;\n{called}    return failed;\n}}\n"
    )
}
