//! Encodings of floats: the bits that memory holds of a float which the program looks at as bytes or as an integer.
//!
//! The solver knows one NaN, which keeps its propagation strong where bits are not looked at. A C program can tell NaNs apart by
//! their sign and payload. So the bits of a float are those of its number, and where it is NaN, what this module says:
//!
//! - a float of the input can be any NaN: a variable that is made when the bits are first looked at says which, and the input
//!   of the test has its bits ([`bits_of_input`]);
//! - a float that was read from bytes has these bits; a choice between floats has those of the one chosen;
//! - a NaN that was computed is quiet; which one is left open, for it depends on the order of operands in the machine code. So
//!   nothing is called infeasible because of its sign or payload. The guess for a prediction is the NaN of x86.
//!
//! Not told apart are a signalling NaN and what an operation makes of it that is simplified away, such as `x * 1`.

use clew_scalar::{BinaryOp, Conversion, Format, TernaryOp, Type, UnaryOp, Value};
use clew_solver::evaluate::Evaluator;
use clew_solver::model::Model;
use clew_solver::term::{Node, Sort, TermId, Terms};
use std::collections::BTreeMap;

use crate::policy;
use crate::value::{self, Scalar};

/// The bits of a float.
pub(crate) fn bits(terms: &mut Terms, float: TermId) -> TermId {
    Encoding { terms, known: BTreeMap::new() }.of(float, policy::MAX_ENCODING_DEPTH.small())
}

/// The bits of a float where it is a number; those of a NaN do not matter to the caller.
pub(crate) fn bits_of_number(terms: &mut Terms, float: Scalar) -> Scalar {
    let Scalar::Term(term) = float else { return value::convert(terms, Conversion::FloatToBits, float) };
    let bits = terms.convert(Conversion::FloatToBits, term);
    Scalar::of(terms, bits)
}

/// The bits that a float of the input has under a model.
pub(crate) fn bits_of_input(terms: &Terms, evaluator: &mut Evaluator, model: &Model, term: TermId) -> u128 {
    let value = evaluator.value(terms, model, term);
    let (Type::Float(format), true) = (value.ty, value.is_nan()) else { return value.bits };
    match terms.node(term) {
        Node::Convert(Conversion::BitsToFloat(_), bits) => evaluator.value(terms, model, bits).bits,
        Node::Var(var) => {
            let (name, number) = name(terms, term);
            let Some(chosen) = terms.find_shared(&name, Sort::int(format.width()), number) else {
                return model.value(terms, var).bits;
            };
            let chosen = evaluator.value(terms, model, chosen).bits;
            let bits = chosen ^ format.canonical_nan() | format.infinity(false);
            if bits & format.fraction_mask() == 0 { bits | format.quiet_bit() } else { bits }
        }
        _ => value.bits,
    }
}

/// The name and number of the variable that says which NaN a term is.
fn name(terms: &Terms, term: TermId) -> (String, u32) {
    let of = match terms.node(term) {
        Node::Var(var) => terms.var(var).name.as_str(),
        _ => "a result",
    };
    (format!("NaN bits of {of}"), u32::try_from(term.index()).expect("there are fewer than 2^32 terms"))
}

struct Encoding<'a> {
    terms: &'a mut Terms,
    /// Bits by float.
    known: BTreeMap<TermId, TermId>,
}

impl Encoding<'_> {
    fn of(&mut self, term: TermId, depth: u32) -> TermId {
        if let Some(&bits) = self.known.get(&term) {
            return bits;
        }
        let bits = self.of_node(term, depth);
        self.known.insert(term, bits);
        bits
    }

    fn of_node(&mut self, term: TermId, depth: u32) -> TermId {
        let Type::Float(format) = self.terms.ty(term) else { unreachable!("only floats are encoded") };
        let sign = self.terms.int(format.width(), format.sign_mask());
        match self.terms.node(term) {
            Node::Convert(Conversion::BitsToFloat(_), bits) => bits,
            Node::Const(value) if !value.is_nan() => self.terms.convert(Conversion::FloatToBits, term),
            Node::Ternary(TernaryOp::Select, condition, a, b) if depth > 0 && !self.is_nan(a) && !self.is_nan(b) => {
                let (a, b) = (self.of(a, depth - 1), self.of(b, depth - 1));
                self.terms.select(condition, a, b)
            }
            Node::Unary(UnaryOp::FloatAbs, a) if depth > 0 => {
                let bits = self.of(a, depth - 1);
                let magnitude = self.terms.int(format.width(), !format.sign_mask());
                self.terms.and(bits, magnitude)
            }
            Node::Unary(UnaryOp::FloatNeg, a) if depth > 0 => {
                let bits = self.of(a, depth - 1);
                let turned = self.terms.binary(BinaryOp::Xor, bits, sign);
                let either = self.either(term, turned, bits);
                self.where_nan(term, either, turned)
            }
            Node::Var(_) | Node::Unary(UnaryOp::FloatAbs | UnaryOp::FloatNeg, _) | Node::Ternary(..) => {
                let nan = self.any_nan(term, format);
                self.nan_or_number(term, nan)
            }
            _ => {
                let nan = self.quiet_nan(term, format);
                self.nan_or_number(term, nan)
            }
        }
    }

    /// Whether a term is the NaN itself, which has lost its bits.
    fn is_nan(&self, term: TermId) -> bool {
        self.terms.value(term).is_some_and(Value::is_nan)
    }

    /// The bits of the number a float is, or those of a NaN.
    fn nan_or_number(&mut self, term: TermId, nan: TermId) -> TermId {
        let number = self.terms.convert(Conversion::FloatToBits, term);
        self.where_nan(term, nan, number)
    }

    fn where_nan(&mut self, term: TermId, nan: TermId, number: TermId) -> TermId {
        let is_nan = self.terms.unary(UnaryOp::FloatIsNan, term);
        self.terms.select(is_nan, nan, number)
    }

    /// The variable that says which NaN a term is.
    fn chosen(&mut self, term: TermId, width: u8) -> TermId {
        let (name, number) = name(self.terms, term);
        self.terms.shared_var(&name, Sort::int(width), number)
    }

    /// Either of two: a negation may be what became of a product with a negative number, which keeps the sign of a NaN.
    fn either(&mut self, term: TermId, likely: TermId, other: TermId) -> TermId {
        let chosen = self.chosen(term, 1);
        self.terms.select(chosen, other, likely)
    }

    /// Some NaN, signalling ones included; the canonical one if nothing is chosen. [`bits_of_input`] computes the same.
    fn any_nan(&mut self, term: TermId, format: Format) -> TermId {
        let chosen = self.chosen(term, format.width());
        let bits = self.with(BinaryOp::Xor, chosen, format, format.canonical_nan());
        let bits = self.with(BinaryOp::Or, bits, format, format.infinity(false));
        let fraction = self.with(BinaryOp::And, bits, format, format.fraction_mask());
        let (zero, quiet) =
            (self.terms.int(format.width(), 0), self.with(BinaryOp::Or, bits, format, format.quiet_bit()));
        let is_infinity = self.terms.eq(fraction, zero);
        self.terms.select(is_infinity, quiet, bits)
    }

    /// Some quiet NaN; that of an invalid operation of x86 if nothing is chosen.
    fn quiet_nan(&mut self, term: TermId, format: Format) -> TermId {
        let chosen = self.chosen(term, format.width());
        let bits = self.with(BinaryOp::Xor, chosen, format, format.default_nan());
        self.with(BinaryOp::Or, bits, format, format.canonical_nan())
    }

    fn with(&mut self, op: BinaryOp, a: TermId, format: Format, mask: u128) -> TermId {
        let mask = self.terms.int(format.width(), mask);
        self.terms.binary(op, a, mask)
    }
}

#[cfg(test)]
mod tests {
    use super::{bits, bits_of_input};
    use crate::value::{self, Scalar};
    use clew_scalar::{BinaryOp, Conversion, Format, Rounding, UnaryOp};
    use clew_solver::evaluate::Evaluator;
    use clew_solver::solver::{Answer, Budget, Solver};
    use clew_solver::term::TermId;

    const SINGLE: Format = Format::SINGLE;

    fn input(solver: &mut Solver) -> TermId {
        solver.terms_mut().float_var("x", SINGLE)
    }

    /// Can a float have these bits? Then the bits of the input `x` in the model.
    fn with_bits(solver: &mut Solver, float: TermId, x: TermId, wanted: u128) -> Option<u128> {
        let bits = bits(solver.terms_mut(), float);
        let wanted = solver.terms_mut().int(32, wanted);
        let same = solver.terms_mut().eq(bits, wanted);
        match solver.check_assuming(&[same], &Budget::default()) {
            Answer::Sat(model) => Some(bits_of_input(solver.terms(), &mut Evaluator::new(), &model, x)),
            Answer::Unsat(_) => None,
            Answer::Unknown(reason) => panic!("{reason:?}"),
        }
    }

    #[test]
    fn an_input_can_be_any_nan_and_any_number() {
        let mut solver = Solver::default();
        let x = input(&mut solver);
        for wanted in [0x7f80_0001, 0xffff_ffff, 0x7fc0_0000, 0xff80_0007, 0, 0x8000_0000, 0x3f80_0000, 0x7f80_0000] {
            assert_eq!(with_bits(&mut solver, x, x, wanted), Some(wanted), "{wanted:#x}");
        }
    }

    #[test]
    fn magnitudes_and_copies_keep_the_payload() {
        let mut solver = Solver::default();
        let x = input(&mut solver);
        let magnitude = solver.terms_mut().unary(UnaryOp::FloatAbs, x);
        assert_eq!(with_bits(&mut solver, magnitude, x, 0xffc0_0000), None);
        let found = with_bits(&mut solver, magnitude, x, 0x7f80_0003).expect("the payload is kept");
        assert_eq!(found & 0x7fff_ffff, 0x7f80_0003);
        let word = solver.terms_mut().int_var("word", 32);
        let read = solver.terms_mut().convert(Conversion::BitsToFloat(SINGLE), word);
        assert_eq!(bits(solver.terms_mut(), read), word);
    }

    #[test]
    fn a_computed_nan_is_quiet_and_has_any_sign() {
        let mut solver = Solver::default();
        let x = input(&mut solver);
        let half = solver.terms_mut().float(SINGLE, 0x3f00_0000);
        let (x_scalar, half) = (Scalar::Term(x), Scalar::Term(half));
        let op = BinaryOp::FloatMul(Rounding::NearestEven);
        let Scalar::Term(product) = value::binary(solver.terms_mut(), op, x_scalar, half) else { panic!("symbolic") };
        assert_eq!(with_bits(&mut solver, product, x, 0x7f80_0001), None);
        for wanted in [0x7fc0_0000, 0xffc0_0000, 0x7fc0_0005] {
            assert!(with_bits(&mut solver, product, x, wanted).is_some(), "{wanted:#x}");
        }
    }
}
