//! Reading types as they are written in contracts.

use super::Parser;
use crate::contract::lex::TokenKind;
use crate::contract::syntax::{Problem, TypeBase, TypeName};

/// Words that make up C's arithmetic types.
const WORDS: &[&str] =
    &["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "__signed__"];

/// Words that change nothing here.
const QUALIFIERS: &[&str] = &["const", "volatile", "restrict", "__restrict"];

/// Types of the logic.
const LOGIC: &[&str] = &["integer", "real", "boolean"];

impl Parser<'_> {
    /// Whether a type begins at some distance.
    pub(super) fn is_type_ahead(&self, distance: usize) -> bool {
        let TokenKind::Name(name) = &self.ahead(distance).kind else { return false };
        let name = name.as_str();
        let is_known = WORDS.contains(&name) || QUALIFIERS.contains(&name) || LOGIC.contains(&name);
        is_known || matches!(name, "struct" | "union" | "enum") || self.types.contains(name)
    }

    /// A type with its stars.
    pub(super) fn type_name(&mut self) -> Result<TypeName, Problem> {
        let start = self.peek().at.start;
        self.skip_qualifiers();
        let base = self.type_base()?;
        let mut pointers = 0;
        loop {
            self.skip_qualifiers();
            if !self.accept("*") {
                break;
            }
            pointers += 1;
        }
        Ok(TypeName { base, pointers, at: self.since(start) })
    }

    fn skip_qualifiers(&mut self) {
        while QUALIFIERS.iter().any(|word| self.is(word)) {
            self.advance();
        }
    }

    fn type_base(&mut self) -> Result<TypeBase, Problem> {
        let mut words = Vec::new();
        while let TokenKind::Name(word) = &self.peek().kind
            && (WORDS.contains(&word.as_str()) || (!words.is_empty() && QUALIFIERS.contains(&word.as_str())))
        {
            if WORDS.contains(&word.as_str()) {
                words.push(word.clone());
            }
            self.advance();
        }
        if !words.is_empty() {
            words.sort();
            return Ok(TypeBase::Words(words));
        }
        let name = self.name("a type")?;
        Ok(match name.as_str() {
            "integer" => TypeBase::Integer,
            "real" => TypeBase::Real,
            "boolean" => TypeBase::Boolean,
            "struct" => TypeBase::Struct(self.name("a tag")?),
            "union" => TypeBase::Union(self.name("a tag")?),
            "enum" => TypeBase::Enum(self.name("a tag")?),
            _ => TypeBase::Named(name),
        })
    }
}
