//! The value of a variable before each turn of a loop, as a function of the number of turns made.
//!
//! A sequence is a sum of binomials of the turn `j`: `c0 + c1*j + c2*j(j-1)/2 + c3*j(j-1)(j-2)/6`, each coefficient a
//! polynomial over values that no turn changes. In this form sums over all turns, which is what a loop computes, only move
//! coefficients by one place. As a term it is a machine integer, exact modulo two to the width that is asked for.

use clew_scalar::{BinaryOp, Conversion};
use clew_solver::term::{TermId, Terms};

use super::polynomial::{Atom, Polynomial, Signedness, Symbol};
use crate::policy;

/// Bits that a sum of so many has more than each of them, and one for the sign.
const SUM_BITS: u32 = 3;

/// Bits of a number of turns, and those that it may use.
pub(super) const TURN_BITS: u8 = 32;
pub(super) const MOST_TURN_BITS: u8 = 25;

/// An integer by the number of turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sequence {
    /// By binomial; the last one is not zero, but for the first.
    coefficients: Vec<Polynomial>,
}

impl Sequence {
    /// What is the same in all turns.
    pub(super) fn fixed(value: Polynomial) -> Sequence {
        Sequence { coefficients: vec![value] }
    }

    fn new(mut coefficients: Vec<Polynomial>) -> Option<Sequence> {
        while coefficients.len() > 1 && coefficients.last()?.number() == Some(0) {
            coefficients.pop();
        }
        (coefficients.len() <= policy::MAX_SEQUENCE_DEGREE.size()).then_some(Sequence { coefficients })
    }

    /// Its degree as a polynomial of the number of turns.
    pub(super) fn degree(&self) -> usize {
        self.coefficients.len() - 1
    }

    /// Its value before the first turn.
    pub(super) fn first(&self) -> &Polynomial {
        &self.coefficients[0]
    }

    /// Its coefficients but the first.
    pub(super) fn later(&self) -> &[Polynomial] {
        &self.coefficients[1..]
    }

    fn coefficient(&self, at: usize) -> Polynomial {
        self.coefficients.get(at).cloned().unwrap_or_default()
    }

    /// By how much it grows in each turn.
    pub(super) fn growth(&self) -> Option<Sequence> {
        let later = self.later().to_vec();
        Sequence::new(if later.is_empty() { vec![Polynomial::default()] } else { later })
    }

    /// The sequence that begins with a value and grows by this one in each turn.
    pub(super) fn summed(&self, first: Polynomial) -> Option<Sequence> {
        Sequence::new([vec![first], self.coefficients.clone()].concat())
    }

    /// Its value one turn before, which for the first turn is what the same polynomial gives for -1.
    pub(super) fn before(&self) -> Option<Sequence> {
        let mut result: Vec<Polynomial> = Vec::new();
        for at in 0..self.coefficients.len() {
            let mut value = self.coefficient(at);
            for (far, later) in self.coefficients[at + 1..].iter().enumerate() {
                value = if far % 2 == 0 { value.minus(later)? } else { value.plus(later)? };
            }
            result.push(value);
        }
        Sequence::new(result)
    }

    /// Its sum with another one, taken so many times.
    pub(super) fn plus(&self, other: &Sequence, times: i128) -> Option<Sequence> {
        let length = self.coefficients.len().max(other.coefficients.len());
        let sum = |at| self.coefficient(at).plus(&other.coefficient(at).times(times)?);
        Sequence::new((0..length).map(sum).collect::<Option<_>>()?)
    }

    /// The same with a number added to each value.
    pub(super) fn shifted(&self, by: i128) -> Option<Sequence> {
        self.plus(&Sequence::fixed(Polynomial::constant(by)), 1)
    }

    /// Its product with another one.
    pub(super) fn product(&self, other: &Sequence) -> Option<Sequence> {
        let mut result = vec![Polynomial::default(); self.degree() + other.degree() + 1];
        for (i, a) in self.coefficients.iter().enumerate() {
            for (k, b) in other.coefficients.iter().enumerate() {
                let product = a.product(b)?;
                for (m, entry) in result.iter_mut().enumerate().take(i + k + 1).skip(i.max(k)) {
                    *entry = entry.plus(&product.times(overlap(m, i, k))?)?;
                }
            }
        }
        Sequence::new(result)
    }

    /// The same where symbols that may be read either way are read like this.
    pub(super) fn read(&self, signedness: Signedness) -> Option<Sequence> {
        Sequence::new(self.coefficients.iter().map(|value| value.read(signedness)).collect::<Option<_>>()?)
    }

    /// A width in which its values are exact in all turns as signed integers.
    pub(super) fn exact_width(&self, terms: &Terms) -> Option<u8> {
        let of = |(at, value): (usize, &Polynomial)| bits(terms, value) + at as u32 * u32::from(MOST_TURN_BITS);
        match self.coefficients.iter().enumerate().map(of).max().unwrap_or(0) + SUM_BITS {
            0..=64 => Some(64),
            65..=128 => Some(128),
            _ => None,
        }
    }

    /// Its value after so many turns, as an integer of a width.
    pub(super) fn after(&self, terms: &mut Terms, width: u8, turns: TermId) -> TermId {
        let mut sum = polynomial(terms, width, self.first());
        for (value, binomial) in self.later().iter().zip(binomials(terms, width, turns)) {
            let coefficient = polynomial(terms, width, value);
            let product = terms.binary(BinaryOp::Mul, coefficient, binomial);
            sum = terms.binary(BinaryOp::Add, sum, product);
        }
        sum
    }
}

/// How often the binomial `m` occurs in the product of the binomials `i` and `k`: `m! / ((m-i)! (m-k)! (i+k-m)!)`.
fn overlap(m: usize, i: usize, k: usize) -> i128 {
    let factorial = |n: usize| (1..=n as i128).product::<i128>();
    factorial(m) / (factorial(m - i) * factorial(m - k) * factorial(i + k - m))
}

/// The numbers of ways to choose one, two and three of the turns, modulo two to a width. Of `n` and `n - 1` one is even,
/// and three has an inverse.
fn binomials(terms: &mut Terms, width: u8, turns: TermId) -> [TermId; 3] {
    let one = terms.int(TURN_BITS, 1);
    let half = terms.binary(BinaryOp::LShr, turns, one);
    let less = terms.binary(BinaryOp::Sub, turns, one);
    let odd = terms.binary(BinaryOp::Or, less, one);
    let [first, half, odd] = [turns, half, odd].map(|term| resized(terms, width, term, Signedness::Unsigned));
    let second = terms.binary(BinaryOp::Mul, half, odd);
    let two = terms.int(width, 2);
    let less = terms.binary(BinaryOp::Sub, first, two);
    let third = terms.binary(BinaryOp::Mul, second, less);
    let inverse = terms.int(width, INVERSE_OF_THREE);
    [first, second, terms.binary(BinaryOp::Mul, third, inverse)]
}

/// Three times this is one modulo two to the power of 128.
const INVERSE_OF_THREE: u128 = 0xAAAA_AAAA_AAAA_AAAA_AAAA_AAAA_AAAA_AAAB;

/// The value of a polynomial over fixed values, as an integer of a width.
pub(super) fn polynomial(terms: &mut Terms, width: u8, value: &Polynomial) -> TermId {
    let mut sum = terms.int(width, 0);
    for (product, coefficient) in value.products() {
        let mut term = terms.int(width, coefficient as u128);
        for symbol in product {
            let factor = resized(terms, width, fixed(*symbol), symbol.signedness);
            term = terms.binary(BinaryOp::Mul, term, factor);
        }
        sum = terms.binary(BinaryOp::Add, sum, term);
    }
    sum
}

fn fixed(symbol: Symbol) -> TermId {
    match symbol.atom {
        Atom::Fixed(term) => term,
        Atom::Entry(_) => unreachable!("a sequence is over fixed values"),
    }
}

/// An integer as one of another width.
pub(super) fn resized(terms: &mut Terms, width: u8, term: TermId, signedness: Signedness) -> TermId {
    let own = terms.width(term);
    let op = match (own.cmp(&width), signedness) {
        (std::cmp::Ordering::Equal, _) => return term,
        (std::cmp::Ordering::Greater, _) => Conversion::Truncate(width),
        (std::cmp::Ordering::Less, Signedness::Unsigned) => Conversion::ZeroExtend(width),
        (std::cmp::Ordering::Less, _) => Conversion::SignExtend(width),
    };
    terms.convert(op, term)
}

/// Bits that hold a polynomial as a signed integer.
fn bits(terms: &Terms, value: &Polynomial) -> u32 {
    let of = |(product, coefficient): (&[Symbol], i128)| {
        let factors: u32 = product.iter().map(|symbol| u32::from(terms.width(fixed(*symbol)))).sum();
        factors + (128 - coefficient.unsigned_abs().leading_zeros())
    };
    let number = value.products().count() as u32;
    value.products().map(of).max().unwrap_or(0) + (32 - number.leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clew_solver::evaluate::Evaluator;
    use clew_solver::model::Model;

    /// The value of a sequence of numbers after so many turns, in 64 bits.
    fn after(sequence: &Sequence, turns: u128) -> i128 {
        let mut terms = Terms::new();
        let turns = terms.int(TURN_BITS, turns);
        let value = sequence.after(&mut terms, 64, turns);
        i128::from(Evaluator::new().value(&terms, &Model::default(), value).bits as i64)
    }

    fn numbers(coefficients: &[i128]) -> Sequence {
        Sequence::new(coefficients.iter().map(|value| Polynomial::constant(*value)).collect()).expect("short")
    }

    #[test]
    fn sums_and_products_are_those_of_every_turn() {
        let (a, b) = (numbers(&[5, -3]), numbers(&[2, 7, 4]));
        let product = a.product(&b).expect("of degree three");
        let sum = b.summed(Polynomial::constant(11)).expect("of degree three");
        let mut running = 11;
        for turn in 0..40 {
            assert_eq!(after(&product, turn), after(&a, turn) * after(&b, turn));
            assert_eq!(after(&sum, turn), running);
            running += after(&b, turn);
        }
    }

    #[test]
    fn the_turn_before_is_one_less() {
        let sequence = numbers(&[3, 5, -2, 9]);
        let before = sequence.before().expect("of the same degree");
        for turn in 1..20 {
            assert_eq!(after(&before, turn), after(&sequence, turn - 1));
        }
    }
}
