//! Random small programs against enumeration: nothing that some input does is called infeasible.
//!
//! Each program has loops, arrays and pointers, two small inputs, and places that leave a mark. All inputs are
//! interpreted; those on which something undefined happens do not count. `CLEW_GOALS` sets how many programs are tried.

use clew_analyze::facts::{self, facts};
use clew_execute::{Checks, Content, Image, Input, Interpreter, Outcome};
use clew_explore::Precondition;
use clew_explore::config::{Config, Errors};
use clew_explore::goal::{self, Goal, Point, Site, Verdict, Wanted};
use clew_frontend::{Loaded, Preprocessed, contract, load_preprocessed};
use clew_ir::{FunctionId, GlobalId, InstKind, Operand};
use std::time::{Duration, Instant};

/// Values of each of the two inputs.
const INPUTS: std::ops::Range<i32> = 0..6;

/// Places that leave a mark in one program.
const MARKS: u32 = 6;

/// Pseudo-random numbers: Knuth's MMIX generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }
}

/// Writes one program.
struct Writer {
    random: Random,
    text: String,
    marks: u32,
    loops: u32,
}

impl Writer {
    fn program(seed: u64) -> String {
        let mut writer = Writer { random: Random(seed * 7919 + 13), text: String::new(), marks: 0, loops: 0 };
        writer.text += "unsigned marks;\nint f(int a, int b) {\n";
        writer.text +=
            "    int x = 1, y = a, t[4] = {0, 1, 2, 3}, *p = &x;\n    unsigned char c = 3;\n    unsigned u = 5;\n";
        writer.text += "    marks = 0;\n";
        for _ in 0..5 {
            writer.statement(1);
        }
        writer.text += "    return x;\n}\n";
        writer.text
    }

    fn indent(&mut self, depth: usize) {
        self.text += &"    ".repeat(depth);
    }

    fn line(&mut self, depth: usize, line: &str) {
        self.indent(depth);
        self.text += line;
        self.text.push('\n');
    }

    fn mark(&mut self, depth: usize) {
        if self.marks < MARKS {
            let line = format!("marks |= {}u;", 1 << self.marks);
            self.marks += 1;
            self.line(depth, &line);
        }
    }

    fn value(&mut self) -> String {
        match self.random.below(8) {
            0 => self.random.below(10).to_string(),
            1 => format!("t[{} & 3]", self.random.pick(&["x", "y", "a", "(int)u"])),
            2 => "*p".to_owned(),
            3 => "(int)(u & 15)".to_owned(),
            _ => self.random.pick(&["x", "y", "a", "b", "c"]).to_owned(),
        }
    }

    fn expression(&mut self) -> String {
        let (a, b) = (self.value(), self.value());
        match self.random.below(7) {
            0 => format!("{a} + {b}"),
            1 => format!("{a} - {b}"),
            2 => format!("({a} & 7) * {b}"),
            3 => format!("{a} % {}", 2 + self.random.below(4)),
            4 => format!("({a} ^ {b})"),
            5 => format!("({a} < {b} ? {a} : {b})"),
            _ => a,
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.expression(), self.value());
        let op = self.random.pick(&["<", "<=", "==", "!=", ">", ">="]);
        let first = format!("{a} {op} {b}");
        match self.random.below(4) {
            0 => format!("{first} && {} > {}", self.value(), self.random.below(6)),
            1 => format!("{first} || {} == {}", self.value(), self.random.below(6)),
            _ => first,
        }
    }

    fn statement(&mut self, depth: usize) {
        match self.random.below(if depth > 3 { 6 } else { 10 }) {
            0..=1 => {
                let target = self.random.pick(&["x", "y", "c"]);
                let line = format!("{target} = {};", self.expression());
                self.line(depth, &line);
            }
            2 => {
                let line = format!("t[{} & 3] = {};", self.value(), self.expression());
                self.line(depth, &line);
            }
            3 => {
                let line = format!("p = {};", self.random.pick(&["&x", "&y", "&t[1]", "&t[a & 3]"]));
                self.line(depth, &line);
            }
            4 => {
                let line = format!("*p = {};", self.expression());
                self.line(depth, &line);
            }
            5 => {
                let line = format!("u = u * 3 + (unsigned){};", self.value());
                self.line(depth, &line);
            }
            6 | 7 => self.choice(depth),
            _ => self.repetition(depth),
        }
    }

    fn choice(&mut self, depth: usize) {
        let head = format!("if ({}) {{", self.condition());
        self.line(depth, &head);
        self.statement(depth + 1);
        self.mark(depth + 1);
        self.line(depth, "} else {");
        self.statement(depth + 1);
        self.line(depth, "}");
    }

    fn repetition(&mut self, depth: usize) {
        let number = self.loops;
        self.loops += 1;
        let bound = self.random.pick(&["a", "b", "3", "(x & 3)", "a + b"]);
        let extra = if self.random.below(3) == 0 { format!(" && {}", self.condition()) } else { String::new() };
        let head = format!("for (int i{number} = 0; i{number} < {bound}{extra}; i{number}++) {{");
        self.line(depth, &head);
        self.statement(depth + 1);
        if self.random.below(3) == 0 {
            let leave = format!("if ({}) break;", self.condition());
            self.line(depth + 1, &leave);
        }
        self.line(depth, "}");
        let after = format!("if ({}) {{", self.condition());
        self.line(depth, &after);
        self.mark(depth + 1);
        self.line(depth, "}");
    }
}

/// What interpreting an input shows: the marks and the result; `None` if something undefined happens.
fn observe(interpreter: &Interpreter<'_>, input: &Input) -> Option<(u32, i32)> {
    let run = interpreter.run(input).ok()?;
    let Outcome::Returned(Some(result)) = run.outcome else { return None };
    let bytes: [u8; 4] = run.observation.globals[0][..4].try_into().ok()?;
    Some((u32::from_le_bytes(bytes), result.signed() as i32))
}

fn all_inputs() -> Vec<Input> {
    let content = |number: i32| Content { bytes: number.to_le_bytes().to_vec(), pointers: Vec::new() };
    let pair = |a| INPUTS.map(move |b| Input { arguments: vec![content(a), content(b)], ..Input::default() });
    INPUTS.flat_map(pair).collect()
}

/// The places that leave marks, by the number of the mark.
fn marks(loaded: &Loaded, id: FunctionId, global: GlobalId) -> Vec<(u32, Point)> {
    let mut found = Vec::new();
    for (block, data) in loaded.program.functions[id].blocks.iter() {
        for (position, inst) in data.insts.iter().enumerate() {
            let is_mark = matches!(inst.kind, InstKind::Store { to: Operand::Global(to, 0), .. } if to == global);
            let before = data.insts[..position].iter().rev();
            let or = before.clone().find_map(|inst| match inst.kind {
                InstKind::Binary { op: clew_scalar::BinaryOp::Or, b: Operand::Const(value), .. } => Some(value.bits),
                _ => None,
            });
            if let (true, Some(bits)) = (is_mark, or) {
                found.push(((bits as u32).trailing_zeros(), Point { function: id, block, position }));
            }
        }
    }
    found
}

/// Compares what is said of one program with what all its inputs do; gives how many goals were decided, and all.
fn compare(seed: u64) -> (usize, usize) {
    let text = Writer::program(seed);
    let mut loaded = load_preprocessed(vec![Preprocessed::plain("random.c", &text)]);
    assert!(!loaded.has_errors(), "{:?}\n{text}", loaded.diagnostics);
    let id = loaded.program.function("f").expect("the function is there");
    let mut precondition = Precondition::default();
    for name in ["a", "b"] {
        let text = format!("{} <= {name} < {}", INPUTS.start, INPUTS.end);
        precondition.clauses.push(contract::precondition(&mut loaded.program, id, &text).expect("it fits"));
    }
    let global = loaded.program.globals.iter().find(|(_, data)| data.name == "marks").expect("it is there").0;
    let places = marks(&loaded, id, global);
    let result = contract::postcondition(&mut loaded.program, id, "\\result < 4").expect("it fits").predicate;
    let mut goals: Vec<Goal> =
        places.iter().map(|(_, point)| Goal { site: Site::Points(vec![*point]), wanted: Wanted::Arrival }).collect();
    goals.push(Goal { site: Site::Return, wanted: Wanted::Fails { assumes: Vec::new(), predicate: result } });
    let image = Image::new(&loaded.program, Checks::ALL);
    let mut interpreter = Interpreter::new(&image, id);
    interpreter.observe = vec![global];
    let seen: Vec<(u32, i32)> = all_inputs().iter().filter_map(|input| observe(&interpreter, input)).collect();
    let does = |goal: usize, (mask, result): (u32, i32)| match places.get(goal) {
        Some((mark, _)) => mask >> mark & 1 == 1,
        None => result >= 4,
    };
    let options = facts::Options { requires: precondition.clauses.clone(), ..facts::Options::default() };
    let known = facts(&loaded.program, id, &options);
    for (index, goal) in goals.iter().enumerate() {
        let claimed = goal::known(&loaded.program, id, &known, goal).is_some();
        let done = seen.iter().any(|seen| does(index, *seen));
        assert!(!(claimed && done), "program {seed}, goal {index}: a fact is contradicted\n{text}");
    }
    let deadline = Some(Instant::now() + Duration::from_secs(10));
    let config = Config { errors: Errors::AssumeAbsent, deadline, ..Config::default() };
    let verdicts = goal::pursue(&loaded.program, id, &precondition, &config, &goals, &mut |goal, explored| {
        let shown = observe(&interpreter, &explored.input);
        assert!(shown.is_some_and(|shown| does(goal, shown)), "program {seed}, goal {goal}: {explored:?}\n{text}");
        true
    });
    let verdicts = verdicts.expect("the precondition can be used");
    for (index, verdict) in verdicts.iter().enumerate() {
        let done = seen.iter().any(|seen| does(index, *seen));
        let claimed = matches!(verdict, Verdict::Infeasible(_));
        assert!(!(claimed && done), "program {seed}, goal {index}: called infeasible\n{text}");
    }
    let open = verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Unknown(_))).count();
    (verdicts.len() - open, verdicts.len())
}

#[test]
fn nothing_possible_is_called_infeasible() {
    let count = std::env::var("CLEW_GOALS").ok().and_then(|number| number.parse().ok()).unwrap_or(20);
    let first = std::env::var("CLEW_GOALS_FROM").ok().and_then(|number| number.parse().ok()).unwrap_or(0);
    let (mut decided, mut all) = (0, 0);
    for seed in first..first + count {
        let (some, whole) = compare(seed);
        decided += some;
        all += whole;
    }
    assert!(decided > 0 && all >= decided, "{decided} of {all} goals decided");
}
