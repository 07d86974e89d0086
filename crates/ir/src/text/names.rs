//! Words of the text form for operators and kinds: one table each, read in both directions.

use crate::ctype::FloatKind;
use crate::function::{CheckKind, DecisionKind, LoopKind};
use crate::inst::Type;
use clew_scalar::{BinaryOp, Conversion, Format, Rounding, TernaryOp, UnaryOp};

/// A word for each value, in both directions.
pub(super) type Table<T> = &'static [(T, &'static str)];

/// The word for a value of a table.
pub(super) fn word<T: PartialEq>(table: Table<T>, value: &T) -> &'static str {
    table.iter().find(|(entry, _)| entry == value).map(|(_, word)| *word).expect("the tables name every value")
}

/// The value for a word of a table.
pub(super) fn value<T: Copy>(table: Table<T>, word: &str) -> Option<T> {
    table.iter().find(|(_, entry)| *entry == word).map(|(value, _)| *value)
}

pub(super) const CHECKS: Table<CheckKind> = &[
    (CheckKind::Overflow, "overflow"),
    (CheckKind::Division, "division"),
    (CheckKind::Shift, "shift"),
    (CheckKind::Access, "access"),
    (CheckKind::Index, "index"),
    (CheckKind::PointerArithmetic, "pointer-arithmetic"),
    (CheckKind::PointerDifference, "pointer-difference"),
    (CheckKind::FloatToInt, "float-to-int"),
    (CheckKind::FunctionPointer, "function-pointer"),
    (CheckKind::ArraySize, "array-size"),
    (CheckKind::VariableArgument, "variable-argument"),
    (CheckKind::Unreachable, "unreachable"),
    (CheckKind::MissingReturn, "missing-return"),
    (CheckKind::Unsequenced, "unsequenced"),
    (CheckKind::Representation, "representation"),
    (CheckKind::Leak, "leak"),
    (CheckKind::Assertion, "assertion"),
];

pub(super) const DECISIONS: Table<DecisionKind> = &[
    (DecisionKind::If, "if"),
    (DecisionKind::While, "while"),
    (DecisionKind::DoWhile, "do-while"),
    (DecisionKind::For, "for"),
    (DecisionKind::Ternary, "ternary"),
    (DecisionKind::Value, "value"),
    (DecisionKind::Switch, "switch"),
];

pub(super) const LOOPS: Table<LoopKind> =
    &[(LoopKind::While, "while"), (LoopKind::DoWhile, "do-while"), (LoopKind::For, "for")];

pub(super) const FLOAT_KINDS: Table<FloatKind> = &[
    (FloatKind::Float, "float"),
    (FloatKind::Double, "double"),
    (FloatKind::LongDouble, "long double"),
    (FloatKind::Other("_Float16"), "_Float16"),
    (FloatKind::Other("_Float32"), "_Float32"),
    (FloatKind::Other("_Float32x"), "_Float32x"),
    (FloatKind::Other("_Float64"), "_Float64"),
    (FloatKind::Other("_Float64x"), "_Float64x"),
    (FloatKind::Other("_Float128"), "_Float128"),
    (FloatKind::Other("__bf16"), "__bf16"),
];

/// C spellings of the integer types.
pub(super) const INT_NAMES: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned int",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "__int128",
    "unsigned __int128",
    "_BitInt",
    "unsigned _BitInt",
];

const ROUNDINGS: Table<Rounding> = &[
    (Rounding::NearestEven, ""),
    (Rounding::NearestAway, ".away"),
    (Rounding::Up, ".up"),
    (Rounding::Down, ".down"),
    (Rounding::Zero, ".zero"),
];

const UNARY: Table<UnaryOp> = &[
    (UnaryOp::Not, "not"),
    (UnaryOp::Neg, "neg"),
    (UnaryOp::CountOnes, "popcount"),
    (UnaryOp::LeadingZeros, "clz"),
    (UnaryOp::TrailingZeros, "ctz"),
    (UnaryOp::ByteSwap, "bswap"),
    (UnaryOp::FloatNeg, "fneg"),
    (UnaryOp::FloatAbs, "fabs"),
    (UnaryOp::FloatIsNan, "isnan"),
    (UnaryOp::FloatIsInfinite, "isinf"),
    (UnaryOp::FloatIsZero, "iszero"),
    (UnaryOp::FloatIsNormal, "isnormal"),
    (UnaryOp::FloatIsSubnormal, "issubnormal"),
    (UnaryOp::FloatIsNegative, "isnegative"),
];

const BINARY: Table<BinaryOp> = &[
    (BinaryOp::Add, "add"),
    (BinaryOp::Sub, "sub"),
    (BinaryOp::Mul, "mul"),
    (BinaryOp::UDiv, "udiv"),
    (BinaryOp::SDiv, "sdiv"),
    (BinaryOp::URem, "urem"),
    (BinaryOp::SRem, "srem"),
    (BinaryOp::And, "and"),
    (BinaryOp::Or, "or"),
    (BinaryOp::Xor, "xor"),
    (BinaryOp::Shl, "shl"),
    (BinaryOp::LShr, "lshr"),
    (BinaryOp::AShr, "ashr"),
    (BinaryOp::Eq, "eq"),
    (BinaryOp::Ne, "ne"),
    (BinaryOp::Ult, "ult"),
    (BinaryOp::Ule, "ule"),
    (BinaryOp::Slt, "slt"),
    (BinaryOp::Sle, "sle"),
    (BinaryOp::FloatMod, "fmod"),
    (BinaryOp::FloatRem, "frem"),
    (BinaryOp::FloatMin, "fmin"),
    (BinaryOp::FloatMax, "fmax"),
    (BinaryOp::FloatEq, "feq"),
    (BinaryOp::FloatLt, "flt"),
    (BinaryOp::FloatLe, "fle"),
];

/// Splits `fadd.up` into `fadd` and the rounding.
fn rounded(word: &str) -> Option<(&str, Rounding)> {
    let (base, suffix) = word.find('.').map_or((word, ""), |at| word.split_at(at));
    Some((base, value(ROUNDINGS, suffix)?))
}

fn with_rounding(base: &str, rounding: Rounding) -> String {
    format!("{base}{}", word(ROUNDINGS, &rounding))
}

pub(super) fn unary_word(op: UnaryOp) -> String {
    match op {
        UnaryOp::FloatSqrt(rounding) => with_rounding("fsqrt", rounding),
        UnaryOp::FloatRoundToIntegral(rounding) => with_rounding("fround", rounding),
        other => word(UNARY, &other).to_owned(),
    }
}

pub(super) fn unary(text: &str) -> Option<UnaryOp> {
    value(UNARY, text).or_else(|| match rounded(text)? {
        ("fsqrt", rounding) => Some(UnaryOp::FloatSqrt(rounding)),
        ("fround", rounding) => Some(UnaryOp::FloatRoundToIntegral(rounding)),
        _ => None,
    })
}

pub(super) fn binary_word(op: BinaryOp) -> String {
    match op {
        BinaryOp::FloatAdd(rounding) => with_rounding("fadd", rounding),
        BinaryOp::FloatSub(rounding) => with_rounding("fsub", rounding),
        BinaryOp::FloatMul(rounding) => with_rounding("fmul", rounding),
        BinaryOp::FloatDiv(rounding) => with_rounding("fdiv", rounding),
        other => word(BINARY, &other).to_owned(),
    }
}

pub(super) fn binary(text: &str) -> Option<BinaryOp> {
    value(BINARY, text).or_else(|| match rounded(text)? {
        ("fadd", rounding) => Some(BinaryOp::FloatAdd(rounding)),
        ("fsub", rounding) => Some(BinaryOp::FloatSub(rounding)),
        ("fmul", rounding) => Some(BinaryOp::FloatMul(rounding)),
        ("fdiv", rounding) => Some(BinaryOp::FloatDiv(rounding)),
        _ => None,
    })
}

pub(super) fn ternary_word(op: TernaryOp) -> String {
    match op {
        TernaryOp::Select => "select".to_owned(),
        TernaryOp::FloatFma(rounding) => with_rounding("fma", rounding),
    }
}

pub(super) fn ternary(text: &str) -> Option<TernaryOp> {
    match rounded(text)? {
        ("select", Rounding::NearestEven) => Some(TernaryOp::Select),
        ("fma", rounding) => Some(TernaryOp::FloatFma(rounding)),
        _ => None,
    }
}

/// The word of a conversion; the target type is the type of the temporary it defines.
pub(super) fn conversion_word(op: Conversion) -> String {
    match op {
        Conversion::ZeroExtend(_) => "zext".to_owned(),
        Conversion::SignExtend(_) => "sext".to_owned(),
        Conversion::Truncate(_) => "trunc".to_owned(),
        Conversion::SignedToFloat(_, rounding) => with_rounding("sitof", rounding),
        Conversion::UnsignedToFloat(_, rounding) => with_rounding("uitof", rounding),
        Conversion::FloatToSigned(_, rounding) => with_rounding("ftosi", rounding),
        Conversion::FloatToUnsigned(_, rounding) => with_rounding("ftoui", rounding),
        Conversion::FloatToFloat(_, rounding) => with_rounding("ftof", rounding),
        Conversion::BitsToFloat(_) => "bitstof".to_owned(),
        Conversion::FloatToBits => "ftobits".to_owned(),
    }
}

/// The conversion named by a word that defines a temporary of type `to`.
pub(super) fn conversion(text: &str, to: Type) -> Option<Conversion> {
    let (base, rounding) = rounded(text)?;
    match (base, to) {
        ("zext", Type::Int(width)) => Some(Conversion::ZeroExtend(width)),
        ("sext", Type::Int(width)) => Some(Conversion::SignExtend(width)),
        ("trunc", Type::Int(width)) => Some(Conversion::Truncate(width)),
        ("sitof", Type::Float(format)) => Some(Conversion::SignedToFloat(format, rounding)),
        ("uitof", Type::Float(format)) => Some(Conversion::UnsignedToFloat(format, rounding)),
        ("ftosi", Type::Int(width)) => Some(Conversion::FloatToSigned(width, rounding)),
        ("ftoui", Type::Int(width)) => Some(Conversion::FloatToUnsigned(width, rounding)),
        ("ftof", Type::Float(format)) => Some(Conversion::FloatToFloat(format, rounding)),
        ("bitstof", Type::Float(format)) => Some(Conversion::BitsToFloat(format)),
        ("ftobits", Type::Int(_)) => Some(Conversion::FloatToBits),
        _ => None,
    }
}

const FORMATS: Table<Format> = &[
    (Format::HALF, "f16"),
    (Format::SINGLE, "f32"),
    (Format::DOUBLE, "f64"),
    (Format::EXTENDED, "f80"),
    (Format::QUAD, "f128"),
];

pub(super) fn type_word(ty: Type) -> String {
    match ty {
        Type::Pointer => "ptr".to_owned(),
        Type::Int(width) => format!("i{width}"),
        Type::Float(format) => FORMATS
            .iter()
            .find(|(entry, _)| *entry == format)
            .map_or_else(|| format!("f{}.{}", format.exponent, format.significand), |(_, word)| (*word).to_owned()),
    }
}

pub(super) fn ty(text: &str) -> Option<Type> {
    if text == "ptr" {
        return Some(Type::Pointer);
    }
    if let Some(format) = value(FORMATS, text) {
        return Some(Type::Float(format));
    }
    if let Some((exponent, significand)) = text.strip_prefix('f').and_then(|rest| rest.split_once('.')) {
        return Some(Type::Float(Format { exponent: exponent.parse().ok()?, significand: significand.parse().ok()? }));
    }
    text.strip_prefix('i')?.parse().ok().filter(|width| (1..=128).contains(width)).map(Type::Int)
}
