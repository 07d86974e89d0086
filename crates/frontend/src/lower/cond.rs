//! Decisions taken apart into conditions.
//!
//! A decision is an expression that control depends on. Its `&&`, `||` and `!` become branches between blocks; every
//! other operand is an atomic condition with a branch of its own. Constant operands are folded and have no condition.
//! `&&` and `||` used for their value are decisions too; `!` and comparisons used for their value are plain
//! arithmetic.

use super::arith::is_comparison;
use super::body::Body;
use clew_ir::{BlockId, Condition, Decision, DecisionId, DecisionKind, Formula, Operand, TerminatorKind, Type};
use clew_scalar::UnaryOp as Unary;
use rucc_ast::{BinaryOp, UnaryOp};
use rucc_sema::{Const, Conversion, Eval, ExprId, ExprKind};
use rucc_types::{IntKind, TypeId};

impl Body<'_, '_> {
    /// Ends the block by an expression; gives the decision unless the outcome is constant.
    pub(crate) fn decide(
        &mut self,
        expr: ExprId,
        kind: DecisionKind,
        then: BlockId,
        otherwise: BlockId,
    ) -> Option<DecisionId> {
        if let Some(outcome) = self.constant_truth(expr) {
            self.jump(if outcome { then } else { otherwise });
            return None;
        }
        self.builder.current()?;
        let span = self.expr_span(self.truth_of(expr));
        let decision = self.builder.function.decisions.push(Decision { kind, span, formula: None });
        let formula = self.branch(expr, decision, then, otherwise);
        self.builder.function.decisions[decision].formula = Some(formula);
        Some(decision)
    }

    /// Branches on one part of a decision.
    fn branch(&mut self, expr: ExprId, decision: DecisionId, then: BlockId, otherwise: BlockId) -> Formula {
        let expr = self.truth_of(expr);
        if let Some(outcome) = self.constant_truth(expr) {
            self.jump(if outcome { then } else { otherwise });
            return Formula::Const(outcome);
        }
        if self.known.contains_key(&expr) {
            return self.atom(expr, decision, then, otherwise);
        }
        match self.checked.tast[expr].kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => {
                Formula::Not(Box::new(self.branch(operand, decision, otherwise, then)))
            }
            ExprKind::Binary { op: BinaryOp::LogAnd, lhs, rhs } => {
                let both = self.builder.block();
                let left = self.branch(lhs, decision, both, otherwise);
                self.open(both);
                Formula::And(Box::new(left), Box::new(self.branch_right(rhs, decision, then, otherwise)))
            }
            ExprKind::Binary { op: BinaryOp::LogOr, lhs, rhs } => {
                let either = self.builder.block();
                let left = self.branch(lhs, decision, then, either);
                self.open(either);
                Formula::Or(Box::new(left), Box::new(self.branch_right(rhs, decision, then, otherwise)))
            }
            ExprKind::Comma { lhs, rhs } => {
                self.discard(lhs);
                self.branch(rhs, decision, then, otherwise)
            }
            _ => self.atom(expr, decision, then, otherwise),
        }
    }

    /// The right operand of `&&` or `||`; one that is never evaluated has no conditions.
    fn branch_right(&mut self, expr: ExprId, decision: DecisionId, then: BlockId, otherwise: BlockId) -> Formula {
        if self.builder.current().is_none() {
            return Formula::Const(false);
        }
        self.branch(expr, decision, then, otherwise)
    }

    fn atom(&mut self, expr: ExprId, decision: DecisionId, then: BlockId, otherwise: BlockId) -> Formula {
        let span = self.expr_span(expr);
        let condition = self.builder.function.conditions.push(Condition { decision, span });
        let on = self.truth(expr);
        self.at(expr, |body| {
            body.reach(then);
            body.reach(otherwise);
            body.builder.terminate(TerminatorKind::Branch { on, condition: Some(condition), then, otherwise });
        });
        Formula::Atom(condition)
    }

    /// Whether an expression is not zero, as `Int(1)`.
    pub(crate) fn truth(&mut self, expr: ExprId) -> Operand {
        let expr = self.truth_of(expr);
        let ty = self.type_at(expr);
        if self.known.contains_key(&expr) {
            let value = self.value(expr);
            return self.is_nonzero(value);
        }
        match self.checked.tast[expr].kind {
            ExprKind::Binary { op, lhs, rhs } if is_comparison(op) && !self.unit.is_aggregate(self.type_at(lhs)) => {
                self.at(expr, |body| body.comparison(op, lhs, rhs))
            }
            ExprKind::Unary { op: UnaryOp::Not, operand } if !self.has_logic(operand) => {
                let truth = self.truth(operand);
                self.at(expr, |body| body.unary(Unary::Not, truth, None))
            }
            _ if self.unit.is_aggregate(ty) => self.aggregate_truth(expr),
            _ => {
                let value = self.value(expr);
                self.at(expr, |body| body.is_nonzero(value))
            }
        }
    }

    /// The truth of an expression used for its value.
    pub(crate) fn truth_or_decision(&mut self, expr: ExprId) -> Operand {
        if self.has_logic(expr) {
            let int = self.checked.types.int(IntKind::Int);
            let value = self.decision_value(expr, false, int);
            return self.is_nonzero(value);
        }
        self.truth(expr)
    }

    /// The value 0 or 1 of a decision, or of its negation.
    pub(crate) fn decision_value(&mut self, expr: ExprId, negated: bool, ty: TypeId) -> Operand {
        let Some(Type::Int(width)) = self.unit.scalar(ty) else { return self.lost("logic of this type", ty) };
        if let Some(outcome) = self.constant_truth(expr) {
            return Operand::int(width, u128::from(outcome != negated));
        }
        let result = self.hidden(ty);
        let (yes, no, join) = (self.builder.block(), self.builder.block(), self.builder.block());
        self.decide(expr, DecisionKind::Value, yes, no);
        for (block, outcome) in [(yes, true), (no, false)] {
            if self.open(block) {
                self.store_hidden(result, Operand::int(width, u128::from(outcome != negated)));
                self.jump(join);
            }
        }
        self.open(join);
        self.load_hidden(result, Type::Int(width))
    }

    /// `cond ? then : otherwise`.
    pub(crate) fn ternary(&mut self, expr: ExprId, cond: ExprId, then: ExprId, otherwise: ExprId) -> Operand {
        let ty = self.type_at(expr);
        if self.unit.scalar(ty).is_none() && !self.unit.is_aggregate(ty) {
            self.ternary_discarded(cond, then, otherwise);
            return Operand::Null;
        }
        if let Some(outcome) = self.constant_truth(cond) {
            return self.value(if outcome { then } else { otherwise });
        }
        let shared = self.share_condition(cond, then);
        let result = self.hidden_place(ty);
        let (yes, no, join) = (self.builder.block(), self.builder.block(), self.builder.block());
        self.decide(cond, DecisionKind::Ternary, yes, no);
        for (block, arm) in [(yes, then), (no, otherwise)] {
            if self.open(block) {
                let value = self.value(arm);
                self.store(&result, value);
                self.jump(join);
            }
        }
        if let Some(shared) = shared {
            self.known.remove(&shared);
        }
        self.open(join);
        self.read(&result)
    }

    /// `cond ? then : otherwise` for its effects.
    pub(crate) fn ternary_discarded(&mut self, cond: ExprId, then: ExprId, otherwise: ExprId) {
        let shared = self.share_condition(cond, then);
        let (yes, no, join) = (self.builder.block(), self.builder.block(), self.builder.block());
        self.decide(cond, DecisionKind::Ternary, yes, no);
        for (block, arm) in [(yes, then), (no, otherwise)] {
            if self.open(block) {
                self.discard(arm);
                self.jump(join);
            }
        }
        if let Some(shared) = shared {
            self.known.remove(&shared);
        }
        self.open(join);
    }

    /// In `a ?: b` the tree mentions `a` twice; it is evaluated once.
    fn share_condition(&mut self, cond: ExprId, then: ExprId) -> Option<ExprId> {
        let tast = &self.checked.tast;
        let mut asked = cond;
        while let ExprKind::Convert { kind: Conversion::Bool, operand } = tast[asked].kind {
            asked = operand;
        }
        let mut given = then;
        while given != asked {
            given = match tast[given].kind {
                ExprKind::Convert { operand, .. } | ExprKind::Cast(operand) => operand,
                _ => return None,
            };
        }
        self.unit.scalar(self.type_at(asked))?;
        let value = self.value(asked);
        let local = self.hidden(self.type_at(asked));
        self.store_hidden(local, value);
        self.known.insert(asked, local);
        Some(asked)
    }

    /// The expression that decides the truth of another one: conversions that keep "is not zero" are left out.
    pub(crate) fn truth_of(&self, mut expr: ExprId) -> ExprId {
        let tast = &self.checked.tast;
        while !self.known.contains_key(&expr) {
            expr = match tast[expr].kind {
                ExprKind::Convert { kind: Conversion::Bool, operand } => operand,
                ExprKind::Expect { value, .. } => value,
                ExprKind::Convert { kind: Conversion::Arithmetic, operand } | ExprKind::Cast(operand)
                    if self.keeps_truth(tast[operand].ty, tast[expr].ty) =>
                {
                    operand
                }
                _ => return expr,
            };
        }
        expr
    }

    fn keeps_truth(&self, from: TypeId, to: TypeId) -> bool {
        match (self.unit.scalar(from), self.unit.scalar(to)) {
            (Some(Type::Int(from)), Some(Type::Int(to))) => from <= to,
            _ => false,
        }
    }

    /// Whether the truth of an expression is decided by `&&` or `||`.
    pub(crate) fn has_logic(&self, expr: ExprId) -> bool {
        let expr = self.truth_of(expr);
        match self.checked.tast[expr].kind {
            ExprKind::Binary { op: BinaryOp::LogAnd | BinaryOp::LogOr, .. } => true,
            ExprKind::Unary { op: UnaryOp::Not, operand } => self.has_logic(operand),
            _ => false,
        }
    }

    /// The truth of a constant expression.
    pub(crate) fn constant_truth(&self, expr: ExprId) -> Option<bool> {
        if self.known.contains_key(&expr) {
            return None;
        }
        let checked = self.checked;
        let mut eval = Eval::new(&checked.tast, &checked.types, &checked.target, &checked.names);
        let value = eval.constant(expr).ok()?;
        if eval.addressed() {
            return None;
        }
        match value {
            Const::Int(value) => Some(value != 0),
            Const::Float(value) => Some(!value.is_zero()),
            _ => None,
        }
    }
}
