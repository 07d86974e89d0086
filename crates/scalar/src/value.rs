//! Types and values of machine scalars: making them, reading them, printing them.

use std::fmt;

use crate::format::Format;
use crate::{float, int};

/// The type of a machine scalar. Signedness belongs to operators, not to types. A boolean is `Int(1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// An integer of 1 to 128 bits.
    Int(u8),
    /// A floating-point number.
    Float(Format),
}

impl Type {
    /// The type of conditions and comparisons.
    pub const BOOL: Type = Type::Int(1);

    /// Width in bits.
    pub const fn width(self) -> u8 {
        match self {
            Type::Int(width) => width,
            Type::Float(format) => format.width(),
        }
    }

    /// All bits of the type.
    pub const fn mask(self) -> u128 {
        u128::MAX >> (128 - self.width() as u32)
    }

    /// Is it an integer type?
    pub const fn is_int(self) -> bool {
        matches!(self, Type::Int(_))
    }

    /// Is it a floating-point type?
    pub const fn is_float(self) -> bool {
        matches!(self, Type::Float(_))
    }

    /// The format of a floating-point type.
    pub const fn format(self) -> Option<Format> {
        match self {
            Type::Int(_) => None,
            Type::Float(format) => Some(format),
        }
    }
}

/// `i32`, `f64` and the like.
impl fmt::Display for Type {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int(width) => write!(out, "i{width}"),
            Type::Float(format) => format.fmt(out),
        }
    }
}

/// A machine scalar: a type and its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value {
    /// The type that says how to read the bits.
    pub ty: Type,
    /// The bits; those above the width are zero.
    pub bits: u128,
}

impl Value {
    /// The condition that holds.
    pub const TRUE: Value = Value::bool(true);
    /// The condition that does not hold.
    pub const FALSE: Value = Value::bool(false);

    /// A value of the given type from its bits; bits above the width are dropped.
    #[inline]
    pub const fn new(ty: Type, bits: u128) -> Value {
        Value { ty, bits: bits & ty.mask() }
    }

    /// An integer of `width` bits; bits above the width are dropped, so `-5_i32 as u128` does what it says.
    #[inline]
    pub const fn int(width: u8, bits: u128) -> Value {
        Value::new(Type::Int(width), bits)
    }

    /// A condition: `Int(1)`.
    #[inline]
    pub const fn bool(truth: bool) -> Value {
        Value { ty: Type::BOOL, bits: truth as u128 }
    }

    /// A float from its encoding.
    #[inline]
    pub const fn float(format: Format, bits: u128) -> Value {
        Value::new(Type::Float(format), bits)
    }

    /// A C `float`.
    #[inline]
    pub const fn from_f32(number: f32) -> Value {
        Value { ty: Type::Float(Format::SINGLE), bits: number.to_bits() as u128 }
    }

    /// A C `double`.
    #[inline]
    pub const fn from_f64(number: f64) -> Value {
        Value { ty: Type::Float(Format::DOUBLE), bits: number.to_bits() as u128 }
    }

    /// The value of a binary32.
    ///
    /// # Panics
    /// If the type is another.
    #[inline]
    pub fn as_f32(self) -> f32 {
        assert_eq!(self.ty, Type::Float(Format::SINGLE), "only a binary32 is read as f32");
        f32::from_bits(self.bits as u32)
    }

    /// The value of a binary64.
    ///
    /// # Panics
    /// If the type is another.
    #[inline]
    pub fn as_f64(self) -> f64 {
        assert_eq!(self.ty, Type::Float(Format::DOUBLE), "only a binary64 is read as f64");
        f64::from_bits(self.bits as u64)
    }

    /// The bits as a two's complement number. `Int(1)` true is -1.
    #[inline]
    pub fn signed(self) -> i128 {
        int::signed(self.ty.width(), self.bits)
    }

    /// The bits as an unsigned number.
    #[inline]
    pub const fn unsigned(self) -> u128 {
        self.bits
    }

    /// Is any bit set? The truth of a condition; for integers, C's truth.
    #[inline]
    pub const fn is_true(self) -> bool {
        self.bits != 0
    }

    /// Is it a float that is NaN?
    pub const fn is_nan(self) -> bool {
        matches!(self.ty, Type::Float(format) if format.is_nan(self.bits))
    }

    /// Is it a float that is infinite?
    pub const fn is_infinite(self) -> bool {
        matches!(self.ty, Type::Float(format) if format.is_infinite(self.bits))
    }

    /// Is it zero: the integer, or a float zero of either sign?
    pub const fn is_zero(self) -> bool {
        match self.ty {
            Type::Int(_) => self.bits == 0,
            Type::Float(format) => format.is_zero(self.bits),
        }
    }

    /// Is the highest bit set: a negative signed integer, or a float with its sign set?
    pub const fn is_negative(self) -> bool {
        self.bits >> (self.ty.width() - 1) & 1 == 1
    }

    /// The zero (positive, for floats) of a type.
    #[inline]
    pub const fn zero(ty: Type) -> Value {
        Value { ty, bits: 0 }
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::bool(truth)
    }
}

/// `i32 -5`, `i1 1`, `f64 0x1.8p+1`, `f32 -inf`, `f64 nan(0x8000000000000)`.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ty {
            Type::BOOL => write!(out, "i1 {}", self.bits),
            Type::Int(_) => write!(out, "{} {}", self.ty, self.signed()),
            Type::Float(format) => write!(out, "{} {}", self.ty, float::to_hexadecimal(format, self.bits)),
        }
    }
}
