//! What failed, where, and with which values.

use super::{Machine, Stop};
use crate::code::{Eval, EvalKind, FrameSlot, Op, Slot};
use crate::libc::Trouble;
use crate::memory::{Fault, ObjectRange, Origin};
use crate::observe::Observer;
use crate::outcome::{CallSite, Detail, Failure, Outcome, Unsupported};
use clew_ir::CheckKind;
use clew_scalar::{BinaryOp, Type, UnaryOp, Value};

impl<O: Observer> Machine<'_, O> {
    /// The calls under way, innermost first.
    pub(super) fn stack(&self) -> Vec<CallSite> {
        let site = |frame: &super::Frame<'_>| CallSite {
            function: frame.code.function,
            span: frame.code.span_at(self.image.program, frame.position),
        };
        self.frames.iter().rev().map(site).collect()
    }

    pub(super) fn unsupported(&self, what: String) -> Stop {
        let stack = self.stack();
        let span = stack.first().map_or(clew_ir::Span::NONE, |site| site.span);
        Stop::over(Outcome::Unsupported(Box::new(Unsupported { what, span, stack })))
    }

    /// A failure at the op of the innermost activation.
    pub(super) fn failure(&self, kind: CheckKind, detail: Detail) -> Stop {
        let stack = self.stack();
        let program = self.image.program;
        let Some(frame) = self.frames.last() else {
            return self.unsupported("failure outside of any function".to_owned());
        };
        let check = frame.code.check_at(program, frame.position);
        let function = frame.code.function;
        let kind = check.map_or(kind, |check| program.functions[function].checks[check].kind);
        let span = stack[0].span;
        Stop::over(Outcome::Failed(Box::new(Failure { function, check, kind, detail, span, stack })))
    }

    /// A wrong access by the op of the innermost activation.
    pub(super) fn access_failure(&self, fault: Fault) -> Stop {
        if let Fault::Unwritten(place) = fault
            && let Origin::Global(global) = place.origin
            && self.image.program.globals[global].init.is_none()
        {
            let name = &self.image.program.globals[global].name;
            return self.unsupported(format!("variable `{name}`, which has no definition"));
        }
        self.failure(CheckKind::Access, Detail::Access(fault))
    }

    /// A library function could not do what it was asked.
    pub(super) fn trouble(&self, name: &str, trouble: Trouble) -> Stop {
        match trouble {
            Trouble::Fault(fault) => {
                let detail = Detail::Library { name: name.to_owned(), reason: String::new(), fault: Some(fault) };
                self.failure(CheckKind::Access, detail)
            }
            Trouble::Precondition(reason) => {
                let detail = Detail::Library { name: name.to_owned(), reason, fault: None };
                self.failure(CheckKind::Access, detail)
            }
            Trouble::Unsupported(what) => self.unsupported(format!("{name}: {what}")),
            Trouble::OutOfMemory => Stop::over(Outcome::MemoryLimit),
            Trouble::Abort => Stop::over(Outcome::Aborted),
        }
    }

    /// The failure of a checked op of the innermost activation.
    pub(super) fn violation(&self) -> Stop {
        let frame = self.frames.last().expect("a failing op belongs to an activation");
        let code = frame.code;
        let op = code.ops[frame.position as usize];
        let (kind, detail) = match op {
            Op::Eval(index) => self.eval_detail(&code.evals[index as usize]),
            Op::OffsetChecked { a, b, .. } => (CheckKind::PointerArithmetic, self.moved(self.slot(a), self.slot(b))),
            Op::DistanceChecked { a, b, .. } => {
                (CheckKind::PointerDifference, Detail::Pointers(self.slot(a), self.slot(b)))
            }
            Op::FlagCheck { .. } => (CheckKind::Access, Detail::Access(self.unwritten_variable())),
            Op::Check { .. } => (CheckKind::Unreachable, Detail::Plain),
            Op::NegChecked { w, a, .. } => (CheckKind::Overflow, self.operands("-", w, &[a])),
            _ => self.arithmetic_detail(op),
        };
        self.failure(kind, detail)
    }

    fn arithmetic_detail(&self, op: Op) -> (CheckKind, Detail) {
        match op {
            Op::AddChecked { w, a, b, .. } => (CheckKind::Overflow, self.operands("+", w, &[a, b])),
            Op::SubChecked { w, a, b, .. } => (CheckKind::Overflow, self.operands("-", w, &[a, b])),
            Op::MulChecked { w, a, b, .. } => (CheckKind::Overflow, self.operands("*", w, &[a, b])),
            Op::UDivChecked { w, a, b, .. } | Op::SDivChecked { w, a, b, .. } => {
                (CheckKind::Division, self.operands("/", w, &[a, b]))
            }
            Op::URemChecked { w, a, b, .. } | Op::SRemChecked { w, a, b, .. } => {
                (CheckKind::Division, self.operands("%", w, &[a, b]))
            }
            Op::ShlChecked { w, a, b, .. } => (CheckKind::Shift, self.operands("<<", w, &[a, b])),
            Op::LShrChecked { w, a, b, .. } | Op::AShrChecked { w, a, b, .. } => {
                (CheckKind::Shift, self.operands(">>", w, &[a, b]))
            }
            other => unreachable!("{other:?} does not fail"),
        }
    }

    fn operands(&self, operator: &'static str, width: u8, slots: &[Slot]) -> Detail {
        let operands = slots.iter().map(|&slot| Value::int(width, u128::from(self.slot(slot)))).collect();
        Detail::Operands { operator, operands }
    }

    fn eval_detail(&self, eval: &Eval) -> (CheckKind, Detail) {
        let value = |place: FrameSlot| self.value(place);
        let [a, b, _] = eval.operands;
        let (kind, operator, operands) = match eval.kind {
            EvalKind::Unary(UnaryOp::Neg) => (CheckKind::Overflow, "-", vec![value(a)]),
            EvalKind::Binary(op) => {
                let (kind, operator) = spelling(op);
                (kind, operator, vec![value(a), value(b)])
            }
            _ => (CheckKind::FloatToInt, "(int)", vec![value(a)]),
        };
        (kind, Detail::Operands { operator, operands })
    }

    fn moved(&self, from: u64, by: u64) -> Detail {
        let width = self.image.program.target.pointer_width;
        let by = Value::new(Type::Int(width), u128::from(by)).signed() as i64;
        let place = self.memory.object(from).map(|(object, offset)| ObjectRange {
            origin: object.origin(),
            size: object.len() as u64,
            offset,
            count: 0,
        });
        Detail::Moved { place, by }
    }

    /// The fault of reading a variable in a slot before it was written.
    fn unwritten_variable(&self) -> Fault {
        let frame = self.frames.last().expect("a failing op belongs to an activation");
        let function = &self.image.program.functions[frame.code.function];
        let Some(clew_ir::InstKind::Load { from: clew_ir::Operand::Local(local), .. }) =
            frame.code.inst_at(self.image.program, frame.position)
        else {
            unreachable!("a flag is checked when its variable is loaded");
        };
        let size = function.locals[*local].size;
        Fault::Unwritten(ObjectRange {
            origin: Origin::Local(frame.code.function, *local),
            size,
            offset: 0,
            count: size,
        })
    }
}

fn spelling(op: BinaryOp) -> (CheckKind, &'static str) {
    match op {
        BinaryOp::Add => (CheckKind::Overflow, "+"),
        BinaryOp::Sub => (CheckKind::Overflow, "-"),
        BinaryOp::Mul => (CheckKind::Overflow, "*"),
        BinaryOp::UDiv | BinaryOp::SDiv => (CheckKind::Division, "/"),
        BinaryOp::URem | BinaryOp::SRem => (CheckKind::Division, "%"),
        BinaryOp::Shl => (CheckKind::Shift, "<<"),
        _ => (CheckKind::Shift, ">>"),
    }
}
