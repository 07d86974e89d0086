//! Abstract values.

use super::cell::Object;
use super::widen::Thresholds;
use clew_ir::{FunctionId, Type};
use clew_scalar::Value;
use clew_solver::domain::Conflict;
use clew_solver::domain::float::FloatDomain;
use clew_solver::domain::int::IntDomain;
use std::collections::{BTreeMap, BTreeSet};

/// The values something may have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Abs {
    /// An integer.
    Int(IntDomain),
    /// A float.
    Float(FloatDomain),
    /// A pointer.
    Pointer(Targets),
}

/// Where a pointer may lead.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Targets {
    /// Anywhere that unknown pointers lead, null included.
    pub(crate) any: bool,
    /// Null.
    pub(crate) null: bool,
    /// Into these objects, at these offsets.
    pub(crate) objects: BTreeMap<Object, IntDomain>,
    /// To these functions.
    pub(crate) functions: BTreeSet<FunctionId>,
}

impl Targets {
    pub(crate) fn any() -> Targets {
        Targets { any: true, ..Targets::default() }
    }

    pub(crate) fn null() -> Targets {
        Targets { null: true, ..Targets::default() }
    }

    pub(crate) fn object(object: Object, offset: IntDomain) -> Targets {
        Targets { objects: [(object, offset)].into(), ..Targets::default() }
    }

    pub(crate) fn function(function: FunctionId) -> Targets {
        Targets { functions: [function].into(), ..Targets::default() }
    }

    /// Whether it is null, if that is known.
    pub(crate) fn is_null(&self) -> Option<bool> {
        let elsewhere = !self.objects.is_empty() || !self.functions.is_empty();
        match (self.any, self.null, elsewhere) {
            (false, true, false) => Some(true),
            (false, false, _) => Some(false),
            _ => None,
        }
    }

    /// What is left if it is null, or if it is not.
    pub(crate) fn where_null(&self, null: bool) -> Result<Targets, Conflict> {
        match (null, self.is_null()) {
            (_, Some(known)) if known != null => Err(Conflict),
            (true, _) => Ok(Targets::null()),
            (false, _) => Ok(Targets { null: self.any && self.null, ..self.clone() }),
        }
    }

    /// The one place a pointer leads to, if there is only one: never where one name stands for many objects, nor before
    /// the beginning of an object.
    pub(crate) fn place(&self) -> Option<(Object, u64)> {
        let (&object, offset) = self.objects.first_key_value()?;
        let is_one = !matches!(object, Object::Heap(..) | Object::Shared);
        let only = !self.any && self.objects.len() == 1 && self.functions.is_empty() && is_one;
        let at = offset.value().filter(|_| only)?;
        i64::try_from(at).ok().map(|at| (object, at as u64))
    }

    /// The object of the input into which it leads for certain, as many elements as are needed, and where.
    pub(crate) fn array(&self) -> Option<(u32, IntDomain)> {
        let (&object, offset) = self.objects.first_key_value()?;
        let only = !self.any && !self.null && self.objects.len() == 1 && self.functions.is_empty();
        match object {
            Object::Input(number) if only => Some((number, *offset)),
            _ => None,
        }
    }

    /// Everywhere either leads, offsets put together as told.
    fn union(&self, other: &Targets, offsets: impl Fn(&IntDomain, &IntDomain) -> IntDomain) -> Targets {
        let mut objects = self.objects.clone();
        for (object, offset) in &other.objects {
            objects.entry(*object).and_modify(|known| *known = offsets(known, offset)).or_insert(*offset);
        }
        let functions = self.functions.union(&other.functions).copied().collect();
        Targets { any: self.any || other.any, null: self.null || other.null, objects, functions }
    }
}

impl Abs {
    /// Every value of a type.
    pub(crate) fn top(ty: Type) -> Abs {
        match ty {
            Type::Int(width) => Abs::Int(IntDomain::top(width)),
            Type::Float(format) => Abs::Float(FloatDomain::full(format)),
            Type::Pointer => Abs::Pointer(Targets::any()),
        }
    }

    /// One value.
    pub(crate) fn constant(value: Value) -> Abs {
        match value.ty {
            clew_scalar::Type::Int(width) => Abs::Int(IntDomain::singleton(width, value.bits)),
            clew_scalar::Type::Float(format) => Abs::Float(FloatDomain::constant(format, value.bits)),
        }
    }

    pub(crate) fn int(&self) -> Option<&IntDomain> {
        match self {
            Abs::Int(domain) => Some(domain),
            _ => None,
        }
    }

    /// Whether the value can be one of a type.
    pub(crate) fn fits(&self, ty: Type) -> bool {
        match (self, ty) {
            (Abs::Int(domain), Type::Int(width)) => domain.width() == width,
            (Abs::Float(domain), Type::Float(format)) => domain.format() == format,
            (Abs::Pointer(_), Type::Pointer) => true,
            _ => false,
        }
    }

    /// The values of either; `None` if that can be anything.
    pub(crate) fn join(&self, other: &Abs) -> Option<Abs> {
        self.combine(other, IntDomain::join, FloatDomain::join)
    }

    /// The same for a value that grows from turn to turn of a loop.
    pub(crate) fn widen(&self, newer: &Abs, thresholds: &dyn Fn(u8) -> Thresholds) -> Option<Abs> {
        self.combine(newer, |a, b| a.widen(b, &thresholds(a.width())), FloatDomain::widen)
    }

    fn combine(
        &self,
        other: &Abs,
        ints: impl Fn(&IntDomain, &IntDomain) -> IntDomain,
        floats: impl Fn(&FloatDomain, &FloatDomain) -> FloatDomain,
    ) -> Option<Abs> {
        match (self, other) {
            (Abs::Int(a), Abs::Int(b)) if a.width() == b.width() => Some(Abs::Int(ints(a, b))),
            (Abs::Float(a), Abs::Float(b)) if a.format() == b.format() => Some(Abs::Float(floats(a, b))),
            (Abs::Pointer(a), Abs::Pointer(b)) => Some(Abs::Pointer(a.union(b, ints))),
            _ => None,
        }
    }

    /// The values of both; where that is not computed, those of the first.
    pub(crate) fn meet(&self, other: &Abs) -> Result<Abs, Conflict> {
        match (self, other) {
            (Abs::Int(a), Abs::Int(b)) if a.width() == b.width() => Ok(Abs::Int(a.meet(b)?)),
            (Abs::Float(a), Abs::Float(b)) if a.format() == b.format() => {
                let meet = a.meet(b);
                meet.non_empty()?;
                Ok(Abs::Float(meet))
            }
            // What unknown pointers lead to is not spelled out, so whatever says more is kept.
            (Abs::Pointer(a), Abs::Pointer(b)) if a.any || a.null && !b.null && !b.any => Ok(Abs::Pointer(b.clone())),
            (Abs::Pointer(_), Abs::Pointer(b)) if b.is_null() == Some(true) => Ok(other.clone()),
            _ => Ok(self.clone()),
        }
    }
}
