//! Flags under which the arithmetic of floats is that of C: every operation is rounded once, to its type.
//!
//! Compilers may contract `a * b + c` to one operation, keep results in registers wider than their type, or compute as if
//! floats were real numbers. Tests are made for what C says (`FLT_EVAL_METHOD` 0, no contraction, rounding to nearest), so
//! the library under test is built without flags that say otherwise, and whoever uses them is told.
//!
//! Pragmas in the source (`STDC FP_CONTRACT`, `float_control`) are not looked for.

use std::io::Write;
use std::process::{Command, Stdio};

/// Flags that give floats another arithmetic.
const DEPARTURES: [&str; 19] = [
    "-Ofast",
    "-ffast-math",
    "-funsafe-math-optimizations",
    "-fassociative-math",
    "-freciprocal-math",
    "-ffinite-math-only",
    "-fno-signed-zeros",
    "-fno-trapping-math",
    "-fapprox-func",
    "-fsingle-precision-constant",
    "-fexcess-precision=fast",
    "-ffp-contract=fast",
    "-ffp-contract=on",
    "-ffp-model=fast",
    "-ffp-model=aggressive",
    "-mfpmath=387",
    "-mfpmath=both",
    "-mno-sse",
    "-mno-sse2",
];

/// Those among a build's flags that give floats another arithmetic than C's.
pub fn departures(flags: &[String]) -> Vec<&str> {
    flags.iter().map(String::as_str).filter(|flag| DEPARTURES.contains(flag)).collect()
}

/// The flags without those, and with the ones that C's arithmetic needs on this machine.
pub fn faithful(flags: &[String]) -> Vec<String> {
    let kept = flags.iter().filter_map(|flag| match flag.as_str() {
        "-Ofast" => Some("-O3".to_owned()),
        other if DEPARTURES.contains(&other) => None,
        other => Some(other.to_owned()),
    });
    let mut faithful: Vec<String> = kept.collect();
    let is_x86 = cfg!(any(target_arch = "x86_64", target_arch = "x86"));
    if is_x86 && flags.iter().any(|flag| flag == "-m32") {
        faithful.extend(["-msse2", "-mfpmath=sse"].map(str::to_owned));
    }
    // Without a flag that chooses a machine, x86 has no operation to contract to.
    if !is_x86 || flags.iter().any(|flag| flag.starts_with("-m") || DEPARTURES.contains(&flag.as_str())) {
        faithful.push("-ffp-contract=off".to_owned());
    }
    faithful
}

/// `FLT_EVAL_METHOD` of a compiler with flags: 0 if every operation is rounded to its type; `None` if it does not say.
pub fn evaluation_method(compiler: &[String], flags: &[String]) -> Option<i32> {
    let (first, rest) = compiler.split_first()?;
    let mut command = Command::new(first);
    command.args(rest).args(flags).args(["-E", "-P", "-x", "c", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    child.stdin.take()?.write_all(b"__FLT_EVAL_METHOD__\n").ok()?;
    let output = child.wait_with_output().ok()?;
    String::from_utf8_lossy(&output.stdout).lines().rev().find_map(|line| line.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{departures, evaluation_method, faithful};

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn flags_that_change_arithmetic_are_left_out() {
        let flags = words("-Ofast -g -ffast-math -mfpmath=387 -ffp-contract=fast -DX");
        assert_eq!(departures(&flags), ["-Ofast", "-ffast-math", "-mfpmath=387", "-ffp-contract=fast"]);
        assert_eq!(faithful(&flags), words("-O3 -g -DX -ffp-contract=off"));
        assert_eq!(departures(&words("-O2 -g")), Vec::<&str>::new());
    }

    #[test]
    fn the_compiler_says_how_it_evaluates() {
        assert_eq!(evaluation_method(&words("cc"), &words("-O2")), Some(0));
        assert_eq!(evaluation_method(&words("no-such-compiler"), &[]), None);
    }
}
