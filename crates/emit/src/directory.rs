//! A directory of test code: a test file for each source file or function, what builds and runs them, and how the sources
//! are named from there.
//!
//! One framework has the directory to itself; several have a directory each.

use crate::verify::{TestProgram, Written};
use crate::{Framework, MARK, Subject, Suite, Test, file, findings, identifier, joined, kept, project};
use clew_execute::Input;
use clew_execute::native::{is_missing, own_flags, readings};
use clew_frontend::{Build, Loaded};
use clew_ir::{Callee, FunctionId, GlobalId, InstKind, Operand, Program, Symbol, UnitId};
pub use clew_session::output::named_from;
use clew_session::output::{self, WriteError};
use clew_session::suite::told::Told;
use clew_session::test::Tested;
use clew_session::{self as session, Outcome, Replayed};
use clew_symbolic::ending::PathEnd;
use clew_symbolic::stub;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What shares a test program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Binary {
    /// The tests of one function.
    Function,
    /// Those of all functions of a source file.
    #[default]
    File,
    /// Those of all files: their programs become one besides.
    Project,
}

/// How test code is laid out.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The frameworks it is written for.
    pub frameworks: Vec<Framework>,
    /// What shares a test program.
    pub binary: Binary,
    /// Whether tests say in which order functions without a body are called.
    pub call_order: bool,
    /// Whether tests that were given have their code here, too, and not elsewhere.
    pub keeps_given: bool,
}

/// What test code is written of: the tests of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tests {
    /// The function.
    pub function: FunctionId,
    /// The globals of which the observations hold the bytes, in their order.
    pub observed: Vec<GlobalId>,
    /// Its tests, in the order in which they stand there.
    pub tests: Vec<Test>,
    /// Calls of it that are undefined.
    pub findings: Vec<Test>,
}

impl Tests {
    /// Those of a function that was tested, perhaps without tests that were given; `None` if nothing came of it.
    pub fn of(program: &Program, tested: &Tested<'_>, keeps_given: bool) -> Option<Tests> {
        let outcome = tested.result.as_ref().ok()?;
        Some(Tests {
            function: tested.function,
            observed: outcome.observed.clone(),
            tests: own_tests(tested, outcome, keeps_given),
            findings: findings::tests(program, tested.function, outcome),
        })
    }

    fn subject(&self) -> Subject<'_> {
        Subject { function: self.function, observed: &self.observed, tests: &self.tests }
    }
}

/// The files that [`write()`] makes for some functions.
pub fn files(program: &Program, functions: &[FunctionId], layout: &Layout, out: &Path) -> Vec<PathBuf> {
    let Layout { frameworks, binary, .. } = layout;
    let binary = *binary;
    let several = frameworks.iter().collect::<BTreeSet<_>>().len() > 1;
    let places = frameworks.iter().map(|framework| if several { out.join(framework.name()) } else { out.to_owned() });
    let groups = group(program, functions.to_vec(), |function| *function, binary);
    let mut files = vec![out.join("Makefile")];
    for place in places {
        files.extend(["Makefile", "CMakeLists.txt"].map(|name| place.join(name)));
        let stems = groups.iter().flat_map(|(name, _)| [file::stem(name), findings::stem(name)]);
        files.extend(stems.map(|stem| place.join(format!("{stem}.c"))));
    }
    files
}

/// What shares a program, with the name of that: functions of a source file, or each function by itself.
fn group<T>(
    program: &Program,
    all: Vec<T>,
    function: impl Fn(&T) -> FunctionId,
    binary: Binary,
) -> Vec<(String, Vec<T>)> {
    let mut groups: Vec<(String, Vec<T>)> = Vec::new();
    for one in all {
        let tested = &program.functions[function(&one)];
        let name = match binary {
            Binary::Function => tested.name.clone(),
            Binary::File | Binary::Project => unit_name(program, tested.span.unit),
        };
        match groups.iter_mut().find(|(other, _)| *other == name && binary != Binary::Function) {
            Some((_, members)) => members.push(one),
            None => groups.push((name, vec![one])),
        }
    }
    groups
}

/// Takes away generated test code that nothing builds any more, unless somebody has worked on it.
fn clear(directory: &Path, names: &BTreeSet<String>) {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_code = [".c", ".cpp", ".h"].iter().any(|end| name.ends_with(end))
            && ["test_", "findings_"].iter().any(|start| name.starts_with(start));
        let is_build = ["Makefile", "CMakeLists.txt"].contains(&name.as_str());
        let text = if is_code || is_build { std::fs::read_to_string(&path) } else { continue };
        let is_ours = |text: &String| text.lines().next().is_some_and(|line| line.contains(MARK));
        if !names.contains(&name) && text.is_ok_and(|text| is_ours(&text) && kept::is_as_written(&text)) {
            // What stays is in nobody's way.
            let _ = std::fs::remove_file(&path);
        }
    }
}

/// Takes away the test code that a function had in its directory, for it shares that of its file.
pub fn clear_all(directory: &Path) {
    let none = BTreeSet::new();
    clear(directory, &none);
    Framework::ALL.iter().for_each(|framework| clear(&directory.join(framework.name()), &none));
}

/// Whether a program of a directory where each function has one is that of a function.
pub fn is_of(program: &str, function: &str) -> bool {
    let rest = program.strip_prefix(&file::stem(function));
    // Long ones are several, with numbers.
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('_').is_some_and(|it| it.parse::<u32>().is_ok()))
}

/// What a source file is called in the names of its tests: its name without extension, and that of its folder where
/// another file has the same.
fn unit_name(program: &Program, unit: UnitId) -> String {
    let units = &program.sources.units;
    let stem = |unit: UnitId| {
        let path = Path::new(&units[unit].path);
        identifier(&path.file_stem().unwrap_or_default().to_string_lossy())
    };
    let is_alone = units.ids().filter(|other| stem(*other) == stem(unit)).count() == 1;
    let folder = Path::new(&units[unit].path).parent().and_then(Path::file_name);
    match folder.filter(|_| !is_alone) {
        Some(folder) => format!("{}_{}", identifier(&folder.to_string_lossy()), stem(unit)),
        None => stem(unit),
    }
}

/// Writes the test code for every framework; gives the directories that there are tests in.
///
/// # Errors
/// When a file is not ours or the system refuses.
pub fn write(loaded: &Loaded, all: &[Tests], layout: &Layout, out: &Path) -> Result<Vec<Written>, WriteError> {
    let frameworks: BTreeSet<Framework> = layout.frameworks.iter().copied().collect();
    let frameworks: Vec<Framework> = frameworks.into_iter().collect();
    if let [framework] = frameworks.as_slice() {
        return Ok(vec![framework_code(loaded, all, (*framework, true), layout, out)?]);
    }
    let mut written = Vec::new();
    for (at, framework) in frameworks.iter().enumerate() {
        // Findings need no framework: they stand beside the tests for the first one.
        let directory = out.join(framework.name());
        written.push(framework_code(loaded, all, (*framework, at == 0), layout, &directory)?);
    }
    output::write(&out.join("Makefile"), project::makefile_of(&frameworks) + project::INCLUDE)?;
    Ok(written)
}

fn framework_code(
    loaded: &Loaded,
    all: &[Tests],
    (framework, has_findings): (Framework, bool),
    layout: &Layout,
    directory: &Path,
) -> Result<Written, WriteError> {
    std::fs::create_dir_all(directory).map_err(|error| WriteError::Io(directory.to_owned(), error))?;
    let (mut targets, mut programs, mut undefined) = (Vec::new(), Vec::new(), Vec::new());
    for (name, all) in group(&loaded.program, all.iter().collect(), |tests| tests.function, layout.binary) {
        if has_findings {
            undefined.extend(findings::write(loaded, &name, &all, directory)?);
        }
        let subjects = all.iter().filter(|tests| !tests.tests.is_empty()).map(|tests| tests.subject());
        let subjects: Vec<Subject<'_>> = subjects.collect();
        if !subjects.is_empty() {
            for (target, program) in code(loaded, (&name, &subjects), (framework, layout.call_order), directory)? {
                targets.push(target);
                programs.push(program);
            }
        }
    }
    let is_joined = layout.binary == Binary::Project && joined::can_be_joined(framework);
    let parts = if is_joined { joined::parts(&targets) + project::INCLUDE } else { String::new() };
    output::write(
        &directory.join("Makefile"),
        project::makefile(framework, &targets) + &project::findings(&undefined) + &parts,
    )?;
    output::write(&directory.join("CMakeLists.txt"), project::cmake(framework, &targets))?;
    let all = targets.iter().chain(&undefined);
    let written = all.flat_map(|target| {
        ["c", "cpp"].map(|end| format!("{}.{end}", target.stem)).into_iter().chain(target.depends.clone())
    });
    clear(directory, &written.chain(["Makefile", "CMakeLists.txt"].map(str::to_owned)).collect());
    let is_strict = targets.iter().flat_map(|target| &target.flags).any(|flag| flag.starts_with("-Werror"));
    Ok(Written { directory: directory.to_owned(), framework, programs, is_strict })
}

/// The tests of a function in the order of their places, perhaps without those that were given.
fn own_tests(tested: &Tested<'_>, outcome: &Outcome<'_>, keeps_given: bool) -> Vec<Test> {
    let all = tests(outcome, &tested.told).into_iter().zip(&outcome.tests).zip(&tested.told);
    let own = all.filter(|((_, test), _)| keeps_given || !test.explored.given);
    let mut own: Vec<(usize, Test)> = own.map(|((test, _), told)| (told.place, test)).collect();
    own.sort_by_key(|(place, _)| *place);
    // Inputs that were made small may have become the same. Few have the same bytes.
    let mut alike: BTreeMap<Vec<&[u8]>, Vec<&Input>> = BTreeMap::new();
    let mut keeps = Vec::new();
    for (_, Test { input, .. }) in &own {
        let others = alike.entry(input.contents().map(|content| content.bytes.as_slice()).collect()).or_default();
        keeps.push(!others.contains(&input));
        others.push(input);
    }
    own.into_iter().zip(keeps).filter_map(|((_, test), keeps)| keeps.then_some(test)).collect()
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
) -> Result<Vec<(project::Target, TestProgram)>, WriteError> {
    let name = &loaded.program.functions[function].name;
    code(loaded, (name, &[Subject { function, observed, tests }]), (framework, false), directory)
}

/// Writes the test files of functions of one source file, and says what builds them and what is built.
fn code(
    loaded: &Loaded,
    (name, subjects): (&str, &[Subject<'_>]),
    (framework, call_order): (Framework, bool),
    directory: &Path,
) -> Result<Vec<(project::Target, TestProgram)>, WriteError> {
    let program = &loaded.program;
    let unit = program.functions[subjects[0].function].span.unit;
    let source = source_named(loaded, unit, directory);
    let suite = Suite { program, unit, source: &source, subjects, call_order };
    let texts = file::texts(&suite, framework, name);
    let mut target = target(loaded, &suite, texts.flags, directory);
    if file::readings::are_needed(suite.tests()) {
        output::write(&directory.join(file::readings::HEADER), file::readings::header())?;
        let build = loaded.builds.get(unit.index()).and_then(Option::as_ref);
        target.hooks = readings::flags(program, &session::options(build)).unwrap_or_default();
    }
    if let Some(shared) = texts.shared {
        let header = format!("{}.h", file::stem(name));
        output::write(&directory.join(&header), shared)?;
        target.depends.push(header);
    }
    let mut built = Vec::new();
    for file::Part { stem, c, wrapper, tests, skipped } in texts.parts {
        let aside = kept::write(&directory.join(format!("{stem}.c")), &c)?;
        if let Some(wrapper) = wrapper {
            output::write(&directory.join(format!("{stem}.cpp")), wrapper)?;
        }
        let program = TestProgram { name: stem.clone(), tests, skipped, aside };
        built.push((project::Target { stem, ..target.clone() }, program));
    }
    Ok(built)
}

/// A source file, as a directory's files name it.
pub(crate) fn source_named(loaded: &Loaded, unit: UnitId, directory: &Path) -> String {
    named_from(directory, &source_file(loaded, unit))
}

/// What builds a file of tests; `further` are the flags that its text needs.
pub(crate) fn target(loaded: &Loaded, suite: &Suite<'_>, further: Vec<String>, directory: &Path) -> project::Target {
    let Suite { program, unit, subjects, .. } = *suite;
    let functions: Vec<FunctionId> = subjects.iter().map(|subject| subject.function).collect();
    let named = |unit: UnitId| named_from(directory, &source_file(loaded, unit));
    let build = loaded.builds.get(unit.index()).and_then(Option::as_ref);
    let flags = build.map_or_else(Vec::new, rooted_flags).into_iter();
    project::Target {
        stem: String::new(),
        compiler: build.map_or_else(|| vec!["cc".to_owned()], |build| build.compiler.clone()),
        flags: flags.chain(own_flags(program)).chain(further).collect(),
        hooks: Vec::new(),
        link_flags: leave_open(suite).into_iter().chain(file::linker_flags(program, &functions)).collect(),
        link: needed_units(program, unit).into_iter().map(named).collect(),
        depends: vec![named(unit)],
    }
}

/// The executed tests of a function, in the order in which they were found.
pub fn tests(outcome: &Outcome<'_>, told: &[Told]) -> Vec<Test> {
    let undefined = |end: &PathEnd| match end {
        PathEnd::Failed(failure) => Some(failure.what.clone()),
        _ => None,
    };
    let test = |(test, told): (&Replayed, &Told)| Test {
        name: told.name.clone(),
        lines: told.lines.clone(),
        undefined: undefined(&test.explored.end),
        addressed: test.explored.addressed,
        diverged: test.divergence.is_some(),
        input: test.explored.input.clone(),
        observation: test.observation.clone(),
    };
    outcome.tests.iter().zip(told).map(test).collect()
}

/// The flags without which the linker misses functions and variables that no test needs.
fn leave_open(suite: &Suite<'_>) -> Vec<String> {
    let program = suite.program;
    let mut missing = stub::unresolved(program);
    missing.retain(|id| !is_of_c_library(program, *id) && !program.functions[*id].is_left_out());
    for call in suite.tests().flat_map(|test| &test.input.stubs) {
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
