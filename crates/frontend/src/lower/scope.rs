//! Blocks of the source: what ends where control leaves them, and where `break` and `continue` go.
//!
//! A variable begins where its declaration is reached. It ends where control falls out of its block or leaves it by
//! `break` or `continue`; after `goto` it lives on until its next beginning, which no valid program can tell. Variables
//! of a block that control may jump into do not end at all.

use super::body::Body;
use clew_ir::{BlockId, InstKind, LocalId, Operand, TerminatorKind, Type};
use rucc_sema::{DeclId, Stmt, StmtId};

/// A block, loop or switch around the current statement.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    /// Where `break` goes.
    pub(crate) break_to: Option<BlockId>,
    /// Where `continue` goes.
    pub(crate) continue_to: Option<BlockId>,
    /// Whether its variables end with it.
    has_ends: bool,
    /// Whether control may jump past declarations in it.
    has_labels: bool,
    endings: Vec<Ending>,
}

/// What happens when control leaves a scope.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ending {
    /// A variable ends.
    End(LocalId),
    /// The object whose address the local holds ends.
    Release(LocalId),
    /// `__attribute__((cleanup(handler)))`.
    Cleanup {
        /// The function to call.
        handler: DeclId,
        /// The variable whose address it gets.
        variable: DeclId,
    },
}

impl Scope {
    /// The outermost scope of a function: its variables end by the return.
    pub(crate) fn function() -> Scope {
        Scope::default()
    }

    /// A block; the variables of the outermost one end by the return.
    pub(crate) fn block(has_labels: bool, is_outermost: bool) -> Scope {
        Scope { has_ends: !is_outermost && !has_labels, has_labels, ..Scope::default() }
    }

    /// A loop.
    pub(crate) fn around_loop(break_to: BlockId, continue_to: BlockId) -> Scope {
        Scope { break_to: Some(break_to), continue_to: Some(continue_to), ..Scope::default() }
    }

    /// A switch.
    pub(crate) fn around_switch(break_to: BlockId) -> Scope {
        Scope { break_to: Some(break_to), ..Scope::default() }
    }
}

impl Body<'_, '_> {
    /// Adds something to do when control leaves the innermost scope.
    pub(crate) fn at_end(&mut self, ending: Ending) {
        let scope = self.scopes.last_mut().expect("a function has a scope");
        if scope.has_ends || matches!(ending, Ending::Cleanup { .. }) {
            scope.endings.push(ending);
        }
    }

    /// Whether control may jump past a declaration in the innermost scope.
    pub(crate) fn may_skip_declarations(&self) -> bool {
        self.scopes.last().is_none_or(|scope| scope.has_labels)
    }

    /// Runs `work` in a new scope.
    pub(crate) fn scoped<T>(&mut self, scope: Scope, work: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(scope);
        let result = work(self);
        self.end_scopes(self.scopes.len() - 1);
        self.scopes.pop();
        result
    }

    /// Ends the scopes from the innermost down to the one at `depth`.
    fn end_scopes(&mut self, depth: usize) {
        if self.builder.current().is_none() {
            return;
        }
        for index in (depth..self.scopes.len()).rev() {
            for ending in self.scopes[index].endings.clone().into_iter().rev() {
                self.end(ending);
            }
        }
    }

    fn end(&mut self, ending: Ending) {
        match ending {
            Ending::End(local) => self.emit(InstKind::End { local }),
            Ending::Release(local) => {
                let pointer = self.load_hidden(local, Type::Pointer);
                self.emit(InstKind::Release { pointer });
            }
            Ending::Cleanup { handler, variable } => {
                let function = self.unit.function(handler);
                let address = self.variable_address(variable);
                let ty = self.checked.tast[handler].ty;
                self.call_function(function, ty, vec![address]);
            }
        }
    }

    /// `break` or `continue`.
    pub(crate) fn leave_to(&mut self, target: impl Fn(&Scope) -> Option<BlockId>) {
        let found = self.scopes.iter().enumerate().rev().find_map(|(index, scope)| Some((index, target(scope)?)));
        if let Some((index, block)) = found {
            self.end_scopes(index + 1);
            self.jump(block);
        }
    }

    /// Returns, after the cleanups of all scopes.
    pub(crate) fn return_value(&mut self, value: Option<Operand>) {
        for index in (0..self.scopes.len()).rev() {
            for ending in self.scopes[index].endings.clone().into_iter().rev() {
                if matches!(ending, Ending::Cleanup { .. }) {
                    self.end(ending);
                }
            }
        }
        self.builder.terminate(TerminatorKind::Return(value));
    }

    /// Whether a jump would skip a cleanup.
    pub(crate) fn has_cleanups(&self) -> bool {
        self.scopes.iter().any(|scope| scope.endings.iter().any(|ending| matches!(ending, Ending::Cleanup { .. })))
    }

    /// Notes that control may go to a block.
    pub(crate) fn reach(&mut self, block: BlockId) {
        if self.builder.current().is_some() {
            self.reached.insert(block);
        }
    }

    /// Goes to a block.
    pub(crate) fn jump(&mut self, block: BlockId) {
        self.reach(block);
        self.builder.jump(block);
    }

    /// Continues in a block if control can come there; says whether.
    pub(crate) fn open(&mut self, block: BlockId) -> bool {
        if self.reached.contains(&block) {
            self.builder.switch_to(block);
            return true;
        }
        false
    }

    /// Whether control may jump into a statement from outside.
    pub(crate) fn has_labels(&self, stmt: StmtId) -> bool {
        let tast = &self.checked.tast;
        match tast[stmt] {
            Stmt::Label { .. } | Stmt::Case { .. } | Stmt::Default { .. } => true,
            Stmt::Block(list) => tast[list].iter().any(|&stmt| self.has_labels(stmt)),
            Stmt::If { then, otherwise, .. } => {
                self.has_labels(then) || otherwise.is_some_and(|stmt| self.has_labels(stmt))
            }
            Stmt::While { body, .. }
            | Stmt::DoWhile { body, .. }
            | Stmt::For { body, .. }
            | Stmt::Switch { body, .. } => self.has_labels(body),
            _ => false,
        }
    }
}
