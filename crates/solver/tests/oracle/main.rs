//! Every integer propagator against the definition of its operator in `clew_scalar`.

mod harness;

use clew_scalar::{BinaryOp, Conversion, UnaryOp, Value, eval};
use clew_solver::domain::Conflict;
use clew_solver::domain::boolean::BoolDomain;
use clew_solver::domain::int::IntDomain;
use clew_solver::propagate::int as propagators;
use harness::{Claim, Constraint, Dice};

type Unary = fn(&mut IntDomain, &mut IntDomain) -> Result<(), Conflict>;
type Binary = fn(&mut IntDomain, &mut IntDomain, &mut IntDomain) -> Result<(), Conflict>;
/// A family of constraints, one per width, handed to whoever hunts.
type Family<'a> = &'a dyn Fn(u8, &dyn Fn(Constraint<'_>));
type Compare = fn(&mut BoolDomain, &mut IntDomain, &mut IntDomain) -> Result<(), Conflict>;

/// No consistency is claimed.
const SOUND: Claim = |_| false;
/// The domains together are smaller than the ring, so that no two intervals can overlap at both ends.
const SPARSE: Claim = |domains| {
    let spans = domains.iter().map(|domain| domain.interval().span(domain.mask()));
    spans.sum::<u128>() < domains.iter().map(IntDomain::mask).max().unwrap_or(0)
};
/// All operands are unsigned ranges.
const UNSIGNED: Claim = |domains| domains.iter().all(|domain| !domain.interval().wraps());
/// All operands are signed ranges.
const SIGNED: Claim = |domains| domains.iter().all(|domain| domain.interval().signed_parts(domain.mask()).count() == 1);
/// Always.
const ALWAYS: Claim = |_| true;

/// Small rings in full, larger ones at random.
fn hunt(constraint: Family<'_>, narrow: &[u8], medium: &[u8], wide: &[u8]) {
    for &width in narrow {
        constraint(width, &|constraint| {
            constraint.every_assignment();
            constraint.every_interval_box(5_000);
            constraint.random_small_boxes(1_000);
        });
    }
    for &width in medium {
        constraint(width, &|constraint| {
            constraint.random_interval_boxes(200);
            constraint.random_small_boxes(200);
        });
    }
    for &width in wide {
        constraint(width, &|constraint| constraint.planted(1_000));
    }
}

fn check_binary(op: BinaryOp, propagator: Binary, claim: Claim) {
    let constraint = |width: u8, hunt: &dyn Fn(Constraint<'_>)| {
        hunt(Constraint {
            name: &format!("{op:?}"),
            widths: vec![width; 3],
            contract: &|domains| match domains {
                [result, a, b] => propagator(result, a, b),
                _ => unreachable!("three domains"),
            },
            meaning: &|operands| eval::binary(op, Value::int(width, operands[0]), Value::int(width, operands[1])).bits,
            claim,
        });
    };
    hunt(&constraint, &[1, 3], &[4, 7, 8], &[16, 32, 64, 128]);
}

fn check_compare(op: BinaryOp, propagator: Compare, claim: Claim) {
    let constraint = |width: u8, hunt: &dyn Fn(Constraint<'_>)| {
        hunt(Constraint {
            name: &format!("{op:?}"),
            widths: vec![1, width, width],
            contract: &|domains| match domains {
                [result, a, b] => {
                    let mut condition = BoolDomain::from(*result);
                    propagator(&mut condition, a, b)?;
                    *result = condition.into();
                    Ok(())
                }
                _ => unreachable!("three domains"),
            },
            meaning: &|operands| eval::binary(op, Value::int(width, operands[0]), Value::int(width, operands[1])).bits,
            claim,
        });
    };
    hunt(&constraint, &[1, 3], &[4, 7, 8], &[16, 32, 64, 128]);
}

fn check_unary(op: UnaryOp, propagator: Unary, claim: Claim, widths: [&[u8]; 3]) {
    let constraint = |width: u8, hunt: &dyn Fn(Constraint<'_>)| {
        hunt(Constraint {
            name: &format!("{op:?}"),
            widths: vec![width; 2],
            contract: &|domains| match domains {
                [result, a] => propagator(result, a),
                _ => unreachable!("two domains"),
            },
            meaning: &|operands| eval::unary(op, Value::int(width, operands[0])).bits,
            claim,
        });
    };
    hunt(&constraint, widths[0], widths[1], widths[2]);
}

fn check_conversion(from: u8, to: u8, op: Conversion, propagator: Unary, claim: Claim) {
    let constraint = Constraint {
        name: &format!("{op:?}"),
        widths: vec![to, from],
        contract: &|domains| match domains {
            [result, a] => propagator(result, a),
            _ => unreachable!("two domains"),
        },
        meaning: &|operands| eval::convert(op, Value::int(from, operands[0])).bits,
        claim,
    };
    match from.max(to) {
        0..=5 => {
            constraint.every_assignment();
            constraint.every_interval_box(15_000);
            constraint.random_small_boxes(1_000);
        }
        6..=12 => {
            constraint.random_interval_boxes(1_000);
            constraint.random_small_boxes(1_000);
        }
        _ => constraint.planted(1_000),
    }
}

const ANY: [&[u8]; 3] = [&[1, 3, 4], &[5, 7, 8, 9], &[16, 32, 64, 128]];
const BYTES: [&[u8]; 3] = [&[], &[8], &[16, 32, 64, 128]];

#[test]
fn add() {
    check_binary(BinaryOp::Add, propagators::add, SPARSE);
}

#[test]
fn sub() {
    check_binary(BinaryOp::Sub, propagators::sub, SPARSE);
}

#[test]
fn mul() {
    check_binary(BinaryOp::Mul, propagators::mul, SOUND);
}

/// Bounds consistent up to 64 bits, for any fixed factor.
#[test]
fn mul_by_a_constant() {
    for factor in [0, 1, 2, 3, 5, 12, 37, 100, 128, 171, 255] {
        let constraint = |width: u8, hunt: &dyn Fn(Constraint<'_>)| {
            let factor = if width > 8 { 0x9e37_79b9_7f4a_7c15 + factor } else { factor } & (u128::MAX >> (128 - width));
            hunt(Constraint {
                name: &format!("{factor} *"),
                widths: vec![width; 2],
                contract: &|domains| match domains {
                    [result, a] => propagators::mul(result, a, &mut IntDomain::singleton(width, factor)),
                    _ => unreachable!("two domains"),
                },
                meaning: &|operands| operands[0].wrapping_mul(factor) & (u128::MAX >> (128 - width)),
                claim: ALWAYS,
            });
        };
        hunt(&constraint, &[3, 5], &[7, 8, 9], &[16, 32, 64, 128]);
    }
}

#[test]
fn udiv() {
    check_binary(BinaryOp::UDiv, propagators::udiv, SOUND);
}

#[test]
fn sdiv() {
    check_binary(BinaryOp::SDiv, propagators::sdiv, SOUND);
}

#[test]
fn urem() {
    check_binary(BinaryOp::URem, propagators::urem, SOUND);
}

#[test]
fn srem() {
    check_binary(BinaryOp::SRem, propagators::srem, SOUND);
}

#[test]
fn and() {
    check_binary(BinaryOp::And, propagators::and, SOUND);
}

#[test]
fn or() {
    check_binary(BinaryOp::Or, propagators::or, SOUND);
}

#[test]
fn xor() {
    check_binary(BinaryOp::Xor, propagators::xor, SOUND);
}

#[test]
fn shl() {
    check_binary(BinaryOp::Shl, propagators::shl, SOUND);
}

#[test]
fn lshr() {
    check_binary(BinaryOp::LShr, propagators::lshr, SOUND);
}

#[test]
fn ashr() {
    check_binary(BinaryOp::AShr, propagators::ashr, SOUND);
}

#[test]
fn equal() {
    check_compare(BinaryOp::Eq, propagators::equal, SPARSE);
    check_compare(BinaryOp::Ne, propagators::not_equal, SPARSE);
}

#[test]
fn unsigned_order() {
    check_compare(BinaryOp::Ult, propagators::ult, UNSIGNED);
    check_compare(BinaryOp::Ule, propagators::ule, UNSIGNED);
}

#[test]
fn signed_order() {
    check_compare(BinaryOp::Slt, propagators::slt, SIGNED);
    check_compare(BinaryOp::Sle, propagators::sle, SIGNED);
}

#[test]
fn neg_and_not() {
    check_unary(UnaryOp::Neg, propagators::neg, ALWAYS, ANY);
    check_unary(UnaryOp::Not, propagators::not, ALWAYS, ANY);
}

#[test]
fn counts() {
    check_unary(UnaryOp::CountOnes, propagators::count_ones, SOUND, ANY);
    check_unary(UnaryOp::LeadingZeros, propagators::leading_zeros, UNSIGNED, ANY);
    check_unary(UnaryOp::TrailingZeros, propagators::trailing_zeros, SOUND, ANY);
}

#[test]
fn byte_swap() {
    check_unary(UnaryOp::ByteSwap, propagators::byte_swap, SOUND, BYTES);
}

#[test]
fn square() {
    let constraint = |width: u8, hunt: &dyn Fn(Constraint<'_>)| {
        hunt(Constraint {
            name: "square",
            widths: vec![width; 2],
            contract: &|domains| match domains {
                [result, a] => propagators::square(result, a),
                _ => unreachable!("two domains"),
            },
            meaning: &|operands| {
                let value = Value::int(width, operands[0]);
                eval::binary(BinaryOp::Mul, value, value).bits
            },
            claim: SOUND,
        });
    };
    hunt(&constraint, ANY[0], ANY[1], ANY[2]);
}

/// Narrowed when the result is zero, and never wrong otherwise.
#[test]
fn single() {
    let constraint = |width: u8, hunt: &dyn Fn(Constraint<'_>)| {
        hunt(Constraint {
            name: "without the lowest one",
            widths: vec![width; 2],
            contract: &|domains| match domains {
                [result, a] => {
                    propagators::single(result, a)?;
                    let mut less = IntDomain::top(width);
                    propagators::add(&mut less, a, &mut IntDomain::singleton(width, u128::MAX >> (128 - width)))?;
                    propagators::and(result, a, &mut less)
                }
                _ => unreachable!("two domains"),
            },
            meaning: &|operands| operands[0] & operands[0].wrapping_sub(1),
            claim: SOUND,
        });
    };
    hunt(&constraint, ANY[0], ANY[1], ANY[2]);
}

/// A fixed dividend and a fixed remainder leave divisors.
#[test]
fn divisors() {
    for (op, propagator) in [(BinaryOp::URem, propagators::urem as Binary), (BinaryOp::SRem, propagators::srem)] {
        for (dividend, rest) in
            [(0, 0), (1, 0), (24, 0), (37, 1), (97, 7), (120, 0), (128, 128), (200, 144), (255, 253)]
        {
            for (lo, hi) in [(0, 255), (2, 200), (130, 255), (90, 140), (3, 19)] {
                let remainder = |b: u128| eval::binary(op, Value::int(8, dividend), Value::int(8, b)).bits;
                let mut b = IntDomain::unsigned(8, lo, hi);
                let left =
                    propagator(&mut IntDomain::singleton(8, rest), &mut IntDomain::singleton(8, dividend), &mut b);
                let solutions: Vec<u128> = (lo..=hi).filter(|&b| remainder(b) == rest).collect();
                assert!(left.is_ok() || solutions.is_empty(), "{op:?} {dividend} {rest}");
                assert!(solutions.iter().all(|&value| b.contains(value)), "{op:?} {dividend} {rest}");
            }
        }
    }
}

#[test]
fn squares() {
    let constraint = |width: u8, hunt: &dyn Fn(Constraint<'_>)| {
        hunt(Constraint {
            name: "sum of squares",
            widths: vec![width; 3],
            contract: &|domains| match domains {
                [result, x, y] => {
                    let [mut a, mut b] = [IntDomain::top(width); 2];
                    propagators::square(&mut a, x)?;
                    propagators::square(&mut b, y)?;
                    propagators::squares(result, &mut a, &mut b)?;
                    propagators::square(&mut a, x)?;
                    propagators::square(&mut b, y)
                }
                _ => unreachable!("three domains"),
            },
            meaning: &|operands| {
                let [a, b] = [operands[0], operands[1]].map(|value| Value::int(width, value));
                let square = |value| eval::binary(BinaryOp::Mul, value, value);
                eval::binary(BinaryOp::Add, square(a), square(b)).bits
            },
            claim: SOUND,
        });
    };
    hunt(&constraint, &[1, 3], &[4, 7, 8], &[16, 32, 64, 128]);
}

#[test]
fn truncate() {
    for (from, to) in [(3, 1), (4, 3), (5, 2), (10, 3), (11, 7), (12, 8), (32, 8), (64, 32), (128, 64)] {
        check_conversion(from, to, Conversion::Truncate(to), propagators::truncate, ALWAYS);
    }
}

#[test]
fn zero_extend() {
    for (from, to) in [(1, 3), (3, 4), (2, 5), (3, 10), (7, 11), (8, 12), (8, 32), (32, 64), (64, 128)] {
        check_conversion(from, to, Conversion::ZeroExtend(to), propagators::zero_extend, UNSIGNED);
    }
}

#[test]
fn sign_extend() {
    for (from, to) in [(1, 3), (3, 4), (2, 5), (3, 10), (7, 11), (8, 12), (8, 32), (32, 64), (64, 128)] {
        check_conversion(from, to, Conversion::SignExtend(to), propagators::sign_extend, SIGNED);
    }
}

#[test]
fn extract() {
    for (from, low, to) in [(4u8, 1, 2), (4, 2, 2), (5, 1, 3), (8, 3, 4), (11, 2, 7), (10, 7, 3), (64, 8, 16)] {
        let constraint = Constraint {
            name: "extract",
            widths: vec![to, from],
            contract: &|domains| match domains {
                [result, a] => propagators::extract(result, a, low),
                _ => unreachable!("two domains"),
            },
            meaning: &|operands| Value::int(to, operands[0] >> low).bits,
            claim: if low + to == from { ALWAYS } else { SOUND },
        };
        if from <= 5 {
            constraint.every_assignment();
            constraint.every_interval_box(15_000);
        }
        if from <= 11 {
            constraint.random_interval_boxes(1_000);
            constraint.random_small_boxes(1_000);
        } else {
            constraint.planted(1_000);
        }
    }
}

#[test]
fn concat() {
    for (upper, lower) in [(1u8, 2u8), (2, 1), (2, 2), (3, 5), (5, 3), (1, 8), (32, 32), (64, 64)] {
        let constraint = Constraint {
            name: "concat",
            widths: vec![upper + lower, upper, lower],
            contract: &|domains| match domains {
                [result, above, below] => propagators::concat(result, above, below),
                _ => unreachable!("three domains"),
            },
            meaning: &|operands| operands[0] << lower | operands[1],
            claim: SOUND,
        };
        if upper + lower <= 4 {
            constraint.every_assignment();
            constraint.every_interval_box(15_000);
        }
        if upper + lower <= 9 {
            constraint.random_small_boxes(1_000);
        } else {
            constraint.planted(1_000);
        }
    }
}

/// The choice as a constraint: result, condition, then, otherwise.
#[test]
fn select() {
    for width in [2, 3, 7, 8, 32, 128] {
        let constraint = Constraint {
            name: "select",
            widths: vec![width, 1, width, width],
            contract: &|domains| match domains {
                [result, condition, a, b] => {
                    let mut choice = BoolDomain::from(*condition);
                    propagators::select(&mut choice, result, a, b)?;
                    *condition = choice.into();
                    Ok(())
                }
                _ => unreachable!("four domains"),
            },
            meaning: &|operands| if operands[0] == 1 { operands[1] } else { operands[2] },
            claim: SOUND,
        };
        match width {
            0..=3 => {
                constraint.every_assignment();
                constraint.every_interval_box(5_000);
                constraint.random_small_boxes(1_000);
            }
            4..=8 => constraint.random_small_boxes(30),
            _ => constraint.planted(1_000),
        }
    }
}

#[test]
fn conditions() {
    let all = [BoolDomain::FALSE, BoolDomain::TRUE, BoolDomain::TOP];
    type Table = fn(&mut BoolDomain, &mut BoolDomain, &mut BoolDomain) -> Result<(), Conflict>;
    type Meaning = fn(bool, bool) -> bool;
    let operators: [(Table, Meaning); 4] = [
        (propagators::condition::and, |x, y| x && y),
        (propagators::condition::or, |x, y| x || y),
        (propagators::condition::xor, |x, y| x != y),
        (propagators::condition::equal, |x, y| x == y),
    ];
    let truths = [false, true];
    for (contract, meaning) in operators {
        for code in 0..27 {
            let (r, a, b) = (all[code / 9], all[code / 3 % 3], all[code % 3]);
            let rows = truths.iter().flat_map(|&x| truths.iter().map(move |&y| (meaning(x, y), x, y)));
            let rows: Vec<_> = rows.filter(|&(z, x, y)| r.contains(z) && a.contains(x) && b.contains(y)).collect();
            let (mut z, mut x, mut y) = (r, a, b);
            assert_eq!(contract(&mut z, &mut x, &mut y).is_ok(), !rows.is_empty());
            for truth in truths.into_iter().filter(|_| !rows.is_empty()) {
                assert_eq!(z.contains(truth), rows.iter().any(|row| row.0 == truth));
                assert_eq!(x.contains(truth), rows.iter().any(|row| row.1 == truth));
                assert_eq!(y.contains(truth), rows.iter().any(|row| row.2 == truth));
            }
        }
    }
}

/// Three elements, one of them read: result, index, elements.
#[test]
fn read() {
    for width in [2, 3, 32] {
        let constraint = Constraint {
            name: "read",
            widths: vec![width, 2, width, width, width],
            contract: &|domains| {
                let (head, elements) = domains.split_at_mut(2);
                let [result, index] = head else { unreachable!("result and index") };
                propagators::read(result, index, elements)
            },
            // An index outside gives no element; 2^width is a result that no domain holds.
            meaning: &|operands| operands.get(operands[0] as usize + 1).copied().unwrap_or(1 << width),
            claim: SOUND,
        };
        if width <= 3 {
            constraint.random_small_boxes(1_000);
        }
    }
}

/// One entry of a table of constants, zero beyond its end.
#[test]
fn lookup() {
    let tables: [&[u128]; 4] = [&[5], &[0, 1, 2, 3, 4, 5, 6, 7], &[3, 3, 0, 6, 1], &[7, 0, 7, 0, 7, 0, 7]];
    for entries in tables {
        for index in [2, 3, 4] {
            let constraint = Constraint {
                name: "lookup",
                widths: vec![3, index],
                contract: &|domains| match domains {
                    [result, index] => propagators::lookup(result, index, entries),
                    _ => unreachable!("result and index"),
                },
                meaning: &|operands| entries.get(operands[0] as usize).copied().unwrap_or(0),
                claim: SOUND,
            };
            constraint.every_assignment();
            constraint.every_interval_box(5_000);
            constraint.random_small_boxes(1_000);
        }
    }
}

/// One element written: the arrays agree elsewhere.
#[test]
fn write() {
    let mut dice = Dice(77);
    for _ in 0..5_000 {
        let width = 2 + (dice.roll() % 2) as u8 * 30;
        let index = dice.roll() as usize % 3;
        let value = dice.value(width);
        let before: Vec<u128> = (0..3).map(|_| dice.value(width)).collect();
        let mut after = before.clone();
        after[index] = value;
        let mut around = |value: u128, width| dice.domain(width).join(&IntDomain::singleton(width, value));
        let mut old: Vec<IntDomain> = before.iter().map(|&value| around(value, width)).collect();
        let mut new: Vec<IntDomain> = after.iter().map(|&value| around(value, width)).collect();
        let mut at = around(index as u128, 4);
        let mut stored = around(value, width);
        for _ in 0..3 {
            propagators::write(&mut new, &mut old, &mut at, &mut stored).expect("there is a solution");
            assert!(at.contains(index as u128) && stored.contains(value));
            assert!((0..3).all(|k| old[k].contains(before[k]) && new[k].contains(after[k])));
        }
    }
}
