//! Types and values of machine scalars.

/// A binary floating-point format: IEEE 754 interchange formats, x87 extended, and tiny ones for exhaustive tests.
///
/// The encoding is always sign, `exponent` bits, `significand - 1` stored bits (the leading bit is hidden, also for
/// x87 extended, whose explicit leading bit exists only in memory).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Format {
    /// Number of exponent bits, at least 2.
    pub exponent: u8,
    /// Number of significand bits including the hidden one, at least 2.
    pub significand: u8,
}

impl Format {
    /// IEEE binary16.
    pub const HALF: Format = Format { exponent: 5, significand: 11 };
    /// IEEE binary32, C `float`.
    pub const SINGLE: Format = Format { exponent: 8, significand: 24 };
    /// IEEE binary64, C `double`.
    pub const DOUBLE: Format = Format { exponent: 11, significand: 53 };
    /// x87 extended, `long double` of x86.
    pub const EXTENDED: Format = Format { exponent: 15, significand: 64 };
    /// IEEE binary128.
    pub const QUAD: Format = Format { exponent: 15, significand: 113 };

    /// Width of the encoding in bits.
    pub const fn width(self) -> u8 {
        self.exponent + self.significand
    }
}

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
}

/// A machine scalar: a type and its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value {
    /// The type that says how to read the bits.
    pub ty: Type,
    /// The bits; those above the width are zero.
    pub bits: u128,
}
