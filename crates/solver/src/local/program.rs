//! Asserted terms as a straight-line program over slots of bits.
//!
//! Compiling flattens the conjunction, turns equations `variable = term` into definitions (so that search only moves
//! the variables that are left), and lays the terms out in an order in which each comes after what it depends on,
//! definitions included. A slot holds the bits of its term, every NaN as the canonical one. For each input the program
//! knows its cone: the slots to be computed again when the input changes.
//!
//! Goals come in ascending order of the number of their inputs, and what they need in the same order, so that a search
//! for the first goals alone computes only the first slots.
//!
//! Arrays are read, never held: a read becomes choices among the writes below it and, at an array variable, among its
//! cells: those at constant indices the problem mentions, each an input. All other cells stay zero, which the final
//! evaluation of a model takes into account like everything else. Equations between arrays are refused.

mod layout;

use crate::policy;
use std::collections::{BTreeMap, BTreeSet};

use clew_scalar::{BinaryOp, Conversion, TernaryOp, Type, UnaryOp};

use crate::term::{Node, Sort, Table, TermId, Terms, VarId};

/// An index of a slot.
pub(super) type Slot = u32;

/// How a slot gets its bits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// Once and for all.
    Const(u128),
    /// From the candidate.
    Input,
    /// From another slot.
    Copy(Slot),
    /// By an operator.
    Unary(UnaryOp, Slot),
    /// By an operator.
    Binary(BinaryOp, Slot, Slot),
    /// By an operator.
    Ternary(TernaryOp, Slot, Slot, Slot),
    /// By a change of type.
    Convert(Conversion, Slot),
    /// Bits `lo..=hi` of a slot.
    Extract(u8, u8, Slot),
    /// Bits of the first slot above those of the second.
    Concat(Slot, Slot),
    /// An entry of a table of the program.
    Lookup(usize, Slot),
}

impl Step {
    /// The slots it reads.
    pub(super) fn operands(self) -> impl Iterator<Item = Slot> {
        let (slots, count) = match self {
            Step::Const(_) | Step::Input => ([0; 3], 0),
            Step::Copy(a) | Step::Unary(_, a) | Step::Convert(_, a) | Step::Extract(_, _, a) | Step::Lookup(_, a) => {
                ([a, 0, 0], 1)
            }
            Step::Binary(_, a, b) | Step::Concat(a, b) => ([a, b, 0], 2),
            Step::Ternary(_, a, b, c) => ([a, b, c], 3),
        };
        slots.into_iter().take(count)
    }
}

/// A variable, or a cell of an array variable, that search moves.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) var: VarId,
    /// The index of the cell, for an array.
    pub(super) cell: Option<u128>,
    pub(super) slot: Slot,
    /// How to move it: by its type, or as the float it is always read as.
    pub(super) ty: Type,
    /// The slots that depend on it, in ascending order, itself excluded.
    pub(super) cone: Vec<Slot>,
}

/// A condition that must have a truth value.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub(super) slot: Slot,
    pub(super) truth: bool,
    /// The inputs it depends on, as indices.
    pub(super) inputs: Vec<usize>,
}

/// A compiled problem.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    pub(super) types: Vec<Type>,
    pub(super) inputs: Vec<Input>,
    pub(super) goals: Vec<Goal>,
    /// Slots of conditions whose distances are needed: the goals and what connects them to comparisons.
    pub(super) skeleton: Vec<bool>,
    /// Which input, if any, a slot depends on: false for constants.
    pub(super) depends: Vec<bool>,
    /// The input that lives in a slot.
    pub(super) input_at: BTreeMap<Slot, usize>,
    /// Variables with a slot that is not an input: those defined by an equation.
    pub(super) defined: Vec<(VarId, Slot)>,
    /// Tables that steps look up.
    pub(super) tables: Vec<Table>,
    /// Constants of the problem by type, for candidates.
    pub(super) constants: Vec<(Type, u128)>,
}

/// Compiles a conjunction; `None` when it is false at first sight, compares arrays, or is too large.
pub(super) fn compile(terms: &Terms, assertions: &[TermId]) -> Option<Program> {
    let mut conjuncts = flatten(terms, assertions)?;
    let definitions = define(terms, &conjuncts);
    let program = assemble(terms, &conjuncts, &definitions)?;
    let inputs_of: BTreeMap<(TermId, bool), usize> =
        conjuncts.iter().copied().zip(program.goals.iter().map(|goal| goal.inputs.len())).collect();
    if conjuncts.is_sorted_by_key(|conjunct| inputs_of[conjunct]) {
        return Some(program);
    }
    conjuncts.sort_by_key(|conjunct| inputs_of[conjunct]);
    assemble(terms, &conjuncts, &definitions)
}

/// A program with the goals in the given order.
fn assemble(terms: &Terms, conjuncts: &[(TermId, bool)], definitions: &Definitions) -> Option<Program> {
    let mut program = layout::lay_out(terms, conjuncts, definitions)?;
    let read_as_float = read_only_as_float(&program);
    for input in &mut program.inputs {
        if let Some(&ty) = read_as_float.get(&input.slot) {
            input.ty = ty;
        }
    }
    program.constants.sort_unstable();
    program.constants.dedup();
    program.link()?;
    Some(program)
}

/// The conditions of a conjunction with the truth each must have; `None` when one is a constant of the other truth.
fn flatten(terms: &Terms, assertions: &[TermId]) -> Option<Vec<(TermId, bool)>> {
    let mut conjuncts = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<(TermId, bool)> = assertions.iter().map(|&term| (term, true)).collect();
    while let Some((term, truth)) = open.pop() {
        if !seen.insert((term, truth)) {
            continue;
        }
        match (terms.node(term), truth) {
            (Node::Unary(UnaryOp::Not, a), _) => open.push((a, !truth)),
            (Node::Binary(BinaryOp::And, a, b), true) | (Node::Binary(BinaryOp::Or, a, b), false) => {
                open.extend([(a, truth), (b, truth)]);
            }
            (Node::Const(value), _) if (value.bits != 0) == truth => {}
            (Node::Const(_), _) => return None,
            _ => {
                conjuncts.insert((term, truth));
            }
        }
    }
    Some(conjuncts.into_iter().collect())
}

/// What a variable is defined as.
#[derive(Clone, Copy, Debug)]
enum Definition {
    /// The bits of a term.
    Term(TermId),
    /// A truth value.
    Truth(bool),
}

type Definitions = BTreeMap<TermId, Definition>;

/// Chooses equations that define a variable by a term that does not depend on it.
fn define(terms: &Terms, conjuncts: &[(TermId, bool)]) -> Definitions {
    let mut definitions = Definitions::new();
    let mut visits = policy::WALK_VISITS.size();
    for &(term, truth) in conjuncts {
        if let (Node::Var(_), Sort::Scalar(_)) = (terms.node(term), terms.sort(term)) {
            definitions.insert(term, Definition::Truth(truth));
            continue;
        }
        let (Node::Binary(BinaryOp::Eq | BinaryOp::FloatEq, a, b), true) = (terms.node(term), truth) else { continue };
        let (a, b) = (without_encoding(terms, a), without_encoding(terms, b));
        for (var, value) in [(a, b), (b, a)] {
            let fresh = matches!(terms.node(var), Node::Var(_)) && !definitions.contains_key(&var);
            if fresh
                && terms.width(var) == terms.width(value)
                && !may_depend(terms, &definitions, value, var, &mut visits)
            {
                definitions.insert(var, Definition::Term(value));
                break;
            }
        }
    }
    definitions
}

/// The term below changes between a float and its bits.
fn without_encoding(terms: &Terms, mut term: TermId) -> TermId {
    while let Node::Convert(Conversion::FloatToBits | Conversion::BitsToFloat(_), inner) = terms.node(term) {
        term = inner;
    }
    term
}

/// Whether a term depends on a variable; also true when the visits are used up.
fn may_depend(terms: &Terms, definitions: &Definitions, term: TermId, var: TermId, visits: &mut usize) -> bool {
    let mut seen = BTreeSet::from([term]);
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if term == var || *visits == 0 {
            return true;
        }
        *visits -= 1;
        open.extend(dependencies(terms, definitions, term).into_iter().filter(|&operand| seen.insert(operand)));
    }
    false
}

/// What must be known before a term is computed.
fn dependencies(terms: &Terms, definitions: &Definitions, term: TermId) -> Vec<TermId> {
    match definitions.get(&term) {
        Some(&Definition::Term(value)) => vec![value],
        Some(Definition::Truth(_)) => Vec::new(),
        None => terms.operands(term).into_iter().collect(),
    }
}

impl Program {
    /// Finds the cones, the inputs of the goals, and the skeleton; `None` when the cones are too large.
    fn link(&mut self) -> Option<()> {
        let mut links = 0;
        let mut reaches: Vec<BTreeSet<usize>> = Vec::with_capacity(self.steps.len());
        for (index, step) in self.steps.iter().enumerate() {
            let mut inputs = BTreeSet::new();
            if let Some(&input) = self.input_at.get(&(index as Slot)) {
                inputs.insert(input);
            }
            for operand in step.operands() {
                inputs.extend(&reaches[operand as usize]);
            }
            links += inputs.len();
            if links > policy::WALK_LINKS.size() {
                return None;
            }
            if !matches!(step, Step::Input) {
                for &input in &inputs {
                    self.inputs[input].cone.push(index as Slot);
                }
            }
            reaches.push(inputs);
        }
        for index in 0..self.goals.len() {
            let slot = self.goals[index].slot;
            self.goals[index].inputs = reaches[slot as usize].iter().copied().collect();
            self.mark_skeleton(slot);
        }
        Some(())
    }

    /// Marks the conditions between a goal and its comparisons.
    fn mark_skeleton(&mut self, goal: Slot) {
        let mut open = vec![goal];
        while let Some(slot) = open.pop() {
            if std::mem::replace(&mut self.skeleton[slot as usize], true) {
                continue;
            }
            open.extend(self.steps[slot as usize].operands().filter(|&operand| self.is_condition(operand)));
        }
    }

    /// Whether the slot holds a truth value.
    pub(super) fn is_condition(&self, slot: Slot) -> bool {
        self.types[slot as usize] == Type::BOOL
    }
}

/// Integer inputs that are only ever read as the float of one format.
fn read_only_as_float(program: &Program) -> BTreeMap<Slot, Type> {
    let mut found: BTreeMap<Slot, Option<Type>> = BTreeMap::new();
    for step in &program.steps {
        for operand in step.operands().filter(|operand| program.input_at.contains_key(operand)) {
            let seen = match *step {
                Step::Convert(Conversion::BitsToFloat(format), _) => Some(Type::Float(format)),
                _ => None,
            };
            let merged = match found.get(&operand) {
                Some(&before) if before != seen => None,
                _ => seen,
            };
            found.insert(operand, merged);
        }
    }
    found.into_iter().filter_map(|(slot, ty)| Some((slot, ty?))).collect()
}
