//! Statements and declarations.

use super::body::Body;
use super::global::Variable;
use super::scope::{Ending, Scope};
use super::types::Shape;
use clew_ir::{BlockId, Case, CheckKind, GlobalKind, InstKind, LocalKind, Operand, Span, TerminatorKind, Type};
use rucc_sema::{DeclId, DeclKind, ExprId, LabelId, Linkage, Stmt, StmtId, StmtList, StorageDuration};
use rucc_types::{IntKind, TypeId};

impl Body<'_, '_> {
    pub(crate) fn statement(&mut self, stmt: StmtId) {
        let outer = self.builder.span;
        let span = self.stmt_span(stmt);
        if !span.is_none() {
            self.pass_assertions(span.start);
            self.builder.span = span;
        }
        // Where control cannot come, only labels matter.
        if self.builder.current().is_some() || self.has_labels(stmt) {
            self.statement_here(stmt);
        }
        if !span.is_none() {
            self.passed = span.end;
        }
        self.builder.span = outer;
    }

    /// Marks the assertions of the contract that stand between what was lowered last and `until`.
    fn pass_assertions(&mut self, until: u32) {
        let from = self.unit.assertions.partition_point(|span| span.start < self.passed);
        let to = self.unit.assertions.partition_point(|span| span.end <= until);
        for index in from..to {
            if self.builder.current().is_some() {
                self.builder.span = self.unit.assertions[index];
                let check = self.builder.check(CheckKind::Assertion);
                self.emit(InstKind::Check { holds: Operand::int(1, 1), check });
            }
        }
        self.passed = self.passed.max(until);
    }

    /// Marks where a label stands or a loop is entered, if a contract may read values there.
    pub(crate) fn mark_label(&mut self, span: Span) {
        if self.unit.marks_labels && self.builder.current().is_some() {
            let outer = std::mem::replace(&mut self.builder.span, span);
            let check = self.builder.check(CheckKind::Assertion);
            self.emit(InstKind::Check { holds: Operand::int(1, 1), check });
            self.builder.span = outer;
        }
    }

    fn statement_here(&mut self, stmt: StmtId) {
        match self.checked.tast[stmt] {
            Stmt::Error => self.unsupported("this statement"),
            Stmt::Empty => {}
            Stmt::Expr(expr) => self.discard(expr),
            Stmt::Block(list) => {
                let end = self.builder.span.end;
                self.block(list, end);
            }
            Stmt::Decls(decls) => {
                for &decl in &self.checked.tast[decls] {
                    self.declare(decl);
                }
            }
            Stmt::If { cond, then, otherwise } => self.if_statement(cond, then, otherwise),
            Stmt::While { cond, body } => self.while_loop(stmt, cond, body),
            Stmt::DoWhile { body, cond } => self.do_loop(stmt, body, cond),
            Stmt::For { init, cond, step, body } => self.for_loop(stmt, init, cond, step, body),
            Stmt::Switch { cond, body, cases, default } => self.switch(cond, body, cases, default),
            Stmt::Case { case, body } => {
                if let Some(&block) = self.cases.get(&case) {
                    self.enter_label(block);
                }
                self.statement(body);
            }
            Stmt::Default { body } => {
                if let Some(&block) = self.defaults.last() {
                    self.enter_label(block);
                }
                self.statement(body);
            }
            Stmt::Label { label, body } => {
                let block = self.label(label);
                self.enter_label(block);
                self.mark_label(self.stmt_span(stmt));
                self.statement(body);
            }
            Stmt::Goto(label) => self.goto(label),
            Stmt::IndirectGoto(target) => self.computed_goto(target),
            Stmt::Asm(asm) => self.assembly(asm),
            Stmt::Break => self.leave_to(|scope| scope.break_to),
            Stmt::Continue => self.leave_to(|scope| scope.continue_to),
            Stmt::Return(value) => self.return_statement(value),
        }
    }

    pub(crate) fn stmt_span(&self, stmt: StmtId) -> Span {
        self.unit.span(self.checked.tast.stmt_span(stmt))
    }

    /// The statements of a block that ends at `end` in the text.
    fn block(&mut self, list: StmtList, end: u32) {
        let stmts = &self.checked.tast[list];
        self.scoped(self.block_scope(stmts), |body| {
            for &stmt in stmts {
                body.statement(stmt);
            }
            body.pass_assertions(end);
        });
    }

    fn block_scope(&self, stmts: &[StmtId]) -> Scope {
        let is_outermost = self.scopes.len() == 1;
        Scope::block(stmts.iter().any(|&stmt| self.has_labels(stmt)), is_outermost)
    }

    fn declare(&mut self, decl: DeclId) {
        let node = &self.checked.tast[decl];
        match node.kind {
            DeclKind::Function => {}
            DeclKind::Type => self.named_sizes(node.ty),
            DeclKind::Object if node.duration != StorageDuration::Automatic => {
                if node.linkage == Linkage::None {
                    let global = self.unit.global_of(decl, GlobalKind::StaticLocal(self.function));
                    self.variables.insert(decl, Variable::Global(global));
                }
            }
            DeclKind::Object => self.declare_automatic(decl),
        }
    }

    fn declare_automatic(&mut self, decl: DeclId) {
        let node = &self.checked.tast[decl];
        self.builder.span = self.unit.span(self.checked.tast.decl_span(decl));
        self.declared_sizes(node.ty);
        if self.unit.is_variable(node.ty) {
            self.declare_variable_length(decl);
        } else {
            let local = match self.variables.get(&decl) {
                Some(Variable::Local(local)) => *local,
                _ => self.local(decl, LocalKind::Variable),
            };
            self.emit(InstKind::Begin { local });
            self.at_end(Ending::End(local));
            self.initialise(decl, Operand::Local(local));
            if node.init.is_some() && !self.may_skip_declarations() {
                self.initialised.insert(local);
            }
        }
        if let Some(handler) = node.cleanup {
            self.at_end(Ending::Cleanup { handler, variable: decl });
        }
    }

    fn return_statement(&mut self, value: Option<ExprId>) {
        let Some(expr) = value else { return self.return_value(None) };
        match self.unit.shape(self.returns) {
            Shape::Scalar(_) => {
                let value = self.value(expr);
                self.return_value(Some(value));
            }
            Shape::Aggregate => {
                let from = self.value(expr);
                if let Some(slot) = self.return_slot {
                    self.copy(slot, from, self.unit.size(self.returns), true);
                }
                self.return_value(None);
            }
            Shape::None | Shape::Unsupported => {
                self.discard(expr);
                self.return_value(None);
            }
        }
    }

    /// The block of a label.
    pub(crate) fn label(&mut self, label: LabelId) -> BlockId {
        if let Some(&block) = self.labels.get(&label) {
            return block;
        }
        let block = self.builder.block();
        self.labels.insert(label, block);
        block
    }

    /// Falls into a labelled place.
    pub(crate) fn enter_label(&mut self, block: BlockId) {
        self.jump(block);
        self.builder.switch_to(block);
    }

    fn goto(&mut self, label: LabelId) {
        if self.has_cleanups() {
            self.unsupported("`goto` in a block with `cleanup` variables");
        }
        let block = self.label(label);
        self.jump(block);
    }

    /// The address of a label: a number of its own.
    pub(crate) fn label_address(&mut self, label: LabelId) -> Operand {
        let number = self.unit.label_number(label);
        let number = self.word(i128::from(number));
        self.int_to_pointer(number)
    }

    fn computed_goto(&mut self, target: ExprId) {
        let pointer = self.value(target);
        let number = self.pointer_to_int(pointer);
        let (local, dispatch) = match self.computed {
            Some(known) => known,
            None => {
                let local = self.hidden(self.checked.types.int(IntKind::ULong));
                let new = (local, self.builder.block());
                self.computed = Some(new);
                new
            }
        };
        self.store_hidden(local, number);
        self.jump(dispatch);
    }

    /// Makes the block all computed gotos go through, once the labels are known.
    pub(crate) fn close_computed_gotos(&mut self) {
        let Some((local, dispatch)) = self.computed else { return };
        self.builder.switch_to(dispatch);
        let on = self.load_hidden(local, Type::Int(self.pointer_width()));
        let mut cases: Vec<Case> = Vec::new();
        for (label, &target) in &self.labels {
            if let Some(&number) = self.unit.labels.get(label) {
                let value = u128::from(number);
                cases.push(Case { low: value, high: value, target });
            }
        }
        cases.sort_by_key(|case| case.low);
        let default = self.builder.block();
        self.builder.terminate(TerminatorKind::Switch { on, decision: None, cases, default });
    }

    /// `({ ... })`: its value is that of its last statement.
    pub(crate) fn statement_expr(&mut self, stmt: StmtId, ty: TypeId) -> Operand {
        let checked = self.checked;
        let (Stmt::Block(list), false) = (checked.tast[stmt], self.unit.shape(ty) == Shape::None) else {
            self.statement(stmt);
            return Operand::Null;
        };
        let stmts = &checked.tast[list];
        let Some((&last, before)) = stmts.split_last() else { return Operand::Null };
        self.scoped(self.block_scope(stmts), |body| {
            for &stmt in before {
                body.statement(stmt);
            }
            body.last_value(last, ty)
        })
    }

    fn last_value(&mut self, mut stmt: StmtId, ty: TypeId) -> Operand {
        while let Stmt::Label { label, body } = self.checked.tast[stmt] {
            let block = self.label(label);
            self.enter_label(block);
            stmt = body;
        }
        let Stmt::Expr(expr) = self.checked.tast[stmt] else {
            self.statement(stmt);
            return self.lost("the value of this block", ty);
        };
        let value = self.value(expr);
        if self.unit.is_aggregate(ty) { self.copied(value, ty) } else { value }
    }
}
