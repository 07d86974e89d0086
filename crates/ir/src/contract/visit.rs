//! Walking over contracts.

use super::{Place, PlaceKind, Predicate, Term, TermKind};

/// A part of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node<'a> {
    /// A predicate.
    Predicate(&'a Predicate),
    /// A term.
    Term(&'a Term),
    /// A place.
    Place(&'a Place),
}

impl<'a> Node<'a> {
    /// Calls `visit` for the node and everything in it, outer nodes first.
    pub fn walk(self, visit: &mut dyn FnMut(Node<'a>)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }

    /// Whether `is` holds for the node or something in it.
    pub fn any(self, is: &mut dyn FnMut(Node<'a>) -> bool) -> bool {
        is(self) || self.parts().into_iter().any(|part| part.any(is))
    }

    /// What the node is made of, in order. The bounds of a binder come before the body.
    pub fn parts(self) -> Vec<Node<'a>> {
        match self {
            Node::Predicate(predicate) => predicate_parts(predicate),
            Node::Term(term) => term_parts(term),
            Node::Place(place) => match &place.kind {
                PlaceKind::Param(_)
                | PlaceKind::Local(_)
                | PlaceKind::Global(_)
                | PlaceKind::Result
                | PlaceKind::Operand(_) => Vec::new(),
                PlaceKind::Deref(pointer) => vec![Node::Term(pointer)],
                PlaceKind::Field(of, _) => vec![Node::Place(of)],
                PlaceKind::Index(of, index) => vec![Node::Place(of), Node::Term(index)],
            },
        }
    }
}

fn predicate_parts(predicate: &Predicate) -> Vec<Node<'_>> {
    match predicate {
        Predicate::Const(_) => Vec::new(),
        Predicate::Compare { a, b, .. } | Predicate::CompareFloat { a, b, .. } => vec![Node::Term(a), Node::Term(b)],
        Predicate::Class { a, .. } => vec![Node::Term(a)],
        Predicate::Not(a) | Predicate::At(a, _) => vec![Node::Predicate(a)],
        Predicate::And(parts) | Predicate::Or(parts) => parts.iter().map(Node::Predicate).collect(),
        Predicate::Xor(a, b) | Predicate::Implies(a, b) | Predicate::Iff(a, b) => {
            vec![Node::Predicate(a), Node::Predicate(b)]
        }
        Predicate::If { condition, then, otherwise } => {
            vec![Node::Predicate(condition), Node::Predicate(then), Node::Predicate(otherwise)]
        }
        Predicate::Quantified { binders, body, .. } => {
            let bounds = binders.iter().flat_map(|binder| binder.low.iter().chain(&binder.high));
            bounds.map(Node::Term).chain([Node::Predicate(body)]).collect()
        }
        Predicate::Let { value, body, .. } => vec![Node::Term(value), Node::Predicate(body)],
        Predicate::Memory { pointer, .. } => vec![Node::Term(pointer)],
        Predicate::Separated(pointers) => pointers.iter().map(Node::Term).collect(),
    }
}

fn term_parts(term: &Term) -> Vec<Node<'_>> {
    match &term.kind {
        TermKind::Integer(_) | TermKind::Real(_) | TermKind::Variable(_) | TermKind::Null => Vec::new(),
        TermKind::Value(place) | TermKind::Address(place) => vec![Node::Place(place)],
        TermKind::Convert(a) | TermKind::Cast(a) | TermKind::Unary(_, a) | TermKind::At(a, _) => vec![Node::Term(a)],
        TermKind::Binary(_, a, b) | TermKind::Offset(a, b) | TermKind::Distance(a, b) => {
            vec![Node::Term(a), Node::Term(b)]
        }
        TermKind::Range { low, high } => low.iter().chain(high).map(|bound| Node::Term(bound)).collect(),
        TermKind::If { condition, then, otherwise } => {
            vec![Node::Predicate(condition), Node::Term(then), Node::Term(otherwise)]
        }
        TermKind::Truth(a) => vec![Node::Predicate(a)],
        TermKind::Let { value, body, .. } => vec![Node::Term(value), Node::Term(body)],
        TermKind::Call(_, args) => args.iter().map(Node::Term).collect(),
        TermKind::Fold { low, high, body, .. } => vec![Node::Term(low), Node::Term(high), Node::Term(body)],
    }
}
