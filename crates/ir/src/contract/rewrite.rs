//! Changing the places of a contract.
//!
//! The counterpart of [`super::visit`] for contracts that are read somewhere else than where they stand: each place is
//! given to a function that may replace it, inner places before those they are part of.

use super::{Binder, Place, PlaceKind, Predicate, Term, TermKind};

/// What is done with each place.
pub type Change<'c> = dyn FnMut(&mut Place) + 'c;

/// Changes the places of a predicate.
pub fn predicate(predicate: &mut Predicate, change: &mut Change<'_>) {
    match predicate {
        Predicate::Const(_) => {}
        Predicate::Compare { a, b, .. } | Predicate::CompareFloat { a, b, .. } => {
            term(a, change);
            term(b, change);
        }
        Predicate::Class { a, .. } => term(a, change),
        Predicate::Not(a) | Predicate::At(a, _) => self::predicate(a, change),
        Predicate::And(parts) | Predicate::Or(parts) => {
            parts.iter_mut().for_each(|part| self::predicate(part, change));
        }
        Predicate::Xor(a, b) | Predicate::Implies(a, b) | Predicate::Iff(a, b) => {
            self::predicate(a, change);
            self::predicate(b, change);
        }
        Predicate::If { condition, then, otherwise } => {
            [condition, then, otherwise].into_iter().for_each(|part| self::predicate(part, change));
        }
        Predicate::Quantified { binders, body, .. } => {
            binders.iter_mut().for_each(|binder| bounds(binder, change));
            self::predicate(body, change);
        }
        Predicate::Let { value, body, .. } => {
            term(value, change);
            self::predicate(body, change);
        }
        Predicate::Memory { pointer, .. } => term(pointer, change),
        Predicate::Separated(pointers) => pointers.iter_mut().for_each(|pointer| term(pointer, change)),
    }
}

fn bounds(binder: &mut Binder, change: &mut Change<'_>) {
    [&mut binder.low, &mut binder.high].into_iter().flatten().for_each(|bound| term(bound, change));
}

/// Changes the places of a term.
pub fn term(term: &mut Term, change: &mut Change<'_>) {
    match &mut term.kind {
        TermKind::Integer(_) | TermKind::Real(_) | TermKind::Variable(_) | TermKind::Null => {}
        TermKind::Value(place) | TermKind::Address(place) => self::place(place, change),
        TermKind::Convert(a) | TermKind::Cast(a) | TermKind::Unary(_, a) | TermKind::At(a, _) => self::term(a, change),
        TermKind::Binary(_, a, b) | TermKind::Offset(a, b) | TermKind::Distance(a, b) => {
            self::term(a, change);
            self::term(b, change);
        }
        TermKind::Range { low, high } => {
            [low, high].into_iter().flatten().for_each(|bound| self::term(bound, change));
        }
        TermKind::If { condition, then, otherwise } => {
            predicate(condition, change);
            self::term(then, change);
            self::term(otherwise, change);
        }
        TermKind::Truth(a) => predicate(a, change),
        TermKind::Let { value, body, .. } => {
            self::term(value, change);
            self::term(body, change);
        }
        TermKind::Call(_, args) => args.iter_mut().for_each(|arg| self::term(arg, change)),
        TermKind::Fold { low, high, body, .. } => {
            [low, high, body].into_iter().for_each(|part| self::term(part, change));
        }
    }
}

/// Changes a place and those inside it.
pub fn place(place: &mut Place, change: &mut Change<'_>) {
    match &mut place.kind {
        PlaceKind::Param(_)
        | PlaceKind::Local(_)
        | PlaceKind::Global(_)
        | PlaceKind::Result
        | PlaceKind::Operand(_) => {}
        PlaceKind::Deref(pointer) => term(pointer, change),
        PlaceKind::Field(of, _) => self::place(of, change),
        PlaceKind::Index(of, index) => {
            self::place(of, change);
            term(index, change);
        }
    }
    change(place);
}
