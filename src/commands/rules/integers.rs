//! Built-in integers of specifications, decided by the solver of bit-vectors.

use clew_rules::integers::{Constraint, Integers, Operand, Relation, Solved};
use clew_scalar::BinaryOp;
use clew_solver::solver::{Answer, Budget, Solver};
use clew_solver::term::{TermId, VarId};

/// Steps of a question.
const STEPS: u64 = 2_000_000;
/// Integers have 32 bits.
const WIDTH: u8 = 32;

/// The solver of bit-vectors.
#[derive(Debug)]
pub(super) struct BitVectors;

impl Integers for BitVectors {
    fn solve(&self, variables: usize, constraints: &[Constraint]) -> Solved {
        let mut solver = Solver::default();
        let vars: Vec<TermId> =
            (0..variables).map(|index| solver.terms_mut().int_var(format!("x{index}"), WIDTH)).collect();
        for constraint in constraints {
            let asserted = term(&mut solver, &vars, constraint);
            solver.assert(asserted);
        }
        match solver.check(&Budget { steps: Some(STEPS), ..Budget::default() }) {
            Answer::Sat(model) => {
                let value = |index| model.bits(VarId::from_index(index)) as u32 as i32;
                Solved::Sat((0..variables).map(value).collect())
            }
            Answer::Unsat(_) => Solved::Unsat,
            Answer::Unknown(_) => Solved::Unknown,
        }
    }
}

/// A constraint as a term.
fn term(solver: &mut Solver, vars: &[TermId], constraint: &Constraint) -> TermId {
    let operand = |solver: &mut Solver, operand: Operand| match operand {
        Operand::Variable(index) => vars[index],
        Operand::Constant(value) => solver.terms_mut().int(WIDTH, u128::from(value as u32)),
    };
    let (left, right) = (operand(solver, constraint.left), operand(solver, constraint.right));
    let (op, result, truth) = match constraint.relation {
        Relation::Sum(result) => (BinaryOp::Add, Some(result), true),
        Relation::Difference(result) => (BinaryOp::Sub, Some(result), true),
        Relation::Product(result) => (BinaryOp::Mul, Some(result), true),
        Relation::Less(truth) => (BinaryOp::Slt, None, truth),
        Relation::LessEqual(truth) => (BinaryOp::Sle, None, truth),
        Relation::Differs => (BinaryOp::Ne, None, true),
    };
    let value = solver.terms_mut().binary(op, left, right);
    match result {
        Some(result) => {
            let result = operand(solver, result);
            solver.terms_mut().eq(value, result)
        }
        None if truth => value,
        None => solver.terms_mut().not(value),
    }
}
