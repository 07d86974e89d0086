//! Static facts about a program.
//!
//! [`graph`] has the edges of a function in both directions and an order to walk them, [`dominators`] who must be passed
//! to get where, [`loops`] the natural loops, [`reach`] what calls lead to, [`distance`] how
//! far it is to a target, [`mod@facts`] what holds on every
//! execution, [`mod@cfg`] a picture of it all.

mod abstraction;
pub mod cfg;
pub mod distance;
pub mod dominators;
pub mod facts;
pub mod graph;
pub mod loops;
pub mod only_read;
pub mod policy;
pub mod question;
pub mod reach;

pub use abstraction::uses::exposed_locals;
