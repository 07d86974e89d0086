//! How an implementation in C spells the terms of a specification, and tests of it as C statements.
//!
//! An adapter is a TOML file: for each type how its constructors are written as C expressions and how two values are
//! compared, for each function how it is called. Templates name arguments `{0}`, `{1}`, ...
//!
//! ```toml
//! source = "stack.c"
//!
//! [types.nat]
//! c = "unsigned"
//! constructors = { 0 = "0u", S = "({0} + 1u)" }
//!
//! [functions.plus]
//! call = "add({0}, {1})"
//! ```

use crate::objective::Test;
use crate::tree::{Item, Tree};
use crate::values::Values;
use clew_frontend_rules::spec::{FunctionId, Spec, Type};
use serde::Deserialize;
use std::collections::BTreeMap;

/// The deepest expression that C compilers are given.
const DEEPEST: usize = 200;

/// An adapter file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    /// The C file under test, relative to the adapter.
    pub source: String,
    /// C text after the source: functions that templates need.
    #[serde(default)]
    pub prelude: String,
    /// Types by their names, such as `list nat`.
    pub types: BTreeMap<String, TypeAdapter>,
    /// The functions that are implemented.
    pub functions: BTreeMap<String, FunctionAdapter>,
}

/// How a type is spelled in C.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TypeAdapter {
    /// The C type.
    pub c: String,
    /// A C expression for each constructor.
    #[serde(default)]
    pub constructors: BTreeMap<String, String>,
    /// A C condition: `{0}` and `{1}` are equal.
    #[serde(default = "equal")]
    pub equal: String,
}

fn equal() -> String {
    "{0} == {1}".to_owned()
}

/// How a function is called in C.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionAdapter {
    /// A C expression of the result's type.
    pub call: String,
}

/// A test of an implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The name of the test.
    pub name: String,
    /// What it is for.
    pub purpose: String,
    /// Statements that end with the call.
    pub statements: Vec<String>,
    /// What must hold then.
    pub condition: String,
}

/// Why there is no test of an implementation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The adapter does not have the function.
    Function,
    /// The adapter does not have a type or a constructor of it.
    Spelling(String),
    /// Rewriting gives no value, or does not end: there is nothing to compare with.
    Oracle,
    /// The terms are too deep for an expression.
    Depth,
}

impl Adapter {
    /// Reads an adapter.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, in words with the place.
    pub fn read(text: &str) -> Result<Adapter, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// Names of the adapter that the specification does not have, in words.
    pub fn unknown(&self, spec: &Spec) -> Vec<String> {
        let functions = self.functions.keys().filter(|name| spec.function(name).is_none());
        let mut unknown: Vec<String> = functions.map(|name| format!("there is no function `{name}`")).collect();
        for (name, ty) in &self.types {
            for con in ty.constructors.keys().filter(|con| spec.constructor(con).is_none()) {
                unknown.push(format!("type `{name}`: there is no constructor `{con}`"));
            }
        }
        unknown
    }

    /// The functions that are implemented.
    pub fn implemented(&self, spec: &Spec) -> Vec<FunctionId> {
        self.functions.keys().filter_map(|name| spec.function(name)).collect()
    }

    /// A test in C.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn check(&self, spec: &Spec, name: &str, test: &Test) -> Result<Check, Missing> {
        let function = &spec.functions[test.function.index()];
        let adapter = self.functions.get(&function.name).ok_or(Missing::Function)?;
        if test.results.is_empty() || !test.is_complete {
            return Err(Missing::Oracle);
        }
        let values = Values::new(spec);
        let concrete = |ty: &Type| values.concrete(ty, function.type_params);
        let mut args = Vec::new();
        for (arg, ty) in test.args.iter().zip(&function.params) {
            args.push(self.express(spec, &values, arg, &concrete(ty))?);
        }
        let result = concrete(&function.result);
        let spelled = self.spelling(spec, &result)?;
        let mut statements = vec![format!("{} actual = {};", spelled.c, fill(&adapter.call, &args))];
        let mut conditions = Vec::new();
        for (index, expected) in test.results.iter().enumerate() {
            let name = if test.results.len() == 1 { "expected".to_owned() } else { format!("expected{}", index + 1) };
            statements.push(format!("{} {name} = {};", spelled.c, self.express(spec, &values, expected, &result)?));
            conditions.push(fill(&spelled.equal, &["actual".to_owned(), name]));
        }
        let label = &spec.rules[test.rule.index()].label;
        let shown: Vec<String> = test.args.iter().map(|arg| arg.show(spec, &[])).collect();
        let purpose = format!("{label}: {} ({})", function.name, shown.join(", "));
        Ok(Check { name: name.to_owned(), purpose, statements, condition: conditions.join(" || ") })
    }

    fn spelling(&self, spec: &Spec, ty: &Type) -> Result<&TypeAdapter, Missing> {
        let name = spec.type_name(ty);
        self.types.get(&name).ok_or_else(|| Missing::Spelling(format!("the type `{name}`")))
    }

    /// A ground term as a C expression.
    fn express(&self, spec: &Spec, values: &Values<'_>, tree: &Tree, ty: &Type) -> Result<String, Missing> {
        // First the type of each node, from the outside; then the expressions, from the inside.
        let mut types = Vec::new();
        let mut work = vec![(ty.clone(), 0)];
        for item in &tree.items {
            let (ty, depth) = work.pop().expect("each node has a type");
            if depth > DEEPEST {
                return Err(Missing::Depth);
            }
            if let Item::Con(con, _) = item {
                work.extend(values.fields(*con, &ty).into_iter().map(|field| (field, depth + 1)).rev());
            }
            types.push(ty);
        }
        let mut done: Vec<String> = Vec::new();
        for (item, ty) in tree.items.iter().zip(&types).rev() {
            let args: Vec<String> = done.drain(done.len() - item.arity() as usize..).rev().collect();
            done.push(match item {
                Item::Int(value) => value.to_string(),
                Item::Con(con, _) => {
                    let name = &spec.constructors[con.index()].name;
                    let template = self.spelling(spec, ty)?.constructors.get(name);
                    let of = || Missing::Spelling(format!("the constructor `{name}` of `{}`", spec.type_name(ty)));
                    fill(template.ok_or_else(of)?, &args)
                }
                Item::Var(_) | Item::Call(..) => return Err(Missing::Oracle),
            });
        }
        Ok(done.pop().expect("a tree has a node"))
    }
}

/// A template with its arguments.
fn fill(template: &str, args: &[String]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(start) = rest.find('{') {
        out.push_str(&rest[..start]);
        let inner = &rest[start + 1..];
        let number = inner.find('}').and_then(|end| Some((end, inner[..end].parse::<usize>().ok()?)));
        match number.filter(|(_, number)| *number < args.len()) {
            Some((end, number)) => {
                out.push_str(&args[number]);
                rest = &inner[end + 1..];
            }
            None => {
                out.push('{');
                rest = inner;
            }
        }
    }
    out + rest
}
