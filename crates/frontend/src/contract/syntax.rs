//! Contracts as they are written: trees without types, names not yet looked up.
//!
//! ACSL writes predicates and terms with the same operators, so there is one kind of expression; what it is, its use
//! decides ([`super::resolve`]). Ranges are byte offsets into the text the contract stands in.

use clew_ir::contract::{AssertionKind, CompareOp, Quantifier};
use std::ops::Range;

/// A byte range of the text.
pub(crate) type At = Range<u32>;

/// Why something was not understood, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) at: At,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Problem {
    pub(crate) fn new(at: &At, message: impl Into<String>) -> Problem {
        Problem { at: at.clone(), message: message.into(), help: None }
    }

    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }
}

/// A term or a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expr {
    pub(crate) kind: Box<ExprKind>,
    pub(crate) at: At,
}

impl Expr {
    pub(crate) fn new(at: At, kind: ExprKind) -> Expr {
        Expr { kind: Box::new(kind), at }
    }
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExprKind {
    Integer(i128),
    Real {
        digits: String,
        /// `f` or `l`, in lower case.
        suffix: Option<char>,
    },
    /// A name, or a built-in without arguments with its backslash.
    Name(String),
    Call {
        name: String,
        labels: Vec<String>,
        args: Vec<Expr>,
    },
    Unary(Unary, Expr),
    Binary(Binary, Expr, Expr),
    /// `a <= b < c`
    Chain(Expr, Vec<(CompareOp, Expr)>),
    Conditional(Expr, Expr, Expr),
    Index(Expr, Expr),
    /// `a[*]`, in domains only.
    EveryIndex(Expr),
    Member(Expr, String),
    Arrow(Expr, String),
    Cast(TypeName, Expr),
    SizeofType(TypeName),
    SizeofExpr(Expr),
    Range(Option<Expr>, Option<Expr>),
    Quantified(Quantifier, Vec<Declared>, Expr),
    Let(String, Expr, Expr),
    Lambda(Declared, Expr),
    /// `name: predicate`
    Named(String, Expr),
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Neg,
    Plus,
    BitNot,
    Not,
    Deref,
    Address,
}

/// Operators of two operands, comparisons excepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
    Xor,
    Implies,
    Iff,
}

/// A type as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypeName {
    pub(crate) base: TypeBase,
    /// How many `*` (or `[]`) follow.
    pub(crate) pointers: u32,
    pub(crate) at: At,
}

/// A type without its derivations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TypeBase {
    Integer,
    Real,
    Boolean,
    /// C's type words, sorted: `int long unsigned`.
    Words(Vec<String>),
    Struct(String),
    Union(String),
    Enum(String),
    Named(String),
}

/// A declared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) ty: TypeName,
}

/// One clause of an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    pub(crate) kind: ClauseKind,
    pub(crate) at: At,
}

/// What a clause says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ClauseKind {
    Requires(Expr),
    Ensures(Expr),
    Assumes(Expr),
    Assigns(Vec<Assigned>),
    /// Begins a behavior.
    Behavior(String),
    Complete(Vec<String>),
    Disjoint(Vec<String>),
    Assertion {
        kind: AssertionKind,
        behaviors: Vec<String>,
        predicate: Expr,
    },
    LoopInvariant(Expr),
    LoopAssigns(Vec<Assigned>),
    LoopVariant(Expr),
    Define(Definition),
    /// A relation between calls, which is read elsewhere.
    Relational,
    /// Right ACSL that is not handled, by its first word.
    Unsupported(String),
    /// Not ACSL, by its first word.
    Unknown(String),
    /// A clause that could not be read.
    Broken {
        word: String,
        problem: Problem,
    },
}

/// A place in an `assigns` clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assigned {
    pub(crate) place: Expr,
    pub(crate) from: Option<Vec<Expr>>,
}

/// A named predicate or logic function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) labels: Vec<String>,
    pub(crate) params: Vec<Declared>,
    /// What it gives; `None` for a predicate.
    pub(crate) result: Option<TypeName>,
    pub(crate) body: Expr,
}
