//! An input in one line, as a reader of Java would write it down: `list = Node{next = #1 Node{}}, n = 3`.
//!
//! An object is written where it first occurs; where others lead to it as well, it has a number, by which they name it.

use crate::heap::{Heap, Made, Value};
use crate::junit::literal;
use clew_frontend_jvm::{JavaType, Lowered, source_name};
use std::collections::{BTreeMap, BTreeSet};

/// Elements of an array that are written.
const MOST_ELEMENTS: usize = 16;

/// What the parameters of a method hold.
pub fn describe(lowered: &Lowered, heap: &Heap) -> String {
    let params = &lowered.program.functions[lowered.entry].params;
    let mut writer = Writer { heap, numbers: shared(heap), written: BTreeSet::new() };
    let pairs = params.iter().zip(&heap.arguments);
    let mut parts: Vec<String> =
        pairs.map(|(param, value)| format!("{} = {}", param.name, writer.value(value))).collect();
    for answer in &heap.answers {
        if let Some(value) = &answer.value {
            parts.push(format!("{}() returns {}", answer.method, writer.value(value)));
        }
    }
    if parts.is_empty() { "no input".to_owned() } else { parts.join(", ") }
}

/// Numbers of objects that several references lead to.
fn shared(heap: &Heap) -> BTreeMap<usize, usize> {
    let counts = heap.uses();
    counts.into_iter().filter(|(_, count)| *count > 1).map(|(number, _)| number).zip(1..).collect()
}

struct Writer<'a> {
    heap: &'a Heap,
    numbers: BTreeMap<usize, usize>,
    written: BTreeSet<usize>,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value) -> String {
        let Value::Object(object) = value else { return literal::value(value) };
        let mark = self.numbers.get(object).map_or_else(String::new, |number| format!("#{number}"));
        if !self.written.insert(*object) {
            return mark;
        }
        let text = self.object(*object);
        if mark.is_empty() { text } else { format!("{mark} {text}") }
    }

    fn object(&mut self, object: usize) -> String {
        let heap = self.heap;
        match &heap.objects[object] {
            Made::Text(units) => literal::text(units),
            Made::Implementation(name) => format!("some {}", source_name(name)),
            Made::Class(name) => format!("{}.class", JavaType::of_class_constant(name)),
            Made::Object { class, fields } => {
                let told = fields.iter().filter(|(_, value)| !value.is_default());
                let told = told.map(|(field, value)| format!("{} = {}", field.name, self.value(value)));
                let told = told.collect::<Vec<_>>().join(", ");
                format!("{}{{{told}}}", source_name(class))
            }
            Made::Array { element, length, elements } => {
                let told = elements.iter().take(MOST_ELEMENTS);
                let told = told.map(|(index, value)| format!("[{index}] = {}", self.value(value)));
                let told = told.collect::<Vec<_>>().join(", ");
                format!("{element}[{length}]{{{told}}}")
            }
        }
    }
}
