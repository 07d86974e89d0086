//! What a row says of a function of the C library.
//!
//! Arguments are counted from zero. A row begins without any effect ([`Function::new`]); the methods that follow add what
//! the function does, requires and returns, so that a row reads like a sentence.

use crate::format::Family;
use crate::math::Math;

/// A function of the C library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Function {
    /// The name in the standard.
    pub name: &'static str,
    /// Other names with the same meaning and the same first arguments.
    pub aliases: &'static [&'static str],
    /// Endings of the variants for other types than `double`: `f` for `float`, `l` for `long double`.
    pub variants: &'static [&'static str],
    /// The header that declares it.
    pub header: &'static str,
    /// How symbolic execution runs it.
    pub how: How,
    /// What it changes.
    pub effects: Effects,
    /// What it may return.
    pub returned: Returned,
    /// What it requires of its arguments.
    pub requires: &'static [Requirement],
    /// The argument that is a format, and of which family.
    pub format: Option<(u8, Family)>,
}

/// How symbolic execution runs a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How {
    /// By its model in C, like a function of the program.
    Model,
    /// By the engine itself.
    Engine(Operation),
    /// It only writes to the standard output: it runs for real, and does not influence the path.
    Output,
    /// Its results are inputs: tests have a mock.
    Mock,
}

/// What the engine does itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    /// A new object of so many bytes.
    Malloc,
    /// A new object of so many elements, filled with zeros.
    Calloc,
    /// A new object with the contents of an old one, which ends.
    Realloc,
    /// The end of an object.
    Free,
    /// A copy of bytes that do not overlap.
    CopyBytes,
    /// A copy of bytes that may overlap.
    MoveBytes,
    /// Bytes set to one value.
    FillBytes,
    /// The end of the program by a signal.
    Abort,
    /// The end of the program with a status.
    Exit,
    /// The absolute value of an integer.
    Absolute,
    /// A function of math.h.
    Math(Math),
}

/// What a function changes besides its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effects {
    /// Memory that it writes.
    pub writes: &'static [Write],
    /// Whether it may set `errno`.
    pub sets_errno: bool,
    /// Whether its result is a new object of the heap.
    pub allocates: bool,
    /// The argument whose object it ends.
    pub frees: Option<u8>,
    /// Whether it keeps a pointer that it is given.
    pub keeps: bool,
    /// Whether it calls a function that it is given.
    pub calls_back: bool,
    /// Whether it never returns.
    pub ends: bool,
    /// Whether its result depends on more than its arguments and the memory behind them, such as files, time, or earlier
    /// calls.
    pub has_state: bool,
}

/// The arguments after the declared ones, taken together.
pub const FURTHER: u8 = u8::MAX;

/// Memory that a function writes: behind an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write(pub u8, pub Size);

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// A constant.
    Fixed(u32),
    /// The value of an argument.
    Argument(u8),
    /// The product of two arguments.
    Product(u8, u8),
    /// The size of what the argument points to by its type.
    Target,
    /// As many as the function needs.
    Unknown,
}

/// What a function requires of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// The argument points to something.
    NotNull(u8),
    /// The argument points to characters that a null character ends.
    Text(u8),
    /// So many bytes can be read behind the argument.
    Readable(u8, Size),
    /// So many bytes can be written behind the argument.
    Writable(u8, Size),
    /// What two arguments point to does not overlap.
    Disjoint(u8, u8),
    /// The argument points to an object of the heap, or is null.
    Heap(u8),
    /// The argument has a defined result: not the least integer for an absolute value, not zero for a divisor.
    InDomain(u8),
}

/// What a function may return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    /// Any value of its type.
    Any,
    /// Nothing.
    Nothing,
    /// An integer in a range.
    Range(i64, i64),
    /// An integer from zero to the value of the argument.
    UpTo(u8),
    /// The argument itself.
    Argument(u8),
    /// The argument itself, or null.
    ArgumentOrNull(u8),
    /// A pointer into the object that the argument points into.
    Into(u8),
    /// Such a pointer, or null.
    IntoOrNull(u8),
    /// A pointer to an object of its own.
    Object,
    /// A pointer to an object of its own, or null.
    ObjectOrNull,
}

/// What is wrong where the requirements of a function are not met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// An access that memory does not allow.
    Access,
    /// An integer that is too large.
    Overflow,
    /// A division by zero.
    Division,
}

impl Function {
    /// A function without effects or requirements, of which the engine knows nothing but this.
    pub(crate) const fn new(name: &'static str, header: &'static str) -> Function {
        let effects = Effects {
            writes: &[],
            sets_errno: false,
            allocates: false,
            frees: None,
            keeps: false,
            calls_back: false,
            ends: false,
            has_state: false,
        };
        Function {
            name,
            aliases: &[],
            variants: &[],
            header,
            how: How::Mock,
            effects,
            returned: Returned::Any,
            requires: &[],
            format: None,
        }
    }

    pub(crate) const fn also(mut self, aliases: &'static [&'static str]) -> Function {
        self.aliases = aliases;
        self
    }

    pub(crate) const fn variants(mut self, variants: &'static [&'static str]) -> Function {
        self.variants = variants;
        self
    }

    pub(crate) const fn model(mut self) -> Function {
        self.how = How::Model;
        self
    }

    pub(crate) const fn engine(mut self, operation: Operation) -> Function {
        self.how = How::Engine(operation);
        self
    }

    pub(crate) const fn output(mut self) -> Function {
        self.how = How::Output;
        self.effects.has_state = true;
        self
    }

    pub(crate) const fn format(mut self, argument: u8, family: Family) -> Function {
        self.format = Some((argument, family));
        self
    }

    pub(crate) const fn writes(mut self, writes: &'static [Write]) -> Function {
        self.effects.writes = writes;
        self
    }

    pub(crate) const fn sets_errno(mut self) -> Function {
        self.effects.sets_errno = true;
        self
    }

    pub(crate) const fn allocates(mut self) -> Function {
        self.effects.allocates = true;
        self
    }

    pub(crate) const fn frees(mut self, argument: u8) -> Function {
        self.effects.frees = Some(argument);
        self
    }

    pub(crate) const fn keeps(mut self) -> Function {
        self.effects.keeps = true;
        self
    }

    pub(crate) const fn calls_back(mut self) -> Function {
        self.effects.calls_back = true;
        self
    }

    pub(crate) const fn ends(mut self) -> Function {
        self.effects.ends = true;
        self
    }

    pub(crate) const fn has_state(mut self) -> Function {
        self.effects.has_state = true;
        self
    }

    pub(crate) const fn returns(mut self, returned: Returned) -> Function {
        self.returned = returned;
        self
    }

    pub(crate) const fn requires(mut self, requires: &'static [Requirement]) -> Function {
        self.requires = requires;
        self
    }

    /// All names of the function.
    pub fn names(&self) -> Vec<String> {
        let plain = std::iter::once(&self.name).chain(self.aliases);
        let endings = || std::iter::once(&"").chain(self.variants);
        plain.flat_map(|name| endings().map(move |ending| format!("{name}{ending}"))).collect()
    }

    /// Whether the engine or a model computes the function, so that tests call the real one.
    pub fn is_known(&self) -> bool {
        matches!(self.how, How::Engine(_) | How::Model)
    }

    /// What the engine does to run it.
    pub fn operation(&self) -> Option<Operation> {
        match self.how {
            How::Engine(operation) => Some(operation),
            How::Model | How::Output | How::Mock => None,
        }
    }

    /// Whether its result may be null.
    pub fn may_return_null(&self) -> bool {
        matches!(self.returned, Returned::ArgumentOrNull(_) | Returned::IntoOrNull(_) | Returned::ObjectOrNull)
    }

    /// Whether it jumps, or is a place to which others jump.
    pub fn is_jump(&self) -> bool {
        self.header == "setjmp.h"
    }

    /// Whether it changes nothing that the program can name, but for `errno`.
    pub fn changes_nothing(&self) -> bool {
        let Effects { writes, keeps, calls_back, .. } = self.effects;
        writes.is_empty() && !keeps && !calls_back
    }

    /// What is undefined where its requirements are not met; `None` if it has none.
    pub fn undefined(&self) -> Option<Undefined> {
        let first = self.requires.first()?;
        Some(match (first, self.how) {
            (Requirement::InDomain(_), How::Engine(Operation::Absolute)) => Undefined::Overflow,
            (Requirement::InDomain(_), _) => Undefined::Division,
            _ => Undefined::Access,
        })
    }
}
