//! The data model, the dialect and the make of a compiler under given flags, read from the macros it defines by itself.

use super::{Build, Standard, compiler};
use crate::error::Error;
use clew_ir::Target;
use std::collections::BTreeMap;

/// What a compiler under given flags is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Machine {
    pub(super) target: Target,
    pub(super) standard: Standard,
    /// Flags that keep its messages few and short. We draw our own pictures, and drawing its own takes a compiler minutes
    /// on megabytes of garbage.
    pub(super) brief: &'static [&'static str],
}

/// Machines asked for so far, by compiler and the flags that bear on them.
#[derive(Debug, Default)]
pub(super) struct Cache {
    known: BTreeMap<Vec<String>, Machine>,
}

impl Cache {
    /// What a file is compiled for; `macros` are those the compiler defines by itself and more, where they are known.
    pub(super) fn of(&mut self, build: &Build, macros: Option<BTreeMap<String, String>>) -> Result<Machine, Error> {
        let flags = machine_flags(&build.flags);
        let key: Vec<String> = build.compiler.iter().chain(&flags).cloned().collect();
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let macros = macros.map_or_else(|| compiler::predefined(build, &flags), Ok)?;
        let unknown = |reason| Error::UnknownTarget { compiler: build.compiler.join(" "), reason };
        let target = from_macros(&macros).map_err(unknown)?;
        let machine = Machine { target, standard: standard(&macros), brief: brief(&macros) };
        self.known.insert(key, machine);
        Ok(machine)
    }
}

/// Flags that select the machine or the dialect: `-m32`, `-funsigned-char`, `--target=...`, `-std=...`.
fn machine_flags(flags: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if matches!(flag.as_str(), "-target" | "-arch") {
            kept.push(flag.clone());
            kept.extend(flags.next().cloned());
        } else if flag.starts_with("-m")
            || flag.starts_with("--target")
            || flag.ends_with("signed-char")
            || is_dialect(flag)
        {
            kept.push(flag.clone());
        }
    }
    kept
}

const BRIEF_CLANG: &[&str] = &["-ferror-limit=20", "-fno-caret-diagnostics"];
const BRIEF_GNU: &[&str] = &["-fmax-errors=20", "-fno-diagnostics-show-caret"];

fn brief(macros: &BTreeMap<String, String>) -> &'static [&'static str] {
    if macros.contains_key("__clang__") {
        BRIEF_CLANG
    } else if macros.contains_key("__GNUC__") && !macros.contains_key("__TINYC__") {
        BRIEF_GNU
    } else {
        &[]
    }
}

/// What [`Machine::brief`] will be, to judge by the name of the compiler.
pub(super) fn guess_brief(build: &Build) -> &'static [&'static str] {
    let name = build.compiler.first().map_or("", String::as_str);
    if name.contains("clang") { BRIEF_CLANG } else { BRIEF_GNU }
}

fn is_dialect(flag: &str) -> bool {
    flag.starts_with("-std=") || flag == "-ansi"
}

/// The dialect by the value of `__STDC_VERSION__`, which C89 does not define.
fn standard(macros: &BTreeMap<String, String>) -> Standard {
    let version = macros.get("__STDC_VERSION__").and_then(|value| value.trim_end_matches('L').parse().ok());
    match version.unwrap_or(0_u32) {
        0..199_901 => Standard::C89,
        199_901..201_112 => Standard::C99,
        201_112..201_710 => Standard::C11,
        201_710..202_000 => Standard::C17,
        _ => Standard::C23,
    }
}

fn from_macros(macros: &BTreeMap<String, String>) -> Result<Target, String> {
    let number = |name: &str| macros.get(name).and_then(|value| value.parse::<u8>().ok());
    if number("__CHAR_BIT__").is_some_and(|bits| bits != 8) {
        return Err("its bytes do not have 8 bits".to_owned());
    }
    let width = |name: &str, default: u8| {
        let bytes = number(name).unwrap_or(default / 8);
        if matches!(bytes, 2 | 4 | 8) { Ok(bytes * 8) } else { Err(format!("{name} is {bytes}")) }
    };
    let big = |name: &str| macros.get(name).is_some_and(|order| order.contains("BIG") || order == "4321");
    Ok(Target {
        pointer_width: width("__SIZEOF_POINTER__", Target::LP64.pointer_width)?,
        int_width: width("__SIZEOF_INT__", Target::LP64.int_width)?,
        long_width: width("__SIZEOF_LONG__", Target::LP64.long_width)?,
        char_signed: !macros.contains_key("__CHAR_UNSIGNED__"),
        big_endian: big("__BYTE_ORDER__"),
    })
}

#[cfg(test)]
mod tests {
    use super::{from_macros, machine_flags};
    use clew_ir::Target;

    fn model(definitions: &str) -> Result<Target, String> {
        let pairs = definitions.split_whitespace().filter_map(|pair| pair.split_once('='));
        from_macros(&pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    #[test]
    fn data_models() {
        assert_eq!(model("__SIZEOF_POINTER__=4 __SIZEOF_INT__=4 __SIZEOF_LONG__=4"), Ok(Target::ILP32));
        assert_eq!(model(""), Ok(Target::LP64));
        let odd = model("__SIZEOF_POINTER__=2 __SIZEOF_INT__=2 __SIZEOF_LONG__=4 __CHAR_UNSIGNED__=1").unwrap();
        assert_eq!((odd.pointer_width, odd.int_width, odd.char_signed), (16, 16, false));
        assert!(model("__CHAR_BIT__=16").is_err());
        assert!(model("__SIZEOF_INT__=3").is_err());
    }

    #[test]
    fn only_the_machine_matters() {
        let flags: Vec<String> = ["-O2", "-m32", "-DX", "-funsigned-char", "-target", "arm"].map(str::to_owned).into();
        assert_eq!(machine_flags(&flags), ["-m32", "-funsigned-char", "-target", "arm"]);
    }
}
