//! Rules of the integer extensions.

use clew_scalar::Conversion;

use super::known;
use crate::term::{Node, TermId, Terms};

/// Zeros above `a`.
pub(super) fn zero_extend(terms: &mut Terms, width: u8, a: TermId) -> Option<TermId> {
    if terms.width(a) == width {
        return Some(a);
    }
    match terms.node(a) {
        Node::Convert(Conversion::ZeroExtend(_), x) => Some(terms.convert(Conversion::ZeroExtend(width), x)),
        _ => None,
    }
}

/// Copies of the sign above `a`.
pub(super) fn sign_extend(terms: &mut Terms, width: u8, a: TermId) -> Option<TermId> {
    if terms.width(a) == width {
        return Some(a);
    }
    if known::is_non_negative(terms, a) {
        return Some(terms.convert(Conversion::ZeroExtend(width), a));
    }
    match terms.node(a) {
        Node::Convert(Conversion::SignExtend(_), x) => Some(terms.convert(Conversion::SignExtend(width), x)),
        _ => None,
    }
}
