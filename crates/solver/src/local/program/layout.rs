//! Terms to steps: each after what it depends on, reads of arrays spelled out.

use crate::policy;
use std::collections::{BTreeMap, BTreeSet};

use clew_scalar::{BinaryOp, Conversion, TernaryOp, Type};

use super::{Definition, Definitions, Goal, Input, Program, Slot, Step, dependencies};
use crate::term::{Node, Sort, TermId, Terms, VarId};

/// Lays out the terms below the conjuncts; `None` when there are too many steps or arrays are compared.
pub(super) fn lay_out(terms: &Terms, conjuncts: &[(TermId, bool)], definitions: &Definitions) -> Option<Program> {
    let order = order(terms, conjuncts, definitions)?;
    let mut layout = Layout {
        terms,
        definitions,
        slot_of: BTreeMap::new(),
        cells: BTreeMap::new(),
        program: Program {
            steps: Vec::with_capacity(order.len()),
            types: Vec::with_capacity(order.len()),
            inputs: Vec::new(),
            goals: Vec::new(),
            skeleton: Vec::new(),
            depends: Vec::with_capacity(order.len()),
            input_at: BTreeMap::new(),
            defined: Vec::new(),
            tables: Vec::new(),
            constants: Vec::new(),
        },
    };
    layout.collect_cells(&order);
    for &term in order.iter().filter(|&&term| matches!(terms.sort(term), Sort::Scalar(_))) {
        let slot = layout.term(term);
        layout.slot_of.insert(term, slot);
        if layout.program.steps.len() > policy::WALK_TERMS.size() {
            return None;
        }
    }
    let goal = |&(term, truth): &(TermId, bool)| Goal { slot: layout.slot_of[&term], truth, inputs: Vec::new() };
    layout.program.goals = conjuncts.iter().map(goal).collect();
    layout.program.skeleton = vec![false; layout.program.steps.len()];
    Some(layout.program)
}

/// The terms below the conjuncts, each after its dependencies; `None` when arrays are compared.
fn order(terms: &Terms, conjuncts: &[(TermId, bool)], definitions: &Definitions) -> Option<Vec<TermId>> {
    let mut order = Vec::new();
    let mut done = BTreeSet::new();
    let mut stack: Vec<(TermId, bool)> = conjuncts.iter().rev().map(|&(term, _)| (term, false)).collect();
    while let Some((term, ready)) = stack.pop() {
        if done.contains(&term) {
            continue;
        }
        if ready {
            done.insert(term);
            order.push(term);
            continue;
        }
        if matches!(terms.node(term), Node::ArrayEq(..)) {
            return None;
        }
        stack.push((term, true));
        stack.extend(dependencies(terms, definitions, term).into_iter().rev().map(|operand| (operand, false)));
    }
    Some(order)
}

struct Layout<'a> {
    terms: &'a Terms,
    definitions: &'a Definitions,
    slot_of: BTreeMap<TermId, Slot>,
    /// The inputs of each array variable, by index.
    cells: BTreeMap<VarId, BTreeMap<u128, Slot>>,
    program: Program,
}

impl Layout<'_> {
    fn push(&mut self, step: Step, ty: Type) -> Slot {
        let depends = |operand: Slot| self.program.depends[operand as usize];
        let depends = matches!(step, Step::Input) || step.operands().any(depends);
        self.program.steps.push(step);
        self.program.types.push(ty);
        self.program.depends.push(depends);
        Slot::try_from(self.program.steps.len() - 1).expect("the number of steps is limited")
    }

    fn input(&mut self, var: VarId, cell: Option<u128>, ty: Type) -> Slot {
        let slot = self.push(Step::Input, ty);
        self.program.input_at.insert(slot, self.program.inputs.len());
        self.program.inputs.push(Input { var, cell, slot, ty, cone: Vec::new() });
        slot
    }

    /// Makes inputs of the cells at constant indices.
    fn collect_cells(&mut self, order: &[TermId]) {
        let mut indices: BTreeMap<Type, BTreeSet<u128>> = BTreeMap::new();
        for &term in order {
            if let Node::Read(_, index) | Node::Write(_, index, _) = self.terms.node(term)
                && let Some(value) = self.terms.value(index)
            {
                indices.entry(value.ty).or_default().insert(value.bits);
            }
        }
        for &term in order {
            if let (Node::Var(var), Sort::Array { index, element }) = (self.terms.node(term), self.terms.sort(term)) {
                let wanted = indices.get(&Type::Int(index.width())).cloned().unwrap_or_default();
                let cell = |index| (index, self.input(var, Some(index), Type::Int(element.width())));
                let cells = wanted.into_iter().map(cell).collect();
                self.cells.insert(var, cells);
            }
        }
    }

    /// Adds the step of a scalar term.
    fn term(&mut self, term: TermId) -> Slot {
        let ty = self.terms.ty(term);
        let at = |term: TermId| self.slot_of[&term];
        let step = match (self.definitions.get(&term), self.terms.node(term)) {
            (Some(&definition), Node::Var(var)) => {
                let step = self.definition(definition, ty);
                let slot = self.push(step, ty);
                self.program.defined.push((var, slot));
                return slot;
            }
            (_, Node::Var(var)) => return self.input(var, None, ty),
            (_, Node::Const(value)) => {
                self.program.constants.push((value.ty, value.bits));
                Step::Const(value.bits)
            }
            (_, Node::Unary(op, a)) => Step::Unary(op, at(a)),
            (_, Node::Binary(op, a, b)) => Step::Binary(op, at(a), at(b)),
            (_, Node::Ternary(op, a, b, c)) => Step::Ternary(op, at(a), at(b), at(c)),
            (_, Node::Convert(Conversion::FloatToBits, a)) => Step::Copy(at(a)),
            (_, Node::Convert(op, a)) => Step::Convert(op, at(a)),
            (_, Node::Extract { hi, lo, of }) => Step::Extract(hi, lo, at(of)),
            (_, Node::Concat(a, b)) => Step::Concat(at(a), at(b)),
            (_, Node::Lookup(table, index)) => {
                self.program.tables.push(self.terms.entries(table).clone());
                Step::Lookup(self.program.tables.len() - 1, at(index))
            }
            (_, Node::Read(array, index)) => Step::Copy(self.element(array, at(index), ty)),
            (_, Node::Write(..) | Node::ConstArray { .. } | Node::ArrayEq(..)) => {
                unreachable!("only scalar terms come here, and no comparison of arrays")
            }
        };
        self.push(step, ty)
    }

    fn definition(&self, definition: Definition, ty: Type) -> Step {
        match definition {
            Definition::Truth(truth) => Step::Const(truth.into()),
            Definition::Term(value) => match (ty, self.terms.ty(value)) {
                (Type::Float(format), Type::Int(_)) => {
                    Step::Convert(Conversion::BitsToFloat(format), self.slot_of[&value])
                }
                _ => Step::Copy(self.slot_of[&value]),
            },
        }
    }

    /// The element of an array at an index: the outermost write to it, else what is below.
    fn element(&mut self, array: TermId, index: Slot, ty: Type) -> Slot {
        // Choices from the outside in, each with what it takes when it holds.
        let mut choices: Vec<(Slot, Slot)> = Vec::new();
        let mut array = array;
        let mut last = loop {
            match self.terms.node(array) {
                Node::Write(below, at, value) => {
                    let at = self.slot_of[&at];
                    let value = self.slot_of[&value];
                    match (self.program.steps[at as usize], self.program.steps[index as usize]) {
                        (Step::Const(a), Step::Const(b)) if a == b => break value,
                        (Step::Const(_), Step::Const(_)) => {}
                        _ => choices.push((self.equal(at, index), value)),
                    }
                    array = below;
                }
                Node::ConstArray { value, .. } => break self.slot_of[&value],
                Node::Ternary(TernaryOp::Select, condition, then, other) => {
                    let (then, other) = (self.element(then, index, ty), self.element(other, index, ty));
                    let condition = self.slot_of[&condition];
                    break self.push(Step::Ternary(TernaryOp::Select, condition, then, other), ty);
                }
                Node::Var(var) => break self.cell(var, index, ty, &mut choices),
                _ => unreachable!("an array term is a variable, constant, write or choice"),
            }
        };
        for (condition, value) in choices.into_iter().rev() {
            last = self.push(Step::Ternary(TernaryOp::Select, condition, value, last), ty);
        }
        last
    }

    /// The cell of an array variable; further choices where the index is not constant.
    fn cell(&mut self, var: VarId, index: Slot, ty: Type, choices: &mut Vec<(Slot, Slot)>) -> Slot {
        let cells = self.cells.get(&var).cloned().unwrap_or_default();
        if let Step::Const(bits) = self.program.steps[index as usize] {
            // An index that only a definition makes constant may have no cell.
            return cells.get(&bits).copied().unwrap_or_else(|| self.push(Step::Const(0), ty));
        }
        let index_type = self.program.types[index as usize];
        for (bits, cell) in cells {
            let constant = self.push(Step::Const(bits), index_type);
            choices.push((self.equal(constant, index), cell));
        }
        self.push(Step::Const(0), ty)
    }

    fn equal(&mut self, a: Slot, b: Slot) -> Slot {
        self.push(Step::Binary(BinaryOp::Eq, a, b), Type::BOOL)
    }
}
