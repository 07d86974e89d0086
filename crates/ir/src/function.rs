//! Functions: blocks, variables, and what testing needs to know of the source.

pub mod liveness;
pub mod mention;

use crate::arena::{Arena, Id};
use crate::contract::Contract;
use crate::ctype::CTypeId;
use crate::inst::{Inst, Terminator, TerminatorKind, Type};
use crate::lazy::Lazy;
use crate::source::Span;
use liveness::Liveness;
use mention::Mentions;

/// Index of a [`Function`].
pub type FunctionId = Id<Function>;
/// Index of a [`Block`].
pub type BlockId = Id<Block>;
/// Index of a [`Temp`].
pub type TempId = Id<Temp>;
/// Index of a [`Local`].
pub type LocalId = Id<Local>;
/// Index of a [`Condition`].
pub type ConditionId = Id<Condition>;
/// Index of a [`Decision`].
pub type DecisionId = Id<Decision>;
/// Index of a [`Loop`].
pub type LoopId = Id<Loop>;
/// Index of a [`Check`].
pub type CheckId = Id<Check>;

/// Whether a name is visible to other translation units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// Visible everywhere.
    External,
    /// `static`: visible in its unit only.
    Internal,
    /// Defined `inline` for calls in its unit only: the function itself is defined elsewhere, if at all.
    Inline,
}

/// A C function. Without blocks it is only declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name in C.
    pub name: String,
    /// Its linkage.
    pub linkage: Linkage,
    /// Its C type, always a function type.
    pub ty: CTypeId,
    /// What its calls give: nothing for `void` and for aggregates, which go through [`ParamKind::ReturnSlot`].
    pub returns: Option<Type>,
    /// What it is given, in order.
    pub params: Vec<Param>,
    /// Whether it takes further arguments.
    pub variadic: bool,
    /// Types of the temporaries.
    pub temps: Arena<Temp>,
    /// Its variables.
    pub locals: Arena<Local>,
    /// Its code; the first block is the entry.
    pub blocks: Arena<Block>,
    /// Atomic conditions, in source order.
    pub conditions: Arena<Condition>,
    /// Decisions, in source order.
    pub decisions: Arena<Decision>,
    /// Loops written as such (`while`, `do`, `for`), in source order.
    pub loops: Arena<Loop>,
    /// Checks for undefined behaviour.
    pub checks: Arena<Check>,
    /// What it demands and promises.
    pub contract: Contract,
    /// The whole definition, or the declaration.
    pub span: Span,
    /// The body's braces; [`Span::NONE`] if only declared.
    pub body: Span,
    /// What [`Function::mentions`] finds.
    pub(crate) mentions: Lazy<Mentions>,
    /// What [`Function::liveness`] finds.
    pub(crate) liveness: Lazy<Liveness>,
}

impl Function {
    /// A function without body, parameters or blocks.
    pub fn declare(name: impl Into<String>, ty: CTypeId) -> Function {
        Function {
            name: name.into(),
            linkage: Linkage::External,
            ty,
            returns: None,
            params: Vec::new(),
            variadic: false,
            temps: Arena::new(),
            locals: Arena::new(),
            blocks: Arena::new(),
            conditions: Arena::new(),
            decisions: Arena::new(),
            loops: Arena::new(),
            checks: Arena::new(),
            contract: Contract::default(),
            span: Span::NONE,
            body: Span::NONE,
            mentions: Lazy::default(),
            liveness: Lazy::default(),
        }
    }

    /// Whether the function has a body.
    pub fn is_defined(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// Makes a declaration of a definition; where the body stands is still known.
    pub fn leave_body_out(&mut self) {
        self.blocks = Arena::new();
        self.conditions = Arena::new();
        self.decisions = Arena::new();
        self.loops = Arena::new();
        self.checks = Arena::new();
        self.mentions = Lazy::default();
        self.liveness = Lazy::default();
    }

    /// Puts an instruction before the one at `position` of a block.
    pub fn insert(&mut self, block: BlockId, position: usize, inst: Inst) {
        self.blocks[block].insts.insert(position, inst);
        self.mentions = Lazy::default();
        self.liveness = Lazy::default();
    }

    /// Whether the source has a body for it that was left out.
    pub fn is_left_out(&self) -> bool {
        !self.is_defined() && !self.body.is_none()
    }
}

/// A temporary: assigned once on every path, before every use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Temp {
    /// Its type.
    pub ty: Type,
}

/// A parameter: a temporary that holds the argument on entry. The code stores it into the variable of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name in C, possibly empty.
    pub name: String,
    /// Its C type after adjustment.
    pub ty: CTypeId,
    /// Where the argument arrives.
    pub temp: TempId,
    /// How it is passed.
    pub kind: ParamKind,
}

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// As a scalar.
    Scalar,
    /// As the address of an object which the callee copies at once.
    Aggregate,
    /// As the address where the aggregate result goes.
    ReturnSlot,
}

/// A variable of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name in C; empty for objects the front end makes.
    pub name: String,
    /// Its C type.
    pub ty: CTypeId,
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// What it is.
    pub kind: LocalKind,
    /// Its declaration.
    pub span: Span,
}

/// What a local is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// Holds the parameter of that position in the C parameter list.
    Param(u32),
    /// Declared in the body.
    Variable,
    /// Made by the front end (compound literals, aggregate results, ...).
    Hidden,
}

/// A straight run of instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The instructions.
    pub insts: Vec<Inst>,
    /// Where control goes then.
    pub terminator: Terminator,
}

impl Block {
    /// A block that must still be filled.
    pub fn empty() -> Block {
        Block {
            insts: Vec::new(),
            terminator: Terminator { kind: TerminatorKind::Unreachable { check: None }, span: Span::NONE },
        }
    }
}

/// An atomic condition: an operand of `&&`, `||`, `!` or of a decision itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The decision it belongs to.
    pub decision: DecisionId,
    /// Its expression.
    pub span: Span,
}

/// A place where control depends on an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What statement or operator it belongs to.
    pub kind: DecisionKind,
    /// Its expression.
    pub span: Span,
    /// How its conditions combine; `None` for `switch`.
    pub formula: Option<Formula>,
}

/// What a decision belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DecisionKind {
    /// `if`
    If,
    /// `while`
    While,
    /// `do ... while`
    DoWhile,
    /// `for`
    For,
    /// `?:`
    Ternary,
    /// `&&`, `||` used for their value.
    Value,
    /// `switch`
    Switch,
}

/// The boolean structure of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A condition.
    Atom(ConditionId),
    /// `!a`
    Not(Box<Formula>),
    /// `a && b`
    And(Box<Formula>, Box<Formula>),
    /// `a || b`
    Or(Box<Formula>, Box<Formula>),
    /// A constant the front end folded.
    Const(bool),
}

/// A loop statement.
///
/// An iteration begins when control goes to `body`. Control comes to `head` once on entry from outside and once after
/// each iteration; for `do ... while` the head is the body's first block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// What statement it is.
    pub kind: LoopKind,
    /// What decides whether to go on; `None` where nothing does (`for (;;)`, constant conditions).
    pub decision: Option<DecisionId>,
    /// First block of the loop.
    pub head: BlockId,
    /// First block of the body.
    pub body: BlockId,
    /// The block that leads back to the head, and no other does: where `continue` goes, and for `do ... while` the one
    /// behind the decision.
    pub latch: BlockId,
    /// The block after the loop.
    pub exit: BlockId,
    /// The loop statement around it.
    pub parent: Option<LoopId>,
    /// The whole statement.
    pub span: Span,
}

/// What statement a loop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopKind {
    /// `while`
    While,
    /// `do ... while`
    DoWhile,
    /// `for`
    For,
}

/// Something C leaves undefined unless it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What must hold.
    pub kind: CheckKind,
    /// The expression concerned.
    pub span: Span,
}

/// What a check demands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CheckKind {
    /// The signed result is representable.
    Overflow,
    /// The divisor is not zero and the signed quotient is representable.
    Division,
    /// The shift amount is at least zero and less than the width.
    Shift,
    /// The accessed bytes lie in one live object and, for reads, were written.
    Access,
    /// The index is less than the declared number of elements.
    Index,
    /// The pointer stays within its object or one past its end.
    PointerArithmetic,
    /// Both pointers belong to one object.
    PointerDifference,
    /// The truncated float is representable in the integer type.
    FloatToInt,
    /// The pointer denotes a function of a compatible type.
    FunctionPointer,
    /// The number of elements of a variable-length array is positive.
    ArraySize,
    /// A variable argument of that type was passed.
    VariableArgument,
    /// Control does not come here.
    Unreachable,
    /// A result the caller uses was returned.
    MissingReturn,
    /// No variable is changed twice, or changed and read, by parts of an expression between which there is no order.
    Unsequenced,
    /// The bytes read are a value of their type: 0 or 1 for `_Bool`.
    Representation,
    /// What is allocated here is released or still known to the program when the function under test returns.
    Leak,
    /// The assertion of the contract that stands there holds. Its predicate is in the contract, by its span; the
    /// instruction marks where control passes it.
    Assertion,
}
