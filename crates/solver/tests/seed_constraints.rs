//! The constraint problems of the seed corpus that propagators and linear systems decide without search, each under its
//! name there (dashes become underscores).
//!
//! Expected values are those of the corpus, corrected where an erratum says so. Problems over ideal integers are stated in
//! a ring wide enough that nothing wraps. Not here: problems of the whole solver, of floats, loops and other systems; and
//! `ddr-update`, whose printed boxes are a heuristic choice and no consequence of the constraint.

use clew_scalar::{BinaryOp, Value};
use clew_solver::domain::Conflict;
use clew_solver::domain::boolean::BoolDomain;
use clew_solver::domain::int::{Comparison, IntDomain, Interval, get_split, search_point};
use clew_solver::evaluate::Evaluator;
use clew_solver::linear::relax::{self, Bounded};
use clew_solver::linear::{Range, Row, System, Terms};
use clew_solver::model::Model;
use clew_solver::propagate::int as propagators;
use clew_solver::term::{Node, Terms as Pool};

/// Repeats the propagators until no domain changes.
fn fixpoint<const N: usize>(
    store: &mut [IntDomain; N],
    contract: impl Fn(&mut [IntDomain; N]) -> Result<(), Conflict>,
) -> Result<(), Conflict> {
    loop {
        let before = *store;
        contract(store)?;
        if *store == before {
            return Ok(());
        }
    }
}

/// Refutation: what is left of the store under either half of a domain, joined.
fn probe_halves<const N: usize>(
    store: &mut [IntDomain; N],
    at: usize,
    contract: impl Fn(&mut [IntDomain; N]) -> Result<(), Conflict>,
) -> Result<(), Conflict> {
    let Some((first, second)) = store[at].halves() else { return Ok(()) };
    let under = |half: IntDomain| {
        let mut copy = *store;
        copy[at] = half;
        fixpoint(&mut copy, &contract).map(|()| copy)
    };
    *store = match (under(first), under(second)) {
        (Ok(a), Ok(b)) => std::array::from_fn(|k| a[k].join(&b[k])),
        (Ok(only), Err(Conflict)) | (Err(Conflict), Ok(only)) => only,
        (Err(Conflict), Err(Conflict)) => return Err(Conflict),
    };
    Ok(())
}

fn unsigned(domain: &IntDomain) -> (u128, u128) {
    (domain.unsigned_min(), domain.unsigned_max())
}

fn signed(domain: &IntDomain) -> (i128, i128) {
    (domain.signed_min(), domain.signed_max())
}

fn int(value: u128) -> IntDomain {
    IntDomain::singleton(32, value)
}

/// `a` under the propagator of a comparison that holds.
fn holds(
    comparison: fn(&mut BoolDomain, &mut IntDomain, &mut IntDomain) -> Result<(), Conflict>,
    a: &mut IntDomain,
    b: &mut IntDomain,
) -> Result<(), Conflict> {
    comparison(&mut BoolDomain::TRUE.clone(), a, b)
}

#[test]
fn ite6_join() {
    let mut condition = BoolDomain::TOP;
    let (mut x0, mut x1, mut x2) = (int(1), int(3), IntDomain::top(32));
    propagators::select(&mut condition, &mut x2, &mut x0, &mut x1).unwrap();
    assert_eq!(x2.values().collect::<Vec<_>>(), [1, 3]);
    x2.narrow_signed(2, i128::MAX).unwrap();
    propagators::select(&mut condition, &mut x2, &mut x0, &mut x1).unwrap();
    assert_eq!((x2.value(), condition.value()), (Some(3), Some(false)));
}

#[test]
fn ite3_else_refuted() {
    let mut nonzero = BoolDomain::TOP;
    let (mut i0, mut i1, mut i2) = (IntDomain::top(32), IntDomain::top(32), int(0));
    for _ in 0..2 {
        propagators::not_equal(&mut nonzero, &mut i0, &mut int(0)).unwrap();
        propagators::sub(&mut i1, &mut i0, &mut int(1)).unwrap();
        propagators::select(&mut nonzero, &mut i2, &mut i1, &mut int(1)).unwrap();
    }
    assert_eq!((nonzero.value(), i1.value(), i0.value()), (Some(true), Some(0), Some(1)));
}

#[test]
fn domain_consistency_pitfall() {
    let mut store = [IntDomain::unsigned(32, 0, 1); 3];
    let consistent = fixpoint(&mut store, |[x, y, z]| {
        holds(propagators::not_equal, x, y)?;
        holds(propagators::not_equal, y, z)?;
        holds(propagators::not_equal, x, z)
    });
    assert_eq!(consistent, Ok(()), "x = z follows, but not locally");
}

#[test]
fn entail_square() {
    let mut store = [IntDomain::signed(64, i128::from(i64::MIN), -1), IntDomain::signed(64, -1 << 31, (1 << 31) - 1)];
    assert_eq!(fixpoint(&mut store, |[x, y]| propagators::square(x, y)), Err(Conflict), "x < 0 is refuted");
}

#[test]
fn abs_entailment() {
    let mut store = [IntDomain::unsigned(32, 1, 100), IntDomain::unsigned(32, 9, 11)];
    let product = |[x, y]: &mut [IntDomain; 2]| propagators::mul(&mut int(100), x, y);
    let different = |[x, y]: &mut [IntDomain; 2]| holds(propagators::not_equal, x, y);
    let mut without = store;
    fixpoint(&mut without, product).unwrap();
    assert_eq!((without[0].value(), without[1].value()), (Some(10), Some(10)));
    let refuted = fixpoint(&mut store, |store| {
        product(store)?;
        different(store)
    });
    assert_eq!(refuted, Err(Conflict));
}

/// x, y, z, t1, t2, u as ideal integers: 72 bits hold every product of two 32-bit numbers. `None` leaves the choice out.
fn foo_cl2000(less_than_four: Option<BoolDomain>) -> (Result<(), Conflict>, [IntDomain; 6]) {
    let mut store = [IntDomain::unsigned(72, 0, u128::from(u32::MAX)); 6];
    let constant = |value| IntDomain::singleton(72, value);
    let answer = fixpoint(&mut store, |[x, y, z, t1, t2, u]| {
        propagators::mul(z, x, y)?;
        propagators::mul(t1, &mut constant(2), x)?;
        z.narrow_unsigned(0, 8)?;
        holds(propagators::ule, u, x)?;
        propagators::sub(t2, t1, y)?;
        t2.narrow_unsigned(0, 20)?;
        let Some(mut condition) = less_than_four else { return Ok(()) };
        propagators::ult(&mut condition, x, &mut constant(4))?;
        propagators::select(&mut condition, u, &mut constant(10), &mut constant(2))
    });
    (answer, store)
}

#[test]
fn foo_cl2000_store() {
    let (answer, store) = foo_cl2000(None);
    assert_eq!(answer, Ok(()));
    assert_eq!(unsigned(&store[0]), (0, (1 << 31) - 1), "by t1 = 2 * x alone");
    let (answer, store) = foo_cl2000(Some(BoolDomain::TOP));
    assert_eq!(answer, Ok(()));
    assert_eq!(unsigned(&store[0]), (2, 12), "the union of both branches says u >= 2");
    assert_eq!(foo_cl2000(Some(BoolDomain::TRUE)).0, Err(Conflict), "x < 4 is refuted");
    let (answer, store) = foo_cl2000(Some(BoolDomain::FALSE));
    assert_eq!(answer, Ok(()));
    assert_eq!((unsigned(&store[0]), unsigned(&store[1]), store[5].value()), ((4, 11), (0, 2), Some(2)));
}

#[test]
fn join_domain() {
    let (x, y) = (IntDomain::signed(32, -1000, 1000), IntDomain::unsigned(32, 0, 1));
    let (mut same_x, mut same_y) = (x, y);
    holds(propagators::equal, &mut same_x, &mut same_y).unwrap();
    let mut five = x;
    five.fix(5).unwrap();
    let joined = same_x.join(&five);
    assert_eq!(signed(&joined), (0, 5));
    assert_eq!(joined.values().collect::<Vec<_>>(), [0, 1, 5]);
    assert_eq!(unsigned(&same_y.join(&y)), (0, 1));
}

#[test]
fn join_linear() {
    let case = |difference| {
        let mut system = System::new(&[Range::new(0, 20); 2]);
        system.equal(&[(0, 1), (1, -1)], difference);
        system
    };
    let joined = case(10).weak_join(&case(-10)).unwrap();
    let difference = Terms::new(&[(0, 1), (1, -1)]);
    assert_eq!((joined.lower(&difference), joined.upper(&difference)), (Ok(Some(-10)), Ok(Some(10))));
    assert_eq!(joined.ranges, [Range::new(0, 20); 2]);
}

fn bounded(variable: usize, min: i128, max: i128) -> Bounded {
    Bounded { variable, min, max }
}

#[test]
fn relax_diseq() {
    let rows = relax::disequality(bounded(0, 0, 10), bounded(1, 0, 10)).unwrap();
    assert_eq!(rows, [Row::new(&[(0, -1), (1, -1)], -1), Row::new(&[(0, 1), (1, 1)], 19)]);
}

#[test]
fn mccormick() {
    let (xl, xu, yl, yu) = (-3, 5, 2, 7);
    let rows = relax::product(2, bounded(0, xl, xu), bounded(1, yl, yu)).unwrap();
    let expected = [
        Row::new(&[(2, -1), (0, yl), (1, xl)], xl * yl),
        Row::new(&[(2, 1), (0, -yu), (1, -xl)], -xl * yu),
        Row::new(&[(2, 1), (0, -yl), (1, -xu)], -xu * yl),
        Row::new(&[(2, -1), (0, yu), (1, xu)], xu * yu),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn reify_le() {
    let (xl, xu, yl, yu) = (-3, 5, 2, 7);
    let rows = relax::reified_at_most(2, bounded(0, xl, xu), bounded(1, yl, yu)).unwrap();
    let expected =
        [Row::new(&[(0, 1), (1, -1), (2, xu - yl)], xu - yl), Row::new(&[(1, 1), (0, -1), (2, -(yu - xl + 1))], -1)];
    assert_eq!(rows, expected);
}

#[test]
fn split_integer_bound() {
    let mut system = System::new(&[Range::new(0, 100)]);
    system.at_most(&[(0, 2)], 7);
    assert_eq!(system.upper(&Terms::new(&[(0, 1)])), Ok(Some(3)));
}

/// The clockwise interval `lo..hi` modulo 8.
fn eighth(lo: u128, hi: u128) -> IntDomain {
    IntDomain::from_interval(3, Interval { lo, hi })
}

type Binary = fn(&mut IntDomain, &mut IntDomain, &mut IntDomain) -> Result<(), Conflict>;

fn image(propagator: Binary, mut a: IntDomain, mut b: IntDomain) -> IntDomain {
    let mut result = IntDomain::top(a.width());
    propagator(&mut result, &mut a, &mut b).expect("every operation has a result");
    result
}

#[test]
fn ci_add_full() {
    assert!(image(propagators::add, eighth(2, 3), eighth(3, 2)).is_top());
}

#[test]
fn ci_add_point() {
    assert_eq!(image(propagators::add, eighth(2, 2), eighth(3, 3)), eighth(5, 5));
}

#[test]
fn ci_add_improper() {
    assert_eq!(image(propagators::add, eighth(2, 4), eighth(4, 7)), eighth(6, 3));
}

#[test]
fn ci_sub() {
    assert_eq!(image(propagators::sub, eighth(0, 1), eighth(0, 1)), eighth(7, 1));
}

#[test]
fn ci_mul_4() {
    let result = image(propagators::mul, eighth(4, 4), eighth(2, 4));
    assert_eq!(result.interval(), Interval { lo: 0, hi: 4 });
    assert_eq!(result.values().collect::<Vec<_>>(), [0, 4]);
}

#[test]
fn ci_mul_5() {
    let result = image(propagators::mul, eighth(5, 5), eighth(2, 7));
    assert_eq!(result.interval(), Interval { lo: 1, hi: 7 });
    assert_eq!(result.values().collect::<Vec<_>>(), [1, 2, 3, 4, 6, 7]);
}

#[test]
fn ci_meet_1() {
    let met = eighth(5, 2).meet(&eighth(1, 6)).unwrap();
    assert_eq!(met.interval(), Interval { lo: 1, hi: 6 });
    assert_eq!(met.values().collect::<Vec<_>>(), [1, 2, 5, 6]);
}

#[test]
fn ci_meet_2() {
    let met = eighth(5, 1).meet(&eighth(0, 6)).unwrap();
    assert_eq!(met.interval(), Interval { lo: 5, hi: 1 });
}

#[test]
fn ci_card() {
    let Interval { lo, hi } = eighth(7, 0).interval();
    assert_eq!((eighth(7, 0).count(), hi as i128 - lo as i128), (2, -7));
}

#[test]
fn ci_maxc() {
    let mut store = [eighth(5, 0), eighth(5, 5), eighth(2, 7)];
    fixpoint(&mut store, |[z, x, y]| propagators::mul(z, x, y)).unwrap();
    assert_eq!(store[2].interval(), Interval { lo: 3, hi: 6 });
    assert_eq!(store[0].interval(), Interval { lo: 6, hi: 7 });
}

#[test]
fn ci_buf() {
    let mut store = [IntDomain::top(32), IntDomain::top(32)];
    let overflows = |[buf, sum]: &mut [IntDomain; 2]| {
        propagators::add(sum, buf, &mut int(1 << 31))?;
        holds(propagators::ult, sum, buf)
    };
    fixpoint(&mut store, overflows).unwrap();
    probe_halves(&mut store, 0, overflows).unwrap();
    assert_eq!(store[0], IntDomain::unsigned(32, 1 << 31, (1 << 32) - 1));
}

/// As a term the same test is a bound on `buf`, so that one propagator decides it.
#[test]
fn buf_len() {
    let mut terms = Pool::new();
    let buf = terms.int_var("buf", 32);
    let len = terms.int(32, 1 << 31);
    let sum = terms.binary(BinaryOp::Add, buf, len);
    let wraps = terms.binary(BinaryOp::Ult, sum, buf);
    let bound = terms.int(32, (1 << 31) - 1);
    assert_eq!(terms.node(wraps), Node::Binary(BinaryOp::Ult, bound, buf));
}

/// The rewriting of wrap-around tests, for all numbers of four bits.
#[test]
fn wrap_around_tests_keep_their_meaning() {
    for offset in 0..16 {
        let mut terms = Pool::new();
        let x = terms.int_var("x", 4);
        let Node::Var(variable) = terms.node(x) else { unreachable!("a variable") };
        let constant = terms.int(4, offset);
        let sum = terms.binary(BinaryOp::Add, x, constant);
        let (wraps, grows) = (terms.binary(BinaryOp::Ult, sum, x), terms.binary(BinaryOp::Ult, x, sum));
        for value in 0..16 {
            let mut model = Model::new();
            model.set(variable, Value::int(4, value));
            let mut evaluator = Evaluator::new();
            assert_eq!(evaluator.value(&terms, &model, wraps).is_true(), (value + offset) % 16 < value);
            assert_eq!(evaluator.value(&terms, &model, grows).is_true(), value < (value + offset) % 16);
        }
    }
}

#[test]
fn ci_jsolver() {
    let positive = IntDomain::signed(32, 1, (1 << 31) - 1);
    let mut store = [IntDomain::top(32), positive, positive];
    fixpoint(&mut store, |[z, x, y]| propagators::add(z, x, y)).unwrap();
    assert_eq!(store[0], IntDomain::from_interval(32, Interval { lo: 2, hi: (1 << 32) - 2 }));
    store[0].narrow_signed(-1, i128::MAX).unwrap();
    fixpoint(&mut store, |[z, x, y]| propagators::add(z, x, y)).unwrap();
    assert_eq!(signed(&store[0]), (2, (1 << 31) - 1));
    assert_eq!((signed(&store[1]), signed(&store[2])), ((1, (1 << 31) - 2), (1, (1 << 31) - 2)));
}

#[test]
fn ci_zero_divisors() {
    let least = int(1 << 31);
    assert_eq!(image(propagators::mul, int(2), least).value(), Some(0));
    assert_eq!(image(propagators::mul, int(3), least).value(), Some(1 << 31));
}

#[test]
fn ddr_getsplit_text() {
    let split = get_split(Comparison::Greater, (1, 100), (1, 100), 1);
    assert_eq!(split, Some((50, (51, 100), (1, 50))));
}

#[test]
fn ddr_getsplit_1() {
    assert_eq!(search_point(1), (1, 1));
    let split = get_split(Comparison::Less, (-20, 20), (-40, 30), 1);
    assert_eq!(split, Some((0, (-20, -1), (0, 30))));
}

#[test]
fn ddr_getsplit_5() {
    assert_eq!(search_point(5), (3, 3));
    let split = get_split(Comparison::Less, (-20, 20), (-40, 30), 5);
    assert_eq!(split, Some((-5, (-20, -6), (-5, 30))));
}

fn range(lo: i128, hi: i128) -> IntDomain {
    IntDomain::signed(32, lo, hi)
}

#[test]
fn ddr_expr_plus() {
    assert_eq!(signed(&image(propagators::add, range(0, 20), range(10, 50))), (10, 70));
}

#[test]
fn ddr_expr_mul() {
    let sum = image(propagators::add, range(0, 20), range(-50, 50));
    let difference = image(propagators::sub, range(10, 50), range(30, 100));
    assert_eq!((signed(&sum), signed(&difference)), ((-50, 70), (-90, 20)));
    assert_eq!(signed(&image(propagators::mul, sum, difference)), (-6300, 4500));
}

/// Two addresses; objects 1 and 2 have the field, object 3 has not.
#[test]
fn mem_ndom() {
    let (a, b) = (0x1000, 0x2040);
    let mut pointer = int(a).join(&int(b));
    assert_eq!(pointer.values().collect::<Vec<_>>(), [a, b]);
    holds(propagators::not_equal, &mut pointer, &mut int(a)).unwrap();
    assert_eq!(pointer.value(), Some(b));
}

#[test]
fn jaut_putfield() {
    let greatest = (1 << 31) - 1;
    let (mut before, mut after) = ([range(0, 10), range(1, 3)], [IntDomain::top(32), range(15, greatest)]);
    let (mut object, mut value) = (IntDomain::top(32), range(10, 40));
    for _ in 0..2 {
        propagators::write(&mut after, &mut before, &mut object, &mut value).unwrap();
    }
    assert_eq!(object.value(), Some(1), "the second object");
    assert_eq!((signed(&before[0]), signed(&after[0])), ((0, 10), (0, 10)));
    assert_eq!((signed(&value), signed(&after[1])), ((15, 40), (15, 40)));
}

/// `plus(A, B, R)` of the rules on Peano numbers, as a sum of naturals that does not wrap.
fn plus(a: IntDomain, b: IntDomain, r: IntDomain) -> [IntDomain; 3] {
    let mut store = [a, b, r];
    fixpoint(&mut store, |[a, b, r]| propagators::add(r, a, b)).expect("there are such numbers");
    store
}

#[test]
fn chr_plus_1() {
    let [.., result] = plus(int(1), int(1), IntDomain::top(32));
    assert_eq!(result.value(), Some(2));
}

#[test]
fn chr_plus_2() {
    let [m, ..] = plus(IntDomain::top(32), int(1), int(2));
    assert_eq!(m.value(), Some(1));
}

/// What is known of one of M and N is known of the other.
#[test]
fn chr_plus_3() {
    let [m, _, n] = plus(range(0, 100), int(0), range(7, 1000));
    assert_eq!((signed(&m), signed(&n)), ((7, 100), (7, 100)));
    let (mut pool, mut evaluator) = (Pool::new(), Evaluator::new());
    let [m, zero] = [pool.int_var("M", 32), pool.int(32, 0)];
    let sum = pool.binary(BinaryOp::Add, m, zero);
    assert_eq!(sum, m, "plus(M, 0, M) stays");
    assert_eq!(evaluator.value(&pool, &Model::new(), sum), Value::int(32, 0));
}

/// An object of class A has the field t1 in 2..5; one of class B, which extends A, has t2 in 15..17 besides.
#[test]
fn jaut_typevar() {
    let field = |class: BoolDomain| {
        let mut is_b = class;
        let (mut chosen, mut of_b, mut of_a) = (IntDomain::top(32), range(15, 17), IntDomain::top(32));
        propagators::select(&mut is_b, &mut chosen, &mut of_b, &mut of_a).unwrap();
        (is_b, chosen)
    };
    assert_eq!(signed(&field(BoolDomain::TRUE).1), (15, 17));
    assert!(field(BoolDomain::FALSE).1.is_top() && field(BoolDomain::TOP).1.is_top());
    // A value of t2 that no B has leaves A alone.
    let (mut is_b, mut chosen, mut of_b, mut of_a) = (BoolDomain::TOP, int(3), range(15, 17), IntDomain::top(32));
    propagators::select(&mut is_b, &mut chosen, &mut of_b, &mut of_a).unwrap();
    assert_eq!(is_b.value(), Some(false));
}

/// The abstract fixpoint of `while (X < 2) X = X + 1` from X in 0..3, over (initial, current) values.
#[test]
fn w_simple() {
    let mut states = System::new(&[Range::new(0, 3), Range::ALL, Range::ALL]);
    states.equal(&[(0, 1), (1, -1)], 0);
    let mut iterations = 0;
    loop {
        // One turn: current <= 1 and next = current + 1, then the next value takes the place of the current one.
        let mut turn = states.clone();
        turn.at_most(&[(1, 1)], 1);
        turn.equal(&[(2, 1), (1, -1)], 1);
        let turned = turn.project(1);
        let rename = |terms: &Terms| {
            let swap = |variable| if variable == 2 { 1 } else { variable };
            Terms::new(&terms.iter().map(|(variable, coefficient)| (swap(variable), coefficient)).collect::<Vec<_>>())
        };
        let mut next = System::new(&[turned.ranges[0], turned.ranges[2], Range::ALL]);
        next.rows = turned.rows.iter().map(|row| Row { terms: rename(&row.terms), bound: row.bound }).collect();
        let joined = states.weak_join(&next).unwrap();
        iterations += 1;
        if states.includes(&joined) {
            break;
        }
        states = joined;
    }
    assert_eq!(iterations, 3, "as in the paper");
    let mut end = states;
    end.at_most(&[(1, -1)], -2);
    end.tighten().unwrap();
    // The paper has 2..4: its first join leaves out the face `current <= 2`, which is redundant only before the join.
    assert_eq!((end.ranges[0], end.ranges[1]), (Range::new(0, 3), Range::new(2, 3)));
    let difference = Terms::new(&[(1, 1), (0, -1)]);
    assert_eq!((end.lower(&difference), end.upper(&difference)), (Ok(Some(0)), Ok(Some(2))));
}
