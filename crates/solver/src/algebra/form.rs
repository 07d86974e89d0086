//! Machine integers as polynomials over the mathematical integers, and assertions as facts about polynomials.
//!
//! A term has a polynomial in a reading, signed or unsigned, if the number that it is in this reading equals the
//! polynomial in every solution. Atoms are terms taken as they are. A sum, difference or product follows its operands
//! where the polynomial is known to stay within the reading: by the ranges of the atoms, and by facts: an assertion that bounds
//! a polynomial bounds those that differ from it by little.

use clew_scalar::{BinaryOp, Conversion, TernaryOp, Type, UnaryOp};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

use super::polynomial::{Monomial, Polynomial};
use crate::domain::int::IntDomain;
use crate::linear::exact::Signedness;
use crate::policy;
use crate::store::{Domain, Store};
use crate::term::{Node, TermId, Terms};

/// What an assertion says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// `p = 0`
    Zero(Polynomial),
    /// `p != 0`
    NotZero(Polynomial),
    /// `p <= 0`
    AtMostZero(Polynomial),
}

impl Fact {
    pub(super) fn polynomial(&self) -> &Polynomial {
        match self {
            Fact::Zero(polynomial) | Fact::NotZero(polynomial) | Fact::AtMostZero(polynomial) => polynomial,
        }
    }
}

/// The least and the greatest number, where they are known.
pub(super) type Bounds = (Option<i128>, Option<i128>);

/// The polynomials of terms.
pub(super) struct Forms<'a> {
    terms: &'a Terms,
    store: &'a Store,
    truths: &'a FxHashMap<TermId, bool>,
    atoms: RefCell<Vec<Bounds>>,
    atom_of: RefCell<FxHashMap<(TermId, Signedness), u32>>,
    known: RefCell<FxHashMap<(TermId, Signedness), Option<Polynomial>>>,
    /// Polynomials that are at most zero.
    rows: Vec<Polynomial>,
}

impl<'a> Forms<'a> {
    pub(super) fn new(terms: &'a Terms, store: &'a Store, truths: &'a FxHashMap<TermId, bool>) -> Forms<'a> {
        let (atoms, atom_of, known) = Default::default();
        Forms { terms, store, truths, atoms, atom_of, known, rows: Vec::new() }
    }

    /// The same with facts that may be used; atoms stay what they are.
    pub(super) fn knowing(self, facts: &[Fact]) -> Forms<'a> {
        let mut rows = Vec::new();
        for fact in facts {
            match fact {
                Fact::AtMostZero(polynomial) => rows.push(polynomial.clone()),
                Fact::Zero(polynomial) => {
                    rows.extend([Some(polynomial.clone()), polynomial.scaled(-1)].into_iter().flatten())
                }
                Fact::NotZero(_) => {}
            }
        }
        rows.truncate(policy::ALGEBRA_ROWS.size());
        Forms { rows, known: RefCell::default(), ..self }
    }

    /// The polynomial of a term.
    pub(super) fn form(&self, term: TermId, reading: Signedness) -> Option<Polynomial> {
        if let Some(known) = self.known.borrow().get(&(term, reading)) {
            return known.clone();
        }
        let built = self.build(term, reading).filter(|form| form.0.len() <= policy::ALGEBRA_MONOMIALS.size());
        let form = built.or_else(|| self.atom(term, reading));
        self.known.borrow_mut().insert((term, reading), form.clone());
        form
    }

    /// The polynomial that follows those of the operands.
    fn build(&self, term: TermId, reading: Signedness) -> Option<Polynomial> {
        if let Some(value) = self.terms.value(term) {
            return match reading {
                Signedness::Signed => Some(Polynomial::constant(value.signed())),
                Signedness::Unsigned => Some(Polynomial::constant(i128::try_from(value.bits).ok()?)),
            };
        }
        let width = self.terms.width(term);
        let within = |polynomial: Option<Polynomial>| polynomial.filter(|it| self.is_within(it, width, reading));
        match self.terms.node(term) {
            Node::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let factor = if op == BinaryOp::Add { 1 } else { -1 };
                let readings = [reading, Signedness::Signed];
                readings.into_iter().find_map(|inner| within(self.form(a, reading)?.sum(&self.form(b, inner)?, factor)))
            }
            Node::Binary(BinaryOp::Mul, a, b) => within(self.form(a, reading)?.product(&self.form(b, reading)?)),
            Node::Binary(BinaryOp::Shl, a, amount) => {
                let amount = u32::try_from(self.terms.bits(amount)?).ok().filter(|amount| *amount < 100)?;
                within(self.form(a, reading)?.scaled(1 << amount))
            }
            Node::Unary(UnaryOp::Neg, a) => within(self.form(a, Signedness::Signed)?.scaled(-1)),
            Node::Unary(UnaryOp::Not, a) => {
                within(self.form(a, Signedness::Signed)?.scaled(-1)?.sum(&Polynomial::constant(1), -1))
            }
            Node::Convert(Conversion::SignExtend(_), a) => within(Some(self.form(a, Signedness::Signed)?)),
            Node::Convert(Conversion::ZeroExtend(_), a) => within(Some(self.form(a, Signedness::Unsigned)?)),
            Node::Convert(Conversion::Truncate(_), a) | Node::Extract { lo: 0, of: a, .. } => {
                [Signedness::Signed, Signedness::Unsigned].into_iter().find_map(|inner| within(self.form(a, inner)))
            }
            Node::Ternary(TernaryOp::Select, condition, then, otherwise) => {
                let chosen = if self.truth(condition)? { then } else { otherwise };
                self.form(chosen, reading)
            }
            _ => None,
        }
    }

    fn truth(&self, term: TermId) -> Option<bool> {
        let negated = || match self.terms.node(term) {
            Node::Unary(UnaryOp::Not, inner) => self.truths.get(&inner).map(|value| !value),
            _ => None,
        };
        self.truths.get(&term).copied().or_else(negated)
    }

    /// Whether a polynomial is a number of a width and a reading in every solution.
    fn is_within(&self, polynomial: &Polynomial, width: u8, reading: Signedness) -> bool {
        let (least, most) = self.best_range(polynomial);
        let (low, high) = match reading {
            Signedness::Signed => (i128::MIN >> (128 - u32::from(width)), i128::MAX >> (128 - u32::from(width))),
            Signedness::Unsigned if width < 127 => (0, (1 << width) - 1),
            Signedness::Unsigned => (0, i128::MAX),
        };
        least.is_some_and(|least| low <= least) && most.is_some_and(|most| most <= high)
    }

    /// The term itself.
    fn atom(&self, term: TermId, reading: Signedness) -> Option<Polynomial> {
        let domain = self.domain(term)?;
        // A number that is the same in both readings is one atom.
        let reading = if domain.signed_min() >= 0 { Signedness::Signed } else { reading };
        let bounds = match reading {
            Signedness::Signed => (Some(domain.signed_min()), Some(domain.signed_max())),
            Signedness::Unsigned => {
                (i128::try_from(domain.unsigned_min()).ok(), i128::try_from(domain.unsigned_max()).ok())
            }
        };
        let mut atoms = self.atoms.borrow_mut();
        let next = u32::try_from(atoms.len()).ok()?;
        let atom = *self.atom_of.borrow_mut().entry((term, reading)).or_insert(next);
        if atom == next {
            atoms.push(bounds);
        }
        Some(Polynomial::atom(atom))
    }

    fn domain(&self, term: TermId) -> Option<IntDomain> {
        let Type::Int(width) = self.terms.ty(term) else { return None };
        match self.store.slot(term).map(|slot| self.store.domain(slot)) {
            Some(Domain::Int(domain)) if domain.width() == width => Some(*domain),
            _ => Some(IntDomain::top(width)),
        }
    }

    /// Between which numbers a product of atoms is.
    pub(super) fn range_of(&self, monomial: &Monomial) -> Bounds {
        let atoms = self.atoms.borrow();
        let mut range = (Some(1), Some(1));
        let mut left = monomial.0.as_slice();
        while let [first, rest @ ..] = left {
            let of_first = atoms[*first as usize];
            let same = left.iter().take_while(|atom| *atom == first).count();
            let (factor, rest) = if same >= 2 { (squared(of_first), &rest[1..]) } else { (of_first, rest) };
            range = times(range, factor);
            left = rest;
        }
        range
    }

    /// Between which numbers a polynomial is, by the ranges of its monomials.
    pub(super) fn range(&self, polynomial: &Polynomial) -> Bounds {
        let mut sum: Bounds = (Some(0), Some(0));
        for (monomial, coefficient) in &polynomial.0 {
            let part = times(self.range_of(monomial), (Some(*coefficient), Some(*coefficient)));
            sum = (add(sum.0, part.0), add(sum.1, part.1));
        }
        sum
    }

    /// The same, by facts too.
    fn best_range(&self, polynomial: &Polynomial) -> Bounds {
        let (mut least, mut most) = self.range(polynomial);
        for row in &self.rows {
            // `p = (p - row) + row`, where `row <= 0`; and `p = (p + row) - row`.
            if let Some(upper) = polynomial.sum(row, -1).and_then(|rest| self.range(&rest).1) {
                most = Some(most.map_or(upper, |most| most.min(upper)));
            }
            if let Some(lower) = polynomial.sum(row, 1).and_then(|rest| self.range(&rest).0) {
                least = Some(least.map_or(lower, |least| least.max(lower)));
            }
        }
        (least, most)
    }

    /// What is said by a truth value that is known.
    pub(super) fn facts(&self, term: TermId, value: bool) -> Vec<Fact> {
        let Node::Binary(op, a, b) = self.terms.node(term) else { return Vec::new() };
        if self.terms.ty(a) == Type::BOOL || !matches!(self.terms.ty(a), Type::Int(_)) {
            return Vec::new();
        }
        let facts = match (op, value) {
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                let both = [Signedness::Signed, Signedness::Unsigned];
                let mut facts: Vec<Fact> =
                    both.into_iter().filter_map(|reading| self.difference(a, b, reading).map(Fact::Zero)).collect();
                facts.dedup();
                return facts;
            }
            (BinaryOp::Eq, false) | (BinaryOp::Ne, true) => {
                self.difference(a, b, Signedness::Signed).map(Fact::NotZero)
            }
            (BinaryOp::Slt, true) | (BinaryOp::Sle, false) => {
                let (a, b) = if value { (a, b) } else { (b, a) };
                self.less(a, b, Signedness::Signed, 1)
            }
            (BinaryOp::Sle, true) | (BinaryOp::Slt, false) => {
                let (a, b) = if value { (a, b) } else { (b, a) };
                self.less(a, b, Signedness::Signed, 0)
            }
            (BinaryOp::Ult, true) | (BinaryOp::Ule, false) => {
                let (a, b) = if value { (a, b) } else { (b, a) };
                return self.below(a, b, 1);
            }
            (BinaryOp::Ule, true) | (BinaryOp::Ult, false) => {
                let (a, b) = if value { (a, b) } else { (b, a) };
                return self.below(a, b, 0);
            }
            _ => None,
        };
        facts.into_iter().collect()
    }

    /// What divisions by constants say: a number is the divisor times the quotient plus a remainder, which has the sign of
    /// the number.
    pub(super) fn quotients(&self, below: &[TermId]) -> Vec<Fact> {
        let all = below.iter().flat_map(|&term| self.quotient(term, below).unwrap_or_default());
        all.collect()
    }

    fn quotient(&self, term: TermId, below: &[TermId]) -> Option<Vec<Fact>> {
        let Node::Binary(op @ (BinaryOp::SDiv | BinaryOp::UDiv), a, b) = self.terms.node(term) else { return None };
        let (reading, rest) = match op {
            BinaryOp::SDiv => (Signedness::Signed, BinaryOp::SRem),
            _ => (Signedness::Unsigned, BinaryOp::URem),
        };
        let divisor = self.form(b, reading)?.as_constant().filter(|divisor| *divisor > 0)?;
        let number = self.form(a, reading)?;
        let left = number.sum(&self.form(term, reading)?, -divisor)?;
        let mut facts = Vec::new();
        let is_rest = |term: &&TermId| self.terms.node(**term) == Node::Binary(rest, a, b);
        if let Some(rest) = below.iter().find(is_rest).and_then(|rest| self.form(*rest, reading)) {
            facts.extend(left.sum(&rest, -1).map(Fact::Zero));
        }
        let (least, most) = self.best_range(&number);
        let at_most = |polynomial: Polynomial, bound: i128| {
            polynomial.sum(&Polynomial::constant(bound), -1).map(Fact::AtMostZero)
        };
        let above = if most.is_some_and(|most| most <= 0) { 0 } else { divisor - 1 };
        let below = if least.is_some_and(|least| least >= 0) { 0 } else { divisor - 1 };
        facts.extend(at_most(left.clone(), above));
        facts.extend(left.scaled(-1).and_then(|left| at_most(left, below)));
        Some(facts)
    }

    fn difference(&self, a: TermId, b: TermId, reading: Signedness) -> Option<Polynomial> {
        self.form(a, reading)?.sum(&self.form(b, reading)?, -1)
    }

    /// `a + by <= b`
    fn less(&self, a: TermId, b: TermId, reading: Signedness, by: i128) -> Option<Fact> {
        self.difference(a, b, reading)?.sum(&Polynomial::constant(by), 1).map(Fact::AtMostZero)
    }

    /// `a + by <= b` between unsigned numbers. If the signed number of `b` is not negative, that of `a` is not either; where
    /// `a` is a number moved by a constant, that number is in a range.
    fn below(&self, a: TermId, b: TermId, by: i128) -> Vec<Fact> {
        let mut facts: Vec<Fact> = self.less(a, b, Signedness::Unsigned, by).into_iter().collect();
        let of_b = self.form(b, Signedness::Signed);
        if of_b.as_ref().and_then(|form| self.best_range(form).0).is_some_and(|least| least >= 0) {
            facts.extend(self.less(a, b, Signedness::Signed, by));
            facts.extend(self.form(a, Signedness::Signed).and_then(|form| form.scaled(-1)).map(Fact::AtMostZero));
        }
        facts.extend(self.moved(a, b, by).unwrap_or_default());
        facts.dedup();
        facts
    }

    /// `x + offset` is below a constant, unsigned: `x` is in a range that wraps around, and if it does not go beyond the
    /// numbers of the signed reading, two inequalities say so.
    fn moved(&self, a: TermId, b: TermId, by: i128) -> Option<Vec<Fact>> {
        let Node::Binary(BinaryOp::Add, x, offset) = self.terms.node(a) else { return None };
        let offset = self.terms.value(offset)?.signed();
        let limit = i128::try_from(self.terms.bits(b)?).ok()?.checked_sub(by)?;
        let width = u32::from(self.terms.width(a));
        let low = offset.checked_neg()?;
        let high = low.checked_add(limit)?;
        let greatest = i128::MAX >> (128 - width);
        if limit < 0 || high > greatest || low > greatest {
            return None;
        }
        let form = self.form(x, Signedness::Signed)?;
        let above = form.scaled(-1)?.sum(&Polynomial::constant(low), 1)?;
        let below = form.sum(&Polynomial::constant(high), -1)?;
        Some(vec![Fact::AtMostZero(above), Fact::AtMostZero(below)])
    }
}

fn add(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    a?.checked_add(b?)
}

/// Between which numbers a product is.
fn times(a: Bounds, b: Bounds) -> Bounds {
    if a == (Some(0), Some(0)) || b == (Some(0), Some(0)) {
        return (Some(0), Some(0));
    }
    let ((Some(a_low), Some(a_high)), (Some(b_low), Some(b_high))) = (a, b) else { return half_open(a, b) };
    let corners = [(a_low, b_low), (a_low, b_high), (a_high, b_low), (a_high, b_high)];
    let products: Option<Vec<i128>> = corners.into_iter().map(|(x, y)| x.checked_mul(y)).collect();
    match products {
        Some(products) => (products.iter().min().copied(), products.iter().max().copied()),
        None => half_open(a, b),
    }
}

/// The same where the greatest number is not known: only the product of numbers that are not negative has a least one.
fn half_open(a: Bounds, b: Bounds) -> Bounds {
    match (a.0, b.0) {
        (Some(x @ 0..), Some(y @ 0..)) => (x.checked_mul(y).or(Some(0)), None),
        _ => (None, None),
    }
}

fn squared(a: Bounds) -> Bounds {
    let square = times(a, a);
    (Some(square.0.unwrap_or(0).max(0)), square.1)
}
