//! Inputs byte by byte, so that a suite can be run again from its file.
//!
//! Globals, functions and types stand by name: a suite may be read with a program that has changed. What it names must
//! still be there, otherwise the input is not one of the new program.

use super::value::spelled;
use clew_execute::{Content, EarlierCall, Extra, Input, InputObject, PointerTarget, Reading, StoredPointer, StubCall};
use clew_ir::{CTypeId, FunctionId, GlobalId, Program};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An input.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raw {
    /// What earlier calls were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Call>,
    /// One per parameter.
    pub arguments: Vec<Bytes>,
    /// What is passed after the last parameter, with its type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<(String, Bytes)>,
    /// Globals by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub globals: Vec<(String, Bytes)>,
    /// What pointers lead to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<Object>,
    /// What functions without a body gave, call by call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stubs: Vec<Stub>,
    /// What volatile memory held whenever it was read: where, and the bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<(Target, String)>,
}

/// What a call is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// One per parameter.
    pub arguments: Vec<Bytes>,
    /// What is passed after the last parameter, with its type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extra: Vec<(String, Bytes)>,
}

/// Zeros that are written one by one.
const MOST_ZEROS: usize = 16;

/// Bytes that an object may have.
const MOST_BYTES: usize = 1 << 28;

/// An object that exists only for the test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// A C expression that leads to it.
    pub name: String,
    /// Type of its elements.
    pub element: String,
    /// Number of elements.
    pub count: u64,
    /// Its content.
    pub content: Bytes,
    /// What its address is modulo 16, where the path depends on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residue: Option<u8>,
    /// Whether the path depends on the order in which it and other such objects lie.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
}

/// What one call of a function without a body gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stub {
    /// The function.
    pub function: String,
    /// What it returned.
    pub result: Bytes,
    /// What it wrote through pointers: the position of the parameter, and the bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<(usize, Bytes)>,
    /// Variables that it set, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub globals: Vec<(String, Bytes)>,
    /// Whether it is an allocation that may fail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_allocation: bool,
}

/// Bytes with pointers among them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bytes {
    /// In hexadecimal, zero where a pointer is.
    pub bytes: String,
    /// Where each pointer is stored, and where it leads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pointers: Vec<(u64, Target)>,
}

/// Where a pointer leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Target {
    /// Into an object by position, plus bytes.
    Object(usize, i64),
    /// Into a global, plus bytes.
    Global(String, i64),
    /// To a function.
    Function(String),
}

/// The bytes of an input.
pub fn raw(program: &Program, input: &Input) -> Raw {
    Writer { program, is_numbered: false }.input(input)
}

/// Writes down what programs name.
#[derive(Clone, Copy, Debug)]
pub struct Writer<'a> {
    /// The program.
    pub program: &'a Program,
    /// Whether names carry the number of what they name, which tells things of one name apart as long as the program is
    /// the same.
    pub is_numbered: bool,
}

/// What stands between a name and the number of what it names; no name of C has it.
const NUMBER: char = '#';

impl Writer<'_> {
    /// An input.
    pub fn input(&self, input: &Input) -> Raw {
        let Call { arguments, extra } = self.call(&input.arguments, &input.extra);
        Raw {
            earlier: input.earlier.iter().map(|earlier| self.call(&earlier.arguments, &earlier.extra)).collect(),
            arguments,
            extra,
            globals: self.named(&input.globals),
            objects: input.objects.iter().map(|object| self.object(object)).collect(),
            stubs: input.stubs.iter().map(|call| self.stub(call)).collect(),
            readings: input.readings.iter().map(|it| (self.target(it.place), hex(&it.bytes))).collect(),
        }
    }

    fn call(&self, arguments: &[Content], extra: &[Extra]) -> Call {
        let extra = extra.iter().map(|extra| (self.element(extra.ty), self.bytes(&extra.content)));
        Call { arguments: arguments.iter().map(|content| self.bytes(content)).collect(), extra: extra.collect() }
    }

    fn named(&self, globals: &[(GlobalId, Content)]) -> Vec<(String, Bytes)> {
        globals.iter().map(|(id, content)| (self.global(*id), self.bytes(content))).collect()
    }

    fn object(&self, object: &InputObject) -> Object {
        Object {
            name: object.name.clone(),
            element: self.element(object.element),
            count: object.count,
            content: self.bytes(&object.content),
            residue: object.residue,
            ordered: object.ordered,
        }
    }

    fn stub(&self, call: &StubCall) -> Stub {
        Stub {
            function: self.function(call.function),
            result: self.bytes(&call.result),
            outputs: call.outputs.iter().map(|(position, content)| (*position, self.bytes(content))).collect(),
            globals: self.named(&call.globals),
            is_allocation: call.is_allocation,
        }
    }

    fn bytes(&self, content: &Content) -> Bytes {
        Bytes {
            bytes: hex(&content.bytes),
            pointers: content.pointers.iter().map(|stored| (stored.at, self.target(stored.target))).collect(),
        }
    }

    /// Where a pointer leads.
    pub fn target(&self, target: PointerTarget) -> Target {
        match target {
            PointerTarget::Object(index, offset) => Target::Object(index, offset),
            PointerTarget::Global(id, offset) => Target::Global(self.global(id), offset),
            PointerTarget::Function(id) => Target::Function(self.function(id)),
        }
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> String {
        self.numbered(self.program.functions[id].name.clone(), id.raw())
    }

    /// A global.
    pub fn global(&self, id: GlobalId) -> String {
        self.numbered(self.program.globals[id].name.clone(), id.raw())
    }

    fn element(&self, id: CTypeId) -> String {
        self.numbered(spelled(self.program, id), id.raw())
    }

    fn numbered(&self, name: String, number: u32) -> String {
        if self.is_numbered { format!("{name}{NUMBER}{number}") } else { name }
    }
}

/// Bytes in hexadecimal, long stretches of zeros as their number: `01 *4092 ff`.
pub fn hex(bytes: &[u8]) -> String {
    let is_long = |run: &[u8]| run[0] == 0 && run.len() > MOST_ZEROS;
    let mut words: Vec<String> = Vec::new();
    let mut goes_on = false;
    for run in bytes.chunk_by(|a, b| (*a == 0) == (*b == 0)) {
        match words.last_mut() {
            _ if is_long(run) => words.push(format!("*{}", run.len())),
            Some(word) if goes_on => word.push_str(&crate::hash::hex(run)),
            _ => words.push(crate::hash::hex(run)),
        }
        goes_on = !is_long(run);
    }
    words.join(" ")
}

/// The bytes that are written so.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let mut bytes = Vec::new();
    for word in text.split_terminator(' ') {
        match word.strip_prefix('*') {
            Some(zeros) => bytes.resize(bytes.len() + zeros.parse::<usize>().ok().filter(|n| *n <= MOST_BYTES)?, 0),
            None => bytes.extend(word.as_bytes().chunks(2).map(byte).collect::<Option<Vec<u8>>>()?),
        }
    }
    Some(bytes)
}

/// Looks names up in a program.
#[derive(Debug)]
pub struct Reader<'a> {
    program: &'a Program,
    globals: BTreeMap<&'a str, GlobalId>,
    types: BTreeMap<String, CTypeId>,
}

/// The first thing of each name.
fn first<N: Ord, T>(named: impl Iterator<Item = (N, T)>) -> BTreeMap<N, T> {
    let mut first = BTreeMap::new();
    for (name, thing) in named {
        first.entry(name).or_insert(thing);
    }
    first
}

impl<'a> Reader<'a> {
    /// A reader for a program.
    pub fn new(program: &'a Program) -> Reader<'a> {
        let globals = program.globals.iter().map(|(id, global)| (global.name.as_str(), id));
        let types = program.ctypes.types.ids().map(|id| (spelled(program, id), id));
        Reader { program, globals: first(globals), types: first(types) }
    }

    /// The input, if all that it names is there and has the same size.
    pub fn input(&self, raw: &Raw) -> Option<Input> {
        let EarlierCall { arguments, extra } = self.call(&raw.arguments, &raw.extra)?;
        let earlier = raw.earlier.iter().map(|call| self.call(&call.arguments, &call.extra));
        let readings = raw.readings.iter();
        Some(Input {
            earlier: earlier.collect::<Option<_>>()?,
            arguments,
            extra,
            globals: self.named(&raw.globals)?,
            objects: raw.objects.iter().map(|object| self.object(object)).collect::<Option<_>>()?,
            stubs: raw.stubs.iter().map(|stub| self.stub(stub)).collect::<Option<_>>()?,
            readings: readings
                .map(|(place, bytes)| Some(Reading { place: self.target(place)?, bytes: from_hex(bytes)? }))
                .collect::<Option<_>>()?,
            ..Input::default()
        })
    }

    fn object(&self, object: &Object) -> Option<InputObject> {
        Some(InputObject {
            name: object.name.clone(),
            element: self.element(&object.element)?,
            count: object.count,
            content: self.content(&object.content)?,
            residue: object.residue,
            ordered: object.ordered,
        })
    }

    fn stub(&self, stub: &Stub) -> Option<StubCall> {
        let outputs = stub.outputs.iter().map(|(position, bytes)| Some((*position, self.content(bytes)?)));
        Some(StubCall {
            function: self.function(&stub.function)?,
            result: self.content(&stub.result)?,
            outputs: outputs.collect::<Option<_>>()?,
            globals: self.named(&stub.globals)?,
            leads: Vec::new(),
            is_allocation: stub.is_allocation,
        })
    }

    fn named(&self, globals: &[(String, Bytes)]) -> Option<Vec<(GlobalId, Content)>> {
        globals.iter().map(|(name, bytes)| Some((self.global(name)?, self.content(bytes)?))).collect()
    }

    fn call(&self, arguments: &[Bytes], extra: &[(String, Bytes)]) -> Option<EarlierCall> {
        let passed =
            |(ty, bytes): &(String, Bytes)| Some(Extra { ty: self.element(ty)?, content: self.content(bytes)? });
        Some(EarlierCall {
            arguments: arguments.iter().map(|bytes| self.content(bytes)).collect::<Option<_>>()?,
            extra: extra.iter().map(passed).collect::<Option<_>>()?,
        })
    }

    fn content(&self, bytes: &Bytes) -> Option<Content> {
        let stored = |(at, to): &(u64, Target)| Some(StoredPointer { at: *at, target: self.target(to)? });
        Some(Content {
            bytes: from_hex(&bytes.bytes)?,
            pointers: bytes.pointers.iter().map(stored).collect::<Option<_>>()?,
        })
    }

    /// Where a pointer leads.
    pub fn target(&self, target: &Target) -> Option<PointerTarget> {
        Some(match target {
            Target::Object(index, offset) => PointerTarget::Object(*index, *offset),
            Target::Global(name, offset) => PointerTarget::Global(self.global(name)?, *offset),
            Target::Function(name) => PointerTarget::Function(self.function(name)?),
        })
    }

    /// A global: the one of its number, if that has the name, and otherwise the first one that has.
    pub fn global(&self, written: &str) -> Option<GlobalId> {
        let (name, number) = parts(written);
        let numbered = number.map(GlobalId::new);
        let is_named = |id: &GlobalId| self.program.globals.get(*id).is_some_and(|global| global.name == name);
        numbered.filter(is_named).or_else(|| self.globals.get(name).copied())
    }

    /// A function, in the same way.
    pub fn function(&self, written: &str) -> Option<FunctionId> {
        let (name, number) = parts(written);
        let numbered = number.map(FunctionId::new);
        let is_named = |id: &FunctionId| self.program.functions.get(*id).is_some_and(|function| function.name == name);
        numbered.filter(is_named).or_else(|| self.program.function(name))
    }

    fn element(&self, written: &str) -> Option<CTypeId> {
        let (name, number) = parts(written);
        let numbered = number.map(CTypeId::new);
        let types = &self.program.ctypes.types;
        let is_named = |id: &CTypeId| types.get(*id).is_some() && spelled(self.program, *id) == name;
        numbered.filter(is_named).or_else(|| self.types.get(name).copied())
    }
}

/// A name, and the number that it may carry.
fn parts(written: &str) -> (&str, Option<u32>) {
    match written.rsplit_once(NUMBER) {
        Some((name, number)) => (name, number.parse().ok()),
        None => (written, None),
    }
}

#[cfg(test)]
mod tests {
    use super::{Reader, raw};
    use clew_execute::{Content, EarlierCall, Input, InputObject, PointerTarget, StoredPointer};
    use clew_frontend::{Options, load};

    #[test]
    fn zeros_are_counted() {
        let mut bytes = vec![1, 0, 0xab];
        bytes.resize(5000, 0);
        bytes.extend([0xff, 0]);
        assert_eq!(super::hex(&bytes), "0100ab *4997 ff00");
        assert_eq!(super::from_hex(&super::hex(&bytes)), Some(bytes));
        assert_eq!(super::from_hex(""), Some(Vec::new()));
        assert_eq!(super::from_hex("*99999999999999"), None);
    }

    #[test]
    fn an_input_comes_back_from_its_bytes() {
        let directory = std::env::temp_dir().join(format!("clew-raw-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let file = directory.join("f.c");
        std::fs::write(&file, "struct s { struct s *next; int x; }; int g; int f(struct s *p) { return p->x + g; }")
            .unwrap();
        let program = load(&Options::file(file)).unwrap().program;
        let element = program.ctypes.types.ids().find(|id| super::spelled(&program, *id) == "struct s").unwrap();
        let global = program.globals.iter().find(|(_, global)| global.name == "g").unwrap().0;
        let leads = |index| vec![StoredPointer { at: 0, target: PointerTarget::Object(index, 0) }];
        let content = Content { bytes: vec![0, 0, 0, 0, 0, 0, 0, 0, 7, 1, 0, 255, 0, 0, 0, 0], pointers: leads(0) };
        let original = Input {
            arguments: vec![Content { bytes: vec![0; 8], pointers: leads(0) }],
            globals: vec![(global, Content { bytes: vec![1, 2, 3, 4], pointers: Vec::new() })],
            objects: vec![InputObject {
                name: "p".to_owned(),
                element,
                count: 1,
                content,
                residue: Some(3),
                ordered: true,
            }],
            earlier: vec![EarlierCall {
                arguments: vec![Content { bytes: vec![0; 8], pointers: leads(0) }],
                extra: Vec::new(),
            }],
            ..Input::default()
        };
        let written = serde_json::to_string(&raw(&program, &original)).unwrap();
        assert_eq!(Reader::new(&program).input(&serde_json::from_str(&written).unwrap()), Some(original));
        std::fs::remove_dir_all(directory).unwrap();
    }
}
