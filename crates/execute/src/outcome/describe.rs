//! Failures in words.

use super::{Detail, Failure};
use crate::memory::{Fault, Origin};
use clew_ir::{CheckKind, Program};
use clew_scalar::{Type, Value};

impl Failure {
    /// What failed, with the values, in one line without the place.
    pub fn describe(&self, program: &Program) -> String {
        match &self.detail {
            Detail::Operands { operator, operands } => {
                format!("{}: {}", self.headline(), expression(operator, operands))
            }
            Detail::Access(fault) => describe_fault(program, fault),
            Detail::Moved { place, by } => describe_moved(program, *place, *by),
            Detail::Pointers(a, b) => format!("{}: {a:#x} and {b:#x}", self.headline()),
            Detail::Callee { address, reason } => format!("call through {address:#x}: {reason}"),
            Detail::Library { name, reason, fault } => match fault {
                Some(fault) => format!("{name}: {}", describe_fault(program, fault)),
                None => format!("{name}: {reason}"),
            },
            Detail::Size(size) => format!("{}: {}", self.headline(), *size as i64),
            Detail::Plain => self.headline().to_owned(),
        }
    }

    fn headline(&self) -> &'static str {
        match self.kind {
            CheckKind::Overflow => "signed overflow",
            CheckKind::Division => match &self.detail {
                Detail::Operands { operands, .. } if operands.last().is_some_and(|last| last.bits != 0) => {
                    "signed overflow in division"
                }
                _ => "division by zero",
            },
            CheckKind::Shift => "shift amount out of range",
            CheckKind::Access => "invalid access",
            CheckKind::Index => "index out of bounds",
            CheckKind::PointerArithmetic => "pointer leaves its object",
            CheckKind::PointerDifference => "pointers to different objects",
            CheckKind::FloatToInt => "float does not fit the integer type",
            CheckKind::FunctionPointer => "call of what is no function of that type",
            CheckKind::ArraySize => "size of array is not positive",
            CheckKind::VariableArgument => "no variable argument of that type",
            CheckKind::Unreachable => "control reached what was declared unreachable",
            CheckKind::MissingReturn => "result used but nothing was returned",
            CheckKind::Unsequenced => "variable changed twice, or changed and read, in no order",
            CheckKind::Representation => "`_Bool` that is neither 0 nor 1",
            CheckKind::Leak => "memory that nothing leads to any more",
            CheckKind::Assertion => "assertion of the contract does not hold",
        }
    }
}

fn expression(operator: &str, operands: &[Value]) -> String {
    match operands {
        [a] => format!("{operator}{}", show(*a)),
        [a, b] => format!("{} {operator} {}", show(*a), show(*b)),
        _ => operator.to_owned(),
    }
}

fn show(value: Value) -> String {
    match value.ty {
        Type::Int(_) => value.signed().to_string(),
        Type::Float(_) => value.to_string(),
    }
}

/// A fault with the name of the object.
pub(crate) fn describe_fault(program: &Program, fault: &Fault) -> String {
    match fault.origin() {
        Some(origin) => format!("{fault} ({})", name(program, origin)),
        None => fault.to_string(),
    }
}

fn describe_moved(program: &Program, place: Option<crate::memory::ObjectRange>, by: i64) -> String {
    match place {
        Some(place) => format!(
            "pointer leaves its object: offset {} moved by {by} in {} bytes ({})",
            place.offset,
            place.size,
            name(program, place.origin)
        ),
        None => format!("pointer arithmetic on what is no object: moved by {by}"),
    }
}

fn name(program: &Program, origin: Origin) -> String {
    match origin {
        Origin::Global(global) => format!("variable `{}`", program.globals[global].name),
        Origin::Local(function, local) => {
            let function = &program.functions[function];
            format!("variable `{}` of `{}`", function.locals[local].name, function.name)
        }
        Origin::Stack(function) => format!("stack array of `{}`", program.functions[function].name),
        Origin::Heap => "heap object".to_owned(),
        Origin::Library(name) => format!("library object `{name}`"),
        Origin::Input(number) => format!("input object {number}"),
    }
}
