//! Preprocessing without a compiler, by `rucc-pp`.
//!
//! It stands in where no `cc` is installed: files that include nothing, or only headers found on the given include
//! paths and in `/usr/include`. Comments do not survive it, so contracts are not read; a warning says both.

use super::{Build, Preprocessed, Standard, message, scan};
use crate::diagnostic::{Diagnostic, Place};
use crate::error::Error;
use clew_ir::Target;
use rucc_base::Interner;
use rucc_diag::{SourceBytes, SourceMap};
use rucc_pp::{Predef, Preprocessor, PrintOptions};
use rucc_session::{FileSystem, Preinclude, SearchPath, Std};
use rucc_target::{TargetInfo, Triple};
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// The files of the machine.
#[derive(Debug)]
struct Disk;

impl FileSystem for Disk {
    fn read(&self, path: &Path) -> io::Result<SourceBytes> {
        std::fs::read(path).map(SourceBytes::new)
    }
}

/// Preprocesses a file without any compiler. A panic inside the preprocessor is a refusal.
pub(super) fn preprocess(build: &Build) -> Result<Preprocessed, Error> {
    let refused =
        |output: String| Error::Refused { path: build.path(), command: "the built-in preprocessor".to_owned(), output };
    let output = catch_unwind(AssertUnwindSafe(|| expand(build)))
        .unwrap_or_else(|_| Err("error: the built-in preprocessor failed on this file".to_owned()))
        .map_err(refused)?;
    let scanned = scan::scan(&build.path().display().to_string(), None, output.into_bytes())?;
    let warning = Diagnostic::warning(Place::Nowhere, "no C compiler found: contracts in comments are not read")
        .with_help("install a C compiler or name one with --cc");
    Ok(Preprocessed {
        unit: scanned.unit,
        target: if is_32_bit(build) { Target::ILP32 } else { Target::LP64 },
        standard: standard(build),
        semantics: super::semantics::of(build).0,
        system: scanned.system,
        macros: BTreeMap::new(),
        build: None,
        diagnostics: vec![warning],
    })
}

fn expand(build: &Build) -> Result<String, String> {
    let (mut interner, mut sources) = (Interner::new(), SourceMap::new());
    let path = build.path();
    let bytes = std::fs::read(&path).map_err(|error| format!("error: {error}"))?;
    let full = |_| "error: the file is too large".to_owned();
    let main = sources.add(path.display().to_string(), bytes).map_err(full)?;
    let (search, predefined, first) = settings(build);
    let mut context = rucc_pp::Context::new(&mut interner, &mut sources, &Disk, &search);
    let mut preprocessor = Preprocessor::new();
    let name = if is_32_bit(build) { "i686-unknown-linux-gnu" } else { "x86_64-unknown-linux-gnu" };
    let triple: Triple = name.parse().expect("rucc knows the targets named here");
    preprocessor.predefine(&TargetInfo::new(triple), &predefined, &mut context).map_err(full)?;
    let mut tokens = Vec::new();
    preprocessor.preinclude(&first, &mut tokens, &mut context).map_err(full)?;
    tokens.extend(preprocessor.run(main, &mut context));
    let errors: Vec<String> = preprocessor
        .diagnostics()
        .iter()
        .filter(|diagnostic| diagnostic.severity.is_fatal())
        .map(|diagnostic| format!("{}: error: {}", sources.render_position(diagnostic.span.lo), diagnostic.message))
        .collect();
    if !message::parse(&errors.join("\n")).is_empty() {
        return Err(errors.join("\n"));
    }
    Ok(rucc_pp::print(main, &tokens, preprocessor.line_directives(), &sources, &interner, PrintOptions::new()))
}

/// The flags that matter here, with their values.
fn settings(build: &Build) -> (SearchPath, Predef, Vec<Preinclude>) {
    let (mut search, mut predefined, mut first) = (SearchPath::new(), Predef::new(), Vec::new());
    let mut flags = build.flags.iter();
    while let Some(flag) = flags.next() {
        let kind = ["-include", "-isystem", "-iquote", "-I", "-D", "-U"].into_iter().find(|it| flag.starts_with(it));
        let Some(kind) = kind else { continue };
        let value = match &flag[kind.len()..] {
            "" => flags.next().cloned().unwrap_or_default(),
            value => value.to_owned(),
        };
        match kind {
            "-include" => first.push(Preinclude { name: value, macros_only: false }),
            "-isystem" => search.push_system(value),
            "-iquote" => search.push_quote(value),
            "-I" => search.push_bracket(value),
            "-D" => predefined.defines.push(value),
            _ => predefined.undefines.push(value),
        }
    }
    search.push_system("/usr/include/x86_64-linux-gnu");
    search.push_system("/usr/include");
    if let Some((std, gnu)) = dialect(build) {
        (predefined.std, predefined.gnu_extensions) = (std, gnu);
    }
    (search, predefined, first)
}

fn dialect(build: &Build) -> Option<(Std, bool)> {
    build.flags.iter().rev().find_map(|flag| Std::from_flag(flag.strip_prefix("-std=")?))
}

fn standard(build: &Build) -> Standard {
    match dialect(build).map(|(std, _)| std) {
        Some(Std::C89) => Standard::C89,
        Some(Std::C99) => Standard::C99,
        Some(Std::C11) => Standard::C11,
        Some(Std::C17) => Standard::C17,
        _ => Standard::C23,
    }
}

fn is_32_bit(build: &Build) -> bool {
    build.flags.iter().any(|flag| flag == "-m32")
}

#[cfg(test)]
mod tests {
    use super::preprocess;
    use crate::preprocess::Build;

    #[test]
    fn macros_includes_and_flags() {
        let directory = std::env::temp_dir().join(format!("clew-builtin-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join("h.h"), "#define TWICE(x) (2 * (x))\n").unwrap();
        std::fs::write(directory.join("a.c"), "#include \"h.h\"\nint y = TWICE(N);\n").unwrap();
        let build = Build {
            compiler: vec!["cc".to_owned()],
            flags: vec!["-DN=21".to_owned()],
            directory: None,
            file: directory.join("a.c"),
        };
        let preprocessed = preprocess(&build).unwrap();
        let at = preprocessed.unit.text.find("(2 * (21))").unwrap();
        assert_eq!(preprocessed.unit.locate(at as u32).line, 2);
        std::fs::write(directory.join("a.c"), "#include \"none.h\"\n").unwrap();
        assert!(preprocess(&build).unwrap_err().to_string().contains("none.h"));
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
