//! Objects and cells that states tell apart.

use crate::policy;
use clew_ir::{CType, CTypeId, FunctionId, GlobalId, LocalId, Program, TempId, Type};

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
    /// What a call that is made at most once allocates.
    Once(FunctionId, TempId),
    /// What a pointer of the input leads to (`inputs`).
    Input(u32),
    /// All that pointers of the input lead to which may lead into one object. States know nothing of its contents.
    Shared,
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
            Object::Heap(..) | Object::Once(..) | Object::Input(_) | Object::Shared => return None,
        })
    }

    /// Depth of the activation it belongs to; globals and the heap belong to none.
    pub(crate) fn depth(self) -> Option<u32> {
        match self {
            Object::Local(depth, ..) | Object::Param(depth, ..) | Object::Result(depth, _) => Some(depth),
            Object::Global(_) | Object::Heap(..) | Object::Once(..) | Object::Input(_) | Object::Shared => None,
        }
    }

    /// The scalars it is made of, by where they begin; none if they are many, or bytes belong to several.
    pub(crate) fn scalars(self, program: &Program) -> Vec<(u64, Type)> {
        let mut scalars = Vec::new();
        match self.ty(program) {
            Some(ty) if scalars_of(program, ty, 0, &mut scalars) => {
                scalars.into_iter().map(|(at, ty, _)| (at, ty)).collect()
            }
            _ => Vec::new(),
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

/// Where a scalar begins, and its types.
type Part = (u64, Type, CTypeId);

/// Adds the scalars of a type that begins somewhere; says whether all are told apart.
pub(crate) fn scalars_of(program: &Program, ty: CTypeId, at: u64, scalars: &mut Vec<Part>) -> bool {
    let ctypes = &program.ctypes;
    match ctypes.get(ty) {
        CType::Bool => scalars.push((at, Type::Int(8), ty)),
        CType::Int { width, .. } => scalars.push((at, Type::Int(*width), ty)),
        CType::Float { format, .. } => scalars.push((at, Type::Float(*format), ty)),
        CType::Enum { underlying, .. } => return scalars_of(program, *underlying, at, scalars),
        CType::Pointer(_) => scalars.push((at, Type::Pointer, ty)),
        CType::Array { of, len: Some(len) } => {
            let size = ctypes.size_of(*of, program.target.pointer_bytes());
            let Some(size) = size.filter(|_| *len <= policy::MAX_SCALARS.size() as u64) else { return false };
            return (0..*len).all(|index| scalars_of(program, *of, at + index * size, scalars));
        }
        CType::Record(id) => {
            let record = &ctypes.records[*id];
            let plain = !record.is_union && record.fields.iter().all(|field| field.bits.is_none());
            return plain
                && record.fields.iter().all(|field| scalars_of(program, field.ty, at + field.offset, scalars));
        }
        _ => return false,
    }
    scalars.len() <= policy::MAX_SCALARS.size()
}
