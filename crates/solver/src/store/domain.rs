//! The domain of any term.

use clew_scalar::{Type, Value};

use crate::domain::Conflict;
use crate::domain::boolean::BoolDomain;
use crate::domain::float::FloatDomain;
use crate::domain::int::IntDomain;
use crate::term::{Node, Sort, TermId, Terms};

/// What is known about a term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Domain {
    /// A condition.
    Bool(BoolDomain),
    /// An integer of more than one bit.
    Int(IntDomain),
    /// A float.
    Float(FloatDomain),
    /// An array, about which nothing is known.
    Opaque,
}

impl Domain {
    /// The condition that holds.
    pub(crate) const TRUE: Domain = Domain::Bool(BoolDomain::TRUE);

    /// Every value of a type.
    pub(crate) fn top(ty: Type) -> Domain {
        match ty {
            Type::Int(1) => Domain::Bool(BoolDomain::TOP),
            Type::Int(width) => Domain::Int(IntDomain::top(width)),
            Type::Float(format) => Domain::Float(FloatDomain::full(format)),
        }
    }

    /// One value.
    pub(crate) fn singleton(value: Value) -> Domain {
        match value.ty {
            Type::Int(1) => Domain::Bool(BoolDomain::singleton(value.bits != 0)),
            Type::Int(width) => Domain::Int(IntDomain::singleton(width, value.bits)),
            Type::Float(format) => Domain::Float(FloatDomain::constant(format, value.bits)),
        }
    }

    /// What is known about a term before anything is propagated.
    pub(super) fn of_node(terms: &Terms, term: TermId) -> Domain {
        match (terms.node(term), terms.sort(term)) {
            (Node::Const(value), _) => Domain::singleton(value),
            (_, Sort::Scalar(ty)) => Domain::top(ty),
            (_, Sort::Array { .. }) => Domain::Opaque,
        }
    }

    /// The common part.
    pub(crate) fn meet(&self, other: &Domain) -> Result<Domain, Conflict> {
        match (self, other) {
            (Domain::Bool(a), Domain::Bool(b)) => {
                let mut meet = *a;
                meet.narrow(*b)?;
                Ok(Domain::Bool(meet))
            }
            (Domain::Int(a), Domain::Int(b)) => Ok(Domain::Int(a.meet(b)?)),
            (Domain::Float(a), Domain::Float(b)) => {
                let meet = a.meet(b);
                meet.non_empty()?;
                Ok(Domain::Float(meet))
            }
            (Domain::Opaque, Domain::Opaque) => Ok(Domain::Opaque),
            _ => unreachable!("domains of one term have one type"),
        }
    }

    /// The bits of the only value left.
    pub(crate) fn value(&self) -> Option<u128> {
        match self {
            Domain::Bool(domain) => domain.value().map(u128::from),
            Domain::Int(domain) => domain.value(),
            Domain::Float(domain) => domain.value(),
            Domain::Opaque => None,
        }
    }

    /// Whether the value with these bits is possible.
    pub(crate) fn contains(&self, bits: u128) -> bool {
        match self {
            Domain::Bool(domain) => domain.contains(bits != 0),
            Domain::Int(domain) => domain.contains(bits),
            Domain::Float(domain) => domain.contains(bits),
            Domain::Opaque => true,
        }
    }

    /// How many values there are at most.
    pub(crate) fn count(&self) -> u128 {
        match self {
            Domain::Bool(domain) => 2 - u128::from(domain.value().is_some()),
            Domain::Int(domain) => domain.count(),
            Domain::Float(domain) => domain.size(),
            Domain::Opaque => u128::MAX,
        }
    }

    /// Two smaller domains that together are this one.
    pub(crate) fn halves(&self) -> Option<(Domain, Domain)> {
        match self {
            Domain::Bool(domain) => {
                domain.value().is_none().then_some((Domain::Bool(BoolDomain::FALSE), Domain::Bool(BoolDomain::TRUE)))
            }
            Domain::Int(domain) => domain.halves().map(|(a, b)| (Domain::Int(a), Domain::Int(b))),
            Domain::Float(domain) => domain.split().map(|(a, b)| (Domain::Float(a), Domain::Float(b))),
            Domain::Opaque => None,
        }
    }

    /// What is left without one of its values, where it can say so; `None` when nothing is.
    pub(crate) fn without(&self, bits: u128) -> Option<Domain> {
        match self {
            Domain::Int(domain) => {
                let mut rest = *domain;
                rest.remove(bits).ok().map(|()| Domain::Int(rest))
            }
            _ => Some(*self),
        }
    }

    /// As a domain of conditions.
    pub(super) fn as_bool(&self) -> BoolDomain {
        match self {
            Domain::Bool(domain) => *domain,
            _ => unreachable!("a condition has a domain of conditions"),
        }
    }

    /// As a domain of integers; a condition is an integer of one bit.
    pub(super) fn as_int(&self) -> IntDomain {
        match self {
            Domain::Bool(domain) => IntDomain::from(*domain),
            Domain::Int(domain) => *domain,
            _ => unreachable!("an integer has a domain of integers"),
        }
    }

    /// As a domain of floats.
    pub(super) fn as_float(&self) -> FloatDomain {
        match self {
            Domain::Float(domain) => *domain,
            _ => unreachable!("a float has a domain of floats"),
        }
    }
}

impl From<BoolDomain> for Domain {
    fn from(domain: BoolDomain) -> Domain {
        Domain::Bool(domain)
    }
}

impl From<IntDomain> for Domain {
    fn from(domain: IntDomain) -> Domain {
        if domain.width() == 1 { Domain::Bool(BoolDomain::from(domain)) } else { Domain::Int(domain) }
    }
}

impl From<FloatDomain> for Domain {
    fn from(domain: FloatDomain) -> Domain {
        Domain::Float(domain)
    }
}
