//! Questions about all inputs that reach a goal: how many there are, which, and what values their parts have.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use clew_frontend::{Loaded, Options, load};
use clew_prove::questions::{Domains, Solutions, Subject, domains, solutions};
use clew_prove::{Goal, Site, Wanted};
use clew_session::goals::collect::points_on;
use clew_session::select;
use clew_solver::clock::Deadline;
use clew_symbolic::config::{Config, Errors, Limits};
use clew_testing::Random;
use serde_json::Value as Json;
use std::time::Duration;

fn folder(name: &str) -> PathBuf {
    clew_testing::folder(env!("CARGO_TARGET_TMPDIR"), "questions", name)
}

fn corpus(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(file)
}

/// The line of a file of the corpus on which a mark stands.
fn line(file: &str, mark: &str) -> usize {
    let text = std::fs::read_to_string(corpus(file)).expect("the file can be read");
    text.lines().position(|line| line.contains(mark)).expect("the mark is there") + 1
}

/// Asks a command about the marked line of a file of the corpus; gives its exit code and its first goal.
fn ask(command: &str, file: &str, mark: &str, options: &[&str]) -> (i32, Json) {
    let goal = format!("{}:{}", corpus(file).display(), line(file, mark));
    json(command, &goal, options)
}

fn json(command: &str, file: &str, options: &[&str]) -> (i32, Json) {
    let mut clew = Command::new(env!("CARGO_BIN_EXE_clew"));
    let output = clew.args([command, file, "--summary", "json"]).args(options).output().expect("clew starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let summary: Json = serde_json::from_str(&said)
        .unwrap_or_else(|_| panic!("no summary: {said}{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().expect("clew ends by itself"), summary["goals"][0].clone())
}

const SAMPLE: [&str; 10] = [
    "--domain",
    "a[*]=1..9",
    "--domain",
    "b[*]=1..9",
    "--domain",
    "target=1..9",
    "--requires",
    "\\valid(a+(0..2))",
    "--requires",
    "\\valid(b+(0..2))",
];

#[test]
fn solutions_of_the_seeds_are_counted() {
    let (code, all) = ask("solutions", "sample.c", "@goal 13", &SAMPLE);
    assert_eq!((code, &all["count"], &all["exact"]), (0, &"1953".into(), &true.into()), "{all}");
    assert_eq!(all["solutions"].as_array().map(Vec::len), Some(10), "each was executed");
    let squares = [&SAMPLE[..], &["--requires", "a[2]*a[2] == a[0]*a[0] + a[1]*a[1]"]].concat();
    let (code, six) = ask("solutions", "sample.c", "@goal 13", &squares);
    assert_eq!((code, &six["count"], &six["exact"]), (0, &"6".into(), &true.into()), "{six}");
    assert_eq!(six["solutions"].as_array().map(Vec::len), Some(6));
    let (code, one) = ask("solutions", "issta98_ex2.c", "@goal 4", &["--domain", "x=0..1999", "--domain", "y=0..1999"]);
    assert_eq!((code, &one["count"]), (0, &"1".into()), "{one}");
}

#[test]
fn domains_of_the_seeds_are_those_of_the_papers() {
    let (code, known) = ask("domain", "lh98.c", "@goal 10-11", &["--exact"]);
    let input = &known["inputs"][0];
    assert_eq!((code, &input["low"], &input["high"]), (0, &8.into(), &9.into()), "{known}");
    assert_eq!((&input["least"], &input["greatest"]), (&8.into(), &9.into()));
    let (_, known) = ask("domain", "jos97.c", "@goal 8-9", &[]);
    let input = &known["inputs"][0];
    assert_eq!((&input["low"], &input["high"]), (&2.into(), &i32::MAX.into()), "{known}");
    let (code, known) = ask("domain", "buf_len.c", "@goal 2", &["--globals", "initial", "--exact"]);
    let input = &known["inputs"][0];
    assert_eq!((code, &input["low"], &input["high"]), (0, &(1u64 << 31).into(), &u32::MAX.into()), "{known}");
    let (code, known) = ask("solutions", "buf_len.c", "@goal 2", &["--globals", "initial"]);
    assert_eq!((code, &known["count"], &known["exact"]), (0, &"2147483648".into(), &true.into()), "{known}");
}

#[test]
fn what_is_not_known_is_said() {
    let at = folder("unknown");
    let file = at.join("many.c");
    let text = "int f(int n) { int i = 0; while (i < n) i++; if (n > 3)\n return 1;\n return 0; }\n\
                int g(int x) { if (x > 3 && x < 2)\n return 1;\n return 0; }\n";
    std::fs::write(&file, text).expect("the file can be written");
    let (code, many) = json("solutions", &format!("{}:2", file.display()), &["-k", "5", "--limit", "0"]);
    assert_eq!((code, &many["exact"]), (3, &false.into()), "{many}");
    let (code, none) = json("solutions", &format!("{}:5", file.display()), &[]);
    assert_eq!((code, &none["count"], &none["exact"]), (1, &"0".into(), &true.into()), "{none}");
    let (code, none) = json("domain", &format!("{}:5", file.display()), &[]);
    assert_eq!((code, &none["infeasible"]), (1, &true.into()), "{none}");
}

/// Assertions of C are named as they were written, and a goal of turns is given up once there are too many.
#[test]
fn goals_have_the_words_of_the_source() {
    let at = folder("words");
    let text = "#include <assert.h>\nint f(int x, int y) { if (x > y) assert(x >= y);\n return 0; }\n\
                int g(int n) { int i = 0; while (i < n) i++; return i; }\n";
    std::fs::write(at.join("a.c"), text).expect("the file can be written");
    let file = at.join("a.c").display().to_string();
    let (code, goal) = json("prove", &file, &[]);
    assert_eq!((code, &goal["text"]), (0, &"assert(x >= y)".into()), "{goal}");
    let options = ["-f", "g", "--iterations", "1=3", "--requires", "n != 3", "--time", "3600"];
    let (code, goal) = json("reach", &file, &options);
    assert_eq!((code, &goal["verdict"]), (1, &"infeasible".into()), "{goal}");
}

/// The least value of a parameter in the functions of the oracle.
const LOW: i64 = -6;

/// The largest.
const HIGH: i64 = 7;

/// A random expression over `x`, `y` and `z`, which holds what was computed before.
fn expression(random: &mut Random, depth: u32) -> String {
    match random.below(if depth == 0 { 3usize } else { 7 }) {
        0 => ["x", "y", "z"][random.below(3usize)].to_owned(),
        1 => ["x", "y"][random.below(2usize)].to_owned(),
        2 => (random.below(9) - 4).to_string().replace('-', "0 - "),
        // Only parameters are multiplied, lest a product overflows.
        5 => format!("(x * {})", ["x", "y", "3"][random.below(3usize)]),
        operator => {
            let operator = ["+", "-", "*", "&"][operator - 3usize];
            let (a, b) = (expression(random, depth - 1), expression(random, depth - 1));
            format!("(({a}) {operator} ({b}))")
        }
    }
}

fn condition(random: &mut Random) -> String {
    let operator = ["<", "<=", "==", "!=", ">"][random.below(5usize)];
    format!("{} {operator} {}", expression(random, 1), expression(random, 1))
}

/// A random function that marks where its goal is; the goal may be passed several times.
fn function(random: &mut Random, number: usize) -> String {
    let mut text = format!("int f{number}(int x, int y) {{\n    int z = 0;\n");
    for _ in 0..1 + random.below(3) {
        let (on, then) = (condition(random), expression(random, 2));
        match random.below(4) {
            0 => writeln!(text, "    if ({on}) z = {then};"),
            1 => writeln!(text, "    for (int i = 0; i < (x & 3); i++) z = z + ({});", expression(random, 1)),
            2 => writeln!(text, "    if ({on}) return 0; else z = {then};"),
            _ => writeln!(text, "    z = {then};"),
        }
        .expect("text can be written");
    }
    let (head, last) = (condition(random), condition(random));
    match random.below(3) {
        0 => writeln!(text, "    for (int i = 0; i < 3; i++) {{\n        if ({head})\n            GOAL({number}, x + y);\n        z++;\n    }}"),
        1 => writeln!(text, "    if ({head} || {last})\n        GOAL({number}, x + y);"),
        _ => writeln!(text, "    if ({head} && {last})\n        GOAL({number}, x + y);"),
    }
    .expect("text can be written");
    text + "    return z;\n}\n"
}

/// What brute force says of each function: how many inputs reach its goal, and between which values of the parameters.
fn brute_force(at: &Path, functions: usize) -> Vec<Vec<i64>> {
    let mut text =
        "#include <stdio.h>\nstatic int reached;\n#define GOAL(n, v) reached = 1\n#include \"functions.h\"\n"
            .to_owned();
    text += "int main(void) {\n";
    for number in 0..functions {
        write!(
            text,
            "{{ long n = 0, a = 99, b = -99, c = 99, d = -99; for (int x = {LOW}; x <= {HIGH}; x++) for (int y = {LOW}; y <= {HIGH}; y++) {{
              reached = 0; f{number}(x, y); if (reached) {{ n++; if (x < a) a = x; if (x > b) b = x; if (y < c) c = y; if (y > d) d = y; }} }}
              printf(\"%ld %ld %ld %ld %ld\\n\", n, a, b, c, d); }}\n"
        )
        .expect("text can be written");
    }
    std::fs::write(at.join("main.c"), text + "return 0; }\n").expect("the file can be written");
    let built = Command::new("cc").args(["-w", "-fwrapv", "-o", "main", "main.c"]).current_dir(at).status();
    assert!(built.expect("the compiler starts").success());
    let output = Command::new(at.join("main")).output().expect("the program starts");
    let numbers = |line: &str| line.split(' ').map(|number| number.parse().expect("it is a number")).collect();
    String::from_utf8_lossy(&output.stdout).lines().map(numbers).collect()
}

fn questions(loaded: &mut Loaded, file: &str, number: usize, line: u32) -> (Solutions, Domains) {
    let function = loaded.program.function(&format!("f{number}")).expect("the function is there");
    let bounds = ["x", "y"].map(|name| format!("{name}={LOW}..{HIGH}"));
    let precondition = select::precondition(loaded, function, &bounds, &[]).expect("the domains fit");
    let points = points_on(&loaded.program, file, line).into_iter().map(|(point, _)| point).collect();
    let goal = Goal { site: Site::Points(points), wanted: Wanted::Arrival };
    let deadline = Deadline::default().or_work(Duration::from_secs(60));
    let limits = Limits { deadline, ..Limits::default() };
    let config = Config { errors: Errors::AssumeAbsent, limits, ..Config::default() };
    let subject =
        Subject { program: &loaded.program, function, precondition: &precondition, config: &config, goal: &goal };
    let counted = solutions(subject, 3, &mut |_| true).expect("the function can be looked at");
    (counted, domains(subject, true).expect("the function can be looked at"))
}

/// Counts and domains of random functions are those of brute force.
#[test]
fn numbers_are_those_of_brute_force() {
    let functions = 60;
    let at = folder("oracle");
    let mut random = Random(27);
    let bodies: String = (0..functions).map(|number| function(&mut random, number)).collect();
    std::fs::write(at.join("functions.h"), &bodies).expect("the file can be written");
    let file = at.join("functions.c");
    let marked = format!("int goal;\n#define GOAL(n, v) goal = n\n{bodies}");
    std::fs::write(&file, &marked).expect("the file can be written");
    let known = brute_force(&at, functions);
    let options = Options { library: true, ..Options::file(file.clone()) };
    let mut loaded = load(&options).expect("the front end can read the file");
    for (number, known) in known.iter().enumerate() {
        let mark = format!("GOAL({number}, ");
        let line = marked.lines().position(|line| line.contains(&mark)).expect("the goal is there") + 1;
        let (counted, domains) = questions(&mut loaded, &file.display().to_string(), number, line as u32);
        let told = format!("f{number}: {known:?}, {counted:?}, {domains:?}");
        assert!(counted.doubts.is_empty() && domains.doubts.is_empty(), "{told}");
        assert_eq!(counted.number, known[0] as u128, "{told}");
        assert_eq!(counted.listed.len() as u128, counted.number.min(3), "{told}");
        assert_eq!(domains.is_empty, known[0] == 0, "{told}");
        for (cell, ends) in domains.cells.iter().zip(known[1..].chunks(2)).filter(|_| known[0] > 0) {
            assert_eq!(cell.extremes.map(|end| end.map(|end| end as i64)), [Some(ends[0]), Some(ends[1])], "{told}");
            let domain = cell.domain.as_ref().expect("a parameter has a domain");
            assert!(domain.signed_min() <= i128::from(ends[0]) && i128::from(ends[1]) <= domain.signed_max(), "{told}");
        }
    }
}

/// What `clew prove --terminates` says of the line of a goal, in the words of the corpus.
fn said_of_ends(goal: &Json) -> String {
    let why = goal["proof"].as_str().filter(|proof| proof.contains("measure")).unwrap_or("in all paths");
    let variant = goal["variant"].as_str().unwrap_or(why);
    match (goal["id"].as_str().unwrap_or_default(), goal["verdict"].as_str().unwrap_or_default()) {
        ("terminates", "proved") => format!("ends: {variant}"),
        ("terminates", "violated") => "goes on".to_owned(),
        ("terminates", "endless") => "meant".to_owned(),
        ("terminates", verdict) => verdict.to_owned(),
        (_, "proved") => "holds".to_owned(),
        (_, "violated") => "fails".to_owned(),
        (_, verdict) => verdict.to_owned(),
    }
}

/// Loops and recursion end by the measure that the corpus names, or go on for an input that was executed.
#[test]
fn loops_end_or_do_not() {
    let path = corpus("goals/termination.c");
    let out = folder("termination");
    let out = out.to_str().expect("a path in UTF-8");
    let mut clew = Command::new(env!("CARGO_BIN_EXE_clew"));
    let options = ["--terminates", "--annotate", "--summary", "json", "-o", out];
    let output = clew.arg("prove").arg(&path).args(options).output().expect("clew starts");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let summary: Json = serde_json::from_slice(&output.stdout).expect("a summary");
    let goals = summary["goals"].as_array().expect("goals");
    let said: Vec<(u64, String)> =
        goals.iter().map(|goal| (goal["line"].as_u64().expect("a line"), said_of_ends(goal))).collect();
    let text = std::fs::read_to_string(&path).expect("the file can be read");
    for (line, fact) in
        text.lines().enumerate().filter_map(|(at, line)| Some((at as u64 + 1, line.split_once("//~ ")?.1)))
    {
        assert!(said.contains(&(line, fact.to_owned())), "line {line}: {fact}\n{said:#?}");
    }
    let annotated = std::fs::read_to_string(Path::new(out).join("termination.c")).expect("the annotated file");
    assert!(annotated.contains("loop variant n - i;"), "{annotated}");
}

/// Asks `clew reach` for goals in the file about conjunctions; gives its exit code and the values found.
fn reached(lines: &[&str], options: &[&str]) -> (i32, Vec<i64>) {
    let file = "goals/together.c";
    let goals = lines.iter().map(|mark| format!("{}:{}", corpus(file).display(), line(file, mark)));
    let mut goals: Vec<String> = goals.collect();
    if goals.is_empty() {
        goals.push(corpus(file).display().to_string());
    }
    let out = folder("together");
    let mut clew = Command::new(env!("CARGO_BIN_EXE_clew"));
    let output = clew.arg("reach").args(goals).args(options).args(["--summary", "json", "-o"]).arg(out).output();
    let output = output.expect("clew starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let summary: Json = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no summary: {said}"));
    assert_eq!(summary["goals"].as_array().map(Vec::len), Some(1), "{summary}");
    let input = summary["goals"][0]["input"].as_array().cloned().unwrap_or_default();
    let number = |given: &Json| given["value"].as_i64().or_else(|| given["value"].as_str()?.parse().ok());
    (output.status.code().expect("clew ends by itself"), input.iter().filter_map(number).collect())
}

#[test]
fn goals_are_reached_together() {
    let (code, input) = reached(&["big", "hit", "miss"], &["--all"]);
    assert_eq!(code, 0);
    assert!(input[0] > 3 && (0..input[2]).contains(&input[1]) && input[2] > 1, "{input:?}");
    assert_eq!(reached(&["big", "small"], &["--all"]).0, 1, "x cannot be both");
    let turns = format!("@{}=3", line("goals/together.c", "// loop"));
    let at_end = format!("r == 21@{}", line("goals/together.c", "// end"));
    let (code, input) = reached(&["hit"], &["--all", "--iterations", &turns, "--goal", &at_end]);
    assert_eq!(code, 0);
    assert!(input[0] > 3 && input[2] == 3 && (0..3).contains(&input[1]), "{input:?}");
}

#[test]
fn a_path_is_a_goal() {
    let at = |mark: &str| line("goals/together.c", mark);
    let (first, turn) = (at("// first"), at("// loop"));
    let path = format!("+{first} -{} +{turn} -{} +{turn} +{} -{turn}", first + 2, turn + 1, turn + 1);
    let (code, input) = reached(&[], &["--path", &path]);
    assert_eq!(code, 0);
    assert!(input[0] > 3 && input[1] == 1 && input[2] == 2, "{input:?}");
    let (code, input) = reached(&[], &["--path", &format!("-{first} ...")]);
    assert!(code == 0 && input[0] <= 3, "{input:?}");
}
