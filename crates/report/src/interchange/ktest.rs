//! Test inputs as KLEE's `.ktest` files, version 3: what `ktest-tool` shows and `klee-replay` runs.
//!
//! Each file holds one test: its arguments, globals, objects and what functions without a body returned, as named bytes.
//! All numbers are big-endian.

use super::{File, Report, expressible};
use clew_execute::{Content, Input};
use clew_ir::{FunctionId, ParamKind, Program};
use clew_session::output::MARK;

const VERSION: u32 = 3;

/// A file per test.
pub(super) fn files(report: &Report<'_>) -> Vec<File> {
    let mut files = Vec::new();
    for subject in report.subjects {
        for test in expressible(subject) {
            let path = format!("ktest/test{:06}.ktest", files.len() + 1);
            files.push(File { path, content: image(report.program, subject.function, &test.explored.input) });
        }
    }
    files
}

fn image(program: &Program, function: FunctionId, input: &Input) -> Vec<u8> {
    let mut out = b"KTEST".to_vec();
    number(&mut out, VERSION);
    // The arguments of the program: its name, which carries the mark.
    number(&mut out, 1);
    bytes(&mut out, format!("{MARK}: {}", program.functions[function].name).as_bytes());
    // Symbolic arguments: none.
    number(&mut out, 0);
    number(&mut out, 0);
    let objects = objects(program, function, input);
    number(&mut out, objects.len() as u32);
    for (name, content) in objects {
        bytes(&mut out, name.as_bytes());
        bytes(&mut out, &content.bytes);
    }
    out
}

fn objects<'a>(program: &'a Program, function: FunctionId, input: &'a Input) -> Vec<(String, &'a Content)> {
    let params = program.functions[function].params.iter().filter(|param| param.kind != ParamKind::ReturnSlot);
    let arguments = params.zip(&input.arguments).map(|(param, content)| (param.name.clone(), content));
    let globals = input.globals.iter().map(|(global, content)| (program.globals[*global].name.clone(), content));
    let objects = input.objects.iter().map(|object| (format!("*{}", object.name), &object.content));
    let stubs = input.stubs.iter().filter(|call| !call.result.bytes.is_empty() && !call.is_allocation);
    let stubs = stubs.map(|call| (program.functions[call.function].name.clone(), &call.result));
    arguments.chain(globals).chain(objects).chain(stubs).collect()
}

fn number(out: &mut Vec<u8>, value: u32) {
    out.extend(value.to_be_bytes());
}

fn bytes(out: &mut Vec<u8>, value: &[u8]) {
    number(out, value.len() as u32);
    out.extend(value);
}
