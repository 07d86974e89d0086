//! Random methods of few inputs, all of which a JVM tries: what none of them does is the only thing that may be called
//! infeasible.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Methods that are tried unless `CLEW_JAVA_BRUTE` says another number.
const METHODS: u64 = 12;
/// The parameters go from minus this to this.
const RANGE: i32 = 3;

/// A small generator of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// A class as it is tested, and as it notes what its decisions do; both have the same lines.
struct Twins {
    random: Random,
    plain: String,
    noting: String,
    line: u32,
}

impl Twins {
    fn line(&mut self, text: &str) {
        self.lines(text, text);
    }

    fn lines(&mut self, plain: &str, noting: &str) {
        let _ = (writeln!(self.plain, "{plain}"), writeln!(self.noting, "{noting}"));
        self.line += 1;
    }

    fn number(&mut self) -> String {
        let leaf =
            self.random.pick(&["a", "b", "c", "1", "2", "-1", "3", "x", "y", "box.held", "items[1]", "items[0]"]);
        match self.random.below(6) {
            0 | 1 => leaf.to_owned(),
            2 => format!("({leaf} % {})", self.random.pick(&["2", "3", "b"])),
            3 => format!("(int) ((long) {leaf} * {} >> 1)", self.random.pick(&["a", "b", "5"])),
            _ => {
                let (op, other) = (self.random.pick(&["+", "-", "*", "^", "&", "<<", "/"]), self.number());
                format!("({leaf} {op} {other})")
            }
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.number(), self.number());
        let op = self.random.pick(&["<", "<=", "==", "!=", ">"]);
        match self.random.below(5) {
            0 => format!("{a} {op} {b} && {}", self.condition()),
            1 => format!("{a} {op} {b} || {}", self.condition()),
            2 => format!("{a} * 0.5 {op} {b}"),
            _ => format!("{a} {op} {b}"),
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.random.below(if depth == 0 { 3 } else { 8 }) {
            0 => {
                let (to, value) = (self.random.pick(&["x", "y", "box.held", "items[0]", "items[1]"]), self.number());
                self.line(&format!("    {to} = {value};"));
            }
            1 => self.line("    x += items[(y & 1)];"),
            2 => {
                let value = self.number();
                self.line(&format!("    box = new Heavy({value}); y += box.weight();"));
            }
            3 => {
                self.line("    try {");
                self.statement(depth - 1);
                let (over, by) = (self.number(), self.number());
                self.line(&format!("    y = {over} / {by};"));
                self.line("    } catch (ArithmeticException e) { x = 7; }");
            }
            4 => {
                let counter = format!("i{}", self.line);
                self.line(&format!("    for (int {counter} = 0; {counter} < 2; {counter}++) {{"));
                self.statement(depth - 1);
                self.line("    }");
            }
            _ => {
                let (condition, line) = (self.condition(), self.line);
                self.lines(&format!("    if ({condition}) {{"), &format!("    if (note({line}, {condition})) {{"));
                self.statement(depth - 1);
                self.line("    } else {");
                self.statement(depth - 1);
                self.line("    }");
            }
        }
    }

    fn method(&mut self, number: u64) {
        self.line(&format!("  //@ requires -{RANGE} <= a && a <= {RANGE} && -{RANGE} <= b && b <= {RANGE} && -{RANGE} <= c && c <= {RANGE};"));
        self.line(&format!("  static int m{number}(int a, int b, int c) {{"));
        self.line("    int x = 0, y = 1; Box box = new Box(a); int[] items = {b, c};");
        for _ in 0..3 {
            self.statement(3);
        }
        self.line("    return x + y;");
        self.line("  }");
    }
}

const CLASSES: &str = "  static class Box { int held; Box(int held) { this.held = held; } int weight() { return held; } } static class Heavy extends Box { Heavy(int held) { super(held); } int weight() { return held * 2; } }";

/// Both classes, and the numbers of the methods.
fn twins(seed: u64, methods: u64) -> (String, String) {
    let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d);
    let mut twins = Twins { random, plain: String::new(), noting: String::new(), line: 1 };
    twins.line("class Brute {");
    twins.line(CLASSES);
    (0..methods).for_each(|number| twins.method(number));
    let mut main =
        "  static boolean note(int line, boolean is) { seen.add(line + \" \" + is); return is; }\n".to_owned();
    main += "  static java.util.Set<String> seen = new java.util.TreeSet<>();\n  public static void main(String[] args) {\n";
    let _ = writeln!(
        main,
        "    for (int a = -{RANGE}; a <= {RANGE}; a++) for (int b = -{RANGE}; b <= {RANGE}; b++) for (int c = -{RANGE}; c <= {RANGE}; c++) {{"
    );
    for number in 0..methods {
        let _ = writeln!(main, "      try {{ m{number}(a, b, c); }} catch (RuntimeException e) {{ }}");
    }
    main += "    }\n    seen.forEach(System.out::println);\n  }\n}\n";
    (twins.plain + "}\n", twins.noting + &main)
}

/// Lines and results of decisions that some input does.
fn done(folder: &Path, source: &str) -> BTreeSet<String> {
    let at = folder.join("noting");
    std::fs::create_dir_all(&at).expect("the folder can be made");
    std::fs::write(at.join("Brute.java"), source).expect("the file can be written");
    let line = "javac -nowarn -d . Brute.java && java -cp . Brute";
    let output = Command::new("sh").current_dir(&at).args(["-c", line]).output().expect("a shell starts");
    assert!(output.status.success(), "{}", super::text(&output));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// What a suite calls infeasible: lines and results of decisions.
fn infeasible(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).expect("there is a suite of each method");
    let suite: serde_json::Value = serde_json::from_str(&text).expect("a suite is JSON");
    let objectives = suite["functions"][0]["objectives"].as_array().cloned().unwrap_or_default();
    let words = objectives.iter().filter(|one| one["verdict"] == "infeasible").filter_map(|one| {
        let words = one["what"].as_str()?.strip_prefix("makes the decision ")?;
        let (_, place) = words.rsplit_once(" at line ")?;
        Some(place.to_owned())
    });
    words.collect()
}

#[test]
fn nothing_is_infeasible_that_some_input_does() {
    if !super::is_installed("a JDK", "javac") {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("java/brute");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let methods = std::env::var("CLEW_JAVA_BRUTE").ok().and_then(|text| text.parse().ok()).unwrap_or(METHODS);
    let (plain, noting) = twins(1, methods);
    std::fs::write(folder.join("Brute.java"), plain).expect("the file can be written");
    let done = done(&folder, &noting);
    let mut command = Command::new(env!("CARGO_BIN_EXE_clew"));
    command.current_dir(&folder).args(["test", "Brute.java", "-o", "out", "--effort", "3", "--time", "3600"]);
    let shown = super::text(&command.args(["--method", "Brute"]).output().expect("it starts"));
    assert!(shown.contains(" 0 diverged"), "{shown}");
    let (mut number, mut wrong) = (0, Vec::new());
    for method in 0..methods {
        let page = folder.join(format!("out/report/Brute.m{method}_int_int_int/suite.json"));
        let infeasible = infeasible(&page);
        number += infeasible.len();
        wrong.extend(infeasible.into_iter().filter(|place| done.contains(place)));
    }
    assert!(wrong.is_empty(), "{wrong:?} are done\n{shown}");
    assert!(number > 0, "something is infeasible: {shown}");
}
