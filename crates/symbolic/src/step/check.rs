//! Checks: what must hold lest the program is undefined.

use clew_ir::{CheckId, FunctionId, Inst, InstKind, Span};
use clew_scalar::{BinaryOp, Conversion, Format, Rounding, Type, UnaryOp, Value, eval};
use clew_solver::model::Model;
use clew_solver::term::{Node, Sort, TermId, Terms};
use std::rc::Rc;

use crate::config::Errors;
use crate::constraints::Answer;
use crate::effects::Failing;
use crate::ending::{Failure, Finding, Limit, PathEnd};
use crate::path::{Open, Path, Resume};
use crate::policy;
use crate::state::State;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Scalar};

impl Stepper<'_> {
    /// Goes on with the inputs for which `ok` holds. If it fails for some, that is a finding; if for all, the path ends.
    pub fn demand(&mut self, path: &mut Path, ok: Scalar, check: CheckId, span: Span, what: &str) -> Step {
        let Scalar::Term(term) = ok else {
            if ok.bits() == Some(1) {
                return Ok(());
            }
            if self.config.errors == Errors::Report && self.is_worth_asking(path, check, false) {
                self.report(path, &path.model, check, span, what);
            }
            return Err(PathEnd::Failed(self.failure(path, check, span, what)));
        };
        let holds = self.constraints.holds(&path.model, term);
        let errors = if path.state.guard { Errors::AssumeAbsent } else { self.config.errors };
        if errors == Errors::End && !holds {
            return Err(PathEnd::Failed(self.failure(path, check, span, what)));
        }
        if errors == Errors::Report && self.is_worth_asking(path, check, holds) {
            let failing = self.constraints.terms().not(term);
            let answer = if holds { self.failing_input(path, failing) } else { Answer::Sat(path.model.clone()) };
            match answer {
                Answer::Sat(model) => self.report(path, &model, check, span, what),
                Answer::Unsat => return Ok(()),
                Answer::Unknown => self.leave_undecided(path, check),
            }
        }
        let later = (!holds && self.may_be_put_off(path)).then(|| (path.state.clone(), Rc::clone(&path.model)));
        let usual = self.constraints.limit_steps(if later.is_some() { policy::CHECK_STEPS.get() } else { u64::MAX });
        let assumed = self.assume(path, term);
        self.constraints.limit_steps(usual);
        assumed.map_err(|end| match (end, later) {
            (PathEnd::Contradiction, _) => PathEnd::Failed(self.failure(path, check, span, what)),
            (PathEnd::Limit(Limit::Solver), Some((state, model))) if !self.late() => self.put_off(state, model, term),
            (end, _) => end,
        })
    }

    /// Whether a path may wait where it stands while others are tried: in the search for objectives, at an operator,
    /// which can be computed again.
    fn may_be_put_off(&self, path: &Path) -> bool {
        let frame = path.state.frame();
        let block = &self.program.functions[frame.function].blocks[frame.block];
        let last = frame.next.checked_sub(1).and_then(|last| block.insts.get(last));
        let computes = last.is_some_and(|inst| {
            matches!(inst.kind, InstKind::Unary { .. } | InstKind::Binary { .. } | InstKind::Convert { .. })
        });
        computes && self.config.is_directed() && !path.state.guard
    }

    /// Leaves a path open before the operator whose check is hard to satisfy.
    fn put_off(&mut self, mut state: State, model: Rc<Model>, when: TermId) -> PathEnd {
        state.step_back();
        self.effects.forks.push(Open::new(state, model, when, Resume::Again));
        PathEnd::PutOff
    }

    /// An input that takes the path and makes a check fail. The search for other objectives has little patience for it.
    fn failing_input(&mut self, path: &Path, failing: TermId) -> Answer {
        let heads_elsewhere = self.config.is_directed() && !self.config.seeks_errors();
        let steps = if heads_elsewhere { policy::CHECK_STEPS.get() } else { u64::MAX };
        self.solve_within(steps, &mut path.state.clone(), Some(failing), &path.model)
    }

    /// Goes on with the inputs for which a term holds.
    pub fn assume(&mut self, path: &mut Path, term: TermId) -> Step {
        path.state.condition.push_back(term);
        if self.constraints.holds(&path.model, term) {
            return Ok(());
        }
        let near = path.model.clone();
        match self.solve(&mut path.state, None, &near) {
            Answer::Sat(model) => {
                path.model = model;
                Ok(())
            }
            Answer::Unsat => Err(PathEnd::Contradiction),
            Answer::Unknown => Err(PathEnd::Limit(Limit::Solver)),
        }
    }

    /// Goes on with the inputs for which a term holds, or with those for which another one does where there are none.
    pub(crate) fn prefer(&mut self, path: &mut Path, first: TermId, otherwise: TermId) -> Step {
        let mut state = path.state.clone();
        match self.solve(&mut state, Some(first), &path.model.clone()) {
            Answer::Unsat => self.assume(path, otherwise),
            Answer::Unknown => Err(PathEnd::Limit(Limit::Solver)),
            Answer::Sat(model) => {
                (path.state, path.model) = (state, model);
                Ok(())
            }
        }
    }

    /// If the present input makes a number too large, takes one for which it is within the first of some bounds that is
    /// possible.
    pub(crate) fn look_for_less(&mut self, path: &mut Path, number: Scalar, largest: u128, bounds: &[u128]) {
        let Scalar::Term(number) = number else { return };
        if self.constraints.value(&path.model, number) <= largest {
            return;
        }
        for &most in bounds {
            let terms = self.constraints.terms();
            let bound = terms.int(terms.width(number), most);
            let is_less = terms.binary(BinaryOp::Ule, number, bound);
            if let Answer::Sat(model) = self.solve(&mut path.state.clone(), Some(is_less), &path.model.clone()) {
                path.model = model;
                return;
            }
        }
    }

    /// Goes on with the inputs for which a scalar has the value it has now, and leaves the others open.
    pub(crate) fn make_known(&mut self, path: &mut Path, scalar: Scalar) -> Step<u128> {
        let Scalar::Term(term) = scalar else { return Ok(scalar.bits().expect("a known scalar has bits")) };
        let bits = self.constraints.value(&path.model, term);
        let terms = self.constraints.terms();
        let constant = terms.int(terms.width(term), bits);
        let equal = terms.eq(term, constant);
        let when = terms.not(equal);
        let left =
            path.state.choices.retaken.take().filter(|(retaken, _)| *retaken == term).map_or(0, |(_, left)| left);
        if path.state.repeats {
            // The path that this one repeats leaves the other values open.
        } else if path.state.choices.known < policy::MAX_VALUES_TRIED.small() {
            let mut state = path.state.clone();
            state.choices.known += 1;
            state.choices.retaken = Some((term, left + 1));
            state.step_back();
            self.effects.forks.push(Open::new(state, path.model.clone(), when, Resume::Again));
        } else {
            self.effects.limits.insert(Limit::Elements);
        }
        path.state.condition.push_back(equal);
        Ok(bits)
    }

    /// The same where the scalar is a hash: the variables that it mixes keep their values, too. Of a hash that has one
    /// value the solver can say little but what these are, and it would be asked again for every later branch.
    pub(super) fn make_hash_known(&mut self, path: &mut Path, scalar: Scalar) -> Step<u128> {
        let bits = self.make_known(path, scalar)?;
        let Scalar::Term(term) = scalar else { return Ok(bits) };
        let Some(variables) = hashed(self.constraints.terms(), term) else { return Ok(bits) };
        self.effects.limits.insert(Limit::Elements);
        for variable in variables {
            let bits = self.constraints.value(&path.model, variable);
            let terms = self.constraints.terms();
            let constant = terms.int(terms.width(variable), bits);
            let equal = terms.eq(variable, constant);
            path.state.condition.push_back(equal);
        }
        Ok(bits)
    }

    fn failure(&self, path: &Path, check: CheckId, span: Span, what: &str) -> Failure {
        let running = path.state.frame().function;
        let (function, check) = self.responsible(path, check);
        if !self.program.models.contains(&running) {
            return Failure { function, check, what: what.to_owned(), span };
        }
        let name = self.model_called(path).map_or("", |id| &self.program.functions[id].name);
        let span = self.call_site(path).map_or(Span::NONE, |(_, inst)| inst.span);
        Failure { function, check, what: format!("`{name}`: {what}"), span }
    }

    /// The check that stands for one of the running function: in a model of the library, that of the call which the
    /// program makes.
    fn responsible(&self, path: &Path, check: CheckId) -> (FunctionId, CheckId) {
        let running = path.state.frame().function;
        if !self.program.models.contains(&running) {
            return (running, check);
        }
        let call = self.call_site(path).and_then(|(function, inst)| Some((function, inst.kind.check()?)));
        call.unwrap_or((running, check))
    }

    /// Whether a check is known to fail for some input.
    pub(super) fn has_failed(&self, path: &Path, check: CheckId) -> bool {
        self.checks.failed.contains(&self.responsible(path, check))
    }

    /// The call by which the program runs the model that runs.
    pub(super) fn call_site(&self, path: &Path) -> Option<(FunctionId, &Inst)> {
        let own = path.state.frames.iter().rev().find(|frame| !self.program.models.contains(&frame.function))?;
        let block = &self.program.functions[own.function].blocks[own.block];
        let inst = own.next.checked_sub(1).and_then(|last| block.insts.get(last))?;
        Some((own.function, inst))
    }

    /// The model that the program called, which may have called the one that runs.
    fn model_called(&self, path: &Path) -> Option<FunctionId> {
        let frames = path.state.frames.iter().rev();
        frames.map(|frame| frame.function).take_while(|function| self.program.models.contains(function)).last()
    }

    /// Whether to look for an input that makes a check fail: not again after a finding; and where the present input does
    /// not and the search heads for other objectives, only so often.
    fn is_worth_asking(&mut self, path: &Path, check: CheckId, holds: bool) -> bool {
        let key = self.responsible(path, check);
        if self.checks.failed.contains(&key) {
            return false;
        }
        if holds && path.state.repeats {
            return false;
        }
        let asked = self.checks.asked.entry(key).or_default();
        *asked += 1;
        !holds
            || *asked <= policy::MAX_CHECK_QUESTIONS.small()
            || !self.config.is_directed()
            || self.config.seeks_errors()
    }

    /// A check on which the solver gave up is not asked about again while the search heads for other objectives.
    fn leave_undecided(&mut self, path: &Path, check: CheckId) {
        let key = self.responsible(path, check);
        self.effects.undecided.insert(key);
        self.checks.asked.insert(key, policy::MAX_CHECK_QUESTIONS.small());
    }

    fn report(&mut self, path: &Path, model: &Rc<Model>, check: CheckId, span: Span, what: &str) {
        let failure = self.failure(path, check, span, what);
        self.note(path, model, failure);
    }

    /// Reports a failure with an input that leads to it.
    pub(super) fn note(&mut self, path: &Path, model: &Rc<Model>, failure: Failure) {
        let check = failure.check;
        let input = self.concrete_input(&path.state, model);
        let finding = Finding { failure, input, path: path.state.record.events.iter().copied().collect() };
        self.checks.failed.insert((finding.failure.function, check));
        let meetings = self.meetings(&path.state, model);
        self.effects.failures.push(Failing { finding, model: Rc::clone(model), meetings });
    }
}

/// The integer variables of a term, if it is made by multiplying some of them by a large number, as hash functions do.
fn hashed(terms: &Terms, term: TermId) -> Option<Vec<TermId>> {
    let is_large = |factor: TermId| terms.bits(factor).is_some_and(|bits| bits > policy::HASH_FACTOR.wide());
    let reachable = terms.reachable(&[term]);
    let is_hash = reachable.iter().any(|term| match terms.node(*term) {
        Node::Binary(BinaryOp::Mul, a, b) => is_large(a) || is_large(b),
        _ => false,
    });
    let is_integer = |term: &TermId| {
        matches!(terms.node(*term), Node::Var(_)) && matches!(terms.sort(*term), Sort::Scalar(Type::Int(_)))
    };
    let variables: Vec<TermId> = reachable.into_iter().filter(is_integer).collect();
    (is_hash && variables.len() <= policy::MAX_HASHED_VARIABLES.size()).then_some(variables)
}

/// Whether a signed operator's result is representable: computed one bit wider (twice as wide for products), where it
/// is exact.
pub fn no_overflow(terms: &mut Terms, op: BinaryOp, a: Scalar, b: Scalar) -> Scalar {
    let width = a.ty(terms).width();
    let bits = (
        significant(terms, a, policy::MAX_RANGE_DEPTH.small()),
        significant(terms, b, policy::MAX_RANGE_DEPTH.small()),
    );
    let needed = if op == BinaryOp::Mul { bits.0.saturating_add(bits.1) } else { bits.0.max(bits.1).saturating_add(1) };
    if width > 64 && needed <= width {
        return Scalar::bool(true);
    }
    if width == 128 || op == BinaryOp::Mul && width > 64 {
        return no_wide_overflow(terms, op, a, b);
    }
    let wide = if op == BinaryOp::Mul { width.saturating_mul(2).min(128) } else { width.saturating_add(1).min(128) };
    let widened = Conversion::SignExtend(wide);
    let (wide_a, wide_b) = (value::convert(terms, widened, a), value::convert(terms, widened, b));
    let exact = value::binary(terms, op, wide_a, wide_b);
    in_range(terms, exact, width)
}

/// Bits that hold a signed integer, to judge by how it is computed.
fn significant(terms: &mut Terms, scalar: Scalar, depth: u32) -> u8 {
    let width = scalar.ty(terms).width();
    let term = match scalar {
        Scalar::Known(value) => {
            let number = value.signed();
            let magnitude = if number < 0 { !number } else { number };
            return (129 - magnitude.leading_zeros()).min(128) as u8;
        }
        Scalar::Term(term) if depth > 0 => term,
        Scalar::Term(_) => return width,
    };
    let node = terms.node(term);
    let mut of = |term| significant(terms, Scalar::Term(term), depth - 1);
    let bits = match node {
        Node::Const(value) => return significant(terms, Scalar::Known(value), depth),
        Node::Convert(Conversion::SignExtend(_), inner) => of(inner),
        Node::Convert(Conversion::ZeroExtend(_), inner) => of(inner).saturating_add(1),
        Node::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => of(a).max(of(b)).saturating_add(1),
        Node::Binary(BinaryOp::Mul, a, b) => of(a).saturating_add(of(b)),
        _ => width,
    };
    bits.min(width)
}

/// The same where there is no wider integer: a sum has a sign that its operands allow, a product divides back.
fn no_wide_overflow(terms: &mut Terms, op: BinaryOp, a: Scalar, b: Scalar) -> Scalar {
    let width = a.ty(terms).width();
    let (zero, least) = (Scalar::int(width, 0), Scalar::int(width, 1 << (width - 1)));
    let result = value::binary(terms, op, a, b);
    if op == BinaryOp::Mul {
        let quotient = value::binary(terms, BinaryOp::SDiv, result, a);
        let divides = value::binary(terms, BinaryOp::Eq, quotient, b);
        let is_zero = value::binary(terms, BinaryOp::Eq, a, zero);
        let not_minus_one = value::binary(terms, BinaryOp::Ne, a, Scalar::int(width, u128::MAX));
        let not_least = value::binary(terms, BinaryOp::Ne, b, least);
        let fits = value::binary(terms, BinaryOp::Or, not_minus_one, not_least);
        let divides = value::and(terms, divides, fits);
        return value::binary(terms, BinaryOp::Or, is_zero, divides);
    }
    let b = if op == BinaryOp::Sub { value::unary(terms, UnaryOp::Not, b) } else { b };
    let (from_a, from_b) =
        (value::binary(terms, BinaryOp::Xor, a, result), value::binary(terms, BinaryOp::Xor, b, result));
    let both = value::binary(terms, BinaryOp::And, from_a, from_b);
    value::binary(terms, BinaryOp::Sle, zero, both)
}

/// Whether a wide signed integer is representable in a narrower width.
fn in_range(terms: &mut Terms, exact: Scalar, width: u8) -> Scalar {
    let wide = exact.ty(terms).width();
    let least = Scalar::int(wide, (-1i128 << (width - 1)) as u128);
    let most = Scalar::int(wide, (1u128 << (width - 1)) - 1);
    let above = value::binary(terms, BinaryOp::Sle, least, exact);
    let below = value::binary(terms, BinaryOp::Sle, exact, most);
    value::and(terms, above, below)
}

/// Whether `-a` is representable.
pub fn no_negation_overflow(terms: &mut Terms, a: Scalar) -> Scalar {
    let width = a.ty(terms).width();
    let least = Scalar::int(width, 1u128 << (width - 1));
    value::binary(terms, BinaryOp::Ne, a, least)
}

/// Whether a quotient or remainder is defined.
pub fn divisible(terms: &mut Terms, op: BinaryOp, a: Scalar, b: Scalar) -> Scalar {
    let width = a.ty(terms).width();
    let nonzero = value::binary(terms, BinaryOp::Ne, b, Scalar::int(width, 0));
    if matches!(op, BinaryOp::UDiv | BinaryOp::URem) {
        return nonzero;
    }
    let minus_one = value::binary(terms, BinaryOp::Ne, b, Scalar::int(width, u128::MAX));
    let not_least = value::binary(terms, BinaryOp::Ne, a, Scalar::int(width, 1u128 << (width - 1)));
    let fits = value::binary(terms, BinaryOp::Or, minus_one, not_least);
    value::and(terms, nonzero, fits)
}

/// Whether a shift amount is less than the width.
pub fn shiftable(terms: &mut Terms, amount: Scalar) -> Scalar {
    let width = amount.ty(terms).width();
    value::binary(terms, BinaryOp::Ult, amount, Scalar::int(width, u128::from(width)))
}

/// Whether a float, truncated, is representable as an integer: between the bounds, which are powers of two (or zero) and
/// thus exact in every format that reaches them.
pub fn float_fits(terms: &mut Terms, op: Conversion, a: Scalar) -> Scalar {
    let Type::Float(format) = a.ty(terms) else { unreachable!("a float is converted") };
    let power = |exponent: u8| eval::convert(exact(format), Value::int(128, 1u128 << exponent));
    let (least, bound) = match op {
        Conversion::FloatToSigned(width, _) => (eval::unary(UnaryOp::FloatNeg, power(width - 1)), power(width - 1)),
        Conversion::FloatToUnsigned(128, _) => (Value::zero(Type::Float(format)), infinity(format)),
        Conversion::FloatToUnsigned(width, _) => (Value::zero(Type::Float(format)), power(width)),
        _ => unreachable!("only conversions to integers are checked"),
    };
    let truncated = value::unary(terms, UnaryOp::FloatRoundToIntegral(Rounding::Zero), a);
    let above = value::binary(terms, BinaryOp::FloatLe, Scalar::Known(least), truncated);
    let below = value::binary(terms, BinaryOp::FloatLt, truncated, Scalar::Known(bound));
    let infinite = value::unary(terms, UnaryOp::FloatIsInfinite, a);
    let finite = value::not(terms, infinite);
    let within = value::and(terms, above, below);
    value::and(terms, finite, within)
}

/// The first number beyond all 128-bit integers that `format` can tell from them.
fn infinity(format: Format) -> Value {
    eval::binary(
        BinaryOp::FloatDiv(Rounding::NearestEven),
        eval::convert(exact(format), Value::int(1, 1)),
        Value::zero(Type::Float(format)),
    )
}

fn exact(format: Format) -> Conversion {
    Conversion::UnsignedToFloat(format, Rounding::NearestEven)
}
