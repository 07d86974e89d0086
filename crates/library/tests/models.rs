//! Models do what the functions of the machine's C library do: both are compiled into one program and compared on random
//! inputs and boundary cases, see `differential.c`.

use clew_library::{How, PRELUDE, functions, models};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Functions that a GNU C library may lack; their models are compiled, and not compared.
const NOT_COMPARED: [&str; 2] = ["strlcpy", "strlcat"];

/// The text of all models, with names that begin with `m_`.
fn renamed_models() -> String {
    let names: Vec<&str> = functions().filter(|row| row.how == How::Model).map(|row| row.name).collect();
    let mut text =
        String::from("static int m_unsupported;\n#define __builtin_clew_unsupported() (m_unsupported = 1)\n");
    for name in &names {
        let _ = writeln!(text, "#undef {name}\n#define {name} m_{name}");
    }
    text.push_str(&PRELUDE.replace("void __builtin_clew_unsupported(void);", ""));
    text.push_str(&models().text(&names, &|_| false));
    for name in &names {
        let _ = writeln!(text, "#undef {name}");
    }
    text
}

fn compile(folder: &Path) -> PathBuf {
    std::fs::write(folder.join("models.c"), renamed_models()).expect("the folder can be written");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/differential.c");
    let program = folder.join("differential");
    let mut compiler = Command::new("cc");
    compiler.args(["-w", "-O1", "-fno-builtin", "-U_FORTIFY_SOURCE"]).arg("-I").arg(folder).arg("-o").arg(&program);
    let output = compiler.arg(source).output().expect("a C compiler is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

#[test]
fn models_do_what_the_library_does() {
    let folder = std::env::temp_dir().join(format!("clew-models-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let output = Command::new(compile(&folder)).output().expect("the program runs");
    let _ = std::fs::remove_dir_all(&folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn every_model_is_compared() {
    let driver = include_str!("differential.c");
    for row in functions().filter(|row| row.how == How::Model && !NOT_COMPARED.contains(&row.name)) {
        let name = row.name;
        let is_named = [format!("m_{name}("), format!("({name},"), format!("({name})")];
        assert!(is_named.iter().any(|part| driver.contains(part)), "tests/differential.c does not compare `{name}`");
    }
}
