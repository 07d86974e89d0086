//! Random loops over small machine integers that wrap around: neither an invariant that is found nor anything else excludes
//! what an input does; no loop that some input keeps running is said to end, and none that ends to go on for ever.

use super::{STEPS, shown_result};
use clew_execute::{Checks, Content, Image, Input, Interpreter, Outcome};
use clew_frontend::{Preprocessed, contract, load_preprocessed};
use clew_prove::termination::{Ends, cycles, terminates};
use clew_prove::{self as goal, Goal, Site, Verdict, Wanted};
use clew_solver::clock::Deadline;
use clew_symbolic::Precondition;
use clew_symbolic::config::{Config, Errors, Limits};
use clew_testing::Random;
use std::time::Duration;

/// Heads of loops.
const HEADS: &[&str] = &[
    "for (int i = 0; i < 5; i++)",
    "for (int i = 0; i < b; i++)",
    "for (int i = 0; i < a; i++)",
    "for (signed char i = a; i > 0; i--)",
    "for (unsigned char i = 0; i != 250; i += 10)",
    "for (unsigned i = b; i > 0; i--)",
    "while (x < 10 && k++ < 20)",
    "while (c > 0 && k++ < 30)",
    "while (u < 200 && k++ < 60)",
    "while (y > x && k++ < 40)",
    "while (w != 0 && k++ < 40)",
];

/// What turns do.
const STEPS_OF_TURNS: &[&str] = &[
    "x++;",
    "x += b;",
    "y--;",
    "y += 2;",
    "u += 7;",
    "u -= 3;",
    "c++;",
    "c = (signed char)(c * 3);",
    "c = (signed char)(c + a);",
    "w *= 2;",
    "w += 0x40000000u;",
    "w -= x;",
    "x += u;",
    "y = x;",
    "x = c;",
    "if (x < y) x++; else y--;",
    "if (u > 100) x += 2;",
    "if (c < 0) y++;",
    "x += y;",
    "u = u * u;",
    "y = y / 2;",
    "x = x * 2 - y;",
];

/// What may be returned.
const RESULTS: &[&str] = &["x", "y", "u", "c", "x + y", "(int)(w & 255)", "x - y", "u + c"];

fn program(random: &mut Random) -> String {
    let mut text =
        "int f(signed char a, unsigned char b) {\n    int x = 0, y = a, k = 0;\n    signed char c = 5;\n    \
                    unsigned char u = b;\n    unsigned w = 1;\n"
            .to_owned();
    for _ in 0..1 + random.below(2_u64) {
        text += &format!("    {} {{\n", random.pick(HEADS));
        for _ in 0..1 + random.below(3_u64) {
            text += &format!("        {}\n", random.pick(STEPS_OF_TURNS));
        }
        if random.below(5_u64) == 0 {
            text += &format!(
                "        {} {{ {} }}\n",
                random.pick(&HEADS[..3]).replace('i', "j").replace("jnt", "int"),
                random.pick(STEPS_OF_TURNS)
            );
        }
        text += "    }\n";
    }
    text += &format!("    return {};\n}}\n", random.pick(RESULTS));
    text
}

/// Statements about results: some that hold of all of them, some that do not, some by chance.
fn statements(random: &mut Random, results: &[i32]) -> Vec<String> {
    let (least, most) = (results.iter().min().copied().unwrap_or(0), results.iter().max().copied().unwrap_or(0));
    vec![
        format!("\\result <= {most}"),
        format!("\\result >= {least}"),
        format!("\\result < {most}"),
        format!("\\result > {least}"),
        format!("\\result != {}", random.below(20_i32)),
        format!("\\result % 2 == {}", random.below(2_i32)),
        "\\result == \\old(a) * \\old(b)".to_owned(),
        "\\result <= \\old(a)".to_owned(),
        "\\result >= \\old(b) - 1".to_owned(),
        "\\result + \\old(a) != 3".to_owned(),
    ]
}

/// How goals are pursued.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// By invariants that are found.
    Invariants,
    /// In every way.
    Whole,
}

/// The arguments that are tried: all bytes, and some for the second one.
fn inputs(manner: Manner) -> Vec<(u8, u8)> {
    let second: &[u8] = match manner {
        Manner::Invariants => &[0, 1, 2],
        Manner::Whole => &[0, 1, 2, 3, 17, 50, 100, 127, 128, 200, 250, 254, 255],
    };
    (0..=255).flat_map(|a| second.iter().map(move |b| (a, *b))).collect()
}

/// Compares what is excluded in one program with what its inputs do; gives how much is excluded.
pub(super) fn compare(seed: u64, manner: Manner) -> usize {
    let mut random = Random(seed * 104_729 + 7);
    let text = program(&mut random);
    let mut loaded = load_preprocessed(vec![Preprocessed::plain("random.c", &text)]);
    assert!(!loaded.has_errors(), "{:?}\n{text}", loaded.diagnostics);
    let id = loaded.program.function("f").expect("the function is there");
    let image = Image::new(&loaded.program, Checks::ALL);
    let mut interpreter = Interpreter::new(&image, id);
    interpreter.limits.steps = STEPS / 20;
    let content = |byte: u8| Content { bytes: vec![byte], pointers: Vec::new() };
    let run = |(a, b): (u8, u8)| {
        let run = interpreter.run(&Input { arguments: vec![content(a), content(b)], ..Input::default() });
        Some((a as i8, b, shown_result(&run.expect("it can be run"))?))
    };
    let seen: Vec<(i8, u8, i32)> = inputs(manner).into_iter().filter_map(run).collect();
    let results: Vec<i32> = seen.iter().map(|(_, _, result)| *result).collect();
    let texts = statements(&mut random, &results);
    drop(interpreter);
    let mut precondition = Precondition::default();
    if manner == Manner::Invariants {
        precondition.clauses.push(contract::precondition(&mut loaded, id, "b < 3").expect("it fits"));
    }
    let goal = |text: &String| {
        let predicate = contract::postcondition(&mut loaded, id, text).expect("it fits").predicate;
        Goal { site: Site::Return, wanted: Wanted::Fails { assumes: Vec::new(), predicate } }
    };
    let goals: Vec<Goal> = texts.iter().map(goal).collect();
    let deadline = Deadline::default().or_work(Duration::from_secs(1));
    let config =
        Config { errors: Errors::AssumeAbsent, limits: Limits { deadline, ..Limits::default() }, ..Config::default() };
    let verdicts = match manner {
        Manner::Invariants => goal::pursue_by_invariants(&loaded.program, id, &precondition, &config, &goals),
        Manner::Whole => goal::pursue(&loaded.program, id, &precondition, &config, &goals, &mut |_, _| true),
    };
    let verdicts = verdicts.expect("the precondition can be used");
    for (index, verdict) in verdicts.iter().enumerate() {
        let holds = |(a, b, result): &(i8, u8, i32)| {
            let (a, b, result) = (i32::from(*a), i32::from(*b), *result);
            match index {
                0 => result <= results.iter().max().copied().unwrap_or(0),
                1 => result >= results.iter().min().copied().unwrap_or(0),
                2 => result < results.iter().max().copied().unwrap_or(0),
                3 => result > results.iter().min().copied().unwrap_or(0),
                4 => texts[4] != format!("\\result != {result}"),
                5 => texts[5] == format!("\\result % 2 == {}", result % 2),
                6 => result == a * b,
                7 => result <= a,
                8 => result >= b - 1,
                _ => result + a != 3,
            }
        };
        let wrong = seen.iter().find(|seen| !holds(seen));
        let claimed = matches!(verdict, Verdict::Infeasible(_));
        assert!(!claimed || wrong.is_none(), "program {seed}: {} by {verdict:?}, but {wrong:?}\n{text}", texts[index]);
    }
    verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Infeasible(_))).count()
}

/// Conditions of loops that nothing bounds but what turns do.
const CONDITIONS: &[&str] = &[
    "u != 7",
    "u > v",
    "u != v",
    "v > 0",
    "c > a",
    "c != d",
    "c < 100 && d > 0",
    "u + v > 20",
    "d != 0 || u > 9",
    "u",
];

/// What such turns do.
const TURNS: &[&str] = &[
    "u--;",
    "u++;",
    "v--;",
    "u -= 2;",
    "v += 3;",
    "u /= 2;",
    "v = v / 2;",
    "c++;",
    "c--;",
    "d--;",
    "d = (signed char)(d - c);",
    "c = (signed char)(c * 2);",
    "u = v;",
    "u &= 0xf0;",
    "if (u > 3) u--; else v--;",
    "if (v) v--; else { u--; v = b; }",
    "if (c < a) c++;",
    "if (d > 0) d--; else if (d < 0) d++;",
    "if (u > v) u -= v; else v--;",
    "while (v > 3) v -= 2;",
    "if (u == 9) break;",
];

fn endless_program(random: &mut Random) -> String {
    let mut text = "int f(signed char a, unsigned char b) {\n    signed char c = 0, d = a;\n    \
                    unsigned char u = b, v = 5;\n"
        .to_owned();
    text += &format!("    while ({}) {{\n", random.pick(CONDITIONS));
    for _ in 0..1 + random.below(3_u64) {
        text += &format!("        {}\n", random.pick(TURNS));
    }
    text + "    }\n    return u + c;\n}\n"
}

/// Compares what is said of the ends of loops in one program with what its inputs do; gives how many are said to end, and how
/// many not to.
pub(super) fn compare_ends(seed: u64) -> (usize, usize) {
    let mut random = Random(seed * 15_485_863 + 11);
    let text = endless_program(&mut random);
    let loaded = load_preprocessed(vec![Preprocessed::plain("random.c", &text)]);
    assert!(!loaded.has_errors(), "{:?}\n{text}", loaded.diagnostics);
    let id = loaded.program.function("f").expect("the function is there");
    let image = Image::new(&loaded.program, Checks::ALL);
    let run = |input: &Input, steps: u64| {
        let mut interpreter = Interpreter::new(&image, id);
        interpreter.limits.steps = steps;
        interpreter.run(input).expect("it can be run").outcome
    };
    let goes_on = |input: &Input, steps: u64| run(input, steps) == Outcome::StepLimit;
    let deadline = Deadline::default().or_work(Duration::from_secs(1));
    let config = Config { limits: Limits { deadline, ..Limits::default() }, ..Config::default() };
    let found = cycles(&loaded.program, id);
    let ends = terminates(&loaded.program, id, &Precondition::default(), &config, &found, &mut |_, explored| {
        goes_on(&explored.input, STEPS)
    });
    let ends = ends.expect("there is no precondition");
    let says = |is_it: fn(&Ends) -> bool| ends.iter().filter(|ends| is_it(ends)).count();
    let ending = says(|ends| matches!(ends, Ends::Ranked(_) | Ends::AllPaths));
    for endless in &ends {
        if let Ends::Endless(explored) = endless {
            assert!(goes_on(&explored.input, 100 * STEPS), "program {seed}: {:?} ends\n{text}", explored.input);
        }
    }
    if ending == ends.len() {
        let content = |byte: u8| Content { bytes: vec![byte], pointers: Vec::new() };
        for (a, b) in (0..=255).step_by(17).flat_map(|a| (0..=255).step_by(15).map(move |b| (a, b))) {
            let input = Input { arguments: vec![content(a), content(b)], ..Input::default() };
            let is_wrong = goes_on(&input, STEPS / 20) && goes_on(&input, 100 * STEPS);
            assert!(!is_wrong, "program {seed}: {ends:?}, but f({}, {b}) goes on\n{text}", a as i8);
        }
    }
    (ending, says(|ends| matches!(ends, Ends::Endless(_))))
}
