//! Tests of the operators, each family against an oracle of its own.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod compiled;
mod directed;
mod exact;
mod integers;
mod random;
mod small_floats;
mod text;
mod values;
