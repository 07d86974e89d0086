//! What polynomials refute, and that they refute nothing that has a solution.

use clew_scalar::{BinaryOp, Conversion};

use super::{Numbers, refute};
use crate::evaluate::Evaluator;
use crate::model::Model;
use crate::search::Part;
use crate::store::Store;
use crate::term::{TermId, Terms, VarId};
use clew_scalar::Value;

/// Whether assertions are refuted, after propagation as in the solver.
fn is_refuted(terms: &Terms, goals: &[TermId]) -> Option<bool> {
    let mut store = Store::default();
    for (number, goal) in goals.iter().enumerate() {
        store.post(terms, *goal, number).ok()?;
    }
    let part = Part { assertions: (0..goals.len()).collect(), goals: goals.to_vec(), ..Part::default() };
    Some(refute(terms, &store, &part, Numbers::Any).is_some())
}

/// The sum of the numbers below a counter stays what it is while both go on.
#[test]
fn triangular_numbers_are_kept() {
    let mut terms = Terms::new();
    let [s, i, n] = ["s", "i", "n"].map(|name| terms.int_var(name, 32));
    let one = terms.int(32, 1);
    let wide = |terms: &mut Terms, term| terms.convert(Conversion::SignExtend(70), term);
    let invariant = |terms: &mut Terms, s, i| {
        let (s, i) = (wide(terms, s), wide(terms, i));
        let (one, two) = (terms.int(70, 1), terms.int(70, 2));
        let less = terms.binary(BinaryOp::Sub, i, one);
        let (left, right) = (terms.binary(BinaryOp::Mul, two, s), terms.binary(BinaryOp::Mul, i, less));
        terms.eq(left, right)
    };
    let before = invariant(&mut terms, s, i);
    let goes_on = terms.binary(BinaryOp::Sle, i, n);
    let below = {
        let most = terms.int(32, 0x7fff_ffff);
        terms.binary(BinaryOp::Slt, n, most)
    };
    let (sum, next) = (terms.binary(BinaryOp::Add, s, i), terms.binary(BinaryOp::Add, i, one));
    let fits = {
        let [a, b] = [s, i].map(|term| terms.convert(Conversion::SignExtend(33), term));
        let exact = terms.binary(BinaryOp::Add, a, b);
        let (least, most) = (terms.int(33, 0x1_8000_0000), terms.int(33, 0x7fff_ffff));
        let (above, below) = (terms.binary(BinaryOp::Sle, least, exact), terms.binary(BinaryOp::Sle, exact, most));
        terms.and(above, below)
    };
    let after = invariant(&mut terms, sum, next);
    let fails = terms.not(after);
    assert_eq!(is_refuted(&terms, &[before, goes_on, below, fits, fails]), Some(true));
    assert_eq!(is_refuted(&terms, &[before, goes_on, below, fails]), Some(false), "a sum that wraps is another one");
}

/// A random expression of numbers.
fn number(terms: &mut Terms, random: &mut clew_testing::Random, leaves: &[TermId], depth: u32) -> TermId {
    let width = terms.width(leaves[0]);
    if depth == 0 || random.below(5) == 0 {
        return match random.below(4) {
            0 => terms.int(width, u128::from(random.below(1u64 << width))),
            _ => leaves[random.below(leaves.len())],
        };
    }
    let mut part = |terms: &mut Terms| number(terms, random, leaves, depth - 1);
    let (a, b) = (part(terms), part(terms));
    match random.below(9) {
        0 | 1 => terms.binary(BinaryOp::Add, a, b),
        2 => terms.binary(BinaryOp::Sub, a, b),
        3..=5 => terms.binary(BinaryOp::Mul, a, b),
        6 => {
            let condition = terms.binary(BinaryOp::Slt, a, b);
            let other = leaves[0];
            terms.select(condition, a, other)
        }
        7 => {
            let low = terms.extract(width / 2 - 1, 0, a);
            let op = if random.below(2) == 0 { Conversion::SignExtend(width) } else { Conversion::ZeroExtend(width) };
            terms.convert(op, low)
        }
        _ => terms.unary(clew_scalar::UnaryOp::Neg, a),
    }
}

/// A random truth value, also between numbers computed wider.
fn truth(terms: &mut Terms, random: &mut clew_testing::Random, leaves: &[TermId]) -> TermId {
    let wide = random.below(2) == 0;
    let ops = [BinaryOp::Eq, BinaryOp::Slt, BinaryOp::Sle, BinaryOp::Ult, BinaryOp::Ule, BinaryOp::Ne];
    let op = random.pick(&ops);
    let leaves: Vec<TermId> = leaves
        .iter()
        .map(|leaf| match (wide, random.below(2)) {
            (false, _) => *leaf,
            (true, 0) => terms.convert(Conversion::SignExtend(9), *leaf),
            (true, _) => terms.convert(Conversion::ZeroExtend(9), *leaf),
        })
        .collect();
    let (a, b) = (number(terms, random, &leaves, 2), number(terms, random, &leaves, 2));
    let compared = terms.binary(op, a, b);
    match random.below(6) {
        0 => {
            let (c, d) = (number(terms, random, &leaves, 1), number(terms, random, &leaves, 1));
            let other = terms.binary(BinaryOp::Slt, c, d);
            terms.or(compared, other)
        }
        1 => terms.not(compared),
        _ => compared,
    }
}

/// An equation, and one that mostly contradicts it, which shows only when both are multiplied out.
fn contradiction(terms: &mut Terms, random: &mut clew_testing::Random, vars: &[TermId]) -> [TermId; 2] {
    let leaves: Vec<TermId> = vars.iter().map(|var| terms.convert(Conversion::SignExtend(16), *var)).collect();
    let (a, b) = (number(terms, random, &leaves, 2), number(terms, random, &leaves, 1));
    let factor = random.pick(&leaves);
    let more = terms.int(16, u128::from(random.below(3u64)));
    let (left, right) = (terms.binary(BinaryOp::Mul, a, factor), terms.binary(BinaryOp::Mul, b, factor));
    let right = terms.binary(BinaryOp::Add, right, more);
    [terms.binary(BinaryOp::Eq, a, b), terms.binary(BinaryOp::Eq, left, right)]
}

#[test]
fn what_is_refuted_has_no_solution() {
    let rounds = std::env::var("CLEW_RANDOM").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(3_000);
    let mut refuted = 0;
    for seed in 0..rounds {
        let mut random = clew_testing::Random(seed);
        let mut terms = Terms::new();
        let vars = ["x", "y", "z"].map(|name| terms.int_var(name, 4));
        let mut goals: Vec<TermId> = (0..3 + random.below(3)).map(|_| truth(&mut terms, &mut random, &vars)).collect();
        if random.below(2) == 0 {
            goals.extend(contradiction(&mut terms, &mut random, &vars));
        }
        if is_refuted(&terms, &goals) != Some(true) {
            continue;
        }
        refuted += 1;
        let mut evaluator = Evaluator::new();
        for bits in 0..1u128 << 12 {
            let mut model = Model::new();
            for (at, shift) in [0, 4, 8].into_iter().enumerate() {
                model.set(VarId::from_index(at), Value::int(4, bits >> shift & 15));
            }
            evaluator.reset();
            let holds = goals.iter().all(|goal| evaluator.is_true(&terms, &model, *goal));
            assert!(!holds, "seed {seed}: {} has the solution {bits:#x}", terms.describe(&goals));
        }
    }
    assert!(refuted > rounds / 100, "{refuted} of {rounds} are refuted");
}
