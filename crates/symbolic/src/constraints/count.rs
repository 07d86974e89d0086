//! How many values some variables have together on the inputs of a path, and which.
//!
//! The condition falls into conjuncts, and these into components that share no variable; the numbers of components are
//! multiplied. Within a component the domains that propagation leaves are a box. What has one value there is put into the
//! constraints, which may fall apart then. If the box is small, its points are evaluated one by one; if the condition holds
//! on all of it (its negation has no solution there), all its points count; otherwise it is halved along the variable that
//! most constraints mention (of several, the one with the smallest domain), and both halves are looked at. That is the
//! labelling of every constraint system, with boxes kept whole where they can be. When the questions are used up, what is
//! left counts by the solutions seen: then the number is a lower bound, and says so.

use std::collections::BTreeSet;
use std::rc::Rc;

use clew_scalar::{BinaryOp, Type, UnaryOp, Value};
use clew_solver::domain::int::IntDomain;
use clew_solver::evaluate::Evaluator;
use clew_solver::model::Model;
use clew_solver::solver;
use clew_solver::term::{Node, Sort, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::Constraints;
use crate::condition::Condition;
use crate::policy;
use crate::state::State;

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

/// The solutions of constraints in some of their variables.
struct Counting<'c> {
    constraints: &'c mut Constraints,
    evaluator: Evaluator,
    wanted: usize,
    /// Questions left.
    left: u64,
    /// Components counted before, if exactly.
    known: FxHashMap<(Vec<TermId>, Vec<VarId>), Counted>,
}

/// Variables of a component with their terms and what propagation leaves them.
struct Region {
    cells: Vec<TermId>,
    ranges: Vec<IntDomain>,
}

impl Constraints {
    /// How many values these variables, integers all, have together on the inputs of a path, with at most so many questions.
    /// `None` if its condition speaks of other variables too that have not one value only.
    pub fn count(&mut self, state: &State, cells: &BTreeSet<VarId>, wanted: usize, questions: u64) -> Option<Counted> {
        let condition = self.without_known(state, cells);
        let is_integer = |var: &VarId| {
            let terms = self.solver.terms();
            matches!(terms.sort(terms.var(*var).term), Sort::Scalar(Type::Int(_)))
        };
        if !variables(self.solver.terms(), &condition).is_subset(cells) || !cells.iter().all(is_integer) {
            return None;
        }
        let cells: Vec<VarId> = cells.iter().copied().collect();
        let (evaluator, known) = (Evaluator::new(), FxHashMap::default());
        Some(Counting { constraints: self, evaluator, wanted, left: questions, known }.all(condition, &cells))
    }

    /// The condition of a path with the values of other variables than these that have one only.
    fn without_known(&mut self, state: &State, cells: &BTreeSet<VarId>) -> Vec<TermId> {
        let condition: Vec<TermId> = state.condition.beyond(&Condition::default()).1;
        self.focus(&state.condition);
        let mut done = FxHashMap::default();
        for var in variables(self.solver.terms(), &condition).difference(cells) {
            let variable = self.solver.terms().var(*var).term;
            let is_integer = matches!(self.solver.terms().sort(variable), Sort::Scalar(Type::Int(_)));
            let known = if is_integer { self.solver.range(variable).and_then(|range| range.value()) } else { None };
            if let Some(bits) = known {
                done.insert(variable, self.constant_like(variable, bits));
            }
        }
        let terms = self.terms();
        let holds = terms.bool(true);
        let known = condition.into_iter().map(|term| terms.substitute_all(term, &mut done));
        known.filter(|term| *term != holds).collect()
    }

    /// Whether every input of a path is one also with this value of a variable, all else unchanged.
    pub fn suffices(&mut self, state: &State, variable: TermId, bits: u128) -> bool {
        let condition: Vec<TermId> = state.condition.beyond(&Condition::default()).1;
        let mut done = FxHashMap::default();
        done.insert(variable, self.constant_like(variable, bits));
        let terms = self.terms();
        let mut holds = terms.bool(true);
        for term in condition {
            let with = terms.substitute_all(term, &mut done);
            holds = terms.and(holds, with);
        }
        let fails = terms.not(holds);
        self.focus(&state.condition);
        matches!(self.check(&[fails]), solver::Answer::Unsat(_))
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
            for _ in 0..policy::MAX_SHAVINGS.small() {
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
fn components(terms: &Terms, conjuncts: BTreeSet<TermId>, cells: &[VarId]) -> Vec<Component> {
    let mut components: Vec<Component> =
        cells.iter().map(|var| Component { constraints: Vec::new(), variables: vec![*var] }).collect();
    for constraint in conjuncts {
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

/// What holds together where all of some terms hold: conjunctions are taken apart.
fn conjuncts(terms: &mut Terms, of: Vec<TermId>) -> BTreeSet<TermId> {
    let (mut open, mut found) = (of, BTreeSet::new());
    let holds = terms.bool(true);
    while let Some(term) = open.pop() {
        match terms.node(term) {
            Node::Binary(BinaryOp::And, a, b) => open.extend([a, b]),
            Node::Unary(UnaryOp::Not, inner) => match terms.node(inner) {
                Node::Binary(BinaryOp::Or, a, b) => open.extend([terms.not(a), terms.not(b)]),
                _ => drop(found.insert(term)),
            },
            _ if term == holds => {}
            _ => drop(found.insert(term)),
        }
    }
    found
}

impl Counted {
    /// The product with what was counted of other variables.
    fn and(self, other: Counted, wanted: usize) -> Counted {
        let number = self.number.checked_mul(other.number);
        let is_none = |counted: &Counted| counted.number == 0 && counted.is_exact;
        let is_empty = is_none(&self) || is_none(&other);
        let with = |own: &Point, other: &Point| own.iter().chain(other).copied().collect();
        let points = self.points.iter().flat_map(|own| other.points.iter().map(move |other| with(own, other)));
        Counted {
            number: number.unwrap_or(MOST),
            is_exact: is_empty || self.is_exact && other.is_exact && number.is_some(),
            points: points.take(wanted).collect(),
        }
    }

    /// The sum with what was counted elsewhere.
    fn add(&mut self, other: Counted, wanted: usize) {
        let sum = self.number.checked_add(other.number);
        self.is_exact &= other.is_exact && sum.is_some();
        self.number = sum.unwrap_or(MOST);
        self.points.extend(other.points);
        self.points.truncate(wanted);
    }
}

impl Counting<'_> {
    /// Counts the solutions of constraints in variables that include theirs.
    fn all(&mut self, constraints: Vec<TermId>, variables: &[VarId]) -> Counted {
        let conjuncts = conjuncts(self.constraints.terms(), constraints);
        let mut whole = Counted { number: 1, is_exact: true, points: vec![Vec::new()] };
        whole.points.truncate(self.wanted);
        for component in components(self.constraints.terms(), conjuncts, variables) {
            let key = (component.constraints, component.variables);
            let counted = match self.known.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let counted = self.component(&key.0, &key.1);
                    if counted.is_exact {
                        self.known.insert(key, counted.clone());
                    }
                    counted
                }
            };
            whole = whole.and(counted, self.wanted);
            if whole.number == 0 && whole.is_exact {
                break;
            }
        }
        whole
    }

    /// Counts the solutions of constraints that hang together.
    fn component(&mut self, constraints: &[TermId], variables: &[VarId]) -> Counted {
        let mut condition = Condition::default();
        constraints.iter().for_each(|term| condition.push_back(*term));
        self.constraints.focus(&condition);
        let model = match self.ask() {
            solver::Answer::Unsat(_) => return Counted { is_exact: true, ..Counted::default() },
            solver::Answer::Unknown(_) => return Counted::default(),
            solver::Answer::Sat(model) => model,
        };
        let Some(region) = self.region(&condition, variables) else {
            return Counted { is_exact: true, ..Counted::default() };
        };
        if let Some((rest, fixed)) = self.without_fixed(constraints, variables, &region) {
            let open: Vec<VarId> =
                variables.iter().copied().filter(|var| fixed.iter().all(|it| it.0 != *var)).collect();
            let points = vec![fixed];
            return Counted { number: 1, is_exact: true, points }.and(self.all(rest, &open), self.wanted);
        }
        let volume = region.volume();
        if let Some(volume) = volume.filter(|volume| *volume <= policy::MAX_ENUMERATED_POINTS.wide()) {
            self.left = self.left.saturating_sub(volume as u64 / policy::EVALUATIONS_PER_QUESTION.get());
            return self.points(constraints, variables, &region, true);
        }
        if self.is_full(constraints, variables, &region) {
            let points = self.points(constraints, variables, &region, false).points;
            return Counted { number: volume.unwrap_or(MOST), is_exact: volume.is_some(), points };
        }
        if self.left == 0 {
            // What the solver found is one, whatever else there is.
            let point = variables.iter().map(|var| (*var, model.bits(*var))).collect();
            return Counted { number: 1, is_exact: false, points: vec![point].into_iter().take(self.wanted).collect() };
        }
        self.halved(constraints, variables, &region)
    }

    fn halved(&mut self, constraints: &[TermId], variables: &[VarId], region: &Region) -> Counted {
        let terms = self.constraints.terms();
        // Bounds of one variable tie it to no other.
        let tie = |term: &&TermId| self::variables(terms, &[**term]).len() > 1;
        let ties: Vec<TermId> = constraints.iter().filter(tie).copied().collect();
        let nodes = terms.reachable(&ties);
        let uses = |cell: TermId| nodes.iter().filter(|node| terms.operands(**node).contains(&cell)).count();
        let open = (0..variables.len()).filter(|side| region.ranges[*side].count() > 1);
        let side = open.min_by_key(|side| {
            let (count, uses) = (region.ranges[*side].count(), std::cmp::Reverse(uses(region.cells[*side])));
            // Of large domains the smallest comes first, so that boxes stay boxes.
            (count.saturating_sub(policy::LARGE_DOMAIN.wide()), uses, count)
        });
        let side = side.expect("a box with many points has an open side");
        let mut counted = Counted { is_exact: true, ..Counted::default() };
        for half in halves(&region.ranges[side]) {
            let mut smaller = constraints.to_vec();
            smaller.extend(bounds(self.constraints.terms(), region.cells[side], half));
            let half = self.all(smaller, variables);
            counted.add(half, self.wanted);
        }
        counted
    }

    /// What propagation leaves of the variables; `None` if there is nothing.
    fn region(&mut self, condition: &Condition, variables: &[VarId]) -> Option<Region> {
        let terms = self.constraints.terms();
        let cells: Vec<TermId> = variables.iter().map(|var| terms.var(*var).term).collect();
        let range = |cell: &TermId| self.constraints.solver.range(*cell);
        let ranges = cells.iter().map(range).collect::<Option<Vec<IntDomain>>>()?;
        let mut region = Region { cells, ranges };
        if region.volume().is_none_or(|volume| volume > policy::MAX_ENUMERATED_POINTS.wide()) {
            let shaved = |cell: &TermId| self.constraints.shaved_within(condition, *cell);
            region.ranges = region.cells.iter().map(shaved).collect::<Option<Vec<IntDomain>>>()?;
            self.left = self.left.saturating_sub(variables.len() as u64);
        }
        Some(region)
    }

    /// The constraints with the values of variables that have one only, and these; `None` if there are none.
    fn without_fixed(
        &mut self,
        constraints: &[TermId],
        variables: &[VarId],
        region: &Region,
    ) -> Option<(Vec<TermId>, Point)> {
        let (mut fixed, mut done) = (Point::new(), FxHashMap::default());
        let terms = self.constraints.terms();
        for ((var, cell), range) in variables.iter().zip(&region.cells).zip(&region.ranges) {
            if let Some(bits) = range.value() {
                let value = Value::new(terms.ty(*cell), bits);
                done.insert(*cell, terms.constant(value));
                fixed.push((*var, bits));
            }
        }
        // The last one is left to be evaluated.
        let is_open = !fixed.is_empty() && fixed.len() < variables.len();
        is_open.then(|| (constraints.iter().map(|term| terms.substitute_all(*term, &mut done)).collect(), fixed))
    }

    fn ask(&mut self) -> solver::Answer {
        self.left = self.left.saturating_sub(1);
        self.constraints.check(&[])
    }

    /// Whether constraints hold everywhere in a box of intervals.
    fn is_full(&mut self, constraints: &[TermId], variables: &[VarId], region: &Region) -> bool {
        let is_interval = |range: &IntDomain| {
            range.interval().span(range.mask()).checked_add(1).is_none_or(|span| span == range.count())
        };
        if !region.ranges.iter().all(is_interval) || !self.holds_at_corners(constraints, variables, &region.ranges) {
            return false;
        }
        let terms = self.constraints.terms();
        let mut inside = Condition::default();
        for (cell, range) in region.cells.iter().zip(&region.ranges) {
            let (lo, hi) = (range.interval().lo, range.interval().hi);
            bounds(terms, *cell, (lo, hi)).into_iter().for_each(|bound| inside.push_back(bound));
        }
        let holds = terms.bool(true);
        let holds = constraints.iter().fold(holds, |all, term| terms.and(all, *term));
        inside.push_back(terms.not(holds));
        self.constraints.focus(&inside);
        matches!(self.ask(), solver::Answer::Unsat(_))
    }

    fn holds_at_corners(&mut self, constraints: &[TermId], variables: &[VarId], ranges: &[IntDomain]) -> bool {
        let corner = |range: &IntDomain, at: usize| match at {
            0 => range.interval().lo,
            1 => range.interval().hi,
            _ => (range.interval().lo + range.interval().span(range.mask()) / 2) & range.mask(),
        };
        (0..6).all(|shift: usize| {
            let side = |index: usize| if shift < 3 { shift } else { (shift + index) % 3 };
            let point = (0..).zip(ranges).map(|(index, range)| corner(range, side(index))).collect::<Vec<_>>();
            self.holds(constraints, variables, &point)
        })
    }

    fn holds(&mut self, constraints: &[TermId], variables: &[VarId], bits: &[u128]) -> bool {
        let terms = self.constraints.solver.terms();
        let mut model = Model::new();
        for (var, bits) in variables.iter().zip(bits) {
            model.set(*var, Value::int(terms.width(terms.var(*var).term), *bits));
        }
        self.evaluator.reset();
        constraints.iter().all(|term| self.evaluator.is_true(terms, &model, *term))
    }

    /// Goes through the points of a box; `evaluated`, those count that satisfy the constraints, otherwise they are only kept.
    fn points(&mut self, constraints: &[TermId], variables: &[VarId], region: &Region, evaluated: bool) -> Counted {
        let mut counted = Counted { is_exact: true, ..Counted::default() };
        let mut at: Vec<u128> = region.ranges.iter().map(least).collect();
        loop {
            let is_enough = counted.points.len() >= self.wanted;
            if !evaluated && is_enough {
                return counted;
            }
            if !evaluated || self.holds(constraints, variables, &at) {
                counted.number += 1;
                if !is_enough {
                    counted.points.push(variables.iter().copied().zip(at.iter().copied()).collect());
                }
            }
            let mut side = region.ranges.len();
            loop {
                let Some(last) = side.checked_sub(1) else { return counted };
                side = last;
                match next(&region.ranges[side], at[side]) {
                    Some(value) => break at[side] = value,
                    None => at[side] = least(&region.ranges[side]),
                }
            }
        }
    }
}

impl Region {
    /// How many points there are; `None` if there are too many to say.
    fn volume(&self) -> Option<u128> {
        self.ranges.iter().try_fold(1u128, |volume, range| volume.checked_mul(range.count()))
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
