//! Functions of the C library that symbolic execution computes itself: memory, the end of the program, numbers.
//!
//! The table of the library says which these are. The functions of math.h are in `math`. Functions with a model in C run
//! like those of the program; everything else without a body is a stub.

use clew_ir::{CheckId, Span};
use clew_library::Operation;
use clew_scalar::{BinaryOp, Conversion, TernaryOp, UnaryOp};

use crate::ending::{Limit, PathEnd};
use crate::memory::{Background, Extent, ObjectId, Origin};
use crate::path::Path;
use crate::policy;
use crate::stepped::Step;
use crate::stepper::Stepper;
use crate::value::{self, Base, Pointer, Scalar, Val};

/// Bytes that native execution surely cannot allocate at once.
const MOST_MEMORY: u128 = 1 << 30;

/// A call of a library function.
pub(super) struct Call<'a> {
    pub(super) args: &'a [Val],
    pub(super) check: Option<CheckId>,
    pub(super) span: Span,
}

impl Stepper<'_> {
    /// Calls a library function that the engine computes; `None` for those that give nothing.
    pub(super) fn library(
        &mut self,
        path: &mut Path,
        name: &str,
        args: &[Val],
        check: Option<CheckId>,
        span: Span,
    ) -> Step<Option<Val>> {
        let call = Call { args, check, span: self.seen_span(path, span) };
        let Some(operation) = operation(name) else {
            return Err(PathEnd::Unsupported { what: format!("a call of `{name}`, which has no body"), span });
        };
        match operation {
            Operation::Malloc | Operation::Calloc | Operation::Realloc | Operation::Free => {
                self.heap(path, operation, &call)
            }
            Operation::CopyBytes | Operation::MoveBytes | Operation::FillBytes => self.bytes(path, operation, &call),
            Operation::Abort => Err(PathEnd::Aborted),
            Operation::Exit => {
                let status = self.argument(path, &call, 0)?;
                Err(PathEnd::Exited(self.make_known(path, status)? as u8 as i32))
            }
            Operation::Absolute => self.absolute(path, &call).map(Some),
            Operation::Math(function) => self.math(path, name, function, &call),
        }
    }

    /// Where the program sees a call: a model stands nowhere in its text.
    fn seen_span(&self, path: &Path, span: Span) -> Span {
        if !self.program.models.contains(&path.state.frame().function) {
            return span;
        }
        self.call_site(path).map_or(span, |(_, inst)| inst.span)
    }

    /// The absolute value of an integer, which the least one has not.
    fn absolute(&mut self, path: &mut Path, call: &Call<'_>) -> Step<Val> {
        let a = self.argument(path, call, 0)?;
        if let Some(check) = call.check {
            let ok = super::check::no_negation_overflow(self.constraints.terms(), a);
            self.demand(path, ok, check, call.span, "the absolute value is too large")?;
        }
        let terms = self.constraints.terms();
        let zero = Scalar::int(a.ty(terms).width(), 0);
        let negative = value::binary(terms, BinaryOp::Slt, a, zero);
        let negated = value::unary(terms, UnaryOp::Neg, a);
        Ok(value::ternary(terms, TernaryOp::Select, negative, negated, a).into())
    }

    pub(super) fn argument(&mut self, path: &mut Path, call: &Call<'_>, position: usize) -> Step<Scalar> {
        match call.args.get(position) {
            Some(Val::Scalar(scalar)) => Ok(*scalar),
            Some(Val::Pointer(pointer)) => self.address(path, *pointer),
            None => Err(PathEnd::Unsupported { what: "a call with too few arguments".to_owned(), span: call.span }),
        }
    }

    pub(super) fn pointer_argument(&self, call: &Call<'_>, position: usize) -> Step<Pointer> {
        match call.args.get(position) {
            Some(Val::Pointer(pointer)) => Ok(*pointer),
            Some(Val::Scalar(offset)) => Ok(Pointer { base: Base::Absolute, offset: *offset }),
            None => Err(PathEnd::Unsupported { what: "a call with too few arguments".to_owned(), span: call.span }),
        }
    }

    fn heap(&mut self, path: &mut Path, operation: Operation, call: &Call<'_>) -> Step<Option<Val>> {
        match operation {
            Operation::Malloc => {
                let size = self.argument(path, call, 0)?;
                let Some(object) = self.heap_room(path, size, call.span)? else { return Ok(Some(self.null())) };
                Ok(Some(self.start_of(object).into()))
            }
            Operation::Calloc => {
                let (count, size) = (self.argument(path, call, 0)?, self.argument(path, call, 1)?);
                let bytes = self.bytes_of(count, size);
                let Some(object) = self.heap_room(path, bytes, call.span)? else { return Ok(Some(self.null())) };
                path.state.memory.get_mut(object).reset(Background::Filled(0));
                Ok(Some(self.start_of(object).into()))
            }
            Operation::Realloc => {
                let (old, size) = (self.pointer_argument(call, 0)?, self.argument(path, call, 1)?);
                let Some(object) = self.heap_room(path, size, call.span)? else { return Ok(Some(self.null())) };
                if let Some((from, bytes)) = self.heap_object(path, old, call)? {
                    let Extent::Bytes(new) = path.state.memory.get(object).extent else {
                        unreachable!("an allocated object has a size in bytes")
                    };
                    self.copy_bytes(path, (object, 0), (from, 0), bytes.min(new))?;
                    path.state.kill(from);
                    if new == 0 {
                        // C leaves it open what this gives; GNU releases the object and gives null.
                        path.state.kill(object);
                        return Ok(Some(self.null()));
                    }
                }
                Ok(Some(self.start_of(object).into()))
            }
            _ => {
                let pointer = self.pointer_argument(call, 0)?;
                if let Some((object, _)) = self.heap_object(path, pointer, call)? {
                    path.state.kill(object);
                }
                Ok(None)
            }
        }
    }

    fn null(&self) -> Val {
        Val::Pointer(Pointer::null(self.program.target.pointer_width))
    }

    /// The bytes of so many elements of a size, or more than there ever are where the product does not fit.
    pub(super) fn bytes_of(&mut self, count: Scalar, size: Scalar) -> Scalar {
        let terms = self.constraints.terms();
        let width = self.program.target.pointer_width;
        let most = u128::MAX >> (128 - u32::from(width));
        let fits = match (count.bits(), size.bits()) {
            (Some(0), _) | (_, Some(0)) => Scalar::bool(true),
            (Some(known), _) => value::binary(terms, BinaryOp::Ule, size, Scalar::int(width, most / known)),
            (_, Some(known)) => value::binary(terms, BinaryOp::Ule, count, Scalar::int(width, most / known)),
            _ => {
                let [a, b] = [count, size].map(|one| value::convert(terms, Conversion::ZeroExtend(2 * width), one));
                let whole = value::binary(terms, BinaryOp::Mul, a, b);
                value::binary(terms, BinaryOp::Ule, whole, Scalar::int(2 * width, most))
            }
        };
        let product = value::binary(terms, BinaryOp::Mul, count, size);
        value::ternary(terms, TernaryOp::Select, fits, product, Scalar::int(width, most))
    }

    /// A new heap object, or `None` where the real function has no memory left. Sizes that depend on the input are kept
    /// small, if they may be large.
    fn heap_room(&mut self, path: &mut Path, size: Scalar, span: Span) -> Step<Option<ObjectId>> {
        if let Scalar::Term(size) = size
            && self
                .constraints
                .range(&path.state, size)
                .is_some_and(|range| range.unsigned_max() > policy::MAX_ALLOCATED_BYTES.wide())
        {
            let terms = self.constraints.terms();
            let [small, large] = [policy::MAX_ALLOCATED_BYTES.wide(), policy::MAX_NEEDED_BYTES.wide()].map(|most| {
                let bound = terms.int(terms.width(size), most);
                terms.binary(BinaryOp::Ule, size, bound)
            });
            self.effects.limits.insert(Limit::Elements);
            self.prefer(path, small, large)?;
        }
        if size.bits().is_some_and(|bytes| bytes > MOST_MEMORY) {
            return Ok(None);
        }
        self.look_for_less(path, size, policy::FIRST_ALLOCATED_BYTES.wide(), &[policy::FIRST_ALLOCATED_BYTES.wide()]);
        self.allocate(path, size, span).map(Some)
    }

    /// Whether an allocation that need not fail gave nothing, for want of memory.
    pub(super) fn has_no_room(&mut self, path: &Path, name: &str, args: &[Val], result: Option<Val>) -> bool {
        // Reallocating to no bytes releases.
        let is_realloc = operation(name) == Some(Operation::Realloc);
        let releases = match args.get(1).filter(|_| is_realloc) {
            Some(Val::Scalar(Scalar::Term(size))) => self.constraints.value(&path.model, *size) == 0,
            Some(Val::Scalar(size)) => size.bits() == Some(0),
            _ => false,
        };
        result == Some(self.null()) && !releases
    }

    /// The heap object a pointer denotes the beginning of, and its size; `None` for null.
    fn heap_object(&mut self, path: &mut Path, pointer: Pointer, call: &Call<'_>) -> Step<Option<(ObjectId, u64)>> {
        let pointer = self.resolved(path, pointer)?;
        match (pointer.base, pointer.offset.bits()) {
            (Base::Absolute, Some(0)) => Ok(None),
            (Base::Object(id), Some(0)) => {
                self.hold_before(path, id, call.span)?;
                let object = path.state.memory.get(id);
                match (object.alive, object.origin, object.extent) {
                    (true, Origin::Allocated(_), Extent::Bytes(bytes)) => Ok(Some((id, bytes))),
                    (true, Origin::Input(_), Extent::Elements { element, count, .. }) => {
                        let count = self.make_known(path, count)? as u64;
                        Ok(Some((id, element * count)))
                    }
                    _ => self.misuse(path, call, "the pointer does not denote a live heap object"),
                }
            }
            (Base::Object(id), _) if self.leads_before(path, id, pointer.offset) => Err(PathEnd::Contradiction),
            _ => self.misuse(path, call, "the pointer does not denote a heap object"),
        }
    }

    /// Whether a pointer to before what a pointer of the input leads to may be the beginning of an object nevertheless,
    /// which is left open then. What an argument leads to may well be wrong.
    fn leads_before(&mut self, path: &Path, object: ObjectId, offset: Scalar) -> bool {
        let offset = offset.known().map(|offset| offset.signed());
        offset.is_some_and(|offset| self.may_lead_further(path, object, offset))
            && !self.is_behind_argument(path, object)
    }

    /// An object of the input that a pointer leads into has all that lies before.
    fn hold_before(&mut self, path: &mut Path, object: ObjectId, span: Span) -> Step {
        let number = self.leads(path, object);
        let at = number.and_then(|number| path.state.inputs.pointers[number as usize].at.bits());
        match at.and_then(|at| u64::try_from(at).ok()).filter(|at| *at > 0) {
            Some(at) => {
                let start = Scalar::int(self.program.target.pointer_width, 0);
                self.within(path, object, start, at, None, span)
            }
            None => Ok(()),
        }
    }

    fn misuse<T>(&mut self, path: &mut Path, call: &Call<'_>, what: &str) -> Step<T> {
        match call.check {
            Some(check) => match self.demand(path, Scalar::bool(false), check, call.span, what) {
                Err(end) => Err(end),
                Ok(()) => unreachable!("a false demand ends the path"),
            },
            None => Err(PathEnd::Unsupported { what: what.to_owned(), span: call.span }),
        }
    }

    /// Copies, moves or fills bytes of a size that is the same on all inputs of the path.
    fn bytes(&mut self, path: &mut Path, operation: Operation, call: &Call<'_>) -> Step<Option<Val>> {
        let target = self.pointer_argument(call, 0)?;
        let size = self.argument(path, call, 2)?;
        self.look_for_less(
            path,
            size,
            policy::MAX_ALLOCATED_BYTES.wide(),
            &[
                policy::FIRST_ALLOCATED_BYTES.wide(),
                policy::MAX_ALLOCATED_BYTES.wide(),
                policy::MAX_COPIED_BYTES.wide(),
            ],
        );
        let size = self.make_known(path, size)? as u64;
        if size == 0 {
            return Ok(Some(target.into()));
        }
        let to = self.range(path, target, size, call.check, call.span)?;
        if operation == Operation::FillBytes {
            let byte = self.argument(path, call, 1)?;
            let byte = value::extract(self.constraints.terms(), 7, 0, byte);
            self.fill(path, to.0, to.1, size, byte)?;
        } else {
            let source = self.pointer_argument(call, 1)?;
            let from = self.range(path, source, size, call.check, call.span)?;
            if to.0 == from.0 && to.1 != from.1 && to.1 < from.1 + size && from.1 < to.1 + size {
                if operation == Operation::CopyBytes {
                    return self.misuse(path, call, "the bytes overlap");
                }
                let memory = &mut path.state.memory;
                let room = memory.add(Origin::Allocated(call.span), Extent::Bytes(size), Background::Unwritten);
                self.copy_bytes(path, (room, 0), from, size)?;
                self.copy_bytes(path, to, (room, 0), size)?;
                path.state.kill(room);
            } else {
                self.copy_bytes(path, to, from, size)?;
            }
        }
        Ok(Some(target.into()))
    }
}

/// What the engine does to run a function.
fn operation(name: &str) -> Option<Operation> {
    clew_library::lookup(name)?.operation()
}
