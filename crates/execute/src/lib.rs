//! One input becomes one observation.
//!
//! The interpreter runs a program of the IR exactly as C runs: [`interpret`] runs `main`, a [`Machine`] calls any
//! function with given arguments and prepared memory, an [`Interpreter`] runs an [`Input`]. A run ends with an [`Outcome`]: what was returned, the exit status,
//! the check that failed (with the values and the call stack), the unsupported construct that was reached, or the limit
//! that was hit. An [`Observer`] sees branch outcomes, switch arms and blocks as they happen.
//!
//! The layers, from below: [`memory`] (objects and addresses), `code` (functions decoded into a compact form),
//! `machine` (activations and the loop over ops), `libc` (the C library, as far as programs that compute need it).
//!
//! Architecture invariant: arithmetic is `scalar`'s; nothing here computes an operator on its own.

pub mod blobs;
mod code;
pub mod input;
mod interpret;
mod interpreter;
mod io;
mod libc;
mod machine;
pub mod memory;
pub mod native;
pub mod observation;
mod observe;
mod outcome;
pub mod transcendental;
pub mod usage;
pub mod variadic;

pub use code::Image;
pub use input::{
    Content, EarlierCall, Extra, Input, InputObject, PointerTarget, RESIDUES, Reading, StoredPointer, StubCall,
    Unwritten,
};
pub use interpret::{Options, interpret};
pub use interpreter::{Interpreter, Refusal, Run};
pub use io::{Captured, Io, Stream};
pub use machine::Machine;
pub use observation::{Call, Ending, Event, Observation, Repeat, expanded};
pub use observe::{Observer, Silent};
pub use outcome::{CallSite, Checks, Detail, Failure, Limits, Outcome, Unsupported};
