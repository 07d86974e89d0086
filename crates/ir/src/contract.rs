//! Contracts as data: what a function demands and promises.
//!
//! The language is that of ACSL (Baudin et al., "ACSL: ANSI/ISO C Specification Language", version 1.20), restricted to
//! what can be checked on one execution: predicates over C values, logic integers and reals, with bounded quantifiers.
//! Everything is resolved: names became parameters, variables or constants, members became field numbers, defined
//! predicates and logic functions were replaced by their meaning, and every implicit conversion is a node. Terms are
//! trees without sharing; a [`Variable`] is bound once in the clause it occurs in.
//!
//! Meaning of the sorts: [`Sort::Integer`] is unbounded, [`Sort::Real`] exact, [`Sort::C`] a value of a C type.
//! Arithmetic is done on integers and reals only; a C value takes part through [`TermKind::Convert`], and comes back
//! through [`TermKind::Cast`], which wraps as C casts do. Pointers are C values; they move by [`TermKind::Offset`].
//!
//! [`mod@print`] writes contracts back as ACSL. Nothing here evaluates them.

use crate::ctype::CTypeId;
use crate::function::{LocalId, LoopId};
use crate::inst::Operand;
use crate::program::GlobalId;
use crate::source::Span;

pub mod print;
pub mod rewrite;
pub mod visit;

/// What a function demands and promises, and what holds inside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    /// What holds at every call.
    pub requires: Vec<Clause>,
    /// What holds at every return.
    pub ensures: Vec<Clause>,
    /// What may change; `None` if nothing is said.
    pub assigns: Option<Assigns>,
    /// Cases of the contract.
    pub behaviors: Vec<Behavior>,
    /// Sets of behaviors of which at least one applies.
    pub complete: Vec<BehaviorSet>,
    /// Sets of behaviors of which at most one applies.
    pub disjoint: Vec<BehaviorSet>,
    /// Assertions between statements.
    pub assertions: Vec<Assertion>,
    /// What is said of loops.
    pub loops: Vec<LoopContract>,
    /// Clauses that could not be taken in; each also gave a diagnostic.
    pub rejected: Vec<Rejected>,
}

impl Contract {
    /// Whether nothing is said at all.
    pub fn is_empty(&self) -> bool {
        *self == Contract::default()
    }
}

/// A predicate as it stands in a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The name before the colon, if it has one.
    pub name: Option<String>,
    /// What must hold.
    pub predicate: Predicate,
    /// The clause in the source; [`Span::NONE`] if it came from an option.
    pub span: Span,
}

/// A named case of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Behavior {
    /// Its name.
    pub name: String,
    /// When it applies, in the state of the call.
    pub assumes: Vec<Clause>,
    /// What then holds at the call.
    pub requires: Vec<Clause>,
    /// What then holds at the return.
    pub ensures: Vec<Clause>,
    /// What then may change.
    pub assigns: Option<Assigns>,
}

/// A `complete behaviors` or `disjoint behaviors` clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BehaviorSet {
    /// The names, all of them spelled out.
    pub names: Vec<String>,
    /// The clause.
    pub span: Span,
}

/// What may change. An empty list is `\nothing`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigns {
    /// The places.
    pub places: Vec<Assigned>,
    /// The clause.
    pub span: Span,
}

/// A place that may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// The place; a [`TermKind::Range`] inside makes it a set of places.
    pub place: Place,
    /// What the new value depends on (`\from`), if said.
    pub from: Option<Vec<Place>>,
}

/// A predicate that must hold where control passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// What kind of statement it is.
    pub kind: AssertionKind,
    /// What holds. Variables are read in the state at this place.
    pub clause: Clause,
    /// Behaviors it is restricted to; empty for all.
    pub behaviors: Vec<String>,
    /// The whole comment; the assertion is evaluated where control passes it.
    pub span: Span,
}

/// What an assertion does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssertionKind {
    /// `assert`: checked, then known.
    Assert,
    /// `check`: checked only.
    Check,
    /// `admit`: known without being checked.
    Admit,
}

/// What is said of one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopContract {
    /// The loop.
    pub target: LoopId,
    /// What holds whenever control comes to the loop's head.
    pub invariants: Vec<Clause>,
    /// What its turns may change.
    pub assigns: Option<Assigns>,
    /// What decreases with each turn while it is not negative.
    pub variant: Option<Variant>,
    /// The comment.
    pub span: Span,
}

/// A measure that decreases with each turn of a loop and is not negative when the turn begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// What decreases.
    pub term: Term,
    /// What it was when the turn began, by copies of variables that are made there; or why that is not known.
    pub before: Result<Term, String>,
}

/// A clause that could not be taken in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The word it begins with, such as `requires`.
    pub clause: String,
    /// What is the matter with it.
    pub reason: String,
    /// Where it stands.
    pub span: Span,
}

/// A statement about values and memory.
#[expect(missing_docs, reason = "each variant's doc is a formula over its fields")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// `\true`, `\false`
    Const(bool),
    /// `a op b`; both terms have one sort, [`Sort::Integer`], [`Sort::Real`] or pointers.
    Compare { op: CompareOp, a: Term, b: Term },
    /// IEEE comparison of two C floats of one type (`\eq_float`, `\lt_double`, ...): false on NaN, but for `Ne`.
    CompareFloat { op: CompareOp, a: Term, b: Term },
    /// What a C float is.
    Class { class: FloatClass, a: Term },
    /// `!a`
    Not(Box<Predicate>),
    /// All hold; the empty conjunction is true.
    And(Vec<Predicate>),
    /// One holds; the empty disjunction is false.
    Or(Vec<Predicate>),
    /// Exactly one of two holds (`^^`).
    Xor(Box<Predicate>, Box<Predicate>),
    /// `a ==> b`
    Implies(Box<Predicate>, Box<Predicate>),
    /// `a <==> b`
    Iff(Box<Predicate>, Box<Predicate>),
    /// `condition ? then : otherwise`
    If { condition: Box<Predicate>, then: Box<Predicate>, otherwise: Box<Predicate> },
    /// For all, or for some, values of the binders the body holds.
    Quantified { quantifier: Quantifier, binders: Vec<Binder>, body: Box<Predicate> },
    /// `\let variable = value; body`
    Let { variable: Variable, value: Box<Term>, body: Box<Predicate> },
    /// The predicate in another state (`\at`, `\old`).
    At(Box<Predicate>, Label),
    /// Whether what the pointers point to may be accessed; a [`TermKind::Range`] inside makes it a set of pointers.
    Memory { access: Access, pointer: Term },
    /// Whether the places the pointers point to are pairwise disjoint.
    Separated(Vec<Term>),
}

/// For all or for some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `\forall`
    ForAll,
    /// `\exists`
    Exists,
}

/// What `\valid` and its kin ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// May be read and written (`\valid`).
    Write,
    /// May be read (`\valid_read`).
    Read,
    /// Was written (`\initialized`).
    Initialized,
    /// Is the beginning of a heap object (`\freeable`).
    Freeable,
    /// Did not exist in the state of the call (`\fresh`).
    Fresh,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

/// A class of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatClass {
    /// Neither infinite nor NaN.
    Finite,
    /// Infinite.
    Infinite,
    /// Not a number.
    Nan,
}

/// A variable of a quantifier, with the range its guard allows.
///
/// For `\forall i; low <= i <= high ==> p` and `\exists i; low <= i <= high && p` the bounds are those of the guard:
/// outside of them the body is true, respectively false, whatever `p` says. The body still holds the guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    /// The variable.
    pub variable: Variable,
    /// Least value that matters, an integer; `None` if the guard gives none.
    pub low: Option<Term>,
    /// Greatest value that matters.
    pub high: Option<Term>,
}

/// A variable of the logic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its number, unique in the clause.
    pub number: u32,
    /// Its name in the source.
    pub name: String,
    /// What it ranges over.
    pub sort: Sort,
}

/// The state a term is read in.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// Where the clause stands.
    Here,
    /// At the call of the function (`\old` in `ensures`, `Pre` anywhere).
    Pre,
    /// At the return of the function.
    Post,
    /// Where control last came to the loop from outside.
    LoopEntry,
    /// At the beginning of the current turn.
    LoopCurrent,
    /// Before `main`.
    Init,
    /// At a label of the C program.
    C(String),
}

/// What a term denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A mathematical integer.
    Integer,
    /// A mathematical real.
    Real,
    /// A value of a C type.
    C(CTypeId),
}

/// A value of the logic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Its sort.
    pub sort: Sort,
}

/// What a term is.
#[expect(missing_docs, reason = "each variant's doc is a formula over its fields")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// An integer constant.
    Integer(i128),
    /// A real constant by its decimal or hexadecimal digits, without suffix.
    Real(String),
    /// A variable of the logic.
    Variable(Variable),
    /// The value a place holds.
    Value(Place),
    /// The address of a place; for an array that decays, of its first element.
    Address(Place),
    /// The null pointer.
    Null,
    /// A C integer as an integer, a C float or an integer as a real: exact, never changes the value.
    Convert(Box<Term>),
    /// A C cast to the term's sort; from logic sorts too.
    Cast(Box<Term>),
    /// `op a` on integers, or on reals for `Neg`.
    Unary(UnaryOp, Box<Term>),
    /// `a op b` on integers, or on reals for the first four.
    Binary(BinaryOp, Box<Term>, Box<Term>),
    /// A pointer moved by an integer number of elements.
    Offset(Box<Term>, Box<Term>),
    /// Elements between two pointers, an integer.
    Distance(Box<Term>, Box<Term>),
    /// All integers from `low` to `high`, both included, or without bound: the term it occurs in denotes a set.
    Range { low: Option<Box<Term>>, high: Option<Box<Term>> },
    /// `condition ? then : otherwise`
    If { condition: Box<Predicate>, then: Box<Term>, otherwise: Box<Term> },
    /// 1 if the predicate holds, else 0.
    Truth(Box<Predicate>),
    /// `\let variable = value; body`
    Let { variable: Variable, value: Box<Term>, body: Box<Term> },
    /// The term in another state (`\at`, `\old`).
    At(Box<Term>, Label),
    /// A function of the logic.
    Call(Builtin, Vec<Term>),
    /// The values of `body` for `variable` from `low` to `high`, put together.
    Fold { fold: Fold, variable: Variable, low: Box<Term>, high: Box<Term>, body: Box<Term> },
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `~` on an unbounded two's complement integer: `-a - 1`
    BitNot,
}

/// Operators of two operands. Integers are unbounded two's complement for the bitwise ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, truncated toward zero on integers
    Div,
    /// `%`, with the sign of the dividend
    Rem,
    /// `<<`
    Shl,
    /// `>>`, rounding toward minus infinity
    Shr,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
}

/// Functions of the logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `\abs`
    Abs,
    /// `\min`
    Min,
    /// `\max`
    Max,
    /// `\sqrt` of a real
    Sqrt,
    /// `\pow` of reals
    Pow,
    /// `\block_length`: bytes of the object a pointer points into
    BlockLength,
    /// `\offset`: bytes between the beginning of that object and the pointer
    OffsetInBlock,
    /// How many elements of its type lie between a pointer and the end of its object; none behind a pointer of the input
    /// that nothing has looked behind yet. Domains are made of it; ACSL has no word for it.
    Elements,
    /// `\base_addr`: the beginning of that object, a pointer to `char`
    BaseAddress,
}

/// Ways to put values together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// `\sum`
    Sum,
    /// `\product`
    Product,
    /// `\numof`: how many are true
    Count,
    /// `\min`
    Min,
    /// `\max`
    Max,
}

/// A place in memory with the C type of what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which place.
    pub kind: PlaceKind,
    /// What it holds.
    pub ty: CTypeId,
}

/// Which place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// A parameter of the function, by its index in [`crate::Function::params`]. It holds the argument, in every state.
    Param(u32),
    /// A variable of the function (in assertions and loops), parameters included.
    Local(LocalId),
    /// A global variable.
    Global(GlobalId),
    /// What the function returns.
    Result,
    /// What an instruction of the function is given, where control stands before that instruction. The front end does not
    /// make it: it takes the place of a parameter where the contract of a callee is read at a call.
    Operand(Operand),
    /// What a pointer points to.
    Deref(Box<Term>),
    /// A member of a structure or union, by its index in [`crate::Record::fields`].
    Field(Box<Place>, u32),
    /// An element of an array.
    Index(Box<Place>, Box<Term>),
}

impl Term {
    /// An integer constant.
    pub fn integer(value: i128) -> Term {
        Term { kind: TermKind::Integer(value), sort: Sort::Integer }
    }

    /// For a pointer `base + (low .. high)`: its three parts.
    pub fn as_block(&self) -> Option<(&Term, Option<&Term>, Option<&Term>)> {
        let TermKind::Offset(base, offset) = &self.kind else { return None };
        let TermKind::Range { low, high } = &offset.kind else { return None };
        Some((base, low.as_deref(), high.as_deref()))
    }
}

impl CompareOp {
    /// The operator with its operands exchanged.
    pub fn flipped(self) -> CompareOp {
        match self {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
            CompareOp::Eq | CompareOp::Ne => self,
        }
    }

    /// The operator that holds when this one does not.
    pub fn negated(self) -> CompareOp {
        match self {
            CompareOp::Eq => CompareOp::Ne,
            CompareOp::Ne => CompareOp::Eq,
            CompareOp::Lt => CompareOp::Ge,
            CompareOp::Le => CompareOp::Gt,
            CompareOp::Gt => CompareOp::Le,
            CompareOp::Ge => CompareOp::Lt,
        }
    }
}
