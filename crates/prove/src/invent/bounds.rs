//! Bounds of variables, of their differences and of their sums: the extreme values seen.

use clew_ir::contract::{BinaryOp, CompareOp, Predicate, Term};

use super::Known;
use super::polynomial::binary;
use crate::policy;

/// Bounds that hold in all rows.
pub(super) fn bounds(rows: &[Vec<i128>], columns: &[Known], changes: &dyn Fn(&Known) -> bool) -> Vec<Predicate> {
    let mut found = Vec::new();
    let extremes = |form: &dyn Fn(&[i128]) -> i128| {
        let values = || rows.iter().map(|row| form(row));
        (values().min().unwrap_or(0), values().max().unwrap_or(0))
    };
    let mut single = Vec::new();
    for (at, known) in columns.iter().enumerate() {
        let (least, most) = extremes(&|row| row[at]);
        single.push((least, most));
        found.extend(between(known.term(), least, most));
    }
    for first in 0..columns.len() {
        for second in first + 1..columns.len() {
            if !changes(&columns[first]) && !changes(&columns[second]) {
                continue;
            }
            let ((a_low, a_high), (b_low, b_high)) = (single[first], single[second]);
            let terms = || (columns[first].term(), columns[second].term());
            let (least, most) = extremes(&|row| row[first] - row[second]);
            let (a, b) = terms();
            // Bounds that follow from those of the variables say nothing new.
            found.extend((least > a_low - b_high).then(|| at_most(b.clone(), a.clone(), -least)).flatten());
            found.extend((most < a_high - b_low).then(|| at_most(a, b, most)).flatten());
            let (least, most) = extremes(&|row| row[first] + row[second]);
            let (a, b) = terms();
            let sum = binary(BinaryOp::Add, a, b);
            let (least, most) = ((least > a_low + b_low).then_some(least), (most < a_high + b_high).then_some(most));
            found.extend(least.and_then(|least| compared(Term::integer(least), sum.clone(), least)));
            found.extend(most.and_then(|most| compared(sum, Term::integer(most), most)));
        }
    }
    found.truncate(policy::MAX_BOUNDS.size());
    found.extend(multiples(rows, columns, changes));
    found.extend(congruences(rows, columns));
    found
}

/// Bounds of what is left of a variable when a multiple of another one is taken away, where both change.
fn multiples(rows: &[Vec<i128>], columns: &[Known], changes: &dyn Fn(&Known) -> bool) -> Vec<Predicate> {
    let mut found = Vec::new();
    let changing = || (0..columns.len()).filter(|at| changes(&columns[*at]));
    for (first, second) in changing().flat_map(|first| changing().map(move |second| (first, second))) {
        for factor in [2, 3].into_iter().filter(|_| first != second) {
            let values = || rows.iter().map(|row| row[first] - factor * row[second]);
            let (least, most) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
            let (a, b) = (columns[first].term(), columns[second].term());
            let b = binary(BinaryOp::Mul, Term::integer(factor), b);
            found.extend(
                (least.abs() <= i128::from(policy::NEAR_BOUND.get()))
                    .then(|| at_most(b.clone(), a.clone(), -least))
                    .flatten(),
            );
            found.extend((most.abs() <= i128::from(policy::NEAR_BOUND.get())).then(|| at_most(a, b, most)).flatten());
        }
    }
    found.truncate(policy::MAX_BOUNDS.size());
    found
}

/// What variables are modulo the greatest number that divides all their differences.
fn congruences(rows: &[Vec<i128>], columns: &[Known]) -> Vec<Predicate> {
    let mut found = Vec::new();
    for (at, known) in columns.iter().enumerate() {
        let first = rows[0][at];
        let divisor = rows.iter().fold(0, |divisor, row| gcd(divisor, (row[at] - first).abs()));
        if (2..=i128::from(policy::FAR_BOUND.get())).contains(&divisor) && rows.iter().all(|row| row[at] >= 0) {
            let rest = binary(BinaryOp::Rem, known.term(), Term::integer(divisor));
            let is = Term::integer(first.rem_euclid(divisor));
            found.push(Predicate::Compare { op: CompareOp::Eq, a: rest, b: is });
        }
    }
    found
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn between(term: Term, least: i128, most: i128) -> impl Iterator<Item = Predicate> {
    let below = compared(Term::integer(least), term.clone(), least);
    below.into_iter().chain(compared(term, Term::integer(most), most))
}

/// `a <= b + bound`
fn at_most(a: Term, b: Term, bound: i128) -> Option<Predicate> {
    let (a, b) = match bound {
        0 => (a, b),
        1.. => (a, binary(BinaryOp::Add, b, Term::integer(bound))),
        _ => (binary(BinaryOp::Add, a, Term::integer(-bound)), b),
    };
    compared(a, b, bound)
}

fn compared(a: Term, b: Term, bound: i128) -> Option<Predicate> {
    (bound.abs() <= i128::from(policy::FAR_BOUND.get())).then_some(Predicate::Compare { op: CompareOp::Le, a, b })
}
