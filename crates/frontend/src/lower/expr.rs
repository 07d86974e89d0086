//! Expressions: values.
//!
//! [`Body::value`] gives the value of a scalar expression as an operand, and of an aggregate expression as the address
//! of an object that holds it. A `void` expression gives null, which nobody reads.

use super::body::Body;
use super::data::float_bits;
use super::types::Shape;
use clew_ir::{Operand, Type};
use clew_scalar::Value;
use rucc_ast::UnaryOp;
use rucc_sema::{Address, Base, Const, ConstId, Conversion, ExprId, ExprKind};
use rucc_types::TypeId;

impl Body<'_, '_> {
    /// The value of an expression.
    pub(crate) fn value(&mut self, expr: ExprId) -> Operand {
        if let Some(&local) = self.known.get(&expr)
            && let Some(ty) = self.unit.scalar(self.type_at(expr))
        {
            return self.load_hidden(local, ty);
        }
        self.at(expr, |body| body.value_here(expr))
    }

    fn value_here(&mut self, expr: ExprId) -> Operand {
        let node = self.checked.tast[expr];
        match node.kind {
            ExprKind::Const(value) => self.constant(value, node.ty),
            ExprKind::Str(_)
            | ExprKind::Decl(_)
            | ExprKind::Member { .. }
            | ExprKind::Subscript { .. }
            | ExprKind::CompoundLiteral(_)
            | ExprKind::Unary { op: UnaryOp::Deref | UnaryOp::Real | UnaryOp::Imag, .. } => {
                let place = self.place(expr);
                self.read(&place)
            }
            ExprKind::Call { callee, args } => self.call(expr, callee, args),
            ExprKind::Unary { op, operand } => self.unary_expr(op, operand, node.ty),
            ExprKind::Binary { op, lhs, rhs } => self.binary_expr(expr, op, lhs, rhs),
            ExprKind::Assign { op: None, lhs, rhs, .. } => self.assign(lhs, rhs),
            ExprKind::Assign { op: Some(op), computation, lhs, rhs } => self.assign_op(op, computation, lhs, rhs),
            ExprKind::Cond { cond, then, otherwise } => self.ternary(expr, cond, then, otherwise),
            ExprKind::Comma { lhs, rhs } => {
                self.comma_left(expr, lhs);
                self.value(rhs)
            }
            ExprKind::Cast(operand) => self.cast(operand, node.ty),
            ExprKind::Convert { kind, operand } => self.conversion(kind, operand, node.ty),
            ExprKind::StmtExpr(stmt) => self.statement_expr(stmt, node.ty),
            ExprKind::LabelAddr(label) => self.label_address(label),
            _ => self.builtin(expr),
        }
    }

    /// Evaluates an expression for its effects.
    pub(crate) fn discard(&mut self, expr: ExprId) {
        let node = self.checked.tast[expr];
        match node.kind {
            ExprKind::Convert { kind: Conversion::Void, operand } => self.discard(operand),
            ExprKind::Cast(operand) if self.unit.shape(node.ty) == Shape::None => self.discard(operand),
            ExprKind::Cond { cond, then, otherwise } => self.ternary_discarded(cond, then, otherwise),
            ExprKind::StmtExpr(stmt) => self.at(expr, |body| {
                body.statement(stmt);
            }),
            ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs);
                self.discard(rhs);
            }
            // Reading a plain variable has no effect.
            ExprKind::Convert { kind: Conversion::Lvalue, operand }
                if matches!(self.checked.tast[operand].kind, ExprKind::Decl(_))
                    && !self.unit.is_volatile(self.checked.tast[operand].ty) => {}
            _ => {
                self.value(expr);
            }
        }
    }

    fn constant(&mut self, value: ConstId, ty: TypeId) -> Operand {
        match (self.checked.tast[value], self.unit.shape(ty)) {
            (Const::Int(value), Shape::Scalar(Type::Int(width))) => Operand::int(width, value as u128),
            (Const::Int(value), Shape::Scalar(Type::Pointer)) => {
                let address = self.word(value);
                self.pointer_at(address, ty)
            }
            (Const::Float(value), Shape::Scalar(Type::Float(format))) => {
                Operand::Const(Value { ty: clew_scalar::Type::Float(format), bits: float_bits(value) })
            }
            (Const::Address(address), _) => self.address_constant(address, ty),
            (value @ (Const::Complex { .. } | Const::ComplexInt { .. }), _) => self.complex_constant(value, ty),
            _ => self.lost("this constant", ty),
        }
    }

    fn address_constant(&mut self, address: Address, ty: TypeId) -> Operand {
        let base = match address.base {
            Base::Decl(decl) => match self.variables.get(&decl) {
                Some(_) => self.variable_address(decl),
                None => self.symbol(decl),
            },
            Base::Str(string) => {
                let ty = self.checked.types.int(rucc_types::IntKind::Char);
                Operand::Global(self.unit.literal(string, ty), 0)
            }
            Base::Label(label) => self.label_address(label),
            Base::Absolute => {
                let address = self.word(address.offset);
                return self.pointer_at(address, ty);
            }
        };
        self.offset_const(base, address.offset as i64)
    }

    /// A value that stands for what could not be lowered.
    pub(crate) fn lost(&mut self, what: &str, ty: TypeId) -> Operand {
        self.unsupported(what);
        match self.unit.shape(ty) {
            Shape::Scalar(scalar) => self.zero(scalar),
            Shape::Aggregate => Operand::Local(self.hidden(ty)),
            Shape::None | Shape::Unsupported => Operand::Null,
        }
    }
}
