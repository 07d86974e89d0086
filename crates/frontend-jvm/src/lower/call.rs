//! Calls.
//!
//! A method that cannot be overridden is called directly. Any other goes through a function that chooses by the class of
//! the receiver ([`Key::Dispatch`]).

use super::body::Body;
use super::{Key, Lower};
use crate::class::Method;
use crate::descriptor::Signature;
use crate::types::Kind;
use crate::world::ClassId;
use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::MemberRef;
use clew_ir::{Callee, FunctionId, InstKind, Operand};

/// How a method is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Invocation {
    Static,
    /// The method that is named, whatever the class of the receiver.
    Special,
    Virtual,
}

impl Body<'_, '_> {
    /// Lowers an instruction of this family; says whether it was one.
    pub(super) fn call_instruction(&mut self, opcode: &Opcode<'_>) -> Lower<bool> {
        match opcode {
            Opcode::Invokestatic(member) => self.invoke(member, Invocation::Static)?,
            Opcode::Invokespecial(member) => self.invoke(member, Invocation::Special)?,
            Opcode::Invokevirtual(member) | Opcode::Invokeinterface(member, _) => {
                self.invoke(member, Invocation::Virtual)?;
            }
            Opcode::Invokedynamic(site) => self.invoke_dynamic(site)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn invoke(&mut self, member: &MemberRef<'_>, how: Invocation) -> Lower {
        let (name, descriptor) = (&*member.name_and_type.name, &*member.name_and_type.descriptor);
        let signature = Signature::parse(descriptor).ok_or_else(|| format!("descriptor `{descriptor}`"))?;
        let mut args = Vec::new();
        for param in signature.params.iter().rev() {
            args.push(self.pop(Kind::of(param))?);
        }
        if how != Invocation::Static {
            args.push(self.pop(Kind::Reference)?);
        }
        args.reverse();
        self.invoke_with(&member.class_name, name, descriptor, how, args)
    }

    /// Calls a method with arguments, the receiver first, and pushes its result.
    pub(super) fn invoke_with(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
        how: Invocation,
        args: Vec<Operand>,
    ) -> Lower {
        let class = self.lowering.world.load(class)?;
        let missing =
            || format!("method {}.{name}{descriptor}, which is missing", self.lowering.world.get(class).class.name);
        let (owner, method) = self.lowering.world.method(class, name, descriptor).ok_or_else(missing)?;
        let method = method.clone();
        if method.is_static != (how == Invocation::Static) {
            return Err(format!("method {name}{descriptor}, which changed between static and not"));
        }
        if how == Invocation::Static {
            self.initialise(owner)?;
        } else if name != "<init>" {
            self.demand_object(args[0])?;
        }
        if self.intrinsic(owner, &method, &args)? {
            return Ok(());
        }
        let callee = self.callee(class, owner, &method, how);
        self.call(callee, args)?;
        self.look_for_exception()
    }

    fn callee(&mut self, class: ClassId, owner: ClassId, method: &Method, how: Invocation) -> FunctionId {
        let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
        let data = &self.lowering.world.get(owner).class;
        let is_fixed = method.is_final || method.is_private || data.is_final || how != Invocation::Virtual;
        if is_fixed {
            return self.lowering.function(Key::Method(owner, name, descriptor));
        }
        self.lowering.function(Key::Dispatch(class, name, descriptor))
    }

    /// Calls a function and pushes its result.
    pub(super) fn call(&mut self, callee: FunctionId, args: Vec<Operand>) -> Lower {
        let function = &self.lowering.program.functions[callee];
        let (ty, returns) = (function.ty, function.returns);
        let callee = Callee::Direct(callee);
        let call = |dest| InstKind::Call { dest, callee, args, ty, check: None };
        match returns {
            None => self.builder.emit(call(None)),
            Some(returns) => {
                let value = self.builder.define(returns, |dest| call(Some(dest)));
                self.push(super::body::kind_of(returns), value);
            }
        }
        Ok(())
    }
}
