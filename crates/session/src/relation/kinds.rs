//! The harness of each relation by name.

use super::harness::{Argument, Builder, Check, Harness, declare, element, parameter};
use super::subject::{Shape, Slot, Subject};
use super::syntax::{Kind, Operand, Output, Relation, Word};
use super::{NOT_CLOSED, effects};
use crate::globals::observed_globals;
use crate::select::{self, refusal};
use clew_frontend::{Diagnostic, Loaded};
use clew_ir::contract::Clause;
use clew_ir::{CType, CTypeId, FunctionId, Program};
use std::collections::BTreeSet;

/// The most operands of which all permutations are tried.
const MOST_PERMUTED: usize = 6;

/// How relations are taken.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The most elements of an array whose length is an input.
    pub length: u32,
    /// Whether all permutations are tried, not only two that generate them.
    pub whole_group: bool,
}

/// The harness of a relation of a function.
///
/// # Errors
/// When the relation does not fit the function.
pub fn harness(
    loaded: &mut Loaded,
    function: FunctionId,
    clauses: Vec<Clause>,
    relation: &Relation,
    options: Options,
) -> Result<Harness, Box<Diagnostic>> {
    let subject = Subject::new(loaded, function, clauses, &relation.operands)?;
    let program = &loaded.program;
    let other = match relation.kind {
        Kind::RoundTrip | Kind::Commutes | Kind::Equivalent => {
            let name = &relation.operands[0].name;
            let id = select::function(program, &name.text)
                .map_err(|diagnostic| relation.error(&name.at, diagnostic.message))?;
            Some(id)
        }
        _ => None,
    };
    let other = match other {
        Some(id) => {
            // What another function is given is what the harness gives it: it demands no contract of its own.
            let mut other = Subject::new(loaded, id, loaded.program.functions[id].contract.requires.clone(), &[]);
            if relation.kind == Kind::Equivalent {
                other = Ok(Subject { id, name: loaded.program.functions[id].name.clone(), ..subject.clone() });
            }
            Some(other?)
        }
        None => None,
    };
    let program = &loaded.program;
    let called = || [Some(&subject), other.as_ref()].into_iter().flatten();
    let mut notes = Vec::new();
    for subject in called() {
        effects::refuse_memory(program, subject.id)?;
        notes.extend(effects::notes(program, subject.id)?);
    }
    notes.extend(subject.guessed.iter().map(|text| format!("takes for granted, by names: {text}")));
    let changed = called().flat_map(|subject| observed_globals(program, subject.id));
    let saved: BTreeSet<String> = changed.map(|id| program.globals[id].name.clone()).collect();
    let saved: Vec<String> = saved.into_iter().collect();
    let guard = subject.guard(program)?;
    let guard_name = guard.as_ref().map(|_| format!("{}_allows", subject.name));
    let writer = Writer {
        program,
        subject: &subject,
        other: other.as_ref(),
        relation,
        options,
        saved: &saved,
        guard: guard_name.as_deref(),
    };
    let checks = writer.checks()?;
    let shared = match (&guard, &guard_name) {
        (Some(guard), Some(name)) => {
            let params: Vec<String> = subject.slots.iter().map(|slot| parameter(program, slot)).collect();
            format!(
                "\n/* Whether the precondition allows inputs. */\nstatic int {name}({})\n{{\n    return {guard};\n}}\n",
                params.join(", ")
            )
        }
        _ => String::new(),
    };
    let (bounds, length) = bounds(program, &subject, options)?;
    let by_generators = matches!(relation.kind, Kind::Permute) && !options.whole_group;
    let called = [Some(subject.clone()), other].into_iter().flatten().collect();
    Ok(Harness { shared, checks, bounds, notes, called, by_generators, length })
}

/// What holds of lengths, as ACSL; and the greatest.
fn bounds(
    program: &Program,
    subject: &Subject,
    options: Options,
) -> Result<(Vec<String>, Option<u32>), Box<Diagnostic>> {
    let mut bounds = BTreeSet::new();
    let mut length = None;
    for slot in &subject.slots {
        let Shape::Array { element, extent, .. } = &slot.shape else { continue };
        if extent.parse::<u32>().is_err() {
            if subject.position(extent).is_none() {
                return Err(refusal(format!(
                    "the number of elements of `{}` is `{extent}`: it can be a parameter or a number",
                    slot.name
                )));
            }
            length = Some(options.length);
            bounds.insert(format!("0 <= {extent} <= {}", options.length));
        }
        let cast = if matches!(program.ctypes.get(*element), CType::Void) { "(char *)" } else { "" };
        bounds.insert(format!("\\valid_read({cast}{} + (0 .. {extent} - 1))", slot.name));
    }
    Ok((bounds.into_iter().collect(), length))
}

/// Writes the checks of a relation.
struct Writer<'a> {
    program: &'a Program,
    subject: &'a Subject,
    other: Option<&'a Subject>,
    relation: &'a Relation,
    options: Options,
    saved: &'a [String],
    guard: Option<&'a str>,
}

/// A permutation of positions: where each value comes from.
struct Theta {
    label: String,
    what: String,
    /// The positions, where they are known.
    of: Vec<usize>,
    /// The position that element `i` comes from, in C; `{}` stands for `i`.
    index: String,
}

type Checked<T> = Result<T, Box<Diagnostic>>;

impl<'a> Writer<'a> {
    fn checks(&self) -> Checked<Vec<Check>> {
        match self.relation.kind {
            Kind::Permute | Kind::Swap => self.permuted(),
            Kind::Negate | Kind::Shift | Kind::Scale => Ok(vec![self.moved()?]),
            Kind::Idempotent | Kind::Involutive => Ok(vec![self.twice()?]),
            Kind::Monotone => Ok(vec![self.monotone()?]),
            Kind::Equivalent => Ok(vec![self.equivalent()?]),
            Kind::Commutes => Ok(vec![self.commutes()?]),
            Kind::RoundTrip => Ok(vec![self.round_trip()?]),
        }
    }

    fn builder(&self) -> Builder<'a> {
        Builder::new(self.program, self.subject, self.saved, self.options.length, self.guard)
    }

    fn name(&self, label: &str) -> String {
        let label = if label.is_empty() { String::new() } else { format!("_{label}") };
        format!("{}_{}{label}", self.subject.name, self.relation.label())
    }

    fn what(&self, more: &str) -> String {
        let text = self.relation.text.replace("*/", "* /");
        if more.is_empty() { text } else { format!("{text}: {more}") }
    }

    /// The position of a parameter.
    fn position(&self, word: &Word) -> Checked<usize> {
        self.subject.position(&word.text).ok_or_else(|| {
            let message = format!("`{}` has no parameter `{}`", self.subject.name, word.text);
            self.relation.error(&word.at, message)
        })
    }

    /// The operands as positions, all of them scalars or all of them arrays of one length.
    fn group(&self) -> Checked<(Vec<usize>, Option<String>)> {
        let mut positions = Vec::new();
        for operand in &self.relation.operands {
            positions.push(self.position(&operand.name)?);
        }
        let first = &self.subject.slots[positions[0]];
        for (operand, position) in self.relation.operands.iter().zip(&positions) {
            let slot = &self.subject.slots[*position];
            let fits = match (&first.shape, &slot.shape) {
                (Shape::Scalar, Shape::Scalar) => same_type(self.program, first.ty, slot.ty),
                (Shape::Array { extent: a, .. }, Shape::Array { extent: b, .. }) => a == b,
                _ => false,
            };
            if !fits {
                let (a, b) = (self.spelled(first), self.spelled(slot));
                let message = format!("what is moved together has one type and length: `{a}` and `{b}` differ");
                return Err(self.relation.error(&operand.name.at, message));
            }
            if operand.extent.is_some() && slot.shape == Shape::Scalar {
                let message = format!("`{}` is no array", slot.name);
                return Err(self.relation.error(&operand.name.at, message));
            }
        }
        let extent = match &first.shape {
            Shape::Array { extent, .. } => Some(extent.clone()),
            Shape::Scalar | Shape::Opaque => None,
        };
        Ok((positions, extent))
    }

    fn spelled(&self, slot: &Slot) -> String {
        parameter(self.program, slot)
    }

    /// Permutations of parameters or of elements.
    fn permuted(&self) -> Checked<Vec<Check>> {
        let (group, extent) = self.group()?;
        if self.relation.kind == Kind::Swap && extent.is_some() {
            let theta = Theta {
                label: String::new(),
                what: "the arrays exchanged".into(),
                of: vec![1, 0],
                index: String::new(),
            };
            return Ok(vec![self.exchanged(&group, &theta)?]);
        }
        match extent {
            None if group.len() < 2 => Err(self.relation.error(
                &self.relation.operands[0].name.at,
                "one parameter cannot be permuted: say `v[0..n]` for elements",
            )),
            None => self.thetas(group.len())?.iter().map(|theta| self.exchanged(&group, theta)).collect(),
            Some(extent) if self.options.whole_group => Ok(vec![self.any_order(&group, &extent)?]),
            Some(extent) => {
                let tau = Theta {
                    label: "tau".into(),
                    what: "the first two elements exchanged".into(),
                    of: Vec::new(),
                    index: format!("(({extent}) < 2 ? {{}} : {{}} == 0 ? 1 : {{}} == 1 ? 0 : {{}})"),
                };
                let sigma = Theta {
                    label: "sigma".into(),
                    what: "every element moved down by one, the first to the end".into(),
                    of: Vec::new(),
                    index: format!("({{}} + 1 == (long long)({extent}) ? 0 : {{}} + 1)"),
                };
                [tau, sigma].iter().map(|theta| self.reordered(&group, theta, &extent)).collect()
            }
        }
    }

    /// The permutations of so many parameters that are tried.
    fn thetas(&self, number: usize) -> Checked<Vec<Theta>> {
        if self.options.whole_group {
            if number > MOST_PERMUTED {
                return Err(refusal(format!(
                    "all permutations of {number} parameters are too many: {MOST_PERMUTED} at most"
                )));
            }
            let all = orders(number).into_iter().skip(1);
            let theta = |(at, of): (usize, Vec<usize>)| self.theta(&format!("p{}", at + 1), of);
            return Ok(all.enumerate().map(theta).collect());
        }
        let mut tau: Vec<usize> = (0..number).collect();
        tau.swap(0, 1);
        let sigma = (1..number).chain([0]).collect();
        let mut all = vec![self.theta(if self.relation.kind == Kind::Swap { "" } else { "tau" }, tau)];
        if number > 2 {
            all.push(self.theta("sigma", sigma));
        }
        Ok(all)
    }

    fn theta(&self, label: &str, of: Vec<usize>) -> Theta {
        let name = |at: usize| self.relation.operands[at].name.text.as_str();
        let order: Vec<&str> = of.iter().map(|at| name(*at)).collect();
        let cases: String = of.iter().enumerate().map(|(to, from)| format!("{{}} == {to} ? {from} : ")).collect();
        Theta {
            label: label.to_owned(),
            what: format!("called with ({})", order.join(", ")),
            of,
            index: format!("({cases}{{}})"),
        }
    }

    /// Parameters in another order.
    fn exchanged(&self, group: &[usize], theta: &Theta) -> Checked<Check> {
        let mut builder = self.builder();
        let plain = builder.plain();
        let mut other = plain.clone();
        for (to, from) in theta.of.iter().enumerate() {
            other[group[to]] = plain[group[*from]].clone();
        }
        let names: Vec<String> = self.subject.slots.iter().map(|slot| slot.name.clone()).collect();
        let mut given = names.clone();
        for (to, from) in theta.of.iter().enumerate() {
            given[group[to]] = names[group[*from]].clone();
        }
        builder.guarded(&given, NOT_CLOSED);
        self.both(&mut builder, &plain, &other);
        self.compare(&mut builder, group, Some((theta, group.len().to_string())))?;
        Ok(builder.finish(self.name(&theta.label), self.what(&theta.what)))
    }

    /// Elements in another order.
    fn reordered(&self, group: &[usize], theta: &Theta, extent: &str) -> Checked<Check> {
        let mut builder = self.builder();
        self.reorder(&mut builder, group, theta, extent)?;
        Ok(builder.finish(self.name(&theta.label), self.what(&theta.what)))
    }

    fn reorder(&self, builder: &mut Builder<'a>, group: &[usize], theta: &Theta, extent: &str) -> Checked<()> {
        let plain = builder.plain();
        let mut other = plain.clone();
        let mut given: Vec<String> = self.subject.slots.iter().map(|slot| slot.name.clone()).collect();
        for position in group {
            let slot = &self.subject.slots[*position];
            let value = element(self.program, slot, &theta.index.replace("{}", "c"));
            other[*position] = Argument::Array(value.clone());
            if builder.guard.is_some() {
                let name = format!("{}_given", slot.name);
                let Shape::Array { element, extent, .. } = &slot.shape else { unreachable!("elements are permuted") };
                let most = builder.most(extent).max(1);
                builder.variable(*element, &format!("{name}[{most}]"));
                builder.line(format!("for (c = 0; c < (long long)({extent}); c++) {name}[c] = {value};"));
                given[*position] = name;
            }
        }
        builder.guarded(&given, NOT_CLOSED);
        self.both(builder, &plain, &other);
        self.compare(builder, group, Some((theta, extent.to_owned())))
    }

    /// Elements in any order, which is an input.
    fn any_order(&self, group: &[usize], extent: &str) -> Checked<Check> {
        let mut builder = self.builder();
        let most = builder.most(extent).max(1);
        let byte = byte(self.program).ok_or_else(|| refusal("the program has no type for bytes".to_owned()))?;
        for at in 0..most {
            builder.input(byte, &format!("clew_p{at}"), None);
        }
        let all: Vec<String> = (0..most).map(|at| format!("clew_p{at}")).collect();
        builder.variable(byte, &format!("clew_p[{most}]"));
        builder.variable(byte, &format!("clew_seen[{most}]"));
        for (at, name) in all.iter().enumerate() {
            builder.line(format!("clew_p[{at}] = {name};"));
            builder.line(format!("clew_seen[{at}] = 0;"));
        }
        builder.line(format!("for (c = 0; c < (long long)({extent}); c++) {{ if (clew_p[c] >= (long long)({extent}) || clew_seen[clew_p[c]]) return 1; clew_seen[clew_p[c]] = 1; }}"));
        let what = "the elements in any order".to_owned();
        let theta = Theta { label: "any".into(), what, of: Vec::new(), index: "clew_p[{}]".into() };
        self.reorder(&mut builder, group, &theta, extent)?;
        Ok(builder.finish(self.name(&theta.label), self.what(&theta.what)))
    }

    /// Two calls of the function.
    fn both(&self, builder: &mut Builder<'a>, first: &[Argument], second: &[Argument]) {
        let result = self.subject.result;
        for name in ["clew_y", "clew_z"] {
            if let Some(ty) = result {
                builder.variable(ty, name);
            }
        }
        builder.call(&self.subject.name, "1", first, result.map(|_| "clew_y"));
        let second_callee = self.other.filter(|_| self.relation.kind == Kind::Equivalent).unwrap_or(self.subject);
        builder.call(&second_callee.name, "2", second, result.map(|_| "clew_z"));
    }

    /// Demands of the outputs of two calls what the relation says.
    fn compare(&self, builder: &mut Builder<'a>, group: &[usize], theta: Option<(&Theta, String)>) -> Checked<()> {
        let output = self.relation.output;
        if let Some(ty) = self.subject.result {
            self.results(builder, ty, theta.as_ref())?;
        } else if matches!(output, Output::Index | Output::Negated | Output::Shifted | Output::Scaled) {
            let message = format!("`{}` has no result of which this could be said", self.subject.name);
            return Err(self.relation.error(&self.relation.at, message));
        }
        let of = self.relation.output_of.as_ref().map(|word| self.position(word)).transpose()?;
        let written = |slot: &Slot| matches!(slot.shape, Shape::Array { is_written: true, .. });
        let mut is_said = false;
        for (position, slot) in self.subject.slots.iter().enumerate().filter(|(_, slot)| written(slot)) {
            let concerned =
                of.map_or_else(|| output == Output::Class || group.contains(&position), |of| of == position);
            let (a, b) = (format!("{}_1", slot.name), format!("{}_2", slot.name));
            let Shape::Array { element, extent, .. } = &slot.shape else { continue };
            let all = format!("for (c = 0; c < (long long)({extent}); c++)");
            match (output, &theta) {
                (Output::Moved, Some((theta, extent_of_group))) if concerned => {
                    if *extent_of_group != *extent {
                        let message = format!("`{}` has another length than what is permuted", slot.name);
                        return Err(self.relation.error(&self.relation.at, message));
                    }
                    is_said = true;
                    let from = format!("{a}[{}]", theta.index.replace("{}", "c"));
                    let same = builder.same(*element, &format!("{b}[c]"), &from);
                    builder.line(format!("{all} if (!({same})) return 0;"));
                }
                (Output::Class, _) if concerned => {
                    is_said = true;
                    let same = builder.same(*element, &format!("{a}[c]"), &format!("{b}[clew_i]"));
                    builder.line(format!("{all} {{"));
                    builder.line("    long long clew_i = c;".to_owned());
                    builder.line(format!("    while (clew_i < (long long)({extent}) && !({same})) clew_i++;"));
                    builder.line(format!("    if (clew_i == (long long)({extent})) return 0;"));
                    // What stands here has no partner yet.
                    builder.line(format!("    {b}[clew_i] = {b}[c];"));
                    builder.line("}".to_owned());
                }
                _ => {
                    let same = builder.same(*element, &format!("{a}[c]"), &format!("{b}[c]"));
                    builder.line(format!("{all} if (!({same})) return 0;"));
                }
            }
        }
        if matches!(output, Output::Moved | Output::Class) && !is_said {
            let at = self.relation.output_of.as_ref().map_or(&self.relation.at, |word| &word.at);
            return Err(self
                .relation
                .error(at, "there is no array of which this could be said: none that is moved is written"));
        }
        let has_output = self.subject.result.is_some() || self.subject.slots.iter().any(written);
        if has_output {
            Ok(())
        } else {
            Err(self
                .relation
                .error(&self.relation.at, format!("`{}` gives nothing that could be compared", self.subject.name)))
        }
    }

    /// Demands of two results what the relation says.
    fn results(&self, builder: &mut Builder<'a>, ty: CTypeId, theta: Option<&(&Theta, String)>) -> Checked<()> {
        let wide = wide(self.program, ty);
        let condition = match (self.relation.output, theta) {
            (Output::Index, Some((theta, extent))) => {
                let inside = format!("{wide}clew_y >= 0 && {wide}clew_y < {wide}({extent})");
                let back = theta.index.replace("{}", "clew_z");
                format!(
                    "({inside}) ? {wide}clew_z >= 0 && {wide}clew_z < {wide}({extent}) && {wide}{back} == {wide}clew_y : clew_z == clew_y"
                )
            }
            (Output::Index, None) => {
                return Err(self
                    .relation
                    .error(&self.relation.at, "only what is permuted has a position that moves along"));
            }
            (Output::Negated, _) => builder.same(ty, &format!("{wide}clew_z"), &format!("-{wide}clew_y")),
            (Output::Shifted, _) => builder.same(ty, &format!("{wide}clew_z"), &format!("{wide}clew_y + {wide}clew_c")),
            (Output::Scaled, _) => builder.same(ty, &format!("{wide}clew_z"), &format!("{wide}clew_y * {wide}clew_c")),
            _ => builder.same(ty, "clew_y", "clew_z"),
        };
        if matches!(self.relation.output, Output::Shifted | Output::Scaled)
            && !matches!(self.relation.kind, Kind::Shift | Kind::Scale)
        {
            return Err(self.relation.error(&self.relation.at, "there is no number that the result could follow"));
        }
        builder.demand(&condition);
        Ok(())
    }

    /// Inputs negated, shifted or scaled.
    fn moved(&self) -> Checked<Check> {
        let (group, extent) = self.group()?;
        let slot = &self.subject.slots[group[0]];
        if extent.is_some() {
            return Err(self.relation.error(
                &self.relation.operands[0].name.at,
                format!("`{}` is no number; relations of arrays are written in C", slot.name),
            ));
        }
        let mut builder = self.builder();
        if self.relation.kind != Kind::Negate {
            builder.input(slot.ty, "clew_c", Some(group[0]));
        }
        if self.relation.kind == Kind::Scale {
            builder.line("if (clew_c <= 0) return 1;".to_owned());
        }
        let is_float = matches!(self.program.ctypes.get(slot.ty), CType::Float { .. });
        let mut other = builder.plain();
        let mut given: Vec<String> = self.subject.slots.iter().map(|slot| slot.name.clone()).collect();
        for position in &group {
            let slot = &self.subject.slots[*position];
            let (name, moved) = (&slot.name, format!("{}_2", slot.name));
            builder.variable(slot.ty, &moved);
            let (op, function, a, b) = match self.relation.kind {
                Kind::Negate => ("-", "sub", "0", name.as_str()),
                Kind::Shift => ("+", "add", name.as_str(), "clew_c"),
                _ => ("*", "mul", name.as_str(), "clew_c"),
            };
            builder.line(if is_float {
                format!("{moved} = {a} {op} {b};")
            } else {
                // Where the moved input is no value of its type there is nothing to say.
                format!("if (__builtin_{function}_overflow({a}, {b}, &{moved})) return 1;")
            });
            other[*position] = Argument::Scalar(moved.clone());
            given[*position] = moved;
        }
        builder.guarded(&given, super::HOLDS);
        let plain = builder.plain();
        self.both(&mut builder, &plain, &other);
        self.compare(&mut builder, &group, None)?;
        Ok(builder.finish(self.name(""), self.what("")))
    }

    /// The parameter that an output goes into again.
    fn again(&self) -> Checked<usize> {
        if let [Operand { name, .. }] = &self.relation.operands[..] {
            return self.position(name);
        }
        let slots = self.subject.slots.iter().enumerate();
        let fits = |slot: &Slot| match (&slot.shape, self.subject.result) {
            (Shape::Scalar, Some(result)) => same_type(self.program, slot.ty, result),
            (Shape::Array { is_written, .. }, None) => *is_written,
            _ => false,
        };
        let found: Vec<usize> = slots.filter(|(_, slot)| fits(slot)).map(|(at, _)| at).collect();
        match found[..] {
            [one] => Ok(one),
            _ => Err(self.relation.error(
                &self.relation.at,
                format!("name the parameter of `{}` that its output goes into again", self.subject.name),
            )),
        }
    }

    /// A second call with the output of the first.
    fn twice(&self) -> Checked<Check> {
        let again = self.again()?;
        let slot = &self.subject.slots[again];
        let mut builder = self.builder();
        let plain = builder.plain();
        let mut other = plain.clone();
        let result = self.subject.result;
        for name in ["clew_y", "clew_z"] {
            if let Some(ty) = result {
                builder.variable(ty, name);
            }
        }
        builder.call(&self.subject.name, "1", &plain, result.map(|_| "clew_y"));
        let mut given: Vec<String> = self.subject.slots.iter().map(|slot| slot.name.clone()).collect();
        match (&slot.shape, result) {
            (Shape::Scalar, Some(ty)) if same_type(self.program, slot.ty, ty) => {
                other[again] = Argument::Scalar("clew_y".to_owned());
                given[again] = "clew_y".to_owned();
            }
            (Shape::Array { is_written: true, .. }, _) => {
                other[again] = Argument::Array(format!("{}_1[c]", slot.name));
                given[again] = format!("{}_1", slot.name);
            }
            _ => {
                return Err(self.relation.error(
                    &self.relation.at,
                    format!("the output of `{}` does not go into `{}`", self.subject.name, slot.name),
                ));
            }
        }
        builder.guarded(&given, super::HOLDS);
        builder.call(&self.subject.name, "2", &other, result.map(|_| "clew_z"));
        let is_back = self.relation.kind == Kind::Involutive;
        match &slot.shape {
            Shape::Scalar | Shape::Opaque => {
                let same = builder.same(slot.ty, "clew_z", if is_back { &slot.name } else { "clew_y" });
                builder.demand(&same);
            }
            Shape::Array { element: ty, extent, .. } => {
                let first = if is_back { element(self.program, slot, "c") } else { format!("{}_1[c]", slot.name) };
                let same = builder.same(*ty, &format!("{}_2[c]", slot.name), &first);
                builder.line(format!("for (c = 0; c < (long long)({extent}); c++) if (!({same})) return 0;"));
            }
        }
        Ok(builder.finish(self.name(""), self.what("")))
    }

    /// A second call with a greater input.
    fn monotone(&self) -> Checked<Check> {
        let (group, extent) = self.group()?;
        let slot = &self.subject.slots[group[0]];
        let (None, Some(result)) = (extent, self.subject.result) else {
            return Err(self.relation.error(&self.relation.at, "only a number that follows a number is monotone"));
        };
        if !matches!(self.relation.output, Output::Unchanged | Output::Negated) {
            return Err(self.relation.error(&self.relation.at, "a monotone function is `falling`, or rises"));
        }
        let mut builder = self.builder();
        let greater = format!("{}_2", slot.name);
        builder.input(slot.ty, &greater, Some(group[0]));
        builder.line(format!("if (!({} <= {greater})) return 1;", slot.name));
        let mut given: Vec<String> = self.subject.slots.iter().map(|slot| slot.name.clone()).collect();
        given[group[0]].clone_from(&greater);
        builder.guarded(&given, super::HOLDS);
        let plain = builder.plain();
        let mut other = plain.clone();
        other[group[0]] = Argument::Scalar(greater);
        self.both(&mut builder, &plain, &other);
        let _ = result;
        builder.demand(if self.relation.output == Output::Negated { "clew_y >= clew_z" } else { "clew_y <= clew_z" });
        Ok(builder.finish(self.name(""), self.what("")))
    }

    /// Another function with the same inputs.
    fn equivalent(&self) -> Checked<Check> {
        let other = self.other.expect("equivalence names a function");
        let at = &self.relation.operands[0].name.at;
        let types = |id: FunctionId| {
            let CType::Function { returns, params, .. } = self.program.ctypes.get(self.program.functions[id].ty) else {
                unreachable!("the type of a function is a function type")
            };
            (*returns, params.clone())
        };
        let (a, b) = (types(self.subject.id), types(other.id));
        let fits = a.1.len() == b.1.len()
            && same_type(self.program, a.0, b.0)
            && a.1.iter().zip(&b.1).all(|(a, b)| same_type(self.program, *a, *b));
        if !fits {
            let message = format!("`{}` and `{}` have different types", self.subject.name, other.name);
            return Err(self.relation.error(at, message));
        }
        let mut builder = self.builder();
        let plain = builder.plain();
        self.both(&mut builder, &plain, &plain);
        self.compare(&mut builder, &[], None)?;
        Ok(builder.finish(self.name(&other.name), self.what("")))
    }

    /// A function of one number.
    fn unary(&self, subject: &Subject) -> Checked<(CTypeId, CTypeId)> {
        match (&subject.slots[..], subject.result) {
            ([slot], Some(result)) if slot.shape == Shape::Scalar => Ok((slot.ty, result)),
            _ => Err(self.relation.error(
                &self.relation.at,
                format!(
                    "`{}` is no function of one number to a number; write the relation in C: `--relation NAME`",
                    subject.name
                ),
            )),
        }
    }

    /// Both orders of calling.
    fn commutes(&self) -> Checked<Check> {
        let other = self.other.expect("another function is named");
        let ((x, y), (u, v)) = (self.unary(self.subject)?, self.unary(other)?);
        let name = self.subject.slots[0].name.clone();
        let mut builder = self.builder();
        for (ty, variable) in [(y, "clew_fx"), (v, "clew_gfx"), (v, "clew_gx"), (y, "clew_fgx")] {
            builder.variable(ty, variable);
        }
        let _ = (x, u);
        builder.call_with(&self.subject.name, std::slice::from_ref(&name), Some("clew_fx"));
        builder.call_with(&other.name, &["clew_fx".to_owned()], Some("clew_gfx"));
        builder.call_with(&other.name, &[name], Some("clew_gx"));
        builder.guarded(&["clew_gx".to_owned()], super::HOLDS);
        builder.call_with(&self.subject.name, &["clew_gx".to_owned()], Some("clew_fgx"));
        let same = builder.same(y, "clew_gfx", "clew_fgx");
        builder.demand(&same);
        Ok(builder.finish(self.name(&other.name), self.what("")))
    }

    /// The other function gives the input back.
    fn round_trip(&self) -> Checked<Check> {
        let other = self.other.expect("another function is named");
        let (_, y) = self.unary(self.subject)?;
        let (_, v) = self.unary(other)?;
        let slot = &self.subject.slots[0];
        let mut builder = self.builder();
        builder.variable(y, "clew_fx");
        builder.variable(v, "clew_gfx");
        builder.call_with(&self.subject.name, std::slice::from_ref(&slot.name), Some("clew_fx"));
        builder.call_with(&other.name, &["clew_fx".to_owned()], Some("clew_gfx"));
        let same = builder.same(slot.ty, "clew_gfx", &slot.name);
        builder.demand(&same);
        Ok(builder.finish(self.name(&other.name), self.what("")))
    }
}

/// All orders of so many things, the first as they are.
fn orders(number: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..number {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            (0..number).filter(move |next| !order.contains(next)).collect::<Vec<_>>()
        };
        all = all
            .iter()
            .flat_map(|order| longer(order).into_iter().map(move |next| [&order[..], &[next]].concat()))
            .collect();
    }
    all
}

/// Whether two types are the same but for names and qualifiers.
fn same_type(program: &Program, a: CTypeId, b: CTypeId) -> bool {
    match (program.ctypes.get(a), program.ctypes.get(b)) {
        (CType::Pointer(a), CType::Pointer(b)) => same_type(program, *a, *b),
        (CType::Int { width: a, signed: s, .. }, CType::Int { width: b, signed: t, .. }) => a == b && s == t,
        (a, b) => a == b,
    }
}

/// A cast to a type in which small sums and products fit.
fn wide(program: &Program, ty: CTypeId) -> &'static str {
    match program.ctypes.get(ty) {
        CType::Float { .. } => "",
        CType::Int { width: 64.., .. } => "(__int128)",
        _ => "(long long)",
    }
}

/// The type of bytes.
fn byte(program: &Program) -> Option<CTypeId> {
    let is_byte = |ty: &CType| matches!(ty, CType::Int { width: 8, signed: false, .. });
    program.ctypes.types.iter().find(|(_, ty)| is_byte(ty)).map(|(id, _)| id)
}

/// The declaration of a variable, for the driver.
pub(super) fn declared(program: &Program, ty: CTypeId, name: &str) -> String {
    declare(program, ty, name)
}
