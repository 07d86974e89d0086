//! Functions without a body: mocks that give what the running test says, call by call, and zero after that.
//!
//! A mock counts its calls, keeps the scalars it is called with for the test to look at, and writes behind its pointer
//! arguments what the test says. A mock of a function that does not return goes back to the test by `longjmp`. A
//! function of the C library keeps its name for everybody but the source under test, because the framework may need it.
//! The linker leads calls of a function with a body to its mock, which compilers must not see through.

mod body;
pub(super) mod parameter;

use super::{File, comment, macros, order};
use crate::Test;
use crate::pointer::Renamed;
use clew_analyze::reach::{Reach, reach};
use clew_execute::{Ending, PointerTarget, StubCall};
use clew_ir::{CALLBACK, CType, CTypeId, FunctionId, GlobalId, Program, Symbol};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A mock.
#[derive(Debug)]
pub(super) struct Mock {
    pub(super) function: FunctionId,
    /// What it is called here.
    pub(super) name: String,
    /// What it returns; `None` for `void`.
    pub(super) returns: Option<CTypeId>,
    /// How its calls are counted, unless the framework does.
    pub(super) count: Option<Count>,
    /// Where it keeps what it is called with.
    pub(super) log: Option<Log>,
    /// How tests tell it what to give.
    pub(super) feed: Feed,
    /// Whether it notes its calls where their order is asked for.
    pub(super) is_noted: bool,
}

/// The variables that count the calls of a mock.
#[derive(Debug)]
pub(super) struct Count {
    /// How many calls the test expects.
    pub(super) expected: String,
    /// How many there were.
    pub(super) calls: String,
}

/// The array of structures in which a mock keeps what it is called with.
#[derive(Debug)]
pub(super) struct Log {
    pub(super) name: String,
    /// The member for each parameter that is kept.
    pub(super) members: Vec<(usize, String)>,
}

/// How tests tell a mock what to give.
#[derive(Debug)]
pub(super) enum Feed {
    /// By the framework, with this template of a statement per value.
    Framework(&'static str),
    /// By variables that point to what it gives, call by call.
    Variables {
        /// To what it returns; empty for `void`.
        gives: String,
        /// Parameters through which some test has it write, each with the variable that points to what is written.
        writes: Vec<(usize, String)>,
        /// Variables that some test has it set, likewise.
        sets: Vec<(GlobalId, String)>,
    },
    /// By a variable that points to which of its calls fail.
    Failures(String),
    /// Not at all: it gives nothing.
    Nothing,
}

/// The names of functions of the test file that speak of the calls of all mocks, where there are several.
#[derive(Debug)]
pub(super) struct Calls {
    /// Expects no calls.
    pub(super) forget: String,
    /// Says whether all calls were made, and no others.
    pub(super) done: String,
}

impl Calls {
    fn new(file: &mut File<'_>) -> Option<Calls> {
        let several = file.mocks.iter().filter(|mock| mock.count.is_some()).count() > 1;
        let mut take = |name: &str| file.names.take(name);
        several.then(|| Calls { forget: take("expect_no_calls"), done: take("all_calls_were_made") })
    }

    /// Writes those of the functions that tests call.
    pub(super) fn write(&self, file: &File<'_>, tests: &str) -> String {
        let counts: Vec<&Count> = file.mocks.iter().filter_map(|mock| mock.count.as_ref()).collect();
        let Calls { forget, done } = self;
        let mut out = String::new();
        if tests.contains(&format!("{forget}()")) {
            let none = counts.iter().map(|Count { expected, calls }| format!("    {expected} = {calls} = 0;\n"));
            let none: String = none.collect();
            out = comment(&["Calls of all functions above that a test does not speak of.".to_owned()]);
            let _ = writeln!(out, "static void {forget}(void)\n{{\n{none}}}");
        }
        if tests.contains(&format!("{done}()")) {
            let all = counts.iter().map(|Count { expected, calls }| format!("{calls} == {expected}"));
            let all = all.collect::<Vec<_>>().join("\n        && ");
            let _ = writeln!(out, "\nstatic int {done}(void)\n{{\n    return {all};\n}}");
        }
        out
    }
}

/// The functions that tests of a function need mocks for: every one some test answers, every one made for a pointer of the
/// input to lead to, and those whose address is taken: it is not null.
pub(super) fn needed(program: &Program, tests: &[Test], reached: &Reach) -> BTreeSet<FunctionId> {
    let calls = tests.iter().flat_map(|test| &test.input.stubs);
    // An allocation that never fails needs no mock.
    let answers = |call: &&StubCall| !call.is_allocation || call.result.bytes == [1];
    let mut functions: BTreeSet<FunctionId> = calls.filter(answers).map(|call| call.function).collect();
    functions.extend(callbacks(program, tests));
    functions.extend(named(program, reached));
    functions.extend(left_out(program, reached));
    functions.extend(labels(program, reached));
    functions
}

/// Writes the mocks that tests of some function need.
pub(super) fn write(file: &mut File<'_>) {
    let calls = || file.suite.tests().flat_map(|test| &test.input.stubs);
    let functions: BTreeSet<FunctionId> = file.subjects.iter().flat_map(|subject| &subject.mocked).copied().collect();
    let is_behind = |call: &StubCall, position: usize| position != parameters(file.suite.program, call.function);
    let writes = |call: &StubCall| call.outputs.iter().any(|(position, _)| is_behind(call, *position));
    if calls().any(|call| writes(call) || !call.globals.is_empty()) {
        file.written = file.names.take("written");
        let _ = writeln!(file.out, "\nstruct {} {{\n    const void *from;\n    unsigned long size;\n}};", file.written);
    }
    let endless = clew_execute::native::never_returns(file.suite.program);
    let program = file.suite.program;
    let assumes = |function: &FunctionId| clew_library::verifier::assumes(&program.functions[*function].name);
    let ends = file.suite.tests().any(|test| test.observation.ending == Ending::Stopped);
    if functions.iter().any(|function| endless.contains(function) || ends && assumes(function)) {
        file.stop = file.names.take("stop");
        let _ = writeln!(file.out, "\nstatic jmp_buf {};", file.stop);
    }
    if file.suite.call_order && functions.len() > 1 {
        file.order = Some(order::write(file));
    }
    for function in functions {
        let mock = body::write(file, function, endless.contains(&function));
        file.mocks.extend(mock);
    }
    file.calls = Calls::new(file);
}

/// What a mock with a name of its own is called.
fn mocked(original: &str) -> String {
    format!("mocked_{original}")
}

/// Functions with a body that was left out, as far as a function can come to them.
fn left_out(program: &Program, reached: &Reach) -> impl Iterator<Item = FunctionId> {
    reached.functions.iter().copied().filter(|id| program.functions[*id].is_left_out())
}

/// Marks of labels without a body, which nothing has to answer.
fn labels(program: &Program, reached: &Reach) -> impl Iterator<Item = FunctionId> {
    let is_label = |id: &FunctionId| {
        let function = &program.functions[*id];
        !function.is_defined() && clew_library::verifier::is_label(&function.name)
    };
    reached.functions.iter().copied().filter(is_label)
}

/// The flags by which the linker takes mocks for functions with a body.
pub fn linker_flags(program: &Program, functions: &[FunctionId]) -> Vec<String> {
    let reached = functions.iter().map(|function| reach(program, *function));
    let all: BTreeSet<FunctionId> =
        reached.flat_map(|reached| left_out(program, &reached).collect::<Vec<_>>()).collect();
    all.into_iter()
        .map(|id| &program.functions[id].name)
        .map(|name| format!("-Wl,--defsym={name}={}", mocked(name)))
        .collect()
}

/// How many parameters a function has.
pub(super) fn parameters(program: &Program, id: FunctionId) -> usize {
    match program.ctypes.get(program.functions[id].ty) {
        CType::Function { params, .. } => params.len(),
        _ => unreachable!("the type of a function is a function type"),
    }
}

/// The functions made for pointers of the input that some test passes.
fn callbacks(program: &Program, tests: &[Test]) -> BTreeSet<FunctionId> {
    let contents = tests.iter().flat_map(|test| test.input.contents());
    let pointed = contents.flat_map(|content| &content.pointers).filter_map(|pointer| match pointer.target {
        PointerTarget::Function(function) => Some(function),
        _ => None,
    });
    pointed.filter(|id| program.functions[*id].name.starts_with(CALLBACK)).collect()
}

/// Functions without a body whose address the function under test may take, those of the C library aside.
fn named(program: &Program, reached: &Reach) -> BTreeSet<FunctionId> {
    let in_code = reached.functions.iter().flat_map(|id| &program.functions[*id].mentions().functions).copied();
    let relocations = reached.globals.iter().flat_map(|id| &program.globals[*id].relocations);
    let in_data = relocations.filter_map(|relocation| match relocation.symbol {
        Symbol::Function(id) => Some(id),
        Symbol::Global(_) => None,
    });
    let is_open = |id: &FunctionId| {
        let function = &program.functions[*id];
        !function.is_defined() && !function.span.is_none() && !program.is_library(*id)
    };
    in_code.chain(in_data).filter(is_open).collect()
}

/// Gives mocked functions of the C library other names in the source that follows, and lets the linker choose what stands
/// for functions with a body. A name that the source itself ends or defines as a macro changes for the assembler only.
pub(super) fn rename(file: &File<'_>, out: &mut String) {
    for (id, mock) in renamed(file) {
        let function = &file.suite.program.functions[id];
        let _ = match function.is_left_out() {
            true => writeln!(out, "#pragma weak {}", function.name),
            false if is_changed(file, id) => writeln!(out, "#pragma redefine_extname {} {mock}", function.name),
            false => writeln!(out, "#define {} {mock}", function.name),
        };
    }
}

/// The flags that keep compilers from knowing better what a mock does that has its name for the assembler only.
pub(super) fn flags(file: &File<'_>) -> Vec<String> {
    let known = renamed(file).into_keys().filter(|id| is_changed(file, *id));
    known.map(|id| format!("-fno-builtin-{}", file.suite.program.functions[id].name)).collect()
}

/// Whether the source defines a macro with the name of a function, or ends it.
fn is_changed(file: &File<'_>, id: FunctionId) -> bool {
    let program = file.suite.program;
    program.is_library(id) && macros::is_changed(file, &program.functions[id].name)
}

/// What the real function is called in the test file.
fn real(file: &File<'_>, id: FunctionId) -> String {
    let name = &file.suite.program.functions[id].name;
    if is_changed(file, id) { format!("real_{name}") } else { name.clone() }
}

/// Whether structures, or members of them, have the name of a function: a macro of that name then stays in force for them.
fn is_name_of_data(program: &Program, name: &str) -> bool {
    let mut records = program.ctypes.records.values();
    records.any(|record| record.tag.as_deref() == Some(name) || record.fields.iter().any(|field| field.name == name))
}

/// Ends what [`rename`] began, and declares the real functions that the test file calls itself.
pub(super) fn rename_no_more(file: &File<'_>, out: &mut String, texts: &[&str]) {
    let program = file.suite.program;
    let endless = clew_execute::native::never_returns(program);
    for id in renamed(file).into_keys().filter(|id| !program.functions[*id].is_left_out()) {
        let (name, real) = (&program.functions[id].name, real(file, id));
        let is_called = texts.iter().any(|text| calls(text, &real));
        let is_macro = *name == real;
        if is_macro && (is_called || !is_name_of_data(program, name)) {
            let _ = writeln!(out, "#undef {name}");
        }
        if is_called && let Some(head) = body::head(file, id, &real) {
            let attribute = if endless.contains(&id) { " __attribute__((noreturn))" } else { "" };
            let label = if is_macro { String::new() } else { format!(" __asm__(\"{name}\")") };
            let _ = writeln!(out, "extern {head}{label}{attribute};");
        }
    }
}

/// Whether a text calls a function by its very name; what comments say is none of its calls.
fn calls(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_comment = |at: usize| text[..at].rfind("/*").is_some_and(|start| !text[start..at].contains("*/"));
    let call = format!("{name}(");
    text.match_indices(&call).any(|(at, _)| !text[..at].ends_with(is_word) && !is_comment(at))
}

/// The mocks that have another name than what they stand for.
pub(super) fn renamed(file: &File<'_>) -> Renamed {
    let is_renamed = |mock: &&Mock| file.suite.program.functions[mock.function].name != mock.name;
    file.mocks.iter().filter(is_renamed).map(|mock| (mock.function, mock.name.clone())).collect()
}
