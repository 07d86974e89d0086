//! A function as relations see it: its inputs, how many elements its pointers lead to, and what values they may have.

use super::cexpr::Writer;
use super::ranges::{Hull, Interval, Of, both, constant, hull, place};
use super::syntax::Operand;
use crate::ctext::spell;
use crate::infer;
use crate::select::refusal;
use clew_frontend::{Diagnostic, Loaded, contract};
use clew_ir::contract::{Binder, Builtin, Clause, Place, PlaceKind, Predicate, Term, TermKind};
use clew_ir::{CType, CTypeId, FunctionId, ParamKind, Program};
use clew_scalar::Format;

/// A function whose calls are related.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The function.
    pub id: FunctionId,
    /// Its name.
    pub name: String,
    /// Its inputs, in the order of its parameters.
    pub slots: Vec<Slot>,
    /// The type of its result; `None` for `void`.
    pub result: Option<CTypeId>,
    /// What holds of its inputs.
    pub clauses: Vec<Clause>,
    /// What was read off the names and is not said by a contract.
    pub guessed: Vec<String>,
}

/// An input.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: CTypeId,
    /// What it is.
    pub shape: Shape,
}

/// What an input is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number.
    Scalar,
    /// A pointer of which nothing is known; only functions that are called by others have them.
    Opaque,
    /// A pointer to some elements.
    Array {
        /// The type of an element, without qualifiers.
        element: CTypeId,
        /// How many there are, in C.
        extent: String,
        /// Whether the function may write them.
        is_written: bool,
    },
}

impl Subject {
    /// The position of an input.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.slots.iter().position(|slot| slot.name == name)
    }

    /// What a function looks like; `operands` may say how many elements there are.
    ///
    /// # Errors
    /// When it takes or gives something that relations by name cannot be about.
    pub fn new(
        loaded: &mut Loaded,
        id: FunctionId,
        clauses: Vec<Clause>,
        operands: &[Operand],
    ) -> Result<Subject, Box<Diagnostic>> {
        let mut guessed = Vec::new();
        let mut suggested: Vec<(String, Clause)> = Vec::new();
        for text in infer::preconditions(&loaded.program, id) {
            suggested.extend(contract::precondition(loaded, id, &text).ok().map(|clause| (text, clause)));
        }
        let program = &loaded.program;
        let function = &program.functions[id];
        let name = function.name.clone();
        let result = result(program, id)?;
        let mut subject = Subject { id, name, slots: Vec::new(), result, clauses, guessed: Vec::new() };
        for (index, param) in function.params.iter().enumerate() {
            let name = if param.name.is_empty() { format!("clew_{index}") } else { param.name.clone() };
            subject.slots.push(Slot { name, ty: param.ty, shape: Shape::Scalar });
        }
        for (index, param) in function.params.iter().enumerate() {
            if param.kind != ParamKind::Scalar {
                return Err(unusable(&subject, index, "is a structure"));
            }
            match program.ctypes.get(param.ty) {
                CType::Pointer(to) => {
                    let element = spell::unqualified(&program.ctypes, *to);
                    let is_data = matches!(
                        program.ctypes.get(element),
                        CType::Int { .. } | CType::Bool | CType::Enum { .. } | CType::Float { .. } | CType::Void
                    );
                    if !is_data {
                        return Err(unusable(&subject, index, "leads to something else than numbers"));
                    }
                    let named = operands.iter().find(|it| it.name.text == subject.slots[index].name);
                    let own = subject.clauses.iter().find_map(|it| subject.extent_in(program, &it.predicate, index));
                    let by_name = || {
                        let mut found = suggested.iter();
                        found.find_map(|(text, it)| Some((text, subject.extent_in(program, &it.predicate, index)?)))
                    };
                    let said = named.and_then(|it| it.extent.clone()).or(own);
                    let Some(extent) = said.or_else(|| {
                        let (text, extent) = by_name()?;
                        guessed.push(text.clone());
                        Some(extent)
                    }) else {
                        return Err(unusable(&subject, index, "leads to an unknown number of elements"));
                    };
                    let is_written = !program.ctypes.is_const(*to);
                    subject.slots[index].shape = Shape::Array { element, extent, is_written };
                }
                CType::Int { .. } | CType::Bool | CType::Enum { .. } | CType::Float { .. } => {}
                _ => return Err(unusable(&subject, index, "is no number")),
            }
        }
        subject.guessed = guessed;
        Ok(subject)
    }

    /// What a function looks like that is called by another one: of pointers to something else than a known number of
    /// numbers nothing is known.
    ///
    /// # Errors
    /// When it gives something else than a number.
    pub fn of_callee(loaded: &mut Loaded, id: FunctionId) -> Result<Subject, Box<Diagnostic>> {
        let clauses = loaded.program.functions[id].contract.requires.clone();
        if let Ok(subject) = Subject::new(loaded, id, clauses, &[]) {
            return Ok(subject);
        }
        let program = &loaded.program;
        let slot = |(index, param): (usize, &clew_ir::Param)| {
            let name = if param.name.is_empty() { format!("clew_{index}") } else { param.name.clone() };
            let is_number = !matches!(program.ctypes.get(param.ty), CType::Pointer(_));
            Slot { name, ty: param.ty, shape: if is_number { Shape::Scalar } else { Shape::Opaque } }
        };
        let function = &program.functions[id];
        let slots = function.params.iter().enumerate().map(slot).collect();
        let (name, result) = (function.name.clone(), result(program, id)?);
        Ok(Subject { id, name, slots, result, clauses: Vec::new(), guessed: Vec::new() })
    }

    /// How many elements a clause says that a parameter leads to, in C.
    fn extent_in(&self, program: &Program, predicate: &Predicate, index: usize) -> Option<String> {
        match predicate {
            Predicate::And(all) => all.iter().find_map(|one| self.extent_in(program, one, index)),
            Predicate::Memory { pointer, .. } => {
                if is_param(pointer, index) {
                    return Some("1".to_owned());
                }
                let (base, low, high) = pointer.as_block()?;
                let starts = low.is_some_and(|low| matches!(low.kind, TermKind::Integer(0)));
                if !starts || !is_param(base, index) {
                    return None;
                }
                match &high?.kind {
                    TermKind::Integer(last) => Some((last + 1).to_string()),
                    TermKind::Binary(clew_ir::contract::BinaryOp::Sub, a, b)
                        if matches!(b.kind, TermKind::Integer(1)) =>
                    {
                        self.plain(program, a)
                    }
                    _ => {
                        let writer = Writer { program, subject: self };
                        writer.term(high?).ok().map(|high| format!("({high} + 1)"))
                    }
                }
            }
            _ => None,
        }
    }

    /// A term as C, a parameter as its name alone.
    fn plain(&self, program: &Program, term: &Term) -> Option<String> {
        match &term.kind {
            TermKind::Convert(inner) => self.plain(program, inner),
            TermKind::Value(Place { kind: PlaceKind::Param(index), .. }) => {
                self.slots.get(*index as usize).map(|slot| slot.name.clone())
            }
            _ => Writer { program, subject: self }.term(term).ok(),
        }
    }

    /// The values that an integer input, or the elements behind a pointer, can have; of floats, their places in the order of
    /// all floats.
    pub fn interval(&self, program: &Program, index: usize) -> Option<Interval> {
        let (ty, of) = match &self.slots[index].shape {
            Shape::Scalar | Shape::Opaque => (self.slots[index].ty, Of::Param(index as u32)),
            Shape::Array { element, .. } => (*element, Of::Elements(index as u32)),
        };
        let covers = |binder: &Binder| self.covers(program, binder, index);
        let said = |constant: &dyn Fn(&Term) -> Option<i128>| {
            let how = Hull { of, covers: &covers, constant };
            let said: Vec<Interval> = self.clauses.iter().filter_map(|clause| hull(&clause.predicate, &how)).collect();
            said.into_iter().reduce(both)
        };
        let Some(format) = format(program, ty) else {
            let of_type = of_type(program, ty)?;
            return Some(said(&constant).map_or(of_type, |said| both(of_type, said)));
        };
        let all = (format.ordered(format.mask()), format.ordered(format.mask() ^ format.sign_mask()));
        // Bounds are rounded, and both zeros are equal.
        let wider = |(low, high): Interval| both(all, (low.saturating_sub(2), high.saturating_add(2)));
        Some(said(&|term: &Term| place(format, term)).map_or(all, wider))
    }

    /// Whether a binder goes over all elements behind a pointer.
    fn covers(&self, program: &Program, binder: &Binder, index: usize) -> bool {
        let Shape::Array { extent, .. } = &self.slots[index].shape else { return false };
        let starts = matches!(binder.low.as_ref().map(|low| &low.kind), Some(TermKind::Integer(0)));
        let Some(high) = &binder.high else { return false };
        let ends = match &high.kind {
            TermKind::Integer(last) => (last + 1).to_string() == *extent,
            TermKind::Binary(clew_ir::contract::BinaryOp::Sub, a, b) => {
                let is_all = match &a.kind {
                    TermKind::Call(Builtin::Elements, of) => of.first().is_some_and(|of| is_param(of, index)),
                    _ => self.plain(program, a).as_ref() == Some(extent),
                };
                is_all && matches!(b.kind, TermKind::Integer(1))
            }
            _ => false,
        };
        starts && ends
    }

    /// The clauses as one expression of C.
    ///
    /// # Errors
    /// When one of them has no form in C.
    pub fn guard(&self, program: &Program) -> Result<Option<String>, Box<Diagnostic>> {
        let writer = Writer { program, subject: self };
        let mut parts = Vec::new();
        for clause in &self.clauses {
            let part = writer.predicate(&clause.predicate).map_err(|what| {
                let text = program.sources.written(clause.span);
                refusal(format!("the precondition `{text}` of `{}` cannot be evaluated natively: {what}", self.name))
            })?;
            if part != "1" {
                parts.push(part);
            }
        }
        Ok((!parts.is_empty()).then(|| parts.join(" && ")))
    }
}

/// The format of a float.
pub fn format(program: &Program, ty: CTypeId) -> Option<Format> {
    match program.ctypes.get(ty) {
        CType::Float { size: 4, .. } => Some(Format::SINGLE),
        CType::Float { size: 8, .. } => Some(Format::DOUBLE),
        _ => None,
    }
}

fn is_param(term: &Term, index: usize) -> bool {
    matches!(&term.kind, TermKind::Value(Place { kind: PlaceKind::Param(it), .. }) if *it as usize == index)
}

/// All values of an integer type.
fn of_type(program: &Program, ty: CTypeId) -> Option<Interval> {
    match program.ctypes.get(ty) {
        CType::Bool => Some((0, 1)),
        CType::Int { width, signed: true, .. } if *width <= 64 => {
            Some((-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1))
        }
        CType::Int { width, signed: false, .. } if *width <= 64 => Some((0, (1_i128 << width) - 1)),
        CType::Enum { underlying, .. } => of_type(program, *underlying),
        CType::Void => Some((0, 255)),
        _ => None,
    }
}

/// The result of a function, if it gives one.
fn result(program: &Program, id: FunctionId) -> Result<Option<CTypeId>, Box<Diagnostic>> {
    let function = &program.functions[id];
    let CType::Function { returns, variadic, .. } = program.ctypes.get(function.ty) else {
        unreachable!("the type of a function is a function type")
    };
    let name = &function.name;
    let write_it = "write the relation in C: `--relation NAME`";
    if *variadic {
        return Err(refusal(format!("`{name}` takes any number of arguments; {write_it}")));
    }
    match program.ctypes.get(*returns) {
        CType::Void => Ok(None),
        CType::Int { .. } | CType::Bool | CType::Enum { .. } | CType::Float { .. } => Ok(Some(*returns)),
        CType::Pointer(_) => Err(refusal(format!("`{name}` gives a pointer; {write_it}"))),
        _ => Err(refusal(format!("`{name}` gives a structure; {write_it}"))),
    }
}

fn unusable(subject: &Subject, index: usize, what: &str) -> Box<Diagnostic> {
    let (name, slot) = (&subject.name, &subject.slots[index].name);
    let mut diagnostic = refusal(format!("parameter `{slot}` of `{name}` {what}"));
    diagnostic.help = Some(if what.contains("number of elements") {
        format!("say how many: `--requires '\\valid({slot} + (0 .. n - 1))'`, or `{slot}[0..n]` in the relation")
    } else {
        "write the relation in C: `--relation NAME`".to_owned()
    });
    diagnostic
}
