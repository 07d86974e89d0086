//! The order in which gcc evaluates operands, where C leaves it open.
//!
//! To gcc, `a + (b, c)` is `(b, a + c)`, and `b ? 0 : 0`, `b || 1`, `b && 0`, `b() * 0` are `(b, 0)` and the like, as is a
//! comparison with a number that the type of `b` is always above or below: what comes first in an operand comes before the
//! other operand, through conversions and all operators but `&&`, `||` and `?:`. Macros whose parts are switched off are full
//! of it. What is assigned is evaluated before the place it is assigned to; of a call whose result is assigned as it is,
//! only the arguments are. Measured with gcc 12.

use super::body::Body;
use super::data::strip_reads;
use super::place::LValue;
use clew_ir::{Operand, Type};
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, ExprId, ExprKind};
use rucc_types::{TypeId, TypeKind};

impl Body<'_, '_> {
    /// Evaluates what comes before both operands. The values of the expressions it gives are known then, and are to be
    /// forgotten once the operands are evaluated.
    pub(crate) fn evaluate_first(&mut self, lhs: ExprId, rhs: ExprId) -> Vec<ExprId> {
        let mut known = Vec::new();
        if self.has_first(rhs) {
            self.first(lhs, &mut known);
            self.first(rhs, &mut known);
        }
        known
    }

    /// Forgets the values of expressions that came first.
    pub(crate) fn forget(&mut self, known: Vec<ExprId>) {
        for expr in known {
            self.known.remove(&expr);
        }
    }

    /// The place and the value of an assignment.
    pub(crate) fn assigned(&mut self, lhs: ExprId, rhs: ExprId) -> (LValue, Operand) {
        if self.value_comes_first(lhs, rhs) {
            let value = self.value(rhs);
            return (self.place(lhs), value);
        }
        let known = self.arguments_first(lhs, rhs);
        let (place, value) = (self.place(lhs), self.value(rhs));
        self.forget(known);
        (place, value)
    }

    /// Whether what is assigned is evaluated before the place, where one can tell.
    fn value_comes_first(&self, lhs: ExprId, rhs: ExprId) -> bool {
        let tells = self.has_effects(lhs) || self.has_effects(rhs) || self.decides(lhs) && self.decides(rhs);
        let is_read = matches!(
            self.checked.tast[strip_reads(self.checked, rhs)].kind,
            ExprKind::Subscript { .. } | ExprKind::Member { .. } | ExprKind::Unary { .. } | ExprKind::Comma { .. }
        );
        let is_aggregate = self.unit.is_aggregate(self.type_at(rhs));
        tells && if is_aggregate { is_read } else { self.called(rhs).is_none() }
    }

    /// Evaluates the arguments of a call whose result is assigned as it is, where the place decides or has effects, too.
    fn arguments_first(&mut self, lhs: ExprId, rhs: ExprId) -> Vec<ExprId> {
        let mut known = Vec::new();
        let Some(call) = self.called(rhs).filter(|_| self.has_effects(lhs) || self.decides(lhs)) else { return known };
        let ExprKind::Call { args, .. } = self.checked.tast[call].kind else { return known };
        for &arg in self.checked.tast[args].iter().rev() {
            let is_plain = self.unit.scalar(self.type_at(arg)).is_some();
            if is_plain && (self.has_effects(arg) || self.decides(arg)) {
                self.keep(arg, &mut known);
            }
        }
        known
    }

    /// The call whose result an expression is, as it is.
    fn called(&self, expr: ExprId) -> Option<ExprId> {
        let is_same = |from: ExprId| {
            let (from, to) = (self.type_at(from), self.type_at(expr));
            self.unit.kind(from) == self.unit.kind(to) || self.unit.is_pointer(from) && self.unit.is_pointer(to)
        };
        match self.checked.tast[expr].kind {
            ExprKind::Call { .. } => Some(expr),
            ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) if is_same(operand) => self.called(operand),
            _ => None,
        }
    }

    /// The left side of a comma expression, unless it came first.
    pub(crate) fn comma_left(&mut self, expr: ExprId, lhs: ExprId) {
        if !self.come_first.remove(&expr) {
            self.discard(lhs);
        }
    }

    /// The operands in which something may come first.
    fn inner(&self, expr: ExprId) -> Vec<ExprId> {
        match self.checked.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic | Conversion::Bool, operand } => vec![operand],
            ExprKind::Cast(operand) => vec![operand],
            ExprKind::Unary { op: UnaryOp::Plus | UnaryOp::Minus | UnaryOp::BitNot, operand } => vec![operand],
            ExprKind::Unary { op: UnaryOp::Not, operand } if !self.has_logic(operand) => vec![operand],
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. } => Vec::new(),
            ExprKind::Binary { lhs, rhs, .. } => vec![lhs, rhs],
            _ => Vec::new(),
        }
    }

    fn has_first(&self, expr: ExprId) -> bool {
        let is_first = matches!(self.checked.tast[expr].kind, ExprKind::Comma { .. }) || self.is_settled(expr);
        is_first || self.inner(expr).into_iter().any(|operand| self.has_first(operand))
    }

    fn first(&mut self, expr: ExprId, known: &mut Vec<ExprId>) {
        if let ExprKind::Comma { lhs, rhs } = self.checked.tast[expr].kind {
            if self.come_first.insert(expr) {
                self.discard(lhs);
            }
            self.first(rhs, known);
        } else if self.is_settled(expr) {
            self.keep(expr, known);
        } else {
            self.inner(expr).into_iter().for_each(|operand| self.first(operand, known));
        }
    }

    /// Evaluates an expression and keeps its value for where it stands.
    fn keep(&mut self, expr: ExprId, known: &mut Vec<ExprId>) {
        let value = self.value(expr);
        let local = self.hidden(self.type_at(expr));
        self.store_hidden(local, value);
        self.known.insert(expr, local);
        known.push(expr);
    }

    /// Whether what an expression gives does not depend on what it asks or calls, and it is not evaluated yet.
    fn is_settled(&self, expr: ExprId) -> bool {
        let matters = |operand: ExprId| self.has_effects(operand) || self.decides(operand);
        let is_zero = |operand: ExprId| self.number(operand) == Some(0);
        let settled = match self.checked.tast[expr].kind {
            ExprKind::Cond { then, otherwise, .. } => self.is_same(then, otherwise),
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.is_settled(self.truth_of(operand)),
            ExprKind::Binary { op: op @ (BinaryOp::LogAnd | BinaryOp::LogOr), lhs, rhs } => {
                self.constant_truth(lhs).is_none() && self.constant_truth(rhs) == Some(op == BinaryOp::LogOr)
            }
            ExprKind::Binary { op: BinaryOp::Mul | BinaryOp::BitAnd, lhs, rhs } => {
                let is_integer = matches!(self.unit.scalar(self.type_at(expr)), Some(Type::Int(_)));
                is_integer && (is_zero(lhs) && matters(rhs) || is_zero(rhs) && matters(lhs))
            }
            ExprKind::Binary { op, lhs, rhs } => match (self.number(lhs), self.number(rhs)) {
                (None, Some(number)) => self.is_decided(op, lhs, number),
                (Some(number), None) => mirrored(op).is_some_and(|op| self.is_decided(op, rhs, number)),
                _ => false,
            },
            _ => false,
        };
        settled && !self.known.contains_key(&expr)
    }

    /// Whether two expressions are the same to gcc: numbers, variables, and what is computed of them.
    fn is_same(&self, a: ExprId, b: ExprId) -> bool {
        if self.number(a).is_some() {
            return self.number(a) == self.number(b);
        }
        match (self.checked.tast[a].kind, self.checked.tast[b].kind) {
            (ExprKind::Decl(one), ExprKind::Decl(other)) => one == other && !self.unit.is_volatile(self.type_at(a)),
            (ExprKind::Convert { operand: one, .. }, ExprKind::Convert { operand: other, .. })
            | (ExprKind::Cast(one), ExprKind::Cast(other)) => {
                self.type_at(a) == self.type_at(b) && self.is_same(one, other)
            }
            (ExprKind::Binary { op, lhs, rhs }, ExprKind::Binary { op: other, lhs: left, rhs: right }) => {
                let computes = !matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr);
                computes && op == other && self.is_same(lhs, left) && self.is_same(rhs, right)
            }
            (ExprKind::Subscript { base, index }, ExprKind::Subscript { base: other, index: at }) => {
                let is_volatile = self.unit.is_volatile(self.type_at(a));
                !is_volatile && self.is_same(base, other) && self.is_same(index, at)
            }
            (ExprKind::Member { base, field }, ExprKind::Member { base: other, field: same }) => {
                field == same && !self.unit.is_volatile(self.type_at(a)) && self.is_same(base, other)
            }
            _ => false,
        }
    }

    /// Whether the type of an operand says how its comparison with a number ends. Where a negative number would become a
    /// large one, only the ends of the larger type do, and numbers that are never met.
    fn is_decided(&self, op: BinaryOp, operand: ExprId, number: i128) -> bool {
        let common = self.type_at(operand);
        let mut inner = operand;
        while let ExprKind::Convert { kind: Conversion::Arithmetic, operand } = self.checked.tast[inner].kind {
            inner = operand;
        }
        let (Some(own), Some(all)) = (self.bounds(self.type_at(inner)), self.bounds(common)) else { return false };
        let number = wrapped(number, all);
        let is_kept = own.0 >= all.0 && own.1 <= all.1;
        match op {
            BinaryOp::Eq | BinaryOp::Ne => {
                let number = if is_kept || number <= all.1 / 2 { number } else { number - all.1 - 1 };
                number < own.0 || number > own.1
            }
            _ => {
                let (least, most) = if is_kept { own } else { all };
                match op {
                    BinaryOp::Lt | BinaryOp::Ge => most < number || least >= number,
                    BinaryOp::Le | BinaryOp::Gt => most <= number || least > number,
                    _ => false,
                }
            }
        }
    }

    /// The least and the greatest value of an integer type of at most 64 bits.
    fn bounds(&self, ty: TypeId) -> Option<(i128, i128)> {
        match self.unit.scalar(ty) {
            Some(Type::Int(width @ ..=64)) if self.unit.is_signed(ty) => {
                Some((-(1 << (width - 1)), (1 << (width - 1)) - 1))
            }
            Some(Type::Int(width @ ..=64)) if !matches!(self.unit.kind(ty), TypeKind::Bool) => {
                Some((0, (1 << width) - 1))
            }
            _ => None,
        }
    }

    /// The number that an expression is, but for its type.
    pub(crate) fn number(&self, expr: ExprId) -> Option<i128> {
        match self.checked.tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand) => {
                self.number(operand)
            }
            ExprKind::Const(value) => match self.checked.tast[value] {
                Const::Int(value) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The operator that compares the other way round.
fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    match op {
        BinaryOp::Lt => Some(BinaryOp::Gt),
        BinaryOp::Gt => Some(BinaryOp::Lt),
        BinaryOp::Le => Some(BinaryOp::Ge),
        BinaryOp::Ge => Some(BinaryOp::Le),
        BinaryOp::Eq | BinaryOp::Ne => Some(op),
        _ => None,
    }
}

/// A number as a value of a type with these bounds.
fn wrapped(number: i128, (least, most): (i128, i128)) -> i128 {
    (number - least).rem_euclid(most - least + 1) + least
}
