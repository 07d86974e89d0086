//! Tests of the operators, each family against an oracle of its own.

mod hardware;
mod random;
