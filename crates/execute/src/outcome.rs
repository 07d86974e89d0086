//! How a run ends.

mod describe;

use crate::memory::Fault;
use clew_ir::{CheckId, CheckKind, FunctionId, Span};
use clew_scalar::Value;

/// How a run ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The function returned, with its value unless it is `void` or an aggregate.
    Returned(Option<Value>),
    /// `main` returned or the program called `exit`.
    Exited(i32),
    /// The program called `abort`.
    Aborted,
    /// A check failed.
    Failed(Box<Failure>),
    /// The program reached something that is not supported.
    Unsupported(Box<Unsupported>),
    /// The program executed as many instructions as were allowed.
    StepLimit,
    /// The program asked for more memory than was allowed.
    MemoryLimit,
    /// Calls were nested more deeply than was allowed.
    DepthLimit,
}

/// A check that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The function it stands in.
    pub function: FunctionId,
    /// The check; `None` where the IR has none, because the front end thought nothing could fail.
    pub check: Option<CheckId>,
    /// What the check demands.
    pub kind: CheckKind,
    /// With which values it failed.
    pub detail: Detail,
    /// Where it stands.
    pub span: Span,
    /// The calls that led there, innermost first.
    pub stack: Vec<CallSite>,
}

/// A function being executed, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The function.
    pub function: FunctionId,
    /// The instruction that is being executed in it.
    pub span: Span,
}

/// With which values a check failed.
#[derive(Clone, Debug, PartialEq)]
pub enum Detail {
    /// Operands of an operator; the operator is spelled as in C.
    Operands {
        /// The operator.
        operator: &'static str,
        /// Its operands.
        operands: Vec<Value>,
    },
    /// A wrong access to memory.
    Access(Fault),
    /// A pointer that left its object.
    Moved {
        /// Where it pointed, and how large the object is.
        place: Option<crate::memory::ObjectRange>,
        /// By how many bytes it was to be moved.
        by: i64,
    },
    /// Pointers to different objects.
    Pointers(u64, u64),
    /// A pointer that denotes no function that could be called so.
    Callee {
        /// The address.
        address: u64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A library function was called with arguments it must not be given.
    Library {
        /// The function.
        name: String,
        /// What is wrong.
        reason: String,
        /// The access it would have made, if it is that.
        fault: Option<Fault>,
    },
    /// A size that is not positive, or too large.
    Size(u64),
    /// Nothing more to say.
    Plain,
}

/// Something reached that is not supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is.
    pub what: String,
    /// Where it stands.
    pub span: Span,
    /// The calls that led there, innermost first.
    pub stack: Vec<CallSite>,
}

/// How much a run may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions executed.
    pub steps: u64,
    /// Bytes of objects alive at a time.
    pub memory: u64,
    /// Calls nested in each other.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { steps: 1_000_000_000, memory: 1 << 30, depth: 200_000 }
    }
}

/// A set of kinds of checks. Reading what was never written is part of [`CheckKind::Access`] and can be left out alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks(u32);

/// The bit of reads of what was never written.
const UNINITIALISED: u32 = 31;
/// The bit of operators whose result nobody uses.
const UNUSED: u32 = 30;

impl Checks {
    /// Every check.
    pub const ALL: Checks = Checks(u32::MAX);

    /// What running a program looks at: not what compiled code gets away with, which is pointers that leave their object
    /// while nothing is accessed, floats that do not fit an integer, and operators whose result nobody uses.
    pub const RUN: Checks =
        Checks(Checks::ALL.without(CheckKind::PointerArithmetic).without(CheckKind::FloatToInt).0 & !(1 << UNUSED));

    /// All of these but one.
    #[must_use]
    pub const fn without(self, kind: CheckKind) -> Checks {
        Checks(self.0 & !(1 << kind as u32))
    }

    /// All of these, but what was never written may be read: it is zero.
    #[must_use]
    pub fn without_uninitialised(self) -> Checks {
        Checks(self.0 & !(1 << UNINITIALISED))
    }

    /// Whether operators whose result nobody uses are checked.
    pub fn unused(self) -> bool {
        self.0 >> UNUSED & 1 == 1
    }

    /// Whether reading what was never written fails.
    pub fn uninitialised(self) -> bool {
        self.0 >> UNINITIALISED & 1 == 1
    }

    /// Whether a kind belongs to the set. Accesses that touch no living object fail always.
    pub fn contains(self, kind: CheckKind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }
}
