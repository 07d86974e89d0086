//! Equations modulo a small power of two.
//!
//! The lowest bits of sums, products and bitwise operators come from the lowest bits of the operands alone. So equations
//! between integers can be tried on the lowest bits of everything in them, first on one bit of each, then on two, as far as
//! the equations hold: `x * x + y * y = z * z` and `x * x + z * z = 21` have no solution modulo 8. Bounds and known bits do not see
//! this, and circuits of products are expensive. Terms with other operators are leaves with any value, which loses refutations
//! but no solution.
//!
//! Only where numbers are multiplied by each other: equations of sums are left to the other layers.

use crate::policy;
use clew_scalar::{BinaryOp, Conversion, Type, UnaryOp};
use rustc_hash::FxHashMap;

use crate::search::{Part, conjuncts};
use crate::term::{Node, TermId, Terms};

/// The positions of assertions whose equations contradict each other modulo a power of two, if any.
pub(crate) fn refute(terms: &Terms, part: &Part) -> Option<Vec<usize>> {
    let mut leaves = Leaves::default();
    let mut equations = Vec::new();
    for (&position, &goal) in part.assertions.iter().zip(&part.goals) {
        for conjunct in conjuncts(terms, &[goal]) {
            equations.extend(Equation::of(terms, conjunct, position, &mut leaves));
        }
    }
    if equations.len() > policy::RESIDUE_EQUATIONS.size() || !equations.iter().any(|equation| equation.multiplies) {
        return None;
    }
    let mut used: Vec<&Equation> = equations.iter().collect();
    if !Trial::new(&used, &leaves.widths).refutes() {
        return None;
    }
    // Each equation is left out once: what is refuted without it does not rest on it.
    for equation in equations.iter().rev() {
        let others: Vec<&Equation> = used.iter().copied().filter(|other| !std::ptr::eq(*other, equation)).collect();
        if Trial::new(&others, &leaves.widths).refutes() {
            used = others;
        }
    }
    let mut core: Vec<usize> = used.iter().map(|equation| equation.position).collect();
    core.dedup();
    Some(core)
}

/// Terms that can have any value.
#[derive(Default)]
struct Leaves {
    numbers: FxHashMap<TermId, usize>,
    widths: Vec<u32>,
}

impl Leaves {
    fn number(&mut self, terms: &Terms, term: TermId) -> usize {
        *self.numbers.entry(term).or_insert_with(|| {
            self.widths.push(terms.width(term).into());
            self.widths.len() - 1
        })
    }
}

/// How a term of an equation comes from earlier ones.
#[derive(Clone, Copy)]
enum Step {
    Leaf(usize),
    Constant(u64),
    Same(usize),
    Unary(UnaryOp, usize),
    Binary(BinaryOp, usize, usize),
    Shifted(usize, u32),
}

/// An equation as a list of steps.
struct Equation {
    /// Where the assertion stands.
    position: usize,
    steps: Vec<Step>,
    sides: [usize; 2],
    /// So many bits of the sides come from as many bits of the leaves.
    width: u32,
    leaves: Vec<usize>,
    /// Whether unknown numbers are multiplied by each other.
    multiplies: bool,
}

impl Equation {
    /// A condition as an equation between integers, if it is one and not too long.
    fn of(terms: &Terms, condition: TermId, position: usize, leaves: &mut Leaves) -> Option<Equation> {
        let Node::Binary(BinaryOp::Eq, a, b) = terms.node(condition) else { return None };
        if !matches!(terms.ty(a), Type::Int(2..)) {
            return None;
        }
        let order = inside(terms, [a, b])?;
        let width = order.iter().map(|&term| u32::from(terms.width(term))).min().unwrap_or(0);
        let mut places: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut equation =
            Equation { position, steps: vec![], sides: [0; 2], width, leaves: vec![], multiplies: false };
        for term in order {
            let step = step(terms, term, &places).unwrap_or_else(|| Step::Leaf(leaves.number(terms, term)));
            match step {
                Step::Leaf(leaf) => equation.leaves.push(leaf),
                Step::Binary(BinaryOp::Mul, x, y) => equation.multiplies |= equation.are_unknown([x, y]),
                _ => {}
            }
            places.insert(term, equation.steps.len());
            equation.steps.push(step);
        }
        equation.sides = [places[&a], places[&b]];
        Some(equation)
    }

    fn are_unknown(&self, places: [usize; 2]) -> bool {
        places.iter().all(|&place| !matches!(self.steps[place], Step::Constant(_)))
    }

    /// Whether the sides agree in so many lowest bits.
    fn holds(&self, bits: u32, values: &[u64], scratch: &mut Vec<u64>) -> bool {
        scratch.clear();
        for &step in &self.steps {
            let value = match step {
                Step::Leaf(leaf) => values[leaf],
                Step::Constant(value) => value,
                Step::Same(a) => scratch[a],
                Step::Unary(UnaryOp::Neg, a) => scratch[a].wrapping_neg(),
                Step::Unary(_, a) => !scratch[a],
                Step::Binary(op, a, b) => combined(op, scratch[a], scratch[b]),
                Step::Shifted(a, distance) => scratch[a].checked_shl(distance).unwrap_or(0),
            };
            scratch.push(value);
        }
        let [left, right] = self.sides.map(|side| scratch[side]);
        (left ^ right) & ((1 << bits) - 1) == 0
    }
}

fn combined(op: BinaryOp, a: u64, b: u64) -> u64 {
    match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        _ => unreachable!("no other operator is a step"),
    }
}

/// The operands whose lowest bits make the lowest bits of a term; `None` for a leaf.
fn operands(terms: &Terms, term: TermId) -> Option<Vec<TermId>> {
    match terms.node(term) {
        Node::Const(_) => Some(vec![]),
        Node::Unary(UnaryOp::Neg | UnaryOp::Not, a) => Some(vec![a]),
        Node::Binary(BinaryOp::Shl, a, distance) if terms.bits(distance).is_some() => Some(vec![a]),
        Node::Binary(op, a, b) if is_step(op) => Some(vec![a, b]),
        Node::Convert(Conversion::Truncate(_) | Conversion::ZeroExtend(_) | Conversion::SignExtend(_), a)
        | Node::Extract { lo: 0, of: a, .. }
        | Node::Concat(_, a) => Some(vec![a]),
        _ => None,
    }
}

fn is_step(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
}

/// The terms of an equation, operands first, leaves included; `None` if there are too many.
fn inside(terms: &Terms, sides: [TermId; 2]) -> Option<Vec<TermId>> {
    let mut found = sides.to_vec();
    let mut next = 0;
    while let Some(&term) = found.get(next) {
        for operand in operands(terms, term).into_iter().flatten() {
            if !found.contains(&operand) {
                found.push(operand);
            }
        }
        next += 1;
        if found.len() > policy::RESIDUE_TERMS.size() {
            return None;
        }
    }
    // Terms are made after their operands.
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// How a term comes from the terms before it; `None` for a leaf.
fn step(terms: &Terms, term: TermId, places: &FxHashMap<TermId, usize>) -> Option<Step> {
    let places: Vec<usize> = operands(terms, term)?.iter().map(|operand| places[operand]).collect();
    Some(match (terms.node(term), &places[..]) {
        (Node::Const(value), _) => Step::Constant(value.bits as u64),
        (Node::Unary(op, _), &[a]) => Step::Unary(op, a),
        (Node::Binary(BinaryOp::Shl, _, distance), &[a]) => {
            let distance = terms.bits(distance).expect("only constant distances are steps");
            Step::Shifted(a, u32::try_from(distance).unwrap_or(u32::MAX))
        }
        (Node::Binary(op, ..), &[a, b]) => Step::Binary(op, a, b),
        (_, &[a]) => Step::Same(a),
        _ => unreachable!("a step has as many places as operands"),
    })
}

/// A depth-first search through the lowest bits of all leaves.
struct Trial<'a> {
    equations: &'a [&'a Equation],
    /// The leaves in the order in which they get a bit, each with the equations that it is the last leaf of.
    order: Vec<(usize, Vec<usize>)>,
    widths: &'a [u32],
    values: Vec<u64>,
    scratch: Vec<u64>,
    left: u32,
}

/// What became of a search.
#[derive(PartialEq, Eq)]
enum Lifted {
    /// There are bits with which all equations hold, or the steps are used up.
    Open,
    Refuted,
}

impl Trial<'_> {
    fn new<'a>(equations: &'a [&'a Equation], widths: &'a [u32]) -> Trial<'a> {
        let (order, values) = (order(equations), vec![0; widths.len()]);
        Trial { equations, order, widths, values, scratch: Vec::new(), left: policy::RESIDUE_STEPS.small() }
    }

    fn refutes(mut self) -> bool {
        self.descend(0, 0) == Lifted::Refuted
    }

    /// Tries both values of a bit of a leaf, then those of the leaves after it, then the next bit.
    fn descend(&mut self, bit: u32, at: usize) -> Lifted {
        if bit == policy::RESIDUE_BITS.small() {
            return Lifted::Open;
        }
        if at == self.order.len() {
            return self.descend(bit + 1, 0);
        }
        let leaf = self.order[at].0;
        let before = self.values[leaf];
        for value in 0..if bit < self.widths[leaf] { 2 } else { 1 } {
            self.values[leaf] = before | value << bit;
            if self.hold(bit, at) && self.descend(bit, at + 1) == Lifted::Open {
                return Lifted::Open;
            }
        }
        self.values[leaf] = before;
        Lifted::Refuted
    }

    /// Whether the equations hold that have all their leaves by now, up to a bit; those that are too narrow do.
    fn hold(&mut self, bit: u32, at: usize) -> bool {
        for &number in &self.order[at].1 {
            let equation = self.equations[number];
            if self.left == 0 || bit >= equation.width {
                continue;
            }
            self.left -= 1;
            if !equation.holds(bit + 1, &self.values, &mut self.scratch) {
                return false;
            }
        }
        true
    }
}

/// An order of the leaves in which equations get all theirs early: those of the equation that lacks the fewest come next.
fn order(equations: &[&Equation]) -> Vec<(usize, Vec<usize>)> {
    let mut order: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut open: Vec<usize> = (0..equations.len()).filter(|&number| !equations[number].leaves.is_empty()).collect();
    while !open.is_empty() {
        let missing = |number: usize| -> Vec<usize> {
            let leaves = equations[number].leaves.iter().copied();
            leaves.filter(|&leaf| order.iter().all(|&(other, _)| other != leaf)).collect()
        };
        let next = (0..open.len()).min_by_key(|&at| missing(open[at]).len()).expect("an equation is open");
        let number = open.remove(next);
        let leaves = missing(number);
        order.extend(leaves.into_iter().map(|leaf| (leaf, Vec::new())));
        let last = order.iter().rposition(|(leaf, _)| equations[number].leaves.contains(leaf));
        order[last.expect("its leaves are in the order")].1.push(number);
    }
    order
}

#[cfg(test)]
mod tests {
    use clew_scalar::{BinaryOp, Conversion};

    use super::refute;
    use crate::model::Model;
    use crate::search::Variables;
    use crate::term::{TermId, Terms};

    fn refuted(terms: &Terms, goals: &[TermId]) -> Option<Vec<usize>> {
        let mut variables = Variables::default();
        variables.extend(terms, goals);
        let part = variables.part(terms, goals, &(0..goals.len()).collect::<Vec<_>>());
        refute(terms, &part)
    }

    #[test]
    fn squares_contradict_each_other() {
        let mut terms = Terms::new();
        let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| terms.int_var(name, 32));
        let [xx, yy, zz, ww] = [x, y, z, w].map(|root| terms.binary(BinaryOp::Mul, root, root));
        let number = terms.int(32, 21);
        let [sum, other, third] = [(xx, yy), (zz, xx), (ww, zz)].map(|(a, b)| terms.binary(BinaryOp::Add, a, b));
        let below = terms.binary(BinaryOp::Ult, x, number);
        let goals = [below, terms.eq(sum, zz), terms.eq(third, y), terms.eq(other, number)];
        assert_eq!(refuted(&terms, &goals), Some(vec![1, 3]));
        assert_eq!(refuted(&terms, &goals[..3]), None);
        assert_eq!(refuted(&terms, &goals[2..]), None);
    }

    /// Operators of two 3-bit numbers made of the bits of a number, so that operands, widths and operators all vary.
    fn expression(terms: &mut Terms, leaves: &[TermId], dice: &mut u64, depth: u32) -> TermId {
        let mut next = |most: u64| {
            *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*dice >> 33) % most
        };
        let choice = if depth == 0 { next(2) } else { next(13) };
        if choice < 2 {
            let number = next(8).into();
            return if choice == 0 { leaves[next(2) as usize] } else { terms.int(3, number) };
        }
        let operators = [
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::And,
            BinaryOp::Or,
            BinaryOp::Xor,
            BinaryOp::Shl,
            BinaryOp::LShr,
            BinaryOp::Mul,
        ];
        let a = expression(terms, leaves, dice, depth - 1);
        match choice {
            2 => {
                let wide = terms.convert(Conversion::SignExtend(5), a);
                let squared = terms.binary(BinaryOp::Mul, wide, wide);
                terms.convert(Conversion::Truncate(3), squared)
            }
            3 => terms.unary(clew_scalar::UnaryOp::Neg, a),
            _ => {
                let b = expression(terms, leaves, dice, depth - 1);
                terms.binary(operators[choice as usize - 4], a, b)
            }
        }
    }

    #[test]
    fn no_solution_is_lost() {
        let (mut dice, mut refutations) = (1, 0);
        for _ in 0..3_000 {
            let mut terms = Terms::new();
            let leaves = ["x", "y"].map(|name| terms.int_var(name, 3));
            let mut equation = || {
                let [a, b] = [3, 2].map(|depth| expression(&mut terms, &leaves, &mut dice, depth));
                terms.eq(a, b)
            };
            let goals = [equation(), equation()];
            let Some(core) = refuted(&terms, &goals) else { continue };
            refutations += 1;
            for number in 0..64 {
                let mut model = Model::new();
                for (leaf, bits) in leaves.into_iter().zip([number & 7, number >> 3]) {
                    let crate::term::Node::Var(var) = terms.node(leaf) else { unreachable!("a leaf is a variable") };
                    model.set(var, clew_scalar::Value::int(3, bits));
                }
                let mut evaluator = crate::evaluate::Evaluator::new();
                let held = core.iter().all(|&position| evaluator.is_true(&terms, &model, goals[position]));
                assert!(!held, "{number} {core:?}");
            }
        }
        assert!(refutations > 100, "{refutations} refutations are no test");
    }
}
