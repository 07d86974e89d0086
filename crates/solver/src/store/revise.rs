//! From a cell to its propagator: read the domains, contract, write back what changed.

use crate::policy;
use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp};

use super::{Cause, Domain, Slot, Store};
use crate::domain::Conflict;
use crate::domain::boolean::BoolDomain;
use crate::domain::float::FloatDomain;
use crate::domain::int::IntDomain;
use crate::propagate::{float, int};
use crate::term::{Node, Terms, mask};

type IntUnary = fn(&mut IntDomain, &mut IntDomain) -> Result<(), Conflict>;
type IntBinary = fn(&mut IntDomain, &mut IntDomain, &mut IntDomain) -> Result<(), Conflict>;
type IntCompare = fn(&mut BoolDomain, &mut IntDomain, &mut IntDomain) -> Result<(), Conflict>;
type Condition = fn(&mut BoolDomain, &mut BoolDomain, &mut BoolDomain) -> Result<(), Conflict>;
type FloatCompare = fn(&mut FloatDomain, &mut FloatDomain, &mut BoolDomain) -> Result<(), Conflict>;

impl Store {
    /// Runs the propagator of a cell.
    pub(super) fn revise(&mut self, terms: &Terms, slot: Slot) -> Result<(), Conflict> {
        let cell = self.cells[slot.index()];
        let [a, b, c] = cell.operands;
        if cell.identity {
            return self.float_compare(slot, a, b, float::identical);
        }
        match cell.node {
            Node::Const(_) | Node::Var(_) => Ok(()),
            Node::Unary(op, _) => self.revise_unary(slot, op, a),
            Node::Binary(op, ..) => self.revise_binary(slot, op, a, b),
            Node::Ternary(TernaryOp::Select, ..) if super::is_array(terms, cell.term) => Ok(()),
            Node::Ternary(TernaryOp::Select, ..) => self.revise_select(slot, a, b, c),
            Node::Ternary(TernaryOp::FloatFma(rounding), ..) => {
                let [mut x, mut y, mut z] = [a, b, c].map(|operand| self.float(operand));
                let mut result = self.float(slot);
                float::fma(rounding, &mut x, &mut y, &mut z, &mut result)?;
                self.write(slot, &[(a, x.into()), (b, y.into()), (c, z.into()), (slot, result.into())])
            }
            Node::Convert(op, _) => self.revise_conversion(slot, op, a),
            Node::Extract { lo, .. } => {
                let (mut result, mut of) = (self.int(slot), self.int(a));
                int::extract(&mut result, &mut of, lo)?;
                self.write(slot, &[(a, of.into()), (slot, result.into())])
            }
            Node::Concat(..) => self.int_binary(slot, a, b, int::concat),
            Node::Lookup(table, _) => {
                let entries = terms.entries(table).all();
                // A long table costs as much as many other propagators.
                self.steps += entries.len() as u64 / policy::TABLE_ENTRIES_PER_STEP.get();
                let (mut result, mut index) = (self.int(slot), self.int(a));
                int::lookup(&mut result, &mut index, entries)?;
                self.write(slot, &[(a, index.into()), (slot, result.into())])
            }
            Node::Read(..) | Node::Write(..) | Node::ConstArray { .. } | Node::ArrayEq(..) => Ok(()),
        }
    }

    fn revise_unary(&mut self, slot: Slot, op: UnaryOp, a: Slot) -> Result<(), Conflict> {
        if let (UnaryOp::Not, Domain::Bool(mut result)) = (op, self.domains[slot.index()]) {
            let mut operand = self.bool(a);
            int::condition::not(&mut result, &mut operand)?;
            return self.write(slot, &[(a, operand.into()), (slot, result.into())]);
        }
        match op {
            UnaryOp::Not => self.int_unary(slot, a, int::not),
            UnaryOp::Neg => self.int_unary(slot, a, int::neg),
            UnaryOp::CountOnes => self.int_unary(slot, a, int::count_ones),
            UnaryOp::LeadingZeros => self.int_unary(slot, a, int::leading_zeros),
            UnaryOp::TrailingZeros => self.int_unary(slot, a, int::trailing_zeros),
            UnaryOp::ByteSwap => self.int_unary(slot, a, int::byte_swap),
            UnaryOp::FloatNeg => self.float_unary(slot, a, float::neg),
            UnaryOp::FloatAbs => self.float_unary(slot, a, float::abs),
            UnaryOp::FloatSqrt(rounding) => self.float_unary(slot, a, |x, z| float::sqrt(rounding, x, z)),
            UnaryOp::FloatRoundToIntegral(rounding) => {
                self.float_unary(slot, a, |x, z| float::round_to_integral(rounding, x, z))
            }
            UnaryOp::FloatIsNan
            | UnaryOp::FloatIsInfinite
            | UnaryOp::FloatIsZero
            | UnaryOp::FloatIsNormal
            | UnaryOp::FloatIsSubnormal
            | UnaryOp::FloatIsNegative => {
                let (mut operand, mut result) = (self.float(a), self.bool(slot));
                float::classify(op, &mut operand, &mut result)?;
                self.write(slot, &[(a, operand.into()), (slot, result.into())])
            }
        }
    }

    fn revise_binary(&mut self, slot: Slot, op: BinaryOp, a: Slot, b: Slot) -> Result<(), Conflict> {
        if let (Some(propagator), Domain::Bool(_)) = (condition_propagator(op), self.domains[a.index()]) {
            let (mut result, mut x, mut y) = (self.bool(slot), self.bool(a), self.bool(b));
            propagator(&mut result, &mut x, &mut y)?;
            return self.write(slot, &[(a, x.into()), (b, y.into()), (slot, result.into())]);
        }
        if op == BinaryOp::Mul && a == b {
            return self.int_unary(slot, a, int::square);
        }
        if op == BinaryOp::Add && self.is_square(a) && self.is_square(b) {
            return self.int_binary(slot, a, b, int::squares);
        }
        if op == BinaryOp::And
            && let Some(number) = self.with_predecessor(a, b)
        {
            self.int_unary(slot, number, int::single)?;
        }
        if let Some(propagator) = int_propagator(op) {
            return self.int_binary(slot, a, b, propagator);
        }
        if let Some(propagator) = int_comparison(op) {
            let (mut result, mut x, mut y) = (self.bool(slot), self.int(a), self.int(b));
            propagator(&mut result, &mut x, &mut y)?;
            return self.write(slot, &[(a, x.into()), (b, y.into()), (slot, result.into())]);
        }
        self.revise_float_binary(slot, op, a, b)
    }

    /// Of two cells, the one that is a number whose predecessor is the other one by its form.
    fn with_predecessor(&self, a: Slot, b: Slot) -> Option<Slot> {
        if self.is_predecessor(b, a) { Some(a) } else { self.is_predecessor(a, b).then_some(b) }
    }

    fn is_predecessor(&self, slot: Slot, number: Slot) -> bool {
        let cell = &self.cells[slot.index()];
        let [first, second, _] = cell.operands;
        let is_sum = matches!(cell.node, Node::Binary(BinaryOp::Add, ..)) && first == number;
        // Only a constant: what a domain has come to would have to be named in the explanation.
        is_sum && matches!(self.cells[second.index()].node, Node::Const(value) if value.bits == mask(value.ty.width()))
    }

    fn is_square(&self, slot: Slot) -> bool {
        matches!(self.cells[slot.index()].node, Node::Binary(BinaryOp::Mul, x, y) if x == y)
    }

    fn revise_float_binary(&mut self, slot: Slot, op: BinaryOp, a: Slot, b: Slot) -> Result<(), Conflict> {
        match op {
            BinaryOp::FloatEq => return self.float_compare(slot, a, b, float::eq),
            BinaryOp::FloatLt => return self.float_compare(slot, a, b, float::lt),
            BinaryOp::FloatLe => return self.float_compare(slot, a, b, float::le),
            BinaryOp::FloatMul(rounding) if a == b => {
                return self.float_unary(slot, a, |x, z| float::square(rounding, x, z));
            }
            _ => {}
        }
        let (mut x, mut y, mut z) = (self.float(a), self.float(b), self.float(slot));
        match op {
            BinaryOp::FloatAdd(rounding) => float::add(rounding, &mut x, &mut y, &mut z)?,
            BinaryOp::FloatSub(rounding) => float::sub(rounding, &mut x, &mut y, &mut z)?,
            BinaryOp::FloatMul(rounding) => float::mul(rounding, &mut x, &mut y, &mut z)?,
            BinaryOp::FloatDiv(rounding) => float::div(rounding, &mut x, &mut y, &mut z)?,
            BinaryOp::FloatMod => float::fmod(&mut x, &mut y, &mut z)?,
            BinaryOp::FloatRem => float::rem(&mut x, &mut y, &mut z)?,
            BinaryOp::FloatMin => float::min(&mut x, &mut y, &mut z)?,
            BinaryOp::FloatMax => float::max(&mut x, &mut y, &mut z)?,
            _ => unreachable!("the integer operators have been dealt with"),
        }
        self.write(slot, &[(a, x.into()), (b, y.into()), (slot, z.into())])
    }

    fn revise_select(&mut self, slot: Slot, condition: Slot, a: Slot, b: Slot) -> Result<(), Conflict> {
        let mut chosen = self.bool(condition);
        let changed: [(Slot, Domain); 4] = match self.domains[slot.index()] {
            Domain::Bool(mut result) => {
                let (mut x, mut y) = (self.bool(a), self.bool(b));
                int::condition::select(&mut chosen, &mut result, &mut x, &mut y)?;
                [(condition, chosen.into()), (a, x.into()), (b, y.into()), (slot, result.into())]
            }
            Domain::Int(mut result) => {
                let (mut x, mut y) = (self.int(a), self.int(b));
                int::select(&mut chosen, &mut result, &mut x, &mut y)?;
                [(condition, chosen.into()), (a, x.into()), (b, y.into()), (slot, result.into())]
            }
            Domain::Float(mut result) => {
                let (mut x, mut y) = (self.float(a), self.float(b));
                float::select(&mut chosen, &mut x, &mut y, &mut result)?;
                [(condition, chosen.into()), (a, x.into()), (b, y.into()), (slot, result.into())]
            }
            Domain::Opaque => unreachable!("choices between arrays have no propagator"),
        };
        self.write(slot, &changed)
    }

    fn revise_conversion(&mut self, slot: Slot, op: Conversion, a: Slot) -> Result<(), Conflict> {
        match op {
            Conversion::ZeroExtend(_) => self.int_unary(slot, a, int::zero_extend),
            Conversion::SignExtend(_) => self.int_unary(slot, a, int::sign_extend),
            Conversion::Truncate(_) => self.int_unary(slot, a, int::truncate),
            Conversion::FloatToFloat(_, rounding) => {
                self.float_unary(slot, a, |x, z| float::float_to_float(rounding, x, z))
            }
            Conversion::SignedToFloat(_, rounding) => {
                self.int_to_float(slot, a, |i, z| float::signed_to_float(rounding, i, z))
            }
            Conversion::UnsignedToFloat(_, rounding) => {
                self.int_to_float(slot, a, |i, z| float::unsigned_to_float(rounding, i, z))
            }
            Conversion::BitsToFloat(_) => self.int_to_float(slot, a, float::bits_to_float),
            Conversion::FloatToSigned(_, rounding) => {
                self.float_to_int(slot, a, |x, i| float::float_to_signed(rounding, x, i))
            }
            Conversion::FloatToUnsigned(_, rounding) => {
                self.float_to_int(slot, a, |x, i| float::float_to_unsigned(rounding, x, i))
            }
            Conversion::FloatToBits => self.float_to_int(slot, a, float::float_to_bits),
        }
    }

    fn int_unary(&mut self, slot: Slot, a: Slot, propagator: IntUnary) -> Result<(), Conflict> {
        let (mut result, mut operand) = (self.int(slot), self.int(a));
        propagator(&mut result, &mut operand)?;
        self.write(slot, &[(a, operand.into()), (slot, result.into())])
    }

    fn int_binary(&mut self, slot: Slot, a: Slot, b: Slot, propagator: IntBinary) -> Result<(), Conflict> {
        let (mut result, mut x, mut y) = (self.int(slot), self.int(a), self.int(b));
        propagator(&mut result, &mut x, &mut y)?;
        self.write(slot, &[(a, x.into()), (b, y.into()), (slot, result.into())])
    }

    fn float_unary(
        &mut self,
        slot: Slot,
        a: Slot,
        propagator: impl Fn(&mut FloatDomain, &mut FloatDomain) -> Result<(), Conflict>,
    ) -> Result<(), Conflict> {
        let (mut operand, mut result) = (self.float(a), self.float(slot));
        propagator(&mut operand, &mut result)?;
        self.write(slot, &[(a, operand.into()), (slot, result.into())])
    }

    fn float_compare(&mut self, slot: Slot, a: Slot, b: Slot, propagator: FloatCompare) -> Result<(), Conflict> {
        let (mut x, mut y, mut result) = (self.float(a), self.float(b), self.bool(slot));
        propagator(&mut x, &mut y, &mut result)?;
        self.write(slot, &[(a, x.into()), (b, y.into()), (slot, result.into())])
    }

    fn int_to_float(
        &mut self,
        slot: Slot,
        a: Slot,
        propagator: impl Fn(&mut IntDomain, &mut FloatDomain) -> Result<(), Conflict>,
    ) -> Result<(), Conflict> {
        let (mut operand, mut result) = (self.int(a), self.float(slot));
        propagator(&mut operand, &mut result)?;
        self.write(slot, &[(a, operand.into()), (slot, result.into())])
    }

    fn float_to_int(
        &mut self,
        slot: Slot,
        a: Slot,
        propagator: impl Fn(&mut FloatDomain, &mut IntDomain) -> Result<(), Conflict>,
    ) -> Result<(), Conflict> {
        let (mut operand, mut result) = (self.float(a), self.int(slot));
        propagator(&mut operand, &mut result)?;
        self.write(slot, &[(a, operand.into()), (slot, result.into())])
    }

    /// Writes back what a propagator left. A cell named twice (`x * x`) has been narrowed twice, and both hold.
    fn write(&mut self, cause: Slot, domains: &[(Slot, Domain)]) -> Result<(), Conflict> {
        for (position, &(slot, domain)) in domains.iter().enumerate() {
            if domains[..position].iter().any(|&(earlier, _)| earlier == slot) {
                self.change(slot, domain, Cause::Cell(cause))?;
            } else {
                self.replace(slot, domain, Cause::Cell(cause));
            }
        }
        Ok(())
    }

    fn bool(&self, slot: Slot) -> BoolDomain {
        self.domains[slot.index()].as_bool()
    }

    fn int(&self, slot: Slot) -> IntDomain {
        self.domains[slot.index()].as_int()
    }

    fn float(&self, slot: Slot) -> FloatDomain {
        self.domains[slot.index()].as_float()
    }
}

fn condition_propagator(op: BinaryOp) -> Option<Condition> {
    match op {
        BinaryOp::And => Some(int::condition::and),
        BinaryOp::Or => Some(int::condition::or),
        BinaryOp::Xor | BinaryOp::Ne => Some(int::condition::xor),
        BinaryOp::Eq => Some(int::condition::equal),
        _ => None,
    }
}

fn int_propagator(op: BinaryOp) -> Option<IntBinary> {
    match op {
        BinaryOp::Add => Some(int::add),
        BinaryOp::Sub => Some(int::sub),
        BinaryOp::Mul => Some(int::mul),
        BinaryOp::UDiv => Some(int::udiv),
        BinaryOp::SDiv => Some(int::sdiv),
        BinaryOp::URem => Some(int::urem),
        BinaryOp::SRem => Some(int::srem),
        BinaryOp::And => Some(int::and),
        BinaryOp::Or => Some(int::or),
        BinaryOp::Xor => Some(int::xor),
        BinaryOp::Shl => Some(int::shl),
        BinaryOp::LShr => Some(int::lshr),
        BinaryOp::AShr => Some(int::ashr),
        _ => None,
    }
}

fn int_comparison(op: BinaryOp) -> Option<IntCompare> {
    match op {
        BinaryOp::Eq => Some(int::equal),
        BinaryOp::Ne => Some(int::not_equal),
        BinaryOp::Ult => Some(int::ult),
        BinaryOp::Ule => Some(int::ule),
        BinaryOp::Slt => Some(int::slt),
        BinaryOp::Sle => Some(int::sle),
        _ => None,
    }
}
