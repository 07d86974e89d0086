//! Weak mutation (Howden 1982): a mutant is killed when the changed expression has another value than the original.
//!
//! Operators: arithmetic replacement, relational replacement, logical replacement (`&&` and `||` exchanged, a condition
//! negated), absolute value and negation of variables, constants plus and minus one. Each mutant is a label just after
//! the original instruction, but for logical ones, which compare the decision's result with that of the changed formula.
//! A replaced division counts as killed where it would divide by zero.

use super::written::is_swapped;
use super::{Stating, points};
use crate::label::{Label, Point};
use crate::objective::Goal;
use crate::words;
use clew_ir::{CType, CTypeId, CheckKind, Expr, Formula, Inst, InstKind, Operand, TempId, Type};
use clew_scalar::{BinaryOp, Conversion, Rounding, UnaryOp, Value, eval};

impl Stating<'_> {
    pub(super) fn mutants(&mut self) {
        let insts: Vec<(Point, &Inst)> = points(self.id, self.function).collect();
        let is_checked = self.checks_overflow();
        for (at, inst) in insts {
            match inst.kind {
                InstKind::Binary { dest, op, a, b, check }
                    if !self.is_address(at, dest) && !self.is_truth(at, inst) =>
                {
                    // Arithmetic of signed integers is checked, unless the compiler's flags define it.
                    self.operators(at, inst, (dest, op, a, b), check.is_some() || !is_checked);
                    self.constants(at, inst, (dest, op, a, b));
                }
                InstKind::Load { dest, from: Operand::Local(local), .. } => {
                    self.signs(at, inst, dest, self.function.locals[local].ty);
                }
                InstKind::Load { dest, from: Operand::Global(global, _), .. } => {
                    self.signs(at, inst, dest, self.program.globals[global].ty);
                }
                _ => {}
            }
        }
        for (id, decision) in self.function.decisions.iter() {
            let mutants = decision.formula.as_ref().filter(|formula| self.branches_on(formula)).map(logical);
            mutants.into_iter().flatten().for_each(|mutant| self.state(Goal::Mutant(id, mutant), decision.span));
        }
    }

    /// Whether a result only serves to compute an address: scaling of indices is not the user's arithmetic.
    fn is_address(&self, at: Point, dest: TempId) -> bool {
        let rest = &self.function.blocks[at.block].insts[at.index as usize + 1..];
        rest.iter()
            .any(|inst| matches!(inst.kind, InstKind::Offset { bytes: Operand::Temp(bytes), .. } if bytes == dest))
    }

    fn operators(
        &mut self,
        at: Point,
        inst: &Inst,
        (dest, op, a, b): (TempId, BinaryOp, Operand, Operand),
        is_signed: bool,
    ) {
        let pointers = a.ty(self.function) == Type::Pointer || b.ty(self.function) == Type::Pointer;
        for other in replacements(op, is_signed).iter().copied().filter(|other| *other != op) {
            if pointers && !matches!(other, BinaryOp::Eq | BinaryOp::Ne) {
                continue;
            }
            let changed = Expr::binary(other, a.into(), b.into());
            let mut holds = self.differs(changed, dest);
            if let (BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem, Type::Int(width)) =
                (other, b.ty(self.function))
            {
                let undefined = Expr::binary(BinaryOp::Eq, b.into(), Operand::int(width, 0).into());
                holds = Expr::binary(BinaryOp::Or, undefined, holds);
            }
            let symbol = match (symbol(other), is_swapped(self.program, inst)) {
                ("<", true) => ">",
                ("<=", true) => ">=",
                (symbol, _) => symbol,
            };
            self.mutant(at, inst, holds, format!("with `{symbol}`"));
        }
    }

    /// Whether signed arithmetic of the program is checked at all.
    fn checks_overflow(&self) -> bool {
        let mut checks = self.program.functions.values().flat_map(|function| function.checks.values());
        checks.any(|check| check.kind == CheckKind::Overflow)
    }

    fn constants(&mut self, at: Point, inst: &Inst, (dest, op, a, b): (TempId, BinaryOp, Operand, Operand)) {
        for (left, constant) in [(true, a), (false, b)] {
            let Operand::Const(value) = constant else { continue };
            for step in [1, -1] {
                let Some(changed) = stepped(value, step) else { continue };
                let changed = Operand::Const(changed);
                let (x, y) = if left { (changed, b) } else { (a, changed) };
                let holds = self.differs(Expr::binary(op, x.into(), y.into()), dest);
                self.mutant(at, inst, holds, format!("with the constant {step:+}"));
            }
        }
    }

    /// A variable replaced by its absolute value, unless it is unsigned, and by its negation.
    fn signs(&mut self, at: Point, inst: &Inst, dest: TempId, ty: CTypeId) {
        let x = || Expr::from(Operand::Temp(dest));
        let (negative, nonzero) = match self.function.temps[dest].ty {
            Type::Int(width) if width > 1 => {
                let zero = || Expr::from(Operand::int(width, 0));
                (Expr::binary(BinaryOp::Slt, x(), zero()), Expr::binary(BinaryOp::Ne, x(), zero()))
            }
            Type::Float(_) => {
                let zero = Expr::unary(UnaryOp::FloatIsZero, x());
                (Expr::unary(UnaryOp::FloatIsNegative, x()), Expr::unary(UnaryOp::Not, zero))
            }
            _ => return,
        };
        let is_unsigned = match self.program.ctypes.get(ty) {
            CType::Int { .. } | CType::Enum { .. } => !self.program.ctypes.is_signed(ty),
            ty => *ty == CType::Bool,
        };
        if !is_unsigned {
            self.mutant(at, inst, negative, "with its absolute value".to_owned());
        }
        self.mutant(at, inst, nonzero, "negated".to_owned());
    }

    /// Whether an expression differs from a temporary.
    fn differs(&self, changed: Expr, original: TempId) -> Expr {
        let ty = self.function.temps[original].ty;
        let original = Expr::from(Operand::Temp(original));
        match ty {
            Type::Float(_) => {
                let bits = |x: Expr| Expr::convert(Conversion::FloatToBits, x);
                Expr::binary(BinaryOp::Ne, bits(changed), bits(original))
            }
            _ => Expr::binary(BinaryOp::Ne, changed, original),
        }
    }

    fn mutant(&mut self, at: Point, inst: &Inst, holds: Expr, change: String) {
        let what = format!("`{}` {change} would differ", words::text(self.program, inst.span));
        self.state_label(Label { at, holds, span: inst.span, what });
    }
}

/// The operators an operator is exchanged with. Sums and products do not say themselves whether their operands are signed.
fn replacements(op: BinaryOp, is_signed: bool) -> &'static [BinaryOp] {
    use BinaryOp as B;
    const NEAREST: Rounding = Rounding::NearestEven;
    match op {
        B::Add | B::Sub | B::Mul if !is_signed => &[B::Add, B::Sub, B::Mul, B::UDiv, B::URem],
        B::Add | B::Sub | B::Mul | B::SDiv | B::SRem => &[B::Add, B::Sub, B::Mul, B::SDiv, B::SRem],
        B::UDiv | B::URem => &[B::Add, B::Sub, B::Mul, B::UDiv, B::URem],
        B::And | B::Or | B::Xor => &[B::And, B::Or, B::Xor],
        B::Shl | B::AShr => &[B::Shl, B::AShr],
        B::LShr => &[B::Shl, B::LShr],
        B::Slt | B::Sle => &[B::Slt, B::Sle, B::Eq, B::Ne],
        B::Ult | B::Ule => &[B::Ult, B::Ule, B::Eq, B::Ne],
        B::Eq | B::Ne => &[B::Eq, B::Ne, B::Slt, B::Sle],
        B::FloatAdd(_) | B::FloatSub(_) | B::FloatMul(_) | B::FloatDiv(_) => {
            &[B::FloatAdd(NEAREST), B::FloatSub(NEAREST), B::FloatMul(NEAREST), B::FloatDiv(NEAREST)]
        }
        B::FloatEq | B::FloatLt | B::FloatLe => &[B::FloatEq, B::FloatLt, B::FloatLe],
        _ => &[],
    }
}

/// How C spells an operator.
fn symbol(op: BinaryOp) -> &'static str {
    use BinaryOp as B;
    match op {
        B::Add | B::FloatAdd(_) => "+",
        B::Sub | B::FloatSub(_) => "-",
        B::Mul | B::FloatMul(_) => "*",
        B::SDiv | B::UDiv | B::FloatDiv(_) => "/",
        B::SRem | B::URem => "%",
        B::And => "&",
        B::Or => "|",
        B::Xor => "^",
        B::Shl => "<<",
        B::LShr | B::AShr => ">>",
        B::Slt | B::Ult | B::FloatLt => "<",
        B::Sle | B::Ule | B::FloatLe => "<=",
        B::Eq | B::FloatEq => "==",
        B::Ne => "!=",
        _ => unreachable!("only operators that are exchanged are spelled"),
    }
}

/// A constant plus or minus one.
fn stepped(value: Value, step: i32) -> Option<Value> {
    match value.ty {
        clew_scalar::Type::Int(width) if width > 1 => Some(Value::int(
            width,
            value.bits.wrapping_add(step as i128 as u128) & (u128::MAX >> (128 - u32::from(width))),
        )),
        clew_scalar::Type::Float(format) => {
            let one = eval::convert(
                Conversion::SignedToFloat(format, Rounding::NearestEven),
                Value::int(32, step as u32 as u128),
            );
            Some(eval::binary(BinaryOp::FloatAdd(Rounding::NearestEven), value, one))
        }
        clew_scalar::Type::Int(_) => None,
    }
}

/// A formula with one `&&` or `||` exchanged, or one condition negated.
fn logical(formula: &Formula) -> Vec<Formula> {
    let inside = |a: &Formula, b: &Formula, join: fn(Box<Formula>, Box<Formula>) -> Formula| {
        let left = logical(a).into_iter().map(|changed| join(Box::new(changed), Box::new(b.clone())));
        let right = logical(b).into_iter().map(|changed| join(Box::new(a.clone()), Box::new(changed)));
        left.chain(right).collect::<Vec<_>>()
    };
    match formula {
        Formula::Atom(_) => vec![Formula::Not(Box::new(formula.clone()))],
        Formula::Not(a) => logical(a).into_iter().map(|changed| Formula::Not(Box::new(changed))).collect(),
        Formula::And(a, b) => {
            let mut all = vec![Formula::Or(a.clone(), b.clone())];
            all.extend(inside(a, b, Formula::And));
            all
        }
        Formula::Or(a, b) => {
            let mut all = vec![Formula::And(a.clone(), b.clone())];
            all.extend(inside(a, b, Formula::Or));
            all
        }
        Formula::Const(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::replacements;
    use crate::generate::boundary::compares;
    use clew_scalar::BinaryOp;

    #[test]
    fn comparisons_are_exchanged_with_comparisons() {
        for op in [BinaryOp::Slt, BinaryOp::Ule, BinaryOp::Eq, BinaryOp::FloatLt] {
            assert!(compares(op) && replacements(op, true).iter().all(|other| compares(*other)));
        }
    }
}
