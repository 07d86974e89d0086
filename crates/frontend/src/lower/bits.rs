//! Bit-fields.
//!
//! A bit-field is read by loading the bytes that hold it and shifting; it is written by merging into those bytes. The
//! first byte holds the lowest bits, as on every target supported.

use super::body::Body;
use super::place::{LValue, Reach};
use clew_ir::{CheckKind, InstKind, Operand, Type};
use clew_scalar::BinaryOp;

/// Where a bit-field lies from its first byte on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    /// Lowest bit, 0..8.
    pub(crate) offset: u32,
    /// Number of bits.
    pub(crate) width: u32,
    pub(crate) signed: bool,
}

impl Bits {
    /// Width of the bytes that hold it.
    fn storage(self) -> u8 {
        (self.offset + self.width).next_multiple_of(8) as u8
    }
}

impl Body<'_, '_> {
    pub(crate) fn read_bits(&mut self, place: &LValue, bits: Bits) -> Operand {
        let storage = self.load_storage(place, bits);
        self.extract(storage, place, bits)
    }

    fn load_storage(&mut self, place: &LValue, bits: Bits) -> Operand {
        let check = (place.reach == Reach::Pointer).then(|| self.builder.check(CheckKind::Access));
        let (from, volatile) = (place.address, place.volatile);
        let ty = Type::Int(bits.storage());
        self.builder.define(ty, |dest| InstKind::Load { dest, from, volatile, raw: true, check })
    }

    /// The value of the bit-field in its storage, in the width of its type.
    fn extract(&mut self, storage: Operand, place: &LValue, bits: Bits) -> Operand {
        let amount = Operand::int(bits.storage(), u128::from(bits.offset));
        let low = if bits.offset == 0 { storage } else { self.binary(BinaryOp::LShr, storage, amount, None) };
        let field = self.resize(low, bits.width as u8, false);
        match self.unit.scalar(place.ty) {
            Some(Type::Int(width)) => self.resize(field, width, bits.signed),
            _ => field,
        }
    }

    /// Writes the low bits of `value`; gives the value the bit-field then has.
    pub(crate) fn write_bits(&mut self, place: &LValue, bits: Bits, value: Operand) -> Operand {
        let storage = bits.storage();
        let field = self.resize(value, bits.width as u8, false);
        let merged = if u32::from(storage) == bits.width {
            field
        } else {
            let old = self.load_storage(place, bits);
            self.merge(old, field, bits)
        };
        let check = (place.reach == Reach::Pointer).then(|| self.builder.check(CheckKind::Access));
        self.emit(InstKind::Store { to: place.address, value: merged, volatile: place.volatile, check });
        match self.unit.scalar(place.ty) {
            Some(Type::Int(width)) => self.resize(field, width, bits.signed),
            _ => field,
        }
    }

    /// The storage with the bit-field replaced.
    fn merge(&mut self, old: Operand, field: Operand, bits: Bits) -> Operand {
        let storage = bits.storage();
        let ones = u128::MAX >> (128 - bits.width) << bits.offset;
        let kept = self.binary(BinaryOp::And, old, Operand::int(storage, !ones), None);
        let wide = self.resize(field, storage, false);
        let amount = Operand::int(storage, u128::from(bits.offset));
        let placed = if bits.offset == 0 { wide } else { self.binary(BinaryOp::Shl, wide, amount, None) };
        self.binary(BinaryOp::Or, kept, placed, None)
    }
}
