//! Tests as they are kept for test code that is written later, or again: beside those of functions that are tested then.
//!
//! `tests.json` has what test code is made of and nothing else: inputs, what was observed, names and comments. It is read
//! with the same program, or with a later version of it: then what tests name must still be there.

use crate::Test;
use crate::directory::Tests;
use clew_execute::{Call, Ending, Input, Observation, Unwritten};
use clew_ir::Program;
use clew_session::output::{self, MARK, WriteError};
use clew_session::suite::raw::{self, Raw, Reader, Target, Writer};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "tests.json";

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct Stored {
    generator: String,
    format: u32,
    functions: Vec<StoredTests>,
}

/// The tests of a function.
#[derive(Serialize, Deserialize)]
struct StoredTests {
    function: String,
    observed: Vec<String>,
    tests: Vec<StoredTest>,
    findings: Vec<StoredTest>,
}

#[derive(Serialize, Deserialize)]
struct StoredTest {
    name: String,
    lines: Vec<String>,
    undefined: Option<String>,
    addressed: bool,
    diverged: bool,
    input: Raw,
    /// What is known of an input besides what it is.
    known: Known,
    observed: Observed,
}

#[derive(Serialize, Deserialize)]
struct Known {
    leads: Vec<Vec<(usize, Target)>>,
    after: Option<Vec<(Target, Target)>>,
    places: Vec<(Target, u64)>,
    result: Vec<(u64, u64)>,
    freed: Vec<usize>,
}

#[derive(Serialize, Deserialize)]
struct Observed {
    ending: StoredEnding,
    result: String,
    /// Those that are not as they were given.
    objects: Vec<Option<String>>,
    globals: Vec<String>,
    objects_at: Vec<u64>,
    globals_at: Vec<u64>,
    calls: Vec<(String, Vec<(usize, String)>)>,
}

#[derive(Serialize, Deserialize)]
enum StoredEnding {
    Returned,
    Stopped,
    Exited(i32),
    Signalled(i32),
    TimedOut,
    Sanitizer(String),
}

/// Keeps the tests of functions in a directory.
///
/// # Errors
/// When the file is not ours or the system refuses.
pub fn write(program: &Program, all: &[Tests], directory: &Path) -> Result<(), WriteError> {
    let writer = Writer { program, is_numbered: true };
    let functions = all.iter().map(|tests| StoredTests {
        function: writer.function(tests.function),
        observed: tests.observed.iter().map(|id| writer.global(*id)).collect(),
        tests: tests.tests.iter().map(|test| stored(writer, test)).collect(),
        findings: tests.findings.iter().map(|test| stored(writer, test)).collect(),
    });
    let generator = format!("{MARK} {}", env!("CARGO_PKG_VERSION"));
    let whole = Stored { generator, format: 1, functions: functions.collect() };
    let text = serde_json::to_string(&whole).expect("tests are made of strings and numbers");
    output::write(&directory.join(FILE), text + "\n")
}

/// The tests that a directory keeps of functions that the program still has. Tests that do not fit it are left out.
pub fn read(program: &Program, directory: &Path) -> Vec<Tests> {
    let text = std::fs::read_to_string(directory.join(FILE)).unwrap_or_default();
    let Ok(whole) = serde_json::from_str::<Stored>(&text) else { return Vec::new() };
    let reader = Reader::new(program);
    whole.functions.iter().filter_map(|stored| tests(&reader, program, stored)).collect()
}

fn tests(reader: &Reader<'_>, program: &Program, stored: &StoredTests) -> Option<Tests> {
    let function = reader.function(&stored.function).filter(|id| program.functions[*id].is_defined())?;
    let all = |tests: &[StoredTest]| tests.iter().filter_map(|stored| test(reader, stored)).collect();
    Some(Tests {
        function,
        observed: stored.observed.iter().map(|name| reader.global(name)).collect::<Option<_>>()?,
        tests: all(&stored.tests),
        findings: all(&stored.findings),
    })
}

fn stored(writer: Writer<'_>, test: &Test) -> StoredTest {
    StoredTest {
        name: test.name.clone(),
        lines: test.lines.clone(),
        undefined: test.undefined.clone(),
        addressed: test.addressed,
        diverged: test.diverged,
        input: writer.input(&test.input),
        known: known(writer, &test.input),
        observed: observed(writer, test),
    }
}

fn known(writer: Writer<'_>, input: &Input) -> Known {
    let target = |place| writer.target(place);
    let leads = input.stubs.iter().map(|call| &call.leads);
    Known {
        leads: leads.map(|leads| leads.iter().map(|(position, to)| (*position, target(*to))).collect()).collect(),
        after: input.after.as_ref().map(|after| after.iter().map(|(at, to)| (target(*at), target(*to))).collect()),
        places: input.unwritten.places.iter().map(|(place, size)| (target(*place), *size)).collect(),
        result: input.unwritten.result.clone(),
        freed: input.freed.clone(),
    }
}

fn observed(writer: Writer<'_>, test: &Test) -> Observed {
    let Observation { ending, result, objects, globals, object_addresses, global_addresses, calls, .. } =
        &test.observation;
    let given = test.input.objects.iter().map(|object| &object.content.bytes);
    let call = |call: &Call| {
        let arguments = call.arguments.iter().map(|(position, bytes)| (*position, raw::hex(bytes)));
        (writer.function(call.function), arguments.collect())
    };
    Observed {
        ending: match ending {
            Ending::Returned => StoredEnding::Returned,
            Ending::Stopped => StoredEnding::Stopped,
            Ending::Exited(status) => StoredEnding::Exited(*status),
            Ending::Signalled(signal) => StoredEnding::Signalled(*signal),
            Ending::TimedOut => StoredEnding::TimedOut,
            Ending::Sanitizer(line) => StoredEnding::Sanitizer(line.clone()),
        },
        result: raw::hex(result),
        objects: objects.iter().zip(given).map(|(after, given)| (after != given).then(|| raw::hex(after))).collect(),
        globals: globals.iter().map(|bytes| raw::hex(bytes)).collect(),
        objects_at: object_addresses.clone(),
        globals_at: global_addresses.clone(),
        calls: calls.iter().map(call).collect(),
    }
}

fn test(reader: &Reader<'_>, stored: &StoredTest) -> Option<Test> {
    let mut input = reader.input(&stored.input)?;
    learn(reader, &stored.known, &mut input)?;
    let observation = observation(reader, &stored.observed, &input)?;
    Some(Test {
        name: stored.name.clone(),
        lines: stored.lines.clone(),
        undefined: stored.undefined.clone(),
        addressed: stored.addressed,
        diverged: stored.diverged,
        input,
        observation,
    })
}

/// Puts what is known of an input into it.
fn learn(reader: &Reader<'_>, known: &Known, input: &mut Input) -> Option<()> {
    let target = |place: &Target| reader.target(place);
    for (call, leads) in input.stubs.iter_mut().zip(&known.leads) {
        let leads = leads.iter().map(|(position, to)| Some((*position, target(to)?)));
        call.leads = leads.collect::<Option<_>>()?;
    }
    let pairs = |pairs: &Vec<(Target, Target)>| {
        pairs.iter().map(|(at, to)| Some((target(at)?, target(to)?))).collect::<Option<Vec<_>>>()
    };
    input.after = match &known.after {
        Some(after) => Some(pairs(after)?),
        None => None,
    };
    let places = known.places.iter().map(|(place, size)| Some((target(place)?, *size)));
    input.unwritten = Unwritten { places: places.collect::<Option<_>>()?, result: known.result.clone() };
    input.freed.clone_from(&known.freed);
    Some(())
}

fn observation(reader: &Reader<'_>, stored: &Observed, input: &Input) -> Option<Observation> {
    let all = |bytes: &[String]| bytes.iter().map(|bytes| raw::from_hex(bytes)).collect::<Option<Vec<_>>>();
    let object = |(index, after): (usize, &Option<String>)| match after {
        Some(bytes) => raw::from_hex(bytes),
        None => Some(input.objects.get(index)?.content.bytes.clone()),
    };
    let call = |(function, arguments): &(String, Vec<(usize, String)>)| {
        let arguments = arguments.iter().map(|(position, bytes)| Some((*position, raw::from_hex(bytes)?)));
        Some(Call { function: reader.function(function)?, arguments: arguments.collect::<Option<_>>()? })
    };
    Some(Observation {
        path: Vec::new(),
        repeats: Vec::new(),
        truncated: false,
        ending: match &stored.ending {
            StoredEnding::Returned => Ending::Returned,
            StoredEnding::Stopped => Ending::Stopped,
            StoredEnding::Exited(status) => Ending::Exited(*status),
            StoredEnding::Signalled(signal) => Ending::Signalled(*signal),
            StoredEnding::TimedOut => Ending::TimedOut,
            StoredEnding::Sanitizer(line) => Ending::Sanitizer(line.clone()),
        },
        result: raw::from_hex(&stored.result)?,
        objects: stored.objects.iter().enumerate().map(object).collect::<Option<_>>()?,
        globals: all(&stored.globals)?,
        object_addresses: stored.objects_at.clone(),
        global_addresses: stored.globals_at.clone(),
        calls: stored.calls.iter().map(call).collect::<Option<_>>()?,
        output: Vec::new(),
    })
}
