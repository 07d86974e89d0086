//! Independent parts: the assertions connected to some others by shared variables, and what is to be labelled in them.

use clew_scalar::{BinaryOp, Conversion, TernaryOp, Type, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};

use super::reads::Reads;
use crate::term::{Mark, Node, Sort, TermId, Terms, VarId};

/// Assertions that share variables, directly or through each other.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// Positions in the list of assertions, ascending.
    pub(crate) assertions: Vec<usize>,
    /// The assertions themselves.
    pub(crate) goals: Vec<TermId>,
    /// Variables to label, in the order of declaration.
    pub(crate) inputs: Vec<VarId>,
    /// Variables an asserted equation defines, after those they depend on.
    pub(crate) definitions: Vec<(VarId, TermId)>,
    /// Variables that are arrays.
    pub(crate) arrays: Vec<VarId>,
    /// What is read from them, where nothing else is done with them.
    pub(crate) reads: Option<Reads>,
}

impl Part {
    /// A goal by itself, to be weighed.
    pub(crate) fn of(goal: TermId) -> Part {
        Part { goals: vec![goal], ..Part::default() }
    }

    /// Whether arrays occur that are not only read.
    pub(crate) fn has_arrays(&self) -> bool {
        !self.arrays.is_empty() && self.reads.is_none()
    }

    /// The goals whose assertions stand at a position or later.
    pub(crate) fn goals_from(&self, position: usize) -> &[TermId] {
        &self.goals[self.assertions.partition_point(|&at| at < position)..]
    }

    /// The goals whose assertions stand at a position or later: those without an operator that has more than so many gates,
    /// and the others, the lightest first.
    pub(crate) fn by_weight(&self, terms: &Terms, position: usize, most: u64) -> (Vec<TermId>, Vec<TermId>) {
        let goals = self.goals_from(position);
        let mut heaviest: FxHashMap<TermId, u64> = FxHashMap::default();
        for term in terms.reachable(goals) {
            let below = terms.operands(term).into_iter().map(|operand| heaviest[&operand]).max();
            heaviest.insert(term, gates(terms, term).max(below.unwrap_or(0)));
        }
        let (light, mut heavy): (Vec<_>, Vec<_>) = goals.iter().partition(|goal| heaviest[goal] <= most);
        heavy.sort_by_key(|goal| heaviest[goal]);
        (light, heavy)
    }

    /// All variables.
    pub(crate) fn vars(&self) -> impl Iterator<Item = VarId> {
        let defined = self.definitions.iter().map(|&(var, _)| var);
        self.inputs.iter().copied().chain(defined).chain(self.arrays.iter().copied())
    }

    /// How heavy the circuits of the part would be.
    pub(crate) fn weight(&self, terms: &Terms) -> Weight {
        let mut weight = Weight { gates: 0, floats: false, tables: false };
        for term in terms.reachable(&self.goals) {
            weight.gates += gates(terms, term);
            weight.floats |= matches!(terms.sort(term), Sort::Scalar(Type::Float(_)));
            weight.tables |= matches!(terms.node(term), Node::Lookup(..));
        }
        weight
    }
}

/// How heavy a part is for the back end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weight {
    /// Gates, roughly.
    pub(crate) gates: u64,
    /// Whether there are floats among the terms.
    pub(crate) floats: bool,
    /// Whether tables are read.
    pub(crate) tables: bool,
}

/// Roughly how many gates the operator of a term has.
fn gates(terms: &Terms, term: TermId) -> u64 {
    let Sort::Scalar(ty) = terms.sort(term) else { return 0 };
    let width = u64::from(ty.width());
    match terms.node(term) {
        Node::Const(_) | Node::Var(_) | Node::Extract { .. } | Node::Concat(..) => 0,
        // Only wires: constant masks and constant distances.
        Node::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, _, b) if terms.bits(b).is_some() => 0,
        Node::Binary(BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, _, b) if terms.bits(b).is_some() => 0,
        Node::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, ..) | Node::Unary(UnaryOp::Not, _) => width,
        Node::Ternary(TernaryOp::Select, ..) => width,
        Node::Lookup(table, _) => width * terms.entries(table).all().len() as u64,
        Node::Binary(BinaryOp::Mul, _, b) => width * terms.bits(b).map_or(width, |bits| u64::from(bits.count_ones())),
        Node::Binary(BinaryOp::UDiv | BinaryOp::URem, a, _) => 3 * significant(terms, a) * width,
        Node::Binary(BinaryOp::SDiv | BinaryOp::SRem, ..) => 3 * width * width,
        Node::Binary(BinaryOp::FloatMul(_), ..) => width * width,
        Node::Binary(BinaryOp::FloatDiv(_) | BinaryOp::FloatMod | BinaryOp::FloatRem, ..) => 3 * width * width,
        Node::Unary(UnaryOp::FloatSqrt(_), _) => 3 * width * width,
        Node::Ternary(TernaryOp::FloatFma(_), ..) => 2 * width * width,
        Node::Binary(BinaryOp::FloatAdd(_) | BinaryOp::FloatSub(_), ..) => 20 * width,
        Node::Convert(Conversion::ZeroExtend(_) | Conversion::SignExtend(_) | Conversion::Truncate(_), _) => 0,
        Node::Convert(..) => 10 * width,
        _ => 3 * width,
    }
}

/// The bits of a term that are not plainly zero, from the lowest to the highest of them.
fn significant(terms: &Terms, term: TermId) -> u64 {
    match terms.node(term) {
        Node::Convert(Conversion::ZeroExtend(_), inner) => terms.width(inner).into(),
        _ => terms.width(term).into(),
    }
}

/// The variables of each assertion, and the assertions of each variable.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    of_assertion: Vec<Vec<VarId>>,
    /// By variable, ascending.
    users: Vec<Vec<usize>>,
    /// By term: the number of the walk that saw it last.
    seen: Vec<u32>,
    walk: u32,
}

impl Variables {
    /// Forgets the assertions from a position on.
    pub(crate) fn truncate(&mut self, assertions: usize) {
        for vars in self.of_assertion.drain(assertions.min(self.of_assertion.len())..) {
            for var in vars {
                let users = &mut self.users[var.index()];
                users.truncate(users.partition_point(|&user| user < assertions));
            }
        }
    }

    /// Forgets the marks of released terms.
    pub(crate) fn release(&mut self, mark: Mark) {
        self.seen.truncate(mark.terms());
        self.users.truncate(mark.vars());
    }

    /// Learns of assertions it has not seen.
    pub(crate) fn extend(&mut self, terms: &Terms, assertions: &[TermId]) {
        self.users.resize(terms.vars().len().max(self.users.len()), Vec::new());
        for (position, &assertion) in assertions.iter().enumerate().skip(self.of_assertion.len()) {
            let vars = self.below(terms, assertion);
            for var in &vars {
                self.users[var.index()].push(position);
            }
            self.of_assertion.push(vars);
        }
    }

    /// The variables below a term, in the order of declaration.
    fn below(&mut self, terms: &Terms, root: TermId) -> Vec<VarId> {
        self.walk += 1;
        self.seen.resize(terms.len().max(self.seen.len()), 0);
        let mut vars = Vec::new();
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if std::mem::replace(&mut self.seen[term.index()], self.walk) == self.walk {
                continue;
            }
            match terms.node(term) {
                Node::Var(var) => vars.push(var),
                _ => open.extend(terms.operands(term)),
            }
        }
        vars.sort_unstable();
        vars
    }

    /// The part that holds the given assertions and everything connected to them.
    pub(crate) fn part(&mut self, terms: &Terms, assertions: &[TermId], start: &[usize]) -> Part {
        let mut inside: FxHashSet<usize> = start.iter().copied().collect();
        let mut open: Vec<usize> = start.to_vec();
        let mut vars: FxHashSet<VarId> = FxHashSet::default();
        while let Some(position) = open.pop() {
            for &var in &self.of_assertion[position] {
                if vars.insert(var) {
                    open.extend(self.users[var.index()].iter().filter(|&&user| inside.insert(user)));
                }
            }
        }
        let mut positions: Vec<usize> = inside.into_iter().collect();
        positions.sort_unstable();
        let goals: Vec<TermId> = positions.iter().map(|&position| assertions[position]).collect();
        let mut inputs: Vec<VarId> = vars.into_iter().collect();
        inputs.sort_unstable();
        let is_array = |var: &VarId| matches!(terms.var(*var).sort, Sort::Array { .. });
        let arrays: Vec<VarId> = inputs.iter().copied().filter(is_array).collect();
        inputs.retain(|var| !is_array(var));
        let definitions = self.definitions(terms, &conjuncts(terms, &goals));
        let defined: FxHashSet<VarId> = definitions.iter().map(|&(var, _)| var).collect();
        inputs.retain(|var| !defined.contains(var));
        let reads = if arrays.is_empty() { None } else { Reads::of(terms, &goals, &definitions) };
        Part { assertions: positions, goals, inputs, definitions, arrays, reads }
    }

    /// Equations that define a variable each, without circles, dependencies first.
    fn definitions(&mut self, terms: &Terms, goals: &[TermId]) -> Vec<(VarId, TermId)> {
        let mut bodies: FxHashMap<VarId, (TermId, Vec<VarId>)> = FxHashMap::default();
        for &goal in goals {
            for (var, body) in equations(terms, goal) {
                let vars = self.below(terms, body);
                if !bodies.contains_key(&var) && !depends(&bodies, &vars, var) {
                    bodies.insert(var, (body, vars));
                    break;
                }
            }
        }
        let mut defined: Vec<VarId> = bodies.keys().copied().collect();
        defined.sort_unstable();
        in_order(&bodies, &defined)
    }
}

/// The goals with conjunctions taken apart.
pub(crate) fn conjuncts(terms: &Terms, goals: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::with_capacity(goals.len());
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut open: Vec<TermId> = goals.iter().rev().copied().collect();
    while let Some(goal) = open.pop() {
        match terms.node(goal) {
            _ if !seen.insert(goal) => {}
            Node::Binary(BinaryOp::And, a, b) => open.extend([b, a]),
            _ => found.push(goal),
        }
    }
    found
}

/// The ways to read an assertion as the definition of a variable; the newer variable first, as it is likelier to have
/// been introduced for the purpose.
pub(crate) fn equations(terms: &Terms, goal: TermId) -> Vec<(VarId, TermId)> {
    let Node::Binary(BinaryOp::Eq, a, b) = terms.node(goal) else { return Vec::new() };
    let strip = |term: TermId| match terms.node(term) {
        Node::Convert(Conversion::FloatToBits, inner) => inner,
        _ => term,
    };
    // Either both sides are bits of floats of one format, or neither is taken apart.
    let (a, b) = match (strip(a) == a, strip(b) == b) {
        (false, false) if terms.sort(strip(a)) == terms.sort(strip(b)) => (strip(a), strip(b)),
        _ => (a, b),
    };
    let mut found = Vec::new();
    for (side, body) in [(b, a), (a, b)] {
        if let Node::Var(var) = terms.node(side) {
            found.push((var, body));
        }
    }
    found.sort_unstable_by_key(|&(var, _)| std::cmp::Reverse(var));
    found
}

/// Whether one of the variables is `target` or is defined by it.
fn depends(bodies: &FxHashMap<VarId, (TermId, Vec<VarId>)>, vars: &[VarId], target: VarId) -> bool {
    let mut seen: FxHashSet<VarId> = vars.iter().copied().collect();
    let mut open = vars.to_vec();
    while let Some(var) = open.pop() {
        if var == target {
            return true;
        }
        if let Some((_, below)) = bodies.get(&var) {
            open.extend(below.iter().filter(|&&next| seen.insert(next)));
        }
    }
    false
}

/// The definitions, each after those it depends on.
fn in_order(bodies: &FxHashMap<VarId, (TermId, Vec<VarId>)>, defined: &[VarId]) -> Vec<(VarId, TermId)> {
    let mut ordered = Vec::with_capacity(defined.len());
    let mut done: FxHashSet<VarId> = FxHashSet::default();
    let mut stack: Vec<VarId> = defined.iter().rev().copied().collect();
    while let Some(&var) = stack.last() {
        let (body, below) = &bodies[&var];
        let before = stack.len();
        if !done.contains(&var) {
            stack.extend(below.iter().filter(|next| bodies.contains_key(next) && !done.contains(next)));
        }
        if stack.len() == before {
            stack.pop();
            if done.insert(var) {
                ordered.push((var, *body));
            }
        }
    }
    ordered
}

#[cfg(test)]
mod tests {
    use clew_scalar::{BinaryOp, Conversion};

    use super::Part;
    use crate::term::Terms;

    /// The gates of a remainder of a number with so many bits, extended to 32.
    fn gates(bits: u8) -> u64 {
        let mut terms = Terms::new();
        let x = terms.int_var("x", bits);
        let (wide, seven) = (terms.convert(Conversion::ZeroExtend(32), x), terms.int(32, 7));
        let rest = terms.binary(BinaryOp::URem, wide, seven);
        let goal = terms.eq(rest, seven);
        Part::of(goal).weight(&terms).gates
    }

    #[test]
    fn remainders_of_narrow_numbers_are_light() {
        assert!(gates(8) * 3 < gates(31), "{} and {}", gates(8), gates(31));
    }
}
