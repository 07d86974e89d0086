//! Lambdas and method references.
//!
//! Each place that makes a function object has a class of its own, with a field for each value that the function captures
//! and one method, which calls the code that the class file names. Values are converted between the types of both as
//! `LambdaMetafactory` says.

use super::body::Body;
use super::call::Invocation;
use super::{Lower, Lowering};
use crate::class::{Class, Method};
use crate::descriptor::{JavaType, Signature};
use crate::types::Kind;
use crate::world::{ClassId, LAMBDA, OBJECT};
use cafebabe::attributes::BootstrapMethodEntry;
use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::{BootstrapArgument, InvokeDynamic, MethodHandle, ReferenceKind};
use clew_ir::build::Builder;
use clew_ir::{FunctionId, Operand, TerminatorKind};

/// What the method of a lambda does.
#[derive(Clone, Debug)]
pub(super) struct Lambda {
    captured: Vec<JavaType>,
    /// The types of its parameters and of its result, as its users see them.
    instantiated: Signature,
    how: How,
    class: String,
    name: String,
    descriptor: String,
}

/// How the code is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Static,
    Virtual,
    Special,
    New,
}

/// Classes of primitive types and the methods that unwrap them.
const WRAPPERS: [(JavaType, &str, &str); 8] = [
    (JavaType::Boolean, "java/lang/Boolean", "booleanValue"),
    (JavaType::Byte, "java/lang/Byte", "byteValue"),
    (JavaType::Char, "java/lang/Character", "charValue"),
    (JavaType::Short, "java/lang/Short", "shortValue"),
    (JavaType::Int, "java/lang/Integer", "intValue"),
    (JavaType::Long, "java/lang/Long", "longValue"),
    (JavaType::Float, "java/lang/Float", "floatValue"),
    (JavaType::Double, "java/lang/Double", "doubleValue"),
];

impl Lowering {
    /// Makes the method of a lambda; says whether the class is one.
    pub(super) fn lambda_body(&mut self, id: FunctionId, class: ClassId, method: &Method) -> bool {
        let Some(lambda) = self.lambdas.get(&class).cloned() else { return false };
        let builder = Builder::new(self.program.functions[id].clone());
        let mut body = Body::without_code(self, builder, class, method);
        if let Err(what) = body.run_lambda(&lambda) {
            body.refuse(&what);
        }
        let function = body.builder.finish();
        self.program.functions[id] = function;
        true
    }
}

impl Body<'_, '_> {
    /// Makes the function object of a place.
    pub(super) fn make_lambda(
        &mut self,
        site: &InvokeDynamic<'_>,
        entry: &BootstrapMethodEntry<'_>,
        signature: &Signature,
    ) -> Lower {
        let (Some(BootstrapArgument::MethodType(erased)), Some(BootstrapArgument::MethodHandle(handle))) =
            (entry.arguments.first(), entry.arguments.get(1))
        else {
            return Err("a lambda without code".to_owned());
        };
        let Some(BootstrapArgument::MethodType(seen)) = entry.arguments.get(2) else {
            return Err("a lambda without a type".to_owned());
        };
        let instantiated = Signature::parse(seen).ok_or_else(|| format!("descriptor `{seen}`"))?;
        let erased_signature = Signature::parse(erased).ok_or_else(|| format!("descriptor `{erased}`"))?;
        if erased_signature.params.len() != instantiated.params.len() {
            return Err("a lambda of two types".to_owned());
        }
        let Some(JavaType::Class(interface)) = &signature.returns else {
            return Err("a lambda of no type".to_owned());
        };
        let lambda = Lambda {
            captured: signature.params.clone(),
            instantiated,
            how: how(handle)?,
            class: handle.class_name.to_string(),
            name: handle.member_ref.name.to_string(),
            descriptor: handle.member_ref.descriptor.to_string(),
        };
        let owner = self.lowering.world.get(self.class).class.name.clone();
        let name = format!("{owner}{LAMBDA}{}", self.lowering.lambdas.len());
        let methods = vec![Class::made_method(&site.name_and_type.name, erased)];
        let fields = lambda.captured.iter().enumerate();
        let fields = fields.map(|(index, ty)| Class::made_field(format!("captured{index}"), ty.clone())).collect();
        let mut made = Class::made(&name, OBJECT, vec![interface.clone()]);
        (made.methods, made.fields) = (methods, fields);
        let class = self.lowering.world.make(made)?;
        let captured = lambda.captured.clone();
        self.lowering.lambdas.insert(class, lambda);
        let object = self.new_object(&name)?;
        for (index, ty) in captured.iter().enumerate().rev() {
            let value = self.pop(Kind::of(ty))?;
            self.lowering.types.of(&mut self.lowering.program, ty);
            let at = self.lowering.offset(class, &format!("captured{index}"));
            let place = self.field_place(object, at);
            self.store_as(place, ty, value);
        }
        self.push(Kind::Reference, object);
        Ok(())
    }

    /// The method of a lambda.
    fn run_lambda(&mut self, lambda: &Lambda) -> Lower {
        let params: Vec<Operand> = self.builder.function.params.iter().map(|param| Operand::Temp(param.temp)).collect();
        let descriptor = Signature::parse(&self.method.descriptor).ok_or("a lambda of no type")?;
        let mut given = Vec::new();
        for (index, ty) in lambda.captured.iter().enumerate() {
            let at = self.lowering.offset(self.class, &format!("captured{index}"));
            let place = self.field_place(params[0], at);
            given.push((ty.clone(), self.load_as(place, ty)));
        }
        for ((value, erased), seen) in params[1..].iter().zip(&descriptor.params).zip(&lambda.instantiated.params) {
            let value = self.adapt(*value, erased, seen)?;
            given.push((seen.clone(), value));
        }
        let called =
            Signature::parse(&lambda.descriptor).ok_or_else(|| format!("descriptor `{}`", lambda.descriptor))?;
        let receiver = JavaType::of_class_constant(&lambda.class);
        let mut wanted = called.params.clone();
        if matches!(lambda.how, How::Virtual | How::Special) {
            wanted.insert(0, receiver.clone());
        }
        if wanted.len() != given.len() {
            return Err("a lambda of other parameters than its code".to_owned());
        }
        let mut args = Vec::new();
        for ((from, value), to) in given.iter().zip(&wanted) {
            args.push(self.adapt(*value, from, to)?);
        }
        let mut made = None;
        let how = match lambda.how {
            How::Static => Invocation::Static,
            How::Virtual => Invocation::Virtual,
            How::Special => Invocation::Special,
            How::New => {
                let class = self.lowering.world.load(&lambda.class)?;
                self.initialise(class)?;
                let object = self.new_object(&lambda.class)?;
                args.insert(0, object);
                made = Some(object);
                Invocation::Special
            }
        };
        self.invoke_with(&lambda.class, &lambda.name, &lambda.descriptor, how, args)?;
        let gives = if made.is_some() { Some(receiver) } else { called.returns };
        if let Some(object) = made {
            self.push(Kind::Reference, object);
        }
        let result = match (gives, &lambda.instantiated.returns, &descriptor.returns) {
            (Some(from), Some(seen), Some(to)) => {
                let value = self.pop(Kind::of(&from))?;
                let value = self.adapt(value, &from, seen)?;
                Some(self.adapt(value, seen, to)?)
            }
            (_, _, None) => None,
            _ => return Err("a lambda whose code gives nothing".to_owned()),
        };
        self.builder.terminate(TerminatorKind::Return(result));
        Ok(())
    }

    /// A value of one type as one of another: boxed, unboxed, widened or cast.
    fn adapt(&mut self, value: Operand, from: &JavaType, to: &JavaType) -> Lower<Operand> {
        match (from.is_reference(), to.is_reference()) {
            (true, true) => {
                if from == to || *to == JavaType::Class(OBJECT.to_owned()) {
                    return Ok(value);
                }
                self.cast(value, to)
            }
            (false, true) => {
                let (_, class, _) = WRAPPERS.iter().find(|(ty, ..)| ty == from).ok_or("a value of no type")?;
                let descriptor = format!("({})L{class};", from.descriptor());
                self.invoke_with(class, "valueOf", &descriptor, Invocation::Static, vec![value])?;
                self.pop(Kind::Reference)
            }
            (true, false) => {
                let known = WRAPPERS.iter().find(|(_, class, _)| *from == JavaType::Class((*class).to_owned()));
                let wrapper = known.or_else(|| WRAPPERS.iter().find(|(ty, ..)| ty == to));
                let (ty, class, method) = wrapper.ok_or("a value of no type")?;
                let object = self.cast(value, &JavaType::Class((*class).to_owned()))?;
                let descriptor = format!("(){}", ty.descriptor());
                self.invoke_with(class, method, &descriptor, Invocation::Virtual, vec![object])?;
                let value = self.pop(Kind::of(ty))?;
                self.adapt(value, ty, to)
            }
            (false, false) => self.widen(value, Kind::of(from), Kind::of(to)),
        }
    }

    fn cast(&mut self, value: Operand, to: &JavaType) -> Lower<Operand> {
        self.push(Kind::Reference, value);
        self.check_cast(to)?;
        self.pop(Kind::Reference)
    }

    fn widen(&mut self, value: Operand, from: Kind, to: Kind) -> Lower<Operand> {
        let opcode = match (from, to) {
            _ if from == to => return Ok(value),
            (Kind::Int, Kind::Long) => Opcode::I2l,
            (Kind::Int, Kind::Float) => Opcode::I2f,
            (Kind::Int, Kind::Double) => Opcode::I2d,
            (Kind::Long, Kind::Float) => Opcode::L2f,
            (Kind::Long, Kind::Double) => Opcode::L2d,
            (Kind::Float, Kind::Double) => Opcode::F2d,
            _ => return Err("a conversion that loses digits".to_owned()),
        };
        self.push(from, value);
        self.conversion(&opcode)?;
        self.pop(to)
    }
}

fn how(handle: &MethodHandle<'_>) -> Lower<How> {
    Ok(match handle.kind {
        ReferenceKind::InvokeStatic => How::Static,
        ReferenceKind::InvokeVirtual | ReferenceKind::InvokeInterface => How::Virtual,
        ReferenceKind::InvokeSpecial => How::Special,
        ReferenceKind::NewInvokeSpecial => How::New,
        _ => return Err("a lambda of a field".to_owned()),
    })
}
