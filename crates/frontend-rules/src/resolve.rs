//! What names mean, and the conditions that JSL puts on them.
//!
//! A name that is declared as a constructor or a function is that; any other name without arguments is a variable. The
//! parameters of a rule are distinct variables; the left-hand side of a condition is a variable or a call and uses known
//! variables only; its pattern is linear and made of constructors and fresh variables; the result uses known variables.

mod data;
mod rule;

use crate::message::{Message, Span};
use crate::spec::{Builtin, ConId, FunctionId, Options, Root, Spec};
use crate::syntax::{ExprId, Tree};
use rustc_hash::FxHashMap;

/// Resolves a specification; types are not yet known.
///
/// # Errors
///
/// All mistakes found.
pub(crate) fn resolve(text: &str, tree: &Tree, options: Options) -> Result<Spec, Vec<Message>> {
    let mut resolver = Resolver::new(text, tree, options);
    resolver.data_types();
    resolver.declare_functions();
    resolver.rules();
    resolver.finish()
}

/// Adds an expression without variables to a specification.
///
/// # Errors
///
/// Its mistakes.
pub(crate) fn closed(spec: &mut Spec, text: &str, tree: &Tree, root: ExprId) -> Result<Root, Vec<Message>> {
    let mut resolver = Resolver::new(text, tree, spec.options);
    for (index, constructor) in spec.constructors.iter().enumerate() {
        resolver.meanings.insert(constructor.name.clone(), Meaning::Con(ConId(index as u32)));
    }
    for (index, function) in spec.functions.iter().enumerate() {
        resolver.meanings.insert(function.name.clone(), Meaning::Function(FunctionId(index as u32)));
    }
    resolver.spec = std::mem::take(spec);
    let resolved = resolver.expression(root, &mut rule::Scope::default(), rule::Use::Value);
    let messages = std::mem::take(&mut resolver.messages);
    *spec = resolver.spec;
    if messages.is_empty() { Ok(resolved) } else { Err(messages) }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Con(ConId),
    Function(FunctionId),
}

struct Resolver<'a> {
    text: &'a str,
    tree: &'a Tree,
    spec: Spec,
    meanings: FxHashMap<String, Meaning>,
    messages: Vec<Message>,
    /// The first node of the tree that no expression has used yet.
    next: ExprId,
}

impl<'a> Resolver<'a> {
    fn new(text: &'a str, tree: &'a Tree, options: Options) -> Resolver<'a> {
        let spec = Spec { options, ..Spec::default() };
        Resolver { text, tree, spec, meanings: FxHashMap::default(), messages: Vec::new(), next: 0 }
    }

    fn spelled(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }

    fn error(&mut self, span: Span, text: impl Into<String>) {
        self.messages.push(Message::error(span, text));
    }

    fn finish(mut self) -> Result<Spec, Vec<Message>> {
        self.spec.truth = self.spec.constructor("True").zip(self.spec.constructor("False"));
        if self.messages.is_empty() {
            return Ok(self.spec);
        }
        self.messages.sort_by_key(|message| message.span);
        Err(self.messages)
    }

    /// Declares a name; a second declaration is a mistake.
    fn declare(&mut self, span: Span, meaning: Meaning) {
        let name = self.spelled(span);
        if self.meanings.insert(name.to_owned(), meaning).is_some() {
            self.error(span, format!("`{name}` is declared twice; constructors and functions share one set of names"));
        }
    }
}

/// The operator of a word.
fn builtin(word: &str) -> Option<Builtin> {
    Some(match word {
        "==" => Builtin::Equal,
        "+" => Builtin::Add,
        "-" => Builtin::Subtract,
        "*" => Builtin::Multiply,
        "<" => Builtin::Less,
        "<=" => Builtin::LessEqual,
        _ => return None,
    })
}
