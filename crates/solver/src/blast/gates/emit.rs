//! Writing gates as clauses.
//!
//! Each emitted gate gets one SAT variable and clauses for both directions. A gate is written when it first occurs in
//! the cone of an asserted or assumed literal. The forms of XOR, ITE and majority are the prime implicates, so unit
//! propagation on one gate is as strong as it can be.

use rustc_hash::FxHashSet;

use super::super::sat::{Budget, SatAnswer};
use super::{Demand, Gates, Lit, Node, inputs};

impl Gates {
    /// Makes `lit` true for ever.
    pub(in super::super) fn assert(&mut self, lit: Lit) {
        self.asserted.push(lit);
        self.due.push(Demand::Assert(lit));
        self.settle();
    }

    /// Writes the cone of `lit` to the SAT solver and gives its DIMACS literal.
    pub(in super::super) fn emit(&mut self, lit: Lit) -> i32 {
        let literal = self.emit_cone(lit);
        self.settle();
        literal
    }

    /// Answers whether all `assumptions` can hold together; they must have been emitted.
    pub(in super::super) fn solve(&mut self, assumptions: &[i32], budget: &Budget) -> SatAnswer {
        debug_assert!(self.due.is_empty(), "every condition is asserted before a query");
        if !self.sat.is_choosy() {
            return self.sat.solve(assumptions, &[], budget);
        }
        let cone = self.cone(assumptions);
        self.start_near(&cone);
        let variables: Vec<i32> =
            cone.iter().map(|&node| self.variable[node]).filter(|&variable| variable != 0).collect();
        self.sat.solve(assumptions, &variables, budget)
    }

    /// Says what an input is in the model that the next query is to start from.
    pub(in super::super) fn suggest(&mut self, input: Lit, value: bool) {
        self.near.resize(self.nodes.len(), false);
        self.near[input.node()] = value != input.negative();
    }

    /// Lets the search begin where the inputs are as suggested, and the gates as that makes them.
    fn start_near(&mut self, cone: &[usize]) {
        self.near.resize(self.nodes.len(), false);
        for &node in cone {
            let value = |lit: Lit| self.near[lit.node()] != lit.negative();
            self.near[node] = match self.nodes[node] {
                Node::True => true,
                Node::Fresh(_) => self.near[node],
                Node::And(a, b) => value(a) && value(b),
                Node::Xor(a, b) => value(a) != value(b),
                Node::Ite(a, b, c) => value(if value(a) { b } else { c }),
                Node::Xor3(a, b, c) => value(a) ^ value(b) ^ value(c),
                Node::Majority(a, b, c) => [a, b, c].into_iter().filter(|&lit| value(lit)).count() >= 2,
            };
            if self.variable[node] != 0 {
                self.sat.start_at(self.variable[node], self.near[node]);
            }
        }
    }

    /// What is assumed and what holds for ever depends on, in the order of nodes. All nodes that have been written where some are
    /// bound by definitions, which may concern any.
    fn cone(&mut self, assumptions: &[i32]) -> Vec<usize> {
        if !self.definitions.is_empty() {
            return (0..self.nodes.len()).filter(|&node| self.variable[node] != 0).collect();
        }
        self.query += 1;
        self.met.resize(self.nodes.len(), 0);
        let assumed = assumptions.iter().map(|literal| self.node_of[literal.unsigned_abs() as usize]);
        let mut open: Vec<usize> = self.asserted.iter().map(|lit| lit.node()).chain(assumed).collect();
        let mut found = Vec::new();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut self.met[node], self.query) != self.query {
                found.push(node);
                open.extend(inputs(&self.nodes[node]).map(Lit::node));
            }
        }
        found.sort_unstable();
        found
    }

    /// Has the SAT solver seen this literal?
    pub(in super::super) fn is_emitted(&self, lit: Lit) -> bool {
        self.variable[lit.node()] != 0
    }

    /// Are there at most so many gates to write for these literals?
    pub(in super::super) fn is_small(&self, lits: Vec<Lit>, most: usize) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = lits;
        while let Some(lit) = open.pop() {
            if !self.is_emitted(lit) && seen.insert(lit.node()) {
                open.extend(inputs(&self.nodes[lit.node()]));
            }
            if seen.len() > most {
                return false;
            }
        }
        true
    }

    /// The value of `lit` in the last model; false where the query did not see it.
    pub(in super::super) fn value(&mut self, lit: Lit) -> bool {
        let variable = self.variable[lit.node()];
        variable != 0 && self.sat.value(variable) != lit.negative()
    }

    /// Does what is due; conjunctions are asserted part by part and disjunctions as clauses.
    fn settle(&mut self) {
        while let Some(demand) = self.due.pop() {
            let lit = match demand {
                Demand::Emit(lit) => {
                    self.emit_cone(lit);
                    continue;
                }
                Demand::Assert(lit) => lit,
            };
            match self.and_inputs(lit) {
                Some((a, b)) if !lit.negative() => self.due.extend([Demand::Assert(b), Demand::Assert(a)]),
                Some(_) => {
                    let leaves = self.and_leaves(lit.node(), |_| true);
                    let clause: Vec<i32> = leaves.into_iter().map(|leaf| self.emit_cone(!leaf)).collect();
                    self.sat.clause(&clause);
                }
                None => {
                    let literal = self.emit_cone(lit);
                    self.sat.clause(&[literal]);
                }
            }
        }
    }

    /// The inputs of an AND, seen through inner ANDs that `absorb` accepts.
    fn and_leaves(&self, node: usize, absorb: impl Fn(usize) -> bool) -> Vec<Lit> {
        let mut leaves = Vec::new();
        let mut pending = vec![Lit::of(node)];
        while let Some(lit) = pending.pop() {
            match self.and_inputs(lit) {
                Some((a, b)) if !lit.negative() && (lit.node() == node || absorb(lit.node())) => {
                    pending.extend([b, a]);
                }
                _ => leaves.push(lit),
            }
        }
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }

    fn emit_cone(&mut self, lit: Lit) -> i32 {
        let mut pending = Vec::new();
        let literal = self.reserve(lit, &mut pending);
        while let Some(node) = pending.pop() {
            self.emit_node(node, &mut pending);
        }
        literal
    }

    /// The DIMACS literal of `lit`; its gate becomes pending if it has none yet.
    fn reserve(&mut self, lit: Lit, pending: &mut Vec<usize>) -> i32 {
        let node = lit.node();
        if self.variable[node] == 0 {
            self.variable[node] = self.sat.variable();
            self.node_of.push(node);
            pending.push(node);
        }
        let variable = self.variable[node];
        if lit.negative() { -variable } else { variable }
    }

    /// Writes the clauses of one gate; what it reads becomes pending.
    fn emit_node(&mut self, node: usize, pending: &mut Vec<usize>) {
        let out = self.variable[node];
        match self.nodes[node] {
            Node::True | Node::Fresh(None) => {}
            Node::Fresh(Some(id)) => {
                let demands = std::mem::take(&mut self.definitions[id as usize]);
                self.due.extend(demands);
            }
            Node::And(..) => {
                let leaves = self.and_leaves(node, |inner| self.fanout[inner] == 1 && self.variable[inner] == 0);
                let literals: Vec<i32> = leaves.into_iter().map(|leaf| self.reserve(leaf, pending)).collect();
                self.write_and(out, &literals);
            }
            Node::Xor(a, b) => {
                let [a, b] = [a, b].map(|lit| self.reserve(lit, pending));
                self.write_xor(out, a, b);
            }
            Node::Ite(c, yes, no) => {
                let [c, yes, no] = [c, yes, no].map(|lit| self.reserve(lit, pending));
                self.write_ite(out, c, yes, no);
            }
            Node::Xor3(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|lit| self.reserve(lit, pending));
                self.write_xor3(out, a, b, c);
            }
            Node::Majority(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|lit| self.reserve(lit, pending));
                self.write_majority(out, a, b, c);
            }
        }
    }

    fn write_and(&mut self, out: i32, inputs: &[i32]) {
        let mut long = vec![out];
        for &input in inputs {
            self.sat.clause(&[-out, input]);
            long.push(-input);
        }
        self.sat.clause(&long);
    }

    fn write_xor(&mut self, out: i32, a: i32, b: i32) {
        for clause in [[-out, a, b], [-out, -a, -b], [out, -a, b], [out, a, -b]] {
            self.sat.clause(&clause);
        }
    }

    fn write_ite(&mut self, out: i32, c: i32, yes: i32, no: i32) {
        for clause in
            [[-c, -yes, out], [-c, yes, -out], [c, -no, out], [c, no, -out], [-yes, -no, out], [yes, no, -out]]
        {
            self.sat.clause(&clause);
        }
    }

    fn write_xor3(&mut self, out: i32, a: i32, b: i32, c: i32) {
        for signs in 0..8 {
            let [a, b, c] = [(a, 1), (b, 2), (c, 4)].map(|(lit, bit)| if signs & bit != 0 { -lit } else { lit });
            let odd = (signs & 1) ^ (signs >> 1 & 1) ^ (signs >> 2 & 1) == 1;
            self.sat.clause(&[a, b, c, if odd { out } else { -out }]);
        }
    }

    fn write_majority(&mut self, out: i32, a: i32, b: i32, c: i32) {
        for (x, y) in [(a, b), (a, c), (b, c)] {
            self.sat.clause(&[-x, -y, out]);
            self.sat.clause(&[x, y, -out]);
        }
    }
}
