//! What is known about a float: an interval of nonzero finite numbers, and which special values are possible.
//!
//! The domain is a reduced product after FPSE (Botella, Gotlieb, Michel, 2006): the nonzero finite numbers lie in one
//! interval of the line of [`key`]s, where neighbouring floats are neighbouring integers; the five values that do not
//! behave like their neighbours (NaN, the infinities, the zeros of both signs) each have a flag. So `x != 0`, `x is
//! infinite` and `x is not NaN` are exact, and a split in the middle of the interval splits by exponent first.
//!
//! NaN is one value, whatever its payload. The domain holds no other hole, no parity and no relation between
//! variables. It works for every format of up to 128 bits.

pub mod key;

use clew_scalar::Format;

use super::Conflict;
use key::Key;

/// A closed interval of keys; empty when `lo > hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least key.
    pub lo: Key,
    /// The greatest key.
    pub hi: Key,
}

impl Interval {
    /// The interval without elements, neutral for [`Interval::hull`].
    pub const EMPTY: Interval = Interval { lo: Key::MAX, hi: Key::MIN };

    /// The interval of one key.
    pub(crate) fn point(key: Key) -> Interval {
        Interval { lo: key, hi: key }
    }

    /// Whether no key is inside.
    pub fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    /// Whether `key` is inside.
    pub fn contains(self, key: Key) -> bool {
        self.lo <= key && key <= self.hi
    }

    /// The common part.
    #[must_use]
    pub fn meet(self, other: Interval) -> Interval {
        Interval { lo: self.lo.max(other.lo), hi: self.hi.min(other.hi) }
    }

    /// The smallest interval around both.
    #[must_use]
    pub fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// How many keys are inside.
    pub fn len(self) -> u128 {
        if self.is_empty() { 0 } else { self.hi.abs_diff(self.lo).saturating_add(1) }
    }
}

/// A value that has its own flag in the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Special {
    /// Not a number; one value.
    Nan = 1,
    /// Minus infinity.
    NegativeInfinity = 2,
    /// Minus zero.
    NegativeZero = 4,
    /// Plus zero.
    PositiveZero = 8,
    /// Plus infinity.
    PositiveInfinity = 16,
}

impl Special {
    /// The special numbers in the order of their keys.
    const NUMBERS: [Special; 4] =
        [Special::NegativeInfinity, Special::NegativeZero, Special::PositiveZero, Special::PositiveInfinity];

    /// The key of a special number.
    fn key(self, format: Format) -> Option<Key> {
        match self {
            Special::Nan => None,
            Special::NegativeInfinity => Some(key::negative_infinity(format)),
            Special::NegativeZero => Some(key::NEGATIVE_ZERO),
            Special::PositiveZero => Some(key::POSITIVE_ZERO),
            Special::PositiveInfinity => Some(key::positive_infinity(format)),
        }
    }
}

const ALL_SPECIALS: u8 = 31;

/// The possible values of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatDomain {
    format: Format,
    /// The nonzero finite numbers. Invariant: [`Interval::EMPTY`], or both ends are keys of nonzero finite numbers.
    finite: Interval,
    /// The possible special values, a set of [`Special`] bits.
    specials: u8,
}

impl FloatDomain {
    /// Every value of the format.
    pub fn full(format: Format) -> FloatDomain {
        let max = key::max_finite(format);
        FloatDomain { format, finite: Interval { lo: key::negate(max), hi: max }, specials: ALL_SPECIALS }
    }

    /// No value.
    pub fn empty(format: Format) -> FloatDomain {
        FloatDomain { format, finite: Interval::EMPTY, specials: 0 }
    }

    /// Exactly the value encoded by `bits`.
    pub fn constant(format: Format, bits: u128) -> FloatDomain {
        match key::of_bits(format, bits) {
            Some(key) => FloatDomain::of_interval(format, Interval::point(key)),
            None => FloatDomain { specials: Special::Nan as u8, ..FloatDomain::empty(format) },
        }
    }

    /// The numbers with keys in `interval`, zeros and infinities included; never NaN.
    pub(crate) fn of_interval(format: Format, interval: Interval) -> FloatDomain {
        let mut domain = FloatDomain::empty(format);
        domain.insert(interval);
        domain
    }

    /// The numbers from `lo` to `hi`, given as bits; `-0` is below `+0`.
    ///
    /// # Panics
    /// When a bound is NaN.
    pub fn between(format: Format, lo: u128, hi: u128) -> FloatDomain {
        let key = |bits| key::of_bits(format, bits).expect("a bound of an interval is a number");
        FloatDomain::of_interval(format, Interval { lo: key(lo), hi: key(hi) })
    }

    /// The format of the values.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether no value is possible.
    pub fn is_empty(&self) -> bool {
        self.specials == 0 && self.finite.is_empty()
    }

    /// `Err` when no value is possible.
    pub fn non_empty(&self) -> Result<(), Conflict> {
        if self.is_empty() { Err(Conflict) } else { Ok(()) }
    }

    /// Whether the special value is possible.
    pub(crate) fn may_be(&self, special: Special) -> bool {
        self.specials & special as u8 != 0
    }

    /// Whether NaN is possible.
    pub(crate) fn may_be_nan(&self) -> bool {
        self.may_be(Special::Nan)
    }

    /// Whether a number (anything but NaN) is possible.
    pub(crate) fn may_be_number(&self) -> bool {
        self.specials & !(Special::Nan as u8) != 0 || !self.finite.is_empty()
    }

    /// The possible nonzero finite numbers.
    pub fn finite(&self) -> Interval {
        self.finite
    }

    /// The smallest interval around all possible numbers, zeros and infinities included.
    pub fn hull(&self) -> Interval {
        let mut hull = self.finite;
        for special in Special::NUMBERS {
            if self.may_be(special) {
                hull = hull.hull(Interval::point(special.key(self.format).expect("the special is a number")));
            }
        }
        hull
    }

    /// Whether the value encoded by `bits` is possible.
    pub fn contains(&self, bits: u128) -> bool {
        match key::of_bits(self.format, bits) {
            None => self.may_be_nan(),
            Some(key) => self.contains_key(key),
        }
    }

    /// Whether the number with this key is possible.
    pub fn contains_key(&self, key: Key) -> bool {
        match special_of_key(self.format, key) {
            Some(special) => self.may_be(special),
            None => self.finite.contains(key),
        }
    }

    /// The bits of the only possible value.
    pub fn value(&self) -> Option<u128> {
        if self.size() != 1 {
            return None;
        }
        if self.may_be_nan() { Some(key::nan(self.format)) } else { Some(key::to_bits(self.format, self.hull().lo)) }
    }

    /// How many values are possible.
    pub fn size(&self) -> u128 {
        let spans_zero = self.finite.contains(key::NEGATIVE_ZERO);
        let finite = self.finite.len() - if spans_zero { 2 } else { 0 };
        finite.saturating_add(u128::from(self.specials.count_ones()))
    }

    /// The common part of both domains.
    #[must_use]
    pub fn meet(&self, other: &FloatDomain) -> FloatDomain {
        let finite = self.finite.meet(other.finite);
        let finite = if finite.is_empty() { Interval::EMPTY } else { finite };
        FloatDomain { format: self.format, finite, specials: self.specials & other.specials }
    }

    /// The smallest domain around both.
    #[must_use]
    pub fn join(&self, other: &FloatDomain) -> FloatDomain {
        let finite = self.finite.hull(other.finite);
        FloatDomain { format: self.format, finite, specials: self.specials | other.specials }
    }

    /// Like [`FloatDomain::join`], but a bound that moved jumps to the next power of two, a thirty-second of the
    /// exponents away or more, so that chains of widenings are short.
    #[must_use]
    pub fn widen(&self, newer: &FloatDomain) -> FloatDomain {
        let mut joined = self.join(newer);
        if self.finite.is_empty() || joined.finite.is_empty() {
            return joined;
        }
        let max = key::max_finite(self.format);
        if joined.finite.lo < self.finite.lo {
            joined.finite.lo =
                key::negate(key::coarsen_up(self.format, key::negate(joined.finite.lo))).max(key::negate(max));
        }
        if joined.finite.hi > self.finite.hi {
            joined.finite.hi = key::coarsen_up(self.format, joined.finite.hi).min(max);
        }
        joined.normalize();
        joined
    }

    /// Adds the numbers of an interval of keys (zeros and infinities included).
    pub fn insert(&mut self, interval: Interval) {
        if interval.is_empty() {
            return;
        }
        for special in Special::NUMBERS {
            if interval.contains(special.key(self.format).expect("the special is a number")) {
                self.specials |= special as u8;
            }
        }
        self.finite = self.finite.hull(clip(self.format, interval));
    }

    /// Adds a special value.
    pub(crate) fn insert_special(&mut self, special: Special) {
        self.specials |= special as u8;
    }

    /// Removes a special value.
    pub fn remove(&mut self, special: Special) {
        self.specials &= !(special as u8);
    }

    /// Removes both zeros.
    pub(crate) fn remove_zeros(&mut self) {
        self.specials &= !(Special::NegativeZero as u8 | Special::PositiveZero as u8);
    }

    /// Removes the numbers outside an interval of keys; NaN stays.
    pub(crate) fn restrict(&mut self, interval: Interval) {
        let mut kept = FloatDomain::of_interval(self.format, interval);
        kept.insert_special(Special::Nan);
        *self = self.meet(&kept);
    }

    /// Removes one number where the domain can express it: a special value or an end of the interval.
    pub(crate) fn remove_key(&mut self, key: Key) {
        if let Some(special) = special_of_key(self.format, key) {
            self.remove(special);
            return;
        }
        if self.finite.lo == key {
            self.finite.lo += 1;
        }
        if self.finite.hi == key {
            self.finite.hi -= 1;
        }
        self.normalize();
    }

    /// Two smaller domains that together are this one: NaN apart from the numbers, then the lower from the upper half
    /// of the keys. `None` for at most one value.
    pub fn split(&self) -> Option<(FloatDomain, FloatDomain)> {
        if self.size() < 2 {
            return None;
        }
        if self.may_be_nan() {
            let mut numbers = *self;
            numbers.remove(Special::Nan);
            return Some((numbers, FloatDomain::constant(self.format, key::nan(self.format))));
        }
        let Interval { lo, hi } = self.hull();
        let middle = key::middle(lo, hi);
        let mut lower = *self;
        lower.restrict(Interval { lo, hi: middle });
        let mut upper = *self;
        upper.restrict(Interval { lo: middle + 1, hi });
        Some((lower, upper))
    }

    /// The intervals of possible numbers in ascending order, cut where `cuts` says and merged where they touch.
    pub(crate) fn pieces(&self, cuts: Cuts) -> Pieces {
        let mut pieces = Pieces { items: [Interval::EMPTY; 6], len: 0 };
        let point = |special: Special| match special.key(self.format) {
            Some(key) if self.may_be(special) => Interval::point(key),
            _ => Interval::EMPTY,
        };
        let negative = self.finite.meet(Interval { lo: Key::MIN, hi: key::NEGATIVE_ZERO - 1 });
        let positive = self.finite.meet(Interval { lo: key::POSITIVE_ZERO + 1, hi: Key::MAX });
        pieces.push(point(Special::NegativeInfinity), true);
        pieces.push(negative, cuts.infinities);
        pieces.push(point(Special::NegativeZero), cuts.zeros);
        pieces.push(point(Special::PositiveZero), cuts.signs);
        pieces.push(positive, cuts.zeros);
        pieces.push(point(Special::PositiveInfinity), cuts.infinities);
        pieces
    }

    /// Panics when an invariant is broken.
    pub fn check(&self) {
        assert!(self.specials <= ALL_SPECIALS, "only the five special values have flags");
        if self.finite.is_empty() {
            assert!(self.finite == Interval::EMPTY, "there is one empty interval");
        } else {
            assert!(self.finite == clip(self.format, self.finite), "the ends are nonzero finite numbers");
        }
    }

    fn normalize(&mut self) {
        self.finite = clip(self.format, self.finite);
    }
}

/// Where `FloatDomain::pieces` must not merge neighbours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cuts {
    /// Infinities apart from the finite numbers.
    pub infinities: bool,
    /// Zeros apart from the nonzero numbers.
    pub zeros: bool,
    /// Negative (`-0` included) apart from positive (`+0` included).
    pub signs: bool,
}

impl Cuts {
    /// As few intervals as possible.
    pub const NONE: Cuts = Cuts { infinities: false, zeros: false, signs: false };
    /// Infinities apart.
    pub const INFINITIES: Cuts = Cuts { infinities: true, zeros: false, signs: false };
    /// Negative and positive apart.
    pub const SIGNS: Cuts = Cuts { infinities: false, zeros: false, signs: true };
    /// All classes apart.
    pub const ALL: Cuts = Cuts { infinities: true, zeros: true, signs: true };
}

/// At most six disjoint ascending intervals.
#[derive(Clone, Copy, Debug)]
pub struct Pieces {
    items: [Interval; 6],
    len: usize,
}

impl Pieces {
    /// The intervals.
    pub fn as_slice(&self) -> &[Interval] {
        &self.items[..self.len]
    }

    fn push(&mut self, interval: Interval, cut: bool) {
        if interval.is_empty() {
            return;
        }
        match self.items[..self.len].last_mut() {
            Some(last) if !cut && last.hi + 1 == interval.lo => last.hi = interval.hi,
            _ => {
                self.items[self.len] = interval;
                self.len += 1;
            }
        }
    }
}

fn special_of_key(format: Format, key: Key) -> Option<Special> {
    Special::NUMBERS.into_iter().find(|special| special.key(format) == Some(key))
}

/// The hull of the nonzero finite numbers of an interval of keys.
fn clip(format: Format, interval: Interval) -> Interval {
    let max = key::max_finite(format);
    let mut clipped = interval.meet(Interval { lo: key::negate(max), hi: max });
    if is_zero(clipped.lo) {
        clipped.lo = key::POSITIVE_ZERO + 1;
    }
    if is_zero(clipped.hi) {
        clipped.hi = key::NEGATIVE_ZERO - 1;
    }
    if clipped.is_empty() { Interval::EMPTY } else { clipped }
}

fn is_zero(key: Key) -> bool {
    key == key::NEGATIVE_ZERO || key == key::POSITIVE_ZERO
}

#[cfg(test)]
mod tests;
