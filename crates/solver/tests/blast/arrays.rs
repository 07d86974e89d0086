//! Arrays against enumeration: every value of small arrays, and models evaluated.

use clew_scalar::{TernaryOp, Type, UnaryOp, Value};
use clew_solver::blast::{Answer, Blaster, Budget};
use clew_solver::evaluate::Evaluator;
use clew_solver::model::{ArrayValue, Model};
use clew_solver::term::{Node, Sort, TermId, Terms, VarId};

use crate::Random;

/// Two array variables, two indices and two elements, all of one bit width, and terms over them.
struct Pool {
    terms: Terms,
    scalars: Vec<TermId>,
    arrays: Vec<TermId>,
    conditions: Vec<TermId>,
    width: u8,
}

impl Pool {
    fn new(width: u8) -> Pool {
        let mut terms = Terms::new();
        let sort = Sort::array(width, width);
        let arrays = (0..2).map(|_| terms.declare("a", sort)).collect();
        let scalars = (0..3).map(|_| terms.declare("i", Sort::int(width))).collect();
        Pool { terms, scalars, arrays, conditions: Vec::new(), width }
    }

    fn grow(&mut self, random: &mut Random) {
        let pick = |terms: &[TermId], random: &mut Random| terms[random.below(terms.len())];
        let (a, b) = (pick(&self.arrays, random), pick(&self.arrays, random));
        let (x, y) = (pick(&self.scalars, random), pick(&self.scalars, random));
        match random.below(6) {
            0 => self.scalars.push(self.terms.intern(Node::Read(a, x))),
            1 => self.arrays.push(self.terms.intern(Node::Write(a, x, y))),
            2 => self.arrays.push(self.terms.const_array(Type::Int(self.width), x)),
            3 => self.conditions.push(self.terms.intern(Node::ArrayEq(a, b))),
            4 => self.conditions.push(self.terms.intern(Node::Binary(clew_scalar::BinaryOp::Eq, x, y))),
            _ if !self.conditions.is_empty() => {
                let condition = pick(&self.conditions, random);
                self.arrays.push(self.terms.intern(Node::Ternary(TernaryOp::Select, condition, a, b)));
            }
            _ => {}
        }
    }
}

/// Every model of the pool's variables, with `size` indices.
fn models(width: u8) -> Vec<Model> {
    let size = 1u32 << width;
    let arrays: Vec<ArrayValue> = (0..1u128 << (size * u32::from(width)))
        .map(|code| {
            let element = |index: u32| code >> (index * u32::from(width)) & u128::from(size - 1);
            ArrayValue { default: 0, entries: (0..size).map(|index| (u128::from(index), element(index))).collect() }
        })
        .collect();
    let mut models = Vec::new();
    for first in &arrays {
        for second in &arrays {
            for code in 0..u128::from(size).pow(3) {
                let mut model = Model::new();
                model.set_array(VarId::from_index(0), first.clone());
                model.set_array(VarId::from_index(1), second.clone());
                for scalar in 0..3u32 {
                    let bits = code >> (scalar * u32::from(width));
                    model.set(VarId::from_index(2 + scalar as usize), Value::int(width, bits));
                }
                models.push(model);
            }
        }
    }
    models
}

#[test]
fn one_bit_arrays_against_enumeration() {
    let models = models(1);
    for seed in 0..300 {
        let mut random = Random(seed);
        let mut pool = Pool::new(1);
        while pool.conditions.len() < 4 {
            pool.grow(&mut random);
        }
        let assertions: Vec<TermId> = pool
            .conditions
            .iter()
            .map(|&condition| match random.below(3) {
                0 => pool.terms.intern(Node::Unary(UnaryOp::Not, condition)),
                _ => condition,
            })
            .collect();
        let holds = |model: &Model| {
            let mut evaluator = Evaluator::new();
            assertions.iter().all(|&term| evaluator.is_true(&pool.terms, model, term))
        };
        let expected = models.iter().any(holds);
        match Blaster::new().check(&pool.terms, &assertions, &Budget::default()) {
            Answer::Sat(model) => assert!(holds(&model), "seed {seed}: wrong model {model:?}"),
            Answer::Unsat(_) => assert!(!expected, "seed {seed}: there is a model"),
            Answer::Unknown(limit) => panic!("seed {seed}: {limit:?}"),
        }
    }
}

#[test]
fn wide_arrays_have_true_models() {
    let mut sat = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut pool = Pool::new(if seed % 4 > 0 { 16 } else { 8 });
        while pool.conditions.len() < 5 {
            pool.grow(&mut random);
        }
        let mut assertions = pool.conditions.clone();
        for assertion in &mut assertions {
            if random.below(2) == 0 {
                *assertion = pool.terms.intern(Node::Unary(UnaryOp::Not, *assertion));
            }
        }
        if let Answer::Sat(model) = Blaster::new().check(&pool.terms, &assertions, &Budget::default()) {
            let mut evaluator = Evaluator::new();
            let holds = assertions.iter().all(|&term| evaluator.is_true(&pool.terms, &model, term));
            assert!(holds, "seed {seed}: wrong model {model:?}");
            sat += 1;
        }
    }
    assert!(sat > 10, "only {sat} of the problems have models");
}

#[test]
fn constant_arrays_differ_elsewhere() {
    let mut terms = Terms::new();
    let index = terms.declare("i", Sort::int(16));
    let zero = terms.intern(Node::Const(Value::int(8, 0)));
    let one = terms.intern(Node::Const(Value::int(8, 1)));
    let zeros = terms.const_array(Type::Int(16), zero);
    let ones = terms.const_array(Type::Int(16), one);
    let written = terms.intern(Node::Write(ones, index, zero));
    let equal = terms.intern(Node::ArrayEq(zeros, written));
    let answer = Blaster::new().check(&terms, &[equal], &Budget::default());
    assert_eq!(answer, Answer::Unsat(vec![equal]));
}
