//! Pointers as C expressions.

use clew_execute::PointerTarget;
use clew_ir::{CType, CTypeId, Program};

/// An object of a test as the test file declares it.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// Its name in C.
    pub(super) name: String,
    /// Type of its elements.
    pub(super) element: CTypeId,
    /// Size of an element in bytes.
    pub(super) element_size: u64,
    /// How it is declared.
    pub(super) form: Form,
}

/// How an object is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `T name`
    Single,
    /// `T name[n]`
    Array,
    /// `T *name`, allocated.
    Heap,
    /// `unsigned char name[n]`
    Bytes,
}

/// An expression for a pointer to `pointee`.
pub(super) fn address(program: &Program, objects: &[Object], target: PointerTarget, pointee: CTypeId) -> String {
    match target {
        PointerTarget::Function(function) => program.functions[function].name.clone(),
        PointerTarget::Global(global, offset) => {
            let global = &program.globals[global];
            let (element, first) = match program.ctypes.get(global.ty) {
                CType::Array { of, .. } => (*of, global.name.clone()),
                _ => (global.ty, format!("&{}", global.name)),
            };
            let size = program.ctypes.size_of(element, program.target.pointer_bytes()).unwrap_or(0);
            step(program, &first, element, size, offset, pointee)
        }
        PointerTarget::Object(index, offset) => {
            let object = &objects[index];
            match object.form {
                Form::Single => {
                    let first = format!("&{}", object.name);
                    step(program, &first, object.element, object.element_size, offset, pointee)
                }
                Form::Array | Form::Heap => {
                    step(program, &object.name, object.element, object.element_size, offset, pointee)
                }
                Form::Bytes if offset == 0 => format!("(void *){}", object.name),
                Form::Bytes => format!("(void *)({} + {offset})", object.name),
            }
        }
    }
}

/// `first`, which points to an `element`, moved by `offset` bytes.
fn step(program: &Program, first: &str, element: CTypeId, size: u64, offset: i64, pointee: CTypeId) -> String {
    let same = program.ctypes.resolve(element) == program.ctypes.resolve(pointee);
    let is_void = matches!(program.ctypes.get(pointee), CType::Void);
    let whole = size != 0 && offset % size as i64 == 0;
    match (same || is_void, whole) {
        (true, true) => match offset / size as i64 {
            0 => first.to_owned(),
            steps if steps < 0 => format!("{first} - {}", -steps),
            steps => format!("{first} + {steps}"),
        },
        (false, _) if offset == 0 => format!("(void *){first}"),
        _ => format!("(void *)((char *){first} + {offset})"),
    }
}
