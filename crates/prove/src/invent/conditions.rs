//! Conditions of the program as candidates: alone, weakened, and one implying another.

use clew_ir::contract::visit::Node;
use clew_ir::contract::{BinaryOp, CompareOp, Label, Place, PlaceKind, Predicate, Sort, Term, TermKind};
use clew_ir::{Block, Function, FunctionId, InstKind, LocalId, Operand, Program, TempId, TerminatorKind};
use clew_scalar as scalar;

use super::{Known, Variable};
use crate::policy;

/// The comparisons on which branches depend and those of the contract, with their negations; and the same of the arguments
/// at the call.
pub(crate) fn atoms(program: &Program, function: FunctionId, variables: &[Known]) -> Vec<Predicate> {
    let data = &program.functions[function];
    let mut found: Vec<Predicate> = Vec::new();
    for block in data.blocks.values() {
        if let TerminatorKind::Branch { on: Operand::Temp(temp), .. } = &block.terminator.kind {
            found.extend(ConditionReader { block, variables }.truth(*temp, policy::MAX_CONDITION_DEPTH.small()));
        }
    }
    let asserted = data.contract.assertions.iter().map(|assertion| &assertion.clause);
    let stated = asserted.chain(&data.contract.ensures).flat_map(|clause| comparisons(&clause.predicate));
    let mut found: Vec<Predicate> = stated.chain(found).collect();
    let at_call: Vec<Predicate> = found.iter().filter_map(|atom| at_call(data, variables, atom)).collect();
    found.splice(0..0, at_call);
    let both = found.into_iter().flat_map(|atom| [negated(&atom), Some(atom)]).flatten();
    let mut all: Vec<Predicate> = Vec::new();
    for atom in both {
        if !all.contains(&atom) && all.len() < policy::MAX_CONDITIONS.size() {
            all.push(atom);
        }
    }
    all
}

/// The comparisons of integers in a predicate.
fn comparisons(predicate: &Predicate) -> Vec<Predicate> {
    let mut found = Vec::new();
    Node::Predicate(predicate).walk(&mut |node| {
        if let Node::Predicate(atom @ Predicate::Compare { a, .. }) = node
            && a.sort == Sort::Integer
        {
            found.push(atom.clone());
        }
    });
    found
}

/// A comparison with parameters that change as they were at the call; `None` if there is none of them.
pub(crate) fn at_call(function: &Function, variables: &[Known], atom: &Predicate) -> Option<Predicate> {
    let argument = |local: LocalId| {
        let position = function.params.iter().position(|param| super::home(function, param.temp) == Some(local))?;
        variables.iter().find(|known| known.variable == Variable::Argument(position as u32))
    };
    let Predicate::Compare { op, a, b } = atom else { return None };
    let changed = Predicate::Compare { op: *op, a: replaced(a, &argument), b: replaced(b, &argument) };
    (changed != *atom).then_some(changed)
}

/// A term with variables replaced by what is known of the arguments that they hold at the call.
fn replaced<'k>(term: &Term, argument: &dyn Fn(LocalId) -> Option<&'k Known>) -> Term {
    match &term.kind {
        TermKind::Convert(inner) => match &inner.kind {
            TermKind::Value(Place { kind: PlaceKind::Local(local), .. }) => {
                argument(*local).map_or_else(|| term.clone(), |known| known.term())
            }
            _ => term.clone(),
        },
        TermKind::Binary(op, a, b) if term.sort == Sort::Integer => {
            super::polynomial::binary(*op, replaced(a, argument), replaced(b, argument))
        }
        _ => term.clone(),
    }
}

fn negated(atom: &Predicate) -> Option<Predicate> {
    let Predicate::Compare { op, a, b } = atom else { return None };
    Some(Predicate::Compare { op: op.negated(), a: a.clone(), b: b.clone() })
}

/// What was computed in a block, as terms of the logic.
struct ConditionReader<'a> {
    block: &'a Block,
    variables: &'a [Known],
}

impl ConditionReader<'_> {
    fn definition(&self, temp: TempId) -> Option<&InstKind> {
        self.block.insts.iter().map(|inst| &inst.kind).find(|kind| kind.dest() == Some(temp))
    }

    /// A truth value as a predicate.
    fn truth(&self, temp: TempId, depth: u32) -> Option<Predicate> {
        use scalar::BinaryOp as Op;
        let depth = depth.checked_sub(1)?;
        match self.definition(temp)? {
            InstKind::Binary { op, a, b, .. } => {
                let op = match op {
                    Op::Eq => CompareOp::Eq,
                    Op::Ne => CompareOp::Ne,
                    Op::Slt | Op::Ult => CompareOp::Lt,
                    Op::Sle | Op::Ule => CompareOp::Le,
                    _ => return None,
                };
                Some(Predicate::Compare { op, a: self.term(*a, depth)?, b: self.term(*b, depth)? })
            }
            InstKind::Unary { op: scalar::UnaryOp::Not, a: Operand::Temp(inner), .. } => {
                negated(&self.truth(*inner, depth)?)
            }
            _ => None,
        }
    }

    /// A number as a term.
    fn term(&self, operand: Operand, depth: u32) -> Option<Term> {
        use scalar::BinaryOp as Op;
        let depth = depth.checked_sub(1)?;
        let temp = match operand {
            Operand::Const(value) => return Some(Term::integer(value.signed())),
            Operand::Temp(temp) => temp,
            _ => return None,
        };
        match self.definition(temp)? {
            InstKind::Load { from, .. } => self.variable(*from),
            InstKind::Convert {
                op: scalar::Conversion::SignExtend(_) | scalar::Conversion::ZeroExtend(_), a, ..
            } => self.term(*a, depth),
            InstKind::Binary { op, a, b, .. } => {
                let op = match op {
                    Op::Add => BinaryOp::Add,
                    Op::Sub => BinaryOp::Sub,
                    Op::Mul => BinaryOp::Mul,
                    Op::SDiv | Op::UDiv => BinaryOp::Div,
                    Op::SRem | Op::URem => BinaryOp::Rem,
                    _ => return None,
                };
                Some(super::polynomial::binary(op, self.term(*a, depth)?, self.term(*b, depth)?))
            }
            _ => None,
        }
    }

    fn variable(&self, from: Operand) -> Option<Term> {
        let variable = match from {
            Operand::Local(local) => Variable::Local(local),
            Operand::Global(global, 0) => Variable::Global(global),
            _ => return None,
        };
        self.variables.iter().find(|known| known.variable == variable).map(|known| known.term())
    }
}

/// Conditions that hold in all rows, and implications between others.
pub(super) fn candidates(rows: &[Vec<Option<i128>>], variables: &[Known], atoms: &[Predicate]) -> Vec<Predicate> {
    let truth = |atom: &Predicate| -> Option<Vec<bool>> {
        rows.iter().map(|row| holds(atom, &Row { variables, row })).collect()
    };
    let weaker = atoms.iter().filter_map(weakened);
    let all: Vec<Predicate> = atoms.iter().cloned().chain(weaker).collect();
    let known: Vec<(&Predicate, Vec<bool>)> = all.iter().filter_map(|atom| Some((atom, truth(atom)?))).collect();
    let always = known.iter().filter(|(_, truths)| truths.iter().all(|truth| *truth));
    let mut found: Vec<Predicate> = Vec::new();
    always.for_each(|(atom, _)| {
        if !found.contains(atom) {
            found.push((*atom).clone())
        }
    });
    // Of conditions that no state seen tells apart, one will do.
    let mut open: Vec<&(&Predicate, Vec<bool>)> = Vec::new();
    for atom in &known {
        let is_open = atom.1.contains(&true) && atom.1.contains(&false);
        if is_open && !open.iter().any(|other| other.1 == atom.1) {
            open.push(atom);
        }
    }
    let mut implications = Vec::new();
    for (premise, of_premise) in &open {
        for (conclusion, of_conclusion) in &open {
            let is_new = premise != conclusion && !compare_the_same(premise, conclusion);
            if is_new && of_premise.iter().zip(of_conclusion).all(|(a, b)| !a || *b) {
                let (a, b) = (Box::new((*premise).clone()), Box::new((*conclusion).clone()));
                implications.push(Predicate::Implies(a, b));
            }
        }
    }
    implications.truncate(policy::MAX_IMPLICATIONS.size());
    found.extend(implications);
    found
}

/// Whether two comparisons are between the same terms.
fn compare_the_same(a: &Predicate, b: &Predicate) -> bool {
    match (a, b) {
        (Predicate::Compare { a, b, .. }, Predicate::Compare { a: c, b: d, .. }) => (a, b) == (c, d),
        _ => false,
    }
}

/// A strict comparison made one that is not.
fn weakened(atom: &Predicate) -> Option<Predicate> {
    let Predicate::Compare { op, a, b } = atom else { return None };
    let op = match op {
        CompareOp::Lt => CompareOp::Le,
        CompareOp::Gt => CompareOp::Ge,
        _ => return None,
    };
    Some(Predicate::Compare { op, a: a.clone(), b: b.clone() })
}

/// Whether a comparison holds of these values of variables, if that can be computed.
pub(super) fn holds_in(predicate: &Predicate, variables: &[Known], row: &[Option<i128>]) -> Option<bool> {
    holds(predicate, &Row { variables, row })
}

/// The values of variables in one state.
struct Row<'a> {
    variables: &'a [Known],
    row: &'a [Option<i128>],
}

fn holds(predicate: &Predicate, row: &Row<'_>) -> Option<bool> {
    let Predicate::Compare { op, a, b } = predicate else { return None };
    let (a, b) = (number(a, row)?, number(b, row)?);
    Some(match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Lt => a < b,
        CompareOp::Le => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::Ge => a >= b,
    })
}

fn number(term: &Term, row: &Row<'_>) -> Option<i128> {
    match &term.kind {
        TermKind::Integer(number) => Some(*number),
        TermKind::Convert(inner) => {
            let place = match &inner.kind {
                TermKind::Value(place) => place,
                TermKind::At(before, Label::Pre) => match &before.kind {
                    TermKind::Value(place @ Place { kind: PlaceKind::Param(_), .. }) => place,
                    _ => return None,
                },
                _ => return None,
            };
            let variable = match place.kind {
                PlaceKind::Local(local) => Variable::Local(local),
                PlaceKind::Global(global) => Variable::Global(global),
                PlaceKind::Param(position) => Variable::Argument(position),
                _ => return None,
            };
            let at = row.variables.iter().position(|known| known.variable == variable)?;
            row.row[at]
        }
        TermKind::Binary(op, a, b) if term.sort == Sort::Integer => {
            let (a, b) = (number(a, row)?, number(b, row)?);
            match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                BinaryOp::Div => a.checked_div(b),
                BinaryOp::Rem => a.checked_rem(b),
                _ => None,
            }
        }
        _ => None,
    }
}
