//! Objects of Java that an input of the engine stands for.

use clew_execute::{Content, Input, InputObject, PointerTarget, StubCall};
use clew_frontend_jvm::{CLASS_AT, FieldAt, HEADER_BYTES, JavaType, LENGTH_AT, Lowered, NUMBER_AT};
use clew_ir::{CType, CTypeId};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Elements of an array of the input beyond which a test is not made.
const MOST_ELEMENTS: u32 = 1 << 20;

/// The first character that is not Latin-1.
const WIDE: u16 = 0x100;

const OBJECT: &str = "java/lang/Object";

/// Ends the names of unknown subclasses.
pub const OTHER: &str = "#other";

/// A value of Java.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`
    Null,
    /// An object of the heap, by its number.
    Object(usize),
    /// `boolean`
    Boolean(bool),
    /// `byte`
    Byte(i8),
    /// `char`
    Char(u16),
    /// `short`
    Short(i16),
    /// `int`
    Int(i32),
    /// `long`
    Long(i64),
    /// `float`, by its bits
    Float(u32),
    /// `double`, by its bits
    Double(u64),
}

/// How an object comes to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made {
    /// An object of a class, with the fields that code uses.
    Object {
        /// Internal name of the class.
        class: String,
        /// The fields with their values.
        fields: Vec<(FieldAt, Value)>,
    },
    /// An array.
    Array {
        /// Type of its elements.
        element: JavaType,
        /// Number of elements.
        length: u32,
        /// Elements that are not zero, by their index.
        elements: Vec<(u32, Value)>,
    },
    /// A string, in UTF-16 code units.
    Text(Vec<u16>),
    /// An implementation of an interface that nothing is known of.
    Implementation(String),
    /// The object of a class, by its internal name or the descriptor of an array.
    Class(String),
}

/// The objects of a test and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heap {
    /// The objects.
    pub objects: Vec<Made>,
    /// The receiver, if there is one, and the arguments.
    pub arguments: Vec<Value>,
    /// What methods of unknown implementations return, in the order of the calls.
    pub answers: Vec<Answer>,
    /// Whether some of it is only like what the input says, since nothing in a JVM is just so.
    pub is_inexact: bool,
}

/// What one call of a method of an unknown implementation returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The object whose method is called, if it is one of the input.
    pub object: Option<usize>,
    /// The name of the method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// What it returns; `None` for `void`.
    pub value: Option<Value>,
}

impl Heap {
    /// The objects that an input stands for.
    ///
    /// # Errors
    /// Why it cannot be made in a JVM.
    pub fn of(lowered: &Lowered, input: &Input) -> Result<Heap, String> {
        let reader = Reader { lowered, input, is_inexact: Cell::new(false) };
        let objects = input.objects.iter().map(|object| reader.object(object)).collect::<Result<_, _>>()?;
        let params = &lowered.program.functions[lowered.entry].params;
        let argument = |(param, content): (&clew_ir::Param, &Content)| reader.scalar(content, 0, param.ty);
        let arguments = params.iter().zip(&input.arguments).map(argument).collect();
        let answers = input.stubs.iter().map(|call| reader.answer(call)).collect();
        Ok(Heap { objects, arguments, answers, is_inexact: reader.is_inexact.get() })
    }

    /// How many references of the input lead to each object.
    pub(crate) fn uses(&self) -> BTreeMap<usize, usize> {
        let mut uses = BTreeMap::new();
        let mut count = |value: &Value| {
            if let Value::Object(number) = value {
                *uses.entry(*number).or_insert(0) += 1;
            }
        };
        self.arguments.iter().for_each(&mut count);
        self.answers.iter().filter_map(|answer| answer.value.as_ref()).for_each(&mut count);
        for number in self.reachable() {
            match &self.objects[number] {
                Made::Object { fields, .. } => fields.iter().for_each(|(_, value)| count(value)),
                Made::Array { elements, .. } => elements.iter().for_each(|(_, value)| count(value)),
                Made::Text(_) | Made::Implementation(_) | Made::Class(_) => {}
            }
        }
        uses
    }

    /// The objects that the arguments lead to, in order.
    pub fn reachable(&self) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let answers = self.answers.iter().filter_map(|answer| answer.value.as_ref());
        let mut work: Vec<&Value> = self.arguments.iter().chain(answers).collect();
        while let Some(value) = work.pop() {
            let Value::Object(number) = value else { continue };
            if !found.insert(*number) {
                continue;
            }
            match &self.objects[*number] {
                Made::Object { fields, .. } => work.extend(fields.iter().map(|(_, value)| value)),
                Made::Array { elements, .. } => work.extend(elements.iter().map(|(_, value)| value)),
                Made::Text(_) | Made::Implementation(_) | Made::Class(_) => {}
            }
        }
        found
    }
}

struct Reader<'a> {
    lowered: &'a Lowered,
    input: &'a Input,
    is_inexact: Cell<bool>,
}

impl Reader<'_> {
    fn answer(&self, call: &StubCall) -> Answer {
        let function = &self.lowered.program.functions[call.function];
        let first = call.leads.iter().find(|(position, _)| *position == 0).map(|(_, target)| *target);
        let object = match first {
            Some(PointerTarget::Object(number, 0)) => Some(number),
            _ => None,
        };
        let ty = self.lowered.program.ctypes.get(function.ty);
        let value = match ty {
            CType::Function { returns, .. } if !matches!(self.lowered.program.ctypes.get(*returns), CType::Void) => {
                Some(self.scalar(&call.result, 0, *returns))
            }
            _ => None,
        };
        let (full, descriptor) = function.name.split_at(function.name.find('(').unwrap_or(function.name.len()));
        let method = full.rsplit('.').next().unwrap_or_default().to_owned();
        Answer { object, method, descriptor: descriptor.to_owned(), value }
    }

    fn object(&self, object: &InputObject) -> Result<Made, String> {
        let class = self.class(object)?;
        let content = &object.content;
        if let JavaType::Array(element) = JavaType::of_class_constant(&class) {
            return self.array(content, *element);
        }
        if class == "java/lang/String" {
            return self.text(content);
        }
        if class == "java/lang/Class" {
            return Ok(self.class_object(content));
        }
        if let Some(of) = class.strip_suffix(OTHER)
            && self.lowered.has_no_fields(of)
        {
            return Ok(Made::Implementation(of.to_owned()));
        }
        let is_own = |field: &&FieldAt| self.lowered.is_subtype(&class, &field.class);
        let field = |(offset, field): (&u64, &FieldAt)| (field.clone(), self.value(content, *offset, &field.ty));
        let fields = self.lowered.fields.iter().filter(|(_, field)| is_own(field)).map(field).collect();
        Ok(Made::Object { class, fields })
    }

    /// The object of a class: which one is known by its number alone.
    fn class_object(&self, content: &Content) -> Made {
        self.is_inexact.set(true);
        let known = self.lowered.classes.get(&word(content, NUMBER_AT));
        let named = known.filter(|name| !name.contains('#'));
        Made::Class(named.cloned().unwrap_or_else(|| OBJECT.to_owned()))
    }

    /// The class of an object: what its header says, or one that its type allows where nothing asked for it.
    fn class(&self, object: &InputObject) -> Result<String, String> {
        let number = word(&object.content, CLASS_AT);
        if let Some(name) = self.lowered.classes.get(&number) {
            return Ok(name.clone());
        }
        let ctypes = &self.lowered.program.ctypes;
        let CType::Record(record) = ctypes.get(object.element) else {
            return Err("an object of an unknown type".to_owned());
        };
        let record = &ctypes.records[*record];
        let declared = record.tag.clone().unwrap_or_default();
        let allowed = record.fields.first().map(|header| ctypes.get(header.ty));
        let Some(CType::Enum { enumerators, .. }) = allowed else {
            return Err(format!("an object of class {declared}, of which nothing is known"));
        };
        let own = enumerators.iter().find(|(name, _)| *name == declared).or(enumerators.first());
        let number = own.map(|(_, number)| *number as u32);
        let name = number.and_then(|number| self.lowered.classes.get(&number));
        name.cloned().ok_or_else(|| format!("no class on the class path has objects of type {declared}"))
    }

    fn array(&self, content: &Content, element: JavaType) -> Result<Made, String> {
        let length = word(content, LENGTH_AT);
        if length > MOST_ELEMENTS {
            return Err(format!("an array of {length} elements"));
        }
        let at = |index: u32| HEADER_BYTES + u64::from(index) * element.bytes();
        let inside = |index: &u32| at(*index) + element.bytes() <= content.bytes.len() as u64;
        let values = (0..length).take_while(inside).map(|index| (index, self.value(content, at(index), &element)));
        let elements = values.filter(|(_, value)| !value.is_default()).collect();
        Ok(Made::Array { element, length, elements })
    }

    fn text(&self, content: &Content) -> Result<Made, String> {
        let offset = |name: &str| {
            let mut fields = self.lowered.fields.iter();
            fields.find(|(_, field)| field.class == "java/lang/String" && field.name == name).map(|(offset, _)| *offset)
        };
        let is_wide = offset("coder").and_then(|at| content.bytes.get(at as usize)).is_some_and(|coder| *coder == 1);
        let target = offset("value").map(|at| self.pointer(content, at));
        let array = match target {
            Some(Value::Object(number)) => &self.input.objects[number].content,
            // Nothing looked at its characters: any will do that are stored in this way.
            _ => return Ok(Made::Text(if is_wide { vec![WIDE] } else { Vec::new() })),
        };
        let length = word(array, LENGTH_AT);
        if length > MOST_ELEMENTS || is_wide && length % 2 == 1 {
            return Err(format!("a string of {length} bytes"));
        }
        let byte = |index: u32| {
            let at = HEADER_BYTES as usize + index as usize;
            u16::from(array.bytes.get(at).copied().unwrap_or(0))
        };
        let units: Vec<u16> = if is_wide {
            (0..length / 2).map(|index| byte(2 * index) | byte(2 * index + 1) << 8).collect()
        } else {
            (0..length).map(byte).collect()
        };
        // The JDK would store it as Latin-1.
        if is_wide && units.iter().all(|unit| *unit < WIDE) {
            self.is_inexact.set(true);
        }
        Ok(Made::Text(units))
    }

    fn pointer(&self, content: &Content, at: u64) -> Value {
        let stored = content.pointers.iter().find(|pointer| pointer.at == at).map(|pointer| pointer.target);
        match stored {
            Some(PointerTarget::Object(number, 0)) => Value::Object(number),
            _ => Value::Null,
        }
    }

    fn value(&self, content: &Content, at: u64, ty: &JavaType) -> Value {
        if ty.is_reference() {
            return self.pointer(content, at);
        }
        number(bits(content, at, ty.bytes()), ty)
    }

    /// A parameter, by its type in the program.
    fn scalar(&self, content: &Content, at: u64, ty: CTypeId) -> Value {
        let java = match self.lowered.program.ctypes.get(ty) {
            CType::Bool => JavaType::Boolean,
            CType::Int { name: "byte", .. } => JavaType::Byte,
            CType::Int { name: "char", .. } => JavaType::Char,
            CType::Int { name: "short", .. } => JavaType::Short,
            CType::Int { name: "long", .. } => JavaType::Long,
            CType::Float { size: 4, .. } => JavaType::Float,
            CType::Float { .. } => JavaType::Double,
            CType::Pointer(_) => return self.pointer(content, at),
            _ => JavaType::Int,
        };
        self.value(content, at, &java)
    }
}

impl Value {
    /// Whether new objects and arrays hold it.
    pub fn is_default(&self) -> bool {
        matches!(
            self,
            Value::Null
                | Value::Boolean(false)
                | Value::Byte(0)
                | Value::Char(0)
                | Value::Short(0)
                | Value::Int(0)
                | Value::Long(0)
                | Value::Float(0)
                | Value::Double(0)
        )
    }
}

/// A number of a type by its bits.
pub(crate) fn number(bits: u64, ty: &JavaType) -> Value {
    match ty {
        JavaType::Boolean => Value::Boolean(bits & 1 == 1),
        JavaType::Byte => Value::Byte(bits as i8),
        JavaType::Char => Value::Char(bits as u16),
        JavaType::Short => Value::Short(bits as i16),
        JavaType::Int => Value::Int(bits as i32),
        JavaType::Long => Value::Long(bits as i64),
        JavaType::Float => Value::Float(bits as u32),
        JavaType::Double => Value::Double(bits),
        JavaType::Class(_) | JavaType::Array(_) => Value::Null,
    }
}

fn bits(content: &Content, at: u64, bytes: u64) -> u64 {
    let byte = |index: u64| u64::from(content.bytes.get((at + index) as usize).copied().unwrap_or(0));
    (0..bytes).fold(0, |bits, index| bits | byte(index) << (8 * index))
}

fn word(content: &Content, at: u64) -> u32 {
    bits(content, at, 4) as u32
}
