//! The problems of FPSE (Botella, Gotlieb, Michel 2006) by propagation alone, with the bounds as corrected in the seed
//! corpus: where the paper's midpoint projections over-approximate, the propagators here give the exact hull.
//!
//! A problem is a list of propagators over numbered domains, run to the fixpoint. Tests are named after the problems
//! and goals of the corpus.

#![expect(clippy::excessive_precision, reason = "bounds are written as the corpus prints them")]

use clew_scalar::{Format, Rounding};
use clew_solver::domain::Conflict;
use clew_solver::domain::boolean::BoolDomain;
use clew_solver::domain::float::FloatDomain;
use clew_solver::propagate::float;

const RNE: Rounding = Rounding::NearestEven;

/// A float variable of a problem.
#[derive(Clone, Copy)]
struct Var(usize);

enum Constraint {
    Add(Var, Var, Var),
    Sub(Var, Var, Var),
    Mul(Var, Var, Var),
    Div(Var, Var, Var),
    Eq(Var, Var),
    Less(Var, Var),
    LessOrEqual(Var, Var),
}

struct Problem {
    format: Format,
    domains: Vec<FloatDomain>,
    constraints: Vec<Constraint>,
}

impl Problem {
    fn new(format: Format) -> Problem {
        Problem { format, domains: Vec::new(), constraints: Vec::new() }
    }

    fn var(&mut self) -> Var {
        self.domains.push(FloatDomain::full(self.format));
        Var(self.domains.len() - 1)
    }

    fn constant(&mut self, number: f64) -> Var {
        let bits = self.bits(number);
        self.domains.push(FloatDomain::constant(self.format, bits));
        Var(self.domains.len() - 1)
    }

    /// A literal of the source: rounded to the format.
    fn bits(&self, number: f64) -> u128 {
        if self.format == Format::SINGLE { (number as f32).to_bits().into() } else { number.to_bits().into() }
    }

    fn number(&self, bits: u128) -> f64 {
        if self.format == Format::SINGLE { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits as u64) }
    }

    fn define(&mut self, constraint: impl FnOnce(Var, Var, Var) -> Constraint, x: Var, y: Var) -> Var {
        let z = self.var();
        self.constraints.push(constraint(x, y, z));
        z
    }

    fn less(&mut self, x: Var, y: Var) {
        self.constraints.push(Constraint::Less(x, y));
    }

    fn less_or_equal(&mut self, x: Var, y: Var) {
        self.constraints.push(Constraint::LessOrEqual(x, y));
    }

    fn eq(&mut self, x: Var, y: Var) {
        self.constraints.push(Constraint::Eq(x, y));
    }

    fn propagate(&mut self) -> Result<(), Conflict> {
        loop {
            let before = self.domains.clone();
            for constraint in &self.constraints {
                contract(constraint, &mut self.domains)?;
            }
            if self.domains == before {
                return Ok(());
            }
        }
    }

    /// The bounds after propagation.
    fn bounds(&self, var: Var) -> (f64, f64) {
        let hull = self.domains[var.0].hull();
        (self.number(self.format.from_ordered(hull.lo)), self.number(self.format.from_ordered(hull.hi)))
    }

    fn value(&self, var: Var) -> Option<f64> {
        self.domains[var.0].value().map(|bits| self.number(bits))
    }
}

fn contract(constraint: &Constraint, domains: &mut [FloatDomain]) -> Result<(), Conflict> {
    let mut truth = BoolDomain::TRUE;
    match *constraint {
        Constraint::Add(x, y, z) => ternary(domains, [x, y, z], |x, y, z| float::add(RNE, x, y, z)),
        Constraint::Sub(x, y, z) => ternary(domains, [x, y, z], |x, y, z| float::sub(RNE, x, y, z)),
        Constraint::Mul(x, y, z) => ternary(domains, [x, y, z], |x, y, z| float::mul(RNE, x, y, z)),
        Constraint::Div(x, y, z) => ternary(domains, [x, y, z], |x, y, z| float::div(RNE, x, y, z)),
        Constraint::Eq(x, y) => ternary(domains, [x, y, y], |x, y, _| float::eq(x, y, &mut truth)),
        Constraint::Less(x, y) => ternary(domains, [x, y, y], |x, y, _| float::lt(x, y, &mut truth)),
        Constraint::LessOrEqual(x, y) => ternary(domains, [x, y, y], |x, y, _| float::le(x, y, &mut truth)),
    }
}

fn ternary(
    domains: &mut [FloatDomain],
    vars: [Var; 3],
    narrow: impl FnOnce(&mut FloatDomain, &mut FloatDomain, &mut FloatDomain) -> Result<(), Conflict>,
) -> Result<(), Conflict> {
    let [mut x, mut y, mut z] = vars.map(|var| domains[var.0]);
    narrow(&mut x, &mut y, &mut z)?;
    for (var, domain) in vars.into_iter().zip([x, y, z]) {
        domains[var.0] = domains[var.0].meet(&domain);
        domains[var.0].non_empty()?;
    }
    Ok(())
}

/// `x > 0`, `x + 1e12 == 1e12`.
fn foo1(format: Format) -> (f64, f64) {
    let mut problem = Problem::new(format);
    let (x, y, zero) = (problem.var(), problem.constant(1.0e12), problem.constant(0.0));
    problem.less(zero, x);
    let z = problem.define(Constraint::Add, x, y);
    problem.eq(z, y);
    problem.propagate().expect("the problem has solutions");
    problem.bounds(x)
}

#[test]
fn fpse_foo1_single() {
    assert_eq!(foo1(Format::SINGLE), (1.4012984643248171e-45, 32767.998046875));
}

#[test]
fn fpse_foo1_double() {
    assert_eq!(foo1(Format::DOUBLE), (4.9406564584124654e-324, 6.103515625e-05));
}

/// `x < 10000`, `x + 1e12 > 1e12`.
fn foo2(format: Format) -> Result<(f64, f64), Conflict> {
    let mut problem = Problem::new(format);
    let (x, y, limit) = (problem.var(), problem.constant(1.0e12), problem.constant(10000.0));
    problem.less(x, limit);
    let z = problem.define(Constraint::Add, x, y);
    problem.less(y, z);
    problem.propagate().map(|()| problem.bounds(x))
}

#[test]
fn fpse_foo2_single() {
    assert_eq!(foo2(Format::SINGLE), Err(Conflict));
}

#[test]
fn fpse_foo2_double() {
    assert_eq!(foo2(Format::DOUBLE), Ok((6.1035156250000014e-05, 9999.9999999999982)));
}

/// `(a + b) - b - c`.
fn g1(format: Format) -> Option<f64> {
    let mut problem = Problem::new(format);
    let (a, b, c) = (problem.constant(2.0e-30), problem.constant(1.0e30), problem.constant(1.0e-30));
    let sum = problem.define(Constraint::Add, a, b);
    let difference = problem.define(Constraint::Sub, sum, b);
    let result = problem.define(Constraint::Sub, difference, c);
    problem.propagate().expect("the problem has solutions");
    problem.value(result)
}

#[test]
fn fpse_g1() {
    assert_eq!(g1(Format::SINGLE), Some(-1.0000000031710769e-30));
    assert_eq!(g1(Format::DOUBLE), Some(-1.0000000000000001e-30));
}

/// `b * b - 4 * (a * c)` with `a = 1.22`, `b = 3.34`: the problem, `c` and the discriminant.
fn g2(format: Format) -> (Problem, Var, Var) {
    let mut problem = Problem::new(format);
    let (a, b, four, c) = (problem.constant(1.22), problem.constant(3.34), problem.constant(4.0), problem.var());
    let square = problem.define(Constraint::Mul, b, b);
    let product = problem.define(Constraint::Mul, a, c);
    let fourfold = problem.define(Constraint::Mul, four, product);
    let discriminant = problem.define(Constraint::Sub, square, fourfold);
    (problem, c, discriminant)
}

fn g2_direct(format: Format) -> Option<f64> {
    let (mut problem, c, discriminant) = g2(format);
    let value = problem.constant(2.28);
    problem.eq(c, value);
    problem.propagate().expect("the problem has solutions");
    problem.value(discriminant)
}

fn g2_inverse(format: Format) -> Option<f64> {
    let (mut problem, c, discriminant) = g2(format);
    let zero = problem.constant(0.0);
    problem.eq(discriminant, zero);
    problem.propagate().expect("the problem has solutions");
    problem.value(c)
}

#[test]
fn fpse_g2_direct() {
    assert_eq!(g2_direct(Format::SINGLE), Some(0.029199600219726562));
    assert_eq!(g2_direct(Format::DOUBLE), Some(0.029200000000001225));
}

#[test]
fn fpse_g2_inverse_single() {
    assert_eq!(g2_inverse(Format::SINGLE), Some(2.2859835624694824));
}

#[test]
fn fpse_g2_inverse_double() {
    assert_eq!(g2_inverse(Format::DOUBLE), Some(2.2859836065573771));
}

/// `x = a * b + 2 > 100`, `100 - x - 50 > limit`.
fn howden(format: Format, limit: f64) -> Result<(), Conflict> {
    let mut problem = Problem::new(format);
    let (a, b) = (problem.var(), problem.var());
    let [two, fifty, hundred, limit] = [2.0, 50.0, 100.0, limit].map(|number| problem.constant(number));
    let product = problem.define(Constraint::Mul, a, b);
    let x1 = problem.define(Constraint::Add, product, two);
    problem.less(hundred, x1);
    let x2 = problem.define(Constraint::Sub, hundred, x1);
    let x3 = problem.define(Constraint::Sub, x2, fifty);
    problem.less(limit, x3);
    problem.propagate()
}

#[test]
fn fpse_howden_row8() {
    for format in [Format::SINGLE, Format::DOUBLE] {
        assert_eq!(howden(format, 50.0), Err(Conflict));
        assert_eq!(howden(format, 0.0), Err(Conflict));
    }
}

/// `1 / 10^turns` by repeated multiplication.
fn power_value(format: Format, turns: usize) -> Option<f64> {
    let mut problem = Problem::new(format);
    let (ten, one) = (problem.constant(10.0), problem.constant(1.0));
    let mut z = one;
    for _ in 0..turns {
        z = problem.define(Constraint::Mul, z, ten);
    }
    let result = problem.define(Constraint::Div, one, z);
    problem.propagate().expect("the problem has solutions");
    problem.value(result)
}

#[test]
fn fpse_power_row4() {
    assert_eq!(power_value(Format::SINGLE, 40).map(f64::to_bits), Some(0));
    assert_eq!(power_value(Format::DOUBLE, 40), Some(1.0000000000000001e-40));
}

#[test]
fn fpse_power_row5() {
    assert_eq!(power_value(Format::SINGLE, 350).map(f64::to_bits), Some(0));
    assert_eq!(power_value(Format::DOUBLE, 350).map(f64::to_bits), Some(0));
}

/// `y < 0`, `w = 0 - y` stays positive for `turns` turns of `w = w - 1`, then is not.
fn power_path(format: Format, turns: usize) -> Result<(f64, f64), Conflict> {
    let mut problem = Problem::new(format);
    let (y, zero, one) = (problem.var(), problem.constant(0.0), problem.constant(1.0));
    problem.less(y, zero);
    let mut w = problem.define(Constraint::Sub, zero, y);
    for _ in 0..turns {
        problem.less(zero, w);
        w = problem.define(Constraint::Sub, w, one);
    }
    problem.less_or_equal(w, zero);
    problem.propagate().map(|()| problem.bounds(y))
}

#[test]
fn fpse_power_row9() {
    assert_eq!(power_path(Format::SINGLE, 0), Err(Conflict));
    assert_eq!(power_path(Format::DOUBLE, 0), Err(Conflict));
}

#[test]
fn fpse_power_row10() {
    assert_eq!(power_path(Format::SINGLE, 40), Ok((-40.0, -39.000003814697266)));
    assert_eq!(power_path(Format::DOUBLE, 40), Ok((-40.0, -39.000000000000007)));
}

#[test]
fn fpse_power_row11() {
    assert_eq!(power_path(Format::SINGLE, 350), Ok((-350.0, -349.00003051757812)));
    assert_eq!(power_path(Format::DOUBLE, 350), Ok((-350.0, -349.00000000000006)));
}

/// The first operand of `r = a + b` lies within the paper's bounds, from the middles between neighbours of the ends of
/// `r`, computed in double precision.
#[test]
fn fp_add_inverse() {
    let boxes: [[f32; 4]; 5] = [
        [1.0, 2.0, 0.5, 0.75],
        [10.0, 10.0, 1e-3, 1e-3],
        [-3.0, 8.0, 1e10, 1e10],
        [0.1, 0.3, -0.2, 0.1],
        [1e20, 2e20, 1.0, 3.0],
    ];
    for [low, high, least, greatest] in boxes {
        let domain = |lo: f32, hi: f32| FloatDomain::between(Format::SINGLE, lo.to_bits().into(), hi.to_bits().into());
        let (mut a, mut b, mut r) = (FloatDomain::full(Format::SINGLE), domain(least, greatest), domain(low, high));
        float::add(RNE, &mut a, &mut b, &mut r).unwrap();
        let middle = |a: f32, b: f32| f64::midpoint(a.into(), b.into());
        let from = middle(low, low.next_down()) - f64::from(greatest);
        let to = middle(high, high.next_up()) - f64::from(least);
        let hull = a.hull();
        let ends = [hull.lo, hull.hi].map(|key| f64::from(f32::from_bits(Format::SINGLE.from_ordered(key) as u32)));
        assert!(from <= ends[0] && ends[1] <= to, "{ends:?} within {from} and {to}");
        let sums = ends.map(|end| [least, greatest].map(|b| end as f32 + b));
        assert!(sums.as_flattened().iter().any(|sum| (low..=high).contains(sum)), "the hull is not empty air");
    }
}

#[test]
fn fp_absorption() {
    let mut problem = Problem::new(Format::SINGLE);
    let (x, y) = (problem.constant(999999995904.0), problem.constant(10000.0));
    let z = problem.define(Constraint::Add, x, y);
    problem.propagate().expect("the problem has solutions");
    assert_eq!(problem.value(z), Some(999999995904.0));
}
