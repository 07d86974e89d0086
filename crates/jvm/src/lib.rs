//! Methods of Java under test.
//!
//! [`heap`] reads an input of the engine as objects of Java. [`machine`] is a JVM that runs tests, one after the other;
//! [`replay`] has it execute inputs and compares what happens with what the interpreter of the intermediate form says.
//! [`junit`] writes tests as code, [`describe`] an input as a line.

pub mod describe;
pub mod heap;
pub mod junit;
pub mod machine;
pub mod replay;
pub mod statics;
mod text;

pub use heap::{Heap, Made, Value};
pub use machine::{Java, JavaError, Machine};
pub use replay::{Ending, Observed, Replay};
