//! Measures path-style sessions: push, assert a branch condition, check, pop, down a random tree of conditions.
//!
//! `paths [SESSIONS] [DEPTH] [MILLISECONDS]` prints how often each layer answered and the distribution of times per
//! query, and the queries that took longer than the given time.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::time::{Duration, Instant};

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, Type, Value};
use clew_solver::solver::{Answer, Budget, Config, Solver};
use clew_solver::term::TermId;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

struct Session {
    solver: Solver,
    random: Random,
    inputs: Vec<TermId>,
    times: Vec<Duration>,
    /// Queries that take longer are printed.
    slow: Option<Duration>,
}

impl Session {
    fn new(seed: u64) -> Session {
        let mut session = Session {
            solver: Solver::new(Config::default()),
            random: Random(seed),
            inputs: Vec::new(),
            times: Vec::new(),
            slow: std::env::args().nth(3).and_then(|text| text.parse().ok()).map(Duration::from_millis),
        };
        for index in 0..4 + session.random.below(17) {
            let types = [Type::Int(8), Type::Int(16), Type::Int(32), Type::Int(32), Type::Int(64)];
            let doubles = Type::Float(Format::DOUBLE);
            let ty = if seed.is_multiple_of(4) && index % 3 == 0 {
                doubles
            } else {
                types[session.random.below(types.len())]
            };
            let input = session.solver.terms_mut().scalar_var(format!("v{index}"), ty);
            session.inputs.push(input);
        }
        session
    }

    /// An `int` as C would compute it from the inputs.
    fn int(&mut self) -> TermId {
        let input = self.inputs[self.random.below(self.inputs.len())];
        let terms = self.solver.terms_mut();
        match terms.ty(input) {
            Type::Int(32) => input,
            Type::Int(width) if width < 32 => terms.convert(Conversion::SignExtend(32), input),
            Type::Int(_) => terms.extract(31, 0, input),
            Type::Float(_) => terms.convert(Conversion::FloatToSigned(32, Rounding::Zero), input),
        }
    }

    fn operand(&mut self) -> TermId {
        let (a, b) = (self.int(), self.int());
        let constant = self.random.next() >> self.random.below(60);
        let pick = self.random.below(9);
        let terms = self.solver.terms_mut();
        let constant = terms.int(32, u128::from(constant & 0xffff_ffff));
        match pick {
            0 => terms.binary(BinaryOp::Add, a, b),
            1 => terms.binary(BinaryOp::Sub, a, b),
            2 => terms.binary(BinaryOp::Mul, a, constant),
            3 => terms.binary(BinaryOp::SRem, a, constant),
            4 => terms.binary(BinaryOp::And, a, constant),
            5 => terms.binary(BinaryOp::Add, a, constant),
            _ => a,
        }
    }

    /// The condition of a branch.
    fn condition(&mut self) -> TermId {
        let floats: Vec<TermId> =
            self.inputs.iter().copied().filter(|&input| self.solver.terms().ty(input).is_float()).collect();
        if !floats.is_empty() && self.random.below(3) == 0 {
            return self.float_condition(&floats);
        }
        let a = self.operand();
        let b = if self.random.below(2) == 0 { self.operand() } else { self.small() };
        let op = [BinaryOp::Slt, BinaryOp::Sle, BinaryOp::Eq, BinaryOp::Ult][self.random.below(4)];
        self.solver.terms_mut().binary(op, a, b)
    }

    fn small(&mut self) -> TermId {
        let number = self.random.below(200) as u128;
        self.solver.terms_mut().int(32, number.wrapping_sub(100))
    }

    fn float_condition(&mut self, floats: &[TermId]) -> TermId {
        let (x, y) = (floats[self.random.below(floats.len())], floats[self.random.below(floats.len())]);
        let number = self.random.below(1000) as f64 / 8.0 - 60.0;
        let terms = self.solver.terms_mut();
        let constant = terms.constant(Value::from_f64(number));
        let sum = terms.binary(BinaryOp::FloatAdd(Rounding::NearestEven), x, constant);
        let product = terms.binary(BinaryOp::FloatMul(Rounding::NearestEven), y, constant);
        terms.binary(BinaryOp::FloatLt, sum, product)
    }

    /// Explores both sides of random branches, as long as they are feasible.
    fn explore(&mut self, depth: usize) {
        if depth == 0 {
            return;
        }
        let condition = self.condition();
        let negated = self.solver.terms_mut().not(condition);
        for side in [condition, negated] {
            self.solver.push();
            self.solver.assert(side);
            let start = Instant::now();
            let answer = self.solver.check(&Budget::default());
            let elapsed = start.elapsed();
            self.times.push(elapsed);
            if self.slow.is_some_and(|slow| elapsed > slow) {
                let goals = self.solver.assertions().to_vec();
                println!("{elapsed:?} {}", self.solver.terms().describe(&goals));
            }
            if matches!(answer, Answer::Sat(_)) {
                let levels = if side == condition { depth - 1 } else { depth.saturating_sub(3) };
                self.explore(levels);
            }
            self.solver.pop();
        }
    }
}

fn main() {
    let argument = |place| std::env::args().nth(place).and_then(|text| text.parse().ok());
    let (sessions, depth) = (argument(1).unwrap_or(50), argument(2).unwrap_or(14));
    let mut times = Vec::new();
    for seed in 0..sessions {
        let mut session = Session::new(seed as u64);
        session.explore(depth);
        println!("session {seed}: {} queries, {:?}", session.times.len(), session.solver.statistics());
        times.extend(session.times);
    }
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{} queries: median {:?}, 90% {:?}, 99% {:?}, 99.9% {:?}, longest {:?}",
        times.len(),
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999),
        at(1.0)
    );
}
