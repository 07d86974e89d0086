//! A graph of gates, written to the SAT solver only where a query can see it.
//!
//! A [`Lit`] is a gate or its negation. Building a gate first simplifies (constants, equal and opposite inputs, one
//! level of nesting: Brummayer and Biere, "Local two-level And-Inverter Graph minimization without blowup", MEMICS
//! 2006), then looks for the same gate built before. Besides AND there are XOR, ITE and the two halves of a full
//! adder (three-input XOR, majority), kept whole because their direct clause forms propagate better than what AND
//! gates would give.
//!
//! Clauses are written by `emit` for the cone of an asserted or assumed literal, so circuits may be built
//! generously: an unused carry, flag or packed form costs nothing. The clauses define gates in both directions
//! (Tseitin), so any literal can be assumed either way in any later query. Trees of AND gates that nothing else uses
//! become one gate of many inputs.
//!
//! A value can also be given by a condition: fresh literals from [`Gates::fresh`] with [`Gates::define`]. The condition
//! is asserted when one of them is emitted.
//!
//! Nothing is ever removed here; the owner throws the whole graph away when too much of it is garbage.

mod emit;

use crate::policy;
use std::ops::Not;

use rustc_hash::FxHashMap;

use super::sat::Sat;

/// A gate or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) const TRUE: Lit = Lit(0);
    pub(super) const FALSE: Lit = Lit(1);

    fn of(node: usize) -> Lit {
        Lit(u32::try_from(node << 1).expect("fewer than 2^31 gates"))
    }

    /// The constant of this value.
    pub(super) fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// The value, if it is a constant.
    pub(super) fn known(self) -> Option<bool> {
        (self.0 < 2).then_some(self == Lit::TRUE)
    }

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// Negated if `flip`.
    fn flipped(self, flip: bool) -> Lit {
        Lit(self.0 ^ u32::from(flip))
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        self.flipped(true)
    }
}

/// What a gate computes. Inputs are ordered and signs moved to the output wherever the function allows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    True,
    /// Free, or bound by the definition of this number.
    Fresh(Option<u32>),
    And(Lit, Lit),
    Xor(Lit, Lit),
    Ite(Lit, Lit, Lit),
    Xor3(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

/// The gates, and the SAT solver that holds the emitted ones.
pub(super) struct Gates {
    nodes: Vec<Node>,
    /// How many gates read this one.
    fanout: Vec<u32>,
    /// The DIMACS variable of a node, or 0 while it is not emitted.
    variable: Vec<i32>,
    /// By DIMACS variable, its node.
    node_of: Vec<usize>,
    unique: FxHashMap<Node, Lit>,
    /// What each definition asks for; emptied once that is done.
    definitions: Vec<Vec<Demand>>,
    /// Demands of emitted literals that are still to be met.
    due: Vec<Demand>,
    /// What holds for ever.
    asserted: Vec<Lit>,
    /// By node, the last query whose cone it was in.
    met: Vec<u64>,
    /// By node, its value in the model that queries start from.
    near: Vec<bool>,
    query: u64,
    pub(super) sat: Sat,
}

impl Gates {
    pub(super) fn new() -> Gates {
        let mut sat = Sat::new();
        let truth = sat.variable();
        sat.clause(&[truth]);
        Gates {
            nodes: vec![Node::True],
            fanout: vec![0],
            variable: vec![truth],
            node_of: vec![0, 0],
            unique: FxHashMap::default(),
            definitions: Vec::new(),
            due: Vec::new(),
            asserted: Vec::new(),
            met: Vec::new(),
            near: Vec::new(),
            query: 0,
            sat,
        }
    }

    /// Number of gates built.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn push(&mut self, node: Node) -> Lit {
        for input in inputs(&node) {
            self.fanout[input.node()] += 1;
        }
        self.nodes.push(node);
        self.fanout.push(0);
        self.variable.push(0);
        Lit::of(self.nodes.len() - 1)
    }

    fn unique(&mut self, node: Node) -> Lit {
        if let Some(&known) = self.unique.get(&node) {
            return known;
        }
        let lit = self.push(node);
        self.unique.insert(node, lit);
        lit
    }

    /// A free input.
    pub(super) fn input(&mut self) -> Lit {
        self.push(Node::Fresh(None))
    }

    /// `count` literals that [`Gates::define`] will bind.
    pub(super) fn fresh(&mut self, count: usize) -> (Vec<Lit>, Definition) {
        let id = u32::try_from(self.definitions.len()).expect("fewer than 2^32 definitions");
        self.definitions.push(Vec::new());
        ((0..count).map(|_| self.push(Node::Fresh(Some(id)))).collect(), Definition(id))
    }

    /// Binds fresh literals: `conditions` hold, and must be satisfiable whatever the values of the inputs are.
    pub(super) fn define(&mut self, definition: Definition, conditions: Vec<Lit>) {
        self.definitions[definition.0 as usize].extend(conditions.into_iter().map(Demand::Assert));
    }

    /// Whenever the fresh literals are emitted, `lits` will be as well, so that a model gives them values.
    pub(super) fn accompany(&mut self, definition: Definition, lits: &[Lit]) {
        self.definitions[definition.0 as usize].extend(lits.iter().map(|&lit| Demand::Emit(lit)));
    }

    fn and_inputs(&self, lit: Lit) -> Option<(Lit, Lit)> {
        match self.nodes[lit.node()] {
            Node::And(a, b) => Some((a, b)),
            _ => None,
        }
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::TRUE || a == b {
            return b;
        }
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if let Some(simpler) = self.and_nested(a, b).or_else(|| self.and_nested(b, a)) {
            return simpler;
        }
        if let Some(simpler) = self.and_of_ands(a, b) {
            return simpler;
        }
        self.unique(Node::And(a, b))
    }

    /// Simplifies `outer & inner` where `inner` is an AND or its negation that mentions `outer`.
    fn and_nested(&mut self, outer: Lit, inner: Lit) -> Option<Lit> {
        let (x, y) = self.and_inputs(inner)?;
        match inner.negative() {
            false if outer == x || outer == y => Some(inner),
            false if outer == !x || outer == !y => Some(Lit::FALSE),
            true if outer == !x || outer == !y => Some(outer),
            true if outer == x => Some(self.and(outer, !y)),
            true if outer == y => Some(self.and(outer, !x)),
            _ => None,
        }
    }

    /// Simplifies the conjunction of two (possibly negated) ANDs with a common or opposite input.
    fn and_of_ands(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let (ax, ay) = self.and_inputs(a)?;
        let (bx, by) = self.and_inputs(b)?;
        let opposite = ax == !bx || ax == !by || ay == !bx || ay == !by;
        match (a.negative(), b.negative()) {
            (false, false) if opposite => Some(Lit::FALSE),
            (false, true) if opposite => Some(a),
            (true, false) if opposite => Some(b),
            (true, true) if ax == bx && ay == !by => Some(!ax),
            (true, true) if ay == by && ax == !bx => Some(!ay),
            (true, true) if ax == by && ay == !bx => Some(!ax),
            (true, true) if ay == bx && ax == !by => Some(!ay),
            _ => None,
        }
    }

    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// `a` implies `b`.
    pub(super) fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }

    pub(super) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flip = a.negative() ^ b.negative();
        let (a, b) = (a.flipped(a.negative()), b.flipped(b.negative()));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::TRUE {
            return b.flipped(!flip);
        }
        if a == b {
            return Lit::constant(flip);
        }
        for (outer, inner) in [(a, b), (b, a)] {
            if let Node::Xor(x, y) = self.nodes[inner.node()] {
                if outer == x {
                    return y.flipped(flip);
                }
                if outer == y {
                    return x.flipped(flip);
                }
            }
        }
        if let Some(simpler) = self.cancelled(a, b) {
            return simpler.flipped(flip);
        }
        self.unique(Node::Xor(a, b)).flipped(flip)
    }

    /// `a ^ b` where both are sums modulo two and at most two summands are left of them: one parity computed in two ways,
    /// which clauses can hardly tell.
    fn cancelled(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let is_sum = |lit: Lit| matches!(self.nodes[lit.node()], Node::Xor(..) | Node::Xor3(..));
        if !is_sum(a) || !is_sum(b) {
            return None;
        }
        let (mut open, mut summands) = (vec![a, b], Vec::new());
        for _ in 0..policy::MAX_PARITY_SUMMANDS.size() {
            match open.pop() {
                Some(lit) if is_sum(lit) => open.extend(inputs(&self.nodes[lit.node()])),
                Some(lit) => summands.push(lit),
                None => break,
            }
        }
        summands.sort_unstable();
        let odd = summands.chunk_by(|x, y| x == y).filter(|same| same.len() % 2 == 1).map(|same| same[0]);
        let mut left = odd.take(3);
        match (open.is_empty(), left.next(), left.next(), left.next()) {
            (true, None, ..) => Some(Lit::FALSE),
            (true, Some(x), None, _) => Some(x),
            (true, Some(x), Some(y), None) => Some(self.unique(Node::Xor(x, y))),
            _ => None,
        }
    }

    /// Are the two equal?
    pub(super) fn same(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `yes` where `condition` holds, `no` elsewhere.
    pub(super) fn ite(&mut self, condition: Lit, yes: Lit, no: Lit) -> Lit {
        if condition.negative() {
            return self.ite(!condition, no, yes);
        }
        if condition == Lit::TRUE || yes == no {
            return yes;
        }
        if yes == !no {
            return self.same(condition, yes);
        }
        if yes == condition || yes == Lit::TRUE {
            return self.or(condition, no);
        }
        if yes == !condition || yes == Lit::FALSE {
            return self.and(!condition, no);
        }
        if no == condition || no == Lit::FALSE {
            return self.and(condition, yes);
        }
        if no == !condition || no == Lit::TRUE {
            return self.implies(condition, yes);
        }
        let (simpler_yes, simpler_no) = (self.under(condition, yes), self.under(!condition, no));
        if (simpler_yes, simpler_no) != (yes, no) {
            return self.ite(condition, simpler_yes, simpler_no);
        }
        let flip = yes.negative();
        self.unique(Node::Ite(condition, yes.flipped(flip), no.flipped(flip))).flipped(flip)
    }

    /// What `lit` is worth where `condition` holds, looking one gate deep.
    fn under(&self, condition: Lit, lit: Lit) -> Lit {
        match self.nodes[lit.node()] {
            Node::Ite(c, yes, _) if c == condition => yes.flipped(lit.negative()),
            Node::Ite(c, _, no) if c == !condition => no.flipped(lit.negative()),
            Node::And(a, b) if a == condition => b.flipped(lit.negative()),
            Node::And(a, b) if b == condition => a.flipped(lit.negative()),
            Node::And(a, b) if a == !condition || b == !condition => Lit::constant(lit.negative()),
            _ => lit,
        }
    }

    /// The sum bit of a full adder.
    pub(super) fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let flip = a.negative() ^ b.negative() ^ c.negative();
        let mut lits = [a, b, c].map(|lit| lit.flipped(lit.negative()));
        lits.sort_unstable();
        let [a, b, c] = lits;
        if a == Lit::TRUE || a == b || b == c {
            let first = self.xor(a, b);
            return self.xor(first, c).flipped(flip);
        }
        self.unique(Node::Xor3(a, b, c)).flipped(flip)
    }

    /// The carry bit of a full adder: at least two of the three.
    pub(super) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        let flip = lits.iter().filter(|lit| lit.negative()).count() >= 2;
        lits = lits.map(|lit| lit.flipped(flip));
        lits.sort_unstable();
        let [a, b, c] = lits;
        let carry = if a == Lit::TRUE {
            self.or(b, c)
        } else if a == Lit::FALSE {
            self.and(b, c)
        } else if a == b || b == c {
            b
        } else if a == !b {
            c
        } else if b == !c {
            a
        } else {
            self.unique(Node::Majority(a, b, c))
        };
        carry.flipped(flip)
    }

    /// Conjunction of all, as a balanced tree.
    pub(super) fn all(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => Lit::TRUE,
            [lit] => *lit,
            _ => {
                let (low, high) = lits.split_at(lits.len() / 2);
                let (low, high) = (self.all(low), self.all(high));
                self.and(low, high)
            }
        }
    }

    /// Disjunction of all.
    pub(super) fn any(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.all(&negated)
    }
}

/// A definition opened by [`Gates::fresh`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Definition(u32);

/// What has to happen when fresh literals are emitted.
#[derive(Clone, Copy, Debug)]
enum Demand {
    Assert(Lit),
    Emit(Lit),
}

fn inputs(node: &Node) -> impl Iterator<Item = Lit> + use<> {
    let (count, lits) = match *node {
        Node::True | Node::Fresh(_) => (0, [Lit::TRUE; 3]),
        Node::And(a, b) | Node::Xor(a, b) => (2, [a, b, Lit::TRUE]),
        Node::Ite(a, b, c) | Node::Xor3(a, b, c) | Node::Majority(a, b, c) => (3, [a, b, c]),
    };
    lits.into_iter().take(count)
}
