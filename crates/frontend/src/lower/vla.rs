//! Sizes that depend on values: variable-length arrays and what is built from them.
//!
//! The number of elements is evaluated where the declaration is reached and kept in a hidden local; later mentions of
//! the same size expression read that local.

use super::body::Body;
use super::global::Variable;
use super::scope::Ending;
use clew_ir::{CheckKind, InstKind, Operand, Type};
use clew_scalar::BinaryOp;
use rucc_sema::DeclId;
use rucc_types::{ArrayLen, Extent, RecordId, TypeId, TypeKind, VlaId};

impl Body<'_, '_> {
    /// The size of a type in bytes, as a word.
    pub(crate) fn size_of(&mut self, ty: TypeId) -> Operand {
        if !self.unit.is_variable(ty) {
            let size = self.unit.size(ty);
            return self.word(i128::from(size));
        }
        match self.unit.kind(ty) {
            TypeKind::Array { elem, len } => {
                let count = match len {
                    ArrayLen::Variable(vla) => self.count(vla),
                    ArrayLen::Fixed(len) => self.word(i128::from(len)),
                    ArrayLen::Unknown | ArrayLen::Star => self.word(0),
                };
                let element = self.size_of(elem);
                self.binary(BinaryOp::Mul, count, element, None)
            }
            TypeKind::Record(record) => match &self.checked.types.record_info(record).variable {
                Some(layout) => self.extent(record, &layout.size),
                None => self.word(0),
            },
            _ => self.word(0),
        }
    }

    /// The number of elements of a variable-length array, as a word.
    fn count(&mut self, vla: VlaId) -> Operand {
        let expr = self.checked.tast.vla_size(vla);
        let value = self.value(expr);
        let signed = self.unit.is_signed(self.type_at(expr));
        self.resize(value, self.pointer_width(), signed)
    }

    /// The value of a recipe for an offset or size inside a record.
    pub(crate) fn extent(&mut self, record: RecordId, extent: &Extent) -> Operand {
        match extent {
            Extent::Bytes(bytes) => self.word(i128::from(*bytes)),
            Extent::Member(index) => {
                let ty = self.checked.types.record_info(record).fields[*index as usize].ty;
                self.size_of(ty)
            }
            Extent::Sum(parts) => {
                let mut sum = self.word(0);
                for part in parts {
                    let part = self.extent(record, part);
                    sum = self.binary(BinaryOp::Add, sum, part, None);
                }
                sum
            }
            Extent::RoundUp(inner, to) => {
                let inner = self.extent(record, inner);
                let add = self.word(i128::from(*to) - 1);
                let mask = self.word(-i128::from(*to));
                let sum = self.binary(BinaryOp::Add, inner, add, None);
                self.binary(BinaryOp::And, sum, mask, None)
            }
            Extent::Max(_) => {
                self.unsupported("a union of variable size");
                self.word(0)
            }
        }
    }

    /// Evaluates the sizes a `typedef` of a variable-length type fixes.
    pub(crate) fn named_sizes(&mut self, ty: TypeId) {
        self.sizes(ty, true);
    }

    /// Evaluates the sizes in the type of a declaration that is reached.
    pub(crate) fn declared_sizes(&mut self, ty: TypeId) {
        self.sizes(ty, false);
    }

    /// Evaluates the sizes in the type of a parameter, as it was written.
    pub(crate) fn parameter_sizes(&mut self, decl: DeclId) {
        let tast = &self.checked.tast;
        self.sizes(tast.adjusted_from(decl).unwrap_or(tast[decl].ty), false);
    }

    fn sizes(&mut self, ty: TypeId, named: bool) {
        match self.unit.kind(ty) {
            TypeKind::Pointer(to) => self.sizes(to, named),
            TypeKind::Array { elem, len } => {
                if let ArrayLen::Variable(vla) = len {
                    self.evaluate_size(vla, named);
                }
                self.sizes(elem, named);
            }
            TypeKind::Record(record) if self.unit.is_variable(ty) => {
                for field in &self.checked.types.record_info(record).fields {
                    self.sizes(field.ty, named);
                }
            }
            _ => {}
        }
    }

    fn evaluate_size(&mut self, vla: VlaId, named: bool) {
        if named {
            self.named_sizes.insert(vla);
        } else if self.named_sizes.contains(&vla) {
            return;
        }
        let expr = self.checked.tast.vla_size(vla);
        let known = self.known.remove(&expr);
        let value = self.value(expr);
        let local = known.unwrap_or_else(|| self.hidden(self.type_at(expr)));
        self.store_hidden(local, value);
        self.known.insert(expr, local);
    }

    /// Makes the object of a variable-length array.
    pub(crate) fn declare_variable_length(&mut self, decl: DeclId) {
        let ty = self.checked.tast[decl].ty;
        let size = self.size_of(ty);
        let align = self.unit.align(ty);
        let check = Some(self.builder.check(CheckKind::ArraySize));
        let pointer = self.builder.define(Type::Pointer, |dest| InstKind::Allocate { dest, size, align, check });
        let local = match self.variables.get(&decl) {
            Some(Variable::Behind(local)) => *local,
            _ => self.pointer_local(),
        };
        self.store_hidden(local, pointer);
        self.variables.insert(decl, Variable::Behind(local));
        self.at_end(Ending::Release(local));
    }

    /// A hidden local that holds an address.
    fn pointer_local(&mut self) -> clew_ir::LocalId {
        let void = self.unit.ctype(self.checked.types.void());
        let ty = self.unit.linker.intern(&mut self.unit.program.ctypes, clew_ir::CType::Pointer(void));
        let bytes = self.unit.program.target.pointer_bytes();
        self.builder.function.locals.push(clew_ir::Local {
            name: String::new(),
            ty,
            size: bytes,
            align: bytes,
            kind: clew_ir::LocalKind::Hidden,
            span: self.builder.span,
        })
    }
}
