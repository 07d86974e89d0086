//! What the code of a function names: other functions and globals, each once.
//!
//! Many questions about a program are about this and nothing else, and are asked anew for every function under test:
//! what can be reached, what has no body, what never returns. It is found once for each function, when first asked for.
//! Code is changed before mentions are asked for, or the change is announced ([`Function::leave_body_out`]).

use crate::function::{Function, FunctionId};
use crate::inst::{Callee, InstKind, Operand, TerminatorKind};
use crate::program::GlobalId;
use std::collections::BTreeSet;

/// What the code of a function names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// Functions it calls by name where control may go on afterwards.
    pub calls: Vec<FunctionId>,
    /// Functions it calls by name where control cannot go on afterwards.
    pub last_calls: Vec<FunctionId>,
    /// Functions whose address it takes.
    pub functions: Vec<FunctionId>,
    /// Globals.
    pub globals: Vec<GlobalId>,
}

impl Mentions {
    /// All functions it calls by name; one that is called in both ways stands twice.
    pub fn callees(&self) -> impl Iterator<Item = FunctionId> {
        self.calls.iter().chain(&self.last_calls).copied()
    }
}

impl Function {
    /// What the code names.
    pub fn mentions(&self) -> &Mentions {
        self.mentions.get(|| Collected::from(self).finish())
    }
}

/// Mentions being collected.
#[derive(Default)]
struct Collected {
    calls: BTreeSet<FunctionId>,
    last_calls: BTreeSet<FunctionId>,
    functions: BTreeSet<FunctionId>,
    globals: BTreeSet<GlobalId>,
}

impl Collected {
    fn from(function: &Function) -> Collected {
        let mut collected = Collected::default();
        for block in function.blocks.values() {
            let is_end = matches!(block.terminator.kind, TerminatorKind::Unreachable { check: None });
            for (index, inst) in block.insts.iter().enumerate() {
                inst.kind.operands().into_iter().for_each(|operand| collected.operand(operand));
                if let InstKind::Call { callee: Callee::Direct(callee), .. } = inst.kind {
                    let is_last = is_end && index + 1 == block.insts.len();
                    let calls = if is_last { &mut collected.last_calls } else { &mut collected.calls };
                    calls.insert(callee);
                }
            }
            match block.terminator.kind {
                TerminatorKind::Branch { on, .. } | TerminatorKind::Switch { on, .. } => collected.operand(on),
                TerminatorKind::Return(Some(value)) => collected.operand(value),
                _ => {}
            }
        }
        collected
    }

    fn operand(&mut self, operand: Operand) {
        match operand {
            Operand::Global(global, _) => {
                self.globals.insert(global);
            }
            Operand::Function(function) => {
                self.functions.insert(function);
            }
            _ => {}
        }
    }

    fn finish(self) -> Mentions {
        Mentions {
            calls: self.calls.into_iter().collect(),
            last_calls: self.last_calls.into_iter().collect(),
            functions: self.functions.into_iter().collect(),
            globals: self.globals.into_iter().collect(),
        }
    }
}
