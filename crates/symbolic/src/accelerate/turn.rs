//! One turn of a loop along given blocks, from values that are not known yet: what it makes of each variable, and what it
//! needs to go that way.
//!
//! Understood are variables that are read and written as wholes by their names, sums, differences, products, conversions
//! and comparisons of integers. Anything else makes the turn one that has no summary: calls, accesses through pointers,
//! floats, volatile variables, operators on bits.

use std::collections::BTreeMap;

use clew_ir::{
    BlockId, CheckKind, Function, Inst, InstKind, LocalId, Operand, TempId, Terminator, TerminatorKind, Type,
};
use clew_scalar::{BinaryOp, Conversion, UnaryOp};
use clew_solver::term::Terms;

use super::polynomial::{Atom, Polynomial, Signedness, Symbol};
use crate::memory::{Memory, ObjectId};
use crate::path::Path;
use crate::state::State;
use crate::value::{Scalar, Val};

/// Shifts by more make factors too large.
const MOST_SHIFT: i128 = 62;

/// A variable that the loop reads or writes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variable {
    pub(super) object: ObjectId,
    pub(super) at: u64,
    pub(super) width: u8,
    /// What it holds where the summary begins.
    pub(super) entry: Scalar,
}

/// What must be the case in every turn.
#[derive(Clone, Debug)]
pub(super) enum Demand {
    /// The result of a signed operator is one that its width can represent: else it is undefined.
    Fits(Polynomial, u8),
    /// A conversion keeps the value of an integer of this width.
    Keeps(Polynomial, u8, Signedness),
    /// A comparison has this result.
    Holds(Comparison, bool),
}

/// A comparison of two integers of a width.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) op: BinaryOp,
    pub(super) width: u8,
    pub(super) operands: [Polynomial; 2],
}

/// What a turn computes with.
#[derive(Clone, Debug)]
enum Value {
    Integer(Polynomial, u8),
    Truth(Comparison, bool),
    Known(bool),
}

/// A turn.
pub(super) struct Turn<'a> {
    function: &'a Function,
    state: &'a State,
    terms: &'a mut Terms,
    temps: BTreeMap<TempId, Value>,
    pub(super) variables: Vec<Variable>,
    /// What each variable holds now.
    held: Vec<Polynomial>,
    /// Variables that begin their life in the turn, with what they hold.
    own: BTreeMap<LocalId, Option<(Polynomial, u8)>>,
    pub(super) demands: Vec<Demand>,
    /// What signed operators that must not overflow are given.
    operands: Vec<(Polynomial, u8)>,
    /// The demands that are branches.
    pub(super) branches: Vec<usize>,
    /// Events that the turn is recorded with.
    pub(super) events: usize,
}

impl<'a> Turn<'a> {
    /// Runs a turn from its first block to its last, from which control goes to the first again.
    pub(super) fn run(
        function: &'a Function,
        path: &'a Path,
        terms: &'a mut Terms,
        blocks: &[BlockId],
    ) -> Option<Turn<'a>> {
        let mut turn = Turn {
            function,
            state: &path.state,
            terms,
            temps: BTreeMap::new(),
            variables: Vec::new(),
            held: Vec::new(),
            own: BTreeMap::new(),
            demands: Vec::new(),
            operands: Vec::new(),
            branches: Vec::new(),
            events: 0,
        };
        for (at, block) in blocks.iter().enumerate() {
            let next = blocks.get(at + 1).or(blocks.first())?;
            let block = &function.blocks[*block];
            for inst in &block.insts {
                turn.instruction(inst)?;
            }
            turn.terminator(&block.terminator, *next)?;
        }
        turn.demand_exact_operands();
        Some(turn)
    }

    /// Signed operators do not overflow just where their results are in range only if their operands are. Those are that
    /// signed operators have computed; of others it is demanded: they may have wrapped around.
    fn demand_exact_operands(&mut self) {
        // What the turn before gave a variable may be out of range where no turn was made before.
        let is_own = |(number, held): (usize, &Polynomial)| {
            held.number().is_some() || held.entries().any(|variable| variable == number)
        };
        let mut exact: Vec<bool> = self.held.iter().enumerate().map(is_own).collect();
        loop {
            let kept = |(number, held): (usize, &Polynomial)| {
                exact[number] && self.is_exact(&exact, held, self.variables[number].width)
            };
            let still: Vec<bool> = self.held.iter().enumerate().map(kept).collect();
            if still == exact {
                break;
            }
            exact = still;
        }
        for (value, width) in std::mem::take(&mut self.operands) {
            if !self.is_exact(&exact, &value, width) {
                self.demands.push(Demand::Keeps(value, width, Signedness::Signed));
            }
        }
    }

    /// What a variable holds after the turn.
    pub(super) fn result(&self, variable: usize) -> &Polynomial {
        &self.held[variable]
    }

    /// Whether a polynomial has the value of the signed integer it stands for, if these variables do and demands are met.
    fn is_exact(&self, exact: &[bool], value: &Polynomial, width: u8) -> bool {
        let Some(Symbol { atom, signedness }) = value.symbol() else {
            let fits = |it: &Demand| matches!(it, Demand::Fits(own, bits) if own == value && *bits == width);
            let is_small = |number: i128| width >= 126 || (-1 << (width - 1)..1 << (width - 1)).contains(&number);
            return value.number().is_some_and(is_small) || self.demands.iter().any(fits);
        };
        let (own, is_known) = match atom {
            Atom::Entry(variable) => (self.variables[variable].width, exact[variable]),
            Atom::Fixed(term) => (self.terms.width(term), true),
        };
        // How an atom is read was decided by a conversion, which keeps its value.
        match signedness {
            Signedness::Either => own == width && is_known,
            Signedness::Signed => own <= width,
            Signedness::Unsigned => own < width,
        }
    }

    fn instruction(&mut self, inst: &Inst) -> Option<()> {
        let (dest, value) = match &inst.kind {
            InstKind::Load { dest, from, volatile: false, raw: false, .. } => (*dest, self.load(*dest, *from)?),
            InstKind::Store { to, value, volatile: false, .. } => return self.store(*to, *value),
            InstKind::Unary { dest, op, a, check } => (*dest, self.unary(*op, *a, check.is_some())?),
            InstKind::Binary { dest, op, a, b, check } => (*dest, self.binary(*op, *a, *b, check.is_some())?),
            InstKind::Convert { dest, op, a, .. } => (*dest, self.convert(*op, *a)?),
            InstKind::Begin { local } => {
                self.own.insert(*local, None);
                return Some(());
            }
            InstKind::End { local } => return self.own.contains_key(local).then_some(()),
            InstKind::Check { holds, check } => return self.check(*holds, self.function.checks[*check].kind),
            _ => return None,
        };
        self.temps.insert(dest, value);
        Some(())
    }

    fn check(&mut self, holds: Operand, kind: CheckKind) -> Option<()> {
        match self.operand(holds)? {
            Value::Known(true) if kind != CheckKind::Assertion => Some(()),
            Value::Truth(comparison, truth) => {
                self.demands.push(Demand::Holds(comparison, truth));
                Some(())
            }
            _ => None,
        }
    }

    fn unary(&mut self, op: UnaryOp, a: Operand, is_checked: bool) -> Option<Value> {
        match (op, self.operand(a)?) {
            (UnaryOp::Not, Value::Truth(comparison, truth)) => Some(Value::Truth(comparison, !truth)),
            (UnaryOp::Not, Value::Integer(a, width)) => {
                Some(Value::Integer(Polynomial::constant(-1).minus(&a)?, width))
            }
            (UnaryOp::Neg, Value::Integer(a, width)) => self.checked(a.times(-1)?, width, is_checked, &[&a]),
            _ => None,
        }
    }

    fn binary(&mut self, op: BinaryOp, a: Operand, b: Operand, is_checked: bool) -> Option<Value> {
        let (Value::Integer(a, width), Value::Integer(b, _)) = (self.operand(a)?, self.operand(b)?) else {
            return None;
        };
        match op {
            BinaryOp::Add => self.checked(a.plus(&b)?, width, is_checked, &[&a, &b]),
            BinaryOp::Sub => self.checked(a.minus(&b)?, width, is_checked, &[&a, &b]),
            BinaryOp::Mul => self.checked(a.product(&b)?, width, is_checked, &[&a, &b]),
            BinaryOp::Shl => {
                let by = b.number().filter(|by| (0..i128::from(width).min(MOST_SHIFT)).contains(by))?;
                Some(Value::Integer(a.times(1 << by)?, width))
            }
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Slt | BinaryOp::Sle | BinaryOp::Ult | BinaryOp::Ule => {
                Some(Value::Truth(Comparison { op, width, operands: [a, b] }, true))
            }
            _ => None,
        }
    }

    /// The result of a signed operator that must be representable, or of one that wraps.
    fn checked(&mut self, result: Polynomial, width: u8, is_checked: bool, of: &[&Polynomial]) -> Option<Value> {
        if is_checked {
            self.operands.extend(of.iter().map(|operand| ((*operand).clone(), width)));
            self.demands.push(Demand::Fits(result.clone(), width));
        }
        Some(Value::Integer(result, width))
    }

    fn convert(&mut self, op: Conversion, a: Operand) -> Option<Value> {
        let Value::Integer(a, width) = self.operand(a)? else { return None };
        let (signedness, wider) = match op {
            Conversion::Truncate(narrower) => return (narrower >= 8).then_some(Value::Integer(a, narrower)),
            Conversion::SignExtend(wider) => (Signedness::Signed, wider),
            Conversion::ZeroExtend(wider) => (Signedness::Unsigned, wider),
            _ => return None,
        };
        self.demands.push(Demand::Keeps(a.clone(), width, signedness));
        Some(Value::Integer(a.read(signedness)?, wider))
    }

    fn terminator(&mut self, terminator: &Terminator, next: BlockId) -> Option<()> {
        match &terminator.kind {
            TerminatorKind::Jump(target) => (*target == next).then_some(()),
            TerminatorKind::Branch { on, condition, then, otherwise } => {
                if then == otherwise || *then != next && *otherwise != next {
                    return None;
                }
                let goes = *then == next;
                self.events += usize::from(condition.is_some());
                match self.operand(*on)? {
                    Value::Known(truth) => (truth == goes).then_some(()),
                    Value::Truth(comparison, truth) => {
                        self.branches.push(self.demands.len());
                        self.demands.push(Demand::Holds(comparison, truth == goes));
                        Some(())
                    }
                    Value::Integer(..) => None,
                }
            }
            _ => None,
        }
    }

    fn load(&mut self, dest: TempId, from: Operand) -> Option<Value> {
        let Type::Int(width) = self.function.temps[dest].ty else { return None };
        if let Operand::Local(local) = from
            && let Some(held) = self.own.get(&local)
        {
            return held.clone().filter(|(_, own)| *own == width).map(|(value, width)| Value::Integer(value, width));
        }
        let variable = self.variable(from, width)?;
        Some(Value::Integer(self.held[variable].clone(), width))
    }

    fn store(&mut self, to: Operand, value: Operand) -> Option<()> {
        let Value::Integer(value, width) = self.operand(value)? else { return None };
        if let Operand::Local(local) = to
            && let Some(held) = self.own.get_mut(&local)
        {
            *held = Some((value, width));
            return Some(());
        }
        let variable = self.variable(to, width)?;
        self.held[variable] = value;
        Some(())
    }

    /// The variable that an access by name means.
    fn variable(&mut self, place: Operand, width: u8) -> Option<usize> {
        let (object, at) = match place {
            Operand::Local(local) => (self.state.local(local), 0),
            Operand::Global(global, offset) => (*self.state.globals.get(&global)?, u64::try_from(offset).ok()?),
            _ => return None,
        };
        let bytes = u64::from(width / 8);
        let known = self.variables.iter().position(|known| known.object == object && known.at == at);
        if let Some(known) = known {
            return (self.variables[known].width == width).then_some(known);
        }
        let overlaps = |known: &Variable| {
            known.object == object && known.at < at + bytes && at < known.at + u64::from(known.width / 8)
        };
        if width < 8 || !width.is_multiple_of(8) || self.variables.iter().any(overlaps) {
            return None;
        }
        let entry = entry(&self.state.memory, object, at, bytes)?;
        let own = entry.ty(self.terms);
        if own != clew_scalar::Type::Int(width) {
            return None;
        }
        self.variables.push(Variable { object, at, width, entry });
        let number = self.variables.len() - 1;
        self.held.push(Polynomial::atom(Atom::Entry(number)));
        Some(number)
    }

    fn operand(&mut self, operand: Operand) -> Option<Value> {
        match operand {
            Operand::Const(value) => match value.ty {
                clew_scalar::Type::Int(1) => Some(Value::Known(value.bits == 1)),
                clew_scalar::Type::Int(width) => Some(Value::Integer(Polynomial::constant(value.signed()), width)),
                clew_scalar::Type::Float(_) => None,
            },
            Operand::Temp(temp) => match self.temps.get(&temp) {
                Some(value) => Some(value.clone()),
                None => self.outer(temp),
            },
            _ => None,
        }
    }

    /// A temporary that was defined before the loop.
    fn outer(&mut self, temp: TempId) -> Option<Value> {
        let Some(Val::Scalar(scalar)) = self.state.frame().temps.get(temp) else { return None };
        match scalar.ty(self.terms) {
            clew_scalar::Type::Int(width) if width >= 8 => Some(Value::Integer(fixed(scalar), width)),
            _ => None,
        }
    }
}

/// A scalar as a polynomial.
pub(super) fn fixed(scalar: Scalar) -> Polynomial {
    match scalar {
        Scalar::Known(value) => Polynomial::constant(value.signed()),
        Scalar::Term(term) => Polynomial::atom(Atom::Fixed(term)),
    }
}

/// What a variable holds, if that is a number in one piece.
fn entry(memory: &Memory, object: ObjectId, at: u64, bytes: u64) -> Option<Scalar> {
    let held = memory.get(object);
    match held.cell(at, bytes).filter(|_| held.alive)? {
        Val::Scalar(scalar) => Some(scalar),
        Val::Pointer(_) => None,
    }
}
