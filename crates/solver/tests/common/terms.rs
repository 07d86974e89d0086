//! A seeded generator of numbers and terms, shared by the random tests.
//!
//! Terms are generated as recipes (plain data), so that one recipe can be built twice: with and without simplification.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part of it")]

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, TernaryOp, Type, UnaryOp, Value};
use clew_solver::term::{Sort, TermId, Terms};
pub use clew_testing::Random;

/// How many cases a random test runs: `CLEW_RANDOM`, or the default.
pub fn count(default: usize) -> usize {
    std::env::var("CLEW_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// One step of a recipe; operands are positions of earlier steps.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Var(Sort),
    Const(Value),
    Unary(UnaryOp, usize),
    Binary(BinaryOp, usize, usize),
    Ternary(TernaryOp, usize, usize, usize),
    Convert(Conversion, usize),
    Extract(u8, u8, usize),
    Concat(usize, usize),
    Read(usize, usize),
    Write(usize, usize, usize),
    ConstArray(Type, usize),
    Same(usize, usize),
    /// An entry of a table with so many random entries of a width: seed, entries, width, index.
    Lookup(u64, usize, u8, usize),
}

pub const ROUNDINGS: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

/// What a generated term may contain.
pub struct Shape {
    pub widths: Vec<u8>,
    pub formats: Vec<Format>,
    pub arrays: bool,
    pub vars: usize,
    pub steps: usize,
}

pub struct Generator<'a> {
    pub random: &'a mut Random,
    pub shape: &'a Shape,
    pub steps: Vec<Step>,
    pub sorts: Vec<Sort>,
}

impl<'a> Generator<'a> {
    /// A random recipe.
    pub fn recipe(random: &'a mut Random, shape: &'a Shape) -> Vec<Step> {
        let mut generator = Generator { random, shape, steps: Vec::new(), sorts: Vec::new() };
        for _ in 0..shape.vars {
            let sort = generator.sort();
            generator.push(Step::Var(sort), sort);
        }
        while generator.steps.len() < shape.vars + shape.steps {
            generator.step();
        }
        generator.steps
    }

    fn push(&mut self, step: Step, sort: Sort) -> usize {
        self.steps.push(step);
        self.sorts.push(sort);
        self.steps.len() - 1
    }

    fn sort(&mut self) -> Sort {
        match self.random.below(8) {
            0..=1 if !self.shape.formats.is_empty() => Sort::float(self.random.pick(&self.shape.formats)),
            2 if self.shape.arrays => self.array_sort(),
            3 => Sort::BOOL,
            _ => Sort::int(self.random.pick(&self.shape.widths)),
        }
    }

    fn array_sort(&mut self) -> Sort {
        let (index, element) = (self.array_part(), self.array_part());
        Sort::Array { index, element }
    }

    /// The type of the indices or elements of an array.
    fn array_part(&mut self) -> Type {
        match self.shape.formats.is_empty() || self.random.below(3) == 0 {
            true => Type::Int(self.random.pick(&self.shape.widths)),
            false => Type::Float(self.random.pick(&self.shape.formats)),
        }
    }

    /// An operand of a sort: mostly a recent step, sometimes a constant.
    fn operand(&mut self, sort: Sort) -> usize {
        let fitting: Vec<usize> = (0..self.steps.len()).filter(|&at| self.sorts[at] == sort).collect();
        if !fitting.is_empty() && self.random.below(5) > 0 {
            return if self.random.below(2) == 0 { fitting[fitting.len() - 1] } else { self.random.pick(&fitting) };
        }
        match sort {
            Sort::Scalar(ty) => {
                let value = self.constant(ty);
                self.push(Step::Const(value), sort)
            }
            Sort::Array { index, element } => {
                let element = self.operand(Sort::Scalar(element));
                self.push(Step::ConstArray(index, element), sort)
            }
        }
    }

    /// A constant; extremes and small numbers are likely.
    pub fn constant(&mut self, ty: Type) -> Value {
        let special: Vec<u128> = match ty {
            Type::Int(width) => {
                let top = 1u128 << (width - 1);
                vec![0, 1, 2, top, top - 1, top + 1, u128::MAX, u128::MAX - 1, u128::from(width)]
            }
            Type::Float(format) => vec![
                0,
                format.zero(true),
                format.one(false),
                format.one(true),
                format.infinity(false),
                format.infinity(true),
                format.canonical_nan(),
                format.min_subnormal(false),
                format.max_finite(true),
                format.one(false) + (1 << (format.significand - 1)),
            ],
        };
        let bits = if self.random.below(2) == 0 { self.random.pick(&special) } else { self.random.wide() };
        Value::new(ty, bits)
    }

    fn step(&mut self) {
        if self.shape.arrays && self.random.below(6) == 0 {
            return self.array_step();
        }
        if !self.shape.formats.is_empty() && self.random.below(2) == 0 {
            return self.float_step();
        }
        self.int_step();
    }

    fn array_step(&mut self) {
        let sort = self.array_sort();
        let Sort::Array { index, element } = sort else { unreachable!() };
        let array = self.operand(sort);
        let index = self.operand(Sort::Scalar(index));
        match self.random.below(5) {
            0 | 1 => self.push(Step::Read(array, index), Sort::Scalar(element)),
            2 => {
                let value = self.operand(Sort::Scalar(element));
                self.push(Step::Write(array, index, value), sort)
            }
            3 => {
                let (condition, other) = (self.operand(Sort::BOOL), self.operand(sort));
                self.push(Step::Ternary(TernaryOp::Select, condition, array, other), sort)
            }
            _ => {
                let other = self.operand(sort);
                self.push(Step::Same(array, other), Sort::BOOL)
            }
        };
    }

    fn int_step(&mut self) {
        use BinaryOp::{
            AShr, Add, And, Eq, LShr, Mul, Ne, Or, SDiv, SRem, Shl, Sle, Slt, Sub, UDiv, URem, Ule, Ult, Xor,
        };
        let width = if self.random.below(4) == 0 { 1 } else { self.random.pick(&self.shape.widths) };
        let sort = Sort::int(width);
        let a = self.operand(sort);
        match self.random.below(11) {
            0 => {
                let mut ops = vec![UnaryOp::Not, UnaryOp::Neg, UnaryOp::CountOnes, UnaryOp::LeadingZeros];
                ops.extend([UnaryOp::TrailingZeros, UnaryOp::Not, UnaryOp::Neg]);
                ops.extend((width % 8 == 0).then_some(UnaryOp::ByteSwap));
                let op = self.random.pick(&ops);
                self.push(Step::Unary(op, a), sort);
            }
            1..=3 => {
                let op = self.random.pick(&[Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr]);
                let b = self.operand(sort);
                self.push(Step::Binary(op, a, b), sort);
            }
            4 | 5 => {
                let op = self.random.pick(&[Eq, Ne, Ult, Ule, Slt, Sle]);
                let b = self.operand(sort);
                self.push(Step::Binary(op, a, b), Sort::BOOL);
            }
            6 => {
                let (condition, b) = (self.operand(Sort::BOOL), self.operand(sort));
                self.push(Step::Ternary(TernaryOp::Select, condition, a, b), sort);
            }
            7 => {
                let hi = self.random.below(usize::from(width)) as u8;
                let lo = self.random.below(usize::from(hi) + 1) as u8;
                self.push(Step::Extract(hi, lo, a), Sort::int(hi - lo + 1));
            }
            8 if width > 1 => {
                let (seed, length) = (self.random.next(), 1 + self.random.below(20));
                let wide = self.shape.widths.iter().copied().filter(|width| *width > 1).collect::<Vec<_>>();
                let width = self.random.pick(&wide);
                self.push(Step::Lookup(seed, length, width, a), Sort::int(width));
            }
            8 | 9 => {
                let widest = self.shape.widths.iter().copied().max().unwrap_or(8);
                let other = self.random.pick(&self.shape.widths);
                if width <= widest - other.min(widest) {
                    let b = self.operand(Sort::int(other));
                    self.push(Step::Concat(a, b), Sort::int(width + other));
                }
            }
            _ => {
                let target = self.random.pick(&self.shape.widths);
                let op = match (target.cmp(&width), self.random.below(2)) {
                    (std::cmp::Ordering::Less, _) => Conversion::Truncate(target),
                    (_, 0) => Conversion::ZeroExtend(target),
                    _ => Conversion::SignExtend(target),
                };
                self.push(Step::Convert(op, a), Sort::int(target));
            }
        }
    }

    fn float_step(&mut self) {
        use BinaryOp::{
            FloatAdd, FloatDiv, FloatEq, FloatLe, FloatLt, FloatMax, FloatMin, FloatMod, FloatMul, FloatRem, FloatSub,
        };
        let format = self.random.pick(&self.shape.formats);
        let rounding = self.random.pick(&ROUNDINGS);
        let sort = Sort::float(format);
        let a = self.operand(sort);
        match self.random.below(10) {
            0 => {
                let op = self.random.pick(&[
                    UnaryOp::FloatNeg,
                    UnaryOp::FloatAbs,
                    UnaryOp::FloatSqrt(rounding),
                    UnaryOp::FloatRoundToIntegral(rounding),
                ]);
                self.push(Step::Unary(op, a), sort);
            }
            1 => {
                let op = self.random.pick(&[
                    UnaryOp::FloatIsNan,
                    UnaryOp::FloatIsInfinite,
                    UnaryOp::FloatIsZero,
                    UnaryOp::FloatIsNormal,
                    UnaryOp::FloatIsSubnormal,
                    UnaryOp::FloatIsNegative,
                ]);
                self.push(Step::Unary(op, a), Sort::BOOL);
            }
            2..=4 => {
                let arithmetic = [FloatAdd(rounding), FloatSub(rounding), FloatMul(rounding), FloatDiv(rounding)];
                let others = [FloatMod, FloatRem, FloatMin, FloatMax];
                let op =
                    if self.random.below(4) > 0 { self.random.pick(&arithmetic) } else { self.random.pick(&others) };
                let b = self.operand(sort);
                self.push(Step::Binary(op, a, b), sort);
            }
            5 | 6 => {
                let b = self.operand(sort);
                if self.random.below(4) == 0 {
                    self.push(Step::Same(a, b), Sort::BOOL);
                } else {
                    let op = self.random.pick(&[FloatEq, FloatLt, FloatLe]);
                    self.push(Step::Binary(op, a, b), Sort::BOOL);
                }
            }
            7 => {
                let (b, c, condition) = (self.operand(sort), self.operand(sort), self.operand(Sort::BOOL));
                let choice = Step::Ternary(TernaryOp::Select, condition, a, b);
                let fused = Step::Ternary(TernaryOp::FloatFma(rounding), a, b, c);
                let step = if self.random.below(2) == 0 { choice } else { fused };
                self.push(step, sort);
            }
            _ => self.conversion_step(format, rounding, a),
        }
    }

    fn conversion_step(&mut self, format: Format, rounding: Rounding, a: usize) {
        let sort = Sort::float(format);
        let width = self.random.pick(&self.shape.widths);
        match self.random.below(7) {
            0 => self.push(Step::Convert(Conversion::FloatToBits, a), Sort::int(format.width())),
            1 => {
                let bits = self.operand(Sort::int(format.width()));
                self.push(Step::Convert(Conversion::BitsToFloat(format), bits), sort)
            }
            2 => {
                let target = self.random.pick(&self.shape.formats);
                self.push(Step::Convert(Conversion::FloatToFloat(target, rounding), a), Sort::float(target))
            }
            3 => self.push(Step::Convert(Conversion::FloatToSigned(width, rounding), a), Sort::int(width)),
            4 => self.push(Step::Convert(Conversion::FloatToUnsigned(width, rounding), a), Sort::int(width)),
            5 => {
                let b = self.operand(Sort::int(width));
                self.push(Step::Convert(Conversion::SignedToFloat(format, rounding), b), sort)
            }
            _ => {
                let b = self.operand(Sort::int(width));
                self.push(Step::Convert(Conversion::UnsignedToFloat(format, rounding), b), sort)
            }
        };
    }
}

/// The terms of a recipe, one per step.
pub fn build(terms: &mut Terms, recipe: &[Step]) -> Vec<TermId> {
    let mut built: Vec<TermId> = Vec::with_capacity(recipe.len());
    for (at, step) in recipe.iter().enumerate() {
        let term = match *step {
            Step::Var(sort) => terms.declare(format!("v{at}"), sort),
            Step::Const(value) => terms.constant(value),
            Step::Unary(op, a) => terms.unary(op, built[a]),
            Step::Binary(op, a, b) => terms.binary(op, built[a], built[b]),
            Step::Ternary(op, a, b, c) => terms.ternary(op, built[a], built[b], built[c]),
            Step::Convert(op, a) => terms.convert(op, built[a]),
            Step::Extract(hi, lo, a) => terms.extract(hi, lo, built[a]),
            Step::Concat(a, b) => terms.concat(built[a], built[b]),
            Step::Read(a, b) => terms.read(built[a], built[b]),
            Step::Write(a, b, c) => terms.write(built[a], built[b], built[c]),
            Step::ConstArray(index, a) => terms.const_array(index, built[a]),
            Step::Same(a, b) => terms.same(built[a], built[b]),
            Step::Lookup(seed, length, width, index) => {
                let mut random = Random(seed);
                let mask = u128::MAX >> (128 - u32::from(width));
                let entries: Vec<u128> = (0..length).map(|_| random.wide() & mask).collect();
                let table = terms.table(width, &entries);
                terms.lookup(table, built[index])
            }
        };
        built.push(term);
    }
    built
}
