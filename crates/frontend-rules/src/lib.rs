//! Specifications by conditional rewriting rules become typed rules.
//!
//! The language is JSL, the Jakarta Specification Language, as Gouraud and Gotlieb define it (PADL 2006): polymorphic data
//! types, and first-order functions given by rules
//!
//! ```text
//! data nat = 0 | S nat.
//! function plus :=
//!   <plus.r1> n -> 0 => (plus n m) -> m;
//!   <plus.r2> n -> (S p) => (plus n m) -> (S (plus p m)).
//! ```
//!
//! [`load`] reads a text in four steps: `lexer` makes words, `parser` makes a tree without recursion, `resolve` finds
//! what names mean and checks the conditions on variables, `types` infers the types. The result is a [`Spec`].
//! [`termination`] looks for recursion that may not end.
//!
//! No function here recurses over expressions: they may be 100,000 constructors deep.

mod lexer;
mod message;
mod parser;
mod resolve;
pub mod spec;
mod syntax;
pub mod termination;
mod types;

pub use message::{Message, Severity, Span};
pub use spec::{Options, Spec};

/// Reads and checks a specification.
///
/// # Errors
///
/// The mistakes of the text, each with the place it concerns.
pub fn load(text: &str, options: Options) -> Result<Spec, Vec<Message>> {
    let words = lexer::words(text)?;
    let tree = parser::parse(text, &words)?;
    let mut spec = resolve::resolve(text, &tree, options)?;
    types::infer(&mut spec)?;
    Ok(spec)
}

/// Reads an expression over the functions and constructors of a specification, without variables.
///
/// The specification gets a rule of its own that holds the expression; its index is the result.
///
/// # Errors
///
/// The mistakes of the expression.
pub fn load_expression(spec: &mut Spec, text: &str) -> Result<spec::Root, Vec<Message>> {
    let words = lexer::words(text)?;
    let (tree, root) = parser::expression(text, &words)?;
    let root = resolve::closed(spec, text, &tree, root)?;
    types::check_closed(spec, root)?;
    Ok(root)
}
