//! Statements: `switch`.

use super::body::Body;
use super::scope::Scope;
use clew_ir::{Case, Decision, DecisionKind, Operand, TerminatorKind, Type};
use rucc_sema::{CaseList, ExprId, StmtId};

impl Body<'_, '_> {
    pub(crate) fn switch(&mut self, cond: ExprId, body: StmtId, cases: CaseList, default: Option<StmtId>) {
        let on = self.value(cond);
        let exit = self.builder.block();
        let otherwise = if default.is_some() { self.builder.block() } else { exit };
        let cases = self.case_blocks(cases, on);
        if self.builder.current().is_some() {
            let span = self.expr_span(cond);
            let kind = DecisionKind::Switch;
            let decision = Some(self.builder.function.decisions.push(Decision { kind, span, formula: None }));
            self.reach(otherwise);
            for case in &cases {
                self.reach(case.target);
            }
            self.builder.terminate(TerminatorKind::Switch { on, decision, cases, default: otherwise });
        }
        self.defaults.push(otherwise);
        self.scoped(Scope::around_switch(exit), |this| this.statement(body));
        self.defaults.pop();
        self.jump(exit);
        self.open(exit);
    }

    /// A block for every case label.
    fn case_blocks(&mut self, cases: CaseList, on: Operand) -> Vec<Case> {
        let width = if let Type::Int(width) = self.type_of(on) { width } else { 64 };
        let mask = u128::MAX >> (128 - u32::from(width));
        let mut blocks = Vec::with_capacity(cases.len());
        for id in cases.iter() {
            let case = self.checked.tast[id];
            let target = self.builder.block();
            self.cases.insert(id, target);
            blocks.push(Case { low: case.low as u128 & mask, high: case.high as u128 & mask, target });
        }
        blocks
    }
}
