//! Numbers as polynomials of others, up to an error.
//!
//! The form of a term is a polynomial over *atoms* such that in every solution the number that the term is differs from
//! the polynomial by at most the error. An atom is a term whose own number is taken as it is: an input, or the result of
//! an operator that is not followed further. A form exists only where the domain excludes NaN and infinities, so that a
//! float operator is the operator of the reals followed by one rounding, off by at most half a unit in the last place of
//! the greatest result; and where machine integers do not wrap in the reading in question.
//!
//! Coefficients are floating-point numbers themselves. What their computation loses, found by error-free
//! transformations (Dekker 1971), is added to the error.

mod domain;

use crate::policy;
use std::collections::BTreeMap;

use clew_scalar::{BinaryOp, Conversion, Type, UnaryOp};
use rustc_hash::FxHashMap;

use super::View;
use super::range::{Range, up};
use crate::linear::exact::{self, Signedness};
use crate::store::Store;
use crate::term::{Node, TermId, Terms, VarId};

/// A product of atoms, ascending; the empty one is the number one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Monomial(Vec<u32>);

impl Monomial {
    pub(super) fn atom(atom: u32) -> Monomial {
        Monomial(vec![atom])
    }

    pub(super) fn atoms(&self) -> &[u32] {
        &self.0
    }

    fn times(&self, other: &Monomial) -> Monomial {
        let mut atoms = [self.0.as_slice(), &other.0].concat();
        atoms.sort_unstable();
        Monomial(atoms)
    }
}

/// A polynomial and how far the number may be from it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Form {
    coefficients: BTreeMap<Monomial, f64>,
    pub(super) error: f64,
}

impl Form {
    fn constant(number: f64) -> Form {
        Form { coefficients: BTreeMap::from([(Monomial::default(), number)]), error: 0.0 }
    }

    /// The monomials with their coefficients, and the constant.
    pub(super) fn split(&self) -> (Vec<(Monomial, f64)>, f64) {
        let one = Monomial::default();
        let others = self.coefficients.iter().filter(|(monomial, c)| **monomial != one && **c != 0.0);
        let constant = self.coefficients.get(&one).copied().unwrap_or(0.0);
        (others.map(|(monomial, c)| (monomial.clone(), *c)).collect(), constant)
    }
}

/// The forms of the terms of a part.
pub(super) struct Forms<'a> {
    pub(super) terms: &'a Terms,
    store: &'a Store,
    view: View,
    definitions: FxHashMap<VarId, TermId>,
    /// The terms that are atoms, and how they are read.
    pub(super) atoms: Vec<(TermId, Signedness)>,
    ranges: Vec<Range>,
    atom_of: FxHashMap<(TermId, Signedness), u32>,
    known: FxHashMap<(TermId, Signedness), Option<Form>>,
}

impl<'a> Forms<'a> {
    pub(super) fn new(terms: &'a Terms, store: &'a Store, definitions: &[(VarId, TermId)], view: View) -> Forms<'a> {
        Forms {
            terms,
            store,
            view,
            definitions: definitions.iter().copied().collect(),
            atoms: Vec::new(),
            ranges: Vec::new(),
            atom_of: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// The form of `a - b`.
    pub(super) fn difference(&mut self, a: TermId, b: TermId, reading: Signedness) -> Option<Form> {
        let (mut a, b) = (self.form(a, reading)?, self.form(b, reading)?);
        self.add(&mut a, &b, -1.0)?;
        Some(a)
    }

    /// Between which numbers a monomial is.
    pub(super) fn range(&self, monomial: &Monomial) -> Range {
        let mut product = Range { lo: 1.0, hi: 1.0 };
        let mut atoms = monomial.0.as_slice();
        while let [first, rest @ ..] = atoms {
            let of_first = self.ranges[*first as usize];
            let (factor, rest) = match rest {
                [second, rest @ ..] if second == first => (of_first.squared(), rest),
                _ => (of_first, rest),
            };
            product = if product.lo == 1.0 && product.hi == 1.0 { factor } else { product.times(factor) };
            atoms = rest;
        }
        product
    }

    /// The form of a term, operands first on a stack of our own.
    fn form(&mut self, root: TermId, reading: Signedness) -> Option<Form> {
        let mut stack = vec![(root, reading)];
        while let Some(&(term, reading)) = stack.last() {
            if self.known.contains_key(&(term, reading)) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let missing = self.needed(term, reading).into_iter().filter(|need| !self.known.contains_key(need));
            stack.extend(missing.collect::<Vec<_>>());
            if stack.len() == before {
                let form = self.build(term, reading).or_else(|| self.atom(term, reading));
                self.known.insert((term, reading), form);
            }
        }
        self.known[&(root, reading)].clone()
    }

    /// What has to have forms before a term.
    fn needed(&self, term: TermId, reading: Signedness) -> Vec<(TermId, Signedness)> {
        match self.terms.node(term) {
            Node::Var(var) => {
                let definition = self.definitions.get(&var).filter(|&&body| self.terms.ty(body) == self.terms.ty(term));
                definition.map(|&body| (body, reading)).into_iter().collect()
            }
            Node::Unary(UnaryOp::FloatNeg | UnaryOp::FloatAbs, a) => vec![(a, reading)],
            Node::Binary(op, a, b) if is_arithmetic(op) => vec![(a, reading), (b, reading)],
            Node::Convert(Conversion::FloatToFloat(..) | Conversion::SignedToFloat(..), a) => {
                vec![(a, Signedness::Signed)]
            }
            Node::Convert(Conversion::FloatToSigned(..) | Conversion::FloatToUnsigned(..), a)
                if self.view == View::Everyday =>
            {
                vec![(a, Signedness::Signed)]
            }
            Node::Convert(Conversion::UnsignedToFloat(..), a) => vec![(a, Signedness::Unsigned)],
            // With a zero on top, both readings of the result are the unsigned number.
            Node::Convert(Conversion::ZeroExtend(width), a) if width > self.terms.width(a) => {
                vec![(a, Signedness::Unsigned)]
            }
            Node::Convert(Conversion::SignExtend(_), a) if reading == Signedness::Signed => vec![(a, reading)],
            _ => Vec::new(),
        }
    }

    /// The form of a term from those of its operands; `None` where it has to be an atom.
    fn build(&mut self, term: TermId, reading: Signedness) -> Option<Form> {
        if let Some(value) = self.terms.value(term) {
            return Some(Form::constant(domain::number(value, reading)?));
        }
        let needed = self.needed(term, reading);
        let operand = |at: usize| self.known.get(needed.get(at)?)?.clone();
        let (a, b) = (operand(0)?, operand(1));
        let result = self.range_of(term, reading)?;
        match self.terms.node(term) {
            Node::Var(_) => Some(a),
            Node::Unary(UnaryOp::FloatNeg, _) => self.scaled(&a, -1.0),
            Node::Unary(UnaryOp::FloatAbs, x) => match self.range_of(x, reading)? {
                Range { lo: 0.0.., .. } => Some(a),
                Range { hi, .. } if hi <= 0.0 => self.scaled(&a, -1.0),
                _ => None,
            },
            Node::Binary(op, x, y) => match self.terms.ty(x) {
                Type::Float(_) => self.float_arithmetic(op, (x, a), (y, b?), result),
                Type::Int(_) => self.int_arithmetic(op, (x, a), (y, b?), reading),
            },
            Node::Convert(Conversion::ZeroExtend(_) | Conversion::SignExtend(_), _) => Some(a),
            Node::Convert(
                Conversion::FloatToFloat(format, rounding)
                | Conversion::SignedToFloat(format, rounding)
                | Conversion::UnsignedToFloat(format, rounding),
                _,
            ) => Some(Form { error: up(a.error + domain::rounding_error(format, rounding, result)), ..a }),
            Node::Convert(Conversion::FloatToSigned(..) | Conversion::FloatToUnsigned(..), _) => {
                Some(Form { error: a.error + 1.0, ..a })
            }
            _ => None,
        }
    }

    fn float_arithmetic(
        &self,
        op: BinaryOp,
        (x, a): (TermId, Form),
        (y, b): (TermId, Form),
        result: Range,
    ) -> Option<Form> {
        let format = self.terms.ty(x).format()?;
        let (mut form, rounding) = match op {
            BinaryOp::FloatAdd(rounding) => (self.sum(a, &b, 1.0)?, rounding),
            BinaryOp::FloatSub(rounding) => (self.sum(a, &b, -1.0)?, rounding),
            BinaryOp::FloatMul(rounding) => (self.product((x, &a), (y, &b), Signedness::Signed)?, rounding),
            BinaryOp::FloatDiv(rounding) => {
                let divisor = self.range_of(y, Signedness::Signed)?;
                if divisor.lo != divisor.hi || divisor.lo == 0.0 {
                    return None;
                }
                (self.divided(&a, divisor.lo)?, rounding)
            }
            _ => return None,
        };
        form.error = up(form.error + domain::rounding_error(format, rounding, result));
        Some(form)
    }

    /// Sums, differences and products that do not wrap.
    fn int_arithmetic(
        &self,
        op: BinaryOp,
        (x, a): (TermId, Form),
        (y, b): (TermId, Form),
        reading: Signedness,
    ) -> Option<Form> {
        let (of_x, of_y) = (self.int_domain(x)?, self.int_domain(y)?);
        let everyday = self.view == View::Everyday;
        match op {
            BinaryOp::Add if everyday || exact::sum_is_exact(&of_x, &of_y, reading) => self.sum(a, &b, 1.0),
            BinaryOp::Sub if everyday || exact::difference_is_exact(&of_x, &of_y, reading) => self.sum(a, &b, -1.0),
            BinaryOp::Mul if exact::product_is_exact(&of_x, &of_y, reading) => self.product((x, &a), (y, &b), reading),
            _ => None,
        }
    }

    /// The term itself, as an atom.
    fn atom(&mut self, term: TermId, reading: Signedness) -> Option<Form> {
        let range = self.range_of(term, reading)?;
        // A number that is the same in both readings is one atom.
        let reading = if range.lo >= 0.0 { Signedness::Unsigned } else { reading };
        let next = u32::try_from(self.atoms.len()).ok()?;
        let atom = *self.atom_of.entry((term, reading)).or_insert(next);
        if atom == next {
            self.atoms.push((term, reading));
            self.ranges.push(range);
        }
        Some(Form { coefficients: BTreeMap::from([(Monomial::atom(atom), 1.0)]), error: 0.0 })
    }

    fn sum(&self, mut a: Form, b: &Form, factor: f64) -> Option<Form> {
        self.add(&mut a, b, factor)?;
        Some(a)
    }

    fn scaled(&self, a: &Form, factor: f64) -> Option<Form> {
        self.sum(Form::default(), a, factor)
    }

    /// `a += factor * b`.
    fn add(&self, a: &mut Form, b: &Form, factor: f64) -> Option<()> {
        a.error = up(a.error + up(b.error * factor.abs()));
        for (monomial, &coefficient) in &b.coefficients {
            self.add_monomial(a, monomial.clone(), coefficient, factor)?;
        }
        (a.coefficients.len() <= policy::RELAX_MONOMIALS.size()).then_some(())
    }

    /// Adds a monomial with the product of two numbers as its coefficient.
    fn add_monomial(&self, form: &mut Form, monomial: Monomial, x: f64, y: f64) -> Option<()> {
        let magnitude = self.range(&monomial).magnitude();
        let product = x * y;
        let of_product = x.mul_add(y, -product);
        let known = form.coefficients.entry(monomial).or_insert(0.0);
        let sum = *known + product;
        let part = sum - *known;
        let of_sum = (*known - (sum - part)) + (product - part);
        *known = sum;
        let lost = up(of_product.abs() + of_sum.abs());
        if of_product != 0.0 || of_sum != 0.0 {
            form.error = up(form.error + up(lost * magnitude));
        }
        // Products near the least numbers lose bits that are not accounted for.
        let safe = product == 0.0 && (x == 0.0 || y == 0.0) || product.abs() > 1e-250;
        (safe && sum.is_finite() && form.error.is_finite()).then_some(())
    }

    /// The form of a product: with `x = p + d` and `y = q + e`, it is `p * q` up to `d * y + p * e`.
    fn product(&self, (x, a): (TermId, &Form), (y, b): (TermId, &Form), reading: Signedness) -> Option<Form> {
        let of_x = self.range_of(x, reading)?.magnitude();
        let of_y = self.range_of(y, reading)?.magnitude();
        let error = up(up(a.error * of_y) + up(b.error * up(of_x + a.error)));
        let mut form = Form { coefficients: BTreeMap::new(), error };
        for (m, &c) in &a.coefficients {
            for (n, &d) in &b.coefficients {
                let monomial = m.times(n);
                if monomial.0.len() > policy::RELAX_DEGREE.size() {
                    return None;
                }
                self.add_monomial(&mut form, monomial, c, d)?;
            }
        }
        (form.coefficients.len() <= policy::RELAX_MONOMIALS.size()).then_some(form)
    }

    fn divided(&self, a: &Form, divisor: f64) -> Option<Form> {
        let mut form = Form { coefficients: BTreeMap::new(), error: up(a.error / divisor.abs()) };
        for (monomial, &coefficient) in &a.coefficients {
            let quotient = coefficient / divisor;
            let lost = up(quotient.abs() * f64::EPSILON);
            form.error = up(form.error + up(lost * self.range(monomial).magnitude()));
            let safe = coefficient == 0.0 || quotient.abs() > 1e-250 && quotient.is_finite();
            if !safe || !form.error.is_finite() {
                return None;
            }
            form.coefficients.insert(monomial.clone(), quotient);
        }
        Some(form)
    }
}

/// Whether forms follow the operator.
fn is_arithmetic(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::FloatAdd(_)
            | BinaryOp::FloatSub(_)
            | BinaryOp::FloatMul(_)
            | BinaryOp::FloatDiv(_)
    )
}
