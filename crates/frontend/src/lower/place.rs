//! Expressions: places.
//!
//! A [`LValue`] is where an object lies and how it may be reached: an address, the C type of what is there, the bits of
//! a bit-field, and how much must be checked when it is read or written.

use super::bits::Bits;
use super::body::Body;
use super::data::strip_reads;
use super::global::Variable;
use super::scope::Ending;
use clew_ir::{CheckKind, GlobalKind, InstKind, LocalKind, Operand, Symbol, Type};
use clew_scalar::BinaryOp;
use rucc_ast::UnaryOp;
use rucc_sema::{Conversion, DeclId, DeclKind, ExprId, ExprKind, Linkage, StorageDuration};
use rucc_types::{ArrayLen, IntKind, TypeId, TypeKind};

/// What can go wrong when a place is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Nothing.
    Safe,
    /// Its bytes may not have been written yet.
    Unwritten,
    /// Everything: it is reached by a pointer.
    Pointer,
}

/// Where an object lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LValue {
    pub(crate) address: Operand,
    pub(crate) ty: TypeId,
    pub(crate) bits: Option<Bits>,
    pub(crate) reach: Reach,
    pub(crate) volatile: bool,
}

impl Body<'_, '_> {
    /// A place of a type behind an address.
    pub(crate) fn place_at(&self, address: Operand, ty: TypeId, reach: Reach) -> LValue {
        LValue { address, ty, bits: None, reach, volatile: self.unit.is_volatile(ty) }
    }

    /// The place an expression denotes; for an aggregate value, the object that holds it.
    pub(crate) fn place(&mut self, expr: ExprId) -> LValue {
        self.at(expr, |body| body.place_here(expr))
    }

    fn place_here(&mut self, expr: ExprId) -> LValue {
        let node = self.checked.tast[expr];
        match node.kind {
            ExprKind::Decl(decl) => self.variable(decl, node.ty),
            ExprKind::Str(string) => {
                let address = Operand::Global(self.unit.literal(string, node.ty), 0);
                self.place_at(address, node.ty, Reach::Safe)
            }
            ExprKind::Member { base, field } => self.member(base, field),
            ExprKind::Subscript { base, index } => self.subscript(base, index, node.ty, false),
            ExprKind::Unary { op: UnaryOp::Deref, operand } => {
                let address = self.value(operand);
                self.place_at(address, node.ty, Reach::Pointer)
            }
            ExprKind::Unary { op: op @ (UnaryOp::Real | UnaryOp::Imag), operand } => self.half(op, operand, node.ty),
            ExprKind::CompoundLiteral(decl) => self.compound_literal(decl, node.ty),
            ExprKind::Convert { kind: Conversion::Lvalue, operand } => self.place(operand),
            _ => {
                let address = self.value(expr);
                self.place_at(address, node.ty, Reach::Safe)
            }
        }
    }

    fn variable(&mut self, decl: DeclId, ty: TypeId) -> LValue {
        let address = self.variable_address(decl);
        let reach = match address {
            Operand::Local(local)
                if self.builder.function.locals[local].kind == LocalKind::Variable
                    && !self.initialised.contains(&local) =>
            {
                Reach::Unwritten
            }
            _ => Reach::Safe,
        };
        self.place_at(address, ty, reach)
    }

    /// The address of a declared object or function.
    pub(crate) fn variable_address(&mut self, decl: DeclId) -> Operand {
        match self.variables.get(&decl) {
            Some(Variable::Local(local)) => return Operand::Local(*local),
            Some(Variable::Global(global)) => return Operand::Global(*global, 0),
            Some(Variable::Behind(local)) => return self.load_hidden(*local, Type::Pointer),
            None => {}
        }
        let node = &self.checked.tast[decl];
        if node.kind == DeclKind::Object && node.linkage == Linkage::None {
            if node.duration == StorageDuration::Automatic {
                // Declared further down, or in a block that control jumped into: the object exists all the same.
                let local = self.local(decl, LocalKind::Variable);
                return Operand::Local(local);
            }
            let global = self.unit.global_of(decl, GlobalKind::StaticLocal(self.function));
            return Operand::Global(global, 0);
        }
        self.symbol(decl)
    }

    /// The address of what has static storage. A function inside of another may name the variables of the other: it is
    /// not supported.
    pub(crate) fn symbol(&mut self, decl: DeclId) -> Operand {
        let node = &self.checked.tast[decl];
        if node.kind == DeclKind::Function && node.linkage == Linkage::None && node.body.is_some() {
            self.unsupported("a function inside of another");
        }
        match self.unit.symbol(decl) {
            Symbol::Global(global) => Operand::Global(global, 0),
            Symbol::Function(function) => Operand::Function(function),
        }
    }

    fn member(&mut self, base: ExprId, index: u32) -> LValue {
        let outer = self.place(base);
        let TypeKind::Record(record) = self.unit.kind(self.type_at(base)) else {
            let address = self.lost("a member of this type", self.type_at(base));
            return self.place_at(address, self.type_at(base), Reach::Safe);
        };
        let checked = self.checked;
        let info = checked.types.record_info(record);
        let field = info.fields[index as usize];
        if info.reverse {
            self.unsupported("a record in reverse byte order");
        }
        let variable = info.variable.as_ref().and_then(|layout| layout.offsets[index as usize].as_ref());
        let address = match variable {
            Some(extent) => {
                let bytes = self.extent(record, extent);
                self.offset(outer.address, bytes, None)
            }
            None => self.offset_const(outer.address, field.offset as i64),
        };
        let bits = field.bits.map(|width| Bits { offset: field.bit, width, signed: self.unit.is_signed(field.ty) });
        let volatile = outer.volatile || self.unit.is_volatile(field.ty);
        LValue { address, ty: field.ty, bits, reach: outer.reach, volatile }
    }

    /// The address of an object; that of an element may be one past the end of its array.
    pub(crate) fn address_of(&mut self, operand: ExprId) -> Operand {
        match self.checked.tast[operand].kind {
            ExprKind::Subscript { base, index } => {
                let ty = self.type_at(operand);
                self.at(operand, |body| body.subscript(base, index, ty, true)).address
            }
            _ => self.place(operand).address,
        }
    }

    fn subscript(&mut self, base: ExprId, index: ExprId, ty: TypeId, may_be_end: bool) -> LValue {
        if self.unit.is_vector(self.type_at(base)) {
            return self.lane_place(base, index, ty);
        }
        let known = if self.is_array(base) { Vec::new() } else { self.evaluate_first(base, index) };
        let pointer = self.value(base);
        let subscript = self.value(index);
        self.forget(known);
        let reach = self.subscript_reach(base, subscript);
        self.index_check(base, index, subscript, may_be_end);
        let check = (reach == Reach::Pointer).then_some(CheckKind::PointerArithmetic);
        let address = self.element(pointer, subscript, self.type_at(index), ty, check);
        self.place_at(address, ty, reach)
    }

    /// Whether the base of a subscript is an array, not a pointer.
    fn is_array(&self, base: ExprId) -> bool {
        matches!(self.checked.tast[base].kind, ExprKind::Convert { kind: Conversion::ArrayDecay, .. })
    }

    /// `array[constant]` of a variable needs no check beyond the variable's own.
    fn subscript_reach(&self, base: ExprId, index: Operand) -> Reach {
        let tast = &self.checked.tast;
        let ExprKind::Convert { kind: Conversion::ArrayDecay, operand } = tast[base].kind else {
            return Reach::Pointer;
        };
        let (ExprKind::Decl(decl), Operand::Const(value)) = (tast[operand].kind, index) else {
            return Reach::Pointer;
        };
        match self.unit.kind(tast[operand].ty) {
            TypeKind::Array { len: ArrayLen::Fixed(len), .. } if value.bits < u128::from(len) => {
                let is_local = tast[decl].duration == StorageDuration::Automatic;
                if is_local { Reach::Unwritten } else { Reach::Safe }
            }
            _ => Reach::Pointer,
        }
    }

    /// Demands that a subscript stays inside an array that is itself part of a larger object, where going beyond its
    /// end would still hit the object. A last member of at most one element may be used as if it were longer, as was the
    /// custom before there were flexible array members.
    fn index_check(&mut self, base: ExprId, index: ExprId, subscript: Operand, may_be_end: bool) {
        let tast = &self.checked.tast;
        let ExprKind::Convert { kind: Conversion::ArrayDecay, operand } = tast[base].kind else { return };
        let TypeKind::Array { len: ArrayLen::Fixed(len), .. } = self.unit.kind(tast[operand].ty) else { return };
        let is_part = match tast[operand].kind {
            ExprKind::Member { base, field } => match self.unit.kind(tast[base].ty) {
                TypeKind::Record(record) => {
                    let info = self.checked.types.record_info(record);
                    let is_last = (field as usize) + 1 == info.fields.len();
                    info.kind == rucc_types::RecordKind::Struct && (!is_last || len > 1)
                }
                _ => false,
            },
            ExprKind::Subscript { .. } => true,
            _ => false,
        };
        let end = u128::from(len) + u128::from(may_be_end);
        let in_range = matches!(subscript, Operand::Const(value) if value.bits < end);
        if !is_part || in_range || len == 0 {
            return;
        }
        let width = self.pointer_width();
        let wide = self.resize(subscript, width, self.unit.is_signed(self.type_at(index)));
        let holds = self.binary(BinaryOp::Ult, wide, Operand::int(width, end), None);
        self.demand(holds, CheckKind::Index);
    }

    /// The address of element `index` (of C type `index_ty`) of an array of `ty` at `pointer`.
    pub(crate) fn element(
        &mut self,
        pointer: Operand,
        index: Operand,
        index_ty: TypeId,
        ty: TypeId,
        check: Option<CheckKind>,
    ) -> Operand {
        let width = self.pointer_width();
        let index = self.resize(index, width, self.unit.is_signed(index_ty));
        let size = self.size_of(ty);
        let bytes = if size == Operand::int(width, 1) { index } else { self.binary(BinaryOp::Mul, index, size, None) };
        if let (Operand::Const(value), None) = (bytes, check) {
            return self.offset_const(pointer, clew_scalar::int::signed(width, value.bits) as i64);
        }
        if matches!(bytes, Operand::Const(value) if value.bits == 0) {
            return pointer;
        }
        self.offset(pointer, bytes, check)
    }

    /// Reads a place: the value of a scalar, the address of an aggregate or function.
    pub(crate) fn read(&mut self, place: &LValue) -> Operand {
        let Some(ty) = self.unit.scalar(place.ty) else { return place.address };
        if let Some(bits) = place.bits {
            return self.read_bits(place, bits);
        }
        let raw = place.reach == Reach::Pointer && self.is_character(place.ty);
        let check = (place.reach != Reach::Safe).then(|| self.builder.check(CheckKind::Access));
        let (from, volatile) = (place.address, place.volatile);
        let value = self.builder.define(ty, |dest| InstKind::Load { dest, from, volatile, raw, check });
        if let (true, Type::Int(width)) = (self.unit.is_bool(place.ty), ty) {
            let is_value = self.binary(BinaryOp::Ult, value, Operand::int(width, 2), None);
            self.demand(is_value, CheckKind::Representation);
        }
        value
    }

    /// Writes a scalar value of the place's type; gives what reading it would give.
    pub(crate) fn write(&mut self, place: &LValue, value: Operand) -> Operand {
        if let Some(bits) = place.bits {
            return self.write_bits(place, bits, value);
        }
        let check = (place.reach == Reach::Pointer).then(|| self.builder.check(CheckKind::Access));
        self.emit(InstKind::Store { to: place.address, value, volatile: place.volatile, check });
        value
    }

    fn is_character(&self, ty: TypeId) -> bool {
        matches!(self.unit.kind(ty), TypeKind::Int(IntKind::Char | IntKind::SChar | IntKind::UChar))
    }

    /// The object of a `(T){ ... }`, made anew.
    fn compound_literal(&mut self, decl: DeclId, ty: TypeId) -> LValue {
        if self.checked.tast[decl].duration != StorageDuration::Automatic {
            let address = self.variable_address(decl);
            return self.place_at(address, ty, Reach::Safe);
        }
        let local = match self.variables.get(&decl) {
            Some(Variable::Local(local)) => *local,
            _ => {
                let local = self.local(decl, LocalKind::Hidden);
                self.at_end(Ending::End(local));
                self.initialised.insert(local);
                local
            }
        };
        self.emit(InstKind::Begin { local });
        self.initialise(decl, Operand::Local(local));
        self.place_at(Operand::Local(local), ty, Reach::Safe)
    }

    /// Whether an expression is a plain variable, read or not.
    pub(crate) fn is_variable_read(&self, expr: ExprId) -> bool {
        matches!(self.checked.tast[strip_reads(self.checked, expr)].kind, ExprKind::Decl(_))
    }
}
