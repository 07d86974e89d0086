//! How many values some variables have together on the inputs of a path, and which.
//!
//! The condition falls into components that share no variable; their numbers are multiplied. Within a component the domains
//! that propagation leaves are a box. If the box is small, its points are evaluated one by one; if the condition holds on
//! all of it (its negation has no solution there), all its points count; otherwise it is halved along the variable with
//! the smallest domain (of several, the one that is used most), and both halves are looked at. That is the labelling of every constraint system, with boxes kept
//! whole where they can be. When the questions are used up, what is left counts by the solutions seen: then the number is
//! a lower bound, and says so.

use std::collections::BTreeSet;
use std::rc::Rc;

use clew_scalar::{BinaryOp, Type, Value};
use clew_solver::domain::int::IntDomain;
use clew_solver::evaluate::Evaluator;
use clew_solver::model::Model;
use clew_solver::solver;
use clew_solver::term::{Node, Sort, TermId, Terms, VarId};

use super::Constraints;
use crate::condition::Condition;
use crate::state::State;

/// Points of a box that are evaluated one by one.
const SMALL: u128 = 4096;

/// Times that a part is shaved off an end of a domain, or tried to be.
const MOST_SHAVINGS: u32 = 48;

/// What larger numbers are at least.
const MOST: u128 = u128::MAX;

/// How many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// So many, or at least so many.
    pub number: u128,
    /// Whether there are no more.
    pub is_exact: bool,
    /// Some of them, as many as were wanted: the variables with their bits.
    pub points: Vec<Point>,
}

/// Variables with their bits.
pub type Point = Vec<(VarId, u128)>;

/// The variables of some terms.
pub fn variables(terms: &Terms, of: &[TermId]) -> BTreeSet<VarId> {
    let nodes = terms.reachable(of).into_iter().map(|term| terms.node(term));
    nodes.filter_map(|node| if let Node::Var(var) = node { Some(var) } else { None }).collect()
}

/// Constraints with the variables that they share.
#[derive(Debug, Default)]
struct Component {
    constraints: Vec<TermId>,
    variables: Vec<VarId>,
}

/// Counting within one component.
struct Counting<'c> {
    constraints: &'c mut Constraints,
    component: &'c Component,
    cells: Vec<TermId>,
    /// How many terms use each cell.
    uses: Vec<usize>,
    negated: TermId,
    evaluator: Evaluator,
    wanted: usize,
    /// Questions left.
    left: u64,
    counted: Counted,
}

impl Constraints {
    /// How many values these variables, integers all, have together on the inputs of a path, with at most so many questions.
    /// `None` if its condition speaks of other variables too.
    pub fn count(&mut self, state: &State, cells: &BTreeSet<VarId>, wanted: usize, questions: u64) -> Option<Counted> {
        let condition: Vec<TermId> = state.condition.beyond(&Condition::default()).1;
        let is_integer = |var: &VarId| {
            let terms = self.solver.terms();
            matches!(terms.sort(terms.var(*var).term), Sort::Scalar(Type::Int(_)))
        };
        if !variables(self.solver.terms(), &condition).is_subset(cells) || !cells.iter().all(is_integer) {
            return None;
        }
        let mut whole = Counted { number: 1, is_exact: true, points: vec![Vec::new()] };
        for component in components(self.solver.terms(), &condition, cells) {
            let counted = self.count_component(&component, wanted, questions);
            whole = whole.and(counted, wanted);
        }
        Some(whole)
    }

    fn count_component(&mut self, component: &Component, wanted: usize, questions: u64) -> Counted {
        let terms = self.terms();
        let cells: Vec<TermId> = component.variables.iter().map(|var| terms.var(*var).term).collect();
        let holds = component
            .constraints
            .iter()
            .fold(None, |all: Option<TermId>, term| Some(all.map_or(*term, |all| terms.and(all, *term))));
        let holds = holds.unwrap_or_else(|| terms.bool(true));
        let negated = terms.not(holds);
        let nodes = terms.reachable(&component.constraints);
        let uses = |cell: &TermId| nodes.iter().filter(|node| terms.operands(**node).contains(cell)).count();
        let uses = cells.iter().map(uses).collect();
        let mut counting = Counting {
            constraints: self,
            component,
            cells,
            uses,
            negated,
            evaluator: Evaluator::new(),
            wanted,
            left: questions,
            counted: Counted { is_exact: true, ..Counted::default() },
        };
        let mut condition = Condition::default();
        component.constraints.iter().for_each(|term| condition.push_back(*term));
        counting.region(&condition);
        counting.counted
    }

    /// Values that include all a variable has on the inputs of a path: what propagation leaves, its ends shaved off as long as
    /// propagation alone refutes them (Lhomme 1993).
    pub fn shaved(&mut self, state: &State, variable: TermId) -> Option<IntDomain> {
        self.shaved_within(&state.condition, variable)
    }

    fn shaved_within(&mut self, condition: &Condition, variable: TermId) -> Option<IntDomain> {
        self.focus(condition);
        let mut range = self.solver.range(variable)?;
        if self.terms().width(variable) == 1 {
            return Some(range);
        }
        for at_low_end in [true, false] {
            let mut part = range.interval().span(range.mask()) / 2;
            for _ in 0..MOST_SHAVINGS {
                if range.count() < 2 {
                    break;
                }
                let (lo, hi, mask) = (range.interval().lo, range.interval().hi, range.mask());
                part = part.min(range.interval().span(mask) / 2);
                let (end, rest) = if at_low_end {
                    ((lo, lo.wrapping_add(part) & mask), (lo.wrapping_add(part + 1) & mask, hi))
                } else {
                    ((hi.wrapping_sub(part) & mask, hi), (lo, hi.wrapping_sub(part + 1) & mask))
                };
                match self.range_within(condition, variable, end) {
                    None => range = self.range_within(condition, variable, rest)?,
                    Some(_) if part == 0 => break,
                    Some(_) => part /= 2,
                }
            }
        }
        Some(range)
    }

    fn range_within(&mut self, condition: &Condition, variable: TermId, within: (u128, u128)) -> Option<IntDomain> {
        let mut inside = condition.clone();
        bounds(self.terms(), variable, within).into_iter().for_each(|bound| inside.push_back(bound));
        self.focus(&inside);
        self.solver.range(variable)
    }

    /// The smallest and the largest value of a variable on the inputs of a path, in the order of its type; `None` for what
    /// the solver does not know.
    pub fn extremes(&mut self, state: &State, variable: TermId, is_signed: bool) -> [Option<u128>; 2] {
        self.focus(&state.condition);
        [false, true].map(|greatest| self.extreme(variable, is_signed, greatest))
    }

    fn extreme(&mut self, variable: TermId, is_signed: bool, greatest: bool) -> Option<u128> {
        let width = self.terms().width(variable);
        let flip = if is_signed { 1u128 << (width - 1) } else { 0 };
        // On this scale the order is that of natural numbers, and the least is looked for.
        let mask = if width == 128 { u128::MAX } else { (1 << width) - 1 };
        let scaled = |bits: u128| if greatest { mask - (bits ^ flip) } else { bits ^ flip };
        let Node::Var(var) = self.terms().node(variable) else { return None };
        if width == 1 {
            return None;
        }
        let range = self.solver.range(variable)?;
        let ends = [range.unsigned_min(), range.unsigned_max(), range.signed_min() as u128, range.signed_max() as u128];
        let mut least = ends.into_iter().map(|bits| scaled(bits & mask)).min()?;
        let solver::Answer::Sat(model) = self.check(&[]) else { return None };
        let mut best = scaled(model.bits(var));
        while least < best {
            let middle = least + (best - least) / 2;
            let bound = self.constant_like(variable, scaled_back(middle, mask, flip, greatest));
            let (below, signed) = (if greatest { (bound, variable) } else { (variable, bound) }, is_signed);
            let op = if signed { BinaryOp::Sle } else { BinaryOp::Ule };
            let below = self.terms().binary(op, below.0, below.1);
            match self.check(&[below]) {
                solver::Answer::Sat(model) => best = scaled(model.bits(var)),
                solver::Answer::Unsat(_) => least = middle + 1,
                solver::Answer::Unknown(_) => return None,
            }
        }
        Some(scaled_back(best, mask, flip, greatest))
    }
}

/// From the scale on which the least is looked for to bits.
fn scaled_back(number: u128, mask: u128, flip: u128, greatest: bool) -> u128 {
    (if greatest { mask - number } else { number }) ^ flip
}

/// The constraints by the variables they share; variables without constraints are alone.
fn components(terms: &Terms, condition: &[TermId], cells: &BTreeSet<VarId>) -> Vec<Component> {
    let mut components: Vec<Component> =
        cells.iter().map(|var| Component { constraints: Vec::new(), variables: vec![*var] }).collect();
    for &constraint in condition {
        let shared = variables(terms, &[constraint]);
        let mut joined = Component { constraints: vec![constraint], variables: Vec::new() };
        components.retain_mut(|component| {
            let is_apart = component.variables.iter().all(|var| !shared.contains(var));
            if !is_apart {
                joined.constraints.append(&mut component.constraints);
                joined.variables.append(&mut component.variables);
            }
            is_apart
        });
        joined.variables.sort_unstable();
        components.push(joined);
    }
    components.iter_mut().for_each(|component| component.constraints.sort_unstable());
    components.sort_by_key(|component| component.variables.first().copied());
    components
}

impl Counted {
    /// The product with what was counted of other variables.
    fn and(self, other: Counted, wanted: usize) -> Counted {
        let number = self.number.checked_mul(other.number);
        let with = |own: &Point, other: &Point| own.iter().chain(other).copied().collect();
        let points = self.points.iter().flat_map(|own| other.points.iter().map(move |other| with(own, other)));
        Counted {
            number: number.unwrap_or(MOST),
            is_exact: self.is_exact && other.is_exact && number.is_some(),
            points: points.take(wanted).collect(),
        }
    }

    fn add(&mut self, number: u128) {
        let sum = self.number.checked_add(number);
        self.is_exact &= sum.is_some();
        self.number = sum.unwrap_or(MOST);
    }
}

impl Counting<'_> {
    /// Counts what is inside a condition, which is that of the component and bounds of its variables.
    fn region(&mut self, condition: &Condition) {
        self.constraints.focus(condition);
        let model = match self.ask(&[]) {
            solver::Answer::Unsat(_) => return,
            solver::Answer::Unknown(_) => return self.counted.is_exact = false,
            solver::Answer::Sat(model) => model,
        };
        let volume_of =
            |ranges: &[IntDomain]| ranges.iter().try_fold(1u128, |volume, range| volume.checked_mul(range.count()));
        let range = |cell: &TermId| self.constraints.solver.range(*cell);
        let Some(mut ranges) = self.cells.iter().map(range).collect::<Option<Vec<IntDomain>>>() else { return };
        if volume_of(&ranges).is_none_or(|volume| volume > SMALL) {
            let shaved = |cell: &TermId| self.constraints.shaved_within(condition, *cell);
            let Some(shaved) = self.cells.iter().map(shaved).collect::<Option<Vec<IntDomain>>>() else { return };
            ranges = shaved;
            self.left = self.left.saturating_sub(self.cells.len() as u64);
        }
        let volume = volume_of(&ranges);
        if volume.is_some_and(|volume| volume <= SMALL) {
            return self.points(&ranges, true);
        }
        if self.is_full(&ranges) {
            match volume {
                Some(volume) => self.counted.add(volume),
                None => (self.counted.number, self.counted.is_exact) = (MOST, false),
            }
            return self.points(&ranges, false);
        }
        if self.left == 0 {
            // What the solver found is one, whatever else there is.
            self.counted.is_exact = false;
            let point = self.component.variables.iter().map(|var| (*var, model.bits(*var))).collect();
            self.counted.add(1);
            return self.keep(point);
        }
        let open = (0..ranges.len()).filter(|side| ranges[*side].count() > 1);
        let side = open.min_by_key(|side| (ranges[*side].count(), std::cmp::Reverse(self.uses[*side])));
        let side = side.expect("a box with many points has an open side");
        let (cell, range) = (self.cells[side], ranges[side]);
        for half in halves(&range) {
            let mut smaller = condition.clone();
            bounds(self.constraints.terms(), cell, half).into_iter().for_each(|bound| smaller.push_back(bound));
            self.region(&smaller);
        }
    }

    fn ask(&mut self, assumed: &[TermId]) -> solver::Answer {
        self.left = self.left.saturating_sub(1);
        self.constraints.check(assumed)
    }

    /// Whether the condition holds everywhere in a box of intervals.
    fn is_full(&mut self, ranges: &[IntDomain]) -> bool {
        let is_interval = |range: &IntDomain| {
            range.interval().span(range.mask()).checked_add(1).is_none_or(|span| span == range.count())
        };
        if !ranges.iter().all(is_interval) || !self.holds_at_corners(ranges) {
            return false;
        }
        let mut inside = Condition::default();
        for (cell, range) in self.cells.iter().zip(ranges) {
            let (lo, hi) = (range.interval().lo, range.interval().hi);
            bounds(self.constraints.terms(), *cell, (lo, hi)).into_iter().for_each(|bound| inside.push_back(bound));
        }
        inside.push_back(self.negated);
        self.constraints.focus(&inside);
        matches!(self.ask(&[]), solver::Answer::Unsat(_))
    }

    fn holds_at_corners(&mut self, ranges: &[IntDomain]) -> bool {
        let corner = |range: &IntDomain, at: usize| match at {
            0 => range.interval().lo,
            1 => range.interval().hi,
            _ => (range.interval().lo + range.interval().span(range.mask()) / 2) & range.mask(),
        };
        (0..6).all(|shift: usize| {
            let side = |index: usize| if shift < 3 { shift } else { (shift + index) % 3 };
            let point = (0..).zip(ranges).map(|(index, range)| corner(range, side(index))).collect::<Vec<_>>();
            self.holds(&point)
        })
    }

    fn holds(&mut self, bits: &[u128]) -> bool {
        let terms = self.constraints.solver.terms();
        let mut model = Model::new();
        for (var, bits) in self.component.variables.iter().zip(bits) {
            model.set(*var, Value::int(terms.width(terms.var(*var).term), *bits));
        }
        self.evaluator.reset();
        self.component.constraints.iter().all(|term| self.evaluator.is_true(terms, &model, *term))
    }

    /// Goes through the points of a box; `evaluated`, those count that satisfy the condition, otherwise they are only kept.
    fn points(&mut self, ranges: &[IntDomain], evaluated: bool) {
        let mut at: Vec<u128> = ranges.iter().map(least).collect();
        loop {
            if !evaluated && self.counted.points.len() >= self.wanted {
                return;
            }
            if !evaluated || self.holds(&at) {
                if evaluated {
                    self.counted.add(1);
                }
                self.keep(self.component.variables.iter().copied().zip(at.iter().copied()).collect());
            }
            let mut side = ranges.len();
            loop {
                let Some(last) = side.checked_sub(1) else { return };
                side = last;
                match next(&ranges[side], at[side]) {
                    Some(value) => break at[side] = value,
                    None => at[side] = least(&ranges[side]),
                }
            }
        }
    }

    fn keep(&mut self, point: Point) {
        if self.counted.points.len() < self.wanted {
            self.counted.points.push(point);
        }
    }
}

/// The value of a domain that comes first.
fn least(range: &IntDomain) -> u128 {
    range.first_from(range.interval().lo)
}

/// The value of a domain after another one.
fn next(range: &IntDomain, value: u128) -> Option<u128> {
    let following = range.first_from(value.wrapping_add(1) & range.mask());
    let distance = |bits: u128| bits.wrapping_sub(range.interval().lo) & range.mask();
    (distance(following) > distance(value)).then_some(following)
}

/// Two intervals, around the circle of values, that hold a domain.
fn halves(range: &IntDomain) -> [(u128, u128); 2] {
    let (lo, hi) = (range.interval().lo, range.interval().hi);
    let middle = (lo + range.interval().span(range.mask()) / 2) & range.mask();
    [(lo, middle), ((middle + 1) & range.mask(), hi)]
}

/// That a variable lies in an interval, around the circle of values.
fn bounds(terms: &mut Terms, cell: TermId, (lo, hi): (u128, u128)) -> Vec<TermId> {
    let width = terms.width(cell);
    if width == 1 {
        return if lo != hi { Vec::new() } else { vec![if lo == 1 { cell } else { terms.not(cell) }] };
    }
    let sign = |bits: u128| bits >> (width - 1) & 1;
    let [low, high] = [lo, hi].map(|bits| terms.int(width, bits));
    if lo == hi {
        vec![terms.eq(cell, low)]
    } else if lo < hi {
        vec![terms.binary(BinaryOp::Ule, low, cell), terms.binary(BinaryOp::Ule, cell, high)]
    } else if sign(lo) == 1 && sign(hi) == 0 {
        vec![terms.binary(BinaryOp::Sle, low, cell), terms.binary(BinaryOp::Sle, cell, high)]
    } else {
        let (from, span) = (terms.binary(BinaryOp::Sub, cell, low), terms.binary(BinaryOp::Sub, high, low));
        vec![terms.binary(BinaryOp::Ule, from, span)]
    }
}

/// A model with other values of some variables.
pub fn at(terms: &Terms, near: &Rc<Model>, point: &Point) -> Rc<Model> {
    let mut model = Model::clone(near);
    for (var, bits) in point {
        model.set(*var, Value::new(terms.ty(terms.var(*var).term), *bits));
    }
    Rc::new(model)
}
