//! The function under test: it prepares what the JVM prepares, calls the method, and returns the number of the class of the
//! exception that the method ends with, 0 if there is none.

use super::{Key, Lowering, variable};
use crate::class::Method;
use crate::descriptor::{JavaType, Signature};
use crate::types::{CLASS_AT, Kind};
use crate::world::ClassId;
use crate::{ENSURES, REQUIRES};
use clew_ir::build::Builder;
use clew_ir::{
    CType, Callee, CheckKind, Function, FunctionId, GlobalId, InstKind, Operand, Param, ParamKind, Temp,
    TerminatorKind, Type,
};
use clew_scalar::{BinaryOp, Conversion};

impl Lowering {
    /// Makes the function that tests call, and gives it together with that of the method.
    pub(crate) fn entry(&mut self, class: ClassId, method: &Method) -> (FunctionId, FunctionId) {
        let key = Key::Method(class, method.name.clone(), method.descriptor.clone());
        let target = self.function(key);
        let declared = self.program.functions[target].clone();
        let signature = Signature::parse(&method.descriptor).expect("descriptors of loaded classes were parsed");
        let is_constructor = method.name == "<init>";
        let mut function = Function::declare(self.shown(class, method), declared.ty);
        let skipped = usize::from(is_constructor);
        for param in declared.params.iter().skip(skipped) {
            let ty = natural(&self.program.ctypes, param.ty).unwrap_or(declared.temps[param.temp].ty);
            let temp = function.temps.push(Temp { ty });
            function.params.push(Param { name: param.name.clone(), ty: param.ty, temp, kind: ParamKind::Scalar });
        }
        let params = function.params.iter().map(|param| param.ty).collect();
        let returns = self.types.of(&mut self.program, &JavaType::Int);
        function.ty = self.program.ctypes.types.push(CType::Function { returns, params, variadic: false });
        function.returns = Some(Type::Int(32));
        let has_receiver = !method.is_static && !is_constructor;
        let mut builder = Builder::new(function);
        self.prepare(&mut builder, class, method, has_receiver);
        let mut args: Vec<Operand> = Vec::new();
        if is_constructor {
            // Of an abstract class, it is the constructor of a subclass that calls it.
            let is_abstract = self.world.get(class).class.is_abstract;
            let made = if is_abstract { self.extended(class).unwrap_or(class) } else { class };
            let make = self.function(Key::New(made));
            self.instantiated.insert(made);
            args.push(self.call_for(&mut builder, make, Vec::new(), Some(Type::Pointer)).expect("it gives an object"));
        }
        let types: Vec<JavaType> = signature.params;
        let made = args.len();
        for (position, param) in builder.function.params.clone().iter().enumerate() {
            let ty = position.checked_sub(usize::from(has_receiver)).map(|position| &types[position]);
            args.push(widened(&mut builder, Operand::Temp(param.temp), ty));
        }
        self.satisfy(&mut builder, class, method, &args[made..]);
        let result = self.call_for(&mut builder, target, args, declared.returns);
        if let (Some(value), Some(ty)) = (result, declared.returns) {
            let result = self.result_variable(ty);
            store(&mut builder, Operand::Global(result, 0), value);
        }
        let class = Operand::Global(self.pending_class, 0);
        let number = load(&mut builder, class, Type::Int(32));
        builder.terminate(TerminatorKind::Return(Some(number)));
        (self.program.functions.push(builder.finish()), target)
    }

    /// The unknown subclass of a class, of which objects come in from now on.
    fn extended(&mut self, class: ClassId) -> Option<ClassId> {
        let name = self.world.get(class).class.name.clone();
        let other = self.world.load_other(&name).ok()?;
        self.instantiated.insert(other);
        Some(other)
    }

    /// Lets the receiver be of an unknown subclass where all known ones override the method.
    fn admit_receiver(&mut self, class: ClassId, method: &Method) {
        let data = &self.world.get(class).class;
        if method.is_private || !data.is_abstract || data.is_interface {
            return;
        }
        let name = data.name.clone();
        self.world.load_own_subtypes(&name);
        let runs = |id: &ClassId| {
            let found = self.world.select(*id, &method.name, &method.descriptor);
            found.is_some_and(|(owner, _)| owner == class)
        };
        if !self.world.concrete_subtypes(class).iter().any(runs) {
            self.inherits = self.extended(class).map(|id| (id, method.name.clone(), method.descriptor.clone()));
        }
    }

    /// A method as Java spells it.
    fn shown(&self, class: ClassId, method: &Method) -> String {
        let owner = crate::descriptor::source_name(&self.world.get(class).class.name);
        let name = method.name.strip_prefix(ENSURES).unwrap_or(&method.name);
        let signature = Signature::parse(&method.descriptor).expect("descriptors of loaded classes were parsed");
        let params: Vec<String> = signature.params.iter().map(ToString::to_string).collect();
        format!("{owner}.{name}({})", params.join(", "))
    }

    /// Takes for granted that the method returns `true` which is the precondition, if there is one.
    fn satisfy(&mut self, builder: &mut Builder, class: ClassId, method: &Method, args: &[Operand]) {
        let name = method.name.strip_prefix(ENSURES).unwrap_or(&method.name);
        let name = format!("{REQUIRES}{}", if name == "<init>" { "init" } else { name });
        let params = method.descriptor.split_inclusive(')').next().unwrap_or_default();
        let descriptor = format!("{params}Z");
        if self.world.get(class).class.method(&name, &descriptor).is_none() {
            return;
        }
        let predicate = self.function(Key::Method(class, name, descriptor));
        self.program.models.insert(predicate);
        let returns = self.program.functions[predicate].returns;
        let Some(truth) = self.call_for(builder, predicate, args.to_vec(), returns) else { return };
        let holds = binary(builder, BinaryOp::Ne, truth, Operand::int(32, 0));
        assume(builder, holds);
        let number = load(builder, Operand::Global(self.pending_class, 0), Type::Int(32));
        let returned = binary(builder, BinaryOp::Eq, number, Operand::int(32, 0));
        assume(builder, returned);
    }

    /// The variable that holds the result of the method.
    fn result_variable(&mut self, ty: Type) -> GlobalId {
        let of = self.types.of_kind(super::body::kind_of(ty));
        let global = self.program.globals.push(variable("clew.result", of, 8));
        self.result = Some(global);
        global
    }

    /// The receiver is an object on which a call runs the method; the class is initialised.
    fn prepare(&mut self, builder: &mut Builder, class: ClassId, method: &Method, has_receiver: bool) {
        if has_receiver {
            self.admit_receiver(class, method);
            let this = Operand::Temp(builder.function.params[0].temp);
            let holds = binary(builder, BinaryOp::Ne, this, Operand::Null);
            assume(builder, holds);
            debug_assert_eq!(CLASS_AT, 0, "the class comes first");
            let number = load(builder, this, Type::Int(32));
            let runs = self.function(Key::Runs(class, method.name.clone(), method.descriptor.clone()));
            let holds = self.call_for(builder, runs, vec![number], Some(Type::Int(1))).expect("it gives a truth value");
            assume(builder, holds);
        }
        if self.has_initialiser(class) {
            let initialise = self.function(Key::Initialise(class));
            self.call_for(builder, initialise, Vec::new(), None);
        }
    }

    /// Calls a function.
    pub(super) fn call_for(
        &self,
        builder: &mut Builder,
        function: FunctionId,
        args: Vec<Operand>,
        returns: Option<Type>,
    ) -> Option<Operand> {
        let ty = self.program.functions[function].ty;
        let call = |dest| InstKind::Call { dest, callee: Callee::Direct(function), args, ty, check: None };
        match returns {
            Some(returns) => Some(builder.define(returns, |dest| call(Some(dest)))),
            None => {
                builder.emit(call(None));
                None
            }
        }
    }
}

/// The type of a scalar as memory holds it; `None` for references.
pub(super) fn natural(ctypes: &clew_ir::CTypes, ty: clew_ir::CTypeId) -> Option<Type> {
    match ctypes.get(ty) {
        CType::Bool => Some(Type::Int(8)),
        CType::Int { width, .. } => Some(Type::Int(*width)),
        _ => None,
    }
}

/// An argument as the method takes it: narrow integers become `int`.
pub(super) fn widened(builder: &mut Builder, value: Operand, ty: Option<&JavaType>) -> Operand {
    let op = match ty {
        Some(JavaType::Boolean | JavaType::Char) => Conversion::ZeroExtend(32),
        Some(JavaType::Byte | JavaType::Short) => Conversion::SignExtend(32),
        _ => return value,
    };
    builder.define(Kind::Int.ty(), |dest| InstKind::Convert { dest, op, a: value, check: None })
}

pub(super) fn load(builder: &mut Builder, from: Operand, ty: Type) -> Operand {
    builder.define(ty, |dest| InstKind::Load { dest, from, volatile: false, raw: false, check: None })
}

pub(super) fn store(builder: &mut Builder, to: Operand, value: Operand) {
    builder.emit(InstKind::Store { to, value, volatile: false, check: None });
}

pub(super) fn binary(builder: &mut Builder, op: BinaryOp, a: Operand, b: Operand) -> Operand {
    let compares = matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ule | BinaryOp::Slt);
    let ty = if compares { Type::Int(1) } else { a.ty(&builder.function) };
    builder.define(ty, |dest| InstKind::Binary { dest, op, a, b, check: None })
}

fn assume(builder: &mut Builder, holds: Operand) {
    let check = builder.check(CheckKind::ArraySize);
    builder.emit(InstKind::Check { holds, check });
}
