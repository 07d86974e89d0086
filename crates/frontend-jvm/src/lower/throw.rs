//! Exceptions as control flow.
//!
//! An exception on its way is in two variables of the program: the object, and the number of its class, which is 0 when
//! there is none. Code that throws sets both and goes to the *unwinding* of the place: handlers that cover it are tried in
//! order, and where none fits the function returns. After each call the caller looks whether an exception arrived.

use super::arithmetic::zero;
use super::body::{Body, kind_of};
use super::{Failure, Key, Lower};
use crate::types::CLASS_AT;
use cafebabe::attributes::CodeData;
use clew_ir::{BlockId, Callee, InstKind, Operand, TerminatorKind, Type};
use clew_scalar::BinaryOp;
use std::collections::BTreeMap;

/// A handler of the exception table.
#[derive(Clone, Debug)]
pub(super) struct Handler {
    start: usize,
    end: usize,
    to: usize,
    /// The class it catches; `None` for all.
    catches: Option<String>,
}

impl Handler {
    pub(super) fn all(code: &CodeData<'_>) -> Vec<Handler> {
        let handler = |entry: &cafebabe::attributes::ExceptionTableEntry<'_>| Handler {
            start: entry.start_pc.into(),
            end: entry.end_pc.into(),
            to: entry.handler_pc.into(),
            catches: entry.catch_type.as_ref().map(ToString::to_string),
        };
        code.exception_table.iter().map(handler).collect()
    }
}

/// The code that unwinds from places that the same handlers cover.
#[derive(Clone, Debug)]
pub(super) struct Unwind {
    block: BlockId,
    /// Blocks that throw a new exception of a class and unwind.
    raises: BTreeMap<String, BlockId>,
}

impl Body<'_, '_> {
    /// The handlers that cover the present instruction.
    fn covering(&self) -> Vec<usize> {
        let covers = |handler: &Handler| (handler.start..handler.end).contains(&self.at);
        (0..self.handlers.len()).filter(|index| covers(&self.handlers[*index])).collect()
    }

    /// The block that unwinds from the present instruction.
    pub(super) fn unwind(&mut self) -> Lower<BlockId> {
        let covering = self.covering();
        if let Some(known) = self.unwinds.get(&covering) {
            return Ok(known.block);
        }
        let (from, block) = (self.builder.current(), self.builder.block());
        self.unwinds.insert(covering.clone(), Unwind { block, raises: BTreeMap::new() });
        self.builder.switch_to(block);
        let result = self.try_handlers(&covering);
        from.into_iter().for_each(|from| self.builder.switch_to(from));
        result.map(|()| block)
    }

    fn try_handlers(&mut self, covering: &[usize]) -> Lower {
        let (pending, class) = (self.lowering.pending, self.lowering.pending_class);
        for index in covering {
            let handler = self.handlers[*index].clone();
            let (caught, next) = (self.builder.block(), self.builder.block());
            match &handler.catches {
                None => self.builder.jump(caught),
                Some(name) => {
                    let number = self.load(Operand::Global(class, 0), Type::Int(32));
                    let fits = self.is_subtype(number, name)?;
                    self.branch(fits, caught, next);
                }
            }
            self.builder.switch_to(caught);
            let exception = self.load(Operand::Global(pending, 0), Type::Pointer);
            self.store(Operand::Global(class, 0), Operand::int(32, 0));
            let block = self.handler_block(handler.to, exception);
            self.builder.jump(block);
            if handler.catches.is_none() {
                // Control does not come here; the block is ended as any other.
                self.builder.switch_to(next);
                break;
            }
            self.builder.switch_to(next);
        }
        let result = self.builder.function.returns.map(|ty| zero(kind_of(ty)));
        self.builder.terminate(TerminatorKind::Return(result));
        Ok(())
    }

    /// Whether the class of a number is a subtype of a named one.
    pub(super) fn is_subtype(&mut self, number: Operand, name: &str) -> Lower<Operand> {
        let class = self.lowering.world.load(name)?;
        let test = self.lowering.function(Key::IsSubtype(class));
        let ty = self.lowering.program.functions[test].ty;
        let callee = Callee::Direct(test);
        Ok(self.builder.define(Type::Int(1), |dest| InstKind::Call {
            dest: Some(dest),
            callee,
            args: vec![number],
            ty,
            check: None,
        }))
    }

    /// Goes on where a truth value holds, and throws a new exception of a class where it does not.
    pub(super) fn throw_unless(&mut self, holds: Operand, name: &str) -> Lower {
        let raise = self.raise(name)?;
        let go_on = self.builder.block();
        let raise = self.noted(raise, name)?;
        self.branch(holds, go_on, raise);
        self.builder.switch_to(go_on);
        Ok(())
    }

    /// The way to a block that throws an exception, which notes that it was the present instruction, if that is asked for.
    fn noted(&mut self, raise: BlockId, name: &str) -> Lower<BlockId> {
        if self.lowering.failures.is_none() || !self.lowering.world.get(self.class).is_own {
            return Ok(raise);
        }
        let class = self.lowering.world.load(name)?.0;
        let (line, offset, function) = (self.line(), self.at as u32, self.function);
        let failure = Failure { function, line, offset, class, exception: name.to_owned() };
        let Some(failures) = &mut self.lowering.failures else { return Ok(raise) };
        failures.places.push(failure);
        let (last, number) = (failures.last, failures.places.len() as u128);
        let (from, block) = (self.builder.current(), self.builder.block());
        self.builder.switch_to(block);
        self.store(Operand::Global(last, 0), Operand::int(32, number));
        self.builder.jump(raise);
        from.into_iter().for_each(|from| self.builder.switch_to(from));
        Ok(block)
    }

    /// A block that throws a new exception of a class at the present instruction.
    pub(super) fn raise(&mut self, name: &str) -> Lower<BlockId> {
        let unwind = self.unwind()?;
        let covering = self.covering();
        if let Some(block) = self.unwinds[&covering].raises.get(name) {
            return Ok(*block);
        }
        let (from, block) = (self.builder.current(), self.builder.block());
        self.builder.switch_to(block);
        let exception = self.new_object(name)?;
        self.set_pending(exception);
        self.builder.jump(unwind);
        from.into_iter().for_each(|from| self.builder.switch_to(from));
        let known = self.unwinds.get_mut(&covering).expect("it was just made");
        known.raises.insert(name.to_owned(), block);
        Ok(block)
    }

    fn set_pending(&mut self, exception: Operand) {
        let place = self.field_place(exception, CLASS_AT);
        let number = self.load(place, Type::Int(32));
        let (pending, class) = (self.lowering.pending, self.lowering.pending_class);
        self.store(Operand::Global(pending, 0), exception);
        self.store(Operand::Global(class, 0), number);
    }

    /// Throws the object on the stack.
    pub(super) fn throw(&mut self) -> Lower {
        let exception = self.pop(crate::types::Kind::Reference)?;
        self.demand_object(exception)?;
        self.set_pending(exception);
        let unwind = self.unwind()?;
        self.builder.jump(unwind);
        Ok(())
    }

    /// Throws `NullPointerException` if a reference is null.
    pub(super) fn demand_object(&mut self, reference: Operand) -> Lower {
        let is_object = match reference {
            Operand::Global(..) => true,
            Operand::Temp(temp) => self.objects.contains(&temp),
            _ => false,
        };
        if is_object {
            return Ok(());
        }
        let is_object = self.binary(BinaryOp::Ne, reference, Operand::Null);
        self.throw_unless(is_object, "java/lang/NullPointerException")
    }

    /// Unwinds if the call before left an exception.
    pub(super) fn look_for_exception(&mut self) -> Lower {
        let class = self.lowering.pending_class;
        let number = self.load(Operand::Global(class, 0), Type::Int(32));
        let is_none = self.binary(BinaryOp::Eq, number, Operand::int(32, 0));
        let (unwind, go_on) = (self.unwind()?, self.builder.block());
        self.branch(is_none, go_on, unwind);
        self.builder.switch_to(go_on);
        Ok(())
    }
}
