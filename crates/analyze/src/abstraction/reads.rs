//! What was read through pointers and at indices, and tested since: `if (a[i] > m) m = a[i];`.
//!
//! Arrays at unknown indices have no cells. But what an element is known to be after a test holds for the next read of the
//! same element too, and how it compares with other values, as long as nothing may have written it, and neither the pointer nor the index changed. The address is
//! an anchor, which is an object or a cell that holds a pointer, and a form in bytes.

use super::cell::{Key, Object};
use super::form::Form;
use super::memory::Exposed;
use super::order::{Orders, Pair};
use super::transfer::Walk;
use super::value::{Abs, Targets};
use crate::policy;
use clew_ir::{InstKind, Operand, Type};
use clew_scalar::BinaryOp;
use clew_solver::domain::Conflict;
use std::collections::BTreeMap;

/// What an address is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Anchor {
    /// The beginning of an object.
    Object(Object),
    /// Where the pointer in a cell leads.
    Held(Key),
}

/// Something in memory that is read as a scalar.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    anchor: Anchor,
    bytes: Form,
    ty: Type,
}

/// A write: where to, and what it may reach.
pub(crate) struct Writing<'a> {
    pub(crate) to: &'a Targets,
    pub(crate) exposed: &'a Exposed<'a>,
    pub(crate) cells: &'a BTreeMap<Key, (u64, Abs)>,
}

impl Writing<'_> {
    /// Whether it may change what is at a spot.
    fn hits(&self, spot: &Spot) -> bool {
        let to = &self.to.objects;
        let is_reached =
            |object: &Object| (self.exposed)(*object) || matches!(object, Object::Heap(..) | Object::Shared);
        let hits = match spot.anchor {
            Anchor::Object(object) => to.contains_key(&object),
            Anchor::Held(key) => match self.cells.get(&key) {
                Some((_, Abs::Pointer(known))) if !known.any => known.objects.keys().any(|one| to.contains_key(one)),
                _ => to.keys().any(is_reached),
            },
        };
        self.to.any || hits
    }
}

/// What is known of spots.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reads {
    values: BTreeMap<Spot, Abs>,
    orders: BTreeMap<Pair, Orders>,
    /// Cells that hold the same pointer as others, which come before them.
    twins: BTreeMap<Key, Key>,
}

impl Spot {
    /// The spot that an address computed in this block denotes.
    pub(crate) fn new(walk: &Walk<'_>, address: Operand, ty: Type, width: u8) -> Option<Spot> {
        let (anchor, bytes) = anchored(walk, address, width, policy::MAX_READ_DEPTH.small())?;
        Some(Spot { anchor, bytes, ty })
    }

    /// The same spot once the pointer that it is relative to has moved on by some bytes.
    fn before(&self, by: i128) -> Spot {
        let bytes = Form { constant: self.bytes.constant - by, ..self.bytes.clone() };
        Spot { bytes, ..self.clone() }
    }

    pub(crate) fn mentions(&self, gone: &dyn Fn(&Key) -> bool) -> bool {
        self.bytes.mentions(gone) || matches!(&self.anchor, Anchor::Held(key) if gone(key))
    }

    /// Whether it depends on what an object holds.
    pub(crate) fn concerns(&self, object: Object) -> bool {
        self.anchor == Anchor::Object(object) || self.mentions(&|key| key.0 == object)
    }
}

/// What an address computed in this block is relative to, and how far it is from there.
pub(crate) fn anchored(walk: &Walk<'_>, address: Operand, width: u8, depth: u32) -> Option<(Anchor, Form)> {
    match address {
        Operand::Local(local) => Some((Anchor::Object(Object::Local(walk.depth, walk.id, local)), Form::constant(0))),
        Operand::Global(global, at) => Some((Anchor::Object(Object::Global(global)), Form::constant(at.into()))),
        Operand::Temp(temp) => match (walk.loaded.get(&temp), walk.defined.get(&temp)) {
            (Some(key), _) => Some((Anchor::Held(walk.state.reads.first(*key)), Form::constant(0))),
            (None, _) if let Some((key, by)) = walk.behind.get(&temp) => {
                Some((Anchor::Held(walk.state.reads.first(*key)), Form::constant(-by)))
            }
            (None, Some(InstKind::Offset { base, bytes, .. })) if depth > 0 => {
                let (anchor, known) = anchored(walk, *base, width, depth - 1)?;
                Some((anchor, known.plus(&walk.form(*bytes, true, width)?)?))
            }
            _ => None,
        },
        _ => None,
    }
}

impl Reads {
    pub(crate) fn get(&self, spot: &Spot) -> Option<&Abs> {
        self.values.get(spot)
    }

    /// Notes what a spot holds.
    pub(crate) fn note(&mut self, spot: &Spot, value: Abs) {
        if self.values.len() < policy::MAX_READS.size() || self.values.contains_key(spot) {
            self.values.insert(spot.clone(), value);
        }
    }

    /// Notes that two cells hold the same pointer.
    pub(crate) fn twin(&mut self, a: Key, b: Key) {
        let (a, b) = (self.first(a), self.first(b));
        if a != b {
            self.twins.retain(|_, first| *first != a.max(b));
            self.twins.insert(a.max(b), a.min(b));
        }
    }

    /// The first of the cells that hold the same pointer as a cell.
    fn first(&self, key: Key) -> Key {
        self.twins.get(&key).copied().unwrap_or(key)
    }

    /// Notes the outcome of a comparison, of operands that change places or not.
    pub(crate) fn compare(
        &mut self,
        (pair, are_swapped): (Pair, bool),
        op: BinaryOp,
        outcome: bool,
    ) -> Result<(), Conflict> {
        let Some(told) = Orders::told(op, outcome, are_swapped) else { return Ok(()) };
        let known = self.orders.get(&pair).map_or(Ok(told), |known| known.meet(told))?;
        let is_worth_it = !pair.has_number() || known.is_hole();
        if is_worth_it && (self.orders.len() < policy::MAX_ORDERS.size() || self.orders.contains_key(&pair)) {
            self.orders.insert(pair, known);
        }
        Ok(())
    }

    /// Forgets what depends on cells.
    pub(crate) fn forget(&mut self, gone: &dyn Fn(&Key) -> bool) {
        self.values.retain(|spot, _| !spot.mentions(gone));
        self.orders.retain(|pair, _| !pair.mentions(gone));
        self.twins.retain(|key, first| !gone(key) && !gone(first));
    }

    /// Forgets what depends on an object.
    pub(crate) fn clear(&mut self, object: Object) {
        self.values.retain(|spot, _| !spot.concerns(object));
        self.orders.retain(|pair, _| !pair.concerns(object));
        self.twins.retain(|key, first| key.0 != object && first.0 != object);
    }

    /// Forgets what a write may change: all, unless it goes to objects to which the pointer at hand does not lead.
    pub(crate) fn written(&mut self, writing: &Writing<'_>) {
        let changes =
            |object: Object| writing.to.objects.contains_key(&object) || writing.to.any && (writing.exposed)(object);
        self.twins.retain(|key, first| !changes(key.0) && !changes(first.0));
        let depends = |object: &Object, spot: &Spot| spot.concerns(*object);
        let objects = || writing.to.objects.keys();
        self.values.retain(|spot, _| !writing.hits(spot) && !objects().any(|object| depends(object, spot)));
        self.orders.retain(|pair, _| {
            !pair.spots().any(|spot| writing.hits(spot)) && !objects().any(|object| pair.concerns(*object))
        });
    }

    /// What is still known, and where, once the pointer in a cell has moved on by some bytes.
    pub(crate) fn moved(&self, key: Key, by: i128, writing: &Writing<'_>) -> Reads {
        let moves = |spot: &Spot| {
            let depends = spot.bytes.mentions(&|known| writing.to.objects.contains_key(&known.0));
            (spot.anchor == Anchor::Held(key) && !depends && !writing.hits(spot)).then(|| spot.before(by))
        };
        let values = self.values.iter().filter_map(|(spot, abs)| Some((moves(spot)?, abs.clone())));
        let orders = self.orders.iter().filter_map(|(pair, orders)| Some((pair.moved(&moves)?, *orders)));
        Reads { values: values.collect(), orders: orders.collect(), twins: BTreeMap::new() }
    }

    /// Takes over what else is known.
    pub(crate) fn extend(&mut self, other: Reads) {
        other.values.into_iter().for_each(|(spot, abs)| self.note(&spot, abs));
        for (pair, orders) in other.orders {
            if self.orders.len() < policy::MAX_ORDERS.size() {
                self.orders.insert(pair, orders);
            }
        }
    }

    /// What holds in both.
    pub(crate) fn merge(&self, other: &Reads, values: &dyn Fn(&Abs, &Abs) -> Option<Abs>) -> Reads {
        let both = |(spot, abs): (&Spot, &Abs)| Some((spot.clone(), values(abs, other.values.get(spot)?)?));
        let either = |(pair, orders): (&Pair, &Orders)| Some((pair.clone(), orders.join(*other.orders.get(pair)?)?));
        Reads {
            values: self.values.iter().filter_map(both).collect(),
            orders: self.orders.iter().filter_map(either).collect(),
            twins: self
                .twins
                .iter()
                .filter(|(key, first)| other.twins.get(key) == Some(first))
                .map(|(a, b)| (*a, *b))
                .collect(),
        }
    }
}
