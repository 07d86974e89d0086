//! Functions that verification tools know: they belong to no library, give a value or take something for granted, and write
//! nothing.

/// Whether a function is one of them.
pub fn is_known(name: &str) -> bool {
    name.starts_with("__VERIFIER_") || matches!(name, "klee_assume" | "klee_range" | "klee_int" | "reach_error")
}

/// Whether a function goes on only where its argument is not zero.
pub fn assumes(name: &str) -> bool {
    matches!(name, "__VERIFIER_assume" | "klee_assume")
}
