//! Every integer operator: exhaustively on narrow ones, sampled on wide ones.

use clew_scalar::{BinaryOp, Conversion, TernaryOp, Type, UnaryOp, Value};
use clew_solver::blast::{Answer, Blaster, Budget};
use clew_solver::term::{Node, Sort, TermId, Terms};

use crate::{Operands as _, Random, agrees, all_combinations, inverts};

const UNARY: [UnaryOp; 5] =
    [UnaryOp::Not, UnaryOp::Neg, UnaryOp::CountOnes, UnaryOp::LeadingZeros, UnaryOp::TrailingZeros];

const BINARY: [BinaryOp; 19] = [
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
    BinaryOp::Ne,
    BinaryOp::Ult,
    BinaryOp::Ule,
    BinaryOp::Slt,
    BinaryOp::Sle,
];

#[test]
fn narrow_integers() {
    let widths: &[u8] = if crate::is_thorough() { &[1, 2, 3, 4, 5] } else { &[1, 2, 3] };
    for &width in widths {
        let ty = Type::Int(width);
        for op in UNARY {
            agrees(&[ty], &all_combinations(&[ty]), &|x| Node::Unary(op, x[0]));
        }
        for op in BINARY {
            agrees(&[ty; 2], &all_combinations(&[ty; 2]), &|x| Node::Binary(op, x[0], x[1]));
        }
    }
}

#[test]
fn wide_integers() {
    let mut random = Random(1);
    for width in [5, 8, 13, 32, 64, 128] {
        let ty = Type::Int(width);
        let mut rows = |count: usize, operands: usize| -> Vec<Vec<u128>> {
            (0..count).map(|_| (0..operands).map(|_| random.bits(width)).collect()).collect()
        };
        for op in UNARY {
            agrees(&[ty], &rows(3, 1), &|x| Node::Unary(op, x[0]));
        }
        if width % 8 == 0 {
            agrees(&[ty], &rows(3, 1), &|x| Node::Unary(UnaryOp::ByteSwap, x[0]));
        }
        for op in BINARY {
            agrees(&[ty; 2], &rows(3, 2), &|x| Node::Binary(op, x[0], x[1]));
        }
    }
}

#[test]
fn constant_operands() {
    let mut random = Random(2);
    for width in [3, 8, 32] {
        let ty = Type::Int(width);
        for op in BINARY {
            for _ in 0..3 {
                let (constant, operand) = (random.bits(width), random.bits(width));
                half_constant(ty, op, constant, operand);
            }
        }
    }
}

/// One operand is a constant, the other a variable: the circuits fold in part.
fn half_constant(ty: Type, op: BinaryOp, constant: u128, operand: u128) {
    let mut terms = Terms::new();
    let var = terms.declare("x", Sort::Scalar(ty));
    let fixed = terms.intern(Node::Const(Value::new(ty, constant)));
    let held = crate::equals(&mut terms, var, Value::new(ty, operand));
    let value = Value::new(ty, operand);
    for (left, right) in [(true, false), (false, true)] {
        let node = if left { Node::Binary(op, fixed, var) } else { Node::Binary(op, var, fixed) };
        let (a, b) = if right { (value, Value::new(ty, constant)) } else { (Value::new(ty, constant), value) };
        let expected = clew_scalar::eval::binary(op, a, b);
        let result = terms.intern(node);
        let right = crate::equals(&mut terms, result, expected);
        let wrong = crate::not(&mut terms, right);
        let mut blaster = Blaster::new();
        let answer = blaster.check(&terms, &[held, right], &Budget::default());
        assert!(matches!(answer, Answer::Sat(_)), "{op:?} {a:?} {b:?} is {expected:?}");
        let answer = blaster.check(&terms, &[held, wrong], &Budget::default());
        assert!(matches!(answer, Answer::Unsat(_)), "{op:?} {a:?} {b:?} is only {expected:?}");
    }
}

#[test]
fn structure() {
    let (narrow, wide) = (Type::Int(3), Type::Int(5));
    let rows = all_combinations(&[narrow, wide]);
    agrees(&[narrow, wide], &rows, &|x| Node::Concat(x[0], x[1]));
    for (hi, lo) in [(4, 0), (3, 1), (2, 2), (4, 4)] {
        agrees(&[wide], &all_combinations(&[wide]), &|x| Node::Extract { hi, lo, of: x[0] });
    }
    for conversion in [Conversion::ZeroExtend(7), Conversion::SignExtend(7), Conversion::Truncate(2)] {
        agrees(&[wide], &all_combinations(&[wide]), &|x: &[TermId]| Node::Convert(conversion, x[0]));
    }
    let types = [Type::BOOL, narrow, narrow];
    agrees(&types, &all_combinations(&types), &|x| Node::Ternary(TernaryOp::Select, x[0], x[1], x[2]));
}

/// Products and quotients of extensions, whose circuits leave the copies of the signs out.
#[test]
fn operators_on_extensions() {
    let operators = [BinaryOp::Mul, BinaryOp::UDiv, BinaryOp::SDiv, BinaryOp::URem, BinaryOp::SRem];
    let extensions = [Conversion::SignExtend(9), Conversion::ZeroExtend(9)];
    for (first, second) in extensions.iter().flat_map(|&f| extensions.map(|g| (f, g))) {
        for op in operators {
            operator_on_extensions(op, first, second);
        }
    }
}

fn operator_on_extensions(op: BinaryOp, first: Conversion, second: Conversion) {
    let mut terms = Terms::new();
    let inputs = [("x", 3), ("y", 4)].map(|(name, width)| terms.declare(name, Sort::int(width)));
    let a = terms.intern(Node::Convert(first, inputs[0]));
    let b = terms.intern(Node::Convert(second, inputs[1]));
    let result = terms.intern(Node::Binary(op, a, b));
    let mut blaster = Blaster::new();
    for row in all_combinations(&[Type::Int(3), Type::Int(4)]) {
        let values = [Value::int(3, row[0]), Value::int(4, row[1])];
        let [x, y] = [(first, values[0]), (second, values[1])].map(|(f, value)| clew_scalar::eval::convert(f, value));
        let expected = clew_scalar::eval::binary(op, x, y);
        let held = [0, 1].map(|at| crate::equals(&mut terms, inputs[at], values[at]));
        let right = crate::equals(&mut terms, result, expected);
        let wrong = crate::not(&mut terms, right);
        let mut ask = |goal| blaster.check(&terms, &[held[0], held[1], goal], &Budget::default());
        assert!(matches!(ask(right), Answer::Sat(_)), "{op:?} of {x:?} and {y:?} is {expected:?}");
        assert!(matches!(ask(wrong), Answer::Unsat(_)), "{op:?} of {x:?} and {y:?} is only {expected:?}");
    }
}

/// A table at all of its indices and beyond its end, with an index that is narrow or wide.
#[test]
fn tables() {
    let mut random = Random(4);
    for (width, length) in [(4, 16), (4, 11), (9, 20), (64, 7)] {
        let entries: Vec<u128> = (0..length).map(|_| random.bits(8)).collect();
        let mut terms = Terms::new();
        let index = terms.declare("x", Sort::int(width));
        let table = terms.table(8, &entries);
        let result = terms.intern(Node::Lookup(table, index));
        let mut blaster = Blaster::new();
        for at in 0..16 {
            let expected = Value::int(8, entries.get(at).copied().unwrap_or(0));
            let held = crate::equals(&mut terms, index, Value::int(width, at as u128));
            let right = crate::equals(&mut terms, result, expected);
            let wrong = crate::not(&mut terms, right);
            let mut ask = |goal| blaster.check(&terms, &[held, goal], &Budget::default());
            assert!(matches!(ask(right), Answer::Sat(_)), "{width}: [{at}] is {expected:?}");
            assert!(matches!(ask(wrong), Answer::Unsat(_)), "{width}: [{at}] is only {expected:?}");
        }
    }
}

#[test]
fn finds_operands_for_results() {
    let mut random = Random(3);
    for width in [8, 16] {
        let ty = Type::Int(width);
        for op in BINARY {
            let row = [random.bits(width), random.bits(width)];
            inverts(&[ty; 2], &row, &|x| Node::Binary(op, x[0], x[1]));
        }
    }
}

/// The parity of a word by folding it, and the lowest bit of the count of its ones by sums of fields.
#[test]
fn one_parity_in_two_ways_is_one_gate() {
    let mut terms = Terms::new();
    let x = terms.declare("x", Sort::int(32));
    let shifted = |terms: &mut Terms, a: TermId, by: u128| {
        let by = terms.int(32, by);
        terms.binary(BinaryOp::LShr, a, by)
    };
    let fields = |terms: &mut Terms, a: TermId, by: u128, mask: u128| {
        let (mask, high) = (terms.int(32, mask), shifted(terms, a, by));
        [a, high].map(|part| terms.binary(BinaryOp::And, part, mask))
    };
    let mut folded = x;
    for by in [16, 8, 4, 2, 1] {
        let high = shifted(&mut terms, folded, by);
        folded = terms.binary(BinaryOp::Xor, folded, high);
    }
    let [_, odd] = fields(&mut terms, x, 1, 0x5555_5555);
    let mut count = terms.binary(BinaryOp::Sub, x, odd);
    for (by, mask) in [(2, 0x3333_3333), (4, 0x0f0f_0f0f)] {
        let [low, high] = fields(&mut terms, count, by, mask);
        count = terms.binary(BinaryOp::Add, low, high);
    }
    let all = terms.int(32, 0x0101_0101);
    let count = terms.binary(BinaryOp::Mul, count, all);
    let (parity, counted) = (terms.extract(0, 0, folded), terms.extract(24, 24, count));
    let differ = terms.binary(BinaryOp::Xor, parity, counted);
    let mut blaster = Blaster::new();
    assert_eq!(blaster.check(&terms, &[differ], &Budget::default()), Answer::Unsat(vec![differ]));
    assert_eq!(blaster.statistics().conflicts, 0, "the sums cancel each other");
}
