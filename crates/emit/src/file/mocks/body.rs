//! One mock as C.

use super::{Count, Feed, Log, Mock, parameter};
use crate::expectation::expectation;
use crate::file::{File, comment};
use crate::framework::fill;
use crate::{Test, spell};
use clew_ir::{CType, CTypeId, FunctionId, GlobalId, Program};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Writes one mock; `None` where a type has no spelling, which the compiler will say.
pub(super) fn write(file: &mut File<'_>, id: FunctionId, endless: bool) -> Option<Mock> {
    let program = file.suite.program;
    let original = &program.functions[id].name;
    let mut calls = file.suite.tests().flat_map(|test| &test.input.stubs);
    let allocates = calls.any(|call| call.function == id && call.is_allocation);
    // One that allocates calls the real function.
    let keeps_name = !program.is_library(id) && !program.functions[id].is_left_out() && !allocates;
    let name = if keeps_name { original.clone() } else { file.names.take(&super::mocked(original)) };
    let CType::Function { returns, .. } = program.ctypes.get(program.functions[id].ty) else { return None };
    let returns = spell::unqualified(&program.ctypes, *returns);
    let returns = (!matches!(program.ctypes.get(returns), CType::Void)).then_some(returns);
    let params = parameter::names(file, id);
    let head = head(file, id, &name)?;
    let mut mock = Mock { function: id, name, returns, count: None, log: None, feed: Feed::Nothing, is_noted: false };
    file.out.push_str(&comment(&[format!("Stands in for {original}.")]));
    let is_label = clew_library::verifier::is_label(original) && returns.is_none();
    if endless || is_label {
        let unused: String = params.iter().map(|param| format!("    (void){param};\n")).collect();
        let unused = unused + &unused_undeclared(program, id, &BTreeSet::new());
        let jump = if is_label { String::new() } else { format!("    longjmp({}, 1);\n", file.stop) };
        let _ = writeln!(file.out, "{head}\n{{\n{unused}{jump}}}");
        return Some(mock);
    }
    if allocates {
        allocation(file, &mut mock, &head, &params);
    } else {
        answering(file, &mut mock, &head, &params)?;
    }
    Some(mock)
}

/// The first line of a function.
pub(super) fn head(file: &File<'_>, id: FunctionId, name: &str) -> Option<String> {
    let program = file.suite.program;
    let CType::Function { returns, params, variadic } = program.ctypes.get(program.functions[id].ty) else {
        return None;
    };
    let names = parameter::names(file, id);
    let declared = params.iter().zip(names.iter().zip(parameter::dimensions(file, id)));
    let declared = declared.map(|(param, (name, dimension))| match (program.ctypes.get(*param), dimension) {
        (CType::Pointer(to), Some(dimension)) if !program.ctypes.is_va_list_record(*to) => {
            spell::declare(&program.ctypes, *to, &format!("{name}{dimension}"))
        }
        _ => spell::parameter(&program.ctypes, *param, name),
    });
    let declared = declared.collect::<Option<Vec<String>>>()?;
    let declared = match (declared.is_empty(), variadic) {
        (true, true) => {
            let given = undeclared(program, id).map(|position| format!("void *given_{position}"));
            given.collect::<Vec<_>>().join(", ")
        }
        (true, false) => "void".to_owned(),
        (false, true) => declared.join(", ") + ", ...",
        (false, false) => declared.join(", "),
    };
    spell::declare(&program.ctypes, *returns, &format!("{name}({declared})"))
}

/// The positions of the arguments of a function without a prototype, as far as tests may have it write behind them.
fn undeclared(program: &Program, id: FunctionId) -> impl Iterator<Item = usize> {
    let CType::Function { params, .. } = program.ctypes.get(program.functions[id].ty) else {
        unreachable!("the type of a function is a function type")
    };
    let count = if params.is_empty() { clew_execute::native::extra_places(program, id) } else { 0 };
    1..=count
}

/// Statements that use those of them behind which no test has the function write.
fn unused_undeclared(program: &Program, id: FunctionId, written: &BTreeSet<usize>) -> String {
    let unused = undeclared(program, id).filter(|position| !written.contains(position));
    unused.map(|position| format!("    (void)given_{position};\n")).collect()
}

/// Variables that count the calls of a mock.
fn count(file: &mut File<'_>, name: &str) -> Count {
    let mut take = |what: &str| file.names.take(&format!("{name}_{what}"));
    let count = Count { expected: take("expected"), calls: take("calls") };
    let _ = writeln!(file.out, "static int {}, {};", count.expected, count.calls);
    count
}

/// Writes a mock of a function that allocates: it does, unless the test says that it fails.
fn allocation(file: &mut File<'_>, mock: &mut Mock, head: &str, params: &[String]) {
    let Count { expected, calls } = mock.count.insert(count(file, &mock.name));
    let fails = file.names.take(&format!("{}_fails", mock.name));
    let real = super::real(file, mock.function);
    let real = format!("{real}({})", params.join(", "));
    let _ = writeln!(file.out, "static const unsigned char *{fails};\n\n{head}\n{{\n    int call = {calls}++;");
    let _ = writeln!(file.out, "    return call < {expected} && {fails}[call] ? NULL : {real};\n}}");
    mock.feed = Feed::Failures(fails);
}

/// Writes a mock that gives what the test says.
fn answering(file: &mut File<'_>, mock: &mut Mock, head: &str, params: &[String]) -> Option<()> {
    let ctypes = &file.suite.program.ctypes;
    let written = written_params(file, mock.function);
    let set = set_globals(file, mock.function);
    // What a test queues must be taken in its own process.
    let forks = file.suite.tests().any(|test| expectation(test).condition().is_some());
    let framework = file.dialect.mock().filter(|_| written.is_empty() && set.is_empty() && !forks);
    let framework = framework.zip(mock.returns.filter(|returns| is_integer(file, *returns)));
    let mut body = String::new();
    // What it gives, and what after the last call that is expected.
    let (mut result, mut zero) = (String::new(), String::new());
    if let Some(([gives, queue], returns)) = framework {
        result = fill(gives, &[("type", &spell::declare(ctypes, returns, "")?)]);
        zero.clone_from(&result);
        mock.feed = Feed::Framework(queue);
    } else if let Some(returns) = mock.returns {
        let gives = file.names.take(&format!("{}_gives", mock.name));
        let _ = writeln!(file.out, "static {};", spell::declare(ctypes, returns, &format!("*{gives}"))?);
        let _ = writeln!(body, "    static {};", spell::declare(ctypes, returns, "zero")?);
        (result, zero) = (format!("{gives}[call]"), "zero".to_owned());
        mock.feed = Feed::Variables { gives, writes: Vec::new(), sets: Vec::new() };
    }
    let statements = keep(file, mock, params)? + &writes(file, mock, params, &written, &set);
    body.push_str(&unused_undeclared(file.suite.program, mock.function, &written));
    let ends =
        !file.stop.is_empty() && clew_library::verifier::assumes(&file.suite.program.functions[mock.function].name);
    let condition = params.first().filter(|_| ends);
    let kept = mock.log.iter().flat_map(|log| &log.members).map(|(position, _)| *position);
    let used: BTreeSet<usize> = kept.chain(written).chain(condition.map(|_| 0)).collect();
    for (_, unused) in params.iter().enumerate().filter(|(position, _)| !used.contains(position)) {
        let _ = writeln!(body, "    (void){unused};");
    }
    if framework.is_none() || !statements.is_empty() {
        let Count { expected, calls } = mock.count.insert(count(file, &mock.name));
        if mock.returns.is_none() && statements.is_empty() && file.order.is_none() {
            let _ = writeln!(body, "    {calls}++;");
        } else {
            let _ = writeln!(body, "    int call = {calls}++;\n    if (call >= {expected})\n        return {zero};");
        }
    }
    if let Some(order) = &file.order {
        mock.is_noted = true;
        let _ = writeln!(body, "    {}(\"{}\");", order.note, file.suite.program.functions[mock.function].name);
    }
    body.push_str(&statements);
    if let Some(condition) = condition {
        let _ = writeln!(body, "    if (!{condition})\n        longjmp({}, 1);", file.stop);
    }
    if mock.returns.is_some() {
        let _ = writeln!(body, "    return {result};");
    }
    let _ = writeln!(file.out, "\n{head}\n{{\n{}}}", body.replace("return ;", "return;"));
    Some(())
}

fn is_integer(file: &File<'_>, ty: CTypeId) -> bool {
    matches!(file.suite.program.ctypes.get(ty), CType::Int { width: ..=64, .. } | CType::Bool | CType::Enum { .. })
}

/// Statements that keep what a call is made with: the scalars that some execution noted.
fn keep(file: &mut File<'_>, mock: &mut Mock, params: &[String]) -> Option<String> {
    let program = file.suite.program;
    let CType::Function { params: types, .. } = program.ctypes.get(program.functions[mock.function].ty) else {
        return None;
    };
    // Of very many calls that a test expects, an execution notes only the first.
    let noted = |test: &Test| test.observation.calls.iter().filter(|call| call.function == mock.function).count();
    let expected = |test: &Test| test.input.stubs.iter().filter(|call| call.function == mock.function).count();
    let most = file.suite.tests().map(|test| noted(test).max(expected(test))).max().unwrap_or(0);
    let mut noted = file.suite.tests().flat_map(|test| &test.observation.calls);
    let noted = noted.find(|call| call.function == mock.function).map(|call| &call.arguments);
    let members: Vec<(usize, String)> =
        noted.into_iter().flatten().map(|(position, _)| (*position, params[*position].clone())).collect();
    if members.is_empty() {
        return Some(String::new());
    }
    let name = file.names.take(&format!("{}_called", mock.name));
    file.out.push_str("static struct {\n");
    let mut statements = String::new();
    for (position, member) in &members {
        let ty = spell::unqualified(&program.ctypes, types[*position]);
        let _ = writeln!(file.out, "    {};", spell::declare(&program.ctypes, ty, member)?);
        let _ = writeln!(statements, "    {name}[call].{member} = {member};");
    }
    let _ = writeln!(file.out, "}} {name}[{most}];");
    mock.log = Some(Log { name, members });
    Some(statements)
}

/// Parameters through which some test has a function write.
fn written_params(file: &File<'_>, id: FunctionId) -> BTreeSet<usize> {
    let calls = file.suite.tests().flat_map(|test| &test.input.stubs).filter(|call| call.function == id);
    calls.flat_map(|call| &call.outputs).map(|(position, _)| *position).collect()
}

/// Variables that some test has a function set.
fn set_globals(file: &File<'_>, id: FunctionId) -> BTreeSet<GlobalId> {
    let calls = file.suite.tests().flat_map(|test| &test.input.stubs).filter(|call| call.function == id);
    calls.flat_map(|call| &call.globals).map(|(global, _)| *global).collect()
}

/// Statements that write behind arguments, and to variables, what the test says.
fn writes(
    file: &mut File<'_>,
    mock: &mut Mock,
    params: &[String],
    written: &BTreeSet<usize>,
    set: &BTreeSet<GlobalId>,
) -> String {
    let mut statements = further(written, params);
    let mut variables = Vec::new();
    for &position in written {
        if position == params.len() {
            let variable = file.names.take(&format!("{}_sets_errno", mock.name));
            let _ = writeln!(file.out, "static const int *{variable};");
            let _ = writeln!(statements, "    errno = {variable}[call];");
            variables.push((position, variable));
            continue;
        }
        let place = params.get(position).cloned().unwrap_or_else(|| format!("given_{position}"));
        let variable = copied(file, &format!("{}_writes_{place}", mock.name), &place, &mut statements);
        variables.push((position, variable));
    }
    let mut globals = Vec::new();
    for &global in set {
        let name = &file.suite.program.globals[global].name;
        let (wish, place) = (format!("{}_sets_{name}", mock.name), format!("(void *)&{name}"));
        globals.push((global, copied(file, &wish, &place, &mut statements)));
    }
    match &mut mock.feed {
        Feed::Variables { writes, sets, .. } => (*writes, *sets) = (variables, globals),
        feed if !variables.is_empty() || !globals.is_empty() => {
            *feed = Feed::Variables { gives: String::new(), writes: variables, sets: globals };
        }
        _ => {}
    }
    statements
}

/// Declares a variable that points to what is written to a place call by call, and adds the statement that writes it.
fn copied(file: &mut File<'_>, wish: &str, place: &str, statements: &mut String) -> String {
    let variable = file.names.take(wish);
    let _ = writeln!(file.out, "static const struct {} *{variable};", file.written);
    let _ = writeln!(statements, "    __builtin_memcpy({place}, {variable}[call].from, {variable}[call].size);");
    variable
}

/// Statements that fetch the arguments after the parameters, as far as some test has the function write behind them.
fn further(written: &BTreeSet<usize>, params: &[String]) -> String {
    let Some(last) = written.last().filter(|last| **last > params.len()) else { return String::new() };
    // Without a prototype they are parameters.
    let Some(param) = params.last() else { return String::new() };
    let mut text = "    __builtin_va_list further;\n".to_owned();
    let _ = writeln!(text, "    __builtin_va_start(further, {param});");
    for position in params.len() + 1..=*last {
        let _ = writeln!(text, "    void *given_{position} = __builtin_va_arg(further, void *);");
        if !written.contains(&position) {
            let _ = writeln!(text, "    (void)given_{position};");
        }
    }
    text + "    __builtin_va_end(further);\n"
}
