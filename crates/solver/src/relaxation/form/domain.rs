//! Domains as ranges of reals, and the error of one rounding.

use clew_scalar::{Conversion, Format, Rounding, Type, Value};

use super::Forms;
use crate::domain::float::{FloatDomain, Special, key};
use crate::domain::int::IntDomain;
use crate::evaluate;
use crate::linear::exact::Signedness;
use crate::relaxation::View;
use crate::relaxation::range::{Range, down, up};
use crate::store::Domain;
use crate::term::TermId;

impl Forms<'_> {
    /// Between which numbers a term is; `None` when it may be none.
    pub(super) fn range_of(&self, term: TermId, reading: Signedness) -> Option<Range> {
        if let Some(value) = self.terms.value(term) {
            let number = number(value, reading)?;
            return Range::new(number, number);
        }
        match self.store.domain(self.store.slot(term)?) {
            Domain::Int(domain) => int_range(domain, reading),
            Domain::Float(domain) => float_range(domain, self.view),
            Domain::Bool(_) | Domain::Opaque => None,
        }
    }

    /// What is known about an integer.
    pub(super) fn int_domain(&self, term: TermId) -> Option<IntDomain> {
        if let Some(value) = self.terms.value(term) {
            return Some(IntDomain::singleton(self.terms.width(term), value.bits));
        }
        match self.store.domain(self.store.slot(term)?) {
            Domain::Int(domain) => Some(*domain),
            _ => None,
        }
    }
}

/// A constant as a number, if it is one that a double holds exactly.
pub(super) fn number(value: Value, reading: Signedness) -> Option<f64> {
    match value.ty {
        Type::Float(format) => double(format, value.bits),
        Type::Int(width) => {
            let range = int_range(&IntDomain::singleton(width, value.bits), reading)?;
            (range.lo == range.hi).then_some(range.lo)
        }
    }
}

fn int_range(domain: &IntDomain, reading: Signedness) -> Option<Range> {
    // Doubles hold integers up to 2^53 exactly; beyond, the conversion rounds.
    let rounded = |lo: f64, hi: f64, exact: bool| {
        if exact { Range::new(lo, hi) } else { Range::new(down(lo), up(hi)) }
    };
    match reading {
        Signedness::Signed => {
            let (lo, hi) = (domain.signed_min(), domain.signed_max());
            let exact = lo as f64 as i128 == lo && hi as f64 as i128 == hi && hi != i128::MAX;
            rounded(lo as f64, hi as f64, exact)
        }
        Signedness::Unsigned => {
            let (lo, hi) = (domain.unsigned_min(), domain.unsigned_max());
            let exact = lo as f64 as u128 == lo && hi as f64 as u128 == hi && hi != u128::MAX;
            rounded(lo as f64, hi as f64, exact)
        }
    }
}

fn float_range(domain: &FloatDomain, view: View) -> Option<Range> {
    let special = [Special::Nan, Special::NegativeInfinity, Special::PositiveInfinity];
    let may_be_special = special.iter().any(|&special| domain.may_be(special));
    let hull = if view == View::Everyday { domain.finite() } else { domain.hull() };
    if hull.is_empty() || view == View::Certain && may_be_special {
        return None;
    }
    let format = domain.format();
    let range =
        Range::new(double(format, key::to_bits(format, hull.lo))?, double(format, key::to_bits(format, hull.hi))?)?;
    Some(if view == View::Everyday { everyday(range) } else { range })
}

/// The part of a range that is of everyday size, or what is nearest to that.
fn everyday(range: Range) -> Range {
    const LARGE: f64 = 1_000_000.0;
    let lo = range.lo.clamp(-LARGE, LARGE.max(range.lo.abs()));
    let lo = if range.hi < -LARGE { range.lo.max(2.0 * range.hi) } else { lo };
    let hi = if range.lo > LARGE { range.hi.min(2.0 * range.lo) } else { range.hi.min(LARGE) };
    Range { lo, hi: hi.max(lo) }
}

/// A finite float of a format that doubles contain.
fn double(format: Format, bits: u128) -> Option<f64> {
    if format.significand > Format::DOUBLE.significand || format.exponent > Format::DOUBLE.exponent {
        return None;
    }
    let value = Value::float(format, bits);
    let wide = match format {
        Format::DOUBLE => value,
        _ => evaluate::convert(Conversion::FloatToFloat(Format::DOUBLE, Rounding::NearestEven), value),
    };
    let number = f64::from_bits(u64::try_from(wide.bits).ok()?);
    number.is_finite().then_some(number)
}

/// How far rounding to a format can move a number whose result is in the range: the exact number is never in a higher
/// binade than the greatest result.
pub(super) fn rounding_error(format: Format, rounding: Rounding, result: Range) -> f64 {
    let field = i32::try_from(result.magnitude().to_bits() >> 52).expect("an exponent field has 11 bits");
    let exponent = (field - Format::DOUBLE.bias()).clamp(format.emin(), format.emax());
    let power = exponent - i32::from(format.significand) + 1;
    // In two steps, as the power of two may be subnormal.
    let unit = 2.0_f64.powi(power / 2) * 2.0_f64.powi(power - power / 2);
    match rounding {
        Rounding::NearestEven | Rounding::NearestAway => unit / 2.0,
        _ => unit,
    }
}
