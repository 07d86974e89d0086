//! Relaxations of random problems against enumeration: what is refuted has no solution.

use clew_scalar::{BinaryOp, Format, Rounding, Type, UnaryOp, Value};

use super::{Relaxed, relax};
use crate::evaluate::Evaluator;
use crate::model::Model;
use crate::search::Variables;
use crate::store::Store;
use crate::term::{TermId, Terms, VarId};

const ROUNDINGS: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

/// A deterministic generator (splitmix).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len() as u64) as usize]
    }
}

/// How the terms of a problem are made.
struct Kind {
    ty: Type,
    operators: Vec<BinaryOp>,
    less: Vec<BinaryOp>,
    /// Constants, by their bits.
    constants: Vec<u128>,
    /// The least and the greatest value of the inputs.
    ends: [u128; 2],
}

fn floats() -> Kind {
    let format = Format { exponent: 4, significand: 5 };
    let operators = ROUNDINGS.iter().flat_map(|&rounding| {
        let (sum, difference) = (BinaryOp::FloatAdd(rounding), BinaryOp::FloatSub(rounding));
        [sum, difference, sum, difference, BinaryOp::FloatMul(rounding), BinaryOp::FloatDiv(rounding)]
    });
    // From a quarter to four, of both signs.
    let one = format.one(false);
    let middle = (one - 32..one + 32).flat_map(|bits| [bits, bits | format.zero(true)]);
    Kind {
        ty: Type::Float(format),
        operators: operators.collect(),
        less: vec![BinaryOp::FloatLt, BinaryOp::FloatLe],
        constants: middle.collect(),
        ends: [format.one(true) + 32, format.one(false) + 32],
    }
}

fn integers() -> Kind {
    Kind {
        ty: Type::Int(9),
        operators: vec![BinaryOp::Add, BinaryOp::Sub, BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul],
        less: vec![BinaryOp::Slt, BinaryOp::Sle],
        constants: (0..4).chain(508..512).collect(),
        ends: [508, 4],
    }
}

fn term(terms: &mut Terms, dice: &mut Dice, kind: &Kind, inputs: &[TermId], depth: u64) -> TermId {
    if depth == 0 || dice.roll(5) == 0 {
        let constant = Value::new(kind.ty, dice.pick(&kind.constants));
        return if dice.roll(3) == 0 { terms.constant(constant) } else { dice.pick(inputs) };
    }
    let a = term(terms, dice, kind, inputs, depth - 1);
    if kind.ty.is_float() && dice.roll(8) == 0 {
        return terms.unary(dice.pick(&[UnaryOp::FloatNeg, UnaryOp::FloatAbs]), a);
    }
    let b = term(terms, dice, kind, inputs, depth - 1);
    terms.binary(dice.pick(&kind.operators), a, b)
}

/// Bounds of each input and a few comparisons.
fn problem(terms: &mut Terms, dice: &mut Dice, kind: &Kind, inputs: &[TermId]) -> Vec<TermId> {
    let mut goals = Vec::new();
    let [lo, hi] = kind.ends.map(|end| terms.constant(Value::new(kind.ty, end)));
    for &input in inputs {
        goals.extend([terms.binary(kind.less[1], lo, input), terms.binary(kind.less[1], input, hi)]);
    }
    for _ in 0..2 + dice.roll(3) {
        let (a, b) = (term(terms, dice, kind, inputs, 3), term(terms, dice, kind, inputs, 1));
        let comparison = terms.binary(dice.pick(&kind.less), a, b);
        goals.push(if dice.roll(3) == 0 { terms.not(comparison) } else { comparison });
    }
    goals
}

/// Whether values of two variables make all goals true; the first two goals bound the first variable, and the second
/// has the same bounds.
fn has_solution(terms: &Terms, kind: &Kind, goals: &[TermId]) -> bool {
    let mut evaluator = Evaluator::new();
    let mut holds = |x: u128, y: u128, goals: &[TermId]| {
        let mut model = Model::new();
        model.set(VarId::from_index(0), Value::new(kind.ty, x));
        model.set(VarId::from_index(1), Value::new(kind.ty, y));
        evaluator.reset();
        goals.iter().all(|&goal| evaluator.is_true(terms, &model, goal))
    };
    let inside: Vec<u128> = (0..1 << kind.ty.width()).filter(|&x| holds(x, x, &goals[..2])).collect();
    inside.iter().any(|&x| inside.iter().any(|&y| holds(x, y, goals)))
}

/// Refutes what it can of so many random problems, and checks each refutation; gives their number.
fn refute(kind: &Kind, problems: u64) -> usize {
    let mut refuted = 0;
    for seed in 0..problems {
        let (mut terms, mut dice) = (Terms::new(), Dice(seed));
        let inputs = [terms.scalar_var("x", kind.ty), terms.scalar_var("y", kind.ty)];
        let goals = problem(&mut terms, &mut dice, kind, &inputs);
        let mut store = Store::default();
        if goals.iter().enumerate().any(|(number, &goal)| store.post(&terms, goal, number).is_err()) {
            continue;
        }
        let mut variables = Variables::default();
        variables.extend(&terms, &goals);
        let all: Vec<usize> = (0..goals.len()).collect();
        let part = variables.part(&terms, &goals, &all);
        if matches!(relax(&terms, &store, &part), Relaxed::Refuted) {
            refuted += 1;
            assert!(!has_solution(&terms, kind, &goals), "seed {seed} has a solution:\n{}", terms.describe(&goals));
        }
    }
    refuted
}

fn problems() -> u64 {
    std::env::var("CLEW_RANDOM").ok().and_then(|count| count.parse().ok()).unwrap_or(4_000)
}

#[test]
fn refuted_float_problems_have_no_solution() {
    let refuted = refute(&floats(), problems());
    assert!(refuted > 30, "the relaxation refutes something: {refuted}");
}

#[test]
fn refuted_integer_problems_have_no_solution() {
    let refuted = refute(&integers(), problems());
    assert!(refuted > 30, "the relaxation refutes something: {refuted}");
}
