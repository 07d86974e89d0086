//! Polynomial equations of low degree between variables, by linear algebra over the values seen.
//!
//! Each monomial is a column, each state seen a row; an equation is a vector that all rows annihilate. The null space is computed
//! modulo a prime, its vectors are read as rationals, and each is checked on all rows in exact integers.

use clew_ir::contract::{BinaryOp, CompareOp, Predicate, Sort, Term, TermKind};

use super::Known;
use crate::policy;

/// The prime modulo which equations are found: 2^61 - 1.
const PRIME: i128 = (1 << 61) - 1;

/// The exponents of the variables.
type Monomial = Vec<u32>;

/// Equations that hold in all rows, the greatest degree that there are rows enough for.
pub(super) fn equations(rows: &[Vec<i128>], columns: &[Known]) -> Vec<Predicate> {
    for degree in [3, 2, 1] {
        let monomials = monomials(columns.len(), degree);
        if monomials.len() <= policy::MAX_MONOMIALS.size()
            && rows.len() >= monomials.len() + policy::SPARE_SAMPLES.size()
        {
            return found(rows, columns, &monomials);
        }
    }
    Vec::new()
}

fn found(rows: &[Vec<i128>], columns: &[Known], monomials: &[Monomial]) -> Vec<Predicate> {
    let value = |row: &[i128], monomial: &Monomial| {
        let factors = row.iter().zip(monomial).flat_map(|(number, times)| (0..*times).map(move |_| *number));
        factors.into_iter().try_fold(1i128, i128::checked_mul)
    };
    let matrix: Option<Vec<Vec<i128>>> =
        rows.iter().map(|row| monomials.iter().map(|monomial| value(row, monomial)).collect()).collect();
    let Some(matrix) = matrix else { return Vec::new() };
    let mut leading: Vec<&Monomial> = Vec::new();
    let mut equations = Vec::new();
    for (free, vector) in null_space(&matrix, monomials.len()) {
        // Multiples of an equation say nothing new.
        if leading.iter().any(|known| known.iter().zip(&monomials[free]).all(|(a, b)| a <= b)) {
            continue;
        }
        let Some(coefficients) = integers(&vector) else { continue };
        let holds = |row: &Vec<i128>| {
            let sum = row.iter().zip(&coefficients).try_fold(0i128, |sum, (x, c)| sum.checked_add(x.checked_mul(*c)?));
            sum == Some(0)
        };
        if matrix.iter().all(holds) {
            leading.push(&monomials[free]);
            equations.push(predicate(&coefficients, monomials, columns));
        }
        if equations.len() == policy::MAX_EQUATIONS.size() {
            break;
        }
    }
    equations
}

/// All monomials up to a degree, by degree.
fn monomials(variables: usize, degree: u32) -> Vec<Monomial> {
    let mut all = vec![vec![0; variables]];
    let mut last = all.clone();
    for _ in 0..degree {
        let mut next: Vec<Monomial> = Vec::new();
        for monomial in &last {
            // Each monomial is made once: by multiplying with variables not before its last one.
            let from = monomial.iter().rposition(|times| *times > 0).unwrap_or(0);
            for variable in from..variables {
                let mut product = monomial.clone();
                product[variable] += 1;
                next.push(product);
            }
        }
        all.extend(next.iter().cloned());
        last = next;
        if all.len() > policy::MAX_MONOMIALS.size() {
            break;
        }
    }
    all
}

fn modulo(number: i128) -> i128 {
    number.rem_euclid(PRIME)
}

fn inverse(number: i128) -> i128 {
    let (mut result, mut base, mut exponent) = (1, number, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % PRIME;
        }
        base = base * base % PRIME;
        exponent >>= 1;
    }
    result
}

/// A basis of the vectors that all rows annihilate, modulo the prime: for each column that depends on those before it, the
/// vector that says how.
fn null_space(matrix: &[Vec<i128>], columns: usize) -> Vec<(usize, Vec<i128>)> {
    let mut rows: Vec<Vec<i128>> =
        matrix.iter().map(|row| row.iter().map(|number| modulo(*number)).collect()).collect();
    let mut pivots: Vec<usize> = Vec::new();
    let mut free = Vec::new();
    for column in 0..columns {
        let rank = pivots.len();
        let Some(found) = (rank..rows.len()).find(|row| rows[*row][column] != 0) else {
            free.push(column);
            continue;
        };
        rows.swap(rank, found);
        let factor = inverse(rows[rank][column]);
        rows[rank].iter_mut().for_each(|number| *number = *number * factor % PRIME);
        let pivot = rows[rank].clone();
        for (at, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if at != rank && factor != 0 {
                row.iter_mut().zip(&pivot).for_each(|(number, of)| *number = modulo(*number - factor * of % PRIME));
            }
        }
        pivots.push(column);
    }
    let vector = |column: &usize| {
        let mut vector = vec![0; columns];
        vector[*column] = 1;
        for (row, pivot) in pivots.iter().enumerate() {
            vector[*pivot] = modulo(-rows[row][*column]);
        }
        (*column, vector)
    };
    free.iter().map(vector).collect()
}

/// Small integers proportional to numbers modulo the prime.
fn integers(vector: &[i128]) -> Option<Vec<i128>> {
    let fractions: Vec<(i128, i128)> = vector.iter().map(|number| fraction(*number)).collect::<Option<_>>()?;
    let common = fractions.iter().try_fold(1, |common: i128, (_, below)| {
        let multiple = common / gcd(common, *below) * below;
        (multiple <= i128::from(policy::MAX_COEFFICIENT.get())).then_some(multiple)
    })?;
    let scaled: Vec<i128> = fractions.iter().map(|(above, below)| above * (common / below)).collect();
    scaled.iter().all(|number| number.abs() <= i128::from(policy::MAX_COEFFICIENT.get())).then_some(scaled)
}

/// A fraction of small numbers equal to a number modulo the prime (Wang 1981).
fn fraction(number: i128) -> Option<(i128, i128)> {
    let (mut a, mut b) = ((PRIME, 0), (number, 1));
    while b.0 > i128::from(policy::MAX_COEFFICIENT.get()) {
        let quotient = a.0 / b.0;
        (a, b) = (b, (a.0 - quotient * b.0, a.1 - quotient * b.1));
    }
    let (above, below) = if b.1 < 0 { (-b.0, -b.1) } else { b };
    (below != 0 && below <= i128::from(policy::MAX_COEFFICIENT.get())).then_some((above, below))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// An equation with the monomials of positive coefficients on the left and the others on the right.
fn predicate(coefficients: &[i128], monomials: &[Monomial], columns: &[Known]) -> Predicate {
    let side = |sign: i128| {
        let parts = coefficients.iter().zip(monomials).rev().filter(|(coefficient, _)| *coefficient * sign > 0);
        let parts = parts.map(|(coefficient, monomial)| product(coefficient.abs(), monomial, columns));
        parts.reduce(|sum, part| binary(BinaryOp::Add, sum, part)).unwrap_or_else(|| Term::integer(0))
    };
    Predicate::Compare { op: CompareOp::Eq, a: side(1), b: side(-1) }
}

fn product(coefficient: i128, monomial: &Monomial, columns: &[Known]) -> Term {
    let times = monomial.iter().zip(columns).flat_map(|(times, known)| (0..*times).map(move |_| known.term()));
    let first = (coefficient != 1 || monomial.iter().all(|times| *times == 0)).then(|| Term::integer(coefficient));
    let product = first.into_iter().chain(times).reduce(|product, factor| binary(BinaryOp::Mul, product, factor));
    product.unwrap_or_else(|| Term::integer(coefficient))
}

pub(crate) fn binary(op: BinaryOp, a: Term, b: Term) -> Term {
    Term { kind: TermKind::Binary(op, Box::new(a), Box::new(b)), sort: Sort::Integer }
}

#[cfg(test)]
mod tests {
    use super::{integers, null_space};

    /// `2 s = i (i - 1)` is found from a few rows.
    #[test]
    fn an_equation_is_found_from_values() {
        let rows: Vec<Vec<i128>> = (0..8).map(|i| vec![1, i, i * (i - 1) / 2, i * i]).collect();
        let space = null_space(&rows, 4);
        assert_eq!(space.len(), 1);
        assert_eq!(integers(&space[0].1), Some(vec![0, -1, -2, 1]));
    }
}
