//! Values and models as SMT-LIB writes them.

use std::fmt::Write as _;

use clew_scalar::Format;

use super::sort::{ROUNDINGS, Sort};
use crate::evaluate::Evaluator;
use crate::model::Model;
use crate::term::{TermId, Terms};

/// A symbol, quoted if it must be.
pub(super) fn symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let plain = !name.is_empty() && name.chars().all(simple) && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain { name.to_string() } else { format!("|{name}|") }
}

/// The definitions of the declared constants.
pub(super) fn model(terms: &Terms, model: &Model, declared: &[(&str, Sort, TermId)]) -> String {
    let mut evaluator = Evaluator::new();
    let mut text = String::from("(\n");
    for &(name, sort, term) in declared {
        let value = value(terms, &mut evaluator, model, sort, term);
        let _ = writeln!(text, "  (define-fun {} () {sort} {value})", symbol(name));
    }
    text.push(')');
    text
}

/// The value of a term.
pub(super) fn value(terms: &Terms, evaluator: &mut Evaluator, model: &Model, sort: Sort, term: TermId) -> String {
    let Sort::Array(index, element) = sort else {
        return scalar(sort, evaluator.value(terms, model, term).bits);
    };
    let contents = evaluator.array(terms, model, term);
    let mut text = format!("((as const {sort}) {})", scalar(element.sort(), contents.default));
    for (&at, &bits) in &contents.entries {
        text = format!("(store {text} {} {})", scalar(index.sort(), at), scalar(element.sort(), bits));
    }
    text
}

fn scalar(sort: Sort, bits: u128) -> String {
    match sort {
        Sort::Bool => (if bits == 0 { "false" } else { "true" }).to_string(),
        Sort::BitVec(width) => bitvector(width, bits),
        Sort::Float(format) => float(format, bits),
        Sort::RoundingMode => ROUNDINGS[(bits as usize).min(ROUNDINGS.len() - 1)].1.to_string(),
        Sort::Array(..) | Sort::Real => unreachable!("only scalars have bits"),
    }
}

fn bitvector(width: u8, bits: u128) -> String {
    match width % 4 {
        0 => format!("#x{bits:0digits$x}", digits = usize::from(width) / 4),
        _ => format!("#b{bits:0digits$b}", digits = usize::from(width)),
    }
}

fn float(format: Format, bits: u128) -> String {
    let Format { exponent, significand } = format;
    if format.is_nan(bits) {
        return format!("(_ NaN {exponent} {significand})");
    }
    if format.is_infinite(bits) || format.is_zero(bits) {
        let sign = if format.sign(bits) { '-' } else { '+' };
        let kind = if format.is_zero(bits) { "zero" } else { "oo" };
        return format!("(_ {sign}{kind} {exponent} {significand})");
    }
    let stored = significand - 1;
    let biased = (format.magnitude(bits)) >> stored;
    let fraction = bits & format.fraction_mask();
    format!(
        "(fp #b{} #b{biased:0exponent$b} #b{fraction:0stored$b})",
        u8::from(format.sign(bits)),
        exponent = usize::from(exponent),
        stored = usize::from(stored)
    )
}
