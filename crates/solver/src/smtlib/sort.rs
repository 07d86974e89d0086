//! Sorts of SMT-LIB, their reading, and how each is held in a term.
//!
//! `Bool` and one-bit vectors are both `Int(1)`; a rounding mode is a number below five in three bits, in the order of
//! [`ROUNDINGS`].

use clew_scalar::{Format, Rounding, Type};

use super::Error;
use super::script::Script;
use super::sexpr::{Sexpr, SexprId};
use crate::term;

/// A sort of SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Bool,
    BitVec(u8),
    Float(Format),
    RoundingMode,
    Array(Element, Element),
    /// Only of literals, as the operand of a conversion.
    Real,
}

/// A sort that arrays can be built of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Bool,
    BitVec(u8),
    Float(Format),
}

/// The rounding modes; the position is the encoding.
pub(super) const ROUNDINGS: [(Rounding, &str, &str); 5] = [
    (Rounding::NearestEven, "RNE", "roundNearestTiesToEven"),
    (Rounding::NearestAway, "RNA", "roundNearestTiesToAway"),
    (Rounding::Up, "RTP", "roundTowardPositive"),
    (Rounding::Down, "RTN", "roundTowardNegative"),
    (Rounding::Zero, "RTZ", "roundTowardZero"),
];

/// Width of the terms that hold rounding modes.
pub(super) const ROUNDING_WIDTH: u8 = 3;

impl Element {
    /// The type of the terms that hold it.
    pub(super) fn of_terms(self) -> Type {
        match self {
            Element::Bool => Type::BOOL,
            Element::BitVec(width) => Type::Int(width),
            Element::Float(format) => Type::Float(format),
        }
    }

    pub(super) fn sort(self) -> Sort {
        match self {
            Element::Bool => Sort::Bool,
            Element::BitVec(width) => Sort::BitVec(width),
            Element::Float(format) => Sort::Float(format),
        }
    }
}

impl Sort {
    fn element(self) -> Option<Element> {
        match self {
            Sort::Bool => Some(Element::Bool),
            Sort::BitVec(width) => Some(Element::BitVec(width)),
            Sort::Float(format) => Some(Element::Float(format)),
            _ => None,
        }
    }

    /// The sort of the terms that hold it.
    ///
    /// # Panics
    /// On `Real`, which has no terms.
    pub(super) fn of_terms(self) -> term::Sort {
        match self {
            Sort::Bool => term::Sort::BOOL,
            Sort::BitVec(width) => term::Sort::int(width),
            Sort::Float(format) => term::Sort::Scalar(Type::Float(format)),
            Sort::RoundingMode => term::Sort::int(ROUNDING_WIDTH),
            Sort::Array(index, element) => term::Sort::Array { index: index.of_terms(), element: element.of_terms() },
            Sort::Real => unreachable!("real literals are no terms"),
        }
    }
}

/// As SMT-LIB writes it.
impl std::fmt::Display for Sort {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Sort::Bool => out.write_str("Bool"),
            Sort::BitVec(width) => write!(out, "(_ BitVec {width})"),
            Sort::Float(Format { exponent, significand }) => write!(out, "(_ FloatingPoint {exponent} {significand})"),
            Sort::RoundingMode => out.write_str("RoundingMode"),
            Sort::Array(index, element) => write!(out, "(Array {} {})", index.sort(), element.sort()),
            Sort::Real => out.write_str("Real"),
        }
    }
}

/// How deep sorts may be nested: they are read by recursion.
const NESTING: usize = 64;

/// A defined sort and its parameters.
#[derive(Clone, Debug)]
pub(super) struct SortDefinition<'a> {
    pub(super) parameters: Vec<&'a str>,
    pub(super) body: SexprId,
}

impl<'a> Script<'a> {
    pub(super) fn sort(&self, id: SexprId) -> Result<Sort, Error> {
        self.sort_under(id, &[], 0)
    }

    fn sort_under(&self, id: SexprId, bound: &[(&'a str, Sort)], depth: usize) -> Result<Sort, Error> {
        if depth > NESTING {
            return Err(self.sexprs.error(id, "sorts are nested too deep"));
        }
        match self.sexprs.get(id) {
            Sexpr::Symbol(name) => {
                if let Some(&(_, sort)) = bound.iter().find(|(parameter, _)| *parameter == name) {
                    return Ok(sort);
                }
                self.named_sort(id, name, &[], bound, depth)
            }
            Sexpr::List { .. } => {
                let children = self.sexprs.children(id);
                match children.first().and_then(|&head| self.sexprs.symbol(head)) {
                    Some("_") => self.indexed_sort(id, children),
                    Some(name) => self.named_sort(id, name, &children[1..], bound, depth),
                    None => Err(self.sexprs.error(id, "expected a sort")),
                }
            }
            _ => Err(self.sexprs.error(id, "expected a sort")),
        }
    }

    fn named_sort(
        &self,
        id: SexprId,
        name: &str,
        arguments: &[SexprId],
        bound: &[(&'a str, Sort)],
        depth: usize,
    ) -> Result<Sort, Error> {
        if let Some(definition) = self.sorts.get(name) {
            if definition.parameters.len() != arguments.len() {
                let expected = definition.parameters.len();
                return Err(self.sexprs.error(id, format!("sort `{name}` takes {expected} arguments")));
            }
            let mut inner = Vec::with_capacity(arguments.len());
            for (&parameter, &argument) in definition.parameters.iter().zip(arguments) {
                inner.push((parameter, self.sort_under(argument, bound, depth + 1)?));
            }
            return self.sort_under(definition.body, &inner, depth + 1);
        }
        match (name, arguments) {
            ("Bool", []) => Ok(Sort::Bool),
            ("RoundingMode", []) => Ok(Sort::RoundingMode),
            ("Float16", []) => Ok(Sort::Float(Format::HALF)),
            ("Float32", []) => Ok(Sort::Float(Format::SINGLE)),
            ("Float64", []) => Ok(Sort::Float(Format::DOUBLE)),
            ("Float128", []) => Ok(Sort::Float(Format::QUAD)),
            ("Array", &[index, element]) => {
                let (index_sort, element_sort) =
                    (self.sort_under(index, bound, depth + 1)?, self.sort_under(element, bound, depth + 1)?);
                match (index_sort.element(), element_sort.element()) {
                    (Some(index), Some(element)) => Ok(Sort::Array(index, element)),
                    (None, _) => Err(self.sexprs.error(index, format!("arrays over {index_sort} are not supported"))),
                    _ => Err(self.sexprs.error(element, format!("arrays of {element_sort} are not supported"))),
                }
            }
            _ => Err(self.sexprs.error(id, format!("unknown sort `{name}`"))),
        }
    }

    fn indexed_sort(&self, id: SexprId, children: &[SexprId]) -> Result<Sort, Error> {
        let name = children.get(1).and_then(|&name| self.sexprs.symbol(name));
        match (name, children.len()) {
            (Some("BitVec"), 3) => Ok(Sort::BitVec(self.width(children[2])?)),
            (Some("FloatingPoint"), 4) => Ok(Sort::Float(self.format(id, children[2], children[3])?)),
            _ => Err(self.sexprs.error(id, "unknown sort")),
        }
    }

    /// A number that indexes a name.
    pub(super) fn numeral(&self, id: SexprId) -> Result<u128, Error> {
        match self.sexprs.get(id) {
            Sexpr::Numeral(digits) => {
                digits.parse().map_err(|_| self.sexprs.error(id, "this numeral is too large for 128 bits"))
            }
            _ => Err(self.sexprs.error(id, "expected a numeral")),
        }
    }

    /// The width of bit-vectors.
    pub(super) fn width(&self, id: SexprId) -> Result<u8, Error> {
        self.checked_width(id, self.numeral(id)?)
    }

    /// A width that terms can have.
    pub(super) fn checked_width(&self, id: SexprId, width: u128) -> Result<u8, Error> {
        match width {
            0 => Err(self.sexprs.error(id, "a bit-vector has at least one bit")),
            1..=128 => Ok(width as u8),
            _ => Err(self.sexprs.error(id, format!("bit-vectors of {width} bits are not supported, only up to 128"))),
        }
    }

    /// The format of floats.
    pub(super) fn format(&self, id: SexprId, exponent: SexprId, significand: SexprId) -> Result<Format, Error> {
        match (self.numeral(exponent)?, self.numeral(significand)?) {
            (exponent @ 2..=15, significand @ 2..=113) => {
                Ok(Format { exponent: exponent as u8, significand: significand as u8 })
            }
            _ => Err(self.sexprs.error(id, "float formats have 2 to 15 exponent and 2 to 113 significand bits here")),
        }
    }
}
