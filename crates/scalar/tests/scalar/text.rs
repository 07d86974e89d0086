//! Text conversions against Rust's own for the machine formats, by reading back for the others, and on known cases.

use clew_scalar::{Format, Rounding, float};
use float::Precision;

use crate::exact::ROUNDINGS;
use crate::random::{Operands as _, Random};

const NEAREST: Rounding = Rounding::NearestEven;

fn double(text: &str) -> f64 {
    f64::from_bits(float::parse(Format::DOUBLE, NEAREST, text).expect("a number") as u64)
}

/// A decimal text of up to 40 digits with an exponent around the range of doubles.
fn random_decimal(random: &mut Random) -> String {
    let digits = 1 + random.below(40);
    let mut text: String = (0..digits).map(|_| char::from(b'0' + random.below(10) as u8)).collect();
    text.insert(random.below(digits + 1) as usize, '.');
    let span = [10, 40, 400][random.below(3) as usize];
    format!("{text}e{}", random.below(2 * span) as i64 - span as i64)
}

#[test]
fn decimal_text_reads_as_in_rust() {
    let mut random = Random(8);
    for _ in 0..5_000 {
        let text = random_decimal(&mut random);
        assert_eq!(double(&text).to_bits(), text.parse::<f64>().expect("a number").to_bits(), "{text}");
        let single = float::parse(Format::SINGLE, NEAREST, &text).expect("a number");
        assert_eq!(single as u32, text.parse::<f32>().expect("a number").to_bits(), "{text}");
    }
}

#[test]
fn known_texts() {
    assert_eq!(double("0x1.8p1"), 3.0);
    assert_eq!(double("-0X.8P+0"), -0.5);
    assert_eq!(double("+1e23"), 1e23);
    assert_eq!(double(".5"), 0.5);
    assert_eq!(double("5."), 5.0);
    assert!(double("-0").is_sign_negative());
    assert_eq!(double("1e999999999999999999999"), f64::INFINITY);
    assert_eq!(double("1e-999999999999999999999"), 0.0);
    assert_eq!(double("-Infinity"), f64::NEG_INFINITY);
    assert_eq!(double("2.4703282292062327208e-324"), 0.0);
    assert_eq!(double("2.4703282292062327209e-324"), 5e-324);
    // Half way between two doubles, exactly and with a one far behind.
    assert_eq!(double("9007199254740993"), 9_007_199_254_740_992.0);
    let beyond = format!("9007199254740993.{}1", "0".repeat(20_000));
    assert_eq!(double(&beyond), 9_007_199_254_740_994.0);
    let beyond = format!("0x1.00000000000008{}1", "0".repeat(30));
    assert_eq!(double(&beyond), 1.0_f64.next_up());
    for wrong in ["", "+", ".", "e5", "1e", "0x", "1.5.", "nan(", "1 ", " 1"] {
        assert_eq!(float::parse(Format::DOUBLE, NEAREST, wrong), None, "{wrong}");
    }
}

/// An integer of 201 bits, half way between two doubles but for its last bit.
#[test]
fn long_integers_round_by_their_last_bit() {
    let half_way = float::parse(Format::QUAD, NEAREST, "0x20000000000001p147").expect("a number");
    let text = float::to_fixed(Format::QUAD, half_way, 0, false);
    let (low, high) = (double("0x1p200"), double("0x1.0000000000001p200"));
    assert_eq!(double(&text), low);
    let last = text.as_bytes()[text.len() - 1];
    assert!(last.is_multiple_of(2), "a multiple of two");
    assert_eq!(double(&format!("{}{}", &text[..text.len() - 1], char::from(last + 1))), high);
}

#[test]
fn prefixes() {
    let prefix = |text: &str| float::parse_prefix(Format::DOUBLE, NEAREST, text.as_bytes()).map(|(_, length)| length);
    let cases = [("1e+", Some(1)), ("0x", Some(1)), ("0x.p", Some(1)), ("0x1p", Some(3)), ("infinite", Some(3))];
    let more = [("nan(1", Some(3)), ("nan(_z)", Some(7)), ("1.5f", Some(3)), ("-", None), ("- 1", None), ("x", None)];
    for (text, length) in cases.into_iter().chain(more) {
        assert_eq!(prefix(text), length, "{text}");
    }
    let nan = float::parse(Format::DOUBLE, NEAREST, "-nan(0x5)");
    assert_eq!(nan, Some(0xfff8_0000_0000_0005));
}

/// Directed results of reading enclose the number, and the nearest one is one of them.
#[test]
fn directed_reading_encloses() {
    let mut random = Random(9);
    for format in [Format::HALF, Format::DOUBLE, Format::EXTENDED, Format::QUAD] {
        for _ in 0..300 {
            let text = random_decimal(&mut random);
            let [even, away, up, down, zero] = ROUNDINGS.map(|r| float::parse(format, r, &text).expect("a number"));
            assert!(up == down || format.next_up(down) == up, "{text}");
            assert!([up, down].contains(&even) && [up, down].contains(&away));
            assert_eq!(zero, down, "{text}");
            let negative = float::parse(format, Rounding::Down, &format!("-{text}"));
            assert_eq!(negative, Some(float::neg(format, up)));
        }
    }
}

#[test]
fn exact_and_shortest_digits_read_back() {
    let mut random = Random(10);
    for format in [Format::HALF, Format::SINGLE, Format::DOUBLE, Format::EXTENDED, Format::QUAD] {
        let samples = if format.exponent > 11 { 20 } else { 300 };
        for _ in 0..samples {
            let bits = format.magnitude(random.float(format));
            assert_eq!(float::parse(format, NEAREST, &float::to_hexadecimal(format, bits)), Some(bits));
            if !format.is_finite(bits) {
                continue;
            }
            for precision in [Precision::Exact, Precision::Shortest] {
                let decimal = float::to_decimal(format, bits, precision);
                let digits = String::from_utf8(decimal.digits).expect("digits");
                let text = format!("0.{digits}e{}", decimal.point);
                for rounding in ROUNDINGS {
                    if precision == Precision::Exact || rounding == NEAREST {
                        assert_eq!(float::parse(format, rounding, &text), Some(bits), "{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn shortest_digits_are_those_of_rust() {
    let mut random = Random(11);
    for _ in 0..500 {
        let bits = Format::DOUBLE.magnitude(random.float(Format::DOUBLE));
        let number = f64::from_bits(bits as u64);
        if number.is_finite() && number != 0.0 {
            let decimal = float::to_decimal(Format::DOUBLE, bits, Precision::Shortest);
            let digits = String::from_utf8(decimal.digits).expect("digits");
            let rust = format!("{number:e}");
            let (significand, exponent) = rust.split_once('e').expect("an exponent");
            let exact = float::to_decimal(Format::DOUBLE, bits, Precision::Exact).digits;
            // Of two texts equally near, Rust takes the greater and we take the even one: only the lengths agree.
            let is_tie = exact.len() == digits.len() + 1 && exact.ends_with(b"5");
            let significand = significand.replace('.', "");
            assert!(digits == significand || is_tie && digits.len() == significand.len(), "{digits} is not {rust}");
            assert_eq!(decimal.point - 1, exponent.parse::<i32>().expect("an exponent"), "{rust}");
        }
    }
}

/// Below a power of two floats lie closer together, so that the nearest digits may miss where others read back.
#[test]
fn shortest_digits_of_powers_of_two() {
    for exponent in -1074..1024_i32 {
        let bits = float::parse(Format::DOUBLE, NEAREST, &format!("0x1p{exponent}")).expect("a number");
        let decimal = float::to_decimal(Format::DOUBLE, bits, Precision::Shortest);
        let digits = String::from_utf8(decimal.digits).expect("digits");
        assert_eq!(double(&format!(".{digits}e{}", decimal.point)).to_bits(), bits as u64);
        // Of two texts equally near, Rust takes the greater and we take the even one: only the lengths agree.
        let rust = format!("{:e}", f64::from_bits(bits as u64));
        let (significand, _) = rust.split_once('e').expect("an exponent");
        assert_eq!(digits.len(), significand.replace('.', "").len(), "{rust}");
    }
}

#[test]
fn fixed_digits_are_those_of_rust() {
    let mut random = Random(12);
    for _ in 0..1_000 {
        let bits = Format::DOUBLE.magnitude(random.float(Format::DOUBLE));
        let number = f64::from_bits(bits as u64);
        if number.is_finite() {
            let precision = random.below(20) as usize;
            let text = float::to_fixed(Format::DOUBLE, bits, precision, false);
            assert_eq!(text, format!("{number:.precision$}"));
        }
    }
}

#[test]
fn precision_has_no_limit() {
    let tiny = Format::DOUBLE.min_subnormal(false);
    assert_eq!(float::to_fixed(Format::DOUBLE, tiny, 100_000, false).len(), 100_002);
    assert_eq!(float::to_exponential(Format::DOUBLE, tiny, 100_000, false).len(), 100_007);
    assert_eq!(float::to_hexadecimal_float(Format::DOUBLE, tiny, Some(100_000), false).len(), 100_010);
}
