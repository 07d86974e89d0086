//! Compiler flags: which of them matter for reading and building one file.
//!
//! Kept is what changes the meaning of the text or of the code. Dropped is what names an output, an input, a dependency
//! file, a link step, or makes warnings fatal, because the tool runs the compiler for purposes of its own and must
//! write nothing of the user's. The table follows the option summary of the GCC manual.
//!
//! Optimising compilers may put checked versions of library functions into every caller (`_FORTIFY_SOURCE`), which are no
//! part of the program and stand on what the optimiser finds out: headers are told to leave them out.

use crate::diagnostic::{Diagnostic, Place};
use std::path::Path;

/// Flags that are dropped together with the word after them.
const DROPPED_WITH_VALUE: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-aux-info",
    "-L",
    "-l",
    "-T",
    "-u",
    "-Xlinker",
    "-Xassembler",
    "-z",
    "-e",
    "-framework",
    "-serialize-diagnostics",
    "--serialize-diagnostics",
    "-index-store-path",
];

/// Flags that are dropped by themselves.
const DROPPED: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-C",
    "-CC",
    "-P",
    "-M",
    "-MM",
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-H",
    "-pipe",
    "-v",
    "-###",
    "-shared",
    "-static",
    "-rdynamic",
    "-s",
    "-Werror",
    "-pedantic-errors",
    "-fsyntax-only",
    "-save-temps",
    "-no-pie",
    "-pie",
    "-r",
    "-nostdlib",
    "-nodefaultlibs",
    "-nostartfiles",
    "--help",
    "--version",
    "-flto",
    "-fdirectives-only",
    "-fpreprocessed",
];

/// Beginnings of flags that are dropped by themselves.
const DROPPED_PREFIXES: &[&str] = &[
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-L",
    "-l",
    "-Wl,",
    "-Wa,",
    "-Wp,-M",
    "-Werror=",
    "-save-temps=",
    "-flto=",
    "-d",
    "-fdump-",
    "-fprofile-",
    "-fdiagnostics-",
    "-fcolor-diagnostics",
    "-fmodules",
    "-fplugin",
    "--output=",
    "-print-",
    "-fmax-errors",
    "-ftest-coverage",
    "-wrapper",
    "-specs=",
    "-fcallgraph-info",
    "-gsplit-dwarf",
    "-fstack-usage",
];

/// Kept flags that take the word after them.
const KEPT_WITH_VALUE: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "--sysroot",
    "-target",
    "-arch",
    "--param",
    "-Xpreprocessor",
    "-Xclang",
    "-mllvm",
];

/// What has the headers of the C library leave the program as it is written, whoever asked them otherwise.
const UNFORTIFIED: [&str; 2] = ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=0"];

/// The flags worth keeping, and a note on each word that makes no sense. `file` is the source among the words.
pub fn keep(words: &[String], file: Option<&Path>) -> (Vec<String>, Vec<Diagnostic>) {
    let mut kept = Vec::new();
    let mut notes = Vec::new();
    let fortified = words.iter().any(|word| optimises(word) || fortifies(word));
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let word = word.as_str();
        if word == "--" || word.is_empty() {
            continue;
        } else if DROPPED_WITH_VALUE.contains(&word) {
            words.next();
        } else if word == "-x" {
            keep_language(words.next().map(String::as_str), &mut notes);
        } else if KEPT_WITH_VALUE.contains(&word) {
            match words.next() {
                Some(value) if word == "-D" && value.starts_with("_FORTIFY_SOURCE") => {}
                Some(value) => kept.extend([word.to_owned(), value.clone()]),
                None => notes.push(Diagnostic::warning(Place::Nowhere, format!("the flag `{word}` lacks its value"))),
            }
        } else if !word.starts_with('-') {
            if file.is_none_or(|file| !same_file(word, file)) {
                notes.push(Diagnostic::warning(
                    Place::Nowhere,
                    format!("`{word}` among the compiler flags is no flag and is ignored"),
                ));
            }
        } else if !is_dropped(word) && !fortifies(word) {
            kept.push(word.to_owned());
        }
    }
    if fortified {
        kept.extend(UNFORTIFIED.map(str::to_owned));
    }
    (kept, notes)
}

fn optimises(word: &str) -> bool {
    word.starts_with("-O") && word != "-O0"
}

/// Whether a flag speaks of `_FORTIFY_SOURCE`; with a space behind `-D` it does in two words.
fn fortifies(word: &str) -> bool {
    let word = word.strip_prefix("-Wp,").unwrap_or(word);
    ["-D", "-U", ""].iter().any(|flag| word.strip_prefix(flag).is_some_and(|name| name.starts_with("_FORTIFY_SOURCE")))
}

fn is_dropped(word: &str) -> bool {
    DROPPED.contains(&word)
        || word == "-"
        || word.strip_prefix("-d").is_some_and(|rest| rest.len() == 1)
        || DROPPED_PREFIXES.iter().any(|prefix| *prefix != "-d" && word.starts_with(prefix))
}

/// Every file is read as C; another language is worth a word.
fn keep_language(language: Option<&str>, notes: &mut Vec<Diagnostic>) {
    if let Some(language) = language.filter(|language| !matches!(*language, "c" | "none" | "cpp-output")) {
        notes.push(Diagnostic::warning(Place::Nowhere, format!("the file is read as C, not as `{language}`")));
    }
}

fn same_file(word: &str, file: &Path) -> bool {
    let word = Path::new(word);
    word == file || (word.file_name() == file.file_name() && (file.ends_with(word) || word.ends_with(file)))
}

#[cfg(test)]
mod tests {
    use super::keep;
    use std::path::Path;

    fn check(words: &str, expect: &str, notes: usize) {
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let (kept, said) = keep(&words, Some(Path::new("src/a.c")));
        assert_eq!(kept.join(" "), expect);
        assert_eq!(said.len(), notes, "{said:?}");
    }

    #[test]
    fn outputs_are_dropped_and_meaning_is_kept() {
        check(
            "-O2 -c -o a.o -MMD -MF a.d -Iinc -I inc2 -DX=1 src/a.c",
            "-O2 -Iinc -I inc2 -DX=1 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=0",
            0,
        );
        check("-std=c99 -m32 -fno-common -Wall -Werror -Wl,-z,now -lm", "-std=c99 -m32 -fno-common -Wall", 0);
        check("-include x.h -isystem /usr/x -dM -pthread", "-include x.h -isystem /usr/x -pthread", 0);
    }

    #[test]
    fn library_functions_are_not_replaced() {
        let plain = "-DX -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=0";
        check("-D_FORTIFY_SOURCE=2 -DX", plain, 0);
        check("-DX -D _FORTIFY_SOURCE", plain, 0);
        check("-U_FORTIFY_SOURCE -Wp,-D_FORTIFY_SOURCE=3 -DX", plain, 0);
        check("-O0 -DX", "-O0 -DX", 0);
    }

    #[test]
    fn nonsense_is_remarked() {
        check("-I", "", 1);
        check("other.c -DX", "-DX", 1);
        check("-x c++ -DX", "-DX", 1);
        check("-x c -DX", "-DX", 0);
    }
}
