//! Operators on abstract values: the solver's propagators, forward and backward.

use super::state::range;
use super::value::Abs;
use clew_ir::Type;
use clew_scalar::{BinaryOp, Conversion, UnaryOp};
use clew_solver::domain::Conflict;
use clew_solver::domain::boolean::BoolDomain;
use clew_solver::domain::float::FloatDomain;
use clew_solver::domain::int::IntDomain;
use clew_solver::propagate::{float, int};

type Contracted = Result<(), Conflict>;

/// Narrows the result and the operand of a unary operator; says whether it is one that is known here.
pub(crate) fn unary(op: UnaryOp, result: &mut Abs, a: &mut Abs) -> Contracted {
    match (result, a) {
        (Abs::Int(result), Abs::Int(a)) => match op {
            UnaryOp::Not if a.width() == 1 => {
                with_bools(result, a, None, |result, a, _| int::condition::not(result, a))
            }
            UnaryOp::Not => int::not(result, a),
            UnaryOp::Neg => int::neg(result, a),
            UnaryOp::CountOnes => int::count_ones(result, a),
            UnaryOp::LeadingZeros => int::leading_zeros(result, a),
            UnaryOp::TrailingZeros => int::trailing_zeros(result, a),
            UnaryOp::ByteSwap => int::byte_swap(result, a),
            _ => Ok(()),
        },
        (Abs::Float(result), Abs::Float(a)) => match op {
            UnaryOp::FloatNeg => float::neg(a, result),
            UnaryOp::FloatAbs => float::abs(a, result),
            UnaryOp::FloatSqrt(rounding) => float::sqrt(rounding, a, result),
            UnaryOp::FloatRoundToIntegral(rounding) => float::round_to_integral(rounding, a, result),
            _ => Ok(()),
        },
        (Abs::Int(result), Abs::Float(a)) if result.width() == 1 => {
            let mut truth = BoolDomain::from(*result);
            float::classify(op, a, &mut truth)?;
            result.narrow(&truth.into())
        }
        _ => Ok(()),
    }
}

/// Narrows the result and the operands of a binary operator.
pub(crate) fn binary(op: BinaryOp, result: &mut Abs, a: &mut Abs, b: &mut Abs) -> Contracted {
    match (result, a, b) {
        (Abs::Int(result), Abs::Int(a), Abs::Int(b)) => integers(op, result, a, b),
        (Abs::Int(result), Abs::Float(a), Abs::Float(b)) => {
            let mut truth = BoolDomain::from(*result);
            match op {
                BinaryOp::FloatEq => float::eq(a, b, &mut truth)?,
                BinaryOp::FloatLt => float::lt(a, b, &mut truth)?,
                BinaryOp::FloatLe => float::le(a, b, &mut truth)?,
                _ => {}
            }
            result.narrow(&truth.into())
        }
        (Abs::Float(result), Abs::Float(a), Abs::Float(b)) => floats(op, result, a, b),
        (Abs::Int(result), Abs::Pointer(a), Abs::Pointer(b)) if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
            let equal = match (a.is_null(), b.is_null()) {
                (Some(a), Some(b)) if a || b => a == b,
                _ => return Ok(()),
            };
            let holds = equal == (op == BinaryOp::Eq);
            result.narrow(&IntDomain::singleton(1, u128::from(holds)))
        }
        _ => Ok(()),
    }
}

fn floats(op: BinaryOp, result: &mut FloatDomain, a: &mut FloatDomain, b: &mut FloatDomain) -> Contracted {
    match op {
        BinaryOp::FloatAdd(rounding) => float::add(rounding, a, b, result),
        BinaryOp::FloatSub(rounding) => float::sub(rounding, a, b, result),
        BinaryOp::FloatMul(rounding) => float::mul(rounding, a, b, result),
        BinaryOp::FloatDiv(rounding) => float::div(rounding, a, b, result),
        BinaryOp::FloatMin => float::min(a, b, result),
        BinaryOp::FloatMax => float::max(a, b, result),
        _ => Ok(()),
    }
}

fn integers(op: BinaryOp, result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Contracted {
    if a.width() == 1 {
        match op {
            BinaryOp::And => return with_bools(result, a, Some(b), int::condition::and),
            BinaryOp::Or => return with_bools(result, a, Some(b), int::condition::or),
            BinaryOp::Xor | BinaryOp::Ne => return with_bools(result, a, Some(b), int::condition::xor),
            BinaryOp::Eq => return with_bools(result, a, Some(b), int::condition::equal),
            _ => {}
        }
    }
    match op {
        BinaryOp::Add => int::add(result, a, b),
        BinaryOp::Sub => int::sub(result, a, b),
        BinaryOp::Mul => int::mul(result, a, b),
        BinaryOp::UDiv => int::udiv(result, a, b),
        BinaryOp::SDiv => int::sdiv(result, a, b),
        BinaryOp::URem => int::urem(result, a, b),
        BinaryOp::SRem => int::srem(result, a, b),
        BinaryOp::And => int::and(result, a, b),
        BinaryOp::Or => int::or(result, a, b),
        BinaryOp::Xor => int::xor(result, a, b),
        BinaryOp::Shl => int::shl(result, a, b),
        BinaryOp::LShr => int::lshr(result, a, b),
        BinaryOp::AShr => int::ashr(result, a, b),
        _ => compare(op, result, a, b),
    }
}

fn compare(op: BinaryOp, result: &mut IntDomain, a: &mut IntDomain, b: &mut IntDomain) -> Contracted {
    let mut truth = BoolDomain::from(*result);
    match op {
        BinaryOp::Eq => int::equal(&mut truth, a, b)?,
        BinaryOp::Ne => int::not_equal(&mut truth, a, b)?,
        BinaryOp::Ult => int::ult(&mut truth, a, b)?,
        BinaryOp::Ule => int::ule(&mut truth, a, b)?,
        BinaryOp::Slt => int::slt(&mut truth, a, b)?,
        BinaryOp::Sle => int::sle(&mut truth, a, b)?,
        _ => {}
    }
    result.narrow(&truth.into())
}

/// Runs a propagator of conditions on integers of one bit.
fn with_bools(
    result: &mut IntDomain,
    a: &mut IntDomain,
    b: Option<&mut IntDomain>,
    contract: impl Fn(&mut BoolDomain, &mut BoolDomain, &mut BoolDomain) -> Contracted,
) -> Contracted {
    let (mut truth, mut x) = (BoolDomain::from(*result), BoolDomain::from(*a));
    let mut y = b.as_ref().map_or(BoolDomain::TOP, |b| BoolDomain::from(**b));
    contract(&mut truth, &mut x, &mut y)?;
    result.narrow(&truth.into())?;
    a.narrow(&x.into())?;
    b.map_or(Ok(()), |b| b.narrow(&y.into()))
}

/// Narrows the result and the operand of a conversion.
pub(crate) fn convert(op: Conversion, result: &mut Abs, a: &mut Abs) -> Contracted {
    match (op, result, a) {
        (Conversion::ZeroExtend(_), Abs::Int(result), Abs::Int(a)) => int::zero_extend(result, a),
        (Conversion::SignExtend(_), Abs::Int(result), Abs::Int(a)) => int::sign_extend(result, a),
        (Conversion::Truncate(_), Abs::Int(result), Abs::Int(a)) => int::truncate(result, a),
        (Conversion::FloatToFloat(_, rounding), Abs::Float(result), Abs::Float(a)) => {
            float::float_to_float(rounding, a, result)
        }
        (Conversion::SignedToFloat(_, rounding), Abs::Float(result), Abs::Int(a)) => {
            float::signed_to_float(rounding, a, result)
        }
        (Conversion::UnsignedToFloat(_, rounding), Abs::Float(result), Abs::Int(a)) => {
            float::unsigned_to_float(rounding, a, result)
        }
        (Conversion::FloatToSigned(_, rounding), Abs::Int(result), Abs::Float(a)) => {
            float::float_to_signed(rounding, a, result)
        }
        (Conversion::FloatToUnsigned(_, rounding), Abs::Int(result), Abs::Float(a)) => {
            float::float_to_unsigned(rounding, a, result)
        }
        _ => Ok(()),
    }
}

/// The range of the exact result of a signed operator on integers of at most 64 bits.
pub(crate) fn exact(op: BinaryOp, a: &IntDomain, b: &IntDomain) -> Option<(i128, i128)> {
    let ((a_low, a_high), (b_low, b_high)) = (range(a, true)?, range(b, true)?);
    match op {
        BinaryOp::Add => Some((a_low + b_low, a_high + b_high)),
        BinaryOp::Sub => Some((a_low - b_high, a_high - b_low)),
        BinaryOp::Mul => {
            let products = [a_low * b_low, a_low * b_high, a_high * b_low, a_high * b_high];
            Some((*products.iter().min()?, *products.iter().max()?))
        }
        _ => None,
    }
}

/// The type of a result of a binary operator.
pub(crate) fn result_type(op: BinaryOp, a: Type) -> Type {
    match op {
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Ult
        | BinaryOp::Ule
        | BinaryOp::Slt
        | BinaryOp::Sle
        | BinaryOp::FloatEq
        | BinaryOp::FloatLt
        | BinaryOp::FloatLe => Type::Int(1),
        _ => a,
    }
}
