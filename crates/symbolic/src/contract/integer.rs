//! Logic integers: signed bit-vectors as wide as they need to be.

use clew_ir::CType;
use clew_ir::contract::{BinaryOp as LogicOp, Builtin, CompareOp, Fold, Label, Term, TermKind, UnaryOp as LogicUnary};
use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp, Value};
use clew_solver::term::Terms;

use super::ContractReader;
use crate::scope::unsupported;
use crate::stepped::Step;
use crate::value::{self, Scalar, Val};

/// The narrowest signed integer that holds a number.
pub(crate) fn constant(number: i128) -> Scalar {
    let magnitude = if number < 0 { !number } else { number };
    let width = (129 - magnitude.leading_zeros()).min(128) as u8;
    Scalar::int(width.max(1), number as u128)
}

/// Known integers are kept narrow.
fn narrow(scalar: Scalar) -> Scalar {
    scalar.known().map_or(scalar, |value: Value| constant(value.signed()))
}

impl ContractReader<'_, '_> {
    /// The value of a logic integer.
    pub(crate) fn integer(&mut self, term: &Term) -> Step<Scalar> {
        match &term.kind {
            TermKind::Integer(number) => Ok(constant(*number)),
            TermKind::Variable(variable) => {
                let bound = self.scope.bound.iter().rev().find(|(number, _)| *number == variable.number);
                bound.map_or_else(|| unsupported("a free variable"), |(_, value)| Ok(*value))
            }
            TermKind::Convert(inner) => self.integer_of_c(inner),
            TermKind::Unary(op, a) => {
                let a = self.integer(a)?;
                let wide = widened(self.terms(), a, 1)?;
                let op = match op {
                    LogicUnary::Neg => UnaryOp::Neg,
                    LogicUnary::BitNot => UnaryOp::Not,
                };
                Ok(narrow(value::unary(self.terms(), op, wide)))
            }
            TermKind::Binary(op, a, b) => {
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                combine(self.terms(), *op, a, b)
            }
            TermKind::If { condition, then, otherwise } => {
                let condition = self.predicate(condition)?;
                let (then, otherwise) = (self.integer(then)?, self.integer(otherwise)?);
                choose_integer(self.terms(), condition, then, otherwise)
            }
            TermKind::Truth(predicate) => {
                let truth = self.predicate(predicate)?;
                Ok(narrow(value::convert(self.terms(), Conversion::ZeroExtend(2), truth)))
            }
            TermKind::Let { variable, value, body } => {
                let value = self.integer(value)?;
                self.within(&self.scope.with(variable.number, value)).integer(body)
            }
            TermKind::At(inner, Label::Here | Label::Post) => self.integer(inner),
            TermKind::At(inner, Label::Pre) => self.at_entry(|this| this.integer(inner)),
            TermKind::Fold { fold, variable, low, high, body } => {
                let bounds = (self.integer(low)?, self.integer(high)?);
                self.fold_integers(*fold, variable.number, bounds, body)
            }
            TermKind::Call(Builtin::Elements, args) => self.elements_behind(&args[0]),
            TermKind::Call(builtin, args) => self.integer_builtin(*builtin, args),
            _ => unsupported("this kind of integer term"),
        }
    }

    /// A C integer as a logic integer.
    fn integer_of_c(&mut self, inner: &Term) -> Step<Scalar> {
        let ty = self.c_type(inner)?;
        let scalar = self.c_scalar(inner)?;
        if self.stepper.program.ctypes.is_signed(ty) {
            return Ok(narrow(scalar));
        }
        let width = scalar.ty(self.terms()).width();
        if width >= 128 {
            return unsupported("an unsigned integer of 128 bits");
        }
        Ok(narrow(value::convert(self.terms(), Conversion::ZeroExtend(width + 1), scalar)))
    }

    /// The values of a body for all integers between two bounds, put together: those beyond the bounds of one input do
    /// not count on it.
    fn fold_integers(&mut self, fold: Fold, variable: u32, (low, high): (Scalar, Scalar), body: &Term) -> Step<Scalar> {
        let (op, neutral) = match fold {
            Fold::Sum | Fold::Count => (LogicOp::Add, constant(0)),
            Fold::Product => (LogicOp::Mul, constant(1)),
            Fold::Min | Fold::Max => return unsupported("`\\min` or `\\max` of a range"),
        };
        let mut whole = neutral;
        for number in self.extremes(low)?.0..=self.extremes(high)?.1 {
            let at = constant(number);
            let value = self.within(&self.scope.with(variable, at)).integer(body)?;
            let above = compare_integers(self.terms(), CompareOp::Le, low, at)?;
            let below = compare_integers(self.terms(), CompareOp::Le, at, high)?;
            let counts = value::and(self.terms(), above, below);
            let value = choose_integer(self.terms(), counts, value, neutral)?;
            whole = combine(self.terms(), op, whole, value)?;
        }
        Ok(whole)
    }

    fn integer_builtin(&mut self, builtin: Builtin, args: &[Term]) -> Step<Scalar> {
        let args = args.iter().map(|arg| self.integer(arg)).collect::<Step<Vec<_>>>()?;
        match (builtin, args.as_slice()) {
            (Builtin::Abs, [a]) => {
                let wide = widened(self.terms(), *a, 1)?;
                let negated = value::unary(self.terms(), UnaryOp::Neg, wide);
                let negative = compare_integers(self.terms(), CompareOp::Lt, wide, constant(0))?;
                choose_integer(self.terms(), negative, negated, wide)
            }
            (Builtin::Min | Builtin::Max, [a, b]) => {
                let op = if builtin == Builtin::Min { CompareOp::Le } else { CompareOp::Ge };
                let first = compare_integers(self.terms(), op, *a, *b)?;
                choose_integer(self.terms(), first, *a, *b)
            }
            _ => unsupported("this function of the logic"),
        }
    }

    /// A logic integer as an integer of pointer width, wrapping.
    pub(crate) fn word_of(&mut self, integer: Scalar) -> Scalar {
        let width = self.stepper.program.target.pointer_width;
        resized(self.terms(), integer, width)
    }

    /// A C value that is a scalar.
    pub(crate) fn c_scalar(&mut self, term: &Term) -> Step<Scalar> {
        let TermKind::Cast(inner) = &term.kind else {
            return match self.c_value(term)? {
                Val::Scalar(scalar) => Ok(scalar),
                Val::Pointer(_) => unsupported("a pointer as a number"),
            };
        };
        let ty = self.c_type(term)?;
        let width = match crate::input::scalar_type(&self.stepper.program.ctypes, ty) {
            Some(clew_scalar::Type::Int(width)) => width,
            Some(clew_scalar::Type::Float(format)) => return self.cast_to_float(inner, format),
            None => return unsupported("this cast"),
        };
        if *self.stepper.program.ctypes.get(ty) == CType::Bool {
            return unsupported("a cast to `_Bool`");
        }
        let integer = match inner.sort {
            clew_ir::contract::Sort::Real => return unsupported("a cast of a real to an integer type"),
            clew_ir::contract::Sort::Integer => self.integer(inner)?,
            _ => self.integer_of_c(inner)?,
        };
        Ok(resized(self.terms(), integer, width))
    }
}

fn width_of(terms: &mut Terms, scalar: Scalar) -> u8 {
    scalar.ty(terms).width()
}

fn widened(terms: &mut Terms, scalar: Scalar, by: u8) -> Step<Scalar> {
    let width = width_of(terms, scalar);
    extended(terms, scalar, width.saturating_add(by))
}

fn extended(terms: &mut Terms, scalar: Scalar, width: u8) -> Step<Scalar> {
    if width > 128 {
        return unsupported("an integer of more than 128 bits");
    }
    if width_of(terms, scalar) == width {
        return Ok(scalar);
    }
    Ok(value::convert(terms, Conversion::SignExtend(width), scalar))
}

fn combine(terms: &mut Terms, op: LogicOp, a: Scalar, b: Scalar) -> Step<Scalar> {
    let (wa, wb) = (width_of(terms, a), width_of(terms, b));
    let most = wa.max(wb);
    let (op, width) = match op {
        LogicOp::Add => (BinaryOp::Add, most.saturating_add(1)),
        LogicOp::Sub => (BinaryOp::Sub, most.saturating_add(1)),
        LogicOp::Mul => (BinaryOp::Mul, wa.saturating_add(wb)),
        LogicOp::Div => (BinaryOp::SDiv, most.saturating_add(1)),
        LogicOp::Rem => (BinaryOp::SRem, most),
        LogicOp::BitAnd => (BinaryOp::And, most),
        LogicOp::BitOr => (BinaryOp::Or, most),
        LogicOp::BitXor => (BinaryOp::Xor, most),
        LogicOp::Shr => (BinaryOp::AShr, most),
        LogicOp::Shl => match b.known().map(Value::signed) {
            Some(amount @ 0..=127) => (BinaryOp::Shl, wa.saturating_add(amount as u8)),
            _ => return unsupported("a shift by an amount that depends on the input"),
        },
    };
    let (a, b) = (extended(terms, a, width)?, extended(terms, b, width.max(wb))?);
    Ok(narrow(value::binary(terms, op, a, b)))
}

fn choose_integer(terms: &mut Terms, condition: Scalar, then: Scalar, otherwise: Scalar) -> Step<Scalar> {
    let width = width_of(terms, then).max(width_of(terms, otherwise));
    let (then, otherwise) = (extended(terms, then, width)?, extended(terms, otherwise, width)?);
    Ok(narrow(value::ternary(terms, TernaryOp::Select, condition, then, otherwise)))
}

/// A comparison of logic integers.
pub(super) fn compare_integers(terms: &mut Terms, op: CompareOp, a: Scalar, b: Scalar) -> Step<Scalar> {
    let width = width_of(terms, a).max(width_of(terms, b));
    let (a, b) = (extended(terms, a, width)?, extended(terms, b, width)?);
    let (op, a, b) = match op {
        CompareOp::Eq => (BinaryOp::Eq, a, b),
        CompareOp::Ne => (BinaryOp::Ne, a, b),
        CompareOp::Lt => (BinaryOp::Slt, a, b),
        CompareOp::Le => (BinaryOp::Sle, a, b),
        CompareOp::Gt => (BinaryOp::Slt, b, a),
        CompareOp::Ge => (BinaryOp::Sle, b, a),
    };
    Ok(value::binary(terms, op, a, b))
}

pub(crate) fn resized(terms: &mut Terms, integer: Scalar, width: u8) -> Scalar {
    let conversion = match width_of(terms, integer) {
        from if from == width => return integer,
        from if from < width => Conversion::SignExtend(width),
        _ => Conversion::Truncate(width),
    };
    value::convert(terms, conversion, integer)
}
