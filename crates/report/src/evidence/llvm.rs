//! Measuring MC/DC by clang and llvm-cov (`-fcoverage-mcdc`, from version 18 on), where they are installed.
//!
//! The commands are those of the tests' makefile with another compiler. clang knows decisions of two to six conditions;
//! it shows a condition's independence by unique cause, conditions that C does not evaluate being taken as needed, which
//! is our definition.

use super::gcov;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const FLAGS: &str = "CFLAGS=-O0 -w -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc";
/// Versions with MC/DC, newest first.
const VERSIONS: [&str; 4] = ["21", "20", "19", "18"];

/// What was measured.
#[derive(Debug)]
pub struct Measured {
    /// The tool, as it names itself.
    pub tool: String,
    /// For each function and line, which conditions of the decisions there were shown to decide.
    pub shown: BTreeMap<(String, u32), Vec<bool>>,
}

/// Builds and runs the tests in a directory, and asks llvm-cov.
///
/// # Errors
/// In words, if a step is not possible.
pub fn measure(directory: &Path) -> Result<Measured, String> {
    let version = VERSIONS.into_iter().find(|version| runs(&format!("clang-{version}")));
    let version = version.ok_or("clang with MC/DC (version 18 or later) is not installed")?;
    let directory = gcov::plain(directory).ok_or("the suite has no plain C tests (`--emit plain`)")?;
    let directory = directory.canonicalize().map_err(|error| format!("the tests cannot be found: {error}"))?;
    let result = programs(&directory, version).and_then(|programs| ask(&directory, version, &programs));
    gcov::clean(&directory);
    result
}

fn runs(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Builds the tests; gives the names of the programs.
fn programs(directory: &Path, version: &str) -> Result<Vec<String>, String> {
    let listed = Command::new("make").arg("-C").arg(directory).args(["-s", "-n", "-B", FLAGS, "all"]).output();
    let listed = listed.map_err(|error| format!("make cannot be run: {error}"))?;
    let mut programs = Vec::new();
    for command in String::from_utf8_lossy(&listed.stdout).lines() {
        let words: Vec<String> = shlex::split(command).ok_or("a command of the makefile cannot be read")?;
        let Some(at) = words.iter().position(|word| word == "-o") else { continue };
        let output = Command::new(format!("clang-{version}")).args(&words[1..]).current_dir(directory).output();
        let output = output.map_err(|error| format!("clang cannot be run: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("the tests cannot be built by clang: {}", said.lines().next().unwrap_or_default()));
        }
        programs.extend(words.get(at + 1).cloned());
    }
    Ok(programs)
}

fn ask(directory: &Path, version: &str, programs: &[String]) -> Result<Measured, String> {
    let mut measured = Measured { tool: format!("llvm-cov {version}"), shown: BTreeMap::new() };
    for program in programs {
        let raw = directory.join(format!("{program}.profraw"));
        let data = directory.join(format!("{program}.profdata"));
        // A test that fails still counts; what it claims shows in the comparison.
        let _ =
            Command::new(directory.join(program)).env("LLVM_PROFILE_FILE", file(&raw)).current_dir(directory).output();
        let merged = tool("llvm-profdata", version, directory, &["merge", "-o", &file(&data), &file(&raw)]);
        let exported = merged.and_then(|_| {
            let profile = format!("-instr-profile={}", file(&data));
            tool("llvm-cov", version, directory, &["export", "-skip-expansions", &profile, program])
        });
        let _ = std::fs::remove_file(&raw);
        let _ = std::fs::remove_file(&data);
        let json = serde_json::from_slice(&exported?).map_err(|error| format!("llvm-cov's answer: {error}"))?;
        measured.add(&json);
    }
    Ok(measured)
}

/// The name of a file of the directory in which the tools run.
fn file(path: &Path) -> String {
    path.file_name().map(PathBuf::from).unwrap_or_default().display().to_string()
}

fn tool(name: &str, version: &str, directory: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new(format!("{name}-{version}")).args(args).current_dir(directory).output();
    let output = output.map_err(|error| format!("{name} cannot be run: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default()))
}

impl Measured {
    /// Adds the decisions of one program: each is a list that begins with its line and ends with its conditions.
    fn add(&mut self, export: &Json) {
        let functions = export["data"][0]["functions"].as_array().into_iter().flatten();
        for function in functions {
            // Static functions are named after their file.
            let name = function["name"].as_str().and_then(|name| name.rsplit(':').next()).unwrap_or_default();
            let mut here: BTreeMap<u32, Vec<bool>> = BTreeMap::new();
            for record in function["mcdc_records"].as_array().into_iter().flatten() {
                let line = record[0].as_u64().and_then(|line| u32::try_from(line).ok()).unwrap_or(0);
                let conditions = record.as_array().and_then(|parts| parts.last()).and_then(Json::as_array);
                here.entry(line)
                    .or_default()
                    .extend(conditions.into_iter().flatten().map(|shown| *shown == Json::Bool(true)));
            }
            for (line, conditions) in here {
                let known = self.shown.entry((name.to_owned(), line)).or_insert_with(|| vec![false; conditions.len()]);
                known.iter_mut().zip(conditions).for_each(|(known, more)| *known |= more);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Measured;
    use std::collections::BTreeMap;

    #[test]
    fn conditions_shown_by_several_programs_add_up() {
        let export = |shown: &str| {
            let text = format!(
                r#"{{"data":[{{"functions":[{{"name":"a.c:f","mcdc_records":[[3,7,3,20,0,0,0,5,{shown}]]}}]}}]}}"#
            );
            serde_json::from_str(&text).expect("it is JSON")
        };
        let mut measured = Measured { tool: String::new(), shown: BTreeMap::new() };
        measured.add(&export("[true,false]"));
        measured.add(&export("[false,false]"));
        assert_eq!(measured.shown[&("f".to_owned(), 3)], [true, false]);
    }
}
