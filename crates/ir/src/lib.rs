//! A program as data.
//!
//! A [`Program`] holds C types with their layout, global variables and functions. A [`Function`] is typed three-address
//! code in basic blocks, together with what testing needs to know of its source: [`Condition`]s, [`Decision`]s,
//! [`Loop`]s and numbered [`Check`]s for undefined behaviour, each with its [`Span`].
//!
//! Everything is plain data addressed by typed indices ([`Id`] into [`Arena`]); there are no references between the
//! parts. Temporaries are assigned once on every path; C variables are memory objects (locals and globals) reached by
//! loads and stores.
//!
//! Architecture invariant: this crate knows neither C syntax nor any engine. Arithmetic is named by `scalar`'s
//! operators and never computed here.

pub mod arena;
pub mod build;
pub mod contract;
pub mod ctype;
pub mod expr;
pub mod function;
pub mod inst;
pub mod lazy;
pub mod program;
pub mod source;
pub mod text;
pub mod verify;

pub use arena::{Arena, Id};
pub use contract::Contract;
pub use ctype::{BitField, CType, CTypeId, CTypes, Field, FloatKind, Record, RecordId};
pub use expr::Expr;
pub use function::liveness::Liveness;
pub use function::mention::Mentions;
pub use function::{
    Block, BlockId, Check, CheckId, CheckKind, Condition, ConditionId, Decision, DecisionId, DecisionKind, Formula,
    Function, FunctionId, Linkage, Local, LocalId, LocalKind, Loop, LoopId, LoopKind, Param, ParamKind, Temp, TempId,
};
pub use inst::{Callee, Case, ENTRY, Inst, InstKind, Operand, Terminator, TerminatorKind, Type};
pub use lazy::Lazy;
pub use program::{CALLBACK, Global, GlobalId, GlobalKind, OPEN_BYTES, Program, Relocation, Symbol, Target};
pub use source::{Location, Macros, Marker, Sources, Span, Unit, UnitId, written};
