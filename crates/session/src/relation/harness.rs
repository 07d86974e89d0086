//! The text of a harness: C functions that call the function under test several times and compare.
//!
//! Every call has arrays of its own, filled from the inputs, and starts with the same values in the variables that the
//! calls change.

use super::subject::{Shape, Slot, Subject};
use crate::ctext::spell;
use clew_ir::{CType, CTypeId, Program};

/// Functions that check a relation.
#[derive(Clone, Debug)]
pub struct Harness {
    /// What stands before the functions: what they share.
    pub shared: String,
    /// The functions.
    pub checks: Vec<Check>,
    /// What holds of the inputs besides the contract, as ACSL.
    pub bounds: Vec<String>,
    /// What the reader should know.
    pub notes: Vec<String>,
    /// The functions that are called, for the driver's record.
    pub called: Vec<Subject>,
    /// Whether the generators of a group stand for all of it.
    pub by_generators: bool,
    /// The most elements of an array whose length is an input; `None` where there is none.
    pub length: Option<u32>,
}

/// One function of a harness: it returns [`super::HOLDS`], [`super::VIOLATED`] or [`super::NOT_CLOSED`].
#[derive(Clone, Debug)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// What it checks, for the reader.
    pub what: String,
    /// Inputs after those of the function under test.
    pub extra: Vec<Extra>,
    /// Its text, where calls are written `@NAME@(...)`.
    text: String,
}

/// An input of a harness besides those of the function under test.
#[derive(Clone, Debug)]
pub struct Extra {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: CTypeId,
    /// The input whose values it has; `None` for a position in an array.
    pub like: Option<usize>,
}

impl Harness {
    /// The same with one function more, which says whether all the others do that the relation holds.
    pub fn joined(&self, program: &Program) -> Harness {
        let (mut extra, subject) = (Vec::<Extra>::new(), &self.called[0]);
        for more in self.checks.iter().flat_map(|check| &check.extra) {
            if !extra.iter().any(|it| it.name == more.name) {
                extra.push(more.clone());
            }
        }
        let slots = subject.slots.iter().map(|slot| parameter(program, slot));
        let params: Vec<String> = slots.chain(extra.iter().map(|it| declare(program, it.ty, &it.name))).collect();
        let name = format!("{}_relation_as_a_whole", subject.name);
        let mut text = format!("\nint {name}({})\n{{\n    int clew_r;\n", params.join(", "));
        for check in &self.checks {
            let own = subject.slots.iter().map(|slot| slot.name.as_str());
            let passed: Vec<&str> = own.chain(check.extra.iter().map(|it| it.name.as_str())).collect();
            let call = format!("{}({})", check.name, passed.join(", "));
            text += &format!("    if ((clew_r = {call}) != {}) return clew_r;\n", super::HOLDS);
        }
        text += &format!("    return {};\n}}\n", super::HOLDS);
        let mut joined = self.clone();
        joined.checks.push(Check { name, what: String::new(), extra, text });
        joined
    }

    /// The whole text; calls go to `call(NAME)`.
    pub fn text(&self, call: impl Fn(&str) -> String) -> String {
        let mut text = self.shared.clone();
        for check in &self.checks {
            let mut pieces = check.text.split('@');
            text.push_str(pieces.next().unwrap_or_default());
            while let (Some(name), Some(after)) = (pieces.next(), pieces.next()) {
                text.push_str(&call(name));
                text.push_str(after);
            }
        }
        text
    }
}

/// Writes one function of a harness.
#[derive(Debug)]
pub(super) struct Builder<'a> {
    pub(super) program: &'a Program,
    pub(super) subject: &'a Subject,
    /// The variables that calls change.
    pub(super) saved: &'a [String],
    /// The most elements of an array whose length is an input.
    pub(super) length: u32,
    /// The function that says whether inputs are allowed.
    pub(super) guard: Option<&'a str>,
    declared: Vec<String>,
    body: Vec<String>,
    extra: Vec<Extra>,
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    /// An expression.
    Scalar(String),
    /// An array of its own, with this in element `c`.
    Array(String),
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        program: &'a Program,
        subject: &'a Subject,
        saved: &'a [String],
        length: u32,
        guard: Option<&'a str>,
    ) -> Builder<'a> {
        Builder { program, subject, saved, length, guard, declared: Vec::new(), body: Vec::new(), extra: Vec::new() }
    }

    /// A declaration of a variable.
    pub(super) fn declare(&self, ty: CTypeId, name: &str) -> String {
        declare(self.program, ty, name)
    }

    /// Adds a line.
    pub(super) fn line(&mut self, line: impl Into<String>) {
        self.body.push(line.into());
    }

    /// Adds a variable.
    pub(super) fn variable(&mut self, ty: CTypeId, name: &str) {
        let declaration = self.declare(ty, name);
        self.declared.push(declaration);
    }

    /// Adds an input.
    pub(super) fn input(&mut self, ty: CTypeId, name: &str, like: Option<usize>) {
        self.extra.push(Extra { name: name.to_owned(), ty, like });
    }

    /// How many elements the array of a slot has at most.
    pub(super) fn most(&self, extent: &str) -> u32 {
        extent.parse().unwrap_or(self.length)
    }

    /// The arguments of a call with the inputs as they are.
    pub(super) fn plain(&self) -> Vec<Argument> {
        let argument = |slot: &Slot| match slot.shape {
            Shape::Scalar | Shape::Opaque => Argument::Scalar(slot.name.clone()),
            Shape::Array { .. } => Argument::Array(element(self.program, slot, "c")),
        };
        self.subject.slots.iter().map(argument).collect()
    }

    /// Calls a function with slots like those of the subject; the result goes to `result`, arrays to `NAME_run`.
    pub(super) fn call(&mut self, callee: &str, run: &str, arguments: &[Argument], result: Option<&str>) {
        let subject = self.subject;
        let mut passed = Vec::new();
        for (slot, argument) in subject.slots.iter().zip(arguments) {
            match (&slot.shape, argument) {
                (Shape::Array { element, extent, .. }, Argument::Array(value)) => {
                    let name = format!("{}_{run}", slot.name);
                    let most = self.most(extent).max(1);
                    self.variable(*element, &format!("{name}[{most}]"));
                    self.line(format!("for (c = 0; c < (long long)({extent}); c++) {name}[c] = {value};"));
                    passed.push(name);
                }
                (_, Argument::Scalar(value) | Argument::Array(value)) => passed.push(value.clone()),
            }
        }
        self.call_with(callee, &passed, result);
    }

    /// Calls a function with arguments as they are written.
    pub(super) fn call_with(&mut self, callee: &str, passed: &[String], result: Option<&str>) {
        let result = result.map_or_else(String::new, |result| format!("{result} = "));
        self.line(format!("{result}@{callee}@({});", passed.join(", ")));
        for name in self.saved {
            self.line(format!("__builtin_memcpy((void *)&{name}, &clew_saved_{name}, sizeof {name});"));
        }
    }

    /// Returns early where inputs are not allowed.
    pub(super) fn guarded(&mut self, arguments: &[String], otherwise: i128) {
        if let Some(guard) = self.guard {
            let call = format!("if (!{guard}({})) return {otherwise};", arguments.join(", "));
            self.line(call);
        }
    }

    /// The relation is violated unless this holds.
    pub(super) fn demand(&mut self, condition: &str) {
        self.line(format!("if (!({condition})) return {};", super::VIOLATED));
    }

    /// Two values are the same.
    pub(super) fn same(&self, ty: CTypeId, a: &str, b: &str) -> String {
        match self.program.ctypes.get(ty) {
            CType::Float { .. } => format!("{a} == {b} || ({a} != {a} && {b} != {b})"),
            _ => format!("{a} == {b}"),
        }
    }

    /// The function.
    pub(super) fn finish(self, name: String, what: String) -> Check {
        let subject = self.subject;
        let slots = subject.slots.iter().map(|slot| parameter(self.program, slot));
        let extra = self.extra.iter().map(|extra| self.declare(extra.ty, &extra.name));
        let params: Vec<String> = slots.chain(extra).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let mut text = format!("\n/* {what} */\nint {name}({params})\n{{\n");
        for declaration in &self.declared {
            text += &format!("    {declaration};\n");
        }
        if self.body.iter().any(|line| line.contains("for (c =")) {
            text += "    long long c;\n";
        }
        for saved in self.saved {
            text += &format!("    __typeof__({saved}) clew_saved_{saved};\n");
        }
        for saved in self.saved {
            text += &format!("    __builtin_memcpy(&clew_saved_{saved}, (void *)&{saved}, sizeof {saved});\n");
        }
        for line in &self.body {
            text += &format!("    {line}\n");
        }
        text += &format!("    return {};\n}}\n", super::HOLDS);
        Check { name, what, extra: self.extra, text }
    }
}

/// A declaration of a variable; bytes behind `void *`.
pub(super) fn declare(program: &Program, ty: CTypeId, name: &str) -> String {
    let ty = spell::unqualified(&program.ctypes, ty);
    if matches!(program.ctypes.get(ty), CType::Void) {
        return format!("unsigned char {name}");
    }
    spell::declare(&program.ctypes, ty, name).expect("numbers have a spelling")
}

/// A parameter of a harness.
pub(super) fn parameter(program: &Program, slot: &Slot) -> String {
    spell::parameter(&program.ctypes, slot.ty, &slot.name).expect("numbers and pointers to them have a spelling")
}

/// An element of the array that an input leads to.
pub(super) fn element(program: &Program, slot: &Slot, index: &str) -> String {
    let name = &slot.name;
    match &slot.shape {
        Shape::Array { element, .. } if matches!(program.ctypes.get(*element), CType::Void) => {
            format!("((const unsigned char *){name})[{index}]")
        }
        _ => format!("{name}[{index}]"),
    }
}
