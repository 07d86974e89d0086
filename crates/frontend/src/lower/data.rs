//! Initial bytes of variables with static storage.

use super::unit::UnitLowering;
use clew_ir::{GlobalKind, Relocation, Symbol};
use rucc_base::float::Float;
use rucc_sema::{Address, Base, Const, Conversion, DeclId, DeclKind, Eval, ExprId, ExprKind, InitEntry, InitList};
use rucc_types::TypeId;

/// Bytes with addresses over them.
#[derive(Debug, Default)]
pub(crate) struct Data {
    pub(crate) bytes: Vec<u8>,
    pub(crate) relocations: Vec<Relocation>,
    /// One past the last address written: what comes later in the object cannot overwrite one.
    addresses_end: u64,
}

impl Data {
    /// Writes the low `size` bytes of `value`, little end first.
    fn write(&mut self, offset: u64, value: u128, size: u64) {
        let end = (offset + size) as usize;
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        for index in 0..size {
            self.bytes[(offset + index) as usize] = if index < 16 { (value >> (8 * index)) as u8 } else { 0 };
        }
        if offset < self.addresses_end {
            self.relocations.retain(|relocation| relocation.offset < offset || relocation.offset >= offset + size);
        }
    }

    fn write_relocation(&mut self, relocation: Relocation, size: u64) {
        self.addresses_end = self.addresses_end.max(relocation.offset + size);
        self.relocations.push(relocation);
    }

    fn write_bits(&mut self, offset: u64, bit: u32, width: u32, value: u128) {
        for index in 0..width {
            let at = u64::from(bit + index);
            let byte = (offset + at / 8) as usize;
            if self.bytes.len() <= byte {
                self.bytes.resize(byte + 1, 0);
            }
            let mask = 1u8 << (at % 8);
            if value >> index & 1 == 1 {
                self.bytes[byte] |= mask;
            } else {
                self.bytes[byte] &= !mask;
            }
        }
    }

    fn write_bytes(&mut self, offset: u64, bytes: &[u8]) {
        for (index, &byte) in bytes.iter().enumerate() {
            self.write(offset + index as u64, u128::from(byte), 1);
        }
    }

    fn trim(&mut self) {
        let used = self.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |at| at + 1);
        self.bytes.truncate(used);
    }
}

impl UnitLowering<'_> {
    /// The initial contents of a variable; the rest of it is zero.
    pub(crate) fn initial_data(&mut self, decl: DeclId, size: u64) -> Data {
        let mut data = Data::default();
        if let Some(init) = self.checked.tast[decl].init {
            self.write_init(&mut data, init, 0, size);
        }
        data.trim();
        data.relocations.sort_by_key(|relocation| relocation.offset);
        data
    }

    fn write_init(&mut self, data: &mut Data, init: InitList, base: u64, size: u64) {
        let checked = self.checked;
        for entry in &checked.tast[init] {
            self.write_entry(data, entry, base, size);
        }
    }

    fn write_entry(&mut self, data: &mut Data, entry: &InitEntry, base: u64, size: u64) {
        let checked = self.checked;
        let offset = base + entry.offset;
        let ty = checked.tast[entry.value].ty;
        match checked.tast[strip_reads(checked, entry.value)].kind {
            ExprKind::Str(string) if self.is_aggregate(ty) => {
                let bytes = checked.tast[string].bytes(&checked.target);
                let room = self.size(ty).min((base + size).saturating_sub(offset)) as usize;
                data.write_bytes(offset, &bytes[..bytes.len().min(room)]);
                return;
            }
            ExprKind::CompoundLiteral(decl) if self.is_aggregate(ty) => {
                if let Some(init) = checked.tast[decl].init {
                    self.write_init(data, init, offset, self.size(ty));
                }
                return;
            }
            _ => {}
        }
        let mut eval = Eval::new(&checked.tast, &checked.types, &checked.target, &checked.names).objects(true);
        match eval.initializer(entry.value) {
            Ok(value) if entry.is_bit_field() => {
                if let Const::Int(value) = value {
                    data.write_bits(offset, entry.bit_offset, entry.bit_width, value as u128);
                }
            }
            Ok(value) => self.write_const(data, offset, value, ty),
            Err(_) => {
                let span = self.span(checked.tast.expr_span(entry.value));
                self.unsupported("this initialiser of a static variable", span);
            }
        }
    }

    fn write_const(&mut self, data: &mut Data, offset: u64, value: Const, ty: TypeId) {
        let size = self.size(ty);
        match value {
            Const::Int(value) => self.write_number(data, offset, value as u128, ty),
            Const::Float(value) => data.write(offset, value.to_bits(), size),
            Const::Complex { real, imag } => {
                data.write(offset, real.to_bits(), size / 2);
                data.write(offset + size / 2, imag.to_bits(), size / 2);
            }
            Const::ComplexInt { real, imag } => {
                data.write(offset, real as u128, size / 2);
                data.write(offset + size / 2, imag as u128, size / 2);
            }
            Const::Address(address) => self.write_address(data, offset, address, ty),
            Const::Apart { to, from } => {
                let distance = self.label_number(to).wrapping_sub(self.label_number(from));
                data.write(offset, distance as i64 as i128 as u128, size);
            }
        }
    }

    /// Writes a number, which may be a fixed address.
    fn write_number(&mut self, data: &mut Data, offset: u64, value: u128, ty: TypeId) {
        let size = self.size(ty);
        match self.register(value as u64, ty) {
            Some((global, addend)) => {
                data.write(offset, 0, size);
                data.write_relocation(Relocation { offset, symbol: Symbol::Global(global), addend }, size);
            }
            None => data.write(offset, value, size),
        }
    }

    fn write_address(&mut self, data: &mut Data, offset: u64, address: Address, ty: TypeId) {
        let size = self.size(ty);
        data.write(offset, 0, size);
        match address.base {
            Base::Absolute => self.write_number(data, offset, address.offset as u128, ty),
            Base::Label(label) => {
                let number = self.label_number(label);
                data.write(offset, u128::from(number), size);
            }
            Base::Decl(decl) => {
                let symbol = self.symbol(decl);
                data.write_relocation(Relocation { offset, symbol, addend: address.offset as i64 }, size);
            }
            Base::Str(string) => {
                let ty = self.string_type(string);
                let symbol = Symbol::Global(self.literal(string, ty));
                data.write_relocation(Relocation { offset, symbol, addend: address.offset as i64 }, size);
            }
        }
    }

    /// The function or variable with static storage a declaration denotes.
    pub(crate) fn symbol(&mut self, decl: DeclId) -> Symbol {
        match self.checked.tast[decl].kind {
            DeclKind::Function => Symbol::Function(self.function(decl)),
            _ => Symbol::Global(self.global_of(decl, GlobalKind::Variable)),
        }
    }

    /// The element type of a string, as far as its alignment matters.
    fn string_type(&self, string: rucc_sema::StrId) -> TypeId {
        let types = &self.checked.types;
        match self.checked.tast[string].encoding.element_width(&self.checked.target) {
            8 => types.int(rucc_types::IntKind::Char),
            16 => types.int(rucc_types::IntKind::UShort),
            _ => types.int(rucc_types::IntKind::Int),
        }
    }
}

/// The encoding of a float constant as `scalar` stores it: the leading bit of x87 extended is hidden.
pub(crate) fn float_bits(value: Float) -> u128 {
    let bits = value.to_bits();
    if value.format().has_explicit_integer_bit() {
        let low = bits & ((1 << 63) - 1);
        (bits >> 64) << 63 | low
    } else {
        bits
    }
}

/// The expression whose object is read, without conversions that only read it.
pub(crate) fn strip_reads(checked: &crate::unit::Checked, mut expr: ExprId) -> ExprId {
    while let ExprKind::Convert { kind: Conversion::Lvalue, operand } = checked.tast[expr].kind {
        expr = operand;
    }
    expr
}
