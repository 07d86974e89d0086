//! What an analysis is asked, laid out by where the answers are found, and how predicates are put to a state.
//!
//! A predicate is taken apart into cases (`&&`, `||` and comparisons of truth values), and each case is narrowed like a
//! condition of the program: backward through its operators to the operands, and comparisons of linear forms to the
//! relations. It may hold if some case does not contradict.

use super::engine::{Engine, Flow, Stop};
use super::form::Form;
use super::monitor::{Mode, Monitor, ON, Track};
use super::operator;
use super::state::range;
use super::transfer::Walk;
use super::value::Abs;
use crate::policy;
use crate::question::{InstPosition, Question};
use clew_ir::{BlockId, Callee, Expr, FunctionId, InstKind, Operand, TempId, Type};
use clew_scalar::{BinaryOp, Conversion, UnaryOp, Value};
use clew_solver::domain::Conflict;
use clew_solver::domain::int::IntDomain;
use std::collections::{BTreeMap, BTreeSet};

/// Questions for one analysis.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inquiry<'q> {
    /// What is remembered on the way.
    pub(crate) monitor: Monitor,
    holds: BTreeMap<InstPosition, Vec<(usize, &'q Expr)>>,
    watched: BTreeMap<InstPosition, Vec<(usize, Option<usize>)>>,
    turns: Vec<(u8, usize)>,
    /// Questions about executions that end after something happened.
    ends: Vec<usize>,
    /// Predicates that never hold after an instruction.
    false_after: BTreeMap<InstPosition, Vec<&'q Expr>>,
    /// Blocks to which control never comes, and ways out of blocks that it never takes.
    cut: BTreeSet<(FunctionId, BlockId, Option<usize>)>,
    /// Callees from which control may not come back, as far as that was asked.
    ending: BTreeMap<FunctionId, bool>,
}

impl<'q> Inquiry<'q> {
    /// The questions at some positions, which the monitor can answer; those at others are known never to happen.
    pub(crate) fn new(
        monitor: Monitor,
        questions: &'q [Question],
        asked: &[usize],
        never: &BTreeSet<usize>,
    ) -> Inquiry<'q> {
        let mut inquiry = Inquiry { monitor, ..Inquiry::default() };
        for &index in never {
            match &questions[index] {
                Question::Holds { at, holds } => inquiry.false_after.entry(*at).or_default().push(holds),
                Question::Passes { function, block, way } => drop(inquiry.cut.insert((*function, *block, *way))),
                Question::Watched { .. } | Question::Turns { .. } => {}
            }
        }
        for &index in asked {
            match &questions[index] {
                _ if matches!(inquiry.monitor.track, Track::Sticky(_)) => inquiry.ends.push(index),
                Question::Passes { .. } => unreachable!("what passes is sticky"),
                Question::Holds { at, holds } => inquiry.holds.entry(*at).or_default().push((index, holds)),
                Question::Watched { at, .. } => {
                    at.iter().for_each(|(at, way)| inquiry.watched.entry(*at).or_default().push((index, *way)));
                }
                Question::Turns { turns, .. } => inquiry.turns.push((*turns, index)),
            }
        }
        inquiry
    }
}

/// The temporaries in an expression.
fn temps(expr: &Expr, found: &mut BTreeSet<TempId>) {
    match expr {
        Expr::Operand(Operand::Temp(temp)) => drop(found.insert(*temp)),
        Expr::Operand(_) => {}
        Expr::Unary(_, a) | Expr::Convert(_, a) => temps(a, found),
        Expr::Binary(_, a, b) => {
            temps(a, found);
            temps(b, found);
        }
    }
}

/// Questions about the way by which control leaves a block, with those ways.
pub(crate) type Pending = Vec<(usize, usize)>;

impl<'p> Engine<'p> {
    /// Looks at the questions about control that comes to an instruction in a mode.
    pub(crate) fn arrive(&mut self, at: InstPosition, mode: Mode, pending: &mut Pending) {
        if mode.0 != ON || !self.inquiry.monitor.concerns(at.0) {
            return;
        }
        for &(index, way) in self.inquiry.watched.get(&at).into_iter().flatten() {
            match way {
                Some(way) => pending.push((index, way)),
                None => drop(self.seen.happens.insert(index)),
            }
        }
    }

    /// Looks at the questions about the state after an instruction.
    pub(crate) fn asked_after(&mut self, walk: &Walk<'p>, at: InstPosition) {
        let Some(asked) = self.inquiry.holds.get(&at) else { return };
        for (index, holds) in asked.clone() {
            if !self.seen.happens.contains(&index) && self.may_hold(walk, holds) {
                self.seen.happens.insert(index);
            }
        }
    }

    /// Whether a predicate may hold: for one of the values of every integer in it that has few.
    fn may_hold(&self, walk: &Walk<'p>, holds: &Expr) -> bool {
        let may = |walk: Walk<'p>| !self.cases(walk, holds, true).is_empty();
        let few = |temp: Operand| {
            let value = walk.value(temp, self.program.target.pointer_width);
            value.int().copied().filter(|domain| domain.count() <= policy::MAX_VALUES_TRIED.wide())
        };
        let may_with = |temp: Operand, domain: IntDomain| {
            domain.values().any(|value| {
                let (mut walk, value) = (walk.fork(), Abs::Int(IntDomain::singleton(domain.width(), value)));
                self.narrow(&mut walk, temp, &value, policy::MAX_CONDITION_DEPTH.small()).is_ok() && may(walk)
            })
        };
        let mut about = BTreeSet::new();
        temps(holds, &mut about);
        let mut about = about.into_iter().map(Operand::Temp);
        may(walk.fork()) && about.all(|temp| few(temp).is_none_or(|domain| may_with(temp, domain)))
    }

    /// Takes for granted after an instruction what is known to hold there.
    pub(crate) fn known_after(&self, walk: &mut Walk<'p>, at: InstPosition) -> Flow {
        for &never in self.inquiry.false_after.get(&at).into_iter().flatten() {
            let mut cases = self.cases(walk.fork(), never, false);
            match (cases.pop(), cases.is_empty()) {
                (None, _) => return Err(Stop::Dead),
                (Some(only), true) => *walk = only,
                (Some(_), false) => {}
            }
        }
        Ok(())
    }

    /// Whether control is known never to come to a block, or never to leave it that way.
    pub(crate) fn is_cut(&self, function: FunctionId, block: BlockId, way: Option<usize>) -> bool {
        self.inquiry.cut.contains(&(function, block, way))
    }

    /// The states in which the predicate holds that the monitor is to remember.
    pub(crate) fn guessed(&self, walk: &Walk<'p>, at: InstPosition, mode: Mode) -> Vec<Walk<'p>> {
        let holds = self.inquiry.monitor.guess(at, mode);
        holds.map_or_else(Vec::new, |holds| self.cases(walk.fork(), holds, true))
    }

    /// Notes that an activation ends, or may end, in a mode.
    pub(crate) fn ended(&mut self, id: FunctionId, mode: Mode) {
        self.turned(self.inquiry.monitor.turns(id, mode));
        self.happened(id, mode);
    }

    /// Notes that an activation goes on for ever, or ends, in a mode.
    pub(crate) fn happened(&mut self, id: FunctionId, mode: Mode) {
        if self.inquiry.monitor.has_happened(id, mode) {
            self.seen.happens.extend(&self.inquiry.ends);
        }
    }

    /// Notes that a loop ends, or may end, after so many turns.
    pub(crate) fn turned(&mut self, turns: Option<u8>) {
        let of = |(number, index): &(u8, usize)| (Some(*number) == turns).then_some(*index);
        self.seen.happens.extend(self.inquiry.turns.iter().filter_map(of));
    }

    /// Whether control may not come back from an instruction.
    pub(crate) fn may_end(&mut self, kind: &InstKind) -> bool {
        let InstKind::Call { callee, .. } = kind else { return false };
        let Callee::Direct(callee) = callee else { return true };
        if let Some(known) = self.inquiry.ending.get(callee) {
            return *known;
        }
        let reached = crate::reach::reach(self.program, *callee).functions;
        let ends = reached.iter().any(|id| self.may_end_itself(*id));
        self.inquiry.ending.insert(*callee, ends);
        ends
    }

    fn may_end_itself(&self, id: FunctionId) -> bool {
        let function = &self.program.functions[id];
        if !function.is_defined() {
            let row = clew_library::lookup(&function.name);
            return row.is_none_or(|row| row.effects.ends || row.effects.calls_back || row.is_jump());
        }
        let mut insts = function.blocks.values().flat_map(|block| &block.insts);
        insts.any(|inst| matches!(inst.kind, InstKind::Call { callee: Callee::Indirect(_), .. }))
    }

    /// The states that are left when a truth value is taken for granted, one per case.
    fn cases(&self, walk: Walk<'p>, truth: &Expr, outcome: bool) -> Vec<Walk<'p>> {
        let both = |walk: Walk<'p>, (a, x): (&Expr, bool), (b, y): (&Expr, bool)| -> Vec<Walk<'p>> {
            // Once more at the end: what the second says may let the first say more.
            let first = self.cases(walk, a, x).into_iter().flat_map(|walk| self.cases(walk, b, y));
            first.flat_map(|walk| self.cases(walk, a, x)).collect()
        };
        match truth {
            Expr::Unary(UnaryOp::Not, a) if self.is_truth(&walk, a) => self.cases(walk, a, !outcome),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) if self.is_truth(&walk, a) => {
                let settles = *op == BinaryOp::Or;
                if outcome != settles {
                    return both(walk, (a, outcome), (b, outcome));
                }
                let mut left = self.cases(walk.fork(), a, outcome);
                left.extend(both(walk, (a, !outcome), (b, outcome)));
                left
            }
            Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Xor), a, b) if self.is_truth(&walk, a) => {
                let same = (*op == BinaryOp::Eq) == outcome;
                let mut left = both(walk.fork(), (a, true), (b, same));
                left.extend(both(walk, (a, false), (b, !same)));
                left
            }
            _ => {
                let mut walk = walk;
                let wanted = Abs::Int(IntDomain::singleton(1, u128::from(outcome)));
                let holds = self.narrow_expr(&mut walk, truth, &wanted).is_ok();
                if holds { vec![walk] } else { Vec::new() }
            }
        }
    }

    fn is_truth(&self, walk: &Walk<'p>, expr: &Expr) -> bool {
        self.expr_type(walk, expr) == Type::Int(1)
    }

    fn expr_type(&self, walk: &Walk<'p>, expr: &Expr) -> Type {
        match expr {
            Expr::Operand(operand) => operand.ty(walk.function),
            Expr::Unary(op, a) => match (op, self.expr_type(walk, a)) {
                (
                    UnaryOp::FloatIsNan
                    | UnaryOp::FloatIsInfinite
                    | UnaryOp::FloatIsZero
                    | UnaryOp::FloatIsNormal
                    | UnaryOp::FloatIsSubnormal
                    | UnaryOp::FloatIsNegative,
                    _,
                ) => Type::Int(1),
                (_, ty) => ty,
            },
            Expr::Binary(op, a, _) => operator::result_type(*op, self.expr_type(walk, a)),
            Expr::Convert(op, a) => match op {
                Conversion::ZeroExtend(width)
                | Conversion::SignExtend(width)
                | Conversion::Truncate(width)
                | Conversion::FloatToSigned(width, _)
                | Conversion::FloatToUnsigned(width, _) => Type::Int(*width),
                Conversion::SignedToFloat(format, _)
                | Conversion::UnsignedToFloat(format, _)
                | Conversion::FloatToFloat(format, _)
                | Conversion::BitsToFloat(format) => Type::Float(*format),
                Conversion::FloatToBits => match self.expr_type(walk, a) {
                    Type::Float(format) => Type::Int(format.width()),
                    other => other,
                },
            },
        }
    }

    /// The values an expression may have.
    fn expr_value(&self, walk: &Walk<'p>, expr: &Expr) -> Result<Abs, Conflict> {
        let mut result = Abs::top(self.expr_type(walk, expr));
        match expr {
            Expr::Operand(operand) => return Ok(walk.value(*operand, self.program.target.pointer_width)),
            Expr::Unary(UnaryOp::FloatSqrt(_), _) => {}
            Expr::Unary(op, a) => operator::unary(*op, &mut result, &mut self.expr_value(walk, a)?)?,
            Expr::Binary(op, a, b) => {
                let (mut a, mut b) = (self.expr_value(walk, a)?, self.expr_value(walk, b)?);
                operator::binary(*op, &mut result, &mut a, &mut b)?;
            }
            Expr::Convert(op, a) => operator::convert(*op, &mut result, &mut self.expr_value(walk, a)?)?,
        }
        Ok(result)
    }

    /// Takes for granted that an expression has one of the given values.
    fn narrow_expr(&self, walk: &mut Walk<'p>, expr: &Expr, wanted: &Abs) -> Result<(), Conflict> {
        let mut result = self.expr_value(walk, expr)?.meet(wanted)?;
        match expr {
            Expr::Operand(operand) => self.narrow(walk, *operand, wanted, policy::MAX_CONDITION_DEPTH.small()),
            Expr::Unary(UnaryOp::FloatSqrt(_), _) => Ok(()),
            Expr::Unary(op, a) => {
                let mut x = self.expr_value(walk, a)?;
                operator::unary(*op, &mut result, &mut x)?;
                self.narrow_expr(walk, a, &x)
            }
            Expr::Binary(op, a, b) => {
                self.relate_exprs(walk, *op, (a, b), &result)?;
                let (mut x, mut y) = (self.expr_value(walk, a)?, self.expr_value(walk, b)?);
                operator::binary(*op, &mut result, &mut x, &mut y)?;
                self.narrow_expr(walk, a, &x)?;
                self.narrow_expr(walk, b, &y)
            }
            Expr::Convert(op, a) => {
                let mut x = self.expr_value(walk, a)?;
                operator::convert(*op, &mut result, &mut x)?;
                self.narrow_expr(walk, a, &x)
            }
        }
    }

    /// Gives a comparison whose outcome is known to the relations.
    fn relate_exprs(
        &self,
        walk: &mut Walk<'p>,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
        result: &Abs,
    ) -> Result<(), Conflict> {
        if let (Expr::Operand(a), Expr::Operand(b)) = (a, b) {
            return self.relate(walk, op, (*a, *b), result);
        }
        let equal = result.int().and_then(IntDomain::value) == Some(u128::from(op == BinaryOp::Eq));
        match (a, b) {
            (Expr::Binary(BinaryOp::Sub, high, low), Expr::Operand(Operand::Const(by)))
                if equal && matches!(op, BinaryOp::Eq | BinaryOp::Ne) =>
            {
                self.step(walk, (high, low), by.signed())
            }
            _ => Ok(()),
        }
    }

    /// `high - low = by` as machine integers: where signed numbers do not wrap round, which of them is less.
    fn order(&self, walk: &mut Walk<'p>, (high, low): (Operand, Operand), by: i128) -> Result<(), Conflict> {
        let width = self.program.target.pointer_width;
        let fits = |operand: Operand, by: i128| {
            let domain = walk.value(operand, width).int().copied()?;
            let (whole, (least, most)) = (range(&IntDomain::top(domain.width()), true)?, range(&domain, true)?);
            Some(least + by >= whole.0 && most + by <= whole.1)
        };
        if fits(high, -by) != Some(true) && fits(low, by) != Some(true) {
            return Ok(());
        }
        let (op, operands) = match by {
            0 => (BinaryOp::Eq, (low, high)),
            1.. => (BinaryOp::Slt, (low, high)),
            _ => (BinaryOp::Slt, (high, low)),
        };
        self.relate(walk, op, operands, &Abs::Int(IntDomain::singleton(1, 1)))
    }

    /// `high - low = by` as machine integers: where they cannot wrap round, a relation.
    fn step(&self, walk: &mut Walk<'p>, (high, low): (&Expr, &Expr), by: i128) -> Result<(), Conflict> {
        let (Expr::Operand(high), Expr::Operand(low)) = (high, low) else { return Ok(()) };
        let width = self.program.target.pointer_width;
        let Type::Int(bits @ 2..=64) = high.ty(walk.function) else { return Ok(()) };
        let number = |value: i128| Operand::Const(Value::int(bits, value as u128));
        let equal = Abs::Int(IntDomain::singleton(1, 1));
        match (high, low) {
            (high, Operand::Const(low)) => {
                self.relate(walk, BinaryOp::Eq, (*high, number(low.signed() + by)), &equal)?
            }
            (Operand::Const(high), low) => {
                self.relate(walk, BinaryOp::Eq, (*low, number(high.signed() - by)), &equal)?
            }
            _ => {}
        }
        self.order(walk, (*high, *low), by)?;
        for signed in [true, false] {
            let forms = walk.form(*high, signed, width).zip(walk.form(*low, signed, width));
            let Some(form) = forms.and_then(|(high, low)| high.minus(&low)) else { continue };
            let Some((least, most)) = walk.state.bounds(self.program, &form) else { continue };
            let round = 1_i128 << bits;
            let first = least + (by - least).rem_euclid(round);
            if first > most {
                return Err(Conflict);
            }
            if first + round > most {
                let below = Form { constant: form.constant - first, ..form.clone() };
                walk.state.assume(self.program, &below)?;
                return walk.state.assume(self.program, &below.negated());
            }
        }
        Ok(())
    }
}
