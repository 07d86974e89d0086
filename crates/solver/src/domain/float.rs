//! Float domains.
