//! The text form of a program: printed, read back, verified.
//!
//! One line per type, global, table entry and instruction; `;` starts a comment. Identifiers are a letter and the
//! position in the arena: `%` C types, `$` records, `g` globals, `f` functions, and inside a function `t` temporaries,
//! `l` locals, `b` blocks, `c` conditions, `d` decisions, `o` loops, `k` checks. A span is `@unit:start-end`.
//!
//! ```text
//! target pointer=64 int=32 long=64 char=signed endian=little
//! ctype %0 = int 32 signed "int"
//! ctype %1 = function %0 (%0)
//! function f0 "twice" external %1 -> i32 {
//!   param "x" %0 t0: i32 scalar
//!   check k0 overflow
//!   b0:
//!     t1: i32 = add t0, t0 !k0
//!     return t1
//! }
//! ```
//!
//! What is printed reads back to an equal program, except for the source text, which is not part of the text form.

mod lex;
mod names;
mod parse;
mod parse_function;
mod print;

pub use parse::{ParseError, parse};
pub use print::{print, print_function};
