//! Statements: `if` and loops.

use super::body::Body;
use super::scope::Scope;
use clew_ir::{DecisionKind, Loop, LoopId, LoopKind};
use rucc_sema::{ExprId, StmtId};

impl Body<'_, '_> {
    pub(crate) fn if_statement(&mut self, cond: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        let yes = self.builder.block();
        let join = self.builder.block();
        let no = if otherwise.is_some() { self.builder.block() } else { join };
        self.decide(cond, DecisionKind::If, yes, no);
        self.open(yes);
        self.statement(then);
        self.jump(join);
        if let Some(otherwise) = otherwise {
            self.open(no);
            self.statement(otherwise);
            self.jump(join);
        }
        self.open(join);
    }

    /// Records a loop, makes its blocks and goes to its head; for `do`, the body is the head.
    fn new_loop(&mut self, kind: LoopKind, stmt: StmtId) -> (LoopId, Loop) {
        let head = self.builder.block();
        let body = if kind == LoopKind::DoWhile { head } else { self.builder.block() };
        let latch = self.builder.block();
        let exit = self.builder.block();
        let parent = self.loops.last().copied();
        let span = self.stmt_span(stmt);
        if self.builder.current().is_none() {
            // Control comes only by a jump into the body, which leads back to the head.
            self.reached.insert(head);
        }
        let new = Loop { kind, decision: None, head, body, latch, exit, parent, span };
        self.mark_label(span);
        self.jump(head);
        (self.builder.function.loops.push(new.clone()), new)
    }

    /// Lowers the body of a loop up to its latch, which is left open.
    fn loop_body(&mut self, id: LoopId, blocks: &Loop, body: StmtId) {
        self.loops.push(id);
        self.scoped(Scope::around_loop(blocks.exit, blocks.latch), |this| {
            this.open(blocks.body);
            this.statement(body);
            this.jump(blocks.latch);
        });
        self.loops.pop();
        self.open(blocks.latch);
    }

    pub(crate) fn while_loop(&mut self, stmt: StmtId, cond: ExprId, body: StmtId) {
        let (id, blocks) = self.new_loop(LoopKind::While, stmt);
        self.open(blocks.head);
        let decision = self.decide(cond, DecisionKind::While, blocks.body, blocks.exit);
        self.builder.function.loops[id].decision = decision;
        self.loop_body(id, &blocks, body);
        self.jump(blocks.head);
        self.open(blocks.exit);
    }

    pub(crate) fn do_loop(&mut self, stmt: StmtId, body: StmtId, cond: ExprId) {
        let (id, blocks) = self.new_loop(LoopKind::DoWhile, stmt);
        self.loop_body(id, &blocks, body);
        // However many conditions the decision has, one block leads back.
        let back = self.builder.block();
        let decision = self.decide(cond, DecisionKind::DoWhile, back, blocks.exit);
        self.builder.function.loops[id].decision = decision;
        self.builder.function.loops[id].latch = back;
        if self.open(back) {
            self.jump(blocks.head);
        }
        self.open(blocks.exit);
    }

    pub(crate) fn for_loop(
        &mut self,
        stmt: StmtId,
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) {
        self.scoped(Scope::block(self.has_labels(body), false), |this| {
            if let Some(init) = init {
                this.statement(init);
            }
            let (id, blocks) = this.new_loop(LoopKind::For, stmt);
            this.open(blocks.head);
            let decision = match cond {
                Some(cond) => this.decide(cond, DecisionKind::For, blocks.body, blocks.exit),
                None => {
                    this.jump(blocks.body);
                    None
                }
            };
            this.builder.function.loops[id].decision = decision;
            this.loop_body(id, &blocks, body);
            if let (Some(step), Some(_)) = (step, this.builder.current()) {
                this.discard(step);
            }
            this.jump(blocks.head);
            this.open(blocks.exit);
        });
    }
}
