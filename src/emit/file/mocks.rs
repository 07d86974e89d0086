//! Functions without a body: mocks that give what the running test says, call by call, and zero after that.
//!
//! A mock writes behind its pointer arguments what the test says, too. A mock of a function that does not return goes
//! back to the test by `longjmp`. A function of the C library keeps its name for everybody but the source under test,
//! because the framework may need it.

use super::{File, comment};
use crate::emit::framework::fill;
use crate::emit::pointer::Renamed;
use crate::emit::spell;
use clew_analyze::reach::reach;
use clew_execute::{PointerTarget, StubCall};
use clew_ir::{CALLBACK, CType, CTypeId, FunctionId, Operand, Program, Symbol};
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
    /// How tests tell it what to give.
    pub(super) feed: Feed,
}

/// How tests tell a mock what to give.
#[derive(Debug)]
pub(super) enum Feed {
    /// By the framework, with this template of a statement per value.
    Framework(&'static str),
    /// By variables.
    Variables {
        /// Points to what it gives next; empty for `void`.
        next: String,
        /// Counts the calls that are left to answer.
        left: String,
        /// Parameters through which some test has it write, each with the variable that points to what comes next.
        writes: Vec<(usize, String)>,
    },
    /// By variables, which of its calls fail.
    Failures {
        /// Points to whether the next call fails.
        fails: String,
        /// Counts the calls that are left to answer.
        left: String,
    },
    /// Not at all: it gives nothing.
    Nothing,
}

impl Mock {
    /// The variable that counts the calls that are left to answer, if there is one.
    pub(super) fn left(&self) -> Option<&str> {
        match &self.feed {
            Feed::Variables { left, .. } | Feed::Failures { left, .. } => Some(left),
            Feed::Framework(_) | Feed::Nothing => None,
        }
    }
}

/// Functions of the test file that speak of the calls of all mocks, where there are several.
#[derive(Debug)]
pub(super) struct Calls {
    /// Expects no calls.
    pub(super) forget: String,
    /// Says whether all calls were made, and no others.
    pub(super) done: String,
}

/// Writes what speaks of the calls of all mocks, if there are several.
fn all_calls(file: &mut File<'_>) -> Option<Calls> {
    let left: Vec<&str> = file.mocks.iter().filter_map(Mock::left).collect();
    if left.len() < 2 {
        return None;
    }
    let none: String = left.iter().map(|left| format!("    {left} = 0;\n")).collect();
    let all = left.iter().map(|left| format!("{left} == 0")).collect::<Vec<_>>().join("\n        && ");
    let calls = Calls { forget: file.names.take("expect_no_calls"), done: file.names.take("all_calls_were_made") };
    let Calls { forget, done } = &calls;
    file.out.push_str(&comment(&["Calls of all functions above that a test does not speak of.".to_owned()]));
    let _ = writeln!(
        file.out,
        "static void {forget}(void)\n{{\n{none}}}\n\nstatic int {done}(void)\n{{\n    return {all};\n}}"
    );
    Some(calls)
}

/// Writes a mock for every function some test answers, for every one made for a pointer of the input to lead to, and for
/// those whose address is taken: it is not null.
pub(super) fn write(file: &mut File<'_>) {
    let calls = || file.suite.tests.iter().flat_map(|test| &test.input.stubs);
    // An allocation that never fails needs no mock.
    let answers = |call: &&StubCall| !call.is_allocation || call.result.bytes == [1];
    let mut functions: BTreeSet<FunctionId> = calls().filter(answers).map(|call| call.function).collect();
    functions.extend(callbacks(file));
    functions.extend(named(file));
    let is_behind = |call: &StubCall, position: usize| position != parameters(file.suite.program, call.function);
    if calls().any(|call| call.outputs.iter().any(|(position, _)| is_behind(call, *position))) {
        file.written = file.names.take("written");
        let _ = writeln!(file.out, "\nstruct {} {{\n    const void *from;\n    unsigned long size;\n}};", file.written);
    }
    let endless = clew_execute::native::never_returns(file.suite.program);
    if functions.iter().any(|function| endless.contains(function)) {
        file.stop = file.names.take("stop");
        let _ = writeln!(file.out, "\nstatic jmp_buf {};", file.stop);
    }
    for function in functions {
        let mock = mock(file, function, endless.contains(&function));
        file.mocks.extend(mock);
    }
    file.calls = all_calls(file);
}

/// How many parameters a function has.
pub(super) fn parameters(program: &Program, id: FunctionId) -> usize {
    match program.ctypes.get(program.functions[id].ty) {
        CType::Function { params, .. } => params.len(),
        _ => unreachable!("the type of a function is a function type"),
    }
}

/// The functions made for pointers of the input that some test passes.
fn callbacks(file: &File<'_>) -> BTreeSet<FunctionId> {
    let program = file.suite.program;
    let contents = file.suite.tests.iter().flat_map(|test| {
        let input = &test.input;
        let globals = input.globals.iter().map(|(_, content)| content);
        let objects = input.objects.iter().map(|object| &object.content);
        let results = input.stubs.iter().map(|call| &call.result);
        let extra = input.extra.iter().map(|extra| &extra.content);
        input.arguments.iter().chain(extra).chain(globals).chain(objects).chain(results)
    });
    let pointed = contents.flat_map(|content| &content.pointers).filter_map(|pointer| match pointer.target {
        PointerTarget::Function(function) => Some(function),
        _ => None,
    });
    pointed.filter(|id| program.functions[*id].name.starts_with(CALLBACK)).collect()
}

/// Functions without a body whose address the function under test may take, those of the C library aside.
fn named(file: &File<'_>) -> BTreeSet<FunctionId> {
    let program = file.suite.program;
    let reached = reach(program, file.suite.function);
    let blocks = reached.functions.iter().flat_map(|id| program.functions[*id].blocks.values());
    let operands = blocks.flat_map(|block| &block.insts).flat_map(|inst| inst.kind.operands());
    let in_code = operands.filter_map(|operand| match operand {
        Operand::Function(id) => Some(id),
        _ => None,
    });
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

/// Gives mocked functions of the C library other names in the source that follows.
pub(super) fn rename(file: &File<'_>, out: &mut String) {
    for (function, mock) in renamed(file) {
        let _ = writeln!(out, "#define {} {mock}", file.suite.program.functions[function].name);
    }
}

/// Ends what [`rename`] began.
pub(super) fn rename_no_more(file: &File<'_>, out: &mut String) {
    for function in renamed(file).into_keys() {
        let _ = writeln!(out, "#undef {}", file.suite.program.functions[function].name);
    }
}

/// The mocks that have another name than what they stand for.
pub(super) fn renamed(file: &File<'_>) -> Renamed {
    let is_renamed = |mock: &&Mock| file.suite.program.functions[mock.function].name != mock.name;
    file.mocks.iter().filter(is_renamed).map(|mock| (mock.function, mock.name.clone())).collect()
}

/// Parameters through which some test has a function write.
fn written_params(file: &File<'_>, id: FunctionId) -> BTreeSet<usize> {
    let calls = file.suite.tests.iter().flat_map(|test| &test.input.stubs).filter(|call| call.function == id);
    calls.flat_map(|call| &call.outputs).map(|(position, _)| *position).collect()
}

/// Writes one mock; `None` where a type has no spelling, which the compiler will say.
fn mock(file: &mut File<'_>, id: FunctionId, endless: bool) -> Option<Mock> {
    let program = file.suite.program;
    let ctypes = &program.ctypes;
    let original = &program.functions[id].name;
    let name = if program.is_library(id) { file.names.take(&format!("mocked_{original}")) } else { original.clone() };
    let (head, unused) = head(file, id, &name)?;
    let CType::Function { returns, .. } = ctypes.get(program.functions[id].ty) else { return None };
    let returns = (!matches!(ctypes.get(*returns), CType::Void)).then(|| spell::unqualified(ctypes, *returns));
    file.out.push_str(&comment(&[format!("Stands in for {original}.")]));
    if endless {
        let _ = writeln!(file.out, "{head}\n{{\n{unused}    longjmp({}, 1);\n}}", file.stop);
        return Some(Mock { function: id, name, returns, feed: Feed::Nothing });
    }
    if file.suite.tests.iter().flat_map(|test| &test.input.stubs).any(|call| call.function == id && call.is_allocation)
    {
        let feed = allocation(file, id, &name, &head);
        return Some(Mock { function: id, name, returns, feed });
    }
    let writes = written_params(file, id);
    let feed = match (returns, file.dialect.mock()) {
        (None, _) if writes.is_empty() => {
            let _ = writeln!(file.out, "{head}\n{{\n{unused}}}");
            Feed::Nothing
        }
        (Some(returns), Some([gives, queue])) if writes.is_empty() && is_integer(file, returns) => {
            let gives = fill(gives, &[("type", &spell::declare(ctypes, returns, "")?)]);
            let _ = writeln!(file.out, "{head}\n{{\n{unused}    return {gives};\n}}");
            Feed::Framework(queue)
        }
        _ => by_variables(file, id, &name, returns, &writes, (&head, &unused))?,
    };
    Some(Mock { function: id, name, returns, feed })
}

fn is_integer(file: &File<'_>, ty: CTypeId) -> bool {
    matches!(file.suite.program.ctypes.get(ty), CType::Int { width: ..=64, .. } | CType::Bool | CType::Enum { .. })
}

/// The first line of a mock, and statements that use its parameters.
fn head(file: &File<'_>, id: FunctionId, name: &str) -> Option<(String, String)> {
    let program = file.suite.program;
    let CType::Function { returns, params, variadic } = program.ctypes.get(program.functions[id].ty) else {
        return None;
    };
    let (mut declared, mut unused) = (Vec::new(), String::new());
    for (index, param) in params.iter().enumerate() {
        declared.push(spell::parameter(&program.ctypes, *param, &format!("given_{index}"))?);
        let _ = writeln!(unused, "    (void)given_{index};");
    }
    let declared = match (declared.is_empty(), variadic) {
        (true, true) => String::new(),
        (true, false) => "void".to_owned(),
        (false, true) => declared.join(", ") + ", ...",
        (false, false) => declared.join(", "),
    };
    Some((spell::declare(&program.ctypes, *returns, &format!("{name}({declared})"))?, unused))
}

/// Writes a mock of a function that allocates: it does, unless the test says that it fails.
fn allocation(file: &mut File<'_>, id: FunctionId, name: &str, head: &str) -> Feed {
    let original = &file.suite.program.functions[id].name;
    if let Some((real, _)) = self::head(file, id, original) {
        let _ = writeln!(file.out, "extern {real};");
    }
    let (left, fails) = (file.names.take(&format!("{name}_left")), file.names.take(&format!("{name}_fails")));
    let passed: Vec<String> = (0..parameters(file.suite.program, id)).map(|index| format!("given_{index}")).collect();
    let real = format!("{original}({})", passed.join(", "));
    let _ = writeln!(file.out, "static int {left};\nstatic const unsigned char *{fails};\n\n{head}\n{{");
    let _ = writeln!(file.out, "    return {left}-- > 0 && *{fails}++ ? NULL : {real};\n}}");
    Feed::Failures { fails, left }
}

/// Statements that fetch the arguments after the parameters, as far as some test has the function write behind them.
fn further(written: &BTreeSet<usize>, params: usize) -> String {
    let Some(last) = written.last().filter(|last| **last > params) else { return String::new() };
    let mut text = format!("    __builtin_va_list given;\n    __builtin_va_start(given, given_{});\n", params - 1);
    for position in params + 1..=*last {
        let _ = writeln!(text, "    void *given_{position} = __builtin_va_arg(given, void *);");
        if !written.contains(&position) {
            let _ = writeln!(text, "    (void)given_{position};");
        }
    }
    text + "    __builtin_va_end(given);\n"
}

/// Writes a mock that variables tell what to give.
fn by_variables(
    file: &mut File<'_>,
    id: FunctionId,
    name: &str,
    returns: Option<CTypeId>,
    written: &BTreeSet<usize>,
    (head, unused): (&str, &str),
) -> Option<Feed> {
    let ctypes = &file.suite.program.ctypes;
    let params = parameters(file.suite.program, id);
    let left = file.names.take(&format!("{name}_left"));
    let (mut variables, mut body) = (format!("static int {left};\n"), unused.to_owned());
    let mut next = String::new();
    if let Some(returns) = returns {
        next = file.names.take(&format!("{name}_gives"));
        let _ = writeln!(variables, "static {};", spell::declare(ctypes, returns, &format!("*{next}"))?);
        body.insert_str(0, &format!("    static {};\n", spell::declare(ctypes, returns, "zero")?));
    }
    let mut writes = Vec::new();
    if !written.is_empty() {
        let zero = if returns.is_some() { " zero" } else { "" };
        let _ = writeln!(body, "    if ({left} <= 0)\n        return{zero};");
    }
    body.push_str(&further(written, params));
    for &param in written {
        let variable = if param != params {
            let variable = file.names.take(&format!("{name}_writes_{param}"));
            let _ = writeln!(variables, "static const struct {} *{variable};", file.written);
            let _ = writeln!(body, "    __builtin_memcpy(given_{param}, {variable}->from, {variable}->size);");
            let _ = writeln!(body, "    {variable}++;");
            variable
        } else {
            let variable = file.names.take(&format!("{name}_sets_errno"));
            let _ = writeln!(variables, "static const int *{variable};");
            let _ = writeln!(body, "    errno = *{variable}++;");
            variable
        };
        writes.push((param, variable));
    }
    match returns {
        Some(_) => {
            let _ = writeln!(body, "    return {left}-- > 0 ? *{next}++ : zero;");
        }
        None => {
            let _ = writeln!(body, "    {left}--;");
        }
    }
    let _ = writeln!(file.out, "{variables}\n{head}\n{{\n{body}}}");
    Some(Feed::Variables { next, left, writes })
}
