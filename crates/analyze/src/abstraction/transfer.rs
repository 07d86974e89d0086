//! Instructions on abstract states.

use super::cell::{Key, Object};
use super::engine::{Abort, Engine, Flow, Stop};
use super::equality::Linear;
use super::form::Form;
use super::memory;
use super::operator;
use super::order::Pair;
use super::quotient::{Distance, Quotient};
use super::reads::Spot;
use super::state::{State, narrow, range};
use super::value::{Abs, Targets};
use clew_ir::{CheckId, CheckKind, Function, FunctionId, Inst, InstKind, Operand, TempId};
use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp};
use clew_solver::domain::Conflict;
use clew_solver::domain::int::IntDomain;
use std::collections::BTreeMap;

/// A state on its way through a block, with what is known of the block's temporaries.
#[derive(Clone)]
pub(crate) struct Walk<'p> {
    pub(crate) id: FunctionId,
    pub(crate) function: &'p Function,
    pub(crate) depth: u32,
    pub(crate) state: State,
    pub(crate) temps: BTreeMap<TempId, Abs>,
    /// Which instruction of this block defines a temporary.
    pub(crate) defined: BTreeMap<TempId, &'p InstKind>,
    /// Temporaries that hold what a cell holds now.
    pub(crate) loaded: BTreeMap<TempId, Key>,
    /// Temporaries that hold the pointer which a cell held before it was moved on by so many bytes.
    pub(crate) behind: BTreeMap<TempId, (Key, i128)>,
    /// Temporaries as mathematical integers, signed or not as told.
    pub(crate) forms: BTreeMap<TempId, (Form, bool)>,
    /// Temporaries as linear functions of cells modulo the word.
    pub(crate) linears: BTreeMap<TempId, Linear>,
    /// Temporaries that hold what was read where there is no cell, and nothing was written since.
    pub(crate) spots: BTreeMap<TempId, Spot>,
    /// Temporaries that are forms divided by a number.
    pub(crate) quotients: BTreeMap<TempId, Quotient>,
    /// Whether the block has written memory so far, or called something that may have.
    pub(crate) has_written: bool,
}

impl<'p> Walk<'p> {
    /// The value of an operand.
    pub(crate) fn value(&self, operand: Operand, width: u8) -> Abs {
        let at = |object, offset: i64| {
            let mask = u128::MAX >> (128 - u32::from(width));
            Abs::Pointer(Targets::object(object, IntDomain::singleton(width, offset as u128 & mask)))
        };
        match operand {
            Operand::Const(value) => Abs::constant(value),
            Operand::Null => Abs::Pointer(Targets::null()),
            Operand::Local(local) => at(Object::Local(self.depth, self.id, local), 0),
            Operand::Global(global, offset) => at(Object::Global(global), offset),
            Operand::Function(function) => Abs::Pointer(Targets::function(function)),
            Operand::Temp(temp) => {
                let known = self.temps.get(&temp).or_else(|| self.state.temps.get(&temp));
                known.cloned().unwrap_or_else(|| Abs::top(self.function.temps[temp].ty))
            }
        }
    }

    pub(crate) fn pointer(&self, operand: Operand, width: u8) -> Targets {
        match self.value(operand, width) {
            Abs::Pointer(targets) => targets,
            _ => Targets::any(),
        }
    }

    /// An operand as a mathematical integer, read as signed or not.
    pub(crate) fn form(&self, operand: Operand, signed: bool, width: u8) -> Option<Form> {
        match operand {
            Operand::Const(value) if value.ty.width() <= 64 => {
                Some(Form::constant(if signed { value.signed() } else { value.bits as i128 }))
            }
            Operand::Temp(temp) => {
                let (form, own) = self.forms.get(&temp)?;
                let same = *own == signed || is_small(self.value(operand, width).int()?);
                same.then(|| form.clone())
            }
            _ => None,
        }
    }

    /// Whether two operands have one value, for they are computed alike from what memory held when the block began.
    fn same(&self, a: Operand, b: Operand) -> bool {
        let (Operand::Temp(x), Operand::Temp(y)) = (a, b) else { return a == b };
        if x == y {
            return true;
        }
        match (self.defined.get(&x), self.defined.get(&y)) {
            (
                Some(InstKind::Load { from, volatile: false, .. }),
                Some(InstKind::Load { from: other, volatile: false, .. }),
            ) => !self.has_written && self.same(*from, *other),
            (Some(InstKind::Binary { op, a, b, .. }), Some(InstKind::Binary { op: other, a: c, b: d, .. })) => {
                op == other && self.same(*a, *c) && self.same(*b, *d)
            }
            (Some(InstKind::Convert { op, a, .. }), Some(InstKind::Convert { op: other, a: b, .. })) => {
                op == other && self.same(*a, *b)
            }
            (Some(InstKind::Offset { base, bytes, .. }), Some(InstKind::Offset { base: other, bytes: by, .. })) => {
                self.same(*base, *other) && self.same(*bytes, *by)
            }
            _ => false,
        }
    }

    pub(crate) fn define(&mut self, dest: TempId, value: Abs) {
        self.temps.insert(dest, value);
    }

    /// Drops what was known through cells that changed.
    pub(crate) fn changed(&mut self, keys: &[Key]) {
        self.loaded.retain(|_, key| !keys.contains(key));
        self.behind.retain(|_, (key, _)| !keys.contains(key));
        self.forms.retain(|_, (form, _)| !form.mentions(&|key| keys.contains(key)));
        self.linears.retain(|_, linear| !linear.mentions(&|key| keys.contains(key)));
        self.quotients.retain(|_, quotient| !quotient.form.mentions(&|key| keys.contains(key)));
    }
}

/// Whether a number is the same read as signed and as unsigned.
fn is_small(domain: &IntDomain) -> bool {
    domain.width() <= 64 && domain.signed_min() >= 0
}

impl<'p> Engine<'p> {
    /// Runs one instruction.
    pub(crate) fn instruction(&mut self, walk: &mut Walk<'p>, inst: &'p Inst) -> Flow {
        if let Some(dest) = inst.kind.dest() {
            walk.defined.insert(dest, &inst.kind);
        }
        let width = self.program.target.pointer_width;
        if writes(&inst.kind) {
            walk.has_written = true;
            walk.spots.clear();
        }
        match &inst.kind {
            InstKind::Unary { dest, op, a, check } => self.unary(walk, *dest, *op, *a, *check)?,
            InstKind::Binary { dest, op, a, b, check } => {
                self.compared(walk, *a, *b);
                self.binary(walk, *dest, *op, (*a, *b), *check)?;
            }
            InstKind::Ternary { dest, op, a, b, c } => {
                let value = match (op, walk.value(*a, width).int().and_then(IntDomain::value)) {
                    (TernaryOp::Select, Some(0)) => Some(walk.value(*c, width)),
                    (TernaryOp::Select, Some(_)) => Some(walk.value(*b, width)),
                    (TernaryOp::Select, None) => walk.value(*b, width).join(&walk.value(*c, width)),
                    _ => None,
                };
                walk.define(*dest, value.unwrap_or_else(|| Abs::top(walk.function.temps[*dest].ty)));
            }
            InstKind::Convert { dest, op, a, check } => {
                self.may_fail(walk.id, *check);
                self.convert(walk, *dest, *op, *a)?;
            }
            InstKind::Offset { dest, base, bytes, check } => {
                let mut value = self.moved(walk, *base, *bytes);
                if !self.is_safe_move(walk, *base, *bytes, &value) {
                    self.may_fail(walk.id, *check);
                }
                if check.is_some() && self.assumes_moves {
                    self.stay_inside(walk, *base, *bytes)?;
                    self.keep_in_array(walk, *base, *bytes, &mut value);
                    self.pass_move(walk, *base, *bytes);
                }
                walk.define(*dest, value);
            }
            InstKind::Load { dest, from, volatile, raw, check } => {
                let bytes = walk.function.temps[*dest].ty.bytes(width);
                if !self.is_safe_read(walk, *from, bytes) {
                    self.may_fail(walk.id, *check);
                }
                self.loaded(walk, *dest, *from, *volatile, *raw);
                if check.is_some() {
                    self.stay_in_stretch(walk, *from, bytes)?;
                }
                if check.is_some() && !raw {
                    self.pass_access(walk, *from, bytes, false);
                }
            }
            InstKind::Store { to, value, check, volatile } => self.stored(walk, (*to, *value), *check, *volatile)?,
            InstKind::Call { .. } => return self.call(walk, inst),
            InstKind::Check { holds, check } => {
                if walk.depth == 0 && walk.function.checks[*check].kind == CheckKind::Assertion {
                    self.pass(walk, *check)?;
                }
                if walk.function.checks[*check].kind == CheckKind::Leak {
                    self.may_fail(walk.id, Some(*check));
                }
                let holds_always = walk.value(*holds, width).int().and_then(IntDomain::value) == Some(1);
                if !holds_always && self.refine(&mut walk.fork(), *holds, false) != Err(Stop::Dead) {
                    self.may_fail(walk.id, Some(*check));
                }
                self.refine(walk, *holds, true)?;
            }
            InstKind::Unsupported { .. } => return Err(Abort::GivenUp.into()),
            other => self.lifetime(walk, other),
        }
        self.relate_linearly(walk, &inst.kind);
        Ok(())
    }

    /// Notes what a comparison of pointers, or their distance, makes exploration try.
    fn compared(&mut self, walk: &Walk<'p>, a: Operand, b: Operand) {
        let width = self.program.target.pointer_width;
        let (Abs::Pointer(a), Abs::Pointer(b)) = (walk.value(a, width), walk.value(b, width)) else { return };
        match (a.is_null(), b.is_null()) {
            (Some(true), _) => self.inputs.may_be_null(&b),
            (_, Some(true)) => self.inputs.may_be_null(&a),
            _ => self.inputs.may_meet(&[a, b]),
        }
    }

    /// Keeps the state in which an assertion is passed.
    fn pass(&mut self, walk: &Walk<'p>, check: CheckId) -> Flow {
        let mut state = walk.state.clone();
        state.relate(self.program)?;
        let joined = self.seen.passed.get(&check).map(|known| known.join(&state));
        self.seen.passed.insert(check, joined.unwrap_or(state));
        Ok(())
    }

    fn unary(&mut self, walk: &mut Walk<'p>, dest: TempId, op: UnaryOp, a: Operand, check: Option<CheckId>) -> Flow {
        let width = self.program.target.pointer_width;
        let mut result = Abs::top(walk.function.temps[dest].ty);
        let mut operand = walk.value(a, width);
        if let (UnaryOp::Neg, Some(_), Abs::Int(domain)) = (op, check, &mut operand) {
            let least = 1u128 << (domain.width() - 1);
            if domain.contains(least) {
                self.may_fail(walk.id, check);
                domain.remove(least)?;
            }
        }
        operator::unary(op, &mut result, &mut operand)?;
        if let (UnaryOp::Neg, Some(_), Some(form)) = (op, check, walk.form(a, true, width)) {
            walk.forms.insert(dest, (form.negated(), true));
        }
        walk.define(dest, result);
        Ok(())
    }

    fn binary(
        &mut self,
        walk: &mut Walk<'p>,
        dest: TempId,
        op: BinaryOp,
        (a, b): (Operand, Operand),
        check: Option<CheckId>,
    ) -> Flow {
        let width = self.program.target.pointer_width;
        let ty = walk.function.temps[dest].ty;
        debug_assert_eq!(operator::result_type(op, a.ty(walk.function)), ty, "the verifier checks types");
        let (mut x, mut y) = (walk.value(a, width), walk.value(b, width));
        let mut result = Abs::top(ty);
        if let (Some(check), Abs::Int(x), Abs::Int(y)) = (check, &mut x, &mut y) {
            result = Abs::Int(self.checked(walk, op, (a, x), (b, y), check)?);
        }
        operator::binary(op, &mut result, &mut x, &mut y)?;
        if let (BinaryOp::Mul, Some(_), Abs::Int(square)) = (op, check, &mut result)
            && walk.same(a, b)
        {
            square.narrow_signed(0, square.signed_max().max(0))?;
        }
        let signed = check.is_some();
        if let Some((form, signed)) = self.linear(walk, op, (a, b), signed) {
            if let (Some((least, most)), Abs::Int(domain)) =
                (walk.state.range_of_form(self.program, &form), &mut result)
            {
                narrow(domain, signed, least, most)?;
            }
            walk.forms.insert(dest, (form, signed));
        } else if let Abs::Int(domain) = &mut result
            && let Some(quotient) = self.quotient(walk, op, (a, b), domain)
        {
            if let Some((least, most)) = quotient.range(self.program, &walk.state) {
                narrow(domain, quotient.signed, least, most)?;
            }
            walk.quotients.insert(dest, quotient);
        }
        walk.define(dest, result);
        Ok(())
    }

    /// What a check leaves of the operands, and the results it allows.
    fn checked(
        &mut self,
        walk: &Walk<'p>,
        op: BinaryOp,
        (first, a): (Operand, &mut IntDomain),
        (second, b): (Operand, &mut IntDomain),
        check: CheckId,
    ) -> Result<IntDomain, Conflict> {
        let id = walk.id;
        let mut result = IntDomain::top(a.width());
        match walk.function.checks[check].kind {
            CheckKind::Overflow => match (operator::exact(op, a, b), range(&result, true)) {
                (Some((low, high)), Some((least, most))) => {
                    let fits = |(low, high): (i128, i128)| low >= least && high <= most;
                    let related = || self.related_range(walk, op, (first, second), &result);
                    if !fits((low, high)) && !related().is_some_and(fits) {
                        self.may_fail(id, Some(check));
                    }
                    narrow(&mut result, true, low, high)?;
                }
                _ => self.may_fail(id, Some(check)),
            },
            CheckKind::Division => {
                let least = 1u128 << (a.width() - 1);
                let unsigned = matches!(op, BinaryOp::UDiv | BinaryOp::URem);
                if b.contains(0) || !unsigned && a.contains(least) && b.contains(b.mask()) {
                    self.may_fail(id, Some(check));
                }
                if b.contains(0) {
                    b.remove(0)?;
                }
            }
            CheckKind::Shift => {
                let most = u128::from(a.width()) - 1;
                if b.unsigned_max() > most {
                    self.may_fail(id, Some(check));
                }
                b.narrow_unsigned(0, most.min(b.mask()))?;
            }
            _ => self.may_fail(id, Some(check)),
        }
        Ok(result)
    }

    /// The range that relations give the exact result of a signed sum or difference.
    fn related_range(
        &self,
        walk: &Walk<'p>,
        op: BinaryOp,
        (a, b): (Operand, Operand),
        result: &IntDomain,
    ) -> Option<(i128, i128)> {
        let width = self.program.target.pointer_width;
        let form = match (op, walk.form(a, true, width), walk.form(b, true, width)) {
            (BinaryOp::Add, Some(a), Some(b)) => a.plus(&b),
            (BinaryOp::Sub, Some(a), Some(b)) => a.minus(&b),
            _ => None,
        };
        match form {
            Some(form) => {
                self.templates.note_parts(&form);
                self.templates.range(self.program, &walk.state, &form)
            }
            None => self.quotient(walk, op, (a, b), result)?.range(self.program, &walk.state),
        }
    }

    /// A sum, difference or multiple as a form, where it cannot wrap.
    fn linear(&self, walk: &Walk<'p>, op: BinaryOp, (a, b): (Operand, Operand), checked: bool) -> Option<(Form, bool)> {
        match op {
            BinaryOp::Add | BinaryOp::Sub => self.sum(walk, op, (a, b), checked),
            BinaryOp::Mul => self.multiple(walk, a, b, checked).or_else(|| self.multiple(walk, b, a, checked)),
            _ => None,
        }
    }

    /// A multiple as a form, where it cannot wrap.
    fn multiple(&self, walk: &Walk<'p>, a: Operand, factor: Operand, checked: bool) -> Option<(Form, bool)> {
        let width = self.program.target.pointer_width;
        let (Operand::Const(factor), Abs::Int(domain)) = (factor, walk.value(a, width)) else { return None };
        [true, false].into_iter().find_map(|signed| {
            let by = if signed { factor.signed() } else { factor.bits as i128 };
            let ((least, most), whole) = (range(&domain, signed)?, range(&IntDomain::top(domain.width()), signed)?);
            let fits = |value: i128| value.checked_mul(by).is_some_and(|it| it >= whole.0 && it <= whole.1);
            let exact = signed && checked || fits(least) && fits(most);
            walk.form(a, signed, width).filter(|_| exact)?.times(by).map(|form| (form, signed))
        })
    }

    /// A sum or difference as a form, where it cannot wrap.
    fn sum(&self, walk: &Walk<'p>, op: BinaryOp, (a, b): (Operand, Operand), checked: bool) -> Option<(Form, bool)> {
        let width = self.program.target.pointer_width;
        let (Abs::Int(x), Abs::Int(y)) = (walk.value(a, width), walk.value(b, width)) else { return None };
        let combine = |a: Form, b: Form| if op == BinaryOp::Add { a.plus(&b) } else { a.minus(&b) };
        for signed in [true, false] {
            let (Some(fa), Some(fb)) = (walk.form(a, signed, width), walk.form(b, signed, width)) else { continue };
            let whole = range(&IntDomain::top(x.width()), signed)?;
            let exact = exact_range(op, &x, &y, signed)?;
            if signed && checked || exact.0 >= whole.0 && exact.1 <= whole.1 {
                return combine(fa, fb).map(|form| (form, signed));
            }
        }
        // Adding a large unsigned constant is subtracting a small one.
        let (form, negative) = (walk.form(a, false, width)?, y.value()?);
        let amount = negative.wrapping_neg() & y.mask();
        let subtracts = op == BinaryOp::Add && x.width() <= 64 && x.unsigned_min() >= amount;
        let moved = Form { constant: form.constant - amount as i128, ..form };
        subtracts.then_some((moved, false))
    }

    fn convert(&mut self, walk: &mut Walk<'p>, dest: TempId, op: Conversion, a: Operand) -> Flow {
        let width = self.program.target.pointer_width;
        let mut result = Abs::top(walk.function.temps[dest].ty);
        let mut operand = walk.value(a, width);
        operator::convert(op, &mut result, &mut operand)?;
        let form = match (op, &operand) {
            (Conversion::SignExtend(_), Abs::Int(_)) => walk.form(a, true, width).map(|form| (form, true)),
            (Conversion::ZeroExtend(_), Abs::Int(_)) => walk.form(a, false, width).map(|form| (form, true)),
            (Conversion::Truncate(to), Abs::Int(domain)) => [true, false].into_iter().find_map(|signed| {
                let (whole, now) = (range(&IntDomain::top(to), signed)?, range(domain, signed)?);
                let fits = now.0 >= whole.0 && now.1 <= whole.1;
                walk.form(a, signed, width).filter(|_| fits).map(|form| (form, signed))
            }),
            _ => None,
        };
        if let (Operand::Temp(temp), Conversion::SignExtend(_) | Conversion::ZeroExtend(_)) = (a, op)
            && let Some(quotient) = walk.quotients.get(&temp)
            && quotient.signed == matches!(op, Conversion::SignExtend(_))
        {
            let wider = Quotient { signed: true, ..quotient.clone() };
            walk.quotients.insert(dest, wider);
        }
        if let Some(form) = form.filter(|_| dest_width(walk, dest).is_some_and(|width| width <= 64)) {
            walk.forms.insert(dest, form);
        }
        walk.define(dest, result);
        Ok(())
    }

    fn moved(&self, walk: &Walk<'p>, base: Operand, bytes: Operand) -> Abs {
        let width = self.program.target.pointer_width;
        let mut targets = walk.pointer(base, width);
        let Abs::Int(by) = walk.value(bytes, width) else { return Abs::Pointer(Targets::any()) };
        if !targets.functions.is_empty() || targets.null && by.value() != Some(0) {
            return Abs::Pointer(Targets::any());
        }
        for offset in targets.objects.values_mut() {
            let (mut result, mut a, mut b) = (Abs::Int(IntDomain::top(width)), Abs::Int(*offset), Abs::Int(by));
            if operator::binary(BinaryOp::Add, &mut result, &mut a, &mut b).is_err() {
                return Abs::Pointer(Targets::any());
            }
            *offset = result.int().copied().unwrap_or_else(|| IntDomain::top(width));
        }
        Abs::Pointer(targets)
    }

    /// Reads memory; with `raw`, bytes never written may be read.
    fn loaded(&mut self, walk: &mut Walk<'p>, dest: TempId, from: Operand, volatile: bool, raw: bool) {
        let ty = walk.function.temps[dest].ty;
        let width = self.program.target.pointer_width;
        let targets = walk.pointer(from, width);
        if volatile {
            return walk.define(dest, Abs::top(ty));
        }
        let mut value = memory::load(self.program, &walk.state, &targets, ty);
        if targets.place().is_none()
            && let Some(spot) = Spot::new(walk, from, ty, width)
        {
            if let Some(Ok(known)) = walk.state.reads.get(&spot).map(|known| value.meet(known)) {
                value = known;
            }
            walk.spots.insert(dest, spot);
        }
        if let Some(key) = targets.place() {
            let bytes = ty.bytes(width);
            // What is known of a cell that is read is kept, so that conditions can say more about it.
            let overlaps = walk.state.cells.iter().any(|(known, (size, _))| {
                known.0 == key.0 && *known != key && known.1 < key.1 + bytes && key.1 < known.1 + size
            });
            let is_written = !raw || !matches!(key.0, Object::Local(..));
            if is_written && !walk.state.cells.contains_key(&key) && !overlaps {
                walk.state.cells.insert(key, (bytes, value.clone()));
            }
            if walk.state.cells.get(&key).is_some_and(|(size, abs)| *size == bytes && abs.fits(ty)) {
                walk.loaded.insert(dest, key);
                value = walk.state.bounded_by_equalities(key, value);
                if value.int().is_some_and(|domain| domain.width() <= 64 && domain.width() > 1) {
                    walk.forms.insert(dest, (Form::cell(key), key.0.is_signed(self.program)));
                    walk.linears.insert(dest, Linear::cell(key, (bytes * 8) as u8));
                }
            }
        }
        walk.define(dest, value);
    }

    /// A store, with its check.
    fn stored(
        &mut self,
        walk: &mut Walk<'p>,
        (to, value): (Operand, Operand),
        check: Option<CheckId>,
        volatile: bool,
    ) -> Flow {
        let bytes = value.ty(walk.function).bytes(self.program.target.pointer_width);
        if !self.is_safe_write(walk, to, bytes) {
            self.may_fail(walk.id, check);
        }
        if check.is_some() {
            self.pass_access(walk, to, bytes, true);
            self.stay_in_stretch(walk, to, bytes)?;
        }
        self.store(walk, to, value)?;
        if volatile { Ok(()) } else { self.note_stored(walk, to, value) }
    }

    /// Notes what is where something was just written that has no cell.
    fn note_stored(&self, walk: &mut Walk<'p>, to: Operand, value: Operand) -> Flow {
        let width = self.program.target.pointer_width;
        if walk.pointer(to, width).place().is_none()
            && let Some(spot) = Spot::new(walk, to, value.ty(walk.function), width)
        {
            let stored = walk.value(value, width);
            walk.state.reads.note(&spot, stored);
            if let Some(pair) = Pair::written(walk, &spot, value) {
                walk.state.reads.compare(pair, BinaryOp::Eq, true)?;
            }
        }
        Ok(())
    }

    /// A quotient that is stored to a cell: how far the cell is then from others.
    fn distances(&self, walk: &Walk<'p>, key: Key, value: Operand) -> Vec<Distance> {
        let Operand::Temp(temp) = value else { return Vec::new() };
        let Some(quotient) = walk.quotients.get(&temp) else { return Vec::new() };
        let is_small = || walk.value(value, self.program.target.pointer_width).int().is_some_and(is_small);
        let is_same = quotient.signed == key.0.is_signed(self.program) || is_small();
        if is_same { quotient.distances(self.program, &walk.state, key) } else { Vec::new() }
    }

    fn store(&mut self, walk: &mut Walk<'p>, to: Operand, value: Operand) -> Flow {
        let width = self.program.target.pointer_width;
        let targets = walk.pointer(to, width);
        let bytes = value.ty(walk.function).bytes(width);
        let abs = walk.value(value, width);
        let place = targets.place();
        let signed = place.is_some_and(|(object, _)| object.is_signed(self.program));
        let form = abs.int().filter(|domain| domain.width() > 1).and_then(|_| walk.form(value, signed, width));
        let linear = walk.linear(value);
        let rows = place.map(|key| self.templates.assigned(self.program, &walk.state, key, form.as_ref()));
        let distances = place.map(|key| self.distances(walk, key, value)).unwrap_or_default();
        let step = place.and_then(|key| self.stepped(walk, &targets, key, value));
        let held = place.filter(|_| self.is_within(walk, value));
        self.write(walk, &targets, bytes, Some(&abs));
        held.into_iter().for_each(|key| self.pass_held(walk, key));
        step.into_iter().for_each(|step| walk.step(step));
        if let (Some(key), Some(rows)) = (place, rows) {
            walk.state.equalities.assign(key, abs.int().map_or(0, IntDomain::width), linear.as_ref());
            walk.state.assign(self.program, key, form.as_ref(), &rows)?;
            walk.state.keep_apart(self.program, key, &distances)?;
        }
        Ok(())
    }

    /// Writes a value, or anything, and drops what was known through the cells.
    pub(crate) fn write(&mut self, walk: &mut Walk<'p>, to: &Targets, bytes: u64, value: Option<&Abs>) {
        let exposed = |object| self.exposed(object);
        let changed = memory::store(&mut walk.state, to, bytes, value, &exposed);
        walk.changed(&changed);
    }

    fn lifetime(&mut self, walk: &mut Walk<'p>, kind: &InstKind) {
        let width = self.program.target.pointer_width;
        match kind {
            InstKind::Begin { local } | InstKind::End { local } => {
                let object = Object::Local(walk.depth, walk.id, *local);
                walk.state.passed.renew(object);
                if self.exposed(object) {
                    walk.state.passed.end();
                }
                let changed = walk.state.clear(object, 0, u64::MAX);
                walk.changed(&changed);
            }
            InstKind::Copy { to, from, size, .. } => {
                let (targets, source) = (walk.pointer(*to, width), walk.pointer(*from, width));
                // What was never written is copied as such.
                walk.state.passed.end();
                let exposed = |object| self.exposed(object);
                let changed = memory::copy(&mut walk.state, &targets, &source, *size, &exposed);
                walk.changed(&changed);
            }
            InstKind::Fill { to, byte, size, .. } => {
                let targets = walk.pointer(*to, width);
                let exposed = |object| self.exposed(object);
                let changed = memory::fill(self.program, &mut walk.state, &targets, (*byte, *size), &exposed);
                walk.changed(&changed);
            }
            InstKind::Release { .. } => walk.state.passed.end(),
            InstKind::VaStart { list } | InstKind::VaEnd { list } | InstKind::VaCopy { to: list, .. } => {
                let targets = walk.pointer(*list, width);
                self.write(walk, &targets, 64, None);
            }
            InstKind::VaArg { list, .. } => {
                let targets = walk.pointer(*list, width);
                self.write(walk, &targets, 64, None);
            }
            _ => {}
        }
        if let Some(dest) = kind.dest() {
            walk.define(dest, Abs::top(walk.function.temps[dest].ty));
        }
        match kind {
            InstKind::Distance { a, b, .. } => self.compared(walk, *a, *b),
            InstKind::PointerToInt { a, .. } => self.inputs.may_meet(&[walk.pointer(*a, width)]),
            _ => {}
        }
        let is_safe = matches!(kind, InstKind::Distance { a, b, .. } if self.share_array(walk, *a, *b));
        if !is_safe {
            self.may_fail(walk.id, kind.check());
        }
    }
}

/// Whether an instruction may change memory.
fn writes(kind: &InstKind) -> bool {
    !matches!(
        kind,
        InstKind::Unary { .. }
            | InstKind::Binary { .. }
            | InstKind::Ternary { .. }
            | InstKind::Convert { .. }
            | InstKind::PointerToInt { .. }
            | InstKind::IntToPointer { .. }
            | InstKind::Offset { .. }
            | InstKind::Distance { .. }
            | InstKind::Load { .. }
            | InstKind::Check { .. }
    )
}

fn dest_width(walk: &Walk<'_>, dest: TempId) -> Option<u8> {
    match walk.function.temps[dest].ty {
        clew_ir::Type::Int(width) => Some(width),
        _ => None,
    }
}

fn exact_range(op: BinaryOp, a: &IntDomain, b: &IntDomain, signed: bool) -> Option<(i128, i128)> {
    let ((a_low, a_high), (b_low, b_high)) = (range(a, signed)?, range(b, signed)?);
    Some(if op == BinaryOp::Add { (a_low + b_low, a_high + b_high) } else { (a_low - b_high, a_high - b_low) })
}
