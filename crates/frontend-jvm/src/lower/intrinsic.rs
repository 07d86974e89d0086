//! Methods that lowering knows by name: native ones, and those whose code needs the JVM.

use super::body::Body;
use super::{ARRAYS_AT, CLASS_OBJECT, COMPONENT_AT, ClassKind, Key, Lower, Lowering, NUMBER_AT, Naming};
use crate::class::Method;
use crate::types::Kind;
use crate::world::{ClassId, PRIMITIVE};
use clew_ir::build::Builder;
use clew_ir::{Callee, FunctionId, InstKind, Operand, TerminatorKind, Type};
use clew_scalar::{BinaryOp, Conversion, Format, Rounding, UnaryOp};

impl Lowering {
    /// Makes the body of a method that is known by name; says whether it is.
    pub(super) fn intrinsic_body(&mut self, id: FunctionId, class: ClassId, method: &Method) -> bool {
        let name = self.world.get(class).class.name.clone();
        let result = match (name.as_str(), method.name.as_str()) {
            ("java/lang/Throwable", "fillInStackTrace") => {
                let this = self.program.functions[id].params[0].temp;
                Some(Operand::Temp(this))
            }
            (_, "registerNatives") | ("jdk/internal/misc/VM", "initialize") => None,
            ("jdk/internal/misc/CDS", "initializeFromArchive") => None,
            ("jdk/internal/misc/VM", "getSavedProperty") => Some(Operand::Null),
            // Where elements lie matters to unsafe accesses alone, which are native.
            ("jdk/internal/misc/Unsafe", "arrayBaseOffset0") => Some(Operand::int(32, 16)),
            ("jdk/internal/misc/Unsafe", "arrayIndexScale0") => Some(Operand::int(32, 1)),
            ("jdk/internal/misc/CDS", _) if method.is_native && method.descriptor.ends_with(")Z") => {
                Some(Operand::int(32, 0))
            }
            _ if method.is_native || method.is_abstract => {
                let what = if method.is_native { "a native method" } else { "an abstract method" };
                self.unsupported_body(id, class, method, what);
                return true;
            }
            _ => return false,
        };
        let mut builder = Builder::new(self.program.functions[id].clone());
        builder.terminate(TerminatorKind::Return(result));
        self.program.functions[id] = builder.finish();
        true
    }
}

impl Body<'_, '_> {
    /// Lowers a call of a method that is known by name; says whether it was one.
    pub(super) fn intrinsic(&mut self, class: ClassId, method: &Method, args: &[Operand]) -> Lower<bool> {
        let owner = self.lowering.world.get(class).class.name.clone();
        match (owner.as_str(), method.name.as_str()) {
            ("java/lang/Object", "<init>") => {}
            ("java/lang/Object", "getClass") => {
                let number = self.class_of(args[0]);
                let number = self.convert(Conversion::ZeroExtend(64), number, Type::Int(64));
                let at = self.binary(BinaryOp::Mul, number, Operand::int(64, CLASS_OBJECT as u128));
                let object = self.offset(Operand::Global(self.lowering.class_objects, 0), at);
                self.push(Kind::Reference, object);
            }
            ("java/lang/Class", "getPrimitiveClass") => {
                // The classes of the JDK that ask are named after the type.
                let asking = self.lowering.world.get(self.class).class.name.clone();
                let class = self.lowering.world.load(&format!("{PRIMITIVE}{asking}"))?;
                let object = self.lowering.class_object(class);
                self.push(Kind::Reference, object);
            }
            ("java/lang/Class", "desiredAssertionStatus") => self.push(Kind::Int, Operand::int(32, 1)),
            ("java/lang/Object", "clone") if method.is_native => {
                let copy = self.lowering.function(Key::Clone);
                self.call(copy, vec![args[0]])?;
            }
            ("java/lang/reflect/Array", "getLength") => {
                self.demand_object(args[0])?;
                let number = self.class_of(args[0]);
                let is_array = self.is_array(number)?;
                self.throw_unless(is_array, "java/lang/IllegalArgumentException")?;
                let length = self.length(args[0]);
                self.push(Kind::Int, length);
            }
            ("java/lang/reflect/Array", "newArray") => {
                self.demand_object(args[0])?;
                let is_sound = self.binary(BinaryOp::Sle, Operand::int(32, 0), args[1]);
                self.throw_unless(is_sound, "java/lang/NegativeArraySizeException")?;
                let place = self.field_place(args[0], ARRAYS_AT);
                let number = self.load(place, Type::Int(32));
                let make = self.lowering.function(Key::NewArrayOf);
                self.call(make, vec![number, args[1]])?;
            }
            ("java/lang/Class", "getComponentType") => {
                let place = self.field_place(args[0], COMPONENT_AT);
                let component = self.load(place, Type::Pointer);
                self.push(Kind::Reference, component);
            }
            ("java/lang/Class", "isArray") => {
                let number = self.class_number(args[0]);
                let is_array = self.is_array(number)?;
                self.push_truth(is_array);
            }
            ("java/lang/Class", name @ ("getName" | "getSimpleName")) => {
                let number = self.class_number(args[0]);
                let naming = if name == "getName" { Naming::Full } else { Naming::Simple };
                let of = self.lowering.function(Key::NameOf(naming));
                self.call(of, vec![number])?;
            }
            ("java/lang/Class", name @ ("isPrimitive" | "isInterface")) => {
                let number = self.class_number(args[0]);
                let kind = if name == "isPrimitive" { ClassKind::Primitive } else { ClassKind::Interface };
                let test = self.lowering.function(Key::IsOf(kind));
                let truth = self.call_truth(test, vec![number]);
                self.push_truth(truth);
            }
            ("java/lang/Class", "isInstance") => self.is_instance(args[0], args[1])?,
            ("java/lang/Class", "isAssignableFrom") => {
                self.demand_object(args[1])?;
                let [other, number] = [args[0], args[1]].map(|class| self.class_number(class));
                let related = self.lowering.function(Key::Related);
                let truth = self.call_truth(related, vec![number, other]);
                self.push_truth(truth);
            }
            ("java/lang/StringUTF16", "isBigEndian") => self.push(Kind::Int, Operand::int(32, 0)),
            ("java/lang/System", "arraycopy") => return self.array_copy(args).map(|()| true),
            ("java/lang/Math" | "java/lang/StrictMath", name) => return self.math(name, method, args),
            ("java/lang/Float" | "java/lang/Double", name) => return self.float_bits(name, args),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The number of a class by its object, which is not null.
    fn class_number(&mut self, class: Operand) -> Operand {
        let place = self.field_place(class, NUMBER_AT);
        self.load(place, Type::Int(32))
    }

    /// Whether the class of a number is one of arrays.
    fn is_array(&mut self, number: Operand) -> Lower<Operand> {
        let test = self.lowering.function(Key::IsArray);
        Ok(self.call_truth(test, vec![number]))
    }

    fn call_truth(&mut self, test: FunctionId, args: Vec<Operand>) -> Operand {
        let ty = self.lowering.program.functions[test].ty;
        let callee = Callee::Direct(test);
        self.builder.define(Type::Int(1), |dest| InstKind::Call { dest: Some(dest), callee, args, ty, check: None })
    }

    fn push_truth(&mut self, truth: Operand) {
        let number = self.convert(Conversion::ZeroExtend(32), truth, Type::Int(32));
        self.push(Kind::Int, number);
    }

    fn is_instance(&mut self, class: Operand, object: Operand) -> Lower {
        let result = Operand::Local(self.local("instance".to_owned(), Kind::Int));
        self.store(result, Operand::int(32, 0));
        let [there, done] = [(); 2].map(|()| self.builder.block());
        let is_object = self.binary(BinaryOp::Ne, object, Operand::Null);
        self.branch(is_object, there, done);
        self.builder.switch_to(there);
        let (number, of) = (self.class_of(object), self.class_number(class));
        let related = self.lowering.function(Key::Related);
        let truth = self.call_truth(related, vec![number, of]);
        let truth = self.convert(Conversion::ZeroExtend(32), truth, Type::Int(32));
        self.store(result, truth);
        self.builder.jump(done);
        self.builder.switch_to(done);
        let value = self.load(result, Type::Int(32));
        self.push(Kind::Int, value);
        Ok(())
    }

    fn math(&mut self, name: &str, method: &Method, args: &[Operand]) -> Lower<bool> {
        let op = match (name, method.descriptor.as_str()) {
            ("sqrt", "(D)D") => UnaryOp::FloatSqrt(Rounding::NearestEven),
            ("floor", "(D)D") => UnaryOp::FloatRoundToIntegral(Rounding::Down),
            ("ceil", "(D)D") => UnaryOp::FloatRoundToIntegral(Rounding::Up),
            ("rint", "(D)D") => UnaryOp::FloatRoundToIntegral(Rounding::NearestEven),
            ("abs", "(D)D" | "(F)F") => UnaryOp::FloatAbs,
            _ => return Ok(false),
        };
        let ty = args[0].ty(&self.builder.function);
        let value = self.unary(op, args[0], ty);
        self.push(super::body::kind_of(ty), value);
        Ok(true)
    }

    fn float_bits(&mut self, name: &str, args: &[Operand]) -> Lower<bool> {
        let (op, kind) = match name {
            "floatToRawIntBits" => (Conversion::FloatToBits, Kind::Int),
            "doubleToRawLongBits" => (Conversion::FloatToBits, Kind::Long),
            "intBitsToFloat" => (Conversion::BitsToFloat(Format::SINGLE), Kind::Float),
            "longBitsToDouble" => (Conversion::BitsToFloat(Format::DOUBLE), Kind::Double),
            _ => return Ok(false),
        };
        let value = self.convert(op, args[0], kind.ty());
        self.push(kind, value);
        Ok(true)
    }

    fn array_copy(&mut self, args: &[Operand]) -> Lower {
        self.demand_object(args[0])?;
        self.demand_object(args[2])?;
        let [from_length, to_length] = [args[0], args[2]].map(|array| self.length(array));
        for (at, length) in [(args[1], from_length), (args[3], to_length)] {
            // All are not negative and the end is in range: with unsigned numbers of twice the width.
            let [at, count, length] = [at, args[4], length].map(|number| self.wide(number));
            let end = self.binary(BinaryOp::Add, at, count);
            let fits = self.binary(BinaryOp::Sle, end, length);
            let zero = Operand::int(64, 0);
            let [first, second] = [at, count].map(|number| self.binary(BinaryOp::Sle, zero, number));
            let both = self.binary(BinaryOp::And, first, second);
            let all = self.binary(BinaryOp::And, both, fits);
            self.throw_unless(all, "java/lang/ArrayIndexOutOfBoundsException")?;
        }
        let copy = self.lowering.function(Key::ArrayCopy);
        self.call(copy, args.to_vec())?;
        self.look_for_exception()
    }

    fn wide(&mut self, number: Operand) -> Operand {
        self.convert(Conversion::SignExtend(64), number, Type::Int(64))
    }
}
