//! Initialisers of automatic variables.
//!
//! The tree gives a flat list of values and offsets: the object starts as zero and the values are stored in order.

use super::bits::Bits;
use super::body::Body;
use super::data::strip_reads;
use super::place::{LValue, Reach};
use clew_ir::{InstKind, Operand};
use rucc_sema::{DeclId, ExprKind, InitEntry};
use rucc_types::TypeId;

impl Body<'_, '_> {
    /// Stores the initial value of a declared object, if it has one.
    pub(crate) fn initialise(&mut self, decl: DeclId, address: Operand) {
        let checked = self.checked;
        let Some(init) = checked.tast[decl].init else { return };
        let ty = checked.tast[decl].ty;
        let entries = &checked.tast[init];
        let size = self.unit.size(ty).max(checked.tast.extent(decl));
        if self.unit.is_aggregate(ty) && size > 0 && !self.covers(entries, size) {
            self.emit(InstKind::Fill { to: address, byte: 0, size, check: None });
        }
        for entry in entries {
            self.initialise_part(entry, address);
        }
    }

    fn initialise_part(&mut self, entry: &InitEntry, object: Operand) {
        if entry.reverse {
            self.unsupported("a record in reverse byte order");
        }
        let ty = self.type_at(entry.value);
        let source = strip_reads(self.checked, entry.value);
        if let (ExprKind::Str(string), true) = (self.checked.tast[source].kind, self.unit.is_aggregate(ty)) {
            let from = Operand::Global(self.unit.literal(string, ty), 0);
            let to = self.offset_const(object, entry.offset as i64);
            return self.copy(to, from, self.unit.size(ty), false);
        }
        let value = self.value(entry.value);
        let address = self.offset_const(object, entry.offset as i64);
        let bits = entry.is_bit_field().then(|| Bits {
            offset: entry.bit_offset,
            width: entry.bit_width,
            signed: self.unit.is_signed(ty),
        });
        let place = LValue { address, ty, bits, reach: Reach::Safe, volatile: false };
        self.store(&place, value);
    }

    /// Whether the values write every byte.
    fn covers(&self, entries: &[InitEntry], size: u64) -> bool {
        let mut end = 0;
        for entry in entries {
            if entry.is_bit_field() || entry.offset != end {
                return false;
            }
            end += self.written(self.type_at(entry.value));
        }
        end == size
    }

    /// Bytes a store of the type writes: x87 extended does not fill its storage.
    fn written(&self, ty: TypeId) -> u64 {
        match self.unit.scalar(ty) {
            Some(scalar) => scalar.bytes(self.pointer_width()),
            None => self.unit.size(ty),
        }
    }
}
