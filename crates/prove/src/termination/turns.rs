//! What variables were when a turn of a loop began, for statements about one turn.
//!
//! At the head of the loop the variables are copied. A block of its own, to which control comes at the end of each turn and in
//! no other way, is where the copies can be compared with what the variables are now.

use clew_ir::{
    Block, BlockId, FunctionId, Inst, InstKind, Local, LocalId, LocalKind, LoopId, Operand, Program, Span, Terminator,
    TerminatorKind,
};

use crate::invent::{Known, Variable};

/// A program in which the turns of one loop are watched.
pub(super) struct Watched {
    pub(super) program: Program,
    /// Where a turn has been made.
    pub(super) turned: BlockId,
    /// The variables, and their copies in the same order.
    pub(super) now: Vec<Known>,
    pub(super) before: Vec<Known>,
}

/// Watches the turns of a loop.
pub(super) fn watched(program: &Program, id: FunctionId, target: LoopId, variables: &[Known]) -> Watched {
    let mut program = program.clone();
    let (mut now, mut before) = (Vec::new(), Vec::new());
    let head = program.functions[id].loops[target].head;
    let mut position = 0;
    for known in variables {
        let from = match known.variable {
            Variable::Local(local) => Operand::Local(local),
            Variable::Global(global) => Operand::Global(global, 0),
            Variable::Argument(_) => continue,
        };
        let copy = copy(&mut program, id, known);
        let kind = InstKind::Copy { to: Operand::Local(copy), from, size: known.bytes, check: None };
        program.functions[id].insert(head, position, Inst { kind, span: Span::NONE });
        position += 1;
        now.push(*known);
        before.push(Known { variable: Variable::Local(copy), ..*known });
    }
    let turned = end_of_turn(&mut program, id, target);
    Watched { program, turned, now, before }
}

/// A variable for a copy.
fn copy(program: &mut Program, id: FunctionId, known: &Known) -> LocalId {
    program.functions[id].locals.push(Local {
        name: String::new(),
        ty: known.ty,
        size: known.bytes,
        align: 16,
        kind: LocalKind::Hidden,
        span: Span::NONE,
    })
}

/// Puts a block between the end of a turn and the head.
fn end_of_turn(program: &mut Program, id: FunctionId, target: LoopId) -> BlockId {
    let function = &mut program.functions[id];
    let (head, latch) = (function.loops[target].head, function.loops[target].latch);
    let span = function.blocks[latch].terminator.span;
    let jump = Terminator { kind: TerminatorKind::Jump(head), span };
    let turned = function.blocks.push(Block { insts: Vec::new(), terminator: jump });
    redirect(&mut function.blocks[latch].terminator.kind, head, turned);
    function.loops[target].latch = turned;
    turned
}

/// Sends control that goes to one block to another.
fn redirect(terminator: &mut TerminatorKind, from: BlockId, to: BlockId) {
    let change = |target: &mut BlockId| {
        if *target == from {
            *target = to;
        }
    };
    match terminator {
        TerminatorKind::Jump(target) => change(target),
        TerminatorKind::Branch { then, otherwise, .. } => [then, otherwise].into_iter().for_each(change),
        TerminatorKind::Switch { cases, default, .. } => {
            cases.iter_mut().map(|case| &mut case.target).chain([default]).for_each(change);
        }
        TerminatorKind::Return(_) | TerminatorKind::Unreachable { .. } => {}
    }
}
