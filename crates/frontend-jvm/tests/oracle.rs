//! The interpreter of the intermediate form against a real JVM, on the same Java programs.
//!
//! Each program is a class with static methods of numbers. A `main` calls them with many arguments and prints what they
//! return or throw; the interpreter runs the lowered methods on the same arguments.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "oracle/generate.rs"]
mod generate;

use clew_execute::{Checks, Content, Image, Input, Interpreter, Outcome, Refusal};
use clew_frontend_jvm::{ClassPath, JavaType, Lowered, Signature, lower};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("clew-jvm-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn java_home() -> PathBuf {
    let javac = Command::new("sh").args(["-c", "readlink -f \"$(command -v javac)\""]).output().unwrap();
    let path = String::from_utf8(javac.stdout).unwrap();
    let home = Path::new(path.trim()).ancestors().nth(2);
    home.expect("these tests need javac: install openjdk-17-jdk-headless").to_owned()
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Arguments that are tried for each type.
fn samples(ty: &JavaType) -> Vec<(String, u64)> {
    let int = |value: i32| (value.to_string(), u64::from(value as u32));
    let long = |value: i64| (format!("{value}L"), value as u64);
    let double = |value: f64| (format!("Double.longBitsToDouble({}L)", value.to_bits() as i64), value.to_bits());
    let float = |value: f32| (format!("Float.intBitsToFloat({})", value.to_bits() as i32), u64::from(value.to_bits()));
    match ty {
        JavaType::Long => [0, 1, -1, 7, i64::MIN, i64::MAX].map(long).to_vec(),
        JavaType::Double => [0.0, -0.0, 1.5, -2.25, 1e300, f64::NAN, f64::INFINITY].map(double).to_vec(),
        JavaType::Float => [0.0, -0.0, 1.5, -3.0, 1e30, f32::NAN].map(float).to_vec(),
        JavaType::Boolean => vec![("false".to_owned(), 0), ("true".to_owned(), 1)],
        _ => [0, 1, -1, 2, 5, 100, i32::MIN, i32::MAX].map(int).to_vec(),
    }
}

/// Some argument lists: every position goes through its samples, at its own pace.
fn argument_lists(signature: &Signature) -> Vec<Vec<(String, u64)>> {
    let all: Vec<Vec<(String, u64)>> = signature.params.iter().map(samples).collect();
    let pick = |turn: usize| {
        all.iter().enumerate().map(|(at, list)| list[(turn * (at + 1) + turn / 5) % list.len()].clone()).collect()
    };
    (0..if all.is_empty() { 1 } else { 16 }).map(pick).collect()
}

/// What the interpreter makes of one call.
fn interpreted(lowered: &Lowered, arguments: &[(String, u64)]) -> String {
    let image = Image::new(&lowered.program, Checks::RUN);
    let mut interpreter = Interpreter::new(&image, lowered.entry);
    interpreter.observe.extend(lowered.result);
    interpreter.limits.steps = 20_000_000;
    let params = &lowered.program.functions[lowered.entry].params;
    let content = |(param, (_, bits)): (&clew_ir::Param, &(String, u64))| {
        let bytes = lowered.program.ctypes.size_of(param.ty, 8).unwrap() as usize;
        Content { bytes: bits.to_le_bytes()[..bytes].to_vec(), pointers: Vec::new() }
    };
    let arguments = params.iter().zip(arguments).map(content).collect();
    let run = match interpreter.run(&Input { arguments, ..Input::default() }) {
        Ok(run) => run,
        Err(Refusal::Stopped(Outcome::Unsupported(what))) => return format!("unsupported: {}", what.what),
        Err(Refusal::Stopped(outcome)) => return format!("stopped: {outcome:?}"),
        Err(Refusal::Unfit(what)) => return format!("unfit: {what}"),
    };
    let Outcome::Returned(Some(thrown)) = run.outcome else { return format!("{:?}", run.outcome) };
    if thrown.bits != 0 {
        return lowered.classes[&(thrown.bits as u32)].replace('/', ".");
    }
    let signature = Signature::parse(&lowered.declaration.descriptor).unwrap();
    let bytes = run.observation.globals.first().cloned().unwrap_or_default();
    let bits = bytes.iter().rev().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    match signature.returns {
        None => "void".to_owned(),
        Some(JavaType::Long) => (bits as i64).to_string(),
        Some(JavaType::Float) => {
            format!("{:x}", if f32::from_bits(bits as u32).is_nan() { 0x7fc0_0000 } else { bits as u32 })
        }
        Some(JavaType::Double) => {
            format!("{:x}", if f64::from_bits(bits).is_nan() { 0x7ff8_0000_0000_0000 } else { bits })
        }
        Some(_) => (bits as u32 as i32).to_string(),
    }
}

/// A main class that calls methods and prints a line for each call, before which static fields are set as they began.
fn driver(class: &str, reset: &str, methods: &[(String, Signature)]) -> String {
    let mut text = format!("public class Main{class} {{\n  static void print(Object o) {{\n");
    text += "    if (o instanceof Float f) System.out.println(Integer.toHexString(Float.floatToIntBits(f)));\n";
    text += "    else if (o instanceof Double d) System.out.println(Long.toHexString(Double.doubleToLongBits(d)));\n";
    text += "    else if (o instanceof Boolean b) System.out.println(b ? 1 : 0);\n";
    text +=
        "    else if (o instanceof Character c) System.out.println((int) c);\n    else System.out.println(o);\n  }\n";
    for (index, (name, signature)) in methods.iter().enumerate() {
        let _ = writeln!(text, "  static void run{index}() {{");
        for arguments in argument_lists(signature) {
            let spelled: Vec<&str> = arguments.iter().map(|(spelled, _)| spelled.as_str()).collect();
            let call = format!("{class}.{name}({})", spelled.join(", "));
            let shown = if signature.returns.is_some() {
                format!("print({call});")
            } else {
                format!("{call}; print(\"void\");")
            };
            let _ = writeln!(
                text,
                "    try {{ {reset} {shown} }} catch (Throwable t) {{ print(t.getClass().getName()); }}"
            );
        }
        text += "  }\n";
    }
    text += "  public static void main(String[] args) {\n";
    for index in 0..methods.len() {
        let _ = writeln!(text, "    run{index}();");
    }
    text + "  }\n}\n"
}

/// Methods by their names.
type Methods = Vec<(String, Signature)>;

/// The static methods of a compiled class that are compared.
fn methods(folder: &Path, class: &str) -> Methods {
    let bytes = std::fs::read(folder.join(format!("{class}.class"))).unwrap();
    let parsed = clew_frontend_jvm::Class::read(bytes).unwrap();
    let tested = parsed.methods.iter().filter(|method| method.is_public && method.is_static && method.name != "main");
    tested.map(|method| (method.name.clone(), Signature::parse(&method.descriptor).unwrap())).collect()
}

/// Writes and compiles classes.
fn compile(folder: &Path, sources: &[(String, String)]) {
    let mut javac = Command::new("javac");
    javac.args(["-g", "-nowarn", "-J-Xmx1g", "-cp"]).arg(folder).arg("-d").arg(folder);
    for (class, source) in sources {
        let path = folder.join(format!("{class}.java"));
        std::fs::write(&path, source).unwrap();
        javac.arg(path);
    }
    run(&mut javac);
}

/// Compiles classes, runs their static methods in both, and compares. One compiler and one JVM serve them all.
fn compare(folder: &Path, classes: &[(String, String)]) -> Vec<String> {
    compile(folder, classes);
    let all: Vec<Methods> = classes.iter().map(|(class, _)| methods(folder, class)).collect();
    let mut drivers = Vec::new();
    let mut main = "public class MainAll {\n  public static void main(String[] args) {\n".to_owned();
    for ((class, source), methods) in classes.iter().zip(&all) {
        let is_shared = source.contains("static int shared = 3;");
        let reset = if is_shared { format!("{class}.shared = 3;") } else { String::new() };
        drivers.push((format!("Main{class}"), driver(class, &reset, methods)));
        let _ = writeln!(main, "    Main{class}.main(args);");
    }
    drivers.push(("MainAll".to_owned(), main + "  }\n}\n"));
    compile(folder, &drivers);
    let printed = run(Command::new("java").args(["-ea", "-Xshare:auto", "-cp"]).arg(folder).arg("MainAll"));
    let mut expected = printed.lines();
    let mut differences = Vec::new();
    let path = Rc::new(ClassPath::open(&[folder.to_owned()], Some(&java_home())).unwrap());
    for ((class, _), methods) in classes.iter().zip(&all) {
        for (name, signature) in methods {
            differences.extend(differing(&path, folder, (class, name), signature, &mut expected));
        }
    }
    differences
}

/// The first call of a method of which the interpreter says something else than the JVM did.
fn differing<'a>(
    path: &Rc<ClassPath>,
    folder: &Path,
    (class, name): (&str, &str),
    signature: &Signature,
    expected: &mut impl Iterator<Item = &'a str>,
) -> Option<String> {
    let lowered = lower(path, vec![folder.to_owned()], class, name).unwrap();
    let broken = clew_ir::verify::verify(&lowered.program);
    assert!(broken.is_empty(), "{class}.{name}: {}", broken[0]);
    let mut first = None;
    for arguments in argument_lists(signature) {
        let (wanted, found) = (expected.next().unwrap(), interpreted(&lowered, &arguments));
        if wanted != found && first.is_none() {
            let spelled: Vec<&str> = arguments.iter().map(|(spelled, _)| spelled.as_str()).collect();
            first = Some(format!("{class}.{name}({}): JVM {wanted}, interpreter {found}", spelled.join(", ")));
        }
    }
    first
}

#[test]
fn hand_written_programs_agree() {
    let folder = Folder::new("hand");
    let classes = [
        ("Numbers", include_str!("java/Numbers.java")),
        ("Objects", include_str!("java/Objects.java")),
        ("Exceptions", include_str!("java/Exceptions.java")),
    ];
    let mut all = compare(&folder.0, &classes.map(|(class, source)| (class.to_owned(), source.to_owned())));
    // What is not supported yet, and said to be.
    let known = ["Exceptions.rethrow(", "Exceptions.number("];
    let is_known =
        |text: &String| text.contains("interpreter unsupported") && known.iter().any(|name| text.starts_with(name));
    all.retain(|text| !is_known(text));
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn random_programs_agree() {
    let folder = Folder::new("random");
    let count: u64 = std::env::var("CLEW_JAVA").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let seeds: Vec<u64> = (0..count).collect();
    for some in seeds.chunks(AT_ONCE) {
        let program = |seed: &u64| (format!("R{seed}"), generate::program(&format!("R{seed}"), *seed));
        let differences = compare(&folder.0, &some.iter().map(program).collect::<Vec<_>>());
        assert!(differences.is_empty(), "{}", differences.join("\n"));
    }
}

/// Random programs that are compiled together.
const AT_ONCE: usize = 50;
