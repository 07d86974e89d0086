//! Boundary objectives: for every comparison that decides a condition, operands equal, the left one just below and just
//! above the right one. "Just" is one for integers and one step of the format for floats.

use super::written::is_swapped;
use super::{Stating, points};
use crate::label::{Label, Point};
use crate::words;
use clew_ir::{Expr, InstKind, Operand, Span, TempId, TerminatorKind, Type};
use clew_scalar::{BinaryOp, Conversion};

/// How the operands of a comparison are ordered.
#[derive(Clone, Copy)]
enum Order {
    Signed,
    Unsigned,
    /// Equality does not tell.
    Either,
}

/// A comparison of the program.
struct Comparison {
    at: Point,
    order: Order,
    a: Operand,
    b: Operand,
    span: Span,
}

impl Stating<'_> {
    pub(super) fn boundaries(&mut self) {
        for comparison in self.comparisons() {
            let labels = match comparison.a.ty(self.function) {
                Type::Int(width) => integers(&comparison, width),
                Type::Float(format) => floats(&comparison, format.width()),
                Type::Pointer => continue,
            };
            let text = words::text(self.program, comparison.span);
            for (where_, holds) in labels {
                let what = format!("`{text}` is compared {where_}");
                self.state_label(Label { at: comparison.at, holds, span: comparison.span, what });
            }
        }
    }

    /// The comparisons whose result is the outcome of a condition.
    fn comparisons(&self) -> Vec<Comparison> {
        let comparison = |(at, inst): (Point, &clew_ir::Inst)| match inst.kind {
            InstKind::Binary { dest, op, a, b, .. } if self.is_outcome(at, dest) && !self.is_truth(at, inst) => {
                let order = match op {
                    BinaryOp::Slt | BinaryOp::Sle => Order::Signed,
                    BinaryOp::Ult | BinaryOp::Ule => Order::Unsigned,
                    _ => Order::Either,
                };
                let (a, b) = if is_swapped(self.program, inst) { (b, a) } else { (a, b) };
                compares(op).then_some(Comparison { at, order, a, b, span: inst.span })
            }
            _ => None,
        };
        points(self.id, self.function).filter_map(comparison).collect()
    }

    fn is_outcome(&self, at: Point, dest: TempId) -> bool {
        matches!(self.function.blocks[at.block].terminator.kind,
            TerminatorKind::Branch { on: Operand::Temp(on), condition: Some(_), .. } if on == dest)
    }

    /// Whether a comparison is the implicit `!= 0` of a value used as a truth value: its span is that of the value.
    pub(super) fn is_truth(&self, at: Point, inst: &clew_ir::Inst) -> bool {
        let InstKind::Binary { op: BinaryOp::Ne, a: Operand::Temp(a), b: Operand::Const(zero), .. } = inst.kind else {
            return false;
        };
        let before = &self.function.blocks[at.block].insts[..at.index as usize];
        let defining = before.iter().rev().find(|inst| inst.kind.dest() == Some(a));
        zero.bits == 0 && defining.is_none_or(|defining| defining.span == inst.span)
    }
}

/// Whether an operator compares.
pub(super) fn compares(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(op, B::Eq | B::Ne | B::Ult | B::Ule | B::Slt | B::Sle | B::FloatEq | B::FloatLt | B::FloatLe)
}

/// On the border, just below, just above; the latter without wrapping round.
fn integers(comparison: &Comparison, width: u8) -> Vec<(&'static str, Expr)> {
    let (a, b) = (Expr::from(comparison.a), Expr::from(comparison.b));
    let one = Expr::from(Operand::int(width, 1));
    let less = |low: &Expr, high: &Expr| {
        let less = |op| Expr::binary(op, low.clone(), high.clone());
        match comparison.order {
            Order::Signed => less(BinaryOp::Slt),
            Order::Unsigned => less(BinaryOp::Ult),
            Order::Either => Expr::binary(BinaryOp::Or, less(BinaryOp::Slt), less(BinaryOp::Ult)),
        }
    };
    let next = |low: &Expr, high: &Expr| {
        let step = Expr::binary(BinaryOp::Eq, Expr::binary(BinaryOp::Sub, high.clone(), low.clone()), one.clone());
        Expr::binary(BinaryOp::And, step, less(low, high))
    };
    vec![
        ("on its border", Expr::binary(BinaryOp::Eq, a.clone(), b.clone())),
        ("just below its border", next(&a, &b)),
        ("just above its border", next(&b, &a)),
    ]
}

/// The same for floats: bits as integers are ordered like the floats of one sign, so neighbours of one sign differ by one;
/// the neighbours of zero are the least subnormals.
fn floats(comparison: &Comparison, width: u8) -> Vec<(&'static str, Expr)> {
    let (a, b) = (Expr::from(comparison.a), Expr::from(comparison.b));
    let next = |low: &Expr, high: &Expr| {
        let bits = |x: &Expr| Expr::convert(Conversion::FloatToBits, x.clone());
        let difference = |x: Expr, y: Expr| Expr::binary(BinaryOp::Sub, x, y);
        let one = || Expr::from(Operand::int(width, 1));
        let up = Expr::binary(BinaryOp::Eq, difference(bits(high), bits(low)), one());
        let down = Expr::binary(BinaryOp::Eq, difference(bits(low), bits(high)), one());
        let either = Expr::binary(BinaryOp::Or, up, down);
        Expr::binary(BinaryOp::And, either, Expr::binary(BinaryOp::FloatLt, low.clone(), high.clone()))
    };
    vec![
        ("on its border", Expr::binary(BinaryOp::FloatEq, a.clone(), b.clone())),
        ("just below its border", next(&a, &b)),
        ("just above its border", next(&b, &a)),
    ]
}
