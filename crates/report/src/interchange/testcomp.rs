//! A test suite in the format of Test-Comp (`test-format` 1.1 of sosy-lab): metadata, and a file per test with the values
//! of its inputs in the order in which they are read.
//!
//! The format is meant for programs whose inputs are calls of `__VERIFIER_nondet_*`; of other functions, scalar
//! parameters are given as well. Pointers and structures have no form in it and are left out.

use super::{File, Report, expressible, producer, walk, xml};
use clew_execute::Content;
use clew_ir::{CType, CTypeId, FunctionId, ParamKind, Program};
use clew_session::Replayed;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The property when none is given: all branches.
const BRANCHES: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";

/// The files of the suite, their paths beginning with `prefix`.
pub(super) fn files(report: &Report<'_>, prefix: &str) -> Vec<File> {
    let Some(first) = report.subjects.first() else { return Vec::new() };
    let mut files = vec![File::text(format!("{prefix}metadata.xml"), metadata(report, first.function))];
    for subject in report.subjects {
        for test in expressible(subject) {
            let path = format!("{prefix}testcase-{}.xml", files.len());
            files.push(File::text(path, test_case(report, subject.function, test)));
        }
    }
    files
}

fn document(kind: &str, body: &str) -> String {
    format!(
        "{}<!DOCTYPE {kind} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {kind} 1.1//EN\" \
        \"https://sosy-lab.org/test-format/{kind}-1.1.dtd\">\n{body}",
        xml::head()
    )
}

fn metadata(report: &Report<'_>, function: FunctionId) -> String {
    let program = report.program;
    let unit = program.functions[function].span.unit;
    let path = program.sources.units.get(unit).map_or("", |unit| unit.path.as_str());
    let architecture = if program.target.pointer_bytes() == 4 { "32bit" } else { "64bit" };
    let entries = [
        ("sourcecodelang", "C".to_owned()),
        ("producer", producer()),
        ("specification", report.property.unwrap_or(BRANCHES).trim().to_owned()),
        ("programfile", path.to_owned()),
        ("programhash", hash(path)),
        ("entryfunction", program.functions[function].name.clone()),
        ("architecture", architecture.to_owned()),
        // The time of the program, not of the run: the same program gives the same bytes.
        ("creationtime", changed(path)),
    ];
    let mut body = "<test-metadata>\n".to_owned();
    for (name, value) in entries {
        let _ = writeln!(body, "  <{name}>{}</{name}>", xml::escape(&value));
    }
    document("test-metadata", &(body + "</test-metadata>\n"))
}

fn hash(path: &str) -> String {
    let digest = Sha256::digest(std::fs::read(path).unwrap_or_default());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// When a file was changed last, in UTC.
fn changed(path: &str) -> String {
    let time = std::fs::metadata(Path::new(path)).and_then(|data| data.modified()).ok();
    let seconds = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |elapsed| elapsed.as_secs());
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The date so many days after the first of January 1970 (Hinnant's `civil_from_days`).
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month, of_year - (153 * shifted + 2) / 5 + 1)
}

fn test_case(report: &Report<'_>, function: FunctionId, test: &Replayed) -> String {
    let program = report.program;
    let input = &test.explored.input;
    let params = program.functions[function].params.iter().filter(|param| param.kind != ParamKind::ReturnSlot);
    let arguments = params.zip(&input.arguments).map(|(param, content)| (param.name.as_str(), param.ty, content));
    let calls = input.stubs.iter().filter(|call| !call.is_allocation).filter_map(|call| {
        let stub = &program.functions[call.function];
        let CType::Function { returns, .. } = program.ctypes.get(stub.ty) else { return None };
        Some((stub.name.as_str(), *returns, &call.result))
    });
    // The arguments of `main` are not inputs in the sense of Test-Comp.
    let is_main = program.functions[function].name == "main";
    let mut body = String::new();
    for (name, ty, content) in arguments.filter(|_| !is_main).chain(calls) {
        if let Some((spelled, value)) = scalar(program, ty, content) {
            let variable = xml::escape(name.trim_start_matches("__VERIFIER_nondet_"));
            let _ = writeln!(body, "  <input variable=\"{variable}\" type=\"{spelled}\">{value}</input>");
        }
    }
    let covers = if reaches_error(report, function, test) { " coversError=\"true\"" } else { "" };
    document("testcase", &format!("<testcase{covers}>\n{body}</testcase>\n"))
}

/// Type and value of a number.
fn scalar(program: &Program, ty: CTypeId, content: &Content) -> Option<(String, String)> {
    let spelled = clew_session::ctext::type_name(program, ty)?;
    let value = match program.ctypes.get(ty) {
        CType::Float { .. } => match *content.bytes.as_slice() {
            [a, b, c, d] => format!("{:?}", f32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => format!("{:?}", f64::from_le_bytes([a, b, c, d, e, f, g, h])),
            _ => return None,
        },
        CType::Int { .. } | CType::Bool | CType::Enum { .. } => {
            let bits = content.bytes.iter().rev().fold(0u128, |bits, &byte| bits << 8 | u128::from(byte));
            let shift = 128 - 8 * content.bytes.len() as u32;
            match program.ctypes.is_signed(ty) && shift < 128 {
                true => ((bits as i128) << shift >> shift).to_string(),
                false => bits.to_string(),
            }
        }
        _ => return None,
    };
    Some((spelled, value))
}

/// Whether a test calls the function that the property names, `reach_error` by default.
fn reaches_error(report: &Report<'_>, function: FunctionId, test: &Replayed) -> bool {
    let property = report.property.unwrap_or_default();
    let named = property
        .split_once("@CALL(")
        .and_then(|(_, rest)| rest.split_once(')'))
        .map_or("reach_error", |(name, _)| name);
    let Some(error) = report.program.function(named) else { return false };
    if !report.program.functions[error].is_defined() {
        return test.explored.input.stubs.iter().any(|call| call.function == error);
    }
    let mut reached = false;
    walk::walk(report.program, function, test, &mut |stretch| reached |= stretch.function == error);
    reached
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(19_782), (2024, 2, 29));
        assert_eq!(date(20_773), (2026, 11, 16));
    }
}
