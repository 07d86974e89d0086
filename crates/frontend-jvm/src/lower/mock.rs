//! Unknown implementations of types: what their methods return is part of the input, call by call.
//!
//! A mock is a function without a body, as a function of C that is defined nowhere. Tests implement the type with what
//! the input says. Final methods of classes run as they are.

use super::entry::widened;
use super::{Key, Lowering};
use crate::descriptor::{JavaType, Signature};
use crate::types::Kind;
use crate::world::ClassId;
use clew_ir::build::Builder;
use clew_ir::{CTypeId, Operand, TerminatorKind, Type};

impl Lowering {
    /// The mock that a virtual call on an object of a class runs, if it is an unknown implementation and the method is not final.
    pub(super) fn mock_of(&self, receiver: ClassId, called: ClassId, name: &str, descriptor: &str) -> Option<Key> {
        let data = self.world.get(receiver);
        let inherits = self.inherits.as_ref().is_some_and(|(class, method, parameters)| {
            (*class, method.as_str(), parameters.as_str()) == (receiver, name, descriptor)
        });
        if !data.is_other() || inherits {
            return None;
        }
        let found = self.world.select(receiver, name, descriptor).map(|(_, method)| method);
        let found = found.or_else(|| self.world.method(called, name, descriptor).map(|(_, method)| method));
        let is_final = found.is_some_and(|method| method.is_final || method.is_private);
        (!is_final).then(|| Key::Mock(called, name.to_owned(), descriptor.to_owned()))
    }

    /// Parameters and result of a mock: it writes nothing, and its result is as memory holds it.
    #[expect(clippy::type_complexity, reason = "it is taken apart at once")]
    pub(super) fn mock_signature(
        &mut self,
        descriptor: &str,
    ) -> (Vec<(String, CTypeId, Type)>, Option<(CTypeId, Type)>) {
        let signature = Signature::parse(descriptor).expect("descriptors of loaded classes were parsed");
        let unwritten = self.types.unwritten;
        let mut params = vec![("this".to_owned(), unwritten, Type::Pointer)];
        for (position, ty) in signature.params.iter().enumerate() {
            let (of, scalar) = if ty.is_reference() {
                (unwritten, Type::Pointer)
            } else {
                (self.types.of_kind(Kind::of(ty)), Kind::of(ty).ty())
            };
            params.push((format!("arg{position}"), of, scalar));
        }
        let returns = signature.returns.map(|ty| {
            let of = self.types.of(&mut self.program, &ty);
            (of, super::entry::natural(&self.program.ctypes, of).unwrap_or(Kind::of(&ty).ty()))
        });
        (params, returns)
    }

    /// Calls a mock with the arguments of a virtual call.
    pub(super) fn mocked(&mut self, builder: &mut Builder, mock: Key, descriptor: &str) {
        let args = builder.function.params.iter().map(|param| Operand::Temp(param.temp)).collect();
        let mock = self.function(mock);
        let returns = self.program.functions[mock].returns;
        let ty: Option<JavaType> = Signature::parse(descriptor).and_then(|signature| signature.returns);
        let result = self.call_for(builder, mock, args, returns).map(|value| widened(builder, value, ty.as_ref()));
        builder.terminate(TerminatorKind::Return(result));
    }
}
