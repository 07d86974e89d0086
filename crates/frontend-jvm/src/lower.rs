//! Methods become functions.
//!
//! Lowering starts at one method and follows calls. Virtual calls, tests for a type and allocations depend on the classes
//! that the whole program turns out to use, so they call helper functions, whose bodies are made last ([`finish`]). What
//! is not understood becomes an `Unsupported` instruction and a diagnostic.

mod arithmetic;
mod array;
mod body;
mod call;
mod classes;
mod decision;
mod dynamic;
mod entry;
mod finish;
mod flow;
mod intrinsic;
mod lambda;
mod mock;
mod object;
mod record;
mod stack;
mod statics;
mod throw;

use crate::class::Constant;
use crate::descriptor::{JavaType, Signature};
use crate::snapshot::{Snapshot, Statics};
use crate::source::Sources;
use crate::types::{CLASS_AT, HEADER_BYTES, Kind, LENGTH_AT, Types};
use crate::world::{ClassId, World};
use clew_ir::{
    BlockId, CType, CTypeId, Function, FunctionId, Global, GlobalId, GlobalKind, Linkage, Param, ParamKind, Program,
    Relocation, Span, Symbol, Target, Temp, Type,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// Methods that are lowered before the rest is given up.
const MOST_METHODS: usize = 1_000;

/// The same for methods outside of the JDK.
const MOST_OWN_METHODS: usize = 3_000;

/// Bytes of a class object: the number of `Class`, its own number, the object of the class of its elements, and the number of
/// the class of arrays of it.
const CLASS_OBJECT: i64 = 24;
/// Where the number of a class lies in its object.
pub const NUMBER_AT: u64 = 4;
/// Where the object of the class of its elements lies.
const COMPONENT_AT: u64 = 8;
/// Where the number of the class of arrays of it lies.
const ARRAYS_AT: u64 = 16;

/// What a step of lowering gives, or what is not supported.
pub(crate) type Lower<T = ()> = Result<T, String>;

/// A function of the program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// A method with code.
    Method(ClassId, String, String),
    /// The methods that a virtual call may run, by the class of the receiver.
    Dispatch(ClassId, String, String),
    /// Initialises a class unless that was done.
    Initialise(ClassId),
    /// What an unknown implementation of a type does: its result is an input.
    Mock(ClassId, String, String),
    /// A new object.
    New(ClassId),
    /// A new array of so many elements, by its class.
    NewArray(ClassId),
    /// Whether the class of a number is a subtype of this one.
    IsSubtype(ClassId),
    /// Whether a virtual call on an object of the class of a number runs this method.
    Runs(ClassId, String, String),
    /// `System.arraycopy`, once its arguments are known to be references.
    ArrayCopy,
    /// A copy of an object that is not null.
    Clone,
    /// A new array of the class of a number.
    NewArrayOf,
    /// Whether the class of a number is one of arrays.
    IsArray,
    /// Whether the class of one number is a subtype of that of another.
    Related,
    /// The name of the class of a number.
    NameOf(Naming),
    /// Whether the class of a number is one of a kind.
    IsOf(ClassKind),
}

/// Names of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Naming {
    /// As `Class.getName` gives it.
    Full,
    /// As `Class.getSimpleName` gives it.
    Simple,
}

/// Kinds of classes that code asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ClassKind {
    /// `int` and its kin.
    Primitive,
    /// Interfaces.
    Interface,
}

/// Something that is not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The class, as Java spells it.
    pub class: String,
    /// The method and its descriptor.
    pub method: String,
    /// The line, 0 if it is not known.
    pub line: u32,
    /// What it is.
    pub what: String,
}

/// Where a branch of a method stands in its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchSite {
    /// Offset of the instruction.
    pub offset: u32,
    /// Whether the condition is true where the jump is taken; otherwise it is true where control falls through.
    pub true_on_jump: bool,
}

/// The code of a method, by the offsets of its instructions.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// All its conditional jumps and switches, in order.
    pub branches: Vec<u32>,
    /// Its conditions, by their numbers.
    pub conditions: Vec<BranchSite>,
    /// Its switches: the number of the decision.
    pub switches: BTreeMap<u32, u32>,
    /// Where instructions begin that control comes to: the block, and the position in it.
    pub places: BTreeMap<u32, (BlockId, usize)>,
    /// Where lines begin, in order.
    pub lines: Vec<(u32, u32)>,
    /// Whether it asks if two references are the same.
    pub compares_references: bool,
    /// Instructions that make an `AssertionError`, as `assert` does.
    pub assertions: Vec<u32>,
}

/// A place where the JVM throws an exception by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The method.
    pub function: FunctionId,
    /// The line, 0 if it is not known.
    pub line: u32,
    /// Offset of the instruction.
    pub offset: u32,
    /// The number of the class of the exception.
    pub class: u32,
    /// Internal name of that class.
    pub exception: String,
}

/// Where exceptions of the JVM arise.
#[derive(Debug)]
pub(crate) struct Failures {
    /// The variable that holds the number of the last one, from 1.
    pub(crate) last: GlobalId,
    /// The places, in the order of their numbers.
    pub(crate) places: Vec<Failure>,
}

/// The state of lowering.
#[derive(Debug)]
pub(crate) struct Lowering {
    pub(crate) program: Program,
    pub(crate) world: World,
    pub(crate) types: Types,
    pub(crate) sources: Sources,
    pub(crate) functions: BTreeMap<Key, FunctionId>,
    queue: VecDeque<Key>,
    statics: BTreeMap<(ClassId, String), GlobalId>,
    strings: BTreeMap<Vec<u16>, GlobalId>,
    /// Classes of which code makes objects.
    pub(crate) instantiated: BTreeSet<ClassId>,
    /// Where each field in use lies.
    pub(crate) offsets: BTreeMap<(ClassId, String), u64>,
    next_offset: u64,
    /// Who knows static fields, what was shown, of which fields, and how many fields were asked for.
    pub(crate) shown_by: Option<Rc<RefCell<dyn Statics>>>,
    snapshot: Snapshot,
    shown: Vec<(ClassId, String)>,
    asked: (usize, usize),
    /// Why nobody knows static fields.
    unknown_because: String,
    /// The exception that is on its way to a handler, and its class, 0 if there is none.
    pub(crate) pending: GlobalId,
    pub(crate) pending_class: GlobalId,
    /// The unknown subclass that has the method under test from its superclass, where no known one has.
    pub(crate) inherits: Option<(ClassId, String, String)>,
    /// What the method under test returned.
    pub(crate) result: Option<GlobalId>,
    class_objects: GlobalId,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// What is known of the code of methods outside of the JDK.
    pub(crate) code: BTreeMap<FunctionId, Code>,
    /// Where exceptions of the JVM arise, if that is asked for.
    pub(crate) failures: Option<Failures>,
    /// What the methods of lambdas do.
    lambdas: BTreeMap<ClassId, lambda::Lambda>,
    methods: usize,
    calloc: FunctionId,
}

impl Lowering {
    pub(crate) fn new(world: World, sources: Sources) -> Lowering {
        let mut program = Program::new(Target::LP64);
        let mut types = Types::new(&mut program);
        let word = types.of(&mut program, &JavaType::Long);
        let calloc = CType::Function { returns: types.any, params: vec![word, word], variadic: false };
        let calloc = program.ctypes.types.push(calloc);
        let mut calloc = Function::declare("calloc", calloc);
        calloc.returns = Some(Type::Pointer);
        let calloc = program.functions.push(calloc);
        let int = types.of(&mut program, &JavaType::Int);
        let pending = program.globals.push(variable("clew.pending", types.any, 8));
        let pending_class = program.globals.push(variable("clew.pending.class", int, 4));
        let class_objects = program.globals.push(variable("clew.classes", word, 8));
        Lowering {
            program,
            world,
            types,
            sources,
            functions: BTreeMap::new(),
            queue: VecDeque::new(),
            statics: BTreeMap::new(),
            strings: BTreeMap::new(),
            instantiated: BTreeSet::new(),
            offsets: BTreeMap::new(),
            next_offset: HEADER_BYTES,
            shown_by: None,
            snapshot: Snapshot::default(),
            shown: Vec::new(),
            asked: (0, 0),
            unknown_because: String::new(),
            pending,
            pending_class,
            inherits: None,
            result: None,
            class_objects,
            diagnostics: Vec::new(),
            code: BTreeMap::new(),
            failures: None,
            lambdas: BTreeMap::new(),
            methods: 0,
            calloc,
        }
    }

    /// Has places be noted where exceptions of the JVM arise.
    pub(crate) fn note_failures(&mut self) {
        let int = self.types.of(&mut self.program, &JavaType::Int);
        let last = self.program.globals.push(variable("clew.failure", int, 4));
        self.failures = Some(Failures { last, places: Vec::new() });
    }

    /// The function of a key, which is declared and queued if it is new.
    pub(crate) fn function(&mut self, key: Key) -> FunctionId {
        if let Some(known) = self.functions.get(&key) {
            return *known;
        }
        let (name, params, returns) = self.shape(&key);
        let params: Vec<(String, CTypeId, Type)> = params;
        let result = returns.as_ref().map_or(self.types.void, |(ty, _)| *ty);
        let ty =
            CType::Function { returns: result, params: params.iter().map(|param| param.1).collect(), variadic: false };
        let ty = self.program.ctypes.types.push(ty);
        let mut function = Function::declare(name, ty);
        function.linkage = Linkage::Internal;
        function.returns = returns.map(|(_, ty)| ty);
        for (name, ty, scalar) in params {
            let temp = function.temps.push(Temp { ty: scalar });
            function.params.push(Param { name, ty, temp, kind: ParamKind::Scalar });
        }
        let id = self.program.functions.push(function);
        if !self.is_own(&key) {
            self.program.models.insert(id);
        }
        self.functions.insert(key.clone(), id);
        self.queue.push_back(key);
        id
    }

    /// Whether a function stands for code of the user.
    fn is_own(&self, key: &Key) -> bool {
        matches!(key, Key::Method(class, ..) if self.world.get(*class).is_own)
    }

    /// Name, parameters and result of a function.
    #[expect(clippy::type_complexity, reason = "it is taken apart at once")]
    fn shape(&mut self, key: &Key) -> (String, Vec<(String, CTypeId, Type)>, Option<(CTypeId, Type)>) {
        let name = |lowering: &Lowering, class: ClassId| lowering.world.get(class).class.name.replace('/', ".");
        let int = self.types.of_kind(Kind::Int);
        let number = |name: &str| (name.to_owned(), int, Type::Int(32));
        let any = (self.types.any, Type::Pointer);
        match key {
            Key::Method(class, method, descriptor) => {
                let shown = format!("{}.{method}{descriptor}", name(self, *class));
                let is_static = self.world.get(*class).class.method(method, descriptor).is_some_and(|m| m.is_static);
                let (params, returns) = self.signature(*class, descriptor, !is_static);
                (shown, params, returns)
            }
            Key::Dispatch(class, method, descriptor) => {
                let (params, returns) = self.signature(*class, descriptor, true);
                (format!("virtual {}.{method}{descriptor}", name(self, *class)), params, returns)
            }
            Key::Mock(class, method, descriptor) => {
                let shown = format!("mock {}.{method}{descriptor}", name(self, *class));
                let (params, returns) = self.mock_signature(descriptor);
                (shown, params, returns)
            }
            Key::Initialise(class) => (format!("initialise {}", name(self, *class)), Vec::new(), None),
            Key::New(class) => (format!("new {}", name(self, *class)), Vec::new(), Some(any)),
            Key::NewArray(class) => (format!("new {}", name(self, *class)), vec![number("length")], Some(any)),
            Key::IsSubtype(class) => {
                let truth = self.types.of(&mut self.program, &JavaType::Boolean);
                (format!("is {}", name(self, *class)), vec![number("class")], Some((truth, Type::Int(1))))
            }
            Key::Runs(class, method, descriptor) => {
                let truth = self.types.of(&mut self.program, &JavaType::Boolean);
                let shown = format!("runs {}.{method}{descriptor}", name(self, *class));
                (shown, vec![number("class")], Some((truth, Type::Int(1))))
            }
            Key::Clone => ("clone".to_owned(), vec![("from".to_owned(), any.0, any.1)], Some(any)),
            Key::NewArrayOf => ("new array".to_owned(), vec![number("class"), number("length")], Some(any)),
            Key::IsArray => {
                let truth = self.types.of(&mut self.program, &JavaType::Boolean);
                ("is array".to_owned(), vec![number("class")], Some((truth, Type::Int(1))))
            }
            Key::Related => {
                let truth = self.types.of(&mut self.program, &JavaType::Boolean);
                ("is subtype".to_owned(), vec![number("class"), number("of")], Some((truth, Type::Int(1))))
            }
            Key::NameOf(naming) => (format!("{naming:?} name"), vec![number("class")], Some(any)),
            Key::IsOf(kind) => {
                let truth = self.types.of(&mut self.program, &JavaType::Boolean);
                (format!("is {kind:?}"), vec![number("class")], Some((truth, Type::Int(1))))
            }
            Key::ArrayCopy => {
                let reference = |name: &str| (name.to_owned(), any.0, any.1);
                let params =
                    vec![reference("from"), number("from_at"), reference("to"), number("to_at"), number("count")];
                ("arraycopy".to_owned(), params, None)
            }
        }
    }

    /// Parameters and result of a method.
    #[expect(clippy::type_complexity, reason = "it is taken apart at once")]
    fn signature(
        &mut self,
        class: ClassId,
        descriptor: &str,
        has_receiver: bool,
    ) -> (Vec<(String, CTypeId, Type)>, Option<(CTypeId, Type)>) {
        let signature = Signature::parse(descriptor).expect("descriptors of loaded classes were parsed");
        let receiver = JavaType::of_class_constant(&self.world.get(class).class.name);
        let mut params = Vec::new();
        if has_receiver {
            params.push(("this".to_owned(), self.types.of(&mut self.program, &receiver), Type::Pointer));
        }
        for (position, ty) in signature.params.iter().enumerate() {
            params.push((format!("arg{position}"), self.types.of(&mut self.program, ty), Kind::of(ty).ty()));
        }
        let returns = signature.returns.map(|ty| (self.types.of(&mut self.program, &ty), Kind::of(&ty).ty()));
        (params, returns)
    }

    /// Where a field lies in its objects.
    pub(crate) fn offset(&mut self, class: ClassId, name: &str) -> u64 {
        let next = &mut self.next_offset;
        *self.offsets.entry((class, name.to_owned())).or_insert_with(|| {
            *next += 8;
            *next - 8
        })
    }

    /// The variable of a static field.
    pub(crate) fn static_field(&mut self, class: ClassId, name: &str) -> Lower<GlobalId> {
        if let Some(known) = self.statics.get(&(class, name.to_owned())) {
            return Ok(*known);
        }
        let data = &self.world.get(class).class;
        let field = data.fields.iter().find(|field| field.name == name).ok_or("a field that is missing")?.clone();
        let shown = format!("{}.{name}", data.name.replace('/', "."));
        let ty = self.types.of(&mut self.program, &field.ty);
        let mut global = variable(&shown, ty, field.ty.bytes());
        match &field.constant {
            Some(Constant::Text(text)) => {
                let symbol = Symbol::Global(self.string(text)?);
                global.relocations.push(Relocation { offset: 0, symbol, addend: 0 });
            }
            Some(constant) => global.init = Some(constant_bytes(constant, field.ty.bytes())),
            None if shown == "java.lang.String.COMPACT_STRINGS" => global.init = Some(vec![1]),
            None => {}
        }
        let id = self.program.globals.push(global);
        self.statics.insert((class, name.to_owned()), id);
        Ok(id)
    }

    /// The object of a string constant: Latin-1 where all characters fit, as the JDK stores them.
    pub(crate) fn string(&mut self, text: &[u16]) -> Lower<GlobalId> {
        if let Some(known) = self.strings.get(text) {
            return Ok(*known);
        }
        let class = self.world.load("java/lang/String")?;
        let array = self.world.load("[B")?;
        self.instantiated.insert(class);
        let is_latin = text.iter().all(|unit| *unit < 256);
        let bytes: Vec<u8> = if is_latin {
            text.iter().map(|unit| *unit as u8).collect()
        } else {
            text.iter().flat_map(|unit| unit.to_le_bytes()).collect()
        };
        let [value_at, coder_at] = ["value", "coder"].map(|name| self.offset(class, name));
        let byte_array = JavaType::Array(Box::new(JavaType::Byte));
        let (_, array_type) = self.types.record(&mut self.program, &byte_array.class_name());
        let (_, string_type) = self.types.record(&mut self.program, "java/lang/String");
        let number = self.strings.len();
        let mut value = variable(&format!("clew.string.{number}.value"), array_type, HEADER_BYTES + bytes.len() as u64);
        value.init = Some([&array.0.to_le_bytes()[..], &(bytes.len() as u32).to_le_bytes(), &bytes].concat());
        let value = self.program.globals.push(value);
        let mut string = variable(&format!("clew.string.{number}"), string_type, value_at.max(coder_at) + 8);
        let mut init = vec![0; (value_at.max(coder_at) + 8) as usize];
        init[CLASS_AT as usize..LENGTH_AT as usize].copy_from_slice(&class.0.to_le_bytes());
        init[coder_at as usize] = u8::from(!is_latin);
        string.init = Some(init);
        string.relocations.push(Relocation { offset: value_at, symbol: Symbol::Global(value), addend: 0 });
        let id = self.program.globals.push(string);
        self.strings.insert(text.to_vec(), id);
        Ok(id)
    }
}

fn constant_bytes(constant: &Constant, bytes: u64) -> Vec<u8> {
    let value = match constant {
        Constant::Int(value) => *value as u32 as u64,
        Constant::Long(value) => *value as u64,
        Constant::Float(bits) => u64::from(*bits),
        Constant::Double(bits) => *bits,
        Constant::Text(_) => 0,
    };
    value.to_le_bytes()[..bytes as usize].to_vec()
}

/// A variable that belongs to the program alone: it is no input.
fn variable(name: &str, ty: CTypeId, size: u64) -> Global {
    Global {
        name: name.to_owned(),
        linkage: Linkage::Internal,
        ty,
        size,
        align: 8,
        kind: GlobalKind::Variable,
        is_const: false,
        is_volatile: false,
        address: None,
        init: Some(Vec::new()),
        relocations: Vec::new(),
        span: Span::NONE,
    }
}
