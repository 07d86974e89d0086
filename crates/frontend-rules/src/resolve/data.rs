//! Data types and constructors; every type must have a value.

use super::{Meaning, Resolver};
use crate::message::Span;
use crate::spec::{ConId, Constructor, DataType, Function, FunctionId, Type, TypeId};
use crate::syntax::{self, Name, TypeExpr};

impl Resolver<'_> {
    /// Declares all data types with their constructors.
    pub(super) fn data_types(&mut self) {
        for data in &self.tree.datas {
            let name = self.spelled(data.name.span).to_owned();
            if self.type_id(&name).is_some() || (self.spec.options.integers && name == "int") {
                self.error(data.name.span, format!("the data type `{name}` is declared twice"));
            }
            let span = data.name.span;
            self.spec.types.push(DataType { name, params: data.params.len(), constructors: Vec::new(), span });
        }
        for (index, data) in self.tree.datas.iter().enumerate() {
            for (at, param) in data.params.iter().enumerate() {
                let name = self.spelled(param.span);
                if data.params[..at].iter().any(|other| self.spelled(other.span) == name) {
                    self.error(param.span, format!("the type parameter `{name}` is named twice"));
                }
            }
            for constructor in &data.constructors {
                self.constructor(TypeId(index as u32), &data.params, constructor);
            }
        }
        if self.messages.is_empty() {
            self.check_base_cases();
        }
    }

    fn type_id(&self, name: &str) -> Option<TypeId> {
        self.spec.types.iter().position(|ty| ty.name == name).map(|index| TypeId(index as u32))
    }

    fn constructor(&mut self, data: TypeId, params: &[Name], constructor: &syntax::Constructor) {
        let span = constructor.name.span;
        let id = ConId(self.spec.constructors.len() as u32);
        let scope: Vec<&str> = params.iter().map(|param| self.spelled(param.span)).collect();
        let fields = constructor.fields.iter().map(|field| self.resolve_type(field, &scope)).collect();
        let name = self.spelled(span).to_owned();
        if builtin_literal(&name) && self.spec.options.integers {
            self.error(
                span,
                format!("`{name}` is an integer here; read the specification without integers, or rename it"),
            );
        }
        self.declare(span, Meaning::Con(id));
        self.spec.types[data.index()].constructors.push(id);
        self.spec.constructors.push(Constructor { name, data, fields, span });
    }

    /// A written type; names in `params` are type parameters.
    pub(super) fn resolve_type(&mut self, ty: &TypeExpr, params: &[&str]) -> Type {
        let span = ty.head.span;
        let name = self.spelled(span);
        let args: Vec<Type> = ty.args.iter().map(|arg| self.resolve_type(arg, params)).collect();
        let expected = if let Some(index) = params.iter().position(|param| *param == name) {
            self.check_type_arity(span, 0, args.len());
            return Type::Param(index as u32);
        } else if self.spec.options.integers && name == "int" {
            self.check_type_arity(span, 0, args.len());
            return Type::Int;
        } else if let Some(id) = self.type_id(name) {
            id
        } else {
            self.error(span, format!("there is no data type `{name}`; declare it with `data {name} = ...`"));
            return Type::Int;
        };
        self.check_type_arity(span, self.spec.types[expected.index()].params, args.len());
        Type::Data(expected, args)
    }

    fn check_type_arity(&mut self, span: Span, expected: usize, found: usize) {
        if expected != found {
            let name = self.spelled(span);
            self.error(span, format!("the type `{name}` takes {expected} parameters, not {found}"));
        }
    }

    /// Reports types without a finite value: each constructor needs a value of a type that has none.
    fn check_base_cases(&mut self) {
        let mut has_value = vec![false; self.spec.types.len()];
        loop {
            let mut changed = false;
            for constructor in &self.spec.constructors {
                let data = constructor.data.index();
                if !has_value[data] && constructor.fields.iter().all(|field| is_inhabited(field, &has_value)) {
                    has_value[data] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for (index, _) in has_value.iter().enumerate().filter(|(_, has)| !**has) {
            let DataType { name, span, .. } = &self.spec.types[index];
            let text = format!("the data type `{name}` has no base case: every constructor needs another value of it");
            let span = *span;
            self.error(span, text);
        }
    }

    /// Declares all functions, without their types.
    pub(super) fn declare_functions(&mut self) {
        for (index, function) in self.tree.functions.iter().enumerate() {
            let span = function.name.span;
            self.declare(span, Meaning::Function(FunctionId(index as u32)));
            let arity = function.rules.first().map_or(0, |rule| self.tree.exprs[rule.head].args.len());
            let mut declared = Function {
                name: self.spelled(span).to_owned(),
                arity,
                type_params: 0,
                params: Vec::new(),
                result: Type::Int,
                rules: Vec::new(),
                span,
            };
            if let Some(signature) = &function.signature {
                self.signature(&mut declared, signature);
            }
            self.spec.functions.push(declared);
        }
    }

    /// Takes a declared type; names that are no data types are type parameters.
    fn signature(&mut self, function: &mut Function, signature: &[TypeExpr]) {
        if signature.len() != function.arity + 1 {
            let text = format!(
                "the type of `{}` has {} parameters, its rules have {}",
                function.name,
                signature.len() - 1,
                function.arity
            );
            self.error(function.span, text);
            return;
        }
        let mut params: Vec<&str> = Vec::new();
        let mut work: Vec<&TypeExpr> = signature.iter().rev().collect();
        while let Some(ty) = work.pop() {
            let name = self.spelled(ty.head.span);
            let is_known = self.type_id(name).is_some() || (self.spec.options.integers && name == "int");
            if !is_known && ty.args.is_empty() && !params.contains(&name) {
                params.push(name);
            }
            work.extend(ty.args.iter().rev());
        }
        let mut types: Vec<Type> = signature.iter().map(|ty| self.resolve_type(ty, &params)).collect();
        function.type_params = params.len();
        function.result = types.pop().expect("a signature has a result");
        function.params = types;
    }
}

/// Whether a type has a value, as far as is known.
fn is_inhabited(ty: &Type, has_value: &[bool]) -> bool {
    match ty {
        Type::Param(_) | Type::Int => true,
        // A parameter that has no value itself is reported where it is declared.
        Type::Data(id, _) => has_value[id.index()],
    }
}

/// Whether a name is a number.
pub(super) fn builtin_literal(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}
