//! Tests of the operators, each family against an oracle of its own.

mod directed;
mod exact;
mod integers;
mod random;
mod small_floats;
mod text;
mod values;
