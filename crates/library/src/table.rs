//! The rows, by header or family.

mod ctype;
mod environment;
mod math;
mod memory;
mod stdio;
mod stdlib;
mod string;
mod system;
mod time;
mod wide;

use crate::Function;

/// All rows.
pub(crate) const ROWS: &[&[Function]] = &[
    ctype::ROWS,
    environment::ROWS,
    math::ROWS,
    memory::ROWS,
    stdio::ROWS,
    stdlib::ROWS,
    string::ROWS,
    system::ROWS,
    time::ROWS,
    wide::ROWS,
];
