//! Values as states keep them: in a third of the room.
//!
//! Most values are numbers of at most 64 bits, terms, and pointers whose offset is one of these. What a state copies when
//! it changes are stretches of such values, so their size is what an open branch costs.

use std::rc::Rc;

use clew_scalar::{Type, Value};
use clew_solver::term::TermId;

use crate::memory::ObjectId;
use crate::value::{Base, Pointer, Scalar, Val};

/// A value. Each has one form only.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Packed {
    Number(Type, u64),
    Term(TermId),
    Null(u8, u64),
    Object(u8, ObjectId, u64),
    Element(ObjectId, TermId),
    Input(u8, u32, u64),
    Other(Rc<Val>),
}

const _: () = assert!(size_of::<Packed>() == 16, "a value takes sixteen bytes");

impl Packed {
    /// The value.
    pub(crate) fn val(&self) -> Val {
        let at = |base, width, offset: u64| Val::Pointer(Pointer { base, offset: Scalar::int(width, offset.into()) });
        match *self {
            Packed::Number(ty, bits) => Val::Scalar(Scalar::Known(Value { ty, bits: bits.into() })),
            Packed::Term(term) => Val::Scalar(Scalar::Term(term)),
            Packed::Null(width, offset) => at(Base::Absolute, width, offset),
            Packed::Object(width, object, offset) => at(Base::Object(object), width, offset),
            Packed::Element(object, offset) => {
                Val::Pointer(Pointer { base: Base::Object(object), offset: Scalar::Term(offset) })
            }
            Packed::Input(width, number, offset) => at(Base::Input(number), width, offset),
            Packed::Other(ref val) => **val,
        }
    }
}

impl From<Val> for Packed {
    fn from(val: Val) -> Packed {
        let packed = match val {
            Val::Scalar(Scalar::Term(term)) => Some(Packed::Term(term)),
            Val::Scalar(Scalar::Known(Value { ty, bits })) => bits.try_into().ok().map(|bits| Packed::Number(ty, bits)),
            Val::Pointer(Pointer { base: Base::Object(object), offset: Scalar::Term(offset) }) => {
                Some(Packed::Element(object, offset))
            }
            Val::Pointer(Pointer { base, offset: Scalar::Known(Value { ty: Type::Int(width), bits }) }) => {
                bits.try_into().ok().and_then(|offset| pointer(base, width, offset))
            }
            Val::Pointer(_) => None,
        };
        packed.unwrap_or_else(|| Packed::Other(Rc::new(val)))
    }
}

fn pointer(base: Base, width: u8, offset: u64) -> Option<Packed> {
    match base {
        Base::Absolute => Some(Packed::Null(width, offset)),
        Base::Object(object) => Some(Packed::Object(width, object, offset)),
        Base::Input(number) => Some(Packed::Input(width, number, offset)),
        Base::Function(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use clew_ir::FunctionId;
    use clew_scalar::{Type, Value};
    use clew_solver::term::Terms;

    use super::Packed;
    use crate::memory::ObjectId;
    use crate::value::{Base, Pointer, Scalar, Val};

    #[test]
    fn every_value_comes_back() {
        let term = Scalar::Term(Terms::new().int_var("x", 64));
        let wide = Scalar::int(128, u128::MAX - 7);
        let float = Scalar::Known(Value { ty: Type::Float(clew_scalar::Format::DOUBLE), bits: 1 << 63 });
        let scalars = [Scalar::bool(true), Scalar::int(64, u128::from(u64::MAX)), wide, float, term];
        let bases = [Base::Absolute, Base::Object(ObjectId(3)), Base::Input(4), Base::Function(FunctionId::new(5))];
        let pointers = bases.into_iter().flat_map(|base| {
            [Scalar::int(64, 24), Scalar::int(32, 7), term].map(|offset| Val::Pointer(Pointer { base, offset }))
        });
        for val in scalars.map(Val::Scalar).into_iter().chain(pointers) {
            assert_eq!(Packed::from(val).val(), val);
        }
    }
}
