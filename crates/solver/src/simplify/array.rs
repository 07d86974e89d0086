//! Rules of arrays and tables.

use super::arithmetic::displacement;
use crate::term::{Node, TableId, TermId, Terms};

/// `array[index]`: looks through writes to surely different indices.
pub(crate) fn read(terms: &mut Terms, array: TermId, index: TermId) -> Option<TermId> {
    let mut below = array;
    loop {
        match terms.node(below) {
            Node::Write(_, at, value) if at == index => return Some(value),
            Node::Write(next, at, _) if are_distinct(terms, at, index) => below = next,
            Node::ConstArray { value, .. } => return Some(value),
            _ if below == array => return None,
            _ => return Some(terms.intern(Node::Read(below, index))),
        }
    }
}

/// An entry of a table of constants.
pub(crate) fn lookup(terms: &mut Terms, table: TableId, index: TermId) -> Option<TermId> {
    let entries = terms.entries(table);
    let (first, width, length) = (entries.at(0), entries.width(), entries.all().len());
    let whole = u32::from(terms.width(index)) <= length.ilog2();
    let entry = match terms.bits(index) {
        Some(at) => entries.at(at),
        None if (whole || first == 0) && entries.all().iter().all(|&entry| entry == first) => first,
        None => return None,
    };
    Some(terms.int(width, entry))
}

/// `array` with `index` set to `value`.
pub(crate) fn write(terms: &mut Terms, array: TermId, index: TermId, value: TermId) -> Option<TermId> {
    if terms.node(value) == Node::Read(array, index) {
        return Some(array);
    }
    match terms.node(array) {
        Node::Write(below, at, _) if at == index => Some(terms.write_bits(below, index, value)),
        _ => None,
    }
}

/// `a == b` of arrays.
pub(crate) fn array_eq(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    (a == b).then(|| terms.bool(true))
}

/// Whether two indices differ under every model: constants, or one base with different offsets.
pub(crate) fn are_distinct(terms: &Terms, a: TermId, b: TermId) -> bool {
    if let (Some(x), Some(y)) = (terms.bits(a), terms.bits(b)) {
        return x != y;
    }
    let ((x, c), (y, d)) = (displacement(terms, a), displacement(terms, b));
    x == y && c != d
}
