//! A directory of test code: a test file for each function, what builds and runs them, and how the sources are named
//! from there.
//!
//! One framework has the directory to itself; several have a directory each.

use crate::verify::{TestProgram, Written};
use crate::{Framework, Suite, Test, file, project};
use clew_execute::native::{is_missing, own_flags, readings};
use clew_frontend::{Build, Loaded};
use clew_ir::{Callee, FunctionId, GlobalId, InstKind, Operand, Program, Symbol, UnitId};
pub use clew_session::output::named_from;
use clew_session::output::{self, WriteError};
use clew_session::suite::objective;
use clew_session::test::Tested;
use clew_session::{self as session, Outcome, Replayed};
use clew_symbolic::ending::PathEnd;
use clew_symbolic::stub;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The files that [`write()`] makes for some functions.
pub fn files(program: &Program, functions: &[FunctionId], frameworks: &[Framework], out: &Path) -> Vec<PathBuf> {
    let several = frameworks.iter().collect::<BTreeSet<_>>().len() > 1;
    let places = frameworks.iter().map(|framework| if several { out.join(framework.name()) } else { out.to_owned() });
    let mut files = vec![out.join("Makefile")];
    for place in places {
        files.extend(["Makefile", "CMakeLists.txt"].map(|name| place.join(name)));
        let tests = functions.iter().map(|id| format!("{}.c", file::stem(&program.functions[*id].name)));
        files.extend(tests.map(|name| place.join(name)));
    }
    files
}

/// Writes the test code for every framework; gives the directories that there are tests in.
///
/// # Errors
/// When a file is not ours or the system refuses.
pub fn write(
    loaded: &Loaded,
    tested: &[Tested<'_>],
    frameworks: &[Framework],
    out: &Path,
) -> Result<Vec<Written>, WriteError> {
    let frameworks: BTreeSet<Framework> = frameworks.iter().copied().collect();
    let frameworks: Vec<Framework> = frameworks.into_iter().collect();
    if let [framework] = frameworks.as_slice() {
        return Ok(vec![framework_code(loaded, tested, *framework, out)?]);
    }
    let mut written = Vec::new();
    for framework in &frameworks {
        written.push(framework_code(loaded, tested, *framework, &out.join(framework.name()))?);
    }
    output::write(&out.join("Makefile"), project::makefile_of(&frameworks))?;
    Ok(written)
}

fn framework_code(
    loaded: &Loaded,
    tested: &[Tested<'_>],
    framework: Framework,
    directory: &Path,
) -> Result<Written, WriteError> {
    std::fs::create_dir_all(directory).map_err(|error| WriteError::Io(directory.to_owned(), error))?;
    let (mut targets, mut programs) = (Vec::new(), Vec::new());
    for one in tested {
        if let Ok(outcome) = &one.result {
            // Tests that were given have their code elsewhere.
            let all = tests(outcome).into_iter().zip(&outcome.tests);
            let new: Vec<_> = all.filter(|(_, test)| !test.explored.given).map(|(test, _)| test).collect();
            if !new.is_empty() {
                let (target, program) =
                    function_code(loaded, one.function, &outcome.observed, &new, framework, directory)?;
                targets.push(target);
                programs.push(program);
            }
        }
    }
    output::write(&directory.join("Makefile"), project::makefile(framework, &targets))?;
    output::write(&directory.join("CMakeLists.txt"), project::cmake(framework, &targets))?;
    let is_strict = targets.iter().flat_map(|target| &target.flags).any(|flag| flag.starts_with("-Werror"));
    Ok(Written { directory: directory.to_owned(), framework, programs, is_strict })
}

/// Writes the test file of one function, and says what builds it and what is built.
///
/// # Errors
/// When a file is not ours or the system refuses.
pub fn function_code(
    loaded: &Loaded,
    function: FunctionId,
    observed: &[GlobalId],
    tests: &[Test],
    framework: Framework,
    directory: &Path,
) -> Result<(project::Target, TestProgram), WriteError> {
    let program = &loaded.program;
    let unit = program.functions[function].span.unit;
    let named = |unit: UnitId| named_from(directory, &source_file(loaded, unit));
    let source = named(unit);
    let suite = Suite { program, function, source: &source, observed, tests };
    let name = &program.functions[function].name;
    let texts = file::texts(&suite, framework);
    let stem = file::stem(name);
    output::write(&directory.join(format!("{stem}.c")), &texts.c)?;
    if let Some(wrapper) = texts.wrapper {
        output::write(&directory.join(format!("{stem}.cpp")), wrapper)?;
    }
    let build = loaded.builds.get(unit.index()).and_then(Option::as_ref);
    let mut hooks = Vec::new();
    if file::readings::are_needed(tests) {
        output::write(&directory.join(file::readings::HEADER), file::readings::header())?;
        hooks = readings::flags(program, &session::options(build)).unwrap_or_default();
    }
    let flags = build.map_or_else(Vec::new, rooted_flags).into_iter();
    let built = TestProgram { name: stem, tests: tests.len(), skipped: texts.skipped };
    let target = project::Target {
        function: name.clone(),
        compiler: build.map_or_else(|| vec!["cc".to_owned()], |build| build.compiler.clone()),
        flags: flags.chain(own_flags(program)).chain(texts.flags).collect(),
        hooks,
        link_flags: leave_open(program, tests).into_iter().chain(file::linker_flags(program, function)).collect(),
        link: needed_units(program, unit).into_iter().map(named).collect(),
        depends: vec![source],
    };
    Ok((target, built))
}

/// The executed tests of an outcome.
pub fn tests(outcome: &Outcome<'_>) -> Vec<Test> {
    let undefined = |end: &PathEnd| match end {
        PathEnd::Failed(failure) => Some(failure.what.clone()),
        _ => None,
    };
    let purpose = |test: &Replayed| {
        outcome.ledger.as_ref().map_or_else(Vec::new, |ledger| objective::purposes(ledger, &test.explored))
    };
    let test = |test: &Replayed| Test {
        purpose: purpose(test),
        undefined: undefined(&test.explored.end),
        addressed: test.explored.addressed,
        diverged: test.divergence.is_some(),
        input: test.explored.input.clone(),
        observation: test.observation.clone(),
    };
    outcome.tests.iter().map(test).collect()
}

/// The flags without which the linker misses functions and variables that no test needs.
fn leave_open(program: &Program, tests: &[Test]) -> Vec<String> {
    let mut missing = stub::unresolved(program);
    missing.retain(|id| !is_of_c_library(program, *id) && !program.functions[*id].is_left_out());
    for call in tests.iter().flat_map(|test| &test.input.stubs) {
        missing.remove(&call.function);
    }
    let flags = ["-no-pie", "-Wl,--unresolved-symbols=ignore-all"].map(str::to_owned);
    let is_whole = missing.is_empty() && !program.globals.values().any(is_missing);
    if is_whole { Vec::new() } else { flags.to_vec() }
}

/// Folders and headers of the C library; other libraries have theirs beside them, and are not linked.
const C_FOLDERS: &str = "arpa asm asm-generic bits gnu linux net netinet netipx nfs protocols rpc scsi sys";
const C_HEADERS: &str = "aio aliases alloca argp argz assert byteswap complex cpio crypt ctype dirent dlfcn elf endian \
    envz err errno error execinfo fcntl features fenv fmtmsg fnmatch fstab fts ftw getopt glob grp iconv ifaddrs \
    inttypes langinfo libgen libintl limits link locale malloc math mcheck memory mntent monetary mqueue netdb nl_types \
    obstack paths poll printf proc_service pthread pty pwd re_comp regex regexp resolv sched search semaphore setjmp \
    sgtty shadow signal spawn stdc-predef stdio stdio_ext stdlib string strings syscall sysexits syslog tar termio \
    termios tgmath thread_db threads time ttyent uchar ucontext ulimit unistd utime utmp utmpx values wait wchar wctype \
    wordexp";

/// Whether a header of the C library declares a function.
fn is_of_c_library(program: &Program, id: FunctionId) -> bool {
    let place = program.sources.locate(program.functions[id].span);
    program.is_library(id) && place.is_some_and(|place| is_c_header(&place.file))
}

fn is_c_header(file: &str) -> bool {
    let mut parts = file.trim_start_matches("/usr/include/").split('/').peekable();
    // Headers of one machine have a folder of its name, such as `x86_64-linux-gnu`.
    parts.next_if(|part| part.contains("-linux-"));
    let (first, rest) = (parts.next().unwrap_or_default(), parts.next());
    match rest {
        Some(_) => C_FOLDERS.split_whitespace().any(|folder| folder == first),
        None => first.strip_suffix(".h").is_some_and(|name| C_HEADERS.split_whitespace().any(|known| known == name)),
    }
}

/// The source file of a unit.
fn source_file(loaded: &Loaded, unit: UnitId) -> PathBuf {
    let build = loaded.builds.get(unit.index()).and_then(Option::as_ref);
    let path = PathBuf::from(&loaded.program.sources.units[unit].path);
    build.map_or(path, |build| rooted(&build.file, build))
}

/// Other units that linking a unit needs, those they need included.
fn needed_units(program: &Program, home: UnitId) -> BTreeSet<UnitId> {
    let (mut needed, mut work) = (BTreeSet::from([home]), vec![home]);
    if program.sources.units.len() > 1 {
        while let Some(unit) = work.pop() {
            work.extend(mentioned_units(program, unit).into_iter().filter(|unit| needed.insert(*unit)));
        }
    }
    needed.remove(&home);
    needed
}

/// The units that define what the code and data of a unit name.
fn mentioned_units(program: &Program, unit: UnitId) -> BTreeSet<UnitId> {
    let function =
        |id: FunctionId| Some(program.functions[id].span.unit).filter(|_| program.functions[id].is_defined());
    let global = |id: GlobalId| Some(program.globals[id].span.unit).filter(|_| program.globals[id].init.is_some());
    let symbol = |symbol: Symbol| match symbol {
        Symbol::Function(id) => function(id),
        Symbol::Global(id) => global(id),
    };
    let operand = |operand: Operand| match operand {
        Operand::Function(id) => function(id),
        Operand::Global(id, _) => global(id),
        _ => None,
    };
    let globals = program.globals.values().filter(|global| global.span.unit == unit);
    let data = globals.flat_map(|global| &global.relocations).filter_map(|relocation| symbol(relocation.symbol));
    let functions = program.functions.values().filter(|function| function.span.unit == unit);
    let mut units: BTreeSet<UnitId> = data.collect();
    for inst in functions.flat_map(|function| function.blocks.values()).flat_map(|block| &block.insts) {
        units.extend(inst.kind.operands().into_iter().filter_map(operand));
        if let InstKind::Call { callee: Callee::Direct(callee), .. } = inst.kind {
            units.extend(function(callee));
        }
    }
    units.retain(|unit| program.sources.units.get(*unit).is_some());
    units
}

/// A path that does not depend on where the compiler runs.
fn rooted(path: &Path, build: &Build) -> PathBuf {
    let path = build.directory.as_ref().map_or_else(|| path.to_owned(), |directory| directory.join(path));
    std::fs::canonicalize(&path).unwrap_or(path)
}

/// The flags of a build, with directories that hold everywhere.
fn rooted_flags(build: &Build) -> Vec<String> {
    const WITH_PATH: [&str; 7] = ["-I", "-iquote", "-isystem", "-idirafter", "-include", "-imacros", "-L"];
    let mut flags = Vec::new();
    let mut is_path = false;
    for flag in &build.flags {
        let joined = WITH_PATH.iter().find_map(|start| Some((start, flag.strip_prefix(start)?)));
        flags.push(match joined {
            _ if is_path => rooted(Path::new(flag), build).display().to_string(),
            Some((start, path)) if !path.is_empty() => {
                format!("{start}{}", rooted(Path::new(path), build).display())
            }
            _ => flag.clone(),
        });
        is_path = !is_path && matches!(joined, Some((_, "")));
    }
    flags
}

#[cfg(test)]
mod tests {
    #[test]
    fn headers_of_other_libraries_are_told_apart() {
        for file in ["stdio.h", "x86_64-linux-gnu/bits/stdio2.h", "arpa/inet.h", "x86_64-linux-gnu/sys/stat.h"] {
            assert!(super::is_c_header(&format!("/usr/include/{file}")), "{file}");
        }
        for file in ["openssl/des.h", "x86_64-linux-gnu/openssl/conf.h", "zlib.h", "pcap/pcap.h"] {
            assert!(!super::is_c_header(&format!("/usr/include/{file}")), "{file}");
        }
    }
}
