//! C values as JSON: numbers, lists for arrays, objects for structures, names for pointers.

use crate::ctext::literal;
use crate::ctext::literal::bit_field;
use clew_execute::{Content, Extra, Input, Observation, PointerTarget, Reading, StubCall};
use clew_ir::{CType, CTypeId, Field, FunctionId, GlobalId, Param, ParamKind, Program};
use clew_scalar::Value;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// A named value with its C type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Typed {
    /// Its name in C, or of the pointer that leads to it.
    pub name: String,
    /// Its C type.
    #[serde(rename = "type")]
    pub ty: String,
    /// The value.
    pub value: Json,
}

/// Elements of an array that follow each other and are the same, from which on they are counted.
const MANY_SAME: u64 = 64;

/// Everything an input gives.
pub fn inputs(program: &Program, function: FunctionId, input: &Input) -> Vec<Typed> {
    let context = Context { program, input: Some(input) };
    let earlier = input
        .earlier
        .iter()
        .zip(1..)
        .flat_map(|(call, number)| context.passed(function, &call.arguments, &call.extra, &format!("_{number}")));
    let arguments = context.passed(function, &input.arguments, &input.extra, "");
    let globals = input.globals.iter().map(|(global, content)| {
        let data = &program.globals[*global];
        context.typed(&data.name, data.ty, content)
    });
    let objects = input.objects.iter().map(|object| Typed {
        name: format!("*{}", object.name),
        ty: format!("{}[{}]", spelled(program, object.element), object.count),
        value: context.elements(object.element, object.count, &object.content, 0),
    });
    // Where no allocation fails, none needs mention.
    let some_fail = input.stubs.iter().any(|call| call.is_allocation && call.result.bytes == [1]);
    let told = input.stubs.iter().filter(|call| some_fail || !call.is_allocation);
    let stubs = told.flat_map(|call| context.stub(call));
    let readings = context.readings(&input.readings);
    earlier.chain(arguments).chain(globals).chain(objects).chain(stubs).chain(readings).collect()
}

/// What the function returned.
pub(crate) fn result(program: &Program, function: FunctionId, observation: &Observation) -> Option<Json> {
    let CType::Function { returns, .. } = program.ctypes.get(program.functions[function].ty) else { return None };
    if observation.result.is_empty() {
        return None;
    }
    let content = Content { bytes: observation.result.clone(), pointers: Vec::new() };
    Some(Context { program, input: None }.value(*returns, &content, 0))
}

/// Objects and globals after the call.
pub(crate) fn outputs(
    program: &Program,
    input: &Input,
    observation: &Observation,
    observed: &[GlobalId],
) -> Vec<Typed> {
    let context = Context { program, input: None };
    let plain = |bytes: &Vec<u8>| Content { bytes: bytes.clone(), pointers: Vec::new() };
    let objects = input.objects.iter().zip(&observation.objects).map(|(object, bytes)| Typed {
        name: format!("*{}", object.name),
        ty: format!("{}[{}]", spelled(program, object.element), object.count),
        value: context.elements(object.element, object.count, &plain(bytes), 0),
    });
    let globals = observed.iter().zip(&observation.globals).map(|(global, bytes)| {
        let data = &program.globals[*global];
        context.typed(&data.name, data.ty, &plain(bytes))
    });
    objects.chain(globals).collect()
}

struct Context<'a> {
    program: &'a Program,
    input: Option<&'a Input>,
}

impl Context<'_> {
    /// What a call is given; of earlier calls the names carry a number.
    fn passed(&self, function: FunctionId, arguments: &[Content], extra: &[Extra], number: &str) -> Vec<Typed> {
        let params = self.program.functions[function].params.iter();
        let params = params.filter(|param| param.kind != ParamKind::ReturnSlot);
        let named =
            |(param, content): (&Param, &Content)| self.typed(&format!("{}{number}", param.name), param.ty, content);
        let extra = extra
            .iter()
            .zip(1..)
            .map(|(extra, position)| self.typed(&format!("variable_{position}{number}"), extra.ty, &extra.content));
        params.zip(arguments).map(named).chain(extra).collect()
    }

    /// What volatile memory held whenever it was read, place by place.
    fn readings(&self, readings: &[Reading]) -> Vec<Typed> {
        let mut places: Vec<Typed> = Vec::new();
        for reading in readings {
            let (home, at) = match reading.place {
                PointerTarget::Global(global, at) => (self.program.globals[global].name.clone(), at),
                PointerTarget::Object(index, at) => {
                    (self.input.map_or_else(String::new, |input| format!("*{}", input.objects[index].name)), at)
                }
                PointerTarget::Function(_) => continue,
            };
            let bytes = reading.bytes.len();
            let name = if at == 0 { format!("{home} when read") } else { format!("{home} + {at} when read") };
            let value = reading.bytes.iter().rev().fold(0, |value: u64, byte| value << 8 | u64::from(*byte));
            match places.iter_mut().find(|place| place.name == name) {
                Some(Typed { value: Json::Array(values), .. }) => values.push(value.into()),
                _ => places.push(Typed { name, ty: format!("{bytes} bytes"), value: Json::Array(vec![value.into()]) }),
            }
        }
        places
    }

    /// What a stub gives: its result, and what it writes through its arguments.
    fn stub(&self, call: &StubCall) -> Vec<Typed> {
        let function = &self.program.functions[call.function];
        let CType::Function { returns, params, .. } = self.program.ctypes.get(function.ty) else { return Vec::new() };
        if call.is_allocation {
            let value = call.result.bytes.first().is_some_and(|fails| *fails == 1).into();
            return vec![Typed { name: format!("{}() fails", function.name), ty: "_Bool".to_owned(), value }];
        }
        let result = (!call.result.bytes.is_empty())
            .then(|| self.typed(&format!("{}()", function.name), *returns, &call.result));
        let outputs = call.outputs.iter().filter_map(|(position, content)| {
            if *position > params.len() {
                let name = format!("*{}() argument {position}", function.name);
                let ty = format!("unsigned char[{}]", content.bytes.len());
                return Some(Typed { name, ty, value: content.bytes.clone().into() });
            }
            let CType::Pointer(pointee) = *self.program.ctypes.get(*params.get(*position)?) else { return None };
            let count = content.bytes.len() as u64 / self.size(pointee).max(1);
            let name = format!("*{}() argument {}", function.name, position + 1);
            let ty = format!("{}[{count}]", spelled(self.program, pointee));
            Some(Typed { name, ty, value: self.elements(pointee, count, content, 0) })
        });
        let globals = call.globals.iter().map(|(global, content)| {
            let data = &self.program.globals[*global];
            self.typed(&format!("{} after {}()", data.name, function.name), data.ty, content)
        });
        result.into_iter().chain(outputs).chain(globals).collect()
    }

    fn typed(&self, name: &str, ty: CTypeId, content: &Content) -> Typed {
        Typed { name: name.to_owned(), ty: spelled(self.program, ty), value: self.value(ty, content, 0) }
    }

    fn size(&self, ty: CTypeId) -> u64 {
        self.program.ctypes.size_of(ty, self.program.target.pointer_bytes()).unwrap_or(0)
    }

    /// The elements of an array. Where many that follow each other are the same, one stands for them: `"0 × 4096"`.
    fn elements(&self, element: CTypeId, count: u64, content: &Content, at: u64) -> Json {
        let size = self.size(element);
        let (mut values, mut index) = (Vec::new(), 0);
        while index < count {
            let value = self.value(element, content, at + index * size);
            let same = same_elements(content, at + index * size, size, count - index);
            if same >= MANY_SAME {
                values.push(format!("{value} × {same}").into());
                index += same;
            } else {
                values.push(value);
                index += 1;
            }
        }
        Json::Array(values)
    }

    /// The value of a type at an offset of a content.
    fn value(&self, ty: CTypeId, content: &Content, at: u64) -> Json {
        match self.program.ctypes.get(ty) {
            CType::Array { of, len } => self.elements(*of, len.unwrap_or(0), content, at),
            CType::Record(record) => {
                let fields = &self.program.ctypes.records[*record].fields;
                let named = fields.iter().filter(|field| field.bits.is_none() || !field.name.is_empty());
                named
                    .map(|field| (field.name.clone(), self.field(field, content, at)))
                    .collect::<serde_json::Map<_, _>>()
                    .into()
            }
            CType::Pointer(_) => self.pointer(content, at),
            CType::Float { format, size, .. } => {
                let end = (at + u64::from(*size)) as usize;
                let bytes = content.bytes.get(at as usize..end).unwrap_or_default();
                let value = Value::float(*format, literal::bits(&self.program.ctypes, ty, bytes));
                value.to_string().split_once(' ').map_or(Json::Null, |(_, number)| number.into())
            }
            _ => {
                let bytes = self.size(ty);
                let signed = self.program.ctypes.is_signed(ty);
                integer(bits(content, at, bytes), bytes, signed)
            }
        }
    }

    /// The value of a member of a structure that begins at an offset.
    fn field(&self, field: &Field, content: &Content, at: u64) -> Json {
        let Some(bits) = field.bits else { return self.value(field.ty, content, at + field.offset) };
        let signed = self.program.ctypes.is_signed(field.ty);
        let number = bit_field(self.program, field, bits, &content.bytes, at);
        number.map_or(Json::Null, |number| integer(number, 16, signed))
    }

    fn pointer(&self, content: &Content, at: u64) -> Json {
        let Some(pointer) = content.pointers.iter().find(|pointer| pointer.at == at) else {
            let number = bits(content, at, self.program.target.pointer_bytes());
            // What is there afterwards may be an address that the system gave.
            let is_given = self.input.is_some() && number != 0;
            return if is_given { format!("{number:#x}").into() } else { Json::Null };
        };
        let (name, offset) = match pointer.target {
            PointerTarget::Object(index, offset) => {
                let name = self.input.and_then(|input| input.objects.get(index)).map_or("?", |object| &object.name);
                (format!("*{name}"), offset)
            }
            PointerTarget::Global(global, offset) => (self.program.globals[global].name.clone(), offset),
            PointerTarget::Function(function) => (self.program.functions[function].name.clone(), 0),
        };
        if offset == 0 { format!("&{name}").into() } else { format!("&{name}+{offset}").into() }
    }
}

/// How many of the elements from one on have the same bytes, and no pointers.
fn same_elements(content: &Content, at: u64, size: u64, most: u64) -> u64 {
    let element = |index: u64| content.bytes.get((at + index * size) as usize..(at + (index + 1) * size) as usize);
    let first_pointer = content.pointers.iter().map(|stored| stored.at).find(|stored| *stored >= at);
    let most = first_pointer.map_or(most, |pointer| most.min((pointer - at) / size.max(1)));
    (0..most).take_while(|index| size > 0 && element(*index).is_some() && element(*index) == element(0)).count() as u64
}

fn bits(content: &Content, at: u64, bytes: u64) -> u128 {
    let byte = |offset: u64| content.bytes.get((at + offset) as usize).copied().unwrap_or(0);
    (0..bytes.min(16)).rev().fold(0, |bits, offset| bits << 8 | u128::from(byte(offset)))
}

/// An integer; as a string where JSON's numbers would lose digits.
fn integer(bits: u128, bytes: u64, signed: bool) -> Json {
    let width = (bytes * 8).clamp(8, 128) as u8;
    let text = if signed { Value::int(width, bits).signed().to_string() } else { bits.to_string() };
    match text.parse::<i64>() {
        Ok(number) if number.unsigned_abs() < 1 << 53 => number.into(),
        _ => text.into(),
    }
}

/// A type as C spells it in a declaration without a name.
pub(super) fn spelled(program: &Program, ty: CTypeId) -> String {
    match &program.ctypes.types[ty] {
        CType::Void => "void".to_owned(),
        CType::Bool => "_Bool".to_owned(),
        CType::Int { name, .. } => (*name).to_owned(),
        CType::Float { kind, .. } => match kind {
            clew_ir::FloatKind::Float => "float".to_owned(),
            clew_ir::FloatKind::Double => "double".to_owned(),
            clew_ir::FloatKind::LongDouble => "long double".to_owned(),
            clew_ir::FloatKind::Other(name) => (*name).to_owned(),
        },
        CType::Enum { tag, .. } => format!("enum {}", tag.as_deref().unwrap_or("")).trim_end().to_owned(),
        CType::Pointer(to) => format!("{} *", spelled(program, *to)),
        CType::Array { of, len: Some(len) } => format!("{}[{len}]", spelled(program, *of)),
        CType::Array { of, len: None } => format!("{}[]", spelled(program, *of)),
        CType::Record(record) => {
            let record = &program.ctypes.records[*record];
            let word = if record.is_union { "union" } else { "struct" };
            format!("{word} {}", record.tag.as_deref().unwrap_or("")).trim_end().to_owned()
        }
        CType::Function { .. } => "function".to_owned(),
        CType::Typedef { name, .. } => name.clone(),
        CType::Qualified { of, is_const, is_volatile, .. } => {
            let words = [(*is_const, "const "), (*is_volatile, "volatile ")];
            let prefix: String = words.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect();
            prefix + &spelled(program, *of)
        }
        CType::Unsupported(what) => what.clone(),
    }
}
