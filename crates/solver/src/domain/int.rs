//! Integer domains.
