//! One input becomes one observation.

pub mod input;
pub mod observation;

pub use input::{Content, Input, InputObject, PointerTarget, StoredPointer, StubCall};
pub use observation::{Ending, Event, Observation};
