//! A part of a problem as a linear program: refuted by a certificate, or a point to start the search from.
//!
//! Numbers computed from others, by machine integers that do not wrap or by floats that stay finite, are polynomials of the
//! inputs up to a rounding error that their domains bound ([`form`]). A comparison that must hold is then a linear
//! inequality between monomials, each with a range; products of two get McCormick's inequalities on top. The program is
//! solved in floating point; what it refutes is believed only after [`crate::linear::certificate`] has added it up in
//! exact integers ([`scale`]). Where there is a point, labelling and local search start there; for hints alone, numbers
//! whose domains are too wide are taken to be of everyday size.
//!
//! This decides systems of linear inequalities, in floats with many additions above all, and identities up to rounding
//! such as `a * (b * c)` against `(a * b) * c`, where propagation sees intervals and bit-blasting multipliers.

mod form;
mod range;
mod scale;

use crate::policy;
use clew_scalar::{BinaryOp, Conversion, Format, Rounding, Type, Value};
use rustc_hash::FxHashMap;

use crate::evaluate;
use crate::linear::approximate::{Proposal, Row, propose};
use crate::linear::exact::Signedness;
use crate::search::Part;
use crate::store::Store;
use crate::term::{Node, TermId, Terms, VarId};
use form::{Forms, Monomial};
use range::{Range, up};

/// What the forms of terms may rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// On what holds in every solution.
    Certain,
    /// On numbers of everyday size too, that do not wrap and are not NaN: good for hints, not for refutations.
    Everyday,
}

/// What the relaxation shows.
pub(crate) enum Relaxed {
    /// The part has no solution.
    Refuted,
    /// Values for some of the variables, from which a solution may not be far.
    Hint(Vec<(VarId, Value)>),
    /// Nothing.
    Nothing,
}

/// Relaxes a part under the domains of the store.
pub(crate) fn relax(terms: &Terms, store: &Store, part: &Part) -> Relaxed {
    let below = terms.reachable(&part.goals);
    if below.len() > policy::RELAX_TERMS.size() {
        return Relaxed::Nothing;
    }
    match attempt(terms, store, part, &below, View::Certain) {
        Relaxed::Nothing => attempt(terms, store, part, &below, View::Everyday),
        outcome => outcome,
    }
}

fn attempt(terms: &Terms, store: &Store, part: &Part, below: &[TermId], view: View) -> Relaxed {
    let mut forms = Forms::new(terms, store, &part.definitions, view);
    let mut relaxation = Relaxation::default();
    for &term in below {
        if let Some((a, b, comparison)) = comparison(terms, store, term) {
            relaxation.compare(&mut forms, a, b, comparison);
        }
    }
    if relaxation.rows.is_empty() || relaxation.rows.len() > policy::RELAX_ROWS.size() {
        return Relaxed::Nothing;
    }
    relaxation.relax_products(&forms);
    if relaxation.columns.len() > policy::RELAX_COLUMNS.size() {
        return Relaxed::Nothing;
    }
    let ranges: Vec<(f64, f64)> = relaxation.columns.iter().map(|column| forms.range(column).ends()).collect();
    match propose(&ranges, &relaxation.rows) {
        Proposal::Empty(multipliers)
            if view == View::Certain && scale::refutes(&ranges, &relaxation.rows, &multipliers) =>
        {
            Relaxed::Refuted
        }
        Proposal::Point(point) => Relaxed::Hint(relaxation.hint(&forms, &point)),
        _ => Relaxed::Nothing,
    }
}

/// `a - b` is at most `limit`, or exactly `limit` if `equal`.
#[derive(Clone, Copy)]
struct Comparison {
    reading: Signedness,
    equal: bool,
    limit: f64,
}

/// What a comparison that is decided says about numbers.
fn comparison(terms: &Terms, store: &Store, term: TermId) -> Option<(TermId, TermId, Comparison)> {
    let Node::Binary(op, a, b) = terms.node(term) else { return None };
    let truth = store.domain(store.slot(term)?).value()? != 0;
    let strict = if terms.ty(a).is_int() { -1.0 } else { 0.0 };
    let less = |reading, limit| Comparison { reading, equal: false, limit };
    let same = Comparison { reading: Signedness::Signed, equal: true, limit: 0.0 };
    Some(match (op, truth) {
        (BinaryOp::Slt, true) => (a, b, less(Signedness::Signed, strict)),
        (BinaryOp::Slt, false) => (b, a, less(Signedness::Signed, 0.0)),
        (BinaryOp::Ult, true) => (a, b, less(Signedness::Unsigned, strict)),
        (BinaryOp::Ult, false) => (b, a, less(Signedness::Unsigned, 0.0)),
        (BinaryOp::FloatLt | BinaryOp::FloatLe, true) => (a, b, less(Signedness::Signed, 0.0)),
        // Numbers that are neither less nor equal are greater; the forms exclude NaN.
        (BinaryOp::FloatLt | BinaryOp::FloatLe, false) => (b, a, less(Signedness::Signed, 0.0)),
        (BinaryOp::FloatEq, true) => (a, b, same),
        (BinaryOp::Eq, true) if terms.ty(a) != Type::BOOL => (float_of(terms, a)?, float_of(terms, b)?, same),
        _ => return None,
    })
}

/// The float whose bits a term is; other terms are themselves.
fn float_of(terms: &Terms, term: TermId) -> Option<TermId> {
    match terms.node(term) {
        Node::Convert(Conversion::FloatToBits, float) => Some(float),
        _ => Some(term),
    }
}

/// The linear program.
#[derive(Default)]
struct Relaxation {
    columns: Vec<Monomial>,
    column_of: FxHashMap<Monomial, usize>,
    rows: Vec<Row>,
}

impl Relaxation {
    fn column(&mut self, monomial: &Monomial) -> usize {
        *self.column_of.entry(monomial.clone()).or_insert_with(|| {
            self.columns.push(monomial.clone());
            self.columns.len() - 1
        })
    }

    /// Adds the rows of a comparison, if both sides have forms.
    fn compare(&mut self, forms: &mut Forms<'_>, a: TermId, b: TermId, comparison: Comparison) {
        if forms.terms.ty(a) != forms.terms.ty(b) {
            return;
        }
        let Some(difference) = forms.difference(a, b, comparison.reading) else { return };
        let (terms, constant) = difference.split();
        let slack = up(difference.error + comparison.limit);
        self.push(&terms, up(slack - constant));
        if comparison.equal {
            let negated: Vec<(Monomial, f64)> = terms.into_iter().map(|(monomial, c)| (monomial, -c)).collect();
            self.push(&negated, up(slack + constant));
        }
    }

    fn push(&mut self, terms: &[(Monomial, f64)], bound: f64) {
        let terms: Vec<(usize, f64)> = terms.iter().map(|(monomial, c)| (self.column(monomial), *c)).collect();
        if bound.is_finite() && terms.iter().all(|(_, c)| c.is_finite()) {
            self.rows.push(Row { terms, bound });
        }
    }

    /// McCormick's inequalities for the columns that are products of two atoms.
    fn relax_products(&mut self, forms: &Forms<'_>) {
        for column in 0..self.columns.len() {
            if let [x, y] = *self.columns[column].atoms() {
                self.relax_product(forms, column, x, y);
            }
        }
    }

    /// `(x - x0) * (y - y0)` is not negative at equal ends of the ranges, and not positive at opposite ones.
    fn relax_product(&mut self, forms: &Forms<'_>, product: usize, x: u32, y: u32) {
        let [x, y] = [x, y].map(Monomial::atom);
        let (of_x, of_y) = (forms.range(&x), forms.range(&y));
        let (column_x, column_y) = (self.column(&x), self.column(&y));
        let corners =
            [(of_x.lo, of_y.lo, 1.0), (of_x.hi, of_y.hi, 1.0), (of_x.lo, of_y.hi, -1.0), (of_x.hi, of_y.lo, -1.0)];
        for (x0, y0, sign) in corners {
            let mut terms = vec![(product, -sign)];
            for (column, coefficient) in [(column_x, sign * y0), (column_y, sign * x0)] {
                match terms.iter_mut().find(|term| term.0 == column) {
                    // The sum is rounded; the error is a part of the range in question.
                    Some(term) => term.1 += coefficient,
                    None => terms.push((column, coefficient)),
                }
            }
            let rounding = if x == y { up(of_x.magnitude() * up((x0 + y0).abs() * f64::EPSILON)) } else { 0.0 };
            let bound = up(up(sign * x0 * y0) + rounding);
            if bound.is_finite() {
                self.rows.push(Row { terms, bound });
            }
        }
    }

    /// The variables among the columns, with the values of a point.
    fn hint(&self, forms: &Forms<'_>, point: &[f64]) -> Vec<(VarId, Value)> {
        let columns = self.columns.iter().zip(point);
        columns.filter_map(|(column, &number)| hinted(forms, column, number)).collect()
    }
}

/// The variable that is a column, with the value nearest to a number.
fn hinted(forms: &Forms<'_>, column: &Monomial, number: f64) -> Option<(VarId, Value)> {
    let [atom] = *column.atoms() else { return None };
    let (term, _) = forms.atoms[atom as usize];
    let (var, ty) = match forms.terms.node(term) {
        Node::Var(var) => (var, forms.terms.ty(term)),
        Node::Convert(Conversion::BitsToFloat(format), bits) => match forms.terms.node(bits) {
            Node::Var(var) => (var, Type::Float(format)),
            _ => return None,
        },
        _ => return None,
    };
    let double = Value::float(Format::DOUBLE, number.to_bits().into());
    let conversion = match ty {
        Type::Float(format) => Conversion::FloatToFloat(format, Rounding::NearestEven),
        Type::Int(width) if number < 0.0 => Conversion::FloatToSigned(width, Rounding::NearestEven),
        Type::Int(width) => Conversion::FloatToUnsigned(width, Rounding::NearestEven),
    };
    let bits = if ty == double.ty { double.bits } else { evaluate::convert(conversion, double).bits };
    Some((var, Value { ty: forms.terms.ty(forms.terms.var(var).term), bits }))
}

impl Range {
    fn ends(self) -> (f64, f64) {
        (self.lo, self.hi)
    }
}

#[cfg(test)]
mod tests;
