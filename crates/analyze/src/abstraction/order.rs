//! How two values compare of which one was read where there is no cell, `if (a[m] == key) ...; if (a[m] < key)`, and
//! which numbers a value is not: `if (*s == ' ' || *s == '\t')`.
//!
//! Intervals do not know which values belong together and have no holes, and octagons know cells alone. What is kept here is for each pair
//! which of less, equal and greater are left, as signed and as unsigned numbers; the two share "equal".

use super::cell::{Key, Object};
use super::reads::Spot;
use super::transfer::Walk;
use clew_ir::{InstKind, Operand};
use clew_scalar::{BinaryOp, Conversion, Value};
use clew_solver::domain::Conflict;

/// Outcomes of a comparison of two values.
const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;
const ANY: u8 = LESS | EQUAL | GREATER;

/// Where a value is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Home {
    Cell(Key),
    Spot(Spot),
    /// A number is at home everywhere.
    Number(Value),
}

/// A value in memory or a number, extended to more bits or not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    home: Home,
    extended: Option<Conversion>,
}

/// Two values, one of them in memory; the first is the lower in the order of homes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair(Side, Side);

/// How they may compare: sets of outcomes, none of them empty, that agree on "equal".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Orders {
    signed: u8,
    unsigned: u8,
}

impl Home {
    fn mentions(&self, gone: &dyn Fn(&Key) -> bool) -> bool {
        match self {
            Home::Cell(key) => gone(key),
            Home::Spot(spot) => spot.mentions(gone),
            Home::Number(_) => false,
        }
    }

    fn concerns(&self, object: Object) -> bool {
        match self {
            Home::Cell(key) => key.0 == object,
            Home::Spot(spot) => spot.concerns(object),
            Home::Number(_) => false,
        }
    }
}

impl Side {
    fn new(walk: &Walk<'_>, operand: Operand) -> Option<Side> {
        let temp = match operand {
            Operand::Temp(temp) => temp,
            Operand::Const(value) => return Some(Side { home: Home::Number(value), extended: None }),
            _ => return None,
        };
        let (temp, extended) = match walk.defined.get(&temp) {
            Some(InstKind::Convert {
                op: op @ (Conversion::SignExtend(_) | Conversion::ZeroExtend(_)),
                a: Operand::Temp(inner),
                ..
            }) => (*inner, Some(*op)),
            _ => (temp, None),
        };
        let spot = walk.spots.get(&temp).map(|spot| Home::Spot(spot.clone()));
        let home = spot.or_else(|| walk.loaded.get(&temp).map(|key| Home::Cell(*key)))?;
        Some(Side { home, extended })
    }
}

impl Pair {
    /// Two operands, and whether they change places; `None` if both are in cells or numbers, or in nothing that is known.
    pub(crate) fn new(walk: &Walk<'_>, a: Operand, b: Operand) -> Option<(Pair, bool)> {
        let (a, b) = (Side::new(walk, a)?, Side::new(walk, b)?);
        match (&a.home, &b.home) {
            (Home::Cell(_), Home::Cell(_)) | (Home::Number(_), Home::Number(_)) => return None,
            _ => {}
        }
        Some(if a <= b { (Pair(a, b), false) } else { (Pair(b, a), true) })
    }

    /// A spot and what was written there, if that is in a cell.
    pub(crate) fn written(walk: &Walk<'_>, spot: &Spot, value: Operand) -> Option<(Pair, bool)> {
        let (a, b) = (Side { home: Home::Spot(spot.clone()), extended: None }, Side::new(walk, value)?);
        let is_cell = matches!(b.home, Home::Cell(_));
        is_cell.then(|| if a <= b { (Pair(a, b), false) } else { (Pair(b, a), true) })
    }

    pub(crate) fn mentions(&self, gone: &dyn Fn(&Key) -> bool) -> bool {
        self.0.home.mentions(gone) || self.1.home.mentions(gone)
    }

    /// The spots among them.
    pub(crate) fn spots(&self) -> impl Iterator<Item = &Spot> {
        [&self.0.home, &self.1.home].into_iter().filter_map(|home| match home {
            Home::Spot(spot) => Some(spot),
            _ => None,
        })
    }

    /// The same of a spot that is now told in another way; `None` if there are two of them.
    pub(crate) fn moved(&self, told: &dyn Fn(&Spot) -> Option<Spot>) -> Option<Pair> {
        let side = |side: &Side| match &side.home {
            Home::Spot(spot) => Some(Side { home: Home::Spot(told(spot)?), ..side.clone() }),
            _ => Some(side.clone()),
        };
        (self.spots().count() == 1).then(|| Some(Pair(side(&self.0)?, side(&self.1)?)))?
    }

    /// Whether a value is compared with a number: intervals say the rest, but that they differ.
    pub(crate) fn has_number(&self) -> bool {
        [&self.0.home, &self.1.home].iter().any(|home| matches!(home, Home::Number(_)))
    }

    /// Whether it depends on what an object holds.
    pub(crate) fn concerns(&self, object: Object) -> bool {
        self.0.home.concerns(object) || self.1.home.concerns(object)
    }
}

impl Orders {
    /// What an integer comparison says by its outcome; `None` of other operators.
    pub(crate) fn told(op: BinaryOp, outcome: bool, are_swapped: bool) -> Option<Orders> {
        let holds = match op {
            BinaryOp::Eq => EQUAL,
            BinaryOp::Ne => LESS | GREATER,
            BinaryOp::Slt | BinaryOp::Ult => LESS,
            BinaryOp::Sle | BinaryOp::Ule => LESS | EQUAL,
            _ => return None,
        };
        let left = if outcome { holds } else { ANY & !holds };
        let left = if are_swapped { mirrored(left) } else { left };
        Some(match op {
            BinaryOp::Slt | BinaryOp::Sle => Orders { signed: left, unsigned: ANY },
            BinaryOp::Ult | BinaryOp::Ule => Orders { signed: ANY, unsigned: left },
            _ => Orders { signed: left, unsigned: left },
        })
    }

    /// Whether two values are known to differ, and nothing else is known.
    pub(crate) fn is_hole(self) -> bool {
        self.signed == LESS | GREATER && self.unsigned == LESS | GREATER
    }

    /// What is left of two.
    pub(crate) fn meet(self, other: Orders) -> Result<Orders, Conflict> {
        let (mut signed, mut unsigned) = (self.signed & other.signed, self.unsigned & other.unsigned);
        for _ in 0..2 {
            (signed, unsigned) = (signed & as_told_by(unsigned), unsigned & as_told_by(signed));
        }
        if signed == 0 || unsigned == 0 { Err(Conflict) } else { Ok(Orders { signed, unsigned }) }
    }

    /// What holds if one of them does; `None` if that is nothing.
    pub(crate) fn join(self, other: Orders) -> Option<Orders> {
        let joined = Orders { signed: self.signed | other.signed, unsigned: self.unsigned | other.unsigned };
        (joined != Orders { signed: ANY, unsigned: ANY }).then_some(joined)
    }
}

/// Outcomes with the operands in the other order.
fn mirrored(outcomes: u8) -> u8 {
    outcomes & EQUAL | if outcomes & LESS != 0 { GREATER } else { 0 } | if outcomes & GREATER != 0 { LESS } else { 0 }
}

/// What outcomes of one kind leave of the other: they are equal in both, or in none.
fn as_told_by(outcomes: u8) -> u8 {
    match (outcomes & EQUAL != 0, outcomes & !EQUAL != 0) {
        (true, true) => ANY,
        (true, false) => EQUAL,
        (false, true) => LESS | GREATER,
        (false, false) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::Orders;
    use clew_scalar::{BinaryOp, Value, eval};

    const OPS: [BinaryOp; 6] = [BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Slt, BinaryOp::Sle, BinaryOp::Ult, BinaryOp::Ule];

    /// Two comparisons contradict only if no two values give them both, and one of the same values never.
    #[test]
    fn what_comparisons_say_holds_of_all_values() {
        let holds = |op: BinaryOp, a: u128, b: u128| eval::binary(op, Value::int(3, a), Value::int(3, b)).bits == 1;
        let values = || (0..8_u128).flat_map(|a| (0..8_u128).map(move |b| (a, b)));
        for (first, second) in OPS.iter().flat_map(|first| OPS.iter().map(move |second| (*first, *second))) {
            for outcomes in 0..8 {
                let [x, y, swapped] = [1, 2, 4].map(|bit| outcomes & bit != 0);
                let told = |op, outcome, swapped| Orders::told(op, outcome, swapped).expect("it is a comparison");
                let met = told(first, x, false).meet(told(second, y, swapped));
                let happens = values().any(|(a, b)| {
                    let (c, d) = if swapped { (b, a) } else { (a, b) };
                    holds(first, a, b) == x && holds(second, c, d) == y
                });
                assert_eq!(met.is_ok(), happens, "{first:?} {x} {second:?} {y} {swapped}");
            }
        }
    }
}
