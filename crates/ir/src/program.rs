//! A whole program: target, types, globals, functions, sources.

use crate::arena::{Arena, Id};
use crate::ctype::{CTypeId, CTypes};
use crate::function::{Function, FunctionId, Linkage};
use crate::source::{Sources, Span};
use std::collections::BTreeSet;

/// Index of a [`Global`].
pub type GlobalId = Id<Global>;

/// What names of functions begin with that function pointers of the input may lead to: one for each type, without a body.
pub const CALLBACK: &str = "clew_callback_";

/// Bytes, rounded down to whole elements, that an array is given which a program declares without its length and does not
/// define.
pub const OPEN_BYTES: u64 = 4096;

/// What the target machine settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// Width of pointers in bits: 16, 32 or 64.
    pub pointer_width: u8,
    /// Width of `int` in bits.
    pub int_width: u8,
    /// Width of `long` in bits.
    pub long_width: u8,
    /// Whether plain `char` is signed.
    pub char_signed: bool,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
}

impl Target {
    /// 64-bit Unix on x86-64.
    pub const LP64: Target =
        Target { pointer_width: 64, int_width: 32, long_width: 64, char_signed: true, big_endian: false };
    /// 32-bit Unix on x86.
    pub const ILP32: Target =
        Target { pointer_width: 32, int_width: 32, long_width: 32, char_signed: true, big_endian: false };

    /// Bytes of a pointer.
    pub const fn pointer_bytes(self) -> u64 {
        self.pointer_width as u64 / 8
    }
}

/// A C program: one or more translation units, linked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The machine.
    pub target: Target,
    /// C types.
    pub ctypes: CTypes,
    /// Variables with static storage, string literals included.
    pub globals: Arena<Global>,
    /// Functions, defined and declared.
    pub functions: Arena<Function>,
    /// The text everything stands in.
    pub sources: Sources,
    /// Functions that stand in for those of libraries: their branches are no part of paths, and native execution calls
    /// the real ones.
    pub models: BTreeSet<FunctionId>,
}

impl Program {
    /// A program without anything in it.
    pub fn new(target: Target) -> Program {
        Program {
            target,
            ctypes: CTypes::default(),
            globals: Arena::new(),
            functions: Arena::new(),
            sources: Sources::default(),
            models: BTreeSet::new(),
        }
    }

    /// Whether a function is declared by a header of the system: the C library has it.
    pub fn is_library(&self, function: FunctionId) -> bool {
        let place = self.sources.locate(self.functions[function].span);
        place.is_some_and(|place| place.file.starts_with("/usr/"))
    }

    /// What a call of a function does that is neither a call nor a return, if the function has no body: jumps between
    /// activations, and threads.
    pub fn beyond_calls(&self, function: FunctionId) -> Option<&'static str> {
        let function = &self.functions[function];
        if function.is_defined() {
            return None;
        }
        let name = function.name.trim_start_matches("__builtin_").trim_start_matches('_');
        match name {
            "setjmp" | "sigsetjmp" => Some("a place to jump back to"),
            "longjmp" | "siglongjmp" => Some("a jump out of a function"),
            "pthread_create" | "thrd_create" | "clone" => Some("a second thread"),
            "raise" => Some("a signal to the program itself"),
            "getcontext" | "setcontext" | "makecontext" | "swapcontext" => Some("a change of context"),
            _ => None,
        }
    }

    /// The text before a function's body, with what the declaration says of it; empty if it has no body.
    pub fn declaration(&self, function: FunctionId) -> &str {
        let Function { span, body, .. } = &self.functions[function];
        let Some(unit) = self.sources.units.get(span.unit).filter(|_| !body.is_none()) else { return "" };
        let before = &unit.text[..span.start as usize];
        let start = before.rfind([';', '}']).map_or(0, |last| last + 1);
        &unit.text[start..body.start as usize]
    }

    /// The function of that name; a defined one before a declared one.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        let mut named = self.functions.iter().filter(|(_, function)| function.name == name);
        let first = named.next()?;
        if first.1.is_defined() {
            return Some(first.0);
        }
        Some(named.find(|(_, function)| function.is_defined()).unwrap_or(first).0)
    }
}

/// A variable with static storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its name in C; for string literals a name the front end makes.
    pub name: String,
    /// Its linkage.
    pub linkage: Linkage,
    /// Its C type.
    pub ty: CTypeId,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// What it is.
    pub kind: GlobalKind,
    /// Whether it is `const`.
    pub is_const: bool,
    /// Whether it is `volatile`.
    pub is_volatile: bool,
    /// Where it lies, if the program says so by a number.
    pub address: Option<u64>,
    /// Initial bytes; a shorter vector is continued with zeros. `None` if only declared.
    pub init: Option<Vec<u8>>,
    /// Addresses stored over the initial bytes.
    pub relocations: Vec<Relocation>,
    /// Its declaration.
    pub span: Span,
}

impl Global {
    /// Whether it stands for `errno`, which is a macro: a variable of the library's models under that name.
    pub fn is_errno(&self) -> bool {
        self.span.is_none() && self.name == "errno"
    }
}

/// What a global is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GlobalKind {
    /// A variable at file scope.
    Variable,
    /// A `static` variable of a function.
    StaticLocal(FunctionId),
    /// A string literal.
    Literal,
}

/// An address in an initialiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Relocation {
    /// Where the address is stored, in bytes from the start.
    pub offset: u64,
    /// Whose address.
    pub symbol: Symbol,
    /// Bytes added to it.
    pub addend: i64,
}

/// Something with an address known before the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// A global.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
}
