//! Which terms belong to which type: a function of C for each type without parameters, for terms up to a depth.

use super::{INTEGER, Program, identifier};
use clew_frontend_rules::spec::{Spec, Type};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// The most types that are told apart. A type that contains itself with ever larger arguments has no end of them.
const MOST_TYPES: usize = 100;

/// The types that were asked for, with the functions that know them.
#[derive(Default)]
pub(super) struct Predicates {
    types: Vec<Type>,
    names: FxHashMap<Type, String>,
}

impl Predicates {
    /// That a term has a type and at most some depth. Of a type parameter, any term is one.
    pub(super) fn test(&mut self, spec: &Spec, ty: &Type, term: &str, depth: &str) -> String {
        let is_told_apart = self.types.len() < MOST_TYPES || self.names.contains_key(ty);
        match ty {
            Type::Data(..) | Type::Int if is_told_apart => format!("{}({term}, {depth})", self.name(spec, ty)),
            _ => format!("{term} != NULL"),
        }
    }

    /// The function that knows a type.
    fn name(&mut self, spec: &Spec, ty: &Type) -> String {
        if let Some(name) = self.names.get(ty) {
            return name.clone();
        }
        let plain = format!("is_{}", identifier(&spec.type_name(ty).replace([' ', '(', ')'], "_")));
        let is_free = |name: &String| !self.names.values().any(|taken| taken == name);
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let name = std::iter::once(plain.clone()).chain(numbered).find(is_free).unwrap_or(plain);
        self.types.push(ty.clone());
        self.names.insert(ty.clone(), name.clone());
        name
    }
}

impl Program<'_> {
    /// Writes the functions of all types that were asked for, and of those that they are made of.
    pub(super) fn predicates(&self, predicates: &mut Predicates, out: &mut String) {
        let mut bodies = String::new();
        let mut done = 0;
        while let Some(ty) = predicates.types.get(done).cloned() {
            done += 1;
            self.predicate(&ty, predicates, &mut bodies);
        }
        for ty in &predicates.types {
            let _ = writeln!(out, "int {}(const struct term *term, int depth);", predicates.names[ty]);
        }
        out.push('\n');
        out.push_str(&bodies);
    }

    fn predicate(&self, ty: &Type, predicates: &mut Predicates, out: &mut String) {
        let name = predicates.name(self.spec, ty);
        let _ = write!(
            out,
            "int {name}(const struct term *term, int depth)\n{{\n    if (!term || depth <= 0)\n        return 0;\n    switch (term->constructor) {{\n"
        );
        match ty {
            Type::Int => {
                let _ = writeln!(out, "    case {INTEGER}:\n        return 1;");
            }
            Type::Data(id, args) => {
                for con in &self.spec.types[id.index()].constructors {
                    let fields = &self.spec.constructors[con.index()].fields;
                    let mut test = |(number, field): (usize, &Type)| {
                        predicates.test(
                            self.spec,
                            &field.instantiate(args),
                            &format!("term->args[{number}]"),
                            "depth - 1",
                        )
                    };
                    let tests: Vec<String> = fields.iter().enumerate().map(&mut test).collect();
                    let _ = writeln!(out, "    case CON_{}:\n        return {};", self.constructor(*con), all(&tests));
                }
            }
            Type::Param(_) => {}
        }
        out.push_str("    default:\n        return 0;\n    }\n}\n\n");
    }
}

/// That all of some conditions hold.
pub(super) fn all(tests: &[String]) -> String {
    if tests.is_empty() { "1".to_owned() } else { tests.join(" && ") }
}
