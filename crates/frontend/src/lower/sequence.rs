//! Expressions whose parts change or read one variable in no order: C leaves them undefined.
//!
//! Operands of arithmetic, both sides of an assignment and the arguments of a call are not ordered; `&&`, `||`, `?:` and
//! the comma order theirs (C17 6.5p2). Only variables named in the expression are followed, not what pointers lead to.

use super::body::Body;
use super::data::strip_reads;
use clew_ir::{CheckKind, Operand};
use rucc_ast::UnaryOp;
use rucc_sema::{Conversion, DeclId, ExprId, ExprKind};
use std::collections::BTreeSet;

/// Variables that an expression reads and changes.
#[derive(Default)]
struct Accesses {
    reads: BTreeSet<usize>,
    writes: BTreeSet<usize>,
}

impl Accesses {
    fn conflicts(&self, other: &Accesses) -> bool {
        let clashes = |a: &Accesses, b: &Accesses| !a.writes.is_disjoint(&b.writes) || !a.writes.is_disjoint(&b.reads);
        clashes(self, other) || clashes(other, self)
    }
}

impl Body<'_, '_> {
    /// Demands that expressions which are evaluated in no order do not meet in a variable.
    pub(crate) fn demand_order(&mut self, operands: &[ExprId]) {
        if !operands.iter().any(|&operand| self.has_effects(operand)) {
            return;
        }
        let accesses: Vec<Accesses> = operands.iter().map(|&operand| self.accesses_of(operand)).collect();
        let meets = |index: usize| accesses[..index].iter().any(|other| other.conflicts(&accesses[index]));
        if (1..accesses.len()).any(meets) {
            self.demand(Operand::int(1, 0), CheckKind::Unsequenced);
        }
    }

    /// Demands order between the sides of an assignment, and that the right side does not change the variable on the left.
    /// `a = a = b` is let pass.
    pub(crate) fn demand_order_of_assignment(&mut self, lhs: ExprId, rhs: ExprId) {
        let tast = &self.checked.tast;
        let (ExprKind::Decl(decl), true) = (tast[lhs].kind, self.has_effects(rhs)) else {
            return self.demand_order(&[lhs, rhs]);
        };
        let is_assignment = matches!(tast[strip_reads(self.checked, rhs)].kind, ExprKind::Assign { .. });
        if !is_assignment && self.accesses_of(rhs).writes.contains(&decl.index()) {
            self.demand(Operand::int(1, 0), CheckKind::Unsequenced);
        }
    }

    fn accesses_of(&self, expr: ExprId) -> Accesses {
        let mut found = Accesses::default();
        self.find_accesses(expr, &mut found);
        found
    }

    fn find_accesses(&self, expr: ExprId, found: &mut Accesses) {
        let tast = &self.checked.tast;
        let variable = |operand: ExprId| match tast[operand].kind {
            ExprKind::Decl(decl) if self.unit.scalar(tast[operand].ty).is_some() => Some(decl),
            _ => None,
        };
        let mut all = |parts: &[ExprId]| parts.iter().for_each(|&part| self.find_accesses(part, found));
        match tast[expr].kind {
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => match variable(operand) {
                Some(decl) => drop(found.reads.insert(index(decl))),
                None => all(&[operand]),
            },
            ExprKind::Unary {
                op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec,
                operand,
            } => match variable(operand) {
                Some(decl) => drop(found.writes.insert(index(decl))),
                None => all(&[operand]),
            },
            ExprKind::Assign { lhs, rhs, .. } => {
                all(&[rhs]);
                match variable(lhs) {
                    Some(decl) => drop(found.writes.insert(index(decl))),
                    None => self.find_accesses(lhs, found),
                }
            }
            ExprKind::Binary { lhs: a, rhs: b, .. }
            | ExprKind::Comma { lhs: a, rhs: b }
            | ExprKind::Subscript { base: a, index: b } => all(&[a, b]),
            ExprKind::Unary { operand, .. }
            | ExprKind::Cast(operand)
            | ExprKind::Convert { operand, .. }
            | ExprKind::Member { base: operand, .. }
            | ExprKind::Expect { value: operand, .. } => all(&[operand]),
            ExprKind::Cond { cond, then, otherwise } => all(&[cond, then, otherwise]),
            ExprKind::Call { callee, args } => {
                all(&[callee]);
                tast[args].iter().for_each(|&arg| self.find_accesses(arg, found));
            }
            _ => {}
        }
    }
}

fn index(decl: DeclId) -> usize {
    decl.index()
}
