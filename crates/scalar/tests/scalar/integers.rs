//! Integer operators against plain definitions on `i128` and `u128`: all operands of 1 to 8 bits, samples of others.

use clew_scalar::{BinaryOp, Conversion, Type, UnaryOp, Value, eval, int};

use crate::random::{Operands as _, Random};

const WIDE: [u8; 12] = [9, 15, 16, 31, 32, 33, 63, 64, 65, 100, 126, 127];

/// The result of an operator on both readings of operands below 128 bits; the caller drops what is above the width.
fn expected(op: BinaryOp, width: u8, a: u128, b: u128) -> i128 {
    let (sa, sb) = (int::signed(width, a), int::signed(width, b));
    let (ua, ub) = (a as i128, b as i128);
    let wide = ub >= i128::from(width);
    match op {
        BinaryOp::Add => ua.wrapping_add(ub),
        BinaryOp::Sub => ua - ub,
        BinaryOp::Mul => ua.wrapping_mul(ub),
        BinaryOp::UDiv => ua.checked_div(ub).unwrap_or(-1),
        BinaryOp::URem => ua.checked_rem(ub).unwrap_or(ua),
        BinaryOp::SDiv => sa.checked_div(sb).unwrap_or(if sa < 0 { 1 } else { -1 }),
        BinaryOp::SRem => sa.checked_rem(sb).unwrap_or(sa),
        BinaryOp::And => ua & ub,
        BinaryOp::Or => ua | ub,
        BinaryOp::Xor => ua ^ ub,
        BinaryOp::Shl => {
            if wide {
                0
            } else {
                ua << ub
            }
        }
        BinaryOp::LShr => {
            if wide {
                0
            } else {
                ua >> ub
            }
        }
        BinaryOp::AShr => {
            if wide {
                sa >> 127
            } else {
                sa >> ub
            }
        }
        BinaryOp::Eq => i128::from(a == b),
        BinaryOp::Ne => i128::from(a != b),
        BinaryOp::Ult => i128::from(ua < ub),
        BinaryOp::Ule => i128::from(ua <= ub),
        BinaryOp::Slt => i128::from(sa < sb),
        BinaryOp::Sle => i128::from(sa <= sb),
        _ => unreachable!("{op:?} is not an integer operator"),
    }
}

const BINARY: [BinaryOp; 19] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::UDiv,
    BinaryOp::SDiv,
    BinaryOp::URem,
    BinaryOp::SRem,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::AShr,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Ult,
    BinaryOp::Ule,
    BinaryOp::Slt,
    BinaryOp::Sle,
];

fn check_binary(op: BinaryOp, width: u8, a: u128, b: u128) {
    let value = eval::binary(op, Value::int(width, a), Value::int(width, b));
    let ty = eval::binary_type(op, Type::Int(width));
    assert_eq!(value, Value::new(ty, expected(op, width, a, b) as u128), "{op:?} i{width} {a} {b}");
}

fn check_overflow(width: u8, a: u128, b: u128) {
    let (sa, sb) = (int::signed(width, a), int::signed(width, b));
    let leaves = |exact: i128| int::signed(width, exact as u128 & int::mask::<u128>(width)) != exact;
    let wraps = |exact: i128| exact < 0 || exact > int::mask::<u128>(width) as i128;
    let claims = [
        (int::signed_add_overflows(width, a, b), leaves(sa + sb)),
        (int::signed_sub_overflows(width, a, b), leaves(sa - sb)),
        (int::signed_mul_overflows(width, a, b), leaves(sa * sb)),
        (int::signed_neg_overflows(width, a), leaves(-sa)),
        (int::signed_div_overflows(width, a, b), sb != 0 && leaves(sa / sb)),
        (int::unsigned_add_overflows(width, a, b), wraps(a as i128 + b as i128)),
        (int::unsigned_sub_overflows(width, a, b), wraps(a as i128 - b as i128)),
        (int::unsigned_mul_overflows(width, a, b), wraps(a as i128 * b as i128)),
        (int::shift_too_far(width, b), b >= u128::from(width)),
    ];
    for (index, (claimed, truth)) in claims.into_iter().enumerate() {
        assert_eq!(claimed, truth, "predicate {index} on i{width} {a} {b}");
    }
}

#[test]
fn all_pairs_of_narrow_integers() {
    for width in 1..=8 {
        for a in 0..1 << width {
            for b in 0..1 << width {
                BINARY.iter().for_each(|&op| check_binary(op, width, a, b));
                check_overflow(width, a, b);
            }
        }
    }
}

#[test]
fn sampled_pairs_of_wide_integers() {
    let mut random = Random(2);
    for width in WIDE {
        for _ in 0..1_500 {
            let (a, b) = (random.int(width), random.int(width));
            let amount = random.int(8) % (u128::from(width) + 2);
            BINARY.iter().for_each(|&op| check_binary(op, width, a, b));
            BINARY.iter().for_each(|&op| check_binary(op, width, a, amount));
            // Beyond this width products leave the 128 bits of the expectation.
            if width <= 63 {
                check_overflow(width, a, b);
            }
        }
    }
}

type Operator<W> = fn(u8, W, W) -> W;
type Predicate<W> = fn(u8, W, W) -> bool;

/// The `u64` words of the interpreter compute what `u128` words compute.
#[test]
fn narrow_words_agree_with_wide_ones() {
    let mut random = Random(3);
    let operators: [(Operator<u64>, Operator<u128>); 10] = [
        (int::add, int::add),
        (int::sub, int::sub),
        (int::mul, int::mul),
        (int::udiv, int::udiv),
        (int::sdiv, int::sdiv),
        (int::urem, int::urem),
        (int::srem, int::srem),
        (int::shl, int::shl),
        (int::lshr, int::lshr),
        (int::ashr, int::ashr),
    ];
    let predicates: [(Predicate<u64>, Predicate<u128>); 9] = [
        (int::slt, int::slt),
        (int::sle, int::sle),
        (int::signed_add_overflows, int::signed_add_overflows),
        (int::signed_sub_overflows, int::signed_sub_overflows),
        (int::signed_mul_overflows, int::signed_mul_overflows),
        (int::signed_div_overflows, int::signed_div_overflows),
        (int::unsigned_add_overflows, int::unsigned_add_overflows),
        (int::unsigned_sub_overflows, int::unsigned_sub_overflows),
        (int::unsigned_mul_overflows, int::unsigned_mul_overflows),
    ];
    for _ in 0..20_000 {
        let width = 1 + random.below(64) as u8;
        let (a, b) = (random.int(width), random.int(width));
        for (index, (narrow, wide)) in operators.into_iter().enumerate() {
            let result = narrow(width, a as u64, b as u64);
            assert_eq!(u128::from(result), wide(width, a, b), "operator {index} on i{width} {a} {b}");
        }
        for (index, (narrow, wide)) in predicates.into_iter().enumerate() {
            assert_eq!(narrow(width, a as u64, b as u64), wide(width, a, b), "predicate {index} on i{width} {a} {b}");
        }
    }
}

#[test]
fn unary_operators_and_extensions() {
    let mut random = Random(4);
    let narrow = (1..=8).flat_map(|width| (0..1 << width).map(move |a| (width, a)));
    let wide: Vec<(u8, u128)> =
        WIDE.iter().flat_map(|&width| [0; 200].map(|_| width)).map(|w| (w, random.int(w))).collect();
    for (width, a) in narrow.chain(wide) {
        let unary = |op| eval::unary(op, Value::int(width, a)).bits;
        let bit = |index: u8| a >> index & 1 == 1;
        let mask = u128::MAX >> (128 - width);
        assert_eq!(unary(UnaryOp::Not), mask - a);
        assert_eq!(unary(UnaryOp::Neg), 0_u128.wrapping_sub(a) & mask);
        assert_eq!(unary(UnaryOp::CountOnes), (0..width).filter(|&index| bit(index)).count() as u128);
        let top = (0..width).rev().find(|&index| bit(index));
        assert_eq!(unary(UnaryOp::LeadingZeros), top.map_or(width, |index| width - 1 - index).into());
        assert_eq!(unary(UnaryOp::TrailingZeros), (0..width).find(|&index| bit(index)).unwrap_or(width).into());
        if width % 8 == 0 {
            let bytes = (0..width / 8).fold(0, |swapped, index| swapped << 8 | a >> (8 * index) & 0xff);
            assert_eq!(unary(UnaryOp::ByteSwap), bytes);
        }
        let convert = |conversion| eval::convert(conversion, Value::int(width, a));
        for to in (width..=128).step_by(7) {
            assert_eq!(convert(Conversion::ZeroExtend(to)), Value::int(to, a));
            assert_eq!(convert(Conversion::SignExtend(to)), Value::int(to, int::signed(width, a) as u128));
            assert_eq!(convert(Conversion::Truncate(1 + to - width)).bits, a & u128::MAX >> (127 - (to - width)));
        }
    }
}
