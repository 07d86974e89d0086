//! Building a function block by block.

use crate::function::{Block, BlockId, Check, CheckId, CheckKind, Function, Temp, TempId};
use crate::inst::{Inst, InstKind, Operand, Terminator, TerminatorKind, Type};
use crate::source::Span;

/// Appends instructions to the current block of a function.
///
/// After a terminator there is no current block until [`Builder::switch_to`]; instructions emitted in between are
/// unreachable and dropped.
#[derive(Debug)]
pub struct Builder {
    /// The function under construction.
    pub function: Function,
    /// Span given to what is emitted next.
    pub span: Span,
    current: Option<BlockId>,
}

impl Builder {
    /// Starts building `function` with an entry block as the current one.
    pub fn new(mut function: Function) -> Builder {
        let entry = function.blocks.push(Block::empty());
        Builder { function, span: Span::NONE, current: Some(entry) }
    }

    /// The finished function.
    pub fn finish(self) -> Function {
        self.function
    }

    /// A new temporary.
    pub fn temp(&mut self, ty: Type) -> TempId {
        self.function.temps.push(Temp { ty })
    }

    /// A new block, not yet current.
    pub fn block(&mut self) -> BlockId {
        self.function.blocks.push(Block::empty())
    }

    /// A new check at the current span.
    pub fn check(&mut self, kind: CheckKind) -> CheckId {
        self.function.checks.push(Check { kind, span: self.span })
    }

    /// The current block, `None` where control cannot come.
    pub fn current(&self) -> Option<BlockId> {
        self.current
    }

    /// Continues in `block`.
    pub fn switch_to(&mut self, block: BlockId) {
        self.current = Some(block);
    }

    /// Appends an instruction.
    pub fn emit(&mut self, kind: InstKind) {
        if let Some(block) = self.current {
            self.function.blocks[block].insts.push(Inst { kind, span: self.span });
        }
    }

    /// Appends an instruction that defines a new temporary of type `ty`.
    pub fn define(&mut self, ty: Type, kind: impl FnOnce(TempId) -> InstKind) -> Operand {
        let dest = self.temp(ty);
        self.emit(kind(dest));
        Operand::Temp(dest)
    }

    /// Ends the current block.
    pub fn terminate(&mut self, kind: TerminatorKind) {
        if let Some(block) = self.current.take() {
            self.function.blocks[block].terminator = Terminator { kind, span: self.span };
        }
    }

    /// Ends the current block with a jump, if there is one.
    pub fn jump(&mut self, target: BlockId) {
        self.terminate(TerminatorKind::Jump(target));
    }
}
