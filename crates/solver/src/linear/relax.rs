//! Linear relaxations of constraints that are not linear.
//!
//! Each function gives rows that every solution inside the ranges satisfies; `None` when a coefficient would overflow.
//! Sources: McCormick (1976) for products, Denmat, Gotlieb and Ducassé (CP 2007, sec. 4.3) for disequalities, Gotlieb (KER
//! 2012, sec. 3.3) for reified comparisons; the fourth product inequality as in the text, not as in the figure (erratum
//! E071).

use super::Row;

/// A variable and its least and greatest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// The variable's number.
    pub variable: usize,
    /// Least value.
    pub min: i128,
    /// Greatest value.
    pub max: i128,
}

/// `z = x * y`: the four products of distances to the bounds are not negative.
pub fn product(z: usize, x: Bounded, y: Bounded) -> Option<[Row; 4]> {
    // (x - x0) * (y - y0) >= 0 with z for x * y; an upper bound on one side turns the sign.
    let corner = |x0: i128, y0: i128, sign: i128| {
        let terms = [(z, -sign), (x.variable, sign.checked_mul(y0)?), (y.variable, sign.checked_mul(x0)?)];
        Some(Row::new(&terms, sign.checked_mul(x0.checked_mul(y0)?)?))
    };
    Some([corner(x.min, y.min, 1)?, corner(x.min, y.max, -1)?, corner(x.max, y.min, -1)?, corner(x.max, y.max, 1)?])
}

/// `x != y`: the corners of the box where both are equal are cut off. No rows when no corner is on the diagonal.
pub fn disequality(x: Bounded, y: Bounded) -> Option<Vec<Row>> {
    let mut rows = Vec::new();
    if x.min == y.min {
        let least = x.min.checked_add(y.min)?.checked_add(1)?;
        rows.push(Row::new(&[(x.variable, -1), (y.variable, -1)], least.checked_neg()?));
    }
    if x.max == y.max {
        let most = x.max.checked_add(y.max)?.checked_sub(1)?;
        rows.push(Row::new(&[(x.variable, 1), (y.variable, 1)], most));
    }
    Some(rows)
}

/// `r <=> x <= y` for `r` in 0..1.
pub fn reified_at_most(r: usize, x: Bounded, y: Bounded) -> Option<[Row; 2]> {
    // x - y <= (x.max - y.min) * (1 - r) and y - x + 1 <= (y.max - x.min + 1) * r
    let slack = x.max.checked_sub(y.min)?;
    let room = y.max.checked_sub(x.min)?.checked_add(1)?;
    Some([
        Row::new(&[(x.variable, 1), (y.variable, -1), (r, slack)], slack),
        Row::new(&[(y.variable, 1), (x.variable, -1), (r, room.checked_neg()?)], -1),
    ])
}
