//! A native program that tries a relation on many inputs: all of a domain, or some at random.
//!
//! It includes the source of the function, the harness, and a loop over digits: each number and each element of an array
//! is a digit with a lowest value and a span. Numbers that say how many elements there are come last, and the first digit
//! changes fastest. What is found is written to standard output, whatever the function under test writes goes nowhere.

use super::harness::{Check, Extra, Harness};
use super::kinds::declared;
use super::subject::{Shape, Slot, Subject, format};
use crate::ctext::spell;
use crate::select::refusal;
use clew_execute::native::Workspace;
use clew_frontend::{Build, Diagnostic, Loaded};
use clew_ir::{CType, CTypeId, Program, UnitId};
use clew_mutation::Mutants;
use clew_scalar::Format;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The most inputs that are tried exhaustively.
pub const MOST_INPUTS: u128 = 4_000_000_000;

/// Conditions that one try of a mutant may evaluate.
const WORK: u32 = 100_000;

/// The part of the driver that is the same for all.
const LOOP: &str = include_str!("driver.c");

/// What comes before it: floats by their places.
const FLOATS: &str = include_str!("floats.c");

/// What is tried.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The program, without a harness.
    pub loaded: &'a Loaded,
    /// The inputs.
    pub subject: &'a Subject,
    /// The harness, or none for a relation in C.
    pub harness: Option<&'a Harness>,
    /// Which function of the harness.
    pub check: Option<&'a Check>,
    /// Functions whose calls are told.
    pub called: &'a [Subject],
    /// The most elements of arrays whose length is an input.
    pub length: u32,
    /// Mutants of a function in the same file, to be measured.
    pub mutants: Option<&'a Mutants>,
}

/// On how many inputs a mutant violates a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violations {
    /// Its number.
    pub mutant: u32,
    /// Inputs on which the relation was tried.
    pub tried: u64,
    /// Inputs on which a call was undefined or did not end.
    pub undefined: u64,
    /// Inputs on which it is violated.
    pub violated: u64,
}

/// A number that an input is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// Least value.
    pub low: i128,
    /// Greatest value.
    pub high: i128,
    /// Whether it says how many elements there are.
    counts: bool,
    /// The format of a float, of which it is the place in the order of all floats.
    pub float: Option<Format>,
}

impl Digit {
    /// The bits of a value.
    pub fn bits(&self, value: i128) -> u128 {
        self.float.map_or(value as u128, |format| format.from_ordered(value))
    }

    /// A value for the reader.
    pub fn told(&self, value: i128) -> String {
        match self.float {
            Some(Format::SINGLE) => format!("{:?}", f32::from_bits(self.bits(value) as u32)),
            Some(_) => format!("{:?}", f64::from_bits(self.bits(value) as u64)),
            None => value.to_string(),
        }
    }
}

/// A native program that tries a relation.
#[derive(Debug)]
pub struct Driver {
    workspace: Workspace,
    binary: PathBuf,
    /// The digits of an input.
    pub digits: Vec<Digit>,
    /// Whether floats are drawn evenly from their interval, not from the values that can be represented.
    pub by_length: bool,
}

/// Which inputs are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// All of them.
    All,
    /// So many, drawn with this seed.
    Random(u64, u64),
    /// The least one, with its calls told.
    Show,
    /// So many, drawn with this seed and not tried: only told.
    Draw(u64, u64),
}

/// What came of trying.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Inputs on which the relation was tried.
    pub inputs: u64,
    /// Inputs that the precondition does not allow.
    pub rejected: u64,
    /// Inputs on which a call was undefined, as far as that shows in a native program.
    pub undefined: u64,
    /// How it ended.
    pub end: End,
    /// The calls, where they were told.
    pub calls: Vec<String>,
}

/// How trying ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// The relation holds on every input tried.
    #[default]
    Holds,
    /// It does not on the input with these digits.
    Violated(Vec<i128>),
    /// The domain is not closed: that input is called outside of it.
    NotClosed(Vec<i128>),
    /// Time ran out at that input.
    Time(Vec<i128>),
}

impl Driver {
    /// Builds it.
    ///
    /// # Errors
    /// When an input has no form that could be tried, or the compiler refuses.
    pub fn build(plan: &Plan<'_>) -> Result<Driver, Box<Diagnostic>> {
        let digits = digits(plan)?;
        let text = text(plan, &digits)?;
        let failed =
            |error: std::io::Error| refusal(format!("cannot write a program that tries the relation: {error}"));
        let workspace = Workspace::new().map_err(failed)?;
        let source = workspace.path().join("driver.c");
        let binary = workspace.path().join("driver");
        std::fs::write(&source, text).map_err(failed)?;
        compile(plan, &source, &binary)?;
        Ok(Driver { workspace, binary, digits, by_length: false })
    }

    /// How many inputs there are at most.
    pub fn size(&self) -> u128 {
        let spans = self.digits.iter().map(|digit| u128::try_from(digit.high - digit.low + 1).unwrap_or(0));
        spans.fold(1, u128::saturating_mul)
    }

    /// Tries inputs whose digits lie in these ranges, for so many seconds at most.
    ///
    /// # Errors
    /// When the program cannot be run.
    pub fn run(&self, mode: Mode, ranges: &[(i128, i128)], seconds: u32) -> Result<Tried, Box<Diagnostic>> {
        if ranges.iter().any(|(low, high)| low > high) {
            return Ok(Tried::default());
        }
        let (name, count, seed) = match mode {
            Mode::All => ("all", 0, 0),
            Mode::Random(count, seed) => ("random", count, seed),
            Mode::Show => ("show", 0, 0),
            Mode::Draw(count, seed) => ("draw", count, seed),
        };
        let output = self.start(name, (count, seed), ranges, seconds)?;
        self.read(&String::from_utf8_lossy(&output.stdout)).ok_or_else(|| {
            refusal(format!("the program that tries the relation ended with {} and said nothing", output.status))
        })
    }

    /// Counts on how many inputs each mutant violates the relation: of all inputs, or of so many drawn with a seed. Those
    /// for which there was no time are left out.
    ///
    /// # Errors
    /// When the program cannot be run.
    pub fn measure(&self, drawn: Option<(u64, u64)>, seconds: u32) -> Result<Vec<Violations>, Box<Diagnostic>> {
        let (count, seed) = drawn.unwrap_or((0, 0));
        let output = self.start("measure", (count, seed), &self.ranges(), seconds)?;
        let said = String::from_utf8_lossy(&output.stdout);
        let read = |line: &str| {
            let mut words = line.strip_prefix('#')?.split(' ');
            let mutant = words.next()?.parse().ok()?;
            let mut number = || words.next()?.parse::<u64>().ok();
            Some(Violations { mutant, tried: number()?, undefined: number()?, violated: number()? })
        };
        Ok(said.lines().filter_map(read).collect())
    }

    fn start(
        &self,
        mode: &str,
        (count, seed): (u64, u64),
        ranges: &[(i128, i128)],
        seconds: u32,
    ) -> Result<Output, Box<Diagnostic>> {
        let mut command = Command::new(&self.binary);
        command.current_dir(self.workspace.path()).stdin(Stdio::null()).stderr(Stdio::null());
        let mode = format!("{mode}{}", if self.by_length { ":length" } else { "" });
        command.args([mode, count.to_string(), seed.to_string(), seconds.max(1).to_string()]);
        for (low, high) in ranges {
            command.arg((*low as u64).to_string()).arg(((high - low) as u64).to_string());
        }
        command.output().map_err(|error| refusal(format!("cannot run it: {error}")))
    }

    /// Understands what the program says.
    fn read(&self, said: &str) -> Option<Tried> {
        let mut tried = Tried::default();
        let mut is_whole = false;
        for line in said.lines() {
            let Some(rest) = line.strip_prefix('@') else {
                tried.calls.push(line.to_owned());
                continue;
            };
            is_whole = true;
            let mut words = rest.split(' ');
            let end = words.next()?;
            let mut number = || words.next()?.parse::<u64>().ok();
            (tried.inputs, tried.rejected, tried.undefined) = (number()?, number()?, number()?);
            let digits: Vec<i128> = words.zip(&self.digits).map(|(word, digit)| value(word, digit)).collect();
            tried.end = match end {
                "violated" => End::Violated(digits),
                "open" => End::NotClosed(digits),
                "time" => End::Time(digits),
                _ => End::Holds,
            };
        }
        is_whole.then_some(tried)
    }

    /// The ranges of all digits.
    pub fn ranges(&self) -> Vec<(i128, i128)> {
        self.digits.iter().map(|digit| (digit.low, digit.high)).collect()
    }

    /// The first violation among small inputs, in the order of the papers, if there is one.
    ///
    /// # Errors
    /// When the program cannot be run.
    pub fn smallest(&self, most: u128) -> Result<Option<Vec<i128>>, Box<Diagnostic>> {
        if self.digits.iter().any(|digit| digit.float.is_some()) {
            return Ok(None);
        }
        let mut reach: i128 = 1;
        loop {
            let near = |digit: &Digit| {
                let low = 0.clamp(digit.low, digit.high.max(digit.low));
                (low, low.saturating_add(reach).min(digit.high))
            };
            let ranges: Vec<(i128, i128)> = self.digits.iter().map(near).collect();
            let size =
                ranges.iter().fold(1_u128, |size, (low, high)| size.saturating_mul((high - low + 1).max(0) as u128));
            if size > most {
                return Ok(None);
            }
            if let End::Violated(digits) = self.run(Mode::All, &ranges, 5)?.end {
                return Ok(Some(digits));
            }
            if ranges.iter().zip(&self.digits).all(|(range, digit)| range.1 == digit.high) {
                return Ok(None);
            }
            reach = reach * 2 + 1;
        }
    }
}

impl Driver {
    /// The digits of an input that the program told of in one line.
    pub fn told(&self, line: &str) -> Vec<i128> {
        line.split_whitespace().zip(&self.digits).map(|(word, digit)| value(word, digit)).collect()
    }
}

/// A digit by its 64 bits.
fn value(word: &str, digit: &Digit) -> i128 {
    let bits: u64 = word.parse().unwrap_or_default();
    if digit.low < 0 { i128::from(bits as i64) } else { i128::from(bits) }
}

/// The inputs besides those of the function.
fn extras(plan: &Plan<'_>) -> Vec<Extra> {
    plan.check.iter().flat_map(|check| &check.extra).cloned().collect()
}

/// The digits of an input, slot by slot.
fn digits(plan: &Plan<'_>) -> Result<Vec<Digit>, Box<Diagnostic>> {
    let (program, subject) = (&plan.loaded.program, plan.subject);
    let mut all = Vec::new();
    for (index, slot) in subject.slots.iter().enumerate() {
        let counts =
            subject.slots.iter().any(|it| matches!(&it.shape, Shape::Array { extent, .. } if *extent == slot.name));
        let ty = match &slot.shape {
            Shape::Scalar | Shape::Opaque => slot.ty,
            Shape::Array { element, .. } => *element,
        };
        let float = format(program, ty);
        let mut digit = match subject.interval(program, index) {
            Some((low, high)) => Digit { low, high, counts, float },
            None => return Err(refusal(format!("values of `{}` cannot be tried natively", slot.name))),
        };
        if counts {
            digit.low = digit.low.max(0);
            digit.high = digit.high.min(i128::from(plan.length));
        }
        let number = match &slot.shape {
            Shape::Scalar | Shape::Opaque => 1,
            Shape::Array { extent, .. } => extent.parse().unwrap_or(plan.length),
        };
        all.extend(std::iter::repeat_n(digit, number as usize));
    }
    let positions = extras(plan).iter().filter(|extra| extra.like.is_none()).count() as i128;
    for Extra { name, ty, like } in extras(plan) {
        let is_position = like.is_none();
        let of = like;
        let float = format(program, ty);
        let digit = match of.and_then(|of| subject.interval(program, of)) {
            _ if is_position => Digit { low: 0, high: positions.max(1) - 1, counts: false, float: None },
            Some((low, high)) => Digit { low, high, counts: false, float },
            None => return Err(refusal(format!("values of `{name}` cannot be tried natively"))),
        };
        all.push(digit);
    }
    Ok(all)
}

/// The text of the program.
fn text(plan: &Plan<'_>, digits: &[Digit]) -> Result<String, Box<Diagnostic>> {
    let program = &plan.loaded.program;
    let unit = program.functions[plan.subject.id].span.unit;
    let mut wrappers = "extern int dprintf(int, const char *, ...);\nstatic int clew_out, clew_told;\n".to_owned();
    let mut known = BTreeSet::new();
    for subject in plan.called.iter().filter(|subject| known.insert(subject.id)) {
        wrappers += &shown(program, subject);
    }
    let mut text = "#define main clew_own_main\n".to_owned();
    let check = match (plan.harness, plan.check) {
        (Some(harness), Some(check)) => {
            text += &match plan.mutants {
                None => format!("#include \"{}\"\n", source_of(plan.loaded, unit).display()),
                Some(mutants) => with_mutants(plan.loaded, unit, mutants)?,
            };
            text += "#undef main\n";
            text += &wrappers;
            text += &harness.text(|name| format!("clew_shown_{name}"));
            &check.name
        }
        _ => {
            text += &told(plan, unit, &wrappers);
            text += "\n#undef main\n";
            &plan.subject.name
        }
    };
    text += &format!("enum {{ CLEW_DIGITS = {} }};\n", digits.len().max(1));
    text += "static unsigned long long clew_low[CLEW_DIGITS], clew_span[CLEW_DIGITS], clew_at[CLEW_DIGITS];\n";
    let widths = digits.iter().map(|digit| format!("{}, ", digit.float.map_or(0, Format::width)));
    let _ = writeln!(text, "static const unsigned char clew_float[] = {{ {}0 }};", widths.collect::<String>());
    text += FLOATS;
    text += &run(plan, check)?;
    text += &order(plan, digits);
    text += LOOP;
    Ok(text)
}

/// The text of a unit with mutants, and what selects them.
fn with_mutants(loaded: &Loaded, unit: UnitId, mutants: &Mutants) -> Result<String, Box<Diagnostic>> {
    let texts = mutants.texts(&loaded.program).ok_or_else(|| refusal("its mutants cannot be written".to_owned()))?;
    let mut text = texts.texts[unit.index()].clone();
    if unit.index() > 0 {
        let _ = writeln!(text, "struct __clew_choice {};", clew_mutation::CHOICE);
    }
    let _ = writeln!(text, "int __clew_condition(unsigned place, int value) {{ (void)place; return value; }}");
    let _ = writeln!(text, "#define CLEW_MUTANTS {}u\n#define CLEW_WORK {WORK}u", mutants.list.len());
    Ok(text)
}

/// The text of a unit in which a relation in C calls functions that tell of their calls.
fn told(plan: &Plan<'_>, unit: UnitId, wrappers: &str) -> String {
    let program = &plan.loaded.program;
    let (text, function) = (&program.sources.units[unit].text, &program.functions[plan.subject.id]);
    let (start, body) = (function.span.start.min(function.body.start) as usize, function.body);
    let start = text[..start].rfind(['}', ';']).map_or(0, |at| at + 1);
    // A line marker or a comment may follow on the same line; the wrappers stand on lines of their own.
    let start = text[start..].find('\n').map_or(start, |at| start + at + 1).min(function.span.start as usize);
    let (from, to) = (body.start as usize, body.end as usize);
    let mut out = format!("{}\n{wrappers}\n{}", &text[..start], &text[start..from]);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut is_text = false;
    for piece in text[from..to].split_inclusive(|c: char| !is_word(c)) {
        let word = piece.trim_end_matches(|c: char| !is_word(c));
        let is_called = !is_text && plan.called.iter().any(|subject| subject.name == word);
        out += if is_called { "clew_shown_" } else { "" };
        out += piece;
        is_text ^= piece.ends_with('"');
    }
    out + &text[to..]
}

/// A function that tells of its calls where it is asked to.
fn shown(program: &Program, subject: &Subject) -> String {
    let params: Vec<String> = subject.slots.iter().map(|slot| super::harness::parameter(program, slot)).collect();
    let names: Vec<&str> = subject.slots.iter().map(|slot| slot.name.as_str()).collect();
    let (name, params) = (&subject.name, if params.is_empty() { "void".to_owned() } else { params.join(", ") });
    let own = format!("clew_shown_{name}({params})");
    let head = subject.result.map_or_else(|| format!("void {own}"), |ty| declared(program, ty, &own));
    let mut text = format!("static {head}\n{{\n");
    if let Some(ty) = subject.result {
        let _ = writeln!(text, "    {};", declared(program, ty, "clew_result"));
    }
    let _ = writeln!(text, "    if (clew_told) {{\n    dprintf(clew_out, \"{name}(\");");
    for (at, slot) in subject.slots.iter().enumerate() {
        text += if at > 0 { "    dprintf(clew_out, \", \");\n" } else { "" };
        text += &printed(program, slot);
    }
    let assign = if subject.result.is_some() { "clew_result = " } else { "" };
    let _ = writeln!(text, "    dprintf(clew_out, \")\");\n    }}\n    {assign}{name}({});", names.join(", "));
    text += "    if (clew_told) {\n";
    if let Some(ty) = subject.result {
        let _ = writeln!(text, "    dprintf(clew_out, \" = \"); {}", print(program, ty, "clew_result"));
    }
    for slot in &subject.slots {
        if matches!(slot.shape, Shape::Array { is_written: true, .. }) {
            let _ = writeln!(text, "    dprintf(clew_out, \"; {} = \"); {}", slot.name, printed(program, slot));
        }
    }
    text += "    dprintf(clew_out, \"\\n\");\n    }\n";
    text + if subject.result.is_some() { "    return clew_result;\n}\n" } else { "}\n" }
}

/// Prints an input.
fn printed(program: &Program, slot: &Slot) -> String {
    match &slot.shape {
        Shape::Scalar => format!("    {}\n", print(program, slot.ty, &slot.name)),
        Shape::Opaque => format!("    dprintf(clew_out, \"{}\");\n", slot.name),
        Shape::Array { element, extent, .. } => {
            let value = super::harness::element(program, slot, "clew_i");
            format!(
                "    {{ long long clew_i; dprintf(clew_out, \"{{\"); for (clew_i = 0; clew_i < (long long)({extent}); clew_i++) {{ if (clew_i) dprintf(clew_out, \", \"); {} }} dprintf(clew_out, \"}}\"); }}\n",
                print(program, *element, &value)
            )
        }
    }
}

/// Prints a number.
fn print(program: &Program, ty: CTypeId, value: &str) -> String {
    match program.ctypes.get(ty) {
        CType::Float { .. } => format!("dprintf(clew_out, \"%.17g\", (double)({value}));"),
        CType::Int { signed: false, .. } | CType::Void => {
            format!("dprintf(clew_out, \"%llu\", (unsigned long long)({value}));")
        }
        _ => format!("dprintf(clew_out, \"%lld\", (long long)({value}));"),
    }
}

/// The function that makes an input of its digits and tries it.
fn run(plan: &Plan<'_>, check: &str) -> Result<String, Box<Diagnostic>> {
    let (program, subject) = (&plan.loaded.program, plan.subject);
    let mut text = "static int clew_allowed, clew_drawing;\nstatic int clew_try(void)\n{\n".to_owned();
    let mut names = Vec::new();
    let (mut at, mut fill) = (0, String::new());
    let scalar = |text: &mut String, fill: &mut String, ty: CTypeId, name: &str, at: usize| {
        let value = format!("clew_low[{at}] + clew_at[{at}]");
        if let Some(format) = format(program, ty) {
            let _ = writeln!(text, "    {};", declared(program, ty, name));
            let _ = writeln!(
                fill,
                "    {{ unsigned long long clew_b = clew_bits({value}, {}); __builtin_memcpy(&{name}, &clew_b, sizeof {name}); }}",
                format.width()
            );
        } else {
            let ty = declared(program, ty, "");
            let _ = writeln!(text, "    {ty} {name} = ({ty})({value});");
        }
    };
    for slot in &subject.slots {
        names.push(slot.name.clone());
        match &slot.shape {
            Shape::Scalar | Shape::Opaque => {
                scalar(&mut text, &mut fill, slot.ty, &slot.name, at);
                at += 1;
            }
            Shape::Array { element, extent, .. } => {
                let number = extent.parse().unwrap_or(plan.length) as usize;
                let (name, ty) = (&slot.name, declared(program, *element, ""));
                let pointee = spell::unqualified(&program.ctypes, *element);
                let _ = writeln!(
                    text,
                    "    static {};",
                    declared(program, pointee, &format!("clew_of_{name}[{}]", number.max(1)))
                );
                let _ = writeln!(text, "    {} = clew_of_{name};", declared_pointer(program, slot));
                let element = if let Some(format) = format(program, *element) {
                    format!(
                        "unsigned long long clew_b = clew_bits(clew_low[{at} + clew_i] + clew_at[{at} + clew_i], {}); __builtin_memcpy(&clew_of_{name}[clew_i], &clew_b, sizeof clew_of_{name}[clew_i]);",
                        format.width()
                    )
                } else {
                    format!("clew_of_{name}[clew_i] = ({ty})(clew_low[{at} + clew_i] + clew_at[{at} + clew_i]);")
                };
                let _ = writeln!(
                    fill,
                    "    {{ int clew_i; for (clew_i = 0; clew_i < {number}; clew_i++) {{ {element} }} }}"
                );
                at += number;
            }
        }
    }
    for Extra { name, ty, .. } in extras(plan) {
        scalar(&mut text, &mut fill, ty, &name, at);
        names.push(name);
        at += 1;
    }
    text += &fill;
    if let Some(guard) = subject.guard(program)? {
        let _ = writeln!(text, "    clew_allowed = {guard};\n    if (!clew_allowed) return 1;");
    } else {
        text += "    clew_allowed = 1;\n";
    }
    let call = format!("{check}({})", names.join(", "));
    let gives = plan.check.is_some() || super::gives_truth(program, subject.id);
    text += "    if (clew_drawing) return 1;\n";
    text += &if gives { format!("    return {call};\n}}\n") } else { format!("    {call};\n    return 1;\n}}\n") };
    Ok(text)
}

/// A pointer variable with the type of a parameter.
fn declared_pointer(program: &Program, slot: &Slot) -> String {
    let ty = spell::unqualified(&program.ctypes, slot.ty);
    spell::declare(&program.ctypes, ty, &slot.name).expect("pointers to numbers have a spelling")
}

/// In which order digits change, and which are of elements that are not there.
fn order(plan: &Plan<'_>, digits: &[Digit]) -> String {
    let (last, first): (Vec<usize>, Vec<usize>) = (0..digits.len()).partition(|at| digits[*at].counts);
    let order: Vec<String> = first.iter().chain(&last).map(ToString::to_string).collect();
    let drawn: Vec<String> = last.iter().chain(&first).map(ToString::to_string).collect();
    let mut text = format!("static const int clew_order[] = {{ {}, -1 }};\n", order.join(", ")).replace("{ ,", "{");
    text += &format!("static const int clew_drawn[] = {{ {}, -1 }};\n", drawn.join(", ")).replace("{ ,", "{");
    text += "static int clew_is_there(int digit)\n{\n    switch (digit) {\n";
    let slots = &plan.subject.slots;
    let mut starts = Vec::new();
    let mut at = 0;
    for slot in slots {
        starts.push(at);
        at += match &slot.shape {
            Shape::Scalar | Shape::Opaque => 1,
            Shape::Array { extent, .. } => extent.parse().unwrap_or(plan.length) as usize,
        };
    }
    for (slot, start) in slots.iter().zip(&starts) {
        let Shape::Array { extent, .. } = &slot.shape else { continue };
        let Some(counter) = plan.subject.position(extent) else { continue };
        let counter = starts[counter];
        for element in 0..plan.length as usize {
            let digit = start + element;
            let _ = writeln!(
                text,
                "    case {digit}: return {element} < (long long)(clew_low[{counter}] + clew_at[{counter}]);"
            );
        }
    }
    text + "    default: return 1;\n    }\n}\n"
}

/// The source file of a unit, from the root.
fn source_of(loaded: &Loaded, unit: clew_ir::UnitId) -> PathBuf {
    let build = loaded.builds.get(unit.index()).and_then(Option::as_ref);
    let path = build.map_or_else(|| PathBuf::from(&loaded.program.sources.units[unit].path), Build::path);
    std::fs::canonicalize(&path).unwrap_or(path)
}

/// Compiles the program with the flags of the unit.
fn compile(plan: &Plan<'_>, source: &Path, binary: &Path) -> Result<(), Box<Diagnostic>> {
    let loaded = plan.loaded;
    let home = loaded.program.functions[plan.subject.id].span.unit;
    let build = loaded.builds.get(home.index()).and_then(Option::as_ref);
    let words = build.map_or_else(|| vec!["cc".to_owned()], |build| build.compiler.clone());
    let run = |flags: &[&str]| {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        if let Some(build) = build {
            command.args(&build.flags);
            if let Some(directory) = &build.directory {
                command.current_dir(directory);
            }
        }
        command.args(["-O2", "-w", "-fno-strict-aliasing"]).args(flags).arg("-o").arg(binary).arg(source);
        for unit in loaded.program.sources.units.ids().filter(|unit| *unit != home) {
            if loaded.builds.get(unit.index()).is_some_and(Option::is_some) {
                command.arg(source_of(loaded, unit));
            }
        }
        command.arg("-lm").output().map_err(|error| refusal(format!("cannot start the compiler: {error}")))
    };
    // What is undefined traps, so that its results count for nothing.
    if run(&["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"])?.status.success() {
        return Ok(());
    }
    let output = run(&["-fwrapv"])?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line =
        said.lines().find(|line| line.contains("error")).unwrap_or_else(|| said.lines().next().unwrap_or_default());
    Err(refusal(format!("the program that tries the relation cannot be compiled: {line}")))
}
