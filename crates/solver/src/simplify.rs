//! Rewriting of terms as they are built.

use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp};

use crate::term::{TermId, Terms};

pub(crate) fn order(_: &Terms, _: BinaryOp, a: TermId, b: TermId) -> (TermId, TermId) {
    (a, b)
}

pub(crate) fn unary(_: &mut Terms, _: UnaryOp, _: TermId) -> Option<TermId> {
    None
}

pub(crate) fn binary(_: &mut Terms, _: BinaryOp, _: TermId, _: TermId) -> Option<TermId> {
    None
}

pub(crate) fn ternary(_: &mut Terms, _: TernaryOp, _: TermId, _: TermId, _: TermId) -> Option<TermId> {
    None
}

pub(crate) fn convert(_: &mut Terms, _: Conversion, _: TermId) -> Option<TermId> {
    None
}

pub(crate) fn extract(_: &mut Terms, _: u8, _: u8, _: TermId) -> Option<TermId> {
    None
}

pub(crate) fn concat(_: &mut Terms, _: TermId, _: TermId) -> Option<TermId> {
    None
}

pub(crate) fn read(_: &mut Terms, _: TermId, _: TermId) -> Option<TermId> {
    None
}

pub(crate) fn write(_: &mut Terms, _: TermId, _: TermId, _: TermId) -> Option<TermId> {
    None
}

pub(crate) fn array_eq(_: &mut Terms, _: TermId, _: TermId) -> Option<TermId> {
    None
}
