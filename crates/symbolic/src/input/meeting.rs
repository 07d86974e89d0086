//! Which pointers of the input lead into what something else holds, by their names.
//!
//! A model of the solver says what the parts of the input are, not where pointers lead: that is a matter of the path.

use clew_ir::GlobalId;

/// A pointer of the input that does not lead to the beginning of an object of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meeting {
    /// The name of the pointer.
    pub name: String,
    /// Into what it leads.
    pub holder: Holder,
    /// Where in it, in bytes.
    pub at: u128,
}

/// Whose object a pointer leads into.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holder {
    /// What the pointer of that name leads to.
    Pointer(String),
    /// A variable of the program.
    Global(GlobalId),
}
