//! Inputs drawn evenly from those of one path: path-oriented random testing (Gotlieb and Petit 2006, 2010).
//!
//! The domain of the path's numbers is cut into boxes. A box is dropped when propagation refutes it together with the
//! path condition; one of which the solver knows nothing is kept. A draw takes a box, anew each time, with a probability
//! that is proportional to its volume, and a point of it evenly; the point is accepted if the path condition holds there.
//! What is accepted is then distributed evenly over all inputs of the path, however coarse the boxes are.
//!
//! By default the largest box is halved, and narrowed to what propagation leaves, until most draws are accepted; a domain of
//! few points is counted, and then no draw is rejected. With a number of ranges the cut is that of the papers: so many
//! ranges of one length for each integer, the last of which may stick out of the domain.
//!
//! A float is drawn evenly from the values that it can represent: it is taken for the number of its place among them, in
//! ascending order. NaN is none of them; a float that is NaN on the input of the path stays so.
//!
//! Not drawn: pointers, and how many elements there are; they stay as in the input that was found for the path.

use std::rc::Rc;

use clew_scalar::{BinaryOp, Format, Type, Value};
use clew_solver::model::Model;
use clew_solver::term::{Node, TermId, VarId};

use clew_symbolic::constraints::Answer;
use clew_symbolic::ending::PathEnd;
use clew_symbolic::input::Root;
use clew_symbolic::state::State;
use clew_symbolic::value::{Scalar, Val};
use clew_symbolic::{Explored, Path};

use crate::policy;
use crate::{Next, Search};

/// What is drawn of each path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// Inputs of each path.
    pub per_path: u64,
    /// Ranges that each integer is cut into; `None` leaves it to the search.
    pub ranges: Option<u32>,
    /// Seed of the draws.
    pub seed: u64,
}

/// How the inputs of one path were drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// The path, by its number from 1.
    pub path: u64,
    /// Numbers that were drawn.
    pub numbers: usize,
    /// Parts of the input that were not.
    pub kept: usize,
    /// Draws.
    pub draws: u64,
    /// Draws that were accepted.
    pub accepted: u64,
    /// Boxes that draws were made from.
    pub boxes: usize,
    /// Boxes that propagation refuted.
    pub refuted: usize,
    /// How many inputs the path has, where they were counted.
    pub inputs: Option<u64>,
    /// Pearson's statistic and its degrees of freedom, where there are enough inputs to say.
    pub chi_square: Option<(f64, u64)>,
}

/// The interval of a number: its first value, and how many steps follow.
type Range = (u128, u128);

/// A number of the input.
#[derive(Clone, Copy, Debug)]
struct Number {
    term: TermId,
    var: VarId,
    width: u8,
    /// Of a float, the format: it is drawn by its place among all floats.
    format: Option<Format>,
}

impl Number {
    /// All values; those of a float begin at minus infinity and end at infinity.
    fn whole(self) -> Range {
        match self.format {
            None => (0, mask(self.width)),
            Some(format) => (0, self.place(format.infinity(false))),
        }
    }

    /// The bits of the value at a place.
    fn bits(self, place: u128) -> u128 {
        self.format.map_or(place, |format| format.from_ordered(place as i128 + format.ordered(format.infinity(true))))
    }

    /// The place of a value.
    fn place(self, bits: u128) -> u128 {
        self.format.map_or(bits, |format| (format.ordered(bits) - format.ordered(format.infinity(true))) as u128)
    }

    fn value(self, place: u128) -> Value {
        let bits = self.bits(place);
        Value { ty: self.format.map_or(Type::Int(self.width), Type::Float), bits }
    }
}

/// A random sequence: splitmix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `last`, evenly.
    fn up_to(&mut self, last: u128) -> u128 {
        let number = last.saturating_add(1);
        // Draws beyond the last whole multiple do not count.
        let whole = u128::MAX - u128::MAX % number;
        loop {
            let drawn = u128::from(self.next()) << 64 | u128::from(self.next());
            if drawn < whole {
                return drawn % number;
            }
        }
    }
}

/// Boxes to draw from.
#[derive(Clone, Debug, Default)]
struct Boxes {
    all: Vec<Vec<Range>>,
    refuted: usize,
    /// Where boxes stick out, what they stick out of.
    domain: Option<Vec<Range>>,
}

/// The number of points of a box.
fn volume(of: &[Range]) -> u128 {
    of.iter().fold(1, |volume: u128, (_, span)| volume.saturating_mul(span.saturating_add(1)))
}

/// The same where it may be too great to count.
fn measure(of: &[Range]) -> f64 {
    of.iter().map(|(_, span)| *span as f64 + 1.0).product()
}

impl Boxes {
    fn volume(&self) -> u128 {
        self.all.iter().fold(0, |sum: u128, one| sum.saturating_add(volume(one)))
    }

    /// A box, with a probability that is proportional to its volume.
    fn choose(&self, random: &mut Random) -> &[Range] {
        let last = self.all.last().expect("there is a box");
        let all = self.volume();
        if all == u128::MAX {
            let part = (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
            let mut at = part * self.all.iter().map(|one| measure(one)).sum::<f64>();
            let mut chosen = self.all.iter().filter(|one| {
                at -= measure(one);
                at < 0.0
            });
            return chosen.next().unwrap_or(last);
        }
        let mut at = random.up_to(all - 1);
        for one in &self.all {
            let volume = volume(one);
            if at < volume {
                return one;
            }
            at -= volume;
        }
        last
    }

    /// A point, evenly; `None` where it lies outside of the domain.
    fn draw(&self, random: &mut Random, numbers: &[Number]) -> Option<Vec<u128>> {
        let chosen = self.choose(random);
        self.inside(chosen.iter().map(|(lo, span)| lo + random.up_to(*span)).collect(), numbers)
    }

    /// A point of a box, unless it lies outside of the domain.
    fn inside(&self, point: Vec<u128>, numbers: &[Number]) -> Option<Vec<u128>> {
        let is_outside = |domain: &Vec<Range>| point.iter().zip(domain).any(|(value, (lo, span))| value - lo > *span);
        if self.domain.as_ref().is_some_and(is_outside) {
            return None;
        }
        Some(point.iter().zip(numbers).map(|(value, number)| value & mask(number.width)).collect())
    }
}

fn mask(width: u8) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

impl Search<'_> {
    /// From now on each path is handed over with inputs drawn evenly from its own, instead of the one that was found.
    pub fn sample(&mut self, sampling: Sampling) {
        self.sampling = Some(sampling);
    }

    /// How inputs were drawn so far, path by path.
    pub fn drawn(&self) -> &[Drawn] {
        &self.drawn
    }

    /// Hands over inputs drawn from those of a path.
    pub(crate) fn hand_over_drawn(
        &mut self,
        path: &Path,
        found_first: Explored,
        found: &mut dyn FnMut(Explored) -> Next,
    ) -> Next {
        let Some(sampling) = self.sampling else { return found(found_first) };
        if !matches!(found_first.end, PathEnd::Returned(_) | PathEnd::Exited(_) | PathEnd::Stopped) {
            return found(found_first);
        }
        let (models, mut drawn) = self.draw(path, sampling);
        drawn.path = self.drawn.len() as u64 + 1;
        self.drawn.push(drawn);
        if models.is_empty() {
            return found(found_first);
        }
        for model in models {
            let path = Path { state: path.state.clone(), model };
            let input = self.stepper.concrete_input(&path.state, &path.model);
            let trace = self.stepper.trace(&path);
            if found(Explored { input, trace, ..found_first.clone() }) == Next::Stop {
                return Next::Stop;
            }
        }
        Next::Continue
    }

    /// Draws inputs of a path.
    fn draw(&mut self, path: &Path, sampling: Sampling) -> (Vec<Rc<Model>>, Drawn) {
        let mut drawing = Drawing::new(self, path);
        let mut random =
            Random(sampling.seed ^ (drawing.search.drawn.len() as u64).wrapping_mul(0xd134_2543_de82_ef95));
        let mut drawn = Drawn { numbers: drawing.numbers.len(), kept: drawing.kept, ..Drawn::default() };
        let boxes = match sampling.ranges {
            Some(ranges) => drawing.cut(ranges),
            None => drawing.halve(&mut random.clone()),
        };
        (drawn.boxes, drawn.refuted) = (boxes.all.len(), boxes.refuted);
        let counted = drawing.counted(&boxes);
        drawn.inputs = counted.as_ref().map(|points| points.len() as u64);
        let mut points: Vec<Vec<u128>> = Vec::new();
        let most =
            policy::EXTRA_DRAWS.get().saturating_add(sampling.per_path.saturating_mul(policy::DRAWS_PER_INPUT.get()));
        let by_count = counted.as_ref().filter(|points| sampling.ranges.is_none() && !points.is_empty());
        while (points.len() as u64) < sampling.per_path && drawn.draws < most && !boxes.all.is_empty() {
            drawn.draws += 1;
            let point = match by_count {
                Some(all) => Some(all[random.up_to(all.len() as u128 - 1) as usize].clone()),
                None => boxes.draw(&mut random, &drawing.numbers),
            };
            points.extend(point.filter(|point| by_count.is_some() || drawing.accepts(point)));
        }
        drawn.accepted = points.len() as u64;
        drawn.chi_square = counted.and_then(|all| chi_square(&all, &points));
        (points.iter().map(|point| drawing.model(point)).collect(), drawn)
    }
}

/// A path whose inputs are drawn.
struct Drawing<'s, 'p> {
    search: &'s mut Search<'p>,
    path: &'s Path,
    numbers: Vec<Number>,
    /// Parts of the input that stay as they are.
    kept: usize,
    condition: Vec<TermId>,
    is_quantified: bool,
}

impl<'s, 'p> Drawing<'s, 'p> {
    fn new(search: &'s mut Search<'p>, path: &'s Path) -> Drawing<'s, 'p> {
        let (_, condition) = path.state.condition.beyond(&Default::default());
        let terms = search.stepper.constraints.terms();
        let (mut numbers, mut kept): (Vec<Number>, usize) = (Vec::new(), 0);
        let is_allocation =
            |object| path.state.inputs.objects.iter().any(|it| it.object == object && matches!(it.root, Root::Stub));
        for leaf in &path.state.inputs.leaves {
            let Val::Scalar(Scalar::Term(term)) = leaf.val else {
                kept += 1;
                continue;
            };
            let (Node::Var(var), false) = (terms.node(term), is_allocation(leaf.object)) else {
                kept += 1;
                continue;
            };
            let ty = terms.ty(term);
            let format = match ty {
                Type::Int(_) => None,
                Type::Float(format) => Some(format),
            };
            let number = Number { term, var, width: ty.width(), format };
            let is_value = format.is_none_or(|format| !format.is_nan(path.model.bits(var)));
            if number.width > 64 || !is_value {
                kept += 1;
            } else if !numbers.iter().any(|known| known.var == var) {
                numbers.push(number);
            }
        }
        let is_quantified = search.stepper.has_quantified_clauses();
        Drawing { search, path, numbers, kept, condition, is_quantified }
    }

    /// An input with these numbers.
    fn model(&self, point: &[u128]) -> Rc<Model> {
        let mut model = Model::clone(&self.path.model);
        for (number, place) in self.numbers.iter().zip(point) {
            model.set(number.var, number.value(*place));
        }
        Rc::new(model)
    }

    /// Whether the path is taken at a point.
    fn accepts(&mut self, point: &[u128]) -> bool {
        let model = self.model(point);
        let constraints = &mut self.search.stepper.constraints;
        // What was added last is what most points fail.
        if !self.condition.iter().rev().all(|term| constraints.holds(&model, *term)) {
            return false;
        }
        if !self.is_quantified {
            return true;
        }
        let mut state: State = self.path.state.clone();
        let answer = self.search.stepper.solve(&mut state, None, &model);
        matches!(answer, Answer::Sat(same) if self.numbers.iter().zip(point).all(|(it, place)| same.bits(it.var) == it.bits(*place)))
    }

    /// That a number lies in a range.
    fn within(&mut self, number: Number, lo: u128, span: u128) -> Vec<TermId> {
        let terms = self.search.stepper.constraints.terms();
        let Some(format) = number.format else {
            let (lo, span) = (terms.int(number.width, lo), terms.int(number.width, span));
            let steps = terms.binary(BinaryOp::Sub, number.term, lo);
            return vec![terms.binary(BinaryOp::Ule, steps, span)];
        };
        // Both zeros are equal: a box that ends at one of them may have the other one, too.
        let most = (lo + span).min(number.whole().1);
        let (least, most) = (terms.float(format, number.bits(lo.min(most))), terms.float(format, number.bits(most)));
        vec![terms.binary(BinaryOp::FloatLe, least, number.term), terms.binary(BinaryOp::FloatLe, number.term, most)]
    }

    /// What propagation leaves of a box; `None` if that is nothing.
    fn narrowed(&mut self, of: &[Range]) -> Option<Vec<Range>> {
        let mut state: State = self.path.state.clone();
        for (number, (lo, span)) in self.numbers.clone().into_iter().zip(of) {
            if (*lo, *span) != number.whole() && *span < mask(number.width) {
                self.within(number, *lo, *span).into_iter().for_each(|term| state.condition.push_back(term));
            }
        }
        let mut narrowed = Vec::new();
        for (number, (lo, span)) in self.numbers.iter().zip(of) {
            let interval = self.search.stepper.constraints.range(&state, number.term)?.interval();
            if number.format.is_some() {
                narrowed.push((*lo, *span));
                continue;
            }
            let mask = mask(number.width);
            let range = (interval.lo, interval.span(mask));
            // Propagation may leave more than the box where it stops early.
            let inside = interval.lo.wrapping_sub(*lo) & mask;
            let fits = inside <= *span && range.1 <= span - inside;
            narrowed.push(if fits { range } else { (*lo, *span) });
        }
        Some(narrowed)
    }

    /// The whole domain.
    fn whole(&mut self) -> Vec<Range> {
        let whole: Vec<Range> = self.numbers.iter().map(|number| number.whole()).collect();
        self.narrowed(&whole).unwrap_or(whole)
    }

    /// The cut of the papers: ranges of one length for each number.
    fn cut(&mut self, ranges: u32) -> Boxes {
        let ranges = u128::from(ranges.max(1));
        let whole = self.whole();
        let mut all: Vec<Vec<Range>> = vec![Vec::new()];
        for (lo, span) in &whole {
            let length = (span + 1).div_ceil(ranges);
            let starts: Vec<u128> = (0..ranges).map(|number| lo + number * length).collect();
            let longer = |one: &Vec<Range>| {
                let one = one.clone();
                starts.iter().map(move |start| [&one[..], &[(*start, length - 1)]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
            if all.len() > policy::MAX_BOXES.size() {
                return Boxes { all: vec![whole], ..Boxes::default() };
            }
        }
        let number = all.len();
        if ranges > 1 {
            all.retain(|one| self.narrowed(one).is_some());
        }
        Boxes { refuted: number - all.len(), all, domain: Some(whole) }
    }

    /// Halves the largest box until most draws are accepted.
    fn halve(&mut self, random: &mut Random) -> Boxes {
        let mut boxes = Boxes { all: vec![self.whole()], ..Boxes::default() };
        let mut next_pilot = 1;
        while boxes.all.len() < policy::MAX_BOXES.size()
            && !boxes.all.is_empty()
            && boxes.volume() > policy::MAX_COUNTED_POINTS.wide()
        {
            if boxes.all.len() >= next_pilot {
                next_pilot = boxes.all.len() * 2;
                let accepted = (0..policy::PILOT_DRAWS.small())
                    .filter(|_| boxes.draw(random, &self.numbers).is_some_and(|point| self.accepts(&point)));
                if accepted.count() as u32 >= policy::PILOT_ACCEPTED.small() {
                    break;
                }
            }
            let largest =
                (0..boxes.all.len()).max_by(|a, b| measure(&boxes.all[*a]).total_cmp(&measure(&boxes.all[*b])));
            let largest = largest.expect("there is a box");
            let of = boxes.all.swap_remove(largest);
            let Some(widest) = (0..of.len()).max_by_key(|at| of[*at].1).filter(|at| of[*at].1 > 0) else {
                boxes.all.push(of);
                break;
            };
            let (lo, span) = of[widest];
            let low = span / 2;
            for half in [(lo, low), (lo.wrapping_add(low + 1) & mask(self.numbers[widest].width), span - low - 1)] {
                let mut part = of.clone();
                part[widest] = half;
                match self.narrowed(&part) {
                    Some(narrowed) => boxes.all.push(narrowed),
                    None => boxes.refuted += 1,
                }
            }
        }
        boxes
    }

    /// All inputs of the path, where the boxes have few points.
    fn counted(&mut self, boxes: &Boxes) -> Option<Vec<Vec<u128>>> {
        if boxes.volume() > policy::MAX_COUNTED_POINTS.wide() {
            return None;
        }
        let mut all = Vec::new();
        for one in &boxes.all {
            for number in 0..volume(one) {
                let mut rest = number;
                let mut point = Vec::new();
                for (lo, span) in one {
                    point.push(lo + rest % (span + 1));
                    rest /= span + 1;
                }
                all.extend(boxes.inside(point, &self.numbers).filter(|point| self.accepts(point)));
            }
        }
        all.sort_unstable();
        Some(all)
    }
}

/// Pearson's statistic of points among all of them, where each is to be expected five times.
fn chi_square(all: &[Vec<u128>], points: &[Vec<u128>]) -> Option<(f64, u64)> {
    if all.len() < 2 || points.len() < 5 * all.len() {
        return None;
    }
    let mut counts = vec![0_u64; all.len()];
    for point in points {
        counts[all.binary_search(point).ok()?] += 1;
    }
    let expected = points.len() as f64 / all.len() as f64;
    let sum: f64 = counts.iter().map(|count| (*count as f64 - expected).powi(2) / expected).sum();
    Some((sum, all.len() as u64 - 1))
}

impl Drawn {
    /// How likely a statistic as great as that, or greater, is for inputs that are drawn evenly (Wilson and Hilferty 1931).
    pub fn probability(&self) -> Option<f64> {
        let (statistic, freedom) = self.chi_square?;
        let ninth = 2.0 / (9.0 * freedom as f64);
        let z = ((statistic / freedom as f64).cbrt() - (1.0 - ninth)) / ninth.sqrt();
        Some(upper_tail(z))
    }
}

/// The part of a normal distribution beyond a point (Abramowitz and Stegun 1964, 7.1.26).
fn upper_tail(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series =
        t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let half = series * (-x * x).exp() / 2.0;
    if z >= 0.0 { half } else { 1.0 - half }
}

#[cfg(test)]
mod tests {
    use super::{Random, upper_tail};

    #[test]
    fn numbers_are_drawn_evenly() {
        let mut random = Random(7);
        let mut counts = [0_u32; 6];
        (0..60_000).for_each(|_| counts[random.up_to(5) as usize] += 1);
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }

    #[test]
    fn tails_of_the_normal_distribution() {
        assert!((upper_tail(0.0) - 0.5).abs() < 1e-6);
        assert!((upper_tail(1.959_964) - 0.025).abs() < 1e-5);
        assert!((upper_tail(-1.959_964) - 0.975).abs() < 1e-5);
    }
}
