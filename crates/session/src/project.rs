//! Projects: every function of many files, each with its own budget and its own directory.
//!
//! What came of a function is a [`record::Record`], one line of a [`journal`] that is only ever appended to, so that a run
//! that was killed goes on where it stopped. A record carries the [`key`] of what the function depends on; a function
//! whose key is known costs nothing. [`rank`] sorts the findings of all functions, [`changed`] asks git which functions
//! were touched, [`statements`] counts C statements. [`run`] has the functions tested by processes of their own, each of
//! which does what [`worker`] says; those that are idle run parts of long explorations (`parts`). Test code that the
//! functions of a file share is written when all of them are done (`code`).
//!
//! Several machines: each takes a [`shard`], [`merge`] joins what they made, and [`cache`] keeps results that others may
//! use. Or workers on other machines take what there is to do from a queue ([`remote`]). A [`parcel`] is a result that is
//! kept or sent.

pub mod cache;
pub mod changed;
mod code;
pub mod journal;
pub mod key;
pub mod merge;
pub mod parcel;
mod parts;
mod queue;
pub mod rank;
pub mod record;
pub mod remote;
pub mod run;
pub mod shard;
pub mod statements;
mod watch;
pub mod wire;
pub mod worker;
