//! The command line of clew.

fn main() {}
