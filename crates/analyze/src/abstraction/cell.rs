//! Objects and cells that states tell apart.

use clew_ir::{CType, CTypeId, FunctionId, GlobalId, LocalId, Program, TempId};

/// A stretch of memory with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Object {
    /// A local of the activation at that depth of calls.
    Local(u32, FunctionId, LocalId),
    /// What a parameter of the activation at that depth was given, by its position.
    Param(u32, FunctionId, u32),
    /// What the activation at that depth returns.
    Result(u32, FunctionId),
    /// A global.
    Global(GlobalId),
    /// Everything that a call which gives this temporary allocates. States know nothing of its contents.
    Heap(FunctionId, TempId),
}

/// The beginning of a scalar: an object and an offset.
pub(crate) type Key = (Object, u64);

impl Object {
    /// The C type, where it has one.
    fn ty(self, program: &Program) -> Option<CTypeId> {
        Some(match self {
            Object::Local(_, function, local) => program.functions[function].locals[local].ty,
            Object::Param(_, function, position) => program.functions[function].params[position as usize].ty,
            Object::Result(_, function) => match program.ctypes.get(program.functions[function].ty) {
                CType::Function { returns, .. } => *returns,
                _ => program.functions[function].ty,
            },
            Object::Global(global) => program.globals[global].ty,
            Object::Heap(..) => return None,
        })
    }

    /// Depth of the activation it belongs to; globals and the heap belong to none.
    pub(crate) fn depth(self) -> Option<u32> {
        match self {
            Object::Local(depth, ..) | Object::Param(depth, ..) | Object::Result(depth, _) => Some(depth),
            Object::Global(_) | Object::Heap(..) => None,
        }
    }

    /// Whether the number an integer cell stands for is signed.
    pub(crate) fn is_signed(self, program: &Program) -> bool {
        self.ty(program).and_then(|ty| scalar(program, ty)).unwrap_or(true)
    }
}

/// Whether a type is a signed or an unsigned integer.
fn scalar(program: &Program, ty: CTypeId) -> Option<bool> {
    match program.ctypes.get(ty) {
        CType::Int { .. } | CType::Bool | CType::Enum { .. } => Some(program.ctypes.is_signed(ty)),
        _ => None,
    }
}
