//! Random problems of singles and doubles against the floating point of the machine.
//!
//! A problem is made from a witness: an expression is computed by the machine at random inputs, and what its
//! comparisons then are is asserted. The solver must not refute that; a model it gives, computed by the machine, must
//! make the same comparisons true; and with the inputs fixed to the witness, the contrary must be refuted.
//! `CLEW_RANDOM=100000` for a thorough run.

#[path = "common/terms.rs"]
mod terms;

use clew_scalar::{BinaryOp, Format, Rounding, TernaryOp, Type, UnaryOp, Value};
use clew_solver::clock::Deadline;
use clew_solver::model::Model;
use clew_solver::solver::{Answer, Budget, Solver};
use clew_solver::term::{TermId, Terms, VarId};
use terms::{Random, count};

const INPUTS: usize = 2;
const RNE: Rounding = Rounding::NearestEven;
const BINARY: [BinaryOp; 5] = [
    BinaryOp::FloatAdd(RNE),
    BinaryOp::FloatSub(RNE),
    BinaryOp::FloatMul(RNE),
    BinaryOp::FloatDiv(RNE),
    BinaryOp::FloatMod,
];
const UNARY: [UnaryOp; 7] = [
    UnaryOp::FloatNeg,
    UnaryOp::FloatAbs,
    UnaryOp::FloatSqrt(RNE),
    UnaryOp::FloatRoundToIntegral(RNE),
    UnaryOp::FloatRoundToIntegral(Rounding::Down),
    UnaryOp::FloatRoundToIntegral(Rounding::Up),
    UnaryOp::FloatRoundToIntegral(Rounding::Zero),
];
const COMPARISONS: [BinaryOp; 3] = [BinaryOp::FloatLt, BinaryOp::FloatLe, BinaryOp::FloatEq];

/// One step of an expression; operands are positions of earlier values, the inputs first.
enum Step {
    Const(f64),
    Unary(UnaryOp, usize),
    Binary(BinaryOp, usize, usize),
    Fma(usize, usize, usize),
}

/// An expression and comparisons of its values.
struct Problem {
    format: Format,
    steps: Vec<Step>,
    comparisons: Vec<(BinaryOp, usize, usize)>,
}

impl Problem {
    fn new(random: &mut Random) -> Problem {
        let format = random.pick(&[Format::SINGLE, Format::DOUBLE]);
        let mut steps = Vec::new();
        for _ in 0..2 + random.below(5) {
            let known = INPUTS + steps.len();
            let [a, b, c] = [0; 3].map(|_| random.below(known));
            steps.push(match random.below(8) {
                0 => Step::Const(number(format, bits(format, random))),
                1 | 2 => Step::Unary(random.pick(&UNARY), a),
                3 => Step::Fma(a, b, c),
                _ => Step::Binary(random.pick(&BINARY), a, b),
            });
        }
        let values = INPUTS + steps.len();
        let comparison = |random: &mut Random| (random.pick(&COMPARISONS), random.below(values), random.below(values));
        let comparisons = (0..1 + random.below(3)).map(|_| comparison(random)).collect();
        Problem { format, steps, comparisons }
    }

    /// What the comparisons are at given inputs, by the machine.
    fn observe(&self, inputs: [u128; INPUTS]) -> Vec<bool> {
        let mut values: Vec<f64> = inputs.iter().map(|&bits| number(self.format, bits)).collect();
        for step in &self.steps {
            values.push(match *step {
                Step::Const(number) => number,
                Step::Unary(op, a) => self.rounded(unary(op, values[a])),
                Step::Binary(op, a, b) => self.rounded(binary(op, values[a], values[b])),
                Step::Fma(a, b, c) if self.format == Format::SINGLE => {
                    f64::from((values[a] as f32).mul_add(values[b] as f32, values[c] as f32))
                }
                Step::Fma(a, b, c) => values[a].mul_add(values[b], values[c]),
            });
        }
        self.comparisons.iter().map(|&(op, a, b)| compare(op, values[a], values[b])).collect()
    }

    /// In single precision, results are rounded twice, which for these operators is the same as once.
    fn rounded(&self, number: f64) -> f64 {
        if self.format == Format::SINGLE { f64::from(number as f32) } else { number }
    }

    /// The comparisons as terms over the first variables.
    fn build(&self, terms: &mut Terms) -> Vec<TermId> {
        let ty = Type::Float(self.format);
        let mut values: Vec<TermId> = (0..INPUTS).map(|at| terms.scalar_var(format!("x{at}"), ty)).collect();
        for step in &self.steps {
            values.push(match *step {
                Step::Const(number) => terms.constant(Value::float(self.format, encoded(self.format, number))),
                Step::Unary(op, a) => terms.unary(op, values[a]),
                Step::Binary(op, a, b) => terms.binary(op, values[a], values[b]),
                Step::Fma(a, b, c) => terms.ternary(TernaryOp::FloatFma(RNE), values[a], values[b], values[c]),
            });
        }
        self.comparisons.iter().map(|&(op, a, b)| terms.binary(op, values[a], values[b])).collect()
    }
}

fn unary(op: UnaryOp, a: f64) -> f64 {
    match op {
        UnaryOp::FloatNeg => -a,
        UnaryOp::FloatAbs => a.abs(),
        UnaryOp::FloatSqrt(_) => a.sqrt(),
        UnaryOp::FloatRoundToIntegral(Rounding::NearestEven) => a.round_ties_even(),
        UnaryOp::FloatRoundToIntegral(Rounding::Down) => a.floor(),
        UnaryOp::FloatRoundToIntegral(Rounding::Up) => a.ceil(),
        UnaryOp::FloatRoundToIntegral(_) => a.trunc(),
        _ => unreachable!("it is not generated"),
    }
}

fn binary(op: BinaryOp, a: f64, b: f64) -> f64 {
    match op {
        BinaryOp::FloatAdd(_) => a + b,
        BinaryOp::FloatSub(_) => a - b,
        BinaryOp::FloatMul(_) => a * b,
        BinaryOp::FloatDiv(_) => a / b,
        _ => a % b,
    }
}

fn compare(op: BinaryOp, a: f64, b: f64) -> bool {
    match op {
        BinaryOp::FloatLt => a < b,
        BinaryOp::FloatLe => a <= b,
        _ => a == b,
    }
}

/// Bits of a float: often of everyday size, sometimes anything.
fn bits(format: Format, random: &mut Random) -> u128 {
    let any = random.wide() & Type::Float(format).mask();
    let small = random.below(2000) as f64 / 8.0 - 100.0;
    match random.below(4) {
        0 => any,
        1 => encoded(format, small * (random.below(1000) as f64 + 1.0) / 7.0),
        _ => encoded(format, small),
    }
}

fn number(format: Format, bits: u128) -> f64 {
    if format == Format::SINGLE { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits as u64) }
}

fn encoded(format: Format, number: f64) -> u128 {
    if format == Format::SINGLE { (number as f32).to_bits().into() } else { number.to_bits().into() }
}

/// The goals that hold where the comparisons are as observed.
fn goals(terms: &mut Terms, conditions: &[TermId], observed: &[bool]) -> Vec<TermId> {
    conditions
        .iter()
        .zip(observed)
        .map(|(&condition, &truth)| if truth { condition } else { terms.not(condition) })
        .collect()
}

/// Asks about one problem; whether it was decided.
fn judge(random: &mut Random) -> bool {
    let problem = Problem::new(random);
    let witness = [0; INPUTS].map(|_| bits(problem.format, random));
    let observed = problem.observe(witness);
    let mut solver = Solver::default();
    let conditions = problem.build(solver.terms_mut());
    let goals = goals(solver.terms_mut(), &conditions, &observed);
    let budget = Budget { steps: Some(30_000), deadline: Deadline::default() };
    let about = |solver: &Solver| format!("{witness:x?} is a solution of\n{}", solver.terms().describe(&goals));
    solver.push();
    goals.iter().for_each(|&goal| _ = solver.assert(goal));
    let decided = match solver.check(&budget) {
        Answer::Unsat(_) => panic!("refuted, but {}", about(&solver)),
        Answer::Unknown(_) => false,
        Answer::Sat(model) => {
            let found = inputs(solver.terms(), &model);
            assert_eq!(problem.observe(found), observed, "the machine disagrees at {found:x?}; {}", about(&solver));
            true
        }
    };
    solver.pop();
    for (at, &bits) in witness.iter().enumerate() {
        let input = solver.terms().var(VarId::from_index(at)).term;
        let value = solver.terms_mut().constant(Value::float(problem.format, bits));
        let fixed = solver.terms_mut().same(input, value);
        solver.assert(fixed);
    }
    for &goal in &goals {
        let contrary = solver.terms_mut().not(goal);
        let answer = solver.check_assuming(&[contrary], &budget);
        assert!(matches!(answer, Answer::Unsat(_)), "{answer:?} for the contrary, but {}", about(&solver));
    }
    decided
}

fn inputs(terms: &Terms, model: &Model) -> [u128; INPUTS] {
    std::array::from_fn(|at| model.value(terms, VarId::from_index(at)).bits)
}

#[test]
fn the_machine_agrees() {
    let mut random = Random(71);
    let problems = count(500);
    let decided = (0..problems).filter(|_| judge(&mut random)).count();
    assert!(decided * 10 > problems * 9, "only {decided} of {problems} were decided");
}
