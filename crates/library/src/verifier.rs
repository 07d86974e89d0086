//! Functions that verification tools know: they belong to no library, give a value, take something for granted or mark a
//! place, and write nothing.

/// Whether a function is one of them.
pub fn is_known(name: &str) -> bool {
    let is_other = matches!(name, "klee_assume" | "klee_range" | "klee_int" | "reach_error");
    name.starts_with("__VERIFIER_") || is_other || is_label(name)
}

/// Whether a function marks a label, and does nothing at all.
pub fn is_label(name: &str) -> bool {
    matches!(name, "pc_label" | "clew_label")
}

/// Whether a function goes on only where its argument is not zero.
pub fn assumes(name: &str) -> bool {
    matches!(name, "__VERIFIER_assume" | "klee_assume")
}
