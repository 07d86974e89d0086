//! Answers on small problems agree with evaluation of all assignments.
//!
//! The input is a program of a stack machine that builds terms over a 4-bit and a 3-bit integer and a float of 5 bits; the
//! conditions left on its stack are asserted.

#![no_main]

use clew_solver::clock::Deadline;
use clew_scalar::{BinaryOp, Conversion, Format, Rounding, Type, UnaryOp, Value};
use clew_solver::evaluate::Evaluator;
use clew_solver::model::Model;
use clew_solver::solver::{Answer, Budget, Solver};
use clew_solver::term::{TermId, Terms, VarId};
use libfuzzer_sys::fuzz_target;

const TINY: Format = Format { exponent: 2, significand: 3 };
const TYPES: [Type; 3] = [Type::Int(4), Type::Int(3), Type::Float(TINY)];
const ROUNDINGS: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

fn int_operator(code: u8) -> BinaryOp {
    let all = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::UDiv,
        BinaryOp::SDiv,
        BinaryOp::URem,
        BinaryOp::SRem,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Shl,
        BinaryOp::LShr,
        BinaryOp::AShr,
        BinaryOp::Eq,
        BinaryOp::Ult,
        BinaryOp::Slt,
    ];
    all[usize::from(code) % all.len()]
}

fn float_operator(code: u8, rounding: Rounding) -> BinaryOp {
    let all = [
        BinaryOp::FloatAdd(rounding),
        BinaryOp::FloatSub(rounding),
        BinaryOp::FloatMul(rounding),
        BinaryOp::FloatDiv(rounding),
        BinaryOp::FloatMod,
        BinaryOp::FloatRem,
        BinaryOp::FloatMin,
        BinaryOp::FloatMax,
        BinaryOp::FloatEq,
        BinaryOp::FloatLt,
        BinaryOp::FloatLe,
    ];
    all[usize::from(code) % all.len()]
}

/// Applies one instruction to the stack.
fn step(terms: &mut Terms, stack: &mut Vec<TermId>, inputs: &[TermId], code: u8, detail: u8) {
    let rounding = ROUNDINGS[usize::from(detail) % ROUNDINGS.len()];
    let pushed = match code % 6 {
        0 => Some(inputs[usize::from(detail) % inputs.len()]),
        1 => {
            let ty = TYPES[usize::from(detail) % TYPES.len()];
            Some(terms.constant(Value::new(ty, u128::from(detail / 3) & ty.mask())))
        }
        2 => stack.pop().map(|a| match terms.ty(a) {
            Type::Int(_) => terms.unary([UnaryOp::Not, UnaryOp::Neg][usize::from(detail) % 2], a),
            Type::Float(_) => terms.unary([UnaryOp::FloatNeg, UnaryOp::FloatAbs][usize::from(detail) % 2], a),
        }),
        3 => stack.pop().map(|a| match terms.ty(a) {
            Type::Int(4) => terms.convert(Conversion::Truncate(3), a),
            Type::Int(3) => terms.convert(Conversion::SignedToFloat(TINY, rounding), a),
            Type::Int(_) => a,
            Type::Float(_) => terms.convert(Conversion::FloatToSigned(4, rounding), a),
        }),
        _ => match (stack.pop(), stack.pop()) {
            (Some(b), Some(a)) if terms.ty(a) == terms.ty(b) => {
                let operator =
                    if terms.ty(a).is_int() { int_operator(detail) } else { float_operator(detail, ROUNDINGS[0]) };
                Some(terms.binary(operator, a, b))
            }
            (b, a) => {
                stack.extend(a);
                b
            }
        },
    };
    stack.extend(pushed);
}

/// Whether one of all assignments satisfies the goals.
fn has_solution(terms: &Terms, goals: &[TermId]) -> bool {
    let mut evaluator = Evaluator::new();
    (0..1u128 << 12).any(|code| {
        let mut model = Model::new();
        let mut rest = code;
        for (index, ty) in TYPES.into_iter().enumerate() {
            model.set(VarId::from_index(index), Value::new(ty, rest & ty.mask()));
            rest >>= ty.width();
        }
        evaluator.reset();
        goals.iter().all(|&goal| evaluator.is_true(terms, &model, goal))
    })
}

fuzz_target!(|input: &[u8]| {
    let mut solver = Solver::default();
    let terms = solver.terms_mut();
    let inputs: Vec<TermId> = TYPES.iter().map(|&ty| terms.scalar_var("v", ty)).collect();
    let mut stack = Vec::new();
    for pair in input.chunks_exact(2).take(24) {
        step(terms, &mut stack, &inputs, pair[0], pair[1]);
    }
    let goals: Vec<TermId> = stack.into_iter().filter(|&term| terms.ty(term) == Type::BOOL).collect();
    goals.iter().for_each(|&goal| {
        solver.assert(goal);
    });
    let expected = has_solution(solver.terms(), &goals);
    match solver.check(&Budget { steps: Some(1_000_000), deadline: Deadline::default() }) {
        Answer::Sat(_) => assert!(expected, "sat, but no assignment satisfies\n{}", solver.terms().describe(&goals)),
        Answer::Unsat(_) => assert!(!expected, "unsat, but one satisfies\n{}", solver.terms().describe(&goals)),
        Answer::Unknown(_) => {}
    }
});
