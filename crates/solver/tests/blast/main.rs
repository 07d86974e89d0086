//! The bit-blasting back end against `scalar`, through its public face.
//!
//! One question for every operator: with operands fixed to values, is the result what evaluation says, and nothing
//! else? It is asked twice: with constants as operands, which tests the circuits as they fold, and with variables held
//! by assumptions, which tests the clauses (that they admit the right result, and refuse any other). With
//! `CLEW_THOROUGH` set, tiny formats and narrow integers are gone through completely.

mod arrays;
mod floats;
mod incremental;
mod integers;

use clew_scalar::{BinaryOp, Conversion, Type, Value};
use clew_solver::blast::{Answer, Blaster, Budget};
use clew_solver::evaluate::Evaluator;
use clew_solver::model::Model;
use clew_solver::term::{Node, Sort, TermId, Terms};
use clew_testing::Random;

/// Operands drawn at random.
trait Operands {
    /// Bits that are often interesting: short, runs of ones, near a power of two, or anything.
    fn bits(&mut self, width: u8) -> u128;
}

impl Operands for Random {
    fn bits(&mut self, width: u8) -> u128 {
        let mask = u128::MAX >> (128 - width);
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        let place = 1u128 << self.below(usize::from(width));
        let bits = match self.below(5) {
            0 => any & ((place - 1) | place),
            1 => place.wrapping_sub(1),
            2 => place.wrapping_neg(),
            3 => place.wrapping_add(u128::from(self.next() % 3)).wrapping_sub(1),
            _ => any,
        };
        bits & mask
    }
}

/// Are the tests to take all the time they need? Set `CLEW_THOROUGH` to say so.
fn is_thorough() -> bool {
    std::env::var_os("CLEW_THOROUGH").is_some()
}

/// Operands in every combination.
fn all_combinations(types: &[Type]) -> Vec<Vec<u128>> {
    types.iter().fold(vec![Vec::new()], |rows, ty| {
        let extend = |row: &Vec<u128>| {
            let row = row.clone();
            (0..1u128 << ty.width()).map(move |bits| [row.clone(), vec![bits]].concat()).collect::<Vec<_>>()
        };
        rows.iter().flat_map(extend).collect()
    })
}

fn bits_of(terms: &mut Terms, term: TermId) -> TermId {
    match terms.ty(term) {
        Type::Int(_) => term,
        Type::Float(_) => terms.intern(Node::Convert(Conversion::FloatToBits, term)),
    }
}

/// The term that says that a term has a value.
fn equals(terms: &mut Terms, term: TermId, value: Value) -> TermId {
    let bits = bits_of(terms, term);
    let value = terms.intern(Node::Const(Value::int(value.ty.width(), value.bits)));
    terms.intern(Node::Binary(BinaryOp::Eq, bits, value))
}

fn not(terms: &mut Terms, term: TermId) -> TermId {
    terms.intern(Node::Unary(clew_scalar::UnaryOp::Not, term))
}

/// Checks an operator on rows of operands, by folding and by solving.
fn agrees(types: &[Type], rows: &[Vec<u128>], operator: &dyn Fn(&[TermId]) -> Node) {
    let mut terms = Terms::new();
    let vars: Vec<TermId> = types.iter().map(|&ty| terms.declare("x", Sort::Scalar(ty))).collect();
    let result = terms.intern(operator(&vars));
    let mut blaster = Blaster::new();
    for row in rows {
        let values: Vec<Value> =
            types.iter().zip(row).map(|(&ty, &bits)| clew_solver::evaluate::canonical(Value::new(ty, bits))).collect();
        let constants: Vec<TermId> = values.iter().map(|&value| terms.intern(Node::Const(value))).collect();
        let folded = terms.intern(operator(&constants));
        let expected = Evaluator::new().value(&terms, &Model::new(), folded);
        let what = || format!("{:?} on {values:?} should give {expected:?}", operator(&vars));

        let right = equals(&mut terms, folded, expected);
        let answer = blaster.check(&terms, &[right], &Budget::default());
        assert!(matches!(answer, Answer::Sat(_)), "folding: {}", what());

        let held: Vec<TermId> = vars.iter().zip(&values).map(|(&var, &value)| equals(&mut terms, var, value)).collect();
        let right = equals(&mut terms, result, expected);
        let wrong = not(&mut terms, right);
        let admitted = blaster.check(&terms, &[held.as_slice(), &[right]].concat(), &Budget::default());
        assert!(matches!(admitted, Answer::Sat(_)), "admitting: {}", what());
        let refused = blaster.check(&terms, &[held.as_slice(), &[wrong]].concat(), &Budget::default());
        assert!(matches!(refused, Answer::Unsat(_)), "refusing: {}", what());
    }
}

/// Finds operands for which an operator gives the result it has on `row`, and evaluates them.
fn inverts(types: &[Type], row: &[u128], operator: &dyn Fn(&[TermId]) -> Node) {
    let mut terms = Terms::new();
    let vars: Vec<TermId> = types.iter().map(|&ty| terms.declare("x", Sort::Scalar(ty))).collect();
    let result = terms.intern(operator(&vars));
    let mut model = Model::new();
    for (index, (&ty, &bits)) in types.iter().zip(row).enumerate() {
        model.set(clew_solver::term::VarId::from_index(index), Value::new(ty, bits));
    }
    let expected = Evaluator::new().value(&terms, &model, result);
    let goal = equals(&mut terms, result, expected);
    let what = format!("{:?} giving {expected:?}", operator(&vars));
    let budget = Budget { conflicts: Some(20_000), ..Budget::default() };
    match Blaster::new().check(&terms, &[goal], &budget) {
        Answer::Sat(found) => {
            assert_eq!(Evaluator::new().value(&terms, &found, result), expected, "{what}: {}", found.describe(&terms));
        }
        Answer::Unknown(_) => {}
        Answer::Unsat(_) => panic!("{what} has the solution {row:?}"),
    }
}
