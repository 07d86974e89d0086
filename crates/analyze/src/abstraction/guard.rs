//! Conditions on abstract states: what is known of cells when a truth value is what it is.
//!
//! A condition is followed back through the instructions of its block to the cells it reads: each operator narrows its
//! operands, and comparisons of linear forms go to the octagon, and to the templates; those with what was
//! read at unknown places are remembered as they are.

use super::cell::Object;
use super::engine::{Engine, Flow};
use super::form::Form;
use super::modular;
use super::operator;
use super::order::Pair;
use super::transfer::Walk;
use super::value::Abs;
use crate::policy;
use clew_ir::{InstKind, Operand};
use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp};
use clew_solver::domain::Conflict;
use clew_solver::domain::int::IntDomain;

impl<'p> Engine<'p> {
    /// Takes for granted that a condition has an outcome.
    pub(crate) fn refine(&self, walk: &mut Walk<'p>, condition: Operand, outcome: bool) -> Flow {
        let wanted = Abs::Int(IntDomain::singleton(1, u128::from(outcome)));
        self.narrow(walk, condition, &wanted, policy::MAX_CONDITION_DEPTH.small())?;
        Ok(())
    }

    /// Takes for granted that an operand has one of the given values.
    pub(crate) fn narrow(
        &self,
        walk: &mut Walk<'p>,
        operand: Operand,
        wanted: &Abs,
        depth: u32,
    ) -> Result<(), Conflict> {
        let width = self.program.target.pointer_width;
        let old = walk.value(operand, width);
        let new = old.meet(wanted)?;
        let Operand::Temp(temp) = operand else { return Ok(()) };
        let place = if walk.temps.contains_key(&temp) { &mut walk.temps } else { &mut walk.state.temps };
        place.insert(temp, new.clone());
        if let Some(key) = walk.loaded.get(&temp)
            && let Some((_, cell)) = walk.state.cells.get_mut(key)
        {
            *cell = cell.meet(&new)?;
        }
        if let Some(spot) = walk.spots.get(&temp) {
            walk.state.reads.note(spot, new.clone());
        }
        match walk.defined.get(&temp).copied() {
            Some(kind) if depth > 0 => self.narrow_operands(walk, kind, new, depth - 1),
            _ => Ok(()),
        }
    }

    fn narrow_operands(
        &self,
        walk: &mut Walk<'p>,
        kind: &InstKind,
        mut result: Abs,
        depth: u32,
    ) -> Result<(), Conflict> {
        let width = self.program.target.pointer_width;
        match kind {
            InstKind::Binary { op: op @ (BinaryOp::Eq | BinaryOp::Ne), a, b, .. } if self.is_pointer(walk, *a) => {
                self.narrow_pointers(walk, *op, (*a, *b), &result, depth)
            }
            InstKind::Binary { op, a, b, .. } => {
                self.relate(walk, *op, (*a, *b), &result)?;
                let (mut x, mut y) = (walk.value(*a, width), walk.value(*b, width));
                operator::binary(*op, &mut result, &mut x, &mut y)?;
                self.narrow(walk, *a, &x, depth)?;
                self.narrow(walk, *b, &y, depth)
            }
            InstKind::Unary { op, a, .. } if !matches!(op, UnaryOp::FloatSqrt(_)) => {
                let mut x = walk.value(*a, width);
                operator::unary(*op, &mut result, &mut x)?;
                self.narrow(walk, *a, &x, depth)
            }
            InstKind::Convert { op, a, .. } => {
                let mut x = walk.value(*a, width);
                // Extension of a truth value says as much about it as it says about itself.
                if let (Conversion::ZeroExtend(_), Abs::Int(domain), Abs::Int(truth)) = (op, &result, &mut x)
                    && truth.width() == 1
                {
                    let values = [0, 1].into_iter().filter(|value| domain.contains(*value));
                    let mut values: Vec<u128> = values.collect();
                    if values.is_empty() {
                        return Err(Conflict);
                    }
                    truth.narrow(&IntDomain::from_values(1, &mut values))?;
                } else {
                    operator::convert(*op, &mut result, &mut x)?;
                }
                self.narrow(walk, *a, &x, depth)
            }
            InstKind::Ternary { op: TernaryOp::Select, .. } => Ok(()),
            _ => Ok(()),
        }
    }

    fn is_pointer(&self, walk: &Walk<'p>, operand: Operand) -> bool {
        matches!(walk.value(operand, self.program.target.pointer_width), Abs::Pointer(_))
    }

    /// A pointer is compared with null. Two pointers to different objects may still be equal, one being past the end of
    /// its object, so that other comparisons say nothing.
    fn narrow_pointers(
        &self,
        walk: &mut Walk<'p>,
        op: BinaryOp,
        (a, b): (Operand, Operand),
        result: &Abs,
        depth: u32,
    ) -> Result<(), Conflict> {
        let width = self.program.target.pointer_width;
        let Some(outcome) = result.int().and_then(IntDomain::value) else { return Ok(()) };
        let equal = (op == BinaryOp::Eq) == (outcome == 1);
        if equal {
            self.twin(walk, a, b);
        }
        for (pointer, other) in [(a, b), (b, a)] {
            if walk.pointer(other, width).is_null() == Some(true) {
                let left = walk.pointer(pointer, width).where_null(equal)?;
                self.narrow(walk, pointer, &Abs::Pointer(left), depth)?;
            }
        }
        Ok(())
    }

    /// Notes that two pointers of the input are the same. No object of the input begins where another ends.
    fn twin(&self, walk: &mut Walk<'p>, a: Operand, b: Operand) {
        let held = |operand: Operand| match operand {
            Operand::Temp(temp) => walk.loaded.get(&temp).copied(),
            _ => None,
        };
        let is_input = |operand: Operand| {
            let targets = walk.pointer(operand, self.program.target.pointer_width);
            let mut objects = targets.objects.keys();
            !targets.any && objects.all(|object| matches!(object, Object::Input(_) | Object::Shared))
        };
        if let (Some(x), Some(y), true) = (held(a), held(b), is_input(a) && is_input(b)) {
            walk.state.reads.twin(x, y);
        }
    }

    /// Gives a comparison whose outcome is known to the octagon and the templates.
    pub(crate) fn relate(
        &self,
        walk: &mut Walk<'p>,
        op: BinaryOp,
        (a, b): (Operand, Operand),
        result: &Abs,
    ) -> Result<(), Conflict> {
        let Some(outcome) = result.int().and_then(IntDomain::value) else { return Ok(()) };
        if let Some(pair) = Pair::new(walk, a, b) {
            walk.state.reads.compare(pair, op, outcome == 1)?;
        }
        if matches!((op, outcome), (BinaryOp::Eq, 1) | (BinaryOp::Ne, 0))
            && let Some(difference) = modular::difference(walk, a, b)
        {
            walk.state.equalities.assume(&difference)?;
        }
        let width = self.program.target.pointer_width;
        let signed = matches!(op, BinaryOp::Slt | BinaryOp::Sle);
        let forms = match op {
            BinaryOp::Eq | BinaryOp::Ne => [true, false]
                .into_iter()
                .find_map(|signed| Some((walk.form(a, signed, width)?, walk.form(b, signed, width)?))),
            BinaryOp::Slt | BinaryOp::Sle | BinaryOp::Ult | BinaryOp::Ule => {
                walk.form(a, signed, width).zip(walk.form(b, signed, width))
            }
            _ => None,
        };
        let Some((x, y)) = forms else { return Ok(()) };
        x.minus(&y).iter().for_each(|form| self.templates.note(form));
        // Each is a form that is at most zero.
        let less =
            |x: &Form, y: &Form, gap: i128| x.minus(y).map(|form| Form { constant: form.constant + gap, ..form });
        let known = match (op, outcome == 1) {
            (BinaryOp::Slt | BinaryOp::Ult, true) => vec![less(&x, &y, 1)],
            (BinaryOp::Slt | BinaryOp::Ult, false) => vec![less(&y, &x, 0)],
            (BinaryOp::Sle | BinaryOp::Ule, true) => vec![less(&x, &y, 0)],
            (BinaryOp::Sle | BinaryOp::Ule, false) => vec![less(&y, &x, 1)],
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => vec![less(&x, &y, 0), less(&y, &x, 0)],
            _ => return self.apart(walk, &x, &y),
        };
        known.into_iter().flatten().try_for_each(|form| walk.state.assume(self.program, &form))
    }

    /// Two forms differ: where one is known not to exceed the other, it is less.
    fn apart(&self, walk: &mut Walk<'p>, x: &Form, y: &Form) -> Result<(), Conflict> {
        for (x, y) in [(x, y), (y, x)] {
            let Some(form) = x.minus(y) else { continue };
            // `x >= y` is impossible together with `x <= y - 1` refuted: test whether `x > y` contradicts.
            let above = Form { constant: 1 - form.constant, ..form.negated() };
            if walk.state.clone().assume(self.program, &above).is_err() {
                let below = Form { constant: form.constant + 1, ..form };
                walk.state.assume(self.program, &below)?;
            }
        }
        Ok(())
    }
}
