//! Abstract interpretation: what holds at every point of a function, loops included.
//!
//! A function is run on abstract states (Cousot and Cousot 1977) until nothing changes, entering calls. A state says for
//! each cell of memory what value it may hold: integers as the solver's domains (clockwise interval, known bits, stride),
//! floats likewise, pointers by what they may point to and where. Octagons (Mine 2006) relate the integers of up to
//! [`octagon::MOST`] cells, templates (`template`) bound the other linear forms that the program compares, and linear
//! equalities (`equality`) hold modulo the word. Loops are widened, to constants of the program first, and two descending passes win back what widening lost.
//!
//! Machine integers wrap. Intervals are clockwise, so wrapping costs them nothing; octagons speak of mathematical
//! integers, so an assignment enters them only when the operation cannot wrap there, or when a check of the program says
//! that it does not: what C leaves undefined is taken not to happen, as everywhere in the search for inputs.
//!
//! What pointers of the input lead to are objects of their own (`inputs`), also behind pointers in them, as long as the
//! program does not compare them. Memory that is not told apart (behind unknown pointers, arrays at unknown indices) may hold anything, but for what a
//! test of it said (`reads`, `order`). Unknown pointers reach globals, the heap, and those locals whose address is used for more
//! than direct accesses. What one call of the function under test allocates is an object like a variable if the call is
//! made at most once; what other calls allocate, however often, is one object whose contents may be anything: pointers to
//! it lead to no variable, and they are null or not.

pub(crate) mod behind;
pub(crate) mod bounded;
pub(crate) mod call;
pub(crate) mod cell;
pub(crate) mod contract;
pub(crate) mod engine;
pub(crate) mod equality;
pub(crate) mod form;
pub(crate) mod guard;
pub(crate) mod inputs;
pub(crate) mod inquiry;
pub(crate) mod memory;
pub(crate) mod modular;
pub(crate) mod monitor;
pub(crate) mod octagon;
pub(crate) mod operator;
pub(crate) mod order;
mod passed;
pub(crate) mod quotient;
pub(crate) mod reads;
pub(crate) mod safety;
pub(crate) mod state;
pub(crate) mod template;
pub(crate) mod transfer;
pub(crate) mod unbounded;
pub(crate) mod uses;
pub(crate) mod value;
pub(crate) mod widen;
