//! Linear reasoning against enumeration of small boxes.

use clew_solver::domain::int::IntDomain;
use clew_solver::linear::difference::Differences;
use clew_solver::linear::exact::{self, Signedness};
use clew_solver::linear::relax::{self, Bounded};
use clew_solver::linear::{Range, Row, System, Terms};

const LIMIT: i128 = 3;

/// A small deterministic generator (xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, count: u64) -> i128 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        i128::from((self.0 >> 11) % count)
    }

    fn system(&mut self, variables: usize) -> System {
        let range = |dice: &mut Dice| {
            let min = dice.roll(4) - LIMIT;
            Range::new(min, (min + dice.roll(6)).min(LIMIT))
        };
        let ranges: Vec<Range> = (0..variables).map(|_| range(self)).collect();
        let mut system = System::new(&ranges);
        for _ in 0..self.roll(5) {
            system.push(Row { terms: self.terms(variables), bound: self.roll(12) - 5 });
        }
        system
    }

    fn terms(&mut self, variables: usize) -> Terms {
        Terms::new(&(0..variables).map(|variable| (variable, self.roll(7) - 3)).collect::<Vec<_>>())
    }
}

/// All points of the cube `-LIMIT..=LIMIT` that satisfy the system.
fn solutions(system: &System) -> Vec<Vec<i128>> {
    let inside = |range: &Range, value: i128| {
        range.min.is_none_or(|min| min <= value) && range.max.is_none_or(|max| value <= max)
    };
    let mut points = vec![vec![]];
    for range in &system.ranges {
        let extend = |point: Vec<i128>| {
            let values = (-LIMIT..=LIMIT).filter(|&value| inside(range, value));
            values.map(|value| [point.clone(), vec![value]].concat()).collect::<Vec<_>>()
        };
        points = points.into_iter().flat_map(extend).collect();
    }
    points.retain(|point| system.rows.iter().all(|row| row.holds(point) == Some(true)));
    points
}

fn value(terms: &Terms, point: &[i128]) -> i128 {
    terms.iter().map(|(variable, coefficient)| coefficient * point[variable]).sum()
}

#[test]
fn bounds_are_never_too_tight() {
    let mut dice = Dice(1);
    for _ in 0..3000 {
        let system = dice.system(3);
        let terms = dice.terms(3);
        let greatest = solutions(&system).iter().map(|point| value(&terms, point)).max();
        match (system.upper(&terms), greatest) {
            (Err(_), greatest) => assert_eq!(greatest, None, "{system:?}"),
            (Ok(upper), Some(greatest)) => {
                let upper = upper.expect("a box is bounded");
                assert!(upper >= greatest, "{terms:?} over {system:?}");
            }
            (Ok(_), None) => {}
        }
    }
}

#[test]
fn tightening_keeps_all_solutions() {
    let mut dice = Dice(2);
    let mut refuted = 0;
    for _ in 0..2000 {
        let system = dice.system(3);
        let points = solutions(&system);
        let mut tightened = system.clone();
        match tightened.tighten() {
            Err(_) => {
                refuted += 1;
                assert!(points.is_empty(), "{system:?}");
            }
            Ok(_) => assert_eq!(solutions(&tightened), points, "{system:?}"),
        }
    }
    assert!(refuted > 100, "empty systems are found: {refuted}");
}

/// Larger systems with coefficients up to 64 bits around a planted solution: overflow may cost bounds, never points.
#[test]
fn planted_points_survive() {
    let mut dice = Dice(7);
    let mut bounded = 0;
    for round in 0..300u64 {
        let variables = 2 + dice.roll(7) as usize;
        let size = 1 << (4 + round % 60);
        let number = |dice: &mut Dice| dice.roll(size) - i128::from(size / 2);
        let point: Vec<i128> = (0..variables).map(|_| number(&mut dice)).collect();
        let ranges: Vec<Range> =
            point.iter().map(|&value| Range::new(value - dice.roll(size), value + dice.roll(size))).collect();
        let mut system = System::new(&ranges);
        for _ in 0..dice.roll(10) {
            let terms = Terms::new(&(0..variables).map(|variable| (variable, number(&mut dice))).collect::<Vec<_>>());
            let bound = value(&terms, &point) + dice.roll(100);
            system.push(Row { terms, bound });
        }
        let terms = Terms::new(&(0..variables).map(|variable| (variable, number(&mut dice))).collect::<Vec<_>>());
        let upper = system.upper(&terms).expect("there is a solution");
        bounded += u32::from(upper.is_some());
        assert!(upper.is_none_or(|upper| upper >= value(&terms, &point)), "{system:?}");
        system.tighten().expect("there is a solution");
        let inside =
            |(range, &value): (&Range, &i128)| range.min <= Some(value) && range.max.is_none_or(|max| value <= max);
        assert!(system.ranges.iter().zip(&point).all(inside), "{system:?}");
    }
    assert!(bounded > 100, "bounds are found: {bounded}");
}

#[test]
fn one_row_is_bounds_consistent() {
    let mut dice = Dice(3);
    for _ in 0..2000 {
        let mut system = dice.system(3);
        system.rows.truncate(1);
        let points = solutions(&system);
        if system.narrow_rows().is_err() {
            assert!(points.is_empty());
            continue;
        }
        // Over the rationals: with two of the three at their best, the bound of the third is within one step.
        assert_eq!(solutions(&system), points);
    }
}

#[test]
fn differences_are_exact() {
    let mut dice = Dice(4);
    let mut conflicts = 0;
    for _ in 0..3000 {
        let ranges = dice.system(3).ranges;
        let mut system = System::new(&ranges);
        let mut differences = Differences::new(&ranges).expect("ranges are not empty");
        let mut conflict = false;
        for _ in 0..1 + dice.roll(4) {
            let (x, y, bound) = (dice.roll(3) as usize, dice.roll(3) as usize, dice.roll(9) - 5);
            if x != y {
                system.at_most(&[(x, 1), (y, -1)], bound);
                conflict |= differences.at_most(x, y, bound).is_err();
            }
            if conflict {
                break;
            }
        }
        let points = solutions(&system);
        assert_eq!(conflict, points.is_empty(), "{system:?}");
        if conflict {
            conflicts += 1;
            continue;
        }
        for x in 0..3 {
            let values = |point: &Vec<i128>| point[x];
            assert_eq!(differences.range(x).min, points.iter().map(values).min(), "{system:?}");
            assert_eq!(differences.range(x).max, points.iter().map(values).max(), "{system:?}");
            for y in (0..3).filter(|&y| y != x) {
                let greatest = points.iter().map(|point| point[x] - point[y]).max();
                assert_eq!(differences.upper(x, y), greatest, "{system:?}");
                // The linear program finds the same: differences are totally unimodular.
                let terms = Terms::new(&[(x, 1), (y, -1)]);
                assert_eq!(system.upper(&terms).unwrap(), greatest, "{system:?}");
            }
        }
    }
    assert!(conflicts > 100, "conflicts are found: {conflicts}");
}

#[test]
fn differences_survive_extreme_numbers() {
    let huge = Range::new(i128::MIN + 1, i128::MAX);
    let mut differences = Differences::new(&[huge, huge]).expect("ranges are not empty");
    // The difference of the extremes is beyond 128 bits: no bound, and no conflict either.
    assert_eq!(differences.at_most(0, 1, i128::MIN), Ok(true));
    let mut differences = Differences::new(&[Range::ALL, Range::ALL]).expect("nothing is demanded");
    assert_eq!(differences.at_most(0, 1, i128::MIN), Ok(true));
    assert_eq!(differences.at_most(1, 0, i128::MIN), Err(clew_solver::domain::Conflict));
}

#[test]
fn relaxations_hold_for_all_solutions() {
    let ranges = || (-3..=3i128).flat_map(|min| (min..=3).map(move |max| (min, max)));
    for (x_min, x_max) in ranges() {
        for (y_min, y_max) in ranges() {
            let x = Bounded { variable: 0, min: x_min, max: x_max };
            let y = Bounded { variable: 1, min: y_min, max: y_max };
            let products = relax::product(2, x, y).expect("small numbers");
            let reified = relax::reified_at_most(2, x, y).expect("small numbers");
            let different = relax::disequality(x, y).expect("small numbers");
            for a in x_min..=x_max {
                for b in y_min..=y_max {
                    let holds = |row: &Row, third: i128| row.holds(&[a, b, third]).expect("small numbers");
                    assert!(products.iter().all(|row| holds(row, a * b)));
                    assert!(reified.iter().all(|row| holds(row, i128::from(a <= b))));
                    assert!(!reified.iter().all(|row| holds(row, i128::from(a > b))), "the other truth is excluded");
                    assert!(a == b || different.iter().all(|row| holds(row, 0)));
                }
            }
        }
    }
}

#[test]
fn products_are_exact_at_the_corners() {
    let (x, y) = (Bounded { variable: 0, min: -4, max: 7 }, Bounded { variable: 1, min: 2, max: 5 });
    for (a, b) in [(-4, 2), (-4, 5), (7, 2), (7, 5)] {
        let mut system = System::new(&[Range::new(a, a), Range::new(b, b), Range::ALL]);
        system.rows.extend(relax::product(2, x, y).expect("small numbers"));
        system.tighten().expect("there is a solution");
        assert_eq!(system.ranges[2], Range::new(a * b, a * b));
    }
}

#[test]
fn weak_joins_and_projections_keep_all_points() {
    let mut dice = Dice(5);
    for _ in 0..600 {
        let (a, b) = (dice.system(2), dice.system(2));
        let (in_a, in_b) = (solutions(&a), solutions(&b));
        match a.weak_join(&b) {
            Err(_) => assert!(in_a.is_empty() && in_b.is_empty()),
            Ok(joined) => {
                let points = solutions(&joined);
                assert!(in_a.iter().chain(&in_b).all(|point| points.contains(point)), "{a:?} and {b:?} in {joined:?}");
                let widened = a.widen(&joined);
                let points = solutions(&widened);
                assert!(in_a.iter().chain(&in_b).all(|point| points.contains(point)), "{a:?} widened by {joined:?}");
            }
        }
        let projected = a.project(1);
        assert!(projected.rows.iter().all(|row| row.terms.coefficient(1) == 0));
        for point in &in_a {
            assert!((-LIMIT..=LIMIT).any(|any| solutions(&projected).contains(&vec![point[0], any])), "{a:?}");
        }
        if a.includes(&b) {
            assert!(in_b.iter().all(|point| in_a.contains(point)), "{a:?} includes {b:?}");
        }
    }
}

#[test]
fn exactness_of_machine_operations() {
    type Exact = fn(&IntDomain, &IntDomain, Signedness) -> bool;
    type Operation = fn(i128, i128) -> i128;
    let cases: [(Exact, Operation); 3] = [
        (exact::sum_is_exact, |x, y| x + y),
        (exact::difference_is_exact, |x, y| x - y),
        (exact::product_is_exact, |x, y| x * y),
    ];
    let mut dice = Dice(6);
    for _ in 0..4000 {
        let mut domain = || {
            let lo = dice.roll(16) as u128;
            IntDomain::from_interval(4, clew_solver::domain::int::Interval::new(lo, dice.roll(16) as u128, 15))
        };
        let (a, b) = (domain(), domain());
        for (reading, limits) in [(Signedness::Unsigned, 0..=15i128), (Signedness::Signed, -8..=7)] {
            let number = |bits: u128| match reading {
                Signedness::Unsigned => bits as i128,
                Signedness::Signed => clew_scalar::int::signed(4, bits),
            };
            for (is_exact, operation) in cases {
                let all = a.values().all(|x| b.values().all(|y| limits.contains(&operation(number(x), number(y)))));
                assert_eq!(is_exact(&a, &b, reading), all, "{a:?} {b:?} {reading:?}");
            }
        }
    }
}
