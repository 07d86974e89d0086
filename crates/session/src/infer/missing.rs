//! What a contract does not say of pointers, so that a counter-example breaks a property.

use super::finding::{is_kept, null_pointer};
use clew_execute::{Content, Input, PointerTarget};
use clew_ir::{CType, FunctionId, ParamKind, Program};

/// The clause without which an access of the function may be one behind null, as it is on an input: `\valid(p)`.
pub fn validity(program: &Program, id: FunctionId, text: &str, input: &Input) -> Option<String> {
    let function = &program.functions[id];
    let name = null_pointer(text).filter(|name| is_kept(program, function, name))?;
    let (param, given) = pointers(program, id, input).find(|(param, _)| *param == name)?;
    let is_null = given.pointers.is_empty() && given.bytes.iter().all(|byte| *byte == 0);
    is_null.then(|| format!("{}({param})", access(program, id, name)))
}

/// The clause that an input breaks in which two parameters lead into one object: `\separated(p, q)`.
pub fn separation(program: &Program, id: FunctionId, input: &Input) -> Option<String> {
    let leads = |content: &Content| match content.pointers.first().map(|pointer| pointer.target) {
        Some(PointerTarget::Object(object, _)) => Some(object),
        _ => None,
    };
    let led: Vec<(&str, usize)> =
        pointers(program, id, input).filter_map(|(name, content)| Some((name, leads(content)?))).collect();
    let pair = led.iter().enumerate().find_map(|(index, (one, object))| {
        let other = led[index + 1..].iter().find(|(_, other)| other == object)?;
        Some((*one, other.0))
    });
    pair.map(|(one, other)| format!("\\separated({one}, {other})"))
}

/// The parameters that are pointers, with what an input gives them.
fn pointers<'a>(
    program: &'a Program,
    id: FunctionId,
    input: &'a Input,
) -> impl Iterator<Item = (&'a str, &'a Content)> + use<'a> {
    let params = program.functions[id].params.iter().filter(|param| param.kind != ParamKind::ReturnSlot);
    let is_pointer = |ty| matches!(program.ctypes.get(ty), CType::Pointer(_));
    params.zip(&input.arguments).filter(move |(param, _)| is_pointer(param.ty)).map(|(param, it)| (&*param.name, it))
}

/// What may be done behind a pointer by its type.
fn access(program: &Program, id: FunctionId, name: &str) -> &'static str {
    let param = program.functions[id].params.iter().find(|param| param.name == name);
    let is_const = param.is_some_and(|param| match *program.ctypes.get(param.ty) {
        CType::Pointer(to) => program.ctypes.is_const(to),
        _ => false,
    });
    if is_const { "\\valid_read" } else { "\\valid" }
}
