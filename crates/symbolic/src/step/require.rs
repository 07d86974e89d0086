//! What functions of the library require of their arguments, where neither a model nor the engine finds out by itself.
//!
//! The table of the library lists the requirements. A mock does not look at what it is given, and output runs for real, so
//! each requirement becomes a demand before the call: strings end inside of their objects, sizes fit. Pointers of the
//! input are taken to lead to as much as is needed, as everywhere.

use clew_ir::{CheckId, FunctionId, Span, Type};
use clew_library::{Requirement, Size};
use clew_scalar::{BinaryOp, Conversion};

use super::Step;
use crate::ending::Limit;
use crate::memory::{Extent, ObjectId};
use crate::policy;
use crate::value::{self, Base, Pointer, Scalar, Val};
use crate::{Path, Stepper};

/// A call whose requirements are looked at.
struct Demand<'a> {
    args: &'a [Val],
    check: CheckId,
    span: Span,
}

impl Stepper<'_> {
    /// Demands what a function of the library requires of its arguments.
    pub(super) fn require_of_library(
        &mut self,
        path: &mut Path,
        id: FunctionId,
        args: &[Val],
        check: Option<CheckId>,
        span: Span,
    ) -> Step {
        let row = clew_library::lookup(&self.program.functions[id].name).filter(|_| self.program.is_library(id));
        let (Some(row), Some(check)) = (row, check) else { return Ok(()) };
        let demand = Demand { args, check, span };
        for requirement in row.requires {
            match *requirement {
                Requirement::NotNull(argument) => {
                    self.require_object(path, &demand, argument)?;
                }
                Requirement::Text(argument) => self.require_text(path, &demand, argument)?,
                Requirement::Readable(argument, size) | Requirement::Writable(argument, size) => {
                    self.require_bytes(path, &demand, argument, size)?;
                }
                Requirement::Disjoint(..) | Requirement::Heap(_) | Requirement::InDomain(_) => {
                    self.effects.limits.insert(Limit::Stubs);
                }
            }
        }
        Ok(())
    }

    /// The object that an argument leads to, which must not be null; `None` for what the input gives.
    fn require_object(
        &mut self,
        path: &mut Path,
        demand: &Demand<'_>,
        argument: u8,
    ) -> Step<Option<(ObjectId, Scalar)>> {
        let Some(Val::Pointer(pointer)) = demand.args.get(usize::from(argument)).copied() else { return Ok(None) };
        match pointer {
            Pointer { base: Base::Input(number), .. } => {
                let null = path.state.inputs.pointers[number as usize].null;
                if self.constraints.holds(&path.model, null) && self.is_decided(path, null) {
                    return Err(self.fail(path, Some(demand.check), demand.span, "null pointer"));
                }
                let not_null = self.constraints.terms().not(null);
                self.assume(path, not_null)?;
                Ok(None)
            }
            Pointer { base: Base::Absolute, offset } if offset.bits() == Some(0) => {
                Err(self.fail(path, Some(demand.check), demand.span, "null pointer"))
            }
            Pointer { base: Base::Object(object), offset } => {
                if !path.state.memory.get(object).alive {
                    let what = "the object no longer exists";
                    return Err(self.fail(path, Some(demand.check), demand.span, what));
                }
                Ok(Some((object, offset)))
            }
            _ => Ok(None),
        }
    }

    /// Demands that a null character ends what an argument leads to.
    fn require_text(&mut self, path: &mut Path, demand: &Demand<'_>, argument: u8) -> Step {
        let Some((object, offset)) = self.require_object(path, demand, argument)? else { return Ok(()) };
        let Extent::Bytes(size) = path.state.memory.get(object).extent else { return Ok(()) };
        let start = self.make_known(path, offset)? as u64;
        if size.saturating_sub(start) > policy::MAX_STRING_BYTES.get() {
            self.effects.limits.insert(Limit::Stubs);
            return Ok(());
        }
        let mut ends = Scalar::bool(false);
        for at in start..size.max(start) {
            let Ok(Some(Val::Scalar(byte))) = self.load_at(path, object, at, Type::Int(8), true, demand.span) else {
                // Memory that was never written may hold anything.
                continue;
            };
            let terms = self.constraints.terms();
            let is_end = value::binary(terms, BinaryOp::Eq, byte, Scalar::int(8, 0));
            ends = value::binary(terms, BinaryOp::Or, ends, is_end);
            if ends.bits() == Some(1) {
                return Ok(());
            }
        }
        self.demand(path, ends, demand.check, demand.span, "the string does not end inside of its object")
    }

    /// Demands that there are so many bytes behind an argument.
    fn require_bytes(&mut self, path: &mut Path, demand: &Demand<'_>, argument: u8, size: Size) -> Step {
        let bytes = match size {
            Size::Fixed(bytes) => Scalar::int(self.program.target.pointer_width, u128::from(bytes)),
            Size::Argument(of) => self.as_size(demand, of),
            Size::Product(a, b) => {
                let (a, b) = (self.as_size(demand, a), self.as_size(demand, b));
                self.bytes_of(a, b)
            }
            // The function needs at least what the first byte is.
            Size::Target | Size::Unknown => Scalar::int(self.program.target.pointer_width, 1),
        };
        if bytes.bits() == Some(0) {
            return Ok(());
        }
        let Some((object, offset)) = self.require_object(path, demand, argument)? else { return Ok(()) };
        let Extent::Bytes(available) = path.state.memory.get(object).extent else { return Ok(()) };
        let width = self.program.target.pointer_width;
        let terms = self.constraints.terms();
        let available = Scalar::int(width, u128::from(available));
        let starts = value::binary(terms, BinaryOp::Ule, offset, available);
        let rest = value::binary(terms, BinaryOp::Sub, available, offset);
        let fits = value::binary(terms, BinaryOp::Ule, bytes, rest);
        let ok = value::and(terms, starts, fits);
        self.demand(path, ok, demand.check, demand.span, "there are not so many bytes")
    }

    /// An argument as a number of bytes.
    fn as_size(&mut self, demand: &Demand<'_>, argument: u8) -> Scalar {
        let width = self.program.target.pointer_width;
        let Some(Val::Scalar(size)) = demand.args.get(usize::from(argument)).copied() else {
            return Scalar::int(width, 0);
        };
        let terms = self.constraints.terms();
        match size.ty(terms).width() {
            own if own < width => value::convert(terms, Conversion::SignExtend(width), size),
            _ => size,
        }
    }
}
