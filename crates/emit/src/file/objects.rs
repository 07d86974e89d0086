//! The objects of a test as local variables.
//!
//! An object is declared after those it points to, so that linked structures read as initialisers; only a cycle needs an
//! assignment afterwards. Objects that the function may free come from `malloc`. Objects whose order in memory matters
//! share a room.

use crate::Test;
use crate::express::is_expressible;
use crate::initial::{Initial, definition};
use crate::mask::Masks;
use crate::names::Names;
use crate::pointer::{Form, Object, Renamed, address};
use crate::spell;
use clew_analyze::reach::{Reach, reach};
use clew_execute::native;
use clew_execute::{Content, Input, InputObject, PointerTarget, RESIDUES};
use clew_ir::{CType, CTypeId, FunctionId, Program};
use std::collections::BTreeSet;

/// Bytes between objects whose order matters, more than the sixteen pages of the execution that was observed: what pointers
/// that lead a little beyond an object show of the order is the same.
const ORDER_GAP: u64 = 1 << 17;

/// Equal bytes that are listed one by one.
const MOST_EQUAL: usize = 8;

/// Whether the function may free or resize an object it is given: by a function it mentions, or one that a test gives it.
pub(super) fn may_be_freed(program: &Program, tests: &[Test], reached: &Reach) -> bool {
    let given = tests.iter().flat_map(|test| test.input.contents()).flat_map(|content| &content.pointers);
    let given = given.filter_map(|pointer| match pointer.target {
        PointerTarget::Function(function) => Some(function),
        _ => None,
    });
    let given: BTreeSet<FunctionId> = given.filter(|function| !reached.functions.contains(function)).collect();
    let given = given.into_iter().flat_map(|root| reach(program, root).functions);
    given.chain(reached.functions.iter().copied()).any(|function| native::releases(program, function))
}

/// How the objects of an input are declared.
pub(super) fn objects(program: &Program, input: &Input, frees: bool, names: &mut Names<'_>) -> Vec<Object> {
    let pointers = input.contents().flat_map(|content| &content.pointers);
    let ends: BTreeSet<usize> = pointers.filter_map(|pointer| end_of(input, pointer.target)).collect();
    let given = input.objects.iter().enumerate();
    let mut objects: Vec<Object> =
        given.map(|(index, given)| object(program, given, frees, ends.contains(&index), names)).collect();
    let mut next = 0u64;
    for (object, given) in objects.iter_mut().zip(&input.objects) {
        if let Form::Ordered(at) = &mut object.form {
            *at += next;
            next = (*at + object.element_size * given.count + ORDER_GAP).next_multiple_of(u64::from(RESIDUES));
        }
    }
    objects
}

/// The object that a pointer leads just behind.
fn end_of(input: &Input, target: PointerTarget) -> Option<usize> {
    let PointerTarget::Object(index, at) = target else { return None };
    (at > 0 && at as usize == input.objects[index].content.bytes.len()).then_some(index)
}

fn object(program: &Program, given: &InputObject, frees: bool, spare: bool, names: &mut Names<'_>) -> Object {
    let element_size = program.ctypes.size_of(given.element, program.target.pointer_bytes()).unwrap_or(0);
    let ctypes = &program.ctypes;
    let spelled = spell::declare(ctypes, given.element, "").is_some();
    let fits = element_size > 0 && element_size * given.count == given.content.bytes.len() as u64;
    let fits = fits && is_expressible(program, given.element, given.count, &given.content);
    let form = match (spelled && fits && !has_flexible_tail(program, given.element), frees) {
        (true, _) if given.ordered => Form::Ordered(given.residue.unwrap_or_default().into()),
        (false, true) => Form::HeapBytes,
        (false, false) => Form::Bytes,
        (true, frees) if given.residue.is_some_and(|residue| !frees || residue != 0) => {
            Form::Placed(given.residue.unwrap_or_default())
        }
        (true, true) => Form::Heap,
        // Text is an array even if it is empty.
        (true, false) if given.count == 1 && !spare && !spell::is_char(ctypes, given.element) => Form::Single,
        (true, false) => Form::Array,
    };
    Object { name: names.take(&short(&given.name)), element: given.element, element_size, form, spare }
}

/// The name of an object after the way to it, such as `list_next_3` for `list[0].next[0].next[0].next`.
fn short(way: &str) -> String {
    let way = way.replace("[0]", "");
    let mut words: Vec<(&str, usize)> = Vec::new();
    for word in way.split('.') {
        match words.last_mut() {
            Some((last, times)) if *last == word => *times += 1,
            _ => words.push((word, 1)),
        }
    }
    let spelled = |(word, times): (&str, usize)| if times == 1 { word.to_owned() } else { format!("{word}_{times}") };
    words.into_iter().map(spelled).collect::<Vec<_>>().join("_")
}

/// Whether a record ends in an array without a length.
fn has_flexible_tail(program: &Program, ty: CTypeId) -> bool {
    let CType::Record(record) = program.ctypes.get(ty) else { return false };
    let last = program.ctypes.records[*record].fields.last();
    last.is_some_and(|field| matches!(program.ctypes.get(field.ty), CType::Array { len: None | Some(0), .. }))
}

/// The statements that make the objects; `None` if C has no initialiser for one.
pub(super) fn declare(
    program: &Program,
    objects: &[Object],
    renamed: &Renamed,
    masks: &Masks,
    input: &Input,
) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let is_pointer = |form: Form| matches!(form, Form::Heap | Form::HeapBytes | Form::Placed(_) | Form::Ordered(_));
    let room = shared_room(objects, input, &mut lines)?;
    for (object, given) in objects.iter().zip(&input.objects).filter(|(object, _)| is_pointer(object.form)) {
        if object.form == Form::HeapBytes {
            let size = given.content.bytes.len().max(1);
            lines.push(format!("unsigned char *{} = malloc({size});", object.name));
            continue;
        }
        let element = spell::unqualified(&program.ctypes, object.element);
        let is_array = matches!(program.ctypes.get(element), CType::Array { .. });
        let star = if is_array { format!("(*{})", object.name) } else { format!("*{}", object.name) };
        let declared = spell::declare(&program.ctypes, element, &star)?;
        if let Form::Placed(residue) = object.form {
            let room = format!("{}_room", object.name);
            let size = u64::from(residue) + object.element_size * given.count + u64::from(object.spare);
            lines.push(format!("unsigned char {room}[{}] __attribute__((aligned({RESIDUES}))) = {{0}};", size.max(1)));
            lines.push(format!("{declared} = (void *)({room} + {residue});"));
            continue;
        }
        if let Form::Ordered(at) = object.form {
            lines.push(format!("{declared} = (void *)({room} + {at});"));
            continue;
        }
        let room = match given.count {
            // Nothing is written there, which compilers would complain of.
            0 if object.element_size == 0 => "calloc(1, 1)".to_owned(),
            0 => format!("calloc(1, sizeof *{})", object.name),
            1 => format!("malloc(sizeof *{})", object.name),
            count => format!("malloc({count} * sizeof *{})", object.name),
        };
        lines.push(format!("{declared} = {room};"));
    }
    let mut declared: Vec<bool> = objects.iter().map(|object| is_pointer(object.form)).collect();
    let mut later = Vec::new();
    for index in order(input) {
        // An initialiser may name the variable it initialises.
        declared[index] = true;
        let mut initial = Initial { program, objects, renamed, masks, declared: Some(&declared), later: Vec::new() };
        lines.extend(define(program, &objects[index], &input.objects[index], &mut initial)?);
        later.extend(initial.later);
    }
    lines.extend(later);
    Some(lines)
}

/// The name of the room that objects share whose order matters, which is declared if there are some; `None` if one of them
/// cannot lie there.
fn shared_room(objects: &[Object], input: &Input, lines: &mut Vec<String>) -> Option<String> {
    let (mut name, mut size) = (String::new(), 1);
    for (object, given) in objects.iter().zip(&input.objects).filter(|(_, given)| given.ordered) {
        let Form::Ordered(at) = object.form else { return None };
        size = size.max(at + object.element_size * given.count + u64::from(object.spare));
        name = if name.is_empty() { format!("{}_room", object.name) } else { name };
    }
    if !name.is_empty() {
        lines.push("/* The function compares where these lie. */".to_owned());
        lines.push(format!("unsigned char {name}[{size}] __attribute__((aligned({RESIDUES}))) = {{0}};"));
    }
    Some(name)
}

/// The objects, each after those it points to as far as there is no cycle.
fn order(input: &Input) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; input.objects.len()];
    for root in 0..input.objects.len() {
        // Each entry: an object and how many of its pointers were followed.
        let mut stack = if seen[root] { Vec::new() } else { vec![(root, 0)] };
        seen[root] = true;
        while let Some((index, followed)) = stack.pop() {
            let pointers = &input.objects[index].content.pointers;
            match pointers.get(followed) {
                None => order.push(index),
                Some(pointer) => {
                    stack.push((index, followed + 1));
                    if let PointerTarget::Object(target, _) = pointer.target
                        && !std::mem::replace(&mut seen[target], true)
                    {
                        stack.push((target, 0));
                    }
                }
            }
        }
    }
    order
}

/// Declares an object, or fills an allocated one.
fn define(program: &Program, object: &Object, given: &InputObject, initial: &mut Initial<'_>) -> Option<Vec<String>> {
    let (name, count, content) = (&object.name, given.count, &given.content);
    let line = match object.form {
        Form::Single => {
            let value = initial.write(name, object.element, content, 0)?;
            definition(program, object.element, name, &value)?
        }
        Form::Array => {
            let value = initial.array(name, object.element, count, content, 0)?;
            let length = count.max(1) + u64::from(object.spare);
            let declared = definition(program, object.element, &format!("{name}[{length}]"), &value)?;
            let note = match (count, object.spare) {
                (0, _) => " /* no element of it may be accessed */",
                (_, true) => " /* the last element is only there to be pointed to */",
                _ => "",
            };
            declared + note
        }
        Form::Heap | Form::Placed(_) | Form::Ordered(_) if count == 0 => return Some(Vec::new()),
        Form::Heap | Form::Placed(_) | Form::Ordered(_) => {
            let element = spell::unqualified(&program.ctypes, object.element);
            let ty = |dimension: &str| spell::declare(&program.ctypes, element, dimension);
            let is_record = matches!(program.ctypes.get(element), CType::Record(_));
            let is_array = matches!(program.ctypes.get(element), CType::Array { .. });
            if count == 1 && !is_array && is_assignable(program, element) {
                let value = initial.write(name, element, content, 0)?;
                let cast = if is_record { format!("({})", ty("")?) } else { String::new() };
                format!("*{name} = {cast}{value};")
            } else {
                let value = initial.array(name, element, count, content, 0)?;
                let value = if value.starts_with('{') { value } else { format!("{{{value}}}") };
                format!("__builtin_memcpy({name}, ({}){value}, {count} * sizeof *{name});", ty(&format!("[{count}]"))?)
            }
        }
        Form::Bytes | Form::HeapBytes => {
            // Compilers know how large a `va_list` is.
            let least = if program.ctypes.is_va_list_record(object.element) { object.element_size } else { 1 };
            let spare = usize::from(object.spare && object.form == Form::Bytes);
            let (items, size) = (bytes(content), (content.bytes.len() + spare).max(least as usize));
            for stored in &content.pointers {
                let target = address(program, initial.objects, initial.renamed, stored.target, given.element);
                let at = stored.at;
                initial.later.push(format!(
                    "__builtin_memcpy({name} + {at}, (void *[]){{(void *)({target})}}, sizeof(void *));"
                ));
            }
            match object.form {
                Form::Bytes => format!("unsigned char {name}[{size}] __attribute__((aligned(16))) = {{{items}}};"),
                _ => format!("__builtin_memcpy({name}, (unsigned char [{size}]){{{items}}}, {size});"),
            }
        }
    };
    Some(vec![line])
}

/// The bytes of an object as an initialiser; long stretches of equal bytes are ranges, those of zeros are left out.
pub(super) fn bytes(content: &Content) -> String {
    let end = content.bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let mut items: Vec<String> = Vec::new();
    let mut next = 0;
    for run in content.bytes[..end].chunk_by(|one, other| one == other) {
        let (at, byte) = (next, run[0]);
        next += run.len();
        let is_range = run.len() > MOST_EQUAL;
        match (byte, is_range) {
            (0, true) => {}
            (_, true) => items.push(format!("[{at} ... {}] = {byte}", next - 1)),
            // What stands behind zeros that are left out says where it is.
            (_, false) if at > 0 && content.bytes[at - 1] == 0 && ends_in_range(&content.bytes[..at]) => {
                items.push(format!("[{at}] = {byte}"));
                items.extend(std::iter::repeat_n(byte.to_string(), run.len() - 1));
            }
            _ => items.extend(std::iter::repeat_n(byte.to_string(), run.len())),
        }
    }
    if items.is_empty() { "0".to_owned() } else { items.join(", ") }
}

/// Whether the last equal bytes are so many that they are not listed.
fn ends_in_range(bytes: &[u8]) -> bool {
    let same = bytes.iter().rev().take_while(|byte| Some(*byte) == bytes.last());
    same.count() > MOST_EQUAL
}

/// Whether a value may be assigned as a whole: it has no constant member.
pub(super) fn is_assignable(program: &Program, ty: CTypeId) -> bool {
    match program.ctypes.get(ty) {
        CType::Record(record) => {
            let fields = &program.ctypes.records[*record].fields;
            fields.iter().all(|field| !program.ctypes.is_const(field.ty) && is_assignable(program, field.ty))
        }
        CType::Array { of, .. } => !program.ctypes.is_const(*of) && is_assignable(program, *of),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn ways_are_short() {
        assert_eq!(short("list[0].next[0].next[0].next"), "list_next_3");
        assert_eq!(short("tree[0].left[0].right"), "tree_left_right");
        assert_eq!(short("a"), "a");
    }
}
