//! Float operators on every operand of tiny formats, against exact rationals.

use std::cmp::Ordering;

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, TernaryOp, Type, UnaryOp, Value, eval, float};

use crate::exact::{ROUNDINGS, Rational, Table};
use crate::random::{Operands as _, Random};

fn tables() -> [Table; 4] {
    [Table::new(2, 2), Table::new(2, 3), Table::new(3, 4), Table::new(4, 4)]
}

/// Any NaN when none is given, else exactly these bits.
fn check(what: impl Fn() -> String, format: Format, actual: Value, expected: Option<u128>) {
    assert_eq!(actual.ty, Type::Float(format));
    match expected {
        None => assert!(actual.is_nan(), "{}: {actual} should be NaN", what()),
        Some(bits) => assert_eq!(actual.bits, bits, "{}: {actual}, not {}", what(), Value::float(format, bits)),
    }
}

/// The sign of an exact sum that is zero.
fn zero_sum_is_negative(rounding: Rounding, a: bool, b: bool) -> bool {
    if a == b { a } else { rounding == Rounding::Down }
}

fn expected_sum(table: &Table, rounding: Rounding, a: u128, b: u128) -> Option<u128> {
    match (table.value(a), table.value(b)) {
        (Some(x), Some(y)) => {
            let zero = x.numerator == 0 && y.numerator == 0;
            let (sign_a, sign_b) = (table.sign(a), if zero { table.sign(b) } else { !table.sign(a) });
            Some(table.round(rounding, zero_sum_is_negative(rounding, sign_a, sign_b), x.plus(y)))
        }
        _ => table.encode_machine(table.machine(a) + table.machine(b)),
    }
}

fn expected_product(table: &Table, rounding: Rounding, a: u128, b: u128) -> Option<u128> {
    match (table.value(a), table.value(b)) {
        (Some(x), Some(y)) => Some(table.round(rounding, table.sign(a) != table.sign(b), x.times(y))),
        _ => table.encode_machine(table.machine(a) * table.machine(b)),
    }
}

fn expected_quotient(table: &Table, rounding: Rounding, a: u128, b: u128) -> Option<u128> {
    match (table.value(a), table.value(b)) {
        (Some(x), Some(y)) if y.numerator != 0 => {
            Some(table.round(rounding, table.sign(a) != table.sign(b), x.over(y)))
        }
        _ => table.encode_machine(table.machine(a) / table.machine(b)),
    }
}

#[test]
fn sums_products_and_quotients() {
    for table in tables() {
        let format = table.format;
        let minus = format.sign_mask();
        for (a, b) in table.all().flat_map(|a| table.all().map(move |b| (a, b))) {
            let (x, y) = (Value::float(format, a), Value::float(format, b));
            for rounding in ROUNDINGS {
                let cases = [
                    (BinaryOp::FloatAdd(rounding), expected_sum(&table, rounding, a, b)),
                    (BinaryOp::FloatSub(rounding), expected_sum(&table, rounding, a, b ^ minus)),
                    (BinaryOp::FloatMul(rounding), expected_product(&table, rounding, a, b)),
                    (BinaryOp::FloatDiv(rounding), expected_quotient(&table, rounding, a, b)),
                ];
                for (op, expected) in cases {
                    check(|| format!("{op:?} {x} {y}"), format, eval::binary(op, x, y), expected);
                }
            }
        }
    }
}

#[test]
fn remainders() {
    for table in tables() {
        let format = table.format;
        for (a, b) in table.all().flat_map(|a| table.all().map(move |b| (a, b))) {
            let (x, y) = (Value::float(format, a), Value::float(format, b));
            for (op, rounding) in [(BinaryOp::FloatMod, Rounding::Zero), (BinaryOp::FloatRem, Rounding::NearestEven)] {
                let expected = match (table.value(a), table.value(b)) {
                    (Some(m), Some(n)) if n.numerator != 0 => {
                        let quotient = Rational::new(m.over(n).to_integer(rounding), 1);
                        let rest = m.plus(n.times(quotient).negated());
                        Some(table.round(Rounding::Zero, table.sign(a), rest))
                    }
                    _ => table.encode_machine(table.machine(a) % table.machine(b)),
                };
                check(|| format!("{op:?} {x} {y}"), format, eval::binary(op, x, y), expected);
            }
        }
    }
}

#[test]
fn comparisons_and_choices() {
    for table in tables() {
        let format = table.format;
        for (a, b) in table.all().flat_map(|a| table.all().map(move |b| (a, b))) {
            let (x, y) = (table.machine(a), table.machine(b));
            assert_eq!(float::eq(format, a, b), x == y);
            assert_eq!(float::lt(format, a, b), x < y);
            assert_eq!(float::le(format, a, b), x <= y);
            let [least, greatest] = match (x.is_nan(), y.is_nan()) {
                (true, true) => continue,
                (true, false) => [b, b],
                (false, true) => [a, a],
                (false, false) if x.total_cmp(&y) == Ordering::Greater => [b, a],
                (false, false) => [a, b],
            };
            assert_eq!(float::min(format, a, b), least);
            assert_eq!(float::max(format, a, b), greatest);
        }
    }
}

#[test]
fn square_roots_and_integral_values() {
    for table in tables() {
        let format = table.format;
        for (a, rounding) in table.all().flat_map(|a| ROUNDINGS.map(|rounding| (a, rounding))) {
            let x = Value::float(format, a);
            let root = match table.value(a) {
                Some(value) if value.numerator > 0 => {
                    Some(table.round_by(rounding, false, |candidate| value.order(candidate.times(candidate))))
                }
                _ => table.encode_machine(table.machine(a).sqrt()),
            };
            let op = UnaryOp::FloatSqrt(rounding);
            check(|| format!("{op:?} {x}"), format, eval::unary(op, x), root);
            let integral = match table.value(a) {
                Some(value) => {
                    let integer = Rational::new(value.to_integer(rounding), 1);
                    Some(table.round(rounding, table.sign(a), integer))
                }
                None => table.encode_machine(table.machine(a)),
            };
            let op = UnaryOp::FloatRoundToIntegral(rounding);
            check(|| format!("{op:?} {x}"), format, eval::unary(op, x), integral);
        }
    }
}

#[test]
fn classes() {
    for table in tables() {
        for a in table.all() {
            let x = table.machine(a);
            let least_normal = table.machine(table.signed(false, 1 << (table.format.significand - 1)));
            let is = |op| eval::unary(op, Value::float(table.format, a)).is_true();
            assert_eq!(is(UnaryOp::FloatIsNan), x.is_nan());
            assert_eq!(is(UnaryOp::FloatIsInfinite), x.is_infinite());
            assert_eq!(is(UnaryOp::FloatIsZero), x == 0.0);
            assert_eq!(is(UnaryOp::FloatIsNormal), x.is_finite() && x.abs() >= least_normal);
            assert_eq!(is(UnaryOp::FloatIsSubnormal), x != 0.0 && x.abs() < least_normal);
            assert_eq!(is(UnaryOp::FloatIsNegative), !x.is_nan() && x.is_sign_negative());
            let negated = eval::unary(UnaryOp::FloatNeg, Value::float(table.format, a));
            assert_eq!(negated.bits, a ^ table.signed(true, 0));
            assert_eq!(eval::unary(UnaryOp::FloatAbs, negated).bits, a & !table.signed(true, 0));
        }
    }
}

fn check_fma(table: &Table, a: u128, b: u128, c: u128) {
    let [x, y, z] = [a, b, c].map(|bits| Value::float(table.format, bits));
    let product_negative = table.sign(a) != table.sign(b);
    for rounding in ROUNDINGS {
        let expected = match (table.value(a), table.value(b), table.value(c)) {
            (Some(m), Some(n), Some(o)) => {
                let product = m.times(n);
                let zero = product.numerator == 0 && o.numerator == 0;
                let other = if zero { table.sign(c) } else { !product_negative };
                let negative = zero_sum_is_negative(rounding, product_negative, other);
                Some(table.round(rounding, negative, product.plus(o)))
            }
            _ => table.encode_machine(table.machine(a).mul_add(table.machine(b), table.machine(c))),
        };
        let op = TernaryOp::FloatFma(rounding);
        check(|| format!("{op:?} {x} {y} {z}"), table.format, eval::ternary(op, x, y, z), expected);
    }
}

#[test]
fn fused_products_and_sums() {
    for table in [Table::new(2, 2), Table::new(2, 3)] {
        for (a, b) in table.all().flat_map(|a| table.all().map(move |b| (a, b))) {
            table.all().for_each(|c| check_fma(&table, a, b, c));
        }
    }
    let table = Table::new(4, 4);
    let mut random = Random(7);
    for _ in 0..50_000 {
        let [a, b, c] = [0; 3].map(|_| random.int(8));
        check_fma(&table, a, b, c);
    }
}

#[test]
fn conversions_between_formats() {
    for (from, to) in tables().iter().flat_map(|from| tables().map(|to| (from.format, to))) {
        let from = Table::new(from.exponent, from.significand);
        for (a, rounding) in from.all().flat_map(|a| ROUNDINGS.map(|rounding| (a, rounding))) {
            let x = Value::float(from.format, a);
            let expected = match from.value(a) {
                Some(value) => Some(to.round(rounding, from.sign(a), value)),
                None => to.encode_machine(from.machine(a)),
            };
            let conversion = Conversion::FloatToFloat(to.format, rounding);
            check(|| format!("{conversion:?} {x}"), to.format, eval::convert(conversion, x), expected);
        }
    }
}

#[test]
fn conversions_from_integers() {
    for table in tables() {
        for (width, rounding) in (1..=8_u8).flat_map(|width| ROUNDINGS.map(|rounding| (width, rounding))) {
            for bits in 0..1_u128 << width {
                let x = Value::int(width, bits);
                let cases = [
                    (Conversion::SignedToFloat(table.format, rounding), x.signed()),
                    (Conversion::UnsignedToFloat(table.format, rounding), bits as i128),
                ];
                for (conversion, number) in cases {
                    let expected = table.round(rounding, false, Rational::new(number, 1));
                    let actual = eval::convert(conversion, x);
                    check(|| format!("{conversion:?} {x}"), table.format, actual, Some(expected));
                }
            }
        }
    }
}

#[test]
fn conversions_to_integers() {
    for table in tables() {
        for (width, rounding) in (1..=12_u8).flat_map(|width| ROUNDINGS.map(|rounding| (width, rounding))) {
            for a in table.all() {
                let x = Value::float(table.format, a);
                let integer = table.value(a).map(|value| value.to_integer(rounding));
                let least = -(1_i128 << (width - 1));
                let fits_signed = integer.filter(|&integer| (least..-least).contains(&integer));
                let fits_unsigned = integer.filter(|&integer| (0..1 << width).contains(&integer));
                let signed = fits_signed.unwrap_or(least);
                let unsigned = fits_unsigned.or(fits_signed).unwrap_or(-1);
                let cases = [
                    (Conversion::FloatToSigned(width, rounding), signed),
                    (Conversion::FloatToUnsigned(width, rounding), unsigned),
                ];
                for (conversion, number) in cases {
                    let expected = Value::int(width, number as u128);
                    assert_eq!(eval::convert(conversion, x), expected, "{conversion:?} {x}");
                }
                let in_range = |signed| float::float_to_int_in_range(table.format, width, signed, rounding, a);
                assert_eq!(in_range(true), fits_signed.is_some());
                assert_eq!(in_range(false), fits_unsigned.is_some());
            }
        }
    }
}
