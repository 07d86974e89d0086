//! `invokedynamic`: calls whose target a bootstrap method chooses.
//!
//! Concatenation of strings is what the same source was before Java 9: a `StringBuilder`. Lambdas
//! and method references are objects of classes made here (`lambda`), the methods of records are written out (`record`).

use super::Lower;
use super::body::Body;
use super::call::Invocation;
use crate::class::Constant;
use crate::descriptor::{JavaType, Signature};
use crate::types::Kind;
use cafebabe::constant_pool::{BootstrapArgument, InvokeDynamic, LiteralConstant};
use clew_ir::Operand;

const BUILDER: &str = "java/lang/StringBuilder";
const TEXT: &str = "java/lang/String";

/// Stand for an argument and for a constant in the recipe of a concatenation.
const ARGUMENT: u16 = 1;
const CONSTANT: u16 = 2;

impl Body<'_, '_> {
    pub(super) fn invoke_dynamic(&mut self, site: &InvokeDynamic<'_>) -> Lower {
        let bootstrap = self.bootstrap;
        let entry = bootstrap.get(usize::from(site.attr_index)).ok_or("a bootstrap method that is missing")?;
        let descriptor = &*site.name_and_type.descriptor;
        let signature = Signature::parse(descriptor).ok_or_else(|| format!("descriptor `{descriptor}`"))?;
        match (&*entry.method.class_name, &*entry.method.member_ref.name) {
            ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants") => {
                let mut arguments = entry.arguments.iter();
                let Some(BootstrapArgument::LiteralConstant(recipe)) = arguments.next() else {
                    return Err("a concatenation without a recipe".to_owned());
                };
                let recipe = text_of(recipe).ok_or("a concatenation without a recipe")?;
                let constants: Vec<Option<Vec<u16>>> = arguments.map(constant_text).collect();
                self.concatenate(&signature, &recipe, &constants)
            }
            ("java/lang/invoke/StringConcatFactory", "makeConcat") => {
                let recipe = vec![ARGUMENT; signature.params.len()];
                self.concatenate(&signature, &recipe, &[])
            }
            ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
                self.make_lambda(site, entry, &signature)
            }
            ("java/lang/runtime/ObjectMethods", "bootstrap") => self.record_method(&site.name_and_type.name, entry),
            (class, _) => Err(format!("invokedynamic by {class} ({})", site.name_and_type.name)),
        }
    }

    pub(super) fn concatenate(
        &mut self,
        signature: &Signature,
        recipe: &[u16],
        constants: &[Option<Vec<u16>>],
    ) -> Lower {
        let mut values = Vec::new();
        for ty in signature.params.iter().rev() {
            values.push((ty.clone(), self.pop(Kind::of(ty))?));
        }
        let builder = self.new_object(BUILDER)?;
        self.invoke_with(BUILDER, "<init>", "()V", Invocation::Special, vec![builder])?;
        let mut constants = constants.iter();
        let mut literal = Vec::new();
        for unit in recipe {
            match *unit {
                ARGUMENT => {
                    self.append_text(builder, &std::mem::take(&mut literal))?;
                    let (ty, value) = values.pop().ok_or("a recipe of more values than there are")?;
                    self.append(builder, &ty, value)?;
                }
                CONSTANT => {
                    let constant = constants.next().ok_or("a recipe of more constants than there are")?;
                    literal.extend(constant.as_ref().ok_or("a constant of a concatenation that is no literal")?);
                }
                other => literal.push(other),
            }
        }
        self.append_text(builder, &literal)?;
        self.invoke_with(BUILDER, "toString", "()Ljava/lang/String;", Invocation::Virtual, vec![builder])
    }

    fn append_text(&mut self, builder: Operand, text: &[u16]) -> Lower {
        if text.is_empty() {
            return Ok(());
        }
        let value = Operand::Global(self.lowering.string(text)?, 0);
        self.append(builder, &JavaType::Class(TEXT.to_owned()), value)
    }

    fn append(&mut self, builder: Operand, ty: &JavaType, value: Operand) -> Lower {
        let accepted = match ty {
            JavaType::Byte | JavaType::Short => JavaType::Int,
            JavaType::Class(name) if name == TEXT => ty.clone(),
            JavaType::Class(_) | JavaType::Array(_) => JavaType::Class(crate::world::OBJECT.to_owned()),
            other => other.clone(),
        };
        let descriptor = format!("({})L{BUILDER};", accepted.descriptor());
        self.invoke_with(BUILDER, "append", &descriptor, Invocation::Virtual, vec![builder, value])?;
        self.pop(Kind::Reference).map(drop)
    }
}

fn text_of(literal: &LiteralConstant<'_>) -> Option<Vec<u16>> {
    match Constant::of(literal) {
        Constant::Text(text) => Some(text),
        _ => None,
    }
}

/// A constant of a concatenation as text, if it is a string.
fn constant_text(argument: &BootstrapArgument<'_>) -> Option<Vec<u16>> {
    match argument {
        BootstrapArgument::LiteralConstant(literal) => text_of(literal),
        _ => None,
    }
}
