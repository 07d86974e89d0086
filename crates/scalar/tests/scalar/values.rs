//! Values: made, read, printed; the landmarks and the order of formats.

use clew_scalar::{Format, Rounding, TernaryOp, Type, Value, eval, float};

use crate::random::{Operands as _, Random};

#[test]
fn printed_values() {
    let cases = [
        (Value::int(32, -5_i128 as u128), "i32 -5"),
        (Value::TRUE, "i1 1"),
        (Value::int(128, u128::MAX), "i128 -1"),
        (Value::from_f64(3.0), "f64 0x1.8p+1"),
        (Value::from_f32(-0.0), "f32 -0x0p+0"),
        (Value::from_f64(5e-324), "f64 0x1p-1074"),
        (Value::from_f32(f32::NEG_INFINITY), "f32 -inf"),
        (Value::float(Format::SINGLE, Format::SINGLE.canonical_nan()), "f32 nan(0x400000)"),
        (Value::float(Format::SINGLE, 0x7f80_0001), "f32 snan(0x1)"),
        (Value::float(Format::EXTENDED, Format::EXTENDED.one(true)), "f80 -0x1p+0"),
        (Value::float(Format { exponent: 3, significand: 4 }, 1), "f<3,4> 0x1p-5"),
    ];
    for (value, text) in cases {
        assert_eq!(value.to_string(), text);
    }
}

#[test]
fn landmarks_of_the_machine_formats() {
    let double = |bits: u128| f64::from_bits(bits as u64);
    assert_eq!(double(Format::DOUBLE.max_finite(false)), f64::MAX);
    assert_eq!(double(Format::DOUBLE.min_normal(false)), f64::MIN_POSITIVE);
    assert_eq!(double(Format::DOUBLE.min_subnormal(true)), -5e-324);
    assert_eq!(double(Format::DOUBLE.infinity(true)), f64::NEG_INFINITY);
    assert_eq!(double(Format::DOUBLE.one(false)), 1.0);
    assert_eq!(Format::DOUBLE.canonical_nan(), 0x7ff8_0000_0000_0000);
    assert_eq!(Format::DOUBLE.default_nan(), 0xfff8_0000_0000_0000);
    assert_eq!((Format::SINGLE.emin(), Format::SINGLE.emax(), Format::SINGLE.bias()), (-126, 127, 127));
    assert_eq!(Format::new(15, 113), Some(Format::QUAD));
    assert_eq!(
        (Format::new(16, 20), Format::new(1, 20), Format::new(8, 1), Format::new(8, 114)),
        (None, None, None, None)
    );
    assert_eq!(Value::int(8, 0x80).signed(), -128);
    assert!(Value::from_f32(-0.0).is_zero() && Value::from_f32(-0.0).is_negative());
    assert_eq!(Type::Float(Format::EXTENDED).width(), 79);
}

#[test]
fn order_is_invertible_and_neighbours_are_next_to_each_other() {
    let mut random = Random(5);
    for format in [Format::HALF, Format::SINGLE, Format::DOUBLE, Format::EXTENDED, Format::QUAD] {
        for _ in 0..2_000 {
            let (a, b) = (random.float(format), random.float(format));
            assert_eq!(format.from_ordered(format.ordered(a)), a);
            if float::lt(format, a, b) {
                assert!(format.ordered(a) < format.ordered(b));
            }
            if format == Format::DOUBLE && !format.is_nan(a) {
                assert_eq!(format.next_up(a), f64::from_bits(a as u64).next_up().to_bits().into());
                assert_eq!(format.next_down(a), f64::from_bits(a as u64).next_down().to_bits().into());
            }
        }
    }
}

#[test]
fn nan_operands_propagate_quiet_and_in_order() {
    let format = Format::DOUBLE;
    let (signalling, quiet) = (0x7ff0_0000_0000_0001, 0xfff8_0000_0000_0002);
    let one = format.one(false);
    let near = Rounding::NearestEven;
    assert_eq!(float::add(format, near, signalling, quiet), 0x7ff8_0000_0000_0001);
    assert_eq!(float::mul(format, near, one, quiet), quiet);
    assert_eq!(float::sub(format, near, one, quiet), quiet);
    assert_eq!(float::sub(format, Rounding::Up, one, quiet), quiet);
    assert_eq!(float::sqrt(format, near, signalling), 0x7ff8_0000_0000_0001);
    assert_eq!(float::sqrt(format, near, format.one(true)), format.default_nan());
    assert_eq!(float::sub(format, near, format.infinity(false), format.infinity(false)), format.default_nan());
    assert_eq!(float::convert(format, Format::SINGLE, near, quiet | 1 << 40), 0xffc0_0800);
    assert_eq!(float::convert(Format::SINGLE, format, near, 0x7f80_0001), 0x7ff8_0000_2000_0000);
    assert_eq!(float::min(format, quiet, one), one);
    assert_eq!(float::max(format, one, signalling), one);
}

#[test]
fn select_takes_one_side() {
    let (then, other) = (Value::from_f32(1.0), Value::from_f32(2.0));
    assert_eq!(eval::ternary(TernaryOp::Select, Value::TRUE, then, other), then);
    assert_eq!(eval::ternary(TernaryOp::Select, Value::FALSE, then, other), other);
}

#[test]
fn extended_memory_image() {
    let mut random = Random(6);
    for _ in 0..2_000 {
        let bits = random.float(Format::EXTENDED);
        assert_eq!(float::from_x87_bytes(float::to_x87_bytes(bits)), bits);
    }
    let one = [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f];
    assert_eq!(float::to_x87_bytes(Format::EXTENDED.one(false)), one);
    let pseudo_denormal = [0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0];
    assert_eq!(float::from_x87_bytes(pseudo_denormal), Format::EXTENDED.min_normal(false));
    let unnormal = [0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0x3f];
    assert_eq!(float::from_x87_bytes(unnormal), Format::EXTENDED.default_nan());
}
