//! `toString`, `hashCode` and `equals` of records, as `ObjectMethods` makes them.

use super::Lower;
use super::body::Body;
use super::call::Invocation;
use crate::descriptor::{JavaType, Signature};
use crate::types::Kind;
use cafebabe::attributes::BootstrapMethodEntry;
use cafebabe::constant_pool::{BootstrapArgument, MethodHandle};
use clew_ir::{Operand, Type};
use clew_scalar::{BinaryOp, Conversion};

/// A component of a record: its name and its type.
type Component = (String, JavaType);

impl Body<'_, '_> {
    /// Lowers a method of a record, which the name of the call site tells.
    pub(super) fn record_method(&mut self, name: &str, entry: &BootstrapMethodEntry<'_>) -> Lower {
        let handles = entry.arguments.iter().filter_map(|argument| match argument {
            BootstrapArgument::MethodHandle(handle) => Some(component(handle)),
            _ => None,
        });
        let components: Vec<Component> = handles.collect::<Lower<_>>()?;
        match name {
            "toString" => self.record_text(&components),
            "hashCode" => self.record_hash(&components),
            "equals" => self.record_equals(&components),
            other => Err(format!("method `{other}` of a record")),
        }
    }

    fn read_component(&mut self, record: Operand, (name, ty): &Component) -> Operand {
        self.lowering.types.of(&mut self.lowering.program, ty);
        let at = self.lowering.offset(self.class, name);
        let place = self.field_place(record, at);
        self.load_as(place, ty)
    }

    fn record_text(&mut self, components: &[Component]) -> Lower {
        let record = self.pop(Kind::Reference)?;
        let owner = self.lowering.world.get(self.class).class.name.clone();
        let simple = owner.rsplit(['/', '$']).next().unwrap_or_default().to_owned();
        let (mut recipe, mut params) = (format!("{simple}["), Vec::new());
        for (index, component) in components.iter().enumerate() {
            let value = self.read_component(record, component);
            self.push(Kind::of(&component.1), value);
            params.push(component.1.clone());
            recipe += if index > 0 { ", " } else { "" };
            recipe += &format!("{}=\u{1}", component.0);
        }
        recipe.push(']');
        let recipe: Vec<u16> = recipe.encode_utf16().collect();
        self.concatenate(&Signature { params, returns: None }, &recipe, &[])
    }

    fn record_hash(&mut self, components: &[Component]) -> Lower {
        let record = self.pop(Kind::Reference)?;
        let mut sum = Operand::int(32, 0);
        for component in components {
            let value = self.read_component(record, component);
            let (class, of) = hasher(&component.1);
            self.invoke_with(class, "hashCode", &format!("({of})I"), Invocation::Static, vec![value])?;
            let hash = self.pop(Kind::Int)?;
            let scaled = self.binary(BinaryOp::Mul, sum, Operand::int(32, 31));
            sum = self.binary(BinaryOp::Add, scaled, hash);
        }
        self.push(Kind::Int, sum);
        Ok(())
    }

    fn record_equals(&mut self, components: &[Component]) -> Lower {
        let (other, record) = (self.pop(Kind::Reference)?, self.pop(Kind::Reference)?);
        let result = Operand::Local(self.local("equals".to_owned(), Kind::Int));
        let [look, done] = [(); 2].map(|()| self.builder.block());
        let owner = self.lowering.world.get(self.class).class.name.clone();
        self.store(result, Operand::int(32, 0));
        self.push(Kind::Reference, other);
        self.instance_of(&JavaType::Class(owner))?;
        let fits = self.pop(Kind::Int)?;
        let fits = self.binary(BinaryOp::Ne, fits, Operand::int(32, 0));
        self.branch(fits, look, done);
        self.builder.switch_to(look);
        for component in components {
            let (a, b) = (self.read_component(record, component), self.read_component(other, component));
            let same = self.same(&component.1, a, b)?;
            let next = self.builder.block();
            self.branch(same, next, done);
            self.builder.switch_to(next);
        }
        self.store(result, Operand::int(32, 1));
        self.builder.jump(done);
        self.builder.switch_to(done);
        let value = self.load(result, Type::Int(32));
        self.push(Kind::Int, value);
        Ok(())
    }

    /// Whether two components are equal: floats by `compare`, references by `Objects.equals`.
    fn same(&mut self, ty: &JavaType, a: Operand, b: Operand) -> Lower<Operand> {
        let (class, name, descriptor, wanted) = match ty {
            JavaType::Float => ("java/lang/Float", "compare", "(FF)I", 0),
            JavaType::Double => ("java/lang/Double", "compare", "(DD)I", 0),
            JavaType::Class(_) | JavaType::Array(_) => {
                ("java/util/Objects", "equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z", 1)
            }
            _ => return Ok(self.binary(BinaryOp::Eq, a, b)),
        };
        self.invoke_with(class, name, descriptor, Invocation::Static, vec![a, b])?;
        let found = self.pop(Kind::Int)?;
        let low = self.convert(Conversion::Truncate(8), found, Type::Int(8));
        Ok(self.binary(BinaryOp::Eq, low, Operand::int(8, wanted)))
    }
}

fn component(handle: &MethodHandle<'_>) -> Lower<Component> {
    let descriptor = &*handle.member_ref.descriptor;
    let ty = JavaType::parse(descriptor).ok_or_else(|| format!("descriptor `{descriptor}`"))?;
    Ok((handle.member_ref.name.to_string(), ty))
}

/// The class whose `hashCode` takes a value, and the type it takes.
fn hasher(ty: &JavaType) -> (&'static str, &'static str) {
    match ty {
        JavaType::Boolean => ("java/lang/Boolean", "Z"),
        JavaType::Byte => ("java/lang/Byte", "B"),
        JavaType::Char => ("java/lang/Character", "C"),
        JavaType::Short => ("java/lang/Short", "S"),
        JavaType::Int => ("java/lang/Integer", "I"),
        JavaType::Long => ("java/lang/Long", "J"),
        JavaType::Float => ("java/lang/Float", "F"),
        JavaType::Double => ("java/lang/Double", "D"),
        JavaType::Class(_) | JavaType::Array(_) => ("java/util/Objects", "Ljava/lang/Object;"),
    }
}
