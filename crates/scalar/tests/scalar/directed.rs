//! The generic float path against the machine's `f32` and `f64`, on sampled operands.
//!
//! The generic path is reached by roundings other than nearest even, and compared through exactness and enclosure: the
//! results rounded down and up are the machine's result or its neighbours.

use crate::random::{Operands as _, Random};
use clew_scalar::{Format, Rounding, float};

fn check(name: &str, machine: f64, directed: impl Fn(Rounding) -> u128) {
    let down = f64::from_bits(directed(Rounding::Down) as u64);
    let up = f64::from_bits(directed(Rounding::Up) as u64);
    if machine.is_nan() {
        assert!(down.is_nan() && up.is_nan(), "{name}");
        return;
    }
    assert!(down <= machine && machine <= up, "{name}: {down:e} {machine:e} {up:e}");
    assert!(down == up || down.next_up() == up, "{name}: {down:e} {up:e} are not neighbours");
    assert!(machine == down || machine == up, "{name}: {machine:e} is neither {down:e} nor {up:e}");
    let zero = f64::from_bits(directed(Rounding::Zero) as u64);
    assert_eq!(zero.abs(), down.abs().min(up.abs()), "{name}");
}

#[test]
fn directed_results_enclose_the_machine_result() {
    let mut random = Random(1);
    for _ in 0..100_000 {
        let [a, b, c] = [0; 3].map(|_| random.float(Format::DOUBLE));
        let [x, y, z] = [a, b, c].map(|bits| f64::from_bits(bits as u64));
        check("add", x + y, |rounding| float::add(Format::DOUBLE, rounding, a, b));
        check("sub", x - y, |rounding| float::sub(Format::DOUBLE, rounding, a, b));
        check("mul", x * y, |rounding| float::mul(Format::DOUBLE, rounding, a, b));
        check("div", x / y, |rounding| float::div(Format::DOUBLE, rounding, a, b));
        check("sqrt", x.sqrt(), |rounding| float::sqrt(Format::DOUBLE, rounding, a));
        check("fma", x.mul_add(y, z), |rounding| float::fma(Format::DOUBLE, rounding, a, b, c));
    }
}
