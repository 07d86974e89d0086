//! Every float operator: exhaustively on tiny formats, sampled on real ones.

use clew_scalar::{BinaryOp, Conversion, Format, Rounding, TernaryOp, Type, UnaryOp};
use clew_solver::term::{Node, TermId};

use crate::{Operands as _, Random, agrees, all_combinations, inverts};

const ROUNDINGS: [Rounding; 5] =
    [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

const TINY: [Format; 3] = [
    Format { exponent: 2, significand: 3 },
    Format { exponent: 3, significand: 3 },
    Format { exponent: 3, significand: 4 },
];

/// Makes a node of operands.
type MakeNode = dyn Fn(&[TermId]) -> Node;

/// An operator as a node over operands of given types.
struct Operator {
    types: Vec<Type>,
    node: Box<MakeNode>,
}

fn unary(ty: Type, op: UnaryOp) -> Operator {
    Operator { types: vec![ty], node: Box::new(move |x| Node::Unary(op, x[0])) }
}

fn binary(ty: Type, op: BinaryOp) -> Operator {
    Operator { types: vec![ty; 2], node: Box::new(move |x| Node::Binary(op, x[0], x[1])) }
}

fn convert(ty: Type, op: Conversion) -> Operator {
    Operator { types: vec![ty], node: Box::new(move |x| Node::Convert(op, x[0])) }
}

fn fma(ty: Type, rounding: Rounding) -> Operator {
    Operator {
        types: vec![ty; 3],
        node: Box::new(move |x| Node::Ternary(TernaryOp::FloatFma(rounding), x[0], x[1], x[2])),
    }
}

fn unary_operators(format: Format) -> Vec<Operator> {
    let ty = Type::Float(format);
    let plain = [
        UnaryOp::FloatNeg,
        UnaryOp::FloatAbs,
        UnaryOp::FloatIsNan,
        UnaryOp::FloatIsInfinite,
        UnaryOp::FloatIsZero,
        UnaryOp::FloatIsNormal,
        UnaryOp::FloatIsSubnormal,
        UnaryOp::FloatIsNegative,
    ];
    let rounded = ROUNDINGS.iter().flat_map(|&r| [UnaryOp::FloatSqrt(r), UnaryOp::FloatRoundToIntegral(r)]);
    plain.into_iter().chain(rounded).map(|op| unary(ty, op)).collect()
}

fn binary_operators(format: Format) -> Vec<Operator> {
    let plain = [
        BinaryOp::FloatMin,
        BinaryOp::FloatMax,
        BinaryOp::FloatEq,
        BinaryOp::FloatLt,
        BinaryOp::FloatLe,
        BinaryOp::FloatMod,
        BinaryOp::FloatRem,
    ];
    let arithmetic = |r| [BinaryOp::FloatAdd(r), BinaryOp::FloatSub(r), BinaryOp::FloatMul(r), BinaryOp::FloatDiv(r)];
    plain
        .into_iter()
        .chain(ROUNDINGS.into_iter().flat_map(arithmetic))
        .map(|op| binary(Type::Float(format), op))
        .collect()
}

fn conversions(format: Format, formats: &[Format], widths: &[u8]) -> Vec<Operator> {
    let float = Type::Float(format);
    let mut all = vec![
        convert(float, Conversion::FloatToBits),
        convert(Type::Int(format.width()), Conversion::BitsToFloat(format)),
    ];
    for rounding in ROUNDINGS {
        all.extend(formats.iter().map(|&to| convert(float, Conversion::FloatToFloat(to, rounding))));
        for &width in widths {
            all.push(convert(float, Conversion::FloatToSigned(width, rounding)));
            all.push(convert(float, Conversion::FloatToUnsigned(width, rounding)));
            all.push(convert(Type::Int(width), Conversion::SignedToFloat(format, rounding)));
            all.push(convert(Type::Int(width), Conversion::UnsignedToFloat(format, rounding)));
        }
    }
    all
}

fn exhaust(operators: &[Operator]) {
    for Operator { types, node } in operators {
        agrees(types, &all_combinations(types), node);
    }
}

fn sample(operators: &[Operator], count: usize, seed: u64) {
    let mut random = Random(seed);
    for Operator { types, node } in operators {
        let rows: Vec<_> = (0..count).map(|_| row(types, &mut random)).collect();
        agrees(types, &rows, node);
    }
}

/// Operands of which floats are often close to each other, special, or subnormal.
fn row(types: &[Type], random: &mut Random) -> Vec<u128> {
    let mut row: Vec<u128> = Vec::new();
    for ty in types {
        let bits = match (ty, row.last()) {
            (Type::Float(format), Some(&last)) if random.below(2) == 0 => {
                let near = last.wrapping_add(random.bits(format.significand / 2 + 1)) & format.mask();
                near ^ (random.bits(1) * format.sign_mask())
            }
            (Type::Float(format), _) if random.below(4) == 0 => {
                [0, format.infinity(false), format.canonical_nan(), format.one(true), 1, format.max_finite(false)]
                    [random.below(6)]
            }
            _ => random.bits(ty.width()),
        };
        row.push(bits);
    }
    row
}

#[test]
fn unary_operators_on_tiny_formats() {
    for format in TINY {
        exhaust(&unary_operators(format));
    }
}

#[test]
fn binary_operators_on_the_tiniest_format() {
    exhaust(&binary_operators(TINY[0]));
}

/// A part of the combinations, or all of them when time does not matter.
#[test]
fn binary_operators_on_tiny_formats() {
    for format in &TINY[1..] {
        let operators = binary_operators(*format);
        if crate::is_thorough() { exhaust(&operators) } else { sample(&operators, 120, 1) }
    }
}

#[test]
fn conversions_between_tiny_formats() {
    for format in TINY {
        exhaust(&conversions(format, &TINY, &[1, 3, 6]));
    }
}

#[test]
fn fma_on_tiny_formats() {
    for format in TINY {
        sample(
            &ROUNDINGS.map(|rounding| fma(Type::Float(format), rounding)),
            if crate::is_thorough() { 5000 } else { 200 },
            2,
        );
    }
}

#[test]
fn operators_on_real_formats() {
    for (format, count) in [(Format::HALF, 8), (Format::SINGLE, 3)] {
        sample(&unary_operators(format), count, 3);
        sample(&binary_operators(format), count, 4);
        sample(&conversions(format, &[Format::HALF, Format::SINGLE, Format::DOUBLE], &[8, 32, 64]), count, 5);
    }
}

#[test]
fn arithmetic_on_double() {
    let ty = Type::Float(Format::DOUBLE);
    for rounding in [Rounding::NearestEven, Rounding::Up] {
        let arithmetic = [
            binary(ty, BinaryOp::FloatAdd(rounding)),
            binary(ty, BinaryOp::FloatMul(rounding)),
            binary(ty, BinaryOp::FloatDiv(rounding)),
            unary(ty, UnaryOp::FloatSqrt(rounding)),
            fma(ty, rounding),
        ];
        sample(&arithmetic, 2, 6);
    }
}

#[test]
fn finds_operands_for_results() {
    let mut random = Random(7);
    let mut operators = binary_operators(Format::HALF);
    operators.extend(unary_operators(Format::HALF));
    operators.extend(conversions(Format::HALF, &[Format::SINGLE, TINY[2]], &[8, 32]));
    for Operator { types, node } in &operators {
        inverts(types, &row(types, &mut random), node);
    }
}
