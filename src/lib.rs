//! What the tool writes, apart from its command line.

pub mod emit;
