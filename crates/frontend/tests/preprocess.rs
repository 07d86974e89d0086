//! Preprocessing real files with the machine's compiler: what comes out, and what is said when nothing can.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use clew_frontend::diagnostic::render::{Style, render};
use clew_frontend::options::Options;
use clew_frontend::preprocess::{self, Preprocessed, Standard};
use clew_frontend::{Diagnostic, Error, Severity};
use clew_ir::{Sources, Span, UnitId};
use std::path::{Path, PathBuf};

/// A directory of its own that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let directory = std::env::temp_dir().join(format!("clew-preprocess-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        Scratch(directory)
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, contents).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn one(options: &Options) -> Preprocessed {
    preprocess::run(options).unwrap().remove(0)
}

fn refused(path: impl Into<PathBuf>) -> String {
    preprocess::run(&Options::file(path)).unwrap_err().to_string()
}

/// The diagnostic rendered without colours against the file it concerns.
fn shown(preprocessed: &Preprocessed, needle: &str, style: Style) -> String {
    let mut sources = Sources::default();
    let unit: UnitId = sources.units.push(preprocessed.unit.clone());
    let start = preprocessed.unit.text.rfind(needle).unwrap() as u32;
    let span = Span { unit, start, end: start + needle.len() as u32 };
    let diagnostic = Diagnostic::error(span, "wrong").with_here("this").with_note("because").with_help("do better");
    render(&[diagnostic], &sources, style)
}

#[test]
fn flags_reach_the_compiler_and_lines_lead_back() {
    let scratch = Scratch::new("flags");
    scratch.file("inc.h", "#define LIMIT 7\nint from_header;\n");
    let file = scratch.file("a.c", "#include \"inc.h\"\n/*@ requires x < LIMIT; */\nint f(int x) { return x + N; }\n");
    let options = Options {
        includes: vec![scratch.0.clone()],
        defines: vec!["N=40".to_owned()],
        std: Some("c99".to_owned()),
        passthrough: vec!["-c".to_owned(), "-o".to_owned(), scratch.0.join("no.o").display().to_string()],
        ..Options::file(&file)
    };
    let found = one(&options);
    let text = &found.unit.text;
    assert!(text.contains("return x + 40;") && text.contains("/*@ requires x < LIMIT; */"));
    let location = found.unit.locate(text.find("int from_header").unwrap() as u32);
    assert!(location.file.ends_with("inc.h") && location.line == 2);
    assert_eq!(found.unit.locate(text.find("return x").unwrap() as u32).line, 3);
    assert_eq!(found.standard, Standard::C99);
    assert_eq!(found.macros.get("LIMIT").map(String::as_str), Some("7"));
    assert!(!scratch.0.join("no.o").exists());
}

#[test]
fn the_data_model_follows_the_flags() {
    let scratch = Scratch::new("model");
    let file = scratch.file("a.c", "int x;\n");
    let options = Options { passthrough: vec!["-m32".into(), "-funsigned-char".into()], ..Options::file(&file) };
    let target = one(&options).target;
    assert_eq!((target.pointer_width, target.long_width, target.char_signed), (32, 32, false));
    assert_eq!(one(&Options::file(&file)).target, clew_ir::Target::LP64);
}

#[test]
fn bad_files_give_one_clear_message() {
    let scratch = Scratch::new("bad");
    assert!(refused(scratch.0.join("none.c")).starts_with("no such file: "));
    assert!(refused(scratch.0.clone()).ends_with("is a directory; name a C source file"));
    assert!(refused("/dev/null").contains("not a regular file"));
    assert_eq!(preprocess::run(&Options::default()).unwrap_err(), Error::NoFiles);
    let stray = scratch.file("stray.c", b"int x;\nint \xff\xfe y;\n");
    assert!(refused(&stray).ends_with("stray.c is not C text: line 2 holds a stray byte"));
    let binary = scratch.file("binary.c", b"int x;\n\x7fELF\0\0");
    assert!(refused(&binary).ends_with("binary.c is not C text: line 2 holds a stray byte"));
    let large = scratch.0.join("large.c");
    std::fs::File::create(&large).unwrap().set_len(100 << 20).unwrap();
    assert!(refused(&large).ends_with("large.c has more than 32 MiB, the limit for one source file"));
}

#[test]
fn the_compilers_own_words() {
    let scratch = Scratch::new("words");
    let file = scratch.file("a.c", "int x;\n#include \"missing.h\"\n");
    let error = preprocess::run(&Options::file(&file)).unwrap_err();
    let shown = render(&error.diagnostics(), &Sources::default(), Style::Plain);
    assert!(shown.contains("error: missing.h: No such file or directory"), "{shown}");
    assert!(shown.contains("#include \"missing.h\"") && shown.contains("^^^"), "{shown}");
    let options = Options { std: Some("c12345".to_owned()), ..Options::file(scratch.file("b.c", "int x;\n")) };
    assert!(preprocess::run(&options).unwrap_err().to_string().contains("-std=c12345"));
    let options = Options { cc: Some("no-such-cc".to_owned()), ..Options::file(&file) };
    let said = preprocess::run(&options).unwrap_err().to_string();
    assert_eq!(said, "cannot run the compiler `no-such-cc`: it is not installed; name another with --cc");
}

#[test]
fn latin_1_keeps_its_bytes() {
    let scratch = Scratch::new("latin");
    let found = one(&Options::file(scratch.file("a.c", b"char *s = \"caf\xe9\"; /* \xe9 */\n")));
    assert!(found.unit.text.contains("\"caf\\351\""));
}

#[test]
fn a_comment_does_not_hide_a_directive() {
    let scratch = Scratch::new("hidden");
    let file = scratch.file("a.c", "/* n */ #define N 3\n/*@ requires x > 0; */\nint f(int x) { return N; }\n");
    let found = one(&Options::file(&file));
    assert!(found.unit.text.contains("return 3;"));
    assert_eq!(found.diagnostics.len(), 1);
    assert_eq!(found.diagnostics[0].severity, Severity::Warning);
}

#[test]
fn comments_do_not_disturb_macros() {
    let scratch = Scratch::new("disturb");
    let text = "#define F(x) ((x)+1)\n#define S(x) #x\n#if 0\n/*@ requires no; */\n#endif\n\
                /*@ requires\n    x > 0; */\nint f(int x) { x = F /* c */ (3); /*@ assert x == 4; */ return x; }\n\
                char *s = S(a /* q */ b);\n//@ requires y > 0;\n\nint g(int y);\n";
    let found = one(&Options::file(scratch.file("a.c", text)));
    let text = &found.unit.text;
    assert!(text.contains("x = ((3)+1);") && text.contains("\"a b\"") && !text.contains("requires no"), "{text}");
    for (needle, line) in [
        ("/*@ requires", 6),
        ("int f", 8),
        ("/*@ assert", 8),
        ("return x", 8),
        ("char *s", 9),
        ("//@", 10),
        ("int g", 12),
    ] {
        assert_eq!(found.unit.locate(text.find(needle).unwrap() as u32).line, line, "{needle} in {text}");
    }
    assert!(text.find("((3)+1)").unwrap() < text.find("/*@ assert").unwrap());
    assert!(text.find("/*@ assert").unwrap() < text.find("return x").unwrap());
}

#[test]
fn macros_of_system_headers_split_lines() {
    let scratch = Scratch::new("split");
    let text = "#include <stdbool.h>\nbool f(bool x, bool y) { return x; }\n/*@ requires z; */\nbool g(int z);\n";
    let text = one(&Options::file(scratch.file("a.c", text))).unit.text;
    let at = |needle: &str| text.find(needle).unwrap();
    assert!(at("return x; }") < at("/*@ requires") && at("/*@ requires") < at("g(int z)"), "{text}");
}

#[test]
fn carets_stand_under_the_users_text() {
    let scratch = Scratch::new("caret");
    let file = scratch.file("a.c", "#define M (1)\nint f(int x) {\n\treturn   M +  x; }\n");
    let found = one(&Options::file(&file));
    let picture = shown(&found, "x; }", Style::Plain);
    let line = picture.lines().position(|line| line.contains("M +  x;")).unwrap();
    let (source, carets) = (picture.lines().nth(line).unwrap(), picture.lines().nth(line + 1).unwrap());
    assert_eq!(carets.find('^').unwrap(), source.find("x; }").unwrap(), "{picture}");
    assert!(picture.contains("= note: because") && picture.contains("= help: do better"), "{picture}");
    assert!(shown(&found, "x; }", Style::Short).ends_with("a.c:3:16: error: wrong\n"));
    assert!(shown(&found, "x; }", Style::Colour).contains("\u{1b}["));
    let json = shown(&found, "x; }", Style::Json);
    assert!(json.contains("\"line\":3,\"column\":16,\"end_column\":20"), "{json}");
}

#[test]
fn a_database_gives_the_flags() {
    let scratch = Scratch::new("database");
    scratch.file("a.c", "#include \"h.h\"\nint x = N + H;\n");
    std::fs::create_dir_all(scratch.0.join("build")).unwrap();
    std::fs::create_dir_all(scratch.0.join("inc")).unwrap();
    scratch.file("inc/h.h", "#define H 2\n");
    let entry = r#"[{"directory": "build", "file": "../a.c", "command": "cc -DN=5 -I../inc -c ../a.c -o a.o"}]"#;
    let database = scratch.file("compile_commands.json", entry);
    let options = Options { database: Some(database), ..Options::default() };
    let found = one(&options);
    assert!(found.unit.text.contains("int x = 5 + 2;"));
    let location = found.unit.locate(found.unit.text.find("int x").unwrap() as u32);
    assert!(Path::new(&location.file).is_file(), "{}", location.file);
    assert!(!scratch.0.join("build/a.o").exists());
}
