//! A mutant selected in the text that holds all of them does what it does when it is compiled by itself.

use clew_frontend::{Preprocessed, load_preprocessed};
use clew_ir::Program;
use clew_mutation::{CHOICE, Mutants, Operator};
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = r"
typedef unsigned char byte;
struct pair { int first, second; unsigned bits : 3; };
static int table[4];
int f(int a, int b, struct pair *p) {
    int i, sum = 0;
    byte small = 250;
    if (!p || a < 0)
        return -1;
    for (i = 0; i < 4 && i != b; i++) {
        if (table[i] == b)
            continue;
        sum += table[i] * (a - (int)-b);
        if (sum > 40)
            break;
    }
    switch (a & 3) {
    case 1: sum <<= 1; break;
    case 2: small += 7; sum ^= small; /* falls through */
    case 3: p->bits = 5; break;
    default: sum--;
    }
    p->second = p->first > sum ? -p->first : (p->bits || b >= 2);
    return sum % 'A' + sizeof(int[3]) / 4;
}
";

/// Calls the function under many inputs and prints what it leaves; endless mutants are ended by the choice, or by an alarm.
const MAIN: &str = r#"
extern int printf(const char *, ...);
extern unsigned alarm(unsigned);
int __clew_condition(unsigned probe, int outcome) { return outcome; }
int main(void) {
    alarm(1);
    SELECT
    for (int a = -1; a < 7; a++)
        for (int b = -1; b < 4; b++) {
            struct pair pair = { 2, 9, 1 };
            for (int i = 0; i < 4; i++) table[i] = 2 * i - 1;
            int result = f(a, b, &pair);
            printf("%d %d %d;", result, pair.second, pair.bits);
        }
    return f(0, 0, 0) + 1;
}
"#;

fn program() -> Program {
    let loaded = load_preprocessed(vec![Preprocessed::plain("f.c", SOURCE)]);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    loaded.program
}

fn mutants(program: &Program) -> Mutants {
    Mutants::of(program, &[program.function("f").expect("it is defined")])
}

/// Compiles a text and runs it: what it prints, or how it ends.
fn run(folder: &Path, name: &str, text: &str) -> String {
    let (source, binary) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).expect("the folder is ours");
    let built = Command::new("cc").args(["-w", "-O0", "-o"]).arg(&binary).arg(&source).output().expect("cc is there");
    assert!(built.status.success(), "{name}: {}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&binary).output().expect("it was just built");
    if output.status.code().is_none() {
        "ended".to_owned()
    } else {
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

#[test]
fn a_selected_mutant_does_what_it_does_by_itself() {
    let program = program();
    let mutants = mutants(&program);
    let all = mutants.texts(&program).expect("conditions are expressions").texts.remove(0);
    let folder = folder("schemata");
    let original = run(&folder, "original", &format!("{SOURCE}{}", MAIN.replace("SELECT", "")));
    let mut differing = 0;
    // Every ninth: each is compiled twice.
    for mutant in mutants.list.iter().step_by(9) {
        let choose = format!("{CHOICE}.mutant = {}; {CHOICE}.most = 100000;", mutant.number);
        let among = run(&folder, "among", &format!("{all}{}", MAIN.replace("SELECT", &choose)));
        let alone = mutant.alone(&program).expect("it stands in the unit");
        let alone = run(&folder, "alone", &format!("{alone}{}", MAIN.replace("SELECT", "")));
        assert_eq!(among, alone, "{mutant:?}");
        differing += usize::from(alone != original);
    }
    assert!(differing > 5, "{differing} mutants differ");
    let choose = format!("{CHOICE}.mutant = 0;");
    assert_eq!(run(&folder, "none", &format!("{all}{}", MAIN.replace("SELECT", &choose))), original);
}

#[test]
fn every_operator_finds_its_places() {
    let program = program();
    let mutants = mutants(&program);
    let of = |operator: Operator| {
        let own = mutants.list.iter().filter(|mutant| mutant.operator == operator);
        own.map(|mutant| format!("{} => {}", program.sources.text(mutant.span), mutant.text)).collect::<Vec<_>>()
    };
    let has =
        |operator: Operator, change: &str| assert!(of(operator).iter().any(|it| it == change), "{:?}", of(operator));
    has(Operator::Arithmetic, "sum += table[i] * (a - (int)-b) => sum -= table[i] * (a - (int)-b)");
    has(Operator::Arithmetic, "i++ => i--");
    has(Operator::Relational, "a < 0 => a <= 0");
    has(Operator::Logical, "!p || a < 0 => !p && a < 0");
    has(Operator::Logical, "i < 4 && i != b => i < 4 || i != b");
    has(Operator::Negation, "p->bits => !(p->bits)");
    has(Operator::Negation, "-b => b");
    has(Operator::Constant, "'A' => 'A' + 1");
    has(Operator::Index, "i => i - 1");
    has(Operator::Deletion, "p->bits = 5 => ");
    has(Operator::Deletion, "continue; => ");
    has(Operator::Deletion, "i++ => ");
    has(Operator::Return, "sum % 'A' + sizeof(int[3]) / 4 => 0");
    has(Operator::Case, "a & 3 => no case 2");
    let constants = of(Operator::Constant);
    assert!(!constants.iter().any(|change| change.starts_with("250")), "declarations stay: {constants:?}");
    assert_eq!(constants.iter().filter(|change| change.starts_with("3 ")).count(), 2, "lengths and labels stay");
}
