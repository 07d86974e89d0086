//! Logic integers: signed bit-vectors as wide as they need to be.

use clew_ir::CType;
use clew_ir::contract::{BinaryOp as LogicOp, Builtin, CompareOp, Fold, Label, Term, TermKind, UnaryOp as LogicUnary};
use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp, Value};

use crate::path::Path;
use crate::scope::{Scope, unsupported};
use crate::stepped::Step;
use crate::stepper::Stepper;
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

impl Stepper<'_> {
    /// The value of a logic integer.
    pub(crate) fn integer(&mut self, path: &mut Path, scope: &Scope, term: &Term) -> Step<Scalar> {
        match &term.kind {
            TermKind::Integer(number) => Ok(constant(*number)),
            TermKind::Variable(variable) => {
                let bound = scope.bound.iter().rev().find(|(number, _)| *number == variable.number);
                bound.map_or_else(|| unsupported("a free variable"), |(_, value)| Ok(*value))
            }
            TermKind::Convert(inner) => self.integer_of_c(path, scope, inner),
            TermKind::Unary(op, a) => {
                let a = self.integer(path, scope, a)?;
                let wide = self.widened(a, 1)?;
                let op = match op {
                    LogicUnary::Neg => UnaryOp::Neg,
                    LogicUnary::BitNot => UnaryOp::Not,
                };
                Ok(narrow(value::unary(self.constraints.terms(), op, wide)))
            }
            TermKind::Binary(op, a, b) => {
                let (a, b) = (self.integer(path, scope, a)?, self.integer(path, scope, b)?);
                self.combine(*op, a, b)
            }
            TermKind::If { condition, then, otherwise } => {
                let condition = self.predicate(path, scope, condition)?;
                let (then, otherwise) = (self.integer(path, scope, then)?, self.integer(path, scope, otherwise)?);
                self.choose_integer(condition, then, otherwise)
            }
            TermKind::Truth(predicate) => {
                let truth = self.predicate(path, scope, predicate)?;
                Ok(narrow(value::convert(self.constraints.terms(), Conversion::ZeroExtend(2), truth)))
            }
            TermKind::Let { variable, value, body } => {
                let value = self.integer(path, scope, value)?;
                self.integer(path, &scope.with(variable.number, value), body)
            }
            TermKind::At(inner, Label::Here | Label::Post) => self.integer(path, scope, inner),
            TermKind::At(inner, Label::Pre) => {
                self.at_entry(path, scope, |this, path, scope| this.integer(path, scope, inner))
            }
            TermKind::Fold { fold, variable, low, high, body } => {
                let bounds = (self.integer(path, scope, low)?, self.integer(path, scope, high)?);
                self.fold_integers(path, scope, *fold, variable.number, bounds, body)
            }
            TermKind::Call(Builtin::Elements, args) => self.elements_behind(path, scope, &args[0]),
            TermKind::Call(builtin, args) => self.integer_builtin(path, scope, *builtin, args),
            _ => unsupported("this kind of integer term"),
        }
    }

    /// A C integer as a logic integer.
    fn integer_of_c(&mut self, path: &mut Path, scope: &Scope, inner: &Term) -> Step<Scalar> {
        let ty = self.c_type(inner)?;
        let scalar = self.c_scalar(path, scope, inner)?;
        if self.program.ctypes.is_signed(ty) {
            return Ok(narrow(scalar));
        }
        let width = scalar.ty(self.constraints.terms()).width();
        if width >= 128 {
            return unsupported("an unsigned integer of 128 bits");
        }
        Ok(narrow(value::convert(self.constraints.terms(), Conversion::ZeroExtend(width + 1), scalar)))
    }

    fn width(&mut self, scalar: Scalar) -> u8 {
        scalar.ty(self.constraints.terms()).width()
    }

    fn widened(&mut self, scalar: Scalar, by: u8) -> Step<Scalar> {
        let width = self.width(scalar);
        self.extended(scalar, width.saturating_add(by))
    }

    fn extended(&mut self, scalar: Scalar, width: u8) -> Step<Scalar> {
        if width > 128 {
            return unsupported("an integer of more than 128 bits");
        }
        if self.width(scalar) == width {
            return Ok(scalar);
        }
        Ok(value::convert(self.constraints.terms(), Conversion::SignExtend(width), scalar))
    }

    fn combine(&mut self, op: LogicOp, a: Scalar, b: Scalar) -> Step<Scalar> {
        let (wa, wb) = (self.width(a), self.width(b));
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
        let (a, b) = (self.extended(a, width)?, self.extended(b, width.max(wb))?);
        Ok(narrow(value::binary(self.constraints.terms(), op, a, b)))
    }

    fn choose_integer(&mut self, condition: Scalar, then: Scalar, otherwise: Scalar) -> Step<Scalar> {
        let width = self.width(then).max(self.width(otherwise));
        let (then, otherwise) = (self.extended(then, width)?, self.extended(otherwise, width)?);
        let terms = self.constraints.terms();
        Ok(narrow(value::ternary(terms, TernaryOp::Select, condition, then, otherwise)))
    }

    /// The values of a body for all integers between two bounds, put together: those beyond the bounds of one input do
    /// not count on it.
    fn fold_integers(
        &mut self,
        path: &mut Path,
        scope: &Scope,
        fold: Fold,
        variable: u32,
        (low, high): (Scalar, Scalar),
        body: &Term,
    ) -> Step<Scalar> {
        let (op, neutral) = match fold {
            Fold::Sum | Fold::Count => (LogicOp::Add, constant(0)),
            Fold::Product => (LogicOp::Mul, constant(1)),
            Fold::Min | Fold::Max => return unsupported("`\\min` or `\\max` of a range"),
        };
        let mut whole = neutral;
        for number in self.extremes(path, low)?.0..=self.extremes(path, high)?.1 {
            let at = constant(number);
            let value = self.integer(path, &scope.with(variable, at), body)?;
            let above = self.compare_integers(CompareOp::Le, low, at)?;
            let below = self.compare_integers(CompareOp::Le, at, high)?;
            let counts = value::and(self.constraints.terms(), above, below);
            let value = self.choose_integer(counts, value, neutral)?;
            whole = self.combine(op, whole, value)?;
        }
        Ok(whole)
    }

    fn integer_builtin(&mut self, path: &mut Path, scope: &Scope, builtin: Builtin, args: &[Term]) -> Step<Scalar> {
        let args = args.iter().map(|arg| self.integer(path, scope, arg)).collect::<Step<Vec<_>>>()?;
        match (builtin, args.as_slice()) {
            (Builtin::Abs, [a]) => {
                let wide = self.widened(*a, 1)?;
                let negated = value::unary(self.constraints.terms(), UnaryOp::Neg, wide);
                let negative = self.compare_integers(CompareOp::Lt, wide, constant(0))?;
                self.choose_integer(negative, negated, wide)
            }
            (Builtin::Min | Builtin::Max, [a, b]) => {
                let op = if builtin == Builtin::Min { CompareOp::Le } else { CompareOp::Ge };
                let first = self.compare_integers(op, *a, *b)?;
                self.choose_integer(first, *a, *b)
            }
            _ => unsupported("this function of the logic"),
        }
    }

    /// A comparison of logic integers.
    pub(crate) fn compare_integers(&mut self, op: CompareOp, a: Scalar, b: Scalar) -> Step<Scalar> {
        let width = self.width(a).max(self.width(b));
        let (a, b) = (self.extended(a, width)?, self.extended(b, width)?);
        let (op, a, b) = match op {
            CompareOp::Eq => (BinaryOp::Eq, a, b),
            CompareOp::Ne => (BinaryOp::Ne, a, b),
            CompareOp::Lt => (BinaryOp::Slt, a, b),
            CompareOp::Le => (BinaryOp::Sle, a, b),
            CompareOp::Gt => (BinaryOp::Slt, b, a),
            CompareOp::Ge => (BinaryOp::Sle, b, a),
        };
        Ok(value::binary(self.constraints.terms(), op, a, b))
    }

    /// A logic integer as an integer of pointer width, wrapping.
    pub(crate) fn word_of(&mut self, integer: Scalar) -> Scalar {
        let width = self.program.target.pointer_width;
        self.resized(integer, width)
    }

    fn resized(&mut self, integer: Scalar, width: u8) -> Scalar {
        let conversion = match self.width(integer) {
            from if from == width => return integer,
            from if from < width => Conversion::SignExtend(width),
            _ => Conversion::Truncate(width),
        };
        value::convert(self.constraints.terms(), conversion, integer)
    }

    /// A C value that is a scalar.
    pub(crate) fn c_scalar(&mut self, path: &mut Path, scope: &Scope, term: &Term) -> Step<Scalar> {
        let TermKind::Cast(inner) = &term.kind else {
            return match self.c_value(path, scope, term)? {
                Val::Scalar(scalar) => Ok(scalar),
                Val::Pointer(_) => unsupported("a pointer as a number"),
            };
        };
        let ty = self.c_type(term)?;
        let width = match crate::input::scalar_type(&self.program.ctypes, ty) {
            Some(clew_scalar::Type::Int(width)) => width,
            Some(clew_scalar::Type::Float(format)) => return self.cast_to_float(path, scope, inner, format),
            None => return unsupported("this cast"),
        };
        if *self.program.ctypes.get(ty) == CType::Bool {
            return unsupported("a cast to `_Bool`");
        }
        let integer = match inner.sort {
            clew_ir::contract::Sort::Real => return unsupported("a cast of a real to an integer type"),
            clew_ir::contract::Sort::Integer => self.integer(path, scope, inner)?,
            _ => self.integer_of_c(path, scope, inner)?,
        };
        Ok(self.resized(integer, width))
    }
}
