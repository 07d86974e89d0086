//! Subclasses that a test declares, to stand in for implementations of abstract classes that nobody knows.
//!
//! Their methods return the answers of the test in the order of the calls. Objects of them are made without a constructor, unless
//! it is the constructor of an abstract class that is tested.

use super::Writer;
use crate::heap::{Heap, Made, OTHER};
use clew_frontend_jvm::{Extension, JavaType, Method, Signature, source_name};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The subclasses of a file: the methods of each that return answers, by the class that it extends.
pub(super) type Subclasses = BTreeMap<String, BTreeSet<(String, String)>>;

impl Writer<'_> {
    /// Notes the subclasses that a test needs; says whether they can be written.
    pub(super) fn extends(&mut self, heap: &Heap) -> bool {
        let mut wanted = Subclasses::new();
        for number in heap.reachable() {
            if let Made::Object { class, .. } = &heap.objects[number]
                && let Some(base) = class.strip_suffix(OTHER)
            {
                wanted.entry(base.to_owned()).or_default();
            }
        }
        if self.constructs_abstract() {
            wanted.entry(self.lowered.class.name.clone()).or_default();
        }
        for answer in &heap.answers {
            let made = answer.object.map(|number| &heap.objects[number]);
            let base = match made {
                Some(Made::Object { class, .. }) => class.strip_suffix(OTHER),
                Some(_) => None,
                None => Some(self.lowered.class.name.as_str()),
            };
            if let Some(methods) = base.and_then(|base| wanted.get_mut(base)) {
                methods.insert((answer.method.clone(), answer.descriptor.clone()));
            }
        }
        if !wanted.iter().all(|(base, answered)| self.subclass(base, answered).is_some()) {
            return false;
        }
        for (base, answered) in wanted {
            self.subclasses.entry(base).or_default().extend(answered);
        }
        true
    }

    /// Whether the constructor of an abstract class is tested.
    pub(super) fn constructs_abstract(&self) -> bool {
        self.lowered.class.is_abstract && self.lowered.declaration.name == "<init>"
    }

    /// The name of the subclass of a class.
    pub(super) fn subclass_name(base: &str) -> String {
        format!("Some{}", base.rsplit(['/', '$']).next().unwrap_or_default())
    }

    /// The subclass of a class, as the file declares it; `None` where it cannot.
    pub(super) fn subclass(&self, base: &str, answered: &BTreeSet<(String, String)>) -> Option<String> {
        let extension = self.lowered.extensions.get(base)?;
        let is_same = base.rsplit_once('/').map_or("", |(package, _)| package) == self.package;
        if !self.is_named(base) {
            return None;
        }
        let mut text = String::new();
        let name = Writer::subclass_name(base);
        let shown = source_name(base);
        let _ = writeln!(text, "\n    private static class {name} extends {shown} {{");
        let _ = writeln!(text, "        static List<Object> answers = new ArrayList<>();\n");
        text += &self.constructor(base, extension, is_same)?;
        for method in &extension.methods {
            let is_answered = answered.iter().any(|(name, descriptor)| method.is(name, descriptor));
            if !method.is_abstract && (!is_answered || method.is_synthetic) {
                continue;
            }
            if !method.is_public && !method.is_protected && !is_same {
                return None;
            }
            text += &self.overriding(method)?;
        }
        Some(text + "    }\n")
    }

    /// A constructor: that which is tested, or one that is never called.
    fn constructor(&self, base: &str, extension: &Extension, is_same: bool) -> Option<String> {
        let is_tested = self.constructs_abstract() && base == self.lowered.class.name;
        let is_usable = |params: &[JavaType]| params.iter().all(|ty| self.is_named_type(ty));
        let usable =
            extension.constructors.iter().filter(|(params, reaches)| (is_same || *reaches) && is_usable(params));
        let params = if is_tested {
            usable.map(|(params, _)| params).find(|params| **params == self.signature().params)?
        } else {
            usable.map(|(params, _)| params).min_by_key(|params| params.len())?
        };
        let declared = if is_tested { parameters(params) } else { String::new() };
        let passed = params.iter().enumerate().map(|(index, ty)| match ty {
            _ if is_tested => format!("arg{index}"),
            JavaType::Boolean => "false".to_owned(),
            JavaType::Class(_) | JavaType::Array(_) => format!("({ty}) null"),
            _ => format!("({ty}) 0"),
        });
        let (name, passed) = (Writer::subclass_name(base), passed.collect::<Vec<_>>().join(", "));
        Some(format!("        {name}({declared}) throws Throwable {{\n            super({passed});\n        }}\n"))
    }

    /// A method that returns the next answer.
    fn overriding(&self, method: &Method) -> Option<String> {
        let signature = Signature::parse(&method.descriptor)?;
        let is_spelled = signature.params.iter().chain(&signature.returns).all(|ty| self.is_named_type(ty));
        if !is_spelled {
            return None;
        }
        let access = match (method.is_public, method.is_protected) {
            (true, _) => "public ",
            (_, true) => "protected ",
            _ => "",
        };
        let returns = signature.returns.as_ref().map_or_else(|| "void".to_owned(), ToString::to_string);
        let body = match &signature.returns {
            None => String::new(),
            Some(ty) => format!("            return ({}) answers.remove(0);\n", boxed(ty)),
        };
        let (name, params) = (&method.name, parameters(&signature.params));
        Some(format!("\n        @Override\n        {access}{returns} {name}({params}) {{\n{body}        }}\n"))
    }
}

fn parameters(types: &[JavaType]) -> String {
    types.iter().enumerate().map(|(index, ty)| format!("{ty} arg{index}")).collect::<Vec<_>>().join(", ")
}

/// The class of boxes of a type.
fn boxed(ty: &JavaType) -> String {
    match ty {
        JavaType::Int => "Integer".to_owned(),
        JavaType::Char => "Character".to_owned(),
        JavaType::Class(_) | JavaType::Array(_) => ty.to_string(),
        primitive => super::capital(&primitive.to_string()),
    }
}
